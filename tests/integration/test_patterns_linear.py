"""Every pattern of the package takes time in proportion to its text, whatever the text repeats.

A message is anybody's: one that makes a pattern try everything twice over holds up a server.
"""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import chatmem

CHARS = 20_000
MOST_CPU_S = 0.05
"""For a text of that length, the best of `TIMES`; what is linear takes a tenth of it."""
TIMES = 3
SHORTER = 5
MOST_SHORT_CPU_S = MOST_CPU_S / SHORTER**3
"""For a text so much shorter: a pattern that takes no longer is fast enough on the long one too,
unless its time grows faster than the third power of the length."""

REPEATED = [
    *("a", "A", "1", " ", "\t", "\n", "-", "_", ".", ":", '"', "'", "*", "#", "?", "[", "<"),
    *("(", "{", "\u3000", "我", "的，", "密码", "请", "。", "“", "《", "一", "我是", "不"),
    *("从", "三月五日", "五点", "a@", "a.", "1 ", "1-", "1.", "1:", "a ", "Aa ", "a-", "a'"),
    *("1a", "a1 ", "[[", "[a](", "<!--", "<a ", "\n- ", "\n1. ", " \n", "\n> ", "```\n", "**a"),
    *("|a", "http://", "://a:", "?a=1&", "a/", "a=", "a: ", "pass", "password is "),
    *("my password ", "PIN ", "I am ", "is my ", "the ", "to a ", "please ", "sk-"),
    *("-----BEGIN ", "AA11", "curl -u ", "{{", "${", "(((", '"a" ', "12:30 ", "2025-"),
    *("\nuser: ", "<memory>", "[USER]\n", "[[ABP_TOOL:", "```abp ", "\\", "&amp;", "%20", "a_"),
    *("🙂", "e\u0301", "Ａ", "\u200b", "a@" * 3 + ".", "my ", "一二", "1,", "(a", "[1](", "*a* "),
]  # fmt: skip
"""What hostile texts repeat."""
LEAST_REPEATED = 60
CALLS = ("compile", "sub", "subn", "search", "match", "fullmatch", "findall", "finditer", "split")


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(chatmem.__path__, "chatmem."):
        if found.name.endswith("__main__"):
            continue
        try:
            yield importlib.import_module(found.name)
        except ImportError as error:
            # Another extension that is not installed here; ours are always there.
            if (error.name or "chatmem").startswith("chatmem"):
                raise


def _parts(value: object) -> Iterable[object]:
    """What a value is made of, where that may have patterns in it."""
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    if isinstance(value, (tuple, list, set, frozenset)):
        return value
    if inspect.isclass(value):
        return vars(value).values() if value.__module__.startswith("chatmem.") else ()
    if dataclasses.is_dataclass(value):
        return [getattr(value, field.name, None) for field in dataclasses.fields(value)]
    return ()


def _within(value: Any, seen: set[int]) -> Iterator[re.Pattern[str]]:  # noqa: ANN401
    """The patterns in a value, however deep."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if type(value).__name__ in ("Pattern", "Expression") and isinstance(value.pattern, str):
        yield re.compile(value.pattern, value.flags)
    for one in _parts(value):
        yield from _within(one, seen)


def _made_when_called(module: ModuleType, seen: set[int]) -> Iterator[re.Pattern[str]]:
    """What functions without parameters make once, and keep."""
    for made in vars(module).values():
        function = inspect.unwrap(made) if hasattr(made, "cache_info") else None
        if not inspect.isfunction(function) or function.__module__ != module.__name__:
            continue
        signature = inspect.signature(function)
        if not signature.parameters and "Pattern" in str(signature.return_annotation):
            yield from _within(made(), seen)


def _written_in_place(module: ModuleType) -> Iterator[re.Pattern[str]]:
    """What stands as a literal in a call: `re.sub(r"...", ...)`."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and (node.func.value.id, node.func.attr in CALLS) == ("re", True)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            flags = "".join(ast.unparse(one.value) for one in node.keywords if one.arg == "flags")
            with_flags = flags or " ".join(ast.unparse(one) for one in node.args[1:])
            named = re.findall(r"re\.([A-Z]+)", with_flags)
            yield re.compile(node.args[0].value, sum({getattr(re, one) for one in named}))


@cache
def _patterns() -> dict[re.Pattern[str], str]:
    """Every pattern of the package, and the module that has it."""
    found: dict[re.Pattern[str], str] = {}
    for module in _modules():
        seen: set[int] = set()
        for one in (
            *_within(vars(module), seen),
            *_made_when_called(module, seen),
            *_written_in_place(module),
        ):
            found.setdefault(one, module.__name__)
    return found


@cache
def _text(one: str, chars: int) -> str:
    """It is repeated to the length, and then comes an end that no repetition leads to."""
    return (one * (chars // len(one) + 1))[:chars] + "\x00!"


def _cpu_s(pattern: re.Pattern[str], text: str) -> float:
    """Processor time of going through the whole text: what a search, a split or a sub does."""
    started = time.thread_time()
    for _ in pattern.finditer(text):
        pass
    return time.thread_time() - started


def test_the_patterns_are_found_wherever_they_are_kept() -> None:
    assert len(_patterns()) > 100
    valued = {module for one, module in _patterns().items() if "(?P<value>" in one.pattern}
    assert "chatmem.extraction.redact" in valued  # which makes them at the first text


def _own(pattern: re.Pattern[str]) -> list[str]:
    """What a pattern looks for itself: its own words, repeated, would lead it furthest."""
    words = re.findall(r"[^\W\d_]{2,}|[@:/<#*`-]{1,}", pattern.pattern)[:4]
    return [*words, " ".join(words)] if words else []


def _is_slow(pattern: re.Pattern[str], one: str) -> bool:
    """Whether it takes too long over a text of repetitions, each of `TIMES`: machines are noisy."""
    return _cpu_s(pattern, _text(one, CHARS // SHORTER)) > MOST_SHORT_CPU_S and all(
        _cpu_s(pattern, _text(one, CHARS)) > MOST_CPU_S for _ in range(TIMES)
    )


def test_every_pattern_is_linear() -> None:
    assert len(set(REPEATED)) == len(REPEATED) >= LEAST_REPEATED
    slow = [
        f"{module} over {one!r}, repeated: {pattern.pattern}"
        for pattern, module in _patterns().items()
        for one in (*REPEATED, *_own(pattern))
        if _is_slow(pattern, one)
    ]

    assert slow == []


@pytest.mark.parametrize(("pattern", "text"), [(r"\s+$", " x"), (r"\w+@", "a"), (r"(a+)+b", "a")])
def test_one_that_is_not_is_caught(pattern: str, text: str) -> None:
    hostile = (text[:1] * 24 if "+)+" in pattern else text[:1] * CHARS) + text[1:]

    assert _cpu_s(re.compile(pattern), hostile) > MOST_CPU_S
