"""What lasts of what people say in English that they do.

Patterns as in rule_patterns_en, by the verb that stands first: tried where no narrower one fits.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_general_parts_en import (
    NOT_THIS,
    PET,
    lasting,
    liking,
)
from chatmem.extraction.rule_parts_en import COUNT, FIRM, ON
from chatmem.extraction.rule_words_en import (
    AILMENTS,
    BELONGINGS,
    CLASSES,
    CRAFTS,
    DIETS,
    DRUGS,
    FOODS,
    LANGUAGES,
)

DOINGS_GENERAL: Final[Frames] = {
    "live": (
        lasting(
            r"live (?P<v>(?:alone|by myself|on my own|with|on|at|above|next to|near"
            r"|outside|off|between|just|about|in an?|in the|in my|in our|in student"
            r"|in halls|rurally|abroad|round the corner|opposite|out in|within|under"
            r"|close to|by the|\d+|half an hour|ten minutes|an hour)\b.+|alone|rurally"
            r"|abroad)$"
        ),
    ),
    "work": (
        lasting(
            r"work (?:mainly |mostly |part[- ]time |full[- ]time |remotely |nights "
            rf"|evenings |weekends )*as (?:an? |the )?(?P<v>[a-z][\w '/-]+?){ON}",
            "occupation",
        ),
        lasting(
            r"work (?:mainly |mostly |part[- ]time |full[- ]time |remotely |nights "
            rf"|evenings |weekends |down |over |up )*(?:at|for) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        lasting(
            r"work in (?:an? |the )?(?P<v>(?!progress|silence|peace|order|a hurry|bed|my"
            r"|your|groups?|teams?|pairs|python|java\b|the (?:morning|evening|afternoon"
            r"|same))[\w&' -]+)$",
            "occupation",
            check="firm",
        ),
        lasting(
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
        lasting(
            r"teach (?!you|me\b|him|her|them|us|myself|people|it|that|this|how|my (?:son"
            r"|daughter|kids?|dog|children))(?P<v>[\w' &/-]+(?: (?:at|in|to|for)\b.*)?)$",
            "occupation",
        ),
    ),
    "run": (
        lasting(
            r"run (?:an? |my |our |the )(?:own )?(?!risk|script|test|command|program"
            r"|query|code|business by|errand|virtual|server|command|job|marathon|half"
            r"|local|few|lot|\w+ (?:script|server|query|test"
            r"|program))(?P<v>(?:[\w'-]+ ){0,5}?[\w'-]+(?: (?:in|at|for|with|called|from"
            r"|on|near)\b.*)?)$",
            "occupation",
        ),
    ),
    "manage": (
        lasting(
            r"manage (?P<v>(?:an? |the |our |my )?(?!to\b|time|stress|it|my (?:time"
            r"|stress|anxiety))[\w' -]+)$",
            "occupation",
        ),
    ),
    "own": (
        lasting(rf"own {COUNT} {PET}", "pet:{p}", "{n|v}"),
        lasting(
            r"own (?P<v>(?:an? |my |two |three |no |several |some )?(?!it|this|that"
            r"|up)[\w' -]{3,60})$",
            "possession:{v}",
        ),
    ),
    "rent": (lasting(r"rent (?P<v>(?:an? |my |our |out |in |from )[\w' -]+)$"),),
    "share": (
        lasting(
            r"share (?P<v>(?:an? |my |the |our )(?:[\w-]+ )*(?:flat|house|apartment|room"
            r"|office|car|kitchen|bathroom|bedroom|place|garden|bed)\b.*)$"
        ),
    ),
    "keep": (
        lasting(
            r"keep (?P<v>(?:(?:a few|some|two|three|four|five|six|\d+|my own) )?(?:bees"
            r"|chickens|hens|ducks|goats|sheep|pigs|quails?|horses|rabbits|tropical fish"
            r"|fish|axolotls|reptiles|snakes|tarantulas|pigeons|halal|kosher"
            r"|kosher at home|shabbat|a (?:diary|journal|bullet journal)|koi"
            r"|stick insects|alpacas)\b.*)$"
        ),
    ),
    "grow": (
        lasting(
            r"grow (?P<v>(?:my own |our own |some )?(?!up|old|tired|apart|in\b|as\b|more"
            r"|and\b|stronger|out)[\w' -]+)$",
            "habit:grow {v}",
            "yes",
        ),
    ),
    "raise": (
        lasting(
            r"raise (?P<v>(?:two|three|my|our|a|chickens|goats|sheep|cattle|pigs|kids) ?[\w' -]*)$"
        ),
    ),
    "breed": (lasting(r"breed (?P<v>[\w' -]+)$"),),
    "foster": (lasting(r"foster (?P<v>[\w' -]+)$"),),
    "coach": (lasting(r"coach (?P<v>(?!me|you)[\w' -]+)$", "occupation"),),
    "speak": (
        lasting(rf"speak (?P<v>(?:[\w ]+ )?(?:{LANGUAGES}))\b.*$", "language:{v}", "speaks"),
    ),
    "drive": (
        lasting(
            r"drive (?:an? |my |our )(?P<v>(?!lot|hard|long|bargain|point|few|hour|while"
            r"|wedge|car\b)[\w' .-]{2,40}?)(?: (?:and|but|so|to|for|with|which|that"
            r"|because|since|at)\b.*)?$",
            "possession:{v}",
        ),
        lasting(
            r"drive (?P<v>(?:to work|an automatic|manual|for (?:uber|lyft|a living"
            r"|doordash|amazon|ups|a).*|(?:trucks|buses|trains|trams|lorries|taxis"
            r"|forklifts)\b.*|\d+ (?:km|miles|minutes|hours).*))$"
        ),
    ),
    "ride": (
        lasting(
            r"ride (?:an? |my )?(?P<v>(?:[\w'-]+ ){0,3}(?:motorbike|motorcycle|bike"
            r"|horses?|horseback|scooter|harley|vespa|ducati|triumph|unicycle|e-bike"
            r"|royal enfield)\b.*)$"
        ),
    ),
    "play": (
        lasting(
            r"play (?:the |a bit of |some |a lot of |in an? |for "
            rf"|competitive )*(?P<v>{NOT_THIS}(?!with|around|every|on\b|again|well|along"
            r"|a (?:role|game|part|big)|role|devil|dumb|my|games? with|as\b|music"
            rf"|it\b)[\w' -]{{3,50}})$",
            "habit:play {v}",
            "yes",
        ),
    ),
    "collect": (
        liking(r"collect (?!it|them|my|the|that|this|data|information)(?P<v>[\w' -]+)$", "like"),
    ),
    "suffer": (
        lasting(
            r"suffer (?:\w+ )?(?:from|with) (?:an? |my |really |bad |severe |chronic "
            r"|terrible )*(?P<v>[\w' -]+)$"
        ),
    ),
    "struggle": (
        lasting(
            rf"struggle with (?:my |severe |chronic )?(?:{AILMENTS}|weight|insomnia"
            r"|spelling|reading)\b.*$"
        ),
    ),
    "get": (
        lasting(
            r"get (?:really |very |terribly |quite |so |badly |super |horribly |bad "
            r"|terrible |awful |chronic |frequent |regular |horrible |the "
            r"|a lot of )*(?P<v>(?:seasick|carsick|car sick|sea sick|travel ?sick"
            r"|motion sick\w*|migraines?|hay ?fever|airsick|vertigo|heartburn|cold sores"
            r"|panic attacks|hives|sunburned|sunburnt|nosebleeds|nervous (?:flying"
            r"|on planes)|claustrophobic|reflux|eczema|cramps|anxious (?:in|around"
            r"|about) [\w ]+))\b(?! (?:from|when) (?:this|that|it)).*$"
        ),
        lasting(
            r"get (?P<v>(?:up|to work|home|the (?:bus|train|tube|metro)|off work"
            r"|paid) (?:at|around|by|on|every|before) .+)$"
        ),
    ),
    "take": (
        lasting(rf"take (?P<v>(?:[\w]+ ){{0,3}}(?:{DRUGS}))\b.*$"),
        lasting(
            r"take (?:my |an? |the )?(?P<v>(?:\w+ ){0,2}(?:lessons|classes))\b.*$",
            "habit:{v}",
            "yes",
        ),
        liking(
            r"(?:take|have) (?:my )?(?P<v>(?:coffee|tea|steak|eggs|whisk(?:e)?y|martini) .+)$",
            "like",
        ),
    ),
    "use": (
        lasting(
            r"use (?P<v>(?:an? |my )?(?:wheelchair|walking stick|cane|crutches"
            r"|hearing aids?|inhaler|cpap(?: machine)?|insulin pump|screen ?reader|walker"
            r"|prosthe\w+|mobility scooter|rollator|stoma|epipen|braille)\b.*)$"
        ),
        lasting(r"use (?P<v>[\w/]+(?:/[\w]+)?) pronouns\b.*$", "pronouns"),
        lasting(
            rf"use (?:an? |my )(?P<v>(?:[\w'.-]+ ){{0,4}}(?:{BELONGINGS})(?: [\w.]+)?)(?: "
            r"(?:for|and|so|but|at|with|to|on)\b.*)?$",
            "possession:{v}",
        ),
    ),
    "wear": (
        lasting(
            r"wear (?:an? |my |the )?(?P<v>(?:(?:a )?(?:uk |us |eu |women'?s "
            r"|men'?s )?(?:size|shoe size) [\w./ -]+|(?:[\w-]+ )?(?:glasses|contacts"
            r"|contact lenses|hearing aids?|hijab|turban|kippah|braces|varifocals"
            r"|dentures|wig|prosthe\w+|headscarf|niqab|patka|retainer|insulin pump"
            r"|orthotics|insoles)\b.*|(?:an? )?\d+[\w./ -]* (?:shoe|in shoes)))$"
        ),
    ),
    "weigh": (
        lasting(
            r"weigh (?:about |around |roughly |in at |just |over |under |nearly "
            r"|currently )*(?P<v>\d[\w. ]*)(?:,.*)?$",
            "weight",
        ),
    ),
    "smoke": (
        lasting(
            r"smoke(?P<v>(?: (?:a|about|around|\d+|two|ten|twenty|weed|cigars|roll|only"
            r"|like|half|socially)\b.*)?)$",
            "habit:smoke",
            "yes",
        ),
    ),
    "vape": (lasting(r"vape\b(?P<v>.*)$", "habit:vape", "yes"),),
    "follow": (
        lasting(
            rf"follow (?:an? |the )?(?:strict )?(?P<v>(?:[\w-]+ )?(?:{DIETS}|low[- ]\w+"
            r"|fodmap|mediterranean|dash|high[- ]protein)(?: diet)?)\b.*$",
            "diet",
        ),
        liking(
            r"follow (?P<v>(?:formula (?:1|one)|f1|football|cricket|the nba|nba"
            r"|premier league|rugby|baseball|tennis|la liga|the nfl|ipl)\b.*)$",
            "like",
        ),
    ),
    "support": (
        liking(
            r"support (?P<v>(?!the (?:idea|team|decision)|this|that|it|my|his|her|a\b"
            r"|an\b|him|them|you)[a-z][\w' ]+?)(?: (?:and|so|but|since)\b.*)?$",
            "like",
        ),
    ),
    "root": (liking(r"root for (?P<v>[\w' ]+)$", "like"),),
    "eat": (
        lasting(
            r"eat (?P<v>(?:halal|kosher|vegan|vegetarian|veggie|plant[- ]based"
            r"|gluten[- ]free|keto|paleo|low[- ]carb|dairy[- ]free|pescatarian|only .+"
            r"|mostly .+|no .+|strictly .+|very little .+))\b.*$",
            "diet",
        ),
    ),
    "avoid": (
        liking(
            rf"avoid (?:all |any |eating )*(?P<v>(?:{FOODS})(?:(?:,| and| or) [\w ]+)?)\b.*$",
            "dislike",
        ),
    ),
    "study": (
        lasting(
            r"study (?!hard|it|that|this|for|a lot|every|with|in\b|on\b|my|at\b|the\b"
            r"|about)(?P<v>[a-z][\w'& -]+)$",
            "major",
            check="thing",
        ),
    ),
    "major": (lasting(r"major in (?P<v>.+)$", "major"),),
    "attend": (
        lasting(
            r"attend (?P<v>(?:[\w'.-]+ ){0,5}(?:university|college|school|academy|uni"
            r"|church|mosque|temple|synagogue|group|classes)\b.*)$"
        ),
    ),
    "belong": (lasting(r"belong to (?P<v>(?:an? |the )[\w' -]+)$"),),
    "freelance": (lasting(r"freelance\b(?P<v>.*)$", "occupation", "freelance"),),
    "specialise": (lasting(r"speciali[sz]e in (?P<v>.+)$", "occupation"),),
    "specialize": (lasting(r"speciali[sz]e in (?P<v>.+)$", "occupation"),),
    "practise": (
        lasting(
            r"practi[sc]e (?P<v>(?:law|medicine|yoga|judo|karate|islam|judaism|buddhism"
            r"|meditation|tai chi|\w+ law|dentistry|aikido|taekwondo|kung fu|bjj"
            r"|jiu[- ]jitsu)\b.*)$"
        ),
    ),
    "practice": (
        lasting(
            r"practi[sc]e (?P<v>(?:law|medicine|yoga|judo|karate|islam|judaism|buddhism"
            r"|meditation|tai chi|\w+ law|dentistry|aikido|taekwondo|kung fu|bjj"
            r"|jiu[- ]jitsu)\b.*)$"
        ),
    ),
    "identify": (lasting(r"identify as (?P<v>.+)$"),),
    "care": (
        lasting(
            r"care for (?P<v>(?:my|our|his|her|a) (?:\w+ ){0,3}(?:mother|father|mum|mom"
            r"|dad|parents|grandmother|wife|husband|son|daughter|gran|nan|grandma"
            r"|grandfather|grandpa|brother|sister|aunt|uncle|partner)\b.*)$"
        ),
    ),
    "look": (
        lasting(
            r"look after (?P<v>(?:my|our|a|two|three) (?:\w+ ){0,3}(?:mother|father|mum"
            r"|mom|dad|parents|grandmother|wife|husband|gran|nan|grandma|grandkids"
            r"|grandchildren|grandson|granddaughter|niece|nephew|toddler|kids|horses"
            r"|goats)\b.*)$"
        ),
    ),
    "homeschool": (lasting(r"homeschool\b.*$"),),
    "earn": (lasting(r"earn (?:about |around |roughly )?(?P<v>[\d£$€].+)$", "income"),),
    "commute": (lasting(r"commute\b(?P<v>.+)$", "habit:commute", "yes"),),
    "go": (
        lasting(
            r"go to (?P<v>(?:the )?(?!school|college|university|uni\b)(?:[\w'.-]+ ){1,4}"
            r"(?:university|college|school|academy|primary|high))(?: (?:in|and|but|so)\b.*)?$",
            "school",
        ),
        lasting(
            r"go to (?P<v>(?:the )?(?!school|college|university|bed|work|the (?:gym|shop"
            r"|store))(?:[\w'.-]+ ){0,4}(?:university|college|school|academy|church"
            r"|mosque|synagogue|temple))\b.*$"
        ),
        lasting(
            r"go by (?P<v>(?!car|bus|train|bike|plane|foot|the|my|a\b|far|fast|quickly"
            r"|it\b)[a-z][\w'-]*)(?: .*)?$",
            "nickname",
            check="name",
        ),
    ),
    "do": (
        lasting(
            r"do (?:some |a bit of |a lot of |my |mostly "
            rf"|mainly )?(?P<v>(?:[\w/-]+ ){{0,2}}?(?:{CRAFTS}|{CLASSES}|shift work|nights"
            r"|night shifts|shifts|freelance\b.*|consulting|research|intermittent fasting"
            r"|ux \w+|ui \w+|keto|volunteering))\b.*$",
            "habit:{v}",
            "yes",
        ),
    ),
    "don't": (
        lasting(
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
        liking(
            r"don't (?:really |much |actually |particularly )*(?:get on with"
            r"|get along with|go for|care (?:much )?for|do well with|rate"
            r"|dig) (?P<v>.+?)(?: any ?more| at all| much| either)*$",
            "dislike",
        ),
        liking(
            r"don't (?:really )?(?:mind) (?P<v>(?!at all|me|if|that|it)\w+ (?:food"
            r"|weather|music))$",
            "like",
        ),
    ),
    "can't": (
        lasting(
            r"can't (?:eat|have|do|drink|tolerate|digest|handle|process|touch"
            r"|consume) (?:any |too much |much |anything with |stuff with |foods? with "
            r"|things with )?"
            rf"(?P<v>(?:{FOODS})(?:(?:,| or| and| nor) [\w ]+)?)\b.*$",
            "allergy:{v}",
            "yes",
        ),
        liking(
            r"can't (?:really |honestly )?(?:stand|bear|abide|stomach|be doing with"
            r"|be dealing with|get into|do without|live without|resist|get enough of"
            r"|face) (?P<v>.+)$",
            "dislike",
        ),
        lasting(
            r"can't (?P<v>(?:swim|drive|ride a bike|cook|sing|hear|see|walk|whistle|smell"
            r"|run|kneel|lift|read music|bend|raise)\b(?! (?:it|this|that|you"
            r"|the (?:difference|point)|what|why|how|where|any)).*)$"
        ),
    ),
}
"""By the verb that a predicate begins with."""
