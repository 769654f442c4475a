"""Battles fought by the game itself: its AI on both sides, without a window, in a scratch folder.

    for results in fight(game, board_xml, armies, entry_side=1, count=60):
        ...  # the results so far; closing the generator stops the game

Each process of the game (Java) loads one save file some times in a row and fights its battle each
time; the results are read from the log that it writes (battle_log.py). Several processes run at the
same time, each watched by a thread of its own.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import error
from randomizer.systems.colossus.battle.battle_log import add_log
from randomizer.systems.colossus.battle.game_launch import (
    fill_scratch,
    find_java,
    jar_of,
    launch_command,
)
from randomizer.systems.colossus.battle.saved_battle import Armies, save_file
from randomizer.systems.colossus.battle.simulator import Results
from randomizer.systems.colossus.game.directory import GameDirectory

BATTLES_A_PROCESS = 6
"""The battles of one process. Its start costs as much as half a battle, so one each is dearer.

With more of them the results come in fewer, larger portions.
"""

POLL_S = 0.2
"""The seconds after which ``fight`` yields even if no process has ended."""

AI_SECONDS = 1
"""The time that the AI of the game may think about a move."""

MAX_LOG_CHARACTERS = 20_000_000
"""The most characters of a log that are read: a battle writes some 20,000."""

_JAVA_OPTIONS = (
    "-Xmx400m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Djava.awt.headless=true",
)
"""The options of Java: little memory, a quick start, and no window."""


@dataclass(frozen=True)
class TimeLimit:
    """The time after which a process is ended: the game hangs for ever if a client fails."""

    seconds_to_start: float = 30
    """The time for the start of the process."""

    seconds_a_battle: float = 25
    """The time for each of its battles."""

    def seconds(self, battle_count: int) -> float:
        """Return the time for a process that fights so many battles."""
        return self.seconds_to_start + self.seconds_a_battle * battle_count


USUAL_TIME_LIMIT = TimeLimit()


def fight(
    game: GameDirectory,
    board: bytes,
    armies: Armies,
    entry_side: int,
    count: int,
    *,
    processes: int | None = None,
    time_limit: TimeLimit = USUAL_TIME_LIMIT,
) -> Iterator[Results]:
    """Fight ``count`` battles of two armies on a battleland; yield the results so far.

    ``board`` is the XML file of the battleland, ``entry_side`` (0 to 5) the side from which the
    attacker enters.
    ``processes`` run at the same time (None: one for each core but one). Closing the generator
    ends them; so that it can be closed soon, it yields while nothing new is known, too. The same
    object is yielded each time. Raises ProblemError if the game cannot be run, or a process does
    not end within the ``time_limit``.
    """
    command = [find_java(), *_JAVA_OPTIONS, "-jar", str(jar_of(game))]
    save = save_file(armies, entry_side).encode()
    if processes is None:
        processes = _spare_cores()
    results = Results()
    with ExitStack() as stack:
        # Leaving the stack stops the processes first, then waits for the threads of the pool.
        pool = stack.enter_context(ThreadPoolExecutor(processes))
        running: set[Future[list[str]]] = set()
        for first in range(0, count, BATTLES_A_PROCESS):
            battle_count = min(BATTLES_A_PROCESS, count - first)
            limit_s = time_limit.seconds(battle_count)
            process = _Process(command, board, save, battle_count, limit_s)
            stack.callback(process.stop)
            running.add(pool.submit(process.run))
        while running:
            ended, running = wait(running, POLL_S, FIRST_COMPLETED)
            for future in ended:
                add_log(results, future.result(), armies)
            yield results


def _spare_cores() -> int:
    """Return the number of processor cores but one, at least 1."""
    cores = os.cpu_count() or 2
    return max(1, cores - 1)


class _Process:
    """One process of the game, which fights some battles of the same armies.

    ``run`` is called on a thread of the pool, ``stop`` on the one that closes the generator, at any
    time: before the process has begun, too.
    """

    def __init__(
        self, command: Sequence[str], board: bytes, save: bytes, battle_count: int, limit_s: float
    ) -> None:
        self._command = command
        self._board = board
        self._save = save
        self._battle_count = battle_count
        self._limit_s = limit_s
        self._process: subprocess.Popen[str] | None = None
        """The process while it runs and afterwards; None before."""
        self._is_stopped = False
        """True once ``stop`` was called."""
        self._is_late = False
        """True once the time limit has ended the process."""

    def stop(self) -> None:
        """End the process, now and for good."""
        # In this order: ``_run_game`` sets the process first, and then asks whether it is stopped.
        self._is_stopped = True
        if self._process is not None:
            self._process.kill()

    def _end_late(self) -> None:
        """End the process at the time limit."""
        self._is_late = True
        assert self._process is not None, "the timer begins after the process"
        self._process.kill()

    def run(self) -> list[str]:
        """Return the lines of the log. Raises ProblemError if the game fails or hangs."""
        if self._is_stopped:
            return []
        with tempfile.TemporaryDirectory(prefix="battlelands-fight-") as name:
            scratch = Path(name)
            try:
                fill_scratch(scratch, self._board, self._save)
                log, status = self._run_game(scratch)
            except OSError as failed:
                message = f"The game could not be started: {words_of(failed)}"
                raise error("game-failed", message) from failed
        if self._is_stopped or status == 0:
            return log
        reason = self._why_failed(log, status)
        raise error("game-failed", f"The game did not fight to the end: {reason:.200}")

    def _why_failed(self, log: Sequence[str], status: int) -> str:
        """Return why the process has failed, by its log and its exit status."""
        for line in log:
            if "Exception" in line:
                return line
        if self._is_late:
            return f"it did not end within {self._limit_s} seconds"
        for line in log:
            if line.startswith("Error"):
                return line  # of Java itself, which could not be started
        return f"it ended with the exit status {status}"

    def _run_game(self, scratch: Path) -> tuple[list[str], int]:
        """Return the lines of the log and the exit status; the game is killed at the limit."""
        properties = {
            "net.sf.colossus.forceViewBoard": "false",
            "net.sf.colossus.endAfterFirstBattle": "true",
            "net.sf.colossus.stressTestRounds": str(self._battle_count),
        }
        no_delay = ["-d", "0"]
        time_to_think = ["-t", str(AI_SECONDS)]
        with subprocess.Popen(
            [*launch_command(scratch, self._command, properties), *no_delay, *time_to_think],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process:
            # In this order: ``stop`` notes first that it was called, and then asks for the process.
            self._process = process
            if self._is_stopped:
                process.kill()
            timer = Timer(self._limit_s, self._end_late)
            timer.start()
            try:
                assert process.stderr is not None, "it is a pipe"
                log = process.stderr.read(MAX_LOG_CHARACTERS).splitlines()
                return log, process.wait()
            finally:
                timer.cancel()
                process.kill()
