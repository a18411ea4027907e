"""Secrets known by what is said of them: "my password is", 密码是, `API_KEY=`, in two languages.

A label alone proves nothing (`my password is too weak`): what follows has to look like a secret,
and the less it does, the more the words between have to promise one.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from chatmem.extraction.redact_shapes import Span, is_placeholder
from chatmem.text.wordlist import listed

_HAN_WORDS: Final = "\u3400-\u9fff"
_VALUE: Final = (
    r'(?:"(?P<q1>[^"\n]{2,64})"|'
    r"'(?P<q2>[^'\n]{2,64})'|[“「『‘](?P<q3>[^”」』’\n]{2,40})[”」』’]"
    rf"|(?P<token>[^\s\"'“”‘’「」『』，。！？；：、（）【】《》{_HAN_WORDS}]{{2,128}}))"
)
_OF_WHAT: Final = r"(?:\s+(?:for|to|of|on|at|in)\s+[^.,;:=!?\n]{1,40}?)?"
_SAYS: Final = (
    rf"(?:{_OF_WHAT}(?:[\"'`]?\s*(?P<strong>[:=：]{{1,2}}|[-=]>)\s*"
    r"|(?P<copula>\s+(?:is|was|are|will be)(?:\s+(?:now|still|currently|just|again|set to"
    r"|the word))?\s*:?\s+|[?,]?\s+it(?:['’]s|\s+is|\s+was)\s+|['’]s\s+))|(?P<bare>\s+))"
)
_SAYS_ZH: Final = (
    r"(?:\s*(?P<strong>[:：=])\s*"
    r"|(?P<copula>\s*[^\s!-~，。！？；：“”、不没沒长長度率期数數错錯]{0,5}?(?:是|为|為|叫做?"
    r"|(?:更新|重置|设置|設置|設定|设定|[改换換设設])(?:[成为為到回])了?)"
    r"(?:我的?(?:生日|电话|電話|手机号|手機號|名字|姓名)(?:拼音)?)?\s*[:：]?\s*)"
    r"|(?P<bare>\s*))"
)
_END: Final = r"(?=[\s,.;!?，。；！？、)）]|$)"
_NUMBER: Final = r"\s*(?:numbers?|num|no\.?|#|id)?"
_NUMBER_ZH: Final = r"(?:号码|號碼|号|號|编号|編號|字号|字號)?"
_IS: Final = r"(?:\s*[:：=#]\s*|\s+(?:is|was)\s*:?\s*|\s+)"
_IS_ZH: Final = r"\s*(?:是|为|為|[:：=])?\s*"
_MEASURED: Final = (
    r"(?!\s*(?:[个個位次秒分天年月日版届屆期款块塊元页頁集寸号號字条條门門种種人家台层层%]|digits?\b"
    r"|characters?\b|chars?\b|times\b|days\b|minutes?\b|seconds?\b|users?\b|years?\b))"
)


class _Label(NamedTuple):
    """`hints`: one of them is in the text, in lower case, or `pattern` cannot match."""

    hints: tuple[str, ...]
    pattern: str
    kind: str


def _label(kind: str, hints: str, pattern: str) -> _Label:
    return _Label(tuple(hints.split()), pattern, kind)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # When a text first has its hint: all of them together would double the time of an import.
    return re.compile(pattern, re.IGNORECASE)


# The value is judged: a group `strong`, `copula` or `bare` says what stands before it.
_JUDGED: Final = (
    _label(
        "password",
        "pass pwd pw",
        r"(?<![A-Za-z0-9])(?:pass(?:[ -]?(?:word|code|phrase)|wd)|pwd|pw|pass(?=\s*[:=：]))"
        rf"(?![A-Za-z]){_SAYS}{_VALUE}",
    ),
    _label(
        "password",
        "密码 密碼 口令 暗号 暗號 通行码 通行碼",
        r"(?<!解)(?:密[码碼]|口令|暗[号號]|通行[码碼])(?![学學锁鎖本器箱机機管强強])"
        rf"{_SAYS_ZH}{_VALUE}",
    ),
    _label(
        "key",
        "key token secret",
        r"(?<![A-Za-z])(?:"
        r"(?:api|access|secret|auth|client|license|encryption|bot|refresh|session|account|shared"
        r"|signing|master)[ _-]?(?:access[ _-]?)?(?:key|token|secret)|token|secret)(?![A-Za-z])"
        rf"{_SAYS}{_VALUE}",
    ),
    _label(
        "key",
        "密钥 密鑰 密匙 秘钥 秘鑰 令牌 授权码 授權碼",
        rf"(?:密[钥鑰匙]|秘[钥鑰]|令牌|授[权權][码碼]){_SAYS_ZH}{_VALUE}",
    ),
)
# The value is the group `value`, or the whole match; its form is enough.
_FORMED: Final = (
    _label(
        "password",
        "password passcode pwd",
        r"\b(?:set|change[ds]?|changing|reset|updated?|switch(?:ed)?)\b[^.,;:!?\n]{0,40}?"
        r"\b(?:password|passcode|pwd)\b(?:\s+from\s+\S+)?"
        r"(?:\s+(?:for|of|on|at|in)\s+[^.,;:=!?\n]{1,40}?)?\s+(?:to|as|into)\s+[\"'“]?"
        r"(?P<value>(?=[^\s]*[\d!@#$%^&*_])[^\s\"'“”]{4,64})",
    ),
    _label(
        "password",
        "password",
        r"\bpassword\s+from\s+[\"'“]?(?P<value>(?=[^\s]*[\d!@#$%^&*_])[^\s\"'“”]{4,64})",
    ),
    _label(
        "password",
        "密码从 密碼從",
        rf"密(?:码从|碼從)\s*(?P<value>[^\s，。！？；：{_HAN_WORDS}]{{3,64}})\s*[改换換变變]",
    ),
    _label(
        "password",
        "从 從",
        rf"密(?:码从|碼從)[^，。\n]{{3,64}}?[改换換变變](?:成|为|為)?了?\s*"
        rf"(?P<value>[^\s，。！？；：{_HAN_WORDS}]{{3,64}})",
    ),
    _label(
        "password",
        "password passcode",
        r"(?<!\S)[\"'“]?(?P<value>(?=[^\s]*[A-Za-z])(?=[^\s]*\d)[^\s\"'“”，。]{5,64}?)[\"'”]?"
        r"\s+is\s+(?:my|the|our)\s+(?:[\w-]+\s+){0,3}(?:password|passcode)\b(?!\s+(?:manager|hint))",
    ),
    _label(
        "password",
        "password passcode",
        r"(?<!\S)[\"'“]?(?P<value>(?=[^\s]*[\d!@#$%^&*_])[^\s\"'“”，。]{4,64}?)[\"'”]?\s+(?:as|for)\s+(?:my|the|our|a)\s+(?:[\w-]+\s+){0,3}"
        r"(?:password|passcode)\b(?!\s+(?:manager|hint))",
    ),
    _label(
        "password",
        "账号密 帐号密 帳號密 账户密 帳戶密 用户名 用戶名",
        r"(?:[账帐帳][号號户戶]|用[户戶]名)[和、/及与與]?密[码碼](?:分别|分別)?\s*[是为為:：]\s*"
        rf"[^\s，。:：{_HAN_WORDS}]{{2,40}}\s*(?:[/|,，、和]|\s)\s*"
        rf"(?P<value>(?=[!-~]*[\d!@#$%^&*_])[^\s，。！？；：{_HAN_WORDS}]{{4,64}})",
    ),
    _label(
        "password",
        "密码 密碼 口令",
        rf"(?P<value>(?=[!-~]*\d)[^\s，。！？；：“”、{_HAN_WORDS}]{{5,64}})[”\"]?\s*就?是"
        rf"[^，。！？\n]{{0,14}}?(?:密[码碼]|口令){_END}",
    ),
    _label(
        "password",
        "pin",
        rf"(?<![A-Za-z])pin(?![A-Za-z])(?:\s*(?:code|number|[码碼]))?{_OF_WHAT}"
        rf"(?:\s*[:=：是为]\s*|\s+(?:is|was)(?:\s+(?:now|still))?\s*:?\s+|\s+)(?P<value>\d{{4,8}})(?!\d){_MEASURED}",
    ),
    _label(
        "password",
        "口令 暗号 暗號",
        r"(?:口令|暗[号號])[:：]\s*(?!请|請|忘|什么|什麼|不|没|沒|必|同|错|錯|无|無|空|暂|按|见|見|由)"
        rf"(?P<value>[{_HAN_WORDS}]{{4,10}}){_END}",
    ),
    _label(
        "password",
        "passphrase",
        rf"\bpassphrase{_OF_WHAT}(?:\s*[:=]\s*|\s+is\s+)(?!too\b|not\b|very\b|so\b|the\b|a\b|stored\b)"
        rf"(?P<value>(?:[a-z]+[ -]){{2,9}}[a-z]+){_END}",
    ),
    _label(
        "code",
        "code otp 2fa cvv cvc password",
        r"\b(?:(?:verification|security|confirmation|auth(?:entication|orization)?|log-?in"
        r"|sign-?in|access|entry|door|gate|garage|alarm|lock|backup|recovery|2fa|mfa|sms|guard"
        r"|one[- ]time)\s+(?:code|password|passcode)|otp(?:\s+code)?|2fa|cvv2?"
        r"|cvc2?)\b(?:\s+on\s+the\s+back)?"
        rf"{_OF_WHAT}(?:\s*[:=：]\s*|\s+(?:is|was)(?:\s+(?:now|still))?\s*:?\s+|\s+)"
        r"(?P<value>(?:[A-Z]-)?\d(?:[ -]?\d){2,9}|(?-i:(?=[A-Z]{0,9}\d)[A-Z0-9]{5,10}))"
        rf"(?!\w|-\w){_MEASURED}",
    ),
    _label(
        "password",
        "login credentials creds",
        r"\b(?:login|credentials|creds)(?:\s*[:=]\s*|\s+(?:is|are)\s+)[^\s/,]{2,40}\s*/\s*"
        r"(?P<value>(?=[!-~]*[\d!@#$%^&*_])[^\s\"'，。/]{4,64})(?!\S)",
    ),
    _label(
        "code",
        "code",
        r"\bcode\s+(?P<value>\d{4,8})\s+to\s+(?:verify|confirm|log|sign|finish|complete)",
    ),
    _label(
        "code",
        "code",
        r"(?<!\S)(?P<value>(?:G-)?\d{4,8})\s+(?:is|as)\s+(?:your|the|my)\s+(?:[\w-]+\s+){0,3}code\b",
    ),
    _label(
        "code",
        "验证 驗證 校验 校驗 动态 動態 安全 确认 確認 登录 登錄 登入 短信 簡訊",
        r"(?:验证|驗證|校验|校驗|动态|動態|安全|确认|確認|登录|登錄|登入|短信|簡訊)[码碼]"
        rf"\s*[，,]?(?:是|为|為|[:：])*\s*(?P<value>(?=[A-Za-z]*\d)[A-Za-z0-9]{{3,8}})(?![A-Za-z0-9]){_MEASURED}",
    ),
    _label(
        "code",
        "验证码 驗證碼",
        r"(?<![\w.])(?P<value>\d{4,8})\s*(?:是|为|為)[^，。！？\n]{0,14}?(?:验证码|驗證碼)",
    ),
    _label(
        "card",
        "card 卡号 卡號 信用卡",
        rf"(?:\bcard{_NUMBER}{_IS}|(?:卡[号號]|信用卡){_IS_ZH})"
        r"(?P<value>\d(?:[ -]?\d){12,18})(?!\d)",
    ),
    _label(
        "account",
        "account routing sort iban",
        r"\b(?:bank account|account number|account no\.?|routing number|sort code|iban)"
        rf"{_NUMBER}(?:\s*[:=：#]\s*|\s+(?:is|was)\s*:?\s*)"
        r"(?P<value>[A-Z]{0,2}\d(?:[ -]?[\dA-Z]){5,30})(?!\w)",
    ),
    _label(
        "account",
        "银行 銀行",
        rf"(?:银行|銀行)[账帐賬帳][号號户戶]{_IS_ZH}(?P<value>\d(?:[ -]?\d){{6,24}})(?!\d)",
    ),
    _label(
        "id",
        "passport licen social ssn identity national card tax",
        r"\b(?:passport|driv(?:er|ing)'?s?\s+licen[cs]e|social security|ssn|national id|identity"
        rf" card|id card|tax id){_OF_WHAT}{_NUMBER}{_IS}"
        r"(?P<value>(?:[A-Z]{1,3} ?)?\d(?:[ -]?[\dA-Z](?![a-z])){5,20})(?!\w)",
    ),
    _label(
        "id",
        "身份 身分 证件 證件",
        rf"(?:身[份分][证證]|[证證]件)(?:字号|字號)?{_NUMBER_ZH}{_IS_ZH}(?!(?:19|20)\d\d[-/.年])"
        r"(?P<value>[A-Z]{0,2}\d(?:[ -]?[\dX]){5,19}(?:[(（][\dA][)）])?)(?![\dA-Za-z])",
    ),
    _label(
        "id",
        "护照 護照 驾驶 駕駛 驾照 駕照 社保 医保 通行证",
        r"(?:护照|護照|驾驶证|駕駛證|驾照|駕照|社保卡?|医保卡?|通行证)"
        rf"{_NUMBER_ZH}{_IS_ZH}(?P<value>[A-Z]{{0,2}}\d{{7,18}}[X]?)(?![\dA-Za-z])",
    ),
    _label(
        "seed",
        "seed recovery mnemonic backup 助记 助記",
        r"(?:(?:seed|recovery|backup)\s+(?:phrase|words)|mnemonic(?:\s+phrase)?|助[记記][词詞])"
        r"[^\n:：]{0,20}?(?:\s*[:：]\s*|\s+(?:is|are|was)\s*:?\s+|\s*[是为為]\s*|\s+)"
        r"(?P<value>(?:(?:\d+[.)]\s*)?[a-z]{3,8}[ ,\n]+){11,23}(?:\d+[.)]\s*)?[a-z]{3,8}"
        rf"|(?:[{_HAN_WORDS}][ 　]){{11,23}}[{_HAN_WORDS}])",
    ),
    _label(
        "private_key",
        "private 私钥 私鑰",
        rf"(?:private key|私[钥鑰]){_OF_WHAT}(?:\s*[:：=]\s*|\s+is\s+|\s*[是为為]\s*|\s+)"
        r"(?P<value>(?:0x)?[0-9a-f]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?!\w)",
    ),
)
_COMMON: Final = frozenset(
    listed(
        """
        wrong incorrect correct invalid valid weak strong secure insecure safe unsafe short
        long easy hard simple complex complicated same different similar unique new old mine
        yours hers his ours here there below above hidden secret private public null none
        nil true false empty blank unknown missing optional mandatory case-sensitive fine
        good bad great okay case known lost gone stolen broken written visible important
        sensitive confidential terrible ridiculous awful nonsense silly horrible perfect
        right back default always never also not no yes that this it what which who why how
        when where something anything nothing everything please see ask n/a tba tbd todo
        string str text bytes int bool fail failure ok success password passwords passwd
        secrets token key value out enough kept sent set reset forgotten forgot shown left
        made
        """
    )
)
"""Words that are said of a password and are none."""
_PARTICIPLE: Final = re.compile(r"(?:ed|ing|able|ible|ly|ful|less|ous|ive)$")
_CODE: Final = re.compile(r"(?:os|process|env|self|config|settings|request)\.|[\w.]+[(\[]")
_PIN: Final = re.compile(r"(?!(?:19|20)\d\d$)\d{4,}[#*!@$%^&]*")
_LEAST_KEY_CHARS: Final = 8
_TRIMMED: Final = ".,;:?)]}>`\\"


def by_label(text: str) -> Iterator[Span]:
    """Every secret that the words around it give away; spans may overlap."""
    lower = text.lower()
    for label in _JUDGED:
        if any(hint in lower for hint in label.hints):
            yield from _judged(text, label)
    for label in _FORMED:
        if any(hint in lower for hint in label.hints):
            for found in _compiled(label.pattern).finditer(text):
                start, end = found.span("value")
                end -= len(found["value"]) - len(found["value"].rstrip(_TRIMMED))
                if not is_placeholder(text[start:end]):
                    yield Span(start, end, label.kind)


def _judged(text: str, label: _Label) -> Iterator[Span]:
    start, pattern = 0, _compiled(label.pattern)
    while found := pattern.search(text, start):
        # Past the label alone: the value may begin the next one (`password: password is ...`).
        start = max(found.start() + 1, found.start(found.lastgroup or 0))
        start, end = found.span(found.lastgroup or 0)
        if quoted := found.lastgroup != "token":
            value = text[start:end]
        else:
            value = text[start:end].rstrip(_TRIMMED)
            end = start + len(value)
        if _holds(found, value, label.kind, quoted=quoted, rest=text[end : end + 12]):
            yield Span(start, end, label.kind)
            start = end


def _holds(found: re.Match[str], value: str, kind: str, *, quoted: bool, rest: str) -> bool:
    if is_placeholder(value) or _CODE.match(value) or value.lower() in _COMMON:
        return False
    if kind == "key":
        return _is_mixed(value) and len(value) >= _LEAST_KEY_CHARS
    if found["bare"] is not None:
        return _holds_without_a_verb(value, rest, quoted=quoted)
    if quoted:
        return True
    if value.isdigit() and _MEASURE.match(rest):
        return False
    if not value.isalpha() and value.replace("-", "").replace("'", "").isalpha():
        return found["strong"] is not None
    if not value.isalpha():
        return len(value) > 2
    ends = _CLAUSE_END.match(rest) is not None
    mixed_case = not value.islower() and not value[1:].islower() and not value.isupper()
    return len(value) > 3 and (mixed_case or (ends and _PARTICIPLE.search(value.lower()) is None))


def _holds_without_a_verb(value: str, rest: str, *, quoted: bool) -> bool:
    if quoted or len(value) < 4:
        return quoted and _is_mixed(value)
    shaped = _is_mixed(value) or _PIN.fullmatch(value) is not None
    return shaped and not _MEASURE.match(rest)


def _is_mixed(value: str) -> bool:
    return any(one.isdigit() for one in value) and any(one.isalpha() for one in value)


_MEASURE: Final = re.compile(_MEASURED.replace("(?!", "(?:", 1), re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"\s*(?:[,.;!?，。；！？、)）'\"]|\n|$)")
