"""One router for each resource; `ROUTERS` are all of them, in the order of the documentation."""

from fastapi import APIRouter

ROUTERS: tuple[APIRouter, ...] = ()
