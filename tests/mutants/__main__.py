"""Breaks one promise after the other in a copy and sees that a test fails: ``-m tests.mutants``.

``python -m tests.mutants [word ...]``: those with a word in their name, else all. The tests have to
pass in the copy before anything is broken. The exit status is 1 if a mutant survives.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Queue

from tests.mutants.mutants import ROOT, Mutant, mutants

LEFT_OUT = (
    ".git",
    ".venv",
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
)
PASSED = 0
FAILED = 1
"""Exit statuses of pytest; others say that the tests could not even be run, or hung."""

LONGEST_S = 600


def main() -> int:
    """Break, test, and print which test noticed; 1 if a mutant survived, 2 if nothing was tried."""
    words = sys.argv[1:]
    chosen = [each for each in mutants() if not words or any(word in each.name for word in words)]
    if not chosen:
        print(f"No mutant has one of these in its name: {' '.join(words)}")
        return 2
    with tempfile.TemporaryDirectory(prefix="battlelands-mutants-") as folder:
        copies = make_copies(Path(folder), os.cpu_count() or 1)
        tests = sorted({test for mutant in chosen for test in mutant.tests})
        status, output = run(copies.queue[0], [*tests, "-n", "auto", "--dist", "loadfile"])
        if status != PASSED:
            print(output[-3000:], "The tests fail before anything is broken.", sep="\n")
            return 2
        with ThreadPoolExecutor(copies.qsize()) as pool:
            caught = list(pool.map(partial(is_caught, copies), chosen))
    print(f"{sum(caught)} of {len(chosen)} mutants caught")
    return 0 if all(caught) else 1


def make_copies(folder: Path, count: int) -> Queue[Path]:
    """Copy the project so many times, so that as many mutants are tried at once."""
    copies: Queue[Path] = Queue()
    for number in range(count):
        copy = folder / str(number) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        if (ROOT.parent / "shared").is_dir():
            (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
        copies.put(copy)
    return copies


def is_caught(copies: Queue[Path], mutant: Mutant) -> bool:
    """Break a copy, and print whether its tests notice."""
    copy = copies.get()
    start = time.perf_counter()
    try:
        status, output = run_broken(copy, mutant)
    finally:
        copies.put(copy)
    spent = time.perf_counter() - start
    by = re.findall(r"^FAILED (?:.*::)?(\S+)", output, re.MULTILINE)
    verdict = f"caught by {by[0]}" if status == FAILED and by else f"SURVIVED ({status})"
    report = "" if status == FAILED else output[-1500:] + "\n"
    print(f"{report}{mutant.name}: {verdict}, {spent:.0f} s", flush=True)
    return status == FAILED


def run_broken(copy: Path, mutant: Mutant) -> tuple[int, str]:
    """Return the exit status and the output of the tests with a mutant."""
    file = copy / mutant.file
    source = file.read_text("utf-8")
    forget_compiled(file)
    file.write_text(mutant.applied(source), "utf-8")
    try:
        return run(copy, [*mutant.tests, "-x"])
    finally:
        file.write_text(source, "utf-8")
        forget_compiled(file)


def forget_compiled(file: Path) -> None:
    """Else Python may take the older source's: it compares times in seconds, and sizes."""
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def run(copy: Path, arguments: list[str]) -> tuple[int, str]:
    """Run pytest in the copy; its exit status and output."""
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as tested:
        try:
            output, _ = tested.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            os.killpg(tested.pid, signal.SIGKILL)
            output, _ = tested.communicate()
    return tested.returncode, output


if __name__ == "__main__":
    sys.exit(main())
