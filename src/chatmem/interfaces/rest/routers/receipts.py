"""`/api/receipts`: what went into a prompt, asked for later. Source: interfaces.md (Receipt)."""

from fastapi import APIRouter

from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.models_sessions import ReceiptAnswer

router = APIRouter(prefix="/api/receipts", tags=["receipts"])


@router.get("/{receipt_id}", responses=problems(404, 422))
def read_receipt(receipt_id: str, memory: Current) -> ReceiptAnswer:
    """The receipt of a prompt of this user; they are kept for 30 days."""
    return ReceiptAnswer.model_validate(memory.receipts.get(receipt_id))
