"""Profiles from an application's side: written, edited by hand, shared, added to."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conftest import some
from tests.doors import Chatmem
from tests.integration.conftest import Open, home

from chatmem import MemoryService
from chatmem.engine.remember.notes import forget_lines, update_from_session
from chatmem.errors import DocumentError, InvalidInputError, NotOwnerError
from chatmem.model import RoleRule

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ENGLISH, CHINESE = "## Noticed in conversations", "## 对话中得知"


@pytest.fixture
def profile(main: Path) -> Path:
    """USER.md of the default user."""
    return main.with_name("USER.md")


def say(memory: MemoryService, *messages: str, session: str = "s1") -> int:
    """A conversation and what the background makes of it: lines more in the profile."""
    before = memory.profiles.read("user").content
    for message in messages:
        memory.save_conversation_turn(message, "All right.", session, now=NOW)
    update_from_session(memory._space, session, NOW)
    return len(memory.profiles.read("user").content.split("slot=")) - len(before.split("slot="))


def drop(memory: MemoryService, session: str) -> None:
    """What deleting a session does to the profile: lines taken out of it."""
    forget_lines(memory._space, lambda line: line.attributes.get("session") == session)


# A document


def test_a_profile_is_a_file_for_any_editor(memory: MemoryService, profile: Path) -> None:
    assert memory.get_user_profile() == ""
    assert memory.profiles.read("user").etag == ""
    written = memory.update_user_profile("喜欢简短的回答。\x00\r\n")

    assert profile.read_text() == written.content == "喜欢简短的回答。\n"
    profile.write_text("Prefers long answers.\n")
    assert memory.get_user_profile() == "Prefers long answers."
    profile.unlink()
    assert memory.get_user_profile() == ""
    assert memory.profiles.read("user").content == ""


@pytest.mark.parametrize("content", [None, 7, "x" * 256 * 1024])
def test_what_is_no_profile_is_refused(memory: MemoryService, content: object) -> None:
    with pytest.raises(InvalidInputError, match="content: got"):
        memory.profiles.write("user", content)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="profile: got 'pet', takes one of user, household"):
        memory.profiles.read("pet")  # type: ignore[arg-type]
    assert memory.get_user_profile() == ""


def test_a_file_that_cannot_be_read_leaves_the_last_good_text_in_use(
    memory: MemoryService, profile: Path
) -> None:
    memory.update_user_profile("Prefers short answers.")
    profile.write_bytes(b"\xff\xfe broken")

    assert memory.get_user_profile() == "Prefers short answers."
    told = memory.get_relevant_memories("answers").missing
    assert any("USER.md is not UTF-8" in one.why for one in told)
    assert not next(one for one in memory.diagnose() if one.name == "documents").ok
    with pytest.raises(DocumentError):
        memory.update_user_profile("New")
    assert profile.read_bytes() == b"\xff\xfe broken"

    profile.write_text("Mended.\n")

    assert memory.get_user_profile() == "Mended."
    told = memory.get_relevant_memories("answers").missing
    assert not any("USER.md" in one.why for one in told)


def test_a_profile_of_an_older_version_becomes_a_file(
    memory: MemoryService, reopen: Open, data: Path, profile: Path
) -> None:
    memory.close()
    connection = sqlite3.connect(data / "chatmem.db")
    with connection:
        connection.execute(
            "INSERT INTO user_profile (user_id, content, updated_at) VALUES "
            "('default', '# 我', '2025-01-01T00:00:00.000Z')"
        )
    connection.close()

    again = reopen()

    assert again.get_user_profile() == "# 我"
    assert profile.read_text() == "# 我"
    profile.unlink()
    assert again.get_user_profile() == "", "a person has deleted it"


# The household's


def test_a_household_has_one_profile_that_its_roles_open(memory: MemoryService) -> None:
    home(memory, partner="parent", kid="child", visitor="guest")
    users = {name: memory.for_user(name).profiles for name in ("partner", "kid", "visitor")}
    memory.profiles.write("household", "我们一家四口住在莱比锡。")

    assert users["kid"].visible("household") == "我们一家四口住在莱比锡。"
    place = users["kid"].place("household")
    assert (place.reads, place.writes, place.head) == (True, False, memory.user_id)
    assert memory.profiles.place("household").writes
    assert users["visitor"].visible("household") == ""
    assert users["visitor"].read("household").content == ""
    for name in ("kid", "visitor"):
        with pytest.raises(NotOwnerError, match="only the head of the household, 'default'"):
            users[name].write("household", "Ice cream for everybody")
    etag = users["partner"].read("household").etag
    users["partner"].write("household", "A family of five.", etag)
    assert memory.profiles.visible("household") == "A family of five."

    memory.people.set_rules("visitor", [])
    memory.people.set_rules("guest", [RoleRule("guest", "allow", "*")])
    assert users["visitor"].visible("household") == "A family of five."


def test_who_leaves_a_household_no_longer_sees_its_profile(memory: MemoryService) -> None:
    home(memory, kid="child")
    kid = memory.for_user("kid")
    memory.profiles.write("household", "A family of four.")
    assert kid.profiles.visible("household") == "A family of four."

    circle = some(kid.people.household())
    kid.people.remove(circle.circle_id, "kid")

    assert kid.profiles.visible("household") == ""
    assert kid.profiles.place("household").writes
    kid.profiles.write("household", "Alone now.")
    assert memory.profiles.visible("household") == "A family of four."


# What conversations add


def test_statements_are_added_below_a_persons_own(memory: MemoryService, profile: Path) -> None:
    by_hand = "# 关于我\r\n\r\n- 住在上海\r\n\r\n```\r\n## x"
    profile.write_bytes(by_hand.encode())

    assert say(memory, "以后请用中文回答我。") == 1
    assert say(memory, "Nice weather today, isn't it?") == 0

    text = profile.read_bytes().decode()
    assert text.startswith(by_hand)
    assert CHINESE in text
    assert "slot=reply_language session=s1" in text
    assert "<!--" not in memory.get_user_profile()


def test_a_later_statement_of_one_kind_replaces_the_earlier(memory: MemoryService) -> None:
    say(memory, "Please always keep your answers short.")
    first = memory.get_user_profile()
    say(memory, "From now on, always give detailed answers.", session="s2")
    second = memory.get_user_profile()
    say(memory, "Please call me Ann.", session="s1")

    assert second != first
    assert second.count("\n- ") == 1
    assert memory.get_user_profile().startswith(second), "what s1 said first is not said again"
    assert "Ann" in memory.get_user_profile()
    say(memory, "Please always keep your answers short!", session="s3")
    assert first.splitlines()[-1] in memory.get_user_profile(), "the person has changed their mind"
    assert second.splitlines()[-1] not in memory.get_user_profile()


def test_a_line_that_a_person_edited_is_theirs(memory: MemoryService, profile: Path) -> None:
    say(memory, "Please always keep your answers short.")
    line = memory.get_user_profile().splitlines()[-1]
    profile.write_text(profile.read_text().replace(line, f"{line}, but not in mathematics"))

    assert say(memory, "Please always keep your answers short.") == 0
    say(memory, "From now on, always give detailed answers.", session="s2")
    assert f"{line}, but not in mathematics" in memory.get_user_profile()
    drop(memory, "s1")

    assert f"{line}, but not in mathematics" in memory.get_user_profile()


def test_a_line_a_person_deleted_does_not_come_back(memory: MemoryService, profile: Path) -> None:
    say(memory, "Please always keep your answers short.", "I am a nurse.")
    profile.write_text("# Me\n")

    assert say(memory, "I am a nurse.", "Please always keep your answers short.") == 0
    assert say(memory, "我们聊聊别的", session="s2") == 0
    assert profile.read_text() == "# Me\n"


def test_what_the_profile_says_already_is_not_said_again(memory: MemoryService) -> None:
    say(memory, "I am a nurse.")
    line = memory.get_user_profile().splitlines()[-1].removeprefix("- ")
    other = memory.for_user("other")
    other.update_user_profile(f"* {line.upper()}")

    assert say(other, "I am a nurse.") == 0
    assert ENGLISH not in other.get_user_profile()


@pytest.mark.parametrize("name", ["enabled", "auto_extract", "enable_user_profile"])
def test_nothing_is_added_if_switched_off(memory: MemoryService, profile: Path, name: str) -> None:
    memory.config.set({name: False})

    assert say(memory, "Please always keep your answers short.") == 0
    assert not profile.exists()


# The command line


def test_the_command_shows_and_writes_profiles(memory: MemoryService, chatmem: Chatmem) -> None:
    assert "Nothing is written" in chatmem("profile").out
    assert chatmem("profile", "--set", "喜欢简短的回答").code == 0
    assert memory.get_user_profile() == "喜欢简短的回答"

    shown = chatmem("profile", "--json").json
    assert shown["content"] == "喜欢简短的回答\n"
    stale = chatmem("profile", "--set", "x", "--etag", "old")
    assert (stale.code, "read it again" in stale.err) == (1, True)
    assert chatmem("profile", "--set", "y", "--etag", shown["etag"]).code == 0
    assert chatmem("profile", "--household", "--set", "A family of four").code == 0
    assert memory.profiles.visible("household") == "A family of four"
    assert chatmem("profile", "--etag", "old").code == 2
