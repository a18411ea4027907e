"""English clauses: how they part, which state nothing, what a title does without, and orders."""

import re
from typing import Final

from chatmem.text.languages.language import Clauses, Orders, Titles

CLAUSES: Final = Clauses(
    breaks=r"\s(?=but\s)",
    asks=(
        r"^\W*(?:(?:and|so|but|or|also|ok|okay|well|hey|hi|then|wait|hmm|uh|um)\W+)*(?:what|which"
        r"|who|whom|whose|when|where|why|how|is|are|was|were|am|do|does|did|has|have i|have you"
        r"|have we|have they|had|should|shall|may|might|will i|will it|will they|would it|isn't"
        r"|aren't|don't (?:you|i|we|they)|didn't|doesn't|won't|any idea|do you|did i|guess"
        r"|remind me|tell me)\b"
    ),
    asks_for_words=(
        r"\b(?:what|which|who|whom|whose|where|why|how (?:much|many|long|far|old|often|do|can|to"
        r"|should))\b"
    ),
    polite=(
        r"^\W*(?:(?:and|so|but|hi|hey|hello|ok|okay|also|please)\W+)*"
        r"(?:can|could|would|will) (?:you|we|u|i (?:get|have|ask))\b"
    ),
    supposed=(
        r"\b(?:if|suppose|supposing|imagine|pretend|hypothetically|what if|let's say|lets say|say i"
        r"|i wish|as if|as though|unless|assuming|in case|would have|could have|act as|for example"
        r"|for instance|e\.g)\b"
        r"|\b(?:he|she|they|who|someone|somebody|people|wife|husband|mom|mum|mother|dad|father"
        r"|sister|brother|friend|boss|colleague|teacher|doctor|neighbou?r|character|novel|story"
        r"|book|article|[a-z]+'s)\s+(?:\w+\s)?(?:says?|said|tells?|told|asks?|asked|thinks?|claims?"
        r"|wrote|writes|replied|texted)\b"
    ),
    denied=(
        r"\b(?:not|no|never|none|cannot|without|neither|nor|hardly|instead of|rather than"
        r"|no longer)\b|n't\b|n’t\b"
    ),
    tells_assistant=r"you(?:'re| are| will| must| should)\b",
    work_on_text=(
        r"\b(?:translat\w*|proofread\w*|rewrit\w*|rephras\w*|paraphras\w*|summari[sz]e\w*|polish"
        r"|correct|edit|improve|grammar|role-?play\w*|pretend)\b"
    ),
)

TITLES: Final = Titles(
    polite=re.compile(
        r"""^\W*(?:
            (?:hi|hello|hey|hiya|dear|good\ (?:morning|afternoon|evening|day)|greetings|yo|ok|okay
              |so|well|thanks|thank\ you|please|sorry|excuse\ me|um+|hmm+|sure|great|alright)\b
            (?:\ (?:there|all|everyone|again|assistant|so\ much|very\ much|a\ lot))?[\s,.!:;-]*
          | (?:can|could|would|will)\ (?:you|u)(?:\ (?:please|kindly|possibly|maybe|also))?
            (?:\ help\ (?:me|us)(?:\ (?:to|with|out\ with))?)?\s+
          | (?:would\ you\ mind|do\ you\ mind)\s+
          | i(?:'d|\ would)\ (?:like|love)\ (?:you\ )?(?:to\ know\ )?to\s+
          | i\ (?:want|need)\ (?:you\ )?to\s+
          | i\ was\ wondering\ (?:if|whether)\ (?:you\ could\ )?
          | (?:please\ )?help\ (?:me|us)(?:\ (?:to|with|out\ with))?\s+
          | i(?:'m|\ am)\ looking\ for\s+(?=\w)
          | (?:could|can|may)\ i\ (?:please\ )?(?:get|have|ask)(?:\ you)?\s+
          | give\ me\s+ | (?:please\ )?tell\ me(?:\ about)?\s+ | show\ me\s+ | do\ you\ know\s+
        )""",
        re.IGNORECASE | re.VERBOSE,
    ),
    introduction=(
        r"^\W*(?:my name(?:'s| is)|i'm back|i am back|nice to meet|i'm [A-Z]\w+$|it's me"
        r"|how are you|are you there|thanks?|thank you|good night|see you|bye|i understand"
        r"|i see|got it)\b"
    ),
    figure=(
        r"\b(?:[a-z]+day|tomorrow|january|february|march|april|june|july|august|september"
        r"|october|november|december)\b"
    ),
    own=r"\b(?:I|my|we|our|I'm|I've)\b",
    number=(
        "one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million"
    ),
)

