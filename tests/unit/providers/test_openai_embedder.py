"""Over real HTTP, against a small server on loopback."""

import sys
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from tests.chat_model_server import ChatModelServer, Reply

from chatmem.errors import ProviderError
from chatmem.providers.embedding import CALIBRATION_SENTENCES
from chatmem.providers.openai_embedder import OpenAICompatibleEmbedder
from chatmem.testing import FakeClock, FakeEmbedder

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def embedder(server: ChatModelServer, clock: FakeClock) -> Iterator[OpenAICompatibleEmbedder]:
    connected = OpenAICompatibleEmbedder(
        "tiny", base_url=server.base_url, api_key=KEY, sleep=clock.sleep
    )
    yield connected
    connected.close()


def test_vectors_come_back_in_the_order_of_the_texts(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder
) -> None:
    texts = [f"{number} 只猫 and {number} dogs" for number in range(150)]

    vectors = embedder.embed([*texts, ""])

    assert np.allclose(vectors[:-1], FakeEmbedder().embed(texts), atol=1e-6)
    assert not vectors[-1].any()
    batches = [len(request.texts) for request in server.received]
    assert batches == [len(CALIBRATION_SENTENCES), 64, 64, 22]


def test_model_and_key_are_sent_and_the_key_is_optional(server: ChatModelServer) -> None:
    address = server.base_url
    with closing(OpenAICompatibleEmbedder("tiny", base_url=f"{address}/", api_key=KEY)) as keyed:
        keyed.embed_query("a")
    with closing(OpenAICompatibleEmbedder("tiny", base_url=address)) as keyless:
        keyless.embed_query("a")

    assert {request.model for request in server.received} == {"tiny"}
    assert {request.path for request in server.received} == {"/v1/embeddings"}
    sent = [request.authorization for request in server.received]
    assert sent == [f"Bearer {KEY}", f"Bearer {KEY}", None, None]


def test_nothing_is_sent_before_a_vector_is_wanted(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder
) -> None:
    assert embedder.identity == "openai:tiny"
    assert server.received == []
    assert embedder.dimension == 64
    unrelated, floor, paraphrase = embedder.calibration
    assert 0 < unrelated < floor < paraphrase < 1
    assert len(server.received) == 1


def test_the_pause_that_the_server_asks_for_is_kept(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder, clock: FakeClock
) -> None:
    server.planned = [
        Reply(status=429, headers={"Retry-After": "7"}),
        Reply(status=429, headers={"Retry-After": "86400"}),
    ]

    embedder.embed(["甲"])

    assert clock.monotonic() == 7 + 20


def test_a_refusal_that_stays_is_told_with_address_and_status(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder
) -> None:
    embedder.embed(["warm"])
    server.received.clear()
    server.planned = [Reply(status=503, body=b"busy")] * 4

    with pytest.raises(ProviderError) as caught:
        embedder.embed(["甲"])

    assert str(caught.value) == (
        f"{server.base_url}: embedder openai:tiny: status 503: busy; tried 4 times"
    )
    assert len(server.received) == 4


def test_questions_end_sooner(server: ChatModelServer, embedder: OpenAICompatibleEmbedder) -> None:
    server.planned = [Reply(status=503)] * 9

    with pytest.raises(ProviderError, match="tried 2 times"):
        embedder.embed_query("甲")

    assert len(server.received) == 2


@pytest.mark.parametrize(
    "body",
    [
        *(b"not json", b"\xff\xfe", b"[]", b'{"data": []}'),
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": [1, null]}]}',
        b'{"data": [{"index": 0, "embedding": [1, NaN]}]}',
        b'{"data": [{"index": 0, "embedding": ["a"]}]}',
        *(b'{"data": [{"index": 1, "embedding": [1, 2]}]}', b'{"data": [{"embedding": [1, 2]}]}'),
        b'{"data": {"index": 0}}',
    ],
)
def test_an_answer_of_another_form_is_an_error_that_names_the_address(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder, body: bytes
) -> None:
    embedder.embed(["warm"])
    server.planned = [Reply(body=body)]

    with pytest.raises(ProviderError, match=r"127\.0\.0\.1.*not of OpenAI's form"):
        embedder.embed(["甲"])


def test_a_model_that_changed_behind_the_address_is_noticed(
    server: ChatModelServer, embedder: OpenAICompatibleEmbedder
) -> None:
    embedder.embed(["warm"])
    server.embedder = FakeEmbedder(dimension=32)

    with pytest.raises(ProviderError, match=r"32 components, where 64 came before.*reindex"):
        embedder.embed(["甲"])


def test_a_server_that_is_not_there_is_named(clock: FakeClock, nobody: int) -> None:
    address = f"http://somebody:pass-word@127.0.0.1:{nobody}/v1?token=hidden"
    embedder = OpenAICompatibleEmbedder("tiny", base_url=address, sleep=clock.sleep)
    with closing(embedder), pytest.raises(ProviderError) as caught:
        embedder.embed(["甲"])

    told = str(caught.value)
    assert f"http://127.0.0.1:{nobody}" in told
    assert "no answer" in told and "tried 4 times" in told
    assert "pass-word" not in told and "hidden" not in told


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8080/v1", "ftp://127.0.0.1/v1", "http://", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(ProviderError, match="address"):
        OpenAICompatibleEmbedder("tiny", base_url=address)


@pytest.mark.parametrize("key", ["sk-a\n", "钥匙", "two words"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_told(key: str) -> None:
    with pytest.raises(ProviderError) as caught:
        OpenAICompatibleEmbedder("tiny", base_url="http://127.0.0.1:9/v1", api_key=key)

    assert "key holds characters" in str(caught.value)
    assert key.strip() not in str(caught.value)


def test_without_httpx_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(ProviderError, match=r"openai:tiny.*httpx.*chatmem\[llm\]"):
        OpenAICompatibleEmbedder("tiny", base_url="http://127.0.0.1:9/v1")
