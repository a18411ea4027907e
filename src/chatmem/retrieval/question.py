"""A question as its parts, and as the statement that would answer it.

The embedder places a question near other questions, not near its answer. The statement that the
question asks to complete lies near the answer: on LoCoMo this alone takes the dense leg from .20 to
.61 recall@10 (docs/scoring.md).
"""

import re
from collections.abc import Sequence

MAX_PARTS = 3
"""Questions of one message that are looked up apart; the last ones, which a person still means."""

_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+|\n+")
_ENGLISH_LEAD = re.compile(
    r"^(?:(?:what|which|who|whom|whose|when|where|why|how)\b"
    r"(?:\s+(?:many|much|long|often|old|far|(?:kind|type)s?\s+of"
    r"|was|is|are|were|did|does|do|has|have|had|would|could|might|will|can))*"
    r"|(?:did|does|do|is|are|was|were|has|have|had|would|could|can|will)\b)\s*",
    re.IGNORECASE,
)
_CHINESE_ASKING = re.compile(
    r"请问|請問|是什[么麼]|什[么麼]|是多少|多少|哪一?[个個里裡儿兒些位天双雙款]|怎[么麼][样樣]|怎[样樣]"
    r"|怎[么麼]|几[个位]?|幾[個位]?|谁|誰|来着|來著|[吗嗎呢吧啊呀]|[？?]$"
)
_ASKS_ASSISTANT = re.compile(
    r"\byou(?:'d| had| have)? (?:told|said|mention\w*|recommend\w*|suggest\w*|provid\w*|gave"
    r"|list\w*|shar\w*|explain\w*|describ\w*)|\bremind me\b"
    r"|(?:our|previous|last|earlier) (?:conversation|chat|discussion)"
    r"|你.{0,4}(?:[说說][过過]|推[荐薦]|提到|告[诉訴]|建[议議]|[给給]我|[讲講][过過])",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without outer blanks."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def questions(text: str) -> list[str]:
    """The last questions of a message of several sentences, at most `MAX_PARTS`; else nothing."""
    parts = sentences(text)
    if len(parts) < 2:
        return []
    asked = [part for part in parts if part.rstrip(" \"'”’)）").endswith(("?", "？"))]
    return asked[-MAX_PARTS:]


def statement(question: str, speakers: Sequence[str] = ()) -> str:
    """The question as the start of its answer: no question words, a speaker's name is I or 我."""
    text = _CHINESE_ASKING.sub("", _ENGLISH_LEAD.sub("", question.strip()))
    for name in speakers:
        if not name.isascii():
            text = text.replace(name, "我")
            continue
        whole = re.escape(name)
        text = re.sub(rf"\b{whole}['’]s\b", "my", text, flags=re.IGNORECASE)
        text = re.sub(rf"\b{whole}\b", "I", text, flags=re.IGNORECASE)
    return " ".join(text.split()).strip(" ?？") or question


def asks_assistant(question: str) -> bool:
    """True if it asks for what the assistant said, not for what the user said."""
    return _ASKS_ASSISTANT.search(question) is not None
