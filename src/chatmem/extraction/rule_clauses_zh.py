"""Chinese clauses as who and what: 我妹妹现在住在上海 as 妹妹 and 住在上海."""

import re
from dataclasses import dataclass, replace
from typing import Final

from chatmem.extraction.rule_words_zh import CANONICAL, RELATIONS

_LEAD: Final = re.compile(
    r"^(?:[\W_]+|嗯+|哦+|噢|啊|哎呀?|唉|诶|欸|好的?|好吧|对了|对的?|是的|没错"
    r"|其实|另外|还有(?!个|一)|而且|并且|不过|但是?|可是|然而|因为|由于|所以|因此"
    r"|然后"
    r"|那个|那么?(?=我)|你好呀?|您好|大家好|哈喽|嗨|嘿|hi|hello|hey|早上好|下午好"
    r"|晚上好|早安|说实话|老实说|讲真|话说|说起来|说到这个|顺便说一下|顺便提一下"
    r"|顺便一提|顺便说一句|顺便|顺带一提|补充一下|补充一点|更新一下|更正一下"
    r"|跟你说(?:一下|个事)?|告诉你(?:一下|个事|一件事)?|和你说(?:一下)?|忘了(?:说"
    r"|告诉你)了?|忘记(?:说|告诉你)了?|毕竟|事实上|实际上|总之|反正|哈+|呵呵|嘻嘻"
    r"|谢谢你?|感谢|抱歉|不好意思|不对|不是(?=$|[\W我])|错了|说错了|自我介绍一下|介绍一下"
    r"|先说一下|首先|其次|最后|再说|当然|确实|的确|虽然|尽管|既然|原来|朋友"
    r"|亲爱的|ai|ai伴侣|小助手|助手"
    r"|我(?:先)?(?:跟|和|给)你(?:说|讲|介绍)一?下?(?=我|,|，)|说明一下|背景是?"
    r"|如题|本来|总的来说|至于我|我呢(?=，|,|$)|我这个人(?=，|,)|对我来说"
    r"|个人(?=比较|很|更|喜欢))+"
)
_SELF: Final = r"(?:我本人|我自己|我个人|我这个?人|我|本人|俺|咱)"
_SUBJECT: Final = re.compile(
    r"^(?:(?P<rel>(?:我(?:们)?(?:的|家的?|那个)?|家里?的?|咱家?的?|(?=(?:外婆"
    r"|外公|爷爷|奶奶|姥姥|姥爷|妈妈|爸爸|老婆|老公|女儿|儿子|闺女|姐姐|妹妹|哥哥"
    r"|弟弟|爸妈|父母|女朋友|男朋友|室友)(?:住|在|是|今年|对|有|养|叫|刚|最近"
    r"|特别|很|也|去年|喜欢|不|[上下]周"
    rf"|明天)))(?P<who>{RELATIONS})(?P<name>[小阿老][\u4e00-\u9fff](?=[住在是叫有今"
    rf"喜不也去刚要会对])|[A-Za-z]{{2,12}})?)"
    rf"|(?P<we>我们(?:一家(?:[三四五]口)?|全家|家|俩|两个|夫妻俩?)?(?=\S)|我家(?!人|庭|里人)|咱家)"
    rf"|(?P<me>{_SELF})(?!们|觉得|认为|感觉|想(?:问|知道|请|要你|让你)|猜|怀疑"
    r"|听说|希望|以为|发现|记得|知道|问|看到|家(?:人|庭)))"
)
_ADVERBS: Final = re.compile(
    r"^(?:现在|目前|如今|当前|眼下|最近|其实|真的|真是|个人|本身|自己|本来"
    r"|一直以?来?|一直都?|从小就?|从小到大|长期|平时|平常|已经|早就|早已|刚刚"
    r"|刚才|刚好|刚|才|又|也|都|就|还|正|正在(?=住|读|学习)|终于|确实|的确|当然"
    r"|可能是|应该是|算是|今年|去年|前年|特别|非常|超级|超|很|挺|蛮|真|比较|相对"
    r"|尤其|十分|相当|总体|向来|一向|始终|目前还|好像|毕竟|居然|竟然|完全|几乎"
    r"|基本上?|一般|通常|主要|大部分时间|业余|生活中|私下|周末|工作之余|闲暇时?"
    r"|空闲时间?|，)+"
)
_DROPPED: Final = re.compile(
    r"^(?:现在|目前|如今|其实|真的|个人|本身|就|也|都|还|又|刚刚|刚|已经|的)+"
)
_END: Final = re.compile(
    r"[\s。.！!~～…,，;；:：)）、\U0001f300-\U0001faff☺-❤]+$|(?:啊|呀|哦|哈|嘛|啦"
    r"|哟|喔|噢|呐|吧|呢|捏|滴|嘿嘿|哈哈|呵呵)+$"
)
_MINE: Final = re.compile(rf"我们?(?:的|家的?)?(?={RELATIONS})|(?<=[和跟与给])我的")


