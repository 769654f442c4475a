"""The output of a command: results on standard output, messages on standard error, exit codes.

Each verb of the command line gets a ``Console``::

    console.remember(path, data)         # the file that was read
    console.report(problems)             # standard error: each with the line of the file it is in
    console.progress("7 of 20 maps")     # standard error, overwritten by the next output
    console.put(result)                  # standard output, as bytes
    return FINE                          # the exit code

A ``Problem`` is a message with a place in a file. Text is written as UTF-8 whatever the locale.
Every command imports this module, so it imports little, and some of it only where it is needed.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO, TextIO

from randomizer.model.problems import Problem

# --- exit codes -----------------------------------------------------------------------------------

FINE = 0
"""The command did what it should."""
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

# --- limits ---------------------------------------------------------------------------------------

LARGEST_SHOWN = 4 * 2**20
"""The size in bytes up to which the lines of a file are shown in its problems: the file is kept in
memory for that."""

MAX_PROBLEMS = 100
"""The most problems of one file that are printed."""

PROGRESS_FROM_S = 0.5
"""The time, in seconds, after which a command first shows its progress: quicker ones show none."""
PROGRESS_EVERY_S = 0.2
"""The least time between two lines of progress, in seconds."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Characters that control a terminal or change the order of its text."""


class UsageError(Exception):
    """The command is used wrongly, in a way that argparse cannot detect. The text says how."""


class OutputError(Exception):
    """Writing to standard output failed. The text says why."""

    def __init__(self, message: str, *, nobody_reads: bool = False) -> None:
        super().__init__(message)
        self.nobody_reads = nobody_reads
        """True if the reader of a pipe has closed it, as ``head`` does: that is no mistake."""


