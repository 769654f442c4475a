"""Compiles the syntax tree of a randomizer script to a ``Program`` that can be rolled.

Everything that is the same for every roll is done here once: lists that no draw can change become
``Fixed``, sites are numbered, probabilities become thresholds, PAIRs one table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, groupby
from typing import NamedTuple, cast

import numpy as np

from randomizer.model.basics.dice import threshold
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.colossus.board import PARTS
from randomizer.systems.colossus.rolling.program import (
    EDGE_COUNT,
    EDGE_SITE,
    ELEVATIONS,
    HAZARD_SITE,
    LEFTOVER,
    LIST_LIMIT,
    NOTHING,
    PICK_SITE,
    PLACE_LIMIT,
    STATEMENT_LIMIT,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Choices,
    Fixed,
    HexList,
    LabelStep,
    PairTable,
    Part,
    Pick,
    Placing,
    Program,
    StartStep,
    Step,
    Use,
    Without,
    around,
    site,
    state_of,
)
from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES


class Limits(NamedTuple):
    """The sizes beyond which a script is not rolled."""

    statements: int = STATEMENT_LIMIT
    places: int = PLACE_LIMIT
    """Of hazards in an AREA, and of SOMEOFs in a statement."""
    nesting: int = 100
    """The deepest nesting of functions."""


LIMITS = Limits()


def problem_at(span: syntax.Span, path: str | None, code: str, message: str) -> Problem:
    """Return an error with a place in a script."""
    return Problem(
        Severity.ERROR,
        code,
        message,
        path,
        span.line,
        span.column,
        span.end_line,
        span.end_column,
    )


def compile_script(
    script: syntax.Script, path: str | None = None, limits: Limits = LIMITS
) -> Program:
    """Return the program of ``script``.

    Raises ProblemError for unknown hexside letters (all of them: nothing is rolled then), and for
    scripts and lists beyond the limits.
    """
    return _Compiler(script, path, limits).program()


class _Compiler:
    """Passes over the statements once, keeping the labels that are known before any draw."""

    def __init__(self, script: syntax.Script, path: str | None, limits: Limits) -> None:
        self.script = script
        self.path = path
        self.limits = limits
        self.fixed_lists: dict[str, Fixed | None] = {
            name: Fixed(part) for name, part in PARTS.items()
        }
        self.fixed_lists |= {LEFTOVER: NOTHING, USEDUP: NOTHING}
        self.statement = 0
        self.depth = 0
        self.sites: list[int] = []

    def program(self) -> Program:
        statements = self.script.statements
        self._refuse_unknown_hexsides()
        if len(statements) > self.limits.statements:
            self._refuse(statements[-1].span, "script-too-long", "The script is too long to roll.")
        steps: list[Step] = []
        pairs: list[tuple[int, syntax.Pair]] = []
        title = subtitle = tower = None
        for index, statement in enumerate(statements):
            self.statement = index
            match statement:
                case syntax.Pair():
                    pairs.append((index, statement))
                case syntax.Title(text=text, sub=True):
                    subtitle = text
                case syntax.Title(text=text):
                    title = text
                case syntax.Tower():
                    tower = True
                case syntax.Area():
                    steps.append(self._area(statement))
                case syntax.Label():
                    hexes = self._list(statement.items)
                    self.fixed_lists[statement.name] = hexes if isinstance(hexes, Fixed) else None
                    steps.append(LabelStep(index, hexes, statement.name))
                case syntax.StartList():
                    steps.append(StartStep(index, self._list(statement.items)))
        edge_words = len(self.sites)
        if pairs:
            self.sites += (site(EDGE_SITE, word=word) for word in range(-(-EDGE_COUNT // 4)))
        return Program(
            self.script,
            self.path,
            tuple(steps),
            _pair_table(pairs),
            np.array(self.sites, np.uint64),
            edge_words,
            title,
            subtitle,
            tower,
        )

    def _refuse(self, span: syntax.Span, code: str, message: str) -> None:
        raise ProblemError(problem_at(span, self.path, code, message))

    def _refuse_unknown_hexsides(self) -> None:
        unknown: list[syntax.HexsideChoice] = []
        for statement in self.script.statements:
            if isinstance(statement, syntax.Pair):
                unknown += (one for one in statement.choices if one.letter not in HEXSIDE_NAMES)
        if unknown:
            from randomizer.systems.colossus.script.lint_pairs import unknown_hexside
            from randomizer.systems.colossus.script.source import Source

            source = Source(self.script.text, self.path)
            raise ProblemError(unknown_hexside(choice, source) for choice in unknown)

    # --- AREA --------------------------------------------------------------------------------

    def _area(self, area: syntax.Area) -> AreaStep:
        if len(area.hazards) > self.limits.places:
            self._refuse(area.span, "script-too-long", "The AREA has too many hazards to roll.")
        hexes = self._list(area.items)
        # leftover and usedup of an AREA are known beforehand only if it can place nothing.
        self.fixed_lists[USEDUP] = NOTHING if hexes == NOTHING or not area.hazards else None
        self.fixed_lists[LEFTOVER] = None
        if isinstance(hexes, Fixed):
            hexes = Fixed(tuple(sorted(hexes.hexes)))
            if hexes == NOTHING or not area.hazards:
                self.fixed_lists[LEFTOVER] = hexes
        placings = tuple(
            self._placing(number, hazard) for number, hazard in enumerate(area.hazards)
        )
        return AreaStep(self.statement, hexes, placings)

    def _placing(self, number: int, hazard: syntax.Hazard) -> Placing:
        index = len(self.sites)
        self.sites.append(site(HAZARD_SITE, self.statement, number))
        if hazard.probability is None:
            percent = 100.0
        else:
            percent = _clamp(hazard.probability)
        if hazard.is_known:
            terrain = COLOSSUS.terrain_code(hazard.name)
        else:
            terrain = -1
        below, shares = _elevation_odds(hazard)
        first, second = (threshold(share, 16) for share in shares)
        return Placing(
            terrain, percent, below, threshold(percent, 32), first, second, index, hazard
        )

    # --- lists -------------------------------------------------------------------------------

    def _list(self, items: Sequence[syntax.Item]) -> HexList:
        """Return the list in as few parts as possible; what is known before any draw becomes
        Fixed.
        """
        self.depth += 1
        if items and self.depth > self.limits.nesting:
            self._refuse(items[0].span, "list-too-deep", "Functions are nested too deeply.")
        parts: list[Part] = []
        for fixed, group in groupby(map(self._item, items), lambda part: isinstance(part, Fixed)):
            if not fixed:
                parts += group
                continue
            lists = [cast(Fixed, part).hexes for part in group]
            if sum(map(len, lists)) > LIST_LIMIT:
                self._refuse(items[0].span, "list-too-long", TOO_LONG)
            joined = tuple(
                chain.from_iterable(reversed(lists))
            )  # the game joins from the last to the first
            if joined:
                parts.append(Fixed(joined))
        self.depth -= 1
        if not parts:
            return NOTHING
        if len(parts) == 1:
            return parts[0]
        return Chain(tuple(parts))

    def _item(self, item: syntax.Item) -> Part:
        match item:
            case syntax.HexItem() | syntax.RangeItem():
                return Fixed(item.hexes)
            case syntax.LabelItem(name=name):
                hex_list = self.fixed_lists.get(name, NOTHING)
                if hex_list is None:
                    return Use(name)
                return hex_list
            case syntax.SomeOf():
                source = self._list(item.items)
                if source == NOTHING or item.count <= 0:
                    return self._emptied(source)
                if item.site >= self.limits.places:
                    self._refuse(
                        item.span, "script-too-long", "Too many SOMEOFs stand in one statement."
                    )
                return Pick(item.count, source, site(PICK_SITE, self.statement, item.site))
            case syntax.Subtract():
                source = self._list(item.items)
                without = self._list(item.without)
                if isinstance(source, Fixed) and isinstance(without, Fixed):
                    left_out = set(without.hexes)
                    return Fixed(tuple(h for h in source.hexes if h not in left_out))
                return Without(source, without)
            case syntax.SurroundingsOf():
                source = self._list(item.items)
                if isinstance(source, Fixed):
                    return Fixed(around(source.hexes))
                return Around(source)

    @staticmethod
    def _emptied(source: HexList) -> Part:
        # A SOMEOF inside still makes its draws; only recorded traces show that.
        if isinstance(source, Fixed | Use):
            return NOTHING
        return Pick(0, source, 0)


TOO_LONG = f"The list grows beyond {LIST_LIMIT} hexes."


def _clamp(percent: float) -> float:
    return min(max(percent, 0.0), 100.0)


Bounds = tuple[float, float]

_FIXED_ELEVATIONS: dict[int, Bounds] = {1: (0.0, 100.0), 2: (0.0, 0.0)}


def _elevation_odds(hazard: syntax.Hazard) -> tuple[Bounds, Bounds]:
    """Return the percentages of elevation 0, and of at most 1: as the game adds them, and exactly.

    The game divides each of the three odds by the sum of their values clamped to 0 .. 100, but does
    not clamp the value itself: a first ``*`` (-1) is below everything. It then adds two rounded
    quotients, which can miss 100 by a rounding error; keyed draws must not (100 % is certain).
    Where the sum is 0 the game divides by it; a comparison with NaN is false, so nothing exceeds
    it.
    """
    if hazard.odds is None:
        fixed = _FIXED_ELEVATIONS.get(hazard.elevation or 0, (100.0, 100.0))
        return fixed, fixed
    zero, one, _two = hazard.odds
    total = sum(_clamp(value) for value in hazard.odds)
    if total:
        as_added = zero * 100 / total, zero * 100 / total + one * 100 / total
        return as_added, (100 * (zero / total), 100 * ((zero + one) / total))
    first = -math.inf if zero < 0 else math.inf
    second = -math.inf if zero < 0 and one < 0 else math.inf
    return (first, second), (first, second)


# --- PAIR ------------------------------------------------------------------------------------


def _pair_table(pairs: Sequence[tuple[int, syntax.Pair]]) -> PairTable:
    """Return all PAIRs as one table of states: the most exact key wins, then the last statement."""
    last: dict[tuple[str, int, str, int], tuple[int, syntax.Pair]] = {}
    for index, pair in pairs:
        key = (pair.high.name, pair.high.elevation, pair.low.name, pair.low.elevation)
        if pair.high.is_known and pair.low.is_known:
            last[key] = (index, pair)
    table: list[dict[int, Choices] | None] = [None] * (len(COLOSSUS.terrains) * ELEVATIONS)
    # (*,*) is written first and (e1,e2) last; (e1,*) overrides (*,e2).
    ranked = sorted(last, key=lambda key: (key[1] != syntax.STAR, key[3] != syntax.STAR))
    for key in ranked:
        choices = _choices(*last[key])
        for high in _states(key[0], key[1]):
            row = table[high]
            if row is None:
                row = table[high] = {}
            for low in _states(key[2], key[3]):
                row[low] = choices
    return tuple(table)


def _states(name: str, elevation: int) -> tuple[int, ...]:
    terrain = COLOSSUS.terrain_code(name)
    if elevation == syntax.STAR:
        return tuple(terrain * ELEVATIONS + e for e in range(ELEVATIONS))
    if 0 <= elevation <= 2:
        return (state_of(terrain, elevation),)
    return ()


def _choices(statement: int, pair: syntax.Pair) -> Choices:
    percents = tuple(
        100.0 if choice.probability is None else _clamp(choice.probability)
        for choice in pair.choices
    )
    limits = []
    missed = 1.0
    for percent in percents:
        missed *= (100 - percent) / 100
        limits.append(threshold(100 * (1 - missed), 16))
    codes = tuple(COLOSSUS.hexside_code(choice.letter) for choice in pair.choices)
    return Choices(statement, codes, percents, tuple(limits))
