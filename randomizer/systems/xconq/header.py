"""The header of a mapfile: what every file of Xconq begins with, whatever sections follow.

``Xconq n FLAGS description``, notes if the description ends in ``;`` (lines up to one that is
exactly ``.``), then the names of n files to be loaded before, a line each. FLAGS are six of ``+``
and ``-``: the sections that follow, in the order of ``SECTIONS``. ``1-Xconq`` is accepted, too.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass

from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.problems import Fix, Problem, Severity, TextEdit

MAGIC = "Xconq"
LATER_MAGIC = "1-Xconq"
"""How a later fork of Xconq 5 begins its files; some of its sections have further numbers."""
_MAGICS = (MAGIC, LATER_MAGIC)

SECTION_WORDS = {
    "v": "",
    "p": "Period",
    "m": "Map",
    "g": "Globals",
    "s": "Sides",
    "u": "Units",
}
"""The word that each section begins with, by its letter in the save string, in the order of the
flags; the version has none."""

SECTIONS = "".join(SECTION_WORDS)
"""The letters of the sections in the order of the flags."""

PERIOD_SUFFIX = ".per"

PERIOD_ALONE = "p"
"""The sections of a file with a period and nothing else, which is a script."""

LARGEST_FILE = 2**22
"""In bytes. A map of the largest size without run lengths has a million."""

MOST_INCLUDES = 16
"""Of one file: the document's "up to 16 or so in all"."""


@dataclass(frozen=True, slots=True)
class MapfileHeader:
    """The header of a mapfile. ``sections`` are the letters of those that follow, in order.

    ``blanks`` stand between the flags and the description. ``next_line`` is the index of the line
    after the header among the lines of the file.
    """

    sections: str
    description: str = ""
    blanks: int = 1
    notes: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    next_line: int = 1

    def text(self) -> str:
        """Return the header as it is written, with its last line end."""
        flags = "".join("+" if letter in self.sections else "-" for letter in SECTIONS)
        if not self.notes:
            description = self.description.rstrip(";")
        else:
            description = self.description
        first = f"{MAGIC} {len(self.includes)} {flags}{' ' * self.blanks}{description}"
        if self.notes:
            notes = (f"{first};", *self.notes, ".")
        else:
            notes = (first,)
        return "".join(f"{line}\n" for line in (*notes, *self.includes))


def is_mapfile(data: bytes | str) -> bool:
    """Return whether data begin as a mapfile does; the letters of the first word count."""
    start = _start(data, 20)
    return start.split(maxsplit=1)[:1] != [] and start.split()[0] in _MAGICS


def sections_of(data: bytes | str) -> str | None:
    """Return the letters of the sections that a mapfile's first line announces; None: no
    mapfile.
    """
    start = _start(data, 1000)
    words = start.split("\n", 1)[0].split()
    if len(words) < 3 or words[0] not in _MAGICS or not words[1].isdecimal():
        return None
    return _sections(words[2])


def _start(data: bytes | str, length: int) -> str:
    """Return the first characters of data without a byte order mark."""
    if isinstance(data, str):
        return data[:length]
    return data[: length + len(BOM_UTF8)].removeprefix(BOM_UTF8).decode("latin-1")[:length]


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a mapfile's bytes (Latin-1) with LF as line ends, and problems of the
    bytes.
    """
    text = data.removeprefix(BOM_UTF8).decode("latin-1")
    if "\0" in text:
        return "", (_error("binary", "this is no text: it has null characters", path, 1, 1, 1),)
    if data.startswith(BOM_UTF8):
        message = (
            "The file begins with a byte order mark, which Xconq does not know: it is left out"
        )
        mark = (Problem(Severity.WARNING, "byte-order-mark", message, path, 1, 1),)
        text, problems = decode(data.removeprefix(BOM_UTF8), path)
        return text, (*mark, *problems)
    if "\r" not in text:
        return text, ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    message = (
        "The lines end with a carriage return and a line feed; Xconq wants line feeds alone, "
        "and they are written so"
    )
    return text, (Problem(Severity.WARNING, "line-ends", message, path, 1, 1),)


def encode(text: str) -> bytes:
    """Return the bytes of a mapfile's text; characters that Latin-1 lacks become ``?``."""
    return text.encode("latin-1", "replace")


