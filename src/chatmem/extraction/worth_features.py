"""How a clause looks to the learned reader: its words, its place, what stands around it.

The weights in `worth.npz` belong to these features: whoever changes one raises `VERSION` and trains
anew (`python training/train.py`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

import numpy as np

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import own_words
from chatmem.text.normalise import has_han, simplify

VERSION: Final = 2
WORTH_BITS: Final = 17
CATEGORY_BITS: Final = 16
"""Features are known by the last bits of a checksum: no vocabulary has to be kept."""

_CUES: Final = {
    "zh": {
        "asks": r"帮|请|推荐|怎么|咋|如何|能不能|可以|给我|写"
        r"|翻译|介绍|解释|算|列|安排|建议|该|要不要|值得"
        r"|合适|多少|哪|啥|什么|吗|呢|么|嘛|几",
        "self": r"我|俺|咱|家|自己|本人",
        "play": r"如果|假如|要是|想象|假设|假装|扮演|设定|故事"
        r"|小说|主角|翻译|润色|台词|剧本|作文|歌词|梦",
        "now": r"今天|刚|现在|今晚|昨晚|今早|这会儿|正在|刚才|今日|寻日|而家|昨天|明天",
        "other": r"^(?:他|她|它|人家|别人|网上|有人|同事|朋友|邻居|明星)",
        "figure": r"[\d一二三四五六七八九十两百千万]",
        "latin": r"[a-z]",
    },
    "en": {
        "asks": r"\b(?:please|pls|help|write|give|tell|explain"
        r"|recommend|suggest|draft|list|how|what"
        r"|which|where|when|why|can|could|should|would|is|are|do|does|make|turn|convert"
        r"|translate|fix|any|ideas?|tips)\b",
        "self": r"\b(?:i|i'm|im|i've|ive|my|we|our|me|mine|us|we're|i'd|i'll)\b",
        "play": r"\b(?:if|imagine|pretend|suppose|story|novel|character|poem|translate|sentence"
        r"|says|said|quote|lyrics|script|scene|roleplay|game|rewrite|proofread)\b",
        "now": r"\b(?:today|tonight|now|just|this morning|currently|yesterday|tomorrow)\b",
        "other": r"^\W*(?:he|she|they|some|people|someone|neighbou?rs?|colleagues?)\b",
        "figure": r"\d",
    },
}
_MARKS: Final = {"?": r"[?？]", "!": r"[!！]", "quoted": r"[\"'“”「」『』]"}
_CAPITAL: Final = re.compile(r"(?<=\w )[A-Z][a-z]")
_KINDS: Final = {
    "zh": {
        "habit": r"每|天天|成天|整天|日日|顿顿|隔三差五|总是|总"
        r"|老是|经常|常常|一般|通常|平时|平常|向来|一向"
        r"|雷打不动|周[一二三四五六日末天]|礼拜|星期|早上"
        r"|晚上|睡前|饭后|上班前|下班|坚持|习惯|次|趟|回|逢"
        r"|必|都要|只吃|只喝|从来|基本|起床|点[起睡半]|凌晨"
        r"|一周|一个月|一天|打卡|照例|固定|轮|夜班|三班倒"
        r"|吃素|戒|跑步|健身|冥想",
        "taste": r"喜欢|爱|讨厌|烦|受不了|怕|最|迷|粉|追|控"
        r"|馋|香菜|难吃|好吃|别|不要|以后|回答|回复|直接"
        r"|简短|用中文|叫我|语气|列表|表情|说人话|宁可|宁愿"
        r"|偏|更|不想|希望|想要|钟意|中意|嫌|吃不惯|不吃"
        r"|首选|一律|尽量|废话|讲|只要|只看|只听|只认|不碰|无感|沉迷|入坑|离不开",
    },
    "en": {
        "habit": r"\bevery|\balways|\busually|\beach\b|\boften"
        r"|\bmost (?:days|mornings|nights|weekends)"
        r"|\bdaily|\bweekly|\bnightly|\bonce a|\btwice a"
        r"|\btimes a|\b(?:mon|tues|wednes|thurs|fri|satur"
        r"|sun)days?\b|\bmornings\b|\bevenings\b|\bnights\b"
        r"|\bweekends\b|\bnever\b|\brarely|\bbefore"
        r" (?:bed|work)|\bafter (?:work|dinner)|\broutine|\bhabit|\btend to|\bwhenever|\bregular",
        "taste": r"\blove|\blike|\bhate|\bprefer|\bfavou?rite|\bcan'?t stand|\bfan\b|\bobsessed"
        r"|\bdon'?t (?:use|give|start|add|say|call|do|ever)|\bplease\b|\banswer|\breply|\bkeep it"
        r"|\bstick to|\brather|\bnot (?:a fan|keen|big)"
        r"|\bbores?|\bsick of|\binto\b|\bdislike|\bloathe"
        r"|\bgive me|\bin metric|\bplain|\bshort|\bskip|\bspare me|\bstop\b|\bcall me|\bfrom now"
        r"|\bexplain|\btell me|\bjust\b|\bbest\b|\bdetest|\bfond|\benjoy|\btaste",
    },
}
_EDGES: Final = " \t\n.,，。!！?？;；:：~～…"
_FIGURES: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"[\w'’]+")

Places = np.ndarray[Any, np.dtype[np.int64]]
Values = np.ndarray[Any, np.dtype[np.float64]]
Row = tuple[Places, Values]
"""Places in the weights, and what stands there."""


@dataclass(frozen=True, slots=True)
class Look:
    """One clause: the features that say whether it is worth keeping, and of what sort it is."""

    worth: Row
    category: Row


def _counted(names: Iterable[str], each: float, bits: int = WORTH_BITS) -> Row:
    """Features that weigh so much each."""
    mask = (1 << bits) - 1
    places = [crc32(name.encode()) & mask for name in dict.fromkeys(names)]
    return np.array(places, np.int64), np.full(len(places), each)


def _spread(names: Iterable[str], weight: float, bits: int = WORTH_BITS) -> Row:
    """Features that weigh as much together, however many they are."""
    places, values = _counted(names, weight, bits)
    return places, values / max(1, len(places)) ** 0.5


def _joined(*rows: Row) -> Row:
    return np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])


def fingerprint() -> int:
    """A checksum of the features of two messages: other features, another checksum."""
    total = VERSION
    for text in (
        "My 2 kids are at Oak Lane, usually till 4. Any ideas?",
        "家里养了2只猫，每天喂三顿，怎么喂？",
    ):
        for look in looks(text, list(clauses(own_words(text))), language_of(text)):
            for places, values in (look.worth, look.category):
                total = crc32(places.astype("<i8").tobytes(), total)
                total = crc32(np.rint(values * 1000).astype("<i8").tobytes(), total)
    return total


def language_of(text: str) -> str:
    """`zh` or `en`: which weights read a message."""
    return "zh" if has_han(text) else "en"


def looks(text: str, parts: Sequence[Clause], language: str) -> list[Look]:
    """Each clause of a message as it looks.

    Args:
        text: the whole message, without code.
        parts: its clauses.
        language: `zh` or `en`.
    """
    plain = simplify(text).casefold()
    about = [f"M:#{sign}" for sign in (*_cues(plain, language), *_marks(text))]
    about.append(f"M:#long{min(9, len(plain) // (8 if language == 'zh' else 25))}")
    whole = _joined(
        _spread([f"M:{name}" for name in _short_runs(plain, language)], 1.5),
        _counted(about, 0.35),
    )
    signs = [list(_surface(part, language)) for part in parts]
    known = list(zip(parts, signs, strict=True))
    before = [_NOTHING_BEFORE, *(_beside("P:", *each, language) for each in known[:-1])]
    after = [*(_beside("N:", *each, language) for each in known[1:]), _NOTHING_AFTER]
    found: list[Look] = []
    for place, part in enumerate(parts):
        runs = list(_runs(part.plain, language))
        worth = _joined(
            _spread(runs, 3),
            _counted([f"#{sign}" for sign in (*signs[place], *_standing(parts, place))], 0.5),
            before[place],
            after[place],
            whole,
        )
        found.append(Look(worth, _of_category(runs, parts, place, language)))
    return found


def _of_category(runs: Sequence[str], parts: Sequence[Clause], place: int, language: str) -> Row:
    strong, weak = [], []
    for kind, pattern in _compiled(language, "kinds").items():
        if said := pattern.findall(parts[place].plain):
            strong += [f"#{kind}", *(f"#{kind}:{word}" for word in said)]
        for beside in (place - 1, place + 1):
            if 0 <= beside < len(parts) and pattern.search(parts[beside].plain):
                weak.append(f"#{kind}{beside - place:+}")
    return _joined(
        _spread(runs, 3, CATEGORY_BITS),
        _counted(strong, 1, CATEGORY_BITS),
        _counted(weak, 0.5, CATEGORY_BITS),
    )


def _standing(parts: Sequence[Clause], place: int) -> Iterator[str]:
    part = parts[place]
    yield f"place{min(place, 4)}"
    yield f"of{min(len(parts), 6)}"
    yield f"last{place == len(parts) - 1}"
    yield f"first{part.first}"
    yield f"stated{part.stated}"
    yield f"questioned{part.questioned}"


def _beside(side: str, part: Clause, signs: Sequence[str], language: str) -> Row:
    """A clause as the one beside it sees it."""
    signs = [*signs, f"stated{part.stated}", f"questioned{part.questioned}"]
    return _joined(
        _spread([f"{side}{word}" for word in _short_runs(part.plain, language)], 1.5),
        _counted([f"{side}#{sign}" for sign in signs], 0.35),
    )


_NOTHING_BEFORE: Final = _counted(["P:#none"], 0.35)
_NOTHING_AFTER: Final = _counted(["N:#none"], 0.35)


def _surface(part: Clause, language: str) -> Iterator[str]:
    yield from _cues(part.plain, language)
    yield from _marks(part.text)
    if language == "en" and _CAPITAL.search(part.text):
        yield "capital"
    length = len(part.plain) if language == "zh" else len(part.plain.split())
    yield f"long{min(9, length // 2)}"


def _cues(plain: str, language: str) -> Iterator[str]:
    for cue, pattern in _compiled(language, "cues").items():
        if pattern.search(plain):
            yield cue


def _marks(text: str) -> Iterator[str]:
    for mark, pattern in _compiled("", "marks").items():
        if pattern.search(text):
            yield mark


@lru_cache(8)
def _compiled(language: str, which: str) -> dict[str, re.Pattern[str]]:
    patterns = {"cues": _CUES, "kinds": _KINDS}[which][language] if language else _MARKS
    return {name: re.compile(pattern) for name, pattern in patterns.items()}


def _trimmed(plain: str) -> str:
    return _FIGURES.sub("0", plain).strip(_EDGES)


def _runs(plain: str, language: str) -> Iterator[str]:
    """Runs of up to three: characters in Chinese; in English words, and letters of a word."""
    said = _trimmed(plain)
    if language == "zh":
        said = f"^{said}$"
        for long in (1, 2, 3, 4):
            for start in range(len(said) - long + 1):
                yield said[start : start + long]
        return
    words = _WORD.findall(said)
    yield from words
    ends = ["^", *words, "$"]
    for long in (2, 3):
        for start in range(len(ends) - long + 1):
            yield " ".join(ends[start : start + long])
    for word in words:
        spelt = f"<{word}>"
        for long in (3, 4):
            for start in range(len(spelt) - long + 1):
                yield f"~{spelt[start : start + long]}"


def _short_runs(plain: str, language: str) -> Iterator[str]:
    said = _trimmed(plain)
    if language == "zh":
        for long in (1, 2):
            for start in range(len(said) - long + 1):
                yield said[start : start + long]
        yield f"^{said[:2]}"
        yield f"{said[-2:]}$"
        return
    words = _WORD.findall(said)
    yield from words
    if words:
        yield f"^{words[0]}"
        yield f"{words[-1]}$"
