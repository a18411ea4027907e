"""Documents over the wire: MEMORY.md, daily logs, profiles.

Source: interfaces.md (Bodies: "documents as `{"content"}`; a daily entry as `{"entry"}`").
"""

import datetime

from pydantic import ConfigDict, Field

from chatmem.interfaces.rest.models import Answer, Body

ETAG = "5d41402abc4b2a76b9719d911017c592"


class DocumentBody(Body):
    """A document as it shall be."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"content": "# Memory\n\n## Facts\n\n- Lives in Berlin\n"}]}
    )

    content: str


class Document(Answer):
    """A document as it stands, comments included; `etag` is for `If-Match`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"content": "# Memory\n\n## Facts\n\n- Lives in Berlin\n", "etag": ETAG}]
        }
    )

    content: str = Field(description="Empty where nobody has written it yet.")
    etag: str = Field(description="Empty where nobody has written it yet.")


class DailyLog(Document):
    """The log of a day as it stands; empty where there is none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"date": "2026-11-21", "content": "- 09:30 dentist\n", "etag": ETAG}]
        }
    )

    date: datetime.date


class DailyEntry(Body):
    """A note for a day's log."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entry": "Went to the dentist"}]})

    entry: str = Field(min_length=1)


class DailyDays(Answer):
    """A page of the days that have a log, the latest first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"items": ["2026-11-21", "2026-11-19"], "total": 2, "limit": 50, "offset": 0}
            ]
        }
    )

    items: list[datetime.date]
    total: int = Field(ge=0)
    limit: int
    offset: int
