"""Text without the secrets in it: keys, passwords, card and ID numbers are no memories.

Known by shape (issuers' prefixes, checksums, PEM blocks, URLs); by the words around them ("my
password is", 密码是, `API_KEY=`), where what follows has the form of a secret, since a label alone
proves nothing (`my password is too weak`); or by the reader, which has learned them from messages:
what is a plain word, is said further away, or in other words.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.errors import ReaderWeightsError
from chatmem.extraction.reader.labels import Secret
from chatmem.extraction.reader.reading import POSSIBLY_SECRET, SURELY_SECRET, secrets_in
from chatmem.text.bullets import spliced
from chatmem.text.languages import expression, language_by_script, script_phrases

_KEY: Final = expression(
    r"""(?<![A-Za-z0-9_])(?:
        sk-(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{16,200}
      | (?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9]{20,}
      | gh[opsur]_[A-Za-z0-9]{30,} | github_pat_\w{30,} | gl(?:pat|dt|rt)-[\w-]{18,}
      | (?:AKIA|ASIA)[A-Z0-9]{16} | LTAI[A-Za-z0-9]{16,24} | AKID[A-Za-z0-9]{28,36}
      | AIza[\w-]{35} | ya29\.[\w-]{20,} | GOCSPX-[\w-]{20,}
      | xox[abeoprs]-[A-Za-z0-9-]{20,} | xapp-\d-[A-Za-z0-9-]{20,}
      | hf_[A-Za-z0-9]{24,} | npm_[A-Za-z0-9]{30,} | pypi-AgE[\w-]{40,} | dop_v1_[a-f0-9]{40,}
      | shp(?:at|ss|ca|pa)_[a-fA-F0-9]{30,} | SG\.[\w-]{16,}\.[\w-]{16,} | gsk_[A-Za-z0-9]{40,}
      | eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}
      | AccountKey=[A-Za-z0-9+/]{40,}={0,2}
      | https://hooks\.slack\.com/services/[A-Z0-9]+/[A-Z0-9]+/\w{16,}
    )(?![A-Za-z0-9])""",
    re.VERBOSE,
)
_BOT_TOKEN: Final = expression(r"(?<!\d)\d{8,10}:(AA[\w-]{33})(?![\w-])")
_BEARER: Final = expression(
    r"\b[Bb]earer\s+(?=[^\s\d]*\d)([\w.~+/=-]{16,})|uthorization['\"]?:\s*['\"]?Basic\s+(\S{8,})"
)
_PEM: Final = expression(
    r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=:,.\s-]{20,}"
    r"|(?<!\w)(?:AGE-SECRET-KEY-1[A-Z0-9]{50,}|nsec1[a-z0-9]{50,}|[xyz]prv[A-Za-z0-9]{90,})",
)
_IN_URL: Final = expression(
    r"://[^\s/:@'\"]{0,64}:(?P<userinfo>[^\s/@'\"]+)@(?=[\w\[])"
    r"|[?&](?:access_token|auth_token|token|api_?key|key|secret|client_secret|password|passwd|pwd"
    r"|sig|signature)=(?P<query>(?=[^\s&#]*\d)[^\s&#，。]{8,})",
    re.IGNORECASE,
)
_CURL: Final = expression(r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?['\"]?[^\s:'\"]+:([^\s'\"]+)")
_SHAPES: Final = (
    *(("key", _KEY), ("key", _BOT_TOKEN), ("key", _BEARER)),
    *(("private_key", _PEM), ("password", _CURL)),
)
_DIGITS: Final = expression(r"(?<![\w.+/-])\d(?:[ -]?\d){12,18}(?![\w/]|[-.]\d)")
_CHINESE_ID: Final = expression(
    r"(?<![0-9A-Za-z])[1-9]\d{5} ?(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]) ?"
    r"\d{3}[\dXx](?![0-9A-Za-z])"
)
_SSN: Final = expression(
    r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])", re.ASCII
)
_IBAN: Final = expression(r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?: ?[A-Z0-9]){11,30}")
_NO_CARD: Final = expression(
    r"(?:order|tracking|invoice|ticket|parcel|ref(?:erence)?|imei|serial|item|tweet|post|msg|id"
    r"|订单|訂單|单号|單號|运单|快递|流水|工单|编号|編號|群号|工号|序列)\W{0,3}"
    r"(?:id|no\.?|number|号|號|编号|码)?\W{0,3}(?:is|was|是|为)?\W{0,3}$",
    re.IGNORECASE,
)
"""What stands before a long number that is no card, though one in ten has a card's checksum."""
# Visa, Mastercard, American Express, Diners Club, JCB; with 6, 81 or 9558 begin those of Discover,
# Maestro and UnionPay, some of them longer.
_CARD: Final = expression(
    r"(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|35\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}"
    r"|(?:6\d{3}|81\d\d|9558)\d{12,15}"
)
_SHORTEST_IBAN: Final = 15


