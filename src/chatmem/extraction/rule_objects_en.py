"""What may be a place, a name, a firm, or a thing that somebody likes, in English."""

import re
from typing import Final

from chatmem.extraction.rule_words_en import NATIONALITIES, OCCUPATIONS, TRAITS
from chatmem.text.wordlist import listed

_NO_PLACES: Final = frozenset(
    listed(
        """
        fear peace hope denial pain poverty silence harmony darkness debt luxury pajamas the-moment
        a an it this that here there my your his her our monday tuesday wednesday thursday friday
        saturday sunday january february march april june july august september october november
        december python java javascript typescript react vue rust linux windows mac macos android
        ios kubernetes docker postgres postgresql mysql aws azure gcp vscode github gitlab notion
        obsidian chrome firefox slack bed sleep tears together alone production management sales
        marketing part-time full-time
        """
    )
)
_SORTS_OF_PLACE: Final = re.compile(
    r"\b(?:city|town|village|suburbs?|countryside|country|island|apartment|flat|house|condo|studio"
    r"|dorm|dormitory|farm|cottage|cabin|neighbou?rhood|district|area|coast|mountains|county|state"
    r"|uk|us|usa|netherlands|philippines|bay area|midwest|north|south|east|west|place|campus"
    r"|houseboat|van|basement|building|townhouse|bedroom|floor|block|lake|sea|beach|downtown"
    r"|outskirts|middle of nowhere|uae|emirates|bronx|caribbean|highlands|alps|caribbean|hague)\b"
)
_NOWHERE: Final = re.compile(
    r"\b(?:world|dream|moment|past|present|future|head|fear|own|bubble|simulation|shadow|movie"
    r"|line|team|role|position|branch|version|table|step|page|topic|question|side|couch|group)\b"
)
_NO_PLACE_AT_ALL: Final = re.compile(
    r"(?:the |an? |this )?(?:different |small |big |new |nice )?(?:city|town|area"
    r"|country|neighbou?rhood|place|district)$"
)
_NO_NAMES: Final = frozenset(
    listed(
        """
        sorry fine good great happy sad tired back here new not done sure ready glad okay ok well
        so just very really a an the from in at on working looking trying going having feeling
        thinking interested curious afraid also still now currently single married busy sick bored
        hungry confused lost stuck free home late early alone available excited nervous anxious
        worried grateful thankful pleased delighted aware able unable unsure certain i you he she it
        we they my your what who how when where why that this there yes no maybe it's i'm later
        today tomorrow again anytime old crazy stupid lazy when if at after before names american
        british english french german chinese japanese korean indian spanish italian canadian
        christian catholic muslim jewish buddhist hindu irish dutch russian mexican australian vegan
        vegetarian human pregnant gay straight bi trans male female mom dad mum
        """
    )
)
_NO_THING: Final = re.compile(
    r"^(?:i|it|that|this|these|those|them|him|her|you|your|yours|he|she|they|how"
    r"|what|when|where|why"
    r"|which|who|if|to be\b|being able|to have\b|to know|to hear|to see (?:you|it"
    r"|that|how)|to think"
    r"|having to|my|our|everything|anything|nothing|something|some|any|most|all of|both|one|ones"
    r"|an? (?:good|nice|great|bit|lot|little|few|challenge|idea)|more|most|another|others?|many"
    r"|myself|yourself|me|us|talking (?:to|with) you|chatting|using you|hearing|knowing|feeling"
    r"|seeing (?:you|it|that|how)|to (?:try|ask|say|share|thank|talk|chat|discuss|tell|add|point"
    r"|start|continue|help|get|use|make|do|keep|give|call|imagine|believe|pretend)\b|sharing|such"
    r"|living|each|either|neither|its|his|their|learning about|getting|what's|very much|as|in|on"
    r"|at|so|too|a \w+ that|not|than|like|about|how|there|here|whatever|certain|different|various"
    r"|favou?rite)(?![\w'-])|^the (?!outdoors|sea|ocean|beach|mountains?"
    r"|countryside|cold|heat|rain|snow|sun|city|gym"
    r"|theat(?:er|re)|opera|cinema|colou?r|smell|taste|violin|piano|guitar|cello|forest"
    r"|desert|beatles|rolling|dark|water|winter|summer|autumn|fall|spring|quiet|great|lord|office"
    r"|simpsons|crown|wire|sopranos)\b|^(?:adding|using|incorporating|finding"
    r"|seeing)\b|.*\b(?:you|your|yours|it|that|this|those|these|yourself|he|she"
    r"|him|his|her|they|them|suggestions?|advice"
    r"|ideas?|recommendations?|reply|replies|answers?|response|responses|questions?|explanations?"
    r"|the way|movement|part|point|fact|moment|conversation|question|assistant|ai|feature|version"
    r"|option|feeling that|approach|design|plot|process|code|function|script)\b"
)
_TRAILING: Final = re.compile(
    r"(?:,? (?:too|as well|a lot|very much|so much|the most|most|best|the best|more|now|these days"
    r"|any ?more|at all|that much|much|though|lately|recently|right now|at the moment|in general"
    r"|in particular|especially|these|either|a bit|for sure|from time to time|sometimes|every now"
    r" and then|now and then|as always))+$"
)
_AFTER: Final = re.compile(
    r",?(?<!such) (?:because|since|when|while|whenever|as|if|so|but|which|who"
    r"|where|especially|ever since|even though|although|for its|for their|due to"
    r"|thanks to|so much that"
    r"|after|before|and (?:i|it|that|they|my|we)|because of|for the|with my|with a|it's|than)\b.*"
)
_LOOSE: Final = re.compile(r"(?:,? (?:and|or|of|with|to|the|a|for|in|on|at))+$")
MAX_THING_WORDS: Final = 12
MAX_NAME_WORDS: Final = 3


