"""The exact chances of every value of every hex and hexside, without rolling.

A forward pass over the draws of a script (``draw_order``). Two maps are alike from a draw on if
what the later lists still need of the earlier draws is the same; so the maps are kept as classes
(``classes``), each with the chance of every state of every hex (or of the two hexes at every edge).
Once no later list asks which hexes are neighbours, maps are alike already if equally many hexes
play each part (``lumps``). Branches are counted before anything is enumerated; beyond a limit the
result is ``TooLarge``. docs/adr/0019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.odds.area_odds import EDGES, AreaOdds, Chances
from randomizer.systems.colossus.odds.chances import EdgeChances, HexChances, symmetries_of
from randomizer.systems.colossus.odds.classes import Classes, Kind, next_classes
from randomizer.systems.colossus.odds.draw_order import (
    Draw,
    Stage,
    TooLongError,
    draws_of,
    first_stage,
    that_matter,
)
from randomizer.systems.colossus.odds.hex_sets import atoms, consts, touches, value
from randomizer.systems.colossus.odds.lumped_states import (
    Lumps,
    NotLumpedError,
    all_parts,
    lumps_of,
    next_lumps,
)
from randomizer.systems.colossus.rolling.program import Placing, Program, longest_list, state_of
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase

WORK_LIMIT = 20_000_000
"""The most chances that are worked out on the way: 20 to 80 million a second."""
DRAW_WORK = 50_000
"""What a draw costs at least, in chances."""
LIST_LIMIT = 255
"""The most hexes, duplicates counted, of a list: they are counted in bytes."""

State = tuple[int, int]
"""Terrain (an index into the terrain set) and elevation."""
_ROUNDING = 1e-14
"""The rounding error in the chance of a hexside of the base that is certainly replaced."""
SideOdds = dict[tuple[int, int], dict[int, float]]
"""(hex id, side) -> plane value -> chance, where any but 0 (none) has one."""


@dataclass(frozen=True, eq=False)
class Odds:
    """``hexes`` has shape (27, S): the chance of each of the S ``states`` on each hex.

    ``after`` has the same after each AREA (index in ``Script.statements``, (27, S)). ``sides`` is
    None if not requested. With ``by_statement`` there is one state for each statement that can
    place it: ``placed_by`` (S) has their indices, -1 for the map below.
    """

    states: tuple[State, ...]
    hexes: Chances
    after: tuple[tuple[int, Chances], ...]
    sides: SideOdds | None = None
    placed_by: tuple[int, ...] = ()

    def of(self, number: int) -> dict[State, float]:
        """Return what hex ``number`` can become: the likeliest first."""
        pairs = zip(self.states, self.hexes[number].tolist(), strict=True)
        return dict(sorted((pair for pair in pairs if pair[1]), key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Why there are no exact odds: they take at least ``work`` branches, more than the limit."""

    work: int


def exact_odds(
    program: Program,
    base: HexBase = PLAIN_HEXES,
    limit: int = WORK_LIMIT,
    *,
    sides: bool = False,
    by_statement: bool = False,
) -> Odds | TooLarge:
    """Return the odds of ``program`` rolled onto ``base``, if they take at most ``limit`` branches.

    ``sides`` requests hexsides, ``by_statement`` the statement that is responsible. The odds are
    those of the percentages as written; keyed draws round them to 2**-16. An unknown hazard takes
    its hex and leaves it as it is (a roll would fail there).
    """
    work = _Work(limit)
    try:
        if longest_list(program) > LIST_LIMIT:
            work.spend(limit + 1)
        try:
            draws = draws_of(program)
        except TooLongError:
            work.spend(limit + 1)
        return _exact(program, base, draws, work, sides, by_statement)
    except _TooLargeError as refusal:
        return TooLarge(refusal.work)


class _TooLargeError(Exception):
    def __init__(self, work: int) -> None:
        self.work = work


