"""What makes a row more or less likely to be an answer, before its words are weighed.

Each is a factor on both legs, so that it changes the order and never brings in a row by itself.
"""

import numpy as np

from chatmem.retrieval.candidates import Candidates, Corpus, Scores, has_flag
from chatmem.retrieval.dates import date_match
from chatmem.retrieval.query import Query
from chatmem.text.cues import TextFlags

NAMED_SPEAKER = 0.4
"""The question names who said it."""
NAMED_DATE = 1.0
"""The question names the day, month or year of the session."""
TIME_ASKED = 0.15
"""The question asks when, and the row says a time."""
NUMBER_ASKED = 0.1
"""The question asks how many, and the row says a number."""
ASSISTANT = 0.3
"""Taken off what an assistant said, unless it is asked for: people ask about themselves."""
ONLY_A_QUESTION = 0.15
"""Taken off a row that only asks: a question tells less than a statement."""


def prior_factors(
    corpus: Corpus, candidates: Candidates, query: Query, assistants: frozenset[int]
) -> Scores:
    """One factor above 0 a candidate; `assistants` are the speakers that are no people."""
    rows = candidates.rows
    factor = np.ones(len(rows))
    speaker = corpus.speaker[rows]
    if query.speakers:
        factor *= 1 + NAMED_SPEAKER * np.isin(speaker, list(query.speakers))
    if query.date is not None:
        factor *= 1 + NAMED_DATE * date_match(corpus.time_ms[rows], query.date)
    if query.asks & TextFlags.TIME:
        factor *= 1 + TIME_ASKED * has_flag(corpus, rows, TextFlags.TIME)
    if query.asks & TextFlags.NUMBER:
        factor *= 1 + NUMBER_ASKED * has_flag(corpus, rows, TextFlags.NUMBER)
    if not query.asks_assistant:
        factor *= 1 - ASSISTANT * np.isin(speaker, list(assistants))
    factor *= 1 - ONLY_A_QUESTION * has_flag(corpus, rows, TextFlags.QUESTION)
    return factor
