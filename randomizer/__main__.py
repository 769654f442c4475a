"""The command line: ``randomizer``, also ``python -m randomizer``.

A verb's module is imported only when it is used: ``--help`` needs neither maps nor numpy.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

from randomizer.cli.arguments import build_parser
from randomizer.cli.output import Console
from randomizer.cli.running import carry_out


def main(argv: Sequence[str] | None = None, console: Console | None = None) -> int:
    """Run one command (``argv`` without the program's name) and return the exit code.

    Without ``argv`` it is the command of this process. What it says goes to ``console``, by default
    a new one.
    """
    if argv is not None:
        return carry_out(console or Console(), build_parser(), argv, _run_verb)
    _hasten()
    _hear_interrupts()
    code = carry_out(console or Console(), build_parser(), sys.argv[1:], _run_verb)
    gc.freeze()  # the process ends: a last garbage collection would take 30 ms
    return code


def _hasten() -> None:
    """Start sooner, in a process that is only this command's. Must come before numpy's import."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here multiplies large matrices
    gc.set_threshold(50_000)  # what imports make stays


class Interrupt(KeyboardInterrupt):
    """Ctrl-C in a command."""


def _hear_interrupts() -> None:
    """Let Ctrl-C raise ``Interrupt``, unless the process was started to ignore it.

    Python ends a process by the signal, whatever its exit code, if a plain KeyboardInterrupt leaves
    an ``exec`` of a text even when it is caught: so while an import makes a dataclass.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Interrupt


def _run_verb(arguments: argparse.Namespace, console: Console) -> int:
    code: int = import_module(f"randomizer.cli.{arguments.verb}").run(arguments, console)
    return code


if __name__ == "__main__":
    sys.exit(main())
