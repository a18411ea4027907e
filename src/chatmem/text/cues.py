"""Cues: which kind of memory a message speaks of, and (from `flags`) what it offers or asks for.

Words are looked up in sets, phrases as pairs of neighbouring words or with `in`: a message of 100
characters costs a few microseconds.
"""

import re
from itertools import pairwise, product
from typing import Final

from chatmem.model import Category
from chatmem.text.flags import TextFlags, asks_for, has_any, text_flags
from chatmem.text.normalise import has_han, normalise
from chatmem.text.wordlist import listed

__all__ = ["TextFlags", "asks_for", "detect_categories", "text_flags"]

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
# Left out before pairs are looked up: "I really like", "I also usually work".
_ADVERBS: Final = frozenset(
    listed(
        """
        really also still always usually often never truly absolutely especially particularly
        actually just both all even so currently now
        """
    )
)
_PEOPLE = listed("i you we they he she who")

_PREFERENCE_WORDS: Final = frozenset(
    listed(
        """
        likes love loves loved hate hates hated prefer prefers preferred preference preferences
        favorite favourite favorites favourites dislike dislikes disliked enjoy enjoys enjoyed
        adore adores loathe fond
        """
    )
)
# "like" counts after the one who likes, not in "it looks like rain" or "I would like a table".
_PREFERENCE_PAIRS: Final = frozenset(
    [
        *product(
            [*_PEOPLE, *listed("do does did don't doesn't didn't dont not")], ["like", "liked"]
        ),
        *[("fan", "of"), ("keen", "on"), ("can't", "stand"), ("into", "it"), ("would", "rather")],
        *[("i'd", "rather"), ("interested", "in"), ("rather", "not")],
    ]
)
_PREFERENCE_ZH: Final = listed(
    """
    喜欢 喜爱 偏好 偏爱 讨厌 厌恶 热爱 钟爱 最爱 爱吃 爱喝 爱看 爱听 爱玩 不爱 受不了 宁愿 宁可
    更愿意 感兴趣 反感 着迷 痴迷 口味 嗜好
    """
)

_FACT_WORDS: Final = frozenset(
    listed(
        """
        born birthday hometown allergic allergy allergies married divorced occupation profession
        employer nationality graduated surname nickname birthplace
        """
    )
)
_RELATED = listed(
    """
    name job wife husband son daughter sister brother mother father mom mum dad dog cat age
    address phone number email company boss partner girlfriend boyfriend family parents kids
    children doctor car house flat apartment office team school major degree
    """
)
_FACT_PAIRS: Final = frozenset(
    [
        *product(_PEOPLE, listed("live lived work worked study studied own grew moved speak")),
        *product(["he", "she", "who"], listed("lives works studies owns speaks")),
        *product(["am", "i'm"], listed("a an from the based allergic called named")),
        *product(["i", "we", "i've"], ["have", "had", "got"]),
        *product(["my", "our"], _RELATED),
        *[("years", "old"), ("how", "old"), ("call", "me"), ("am", "i")],
    ]
)
_FACT_ZH: Final = listed(
    """
    我是 我叫 我姓 我的名字 叫什么 住在 我住 我家 来自 出生 生日 岁 工作 上班 就职 职业 毕业 专业
    结婚 离婚 过敏 地址 电话 邮箱 手机号 年龄 老家 家乡 籍贯 国籍 公司 我有个 我有一个 我有一只
    我有两 我养 我妈 我爸 我老婆 我老公 我妻子 我丈夫 我女儿 我儿子 我姐 我哥 我弟 我妹
    """
)

_PATTERN_WORDS: Final = frozenset(
    listed(
        """
        usually always often normally typically regularly routinely generally frequently habit
        habits routine routines everyday daily weekly nightly monthly mondays tuesdays wednesdays
        thursdays fridays saturdays sundays weekends mornings evenings
        """
    )
)
_PATTERN_PAIRS: Final = frozenset(
    [
        *product(
            ["every", "each"],
            listed(
                """
                day morning afternoon evening night week weekend month year summer winter time
                monday tuesday wednesday thursday friday saturday sunday
                """
            ),
        ),
        *[("tend", "to"), ("tends", "to"), ("used", "to"), ("most", "days"), ("how", "often")],
        *product(["once", "twice", "times"], ["a", "per"]),
    ]
)
_PATTERN_ZH: Final = listed(
    """
    每天 每日 每周 每月 每年 每次 每晚 每早 每个 每逢 每到 通常 总是 老是 习惯 经常 常常 平时 平常
    往往 一般 一向 定期 从来 多久一次
    """
)

_CUES: Final[
    tuple[tuple[Category, frozenset[str], frozenset[tuple[str, str]], tuple[str, ...]], ...]
] = (
    ("preference", _PREFERENCE_WORDS, _PREFERENCE_PAIRS, _PREFERENCE_ZH),
    ("fact", _FACT_WORDS, _FACT_PAIRS, _FACT_ZH),
    ("pattern", _PATTERN_WORDS, _PATTERN_PAIRS, _PATTERN_ZH),
)


def detect_categories(message: str) -> frozenset[Category]:
    """The categories whose cues `message` has; a question about a preference has its cue too.

    Source: S3.3.2.
    """
    text = normalise(message)
    found = _WORD.findall(text.replace("’", "'"))
    spoken = set(found)
    heads = [word for word in found if word not in _ADVERBS]
    pairs = set(pairwise(heads))
    chinese = has_han(text)
    return frozenset(
        category
        for category, cue_words, cue_pairs, phrases in _CUES
        if not cue_words.isdisjoint(spoken)
        or not cue_pairs.isdisjoint(pairs)
        or (chinese and has_any(text, phrases))
    )
