"""Classes of predicates in Chinese: what of a person lasts, and what it is about.

Patterns are matched at the beginning of a predicate, without its subject and the adverbs before
its verb, in Simplified characters and small letters.
"""

import re
from dataclasses import dataclass
from typing import Final

from chatmem.extraction.rule_words_zh import OCCUPATION_END, PET
from chatmem.model import Category

NUMBER: Final = r"[\d一二两三四五六七八九十百几半多]+"
REST: Final = r"[^，。！？?!]"
_SICK: Final = (
    r"(?:病|症|炎|癌|瘤|结节|结石|息肉|高血压|高血脂|高血糖|糖尿病|过敏|哮喘|色弱|色盲|近视|散光|鼻炎|湿疹|痛风|贫血|"
    r"失眠|腰突|颈椎病|脂肪肝|甲亢|甲减|不耐受|囊肿|骨折|弱视|耳鸣|偏头痛|三高|强迫症|恐惧症|多动症|幽门|肌瘤|抗体|癫痫|洁癖|抑郁|焦虑)"
)
_THINGS: Final = (
    r"(?:手机|电脑|笔记本|平板|相机|耳机|键盘|显卡|车|房|套|摩托|电动车|自行车|单车|公路车|吉他|钢琴|电子琴|小提琴|古筝"
    r"|switch|ps5|iphone|ipad|macbook|mac|华为|小米|苹果|特斯拉|比亚迪|索尼|sony|佳能|尼康|富士|联想|拯救者|戴尔|投影|烤箱"
    r"|咖啡机|缝纫机|跑步机|无人机|kindle|洗碗机|扫地机)"
)


@dataclass(frozen=True, slots=True)
class PredicateClass:
    """A class of predicates: how it begins, and what it is about."""

    pattern: re.Pattern[str]
    key: str = ""
    value: str = ""
    category: Category = "fact"
    alone: bool = True
    """It is of the writer even where nobody is named."""
    close: bool = False
    """It is told of those close to them only."""


def _class(
    pattern: str,
    key: str = "",
    value: str = "",
    category: Category = "fact",
    *,
    alone: bool = True,
    close: bool = False,
) -> PredicateClass:
    return PredicateClass(re.compile(pattern), key, value, category, alone, close)


