"""What the engine asks of a store. `sqlite/` answers it on one file, `postgres/` on a server.

Rows are counted up from 0 within their owner; arrays of rows hold these numbers. Everything that
writes is called inside `Store.transaction()`. What is done in one transaction, or read in one
snapshot, is done for one user, the first that is named in it: a store may show it no more than that
user may see.
"""

from chatmem.storage.ports.browsing import Added, BrowsingTable
from chatmem.storage.ports.documents import DocumentTable, ProfileTable, SettingTable
from chatmem.storage.ports.indexes import DenseIndex, LexicalIndex
from chatmem.storage.ports.memories import HistoryTable, MemoryTable
from chatmem.storage.ports.people import PeopleTable, SharedRows
from chatmem.storage.ports.sessions import (
    ConversationTable,
    Extraction,
    ExtractionTable,
    Job,
    JobTable,
    Lease,
    OpenTurn,
    SessionTable,
    StoredMessage,
    SummaryTable,
    WorkingTable,
)
from chatmem.storage.ports.store import Store
from chatmem.storage.ports.values import (
    ROW_DTYPE,
    KnownDocument,
    Owner,
    Place,
    Postings,
    Rows,
    RowState,
    Vector,
    Vectors,
)

__all__ = [
    "ROW_DTYPE",
    "Added",
    "BrowsingTable",
    "ConversationTable",
    "DenseIndex",
    "DocumentTable",
    "Extraction",
    "ExtractionTable",
    "HistoryTable",
    "Job",
    "JobTable",
    "KnownDocument",
    "Lease",
    "LexicalIndex",
    "MemoryTable",
    "OpenTurn",
    "Owner",
    "PeopleTable",
    "Place",
    "Postings",
    "ProfileTable",
    "RowState",
    "Rows",
    "SessionTable",
    "SettingTable",
    "SharedRows",
    "Store",
    "StoredMessage",
    "SummaryTable",
    "Vector",
    "Vectors",
    "WorkingTable",
]
