"""The header of a mapfile: what every file of Xconq begins with, whatever sections follow.

The header of a file with a map and units, which needs a period that is a file of its own::

    Xconq 1 --+--+ Two islands;      n FLAGS description: ``;`` at its end announces notes
    Made for two players.            notes, up to the line that is exactly ``.``
    .
    naval.per                        the names of the n files to be loaded before, a line each

FLAGS are six of ``+`` and ``-``: the sections that follow, in the order of ``SECTIONS``.
``1-Xconq`` is accepted as the first word, too. ``read_header`` reads it, ``MapfileHeader.text``
writes it; ``decode`` and ``encode`` are between bytes and text.
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

_FIRST_WORDS = re.compile(
    r"""
    \s* (?P<magic> \S+ )
    (?:
        \s+ (?P<count> \S+ )                 # of the included files
        (?: [ \t]+ (?P<flags> \S+ ) )?
    )?
    """,
    re.VERBOSE,
)
"""The words of the first line before the description."""

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

UNTITLED_PERIOD = f"Untitled{PERIOD_SUFFIX}"
"""The name of a new period that no file has yet."""

PERIOD_ALONE = "p"
"""The sections of a file with a period and nothing else, which is a script."""

LARGEST_FILE = 2**22
"""In bytes. A map of the largest size without run lengths has a million."""

MOST_INCLUDES = 16
"""The most files that one file includes: the document's "up to 16 or so in all"."""

_MANY_INCLUDES = 10**9
"""Stands for every number of included files with nine digits and more."""


@dataclass(frozen=True, slots=True)
class MapfileHeader:
    """The header of a mapfile."""

    sections: str
    """The letters of the sections that follow, in the order of ``SECTIONS``."""

    description: str = ""
    """The rest of the first line, without the ``;`` that announces notes."""

    blanks: int = 1
    """The number of blanks between the flags and the description."""

    notes: tuple[str, ...] = ()
    """The lines of the notes, without the one that ends them."""

    includes: tuple[str, ...] = ()
    """The names of the files that are loaded before."""

    next_line: int = 1
    """The index of the line after the header among the lines of the file."""

    def text(self) -> str:
        """Return the header as it is written, with its last line end."""
        flags = ""
        for letter in SECTIONS:
            if letter in self.sections:
                flags += "+"
            else:
                flags += "-"
        first_line = f"{MAGIC} {len(self.includes)} {flags}{' ' * self.blanks}{self.description}"
        if self.notes:
            lines = [f"{first_line};", *self.notes, "."]
        else:
            # A ``;`` at the end would announce notes.
            lines = [first_line.rstrip(";")]
        return "".join(f"{line}\n" for line in (*lines, *self.includes))


