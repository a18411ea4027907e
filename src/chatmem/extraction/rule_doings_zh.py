"""What Chinese predicates say of habits, plans and events."""

import re
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import SaidDate, dates_in, with_dates
from chatmem.extraction.rule_clauses_zh import SayingZh, told_zh
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.text.chinese import place_at_start

_DAYS: Final = r"(?:周|星期|礼拜)[一二三四五六日天末]"
FREQUENCY: Final = (
    r"(?:(?:几乎|基本上?|大概|一般)?(?:每(?:天|周|星期|月"
    r"|年)[一两二三四五六七八九十\d]+(?:[-~到至][\d一两二三四五六]+)?次|每天|每日"
    rf"|天天|每晚|每早|每(?:个|逢|到)?(?:{_DAYS}|周末|月初|月底|年春节|年|周|月"
    r"|星期|工作日|季度|隔\S天)(?:[一二三四五六日天末](?:、|和)?)*|隔天|每(?:天"
    r"|周|星期|月|年)[一两二三四五六七八九十\d]+(?:[-~到至][\d一两二三四五六]+)?次"
    rf"|每周\S{{1,2}}[次天])(?:都|会|早上|早晨|上午|中午|下午|晚上|傍晚|睡前|早起"
    r"|下班后|清晨|夜里)*)"
)
_STRONG: Final = re.compile(
    rf"^(?:{FREQUENCY}|(?:工作日|周末|平时周末|早上|晚上|睡前|午饭后|饭后|下班后"
    r"|放学后)(?:一般|通常|都会|都|总会|习惯)+)"
)
_WEAK: Final = re.compile(
    r"^(?:平时|平常|通常|一般|习惯(?:于|了)?|总是|经常|常常|从不|从来不|一向|定期"
    r"|一直坚持|坚持(?!了))(?:都|会|就|都会|还会|在)*"
)
_NO_HABIT: Final = re.compile(
    r"觉得|感觉|感到|担心|焦虑|想[^去]|希望|忙|累|失眠|睡不着|头疼|压力|烦|难过"
    r"|孤独|不知道|怎么|很[^多早晚]|好像|加班到死|发呆|浪费|后悔|聊|聊天|祝|开心"
    r"|幸福|无聊|心情|最近|忘|犯困|困|熬夜刷"
)
_DOES: Final = re.compile(
    r"[吃喝跑去做打看听读写练起睡骑游爬走唱画弹学逛买带遛锻健冥散坐开教上回给跳拍"
    r"刷泡煮记背用喂种钓洗早晚不]"
)
_POINTS: Final = re.compile(r"[他她它你您]|这[个些样里]|那[个些样里]")


def habit_zh(subject: SayingZh) -> Fact | None:
    """A habit of the writer or of somebody close, or None."""
    whole = subject.own_plain
    strong = _STRONG.match(whole) or re.search(FREQUENCY, whole)
    weak = None if strong else _WEAK.match(whole)
    match = strong or weak
    if match is None or _NO_HABIT.search(whole) or _POINTS.search(whole):
        return None
    if re.search(r"过[了的]?$|昨|今天|明天|刚才|了\S{0,3}次|想要|打算|计划|准备", whole):
        return None
    rest = whole[: match.start()] + whole[match.end() :]
    rest = rest.strip("，, ")
    if len(rest) < 2 or not _DOES.search(rest) or (weak and len(rest) < 3):
        return None
    if re.match(r"(?:喜欢|爱|讨厌|是|有(?!氧|.{0,4}[课会训])|能|可以|没)", rest):
        return None
    what = re.sub(
        r"^(?:我|也|经常|常|都|会|要|就|早上|晚上|上午|下午|中午|睡前|固定|坚持|必须|必|得|一般)+",
        "",
        rest,
    )
    what = re.sub(r"^(?:[\d一二两三四五六七八九十]+点半?(?:左右|之前|前|就|才|多)*)", "", what)
    what = re.sub(
        r"(?:了?[\d一二两三四五六七八九十半]+(?:个)?(?:小时|分钟|公里|千米|次|步)|的习惯)$",
        "",
        what,
    )
    if not what:
        return None
    key = f"habit:{_habit_of(what)}"
    if subject.who:
        key = f"relation:{subject.who}:{key}"
    return Fact(told_zh(subject, subject.own, whole), key, match[0], "pattern")


_SAME_HABIT: Final = (
    (re.compile(r"跑步|晨跑|夜跑|慢跑|跑(?=\d|[一二三五十两]|个步)"), "跑步"),
    (re.compile(r"健身|撸铁"), "健身"),
    (re.compile(r"起床|起来$"), "起床"),
    (re.compile(r"睡觉|入睡|才睡|就睡|睡$"), "睡觉"),
    (re.compile(r"游泳|瑜伽|冥想|爬山|遛狗|写日记|打坐|骑行"), ""),
)


