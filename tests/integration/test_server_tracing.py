"""Spans of the server, where somebody has set up OpenTelemetry; and its stages in the metrics."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.chat_model_server import ChatModelServer
from tests.doors import served

from chatmem import MemoryService, Settings
from chatmem.testing import FakeEmbedder

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECRET = "hunter2"


@pytest.fixture
def model() -> Iterator[ChatModelServer]:
    with ChatModelServer("Oolong, as you said.") as server:
        yield server


@pytest.fixture
def memory(tmp_path: Path, model: ChatModelServer) -> Iterator[MemoryService]:
    settings = Settings(llm={"base_url": model.base_url})
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


def test_a_chat_is_a_span_of_stages(memory: MemoryService, spans: InMemorySpanExporter) -> None:
    with served(memory) as server, server.client() as client:
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


def test_spans_hold_nothing_of_anybody(memory: MemoryService, spans: InMemorySpanExporter) -> None:
    def extend(app: FastAPI) -> None:
        @app.get("/api/frail")
        def frail() -> str:
            raise RuntimeError(SECRET)

    with served(memory, extend=extend) as server, server.client() as client:
        client.get("/api/frail")
        client.get(f"/{SECRET}")
        client.get("/api/memory/search", params={"q": SECRET})
        client.get(f"/memory/long-term/{SECRET}", headers={"x-chatmem-user": SECRET})
    found = spans.get_finished_spans()
    assert finished(spans)["GET /api/frail"].status.status_code is trace.StatusCode.ERROR
    assert finished(spans)["GET other"].status.status_code is trace.StatusCode.UNSET
    assert not any(one.events for one in found)
    assert SECRET not in "".join(one.to_json() for one in found)


def test_numbers_have_stages_of_the_core_and_the_models_server(memory: MemoryService) -> None:
    with served(memory) as server, server.client() as client:
        before = client.get("/metrics").text
        client.post("/v1/chat/completions", json=chat("Which tea?")).raise_for_status()
        after = client.get("/metrics").text
    for stage in ("upstream", "recall", "embed", "lexical", "dense", "compose"):
        counted = f'chatmem_stage_seconds_count{{stage="{stage}"}}'
        assert f"{counted} 0.0" in before
        assert f"{counted} 0.0" not in after
        assert counted in after