def is_mapfile(data: bytes | str) -> bool:
    """Return whether data begin with the first word of a mapfile."""
    words = _start(data, 20).split()
    return len(words) > 0 and words[0] in _MAGICS


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
    """Return the text of a mapfile's bytes, which are Latin-1, and the problems of the bytes.

    Its lines end with LF. The text is "" for bytes that are no text, with an error.
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
    reader = _HeaderReader(lines, path)
    try:
        header = reader.read()
    except _UnreadableHeaderError:
        header = None
    return header, tuple(reader.problems)


class _UnreadableHeaderError(Exception):
    """The header cannot be read; the problems are in the reader."""


class _HeaderReader:
    """Reads a header from line to line. A method that finds an error raises, after adding it."""

    def __init__(self, lines: Sequence[str], path: str | None) -> None:
        self.problems: list[Problem] = []
        self._lines = lines
        self._path = path
        self._first_line = ""
        if lines:
            self._first_line = lines[0]

    def read(self) -> MapfileHeader:
        """Return the header. Raises _UnreadableHeaderError."""
        words = self._match_first_words()
        self._check_include_count(words)
        flags = self._read_flags(words)
        self._warn_of_fork(words)
        self._warn_of_short_flags(words)

        behind_flags = self._first_line[words.end("flags") :]
        description = behind_flags.lstrip(" \t")
        blanks = len(behind_flags) - len(description)
        notes: tuple[str, ...] = ()
        next_line = 1
        if description.endswith(";"):
            description = description[:-1]
            end_of_notes = self._end_of_notes(words, flags)
            notes = tuple(self._lines[1:end_of_notes])
            next_line = end_of_notes + 1

        includes = self._read_includes(words, next_line)
        next_line += len(includes)
        return MapfileHeader(_sections(flags), description, blanks, notes, includes, next_line)

    def _match_first_words(self) -> re.Match[str]:
        """Match the first three words of the first line; the second and third may be missing."""
        match = _FIRST_WORDS.match(self._first_line)
        if match is None or match["magic"] not in _MAGICS:
            raise self._unreadable(_wrong_magic(self._first_line, self._path))
        return match

    def _warn_of_fork(self, words: re.Match[str]) -> None:
        """Warn of the first word of a later fork."""
        if words["magic"] != LATER_MAGIC:
            return
        message = (
            f"“{LATER_MAGIC}” begins the files of a later fork of Xconq, whose globals, sides and "
            "units have further numbers; it is read as a file of Xconq 5"
        )
        column = words.start("magic") + 1
        end_column = words.end("magic") + 1
        fix = Fix(f"write “{MAGIC}”", (TextEdit(1, column, 1, end_column, MAGIC),))
        span = (self._path, 1, column, 1, end_column)
        self.problems.append(Problem(Severity.WARNING, "later-fork", message, *span, fix))

    def _check_include_count(self, words: re.Match[str]) -> None:
        """Check that the second word is the number of included files."""
        if words["count"] is not None and words["count"].isdecimal():
            return
        message = "After “Xconq” stands the number of files to be loaded before, 0 for none"
        raise self._unreadable(self._error_from("header-number", message, words, "count"))

    def _read_flags(self, words: re.Match[str]) -> str:
        """Return the third word, the flags; there may be less than six of them."""
        flags = words["flags"]
        if flags is None or set(flags) - {"+", "-"} or len(flags) > len(SECTIONS):
            message = (
                "After the number stand six flags, each + or -: version, period, map, globals, "
                "sides, units"
            )
            raise self._unreadable(self._error_from("header-flags", message, words, "flags"))
        return flags

    def _warn_of_short_flags(self, words: re.Match[str]) -> None:
        """Warn of less than six flags."""
        if len(words["flags"]) < len(SECTIONS):
            column = words.start("flags") + 1
            self.problems.append(_short_flags(words["flags"], self._path, column))

    def _end_of_notes(self, words: re.Match[str], flags: str) -> int:
        """Return the index of the line that ends the notes, which begin in the second line."""
        for index in range(1, len(self._lines)):
            if self._lines[index] == ".":
                return index
        raise self._unreadable(
            _endless_notes(self._lines, _include_count(words), flags, self._path)
        )

    def _read_includes(self, words: re.Match[str], first: int) -> tuple[str, ...]:
        """Return the names of the included files, which begin at the index ``first``."""
        count = _include_count(words)
        files = counted(count, "file")
        message = ""
        if count > MOST_INCLUDES:
            message = (
                f"The header announces {files} to be loaded before; {MOST_INCLUDES} are the most"
            )
        elif count > len(self._lines) - first:
            message = f"The header announces {files}, but the text ends before"
        if message:
            column = words.start("count") + 1
            end_column = words.end("count") + 1
            raise self._unreadable(_error("includes", message, self._path, 1, column, end_column))

        section_words = set(filter(None, SECTION_WORDS.values()))
        names = tuple(line.strip() for line in self._lines[first : first + count])
        for index, name in enumerate(names, first):
            if not name or name.split(maxsplit=1)[0] in section_words:
                message = f"Here stands the name of a file: the header announces {files}"
                end_column = len(self._lines[index]) + 1
                raise self._unreadable(
                    _error("include-name", message, self._path, index + 1, 1, end_column)
                )
        return names

    def _unreadable(self, problem: Problem) -> _UnreadableHeaderError:
        """Add an error and return the exception to be raised."""
        self.problems.append(problem)
        return _UnreadableHeaderError()

    def _error_from(self, code: str, message: str, words: re.Match[str], group: str) -> Problem:
        """Return an error from the start of a word to the end of the first line.

        A word that is missing would stand at the end.
        """
        end = len(self._first_line)
        start = end
        if words[group] is not None:
            start = words.start(group)
        return _error(code, message, self._path, 1, start + 1, end + 1)


def _sections(flags: str) -> str:
    """Return the letters of the sections whose flag is set; flags that are missing count as -."""
    pairs = zip(SECTIONS, flags, strict=False)
    return "".join(letter for letter, flag in pairs if flag == "+")


def _wrong_magic(first_line: str, path: str | None) -> Problem:
    """Return the error of a file that begins with another word; its fix mends wrong capitals."""
    word = ""
    words = first_line.split(maxsplit=1)
    if words:
        word = words[0]
    fix = None
    if word.lower() in {magic.lower() for magic in _MAGICS}:
        column = first_line.index(word) + 1
        edit = TextEdit(1, column, 1, column + len(word), MAGIC)
        fix = Fix(f"write “{MAGIC}”", (edit,))
    message = f"A mapfile begins with the word “{MAGIC}”, large and small letters as here"
    return _error("header-word", message, path, 1, 1, len(word) + 1, fix)


def _short_flags(flags: str, path: str | None, column: int) -> Problem:
    """Return the warning about less than six flags, which begin at ``column``."""
    message = (
        f"Of the flags for version, period, map, globals, sides and units "
        f"{there_are(len(flags), 'flag')} only; the missing ones count as -"
    )
    end = column + len(flags)
    edit = TextEdit(1, end, 1, end, "-" * (len(SECTIONS) - len(flags)))
    fix = Fix("add the missing flags", (edit,))
    return Problem(Severity.WARNING, "header-flags", message, path, 1, column, 1, end, fix)


def _include_count(words: re.Match[str]) -> int:
    """Return how many included files the first line announces, at most ``_MANY_INCLUDES``."""
    if len(words["count"]) < 9:
        return int(words["count"])
    return _MANY_INCLUDES  # Python refuses numbers of thousands of digits


def _endless_notes(lines: Sequence[str], includes: int, flags: str, path: str | None) -> Problem:
    """Return the error of notes without an end.

    Its fix ends them before the lines that look like included files and sections.
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

    Behind the notes stand the names of included files, then the first section. So the line is
    reckoned back from the word that begins the section, or else from the last line that looks like
    a file's name. 0, the line with the description, if nothing helps: then there are no notes.
    """
    sections = _sections(flags)
    if sections and sections[0] != "v":
        word = re.compile(rf"{SECTION_WORDS[sections[0]]}\s+-?\d")
        for index, line in enumerate(lines):
            if index > includes and word.match(line):
                return index - includes - 1
    if includes:
        # A name has no blank, and usually a suffix.
        for index in range(len(lines) - 1, 0, -1):
            if re.fullmatch(r"\S+\.(?:map|per|scn)", lines[index]):
                return max(0, index - includes)
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
    """Return an error in one line, which marks at least one character."""
    end_column = max(end_column, column + 1)
    return Problem(Severity.ERROR, code, message, path, line, column, line, end_column, fix)
