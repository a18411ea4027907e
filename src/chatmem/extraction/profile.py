"""What a person says about themselves and about how they want to be answered.

Precision before recall: a profile stands in every prompt, and a wrong line there misleads every
answer. Source: S2.2.2.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.extraction.background import background_in
from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import own_words
from chatmem.extraction.profile_words import (
    ADDRESSED_AS,
    FORMATS,
    LANGUAGE_NAMES,
    LANGUAGE_WORDS,
    REFUSED,
    REPLY_IN,
    STYLES,
    Phrasing,
)
from chatmem.extraction.slot_patterns import NO_NAMES_ZH, alternatives
from chatmem.text.language import Script, script_of

SINGLE_SLOTS: Final = frozenset(
    {"reply_language", "reply_length", "reply_tone", "reply_format", "address"}
)
"""Of these a profile holds one each: a new statement replaces the old one."""
MAX_STATEMENT_CHARS: Final = 120


@dataclass(frozen=True, slots=True)
class ProfileStatement:
    """A line for a profile, in the message's language, and what it is about.

    `slot` is one of reply_language, reply_length, reply_tone, reply_format, address, background and
    preference; all but the last two are single-valued.
    """

    text: str
    slot: str


# A reply in general (`your answers`), or an order that says it is to last.
_LASTING: Final = re.compile(
    r"\b(?:always|from now on|in (?:the )?future|going forward|every time|whenever|by default"
    r"|in general|generally|never|all your|"
    r"each time|henceforth|i(?:'d)? (?:really |much |generally |usually )?(?:prefer|like)"
    r"|i want you to|i'd like you to|i would like you to|"
    r"your (?:answers|replies|responses|explanations|messages)|answers|replies|responses)\b"
    r"|以后|今后|往后|从现在起|从今以后|从今天起|总是|一直|永远|每次|默认|都用|都要|都请|我(?:更"
    r"|比较|很|最)?(?:喜欢|希望|想要|偏好|习惯)|之后都|接下来都"
)
_ONCE: Final = re.compile(
    r"\ban? (?:[\w-]+ ){0,2}(?:answer|reply|response|explanation)\b|"
    r"\b(?:this (?:one|time|question|answer|once|email|letter|text|message|task|case|paragraph"
    r"|essay|story|report)|just (?:once|now|this)|"
    r"only this|for now|today|the (?:following|next|last|above|email|letter|text|essay|summary"
    r"|title|report)|it|that|a|an)\b(?! (?:bit|little|lot|friendly|casual|formal|direct|relaxed"
    r"|warm|more|humorous|professional|concise|brief|shorter|short|detailed|simple|plain|gentle"
    r"|playful|funny|witty|conversational)\b)"
    r"|这(?:次|回|一次|个|篇|封|段|句|道|题|份)|本次|暂时|今天|刚才|上面|下面|以下|那(?:个|篇|封"
    r"|段)|只这"
)
_REPLYING_EN: Final = (
    r"(?:repl(?:y|ies)|answers?|respon(?:d|ses?)|speak|talk|write|explanations?|explain|messages?"
    r"|communicate|chat)"
)
_REPLYING_ZH: Final = (
    r"(?:回答|回复|答复|回应|回覆|(?:跟|和|对|与)我(?:说话|说|聊天|聊|交流|沟通|对话|讲)|解释"
    r"|讲解|答案|回我|输出)"
)

_IN_LANGUAGE: Final = re.compile(
    rf"\b{_REPLYING_EN}(?: to me| with me| me| back)?(?: only)?(?: be)? (?:in|using) "
    rf"(?P<v>{alternatives(key for key in LANGUAGE_WORDS if key.isascii())})\b"
    rf"|(?:用|使用|以|讲|说)"
    rf"(?P<w>{alternatives(key for key in LANGUAGE_WORDS if not key.isascii())})(?:来|跟我|和我"
    rf"|给我|对我|与我)?{_REPLYING_ZH}"
    rf"|{_REPLYING_ZH}(?:我|时|的时候|请|都|一律|最好|也|要)*(?:用|使用|以)"
    rf"(?P<x>{alternatives(key for key in LANGUAGE_WORDS if not key.isascii())})"
)
_STYLE_EN: Final = alternatives(word for style in STYLES for word in style[3])
_STYLE_ASKED_EN: Final = re.compile(
    r"\b(?:keep|make|give(?: me)?|prefer|like|want|love|need|with|be|provide|write|use)\b"
    r"(?P<rest>.*)"
)
_ABOUT_REPLIES_EN: Final = re.compile(
    r"\b(?:repl(?:y|ies)|answers?|respon(?:d|ses?)|explanations?|explain|tone|wording|"
    r"(?:talk|speak|write|chat) (?:to|with) me|your (?:style|language|messages))\b"
    rf"|\bbe (?:more |a bit |a little |very |as )*(?:{_STYLE_EN})\b"
)
_DEGREE: Final = r"(?:more |very |really |as |quite |a bit |a little |less )*"
_STYLE_BY_WORD: Final = re.compile(
    rf"\b(?P<d>less |not (?:so |too |be )?|n't be (?:so |too )?|too )?{_DEGREE}"
    rf"(?P<v>{_STYLE_EN})\b(?!-)"
)
_ABOUT_REPLIES_ZH: Final = re.compile(rf"{_REPLYING_ZH}|语气|风格|口吻|答得")
_DENIED: Final = re.compile(
    r"\b(?:not|no|never|without|avoid|stop|hate|dislike)\b|n't\b|不|别|没|讨厌"
)
_MINE: Final = re.compile(
    r"\bmy (?:own )?(?:answers?|repl(?:y|ies)|responses?|messages?|writing|tone)\b|我的(?:回答"
    r"|回复|语气|答案|文章)"
)
_OWN_DEED_ZH: Final = re.compile(r"我(?:会|要|来|去|在|尝试|试着|打算|觉得|感到|给|把|已经|刚)")
_FEW_WORDS: Final = 6
_OVER_LONG_ZH: Final = re.compile(r"(?:太|过于|不够|没那么|不是很)$")

_CALL_ME: Final = re.compile(
    r"\b[Cc]all me (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)\b(?! (?:when|at|back|later|if|on"
    r"|tomorrow|again|in))"
    r"|\bI(?:'d)? (?:prefer|like|want)(?: to be called| to go by) (?P<w>[A-Z][\w'’-]*)"
    r"|\bI go by (?P<x>[A-Z][\w'’-]*)"
)
_CALL_ME_ZH: Final = re.compile(
    r"(?:^|请|你|您|以后|就|可以|直接|都)(?:都|就|直接|可以)*(?:叫我|称呼我(?:为)?|管我叫"
    r"|喊我)\s?(?P<v>[A-Za-z][\w'-]*|[\u4e00-\u9fff]{1,4}?)(?:吧|就好|就行|就可以|好了|即可|哦"
    r"|啊)*\s*[。！!~.]*$"
)


def profile_statements(message: str) -> tuple[ProfileStatement, ...]:
    """What belongs into the profile of the user who wrote `message`; mostly nothing.

    Questions, suppositions, quotations, statements about others and orders for one answer give
    nothing. The later of two statements for a single-valued slot counts. Source: S2.2.2.
    """
    own = own_words(message)
    if not own.text or not _HINT.search(own.text) or _ROLE.search(own.text):
        return ()
    script = script_of(own.text)
    said = list(clauses(own))
    # An order that stands alone is meant to last; one beside a question is meant for its answer.
    alone = len(own.sentences) == 1 and not any(clause.questioned for clause in said)
    found: dict[tuple[str, str], ProfileStatement] = {}
    of_self, on_replies = False, False
    for clause in said:
        of_self = of_self and not clause.first
        on_replies = on_replies or _on_replies(clause.plain)
        if not clause.stated:
            continue
        statements = list(_in_clause(clause, script, alone=alone, on_replies=on_replies))
        if not statements:
            statements = [
                ProfileStatement(text, slot)
                for slot, text in background_in(clause, of_self=of_self)
                if len(text) <= MAX_STATEMENT_CHARS
            ]
            of_self = of_self or bool(statements)
        for statement in statements:
            key = "" if statement.slot in SINGLE_SLOTS else statement.text.lower()
            found[(statement.slot, key)] = statement
    return tuple(found.values())


_ROLE: Final = re.compile(
    r"^\W*(?:please )?(?:(?:i want you to |you will )?act as|pretend|imagine|let's (?:play"
    r"|pretend)|role-?play|you are (?:an?|the|my)\b|you will be)"
    r"|^\W*(?:请你?|請你?)?(?:扮演|假装|假裝|假设|假設|想象|想像|你是一|你现在是|你現在是|充当"
    r"|充當)",
    re.IGNORECASE,
)
"""A message that gives the assistant a part in a play is about that part."""
_HINT: Final = re.compile(
    r"\b(?:I|I'm|me|my|you|your|answers?|repl(?:y|ies)|respond|responses?|always|never|please|be"
    r"|keep|no|explain|i|use|write|speak|talk|avoid)\b"
    r"|[我请回說说語语叫用你您答别不]",
    re.IGNORECASE,
)


def _in_clause(
    clause: Clause, script: Script, *, alone: bool, on_replies: bool
) -> Iterator[ProfileStatement]:
    """What the clause says about replies and about the writer's name."""
    plain = clause.plain
    lasting = _LASTING.search(plain) is not None
    if (lasting or alone) and not _ONCE.search(plain):
        yield from _reply_language(clause, script)
        if (
            _MINE.search(plain) is None
            and _OWN_DEED_ZH.search(plain) is None
            and (on_replies or _on_replies(plain))
        ):
            yield from _reply_format(plain, script, lasting=lasting)
            yield from _reply_style(plain, script)
        elif lasting or alone:
            yield from _refused_format(plain, script)
    yield from _address(clause, script)


