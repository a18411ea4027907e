"""API keys as they are listed: never the key itself."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key of a server, bound to one user; an admin's may act for others."""

    id: str
    user_id: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None = None
