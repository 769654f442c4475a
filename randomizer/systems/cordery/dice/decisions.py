"""Decisions: what a person can choose on a table in place of the dice.

    decision = Decision("hills", DecisionKind.NUMBER, minimum=0, maximum=12)
    decision.values                                 # "0 to 12"
    read_fixed("hills = 4; hill 2 at = 0305")       # {"hills": "4", "hill 2 at": "0305"}

A decision is one of three kinds (``DecisionKind``): a number, one of some words, or an area.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto

from randomizer.model.problems import Problem, ProblemError, Severity, split_lines
from randomizer.systems.cordery.dice.dice_names import feature_of, generalize_name, is_thrown_again

_MIN_SIMILARITY = 0.75
"""How alike two names are, from 0 to 1, if one can be meant by the other.

With less, names would be proposed that share only a few letters; with more, a name with two slips
would find none.
"""


_SHOWN_CHARACTERS = 60
"""The most characters of a text of a person that a message shows."""


def shortened(text: str) -> str:
    """Return the beginning of a text that a person has typed, for a message."""
    return text[:_SHOWN_CHARACTERS]


class DecisionKind(Enum):
    """The kinds of values that decisions have."""

    WORD = auto()
    """One of ``Decision.words``."""

    NUMBER = auto()
    """A whole number from ``Decision.minimum`` to ``Decision.maximum``."""

    AREA = auto()
    """The name of an area: "0305" is that of column 3, row 5."""

    EDGE_AREA = auto()
    """The name of an area at the map edge."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can be made by hand, whether it was made or not.

    The fields after ``kind`` are those of some kinds only, as each says; for others they have their
    defaults.
    """

    name: str
    """The name by which it is fixed: "hill 2 at"."""

    kind: DecisionKind

    words: tuple[str, ...] = ()
    """For a word: those that it can be."""

    minimum: int = 0
    """For a number: the least."""

    maximum: int = 0
    """For a number: the greatest."""

    feature_noun: str = ""
    """For a number of features: how the name of every one begins, "hill" for "hill 2"."""

    current_number: int = 0
    """For a number: what it is on this table, by the dice or as decided."""

    is_chained: bool = False
    """For the area of a feature: whether dice put it beside the feature before it."""

    @property
    def feature(self) -> str:
        """The feature it is about, as ``feature_of``."""
        return feature_of(self.name)

    @property
    def is_area(self) -> bool:
        """True if its value is the name of an area."""
        return self.kind in (DecisionKind.AREA, DecisionKind.EDGE_AREA)

    @property
    def values(self) -> str:
        """The values that it can have, for a message."""
        match self.kind:
            case DecisionKind.WORD:
                return " or ".join(self.words)
            case DecisionKind.NUMBER:
                return f"{self.minimum} to {self.maximum}"
            case DecisionKind.EDGE_AREA:
                return "an area on the map edge"
            case DecisionKind.AREA:
                return "an area"


def read_fixed(text: str) -> dict[str, str]:
    """Parse decisions: ``name = value``, separated by line breaks or semicolons.

    Raises ProblemError, with its line and column, for one without an equals sign or a repeated
    name.
    """
    fixed: dict[str, str] = {}
    for line, row in enumerate(split_lines(text), 1):
        column = 1
        for part in row.split(";"):
            # Blanks before a decision are no part of it: a problem is marked behind them.
            start = column + len(part) - len(part.lstrip())
            column += len(part) + 1
            if not part.strip():
                continue  # an empty row, or a semicolon at the end of one
            name, equals, value = (word.strip() for word in part.partition("="))
            if not (name and equals and value):
                raise _misread(
                    f"expected: name = value, not {shortened(part.strip())}", line, start
                )
            if name in fixed:
                raise _misread(f"{shortened(name)} is fixed twice", line, start)
            fixed[name] = value
    return fixed


def _misread(message: str, line: int, column: int) -> ProblemError:
    """Return the error of decisions that cannot be parsed; line and column count from 1."""
    return ProblemError(Problem(Severity.ERROR, "decision", message, line=line, column=column))


def names_of_page(values_by_name: Mapping[str, str]) -> Mapping[str, str]:
    """Return the names that dice and decisions have on any table, with their possible values.

    For instance "hill N at" for "hill 1 at" and "hill 2 at".

    ``values_by_name`` is that of the table's ``Throws``. Dice thrown again are left out: they are
    called like the first ones, with "again N" behind.
    """
    return {
        generalize_name(name): values
        for name, values in values_by_name.items()
        if not is_thrown_again(name)
    }


def closest_name(values_by_name: Mapping[str, str], name: str) -> str:
    """Return the name that was probably meant by one that no die or decision has; "" for none.

    ``values_by_name`` is that of the table's ``Throws``.
    """
    matches = get_close_matches(name, values_by_name, n=1, cutoff=_MIN_SIMILARITY)
    if not matches:
        return ""
    return matches[0]


def list_names(names: Mapping[str, str]) -> str:
    """Return a text of all names with their values, a line each, which begins with a line break."""
    return "".join(f"\n  {name} = {values}" for name, values in names.items())
