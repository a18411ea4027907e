"""What English predicates say that lasts, by their class: tried where no narrower pattern fits."""

from typing import Final

from chatmem.extraction.rule_frames import Frames
from chatmem.extraction.rule_general_deeds_en import DEEDS_GENERAL
from chatmem.extraction.rule_general_doings_en import DOINGS_GENERAL
from chatmem.extraction.rule_general_states_en import STATES_GENERAL

GENERAL_EN: Final[Frames] = {**STATES_GENERAL, **DOINGS_GENERAL, **DEEDS_GENERAL}
"""By the verb that a predicate begins with."""
