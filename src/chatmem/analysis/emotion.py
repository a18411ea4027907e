"""How a person feels, by what a message says outright. Source: S3.1 (last_emotion)."""

import re
from typing import Final

from chatmem.text.normalise import has_han, normalise
from chatmem.text.wordlist import listed, word_lists

_CUES: Final = {
    table: {cue: emotion for emotion, cues in emotions.items() for cue in cues}
    for table, emotions in word_lists("chatmem.analysis", "emotion").items()
}
"""What each cue says, by table."""
_OPPOSITE: Final = {"happy": "sad"}
"""What a denied feeling is; one that is missing here leaves nothing."""
_READ_CHARS: Final = 1_000
_CLAUSE: Final = re.compile(
    r"[,.!?;:\n。，！？；：~…]+|(?<![^\S\n])\s{1,64}but\s+|(?=但是?|不过|可是)"
)
_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?")
_SELF: Final = frozenset(["i", "i'm", "im", "i've", "i'd", "me", "myself", "we", "we're"])
_ARTICLES: Final = frozenset({"a", "an", "the", "some", "any", "many"})
_BEFORE_A_FEELING: Final = frozenset(
    listed(
        """
        so very really just feel feeling felt getting not never too absolutely pretty quite
        bit a little kinda still now honestly super extremely also and
        """
    )
)
_NOT: Final = frozenset(
    listed(
        """
        not no never isn't don't didn't wasn't aren't won't hardly without nothing ain't
        stop
        """
    )
)
_POLITENESS: Final = re.compile(
    r"《[^《》]*》|(?:很|非常)?高[兴興](?:能)?(?:认识|認識|见到|見到|和你|跟你|与你)|"
    r"(?i:(?:so |very )?(?:glad|happy|pleased|delighted) to (?:meet|see|hear|help|chat)|happy "
    r"(?:birthday|new year|holidays?|hour)|afraid (?:that|so|not|i )|mad max)"
)
"""What has a word of feeling in it and tells none: titles, greetings."""
_NOT_BEFORE: Final = 3
_NOT_ZH: Final = re.compile(
    r"(?:不(?:是|会|要|用|再|必|太|怎么|那么|很|算|觉得|感到)?|没(?:有|那么|什么)?|别|勿|无需"
    r"|并非)(?:太|很|这么|那么|再|特别|非常|瞎|过于)?$"
)
_OTHERS_ZH: Final = re.compile(
    r"[他她你您]|客户|顾客|别人|对方|大家|孩子|宝宝|[妹姐哥弟爸妈]|父亲|母亲|老公|老婆|丈夫|妻子"
    r"|女友|男友|女朋友|"
    r"男朋友|女儿|儿子|朋友|同事|老板|领导|老师|学生|同学|室友|邻居|爷爷|奶奶|外公|外婆|猫|狗"
)
_ASKS_ZH: Final = re.compile(r"怎么[^我]{0,3}(?:安慰|让|哄)|如何")


def emotion_of(text: str) -> str:
    """One of `model.EMOTIONS`: the one with most cues, of several the last; else `neutral`.

    A denied feeling turns: not happy is sad, not worried is nothing. Feelings of others and of
    people in general do not count.

    Args:
        text: what a person says, without code and quotations.
    """
    head = _POLITENESS.sub(" ", text[:_READ_CHARS])
    normal = normalise(head).replace("’", "'")
    emoji = {} if head.isascii() else _CUES["emoji"]
    found = [emotion for sign, emotion in emoji.items() if sign in head]
    chinese = has_han(normal)
    for clause in _CLAUSE.split(normal):
        if clause:
            found += _in_english(clause)
            if chinese:
                found += _in_chinese(clause)
    if not found:
        return "neutral"
    return max(reversed(found), key=found.count)


def _in_english(clause: str) -> list[str]:
    words = _WORD.findall(clause)
    if not words:
        return []
    found = [emotion for phrase, emotion in _CUES["phrases"].items() if phrase in clause]
    for place, word in enumerate(words):
        if (strong := _CUES["exclaimed"].get(word)) is not None:
            found.append(strong)
        elif (emotion := _CUES["english"].get(word)) is not None and _is_own(words[:place]):
            denied = not _NOT.isdisjoint(words[max(0, place - _NOT_BEFORE) : place])
            if (felt := _OPPOSITE.get(emotion) if denied else emotion) is not None:
                found.append(felt)
    return found


def _is_own(before: list[str]) -> bool:
    """True where the feeling is the writer's: `I am so worried`, or a mere `so worried`."""
    if before and before[-1] in _ARTICLES:
        return False  # an angry customer
    return not _SELF.isdisjoint(before) or _BEFORE_A_FEELING.issuperset(before)


def _in_chinese(clause: str) -> list[str]:
    found: list[str] = []
    for cue, emotion in _CUES["chinese"].items():
        before, is_there, _ = clause.partition(cue)
        if not is_there or _is_of_others(before) or _ASKS_ZH.search(before):
            continue
        felt = _OPPOSITE.get(emotion) if _NOT_ZH.search(before) else emotion
        if felt is not None:
            found.append(felt)
    return found


def _is_of_others(before: str) -> bool:
    """True for 我妹妹很生气 and 客户生气, False for 我妹妹让我很生气."""
    others = list(_OTHERS_ZH.finditer(before))
    return bool(others) and "我" not in before[others[-1].end() :]
