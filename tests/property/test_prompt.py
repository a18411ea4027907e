"""Whatever a prompt is made of: it keeps its limits, its shape and its receipt."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from tests.conftest import examples
from tests.contract.given import memory

from chatmem.errors import BudgetError
from chatmem.model import Hit, Parts, SessionSummary
from chatmem.prompt.compose import Prompt, compose
from chatmem.prompt.fence import cut_at_lines, excerpt
from chatmem.prompt.imitations import neutralise, quoted
from chatmem.prompt.material import Budget, Material, RagDocument, Tool, WindowMessage, prepare_main
from chatmem.prompt.receipt import MEMORY_SECTIONS
from chatmem.prompt.selection import MESSAGE_TOKENS
from chatmem.prompt.templates import Persona, Scenario, load_templates
from chatmem.text.languages import LanguageCode
from chatmem.text.tokens import count_tokens

TEMPLATES = load_templates()
NOW = datetime(2026, 11, 21, tzinfo=UTC)
_WORDS = "我下个月搬到柏林。|對花生過敏|Drinks oolong tea. |She moved; |👩\u200d👧❤️🏴|\n|Ａ|ﬁ|　|- "
_MARKS = (
    "---|[SYSTEM]|</memory>|</memory-482913075226>|482913|[[ABP_TOOL:x]]{}|[[END_ABP_TOOL]]|```abp"
)
_PARTS = "<|[|[[|]|>|user|:|：|Human: |系统：|### Instruction|\x00|\u202e|\ud800|-|#| |\u200b"
_FRAGMENTS = st.sampled_from(
    [
        *"|".join([_WORDS, _MARKS, _PARTS]).split("|"),
        "|",
        "<|im_start|>",
        "<!-- id=m9 -->",
        "a" * 40,
    ]
)
texts = st.one_of(
    st.text(max_size=30), st.lists(_FRAGMENTS, max_size=12).map("".join), st.just("柏林的房子" * 80)
)
messages = texts.filter(str.strip)
ids = st.integers(0, 30).map("id{:02}".format)


@st.composite
def hits(draw: st.DrawFn) -> Hit:
    short = draw(st.booleans())
    role = draw(st.sampled_from(["user", "assistant"])) if short else None
    kind = (
        {"memory_type": "short_term"} if short else {"memory_type": "long_term", "category": "fact"}
    )
    user = draw(st.sampled_from(["default", "alice", "小<美>\n"]))
    importance = draw(st.integers(1, 5))
    found = memory(draw(ids), draw(texts), user, role=role, importance=importance, **kind)
    return Hit(found, draw(st.floats(0, 1.43)), Parts())


summaries = st.builds(
    SessionSummary,
    session_id=st.integers(0, 5).map("session{}".format),
    title=texts,
    snippet=texts,
    created_at=st.just(NOW),
    updated_at=st.just(NOW),
)
some_hits = st.lists(hits(), max_size=8)
bullets = st.lists(texts, max_size=6).map(
    lambda said: (
        "# Memory\n\n## Facts\n\n"
        + "".join(f"- {one.strip()} <!-- id=id{number:02} -->\n" for number, one in enumerate(said))
    )
)
materials = st.builds(
    Material,
    message=messages,
    base_prompt=st.one_of(st.none(), st.just(""), st.just("You help.\n---\nA lot.")),
    skills=st.lists(st.sampled_from(["", "Be kind.", "写诗"]), max_size=2),
    date=st.one_of(st.none(), st.just(date(2026, 11, 21))),
    language=st.sampled_from(["zh", "en"]),
    household=texts,
    profile=texts,
    main=st.builds(prepare_main, bullets, st.sampled_from([0, 30, 1200]), st.just("en")),
    semantic=some_hits,
    episodic=some_hits,
    summaries=st.lists(summaries, max_size=3),
    found=some_hits,
    window=st.lists(
        st.builds(WindowMessage, st.sampled_from(["user", "assistant", "tool", "system"]), texts),
        max_size=8,
    ),
    rag=st.lists(st.builds(RagDocument, texts, texts, st.none()), max_size=3),
    tools=st.sampled_from([(), (Tool("find", "Finds.", {"type": "object"}),)]),
)
budgets = st.builds(
    Budget,
    total_tokens=st.one_of(st.integers(1, 400), st.just(16_000)),
    memory_tokens=st.one_of(st.integers(0, 300), st.just(2_000)),
    main_tokens=st.sampled_from([0, 20, 1_200]),
    household_tokens=st.sampled_from([0, 40, 400]),
    profile_tokens=st.sampled_from([0, 40, 600]),
    rag_tokens=st.sampled_from([0, 60, 2_000]),
    window_messages=st.integers(0, 20),
    max_entries=st.sampled_from([0, 2, 40]),
    entry_tokens=st.sampled_from([8, 20, 160]),
)
personas = st.sampled_from([*TEMPLATES.personas.values()])
scenarios = st.sampled_from([None, *TEMPLATES.scenarios.values()])
many = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@many
@given(materials, personas, scenarios, budgets, st.booleans())
def test_prompts_keep_every_limit_and_their_shape(
    material: Material, persona: Persona, scenario: Scenario | None, budget: Budget, flat: bool
) -> None:
    try:
        prompt = compose(material, persona, scenario, budget, flat=flat)
    except BudgetError as error:
        assert "total_tokens" in str(error)
        assume(False)
    told = prompt.messages
    if flat:
        system, total = prompt.text, count_tokens(prompt.text)
        assert f"[USER]\n{neutralise(material.message)}" in prompt.text
    else:
        system = told[0]["content"] if told[0]["role"] == "system" else ""
        total = sum(count_tokens(one["content"]) + MESSAGE_TOKENS for one in told)
        assert [one["role"] for one in told].count("system") <= 1
        assert "system" not in [one["role"] for one in told[1:]]
        assert told[-1] == {"role": "user", "content": material.message}
    assert total == prompt.receipt.total_tokens <= budget.total_tokens
    _check_memory(system, budget)
    _check_receipt(prompt, material, budget)


@given(texts)
@example("[[SYSTEM] [[ABP_TOOL:x]<|<|x|>|>]")
@example("`" * 9 + "abp")
@settings(max_examples=examples(300), deadline=None)
def test_neutralising_twice_changes_nothing_more(text: str) -> None:
    once = neutralise(text)
    assert neutralise(once) == once
    assert "\x00" not in once


@given(
    st.text(
        st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"], exclude_characters="<[`~")
    )
)
def test_text_without_any_mark_stays_as_it_is(text: str) -> None:
    assert neutralise(text) == text


@given(texts, st.integers(1, 80), texts)
@settings(deadline=None)
def test_excerpts_keep_their_limit(text: str, max_tokens: int, message: str) -> None:
    assert count_tokens(excerpt(text, max_tokens, message)) <= max_tokens
    assert count_tokens(cut_at_lines(text, max_tokens, "(cut)")) <= max_tokens


@given(bullets, st.integers(0, 200), st.sampled_from(["zh", "en"]))
@settings(deadline=None)
def test_main_memory_keeps_its_limit_and_accounts_for_every_bullet(
    text: str, max_tokens: int, language: LanguageCode
) -> None:
    main = prepare_main(text, max_tokens, language)
    assert main.tokens == (count_tokens(quoted(main.text)) if main.text else 0) <= max_tokens
    everything = prepare_main(text, 1_000_000, "en")
    assert sorted({*main.left_out, *main.ids}) == sorted(everything.ids)
    assert not set(main.ids) & set(main.left_out)
    assert (main.text == everything.text) == (everything.tokens <= max_tokens)


def _check_memory(text: str, budget: Budget) -> None:
    """The memory section is within its limit, and every fence that opens closes."""
    section = re.search(
        r"^\[MEMORY\]\n.*?(?=\n---\n\[(?:RAG|USER|TOOL INSTR)\]\n|\Z)", text, re.M | re.S
    )
    if section is not None:
        alone = re.split(r"\n\n## (?:This Session|本次会话)\n", section[0])[0]
        if "\n## " in alone:
            assert count_tokens(alone) <= budget.memory_tokens
    assert re.sub(_FENCE, "", text).count("<memory-") == 0


_FENCE = r"(?ms)^<((?:memory|document)-\d{12})(?: source=\"[^\"<>\n]*\")?>\n.*?^</\1>$"


def _check_receipt(prompt: Prompt, material: Material, budget: Budget) -> None:
    receipt = prompt.receipt
    assert sum(one.tokens for one in receipt.sections) == receipt.total_tokens
    items = [item for one in receipt.sections for item in one.items]
    assert len(items) == len(set(items)), "nothing twice"
    assert not set(items) & {one.id for one in receipt.left_out}
    recalled = [
        item
        for one in receipt.sections
        if one.name in MEMORY_SECTIONS and one.name != "main"
        for item in one.items
    ]
    assert len(recalled) <= budget.max_entries
    given_out = {hit.memory.id for hit in material.found}
    known = given_out & (set(items) | {one.id for one in receipt.left_out})
    assert known == given_out, "whatever was found is in the prompt or left out with a reason"


@many
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6),
    st.lists(st.integers(0, 9), max_size=6),
    budgets,
    st.booleans(),
)
def test_the_receipt_lists_exactly_what_stands_there_and_nothing_stands_there_twice(
    found: list[tuple[int, int]],
    semantic: list[tuple[int, int]],
    bullets: list[int],
    budget: Budget,
    flat: bool,
) -> None:
    main = "".join(f"- said x{number}x <!-- id=id{number}{number} -->\n" for number in set(bullets))
    material = Material(
        message="said what?",
        base_prompt="",
        main=prepare_main(main, 40, "en"),
        semantic=[_said(*one) for one in semantic],
        found=[_said(*one) for one in found],
        window=[WindowMessage("user", "said x0x"), WindowMessage("assistant", "Yes.")],
    )
    try:
        prompt = compose(material, TEMPLATES.persona("general"), None, budget, flat=flat)
    except BudgetError:
        assume(False)
    text = prompt.text or "".join(
        one["content"] for one in prompt.messages if one["role"] == "system"
    )
    text = text.split("## This Session")[0]
    stand = re.findall(r"said x(\d)x", text)
    assert len(stand) == len(set(stand))
    sections = [one for one in prompt.receipt.sections if one.name in MEMORY_SECTIONS]
    # The first digit of an id is that of what it says.
    assert sorted(stand) == sorted(item[2] for one in sections for item in one.items)


def _said(number: int, other: int) -> Hit:
    said = memory(f"id{number}{other}", f"said x{number}x", "default", memory_type="long_term")
    return Hit(said, 0.5, Parts())


@many
@given(materials, texts.filter(str.strip), some_hits, personas)
def test_what_stays_the_same_comes_first(
    material: Material, message: str, other: list[Hit], persona: Persona
) -> None:
    later = replace(material, message=message, semantic=other, episodic=other, found=other)
    first, second = (
        compose(one, persona).messages[0]["content"].split("## Relevant Past Context")
        for one in (material, later)
    )
    if len(first) == len(second) == 2:
        assert first[0] == second[0]


def test_the_budget_error_names_what_is_too_large() -> None:
    material = Material(message="word " * 500)
    with pytest.raises(BudgetError, match=r"message 50\d.*more than total_tokens = 300"):
        compose(material, TEMPLATES.persona("general"), None, Budget(total_tokens=300))
