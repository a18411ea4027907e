"""Where a session is shown."""

from urllib.parse import quote

from chatmem.interfaces.web.layout import address


def address_of(session_id: str) -> str:
    """The address of the session's view."""
    return address(f"/sessions/{quote(session_id, safe='')}")
