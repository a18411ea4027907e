"""How people say who they are and what they like: pattern, slot, and the statement it makes.

Over a clause as it was said in English; in Chinese over its Simplified form. The groups `v`, `w`
and `tail` are what the statement takes over, word by word.
"""

from typing import Final

from chatmem.extraction.profile_words import OCCUPATIONS_EN, OCCUPATIONS_ZH
from chatmem.extraction.slot_patterns import alternatives

_ADVERBS: Final = (
    r"(?:also |currently |still |now |actually |really |just |generally |usually |mostly "
    r"|absolutely |always |both |personally )*"
)
_OCCUPATION: Final = alternatives(OCCUPATIONS_EN)
_NAME: Final = r"[A-Z][\w&.'’-]*(?:,? (?:of |and |de |the )?[A-Z][\w&.'’-]*)*"
_PLACE: Final = rf"(?:{_NAME}|the (?:UK|US|USA|Netherlands|Philippines|countryside|suburbs))"
_TAIL: Final = (
    r"(?P<tail>(?: (?:at|in|for|of|from|who|specializing|specialising)\b(?:(?! and (?:i|I|my"
    r"|we)\b| but | so ).)*?)?)(?: (?:and|but|so|with)\b.*)?"
)
_SUBJECT: Final = r"(?:^|\b(?:and|but|so|as|since|because|though|although|btw|also) )\W*"

