"""Describes the faults of scripts: V8's report of an error becomes a position and a message.

V8 gives the text of an error and its stack, a line for each function on it:

    TypeError: g_Map is undefined
        at placeForests (maps/random/wild.js:31:9)
        at maps/random/wild.js:80:1

That becomes the position 31:9 of wild.js, with the message "TypeError: g_Map is undefined — in
placeForests (maps/random/wild.js:31); called by maps/random/wild.js:80". ``script_engine`` calls
``fault_in_engine`` where V8 ended a script, and ``describe_fault`` for an error that a script threw
and that was caught.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_FIRST_LINE = re.compile(r"(?P<path>[^:]*):(?P<line>\d+): (?P<text>.*)")
"""The first line of V8's report: ``maps/random/wild.js:3: SyntaxError: Unexpected token``."""

_CARETS = re.compile(r"[\t ]*\^+ *")
"""The line below the line of a script, with carets below the faulty words."""

_FRAME = re.compile(
    r"^ +at (?:(?P<name>[^\n(]+?) \()?(?P<path>(?:maps|globalscripts|simulation)/[^\n:()]+)"
    r":(?P<line>\d+):(?P<column>\d+)\)?$",
    re.MULTILINE,
)
"""A line of a stack that lies in a file of the game or of a script, not in the host."""

TOO_MUCH_MEMORY = "the script needs too much memory"
"""The message of a script that is ended for its memory."""

MAX_FRAMES = 6
"""The number of functions that a message names; more of a deep recursion fill the window."""

MAX_CHARACTERS = 500
"""The length of the text of an error in a message."""


class Frame(NamedTuple):
    """A line of V8's stack: a position in a file of a script or of the game."""

    path: str
    """The path within the game, such as ``maps/random/wild.js``."""

    line: int
    """The line of the file, from 1."""

    column: int
    """The column of that line, from 1."""

    name: str = ""
    """The function that was running; "" outside all functions."""

    @property
    def words(self) -> str:
        """The frame as in a message: ``placeForests (maps/random/wild.js:31)``."""
        position = f"{self.path}:{self.line}"
        if self.name:
            return f"{self.name} ({position})"
        return position


class ScriptFailedError(Exception):
    """The fault of a script, which ends its run. It becomes a problem in the parent process.

    ``frame`` is where the script failed, None if that is not known.
    """

    def __init__(self, code: str, message: str, frame: Frame | None = None) -> None:
        super().__init__(message)
        self.code = code
        """The code of the problem, such as "script-error"."""
        self.message = message
        self.frame = frame

    def with_own_column(self, heads: Mapping[str, int]) -> ScriptFailedError:
        """Return this error with its column in the text of the script as its author wrote it.

        ``heads`` are the lengths of the texts that were put before the first lines of files
        (``module_linking.head_of``), by path.
        """
        frame = self.frame
        if frame is None or frame.line != 1:
            return self
        column = max(1, frame.column - heads.get(frame.path, 0))
        return ScriptFailedError(self.code, self.message, frame._replace(column=column))


def describe_fault(
    text: str, stack: str, script_path: str, failed_at: Frame | None = None
) -> ScriptFailedError:
    """Return the fault of a thrown error with its text and stack.

    Its position is ``failed_at``. If that is None, it is the innermost frame in the file
    ``script_path``, which its author can mend, or else the innermost of all. The message names the
    frames of the stack if it has more than that one.
    """
    frames = _frames_of(stack)
    if failed_at is None and frames:
        failed_at = frames[0]
        for frame in frames:
            if frame.path == script_path:
                failed_at = frame
                break

    message = shorten_text(text)
    # A single frame that is ``failed_at`` itself would repeat the position of the problem.
    if frames and frames != [failed_at]:
        steps = "; called by ".join(frame.words for frame in frames[:MAX_FRAMES])
        message += f" — in {steps}"
    return ScriptFailedError("script-error", message, failed_at)


def _frames_of(stack: str) -> list[Frame]:
    """Return the frames of a stack that lie in scripts, the innermost first."""
    frames = []
    for match in _FRAME.finditer(stack):
        name = match["name"] or ""
        frames.append(Frame(match["path"], int(match["line"]), int(match["column"]), name))
    return frames


def fault_in_engine(report: str, script_path: str, parsed_path: str) -> ScriptFailedError:
    """Return the fault for the report with which V8 ended a script.

    V8 writes path and line with the text of the error, which can have several lines; then the line
    of the script, carets below it, and the stack:

        maps/random/wild.js:3: SyntaxError: Unexpected token
        let a = ;
                ^
        ...

    ``parsed_path`` is the file that was being parsed: V8 does not name it. ``script_path`` is as
    for ``describe_fault``.
    """
    lines = report.split("\n")
    match = _FIRST_LINE.fullmatch(lines[0])
    caret_line = _index_of_carets(lines)
    if match is None or caret_line is None:
        return ScriptFailedError("script-error", shorten_text(report))
    script_line = caret_line - 1
    text = "\n".join([match["text"], *lines[1:script_line]])
    stack = "\n".join(lines[caret_line + 1 :]).strip("\n")
    if not stack:
        text = f"threw {text}"  # any value can be thrown, and only an Error has a stack
    text = text.replace("[object Object]", "an object that is no Error")
    failed_at = None
    if not _FRAME.search(stack):
        # Without a stack the first line and the carets tell the position.
        path = match["path"]
        if path in ("<anonymous>", "undefined"):
            path = parsed_path
        failed_at = Frame(path, int(match["line"]), lines[caret_line].index("^") + 1)
    return describe_fault(text, stack, script_path, failed_at)


def _index_of_carets(lines: list[str]) -> int | None:
    """Return the index of the line of carets, None if there is none.

    An error and a line of the script stand above it.
    """
    for index, line in enumerate(lines):
        if index > 1 and _CARETS.fullmatch(line):
            return index
    return None


def shorten_text(text: str) -> str:
    """Return a text in one line, cut after ``MAX_CHARACTERS``."""
    # Cut before it is split: a script can throw a text of any length.
    line = " ".join(text[: 2 * MAX_CHARACTERS].split())
    if len(line) <= MAX_CHARACTERS:
        return line
    return f"{line[:MAX_CHARACTERS]} …"
