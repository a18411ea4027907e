"""Secrets in any text, flushes in any order, extractions at any time, notes of any profile."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.conftest import examples

from chatmem.engine.documents.noticed import (
    MARK,
    Noticed,
    noticed,
    with_notice,
    without_lines,
)
from chatmem.engine.remember.markdown import visible_profile
from chatmem.extraction import flush
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


class Flushes(RuleBasedStateMachine):
    """`due` are the messages there were when a flush was last asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.state = flush.FlushState()
        self.runs = self.owed = False
        self.messages = self.due = self.read_to = 0

    @initialize(messages=st.integers(0, 3))
    def begin(self, messages: int) -> None:
        self.messages = messages

    def take(self, step: flush.FlushStep) -> None:
        """Saves the state, and starts what was asked for."""
        if step.asks:
            self.runs = self.owed = True
            self.due = self.messages
        self.state = flush.FlushState(**json.loads(json.dumps(asdict(step.state))))

    def happened(self, step: flush.FlushStep) -> None:
        """Whatever it was: what is owed and not under way is asked for again."""
        assert step.asks or self.runs or not self.owed
        self.take(step)

    @rule()
    def message(self) -> None:
        self.messages += 1
        step = flush.on_message(self.state)
        assert not (step.asks and self.runs)
        self.happened(step)

    @rule(tokens=st.integers(0, 130), known=st.integers(0, 4).map(bool))
    def usage(self, tokens: int, known: bool) -> None:
        asked_before = self.state.asked
        step = flush.on_usage(self.state, tokens, LIMIT if known else 0, 0.75)
        assert not (step.asks and self.runs and asked_before)
        self.happened(step)
        if known and not 65 < tokens < 75:
            assert self.state.asked == (tokens >= 75)
        else:
            assert self.state.asked == asked_before

    @rule()
    def compaction_start(self) -> None:
        self.happened(flush.on_compaction_start(self.state))
        assert self.state.asked

    @rule(success=st.booleans())
    def compaction_end(self, success: bool) -> None:
        missed = not (self.state.compacting or self.state.asked)
        step = flush.on_compaction_end(self.state, success)
        assert step.asks or not missed
        self.happened(step)
        assert not (success and self.state.asked)

    @rule()
    def context_cleared(self) -> None:
        self.happened(flush.on_context_cleared(self.state))
        assert not self.state.asked

    @precondition(lambda self: self.runs)
    @rule()
    def succeed(self) -> None:
        self.runs = self.owed = False
        self.read_to = self.messages

    @precondition(lambda self: self.runs)
    @rule()
    def fail(self) -> None:
        self.runs = False
        self.take(flush.on_flush_given_up(self.state))

    @invariant()
    def what_is_owed_is_known_to_be(self) -> None:
        assert self.state.owed == (self.owed and not self.runs)

    def teardown(self) -> None:
        """From here on all goes well: what is owed comes, and nothing else."""
        self.message()
        if self.runs:
            self.succeed()
        self.message()
        assert not self.runs and not self.owed
        assert self.read_to >= self.due


TestFlushes = Flushes.TestCase
TestFlushes.settings = settings(max_examples=examples(80), stateful_step_count=40, deadline=None)

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
LINES = st.sampled_from(
    [
        "Prefers short answers",
        "Prefers detailed answers",
        "喜欢简短的回答",
        "是一名护士",
        "住在上海",
    ]
)
SLOTS = st.sampled_from(["reply_length", "reply_tone", "background", "preference"])
NOTICES = st.lists(
    st.builds(Noticed, LINES, SLOTS, st.sampled_from(["s1", "s2"]), st.integers(1, 9)), max_size=5
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
    last: dict[str, Noticed] = {one.slot: one for one in notices}
    once = with_notices(text, last.values())

    assert with_notices(once, last.values()) == once


@MANY
@given(PROFILES, NOTICES)
def test_a_session_takes_along_only_its_own_lines(text: str, notices: list[Noticed]) -> None:
    after = with_notices(text, notices)
    before = [bullet.content for bullet in parse(text).bullets]

    left = after
    for session in ("s1", "s2"):
        lines = [one for one in noticed(left) if one.attributes.get("session") == session]
        left = without_lines(left, lines)

    assert [bullet.content for bullet in parse(left).bullets] == before
    assert len(left) - len(text) <= 2 * text.count("\n") + 80
    assert MARK not in visible_profile(after)