@dataclass
class _Work:
    """Counts the work of all passes."""

    limit: int
    done: int = 0

    def spend(self, work: int) -> None:
        self.done += work
        if self.done > self.limit:
            raise _TooLargeError(self.done)


def _elevations(placing: Placing) -> tuple[float, float, float]:
    """The chances of elevation 0, 1 and 2 if the hazard is placed."""
    # The limits decide what is certain or impossible; rounded quotients can miss it slightly.
    first, second = (
        min(max(below / 100, limit == 65536), limit > 0)
        for below, limit in zip(placing.below, (placing.first, placing.second), strict=True)
    )
    return min(first, second), max(second - first, 0.0), 1.0 - second


# --- passes --------------------------------------------------------------------------------------

_Look = tuple[int, int, int]
"""Terrain, elevation and the index of the statement that placed it, -1 if that does not matter."""
ColumnOf = Callable[[int, int, int], int]
"""The column of a terrain and elevation placed by a statement."""


def _looks(draws: tuple[Draw, ...], by_statement: bool) -> list[_Look]:
    """Everything that is placed, in the order in which it first can be."""
    return list(
        dict.fromkeys(
            (placing.terrain, elevation, draw.statement if by_statement else -1)
            for draw in draws
            if draw.places
            for placing in draw.placings
            if placing.terrain >= 0
            for elevation, chance in enumerate(_elevations(placing))
            if chance
        )
    )


@dataclass
class _Pass:
    """Carries the classes of maps from draw to draw.

    Column 0 is what a hex shows before the first draw. ``harmless`` are AREAs thought to place what
    looks like column 0, where all but the columns ``differing`` do, on hexes that show just that;
    ``run`` removes those that do not.
    """

    draws: tuple[Draw, ...]
    column_of: ColumnOf
    kind: Kind
    work: _Work
    harmless: set[int]
    differing: NDArray[np.bool_]

    def __post_init__(self) -> None:
        constants = [each for draw in self.draws for each in consts(draw.source)]
        self.symmetries = symmetries_of(constants)
        self._rows: dict[int, NDArray[np.float64]] = {}

    def run(self) -> list[tuple[int, Chances]]:
        """After each AREA its statement and the chances of all maps, as ``kind`` has one case."""
        self.work.spend(DRAW_WORK * len(self.draws))
        try:
            return list(self._follow(lumping=True))
        except NotLumpedError:
            return list(self._follow(lumping=False))

    def _follow(self, lumping: bool) -> Iterator[tuple[int, Chances]]:
        now: Classes | Lumps = Classes(np.zeros((1, 0), np.uint32), {}, self.kind.start(1))
        draws, columns = self.draws, 1
        while draws:
            if isinstance(now, Classes):
                drawn_atoms = frozenset(now.planes)
                if lumping and _can_be_lumped(draws):
                    now = lumps_of(now, draws, self.kind, self.work.spend)
            stage = first_stage(draws, drawn_atoms)
            columns = max([columns, *(column + 1 for column in self._columns(stage.draw))])
            now = replace(now, chances=_widened(now.chances, columns, self.kind))
            self._check_harmless(now, stage)
            area_of = self._area_of(stage.draw, columns)
            if isinstance(now, Classes):
                now = next_classes(now, stage, area_of, self.kind, self.symmetries, self.work.spend)
                every = now.chances.sum(0)
            else:
                drawn_atoms = frozenset(
                    atom.index for atom, _expression, _counted in stage.replaced
                )
                now = next_lumps(now, stage, area_of, self.kind, self.work.spend)
                every = all_parts(now, self.kind)
            if stage.draw.placings:
                yield stage.draw.statement, self._turned(every)
            draws = stage.rest

    def _columns(self, draw: Draw) -> Iterator[int]:
        for placing in draw.placings if draw.places else ():
            for elevation, chance in enumerate(_elevations(placing)):
                if chance and placing.terrain >= 0:
                    yield self.column_of(placing.terrain, elevation, draw.statement)

    def _area_of(self, draw: Draw, columns: int) -> Callable[[int], AreaOdds]:
        rows = np.zeros((len(draw.placings), columns + 1))
        for row, placing in zip(rows, draw.placings, strict=True):
            if placing.terrain < 0 or not draw.places:
                row[-1] = 1
                continue
            for elevation, chance in enumerate(_elevations(placing)):
                if chance:
                    row[self.column_of(placing.terrain, elevation, draw.statement)] += chance
        percents = [placing.percent for placing in draw.placings]

        @lru_cache
        def area_of(total: int) -> AreaOdds:
            self.work.spend(AreaOdds.work(len(percents), total, columns, self.kind.edges))
            return AreaOdds(percents, rows, total, self.kind.edges)

        return area_of

    def _check_harmless(self, now: Classes | Lumps, stage: Stage) -> None:
        statement = stage.draw.statement
        if statement not in self.harmless:
            return
        if isinstance(now, Classes):
            counts = value(stage.draw.source, now.lists())
            listed = np.broadcast_to(counts != 0, (len(now.masks), HEX_COUNT))
            shown = now.chances[listed]
        else:
            shown = now.chances[:, now.list_of(stage.draw)[now.block]]
        if shown[..., self.differing[: shown.shape[-1]]].any():
            self.harmless.discard(statement)

    def _turned(self, every: Chances) -> Chances:
        """The mean of all images: only one of those that are equally likely was followed."""
        turned = [self.kind.moved(every, symmetry) for symmetry in self.symmetries]
        return np.minimum(sum(turned, np.zeros(())) / len(turned), 1.0)


