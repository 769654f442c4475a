"""``Language``: the help that an editor of texts offers for one language, and its types.

The editor of scripts and the line for filters ask a language for colours, problems, completions,
definitions and so on. A language overrides the methods for which it has an answer; those of the
base class answer that there is nothing::

    class Ini(Language):
        keywords = ("on", "off")
        pieces = line_pieces("#", r'"[^"]*"?', r"[a-z]+", r"[0-9]+")

        def check(self, source):
            return ini_problems(source.text, source.path)

    Ini().check(SourceText("size = on"))        # its problems
    Ini().definition(SourceText("size = on"), line=1, column=1)     # None: Ini does not know

Lines and columns count from 1, columns in characters. A cursor is at a column if it stands before
the character there, so at column 1 it is at the beginning of its line.
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
    """A coloured token of a line."""

    kind: TokenKind

    start: int
    """The offset of its first character in the line."""

    end: int
    """The offset behind its last character."""


class Completion(NamedTuple):
    """A word that an editor offers at a position of a text."""

    word: str
    """The word as it is shown."""

    kind: str
    """Its kind, as the language calls it: ``keyword``, ``hex``, ``unit`` ...; "" for none."""

    help: str
    """A sentence on the word; "" for none."""

    text: str
    """The text that is written if the word is chosen."""

    replaces: int
    """How many characters before the position the text replaces: those that were typed of it."""

    def begins_with(self, typed: str) -> bool:
        """Return whether the word begins with what is typed, apart from case and opening quotes."""
        word = self.word.casefold().removeprefix('"')
        fragment = typed.casefold().removeprefix('"')
        return word.startswith(fragment)


class TextPlace(NamedTuple):
    """A part of a text."""

    line: int
    """The line of its first character."""

    column: int
    """The column of its first character."""

    end_line: int
    """The line of the position just behind its last character."""

    end_column: int
    """The column of that position."""


class SourceText(NamedTuple):
    """A text to look at: of a script, or typed somewhere."""

    text: str

    name: str = ""
    """The name of its file, "" if it has none."""

    texts: Mapping[str, str] = NO_TEXTS
    """Its further texts, by the names of their files: what it includes, and its metadata."""

    path: str | None = None
    """The path of the file that its problems name; None if they name none."""

    def line(self, line: int) -> str:
        """Return a line without its end, "" for one that does not exist."""
        lines = split_lines(self.text)
        if 1 <= line <= len(lines):
            return lines[line - 1]
        return ""

    def part(self, place: TextPlace) -> str:
        """Return a part of the text."""
        starts = line_starts(self.text)
        start = starts[place.line - 1] + place.column - 1
        end = starts[place.end_line - 1] + place.end_column - 1
        return self.text[start:end]


class NamedCells(NamedTuple):
    """A part of a script and the cells of the map to which it refers, such as the list C3 C4."""

    line: int
    """The line of its first character."""

    column: int
    """The column of its first character."""

    end_line: int
    """The line of the position just behind its last character."""

    end_column: int
    """The column of that position."""

    cells: frozenset[int]
    """The indices of the cells."""

    statement: int = -1
    """The index in ``Roll.origins`` of the statement, if the part is a whole one; -1 otherwise."""

    def holds(self, line: int, column: int) -> bool:
        """Return whether a cursor before this column of this line is in the part or at its end."""
        start = (self.line, self.column)
        end = (self.end_line, self.end_column)
        return start <= (line, column) <= end


class Language:
    """A text language; each default is that of a language which knows nothing of the kind.

    All methods are fast on any text, also unfinished ones.
    """

    keywords: Collection[str] = ()
    """The words with a meaning of their own, which an editor colours."""

    pieces: re.Pattern[str] | None = None
    """The pattern of the pieces of a line that can have a colour, from ``line_pieces``.

    None: nothing is coloured.
    """

    raw_lines: tuple[str, str] | None = None
    """The line that begins a comment of whole lines, and the line that ends it.

    What is between is raw: no pieces are looked for there. None: the language has no such comments.
    """

    completion_signs = "._-*"
    """The characters that make an editor offer completions when they are typed.

    Letters and digits always do.
    """

    manual_page = ""
    """The file name of the manual's page on the language, such as "language.md"; "" for none."""

    def offers(self, method: Callable[..., object]) -> bool:
        """Return whether the language has its own version of a method.

        An editor asks ``language.offers(Language.references)`` before it shows a command for that.
        """
        return getattr(type(self), method.__name__) is not method

    def tokens(self, line: str) -> Iterator[TextToken]:
        """Yield the tokens of a line that have a colour, in their order."""
        if self.pieces is None:
            return
        for piece in self.pieces.finditer(line):
            # The groups of ``line_pieces`` are called as the kinds of tokens, but for "word".
            kind = piece.lastgroup
            if kind == "word" and piece[0] in self.keywords:
                yield TextToken(TokenKind.KEYWORD, *piece.span())
            elif kind is not None and kind != "word":
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
        """Return help on the word at a position, None if there is no word or no help on it."""
        return None

    def definition(self, source: SourceText, line: int, column: int) -> TextPlace | None:
        """Return where the name at a position is defined.

        None if no name stands there, or the text does not define it.
        """
        return None

    def references(self, source: SourceText, line: int, column: int) -> tuple[TextPlace, ...]:
        """Return all that defines or uses the name at a position, in the order of the text."""
        return ()

    def name_fault(self, source: SourceText, name: str, new_name: str) -> str:
        """Return why a name that the text uses cannot be replaced by another; "" if it can."""
        return ""

    def rename(self, source: SourceText, line: int, column: int, new_name: str) -> Fix:
        """Return the edits that rename the name at a position everywhere in the text.

        A language needs ``references`` for it, and ``name_fault`` to refuse names.

        Raises ProblemError, which says why nothing is renamed.
        """
        uses = self.references(source, line, column)
        if not uses:
            raise error("rename-no-name", "no name that the script defines stands here")
        name = source.part(uses[0])
        fault = self.name_fault(source, name, new_name)
        if fault:
            raise error("rename-refused", fault)
        edits = tuple(
            TextEdit(use.line, use.column, use.end_line, use.end_column, new_name) for use in uses
        )
        return Fix(f"Rename {name} to {new_name}", edits)

    def named_cells(self, source: SourceText) -> tuple[NamedCells, ...]:
        """Return the parts of a text that refer to cells of its map.

        Of two parts of which one lies in the other, the outer one comes first.
        """
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
    """Return the completions whose words contain what is typed, ignoring case.

    Those that begin with it come first. Otherwise the order stays.
    """
    folded_fragment = fragment.casefold()
    beginning_with_it = []
    containing_it = []
    for completion in completions:
        if folded_fragment not in completion.word.casefold():
            continue
        if completion.begins_with(fragment):
            beginning_with_it.append(completion)
        else:
            containing_it.append(completion)
    return (*beginning_with_it, *containing_it)


class WordLanguage(Language):
    """The language of texts that name words of a list, such as the creatures of an army.

    Anything but a letter ends a word: in ``2 Ogre+Lion`` the words are Ogre and Lion.
    """

    completion_signs = "+"
    """Behind a plus another word begins."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return the words that begin with the letters before a position."""
        text_before = source.line(line)[: column - 1]
        typed = re.split(r"[\W\d_]", text_before)[-1]  # the letters typed last
        completions = []
        for word in self._words:
            completion = Completion(word, kind="", help="", text=word, replaces=len(typed))
            if completion.begins_with(typed):
                completions.append(completion)
        return tuple(completions)
