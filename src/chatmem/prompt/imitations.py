"""Text that imitates what a prompt is built of, made harmless and left readable.

Brackets become round, a role's colon a dash, a line of hyphens a line of dashes; everything else
stays as it was. Texts are compared folded (NFKC, lower case, without what cannot be seen), so that
a disguise does not help. Source: decisions 5; lessons.md, "stored text acts as instructions".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from chatmem.text.clean import printable

MEMORY_FENCE: Final = "memory"
DOCUMENT_FENCE: Final = "document"
"""The tags of the fences that a prompt has (`fence.py`)."""
_ROUNDS = 20
"""More than there can be: a change opens the way to at most one other kind."""
_SLASH = r"[\s/\\∕⁄⧸]*"
# Names as they are folded: lower case, Simplified and Traditional.
_PEOPLE = (
    "system|user|assistant|human|developer|tool|chatgpt|"
    "系统|系統|用户|用戶|使用者|助手|助理|人类|人類|开发者|開發者|工具"
)
_ADDED = (
    r"(?:\s*(?:prompts?|messages?|instructions?|notes?|override|"
    r"提示词?|提示詞|消息|訊息|讯息|指令))?"
)
_TAGS = (
    rf"(?:{MEMORY_FENCE}|memories|{DOCUMENT_FENCE}|documents|system|user|assistant|human|developer|tool|tool_\w+|"
    r"function_\w+|system_\w+|instructions?|inst|sys|s|bos|eos|start_of_turn|end_of_turn|"
    r"记忆|記憶|系统|系統|用户|用戶|助手|文档|文檔)"
)
_SECTIONS = rf"(?:{_PEOPLE}|memory|rag|inst|tool\s*instr|记忆|記憶|检索|檢索|工具说明|工具說明)"

# Every pattern of the first kind begins with one of these characters, which makes the search fast.
_BRACKETED = re.compile(
    # <memory source="x">, </ system>, <s>, <<SYS>>
    rf"(?P<tag><{_SLASH}{_TAGS}(?![\w-])(?:[^<>\n]{{0,200}}>)?)"
    # <|im_start|>, and the beginnings of such tokens
    r"|(?P<token><\s*\|(?:[^<>|\n]{0,60}\|\s*>|\s*(?:im_|end|start|eot|begin|fim|"
    rf"{_PEOPLE})))"
    # [SYSTEM], 【系统】, [/INST], [System message: ...
    rf"|(?P<mark>[\[【〔〖⟦]{_SLASH}{_SECTIONS}{_ADDED}\s*(?:[\]】〕〗⟧]|(?=:)))"
    r"|(?P<call>\[\s*\[[\s/]*(?:end[\s_-]*)?abp[\s_-]*tool[^\[\]\n]{0,80}(?:\]\s*\]?)?)"
    r"|(?P<fence>(?:(?<!`)`{3,}+|(?<!~)~{3,}+)\s*abp(?!\w))"
)
_BRACKETED_HINT = re.compile(r"[<\[【〔〖⟦`~]")
_EDGE = r"(?:^|(?<=\n))[^\S\n]*"
_DECORATION = r"(?:[^\S\n]|[>*_#\"'“”‘’「『(（•·+-])"
# Each part takes all that it can and gives nothing back: a line of spaces would take for ever.
_ROLE = re.compile(
    rf"(?<!{_DECORATION}){_DECORATION}*+(?:{_PEOPLE}|ai assistant){_ADDED}"
    rf"[^\S\n]*+[*_\"'“”’」』)）]*+[^\S\n]*+(?P<colon>[:∶꞉])"
)
_ROLE_HINT = re.compile(rf"(?:{_PEOPLE})[^:∶꞉\n]{{0,40}}[:∶꞉]")
_HEADING = re.compile(
    rf"{_EDGE}(?P<hashes>#{{1,6}})[^\S\n]*[*_]*"
    r"(?:instructions?|response|input|指令|指示|回应|回應)[*_]*[^\S\n]*:?[^\S\n]*(?=\n|\Z)"
)
_RULE = re.compile(r"(?:^|(?<=\n))[^\S\n]*(?P<rule>-{3,})[^\S\n]*(?=\n|\Z)")

_COLONS = ":∶꞉"
_COLON_HINT = re.compile(f"[{_COLONS}]")
_DASHED = dict.fromkeys(_COLONS, " –")
_RULED = {"-": "–"}
_BARE = {"#": ""}
_ROUND = {**dict.fromkeys("<[【〔〖⟦", "("), **dict.fromkeys(">]】〕〗⟧", ")"), "`": "'", "~": "'"}

_ODD = "\x00"
"""Stands for a character that becomes none or several; texts come without control characters."""
# What shows nothing and is no format character by its category.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_DIRTY = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)
# Overrides and embeddings, which turn what is read into something else than what is written, and
# unseen letters, but for a flag, where up to six of them and an end follow its black one.
_UNSEEN = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f)"
    "|[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]"
)


def neutralise(text: str) -> str:
    """The text with every imitation of our delimiters, of roles and of tool calls made harmless.

    Control characters, direction overrides and unseen letters go. Other text comes back as it is.
    Idempotent.
    """
    current = _printable(text)
    for _ in range(_ROUNDS):
        view, origins = _fold(current)
        changes = {origins[position]: new for position, new in _changes(view)}
        if not changes:
            break
        current = "".join(changes.get(place, old) for place, old in enumerate(current))
    return current


def _changes(view: str) -> Iterator[tuple[int, str]]:
    """Positions in a folded text, and what comes to stand there."""
    if _BRACKETED_HINT.search(view):
        yield from _replaced(_BRACKETED.finditer(view), 0, _ROUND)
    if _COLON_HINT.search(view):
        yield from _replaced(_role_marks(view), "colon", _DASHED)
    if "#" in view:
        yield from _replaced(_HEADING.finditer(view), "hashes", _BARE)
    if "---" in view:
        yield from _replaced(_RULE.finditer(view), "rule", _RULED)


def _replaced(
    matches: Iterable[re.Match[str]], group: int | str, into: Mapping[str, str]
) -> Iterator[tuple[int, str]]:
    for match in matches:
        for position, character in enumerate(match[group], match.start(group)):
            if character in into:
                yield position, into[character]


def _role_marks(view: str) -> Iterator[re.Match[str]]:
    """Roles at the beginning of a line; only lines that name one are looked at closely."""
    end = 0
    for hint in _ROLE_HINT.finditer(view):
        if hint.start() < end:
            continue
        start = view.rfind("\n", 0, hint.start()) + 1
        end = view.find("\n", hint.start())
        end = len(view) if end == -1 else end
        if match := _ROLE.match(view, start, end):
            yield match


def _printable(text: str) -> str:
    """The text without control characters, direction overrides and unseen letters; idempotent."""
    if _DIRTY.search(text) is None:
        return text
    return _UNSEEN.sub(lambda match: match[1] or "", printable(text))


def _fold(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and where each of its characters stands in the text itself."""
    view = text.lower() if text.isascii() else text.translate(_FOLDS)
    if _ODD not in view:
        return view, range(len(text))
    pieces = [_visible(old) if new == _ODD else new for old, new in zip(text, view, strict=True)]
    origins = [place for place, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), origins


def _visible(character: str) -> str:
    if character in "\n\t":
        return character
    unseen = unicodedata.category(character) in ("Cf", "Cc") or character in _BLANKS
    if unseen or _SELECTORS.match(character):
        return ""
    folded = unicodedata.normalize("NFKC", character).casefold()
    return unicodedata.normalize("NFKC", folded)


class _Folds(dict[int, str]):
    """A character's folded one, or the odd mark; found when it is first met."""

    def __missing__(self, code: int) -> str:
        visible = _visible(chr(code))
        self[code] = visible if len(visible) == 1 else _ODD
        return self[code]


_FOLDS = _Folds()