def _habit_of(what: str) -> str:
    """One name for what is said in many ways: 跑步 for 跑五公里."""
    for pattern, name in _SAME_HABIT:
        if match := pattern.search(what):
            return name or match[0]
    return thing(what)


_WILL: Final = re.compile(
    r"要|会(?!议|儿)|准备|打算|计划|去|有(?:一?[个场次]|面试|考试|课)|得|想去|将"
    r"|飞|出发|回|搬|考|结婚|婚礼|手术|面试|出差|体检|开学|毕业|入职|上班"
    r"|旅[游行]|约了|预约|预定|订了|开始|参加|过生日|生日|到期|截止|交|答辩|演出"
    r"|比赛|开会|复查|复诊|搬家|退休|生孩子|预产期|聚会|聚餐|请假|大寿|休假|放假|考试"
)
_TRIVIAL: Final = re.compile(
    r"再[来聊说见跟和]|上班(?!第一)|上学|上课|加班|下班|继续|试[试一着]"
    r"|看看[^牙病]?$|告诉|聊|找你|问你|联系你|考虑|想想|努力|加油|注意|睡"
    r"|休息(?!日)|起床|天气|下雨|下雪|降温|好好|再说|试试|尝试|坚持|做什么|干什么"
    r"|忙(?:完|着|死)|按照|听从|学着|去实践|吃什么|心情|累"
)
_UNDATED: Final = re.compile(
    r"^(?:(?:正在|已经|也|最近|正|在|还)*(?:打算|计划|准备|决定|正在筹备"
    r"|筹备)(?:了)?(?:着)?(?:要|着|近期|过段时间|以后|将来|明年|今年)?)(?P<v>"
    r"(?:(?:和|跟|带|与)[^，。\s]{1,6}?)?(?:去(?P<p>[^，。\s的了]{2,8}?)(?:旅游"
    r"|旅行|玩|出差|留学|读书|工作|发展|看看|游玩|自驾|度假|过年|定居|待.{1,6}"
    r"|一趟|$)|考(?:研|公|证|驾照|雅思|托福|博|教资|注会|cpa|公务员)|买(?:房|车"
    r"|[一套辆台]).{0,8}|结婚|领证|搬(?:家|到|去).{0,8}|换(?:工作|房|车|手机)"
    r"|辞职.{0,8}|跳槽|转行.{0,6}|读(?:研|博|mba|在职)|留学|移民.{0,6}|创业"
    r"|开(?:一?家|个).{2,10}|装修.{0,6}|要(?:孩子|二胎)|跑(?:半马|全马|马拉松)"
    r"|减(?:肥|重).{0,6}|学(?!习一些|一些)[^，。\s]{2,10}|养[一只条].{1,6}"
    r"|退休.{0,4}|写(?:一本|一部).{1,8}|生(?:孩子|二胎)|攒钱.{0,8}))(?:了)?$"
)


_NO_PLAN: Final = re.compile(
    r"以前|曾经|过[了的]?$|每[天周月年个]|(?:生日|纪念日)(?:就?是|在|为)|一般|通常|经常|常常"
    r"|都会|平时|习惯|总是|没有?要|岁"
)


def plan_zh(subject: SayingZh, today: date) -> Fact | None:
    """Something that the writer or somebody close will do on a day that is told, or None."""
    whole = subject.own_plain
    if _POINTS.search(whole) or _NO_PLAN.search(whole):
        return None
    if match := _UNDATED.match(subject.plain):
        if match["p"] is None or place_at_start(match["p"]):
            return _planned(subject, today, match["v"], _ahead(whole, today))
        return None
    ahead = _ahead(whole, today)
    if ahead is None:
        return None
    rest = whole
    for each in reversed(dates_in(whole, today)):
        rest = rest[: each.start] + rest[each.end :]
    if (
        not _WILL.search(rest)
        or _TRIVIAL.search(rest)
        or (
            re.search(r"了$", rest)
            and not re.search(r"(?:要|就|该|到期|约|订|开学|毕业|结婚).*了$", rest)
        )
    ):
        return None
    return _planned(subject, today, rest, ahead)


