"""Households and groups from an application's side: who is in, who sees what, who may change it."""

import json

import pytest
from tests.conftest import some
from tests.doors import Chatmem
from tests.integration.conftest import Open, home

from chatmem import MemoryService
from chatmem.errors import CircleNotFoundError, InvalidInputError, NotOwnerError
from chatmem.model import RoleRule


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
