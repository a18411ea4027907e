"""English clauses: how they part, which state nothing, what a title does without, and orders."""

import re
from typing import Final

from chatmem.text.languages.language import Clauses, Orders, Titles

CLAUSES: Final = Clauses(
    breaks=r"\s(?=but\s)",
    requests=(
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
    own=r"\b(?:I|my|we|our|I'm|I've)\b",
    number=(
        "one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million"
    ),
)

_ASK: Final = (
    r"(?:(?:please|pls|(?:can|could|would|will) you|i(?: want|'d like) you to"
    r"|you (?:can|should|must)|just|also|and|but|so|oh|ok|okay|hey|hi|actually|now)[,:!]? )*"
)

ORDERS: Final = Orders(
    remember=(
        rf"^\W*{_ASK}(?:remember|memori[sz]e)(?: for (?:me|later))?"
        r"(?:,? that,? (?=\w)|[:,] |,? (?=(?:i|i'm|i've|my|our|we)\b))"
    ),
    remembered=(
        rf"(?:^|[.,;!:–—-]\s*|\b(?=(?:please|so|and|but)\b)){_ASK}(?:(?:remember|note|don't forget)"
        r" (?:that|this|it)(?: down)?|keep (?:that|this|it) in mind)"
        r"(?:,? (?:please|for (?:me|later|the future|next time)|ok|okay))*\s*[.!]*$"
    ),
    forget=(
        rf"^\W*{_ASK}(?:forget|don't remember|stop remembering|no need to remember|(?:delete|remove"
        r"|erase|wipe|clear) (?=.*\b(?:memor|you (?:know|have|remember)|your (?:records?|notes))))"
    ),
)
