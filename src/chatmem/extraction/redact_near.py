"""Secrets that stand near their label and not beside it: "I changed my password. It's now ...".

The further away the label, the more a value has to look like a secret: classes of characters mixed
as in no date, unit or version. And something has to say it: an `is` or a colon, with nothing but
function words between that and the value.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chatmem.extraction.redact_shapes import Span, is_placeholder
from chatmem.text.languages import DEFAULT
from chatmem.text.wordlist import listed

MEASURED: Final = re.compile(
    r"\s{0,3}(?:[个個位次秒分天年月日版届屆期款块塊元页頁集寸号號字條条門门種种人家台层层%]|digits?\b"
    r"|characters?\b|chars?\b|times\b|days\b|minutes?\b|seconds?\b|users?\b|years?\b)",
    re.IGNORECASE,
)
"""What follows a number that is how many, and no secret."""
TRIMMED: Final = ".,;:?)]}>`\\"
_FAR_CHARS: Final = 90
_FAR_SENTENCES: Final = 2
_LEAST_KEY_CHARS: Final = 8

PASSWORD_EN: Final = r"pass(?:[ -]?(?:word|code|phrase)|wd)|pwd|pw"
PASSWORD_ZH: Final = r"密[码碼]|口令|暗[号號]|通行[码碼]"
CODE: Final = (
    r"(?:verification|security|confirmation|auth(?:entication|orization)?|log-?in|sign-?in|access"
    r"|entry|door|gate|garage|alarm|lock|backup|recovery|2fa|mfa|sms|guard|one[- ]time)"
    r"\s(?:code|password|passcode)|otp(?:\scode)?|2fa|cvv2?|cvc2?"
    r"|code(?=\s\d{4,8}\sto\s(?:verify|confirm|log|sign|finish|complete))"
    r"|(?:验证|驗證|校验|校驗|动态|動態|安全|确认|確認|登[录錄入]|短信|簡訊)[码碼]"
)
_LABEL: Final = re.compile(
    r"(?:(?<![A-Za-z])|(?=[\u3400-\u9fff]))(?:(?P<key>(?:(?:api|access|secret|auth|client|license"
    r"|encryption|bot|session|shared|account|signing|master)[ _-]?(?:access[ _-]?)?"
    r"(?:key|token|secret)s?|(?:token|secret)(?=\s?[:：=])|[密秘][钥鑰匙]|令牌|授[权權][码碼]))"
    rf"|(?P<code>{CODE})|(?P<password>(?:{PASSWORD_EN})s?|pin|credentials|creds|{PASSWORD_ZH}))"
    r"(?![A-Za-z]|[学學锁鎖本器箱机機管强強]"
    r"|[ -](?:manage|polic|hint|generat|field|protect|strength|length|rule|collection|board))",
    re.IGNORECASE,
)
_PUBLIC: Final = re.compile(
    r"(?P<public>(?<!for my )(?<!of my )(?<!for the )(?<!of the )\b(?:user ?(?:name|id)?|e-?mail"
    r"|name|phone|model|address|nick(?:name)?|handle|version|ssid|network|number|account|login|id|host"
    r"|server)(?=\s*[:：=]|['’]s\s|\s+(?:is|are|was)\b)"
    r"|(?:用[户戶]名|名字?|[邮郵]箱|[电電][话話]|[号號]|地址|昵[称稱]|版本)(?=\s*[:：=是为為叫]))",
    re.IGNORECASE,
)
"""Labels of what is no secret: the value after one is its own."""
_TOKEN: Final = re.compile(
    r"(?P<value>[^\s\"'“”‘’「」『』，。！？；：、（）【】《》\u3400-\u9fff]{4,128})"
)
_SENTENCE: Final = re.compile(r"[.!?](?=\s)|[。！？\n]")
_CLAUSE: Final = re.compile(
    r"[,，;；、]|\b(?:and|but|so|or|then)\b|但|而|[和或](?!者)", re.IGNORECASE
)
_CUE: Final = re.compile(
    r"(?:\b(?:is|was|are|were|been|became|be|it['’]?s|use|try)\b|(?<=\w)['’]s\b|[:：=]|->|=>"
    r"|[是为為叫成])",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:set|chang\w{1,3}|reset|updated?|switch\w{0,3})\b|[改换換变變设設]", re.IGNORECASE
)
_CHANGED_TO: Final = re.compile(r"(?:\b(?:to|as|into|from)|[从從成为為到回]了?)\s*$", re.IGNORECASE)
_JOINED: Final = re.compile(
    r"\s{0,3}(?:,|/|\bor\b|\band\b|、|和|或者?|还有|還有)\s{0,3}", re.IGNORECASE
)
_CLOSED: Final = re.compile(r"[\"'”」』)）.,;!?`]{0,4}(?:\s{0,4}(?:[,.;!?，。；！？、)）]|$)|\n)")
_OPEN_ZH: Final = re.compile(r"[\u3400-\u9fff]{11}|[在用从從给給对對和跟与與比把被我你他她的]\s*$")
_WORD: Final = re.compile(r"\w[\w'’]*")
_LEAD_ZH: Final = re.compile(
    "[现現在这這次那它就新老旧舊还還是改换換一直都的用成为為另外备備個个密码碼]+"
)
_QUOTES: Final = " \t\"'“”‘’「」『』`*(（[<~-—…"
_FILLING: Final = frozenset(
    listed(
        """
        still now currently just again always maybe one ones old new other second first backup same
        spare previous current it's that's it that here yes guess think believe actually
        """
    )
)
"""Words that may stand right before a secret; other function words lead to a thing."""
_ORDINARY: Final = re.compile(
    r"(?<!\S)(?:[\W\d_]+|\d[\d.,]*-?[A-Za-z]{1,3}|\d+-[A-Za-z-]+|[A-Z]{1,4}-?\d{1,4}[A-Za-z]?|[a-z]{1,2}\d{1,4}|v?\d+(?:\.\w+)+"
    r"|[\w-]+\.[a-z]{2,4}|\w+://.*|[\w.+-]+@[\w-]+\..*|www\..*|\w*[(\[].*"
    r"|(?:19|20)\d\d-.*|[A-Za-z]{3,}['’][a-z]{1,2}|#[0-9a-f]{6})"
)
"""Dates, units, versions, models, addresses, code: mixed as well, and no secrets."""
_BEFORE: Final = re.compile(
    r"(?<![!-~])[\"'“]?(?P<value>[^\s\"'“”，。！？；：、「」『』（）【】《》\u3400-\u9fff]{4,64}+)[\"'”]?"
    r"(?:\s{1,3}(?:is|as|for)\s(?:still\s|now\s)?(?:my|the|our|your|a)\s(?:[\w-]{1,20}\s){0,3}"
    r"|\s?就?[是为為][^，。！？\n]{0,14})$",
    re.IGNORECASE,
)
_PIN: Final = re.compile(r"(?!(?:19|20)\d\d$)\d{4,8}[#*]?")


class _Anchor(NamedTuple):
    """Where a label, or a secret that it gave away, ends; its kind."""

    end: int
    kind: str
    is_value: bool


def by_nearness(text: str) -> Iterator[Span]:
    """Every value that a label further off gives away."""
    if _LABEL.search(text) is None:
        return
    found_of = (one.finditer(text) for one in (_LABEL, _PUBLIC, _TOKEN))
    marks = sorted((*one.span()[::-1], one.lastgroup or "") for found in found_of for one in found)
    anchor: _Anchor | None = None
    for end, start, kind in marks:
        if kind == "public":
            anchor = None
        elif kind != "value":
            anchor = _Anchor(end, kind, is_value=False)
            before = _BEFORE.search(text[max(0, start - _FAR_CHARS) : start])
            if before and _looks_secret(before["value"], kind):
                first = max(0, start - _FAR_CHARS) + before.start("value")
                yield Span(first, first + len(before["value"]), kind)
        elif anchor is not None and anchor.end < end <= anchor.end + _FAR_CHARS + 128:
            token = text[max(start, anchor.end) : end]
            first = end - len(token.lstrip(":=/|(<[{`-"))
            value = text[first:end].rstrip(TRIMMED)
            if _looks_secret(value, anchor.kind) and _is_said(text, anchor, first, value):
                yield Span(first, first + len(value), anchor.kind)
                anchor = _Anchor(first + len(value), anchor.kind, is_value=True)


def _looks_secret(value: str, kind: str) -> bool:
    if kind != "key" and _PIN.fullmatch(value):
        return True
    if is_placeholder(value) or _ORDINARY.fullmatch(value):
        return False
    letters = any(one.isalpha() for one in value)
    mixed = letters and any(one.isdigit() for one in value)
    if kind == "key":
        return mixed and len(value) >= _LEAST_KEY_CHARS
    return mixed or (letters and any(one in "!@#$%^*_" for one in value[1:-1]))


def _is_said(text: str, anchor: _Anchor, start: int, value: str) -> bool:
    gap = text[anchor.end : start]
    if len(gap) > _FAR_CHARS:
        return False
    rest = text[start + len(value) : start + len(value) + 24]
    number = value.isdigit()
    if number and MEASURED.match(rest):
        return False
    if not anchor.is_value and not gap.strip(_QUOTES):
        return bool(gap) or not text[start - 1].isascii()
    if anchor.is_value and _JOINED.fullmatch(gap):
        return not number
    ends = [found.end() for found in _SENTENCE.finditer(gap)]
    if len(ends) > _FAR_SENTENCES:
        return False
    sentence = gap[ends[-1] :] if ends else gap
    if _CHANGED_TO.search(sentence.rstrip(_QUOTES)):
        return _CHANGED.search(text, max(0, anchor.end - 60), start) is not None
    breaks = [found.end() for found in _CLAUSE.finditer(sentence)]
    clause = sentence[breaks[-1] :] if breaks else sentence
    if clause.strip(_QUOTES):
        return _has_cue(clause, bare=not (ends or breaks))
    alone = _CLOSED.match(rest) is not None and not number
    return alone and bool(_CUE.search(sentence) if breaks else ends)


def _has_cue(clause: str, *, bare: bool) -> bool:
    """Whether a cue is in the clause with function words behind it; not `bare`, before it too."""
    cues = list(_CUE.finditer(clause))
    if not cues:
        return False
    cue, after = cues[-1][0], _WORD.findall(clause[cues[-1].end() :].lower())
    if _OPEN_ZH.search(clause, cues[-1].end()) or not all(
        _is_filling(one) or one in DEFAULT.stop_words or not one.isascii() for one in after
    ):
        return False
    if after and after[-1].isascii() and not _is_filling(after[-1]):
        return False
    known = _WORD.findall(clause[: cues[-1].start()].lower())
    few = cue in ":：=" and len(known) <= 2
    return bare or few or all(_is_filling(one) or one in DEFAULT.stop_words for one in known)


def _is_filling(word: str) -> bool:
    return word in _FILLING or word.endswith("ly") or _LEAD_ZH.fullmatch(word) is not None
