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
from pathlib import Path

from tests.mutants.mutants import ROOT, Mutant, mutants

LEFT_OUT = (".git", ".venv", "build", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
PASSED, FAILED = 0, 1
"""Exit statuses of pytest; others say that the tests could not even be run, or hung."""

LONGEST_S = 600


def main() -> int:
    """Break, test, and tell."""
    words = sys.argv[1:]
    chosen = [each for each in mutants() if not words or any(word in each.name for word in words)]
    survivors = []
    with tempfile.TemporaryDirectory(prefix="battlelands-mutants-") as folder:
        copy = Path(folder) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        if (ROOT.parent / "shared").is_dir():
            (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        tests = sorted({test for mutant in chosen for test in mutant.tests})
        status, output = run(copy, tests, first_failure=False)
        if status != PASSED:
            print(output[-3000:], "The tests fail before anything is broken.", sep="\n")
            return 2
        for mutant in chosen:
            start = time.perf_counter()
            status, output = broken(copy, mutant)
            spent = time.perf_counter() - start
            if status != FAILED:
                survivors.append(mutant)
                print(output[-1500:])
            by = re.findall(r"^FAILED (?:.*::)?(\S+)", output, re.MULTILINE)
            found = f"caught by {by[0]}" if status == FAILED and by else f"SURVIVED ({status})"
            print(f"{mutant.name}: {found}, {spent:.0f} s", flush=True)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants caught")
    return 1 if survivors else 0


def broken(copy: Path, mutant: Mutant) -> tuple[int, str]:
    """The exit status and the output of the tests with a mutant."""
    file = copy / mutant.file
    source = file.read_text("utf-8")
    forget_compiled(file)
    file.write_text(mutant.applied(source), "utf-8")
    try:
        return run(copy, mutant.tests, first_failure=True)
    finally:
        file.write_text(source, "utf-8")
        forget_compiled(file)


def forget_compiled(file: Path) -> None:
    """Else Python may take the older source's: it compares times in seconds, and sizes."""
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def run(copy: Path, tests: list[str], *, first_failure: bool) -> tuple[int, str]:
    """Run tests in the copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    with subprocess.Popen(
        command + (["-x"] if first_failure else []),
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
