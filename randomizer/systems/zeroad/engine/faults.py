"""What went wrong in a script: from V8's words to a place and a message."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

_FIRST_LINE = re.compile(r"(?P<path>[^:]*):(?P<line>\d+): (?P<text>.*)")
_CARETS = re.compile(r"[\t ]*\^+ *")
_FRAME = re.compile(
    r"^ +at (?:(?P<name>[^\n(]+?) \()?(?P<path>(?:maps|globalscripts|simulation)/[^\n:()]+)"
    r":(?P<line>\d+):(?P<column>\d+)\)?$",
    re.MULTILINE,
)
TOO_MUCH_MEMORY = "the script needs too much memory"
MOST_FRAMES = 6
MOST_CHARACTERS = 500


class Frame(NamedTuple):
    """A place in a file of a script; line and column count from 1."""

    path: str
    line: int
    column: int
    name: str = ""

    @property
    def words(self) -> str:
        """The words for a message."""
        place = f"{self.path}:{self.line}"
        if self.name:
            return f"{self.name} ({place})"
        return place


class ScriptFailedError(Exception):
    """Ends the run of a script. ``place`` is None if it is not known."""

    def __init__(self, code: str, message: str, place: Frame | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place

    def moved(self, heads: Mapping[str, int]) -> ScriptFailedError:
        """Return the same, where the first lines of files began with so many characters not their
        own.
        """
        if self.place is not None and self.place.line == 1:
            column = max(1, self.place.column - heads.get(self.place.path, 0))
            self.place = self.place._replace(column=column)
        return self


def describe_fault(
    text: str, stack: str, script: str, place: Frame | None = None
) -> ScriptFailedError:
    """Return the fault of a thrown error with its text and stack.

    Its place is the innermost one in the file ``script``, else the innermost of all.
    """
    frames = [
        Frame(each["path"], int(each["line"]), int(each["column"]), each["name"] or "")
        for each in _FRAME.finditer(stack)
    ]
    own = [frame for frame in frames if frame.path == script]
    place = place or next(iter(own or frames), None)
    message = shorten_text(text)
    if frames and (frames[0] != place or len(frames) > 1):
        steps = "; called by ".join(frame.words for frame in frames[:MOST_FRAMES])
        message += f" — in {steps}"
    return ScriptFailedError("script-error", message, place)


def fault_in_engine(words: str, script: str, parsed: str) -> ScriptFailedError:
    """Return the fault that V8 reported for a script that threw, or for ``parsed`` that it cannot
    parse.

    ``script`` is as for ``describe_fault``.
    """
    lines = words.split("\n")
    match = _FIRST_LINE.fullmatch(lines[0])
    # The message, which can have several lines, the line of the script, carets, the stack.
    carets = next((at for at, line in enumerate(lines) if at > 1 and _CARETS.fullmatch(line)), None)
    if match is None or carets is None:
        return ScriptFailedError("script-error", shorten_text(words))
    text = "\n".join([match["text"], *lines[1 : carets - 1]])
    stack = "\n".join(lines[carets + 1 :]).strip("\n")
    text = text if stack else f"threw {text}"
    text = text.replace("[object Object]", "an object that is no Error")
    place = None
    if not _FRAME.search(stack):
        if match["path"] in ("<anonymous>", "undefined"):
            path = parsed
        else:
            path = match["path"]
        place = Frame(path, int(match["line"]), lines[carets].index("^") + 1)
    return describe_fault(text, stack, script, place)


def shorten_text(text: str) -> str:
    """Return one line of at most ``MOST_CHARACTERS``."""
    line = " ".join(text[: 2 * MOST_CHARACTERS].split())
    if len(line) <= MOST_CHARACTERS:
        return line
    return f"{line[:MOST_CHARACTERS]} …"
