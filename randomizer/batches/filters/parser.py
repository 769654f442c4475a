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

from randomizer.batches.batch import Measure
from randomizer.batches.filters.conditions import (
    CellShows,
    Combination,
    Comparison,
    Condition,
    MeasureIsTrue,
    Not,
)
from randomizer.batches.filters.mistakes import CALLS, ConditionStart, FilterMistakes, Role
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
from randomizer.batches.filters.tokens import Token, TokenKind
from randomizer.model.grid.grid import Grid
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


class Parser(Names):
    """Parses one filter (``filter``), or one quantity (``quantity_alone``); used once.

    Each method ``_take_...`` takes the tokens of one rule, and offers the words that could continue
    the text there. Methods raise ProblemError for a mistake (mistakes.py).

    From the base classes come the tokens (``next``, ``take``, ``take_if_next``, ``demand``), the
    names (``take_name``, ``take_kind``, ``take_cell``), and ``offer`` and ``fail``.
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
        calls = tuple(f"{name}(" for name in CALLS)
        for measure in measures:
            folded_name = measure.name.casefold()
            if not folded_name.startswith(calls):
                self._measures[folded_name] = measure
        measure_names = [measure.name for measure in self._measures.values()]
        self._mistakes = FilterMistakes(self, measure_names)
        self._last_condition: ConditionStart | None = None
        """The beginning of the last condition, for the fix of a terrain that stands alone after it.

        None after conditions that are not on a cell.
        """
        self._depth = 0
        """The number of brackets and "not"s around the next token."""

    def filter(self) -> Condition:
        """Return the whole text as a condition. Raises ProblemError."""
        condition = self._take_condition()
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
        quantity = self._take_quantity(Role.IS_ALONE)
        if isinstance(quantity, Number):
            raise self._mistakes.missing_quantity(self.last_taken, Role.IS_ALONE)
        if self.next.kind is not TokenKind.END:
            raise self._mistakes.missing_quantity(self.next, Role.IS_ALONE)
        return quantity

    # --- conditions ---------------------------------------------------------------------------

    def _take_condition(self) -> Condition:
        """Take conditions that are joined by "or", or one alone."""
        parts = [self._take_conjunction()]
        while self.take_if_next("or"):
            parts.append(self._take_conjunction())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), is_conjunction=False)

    def _take_conjunction(self) -> Condition:
        """Take conditions that are joined by "and", which binds closer than "or", or one alone."""
        parts = [self._take_negation()]
        while self.take_if_next("and"):
            parts.append(self._take_negation())
        if len(parts) == 1:
            return parts[0]
        return Combination(tuple(parts), is_conjunction=True)

    def _take_negation(self) -> Condition:
        """Take a condition that is negated, in brackets, or simple."""
        if self._depth == DEEPEST:
            self.fail(self.next, "brackets and “not” are nested too deep here")
        self._depth += 1
        condition: Condition
        if self.take_if_next("not"):
            condition = Not(self._take_negation())
        elif self.take_if_next("("):
            condition = self._take_condition()
            self.demand(")")
        else:
            condition = self._take_simple_condition()
        self._depth -= 1
        return condition

    def _take_simple_condition(self) -> Condition:
        """Take a condition on a cell or a side, a comparison, or a yes-or-no measure."""
        self._offer_side()
        start = self.next
        if self.take_call("side"):
            cell = self.take_cell()
            self.demand(",")
            side = self.take_side()
            self.demand(")")
            return self._take_cell_condition(cell, side)
        if self.is_cell():
            cell = self.take_cell()
            if self.take_if_next(":", is_offered=False):
                return self._take_cell_condition(cell, self.take_side())
            return self._take_cell_condition(cell, None)
        self.offer_cells()
        left = self._take_quantity(Role.BEGINS_CONDITION)
        self._last_condition = None
        if isinstance(left, Measured) and left.measure.yes_no:
            if self.is_comparison_next():
                name = str(left)
                self.fail(self.next, f"{name} holds or not: write “{name}” or “not {name}”")
            return MeasureIsTrue(left.measure)
        return self._take_comparison(start, left)

    def _take_comparison(self, start: Token, left: Quantity) -> Comparison:
        """Take the rest of a comparison of ``left``, which began with the token ``start``."""
        sign = self._take_sign()
        if sign is None:
            raise self._mistakes.lone_quantity(start, left)
        second = self.next
        if isinstance(left, Number) and self.kinds_called(second.text):
            # In "40 = Bog" the number was meant as the name of a cell.
            self.fail(start, f"the board has no {self.nouns.cell} “{start.text}”")
        right = self._take_quantity(Role.IS_COMPARED)

        if isinstance(left, Number) and isinstance(right, Number):
            self.fail(start, "nothing of a map is compared here", end=self.last_taken)
        if self.is_comparison_next():  # as in "1 < count(Tree) < 5"
            second_text = self.text[second.start : self.last_taken.end]
            fix = self.fix_inserting(self.last_taken, f" and {second_text}")
            self.fail(self.next, "two numbers are compared at a time", fix)
        self._check_unit(left, right, start)
        self._check_unit(right, left, second)
        return Comparison(left, sign, right)

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

    def _take_sign(self) -> str | None:
        """Take a sign of comparison; None if none comes next."""
        for sign in COMPARISONS:
            if self.take_if_next(sign):
                return sign
        return None

    def _take_cell_condition(self, cell: Cell, side: int | None) -> CellShows:
        """Take what stands behind a cell, or behind the ``side`` of it with this number.

        That is a sign and a kind, as in "= Bog", or "in" and several kinds, as in "not in (Bog,
        Lake)".
        """
        is_at_side = side is not None
        for sign in ("=", "!="):
            if self.take_if_next(sign):
                self._note_condition(cell, sign, is_at_side=is_at_side)
                if sign == "=" and self.is_next("not"):
                    not_equal = self.fix_replacing(self.last_taken, self.next, "!=")
                    self.fail(self.next, "what must not be there is asked for by `!=`", not_equal)
                kind = self._take_kind_at(cell, is_at_side=is_at_side)
                return CellShows(cell, side, (kind,), is_expected=sign == "=")

        start = self.next
        is_expected = not self.take_if_next("not")
        if not self.take_if_next("in"):
            raise self._mistakes.missing_sign(start, after_not=not is_expected)
        sign = "!="
        if is_expected:
            sign = "="
        self._note_condition(cell, sign, is_at_side=is_at_side)
        self.demand("(")
        kinds = [self._take_kind_at(cell, is_at_side=is_at_side)]
        while self.take_if_next(","):
            kinds.append(self._take_kind_at(cell, is_at_side=is_at_side))
        self.demand(")")
        return CellShows(cell, side, tuple(kinds), is_expected)

    def _note_condition(self, cell: Cell, sign: str, *, is_at_side: bool) -> None:
        """Note how a condition on a cell begins; nothing of one on a side."""
        self._last_condition = None
        if not is_at_side:
            self._last_condition = ConditionStart(cell.name, sign)

    def _take_kind_at(
        self, cell: Cell, *, is_at_side: bool
    ) -> TerrainKind | WaterKind | HexsideKind:
        """Take a terrain that a cell can show, or a hexside that a side of it can show."""
        token = self.next
        if token.kind is TokenKind.NUMBER and not is_at_side:
            condition = f"elevation({cell.name}) = {token.text}"
            self.fail(token, f"a terrain is wanted here; an elevation is asked for by {condition}")
        if is_at_side and self.take_if_next("none"):
            return HexsideKind(0, "none")
        return self.take_kind(allows_terrains=not is_at_side, allows_hexsides=is_at_side)

    # --- numbers that maps have ---------------------------------------------------------------

    def _take_quantity(self, role: Role) -> Quantity:
        """Take a quantity; ``role`` says what the message is if none comes next."""
        self._offer_quantities()
        if self.take_call("count"):
            counted_kind = self._take_counted_kind()
            return Count(counted_kind, self._take_counted_cells())
        if self.take_call("share"):
            cell_kind = self._take_cell_kind()
            return Share(cell_kind, self._take_counted_cells())
        if self.take_call("regions"):
            cell_kind = self._take_cell_kind()
            self.demand(")")
            return Regions(cell_kind)
        if self.take_call("elevation"):
            cell = self.take_cell()
            self.demand(")")
            return ElevationAt(cell)
        if self.next.kind is TokenKind.NUMBER:
            return self._take_number()
        return self._take_measure(role)

    def _take_number(self) -> Number:
        """Take a number, with its percent sign if it has one."""
        if len(self.next.text) > LONGEST_NUMBER:
            self.fail(self.next, f"a number has at most {LONGEST_NUMBER} digits")
        value = float(self.take().text)
        if self.take_if_next("%", is_offered=False):
            return Number(value, "%")
        return Number(value)

    def _take_measure(self, role: Role) -> Measured:
        """Take the name of a measure; ``role`` as in ``_take_quantity``."""
        start = self.next
        name = self.take_name(lambda name: name.casefold() in self._measures)
        if name is None:
            raise self._mistakes.missing_quantity(start, role)
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
            raise self._mistakes.unknown_quantity(start, name, role, self._last_condition)
        return Measured(measure)

    def _take_counted_kind(self) -> CellKind | HexsideKind:
        """Take a kind of cells or of sides of cells."""
        if self._take_elevation_word():
            return self._take_elevation_kind()
        return self.take_kind(allows_terrains=True, allows_hexsides=True)

    def _take_cell_kind(self) -> CellKind:
        """Take a kind of cells."""
        if self._take_elevation_word():
            return self._take_elevation_kind()
        kind = self.take_kind(allows_terrains=True, allows_hexsides=False)
        assert not isinstance(kind, HexsideKind), "hexsides are not allowed"
        return kind

    def _take_elevation_word(self) -> bool:
        """Take the word "elevation" if it comes next, and return whether it did."""
        self.offer({"elevation": f"{self.nouns.cells} of an elevation: {_ELEVATION_EXAMPLES}"})
        return self.take_if_next("elevation", is_offered=False)

    def _take_elevation_kind(self) -> ElevationKind:
        """Take the elevation behind that word, and the sign before it; none means "="."""
        sign = self._take_sign() or "="
        return ElevationKind(sign, self.take_elevation())

    def _take_counted_cells(self) -> tuple[Cell, ...]:
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

    # --- what completion offers -------------------------------------------------------------

    def _offer_side(self) -> None:
        """Offer the beginning of a condition on a side of a cell."""
        if self.has_hexsides:
            noun = self.nouns.cell
            self.offer({"side(": f"what stands at a side of a {noun}: side({noun}, number)"})

    def _offer_quantities(self) -> None:
        """Offer what a quantity can begin with, but numbers."""
        cells = self.nouns.cells
        self.offer({"count(": f"on how many {cells}, or sides of {cells}, something is"})
        self.offer({"share(": f"how much of all {cells} something is, in percent"})
        self.offer({"regions(": "in how many separate areas something is"})
        self.offer({"elevation(": f"the elevation of a {self.nouns.cell}"})
        self.offer({measure.name: measure.title for measure in self._measures.values()})


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
