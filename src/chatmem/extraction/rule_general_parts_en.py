"""Parts and makers of the general English frames."""

from typing import Final

from chatmem.extraction.rule_frames import Check, Frame
from chatmem.extraction.rule_words_en import (
    BELONGINGS,
    PET_NOUN,
)

NOT_THIS: Final = r"(?!it\b|this\b|that\b|these\b|those\b|you\b|your\b|here\b|there\b|something\b)"
STUDY: Final = (
    r"(?:[\w'-]+ ){0,5}?(?:degree|ph\.?d|doctorate|master'?s|masters|mba"
    r"|bachelor'?s|msc|bsc|b\.?tech"
    r"|m\.?tech|a-levels|gcses|diploma|apprenticeship|internship|postdoc|residency|course|evening"
    r" classes|night school|certificate|certification|bootcamp|traineeship"
    r"|placement|foundation year"
    r"|thesis|dissertation|training)"
)
SINCE: Final = r"(?:for|since|the (?:past|last)|all my|nearly|almost|about|over|\d+)\b.*"


def lasting(pattern: str, key: str = "", value: str = "{v}", check: Check = "") -> Frame:
    """A frame of a fact."""
    return Frame(pattern, key, value, check=check)


def liking(pattern: str, value: str) -> Frame:
    """A frame of a taste, which `value` says to be a like or a dislike."""
    return Frame(pattern, "taste:{v}", value, "preference", check="thing")


BOUGHT: Final = (
    r"(?:myself |ourselves |me |us )?(?:an? |my |our |two |another |some |the |this )?"
    rf"(?P<v>(?:[\w'.-]+ ){{0,5}}?(?:{BELONGINGS})(?: (?!is\b|are\b|was\b)[\w.]+)?)"
    r"(?: (?:from|last|this|for|yesterday|today|on|in|two|three|a|and|with|that|which|because|but"
    r"|so|at|over|to|recently|when|secondhand|second[- ]hand|off|near|back|as)\b.*|,.*)?$"
)
PET: Final = (
    rf"(?P<v>(?:[\w'-]+ ){{0,5}}?(?P<p>{PET_NOUN})s?)(?:(?:,? (?:named|called)|,"
    r"|:) (?P<n>[a-z][\w'-]+"
    r"(?:,? (?:and )?[a-z][\w'-]+)*?))?(?:,? (?:from|last|this|for|yesterday|today|two|three|a|in"
    r"|who|and|on|at|with|that|which|because|but|so|over|to|recently|when|now|back)\b.*)?$"
)
