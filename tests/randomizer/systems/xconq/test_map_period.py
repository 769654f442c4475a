"""Which period a map has while the text of its period has errors."""

from __future__ import annotations

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from randomizer.systems.xconq.records import PERIOD
from randomizer.systems.xconq.system import SYSTEM

BROKEN = "Xconq 0 -+----\nPeriod 0\n]\nend\n"
FANTASY = "fantasy.per"


def test_a_map_without_a_period_is_of_modern_times() -> None:
    assert period_of(BattleMap.new(SYSTEM)).name == "Modern Times"


def test_a_period_with_errors_leaves_the_one_before() -> None:
    battlemap = BattleMap.new(SYSTEM)
    battlemap.records[PERIOD] = MapRecord(packaged_text(FANTASY))
    fantasy = period_of(battlemap)
    assert fantasy.name == "Crowns and Wyrms"
    battlemap.records[PERIOD] = MapRecord(BROKEN)
    assert period_of(battlemap) == fantasy
    battlemap.records[PERIOD] = MapRecord(packaged_text(MODERN))
    assert period_of(battlemap).name == "Modern Times"


def test_a_map_that_comes_with_errors_has_the_period_that_it_was_rolled_from() -> None:
    rolled = Layer(1, "World", roll=Roll("", FANTASY, packaged_text(FANTASY), {}, 1, 0))
    battlemap = BattleMap.new(SYSTEM, layers=[rolled])
    battlemap.source = 1
    battlemap.records[PERIOD] = MapRecord(BROKEN)
    assert period_of(battlemap).name == "Crowns and Wyrms"
