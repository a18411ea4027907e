"""What the made-up messages of the benchmark are about. All of it is invented."""

NAMES_EN = (
    "Abel", "Agnes", "Alba", "Anton", "Bruno", "Celia", "Clara", "Cyril", "Dario", "Edith",
    "Elsa", "Emil", "Enzo", "Fiona", "Frida", "Gaspar", "Greta", "Hugo", "Ida", "Ingrid",
    "Irina", "Ivo", "Jasper", "Joan", "Jonas", "Karin", "Lars", "Lena", "Leon", "Livia",
    "Lotte", "Magnus", "Marek", "Mila", "Nadia", "Nina", "Nora", "Olaf", "Olga", "Otto",
    "Paula", "Petra", "Quentin", "Rafael", "Rosa", "Ruben", "Sana", "Selma", "Silas", "Tilda",
    "Tomas", "Ursula", "Vera", "Viktor", "Wanda", "Xenia", "Yara", "Yusuf", "Zelda", "Zoran",
)  # fmt: skip
NAMES_ZH = (
    "阿哲", "安琪", "柏宇", "彩云", "晨曦", "春生", "丹青", "德华", "冬梅", "恩熙", "方圆",
    "芳芳", "国栋", "海燕", "浩然", "红叶", "慧敏", "佳佳", "建国", "静怡", "俊杰", "凯文",
    "兰兰", "乐乐", "立群", "丽华", "林深", "美玲", "明月", "宁静", "培元", "秋水", "若溪",
    "少华", "诗涵", "书豪", "思远", "天佑", "婉清", "文博", "晓东", "心怡", "雪梅", "雅婷",
    "一鸣", "宜家", "永康", "雨桐", "玉兰", "云飞", "泽宇", "志强", "忠义", "子涵",
)  # fmt: skip
PLACES_EN = (
    "the harbour", "the old town", "Lisbon", "Kyoto", "the allotment", "Montreal", "the clinic",
    "the library", "Ghent", "the lake house", "Tbilisi", "the office", "Oaxaca",
    "the market hall", "Bergen", "the night train", "Taipei", "the workshop", "Valparaiso",
    "the school gym", "Galway", "the botanical garden", "Ljubljana", "the ferry", "Marrakesh",
    "the climbing hall", "Tallinn", "the bakery", "Edinburgh", "the rehearsal room",
)  # fmt: skip
PLACES_ZH = (
    "成都", "老城区", "海边", "图书馆", "台南", "菜市场", "厦门", "诊所", "昆明", "工作室",
    "青岛", "体育馆", "西安", "植物园", "花莲", "办公室", "桂林", "湖边小屋", "苏州", "夜市",
    "哈尔滨", "火车站", "拉萨", "幼儿园", "大理", "咖啡馆", "重庆", "社区中心", "杭州",
    "排练室",
)  # fmt: skip
WHEN_EN = (
    "last Tuesday", "yesterday evening", "in early March", "two weeks ago", "on the 14th",
    "next weekend", "this morning", "before the holidays", "in the autumn", "after work",
    "around noon", "on Sunday", "three years ago", "at the end of May", "during the storm",
    "by the 2nd of June",
)  # fmt: skip
WHEN_ZH = (
    "上周二", "昨天晚上", "三月初", "两周前", "十四号", "下个周末", "今天早上", "放假前",
    "秋天", "下班以后", "中午", "星期天", "三年前", "五月底", "台风那几天", "六月二号之前",
)  # fmt: skip

