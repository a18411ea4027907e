"""Requests to a server that speaks OpenAI's API: OpenAI's own, Ollama, vLLM, LM Studio, llama.cpp.

`httpx` makes them; it is imported with the first one. It repeats nothing by itself: `Attempts`
does, and errors say how often. What a chat model answers, whole or in events, is not trusted.

Source: S4.3; decisions 7.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from chatmem.errors import MalformedAnswerError, ModelUnavailableError, ProviderError
from chatmem.providers.optional import optional_module, require_installed

if TYPE_CHECKING:
    import httpx

INSTALL: Final = "pip install 'chatmem[llm]'"
CONNECT_TIMEOUT_SECONDS: Final = 5.0
KEPT_SECONDS: Final = 60.0
"""A connection waits so long for the next request: people read and type between two."""
PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that another attempt may change; every other one is the server's last word."""
FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 20.0
LONGEST_REASON_CHARS: Final = 200
DONE: Final = "[DONE]"
MOST_BYTES: Final = 16 * 1024 * 1024
_QUOTED_CHARS: Final = 80
_SECONDS: Final = re.compile(r"\d{0,9}\.?\d{1,9}")
_SENDABLE: Final = re.compile(r"[!-~]+")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(eq=False)
class RequestFailure(Exception):
    """A request without an answer; `attempts` says how many there were, for the message's end."""

    reason: str
    may_pass: bool = True
    is_timeout: bool = False
    status: int | None = None
    wait_seconds: float | None = None
    attempts: str = ""


@dataclass
class OpenAIServer:
    """A server, asked over kept connections; may be used from several threads.

    Errors name `base_url` and `asked_for` (`model 'qwen3:4b'`), and never the key. The server may
    be silent for `timeout_seconds`.

    Raises:
        ProviderError: the client is not installed, or the address or the key cannot be used.
    """

    base_url: str
    api_key: str | None
    asked_for: str
    timeout_seconds: float
    _lock: Lock = field(default_factory=Lock, init=False)
    _client: Any = field(default=None, init=False)
    _host: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Check; nothing is sent or imported yet."""
        require_installed("httpx", needed_for=f"the {self.asked_for}", install=INSTALL)
        with suppress(ValueError):
            self._host = urlsplit(self.base_url).hostname
        if not self.base_url.startswith(("http://", "https://")) or not self._host:
            raise ProviderError(self.problem("the address must be http://... or https://..."))
        if self.api_key and not _SENDABLE.fullmatch(self.api_key):
            raise ProviderError(self.problem("the key holds characters that cannot be sent"))

    def post(self, path: str, body: Mapping[str, Any], *, stream: bool = False) -> "httpx.Response":
        """The answer to a successful request; with `stream`, unread, and to be closed.

        Raises:
            RequestFailure: no answer, or one with another status.
        """
        with self.failures() as library:
            client = self._connected(library)
            request = client.build_request("POST", path, json=dict(body))
            response: httpx.Response = client.send(request, stream=stream)
            if response.is_success:
                return response
            with closing(response):
                response.read()
        raise self._refusal(response)

    @contextmanager
    def failures(self) -> Iterator[ModuleType]:
        """Raises `RequestFailure` where a request, or reading its answer, goes wrong inside."""
        httpx = optional_module("httpx", needed_for="a model's server", install=INSTALL)
        try:
            yield httpx
        except httpx.RequestError as error:
            is_timeout = isinstance(error, httpx.TimeoutException)
            reason = f"no answer ({f'{type(error).__name__}: {error}'.rstrip(': ')})"
            if isinstance(error, httpx.ConnectTimeout):
                reason = f"no connection within {CONNECT_TIMEOUT_SECONDS:g} s"
            elif is_timeout:
                reason = f"no answer within {self.timeout_seconds:g} s"
            raise RequestFailure(reason, is_timeout=is_timeout) from error

    def problem(self, what: str) -> str:
        """The address, what it is asked for and what is wrong, without the key."""
        return f"{plain_address(self.base_url)}: {self.asked_for}: {self._without_key(what)}"

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connected(self, httpx: ModuleType) -> Any:  # noqa: ANN401 - an `httpx.Client`
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(
                    base_url=self.base_url,
                    headers={"Authorization": f"Bearer {self.api_key}"} if self.api_key else {},
                    timeout=httpx.Timeout(self.timeout_seconds, connect=CONNECT_TIMEOUT_SECONDS),
                    limits=httpx.Limits(keepalive_expiry=KEPT_SECONDS),
                    # A proxy cannot reach this machine's own servers.
                    trust_env=self._host not in _LOOPBACK,
                )
            return self._client

    def _refusal(self, response: "httpx.Response") -> RequestFailure:
        status, body = response.status_code, response.text
        with suppress(ValueError):
            body = json.loads(body)
        reason = reason_given(body)
        reason = self._without_key(f"status {status}" + (f": {reason}" if reason else ""))
        wait = response.headers.get("Retry-After", "")
        return RequestFailure(
            reason,
            may_pass=status in PASSING,
            status=status,
            wait_seconds=float(wait) if _SECONDS.fullmatch(wait) else None,
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self.api_key, "(key)") if self.api_key else text


@dataclass
class Attempts:
    """How often a request is tried; pauses grow, or are as long as the server asks.

    A server that asks for more than `LONGEST_PAUSE_SECONDS` is tried again after those where
    `is_stubborn`, and not at all otherwise.
    """

    most: int
    sleep: Callable[[float], None]
    is_stubborn: bool = False
    count: int = 1

    def another(self, failure: RequestFailure) -> bool:
        """True after the pause before another attempt; False where this failure is the last."""
        wait = failure.wait_seconds
        is_last = not failure.may_pass or self.count >= self.most
        if wait is None:
            # Clients that were refused together should not come back together.
            wait = FIRST_PAUSE_SECONDS * 2 ** (self.count - 1) * random.uniform(0.8, 1.2)
        elif wait > LONGEST_PAUSE_SECONDS and not (self.is_stubborn or is_last):
            failure.attempts += f"; it asks to wait {wait:g} s"
            is_last = True
        if not is_last:
            self.count += 1
            self.sleep(min(wait, LONGEST_PAUSE_SECONDS))
        elif self.count > 1:
            failure.attempts += f"; tried {self.count} times"
        return not is_last


def reason_given(body: object) -> str:
    """The server's own words, a `message` or what else stands there, on one line."""
    if isinstance(body, Mapping):
        error = body.get("error", body)
        body = error.get("message", error) if isinstance(error, Mapping) else error
    return " ".join(str(body or "").split())[:LONGEST_REASON_CHARS]


