"""What lasts of what people say in English that they are, were and have.

Patterns as in rule_patterns_en, by the verb that stands first: tried where no narrower one fits.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_general_parts_en import (
    BOUGHT,
    NOT_THIS,
    PET,
    SINCE,
    STUDY,
    lasting,
    liking,
)
from chatmem.extraction.rule_parts_en import COUNT, FIRM, ON, PLACE
from chatmem.extraction.rule_words_en import (
    AILMENTS,
    DIETS,
    DRUGS,
    INSTRUMENTS_AND_SPORTS,
    LANGUAGES,
    OCCUPATIONS,
    TRADES,
    TRAITS,
)

STATES_GENERAL: Final[Frames] = {
    "am": (
        lasting(r"am (?:self-taught|homeschooled|ex-(?:army|navy|military|police))\b.*$"),
        lasting(r"am (?:retraining|training) (?:as|to be) (?:an? )?(?P<v>[\w -]+)$", "occupation"),
        lasting(
            r"am (?:an? |in my )(?:first|second|third|fourth|fifth|final"
            r"|last)[- ]year (?:[\w ]+? )?(?:at|of|in)"
            r" (?P<v>[\w' ]+?)(?: (?:doing|studying|reading)\b.*)?$",
            "school",
        ),
        lasting(
            r"am (?:currently |now )?working (?:in|with) (?P<v>[a-z][\w&.-]*(?: [a-z][\w&.-]*)?)"
            r"(?: (?:since|for|from|as)\b.*)?$",
            "employer",
            check="name",
        ),
        liking(
            r"am (?:more of )?(?:an? )?(?:(?:big|huge|real|total|massive|major|proper|serious|avid"
            r"|bit of a|complete|such a|hardcore|definite|true) )*(?P<v>(?!night|early"
            r"|morning)[\w-]+"
            r"(?: [\w-]+)?) (?:lover|fan|addict|enthusiast|nerd|geek|buff|nut|junkie|fiend|fanatic"
            r"|aficionado|snob|obsessive)\b.*$",
            "like",
        ),
        liking(
            r"am (?:not|never|no) (?:been )?(?:really |much of )?(?:an? "
            r"|that big an? )?(?:big |huge )?"
            r"(?P<v>(?!an? |morning|people|nice|bad|good|religious"
            r"|very)[\w-]+(?: [\w-]+)?) (?:person|fan"
            r"|lover|drinker|eater|guy|girl)\b.*$",
            "dislike",
        ),
        liking(
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
        liking(
            r"am (?:(?:really|very|super|totally|big|so|pretty|quite|properly|completely|absolutely"
            r"|a bit|currently) )*(?:hooked on|big on|partial to|mad (?:about|on|for)|nuts about"
            r"|devoted to|fascinated by|addicted to|into|obsessed with|crazy (?:about|for)"
            r"|all about|wild about) (?P<v>.+)$",
            "like",
        ),
        liking(
            r"am (?:not|never|no longer) (?:(?:really|very|that|so|too|super|big|much"
            r"|exactly|at all"
            r"|a bit) )*(?:into|big on|partial to|mad about|keen on|bothered about|crazy about"
            r"|interested in|fond of|one for|a fan of) (?P<v>.+)$",
            "dislike",
        ),
        liking(
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
        lasting(
            r"am (?:(?:severely|very|highly|mildly|slightly|also|quite|a bit|extremely|fairly|badly"
            r"|super|really|pretty|deathly) )*(?:intolerant to|sensitive to"
            r"|allergic to) (?P<v>[\w' -]+)$",
            "allergy:{v}",
            "yes",
        ),
        lasting(
            r"am (?:(?:severely|very|highly|mildly|slightly|also|quite) )*(?P<v>[\w]+)"
            rf"[- ](?:intolerant|sensitive){ON}",
            "allergy:{v}",
            "yes",
        ),
        lasting(
            r"am (?:pretty much |basically |mostly |strictly |fully |practically "
            r"|more or less |almost"
            rf" |about |largely |kind of |\d+% )*(?:an? )?(?P<v>{DIETS})\b.*$",
            "diet",
        ),
        lasting(
            r"am (?:(?:an? |the |now an? |currently an? )(?:[\w'-]+ "
            rf"){{0,3}}?)?(?P<v>(?:(?!being|having|doing|getting|going|looking|trying"
            rf"|thinking)[\w-]+ )?(?:{TRADES}))(?:,? (?:at|in|for|of"
            r"|from|with|on|who|by|and|but|so|here|currently|now|based|working|since"
            r"|these|specializ"
            r"|specialis|myself|to|too)\w*\b.*)?$",
            "occupation",
        ),
        lasting(
            r"am (?:an? |the |pretty |very |quite |rather |also |a bit |so "
            rf"|fairly )*(?:{TRAITS})\b.*$"
        ),
        lasting(
            r"am (?:about |around |exactly |only )?(?P<v>\d ?(?:foot|feet|ft|') ?(?:\d{1,2}(?:\"|''"
            r"| ?inches| ?in)?)?|\d\.\d+ ?m(?:eters|etres)?|1m\d\d|\d{3} ?cm)(?: tall)?\b.*$",
            "height",
        ),
        lasting(r"am (?P<v>\d{1,3} ?(?:kg|kilos|pounds|lbs|stone))\b.*$", "weight"),
        lasting(
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
        lasting(
            r"am (?:on|taking|prescribed) (?P<v>(?:(?:\d+ ?mg|a|the|daily|low[- ]dose|my"
            r"|some) (?:of )?)*"
            rf"(?:{DRUGS}))\b.*$"
        ),
        lasting(r"am on (?:an? |the )?(?P<v>[\w -]+?) diet\b.*$", "diet"),
        lasting(
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
        lasting(
            r"am (?:currently |now |also |still )*(?:doing|studying|pursuing|taking"
            r"|finishing|on|getting"
            r"|starting|completing|halfway through|reading for|working (?:on|towards)"
            r"|in the middle of)"
            rf" (?:an? |my |his |her |the |their )?(?P<v>{STUDY})\b(?! (?:of action)).*$"
        ),
        lasting(
            r"am (?:currently |now |also |still )*(?:studying|majoring in|minoring in|reading"
            rf") (?!for\b|hard|a lot|{NOT_THIS[3:-1]}|the\b|my\b|about|on\b|up\b|books|an?\b)"
            r"(?P<v>[a-z][\w'& -]+)$",
            "major",
            check="thing",
        ),
        lasting(
            r"am (?:currently |now |also |still |trying to |slowly )*(?:learning|studying"
            r"|relearning) (?:to"
            rf" speak |to read )?(?P<v>{LANGUAGES})\b.*$",
            "language:{v}",
            "learning",
        ),
        lasting(
            r"am (?:currently |now |also |still |slowly |finally )*(?:learning"
            r"|teaching myself)(?: how)?"
            rf"(?: to)? {NOT_THIS}(?!(?:more |a lot |much |so much |about |from |of )\b)"
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
        lasting(
            rf"am (?:currently |now |also |still )*(?:living|staying|based|renting) in {PLACE}{ON}",
            "home",
            check="town",
        ),
        lasting(
            r"am (?:currently |now |also |still |just )*(?:living|sharing|renting|staying"
            r"|moving in) "
            r"(?P<v>(?:alone|with (?:my|his|her|two|three|a|an) .+|an? (?:\w+ )*(?:flat"
            r"|house|apartment"
            r"|room|studio)\b.*|by myself|on (?:my own|a) .*))$"
        ),
        lasting(
            r"am (?:currently |now |also |still )*(?:working|employed|interning"
            r"|contracting) (?:at|for"
            rf"|with) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        lasting(
            r"am (?:currently |now |also |still )*(?:working as|training (?:as"
            r"|to be(?:come)?)|studying to"
            r" be(?:come)?|apprenticed as) (?:an? )?(?P<v>[\w -]+)$",
            "occupation",
        ),
        lasting(
            r"am (?:currently |now |also |still )*(?:(?:running|managing|building|writing"
            r"|growing|seeing"
            r"|preparing for|restoring|renovating) (?=(?:an?|my|our|two|some) )"
            r"|(?:teaching|coaching|fostering"
            r"|homeschooling|raising|caring for|breeding|dating|volunteering"
            r"|recovering from|undergoing"
            r"|saving(?: up)? for|training for) |going through (?=(?:an? |my "
            r"|the )?(?:divorce|chemo|ivf"
            rf"|menopause|break-?up|separation))){NOT_THIS}(?!an? (?:doctor|problem|issue"
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
        lasting(
            r"am (?:currently |actively |now |still )*(?:trying|hoping|aiming"
            r"|working) to (?P<v>(?:quit|lose"
            r"|gain|save|learn|conceive|get (?:pregnant|fit|in shape|into|better at)|cut"
            r"|eat (?:less|more"
            r"|fewer|healthier)|run|stop|give up|drink (?:less|more)|become|buy (?:a|our|my)"
            r"|read (?:more|\d+)|reduce|improve my|have a baby|build up|switch to)\b.*)$",
            "plan:{v}",
            "yes",
        ),
        lasting(
            r"am (?:due|expecting)(?: (?:a|our|my|in|on|twins|another|at|the|any day|next"
            r"|this)\b.*)?$"
        ),
        lasting(
            r"am (?:the )?(?:oldest|youngest|eldest|middle|only|second|third) (?:of .+"
            r"|child|sibling|son"
            r"|daughter|one|kid)\b.*$"
        ),
        lasting(
            r"am (?:a |an )?(?P<v>she|he|woman|man|girl|boy|guy|female|male|trans \w+"
            r"|non-?binary)(?:,.*| (?:not|so|and|but)\b.*)?$",
            "gender",
        ),
        lasting(r"am (?:married|engaged|divorced|separated|widowed)\b.*$", "partner", "{what}"),
        lasting(
            r"am (?:retired|self-employed|unemployed|freelance|between jobs|out of work"
            r"|on (?:\w+ )?(?:leave|disability|sick leave|benefits|a gap year"
            r"|sabbatical))\b.*$",
            "occupation",
            "{what}",
        ),
        lasting(
            r"am (?:the |an? |a single |a busy |a new |a proud |a working )?(?:mum|mom"
            r"|dad|mother|father|parent|grandmother|grandfather|grandma|grandpa|carer"
            r"|guardian|owner|aunt|uncle|godmother|godfather)s? (?:of|to|for) .+$"
        ),
        lasting(rf"am (?:in|not in) {PLACE} any ?more$", "home", "not {v}", check="town"),
        lasting(
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
        lasting(
            r"am not (?:really |much of )?an? (?:morning|people|night|social|patient"
            r"|religious|city|numbers|spiritual) person\b.*$"
        ),
        lasting(rf"am playing (?P<v>{INSTRUMENTS_AND_SPORTS})\b.*$", "habit:play {v}", "yes"),
        lasting(r"am (?:bilingual|trilingual|fluent in|a native|a polyglot)\b.*$"),
        lasting(
            r"am (?:terrible|hopeless|useless|rubbish|no good|really good|great|good|bad"
            r"|awful) (?:at|with) (?P<v>(?!this|that|it|explaining|these)[\w -]{3,30})$"
        ),
        lasting(rf"am (?:just )?in {PLACE} (?:{SINCE})$", "home", check="town"),
        lasting(
            rf"am (?:at|with) {FIRM} (?:for|since|the (?:past|last)|as) .*$",
            "employer",
            check="name",
        ),
        lasting(
            rf"am (?:from|out of|over in|up in|down in|based around) {PLACE}{ON}", check="town"
        ),
    ),
    "was": (
        lasting(r"was (?:raised|brought up) (?:by|in|on|as) (?P<v>.+)$"),
        lasting(
            r"was (?:just |recently |finally |originally |later |also "
            r"|first )*(?P<v>(?:diagnosed|adopted|raised|brought up|born|widowed|orphaned"
            r"|bullied|promoted|laid off|made redundant|sacked|fired|let go|accepted"
            r"|admitted|hired|deported|injured|prescribed|told i have|transferred|posted"
            r"|elected|awarded)\b.*)$"
        ),
        lasting(
            r"was (?:once |formerly |previously )?(?:an? "
            rf"|the )(?:[\w'-]+ ){{0,3}}?(?:{TRADES}|{OCCUPATIONS})"
            r"(?: (?:in|at|for|with|before|until|back|of|when|all|most)\b.*)?$"
        ),
    ),
    "have": (
        lasting(r"have (?:got )?type (?P<v>1|2|one|two)(?: diabetes)?$"),
        lasting(
            rf"have been (?:over |up |down )?in {PLACE} (?:for|since|the (?:past|last)) .*$",
            "home",
            check="town",
        ),
        lasting(
            r"have been (?:at|with) (?P<v>[a-z][\w&.'-]*(?: [\w&.'-]+){0,2}?) (?:for|since) .*$",
            "employer",
            check="name",
        ),
        lasting(rf"have gone (?:full |fully |totally )?(?P<v>{DIETS})\b.*$", "diet"),
        lasting(
            r"have (?:got |had |also |always had |just been given )*(?:an? |my |some "
            r"|this |the |two |both |very |really )*(?:\w+ ){0,3}?"
            rf"(?:{AILMENTS})\b(?! (?:from (?:all|this|that|reading|looking)|today"
            r"|right now|rn|tonight|this morning)).*$"
        ),
        lasting(
            r"have (?:got |had )?(?:an? |a really |a very |a severe |a mild "
            r"|a bad )?(?P<v>(?:[\w]+ )?[\w]+) (?:allergy|allergies|intolerance"
            r"|sensitivity)\b.*$",
            "allergy:{v}",
            "yes",
        ),
        lasting(
            r"have (?:got )?an? (?P<v>\d+|\w+)[- ](?:year|yr|month"
            r"|week)s?[- ]old(?: (?:son|daughter|boy|girl|kid|toddler|baby|child|and .*"
            r"|who .*|at home|called .*|named .*|now))*$",
            "children",
            "{what}",
        ),
        lasting(
            r"have (?:got )?(?P<v>an? (?:\w+ )?(?:teenager|toddler|newborn|baby|grandson"
            r"|granddaughter|grandchild|stepson|stepdaughter|stepchild)|a (?:son|daughter"
            r"|boy|girl|kid))\b.*$",
            "children",
        ),
        lasting(
            rf"have (?:got )?(?P<v>{COUNT} (?:[\w'-]+ ){{0,3}}?(?:siblings?|sisters?"
            r"|brothers?|cousins|roommates?|flatmates?|housemates?|exes|nieces"
            r"|nephews))\b.*$"
        ),
        lasting(rf"have (?:got )?{COUNT} {PET}", "pet:{p}", "{n|v}"),
        lasting(rf"have (?:got )?{BOUGHT}", "possession:{v}"),
        lasting(rf"have (?:got )?(?:an? |my |two )(?P<v>{STUDY}) (?:in|from|at)\b.*$"),
        lasting(
            r"have (?:got )?(?:an? )?(?:background|degree|phd|ph\.d|qualification"
            r"|certificate) in (?P<v>.+)$"
        ),
        lasting(
            r"have (?:got )?(?:about |over |nearly |around |almost )?(?P<v>(?:\d+|two"
            r"|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
            r"|twenty)\+? years?(?:'|s')? (?:of )?(?:experience|as an?)\b.*)$"
        ),
        lasting(
            r"have (?:got )?(?:an? )?(?:really |very |terrible |bad |huge |big |slight "
            r"|mild |crippling |real )*(?:fear|phobia) of (?P<v>.+)$",
            "taste:{v}",
            "dislike",
        ),
        liking(
            r"have (?:got )?a (?:real |huge |massive |bit of a )?(?:soft spot|weakness"
            r"|thing|passion|love|obsession) (?:for|with) (?P<v>.+)$",
            "like",
        ),
        lasting(
            r"have (?:got )?(?:an? )?(?P<v>(?:(?:very|really|naturally|super|quite"
            r"|extremely) )?(?:blue|green|brown|hazel|gr[ae]y|red|blond[e]?|black|curly"
            r"|long|short|straight|dark|ginger|wavy|thick|fine|thin|dry|oily|sensitive"
            r"|combination|pale|fair|olive|flat|wide|narrow|afro|coily|frizzy"
            r"|4c)(?:[ ,-]+(?:and )?\w+){0,2} (?:hair|eyes|skin|feet|beard|scalp))\b.*$"
        ),
        lasting(
            r"have (?:got )?(?P<v>no (?:kids|children|siblings|sense of smell|car"
            r"|licen[cs]e|pets|oven|dishwasher|garden|tv|microwave|washing machine"
            r"|gallbladder|spleen|appendix)\b.*)$"
        ),
        lasting(
            r"have (?:been with|been married to|been together|been dating|been seeing|known) .+$"
        ),
        lasting(
            r"have (?:lost|had) (?:my|an?|two|three) (?:\w+ )?(?:job|mum|mom|dad|mother"
            r"|father|operation|surgery|miscarriage|c-section|stroke|transplant|bypass"
            r"|hip replacement|knee replacement|pacemaker|stent|hysterectomy|root canal"
            r"|heart attack|baby)\b.*$"
        ),
        lasting(
            r"have never (?:driven|flown|learned|learnt|smoked|drunk|been (?:abroad"
            r"|on a plane|outside)|owned|eaten|touched alcohol|ridden|swum)\b.*$"
        ),
        lasting(
            r"have (?:coffee|tea|breakfast|porridge|oats|dinner|lunch|therapy"
            r"|band practice|training|choir|lessons|custody|the kids)\b.*$"
        ),
        lasting(
            r"have (?:an? |my )(?P<v>(?:[\w-]+ )?(?:podcast|blog|youtube channel"
            r"|etsy (?:shop|store)|newsletter|food truck|stall|side hustle|side business"
            r"|shop|cafe|bakery|farm|salon|business|company|startup|studio|practice))\b.*$",
            "occupation",
        ),
        lasting(
            r"have (?:an? )?(?P<v>(?:[\w-]+ )?(?:gym membership|season ticket|mortgage"
            r"|visa|green card|work permit|passport|licen[cs]e|residence permit"
            r"|citizenship|tattoos?|piercings?|pacemaker|prosthetic \w+|hearing aids?"
            r"|braces|stutter|lisp|guide dog|service dog|cochlear implant|sweet tooth"
            r"|photographic memory|black belt))\b.*$"
        ),
    ),
}
"""By the verb that a predicate begins with."""
