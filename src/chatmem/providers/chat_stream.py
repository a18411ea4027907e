"""A chat model behind OpenAI's `/chat/completions`, whose answer comes piece by piece.

Source: S4.3; decisions 7 (`httpx` to pass chat through untouched).
"""

import random
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from chatmem.errors import (
    AnswerCutError,
    ChatError,
    MalformedAnswerError,
    ModelTimeoutError,
    ModelUnavailableError,
    ProviderError,
)
from chatmem.providers.alarm import Alarm
from chatmem.providers.chat_deltas import (
    DONE,
    Delta,
    delta_of_completion,
    delta_of_event,
    lines_of,
)
from chatmem.providers.openai_answers import plain_address, reason_given, retry_after
from chatmem.providers.optional import optional_module

if TYPE_CHECKING:
    import httpx

PASSING: Final = frozenset({408, 429, 500, 502, 503, 504, 529})
"""Statuses that another attempt may change; every other one is the server's last word."""
FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 20.0
MOST_BYTES: Final = 16 * 1024 * 1024
_SENDABLE: Final = re.compile(r"[!-~]+")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long to wait for a server, in seconds, and how often to ask it."""

    connect_seconds: float = 5.0
    first_seconds: float = 120.0
    between_seconds: float = 60.0
    attempts: int = 3


@dataclass(slots=True)
class _Attempt:
    """How far an attempt came, and what the server wishes for the next one."""

    answered: bool = False
    wait_seconds: float | None = None
    may_pass: bool = False


@dataclass(slots=True)
class ChatEndpoint:
    """A model at an address (`http://127.0.0.1:11434/v1`), asked over kept connections.

    A failure that may pass (429, 5xx, no connection, one closed before a word) is tried again with
    growing pauses, or after the pause that the server asks for; once the answer has begun, nothing
    is. Parts of a request that a server does not know (`tools`, `stream_options`) are left out from
    then on. The key appears in no error.

    Raises:
        ProviderError: `httpx` is not installed, or the address or the key cannot be used.
    """

    name: str
    base_url: str
    api_key: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _httpx: Any = field(init=False, repr=False)
    _client: "httpx.Client" = field(init=False, repr=False)
    _refused: set[str] = field(default_factory=set, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare; nothing is sent yet."""
        self._httpx = optional_module(
            "httpx", needed_for=f"the model {self.name!r}", install="pip install 'chatmem[llm]'"
        )
        host = urlsplit(self.base_url).hostname
        if not host or not self.base_url.startswith(("http://", "https://")):
            raise ProviderError(self._told("the address must be http://... or https://..."))
        if self.api_key and not _SENDABLE.fullmatch(self.api_key):
            raise ProviderError(self._told("the key holds characters that cannot be sent"))
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        silence = max(self.limits.first_seconds, self.limits.between_seconds)
        self._client = self._httpx.Client(
            headers=headers,
            timeout=self._httpx.Timeout(silence, connect=self.limits.connect_seconds),
            trust_env=host not in _LOOPBACK,  # a proxy cannot reach this machine's own servers
        )

    def stream(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Generator[Delta, None, None]:
        """The answer's pieces, as they come; of a server that does not stream, one.

        Raises:
            ModelUnavailableError: no server, or it refuses, after all attempts.
            ModelTimeoutError: it is too slow.
            AnswerCutError: the answer has no end.
            MalformedAnswerError: what came is no answer.
        """
        body = {
            **(options or {}),
            "model": self.name,
            "messages": list(messages),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if tools:
            body["tools"] = list(tools)
        pause = FIRST_PAUSE_SECONDS
        tries = 0
        while True:
            tries += 1
            attempt = _Attempt()
            try:
                yield from self._attempt(body, attempt)
                return
            except ChatError as error:
                if self._adapted(body, error):
                    tries -= 1
                    continue
                wait = attempt.wait_seconds
                if not attempt.may_pass or attempt.answered or tries >= self.limits.attempts:
                    raise self._final(error, tries) from error.__cause__
                if wait is not None and wait > LONGEST_PAUSE_SECONDS:
                    raise self._final(error, tries, wait) from error.__cause__
                # Clients that were refused together should not come back together.
                self.sleep(wait if wait is not None else pause * random.uniform(0.8, 1.2))
                pause *= 2

    def close(self) -> None:
        """Close the connections that were kept open."""
        self._client.close()

    def _attempt(self, body: dict[str, Any], attempt: _Attempt) -> Iterator[Delta]:
        with self._lock:
            sent = {name: value for name, value in body.items() if name not in self._refused}
        request = self._client.build_request(
            "POST", f"{self.base_url.rstrip('/')}/chat/completions", json=sent
        )
        with self._explained(attempt):
            response: httpx.Response = self._client.send(request, stream=True)
        try:
            if not response.is_success:
                self._refuse(response, attempt)
            yield from self._read(response, attempt)
        finally:
            response.close()

    def _read(self, response: "httpx.Response", attempt: _Attempt) -> Iterator[Delta]:
        stream = response.extensions.get("network_stream")
        sock = stream.get_extra_info("socket") if stream is not None else None
        first, between = self.limits.first_seconds, self.limits.between_seconds
        ended = False
        with Alarm(sock, first, between) as alarm:
            try:
                for delta in self._deltas(response, attempt, alarm):
                    attempt.answered = attempt.answered or delta.says_something
                    if ended:  # the first reason is the model's, [DONE] is only the stream's
                        delta = replace(delta, finish_reason=None)
                    ended = ended or delta.finish_reason is not None
                    alarm.rest()  # what the reader does with it is not the server's silence
                    yield delta
                    alarm.listen(between if attempt.answered else first)
            except ChatError:
                if not ended:
                    raise  # else the answer is whole, and only its connection is not
        if not ended:
            attempt.may_pass = True
            raise AnswerCutError(self._told("the answer broke off before its end"))

    def _deltas(
        self, response: "httpx.Response", attempt: _Attempt, alarm: Alarm
    ) -> Iterator[Delta]:
        if "json" in response.headers.get("Content-Type", ""):
            with self._explained(attempt, alarm):
                text = response.read().decode("utf-8", "replace")
                delta = delta_of_completion(text)
            yield Delta(delta.text, delta.calls, delta.finish_reason or "stop", delta.usage)
            return
        lines = lines_of(response.iter_bytes(), MOST_BYTES, alarm.heard)
        while True:
            with self._explained(attempt, alarm):
                line = next(lines, None)
                if line is None:
                    if alarm.expired:
                        raise self._httpx.ReadTimeout("")
                    return
                if not line.startswith("data:"):
                    if line.lstrip().startswith(("<", "{")):
                        raise MalformedAnswerError(f"what came is no stream ({line[:80]!r})")
                    continue
                data = line.removeprefix("data:").strip()
                delta = Delta(finish_reason="stop") if data == DONE else delta_of_event(data)
            yield delta
            if data == DONE:
                return

    def _refuse(self, response: "httpx.Response", attempt: _Attempt) -> None:
        """Raises ModelUnavailableError with the server's own words, and what to do."""
        with self._explained(attempt):
            reason = reason_given(response.read().decode("utf-8", "replace"))
        status = response.status_code
        attempt.may_pass = status in PASSING
        attempt.wait_seconds = retry_after(response.headers.get("Retry-After"))
        told = f"status {status}" + (f": {reason}" if reason else "")
        raise ModelUnavailableError(self._told(f"{told}; {_advice(status)}"), status=status)

    @contextmanager
    def _explained(self, attempt: _Attempt, alarm: Alarm | None = None) -> Iterator[None]:
        """What goes wrong inside, as errors of ours."""
        httpx = self._httpx
        try:
            yield
        except (MalformedAnswerError, ModelUnavailableError) as error:
            if not str(error.problem).startswith(self._place()):
                error.problem = self._told(error.problem)
            raise
        except httpx.ConnectTimeout as error:
            raise self._late(self.limits.connect_seconds, "no connection") from error
        except httpx.RequestError as error:
            if isinstance(error, httpx.TimeoutException) or (alarm and alarm.expired):
                limit = alarm.limit_seconds if alarm else self.limits.first_seconds
                what = "nothing more came" if attempt.answered else "no answer"
                raise self._late(limit, what) from error
            attempt.may_pass = True
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            if attempt.answered:
                raise AnswerCutError(self._told(f"the answer broke off ({reason})")) from error
            raise ModelUnavailableError(
                self._told(
                    f"no answer ({reason}): does a server run there? llm.base_url "
                    "(CHATMEM_LLM_BASE_URL) says where"
                )
            ) from error

    def _late(self, seconds: float, what: str) -> ModelTimeoutError:
        return ModelTimeoutError(self._told(f"{what} within {seconds:g} s"))

    def _adapted(self, body: Mapping[str, Any], error: ChatError) -> bool:
        """True where the server refused a part of the request that can be left out."""
        if not isinstance(error, ModelUnavailableError) or error.status not in (400, 404, 422, 501):
            return False
        told = error.problem.lower()
        for name, word in (("stream_options", "stream_options"), ("tools", "tool")):
            if name in body and word in told and name not in self._refused:
                with self._lock:
                    self._refused.update({name, "tool_choice"} if name == "tools" else {name})
                return True
        return False

    def _final(self, error: ChatError, tries: int, wait: float | None = None) -> ChatError:
        if wait is not None:
            error.problem += f"; it asks to wait {wait:g} s"
        if tries > 1:
            error.problem += f"; tried {tries} times"
        return error

    def _place(self) -> str:
        return f"{plain_address(self.base_url)}: model {self.name!r}: "

    def _told(self, what: str) -> str:
        """The address, the model and what is wrong, without the key, which a server may repeat."""
        told = what.replace(self.api_key, "(key)") if self.api_key else what
        return self._place() + told


def _advice(status: int) -> str:
    if status in (401, 403):
        return "check the key: llm.api_key (CHATMEM_LLM_API_KEY)"
    if status == 404:
        return "check llm.model and llm.base_url, which ends in /v1 for most servers"
    if status in PASSING:
        return "the server cannot answer now"
    return "check llm.model and llm.base_url"
