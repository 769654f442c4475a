"""A child process that rolls maps: ``main`` runs in it, ``Worker`` is its other end."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

from randomizer.batches.single_rolls import SingleRoll, roll_single
from randomizer.generator import DrawKey
from randomizer.processes.pickling import read, write
from randomizer.processes.setup import Setup

NICENESS = 5
"""The window comes first where processors are few."""

_START = "import sys; sys.path[:] = {path!r}; from randomizer.processes.worker import main; main()"


class Worker:
    """One child process. It ends with this process, and when it is ``kill``ed.

    ``path`` is the one on which it looks for modules: that of this process when it was started.
    """

    def __init__(self) -> None:
        self.path = tuple(sys.path)
        command = [sys.executable, "-c", _START.format(path=sys.path)]
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._setup: Setup | None = None

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._child.poll() is None

    def roll(self, setup: Setup, number: int) -> SingleRoll | None:
        """One map; None if the process ended before the map was made."""
        questions, answers = self._child.stdin, self._child.stdout
        assert questions is not None, "it is a pipe"
        assert answers is not None, "it is a pipe"
        try:
            if setup is not self._setup:
                write(setup, questions)
                self._setup = setup
            write(number, questions)
            made: SingleRoll = read(answers)
        except (OSError, EOFError):
            self.kill()
            return None
        return made

    def kill(self) -> None:
        """End the process now; may be called from any thread, and more than once."""
        self._child.kill()
        self._child.wait()

    def close(self) -> None:
        """End the process and close its pipes; nobody may be waiting for a map."""
        self.kill()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not written is not wanted any more
                    stream.close()


def main() -> None:
    """Roll what standard input asks for until it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a generator may print
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(EOFError):
        setup: Setup = read(sys.stdin.buffer)
        generator = setup.generator()
        while True:
            wanted = read(sys.stdin.buffer)
            if isinstance(wanted, Setup):
                setup, generator = wanted, wanted.generator()
                continue
            key = DrawKey(setup.roll.seed, wanted)
            write(roll_single(generator, setup.roll.settings, key, setup.base), answers)
