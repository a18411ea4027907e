"""What English predicates say that lasts, by their class: tried where no narrower pattern fits.

Patterns as in rule_patterns_en, by the verb that stands first.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_parts_en import COUNT, FIRM, ON, PLACE
from chatmem.extraction.rule_words_en import (
    AILMENTS,
    BELONGINGS,
    CLASSES,
    CRAFTS,
    DIETS,
    DRUGS,
    FOODS,
    INSTRUMENTS_AND_SPORTS,
    LANGUAGES,
    OCCUPATIONS,
    PET_NOUN,
    TRADES,
    TRAITS,
)

_NOT_THIS: Final = r"(?!it\b|this\b|that\b|these\b|those\b|you\b|your\b|here\b|there\b|something\b)"
_STUDY: Final = (
    r"(?:[\w'-]+ ){0,5}?(?:degree|ph\.?d|doctorate|master'?s|masters|mba"
    r"|bachelor'?s|msc|bsc|b\.?tech"
    r"|m\.?tech|a-levels|gcses|diploma|apprenticeship|internship|postdoc|residency|course|evening"
    r" classes|night school|certificate|certification|bootcamp|traineeship"
    r"|placement|foundation year"
    r"|thesis|dissertation|training)"
)
_SINCE: Final = r"(?:for|since|the (?:past|last)|all my|nearly|almost|about|over|\d+)\b.*"


def _fact(pattern: str, key: str = "", value: str = "{v}", check: str = "") -> Frame:
    return Frame(pattern, key, value, check=check)  # type: ignore[arg-type]


def _taste(pattern: str, value: str) -> Frame:
    return Frame(pattern, "taste:{v}", value, "preference", check="thing")


_BOUGHT: Final = (
    r"(?:myself |ourselves |me |us )?(?:an? |my |our |two |another |some |the |this )?"
    rf"(?P<v>(?:[\w'.-]+ ){{0,5}}?(?:{BELONGINGS})(?: (?!is\b|are\b|was\b)[\w.]+)?)"
    r"(?: (?:from|last|this|for|yesterday|today|on|in|two|three|a|and|with|that|which|because|but"
    r"|so|at|over|to|recently|when|secondhand|second[- ]hand|off|near|back|as)\b.*|,.*)?$"
)
_PET: Final = (
    rf"(?P<v>(?:[\w'-]+ ){{0,5}}?(?P<p>{PET_NOUN})s?)(?:(?:,? (?:named|called)|,"
    r"|:) (?P<n>[a-z][\w'-]+"
    r"(?:,? (?:and )?[a-z][\w'-]+)*?))?(?:,? (?:from|last|this|for|yesterday|today|two|three|a|in"
    r"|who|and|on|at|with|that|which|because|but|so|over|to|recently|when|now|back)\b.*)?$"
)

GENERAL_EN: Final[Frames] = {
    "am": (
        _fact(
            r"am (?:an? |in my )(?:first|second|third|fourth|fifth|final|last)[- ]year (?:[\w ]+? )?(?:at|of|in)"
            r" (?P<v>[\w' ]+?)(?: (?:doing|studying|reading)\b.*)?$",
            "school",
        ),
        _fact(
            r"am (?:currently |now )?working (?:in|with) (?P<v>[a-z][\w&.-]*(?: [a-z][\w&.-]*)?)"
            r"(?: (?:since|for|from|as)\b.*)?$",
            "employer",
            check="name",
        ),
        _taste(
            r"am (?:more of )?(?:an? )?(?:(?:big|huge|real|total|massive|major|proper|serious|avid"
            r"|bit of a|complete|such a|hardcore|definite|true) )*(?P<v>(?!night|early"
            r"|morning)[\w-]+"
            r"(?: [\w-]+)?) (?:lover|fan|addict|enthusiast|nerd|geek|buff|nut|junkie|fiend|fanatic"
            r"|aficionado|snob|obsessive)\b.*$",
            "like",
        ),
        _taste(
            r"am (?:not|never|no) (?:been )?(?:really |much of )?(?:an? "
            r"|that big an? )?(?:big |huge )?"
            r"(?P<v>(?!an? |morning|people|nice|bad|good|religious"
            r"|very)[\w-]+(?: [\w-]+)?) (?:person|fan"
            r"|lover|drinker|eater|guy|girl)\b.*$",
            "dislike",
        ),
        _taste(
            r"am (?:more (?:of )?)?(?:an? |such an? )?(?:big |huge |real "
            r"|total )?(?P<v>(?!morning|people|nice"
            r"|bad|good|religious|very|busy|happy|shy|private|kind|quiet|different|old"
            r"|young|creative"
            r"|sensitive|patient|honest|real|new|spiritual|night|positive|negative|third"
            r"|only|changed"
            r"|big|little|bad|lucky|visual|generous|normal|lazy|social)[\w-]+) (?:person"
            r"|guy|girl|gal|man|woman)$",
            "like",
        ),
        _taste(
            r"am (?:(?:really|very|super|totally|big|so|pretty|quite|properly|completely|absolutely"
            r"|a bit|currently) )*(?:hooked on|big on|partial to|mad (?:about|on|for)|nuts about"
            r"|devoted to|fascinated by|addicted to|into|obsessed with|crazy (?:about|for)"
            r"|all about|wild about) (?P<v>.+)$",
            "like",
        ),
        _taste(
            r"am (?:not|never|no longer) (?:(?:really|very|that|so|too|super|big|much"
            r"|exactly|at all"
            r"|a bit) )*(?:into|big on|partial to|mad about|keen on|bothered about|crazy about"
            r"|interested in|fond of|one for|a fan of) (?P<v>.+)$",
            "dislike",
        ),
        _taste(
            r"am (?:really |deathly |properly |absolutely |kind of |a bit |very |so "
            r"|always )*(?:scared"
            r" (?:of|to)|afraid of|terrified of|petrified of|frightened of|squeamish about)"
            r" (?P<v>heights|flying|spiders|snakes|dogs|cats|needles|the dark|water|clowns|dentists"
            r"|the dentist|public speaking|thunder\w*|crowds|elevators|lifts|insects|bugs"
            r"|bees|wasps"
            r"|moths|mice|rats|birds|pigeons|blood|deep water|enclosed spaces|driving|horses|sharks"
            r"|ghosts|hospitals|escalators|the sea|open water|balloons)\b.*$",
            "dislike",
        ),
        _fact(
            r"am (?:(?:severely|very|highly|mildly|slightly|also|quite|a bit|extremely|fairly|badly"
            r"|super|really|pretty|deathly) )*(?:intolerant to|sensitive to"
            r"|allergic to) (?P<v>[\w' -]+)$",
            "allergy:{v}",
            "yes",
        ),
        _fact(
            r"am (?:(?:severely|very|highly|mildly|slightly|also|quite) )*(?P<v>[\w]+)"
            rf"[- ](?:intolerant|sensitive){ON}",
            "allergy:{v}",
            "yes",
        ),
        _fact(
            r"am (?:pretty much |basically |mostly |strictly |fully |practically "
            r"|more or less |almost"
            rf" |about |largely |kind of |\d+% )*(?:an? )?(?P<v>{DIETS})\b.*$",
            "diet",
        ),
        _fact(
            r"am (?:(?:an? |the |now an? |currently an? )(?:[\w'-]+ "
            rf"){{0,3}}?)?(?P<v>(?:(?!being|having|doing|getting|going|looking|trying"
            rf"|thinking)[\w-]+ )?(?:{TRADES}))(?:,? (?:at|in|for|of"
            r"|from|with|on|who|by|and|but|so|here|currently|now|based|working|since"
            r"|these|specializ"
            r"|specialis|myself|to|too)\w*\b.*)?$",
            "occupation",
        ),
        _fact(
            r"am (?:an? |the |pretty |very |quite |rather |also |a bit |so "
            rf"|fairly )*(?:{TRAITS})\b.*$"
        ),
        _fact(
            r"am (?:about |around |exactly |only )?(?P<v>\d ?(?:foot|feet|ft|') ?(?:\d{1,2}(?:\"|''"
            r"| ?inches| ?in)?)?|\d\.\d+ ?m(?:eters|etres)?|1m\d\d|\d{3} ?cm)(?: tall)?\b.*$",
            "height",
        ),
        _fact(r"am (?P<v>\d{1,3} ?(?:kg|kilos|pounds|lbs|stone))\b.*$", "weight"),
        _fact(
            r"am (?:a )?(?:just |only |nearly |almost |about )?(?P<v>\d{1,2})(?:[- ]years?[- ]old"
            r"|[- ]yr[- ]old| ?[mf]\b)?(?! ?(?:%|percent|min|hour|day|week|month|miles"
            r"|k?m\b|k?g\b|lbs|pound|stone"
            r"|f(?:oo|ee|)t\b|cm|point|page|level|step|episode|chapter|years? (?:in|sober"
            r"|clean|late|out)|st\b|nd\b"
            r"|th\b|into|in\b|away|behind|ahead|short|down|up\b|out|degree|of\b|on\b|over"
            r"|under|minutes|:|\.\d|,\d"
            r"|'|x\b|/|-\w|times|percent|for\b|to\b|vs|and a half hours))(?:[ ,].*)?$",
            "age",
        ),
        _fact(
            r"am (?:on|taking|prescribed) (?P<v>(?:(?:\d+ ?mg|a|the|daily|low[- ]dose|my"
            r"|some) (?:of )?)*"
            rf"(?:{DRUGS}))\b.*$"
        ),
        _fact(r"am on (?:an? |the )?(?P<v>[\w -]+?) diet\b.*$", "diet"),
        _fact(
            r"am (?:in|at|attending|enrolled (?:in"
            r"|at)) (?P<v>(?:the )?(?:(?:[\w'-]+ ){0,4}(?:university"
            r"|college|school|uni|polytechnic)\b.*|year \d+\b.*|(?:grade|class|form"
            r"|standard) \w+\b.*"
            r"|(?:[\w-]+ )?(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|final"
            r"|last) (?:grade|year"
            r"|standard|class)\b.*|sixth form\b.*|uni\b.*|kindergarten\b.*|nursery\b.*"
            r"|preschool\b.*"
            r"|reception\b.*|primary\b.*|med school\b.*))$",
            "school",
        ),
        _fact(
            r"am (?:currently |now |also |still )*(?:doing|studying|pursuing|taking"
            r"|finishing|on|getting"
            r"|starting|completing|halfway through|reading for|working (?:on|towards)"
            r"|in the middle of)"
            rf" (?:an? |my |his |her |the |their )?(?P<v>{_STUDY})\b(?! (?:of action)).*$"
        ),
        _fact(
            r"am (?:currently |now |also |still )*(?:studying|majoring in|minoring in|reading"
            rf") (?!for\b|hard|a lot|{_NOT_THIS[3:-1]}|the\b|my\b|about|on\b|up\b|books|an?\b)"
            r"(?P<v>[a-z][\w'& -]+)$",
            "major",
            check="thing",
        ),
        _fact(
            r"am (?:currently |now |also |still |trying to |slowly )*(?:learning|studying"
            r"|relearning) (?:to"
            rf" speak |to read )?(?P<v>{LANGUAGES})\b.*$",
            "language:{v}",
            "learning",
        ),
        _fact(
            r"am (?:currently |now |also |still |slowly |finally )*(?:learning"
            r"|teaching myself)(?: how)?"
            rf"(?: to)? {_NOT_THIS}(?!(?:more |a lot |much |so much |about |from |of )\b)"
            r"(?P<v>(?!(?:be|live|deal|cope|let|say|accept|love|trust|manage|control"
            r"|relax|balance|an? new"
            r"|an?|some|new|my|the (?!guitar|piano|violin|cello|drums|flute|ukulele|bass|banjo|harp"
            r"|accordion|trumpet|saxophone|clarinet|oboe|organ))\b)[\w'-]+(?: (?!from"
            r"|about|because|so"
            r"|skills?|techniques?)[\w'-]+){0,3})(?: (?:from|with|for|at|in|since|because"
            r"|so)\b.*)?$",
            "habit:{v}",
            "learning",
        ),
        _fact(
            rf"am (?:currently |now |also |still )*(?:living|staying|based|renting) in {PLACE}{ON}",
            "home",
            check="town",
        ),
        _fact(
            r"am (?:currently |now |also |still |just )*(?:living|sharing|renting|staying"
            r"|moving in) "
            r"(?P<v>(?:alone|with (?:my|his|her|two|three|a|an) .+|an? (?:\w+ )*(?:flat"
            r"|house|apartment"
            r"|room|studio)\b.*|by myself|on (?:my own|a) .*))$"
        ),
        _fact(
            r"am (?:currently |now |also |still )*(?:working|employed|interning"
            r"|contracting) (?:at|for"
            rf"|with) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        _fact(
            r"am (?:currently |now |also |still )*(?:working as|training (?:as"
            r"|to be(?:come)?)|studying to"
            r" be(?:come)?|apprenticed as) (?:an? )?(?P<v>[\w -]+)$",
            "occupation",
        ),
        _fact(
            r"am (?:currently |now |also |still )*(?:(?:running|managing|building|writing"
            r"|growing|seeing"
            r"|preparing for|restoring|renovating) (?=(?:an?|my|our|two|some) )"
            r"|(?:teaching|coaching|fostering"
            r"|homeschooling|raising|caring for|breeding|dating|volunteering"
            r"|recovering from|undergoing"
            r"|saving(?: up)? for|training for) |going through (?=(?:an? |my "
            r"|the )?(?:divorce|chemo|ivf"
            rf"|menopause|break-?up|separation))){_NOT_THIS}(?!an? (?:doctor|problem|issue"
            r"|error|weird))(?!an? (?:email|e-mail|letter|essay"
            r"|report|script|function|query|test|class|post|cover|poem|story|message"
            r"|paper|speech|blog"
            r"|review|list|cv|resume|website|app|program|api|bot|database|tool|react"
            r"|python|docker|late"
            r"|problem|issue|error)|code|late|out|up|the (?:same|code|script|app|test"
            r"|server)|my (?:code"
            r"|cv|resume|essay))(?P<v>(?:(?:an? |my |our |the |two |three )[\w' -]+"
            r"|[\w'-]+ [\w' -]+"
            r"|therapy|divorce|chemo|ivf))$"
        ),
        _fact(
            r"am (?:currently |actively |now |still )*(?:trying|hoping|aiming"
            r"|working) to (?P<v>(?:quit|lose"
            r"|gain|save|learn|conceive|get (?:pregnant|fit|in shape|into|better at)|cut"
            r"|eat (?:less|more"
            r"|fewer|healthier)|run|stop|give up|drink (?:less|more)|become|buy (?:a|our|my)"
            r"|read (?:more|\d+)|reduce|improve my|have a baby|build up|switch to)\b.*)$",
            "plan:{v}",
            "yes",
        ),
        _fact(
            r"am (?:due|expecting)(?: (?:a|our|my|in|on|twins|another|at|the|any day|next"
            r"|this)\b.*)?$"
        ),
        _fact(
            r"am (?:the )?(?:oldest|youngest|eldest|middle|only|second|third) (?:of .+"
            r"|child|sibling|son"
            r"|daughter|one|kid)\b.*$"
        ),
        _fact(
            r"am (?:a |an )?(?P<v>she|he|woman|man|girl|boy|guy|female|male|trans \w+"
            r"|non-?binary)(?:,.*| (?:not|so|and|but)\b.*)?$",
            "gender",
        ),
        _fact(r"am (?:married|engaged|divorced|separated|widowed)\b.*$", "partner", "{what}"),
        _fact(
            r"am (?:retired|self-employed|unemployed|freelance|between jobs|out of work"
            r"|on (?:\w+ )?(?:leave|disability|sick leave|benefits|a gap year"
            r"|sabbatical))\b.*$",
            "occupation",
            "{what}",
        ),
        _fact(
            r"am (?:the |an? |a single |a busy |a new |a proud |a working )?(?:mum|mom"
            r"|dad|mother|father|parent|grandmother|grandfather|grandma|grandpa|carer"
            r"|guardian|owner|aunt|uncle|godmother|godfather)s? (?:of|to|for) .+$"
        ),
        _fact(rf"am (?:in|not in) {PLACE} any ?more$", "home", "not {v}", check="town"),
        _fact(
            r"am (?:currently |now |also )*(?:studying|preparing|revising|cramming"
            r"|prepping|training) for (?:the |my |an? )?(?P<v>(?:[\w-]+ ){0,3}(?:exams?"
            r"|test|finals|lsat|mcat|gre|gmat|ielts|toefl|bar|acca|cfa|cpa|nclex|usmle"
            r"|jlpt ?\w*|a-levels|gcses|boards|certification|upsc|neet|jee|gate|cat"
            r"|licen[cs]e|b1|b2|c1|marathon|triathlon|half|10k|ironman|race))\b.*$",
            "plan:{v}",
            "yes",
        ),
        Frame(
            r"am (?P<v>(?:playing|doing|practi[sc]ing|singing"
            r"|collecting|climbing|running|boxing|riding|brewing|knitting|making|wearing"
            r"|using|swimming|dancing|painting) (?!it|this|that|the same|ok|well"
            r"|fine)[\w' -]+?) (?:for|since|on and off)\b.*$",
            "habit:{v}",
            "yes",
            "pattern",
        ),
        Frame(
            r"am (?:just |recently |finally |newly )*(?P<v>(?:accepted|promoted|diagnosed"
            r"|offered|admitted|laid off|made redundant|fired|sacked|transferred|posted"
            r"|stationed|deployed|hired|elected|selected|prescribed)\b.*)$",
            kind="episodic",
        ),
        _fact(
            r"am not (?:really |much of )?an? (?:morning|people|night|social|patient"
            r"|religious|city|numbers|spiritual) person\b.*$"
        ),
        _fact(rf"am playing (?P<v>{INSTRUMENTS_AND_SPORTS})\b.*$", "habit:play {v}", "yes"),
        _fact(r"am (?:bilingual|trilingual|fluent in|a native|a polyglot)\b.*$"),
        _fact(
            r"am (?:terrible|hopeless|useless|rubbish|no good|really good|great|good|bad"
            r"|awful) (?:at|with) (?P<v>(?!this|that|it|explaining|these)[\w -]{3,30})$"
        ),
        _fact(rf"am (?:just )?in {PLACE} (?:{_SINCE})$", "home", check="town"),
        _fact(
            rf"am (?:at|with) {FIRM} (?:for|since|the (?:past|last)|as) .*$",
            "employer",
            check="name",
        ),
        _fact(rf"am (?:from|out of|over in|up in|down in|based around) {PLACE}{ON}", check="town"),
    ),
    "was": (
        _fact(r"was (?:raised|brought up) (?:by|in|on|as) (?P<v>.+)$"),
        _fact(
            r"was (?:just |recently |finally |originally |later |also "
            r"|first )*(?P<v>(?:diagnosed|adopted|raised|brought up|born|widowed|orphaned"
            r"|bullied|promoted|laid off|made redundant|sacked|fired|let go|accepted"
            r"|admitted|hired|deported|injured|prescribed|told i have|transferred|posted"
            r"|elected|awarded)\b.*)$"
        ),
        _fact(
            r"was (?:once |formerly |previously )?(?:an? "
            rf"|the )(?:[\w'-]+ ){{0,3}}?(?:{TRADES}|{OCCUPATIONS})"
            r"(?: (?:in|at|for|with|before|until|back|of|when|all|most)\b.*)?$"
        ),
    ),
    "have": (
        _fact(rf"have gone (?:full |fully |totally )?(?P<v>{DIETS})\b.*$", "diet"),
        _fact(
            r"have (?:got |had |also |always had |just been given )*(?:an? |my |some "
            r"|this |the |two |both |very |really )*(?:\w+ ){0,3}?"
            rf"(?:{AILMENTS})\b(?! (?:from (?:all|this|that|reading|looking)|today"
            r"|right now|rn|tonight|this morning)).*$"
        ),
        _fact(
            r"have (?:got |had )?(?:an? |a really |a very |a severe |a mild "
            r"|a bad )?(?P<v>(?:[\w]+ )?[\w]+) (?:allergy|allergies|intolerance"
            r"|sensitivity)\b.*$",
            "allergy:{v}",
            "yes",
        ),
        _fact(
            r"have (?:got )?an? (?P<v>\d+|\w+)[- ](?:year|yr|month"
            r"|week)s?[- ]old(?: (?:son|daughter|boy|girl|kid|toddler|baby|child|and .*"
            r"|who .*|at home|called .*|named .*|now))*$",
            "children",
            "{what}",
        ),
        _fact(
            r"have (?:got )?(?P<v>an? (?:\w+ )?(?:teenager|toddler|newborn|baby|grandson"
            r"|granddaughter|grandchild|stepson|stepdaughter|stepchild)|a (?:son|daughter"
            r"|boy|girl|kid))\b.*$",
            "children",
        ),
        _fact(
            rf"have (?:got )?(?P<v>{COUNT} (?:[\w'-]+ ){{0,3}}?(?:siblings?|sisters?"
            r"|brothers?|cousins|roommates?|flatmates?|housemates?|exes|nieces"
            r"|nephews))\b.*$"
        ),
        _fact(rf"have (?:got )?{COUNT} {_PET}", "pet:{p}", "{n|v}"),
        _fact(rf"have (?:got )?{_BOUGHT}", "possession:{v}"),
        _fact(rf"have (?:got )?(?:an? |my |two )(?P<v>{_STUDY}) (?:in|from|at)\b.*$"),
        _fact(
            r"have (?:got )?(?:an? )?(?:background|degree|phd|ph\.d|qualification"
            r"|certificate) in (?P<v>.+)$"
        ),
        _fact(
            r"have (?:got )?(?:about |over |nearly |around |almost )?(?P<v>(?:\d+|two"
            r"|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
            r"|twenty)\+? years?(?:'|s')? (?:of )?(?:experience|as an?)\b.*)$"
        ),
        _fact(
            r"have (?:got )?(?:an? )?(?:really |very |terrible |bad |huge |big |slight "
            r"|mild |crippling |real )*(?:fear|phobia) of (?P<v>.+)$",
            "taste:{v}",
            "dislike",
        ),
        _taste(
            r"have (?:got )?a (?:real |huge |massive |bit of a )?(?:soft spot|weakness"
            r"|thing|passion|love|obsession) (?:for|with) (?P<v>.+)$",
            "like",
        ),
        _fact(
            r"have (?:got )?(?:an? )?(?P<v>(?:(?:very|really|naturally|super|quite"
            r"|extremely) )?(?:blue|green|brown|hazel|gr[ae]y|red|blond[e]?|black|curly"
            r"|long|short|straight|dark|ginger|wavy|thick|fine|thin|dry|oily|sensitive"
            r"|combination|pale|fair|olive|flat|wide|narrow|afro|coily|frizzy"
            r"|4c)(?:[ ,-]+(?:and )?\w+){0,2} (?:hair|eyes|skin|feet|beard|scalp))\b.*$"
        ),
        _fact(
            r"have (?:got )?(?P<v>no (?:kids|children|siblings|sense of smell|car"
            r"|licen[cs]e|pets|oven|dishwasher|garden|tv|microwave|washing machine"
            r"|gallbladder|spleen|appendix)\b.*)$"
        ),
        _fact(
            r"have (?:been with|been married to|been together|been dating|been seeing|known) .+$"
        ),
        _fact(
            r"have (?:lost|had) (?:my|an?|two|three) (?:\w+ )?(?:job|mum|mom|dad|mother"
            r"|father|operation|surgery|miscarriage|c-section|stroke|transplant|bypass"
            r"|hip replacement|knee replacement|pacemaker|stent|hysterectomy|root canal"
            r"|heart attack|baby)\b.*$"
        ),
        _fact(
            r"have never (?:driven|flown|learned|learnt|smoked|drunk|been (?:abroad"
            r"|on a plane|outside)|owned|eaten|touched alcohol|ridden|swum)\b.*$"
        ),
        _fact(
            r"have (?:coffee|tea|breakfast|porridge|oats|dinner|lunch|therapy"
            r"|band practice|training|choir|lessons|custody|the kids)\b.*$"
        ),
        _fact(
            r"have (?:an? |my )(?P<v>(?:[\w-]+ )?(?:podcast|blog|youtube channel"
            r"|etsy (?:shop|store)|newsletter|food truck|stall|side hustle|side business"
            r"|shop|cafe|bakery|farm|salon|business|company|startup|studio|practice))\b.*$",
            "occupation",
        ),
        _fact(
            r"have (?:an? )?(?P<v>(?:[\w-]+ )?(?:gym membership|season ticket|mortgage"
            r"|visa|green card|work permit|passport|licen[cs]e|residence permit"
            r"|citizenship|tattoos?|piercings?|pacemaker|prosthetic \w+|hearing aids?"
            r"|braces|stutter|lisp|guide dog|service dog|cochlear implant|sweet tooth"
            r"|photographic memory|black belt))\b.*$"
        ),
    ),
    "live": (
        _fact(
            r"live (?P<v>(?:alone|by myself|on my own|with|on|at|above|next to|near"
            r"|outside|off|between|just|about|in an?|in the|in my|in our|in student"
            r"|in halls|rurally|abroad|round the corner|opposite|out in|within|under"
            r"|close to|by the|\d+|half an hour|ten minutes|an hour)\b.+|alone|rurally"
            r"|abroad)$"
        ),
    ),
    "work": (
        _fact(
            r"work (?:mainly |mostly |part[- ]time |full[- ]time |remotely |nights "
            rf"|evenings |weekends )*as (?:an? |the )?(?P<v>[a-z][\w '/-]+?){ON}",
            "occupation",
        ),
        _fact(
            r"work (?:mainly |mostly |part[- ]time |full[- ]time |remotely |nights "
            rf"|evenings |weekends |down |over |up )*(?:at|for) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        _fact(
            r"work in (?:an? |the )?(?P<v>(?!progress|silence|peace|order|a hurry|bed|my"
            r"|your|groups?|teams?|pairs|python|java\b|the (?:morning|evening|afternoon"
            r"|same))[\w&' -]+)$",
            "occupation",
            check="firm",
        ),
        _fact(
            r"work (?P<v>(?:with (?!you|him|her|it|them|this|that|a (?:guy|girl|woman"
            r"|man))[\w' -]+|on (?:an? |the )?(?:oil rig|farm|railway|railways"
            r"|cruise ship|ferry|boat|building site|reception|ship|oil platform)s?"
            r"|from home|remotely|remote|hybrid|nights?|night shifts?|shifts?|rotating .+"
            r"|weekends?|evenings?|days|part[- ]time|full[- ]time|freelance|long .+|\d.+"
            r"|mon.*|(?:four|three|five|two|six) .+|abroad|offshore|outdoors|outside"
            r"|between .+|the (?:night|early|late|morning|graveyard|day|evening"
            r"|weekend) shifts?|for myself|two jobs|three jobs|late|early|at night)\b.*)$"
        ),
    ),
    "teach": (
        _fact(
            r"teach (?!you|me\b|him|her|them|us|myself|people|it|that|this|how|my (?:son"
            r"|daughter|kids?|dog|children))(?P<v>[\w' &/-]+(?: (?:at|in|to|for)\b.*)?)$",
            "occupation",
        ),
    ),
    "run": (
        _fact(
            r"run (?:an? |my |our |the )(?:own )?(?!risk|script|test|command|program"
            r"|query|code|business by|errand|virtual|server|command|job|marathon|half"
            r"|local|few|lot|\w+ (?:script|server|query|test"
            r"|program))(?P<v>(?:[\w'-]+ ){0,5}?[\w'-]+(?: (?:in|at|for|with|called|from"
            r"|on|near)\b.*)?)$",
            "occupation",
        ),
    ),
    "manage": (
        _fact(
            r"manage (?P<v>(?:an? |the |our |my )?(?!to\b|time|stress|it|my (?:time"
            r"|stress|anxiety))[\w' -]+)$",
            "occupation",
        ),
    ),
    "own": (
        _fact(rf"own {COUNT} {_PET}", "pet:{p}", "{n|v}"),
        _fact(
            r"own (?P<v>(?:an? |my |two |three |no |several |some )?(?!it|this|that"
            r"|up)[\w' -]{3,60})$",
            "possession:{v}",
        ),
    ),
    "rent": (_fact(r"rent (?P<v>(?:an? |my |our |out |in |from )[\w' -]+)$"),),
    "share": (
        _fact(
            r"share (?P<v>(?:an? |my |the |our )(?:[\w-]+ )*(?:flat|house|apartment|room"
            r"|office|car|kitchen|bathroom|bedroom|place|garden|bed)\b.*)$"
        ),
    ),
    "keep": (
        _fact(
            r"keep (?P<v>(?:(?:a few|some|two|three|four|five|six|\d+|my own) )?(?:bees"
            r"|chickens|hens|ducks|goats|sheep|pigs|quails?|horses|rabbits|tropical fish"
            r"|fish|axolotls|reptiles|snakes|tarantulas|pigeons|halal|kosher"
            r"|kosher at home|shabbat|a (?:diary|journal|bullet journal)|koi"
            r"|stick insects|alpacas)\b.*)$"
        ),
    ),
    "grow": (
        _fact(
            r"grow (?P<v>(?:my own |our own |some )?(?!up|old|tired|apart|in\b|as\b|more"
            r"|and\b|stronger|out)[\w' -]+)$",
            "habit:grow {v}",
            "yes",
        ),
    ),
    "raise": (
        _fact(
            r"raise (?P<v>(?:two|three|my|our|a|chickens|goats|sheep|cattle|pigs|kids) ?[\w' -]*)$"
        ),
    ),
    "breed": (_fact(r"breed (?P<v>[\w' -]+)$"),),
    "foster": (_fact(r"foster (?P<v>[\w' -]+)$"),),
    "coach": (_fact(r"coach (?P<v>(?!me|you)[\w' -]+)$", "occupation"),),
    "speak": (_fact(rf"speak (?P<v>(?:[\w ]+ )?(?:{LANGUAGES}))\b.*$", "language:{v}", "speaks"),),
    "drive": (
        _fact(
            r"drive (?:an? |my |our )(?P<v>(?!lot|hard|long|bargain|point|few|hour|while"
            r"|wedge|car\b)[\w' .-]{2,40}?)(?: (?:and|but|so|to|for|with|which|that"
            r"|because|since|at)\b.*)?$",
            "possession:{v}",
        ),
        _fact(
            r"drive (?P<v>(?:to work|an automatic|manual|for (?:uber|lyft|a living"
            r"|doordash|amazon|ups|a).*|(?:trucks|buses|trains|trams|lorries|taxis"
            r"|forklifts)\b.*|\d+ (?:km|miles|minutes|hours).*))$"
        ),
    ),
    "ride": (
        _fact(
            r"ride (?:an? |my )?(?P<v>(?:[\w'-]+ ){0,3}(?:motorbike|motorcycle|bike"
            r"|horses?|horseback|scooter|harley|vespa|ducati|triumph|unicycle|e-bike"
            r"|royal enfield)\b.*)$"
        ),
    ),
    "play": (
        _fact(
            r"play (?:the |a bit of |some |a lot of |in an? |for "
            rf"|competitive )*(?P<v>{_NOT_THIS}(?!with|around|every|on\b|again|well|along"
            r"|a (?:role|game|part|big)|role|devil|dumb|my|games? with|as\b|music"
            rf"|it\b)[\w' -]{{3,50}})$",
            "habit:play {v}",
            "yes",
        ),
    ),
    "collect": (
        _taste(r"collect (?!it|them|my|the|that|this|data|information)(?P<v>[\w' -]+)$", "like"),
    ),
    "suffer": (
        _fact(
            r"suffer (?:\w+ )?(?:from|with) (?:an? |my |really |bad |severe |chronic "
            r"|terrible )*(?P<v>[\w' -]+)$"
        ),
    ),
    "struggle": (
        _fact(
            rf"struggle with (?:my |severe |chronic )?(?:{AILMENTS}|weight|insomnia"
            r"|spelling|reading)\b.*$"
        ),
    ),
    "get": (
        _fact(
            r"get (?:really |very |terribly |quite |so |badly |super |horribly |bad "
            r"|terrible |awful |chronic |frequent |regular |horrible |the "
            r"|a lot of )*(?P<v>(?:seasick|carsick|car sick|sea sick|travel ?sick"
            r"|motion sick\w*|migraines?|hay ?fever|airsick|vertigo|heartburn|cold sores"
            r"|panic attacks|hives|sunburned|sunburnt|nosebleeds|nervous (?:flying"
            r"|on planes)|claustrophobic|reflux|eczema|cramps|anxious (?:in|around"
            r"|about) [\w ]+))\b(?! (?:from|when) (?:this|that|it)).*$"
        ),
        _fact(
            r"get (?P<v>(?:up|to work|home|the (?:bus|train|tube|metro)|off work"
            r"|paid) (?:at|around|by|on|every|before) .+)$"
        ),
    ),
    "take": (
        _fact(rf"take (?P<v>(?:[\w]+ ){{0,3}}(?:{DRUGS}))\b.*$"),
        _fact(
            r"take (?:my |an? |the )?(?P<v>(?:\w+ ){0,2}(?:lessons|classes))\b.*$",
            "habit:{v}",
            "yes",
        ),
        _taste(
            r"(?:take|have) (?:my )?(?P<v>(?:coffee|tea|steak|eggs|whisk(?:e)?y|martini) .+)$",
            "like",
        ),
    ),
    "use": (
        _fact(
            r"use (?P<v>(?:an? |my )?(?:wheelchair|walking stick|cane|crutches"
            r"|hearing aids?|inhaler|cpap(?: machine)?|insulin pump|screen ?reader|walker"
            r"|prosthe\w+|mobility scooter|rollator|stoma|epipen|braille)\b.*)$"
        ),
        _fact(r"use (?P<v>[\w/]+(?:/[\w]+)?) pronouns\b.*$", "pronouns"),
        _fact(
            rf"use (?:an? |my )(?P<v>(?:[\w'.-]+ ){{0,4}}(?:{BELONGINGS})(?: [\w.]+)?)(?: "
            r"(?:for|and|so|but|at|with|to|on)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "wear": (
        _fact(
            r"wear (?:an? |my |the )?(?P<v>(?:(?:a )?(?:uk |us |eu |women'?s "
            r"|men'?s )?(?:size|shoe size) [\w./ -]+|(?:[\w-]+ )?(?:glasses|contacts"
            r"|contact lenses|hearing aids?|hijab|turban|kippah|braces|varifocals"
            r"|dentures|wig|prosthe\w+|headscarf|niqab|patka|retainer|insulin pump"
            r"|orthotics|insoles)\b.*|(?:an? )?\d+[\w./ -]* (?:shoe|in shoes)))$"
        ),
    ),
    "weigh": (
        _fact(
            r"weigh (?:about |around |roughly |in at |just |over |under |nearly "
            r"|currently )*(?P<v>\d[\w. ]*)(?:,.*)?$",
            "weight",
        ),
    ),
    "smoke": (
        _fact(
            r"smoke(?P<v>(?: (?:a|about|around|\d+|two|ten|twenty|weed|cigars|roll|only"
            r"|like|half|socially)\b.*)?)$",
            "habit:smoke",
            "yes",
        ),
    ),
    "vape": (_fact(r"vape\b(?P<v>.*)$", "habit:vape", "yes"),),
    "follow": (
        _fact(
            rf"follow (?:an? |the )?(?:strict )?(?P<v>(?:[\w-]+ )?(?:{DIETS}|low[- ]\w+"
            r"|fodmap|mediterranean|dash|high[- ]protein)(?: diet)?)\b.*$",
            "diet",
        ),
        _taste(
            r"follow (?P<v>(?:formula (?:1|one)|f1|football|cricket|the nba|nba"
            r"|premier league|rugby|baseball|tennis|la liga|the nfl|ipl)\b.*)$",
            "like",
        ),
    ),
    "support": (
        _taste(
            r"support (?P<v>(?!the (?:idea|team|decision)|this|that|it|my|his|her|a\b"
            r"|an\b|him|them|you)[a-z][\w' ]+?)(?: (?:and|so|but|since)\b.*)?$",
            "like",
        ),
    ),
    "root": (_taste(r"root for (?P<v>[\w' ]+)$", "like"),),
    "eat": (
        _fact(
            r"eat (?P<v>(?:halal|kosher|vegan|vegetarian|veggie|plant[- ]based"
            r"|gluten[- ]free|keto|paleo|low[- ]carb|dairy[- ]free|pescatarian|only .+"
            r"|mostly .+|no .+|strictly .+|very little .+))\b.*$",
            "diet",
        ),
    ),
    "avoid": (
        _taste(
            rf"avoid (?:all |any |eating )*(?P<v>(?:{FOODS})(?:(?:,| and| or) [\w ]+)?)\b.*$",
            "dislike",
        ),
    ),
    "study": (
        _fact(
            r"study (?!hard|it|that|this|for|a lot|every|with|in\b|on\b|my|at\b|the\b"
            r"|about)(?P<v>[a-z][\w'& -]+)$",
            "major",
            check="thing",
        ),
    ),
    "major": (_fact(r"major in (?P<v>.+)$", "major"),),
    "attend": (
        _fact(
            r"attend (?P<v>(?:[\w'.-]+ ){0,5}(?:university|college|school|academy|uni"
            r"|church|mosque|temple|synagogue|group|classes)\b.*)$"
        ),
    ),
    "belong": (_fact(r"belong to (?P<v>(?:an? |the )[\w' -]+)$"),),
    "freelance": (_fact(r"freelance\b(?P<v>.*)$", "occupation", "freelance"),),
    "specialise": (_fact(r"speciali[sz]e in (?P<v>.+)$", "occupation"),),
    "specialize": (_fact(r"speciali[sz]e in (?P<v>.+)$", "occupation"),),
    "practise": (
        _fact(
            r"practi[sc]e (?P<v>(?:law|medicine|yoga|judo|karate|islam|judaism|buddhism"
            r"|meditation|tai chi|\w+ law|dentistry|aikido|taekwondo|kung fu|bjj"
            r"|jiu[- ]jitsu)\b.*)$"
        ),
    ),
    "practice": (
        _fact(
            r"practi[sc]e (?P<v>(?:law|medicine|yoga|judo|karate|islam|judaism|buddhism"
            r"|meditation|tai chi|\w+ law|dentistry|aikido|taekwondo|kung fu|bjj"
            r"|jiu[- ]jitsu)\b.*)$"
        ),
    ),
    "identify": (_fact(r"identify as (?P<v>.+)$"),),
    "care": (
        _fact(
            r"care for (?P<v>(?:my|our|his|her|a) (?:\w+ ){0,3}(?:mother|father|mum|mom"
            r"|dad|parents|grandmother|wife|husband|son|daughter|gran|nan|grandma"
            r"|grandfather|grandpa|brother|sister|aunt|uncle|partner)\b.*)$"
        ),
    ),
    "look": (
        _fact(
            r"look after (?P<v>(?:my|our|a|two|three) (?:\w+ ){0,3}(?:mother|father|mum"
            r"|mom|dad|parents|grandmother|wife|husband|gran|nan|grandma|grandkids"
            r"|grandchildren|grandson|granddaughter|niece|nephew|toddler|kids|horses"
            r"|goats)\b.*)$"
        ),
    ),
    "homeschool": (_fact(r"homeschool\b.*$"),),
    "earn": (_fact(r"earn (?:about |around |roughly )?(?P<v>[\d£$€].+)$", "income"),),
    "commute": (_fact(r"commute\b(?P<v>.+)$", "habit:commute", "yes"),),
    "go": (
        _fact(
            r"go to (?P<v>(?:the )?(?!school|college|university|bed|work|the (?:gym|shop"
            r"|store))(?:[\w'.-]+ ){0,4}(?:university|college|school|academy|church"
            r"|mosque|synagogue|temple))\b.*$"
        ),
        _fact(
            r"go by (?P<v>(?!car|bus|train|bike|plane|foot|the|my|a\b|far|fast|quickly"
            r"|it\b)[a-z][\w'-]*)(?: .*)?$",
            "nickname",
            check="name",
        ),
    ),
    "do": (
        _fact(
            r"do (?:some |a bit of |a lot of |my |mostly "
            rf"|mainly )?(?P<v>(?:[\w/-]+ ){{0,2}}?(?:{CRAFTS}|{CLASSES}|shift work|nights"
            r"|night shifts|shifts|freelance\b.*|consulting|research|intermittent fasting"
            r"|ux \w+|ui \w+|keto|volunteering))\b.*$",
            "habit:{v}",
            "yes",
        ),
    ),
    "don't": (
        _fact(
            r"don't (?:really |actually |usually |ever |even |personally )*(?P<v>(?:drive"
            r"|swim|own a \w+|cook|have (?:an? (?:car|oven|garden|tv|telly|microwave"
            r"|dishwasher|licen[cs]e|driving licen[cs]e|freezer|balcony|dog|cat"
            r"|smartphone|passport|degree|bike|partner|printer|washing machine|dryer"
            r"|air con\w*|gallbladder|spleen|thyroid)|any (?:kids|children|siblings|pets"
            r"|allergies|brothers|sisters|family)|kids|children|siblings|pets|air con\w*)"
            r"|speak \w+|wear \w+|celebrate \w+))\b(?! (?:to know|idea|time|clue|the time"
            r"|any idea|any (?:idea|experience with this))).*$"
        ),
        Frame(
            r"don't (?:really |actually |usually |ever |even )*(?:eat|drink|do|touch|have"
            r"|consume|use|cook with|buy) (?:much |any |a lot of "
            rf"|many )?(?P<v>(?:{FOODS})(?:(?:,| or| and| nor) [\w ]+)?)\b.*$",
            "taste:{v}",
            "dislike",
            "preference",
        ),
        Frame(
            r"don't (?:really |actually |usually |ever |even )*(?P<v>drink|smoke|vape"
            r"|gamble|eat out|watch tv|watch telly|use social media|work (?:on )?\w+days"
            r"|work weekends|do (?:mornings|small talk|drugs))\b.*$",
            "habit:{v}",
            "no",
            "pattern",
        ),
        _taste(
            r"don't (?:really |much |actually |particularly )*(?:get on with"
            r"|get along with|go for|care (?:much )?for|do well with|rate"
            r"|dig) (?P<v>.+?)(?: any ?more| at all| much| either)*$",
            "dislike",
        ),
        _taste(
            r"don't (?:really )?(?:mind) (?P<v>(?!at all|me|if|that|it)\w+ (?:food"
            r"|weather|music))$",
            "like",
        ),
    ),
    "can't": (
        _fact(
            r"can't (?:eat|have|do|drink|tolerate|digest|handle|process|touch"
            r"|consume) (?:any |too much |much |anything with |stuff with |foods? with "
            r"|things with )?"
            rf"(?P<v>(?:{FOODS})(?:(?:,| or| and| nor) [\w ]+)?)\b.*$",
            "allergy:{v}",
            "yes",
        ),
        _taste(
            r"can't (?:really |honestly )?(?:stand|bear|abide|stomach|be doing with"
            r"|be dealing with|get into|do without|live without|resist|get enough of"
            r"|face) (?P<v>.+)$",
            "dislike",
        ),
        _fact(
            r"can't (?P<v>(?:swim|drive|ride a bike|cook|sing|hear|see|walk|whistle|smell"
            r"|run|kneel|lift|read music|bend|raise)\b(?! (?:it|this|that|you"
            r"|the (?:difference|point)|what|why|how|where|any)).*)$"
        ),
    ),
    "find": (
        _taste(
            r"find (?P<v>(?!it|this|that|you|the (?:way|idea)|myself|him|her|them).+?) (?:(?:really|so|too|a bit"
            r"|quite|very|absolutely|incredibly) )*(?:unbearable|boring|disgusting|gross|revolting|dull"
            r"|tedious|overrated|repulsive|stressful|exhausting|insufferable|unwatchable|sickly)$",
            "dislike",
        ),
        _taste(
            r"find (?P<v>(?!it|this|that|you|the (?:way|idea)|myself|him|her|them).+?) (?:(?:really|so|a bit"
            r"|quite|very|absolutely|incredibly) )*(?:relaxing|fascinating|soothing|calming|therapeutic"
            r"|meditative)$",
            "like",
        ),
    ),
    "went": (_fact(rf"went (?:full |fully |totally )?(?P<v>{DIETS})\b.*$", "diet"),),
    "moved": (
        _fact(
            r"moved (?:here |back |over |out |away |house |down |up |across |all the way "
            rf"|in )*(?:from [\w ]+ )?(?:to|into|in with) {PLACE}(?: .*)?$",
            "home",
            check="town",
        ),
        _fact(r"moved (?P<v>(?:in with|out of|back in with) (?:my|our|his|her|him) .+)$"),
        _fact(
            r"moved (?:in)?to (?P<v>(?:an?|our|my) (?:[\w'-]+ )*(?:house|flat|apartment"
            r"|place|studio|farm|village|bungalow|condo|home|cottage|city|town|school"
            r"|team|department|role)\b.*)$"
        ),
    ),
    "grew": (_fact(r"grew up (?P<v>.+)$"),),
    "bought": (
        _fact(rf"bought {_BOUGHT}", "possession:{v}"),
        _fact(rf"bought (?:an? |another |two |some ){_PET}", "pet:{p}", "{n|v}"),
    ),
    "got": (
        _fact(rf"got (?:an? |another |two |three |some |our |my |the )*{_PET}", "pet:{p}", "{n|v}"),
        _fact(rf"got (?:given )?{_BOUGHT}", "possession:{v}"),
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
    "picked": (_fact(rf"picked up {_BOUGHT}", "possession:{v}"),),
    "ordered": (_fact(rf"ordered {_BOUGHT}", "possession:{v}"),),
    "inherited": (_fact(r"inherited (?P<v>(?:an? |my |our |the |some )[\w' -]+)$"),),
    "switched": (
        _fact(
            r"switched (?:over )?(?:from [\w' ]+ )?to (?:an? |the )?(?P<v>(?:[\w'.-]+ ){0,3}(?:"
            + BELONGINGS
            + r")(?: [\w.]+)?)(?: .*)?$",
            "possession:{v}",
        ),
        _fact(
            rf"switched (?:over )?(?:from [\w' ]+ )?to (?:an? )?(?P<v>(?:{DIETS}|oat milk"
            r"|decaf))\b.*$",
            "diet",
        ),
        _fact(
            r"switched (?P<v>(?:jobs|careers|majors?|schools?|universities|to (?:nursing"
            r"|teaching|part[- ]time|night shifts?|nights|days|freelanc\w+|a new \w+)"
            r"|from \w+ to \w+)\b.*)$"
        ),
    ),
    "upgraded": (
        _fact(
            r"upgraded (?:from .+ )?to (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on|so"
            r"|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "swapped": (
        _fact(
            r"swapped (?:my|our) .+ for (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on|so"
            r"|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "traded": (
        _fact(
            r"traded (?:in )?(?:my|our) .+ for (?:an? |the )?(?P<v>.+?)(?: (?:last|this"
            r"|in|on|so|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "replaced": (
        _fact(
            r"replaced (?:my|our) .+ with (?:an? |the )?(?P<v>.+?)(?: (?:last|this|in|on"
            r"|so|and|because)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "sold": (
        _fact(
            r"sold (?:my|our|the) (?:old )?(?P<v>(?:[\w'-]+ ){0,3}?(?:" + BELONGINGS + r"))\b.*$",
            "possession:{v}",
            "sold",
        ),
    ),
    "adopted": (
        _fact(rf"adopted (?:an? |another |two |three |our |my |the )*{_PET}", "pet:{p}", "{n|v}"),
    ),
    "rescued": (
        _fact(rf"rescued (?:an? |another |two |three |our |my )*{_PET}", "pet:{p}", "{n|v}"),
    ),
    "started": (
        _fact(
            r"started (?:(?:working|a (?:new )?(?:job|role|position)|my new (?:job|role)"
            r"|work) )?(?:at|with) (?P<v>[a-z][\w&'.-]*(?: [\w&'.-]+){0,3}?)(?: (?:as|on"
            r"|last|this|in|two|three|yesterday|today|a|and|so|but|back)\b.*)?$",
            "employer",
            check="firm",
        ),
        _fact(
            rf"started (?:as|training as|work as|working as) (?:an? )?(?P<v>[\w' -]+?){ON}",
            "occupation",
        ),
        _fact(rf"started (?:an? |my |our )(?P<v>{_STUDY})\b.*$", "occupation"),
        _fact(
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
        _fact(
            r"took (?P<v>(?:over|on) (?:an? |my |our |the )(?:[\w'-]+ ){0,3}(?:business"
            r"|shop|farm|job|role|team|mortgage|bakery|restaurant|practice|company)\b.*)$"
        ),
        _fact(
            r"took (?P<v>(?:early retirement|redundancy|voluntary redundancy"
            r"|maternity leave|a gap year|a year out|my citizenship)\b.*)$"
        ),
    ),
    "quit": (
        _fact(
            r"quit (?:the )?(?P<v>smoking|drinking|sugar|caffeine|gym|weed|vaping|alcohol"
            r"|social media|facebook|instagram|twitter|gambling)\b.*$",
            "habit:{v}",
            "quit",
        ),
        _fact(
            r"quit (?:my |the |from |working )?(?P<v>(?!game|app|session|program|browser"
            r"|editor|match|server|call|habit|it|that|this)[\w&' -]+)$",
            "employer",
            "none",
        ),
    ),
    "left": (
        _fact(
            r"left (?P<v>[a-z][\w&' -]+?) (?:to (?:join|work|become|start)|for a (?:job"
            r"|role|position)|after \w+ years).*$",
            "employer",
            "none",
        ),
        _fact(
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
        _fact(
            r"gave (?:up )(?P<v>(?!on|hope|trying|and|after|it|looking|at|the (?:idea"
            r"|search))[\w' -]+?)(?: (?:for|last|two|in|this|because|and|when|after|years"
            r"|a)\b.*)?$",
            "habit:{v}",
            "stopped",
        ),
        _fact(r"gave birth\b.*$"),
    ),
    "turned": (
        _fact(r"turned (?P<v>\d{1,2})\b.*$", "age"),
        _fact(r"turned (?P<v>thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?\b.*$", "age"),
    ),
    "turn": (_fact(r"turn (?P<v>\d{1,3}|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b.*$"),),
    "graduated": (_fact(r"graduated\b(?P<v>.*)$"),),
    "studied": (_fact(r"studied (?!hard|it|that|this|for|a lot|with|my|all)(?P<v>[\w'& -]+)$"),),
    "qualified": (_fact(r"qualified (?P<v>(?:as|for|in) .+)$"),),
    "trained": (_fact(r"trained (?P<v>(?:as|at|in) .+)$"),),
    "worked": (
        _fact(
            r"worked (?P<v>(?:at|for|as|in|on|with) (?!it|the moment|that|this|all|my|you"
            r"|out)[\w&' -]+)$"
        ),
    ),
    "lived": (_fact(rf"lived (?:in|on|near|with) {PLACE}(?: .*)?$", check="town"),),
    "married": (_fact(r"married (?P<v>(?:my|an?|in|last|for|\d+|him|her|since) ?.*)$", "partner"),),
    "met": (
        _fact(
            r"met (?P<v>my (?:wife|husband|partner|girlfriend|boyfriend|fianc\w+|best friend)\b.*)$"
        ),
    ),
    "lost": (
        _fact(
            r"lost (?P<v>(?:(?:my|our|his|her) (?:\w+ )?(?:hearing|sight|eyesight"
            r"|sense of \w+|leg|arm|finger|home|house|baby|licen[cs]e|cat|dog|rabbit"
            r"|horse|mum|mom|dad|nan|gran|job|wife|husband|mother|father|brother|sister"
            r"|son|daughter|grandma|grandad|grandpa|grandmother|grandfather)\b.*"
            r"|\d+ ?(?:kg|kilos?|pounds|lbs|stone)\b.*))$"
        ),
    ),
    "became": (
        _fact(
            r"became (?P<v>(?:an? |the |vegan|vegetarian|sober|religious|disabled|deaf"
            r"|blind|diabetic)(?!lot|bit|mess).*)$"
        ),
    ),
    "retired": (_fact(r"retired\b(?P<v>.*)$", "occupation", "retired"),),
    "converted": (_fact(r"converted to (?P<v>.+)$"),),
    "joined": (
        _fact(
            r"joined (?P<v>(?:an? |the |my |our )?(?!call|meeting|server|channel|chat"
            r"|zoom|queue|party|late|you|them|him|her|this|that|it|us)[\w&' -]+)$"
        ),
    ),
    "opened": (
        _fact(
            r"opened (?P<v>(?:an? |my |our )(?!file|new (?:tab|file|window|issue)|ticket"
            r"|issue|pr|account)[\w&' -]+)$",
            "occupation",
        ),
    ),
    "founded": (_fact(r"founded (?P<v>.+)$", "occupation"),),
    "set": (
        _fact(
            r"set up (?P<v>(?:an? |my |our )(?:[\w'-]+ ){0,3}(?:business|company|charity"
            r"|shop|studio|practice|agency))\b.*$",
            "occupation",
        ),
    ),
    "used": (
        _fact(
            r"used to (?P<v>(?:live|work|play|smoke|be|have|teach|study|drink|own|run|do"
            r"|love|like|hate|drive|go|sing|write|dance|swim|train|weigh|compete|row|box"
            r"|fence|coach|paint|collect|keep|grow|eat|race|ride|speak|wear"
            r"|manage)\b(?! (?:it|that|this|so|able|here)\b).*)$"
        ),
    ),
    "need": (
        _fact(
            r"need (?P<v>(?:glasses|reading glasses|a wheelchair|hearing aids?"
            r"|a walking stick|crutches|subtitles|wheelchair access|step-free access"
            r"|a ground[- ]floor room|large print|\d+ hours of sleep)\b.*)$"
        ),
    ),
    "love": (
        _taste(
            r"love (?:to (?!see|hear|know|get|have|try|be|learn|hear|talk|chat|discuss)"
            r"|going |the )?(?P<v>.+)$",
            "like",
        ),
    ),
    "hate": (_taste(r"hate (?:the |having to |being )?(?P<v>.+)$", "dislike"),),
    "swear": (_taste(r"swear by (?P<v>(?!it|this|that).+)$", "like"),),
    "adore": (_taste(r"adore (?P<v>.+)$", "like"),),
    "crave": (_taste(r"(?:always )?crave (?P<v>.+)$", "like"),),
    "despise": (_taste(r"despise (?P<v>.+)$", "dislike"),),
    "want": (
        _fact(
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
        _taste(
            r"would (?:much |always |far |honestly )*(?:rather|sooner) (?:have |eat "
            r"|drink |take |read |watch |be |go |do )?(?P<v>.+?) (?:than|over) .+$",
            "like",
        ),
        _taste(r"would (?:always )?(?:choose|pick|take) (?P<v>.+?) over .+$", "like"),
        _taste(r"would (?:never|not) (?:eat|drink|wear|touch|go near) (?P<v>.+)$", "dislike"),
    ),
    "will": (
        _taste(
            r"will (?:always )?(?:take|choose|pick|have|go for) (?P<v>.+?)(?: over .+"
            r"| every (?:single )?time| any day\b.*)$",
            "like",
        ),
    ),
    "celebrate": (_fact(r"celebrate (?P<v>(?!it|that|this|my|our|his|her|with)[\w' ]+)$"),),
    "observe": (
        _fact(
            r"observe (?P<v>(?:ramadan|lent|shabbat|sabbath|passover|yom kippur"
            r"|the sabbath|jewish|muslim)\b.*)$"
        ),
    ),
    "fast": (
        _fact(r"fast (?P<v>(?:every|on|during|for|in|until|from|once|twice) .+)$", "habit:fast"),
    ),
    "homebrew": (_fact(r"homebrew\b.*$"),),
    "hold": (
        _fact(
            r"hold (?P<v>an? (?:[\w' -]+ )?(?:degree|ph\.?d|master'?s|mba|passport"
            r"|citizenship|black belt|licen[cs]e|visa|diploma|world record|record)\b.*)$"
        ),
    ),
    "come": (_fact(r"come from (?:an? )?(?P<v>(?!the idea|it|that|this).+)$"),),
    "hail": (_fact(rf"hail from {PLACE}{ON}", "hometown", check="town"),),
    "switch": (),
}
"""By the verb that a predicate begins with."""
