"""``Language``: what a program can say of a text, and the types of its answers.

A language overrides what it knows::

    class Ini(Language):
        keywords = ("on", "off")
        pieces = line_pieces("#", r'"[^"]*"?', r"[a-z]+", r"[0-9]+")

        def check(self, source):
            return ini_problems(source.text, source.path)

and whoever shows a text asks any language for anything: what it does not know is empty. Lines and
columns count from 1, columns in characters; a column is that before which the cursor stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import Fix, Problem, TextEdit, error, line_starts, split_lines


class TokenKind(StrEnum):
    """The kinds of tokens that an editor colours."""

    KEYWORD = "keyword"
    COMMENT = "comment"
    QUOTED = "quoted"
    NUMBER = "number"


class TextToken(NamedTuple):
    """A coloured token of a line: its kind, and the offsets of its first and after its last
    character."""

    kind: TokenKind
    start: int
    end: int


class Completion(NamedTuple):
    """A word that can stand at a position of a text.

    ``word`` is shown, ``kind`` is its kind in a word of the language's field (``keyword``, ``hex``,
    ``unit`` ...; "" for none), ``help`` a sentence on it. ``text`` replaces the ``replaces``
    characters before the position.
    """

    word: str
    kind: str
    help: str
    text: str
    replaces: int

    def begins_with(self, typed: str) -> bool:
        """Return whether the word begins with what is typed, apart from case and opening quotes."""
        word, fragment = (text.casefold().removeprefix('"') for text in (self.word, typed))
        return word.startswith(fragment)


class TextPlace(NamedTuple):
    """A part of a text, the end just after its last character."""

    line: int
    column: int
    end_line: int
    end_column: int


class SourceText(NamedTuple):
    """A text to look at: of a script, or typed somewhere.

    ``name`` is the name of its file; ``texts`` are its further texts by file name (of files that it
    includes, of its metadata); ``path`` is the file that its problems name.
    """

    text: str
    name: str = ""
    texts: Mapping[str, str] = NO_TEXTS
    path: str | None = None

    def line(self, line: int) -> str:
        """Return a line without its end, "" for one that does not exist."""
        lines = split_lines(self.text)
        if 1 <= line <= len(lines):
            return lines[line - 1]
        return ""

    def part(self, place: TextPlace) -> str:
        """Return what stands at a place."""
        starts = line_starts(self.text)
        start = starts[place.line - 1] + place.column - 1
        return self.text[start : starts[place.end_line - 1] + place.end_column - 1]


class NamedCells(NamedTuple):
    """A part of a text, the end just after its last character, and the cells it refers to."""

    line: int
    column: int
    end_line: int
    end_column: int
    cells: frozenset[int]
    statement: int = -1
    """The index in ``Roll.origins`` of the statement that the part is; -1 for less than one."""

    def holds(self, line: int, column: int) -> bool:
        """Return whether a cursor before this column of this line is in the part or at its end."""
        start = (self.line, self.column)
        end = (self.end_line, self.end_column)
        return start <= (line, column) <= end


class Language:
    """A text language; each default is that of a language which knows nothing of the kind.

    All methods are fast on any text, also unfinished ones.

    ``keywords`` are the words with a meaning of their own, ``pieces`` the pattern of the pieces of
    a line that can have a colour (``line_pieces``). Lines between one that is the first of
    ``raw_lines`` and one that is the second are comments; None: there are no such lines.
    ``completion_signs`` are the characters that, like letters and digits, make an editor offer
    completions while they are typed.
    """

    keywords: Collection[str] = ()
    pieces: re.Pattern[str] | None = None
    raw_lines: tuple[str, str] | None = None
    completion_signs = "._-*"
    manual_page = ""
    """The file name of the manual's page on the language, such as "language.md"; "" for none."""

    def offers(self, method: Callable[..., object]) -> bool:
        """Return whether the language has its own version of a method, such as
        ``Language.references``.
        """
        return getattr(type(self), method.__name__) is not method

    def tokens(self, line: str) -> Iterator[TextToken]:
        """Yield the tokens of a line that have a colour, in their order."""
        for piece in self.pieces.finditer(line) if self.pieces is not None else ():
            kind = piece.lastgroup
            if kind == "word":
                kind = "keyword" if piece[0] in self.keywords else None
            if kind is not None:
                yield TextToken(TokenKind(kind), *piece.span())

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return all problems of a text, in its order."""
        return ()

    def problem_help(self, code: str) -> str | None:
        """Return an explanation of a problem that ``check`` gives, None for other problems."""
        return None

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return the words that can stand before a position, the best first."""
        return ()

    def help_at(self, source: SourceText, line: int, column: int) -> str | None:
        """Help on the word at a position, None where there is none."""
        return None

    def definition(self, source: SourceText, line: int, column: int) -> TextPlace | None:
        """Return where the name at a position is defined; None if there is none, or it is not
        defined.
        """
        return None

    def references(self, source: SourceText, line: int, column: int) -> tuple[TextPlace, ...]:
        """Return all that defines or uses the name at a position, in the order of the text."""
        return ()

    def name_fault(self, source: SourceText, name: str, new_name: str) -> str:
        """Return why a name that the text uses cannot be replaced by another; "" if it can."""
        return ""

    def rename(self, source: SourceText, line: int, column: int, new_name: str) -> Fix:
        """Return the edits that rename the name at a position everywhere.

        Raises ProblemError: why not.
        """
        uses = self.references(source, line, column)
        if not uses:
            raise error("rename-no-name", "no name that the script defines stands here")
        name = source.part(uses[0])
        fault = self.name_fault(source, name, new_name)
        if fault:
            raise error("rename-refused", fault)
        edits = tuple(TextEdit(*use, new_name) for use in uses)
        return Fix(f"Rename {name} to {new_name}", edits)

    def named_cells(self, source: SourceText) -> tuple[NamedCells, ...]:
        """Return cells of a map that parts of a text refer to; the narrower of two comes later."""
        return ()

    def cell_list(self, cells: Iterable[int]) -> str:
        """Return the shortest list of the language for exactly these cells; "" for none."""
        return ""

    def values(self, source: SourceText) -> tuple[str, ...]:
        """Return what a script prints and everything that it sets, as lines."""
        return ()

    def trace(self, source: SourceText) -> tuple[str, ...]:
        """Return the words of a script in the order in which they are executed, a line each."""
        return ()