def _can_be_lumped(draws: tuple[Draw, ...]) -> bool:
    """Whether it is possible, and saves drawing hexes one by one."""
    used = {atom for draw in draws for atom in atoms(draw.source)}
    return any(draw.atom in used for draw in draws) and not any(
        touches(draw.source) for draw in draws
    )


def _widened(chances: Chances, columns: int, kind: Kind) -> Chances:
    """The same with so many columns."""
    more = columns - chances.shape[-1]
    last = [(0, more)] * (2 if kind.edges else 1)
    return np.pad(chances, [(0, 0)] * (chances.ndim - len(last)) + last) if more else chances


def _exact(
    program: Program,
    base: HexBase,
    draws: tuple[Draw, ...],
    work: _Work,
    sides: bool,
    by_statement: bool,
) -> Odds:
    below = list(zip(base.terrain, base.elevation, strict=True))
    plain = not by_statement and len(set(below)) == 1
    looks = [look for look in _looks(draws, by_statement) if not plain or look[:2] != below[0]]
    column_of = {look: column for column, look in enumerate(looks, 1)}
    placed = [(terrain, elevation) for terrain, elevation, _statement in looks]
    alike = _alike(program, below, placed) if sides else None
    harmless, differing = set(), np.zeros(len(looks) + 1, np.bool_)
    if alike is not None:
        differing[1:] = [alike[look[:2]] != 0 for look in looks]
        harmless = _harmless(draws, alike)

    def hex_column(terrain: int, elevation: int, statement: int) -> int:
        look = terrain, elevation, statement if by_statement else -1
        return column_of.get(look, 0)

    passed = _Pass(draws, hex_column, HexChances, work, harmless, differing)
    start = (0, HexChances.start(1)[0])
    after = passed.run()
    every = sorted({*looks, *((*state, -1) for state in below)})
    hexes = [
        (statement, _shown(chances, every, looks, below)) for statement, chances in [start, *after]
    ]
    marked: SideOdds | None = None
    if sides:
        marked = _below_sides(base)
        if alike is not None:
            relevant = that_matter(
                [replace(d, places=d.places and d.statement not in harmless) for d in draws]
            )

            def side_column(terrain: int, elevation: int, _statement: int) -> int:
                return alike[terrain, elevation]

            both = _Pass(relevant, side_column, EdgeChances, work, set(), differing)
            (*_others, (_statement, edges)) = [(0, EdgeChances.start(1)[0]), *both.run()]
            _add_pairs(program, base, edges, alike, marked)
    return Odds(
        tuple((terrain, elevation) for terrain, elevation, _placer in every),
        hexes[-1][1],
        tuple(hexes[1:]),
        marked,
        tuple(placer for _terrain, _elevation, placer in every),
    )


