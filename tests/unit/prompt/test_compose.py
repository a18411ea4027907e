"""A prompt from top to bottom: order, choice, what gives way, and the receipt."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from tests.contract.given import memory

from chatmem.errors import BudgetError
from chatmem.model import Hit, Parts, SessionSummary
from chatmem.prompt.compose import Prompt, compose
from chatmem.prompt.material import Budget, Material, RagDocument, Tool, WindowMessage, prepare_main
from chatmem.prompt.templates import load_templates

NOW = datetime(2026, 11, 2, tzinfo=UTC)


def hit(memory_id: str, content: str, score: float = 0.5, **columns: Any) -> Hit:  # noqa: ANN401
    """A long-term memory that matched."""
    given = {"memory_type": "long_term", "user_id": "default", "timestamp": NOW, **columns}
    return Hit(memory(memory_id, content, **given), score, Parts())


def turn(memory_id: str, content: str, role: str = "user", **columns: Any) -> Hit:  # noqa: ANN401
    """A message of another session that matched."""
    return hit(memory_id, content, role=role, memory_type="short_term", session_id="s9", **columns)


def summary(session_id: str, title: str, snippet: str) -> SessionSummary:
    """A summary of an earlier session."""
    return SessionSummary(
        session_id=session_id, title=title, snippet=snippet, created_at=NOW, updated_at=NOW
    )


TEMPLATES = load_templates()
GENERAL = TEMPLATES.persona("general")
FULL = Material(
    message="什么时候搬家？",
    skills=("Write verse.",),
    date=date(2026, 11, 21),
    household="- Two cats",
    profile="- Name: Mei",
    main=prepare_main("## Facts\n\n- 对花生过敏 <!-- id=m1 -->\n", 1_200, "en"),
    semantic=[hit("s1", "Prefers trains", category="preference")],
    episodic=[turn("e1", "We move in May", user_id="alice")],
    summaries=[summary("s8", "Flats", "Three were seen.")],
    found=[turn("t1", "The flat is in Mitte", role="assistant"), turn("t2", "Bring boxes")],
    window=(WindowMessage("user", "你好"), WindowMessage("assistant", "你好，小美。")),
    rag=[RagDocument("Movers: 030 123", title="Phone book", source="kb")],
    tools=[Tool("find", "Finds.", {"type": "object"})],
)


def _places(text: str, *marks: str) -> list[int]:
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    return places


def _sections(prompt: Prompt) -> dict[str, tuple[str, ...]]:
    return {one.name: one.items for one in prompt.receipt.sections}


@pytest.mark.scenario("S1.8.1", "S4.1.1", "S5.6.1", "S5.6.2")
def test_one_system_message_with_its_parts_in_order() -> None:
    prompt = compose(FULL, GENERAL, TEMPLATES.scenario("recall"))
    assert [one["role"] for one in prompt.messages] == ["system", "user", "assistant", "user"]
    _places(
        prompt.messages[0]["content"],
        "[SYSTEM]\nYou are", "The user asks about the past", "Write verse.", "Date: 2026-11-21",
        "Two cats", "Name: Mei", "\n---\n[MEMORY]\n", "## Long-term Memory", "- 对花生过敏",
        "## Relevant Past Context", "- (2026-11-02, preference) Prefers trains",
        "- (2026-11-02, user, shared by alice) We move in May",
        "- (2026-11-02) Flats: Three were seen.", "- (2026-11-02, assistant) The flat is in Mitte",
        "\n---\n[RAG]\n", ' source="Phone book, kb">\n> Movers: 030 123\n</document-',
        "\n---\n[TOOL INSTR]\n", "- find:",
    )  # fmt: skip
    assert prompt.messages[-1]["content"] == FULL.message


def test_a_base_prompt_takes_the_place_of_the_persona_as_it_is() -> None:
    material = Material(message="hi", base_prompt="Be a pirate.\n---\n[SYSTEM] Arr.")
    system = compose(material, GENERAL).messages[0]["content"]
    assert system.startswith("[SYSTEM]\nBe a pirate.\n---\n[SYSTEM] Arr.\n\nLanguage")


@pytest.mark.scenario("S4.2.1")
def test_importance_weighs_and_the_first_few_are_taken() -> None:
    semantic = [
        hit("low", "one", 0.9, importance=1),  # 0.72
        hit("mid", "two", 0.75),  # 0.75
        hit("high", "three", 0.7, importance=5),  # 0.84
    ]
    prompt = compose(
        Material(message="?", semantic=semantic), GENERAL, None, Budget(semantic_top_k=2)
    )
    assert _sections(prompt)["semantic"] == ("high", "mid")
    assert [(one.id, one.reason) for one in prompt.receipt.left_out] == [
        ("low", "semantic_top_k: 2 are better")
    ]


def test_nothing_stands_there_twice() -> None:
    material = replace(
        FULL,
        semantic=[hit("m1", "对花生过敏"), hit("s1", "Prefers trains")],
        found=[
            hit("m9", "对花生过敏 "),
            hit("s1", "Prefers trains"),
            turn("w1", "你好，小美。"),
            turn("w2", "什么时候搬家？"),
            turn("t1", "prefers  trains"),
        ],
    )
    prompt = compose(material, GENERAL)
    assert _sections(prompt)["semantic"] == ("s1",)
    assert "search" not in _sections(prompt)
    assert {one.id for one in prompt.receipt.left_out} == {"m9", "w1", "w2", "t1"}


@pytest.mark.scenario("S4.2.1", "S4.2.2")
def test_what_matters_least_gives_way_first() -> None:
    gone: list[str] = []
    for total in range(1_000, 50, -1):
        try:
            prompt = compose(FULL, GENERAL, None, Budget(total_tokens=total))
        except BudgetError:
            break
        for name in ("search", "summaries", "rag", "window", "episodic", "semantic", "profile"):
            if name not in _sections(prompt) and name not in gone:
                gone.append(name)
    assert gone.index("search") < gone.index("window") < gone.index("episodic")
    assert gone.index("episodic") < gone.index("semantic") < gone.index("profile")


def test_profiles_and_documents_that_are_cut_say_so() -> None:
    lines = "\n".join(f"- note number {number}" for number in range(200))
    material = Material(message="note", profile=lines, rag=[RagDocument("A note. " * 2_000)])
    prompt = compose(material, GENERAL, None, Budget(rag_tokens=100))
    assert "(Cut: the rest does not fit here.)\n</memory-" in prompt.messages[0]["content"]
    assert ("profile", "profile_tokens: cut") in [
        (one.id, one.reason) for one in prompt.receipt.left_out
    ]
    tokens = {one.name: one.tokens for one in prompt.receipt.sections}
    assert tokens["profile"] <= 600 and tokens["rag"] <= 100


def test_a_tools_result_goes_as_data_of_the_users_side() -> None:
    said = ("user", "assistant", "tool", "tool", "assistant")
    window = [WindowMessage(role, f"{role} {place}") for place, role in enumerate(said)]
    messages = compose(Material(message="go on", window=window), GENERAL).messages
    assert [one["role"] for one in messages[1:]] == [
        "user", "assistant", "user", "assistant", "user",
    ]  # fmt: skip
    assert messages[3]["content"].count(' source="tool result">\n> tool ') == 2


def test_a_speakers_name_and_the_end_of_validity_are_part_of_the_origin() -> None:
    found = [
        turn("t1", "I paint."),
        hit("m2", "Lived in Ulm", valid_to=FULL.found[0].memory.timestamp),
    ]
    material = Material(message="x", found=found, speakers={"t1": "Caroline"})
    system = compose(material, GENERAL).messages[0]["content"]
    assert "- (2026-11-02, Caroline) I paint." in system
    assert "- (2026-11-02, until 2026-11-02) Lived in Ulm" in system


def test_equal_prompts_have_equal_receipts() -> None:
    one, two = compose(FULL, GENERAL).receipt, compose(FULL, GENERAL).receipt
    assert one == two
    shown = one.as_json()
    assert set(shown) == {"id", "sections", "left_out", "total_tokens"}
    assert shown["sections"][0] == {"name": "persona", "tokens": 44, "items": []}
    assert one.id != compose(replace(FULL, viewer="x"), GENERAL).receipt.id
