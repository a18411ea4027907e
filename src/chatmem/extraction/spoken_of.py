"""Who a statement is about, and which things it names.

Source: decisions 4 ("near in meaning").
"""

import re
from functools import lru_cache
from typing import Final

from chatmem.text.latin import stem
from chatmem.text.normalise import HAN, has_han, normalise
from chatmem.text.segment import normalised_words
from chatmem.text.stopwords import STOP_WORDS
from chatmem.text.wordlist import listed

_ROLES: Final = {
    "mother": "妈妈 老妈 母亲 妈 娘亲 mom mum mother mommy mama mam",
    "father": "爸爸 老爸 父亲 爸 dad father daddy papa",
    "parents": "父母 爸妈 家里老人 parents folks",
    "sister": "妹妹 姐姐 妹 姐 sister sis",
    "elder sister": "大姐",
    "second sister": "二姐",
    "brother": "哥哥 弟弟 哥 弟 大哥 二哥 brother bro",
    "cousin": "表姐 表妹 表哥 表弟 堂姐 堂妹 堂哥 堂弟 cousin",
    "wife": "老婆 妻子 太太 媳妇 爱人 wife missus",
    "husband": "老公 丈夫 先生 husband hubby",
    "sweetheart": """男友 女友 男朋友 女朋友 对象 未婚夫 未婚妻 男票 女票 另一半 伴侣 partner
        boyfriend girlfriend fiance fiancee bf gf""",
    "son": "儿子 大儿子 小儿子 犬子 son",
    "daughter": "女儿 闺女 大女儿 小女儿 daughter",
    "child": """孩子 娃 娃儿 小孩 宝宝 宝贝 老大 老二 小朋友 kid kids child children toddler baby
        eldest oldest youngest""",
    "grandfather": "爷爷 外公 姥爷 阿公 grandpa grandfather granddad grandad gramps",
    "grandmother": "奶奶 外婆 姥姥 阿嬷 阿妈 grandma grandmother granny nan nana gran",
    "uncle": "叔叔 舅舅 伯伯 姑父 姨父 uncle",
    "aunt": "阿姨 姑姑 姨妈 舅妈 婶婶 小姨 aunt auntie",
    "inlaw": "公公 婆婆 公婆 岳父 岳母 丈母娘 老丈人 嫂子 姐夫 妹夫 弟媳 in-laws",
    "nephew": "侄子 侄女 外甥 外甥女 nephew niece",
    "grandchild": "孙子 孙女 grandson granddaughter grandkids",
    "friend": "朋友 闺蜜 死党 发小 哥们 同学 friend mate bestie classmate",
    "colleague": "同事 colleague coworker co-worker",
    "boss": "老板 领导 上司 主管 经理 boss manager supervisor",
    "roommate": "室友 舍友 合租 roommate flatmate housemate",
    "neighbour": "邻居 neighbour neighbor neighbours neighbors",
    "twin": "双胞胎 twin",
    "ex": "前任 前夫 前妻 前男友 前女友 ex ex-wife ex-husband ex-boyfriend ex-girlfriend",
    "tutor": "导师 supervisor advisor adviser",
}
_PETS: Final = {
    "cat": "猫 猫咪 喵 橘猫 布偶 英短 美短 狸花 三花 cat kitten kitty tabby",
    "dog": """狗 狗狗 犬 柯基 金毛 泰迪 柴犬 拉布拉多 哈士奇 边牧 比熊 法斗 dog puppy pup corgi
        labrador poodle beagle husky dachshund greyhound pug retriever terrier collie""",
    "bird": "鹦鹉 鸟 文鸟 parrot budgie bird cockatiel",
    "small pet": "仓鼠 兔子 龙猫 豚鼠 荷兰猪 hamster rabbit bunny gerbil",
    "slow pet": "乌龟 龟 蜥蜴 turtle tortoise lizard gecko",
    "fish": "金鱼 fish goldfish",
    "hens": "鸡 hens chickens hen chicken",
}
_BY_WORD: Final = {
    word: role
    for group in (_ROLES, _PETS)
    for role, words in group.items()
    for word in listed(words)
}
ROLE_WORDS: Final = {
    role: tuple(listed(words)) for group in (_ROLES, _PETS) for role, words in group.items()
}
"""The words of both languages for each role, and each kind of pet."""
_LONGEST: Final = sorted(_BY_WORD, key=len, reverse=True)
_EN: Final = "|".join(re.escape(word) for word in _LONGEST if word.isascii())
_AFTER_WHOSE: Final = r"(?:(?<![\u4e00-\u9fff])|(?<=[我的他她们家和跟把给亲大小二三]))"
"""Before 姐: 我姐 is a sister, 马姐 somebody of that name."""
_ZH: Final = "|".join(
    _AFTER_WHOSE + word if word in "姐妹哥弟" else re.escape(word)
    for word in _LONGEST
    if not word.isascii()
)
_WHO: Final = re.compile(
    rf"\b(?P<en>{_EN})(?:'s|s')?\b(?!-)"
    rf"|(?<![生导店版表升当任晋])(?P<zh>{_ZH})(?!粮|砂|[场屋型产级]|肉|丝|过敏|们家|板|以后|之后)"
)
_TO_WHOM: Final = re.compile(
    r"(?:卖给|送给|送|转给|借给|让给|嫁给|告诉|随|陪|跟|和|替"
    r"|\b(?:with|to|from|by|of|for|like|near|since|after|before))"
    r"(?:了|我|my|our|their|his|her|an?|the|[ ])*$"
)
"""Before those who only have a part in it: `sold it to my cousin`, `卖给我表哥了`."""
_OF_WHOM: Final = re.compile(
    rf"(?<='s) (?:\w+ )?(?:{_EN})\b|(?:的|[^，。]?换(?:了|个)*(?:新)?)(?:{_ZH})"
)
"""Behind whose it is: `my husband's new boss`, `我老公换老板了`."""
_PRONOUN: Final = re.compile(
    r"\b(?P<he>he|his|him|he's|hes)\b|\b(?P<she>she|her|hers|she's)\b|(?P<ta>他(?!们)|她(?!们))|它"
)
_MEN: Final = frozenset({"father", "brother", "husband", "son", "grandfather", "uncle"})
_WOMEN: Final = frozenset(
    {"mother", "sister", "wife", "daughter", "grandmother", "aunt", "elder sister", "second sister"}
)
_GENERAL: Final = {
    "child": frozenset({"son", "daughter"}),
    "parents": frozenset({"mother", "father"}),
    "sweetheart": frozenset({"wife", "husband"}),
}
PARTNERS: Final = frozenset({"wife", "husband", "sweetheart", "ex"})
CHILDREN: Final = frozenset({"son", "daughter", "child"})
PET_KINDS: Final = frozenset(_PETS)
_HAN_RUN: Final = re.compile(f"[{HAN}]+")
_COMMON_EN: Final = frozenset(
    stem(word)
    for word in listed(
        """
        day days week weeks weekend month months year years morning evening afternoon night time
        today tomorrow
        monday tuesday wednesday thursday friday saturday sunday january february march april may
        june july august september october november december last next first second third new old
        good bad great big small long short way thing things stuff lot bit people person man woman
        guy one two three four five six seven eight nine ten go going went gone come came make made
        take took taken give gave want need like love hate enjoy prefer use used using work working
        live living lives lived call called calls name named help ask tell told say said know think
        feel look find found keep kept put let try start started stop stopped end ended change
        changed switch switched move moved moves moving leave left buy bought sell sold eat eating
        drink drinking home back around place actually finally currently recently usually
        never always often sometimes idea recipe recipes suggest favourite favorite answer answers
        reply replies update turns turn right left best better really instead anymore longer
        friend mom mum dad sister brother wife husband son daughter cat dog kid kids boss mother
        father
        quit quits lost lose sell sold broke broken finish finished pass passed retire retired
        become became join joined
        learn learning study studying plan plans planning date book booked am pm per hour hours
        minute minutes job company user users years done anyone else since until every please says
        """
    )
)
_COMMON_ZH: Final = frozenset(
    listed(
        """
        现在 目前 如今 最近 今天 明天 昨天 昨晚 今晚 每天 每周 每月 每晚 每年 早上 晚上 上午 下午
        中午 周末 周一 周二 周三 周四
        周五 周六 周日 今年 去年 明年 上周 下周 上个 下个 这个 那个 一个 两个 三个 一台 一只 一条
        一家 一直
        一起 一下 一点 一次 几个 什么 怎么 已经 终于 开始 以后 以前 之前 之后 平时 通常 经常 一般
        时候 时间
        这边 那边 附近 家里 我家 自己 大家 别人 喜欢 讨厌 爱吃 不吃 不喝 不去 不用 工作 上班 公司
        单位 朋友
        同事 妈妈 爸爸 老婆 老公 儿子 女儿 孩子 姐姐 妹妹 哥哥 弟弟 我妈 我爸 我姐 我妹 我弟 我哥
        我老 帮我
        推荐 打算 准备 计划 改成 改到 换成 换了 换到 搬到 搬去 不了 了一 个月 星期 礼拜 小时 分钟
        左右 大概 因为
        所以 但是 不过 而且 还是 就是 不是 可以 可能 应该 需要 觉得 感觉 知道 有点 比较 真的 其实
        原来 本来 结果
        医生 的时 我在 我的 住在 在一 我现 现我 我是 是个 是一 有一 我有 我每 我对 我不 我们 我和
        了我 了个
        在家 回家 起来 出来 下来 过来 回来 学习 一天 两天 三天 天天 一年 两年 三年 年了 月了 天了
        都是 都会 都要
        """
    )
)


