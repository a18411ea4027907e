"""What a Chinese clause tells of its writer by the class of its predicate, where no frame fits.

A clause counts that is about the writer (我, or nobody else is named) or about one of the people
close to them, and whose predicate is of a kind that lasts: where one lives, works and studies, what
one has, suffers from, eats, likes, does regularly, and what is fixed for a day. What is kept are
the writer's own words.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.rule_classes_zh import CLASSES, NUMBER, REST
from chatmem.extraction.rule_clauses_zh import without_lead_zh
from chatmem.extraction.rule_doings_zh import FREQUENCY
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.extraction.rule_objects_zh import core_zh, is_town_zh
from chatmem.extraction.rule_words_zh import CANONICAL, PET, RELATIONS
from chatmem.model import Category

LEAST_CHARS, MOST_CHARS = 3, 40
_SELF: Final = re.compile(
    r"^(?:我本人|我自己|我个人|我这个?人|我这边|我呢|我|本人|俺|咱|在下|自己|阮|吾)"
    r"(?!们?(?:觉得|认为|感觉|想(?!吃素)|猜|怀疑|听说|希望|以为|发现|记得|知道|问|看|说|打算让))"
    rf"(?:们一家|们家|们俩|们)?(?!{RELATIONS}|的)"
)
_HOME: Final = re.compile(
    r"^(?:我们?|咱们?|俺们?|阿拉)?(?:家里?头?|屋里头?|屋头|兜)(?=[在有养是住一俩两三])(?!人)"
)
_CLOSE: Final = re.compile(
    r"^(?:我们?(?:家)?的?|咱们?(?:家)?的?|俺(?:家)?|阮|家里?的?)?"
    rf"(?P<who>(?!老板|领导|上司|男神|同事|邻居|朋友|同学|{PET}){RELATIONS}|[大小二老][宝娃]|老[大二三]|前妻|前夫|屋里头那位|小舅子|"
    rf"姑妈|大伯)儿?(?!的|们|说|让|问|叫我|要我|给我|觉得)"
    r"(?:今年|现在|最近|刚|也|就|都|一直|是)?"
)
_OTHERS: Final = re.compile(
    r"^(?:[他她它你您谁哪]|人(?!在)|隔壁|这|那|某|一个|有个|该|某|大家|有人|别人|人家|网友|朋友|同事|同学|领导|老板|邻居|客户|老师|医生"
    r"|明星|主角|小说|电影|新闻|听说|据说|请|帮|给我|麻烦|推荐|能|可以|怎|咋|为啥|为什么|什么|有没有|是不是"
    r"|想|希望|应该|要不|如果|要是|假如|比如|就是|反正|感觉|觉得|看|说|问|但愿|祝|别|不要|不用|一定要)"
)
_ADVERBS: Final = re.compile(
    r"(?:现在|目前|如今|其实|真的|最近|前阵子|前段时间|上个月|去年|今年|一直以?来?|从小就?|从小到大|已经|早就|刚刚|刚"
    r"|才|又|也|都|就|还|正在?|终于|确实|基本上?|特别|非常|超级?|很|挺|蛮|真|比较|平时|天生|向来|从来|毕竟|反正"
    r"|倒是|是真|总算|最|可|老|算是|目前是|呢|吧|啊|，|,|\s)+"
)
_UNSURE: Final = re.compile(
    r"可能|也许|或许|大概|说不定|好像|似乎|应该|不知道|不确定|差点|要不要|是不是|如果|要是|假如|[吗么]$|考虑|犹豫|纠结"
    r"|(\w)不\1|好想|真想|想要|以为|据说|听说|万一|多想|要能|就好了|该不该|能不能|好还是"
)
_PASSING: Final = re.compile(
    r"今天|今儿|今晚|昨晚|昨天|刚才|这会儿?|这几天|这两天|这周|此刻|一会儿"
)
_WORK: Final = re.compile(
    r"主角|童话|角色|剧本|人设|造句|翻译|润色|改写|续写|仿写|朗诵|模仿|台词|歌词|编个|编一|讲个|讲一个|写个|写一|写首|写段|写篇"
    r"|这句|这段|这话|怎么说|咋说|怎么翻|谁写的|谁唱|标题改|帮我改|文案|作文|对联|朋友圈|段子|脚本|读者来信|起诉状|模板|范文|下文|下面这|把这[段句]|翻成|译成|译中|扮成|网友|網友|新闻|热搜|微博|听歌识曲"
)
"""Work on a text, made up or somebody else's."""
_HABIT: Final = re.compile(
    rf"(?:{REST}{{0,4}})?(?:{FREQUENCY}|隔三差五|三天两头|雷打不动|每隔{NUMBER}天|隔周末?|天天|"
    rf"每个?月{REST}{{0,4}}|下班(?:后|基本)?都?|基本都|从不|从来不|风雨无阻)"
    rf"{REST}*?(?:跑|走|游|健身|撸铁|打|练|学|读|看|写|吃|喝|嗦|做|去|回|给|陪|接|送|加班|熬夜|睡|起|骑|瑜伽|冥想|喝酒|抽|发工资|上班|值|"
    rf"遛|浇|逛|买|记|背)"
)
_LASTS: Final = re.compile(
    r"^(?:是|有|不会|只|属|姓|负责|管|带|教|搞|用|戴|穿|怕|信|睡|血|英语|数学|大学|专业|小名|全名"
    r"|手|脚|腿|腰|眼|耳|牙|皮肤|头发|体质|胃|肠|心脏|肺|肝|肾|性格|脾气|记性|方向感|工资|月薪|收入|公司|单位|部门|学校|宿舍|寝室|班"
    r"|小区|房子|楼|车|手机|电脑|微信|网名|生肖|星座|年薪|社恐|路痴|脸盲|过敏|晕|粉|馋|毕业|结婚|离婚|单身|退休)"
)
_PASSES: Final = re.compile(
    r"(?:去|看|做|吃|玩|参加|遇到|听|读|收到|见|试|尝试|拍|走|逛|来|到|聊|完成|发现|写|唱|跳|喝|点|带|学会|看到|听到|想到|弄|打|洗)(?:了|过|"
    r"完)(?!\d|[一二两三四五六七八九十百多几半]+年)"
    r"|感到|感觉|心情|有点(?!近视|洁癖|高)|有些|一点(?:点|儿)?|兴奋|期待|担心|害怕|紧张|压力|困难|沮丧|疲|不错|糟|难过|遗憾|好奇|羡慕|后悔|生气|无聊|满意"
    r"|会(?:尝试|努力|注意|去|考虑|试|记|好好|继续|多|尽|看|告诉|再|帮|的$|议|议室)|试试|打算|准备|需要|应该|要求|得(?:去|先|赶)|必须|想|希望|"
    r"请|可以|能不能"
    r"|明白|了解|同意|理解|谢谢|很高兴|没有?(?:问题|什么|其他|计划|办法|时间|事|关系|错|用|意见|想法|意思|听|看|见|想|说|问|注意|收|找|怎么|准备)"
    r"|忘|在(?:想|看|听|等|找|忙|考虑|思考|纠结|犹豫|写|用|做|吃|玩|弄|整理|改|查|搜)|问题|时间$|有空|有事|疑问|想法|打扰|知道|觉得|认为|不懂|"
    r"不太懂|不清楚"
    r"|不明白|不行|不对|不好意思|不敢|不怪|不信|一下|刚才|待会|等会|马上|现在就|正好|顺便|突然|居然|终于|好像|直是一个|回来|疑惑|朋友|同事|同学|领导|老板|"
    r"部门|客户|邻居"
    r"|这|那(?!台|辆|部)|它|他|她|大家|别人|游戏|这局|对手|角色|在家$|不客气|不介意|不确定|没事|是说|是问|是指|是不是|不是(?:说|问|这|故意|很|太|"
    r"要)|是(?:要|想|来|为了|第一次|真|在|说|问)"
)
_TIRED: Final = re.compile(
    r"降温|赶上|碰上|累|(?<!最)烦|困(?!难)|忙死|难受|崩溃|头疼|无聊|郁闷|开心|生气|头秃|想死|受够"
)
_OF_DAY: Final = re.compile(
    r"(?:一?开始|起|早上|上午|中午|下午|晚上|凌晨|[\d一二三四五六七八九十]{1,3}点半?|，|,)+"
)
_MOVED: Final = re.compile(
    r"改到|改成|改在|推迟|提前|挪到|延到|延期|定在|约在|约的|约了|订了|报了|买了"
)
_DUE: Final = re.compile(
    r"要|去|跟|和|做|考|开学|开庭|飞|搬|结婚|回|出发|面试|手术|体检|复查|预约|约|有|交|到期|生日|转|报到|入职|开始|参加|答辩|婚礼|聚|见|"
    r"来|过来|生|出院|入院|截止|毕业|上班|出差|旅|动身|登机|到"
)
_VAGUE: Final = re.compile(
    r"这|那|里面|其中|的是|让|它|他|她|电影中|书中|游戏里|一家公司$|公司$|单位$|一段时间|什么|啥|一起|一下|一个人$|你|您|咬|哭|闹"
)
_OF_KIND: Final = {
    "车": re.compile(r"车|特斯拉|比亚迪|model|辆|奔驰|宝马|奥迪|丰田|本田|suv"),
    "手机": re.compile(r"手机|iphone|华为|小米|oppo|vivo|荣耀|三星|一加"),
    "电脑": re.compile(r"电脑|笔记本|macbook|联想|拯救者|戴尔|thinkpad|台式"),
    "相机": re.compile(r"相机|索尼|sony|佳能|尼康|富士|微单|单反"),
}
_NOT_MEANT: Final = re.compile(rf"{_UNSURE.pattern}|[你您]")
_NOT_DUE: Final = re.compile(
    r"了$|昨|前天|过了|天气|下雨|节目|放假|快递|包裹|不想|不是|不用|不回|不来|不去|懒得|怎么"
)
_MOVED_TO: Final = re.compile(r"(?:改到|改成|改在|推迟到?|提前到?|挪到|延到|延期到|定在|约在)了?")
_HOUR: Final = re.compile(
    r"^(?:早上|上午|中午|下午|晚上|凌晨)?[\d一二三四五六七八九十]{0,3}(?:点半?)?"
)


