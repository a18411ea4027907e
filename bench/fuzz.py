"""Hostile inputs at every door: each gets an answer, or one sentence of ours, and that soon.

    python bench/fuzz.py [--count 100000] [--seed 1] [--door import]

A door gets what is right, with some of it replaced, repeated, nested, cut or flipped. A failure is
an exception that is not ours, an answer of 500, or more than `MOST_CPU_S` of processor time (a
clock would measure the machine). The same seed makes the same inputs. Exit 1 where one fails.
"""

import argparse
import json
import lzma
import random
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal

from fastapi import FastAPI
from starlette.testclient import TestClient

from chatmem import ChatContextBuilder, MemoryService, Settings
from chatmem.engine.importing import FORMATS, import_file
from chatmem.errors import ChatmemError
from chatmem.interfaces.rest.app import create_app
from chatmem.interfaces.web import login
from chatmem.interfaces.web.markdown import safe_html
from chatmem.model import ImportFormat
from chatmem.text.bullets import parse, visible_text

MOST_CPU_S: Final = 2.0
"""For one input."""
_RENEWED: Final = 400
"""Inputs after which a door gets an empty memory: what piles up is not what is tried here."""
_MOST_SHOWN: Final = 10
_HERE: Final = "http://127.0.0.1:8600"
_PIECES: Final = (
    *("\x00", "\ud800", "\udfff\ud800", "\u202e", "\ufeff", "\r\n", "\u2028", "\x1b[2J", "'; --"),
    *("𝕏", "e\u0301", "👩‍👩‍👧", "我下个月搬到柏林", "密码是", "\u3000", "，。", "ＡＢＣ", "ﷺ"),
    *("# ", "## Facts\n", "- ", "- [ ] ", "```\n", "<!-- id=x -->", "-->", "|a|b|\n", "[a](", "**"),
    *("AND OR NOT NEAR(", '"', "*", "^", "%", "_", "../", "%2e%2e%2f", "{{", "${", "a@", "http://"),
    *("9" * 400, "-1", "1e999", "NaN", "0001-01-01", "9999-12-31T23:59:59+14:00", "true", "null"),
)
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, 0, -1, 2**63, 10**400, 1.5, float("nan"), float("inf"), "", " ", [], {}, [[]]),
)
_EXPORTED: Final = {
    "id": "a1", "content": "Keeps hens", "memory_type": "long_term", "timestamp": "2026-01-01",
    "category": "fact", "tags": ["a"], "key": "pets", "value": {"n": 2}, "importance": 3,
}  # fmt: skip
_NODE: Final = {
    "parent": None,
    "message": {
        "id": "m",
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["I keep bees"]},
        "create_time": 1_700_000_000.5,
    },
}
_SAID: Final = {"role": "user", "content": "I keep bees", "timestamp": "2026-01-01", "id": "m1"}
_LINE: Final = {"conv": "c", "id": "m1", "speaker": "Mei", "text": "养蜜蜂", "date": "2026年1月1日"}
_FILES: Final[tuple[Any, ...]] = (
    [_SAID, {"role": "assistant", "content": [{"type": "text", "text": "Good"}]}],
    {"messages": [_SAID], "id": "s1"},
    [{"conversation_id": "c", "current_node": "a", "create_time": 1, "mapping": {"a": _NODE}}],
    [{"sample_id": "x", "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023",
      "session_1": [{"speaker": "Mei", "dia_id": "D1:1", "text": "Hello"}]}}],
    {"results": [{"id": "1", "memory": "Keeps bees", "created_at": "2026-01-01", "user_id": "mei",
                  "metadata": {"category": "fact"}, "categories": ["pets"]}]},
    {"Mei": {"history": {"2026-04-27": [{"query": "Bees?", "response": "Yes"}]}}},
)  # fmt: skip
_MARKDOWN: Final = (
    "# Memory\n\n## Preferences\n\n- Drinks oolong, no sugar <!-- id=01jd6y8c2m4pk key=tea "
    'value="oolong" tags=a,b importance=4 -->\n- 住在柏林\n  second line\n\n## Facts\n\n- [x] Do\n'
)
_QUERY: Final = "What did I say about the bees in Berlin 上个月 last week?"
_CALL: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "search_memory", "arguments": {"query": "bees"}},
}
_CHAT: Final = {"model": "chatmem", "messages": [{"role": "user", "content": "Which bees?"}]}


