"""Parses filters: conditions on maps that a person types (docs/manual/filters.md).

Example: ``count(Tree) >= 2 and not C4 = Bog``. ``parse_filter`` returns the condition that it means
(conditions.py), which is evaluated for many maps at once. A mistake is one problem, located in the
text, with a fix where it is clear what was meant.

It is a parser by recursive descent: each rule of the grammar is a method of ``Parser`` that takes
its tokens and returns what they mean. The grammar, with ``{}`` for any number of times and ``[]``
for what may be left out:

    condition   = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation    = "not" negation | "(" condition ")" | simple
    simple      = cell shows | side shows | comparison | yes-or-no
    side        = cell ":" number | "side" "(" cell "," number ")"
    shows       = ("=" | "!=") kind | ["not"] "in" "(" kind {"," kind} ")"
    kind        = terrain ["/" elevation] | "land" | "water" | hexside | "none"
    comparison  = quantity sign quantity
    sign        = "=" | "!=" | "<" | "<=" | ">" | ">="
    quantity    = number ["%"] | measure | "elevation" "(" cell ")"
                | ("count" | "share") "(" what ["in" "(" cell {"," cell} ")"] ")"
                | "regions" "(" what ")"
    what        = kind | "elevation" [sign] elevation

``share`` and ``regions`` take no hexsides. Names can stand in quotation marks.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

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
from randomizer.batches.filters.tokens import Token, TokenKind, quoted
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Fix
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

DEEPEST = 50
"""The depth to which brackets and "not" may be nested.

