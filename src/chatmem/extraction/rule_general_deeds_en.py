"""What lasts of what people say in English that they did, like and want.

Patterns as in rule_patterns_en, by the verb that stands first: tried where no narrower one fits.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_general_parts_en import (
    BOUGHT,
    PET,
    STUDY,
    lasting,
    liking,
)
from chatmem.extraction.rule_parts_en import ON, PLACE
from chatmem.extraction.rule_words_en import (
    BELONGINGS,
    CLASSES,
    CRAFTS,
    DIETS,
    LANGUAGES,
)

DEEDS_GENERAL: Final[Frames] = {
    "dropped": (lasting(r"dropped out(?: of (?P<v>.+))?$"),),
    "read": (liking(r"read (?:mostly|mainly|a lot of|lots of|tons of) (?P<v>[\w' -]+)$", "like"),),
    "listen": (
        liking(r"listen to (?:mostly|mainly|a lot of|lots of|tons of) (?P<v>[\w' -]+)$", "like"),
    ),
    "watch": (
        liking(r"watch (?:mostly|mainly|a lot of|lots of|tons of) (?P<v>[\w' -]+)$", "like"),
    ),
    "broke": (lasting(r"broke up\b(?P<v>.*)$", "partner", "single"),),
    "find": (
        liking(
            r"find (?P<v>(?!it|this|that|you|the (?:way|idea)|myself|him|her"
            r"|them).+?) (?:(?:really|so|too|a bit"
            r"|quite|very|absolutely|incredibly) )*(?:unbearable|boring|disgusting|gross"
            r"|revolting|dull"
            r"|tedious|overrated|repulsive|stressful|exhausting|insufferable|unwatchable|sickly)$",
            "dislike",
        ),
        liking(
            r"find (?P<v>(?!it|this|that|you|the (?:way|idea)|myself|him|her"
            r"|them).+?) (?:(?:really|so|a bit"
            r"|quite|very|absolutely|incredibly) )*(?:relaxing|fascinating|soothing"
            r"|calming|therapeutic"
            r"|meditative)$",
            "like",
        ),
    ),
    "went": (lasting(rf"went (?:full |fully |totally )?(?P<v>{DIETS})\b.*$", "diet"),),
    "moved": (
        lasting(
            r"moved (?:here |back |over |out |away |house |down |up |across |all the way "
            rf"|in )*(?:from [\w ]+ )?(?:to|into|in with) {PLACE}(?: .*)?$",
            "home",
            check="town",
        ),
        lasting(r"moved (?P<v>(?:in with|out of|back in with) (?:my|our|his|her|him) .+)$"),
        lasting(
            r"moved (?:in)?to (?P<v>(?:an?|our|my) (?:[\w'-]+ )*(?:house|flat|apartment"
            r"|place|studio|farm|village|bungalow|condo|home|cottage|city|town|school"
            r"|team|department|role)\b.*)$"
        ),
    ),
    "grew": (lasting(r"grew up (?P<v>.+)$"),),
    "bought": (
        lasting(rf"bought {BOUGHT}", "possession:{v}"),
        lasting(rf"bought (?:an? |another |two |some ){PET}", "pet:{p}", "{n|v}"),
    ),
    "got": (
        lasting(
            rf"got (?:an? |another |two |three |some |our |my |the )*{PET}", "pet:{p}", "{n|v}"
        ),
        lasting(rf"got (?:given )?{BOUGHT}", "possession:{v}"),
        Frame(
            r"got (?:myself |back )?(?P<v>(?:promoted|engaged|married|divorced|fired"
            r"|sacked|laid off|made redundant|accepted|hired|diagnosed|admitted|posted"
            r"|transferred|deployed|stationed|a (?:promotion|raise|scholarship|place at"
            r"|job|new job|divorce|first|dog bite|diagnosis)|my (?:phd|degree|licen[cs]e"
            r"|braces|cast|results|citizenship|visa|green card|diagnosis|wisdom teeth"
            r"|first|period|gcse|a-level|driving)|into|an? (?:offer|new role|new job"
            r"|internship|apprenticeship|tattoo|contract|job))\b(?! (?:it|this|that|the"
            r"|trouble|bed)\b).*)$",
            kind="episodic",
        ),
    ),
    "picked": (lasting(rf"picked up {BOUGHT}", "possession:{v}"),),
    "ordered": (lasting(rf"ordered {BOUGHT}", "possession:{v}"),),
    "inherited": (lasting(r"inherited (?P<v>(?:an? |my |our |the |some )[\w' -]+)$"),),
    "switched": (
        lasting(
            r"switched (?:over )?(?:from [\w' ]+ )?to (?:an? |the )?(?P<v>(?:[\w'.-]+ ){0,3}(?:"
            + BELONGINGS
            + r")(?: [\w.]+)?)(?: .*)?$",
            "possession:{v}",
        ),
        lasting(
            rf"switched (?:over )?(?:from [\w' ]+ )?to (?:an? )?(?P<v>(?:{DIETS}|oat milk"
            r"|decaf))\b.*$",
            "diet",
        ),
        lasting(
            r"switched (?P<v>(?:jobs|careers|majors?|schools?|universities|to (?:nursing"
            r"|teaching|part[- ]time|night shifts?|nights|days|freelanc\w+|a new \w+)"
            r"|from \w+ to \w+)\b.*)$"
        ),
    ),
    "upgraded": (
        lasting(
            r"upgraded (?:from .+ )?to (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on|so"
            r"|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "swapped": (
        lasting(
            r"swapped (?:my|our) .+ for (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on|so"
            r"|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "traded": (
        lasting(
            r"traded (?:in )?(?:my|our) .+ for (?:an? |the )?(?P<v>.+?)(?: (?:last|this"
            r"|in|on|so|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "replaced": (
        lasting(
            r"replaced (?:my|our) .+ with (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on"
            r"|so|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "sold": (
        lasting(
            r"sold (?:my|our|the) (?:old )?(?P<v>(?:[\w'-]+ ){0,3}?(?:" + BELONGINGS + r"))\b.*$",
            "possession:{v}",
            "sold",
        ),
    ),
    "adopted": (
        lasting(rf"adopted (?:an? |another |two |three |our |my |the )*{PET}", "pet:{p}", "{n|v}"),
    ),
    "rescued": (
        lasting(rf"rescued (?:an? |another |two |three |our |my )*{PET}", "pet:{p}", "{n|v}"),
    ),
    "started": (
        lasting(
            r"started (?:(?:working|a (?:new )?(?:job|role|position)|my new (?:job|role)"
            r"|work) )?(?:at|with) (?P<v>[a-z][\w&'.-]*(?: [\w&'.-]+){0,3}?)(?: (?:as|on"
            r"|last|this|in|two|three|yesterday|today|a|and|so|but|back)\b.*)?$",
            "employer",
            check="firm",
        ),
        lasting(
            rf"started (?:as|training as|work as|working as) (?:an? )?(?P<v>[\w' -]+?){ON}",
            "occupation",
        ),
        lasting(rf"started (?:an? |my |our )(?P<v>{STUDY})\b.*$", "occupation"),
        lasting(
            r"started (?P<v>(?:(?:an? |my |our |the )(?:[\w'-]+ ){0,3}?(?:business"
            r"|company|band|podcast|blog|club|family|job|degree|role|position|garden"
            r"|allotment|phd|masters?|course|diet|treatment|school|newsletter|channel"
            r"|shop|charity|bakery|farm)|keto|insulin|metformin|antidepressants|therapy"
            r"|counsell?ing|chemo\w*|ivf|hrt|school|nursery|uni|university|college"
            r"|kindergarten|retirement|secondary|primary|year \d+|reception)\b.*)$"
        ),
        Frame(
            r"started (?P<v>(?:doing |going |playing |learning |taking "
            rf"|practi[cs]ing )?(?:to )?(?:the )?(?:{CRAFTS}|{CLASSES})\b.*)$",
            "habit:{v}",
            "yes",
            "pattern",
        ),
    ),
    "took": (
        lasting(
            r"took (?P<v>(?:over|on) (?:an? |my |our |the )(?:[\w'-]+ ){0,3}(?:business"
            r"|shop|farm|job|role|team|mortgage|bakery|restaurant|practice|company)\b.*)$"
        ),
        lasting(
            r"took (?P<v>(?:early retirement|redundancy|voluntary redundancy"
            r"|maternity leave|a gap year|a year out|my citizenship)\b.*)$"
        ),
    ),
    "quit": (
        lasting(
            r"quit (?:the )?(?P<v>smoking|drinking|sugar|caffeine|gym|weed|vaping|alcohol"
            r"|social media|facebook|instagram|twitter|gambling)\b.*$",
            "habit:{v}",
            "quit",
        ),
        lasting(
            r"quit (?:my |the |from |working )?(?P<v>(?!(?:the |my )?(?:game|app|session"
            r"|program|browser"
            r"|editor|match|server|call|habit)|it|that|this)[\w&' -]+)$",
            "employer",
            "none",
        ),
    ),
    "left": (
        lasting(
            r"left (?P<v>[a-z][\w&' -]+?) (?:to (?:join|work|become|start)|for a (?:job"
            r"|role|position)|after \w+ years).*$",
            "employer",
            "none",
        ),
        lasting(
            r"left (?P<v>(?:my|his|her) (?:husband|wife|partner|boyfriend|girlfriend|job"
            r"|company|role|church|old job|position|school))\b.*$"
        ),
    ),
    "stopped": (
        Frame(
            r"stopped (?P<v>(?:eating|drinking|smoking|taking|going to|doing|playing"
            r"|working|wearing|using|driving|running|breastfeeding|dating) ?(?!it|this"
            r"|that)[\w' -]*)$",
            "habit:{v}",
            "stopped",
            "pattern",
        ),
    ),
    "cut": (
        Frame(
            r"cut (?:out |down on |back on )(?:all |the |eating |drinking )*(?P<v>[\w' -]+)$",
            "habit:{v}",
            "stopped",
            "pattern",
        ),
    ),
    "gave": (
        lasting(
            r"gave (?:up )(?P<v>(?!on|hope|trying|and|after|it|looking|at|the (?:idea"
            r"|search))[\w' -]+?)(?: (?:for|last|two|in|this|because|and|when|after|years"
            r"|a)\b.*)?$",
            "habit:{v}",
            "stopped",
        ),
        lasting(r"gave birth\b.*$"),
    ),
    "turned": (
        lasting(r"turned (?P<v>\d{1,2})\b.*$", "age"),
        lasting(r"turned (?P<v>thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?\b.*$", "age"),
    ),
    "turn": (lasting(r"turn (?P<v>\d{1,3}|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b.*$"),),
    "graduated": (lasting(r"graduated\b(?P<v>.*)$"),),
    "studied": (lasting(r"studied (?!hard|it|that|this|for|a lot|with|my|all)(?P<v>[\w'& -]+)$"),),
    "qualified": (lasting(r"qualified (?P<v>(?:as|for|in) .+)$"),),
    "trained": (lasting(r"trained (?P<v>(?:as|at|in) .+)$"),),
    "worked": (
        lasting(
            r"worked (?P<v>(?:at|for|as|in|on|with) (?!it|the moment|that|this|all|my|you"
            r"|out)[\w&' -]+)$"
        ),
    ),
    "lived": (lasting(rf"lived (?:in|on|near|with) {PLACE}(?: .*)?$", check="town"),),
    "married": (
        lasting(r"married (?P<v>(?:my|an?|in|last|for|\d+|him|her|since) ?.*)$", "partner"),
    ),
    "met": (
        lasting(
            r"met (?P<v>my (?:wife|husband|partner|girlfriend|boyfriend|fianc\w+|best friend)\b.*)$"
        ),
    ),
    "lost": (
        lasting(
            r"lost (?P<v>(?:(?:my|our|his|her) (?:\w+ )?(?:hearing|sight|eyesight"
            r"|sense of \w+|leg|arm|finger|home|house|baby|licen[cs]e|cat|dog|rabbit"
            r"|horse|mum|mom|dad|nan|gran|job|wife|husband|mother|father|brother|sister"
            r"|son|daughter|grandma|grandad|grandpa|grandmother|grandfather)\b.*"
            r"|\d+ ?(?:kg|kilos?|pounds|lbs|stone)\b.*))$"
        ),
    ),
    "became": (
        lasting(
            r"became (?P<v>(?:an? |the |vegan|vegetarian|sober|religious|disabled|deaf"
            r"|blind|diabetic)(?!lot|bit|mess).*)$"
        ),
    ),
    "retired": (lasting(r"retired\b(?P<v>.*)$", "occupation", "retired"),),
    "converted": (lasting(r"converted to (?P<v>.+)$"),),
    "joined": (
        lasting(
            r"joined (?P<v>(?:an? |the |my |our )?(?!call|meeting|server|channel|chat"
            r"|zoom|queue|party|late|you|them|him|her|this|that|it|us)[\w&' -]+)$"
        ),
    ),
    "opened": (
        lasting(
            r"opened (?P<v>(?:an? |my |our )(?!file|new (?:tab|file|window|issue)|ticket"
            r"|issue|pr|account)[\w&' -]+)$",
            "occupation",
        ),
    ),
    "founded": (lasting(r"founded (?P<v>.+)$", "occupation"),),
    "set": (
        lasting(
            r"set up (?P<v>(?:an? |my |our )(?:[\w'-]+ ){0,3}(?:business|company|charity"
            r"|shop|studio|practice|agency))\b.*$",
            "occupation",
        ),
    ),
    "used": (
        lasting(
            r"used to (?P<v>(?:live|work|play|smoke|be|have|teach|study|drink|own|run|do"
            r"|love|like|hate|drive|go|sing|write|dance|swim|train|weigh|compete|row|box"
            r"|fence|coach|paint|collect|keep|grow|eat|race|ride|speak|wear"
            r"|manage)\b(?! (?:it|that|this|so|able|here)\b).*)$"
        ),
    ),
    "need": (
        lasting(
            r"need (?P<v>(?:glasses|reading glasses|a wheelchair|hearing aids?"
            r"|a walking stick|crutches|subtitles|wheelchair access|step-free access"
            r"|a ground[- ]floor room|large print|\d+ hours of sleep)\b.*)$"
        ),
    ),
    "love": (
        liking(
            r"love (?:to (?!see|hear|know|get|have|try|be|learn|hear|talk|chat|discuss)"
            r"|going |the )?(?P<v>.+)$",
            "like",
        ),
    ),
    "hate": (liking(r"hate (?:the |having to |being )?(?P<v>.+)$", "dislike"),),
    "swear": (liking(r"swear by (?P<v>(?!it|this|that).+)$", "like"),),
    "adore": (liking(r"adore (?P<v>.+)$", "like"),),
    "crave": (liking(r"(?:always )?crave (?P<v>.+)$", "like"),),
    "despise": (liking(r"despise (?P<v>.+)$", "dislike"),),
    "want": (
        lasting(
            r"want to (?P<v>(?:learn (?:to (?!be|live|deal|use|code in)[\w]+"
            r"|how to (?:swim|drive|cook|sail|ski|sew|knit|surf)|sailing|"
            rf"{LANGUAGES}|{CRAFTS})|become an? [\w -]+|retire (?:at|by|in|early)"
            r"|run an? (?:half|marathon|ultra)|start (?:a|my own) (?:business|family"
            r"|bakery|restaurant|company|shop|farm|podcast|charity)"
            r"|go (?:back )?to (?:uni|college|med school|law school|university)"
            r"|move (?:back )?to (?!a\b|the next|another|something))\b.*)$",
            "plan:{v}",
            "yes",
        ),
    ),
    "would": (
        liking(
            r"would (?:much |always |far |honestly )*(?:rather|sooner) (?:have |eat "
            r"|drink |take |read |watch |be |go |do )?(?P<v>.+?) (?:than|over) .+$",
            "like",
        ),
        liking(r"would (?:always )?(?:choose|pick|take) (?P<v>.+?) over .+$", "like"),
        liking(r"would (?:never|not) (?:eat|drink|wear|touch|go near) (?P<v>.+)$", "dislike"),
    ),
    "will": (
        liking(
            r"will (?:always )?(?:take|choose|pick|have|go for) (?P<v>.+?)(?: over .+"
            r"| every (?:single )?time| any day\b.*)$",
            "like",
        ),
    ),
    "celebrate": (lasting(r"celebrate (?P<v>(?!it|that|this|my|our|his|her|with)[\w' ]+)$"),),
    "observe": (
        lasting(
            r"observe (?P<v>(?:ramadan|lent|shabbat|sabbath|passover|yom kippur"
            r"|the sabbath|jewish|muslim)\b.*)$"
        ),
    ),
    "fast": (
        lasting(r"fast (?P<v>(?:every|on|during|for|in|until|from|once|twice) .+)$", "habit:fast"),
    ),
    "homebrew": (lasting(r"homebrew\b.*$"),),
    "hold": (
        lasting(
            r"hold (?P<v>an? (?:[\w' -]+ )?(?:degree|ph\.?d|master'?s|mba|passport"
            r"|citizenship|black belt|licen[cs]e|visa|diploma|world record|record)\b.*)$"
        ),
    ),
    "come": (lasting(r"come from (?:an? )?(?P<v>(?!the idea|it|that|this).+)$"),),
    "hail": (lasting(rf"hail from {PLACE}{ON}", "hometown", check="town"),),
    "switch": (),
}
"""By the verb that a predicate begins with."""