@lru_cache(1024)
def who_of(content: str, key: str | None = None) -> frozenset[str]:
    """Whom a statement is about: roles, or `he` and `she`; empty for the writer, or a thing."""
    plain = normalise(content)
    head, _, rest = (key or "").partition(":")
    if head in ("relation", "pet") and rest:
        role = _BY_WORD.get(rest.partition(":")[0])
        if role is not None:
            return frozenset({role})
    found: list[str] = []
    for match in _WHO.finditer(plain):
        if _TO_WHOM.search(plain, 0, match.start()):
            continue
        role = _BY_WORD[match["en"] or match["zh"]]
        if not found and _OF_WHOM.match(plain, match.end()):
            return frozenset({role})
        found.append(role)
    if found:
        return frozenset(found)
    pronoun = _PRONOUN.search(plain)
    if pronoun is None or pronoun[0] == "它":
        return frozenset()
    if pronoun["ta"]:
        return frozenset({"he" if pronoun["ta"] == "他" else "she"})
    return frozenset({"he" if pronoun["he"] else "she"})


def role_of(word: str) -> str | None:
    """The role, or the kind of pet, that a word is one of."""
    return _BY_WORD.get(word)


def is_same_person(new: frozenset[str], old: frozenset[str]) -> bool:
    """True where both may be about the same one; the writer is nobody else."""
    if not new or not old:
        return not new and not old
    if new & old or _widened(new) & _widened(old):
        return True
    if new == {"he"}:
        return not old & _WOMEN
    if new == {"she"}:
        return not old & _MEN
    return False


