"""`/api/sessions`: conversations, what happens in them, prompts for their next message, receipts.

Source: S2.4, S2.5, S1.2, S5.4, S5.5, S4.1; interfaces.md.
"""

from fastapi import APIRouter, status

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.interfaces.rest import answers, requests
from chatmem.interfaces.rest.openapi import problems
from chatmem.interfaces.rest.requests import ContextWishes, Current, Limit, Offset, ThreadedRoute

router = APIRouter(prefix="/api/sessions", tags=["sessions"], route_class=ThreadedRoute)
receipts = APIRouter(prefix="/api/receipts", tags=["receipts"], route_class=ThreadedRoute)


@router.post("", status_code=status.HTTP_201_CREATED, responses=problems())
def begin_session(memory: Current) -> answers.NewSession:
    """Begin a session, with an empty window."""
    return answers.NewSession(session_id=memory.new_session())


@router.get("", responses=problems(422))
def list_sessions(memory: Current, limit: Limit = 50, offset: Offset = 0) -> answers.SessionPage:
    """A page of sessions, the one that was active last first."""
    return answers.SessionPage.model_validate(memory.sessions.list(limit, offset))


@router.get("/{session_id:path}/messages", responses=problems(404, 422))
def read_messages(
    session_id: str, memory: Current, limit: Limit = 100, offset: Offset = 0
) -> answers.MessagePage:
    """A page of a session's messages, oldest first."""
    messages = memory.sessions.messages(session_id)
    items = messages[offset : offset + limit]
    page = {"items": items, "total": len(messages), "limit": limit, "offset": offset}
    return answers.MessagePage.model_validate(page)


@router.post(
    "/{session_id:path}/turns", status_code=status.HTTP_201_CREATED, responses=problems(404, 422)
)
def save_turn(session_id: str, turn: requests.Turn, memory: Current) -> answers.SavedTurnAnswer:
    """Save what was said and answered; a session that is not there begins."""
    saved = memory.save_conversation_turn(turn.user, turn.assistant, session_id, turn.app_type)
    rows = {name: getattr(saved, name) for name in ("ids", "duplicates", "user", "assistant")}
    return answers.SavedTurnAnswer.model_validate({"session_id": session_id, **rows})


@router.post("/{session_id:path}/events", responses=problems(404, 422))
def tell_event(session_id: str, event: requests.Event, memory: Current) -> answers.EventAnswer:
    """Tell of something that happened; what follows from it is done in the background."""
    handled = memory.handle_event(
        {"type": event.type, "data": event.data or {}, "session_id": session_id, "id": event.id}
    )
    return answers.EventAnswer.model_validate(handled)


@router.post("/{session_id:path}/context", responses=problems(404, 422))
def compose(session_id: str, wishes: ContextWishes, memory: Current) -> answers.PromptAnswer:
    """The prompt for the next message, with what memory has for it; its receipt is kept."""
    own = {"message", "format"}
    given = wishes.model_dump(exclude=own, exclude_unset=True, exclude_none=True)
    if wishes.format == "text":
        text = PromptComposer(memory).compose(wishes.message, session_id, **given)
        memory.receipts.put(text.receipt, session_id)
        return answers.PromptText.model_validate({"text": str(text), "receipt": text.receipt})
    built = ChatContextBuilder(memory).build_messages(wishes.message, session_id, **given)
    memory.receipts.put(built.receipt, session_id)
    return answers.PromptMessages.model_validate({"messages": built, "receipt": built.receipt})


@receipts.get("/{receipt_id}", responses=problems(404, 422))
def read_receipt(receipt_id: str, memory: Current) -> answers.ReceiptAnswer:
    """The receipt of a prompt of this user; they are kept for 30 days."""
    return answers.ReceiptAnswer.model_validate(memory.receipts.get(receipt_id))
