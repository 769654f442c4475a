"""Reads filters: conditions on maps that a person types (docs/manual/filters.md).

Example: ``count(Tree) >= 2 and not C4 = Bog``. A mistake is one problem with its place and, where
it is clear, a fix.

The grammar, with ``{}`` for any number of times and ``[]`` for what may be left out:

    either     = both {"or" both}
    both       = single {"and" single}
    single     = "not" single | "(" either ")" | cell shows | side shows | comparison | yes-or-no
    side       = cell ":" number | "side" "(" cell "," number ")"
    shows      = ("=" | "!=") kind | ["not"] "in" "(" kind {"," kind} ")"
    kind       = terrain ["/" elevation] | "land" | "water" | hexside | "none"
    comparison = quantity sign quantity
    sign       = "=" | "!=" | "<" | "<=" | ">" | ">="
    quantity   = number ["%"] | measure | "elevation" "(" cell ")"
               | ("count" | "share") "(" what ["in" "(" cell {"," cell} ")"] ")"
               | "regions" "(" what ")"
    what       = kind | "elevation" [sign] elevation

``share`` and ``regions`` take no hexsides. Names can stand in quotation marks.
"""

from __future__ import annotations

from typing import NoReturn

from randomizer.batches.batch import Measure
from randomizer.batches.filters.conditions import (
    CellShows,
    Combination,
    Comparison,
    Condition,
    MeasureIsTrue,
    Not,
)
from randomizer.batches.filters.names import Names
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    CellKind,
    Count,
    ElevationAt,
    ElevationKind,
    HexsideKind,
    Measured,
    Number,
    Quantity,
    Regions,
    Share,
    TerrainKind,
    WaterKind,
)
from randomizer.batches.filters.tokens import Token, quoted
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

DEEPEST = 50
"""How deep brackets and "not" may be nested."""
LONGEST_NUMBER = 30
_ELEVATIONS = "elevation 2, elevation >= 1"
"""Examples of kinds to count."""
_CALLS = ("count", "share", "regions", "elevation", "side")


