"""The preview of a world: shown on the map, and never an undo step."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.document import MapDocument
from app.systems.xconq.period.world_preview import WorldPreview
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.systems.xconq.system import SYSTEM

SEA = 0
PLAINS = 4
FOREST = 5


@pytest.fixture
def document(qapp):
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "World"), Layer(2, "Mine")])
    grid = battlemap.grid
    world = battlemap.layer(1)
    world.planes["terrain"] = np.full((grid.height, grid.width), SEA, np.uint8)
    world.roll = Roll("", "modern.per", "", {}, 7, 0)
    battlemap.source = 1
    return MapDocument(battlemap)


@pytest.fixture
def preview(document):
    return WorldPreview(document, document)


def rolled(document):
    return np.full_like(document.battlemap.layer(1).planes["terrain"], SEA)


def wooded(document, *cells):
    codes = rolled(document)
    codes.flat[list(cells)] = FOREST
    return codes


def shown(document):
    return np.flatnonzero(document.composite.planes["terrain"] == FOREST).tolist()


def test_it_is_shown_and_taken_back(document, preview):
    preview.paint(wooded(document, 3, 4))
    assert shown(document) == [3, 4]
    assert document.in_preview
    preview.paint(wooded(document, 4, 5))
    assert shown(document) == [4, 5]
    preview.take_back()
    assert shown(document) == []
    assert len(document.history.steps) == 0


def test_what_is_locked_or_painted_stays(document, preview):
    battlemap = document.battlemap
    document.push(set_locks(battlemap, [4], locked=True), "Lock")
    document.push(set_values(battlemap, 1, "terrain", [5], PLAINS), "Paint")
    preview.paint(wooded(document, 3, 4, 5))
    assert shown(document) == [3]
    preview.take_back()
    assert document.composite.planes["terrain"].flat[5] == PLAINS


def test_an_edit_takes_the_preview_back_first(document, preview):
    preview.paint(wooded(document, 3))
    document.push(set_values(document.battlemap, 2, "terrain", [8], PLAINS), "Paint")
    assert shown(document) == []
    preview.take_back()
    assert document.composite.planes["terrain"].flat[8] == PLAINS
    document.undo()
    assert not np.any(document.composite.planes["terrain"])


def test_a_stroke_that_begins_meanwhile_is_left_alone(document, preview):
    preview.paint(wooded(document, 3))
    document.begin_stroke("Paint")
    document.stroke(set_values(document.battlemap, 2, "terrain", [8], PLAINS))
    preview.take_back()
    assert document.in_stroke
    assert not document.in_preview
    assert document.end_stroke()
    assert document.composite.planes["terrain"].flat[8] == PLAINS


def test_maps_without_a_source_show_none(document, preview):
    document.battlemap.source = None
    preview.paint(wooded(document, 3))
    assert shown(document) == []
    assert not document.in_stroke
