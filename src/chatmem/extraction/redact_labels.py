"""Secrets that the words around them give away: "my password is", 密码是, `API_KEY=`.

A label alone proves nothing (`my password is too weak`): what follows has to have the form of a
secret. What is a plain word, is said further away, or in other words, the reader sees (`redact`).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from chatmem.extraction.reader.labels import Secret

_PLACEHOLDER: Final = re.compile(
    r"\$\{|\$\(|<|\{|\[|%\(|\*{2,}|x{3,}$|\.{3}|(?:your|my)[_-]?(?:\w{1,40}[_-])?"
    r"(?:password|passwd|token|secret|key)|(?:password|passwd|pass|pwd|token|secret)$",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"\s{0,3}(?:[个個位次秒分天年月日版届屆期款块塊元页頁集寸号號字條条門门種种人家台层层%]|digits?\b"
    r"|characters?\b|chars?\b|times\b|days\b|minutes?\b|seconds?\b|users?\b|years?\b)",
    re.IGNORECASE,
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
_NAMES: Final = re.compile(
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


class _Label(NamedTuple):
    """`hints`: one of them is in the text, in lower case, or `pattern` cannot match."""

    kind: str
    hints: tuple[str, ...]
    pattern: str


def _formed(kind: str, hints: str, label: str, value: str, link: str = _LINK) -> _Label:
    pattern = rf"(?:{label}){link}(?P<value>{value})(?!{_MEASURED.pattern})"
    return _Label(kind, tuple(hints.split()), pattern)


_FORMED: Final = (
    _formed(
        "password",
        "pass pwd pw",
        rf"(?<![A-Za-z0-9])(?:{_PASSWORD_EN}|pass(?=\s{{0,3}}[:=：]))(?![A-Za-z])",
        _PASSWORD,
        _SAYS,
    ),
    _formed(
        "password",
        "密 口令 暗 通行",
        rf"(?<!解)(?:{_PASSWORD_ZH})(?![学學锁鎖本器箱机機管强強])",
        _PASSWORD,
        _SAYS_ZH,
    ),
    _formed(
        "password",
        "user account login mail id 号 號 户 戶 credentials creds",
        r"(?:(?:user(?:\s?name|\s?id)?|login|account|e-?mail|\bid|[账帐帳][号號户戶]|用[户戶]名)\s?"
        r"(?:[/&+|,、和与與及]|and\b)?\s?(?:pass(?:word|code|wd)?|pwd?|密[码碼])(?:分[别別])?"
        r"|login|credentials|creds)\s?(?:[:=：是为為]|\b(?:is|are)\b)\s?[^\s/|,，、:：]{2,40}"
        r"(?:\s?[/|,，、和]|\s(?=[!-~]{0,64}\d))",
        rf"[^\s\"'，。！？；：、{_HAN_WORDS}]{{4,64}}{_END}",
    ),
    _formed(
        "code",
        "code otp 2fa cvv cvc password 码 碼",
        rf"(?<![a-z])(?:{_CODE_LABEL})(?![a-z])(?:\son\sthe\sback)?",
        r"(?:(?:[A-Z]-)?\d(?:[ -]?\d){2,9}|(?-i:(?=[A-Z]{0,9}\d)[A-Z0-9]{5,10}))(?![\dA-Za-z]|-\w)",
    ),
    _formed(
        "card",
        "card 卡号 卡號 信用卡",
        r"\bcard|卡(?=[号號])|信用卡",
        r"\d(?:[ -]?\d){12,18}(?!\d)",
    ),
    _formed(
        "account",
        "account routing sort iban 银行 銀行",
        r"\b(?:bank account|account number|account no\.?|routing number|sort code|iban)"
        r"|(?:银行|銀行)[账帐賬帳][号號户戶]",
        r"(?-i:[A-Z]{0,2}\d(?:[ -]?[\dA-Z]){5,30})(?!\w)",
    ),
    _formed(
        "id",
        "passport licen social ssn identity national card tax 证 證 护照 護照 驾照 駕照 社保 医保",
        r"\b(?:passport|driv(?:er|ing)'?s?\slicen[cs]e|social security|ssn|national id|identity"
        r" card|id card|tax id)|身[份分][证證]|[证證]件|护照|護照|[驾駕][驶駛]?[证證照]|[社医]保卡?"
        r"|通行[证證]",
        r"(?!(?:19|20)\d\d[-/.年])(?-i:(?:[A-Z]{1,3} ?)?\d(?:[ -]?[\dA-Zx](?![a-z])){5,20})"
        r"(?:[(（][\dA][)）])?(?![\dA-Za-z])",
    ),
    _formed(
        "seed",
        "seed recovery mnemonic backup 助记 助記",
        r"(?:(?:seed|recovery|backup)\s(?:phrase|words)|mnemonic(?:\sphrase)?|助[记記][词詞])"
        r"[^\n:：]{0,20}?",
        r"(?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[ ,\n]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8}"
        rf"|(?:[{_HAN_WORDS}][ 　]){{11,23}}[{_HAN_WORDS}]",
    ),
    _formed(
        "key",
        "key token secret 钥 鑰 密匙 令牌 授权码 授權碼",
        r"(?<![a-z])(?:(?:api|access|secret|auth|client|license|bot|session|account|signing|master)"
        r"[ _-]?(?:access[ _-]?)?(?:key|token|secret)|token|secret)(?![a-z])|[密秘][钥鑰匙]|令牌"
        r"|授[权權][码碼]",
        r"(?-i:(?=[!-~]{0,99}\d)(?=[!-~]{0,99}[A-Za-z])[A-Za-z0-9+/=_.~-]{8,200})(?![\w(])",
    ),
)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Those of `_FORMED`: compiled for the first text that has a hint."""
    return tuple(re.compile(label.pattern, re.IGNORECASE) for label in _FORMED)


_CODE: Final = re.compile(
    r"(?:os|process|env|self|config|settings|request)\.|(?<![A-Za-z_.])[A-Za-z_.]++[(\[]"
)


def is_placeholder(value: str) -> bool:
    """True for what stands where a secret would: `<password>`, `${PASSWORD}`, `******`."""
    return _PLACEHOLDER.match(value) is not None


def names_secret(text: str) -> bool:
    """True where a word names a kind of secret."""
    return _NAMES.search(text) is not None


def by_label(text: str) -> Iterator[Secret]:
    """Every secret that the words around it give away; spans may overlap."""
    lower = text.lower()
    for place, label in enumerate(_FORMED):
        if not any(hint in lower for hint in label.hints):
            continue
        for found in _patterns()[place].finditer(text):
            value = found["value"].strip("\"'“”「」『』‘’" + _TRIMMED)
            if not (is_placeholder(value) or _CODE.match(value)):
                start = text.index(value, found.start("value"))
                yield Secret(start, start + len(value), label.kind)
