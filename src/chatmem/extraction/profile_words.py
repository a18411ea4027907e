"""How a profile's statements are written, in each script, and the words they are recognised by."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from chatmem.text.wordlist import listed


class Phrasing(NamedTuple):
    """One statement as it is written down: in English, in Simplified and Traditional Chinese."""

    english: str
    simplified: str
    traditional: str


LANGUAGE_NAMES: Final[Mapping[str, Phrasing]] = {
    "english": Phrasing("English", "英文", "英文"),
    "chinese": Phrasing("Chinese", "中文", "中文"),
    "traditional": Phrasing("Traditional Chinese", "繁体中文", "繁體中文"),
    "simplified": Phrasing("Simplified Chinese", "简体中文", "簡體中文"),
    "cantonese": Phrasing("Cantonese", "粤语", "粵語"),
    "japanese": Phrasing("Japanese", "日文", "日文"),
    "korean": Phrasing("Korean", "韩文", "韓文"),
    "french": Phrasing("French", "法语", "法語"),
    "german": Phrasing("German", "德语", "德語"),
    "spanish": Phrasing("Spanish", "西班牙语", "西班牙語"),
    "italian": Phrasing("Italian", "意大利语", "義大利語"),
    "portuguese": Phrasing("Portuguese", "葡萄牙语", "葡萄牙語"),
    "russian": Phrasing("Russian", "俄语", "俄語"),
}
LANGUAGE_WORDS: Final[Mapping[str, str]] = {
    **{name: name for name in LANGUAGE_NAMES},
    "traditional chinese": "traditional",
    "simplified chinese": "simplified",
    "mandarin": "chinese",
    "英文": "english",
    "英语": "english",
    "中文": "chinese",
    "汉语": "chinese",
    "普通话": "chinese",
    "繁体中文": "traditional",
    "繁体字": "traditional",
    "繁体": "traditional",
    "简体中文": "simplified",
    "简体字": "simplified",
    "简体": "simplified",
    "粤语": "cantonese",
    "日文": "japanese",
    "日语": "japanese",
    "韩文": "korean",
    "韩语": "korean",
    "法文": "french",
    "法语": "french",
    "德文": "german",
    "德语": "german",
    "西班牙语": "spanish",
    "意大利语": "italian",
    "葡萄牙语": "portuguese",
    "俄语": "russian",
}

REPLY_IN: Final = Phrasing("Prefers replies in {}", "希望用{}回答", "希望用{}回答")
ADDRESSED_AS: Final = Phrasing("Wants to be called {}", "希望被称呼为{}", "希望被稱呼為{}")

STYLES: Final[tuple[tuple[str, str, Phrasing, tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        "reply_length",
        "short",
        Phrasing("Prefers short answers", "希望回答简短", "希望回答簡短"),
        (
            "short",
            "shorter",
            "brief",
            "briefer",
            "concise",
            "succinct",
            "terse",
            "to the point",
            "compact",
        ),
        tuple(
            listed(
                "简短 简洁 简单 短一点 短点 短一些 短些 精简 精炼 言简意赅 扼要 不要太长 别太长 "
                "不要长篇大论 别长篇大论 别啰嗦 不要啰嗦 少说废话 不要废话 别废话 直接给结论 "
                "直接说结论 先说结论"
            )
        ),
    ),
    (
        "reply_length",
        "long",
        Phrasing("Prefers detailed answers", "希望回答详细", "希望回答詳細"),
        (
            "long",
            "longer",
            "detailed",
            "more detailed",
            "in depth",
            "in-depth",
            "thorough",
            "comprehensive",
            "elaborate",
        ),
        tuple(listed("详细 详尽 具体一点 具体一些 深入 全面 长一点 展开讲 展开说")),
    ),
    (
        "reply_tone",
        "casual",
        Phrasing("Prefers a casual tone", "希望语气轻松随意", "希望語氣輕鬆隨意"),
        ("casual", "informal", "relaxed", "laid back", "laid-back", "conversational"),
        tuple(listed("轻松 随意 口语 口语化 随便一点")),
    ),
    (
        "reply_tone",
        "formal",
        Phrasing("Prefers a formal tone", "希望语气正式", "希望語氣正式"),
        ("formal", "professional", "businesslike", "serious"),
        tuple(listed("正式 专业 严肃 书面")),
    ),
    (
        "reply_tone",
        "friendly",
        Phrasing("Prefers a friendly tone", "希望语气亲切友好", "希望語氣親切友好"),
        ("friendly", "friendlier", "warm", "gentle", "kind", "encouraging"),
        tuple(listed("亲切 友善 温柔 温和 热情 鼓励")),
    ),
    (
        "reply_tone",
        "direct",
        Phrasing("Prefers a direct tone", "希望说话直接", "希望說話直接"),
        ("direct", "blunt", "straightforward", "honest", "frank", "critical"),
        tuple(listed("直接一点 直接一些 直接点 直白 坦率 直说 直言 别绕弯子 不要绕弯子")),
    ),
    (
        "reply_tone",
        "humorous",
        Phrasing("Prefers a humorous tone", "希望语气幽默", "希望語氣幽默"),
        ("humorous", "funny", "witty", "playful"),
        tuple(listed("幽默 风趣 搞笑")),
    ),
    (
        "reply_tone",
        "simple",
        Phrasing("Prefers plain language", "希望用词通俗易懂", "希望用詞通俗易懂"),
        ("simple", "plain", "jargon-free", "non-technical", "easy to understand", "layman's terms"),
        tuple(listed("通俗 易懂 通俗易懂 大白话 少用术语 不要用术语 别用术语")),
    ),
)
"""Slot, key, how it is written down, and the adjectives that ask for it."""

FORMATS: Final[tuple[tuple[str, Phrasing, tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        "no bullets",
        Phrasing("Prefers prose without bullet points", "希望不用列表", "希望不用列表"),
        (
            "no bullet points",
            "without bullet points",
            "not use bullet points",
            "n't use bullet points",
            "stop using bullet points",
            "avoid bullet points",
            "no bullets",
            "no lists",
            "n't use lists",
            "avoid lists",
        ),
        tuple(listed("不要用列表 别用列表 不用列表 不要列表 不要分点 别分点 不要用要点")),
    ),
    (
        "no emoji",
        Phrasing("Prefers replies without emoji", "希望不用表情符号", "希望不用表情符號"),
        (
            "no emoji",
            "no emojis",
            "without emoji",
            "without emojis",
            "not use emoji",
            "not use emojis",
            "n't use emoji",
            "n't use emojis",
            "stop using emoji",
            "stop using emojis",
            "avoid emoji",
            "avoid emojis",
            "never use emojis",
            "never use emoji",
        ),
        tuple(
            listed(
                "不要用表情 别用表情 不用表情 不要表情 不要用emoji 别用emoji 不要emoji "
                "不要加表情 别加表情 不要发表情 别发表情 不要加emoji 不要使用表情 不要使用emoji"
            )
        ),
    ),
    (
        "no markdown",
        Phrasing(
            "Prefers plain text without Markdown",
            "希望用纯文本，不用 Markdown",
            "希望用純文字，不用 Markdown",
        ),
        (
            "no markdown",
            "without markdown",
            "not use markdown",
            "n't use markdown",
            "avoid markdown",
            "plain text",
            "stop using markdown",
        ),
        tuple(listed("不要用markdown 别用markdown 不用markdown 不要markdown 纯文本 纯文字")),
    ),
    (
        "bullets",
        Phrasing("Prefers bullet points", "希望用要点列出", "希望用要點列出"),
        (
            "bullet points",
            "bullet point",
            "bullets",
            "bulleted lists",
            "bullet lists",
            "numbered lists",
        ),
        tuple(listed("列表 要点 分点 条列 列点 项目符号 编号")),
    ),
    (
        "tables",
        Phrasing("Prefers tables", "希望用表格", "希望用表格"),
        ("tables", "table form", "table format"),
        ("表格",),
    ),
    (
        "steps",
        Phrasing("Prefers step-by-step explanations", "希望分步骤讲解", "希望分步驟講解"),
        ("step by step", "step-by-step"),
        tuple(listed("一步一步 分步骤 一步步")),
    ),
    (
        "examples",
        Phrasing("Prefers answers with examples", "希望回答带例子", "希望回答帶例子"),
        (
            "with examples",
            "include examples",
            "give examples",
            "with an example",
            "include an example",
            "give an example",
        ),
        tuple(listed("举例 举例子 举个例子 带例子 加例子 附上例子")),
    ),
)
"""The first that fits counts: what is refused stands before what is wanted."""

REFUSED: Final = frozenset({"no bullets", "no emoji", "no markdown"})

OCCUPATIONS_EN: Final = listed(
    """
    nurse doctor teacher engineer developer programmer lawyer accountant designer student journalist
    writer architect chef cook manager scientist researcher professor lecturer photographer musician
    artist consultant analyst therapist psychologist pharmacist dentist veterinarian vet surgeon
    physician electrician plumber carpenter mechanic pilot driver farmer librarian translator
    interpreter editor salesperson salesman entrepreneur founder freelancer contractor economist
    biologist chemist physicist mathematician historian philosopher police officer firefighter
    soldier barista baker waiter waitress secretary administrator technician trader banker broker
    realtor judge paramedic midwife physiotherapist tutor coach trainer actor actress singer dancer
    retiree homemaker housewife intern undergraduate postgraduate phd postdoc paralegal recruiter
    marketer copywriter statistician sysadmin devops tester mother father mom mum dad parent
    grandmother grandfather grandparent widow widower vegetarian vegan diabetic veteran
    """
)
OCCUPATIONS_ZH: Final = listed(
    """
    医生 大夫 护士 老师 教师 教授 讲师 工程师 程序员 码农 律师 会计 会计师 设计师 学生 大学生 研究生
    博士生 硕士生 高中生 初中生 本科生 博士 记者 作家 编辑 建筑师 厨师 经理 产品经理 项目经理 科学家
    研究员 摄影师 音乐家 音乐人 画家 艺术家 顾问 分析师 咨询师 心理咨询师 药剂师 牙医 兽医 外科医生
    电工 木工 技工 飞行员 司机 农民 图书管理员 翻译 销售 销售员 创业者 创始人 自由职业者 经济学家
    生物学家 化学家 物理学家 数学家 历史学家 警察 消防员 军人 咖啡师 面包师 服务员 秘书 行政 技术员
    技师 交易员 银行职员 公务员 法官 急救员 助产士 治疗师 家教 教练 演员 歌手 舞者 家庭主妇 全职妈妈
    全职爸爸 实习生 店员 店主 老板 职员 运营 客服 测试员 前端 后端 架构师 主播 空姐 空乘 导游 快递员
    外卖员 保安 保姆 妈妈 爸爸 母亲 父亲 单亲妈妈 单亲爸爸 宝妈 奶爸 退休教师 退休人员 上班族 素食者
    糖尿病患者 素食主义者
    """
)