def _by_shape(text: str) -> Iterator[Secret]:
    """Every secret that its shape gives away; spans may overlap."""
    for kind, pattern in _SHAPES:
        for found in pattern.finditer(text):
            yield Secret(*found.span(found.lastindex or 0), kind)
    for found in _IN_URL.finditer(text) if "://" in text else ():
        group = found.lastgroup or ""
        if not _PLACEHOLDER.match(found[group]):
            yield Secret(*found.span(group), "password" if group == "userinfo" else "key")
    for pattern, kind, holds in _CHECKED:
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - 24) : found.start()]
            if (end := holds(found[0])) and not (kind == "card" and _NO_CARD.search(before)):
                yield Secret(found.start(), found.start() + end, kind)


def _card_end(found: str) -> int:
    """The length of what was found if its last digit is right by Luhn's formula, else 0.

    Source: ISO/IEC 7812-1.
    """
    digits = re.sub(r"\D", "", found)
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    is_right = (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0
    return len(found) if is_right and _CARD.fullmatch(digits) else 0


def _chinese_id_end(found: str) -> int:
    """The length of what was found if its check character is right, else 0 (ISO 7064 MOD 11-2)."""
    digits = found.replace(" ", "").upper()
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(digits[:17]))
    return len(found) if "10X98765432"[total % 11] == digits[17] else 0


def _iban_end(found: str) -> int:
    """How much of what was found is an IBAN by its check digits, 0 for nothing (ISO 13616)."""
    for end in reversed([word.end() for word in re.finditer(r"\S+", found)]):
        taken = found[:end].replace(" ", "")
        number = "".join(str(int(one, 36)) for one in taken[4:] + taken[:4])
        if len(taken) >= _SHORTEST_IBAN and int(number) % 97 == 1:
            return end
    return 0


_CHECKED: Final[tuple[tuple[re.Pattern[str], str, Callable[[str], int]], ...]] = (
    (_DIGITS, "card", _card_end),
    (_CHINESE_ID, "id", _chinese_id_end),
    (_SSN, "id", len),
    (_IBAN, "account", _iban_end),
)

_PLACEHOLDER: Final = expression(
    r"\$\{|\$\(|<|\{|\[|%\(|\*{2,}|x{3,}$|\.{3}|(?:your|my)[_-]?(?:\w{1,40}[_-])?"
    r"(?:password|passwd|token|secret|key)|(?:password|passwd|pass|pwd|token|secret)$",
    re.IGNORECASE,
)
_MEASURED: Final = (
    r"\s{0,3}(?:[个個位次秒分天年月日版届屆期款块塊元页頁集寸号號字條条門门種种人家台层层%]|digits?\b"
    r"|characters?\b|chars?\b|times\b|days\b|minutes?\b|seconds?\b|users?\b|years?\b)"
)
"""What follows a number that is how many, and no secret."""
_TRIMMED: Final = ".,;:?)]}>`\\"

