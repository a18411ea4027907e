"""Whether each scenario's tests fail when what the scenario says is broken.

    python bench/mutations.py                  all of them, two at once (about 8 minutes)
    python bench/mutations.py S5.3.1 S3        those of a scenario, of a specification
    python bench/mutations.py --postgres       each test on PostgreSQL too

`mutations.toml` beside this file is the catalogue: by scenario, what is broken in words, the text
in a file of `src/chatmem`, which occurs there once, the text in its place, and the tests that must
fail then. A mutation is applied to a copy of `src` in a temporary folder, which the tests import
from; the tree itself is not written to. A test that fails by an import, a syntax or a type error
has met a mutation that is none, and catches nothing.
"""

import argparse
import compileall
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

import fastapi.testclient  # noqa: F401 - for the processes of tests
import httpx  # noqa: F401
import hypothesis  # noqa: F401
import mcp.server  # noqa: F401
import numpy  # noqa: F401
import psycopg_pool  # noqa: F401
import pytest
import typer  # noqa: F401
import uvicorn  # noqa: F401

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
sys.path.append(str(ROOT / "docs"))

import pages  # noqa: E402 - docs/ is no package

FORKS = multiprocessing.get_context("fork")
"""A test's process begins with the packages that all tests need, which take longest to import."""
CATALOGUE = Path(__file__).with_suffix(".toml")
TIMEOUT_S = 240
"""A browser's tests take a minute on a machine that is busy."""
NOT_RUN = "not run"
DEFECTS = ("(ImportError", "(SyntaxError", "(NameError", "(AttributeError", "(TypeError", NOT_RUN)
"""A program with one of these is broken as such, and not in what a scenario says."""


class Given(argparse.Namespace):
    """What the command line says."""

    ids: list[str]
    postgres: bool
    at_once: int


@dataclass(frozen=True)
class Mutation:
    """One behaviour of a scenario, broken: `old` in `file` becomes `new`, and `by` must fail."""

    scenario: str
    breaks: str
    file: str
    old: str
    new: str
    by: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file in the tree."""
        return SOURCE / "chatmem" / self.file

    @property
    def text(self) -> str:
        """The file with the mutation in it."""
        return self.path.read_text("utf-8").replace(self.old, self.new)

    @property
    def misfit(self) -> str | None:
        """Why it cannot be applied, None where it can."""
        found = self.path.read_text("utf-8").count(self.old) if self.path.is_file() else 0
        if found != 1:
            return f"{self.scenario}: {self.file} has {found} times, not once: {self.old!r}"
        return None if self.new != self.old else f"{self.scenario}: {self.old!r} stays as it is"

    @property
    def tests(self) -> list[str]:
        """The tests that must fail, as pytest takes them; each carries the scenario's id."""
        return [where for one in self.by if (where := carriers().get((self.scenario, one)))]


@cache
def carriers() -> Mapping[tuple[str, str], str]:
    """Where each test stands that carries a scenario, by the scenario and its own name."""
    return {
        (one.scenario, one.test): f"{one.path.relative_to(ROOT)}::{one.test}"
        for one in pages.carriers()
    }


@dataclass(frozen=True)
class Outcome:
    """What came of a mutation: whether its tests caught it, and how, in words."""

    mutation: Mutation
    caught: bool
    how: str


def catalogue() -> list[Mutation]:
    """Every mutation, in the order of the file."""
    tables = tomllib.loads(CATALOGUE.read_text("utf-8"))
    return [
        Mutation(
            scenario,
            breaks=one["breaks"],
            file=one["file"],
            old=one["old"],
            new=one["new"],
            by=(one["by"],) if isinstance(one["by"], str) else tuple(one["by"]),
        )
        for scenario, mutations in tables.items()
        if isinstance(mutations, list)
        for one in mutations
    ]


