"""Statements of a few words that are all that somebody says: `I drive a Golf`, `老家湖南`.

Each is matched as a whole, so that nothing else can be meant; without a subject only where the
message says no more.

Source: decisions 4.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Final

from chatmem.extraction.clauses import Clause
from chatmem.extraction.rule_chinese import freely_zh
from chatmem.extraction.rule_english import freely_en
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.model import Category
from chatmem.text.normalise import has_han

PLAIN_CONFIDENCE: Final = 0.8
_MOST_CHARS: Final = 60
_ENDING: Final = " \t.。!！~～,，…了啦呢哦呀的"


@dataclass(frozen=True, slots=False)
class _State:
    """A pattern for a whole clause; `key` may hold `{g}`, the group of that name as a thing."""

    pattern: str
    key: str = ""
    category: Category = "fact"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)


_ZH_PLACE: Final = r"(?P<v>[\u4e00-\u9fff]{2,8}?)(?:这边|那边)?"
_ZH_NAME: Final = r"(?P<v>[\u4e00-\u9fff]{1,4}|[a-z]{2,12})"
_TIME: Final = (
    r"(?:早上|早晨|晚上|晚|凌晨)?(?:[一二三四五六七八九十]{1,3}|\d{1,2})(?:点半?|[:：]\d\d)"
    r"(?:[一二三]刻)?"
)
_CARS_ZH: Final = (
    r"(?:大众|丰田|本田|特斯拉|比亚迪|宝马|奔驰|奥迪|日产|现代|吉利|五菱|捷达|蔚来|理想|"
    r"小鹏|别克|福特|雪佛兰|马自达|哈弗|奇瑞|电动车|电瓶车|"
    r"摩托车?)[\u4e00-\u9fffa-z0-9]{0,6}"
)
_PHONES_ZH: Final = (
    r"(?:苹果|华为|小米|红米|oppo|vivo|荣耀|三星|一加|魅族|iphone ?\d*|安卓|android|鸿蒙)"
    r"[\u4e00-\u9fffa-z0-9 ]{0,8}"
)
_CITY_AFTER: Final = r"(?:这儿|这里)?"

_ZH: Final = (
    _State(rf"我?(?:家在|人在|家住|定居在?|租在|租住在?){_ZH_PLACE}{_CITY_AFTER}", "home"),
    _State(rf"我?在{_ZH_PLACE}(?:租房住?|租的房子?|生活|定居|常住|住)", "home"),
    _State(
        (
            r"我?(?P<v>租房住?|一个人住|独居|(?:和|跟|同)[\u4e00-\u9fff]{1,5}(?:一起|一块儿?)?住|"
            r"住校|住宿舍)"
        ),
        "living",
    ),
    _State(r"(?:老家|籍贯|祖籍)(?:是|在)?(?P<v>[\u4e00-\u9fff]{2,4})人?", "hometown"),
    _State(rf"我?老家(?:是|在)?{_ZH_PLACE}", "hometown"),
    _State(r"我?在(?P<v>[\u4e00-\u9fffa-z]{2,10})(?:上班|工作|任职|就职)", "employer"),
    _State(
        r"我?(?:是|做|干|跑|当)(?P<v>全职妈妈|全职爸爸|销售|滴滴|外卖|快递|设计|会计|代购|"
        r"微商|中介|保险|装修|前端|后端|运营|产品|财务|行政|人事|"
        r"客服)(?:员)?",
        "occupation",
    ),
    _State(
        r"(?P<v>全职妈妈|全职爸爸|全职太太|家庭主妇|在家带娃|待业在家|待业中?|无业)", "occupation"
    ),
    _State(
        r"我?在(?P<v>[\u4e00-\u9fff]{1,8}(?:大学?|学院|一中|二中|中学|高中|小学|北大|清华|"
        r"复旦))(?:读书|上学|念书|"
        r"读[\u4e00-\u9fff]{1,6})?",
        "school",
    ),
    _State(r"我?(?:的)?专业(?:是|学的?)?(?P<v>[\u4e00-\u9fff]{2,8})", "major"),
    _State(
        (
            r"我?(?:的)?(?:男朋友|女朋友|男友|女友|对象|老公|老婆|先生|太太)(?:是|叫|姓|在)"
            r"(?P<v>[\u4e00-\u9fffa-z]{1,8})"
        ),
        "partner",
    ),
    _State(
        (
            r"我?(?:和|跟)(?P<v>[\u4e00-\u9fffa-z]{1,6})(?:在一起|谈恋爱|处对象|同居)"
            r"(?:[一二三四五六七八九十半\d]+年)?"
        ),
        "partner",
    ),
    _State(r"我?(?:正?在|是)?(?P<v>谈恋爱|异地恋|单身(?:狗|中)?|未婚|离异)", "partner"),
    _State(
        (
            r"我?(?P<v>生酮|低碳|轻断食|吃生酮|吃减脂餐|在减脂|在减肥|无辣不欢|不吃早饭|吃早饭|"
            r"吃早餐)"
        ),
        "diet",
        "preference",
    ),
    _State(
        r"我?(?:(?P<h>每[天晚周]|天天|常|经常|平时|早上|一般)[\u4e00-\u9fff]{0,3})?(?:喝|"
        r"来)(?P<v>[一二两三半\d]?[杯瓶罐]?(?:咖啡|美式|拿铁|红茶|绿茶|奶茶|可乐|牛奶|"
        r"豆浆|啤酒|白酒|红酒|酒|茶|普洱))",
        "habit:{v}",
        "pattern",
    ),
    _State(
        (
            r"每[天晚日](?P<v>[一二两三半\d][杯瓶罐包]\s?(?:咖啡|美式|拿铁|茶|奶茶|可乐|牛奶|啤酒|"
            r"白酒|红酒|酒|烟))"
        ),
        "habit:{v}",
        "pattern",
    ),
    _State(
        r"我?(?:会|也|还)?(?P<v>抽烟|吸烟|喝酒|熬夜|晚睡|早睡|早起|午睡|健身|跑步)",
        "habit:{v}",
        "pattern",
    ),
    _State(
        r"我?(?:的)?(?:车|座驾)?(?:是|开|骑)(?:的是|着|的)?(?:一?辆)?(?P<v>"
        + _CARS_ZH
        + r")(?!门|会)",
        "car",
    ),
    _State(
        r"我?(?:的)?(?:手机)?(?:是|用)(?:的是|着|的)?(?:一?部|一?台)?(?P<v>" + _PHONES_ZH + r")",
        "device:phone",
    ),
    _State(
        r"我?(?:的)?电脑(?:是|用)(?:的是|的)?(?P<v>[\u4e00-\u9fffa-z0-9 ]{2,12})", "device:computer"
    ),
    _State(
        r"我?(?:的)?手机(?:是|用)(?:的是|的)?(?P<v>[\u4e00-\u9fffa-z0-9 ]{2,12})", "device:phone"
    ),
    _State(
        r"我?(?P<d>周[一二三四五六日末]|每周[一二三四五六日]?|天天|每天|周末)(?:都|会|去)"
        r"?(?P<v>爬山|健身|游泳|跑步|打球|瑜伽|钓鱼|骑行|打羽毛球|"
        r"打篮球|踢球|跳舞|上课|加班)",
        "habit:{v}",
        "pattern",
    ),
    _State(
        (
            r"我?(?:会|爱|在)?(?P<v>(?:打|踢)(?:羽毛球|篮球|网球|乒乓球|台球|足球|太极)|弹(?:钢琴|"
            r"吉他|古筝|琵琶)|拉(?:小提琴|二胡))"
        ),
        "habit:{v}",
        "fact",
    ),
    _State(rf"我?(?:一般|通常|每天|都)?(?P<v>{_TIME})(?:就)?起床?", "habit:起床", "pattern"),
    _State(
        rf"我?(?:一般|通常|每天|都)?(?P<v>{_TIME})(?:才|就)?(?:睡觉?|上床|休息)",
        "habit:睡觉",
        "pattern",
    ),
    _State(
        (
            r"我?(?P<v>坐地铁|坐公交|骑车|骑电动车|开车|走路|打车|坐班车)(?:去)?(?:上班|通勤|"
            r"上下班)"
        ),
        "commute",
        "pattern",
    ),
    _State(
        r"我?(?:上班)?通勤(?:要)?(?P<v>[一二两三四半\d]+个?(?:半)?(?:小时|钟头|分钟))",
        "commute",
        "pattern",
    ),
    _State(
        (
            r"我?(?:是|支持|粉)(?P<v>[\u4e00-\u9fff]{2,6}(?:队|球迷)|皇马|巴萨|曼联|利物浦|阿森纳|"
            r"切尔西|国安|申花|湖人|勇士)"
        ),
        "favourite:team",
        "preference",
    ),
    _State(
        (
            r"我?(?:最近)?(?:正?在)(?P<v>追剧|(?:写小说|写书|写论文|攒钱|存钱|减肥|减脂|备考|"
            r"准备考|学)[\u4e00-\u9fffa-z]{0,8})"
        ),
        "",
    ),
    _State(
        (
            r"(?:我|我?今年)(?:都|已经|才)?(?P<v>[二三四五六七八]?十[一二三四五六七八九]?|[1-8]\d)"
            r"岁?"
        ),
        "age",
    ),
    _State(r"(?P<v>[二三四五六七八]?十[一二三四五六七八九]?|[1-8]\d)岁", "age"),
    _State(r"(?:我|我?的?体重)(?:是|有)?(?P<v>\d{2,3}(?:\.\d)?(?:公斤|斤|kg|千克))", "weight"),
    _State(
        (
            r"(?:我|我?的?身高)(?:是|有)?(?P<v>一米[\u4e00-\u9fff\d]{1,3}|1\d\dcm|1[米.]"
            r"\d{1,2}米?|1\d\d)"
        ),
        "height",
    ),
    _State(
        (
            r"我?(?:的)?生日(?:是|在)?(?P<v>(?:农历|阴历)?[\u4e00-\u9fff\d]"
            r"{1,3}月[\u4e00-\u9fff\d]{1,3}[号日]?)"
        ),
        "birthday",
    ),
    _State(r"我?(?:是|属)?(?P<v>[九八七零]零后|(?:90|80|70|00|95|85)后)", "generation"),
    _State(r"我?属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])", "zodiac"),
    _State(r"我?(?:是)?(?P<v>(?:a|b|o|ab)型)血?", "blood type"),
    _State(
        r"我?(?:家)?(?:的)?(?P<g>猫|狗|鹦鹉|兔子|仓鼠|乌龟)(?:叫|名叫|名字叫)" + _ZH_NAME, "pet:{g}"
    ),
    _State(
        r"我?(?:家)?养(?:了)?(?:[一两三几]?[只条缸])?(?P<v>猫|狗|鱼|兔子|仓鼠|鹦鹉|乌龟|鸟)",
        "pet:{v}",
    ),
    _State(
        r"我?(?:有点|是|有)?(?P<v>乳糖不耐受?|近视(?:眼)?(?:[\u4e00-\u9fff\d]{1,4}度)?|"
        r"远视|散光|左撇子|色盲|鼻炎|低血糖|高血压|"
        r"糖尿病|贫血|胃病)",
        "",
    ),
    _State(
        (
            r"我?(?:每天)?(?:在)?(?P<v>吃(?:药|二甲双胍|降压药|避孕药|维生素|中药|安眠药)|"
            r"戴(?:眼镜|隐形眼镜|牙套|助听器))"
        ),
        "habit:{v}",
        "pattern",
    ),
    _State(
        r"我?(?:的)?(?P<g>姐姐?|妹妹?|哥哥?|弟弟?|妈妈?|爸爸?|爸妈|父母|爷爷|奶奶|外公|"
        r"外婆|儿子|女儿|孩子|女朋友|男朋友|老公|"
        r"老婆)(?:人)?(?:在|住在?|住)(?P<v>[\u4e00-\u9fff]{2,6})",
        "relation:{g}:home",
    ),
    _State(
        (
            r"我?(?:的)?(?P<g>儿子|女儿|孩子|弟弟?|妹妹?)(?:在)?(?:上|读|念)(?P<v>[\u4e00-\u9fff]"
            r"{2,6})"
        ),
        "relation:{g}:school",
    ),
    _State(
        (
            r"我?(?:的)?(?P<g>室友|房东|班主任|领导|老板|主管|导师|教练|邻居|同桌)(?:是|叫|姓)"
            r"(?P<v>[\u4e00-\u9fffa-z]{1,5})"
        ),
        "relation:{g}",
    ),
    _State(r"我?(?:家)?有(?P<v>[一两二三四]个(?:孩子|娃|儿子|女儿))", "children"),
    _State(
        r"我?(?:打算|准备|计划|要)(?P<v>(?:考(?:研|公|编|驾照|雅思|托福|教资|证|博)|"
        r"买(?:房|车)|学[\u4e00-\u9fff]{2,5}|"
        r"换(?:工作|车|房|手机)|搬(?:家|去[\u4e00-\u9fff]{2,4})|去[\u4e00-\u9fff]"
        r"{2,4}(?:旅游|旅行|玩|留学|读书|"
        r"工作)))",
        "plan:{v}",
    ),
    _State(
        r"(?P<g>婚礼|演唱会|面试|体检|考试|答辩|聚会|手术|搬家|发布会)(?:是|在|定在)"
        r"?(?P<v>\d{4}-\d\d-\d\d|"
        r"[\u4e00-\u9fff\d]{1,3}月[\u4e00-\u9fff\d]{1,3}[号日]|[本下这]?周[一二三四五六日]"
        r")(?:[上下]午|晚上)?",
        "plan:{g}",
    ),
    _State(
        r"(?P<v>(?:今天|明天|每天|周[一二三四五六日])?(?:[上下]午|晚上)"
        r"?(?:[一二三四五六七八九十]{1,3}|\d{1,2})点半?)(?P<g>开会|上课|"
        r"面试|考试|聚餐|体检)",
        "plan:{g}",
    ),
    _State(
        r"(?:请|麻烦)?(?:以后)?(?:回答|回复|说话)?(?:要|尽量|都)?(?P<v>简短|详细|简洁|"
        r"简单|啰嗦)(?:一?点|些)(?:回答|回复)?(?:就好|"
        r"吧)?",
        "reply_length",
        "preference",
    ),
    _State(
        r"(?:请|麻烦)?(?:以后)?(?:都)?(?:用|说|讲)(?P<v>中文|英文|英语|粤语|普通话|日语|"
        r"繁体|繁体字)(?:回答|回复|说|回我|交流)?(?:就好|"
        r"吧)?",
        "reply_language",
        "preference",
    ),
    _State(
        r"(?:请|麻烦)?(?:以后)?(?:都)?(?P<v>(?:不要|别|不用|别用|不要用)(?:用|加)?(?:表情|"
        r"emoji|列表|表格|敬语)|用(?:列表|表格|"
        r"要点|分点|条列))(?:回答|回复)?",
        "reply_format",
        "preference",
    ),
    _State(
        (
            r"我?(?:平时|都|一直|主要)?(?:在)?用(?P<v>[a-z][a-z+#.]{1,14})(?:写代码|记笔记|办公|"
            r"编程)?"
        ),
        "tool",
    ),
    _State(
        r"我?(?:平时|都|一直|主要)?写(?P<v>java|python|go|rust|c\+\+|php|前端|后端|js|kotlin)",
        "tool:code",
    ),
    _State(r"我?用(?:的是|的|着)?(?P<v>移动|联通|电信|广电)(?:的?卡|宽带|用户)?", "carrier"),
    _State(
        (
            r"我?(?:用|办|存)(?:的是|的|了)?(?P<v>(?:工行|建行|农行|招行|中行|交行|招商银行|"
            r"工商银行|建设银行)卡?)"
        ),
        "bank",
    ),
    _State(
        r"(?:我?(?:的)?)?(?P<g>预算|房租|月租|月薪|工资|年薪)(?:是|有|每月)"
        r"?(?P<v>[一二三四五六七八九十两百千万\d.]{1,8}(?:块|元|万|"
        r"千)?)",
        "{g}",
    ),
    _State(
        (
            r"我?(?:还)?(?P<v>(?:还着|背着|有)(?:房贷|车贷)|欠[一二三四五六七八九十两百千万\d]"
            r"{1,6}(?:块|元)?)"
        ),
        "loan",
    ),
    _State(
        r"我?(?:都|一般|平时)?(?:去|在)(?P<v>[\u4e00-\u9fff]{2,6})买菜", "habit:买菜", "pattern"
    ),
)

_EN_NAME: Final = r"(?P<v>[\w' .-]{1,30})"
_EN_PROPER: Final = r"(?P<v>(?P<t>[\w' .-]{1,30}))"
_EN: Final = (
    _State(rf"(?:my )?home is (?:in )?{_EN_NAME}", "home"),
    _State(r"i(?:'m| am|m) (?P<v>in (?:year|grade|form) \w+)", "school"),
    _State(
        rf"my (?P<g>roommate|flatmate|housemate|landlord|landlady|doctor|dentist|therapist|boss|"
        rf"manager|coach|trainer|tutor|teacher|neighbou?r|gp)(?:'s| is| is called|"
        rf"'s name is) {_EN_PROPER}",
        "relation:{g}",
    ),
    _State(
        rf"my (?:girlfriend|boyfriend|wife|husband|partner|fianc[ée]+|gf|bf)(?:'s| is| is called|"
        rf"'s name is) (?!in\b|from\b|an? |at\b|on\b|not\b|\w+ing\b|very\b|so\b|pregnant|vegan|"
        rf"vegetarian|allergic|sick|ill|better|here|away|busy|late){_EN_PROPER}",
        "partner",
    ),
    _State(
        rf"i(?:'m| am|m) (?:dating|seeing|engaged to|married to|going out with) {_EN_PROPER}",
        "partner",
    ),
    _State(
        r"i (?:am doing|do|eat|follow|'m doing)? ?(?:am )?(?P<v>keto|paleo|low[- ]carb|"
        r"intermittent fasting|meat|fish|everything|halal|kosher|gluten[- ]free)",
        "diet",
        "preference",
    ),
    _State(
        r"i(?:'m| am|m) (?:doing|on|eating) (?:a |the )?(?P<v>keto|paleo|low[- ]carb|"
        r"intermittent fasting|halal|kosher|gluten[- ]free|plant[- ]based)(?: diet)?",
        "diet",
        "preference",
    ),
    _State(
        r"i (?P<v>skip (?:breakfast|lunch|dinner)|eat breakfast|take (?:two|one|three|no|"
        r"\d) sugars?(?: in my (?:tea|coffee))?|drink (?:wine|beer|alcohol|tea|coffee|whisky|soda|"
        r"coke|milk)|smoke|vape)",
        "habit:{v}",
        "pattern",
    ),
    _State(
        r"(?:i|we) (?:have|drive|own|ride|'ve got|have got) an? (?P<v>(?:\w+ )?(?:golf|polo|volvo|"
        r"honda|toyota|ford|tesla|bmw|audi|fiat|kia|mazda|nissan|civic|corolla|focus|fiesta|mini|"
        r"skoda|seat|vw|jeep|subaru|vespa|harley|yamaha|scooter|moped|motorbike|van|"
        r"truck)(?: \w+)?)",
        "car",
    ),
    _State(
        r"(?:i|we) use (?:an? )?(?P<v>iphone(?: \w+)?|pixel(?: \w+)?|android|galaxy(?: \w+)?|"
        r"samsung(?: \w+)?|nokia(?: \w+)?)",
        "device:phone",
    ),
    _State(r"i(?:'m| am|m) on (?P<v>android|ios|an iphone)", "device:phone"),
    _State(
        r"(?:i|we) use (?:an? )?(?P<v>mac\w*(?: \w+)?|pc|windows(?: \d+)?|linux|thinkpad|"
        r"chromebook|ubuntu)",
        "device:computer",
    ),
    _State(
        r"i go to (?P<v>the gym|church|yoga|pilates|a book club|choir|therapy)",
        "habit:{v}",
        "pattern",
    ),
    _State(
        r"i go to (?:bed|sleep) (?P<v>(?:at |around |by )?[\w: ]{2,16})", "habit:bedtime", "pattern"
    ),
    _State(r"i sleep (?P<v>[\w ]{1,16}hours?(?: an? night)?)", "habit:sleep", "pattern"),
    _State(
        r"i (?P<v>bike|cycle|walk|drive|run|take the (?:bus|train|tube|subway|metro|tram)|"
        r"ride my bike) to (?:work|school|the office|uni|campus)",
        "commute",
        "pattern",
    ),
    _State(r"my commute (?:is|takes) (?P<v>[\w ]{2,24})", "commute", "pattern"),
    _State(
        r"i(?:'m| am|m) (?P<v>1[.,]\d\d ?m?(?: tall)?|\d'\d+(?:\")?(?: tall)?|"
        r"\d feet \d+(?: tall)?|1\d\d ?cm(?: tall)?)",
        "height",
    ),
    _State(
        rf"(?:my|our) (?P<g>cat|dog|parrot|rabbit|hamster|horse|puppy|kitten)(?:'s| is) (?:called |"
        rf"named )?(?!an?\b|the\b|\w+ing\b|\w+ed\b|\d|old|sick|ill|very|so|not|in\b|at\b|on\b|"
        rf"my){_EN_PROPER}",
        "pet:{g}",
    ),
    _State(
        r"my (?P<g>son|daughter|sister|brother|kid) (?:goes to|attends|"
        r"is at) (?P<v>[\w' .-]{2,40})",
        "relation:{g}:school",
    ),
    _State(
        r"(?:(?:our|my) (?P<g>(?!favou?rite)[\w ]{3,20}?)|the (?P<e>wedding|concert|party|exam|"
        r"interview|move|gig|recital|race|marathon|surgery|viva|defen[cs]e))(?:'s| is|"
        r" are) (?:on |at |from )(?P<v>(?:\d{4}-\d\d-\d\d|\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)|"
        r"(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|"
        r"th)? (?:of )?\w+|\w+ \d{1,2}(?:st|nd|rd|th)?)(?: at [\w: ]+)?)",
        "plan:{g}{e}",
    ),
    _State(
        r"(?:we're|i'm|we are|i am) (?:going|flying|travelling|traveling|moving|"
        r"off) to (?P<g>[\w ]{2,24}?)(?: (?:in|on|for|next) (?P<v>[\w ]{2,20}))?",
        "plan:{g}",
    ),
    _State(
        r"i(?:'m| am|m) (?P<v>watching|reading|playing|writing|learning|rewatching|rereading|"
        r"knitting|building) (?P<t>[\w' ]{2,30})",
        "",
    ),
    _State(
        r"(?:please )?(?:write|talk|speak|reply|answer)(?: to me)? in (?P<v>french|german|english|"
        r"spanish|italian|chinese|dutch|japanese|portuguese|simple english|"
        r"plain english)(?: please)?",
        "reply_language",
        "preference",
    ),
    _State(
        r"(?:please )?(?:be|stay|keep it) (?:more )?(?P<v>formal|informal|casual|brief|concise|"
        r"direct|blunt|friendly|polite)(?: with me| please)*",
        "reply_tone",
        "preference",
    ),
    _State(
        r"(?:i|we) (?:use|write in|code in|work in|program in|develop in) (?P<v>vim|neovim|emacs|"
        r"vs ?code|intellij|pycharm|sublime(?: text)?|cursor|zed|notion|obsidian|evernote|onenote|"
        r"jira|linear|asana|trello|slack|teams|chrome|firefox|safari|edge|brave|figma|excel|gmail|"
        r"outlook|spotify|python|java|go|rust|typescript|javascript|ruby|php|kotlin|c#|"
        r"c\+\+)(?: (?:for|at) (?P<g>[\w ]{2,20}))?",
        "tool:{g}",
    ),
    _State(
        r"i (?:write|code) (?P<v>java|python|go|rust|typescript|javascript|ruby|php|kotlin|c#|"
        r"c\+\+)",
        "tool:code",
    ),
    _State(rf"(?:i|we) bank with {_EN_NAME}", "bank"),
    _State(
        r"i(?:'m| am|m) with (?P<v>vodafone|verizon|t-mobile|at&t|ee|o2|three|orange|telekom|"
        r"comcast|xfinity|bt|sky|virgin(?: media)?)",
        "carrier",
    ),
    _State(
        (
            r"(?:my|our) (?P<g>budget|rent|salary|mortgage) is (?P<v>[$£€]?\d[\d,.]*k?(?: \w+)"
            r"{0,3})"
        ),
        "{g}",
    ),
    _State(
        r"i (?:make|earn) (?P<v>[$£€]?\d[\d,.]*k?(?: (?:a|per) (?:year|month|hour))?)", "salary"
    ),
    _State(r"i owe (?P<v>[$£€]?\d[\d,.]*k?(?: (?:on|in|to) [\w ]{2,24})?)", "loan"),
    _State(r"(?:i|we) pay (?P<v>[$£€]?\d[\d,.]*k?(?: \w+){0,3}) (?:in|for) rent", "rent"),
    _State(
        r"(?:i|we) (?:shop|buy groceries|do (?:the|my) shopping) at (?P<v>[\w' ]{2,24})",
        "habit:shopping",
        "pattern",
    ),
)


def plain_states(clause: Clause, *, alone: bool, today: date) -> Iterator[Fact]:
    """What a clause states that is nothing but such a statement.

    Args:
        clause: it is stated, and no rule has found anything in it.
        alone: the message says no more than this clause.
        today: the day of the message.
    """
    chinese = has_han(clause.plain)
    plain = clause.plain.strip(_ENDING if chinese else " \t.!~,")
    if len(plain) > _MOST_CHARS or (chinese and not alone and not plain.startswith("我")):
        return
    for state in _ZH if chinese else _EN:
        match = state.compiled.fullmatch(plain)
        if match is None:
            continue
        said = clause.text.strip(" \t.。!！~～,，")
        free = (freely_zh if chinese else freely_en)(
            said, clause.plain.strip(" \t.。!！~～,，"), today
        )
        fact = free or Fact(said)
        if (
            "t" in state.compiled.groupindex
            and not clause.text[slice(*match.span("t"))][:1].isupper()
        ):
            continue
        groups = {name: thing(value or "") for name, value in match.groupdict().items()}
        key = state.key.format_map(groups).strip(":") if state.key else None
        start = clause.plain.find(plain)
        value = clause.text[start + match.start("v") : start + match.end("v")] or None
        yield replace(
            fact, key=key, value=value, category=state.category, confidence=PLAIN_CONFIDENCE
        )
        return