@dataclass(frozen=True, slots=True)
class _Saying:
    """A clause, as it was written and plain, and whom it is about.

    `who` is empty for the writer; `start` is where the predicate begins, `named` whether the
    writer or his people are named.
    """

    said: str
    plain: str
    today: date
    who: str
    start: int
    named: bool

    @property
    def core(self) -> str:
        """The predicate without the adverbs before its verb."""
        adverbs = _ADVERBS.match(self.plain, self.start)
        return self.plain[adverbs.end() if adverbs else self.start :]

    def fact(self, key: str, value: str, category: Category, start: int | None = None) -> Fact:
        """What it tells, in the writer's own words."""
        begins = self.start if start is None else start
        if self.who:
            begins = self.plain.find(self.who)
        told, plain = self.said[begins:].lstrip("，, "), self.plain[begins:].lstrip("，, ")
        if len(told) == len(plain):
            told = with_dates(told, dates_in(plain, self.today))
        if "我" in told:
            told = re.sub(r"我们?的?", "自己", told)
        if self.who and key:
            key = f"relation:{CANONICAL.get(self.who, self.who)}:{key}"
        return Fact(told.strip(), key or None, value or None if key else None, category)


def names_another_zh(plain: str) -> bool:
    """True for a clause whose subject is neither the writer nor one of his people."""
    return _OTHERS.match(plain) is not None and re.match("[那这]", plain) is None