_PASSWORD_EN: Final = r"pass(?:[ -]?(?:word|code|phrase)|wd)|pwd|pw"
_PASSWORD_ZH: Final = r"密[码碼]|口令|暗[号號]|通行[码碼]"
_CODE_LABEL: Final = (
    r"(?:verification|security|confirmation|auth(?:entication|orization)?|log-?in|sign-?in|access"
    r"|entry|door|gate|garage|alarm|lock|backup|recovery|2fa|mfa|sms|guard|one[- ]time)"
    r"\s(?:code|password|passcode)|otp(?:\scode)?|2fa|cvv2?|cvc2?"
    r"|code(?=\s\d{4,8}\sto\s(?:verify|confirm|log|sign|finish|complete))"
    r"|(?:验证|驗證|校验|校驗|动态|動態|安全|确认|確認|登[录錄入]|短信|簡訊)[码碼]"
)
_NAMES: Final = expression(
    rf"(?<![a-z])(?:{_PASSWORD_EN}|{_CODE_LABEL}|pin|token|secret|credentials|creds"
    r"|(?:api|access|secret|private|account)[ _-]?key)s?(?![a-z])"
    rf"|{_PASSWORD_ZH}|[密秘私][钥鑰匙]|令牌|授[权權][码碼]",
    re.IGNORECASE,
)
_HAN_WORDS: Final = "\u3400-\u9fff"
_OF_WHAT: Final = r"(?:\s+(?:for|to|of|on|at|in)\s+[^.,;:=!?\n]{1,40}?)?"
_SAYS: Final = (
    rf"{_OF_WHAT}(?:[\"'`]?\s*+(?:[:=：]{{1,2}}|[-=]>)\s*+"
    r"|\s+(?:is|was|are|will be)(?:\s+(?:now|still|currently|just|again|set to"
    r"|the word))?\s*:?\s+|[?,]?\s+it(?:['’]s|\s+is|\s+was)\s+|['’]s\s+)"
)
_SAYS_ZH: Final = (
    r"(?:\s*+[:：=]\s*+|\s*+[^\s!-~，。！？；：“”、不没沒长長度率期数數错錯]{0,5}?(?:是|为|為|叫做?"
    r"|(?:更新|重置|设置|設置|設定|设定|[改換换设設])(?:[成為为到回])了?)(?:我的?(?:生日|电话|電話"
    r"|手机号|手機號|名字|姓名)(?:拼音)?)?\s*[:：]?\s*)"
)
# Quoted, or with a figure or a sign inside. A word alone may be one, or be said of one (too weak):
# the reader tells.
_PASSWORD: Final = (
    r'"[^"\n]{2,64}"|'
    r"'[^'\n]{2,64}'|[“「『‘][^”」』’\n]{2,40}[”」』’]"
    rf"|(?=[^\s{_HAN_WORDS}]{{0,64}}?(?:[\d@#$%^&*_+~]|[!-]\w))"
    rf"[^\s\"'“”‘’「」『』，。！？；：、（）【】《》{_HAN_WORDS}]{{3,128}}+"
)
_END: Final = r"(?=[\s,.;!?，。；！？、)）]|$)"
_LINK: Final = (
    rf"{_OF_WHAT}(?:\s*(?:numbers?|num|no\.?|id|#)|号码|號碼|[号號]|[编編][号號]|字[号號])?"
    r"(?:\s*[，]?(?:[:：=#]|[是为為])[:：]?\s*+|\s+(?:is|was|are)(?:\s+(?:now|still))?\s*:?\s+|\s*+)"
)


def _label(
    kind: str, hints: str, label: str, value: str, link: str = _LINK
) -> tuple[str, list[str], re.Pattern[str]]:
    """A pattern of that kind; one of `hints` is in the text, in lower case, or it finds nothing."""
    source = rf"(?:{label}){link}(?P<value>{value})(?!{_MEASURED})"
    return kind, hints.split(), expression(source, re.IGNORECASE)


