"""What things are called by their brands, and lists of two things that are two facts."""

import re
from typing import Final

from chatmem.extraction.rule_frames import thing

PHONES: Final = (
    r"(?:iphone|pixel|galaxy(?! tab)|oneplus|xiaomi|redmi|motorola|moto g|fairphone|huawei"
    r"|nothing phone|android phone|smartphone|samsung s\d+|phone)"
)
LAPTOPS: Final = (
    r"(?:macbook|thinkpad|xps|zenbook|chromebook|surface (?:pro|laptop)|ideapad|framework laptop"
    r"|vivobook|laptop)"
)
CARS: Final = (
    r"(?:skoda|peugeot|renault|fiat|citro[eë]n|seat (?:leon|ibiza)|nissan|opel|vauxhall|chevy"
    r"|chevrolet|dodge|lexus|porsche|jaguar|mitsubishi|suzuki|land rover|range rover|byd|dacia"
    r"|mercedes|saab|tesla|toyota|honda(?! cb)|ford|bmw(?! (?:r|gs))|audi|volkswagen|vw|mazda"
    r"|subaru|volvo|hyundai|kia|prius|corolla|civic|camry|polo|jeep|fiesta|outback|mini cooper"
    r"|yaris|micra|octavia|maruti|swift|tata nexon|clio|corsa|hatchback|sedan|suv|car)"
)
_KINDS: Final = (
    ("phone", re.compile(rf"\b{PHONES}s?\b")),
    ("laptop", re.compile(rf"\b{LAPTOPS}s?\b")),
    ("campervan", re.compile(r"\b(?:camper ?van|motorhome|camper|transporter)\b")),
    ("car", re.compile(rf"\b{CARS}\b")),
    ("bike", re.compile(r"\b(?:\w+ )?(?:bike|bicycle|brompton)\b(?<!motorbike)")),
    ("motorbike", re.compile(r"\b(?:motorbike|motorcycle|royal enfield|vespa|scooter)\b")),
    ("camera", re.compile(r"\b(?:camera|nikon|canon|fujifilm|leica)\b")),
    ("console", re.compile(r"\b(?:ps[45]|playstation|xbox|nintendo switch|steam deck)\b")),
    ("watch", re.compile(r"\b(?:apple watch|garmin|fitbit|smartwatch)\b")),
)
_NO_PAIRS: Final = re.compile(
    r"\b(?:rock|salt|fish|mac|drum|bed|rhythm|arts?|country|black|peanut butter|food|bread|gin"
    r"|sweet|science|crime|his|her|law|hot|hide|cut|up|pros|rest|health) (?:and|&|n) "
)
_ITEM: Final = r"[\w'’-]+(?: (?!and\b|or\b)[\w'’-]+){0,2}"
_TWO: Final = re.compile(rf"({_ITEM}) (?:and|or) ({_ITEM})")
_MORE: Final = re.compile(rf"({_ITEM}), ({_ITEM})(?:, ({_ITEM}))?,? (?:and|or) ({_ITEM})")
_HANGING: Final = re.compile(r"\b(?:in|of|with|for|on|to|from|a|the|my|at|like|about)\b")


def possession(said: str) -> str:
    """The key of something owned: a new phone takes the old one's place, a second car none."""
    plain = thing(said)
    another = re.search(r"\b(?:another|second|spare)\b(?![- ]hand)", plain)
    for kind, pattern in _KINDS:
        if pattern.search(plain):
            return f"possession:{kind}:{plain}" if another else f"possession:{kind}"
    return f"possession:{re.sub(r'^(?:new|first|used|second-?hand|old|brand new) ', '', plain)}"


def items(said: str, *, most: int) -> list[str]:
    """The things of a short list, or the one thing that is named."""
    plain = said.lower()
    if _NO_PAIRS.search(plain):
        return [said]
    match = _TWO.fullmatch(said) or (_MORE.fullmatch(said) if most > 2 else None)
    if match is None:
        return [said]
    found = [each for each in match.groups() if each]
    if len(found) > most or any(_HANGING.search(each.lower()) for each in found):
        return [said]
    if len(found[0].split()) < len(found[-1].split()) and "ing" not in found[-1].split()[0]:
        return [said]  # `action and comedy movies`: one word stands for both
    if any(len(each.split()) > 2 for each in found) and most < 3:
        return [said]
    return found
