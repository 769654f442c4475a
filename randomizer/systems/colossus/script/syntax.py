"""The typed syntax tree of a randomizer script (``.rnd``).

The parser makes it, the linter reads it, the rollers run it. Every node has a ``span``. Numbers are
as written; ``*`` is -1 (``STAR``), as the game evaluates it. Lists stand in the order of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

STAR = -1


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the script, lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class HexItem:
    """``D4``: one hex label; ``hexes`` holds its hex id, or nothing where the board has no hex."""

    span: Span
    label: str
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RangeItem:
    """``(1-2,3)``: all hexes with x and y inside the bounds, both included.

    ``hexes`` are those on the board, ascending. ``Bounds`` are as written (STAR for ``*``).
    """

    span: Span
    first_x: int
    last_x: int
    first_y: int
    last_y: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LabelItem:
    """``(name)``: a copy of the label's list at the time of evaluation; unknown: empty."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SomeOf:
    """``SOMEOF(count, list)``: ``count`` draws without replacement, by position.

    ``site`` numbers the SOMEOFs of one statement from 0 in the order of the text.
    """

    span: Span
    count: int
    items: tuple[Item, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Subtract:
    """``SUBSTRACT(list, without)``: the items of ``items`` that are not in ``without``."""

    span: Span
    items: tuple[Item, ...]
    without: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class SurroundingsOf:
    """``SURROUNDINGSOF(list)``: the neighbours of any, each once, ascending, members left out."""

    span: Span
    items: tuple[Item, ...]


Item = HexItem | RangeItem | LabelItem | SomeOf | Subtract | SurroundingsOf


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
    """In percent, as written; None for "always"."""
    elevation: int | None = None
    """As written."""
    odds: tuple[float, float, float] | None = None
    """The chances of the elevations 0, 1 and 2, as written."""


@dataclass(frozen=True, slots=True)
class HexsideChoice:
    """``c,75.``: one entry of a PAIR's hexsides; ``probability`` None is "always"."""

    span: Span
    letter: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class PairEnd:
    """``(Plains,1)`` of a PAIR; ``elevation`` is STAR for any. ``name`` as in ``Hazard``."""

    span: Span
    name: str
    word: str
    is_known: bool
    elevation: int


@dataclass(frozen=True, slots=True)
class Area:
    """``AREA list HAZARDS hazards``. ``head`` is the text before HAZARDS, for explanations."""

    span: Span
    items: tuple[Item, ...]
    hazards: tuple[Hazard, ...]
    head: str


@dataclass(frozen=True, slots=True)
class Label:
    """``LABEL name = list``."""

    span: Span
    name: str
    name_span: Span
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """``PAIR (h1,e1)(h2,e2) HEXSIDES choices``. ``head`` is the text before HEXSIDES."""

    span: Span
    high: PairEnd
    low: PairEnd
    choices: tuple[HexsideChoice, ...]
    head: str


@dataclass(frozen=True, slots=True)
class StartList:
    """``STARTLIST list``."""

    span: Span
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """``TITLE name`` or, with ``sub``, ``SUBTITLE name``."""

    span: Span
    text: str
    sub: bool


@dataclass(frozen=True, slots=True)
class Tower:
    """``TOWER``: the battleland is a tower."""

    span: Span


Statement = Area | Label | Pair | StartList | Title | Tower


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. A statement's index in ``statements`` is part of the sites of its draws."""

    statements: tuple[Statement, ...]
    text: str
    """What was parsed; the spans of the nodes are places in it."""
