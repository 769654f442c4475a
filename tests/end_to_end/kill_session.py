"""Kills the desk wherever it changes the disk: ``python -m tests.end_to_end.kill_session``.

Each session is a whole desk without a screen. It notes what it is about to do before it does it
(``kills/intentions.py``), and that it has been done. After a kill recovery must find every
map, with every undo step, exactly as before the action under way or as after it; the same holds for
every file, backup, draft and export.

``--walk``: two sessions of all kinds of actions are stopped at every point (``kills/points.py``);
what is on the disk then, which is what a kill there would leave, is copied and looked at. With
``--share 0.1`` only at one of ten points, but at the first of each kind and of each action always.
``--kills 200``: so many sessions that restore what the one before left and go on with random
actions are killed (SIGKILL), at a random moment or at a point of a random kind.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from pathlib import Path

from tests.end_to_end.kills.desk import LOADED, Desk, prepare
from tests.end_to_end.kills.intentions import Expected
from tests.end_to_end.kills.points import KINDS, Point, Points
from tests.end_to_end.kills.remains import check

ROUND = 10
"""So many sessions go on from each other; then all begins again."""

MAX_FAILURES = 5
"""A walk ends after so many."""

LONGEST_S = 100
"""A session in which so long nothing happens ends: a dialog waits for a person."""

DECISIVE = "after rename"
"""Points of this kind are looked at in every walk: here a file becomes another one."""

WHOLE = (".tmp", "head")
"""The names of what may be half there for a moment. Any other is looked at in every walk."""

LATEST_S = 0.6
"""A random kill comes so long, at most, after the desk is ready. Some come before it is."""

FIRST = """
    paint paint undo undo redo paint save_xml lock roll undo save_project paint
    save_project rename save_xml open_another open_another close_it paint paint export
    export_and_take_back open_script type_script undo undo
"""
"""What the first session of a walk does; then it is killed."""

SECOND = """
    type_script save_script undo_all redo_all undo undo paint save_project undo_all paint
    export_and_take_back type_script close_window
"""
"""What the second one does, with what the first has left."""

RANDOM = ["paint"] * 8 + ["undo"] * 4 + ["redo"] * 2
RANDOM += ["lock", "roll", "save_xml", "save_project", "export", "type_script", "rename"]


def fork(disk: Path, log: Path, session: int, reached: Callable[[Point], None], acts: list) -> int:
    """Start a session that does ``acts`` (names of methods of ``Desk``; empty: random ones)."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            Points(disk, lambda point: (signal.alarm(LONGEST_S), reached(point)))
            desk = Desk(disk, log, session)
            desk.log.note(begins="work")
            if not acts:
                desk.open_script()
            while True:
                for act in acts or [desk.draw.choice(RANDOM)]:
                    signal.alarm(LONGEST_S)
                    getattr(desk, act)()
                    desk.application.processEvents()
                if acts:
                    status = 0
                    break
        except BaseException:  # noqa: BLE001 - of a forked copy of this program
            sys.excepthook(*sys.exc_info())
        finally:  # the copy must go no further
            os._exit(status)
    return child


def notes(log: Path) -> list[bytes]:
    """The lines of a log that were written whole."""
    return log.read_bytes().splitlines() if log.exists() else []


# --- at every point -----------------------------------------------------------------------------


class Walk:
    """Stops sessions at their points and looks at what a kill there would leave.

    ``share`` of the points are looked at, chosen by ``seed``; the first of each kind always, the
    first after each acknowledged action, and all that are ``DECISIVE``.
    """

    def __init__(self, folder: Path, share: float = 1.0, seed: int = 1) -> None:
        self.disk = folder / "disk"
        self.log = folder / "log"
        self._copies = folder / "copies"
        self._share = share
        self._draw = random.Random(seed)
        self._seen: set[bytes] = set()
        self._acknowledged = 0
        self.points: Counter[str] = Counter()
        self.looked: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.failures: list[str] = []
        prepare(self.disk)

    def session(self, number: int, acts: str) -> None:
        """Let one do ``acts``, and end it there."""
        there, tell = os.pipe()
        wait, go_on = os.pipe()
        write = os.write
        read = os.read

        def reached(point: Point) -> None:
            write(tell, "\t".join(point).encode())
            read(wait, 1)

        child = fork(self.disk, self.log, number, reached, acts.split())
        os.close(tell)
        os.close(wait)
        try:
            while len(self.failures) < MAX_FAILURES and (message := os.read(there, 10_000)):
                self._stop_at(child, Point(*message.decode("utf-8", "replace").split("\t")))
                os.write(go_on, b".")
        finally:
            if sys.exc_info()[0] or self.failures:
                os.kill(child, signal.SIGKILL)
            os.close(there)
            os.close(go_on)
            _, status = os.waitpid(child, 0)
        if status and not self.failures:
            self.failures.append(f"session {number} ended with status {status}")

    def _stop_at(self, child: int, point: Point) -> None:
        kind = f"{point.when} {point.kind}"
        self.points[kind] += 1
        acknowledged = self.log.exists() and self.log.read_bytes().count(b'{"ends"')
        decisive = kind == DECISIVE or (kind == "amid write" and not point.name.endswith(WHOLE))
        always = decisive or not self.looked[kind] or acknowledged != self._acknowledged
        if not always and self._draw.random() >= self._share:
            return
        self._acknowledged = acknowledged
        self.looked[kind] += 1
        os.kill(child, signal.SIGSTOP)
        os.waitpid(child, os.WUNTRACED)
        copy = self._copies / str(self.looked.total())  # each at its own place, as each disk is
        shutil.copytree(self.disk, copy)
        lines = notes(self.log)
        os.kill(child, signal.SIGCONT)
        self.look(copy, point, lines)
        shutil.rmtree(copy)

    def look(self, copy: Path, point: Point, lines: list[bytes]) -> None:
        """Look at a copy, unless it is as one before."""
        content = sha256(b"\n".join(lines))
        for path in sorted(copy.rglob("*")):
            content.update(os.fsencode(path.relative_to(copy)))
            content.update(path.read_bytes() if path.is_file() else b"")
        if content.digest() in self._seen:
            self.found["as at the point before"] += 1
            return
        self._seen.add(content.digest())
        expected = Expected.of(lines)
        try:
            self.found[check(copy, expected)] += 1
        except Exception as failed:  # noqa: BLE001 - told at the end, with where it was
            place = f"{point.when} {point.kind} of {point.name}"
            during = expected.action or "at rest"
            self.failures.append(f"{during}, {place}: {type(failed).__name__}: {failed}")


