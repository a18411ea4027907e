"""Households, groups and profiles: who is in, who sees what, what is written, shared, added to."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conftest import some
from tests.doors import Chatmem
from tests.integration.conftest import Open, home

from chatmem import MemoryService
from chatmem.engine.remember.notes import forget_lines, update_from_session
from chatmem.errors import CircleNotFoundError, DocumentError, InvalidInputError, NotOwnerError
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


def test_a_household_that_is_deleted_takes_its_profile_along(
    memory: MemoryService, main: Path
) -> None:
    home(memory, kid="child")
    memory.profiles.write("household", "A family of four.")
    assert memory.profiles.visible("household") == "A family of four."

    memory.people.delete(some(memory.people.household()).circle_id)

    assert memory.profiles.visible("household") == ""
    assert memory.profiles.read("household").content == ""
    assert not main.with_name("HOUSEHOLD.md").exists()


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
    forget_lines(memory._space, lambda line: line.attributes.get("session") == "s1")

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


def contents(memory: MemoryService, query: str) -> set[str]:
    """What a search finds; recall must not find more."""
    found = {hit.memory.content for hit in memory.search_memories(query, limit=100)}
    assert {hit.memory.content for hit in memory.get_relevant_memories(query, 100)} <= found
    return found


def test_another_service_sees_a_change_of_membership(memory: MemoryService, reopen: Open) -> None:
    circle_id = home(memory, kid="child")
    memory.append_memory("The picnic is at the lake", visibility="household")
    elsewhere = reopen().for_user("kid")
    assert contents(elsewhere, "picnic") == {"The picnic is at the lake"}

    memory.people.remove(circle_id, "kid")
    assert contents(elsewhere, "picnic") == set()

    memory.people.invite(circle_id, "kid", "child")
    assert contents(elsewhere, "picnic") == set()  # invited is not in
    elsewhere.people.join(circle_id)
    assert contents(elsewhere, "picnic") == {"The picnic is at the lake"}
    for role in ("guest", "child"):
        memory.people.set_role(circle_id, "kid", role)
        assert bool(contents(elsewhere, "picnic")) == (role == "child")


def test_a_strangers_household_is_nobodys_to_fill(memory: MemoryService) -> None:
    """To be in a circle shows it what one shares, so only oneself can join."""
    home(memory)
    memory.append_memory("The picnic is at the lake", visibility="household")
    mallory = memory.for_user("mallory")
    trap = mallory.people.create_household("Trap").circle_id

    mallory.people.invite(trap, "default", "parent")

    assert contents(mallory, "picnic") == set()
    with pytest.raises(InvalidInputError, match="not in 'Trap'"):
        mallory.people.set_role(trap, "default", "parent")
    assert [one.name for one in memory.people.invitations()] == ["Trap"]
    memory.people.remove(trap, "default")
    assert memory.people.invitations() == []
    with pytest.raises(CircleNotFoundError):
        memory.people.join(trap)


def test_only_heads_and_parents_change_who_is_in_a_household(memory: MemoryService) -> None:
    circle_id = home(memory, dad="parent", kid="child")
    dad, kid, other = (memory.for_user(user).people for user in ("dad", "kid", "other"))

    for call in (
        lambda: kid.invite(circle_id, "other"),
        lambda: kid.set_role(circle_id, "kid", "parent"),
        lambda: kid.remove(circle_id, "dad"),
        lambda: kid.delete(circle_id),
        lambda: dad.delete(circle_id),
        lambda: dad.remove(circle_id, "default"),
    ):
        with pytest.raises(NotOwnerError):
            call()
    for hidden in (other.circle, other.delete, other.join):
        with pytest.raises(CircleNotFoundError):
            hidden(circle_id)
    with pytest.raises(CircleNotFoundError):
        other.invite(circle_id, "other", "parent")
    dad.set_role(circle_id, "kid", "guest")
    dad.remove(circle_id, "kid")
    assert [one.user_id for one in memory.people.circle(circle_id).members] == ["default", "dad"]


def test_a_head_who_leaves_hands_over(memory: MemoryService) -> None:
    circle_id = home(memory, kid="child", dad="parent")
    memory.people.remove(circle_id, memory.user_id)
    dad = memory.for_user("dad").people
    household = some(dad.household())
    assert household.head == "dad"

    dad.remove(circle_id, "dad")  # no parent is left

    assert memory.for_user("kid").people.household() is None
    group = memory.people.create_group("Club").circle_id
    memory.people.invite(group, "kid")
    memory.for_user("kid").people.join(group)
    memory.people.remove(group, memory.user_id)
    assert memory.for_user("kid").people.circle(group).head == "kid"


def test_a_role_is_what_its_rules_say(memory: MemoryService) -> None:
    memory.people.set_rules("Nurse", [RoleRule("nurse", "allow", "Health")])
    assert memory.people.rules("NURSE") == [RoleRule("nurse", "allow", "health")]
    with pytest.raises(InvalidInputError, match="takes one of agent, child, guest"):
        memory.people.create_household("Second", role="king")
    with pytest.raises(InvalidInputError, match="effect"):
        memory.people.set_rules("nurse", [RoleRule("nurse", "maybe", "x")])  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="name"):
        memory.people.create_group("  ")


def test_households_by_command_line(chatmem: Chatmem) -> None:
    def household(*arguments: str, user: str = "mum") -> str:
        done = chatmem(*arguments, "--user", user)
        return f"{done.code} {done.out}{done.err}"

    assert household("household") == "0 No household.\n"
    assert household("household", "--create", "家").startswith("0 ")
    assert "`chatmem --user kid household --join`" in household(
        "household", "--add", "kid", "--role", "child"
    )
    assert "invited by mum" in household("household", user="kid")
    assert "kid  (child)" in household("household", "--join", user="kid")
    household("remember", "野餐在湖边", "--visibility", "household")
    assert "野餐在湖边" in household("search", "野餐", user="kid")
    assert "kid  (guest)" in household("household", "--add", "kid", "--role", "guest")
    found = json.loads(household("household", "--json").removeprefix("0 "))
    assert [one["role"] for one in found["items"][0]["members"]] == ["parent", "guest"]
    assert household("household", "--delete", user="kid").startswith("1 chatmem: ")
    assert household("household", "--remove", "kid", user="kid") == "0 No household.\n"
    assert household("household", "--delete") == "0 No household.\n"
    assert household("group", "--delete").startswith("2 chatmem: ")
    assert household("group", "--create", "Club", "--join").startswith("2 chatmem: ")
    assert "Club" in household("group", "--create", "Club")
