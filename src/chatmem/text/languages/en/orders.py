"""How English tells a memory to remember and to forget."""

from typing import Final

from chatmem.text.languages.language import Orders

_ASK: Final = (
    r"(?:(?:please|pls|can you|could you|would you|will you|i want you to|i need you to"
    r"|i'd like you to|i would like you to|you should|you must|just|also|make sure (?:you|to)|and"
    r"|but|so|oh|ok|okay|hey|hi|btw|by the way|actually|now|always|kindly|important)[,:!]? )*"
)
_REMEMBER: Final = (
    rf"^\W*(?:[a-z ,]{{2,40}} and (?=keep in mind|bear in mind))?{_ASK}(?:"
    r"(?:remember|note(?: down)?|keep in mind|bear in mind|take note|make a (?:mental )?note"
    r"|don't (?:ever )?forget|do not forget|never forget|write down|jot down|memori[sz]e"
    r"|add to (?:your )?memory|save to (?:your )?memory|store in (?:your )?memory)(?: (?:for me"
    r"|for later|for next time|for the future"
    r"|for future reference))?(?: the fact)?(?:,? that,? (?=\w)| this[:,]? (?=i\b|i'm|my|we|our)"
    r"|: ?|, |,? (?=i\b|i'm\b|i've\b|my\b|our\b|we\b))|(?:for (?:your|future) reference"
    r"|note to self|for the record|for your memory|a note for later)[,:] ?(?=i\b|i'm|my|we|our))"
)
_REMEMBERED: Final = (
    r"(?:^|[.,;!:–—-]\s*|\b(?=(?:please|so|and|but|can you|could you|make sure)\b))(?:so |and |but "
    r"|please,? |just |can you |could you |make sure (?:you |to )|you should )*(?:remember (?:that"
    r"|this|it)|keep (?:that|this|it) in mind|don't forget (?:that|this|it)|note (?:that|this"
    r"|it) down|make a note of (?:that|this|it)|remember (?:that|this) for (?:later|next time"
    r"|the future|me)|keep (?:that|this) in mind for \w+(?: \w+)?)(?:,? (?:please|for me|ok|okay"
    r"|for next time|for later|for the future|going forward))*\s*[.!]*$"
)
_FORGET: Final = (
    rf"^\W*{_ASK}(?:"
    r"(?:forget|don't remember|stop remembering|you can forget|no need to remember"
    r"|don't keep) (?:about )?(?:what i (?:said|told you) (?:about|earlier about|before about) "
    r"|everything (?:i (?:said|told you) )?about |(?:the fact )?that (?=i\b|i'm|my|we|our|the\b)"
    r"|i (?:ever )?(?:said|mentioned|told you)(?: that| about)? |any(?:thing| mention) (?:of"
    r"|about) )?(?P<v>(?:i|i'm|i've|my|our|we|the|where|what|who|how|which|that)\b.+|[A-Za-z].+)"
    r"|(?:delete|remove|erase|wipe|clear|drop|scrub) (?P<w>.+?) from (?:your |the )?(?:memory"
    r"|memories|records?|notes|what you know|profile)(?: (?:about|of) me)?|(?:delete|remove|erase"
    r"|wipe|clear|scrub|forget) (?:everything|anything|whatever|all|what)(?: that)? you(?:'ve"
    r"| have)? ?(?:have|got|know|remember|stored|saved|noted|kept)?(?: down| stored"
    r"| saved)? (?:about|on|of) (?P<x>.+?))[.!\s]*$"
)
_NOT_FORGOTTEN: Final = (
    r"^(?:it|that|this|about it|about that|about this|me|him|her|them|everything|all|all that"
    r"|all of (?:it|that|this)|what|the (?:last|previous|above|first|instructions?|rules?|code"
    r"|question|message)\b.*|what i (?:just )?said|to\b.*|your\b.*|you\b.*|previous\b.*"
    r"|all previous\b.*|my (?:last|previous) (?:message|question|request)|how\b.*|i asked.*"
    r"|yesterday|nothing|(?!everything|anything)\w+ing\b.*|one thing|any(?:thing)?)[.!\s]*$"
)

ORDERS: Final = Orders(
    hint=(
        r"remember|forget|\bnote\b|in mind|memor|reference|write down|jot"
        r"|for the record|from your|from the"
    ),
    remember=_REMEMBER,
    remembered=_REMEMBERED,
    forget=_FORGET,
    not_forgotten=_NOT_FORGOTTEN,
    own=r"\b(?:i|i'm|i've|i'd|my|me|our|we|about)\b",
    noted=r"\b(?:note|keep in mind|bear in mind|don't forget|do not forget|never forget)\b",
    mine=r"\b(?:i|i'm|i've|i'd|my)\b",
)
