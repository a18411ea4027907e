"""What conversations add to a profile leaves alone whatever a person wrote in it."""

from collections.abc import Iterable

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from chatmem.engine.profiles.notes import Noticed, with_notice, without_session
from chatmem.engine.profiles.profiles import MARK, visible_profile
from chatmem.extraction.extractor import ProfileStatement
from chatmem.text.bullets import parse

MANY = settings(max_examples=examples(150), deadline=None)
SHARDS = st.sampled_from(
    [
        "- ", "* ", "1. ", "---", "```", "~~~~", "# ", "## ", "## Noticed in conversations", "<!--",
        "-->", "<!-- id=x1 -->", "\n", "\n\n", "\r\n", "\n  ", "\t", " ", "`", "|", "> ", "\ufeff",
        "## 对话中得知", "Prefers short answers", "喜欢简短的回答", "茶", "word", f"## Mine {MARK}",
    ]
)  # fmt: skip
PROFILES = st.lists(SHARDS | st.text(max_size=6), max_size=14).map("".join)
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
