"""The edge of the server, over real connections: who is answered, and what is refused how."""

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from tests.doors import Served, client_of, served

from chatmem import MemoryService, Settings
from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest.watch import JsonLines

MIB = 1 << 20
JSON = {"content-type": "application/json"}


@pytest.fixture
def open_server(memory: MemoryService) -> Iterator[Served]:
    """Without keys."""
    with served(memory) as found:
        yield found


@pytest.fixture
def client(open_server: Served) -> Iterator[httpx.Client]:
    with open_server.client() as found:
        yield found


@pytest.fixture
def keys(memory: MemoryService) -> dict[str, str]:
    return {
        "mei": memory.keys.create("mei")[0],
        "tom": memory.keys.create("tom")[0],
        "root": memory.keys.create("root", is_admin=True)[0],
    }


@pytest.fixture
def keyed(memory: MemoryService, keys: dict[str, str]) -> Iterator[Served]:
    with served(memory) as found:
        yield found


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == status
    assert "Traceback" not in answer.text
    return body


# Who is answered without keys


def test_without_keys_this_machine_is_the_default_user_or_whom_it_names(
    open_server: Served, client: httpx.Client
) -> None:
    assert client.get("/api/memory/stats").json()["user_id"] == "default"
    for name, user in (("mei", "mei"), ("%E7%BE%8E", "美")):
        with open_server.client(x_chatmem_user=name) as another:
            assert another.get("/api/memory/stats").json()["user_id"] == user


@pytest.mark.parametrize(
    ("status", "header", "values"),
    [
        (200, "host", "localhost LocalHost:1 localhost. [::1]:8600 127.0.0.1:8600 127.8.9.1"),
        (200, "host", "[::ffff:127.0.0.1]:8600"),
        (421, "host", "evil.example localhost:x u@localhost localhost/x [::1 a,localhost [::]"),
        (421, "host", "127.0.0.1.nip.io localhost.evil.example:8600 0.0.0.0"),
        (421, "host", "192.168.1.2 2130706433"),
        (421, "host", ""),
        (200, "origin", "http://localhost:8600 http://127.0.0.1:8600 https://[::1]:8600"),
        (403, "origin", "null http://evil.example:8600 http://localhost http://localhost:8601"),
        (403, "origin", "x://localhost file://"),
        *((403, f"x-forwarded-{name}", "127.0.0.1") for name in ("for", "host")),
        *((403, name, "127.0.0.1") for name in ("forwarded", "x-real-ip", "via")),
    ],
)
def test_who_is_heard_without_keys(http: TestClient, status: int, header: str, values: str) -> None:
    for value in values.split(" "):
        answer = http.get("/api/memory/stats", headers={header: value})
        assert answer.status_code == status, value


@pytest.mark.parametrize("address", ["192.168.1.2", "::ffff:10.0.0.1", "testclient"])
def test_without_keys_another_machine_is_refused(memory: MemoryService, address: str) -> None:
    with client_of(memory, address=address) as client:
        assert client.get("/api/memory/export").status_code == 403