def plain_address(address: str) -> str:
    """The address without a name, a password or a query, which may be secret."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the configured address"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


class Usage(NamedTuple):
    """Tokens of one request, as the server counts them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for, or a part of it; parts of one index belong together.

    `arguments` is JSON text as the model wrote it.
    """

    id: str
    name: str
    arguments: str
    index: int = 0


class Delta(NamedTuple):
    """What one event adds to the answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None


def joined_calls(parts: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls that parts make, in the order of their indexes; each has an id."""
    calls: dict[int, ToolCall] = {}
    for part in sorted(parts, key=lambda part: part.index):
        known = calls.get(part.index, ToolCall("", "", "", part.index))
        arguments = known.arguments + part.arguments
        calls[part.index] = replace(
            known, id=known.id or part.id, name=known.name or part.name, arguments=arguments
        )
    return [replace(one, id=one.id or f"call_{index}") for index, one in calls.items()]


def deltas_of(chunks: Iterable[bytes], *, is_stream: bool) -> Iterator[Delta]:
    """What each event adds, to `[DONE]`; of a server that does not stream, one with everything.

    Of several choices the first is read.

    Raises:
        MalformedAnswerError: no JSON, not of OpenAI's form, or too long.
        ModelUnavailableError: the server reports an error.
    """
    if not is_stream:
        body = b"".join(chunks).decode("utf-8", "replace")
        found = _json(body)
        whole = _delta(found, "message")
        if not found.get("choices"):
            raise MalformedAnswerError(f"no choices in the answer: {body[:_QUOTED_CHARS]!r}")
        yield whole._replace(finish_reason=whole.finish_reason or "stop")
        return
    for line in _lines(chunks):
        if line.startswith("data:"):
            data = line.removeprefix("data:").strip()
            if data == DONE:
                yield Delta(finish_reason="stop")
                return
            yield _delta(_json(data), "delta")
        elif line.lstrip().startswith(("<", "{")):
            raise MalformedAnswerError(f"what came is no stream ({line[:_QUOTED_CHARS]!r})")


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines that end in a line feed: others of Unicode's line ends may stand in a text."""
    rest = b""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MOST_BYTES:
            raise MalformedAnswerError(f"the answer has more than {MOST_BYTES:,} bytes")
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace")


def _json(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise MalformedAnswerError(f"what came is no JSON ({text[:_QUOTED_CHARS]!r})") from error
    if not isinstance(found, Mapping):
        raise MalformedAnswerError(f"what came is no JSON object ({text[:_QUOTED_CHARS]!r})")
    if found.get("error"):
        raise ModelUnavailableError(f"the server tells of an error: {reason_given(found)}")
    return found


def _delta(found: Mapping[str, Any], part: str) -> Delta:
    try:
        choices = found.get("choices") or ()
        if part == "delta":
            choices = [one for one in choices if not one.get("index")]
        choice = choices[0] if choices else {}
        message = choice.get(part) or {}
        ending = choice.get("finish_reason")
        return Delta(
            text=_text(message.get("content")),
            calls=tuple(_calls(message)),
            finish_reason=str(ending) if ending else None,
            usage=_usage(found.get("usage")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MalformedAnswerError(
            f"what came is not of OpenAI's form ({type(error).__name__}: {error})"
        ) from error


def _text(content: object) -> str:
    """The text of a content: a string, or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise TypeError(f"content is {type(content).__name__}")
    return "".join(one.get("text") or "" for one in content)


def _calls(message: Mapping[str, Any]) -> Iterator[ToolCall]:
    for place, call in enumerate(message.get("tool_calls") or ()):
        function = call.get("function") or {}
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments, ensure_ascii=False)
        index = call.get("index")
        yield ToolCall(
            id=str(call.get("id") or ""),
            name=str(function.get("name") or ""),
            arguments=arguments,
            index=place if index is None else int(index),
        )


def _usage(found: object) -> Usage | None:
    if not isinstance(found, Mapping):
        return None
    counts = [found.get(name) for name in ("prompt_tokens", "completion_tokens")]
    whole = [count if isinstance(count, int) and count >= 0 else 0 for count in counts]
    return Usage(*whole) if any(whole) else None
