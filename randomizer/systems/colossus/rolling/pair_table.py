"""All PAIRs of a script as one table, by the states of the two hexes.

    table = pair_table([NumberedPair(4, pair), ...])     # PAIR (Plains,2)(Bog,*) HEXSIDES c,50. s
    table[state_of(plains, 2)][state_of(bog, 0)].codes     # a cliff, else a slope

A *state* is a terrain and an elevation as one number (``program.state_of``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.model.basics.dice import threshold
from randomizer.systems.colossus.rolling.hazard_odds import percent_of
from randomizer.systems.colossus.rolling.program import (
    ELEVATIONS,
    Choices,
    PairTable,
    state_of,
)
from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.terrain_set import COLOSSUS

HIGHEST_ELEVATION = 2
"""The highest elevation that a PAIR can name."""


class NumberedPair(NamedTuple):
    """A PAIR and its place in the script."""

    statement: int
    """The index in ``Script.statements``."""
    pair: syntax.Pair


def pair_table(pairs: Sequence[NumberedPair]) -> PairTable:
    """Return all PAIRs as one table of states.

    Of several PAIRs for two states the one with the most exact elevations holds, and of PAIRs for
    the same terrains and elevations the last one. PAIRs with unknown terrains do nothing.
    """
    last_pairs: dict[_PairKey, NumberedPair] = {}
    for numbered_pair in pairs:
        pair = numbered_pair.pair
        if pair.high.is_known and pair.low.is_known:
            key = _PairKey(pair.high.name, pair.high.elevation, pair.low.name, pair.low.elevation)
            last_pairs[key] = numbered_pair

    # Later ones overwrite earlier ones. The order by (is high exact?, is low exact?) is (*,*),
    # (*,e2), (e1,*), (e1,e2): so (e1,*) overrides (*,e2).
    keys_by_exactness = sorted(
        last_pairs,
        key=lambda key: (key.high_elevation != syntax.STAR, key.low_elevation != syntax.STAR),
    )
    table: list[dict[int, Choices] | None] = [None] * (len(COLOSSUS.terrains) * ELEVATIONS)
    for key in keys_by_exactness:
        statement, pair = last_pairs[key]
        choices = _choices(statement, pair)
        for high in _states(key.high_name, key.high_elevation):
            row = table[high]
            if row is None:
                row = {}
                table[high] = row
            for low in _states(key.low_name, key.low_elevation):
                row[low] = choices
    return tuple(table)


class _PairKey(NamedTuple):
    """The two terrains of a PAIR with their elevations, which can be ``STAR``."""

    high_name: str
    high_elevation: int
    low_name: str
    low_elevation: int


def _states(name: str, elevation: int) -> tuple[int, ...]:
    """Return the states (``state_of``) of a terrain at an elevation, all of them for ``STAR``.

    There is none for an elevation above ``HIGHEST_ELEVATION``: the state of all others (see
    ``ELEVATIONS``) is matched by ``STAR`` alone.
    """
    terrain = COLOSSUS.terrain_code(name)
    if elevation == syntax.STAR:
        return tuple(state_of(terrain, any_elevation) for any_elevation in range(ELEVATIONS))
    if 0 <= elevation <= HIGHEST_ELEVATION:
        return (state_of(terrain, elevation),)
    return ()


def _choices(statement: int, pair: syntax.Pair) -> Choices:
    """Return the hexsides of a PAIR.

    The game tries them in their order, each with its own probability, and takes the first that
    succeeds. One draw decides that here: the limit of a hexside is its cumulative probability, that
    it or one before it is taken.
    """
    percents = tuple(percent_of(choice) for choice in pair.choices)
    limits = []
    all_missed = 1.0
    for percent in percents:
        all_missed *= (100 - percent) / 100
        limits.append(threshold(100 * (1 - all_missed), 16))
    codes = tuple(COLOSSUS.hexside_code(choice.letter) for choice in pair.choices)
    return Choices(statement, codes, percents, tuple(limits))
