"""Everything that chatmem raises on purpose, in one tree.

    ChatmemError
    ├── InvalidInputError (ValueError)      a value that cannot be used; says which and what fits
    │   ├── SettingError                    a setting: its name, what it got, what it takes
    │   │   └── UnknownSettingError         a name that is no setting's; says which was meant
    │   ├── MessageOrderError               messages whose roles do not follow one another
    │   └── BudgetError                     a prompt that its budget cannot hold, and by how much
    ├── MemoryNotFoundError (LookupError)   no such memory, or not yours
    ├── SessionNotFoundError (LookupError)  this user has no such session
    ├── TemplateNotFoundError (LookupError) no such persona or scenario; lists those there are
    ├── CircleNotFoundError (LookupError)   no such household or group, or you are not in it
    ├── ReceiptNotFoundError (LookupError)  no such receipt, or it is too old
    ├── UserNotFoundError (LookupError)     no such user here, or deleted meanwhile
    ├── NotOwnerError (PermissionError)     seen by you, but only its owner may do this
    ├── StaleEtagError (ValueError)         a document has changed since it was read
    ├── WouldForgetError (ValueError)       a text that lacks many memories of its document
    ├── NothingToRestoreError (LookupError) the history has no step that can be undone
    ├── ImportFormatError (ValueError)      a file that no importer understands: file, line, reason
    ├── StorageError (OSError)              a file or folder that cannot be read or written
    │   ├── DocumentError                   a Markdown file: its path and what to do
    │   └── DatabaseError                   chatmem.db: its path and what to do
    │       ├── DataKeyError                it is encrypted, and the key is missing or wrong
    │       ├── DatabaseAwayError           its server cannot be reached right now, or was lost
    │       └── SchemaVersionError          it was written by a newer chatmem
    ├── ReaderWeightsError (RuntimeError)   what the reader has learned is missing or damaged
    ├── ProviderError (RuntimeError)        an embedder or a model that was asked for and failed
    ├── ChatError (RuntimeError)            a turn without a whole answer; says whether it was saved
    │   ├── NoModelError                    no model is configured; says how to configure one
    │   ├── ModelUnavailableError           the model's server is not there, or refuses
    │   ├── ModelTimeoutError (TimeoutError) it was too slow; says where, and the limit
    │   ├── AnswerCutError                  the answer broke off
    │   ├── MalformedAnswerError (ValueError) what came is no answer
    │   └── TurnNotSavedError               the answer is there, and saving it failed
    └── AgentError (RuntimeError)           an agent that cannot go on; says what to do
        ├── PlanError (ValueError)          no plan came that can be used, asked for twice
        └── StepError (ValueError)          no answer for a step came that can be used, twice

Every message names what was wrong, where, and what to do. A missing extension, embedder or model is
not an error but a capability: results say what they could not use.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self


class ChatmemError(Exception):
    """Root of every error that chatmem raises on purpose.

    Where its type does not say what went wrong, `code` is a stable word that does, and `facts` has
    what it is about by name: for whoever says it in another language.
    """

    code: str = ""
    facts: Mapping[str, object] = MappingProxyType({})

    def coded(self, code: str, **facts: object) -> Self:
        """The same error, with its code and its facts."""
        self.code, self.facts = code, facts
        return self


class InvalidInputError(ChatmemError, ValueError):
    """A value that cannot be used; the message names it and says what fits."""


class SettingError(InvalidInputError):
    """A setting with a value it does not take."""

    def __init__(self, name: str, got: object, takes: str) -> None:
        super().__init__(f"{name}: got {got!r}, takes {takes}")
        self.name = name
        self.got = got
        self.takes = takes


class UnknownSettingError(SettingError):
    """A name under which nothing can be set here; `why` says what to write instead."""

    def __init__(self, name: str, why: str = "there is no such setting") -> None:
        super().__init__(name, None, "nothing")
        self.args = (f"{name}: {why}",)


class MessageOrderError(InvalidInputError):
    """Messages whose roles do not follow one another; the message says where."""


class BudgetError(InvalidInputError):
    """A prompt that its budget cannot hold; says what is too large, and by how much."""


class MemoryNotFoundError(ChatmemError, LookupError):
    """No memory with this id exists for this user."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"no memory {memory_id!r} for this user")
        self.memory_id = memory_id


