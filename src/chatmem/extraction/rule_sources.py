"""Messages that say nothing of their writer: parts in a play, letters, logs of other chats."""

import re
from typing import Final

_ROLE: Final = re.compile(
    r"^\W*(?:please )?(?:(?:i want you to |you will |i'd like you to "
    r"|can you )?(?:act as|pretend|imagine|role-?play)|let's (?:play|pretend"
    r"|role-?play|imagine)"
    r"|you are (?:an?|the|my|now)\b|you will be|you're (?:an?|my|the)\b"
    r"|play the role|in this (?:story|scenario|game|role-?play)|roleplay"
    r"|system ?:|suppose\b)"
    r"|^\W*(?:我们)?(?:请你?|请|来)?(?:扮演|假装|假设|想象|想像|你是一|你现在是"
    r"|你将|充当|角色扮演|玩个?(?:角色|游戏))",
    re.IGNORECASE,
)
_PLAY: Final = re.compile(
    r"\b(?:role-?play|in character|pretend(?:ing)? (?:that )?(?:i|you|to)"
    r"|my character|persona|dungeon master|you play|i'll play|i will play"
    r"|write (?:it )?from the (?:perspective|point of view)|in the voice of"
    r"|first[- ]person (?:story|narrat\w+|essay))\b"
    r"|角色扮演|扮演|你来演|我来演|假装|以.{1,12}的(?:口吻|身份|语气|视角|角度)|第一人称",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(
    r"^\W*(?:dear \w+|subject ?:|from ?: .+|to whom it may concern|尊敬的)"
    r"|\n\s*(?:best|kind|warm)? ?(?:regards|sincerely|yours (?:truly"
    r"|sincerely))\b|此致\s*敬礼",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(
    r"[:;]\s*['‘\"“](?:hi|hello|hey|i|i'm|i've|my|we|we're|dear|as|to)\b", re.IGNORECASE
)
_CHAT_LOG: Final = re.compile(
    r"^[ \t]*(?:[A-Z][\w ]{0,18}|user|assistant|human|[\u4e00-\u9fff]{1,6}"
    r"|\[?\d{1,2}:\d{2}\]?.{0,20})[:：] ?\S.*\n(?:.*\n)*?[ \t]*(?:[A-Z][\w "
    r"]{0,18}|user|assistant|ai|bot|[\u4e00-\u9fff]{1,6}"
    r"|\[?\d{1,2}:\d{2}\]?.{0,20})[:：] ?\S",
    re.MULTILINE,
)
_TEXT_ASKED: Final = re.compile(
    r"\b(?:write|draft|compose|create|generate|make up|come up with|give me"
    r"|continue|finish|complete|turn this into)\b[^.?!\n]{0,60}"
    r"\b(?:story|poem|song|lyrics|novel|dialogue|script|monologue|email|e-mail"
    r"|letter|speech|essay|tweet|caption|post|bio|diary|journal entry|sentences?"
    r"|paragraph|message|review|toast|haiku|scene|fanfic\w*|ad"
    r"|joke)s?\b[^.?!\n]{0,60}[:\n]"
    r"|(?:写|编|作|创作|起草|拟|生成|续写|造)[^。？！\n]{0,20}(?:故事|诗|歌词"
    r"|小说|对话|剧本|独白|邮件|信|演讲稿|作文|文案|朋友圈|日记|句子|段子|台词"
    r"|简介|短文|稿)[^。？！\n]{0,16}[：:\n]"
    r"|(?:这句话|这段话|下面|以下|这篇|这封)[^。？！\n]{0,20}[：:\n]",
    re.IGNORECASE,
)
LOOKS_PERSONAL: Final = re.compile(
    r"\b(?:i|i'm|i've|i'll|mom|mum|dad|wife|husband|grandma|grandpa|sister"
    r"|brother|moved|started|lost|born|based|allergic|dentist"
    r"|please|stop|correction|wedding|flight|relocated|adopted|bought|fan|into"
    r"|person|obsessed|been|kids?|turned|joined|quit|favou?rite|prefer|every"
    r"|always|never|old|diabetic|coeliac|celiac|started|switched|finally"
    r"|graduated|retired|married|here"
    r"|intolerant|studying|training|hooked|any ?more|yesterday|over|from now on|use"
    r"|flying|vegan|vegetarian|love|hate|can't|don't|appointment|interview|exam"
    r"|\w+day|tomorrow|got|live|my|me|we|our|your|answers|we're|name's|name is"
    r"|remember|forget|note)\b|[我咱俺叫养養住记記忘家爱愛喜讨討过過对對老备備搬岁"
    r"歲每下明后後月周週坐职職读讀学學婚单單吃般睡起常惯慣错錯正刚剛终終没沒平做住"
    r"戒改换換吃喝租买買病症炎追粉迷烦煩怕晕暈查确確信属屬考孕胎号號]",
    re.IGNORECASE,
)
"""Cheap: what has none of this gives nothing."""


_CODE_LINE: Final = re.compile(
    r"^(?:[ \t]+(?:#|//|/\*|\*) .*$|[ \t]*(?:def |class \w+[(:]|return\b|import "
    r"|from \w+ import|function\b"
    r"|const |let \w+ ?=|var |if ?\(|for ?\(|while ?\(|public |private |static "
    r"|#include|print\(|console\.|select .+ from |insert into |<\/?\w+[^>]*>|\$ "
    r"|>>> |[\w.]+\(.*\)[;:]?$|.*[{};]\s*$|.*\w+ ?= ?[\"'\[{(].*|.*=>.*))",
    re.IGNORECASE,
)


def without_code(text: str) -> str:
    """The text without the lines that are code, fenced or not."""
    if "\n" not in text and "(" not in text:
        return text
    return "\n".join("" if _CODE_LINE.match(line) else line for line in text.split("\n"))


def is_no_source(text: str) -> bool:
    """True for a message that is a part in a play, a letter, or a log of another chat."""
    return (
        _ROLE.search(text) is not None
        or _PLAY.search(text) is not None
        or _LETTER.search(text) is not None
        or _TEXT_ASKED.search(text) is not None
        or _GIVEN.search(text) is not None
        or ("\n" in text and _CHAT_LOG.search(text) is not None)
    )
