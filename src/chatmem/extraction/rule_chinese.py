"""What a Chinese clause states about its writer and the people close to him."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.rule_clauses_zh import (
    SayingZh,
    predicate_zh,
    saying_zh,
    told_zh,
    without_lead_zh,
)
from chatmem.extraction.rule_doings_zh import FREQUENCY, event_zh, habit_zh, plan_zh
from chatmem.extraction.rule_frames import Fact, Frame, thing
from chatmem.extraction.rule_general_zh import generally_zh, is_work_zh, names_another_zh
from chatmem.extraction.rule_objects_zh import (
    core_zh,
    is_city,
    is_firm_zh,
    is_full_name_zh,
    is_name_zh,
    is_place_zh,
    is_thing_zh,
    is_town_zh,
)
from chatmem.extraction.rule_patterns_zh import CHINESE
from chatmem.extraction.rule_words_zh import CANONICAL, MANY_OF, PARTNERS, PET_KINDS, PETS

MAX_CHARS: Final = 60
_SELF: Final = SayingZh("", "", "", "", "", "")
_BARE_START: Final = re.compile(
    r"^(?:住在|家住|定居|老家|对[^，。你您这那它]{1,8}过敏|养了|家里(?:有|养)"
    r"|今年\d|从事|在[^，。]{2,12}(?:上班|工作|任职)(?:的)?$|是(?:一[名个位]|个"
    r"|名)|最?喜欢|不?爱吃|不吃|每天|每周|每晚|坐标|base|已婚|未婚|单身|名字叫"
    r"|(?:刚|刚刚|终于|已经)+(?:搬|拿到|考[上过]|买|换|养|生了|结婚|毕业|入职"
    r"|辞职|领证|离婚)|本人|身高|体重|的?目标是|已经?(?:从|离职|辞职|毕业|退休"
    r"|结婚)|(?:最近|现在"
    r"|目前|正)*在学[^，。校]|(?:现在|目前)?在读[^，。这那一]|(?:早上|晚上|周末"
    r"|工作日|平时|睡前)?(?:一般|通常|习惯)|(?:现在|目前)在|(?:老公|老婆|儿子"
    r"|女儿|孩子|爸妈|父母)(?:今年|都|在|是|叫|对))"
)
_WAS: Final = re.compile(
    r"以前|之前(?!还)|曾经?|过去|原先|小时候|当年|年前|住过|待过|呆过|工作过|那时"
    r"|当时|大学(?:时|的时候)|上学(?:时|的时候)|年轻时|读书(?:时|的时候)|做过"
    r"|当过|学过"
)
_UNSURE: Final = re.compile(
    r"可能|也许|或许|大概(?!\d)|说不定|好像|似乎|应该会|不知道|不确定|想过|差点"
    r"|[吗么]$|要不要|是不是|如果|要是|假如"
)
_OTHERS: Final = re.compile(r"[他她它你您人这那]")
_PASSING: Final = re.compile(r"这几天|这两天|这段时间|这阵子|这一?周")
_SAYS: Final = re.compile(
    r"说|问|讲|觉得|认为|告诉|让我|叫我|要我|劝|推荐|建议|给我|老说|总说|非要|非说|骂|嫌"
)
_WISHES: Final = re.compile(r"^(?:想|想要|希望|很想|好想|真想|渴望|梦想)")
_THEIRS: Final = re.compile(r"[你您]")
_NICKNAMED: Final = re.compile(
    r"^(?:(?P<who>[^，。我你您]{1,8}?(?:都|一般|平时|经常|总是|总|也)*)"
    r"|(?P<ask>(?:你|您|请|以后|可以|直接|就|都|也)*))(?:叫|喊|称呼|管)我(?:叫|做"
    r"|为|作)?(?P<v>[A-Za-z][A-Za-z'-]*|[\u4e00-\u9fff]{1,5}?)(?:就好了?|就行了?"
    r"|就可以了?|即可|吧|好了|哦|呀)*$"
)
_NAMED: Final = re.compile(
    r"^(?:它|他|她)?(?:的)?(?:名字)?(?:是|叫做?|名叫|取名叫?"
    r"|起名叫?)(?P<v>[\u4e00-\u9fff]{1,4}|[A-Za-z]{2,12})$"
)
_TIME_FIRST: Final = re.compile(rf"^(?P<time>{FREQUENCY})[，, ]?(?=我|本人|咱)")
_TEMPLATE: Final = re.compile(r"\{(\w+)(?:\|(\w+))?\}")
_ASIDE: Final = (
    "home",
    "occupation",
    "employer",
    "school",
    "diet",
    "possession",
    "pet",
    "partner",
    "major",
    "age",
)


class ClausesZh:
    """The clauses of one message in turn: a subject that is left out is that of the one before."""

    def __init__(self, today: date, text: str = "") -> None:
        """Args: the day of the message, and all that is said in it."""
        self._today = today
        self._is_work = is_work_zh(text)
        self._another = self._of_a_relative = False
        self._before: SayingZh | None = None
        self._named: Fact | None = None
        self._time = ("", "")
        self._passing = self._others = False

    def interrupt(self) -> None:
        """A question or a supposition stands between: what follows has a subject of its own."""
        self._before, self._named, self._time = None, None, ("", "")
        self._passing = self._others = False

    def facts(self, said: str, plain: str, *, first: bool) -> Iterator[Fact]:
        """What the clause states, in order.

        Args:
            said: the clause as it was written.
            plain: the same in Simplified characters and small letters, of the same length.
            first: it begins a sentence.
        """
        if self._is_work:
            return
        if (place := plain.find("其实")) >= 0:
            said, plain = said[:place] + said[place + 2 :], plain[:place] + plain[place + 2 :]
        self._of_a_relative = bool(not first and self._before and self._before.who)
        found = [one for one in self._framed(said, plain, first=first) if _is_ours(one)]
        if first:
            self._another = False
        if not found:
            fact = generally_zh(
                said, plain, self._today, follows_another=self._another or self._of_a_relative
            )
            found = [fact] if fact and _is_ours(fact) else []
            if found and (found[0].key or "").startswith("pet:"):
                self._named = found[0]
        self._another = names_another_zh(plain) or (self._another and not found)
        yield from found

    def _framed(self, said: str, plain: str, *, first: bool) -> Iterator[Fact]:
        """What a frame finds in it."""
        if first:
            self.interrupt()
        said, plain = without_lead_zh(said, plain)
        if not plain or len(plain) > MAX_CHARS or _UNSURE.search(plain):
            return
        self._passing = self._passing or _PASSING.search(plain) is not None
        if self._is_time(plain):
            self._time = (said, plain)
            return
        if "身高" in plain and (weight := plain.find("体重")) > 0:
            yield from self._framed(said[:weight], plain[:weight], first=first)
            yield from self._framed(said[weight:], plain[weight:], first=False)
            return
        if fact := self._name_of_last(said, plain):
            yield fact
            return
        if match := _NICKNAMED.match(plain):
            name = said[slice(*match.span("v"))]
            if is_name_zh(match["v"]):
                yield Fact(
                    f"希望被叫做{name}" if match["who"] is None else said.replace("我", ""),
                    "nickname",
                    name,
                )
            return
        subject = self._subject(said, plain, first=first)
        self._others = self._others or (subject is None and _OTHERS.search(plain) is not None)
        if subject is None or _THEIRS.search(subject.plain):
            return
        self._time = ("", "")
        fact = self._of(subject)
        if fact is not None:
            self._named = (
                fact if (fact.key or "").startswith(("pet:", "children", "relation:")) else None
            )
            yield fact

    def _is_time(self, plain: str) -> bool:
        """True for 下周三 and 每天早上, which belong to what follows."""
        dates = dates_in(plain, self._today)
        if len(dates) == 1 and dates[0].start == 0:
            return not re.sub(
                r"^(?:早上|上午|中午|下午|晚上)?(?:\S{1,3}点(?:半|钟)?)?的?(?:时候)?",
                "",
                plain[dates[0].end :],
            )
        return re.fullmatch(FREQUENCY, plain) is not None

    def _subject(self, said: str, plain: str, *, first: bool) -> SayingZh | None:
        head, head_plain = self._time
        cut = self._leading_time(plain)
        if cut:
            head, head_plain = head + said[:cut], head_plain + plain[:cut]
        rest, rest_plain = said[cut:].lstrip("，, "), plain[cut:].lstrip("，, ")
        subject = saying_zh(rest, rest_plain)
        if subject is not None:
            self._before = subject
        elif self._before is not None and not re.match(r"[他她它这那你您]", rest_plain):
            subject = predicate_zh(replace(self._before, carried=True), rest, rest_plain)
        elif not self._others and (_BARE_START.match(rest_plain) or (head and first)):
            subject = predicate_zh(_SELF, rest, rest_plain)
            if subject is not None:
                subject = replace(subject, bare=True)
                self._before = subject
        if subject is None or not head:
            return subject
        return replace(subject, own=head + subject.own, own_plain=head_plain + subject.own_plain)

    def _leading_time(self, plain: str) -> int:
        """Where the subject begins in 下周三我要去看牙."""
        if match := _TIME_FIRST.match(plain):
            return match.end()
        dates = dates_in(plain[:24], self._today)
        if dates and dates[0].start == 0:
            rest = re.match(
                r"(?:早上|上午|中午|下午|晚上)?(?:[\d一二两三四五六七八九十]{1,3}(?:点半?"
                r"|:\d\d))?[，, ]?",
                plain[dates[0].end :],
            )
            end = dates[0].end + (rest.end() if rest else 0)
            return end
        return 0

    def _name_of_last(self, said: str, plain: str) -> Fact | None:
        """我养了一只猫, and then 叫咪咪: one statement."""
        last = self._named
        match = _NAMED.match(plain) if last is not None else None
        if last is None or match is None or not is_name_zh(match["v"]):
            return None
        self._named = None
        name = said[slice(*match.span("v"))]
        return replace(last, content=f"{last.content}，{said.lstrip('它他她的')}", value=name)

    def _undated(self, subject: SayingZh) -> SayingZh:
        """The predicate without the day before its verb: 搬到台中 of 上个月搬到台中."""
        dates = dates_in(subject.plain, self._today)
        if not dates or dates[0].start != 0:
            return subject
        end = dates[0].end
        bare = predicate_zh(subject, subject.said[end:], subject.plain[end:])
        if bare is None:
            return subject
        return replace(bare, own=subject.own, own_plain=subject.own_plain)

    def _of(self, subject: SayingZh) -> Fact | None:
        whole = subject.own_plain
        if subject.who and _SAYS.match(subject.plain):
            return None
        for found in (plan_zh, event_zh):
            if fact := found(subject, self._today):
                return fact
        if _WISHES.match(subject.plain):
            return None
        if not self._passing and (fact := habit_zh(subject)):
            return fact
        if not (subject.who or subject.bare or subject.carried) and (name := _introduced(subject)):
            return Fact(f"名叫{name}", "name", name)
        subject = self._undated(subject)
        for frame in CHINESE:
            match = frame.compiled.match(subject.plain)
            if match is None or not self._fits(frame, match):
                continue
            if frame.key == "name" and subject.carried and not _sure_name(match):
                return None
            return self._fact(frame, match, subject, was=_WAS.search(whole) is not None)
        return None

    def _fits(self, frame: Frame, match: re.Match[str]) -> bool:
        value = match.groupdict().get("v") or ""
        if frame.check == "place":
            return is_place_zh(value)
        if frame.check == "town":
            return is_town_zh(value)
        if frame.check == "name":
            return is_name_zh(value)
        if frame.check == "firm":
            return is_firm_zh(value)
        return frame.category != "preference" or is_thing_zh(value)

    def _fact(self, frame: Frame, match: re.Match[str], subject: SayingZh, *, was: bool) -> Fact:
        groups = {
            name: subject.said[slice(*match.span(name))]
            for name in match.re.groupindex
            if match[name] is not None
        }
        groups["own"] = subject.own
        if "{kind}" in frame.key:
            groups["kind"] = (
                match[0]
                .removeprefix("用")
                .lstrip("的")
                .partition("是")[0]
                .removesuffix("用的")
                .removesuffix("开的")
            )
        key = _filled(frame.key, groups, keyed=True) or None
        value = _filled(frame.value, groups) or None
        own, own_plain = subject.own, subject.own_plain
        if frame.told:
            own = _filled(frame.told, groups)
            own_plain = own
        if frame.key in ("age", "school") and own_plain.startswith("今年"):
            own, own_plain = own[2:], own_plain[2:]
        past = was or "了" in own_plain
        told = told_zh(subject, own, own_plain)
        if frame.category != "pattern" and len(told) == len(told_zh(subject, own_plain, own_plain)):
            plain = told_zh(subject, own_plain, own_plain)
            if frame.key == "birthday":
                value = _month_and_day(groups.get("v", ""), self._today)
            else:
                told = with_dates(told, dates_in(plain, self._today, past=past))
        if was and key is not None and key.split(":")[0] in _ASIDE:
            key = None
        if key == "employer" and isinstance(value, str) and _only_a_place(match[0], thing(value)):
            # 在上海工作 names no firm; of others it tells where they live.
            key = "home" if subject.who else None
        if key is not None and subject.who:
            key = _key_of(subject, key)
        return Fact(told, key, value if key else None, frame.category, frame.kind)


def _is_ours(fact: Fact) -> bool:
    """False for what is told of others, of the house as if it were a person, or of the moment."""
    return _NOT_OURS.match(fact.content) is None


_NOT_OURS: Final = re.compile(
    r"老板|领导|上司|領導|老闆|朋友|同事|同学|同學|邻居|鄰居|网友|網友|网上|網上|博主|班主任"
    r"|外面|马上|馬上|快要|家.*岁"
)


_FIRMS_LIKE_PLACES: Final = ("阿里",)


def _only_a_place(said: str, where: str) -> bool:
    """True where somebody works in a city, and no firm is named."""
    return said.startswith("在") and is_city(where) and where not in _FIRMS_LIKE_PLACES


def freely_zh(said: str, plain: str, today: date) -> Fact | None:
    """What the user orders to be remembered, without the first person, whatever it is."""
    said, plain = without_lead_zh(said, plain)
    if len(plain) < 3 or re.match(r"(?:这|那|它|上面|刚才|你|要(?:用|简)|用|不要|别|回答)", plain):
        return None
    said = re.sub(r"(?:跟|和|对|對|给|給)我(?=说|說|讲|講|回|聊|解|的时候|的時候)", "", said)
    said = re.sub(r"^(?:我们?家?的?|我們的?)", "", said).replace("我的", "").replace("我", "自己")
    told = with_dates(said, dates_in(said, today)) if said == plain else said
    return Fact(told, category="preference" if _REPLYING.search(plain) else "fact")


_REPLYING: Final = re.compile(
    r"回答|回复|答复|说话|解释|讲解|语气|表情|列表|称呼|喜欢|讨厌|不要|别"
)


def _sure_name(match: re.Match[str]) -> bool:
    """True where 叫 tells a person's name, not that of a dish or a film."""
    return "做" not in match[0] and (is_full_name_zh(match["v"]) or match["v"].isascii())


