"""The model that the settings name.

Source: interfaces.md, "Settings".
"""

from threading import Lock
from typing import Final

from chatmem.config import Settings
from chatmem.errors import NoModelError
from chatmem.providers.chat_model import ChatEndpoint

HOW_TO_CONFIGURE: Final = (
    "set CHATMEM_LLM_BASE_URL (an OpenAI-compatible address, such as http://127.0.0.1:11434/v1 "
    "for Ollama), CHATMEM_LLM_MODEL and, where the server wants one, CHATMEM_LLM_API_KEY; or the "
    "same under [llm] in chatmem.toml"
)


class ConfiguredModel:
    """The endpoint of `[llm]`, made when it is first asked for, with its kept connections."""

    def __init__(self) -> None:
        self._endpoint: ChatEndpoint | None = None
        self._named: tuple[str, str, str | None] | None = None
        self._lock = Lock()

    def of(self, settings: Settings) -> ChatEndpoint:
        """The endpoint that these settings name.

        Raises:
            NoModelError: none; says how to configure one.
            ProviderError: `httpx` is not installed, or the address or the key cannot be used.
        """
        llm = settings.llm
        if llm.model is None or llm.base_url is None:
            lacking = "no model" if llm.model is None else "no address for the model"
            raise NoModelError(f"{lacking} is configured: {HOW_TO_CONFIGURE}")
        named = (llm.model, llm.base_url, llm.api_key.get_secret_value() if llm.api_key else None)
        with self._lock:
            if self._endpoint is None or self._named != named:
                self._endpoint, self._named = ChatEndpoint(*named), named
            return self._endpoint

    def close(self) -> None:
        """Close the connections; the next question opens new ones."""
        with self._lock:
            if self._endpoint is not None:
                self._endpoint.close()
            self._endpoint = None