PLAIN_TEXT = Language()
"""The language of texts of which nothing is known."""


def line_pieces(comment: str, quoted: str, word: str, number: str) -> re.Pattern[str]:
    """Return a pattern that finds the pieces of a line that an editor colours, by group.

    ``comment`` is the character that begins a comment; the others are patterns.
    """
    groups = {
        "comment": f"{re.escape(comment)}.*",
        "quoted": quoted,
        "word": word,
        "number": number,
    }
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items()))


def matching_completions(
    fragment: str, completions: Iterable[Completion]
) -> tuple[Completion, ...]:
    """Return completions that contain what is typed, those that begin with it first; case is
    ignored and the order kept otherwise.
    """
    folded = fragment.casefold()
    fitting = [completion for completion in completions if folded in completion.word.casefold()]
    return tuple(sorted(fitting, key=lambda completion: not completion.begins_with(fragment)))


class WordLanguage(Language):
    """Texts made of words, with anything between them; ``+`` begins another word."""

    completion_signs = "+"

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return the words that begin with the letters before a position."""
        text_before = source.line(line)[: column - 1]
        typed = re.split(r"[\W\d_]", text_before)[-1]
        completions = (Completion(word, "", "", word, len(typed)) for word in self._words)
        return tuple(word for word in completions if word.begins_with(typed))