CLASSES: Final = (
    # Health and food.
    _class(
        rf"(?:一?[吃喝碰闻]|对)?(?P<v>{REST}{{1,10}}?)(?:有点|严重|会|就)?过敏",
        "allergy:{v}",
        "yes",
    ),
    _class(rf"(?:对)?(?P<v>{REST}{{1,6}}?)不耐受", "allergy:{v}", "yes"),
    _class(
        rf"(?:有|得了?|患有?|查出来?(?:有|了)?|确诊(?:了|为|是)?|犯|被诊断|诊断(?:出|为)|检查出来?|天生|"
        rf"从小){REST}{{0,10}}?{_SICK}"
    ),
    _class(rf"(?:{REST}{{0,4}})?(?:血压|血糖|血脂|尿酸|胆固醇|眼压){REST}{{0,3}}(?:高|低)"),
    _class(rf"(?:一?坐?{REST}{{0,2}})?晕(?:车|船|机|针|血)"),
    _class(
        r"(?:有)?(?:恐高|惧高|懼高|色弱|色盲|鼻炎|胃病|痔疮|脱发|社恐|近视|高度近视|左撇子|平足|扁平足)"
    ),
    _class(
        rf"(?:每天|长期|一直|天天)?(?:在)?[吃打](?:着)?{REST}{{1,6}}(?:药|片|胶囊|针|优|汀|平|胰岛素)$"
    ),
    _class(rf"(?:刚)?{REST}{{0,5}}?(?:做过?了?|动过?了?|开过?了?){REST}{{0,8}}手术"),
    _class(rf"怀孕{REST}{{0,8}}|怀(?:了)?{REST}{{0,4}}(?:胎|宝)|预产期{REST}+|备孕{REST}{{0,6}}"),
    _class(
        rf"(?:吃了?|一直吃|常年吃|坚持吃)?素食?(?:食|主义)?者?(?:{NUMBER}年{REST}*)?$|吃素{REST}*",
        "diet",
        "素",
    ),
    _class(
        rf"(?:从来?)?不(?:能|怎么|太|爱|敢|大)?(?:吃|喝|沾|碰|抽)(?P<v>{REST}{{1,10}})$",
        "taste:{v}",
        "dislike",
        "preference",
    ),
    _class(rf"(?P<v>{REST}{{1,6}}?)(?:我)?(?:已经|基本|早就)?戒了", "habit:{v}", "戒了"),
    _class(
        rf"(?:在|已经|刚)?戒(?:了)?(?P<v>(?!了)(?:烟|酒|糖|奶茶|咖啡|碳水|"
        rf"{REST}{{1,4}}?))了?(?:{NUMBER}{REST}*)?$",
        "habit:{v}",
        "戒了",
    ),
    _class(
        rf"改(?P<v>(?:喝|吃|用|玩|学|练|骑|坐|穿|打){REST}{{1,8}}|游泳|跑步)了?$",
        "habit:{v}",
        "改",
        "pattern",
    ),
    _class(
        rf"不(?:再|打算再)?(?P<v>(?:跑步?|健身|喝|吃|抽|打|学|练|养|开|追|玩|骑|写|教|做|直播|熬夜){REST}{{0,6}}?)了$",
        "habit:{v}",
        "不",
        "pattern",
    ),
    _class(
        rf"(?P<v>{REST}{{1,6}}?)我?一?(?:碰|吃|喝|闻|沾)(?:了|到)?就(?:起疹|拉|吐|痒|肿|难受|不舒服|过敏|胃疼){REST}*",
        "allergy:{v}",
        "yes",
    ),
    # Likes and dislikes.
    _class(
        r"(?:喜欢|爱(?!人|情|尔|丁)|偏爱|最爱|酷爱|热爱|迷上了?|沉迷|痴迷|入坑了?|入了?(?!手)|馋|粉了?|追(?:的)?|中意|钟意|离不开|热衷于?|偏好"
        rf"|就好|好这|嗜|控|超爱|沉迷于)(?P<v>{REST}{{1,16}})",
        "taste:{v}",
        "like",
        "preference",
    ),
    _class(
        rf"(?P<v>{REST}{{1,8}}?)(?:我)?(?:现在|已经|早就|再也)?(?:不(?:再|太|怎么)?(?:喜欢|爱[吃喝看听玩]?)|戒)了$",
        "taste:{v}",
        "dislike",
        "preference",
    ),
    _class(
        rf"(?P<v>{REST}{{1,8}}?)(?:我)?(?:现在)(?:居然|反而|倒是)?(?:喜欢|爱[吃喝看听玩]?)(?:上)?了$",
        "taste:{v}",
        "like",
        "preference",
    ),
    _class(
        rf"怕(?P<v>(?!来不及|迟到|麻烦|被|他|她|你){REST}{{1,12}})$",
        "taste:{v}",
        "dislike",
        "preference",
        alone=False,
    ),
    _class(rf"(?P<w>只(?:吃|喝|看|听|追|用|穿|玩|买)){REST}{{1,12}}", category="preference"),
    _class(
        r"(?:最烦|讨厌|受不了|不(?:太|怎么|是很|大|咋)?喜欢|不爱|反感|最怕|特别怕|很怕|忍不了|接受不了|吃不惯|喝不惯|看不了|听不得|见不得|闻不了|"
        r"不看|不听|不玩|不追)"
        rf"(?P<v>{REST}{{1,16}})",
        "taste:{v}",
        "dislike",
        "preference",
    ),
    _class(
        rf"对(?P<v>{REST}{{1,12}}?)(?:完全|真的|实在|一点都?)*(?:没什么|没啥|没|不|无|提不起)(?:感?兴趣|感冒|感$|来电)",
        "taste:{v}",
        "dislike",
        "preference",
    ),
    # Work and school.
    _class(
        rf"(?:在|于|搁|佇|人在)(?P<v>{REST}{{1,12}}?)(?:上班|工作|任职|打工|兼职|实习|当差|食头路|做事|驻点|出差常驻)",
        "employer",
        "{v}",
    ),
    _class(
        rf"(?:在{REST}{{1,10}}?)?(?:是)?(?:专门)?(?P<v>(?:做|干|搞|卖|教|跑|送|修|种|养)(?!了|着|过|"
        rf"{NUMBER}){REST}{{1,10}}?)(?:的|{NUMBER}年了?)$",
        "occupation",
        "{v}",
    ),
    _class(
        rf"(?:在{REST}{{1,10}}?)?(?:自己)?(?:开了?|经营|盘了?){REST}{{0,6}}(?:店|馆|铺|厂|公司|工作室|民宿|诊所|超市|"
        rf"咖啡厅|农家乐|网店|淘宝)",
        "occupation",
        "{0}",
    ),
    _class(
        rf"在{REST}{{1,8}}?(?P<v>(?:(?<!叫)做(?!饭|菜|作业|客|梦|题|饼|面)|干(?!嘛|活)|搞|卖|教){REST}{{2,8}})$",
        "occupation",
        "{v}",
    ),
    _class(
        rf"(?:在{REST}{{1,8}}?)?(?:是|做|当)(?:一?[个名位])?(?P<v>{REST}{{0,10}}?(?:{OCCUPATION_END}|"
        rf"设计|开发|运营|销售|分析|市场|采购|财务|人事"
        r"|外贸|电商|直播|自媒体|家教|保洁|物流|装修|大副|船长|护士|义工))$",
        "occupation",
        "{v}",
    ),
    _class(
        rf"(?:从{REST}{{1,6}})?(?:调到|调去|调来|转到|外派到|派到)了?(?P<v>{REST}{{2,8}}?)(?:上班|工作)?了?$",
        "home",
        "{v}",
    ),
    _class(r"姓(?P<v>[\u4e00-\u9fff]{1,2})$", "surname", "{v}"),
    _class(
        rf"(?P<v>(?:山东|山西|河南|河北|湖南|湖北|广东|广西|江苏|江西|浙江|福建|安徽|四川|贵州|云南|陕西|甘肃|辽宁|吉林|黑龙江|海南|内蒙古?|新疆|"
        rf"宁夏|青海|西藏|北京|上海|天津|重庆|台湾|香港){REST}{{0,4}})人$",
        "hometown",
        "{v}",
    ),
    _class(
        rf"(?:教|带)(?P<v>{REST}{{0,4}}(?:语文|数学|英语|物理|化学|历史|地理|生物|政治|美术|音乐|体育|钢琴|舞蹈|毕业班))",
        "occupation",
        "教{v}",
    ),
    _class(
        r"(?:是|做|当|一[个名]|个)*(?:一[个名])?(?P<v>个体户|自由职业者?|全职妈妈|全职爸爸|家庭主妇|公务员|程序员|码农|社畜|医生|护士|老师|律师"
        r"|会计|司机|外卖员|骑手|快递员|设计师|工程师|厨师|保安|导游|记者|编辑|研究生|博士生|留学生|高三生|大学生|退伍军人|军人|老兵|新手妈妈"
        r"|单亲妈妈|单亲爸爸|独生子女?|产品经理|pm|学生)$",
        "occupation",
        "{v}",
        alone=False,
    ),
    _class(
        rf"(?:把)?(?:工作)?(?:跳槽|辞职|离职|辞了|转行|退休|失业|被裁|入职|升职|升了|转正|创业|退伍){REST}{{2,}}"
    ),
    _class(rf"考(?:上|进|过|到)了?(?P<v>{REST}{{1,12}})"),
    _class(
        rf"(?:在|于|佇|人在)?(?P<v>{REST}{{0,10}}?)(?:读|念|上|讀)(?:的)?(?:{REST}{{0,6}})(?:研究生|研|博士|"
        rf"博|本科|大[一二三四]|高[一二三]|初[一二三]"
        rf"|{NUMBER}年级|小学|中学|高中|初中|大学|幼儿园|语言班|学前班|硕士|硕|mba|中大|专业|系)",
        "school",
        "{0}",
    ),
    _class(rf"(?:主修|专业是|学的(?:是)?|修读|读的是)(?P<v>{REST}{{1,12}})", "major", "{v}"),
    _class(rf"(?:在)?(?:备考|自学|报了|在考|考){REST}{{1,12}}$"),
    _class(
        rf"(?:在)?(?:学|练)(?:了)?(?P<v>(?!了?小?{NUMBER}|了|习惯|习|会|到|着|"
        rf"不){REST}{{1,8}}?)(?:了?大?半?{NUMBER}(?:年|个月|周){REST}*)?(?<!时)(?<!困难)(?<!问题)$",
        "habit:学{v}",
        "在学",
    ),
    _class(
        r"(?:还|也)?会(?:说|讲|一点)?(?:点)?(?P<v>手语|英语|日语|韩语|法语|德语|西班牙语|俄语|粤语|意大利语|葡萄牙语|阿拉伯语|泰语)",
        "language:{v}",
        "会",
    ),
    # Places and home.
    _class(rf"是(?:学|读|念)(?P<v>{REST}{{1,10}}?)(?:专业)?的$", "major", "{v}"),
    _class(
        rf"是(?P<v>(?!学|做|干|搞|教|卖|属|为|来|用|很|最|第|同|对|这|那|我){REST}{{1,6}}?)(?:这边|那边)?(?:人|土著|本地人|"
        rf"嘞|的)$",
        "hometown",
        "{v}",
        alone=False,
    ),
    _class(
        rf"(?:家)?(?:租|住)的?(?:房子|地方|小区|公寓)(?:在|是)(?P<v>{REST}{{1,12}})", "home", "{v}"
    ),
    _class(
        rf"(?:家)?(?:住|租|定居|搬到了?|搬去了?|搬来了?|坐标|常驻|落户)(?:的|在|是|于)?(?P<v>(?!了|个|得|房|着|"
        rf"不){REST}{{1,14}})",
        "home",
        "{v}",
    ),
    _class(
        rf"在(?P<v>{REST}{{1,8}}(?:大学|学院|中学|一中|附中|高中|小学|幼儿园))$", "school", "{v}"
    ),
    _class(rf"(?:和|跟){REST}{{1,4}}?在(?P<v>{REST}{{1,8}}?)(?:合租|同居|租房)", "home", "{v}"),
    _class(rf"(?:在|搁|佇)(?P<v>{REST}{{1,8}}?)(?:住|待了?{NUMBER}年{REST}*)$", "home", "{v}"),
    _class(rf"(?:小时候)?(?:在)?{REST}{{1,6}}(?:长大|出生)"),
    _class(rf"(?:刚)?(?:在{REST}{{1,6}})?买了?{REST}{{0,4}}(?:房|套|车位){REST}*"),
    # Family, pets, age.
    _class(rf"{NUMBER}[只条个匹]?(?P<v>{PET}){REST}{{0,4}}$", "pet:{v}", "{0}", alone=False),
    _class(
        rf"(?:跟|和)?{REST}{{0,4}}(?:离婚|离了|分手|领证|订婚|结婚|再婚|分居|复合)(?:了)?(?:{NUMBER}{REST}*)?了?$"
    ),
    _class(rf"(?:单身|已婚|未婚|离异|丁克|单亲)(?:{REST}{{0,6}})$"),
    _class(
        rf"(?:有|生了|带着?){REST}{{0,3}}[个俩两仨三](?:孩子|娃|女儿|儿子|宝宝|小孩|闺女|双胞胎)(?!弟|妹|哥|姐){REST}{{0,6}}$",
        "children",
        "{0}",
    ),
    _class(rf"(?:有|是){REST}{{0,6}}?(?:妹妹|弟弟|哥哥|姐姐|独生子女?|独生女|老大|老二)$"),
    _class(
        rf"(?:高考|中考|考研|上班|工作|结婚|生了|退休|去世|走了|住院|留学|毕业|怀孕|离婚|出国|得了|患){REST}*",
        close=True,
    ),
    _class(rf"信(?:佛|基督|教|主|道|伊斯兰|天主){REST}*"),
    _class(
        rf"(?:[一二两三俩]|{NUMBER})个?(?:娃儿?|孩子|儿子|女儿|闺女){REST}{{0,8}}$", alone=False
    ),
    _class(
        rf"(?:家里|我家)?(?:养了?|捡了?|领养了?|收养了?|有|接了?)(?:{REST}{{0,6}}?)(?P<v>{PET}|喵|主子|仓鼠|鸽子|鸡|鸭|"
        rf"龟)(?:{REST}{{0,6}})$",
        "pet:{v}",
        "yes",
    ),
    _class(
        r"(?:今年|刚满?|快|马上|虚岁|实岁|是)*(?P<v>\d{1,3}|[一二三四五六七八九十]{1,4})岁?了?$",
        "age",
        "{v}",
        alone=False,
    ),
    _class(rf"属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|(?:\d{{2,4}})年(?:的|生|出生)|{NUMBER}后$"),
    _class(
        r"(?:是)?(?:白羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座?的?$",
        "zodiac",
        "{0}",
    ),
    _class(rf"(?:上|读|念|开学|去了|耳朵|当兵|是聋人|身体不){REST}*", close=True),
    # Possessions.
    _class(
        rf"(?:现在)?(?:用(?:的|着)?(?:是)?|开(?:的|着)?(?:是)?|那台是|那辆是|手上是|买了|入手了?|换了|刚提了?|换成了?|"
        rf"有)(?P<v>{REST}{{0,12}}{_THINGS}{REST}{{0,10}})",
        "possession:{v}",
        "{v}",
    ),
    _class(
        rf"(?P<k>{_THINGS})(?:刚|已经|早就)?(?:换成了?|换了|换的是|是|用的是|升级成)(?P<v>{REST}{{2,16}}?)了?$",
        "possession:{k}",
        "{v}",
    ),
    _class(rf"(?:现在)?(?:用|开)(?:的|着)(?:就)?是(?P<v>{REST}{{2,20}})"),
    # What is said of oneself or one's people outright, whatever it is.
    _class(rf"(?:负责|分管|主管|带){REST}{{2,14}}$", alone=False),
    _class(
        rf"(?:当|做|参加|考|得|拿|出|骨折|住|跑|学|练|待|养|写|开)过{REST}{{2,14}}$", alone=False
    ),
    _class(
        rf"(?:有|持有|拿了|考了){REST}{{0,8}}(?:证|驾照|执照|资格|学位|文凭|绿卡|签证|户口|房贷|车贷|贷款|存款|公积金|经验|习惯|爱好|"
        rf"洁癖|忌口|基础|纹身|疤)"
    ),
    _class(
        rf"没有?(?:驾照|房|车|对象|孩子|工作|户口|社保|运动习惯|{REST}{{0,4}}基础|{REST}{{0,4}}经验)"
    ),
    _class(rf"不会(?:开车|做饭|游泳|骑车|英语|喝酒|抽烟|{REST}{{0,2}}跳舞|唱歌|编程)"),
    _class(
        rf"会(?:开车|做饭|游泳|编程|弹|拉|吹|画|修|木工|缝纫|潜水|滑雪|手语|方言){REST}{{0,8}}$",
        alone=False,
    ),
    _class(
        rf"(?!(?:做|开|教|学|喜欢|爱)的)(?:是|有(?!点|些|没|个问题)|没有|不会|会|最?怕|喜欢|最?爱(?!管|说|问|闹)|属|信|患|得过|得了|"
        rf"做|当|从事|开|不吃|不能吃|不喝|学|教|身体|眼睛|耳朵|腿|腰|听力|视力|记性){REST}{{2,18}}$",
        close=True,
    ),
)
