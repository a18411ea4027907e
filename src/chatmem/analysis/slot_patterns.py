"""How people state the slots of a task: patterns over a clause in lower case and Simplified.

Every pattern has a group `v`, the value. A value is taken from the clause as it was said.
"""

import re
from collections.abc import Iterator
from typing import Final

from chatmem.text.dates.english import MONTHS, WEEKDAYS


class Patterns:
    """Patterns to be searched in order, compiled when first searched: all of them take 25 ms."""

    def __init__(self, *sources: str) -> None:
        self._sources = sources
        self._compiled: tuple[re.Pattern[str], ...] = ()

    def __iter__(self) -> Iterator[re.Pattern[str]]:
        if not self._compiled:
            self._compiled = tuple(map(re.compile, self._sources))
        return iter(self._compiled)


_NUMERAL_EN = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|a dozen"
)
_NUMERAL_ZH = "[一二两三四五六七八九十百千万半几零〇0-9]"
_CURRENCY = (
    r"euros?|dollars?|bucks|pounds|usd|eur|gbp|cny|rmb|yuan|hkd|twd|ntd|yen|jpy|francs?|chf|rupees?"
)
_CURRENCY_ZH = "人民币|美元|美金|欧元|英镑|日元|日币|港币|港元|台币|新台币|韩元|块钱|块|元|刀|欧"
_AMOUNT_EN = (
    rf"(?:[$€£¥]\s?\d[\d,.]*(?<![,.])(?:\s?[km]\b)?|\d[\d,.]*\s?k?\s?(?:[$€£¥]|(?:{_CURRENCY})\b))"
)
_AMOUNT_ZH = (
    rf"(?:[$€£¥]\s?\d[\d,.]*\s?[万千k]?|(?:\d[\d,.]*\s?[万千百k]?|{_NUMERAL_ZH}+)\s?"
    rf"(?:{_CURRENCY_ZH}))"
)

