"""The mistakes that the parser of filters meets: their messages, and how they are put right.

A rule of the grammar (parser.py) whose tokens make no sense raises what ``FilterMistakes`` returns:
a ProblemError, with a fix where it is clear what was meant::

    C4 is not Bog           C4 != Bog               missing_sign
    C4 = Bog or Lake        C4 = Bog or C4 = Lake   unknown_quantity
    Tree                    count(Tree) >= 1        unknown_quantity
    count(Tree)             count(Tree) >= 1        lone_quantity

It reads the text around the mistake, and takes no tokens from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple

from randomizer.batches.filters.names import NamedKind, Names
from randomizer.batches.filters.terms import Count, Quantity, Regions
from randomizer.batches.filters.tokens import Token, TokenKind, quoted
from randomizer.model.problems import Fix, ProblemError

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


class FilterMistakes:
    """Makes the errors of a parser, with their fixes."""

    def __init__(self, names: Names, measure_names: Iterable[str]) -> None:
        """``names`` is the parser, of which the tokens and names are read.

        ``measure_names`` are the measures that the filter can name.
        """
        self._names = names
        self._measure_names = tuple(measure_names)
        # Of the last terrain: the first ones are often the empty ground.
        self._example = f"count({quoted(names.terrain_set.terrains[-1].name)})"
        """A quantity that messages give as an example."""

    # --- conditions on cells ----------------------------------------------------------------

    def missing_sign(self, start: Token, *, after_not: bool) -> ProblemError:
        """Return the error for a cell behind which no sign comes: "C4 is not Bog".

        ``start`` is the first token behind the cell. With ``after_not`` it is "not", which was
        taken, and the next token is the one behind it; else it is the next token itself.
        """
        if after_not:
            fix = self._fix_of_lone_not(start)
        else:
            fix = self._fix_of_missing_sign(start)
        message = "`=`, `!=` or `in` is wanted here, and what has to be there"
        return self._names.error_at(start, message, fix)

    def _fix_of_lone_not(self, negation: Token) -> Fix | None:
        """Return the fix of "C4 not Bog", which is to be "C4 != Bog"; None if no name follows."""
        if self._names.next.kind in (TokenKind.WORD, TokenKind.QUOTED):
            return self._names.fix_replacing(negation, negation, "!=")
        return None

    def _fix_of_missing_sign(self, start: Token) -> Fix | None:
        """Return the fix that gives a cell its sign; None if it is not clear what was meant."""
        names = self._names
        if start.kind not in (TokenKind.WORD, TokenKind.QUOTED):
            return None
        if not start.is_written("is"):
            return names.fix_inserting(names.last_taken, " =")  # "C4 Bog" is to be "C4 = Bog"

        # "C4 is Bog" and "C4 is not Bog": the verb, of one or two tokens, becomes a sign.
        verb_end = start
        sign = "="
        behind_verb = names.token_ahead(1)
        if behind_verb.is_written("not"):
            verb_end = behind_verb
            sign = "!="
            behind_verb = names.token_ahead(2)
        if not behind_verb.is_written("in"):
            return names.fix_replacing(start, verb_end, sign)
        # "C4 is not in (Bog, Lake)" lacks no sign: "is" is too much.
        if sign == "!=":
            return names.fix_replacing(start, behind_verb, "not in")
        return names.fix_replacing(start, behind_verb, "in")

    # --- quantities -------------------------------------------------------------------------

    def missing_quantity(self, start: Token, role: Role) -> ProblemError:
        """Return the error for a token that begins no quantity; ``role`` is what it is to be."""
        if role is Role.BEGINS_CONDITION:
            message = f"a condition is wanted here, such as {self._example} >= 1"
        elif role is Role.IS_COMPARED:
            message = "a number is wanted here, or a measure to compare with"
        else:
            message = f"a measure alone is wanted, such as {self._example}"
        return self._names.error_at(start, message)

    def lone_quantity(self, start: Token, quantity: Quantity) -> ProblemError:
        """Return the error for a quantity, written from ``start`` on, that is not compared.

        For a count the fix is to demand at least one, for others it is not clear what was meant.
        """
        names = self._names
        end = names.last_taken
        quantity_text = names.text[start.start : end.end]
        fix = None
        if isinstance(quantity, Count | Regions):
            fix = names.fix_inserting(end, " >= 1")
        message = f"“{quantity_text}” is a number: say what it has to be"
        return names.error_at(names.next, message, fix)

    def unknown_quantity(
        self, start: Token, name: str, role: Role, last_condition: ConditionStart | None
    ) -> ProblemError:
        """Return the error for a name that is neither a cell nor a measure.

        It was taken, from the token ``start`` on, in place of a quantity of this ``role``.
        ``last_condition`` is the beginning of the condition before it, if that is one on a cell.
        """
        names = self._names
        if name.casefold() in CALLS:
            return names.error_at(names.next, "“(” is wanted here")
        missing_cell = names.missing_cell(name)
        if missing_cell and role is not Role.IS_COMPARED:
            return names.error_at(start, missing_cell, end=names.last_taken)
        kind = self._kind_called(name)
        if kind is None:
            return self._unknown_name(start, name, role)
        if role is Role.IS_COMPARED:
            return self._kind_as_number(start, name, kind)
        return self._kind_as_condition(start, name, kind, last_condition)

    def _kind_called(self, name: str) -> NamedKind | None:
        """Return the terrain or hexside of a name; None for a letter, and if there is not just one.

        A single letter may be short for anything: it does not tell what was meant.
        """
        kinds = self._names.kinds_called(name)
        if len(kinds) != 1 or len(name) == 1:
            return None
        return kinds[0]

    def _unknown_name(self, start: Token, name: str, role: Role) -> ProblemError:
        """Return the error for a name of nothing."""
        missing = f"there is no {self._names.nouns.cell} and no measure"
        if role is Role.IS_COMPARED:
            missing = "there is no measure"
        known_names = [*self._measure_names, *CALLS]
        return self._names.error_of_unknown(start, missing, name, known_names)

    def _kind_as_number(self, start: Token, name: str, kind: NamedKind) -> ProblemError:
        """Return the error for a terrain or hexside in place of a number: it is to be counted."""
        end = self._names.last_taken
        fix = self._names.fix_replacing(start, end, f"count({quoted(kind.name)})")
        message = f"“{name}” alone is no number: count it"
        return self._names.error_at(start, message, fix, end)

    def _kind_as_condition(
        self, start: Token, name: str, kind: NamedKind, last_condition: ConditionStart | None
    ) -> ProblemError:
        """Return the error for a terrain or hexside in place of a condition."""
        names = self._names
        end = names.last_taken
        word_before = names.token_before(start).text.casefold()
        if (
            last_condition is not None
            and word_before == last_condition.joint
            and not kind.is_hexside
        ):
            # After "C4 = Bog or" a terrain is meant to be at C4.
            replacement = f"{last_condition.cell_name} {last_condition.sign} {quoted(kind.name)}"
        else:
            # Anything else is to be counted; what it is compared with may follow already.
            replacement = f"count({quoted(kind.name)})"
            if not names.is_comparison_next():
                replacement += " >= 1"
        cell = names.nouns.cell
        message = f"“{name}” alone is no condition: count it, or say which {cell} has to be it"
        fix = names.fix_replacing(start, end, replacement)
        return names.error_at(start, message, fix, end)
