"""What is wrong with a filter, and how it is put right: the mistakes that the parser meets.

``Mistakes`` stands between ``Names``, which takes the names of a filter, and ``Parser``, which
takes all else by the rules of the grammar. A rule calls a method here when its tokens make no
sense; that raises the ProblemError, with a fix where it is clear what was meant::

    C4 is not Bog           C4 != Bog               fail_without_sign
    C4 = Bog or Lake        C4 = Bog or C4 = Lake   fail_unknown_quantity
    Tree                    count(Tree) >= 1        fail_unknown_quantity
    count(Tree)             count(Tree) >= 1        fail_lone_quantity
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple, NoReturn

from randomizer.batches.batch import Measure
from randomizer.batches.filters.names import Names
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    Count,
    Measured,
    Number,
    Quantity,
    Regions,
    Share,
)
from randomizer.batches.filters.tokens import Token, TokenKind, quoted
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Fix
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

CALLS = ("count", "share", "regions", "elevation", "side")
"""Words that are followed by a bracket."""


class Role(Enum):
    """What a quantity is taken for, on which the message depends if there is none."""

    BEGINS_CONDITION = auto()
    """It stands at the beginning of a condition, where a cell could stand as well."""

    IS_COMPARED = auto()
    """It stands behind a sign of comparison."""

    IS_ALONE = auto()
    """It is the whole text."""


class ConditionStart(NamedTuple):
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


class Mistakes(Names):
    """Raises the errors of a parser, with their fixes."""

    def __init__(
        self,
        text: str,
        system: System,
        measures: tuple[Measure, ...],
        grid: Grid | None,
        terrain_set: TerrainSet | None,
    ) -> None:
        super().__init__(text, system, grid, terrain_set)
        self.measures: dict[str, Measure] = {}
        """The measures that a filter can name, by their names folded for comparison."""
        # The measure "count(Tree)" is parsed as a call; "wins(left)" only looks like one.
        calls = tuple(f"{name}(" for name in CALLS)
        for measure in measures:
            folded_name = measure.name.casefold()
            if not folded_name.startswith(calls):
                self.measures[folded_name] = measure
        # Of the last terrain: the first ones are often the empty ground.
        self._example = f"count({quoted(self.terrain_set.terrains[-1].name)})"
        """A quantity that messages give as an example."""
        self.last_condition_start: ConditionStart | None = None
        """The beginning of the last condition on a cell; None after other conditions.

        Whoever takes a condition sets it (``note_condition_start``); ``fail_unknown_quantity``
        reads it.
        """

    def note_condition_start(self, cell: Cell, sign: str, *, is_at_side: bool) -> None:
        """Remember how a condition on a cell begins; nothing of one on a side."""
        self.last_condition_start = None
        if not is_at_side:
            self.last_condition_start = ConditionStart(cell.name, sign)

    def is_comparison_next(self) -> bool:
        """Return whether a sign of comparison comes next."""
        return any(map(self.is_next, COMPARISONS))

    # --- conditions on cells ----------------------------------------------------------------

    def fail_without_sign(self, start: Token, *, is_expected: bool) -> NoReturn:
        """Raise the error for a cell behind which no sign comes: "C4 is not Bog".

        ``start`` is the first token behind the cell; "not" was taken if not ``is_expected``.
        """
        fix = self._take_verb_and_fix(start, is_expected=is_expected)
        self.fail(start, "`=`, `!=` or `in` is wanted here, and what has to be there", fix)

    def _take_verb_and_fix(self, start: Token, *, is_expected: bool) -> Fix | None:
        """Take a verb where a sign is wanted, and return the fix; None if there is no clear one.

        "C4 is not Bog" is to be "C4 != Bog", and "C4 Bog" is to be "C4 = Bog". The parameters are
        those of ``fail_without_sign``.
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

    # --- quantities -------------------------------------------------------------------------

    def fail_without_quantity(self, start: Token, role: Role) -> NoReturn:
        """Raise the error for a token that begins no quantity; ``role`` is that of the quantity."""
        if role is Role.BEGINS_CONDITION:
            message = f"a condition is wanted here, such as {self._example} >= 1"
        elif role is Role.IS_COMPARED:
            message = "a number is wanted here, or a measure to compare with"
        else:
            message = f"a measure alone is wanted, such as {self._example}"
        self.fail(start, message)

    def fail_lone_quantity(self, start: Token, quantity: Quantity) -> NoReturn:
        """Raise the error for a quantity, written from ``start`` on, that nothing is compared with.

        For a count the fix is to demand at least one, for others it is not clear what was meant.
        """
        end = self.last_taken
        quantity_text = self.text[start.start : end.end]
        fix = None
        if isinstance(quantity, Count | Regions):
            fix = self.fix_inserting(end, " >= 1")
        self.fail(self.next, f"“{quantity_text}” is a number: say what it has to be", fix)

    def check_unit(self, number: Quantity, compared: Quantity, token: Token) -> None:
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

    def fail_unknown_quantity(self, start: Token, name: str, role: Role) -> NoReturn:
        """Raise the error for a word that is neither a cell nor a measure, with a likely fix.

        ``role`` is that of the quantity in whose place it stands.
        """
        is_compared = role is Role.IS_COMPARED
        if name.casefold() in CALLS:
            self.fail(self.next, "“(” is wanted here")

        missing_cell = ""
        if not is_compared:
            missing_cell = self.missing_cell(name)
        if missing_cell:
            self.fail(start, missing_cell, end=self.last_taken)

        # Only the whole name of one terrain or hexside tells what was meant.
        kinds = self.kinds_called(name)
        if len(kinds) != 1 or len(name) == 1:
            names = [*(measure.name for measure in self.measures.values()), *CALLS]
            missing = f"no {self.nouns.cell} and no measure"
            if is_compared:
                missing = "no measure"
            self.fail_unknown(start, f"there is {missing}", name, names)

        # After "C4 = Bog or" a terrain is meant to be at C4; anything else is to be counted.
        kind = kinds[0]
        condition = self.last_condition_start
        joint = self.token_before(start).text.casefold()
        if condition is not None and joint == condition.joint and not kind.is_hexside:
            replacement = f"{condition.cell_name} {condition.sign} {quoted(kind.name)}"
        else:
            replacement = f"count({quoted(kind.name)})"
            if not is_compared and not self.is_comparison_next():
                replacement += " >= 1"
        cell = self.nouns.cell
        message = f"“{name}” alone is no condition: count it, or say which {cell} has to be it"
        if is_compared:
            message = f"“{name}” alone is no number: count it"
        fix = self.fix_replacing(start, self.last_taken, replacement)
        self.fail(start, message, fix, self.last_taken)
