"""S5.8 over HTTP: MEMORY.md, search and settings."""

import pytest
from starlette.testclient import TestClient
from tests.doors import by_words

from chatmem import MemoryService


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
    deleted = http.delete(where).json()
    assert (deleted["deleted"], deleted["id"]) == (True, made.json()["id"])
    assert deleted["purged"]
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
