"""The output of a command: results on standard output, problems on standard error, exit codes.

Each verb gets a ``Console``: it writes results with ``put`` and tells all else with ``say``,
``report`` and ``progress``. Results are bytes; text is UTF-8 whatever the locale. Every command
imports this module, so it imports little.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

from randomizer.model.problems import Problem

FINE = 0
BAD_INPUT = 1
"""A file, script or map has errors, or no such map is possible."""
WRONG_USE = 2
"""The command line is wrong; argparse uses this code, too."""
FAULT = 70
"""A fault of the program (EX_SOFTWARE of Unix)."""
INTERRUPTED = 130
"""Ctrl-C: 128 + SIGINT, as shells count."""
NOBODY_READS = 141
"""The reader of a pipe has closed it: 128 + SIGPIPE."""

LARGEST_SHOWN = 4 * 2**20
"""Of a larger file the lines are not shown in problems: so many take memory."""

MOST_PROBLEMS = 100
"""The most problems of one file that are printed."""

PROGRESS_FROM_S = 0.5
"""The time after which a command first reports its progress: shorter ones never do."""
PROGRESS_EVERY_S = 0.2
"""The least time between two reports."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Characters that control a terminal or change the order of its text."""


class UsageError(Exception):
    """The command is used wrongly, in a way that argparse cannot detect. The text says how."""


class OutputError(Exception):
    """Writing to standard output failed. ``nobody_reads``: because its reader has gone."""

    def __init__(self, words: str, *, nobody_reads: bool = False) -> None:
        super().__init__(words)
        self.nobody_reads = nobody_reads


