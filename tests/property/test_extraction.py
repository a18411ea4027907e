"""Secrets in any text, flushes in any order, extractions at any time, notes of any profile."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.conftest import examples

from chatmem.engine.profiles.notes import Noticed, with_notice, without_session
from chatmem.engine.profiles.profiles import MARK, visible_profile
from chatmem.extraction import flush
from chatmem.extraction.extractor import ProfileStatement
from chatmem.extraction.redact import KINDS, mask_secrets
from chatmem.text.bullets import parse

SHARDS = st.sampled_from(
    [
        "password ", "my password is ", "密码", "密碼是", "：", ": ", "hunter2", "Blue_77", " ",
        "\n", "口令", "验证码 ", "123456", "PIN ", "4111 1111 1111 1111", "110101199003074610",
        "IBAN ", "DE89370400440532013000", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "://a:b1c2@d", '"', "“", "”", "[secret: password]", "[已隐去：密码]", "[已隱去：密碼]",
        "card ", "卡号", "API key ", "，", "-----BEGIN PRIVATE KEY-----", "is my password",
        "是我的密码", "token=", "１２３ａｂｃ", "]", "[",
    ]
)  # fmt: skip
TEXTS = st.lists(SHARDS | st.text(max_size=5), max_size=14).map("".join)


@settings(max_examples=examples(250), deadline=None)
@given(TEXTS)
def test_what_is_masked_stays_masked(text: str) -> None:
    once = mask_secrets(text)

    assert set(once.kinds) <= set(KINDS)
    assert (once.text == text) == (not once.kinds)
    assert mask_secrets(once.text).text == once.text


LIMIT = 100


@dataclass(frozen=True)
class Worker:
    """A flush under way: of which cycle, and the messages that it has found."""

    cycle: int
    reads_to: int


class Flushes(RuleBasedStateMachine):
    """`due` has every cycle whose flush fell due, with the messages there were then."""

    def __init__(self) -> None:
        super().__init__()
        self.state = flush.FlushState()
        self.workers: list[Worker] = []
        self.late: list[Worker] = []
        self.messages = 0
        self.read_to = 0
        self.due: dict[int, int] = {}
        self.written: dict[int, int] = {}

    @initialize(messages=st.integers(0, 3))
    def begin(self, messages: int) -> None:
        self.messages = messages

    def take(self, step: flush.FlushStep) -> None:
        """Saves the state, and starts what was asked for."""
        self.state = flush.FlushState.from_dict(json.loads(json.dumps(step.state.as_dict())))
        if step.flush is not None:
            assert step.flush not in self.written
            assert step.flush not in [worker.cycle for worker in self.workers]
            assert flush.is_open(self.state, step.flush)
            self.due.setdefault(step.flush, self.messages)
            self.workers.append(Worker(step.flush, self.messages))

    def fall_due(self) -> None:
        """What the rules say of this moment, whatever the machine makes of it."""
        self.due.setdefault(self.state.cycle, self.messages)

    def write(self, worker: Worker) -> None:
        if not flush.is_open(self.state, worker.cycle):
            return
        covered = [cycle for cycle in self.due if cycle <= worker.cycle]
        assert any(cycle not in self.written for cycle in covered), "written twice"
        for cycle in covered:
            self.written.setdefault(cycle, worker.cycle)
        self.read_to = max(self.read_to, worker.reads_to)
        self.take(flush.on_flush_succeeded(self.state, worker.cycle))

    @rule()
    def message(self) -> None:
        self.messages += 1
        self.take(flush.on_message(self.state))

    @rule(tokens=st.integers(0, 130), known=st.integers(0, 4).map(bool))
    def usage(self, tokens: int, known: bool) -> None:
        before = self.state
        self.take(flush.on_usage(before, tokens, LIMIT if known else 0))
        if known and tokens >= 75:
            self.fall_due()
        rearmed = known and tokens <= 65 and before.stage != "not_due"
        assert self.state.cycle == before.cycle + rearmed

    @rule()
    def compaction_start(self) -> None:
        self.take(flush.on_compaction_start(self.state))
        self.fall_due()

    @rule(success=st.booleans())
    def compaction_end(self, success: bool) -> None:
        before = self.state.cycle
        self.take(flush.on_compaction_end(self.state, success))
        assert self.state.cycle == before + success

    @rule()
    def context_cleared(self) -> None:
        before = self.state.cycle
        self.take(flush.on_context_cleared(self.state))
        assert self.state.cycle == before + 1

    @precondition(lambda self: self.workers)
    @rule(which=st.integers(0, 9))
    def succeed(self, which: int) -> None:
        self.write(self.workers.pop(which % len(self.workers)))

    @precondition(lambda self: self.workers)
    @rule(which=st.integers(0, 9))
    def fail(self, which: int) -> None:
        worker = self.workers.pop(which % len(self.workers))
        self.take(flush.on_flush_failed(self.state, worker.cycle))

    @precondition(lambda self: self.workers)
    @rule(which=st.integers(0, 9), comes_back=st.booleans())
    def lose_the_lease(self, which: int, comes_back: bool) -> None:
        """The worker counts as failed; it may still turn up with its result."""
        worker = self.workers.pop(which % len(self.workers))
        if comes_back:
            self.late.append(worker)
        self.take(flush.on_flush_failed(self.state, worker.cycle))

    @precondition(lambda self: self.late)
    @rule()
    def come_back_late(self) -> None:
        self.write(self.late.pop(0))

    @rule(comes_back=st.booleans())
    def crash(self, comes_back: bool) -> None:
        """All workers are gone, and their jobs begun anew; one may not know that it is gone."""
        if comes_back:
            self.late.extend(self.workers)
        self.workers = [Worker(worker.cycle, self.messages) for worker in self.workers]

    @invariant()
    def what_is_due_and_not_written_is_known_to_be(self) -> None:
        missing = [cycle for cycle in self.due if cycle not in self.written]
        wanted = [
            cycle for cycle in range(1, self.state.cycle + 1) if flush.is_open(self.state, cycle)
        ]
        assert bool(missing) == bool(wanted)
        assert max(missing, default=0) == max(wanted, default=0)
        assert len(wanted) <= 2

    @invariant()
    def one_flush_of_a_cycle_at_a_time(self) -> None:
        cycles = [worker.cycle for worker in self.workers]
        assert len(cycles) == len(set(cycles))

    def teardown(self) -> None:
        """From here on all goes well: every flush that is owed must come, and nothing else."""
        for _ in range(3):
            for worker in [*self.workers, *self.late]:
                self.write(worker)
            self.workers.clear()
            self.late.clear()
            self.take(flush.on_message(self.state))
        assert not self.workers
        assert set(self.written) == set(self.due)
        assert self.read_to >= max(self.due.values(), default=0)
        for cycle, by in self.written.items():
            assert by >= cycle


TestFlushes = Flushes.TestCase
TestFlushes.settings = settings(max_examples=examples(150), stateful_step_count=40, deadline=None)


START = datetime(2025, 3, 1, tzinfo=UTC)
GAPS = st.lists(st.integers(0, 90), max_size=60)


@given(GAPS, st.integers(0, 120), st.integers(1, 6))
def test_extractions_keep_their_distance_and_read_all_but_the_newest(
    gaps: list[int], interval_s: int, min_new: int
) -> None:
    read, now = 0, START
    last: datetime | None = None
    for said, gap in enumerate(gaps, start=1):
        now += timedelta(seconds=gap)
        moment = flush.next_extraction(last, said - read, now, interval_s, min_new)
        if moment is None:
            assert said - read < min_new
        elif moment <= now:
            assert last is None or now - last >= timedelta(seconds=interval_s)
            read, last = said, now
        else:
            assert last is not None
            assert moment == last + timedelta(seconds=interval_s)


@given(st.integers(-9_000, 9_000), st.integers(1, 50), st.integers(0, 600), st.integers(0, 6))
def test_the_moment_is_at_most_one_interval_away_and_does_not_move(
    ago_s: int, new: int, interval_s: int, min_new: int
) -> None:
    extracted_at = START - timedelta(seconds=ago_s)
    moment = flush.next_extraction(extracted_at, new, START, interval_s, min_new)

    assert (moment is None) == (new < min_new)
    if moment is not None:
        assert moment <= START + timedelta(seconds=interval_s)
        if ago_s >= 0:
            later = max(moment, START)
            assert flush.next_extraction(extracted_at, new, later, interval_s, min_new) == moment


MANY = settings(max_examples=examples(150), deadline=None)
NOTE_SHARDS = st.sampled_from(
    [
        "- ", "* ", "1. ", "---", "```", "~~~~", "# ", "## ", "## Noticed in conversations", "<!--",
        "-->", "<!-- id=x1 -->", "\n", "\n\n", "\r\n", "\n  ", "\t", " ", "`", "|", "> ", "\ufeff",
        "## 对话中得知", "Prefers short answers", "喜欢简短的回答", "茶", "word", f"## Mine {MARK}",
    ]
)  # fmt: skip
PROFILES = st.lists(NOTE_SHARDS | st.text(max_size=6), max_size=14).map("".join)
STATEMENTS = st.builds(
    ProfileStatement,
    st.sampled_from(
        [
            "Prefers short answers",
            "Prefers detailed answers",
            "喜欢简短的回答",
            "是一名护士",
            "住在上海",
        ]
    ),
    st.sampled_from(["reply_length", "reply_tone", "background", "preference"]),
)
NOTICES = st.lists(
    st.builds(Noticed, STATEMENTS, st.sampled_from(["s1", "s2"]), st.integers(1, 9)), max_size=5
)


def is_within(before: str, after: str) -> bool:
    """True when `after` is `before` with one stretch put in."""
    start = 0
    while start < len(before) and before[start] == after[start]:
        start += 1
    rest = len(before) - start
    return not rest or after.endswith(before[start:])


def with_notices(text: str, notices: Iterable[Noticed]) -> str:
    for one in notices:
        text = with_notice(text, one)
    return text


@MANY
@given(PROFILES, NOTICES)
def test_what_a_person_wrote_stays_letter_by_letter(text: str, notices: list[Noticed]) -> None:
    after = with_notices(text, notices)

    assert len(after) >= len(text)
    assert is_within(text, after)


@MANY
@given(PROFILES, NOTICES)
def test_the_same_is_not_written_twice(text: str, notices: list[Noticed]) -> None:
    last: dict[str, Noticed] = {one.statement.slot: one for one in notices}
    once = with_notices(text, last.values())

    assert with_notices(once, last.values()) == once


@MANY
@given(PROFILES, NOTICES)
def test_a_session_takes_its_lines_with_it_and_nothing_else(
    text: str, notices: list[Noticed]
) -> None:
    after = with_notices(text, notices)
    before = [bullet.content for bullet in parse(text).bullets]

    left, _ = without_session(without_session(after, "s1")[0], "s2")

    assert [bullet.content for bullet in parse(left).bullets] == before
    assert len(left) - len(text) <= 2 * text.count("\n") + 80
    assert MARK not in visible_profile(after)
