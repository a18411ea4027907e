"""Every view, and a memory that has something to show in each: for axe and for screenshots."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from tests.integration.conftest import home

from chatmem import MemoryService

SESSION: Final = "flat/柏林"
VIEWS: Final[dict[str, str]] = {
    "/": "memory",
    "/search?q=Berlin": "search",
    "/browse": "browse",
    "/sessions": "sessions",
    f"/sessions/{quote(SESSION, safe='')}": "session",
    "/daily": "daily",
    "/profile": "profile",
    f"/prompt?message=Berlin&session={quote(SESSION, safe='')}": "prompt",
    "/chat": "chat",
    "/overview": "overview",
    "/settings": "settings",
}
"""Addresses below the page's, and the names of their pictures."""

_LONG: Final = (
    "The flat is on the fourth floor of a house from 1904 whose staircase is narrow: nothing wider "
    "than eighty centimetres goes up, and the sofa came in by a crane through the balcony door "
    "(https://example.com/an-address-without-any-break/that-is-longer-than-a-telephone-is-wide)"
)
_FACTS: Final[tuple[tuple[str, Any], ...]] = (
    ("Prefers short answers, without lists", "preference"),
    ("对花生过敏，吃了会起疹子", "fact"),
    ("Lives in Berlin since March", "fact"),
    ("每周三晚上和同事打羽毛球，输的人请喝豆浆", "pattern"),
    (_LONG, "fact"),
    (
        "妹妹叫小雅，在成都读研究生，十二月放寒假，来柏林住三个星期，想去看博物馆岛和圣诞市场",
        "fact",
    ),
    ("喜歡喝不加糖的烏龍茶", "preference"),
)
_SHARED: Final[tuple[tuple[str, Any], ...]] = (
    ("The key to the cellar hangs behind the kitchen door 地下室的钥匙在厨房门后", "fact"),
    ("每周日晚上一起吃饭，轮到谁做饭看冰箱上的表", "pattern"),
)
_TURNS: Final = (
    ("I am moving to Berlin in March. What comes first?", "Register your address: Anmeldung."),
    ("My budget is 2000 euros.", "Then measure the stairs first.\n\n1. The door\n2. The sofa"),
    ("我妹妹小雅下周来，她爱吃辣，帮我想几个菜", "可以做麻婆豆腐和水煮鱼。花生换成腰果。"),
)


def fill(memory: MemoryService, now: datetime | None = None) -> None:
    """Some memories, days, a profile and sessions, in two languages and of all lengths."""
    moment = now or datetime.now(UTC)
    for content, category in _FACTS:
        memory.append_memory(content, category, now=moment - timedelta(days=9))
    (changed, *_) = memory.search_memories("short answers").hits
    memory.update(changed.memory.id, content="Prefers short answers; lists are fine for steps")
    for days in (0, 1, 4):
        at = moment - timedelta(days=days)
        memory.append_daily_log("Signed the contract for the flat 签了租房合同", now=at)
    memory.update_user_profile("# Mei 梅\n\n- Software engineer 软件工程师\n- 喜欢简洁的回答\n")
    for number, (asked, answered) in enumerate(_TURNS):
        at = moment - timedelta(minutes=20 - number)
        memory.save_conversation_turn(asked, answered, SESSION, now=at)
        earlier = moment - timedelta(days=2, minutes=-number)
        memory.save_conversation_turn(asked + " 2", answered, f"earlier-{number}", now=earlier)
    memory.sessions.collect(SESSION, memory.sessions.messages(SESSION)[1].id)
    memory.sessions.end("earlier-0")
    _share(memory, moment)
    memory.wait_until_idle()


def _share(memory: MemoryService, moment: datetime) -> None:
    """A household with a member who shares something."""
    ana = f"{memory.user_id}-ana"
    home(memory, **{ana: "parent"})
    for content, category in _SHARED:
        memory.for_user(ana).append_memory(
            content, category, visibility="household", now=moment - timedelta(days=2)
        )
