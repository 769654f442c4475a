"""Whatever the tools did: undo brings the first map back bit for bit, redo the last one."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.tools import TOOLS
from app.tools.options import ElevationMode
from randomizer.geometry.height_brush import HeightMode
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.symmetry import kinds
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from tests.app.tools.conftest import GridDriver
from tests.randomizer.map_strategies import contents
from tests.test_system.system import SYSTEM as LAND

WIDTH = 9
HEIGHT = 7
MODIFIERS = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
places = st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1))

strokes = st.fixed_dictionaries(
    {
        "tool": st.sampled_from([kind.name for kind in TOOLS]),
        "ways": st.lists(places, min_size=1, max_size=4),
        "side": st.sampled_from([None, 0, 1, 3]),
        "held": st.sampled_from(MODIFIERS),
        "escape": st.integers(0, 9).map(lambda number: number == 0),
        "options": st.fixed_dictionaries(
            {},
            optional={
                "radius": st.integers(0, 2),
                "bar": st.booleans(),
                "terrain": st.integers(0, 11),
                "elevation": st.integers(0, 3),
                "hexside": st.integers(0, 5),
                "flipped": st.booleans(),
                "height_mode": st.sampled_from(ElevationMode),
                "corner_mode": st.sampled_from(list(HeightMode)),
                "corner_amount": st.integers(1, 70_000),
                "corner_level": st.integers(0, 65_534),
                "everywhere": st.booleans(),
                "slanted": st.booleans(),
                "centre": st.none() | st.integers(0, WIDTH * HEIGHT - 1),
                "symmetry_kind": st.integers(0, 9),
            },
        ),
        "turns": st.integers(0, 7),
    }
)


def do(driver, stroke) -> None:
    grid = driver.grid
    options = dict(stroke["options"])
    if "symmetry_kind" in options:
        offered = kinds(grid)
        options["symmetry_kind"] = offered[options["symmetry_kind"] % len(offered)][0]
    driver.options.choose(**options)
    selected = driver.document.selection.cells
    if len(selected) and stroke["turns"] % 2:
        driver.options.stamp = cut(
            driver.document.battlemap, selected, driver.document.composite.planes
        )
    driver.tools["stamp"].turn(stroke["turns"])
    driver.use(stroke["tool"])
    side = None if stroke["side"] is None else stroke["side"] % grid.degree
    points = [driver.at(x, y, side) for x, y in stroke["ways"]]
    driver.drag(*points, modifiers=stroke["held"], release=not stroke["escape"])
    if stroke["escape"]:
        QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)


@given(
    layout=st.sampled_from(LAYOUTS),
    mask=st.lists(places, max_size=4),
    sequence=st.lists(strokes, min_size=1, max_size=8),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_sequence_of_strokes_can_be_undone_and_redone(qtbot, layout, mask, sequence):
    holes = np.ones((HEIGHT, WIDTH), np.bool_)
    for x, y in mask:
        holes[y, x] = (x, y) == (4, 3)
    battlemap = free_map(layout, WIDTH, HEIGHT)
    battlemap.grid = type(battlemap.grid)(layout, WIDTH, HEIGHT, holes)
    check(qtbot, battlemap, sequence)


@given(
    mask=st.lists(places, max_size=4),
    sequence=st.lists(strokes, min_size=1, max_size=6),
    brushed=st.integers(0, 63),
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_strokes_on_land_with_heights_too(qtbot, mask, sequence, brushed):
    holes = np.ones((HEIGHT, WIDTH), np.bool_)
    for x, y in mask:
        holes[y, x] = (x, y) == (4, 3)
    grid = Grid(SQUARE, WIDTH, HEIGHT, holes)
    for number, stroke in enumerate(sequence):
        if brushed >> number & 1:
            stroke["tool"] = "height"
    check(qtbot, BattleMap.new(LAND, grid, [Layer(1, "Ground")]), sequence)


def check(qtbot, battlemap: BattleMap, sequence: list) -> None:
    driver = GridDriver(qtbot, battlemap)
    first = contents(battlemap)
    for stroke in sequence:
        do(driver, stroke)
    last = contents(battlemap)
    document = driver.document
    shown = driver.document.composite.copy()
    for _ in range(2):
        document.go_to(0)
        assert contents(battlemap) == first
        document.go_to(len(document.history.steps))
        assert contents(battlemap) == last
    assert driver.document.composite.same_as(battlemap.composite())
    assert shown.same_as(driver.document.composite)
    driver.canvas.close()
    driver.canvas.deleteLater()


def test_every_tool_has_a_key_of_its_own():
    keys = [kind.shortcut for kind in TOOLS]
    assert len(set(keys)) == len(keys)
