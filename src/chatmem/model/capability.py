"""A capability that is not there, and what follows from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Missing:
    """Something a result or a check could not use.

    `what` is a stable word (`vectors`, `full_text`, `embedder`, `document`), `why` a sentence for a
    person that says what happened and what to do about it. `code` is a stable word for the usual
    reasons: `off` by a setting, `renewing` until an index is made again, `failing` just now.
    """

    what: str
    why: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"
