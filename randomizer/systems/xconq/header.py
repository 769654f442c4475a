"""The header of a mapfile: what every file of Xconq begins with, whatever sections follow.

A *mapfile* is a text of a map, a period or a saved game; a *section* is a part of it with one of
these, and has a letter: "v" version, "p" period, "m" map, "g" globals, "s" sides, "u" units.

The header of a file with a map and units, which needs a period that is a file of its own::

    Xconq 1 --+--+ Two islands;      n FLAGS description: ``;`` at its end announces notes
    Made for two players.            notes, up to the line that is exactly ``.``
    .
    naval.per                        the names of the n files to be loaded before, a line each

FLAGS are six of ``+`` and ``-``: the sections that follow, in the order of ``SECTIONS``. In this
file, ``--+--+``, these are map and units. ``read_header`` reads a header, ``MapfileHeader.text``
writes it; ``decode`` and ``encode`` are between bytes and text.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.problems import Fix, Problem, ProblemError, Severity, TextEdit

MAGIC = "Xconq"
"""The first word of a mapfile."""

LATER_MAGIC = "1-Xconq"
"""The first word in files of a later fork of Xconq 5; some of their sections have further numbers.
"""

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
"""The words of the first line before the description, of which the last ones may be missing."""

SECTION_WORDS = {
    "v": "",
    "p": "Period",
    "m": "Map",
    "g": "Globals",
    "s": "Sides",
    "u": "Units",
}
"""The word that each section begins with, by its letter, in the order of the flags.

The version is a single line without such a word.
"""

SECTIONS = "".join(SECTION_WORDS)
"""The letters of the sections in the order of the flags."""

PERIOD_SUFFIX = ".per"

UNTITLED_PERIOD = f"Untitled{PERIOD_SUFFIX}"
"""The name of a new period that no file has yet."""

PERIOD_ALONE = "p"
"""The sections of a file with a period and nothing else, which is a script."""

LARGEST_FILE = 2**22
"""The most bytes of a mapfile. A map of the largest size without run lengths has a million."""

MAX_INCLUDES = 16
"""The most files that one file includes: the document's "up to 16 or so in all"."""

_DIGITS_OF_MANY = 9
"""Numbers of included files with so many digits and more are not converted.

Python refuses to convert thousands of digits.
"""

_MANY_INCLUDES = 10**9
"""What such a number is read as."""

_FIRST_WORD_LENGTH = 20
"""The first characters in which the first word of a mapfile is."""

_FIRST_LINE_LENGTH = 1000
"""The first characters in which the first words of the first line are."""


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


# --- bytes and text -------------------------------------------------------------------------------


def is_mapfile(data: bytes | str) -> bool:
    """Return whether data begin with the first word of a mapfile."""
    words = _first_characters(data, _FIRST_WORD_LENGTH).split()
    return len(words) > 0 and words[0] in _MAGICS


def sections_of(data: bytes | str) -> str | None:
    """Return the letters of the sections that a mapfile's first line announces.

    None if the data are no mapfile.
    """
    words = _first_characters(data, _FIRST_LINE_LENGTH).split("\n", 1)[0].split()
    if len(words) < 3 or words[0] not in _MAGICS or not words[1].isdecimal():
        return None
    return _letters_of(words[2])


def _first_characters(data: bytes | str, length: int) -> str:
    """Return the first characters of data without a byte order mark."""
    if isinstance(data, str):
        return data[:length]
    return data[: length + len(BOM_UTF8)].removeprefix(BOM_UTF8).decode("latin-1")[:length]


def decode(data: bytes, path: str | None = None) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of a mapfile's bytes, which are Latin-1, and the problems of the bytes.

    Its lines end with LF. The text is "" for bytes that are no text, with an error.
    """
    problems = []
    while data.startswith(BOM_UTF8):
        data = data.removeprefix(BOM_UTF8)
        message = (
            "The file begins with a byte order mark, which Xconq does not know: it is left out"
        )
        problems.append(Problem(Severity.WARNING, "byte-order-mark", message, path, 1, 1))
    text = data.decode("latin-1")
    if "\0" in text:
        message = "this is no text: it has null characters"
        return "", (_error("binary", message, 1, 1, 1).at_path(path),)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        message = (
            "The lines end with a carriage return and a line feed; Xconq wants line feeds alone, "
            "and they are written so"
        )
        problems.append(Problem(Severity.WARNING, "line-ends", message, path, 1, 1))
    return text, tuple(problems)


def encode(text: str) -> bytes:
    """Return the bytes of a mapfile's text; characters that Latin-1 lacks become ``?``."""
    return text.encode("latin-1", "replace")


