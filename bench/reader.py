"""How the reader does on labelled messages, by the words that a memory has to hold.

    python bench/reader.py FILE ...            # messages with facts, as in tests/data/extraction
    python bench/reader.py --updates FILE ...  # pairs of messages, told through the product
    python bench/reader.py --style FILE ...    # sentences for the profile, with their slot
    python bench/reader.py --secrets FILE ...  # none in any file or table but the conversation
    python bench/reader.py --chats FILE ...    # every memory of sample chats, for somebody to read
    python bench/reader.py --cost FILE ...     # milliseconds a message, and of hostile ones

A memory is right if it holds a word of every group of a fact; a fact is told if a memory does so.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from chatmem import MemoryService, Settings
from chatmem.extraction.extractor import NewMessage, candidates_of, profile_slot
from chatmem.extraction.reader.reading import (
    LOOKS,
    READ,
    SUSPECTED,
    question_before,
)
from chatmem.extraction.reader.tokens import fold, network, tokens_of
from chatmem.extraction.redact import mask_secrets
from chatmem.model import AtomicMemoryRecord
from chatmem.text.languages import simplify

AT = datetime(2026, 5, 14, 12, tzinfo=UTC)
AT_ONCE = {"extract_interval_seconds": 0.0, "min_new_messages": 1}


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def plain(text: str) -> str:
    """The text as it is compared."""
    return simplify(text).casefold()


def holds(content: str, must: list[list[str]]) -> bool:
    """Whether a word of every group stands in it."""
    said = plain(content)
    return all(any(plain(word) in said for word in group) for group in must)


def messages(path: Path, show: bool) -> None:
    """Precision and recall over messages, and how often something is kept where nothing is."""
    found = right = facts = told = empty = stored = masked = 0
    for row in rows(path):
        at = datetime.fromisoformat(row["at"]) if "at" in row else AT
        said = mask_secrets(row["message"], reading=True)
        masked += bool(said.kinds)
        kept = [
            one.content
            for one in candidates_of(NewMessage(role="user", content=said.text, at=at))
            if one.wish == "remember"
        ]
        wanted = [one["must"] for one in row["facts"] if one.get("wish") != "forget"]
        good = [one for one in kept if any(holds(one, must) for must in wanted)]
        missed = [must for must in wanted if not any(holds(one, must) for one in kept)]
        found, right = found + len(kept), right + len(good)
        facts, told = facts + len(wanted), told + len(wanted) - len(missed)
        empty += not wanted
        stored += not wanted and bool(kept)
        if show and (len(good) < len(kept) or missed):
            wrong = [one for one in kept if one not in good]
            print(f"  {row['message'][:120]!r} NOT {wrong} MISSED {missed}")
    print(
        f"{path.name}: precision {right / max(found, 1):.3f} ({right} of {found}), "
        f"recall {told / max(facts, 1):.3f} ({told} of {facts}), "
        f"something kept in {stored} of {empty} that hold nothing ({stored / max(empty, 1):.1%}), "
        f"something masked in {masked}"
    )


def turns_in(value: object) -> Iterator[tuple[str, str]]:
    """What a person said and what the assistant had said before, in a file of sample chats."""
    before = ""
    if isinstance(value, dict) and "conversation_list" in value:
        for one in value["conversation_list"]:
            if one["sender"].startswith("user"):
                yield one["content"], before
            before = one["content"]
    elif isinstance(value, dict) and {"query", "response"} <= value.keys():
        yield value["query"], ""
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from turns_in(one)


def chats(path: Path) -> None:
    """Every memory, with the message that it was made of."""
    said = kept = 0
    for message, before in turns_in(json.loads(path.read_text(encoding="utf-8"))):
        said += 1
        content = mask_secrets(message, reading=True).text
        question = question_before(before, content)
        for one in candidates_of(
            NewMessage(role="user", content=content, at=AT, question=question)
        ):
            kept += 1
            print(f"  {message!r}: {one.content}")
    print(f"{path.name}: {kept} memories of {said} messages")


def told(memory: MemoryService, user: str, *said: str) -> list[AtomicMemoryRecord]:
    """The long-term memories after these messages, weeks between them."""
    mine = memory.for_user(user)
    at = datetime.now(UTC) - timedelta(days=90)
    for one in said:
        at += timedelta(days=20)
        mine.save_conversation_turn(one, "OK", "s1", now=at)
        memory.wait_until_idle(now=at)
    return list(mine.list_memories(limit=1000, state="all").items)


def has(record: AtomicMemoryRecord, words: str) -> bool:
    """Whether one of the words stands in the memory."""
    said = plain(f"{record.content} {record.value}")
    return any(plain(word) in said for word in words.split("|"))


def updates(memory: MemoryService, path: Path, show: bool) -> None:
    """What became of the older statement and of the newer one."""
    right: dict[str, int] = {}
    count: dict[str, int] = {}
    unread = wrongly = 0
    for row in rows(path):
        records = told(memory, f"{path.stem}-{row['id']}", row["before"], row["after"])
        valid = [one for one in records if one.is_valid]
        ended = [one for one in records if not one.is_valid and has(one, row["old"])]
        old_stays = any(has(one, row["old"]) for one in valid)
        new_holds = any(has(one, row["new"]) for one in valid)
        relation = row["relation"]
        is_right = {
            "replaces": bool(ended) and new_holds,
            "ends": bool(ended),
            "same": len(valid) == 1,
            "independent": old_stays and new_holds,
        }[relation]
        unread += not is_right and not any(has(one, row["old"]) for one in records)
        wrongly += relation == "independent" and any(not one.is_valid for one in records)
        right[relation] = right.get(relation, 0) + is_right
        count[relation] = count.get(relation, 0) + 1
        if show and not is_right:
            left = [(one.content, one.is_valid) for one in records]
            print(f"  {relation}: {row['before']!r} / {row['after']!r}: {left}")
    each = ", ".join(f"{name} {right[name]} of {count[name]}" for name in sorted(count))
    total = sum(count.values())
    print(
        f"{path.name}: {sum(right.values()) / total:.1%} of {total} settled right ({each}); "
        f"first statement not read in {unread}; wrong retirements {wrongly}"
    )


def style(path: Path, show: bool) -> None:
    """Sentences that give the profile a line of their slot."""
    all_rows = rows(path)
    right = 0
    for row in all_rows:
        found = candidates_of(NewMessage(role="user", content=row["message"], at=AT))
        said = [(slot, one.content) for one in found if (slot := profile_slot(one))]
        is_right = row["slot"] in dict(said)
        right += is_right
        if show and not is_right:
            print(f"  {row['message']!r} ({row['slot']}): {said}")
    print(f"{path.name}: {right} of {len(all_rows)} ({right / len(all_rows):.1%})")


def derived(memory: MemoryService, data: Path) -> Iterator[tuple[str, str]]:
    """Every text that was derived from a conversation: where it stands, and the text."""
    for file in data.rglob("*.md"):
        yield str(file), file.read_text(encoding="utf-8")
    for session in memory.sessions.list(limit=1000).items:
        summary = memory.sessions.summary(session.session_id)
        yield "title", session.title or ""
        yield "summary", f"{summary.title} {summary.snippet}" if summary else ""
        working = memory.sessions.working_memory(session.session_id)
        yield "working memory", repr(working)
    for one in memory.list_memories(limit=1000, state="all").items:
        if one.memory_type == "long_term":
            yield "memory", f"{one.content} {one.value} {one.key} {one.tags}"


def secrets(path: Path, show: bool) -> None:
    """Secrets that stand in anything but the conversation itself."""
    all_rows = rows(path)
    out: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        settings = Settings(memory=AT_ONCE)
        with MemoryService.open(data, settings=settings, background=False) as memory:
            for number, row in enumerate(all_rows):
                memory.save_conversation_turn(row["message"], "Noted.", f"s{number}")
                memory.wait_until_idle()
                memory.sessions.end(f"s{number}")
            memory.wait_until_idle()
            texts = list(derived(memory, data))
        for row in all_rows:
            for secret in row["secrets"]:
                places = sorted({place for place, text in texts if secret in text})
                if places:
                    out.append(row["id"])
                    if show:
                        print(f"  {row['message']!r}: {secret!r} in {places}")
    print(f"{path.name}: secrets of {len(set(out))} of {len(all_rows)} messages stand elsewhere")


HOSTILE: Final = (
    "a@",
    "我",
    "，",
    "x",
    "((",
    "1 ",
    "word ",
    "我住在北京，",
    "我的密码是a1b2c3，",
    "pin 4711 ",
)
HOSTILE_CHARS: Final = 8_000


def cost(path: Path) -> None:
    """CPU time of all that is done to a message, beside that of its vectors; then hostile ones."""
    said = [row["message"] for row in rows(path)]
    spent(said[0])  # what is loaded once

    def vectors(message: str) -> None:
        folded = fold(message)
        tokens = tokens_of(folded)
        (meaning,) = network().read([(folded, tokens.places)])
        stretches = [(0, len(tokens)), *pairwise(tokens.edges.tolist())]
        network().vectors([(meaning, *one) for one in stretches])

    began = time.process_time()
    for one in said:
        vectors(one)
    of_vectors = (time.process_time() - began) / len(said)
    whole = sum(map(spent, said)) / len(said)
    print(
        f"{path.name}: masked and read in {whole * 1e3:.1f} ms a message, "
        f"{of_vectors * 1e3:.1f} of them its vectors"
    )
    for sign in HOSTILE:
        message = (sign * HOSTILE_CHARS)[:HOSTILE_CHARS]
        print(f"  {HOSTILE_CHARS} characters of {sign!r}: {spent(message) * 1e3:.0f} ms")


def spent(message: str) -> float:
    """Seconds of CPU time to mask a message and to read it, as if none had been read before."""
    for recent in (SUSPECTED, READ, LOOKS):
        recent.cache_clear()
    began = time.process_time()
    content = mask_secrets(message, reading=True).text
    candidates_of(NewMessage(role="user", content=content, at=AT))
    return time.process_time() - began


def main() -> int:
    """0, when all files are read."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--updates", action="store_true")
    parser.add_argument("--style", action="store_true")
    parser.add_argument("--secrets", action="store_true")
    parser.add_argument("--chats", action="store_true")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--show", action="store_true", help="what is wrong, too")
    given = parser.parse_args()
    if given.updates:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(memory={**AT_ONCE, "scan_interval_seconds": 3600.0})
            with MemoryService.open(folder, settings=settings, background=False) as memory:
                for path in given.files:
                    updates(memory, path, given.show)
        return 0
    for path in given.files:
        if given.style:
            style(path, given.show)
        elif given.secrets:
            secrets(path, given.show)
        elif given.chats:
            chats(path)
        elif given.cost:
            cost(path)
        else:
            messages(path, given.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
