"""Words by which English statements about a person are recognised."""

from typing import Final

from chatmem.extraction.profile_words import OCCUPATIONS_EN
from chatmem.extraction.slot_patterns import alternatives
from chatmem.text.wordlist import listed

PARTNERS: Final = listed(
    "wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse hubby missus"
    " fella bf gf"
)
CHILDREN: Final = listed(
    "son daughter kid kids child children baby twins toddler stepson stepdaughter"
)
PETS: Final = listed(
    """
    dog cat puppy kitten rabbit bunny hamster parrot bird fish goldfish turtle tortoise horse pony
    snake lizard gecko ferret chicken budgie cockatiel canary corgi labrador poodle beagle husky
    dachshund greyhound pug retriever terrier bulldog spaniel collie shepherd goat
    """
)
_FAMILY: Final = listed(
    """
    mom mum mother mama mommy dad father papa daddy parents sister brother siblings sisters brothers
    sons daughters grandma grandmother grandpa grandfather grandparents granny nan aunt uncle cousin
    niece nephew gran nana nanna mam grandad granddad gramps bro sis stepbrother stepsister
    half-brother half-sister godson goddaughter godmother godfather eldest youngest in-laws
    stepmother stepfather stepmom stepdad mother-in-law father-in-law sister-in-law
    brother-in-law son-in-law daughter-in-law grandson granddaughter grandkids ex-wife ex-husband
    family
    """
)
_CLOSE: Final = (
    *listed("roommate flatmate housemate boss manager ex"),
    *("best friend", "best mate", "other half", "little one", "ex wife", "ex husband"),
    *("mother in law", "father in law", "sister in law", "brother in law", "son in law"),
    *("daughter in law", "mum in law", "in laws", "half brother", "half sister"),
)
MANY_OF: Final = listed(
    "friend mate colleague coworker co-worker cousin neighbour neighbor classmate"
)
"""People of whom one has several: their keys hold the name as well."""

PET_KINDS: Final = {
    **dict.fromkeys(
        listed(
            """
            puppy corgi labrador poodle beagle husky dachshund greyhound pug retriever terrier
            bulldog spaniel collie shepherd
            """
        ),
        "dog",
    ),
    "golden retriever": "dog",
    "german shepherd": "dog",
    "kitten": "cat",
    "bunny": "rabbit",
}
SAME_ROLES: Final = {
    **dict.fromkeys(listed("mum mom mam mama mommy"), "mother"),
    **dict.fromkeys(listed("dad papa daddy"), "father"),
    **dict.fromkeys(listed("grandma gran granny nan nana nanna"), "grandmother"),
    **dict.fromkeys(listed("grandpa grandad granddad gramps"), "grandfather"),
    "bro": "brother",
    "sis": "sister",
    "hubby": "husband",
    "missus": "wife",
    "bf": "boyfriend",
    "gf": "girlfriend",
    "best mate": "best friend",
    "fella": "partner",
    "other half": "partner",
    "kids": "children",
}
"""Under one key, whatever they are called."""
RELATIONS: Final = alternatives(
    [*PARTNERS, *CHILDREN, *PETS, *_FAMILY, *_CLOSE, *MANY_OF, "dogs", "cats"]
)
PET_NOUN: Final = alternatives([*PETS, "guinea pig", "golden retriever", "german shepherd"])

MEANS_CHILDREN: Final = alternatives(
    [*CHILDREN, "sons", "daughters", "grandchildren", "grandkids", "little ones", "boys", "girls"]
)
MEANS_SIBLINGS: Final = alternatives(
    listed("sister sisters brother brothers sibling siblings cousin cousins")
)