def test_two_hosts_are_none_and_a_link_from_elsewhere_may_be_followed(http: TestClient) -> None:
    for status, headers in (
        (421, [("host", "localhost"), ("host", "localhost")]),
        (200, [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]),
        (403, [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")]),
        (200, [("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")]),
    ):
        assert http.get("/api/memory/stats", headers=headers).status_code == status, headers


# Keys


def test_with_keys_everybody_needs_one(keyed: Served, keys: dict[str, str]) -> None:
    with keyed.client() as client:
        for given in ("", "Bearer cm_", "Bearer cm_wrong", "Bearer 密钥", f"Basic {keys['mei']}"):
            headers = [(b"authorization", given.encode())] if given else []
            answer = client.get("/api/memory/stats", headers=httpx.Headers(headers))
            problem(answer, 401)
            assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_key_is_for_its_user_and_an_admins_for_all(keyed: Served, keys: dict[str, str]) -> None:
    change = {"ragTopN": 9}
    with keyed.client(keys["mei"]) as client:
        before = client.get("/api/memory/config").json()
        problem(client.put("/api/memory/config", json=change), 403)
        assert client.get("/api/memory/config").json() == before
        known, unknown = (
            problem(client.get("/api/memory/stats", headers={"x-chatmem-user": name}), 403)
            for name in ("tom", "nobody-here")
        )
        assert known["detail"] == unknown["detail"]
    with keyed.client(keys["root"]) as client:
        assert client.put("/api/memory/config", json=change).json()["ragTopN"] == 9
        assert client.get("/api/memory/stats").json()["user_id"] == "root"
        toms = client.get("/api/memory/stats", headers={"x-chatmem-user": "tom"})
        assert toms.json()["user_id"] == "tom"


def test_the_first_key_closes_a_server_and_revoking_the_last_opens_nothing(
    open_server: Served, client: httpx.Client
) -> None:
    keys = open_server.memory.keys
    assert client.get("/api/memory/stats").status_code == 200
    _, kept = keys.create("mei")
    problem(client.get("/api/memory/stats"), 401)
    with pytest.raises(InvalidInputError, match=kept.id):
        keys.open()
    keys.revoke(kept.id)
    problem(client.get("/api/memory/stats"), 401)
    assert client.get("/healthz").status_code == 200
    keys.open()
    assert client.get("/api/memory/stats").status_code == 200


def test_health_needs_no_key_and_numbers_do(keyed: Served, keys: dict[str, str]) -> None:
    with keyed.client() as client:
        assert client.get("/healthz").json()["status"] == "ok"
        assert client.get("/readyz").json()["status"] == "ready"
        problem(client.get("/metrics"), 401)
    with keyed.client(keys["mei"]) as client:
        assert "chatmem_queue_depth" in client.get("/metrics").text


# Bodies


def test_a_large_body_is_refused_by_its_length(client: httpx.Client) -> None:
    largest = b'{"content": "x"}'.ljust(MIB)
    assert client.post("/api/memory", content=largest, headers=JSON).is_success
    answer = client.post("/api/memory", content=b"x" * (MIB + 1))
    problem(answer, 413)
    assert answer.headers["connection"] == "close"


def test_a_body_without_end_is_cut_off(open_server: Served) -> None:
    sent = 0
    head = b"POST /api/memory HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    with open_server.connect() as connection:
        connection.sendall(head)
        try:
            while sent < 200 * MIB:
                connection.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
    assert sent < 40 * MIB


def test_a_body_that_is_not_valid_is_said_to_be_and_not_sent_back(client: httpx.Client) -> None:
    for body in (
        *(b"{", b"", b"[]", b'"text"', b"null", b'{"content": 5}', b'{"content": null}'),
        *(b'{"content": "\xff\xfe"}', b"\x80\x81", b"[" * 200_000),
        *(b'{"content": "x", "importance": 1e999}', b'{"content": "x", "importance": "NaN"}'),
    ):
        problem(client.post("/api/memory", content=body, headers=JSON), 422)
    assert client.get("/api/memory/stats").json()["long_term"] == 0
    answer = client.post("/api/memory", json={"content": {"deep": "my password is hunter2"}})
    assert problem(answer, 422)["errors"][0]["loc"][0] == "body"
    assert "hunter2" not in answer.text


def test_a_compressed_body_is_refused(client: httpx.Client) -> None:
    answer = client.post("/api/memory", content=b"\x1f\x8b", headers={"content-encoding": "gzip"})
    problem(answer, 415)


def test_a_slow_body_is_not_waited_for(memory: MemoryService) -> None:
    with served(memory, body_seconds=0.5) as server, server.connect() as connection:
        connection.sendall(
            b"POST /api/memory HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
        )
        begun = time.monotonic()
        answer = _until_closed(connection)
    assert b" 408 " in answer.splitlines()[0]
    assert time.monotonic() - begun < 8


def test_a_slow_head_is_not_waited_for_and_a_slow_answer_is(memory: MemoryService) -> None:
    """Neither the first head of a connection nor the second."""

    def extend(app: FastAPI) -> None:
        @app.get("/api/slow")
        def slow() -> str:
            time.sleep(1.2)
            return "done"

    begun = time.monotonic()
    with served(memory, head_seconds=0.5, extend=extend) as server, ExitStack() as stack:
        drips = (b"", b"G", b"GET / HTTP/1.1\r\nHost: localh")
        *first, second = [stack.enter_context(server.connect()) for _ in (*drips, b"GET /hea")]
        for connection, drip in zip(first, drips, strict=True):
            connection.sendall(drip)
        second.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in second.recv(65_536)
        second.sendall(b"GET /hea")
        assert [_until_closed(connection) for connection in first] == [b""] * 3
        _until_closed(second)
        assert time.monotonic() - begun < 8
        with server.client() as client:
            assert client.get("/api/slow").json() == "done"


def test_what_is_no_http_ends_the_connection(open_server: Served, client: httpx.Client) -> None:
    """Nor is a head without an end."""
    with open_server.connect() as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\r\n\r\n")
        assert b" 400 " in _until_closed(connection).splitlines()[0]
    with open_server.connect() as connection, pytest.raises(ConnectionError):
        for _ in range(1_000):
            connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 65_536)
    assert client.get("/healthz").status_code == 200


def _until_closed(connection: socket.socket) -> bytes:
    found = b""
    while chunk := connection.recv(65_536):
        found += chunk
    return found


# Rate


def test_a_key_that_asks_too_often_waits(data: Path, keys: dict[str, str]) -> None:
    settings = Settings(embedder={"name": "none"}, server={"rate_per_minute": 3})
    with (
        MemoryService.open(data, settings=settings, background=False) as memory,
        served(memory) as server,
    ):
        with server.client(keys["mei"]) as client:
            found = [client.get("/api/memory/stats").status_code for _ in range(4)]
            refused = client.get("/api/memory/stats")
        with server.client(keys["tom"]) as client:
            assert client.get("/api/memory/stats").status_code == 200
    assert found == [200, 200, 200, 429]
    problem(refused, 429)
    assert 1 <= int(refused.headers["retry-after"]) <= 20


# Idempotency


def test_a_write_sent_twice_is_done_once(open_server: Served) -> None:
    with open_server.client(idempotency_key="k1") as client:
        first = client.post("/api/memory", json={"content": "养蜜蜂 Keeps bees"})
        again = client.post("/api/memory", json={"content": "养蜜蜂 Keeps bees"})
    assert first.is_success
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert open_server.memory.stats().long_term == 1


def test_a_key_stands_for_one_request_or_its_refusal(open_server: Served) -> None:
    with open_server.client(idempotency_key="k1") as client:
        client.post("/api/memory", json={"content": "Keeps bees"})
        problem(client.post("/api/memory", json={"content": "Keeps hens"}), 422)
        problem(client.post("/api/sessions", json={"content": "Keeps bees"}), 422)
    with open_server.client(idempotency_key="k2") as client:
        first = problem(client.post("/api/memory", json={"content": ""}), 422)
        assert problem(client.post("/api/memory", json={"content": ""}), 422) == first
    for key in ("", "a b", "x" * 256):
        with open_server.client(idempotency_key=key) as client:
            problem(client.post("/api/memory", json={"content": "x"}), 422)
    assert open_server.memory.stats().long_term == 1


def test_no_write_is_repeated_after_forgetting(open_server: Served, client: httpx.Client) -> None:
    headers = {"idempotency-key": "k1"}
    made = client.post("/api/memory", json={"content": "Keeps bees"}, headers=headers)
    assert client.delete(f"/api/memory/{made.json()['id']}").is_success
    again = client.post("/api/memory", json={"content": "Keeps bees"}, headers=headers)
    assert "bees" not in problem(again, 410)["detail"]
    assert open_server.memory.stats().long_term == 0


def test_a_second_request_does_not_overtake_the_first(memory: MemoryService) -> None:
    begun, go_on = threading.Event(), threading.Event()
    calls = []

    def extend(app: FastAPI) -> None:
        @app.post("/api/slow")
        def slow() -> str:
            calls.append(1)
            begun.set()
            assert go_on.wait(10)
            return "done"

    with (
        served(memory, extend=extend) as server,
        server.client(idempotency_key="k") as client,
        ThreadPoolExecutor(1) as pool,
    ):
        first = pool.submit(client.post, "/api/slow")
        assert begun.wait(10)
        problem(client.post("/api/slow"), 409)
        go_on.set()
        assert first.result(10).json() == client.post("/api/slow").json() == "done"
    assert calls == [1]


def test_what_failed_may_be_tried_again(memory: MemoryService) -> None:
    calls = []

    def extend(app: FastAPI) -> None:
        @app.post("/api/frail")
        def frail() -> str:
            calls.append(1)
            if len(calls) == 1:
                raise RuntimeError("with a secret: hunter2")
            return "done"

    with served(memory, extend=extend) as server, server.client(idempotency_key="k") as client:
        answer = client.post("/api/frail")
        problem(answer, 500)
        assert "hunter2" not in answer.text
        assert client.post("/api/frail").json() == "done"
        assert client.post("/api/frail").json() == "done"
    assert calls == [1, 1]


# What every answer has


def test_every_answer_has_an_id_and_safe_headers(client: httpx.Client) -> None:
    for answer in (client.get("/api/memory/stats"), client.get("/nowhere")):
        assert answer.headers["x-request-id"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


def test_a_sane_request_id_is_kept(client: httpx.Client) -> None:
    for given, kept in (("job-7.b_2", True), ("a b", False), ("x" * 65, False), ("-", False)):
        answer = client.get("/nowhere", headers={"x-request-id": given})
        assert (answer.headers["x-request-id"] == given) is kept
        assert problem(answer, 404)["request_id"] == answer.headers["x-request-id"]


def test_large_answers_are_compressed(open_server: Served) -> None:
    with open_server.client(accept_encoding="gzip") as client:
        assert client.get("/openapi.json").headers["content-encoding"] == "gzip"
    with open_server.client(accept_encoding="identity") as client:
        assert "content-encoding" not in client.get("/openapi.json").headers


def test_an_unknown_address_is_a_problem(client: httpx.Client) -> None:
    for method in ("GET", "PROPFIND"):
        problem(client.request(method, "/nowhere"), 404)
    problem(client.request("PUT", "/healthz"), 405)


# Operation


def test_requests_at_hand_are_answered_before_the_end(memory: MemoryService) -> None:
    begun = threading.Event()

    def extend(app: FastAPI) -> None:
        @app.get("/api/slow")
        def slow() -> str:
            begun.set()
            time.sleep(1)
            return "done"

    with ThreadPoolExecutor(1) as pool:
        with served(memory, extend=extend) as server:
            answer = pool.submit(httpx.get, f"{server.url}/api/slow", timeout=20)
            assert begun.wait(10)
        assert answer.result(20).json() == "done"


def test_a_closed_database_is_not_ready(memory: MemoryService) -> None:
    with served(memory) as server, server.client() as client:
        memory.close()
        assert client.get("/healthz").status_code == 200
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
        problem(client.get("/api/memory/stats"), 503)


def test_numbers_are_by_route_and_never_by_address(client: httpx.Client) -> None:
    client.get("/api/memory/search", params={"q": "hunter2"})
    client.get("/memory/long-term/hunter2")
    client.get("/hunter2")
    client.post("/api/memory", json={"content": "hunter2"})
    text = client.get("/metrics").text
    assert 'route="/memory/long-term/{memory_id}"' in text or 'route="/memory/long-term/{' in text
    assert 'route="other"' in text
    assert 'chatmem_stage_seconds_count{stage="identify"}' in text
    assert 'chatmem_stage_seconds_count{stage="read_body"} 1.0' in text
    assert 'chatmem_capability{capability="database"} 1.0' in text
    assert "hunter2" not in text


def test_logs_have_no_key_prompt_or_memory(
    memory: MemoryService, keys: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    def extend(app: FastAPI) -> None:
        @app.get("/api/frail")
        def frail() -> str:
            raise RuntimeError("hunter2")

    caplog.set_level(logging.DEBUG)
    with served(memory, extend=extend) as server, server.client(keys["mei"]) as client:
        client.post("/api/memory", json={"content": "the password is hunter2"})
        client.get("/api/memory/search", params={"q": "hunter2"})
        client.get("/memory/long-term/hunter2")
        client.post("/api/memory", json={"content": ["hunter2"]})
        client.get("/api/frail")
        session = client.post("/api/sessions").json()["session_id"]
        client.post(f"/api/sessions/{session}/context", json={"message": "hunter2"})
    ours = [one for one in caplog.records if one.name.startswith(("chatmem", "uvicorn"))]
    lines = [JsonLines().format(one) for one in ours]
    found = [json.loads(line) for line in lines]
    asked = [one for one in found if one["message"] == "request"]
    assert {"POST", "GET"} <= {one["method"] for one in asked}
    assert all(one["key_id"] for one in asked)
    assert [one["error"] for one in found if one["level"] == "error"] == ["RuntimeError"]
    everything = "\n".join(lines)
    assert "hunter2" not in everything
    assert keys["mei"] not in everything
