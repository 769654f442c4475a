"""Runs a command: whatever happens becomes an exit code, and a message if something is wrong.

The programs ``randomizer`` and ``battlelands`` call ``carry_out`` with their parser and with the
function that does what the arguments say. That function returns an exit code or raises:

- ``UsageError``: the command line is wrong; the usage is printed;
- ``ProblemError``: files or maps are bad; its problems are printed;
- ``OutputError``: standard output failed, for instance since the reader of a pipe has gone;
- ``KeyboardInterrupt``: Ctrl-C;
- any other exception: a fault of the program.
"""

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

    The result of ``parser`` has the usage of the command in ``usage``. OutputError can come from
    the command, from the report of its problems, or from the flush at the end.
    """
    try:
        try:
            code = _run(console, parser, argv, run)
        except KeyboardInterrupt:
            code = INTERRUPTED
        # Flushed here rather than by Python's exit, so that a full disk has an exit code, too.
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
    # Imported only now: help and errors of argparse come at once.
    from randomizer.model.problems import ProblemError

    try:
        return _run_within_limit(console, arguments, run)
    except UsageError as wrong:
        return console.refuse_usage(arguments.usage, str(wrong))
    except ProblemError as failed:
        console.report(failed.problems)
        return BAD_INPUT
    except OutputError:  # the caller handles it, together with the failure of a flush
        raise
    except Exception as fault:
        if _follows_from_interrupt(fault):
            raise KeyboardInterrupt from fault
        console.report_fault(fault)  # a message instead of a traceback
        return FAULT


def _run_within_limit(
    console: Console,
    arguments: argparse.Namespace,
    run: Callable[[argparse.Namespace, Console], int],
) -> int:
    """Run a command whose scripts have only so much time; return the exit code.

    Afterwards it reports the problems of other packages, if the command has looked at any. Raises
    whatever the command raises.
    """
    from randomizer.cli.shared_options import TIME_LIMIT_OPTION, TIME_LIMIT_S
    from randomizer.installed import problems as problems_of_packages
    from randomizer.scripts.script_time import limit_script_time

    time_limit_s = getattr(arguments, "time_limit", TIME_LIMIT_S)  # only some verbs have the option
    try:
        with limit_script_time(time_limit_s, TIME_LIMIT_OPTION):
            return run(arguments, console)
    finally:
        console.report(problems_of_packages())


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
