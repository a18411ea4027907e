from collections.abc import Iterator
from datetime import date
from chatmem.extraction.rule_frames import Fact
class ClausesZh:
    def __init__(self, today: date) -> None: ...
    def interrupt(self) -> None: ...
    def facts(self, said: str, plain: str, *, first: bool) -> Iterator[Fact]:
        return iter(())
def freely_zh(said: str, plain: str, today: date) -> Fact | None:
    return None