_TOGETHER: Final = re.compile(
    rf"(?:跟|和|与)我?(?:的)?(?:{RELATIONS})(?:们)?(?:俩|两个|两个人)?(?:都|一起|也|一块)+"
)
_BUT_NOT: Final = re.compile(r"(?<=.)(?<!是)(?:，)?(?:而)?不是[^，]{1,10}$")


@dataclass(frozen=True, slots=True)
class SayingZh:
    """Who a clause is about and what it says of them.

    `who` is empty for the writer; `name` is the person's, where it is told with the role. `plain`
    is the predicate without the adverbs before it, Simplified; `said` the same as it was written;
    `own` the predicate as it is kept, `own_plain` that in Simplified characters.
    """

    who: str
    name: str
    plain: str
    said: str
    own: str
    own_plain: str
    role: str = ""
    home: bool = False
    bare: bool = False
    carried: bool = False


def without_lead_zh(said: str, plain: str) -> tuple[str, str]:
    """The clause without greetings, connectives, and the particles at its end."""
    if lead := _LEAD.match(plain):
        said, plain = said[lead.end() :], plain[lead.end() :]
    while tail := _END.search(plain):
        said, plain = said[: tail.start()], plain[: tail.start()]
    return said, plain


def saying_zh(said: str, plain: str) -> SayingZh | None:
    """Who and what a clause says; None where it names neither the writer nor his people."""
    subject = _SUBJECT.match(plain)
    if subject is None:
        return None
    who = subject["who"] or ""
    name = said[slice(*subject.span("name"))] if subject["name"] else ""
    role = said[slice(*subject.span("who"))] if who else ""
    home = (subject["we"] or "").endswith("家")
    return predicate_zh(
        SayingZh(CANONICAL.get(who, who), name, "", "", "", "", role, home),
        said[subject.end() :],
        plain[subject.end() :],
    )


def predicate_zh(subject: SayingZh, said: str, plain: str) -> SayingZh | None:
    """The subject with another predicate."""
    said, plain = said.lstrip(" ，,"), plain.lstrip(" ，,")
    own, own_plain = said, plain
    if dropped := _DROPPED.match(plain):
        own, own_plain = said[dropped.end() :], plain[dropped.end() :]
    core, core_plain = said, plain
    if adverbs := _ADVERBS.match(plain):
        core, core_plain = said[adverbs.end() :], plain[adverbs.end() :]
    core, core_plain = core.lstrip(), core_plain.lstrip()
    if also := _TOGETHER.match(core_plain):
        core, core_plain = core[also.end() :], core_plain[also.end() :]
    if denied := _BUT_NOT.search(core_plain):
        core, core_plain = core[: denied.start()], core_plain[: denied.start()]
    if not core_plain:
        return None
    if subject.home and core_plain.startswith("在"):
        core, core_plain = "家" + core, "家" + core_plain
    return replace(subject, plain=core_plain, said=core, own=own, own_plain=own_plain)


def told_zh(subject: SayingZh, own: str, own_plain: str) -> str:
    """A sentence about the person, without the first person."""
    told, start = "", 0
    for mine in _MINE.finditer(own_plain):
        told += own[start : mine.start()]
        start = mine.end()
    told += own[start:]
    told = re.sub(r"我們的?|我们的?", "家人", told).replace("我", "自己") if "我" in told else told
    if subject.who:
        role = {
            "妈": "妈妈",
            "爸": "爸爸",
            "姐": "姐姐",
            "妹": "妹妹",
            "哥": "哥哥",
            "弟": "弟弟",
            "媽": "媽媽",
        }.get(subject.role, subject.role)
        return f"{role}{subject.name}{told}"
    if subject.home and not told.startswith(("有", "养", "養", "住")):
        return f"家{told}"
    return told.strip()