def read_header(
    lines: Sequence[str], path: str | None = None
) -> tuple[MapfileHeader | None, tuple[Problem, ...]]:
    """Return the header of a file with these lines, and its problems; None with errors."""
    first = lines[0] if lines else ""
    match = re.match(r"\s*(\S+)(?:\s+(\S+)(?:[ \t]+(\S+))?)?", first)
    if match is None or match[1] not in _MAGICS:
        return None, (_wrong_magic(lines, path),)
    if match[2] is None or not match[2].isdecimal():
        message = "After “Xconq” stands the number of files to be loaded before, 0 for none"
        start = match.start(2) if match[2] else len(first)
        return None, (_error("header-number", message, path, 1, start + 1, len(first) + 1),)
    if match[3] is None or set(match[3]) - {"+", "-"} or len(match[3]) > len(SECTIONS):
        message = (
            "After the number stand six flags, each + or -: version, period, map, globals, "
            "sides, units"
        )
        start = match.start(3) if match[3] else len(first)
        return None, (_error("header-flags", message, path, 1, start + 1, len(first) + 1),)
    problems: list[Problem] = []
    if match[1] == LATER_MAGIC:
        message = (
            f"“{LATER_MAGIC}” begins the files of a later fork of Xconq, whose globals, sides and "
            "units have further numbers; it is read as a file of Xconq 5"
        )
        edit = TextEdit(1, match.start(1) + 1, 1, match.end(1) + 1, MAGIC)
        fix = Fix(f"write “{MAGIC}”", (edit,))
        span = (path, 1, match.start(1) + 1, 1, match.end(1) + 1)
        problems.append(Problem(Severity.WARNING, "later-fork", message, *span, fix))
    flags = match[3]
    if len(flags) < len(SECTIONS):
        problems.append(_short_flags(flags, path, match.start(3) + 1))
    tail = first[match.end(3) :]
    description = tail.lstrip(" \t")
    blanks = len(tail) - len(description)
    at = 1
    notes: tuple[str, ...] = ()
    if description.endswith(";"):
        end = _end_of_notes(lines)
        if end is None:
            return None, (*problems, _endless_notes(lines, int(match[2]), flags, path))
        notes = tuple(lines[1:end])
        at = end + 1
        description = description[:-1]
    number = int(match[2]) if len(match[2]) < 9 else 10**9
    if number > MOST_INCLUDES or number > len(lines) - at:
        if number > MOST_INCLUDES:
            message = (
                f"The header announces {counted(number, 'file')} to be loaded before; "
                f"{MOST_INCLUDES} are the most"
            )
        else:
            message = f"The header announces {counted(number, 'file')}, but the text ends before"
        problems.append(_error("includes", message, path, 1, match.start(2) + 1, match.end(2) + 1))
        return None, tuple(problems)
    includes = tuple(line.strip() for line in lines[at : at + number])
    for line, name in enumerate(includes, at + 1):
        if not name or name.split(maxsplit=1)[0] in filter(None, SECTION_WORDS.values()):
            message = (
                f"Here stands the name of a file: the header announces {counted(number, 'file')}"
            )
            problems.append(
                _error("include-name", message, path, line, 1, len(lines[line - 1]) + 1)
            )
            return None, tuple(problems)
    header = MapfileHeader(_sections(flags), description, blanks, notes, includes, at + number)
    return header, tuple(problems)


def _sections(flags: str) -> str:
    pairs = zip(SECTIONS, flags, strict=False)
    return "".join(letter for letter, flag in pairs if flag == "+")


def _end_of_notes(lines: Sequence[str]) -> int | None:
    """Return the index of the line that ends the notes, None if there is none."""
    return next((i for i in range(1, len(lines)) if lines[i] == "."), None)


def _wrong_magic(lines: Sequence[str], path: str | None) -> Problem:
    first = lines[0] if lines else ""
    word = first.split(maxsplit=1)[0] if first.split() else ""
    fix = None
    if word.lower() in {magic.lower() for magic in _MAGICS}:
        start = first.index(word) + 1
        edit = TextEdit(1, start, 1, start + len(word), MAGIC)
        fix = Fix(f"write “{MAGIC}”", (edit,))
    message = f"A mapfile begins with the word “{MAGIC}”, large and small letters as here"
    return _error("header-word", message, path, 1, 1, len(word) + 1, fix)


def _short_flags(flags: str, path: str | None, column: int) -> Problem:
    message = (
        f"Of the flags for version, period, map, globals, sides and units "
        f"{there_are(len(flags), 'flag')} only; the missing ones count as -"
    )
    end = column + len(flags)
    edit = TextEdit(1, end, 1, end, "-" * (len(SECTIONS) - len(flags)))
    fix = Fix("add the missing flags", (edit,))
    return Problem(Severity.WARNING, "header-flags", message, path, 1, column, 1, end, fix)


def _endless_notes(lines: Sequence[str], includes: int, flags: str, path: str | None) -> Problem:
    """Return the problem of notes without an end; its fix ends them before what looks like
    sections.
    """
    line = _last_note(lines, includes, flags) + 1
    edit = TextEdit(line, len(lines[line - 1]) + 1, line, len(lines[line - 1]) + 1, "\n.")
    fix = Fix(f"end the notes with a line “.” after line {line}", (edit,))
    message = (
        "The description ends with “;”, so notes follow up to a line that is only “.”; "
        "there is no such line"
    )
    end = len(lines[0]) + 1
    return _error("notes-without-end", message, path, 1, end - 1, end, fix)


def _last_note(lines: Sequence[str], includes: int, flags: str) -> int:
    """Return the index of the line that most likely is the last of notes without an end.

    The names of included files stand behind it, then the first section, which its word shows.
    """
    sections = _sections(flags)
    if sections and sections[0] != "v":
        word = re.compile(rf"{SECTION_WORDS[sections[0]]}\s+-?\d")
        for i, line in enumerate(lines):
            if i > includes and word.match(line):
                return i - includes - 1
    if includes:  # a name has no blank, and usually a suffix
        for i in range(len(lines) - 1, 0, -1):
            if re.fullmatch(r"\S+\.(?:map|per|scn)", lines[i]):
                return max(0, i - includes)
    return 0


def _error(
    code: str,
    message: str,
    path: str | None,
    line: int,
    column: int,
    end_column: int,
    fix: Fix | None = None,
) -> Problem:
    end_column = max(end_column, column + 1)
    return Problem(Severity.ERROR, code, message, path, line, column, line, end_column, fix)
