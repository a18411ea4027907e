"""S3.4 and S3.5 over HTTP: long-term memories listed and deleted, working memory read."""

import pytest
from starlette.testclient import TestClient

from chatmem import MemoryService

COLUMNS = {
    "id", "user_id", "timestamp", "create_time", "content", "tags", "session_id", "app_type",
    "role", "memory_type", "kind", "category", "key", "value", "confidence", "source",
    "importance", "visibility", "valid_from", "valid_to", "superseded_by", "document",
    "last_accessed", "access_count", "masked",
}  # fmt: skip


@pytest.mark.scenario("S3.4.3")
def test_a_memory_that_a_user_deletes_is_gone_for_good(
    http: TestClient, memory: MemoryService
) -> None:
    kept = memory.append_memory("Has a cat called Miu")
    gone = memory.append_memory("住在杭州")

    deleted = http.delete(f"/memory/long-term/{gone.id}")

    said = deleted.json()
    assert (deleted.status_code, said["deleted"], said["id"]) == (200, True, gone.id)
    assert said["purged"]
    assert http.get(f"/memory/long-term/{gone.id}").status_code == 404
    assert http.delete(f"/memory/long-term/{gone.id}").status_code == 404
    assert http.post(f"/api/memory/{gone.id}/restore").status_code == 404
    assert http.get("/api/memory/search", params={"q": "杭州"}).json()["results"] == []
    assert "杭州" not in memory.read_main()
    assert [one["id"] for one in http.get("/memory/long-term").json()["items"]] == [kept.id]


@pytest.mark.scenario("S3.4.4")
def test_deleting_all_leaves_working_memory_until_the_session_ends(
    http: TestClient, memory: MemoryService
) -> None:
    for content in ("Lives in Berlin", "喜欢喝茶", "Has two children"):
        memory.append_memory(content)
    turn = memory.save_conversation_turn("We plan a trip to Rome", "When?", "s1")

    assert http.delete("/memory/long-term").json() == {"deleted": 3, "purged": True}

    assert http.get("/memory/long-term").json()["total"] == 0
    assert http.get("/memory/working/s1").json()["session_id"] == "s1"
    assert http.get(f"/api/memory/{turn.user.id}").json()["content"] == "We plan a trip to Rome"
    assert http.delete("/memory/long-term").json() == {"deleted": 0, "purged": True}


@pytest.mark.scenario("S3.5.1")
def test_long_term_memories_come_in_pages_with_their_total(
    http: TestClient, memory: MemoryService
) -> None:
    for number in range(25):
        memory.append_memory(f"Fact number {number}")
    memory.save_conversation_turn("Not a long-term memory", "Right", "s1")

    pages = [http.get(f"/memory/long-term?limit=10&offset={start}").json() for start in (0, 10, 20)]

    assert [(len(one["items"]), one["total"]) for one in pages] == [(10, 25), (10, 25), (5, 25)]
    assert pages[1]["limit"] == 10
    assert pages[1]["offset"] == 10
    contents = [item["content"] for one in pages for item in one["items"]]
    assert contents == [f"Fact number {number}" for number in reversed(range(25))]
    assert set(pages[0]["items"][0]) == COLUMNS
    assert pages[0]["items"][0]["timestamp"].endswith("Z")
    assert http.get("/memory/long-term?offset=25").json()["items"] == []


@pytest.mark.scenario("S3.4.2", "S3.5.1")
def test_what_is_superseded_or_evicted_is_listed_where_it_is_asked_for(
    http: TestClient, memory: MemoryService
) -> None:
    for content in ("Lives in Graz", "Lives in Bergen"):
        memory.append_memory(content, key="home")
    memory.append_memory("Saw a heron", confidence=0.1)
    memory.append_memory("养了一只猫")
    assert http.put("/api/memory/config", json={"evictionThreshold": 2}).status_code == 200
    memory.wait_until_idle()

    found = {
        state: http.get("/memory/long-term", params={"state": state} if state else {}).json()
        for state in ("", "valid", "superseded", "all")
    }

    texts = {state: {one["content"] for one in page["items"]} for state, page in found.items()}
    assert texts[""] == texts["valid"] == {"Lives in Bergen", "养了一只猫"}
    assert texts["superseded"] == {"Lives in Graz", "Saw a heron"}
    assert {state: page["total"] for state, page in found.items()} == {
        "": 2, "valid": 2, "superseded": 2, "all": 4,
    }  # fmt: skip
    assert http.get("/memory/long-term?state=gone").status_code == 422


@pytest.mark.scenario("S3.5.2")
def test_the_working_memory_of_a_session_is_read_or_404(
    http: TestClient, memory: MemoryService
) -> None:
    memory.save_conversation_turn("I am planning a trip to Lisbon", "Lovely!", "s1")
    memory.save_conversation_turn("明天会下雨吗", "可能会", "s1")

    found = http.get("/memory/working/s1")

    assert found.status_code == 200
    told = found.json()
    assert set(told) == {
        "session_id", "current_topic", "context_variables", "turn_count", "last_emotion",
        "created_at", "updated_at",
    }  # fmt: skip
    assert (told["session_id"], told["turn_count"]) == ("s1", 2)
    working = memory.working_memory("s1")
    assert working is not None and working.current_topic
    assert told["current_topic"] == working.current_topic
    assert told["context_variables"] == {"destination": "Lisbon"}
    assert told["updated_at"].endswith("Z")
    assert http.get("/memory/working/nobody-has-this").status_code == 404
