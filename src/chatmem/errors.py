"""Everything that chatmem raises on purpose, in one tree.

    ChatmemError
    ├── InvalidInputError (ValueError)      a value that cannot be used; says which and what fits
    │   ├── SettingError                    a setting: its name, what it got, what it takes
    │   ├── MessageOrderError               messages whose roles do not follow one another
    │   └── BudgetError                     a prompt that its budget cannot hold, and by how much
    ├── MemoryNotFoundError (LookupError)   no such memory, or not yours
    ├── SessionNotFoundError (LookupError)  no such session, or another user's
    ├── TemplateNotFoundError (LookupError) no such persona or scenario; lists those there are
    ├── CircleNotFoundError (LookupError)   no such household or group, or you are not in it
    ├── NotOwnerError (PermissionError)     seen by you, but only its owner may do this
    ├── StaleEtagError (ValueError)         a document has changed since it was read
    ├── NothingToRestoreError (LookupError) the history has no step that can be undone
    ├── ImportFormatError (ValueError)      a file that no importer understands: file, line, reason
    ├── StorageError (OSError)              a file or folder that cannot be read or written
    │   ├── DocumentError                   a Markdown file: its path and what to do
    │   └── DatabaseError                   chatmem.db: its path and what to do
    │       ├── SchemaVersionError          it was written by a newer chatmem
    │       └── LexicalUnavailableError     the full-text index is missing or rejected a query
    └── ProviderError (RuntimeError)        an embedder or a model that was asked for and failed

Every message names what was wrong, where, and what to do. A missing extension, embedder or model is
not an error but a capability: results say what they could not use.
"""


class ChatmemError(Exception):
    """Root of every error that chatmem raises on purpose."""


class InvalidInputError(ChatmemError, ValueError):
    """A value that cannot be used; the message names it and says what fits."""


class SettingError(InvalidInputError):
    """A setting with a value it does not take."""

    def __init__(self, name: str, got: object, takes: str) -> None:
        super().__init__(f"{name}: got {got!r}, takes {takes}")
        self.name = name
        self.got = got
        self.takes = takes


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
    """This user has no such session; it may be another user's."""

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


class SchemaVersionError(DatabaseError):
    """The database was written by a newer chatmem than this one."""


class LexicalUnavailableError(DatabaseError):
    """The full-text index is missing, damaged or rejected a query; search falls back to `LIKE`."""


class ProviderError(ChatmemError, RuntimeError):
    """An embedder or a model that was asked for failed; the message names it."""
