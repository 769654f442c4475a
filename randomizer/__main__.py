"""The command line: ``randomizer``, also ``python -m randomizer``.

Whatever happens ends in an exit code and, where something is wrong, in words on standard error.
A verb's module is imported only when it is asked for: ``--help`` needs neither maps nor numpy.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from randomizer.commands.arguments import build_parser
from randomizer.commands.output import (
    BAD_INPUT,
    FAULT,
    FINE,
    INTERRUPTED,
    Console,
    OutputError,
    UsageError,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command (``argv`` without the program's name); the exit code."""
    console = Console()
    try:
        try:
            code = _run(sys.argv[1:] if argv is None else argv, console)
        except KeyboardInterrupt:
            code = INTERRUPTED
        console.finish()
    except OutputError as failed:
        code = console.give_up(failed)
    if argv is None:
        gc.freeze()  # the process ends: a last search for garbage would cost it 30 ms
    return code


def _run(argv: Sequence[str], console: Console) -> int:
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit as end:  # help was asked for, or the usage is wrong; argparse said so
        return end.code if isinstance(end.code, int) else FINE
    from randomizer.problems import ProblemError

    try:
        verb = import_module(f"randomizer.commands.{arguments.verb}")
        code: int = verb.run(arguments, console)
    except UsageError as wrong:
        return console.refuse_usage(arguments.usage, str(wrong))
    except ProblemError as failed:
        console.report(failed.problems)
        return BAD_INPUT
    except OutputError:
        raise
    except Exception as fault:  # noqa: BLE001 - nobody gets a traceback; the words help to report it
        console.report_fault(fault)
        return FAULT
    return code


if __name__ == "__main__":
    sys.exit(main())
