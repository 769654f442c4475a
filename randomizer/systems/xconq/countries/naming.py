"""Names of sides and units, drawn from the lists of the package and of the period."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np

from randomizer.generator import DrawKey
from randomizer.model.basics.caches import KB, registered
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.random_numbers import KeyedDraws


@registered(count=1, bytes_each=20 * KB)
@cache
def side_names() -> tuple[str, ...]:
    """Names of sides (adjectives: the "Borovian" infantry), each once, in a fixed order."""
    return _lines("sides.txt")


@registered(count=1, bytes_each=60 * KB)
@cache
def place_names() -> tuple[str, ...]:
    """Names of towns and other named units, each once, in a fixed order."""
    return _lines("places.txt")


def _lines(name: str) -> tuple[str, ...]:
    return tuple(files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines())


SIDE_SITE = 0x5863_6F6E_4000_0000
UNIT_SITE = 0x5863_6F6E_5000_0000
"""The first sites of the draws for names."""


def names_of_sides(period: Period, count: int, key: DrawKey) -> tuple[str, ...]:
    """Names of ``count`` sides; the first ones are the same for any count."""
    own_names = () if period.clears_side_names else side_names()
    names = _shuffled((*own_names, *period.side_names), KeyedDraws(key, SIDE_SITE))[:count]
    return (*names, *(f"Side {number}" for number in range(len(names) + 1, count + 1)))


def names_of_units(period: Period, count: int, key: DrawKey) -> tuple[str, ...]:
    """Names of up to ``count`` units: fewer if the lists have fewer."""
    own_names = () if period.clears_unit_names else place_names()
    return _shuffled((*own_names, *period.unit_names), KeyedDraws(key, UNIT_SITE))[:count]


def _shuffled(names: tuple[str, ...], draws: KeyedDraws) -> tuple[str, ...]:
    """Return the names in the order of chance, each once."""
    names = tuple(dict.fromkeys(name for name in names if name))
    drawn = draws.many_below(1 << 31, len(names))
    return tuple(names[at] for at in np.argsort(drawn, kind="stable").tolist())
