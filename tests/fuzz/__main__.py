"""Fuzz one reader by hand: ``python -m tests.fuzz NAME [--inputs 1000000] [--seconds 600]``.

With atheris (``pip install -e .[fuzz]``) the inputs that reach new code are kept and changed
further; without it those to which a reader gives a new answer. Each input that fails in a new place
is written to the folder ``--findings``; to keep it, move it to ``tests/data/fuzz/NAME``. An input
may take ``--cpu`` seconds of CPU time and the process ``--memory`` megabytes; a hang ends it with
its traceback, and its input is in ``--findings``, too. ``all`` runs each reader in a process.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.fuzz.mutators import LARGEST

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from tests.fuzz.harness import Harness

HANG_S = 60
"""The seconds after which the watchdog ends the process with its traceback."""

INPUTS_A_WATCH = 500
"""The watchdog is set again after this many inputs, not after each: that would take time."""

MAX_KEPT = 5_000
"""The most inputs that are kept to be changed further."""


class TooSlowError(Exception):
    """An input took too much CPU time."""


class Findings:
    """The inputs that failed, in a folder: one for each *failure*, a place in the program."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.counts: Counter[str] = Counter()
        """The number of inputs by the failure that they caused."""

    def add(self, fault: BaseException, data: bytes) -> None:
        """Count a failure, and write the input and its traceback unless one of it is there."""
        # Failures are one if their exceptions, but for numbers, and the last three frames are.
        frames = traceback.extract_tb(fault.__traceback__)
        last_lines = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames][-3:]
        message = re.sub("[0-9]+", "9", str(fault))[:40]
        failure = f"{type(fault).__name__} {message} {' '.join(last_lines)}"
        self.counts[failure] += 1
        if self.counts[failure] > 1:
            return
        name = hashlib.sha256(data).hexdigest()[:12]
        (self.folder / name).write_bytes(data)
        text = "".join(traceback.format_exception(fault, limit=-6))
        (self.folder / f"{name}.why").write_text(text, "utf-8", "replace")
        print(f"FAILED {name} ({len(data)} bytes): {failure}", flush=True)


class Run:
    """One run of a harness: it lets the reader read inputs, and counts them."""

    def __init__(self, harness: Harness, findings: Findings, options: argparse.Namespace) -> None:
        self.harness = harness
        self.findings = findings
        self.options = options
        self.inputs = 0
        """The number of inputs so far."""
        self.answers: Counter[object] = Counter()
        """The number of inputs by what the harness answered."""
        self.slowest_s = 0.0
        """The CPU time of the slowest input."""
        self.start_s = time.monotonic()
        self._current = (findings.folder / "current").open("w+b")
        """The file of the input that is being read, which is left if the process ends."""

    def read(self, data: bytes) -> bool:
        """Let the reader read an input, and return whether its answer is a new one."""
        if self.inputs % INPUTS_A_WATCH == 0:
            faulthandler.dump_traceback_later(HANG_S, exit=True)
        self.inputs += 1
        self._current.seek(0)
        self._current.truncate()
        self._current.write(data)
        self._current.flush()
        start_s = time.process_time()
        try:
            answer = repr(self.harness.run(data))[:300]
            used_s = time.process_time() - start_s
            self.slowest_s = max(self.slowest_s, used_s)
            if used_s > self.options.cpu:
                raise TooSlowError(f"{used_s:.0f} s of CPU time")
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # noqa: BLE001 - any fault is what a run searches for
            self.findings.add(fault, data)
            return False
        self.answers[answer] += 1
        return self.answers[answer] == 1

    @property
    def is_over(self) -> bool:
        """True once the run has had all its inputs or all its time."""
        passed_s = time.monotonic() - self.start_s
        return self.inputs >= self.options.inputs or passed_s > self.options.seconds

    def finish(self, how: str) -> None:
        """Print the result; nothing is read after it. ``how`` says how inputs were chosen."""
        faulthandler.cancel_dump_traceback_later()
        self._current.close()
        passed_s = time.monotonic() - self.start_s
        most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{self.harness.name}: {self.inputs:,} inputs ({how}) in {passed_s:.0f} s, "
            f"{len(self.findings.counts)} places failed ({sum(self.findings.counts.values())} "
            f"inputs), {len(self.answers):,} answers, slowest {self.slowest_s:.2f} s, "
            f"{most_mb} MB",
            flush=True,
        )


