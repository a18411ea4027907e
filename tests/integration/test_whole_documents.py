"""MEMORY.md and the daily logs written whole, and how much of MEMORY.md reaches a prompt."""

from datetime import date

import pytest

from chatmem import MemoryService
from chatmem.errors import InvalidInputError


def test_all_of_a_short_file_reaches_a_prompt(memory: MemoryService) -> None:
    memory.append_memory("Keeps bees")
    memory.append_memory("喜欢乌龙茶")
    reach = memory.main.reach(memory.read_main(), "zh")
    assert (reach.shown, reach.memories) == (2, 2)
    assert 0 < reach.shown_tokens <= reach.tokens < reach.most_shown < reach.most


def test_of_a_long_file_the_beginning_does_as_the_settings_say(memory: MemoryService) -> None:
    memory.config.set({"memory.main_section_tokens": 60, "memory.main_max_tokens": 200})
    text = "# Memory\n\n" + "".join(f"- Book {one} is on the left shelf\n" for one in range(50))
    reach = memory.main.reach(text)
    assert 0 < reach.shown < reach.memories == 50
    assert reach.shown_tokens <= reach.most_shown == 60
    assert reach.tokens > reach.most == 200
    assert memory.list_memories().total == 0


def test_a_day_before_clocks_is_refused(memory: MemoryService) -> None:
    with pytest.raises(InvalidInputError, match="1900"):
        memory.daily_logs.write(date(1800, 1, 1), "- Planted beans")
