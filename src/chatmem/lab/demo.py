"""The made-up conversation of `chatmem demo`, and its replay, without extraction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from chatmem.engine.service import MemoryService
from chatmem.model import AtomicMemoryRecord, Category, SearchResults

FOUND = 3


@dataclass(frozen=True, slots=True)
class DemoNote:
    """What the person asked to remember for good; in the day's log where it has no category."""

    text: str
    category: Category | None = None
    importance: int = 3


@dataclass(frozen=True, slots=True)
class DemoTurn:
    """A message, its answer, and what the person asked to remember."""

    session: str
    at: datetime
    user: str
    assistant: str
    note: DemoNote | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """What the memory holds after the conversation, what each question found, what is recalled."""

    remembered: Sequence[AtomicMemoryRecord]
    answers: Mapping[str, SearchResults]
    recalled: SearchResults


def _at(month: int, day: int, hour: int, minute: int) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


ASKED_AT = _at(4, 20, 9, 0)

TURNS: tuple[DemoTurn, ...] = (
    DemoTurn(
        "moving",
        _at(3, 2, 19, 4),
        "你好，我叫林悦，在家做文学翻译，主要译葡萄牙语的小说。",
        "你好，林悦！翻译小说很有意思，最近在译哪一本？",
        DemoNote("林悦，文学翻译，主要译葡萄牙语小说", "fact", 4),
    ),
    DemoTurn(
        "moving",
        _at(3, 2, 19, 6),
        "一本写灯塔看守人的，出版社要我七月底交稿。",
        "七月底，还有不到五个月。我可以帮你把章节排进日历。",
    ),
    DemoTurn(
        "moving",
        _at(3, 2, 19, 9),
        "Let's use English, for practice. I'm moving to Porto in May, and my pet comes along.",
        "Porto in May, lovely. You will need a microchip, a rabies shot and a European pet "
        "passport. Shall I make a list?",
    ),
    DemoTurn(
        "moving",
        _at(3, 2, 19, 12),
        "Yes please. 对了，猫叫豆沙，八岁，最怕坐车。",
        "给豆沙的清单：芯片、狂犬疫苗、宠物护照，还有一个她熟悉味道的航空箱，路上会安心一些。",
    ),
    DemoTurn(
        "moving",
        _at(3, 2, 19, 15),
        "请记住，我对虾过敏，很严重，订餐的时候千万要避开。",
        "记住了：对虾严重过敏，订餐时避开所有含虾的菜。",
        DemoNote("对虾严重过敏，订餐必须避开", "fact", 5),
    ),
    DemoTurn(
        "moving",
        _at(3, 2, 19, 21),
        "Which neighbourhood would you pick? I work at home and I want quiet and light.",
        "For quiet and light I would look at Foz do Douro by the sea, or the upper streets of "
        "Bonfim, where rents are lower.",
    ),
    DemoTurn(
        "routine",
        _at(3, 18, 8, 30),
        "早！昨晚又失眠了，翻译到两点。",
        "早。连着几天晚睡容易形成习惯，要不要定一个晚上的收工时间？",
    ),
    DemoTurn(
        "routine",
        _at(3, 18, 8, 33),
        "好，以后晚上十点以后不工作。帮我记下来。",
        "记下了：晚上十点以后不工作。",
        DemoNote("晚上十点以后不工作", "pattern"),
    ),
    DemoTurn(
        "routine",
        _at(3, 18, 8, 37),
        "Also note that I only drink decaf after lunch. Real coffee keeps me up.",
        "Noted: only decaf after lunch.",
        DemoNote("Drinks only decaf after lunch", "preference"),
    ),
    DemoTurn(
        "routine",
        _at(3, 18, 8, 44),
        "我在学大提琴，老师姓秦，每个星期四下午上课。搬家以后只好上网课了。",
        "和秦老师商量一下网课的时间吧，波尔图比北京晚七八个小时，星期四上午比较合适。",
    ),
    DemoTurn(
        "routine",
        _at(3, 18, 8, 51),
        "Can you recommend a bookshop in Porto that is not full of tourists?",
        "Try Livraria Poetria near the theatres: small, mostly poetry and plays, and the owner "
        "knows every shelf.",
    ),
    DemoTurn(
        "keys",
        _at(4, 6, 17, 2),
        "房子找到了！在 Bonfim，两居室，朝南，房东叫 Teresa，六月一日起租。",
        "恭喜！六月一日起租，那五月的行程要往后挪了。",
        DemoNote("Bonfim 的房子定下来了，六月一日起租，房东 Teresa"),
    ),
    DemoTurn(
        "keys",
        _at(4, 6, 17, 5),
        "So the move is now at the end of May, and the rent is 870 euros a month.",
        "Got it: the end of May, 870 euros a month. I have moved the list by four weeks.",
    ),
    DemoTurn(
        "keys",
        _at(4, 6, 17, 11),
        "豆沙今天打了狂犬疫苗，医生说二十一天以后才能出境。",
        "四月二十七日以后就可以出境，赶得上五月底搬家。",
    ),
    DemoTurn(
        "keys",
        _at(4, 6, 17, 16),
        "My mother turns seventy on the ninth of August. I want to bring her to Porto for it.",
        "A seventieth birthday by the Douro, what a gift. Flights in August fill up early, so book "
        "before June.",
        DemoNote("Wants to bring her mother to Porto for her 70th birthday on 9 August"),
    ),
)

QUESTIONS = {
    "订餐要注意什么？": "Chinese, answered by a memory",
    "Which bookshop did you recommend?": "English, answered by the assistant's own words",
    "What is the name of my cat?": "asked in English, told in Chinese",
    "能喝咖啡吗？": "asked in Chinese, told in English",
    "星期四的大提琴課是哪位老師？": "asked in Traditional characters, told in Simplified",
}
"""Questions to the memory, and what each shows."""
RECALLED_FOR = next(iter(QUESTIONS))


def play(
    memory: MemoryService, progress: Callable[[int, int], None] | None = None
) -> list[AtomicMemoryRecord]:
    """Saves every turn and what was asked to be remembered; returns the memories made.

    `progress` is called with (done, total) turns.
    """
    remembered = []
    for done, turn in enumerate(TURNS, start=1):
        memory.save_conversation_turn(turn.user, turn.assistant, turn.session, now=turn.at)
        if (note := turn.note) is None:
            pass
        elif note.category is None:
            remembered.append(memory.append_daily_log(note.text, now=turn.at))
        else:
            columns = {"importance": note.importance, "session_id": turn.session}
            record = memory.append_memory(note.text, note.category, now=turn.at, **columns)
            remembered.append(record)
        if progress is not None:
            progress(done, len(TURNS))
    return remembered


def replay(memory: MemoryService) -> Replay:
    """Plays the conversation, then asks the questions."""
    remembered = play(memory)
    memory.wait_until_indexed()
    answers = {one: memory.search_memories(one, limit=FOUND) for one in QUESTIONS}
    recalled = memory.get_relevant_memories(RECALLED_FOR, FOUND, now=ASKED_AT)
    return Replay(remembered, answers, recalled)
