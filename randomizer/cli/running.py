"""Runs a command: whatever happens becomes an exit code, and a message if something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.cli.output import (
    BAD_INPUT,
    FAULT,
    FINE,
    INTERRUPTED,
    Console,
    OutputError,
    UsageError,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence


def carry_out(
    console: Console,
    parser: argparse.ArgumentParser,
    argv: Sequence[str],
    run: Callable[[argparse.Namespace, Console], int],
) -> int:
    """Parse ``argv``, run the command, and return the exit code.

    The result of ``parser`` has the usage of the command in ``usage``.
    """
    try:
        try:
            code = _run(console, parser, argv, run)
        except KeyboardInterrupt:
            code = INTERRUPTED
        console.flush()
    except OutputError as failed:
        code = console.give_up(failed)
    return code


def _run(
    console: Console,
    parser: argparse.ArgumentParser,
    argv: Sequence[str],
    run: Callable[[argparse.Namespace, Console], int],
) -> int:
    """Parse and run; return the exit code. Raises OutputError, and KeyboardInterrupt for Ctrl-C."""
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as end:  # argparse has printed help or an error
        if isinstance(end.code, int):
            return end.code
        return FINE
    from randomizer.cli.shared_options import TIME_LIMIT_OPTION, TIME_LIMIT_S
    from randomizer.installed import problems
    from randomizer.model.problems import ProblemError
    from randomizer.scripts.script_time import limit_script_time

    time_limit_s = getattr(arguments, "time_limit", TIME_LIMIT_S)
    try:
        try:
            with limit_script_time(time_limit_s, TIME_LIMIT_OPTION):
                return run(arguments, console)
        finally:
            console.report(problems())  # of other packages, if any were looked at
    except UsageError as wrong:
        return console.refuse_usage(arguments.usage, str(wrong))
    except ProblemError as failed:
        console.report(failed.problems)
        return BAD_INPUT
    except OutputError:
        raise
    except Exception as fault:
        # Nobody gets a traceback; the words help to report it.
        if _follows_from_interrupt(fault):
            raise KeyboardInterrupt from fault
        console.report_fault(fault)
        return FAULT


def _follows_from_interrupt(fault: BaseException) -> bool:
    """Return whether an exception was raised while Ctrl-C was on its way.

    Modules in C make another exception of a KeyboardInterrupt, for instance an ImportError if it
    comes while numpy imports one of its parts.
    """
    earlier: BaseException | None = fault
    while earlier is not None:
        if isinstance(earlier, KeyboardInterrupt):
            return True
        earlier = earlier.__cause__ or earlier.__context__
    return False
