"""Orders to memory: to remember and to forget, and what they name.

The reader tells most of them. What stands here is for those that it does not see: an order is a
command, which has to work each time, whatever it names ("remember that box 7 holds apples").
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chatmem.extraction.reader.labels import Wish
from chatmem.extraction.reader.tokens import fold
from chatmem.text.normalise import has_han
from chatmem.text.sentences import sentences

_ASK_EN: Final = (
    r"(?:(?:please|pls|can you|could you|would you|will you|i want you to|i need you to"
    r"|i'd like you to|i would like you to|you should|you must|just|also|make sure (?:you|to)|and"
    r"|but|so|oh|ok|okay|hey|hi|btw|by the way|actually|now|always|kindly|important)[,:!]? )*"
)
_REMEMBER_EN: Final = re.compile(
    rf"^\W*(?:[a-z ,]{{2,40}} and (?=keep in mind|bear in mind))?{_ASK_EN}(?:"
    r"(?:remember|note(?: down)?|keep in mind|bear in mind|take note|make a (?:mental )?note"
    r"|don't (?:ever )?forget|do not forget|never forget|write down|jot down|memori[sz]e"
    r"|add to (?:your )?memory|save to (?:your )?memory|store in (?:your )?memory)(?: (?:for me"
    r"|for later|for next time|for the future"
    r"|for future reference))?(?: the fact)?(?:,? that,? (?=\w)| this[:,]? (?=i\b|i'm|my|we|our)"
    r"|: ?|, |,? (?=i\b|i'm\b|i've\b|my\b|our\b|we\b))|(?:for (?:your|future) reference"
    r"|note to self|for the record|for your memory|a note for later)[,:] ?(?=i\b|i'm|my|we|our))"
)
_REMEMBERED_EN: Final = re.compile(
    r"(?:^|[.,;!:–—-]\s*|\b(?=(?:please|so|and|but|can you|could you|make sure)\b))(?:so |and |but "
    r"|please,? |just |can you |could you |make sure (?:you |to )|you should )*(?:remember (?:that"
    r"|this|it)|keep (?:that|this|it) in mind|don't forget (?:that|this|it)|note (?:that|this"
    r"|it) down|make a note of (?:that|this|it)|remember (?:that|this) for (?:later|next time"
    r"|the future|me)|keep (?:that|this) in mind for \w+(?: \w+)?)(?:,? (?:please|for me|ok|okay"
    r"|for next time|for later|for the future|going forward))*\s*[.!]*$"
)
_FORGET_EN: Final = re.compile(
    rf"^\W*{_ASK_EN}(?:"
    r"(?:forget|don't remember|stop remembering|you can forget|no need to remember"
    r"|don't keep) (?:about )?(?:what i (?:said|told you) (?:about|earlier about|before about) "
    r"|everything (?:i (?:said|told you) )?about |(?:the fact )?that (?=i\b|i'm|my|we|our|the\b)"
    r"|i (?:ever )?(?:said|mentioned|told you)(?: that| about)? |any(?:thing| mention) (?:of"
    r"|about) )?(?P<v>(?:i|i'm|i've|my|our|we|the|where|what|who|how|which|that)\b.+|[A-Za-z].+)"
    r"|(?:delete|remove|erase|wipe|clear|drop|scrub) (?P<w>.+?) from (?:your |the )?(?:memory"
    r"|memories|records?|notes|what you know|profile)(?: (?:about|of) me)?|(?:delete|remove|erase"
    r"|wipe|clear|scrub|forget) (?:everything|anything|whatever|all|what)(?: that)? you(?:'ve"
    r"| have)? ?(?:have|got|know|remember|stored|saved|noted|kept)?(?: down| stored"
    r"| saved)? (?:about|on|of) (?P<x>.+?))[.!\s]*$"
)
_NOT_FORGOTTEN_EN: Final = re.compile(
    r"^(?:it|that|this|about it|about that|about this|me|him|her|them|everything|all|all that"
    r"|all of (?:it|that|this)|what|the (?:last|previous|above|first|instructions?|rules?|code"
    r"|question|message)\b.*|what i (?:just )?said|to\b.*|your\b.*|you\b.*|previous\b.*"
    r"|all previous\b.*|my (?:last|previous) (?:message|question|request)|how\b.*|i asked.*"
    r"|yesterday|nothing|(?!everything|anything)\w+ing\b.*|one thing|any(?:thing)?)[.!\s]*$"
)
_ASK_ZH: Final = (
    r"(?:请|麻烦|拜托|帮我|帮忙|你|您|要|一定|务必|可以|能不能|能|就|都|也|给我|先|对了|另外|还有"
    r"|顺便|好的?|嗯|那|以后|希望|我想让|我要|我希望|可否|千万|记得|替我|把这个|，|,|\s)*"
)
_REMEMBER_ZH: Final = re.compile(
    rf"^\W*{_ASK_ZH}(?:记住|记一下|记下来?|记好|牢记|谨记|别忘了?|不要忘记?了?"
    r"|不要忘了|勿忘|记在心里|备注一下|存一下|记到记忆里|记着)(?:这[个件]?(?:事"
    r"|点|一点)?|一下|一点|了|哦|啊|吧|哈|：|:|，|,|\s)*(?=\S)"
)
_REMEMBERED_ZH: Final = re.compile(
    rf"(?:^|[，,。；;！!\s])(?:{_ASK_ZH})(?:记住(?!了)|记一下|记下来?|记好|别忘了?"
    r"|不要忘记?了?|记着)(?:这[个件]?(?:事|点|一点)?|一下|哦|啊|吧|哈|喔|呀)*[。！!~～\s]*$"
)
_FORGET_ZH: Final = re.compile(
    r"^\W*(?:请|麻烦|拜托|帮我|你|您|可以|能不能|就|也|给我|先|对了|另外|顺便|好的?|嗯|那|，|,"
    r"|\s)*(?:(?:忘掉|忘了|忘记|忘却|别再?记着?|不要再?记着?|不用再?记(?:着|住|得)?|不必再?记(?:着"
    r"|住)?)(?:吧|掉|了)?(?:关于|有关|我(?:之前|刚才|以前)?(?:[跟和对]你)?(?:说过?的?|告诉你的?"
    r"|提到的?)|，|,|\s)*(?P<v>\S.+?)|(?:把|将)(?:关于|有关)?(?P<w>.+?)(?:从(?:你的)?(?:记忆"
    r"|记录)(?:里|中)?)?(?:都|全都|给|全部)?(?:忘了|忘掉|忘记|删了|删掉|删除|清除|抹掉|去掉)"
    r"|(?:删掉|删除|清除|抹掉|抹去)(?:关于|有关|你记住的|你记得的|记忆里的?"
    r"|记忆中的?)?(?P<x>.+?)(?:的)?(?:记忆|记录|信息))(?:吧|好吗|了|谢谢|啊|哦|的事情?|这件事情?"
    r"|这回事|这件事|这个)*[。！!~\s]*$"
)
_NOT_FORGOTTEN_ZH: Final = re.compile(
    r"^(?:它|他|她|这|那|这[个些件事]*|那[个些件事]*|我|你|一切|所有|全部|吧|算了|什么|怎么|之前"
    r"|刚才|上面|以上|前面|以前|过去|烦恼|忧愁|不愉快|时间|自己|带|说|问|告诉|做|关|拿|吃|去"
    r"|密码(?:了|怎么).*|刚才的?(?:话|问题|指令)|(?:之前|上面|前面|以上)的?(?:所有)?(?:对话|内容"
    r"|指令|话|要求|设定|规则|问题|提示).*|这[些段]?.*(?:对话|文件|代码|数据).*|.*(?:文件|代码|表格"
    r"|数据库|文档|程序|这一行|第.行|函数|空格|邮件|照片|分手|前任|他|她).*)$"
)
_OWN: Final = re.compile(r"\b(?:i|i'm|i've|i'd|my|me|our|we|about)\b|[我咱]")
_MINE: Final = re.compile(r"\b(?:i|i'm|i've|i'd|my)\b|[我咱]")
_NOTED: Final = re.compile(
    r"\b(?:note|keep in mind|bear in mind|don't forget|do not forget|never forget)\b"
)
"""Orders by which texts and tasks are explained, too: only what is the writer's own counts."""
_MAY_ORDER: Final = re.compile(
    r"remember|forget|\bnote\b|in mind|memor|reference|write down|jot"
    r"|for the record|from your|from the"
    r"|记|忘|備註|备注|刪|删|清除|抹"
)
_LONGEST_ORDER_CHARS: Final = 300
"""A longer sentence is no order; the patterns are not made for more."""
_EDGES: Final = " \t\n.。!！~～,，;；:："


