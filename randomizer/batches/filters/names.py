"""Takes names from a filter: terrains, elevations, hexsides, cells and their sides.

A filter is a text such as ``C3 = "Deep water"`` or ``D4:0 = cliff``, which chooses some of many
maps. ``Names`` is the base of the parser (parser.py) and adds to ``Tokens`` (tokens.py) the names
that a system, a grid and a terrain set have. Names are compared without regard to case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, NoReturn

from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    HexsideKind,
    TerrainKind,
    WaterKind,
)
from randomizer.batches.filters.tokens import KEYWORDS, Token, TokenKind, Tokens, quoted
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet

NAME_BEGINNINGS = (TokenKind.WORD, TokenKind.NUMBER, TokenKind.QUOTED)
"""The kinds of tokens that the name of a cell can begin with."""

MAX_CELLS_OFFERED = 100
"""The most cells that completion offers: a grid may have a million."""

MAX_CELLS_SORTED = 1000
"""The most cells whose names are sorted to tell the first and the last one of the grid.

Of larger grids the cells with the lowest and the highest index are taken for these.
"""

_LABEL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,4}")
"""The name of a cell that is made of the letters of a column and the number of a row: D9."""

MAX_WORDS = 50
"""The most words of a name: that of a terrain has at most 100 letters, so no more words fit."""

LONGEST_ELEVATION = 5
"""The most characters of an elevation, with its minus."""

WATER_WORDS = {"land": "what is not water", "water": "water, and what is no land either"}
"""The names of several terrains at once, and their meanings.