_LABELLED: Final = (
    _label(
        "password",
        "pass pwd pw",
        rf"(?<![A-Za-z0-9])(?:{_PASSWORD_EN}|pass(?=\s{{0,3}}[:=：]))(?![A-Za-z])",
        _PASSWORD,
        _SAYS,
    ),
    _label(
        "password",
        "密 口令 暗 通行",
        rf"(?<!解)(?:{_PASSWORD_ZH})(?![学學锁鎖本器箱机機管强強])",
        _PASSWORD,
        _SAYS_ZH,
    ),
    _label(
        "password",
        "pass pw 密 login credentials creds",
        r"(?:(?:user(?:\s?name|\s?id)?|login|account|e-?mail|\bid|[账帐帳][号號户戶]|用[户戶]名)\s?"
        r"(?:[/&+|,、和与與及]|and\b)?\s?(?:pass(?:word|code|wd)?|pwd?|密[码碼])(?:分[别別])?"
        r"|login|credentials|creds)\s?(?:[:=：是为為]|\b(?:is|are)\b)\s?[^\s/|,，、:：]{2,40}"
        r"(?:\s?[/|,，、和]|\s(?=[!-~]{0,64}\d))",
        rf"[^\s\"'，。！？；：、{_HAN_WORDS}]{{4,64}}{_END}",
    ),
    _label(
        "code",
        "code otp 2fa cvv cvc password 码 碼",
        rf"(?<![a-z])(?:{_CODE_LABEL})(?![a-z])(?:\son\sthe\sback)?",
        r"(?:(?:[A-Z]-)?\d(?:[ -]?\d){2,9}|(?-i:(?=[A-Z]{0,9}\d)[A-Z0-9]{5,10}))(?![\dA-Za-z]|-\w)",
    ),
    _label(
        "card",
        "card 卡号 卡號 信用卡",
        r"\bcard|卡(?=[号號])|信用卡",
        r"\d(?:[ -]?\d){12,18}(?!\d)",
    ),
    _label(
        "account",
        "account routing sort iban 银行 銀行",
        r"\b(?:bank account|account number|account no\.?|routing number|sort code|iban)"
        r"|(?:银行|銀行)[账帐賬帳][号號户戶]",
        r"(?-i:[A-Z]{0,2}\d(?:[ -]?[\dA-Z]){5,30})(?!\w)",
    ),
    _label(
        "id",
        "passport licen social ssn identity national card tax 证 證 护照 護照 驾照 駕照 社保 医保",
        r"\b(?:passport|driv(?:er|ing)'?s?\slicen[cs]e|social security|ssn|national id|identity"
        r" card|id card|tax id)|身[份分][证證]|[证證]件|护照|護照|[驾駕][驶駛]?[证證照]|[社医]保卡?"
        r"|通行[证證]",
        r"(?!(?:19|20)\d\d[-/.年])(?-i:(?:[A-Z]{1,3} ?)?\d(?:[ -]?[\dA-Zx](?![a-z])){5,20})"
        r"(?:[(（][\dA][)）])?(?![\dA-Za-z])",
    ),
    _label(
        "seed",
        "seed recovery mnemonic backup 助记 助記",
        r"(?:(?:seed|recovery|backup)\s(?:phrase|words)|mnemonic(?:\sphrase)?|助[记記][词詞])"
        r"[^\n:：]{0,20}?",
        r"(?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[ ,\n]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8}"
        rf"|(?:[{_HAN_WORDS}][ 　]){{11,23}}[{_HAN_WORDS}]",
    ),
    _label(
        "key",
        "key token secret 钥 鑰 密匙 令牌 授权码 授權碼",
        r"(?<![a-z])(?:(?:api|access|secret|auth|client|license|bot|session|account|signing|master)"
        r"[ _-]?(?:access[ _-]?)?(?:key|token|secret)|token|secret)(?![a-z])|[密秘][钥鑰匙]|令牌"
        r"|授[权權][码碼]",
        r"(?-i:(?=[!-~]{0,99}\d)(?=[!-~]{0,99}[A-Za-z])[A-Za-z0-9+/=_.~-]{8,200})(?![\w(])",
    ),
)
_CODE: Final = expression(
    r"(?:os|process|env|self|config|settings|request)\.|(?<![A-Za-z_.])[A-Za-z_.]++[(\[]"
)


def _by_label(text: str) -> Iterator[Secret]:
    """Every secret that the words around it give away; spans may overlap."""
    lower = text.lower()
    for kind, hints, pattern in _LABELLED:
        for found in pattern.finditer(text) if any(map(lower.__contains__, hints)) else ():
            value = found["value"].strip("\"'“”「」『』‘’" + _TRIMMED)
            if not (_PLACEHOLDER.match(value) or _CODE.match(value)):
                start = text.index(value, found.start("value"))
                yield Secret(start, start + len(value), kind)


