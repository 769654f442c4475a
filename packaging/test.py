"""Prove the project: ``python3 packaging/test.py [--deep] [--step NAME] [-- pytest arguments]``.

Makes .venv the first time; then every check runs, even after one has failed, and a table says how
long each took. The exit status is 0 only if all of them passed. ``--deep`` adds what is slow and
proves little daily: all tests with their coverage, wheel and bundle, a walk of kills, mutants and
longer fuzzing. ``--step`` runs one check alone; it may be given several times.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from setup_environment import ROOT, SCRIPTS, ready_python, stop_in_words

KILLS = 20
FUZZING_S = 6
"""How many sessions ``--deep`` kills at random, and how long it fuzzes each reader (seconds)."""


class Step(NamedTuple):
    """One check: its name and the command that fails if the check does."""

    name: str
    command: list[str]


class Result(NamedTuple):
    """How a step ended."""

    name: str
    passed: bool
    duration_s: float


def main() -> int:
    """Run the steps, print the table and the closing line."""
    own, pytest_arguments = split_arguments(sys.argv[1:])
    parser = argparse.ArgumentParser(
        usage="python3 packaging/test.py [--deep] [--step NAME] [--yes] [-- pytest arguments]",
        description="Check the project: style, types, layers, tests.",
    )
    parser.add_argument("--deep", action="store_true", help="what is slow, too: up to an hour")
    parser.add_argument("--step", action="append", metavar="NAME", help="one check of the table")
    parser.add_argument(
        "--yes", action="store_true", help="install packages of the system without a question"
    )
    options = parser.parse_args(own)

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    # Else each of the many processes that the tests start compiles the whole program anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    python = ready_python("dev", ("offscreen",), yes=options.yes)
    with tempfile.TemporaryDirectory(prefix="battlelands-test-") as folder:
        report = Path(folder) / "tests.xml"
        steps = all_steps(str(python), report, options.deep, pytest_arguments)
        unknown = set(options.step or ()) - {step.name for step in steps}
        if unknown:
            parser.error(f"no step {unknown.pop()!r}: {', '.join(step.name for step in steps)}")
        results = [run(step) for step in steps if not options.step or step.name in options.step]
        passed, failed = count_tests(report)
    # A check outside the tests counts as one, so that "0 failed" is never said of a failed run.
    failed += sum(not result.passed and result.name != "tests" for result in results)
    if failed == 0 and not all(result.passed for result in results):
        failed = 1  # nothing was collected, or the coverage is too low
    print_table(results)
    print(f"{passed} passed, {failed} failed", flush=True)
    return 0 if all(result.passed for result in results) else 1


def split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before "--", for us, and those behind it, for pytest."""
    if "--" not in arguments:
        return arguments, []
    middle = arguments.index("--")
    return arguments[:middle], arguments[middle + 1 :]


def all_steps(python: str, report: Path, deep: bool, pytest_arguments: list[str]) -> list[Step]:
    """Return the checks in their order, the quick ones first.

    ``report`` receives the tests' results. Arguments for pytest choose tests: those then run on one
    core, without coverage, whether they are deep or not.
    """
    pytest = [python, "-m", "pytest", f"--junit-xml={report}", *pytest_arguments]
    if not pytest_arguments:
        # All tests of a file run in one process: they may share a window.
        pytest += ["-n", "auto", "--dist", "loadfile"]
        pytest += ["--cov", "--cov-report=term:skip-covered"] if deep else ["-m", "not deep"]
    steps = [
        Step("ruff check", [python, "-m", "ruff", "check", "."]),
        Step("ruff format", [python, "-m", "ruff", "format", "--check", "."]),
        Step("mypy", [python, "-m", "mypy"]),
        Step("layers", [str(SCRIPTS / "lint-imports"), "--no-logo"]),
        Step("tests", pytest),
    ]
    if deep:
        kills = ["--walk", "--kills", str(KILLS)]
        steps += [
            Step("wheel", [python, str(ROOT / "packaging" / "try_wheel.py")]),
            Step("bundle", [python, str(ROOT / "packaging" / "try_bundle.py")]),
            Step("kills", [python, "-m", "tests.end_to_end.kill_session", *kills]),
            Step("fuzzing", [python, "-m", "tests.fuzz", "all", "--seconds", str(FUZZING_S)]),
            Step("mutants", [python, "-m", "tests.mutants"]),
        ]
    return steps


def run(step: Step) -> Result:
    """Run one step with its output going straight to ours."""
    print(f"\n==== {step.name} ====", flush=True)
    start_s = time.monotonic()
    status = subprocess.run(step.command, cwd=ROOT).returncode
    return Result(step.name, status == 0, time.monotonic() - start_s)


def count_tests(report: Path) -> tuple[int, int]:
    """Return how many tests passed and failed by pytest's JUnit ``report``; (0, 0) without it."""
    if not report.exists():
        return 0, 0
    passed = failed = 0
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total, bad, broken, skipped = (
            int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")
        )
        passed += total - bad - broken - skipped
        failed += bad + broken
    return passed, failed


def print_table(results: list[Result]) -> None:
    """Print one line a step: how it ended, how long it took."""
    print("\n==== summary ====")
    for result in results:
        verdict = "ok" if result.passed else "FAILED"
        print(f"{verdict:<7} {result.duration_s:6.1f} s  {result.name}")


if __name__ == "__main__":
    stop_in_words(main)