def is_place(said: str, *, lower_case: bool) -> bool:
    """True where somebody can live or come from there; small letters count if all are small."""
    plain = said.lower()
    words = plain.split()
    if not words or words[-1] in _NO_PLACES:
        return False
    if words[0] in _NO_PLACES and not _SORTS_OF_PLACE.search(plain):
        return False
    if _NO_PLACE_AT_ALL.match(plain):
        return False
    if _NOWHERE.search(plain) and not _SORTS_OF_PLACE.search(plain):
        return False
    if said[:1].isupper() or any(word[:1].isupper() for word in said.split()):
        return True
    return _SORTS_OF_PLACE.search(plain) is not None or (lower_case and len(words) <= 3)


def is_town(said: str) -> bool:
    """True for the name of a place: it has a capital, and is no firm or day."""
    return said[:1].isupper() and is_place(said, lower_case=False)


def is_name(said: str, *, lower_case: bool) -> bool:
    """True for one to three words with capitals that are no other words."""
    words = said.split()
    if not 0 < len(words) <= MAX_NAME_WORDS or words[0].lower() in _NO_NAMES:
        return False
    if _OCCUPATION.fullmatch(said.lower()) or _TRAIT.fullmatch(said.lower()):
        return False
    return all(word[:1].isupper() for word in words) or (lower_case and len(words) <= 2)


_TRAIT: Final = re.compile(rf"{TRAITS}|{NATIONALITIES}")
_OCCUPATION: Final = re.compile(rf"(?:{OCCUPATIONS})s?")


def is_firm(said: str) -> bool:
    """True where somebody can work there, or in it."""
    plain = said.lower()
    return not _NO_FIRM.search(plain)


_NO_FIRM: Final = re.compile(
    r"^(?:it|this|that|them|him|her|me|you|the moment|home|night|the same|the weekend|weekends|my"
    r"|his|her|their|your|something|nothing|all|the office|least|fun|the industry"
    r"|the field|free|money|pay|hours|a living"
    r"|a (?:project|report|problem|presentation|paper|story|plan|solution|new project|big project"
    r"|while|few|couple|long)|now|both|some|any|people|clients?|colleagues|kids|children|others?"
    r"|what|how|which|progress|\d.*|peace|silence|full|part|the day|the evening|the morning)\b"
    r"|^(?:an? |the )?(?:company|place|job|team|firm)$|\b(?:you|it|this|that)\b"
)


def is_thing(said: str) -> bool:
    """True where it can be understood later what it is that is liked or studied."""
    plain = shortened(said).lower()
    if not plain or len(plain.split()) > MAX_THING_WORDS or len(plain) < 2:
        return False
    return _NO_THING.match(plain) is None


def shortened(said: str) -> str:
    """The words without the reasons and circumstances behind them."""
    said = _AFTER.sub("", said)
    while (shorter := _LOOSE.sub("", _TRAILING.sub("", said)).strip(" ,.;!")) != said:
        said = shorter
    return said
