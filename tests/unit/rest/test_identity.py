"""Which requests count as this machine's own while there are no keys."""

import pytest
from starlette.datastructures import Headers

from chatmem.interfaces.rest.identity import is_loopback, refusal_without_keys

OWN = {"host": "localhost:8600"}


def status(client: str | None, **headers: str) -> int | None:
    given = OWN | {name.replace("_", "-"): value for name, value in headers.items()}
    found = refusal_without_keys(client, Headers(given))
    return found.status if found else None


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost", "localhost.", "127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"],
)
def test_names_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "0.0.0.0",
        "::",
        "192.168.1.2",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "2130706433",
    ],
)
def test_names_of_others(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize("client", [None, "192.168.1.2", "::ffff:10.0.0.1", "testclient"])
def test_another_machine_is_refused(client: str | None) -> None:
    assert status(client) == 403


@pytest.mark.parametrize(
    "header", ["forwarded", "x_forwarded_for", "x_forwarded_host", "x_real_ip", "via"]
)
def test_what_a_proxy_passes_on_is_refused(header: str) -> None:
    assert status("127.0.0.1", **{header: "127.0.0.1"}) == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:1", "[::1]:8600", "127.0.0.1:8600"])
def test_a_host_of_this_machine_is_answered(host: str) -> None:
    assert status("127.0.0.1", host=host) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost:x",
        "u@localhost",
        "localhost/x",
        "[::1",
        "a,localhost",
        "[::]",
        "evil.example:8600",
        "127.0.0.1.nip.io",
    ],
)
def test_a_foreign_host_is_misdirected(host: str) -> None:
    assert status("127.0.0.1", host=host) == 421


def test_two_hosts_are_none() -> None:
    headers = Headers(raw=[(b"host", b"localhost"), (b"host", b"localhost")])
    refused = refusal_without_keys("127.0.0.1", headers)
    assert refused is not None and refused.status == 421


@pytest.mark.parametrize(
    "origin", ["http://localhost:8600", "http://127.0.0.1:8600", "https://[::1]:8600"]
)
def test_a_page_of_this_server_may_ask(origin: str) -> None:
    assert status("127.0.0.1", origin=origin) is None


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://evil.example:8600",
        "http://localhost",
        "http://localhost:8601",
        "x://localhost",
        "file://",
    ],
)
def test_another_page_may_not(origin: str) -> None:
    assert status("127.0.0.1", origin=origin) == 403


def test_a_link_from_elsewhere_may_be_followed() -> None:
    assert status("127.0.0.1", sec_fetch_site="cross-site", sec_fetch_mode="navigate") is None
    assert status("127.0.0.1", sec_fetch_site="cross-site", sec_fetch_mode="cors") == 403
    assert status("127.0.0.1", sec_fetch_site="same-origin", sec_fetch_mode="cors") is None
