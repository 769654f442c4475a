"""Rolls that bring a terrain set, records or a grid, on the desk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pytest

from app.document.document import MapDocument
from app.document.undo_memory import size_of
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from randomizer.batches.counts import measures_of
from randomizer.batches.filters.parser import parse_filter
from randomizer.batches.map_stream import MapStream
from randomizer.forced_roll import force
from randomizer.generator import MapGenerator
from randomizer.model.edits.record_edits import change_record, set_record
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import is_blank
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.roll_base import Base
from tests.systems import RENAMED

GRID = Grid(SQUARE, 4, 3)
HEATHS = TerrainSet("Heaths", (Terrain("Heath", "#887788"), Terrain("Mire", "#445533")))
SEAS = TerrainSet("Seas", (Terrain("Deep", "#000088"), Terrain("Reef", "#8080ff")))


@dataclass
class Period(MapGenerator):
    """A generator of maps that are all of terrain 1 of its terrain set."""

    terrain_set: TerrainSet | None = None
    grid: Grid | None = None
    name: str = "Period"
    metadata: Metadata = field(default_factory=lambda: Metadata("Period", "", ""))
    text: str = ""
    system = RENAMED
    settings = ()

    def generate(self, settings, key, base):
        yield 50
        grid = self.grid or base.grid
        layer = Layer(1, f"Period {key.number}")
        layer.planes["ground"] = np.full((grid.height, grid.width), 1, "u2")
        layer.roll = Roll(self.name, "", "", {}, key.seed, key.number)
        records = {"period": MapRecord(f"number {key.number}")}
        return Generated(
            (layer,), key.number, records=records, terrain_set=self.terrain_set, grid=self.grid
        )


def setup(generator: Period) -> RollSetup:
    return RollSetup("", lambda: generator, {}, generator_name=generator.name)


@pytest.fixture
def document(qapp) -> MapDocument:
    return MapDocument(BattleMap.new(RENAMED, GRID, [Layer(1, "Ground")]))


@pytest.fixture
def rolling(document) -> Rolling:
    return Rolling(document, choose_seed=lambda: 7)


def shown_names(document) -> set[str]:
    codes = np.unique(document.composite.planes["ground"]).tolist()
    return {document.composite.terrain_set.terrains[code].name for code in codes}


def test_a_roll_and_its_terrain_set_are_one_step(document, rolling, wait) -> None:
    before = document.battlemap.terrain_set
    wait(rolling.roll, setup(Period(HEATHS)), new_seed=True)
    assert len(document.history.steps) == 1
    assert document.battlemap.source == document.active_layer_id
    assert shown_names(document) == {"Mire"}
    assert document.battlemap.records == {"period": MapRecord("number 0")}
    wait(rolling.roll, setup(Period(SEAS)), new_seed=False)
    assert shown_names(document) == {"Reef"}
    assert document.battlemap.terrain_set == SEAS
    assert document.battlemap.records == {"period": MapRecord("number 1")}
    document.undo()
    assert shown_names(document) == {"Mire"}
    document.undo()
    assert document.battlemap.terrain_set == before
    assert document.battlemap.records == {}
    document.redo()
    assert shown_names(document) == {"Mire"}


def test_what_a_hand_wrote_stays_and_is_said(document, rolling, wait) -> None:
    said: list[str] = []
    rolling.message.connect(said.append)
    wait(rolling.roll, setup(Period(HEATHS)), new_seed=True)
    document.push(change_record(document.battlemap, "period", "mine"), "Write")
    wait(rolling.roll, setup(Period(HEATHS)), new_seed=False)
    assert document.battlemap.records["period"] == MapRecord("mine", touched=True)
    assert any("period" in words for words in said)
    document.undo()
    document.undo()
    assert document.battlemap.records["period"] == MapRecord("number 0")


def test_a_map_that_holds_something_stays_as_it_is(document, rolling, wait) -> None:
    said: list[str] = []
    rolling.message.connect(said.append)
    document.battlemap.layers[0].planes["ground"] = np.zeros((3, 4), "u2")
    current = document.current_map
    other_grid = Period(HEATHS, Grid(SQUARE, 2, 2))
    wait(rolling.roll, setup(other_grid), new_seed=True)
    assert len(document.maps) == 2
    assert current.battlemap.grid is GRID
    assert document.battlemap.grid.same_as(Grid(SQUARE, 2, 2))
    assert document.battlemap.source == document.battlemap.layers[0].id
    assert shown_names(document) == {"Mire"}
    assert "Opened as a new map" in said[-1]


def test_an_empty_map_takes_another_grid(document, rolling, wait) -> None:
    wait(rolling.roll, setup(Period(HEATHS, Grid(SQUARE, 2, 2))), new_seed=True)
    assert len(document.maps) == 1
    assert document.battlemap.grid.same_as(Grid(SQUARE, 2, 2))
    document.undo()
    assert document.battlemap.grid is GRID


def test_earlier_rolls_are_told_in_the_terrains_of_now(document, rolling, wait) -> None:
    wait(rolling.roll, setup(Period(HEATHS)), new_seed=True)
    # Mire stands in the next set, too, at another place.
    other = TerrainSet("Other", (Terrain("Ash", "#333333"), Terrain("Dust", "#999999")))
    other = TerrainSet("Other", (*other.terrains, Terrain("Mire", "#445533")))
    wait(rolling.roll, setup(Period(other)), new_seed=False)
    earlier = rolling.earlier_contents.values_of(0)
    assert [each.values["ground"] for each in earlier] == [2]
    wait(rolling.roll, setup(Period(SEAS)), new_seed=False)
    assert rolling.earlier_contents.values_of(0) == []  # neither Mire nor Dust is a terrain now


def test_a_roll_of_before_another_terrain_set_changes_nothing(
    qtbot, document, rolling, start
) -> None:
    said: list[str] = []
    rolling.message.connect(said.append)
    start(rolling.roll, setup(Period()), new_seed=True)
    document.push(change_terrain_set(document.battlemap, HEATHS), "Change terrains")
    qtbot.waitUntil(lambda: not rolling.busy)
    assert len(document.battlemap.layers) == 1
    assert "another terrain set" in said[-1]


def test_many_maps_are_told_in_the_terrains_of_all(document) -> None:
    base = Base.under(document.battlemap, 1)
    generator = Period(HEATHS)
    batches = [*MapStream(generator, {}, base, 1).blocks(range(3), same_grid=True)]
    (known,) = {batch.base.terrain_set for batch in batches}
    assert known.terrains[: len(base.terrain_set.terrains)] == base.terrain_set.terrains
    wanted = parse_filter("count(Mire) = 12", RENAMED, measures_of(generator, known), GRID, known)
    assert all(wanted.matches(batch).all() for batch in batches)
    larger = MapStream(Period(HEATHS, Grid(SQUARE, 2, 2)), {}, base, 1)
    for batch in larger.blocks(range(3), same_grid=True):
        assert batch.terrain.shape == (1, 4)
        assert not batch.failed.any()


def test_what_is_locked_is_put_back_by_its_name(document) -> None:
    battlemap = document.battlemap
    battlemap.layers[0].planes["ground"] = np.zeros((3, 4), "u2")
    volcano = battlemap.terrain_set.terrain_code("Volcano")
    battlemap.layers[0].planes["ground"][0, 0] = volcano
    battlemap.locked_cells[0, 0] = True
    assert is_blank(battlemap.locked_sides)
    made = force(Period(HEATHS), {}, DrawKey(1, 0), Base.under(battlemap, 1))
    assert made is not None
    assert made.terrain_set is not None
    code = int(made.layers[0].planes["ground"][0, 0])
    assert made.terrain_set.terrains[code].name == "Volcano"
    assert made.terrain_set.terrains[code].missing


def test_edits_of_terrain_sets_and_records_count_in_the_memory_of_undo(document) -> None:
    battlemap = document.battlemap
    battlemap.layers[0].planes["ground"] = np.full((3, 4), 1, "u2")
    edit = change_terrain_set(battlemap, HEATHS)
    assert edit is not None
    assert size_of(edit) >= 12 * 2 * 2
    added = set_record(battlemap, "notes", MapRecord("x" * 500))
    assert added is not None
    assert size_of(added) == 500
    added.apply(battlemap)
    assert size_of(change_record(battlemap, "notes", "x" * 500 + "yy")) == 2


def test_planning_tells_other_threads_that_they_may_have_seen_it(document) -> None:
    before = document.revision
    names = document.plan(lambda battlemap: [layer.name for layer in battlemap.layers])
    assert names == ["Ground"]
    assert document.revision > before


@pytest.mark.parametrize(("name", "earlier_key"), [("Period", DrawKey(5, 3)), ("Other", None)])
def test_a_replaced_map_is_an_earlier_roll_if_it_was_of_the_same_generator(
    document, rolling, wait, name, earlier_key
) -> None:
    request = rolling.request_new_map(BattleMap.new(RENAMED, GRID), setup(Period()))
    wait(partial(rolling.start, replace(request, key=DrawKey(5, 3))))
    other_setup = setup(Period(name=name))
    request = rolling.request_new_map(BattleMap.new(RENAMED, GRID), other_setup, replaces_map=True)
    wait(partial(rolling.start, request))
    previous_roll = rolling.history.previous_roll(document.active_layer)
    previous_key = None
    if previous_roll is not None:
        previous_key = DrawKey(previous_roll.seed, previous_roll.number)
    assert previous_key == earlier_key
