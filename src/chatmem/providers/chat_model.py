"""A chat model behind OpenAI's `/chat/completions`: an answer in pieces, in words or in a shape.

Source: S4.3; decisions 4 (a typed, validated answer and a retry) and 7.
"""

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from chatmem import errors
from chatmem.providers.openai_client import (
    PASSING,
    Attempts,
    Delta,
    OpenAIServer,
    RequestFailure,
    deltas_of,
)
from chatmem.text.thoughts import without_thoughts

BACKGROUND_SECONDS: Final = 60.0
"""The silence that jobs put up with, in one attempt: they are tried again as a whole."""
MOST_ANSWERS: Final = 2
LONGEST_REASON_CHARS: Final = 200
_OPTIONAL: Final = frozenset({"stream_options", "tools", "response_format"})
"""Parts of a request that not every server knows."""
_AS_JSON: Final = """\
{}

Always respond with a JSON object that's compatible with this schema:

{}

Don't include any text or Markdown fencing before or after."""
_AGAIN: Final = "Your answer cannot be used: {}. Answer again, with nothing but the answer."

Answer = TypeVar("Answer")
Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(slots=True)
class ChatEndpoint:
    """A model at an address (`http://127.0.0.1:11434/v1`); thread-safe.

    It may be silent for `silence_seconds`. A failure that may pass (429, 5xx, no connection, one
    closed before a word) is tried again, up to `attempts` in all, until the answer has begun. Parts
    of a request that a server does not know are left out from then on. The key appears in no error.

    Raises:
        ProviderError: the client is not installed, or the address or the key cannot be used.
    """

    name: str
    base_url: str
    api_key: str | None = field(default=None, repr=False)
    silence_seconds: float = 120.0
    attempts: int = 3
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _server: OpenAIServer = field(init=False, repr=False)
    _refused: frozenset[str] = field(default=frozenset(), init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare; nothing is sent or imported yet."""
        self._server = OpenAIServer(
            self.base_url, self.api_key, f"model {self.name!r}", self.silence_seconds
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
        yield from self._answered(body)

    def complete(self, system: str, user: str) -> str:
        """The answer in words; asked for once more where it is empty.

        Raises:
            ProviderError: no answer.
        """
        return self._ask(system, user, {}, _not_empty)

    def extract(self, system: str, user: str, shape: type[Shape]) -> Shape:
        """The answer as `shape`; asked for once more where it does not fit.

        The shape stands in the instructions and not in a tool: small models on local servers
        follow those, and know no tools.

        Raises:
            ProviderError: no answer, or none that fits.
        """

        def read(text: str) -> Shape:
            found = text[text.find("{") : text.rfind("}") + 1]  # without a fence, or words around
            return shape.model_validate_json(found or text)

        schema = json.dumps(shape.model_json_schema(), ensure_ascii=False)
        options = {"response_format": {"type": "json_object"}}
        return self._ask(_AS_JSON.format(system, schema), user, options, read)

    def close(self) -> None:
        """Close the connections that were kept open."""
        self._server.close()

    def _ask(
        self, system: str, user: str, options: Mapping[str, Any], read: Callable[[str], Answer]
    ) -> Answer:
        """What `read` makes of the answer, or of a second one where it raises ValueError."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        problem = ""
        for _ in range(MOST_ANSWERS):
            body = {**options, "model": self.name, "messages": messages}
            try:
                answer = without_thoughts("".join(one.text for one in self._answered(body)))
            except errors.ChatError as error:
                raise errors.ProviderError(error.problem) from error
            try:
                return read(answer)
            except ValueError as error:
                problem = _problem(error)
            messages.append({"role": "assistant", "content": answer})
            messages.append({"role": "user", "content": _AGAIN.format(problem)})
        problem = (
            f"its answer cannot be used ({problem}), asked {MOST_ANSWERS} times: choose a model "
            "that can answer in JSON (llm.model)"
        )
        raise errors.ProviderError(self._server.problem(problem))

    def _answered(self, body: Mapping[str, Any]) -> Iterator[Delta]:
        """The answer's pieces, of as many attempts as it takes; raises what `stream` does."""
        attempts = Attempts(self.attempts, self.sleep)
        while True:
            has_begun = False
            try:
                for delta in self._deltas(body):
                    has_begun = has_begun or bool(delta.text or delta.calls)
                    yield delta
                return
            except RequestFailure as failure:
                if self._leaves_out(body, failure):
                    continue
                error = self._error(failure, has_begun)
                failure.may_pass = failure.may_pass and not (has_begun or failure.is_timeout)
                if not attempts.another(failure):
                    error.problem += failure.attempts
                    raise error from failure
            except (errors.MalformedAnswerError, errors.ModelUnavailableError) as error:
                error.problem = self._server.problem(error.problem)
                raise

    def _deltas(self, body: Mapping[str, Any]) -> Iterator[Delta]:
        """The pieces of one attempt.

        The client's own reader cannot tell `[DONE]` from a connection that ends.
        """
        sent = {name: value for name, value in body.items() if name not in self._refused}
        has_ended = False
        with closing(self._server.post("/chat/completions", sent, stream=True)) as response:
            is_stream = "json" not in response.headers.get("Content-Type", "")
            try:
                with self._server.failures():
                    for delta in deltas_of(response.iter_bytes(), is_stream=is_stream):
                        # The first reason is the model's, [DONE] is only the stream's.
                        yield delta._replace(finish_reason=None) if has_ended else delta
                        has_ended = has_ended or delta.finish_reason is not None
            except (errors.ChatError, RequestFailure):
                if not has_ended:
                    raise  # else the answer is whole, and only its connection is not
        if not has_ended:
            raise RequestFailure("no answer with an end")

    def _leaves_out(self, body: Mapping[str, Any], failure: RequestFailure) -> bool:
        """True where the server refused a part of the request that can be left out."""
        if failure.status not in (400, 404, 422, 501):
            return False
        for name in (_OPTIONAL & set(body)) - self._refused:
            if name.removesuffix("s") in failure.reason.lower():
                self._refused |= {name, "tool_choice"} if name == "tools" else {name}
                return True
        return False

    def _error(self, failure: RequestFailure, has_begun: bool) -> errors.ChatError:
        reason = failure.reason
        if has_begun:
            how = "nothing more came" if failure.is_timeout else "the answer broke off:"
            reason = reason.replace("no answer", how, 1)
        elif failure.status is not None:
            reason += f"; {_advice(failure.status)}"
        elif not failure.is_timeout:
            reason += ": does a server run there? llm.base_url (CHATMEM_LLM_BASE_URL) says where"
        problem = self._server.problem(reason)
        if failure.is_timeout:
            return errors.ModelTimeoutError(problem)
        if has_begun:
            return errors.AnswerCutError(problem)
        return errors.ModelUnavailableError(problem, status=failure.status)


def _advice(status: int) -> str:
    if status in (401, 403):
        return "check the key: llm.api_key (CHATMEM_LLM_API_KEY)"
    if status == 404:
        return "check llm.model and llm.base_url, which ends in /v1 for most servers"
    if status in PASSING or status >= 500:
        return "the server cannot answer now, try again later"
    return "check llm.model and llm.base_url"


def _not_empty(text: str) -> str:
    if not text.strip():
        raise ValueError("it is empty")
    return text


def _problem(error: ValueError) -> str:
    """What is wrong with an answer, on one line, cut."""
    problem = str(error)
    if isinstance(error, ValidationError):
        found = error.errors(include_url=False, include_context=False, include_input=False)
        problem = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)
    return " ".join(problem.split())[:LONGEST_REASON_CHARS]
