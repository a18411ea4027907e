"""What Chinese words tell of a text: its category, what it offers and asks for, how one feels."""

from typing import Final

from chatmem.model import CATEGORIES, Category
from chatmem.text.languages.language import Cues, TextFlags, emotions, expression, word_lists

WORDS: Final = word_lists("chatmem.text.languages.zh", "words")

_NUMERAL = "0-9零〇一二两三四五六七八九十百半几"
_TIME: Final = expression(
    rf"[{_NUMERAL}](?:年|月|日|号|天|周|小时|分钟|个月|个星期|个小时|[点时][钟半整前后]|点[0-9零一二三四五])"
    r"|[0-9二两三四五六七八九十]点|周[一二三四五六日天]"
)
# 一个 is an article more than a number.
_NUMBER: Final = expression(
    "[零二两三四五六七八九十百千万亿半][零一二两三四五六七八九十百千万亿]{0,20}多?"
    "[个只条张本家位次件份场名岁块元斤米公里厘层楼号年月日天小时分周度倍口辆台部套间杯瓶碗盘页遍人成]"
    "|一[只条张本家位件份名岁块元斤米层楼号年月日周倍口辆台部套间杯瓶碗盘页遍百千万]"
)


def _categories(normal: str) -> set[Category]:
    return {one for one in CATEGORIES if _has_any(normal, WORDS["categories"][one])}


def _text_flags(normal: str) -> int:
    found = 0
    if _has_any(normal, WORDS["offers"]["time"]) or _TIME.search(normal):
        found |= TextFlags.TIME.value
    if _NUMBER.search(normal):
        found |= TextFlags.NUMBER.value
    return found


def _asks_for(normal: str) -> int:
    flags = (("time", TextFlags.TIME), ("number", TextFlags.NUMBER))
    return sum(flag.value for name, flag in flags if _has_any(normal, WORDS["asks"][name]))


def _has_any(text: str, phrases: tuple[str, ...]) -> bool:
    for phrase in phrases:  # noqa: SIM110 - a loop takes half the time of any() here
        if phrase in text:
            return True
    return False


_OTHERS: Final = (
    r"[他她你您]|客户|顾客|别人|对方|大家|孩子|宝宝|[妹姐哥弟爸妈]|父亲|母亲|老公|老婆|丈夫|妻子"
    r"|女友|男友|女朋友|男朋友|女儿|儿子|朋友|同事|老板|领导|老师|学生|同学|室友|邻居"
    r"|爷爷|奶奶|外公|外婆|猫|狗"
)

CUES: Final = Cues(
    categories=_categories,
    text_flags=_text_flags,
    asks_for=_asks_for,
    feelings=emotions(WORDS["feelings"]),
    exclaimed={},
    # 我妹妹很生气 and 客户生气, but not 我妹妹让我很生气.
    not_own=rf"(?:{_OTHERS})[^我]*$|怎么[^我]{{0,3}}(?:安慰|让|哄)|如何",
    not_felt=(
        r"(?:不(?:是|会|要|用|再|必|太|怎么|那么|很|算|觉得|感到)?|没(?:有|那么|什么)?|别|勿|无需"
        r"|并非)(?:太|很|这么|那么|再|特别|非常|瞎|过于)?$"
    ),
    politeness="《[^《》]*》|(?:很|非常)?高兴(?:能)?(?:认识|见到|和你|跟你|与你)",
    question_particles=("吗", "呢"),
    counted="元|块|人",
)
