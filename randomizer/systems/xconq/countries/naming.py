"""Names of sides and units, drawn from the lists of the package and of the period."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.random_numbers import KeyedDraws


@registered(count=1, bytes_each=20 * KB)
@cache
def side_names() -> tuple[str, ...]:
    """Return the built-in names of sides (adjectives: the "Borovian" infantry), each once."""
    return _lines("sides.txt")


@registered(count=1, bytes_each=60 * KB)
@cache
def place_names() -> tuple[str, ...]:
    """Return the built-in names of towns and other named units, each once."""
    return _lines("places.txt")


def _lines(name: str) -> tuple[str, ...]:
    """Return the lines of a file of this package."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(text.splitlines())


_DRAWN_NUMBERS = 1 << 31
"""The numbers that names are sorted by are below this: so many that hardly two are equal."""

SIDE_SITE = 0x5863_6F6E_4000_0000
"""The first site of the draws for the names of sides: "Xcon" in ASCII, then the purpose.

Draw i for them has this site + i; each purpose has sites of its own (``world.random_numbers``).
"""

UNIT_SITE = 0x5863_6F6E_5000_0000
"""The first site of the draws for the names of units."""


def names_of_sides(period: Period, count: int, key: DrawKey) -> tuple[str, ...]:
    """Return names for ``count`` sides; the first ones are the same for any count.

    Sides for which there are no names are called "Side 8" and so on.
    """
    all_names = tuple(period.side_names)
    if not period.clears_side_names:
        all_names = (*side_names(), *all_names)
    names = _shuffled(all_names, KeyedDraws(key, SIDE_SITE))[:count]
    numbered_names = [f"Side {number}" for number in range(len(names) + 1, count + 1)]
    return (*names, *numbered_names)


def names_of_units(period: Period, count: int, key: DrawKey) -> tuple[str, ...]:
    """Return names for up to ``count`` units: fewer if the lists have fewer."""
    all_names = tuple(period.unit_names)
    if not period.clears_unit_names:
        all_names = (*place_names(), *all_names)
    return _shuffled(all_names, KeyedDraws(key, UNIT_SITE))[:count]


def _shuffled(names: tuple[str, ...], draws: KeyedDraws) -> tuple[str, ...]:
    """Return the names in a random order, each once."""
    distinct_names = tuple(dict.fromkeys(name for name in names if name))
    # Each name draws a number, and they are sorted by these.
    drawn_numbers = draws.many_below(_DRAWN_NUMBERS, len(distinct_names))
    order = np.argsort(drawn_numbers, kind="stable")
    return tuple(distinct_names[index] for index in order.tolist())
