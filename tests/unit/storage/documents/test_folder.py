import hashlib
import os
import signal
import stat
import threading
import time
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import run_python, some

from chatmem.errors import DocumentError, InvalidInputError
from chatmem.storage.documents.folder import LOCK_FILE, TEMPORARY, DocumentFolder
from chatmem.storage.documents.places import SKELETONS, folder_name
from chatmem.storage.documents.ports import DocumentChangedError, DocumentStore, StoredDocument

MAIN = "MEMORY.md"


def read(folder: DocumentStore, path: str = MAIN) -> StoredDocument:
    return some(folder.read(path))


def leftovers(folder: DocumentFolder) -> list[Path]:
    return list(folder.root.rglob(f"*{TEMPORARY}"))


def test_initialise_keeps_what_is_there_and_clears_part_writes(folder: DocumentFolder) -> None:
    folder.write(MAIN, "- mine\n")
    (folder.root / "daily" / f".x{TEMPORARY}").write_text("half")
    folder.initialise()
    assert read(folder).text == "- mine\n"
    assert leftovers(folder) == []


def test_what_is_written_is_read_back_byte_for_byte(folder: DocumentFolder) -> None:
    text = "\ufeff# 記憶\r\n\r\n- 乌龙茶 🍵\r\n"
    written = folder.write("daily/2026-11-21.md", text)
    assert folder.read("daily/2026-11-21.md") == written
    assert (folder.root / "daily/2026-11-21.md").read_bytes() == text.encode()
    assert written.etag == hashlib.sha256(text.encode()).hexdigest()[:32]
    assert leftovers(folder) == []


def test_stamps_list_documents_only_and_tell_of_changes(folder: DocumentFolder) -> None:
    folder.write("daily/2026-11-21.md", "- a\n")
    folder.write("archive/2026-11.md", "- b\n")
    folder.write("USER.md", "me\n")
    for stray in ("notes.md", "daily/draft.md", ".MEMORY.md.swp"):
        (folder.root / stray).write_text("x")
    before = folder.stamps()
    assert set(before) == {MAIN, "daily/2026-11-21.md", "archive/2026-11.md", "USER.md"}
    assert before[MAIN] == folder.stamp(MAIN) == read(folder).stamp
    (folder.root / MAIN).write_text("- changed\n")
    os.utime(folder.root / "USER.md")
    after = folder.stamps()
    assert {path for path in after if after[path] != before[path]} == {MAIN, "USER.md"}


def test_a_change_that_keeps_size_and_time_is_still_seen(folder: DocumentFolder) -> None:
    file = folder.root / MAIN
    before = folder.write(MAIN, "- one\n").stamp
    time.sleep(0.02)  # the file system's clock ticks every few milliseconds
    file.write_text("- two\n")
    os.utime(file, ns=(before.modified_ns, before.modified_ns))
    assert folder.stamps()[MAIN] != before


def test_a_missing_document_is_none_and_removing_it_is_no_error(folder: DocumentFolder) -> None:
    folder.remove(MAIN)
    folder.remove(MAIN)
    assert folder.read(MAIN) is None
    assert folder.stamp(MAIN) is None
    assert folder.stamps() == {}


def test_a_write_over_a_version_not_read_is_refused(folder: DocumentFolder) -> None:
    mine = read(folder)
    (folder.root / MAIN).write_text("- an editor was faster\n")
    with pytest.raises(DocumentChangedError, match="read it again"):
        folder.write(MAIN, "- mine\n", over=mine)
    assert read(folder).text == "- an editor was faster\n"
    assert leftovers(folder) == []
    folder.write(MAIN, "- both\n", over=read(folder))
    assert read(folder).text == "- both\n"


def test_an_edit_right_behind_the_rename_is_not_taken_for_ours(
    folder: DocumentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.replace

    def rename_and_edit(source: Path, target: Path) -> None:
        rename(source, target)
        target.write_text("- an editor was as fast\n")

    monkeypatch.setattr(os, "replace", rename_and_edit)
    ours = folder.write(MAIN, "- ours\n")
    assert folder.stamp(MAIN) != ours.stamp
    with pytest.raises(DocumentChangedError):
        folder.write(MAIN, "- ours again\n", over=ours)


def test_a_file_that_was_replaced_is_open_while_somebody_looks_at_it(
    folder: DocumentFolder,
) -> None:
    folder.write(MAIN, "- new\n", over=read(folder))
    (looked_at,) = [one for one in folder._replaced.values() if folder.root in one.file.parents]
    folder.close()
    assert not looked_at.late()


def test_mode_of_a_file_stays(folder: DocumentFolder) -> None:
    (folder.root / MAIN).chmod(0o640)
    folder.write(MAIN, "- x\n")
    assert stat.S_IMODE((folder.root / MAIN).stat().st_mode) == 0o640


def test_a_linked_memory_file_stays_a_link(folder: DocumentFolder, tmp_path: Path) -> None:
    target = tmp_path / "synchronised" / "notes.md"
    target.parent.mkdir()
    target.write_text("- elsewhere\n")
    folder.remove(MAIN)
    (folder.root / MAIN).symlink_to(target)
    now = read(folder)
    assert now.text == "- elsewhere\n"
    folder.write(MAIN, "- written\n", over=now)
    assert (folder.root / MAIN).is_symlink()
    assert target.read_text() == "- written\n"
    assert os.listdir(target.parent) == ["notes.md"]


@pytest.mark.parametrize(
    "path",
    [
        *("memory.md", "notes.md", "daily/notes.md", "daily/2026-02-30.md", "archive/2026-13.md"),
        *("../MEMORY.md", "daily/../MEMORY.md", "/etc/passwd", ".MEMORY.md.ab12.chatmem-tmp"),
        *(".lock", "MEMORY.md\n", "users/x/MEMORY.md", "daily/２０２６-11-21.md"),
    ],
)
def test_other_paths_are_refused(folder: DocumentFolder, path: str) -> None:
    with pytest.raises(InvalidInputError, match="no memory document"):
        folder.read(path)
    with pytest.raises(InvalidInputError, match="no memory document"):
        folder.write(path, "x")


def test_text_that_utf8_cannot_carry_is_refused(folder: DocumentFolder) -> None:
    with pytest.raises(InvalidInputError, match=r"MEMORY\.md: .*surrogate"):
        folder.write(MAIN, "half \ud83d")
    assert read(folder).text == SKELETONS[MAIN]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"- caf\xe9\n"), "byte 5 is 0xe9; save it as UTF-8"),
        (os.mkfifo, "is no file"),  # which does not block
        (lambda file: file.symlink_to(file.with_name("gone")), "link to nothing"),
        (lambda file: file.symlink_to(file), "symbolic links"),
    ],
    ids=["not UTF-8", "pipe", "link to nothing", "circle of links"],
)
def test_what_cannot_be_read_is_named(
    folder: DocumentFolder, spoil: Callable[[Path], object], said: str
) -> None:
    folder.remove(MAIN)
    spoil(folder.root / MAIN)
    with pytest.raises(DocumentError, match=said) as caught:
        folder.read(MAIN)
    assert str(folder.root / MAIN) in str(caught.value)