def is_work_zh(text: str) -> bool:
    """True for a message that is work on a text: what stands in it is not about its writer."""
    return _WORK.search(text) is not None


def generally_zh(said: str, plain: str, today: date, *, follows_another: bool) -> Fact | None:
    """What the clause tells, or None.

    One that names nobody is about its writer, unless it follows one about somebody else.
    """
    said, plain = without_lead_zh(said, plain)
    if not LEAST_CHARS <= len(plain) <= MOST_CHARS or _NOT_MEANT.search(plain):
        return None
    saying = _saying(said, plain, today)
    if saying is None or (follows_another and not saying.named):
        return None
    core = saying.core
    if _OTHERS.match(core) or _TIRED.search(core):
        return None
    if fact := _due(saying):
        return fact
    return None if _PASSING.search(plain) else _lasting(saying, core)


def _saying(said: str, plain: str, today: date) -> _Saying | None:
    """The clause with its subject, behind a day that may stand first; None: it is not ours."""
    dates = dates_in(plain, today)
    lead = dates[0].end if dates and dates[0].start == 0 else 0
    if time := _OF_DAY.match(plain, lead):
        lead = time.end()
    who, begins = _about(plain[lead:])
    if begins is None:
        return None
    return _Saying(said, plain, today, who, lead + begins, begins > 0)