ENGLISH: Final = (
    (
        rf"{_SUBJECT}(?:I'm|I’m|I am|im|i'm|i am) {_ADVERBS}(?P<v>an? (?:[\w-]+ ){{0,3}}?"
        rf"(?:{_OCCUPATION})){_TAIL}$",
        "background",
        "Is {v}{tail}",
    ),
    (
        rf"{_SUBJECT}[Ii] {_ADVERBS}work {_ADVERBS}(?P<v>as an? [\w-]+(?: [\w-]+){{0,5}}|(?:at"
        rf"|for) (?:an? |the )?[\w&-]+(?: [\w&-]+){{0,5}}"
        rf"|in (?!the (?:morning|evening|afternoon)|bed|my|silence|peace|a hurry|order"
        rf"|progress)[\w-]+(?: [\w-]+){{0,4}}|from home|night shifts|part[- ]time|full[- ]time)$",
        "background",
        "Works {v}",
    ),
    (
        rf"{_SUBJECT}[Mm]y (?:job|profession|occupation) is (?P<v>an? [a-z][\w -]{{3,40}}"
        rf"|[a-z -]*(?:{_OCCUPATION}|ing))$",
        "background",
        "Works as {v}",
    ),
    (
        rf"{_SUBJECT}[Ii](?:'m| am|’m)? {_ADVERBS}(?:live|living|based) in (?P<v>{_PLACE})"
        rf"(?: {_ADVERBS.rstrip('*')})?(?: with .*)?$",
        "background",
        "Lives in {v}",
    ),
    (
        rf"{_SUBJECT}(?:I'm|I’m|I am|i'm|i am|I come) (?:originally )?from (?P<v>{_PLACE})$",
        "background",
        "Is from {v}",
    ),
    (
        rf"{_SUBJECT}(?:I|We|we|i) (?:have|'ve got|’ve got|have got) (?P<v>(?:an?|one|two|three"
        rf"|four|five|six|\d+) (?:[\w-]+ ){{0,3}}?(?:kids?|children|child|sons?|daughters?|"
        r"dogs?|cats?|brothers?|sisters?|siblings|twins|grandchildren|wife|husband|baby|toddlers?)"
        r"(?: and (?:an?|one|two|three|four|\d+) (?:[\w-]+ )?(?:kids?|children|child|sons?"
        r"|daughters?|dogs?|cats?|brothers?|sisters?))?)(?: (?:named|called) [A-Z]\w+"
        r"(?: and [A-Z]\w+)?)?$",
        "background",
        "Has {v}",
    ),
    (
        rf"{_SUBJECT}(?:I'm|I’m|I am|i'm|i am) (?P<v>married|divorced|single|retired"
        rf"|self-employed|unemployed|vegetarian|vegan|colou?r-?blind|left-handed|dyslexic|"
        r"lactose intolerant|diabetic|deaf|blind|allergic to [\w -]{3,40}|\d{1,2} years old)"
        r"(?: and .*)?$",
        "background",
        "Is {v}",
    ),
    (
        rf"{_SUBJECT}[Ii](?:'m| am|’m) {_ADVERBS}(?:studying|majoring in) (?P<v>[\w-]+"
        rf"(?: [\w-]+){{0,5}})$",
        "background",
        "Studies {v}",
    ),
    (
        rf"{_SUBJECT}[Ii] {_ADVERBS}study (?P<v>[a-z][\w-]+(?: [\w-]+){{0,5}} at [A-Z].*"
        rf"|at [A-Z][\w -]*)$",
        "background",
        "Studies {v}",
    ),
    (
        rf"{_SUBJECT}(?:[Mm]y (?:native|first) language is|[Ii](?:'m| am|’m) a native speaker of"
        rf"|[Ii] speak) (?P<v>(?:English|Chinese|Mandarin|Cantonese|Spanish|French|German"
        rf"|Japanese|Korean|Portuguese|"
        r"Russian|Italian|Arabic|Hindi)(?:,? (?:and )?[A-Z][a-z]+)*)(?: (?:natively|at home"
        r"|fluently))?$",
        "background",
        "Speaks {v}",
    ),
    (
        rf"{_SUBJECT}[Ii](?:'d| would)? {_ADVERBS}(?:much |strongly )?prefer (?P<v>"
        rf"(?!to be called|if|that|it|this|you|not|your|the (?:first|second|last|other|former"
        rf"|latter))[\w'&’-]+(?:,? [\w'&’-]+){{0,12}})$",
        "preference",
        "Prefers {v}",
    ),
    (
        rf"{_SUBJECT}[Ii] {_ADVERBS}(?:like|enjoy)(?: (?:very much|most))? (?P<v>(?!you|your|it"
        rf"|that|this|these|those|the|how|to be called|them|him|her|what|when|where"
        rf"|having)[\w'&’-]+(?:,? [\w'&’-]+){{0,12}})$",
        "preference",
        "Likes {v}",
    ),
    (
        rf"{_SUBJECT}[Ii] {_ADVERBS}(?:love|adore) (?P<v>(?!you|your|it|that|this|these|those|the"
        rf"|how|them|him|her|my|what|when|where|having)[\w'&’-]+(?:,? [\w'&’-]+){{0,12}})$",
        "preference",
        "Loves {v}",
    ),
    (
        rf"{_SUBJECT}[Ii] {_ADVERBS}(?:hate|can't stand|cannot stand|can’t stand|dislike"
        rf"|don't like|do not like|don’t like|don't enjoy|do not enjoy) (?P<v>(?!you|your|it|that"
        rf"|this|these|those|the|how|them|him|her|myself|my|what|when|where)[\w'&’-]+"
        rf"(?:,? [\w'&’-]+){{0,12}})$",
        "preference",
        "Dislikes {v}",
    ),
    (
        rf"{_SUBJECT}[Mm]y favou?rite (?P<w>[a-z]+(?: [a-z]+)?) (?:is|are) (?P<v>[\w'&’-]+"
        rf"(?: [\w'&’-]+){{0,6}})$",
        "preference",
        "Favourite {w}: {v}",
    ),
)

