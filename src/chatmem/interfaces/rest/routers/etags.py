"""Etags as headers: given with a document, and asked for before one is written.

Source: interfaces.md ("PUT takes `If-Match`"); RFC 9110, 8.8.3 and 13.1.1.
"""

import re
from typing import Annotated, TypeAlias

from fastapi import Header, Response

IfMatch: TypeAlias = Annotated[
    str | None,
    Header(description="The etag of the version that was read; without it any is replaced."),
]
_TAG = re.compile(r'(?:W/)?"([^"]*)"')


def wanted_etag(header: str | None, current: str) -> str | None:
    """The etag that has to be the present one, None where any is good.

    Of several the present one, if it is among them. What a proxy has marked as weak, and an etag
    without its quotation marks, counts as well.
    """
    if header is None or header.strip() == "*":
        return None
    tags = _TAG.findall(header) or [header.strip()]
    return current if current in tags else str(tags[0])


def give_etag(response: Response, etag: str) -> None:
    """Put the etag into the answer's header."""
    response.headers["ETag"] = f'"{etag}"'