# --- reading a header -----------------------------------------------------------------------------


def read_header(
    lines: Sequence[str], path: str | None = None
) -> tuple[MapfileHeader | None, tuple[Problem, ...]]:
    """Return the header of a file with these lines, and its problems; None with errors."""
    first_text = ""
    if lines:
        first_text = lines[0]
    header = None
    problems: list[Problem] = []
    try:
        first_line = _read_first_line(first_text)
        problems += _warnings_of(first_line)
        header = _read_further_lines(first_line, lines)
    except ProblemError as unreadable:
        problems += unreadable.problems
    return header, tuple(problem.at_path(path) for problem in problems)


class _Word(NamedTuple):
    """A word of the first line."""

    text: str

    column: int
    """The column of its first character, from 1."""

    @property
    def end_column(self) -> int:
        """The column behind its last character."""
        return self.column + len(self.text)


@dataclass(frozen=True)
class _FirstLine:
    """The first line of a mapfile: ``Xconq 1 --+--+ Two islands;``."""

    magic: _Word

    count: _Word
    """The number of included files."""

    flags: _Word
    """At most six of ``+`` and ``-``."""

    blanks: int
    """The number of blanks before the description."""

    description: str
    """The rest of the line, without the ``;`` that announces notes."""

    announces_notes: bool

    @property
    def include_count(self) -> int:
        """The number of included files, at most ``_MANY_INCLUDES``."""
        if len(self.count.text) < _DIGITS_OF_MANY:
            return int(self.count.text)
        return _MANY_INCLUDES


def _read_first_line(text: str) -> _FirstLine:
    """Return the parts of a first line. Raises ProblemError for one that cannot be read."""
    match = _FIRST_WORDS.match(text)
    magic = _word(match, "magic")
    if match is None or magic is None or magic.text not in _MAGICS:
        raise ProblemError(_wrong_magic(text))
    # A word that is missing would stand at the end of the line.
    end_of_line = _Word("", len(text) + 1)

    count = _word(match, "count")
    if count is None or not count.text.isdecimal():
        message = "After “Xconq” stands the number of files to be loaded before, 0 for none"
        column = (count or end_of_line).column
        raise ProblemError(_error("header-number", message, 1, column, end_of_line.column))

    flags = _word(match, "flags")
    if flags is None or set(flags.text) - {"+", "-"} or len(flags.text) > len(SECTIONS):
        message = (
            "After the number stand six flags, each + or -: version, period, map, globals, "
            "sides, units"
        )
        column = (flags or end_of_line).column
        raise ProblemError(_error("header-flags", message, 1, column, end_of_line.column))

    behind_flags = text[match.end("flags") :]
    description = behind_flags.lstrip(" \t")
    return _FirstLine(
        magic=magic,
        count=count,
        flags=flags,
        blanks=len(behind_flags) - len(description),
        description=description.removesuffix(";"),
        announces_notes=description.endswith(";"),
    )


def _word(match: re.Match[str] | None, group: str) -> _Word | None:
    """Return a word of the first line, None if it is missing."""
    if match is None or match[group] is None:
        return None
    return _Word(match[group], match.start(group) + 1)


def _letters_of(flags: str) -> str:
    """Return the letters of the sections whose flag is set; flags that are missing count as -."""
    pairs = zip(SECTIONS, flags, strict=False)
    return "".join(letter for letter, flag in pairs if flag == "+")


def _wrong_magic(first_line: str) -> Problem:
    """Return the error of a file that begins with another word; its fix mends wrong capitals.

    An empty period is read as a script, which nobody has refused before as an empty file.
    """
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
    if not word:
        message = f"The first line is empty: a period or mapfile begins with the word “{MAGIC}”"
    return _error("header-word", message, 1, 1, len(word) + 1, fix)


def _warnings_of(first_line: _FirstLine) -> list[Problem]:
    """Return the warnings about a first line that can be read: of a fork, and of missing flags."""
    warnings = []
    magic = first_line.magic
    if magic.text == LATER_MAGIC:
        message = (
            f"“{LATER_MAGIC}” begins the files of a later fork of Xconq, whose globals, sides and "
            "units have further numbers; it is read as a file of Xconq 5"
        )
        edit = TextEdit(1, magic.column, 1, magic.end_column, MAGIC)
        fix = Fix(f"write “{MAGIC}”", (edit,))
        span = (None, 1, magic.column, 1, magic.end_column)
        warnings.append(Problem(Severity.WARNING, "later-fork", message, *span, fix))

    flags = first_line.flags
    missing_flags = "-" * (len(SECTIONS) - len(flags.text))
    if missing_flags:
        message = (
            f"Of the flags for version, period, map, globals, sides and units "
            f"{there_are(len(flags.text), 'flag')} only; the missing ones count as -"
        )
        edit = TextEdit(1, flags.end_column, 1, flags.end_column, missing_flags)
        fix = Fix("add the missing flags", (edit,))
        span = (None, 1, flags.column, 1, flags.end_column)
        warnings.append(Problem(Severity.WARNING, "header-flags", message, *span, fix))
    return warnings