_LONG_MONTH = "|".join(MONTHS)
_MONTH = f"{_LONG_MONTH}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_WEEKDAY = "|".join(WEEKDAYS)
DATE_EN: Final = (
    rf"(?:(?:next|this coming|this) (?:{_WEEKDAY}|week(?:end)?|month|year|spring|summer|autumn|fall"
    rf"|winter)|(?:the day after )?tomorrow(?: (?:morning|afternoon|evening|night))?|tonight"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
    rf"|(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\d{{4}}-\d{{1,2}}-\d{{1,2}}"
    rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|in (?:early |mid-?"
    rf"|late )?(?:{_LONG_MONTH})\b(?: \d{{4}})?|in (?:\d+|{_NUMERAL_EN}|a couple of|a few"
    rf"|a) (?:days?|weeks?|months?)\b|(?:on |this )(?:{_WEEKDAY})(?: (?:morning|afternoon|evening"
    rf"|night))?\b)"
)
_DEADLINE_DATE_EN = (
    rf"(?:{DATE_EN}|(?:the )?(?:{_WEEKDAY})(?: (?:morning|afternoon|evening|night|noon))?"
    rf"|(?:the )?end of (?:the |this |next )?(?:day|week|month|year|quarter|{_LONG_MONTH})"
    rf"|(?:{_LONG_MONTH})|midnight|noon|eod|tonight|\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?m\b\.?)"
)
DATE_ZH: Final = (
    rf"(?:(?:{_NUMERAL_ZH}{{2,4}}年|明年|今年|后年)?{_NUMERAL_ZH}{{1,3}}月"
    rf"(?:{_NUMERAL_ZH}{{1,3}}[日号]|底|初|中旬|份)"
    r"|(?:下+个?|这个?|本)(?:周|星期|礼拜)(?:[一二三四五六日天末])?|(?<![每是])(?:周"
    r"|星期)[一二三四五六日天]|(?:下+个?|这个?|本)月(?:底|初|中旬)?(?:[0-9一二三十]{1,3}[号日])?"
    r"|月底|年底|明年(?:春天|夏天|秋天|冬天|初|底)?|明天|后天|大后天|今晚|明晚|明早|国庆(?:节"
    r"|假期)?|春节|元旦|中秋节?|五一(?:假期)?|暑假|寒假|圣诞节?"
    rf"|\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{4}}/\d{{1,2}}/\d{{1,2}}|{_NUMERAL_ZH}{{1,2}}[天周]后"
    rf"|{_NUMERAL_ZH}{{1,2}}个(?:月|星期|礼拜)后"
    r"|\d{1,2}[号日])"
)
_DAYTIME_ZH = "早上|上午|中午|下午|傍晚|晚上|凌晨"
TIME_ZH: Final = (
    rf"(?:(?:{_DAYTIME_ZH})\s?{_NUMERAL_ZH}{{1,3}}[点时](?:半|一刻|整|{_NUMERAL_ZH}{{1,3}}分?)?"
    r"|\d{1,2}[:：]\d{2})"
)

DATES: Final = Patterns(rf"\b(?P<v>{DATE_EN})", rf"(?P<v>{DATE_ZH}(?:{_DAYTIME_ZH})?)")
PAST: Final = re.compile(
    r"\b(?:yesterday|ago|last|was|were|went|had|did|used to|got|took|set|met|saw|made|came|gave"
    r"|spent|bought|flew|drove|ate|told|said|found|left|lost|won|ran|read|wrote|began|i've"
    r"|have been|has been|[a-z]{3,}(?<!ne)ed)\b(?! to\b)|\b(?:usually|always|every|each|often"
    r"|normally|[a-z]+days)\b|see you|talk (?:to you )?(?:again )?(?:tomorrow|soon|later)"
    r"|again tomorrow|chat with you|昨|前天|去年|上个?(?:周|月|星期|礼拜)|[过了](?:$|[，。！])"
    r"|之前去|曾经|当时|以前(?!要|必须|得|交|完成|提交)|每[天周个年月]|通常|经常|平时|明天见|再见"
    r"|再聊|回聊|今天是"
)
"""A clause about what has been, or about every week, states no date, and a farewell neither."""

TIMES: Final = Patterns(
    r"\b(?:at|from|around|by) (?P<v>\d{1,2}(?::\d{2})?\s?[ap]\.?m\b\.?|\d{1,2}:\d{2}|noon"
    r"|midnight)",
    rf"(?P<v>{TIME_ZH})",
)
DEADLINES: Final = Patterns(
    rf"\b(?:deadline|due(?: date)?|submission) (?:is|on|by|for it is|will be)(?: on| by)? "
    rf"(?P<v>{_DEADLINE_DATE_EN})",
    rf"\b(?:due|deadline)[: ]+(?P<v>{_DEADLINE_DATE_EN})",
    rf"\b(?:by|before|no later than|until) (?P<v>{_DEADLINE_DATE_EN})",
    rf"(?:截止(?:日期|时间)?|期限|最晚|最迟|deadline|死线)\s?(?:是|在|到|为)?\s?(?P<v>{DATE_ZH}"
    rf"(?:{TIME_ZH})?)",
    rf"(?P<v>{DATE_ZH}(?:{TIME_ZH})?)(?:之前|以前|前)(?:必须|需要|就|就要|要|得|能|把|给|将"
    rf"|一定要|完成|提交|交)",
    rf"(?P<v>{DATE_ZH}(?:{TIME_ZH})?)(?:截止|到期|就截止)",
)
BUDGETS: Final = Patterns(
    rf"\bbudget(?:'s| is| of| would be| will be|:)?(?: only| about| around| roughly| up to"
    rf"| at most| max(?:imum)?)*"
    rf" ?:? ?(?P<v>{_AMOUNT_EN}|\d[\d,.]*\d\s?k?\b)",
    rf"(?P<v>{_AMOUNT_EN}) (?:\w+ )?budget\b",
    rf"\b(?:spend|pay)(?: \w+)? (?:up to|at most|no more than|a maximum of|max) "
    rf"(?P<v>{_AMOUNT_EN})",
    rf"\b(?:under|below|up to|at most|less than|no more than|max(?:imum)?) (?P<v>{_AMOUNT_EN})",
    rf"预算\s?(?:是|为|在|有|只有|大概|大约|大约是|大概是|差不多|控制在|不超过|最多|约|上限|:"
    rf"|：)*\s?(?P<v>{_AMOUNT_ZH}|\d[\d,.]*\s?[万千k]?|{_NUMERAL_ZH}{{2,}})",
    rf"(?P<v>{_AMOUNT_ZH})(?:以内|以下|左右|之内|上下)?的预算",
    rf"(?:不超过|不要超过|最多花?|控制在)(?P<v>{_AMOUNT_ZH})",
    rf"(?P<v>{_AMOUNT_ZH})(?:以内|以下|之内)",
)
AMOUNTS: Final = Patterns(
    rf"\b(?:transfer|send|refund|invoice|withdraw|deposit|donate|reimburse)\b[^.]{{0,30}}? "
    rf"(?P<v>{_AMOUNT_EN})",
    rf"(?:转账?|汇款?|付款|退款|报销|打款|开发票|开票|捐)\D{{0,8}}?(?P<v>{_AMOUNT_ZH})",
)
_PEOPLE_EN = (
    r"people|persons|adults|guests|travell?ers|passengers|attendees|participants|of us|kids"
    r"|children|pax"
)
PEOPLE: Final = Patterns(
    rf"\b(?:for|with|we are|we're|total of|about|around|plus|there are|there will be) (?P<v>"
    rf"(?:\d{{1,4}}|{_NUMERAL_EN}) (?:{_PEOPLE_EN})"
    rf"(?:,? (?:and|plus) (?:\d+|{_NUMERAL_EN}|a|an) (?:kids?|child|children|baby|infants?"
    rf"|toddlers?))?)\b",
    rf"^\W*(?P<v>(?:\d{{1,4}}|{_NUMERAL_EN}) (?:{_PEOPLE_EN})(?:,? (?:and|plus) (?:\d+"
    rf"|{_NUMERAL_EN}|a|an) "
    rf"(?:kids?|child|children|baby|infants?|toddlers?))?)\W*$",
    rf"\b(?:party|group|family|table) (?:of|for) (?P<v>\d{{1,3}}|{_NUMERAL_EN})\b(?! (?:days?"
    rf"|nights?|hours?|weeks?|o'clock|pm|am|[ap]\.m))(?!:)",
    r"(?P<v>[一两二三四五六七八九十0-9]+大[一两二三四五六七八九十0-9]+小)",
    r"(?P<v>一家[二两三四五六七八九十]口)",
    rf"(?:我们|一共|总共|共|有|是|人数|给|和|出行|同行|一行|^)(?:一共|总共|大概|有|是|为|："
    rf"|:)?\s?(?P<v>(?!一[名位个])(?!半|几){_NUMERAL_ZH}{{1,4}}\s?(?:个人|位|人|个大人|名))(?!民"
    rf"|生|口|均|工|类|家|们|数)",
)
_LANGUAGES_EN = (
    "english|chinese|mandarin|cantonese|japanese|korean|french|german|spanish|italian|portuguese"
    "|russian|"
    "arabic|hindi|thai|vietnamese|dutch|turkish|polish|swedish|greek|hebrew|latin|indonesian"
)
_LANGUAGES_ZH = (
    "英文|英语|中文|汉语|普通话|粤语|日文|日语|韩文|韩语|法文|法语|德文|德语|西班牙文|西班牙语"
    "|意大利语|葡萄牙语|俄文|俄语|阿拉伯语|泰语|越南语|简体中文|繁体中文|繁体|简体"
)
LANGUAGES: Final = Patterns(
    rf"\b(?:write|draft|reply|answer|respond|translate\w*|put|make|say|compose|give"
    rf"|say)\b[^.?]{{0,40}}? (?:in|into|to) (?P<v>{_LANGUAGES_EN})\b",
    rf"(?:翻译成|译成|翻成|写成|改成|译为)(?P<v>{_LANGUAGES_ZH})",
    rf"(?:请用|用|以)(?P<v>{_LANGUAGES_ZH})(?:来)?(?:写|回|回复|回答|答|说|表达|给|起草|介绍)",
)
ORDER_NUMBERS: Final = Patterns(
    r"\border (?:number|no\.?|id|#)?\s?(?:is|:|=)?\s?#?(?P<v>"
    r"(?=[a-z-]*\d)[a-z0-9][a-z0-9-]{3,24})\b",
    r"(?:订单|单号|订单号|订单编号|运单号|快递单号)(?:号|编号)?\s?(?:是|为|：|:)?\s?#?(?P<v>"
    r"(?=[a-z-]*\d)[a-z0-9][a-z0-9-]{4,24})",
)
VERSIONS: Final = Patterns(
    r"\b(?:version|release|v)\s?(?:is |number |: ?)?(?P<v>\d+(?:\.\d+)+(?:-?(?:rc|beta|alpha"
    r"|b)\d*)?)\b",
    r"版本号?\s?(?:是|为|：|:)?\s?v?(?P<v>\d+(?:\.\d+)+)",
)
PRODUCTS: Final = re.compile(
    r"(?:\b(?:using|use|on|running|run|with|have|for|upgrade(?:d)? to|install(?:ed)?|bought"
    r"|from)\s+(?:an? |the |my |our )?|(?:用的是|使用的是|我用|我在用|使用|运行|装的是|买了|升级到"
    r"|型号是|基于)\s?)(?P<p>[A-Z][A-Za-z+#.-]*[A-Za-z+#](?: (?!Version|V\d)[A-Z][A-Za-z+#]*)?"
    r"|iPhone|iPad|macOS|iOS|numpy|pandas)\s+(?:version |v)?(?P<v>\d+(?:\.\d+)*(?: ?(?:Pro|Max|Plus"
    r"|Ultra|Mini|LTS))*)\b(?![:%/-])"
)
"""Over a clause as it was said: names have capitals."""

_PLACE = (
    r"(?P<v>[A-Z][\w'’-]+(?: (?:of |de |del |la |los |las |san |am |an der )?[A-Z][\w'’-]+){0,2})"
)
_GOING = (
    r"(?:going|go|moving|move|flying|fly|travell?ing|travel|driving|drive|heading|head|relocating"
    r"|relocate|trip|flights?|trains?|tickets?|journey|holiday|vacation|bus|visit(?:ing)?|shipping"
    r"|ship|deliver(?:y|ed)?|ride)"
)
_FROM = r"(?: from [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)?"
DESTINATIONS: Final = Patterns(
    rf"\b{_GOING}(?: back| home| over| out)?{_FROM} to {_PLACE}",
    rf"\b(?:I'm|I am|I'll be|we're|we are|We're|We are|We'll be|will be|plan to|planning on"
    rf"|planning to|want to|going to|We will|I will) "
    rf"(?:be )?(?:visit(?:ing)?|stay(?:ing)? in|land(?:ing)? in|arriv(?:e|ing) (?:in|at)) {_PLACE}",
    rf"\bfrom [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? to {_PLACE}",
    rf"\b(?:[Hh]otels?|[Hh]ostels?|[Aa]irbnb|[Aa]partment|[Rr]ooms?|[Ww]eekend|[Hh]oliday|[Tt]rip"
    rf"|days|nights|[Vv]acation) in {_PLACE}",
    rf"\b[Dd]estination(?: is|:)? {_PLACE}",
)
BEEN: Final = re.compile(
    r"\b(?:went|took|flew|moved|travell?ed|visited|drove|was|were|been to|did|stayed|got|spent"
    r"|met|back from|last|used to|never)\b"
)
"""A clause about a journey that is over."""
ORIGINS: Final = Patterns(
    rf"\b{_GOING}(?: over| out)? from {_PLACE}",
    rf"\b[Ff]rom {_PLACE} to [A-Z]",
    rf"\b(?:departing|depart|leaving|leave|starting|fly out) from {_PLACE}",
)
GOING_ZH: Final = re.compile(
    r"(?:搬家到|搬到|搬去|搬往|迁到|飞往|飞到|飞去|前往|去往|出差到|出差去|开车去|坐车去|自驾去"
    r"|旅行去|到达|抵达|目的地[是为：:]?|寄到|送到|发往|"
    r"(?<!出)(?<!过)(?<!上)(?<!下)(?<!进)(?<!回)(?<!失)去|飞|"
    r"(?<=[要想会将午天周月号日去飞走开赶坐骑送寄])到)(?=[\u4e00-\u9fff])"
)
"""Behind one of these a place name is where somebody is going; the segmenter says if it is one."""

FROM_ZH: Final = re.compile(r"(?:从|由|出发地[是为：:]?)(?=[\u4e00-\u9fff])")

NAMES: Final = Patterns(
    r"\b[Mm]y name(?:'s| is|’s) (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})",
    r"\b(?:I'm|I am|I’m) (?:called|named) (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})",
    r"\b[Cc]all me (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)",
)
NAMES_ZH: Final = re.compile(
    r"(?:我的?名字[是叫]|我名叫|我的?姓名[是为：:]|我叫做?)\s?(?P<v>[A-Za-z][\w'-]*"
    r"(?: [A-Z][\w'-]*)?|[\u4e00-\u9fff]{2,4})\W*$"
)
NO_NAMES_ZH: Final = re.compile(
    r"^(?:外卖|出租|滴滴|快递|救护|车|人|你|您|他|她|它|了|过|不|醒|什么|啥|谁|来|大家|朋友|家|上"
    r"|服务)|(?:过来|起床|帮忙|外卖|一声|一下)$"
)