A terrain that has such a name itself comes first.
"""


class NamedKind(NamedTuple):
    """A terrain or a kind of hexside that a filter can name."""

    is_hexside: bool

    code: int
    """Its value in the plane of terrain or of hexsides."""

    name: str
    """Its name in the case of the terrain set."""

    folded_names: tuple[str, ...]
    """All names that mean it, aliases too, folded for comparison (``str.casefold``)."""

    letters: str
    """The letters that mean it, each alone, in the case of the terrain set."""


class NextCell(NamedTuple):
    """A cell whose name comes next."""

    cell: int
    """Its flat index in the grid."""

    token_count: int
    """The number of tokens of its name: 3 for "12,5"."""


class Names(Tokens):
    """Reads the names of terrains, hexsides and cells of ``grid`` from the tokens."""

    def __init__(
        self, text: str, system: System, grid: Grid | None, terrain_set: TerrainSet | None
    ) -> None:
        """Begin to read a text; None: the grid or the terrain set of the system's new maps."""
        super().__init__(text)
        self.system = system
        self.grid = grid or system.new_grid()
        self.nouns = cell_words(self.grid.layout)
        """The words for cells and sides in messages: a cell of this grid may be a hex."""
        self.terrain_set = terrain_set or system.terrain_set
        self.has_hexsides = system.hexside is not None and bool(self.terrain_set.hexsides)
        """True if maps can have hexsides, so that sides of cells can be named."""
        self._waters = tuple(
            code for code, terrain in enumerate(self.terrain_set.terrains) if terrain.water
        )
        """The codes of the terrains that are water."""
        self._named_kinds = _named_kinds(system, self.terrain_set)
        """All that can stand on a cell or a side, with its names."""

    def is_comparison_next(self) -> bool:
        """Return whether a sign of comparison comes next."""
        return any(map(self.is_next, COMPARISONS))

    def take_name(self, is_known: Callable[[str], object]) -> str | None:
        """Take a name in quotation marks, or the longest known one among the next words.

        Takes all the words if none is known; returns None if no word comes next. So "salt flats in
        (A1)" gives "salt flats" where a terrain is called so, and "salt" where it is called that.
        """
        if self.next.kind is TokenKind.QUOTED:
            return self.take().text
        words: list[str] = []
        position_behind_known: int | None = None
        known_name = ""
        while self._is_word_of_name() and len(words) < MAX_WORDS:
            words.append(self.take().text)
            name = " ".join(words)
            if is_known(name):
                position_behind_known = self._position
                known_name = name
        if not words:
            return None
        if position_behind_known is None:
            return " ".join(words)
        self._position = position_behind_known
        return known_name

    def _is_word_of_name(self) -> bool:
        """Return whether the next token is a word and no keyword."""
        return self.next.kind is TokenKind.WORD and self.next.text.casefold() not in KEYWORDS

    def take_kind(
        self, *, allows_terrains: bool, allows_hexsides: bool
    ) -> TerrainKind | WaterKind | HexsideKind:
        """Take a terrain (with or without elevation) or a hexside, by its name or its letter.

        "land" and "water" are several terrains, if any is water. Raises ProblemError for a name
        that means nothing, or several things.
        """
        # What can stand here, and what it is called in messages.
        kinds: list[NamedKind] = []
        nouns: list[str] = []
        water_words: Mapping[str, str] = {}
        if allows_terrains:
            kinds += [kind for kind in self._named_kinds if not kind.is_hexside]
            nouns.append("terrain")
            if self._waters:
                water_words = WATER_WORDS
        if allows_hexsides:
            kinds += [kind for kind in self._named_kinds if kind.is_hexside]
            nouns.append(self.nouns.side)
        self._offer_kinds(kinds, water_words)
        noun = " or ".join(nouns)

        start = self.next
        name = self.take_name(
            lambda name: _matching_kinds(name, kinds) or name.casefold() in water_words
        )
        if name is None:
            self._fail_without_kind(start, noun, kinds)
        matching = _matching_kinds(name, kinds)
        if not matching and name.casefold() in water_words:
            return WaterKind(self._waters, name.casefold() == "water")
        if not matching:
            names = (*(quoted(kind.name) for kind in kinds), *water_words)
            raise self.error_of_unknown(start, f"there is no {noun}", name, names)
        if len(matching) > 1:
            names_text = " or ".join(quoted(kind.name) for kind in matching)
            self.fail(start, f"“{name}” can be {names_text}: write the name", end=self.last_taken)
        return self._take_rest_of_kind(matching[0])

    def _fail_without_kind(self, token: Token, noun: str, kinds: list[NamedKind]) -> NoReturn:
        """Raise the error for a token that stands where a kind is expected."""
        message = f"a {noun} is wanted here"
        if kinds:
            message += f", such as {quoted(kinds[-1].name)}"
        self.fail(token, message)

    def _take_rest_of_kind(self, kind: NamedKind) -> TerrainKind | HexsideKind:
        """Take what can stand behind the name of a kind: the elevation of a terrain."""
        if kind.is_hexside:
            return HexsideKind(kind.code, kind.name)
        elevation = None
        if self.take_if_next("/", is_offered=False):
            elevation = self.take_elevation()
        return TerrainKind(kind.code, kind.name, elevation)

    def _offer_kinds(self, kinds: Iterable[NamedKind], water_words: Mapping[str, str]) -> None:
        """Offer kinds and words for several terrains to completion."""
        self.offer(water_words)
        for kind in kinds:
            meaning = "terrain"
            if kind.is_hexside:
                meaning = self.nouns.side
            self.offer({quoted(kind.name): meaning})

    def kinds_called(self, name: str) -> list[NamedKind]:
        """Return the terrains and hexsides of a name; of a letter if none has that name."""
        return _matching_kinds(name, self._named_kinds)

    def take_elevation(self) -> int:
        """Take an elevation."""
        self.offer({str(height): "elevation" for height in self.terrain_set.elevations})
        token = self.next
        is_whole_number = token.kind is TokenKind.NUMBER and "." not in token.text
        if not is_whole_number or len(token.text) > LONGEST_ELEVATION:
            self.fail(token, "an elevation is wanted here, a whole number")
        return int(self.take().text)

    def is_cell(self) -> bool:
        """Return whether the next token begins the name of a cell."""
        return self._next_cell() is not None

    def take_cell(self) -> Cell:
        """Take a cell by its name. Raises ProblemError if the grid has none of that name."""
        self.offer_cells()
        next_cell = self._next_cell()
        if next_cell is None:
            if self.next.kind not in NAME_BEGINNINGS:
                self.fail(self.next, f"a {self.nouns.cell} is wanted here")
            name = self._next_number_pair() or self.next.text
            message = self.missing_cell(name)
            if not message:
                message = f"the board has no {self.nouns.cell} “{name}”"
            self.fail(self.next, message)
        self._position += next_cell.token_count
        return Cell(next_cell.cell, self.system.cell_name(self.grid, next_cell.cell))

    def missing_cell(self, name: str) -> str:
        """Return the message that no cell has this name; "" if it is not of the form of a label.

        It says which labels there are: "there is no hex D9: hexes run from A1 to F4".
        """
        if _LABEL.fullmatch(name) is None:
            return ""
        cells = self.grid.cells
        if len(cells) > MAX_CELLS_SORTED:
            cells = cells[[0, -1]]
        labels = [self.system.cell_name(self.grid, cell) for cell in cells.tolist()]
        if not all(_LABEL.fullmatch(label) for label in labels):
            return ""
        first = min(labels, key=_column_and_row)
        last = max(labels, key=_column_and_row)
        return (
            f"there is no {self.nouns.cell} {name.upper()}: "
            f"{self.nouns.cells} run from {first} to {last}"
        )

    def offer_cells(self) -> None:
        """Note that a cell could come next, for completion."""
        if self.next.kind is TokenKind.END:
            cells = self.grid.cells[:MAX_CELLS_OFFERED].tolist()
            names = (self.system.cell_name(self.grid, cell) for cell in cells)
            self.possible_cells.update(names)

    def _next_cell(self) -> NextCell | None:
        """Return the cell whose name comes next; None if none does."""
        token = self.next
        if token.kind not in NAME_BEGINNINGS:
            return None
        names_and_token_counts = (
            (token.text, 1),
            (token.text.upper(), 1),  # "c4" is C4
            (self._next_number_pair(), 3),  # two numbers and the comma between them
        )
        for name, token_count in names_and_token_counts:
            cell = self.system.cell_of_name(self.grid, name)
            if cell is not None:
                return NextCell(cell, token_count)
        return None

    def _next_number_pair(self) -> str:
        """Return the pair of numbers that comes next, such as 12,5; "" if there is none."""
        next_three = self._tokens[self._position : self._position + 3]
        kinds = [token.kind for token in next_three]
        if kinds != [TokenKind.NUMBER, TokenKind.SIGN, TokenKind.NUMBER]:
            return ""
        first, sign, second = next_three
        if sign.text != ",":
            return ""
        return self.text[first.start : second.end]

    def take_side(self) -> int:
        """Take a side by its number. Raises ProblemError if the system has no hexsides."""
        if not self.has_hexsides:
            self.fail(self.next, f"{with_article(self.system.title)} has no hexsides")
        names = self.grid.layout.side_names
        self.offer({str(number): name for number, name in enumerate(names)})
        token = self.next
        if token.text not in map(str, range(len(names))):
            numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            self.fail(token, f"the number of a side is wanted here: {numbered}")
        return int(self.take().text)