class Console:
    """The two output streams of a command, and the files that it has read.

    ``put``, ``put_text`` and ``put_problems`` write the results of a command to standard output;
    ``say``, ``report`` and ``progress`` write messages to standard error. The lines of the files
    are shown below the problems in them (``remember``).
    """

    def __init__(
        self,
        program: str = "randomizer",
        *,
        progress_from_s: float = PROGRESS_FROM_S,
        progress_every_s: float = PROGRESS_EVERY_S,
    ) -> None:
        self._program = program
        """The name of the program, which begins messages that belong to no file."""
        self._sources: dict[str, bytes] = {}
        """The contents of files by their paths."""
        self._progress = ""
        """The line of progress that stands on the terminal, "" for none."""
        self._next_progress_s = time.monotonic() + progress_from_s
        """The time, by ``time.monotonic``, before which no further line of progress is shown."""
        self._progress_every_s = progress_every_s

    def remember(self, path: str, data: bytes) -> None:
        """Keep the contents of a file, so that later problems in it are shown with their lines.

        A file of more than ``LARGEST_SHOWN`` bytes is not kept: its problems come without lines.
        """
        if len(data) <= LARGEST_SHOWN:
            self._sources[path] = data

    # --- results ----------------------------------------------------------------------------

    def put(self, data: bytes) -> None:
        """Write to standard output. Raises OutputError."""
        if sys.stdout is None:  # the program was started with the stream closed
            raise OutputError("standard output is closed")
        self._wipe()
        try:
            if hasattr(sys.stdout, "buffer"):
                _write_all(sys.stdout.buffer, data)
            else:  # a text stream without a binary buffer
                sys.stdout.write(data.decode("utf-8", "replace"))
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
        """End a command whose output failed: report why, and return its exit code.

        What standard output did not accept is lost.
        """
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
        is_too_early = now_s < self._next_progress_s
        if is_too_early or sys.stderr is None or not sys.stderr.isatty():
            return
        self._next_progress_s = now_s + self._progress_every_s
        import shutil

        columns = shutil.get_terminal_size().columns - 1  # a full line would wrap
        self._overwrite(_UNPRINTABLE.sub("\ufffd", text)[:columns])

    def _wipe(self) -> None:
        """Erase the progress line, if there is one."""
        if self._progress:
            self._overwrite("")

    def _overwrite(self, text: str) -> None:
        """Replace the progress line with ``text``; the cursor stays at its beginning."""
        length_to_cover = len(self._progress)
        self._progress = text
        with contextlib.suppress(OSError, ValueError):  # not worth ending the command
            sys.stderr.write(f"\r{text.ljust(length_to_cover)}\r")
            sys.stderr.flush()

    def report(self, problems: Iterable[Problem]) -> None:
        """Print problems on standard error, each with its place and the line that it is in.

        Of each file ``MAX_PROBLEMS`` are printed at most, errors rather than warnings.
        """
        for text in self._texts_of(problems):
            self.say(text)

    def put_problems(self, problems: Iterable[Problem]) -> None:
        """Print problems as ``report`` does, but on standard output. Raises OutputError."""
        for text in self._texts_of(problems):
            line = _UNPRINTABLE.sub("\ufffd", text) + "\n"
            try:
                # Python has surrogates for the bytes of a file name that are no UTF-8: they become
                # these bytes again.
                data = line.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:  # surrogates of a text, for instance from JSON
                data = line.encode("utf-8", "backslashreplace")
            self.put(data)

    def _texts_of(self, problems: Iterable[Problem]) -> Iterator[str]:
        """Yield a text for each problem, file by file, with the line that it is in."""
        problems_by_path: dict[str, list[Problem]] = {}
        for problem in problems:
            # A problem that belongs to no file is told in the name of the program.
            problems_by_path.setdefault(problem.path or "", []).append(problem)
        for path, problems_of_path in problems_by_path.items():
            yield from self._texts_of_file(path, problems_of_path)

    def _texts_of_file(self, path: str, problems: list[Problem]) -> Iterator[str]:
        """Yield a text for each problem of the file ``path``, "" for those of no file."""
        from randomizer.model.problem_texts import format_problem
        from randomizer.model.problems import Severity, split_lines

        lines = None
        source_text = _text_of(self._sources.get(path, b""))
        if source_text is not None:
            lines = split_lines(source_text)

        surplus = len(problems) - MAX_PROBLEMS
        if surplus > 0:  # errors are the last to be left out
            problems.sort(key=lambda problem: problem.severity is not Severity.ERROR)
        name = path or self._program
        for problem in problems[:MAX_PROBLEMS]:
            yield format_problem(problem.at_path(name), lines)
        if surplus > 0:
            yield f"{name}: and {surplus} more"

    def refuse_usage(self, usage: str, message: str) -> int:
        """Report a wrong use of the command, as argparse does; return the exit code.

        ``usage`` is the usage text of argparse: ``usage: randomizer roll [-h] ...``.
        """
        program = usage.removeprefix("usage: ").split(" ")[:2]  # the program and its verb
        self.say(f"{usage.rstrip()}\n{' '.join(program)}: error: {message}")
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


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write all of ``data``: an unbuffered stream may accept only the first bytes at a time."""
    remaining = memoryview(data)
    while remaining:
        accepted = stream.write(remaining)
        remaining = remaining[accepted:]


def _discard(stream: TextIO | None) -> None:
    """Redirect a failed stream of the system to the null device; None is a closed stream.

    Python flushes such a stream again when the process ends, and would report the failure again. A
    stream without a file descriptor, such as a test's, is left alone: Python does not flush it.
    """
    if stream is None:
        return
    with contextlib.suppress(OSError, ValueError):
        descriptor = stream.fileno()
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, descriptor)
        os.close(null_device)


def _output_error(failed: OSError | ValueError) -> OutputError:
    """Return the error of a write to standard output that failed.

    Python raises ValueError, rather than OSError, for a stream that is closed.
    """
    if isinstance(failed, BrokenPipeError):
        return OutputError("nobody reads", nobody_reads=True)
    if isinstance(failed, OSError):
        from randomizer.model.basics.error_reasons import words_of

        return OutputError(f"standard output could not be written: {words_of(failed)}")
    return OutputError("standard output is closed")


def _text_of(data: bytes) -> str | None:
    """Return the text of a file whose lines are shown, None if it is empty or not text."""
    encoding = "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # accepts all bytes; most text is still readable then
    if not text or "\0" in text:  # no text has the character 0, and most other files have it
        return None
    return text
