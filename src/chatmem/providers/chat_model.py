"""Any model behind OpenAI's `/chat/completions`: OpenAI's own, Ollama, vLLM, LM Studio, llama.cpp.

Source: decisions 7.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeVar

from chatmem.errors import ProviderError
from chatmem.providers.openai_answers import plain_address
from chatmem.providers.optional import optional_module, require_installed
from chatmem.providers.ports import Shape

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai import Agent

INSTALL: Final = "pip install 'chatmem[llm]'"
CONNECT_TIMEOUT_SECONDS: Final = 5.0
ATTEMPTS_AT_A_SHAPE: Final = 2
LONGEST_REASON_CHARS: Final = 200
_NO_KEY: Final = "none"
"""The client insists on a key; a server without one takes any."""

Answer = TypeVar("Answer")


class OpenAICompatibleChatModel:
    """A model behind an address, by pydantic-ai, which is imported with the first question.

    Every call opens its own connection in its own event loop, so it works from any thread, one
    that runs a loop included, and leaves nothing open. Nothing is tried again but an answer of the
    wrong shape: jobs that need a model are tried again as a whole.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        timeout_seconds: float = 60.0,
    ) -> None:
        """Prepares; nothing is sent or imported yet.

        Args:
            model: the model's name, as the server knows it.
            base_url: up to and without `/chat/completions`: `http://127.0.0.1:11434/v1`.
            api_key: sent as a bearer token; appears in no error.
            timeout_seconds: for a call as a whole, its second attempt included.

        Raises:
            ProviderError: `pydantic-ai-slim[openai]` is not installed.
        """
        for package in ("pydantic_ai", "openai"):
            require_installed(package, needed_for=f"the model {model!r}", install=INSTALL)
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        return self._model

    def complete(self, system: str, user: str) -> str:
        """The model's answer in words. Raises ProviderError where there is none."""
        answer: str = self._ask(system, user, lambda: str)
        return answer

    def extract(self, system: str, user: str, shape: type[Shape]) -> Shape:
        """The model's answer as `shape`, asked for once more where it does not fit.

        The shape stands in the instructions and not in a tool: small models on local servers
        follow those, and know no tools.

        Raises:
            ProviderError: no answer, or none that fits.
        """

        def prompted() -> Any:  # noqa: ANN401 - a marker class, generic over what it marks
            return self._package("pydantic_ai").PromptedOutput(shape)

        answer: Shape = self._ask(system, user, prompted)
        return answer

    def _ask(self, system: str, user: str, output: Callable[[], Any]) -> Any:  # noqa: ANN401
        errors = self._package("pydantic_ai.exceptions")
        openai = self._package("openai")
        try:
            return _run(self._answer(system, user, output()))
        except TimeoutError as error:
            raise self._error(
                f"no answer within {self._timeout_seconds:g} s: is it still loading? Try again"
            ) from error
        except errors.ModelHTTPError as error:
            raise self._error(_by_status(error.status_code, error.body)) from error
        except errors.UnexpectedModelBehavior as error:
            raise self._error(
                f"its answer cannot be used ({_line(error)}), asked {ATTEMPTS_AT_A_SHAPE} times: "
                "choose a model that can answer in JSON (llm.model)"
            ) from error
        except (errors.AgentRunError, errors.UserError, openai.OpenAIError) as error:
            raise self._error(
                f"no answer ({_line(error.__cause__ or error)}): does a server run at "
                "llm.base_url (CHATMEM_LLM_BASE_URL)?"
            ) from error

    async def _answer(self, system: str, user: str, output: Any) -> Any:  # noqa: ANN401
        async with asyncio.timeout(self._timeout_seconds), self._client() as client:
            agent = self._agent(client, system, output)
            return (await agent.run(user)).output

    def _agent(self, client: "AsyncOpenAI", system: str, output: Any) -> "Agent[Any, Any]":  # noqa: ANN401
        ai = self._package("pydantic_ai")
        provider = self._package("pydantic_ai.providers.openai").OpenAIProvider(
            openai_client=client
        )
        model = self._package("pydantic_ai.models.openai").OpenAIChatModel(
            self._model, provider=provider
        )
        spoken = self._package("chatmem.providers.spoken_model").SpokenModel
        agent: Agent[Any, Any] = ai.Agent(
            spoken(model),
            name="chatmem",
            output_type=output,
            instructions=system,
            retries=ATTEMPTS_AT_A_SHAPE - 1,
        )
        return agent

    def _client(self) -> "AsyncOpenAI":
        openai = self._package("openai")
        timeout = openai.Timeout(self._timeout_seconds, connect=CONNECT_TIMEOUT_SECONDS)
        client: AsyncOpenAI = openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or _NO_KEY,
            timeout=timeout,
            max_retries=0,
        )
        # Taken from the environment, and meant for another server than this one, maybe.
        client.organization = client.project = None
        return client

    def _package(self, name: str) -> Any:  # noqa: ANN401 - modules that may not be there
        return optional_module(name, needed_for=f"the model {self._model!r}", install=INSTALL)

    def _error(self, what: str) -> ProviderError:
        """The address, the model and what is wrong, without the key: a server may repeat it."""
        told = what.replace(self._api_key, "(key)") if self._api_key else what
        return ProviderError(f"{plain_address(self._base_url)}: model {self._model!r}: {told}")


def _run(work: Coroutine[Any, Any, Answer]) -> Answer:
    """The coroutine's result, from a thread with a running loop or without one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    results: list[Answer] = []
    failures: list[BaseException] = []

    def call() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            failures.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(call,))
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


def _by_status(status: int, body: object) -> str:
    """The status, the server's reason, and what to do about it."""
    reason = body.get("message", body) if isinstance(body, dict) else body
    told = f"status {status}" + (f": {_line(reason)}" if reason else "")
    if status in (401, 403):
        return f"{told}; check llm.api_key (CHATMEM_LLM_API_KEY)"
    if status == 404:
        return f"{told}; check llm.model and llm.base_url, which ends in /v1 for most servers"
    if status == 429 or status >= 500:
        return f"{told}; the server cannot answer now, try again later"
    return f"{told}; check llm.model and llm.base_url"


def _line(what: object) -> str:
    """The words on one line, cut."""
    text = " ".join(str(what).split()) or type(what).__name__
    return text[:LONGEST_REASON_CHARS]
