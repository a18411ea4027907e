"""Words by which English statements about a person are recognised."""

from typing import Final

from chatmem.extraction.profile_words import OCCUPATIONS_EN
from chatmem.extraction.slot_patterns import alternatives
from chatmem.text.wordlist import listed

PARTNERS: Final = listed(
    "wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse"
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
    niece nephew stepmother stepfather stepmom stepdad mother-in-law father-in-law sister-in-law
    brother-in-law son-in-law daughter-in-law grandson granddaughter grandkids ex-wife ex-husband
    family
    """
)
_CLOSE: Final = (*listed("roommate flatmate housemate boss manager"), "best friend")
MANY_OF: Final = listed("friend colleague coworker co-worker cousin neighbour neighbor classmate")
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
        serbian tagalog filipino esperanto asl
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
