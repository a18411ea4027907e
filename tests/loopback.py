"""A server on loopback that lives as long as a `with` block."""

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self


class Loopback:
    """Serves on a free port, in a thread of its own."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self._thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:<port>/v1`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Quiet(BaseHTTPRequestHandler):
    """A handler that logs nothing: a test's output is for its failures."""

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def say(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Answers with this."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