def _shown(
    chances_of_all: Chances, every: list[_Look], looks: list[_Look], below: list[State]
) -> Chances:
    """(27, S): the columns of a pass as ``every`` look, the first one as the map below."""
    shown = np.zeros((HEX_COUNT, len(every)))
    for look, chances in zip(looks, chances_of_all.T[1:], strict=False):
        shown[:, every.index(look)] += chances
    for number, state in enumerate(below):
        shown[number, every.index((*state, -1))] += chances_of_all[number, 0]
    return shown


# --- hexsides ------------------------------------------------------------------------------------

_Alike = Mapping[State, int]
"""States of one number have the same hexsides, whatever lies beside them.

0 are those of the map below if all of it is alike, else none.
"""


def _alike(program: Program, below: list[State], placed: list[State]) -> _Alike | None:
    """The states of the map below, and those placed, in their order; None if no PAIR applies."""
    states = list(dict.fromkeys([*below, *placed]))

    def choices(state: State, other: State) -> object:
        pair = (program.pairs[state_of(*state)] or {}).get(state_of(*other))
        return pair and (pair.codes, pair.percents)

    if not any(choices(*both) for both in product(states, repeat=2)):
        return None
    marks = {
        state: tuple((choices(state, other), choices(other, state)) for other in states)
        for state in states
    }
    groups = list(dict.fromkeys(marks.values()))
    first = 0 if len({marks[state] for state in below}) == 1 else 1
    return {state: groups.index(mark) + first for state, mark in marks.items()}


def _harmless(draws: tuple[Draw, ...], alike: _Alike) -> set[int]:
    """The statements that place only what has the hexsides of the map below."""
    return {
        draw.statement
        for draw in draws
        if draw.places
        and not any(
            alike[placing.terrain, elevation]
            for placing in draw.placings
            if placing.terrain >= 0
            for elevation, chance in enumerate(_elevations(placing))
            if chance
        )
    }


def _below_sides(base: HexBase) -> SideOdds:
    return {
        (number, side): {code: 1.0}
        for number, row in enumerate(base.hexside)
        for side, code in enumerate(row)
        if code
    }


def _add_pairs(
    program: Program, base: HexBase, edges: Chances, alike: _Alike, odds_of_sides: SideOdds
) -> None:
    """Add what PAIRs put on the sides to ``odds_of_sides``, given the chances of the edges."""
    below = [state_of(*state) for state in zip(base.terrain, base.elevation, strict=True)]
    of_column = {column: state_of(*state) for state, column in alike.items()}

    def mark(key: tuple[int, int], high: int, low: int, chance: float) -> None:
        choices = (program.pairs[high] or {}).get(low)
        if choices is None:
            return
        before, missed = base.hexside[key[0]][key[1]], 1.0
        odds = odds_of_sides.setdefault(key, {})
        for code, percent in zip(choices.codes, choices.percents, strict=True):
            odds[code] = odds.get(code, 0.0) + chance * missed * percent / 100
            missed *= 1 - percent / 100
        if before:
            odds[before] -= chance * (1 - missed)

    for edge, first, second in zip(*(x.tolist() for x in np.nonzero(edges)), strict=True):
        number, side, other = EDGES[edge]
        one = of_column[first] if first else below[number]
        two = of_column[second] if second else below[other]
        chance = float(edges[edge, first, second])
        mark((number, side), one, two, chance)
        mark((other, (side + 3) % 6), two, one, chance)
    for key, odds in list(odds_of_sides.items()):
        odds_of_sides[key] = {code: min(p, 1.0) for code, p in odds.items() if p > _ROUNDING}
        if not odds_of_sides[key]:
            del odds_of_sides[key]
