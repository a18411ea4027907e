"""What English statements are made of: places, firms, jobs, and what may follow them."""

from typing import Final

from chatmem.extraction.rule_words_en import OCCUPATIONS

# What may follow a value without being part of it.
ON: Final = (
    r"(?:,? (?:with|for|since|near|because|where|which|who|at|on|by|after|before|when|while|and"
    r"|but|so|now|right now|as|in|from|around|until|till|over|this|last|next|these|about)"
    r"\b.*)?$"
)
COUNT: Final = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twin|another|a (?:pair|couple) of"
    r"|several|many|some|no|\d{1,2})"
)
PLACE: Final = (
    r"(?P<v>[a-z][\w.'-]*(?: (?!with|for|since|near|and|but|so|at|on|by|in)[\w.'-]+){0,5}?)"
)
FIRM: Final = (
    r"(?P<v>(?:an? |the )?[\w&.'-]+(?: (?!as\b|for\b|since\b|in\b|with\b|and\b"
    r"|but\b|so\b|on\b|from\b)[\w&.'-]+){0,5}?)"
)
ROLE: Final = (
    rf"(?P<v>(?:[\w/+#&.'-]+ ){{0,5}}?(?:{OCCUPATIONS})s?)"
    r"(?P<tail>(?: (?:at|in|for|of|from|with|on|who|specializing|specialising|working)\b.*)?)$"
)
THING: Final = r"(?P<v>[\w$'’&#+.-].*)"
MEAT: Final = (
    r"(?P<v>(?:any )?(?:red )?(?:meat|pork|beef|fish|seafood|shellfish|dairy|eggs?|gluten|nuts"
    r"|sugar|wheat|lamb|chicken|animal products))"
)

# Objects of liking. What is liked is checked again where it is used.
LIKING: Final = "(?:like|love|enjoy|adore|prefer)"
