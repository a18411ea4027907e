"""Chinese, in Simplified and in Traditional characters."""

from itertools import chain
from typing import Final

from chatmem.text.languages.language import Language
from chatmem.text.languages.zh.clauses import CLAUSES, ORDERS, TITLES
from chatmem.text.languages.zh.cues import CUES, WORDS
from chatmem.text.languages.zh.dates import DATES
from chatmem.text.languages.zh.segment import HAN, SEGMENTER, STOP_CHARACTERS, simplify
from chatmem.text.languages.zh.slots import SLOTS

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
    clauses=CLAUSES,
    titles=TITLES,
    orders=ORDERS,
    slots=SLOTS,
    segmenter=SEGMENTER,
    plain_script=simplify,
)
