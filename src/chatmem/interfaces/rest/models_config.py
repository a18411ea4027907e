"""The settings over the wire, by the names that the interface has for them.

Source: S5.8.3; interfaces.md (`/api/memory/config`).
"""

from collections.abc import Mapping
from typing import Any, Final, Self

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from chatmem.interfaces.rest.models import Answer, Body, without_default

_TABLE: Final = "memory."
_EXAMPLE: Final[dict[str, Any]] = {
    "enabled": True,
    "autoExtract": True,
    "flushThreshold": 0.75,
    "extractIntervalSeconds": 60.0,
    "minNewMessages": 4,
    "ragTopN": 5,
    "enableAgenticSearch": False,
    "enableUserProfile": True,
    "atomicContentMaxLength": 1000,
    "sessionSummaryLimit": 5,
    "contextLimit": 20,
    "retrievalLimit": 5,
    "evictionThreshold": None,
}


class Config(Answer):
    """The settings in force."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        serialize_by_alias=True,
        validate_by_name=True,
        json_schema_extra={"examples": [_EXAMPLE]},
    )

    enabled: bool = Field(description="Memory as a whole.")
    auto_extract: bool = Field(description="Remember by itself, from finished turns.")
    flush_threshold: float
    extract_interval_seconds: float
    min_new_messages: int
    rag_top_n: int
    enable_agentic_search: bool
    enable_user_profile: bool
    atomic_content_max_length: int
    session_summary_limit: int
    context_limit: int
    retrieval_limit: int
    eviction_threshold: int | None

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Self:
        """Those of the settings that are told here; they come by dotted name."""
        return cls.model_validate({name: settings[_TABLE + name] for name in cls.model_fields})


class ConfigChanges(Body):
    """Settings to store with the data: any subset."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        json_schema_extra={"examples": [{"autoExtract": False, "ragTopN": 8}]},
    )

    enabled: bool = Field(True, json_schema_extra=without_default)
    auto_extract: bool = Field(True, json_schema_extra=without_default)
    flush_threshold: float = Field(0.75, gt=0, le=1, json_schema_extra=without_default)
    extract_interval_seconds: float = Field(
        60, ge=0, le=31_536_000, json_schema_extra=without_default
    )
    min_new_messages: int = Field(4, ge=1, le=1_000_000, json_schema_extra=without_default)
    rag_top_n: int = Field(5, ge=1, le=1_000, json_schema_extra=without_default)
    enable_agentic_search: bool = Field(False, json_schema_extra=without_default)
    enable_user_profile: bool = Field(True, json_schema_extra=without_default)
    atomic_content_max_length: int = Field(
        1_000, ge=50, le=1_000_000, json_schema_extra=without_default
    )
    session_summary_limit: int = Field(5, ge=0, le=1_000, json_schema_extra=without_default)
    context_limit: int = Field(20, ge=2, le=998, json_schema_extra=without_default)
    retrieval_limit: int = Field(5, ge=1, le=1_000, json_schema_extra=without_default)
    eviction_threshold: int | None = Field(
        None, ge=1, le=1 << 53, json_schema_extra=without_default
    )

    def by_name(self) -> dict[str, object]:
        """What was given, by dotted name."""
        given = self.model_dump(exclude_unset=True)
        return {_TABLE + name: value for name, value in given.items()}
