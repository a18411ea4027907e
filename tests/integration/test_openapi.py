"""The OpenAPI document against the server: whatever fits it or breaks it, nothing it does not say.

Schemathesis makes the requests, from the document alone; a few of them are led to a memory, a
session and a receipt that exist.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as how
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient
from tests.chat_model_server import ChatModelServer
from tests.conftest import examples
from tests.doors import by_words, served

from chatmem import ChatContextBuilder, MemoryService

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
]
EXAMPLES = examples(8)
"""For each operation, once with requests that fit and once with others."""
SESSION = "s1"
OWN = ("/memory/", "/api/memory", "/api/sessions", "/api/receipts")


@pytest.fixture
def memory(data: Path, server: ChatModelServer) -> Iterator[MemoryService]:
    """A memory whose server has a model behind it."""
    upstream = {"base_url": server.base_url, "model": "small-model"}
    with by_words(data, llm=upstream) as opened:
        yield opened


@pytest.fixture
def document(http: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = http.get("/openapi.json").json()
    return found


def known_ids(memory: MemoryService) -> dict[str, Callable[[], str]]:
    """For each parameter of a path something that exists, made when it is asked for."""

    def receipt() -> str:
        made = ChatContextBuilder(memory).build_messages("Where do I live?", SESSION).receipt
        memory.receipts.put(made, SESSION)
        return made.id

    return {
        "memory_id": lambda: memory.append_memory("Drinks tea", key="taste:tea").id,
        "session_id": lambda: SESSION,
        "receipt_id": receipt,
        "day": lambda: "2026-11-21",
    }


def try_out(
    operation: APIOperation[Any, Any, Any, Any],
    mode: GenerationMode,
    known: dict[str, Callable[[], str]],
    session: requests.Session,
) -> bool:
    """Send the operation what fits, or what does not, and check every answer.

    False where there is nothing to send: any text is an id, so nothing about it can be wrong.
    """

    @given(case=operation.as_strategy(generation_mode=mode), exists=st.booleans())
    @how(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case[Any], exists: bool) -> None:
        if exists:
            for name in case.path_parameters or {}:
                if name in known:
                    case.path_parameters[name] = known[name]()
        response = case.call(session=session)
        # What an upstream is sent and answers is passed on as it comes: it is for it to judge.
        passed_on = [response_schema_conformance, negative_data_rejection]
        left_out = [] if operation.path.startswith(OWN) else passed_on
        case.validate_response(response, checks=CHECKS, excluded_checks=left_out)

    try:
        send()
    except Unsatisfiable:
        return False
    return True


@pytest.mark.slow
def test_no_request_is_answered_otherwise_than_the_document_says(
    memory: MemoryService, document: dict[str, Any]
) -> None:
    """What fits on a server without keys; what does not fit on one with keys, too."""
    memory.save_conversation_turn("I live in Berlin", "How nice", SESSION)
    known = known_ids(memory)
    tried = dict.fromkeys((GenerationMode.POSITIVE, GenerationMode.NEGATIVE), 0)
    for mode in tried:
        with requests.Session() as session, served(memory) as server:
            if mode is GenerationMode.NEGATIVE:
                key, _ = memory.keys.create(memory.user_id)
                session.headers["Authorization"] = f"Bearer {key}"
            schema = schemathesis.openapi.from_dict(document)
            schema.config.update(base_url=server.url)
            for found in schema.get_all_operations():
                assert isinstance(found, Ok), found
                tried[mode] += try_out(found.ok(), mode, known, session)
    assert tried[GenerationMode.POSITIVE] >= 30
    assert tried[GenerationMode.NEGATIVE] >= 15


def nullable(schema: dict[str, Any]) -> set[str]:
    """Names of fields that may be null: the framework leaves those out of its examples."""
    return {
        name
        for name, field in schema["properties"].items()
        if {"type": "null"} in field.get("anyOf", ()) or "$ref" in field
    }


def test_every_route_tells_its_examples_and_its_errors(document: dict[str, Any]) -> None:
    own = {path: item for path, item in document["paths"].items() if path.startswith(OWN)}
    one, session = "/api/memory/{memory_id}", "/api/sessions/{session_id}"
    whole = ("main", "profile", "household", "daily", "daily/{day}")
    assert set(own) == {
        *("/memory/long-term", "/memory/long-term/{memory_id}", "/memory/working/{session_id}"),
        *("/api/memory", one, "/api/sessions", "/api/receipts/{receipt_id}"),
        *(f"{one}/{deed}" for deed in ("promote", "restore", "supersede", "history")),
        *(f"/api/memory/{name}" for name in (*whole, "search", "config", "stats", "export")),
        *(f"{session}/{part}" for part in ("messages", "turns", "events", "context")),
    }
    schemas = document["components"]["schemas"]
    for path, item in own.items():
        for method, route in item.items():
            where = f"{method} {path}"
            answers = route["responses"]
            assert route["summary"], where
            assert route["description"], where
            assert "503" in answers, where
            assert ("404" in answers) or "_id}" not in path, where
            for status, answer in answers.items():
                kinds = set(answer["content"])
                if status.startswith("2"):
                    assert kinds < {"application/json", "application/x-ndjson"}, where
                else:
                    assert kinds == {"application/problem+json"}, (where, status)
            body = route.get("requestBody")
            if body is not None:
                name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert schemas[name]["examples"], where


def test_every_example_is_one(http: TestClient, document: dict[str, Any]) -> None:
    """The examples of bodies are taken, those of answers have the fields of answers."""
    for path, item in document["paths"].items():
        for method, route in item.items():
            body = route.get("requestBody")
            if body is None or not path.startswith(OWN) or "{memory_id}" in path:
                continue
            where = path.replace("{session_id}", SESSION).replace("{day}", "2026-11-21")
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            for example in document["components"]["schemas"][name]["examples"]:
                any_version = {"If-Match": "*"}
                answer = http.request(method.upper(), where, json=example, headers=any_version)
                assert answer.status_code < 300, (where, json.dumps(example), answer.text)
    for name, schema in document["components"]["schemas"].items():
        for example in schema.get("examples", ()):
            if isinstance(example, dict):
                assert set(example) <= set(schema["properties"]), name
                needed = set(schema.get("required", ())) - nullable(schema)
                assert needed <= set(example), name
