"""Which part of a list a client asks for."""

from typing import Annotated, Final, TypeAlias

from fastapi import Query

MOST: Final = 1_000
_FAR: Final = 1 << 53

Limit: TypeAlias = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Offset: TypeAlias = Annotated[int, Query(ge=0, le=_FAR, description="How many to skip.")]
