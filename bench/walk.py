"""The files that a message enters on its whole way.

It is saved, embedded, read, settled and written; then it is searched for, and a prompt composed.

    python bench/walk.py [--list]

Counts files of the package in which a function runs (not what is only imported), in every thread.
"""

import argparse
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import chatmem
from chatmem import ChatContextBuilder, MemoryService, Settings

PACKAGE = Path(chatmem.__file__).parent
SAID = "I live in Lisbon and my sister Ana is allergic to peanuts."
QUESTION = "What must I not cook for my sister?"


def walk(folder: Path) -> Counter[str]:
    """How often each file of the package is entered, by its path in the package."""
    entered: Counter[str] = Counter()
    root = f"{PACKAGE}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name != "<module>":
            entered[code.co_filename.removeprefix(root)] += 1

    memory_settings = {"extract_interval_seconds": 0.0, "min_new_messages": 1}
    with MemoryService.open(
        folder, settings=Settings(memory=memory_settings), background=False
    ) as memory:
        memory.warm_up()
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            memory.save_conversation_turn(SAID, "I'll keep that in mind.", "s1")
            memory.wait_until_idle()
            memory.search_memories("peanuts")
            ChatContextBuilder(memory).build_messages(QUESTION, "s2")
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return entered


def main() -> None:
    """Print how many files there are, and with --list which."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--list", action="store_true", help="each file and its calls")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entered = walk(Path(folder))
    if given.list:
        for name, times in sorted(entered.items()):
            print(f"{times:7} {name}")
    print(f"{len(entered)} files, {sum(entered.values()):,} calls")


if __name__ == "__main__":
    main()
