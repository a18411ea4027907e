"""`/api/sessions`: conversations, what happens in them, and prompts for their next message.

Source: S2.4, S2.5, S1.2, S5.4, S5.5, S4.1; interfaces.md.
"""

from fastapi import APIRouter, status

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.models_sessions import (
    ContextWishes,
    Event,
    EventAnswer,
    ListedSession,
    MessagePage,
    NewSession,
    PromptAnswer,
    PromptMessage,
    PromptMessages,
    PromptText,
    ReceiptAnswer,
    SaidMessage,
    SavedTurnAnswer,
    SessionPage,
    Turn,
)
from chatmem.interfaces.rest.routers.paging import Limit, Offset
from chatmem.interfaces.rest.threaded import Threaded

router = APIRouter(prefix="/api/sessions", tags=["sessions"], route_class=Threaded)


@router.post("", status_code=status.HTTP_201_CREATED, responses=problems())
def begin_session(memory: Current) -> NewSession:
    """Begin a session, with an empty window."""
    return NewSession(session_id=memory.new_session())


@router.get("", responses=problems(422))
def list_sessions(memory: Current, limit: Limit = 50, offset: Offset = 0) -> SessionPage:
    """A page of sessions, the one that was active last first."""
    page = memory.sessions.list(limit, offset)
    items = [ListedSession.model_validate(one) for one in page.items]
    return SessionPage(items=items, total=page.total, limit=page.limit, offset=page.offset)


@router.get("/{session_id:path}/messages", responses=problems(404, 422))
def read_messages(
    session_id: str, memory: Current, limit: Limit = 100, offset: Offset = 0
) -> MessagePage:
    """A page of a session's messages, oldest first."""
    messages = memory.sessions.messages(session_id)
    items = [SaidMessage.model_validate(one) for one in messages[offset : offset + limit]]
    return MessagePage(items=items, total=len(messages), limit=limit, offset=offset)


@router.post(
    "/{session_id:path}/turns",
    status_code=status.HTTP_201_CREATED,
    responses=problems(404, 422),
)
def save_turn(session_id: str, turn: Turn, memory: Current) -> SavedTurnAnswer:
    """Save what was said and answered; a session that is not there begins."""
    saved = memory.save_conversation_turn(turn.user, turn.assistant, session_id, turn.app_type)
    return SavedTurnAnswer.of(saved, session_id)


@router.post("/{session_id:path}/events", responses=problems(404, 422))
def tell_event(session_id: str, event: Event, memory: Current) -> EventAnswer:
    """Tell of something that happened; what follows from it is done in the background."""
    handled = memory.handle_event(
        {"type": event.type, "data": event.data or {}, "session_id": session_id, "id": event.id}
    )
    return EventAnswer.model_validate(handled)


@router.post("/{session_id:path}/context", responses=problems(404, 422))
def compose(session_id: str, wishes: ContextWishes, memory: Current) -> PromptAnswer:
    """The prompt for the next message, with what memory has for it; its receipt is kept."""
    if wishes.format == "text":
        text = PromptComposer(memory).compose(wishes.message, session_id, **wishes.wishes())
        memory.receipts.put(text.receipt, session_id)
        return PromptText(text=str(text), receipt=ReceiptAnswer.model_validate(text.receipt))
    built = ChatContextBuilder(memory).build_messages(wishes.message, session_id, **wishes.wishes())
    memory.receipts.put(built.receipt, session_id)
    return PromptMessages(
        messages=[PromptMessage.model_validate(one) for one in built],
        receipt=ReceiptAnswer.model_validate(built.receipt),
    )
