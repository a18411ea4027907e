"""How people state in English where they live, and what they do and like.

Patterns over a predicate in lower case whose verb stands first (`live in berlin`), as the writer
would say it of himself; by that verb.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_parts_en import COUNT, FIRM, LIKING, MEAT, ON, PLACE, ROLE, THING
from chatmem.extraction.rule_states_en import STATES_EN
from chatmem.extraction.rule_words_en import (
    BUSINESSES,
    DIETS,
    ILLNESSES,
    INSTRUMENTS_AND_SPORTS,
    LANGUAGES,
    OWNED,
    PET_NOUN,
)

DEEDS_EN: Final[Frames] = {
    "turned": (
        Frame(r"turned (?P<v>\d{1,2})(?: .*)?$", "age"),
        Frame(rf"turned (?P<v>{DIETS})\b.*$", "diet"),
    ),
    "live": (
        Frame(
            r"live in (?:an?|the|my|our) (?:(?!world|state|bubble|dream"
            r"|country where)[\w'-]+ ){1,4}?(?:in|near|outside|of|called"
            r"|just outside) (?P<v>[a-z][\w.'-]*(?: [a-z][\w.'-]*)?)(?: .*)?$",
            "home",
            check="town",
        ),
        Frame(
            r"live (?:here |over |back |up |down |right |out )*(?:in|on|at|near"
            rf"|outside) {PLACE}{ON}",
            "home",
            check="place",
        ),
        Frame(
            r"live (?:alone|by myself|on my own|together with .+|with (?:my|two|three|a"
            r"|an|his|her) .+)$"
        ),
        Frame(
            r"live (?:with|on) .*(?:parents|mother|mom|dad|wife|husband|partner"
            r"|girlfriend|boyfriend|roommates?|flatmates?|grandparents|family|kids)\b.*$"
        ),
    ),
    "moved": (
        Frame(
            r"moved (?:in)?to (?:an?|our|my) (?:[\w'-]+ ){1,4}?(?:in|near|outside"
            r"|on) (?P<v>[a-z][\w.'-]*(?: [a-z][\w.'-]*)?)(?: .*)?$",
            "home",
            check="town",
        ),
        Frame(
            r"moved (?:here |back |over |out |away |house |down "
            rf"|up )*(?:from [\w ]+ )?(?:to|into) {PLACE}(?: from .*)?{ON}",
            "home",
            check="place",
        ),
        Frame(rf"moved (?:here )?from .+ to {PLACE}{ON}", "home", check="place"),
    ),
    "relocated": (
        Frame(
            rf"relocated (?:here |back |from [\w ]+ )*to {PLACE}(?: from .*)?{ON}",
            "home",
            check="place",
        ),
    ),
    "settled": (Frame(rf"settled (?:down )?in {PLACE}{ON}", "home", check="place"),),
    "used": (
        Frame(
            r"used to (?:live|work|play|smoke|be|have|teach|study|drink|own|run|do|love"
            r"|like|hate|drive|go|sing|write|dance|swim|train)\b(?! (?:it|that|this"
            r"|so)\b).*$"
        ),
    ),
    "lived": (
        Frame(
            rf"lived in {PLACE}(?: (?:for|from|until|as|when|during|between|before|back|in)\b.*)$",
            check="place",
        ),
    ),
    "worked": (
        Frame(
            r"worked (?:at|for|as|in) (?P<v>(?!it|the moment|progress|silence|vain"
            r"|peace)[\w&'-]+(?: [\w&'-]+){0,5}?) (?:for|until|from|before|during"
            r"|between|as|in)\b.*$"
        ),
    ),
    "grew": (
        Frame(
            rf"grew up (?:on a farm )?(?:in|near|on|around) {PLACE}{ON}",
            "hometown",
            check="place",
        ),
        Frame(r"grew up (?:on|with|as|speaking) .+$"),
    ),
    "born": (),
    "work": (
        Frame(
            r"work (?:out of|in) (?P<v>(?:downtown |central |north |south |east "
            r"|west )?[a-z][\w.'-]+(?: [a-z][\w.'-]+)?)(?: (?:and|but|as|at|for)\b.*)?$",
            check="town",
        ),
        Frame(
            r"work (?:as|in) (?:an? |the )?(?P<v>(?!progress|silence|peace|order|a hurry"
            r"|bed|my pajamas|the (?:morning|evening|afternoon|same|office"
            r"|garden))[a-z][\w/&+'-]*(?: (?!at|for|with)[\w/&+'-]+){0,4}?)(?: (?:at|for"
            r"|with) .*)?$",
            "occupation",
            check="firm",
        ),
        Frame(rf"work (?:at|for) {FIRM}{ON}", "employer", check="firm"),
        Frame(
            r"work (?!.* as an? )(?:mostly |fully |usually )?(?:from home|remotely"
            r"|(?:the )?night ?shifts?|nights|(?:the )?(?:early|late) shift|shifts"
            r"|part[- ]time|full[- ]time|freelance|weekends|on weekends|\w+ (?:days"
            r"|hours) (?:a|per) week)\b.*$",
            category="pattern",
        ),
    ),
    "teach": (
        Frame(
            r"teach (?!you|me|him|her|them|us|myself|my (?:son|daughter|kids|children"
            r"|dog)|people|it|that|this|how)(?P<v>[\w' &-]+)$",
            "occupation",
        ),
    ),
    "run": (
        Frame(
            rf"run (?:an? |my own |my |our own |our )(?P<v>(?:[\w'-]+ ){{0,4}}?{BUSINESSES})\b.*$",
            "occupation",
        ),
    ),
    "own": (
        Frame(
            r"own (?:an? |my own |two |three "
            rf"|several )(?P<v>(?:[\w'-]+ ){{0,4}}?{BUSINESSES})\b.*$",
            "occupation",
        ),
        Frame(
            rf"own (?:an? |my own )(?P<v>(?:[\w'-]+ ){{0,4}}?{OWNED})\b.*$", "possession:{v}", "yes"
        ),
        Frame(rf"own {COUNT} (?P<v>(?:[\w'-]+ ){{0,3}}?(?:{PET_NOUN})s?)\b.*$", "pet:{v}", "yes"),
    ),
    "manage": (
        Frame(
            r"manage (?P<v>(?:an? |the )(?:\w+ ){0,4}(?:team|store|shop|hotel|restaurant"
            r"|department|branch|fund|project|office)\b.*)$",
            "occupation",
        ),
    ),
    "joined": (
        Frame(
            r"joined (?P<v>(?:an? |the |my )?(?:[\w'-]+ ){0,4}?(?:gym|choir|band|club"
            r"|team|class|orchestra|league|group|company|startup|firm|bank|navy|army"
            r"|police|department)\b.*)$"
        ),
        Frame(rf"joined {FIRM} as (?:an? )?[\w -]+$", "employer", check="name"),
        Frame(
            r"joined (?P<v>[a-z][\w&.'-]*(?: [a-z][\w&.'-]*)?)(?: (?:as|last|in|this|on)\b.*)?$",
            "employer",
            check="name",
        ),
    ),
    "started": (
        Frame(
            r"started (?:working|a new job|my new job|a job|an internship|my internship"
            rf"|interning) (?:at|for|with) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        Frame(rf"started at {FIRM}{ON}", "employer", check="name"),
        Frame(
            rf"started (?:working|a new job|my new job) as (?:an? )?(?P<v>[\w -]+?){ON}",
            "occupation",
        ),
        Frame(
            rf"started (?P<v>(?:an? |my own |my )(?:[\w'-]+ ){{0,3}}?(?:{BUSINESSES}))\b.*$",
            "occupation",
        ),
        Frame(
            r"started (?P<v>(?:a new job|my new job|a ph\.?d|my ph\.?d|university|college"
            r"|high school|grad school|kindergarten|therapy|chemo\w*|a course"
            r"|my master'?s)\b.*)$",
            kind="episodic",
        ),
        Frame(
            rf"started (?:learning|studying|to learn) (?:to speak )?(?P<v>{LANGUAGES})\b.*$",
            "language:{v}",
            "learning",
        ),
        Frame(
            r"started (?P<v>(?:learning|taking|going to|playing|practi[cs]ing|attending"
            r"|doing|training) (?!it|that|this|to\b)(?:the |an? )?(?:\w+ ){0,3}?(?:gym"
            r"|lessons|classes|class|yoga|pilates|guitar|piano|violin|tennis|running"
            r"|swimming|karate|judo|course|boxing|climbing|meditation|crossfit)\b.*)$",
            "habit:{v}",
            "yes",
            "pattern",
        ),
        Frame(
            r"started (?P<v>(?:running|jogging|swimming|cycling|meditating|climbing"
            r"|bouldering|journaling|knitting|painting|baking|gardening|cooking"
            r"|weightlifting|lifting weights|intermittent fasting|yoga|pilates"
            r"|boxing))\b.*$",
            "habit:{v}",
            "yes",
            "pattern",
        ),
    ),
    "took": (Frame(r"took up (?P<v>\w+(?: \w+)?)(?: .*)?$", "habit:{v}", "yes", "pattern"),),
    "became": (
        Frame(rf"became (?:an? |the )?{ROLE}", "occupation"),
        Frame(
            r"became (?P<v>an? (?:mother|father|mom|mum|dad|parent|grandmother"
            r"|grandfather|grandparent|citizen)\b.*|vegan|vegetarian)$"
        ),
    ),
    "quit": (
        Frame(r"quit (?:my job|my old job|working)\b.*$", "employer", "none"),
        Frame(
            r"quit (?P<v>smoking|drinking|alcohol|caffeine|coffee|sugar|vaping)\b.*$",
            "habit:{v}",
            "quit",
        ),
    ),
    "eat": (Frame(r"eat (?P<v>meat|fish|dairy|everything) again\b.*$", "diet", "eats {v}"),),
    "stopped": (
        Frame(
            r"stopped (?:liking|enjoying) (?P<v>.+)$",
            "taste:{v}",
            "dislike",
            "preference",
            check="thing",
        ),
        Frame(
            rf"stopped eating {MEAT}\b.*$",
            "taste:{{v}}".replace("{{", "{").replace("}}", "}"),
            "dislike",
            "preference",
        ),
        Frame(
            r"stopped (?P<v>smoking|drinking(?: (?:alcohol|coffee|soda|milk))?|vaping"
            r"|going to [\w ]+|working(?: [\w ]+)?|taking [\w ]+|playing [\w ]+"
            r"|running)\b.*$",
            "habit:{v}",
            "stopped",
            "pattern",
        ),
    ),
    "gave": (
        Frame(
            r"gave up (?P<v>smoking|drinking|alcohol|caffeine|coffee|sugar|meat|dairy"
            r"|gluten|soda|chocolate|gaming|running|my (?:car|job|apartment|studies))\b.*$",
            "habit:{v}",
            "stopped",
            "pattern",
        ),
    ),
    "retired": (
        Frame(
            r"retired(?: (?:from|in|last|this|after|two|a|as|early|at)\b.*)?$",
            "occupation",
            "retired",
        ),
    ),
    "left": (Frame(r"left (?:my job|my position|my company)\b.*$", "employer", "none"),),
    "got": (
        Frame(rf"got (?:transferred|relocated|posted|sent|moved) to {PLACE}{ON}", check="town"),
        Frame(r"got (?:laid off|fired|made redundant)\b.*$", "employer", "none"),
        Frame(
            r"got (?:a|an|my) (?:new |first )?(?:job|position|offer|internship) (?:at"
            rf"|with|from) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        Frame(
            r"got (?:a|an) (?:new |first )?(?:job|position"
            r"|internship)(?: as (?:an? )?(?P<v>[\w ]+))?(?: (?:in|last|this|at"
            r"|with)\b.*)?$",
            kind="episodic",
        ),
        Frame(
            r"got (?:a new|a|an|two|another) (?P<v>(?:[\w'-]+ "
            rf"){{0,3}}?(?P<p>{PET_NOUN})s?)(?: (?:named"
            r"|called) (?P<n>[a-z][\w'-]+))?(?: (?:from|last|this|for|yesterday|today|two"
            r"|a|in|who|and|on)\b.*)?$",
            "pet:{p}",
            "{n|v}",
        ),
        Frame(
            r"got (?:a new|a|an|my first|my|another) (?P<v>(?:[\w'-]+ "
            rf"){{0,3}}?{OWNED})(?: (?:from|last|this|for|yesterday|today|two|a|in|and"
            r"|on)\b.*)?$",
            "possession:{v}",
            "yes",
        ),
        Frame(
            r"got (?:back )?(?:married|engaged|divorced|separated)(?: (?P<v>to [\w'-]+))?(?: .*)?$",
            "partner",
            "{own}",
        ),
        Frame(
            r"got (?P<v>promoted|fired|laid off|accepted (?:into|to|by) .+|admitted to .+"
            r"|into (?!trouble|the|a|an|bed|it|this|that)[\w' ]*(?:university|college"
            r"|school|harvard|mit|stanford|oxford|cambridge|yale|princeton)\b.*"
            r"|my (?:driver'?s? |driving )?licen[cs]e\b.*|my (?:degree|green card"
            r"|citizenship|visa|ph\.?d|diploma|master'?s)\b.*|a (?:promotion|raise"
            r"|scholarship|tattoo)\b.*|an? (?:job )?offer\b.*|surgery\b.*)(?: .*)?$",
            kind="episodic",
        ),
    ),
    "bought": (
        Frame(
            r"bought (?:myself )?(?:a new|a|an|my first|our first|another|a used"
            rf"|a second-?hand|the) (?P<v>(?:[\w'-]+ ){{0,3}}?{OWNED})(?: (?:from|last"
            r"|this|for|yesterday|today|two|a|in|and|on|near)\b.*)?$",
            "possession:{v}",
            "yes",
        ),
    ),
    "sold": (
        Frame(
            rf"sold (?:my|our) (?:old )?(?P<v>(?:[\w'-]+ ){{0,3}}?{OWNED})(?: .*)?$",
            "possession:{v}",
            "sold",
        ),
    ),
    "adopted": (
        Frame(
            r"adopted (?:a|an|two|another) (?P<v>(?:[\w'-]+ "
            rf"){{0,4}}?(?P<p>{PET_NOUN})s?)(?: (?:named"
            r"|called) (?P<n>[a-z][\w'-]+))?(?: .*)?$",
            "pet:{p}",
            "{n|v}",
        ),
        Frame(
            r"adopted (?P<v>(?:a|an|two|our|my) (?:\w+ ){0,2}(?:child|boy|girl|son"
            r"|daughter|baby|children|kids)\b.*)$"
        ),
    ),
    "study": (
        Frame(r"study (?P<w>[\w'& -]+?) at (?P<v>[\w' .&-]+)$", "school"),
        Frame(r"study at (?P<v>[\w' .&-]+)$", "school", check="name"),
        Frame(
            r"study (?!hard|it|that|this|for|a lot|every|with|in|on"
            r"|my)(?P<v>[a-z][\w'&-]+(?: (?!for|every|with|at|in"
            r"|on)[\w'&-]+){0,3})(?: in [\w ]+)?$",
            check="thing",
        ),
    ),
    "studied": (
        Frame(
            r"studied (?!hard|it|that|this|for|a lot|with|my"
            r"|all)(?P<v>[a-z][\w'& -]+?) (?:at|in) [\w' .&-]+$"
        ),
    ),
    "major": (Frame(r"major in (?P<v>[a-z][\w'& -]+)$"),),
    "majored": (Frame(r"majored in (?P<v>[a-z][\w'& -]+)$"),),
    "attend": (
        Frame(
            r"attend (?P<v>(?:the )?(?:[\w'.-]+ ){0,4}(?:university|college|school"
            r"|academy|high)\b.*)$",
            "school",
        ),
    ),
    "go": (
        Frame(
            r"go to (?P<v>(?:the )?(?!school|college|university|bed"
            r"|work)(?:[\w'.-]+ ){0,4}(?:university|college|high school|middle school"
            r"|elementary school|academy|high)(?: of [\w ]+)?)$",
            "school",
        ),
        Frame(
            r"go by (?P<v>(?!car|bus|train|bike|plane|foot|the|my|a|far|fast"
            r"|quickly)[a-z][\w'-]*)(?: .*)?$",
            "nickname",
            check="name",
        ),
    ),
    "graduated": (
        Frame(
            r"graduated (?:(?:with|in) .+ )?from (?P<v>(?!high|college|university|school"
            r"|medical|law|grad)[\w' .&-]+?)(?: (?:in|with|last|this|two|a|on|back)\b.*)?$",
            "school",
        ),
        Frame(r"graduated\b(?! from).*$", kind="episodic"),
        Frame(r"graduated from .+$", kind="episodic"),
    ),
    "speak": (
        Frame(
            r"speak (?:(?:fluent|basic|some|a little|a bit of|conversational|native|only"
            r"|both|decent|good|passable|intermediate"
            rf"|limited) )*(?P<v>{LANGUAGES})\b(?P<rest>(?:,? (?:and |or "
            r"|plus )?(?:[\w ]+))*)$",
            "language:{v}",
            "speaks",
        ),
    ),
    "drive": (
        Frame(
            rf"drive (?:an? |my )(?P<v>(?:(?:19|20)\d\d (?:[\w'-]+ ?){{1,4}}?"
            rf"|(?:[\w'-]+ ){{0,3}}?(?:skoda|peugeot|renault|fiat|citro[eë]n|seat|nissan"
            r"|opel|vauxhall|chevy|chevrolet|dodge|lexus|porsche|jaguar|mitsubishi|suzuki"
            r"|land rover|byd|dacia|mercedes|ram|saab)(?: [\w-]+)?"
            rf"|(?:[\w'-]+ ){{0,3}}?(?:{OWNED}|prius|corolla|civic|camry|golf|polo|leaf"
            r"|mini|jeep|beetle|fiesta|outback|hybrid)))(?: (?:and|but|so|to|with|which"
            r"|that|because|since)\b.*)?$",
            "possession:car",
        ),
        Frame(
            r"drive (?:for|a) (?P<v>uber|lyft|(?:school |city |delivery )?(?:bus|truck"
            r"|taxi|cab))\b.*$",
            "occupation",
        ),
    ),
    "play": (
        Frame(
            r"play (?P<v>(?:(?:competitive|some|a bit of"
            rf"|a little) )?{INSTRUMENTS_AND_SPORTS}(?:,? (?:and "
            rf"|or )?{INSTRUMENTS_AND_SPORTS})*)(?: (?:in|with|for|at|since|on|every|twice"
            r"|once|professionally|competitively|as)\b.*)?$",
            "habit:play {v}",
            "yes",
            "pattern",
        ),
        Frame(
            r"play in (?P<v>(?:an? |the )(?:\w+ ){0,3}(?:band|orchestra|quartet|league|team)\b.*)$",
            "habit:play in {v}",
            "yes",
            "pattern",
        ),
    ),
    "sing": (
        Frame(
            r"sing in (?P<v>(?:an? |the |my )(?:\w+ ){0,3}(?:choir|band|group|chorus)\b.*)$",
            "habit:sing in {v}",
            "yes",
            "pattern",
        ),
    ),
    "collect": (
        Frame(
            r"collect (?!it|them|my|the|that|this|data|information)(?P<v>[\w' -]+)$",
            "habit:collect {v}",
            "yes",
        ),
    ),
    "volunteer": (
        Frame(r"volunteer (?:at|with|for|as|in) (?P<v>.+)$", "habit:volunteer", category="pattern"),
    ),
    "weigh": (
        Frame(
            r"weigh (?:about |around |roughly |currently )*(?P<v>\d{2,3}(?:\.\d)? ?(?:kg"
            r"|kgs|kilos?|kilograms|lbs?|pounds|stone)\b)(?: now| at the moment)?.*$",
            "weight",
        ),
    ),
    "wear": (
        Frame(
            r"wear (?P<v>glasses|contacts|contact lenses|hearing aids?|a hearing aid"
            r"|braces|size \w+|an? \w+ in (?:shoes|jeans))\b.*$"
        ),
    ),
    "suffer": (Frame(rf"suffer from (?P<v>{ILLNESSES})\b.*$"),),
    "take": (
        Frame(
            r"take (?P<v>(?:(?:\d+ ?mg (?:of )?|daily |my )?(?:metformin|insulin|statins?"
            r"|ibuprofen|antidepressants|levothyroxine|warfarin|blood thinners|aspirin"
            r"|lithium|antihistamines|adderall|ritalin|sertraline|prozac|zoloft"
            r"|birth control|beta blockers|melatonin|lisinopril|omeprazole"
            r"|(?:blood pressure )?(?:medication|meds|pills)))\b.*)$"
        ),
        Frame(
            r"take (?P<v>(?:(?:weekly|online|evening|private) )*(?:guitar|piano|violin"
            r"|cello|drum|singing|voice|dance|ballet|salsa|tango|yoga|pilates|swimming"
            r"|tennis|riding|karate|judo|pottery|ceramics|painting|drawing|art|cooking"
            r"|photography|acting|improv|french|spanish|german|japanese|chinese|italian"
            r"|korean|driving|boxing|spin|flying|sailing) (?:lessons|classes|class)\b.*)$",
            "habit:{v}",
            "yes",
            "pattern",
        ),
    ),
    "name": (),
    "like": (Frame(rf"{LIKING} {THING}$", "taste:{v}", "like", "preference", check="thing"),),
    "love": (Frame(rf"{LIKING} {THING}$", "taste:{v}", "like", "preference", check="thing"),),
    "enjoy": (Frame(rf"{LIKING} {THING}$", "taste:{v}", "like", "preference", check="thing"),),
    "adore": (Frame(rf"{LIKING} {THING}$", "taste:{v}", "like", "preference", check="thing"),),
    "prefer": (
        Frame(
            r"prefer (?P<v>.+?) (?:over|rather than|instead of|more than) (?P<w>.+)$",
            "taste:{v}",
            "like",
            "preference",
            check="thing",
        ),
        Frame(
            r"prefer (?P<v>(?!to )[\w' -]+?) to (?P<w>.+)$",
            "taste:{v}",
            "like",
            "preference",
            check="thing",
        ),
        Frame(rf"{LIKING} {THING}$", "taste:{v}", "like", "preference", check="thing"),
    ),
    "hate": (Frame(rf"hate {THING}$", "taste:{v}", "dislike", "preference", check="thing"),),
    "dislike": (Frame(rf"dislike {THING}$", "taste:{v}", "dislike", "preference", check="thing"),),
    "detest": (Frame(rf"detest {THING}$", "taste:{v}", "dislike", "preference", check="thing"),),
    "loathe": (Frame(rf"loathe {THING}$", "taste:{v}", "dislike", "preference", check="thing"),),
    "can't": (
        Frame(
            r"can't (?:stand|bear|abide) (?P<v>.+)$",
            "taste:{v}",
            "dislike",
            "preference",
            check="thing",
        ),
        Frame(
            r"can't (?:eat|have|drink|tolerate|digest) (?:any )?(?P<v>(?:\w+ )?(?:meat"
            r"|pork|beef|fish|seafood|shellfish|dairy|milk|eggs?|gluten|nuts|peanuts"
            r"|sugar|wheat|alcohol|caffeine|spicy food|lactose|soy|cheese|bread|coffee"
            r"|onions?|garlic|mushrooms?|tomatoes)(?: (?:or|and) \w+)?)\b.*$",
            "allergy:{v}",
            "yes",
        ),
        Frame(r"can't (?P<v>swim|drive|ride a bike|whistle|cook)\b.*$"),
    ),
    "don't": (
        Frame(
            r"don't (?:really |particularly |much |even |actually )*(?:like|enjoy|love"
            r"|care for|fancy) (?P<v>.+?)(?: any ?more| at all| that much| very much"
            r"| much| either)*$",
            "taste:{v}",
            "dislike",
            "preference",
            check="thing",
        ),
        Frame(
            rf"don't (?:actually |really )?live in {PLACE} any ?more\b.*$",
            "home",
            "not {v}",
            check="place",
        ),
        Frame(rf"don't work (?:at|for) {FIRM} any ?more\b.*$", "employer", "not {v}"),
        Frame(
            rf"don't (?:eat|do|touch|consume|cook with) {MEAT}(?:,? (?:and"
            r"|or) [\w ]+)?(?: any ?more| at all)?(?: .*)?$",
            "taste:{v}",
            "dislike",
            "preference",
        ),
        Frame(
            r"don't (?P<w>eat|drink|touch|do) (?P<v>alcohol|coffee|caffeine|soda|milk"
            r"|spicy food|breakfast|lunch|dinner|tea|sweets|desserts?|drugs|fast food"
            r"|junk food|cilantro|coriander|mushrooms|onions|olives|tomatoes|sushi"
            r"|raw \w+|cheese|bread|carbs)(?: any ?more| at all)?(?: (?:and|but|so"
            r"|because)\b.*)?$",
            "habit:{w} {v}",
            "no",
            "pattern",
        ),
        Frame(
            r"don't (?P<v>drink|smoke|vape)(?: (?:alcohol|any ?more"
            r"|at all))*(?: (?:and|but|so|or)\b.*)?$",
            "habit:{v}",
            "no",
            "pattern",
        ),
        Frame(rf"don't speak (?:any |much )?(?P<v>{LANGUAGES})\b.*$", "language:{v}", "no"),
        Frame(
            r"don't have (?:any )?(?P<v>kids|children|siblings|pets|a car"
            r"|a driver'?s licen[cs]e|a driving licen[cs]e|a tv|a smartphone"
            r"|brothers or sisters)\b.*$"
        ),
    ),
    "do": (
        Frame(
            r"do (?P<v>(?:[\w/-]+ ){0,3}?(?:research|marketing|design|sales|consulting"
            r"|accounting|it support|tech support|customer (?:service|support)|hr|payroll"
            r"|logistics|analytics|engineering|software development|web development|qa"
            r"|translations?|nursing|admin(?:istration)?|carpentry|construction"
            r"|landscaping|data (?:science|entry|analysis|engineering)|pr|devops|security"
            r"|copywriting|bookkeeping|illustration|photography|tutoring)(?: (?:work"
            r"|stuff))?)(?: (?:for|at|in) .*)?$",
            "occupation",
        ),
    ),
    "use": (Frame(r"use (?P<v>\w+/\w+(?:/\w+)?) pronouns$", "pronouns"),),
    "hold": (
        Frame(
            r"hold (?P<v>an? (?:[\w' -]+ )?(?:degree|ph\.?d|master'?s|mba|passport"
            r"|citizenship|black belt|licen[cs]e)\b.*)$"
        ),
    ),
}
"""By the verb that a predicate begins with."""

ENGLISH: Final[Frames] = {**DEEDS_EN, **STATES_EN}
