"""Chinese, in Simplified and in Traditional characters."""

import re
from itertools import chain
from typing import Final

from chatmem.text.languages.language import Clauses, Language, Orders, Titles
from chatmem.text.languages.zh.cues import CUES, WORDS
from chatmem.text.languages.zh.dates import DATES
from chatmem.text.languages.zh.segment import HAN, SEGMENTER, STOP_CHARACTERS, simplify
from chatmem.text.languages.zh.slots import SLOTS

_ASK: Final = (
    r"(?:请|麻烦|拜托|帮我|帮忙|你|您|要|一定|务必|可以|能不能|能|就|都|也|给我|先|对了|另外|还有"
    r"|顺便|好的?|嗯|那|以后|希望|我想让|我要|我希望|可否|千万|记得|替我|把这个|，|,|\s)*"
)
CHINESE: Final = Language(
    code="zh",
    scripts=("zh-Hans", "zh-Hant"),
    script_of=lambda text: "zh-Hans" if simplify(text) == text else "zh-Hant",
    letters=HAN,
    unit=f"[{HAN}]",
    spaced=False,
    full_stop="。",
    colon="：",
    stop_words=frozenset(chain.from_iterable(WORDS["stop_words"].values())),
    question_words=frozenset(WORDS["questions"]["words"]),
    stop_characters=STOP_CHARACTERS,
    fillers=frozenset(WORDS["topic"]["fillers"]),
    pointing_on=WORDS["topic"]["pointing_on"],
    sentence_end=r"(?<=[\u3400-\u9fff])\.+(?=[\u3400-\u9fff])",  # typed with half the width
    asking=(
        r"请问|請問|是什[么麼]|什[么麼]|是多少|多少|哪一?[个個里裡儿兒些位天双雙款]|怎[么麼][样樣]|怎[样樣]"
        r"|怎[么麼]|几[个位]?|幾[個位]?|谁|誰|来着|來著|[吗嗎呢吧啊呀]|[？?]$"
    ),
    asks_assistant=(
        r"你.{0,4}(?:[说說][过過]|推[荐薦]|提到|告[诉訴]|建[议議]|[给給]我|[讲講][过過])"
    ),
    headings=WORDS["headings"],
    category_names={name: one for name, (one,) in WORDS["names"].items()},
    cues=CUES,
    dates=DATES,
    clauses=Clauses(
        breaks=(
            r"[,:](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])"
            r"|(?<=[\u4e00-\u9fff]{4})(?=所以|因为我|但|可我|可是|不过|而且我)"
        ),
        requests=(
            r"^\W*+(?:你|您)?(?:能不能|能否|可不可以|可以|能|请|麻烦|帮|是否可以|可否|劳驾).*?(?:帮|给"
            r"|替|为|回答|回复|叫我|称呼我|跟我|说话|讲解|解释)"
        ),
        supposed=(
            "如果|假如|假设|要是|倘若|若是|假装|扮演|想象|万一|比如|例如|譬如|打个比方|梦见|梦到"
            "|(?:他|她|他们|她们|老师|老板|朋友|同事|妈|爸|医生|邻居|客户|人|书里|文章|小说|主角|有人"
            "|对方)[^，。我]{0,4}(?:说|问|告诉|写道|觉得|认为|回复)"
        ),
        denied="不(?!过(?!敏)|错|但|仅|久|同)|没|别(?!的|人|墅)|勿|未|无需|并非|非得不",
        tells_assistant="[你您](?:是|现在是|需要|应该|要|的任务)",
        work_on_text="翻译|润色|改写|校对|改错|总结|概括|仿写|续写|扮演|语法|造句|例句",
    ),
    titles=Titles(
        polite=re.compile(
            r"^[\s，。！、~，,.!？?]*(?:(?:你好|您好|嗨|哈喽|早上好|上午好|下午好|晚上好|早安|早|在吗|在么"
            r"|嗯+|好的?|那么?|谢谢你?|多谢|請問|请问|请教一下|請教一下|打扰了?|打擾了?|不好意思|麻烦你?"
            r"|麻煩你?|劳驾)(?:啊|呀|哦|吗|嗎|，|,|。|！|!|\s)+|(?:你好|您好|请问|請問|麻烦你?|麻煩你?)"
            r"|(?:你|您)?(?:能不能|能否|可不可以|可以|能)(?:请|請)?(?:帮我|幫我|帮忙|幫忙|给我|給我"
            r"|替我)(?:一下)?|(?:请|請)?(?:你|您)?(?:帮我|幫我|帮忙|幫忙|给我|給我|替我)(?:一下)?|我(?:想"
            r"|要)(?:请你|請你|问一下|問一下|问问|問問|请教一下|请问|問)|(?:请|請)(?=[\u4e00-\u9fff]{3}))"
        ),
        introduction=(
            r"^(?:我叫|我的名字|我是[\u4e00-\u9fff]{2,3}$|很高兴|很高興|认识你|認識你|(?:今天)?我?又来"
            r"|谢谢|謝謝|明白|知道了|再见|再見|晚安)"
        ),
        asking="[吗嗎呢吧]",
        own="我|咱",
        number=(
            r"(?<![一二两三四五六七八九十百千万半几])[一二两三四五六七八九十百千万半几]+(?:多"
            r"|余)?[元块口人个天月年号日点位份封张本只条件杯次家套台周岁]钱?"
        ),
    ),
    orders=Orders(
        remember=(
            rf"^\W*{_ASK}(?:记住|记一下|记下来?|记好|牢记|谨记|别忘了?|不要忘记?了?|勿忘|备注一下|记着)"
            r"(?:这[个件]?(?:事|点|一点)?|一下|一点|了|哦|啊|吧|哈|：|:|，|,|\s)*(?=\S)"
        ),
        remembered=(
            rf"(?:^|[，,。；;！!\s])(?:{_ASK})(?:记住(?!了)|记一下|记下来?|记好|别忘了?"
            r"|不要忘记?了?|记着)(?:这[个件]?(?:事|点|一点)?|一下|哦|啊|吧|哈|喔|呀)*[。！!~～\s]*$"
        ),
        forget=(
            rf"^\W*{_ASK}(?:忘[掉了记](?!跟|和|对|说|告诉)|(?:别|不要|不用|不必)再?记(?!错)|[删清抹][掉除去]"
            r"(?=.*(?:记忆|记录|记[住得]))|[把将].+(?:忘[掉了记]|[删清抹][掉除去了])[^，,]*$)"
        ),
    ),
    slots=SLOTS,
    segmenter=SEGMENTER,
    plain_script=simplify,
)