def main() -> int:
    """Run one harness and return the exit code: 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("name", help='a harness, "all", or "list"')
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--cpu", type=float, default=5.0, help="seconds for one input")
    parser.add_argument("--memory", type=int, default=4000, help="megabytes for the process")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    parser.add_argument("--findings", type=Path, default=Path(tempfile.gettempdir()) / "fuzz")
    options = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if options.name == "all":
        return _all()
    seed = options.seed
    if seed is None:
        seed = random.randrange(2**31)

    atheris = None
    if not options.plain:
        atheris = _atheris()
    harness = _harness(options.name, atheris)
    if harness is None:
        return 2
    resource.setrlimit(resource.RLIMIT_AS, (options.memory * 2**20, options.memory * 2**20))
    findings = Findings(options.findings, harness.name)
    run = Run(harness, findings, options)
    print(f"{harness.name}: seed {seed}, findings in {findings.folder}", flush=True)
    try:
        if atheris is None:
            by_answers(run, Random(seed))
        else:
            _by_coverage(run, atheris, seed)
    except KeyboardInterrupt:
        run.finish("stopped")
    return int(bool(findings.counts))


def _all() -> int:
    """Run each harness in a process with the same options; return 1 if an input failed in any."""
    from tests.fuzz.all_harnesses import HARNESSES

    options = [argument for argument in sys.argv[1:] if argument != "all"]
    command = [sys.executable, "-m", "tests.fuzz"]
    statuses = [subprocess.run([*command, name, *options]).returncode for name in HARNESSES]
    return int(any(statuses))


def _atheris() -> Any:
    """Return the module atheris, None if it is not installed."""
    try:
        import atheris
    except ImportError:
        return None
    return atheris


def _harness(name: str, atheris: Any) -> Harness | None:
    """Return the harness of a name, its reader instrumented if there is ``atheris``.

    For an unknown name the names are printed, and None is returned.
    """
    if atheris is None:
        from tests.fuzz.all_harnesses import HARNESSES
    else:
        with atheris.instrument_imports(include=["randomizer", "app"]):
            from tests.fuzz.all_harnesses import HARNESSES
    if name not in HARNESSES:
        print("\n".join(HARNESSES))
        return None
    if HARNESSES[name].qt:
        from PySide6.QtWidgets import QApplication

        globals()["application"] = QApplication([])
    return HARNESSES[name]


def by_answers(run: Run, draw: Random) -> None:
    """Change inputs at random; those to which the reader gives a new answer are changed further."""
    corpus = [*run.harness.seeds(), *run.harness.kept()]
    for data in list(corpus):
        run.read(data)
    while not run.is_over:
        data = _changed(run.harness, draw.choice(corpus), draw, corpus)
        if run.read(data) and len(corpus) < MAX_KEPT:
            corpus.append(data)
    run.finish("by answers")


def _changed(harness: Harness, data: bytes, draw: Random, others: list[bytes]) -> bytes:
    """Return an input after one to three changes."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        data = harness.mutate(data, draw, others)
    # In one of five hundred inputs a piece is repeated thousands of times: such inputs show a
    # reader whose time grows faster than its input.
    if data and draw.random() < 0.002:
        start = draw.randrange(len(data))
        piece = data[start : start + draw.choice((1, 2, 3, 5, 8, 20, 60))]
        data = data[:start] + piece * (LARGEST // len(piece)) + data[start:]
    return data


def _by_coverage(run: Run, atheris: Any, seed: int) -> None:
    """Let libFuzzer choose by the code that an input reaches; it ends the process."""
    seeds = [*run.harness.seeds(), *run.harness.kept()]
    folder = Path(tempfile.mkdtemp(prefix="fuzz-corpus-"))
    for number, data in enumerate(seeds):
        (folder / f"{number:05}").write_bytes(data)

    def read(data: bytes) -> None:
        run.read(data)
        if run.is_over:
            run.finish("by coverage")
            sys.stdout.flush()
            # libFuzzer never returns from ``Fuzz``.
            os._exit(int(bool(run.findings.counts)))

    def mutate(data: bytes, most: int, chance: int) -> bytes:
        draw = Random(chance)
        if draw.random() < 0.1:
            changed: bytes = atheris.Mutate(data, most)
            return changed
        return _changed(run.harness, data, draw, seeds)[:most]

    options = [f"-seed={seed % 2**31}", "-max_len=60000", "-print_final_stats=0", "-verbosity=0"]
    options += ["-rss_limit_mb=0", "-timeout=120", "-len_control=0", "-detect_leaks=0"]
    options.append(f"-artifact_prefix={run.findings.folder}/")
    atheris.Setup([sys.argv[0], *options, str(folder)], read, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
