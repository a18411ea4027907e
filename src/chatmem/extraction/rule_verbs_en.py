"""English verbs in the form of `I`, and in the form of one other person."""

from typing import Final

from chatmem.text.irregular import BASE_FORM
from chatmem.text.wordlist import listed

_LEMMAS: Final = {
    "become": "became",
    "gotten": "got",
    "is": "am",
    "are": "am",
    "has": "have",
    "does": "do",
    "doesn't": "don't",
    "goes": "go",
    "isn't": "am not",
    "aren't": "am not",
    "teaches": "teach",
    "studies": "study",
    "hasn't": "haven't",
    "were": "was",
    "loves": "love",
    "hates": "hate",
    "cannot": "can't",
}
_AS_IS: Final = frozenset(
    listed(
        """
        can can't cannot will won't would wouldn't might may must should could couldn't shouldn't
        was wasn't were used had hadn't did didn't quit put hit cut let set hurt cost spent
        is has does doesn't isn't hasn't never always
        """
    )
)
_NO_PAST: Final = frozenset(listed("need feed speed breed bleed shed embed proceed succeed exceed"))
_FORMS: Final = {
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "don't": "does not",
    "go": "goes",
    "haven't": "has not",
    "were": "was",
    "aren't": "is not",
    "weren't": "was not",
    "can't": "cannot",
    "doesn't": "does not",
    "isn't": "is not",
    "hasn't": "has not",
}


def lemma(who: str, said: str, plain: str) -> tuple[str, str]:
    """A predicate with its verb in the form of `I`, as said and plain: `has` is `have`."""
    verb, _, rest = plain.partition(" ")
    base = _LEMMAS.get(verb, "")
    if verb in ("do", "does") and rest.startswith("not "):
        return "don't" + said[len(verb) + 4 :], "don't" + plain[len(verb) + 4 :]
    if verb == "can" and rest.startswith("not "):
        return "can't" + said[7:], "can't" + plain[7:]
    third = who and verb.endswith("s") and not verb.endswith("ss") and len(verb) > 3
    if not base and third and not verb.endswith("n't"):
        base = verb[:-1]
    if verb in ("loved", "hated", "enjoyed", "liked"):
        base = verb
    if verb == "lived" or verb == "worked":
        base = verb
    if not base:
        return said, plain
    return base + said[len(verb) :], base + plain[len(verb) :]


def conjugated(verb: str) -> str:
    """The verb in the form that goes with one other person; past forms stay as they are."""
    verb = verb.lower()
    if verb in _FORMS:
        return _FORMS[verb]
    if verb in _AS_IS or (verb in BASE_FORM and verb not in ("read", "found", "saw", "fell")):
        return verb
    if verb.endswith("ed") and len(verb) > 3 and verb not in _NO_PAST:
        return verb
    if verb in ("found", "saw", "fell"):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