def _lasting(saying: _Saying, core: str) -> Fact | None:
    """A habit, or what a class of predicates says."""
    if _HABIT.match(saying.plain, saying.start):
        return saying.fact("habit:" + thing(core)[:20], core, "pattern")
    for kind in CLASSES:
        match = kind.pattern.match(core)
        if match is None or not (saying.named or kind.alone) or (kind.close and not saying.who):
            continue
        value = match.groupdict().get("v") or match[0]
        if kind.key == "hometown" and not is_town_zh(value):
            continue
        if not _VAGUE.match(value):
            told = kind.value.format(match[0], v=value) if kind.value else ""
            return saying.fact(_key(kind.key, value, match), told, kind.category)
    own = saying.named and not saying.who
    if own and _LASTS.search(core) and not _PASSES.search(saying.plain):
        return saying.fact("", "", "fact")
    return None


def _key(template: str, value: str, match: re.Match[str]) -> str:
    """The key; possessions go by their kind, so that a new phone takes the old one's place."""
    about = match.groupdict().get("k") or value
    if template.startswith("possession:"):
        for name, words in _OF_KIND.items():
            if words.search(about):
                return f"possession:{name}"
    return template.format(v=core_zh(thing(value)), k=core_zh(thing(about))) if template else ""


def _about(plain: str) -> tuple[str, int | None]:
    """Whom a clause is about ("": its writer), and where its predicate begins; None: not ours."""
    if close := _CLOSE.match(plain):
        if close.end() < len(plain):
            return close["who"], close.end("who")
        return "", None
    for own in (_HOME, _SELF):
        if found := own.match(plain):
            return "", found.end()
    if _OTHERS.match(plain):
        return "", None
    return "", 0


def _due(saying: _Saying) -> Fact | None:
    """What is fixed for a coming day."""
    plain, start = saying.plain, saying.start
    dates = [
        one for one in dates_in(plain, saying.today) if one.first > saying.today and one.is_day
    ]
    if len(dates) != 1 or (_NOT_DUE.search(plain) and not _MOVED.search(plain)):
        return None
    (day,) = dates
    rest = plain[start:] if day.start == 0 else plain[start : day.start] + plain[day.end :]
    if len(rest) < LEAST_CHARS or not (_DUE.search(rest) or _MOVED.search(rest)):
        return None
    about = _HOUR.sub("", _MOVED_TO.sub("", rest).removesuffix("了"))
    key = f"plan:{core_zh(thing(about))[:16]}"
    return saying.fact(key, day.first.isoformat(), "fact", 0 if day.start == 0 else start)
