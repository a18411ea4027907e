"""A session's title: the first thing that somebody asked for or told, without its politeness."""

import re
from collections.abc import Sequence
from typing import Final

from chatmem.analysis.topic import FILLERS
from chatmem.text.normalise import has_han, normalise
from chatmem.text.segment import extract_keywords
from chatmem.text.sentences import sentences

MAX_TITLE_CHARS: Final = 60
_TRIED_MESSAGES: Final = 8
_LEAST_KEYWORDS: Final = 2
_SHORT_WORDS: Final = 3
_SHORT_CHARS_ZH: Final = 5

_POLITE_EN: Final = re.compile(
    r"""^\W*(?:
        (?:hi|hello|hey|hiya|dear|good\ (?:morning|afternoon|evening|day)|greetings|yo|ok|okay
          |so|well|thanks|thank\ you|please|sorry|excuse\ me|um+|hmm+|sure|great|alright)\b
        (?:\ (?:there|all|everyone|again|assistant|so\ much|very\ much|a\ lot))?[\s,.!:;-]*
      | (?:can|could|would|will)\ (?:you|u)(?:\ (?:please|kindly|possibly|maybe|also))?
        (?:\ help\ (?:me|us)(?:\ (?:to|with|out\ with))?)?\s+
      | (?:would\ you\ mind|do\ you\ mind)\s+
      | i(?:'d|\ would)\ (?:like|love)\ (?:you\ )?(?:to\ know\ )?to\s+
      | i\ (?:want|need)\ (?:you\ )?to\s+
      | i\ was\ wondering\ (?:if|whether)\ (?:you\ could\ )?
      | (?:please\ )?help\ (?:me|us)(?:\ (?:to|with|out\ with))?\s+
      | i(?:'m|\ am)\ looking\ for\s+(?=\w)
      | (?:could|can|may)\ i\ (?:please\ )?(?:get|have|ask)(?:\ you)?\s+
      | give\ me\s+ | (?:please\ )?tell\ me(?:\ about)?\s+ | show\ me\s+ | do\ you\ know\s+
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_POLITE_ZH: Final = re.compile(
    r"^[\s，。！、~,.!？?]*(?:(?:你好|您好|嗨|哈喽|早上好|上午好|下午好|晚上好|早安|早|在吗|在么"
    r"|嗯+|好的?|那么?|谢谢你?|多谢|請問|请问|请教一下|請教一下|打扰了?|打擾了?|不好意思|麻烦你?"
    r"|麻煩你?|劳驾)(?:啊|呀|哦|吗|嗎|，|,|。|！|!|\s)+|(?:你好|您好|请问|請問|麻烦你?|麻煩你?)"
    r"|(?:你|您)?(?:能不能|能否|可不可以|可以|能)(?:请|請)?(?:帮我|幫我|帮忙|幫忙|给我|給我"
    r"|替我)(?:一下)?|(?:请|請)?(?:你|您)?(?:帮我|幫我|帮忙|幫忙|给我|給我|替我)(?:一下)?|我(?:想"
    r"|要)(?:请你|請你|问一下|問一下|问问|問問|请教一下|请问|問)|(?:请|請)(?=[\u4e00-\u9fff]{3}))"
)
_INTRODUCTION: Final = re.compile(
    r"^\W*(?:my name(?:'s| is)|i'm back|i am back|nice to meet|i'm [A-Z]\w+$|it's me|how are you"
    r"|are you there|thanks?|thank you|good night|see you|bye|i understand|i see|got it)\b|^(?:我叫"
    r"|我的名字|我是[\u4e00-\u9fff]{2,3}$|很高兴|很高興|认识你|認識你|(?:今天)?我?又来"
    r"|谢谢|謝謝|明白|知道了|再见|再見|晚安)",
    re.IGNORECASE,
)
"""Who says this has not yet said what the session is for."""
_ENDING: Final = " \t\n,，.。!！;；:：~…、-—"
_ASKING: Final = re.compile(r"[吗嗎呢吧]?(?<![?？])[?？]++$")
_CLAUSE: Final = re.compile(r"[，,；;：:](?=\s|[\u3400-\u9fff])|\s[-–—]\s|——")


def title_of(texts: Sequence[str]) -> str:
    """At most 60 characters in the speaker's own words, or "" where nobody said anything.

    Args:
        texts: what one side says, message by message, without code and quotations.
    """
    candidates: list[str] = []
    for text in texts[:_TRIED_MESSAGES]:
        for sentence in sentences(text):
            if title := _cleaned(sentence):
                if _tells_enough(title) and not _INTRODUCTION.search(title):
                    return cut_title(title)
                candidates.append(title)
    spoken = (title for title in candidates if extract_keywords(title))
    return cut_title(next(spoken, candidates[0] if candidates else ""))


def _cleaned(sentence: str) -> str:
    title = " ".join(sentence.split())
    for _ in range(4):  # Hi there, could you please help me ...
        shorter = _POLITE_ZH.sub("", _POLITE_EN.sub("", title, count=1), count=1)
        if shorter == title or not shorter.strip(_ENDING):
            break
        title = shorter
    question = title.rstrip(')"”').endswith(("?", "？")) and title == " ".join(sentence.split())
    title = title.rstrip(_ENDING) if question else _ASKING.sub("", title).rstrip(_ENDING)
    title = title.lstrip(_ENDING)
    if not any(character.isalnum() for character in title):
        return ""
    return title[0].upper() + title[1:] if title[0].isascii() else title


def _tells_enough(title: str) -> bool:
    """True for two words of content, or one in a sentence: not for `Berlin` or `AI companion`."""
    telling = [word for word in extract_keywords(title) if normalise(word) not in FILLERS]
    if len(telling) < _LEAST_KEYWORDS:
        return bool(telling) and (len(title.split()) > _SHORT_WORDS or _is_long_zh(title))
    return len(title.split()) > _LEAST_KEYWORDS or _is_long_zh(title)


def _is_long_zh(title: str) -> bool:
    return has_han(title) and len(title) > _SHORT_CHARS_ZH


def cut_title(title: str) -> str:
    """The title at a clause's or a word's end, with … where words are missing."""
    if len(title) <= MAX_TITLE_CHARS:
        return title
    for mark in reversed(list(_CLAUSE.finditer(title[:MAX_TITLE_CHARS]))):
        if mark.start() >= MAX_TITLE_CHARS // 3 and _tells_enough(title[: mark.start()]):
            return title[: mark.start()].rstrip(_ENDING)
    head = title[: MAX_TITLE_CHARS - 1]
    if title[MAX_TITLE_CHARS - 1].isascii() and " " in head[MAX_TITLE_CHARS // 2 :]:
        head = head[: head.rindex(" ")]
    return f"{head.rstrip(_ENDING)}…"
