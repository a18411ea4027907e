"""How tools are offered to a model, and which of them the caller runs itself.

Source: S4.3; S5.7; decisions 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """How tools are offered, and how often they are run for one message.

    `form` says whether tools are told by the API (`native`), in the prompt (`abp`), or both ways.
    Calls of either form are understood in any case.
    """

    form: Literal["both", "native", "abp"] = "both"
    max_rounds: int = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientTools:
    """Tools that the caller runs itself, as a client of OpenAI's API does.

    `tools` are in OpenAI's form. When the model calls one of them the turn stops: the reply's
    `tool_calls` has the calls, and nothing is saved yet. The caller then sends the same message
    again, with the model's calls and their results, in OpenAI's form, as `following`.
    """

    tools: Sequence[Mapping[str, Any]] = ()
    following: Sequence[Mapping[str, Any]] = ()

    @property
    def names(self) -> frozenset[str]:
        """What the tools are called."""
        functions = (tool.get("function") or {} for tool in self.tools)
        return frozenset(str(function.get("name")) for function in functions)
