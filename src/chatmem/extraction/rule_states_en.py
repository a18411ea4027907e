"""How people state in English who they are and what they have.

Patterns over a predicate in lower case whose verb stands first (`live in berlin`), as the writer
would say it of himself; by that verb.
"""

from typing import Final

from chatmem.extraction.rule_frames import Frame, Frames
from chatmem.extraction.rule_parts_en import COUNT, FIRM, ON, PLACE, ROLE
from chatmem.extraction.rule_words_en import (
    DIETS,
    FAITHS_AND_KINDS,
    ILLNESSES,
    LANGUAGES,
    MEANS_CHILDREN,
    MEANS_SIBLINGS,
    NATIONALITIES,
    OCCUPATIONS,
    OWNED,
    PET_NOUN,
    STATES,
)

STATES_EN: Final[Frames] = {
    "was": (
        Frame(
            r"was born (?:and (?:raised|bred|grew up) )?in (?P<v>(?:19|20)\d\d)\b.*$", "birthday"
        ),
        Frame(
            rf"was born (?:and (?:raised|bred|grew up) )?in {PLACE}{ON}",
            "hometown",
            check="place",
        ),
        Frame(r"was born on (?P<v>.*\d.*)$", "birthday"),
        Frame(rf"was (?:originally )?from {PLACE}{ON}", check="town"),
        Frame(rf"was raised (?:in|on) {PLACE}{ON}", "hometown", check="place"),
        Frame(rf"was (?:just |recently |first )?diagnosed with (?:an? )?(?P<v>[\w' -]+?){ON}"),
        Frame(
            r"was (?:just |recently )?(?:laid off|fired|made redundant|let go)\b.*$",
            "employer",
            "none",
        ),
        Frame(
            r"was (?:just |recently |finally )?(?:promoted|appointed|elected|hired) (?:to"
            rf"|as) (?:an? |the )?(?P<v>[\w' -]+?){ON}",
            "occupation",
        ),
        Frame(
            r"was (?:just |recently |finally )?(?:promoted|accepted|admitted"
            r"|hospitali[sz]ed|in (?:a|an) (?:car |bike )?(?:accident|crash))\b.*$",
            kind="episodic",
        ),
    ),
    "am": (
        Frame(rf"am an? (?:[\w-]+ ){{1,5}}?(?:living|based) in {PLACE}{ON}", "home", check="place"),
        Frame(
            r"am (?:living|based|residing|located|settled|now in) (?:in|near|outside"
            rf"|at) {PLACE}{ON}",
            "home",
            check="place",
        ),
        Frame(rf"am based out of {PLACE}{ON}", "home", check="place"),
        Frame(r"am (?:living) (?:alone|by myself|on my own|with (?:my|his|her) .+)$"),
        Frame(r"am (?:an? )?(?P<v>\w+) (?:native|local)$", "hometown", check="place"),
        Frame(
            r"am (?:originally |orig )?from (?P<v>(?:the )?[a-z][\w.'-]*(?: (?!with|and"
            rf"|but|so|in)[\w.'-]+){{0,3}}?)(?:,? originally)?{ON}",
            "hometown",
            check="place",
        ),
        Frame(
            r"am (?:an? )?(?:recently |newly |semi-)?(?P<v>retired|self-employed"
            r"|self employed|unemployed|between jobs|out of work|freelance|freelancing"
            r"|on parental leave|on maternity leave"
            rf"|on paternity leave)(?: (?:{ROLE[:-1]}))?{ON}".replace(
                "(?P<v>(?:[\\w/+", "(?P<r>(?:[\\w/+"
            ),
            "occupation",
        ),
        Frame(rf"am (?:an?|the|now an?|chief|head|lead) {ROLE}", "occupation"),
        Frame(
            rf"am (?:an? )?(?P<v>(?:\w+ )?(?:{OCCUPATIONS}) (?:at|for|with) [\w&].*)$", "occupation"
        ),
        Frame(
            r"am (?:currently )?working (?:as"
            r"|in) (?:an? )?(?P<v>[a-z][\w/&+'-]*(?: [\w/&+'-]+){0,4}?)(?: (?:at"
            r"|for) .*)?$",
            "occupation",
            check="firm",
        ),
        Frame(
            rf"am (?:currently )?(?:working|employed|interning) (?:at|for|by) {FIRM}{ON}",
            "employer",
            check="firm",
        ),
        Frame(
            r"am (?P<v>\d{1,2})(?: ?(?:years?[- ]old|yrs?(?: old)?|y/?o"
            r"|now))?(?:,? (?:and|now|this|so|but|today|not|by the way)\b.*)?$",
            "age",
        ),
        Frame(r"am (?:turning|about to turn) (?P<v>\d{1,2})\b.*$"),
        Frame(
            r"am in (?:my|his|her|their) (?P<v>(?:early |mid[- ]|late )?(?:teens|twenties"
            r"|thirties|forties|fifties|sixties|seventies|eighties|\d0s))$",
            "age",
        ),
        Frame(
            r"am (?:very |severely |deathly |highly |badly |mildly |slightly |also "
            r"|a bit |quite |super )*allergic to (?P<v>[\w' -]+?(?:,? (?:and"
            r"|or) [\w' -]+)?)(?: (?:so|but|which|since|as|because|when)\b.*)?$",
            "allergy:{v}",
            "yes",
        ),
        Frame(
            rf"am (?:not|no longer) allergic to (?P<v>[\w' -]+?)(?: any ?more)?{ON}",
            "allergy:{v}",
            "no",
        ),
        Frame(
            r"am (?:an? )?(?:strict |lifelong |practi[cs]ing |mostly |pretty much "
            rf"|trying to be |eating |going )*(?P<v>{DIETS})(?: diet| person)?{ON}",
            "diet",
        ),
        Frame(
            rf"am (?:not|no longer) (?:an? )?(?P<v>{DIETS})(?: any ?more)?{ON}", "diet", "not {v}"
        ),
        Frame(
            r"am (?:on|doing|following|eating|trying) (?:a |an "
            rf"|the )?(?:strict )?(?P<v>[\w-]+(?: [\w-]+)?) diet{ON}",
            "diet",
        ),
        Frame(rf"am (?P<v>{STATES})(?: with .+)?{ON}"),
        Frame(r"am (?:\d+ (?:weeks|months) pregnant|pregnant)\b.*$"),
        Frame(r"am expecting (?:a|our|my|twins|another)\b.*$"),
        Frame(
            r"am (?:(?:happily|recently|newly|just) )?(?:married"
            r"|engaged) to (?P<v>[a-z][\w'-]+)(?: .*)?$",
            "partner",
            check="name",
        ),
        Frame(
            r"am (?:(?:happily|recently|newly|just|still|now) )*(?P<v>married|engaged"
            r"|single|divorced|widowed|separated|in a (?:long[- ]distance |serious "
            r"|committed )?relationship|a widow|a widower)(?: (?:with|and|for|since|now"
            r"|to|at|but|after|again)\b.*)?$",
            "partner",
        ),
        Frame(
            r"am (?:half |originally |ethnically |a "
            rf"|an )*(?P<v>{NATIONALITIES})(?:[- ](?:american|canadian|citizen|national"
            r"|born))?(?: (?:and|but|by|living|so|born)\b.*)?$",
            "nationality",
        ),
        Frame(r"am (?:a |an )?(?P<v>[a-z]+) (?:citizen|national)$", "nationality"),
        Frame(rf"am (?P<v>{FAITHS_AND_KINDS})(?: (?:and|so|but|by)\b.*)?$"),
        Frame(
            r"am (?:currently )?(?:studying|doing|pursuing|reading|finishing|taking"
            r"|getting|working on) (?:for )?(?:an? |my |his |her "
            r"|their )?(?P<v>(?:[\w' -]+ )?(?:degree|ph\.?d|master'?s|mba|bachelor'?s"
            r"|doctorate|msc|bsc|ma|postdoc|apprenticeship|internship|a-levels|gcses"
            r"|diploma)\b.*)$"
        ),
        Frame(
            r"am (?:currently )?(?:studying|majoring in|minoring in) (?!for\b|hard|a lot"
            r"|it|that|this)(?P<v>[a-z][\w'& -]+?)(?: (?:at|in) (?P<w>[\w' .&-]+))?$",
            check="thing",
        ),
        Frame(
            r"am (?:studying|enrolled|a student|a (?:freshman|sophomore|junior"
            r"|senior)) at (?P<v>[\w' .&-]+)$",
            "school",
        ),
        Frame(
            r"am in (?P<v>(?:\w+ )?(?:grade|year) ?\d*|high school|middle school|college"
            r"|university|grad school|law school|med(?:ical)? school|(?:the )?\d+(?:st|nd"
            r"|rd|th) grade|my (?:first|second|third|fourth|final|last|freshman|sophomore"
            r"|junior|senior) year(?: (?:of|at) .+)?)$",
            "school",
        ),
        Frame(
            r"am (?:currently |also |now |slowly )*(?:learning|studying) (?:to (?:speak"
            rf"|read) )?(?P<v>{LANGUAGES})\b.*$",
            "language:{v}",
            "learning",
        ),
        Frame(
            r"am (?:currently |also |now )*learning (?:how )?(?:to )?(?P<v>(?:play "
            r"(?:the )?\w+|dance|cook|drive|swim|ski|sail|knit|code|paint|draw|sing|surf"
            r"|skate|sew|fly|ride|type|bake|juggle|program|crochet|snowboard"
            r"|(?:the )?(?:guitar|piano|violin|cello|drums|flute|ukulele)|python|rust"
            r"|java\w*|go|c\+\+|sign language|calligraphy|photography|pottery|judo|karate"
            r"|yoga|tai chi|salsa|tango|ballet|chess|archery))(?: .*)?$",
            "habit:{v}",
            "learning",
        ),
        Frame(
            r"am (?:completely |totally |pretty |quite |almost |now )*(?:fluent"
            rf"|conversational|proficient) in (?P<v>{LANGUAGES})\b.*$",
            "language:{v}",
            "fluent",
        ),
        Frame(
            rf"am (?:an? )?(?:native|heritage) (?P<v>{LANGUAGES}) speaker\b.*$",
            "language:{v}",
            "native",
        ),
        Frame(r"am bilingual\b.*$"),
        Frame(
            r"am (?:(?:really|very|super|totally|big|super|so|pretty|quite|getting|also"
            r"|heavily) )*(?:into|a (?:big |huge |massive |lifelong |real |total "
            r"|die-?hard )*(?:fan|lover) of|fond of|obsessed with|addicted to|crazy about"
            r"|passionate about|mad about|keen on|a sucker for) (?P<v>.+)$",
            "taste:{v}",
            "like",
            "preference",
            check="thing",
        ),
        Frame(
            r"am (?:really |especially |particularly |very |always "
            r"|deeply )*interested in (?P<v>(?!\w+ing\b|the\b|buying|how).+)$",
            "taste:{v}",
            "like",
            "preference",
            check="common",
        ),
        Frame(
            r"am (?:not|never|no longer|really not) (?:really |much of )?(?:(?:that "
            r"|very |so |big )?into|(?:a )?(?:big |huge )?fan of|fond of|keen on"
            r"|crazy about) (?P<v>.+?)(?: any ?more)?$",
            "taste:{v}",
            "dislike",
            "preference",
            check="thing",
        ),
        Frame(
            r"am (?:really |terribly |very |so |absolutely |deathly |super )*(?:scared of"
            r"|afraid of|terrified of|sick of|bad with|phobic of) (?P<v>(?:heights|flying"
            r"|spiders|snakes|dogs|needles|the dark|water|clowns|dentists|public speaking"
            r"|thunder\w*|crowds|elevators|lifts|insects|bugs|bees|cats|birds|blood"
            r"|deep water|enclosed spaces|driving))$",
            "taste:{v}",
            "dislike",
            "preference",
        ),
        Frame(
            r"am (?:about )?(?P<v>\d(?:\.\d+)? ?(?:m|meters|metres)|\d{3} ?(?:cm"
            r"|centimet(?:er|re)s)|\d ?(?:'|ft|foot|feet) ?(?:\d{1,2}(?:\"|''"
            r"| ?inches)?)?)(?: tall)?(?: and .*)?$",
            "height",
        ),
        Frame(
            r"am (?:currently |also )?(?:training|preparing|studying|practi[cs]ing"
            r"|saving(?: up)?|getting ready) for (?:an? |my "
            r"|the (?=[\w' -]+ [\w' -]+))(?P<v>(?!it\b|that\b|this\b)[\w' -]+)$",
            "plan:{v}",
            "yes",
        ),
        Frame(
            r"am (?:currently |also )?writing (?P<v>(?:an? |my )(?:[\w-]+ ){0,3}?(?:novel"
            r"|book|thesis|dissertation|memoir|screenplay|play|paper|cookbook|blog"
            r"|album)\b.*)$"
        ),
        Frame(
            r"am (?:currently )?(?:trying|working hard) to (?P<v>quit (?:smoking|drinking"
            r"|sugar|caffeine|coffee)|lose (?:weight|\d+\b.*|some weight)|gain (?:weight"
            r"|muscle)|get pregnant|save (?:up )?for .+|stop smoking|cut (?:back on"
            r"|down on|out) [\w ]+|learn [\w ]+)$",
            "plan:{v}",
            "yes",
        ),
        Frame(
            r"am (?:on|taking) (?P<v>(?:blood thinners|antidepressants|birth control"
            r"|insulin|metformin|statins|lithium|prozac|zoloft|sertraline|levothyroxine"
            r"|warfarin|steroids|beta blockers|adderall|ritalin|chemo\w*|medication|meds"
            r"|antihistamines|blood pressure (?:medication|meds))\b.*)$"
        ),
        Frame(r"am recovering from (?P<v>.+)$"),
        Frame(
            r"am (?:the )?(?P<v>(?:(?:proud|new|single|first-time|working|busy"
            r"|full-time) )*(?:mother|father|mom|mum|dad|parent|grandmother|grandfather"
            r"|grandparent))(?: (?:of|to) (?P<w>.+))?$"
        ),
        Frame(r"am the (?P<v>oldest|youngest|eldest|middle) (?:of .+|child|sibling|son|daughter)$"),
        Frame(
            r"am (?:an? |the )?(?:\w+ )?(?:owner|founder|co-?founder|head|director"
            r"|manager|member|captain|president|ceo|cto|editor|chair) of (?P<v>.+)$",
            "occupation",
        ),
    ),
    "have": (
        Frame(
            rf"have (?:got )?(?:an? )?(?:\w+ ){{0,2}}?(?P<v>[\w-]+(?: [\w-]+)?) allergy{ON}",
            "allergy:{v}",
            "yes",
        ),
        Frame(
            r"have (?:got )?an? (?:\w+ )?(?:allergy"
            r"|intolerance) to (?P<v>[\w ]+?)(?: so .*| but .*)?$",
            "allergy:{v}",
            "yes",
        ),
        Frame(
            rf"have (?:got |had )?{COUNT} (?P<v>(?:[\w'-]+ "
            rf"){{0,4}}?(?P<p>{PET_NOUN})s?)(?:,? (?:named|called|whose name is"
            r"|who is called) (?P<n>[a-z][\w'-]+(?:,? (?:and )?[a-z][\w'-]+)*?))?(?: "
            r"(?:who|and|that|at|with|but|so|which|too|now|since|for|from|in)\b.*)?$",
            "pet:{p}",
            "{n|v}",
        ),
        Frame(
            rf"have (?:got )?(?P<v>{COUNT} (?:[\w'-]+ "
            rf"){{0,4}}?(?:{MEANS_CHILDREN}))\b(?! (?:of|to|for|in my|at my) \w*(?:class"
            r"|feed|school)).*$",
            "children",
        ),
        Frame(
            r"have (?:got )?(?P<v>twins|triplets|kids|children|grandkids|grandchildren)(?: .*)?$",
            "children",
        ),
        Frame(
            rf"have (?:got )?(?P<v>{COUNT} (?:[\w'-]+ ){{0,3}}?(?P<r>{MEANS_SIBLINGS}))\b.*$",
            "relation:{r}",
        ),
        Frame(
            r"have (?:got )?(?P<v>an? (?:\w+ )?(?:wife|husband|girlfriend|boyfriend"
            r"|partner|fianc\w+))\b.*$",
            "partner",
        ),
        Frame(
            rf"have (?:got |had )?(?P<v>{ILLNESSES})(?: (?:so|and|but|since|for|which|as"
            r"|that|too)\b.*)?$"
        ),
        Frame(
            r"have been (?:recently |just |officially )*diagnosed with (?:an? )?(?P<v>[\w' -]+)$"
        ),
        Frame(
            r"have (?:got )?(?:an? |two |three |my own "
            rf"|our own )(?P<v>(?:[\w'-]+ ){{0,3}}?{OWNED})(?: (?:and|with|but|that|which"
            r"|in|at|from|for|so|now)\b.*)?$",
            "possession:{v}",
            "yes",
        ),
        Frame(
            r"have (?:an? |my |two )(?P<v>(?:[\w' -]+ )?(?:degree|ph\.?d|master'?s|mba"
            r"|bachelor'?s|doctorate|diploma|black belt|pilot'?s licen[cs]e"
            r"|driver'?s licen[cs]e|driving licen[cs]e)\b.*)$"
        ),
        Frame(
            r"have (?P<v>(?:dual|british|american|german|canadian|french|chinese|italian"
            r"|spanish|eu|us|uk) (?:citizenship|nationality|passport))\b.*$",
            "nationality",
        ),
        Frame(
            r"have (?P<v>(?:blue|green|brown|hazel|gr[ae]y|red|blond[e]?|black|curly|long"
            r"|short|straight|dark|ginger)(?:[ ,-]+(?:and )?\w+){0,2} (?:hair|eyes))\b.*$"
        ),
        Frame(
            r"have an? (?P<v>(?:\w+ )?(?:sweet tooth|fear of [\w ]+|phobia of [\w ]+"
            r"|tattoo\b.*|stutter|podcast|youtube channel|blog))$"
        ),
        Frame(
            r"have (?:an? |my own |our own )(?P<v>(?:[\w'-]+ ){0,3}?(?:business|startup"
            r"|start-up|consultancy|bakery|caf[eé]|restaurant|farm|etsy shop|online store"
            r"|online shop))\b.*$",
            "occupation",
        ),
    ),
}
"""By the verb that a predicate begins with."""