class SessionNotFoundError(ChatmemError, LookupError):
    """This user has no such session."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"no session {session_id!r} for this user; new_session() starts one")
        self.session_id = session_id


class TemplateNotFoundError(ChatmemError, LookupError):
    """No persona or scenario has this name; the message lists those there are."""


class CircleNotFoundError(ChatmemError, LookupError):
    """No household or group with this id has this user in it."""

    def __init__(self, circle_id: str) -> None:
        super().__init__(f"no household or group {circle_id!r} that this user is in")
        self.circle_id = circle_id


class ReceiptNotFoundError(ChatmemError, LookupError):
    """This user has no receipt with this id, or has it no longer."""

    def __init__(self, receipt_id: str) -> None:
        super().__init__(f"no receipt {receipt_id!r} for this user; they are kept for 30 days")
        self.receipt_id = receipt_id


class UserNotFoundError(ChatmemError, LookupError):
    """Nobody of this name has anything here; they may have been deleted meanwhile."""

    def __init__(self, user_id: str) -> None:
        super().__init__(f"no user {user_id!r} here (any more); `chatmem users list` shows who is")
        self.user_id = user_id


class NotOwnerError(ChatmemError, PermissionError):
    """Somebody else's memory, household or document, of which only they may do this."""


class StaleEtagError(ChatmemError, ValueError):
    """A document has changed since it was read; `current` is its text now, `etag` its mark."""

    def __init__(self, path: str, got: str, etag: str, current: str) -> None:
        super().__init__(
            f"{path} has changed since etag {got!r} was read: read it again (now {etag!r}), "
            "bring your change into that text, and send its etag"
        )
        self.path = path
        self.etag = etag
        self.current = current


class WouldForgetError(ChatmemError, ValueError):
    """A document as it was sent lacks memories that it has, and nobody said that this is meant."""


class NothingToRestoreError(ChatmemError, LookupError):
    """The history of this memory holds no step that can be undone."""


class ImportFormatError(ChatmemError, ValueError):
    """A file that the chosen importer cannot read; the message has file, place and reason."""


class StorageError(ChatmemError, OSError):
    """A file or folder that cannot be read or written."""


class DocumentError(StorageError):
    """A Markdown file that cannot be used as it is; the message has its path and what to do."""


class DatabaseError(StorageError):
    """The database cannot be used; the message has its path and what to do."""


class DataKeyError(DatabaseError):
    """The database is encrypted, and the key that would open it is missing or wrong."""


class DatabaseAwayError(DatabaseError):
    """The database's server cannot be reached right now, or was lost; what was asked was not at
    fault, and may be tried again. What was not confirmed may not have been kept.
    """  # noqa: D205


class SchemaVersionError(DatabaseError):
    """The database was written by a newer chatmem than this one."""


class ReaderWeightsError(ChatmemError, RuntimeError):
    """What the reader of messages has learned is missing, damaged or of another version.

    Nothing is extracted until it is there again; everything else works.
    """


class ProviderError(ChatmemError, RuntimeError):
    """An embedder or a model that was asked for failed; the message names it."""


class ChatError(ChatmemError, RuntimeError):
    """A turn without a whole answer, or one that could not be saved.

    `saved` says whether the turn was saved, and so does the message; `text` is what came of the
    answer.
    """

    def __init__(self, problem: str, *, saved: bool = False, text: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.saved = saved
        self.text = text

    def __str__(self) -> str:
        if self.saved:
            return f"{self.problem}; the turn was saved with what came of the answer"
        return f"{self.problem}; the turn was not saved"


class NoModelError(ChatError):
    """No model is configured; the message says how to configure one."""


class ModelUnavailableError(ChatError):
    """The model's server is not there or refuses; `status` is its answer, None without one."""

    def __init__(
        self, problem: str, *, status: int | None = None, saved: bool = False, text: str = ""
    ) -> None:
        super().__init__(problem, saved=saved, text=text)
        self.status = status


class ModelTimeoutError(ChatError, TimeoutError):
    """The model's server was too slow; the message says in what, and the limit."""


class AnswerCutError(ChatError):
    """The answer broke off before its end."""


class MalformedAnswerError(ChatError, ValueError):
    """What came is no answer that can be used."""


class TurnNotSavedError(ChatError):
    """The answer is there, in `text`, and saving the turn failed; `__cause__` says why."""


class AgentError(ChatmemError, RuntimeError):
    """An agent that cannot go on as it is asked to; the message says what to do."""


class PlanError(AgentError, ValueError):
    """A model's plan that cannot be used, asked for twice; `answer` is what came last."""

    def __init__(self, problem: str, answer: str = "") -> None:
        super().__init__(
            f"the model gave no plan that can be used, asked twice ({problem}): ask again, or "
            "choose a model that can answer in JSON"
        )
        self.problem = problem
        self.answer = answer


class StepError(AgentError, ValueError):
    """A model's answer for a step that cannot be used, asked for twice; the step stays open."""

    def __init__(self, problem: str, answer: str = "") -> None:
        super().__init__(
            f"the model gave no answer that can be used, asked twice ({problem}): the step is "
            "still open, carry it out again, or choose a model that can answer in JSON"
        )
        self.problem = problem
        self.answer = answer