class Parser(Names):
    """Parses one filter, or one quantity."""

    def __init__(
        self,
        text: str,
        system: System,
        measures: tuple[Measure, ...],
        grid: Grid | None,
        terrain_set: TerrainSet | None,
    ) -> None:
        super().__init__(text, system, grid, terrain_set)
        # Counts are a part of the language; others, as "wins(left)", only look like calls.
        calls = tuple(f"{name}(" for name in _CALLS)
        self._measures = {
            m.name.casefold(): m for m in measures if not m.name.casefold().startswith(calls)
        }
        self._example = f"count({quoted(self.terrain_set.terrains[-1].name)})"
        self._depth = 0
        self._asked = ""
        """How the question "what is here?" about a cell began, for "C4 = Bog or Lake"."""

    def filter(self) -> Condition:
        """Return the whole text as a condition. Raises ProblemError."""
        result = self._either()
        token = self.next
        if token.text == ")":
            self.fail(token, "this bracket was never opened")
        if token.kind != "end":
            if token.kind == "word":
                fix = self.inserting(self.before, " and")
            else:
                fix = None
            self.fail(token, "“and”, “or” or the end of the filter is wanted here", fix)
        return result

    def quantity_alone(self) -> Quantity:
        """Return the whole text as a quantity. Raises ProblemError."""
        expected = f"a measure alone is wanted, such as {self._example}"
        result = self._quantity(expected)
        if isinstance(result, Number) or self.next.kind != "end":
            self.fail(self.before if isinstance(result, Number) else self.next, expected)
        return result

    # --- conditions ---------------------------------------------------------------------------

    def _either(self) -> Condition:
        parts = [self._both()]
        while self.takes("or"):
            parts.append(self._both())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), every=False)

    def _both(self) -> Condition:
        parts = [self._single()]
        while self.takes("and"):
            parts.append(self._single())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), every=True)

    def _single(self) -> Condition:
        if self._depth == DEEPEST:
            self.fail(self.next, "brackets and “not” are nested too deep here")
        self._depth += 1
        result: Condition
        if self.takes("not"):
            result = Not(self._single())
        elif self.takes("("):
            result = self._either()
            self.needs(")")
        else:
            result = self._simple()
        self._depth -= 1
        return result

    def _simple(self) -> Condition:
        """Return a condition without "and", "or", "not"."""
        if self.has_hexsides:
            one = self.nouns.cell
            self.offer({"side(": f"what stands at a side of a {one}: side({one}, number)"})
        start = self.next
        if self.calls("side"):
            cell = self.cell()
            self.needs(",")
            side = self.side()
            self.needs(")")
            return self._shows(cell, side)
        if self.is_cell():
            cell = self.cell()
            return self._shows(cell, self.side() if self.takes(":", offered=False) else -1)
        self.offer_cells()
        left = self._quantity(f"a condition is wanted here, such as {self._example} >= 1")
        self._asked = ""
        if isinstance(left, Measured) and left.measure.yes_no:
            if self._is_sign():
                name = str(left)
                self.fail(self.next, f"{name} holds or not: write “{name}” or “not {name}”")
            return MeasureIsTrue(left.measure)
        return self._comparison(start, left)

    def _comparison(self, start: Token, left: Quantity) -> Condition:
        left_end = self.before
        sign = self._sign()
        if sign is None:
            number = self.text[start.start : left_end.end]
            counts = isinstance(left, Count | Regions)
            fix = self.inserting(left_end, " >= 1") if counts else None
            self.fail(self.next, f"“{number}” is a number: say what it has to be", fix)
        second = self.next
        if isinstance(left, Number) and self.called(second.text):
            self.fail(start, f"the board has no {self.nouns.cell} “{start.text}”")
        expected = "a number is wanted here, or a measure to compare with"
        right = self._quantity(expected, compared=True)
        if isinstance(left, Number) and isinstance(right, Number):
            self.fail(start, "nothing of a map is compared here", end=self.before)
        if self._is_sign():
            second_text = self.text[second.start : self.before.end]
            fix = self.inserting(self.before, f" and {second_text}")
            self.fail(self.next, "two numbers are compared at a time", fix)
        self._check_unit(left, right, start)
        self._check_unit(right, left, second)
        return Comparison(left, sign, right)

    def _is_sign(self) -> bool:
        return any(map(self.is_next, COMPARISONS))

    def _sign(self) -> str | None:
        return next((sign for sign in COMPARISONS if self.takes(sign)), None)

    def _check_unit(self, number: Quantity, other: Quantity, token: Token) -> None:
        """Refuse a percent sign beside a quantity that is not in percent."""
        if isinstance(number, Number) and number.sign:
            unit = "%" if isinstance(other, Share) else ""
            if isinstance(other, Measured):
                unit = other.measure.unit
            if unit != number.sign.strip():
                self.fail(token, f"{other} is not counted in percent")

    def _shows(self, cell: Cell, side: int) -> Condition:
        """Return the rest of a condition on a cell (side -1) or one of its sides."""
        at_side = side >= 0
        for sign in ("=", "!="):
            if self.takes(sign):
                self._asked = "" if at_side else f"{cell.name} {sign} "
                return CellShows(cell, side, (self._kind_there(cell, at_side),), sign == "=")
        expected = not self.takes("not")
        if not self.takes("in"):
            if self.next.kind == "word" and expected:
                fix = self.inserting(self.before, " =")
            else:
                fix = None
            self.fail(self.next, "`=`, `!=` or `in` is wanted here, and what has to be there", fix)
        self.needs("(")
        kinds = [self._kind_there(cell, at_side)]
        while self.takes(","):
            kinds.append(self._kind_there(cell, at_side))
        self.needs(")")
        return CellShows(cell, side, tuple(kinds), expected)

    def _kind_there(self, cell: Cell, at_side: bool) -> TerrainKind | WaterKind | HexsideKind:
        number = self.next
        if number.kind == "number" and not at_side:
            condition = f"elevation({cell.name}) = {number.text}"
            self.fail(number, f"a terrain is wanted here; an elevation is asked for by {condition}")
        if at_side and self.takes("none"):
            return HexsideKind(0, "none")
        return self.kind(grounds=not at_side, hexsides=at_side)

    # --- numbers that maps have ---------------------------------------------------------------

    def _quantity(self, expected: str, *, compared: bool = False) -> Quantity:
        """Take a quantity; ``expected`` is the message if there is none.

        ``compared``: it stands after a comparison sign, where a number is needed.
        """
        cells = self.nouns.cells
        self.offer({"count(": f"on how many {cells}, or sides of {cells}, something is"})
        self.offer({"share(": f"how much of all {cells} something is, in percent"})
        self.offer({"regions(": "in how many separate areas something is"})
        self.offer({"elevation(": f"the elevation of a {self.nouns.cell}"})
        self.offer({measure.name: measure.title for measure in self._measures.values()})
        if self.calls("count"):
            return Count(self._what(), self._among())
        if self.calls("share"):
            return Share(self._cell_kind(), self._among())
        if self.calls("regions"):
            cell_kind = self._cell_kind()
            self.needs(")")
            return Regions(cell_kind)
        if self.calls("elevation"):
            cell = self.cell()
            self.needs(")")
            return ElevationAt(cell)
        if self.next.kind == "number":
            if len(self.next.text) > LONGEST_NUMBER:
                self.fail(self.next, f"a number has at most {LONGEST_NUMBER} digits")
            value = float(self.take().text)
            return Number(value, " %" if self.takes("%", offered=False) else "")
        start = self.next
        name = self.name(lambda name: name.casefold() in self._measures)
        if name is None:
            self.fail(start, expected)
        if any(measure.startswith(f"{name.casefold()}(") for measure in self._measures):
            self.needs("(")
            of_what = self.name(lambda measure: f"{name}({measure})".casefold() in self._measures)
            self.needs(")")
            name = f"{name}({of_what or ''})"
        measure = self._measures.get(name.casefold())
        if measure is None:
            self._fail_unknown_quantity(start, name, compared=compared)
        return Measured(measure)

    def _fail_unknown_quantity(self, start: Token, name: str, *, compared: bool) -> NoReturn:
        """Raise the error for a word that is neither a cell nor a measure, with a likely fix.

        ``compared`` as in ``_quantity``.
        """
        if name.casefold() in _CALLS:
            self.fail(self.next, "“(” is wanted here")
        kinds = self.called(name)
        if len(kinds) != 1 or len(name) == 1:
            names = [*(measure.name for measure in self._measures.values()), *_CALLS]
            no_cell = "" if compared else f"no {self.nouns.cell} and "
            nothing = f"there is {no_cell}no measure"
            self.fail_unknown(start, nothing, name, names)
        kind = kinds[0]
        if self._asked and not kind.is_side:
            condition = self._asked + quoted(kind.name)
        else:
            condition = f"count({quoted(kind.name)})" + (
                "" if compared or self._is_sign() else " >= 1"
            )
        cell = self.nouns.cell
        message = f"“{name}” alone is no condition: count it, or say which {cell} has to be it"
        if compared:
            message = f"“{name}” alone is no number: count it"
        self.fail(start, message, self.replacing(start, self.before, condition), self.before)

    def _what(self) -> CellKind | HexsideKind:
        """Take what is counted: cells or sides of cells."""
        if self._is_elevation():
            return ElevationKind(self._sign() or "=", self.elevation())
        return self.kind(grounds=True, hexsides=True)

    def _cell_kind(self) -> CellKind:
        """Take what cells are asked for."""
        if self._is_elevation():
            return ElevationKind(self._sign() or "=", self.elevation())
        kind = self.kind(grounds=True, hexsides=False)
        assert not isinstance(kind, HexsideKind), "none was asked for"
        return kind

    def _is_elevation(self) -> bool:
        """Take the word "elevation", if it comes next; whether it did."""
        self.offer({"elevation": f"{self.nouns.cells} of an elevation: {_ELEVATIONS}"})
        return self.takes("elevation", offered=False)

    def _among(self) -> tuple[Cell, ...]:
        """Take the cells that count, if any are named, and the closing bracket."""
        cells: list[Cell] = []
        if self.takes("in"):
            self.needs("(")
            cells.append(self.cell())
            while self.takes(","):
                cells.append(self.cell())
            self.needs(")")
        self.needs(")")
        return tuple(cells)


def parse_filter(
    text: str,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
    terrain_set: TerrainSet | None = None,
) -> Condition:
    """Return the condition of a filter; every map passes an empty one.

    ``measures`` are those it may name, ``grid`` and ``terrain_set`` those whose cells and terrains
    it may name (None: those of the system's new maps). Raises ProblemError with one problem located
    in ``text``.
    """
    if not text.strip():
        return Combination((), every=True)
    return Parser(text, system, measures, grid, terrain_set).filter()


def parse_quantity(
    text: str,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
    terrain_set: TerrainSet | None = None,
) -> Quantity:
    """Return a number computed from maps, such as ``count(Tree)`` or a measure's name.

    Raises ProblemError located in ``text``.
    """
    return Parser(text, system, measures, grid, terrain_set).quantity_alone()