@dataclass(frozen=True)
class Copy:
    """A copy of `src` that tests import from."""

    folder: Path

    @property
    def report(self) -> Path:
        """What pytest says of its last run."""
        return self.folder.parent / "report.xml"

    @property
    def output(self) -> Path:
        """What it has printed."""
        return self.folder.parent / "output.txt"

    @contextmanager
    def mutated(self, mutation: Mutation | None) -> Iterator[None]:
        """The mutation in force, undone at the end; None for the copy as it is."""
        if mutation is None:
            yield
            return
        target = self.folder / mutation.path.relative_to(SOURCE)
        before, status = target.read_text("utf-8"), target.stat()
        target.write_text(before.replace(mutation.old, mutation.new), "utf-8")
        try:
            yield
        finally:
            target.write_text(before, "utf-8")
            os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))  # as it was compiled

    def failure(self, tests: Sequence[str], given: Given, mutation: Mutation | None) -> str | None:
        """The first test that fails with the mutation, and how; None where all pass."""
        self.report.unlink(missing_ok=True)
        timeout_s = TIMEOUT_S if mutation else len(tests) * TIMEOUT_S
        with self.mutated(mutation):
            process = FORKS.Process(target=self._run, args=(tests, given.postgres))
            process.start()
            process.join(timeout_s)
            if process.is_alive():
                os.kill(process.pid or 0, signal.SIGINT)  # fixtures end what they have started
                process.join()
                return f"{NOT_RUN}: no end within {timeout_s} s"
        if not self.report.exists():
            return f"{NOT_RUN}: {self.output.read_text('utf-8').strip().splitlines()[-1]}"
        return _first_failure(self.report)

    def _run(self, tests: Sequence[str], postgres: bool) -> None:
        """Run the tests in a process of their own, which has imported nothing of chatmem."""
        for name in [one for one in sys.modules if one.partition(".")[0] in ("chatmem", "pages")]:
            del sys.modules[name]
        os.environ.update(
            PYTHONPATH=str(self.folder),  # of the servers that tests start
            PYTHONDONTWRITEBYTECODE="1",
            PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        )
        sys.dont_write_bytecode = True
        os.chdir(ROOT)
        with self.output.open("wb") as printed:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
        search = f"pythonpath={self.folder} docs training bench"
        options = ["-x", "-q", "-p", "no:cacheprovider", "-o", search]
        options += [] if postgres else ["-k", "not postgres"]
        os._exit(pytest.main([*options, f"--junit-xml={self.report}", *tests]))


def _first_failure(report: Path) -> str | None:
    """`test (error)`, from a report of pytest; None where all have passed."""
    ran = 0
    for case in ET.parse(report).getroot().iter("testcase"):
        ran += case.find("skipped") is None
        for found in (*case.iter("failure"), *case.iter("error")):
            return f"{case.get('name')} ({(found.get('message') or '').splitlines()[0][:90]})"
    return None if ran else f"{NOT_RUN}: every test was skipped, what it needs is not there"


def tried(mutation: Mutation, given: Given, copies: SimpleQueue[Copy]) -> Outcome:
    """What came of it."""
    if mutation.misfit:
        return Outcome(mutation, False, mutation.misfit)
    copy = copies.get()
    try:
        failed = copy.failure(mutation.tests, given, mutation)
    finally:
        copies.put(copy)
    if failed is None:
        return Outcome(mutation, False, "survived: " + ", ".join(mutation.by))
    is_defect = any(name in failed for name in DEFECTS)
    return Outcome(mutation, not is_defect, f"{'no answer' if is_defect else 'caught'}: {failed}")


def run_all(wanted: Sequence[Mutation], given: Given) -> list[Outcome]:
    """The outcomes, in order, each printed when it is there; the tests pass without a mutation."""
    with tempfile.TemporaryDirectory(prefix="chatmem-mutations-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(given.at_once):
            copy = Copy(Path(folder, str(number), "src"))
            shutil.copytree(SOURCE, copy.folder)
            compileall.compile_dir(copy.folder, quiet=2, workers=given.at_once)
            copies.put(copy)
        tests = sorted({test for one in wanted for test in one.tests})
        if failed := copy.failure(tests, given, None):
            raise SystemExit(f"without any mutation: {failed}")
        outcomes = []
        with ThreadPoolExecutor(given.at_once) as threads:
            for outcome in threads.map(lambda one: tried(one, given, copies), wanted):
                one = outcome.mutation
                print(f"{one.scenario:7} {one.breaks}\n        {outcome.how}", flush=True)
                outcomes.append(outcome)
    return outcomes


def main() -> int:
    """Tries the mutations that were asked for; 1 where one survived."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("ids", nargs="*", help="scenarios, requirements, specifications: S5.3.1 S3")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL too")
    parser.add_argument("--at-once", type=int, choices=(1, 2), default=2)
    given = parser.parse_args(namespace=Given())
    wanted = [
        one
        for one in catalogue()
        if not given.ids or any(f"{one.scenario}.".startswith(f"{named}.") for named in given.ids)
    ]
    if not wanted:
        parser.error(f"no mutation of {' '.join(given.ids)} in {CATALOGUE.name}")
    began_s = time.monotonic()
    survivors = [one for one in run_all(wanted, given) if not one.caught]
    scenarios = {one.scenario for one in wanted}
    lost = {one.mutation.scenario for one in survivors}
    print(f"\n{len(wanted)} mutations in {time.monotonic() - began_s:.0f} s")
    for one in survivors:
        print(f"{one.mutation.scenario}: {one.mutation.breaks}\n  {one.how}")
    print(f"{len(scenarios - lost)} of {len(scenarios)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
