"""REST from a client's side: every route, with what fits and with what does not."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from chatmem import ChatContextBuilder, MemoryService
from chatmem.errors import WouldForgetError

PROBLEM = "application/problem+json"
ANY_VERSION = {"If-Match": "*"}
KEPT = timedelta(days=30)
UTC_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
OF_A_MEMORY = [
    ("GET", "/memory/long-term/{}"),
    ("DELETE", "/memory/long-term/{}"),
    ("GET", "/api/memory/{}"),
    ("PATCH", "/api/memory/{}"),
    ("DELETE", "/api/memory/{}"),
    ("POST", "/api/memory/{}/promote"),
    ("POST", "/api/memory/{}/restore"),
    ("POST", "/api/memory/{}/restore?keep_both=true"),
    ("GET", "/api/memory/{}/history"),
]
OTHERS_BY_ID = [
    ("GET", "/memory/working/{}"),
    ("POST", "/api/memory/{}/supersede"),
    ("GET", "/api/sessions/{}/messages"),
    ("GET", "/api/receipts/{}"),
]
ODD_IDS = ["no-such-id", "%00", "%F0%9F%90%88", "a" * 3000, "..%2F..%2Fetc%2Fpasswd", "'; DROP--"]


def write(http: TestClient, content: str, **columns: object) -> dict[str, Any]:
    made = http.post("/api/memory", json={"content": content, **columns})
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


def send(http: TestClient, where: str, body: str, method: str = "POST") -> Response:
    """The answer to a body as it stands: the client's own JSON has no half characters."""
    headers = {"Content-Type": "application/json"}
    return http.request(method, where, content=body, headers=headers)


