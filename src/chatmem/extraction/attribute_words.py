"""Attributes of which a person has one at a time, and the words by which each is told and changed.

Patterns look through normalised text: small letters, Simplified characters.

Source: decisions 4 ("near in meaning").
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

_NOW: Final = (
    r"(?:现在|如今|目前|这周|这学期|刚|终于|已经|最近|今[天早晚]|昨[天晚]|上[周个]|"
    r"这个?月|下个?[周月]"
    r"|\b(?:now|these days|nowadays|currently|today|as of|this week|just|finally|since|lately|"
    r"recently"
    r"|\d{4}-\d\d-\d\d|last (?:week|month|\w+day)|starting|starts?|from)\b)"
)


@dataclass(frozen=True, slots=False)
class Attribute:
    """One thing that a person has one value of at a time.

    `told` finds statements of it, `changed` those by which it is another one from now on; `keys`
    are the first or last parts of keys that are about it. `own` is True for what belongs to the
    writer whoever the sentence speaks of: a partner, a pet.
    """

    name: str
    told: str
    changed: str
    keys: tuple[str, ...] = ()
    own: bool = False

    @cached_property
    def _told(self) -> re.Pattern[str]:
        return re.compile(self.told)

    @cached_property
    def _changed(self) -> re.Pattern[str]:
        return re.compile(self.changed)

    def is_told(self, plain: str) -> bool:
        """True where the text states it."""
        return self._told.search(plain) is not None

    def is_changed(self, plain: str) -> bool:
        """True where the text gives it another value, or ends it."""
        return self._changed.search(plain) is not None


_CAR: Final = (
    r"(?:(?<![电快火列停堵骑坐打单动轿])车(?![站票厢间子])|轿车|suv|捷达|特斯拉|比亚迪|"
    r"丰田|本田|大众|宝马|奔驰"
    r"|奥迪|摩托|机车|电动车|电瓶车|gogoro|\b(?:car|truck|van|suv|motorbike|scooter|honda|"
    r"toyota|ford|tesla"
    r"|subaru|mazda|volvo|nissan|hyundai|kia|vw|volkswagen|bmw|audi|civic|corolla|prius|camry|"
    r"outback"
    r"|hatchback|sedan|minivan|pickup|carless)\b)"
)
_PHONE: Final = (
    r"(?:手机|苹果\d|iphone|\bpixel\b|galaxy|小米|红米|荣耀|华为|oppo|vivo|一加|三星|安卓|"
    r"\bandroid\b"
    r"|\bphone\b|\bnokia\b|\boneplus\b|\bmotorola\b)"
)
_COMPUTER: Final = (
    r"(?:电脑|笔记本(?!子)|台式|macbook|thinkpad|\b(?:laptop|desktop|computer|windows|"
    r"linux|macos|mac mini"
    r"|imac|chromebook|surface)\b|联想|戴尔)"
)
_PAST: Final = r"(?:出生|老家|毕业于|\b(?:born|grew up|originally|used to)\b)"
_PLACE_WORD: Final = (
    r"(?:住(?!院|房|宿|宅)|租(?!车|金|借|书)|定居|搬|家在|家安在|房东|坐标|外派|驻|人在|"
    r"待在|呆在|公寓|小区|宿舍|房租|"
    r"在[^，。]{2,6}(?:生活|漂|落脚)"
    r"|\b(?:lives?|living|rent(?:s|ing)?|based|flat|apartment|studio|condo|moved|stationed|"
    r"deployed|house in"
    r"|(?:our|my) place|resid\w+|neighbou?rhood|downtown|townhouse|dorm|commute from|landlord|"
    r"parents'? (?:house|place|basement)|call [\w ]{2,20} home|home is|my street)\b)"
)
_MOVED: Final = (
    r"(?:搬(?:到|去|来|完|家|进|回|出|走|离)|搬了|移民|迁到|落户|住(?:到|进|回)|回老家|"
    r"调回|接(?:到|来)|换了?(?:个)?(?:房子|住处|地方住)"
    r"|(?:现在|如今|目前)(?:\w{0,4})(?:住|租|定居|在)|买了?房|退租|安家|落脚|安顿|"
    r"换了?城市|新家(?!具|电)|(?:回|来|到|"
    r"去)(?:了)?[^，。]{2,6}(?:生活|定居|发展|安家|落户|常住)|回[^，。]{2,5}了|租(?:到|了|"
    r"在)[^，。]{2,10}|"
    r"离开了?[^，。]{2,5}(?:回|来|去|到)|不(?:在.{1,8})?住了"
    r"|\b(?:moved|moving) (?!in with me|on\b|the\b|it\b|my\b|our\b|them\b|forward|up\b)|"
    r"\brelocat\w+"
    r"|\b(?:i'm|im|we're|i am|we are|she's|he's) (?:now )?(?:living |based |out )?(?:in|at|"
    r"over in) [^.]{2,40}(?:now|these days)"
    r"|\bnow (?:living|based|renting|in)\b|\b(?:live|living|based|rent|"
    r"renting)\b.{0,40}\b(?:now|these days|instead|currently)\b"
    r"|\bgot out of (?:that|the|my) (?:flat|place|apartment|house|lease)|\breassigned\b|"
    r"\btransferred to\b"
    r"|\bback in (?:her|his|their) own\b|\binto (?:assisted living|a (?:home|care))|"
    r"\bsettled in(?:to)?\b|\b(?:signed (?:a|the|our) lease|bought (?:a|our|"
    r"my)(?: \w+){0,2} (?:house|place|condo|flat)|closed on (?:a|the|our)(?: \w+)? (?:house|"
    r"place|condo)|got the keys|landed in|upped sticks|packed up|ended up in|left \w+ for|"
    r"home is now|now call|moved)\b(?! (?:on|the|it|my|our|them|forward|up|to (?:mon|tues|"
    r"wednes|thurs|fri|satur|sun|next|\d)))|\bnew (?:place|flat|apartment|address|house)\b)"
)
_WORK: Final = (
    r"(?:上班|工作(?!日)|公司|任职|就职|打工|从事|职业|开(?:了?家|店|了?个)|自由职业|失业|"
    r"待业|创业|退休|当(?!时|然|天|地|作|成|初)"
    r"|是(?:一?[名个位])?[^，。]{0,8}(?:师|员|医生|护士|程序|经理|主管|警|司机|律师|会计|组员|组长)"
    r"|[做干搞跑教](?:着|的是)?[^，。了]{0,8}(?:设计|运营|销售|渠道|前端|后端|开发|测试|"
    r"护士|审计|财务|客服|产品|老师|语文|数学|英语|地理|物理|"
    r"化学|历史|生意|策划|品控|it)"
    r"|\b(?:works?(?= (?:at|for|as|in|with|night|remote))|working|job|employ\w+|employer|"
    r"company|office|manager|engineer|developer|teacher|teach\w*|nurse|(?:line|head|"
    r"prep) cook|chef"
    r"|designer|driver|trucker|lawyer|associate|accountant|analyst|consult\w*|freelanc\w+|"
    r"barista|clerk|cashier|assistant|run a|runs a"
    r"|shift|unemployed|retired|profession|occupation|intern|fintech|startup|firm|shop|server|"
    r"waiter|waitress|paramedic|electrician|plumber|mechanic)\b)"
)
_NEW_WORK: Final = (
    r"(?:跳槽|离职|辞职|辞了|辞掉|裸辞|裁员|被裁|裁了|入职|新东家|新公司|新工作|退休|升职|"
    r"升了|升为|升任|升[组主经总店副]|晋升|提拔|转正|调到|调去|转岗"
    r"|转行|改行|考上了?(?:编|公务员|空|事业)|从[^，。]{1,8}(?:出来|离开)了?|不干了|"
    r"换了?(?:份|个)?工作|(?:现在|如今)(?:做|当|干|跑|"
    r"开(?!始|心)|是[^，。]{0,8}[师员长生理]|在[^，。]{1,12}(?:上班|工作|公司|做|当|厂|店|"
    r"院|行|校|所|局|社区))|不做了|单干|盘出|"
    r"自己干|接手|加入了?[^，。]{1,10}(?:公司|团队|部门)|进了[^，。]{1,8}(?:公司|厂|单位|"
    r"院|所|局|校|部)|签了[^，。]{0,8}(?:公司|"
    r"offer)|offer|考进|被挖|换了?东家|调岗|带团队|开起了|做起了|干起了|改做|去了[^，。]"
    r"{1,8}(?:上班|公司|工作)|关了?店|失业"
    r"|\b(?:new job|new role|started (?:a |my )?(?:new )?(?:job|role|at|as|working)|quit(?!e|"
    r" smok| vap| drink)|resigned|handed in|left my|left the|laid off"
    r"|let (?:\w+ ){1,5}go|got fired|out of work|retired|promot\w+|"
    r"made me (?:\w+ )?(?:manager|lead|head|director|partner|counsel|senior|chief|supervisor|"
    r"permanent|redundant)|got bumped up|joined (?:\w+ ){0,4}(?:company|firm|startup|bank|"
    r"agency|lab|hospital|as)|switched (?:jobs|careers)|career change"
    r"|hired|now (?:work|run|teach|drive|manage|lead)\w*|(?:working|driving|teaching|job|"
    r"managing|consulting|doing) .{0,40}(?:now|these days|instead)"
    r"|as of this (?:morning|week)|hung up|closed the|closed my|shut down my|"
    r"sold the (?:business|shop|company)|put me on|went freelance"
    r"|i(?:'m| am) (?:now an? \w+|an? [\w -]{3,30} now)|new employer|new gig|registered nurse|"
    r"landed (?:a|the) (?:job|role|gig|position)|accepted (?:an|the) offer|offer from|"
    r"jumped ship|took (?:a|the) (?:job|role|position)|got the (?:job|role)|started my own|"
    r"my own boss|went (?:solo|full[- ]time|part[- ]time)|transitioned|pivoted|took over as|"
    r"stepped (?:down|up)|furloughed|unemployed|between jobs|"
    r"moved (?:over )?to [\w ]{2,30} as|got let go|i do [\w ]{3,30} now)\b)"
)
_CUE: Final = (
    r"(?:换|改|搬到|切[到换成]|转[到用成]|弃|不用了|现在[都只]?[用写看读]|往后|以后|"
    r"之后都|还是|从今|入了|全线|碎了"
    r"|\b(?:switch\w*|moved|swapped|instead|now|these days|nowadays|ditched|dropped|"
    r"from now on|going forward|back to"
    r"|caved|replaced|no longer|any ?more|otherwise|traded|gave up|migrated|left)\b)"
)
_CODE: Final = (
    r"(?:(?:代码|示例|写|教程|例子|公司|项目)[^，。]{0,10}(?:java|python|\bgo\b|go写|rust|"
    r"c\+\+|typescript|"
    r"kotlin|php|ruby)"
    r"|(?:用|切|转|写|学|给)[^，。]{0,3}(?:java|python|go|rust|c\+\+|typescript|kotlin|php|ruby)"
    r"|\b(?:code|coding|snippets?|examples?|program\w*|write|develop\w*|"
    r"codebase)\b[^.]{0,30}\b(?:java|python|golang|go|rust|typescript|javascript|kotlin|php|"
    r"ruby|c#|c\+\+)"
    r"|\b(?:java|python|golang|go|rust|typescript|javascript|kotlin|php|"
    r"ruby)\b[^.]{0,20}\b(?:code|examples?|shop|codebase|snippets?))"
)
_EDITOR: Final = (
    r"\b(?:vim|neovim|emacs|vs ?code|zed|sublime|intellij|pycharm|cursor|webstorm|notepad\+\+)\b"
)
_NOTES: Final = (
    r"(?:\b(?:notion|obsidian|evernote|onenote|logseq|bear|roam|apple notes|google keep)"
    r"\b|印象笔记|"
    r"有道云|语雀|飞书文档|notion|obsidian)"
)
_READER: Final = r"(?:kindle|文石|kobo|墨水屏|boox|掌阅)"
_BROWSER: Final = r"\b(?:chrome|firefox|safari|edge|brave|arc|opera)\b"

_TONGUE: Final = (
    r"(?:英语|日语|法语|德语|韩语|西班牙语|西语|意大利语|葡萄牙语|俄语|粤语|泰语|阿拉伯语)"
)
_TONGUE_EN: Final = (
    r"(?:english|spanish|french|german|italian|portuguese|japanese|korean|mandarin|chinese|"
    r"russian|arabic|dutch|swedish"
    r"|turkish|greek|hindi|welsh|norwegian|polish|thai|vietnamese)"
)


def _person(name: str, zh: str, en: str) -> Attribute:
    """Somebody of whom one has one at a time, and may have another."""
    return Attribute(
        name,
        rf"(?:{zh}|\b(?:{en})\b)",
        rf"(?:(?:{zh})[^，。]{{0,6}}(?:离职|辞|走了|换|退休|调走|跳槽)|换了?(?:个|位|新)"
        rf"?[^，。]{{0,6}}(?:{zh})|"
        rf"新(?:来的)?(?:{zh})"
        rf"|\b(?:new|different|another) (?:\w+ )?(?:{en})\b|\b(?:{en})\b[^.]{{0,14}}\b(?:left|"
        rf"quit|moved|retired|is now|got replaced|changed)\b"
        rf"|\b(?:switched|changed) (?:my |our |to a new )?(?:{en})s?\b|\bmatched with\b)",
        (f"relation:{name}", *(f"relation:{role}" for role in zh.split("|"))),
        own=True,
    )


_PEOPLE: Final = (
    _person("coach", "教练|私教", "trainer|coach|instructor|personal trainer"),
    _person(
        "therapist", "咨询师|心理医生", "therapist|counsell?or|psychologist|shrink|psychiatrist"
    ),
    _person("boss", "老板|领导|上司|主管|组长", "boss|manager|supervisor|team lead"),
    _person("landlord", "房东", "landlord|landlady"),
    _person("teacher", "班主任|老师", "teacher|tutor|piano teacher"),
    _person(
        "dentist",
        "牙医|主治|家庭医生",
        "dentist|gp|pediatrician|paediatrician|family doctor|doctor|vet",
    ),
    _person("nanny", "保姆|阿姨|月嫂", "nanny|babysitter|cleaner|au pair"),
    _person("supervisor", "导师", "advisor|adviser|pi"),
)

EVENTS: Final = {
    "exam": (
        r"考(?!虑|察|勤|古|公)|笔试|雅思|托福|日检|科目|\b(?:exam|test|midterm|finals?|quiz|"
        r"bar|defen[cs]e|viva)\b"
    ),
    "wedding": r"婚礼|婚宴|办酒|\bwedding\b",
    "trip": (
        r"去[^，。]{1,6}(?:玩|旅|出差)|航班|机票|飞(?:往|去|到|机)|出发|旅行|旅游|出差|"
        r"\b(?:trip|flight|fly\w*|travel\w*|vacation|holiday)\b"
    ),
    "birth": r"预产期|待产|孕|\b(?:due|nursery|dating scan|baby)\b",
    "show": r"演唱会|音乐节|演出|话剧|\b(?:gig|show|concert|recital|play|festival|tickets)\b",
    "surgery": r"手术|开刀|拔牙|智齿|\b(?:surgery|operation|procedure|op)\b",
    "doctor": r"体检|复查|看牙|牙医|挂号|门诊"
    r"|\b(?:appointment|check-?up|dentist|doctor|scan|mri)\b",
    "interview": r"面试|\binterview\b",
    "meeting": (
        r"会议|开会|例会|评审|汇报|答辩|发布会|\b(?:meeting|presentation|demo|review|launch|"
        r"deadline|pitch|release)\b"
    ),
    "party": (
        r"聚会|聚餐|生日会|派对|同学会|年会|\b(?:party|reunion|dinner|barbecue|bbq|"
        r"get-together)\b"
    ),
    "race": r"半马|全马|马拉松|比赛|\b(?:race|marathon|half|tournament|match|game)\b",
    "move": r"搬家|交房|\b(?:moving|move-in|closing)\b",
    "course": r"课|培训|\b(?:class(?:es)?|lessons?|course|practice|choir|training|workshop)\b",
}
"""Events that have a day, by which a moved one is known."""

ATTRIBUTES: Final = (
    Attribute("home", f"{_PLACE_WORD}", _MOVED, ("home",)),
    Attribute("work", _WORK, _NEW_WORK, ("occupation", "employer")),
    Attribute(
        "school",
        r"(?:小学|初中|高中|国小|国中|大学|幼儿园|学校|年级|研[一二三]|大[一二三四](?!家)|"
        r"初[一二三]|高[一二三]|在读|念书|就读|读(?:的是|大|"
        r"研|博|高|初|小)|念(?:大|的)"
        r"|\b(?:school|primary|grade|kindergarten|college|university|uni|student|freshman|"
        r"sophomore|major(?:ing)?|degree|phd|nursery|preschool|year \d|goes to)\b)",
        r"(?:转学|转到|转去|转园|换了?(?:所|个)?学校|毕业|考上|保研|录取|退学|休学|"
        r"升(?:上|到|入)?(?:了)?(?:初|高|大|"
        r"[一二三四五六]年级)|转专业|换专业"
        r"|\b(?:graduat\w+|transferred|switched (?:schools|majors|to)|changed (?:schools|"
        r"majors|my major)|pulled \w+ out|started at|starts? at|dropped out|got into|"
        r"accepted (?:to|at|into)|enrolled|passed|registered)\b)",
        ("school", "major", "grade"),
    ),
    Attribute(
        "partner",
        r"(?:单身|男友|女友|男朋友|女朋友|对象|处了|谈恋爱|在一起|结婚|已婚|订婚|离婚|"
        r"未婚|老公|老婆|\b(?:single|boyfriend|"
        r"girlfriend|fianc\w+|dating|seeing|together|engaged|married|husband|wife|partner|"
        r"divorc\w+|relationship)\b)",
        r"(?:分手|分了|离婚|离了|有对象|脱单|结婚了|领证|登记|订婚了|复合|求婚|不在一起|"
        r"恢复单身|单身了|我?(?:现在|又)单身|谈了(?:个|一个)|"
        r"处上了?对象|谈恋爱了|在一起了|领了证|嫁给|娶了|闪婚|分开了|掰了|前男友|前女友|"
        r"前夫|前妻|交了(?:个)?[男女]"
        r"|\b(?:broke up|split(?: up)?|divorced|separated|single (?:again|now)|got (?:married|"
        r"engaged|divorced)|tied the knot|i'm (?:engaged|married)|proposed|said yes"
        r"|(?:i'm|im|been|started) (?:seeing|dating)|moved out|it's over|it's done|"
        r"engagement(?:'s| is) off|called off the (?:wedding|engagement)|married now|eloped|"
        r"(?:new|now)[ -](?:boyfriend|girlfriend|partner|husband|wife)|my ex|ex-(?:husband|"
        r"wife|boyfriend|girlfriend)|newlywed\w*|hitched|not together|no longer together|"
        r"dumped|called it quits|separate ways|on a break|got back together|seeing someone|"
        r"met someone)\b)",
        ("partner",),
        own=True,
    ),
    Attribute(
        "diet",
        r"(?:吃素|素食|全素|蛋素|奶素|纯素|生酮|低碳|减脂|轻断食|清真|戒糖|吃肉|无麸质|"
        r"不吃(?:肉|鸡蛋|奶|辣|米饭|主食|糖|碳水|牛|猪|鱼)|忌口|"
        r"戒(?:糖|肉|奶)|轻食|减肥餐|减脂餐|水煮|\b(?:vegan|vegetarian|pescatarian|keto|"
        r"paleo|low[- ]carb|"
        r"plant[- ]based|gluten[- ]free|halal|kosher|meat|carnivore|intermittent fasting|diet|"
        r"don't eat (?:meat|dairy|gluten|carbs|sugar|pork|fish|eggs|beef|red meat)|"
        r"dairy[- ]free|sugar[- ]free|no (?:carbs|sugar|dairy|meat)|macros|fasting|"
        r"avoid (?:meat|dairy|gluten|carbs))\b)",
        r"(?:(?:开始|改|恢复|又)吃|改成(?:全|纯|蛋|奶)?素|不(?:再)?吃素|吃回|(?:开始|恢复)"
        r"吃肉|转(?:成|为)?(?:全素|吃素|素食)|"
        r"改(?:成|吃)|全素了|破戒|开荤|不忌口|正常吃|恢复(?:正常)?饮食|不(?:再)?(?:控糖|"
        r"戒糖|生酮|低碳|轻断食|减脂)了?"
        r"|\b(?:started eating|eating (?:meat|fish|chicken|eggs)|eat (?:meat|fish|"
        r"chicken) (?:again|now)|went (?:vegan|vegetarian|keto|back)|gone (?:vegan|"
        r"vegetarian)|no longer (?:vegan|vegetarian|keto)|not (?:vegan|vegetarian|keto) any|"
        r"gave up (?:being|keto|on)|quit (?:keto|being)|switched to|back to (?:eating|meat)|"
        r"turned (?:vegan|vegetarian|pescatarian)|(?:back on|reintroduc\w+|off|gave up|"
        r"cut out|dropped) (?:\w+ )?(?:meat|dairy|gluten|carbs|sugar|keto|veganism|fish|eggs|"
        r"red meat|fasting)|eat(?:ing)? (?:everything|normally|\w+ again)|i'm (?:vegan|"
        r"vegetarian|pescatarian|keto|gluten-free) now)\b)",
        ("diet",),
    ),
    Attribute(
        "phone",
        _PHONE,
        rf"(?:(?:换|买|入|升级)了?[^，。]{{0,8}}{_PHONE}|{_PHONE}[^，。]{{0,6}}(?:换|卖|丢|坏)"
        rf"|\b(?:bought|switched|upgraded|traded|moved|replaced|new)\b[^.]{{0,40}}{_PHONE})",
        ("device:phone", "possession:手机", "possession:phone"),
        own=True,
    ),
    Attribute(
        "computer",
        _COMPUTER,
        rf"(?:(?:换|买|入|升级|装)了?[^，。]{{0,8}}{_COMPUTER}|\b(?:bought|switched|upgraded|wiped|"
        rf"replaced|installed|put|new)\b[^.]{{0,40}}{_COMPUTER})",
        ("device:computer",),
    ),
    Attribute(
        "car",
        _CAR,
        rf"(?:{_CAR}[^，。]{{0,8}}(?:卖|报废|出手|过户)|卖了?[^，。]{{0,4}}{_CAR}|(?:换|提|"
        rf"买)(?:了|"
        rf"成)[^，。]{{0,8}}{_CAR}|不开车了"
        rf"|\b(?:sold|traded|totall?ed|scrapped|swapped|replaced|got rid of|bought|picked up|"
        rf"leas\w+|switched|off my hands)\b[^.]{{0,40}}{_CAR}"
        rf"|{_CAR}[^.]{{0,30}}\b(?:sold|died|totall?ed|off my hands)\b|\bcarless\b)",
        ("car", "vehicle", "possession:car", "possession:车"),
    ),
    Attribute(
        "smoking",
        r"(?:烟(?!火|花|台|雾)|\b(?:smok\w+|vap\w+|cigarettes?|pack a day)\b)",
        r"(?:戒烟|烟[^，。]{0,4}戒|不抽|没抽|又抽|复吸|\b(?:quit|stopped|gave up|threw|"
        r"smoke-free|back to|"
        r"started|havent touched|haven't touched)\b[^.]{0,50}\b(?:smok\w+|vap\w+|cigarettes?|"
        r"one)\b|\b(?:smok\w+|vap\w+|vape|cigarettes?)\b[^.]{0,40}\b(?:quit|stopped|touched|"
        r"free)\b)",
    ),
    Attribute(
        "alcohol",
        r"(?:酒(?!店|吧|席|精)|\b(?:drink(?:ing)? (?:wine|beer|alcohol)|not drinking|beers?|wine|"
        r"whisk(?:e)?y|sober|alcohol|teetotal\w*|don't drink|booze)\b)",
        r"(?:戒酒|不(?:再)?喝(?:酒)?了|酒[^，。]{0,5}(?:不喝|戒|停)|又喝(?:酒|上)|"
        r"\b(?:quit drinking|"
        r"stopped drinking|sober (?:now|since|for)|gave up (?:alcohol|beer|wine|drinking)|"
        r"back to (?:having|drinking)|drinking again|no longer drink|on the wagon|"
        r"cut out (?:alcohol|booze))\b)",
    ),
    Attribute(
        "coffee",
        r"(?:咖啡|美式|拿铁|\b(?:coffees?|espresso|lattes?|cold brew)\b)",
        r"(?:咖啡[^，。]{0,6}(?:断|戒|停|不喝|换)|(?:戒|断|不喝)了?咖啡|(?:美式|拿铁)"
        r"[^，。]{0,5}(?:断|戒|停|不喝|换)|"
        r"\b(?:swapped|quit|gave up|given up|cut out|switched from|stopped drinking|no more|"
        r"off)\b[^.]{0,15}\b(?:coffee|espresso|caffeine|lattes?)\b)",
    ),
    Attribute(
        "waking",
        r"(?:起床|[点半]起(?!伏)|早起|\b(?:wake(?: up)?|waking|get up|gets up|up at|up by|"
        r"alarm)\b)",
        r"(?:(?:改|现在|如今|换|调)[^，。]{0,10}(?:起床|[点半]起)|不(?:再)?早起|\b(?:now|"
        r"these days|anymore|"
        r"switched|no longer|moved|instead|started|changed|lately)\b[^.]{0,50}\b(?:wake|"
        r"waking|get up|up at|alarm)\b|\b(?:wake|waking|get up|up at|"
        r"alarm)\b[^.]{0,50}\b(?:now|these days|anymore|instead|lately|since)\b)",
    ),
    Attribute(
        "bedtime",
        r"(?:(?:点|半)[^，。]{0,3}(?:睡|上床)|熬夜|早睡|\b(?:go(?:es)? to (?:bed|sleep)|in bed by|"
        r"bedtime|night owl|asleep by)\b)",
        r"(?:(?:改|现在|如今|换|调)[^，。]{0,10}(?:睡|上床)|不(?:再)?熬夜|早睡了|\b(?:now|"
        r"these days|anymore|"
        r"no longer|instead)\b[^.]{0,50}\b(?:bed|asleep|sleep by)\b|\b(?:bed|"
        r"asleep)\b[^.]{0,40}\b(?:now|these days|instead)\b)",
    ),
    Attribute(
        "weight",
        r"(?:体重|\d+(?:\.\d+)?(?:公斤|斤|kg)|上秤|\b(?:weigh(?:s|t|ed)?|\d+ ?(?:lbs?|pounds|kilos|"
        r"kg)|scale)\b)",
        rf"(?:(?:上秤|体重|称|瘦到|减到|降到|胖到|掉到)[^，。]{{0,6}}\d|\b(?:scale (?:said|"
        rf"says)|down to|up to|"
        rf"now (?:at|weigh)|weigh(?:ed)? (?:in at)?)\b[^.]{{0,20}}\d|"
        rf"{_NOW}[^，。.]{{0,14}}\d+ ?(?:公斤|斤|kg|lbs?|pounds))",
        ("weight",),
    ),
    Attribute(
        "age",
        r"(?:\d+岁|[一二三四五六七八九]?十[一二三四五六七八九]?岁|^我?\d\d了|今年\d\d|"
        r"\b(?:years? old|turn(?:s|ing|"
        r"ed)? \d\d|i'm \d\d|im \d\d|aged? \d\d|\d\d yo)\b)",
        r"(?:(?:过完|满|刚过|已经|今天)[^，。]{0,4}\d+岁?(?:生日)?|\d+岁生日|\b(?:turned \d\d|"
        r"it's \d\d i'm turning|just had my \d\d|i'm \d\d now|\d\d i'm turning)\b)",
        ("age",),
    ),
    Attribute(
        "reply length",
        r"(?:(?:回|答|说|讲|写)[^，。]{0,10}(?:详细|简短|简洁|简单|短|长|展开|啰嗦|精简|"
        r"字|句)|(?:详细|简短|简洁|"
        r"精简)[^，。]{0,6}(?:回|答|说|点|些)|三句话|\b(?:short|brief|concise|long|"
        r"thorough|detail\w*|"
        r"in depth|one[- ]liners?|sentences?|length\w*|paragraphs?|succinct|tl;?dr|bullet(?:s|"
        r" points)?)\b)",
        r"(?:(?:太长|太短|太啰嗦|太简单|从今往后|往后|以后|之后|别再|不用再|还是|改成|"
        r"换成)[^。]{0,20}(?:详细|简短|简洁|短|长|展开|句话|字|"
        r"句|一点|些)|\b(?:no longer|from (?:now|here) on|feel free to|go (?:long|deep|short)|"
        r"instead|switch|these days|actually|anymore|changed my mind|going forward|"
        r"stop)\b[^.]{0,80}\b(?:short\w*|brief\w*|concise|long\w*|thorough|detail\w*|depth|"
        r"sentences?|bullets?|bullet points|paragraphs?)\b|\b(?:short\w*|brief\w*|concise|"
        r"long\w*|thorough|detail\w*|in depth|bullet points|"
        r"bullets)\b[^.]{0,50}\b(?:from (?:now|here) on|instead|again|after all|these days|"
        r"please from|going forward|now)\b)",
        ("reply_length", "reply_format"),
    ),
    Attribute(
        "reply tone",
        r"(?:正式|随意|口语|幽默|严肃|客气|\b(?:formal\w*|casual|chatt\w+|polite|blunt|"
        r"jokes?|serious|"
        r"friendly|tone|humou?r|sarcas\w+)\b)",
        r"(?:(?:以后|往后|从现在|别再|不用再|还是|改成|换成|随便|不必)[^。]{0,14}(?:正式|"
        r"随意|口语|幽默|严肃|客气|轻松)|"
        r"\b(?:loosened|as casual|be (?:more )?(?:casual|formal|blunt|serious)|instead|"
        r"from now on|no more|drop the|less|anymore)\b[^.]{0,50}\b(?:casual|formal\w*|jokes?|"
        r"blunt|serious|polite|tone|sarcas\w+)\b|\bcasual as you like\b)",
        ("reply_tone",),
    ),
    Attribute(
        "reply language",
        r"^(?!.*(?:代码|注释|示例|code)).*(?:(?:用|说|讲|回)[^，。]{0,4}(?:中文|英文|英语|"
        r"日语|粤语|普通话|繁体|简体)|"
        r"\b(?:(?:answer|reply|respond|write|explain|speak|talk)\b[^.]{0,30}\bin (?:english|"
        r"chinese|spanish|french|german|mandarin|japanese))\b)",
        r"^(?!.*(?:代码|注释|示例|code)).*(?:(?:以后|往后|之后|从现在|还是|改|换|切|一律)"
        r"[^。]{0,14}(?:中文|英文|英语|日语|"
        r"粤语|普通话|繁体|简体)|\b(?:switch|from now on|instead|back to|"
        r"going forward)\b[^.]{0,40}\b(?:english|chinese|spanish|french|german|mandarin|"
        r"japanese)\b)",
        ("reply_language",),
    ),
    Attribute(
        "spelling",
        r"\b(?:british|american|us|uk) (?:english|spelling)\b",
        rf"(?=.*{_CUE}).*\b(?:british|american|us|uk) (?:english|spelling)\b",
        ("reply_spelling",),
    ),
    Attribute(
        "reply format",
        r"(?:条列|列表|要点|表格|分点|一段话|\b(?:bullet(?:s| points?)|tables?|prose|"
        r"paragraphs?|markdown)\b)",
        rf"(?=.*{_CUE}).*(?:条列|列表|要点|表格|分点|一段话|\b(?:bullet(?:s| points?)|"
        rf"tables?|prose|"
        rf"paragraphs?|markdown)\b)",
        ("reply_format",),
    ),
    Attribute("coding language", rf"{_CODE}", rf"(?=.*{_CUE}).*{_CODE}", ("reply:code",)),
    Attribute("editor", _EDITOR, rf"(?=.*{_CUE}).*{_EDITOR}"),
    Attribute("notes", _NOTES, rf"(?=.*{_CUE}).*{_NOTES}"),
    Attribute("reader", _READER, rf"(?=.*{_CUE}).*{_READER}"),
    Attribute("browser", _BROWSER, rf"(?=.*{_CUE}).*{_BROWSER}"),
    Attribute(
        "running",
        r"(?:跑(?:步|了|\d|十|五|半马|全马|[^，。]{0,4}公里)|晨跑|夜跑|\b(?:run|runs|"
        r"running|jog\w*) (?:every|"
        r"each|\d|twice|three|at|before|after|in the))",
        r"(?:(?:晨跑|夜跑|跑步)[^，。]{0,6}(?:停|不|断|改)|不(?:让|能|再)?跑(?!题|路|调)|"
        r"停跑|\b(?:stopped|quit|"
        r"gave up|no more|no longer|can't) run\w*|\brunning is (?:out|over))",
    ),
    Attribute(
        "medicine",
        r"(?:药|在吃[^素饭，。]{2,6}(?:平|坦|汀|林|素|灵|片|胶囊)|\b\d+ ?mg\b|"
        r"\b(?:medication|meds|pills?|"
        r"tablets?|prescri\w+)\b)",
        r"(?:换药|停药|(?:药|医生|大夫)[^。]{0,8}(?:换|停|减|加)(?!洗)|换成?[^，。]"
        r"{2,5}(?:平|坦|汀|林|灵|片|胶囊)|"
        r"\b(?:doctor|doc|psychiatrist|gp|neurologist|cardiologist|"
        r"dr)\b[^.]{0,30}\b(?:switched|put me on|bumped|changed|upped|lowered|took me off|"
        r"halved)\b|\b(?:off|stopped|quit) (?:the |my )?(?:meds|medication|pills)\b|"
        r"\b(?:bumped|upped|lowered|raised|down|up) [^.]{0,15}to \d+ ?mg\b)",
        ("health:medicine",),
    ),
    Attribute(
        "decor",
        r"(?:装修|奶油风|原木风|中古风|北欧风|日式风|新中式|\b(?:cabinets?|wall colou?r|"
        r"renovat\w+|backsplash)\b)",
        r"(?:(?:敲定|改成|换成|推翻)[^。]{0,12}(?:风|色)|\b(?:final answer|instead|"
        r"changed|switched|"
        r"went (?:with|for))\b[^.]{0,40}\b(?:cabinets?|walls?|paint)\b|\b(?:cabinets?|walls?|"
        r"paint)\b[^.]{0,30}\b(?:final answer|instead|changed|after all)\b)",
    ),
    Attribute(
        "gym",
        r"(?:健身房|健身卡|\b(?:gym|puregym|membership|fitness club)\b)",
        r"(?:(?:换|退|转|改)了?[^，。]{0,6}(?:健身房|健身卡|私教)|\b(?:switched|moved|"
        r"cancel\w*|transferred|"
        r"swapped|quit|changed|dropped)\b[^.]{0,20}\b(?:gyms?|membership|fitness)\b)",
    ),
    Attribute(
        "portions",
        r"(?:\b(?:serves?|serving|for) (?:one|two|three|four|five|six)\b|[一二两三四五六]人份)",
        rf"(?=.*{_CUE}).*(?:\b(?:serves?|serving) (?:one|two|three|four|five|six)\b|"
        rf"[一二两三四五六]人份)",
    ),
    Attribute(
        "name",
        r"(?:叫我|称呼|喊我|\b(?:call me|name is|name's|go by|goes by)\b)",
        r"(?:换个称呼|改叫|别(?:再)?叫我|改名|以后(?:就|都)?(?:叫|喊)我|还是叫我|"
        r"你也这么叫|\b(?:nobody calls me|go with|"
        r"call me .{1,20}(?:instead|from now|now)|stop calling me|go(?:ing)? by .{1,20}(?:now|"
        r"these days|instead)|changed my name|don't call me)\b)",
        ("name", "nickname"),
    ),
    Attribute(
        "hometown",
        r"(?:老家|家乡|籍贯|祖籍|\b(?:originally from|hometown|grew up in|from originally|"
        r"born in)\b)",
        r"(?:(?:更正|其实|说错|打错|搞错|记错|纠正)[^。]{0,30}(?:老家|家乡|籍贯)|"
        r"老家[^，。]{0,6}(?:算|其实|应该)|"
        r"\b(?:my bad|actually|correction|meant|mistake|not)\b[^.]{0,80}\b(?:originally from|"
        r"hometown|grew up in|born in)\b|\b(?:originally from|hometown|grew up in|"
        r"born in)\b[^.]{0,40}\bnot\b)",
        ("hometown",),
    ),
    Attribute(
        "blood type",
        r"(?:(?:a|b|o|ab)型|血型|\bblood type\b|\btype (?:a|b|o|ab)\b)",
        r"(?:(?:居然|其实|原来|结果|说错|更正|应该)[^。]{0,14}(?:a|b|o|ab)型|"
        r"\b(?:actually|turns out|mistake|"
        r"correction)\b[^.]{0,40}\b(?:type|blood)\b)",
        ("blood type",),
    ),
    Attribute(
        "household",
        r"(?:一家[三四五六]口|[两三四五六]个人住|\b(?:of us (?:in|at)|family of|"
        r"household of|we're (?:two|"
        r"three|four|five|six)|live alone|live by myself)\b)",
        r"(?:现在(?:家里)?(?:就|只剩|是)?[一两三四五六]个?[口人]|\b(?:we're (?:two|three|"
        r"four|five|six) now|"
        r"(?:two|three|four|five|six) of us now|down to (?:two|three|four|one))\b)",
        ("household",),
        own=True,
    ),
    Attribute(
        "roommate",
        r"(?:室友|合租|舍友|\b(?:roommate|flatmate|housemate|share with|sharing with)\b)",
        r"(?:(?:换|新)(?:了)?(?:个)?(?:室友|舍友|合租)|(?:室友|舍友)[^，。]{0,4}(?:搬走|"
        r"换)|\b(?:new (?:roommate|"
        r"flatmate|housemate)|share with [^.]{1,40} now|(?:roommate|flatmate|"
        r"housemate) (?:moved out|left|is now))\b)",
        ("relation:roommate", "relation:室友"),
        own=True,
    ),
    *_PEOPLE,
    Attribute(
        "learning",
        rf"(?:学(?:着|习)?{_TONGUE}|\b(?:learn\w*|studying|duolingo|"
        rf"lessons in)\b[^.]{{0,20}}\b{_TONGUE_EN}\b)",
        rf"(?:(?:改学|换成?学?|转学|不学|弃|放弃)[^，。]{{0,8}}{_TONGUE}|{_TONGUE}[^，。]"
        rf"{{0,4}}(?:不学|放弃|弃|停)"
        rf"|\b(?:dropped|switched|gave up|quit|instead|now|"
        rf"these days)\b[^.]{{0,50}}\b{_TONGUE_EN}\b|\b{_TONGUE_EN}\b[^.]{{0,40}}\b(?:instead|"
        rf"now|these days|i'm learning)\b)",
    ),
    Attribute(
        "commute",
        r"(?:通勤|上下班|(?:开车|骑车|坐地铁|坐公交|走路|骑[^，。]{0,4})上班|"
        r"\b(?:commut\w*|(?:bike|drive|walk|"
        r"cycle|train|bus|subway|ride) to (?:work|the office|campus|school))\b)",
        r"(?:(?:改|换|现在|如今)[^，。]{0,8}(?:开车|骑车|地铁|公交|走路|骑|高铁)[^，。]"
        r"{0,4}(?:上班|通勤|了)|不(?:再)?(?:开车|"
        r"骑车|坐地铁|坐公交)上?班?了|\b(?:switched|now|instead|these days|no longer|anymore|"
        r"started)\b[^.]{0,40}\b(?:to work|commut\w*)\b|\b(?:to work|"
        r"commut\w*)\b[^.]{0,30}\b(?:now|instead|these days|anymore)\b|\b(?:fully|"
        r"full-time) remote now\b)",
    ),
    Attribute(
        "salary",
        r"(?:月薪|工资|年薪|到手[^，。]{0,3}\d|\b(?:salary|i make \$?\d|earn\w*|paid \$?\d)\b)",
        r"(?:涨薪|加薪|降薪|(?:工资|月薪|年薪)[^，。]{0,4}(?:涨|降|变|加|调)|"
        r"\b(?:got a raise|pay (?:rise|raise|"
        r"cut)|salary (?:went|is now|bumped)|now (?:make|earn)\w*|raise to)\b)",
    ),
    Attribute(
        "budget",
        r"(?:预算|\bbudget\b)",
        r"(?:预算[^，。]{0,5}(?:改|加|降|提|涨|砍|变|缩|调|到)|(?:提高|增加|砍|降低|缩减|"
        r"追加)了?[^，。]{0,3}预算|"
        r"\bbudget\b[^.]{0,20}\b(?:now|went|raised|cut|changed|bumped|shrunk|up to|down to)\b|"
        r"\b(?:raised|cut|upped|lowered|bumped|changed|new)\b[^.]{0,12}\bbudget\b)",
    ),
    Attribute(
        "rent",
        r"(?:房租|月租|\b(?:my|our|the) rent\b|\bpay \$?\d+ (?:in |for |a month)?rent\b)",
        r"(?:(?:房租|月租)[^，。]{0,4}(?:涨|降|变|加|调)|\brent\b[^.]"
        r"{0,15}\b(?:went (?:up|down)|raised|"
        r"is now|jumped|increased|dropped)\b)",
    ),
    Attribute(
        "birthday",
        r"(?:生日|\b(?:birthday|bday|born on)\b)",
        r"(?:(?:说错|记错|打错|写错|其实|更正|不是)[^。]{0,16}生日|生日[^。]{0,8}(?:说错|"
        r"记错|打错|写错|其实|不是|应该)|"
        r"\b(?:mistake|wrong|correction|actually|typo|meant|oops)\b[^.]{0,40}\b(?:birthday|"
        r"bday)\b|\b(?:birthday|bday)\b[^.]{0,20}\b(?:actually|not)\b)",
        ("birthday",),
    ),
    Attribute(
        "pregnancy",
        r"(?:怀孕|孕\d+周|备孕|二胎|\b(?:pregnant|expecting|trimester|trying for a baby|"
        r"weeks along)\b)",
        r"(?:生了|生下|卸货|出生了|怀上了|\b(?:gave birth|had the baby|baby(?:'s| is| has)"
        r"? (?:here|"
        r"arrived)|was born|miscarr\w+|she's here|he's here|i'm pregnant)\b)",
        own=True,
    ),
    Attribute(
        "loan",
        r"(?:房贷|车贷|贷款|欠(?:着|了)?[^，。]{0,6}(?:万|块|元)|花呗|\b(?:mortgage|"
        r"loans?|owe|debt|"
        r"credit card (?:debt|balance))\b)",
        r"(?:(?:房贷|车贷|贷款|花呗)[^，。]{0,8}(?:结清|还清|还完)|(?:结清|还清|还完)"
        r"了?[^，。]{0,6}(?:房贷|车贷|贷款|花呗)|"
        r"\b(?:paid off|last [\w ]{0,20}payment|debt[- ]free|paid [^.]{0,20}in full|"
        r"cleared)\b)",
        ("mortgage", "loan"),
    ),
    Attribute(
        "broadband",
        r"(?:宽带|(?:移动|电信|联通)[^，。]{0,4}(?:\d|兆|卡|网)|\b(?:broadband|"
        r"internet provider|fib(?:re|"
        r"er)|comcast|xfinity|verizon|t-mobile|at&t)\b)",
        r"(?:(?:换|办|改|转)(?:了|成|到)?[^，。]{0,6}(?:电信|移动|联通|千兆|宽带)|"
        r"\b(?:switched|moved|"
        r"changed) (?:to|over)[^.]{0,20}\b(?:broadband|fib(?:re|er)|comcast|xfinity|verizon|"
        r"t-mobile|at&t)\b)",
        ("broadband",),
    ),
    Attribute(
        "swimming",
        r"(?:不会游泳|旱鸭子|\b(?:can't|cannot|never learned(?: how)? to) swim\b)",
        r"(?:(?:学会|会了?)[^，。]{0,4}(?:游泳|蛙泳|自由泳)|(?:游泳|蛙泳|自由泳)[^，。]"
        r"{0,3}(?:学会|会了)|"
        r"\b(?:learned (?:how )?to swim|can swim)\b)",
    ),
    Attribute(
        "driving",
        r"(?:不会开车|没驾照|没有驾照|考驾照|学车|科目[一二三四]|\b(?:can't drive|don't drive|"
        r"never learned to drive|no (?:driver'?s )?licen[cs]e|learning to drive|"
        r"driving lessons?)\b)",
        r"(?:(?:驾照|驾驶证)[^，。]{0,6}(?:到手|拿到|考[到下]|有)|(?:拿到|考[到下])"
        r"了?[^，。]{0,3}(?:驾照|驾驶证)|"
        r"\b(?:got (?:my|their|the|a) (?:driver'?s |driving )?licen[cs]e|passed (?:my|"
        r"the) (?:driving|road) test|licen[cs]e on the)\b)",
    ),
    Attribute(
        "eyes",
        r"(?:近视|隐形|戴眼镜|\b(?:contacts|contact lenses|glasses|dailies)\b)",
        r"(?:近视手术|激光手术|摘镜|不(?:用|戴)[^，。]{0,4}(?:眼镜|隐形)|\b(?:lasik|"
        r"don't need (?:contacts|"
        r"glasses)|smile surgery)\b)",
    ),
    Attribute(
        "health",
        r"(?:炎|病|扭伤|受伤|痛风|受伤|骨折|扭伤|眼药水|疼|\b(?:fasciitis|sprain\w*|"
        r"broken|fractured?|injur\w+|"
        r"infection|tendonitis|flu|surgery|strep|concussion|pain|torn|hurt)\b)",
        r"(?:痊愈|康复|全好了|好利索|炎症[^，。]{0,4}消|拆石膏|\b(?:totally|fully|all|"
        r"completely) (?:healed|"
        r"recovered|better)|\bhealed\b|\bsigned me off\b|\bcleared me\b|\bcast (?:is |"
        r"came )?off\b)",
    ),
    Attribute(
        "hours",
        r"(?:夜班|白班|早班|晚班|三班倒|倒班|朝九晚五|\b(?:night shifts?|day shifts?|"
        r"nights|graveyard|shift|"
        r"work(?:ing)? (?:days|nights)|9 to 5|10 to 6)\b)",
        r"(?:(?:改|换|转|调)(?:成|到|为|了)?(?:夜班|白班|早班|晚班|常日班)|不(?:用)?(?:再)"
        r"?(?:上)?(?:夜班|倒班|熬夜)|"
        r"\b(?:on (?:days|nights)|put me on|switched (?:me )?to (?:days|nights)|"
        r"moved (?:me )?to (?:days|nights)|no more night)\b)",
        ("work hours",),
    ),
)

_BY_KEY: Final = {key: one for one in ATTRIBUTES for key in one.keys}


@lru_cache(1024)
def events_of(content: str) -> frozenset[str]:
    """The kinds of event that normalised text speaks of."""
    return frozenset(kind for kind, words in EVENTS.items() if re.search(words, content))


def attribute_of_key(key: str | None) -> Attribute | None:
    """The attribute that a key names: `home`, `relation:sister:occupation`."""
    if key is None:
        return None
    return (
        _BY_KEY.get(key)
        or _BY_KEY.get(key.rpartition(":")[2])
        or _BY_KEY.get(key.partition(":")[0])
    )
