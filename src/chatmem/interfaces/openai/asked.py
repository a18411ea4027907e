"""A request as it came in, and as it goes on to the model's server.

Source: interfaces.md (`POST /v1/chat/completions`).
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from chatmem.engine.importing.openai_messages import content_text
from chatmem.errors import InvalidInputError
from chatmem.interfaces.openai.conversation import Said, leading_system, read_said

OWN_MODEL: Final = "chatmem"
"""As a model's name: the one that is configured."""
EXTENSION: Final = "chatmem"
"""A member of the request that is for us: `{"receipt": true}`. It is not passed on."""
_DIGITS: Final = re.compile(r"\d+")
_SESSION_CHARS: Final = 24


@dataclass(frozen=True, slots=True)
class Asked:
    """What a client asks for; `raw` are its bytes, `body` what they say."""

    raw: bytes
    body: Mapping[str, Any]
    said: Said = field(init=False)

    def __post_init__(self) -> None:
        """Read the conversation."""
        object.__setattr__(self, "said", read_said(self.messages))

    @property
    def messages(self) -> Sequence[Any]:
        """The messages, as they came."""
        found: Sequence[Any] = self.body["messages"]
        return found

    @property
    def model(self) -> str | None:
        """The model that the client names; None where it leaves that to us."""
        name = self.body.get("model")
        return name if isinstance(name, str) and name.strip() not in ("", OWN_MODEL) else None

    @property
    def wants_receipt(self) -> bool:
        """True where a stream shall end with the receipt."""
        own = self.body.get(EXTENSION)
        return isinstance(own, Mapping) and own.get("receipt") is True

    def session(self, user_id: str) -> str:
        """The same for the same user and opening: the system's words and the first of the user's.

        Numbers in the system's words do not count: many clients write the time there.
        """
        system = [content_text(one.get("content")) for one in leading_system(self.messages)]
        opening = self.said.rounds[0].user if self.said.rounds else self.said.new
        parts = [
            user_id,
            str(self.body.get("user") or ""),
            _DIGITS.sub("0", "\n".join(system)),
            *opening[:1],
        ]
        joined = "\x00".join(parts).encode(errors="surrogatepass")
        return f"chat-{hashlib.sha256(joined).hexdigest()[:_SESSION_CHARS]}"

    def passed_on(self, configured: str | None, messages: Sequence[Any] | None = None) -> bytes:
        """The bytes for the model's server: the client's own where nothing had to be changed."""
        body = {name: value for name, value in self.body.items() if name != EXTENSION}
        if self.model is None:
            body["model"] = configured
        if messages is not None:
            body["messages"] = list(messages)
        if body == self.body:
            return self.raw
        return _json(body)


def read_asked(raw: bytes) -> Asked:
    """The request.

    Raises:
        InvalidInputError: no JSON object with a list of messages.
    """
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"the request's body is no JSON ({_reason(error)})") from error
    if not isinstance(body, dict):
        raise InvalidInputError(
            f'the request\'s body is {type(body).__name__}, takes {{"model", "messages"}}'
        )
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidInputError('messages: takes a list of {"role", "content"}, at least one')
    return Asked(raw, body)


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half a character, which only an escape can carry
        return json.dumps(body, separators=(",", ":")).encode()


def _reason(error: Exception) -> str:
    """What is wrong with it, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno} column {error.colno}"
    return "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else "it cannot be read"