KINDS: Final = ("password", "code", "card", "account", "id", "key", "private_key", "seed")
_LABELS: Final = {kind: script_phrases(f"secret.{kind}") for kind in KINDS}
_HIDDEN: Final = script_phrases("secret.hidden")
_MASKED: Final = expression(
    rf"\[(?:{'|'.join(map(re.escape, _HIDDEN.values()))})(?P<label>[^\]\n]{{1,20}})\]"
)
_KIND_OF: Final = {label: kind for kind, labels in _LABELS.items() for label in labels.values()}
# Letters and figures of full width, as Chinese keyboards write them; one for one, places stay.
_WIDE: Final = expression("[０-９Ａ-Ｚａ-ｚ]")
_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()}
_DATE: Final = expression(r"(?<!\d)(?:19|20)\d\d-\d\d(?:-\d\d)?(?!\d)")
"""As chatmem itself writes dates into a memory."""
_ENDS: Final = "，。！？；：、…"
"""What stands behind a secret in Chinese, and is no part of one."""
ON_PURPOSE: Final = 0.95
"""So sure the reader has to be in what somebody writes into memory, where a word names a secret:
nothing else keeps what is masked there."""
_MAX_ROUNDS: Final = 4
"""What stood glued to a masked number may be seen to be one as well, once that is gone."""
_SHORT_CHARS: Final = 400
"""A longer text is shown to the reader once, and not again without what was masked."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without secrets; `kinds` are those it had, of `KINDS`, in order, each once."""

    text: str
    kinds: tuple[str, ...] = ()


def mask_secrets(text: str, *, reading: bool = False) -> Masked:
    """`text` with `[secret: password]` or `[已隐去：密码]` in each secret's place; idempotent.

    Secrets are known by shape, by label, or by the reader: always with `reading`, for messages from
    which something is made; else only where a word names a secret. Phone numbers and e-mail
    addresses are none: people want them remembered.

    Source: decisions 4 (masked before anything is stored as a memory).
    """
    kinds: list[str] = []
    current = text
    for number in range(_MAX_ROUNDS):
        plain = current.translate(_NARROW) if _WIDE.search(current) else current
        found = [*_by_shape(plain), *_by_label(plain)]
        is_named = _NAMES.search(plain) is not None
        if (reading or is_named) and (number == 0 or len(text) <= _SHORT_CHARS):
            likely = POSSIBLY_SECRET if is_named else SURELY_SECRET
            found += _read(plain, likely if reading else ON_PURPOSE)
        if not (spans := _merged(found, plain)):
            break
        kinds += (span.kind for span in spans)
        current = _without(current, spans)
    return Masked(current, tuple(dict.fromkeys(kinds)))


def masked_kinds(text: str) -> tuple[str, ...]:
    """The kinds of the secrets that were masked in `text`, of `KINDS`, in order, each once."""
    labels = (found["label"] for found in _MASKED.finditer(text))
    return tuple(dict.fromkeys(_KIND_OF[label] for label in labels if label in _KIND_OF))


def without_marks(text: str) -> str:
    """`text` with nothing but an ellipsis where something was masked."""
    return _MASKED.sub("…", text)


def _read(text: str, sure: float) -> list[Secret]:
    """Secrets that the reader sees, but dates; none where it cannot read, which `doctor` says."""
    try:
        found = secrets_in(text, sure)
    except ReaderWeightsError:
        return []
    dates = [one.span() for one in _DATE.finditer(text)] if found else []
    # Without the full stop behind it, or a comma of Chinese.
    spans = (
        one._replace(end=max(one.start + 1, len(text[: one.end].rstrip(_ENDS)))) for one in found
    )
    return [one for one in spans if not _overlaps(one, dates)]


def _overlaps(span: Secret, others: list[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in others)


def _without(text: str, spans: list[Secret]) -> str:
    script = language_by_script(text).script_of(text)
    marks = (f"[{_HIDDEN[script]}{_LABELS[one.kind][script]}]" for one in spans)
    return spliced(text, ((*span[:2], mark) for span, mark in zip(spans, marks, strict=True)))


def _merged(spans: list[Secret], text: str) -> list[Secret]:
    """The spans in order, those that overlap as one of the longest one's kind."""
    masked = [found.span() for found in _MASKED.finditer(text)] if spans else []
    merged: list[Secret] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if _overlaps(span, masked):
            continue
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            kind = max(last, span, key=lambda one: one.end - one.start).kind
            span = Secret(last.start, max(last.end, span.end), kind)
        merged.append(span)
    return merged