class Console:
    """The two output streams of a command, and the files it has read, for pictures of lines."""

    def __init__(
        self,
        program: str = "randomizer",
        *,
        progress_from_s: float = PROGRESS_FROM_S,
        progress_every_s: float = PROGRESS_EVERY_S,
    ) -> None:
        self._program = program
        self._sources: dict[str, bytes] = {}
        """The contents of files by their paths."""
        self._progress = ""
        """The line of progress that stands on the terminal, "" for none."""
        self._next_progress_s = time.monotonic() + progress_from_s
        """The time, by ``time.monotonic``, before which no further one is shown."""
        self._progress_every_s = progress_every_s

    def remember(self, path: str, data: bytes) -> None:
        """Show the lines of ``data`` in later problems with the path ``path``.

        Those of more than ``LARGEST_SHOWN`` bytes are not shown.
        """
        if len(data) <= LARGEST_SHOWN:
            self._sources[path] = data

    # --- results ----------------------------------------------------------------------------

    def put(self, data: bytes) -> None:
        """Write to standard output. Raises OutputError."""
        if sys.stdout is None:
            raise OutputError("standard output is closed")
        self._wipe()
        remaining = memoryview(data)
        try:
            if not hasattr(sys.stdout, "buffer"):  # a text stream without a binary buffer
                sys.stdout.write(data.decode("utf-8", "replace"))
                return
            while remaining:  # an unbuffered stream can accept a part only
                remaining = remaining[sys.stdout.buffer.write(remaining) :]
        except (OSError, ValueError) as failed:
            raise _output_error(failed) from failed

    def put_text(self, text: str) -> None:
        """Write lines of text to standard output. Raises OutputError."""
        self.put((text + "\n").encode("utf-8", "backslashreplace"))

    def flush(self) -> None:
        """Flush standard output. Raises OutputError."""
        self._wipe()
        if sys.stdout is None:
            return
        try:
            sys.stdout.flush()
        except (OSError, ValueError) as failed:
            raise _output_error(failed) from failed

    def give_up(self, failed: OutputError) -> int:
        """Discard what standard output did not accept, report why; returns the exit code."""
        _discard(sys.stdout)
        if failed.nobody_reads:
            return NOBODY_READS
        self.say(f"{self._program}: error: {failed}")
        return BAD_INPUT

    # --- messages ---------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Print a line on standard error, without characters that control the terminal."""
        if sys.stderr is None:
            return
        self._wipe()
        try:
            sys.stderr.write(_UNPRINTABLE.sub("\ufffd", text) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            _discard(sys.stderr)  # closed or full: there is nowhere to report that

    def progress(self, text: str) -> None:
        """Show the progress of a long command if standard error is a terminal.

        The line is overwritten by the next one, and erased before any other output.
        """
        now_s = time.monotonic()
        if now_s < self._next_progress_s or sys.stderr is None or not sys.stderr.isatty():
            return
        self._next_progress_s = now_s + self._progress_every_s
        import shutil

        columns = shutil.get_terminal_size().columns - 1  # a full line would wrap
        self._overwrite(text[:columns])

    def _wipe(self) -> None:
        """Erase the progress line, if there is one."""
        if self._progress:
            self._overwrite("")

    def _overwrite(self, text: str) -> None:
        """Overwrite the progress line; the cursor stays at its beginning."""
        last_progress = self._progress
        self._progress = text
        with contextlib.suppress(OSError, ValueError):  # not worth ending the command
            sys.stderr.write(f"\r{text.ljust(len(last_progress))}\r")
            sys.stderr.flush()

    def report(self, problems: Iterable[Problem]) -> None:
        """Print problems on standard error, each with its place and a picture of it.

        If there are too many, only the worst are printed.
        """
        for text in self._texts_of(problems):
            self.say(text)

    def put_problems(self, problems: Iterable[Problem]) -> None:
        """Write as ``report``, on standard output. Raises OutputError."""
        for text in self._texts_of(problems):
            line = _UNPRINTABLE.sub("\ufffd", text) + "\n"
            try:
                self.put(line.encode("utf-8", "surrogateescape"))  # names of files as they are
            except UnicodeEncodeError:
                self.put(line.encode("utf-8", "backslashreplace"))

    def _texts_of(self, problems: Iterable[Problem]) -> Iterator[str]:
        """Yield a text for each problem, file by file, with the line that it is in."""
        from randomizer.model.problems import Severity, format_problem, split_lines

        problems_by_path: dict[str | None, list[Problem]] = {}
        for problem in problems:
            problems_by_path.setdefault(problem.path, []).append(problem)
        for path, problems_of_path in problems_by_path.items():
            lines = None
            text = _text_of(self._sources.get(path or "", b""))
            if text is not None:
                lines = split_lines(text)
            surplus = len(problems_of_path) - MOST_PROBLEMS
            if surplus > 0:  # errors are the last to be left out
                problems_of_path.sort(key=lambda problem: problem.severity is not Severity.ERROR)
            for problem in problems_of_path[:MOST_PROBLEMS]:
                yield format_problem(problem.at_path(path or self._program), lines)
            if surplus > 0:
                yield f"{path or self._program}: and {surplus} more"

    def refuse_usage(self, usage: str, words: str) -> int:
        """Report a wrong use of the command, as argparse does; returns the exit code."""
        program = usage.removeprefix("usage: ").split(" ")[:2]
        self.say(f"{usage.rstrip()}\n{' '.join(program)}: error: {words}")
        return WRONG_USE

    def report_fault(self, fault: BaseException) -> None:
        """Report a fault of the program or of a package, with what helps to find its cause."""
        from randomizer.installed import culprit_of

        innermost = fault.__traceback__
        while innermost is not None and innermost.tb_next is not None:
            innermost = innermost.tb_next
        position = ""
        if innermost is not None:
            file = os.path.basename(innermost.tb_frame.f_code.co_filename)  # noqa: PTH119
            position = f" in {file}, line {innermost.tb_lineno}"
        self.say(
            f"{self._program}: error: this must not happen: "
            f"{type(fault).__name__}{position}: {fault}\n"
            f"  This is a fault of {culprit_of(fault)}; please report it with the command you gave."
        )


def _discard(stream: TextIO | None) -> None:
    """Redirect a failed stream to nowhere.

    Python flushes it again when the process ends, and would report the failure again. Streams that
    are not the system's are not flushed by Python.
    """
    if stream is None:
        return
    with contextlib.suppress(OSError, ValueError):
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, stream.fileno())
        os.close(null_device)


def _output_error(failed: OSError | ValueError) -> OutputError:
    """Return the error of a write to standard output that failed; a ValueError: it is closed."""
    if isinstance(failed, BrokenPipeError):
        return OutputError("nobody reads", nobody_reads=True)
    if isinstance(failed, OSError):
        from randomizer.model.basics.error_reasons import words_of

        return OutputError(f"standard output could not be written: {words_of(failed)}")
    return OutputError("standard output is closed")


def _text_of(data: bytes) -> str | None:
    """Return the text of a file for the pictures of its lines, None if it is not text."""
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if not text or "\0" in text:
        return None
    return text