def _reply_language(clause: Clause, script: Script) -> Iterator[ProfileStatement]:
    match = _IN_LANGUAGE.search(clause.plain)
    if match is None or clause.denied_before(match.start()):
        return
    name = LANGUAGE_NAMES[LANGUAGE_WORDS[match["v"] or match["w"] or match["x"]]]
    yield ProfileStatement(_in(script, REPLY_IN).format(_in(script, name)), "reply_language")


def _reply_format(plain: str, script: Script, *, lasting: bool) -> Iterator[ProfileStatement]:
    compact = plain.replace(" ", "")
    for name, phrasing, english, chinese in FORMATS:
        if _has_any(plain, english) or any(words in compact for words in chinese):
            refused = name in REFUSED
            # `Explain it step by step` is an order for one answer.
            if refused or (lasting and _DENIED.search(plain) is None):
                yield ProfileStatement(_in(script, phrasing), "reply_format")
            return


def _refused_format(plain: str, script: Script) -> Iterator[ProfileStatement]:
    """`Don't use emojis`: nothing but a reply can be meant."""
    if len(plain.split()) <= _FEW_WORDS:
        yield from _reply_format(plain, script, lasting=False)


def _reply_style(plain: str, script: Script) -> Iterator[ProfileStatement]:
    given: set[str] = set()
    for slot, _, phrasing, english, chinese in STYLES:
        if slot not in given and (_wants(plain, english) or _wants_zh(plain, chinese)):
            given.add(slot)
            yield ProfileStatement(_in(script, phrasing), slot)


