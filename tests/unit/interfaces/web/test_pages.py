"""What the page explains to its visitor is no error of the server."""

import logging

import pytest

from chatmem.errors import InvalidInputError
from chatmem.interfaces.web.pages import LOGGER, is_unexpected
from chatmem.interfaces.web.visit import SignedOutError


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (InvalidInputError("importance: got 9, takes 1 to 5"), 0),
        (SignedOutError(), 0),
        (RuntimeError("nobody expected this"), 1),
    ],
)
def test_only_what_nobody_expected_is_logged(
    caplog: pytest.LogCaptureFixture, error: Exception, logged: int
) -> None:
    logging.getLogger(LOGGER).addFilter(is_unexpected)
    with caplog.at_level(logging.ERROR, LOGGER):
        try:
            raise error
        except Exception as raised:
            logging.getLogger(LOGGER).exception(raised)
    assert len(caplog.records) == logged