@lru_cache(1024)
def things_of(content: str) -> frozenset[str]:
    """The words of a statement that name something: no verbs of every day, no times, no people."""
    plain = normalise(content)
    found: set[str] = set()
    for _, word in normalised_words(content):
        if has_han(word):
            continue
        if word in STOP_WORDS or len(word) < 2 or word in _BY_WORD:
            continue
        stemmed = stem(word)
        if stemmed not in _COMMON_EN and not word.isdigit():
            found.add(stemmed)
    for run in _HAN_RUN.findall(plain):
        words = [word for _, word in normalised_words(run)]
        found.update(
            word
            for word in words
            if len(word) > 1 and word not in _COMMON_ZH and word not in _BY_WORD
        )
        found.update(word for word in words if word in _ONE_CHARACTER)
    return frozenset(found)


_ONE_CHARACTER: Final = frozenset("烟酒猫狗茶")


def shared_name(new: str, old: str) -> str:
    """The longest run of Chinese characters in both that the dictionary may not know (大福)."""
    one, other = normalise(new), normalise(old)
    best = ""
    for run in _HAN_RUN.findall(one):
        for start in range(len(run) - 1):
            end = start + max(2, len(best) + 1)
            while end <= len(run) and run[start:end] in other:
                if run[start:end] not in _COMMON_ZH:
                    best = run[start:end]
                end += 1
    return best


def _widened(roles: frozenset[str]) -> frozenset[str]:
    more = [_GENERAL[role] for role in roles if role in _GENERAL]
    return roles.union(*more)
