"""Small periods with countries, and worlds rolled from them."""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.things.things import Thing
from randomizer.roll_base import Base
from randomizer.systems.xconq.rolling.generator import PeriodGenerator, from_texts
from randomizer.systems.xconq.system import SYSTEM

ISLANDS = """Xconq 0 -+---- Islands for tests
Period 0
"Islands" period-name
"i" "infantry" "walks" utype
"s" "ship" "swims" utype
"*" "town" "stays" utype
"@" "city" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
"^" "hills" "gray" ttype
"_" "ice" "white" ttype
[ 0 50 90 0 ] t* min-alt
[ 49 89 100 0 ] t* max-alt
[ 0 0 0 0 ] t* min-wet
[ 100 100 100 0 ] t* max-wet
ice edge-terrain
1 [ i s ] speed
0 land i moves
0 sea s moves
100 land [ i * @ ] favored
30 hills * favored
100 sea s favored
@ first-unit
1 @ in-country
3 * in-country
2 i in-country
200 * density
true [ * @ ] named
3 country-size
8 country-min-distance
40 country-max-distance
4 i @ capacity
true @ maker
1 i @ make
1 u* hp
10 fuel u* storage
50 fuel i stockpile
"""
"""Half sea, some hills; towns, infantry and a city in each country."""


def period(more: str = "", text: str = ISLANDS) -> PeriodGenerator:
    """The generator of a period with more lines at its end."""
    return from_texts(f"{text}{more}\nend\n", "islands.per", {})


def rolled(
    generator: PeriodGenerator,
    seed: int = 7,
    number: int = 0,
    *,
    grid_size: tuple[int, int] = (40, 24),
    **settings: object,
) -> Generated:
    """A world on an empty map of a size."""
    battlemap = BattleMap.new(SYSTEM, Grid(OBLIQUE, *grid_size, wrap=True))
    return rolled_onto(Base.under(battlemap, 0), generator, DrawKey(seed, number), settings)


def rolled_onto(
    base: Base, generator: PeriodGenerator, key: DrawKey, settings: Mapping[str, object]
) -> Generated:
    """A world on a base; settings have ``_`` for ``-``."""
    chosen = {name.replace("_", "-"): value for name, value in settings.items()}
    made = run(generator, chosen, key, base)
    assert made is not None, "nobody cancels"
    return made


def units_of(made: Generated) -> list[Thing]:
    """The units of a world."""
    return list(made.layers[0].things.values())


def place_of(made: Generated, unit: Thing, width: int = 40, height: int = 24) -> tuple[int, int]:
    """The hex (x, y) of a unit."""
    grid = made.grid or Grid(OBLIQUE, width, height, wrap=True)
    return grid.xy(grid.cell_at(unit.x, unit.y))