LANGUAGES: Final = alternatives(
    listed(
        """
        english chinese mandarin cantonese spanish french german japanese korean portuguese russian
        italian arabic hindi dutch swedish norwegian danish finnish polish turkish greek hebrew thai
        vietnamese indonesian malay czech hungarian romanian ukrainian persian farsi urdu bengali
        tamil telugu punjabi swahili latin catalan welsh irish gaelic icelandic bulgarian croatian
        serbian tagalog filipino esperanto asl yoruba igbo hausa zulu xhosa afrikaans amharic
        somali malayalam kannada marathi gujarati sinhala nepali burmese khmer mongolian kazakh
        georgian armenian albanian slovenian slovak estonian latvian lithuanian basque galician
        maltese kurdish pashto tibetan hokkien hakka cebuano maori quechua creole patois bsl
        """
    )
)
NATIONALITIES: Final = alternatives(
    listed(
        """
        american british english scottish welsh irish canadian australian french german spanish
        italian portuguese dutch belgian swiss austrian swedish norwegian danish finnish polish
        czech slovak hungarian romanian bulgarian greek turkish russian ukrainian chinese japanese
        korean taiwanese singaporean malaysian indonesian thai vietnamese filipino indian pakistani
        bangladeshi nepali iranian iraqi israeli egyptian moroccan nigerian kenyan ghanaian
        ethiopian brazilian mexican argentinian chilean colombian peruvian cuban icelandic croatian
        serbian lebanese syrian persian mongolian kazakh estonian latvian lithuanian
        """
    )
)
DIETS: Final = alternatives(
    [
        *listed(
            """
            vegetarian vegan pescatarian flexitarian gluten-free dairy-free keto paleo kosher halal
            plant-based
            """
        ),
        "gluten free",
        "dairy free",
    ]
)
ILLNESSES: Final = (
    r"(?:(?:type (?:1|2|one|two|i|ii) |severe |mild |chronic |high |low |seasonal |slight |bad "
    r"|moderate |adult |early |a bit of |a |an |the |rheumatoid |clinical |generali[sz]ed |social "
    r"|grade \w+ )*(?:diabetes|asthma|migraines?"
    r"|hypertension|blood pressure|cholesterol|epilepsy|arthritis|anxiety(?: disorder)?|depression"
    r"|adhd|add|autism|ocd|ptsd|bipolar(?: disorder)?|insomnia|sleep apn(?:o)?ea|eczema|psoriasis"
    r"|hay fever|celiac(?: disease)?|coeliac(?: disease)?|crohn'?s(?: disease)?|ibs|gerd"
    r"|acid reflux|gout|an[a]?emia|scoliosis|tinnitus|vertigo|cancer|lupus|endometriosis|pcos"
    r"|heart (?:condition|disease|murmur)|thyroid \w+|hypothyroidism|hyperthyroidism"
    r"|fatty liver(?: disease)?|kidney (?:stones?|disease)|osteoporosis|sciatica|glaucoma"
    r"|dyslexia|fibromyalgia|alzheimer'?s(?: disease)?|dementia|parkinson'?s(?: disease)?"
    r"|multiple sclerosis|hepatitis \w|bad (?:knee|back|hip|shoulder)s?|herniated disc"
    r"|slipped disc|tennis elbow|plantar fasciitis|carpal tunnel(?: syndrome)?|pacemaker"
    r"|(?:\w+ )?(?:allerg(?:y|ies)|intolerance|syndrome))(?: in my \w+(?: \w+)?)?)"
)
STATES: Final = (
    r"(?:(?:very |quite |partially |legally |slightly |a bit |severely )*(?:diabetic|pre-?diabetic"
    r"|asthmatic|epileptic"
    r"|an[a]?emic|pregnant|colou?r-?blind|deaf|blind|hard of hearing|near-?sighted|short-?sighted"
    r"|far-?sighted|left-handed|ambidextrous|dyslexic|autistic|bipolar|lactose[- ]intolerant"
    r"|gluten[- ]intolerant|(?:a )?c(?:o)?eliac|claustrophobic|hypertensive|in a wheelchair"
    r"|(?:a )?(?:recovering alcoholic|non-?smoker|smoker|teetotall?er|cancer survivor)"
    r"|sober|neurodivergent))"
)
FAITHS_AND_KINDS: Final = (
    r"(?:christian|catholic|muslim|buddhist|jewish|hindu|atheist|agnostic|protestant|mormon"
    r"|quaker|sikh|an? (?:christian|catholic|muslim|buddhist|hindu|atheist|agnostic|introvert"
    r"|extrovert|early (?:bird|riser)|night owl|morning person|only child|twin|middle child"
    r"|immigrant|expat|single (?:mom|mum|mother|dad|father|parent)|first-generation \w+"
    r"|(?:practi[cs]ing )?(?:christian|catholic|muslim|buddhist|jew)|bookworm|cat person"
    r"|dog person|foodie|homebody))"
)
_MORE_OCCUPATIONS: Final = (
    *listed(
        """
        analyst accountant attorney bartender biochemist blogger bookkeeper botanist builder butcher
        captain carer caregiver cashier caterer chairman cinematographer cleaner clerk climber
        columnist comedian composer conductor contractor coordinator counselor counsellor courier
        creator curator detective dietitian dietician director dj electrician engineer executive
        filmmaker florist forester freelancer gardener geologist geographer goldsmith guard
        hairdresser handyman host illustrator influencer inspector instructor investor janitor
        jeweler lead linguist locksmith logistician machinist magician maker marine mathematician
        mechanic merchant miner minister model monk movie-maker nanny navigator neurologist
        neuroscientist novelist nun nutritionist official operator optician optometrist officer
        orthodontist owner painter pastor pediatrician paediatrician planner podcaster poet
        policeman policewoman politician postman potter practitioner priest principal producer
        prosecutor psychiatrist publisher radiographer radiologist ranger receptionist reporter
        representative resident roofer sailor sculptor seamstress seller sergeant servant shepherd
        shopkeeper socialworker sociologist solicitor specialist stylist superintendent supervisor
        surveyor tailor tattooist taxidermist teller tour-guide translator treasurer trucker
        undertaker upholsterer urologist valet videographer vintner violinist pianist guitarist
        drummer cellist warden watchmaker welder winemaker worker youtuber zoologist sophomore
        freshman
        senior junior postgrad undergrad apprentice trainee associate strategist
        dermatologist cardiologist oncologist gynecologist anesthesiologist anaesthetist
        archaeologist astronomer astronaut botanist beekeeper blacksmith cobbler choreographer
        """
    ),
    "personal assistant",
    "teaching assistant",
    "research assistant",
    "physician assistant",
    "medical assistant",
    "real estate agent",
    "travel agent",
    "flight attendant",
    "social worker",
    "police officer",
    "civil servant",
    "tour guide",
    "business owner",
    "small business owner",
    "stay-at-home mom",
    "stay-at-home mum",
    "stay-at-home dad",
    "stay at home mom",
    "stay at home dad",
    "ta",
    "cto",
    "ceo",
    "cfo",
    "pm",
    "agent",
)
_NO_OCCUPATIONS: Final = frozenset(
    listed(
        "mother father mom mum dad parent grandmother grandfather grandparent vegetarian vegan "
        "diabetic widow widower lead model maker host shepherd climber owner senior junior captain"
    )
)
OCCUPATIONS: Final = alternatives(
    word for word in {*OCCUPATIONS_EN, *_MORE_OCCUPATIONS} if word not in _NO_OCCUPATIONS
)
BUSINESSES: Final = (
    r"(?:business|company|shop|store|bakery|caf[eé]|cafe|restaurant|bar|pub|salon|studio|farm"
    r"|startup|start-up|agency|practice|clinic|gallery|bookshop|bookstore|food truck|firm|gym"
    r"|consultancy|brewery|vineyard|hotel|b&b|nursery|blog|podcast|youtube channel|channel"
    r"|newsletter|charity|nonprofit|non-profit|garage|workshop)"
)
OWNED: Final = (
    r"(?:car|van|truck|pickup|suv|motorcycle|motorbike|scooter|e-?bike|bike|bicycle|boat|house"
    r"|flat|apartment|condo|cottage|cabin|allotment|garden|piano|guitar|violin|cello|ukulele"
    r"|drum kit|camera|laptop|computer|pc|macbook(?: \w+)?|imac|ipad(?: \w+)?|tablet|kindle"
    r"|e-?reader"
    r"|iphone(?: [\w ]+)?|android phone|pixel(?: \w+)?|galaxy(?: \w+)?|smartwatch|apple watch"
    r"|ps[45]|playstation(?: \d)?|xbox(?: [\w ]+)?|nintendo switch|switch|steam deck|telescope"
    r"|3d printer|espresso machine|record player|treadmill|tesla(?: model \w)?|toyota(?: \w+)?"
    r"|honda(?: \w+)?|ford(?: \w+)?|bmw(?: \w+)?|audi(?: \w+)?|volkswagen(?: \w+)?|vw(?: \w+)?"
    r"|mazda(?: \w+)?|subaru(?: \w+)?|volvo(?: \w+)?|hyundai(?: \w+)?|kia(?: \w+)?"
    r"|thinkpad(?: \w+)?|raspberry pi|vegetable garden|campervan|camper|caravan|motorhome)"
)
INSTRUMENTS_AND_SPORTS: Final = (
    r"(?:the )?(?:(?:acoustic |electric |bass |classical )?guitar|piano|violin|viola|cello|drums"
    r"|flute|clarinet|saxophone|sax|trumpet|trombone|harp|ukulele|bass|banjo|accordion|harmonica"
    r"|keyboard|organ|tennis|table tennis|ping pong|badminton|squash|golf|basketball|football"
    r"|soccer|volleyball|rugby|cricket|baseball|softball|hockey|ice hockey|field hockey|chess|go"
    r"|poker|bridge|padel|pickleball|water polo|video games|dungeons (?:and|&) dragons|d&d)"
)