@dataclass
class Maker:
    """Makes inputs out of right ones; everything is drawn from `draw`."""

    draw: random.Random

    def text(self, right: str = "") -> str:
        """A text, of which some is right."""
        pieces = [right[: self.draw.randrange(len(right) + 1)]] if right else []
        for _ in range(self.draw.randrange(4)):
            piece = self.draw.choice(_PIECES)
            pieces.append(piece * self.draw.choice((1, 1, 1, 2, 50, 2_000 // len(piece) + 1)))
        if right and self.draw.random() < 0.5:
            pieces.append(right[self.draw.randrange(len(right) + 1) :])
        self.draw.shuffle(pieces)
        return "".join(pieces)

    def value(self, right: object = None) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """A value in the place of another one."""
        kind = self.draw.randrange(6)
        if kind == 0:
            return self.text(right if isinstance(right, str) else "")
        if kind == 1:
            nested: Any = right
            for _ in range(self.draw.choice((1, 3, 70, 600))):
                nested = [nested] if self.draw.random() < 0.5 else {"a": nested}
            return nested
        if kind == 2:
            return [right] * self.draw.choice((2, 40))
        return self.draw.choice(_VALUES)

    def changed(self, right: Any, share: float = 0.12) -> Any:  # noqa: ANN401
        """The value with some of what it is made of replaced, left out or told twice."""
        if self.draw.random() < share:
            return self.value(right)
        if isinstance(right, dict):
            kept = {name: one for name, one in right.items() if self.draw.random() > share / 2}
            found = {name: self.changed(one, share) for name, one in kept.items()}
            if self.draw.random() < share:
                found[self.text()] = self.value()
            return found
        if isinstance(right, list):
            return [self.changed(one, share) for one in right]
        if isinstance(right, str) and self.draw.random() < 2 * share:
            return self.text(right)
        return right

    def json(self, right: object) -> bytes:
        """The value, changed, as a client or program would send it, or nearly."""
        try:
            text = json.dumps(self.changed(right), ensure_ascii=self.draw.random() < 0.7)
        except (ValueError, RecursionError):
            text = "[" * 5_000
        return self.bytes(text.encode("utf-8", "surrogatepass"))

    def bytes(self, right: bytes) -> bytes:
        """The bytes, cut, flipped or told twice now and then."""
        found = bytearray(right)
        if found and self.draw.random() < 0.15:
            for _ in range(self.draw.randrange(1, 4)):
                found[self.draw.randrange(len(found))] = self.draw.randrange(256)
        if self.draw.random() < 0.08:
            del found[self.draw.randrange(len(found) + 1) :]
        return bytes(found * self.draw.choice((1,) * 20 + (2,)))


Door = Callable[[Maker], None]
"""One input: it returns where that was answered."""


@contextmanager
def _memory() -> Iterator[MemoryService]:
    settings = Settings(embedder={"name": "none"}, memory={"scan_interval_seconds": 0.0})
    with (
        tempfile.TemporaryDirectory() as folder,
        MemoryService.open(folder, settings=settings, background=False) as memory,
    ):
        yield memory


@contextmanager
def _imports() -> Iterator[Door]:
    """Files, each in a right form, changed, packed perhaps; of a refused one nothing is saved."""
    with _memory() as memory, tempfile.TemporaryDirectory() as name:

        def bring_in(make: Maker) -> None:
            content, suffix = _file(make)
            path = Path(name) / f"file{suffix}"
            path.write_bytes(content)
            before = memory.stats()
            chosen: Literal[ImportFormat, "auto"] = make.draw.choice(("auto", "auto", *FORMATS))
            try:
                import_file(memory, path, format=chosen)
            except ChatmemError as error:
                _check_sentence(error)
                after = memory.stats()
                if (after.messages, after.long_term) != (before.messages, before.long_term):
                    raise AssertionError("part of a refused file was saved") from error

        yield bring_in


def _file(make: Maker) -> tuple[bytes, str]:
    kind = make.draw.randrange(4)
    if kind == 0:
        some = [make.draw.choice((_LINE, _SAID, _EXPORTED)) for _ in range(make.draw.randrange(6))]
        content, suffix = b"\n".join(make.json(one) for one in some), ".jsonl"
    elif kind == 1:
        text = make.text(_MARKDOWN).encode("utf-8", "surrogatepass")
        content, suffix = make.bytes(text), ".md"
    else:
        content, suffix = make.json(make.draw.choice(_FILES)), ".json"
    packing = make.draw.random()
    if packing < 0.1:
        return make.bytes(lzma.compress(content, preset=0)), f"{suffix}.xz"
    if packing < 0.2:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", content)
        return make.bytes(packed.getvalue()), ".zip"
    return content, suffix


@contextmanager
def _markdown() -> Iterator[Door]:
    """Documents: read, shown, and, one in ten, written."""
    with _memory() as memory:

        def read(make: Maker) -> None:
            text = make.text(_MARKDOWN)
            parse(text)
            safe_html(visible_text(text))
            if make.draw.random() < 0.1:
                try:
                    memory.main.write(text, forget=True)
                except ChatmemError as error:
                    _check_sentence(error)
                memory.read_main()

        yield read


@contextmanager
def _queries() -> Iterator[Door]:
    """Searches, recalls and prompts."""
    with _memory() as memory:
        memory.append_memory("Keeps bees in Berlin 养蜜蜂", tags=("pets",))
        memory.save_conversation_turn(_QUERY, "You keep bees.", "s1")
        builder = ChatContextBuilder(memory)

        def ask(make: Maker) -> None:
            query = make.text(_QUERY)
            times = make.draw.choice((None, (make.text("2026-01-01"), None)))
            calls: tuple[Callable[[], object], ...] = (
                lambda: memory.search_memories(query, times),
                lambda: memory.get_relevant_memories(query, session_id=make.text("s1") or None),
                lambda: builder.build_messages(query, make.text("s1")),
            )
            try:
                make.draw.choice(calls)()
            except ChatmemError as error:
                _check_sentence(error)

        yield ask


@contextmanager
def _rest() -> Iterator[Door]:
    """Requests to every route of the OpenAPI document, and to `/mcp`."""
    with _memory() as memory, _client(create_app(memory)) as http:
        document = http.get("/openapi.json").json()
        routes = [
            (method.upper(), path, _example(document, operation))
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        ]
        routes += [("POST", "/mcp", _CALL), ("POST", "/v1/chat/completions", _CHAT)] * 3

        def request(make: Maker) -> None:
            method, path, example = make.draw.choice(routes)
            for name in ("memory_id", "session_id", "receipt_id", "day"):
                path = path.replace(f"{{{name}}}", _in_address(make.text("2026-01-01")))
            names = ("q", "limit", "offset", "time_from", "time_to", "state", "forget")
            asked = {name: make.text("5") for name in names if make.draw.random() < 0.3}
            address = path + "".join(f"&{n}={_in_address(v)}" for n, v in asked.items()).replace(
                "&", "?", 1
            )
            headers = {"content-type": "application/json", "accept": "application/json"}
            for name in ("x-chatmem-session", "idempotency-key", "if-match", "x-chatmem-user"):
                if make.draw.random() < 0.1:
                    headers[name] = _in_address(make.text("a"))
            body = make.json(example) if method in ("POST", "PUT", "PATCH") else b""
            _check_answer(http.request(method, address, content=body, headers=headers))

        yield request


def _example(document: dict[str, Any], operation: dict[str, Any]) -> object:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    named = str(schema.get("$ref", "")).rpartition("/")[2]
    schema = document["components"]["schemas"].get(named, schema)
    return next(iter(schema.get("examples", [content.get("example", {})])))


def _in_address(text: str) -> str:
    """The text in an address or header: percent-encoded, or, as far as it goes, as it is."""
    return "".join(
        one if one.isascii() and one.isalnum() else f"%{byte:02X}"
        for one in text[:300]
        for byte in one.encode("utf-8", "surrogatepass")
    )


@contextmanager
def _sign_in() -> Iterator[Door]:
    """Forms of the page's sign-in, by a server that asks for keys."""
    with _memory() as memory:
        key, _ = memory.keys.create("mei")
        app = create_app(memory)
        app.include_router(login.router)
        with _client(app) as http:

            def enter(make: Maker) -> None:
                fields = [f"key={make.text(key)}"]
                for _ in range(make.draw.choice((0, 1, 11, 2_000))):
                    fields.append(f"{make.text()[:9]}={make.text()[:9]}")
                make.draw.shuffle(fields)
                body = "&".join(fields).encode("utf-8", "surrogatepass")
                kind = make.draw.choice(
                    ("application/x-www-form-urlencoded",) * 3
                    + ("multipart/form-data; boundary=x", "multipart/form-data", "text/plain")
                )
                if "boundary" in kind:
                    parts = [b'--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n', body]
                    body = b"".join([*parts * make.draw.choice((1, 12)), b"\r\n--x--\r\n"])
                headers = {
                    "content-type": kind,
                    "cookie": f"chatmem_page={_in_address(make.text())}",
                }
                if make.draw.random() < 0.2:
                    headers["origin"] = _in_address(make.text(_HERE))
                method = make.draw.choice(("POST", "POST", "POST", "GET"))
                body = make.bytes(body)[: 1 << 20]
                _check_answer(
                    http.request(
                        method, "/ui/login", content=body, headers=headers, follow_redirects=False
                    )
                )

            yield enter


@contextmanager
def _client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=_HERE, client=("127.0.0.1", 50_000)) as client:
        yield client


def _check_answer(answer: Any) -> None:  # noqa: ANN401 - of the client's library
    if answer.status_code == 500 or "Traceback" in answer.text:
        raise AssertionError(f"{answer.status_code} {answer.text[:300]}")


def _check_sentence(error: ChatmemError) -> None:
    if not str(error).strip() or "Traceback" in str(error):
        raise AssertionError("an error that says nothing") from error


DOORS: Final = {
    "import": (_imports, 3),
    "markdown": (_markdown, 5),
    "query": (_queries, 5),
    "rest": (_rest, 5),
    "login": (_sign_in, 2),
}
"""What opens each door, and how many of 20 inputs it gets."""


@dataclass
class Found:
    """What came of a run."""

    inputs: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)
    """Processor seconds of the slowest input of each door."""


def fuzz(count: int, seed: int, doors: tuple[str, ...] = tuple(DOORS)) -> Found:
    """What comes of so many inputs, dealt out to the doors by their shares."""
    found = Found()
    shares = {name: DOORS[name][1] for name in doors}
    for name in doors:
        wanted = count * shares[name] // sum(shares.values())
        for start in range(0, wanted, _RENEWED):
            with ExitStack() as stack:
                door = stack.enter_context(DOORS[name][0]())
                for number in range(start, min(start + _RENEWED, wanted)):
                    _one(found, name, door, f"{seed}/{name}/{number}")
    return found


def _one(found: Found, name: str, door: Door, seed: str) -> None:
    found.inputs[name] += 1
    started = time.process_time()
    try:
        door(Maker(random.Random(seed)))
    except Exception:  # noqa: BLE001 - it is what is looked for
        found.failures.append(f"{seed}: {traceback.format_exc(limit=-4)}")
    took_s = time.process_time() - started
    found.slowest[name] = max(found.slowest.get(name, 0.0), took_s)
    if took_s > MOST_CPU_S:
        found.failures.append(f"{seed}: took {took_s:.1f} s")


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--door", choices=tuple(DOORS), action="append")
    given = parser.parse_args()
    found = fuzz(given.count, given.seed, tuple(given.door or DOORS))
    for failure in found.failures[:_MOST_SHOWN]:
        print(failure)
    slowest = ", ".join(f"{name} {took_s:.2f} s" for name, took_s in found.slowest.items())
    print(f"{sum(found.inputs.values())} inputs {dict(found.inputs)}")
    print(f"slowest (processor time): {slowest}")
    print(f"{len(found.failures)} failures")
    sys.exit(bool(found.failures))


if __name__ == "__main__":
    main()