def _read_further_lines(first_line: _FirstLine, lines: Sequence[str]) -> MapfileHeader:
    """Return the header with its notes and included files, which stand behind its first line.

    Raises ProblemError if these cannot be read.
    """
    notes: tuple[str, ...] = ()
    next_line = 1
    if first_line.announces_notes:
        if "." not in lines[1:]:
            raise ProblemError(_endless_notes(first_line, lines))
        end_of_notes = lines.index(".", 1)
        notes = tuple(lines[1:end_of_notes])
        next_line = end_of_notes + 1
    includes = _read_includes(first_line, lines, next_line)
    return MapfileHeader(
        sections=_letters_of(first_line.flags.text),
        description=first_line.description,
        blanks=first_line.blanks,
        notes=notes,
        includes=includes,
        next_line=next_line + len(includes),
    )


def _read_includes(
    first_line: _FirstLine, lines: Sequence[str], first_index: int
) -> tuple[str, ...]:
    """Return the names of the included files, which begin at the line with this index.

    Raises ProblemError for a number of them that cannot be right, and for a line without a name.
    """
    count = first_line.include_count
    files = counted(count, "file")
    message = ""
    if count > MAX_INCLUDES:
        message = f"The header announces {files} to be loaded before; {MAX_INCLUDES} are the most"
    elif count > len(lines) - first_index:
        message = f"The header announces {files}, but the text ends before"
    if message:
        word = first_line.count
        raise ProblemError(_error("includes", message, 1, word.column, word.end_column))

    # Where a name is missing, the word of the first section stands in its line.
    section_words = set(filter(None, SECTION_WORDS.values()))
    names = []
    for index in range(first_index, first_index + count):
        name = lines[index].strip()
        if not name or name.split(maxsplit=1)[0] in section_words:
            message = f"Here stands the name of a file: the header announces {files}"
            end_column = len(lines[index]) + 1
            raise ProblemError(_error("include-name", message, index + 1, 1, end_column))
        names.append(name)
    return tuple(names)


def _endless_notes(first_line: _FirstLine, lines: Sequence[str]) -> Problem:
    """Return the error of notes without an end.

    Its fix ends them before the lines that look like included files and sections.
    """
    last_line = _last_note(first_line, lines) + 1
    column = len(lines[last_line - 1]) + 1
    edit = TextEdit(last_line, column, last_line, column, "\n.")
    fix = Fix(f"end the notes with a line “.” after line {last_line}", (edit,))
    message = (
        "The description ends with “;”, so notes follow up to a line that is only “.”; "
        "there is no such line"
    )
    end_column = len(lines[0]) + 1
    return _error("notes-without-end", message, 1, end_column - 1, end_column, fix)


def _last_note(first_line: _FirstLine, lines: Sequence[str]) -> int:
    """Return the index of the line that most likely is the last of notes without an end.

    Behind the notes stand the names of included files, then the first section. So the line is
    reckoned back from the word that begins the section, or else from the last line that looks like
    a file's name. 0, the line with the description, if nothing helps: then there are no notes.
    """
    include_count = first_line.include_count
    sections = _letters_of(first_line.flags.text)
    if sections and sections[0] != "v":
        first_section = re.compile(rf"{SECTION_WORDS[sections[0]]}\s+-?\d")
        for index, line in enumerate(lines):
            if index > include_count and first_section.match(line):
                return index - include_count - 1
    if include_count:
        # A name has no blank, and usually a suffix.
        for index in range(len(lines) - 1, 0, -1):
            if re.fullmatch(r"\S+\.(?:map|per|scn)", lines[index]):
                return max(0, index - include_count)
    return 0


def _error(
    code: str, message: str, line: int, column: int, end_column: int, fix: Fix | None = None
) -> Problem:
    """Return an error in one line, which marks at least one character."""
    end_column = max(end_column, column + 1)
    return Problem(Severity.ERROR, code, message, None, line, column, line, end_column, fix)