def _introduced(subject: SayingZh) -> str:
    """The name of 我是陈阳."""
    match = re.match(r"是(?P<v>[\u4e00-\u9fff]{2,3})$", subject.plain)
    if match is None or not is_full_name_zh(match["v"]):
        return ""
    return subject.said[slice(*match.span("v"))]


def _month_and_day(said: str, today: date) -> str:
    dates = dates_in(thing(said), today)
    if len(dates) != 1 or not dates[0].is_day:
        return said
    return dates[0].first.isoformat() if re.search(r"\d{4}年", said) else f"{dates[0].first:%m-%d}"


def _key_of(subject: SayingZh, key: str) -> str:
    who = subject.who
    role = f"{who} {thing(subject.name)}" if who in MANY_OF and subject.name else who
    if key in ("name", "nickname"):
        if who in PARTNERS:
            return "partner"
        kind = kind_of_pet(who)
        return f"pet:{kind}" if who in PETS or who == "猫" or who == "狗" else f"relation:{role}"
    if key.startswith("relation:"):
        return key
    return f"relation:{role}:{key}"


def kind_of_pet(said: str) -> str:
    """猫 for 布偶猫: a pet is known by its kind."""
    for kind, names in PET_KINDS.items():
        if said in names:
            return kind
    return said


def _filled(template: str, groups: dict[str, str], *, keyed: bool = False) -> str:
    def fill(match: re.Match[str]) -> str:
        said = groups.get(match[1], "") or groups.get(match[2] or "", "")
        if not keyed:
            return said
        plain = core_zh(thing(said))
        return kind_of_pet(CANONICAL.get(plain, plain))

    return _TEMPLATE.sub(fill, template).strip() if "{" in template else template