def _column_and_row(label: str) -> tuple[int, str, int]:
    """Return what labels are sorted by: AA1 comes after Z9, and D10 after D9."""
    column = label.rstrip("0123456789")
    return len(column), column, int(label.removeprefix(column))


def _named_kinds(system: System, terrain_set: TerrainSet) -> list[NamedKind]:
    """Return the terrains and hexsides of a set, as far as the system has planes for them."""
    named_kinds = []
    if system.terrain is not None:
        for code, terrain in enumerate(terrain_set.terrains):
            named_kinds.append(_named_terrain(code, terrain))
    if system.hexside is not None:
        for code, hexside in enumerate(terrain_set.hexsides, 1):  # code 0 is no hexside
            named_kinds.append(_named_hexside(code, hexside))
    return named_kinds


def _named_terrain(code: int, terrain: Terrain) -> NamedKind:
    """Return a terrain with all of its names."""
    names = (terrain.name, *terrain.aliases)
    return NamedKind(
        is_hexside=False,
        code=code,
        name=terrain.name,
        folded_names=tuple(name.casefold() for name in names),
        letters=terrain.letters,
    )


def _named_hexside(code: int, hexside: Hexside) -> NamedKind:
    """Return a hexside with its name, which has no others."""
    return NamedKind(
        is_hexside=True,
        code=code,
        name=hexside.name,
        folded_names=(hexside.name.casefold(),),
        letters=hexside.letter,
    )


def _matching_kinds(name: str, kinds: list[NamedKind]) -> list[NamedKind]:
    """Return the kinds that a name means: several if it is a letter of several.

    A kind of that name, ignoring case, comes before one with that letter, and a letter of the same
    case before one of the other.
    """
    folded = name.casefold()
    with_name = [kind for kind in kinds if folded in kind.folded_names]
    if with_name or len(name) != 1:
        return with_name
    with_letter = [kind for kind in kinds if name in kind.letters]
    if with_letter:
        return with_letter
    return [kind for kind in kinds if folded in kind.letters.casefold()]
