"""Maps that are written at once as JSON: the same bytes as those written one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.batches.batch_generator import rolls_many
from randomizer.formats.provenance import Provenance
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.colossus.battleland.record import JSON
from randomizer.systems.colossus.generator import RndGenerator, from_text, packaged
from randomizer.systems.colossus.properties import START_LIST, TITLE, TOWER
from randomizer.systems.colossus.system import SYSTEM, new_planes

EVERYTHING = """\
TITLE "The number: null"
SUBTITLE "Under test"
TOWER
LABEL west = A1 A2 A3 B1 B2
AREA (west) SURROUNDINGSOF(D4) HAZARDS Bog,50. Tree,50.,20.,30.,50. Volcano,2 Sand,90.
AREA D4 HAZARDS Lake
AREA (leftover) HAZARDS Stone,1
PAIR (Volcano,2) (Plains,0) HEXSIDES s,50. c,50. w,70. r,20.
PAIR (Bog,0) (Plains,0) HEXSIDES d,80.
STARTLIST (west) D4
"""
DRAWN = "LABEL some = SOMEOF(3,A1 A2 A3)\nSTARTLIST (some) SOMEOF(2,D4 D4 (some)) A1\n"


def onto(battlemap: BattleMap) -> Base:
    return Base.under(battlemap, len(battlemap.layers))


def one_after_the_other(generator: MapGenerator, seed: int, numbers: range, base: Base) -> bytes:
    lines = []
    for number in numbers:
        made = run(generator, {}, DrawKey(seed, number), base)
        assert made is not None
        battlemap = BattleMap.new(SYSTEM, layers=[base.as_layer(), *made.layers])
        lines.append(JSON.write(battlemap, Provenance(seed, number, "")))
    return b"".join(lines)


def at_once(generator: MapGenerator, seed: int, numbers: range, base: Base) -> bytes:
    assert isinstance(generator, RndGenerator)
    batch = generator.roll_batch({}, seed, np.array(numbers, np.uint64), base)
    return JSON.write_batch(batch, generator.batch_properties({}, batch))


def test_generator_and_format_take_part() -> None:
    assert JSON.writes_batches
    for generator in packaged():
        assert rolls_many(generator)


@pytest.mark.parametrize("script", packaged(), ids=lambda script: script.name)
@settings(max_examples=3, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    first=st.sampled_from((0, 7, 95, 999_998, 2**53 - 6)),
)
def test_packaged_scripts_give_the_same_bytes(script: MapGenerator, seed: int, first: int) -> None:
    base = onto(BattleMap.new(SYSTEM))
    numbers = range(first, first + 6)
    assert at_once(script, seed, numbers, base) == one_after_the_other(script, seed, numbers, base)


@settings(max_examples=15, deadline=None)
@given(
    title=st.none() | st.text('aé\\"\n☃𝄞', max_size=9),
    tower=st.none() | st.booleans(),
    starts=st.none() | st.lists(st.sampled_from(("A1", "D4", "D4", "F1")), max_size=4),
    elevations=st.lists(st.integers(-0x7FFF, 0x7FFF), min_size=3, max_size=3),
    words=st.sampled_from((EVERYTHING, "AREA A1 HAZARDS Bog,50.\n", "STARTLIST\n", "", DRAWN)),
)
def test_what_lies_below_is_written_too(
    title: str | None,
    tower: bool | None,
    starts: list[str] | None,
    elevations: list[int],
    words: str,
) -> None:
    values = {
        TITLE.name: title,
        TOWER.name: tower,
        START_LIST.name: None if starts is None else tuple(starts),
    }
    layer = Layer(1, "Ground", planes=new_planes())
    layer.properties = {name: value for name, value in values.items() if value is not None}
    layer.planes["elevation"][2, :3] = elevations
    layer.planes["hexside"][3, 3] = (1, 2, 3, 4, 5, 0)
    base = onto(BattleMap.new(SYSTEM, layers=[layer]))
    script = from_text(words, "Pond.rnd")
    assert at_once(script, 5, range(9), base) == one_after_the_other(script, 5, range(9), base)
