"""Words by which a statement says that something is not as it was (`words/changes.toml`).

Patterns look through normalised text: small letters, Simplified characters.

Source: decisions 4.
"""

import re
from typing import Final

from chatmem.extraction.words import word_file

_WORDS: Final = word_file("changes")
CHANGE: Final = re.compile(_WORDS["change"])
"""That something has ended, is another one, or was told wrong."""
NOW: Final = re.compile(_WORDS["now"])
"""That something is said of the present: enough only where it gives an attribute another value."""
ADDED: Final = re.compile(_WORDS["added"])
"""That something comes beside what there is."""
LIKED: Final = re.compile(_WORDS["liked"])
MOVED: Final = re.compile(_WORDS["moved"])
"""That something has another day."""
DISLIKED: Final = re.compile(_WORDS["disliked"])
RENAMED_OR_LOST: Final = re.compile(_WORDS["renamed_or_lost"])
"""That somebody or an animal has another name, or is no more."""
STANDING: Final = re.compile(_WORDS["standing"])
"""That something holds from now on."""
REQUEST: Final = re.compile(_WORDS["request"])
"""A clause that only asks for something."""
