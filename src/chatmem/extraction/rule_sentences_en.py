"""English statements that are no predicates of `I`: names, favourites, possessions by name."""

from typing import Final

from chatmem.extraction.rule_frames import Frame
from chatmem.extraction.rule_words_en import (
    LANGUAGES,
    OCCUPATIONS,
    RELATIONS,
)

_IS: Final = r"(?:'s| is| are|'re)"
_NAME: Final = (
    r"(?P<v>[a-z][\w'-]*(?: (?!and|but|so|not|by|from|for|in|at|with|because"
    r"|since)[a-z][\w'.-]*){0,2})"
)
_REST: Final = (
    r"(?:,? (?:and|but|so|not|by the way|with|from|because|since|after|instead"
    r"|though|these days|now|actually)\b.*)?\W*$"
)
_WHICH: Final = r"(?P<of>(?:\w+er|oldest|youngest|little|big|twin|late|new|middle|dear) )?"

SENTENCES: Final = (
    Frame(
        r"my (?:full |real |actual |legal |first |given |birth )?name(?:'s"
        rf"| is)(?: actually| really)?(?: spelled| spelt| pronounced)? {_NAME}{_REST}",
        "name",
        check="name",
        told="Name is {v}",
    ),
    Frame(rf"(?:the )?name(?:'s| is) {_NAME}{_REST}", "name", check="name", told="Name is {v}"),
    Frame(
        rf"my (?:last name|surname|family name|maiden name) is {_NAME}{_REST}",
        "surname",
        check="name",
        told="Surname is {v}",
    ),
    Frame(
        rf"my (?:nickname|pen name|stage name|online name|handle) is {_NAME}{_REST}",
        "nickname",
        check="name",
        told="Nickname is {v}",
    ),
    Frame(
        rf"(?:i'm|i am|this is) (?:called|named) {_NAME}{_REST}",
        "name",
        check="name",
        told="Name is {v}",
    ),
    Frame(
        rf"(?:i'm|i am) {_NAME}(?:,? (?:and|from|nice|by the way|here)\b.*)?\W*$",
        "name",
        check="name",
        told="Name is {v}",
        own=True,
    ),
    Frame(
        r"(?:please |just |you can |you may |but |everyone |everybody |people "
        r"|my friends |friends |most people |they |my family |all my friends "
        rf"|can you )*(?:call|calls) me {_NAME}{_REST}",
        "nickname",
        check="name",
        told="Goes by {v}",
    ),
    Frame(
        rf"(?:i(?:'d)? )?(?:prefer|like|want) to (?:be called|go by) {_NAME}{_REST}",
        "nickname",
        check="name",
        told="Wants to be called {v}",
    ),
    Frame(
        r"(?:it's|it is) my (?P<w>birthday) (?P<v>on (?:the )?.*\d.*|today|tomorrow"
        r"|next \w+|this \w+|on \w+|in .+)$",
        "birthday",
        told="{w} is {v}",
    ),
    Frame(
        r"(?P<v>today|tomorrow|(?:next|this) \w+day) is my (?P<w>birthday)$",
        "birthday",
        told="{w} is on {v}",
    ),
    Frame(
        r"(?:my|our) (?P<w>birthday|date of birth|dob|anniversary"
        r"|wedding anniversary)(?:'s| is| falls)(?: on| in)? (?P<v>(?:the )?.*(?:\d"
        r"|christmas|january|february|march|april|may|june|july|august|september"
        r"|october|november|december|new year|halloween|valentine).*)$",
        "{w}",
        told="{w} is on {v}",
    ),
    Frame(
        rf"my {_WHICH}(?P<rel>{RELATIONS})'s? (?P<w>birthday)(?:'s| is| falls)(?: on"
        r"| in)? (?P<v>.*(?:\d|january|february|march|april|may|june|july|august"
        r"|september|october|november|december).*)$",
        "birthday",
        told="{rel}'s birthday is on {v}",
    ),
    Frame(
        rf"(?:my|our) {_WHICH}(?P<rel>{RELATIONS})(?:'s|s')? name{_IS} {_NAME}{_REST}",
        "relation:{rel}",
        check="name",
        told="{of}{rel}'s name is {v}",
    ),
    Frame(
        rf"(?:my|our) {_WHICH}(?P<rel>{RELATIONS})(?: is|'s)? (?:called (?!me\b|us\b"
        rf"|him\b|her\b|you\b)|named ){_NAME}{_REST}",
        "relation:{rel}",
        check="name",
        told="{of}{rel} is called {v}",
    ),
    Frame(
        r"my (?:current )?(?:job|profession|occupation|day job)(?:'s"
        r"| is) (?P<v>(?:(?:in |an? (?!lot|bit|pain|mess|good|great|nice|nightmare"
        rf"|little|joke)|being an? )[a-z][\w /&-]{{2,50}}"
        rf"|(?:[a-z]+ing )[a-z][\w /&-]{{2,50}}|[\w -]*(?:{OCCUPATIONS})))$",
        "occupation",
        told="Job is {v}",
    ),
    Frame(
        r"my hometown(?:'s| is) (?P<v>[a-z][\w' .-]+?)(?:,? (?:and|but|where|in)\b.*)?$",
        "hometown",
        check="place",
        told="Hometown is {v}",
    ),
    Frame(
        r"(?:my|our) favou?rite (?P<w>[a-z]+(?: (?!is"
        r"|are)[a-z]+){0,3}?) (?:of all time )?(?P<be>is|are|has to be|would be"
        r"|will always be|used to be)(?: definitely| probably| still| actually"
        r"| always)? (?P<v>.+)$",
        "favourite:{w}",
        category="preference",
        check="thing",
        told="Favourite {w} {be} {v}",
    ),
    Frame(
        r"(?P<v>[a-z][\w' ]*?) (?:is|are) my (?:all[- ]time )?favou?rite(?: "
        r"(?P<w>[a-z]+(?: [a-z]+){0,7}?))?(?: of all time| ever| by far)?$",
        "favourite:{w}",
        category="preference",
        check="thing",
        told="Favourite {w}: {v}",
    ),
    Frame(
        r"(?:my|our) (?:native|first|mother|home) (?:language|tongue)(?:'s"
        rf"| is) (?P<v>{LANGUAGES})\b.*$",
        "language:{v}",
        "native",
        told="Native language is {v}",
    ),
    Frame(
        r"my blood type(?:'s| is) (?P<v>(?:a|b|ab|o)(?:[ -]?(?:positive|negative|\+"
        r"|-))?)(?![\w]).*$",
        "blood_type",
        told="Blood type is {v}",
    ),
    Frame(r"my height(?:'s| is) (?P<v>.*\d.*)$", "height", told="Height is {v}"),
    Frame(r"my (?:current )?weight(?:'s| is) (?P<v>.*\d.*)$", "weight", told="Weight is {v}"),
    Frame(
        r"my waist(?: circumference| size)?(?:'s| is)(?: now)? (?P<v>\d.*)$",
        "waist",
        told="Waist is {v}",
    ),
    Frame(
        r"my (?:main |biggest |only |favou?rite )*(?P<w>hobby|hobbies|passion"
        r"|passions|pastime)(?:'s| is| are| include| includes)(?: mainly"
        r"| mostly)? (?P<v>.+)$",
        "hobbies",
        category="preference",
        check="thing",
        told="{w}: {v}",
    ),
    Frame(
        r"my major(?:'s| is| was) (?P<v>[a-z][\w' &-]+)$",
        "major",
        check="thing",
        told="Major is {v}",
    ),
    Frame(
        r"my (?:company|employer)(?:'s| is) (?:called |named )?(?P<v>[a-z][\w' &.-]+)$",
        "employer",
        check="name",
        told="Company is {v}",
    ),
    Frame(
        r"my (?P<w>car|bike|phone|laptop|computer|camera|motorcycle|guitar"
        r"|piano)(?:'s| is) (?P<v>(?:an? )(?:[\w'.-]+ ?){1,5})$",
        "possession:{w}",
        told="{w} is {v}",
    ),
    Frame(
        r"my (?P<w>(?:shoe|shirt|dress|ring) size)(?:'s| is) (?P<v>.+)$", "{w}", told="{w} is {v}"
    ),
    Frame(
        r"my (?:pronouns)(?:'re| are) (?P<v>\w+/\w+(?:/\w+)?)$", "pronouns", told="Pronouns are {v}"
    ),
    Frame(r"my (?:zodiac |star )?sign(?:'s| is) (?P<v>\w+)$", "zodiac", told="Star sign is {v}"),
    Frame(
        rf"(?:i|we) named (?:him|her|it|them|our (?P<rel>{RELATIONS})"
        rf"|my (?P<rel2>{RELATIONS})) {_NAME}$",
        "",
        check="name",
        told="Named {v}",
    ),
)
"""Over a segment in lower case; what is told takes its words as they were written."""