_OCCUPATION_ZH: Final = alternatives(OCCUPATIONS_ZH)
_SUBJECT_ZH: Final = r"(?:^|[\s，]|因为|其实|另外|对了|顺便说一下|毕竟|不过|而且)\s*(?:我|本人|咱)"
_ADVERBS_ZH: Final = (
    r"(?:现在|目前|平时|一直|也|都|还|其实|真的|一般|平常|本身|自己|就|通常|最近|从小|长期|个人)*"
)
_VERY_ZH: Final = (
    r"(?:很|非常|特别|比较|更|超|超级|十分|挺|还是|相当|一向|真的|都|也|一直|平时|从小就|个人"
    r"|向来|其实|就)*"
)
_NO_OBJECT_ZH: Final = (
    r"(?![你您他她它这那]|什么|哪|谁|自己|的|和你|跟你|用?(?:中文|英文|简洁|简短)回|上了|吗)"
)
CHINESE: Final = (
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}是(?:一名|一个|一位|名|个|位)?(?P<v>[^，。！？\s]{{0,12}}?"
        rf"(?:{_OCCUPATION_ZH}))$",
        "background",
        "是{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>在(?!找|忙|做|准备|想|考虑|这|那|努力|认真|好好|一起"
        rf"|我|你|他|她|换|辞)[^，。！？\s的]{{1,16}}(?:工作|上班|任职|当(?:{_OCCUPATION_ZH})|做"
        rf"(?:{_OCCUPATION_ZH})|读书|上学|念书|读研|读博))$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>(?:从事|做)[^，。！？\s了过]{{1,14}}(?:工作|行业"
        rf"|相关工作|这一行))$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}的(?:职业|工作|专业)是(?P<v>[^，。！？\s什]{{2,14}})$",
        "background",
        "职业是{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>(?:住在|定居在|生活在"
        rf"|常住)[^，。！？\s的了哪过]{{2,14}})$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>(?:来自|老家在|家在)[^，。！？\s的了哪]{{2,14}})$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>是(?!好|坏|老|大|小|普通|什么|哪|谁|一个|个|自己|聪明"
        rf"|明白|过来|本地|别|路)[^，。！？\s的]{{2,5}}人)$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}(?:家)?{_ADVERBS_ZH}(?P<v>(?:有|养了?)(?:一|两|二|三|四|五|几"
        rf"|\d)[个只条对匹]?[^，。！？\s的]{{0,6}}(?:孩子|儿子|女儿|小孩|双胞胎|猫|狗|弟弟|妹妹"
        rf"|哥哥|姐姐|娃|宝宝))$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}(?P<v>已婚|单身|离异|退休了?|吃素|已经退休了?|结婚了|失业"
        rf"|对[^，。！？\s]{{1,10}}过敏|[0-9一二三四五六七八九十]{{1,4}}岁)$",
        "background",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_ADVERBS_ZH}的?母语是(?P<v>[^，。！？\s什]{{2,6}})$",
        "background",
        "母语是{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_VERY_ZH}(?P<v>(?:不太?|不怎么|不大)(?:喜欢|爱)(?:吃|喝|看|听"
        rf"|玩)?{_NO_OBJECT_ZH}[^，。！？\s]{{1,16}})$",
        "preference",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}{_VERY_ZH}(?P<v>最?(?:喜欢|喜爱|热爱|偏爱|偏好|爱吃|爱喝|爱看|爱听|爱玩"
        rf"|更喜欢|讨厌|受不了|钟爱){_NO_OBJECT_ZH}(?!\S{{0,4}}的(?:就)?是)[^，。！？\s]{{1,20}})$",
        "preference",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}(?P<v>最(?:喜欢|爱)(?:吃|喝|看|听|玩|去)的[^，。！？\s]{{0,4}}?(?:就)?是"
        rf"(?!什么|哪|谁)[^，。！？\s]{{1,16}})$",
        "preference",
        "{v}",
    ),
    (
        rf"{_SUBJECT_ZH}最(?:喜欢|爱)的(?P<w>[^，。！？\s]{{1,6}})(?:就)?是(?!什么|哪|谁)"
        rf"(?P<v>[^，。！？\s]{{1,16}})$",
        "preference",
        "最喜欢的{w}是{v}",
    ),
)
