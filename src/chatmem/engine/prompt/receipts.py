"""Receipts of composed prompts, kept so that one can ask later why an answer knew what it knew.

Source: interfaces.md (receipt; `GET /api/receipts/{id}`).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from chatmem.engine.space import Space
from chatmem.errors import ReceiptNotFoundError
from chatmem.model.time import as_utc, utc_now
from chatmem.prompt.receipt import Receipt

KEPT: Final = timedelta(days=30)
"""How long a receipt can be asked for."""


class Receipts:
    """The receipts of one user's prompts."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def put(
        self, receipt: Receipt, session_id: str | None = None, *, now: datetime | None = None
    ) -> None:
        """Keep the receipt for `KEPT`; older ones of all users go.

        Raises:
            DatabaseError: it cannot be written.
        """
        moment = as_utc(now) if now else utc_now()
        table = self._space.store.receipts
        with self._space.store.transaction():
            table.put(self._space.owner, receipt.id, session_id, receipt.as_json(), moment)
            table.forget(moment - KEPT)

    def get(self, receipt_id: str) -> Mapping[str, Any]:
        """The receipt as `Receipt.as_json` gives it.

        Raises:
            ReceiptNotFoundError: this user has none of this id, or no longer.
        """
        found = self._space.store.receipts.get(self._space.owner, str(receipt_id))
        if found is None:
            raise ReceiptNotFoundError(str(receipt_id))
        return found