def walk(share: float, seed: int) -> Walk:
    """Two sessions, the second of which goes on from the first."""
    folder = Path(tempfile.mkdtemp(prefix="battlelands-walk-"))
    try:
        walked = Walk(folder, share, seed)
        walked.session(1, FIRST)
        walked.session(2, SECOND)
    finally:
        shutil.rmtree(folder)
    return walked


# --- at random ----------------------------------------------------------------------------------


def one_kill(folder: Path, seed: int) -> str:
    """Start a session, kill it, look at what is left; what the kill hit."""
    draw = random.Random(seed)
    disk = folder / "disk"
    log = folder / "log"
    kind = draw.choice(KINDS)
    number = draw.randrange(1, 8)
    at_point = draw.random() < 0.6
    met: list[Point] = []

    def reached(point: Point) -> None:
        if at_point and point.kind == kind:
            met.append(point)
            if len(met) == number:
                os.kill(os.getpid(), signal.SIGKILL)

    before = len(notes(log))
    child = fork(disk, log, seed, reached, [])
    ended = False
    if draw.random() < 0.9:
        while not ended and not any(b'"work"' in line for line in notes(log)[before:]):
            ended = os.waitpid(child, os.WNOHANG)[0] != 0
            time.sleep(0.005)
    deadline = time.monotonic() + (2 * LATEST_S if at_point else draw.uniform(0, LATEST_S))
    status = 0
    while not ended and time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        ended = done != 0
        time.sleep(0.005)
    hit = f"a point: {kind}" if ended else "a random moment"
    if not ended:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or (ended and not status), f"the desk ended by itself: {status}"
    copy = folder / f"copy {seed}"  # each at its own place, as each disk is
    shutil.copytree(disk, copy)
    check(copy, Expected.of(notes(log)))
    shutil.rmtree(copy)
    return hit


def kill(times: int, seed: int) -> Counter[str]:
    """Kill so many sessions; what the kills hit, and what was done in all.

    Raises AssertionError at the first loss.
    """
    hits: Counter[str] = Counter()
    folder = Path(tempfile.mkdtemp(prefix="battlelands-kill-"))
    try:
        for number in range(times):
            place = folder / str(number // ROUND)
            if not place.exists():
                prepare(place / "disk")
            hits[one_kill(place, seed + number)] += 1
    except AssertionError:
        print(f"kill {number} (seed {seed + number}): see {folder}", file=sys.stderr)
        raise
    ends = [line for log in folder.glob("*/log") for line in notes(log) if b'"ends"' in line]
    hits["acknowledged actions"] = len(ends)
    shutil.rmtree(folder)
    return hits


def main() -> int:
    """Walk or kill, and print what was hit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--walk", action="store_true", help="stop at every point")
    parser.add_argument("--share", type=float, default=1.0, help="of the points looked at")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in LOADED:
        import_module(name)
    failures: list[str] = []
    start = time.perf_counter()
    if chosen.walk:
        walked = walk(chosen.share, chosen.seed)
        failures = walked.failures
        for kind, count in sorted(walked.points.items()):
            print(f"{walked.looked[kind]:5} of {count:5} {kind}")
        for words, count in walked.found.most_common():
            print(f"{count:5} {words}")
        spent = time.perf_counter() - start
        looked = walked.looked.total()
        points = walked.points.total()
        print(f"{looked} of {points} points in {spent:.0f} s, {len(failures)} failures")
    if chosen.kills:
        hits = kill(chosen.kills, chosen.seed)
        for words, count in hits.most_common():
            print(f"{count:5} {words}")
        print(f"{chosen.kills} kills in {time.perf_counter() - start:.0f} s, nothing lost")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