def _planned(
    subject: SayingZh, today: date, what: str, ahead: SaidDate | None = None
) -> Fact | None:
    what = re.sub(
        r"^(?:前把?|的|我们?|就|也|还|都|早上|上午|中午|下午|晚上"
        r"|[\d一二三四五六七八九十]+点半?|之前|前|那天|左右|的时候|，|要|会|准备|打算"
        r"|计划|将|得|想|在|是|我|有个?|开始|和[^，去]{1,6}?(?=去)|一起|必须)+",
        "",
        what,
    )
    what = thing(re.sub(r"(?:了|吧|的)$", "", what))
    if len(what) < 2:
        return None
    key = f"plan:{_where(what) or what}"
    if subject.who:
        key = f"relation:{subject.who}:{key}"
    told = _dated(subject, today, past=False)
    return Fact(told, key, ahead.iso if ahead else "yes")


def _where(what: str) -> str:
    """The place of a journey: it is the same plan however one gets there."""
    trip = re.search(r"(?:去|飞往|飞到|飞|前往|到|回)(?P<p>[\u4e00-\u9fff]{2,8})", what)
    length = place_at_start(trip["p"]) if trip else 0
    return trip["p"][:length] if trip and length else ""


def _dated(subject: SayingZh, today: date, *, past: bool) -> str:
    told = told_zh(subject, subject.own, subject.own_plain)
    plain = told_zh(subject, subject.own_plain, subject.own_plain)
    if len(told) != len(plain):
        return told
    return with_dates(told, dates_in(plain, today, past=past)).strip()


def _ahead(plain: str, today: date) -> SaidDate | None:
    for each in dates_in(plain, today):
        if each.first > today or (
            each.unit != "day"
            and each.last >= today
            and each.unit != "week"
            and each.unit != "year"
        ):
            return each
    return None


_HAPPENED: Final = re.compile(
    r"骨折|摔(?:断|伤|了一跤)|扭(?:伤|到|了)(?:脚|腰|手)?|(?:做"
    r"|动)(?:完)?了?[^，。\s]{0,8}手术|住院|出院|生了(?:个|一个|二胎)|生(?:宝宝"
    r"|孩子)了|(?:拿|收|考)到了?(?:驾照|[^，。\s]{0,10}offer|录取"
    r"|[^，。\s]{0,8}证书?|奖学金|绿卡|签证)"
    r"|通过了?(?:[^，。\s]{0,10})(?:考试|面试|答辩|考核|试用期|六级|四级|面签)"
    r"|(?:考试|面试|答辩|六级|四级|体检|科目[一二三四])(?:通过|过)了|考上了?"
    r"|从?[^，。\s]{0,8}毕业了|升职了|加薪了|涨薪|被裁|失业了|分手了|离婚了"
    r"|结婚了|订婚了|领证了|求婚(?:成功)?了?"
    r"|去世|过世|离世|搬(?:家|进新[家房])了?|买(?:了)?(?:房|车)了?|卖(?:了"
    r"|掉)(?:房|车)|跑(?:完|了)[^，。\s]{0,6}(?:马拉松|半马|全马)"
    r"|得了?第[一二三\d]|获(?:得)?(?:了)?[^，。\s]{0,10}奖|(?:瘦|胖"
    r"|减)了[^，。\s]{0,6}(?:kg|斤|公斤)|出了?车祸|被(?:诊断|查出|确诊)|流产"
    r"|订了(?:婚|机票|酒店)|入职了?|辞职了|创业失败|发表了|出版了|答辩(?:完|结束)"
    r"|录取了|被[^，。\s]{2,12}录取"
)
_WENT: Final = re.compile(
    r"去了?(?:趟|一趟)?(?P<p>[\u4e00-\u9fff]{2,8})(?:玩|旅游|旅行|出差|看|参加"
    r"|开会|爬|滑雪|度假|待|$)"
)
_NO_EVENT: Final = re.compile(
    r"没|比|不(?!久|小心)|想|希望|打算|准备|怕|梦|差点|电影|小说|剧|主角|新闻|游戏|如果|为什么|文章"
)


def event_zh(subject: SayingZh, today: date) -> Fact | None:
    """Something of weight that happened once, or None."""
    whole = subject.own_plain
    if _POINTS.search(whole) or _NO_EVENT.search(whole):
        return None
    dates = dates_in(whole, today, past=True)
    past = any(each.first < today for each in dates)
    found = _HAPPENED.search(whole) is not None and (
        past
        or re.match(r"(?:刚|终于|已经|昨|前)", subject.own_plain) is not None
        or bool(subject.who)
        or "了" in whole
    )
    if (
        found
        and not past
        and re.match(
            r"(?:已经)?(?:结婚|离婚|订婚|分手|考上|入职|辞职|被裁|失业|毕业于|搬|买|领证"
            r"|被诊断|被查出|被确诊)",
            subject.plain,
        )
    ):
        return None
    if not found and past and (trip := _WENT.search(whole)):
        found = place_at_start(trip["p"]) > 0
    if not found:
        return None
    return Fact(_dated(subject, today, past=True), kind="episodic")
