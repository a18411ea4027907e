"""`POST /v1/chat/completions` and `GET /v1/models`: any client of OpenAI's API gets memory.

    client = OpenAI(base_url="http://127.0.0.1:8600/v1", api_key="...")
    client.chat.completions.create(model="chatmem", messages=[...], stream=True)

The request goes on as it came, with what is remembered added to its system message, and the answer
comes back byte for byte. Headers: `X-Chatmem-Session` says which session it is (without it, the
user and the conversation's opening do), `X-Chatmem-Memory: off` that nothing is read or saved. The
answer has `X-Chatmem-Session` and `X-Chatmem-Receipt`. A stream ends with the receipt, in a chunk
without choices before `[DONE]`, where the request has `"chatmem": {"receipt": true}`.

Source: interfaces.md (`POST /v1/chat/completions`).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Final
from urllib.parse import unquote

from anyio.to_thread import run_sync
from fastapi import APIRouter, FastAPI, Header, Request
from fastapi.responses import Response

from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.interfaces.openai.asked import OWN_MODEL, read_asked
from chatmem.interfaces.openai.described import CHAT_REQUEST, CHAT_RESPONSES, MODELS_RESPONSES
from chatmem.interfaces.openai.listing import list_models
from chatmem.interfaces.openai.passing import Errand, PassedOn
from chatmem.interfaces.openai.problems import problem
from chatmem.interfaces.openai.remembering import remind
from chatmem.interfaces.openai.reply import Kept, read_reply
from chatmem.interfaces.openai.shared import Shared, shared_by
from chatmem.interfaces.openai.turns import Place, keep, pass_over, put_receipt
from chatmem.interfaces.openai.upstream import endpoint_of

CHAT: Final = "chat/completions"
OFF: Final = ("off", "false", "0", "no")


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    await shared_by(app).connections.close()


router = APIRouter(tags=["chat"], lifespan=_lifespan)


@router.post(
    "/v1/chat/completions",
    summary="Chat as OpenAI's API has it, with memory",
    response_class=Response,
    responses=CHAT_RESPONSES,
    openapi_extra={"requestBody": CHAT_REQUEST},
)
async def complete(
    request: Request,
    x_chatmem_session: Annotated[
        str | None, Header(description="The session; else the conversation's opening says it.")
    ] = None,
    x_chatmem_memory: Annotated[
        str | None, Header(description="`off`: nothing is read from memory or saved.")
    ] = None,
) -> Response:
    """The model's answer, as it comes."""
    memory: MemoryService = request.state.memory
    raw = await request.body()
    with_memory = (x_chatmem_memory or "").strip().lower() not in OFF
    prepare = partial(
        _prepared, shared_by(request.app), memory, raw, x_chatmem_session, with_memory
    )
    try:
        return PassedOn(await run_sync(prepare))
    except ChatmemError as error:
        return problem(error, request.url.path)


@router.get(
    "/v1/models",
    summary="The models behind the chat endpoint",
    response_class=Response,
    responses=MODELS_RESPONSES,
)
async def models(request: Request) -> Response:
    """The list of the model's server; where it has none, the configured model."""
    memory: MemoryService = request.state.memory
    try:
        endpoint = endpoint_of(memory.settings, OWN_MODEL)
    except ChatmemError as error:
        return problem(error, request.url.path)
    return await list_models(shared_by(request.app).connections, endpoint, request)


def _prepared(
    shared: Shared, memory: MemoryService, raw: bytes, session: str | None, with_memory: bool
) -> Errand:
    """What to ask the model's server, in a thread: memory is read here.

    Raises:
        InvalidInputError: a body that cannot be read.
        NoModelError: none is configured.
        SessionNotFoundError: the session is another user's.
    """
    asked = read_asked(raw)
    settings = memory.settings
    endpoint = endpoint_of(settings, asked.model)
    place = Place(memory, _readable(session) or asked.session(memory.user_id))
    if not with_memory:
        content = asked.passed_on(endpoint.model)
        over = partial(pass_over, place, asked.said, shared.marks)
        return Errand(shared.connections, endpoint, CHAT, content, begin=over)
    reminded = remind(memory, asked, place.session_id)
    receipt = reminded.receipt

    def begin() -> None:
        if receipt is not None:
            put_receipt(place, receipt)

    def finish(kept: Kept) -> None:
        keep(place, asked.said, read_reply(kept), shared.marks, settings.memory.prompt_max_tokens)

    return Errand(
        shared.connections,
        endpoint,
        CHAT,
        asked.passed_on(endpoint.model, reminded.messages),
        session_id=place.session_id,
        receipt=receipt,
        receipt_event_model=(asked.model or endpoint.model) if asked.wants_receipt else None,
        begin=begin,
        finish=finish,
        in_turn=partial(shared.order.of, (memory.user_id, place.session_id)),
    )


def _readable(header: str | None) -> str | None:
    """The session that a header names, in UTF-8, which may be percent-encoded."""
    if header is None or not header.strip():
        return None
    try:
        return unquote(header.encode("latin-1").decode(), errors="strict").strip() or None
    except UnicodeError:
        return header.strip()
