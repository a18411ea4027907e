"""S1.7: an agent's fixed instructions go as system, everything of the request as user."""

import pytest
from tests.ai_requests import ScriptedRequests

from chatmem import AgentController, MemoryService

PLAN = {
    "goal": "A shorter invitation",
    "steps": [{"description": "Count the words", "tool": "count_words"}, "Write it anew"],
}
COUNT = {"tool": "count_words", "arguments": {"text": "Dear all"}}
DYNAMIC = (
    "Shorten my invitation for Biscuit's birthday",
    "Dear all, the party begins at nine",
    "edit the document",
    "Biscuit is the dog of the family",
    "Which day suits you?",
)


def count_words(text: str) -> int:
    """How many words the text has."""
    return len(text.split())


@pytest.fixture
def send() -> ScriptedRequests:
    return ScriptedRequests(PLAN, COUNT, {"result": "It has 2 words"}, {"result": "Party at nine!"})


@pytest.fixture
def agent(memory: MemoryService, send: ScriptedRequests) -> AgentController:
    memory.append_memory("Biscuit is the dog of the family")
    memory.save_conversation_turn("Help me with a party", "Which day suits you?", "s1")
    return AgentController(memory, send, [count_words], session_id="s1")


@pytest.mark.scenario("S1.7.1")
def test_planning_sends_fixed_instructions_as_system_and_the_rest_as_user(
    memory: MemoryService, agent: AgentController, send: ScriptedRequests
) -> None:
    request, content, intent, remembered, said = DYNAMIC

    agent.start_agent(request, content, intent)

    [planning] = send.sent
    for fixed in ('{"goal": ', '"steps": [{"description"', "count_words", '"type": "string"'):
        assert fixed in planning.system
        assert fixed not in planning.user
    for dynamic in (request, content, intent, remembered, said):
        assert dynamic in planning.user
        assert dynamic not in planning.system

    other = ScriptedRequests(PLAN)
    again = AgentController(memory, other, [count_words])
    again.start_agent("Translate this for my colleague", "Etwas anderes", "translate")
    assert other.sent[0].system == planning.system  # nothing of a request is in it


@pytest.mark.scenario("S1.7.2")
def test_a_step_sends_fixed_instructions_as_system_and_its_details_as_user(
    agent: AgentController, send: ScriptedRequests
) -> None:
    agent.start_agent(*DYNAMIC[:3])

    first = agent.execute_next_step()
    second = agent.execute_next_step()

    assert first is not None and second is not None
    planning, *steps = send.sent
    assert len(steps) == 3  # the tool's result took a request of its own
    assert len({one.system for one in steps}) == 1
    system = steps[0].system
    assert system != planning.system
    for fixed in ('{"tool": ', '{"result": ', "count_words", '"type": "string"'):
        assert fixed in system
    details = [*DYNAMIC[:4], "Count the words", "Write it anew", "A shorter invitation"]
    for dynamic in details:
        assert all(dynamic in one.user for one in steps)
        assert dynamic not in system
    assert steps[0].user.rstrip().endswith("1. Count the words")
    assert "2. Write it anew" in steps[2].user.rsplit("\n##", 1)[1]
    assert "It has 2 words" in steps[2].user
    assert "It has 2 words" not in steps[1].user


@pytest.mark.scenario("S1.7.1", "S1.7.2")
@pytest.mark.parametrize(
    ("request_text", "said"),
    [("把邀请函写短一点", "只回答一个 JSON 对象"), ("把邀請函寫短一點", "只回答一个 JSON 对象")],
)
def test_instructions_are_in_the_language_of_the_request(
    memory: MemoryService, request_text: str, said: str
) -> None:
    send = ScriptedRequests({"goal": "", "steps": ["写短"]}, {"result": "周六九点见"})
    agent = AgentController(memory, send)

    agent.start_agent(request_text, "亲爱的大家", "编辑")
    agent.execute_next_step()

    assert all(said in one.system for one in send.sent)
    assert all(f"## 请求\n{request_text}" in one.user for one in send.sent)