TRADES: Final = (
    r"(?!(?:beginner|earlier|character|chapter|finger|september|october|november"
    r"|december|summer|winter"
    r"|dinner|longer|later|former|easter|sober|older|younger|eager|clever|tender"
    r"|bitter|proper|major"
    r"|minor|junior|senior|inferior|superior|poor|prior|far|water|cover|flower"
    r"|tower|power|corner|river"
    r"|newcomer|loser|number|stranger|matter|monster|disaster|quitter|customer|member"
    r"|user|player|sucker|believer|winner|master|supporter|lover|reader|eater"
    r"|sleeper|drinker|smoker"
    r"|learner|owner|homeowner|traveller|traveler|planner|overthinker|procrastinator|fighter|human"
    r"|failure|foreigner|survivor|sister|brother|mother|father|daughter|ever|never|other|rather"
    r"|super|over|under|after|together|another|either|whether|better|later|order|computer|paper"
    r"|letter|outsider|newbie|giver|thinker|person|poser|walker|gamer|hoarder|collector|visitor"
    r"|introvert|perfectionist|minimalist|feminist|pacifist|optimist|pessimist"
    r"|atheist|twin|christian"
    r"|italian|indian|egyptian|canadian|australian|norwegian|russian|brazilian"
    r"|librarian's|vegetarian"
    r"|pescatarian|flexitarian|cancer|bachelor|widower|carnivore|beer|monster|debtor|favor|sponsor"
    r"|fan|elephant|important|giant|pregnant|distant|significant|reluctant"
    r"|hesitant|constant|relevant"
    r"|want|intolerant|ignorant|brilliant|free|agree|degree|coffee|refugee|employee|devotee|trainee"
    r"|amputee|divorcee|absentee|man|woman|human|german)\b)"
    r"(?:[a-z]{3,}(?:er|or|ist|ian|eer|ant|wright|smith|herd|monger|keeper|maker)"
    r"|chef|cook|nurse|vet"
    r"|gp|dj|cop|pilot|clerk|coach|judge|guide|guard|nanny|au pair|midwife|housewife|househusband"
    r"|student|apprentice|trainee|intern|teacher|temp|civil servant|public servant|sysadmin"
    r"|(?:post|fire|police|sales|trades|business|sports|fisher|crafts|cameras?"
    r"|handy|army)(?:man|woman)"
    r"|handyman|tradesman|fisherman|postie|brickie|sparky|chippy|doula|surgeon|physician|mechanic"
    r"|technician|musician|paramedic|barista|medic|academic|lecturer|professor|postdoc|phd"
    r"|undergrad|postgrad|freshman|sophomore|head of [\w ]+|ceo|cto|cfo|coo|vp|ta|tpm|pm|dev|devops"
    r"|sre|ux \w+|ui \w+|assistant|consultant|architect|priest|pastor|imam|rabbi|monk|nun|vicar"
    r"|soldier|marine|veteran|archivist|analyst|scientist|freelance [a-z]+|self-employed [a-z]+"
    r"|stay[- ]at[- ]home (?:mum|mom|dad|parent)|registrar|ranger|paralegal|spy|model|au pair"
    r"|childminder|dinner lady|lollipop lady|lorry driver|hca|care worker|social worker)"
)
"""Words for what somebody is by profession, most of them known by their endings."""
TRAITS: Final = (
    r"(?:(?:heavy |light |slow |fast |fussy |picky |messy |avid |deep |big |long[- ]distance |keen "
    r"|night |social |occasional |former |ex-|first[- ]time |new |nervous "
    r"|cautious |strict |lapsed "
    r"|practising |practicing |devout |recovering |chronic |serial |only )*(?:sleeper|eater|reader"
    r"|smoker|drinker|cook|baker|homeowner|renter|procrastinator|perfectionist|minimalist|feminist"
    r"|introvert|extrovert|optimist|pessimist|night owl|early bird|early riser"
    r"|morning person|homebody"
    r"|collector|hoarder|gamer|runner|swimmer|climber|cyclist|hiker|birder|birdwatcher|gardener"
    r"|knitter|flyer|traveller|traveler|twin|triplet|widow|widower|orphan|refugee|immigrant|expat"
    r"|survivor|amputee|christian|muslim|hindu|buddhist|sikh|jew|jewish|catholic|protestant|quaker"
    r"|atheist|agnostic|vegan|carnivore|capricorn|aquarius|pisces|aries|taurus"
    r"|gemini|leo|virgo|libra"
    r"|scorpio|sagittarius|infj|infp|intj|intp|enfp|enfj|entp|estj|istj|isfj|isfp|esfp|veteran"
    r"|single (?:mum|mom|mother|dad|father|parent)|pensioner|oap|grandparent|teetotaller|teetotal"
    r"|alcoholic|left[- ]handed|right[- ]handed|leftie|lefty|southpaw"
    r"|ambidextrous|colou?r[- ]?blind"
    r"|deaf|hard of hearing|partially sighted|blind|short-?sighted|near-?sighted|long-?sighted"
    r"|dyslexic|dyspraxic|autistic|adhd|neurodivergent|bipolar|asthmatic|diabetic"
    r"|(?:type \w+ |t1 |t2 )diabetic"
    r"|prediabetic|an?aemic|epileptic|coeliac|celiac|hypermobile"
    r"|immunocompromised|pregnant|disabled"
    r"|hiv positive|rh negative|menopausal|perimenopausal|lactose[- ]intolerant"
    r"|gluten[- ]intolerant"
    r"|gay|lesbian|bisexual|bi|queer|trans|transgender|asexual|non-?binary|straight|shy|introverted"
    r"|extroverted|religious|teetotal|sober|in a wheelchair|a wheelchair user|wheelchair user"
    r"|going bald|bald|balding|hearing[- ]impaired|visually impaired|mute"
    r"|claustrophobic|arachnophobic"
    r"|agoraphobic|hypothyroid|hypertensive|in remission|homeschooled|breastfeeding|\d+ weeks|"
    r"\d+ months (?:sober|pregnant)|\d+ years (?:sober|clean)|nocturnal|an insomniac|insomniac))"
)
AILMENTS: Final = (
    r"(?:sickle cell|cystic fibrosis|spina bifida|down'?s|hiv|copd|thalass\w+"
    r"|ha?emophilia|narcolepsy"
    r"|scoliosis|[a-z]+(?:itis|osis|algia|pathy|oma|phobia|emia|aemia|apnea"
    r"|apnoea|plegia)|asthma|diabetes"
    r"|migraines?|hypertension|(?:high|low) blood pressure|(?:high )?cholesterol|epilepsy|anxiety"
    r"|depression|adhd|add|autism|asd|ocd|ptsd|bipolar|insomnia|eczema|hay ?fever|celiac|coeliac"
    r"|crohn'?s|colitis|ibs|gerd|(?:acid )?reflux|gout|tinnitus|vertigo|cancer|lupus|pcos|pots|eds"
    r"|ms|cfs|long covid|parkinson'?s|alzheimer'?s|dementia|dyslexia|dyspraxia|aphantasia|sciatica"
    r"|hernia|pacemaker|(?:\w+ )?(?:syndrome|disease|disorder|deficiency|palsy|sclerosis"
    r"|dystrophy|disability|impairment)|(?:heart|skin|medical|lung|kidney|liver"
    r"|thyroid|back|knee|hip|shoulder"
    r"|stomach|joint|neck|hearing|sight|eye|gut) (?:problems?|issues?|trouble|condition|murmur"
    r"|failure|injury|pain)|(?:bad|dodgy|weak|trick|bum|gammy|sensitive|torn|slipped|herniated"
    r"|frozen|fallen|flat|broken|fractured|sprained) (?:knees?|back|hips?|shoulders?|ankles?|neck"
    r"|stomach|wrists?|eyesight|teeth|discs?|disks?|meniscus|acl|ligaments?|arches|feet|arm|leg|toe"
    r"|foot|hand|finger|collarbone)|food allergies|allergies)"
)
DRUGS: Final = (
    r"(?:[a-z]{2,}(?:statins?|prils?|sartan|olol|formin|azole|pam|cillin|oxetine|traline|apine|arin"
    r"|gliptin|gliflozin|glutide|mab|thyroxine|profen|mycin|odone|barbital|pidem"
    r"|epam)|insulin|lithium"
    r"|prozac|zoloft|lexapro|citalopram|escitalopram|venlafaxine|duloxetine|xanax|valium|adderall"
    r"|ritalin|vyvanse|concerta|elvanse|ozempic|wegovy|mounjaro|humira|methotrexate|prednisone"
    r"|prednisolone|steroids|aspirin|blood thinners?|antidepressants?|anti-?depressants|ssris?"
    r"|birth control|the pill|contraceptive pill|hrt|testosterone|estrogen|accutane|roaccutane"
    r"|beta[- ]blockers?|antihistamines?|chemo\w*|dialysis|immunosuppressants?|antipsychotics?"
    r"|(?:blood pressure|heart|thyroid|adhd|anxiety|migraine|epilepsy|asthma) (?:meds|medication"
    r"|tablets|pills|medicine)|iron (?:tablets|supplements)|melatonin|creatine"
    r"|magnesium|finasteride"
    r"|gabapentin|pregabalin|tramadol|lamotrigine|levetiracetam|propranolol|synthroid)"
)
FOODS: Final = (
    r"(?:(?:red |raw |cow'?s |processed |spicy |fried |deep[- ]fried |fatty |refined |added |tree |"
    r"shell |oily |hot |soft |blue |goat'?s |white |brown |fizzy )*(?:meat|pork|beef|lamb|chicken"
    r"|poultry|veal|bacon|ham|fish|seafood|shellfish|prawns?|shrimps?|crab|lobster|mussels|oysters"
    r"|tuna|salmon|sushi|dairy|milk|lactose|cheese|butter|cream|yogh?urt|eggs?|gluten|wheat|bread"
    r"|pasta|rice|oats|soy|soya|tofu|nuts?|peanuts?|peanut butter|almonds?"
    r"|cashews?|walnuts?|hazelnuts?"
    r"|pistachios?|sesame|sugar|sweets|desserts?|chocolate|honey|salt|carbs|alcohol|booze|wine|beer"
    r"|spirits|caffeine|coffee|tea|soda|fizzy drinks|energy drinks|cola|coke|juice|spice|spicy"
    r"|spicy food|spicy things|garlic|onions?|mushrooms?|tomato(?:es)?"
    r"|aubergines?|eggplants?|olives?"
    r"|cilantro|coriander|celery|peppers|chill?i(?:es|s)?|citrus|kiwis?|bananas?"
    r"|apples?|strawberries"
    r"|pineapple|mango(?:es)?|avocados?|avocado|grapefruit|grapes|raisins|beans|lentils|chickpeas"
    r"|legumes|broccoli|cauliflower|cabbage|beetroot|potatoes|corn|liver|offal|fast food|junk food"
    r"|takeaway|anchovies|capers|ginger|cinnamon|mayo|mayonnaise|mustard|vinegar|animal products"
    r"|gelatine?|palm oil|sweeteners?|aspartame|msg|processed food|fried food|raw fish|blue cheese"
    r"|anything (?:spicy|fried|sweet|raw|with \w+)))"
)
CRAFTS: Final = (
    r"(?:yoga|pilates|crossfit|running|jogging|swimming|cycling|climbing|bouldering|hiking|boxing"
    r"|kickboxing|muay thai|judo|karate|bjj|jiu[- ]?jitsu|taekwondo|aikido|capoeira|tai chi|ballet"
    r"|salsa|tango|zumba|dancing|dance|gymnastics|fencing|archery|rowing|sailing|surfing|skiing"
    r"|snowboarding|skateboarding|horse ?riding|triathlons?|parkrun|weightlifting"
    r"|powerlifting|weights"
    r"|strength training|meditation|meditating|journaling|knitting|crochet(?:ing)?|sewing|quilting"
    r"|embroidery|pottery|ceramics|woodwork(?:ing)?|wood ?carving|painting|watercolou?rs?|drawing"
    r"|sketching|calligraphy|photography|gardening|baking|cooking|brewing|home ?brewing|fermenting"
    r"|fishing|birdwatching|birding|foraging|beekeeping|stargazing|astronomy|chess|go|scrabble"
    r"|improv|stand-?up|amateur dramatics|theatre|choir|singing|guitar|piano|violin|cello|drums"
    r"|ukulele|saxophone|bass|flute|origami|lego|model (?:trains|railways"
    r"|aircraft)|larp|cosplay|d&d"
    r"|geocaching|metal detecting|roller derby|padel|pickleball|tennis|badminton|squash|golf"
    r"|football|netball|rugby|cricket|volleyball|basketball|hockey|spin|hiit|acupuncture|therapy)"
)
CLASSES: Final = r"(?:[\w-]+ (?:classes|class|lessons|training|practice|sessions))"
BELONGINGS: Final = (
    r"(?:cars?|van|truck|lorry|suv|hatchback|motor(?:cycle|bike)|scooter|moped|e-?bike|bike|bicycle"
    r"|boat|canoe|kayak|narrowboat|house|flat|apartment|condo|bungalow|cottage|cabin|farm|allotment"
    r"|greenhouse|garden|balcony|piano|keyboard|guitar|violin|cello|ukulele|banjo|drum kit|camera"
    r"|laptop|computer|pc|desktop|macbook(?: (?:air|pro))?|imac|mac mini|ipad(?: (?:air|pro|mini))?"
    r"|tablet|kindle|kobo|e-?reader|phone|iphone(?: \d+)?(?: (?:pro|max|mini|plus"
    r"|se))*|pixel(?: \w+)?"
    r"|galaxy(?: \w+)?|android(?: phone)?|oneplus(?: \w+)?|fairphone(?: \d)?|smartwatch|apple watch"
    r"|garmin(?: \w+)?|fitbit|ps[45]|playstation(?: \d)?|xbox(?: [\w ]+)?|nintendo switch|switch"
    r"|steam deck|telescope|3d printer|sewing machine|espresso machine|coffee machine|air ?fryer"
    r"|instant pot|slow cooker|stand mixer|thermomix|bread ?maker|wood ?burner|wood stove|hot tub"
    r"|record player|turntable|treadmill|peloton|campervan|camper(?: van)?|caravan|motorhome"
    r"|transporter|tent|thinkpad(?: \w+)?|chromebook|raspberry pi(?: \w+)?|roomba|robot vacuum"
    r"|solar panels?|heat pump|pool|sauna|horse box|drone|gopro|synth\w*|loom|kiln|spinning wheel"
    r"|tesla(?: model \w)?|toyota(?: \w+)?|honda(?: \w+)?|ford(?: \w+)?|bmw(?: \w+)?|audi(?: \w+)?"
    r"|volkswagen(?: \w+)?|vw(?: \w+)?|mazda(?: \w+)?|subaru(?: \w+)?|volvo(?: \w+)?"
    r"|hyundai(?: \w+)?|kia(?: \w+)?|skoda(?: \w+)?|renault(?: \w+)?|peugeot(?: \w+)?"
    r"|nissan(?: \w+)?|fiat(?: \w+)?|citro[eë]n(?: \w+)?|vauxhall(?: \w+)?|opel(?: \w+)?"
    r"|suzuki(?: \w+)?|maruti(?: \w+)?|dacia(?: \w+)?|lexus(?: \w+)?|jeep(?: \w+)?|prius|civic"
    r"|brompton|vespa|harley(?: \w+)?|ducati(?: \w+)?|royal enfield(?: \w+)?)"
)