Each level is a call of two or three methods inside one another, which Python limits to about 1000.
"""

LONGEST_NUMBER = 30
"""The most characters of a number; ``float`` would read any number of digits, but no map has them.
"""

_ELEVATION_EXAMPLES = "elevation 2, elevation >= 1"
"""Examples of elevations whose cells can be counted."""

_CALLS = ("count", "share", "regions", "elevation", "side")
"""Words that are followed by a bracket."""


class _ConditionStart(NamedTuple):
    """The beginning of a condition on a cell, such as "C4 = " in "C4 = Bog or Lake".

    It tells what the lone "Lake" was meant for: C4 = Lake.
    """

    cell_name: str

    sign: str
    """"=" or "!="; of a condition with "in" or "not in" the sign that says the same."""

    @property
    def joint(self) -> str:
        """The word with which another terrain can be meant for the same cell.

        No cell shows two terrains ("C4 = Bog and Lake"), and each lacks one of two ("C4 != Bog or
        Lake"), so those are not what was meant.
        """
        if self.sign == "=":
            return "or"
        return "and"


class Parser(Names):
    """Parses one filter (``filter``), or one quantity (``quantity_alone``); used once.

    Methods raise ProblemError for a mistake. Those named for a rule take its tokens.
    """

    def __init__(
        self,
        text: str,
        system: System,
        measures: tuple[Measure, ...],
        grid: Grid | None,
        terrain_set: TerrainSet | None,
    ) -> None:
        super().__init__(text, system, grid, terrain_set)
        self._measures: dict[str, Measure] = {}
        """The measures that a filter can name, by their names folded for comparison."""
        # The measure "count(Tree)" is parsed as a call; "wins(left)" only looks like one.
        calls = tuple(f"{name}(" for name in _CALLS)
        for measure in measures:
            folded_name = measure.name.casefold()
            if not folded_name.startswith(calls):
                self._measures[folded_name] = measure
        self._example = f"count({quoted(self.terrain_set.terrains[-1].name)})"
        """A quantity that messages give as an example."""
        self._depth = 0
        """The number of brackets and "not"s around the next token."""
        self._last_condition_start: _ConditionStart | None = None
        """The beginning of the last condition on a cell; None after other conditions."""

    def filter(self) -> Condition:
        """Return the whole text as a condition. Raises ProblemError."""
        condition = self._condition()
        token = self.next
        if token.text == ")":
            self.fail(token, "this bracket was never opened")
        if token.kind is not TokenKind.END:
            fix = None
            if token.kind is TokenKind.WORD:
                fix = self.fix_inserting(self.last_taken, " and")
            self.fail(token, "“and”, “or” or the end of the filter is wanted here", fix)
        return condition

    def quantity_alone(self) -> Quantity:
        """Return the whole text as a quantity. Raises ProblemError."""
        expected = f"a measure alone is wanted, such as {self._example}"
        quantity = self._quantity(expected)
        if isinstance(quantity, Number):
            self.fail(self.last_taken, expected)
        if self.next.kind is not TokenKind.END:
            self.fail(self.next, expected)
        return quantity

    # --- conditions ---------------------------------------------------------------------------

    def _condition(self) -> Condition:
        """Take conditions that are joined by "or", or one alone."""
        parts = [self._conjunction()]
        while self.take_if_next("or"):
            parts.append(self._conjunction())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), is_conjunction=False)

    def _conjunction(self) -> Condition:
        """Take conditions that are joined by "and", which binds closer than "or", or one alone."""
        parts = [self._negation()]
        while self.take_if_next("and"):
            parts.append(self._negation())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), is_conjunction=True)

    def _negation(self) -> Condition:
        """Take a condition that is negated, in brackets, or simple."""
        if self._depth == DEEPEST:
            self.fail(self.next, "brackets and “not” are nested too deep here")
        self._depth += 1
        condition: Condition
        if self.take_if_next("not"):
            condition = Not(self._negation())
        elif self.take_if_next("("):
            condition = self._condition()
            self.demand(")")
        else:
            condition = self._simple_condition()
        self._depth -= 1
        return condition

    def _simple_condition(self) -> Condition:
        """Take a condition on a cell or a side, a comparison, or a yes-or-no measure."""
        if self.has_hexsides:
            noun = self.nouns.cell
            self.offer({"side(": f"what stands at a side of a {noun}: side({noun}, number)"})
        start = self.next
        if self.take_call("side"):
            cell = self.take_cell()
            self.demand(",")
            side = self.take_side()
            self.demand(")")
            return self._cell_condition(cell, side)
        if self.is_cell():
            cell = self.take_cell()
            if self.take_if_next(":", is_offered=False):
                return self._cell_condition(cell, self.take_side())
            return self._cell_condition(cell, None)
        self.offer_cells()
        left = self._quantity(f"a condition is wanted here, such as {self._example} >= 1")
        self._last_condition_start = None
        if isinstance(left, Measured) and left.measure.yes_no:
            if self._is_comparison_next():
                name = str(left)
                self.fail(self.next, f"{name} holds or not: write “{name}” or “not {name}”")
            return MeasureIsTrue(left.measure)
        return self._comparison(start, left)

    def _comparison(self, start: Token, left: Quantity) -> Comparison:
        """Take the rest of a comparison of ``left``, which began with the token ``start``."""
        sign = self._take_comparison()
        if sign is None:
            self._fail_lone_quantity(start, left)
        second = self.next
        if isinstance(left, Number) and self.kinds_called(second.text):
            # In "40 = Bog" the number was meant as the name of a cell.
            self.fail(start, f"the board has no {self.nouns.cell} “{start.text}”")
        expected = "a number is wanted here, or a measure to compare with"
        right = self._quantity(expected, is_compared=True)

        if isinstance(left, Number) and isinstance(right, Number):
            self.fail(start, "nothing of a map is compared here", end=self.last_taken)
        if self._is_comparison_next():  # as in "1 < count(Tree) < 5"
            second_text = self.text[second.start : self.last_taken.end]
            fix = self.fix_inserting(self.last_taken, f" and {second_text}")
            self.fail(self.next, "two numbers are compared at a time", fix)
        self._check_unit(left, right, start)
        self._check_unit(right, left, second)
        return Comparison(left, sign, right)

    def _fail_lone_quantity(self, start: Token, quantity: Quantity) -> NoReturn:
        """Raise the error for a quantity, written from ``start`` on, that nothing is compared with.

        For a count the fix is to demand at least one, for others it is not clear what was meant.
        """
        end = self.last_taken
        quantity_text = self.text[start.start : end.end]
        fix = None
        if isinstance(quantity, Count | Regions):
            fix = self.fix_inserting(end, " >= 1")
        self.fail(self.next, f"“{quantity_text}” is a number: say what it has to be", fix)

    def _is_comparison_next(self) -> bool:
        """Return whether a sign of comparison comes next."""
        return any(map(self.is_next, COMPARISONS))

    def _take_comparison(self) -> str | None:
        """Take a sign of comparison; None if none comes next."""
        for sign in COMPARISONS:
            if self.take_if_next(sign):
                return sign
        return None

    def _check_unit(self, number: Quantity, compared: Quantity, token: Token) -> None:
        """Refuse a percent sign at ``number`` if it is ``compared`` with what is not in percent.

        ``token`` is where the error is shown.
        """
        if not isinstance(number, Number) or not number.unit:
            return
        unit = ""
        if isinstance(compared, Share):
            unit = "%"
        elif isinstance(compared, Measured):
            unit = compared.measure.unit
        if unit != number.unit:
            self.fail(token, f"{compared} is not counted in percent")

    def _cell_condition(self, cell: Cell, side: int | None) -> CellShows:
        """Take what stands behind a cell, or behind the ``side`` of it with this number.

        That is a sign and a kind, as in "= Bog", or "in" and several kinds, as in "not in (Bog,
        Lake)".
        """
        is_at_side = side is not None
        for sign in ("=", "!="):
            if self.take_if_next(sign):
                self._note_condition_start(cell, sign, is_at_side=is_at_side)
                if sign == "=" and self.is_next("not"):
                    not_equal = self.fix_replacing(self.last_taken, self.next, "!=")
                    self.fail(self.next, "what must not be there is asked for by `!=`", not_equal)
                kind = self._kind_at(cell, is_at_side=is_at_side)
                return CellShows(cell, side, (kind,), is_expected=sign == "=")

        start = self.next
        is_expected = not self.take_if_next("not")
        if not self.take_if_next("in"):
            fix = self._fix_of_verb(start, is_expected=is_expected)
            self.fail(start, "`=`, `!=` or `in` is wanted here, and what has to be there", fix)
        sign = "!="
        if is_expected:
            sign = "="
        self._note_condition_start(cell, sign, is_at_side=is_at_side)
        self.demand("(")
        kinds = [self._kind_at(cell, is_at_side=is_at_side)]
        while self.take_if_next(","):
            kinds.append(self._kind_at(cell, is_at_side=is_at_side))
        self.demand(")")
        return CellShows(cell, side, tuple(kinds), is_expected)

    def _fix_of_verb(self, start: Token, *, is_expected: bool) -> Fix | None:
        """Return the fix for words where a sign is wanted: "C4 is not Bog" is to be "C4 != Bog".

        ``start`` is the first token behind the cell; "not" was taken if not ``is_expected``. None
        if it is not clear what was meant.
        """
        if not is_expected:
            if self.next.kind in (TokenKind.WORD, TokenKind.QUOTED):
                return self.fix_replacing(start, start, "!=")
            return None
        if start.kind is TokenKind.QUOTED:
            return self.fix_inserting(self.last_taken, " =")
        if start.kind is not TokenKind.WORD:
            return None
        if start.text.casefold() != "is":
            return self.fix_inserting(self.last_taken, " =")

        end = self.take()
        sign = "="
        if self.is_next("not"):
            end = self.take()
            sign = "!="
        if not self.is_next("in"):
            return self.fix_replacing(start, end, sign)
        # "C4 is not in (Bog, Lake)" lacks no sign: "is" is too much.
        if sign == "!=":
            return self.fix_replacing(start, self.next, "not in")
        return self.fix_replacing(start, self.next, "in")

    def _note_condition_start(self, cell: Cell, sign: str, *, is_at_side: bool) -> None:
        """Remember how the condition on a cell begins (``_last_condition_start``).

        Nothing is remembered of one on a side.
        """
        self._last_condition_start = None
        if not is_at_side:
            self._last_condition_start = _ConditionStart(cell.name, sign)

    def _kind_at(self, cell: Cell, *, is_at_side: bool) -> TerrainKind | WaterKind | HexsideKind:
        """Take a terrain that a cell can show, or a hexside that a side of it can show."""
        token = self.next
        if token.kind is TokenKind.NUMBER and not is_at_side:
            condition = f"elevation({cell.name}) = {token.text}"
            self.fail(token, f"a terrain is wanted here; an elevation is asked for by {condition}")
        if is_at_side and self.take_if_next("none"):
            return HexsideKind(0, "none")
        return self.take_kind(allows_terrains=not is_at_side, allows_hexsides=is_at_side)

    # --- numbers that maps have ---------------------------------------------------------------

    def _quantity(self, expected: str, *, is_compared: bool = False) -> Quantity:
        """Take a quantity; ``expected`` is the message if none comes next.

        ``is_compared``: it stands behind a sign of comparison, where only a quantity can stand; at
        the beginning of a condition a cell could.
        """
        cells = self.nouns.cells
        self.offer({"count(": f"on how many {cells}, or sides of {cells}, something is"})
        self.offer({"share(": f"how much of all {cells} something is, in percent"})
        self.offer({"regions(": "in how many separate areas something is"})
        self.offer({"elevation(": f"the elevation of a {self.nouns.cell}"})
        self.offer({measure.name: measure.title for measure in self._measures.values()})
        if self.take_call("count"):
            counted_kind = self._counted_kind()
            return Count(counted_kind, self._counted_cells())
        if self.take_call("share"):
            cell_kind = self._cell_kind()
            return Share(cell_kind, self._counted_cells())
        if self.take_call("regions"):
            cell_kind = self._cell_kind()
            self.demand(")")
            return Regions(cell_kind)
        if self.take_call("elevation"):
            cell = self.take_cell()
            self.demand(")")
            return ElevationAt(cell)
        if self.next.kind is TokenKind.NUMBER:
            return self._number()
        return self._measure(expected, is_compared=is_compared)

    def _number(self) -> Number:
        """Take a number, with its percent sign if it has one."""
        if len(self.next.text) > LONGEST_NUMBER:
            self.fail(self.next, f"a number has at most {LONGEST_NUMBER} digits")
        value = float(self.take().text)
        if self.take_if_next("%", is_offered=False):
            return Number(value, "%")
        return Number(value)

    def _measure(self, expected: str, *, is_compared: bool) -> Measured:
        """Take the name of a measure; the parameters are those of ``_quantity``."""
        start = self.next
        name = self.take_name(lambda name: name.casefold() in self._measures)
        if name is None:
            self.fail(start, expected)
        if any(measure_name.startswith(f"{name.casefold()}(") for measure_name in self._measures):
            # A measure called like "wins(left)": its name goes on in brackets.
            self.demand("(")
            argument = self.take_name(
                lambda argument: f"{name}({argument})".casefold() in self._measures
            )
            self.demand(")")
            name = f"{name}({argument or ''})"
        measure = self._measures.get(name.casefold())
        if measure is None:
            self._fail_unknown_quantity(start, name, is_compared=is_compared)
        return Measured(measure)

    def _fail_unknown_quantity(self, start: Token, name: str, *, is_compared: bool) -> NoReturn:
        """Raise the error for a word that is neither a cell nor a measure, with a likely fix.

        ``is_compared`` as in ``_quantity``.
        """
        if name.casefold() in _CALLS:
            self.fail(self.next, "“(” is wanted here")

        missing_cell = ""
        if not is_compared:
            missing_cell = self.missing_cell(name)
        if missing_cell:
            self.fail(start, missing_cell, end=self.last_taken)

        # Only the whole name of one terrain or hexside tells what was meant.
        kinds = self.kinds_called(name)
        if len(kinds) != 1 or len(name) == 1:
            names = [*(measure.name for measure in self._measures.values()), *_CALLS]
            missing = f"no {self.nouns.cell} and no measure"
            if is_compared:
                missing = "no measure"
            self.fail_unknown(start, f"there is {missing}", name, names)

        # After "C4 = Bog or" a terrain is meant to be at C4; anything else is to be counted.
        kind = kinds[0]
        condition = self._last_condition_start
        joint = self.token_before(start).text.casefold()
        if condition is not None and joint == condition.joint and not kind.is_hexside:
            replacement = f"{condition.cell_name} {condition.sign} {quoted(kind.name)}"
        else:
            replacement = f"count({quoted(kind.name)})"
            if not is_compared and not self._is_comparison_next():
                replacement += " >= 1"
        cell = self.nouns.cell
        message = f"“{name}” alone is no condition: count it, or say which {cell} has to be it"
        if is_compared:
            message = f"“{name}” alone is no number: count it"
        fix = self.fix_replacing(start, self.last_taken, replacement)
        self.fail(start, message, fix, self.last_taken)

    def _counted_kind(self) -> CellKind | HexsideKind:
        """Take a kind of cells or of sides of cells."""
        if self._take_elevation_word():
            return self._elevation_kind()
        return self.take_kind(allows_terrains=True, allows_hexsides=True)

    def _cell_kind(self) -> CellKind:
        """Take a kind of cells."""
        if self._take_elevation_word():
            return self._elevation_kind()
        kind = self.take_kind(allows_terrains=True, allows_hexsides=False)
        assert not isinstance(kind, HexsideKind), "hexsides are not allowed"
        return kind

    def _take_elevation_word(self) -> bool:
        """Take the word "elevation" if it comes next, and return whether it did."""
        self.offer({"elevation": f"{self.nouns.cells} of an elevation: {_ELEVATION_EXAMPLES}"})
        return self.take_if_next("elevation", is_offered=False)

    def _elevation_kind(self) -> ElevationKind:
        """Take the elevation behind that word, and the sign before it; none means "="."""
        sign = self._take_comparison() or "="
        return ElevationKind(sign, self.take_elevation())

    def _counted_cells(self) -> tuple[Cell, ...]:
        """Take the cells among which is counted, and the closing bracket; () if none are named."""
        cells: list[Cell] = []
        if self.take_if_next("in"):
            self.demand("(")
            cells.append(self.take_cell())
            while self.take_if_next(","):
                cells.append(self.take_cell())
            self.demand(")")
        self.demand(")")
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
        return Combination((), is_conjunction=True)
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
