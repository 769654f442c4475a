"""Which terrain types are water: told by names, else by the moves of units."""

from __future__ import annotations

from randomizer.batches.batch import batch_of
from randomizer.batches.filters.parser import parse_quantity
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.rolling.generator import packaged
from randomizer.systems.xconq.system import SYSTEM
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of, water_types

UNITS = """Period 0
"i" "infantry" "" utype  "s" "ship" "" utype  "f" "flier" "" utype  "@" "city" "" utype
1 [ i s f ] speed
"""


def period_of(text: str) -> Period:
    period = read_period(f"{UNITS}{text}end\n").period
    assert period is not None
    return period


def test_names_tell_water_and_void() -> None:
    names = ("deep sea", "marsh", "coral reef", "vacuum", "high plains")
    types = "\n".join(
        f'"{number}" "{name}" "blue" ttype' for number, name in zip("abcde", names, strict=True)
    )
    period = period_of(types + "\n")
    assert water_types(period) == (True, False, True, True, False)
    assert [terrain.water for terrain in terrain_set_of(period).terrains] == [
        True,
        False,
        True,
        True,
        False,
    ]


MOVES = """
"." "blue zone" "blue" ttype  "+" "green zone" "green" ttype  "^" "white zone" "white" ttype
0 [ 1 2 ] i moves  0 0 s moves  0 t* f moves
"""


def test_moves_tell_what_names_do_not() -> None:
    favored = "100 1 @ favored @ first-unit\n"
    assert water_types(period_of(MOVES + favored)) == (True, False, False)
    assert water_types(period_of(f"{MOVES}100 1 i favored\n")) == (True, False, False)
    # where ships start, what they cannot enter is no land
    assert water_types(period_of(f"{MOVES}100 0 s favored s first-unit\n")) == (False, True, True)
    assert water_types(period_of(MOVES)) == (False, False, False)


def test_filters_know_land_and_regions_of_a_rolled_world() -> None:
    battlemap = BattleMap.new(SYSTEM)
    made = run(packaged()[0], {"countries": 0}, DrawKey(1, 0), Base.under(battlemap, 0))
    assert made is not None
    assert made.terrain_set is not None
    shown = BattleMap.new(SYSTEM, made.grid, made.layers, made.terrain_set).composite()
    batch = batch_of(SYSTEM, battlemap.grid, shown)

    def value(text: str) -> float:
        quantity = parse_quantity(text, SYSTEM, (), battlemap.grid, made.terrain_set)
        return float(quantity.of(batch)[0])

    terrain = shown.planes["terrain"]
    assert value("share(sea)") == 100 * (terrain == 0).mean()
    assert value("share(land)") + value("share(water)") == 100
    assert 50 < value("share(water)") < 75
    assert value("regions(land)") >= 1
    assert value("regions(ice)") >= 2