def test_a_circle_of_links_cannot_be_listed(folder: DocumentFolder) -> None:
    (folder.root / "USER.md").symlink_to(folder.root / "USER.md")
    with pytest.raises(DocumentError, match="symbolic links"):
        folder.stamps()


CHILD = """
import os, resource, signal, sys
from pathlib import Path
from chatmem.errors import DocumentError
from chatmem.storage.documents.folder import DocumentFolder
folder = DocumentFolder(Path(sys.argv[1]))
"""
CUT_SHORT = """
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    folder.write("MEMORY.md", "- new\\n" * 10_000)
except DocumentError as error:
    print(error)
"""
KILLED = """
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with folder.lock():
    folder.write("MEMORY.md", "- new\\n")
"""


def test_a_write_that_the_system_cuts_short_leaves_the_old_file(folder: DocumentFolder) -> None:
    folder.write(MAIN, "- old\n")
    # A limit on the size of files stops the write in its middle, as a full disk does, for root too.
    done = run_python(CHILD + CUT_SHORT, str(folder.root))
    assert "MEMORY.md: File too large; free some space" in done.stdout, done.stderr
    assert read(folder).text == "- old\n"
    assert leftovers(folder) == []


def test_a_process_killed_before_the_rename_leaves_the_old_file(folder: DocumentFolder) -> None:
    folder.write(MAIN, "- old\n")
    done = run_python(CHILD + KILLED, str(folder.root))
    assert done.returncode == -signal.SIGKILL
    assert read(folder).text == "- old\n"
    assert len(leftovers(folder)) == 1
    folder.initialise()  # the lock died with its process, and what was left is cleared
    assert leftovers(folder) == []


def test_a_held_lock_times_out_with_the_name_of_the_lock(folder: DocumentFolder) -> None:
    waiting = DocumentFolder(folder.root, lock_timeout_s=0.1)
    error = pytest.raises(DocumentError, match="held by another writer")
    with folder.lock(), ThreadPoolExecutor() as pool, error as caught:
        pool.submit(enter, waiting).result()
    assert str(folder.root / LOCK_FILE) in str(caught.value)
    enter(waiting)


def enter(folder: DocumentFolder) -> None:
    with folder.lock():
        pass


def test_the_lock_may_be_nested_and_is_free_again_after_an_error(folder: DocumentFolder) -> None:
    with pytest.raises(ZeroDivisionError), folder.lock(), folder.lock():
        raise ZeroDivisionError
    with ThreadPoolExecutor() as pool:
        pool.submit(enter, folder).result(timeout=5)


def test_readers_never_see_half_a_document(folder: DocumentFolder) -> None:
    texts = {letter * 200_000 + "\n" for letter in "ab"}
    folder.write(MAIN, min(texts))
    stop = threading.Event()
    with ThreadPoolExecutor() as pool:

        def write_on() -> None:
            while not stop.is_set():
                for text in texts:
                    folder.write(MAIN, text)

        writing = pool.submit(write_on)
        seen = {read(folder).text for _ in range(200)}
        stop.set()
        writing.result()
    assert seen <= texts


@pytest.mark.parametrize(
    ("user_id", "name"),
    [
        ("alice", "alice"),
        ("a.b-c_D9", "a.b-c_D9"),
        ("alice@example.org", "alice%40example.org"),
        ("小明", "%E5%B0%8F%E6%98%8E"),
        (".", "%2E"),
        ("..", "%2E%2E"),
        ("../../etc", "%2E.%2F..%2Fetc"),
        ("a\x00b", "a%00b"),
        ("100%", "100%25"),
        ("CON", "%43ON"),
        ("nul.txt", "%6Eul.txt"),
    ],
)
def test_user_ids_become_safe_names_and_come_back(user_id: str, name: str) -> None:
    assert folder_name(user_id) == name
    assert unquote(name, errors="strict") == user_id


def test_long_ids_become_short_different_names() -> None:
    names = {folder_name("记" * 500 + end) for end in "ab"}
    assert len(names) == 2
    assert all(len(name) <= 120 for name in names)


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_names_stay_in_their_folder_and_differ_as_the_ids_do(one: str, two: str) -> None:
    first, second = folder_name(one), folder_name(two)
    assert Path("x", first).resolve().parent == Path("x").resolve()
    are_equal = unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", two)
    assert (first == second) == are_equal
