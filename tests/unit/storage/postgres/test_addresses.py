"""Addresses that are mistyped: one message, what to do, and never the password."""

import psycopg
import pytest

from chatmem.errors import DatabaseAwayError, DatabaseError
from chatmem.storage.postgres.advice import explained
from chatmem.storage.postgres.database import PostgresDatabase


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://mei:gehe/im@127.0.0.1:1/chat",
        "postgresql://mei:gehe@im@127.0.0.1:1/chat",
        "postgresql://mei:gehe im@127.0.0.1:1/chat",
        "postgresql://mei:gehe%zzim@127.0.0.1:1/chat",
        "postgresql://mei:geheim@127.0.0.1:1x2/chat",
        "postgresql://mei:geheim@127.0.0.1:1/chat?sslmod=require",
        "postgresql://mei:geheim@[::1/chat",
    ],
)
def test_an_address_that_is_misread_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(DatabaseError, match=r"cannot be read .*percent-encoded") as caught:
        PostgresDatabase(address)

    assert not any(part in str(caught.value) for part in ("gehe", "im@", "mei"))
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ('FATAL:  password authentication failed for user "mei"', "the user or the password"),
        ("fe_sendauth: no password supplied", "the user or the password"),
        ('FATAL:  role "mei" does not exist', "the user or the password"),
        ('FATAL:  database "chat" does not exist', "no such database"),
        (
            'FATAL:  no pg_hba.conf entry for host "::1", user "mei", database "chat"',
            "pg_hba.conf, or GRANT CONNECT",
        ),
        ('FATAL:  permission denied for database "chat"', "GRANT CONNECT"),
        ("server does not support SSL, but SSL was required", "check sslmode"),
        ('connection is bad: invalid sslmode value: "maybe"', "mend the one that is named"),
    ],
)
def test_what_a_server_says_to_who_wants_in_has_its_advice(said: str, advice: str) -> None:
    error = explained("postgresql://mei@host/chat", psycopg.OperationalError(said))

    assert advice in str(error)
    assert not isinstance(error, DatabaseAwayError)


@pytest.mark.parametrize(
    "said",
    [
        "connection to server failed: Connection refused",
        "consuming input failed: SSL SYSCALL error: EOF detected",
        "FATAL:  the database system is starting up",
        "FATAL:  sorry, too many clients already",
    ],
)
def test_a_server_that_may_be_there_again_soon_is_told_from_one_that_refuses(said: str) -> None:
    error = explained("postgresql://mei@host/chat", psycopg.OperationalError(said))

    assert isinstance(error, DatabaseAwayError)
    assert "try again" in str(error) or "raise max_connections" in str(error)
