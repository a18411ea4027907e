"""Words by which a statement says that something is not as it was.

Patterns look through normalised text: small letters, Simplified characters.

Source: decisions 4.
"""

import re
from typing import Final

CHANGE: Final = re.compile(
    r"不再|再也不|别再|不[^，。不是了]{1,5}了|没再|戒|停了|停掉|停药|停用|叫停|断了|"
    r"卖[了掉给]|盘出|送人|放弃|放下"
    r"|不干了|关[了门]|倒闭|拆了|退[了掉订租学会群]|注销|取消|泡汤|黄了|作废|告吹|翻篇|"
    r"结束|散了|腻了|受不了|弃坑"
    r"|不[去喝吃玩养住打练学用抽做看听追碰]了|早不|没[去喝吃玩养]了|不行了|到头"
    r"|换[了成个到去回]|改[成为到去喝吃用名叫期坐骑推学练看]|转[成为去到学行岗投园院]|切[到换成]"
    r"|搬[到去来完家进回出]|跳槽|离职|辞[职了掉]|被裁|裁员|新东家|退休|升[职了为任]|晋升|"
    r"转正|调[到去回成]"
    r"|分手|分了|离了|离婚|结婚了|登记|领证|订婚了|有对象|脱单|复合|毕业|考上|保研|录取|"
    r"挪[到了]|推[迟后到翻]|延[期后]|提前到"
    r"|变成|减到|减成|加到|缩到|只剩|说错|打错|记错|看错|写错|弄错|搞错|更正|纠正|"
    r"原来(?!如此|是这样)|误诊|而是|(?<!是)不是(?!很|特别|吗)|打脸"
    r"|去世|走了|过世|没了|丢了|飞走|走丢|报废|结清|还清|还完|痊愈|康复|消了|学会|出分|"
    r"爱上|迷上|碎了|居然|敲定|推翻"
    r"|\b(?:no longer|any ?more|any longer|never again|quit|stopped|gave up|given up|give up|"
    r"dropped|ditched"
    r"|got rid of|sold|off my hands|over for me|is over|it's over|it's done|fell through|"
    r"call(?:ed|ing) off"
    r"|cancel\w*|postponed|bumped|rescheduled|pushed (?:back|to|out)|put back|moved|delayed|"
    r"brought forward|shifted"
    r"|switch(?:ed|ing)?|swapped|changed (?:to|it|my|the)|replaced|traded|upgraded|instead"
    r"|correction|i meant|turns out|my bad|mistake|misspoke|typo|typed|miscounted|misread|"
    r"(?<!^)after all(?=$|[,.;!])"
    r"|from (?:now|here) on|these days|nowadays|passed away|died|goodbye to|put \w+ (?:down|"
    r"to sleep)|rehomed"
    r"|healed|recovered|cured|paid off|last [\w ]{1,20}payment|behind me|closed|shut down|"
    r"wiped|went back"
    r"|reassigned|transferred|promoted|retired|resigned|handed in|laid off|let [\w ]{1,20} go|"
    r"out of work"
    r"|broke up|split|divorced|moved out|ruined|can't stand|dethroned|^(?:so )?forget|^scrap|"
    r"^scratch|pulled (?:out|\w+ out)|caved|killed|otherwise|final answer|lasik"
    r"|gone|only \w+ \w+ left|no more|for good|matched with|cut (?:down|back)|down to|"
    r"not (?:actually |really )?(?:allergic|intolerant)|not [\w ]{1,12} (?:but|any))\b"
)
"""That something has ended, is another one, or was told wrong."""
NOW: Final = re.compile(
    r"现在|如今|目前|从今|今后|以后|往后|之后都|终于|其实|开始|已经|刚|最近|今[天早]|"
    r"昨[天晚]|上[周个]|这学期|入了|移民|换|改|升|转|考|保研"
    r"|\d{4}-\d\d-\d\d|\b(?:now|today|currently|as of|this (?:week|morning|month)|just|"
    r"finally|back to|again|left|lost|passed|finished|graduated"
    r"|started|seeing|married|engaged|bought|got|new|made me|update|put me|nobody|no need|"
    r"feel free|be as|lately|since|licen[cs]e)\b"
)
"""That something is said of the present: enough only where it gives an attribute another value."""
ADDED: Final = re.compile(
    r"另外|另一|还有|还[养捡买报学会约]|也(?!许|不再)|再[养买加]|多养|同时|除了|兼职|副业|"
    r"前年|曾|以前|小时候"
    r"|\b(?:also|too|another|other|besides|in addition|on top of|used to|side gig|part[- ]time"
    r"|moonlight)\b"
)
"""That something comes beside what there is."""
LIKED: Final = re.compile(
    r"爱|喜欢|迷上|离不开|上瘾|真香|好吃|\b(?:loves?|(?<!feel )(?<!feels )(?<!looks )"
    r"(?<!looked )likes?|"
    r"adore|enjoy\w*|fan of|favou?rite|obsessed"
    r"|every day of my life)\b"
)
MOVED: Final = re.compile(
    r"改|挪|推[迟后到]|提前|延[期后]|往[后前]|看错|说错|记错|打错|其实|变成|更正"
    r"|\b(?:bumped|moved|pushed|postponed|put back|brought|rescheduled|delayed|earlier|later|"
    r"forward|instead|actually"
    r"|correction|mistake|wrong|misread|shifted|changed|turns out|not the)\b"
)
"""That something has another day."""
DISLIKED: Final = re.compile(
    r"不爱|不喜欢|讨厌|恨|一口都不|吃不[了惯]|不吃|反胃|受不了|不行了|腻了|别再|难[吃喝]"
    r"|\b(?:hate|hates|can't stand|cannot stand|dislike|disgust\w*|don't like|not a fan|"
    r"sick of|gross|can't do|ruined)\b"
)
RENAMED_OR_LOST: Final = re.compile(
    r"改名|改叫|其实叫|不叫|说错|打错|写错|记错|更正|去世|走了|过世|没了|丢了|飞走|走丢|"
    r"送人|送给|送走|送去|跑丢|走失|喵星|汪星|彩虹桥|安葬|埋[了在]|"
    r"领养走|病死|死了|离开了|没救|安乐|不在了|离世|不养"
    r"|\b(?:from now on|renamed|now called|call(?:ing)? (?:him|her|it)|goes by|"
    r"name is actually|actually|correction"
    r"|passed away|died|goodbye|put (?:him|her|\w+) (?:down|to sleep)|rehomed|ran away|lost|"
    r"gave (?:him|her|it) (?:away|to)"
    r"|no longer|is gone|died of|rainbow bridge|no longer with|found (?:him|her|them) a|"
    r"took (?:him|her) back|gave up|adopted out|lives? with|passed|kidney failure got|"
    r"didn't make it|typo|meant)\b"
)
"""That somebody or an animal has another name, or is no more."""
STANDING: Final = re.compile(
    r"以后|往后|今后|从现在|从今|之后都|还是|别再|不用再|改成|换成"
    r"|\b(?:from (?:now|here) on|going forward|in (?:the )?future|instead|these days|"
    r"any ?more|no longer|always|after all"
    r"|from today)\b"
)
"""That something holds from now on."""
REQUEST: Final = re.compile(
    r"^\W*(?:(?:那|所以|麻烦|请|求|再|顺便|然后)*(?:帮|给我(?=推|来|写|列|讲|出|个|几|一|"
    r"点|整|安排|做|找|算)|推荐|教我|写|列|"
    r"来[个份几三两点]|重新|重做|怎么|咋"
    r"|有没有|有啥|求|出个|想搞|问问|算算|排一|改一下|先来)"
    r"|(?:so |and |but |then |now )?(?:please|pls|can you|could you|help|give|write|draft|"
    r"suggest|recommend|explain"
    r"|rewrite|redo|teach me|quiz me|roast|make me|tell me|show me|any\b|what|how|which|"
    r"when\b|where|who\b|is |are |do "
    r"|does |should |could (?=you|i\b|we)|can (?=you|i\b|we)|got any|need (?:a|some)|"
    r"ideas)(?! longer))"
)
"""A clause that only asks for something."""