def refused(answer: Response, status: int) -> dict[str, Any]:
    """The problem that the answer tells."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith(PROBLEM)
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["title"]
    assert "Traceback" not in answer.text
    return problem


# Memories


def test_a_new_value_of_a_key_supersedes_and_can_be_undone(http: TestClient) -> None:
    old = write(http, "Lives in Berlin", key="home", value="Berlin")
    new = write(http, "Lives in Rome", key="home", value="Rome")
    was = http.get(f"/api/memory/{old['id']}").json()
    assert was["superseded_by"] == new["id"]
    assert UTC_TIME.fullmatch(was["valid_to"])

    history = http.get(f"/api/memory/{old['id']}/history").json()
    restored = http.post(f"/api/memory/{old['id']}/restore").json()

    assert [step["action"] for step in history["items"]] == ["add", "supersede"]
    assert history["total"] == 2
    assert history["items"][0]["before"] is None
    assert history["items"][1]["after"]["superseded_by"] == new["id"]
    assert restored["superseded_by"] is None
    assert (restored["other"]["id"], restored["other"]["superseded_by"]) == (new["id"], old["id"])
    undo = f"/api/memory/{new['id']}/restore"
    refused(http.post(undo, params={"keep_both": "perhaps"}), 422)
    both = http.post(undo, params={"keep_both": True}).json()
    assert (both["superseded_by"], both["other"]["valid_to"]) == (None, None)
    assert http.get(f"/api/memory/{old['id']}").json()["superseded_by"] is None
    fresh = write(http, "Never changed")
    refused(http.post(f"/api/memory/{fresh['id']}/restore"), 409)


def test_a_memory_is_said_to_be_out_of_date(http: TestClient) -> None:
    old, new = write(http, "Works at the mill"), write(http, "Started at the bakery")
    where = f"/api/memory/{old['id']}/supersede"

    gone = http.post(where, json={"by": new["id"]}).json()

    assert (gone["id"], gone["superseded_by"]) == (old["id"], new["id"])
    assert gone["valid_to"] == new["timestamp"]
    refused(http.post(where, json={"by": "nope"}), 404)
    refused(http.post(f"/api/memory/{new['id']}/supersede", json={"by": old["id"]}), 422)
    for wrong in ({}, {"by": None}, {"by": new["id"], "more": 1}):
        refused(http.post(where, json=wrong), 422)


def test_any_subset_of_columns_is_changed_and_null_takes_a_key_away(http: TestClient) -> None:
    made = write(http, "Drinks tea", key="taste:tea", value="like", tags=["drink"])
    where = f"/api/memory/{made['id']}"

    assert http.patch(where, json={}).json() == made
    assert http.patch(where, json={"key": None, "value": None}).json()["key"] is None
    changed = http.patch(where, json={"tags": [], "confidence": 1, "visibility": "public"}).json()

    none = {"key": None, "value": None}
    assert changed == made | none | {"tags": [], "confidence": 1.0, "visibility": "public"}


def test_a_value_that_json_cannot_carry_back_is_refused(http: TestClient) -> None:
    for value in ("1e999", "NaN", "-Infinity", "[" * 100 + "]" * 100):
        refused(send(http, "/api/memory", f'{{"content": "x", "value": {value}}}'), 422)


def test_text_that_only_looks_broken_is_kept(http: TestClient) -> None:
    broken = {"content": "half \ud83d of a cat", "value": {"\ud83d": "\udc31"}, "tags": ["a\0b"]}
    made = send(http, "/api/memory", json.dumps(broken))

    assert made.json()["content"] == "half \ufffd of a cat"
    assert made.json()["value"] == {"\ufffd": "\ufffd"}
    assert made.json()["tags"] == ["ab"]
    big = write(http, "A large number", value=10**30)
    assert http.get(f"/api/memory/{big['id']}").json()["value"] == 10**30


@pytest.mark.parametrize("odd", ODD_IDS)
def test_an_id_that_nobody_has_is_not_found(http: TestClient, odd: str) -> None:
    for method, where in (*OF_A_MEMORY, *OTHERS_BY_ID):
        body = {"importance": 4} if method == "PATCH" else None
        answer = http.request(method, where.format(odd), json=body)
        assert answer.status_code in (404, 422), (method, where, answer.text)


# Documents


@pytest.mark.parametrize("name", ["main", "profile", "household", "daily/2026-03-01"])
def test_a_document_is_written_over_the_version_that_was_read_only(
    http: TestClient, main: Path, name: str
) -> None:
    where = f"/api/memory/{name}"
    names = {"main": "MEMORY.md", "profile": "USER.md", "household": "HOUSEHOLD.md"}
    file = main.parent / names.get(name, f"{name}.md")
    first = http.get(where)
    etag = first.headers["etag"]
    assert etag == f'"{first.json()["etag"]}"'

    second = http.put(where, json={"content": "- 一\n"}, headers={"If-Match": etag})
    stale = http.put(where, json={"content": "- 二\n"}, headers={"If-Match": etag})

    assert second.json()["content"] == file.read_text()
    problem = refused(stale, 412)
    assert problem["content"] == second.json()["content"]
    assert problem["etag"] == second.json()["etag"]
    assert "二" not in file.read_text()
    for good in (f'"other", "{problem["etag"]}"', problem["etag"], f'W/"{problem["etag"]}"'):
        answer = http.put(where, json={"content": file.read_text()}, headers={"If-Match": good})
        assert answer.status_code == 200
    for text in ("三", ""):
        written = http.put(where, json={"content": text}, headers=ANY_VERSION)
        assert written.status_code == 200
    blind = http.put(where, json={"content": ""}).status_code
    assert blind == (200 if name in ("profile", "household") else 428)


def test_a_profile_that_nobody_wrote_has_an_empty_etag(http: TestClient) -> None:
    assert http.get("/api/memory/profile").json() == {"content": "", "etag": ""}
    for empty in ('""', ""):
        http.put("/api/memory/profile", json={"content": "Be brief."}, headers={"If-Match": empty})
    stale = http.put("/api/memory/profile", json={"content": "x"}, headers={"If-Match": ""})
    assert refused(stale, 412)["content"] == "Be brief.\n"


def test_of_writers_who_read_one_version_one_wins(http: TestClient) -> None:
    etag = http.get("/api/memory/main").headers["etag"]

    def put(number: int) -> int:
        body = {"content": f"- Writer number {number}\n"}
        return http.put("/api/memory/main", json=body, headers={"If-Match": etag}).status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(put, range(6)))

    assert sorted(statuses) == [200, 412, 412, 412, 412, 412]
    (winner,) = http.get("/memory/long-term").json()["items"]
    assert winner["content"] == f"Writer number {statuses.index(200)}"


@pytest.mark.parametrize("name", ["main", "daily/2026-03-01"])
def test_a_text_that_lacks_many_memories_forgets_them_only_where_that_is_said(
    http: TestClient, memory: MemoryService, name: str
) -> None:
    where = f"/api/memory/{name}"
    lines = "".join(f"- 12:00 笔记 {number}\n" for number in range(5))
    http.put(where, json={"content": lines}, headers=ANY_VERSION)
    read = http.get(where).json()
    cut = {"content": read["content"].splitlines(keepends=True)[-1]}

    refused(http.put(where, json=cut), 428)
    problem = refused(http.put(where, json=cut, headers={"If-Match": read["etag"]}), 409)

    assert "lacks 4 of its 5 memories" in problem["detail"]
    assert "forget=true" in problem["detail"]
    assert http.get(where).json() == read
    forgotten = http.put(f"{where}?forget=true", json=cut, headers={"If-Match": read["etag"]})
    assert forgotten.json()["content"] == cut["content"]
    assert memory.list_memories().total == 1
    assert http.put(where, json={"content": ""}, headers=ANY_VERSION).json()["content"] == ""
    assert memory.list_memories().total == 0


def test_writing_everything_away_is_a_wish_and_what_an_accident_took_is_put_back(
    http: TestClient, memory: MemoryService, main: Path
) -> None:
    for number in range(12):
        write(http, f"Fact {number}")
    main.write_text("")  # an accident: the file is held, and the memories stay known
    assert http.get("/memory/long-term").json()["total"] == 12

    new = {"content": "- Something new\n"}
    mended = http.put("/api/memory/main", json=new, headers=ANY_VERSION)

    assert "Fact 11" in mended.json()["content"]
    assert http.get("/memory/long-term").json()["total"] == 13
    with pytest.raises(WouldForgetError):
        memory.main.write("")
    assert memory.main.write("", forget=True).content == ""
    assert http.get("/memory/long-term").json()["total"] == 0


def test_daily_logs_are_listed_read_and_added_to(http: TestClient, memory: MemoryService) -> None:
    today = datetime.now().astimezone().date().isoformat()
    note = http.post(f"/api/memory/daily/{today}", json={"entry": "今天搬家了"})
    http.post("/api/memory/daily/2026-03-01", json={"entry": "09:30 dentist"})

    assert note.status_code == 201
    assert note.json()["document"] == f"daily/{today}.md"
    assert note.json()["kind"] == "episodic"
    assert http.get("/api/memory/daily").json()["items"] == sorted(
        {today, "2026-03-01"}, reverse=True
    )
    read = http.get("/api/memory/daily/2026-03-01")
    assert read.json()["date"] == "2026-03-01"
    assert read.json()["content"].startswith("- 09:30 dentist <!--")
    assert read.headers["etag"] == f'"{read.json()["etag"]}"'
    empty = http.get("/api/memory/daily/2020-01-01").json()
    assert (empty["content"], empty["etag"]) == ("", "")
    found = memory.search_memories("dentist").hits[0].memory.timestamp.astimezone()
    assert (found.date().isoformat(), found.hour, found.minute) == ("2026-03-01", 9, 30)
    stored = memory.search_memories("dentist").hits[0].memory.create_time
    assert datetime.now(UTC) - stored < timedelta(minutes=1)


def test_a_day_that_is_none_is_refused(http: TestClient) -> None:
    no_days = "yesterday 2026-02-30 2026-1-1 20260101 0000-00-00 1700000000 %00"
    for where in (f"/api/memory/daily/{day}" for day in no_days.split()):
        refused(http.get(where), 422)
        refused(http.post(where, json={"entry": "x"}), 422)
        refused(http.put(where, json={"content": "x"}, headers=ANY_VERSION), 422)
    refused(http.post("/api/memory/daily/0001-01-01", json={"entry": "x"}), 422)


# Search, settings, numbers


def test_search_is_bounded_by_time(http: TestClient, memory: MemoryService) -> None:
    for day in (1, 2, 3):
        moment = datetime(2026, 3, day, 12, tzinfo=UTC)
        memory.append_memory(f"Lunch number {day}", now=moment)

    def found(**times: str) -> set[str]:
        answer = http.get("/api/memory/search", params={"q": "lunch", **times})
        return {one["content"][-1] for one in answer.json()["results"]}

    assert found() == {"1", "2", "3"}
    assert found(time_from="2026-03-02") == {"2", "3"}
    assert found(time_to="2026-03-02") == {"1", "2"}
    assert found(time_from="2026-03-02T12:00:00Z", time_to="2026-03-02T12:00:00") == {"2"}
    assert found(time_from="2026-03-02T14:00:00+02:00", time_to="2026-03-02") == {"2"}
    assert found(time_from="", time_to="") == {"1", "2", "3"}
    unescaped = http.get("/api/memory/search?q=lunch&time_from=2026-03-03T14:00:00+02:00")
    assert [one["content"] for one in unescaped.json()["results"]] == ["Lunch number 3"]


def test_a_search_that_is_none_is_refused(http: TestClient) -> None:
    search = "/api/memory/search"
    for wrong in (
        *({"limit": limit} for limit in ("0", "-1", "1001", "1" * 400, "ten", "")),
        {"time_from": "yesterday"},
        {"time_to": "2026-02-30"},
        {"time_to": "0001-01-01T00:00:00+23:00"},
    ):
        refused(http.get(search, params={"q": "x", **wrong}), 422)
    refused(http.get(search), 422)
    lost_plus = {"q": "x", "time_from": "2026-03-02T12:00:00 02:00 "}
    assert http.get(search, params=lost_plus).status_code == 200


def test_settings_have_their_public_names(http: TestClient, memory: MemoryService) -> None:
    everything = {
        "enabled": False, "autoExtract": False, "flushThreshold": 0.6, "extractIntervalSeconds": 5,
        "minNewMessages": 2, "ragTopN": 7, "enableAgenticSearch": True, "enableUserProfile": False,
        "atomicContentMaxLength": 300, "sessionSummaryLimit": 0, "contextLimit": 40,
        "retrievalLimit": 7, "evictionThreshold": 100,
    }  # fmt: skip
    assert set(http.get("/api/memory/config").json()) == set(everything)

    assert http.put("/api/memory/config", json=everything).json() == everything

    assert http.put("/api/memory/config", json={}).json() == everything
    assert memory.settings.memory.extract_interval_seconds == 5
    none = http.put("/api/memory/config", json={"evictionThreshold": None}).json()
    assert none["evictionThreshold"] is None


def test_the_bounds_of_every_setting_leave_a_memory_that_works(http: TestClient) -> None:
    largest = {
        "extractIntervalSeconds": 31_536_000, "minNewMessages": 1_000_000, "ragTopN": 1_000,
        "atomicContentMaxLength": 1_000_000, "sessionSummaryLimit": 1_000, "contextLimit": 998,
        "retrievalLimit": 1_000, "evictionThreshold": 1 << 53,
    }  # fmt: skip
    assert http.put("/api/memory/config", json=largest).status_code == 200
    for number in range(3):
        turn = {"user": f"I live in town {number}", "assistant": "I see"}
        assert http.post("/api/sessions/s1/turns", json=turn).status_code == 201
        assert http.post("/api/sessions/s1/events", json={"type": "turn_end"}).status_code == 200
    write(http, "Likes towns")
    answer = http.post("/api/sessions/s1/context", json={"message": "Which town?"})
    assert answer.status_code == 200


# Sessions


def test_a_session_is_begun_filled_listed_and_read(http: TestClient) -> None:
    session = http.post("/api/sessions").json()["session_id"]
    turn = {"user": "我叫小明", "assistant": "你好，小明", "app_type": "web"}

    first = http.post(f"/api/sessions/{session}/turns", json=turn)
    again = http.post(f"/api/sessions/{session}/turns", json=turn).json()

    assert first.status_code == 201
    assert first.json()["duplicates"] == []
    assert again["ids"] == again["duplicates"] == first.json()["ids"]
    assert again["user"] == {"id": again["ids"][0], "role": "user", "duplicate": True}
    messages = http.get(f"/api/sessions/{session}/messages").json()
    assert [one["role"] for one in messages["items"]] == ["user", "assistant"] * 2
    assert messages["items"][0]["memory_id"] == again["ids"][0]
    assert UTC_TIME.fullmatch(messages["items"][0]["create_time"])
    page = http.get(f"/api/sessions/{session}/messages?limit=1&offset=3").json()
    assert (page["items"], page["total"]) == (messages["items"][3:], 4)
    (listed,) = http.get("/api/sessions").json()["items"]
    assert (listed["session_id"], listed["message_count"]) == (session, 4)


def test_a_session_whose_name_has_a_slash_is_reached(http: TestClient) -> None:
    turn = {"user": "Hello", "assistant": "Hi"}
    assert http.post("/api/sessions/conv-1%2Fsession_2/turns", json=turn).status_code == 201
    found = http.get("/api/sessions/conv-1%2Fsession_2/messages").json()
    assert found["items"][0]["session_id"] == "conv-1/session_2"
    assert http.get("/memory/working/conv-1/session_2").json()["turn_count"] == 1


def test_a_session_without_a_name_is_refused(http: TestClient) -> None:
    turn = {"user": "Hello", "assistant": "Hi"}
    for session in ("%20", "%00", "%E3%80%80"):
        refused(http.post(f"/api/sessions/{session}/turns", json=turn), 422)
        refused(http.post(f"/api/sessions/{session}/events", json={"type": "turn_end"}), 422)
        refused(http.post(f"/api/sessions/{session}/context", json={"message": "x"}), 422)


def test_events_are_understood_under_all_their_names(http: TestClient) -> None:
    where = "/api/sessions/s1/events"
    message = {"type": "message", "data": {"role": "user", "content": "我住在柏林", "id": "m1"}}

    told = http.post(where, json=message | {"more": 1}).json()

    assert (told["type"], told["is_duplicate"], len(told["memory_ids"])) == ("message", False, 1)
    assert http.post(where, json=message).json()["is_duplicate"] is True
    for name, data, ours in (
        ("stream:idle", None, "turn_end"),
        ("session.idle", {}, "turn_end"),
        ("session.usage_info", {"currentTokens": 9, "tokenLimit": 100}, "usage"),
        ("session.compaction_start", {}, "compaction_start"),
        ("session.compaction_complete", {"success": True}, "compaction_end"),
        ("session.context_cleared", {}, "context_cleared"),
    ):
        answer = http.post(where, json={"type": name, "data": data})
        assert answer.json()["type"] == ours
    usage = {"type": "usage", "data": {"currentTokens": 80, "tokenLimit": 100}}
    assert http.post(where, json=usage).json()["asked_for"] == ["flush"]
    writes = {"type": "tool_result", "data": {"memoryWrites": [{"content": "Has a dog"}]}}
    (written,) = http.post(where, json=writes).json()["memory_ids"]
    assert http.get(f"/memory/long-term/{written}").json()["session_id"] == "s1"


def test_a_prompt_comes_with_a_receipt_that_stays(http: TestClient, memory: MemoryService) -> None:
    fact = write(http, "Lives in Berlin")
    turn = {"user": "Hello there", "assistant": "Hi"}
    http.post("/api/sessions/s1/turns", json=turn)

    answer = http.post("/api/sessions/s1/context", json={"message": "Where do I live?"}).json()

    assert set(answer) == {"messages", "receipt"}
    assert [one["role"] for one in answer["messages"]] == ["system", "user", "assistant", "user"]
    assert "Lives in Berlin" in answer["messages"][0]["content"]
    receipt = answer["receipt"]
    assert set(receipt) == {"id", "sections", "left_out", "total_tokens"}
    items = [item for section in receipt["sections"] for item in section["items"]]
    assert fact["id"] in items
    assert http.get(f"/api/receipts/{receipt['id']}").json() == receipt


def test_a_prompt_as_text_with_everything_that_can_be_wished_for(http: TestClient) -> None:
    schema = {"type": "object", "properties": {}}
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}]
    tools = [
        {"name": "weather", "description": "Look", "parameters": schema},
        {"type": "function", "function": {"name": "maps", "parameters": schema}},
    ]
    wish = {
        "message": "查一下天气", "persona": None, "language": "zh", "format": "text",
        "rag": ["Rain tomorrow", {"content": "Sun today", "title": "News", "source": None}],
        "tools": tools, "base_system_prompt": "You are a weather man.",
        "skills": ["Use metric units."], "session_messages": said,
    }  # fmt: skip
    answer = http.post("/api/sessions/s1/context", json=wish)

    assert set(answer.json()) == {"text", "receipt"}
    for part in ("weather man", "metric", "Rain tomorrow", "Sun today", "maps", "查一下天气"):
        assert part in answer.json()["text"]


def test_receipts_are_kept_for_a_month(http: TestClient, memory: MemoryService) -> None:
    now = datetime.now(UTC)
    first = http.post("/api/sessions/s1/context", json={"message": "One"}).json()["receipt"]["id"]
    second = ChatContextBuilder(memory).build_messages("Two", "s1").receipt
    memory.receipts.put(second, "s1", now=now + KEPT - timedelta(hours=1))
    assert http.get(f"/api/receipts/{first}").status_code == 200

    memory.receipts.put(second, "s1", now=now + KEPT + timedelta(hours=1))

    refused(http.get(f"/api/receipts/{first}"), 404)
    assert http.get(f"/api/receipts/{second.id}").status_code == 200


# Bodies that do not fit


UNFIT: dict[str, list[object]] = {
    "POST /api/memory": [
        None,
        *({"content": one} for one in (" \n\u3000", "\x00", ["x"])),
        *({"content": "x", **one} for one in ({"importance": True}, {"tags": ["tea", ""]})),
        *({"content": "x", **one} for one in ({"key": ""}, {"user_id": "bob"}, {"id": "mine"})),
    ],
    **{f"PUT /api/memory/{name}": [{"text": "x"}] for name in ("main", "profile", "household")},
    "POST /api/memory/daily/2026-03-01": [{"content": "x"}, {"entry": " "}],
    "PUT /api/memory/config": [
        *({"ragTopN": one} for one in ("5", True)),
        {"contextLimit": 10**30},
        *({name: 5} for name in ("rag_top_n", "unknown", "embedder")),
    ],
    "POST /api/sessions/s1/turns": [
        {"user": "x", "assistant": "\x00"},
        {"user": "x", "assistant": "y", "app_type": "a b"},
        {"user": "x", "assistant": "y", "session_id": "other"},
    ],
    "POST /api/sessions/s1/events": [
        {},
        *({"type": one} for one in ("unheard", None, 5)),
        {"type": "message", "data": {"role": ["user"], "content": "x"}},
        *(
            {"type": "usage", "data": {"currentTokens": current, "tokenLimit": limit}}
            for current, limit in (("1", 2), (-1, 2), (10**400, 2), (1, -(10**400)))
        ),
        {"type": "tool_result", "data": {"memory_writes": "x"}},
        {"type": "turn_end", "id": 1.5},
    ],
    "POST /api/sessions/s1/context": [
        *({"message": "x", **one} for one in ({"rag": [""]}, {"language": "fr"}, {"unknown": 1})),
        *(
            {"message": "x", "tools": [one]}
            for one in ({}, {"name": "a b"}, {"name": "a", "parameters": []})
        ),
        {"message": "x", "session_messages": [{"role": "king"}]},
    ],
}
"""Bodies that a route does not take, beside those that the OpenAPI document forbids by itself:
`test_openapi.py` sends such."""


@pytest.mark.parametrize("route", UNFIT)
def test_an_unfit_body_is_refused_and_changes_nothing(http: TestClient, route: str) -> None:
    made = write(http, "Stays as it is")
    lists = ("/memory/long-term", "/api/sessions", "/api/memory/daily", "/api/memory/config")
    before = [http.get(one).json() for one in lists]
    method, where = route.split(" ")
    for wrong in UNFIT[route]:
        refused(send(http, where, json.dumps(wrong), method), 422)
        if where == "/api/memory" and wrong:
            refused(send(http, f"{where}/{made['id']}", json.dumps(wrong), "PATCH"), 422)
        if where == "/api/memory/config" and isinstance(wrong, dict):
            refused(http.put(where, json={"minNewMessages": 9, **wrong}), 422)
    assert [http.get(one).json() for one in lists] == before


def test_a_persona_or_scenario_that_nobody_made_is_not_found(http: TestClient) -> None:
    for wish in ('"persona": "unheard-of"', '"scenario": "\\ud83d"'):
        refused(send(http, "/api/sessions/s1/context", f'{{"message": "x", {wish}}}'), 404)
