"""Numbers and times as a visitor writes them, in the zone of the server."""

from datetime import datetime
from typing import Final

from chatmem.interfaces.web.words import Words

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun",
                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # fmt: skip


def counted(words: Words, name: str, count: int, **values: object) -> str:
    """`3 messages`, `1 message`: the text `name`, or `name_one` for a single one."""
    chosen = f"{name}_one" if count == 1 else name
    return words(chosen, count=f"{count:,}", **values)


def day(words: Words, moment: datetime) -> str:
    """`21 Nov 2026`, `2026年11月21日`."""
    local = moment.astimezone()
    if words.language == "en":
        return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"
    return f"{local.year}年{local.month}月{local.day}日"


def clock(moment: datetime) -> str:
    """`14:05`."""
    return f"{moment.astimezone():%H:%M}"


def day_and_clock(words: Words, moment: datetime) -> str:
    """`21 Nov 2026, 14:05`, `2026年11月21日 14:05`."""
    between = ", " if words.language == "en" else " "
    return f"{day(words, moment)}{between}{clock(moment)}"
