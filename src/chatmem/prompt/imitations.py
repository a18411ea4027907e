"""Stored text as a prompt may carry it: data, whatever it imitates.

What is data stands between two lines with a mark that no stored text can know (`mark_of`), and each
of its lines is in a list or quoted (`quoted`), so that no line of it is one of the prompt's. What
would act by itself, without being believed, is made harmless (`neutralise`): unseen characters, the
control tokens of models, calls of tools, which a model may repeat. Source: decisions 5; lessons.md,
"stored text acts as instructions".
"""

import hashlib
import re
import secrets
from typing import Final

from chatmem.text.clean import printable
from chatmem.text.languages import expression

MARGIN: Final = "> "
_ITEM_OR_LINE: Final = expression(r"^- (?![\s-]).*(?:\n(?:  |\t).*)*|^(?=.)", re.MULTILINE)
ANY_MARK: Final = "0" * 12
"""As many tokens as every mark: o200k takes three digits for one."""
_SECRET: Final = secrets.token_bytes(32)
# By their shape, which ordinary text does not have: <|im_start|>, <start_of_turn>, [INST]; those of
# the SentencePiece models, which look like HTML: <s>, <bos>; and calls of tools, as
# `chat/answer.py` reads them: [[ABP_TOOL:x]], ```abp
_ACTS: Final = expression(
    r"<[|｜][^<>|｜\n]{0,60}[|｜]>|</?(?:[a-z]+(?:_[a-z]+)+|s|bos|eos)>|\[/?[A-Z][A-Z_ ]+\](?!\()"
    r"|\[\[(?i:abp_tool):|`(?<!``)`{2,}+(?=[ \t]*(?i:abp)(?!\w))"
    r"|~(?<!~~)~{2,}+(?=[ \t]*(?i:abp)(?!\w))"
)
_ROUND: Final = str.maketrans("<>[]`~", "()()''")
_DIRTY: Final = expression(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f\ud800-\udfff]"
)
# Overrides and embeddings, which turn what is read into something else than what is written, and
# unseen letters, but for a flag, where up to six of them and an end follow its black one.
_UNSEEN: Final = expression(
    "(\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f)"
    "|[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069]"
)


def mark_of(*place: object) -> str:
    """Twelve digits that no stored text knows: for one place the same while the process runs.

    So all prompts of a session have one mark, and a provider's cache holds.
    """
    digest = hashlib.blake2b(repr(place).encode("utf-8", "replace"), key=_SECRET, digest_size=8)
    return f"{int.from_bytes(digest.digest()) % 10 ** len(ANY_MARK):0{len(ANY_MARK)}}"


def quoted(text: str) -> str:
    """The text with a margin before each of its lines but those of its list's items."""
    return _ITEM_OR_LINE.sub(lambda match: match[0] or MARGIN, text)


def neutralise(text: str) -> str:
    """The text with what would act by itself made harmless and left readable: brackets are round.

    Control characters, direction overrides and unseen letters go. Other text comes back as it is.
    Idempotent.
    """
    if _DIRTY.search(text) is not None:
        text = _UNSEEN.sub(lambda match: match[1] or "", printable(text))
    return _ACTS.sub(lambda match: match[0].translate(_ROUND), text)
