"""S3.4, S3.5 and S5.8 over HTTP: memories listed and deleted, MEMORY.md, search and settings."""

import pytest
from starlette.testclient import TestClient
from tests.doors import by_words

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
    assert (deleted.status_code, said) == (200, {"deleted": True, "id": gone.id})
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
    memory.append_daily_log("Bought a map")
    turn = memory.save_conversation_turn("We plan a trip to Rome", "When?", "s1")

    assert http.delete("/memory/long-term").json() == {"deleted": 4}

    assert http.get("/memory/long-term").json()["total"] == 0
    assert http.get("/memory/working/s1").json()["session_id"] == "s1"
    assert http.get(f"/api/memory/{turn.user.id}").json()["content"] == "We plan a trip to Rome"
    assert http.delete("/memory/long-term").json() == {"deleted": 0}


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


@pytest.mark.scenario("S5.8.1")
def test_memory_md_is_read_and_written_whole(http: TestClient, memory: MemoryService) -> None:
    known = memory.append_memory("住在杭州")

    read = http.get("/api/memory/main")
    assert read.json()["content"] == memory.read_main()
    assert read.headers["etag"] == f'"{read.json()["etag"]}"'
    edited = read.json()["content"].replace("住在杭州", "住在柏林") + "- Drinks tea\n"
    written = http.put(
        "/api/memory/main", json={"content": edited}, headers={"If-Match": read.headers["etag"]}
    )

    assert written.status_code == 200
    assert memory.main.read().content == written.json()["content"] == memory.read_main()
    assert memory.get(known.id).content == "住在柏林"
    assert [hit.memory.content for hit in memory.search_memories("tea")] == ["Drinks tea"]
    assert memory.search_memories("杭州").hits == ()


@pytest.mark.scenario("S5.8.1")
def test_one_memory_is_created_read_changed_and_deleted(http: TestClient) -> None:
    made = http.post("/api/memory", json={"content": "喜欢乌龙茶", "category": "preference"})
    assert made.status_code == 201
    where = f"/api/memory/{made.json()['id']}"

    changed = http.patch(where, json={"content": "喜欢龙井茶", "importance": 5})

    assert changed.json()["category"] == "preference"
    assert http.get(where).json() == changed.json()
    assert (changed.json()["content"], changed.json()["importance"]) == ("喜欢龙井茶", 5)
    assert http.delete(where).json() == {"deleted": True, "id": made.json()["id"]}
    assert http.get(where).status_code == 404


@pytest.mark.scenario("S5.8.2")
def test_search_answers_with_results_and_their_parts(
    http: TestClient, memory: MemoryService
) -> None:
    fact = memory.append_memory("Plays the cello on Sundays")
    memory.append_memory("Allergic to peanuts")
    memory.save_conversation_turn("My cello needs a new string", "Which one?", "s1")

    results = http.get("/api/memory/search", params={"q": "cello"}).json()["results"]

    assert {one["memory_type"] for one in results} == {"long_term", "short_term"}
    assert "Allergic to peanuts" not in {one["content"] for one in results}
    found = next(one for one in results if one["id"] == fact.id)
    assert found["content"] == "Plays the cello on Sundays"
    assert set(found) == {
        "id", "content", "score", "parts", "memory_type", "kind", "session_id", "timestamp",
    }  # fmt: skip
    assert set(found["parts"]) == {
        "keyword", "bm25", "vector", "relevance", "category", "recency", "frequency",
        "confidence", "topic", "importance", "cosine", "order", "links",
    }  # fmt: skip
    assert 0 < found["score"] <= 1
    one = http.get("/api/memory/search", params={"q": "cello", "limit": 1}).json()["results"]
    assert len(one) == 1
    assert http.get("/api/memory/search", params={"q": "unheard of"}).json()["results"] == []


@pytest.mark.scenario("S5.8.3")
def test_settings_are_read_and_written_and_stay_with_the_data(
    http: TestClient, memory: MemoryService, place: str
) -> None:
    before = http.get("/api/memory/config").json()
    assert (before["enabled"], before["autoExtract"], before["flushThreshold"]) == (
        True, True, 0.75,
    )  # fmt: skip

    changed = http.put(
        "/api/memory/config", json={"autoExtract": False, "flushThreshold": 0.5, "ragTopN": 8}
    ).json()

    both = {"ragTopN": 8, "retrievalLimit": 8}
    assert changed == before | {"autoExtract": False, "flushThreshold": 0.5, **both}
    assert http.get("/api/memory/config").json() == changed
    assert memory.settings.memory.auto_extract is False
    with by_words(place) as later:
        assert later.settings.memory.rag_top_n == 8
        assert later.settings.memory.flush_threshold == 0.5
