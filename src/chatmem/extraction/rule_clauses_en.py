"""English clauses as who and what: `My sister, she's in Rome` as `sister` and `am in rome`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatmem.extraction.rule_verbs_en import conjugated, lemma
from chatmem.extraction.rule_words_en import PARTNERS, RELATIONS
from chatmem.extraction.words import word_file
from chatmem.text.wordlist import listed

# Typed without its apostrophe.
_BARE: Final = re.compile(
    r"\b(?:[Ii]m|[Ii]ve|[Dd]ont|[Dd]oesnt|[Cc]ant|[Ww]ont|[Dd]idnt|[Ii]snt|[Aa]rent|[Hh]avent"
    r"|[Hh]asnt|[Ww]asnt|[Hh]es|[Ss]hes|[Tt]heyre|[Tt]heres|[Tt]hats|[Ww]hats|[Cc]ouldnt"
    r"|[Ww]ouldnt|[Yy]oure|[Ww]eve|[Tt]heyve)\b"
)
_TYPED: Final = re.compile(
    r"\b(gonna|wanna|gotta|cos|cuz|coz|bc|'cause|w/|rn|prolly|atm|sorta|idk|thru|tmrw|tmr|tomoz"
    r"|2moro|sat|sun|tues|weds|thurs|yrs|yr old|yo(?= (?:son|daughter|kid|boy"
    r"|girl))|ppl)(?=[\s,.?!]|$)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:[\W_]+|(?:and|but|so|basically|now that|considering|seeing as"
    r"|ever since|knowing that|correction|well|hiya|hullo|morning|evening"
    r"|afternoon|namaste|g'day|heya"
    r"|given the choice|quick question|quick q|quick one|long time no see|ngl"
    r"|not going to lie|on top of that"
    r"|if it helps|if that helps|if it matters|if you must know"
    r"|in case it matters|guess what|the other day"
    r"|turns out|it turns out(?: that)?|as it happens|speaking of which|like"
    r"|honestly speaking|obviously|well yes|ok so"
    r"|remind me|my situation|situation|intro|about us|because of this"
    r"|because then|fwiw|for what it's worth"
    r"|i (?:think|guess|believe) i(?='m|'ve)|do the needful|kindly note(?: that)?"
    r"|please note(?: that)?|well|yes|yeah|yep|yup|no|nope|nah|ok|okay|hi|hello"
    r"|hey|oh|ah|btw|fyi"
    r"|also|actually|anyway|anyways|by the way|honestly|to be honest|tbh|in fact|in my case"
    r"|as for me|personally|for me|unfortunately|sadly|luckily|fortunately|recently|lately"
    r"|currently|now|nowadays|these days|right now|at the moment|because|since|as|though"
    r"|although|even though|given that|given|plus|thanks|thank you|sorry|haha"
    r"|hahaha|lol|sure|cool|great|nice"
    r"|correction|update|quick update|small update|just so you know|for context|for reference"
    r"|for the record|context|background|a bit about me|a little about me|about me|good morning"
    r"|good evening|good afternoon|hi there|hey there|hello there|then|too|you see|you know"
    r"|well actually|not sure if it matters but|it's me|greetings|yo|wait|oops|whoops|the thing is"
    r"|mostly|usually|see|after all|besides|on top of that|in addition"
    r"|additionally|moreover|furthermore"
    r"|new here|first time here|long time lurker|one more thing|other than that"
    r"|apart from that|first of all|firstly|secondly|finally"
    r"|fun fact|good news|big news|bad news|great news|guess what|long story short|of course"
    r"|absolutely|definitely|exactly|right|true|indeed|as you know|as i said|like i said"
    r"|as i mentioned|i should (?:mention|add|say|note)(?: that)?|i forgot to mention(?: that)?"
    r"|did i mention(?: that)?|i have to (?:say|admit)(?: that)?|i must (?:say|admit)(?: that)?"
    r"|i just wanted to say(?: that)?|i wanted to (?:tell|let) you(?: know)?(?: that)?"
    r"|just to let you know|(?:the|my) (?:reason|problem) is(?: that)?)(?![\w'-]))+"
)
_CUT: Final = re.compile(
    r",?\s+(?:and|but|so|because|since|although|though|while|whereas|as|plus|or|which is why|if"
    r"|'cause|cause)\s+"
    r"(?=(?:(?:honestly|actually|now|also|then|currently|maybe|basically"
    r"|obviously|just|luckily|sadly|on \w+days|every \w+|recently|lately"
    r"|sometimes|usually|today|tomorrow|yesterday|last \w+|next \w+"
    r"|this \w+),? )?(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'll|my|our|he|she|his|her|their"
    r"|they|it|it's|you|this|that"
    r"|that's|there|there's|the|what|can|could|please|do|is|he's|she's|they're|how|would|now|want)"
    r"\b)"
    r"|\s+and\s+(?=(?:live|work (?:as|at|for|in)|study|am|have (?:an?|two|three|four)|teach|speak"
    r"|own|love|hate|really|lives|works|studies|has (?:an?|two|three|four)|moved|joined|started"
    r"|don't|can't|drive|weigh|hates|loves|turns|starts|was|has|had|been|got|never|usually|always"
    r"|plays|runs|run an?|speaks|is|are|go to|lost|bought|adopted|quit"
    r"|just (?:got|moved|started))\b)"
    r"|(?<=\d)[mf]?\s+(?:and )?(?=(?:living|based|working|studying) (?:in|at|as|for) )"
    r"|,?\s+(?:which|where|whose)\s+(?=\w)"
)
_VERBS_OF_OTHERS: Final = (
    r"(?:is|'s|isn't|lives|works|has|hasn't|was|loves|likes|hates|starts|started"
    r"|turns|turned|got|gets"
    r"|moved|studies|teaches|plays|goes|will|can't|doesn't|just|had|does|drives|runs|speaks|died)"
)
_SUBJECT: Final = re.compile(
    r"(?P<me>i|we|me and (?:my )?[\w-]+(?: [A-Z][\w-]+)?|(?:my )?(?:[\w-]+ ){0,2}[\w-]+ and i"
    r"|both of us|all of us)(?P<aux>'m|'re|'ve|'d|'ll)?,?\s+(?=\S)"
    r"|(?:(?:and |both )?(?:my|our) |(?=(?:mom|mum|dad|grandma|grandpa|hubby)(?:'s)? )"
    r"|the (?=(?:wife|missus|kids|hubby|husband|boyfriend|girlfriend|twins)(?:'s)? ))"
    r"(?P<of>(?:(?:\w+er|oldest|youngest|little|big|twin|late|new|eldest"
    r"|middle|own|dear|first|second|other|poor|two|three|baby|old|elderly|teenage|lovely"
    r"|\d+[- ](?:year|month|week|yr)s?[- ]old|ex) )*)"
    rf"(?P<rel>{RELATIONS})(?P<name>,? (?!is|has|was|and|who|lives|works|just|also"
    r"|will|says|said|does|can)[a-z][\w-]+,?)?"
    r"(?P<short>'s|'re|'ll|'ve)?,?\s+(?=\S)"
)
_IS_NAME: Final = re.compile(rf"\s*{_VERBS_OF_OTHERS}\b")
_NO_GIVEN_NAME: Final = frozenset(
    listed(
        """
        still also just now only really never always usually currently actually both
        recently already that then finally is has was had works lives goes got who are
        were do don't have keeps left died moved started turned loves hates likes can
        can't will would should says said told wants needs gets makes gave came went
        bought passed and or in on at from with for to of
        """
    )
)
_ADVERBS: Final = re.compile(
    r"(?:also|currently|still|now|actually|really|just|already|absolutely|honestly|personally|both"
    r"|all|mostly|recently|finally|even|totally|definitely|truly|simply|especially|quite"
    r"|particularly|generally|very much|so|kinda|genuinely|primarily|mainly"
    r"|originally|do(?= (?:like|love|have|enjoy|live|work|prefer|speak|own|play"
    r"|hate|drink|eat|smoke)\b)) "
)
_OFTEN: Final = re.compile(
    r"(?:usually|always|never|often|rarely|normally|typically|generally|seldom|sometimes|regularly"
    r"|frequently|hardly ever|tend to|mostly|only|no longer) "
)
_AUX: Final = {"'m": "am", "'re": "am", "'ve": "have", "'d": "would", "'ll": "will", "'s": "am"}
_PERFECT: Final = re.compile(
    r"have (?:just |recently |finally |already |now |also |actually |always )*(?P<been>been )?"
    r"(?=(?P<v>[a-z]+))"
)
_HAS_GOT: Final = re.compile(
    r"got (?:an?|my|our|two|three|four|five|six|\d+|twins|kids|no|some|the|another|type|adhd|asthma"
    r"|\w+itis|bad|really|dodgy|tinnitus|coeliac|celiac|diabetes|curly|long|short)\b"
)
_NOT_STATES: Final = frozenset(
    listed("to there here in on at feeling thinking so diagnosed told asked wondering")
)
_PARTICIPLES: Final = frozenset(
    listed(
        """
        moved started joined bought adopted quit become got gotten lived worked studied left
        relocated settled stopped retired graduated sold loved hated enjoyed liked decided owned
        """
    )
)
_LASTING: Final = {
    "lived": "live",
    "worked": "work",
    "loved": "love",
    "hated": "hate",
    "liked": "like",
    "enjoyed": "enjoy",
    "owned": "own",
    "taught": "teach",
    "played": "play",
    "had": "have",
}
_SINCE: Final = re.compile(r"\b(?:for|since|all my life|always)\b|^have always\b")
_TAIL: Final = re.compile(
    r"(?:[ ,]+(?:too|as well|these days|at the moment|by the way|btw|though|right now|now|please"
    r"|lol|haha|actually|you know|currently|if that helps|just so you know|fyi|so|and|but|or|hehe"
    r"|xd|tho|for what it's worth|to be honest|tbh|honestly|at present|nowadays"
    r"|then|also|anyway|recently|lately)"
    r"|[\s,.;:!?~…)(\U0001f300-\U0001faff☺-❤-]+|\s:\w?)+$"
)


@dataclass(frozen=True, slots=True)
class Saying:
    """Who a clause is about and what it says of them.

    `who` is empty for the writer, else the person's role (`sister`), and `name` their name.
    `plain` and `said` are the predicate with its verb first and in the form of `I`, of the same
    length; `own` is the predicate as it was spoken, `often` the adverb of habit before it.
    """

    who: str
    name: str
    plain: str
    said: str
    own: str
    often: str = ""
    lead: str = ""


def tidied(message: str) -> str:
    """The message with straight and with all its apostrophes."""
    message = message.replace("’", "'").replace("‘", "'")
    words = word_file("typed_en")
    written, places = words["written"], words["apostrophe_after"]

    def with_apostrophe(match: re.Match[str]) -> str:
        place = places[match[0].lower()]
        return f"{match[0][:place]}'{match[0][place:]}"

    message = _TYPED.sub(lambda match: written.get(match[0].lower(), match[0]), message)
    return _BARE.sub(with_apostrophe, message)


def segments(said: str, plain: str) -> Iterator[tuple[str, str]]:
    """The parts of a clause that have a subject of their own, or take over the one before."""
    start = 0
    for cut in _CUT.finditer(plain):
        yield said[start : cut.start()], plain[start : cut.start()]
        start = cut.end()
    yield said[start:], plain[start:]


def without_lead(said: str, plain: str) -> tuple[str, str]:
    """The segment without the greetings and connectives before it, and without its loose end."""
    if lead := _LEAD.match(plain):
        said, plain = said[lead.end() :], plain[lead.end() :]
    if tail := _TAIL.search(plain):
        said, plain = said[: tail.start()], plain[: tail.start()]
    return said, plain


def saying(said: str, plain: str) -> Saying | None:
    """Who and what a segment says; None where its subject is neither the writer nor his people."""
    subject = _SUBJECT.match(plain)
    if subject is None:
        return None
    who = one_more(subject["of"] or "", (subject["rel"] or "").strip())
    name = said[slice(*subject.span("name"))].strip(" ,") if subject["name"] else ""
    start = subject.end()
    if name and not name[:1].isupper():
        follows = subject["short"] or _IS_NAME.match(plain, subject.end("name"))
        if not follows or name in _NO_GIVEN_NAME or said[:1].isupper():
            # `my parents live`: no name, but what they do.
            name, start = "", subject.end("rel") + 1
    aux = _AUX.get(subject["aux"] or subject["short"] or "", "")
    if subject["short"] == "'s" and _DONE.match(plain, start):
        aux = "have"
    rest, rest_plain = said[start:], plain[start:]
    spoken = rest
    if aux:
        rest, rest_plain = f"{aux} {rest}", f"{aux} {rest_plain}"
        spoken = rest
    return _predicate(who, name, rest, rest_plain, spoken)


def one_more(qualities: str, role: str) -> str:
    """`other sister` for the role in `my other little sister`: she is not the one known so far."""
    found = _ONE_MORE.search(qualities.lower())
    return f"{found[0]} {role}" if found and role not in PARTNERS else role


_ONE_MORE: Final = re.compile(r"\b(?:other|second|third)\b")
_DONE: Final = re.compile(
    r"(?:just |recently |finally |already |now |also )*(?:been|got|had|gone|started|moved|turned"
    r"|decided|bought|become|left|lost|finished|broken|joined|quit|passed|taken|landed)\b"
)
_BARE_SUBJECT: Final = re.compile(
    r"(?:just |recently |finally |also |still |currently |now |originally "
    r"|already |really |absolutely |always )*(?:"
    r"(?P<am>(?:flying|moving|moved|travel?ling|starting|working|living|based"
    r"|allergic|vegan|vegetarian|pescatarian|married|engaged|divorced|single"
    r"|retired|pregnant|diabetic|studying|learning|training|getting|visiting"
    r"|originally from|born and raised|lactose|colou?r-?blind|left-handed"
    r"|saving|expecting|turning|not (?:really |much of |exactly )?(?:an? (?:big "
    r"|huge )?(?:fan of|[\w-]+ (?:person|fan|drinker"
    r"|eater))|into|keen on|big on)|type (?:1|2|one|two) diabetic|(?:mum|mom|dad"
    r"|mother|father) (?:of|to)"
    r"|obsessed with|hooked on|relocating|training|raised in|due in|allergic|coeliac|celiac"
    r"|from [A-Z]\w+ originally|autistic|dyslexic|self-employed|recovering"
    r"|planning|saving|(?:a )?(?:big|huge|massive) fan of)\b(?! (?:on|it|that"
    r"|this|up"
    r"|there|out)\b))"
    r"|(?:moved|lost my|started|got|adopted|bought|joined|quit|broke|graduated"
    r"|became|turned|passed|sprained|grew up|was born|was diagnosed|used to"
    r"|gave up|stopped|left my|sold my|relocated|retired|lost)\b"
    r"|been (?:in|at|with|living|working|studying|learning|married|vegan|vegetarian)\b"
    r"|live (?:in|with|alone)|love|hate|prefer|loathe|can't (?:stand|eat|drink"
    r"|have)|don't (?:like|eat|really like)|have (?:a|an|two|three|four|been|got"
    r"|had)|had (?:surgery|a baby|an operation)|work (?:as|at|for|in|from|nights"
    r"|shifts|part|full|with)|teach|run an?|can't (?:swim|drive)|grew up"
    r"|have (?:type|asthma|kids|twins|adhd|no)|never (?:eat|drink|smoked?|learned"
    r"|learnt)|only (?:eat|drink)"
    r"|started|switched|upgraded|inherited|celebrating|had (?:my"
    r"|a) (?:\w+ )?(?:baby|surgery|operation)"
    r"|swim|play|go (?:to|running|swimming)|take the|usually|always"
    r"|really (?:like|love|hate)|drink|eat"
    r"|play the|speak \w+ and|drive a|own a|do not (?:like|eat)|wake up at"
    r"|going to)\b"
)


def unspoken(said: str, plain: str) -> Saying | None:
    """What a segment says that leaves out its `I`: `moved to Rome last week`."""
    match = _BARE_SUBJECT.match(plain)
    if match is None or re.match(r"(?:[Ll]ove|[Hh]ate|[Pp]refer) [A-Z]", said):
        return None
    if plain.startswith("been "):
        said, plain = f"have {said}", f"have {plain}"
    elif match["am"] and match["am"] != "moved" and not match["am"].startswith("born"):
        said, plain = f"am {said}", f"am {plain}"
    elif match["am"] and match["am"].startswith("born"):
        said, plain = f"was {said}", f"was {plain}"
    elif plain.startswith("going to"):
        said, plain = f"am {said}", f"am {plain}"
    said = said[:1].lower() + said[1:]
    return _predicate("", "", said, plain, said)


def predicate(said: str, plain: str) -> Saying | None:
    """What a predicate without its subject says of the writer."""
    return _predicate("", "", said, plain, said)


def continued(before: Saying, said: str, plain: str) -> Saying | None:
    """What a segment without a subject says of the one before it."""
    if _MODAL.match(before.plain):
        return None
    if plain.startswith("been "):
        said, plain = f"have {said}", f"have {plain}"
    elif plain.startswith(("living ", "based ", "working ", "studying ")):
        said, plain = f"am {said}", f"am {plain}"
    return _predicate(before.who, before.name, said, plain, said)


_MODAL: Final = re.compile(
    r"(?:will|would|can|could|should|might|may|must|want|plan|hope|try|need"
    r"|am going|am trying|am hoping"
    r"|am planning|like to|love to|have to|don't|can't|wish|used to)\b"
)
_ITEM: Final = re.compile(
    r",? (?:and|plus|as well as) (?=(?:an?|one|two|three|four|five|six|\d+) )"
    r"|, (?=(?:an?|two|three) )"
)


def parted(whole: Saying) -> Iterator[Saying]:
    """`have a dog and two sons` as two sayings; every other one as it is."""
    if not whole.plain.startswith("have ") or whole.own[:4].lower() not in ("have", "has "):
        yield whole
        return
    start = 0
    for cut in [*_ITEM.finditer(whole.plain), None]:
        end = cut.start() if cut else len(whole.plain)
        said, plain = whole.said[start:end], whole.plain[start:end]
        if start:
            said, plain = "have " + said, "have " + plain
        verb = whole.own.partition(" ")[0]
        own = verb + said.removeprefix("have")
        yield Saying(whole.who, whole.name, plain, said, own, whole.often)
        start = cut.end() if cut else end


def _predicate(who: str, name: str, said: str, plain: str, own: str) -> Saying | None:
    said, plain = _without_adverbs(said, plain)
    own = said
    often = ""
    if match := _OFTEN.match(plain):
        often = match[0].strip()
        said, plain = said[match.end() :], plain[match.end() :]
        own = said
        if often == "no longer":
            said, plain = f"don't {said} any more", f"don't {plain} any more"
    if not plain:
        return None
    if plain.startswith("has "):
        said, plain = f"have {said[4:]}", f"have {plain[4:]}"
    if match := _PERFECT.match(plain):
        if match["been"] and match["v"] not in _NOT_STATES:
            said, plain = "am " + said[match.end() :], "am " + plain[match.end() :]
        elif match["v"] in _LASTING and _SINCE.search(plain):
            base = _LASTING[match["v"]]
            end = match.end() + len(match["v"])
            said, plain = base + said[end:], base + plain[end:]
        elif match["v"] == "got" and _HAS_GOT.match(plain, match.end()):
            said, plain = f"have {said[match.end() + 4 :]}", f"have {plain[match.end() + 4 :]}"
            own = f"{own.partition(' ')[0]}{said[4:]}"
        elif not match["been"] and match["v"] in _PARTICIPLES:
            said, plain = said[match.end() :], plain[match.end() :]
    said, plain = lemma(who, said, plain)
    said, plain = _after_be(said, plain)
    own, _ = _after_be(own, own.lower())
    return Saying(who, name, plain, said, own, often)


def _without_adverbs(said: str, plain: str) -> tuple[str, str]:
    while match := _ADVERBS.match(plain):
        if match[0] == "do " and plain[3:4] == "n":
            break
        said, plain = said[match.end() :], plain[match.end() :]
    return said, plain


def _after_be(said: str, plain: str) -> tuple[str, str]:
    """`am currently a nurse` as `am a nurse`."""
    for verb in ("am ", "have ", "was ", "don't "):
        if plain.startswith(verb):
            rest, rest_plain = _without_adverbs(said[len(verb) :], plain[len(verb) :])
            return verb + rest, verb + rest_plain
    return said, plain


_HELPING: Final = frozenset(
    [*listed("is has does cannot wants needs plans hopes tries"), "does not"]
)
_AND_VERB: Final = re.compile(
    r"(?<=\band )(go|do|run|swim|eat|drink|read|watch|take|make|play|work|meditate|practi[cs]e"
    r"|write|walk|cook|listen|have|drive|live|teach|study|love|like|hate|get|jog|cycle|lift|visit"
    r"|call|meet|stretch|journal|don't)\b"
)
_OWN: Final = re.compile(
    r"\b(i'm|i've|i'll|i'd|i|my|mine|myself|me|we're|we've|we'll|we|our|ours|us|ourselves)\b",
    re.IGNORECASE,
)
_THEIRS: Final = {
    "my": "their",
    "our": "their",
    "mine": "theirs",
    "ours": "theirs",
    "me": "them",
    "us": "them",
    "myself": "themselves",
    "ourselves": "themselves",
    "i": "they",
    "we": "they",
    "i'm": "they're",
    "we're": "they're",
    "i've": "they've",
    "we've": "they've",
    "i'll": "they'll",
    "we'll": "they'll",
    "i'd": "they'd",
}


def third_person(own: str, often: str = "") -> str:
    """A predicate of `I` as one of somebody else: `have two cats` is `Has two cats`."""
    verb, gap, rest = own.partition(" ")
    turned = conjugated(verb)
    if turned != verb.lower() and turned not in _HELPING and not rest.startswith("to "):
        rest = _AND_VERB.sub(lambda match: conjugated(match[0]), rest)
    told = f"{turned}{gap}{_OWN.sub(_theirs, rest)}"
    if often == "tend to":
        return f"Tends to {own}"
    if often:
        if turned in ("is", "cannot", "does not"):
            told = f"{turned} {often} {_OWN.sub(_theirs, rest)}"
        else:
            told = f"{often} {told}"
    return told[:1].upper() + told[1:]


def told_of(who: str, name: str, own: str, often: str = "") -> str:
    """A predicate of somebody close as a sentence: `Sister Anna lives in Rome`."""
    subject = f"{who[:1].upper()}{who[1:]} {name}".strip()
    verb, gap, rest = own.partition(" ")
    verb = {"am": "is"}.get(verb.lower(), verb)
    often = often and f"{often} "
    return f"{subject} {often}{verb}{gap}{_OWN.sub(_theirs, rest)}"


def theirs(said: str) -> str:
    """The words of `I` as words about somebody else."""
    return _OWN.sub(_theirs, said)


def _theirs(match: re.Match[str]) -> str:
    return _THEIRS.get(match[0].lower(), match[0])
