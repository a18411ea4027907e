"""A session's title and snippet by a language model.

Source: S2.3.
"""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from chatmem.analysis.summary import MAX_SNIPPET_CHARS, SummaryText
from chatmem.analysis.title import cut_title
from chatmem.providers.ports import ChatModel
from chatmem.text.clean import clean_text
from chatmem.text.conversation_text import DATA_NOTE, fenced
from chatmem.text.language import language_of
from chatmem.text.sentences import sentences

MAX_INPUT_TOKENS: Final = 6_000

_INSTRUCTIONS: Final = f"""\
You write the entry of one conversation in a list of past conversations.

title: what it is about, at most 60 characters, no quotation marks and no full stop.
snippet: two or three plain sentences, at most 300 characters (160 in Chinese): what the user
wanted, told of themselves or decided, with the names, dates and numbers that were said. What the
assistant said only if the user took it up. Nothing that was not said.
Write both in the language that the user writes, in the same script.

为一段对话写标题和简介。标题不超过 60 字；简介两三句，不超过 160 字：用户想要什么、
说了自己什么、决定了什么，保留人名、日期和数字；没有说过的不写。用用户使用的语言和字形（简体或繁体）来写。

{DATA_NOTE}
"""


class _Summary(BaseModel):
    title: str
    snippet: str


class ModelSummarizer:
    """By a model; `name` is the model's."""

    def __init__(self, chat_model: ChatModel) -> None:
        self._chat_model = chat_model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat_model.name

    def summarise(self, messages: Sequence[tuple[str, str]]) -> SummaryText:
        """Title and snippet, cleaned and capped; both "" where nobody said anything.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        spoken = [one for one in messages if one[0] in ("user", "assistant") and one[1].strip()]
        if not spoken:
            return SummaryText("", "")
        found = self._chat_model.extract(_INSTRUCTIONS, fenced(spoken, MAX_INPUT_TOKENS), _Summary)
        title = " ".join(clean_text(found.title).split()).strip('"“”「」#* ')
        return SummaryText(cut_title(title), _capped(" ".join(clean_text(found.snippet).split())))


def _capped(snippet: str) -> str:
    """As many whole sentences as there is room for; the first is cut if it has to be."""
    room = MAX_SNIPPET_CHARS[language_of(snippet)]
    if len(snippet) <= room:
        return snippet
    end = 0
    for sentence in sentences(snippet):
        after = snippet.find(sentence, end) + len(sentence)
        if after > room:
            break
        end = after
    return snippet[:end] if end else f"{snippet[: room - 1]}…"
