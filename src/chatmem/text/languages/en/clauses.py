"""How English sentences part, which clauses state nothing, and what a title does without."""

import re
from typing import Final

from chatmem.text.languages.en.cues import WORDS
from chatmem.text.languages.language import Clauses, Titles

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
    requests="",
    polite=(
        r"^\W*(?:(?:and|so|but|hi|hey|hello|ok|okay|also|please)\W+)*"
        r"(?:can|could|would|will) (?:you|we|u|i (?:get|have|ask))\b"
    ),
    supposed=(
        r"\b(?:if|suppose|supposing|imagine|pretend|hypothetically|what if|let's say|lets say|say i"
        r"|i wish|as if|as though|unless|assuming|in case|would have|could have|act as|for example"
        r"|for instance|e\.g)\b"
    ),
    reported=(
        r"\b(?:he|she|they|who|someone|somebody|people|wife|husband|mom|mum|mother|dad|father"
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
    sentence_signs="",
    list_joints=frozenset({"and", "or"}),
    no_list_items=frozenset(WORDS["slots"]["no_list_items"]),
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
    asking="",
    breaks="",
    figure=(
        r"\b(?:[a-z]+day|tomorrow|january|february|march|april|may|june|july|august|september"
        r"|october|november|december)\b"
    ),
    own=r"\b(?:I|my|we|our|I'm|I've)\b",
    number=(
        "one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million"
    ),
)
