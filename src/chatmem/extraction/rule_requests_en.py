"""How the user asks in English to be answered from now on, where no slot of a profile says it."""

import re
from typing import Final

from chatmem.extraction.rule_clauses_en import theirs
from chatmem.extraction.rule_frames import Fact, thing

_LEAD: Final = re.compile(
    r"^\W*(?:(?:and|so|but|also|oh|hey|hi|ok|okay|btw|anyway|please|pls|plz"
    r"|kindly|can you|could you"
    r"|would you|will you|i(?:'d| would) (?:like|love|prefer"
    r"|rather)(?: it if)? you(?: to)?|i want you to"
    r"|i prefer (?:it )?(?:when|if) you|i like (?:it )?(?:when|if) you"
    r"|i need you to|try to|make sure (?:to|you)|just)[,:]? )*"
)
_SUBJECT: Final = (
    r"(?:emojis?|emoticons|smileys|bullet points?|bullets|lists|tables|markdown"
    r"|headings|jargon|slang"
    r"|small talk|disclaimers?|caveats|exclamation (?:marks|points)|filler|fluff|hedging|apolog\w+"
    r"|long (?:answers|replies|explanations|paragraphs)|abbreviations|swear(?:ing| words)|buzzwords"
    r"|metaphors|analogies|em[- ]dashes|code comments)"
)
_WAY: Final = (
    r"(?:metric|imperial|celsius|fahrenheit|kilos|kilometres|kilometers|grams|km"
    r"|24[- ]hour|american"
    r" (?:english|spelling)|british (?:english|spelling)|uk (?:english|spelling)"
    r"|plain (?:english|text)"
    r"|simple (?:english|words|language|terms)|short (?:sentences|answers"
    r"|replies)|step[- ]by[- ]step"
    r"|in (?:german|french|spanish|english|italian|chinese|hindi|dutch|portuguese)|formal|informal"
    r"|casual|first name|concise\w*|brief\w*|bullet points|examples|sources|citations|euros|pounds"
    r"|rupees|dollars|lower ?case|sarcas\w+|blunt\w*|honest\w*|direct\w*)"
)
_STANDING: Final = (
    r"(?:when(?:ever)? (?:you (?:answer|reply|respond|write|explain|talk|correct"
    r"|give|suggest|recommend"
    r"|send|use)|i (?:ask|make|write|say|send|get|use)|answering|replying)"
    r"|if i (?:make|get|say|write)"
    r"|from now on|in (?:the )?future|going forward|always|every time|each time"
    r"|any ?more|again|ever"
    r"|by default|in (?:your|all your|the) (?:answers|replies|responses|messages"
    r"|explanations)|with me"
    r"|to me|at the end of (?:your|every|each)|at the start of (?:your|every|each))"
)
_VERB: Final = (
    r"(?:use|call|add|include|give|send|write|put|start|end|apologi[sz]e|say"
    r"|sugar-?coat|recommend|suggest"
    r"|answer|reply|respond|explain|talk|speak|keep|stick|show|correct|address"
    r"|format|quote|cite|ask"
    r"|refer|assume|remind|tell|treat|skip|avoid|stop|default|convert|check|be"
    r"|mention|spell|translate"
    r"|drop|leave out|cut)"
)
_WANTED: Final = re.compile(
    rf"^(?:(?:from now on|in (?:the )?future|going forward|by default)\b.+"
    rf"|(?:always|never|don't ever) {_VERB}\b.+"
    r"|(?:don't|do not|stop|no need to|avoid|quit|skip|drop|leave out|cut)(?: the"
    r"| any| all| out)? "
    r"(?:us(?:e|ing) |add(?:ing)? |includ(?:e|ing) |writ(?:e|ing) |giv(?:e"
    r"|ing) (?:me )?|send(?:ing)? (?:me )?"
    rf"|put(?:ting)? )?(?:any |the |so many |too many )*{_SUBJECT}\b.*"
    r"|(?:don't|do not|stop) (?:sugar-?coat\w*|apologi[sz]\w*"
    r"|ask(?:ing)? me (?:if|whether|follow-up)|ending)\b.*"
    rf"|no {_SUBJECT}(?: (?:please|pls|in .+|ever|thanks))+.*"
    r"|(?:use|answer|reply|respond|write|explain|talk|speak|keep|stick|give|show"
    rf"|be)\b.*\b{_WAY}\b.*\b{_STANDING}\b.*"
    r"|(?:use|stick to|give (?:me )?(?:all )?(?:measurements|recipes|temperatures"
    rf"|weights|distances|units|prices) in|stick with) {_WAY}\b.*"
    rf"|correct (?:me|my \w+)\b.*\b(?:when|whenever|if|every time|as we)\b.*"
    rf"|{_STANDING},? (?:please )?{_VERB}\b.+)$"
)
_SUBJECTS: Final = re.compile(_SUBJECT)
_MAY: Final = re.compile(
    r"always|never|from now|future|forward|don't|do not|stop|no |use|correct|when"
    r"|every time|skip|avoid"
    r"|answer|repl|respon|keep|explain"
)
_NOT_ASKED: Final = re.compile(
    r"\b(?:this (?:one|time|email|letter|essay|text|paragraph|story|recipe|code)"
    r"|the (?:email|letter"
    r"|essay|text|story|poem|recipe|code|function|title|post|caption)"
    r"|in (?:python|sql|java\w*|my (?:essay"
    r"|email|letter|cv|code))|worry|forget|be (?:shy|afraid|sad|silly)|remember)\b"
)


def request(said: str, plain: str) -> Fact | None:
    """A lasting wish of how to be answered, or None."""
    if not _MAY.search(plain):
        return None
    lead = _LEAD.match(plain)
    start = lead.end() if lead else 0
    rest, rest_plain = said[start:].strip(" .!,"), plain[start:].strip(" .!,")
    if _NOT_ASKED.search(rest_plain) or len(rest_plain.split()) > 20:
        return None
    if not _WANTED.match(rest_plain):
        return None
    what = _SUBJECTS.search(rest_plain)
    key = f"reply:{thing(what[0])}" if what else None
    return Fact(f"Wants from replies: {theirs(rest)}", key, rest if key else None, "preference")