_ASK: Final = (
    r"(?:(?:please|pls|can you|could you|would you|will you|i want you to|i need you to"
    r"|i'd like you to|i would like you to|you should|you must|just|also|make sure (?:you|to)|and"
    r"|but|so|oh|ok|okay|hey|hi|btw|by the way|actually|now|always|kindly|important)[,:!]? )*"
)

ORDERS: Final = Orders(
    hint=(
        r"remember|forget|\bnote\b|in mind|memor|reference|write down|jot"
        r"|for the record|from your|from the"
    ),
    remember=(
        rf"^\W*(?:[a-z ,]{{2,40}} and (?=keep in mind|bear in mind))?{_ASK}(?:"
        r"(?:remember|note(?: down)?|keep in mind|bear in mind|take note|make a (?:mental )?note"
        r"|don't (?:ever )?forget|do not forget|never forget|write down|jot down|memori[sz]e"
        r"|add to (?:your )?memory|save to (?:your )?memory|store in (?:your )?memory)(?: (?:for"
        r" me|for later|for next time|for the future|for future reference))?(?: the fact)?(?:,?"
        r" that,? (?=\w)| this[:,]? (?=i\b|i'm|my|we|our)|: ?|, |,? (?=i\b|i'm\b|i've\b|my\b|our\b"
        r"|we\b))|(?:for (?:your|future) reference|note to self|for the record|for your memory"
        r"|a note for later)[,:] ?(?=i\b|i'm|my|we|our))"
    ),
    remembered=(
        r"(?:^|[.,;!:–—-]\s*|\b(?=(?:please|so|and|but|can you|could you|make sure)\b))(?:so |and "
        r"|but |please,? |just |can you |could you |make sure (?:you |to )"
        r"|you should )*(?:remember (?:that|this|it)|keep (?:that|this|it) in mind"
        r"|don't forget (?:that|this|it)|note (?:that|this|it) down|make a note of (?:that|this"
        r"|it)|remember (?:that|this) for (?:later|next time|the future|me)|keep (?:that"
        r"|this) in mind for \w+(?: \w+)?)(?:,? (?:please|for me|ok|okay|for next time|for later"
        r"|for the future|going forward))*\s*[.!]*$"
    ),
    forget=(
        rf"^\W*{_ASK}(?:"
        r"(?:forget|don't remember|stop remembering|you can forget|no need to remember"
        r"|don't keep) (?:about )?(?:what i (?:said|told you) (?:about|earlier about"
        r"|before about) |everything (?:i (?:said|told you) )?about |(?:the fact )?that (?=i\b|i'm"
        r"|my|we|our|the\b)|i (?:ever )?(?:said|mentioned|told you)(?: that| about)? |any(?:thing"
        r"| mention) (?:of|about) )?(?P<v>(?:i|i'm|i've|my|our|we|the|where|what|who|how|which"
        r"|that)\b.+|[A-Za-z].+)|(?:delete|remove|erase|wipe|clear|drop|scrub) (?P<w>.+?) from"
        r" (?:your |the )?(?:memory|memories|records?|notes|what you know|profile)(?: (?:about"
        r"|of) me)?|(?:delete|remove|erase|wipe|clear|scrub|forget) (?:everything|anything"
        r"|whatever|all|what)(?: that)? you(?:'ve| have)? ?(?:have|got|know|remember|stored|saved"
        r"|noted|kept)?(?: down| stored| saved)? (?:about|on|of) (?P<x>.+?))[.!\s]*$"
    ),
    not_forgotten=(
        r"^(?:it|that|this|about it|about that|about this|me|him|her|them|everything|all|all that"
        r"|all of (?:it|that|this)|what|the (?:last|previous|above|first|instructions?|rules?|code"
        r"|question|message)\b.*|what i (?:just )?said|to\b.*|your\b.*|you\b.*|previous\b.*"
        r"|all previous\b.*|my (?:last|previous) (?:message|question|request)|how\b.*|i asked.*"
        r"|yesterday|nothing|(?!everything|anything)\w+ing\b.*|one thing|any(?:thing)?)[.!\s]*$"
    ),
    own=r"\b(?:i|i'm|i've|i'd|my|me|our|we|about)\b",
    noted=r"\b(?:note|keep in mind|bear in mind|don't forget|do not forget|never forget)\b",
    mine=r"\b(?:i|i'm|i've|i'd|my)\b",
)
