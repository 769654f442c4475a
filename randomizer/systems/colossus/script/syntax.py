"""The typed syntax tree of a randomizer script (``.rnd``).

    LABEL high = D4 (1-2,3)                       # Label: HexItem, RangeItem
    AREA SOMEOF(2,(high)) HAZARDS Bog,75. Plains,2     # Area: SomeOf with a LabelItem; two Hazards
    PAIR (Plains,2)(Bog,*) HEXSIDES c,50. s       # Pair: two PairEnds, two HexsideChoices

The parser makes the tree, the linter reads it, and the compiler turns it into the steps of a roll.
Every node has the span of its text. Numbers are as written; ``*`` is -1 (``STAR``), as the game
evaluates it. Tuples are in the order of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

STAR = -1
"""The number that ``*`` stands for."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the script's text: lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class HexItem:
    """``D4``: one hex."""

    span: Span
    label: str
    """The label of the hex in capital letters."""
    hexes: tuple[int, ...]
    """The hex id of the label; () if the board has no such hex."""


@dataclass(frozen=True, slots=True)
class RangeItem:
    """``(1-2,3)``: all hexes with x and y inside the bounds, both included.

    The bounds are as written, STAR for ``*``.
    """

    span: Span
    first_x: int
    last_x: int
    first_y: int
    last_y: int
    hexes: tuple[int, ...]
    """The ids of the hexes on the board, ascending."""


@dataclass(frozen=True, slots=True)
class LabelItem:
    """``(name)``: a copy of the label's list at the time of evaluation; empty if it is not set."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SomeOf:
    """``SOMEOF(count, list)``: ``count`` draws without replacement, by position."""

    span: Span
    count: int
    items: tuple[Item, ...]
    site: int
    """The number of this SOMEOF in its statement, from 0 in the order of the text.

    It is a part of the key of its random draws (``program.site``).
    """


@dataclass(frozen=True, slots=True)
class Subtract:
    """``SUBSTRACT(list, without)``: the hexes of ``items`` that are not among ``without``."""

    span: Span
    items: tuple[Item, ...]
    without: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class SurroundingsOf:
    """``SURROUNDINGSOF(list)``: the neighbours of the hexes of a list, without these hexes.

    Each neighbour is there once; they ascend by hex id.
    """

    span: Span
    items: tuple[Item, ...]


Item = HexItem | RangeItem | LabelItem | SomeOf | Subtract | SurroundingsOf
"""An item of a list of hexes."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """One hazard of an AREA.

    At most one of ``elevation`` and ``odds`` is set.
    """

    span: Span
    name: str
    """The terrain's name in the game; the word as written if the game has no such terrain."""
    word: str
    """The name as written, without quotes."""
    is_known: bool
    """Whether the game has the terrain; placing an unknown one fails."""
    probability: float | None = None
    """The probability in percent, as written; None for "always"."""
    elevation: int | None = None
    """The number as written, which can be above 2, or STAR.

    None if it is 0, written or not, and if there are odds.
    """
    odds: tuple[float, float, float] | None = None
    """The chances of the elevations 0, 1 and 2, as written."""


@dataclass(frozen=True, slots=True)
class HexsideChoice:
    """``c,75.``: one of the hexsides of a PAIR."""

    span: Span
    letter: str
    """The word as written; it need not be the letter of a hexside."""
    probability: float | None
    """The probability in percent, as written; None for "always"."""


@dataclass(frozen=True, slots=True)
class PairEnd:
    """``(Plains,1)``: one of the two hexes of a PAIR."""

    span: Span
    name: str
    """The terrain's name in the game; the word as written if the game has no such terrain."""
    word: str
    """The name as written, without quotes."""
    is_known: bool
    """Whether the game has the terrain; a PAIR of an unknown one does nothing."""
    elevation: int
    """STAR for any elevation."""


@dataclass(frozen=True, slots=True)
class Area:
    """``AREA list HAZARDS hazards``."""

    span: Span
    items: tuple[Item, ...]
    hazards: tuple[Hazard, ...]
    head: str
    """The text before HAZARDS, for explanations."""


@dataclass(frozen=True, slots=True)
class Label:
    """``LABEL name = list``."""

    span: Span
    name: str
    name_span: Span
    """The span of the name alone."""
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """``PAIR (h1,e1)(h2,e2) HEXSIDES choices``."""

    span: Span
    high: PairEnd
    """The first end, whose hex gets the hexside."""
    low: PairEnd
    """The second end."""
    choices: tuple[HexsideChoice, ...]
    head: str
    """The text before HEXSIDES, for explanations."""


@dataclass(frozen=True, slots=True)
class StartList:
    """``STARTLIST list``."""

    span: Span
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """``TITLE name`` or ``SUBTITLE name``."""

    span: Span
    text: str
    """The name without quotes."""
    is_subtitle: bool
    """True for a SUBTITLE."""


@dataclass(frozen=True, slots=True)
class Tower:
    """``TOWER``: the battleland is a tower."""

    span: Span


Statement = Area | Label | Pair | StartList | Title | Tower
"""A statement of a script."""


def keyword_of(statement: Statement) -> str:
    """Return the keyword that a statement begins with."""
    match statement:
        case Area():
            return "AREA"
        case Label():
            return "LABEL"
        case Pair():
            return "PAIR"
        case StartList():
            return "STARTLIST"
        case Title(is_subtitle=True):
            return "SUBTITLE"
        case Title():
            return "TITLE"
        case Tower():
            return "TOWER"


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script."""

    statements: tuple[Statement, ...]
    """The statements that parsed. The random draws of a statement are keyed by its index here."""

    text: str
    """The text that was parsed; the spans of the nodes are places in it."""