class MemoryOrder(NamedTuple):
    """An order in a message: the sentence that gives it, and what it names in it."""

    wish: Wish
    sentence: str
    named: str


def orders_in(message: str) -> Iterator[MemoryOrder]:
    """The orders to memory that a message gives, in order; mostly none."""
    if not _MAY_ORDER.search(fold(message).lower()):
        return
    before = ""
    for sentence in sentences(message):
        plain = fold(sentence[:_LONGEST_ORDER_CHARS]).lower()
        found = _order(plain) if len(plain) == len(sentence) else None
        if found is not None:
            wish, start, end = found
            if named := sentence[start:end].strip(_EDGES) or before:
                yield MemoryOrder(wish, sentence, named)
        before = sentence.strip(_EDGES)


def _order(plain: str) -> tuple[Wish, int, int] | None:
    """The order that a sentence gives, in lower case and Simplified, and where what it names is.

    That may be empty (`remember that`): then it is what was said before.
    """
    chinese = has_han(plain)
    # What has been said before the order: `..., remember that` is only an order to keep it.
    if match := (_REMEMBERED_ZH if chinese else _REMEMBERED_EN).search(plain):
        return "remember", 0, match.start()
    if match := (_REMEMBER_ZH if chinese else _REMEMBER_EN).match(plain):
        if _NOTED.search(match[0]) and not _MINE.search(plain[match.end() :]):
            return None
        return "remember", match.end(), len(plain)
    match = (_FORGET_ZH if chinese else _FORGET_EN).match(plain)
    if match is None or (not chinese and not _OWN.search(match[0])):
        return None
    group = next(name for name, found in match.groupdict().items() if found)
    if (_NOT_FORGOTTEN_ZH if chinese else _NOT_FORGOTTEN_EN).match(match[group]):
        return None
    return "forget", *match.span(group)
