"""What may be a place, a name, a firm, or a thing that somebody likes, in Chinese."""

import re
from typing import Final

from chatmem.extraction.rule_words_zh import COUNTRIES, SURNAMES
from chatmem.extraction.slot_patterns import NO_NAMES_ZH
from chatmem.text.chinese import place_at_start
from chatmem.text.normalise import has_han

_PLACE_END: Final = re.compile(
    r"(?:省|市|县|区|州|镇|乡|村|岛|路|街|湾|港|城|山|江|湖|园|苑|府|里|庄|屯|沟"
    r"|坝|桥|门|口|小区|公寓|宿舍|郊区|市区"
    r"|农村|乡下|城里|老家|国外|北方|南方|东北|西北|华南|江南|海边|市中心|市郊"
    r"|县城|学校|别墅|四合院|胡同|弄堂|楼|层|新房|新家"
    r"|租的房子|出租屋|单位宿舍|国|洲|家|附近|边|滨|海|京|川|南|北|东|西|安|阳|林|州)$"
)
_NO_PLACE: Final = re.compile(
    r"^(?:这|那|哪|一起|一块|我|你|他|她|它|大|好|坏|老(?!家)|男|女|穷|富|普通"
    r"|聪明|明白|成年|年轻|本地|外地|外国|过来|当事|别|路|机器|素|局外|内向|外向"
    r"|读书|生意|中间|工薪|打工|上班"
    r"|文科|理科|技术|音乐|媒体|一个|两个|几个|自己|什么|谁|人|女|男|新|有钱|病"
    r"|恋|主持|创始|负责|经纪|合伙|候选|年|都|城里|乡下(?=人)|农村(?=人)|湖人|坏"
    r"|怪|急性|家(?=人)|亲|恩|盲|残疾|正常|感性|理性|幸运|夜|早起|晚睡|完美主义"
    r"|i$|e$)"
)
_NO_THING: Final = re.compile(
    r"^(?:[你您他她它这那哪谁我]|什么|自己|的|和[你您他她]|跟[你您他她]"
    r"|上了?[你您他她我]|一个人|一个女|一个男|某|怎么|如何|吗|吧|呢|啊|了|过|就"
    r"|死|得|不|人家|别人|很多|所有|一切|一些|任何|用(?:中文|英文|简洁|简短)"
    r"|(?:中文|英文)回|思考|聊天机器人|能|可以|被|让|有点|一点|这种|那种|这样"
    r"|那样|每|各|更|太|以上|上面|下面|听你|看你|与你)"
    r"|[你您他她它]|这(?:个|些|种|样|部|本|首|款)|那(?:个|些|种|样|部|本|首|款)"
    r"|建议|回答|回复|问题|的(?:时候|话|原因|感觉|人|样子|方式)$|上面|刚才|你说"
    r"|推荐|东西$|里面|电影中|剧中|书中|其中|剧情|大家|方案|选项|版本"
)
_TAIL: Final = re.compile(
    r"(?:了|啊|呀|哦|呢|哈|嘛|吧|啦|的|之类的?|什么的|等等?|这些|这类|一类|类的?东西)+$"
)
_VERB: Final = re.compile(r"^(?:吃|喝|看|听|玩|打|做|读|去)(?:点|些)?(?=\S\S)")
MAX_THING_ZH: Final = 20


def is_place_zh(plain: str) -> bool:
    """True where somebody can live there: behind 住在 nearly everything is a place."""
    return 1 < len(plain) <= MAX_PLACE_ZH and not _NOWHERE.search(plain)


_NOWHERE: Final = re.compile(
    r"心里|梦里|梦中|过去|回忆|世界|幻想|水深火热|阴影|恐惧|焦虑|压力|痛苦|幸福"
    r"|虚拟|故事|小说|游戏|手机|这|那|哪|什么|[他她你您]"
    r"|^(?:一起|一块|我|谁|朋友家|同事家|别人|人家|一个人|得|不|过|几)"
    r"|^[一二三四五六七八九十\d]+[楼层]|时代|年代|和平|当下|谎言"
)
MAX_PLACE_ZH: Final = 14


def is_town_zh(plain: str) -> bool:
    """True for the name of a place where somebody can come from."""
    if _NO_PLACE.match(plain) or not plain:
        return False
    if not has_han(plain[:1]):
        return True
    if re.match(COUNTRIES, plain) or _PLACE_END.search(plain):
        return True
    return place_at_start(plain) > 0


def is_name_zh(plain: str) -> bool:
    """True for what can be somebody's name and is no other word."""
    if not plain or NO_NAMES_ZH.search(plain):
        return False
    return not re.search(r"[的了吗呢么啥]|什么|怎么|一个|我们|他们|名字|一下|不|做|是|很", plain)


def is_full_name_zh(plain: str) -> bool:
    """True for a surname and one or two characters that together are no common word."""
    if not 2 <= len(plain) <= 3 or plain[0] not in SURNAMES:
        return False
    return not _NO_FULL_NAME.search(plain)


_NO_FULL_NAME: Final = re.compile(
    r"(?:人|生|师|员|家|手|者|民|工|族|控|党|粉|的|了|子|女|男|士|长|官|迷|狗|猫"
    r"|友|客|鬼|派|型|座|号|后|岁|年|月|日|度|级|班|系|司|店|部|法|想|说|爱|吃|看"
    r"|去|来|在|到|过|会|要|不|很|好|性|心|情|天|本|主|一|样|常|真|是|有|没|么"
    r"|地)$"
    r"|^(?:高中|高三|高二|高一|程序|金融|白领|单身|单亲|安全|成年|应届|全职|方便"
    r"|常常|温柔|强迫|解决|包括|于是|向来|车|马上|时候|时常|万一|项目|游戏|曾经"
    r"|何必|计算机|易怒|连续|史上|钟爱|毕业|包子|管理|苗条|关于|纪念|路过|路痴"
    r"|习惯|乐观|甘愿)"
)


def is_firm_zh(plain: str) -> bool:
    """True where somebody can work there."""
    return (
        not re.search(
            r"^(?:家|公司|这|那|哪|外面|努力|认真|一起|线上|网上|农村|城里|国外|外地)"
            r"|[你您]|的时候|的路上|什么",
            plain,
        )
        and len(plain) > 1
    )


def is_thing_zh(plain: str) -> bool:
    """True where it can be understood later what it is that is liked."""
    core = _TAIL.sub("", plain)
    return 0 < len(core) <= MAX_THING_ZH and _NO_THING.search(core) is None


def core_zh(said: str) -> str:
    """The thing itself: 咖啡 of 喝咖啡了."""
    said = _TAIL.sub("", said)
    return _VERB.sub("", said)


def is_city(plain: str) -> bool:
    """True where the whole is the name of a place that the dictionary knows."""
    return place_at_start(plain) == len(plain)