TOPICS_EN: tuple[tuple[str, ...], ...] = (
    ("sourdough starter", "rye flour", "oven", "dough", "crust", "baking tray"),
    ("tax return", "receipt", "invoice", "deadline", "accountant", "refund"),
    ("cello", "bow", "rehearsal", "concerto", "teacher", "sheet music"),
    ("knee", "physiotherapist", "stretching", "marathon", "running shoes", "recovery"),
    ("apartment", "landlord", "lease", "rent", "balcony", "moving van"),
    ("tomato seedlings", "compost", "raised bed", "slugs", "watering can", "greenhouse"),
    ("telescope", "Saturn", "eclipse", "clear sky", "star chart", "tripod"),
    ("database migration", "pull request", "deployment", "unit test", "rollback", "server"),
    ("wedding", "guest list", "florist", "seating plan", "speech", "venue"),
    ("daughter", "school play", "homework", "bicycle", "birthday cake", "swimming class"),
    ("passport", "visa", "flight", "boarding pass", "luggage", "layover"),
    ("pottery", "glaze", "kiln", "wheel", "clay", "teapot"),
    ("chess club", "endgame", "opening", "tournament", "rating", "clock"),
    ("allergy", "antihistamine", "pollen", "peanuts", "doctor", "blood test"),
    ("savings", "mortgage", "interest rate", "pension", "budget", "bank"),
    ("novel", "draft", "chapter", "editor", "translation", "manuscript"),
    ("dog", "leash", "vet", "vaccination", "puppy training", "kennel"),
    ("espresso machine", "grinder", "beans", "milk foam", "decaf", "filter"),
    ("solar panels", "inverter", "battery", "roof", "electrician", "power bill"),
    ("sailing", "rudder", "mooring", "knots", "life jacket", "regatta"),
)
TOPICS_ZH: tuple[tuple[str, ...], ...] = (
    ("酸面团", "黑麦粉", "烤箱", "面团", "发酵", "烤盘"),
    ("报税", "发票", "收据", "会计", "截止日期", "退税"),
    ("大提琴", "琴弓", "排练", "协奏曲", "老师", "乐谱"),
    ("膝盖", "理疗师", "拉伸", "马拉松", "跑鞋", "恢复训练"),
    ("公寓", "房东", "租约", "房租", "阳台", "搬家公司"),
    ("番茄苗", "堆肥", "菜园", "蜗牛", "水壶", "温室"),
    ("望远镜", "土星", "日食", "星图", "三脚架", "晴天"),
    ("数据库迁移", "代码审查", "上线", "单元测试", "回滚", "服务器"),
    ("婚礼", "宾客名单", "花店", "座位安排", "致辞", "场地"),
    ("女儿", "家长会", "作业", "自行车", "生日蛋糕", "游泳课"),
    ("护照", "签证", "航班", "登机牌", "行李", "转机"),
    ("陶艺", "釉料", "窑", "拉坯机", "陶土", "茶壶"),
    ("象棋社", "残局", "开局", "比赛", "积分", "棋钟"),
    ("过敏", "抗组胺药", "花粉", "花生", "医生", "验血"),
    ("存款", "房贷", "利率", "养老金", "预算", "银行"),
    ("小说", "初稿", "章节", "编辑", "翻译", "书稿"),
    ("小狗", "牵引绳", "兽医", "疫苗", "训练", "狗窝"),
    ("咖啡机", "磨豆机", "咖啡豆", "奶泡", "低因咖啡", "滤纸"),
    ("太阳能板", "逆变器", "电池", "屋顶", "电工", "电费"),
    ("帆船", "船舵", "泊位", "绳结", "救生衣", "帆船赛"),
)
SENTENCES_EN = (
    "{name} called about the {a} {when}.",
    "I finally sorted out the {a}, but the {b} is still a mess.",
    "Could you remind me to check the {a} before we go to {place}?",
    "The {a} cost {n} euros, which is more than I wanted to spend on a {b}.",
    "We met {name} at {place} {when} and talked about the {a} for an hour.",
    "My plan is simple: first the {a}, then the {b}, and only then {place}.",
    "{name} thinks the {b} matters more than the {a}; I am not so sure.",
    "Honestly, the {a} went better than expected.",
    "It took {n} minutes to find the {b} again because somebody had left it in {place}.",
    "I prefer doing the {a} {when}, when it is quiet.",
    "There is a second {a} at {place}, number {n}, if the first one does not work.",
    "What would you do about the {a} if the {b} fails again?",
    "{name} promised to bring the {b} to {place} {when}.",
    "For the record, the {a} is booked under {name}, reference {n}.",
)
SENTENCES_ZH = (
    "{name}{when}打电话来说{a}的事。",
    "{a}总算弄好了，可是{b}还是一团糟。",
    "去{place}之前提醒我看一下{a}，好吗？",
    "{a}花了{n}块钱，比我想花在{b}上的多。",
    "{when}我们在{place}碰到{name}，聊了一个小时的{a}。",
    "我的打算很简单：先{a}，再{b}，最后才去{place}。",
    "{name}觉得{b}比{a}重要，我可不这么想。",
    "说实话，{a}比想象中顺利。",
    "找{b}找了{n}分钟，原来有人把它落在{place}了。",
    "我喜欢{when}弄{a}，那时候安静。",
    "{place}还有一个{a}，{n}号，要是第一个不行就用那个。",
    "要是{b}又出问题，{a}该怎么办？",
    "{name}答应{when}把{b}带到{place}。",
    "记一下，{a}是用{name}的名字订的，编号{n}。",
)
QUESTIONS_EN = (
    "What did {name} say about the {a}?",
    "How much did the {a} cost?",
    "Where did somebody leave the {b}?",
    "When did we talk about the {a} at {place}?",
    "Who promised to bring the {b} to {place}?",
    "What is my plan for the {a} and the {b}?",
    "Under which name is the {a} booked?",
    "When do I prefer doing the {a}?",
)
QUESTIONS_ZH = (
    "{name}说{a}怎么了？",
    "{a}花了多少钱？",
    "谁把{b}落在哪里了？",
    "我们什么时候在{place}聊过{a}？",
    "谁答应把{b}带到{place}？",
    "我对{a}和{b}有什么打算？",
    "{a}是用谁的名字订的？",
    "我喜欢什么时候弄{a}？",
)
