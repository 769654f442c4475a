"""What the names in a filter mean: terrains, hexsides, hexes and their sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from randomizer.batches.filters.terms import Cell, HexsideKind, TerrainKind, WaterKind
from randomizer.batches.filters.tokens import KEYWORDS, Tokens, quoted
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

NAMES = ("word", "number", "quoted")
"""The kinds of tokens that a name can begin with."""
MOST_CELLS_OFFERED = 100
MOST_WORDS = 50
"""Of one name; a terrain's has at most 100 letters."""
WATER_WORDS = {"land": "what is not water", "water": "water, and what is no land either"}
"""Names of several terrains at once, where no terrain has such a name itself."""


class NamedKind(NamedTuple):
    """A terrain or a hexside; ``names`` are in lower case, ``letters`` as defined."""

    is_side: bool
    code: int
    name: str
    names: tuple[str, ...]
    letters: str


class Names(Tokens):
    """Reads the names of terrains, hexsides and cells of ``grid`` from the tokens."""

    def __init__(
        self, text: str, system: System, grid: Grid | None, terrain_set: TerrainSet | None
    ) -> None:
        super().__init__(text)
        self.system = system
        self.grid = grid or system.new_grid()
        self.nouns = cell_words(self.grid.layout)
        self.terrain_set = current_set = terrain_set or system.terrain_set
        self.has_hexsides = system.hexside is not None and bool(current_set.hexsides)
        self._waters = tuple(code for code, t in enumerate(current_set.terrains) if t.water)
        self._kinds = [
            *(
                NamedKind(False, code, t.name, _folded(t.name, *t.aliases), t.letters)
                for code, t in enumerate(current_set.terrains if system.terrain is not None else ())
            ),
            *(
                NamedKind(True, code, h.name, _folded(h.name), h.letter)
                for code, h in enumerate(
                    current_set.hexsides if system.hexside is not None else (), 1
                )
            ),
        ]

    def name(self, is_known: Callable[[str], object]) -> str | None:
        """Take a name in quotation marks, or the longest known one among the next words.

        All the words if none is known; None if no word comes next.
        """
        if self.next.kind == "quoted":
            return self.take().text
        texts: list[str] = []
        ends: list[tuple[int, str]] = []
        while (
            self.next.kind == "word"
            and self.next.text.casefold() not in KEYWORDS
            and len(texts) < MOST_WORDS
        ):
            texts.append(self.take().text)
            ends.append((self._at, " ".join(texts)))
        fitting = [end for end in ends if is_known(end[1])] or ends
        if not fitting:
            return None
        self._at, name = fitting[-1]
        return name

    def kind(self, *, grounds: bool, hexsides: bool) -> TerrainKind | WaterKind | HexsideKind:
        """Take a terrain (with or without elevation) or a hexside, by its name or its letter.

        "land" and "water" are several terrains, if any is water.
        """
        kinds = [kind for kind in self._kinds if (hexsides if kind.is_side else grounds)]
        kind_words = " or ".join(["terrain"] * grounds + [self.nouns.side] * hexsides)
        several = WATER_WORDS if grounds and self._waters else {}
        self.offer(several)
        self.offer(
            {quoted(kind.name): self.nouns.side if kind.is_side else "terrain" for kind in kinds}
        )
        start = self.next
        name = self.name(lambda name: kinds_called(name, kinds) or name.casefold() in several)
        if name is None:
            if kinds:
                example = f", such as {quoted(kinds[-1].name)}"
            else:
                example = ""
            self.fail(start, f"a {kind_words} is wanted here{example}")
        matching = kinds_called(name, kinds)
        if not matching and name.casefold() in several:
            return WaterKind(self._waters, name.casefold() == "water")
        if not matching:
            names = (*(quoted(kind.name) for kind in kinds), *several)
            self.fail_unknown(start, f"there is no {kind_words}", name, names)
        if len(matching) > 1:
            either = " or ".join(quoted(kind.name) for kind in matching)
            self.fail(start, f"“{name}” can be {either}: write the name", end=self.before)
        kind = matching[0]
        if kind.is_side:
            return HexsideKind(kind.code, kind.name)
        if self.takes("/", offered=False):
            height = self.elevation()
        else:
            height = None
        return TerrainKind(kind.code, kind.name, height)

    def called(self, name: str) -> list[NamedKind]:
        """Return the terrains and hexsides of a name; of a letter if none has that name."""
        return kinds_called(name, self._kinds)

    def elevation(self) -> int:
        """Take an elevation."""
        self.offer({str(height): "elevation" for height in self.terrain_set.elevations})
        token = self.next
        if token.kind != "number" or "." in token.text or len(token.text) > 5:
            self.fail(token, "an elevation is wanted here, a whole number")
        return int(self.take().text)

    def is_cell(self) -> bool:
        """Return whether the next token begins the name of a cell."""
        return self._next_cell() is not None

    def cell(self) -> Cell:
        """Take a cell by its name."""
        self.offer_cells()
        entry = self._next_cell()
        if entry is None:
            name = self._numbers() or self.next.text
            wrong = f"the board has no {self.nouns.cell} “{name}”"
            is_name = self.next.kind in NAMES
            self.fail(self.next, wrong if is_name else f"a {self.nouns.cell} is wanted here")
        index, tokens = entry
        self._at += tokens
        return Cell(index, self.system.cell_name(self.grid, index))

    def offer_cells(self) -> None:
        """Note that a cell could come next, for completion."""
        if self.next.kind == "end":  # a grid may have a million
            cells = self.grid.cells[:MOST_CELLS_OFFERED].tolist()
            names = (self.system.cell_name(self.grid, cell) for cell in cells)
            self.lacking_cells.update(names)

    def _next_cell(self) -> tuple[int, int] | None:
        """Return the cell that comes next, and how many tokens its name has; None if none does."""
        token = self.next
        if token.kind not in NAMES:
            return None
        for name, tokens in ((token.text, 1), (token.text.upper(), 1), (self._numbers(), 3)):
            index = self.system.cell_of_name(self.grid, name)
            if index is not None:
                return index, tokens
        return None

    def _numbers(self) -> str:
        """Return the pair of numbers that comes next, such as 12,5; "" if there is none."""
        at = self._at
        kinds = [token.kind for token in self._tokens[at : at + 3]]
        if kinds != ["number", "sign", "number"] or self._tokens[at + 1].text != ",":
            return ""
        return self.text[self.next.start : self._tokens[at + 2].end]

    def side(self) -> int:
        """Take a side by its number."""
        if not self.has_hexsides:
            self.fail(self.next, f"{with_article(self.system.title)} has no hexsides")
        names = self.grid.layout.side_names
        self.offer({str(number): name for number, name in enumerate(names)})
        token = self.next
        if token.text not in map(str, range(len(names))):
            numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
            self.fail(token, f"the number of a side is wanted here: {numbered}")
        return int(self.take().text)


def _folded(*names: str) -> tuple[str, ...]:
    return tuple(name.casefold() for name in names)


def kinds_called(name: str, kinds: list[NamedKind]) -> list[NamedKind]:
    """Return the kinds with a name, ignoring case; else with a letter, of this case if there are
    any.
    """
    folded = name.casefold()
    result = [kind for kind in kinds if folded in kind.names]
    if len(name) == 1:
        result = result or [kind for kind in kinds if name in kind.letters]
        result = result or [kind for kind in kinds if folded in kind.letters.casefold()]
    return result