def _on_replies(plain: str) -> bool:
    """True if the clause is about replies, or tells how to be."""
    return (
        _ABOUT_REPLIES_ZH.search(plain) is not None or _ABOUT_REPLIES_EN.search(plain) is not None
    )


def _has_any(plain: str, phrases: tuple[str, ...]) -> bool:
    return any(_has_words(plain, words) for words in phrases)


def _has_words(plain: str, words: str) -> bool:
    place = plain.find(words)
    return place >= 0 and not plain[place + len(words) : place + len(words) + 1].isalnum()


def _wants(plain: str, adjectives: tuple[str, ...]) -> bool:
    for match in _STYLE_BY_WORD.finditer(plain):
        if match["v"] in adjectives and not match["d"]:
            asked = _STYLE_ASKED_EN.search(plain)
            if asked is not None and asked.start() <= match.start():
                return _DENIED.search(plain[: match.start()]) is None
            return False
    return False


def _wants_zh(plain: str, words: tuple[str, ...]) -> bool:
    for word in words:
        place = plain.find(word)
        if place < 0 or _OVER_LONG_ZH.search(plain[:place]):
            continue
        if word[0] in "不别少直先" or not _DENIED.search(plain[:place]):
            return True
    return False


def _address(clause: Clause, script: Script) -> Iterator[ProfileStatement]:
    if match := _CALL_ME.search(clause.text):
        name = match["v"] or match["w"] or match["x"]
    elif match := _CALL_ME_ZH.search(clause.plain):
        name = clause.text[match.start("v") : match.end("v")]
        if NO_NAMES_ZH.search(name):
            return
    else:
        return
    if not clause.denied_before(match.start()):
        yield ProfileStatement(_in(script, ADDRESSED_AS).format(name), "address")


def _in(script: Script, phrasing: Phrasing) -> str:
    if script == "en":
        return phrasing.english
    return phrasing.traditional if script == "zh-Hant" else phrasing.simplified
