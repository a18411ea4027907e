"""Words and signs of feeling; Chinese in Simplified characters."""

from collections.abc import Mapping
from typing import Final

from chatmem.text.wordlist import listed

OPPOSITE: Final[Mapping[str, str]] = {"happy": "sad"}
"""What a denied feeling is; one that is missing here leaves nothing."""

_ENGLISH: Final[Mapping[str, str]] = {
    "happy": """
        happy happier happiest glad excited thrilled delighted joyful overjoyed ecstatic relieved
        pleased proud grateful
    """,
    "sad": """
        sad depressed heartbroken miserable lonely disappointed hopeless gutted unhappy devastated
        grieving crying cried homesick upset down
    """,
    "angry": """
        angry furious annoyed mad frustrated irritated outraged livid pissed
    """,
    "anxious": """
        worried anxious nervous scared afraid stressed panicking panicked overwhelmed terrified
        frightened uneasy worrying
    """,
    "surprised": """
        surprised shocked astonished stunned amazed speechless
    """,
}
_AMBIGUOUS: Final = frozenset({"down", "proud", "pleased"})
CUES_EN: Final[Mapping[str, str]] = {
    word: emotion
    for emotion, block in _ENGLISH.items()
    for word in listed(block)
    if word not in _AMBIGUOUS
}
"""Words that tell a feeling, whose it is the words before them tell."""

STRONG_EN: Final[Mapping[str, str]] = {
    **dict.fromkeys(listed("yay hooray woohoo yippee woo yaaay"), "happy"),
    **dict.fromkeys(listed("ugh argh grr wtf"), "angry"),
    **dict.fromkeys(listed("omg"), "surprised"),
}
"""Words that nobody says of others."""

PHRASES_EN: Final = (
    ("great news", "happy"),
    ("made my day", "happy"),
    ("best day", "happy"),
    ("so proud", "happy"),
    ("feeling down", "sad"),
    ("feel down", "sad"),
    ("want to cry", "sad"),
    ("broke up with me", "sad"),
    ("passed away", "sad"),
    ("fed up", "angry"),
    ("sick of", "angry"),
    ("pisses me off", "angry"),
    ("drives me crazy", "angry"),
    ("stressing me out", "anxious"),
    ("stresses me out", "anxious"),
    ("freaking out", "anxious"),
    ("can't believe it", "surprised"),
    ("didn't expect", "surprised"),
    ("did not expect", "surprised"),
    ("no way", "surprised"),
)

_CHINESE: Final[Mapping[str, str]] = {
    "happy": """
        开心 高兴 快乐 太好了 太棒了 好棒 兴奋 激动 很幸福 好幸福 太幸福
        真幸福 觉得幸福 感到幸福 幸福感 哈哈哈 爽 欣慰 松了一口气 喜极而泣 乐坏 美滋滋
    """,
    "sad": """
        难过 伤心 沮丧 失落 想哭 孤独 失望 心碎 郁闷
        委屈 难受 悲伤 绝望 心疼 抑郁 哭了 寂寞 想家 低落
    """,
    "angry": """
        生气 气死 愤怒 恼火 烦死 火大 受够了 可恶
        太过分 气人 恼怒 讨厌死 忍无可忍 无语 烦躁 火冒三丈
    """,
    "anxious": """
        担心 焦虑 紧张 害怕 压力大 压力好大 压力很大 好慌 很慌
        心慌 不安 发愁 忐忑 恐慌 担忧 着急 怕死了 睡不着觉
    """,
    "surprised": """
        惊讶 震惊 没想到 吃惊 天哪 天啊 惊呆 不敢相信 出乎意料 太意外 居然
    """,
}
_NO_CUE_ALONE: Final = frozenset({"居然", "爽"})
CUES_ZH: Final = tuple(
    (word, emotion)
    for emotion, block in _CHINESE.items()
    for word in listed(block)
    if word not in _NO_CUE_ALONE
)

EMOJI: Final = tuple(
    (sign, emotion)
    for emotion, signs in (
        ("happy", "😀 😃 😄 😁 😆 😊 🙂 🥳 🎉 😍 🥰 🤩 😂 🤣 😋"),
        ("sad", "😢 😭 😞 😔 🙁 ☹ 😿 💔 😥 🥺"),
        ("angry", "😠 😡 🤬 👿 😤"),
        ("anxious", "😰 😨 😟 😬 😧 😱"),
        ("surprised", "😲 😮 😯 🤯 😳"),
    )
    for sign in signs.split()
)
