"""Words of a message that name no topic, besides stop words: requests, reactions, times, amounts.

All in the form that `normalise` gives.
"""

from itertools import chain
from typing import Final

from chatmem.text.wordlist import word_lists

_WORDS: Final = word_lists("chatmem.analysis", "fillers")
FILLERS: Final = frozenset(chain.from_iterable(_WORDS["fillers"].values()))
"""About 500 words that are met in messages on any topic."""

POINTING_ON: Final = _WORDS["pointing_on"]["english"]
"""With these a short message goes on with the topic before it: `and in winter?`."""

POINTING_ON_ZH: Final = _WORDS["pointing_on"]["chinese"]
