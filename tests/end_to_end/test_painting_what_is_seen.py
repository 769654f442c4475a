"""What a person paints is what is seen, with real mouse events on the real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from randomizer.model.edits.layer_edits import set_visible
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_locks
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from tests.app.conftest import cell
from tests.app.systems.cordery.conftest import Wargamer
from tests.daily import deep_but
from tests.end_to_end.test_walking_desk import at, paint, press, settled, value


class Painter:
    """Someone who paints terrains on the sample map, a roll above an empty ground."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot = qtbot
        self.window = window
        self.document = window.desk.document
        self.roll = self.document.active_layer_id
        assert self.layer(self.roll).roll is not None

    def layer(self, layer_id: int) -> Layer:
        return self.document.battlemap.layer(layer_id)

    def touch_ups(self) -> list[Layer]:
        return [layer for layer in self.document.battlemap.layers if layer.name == TOUCH_UPS]

    def take(self, terrain: str) -> int:
        code = self.document.battlemap.system.terrain_set.terrain_code(terrain)
        self.window.desk.tools.options.choose(terrain=code)
        return code

    def paint(self, terrain: str, label: str) -> int:
        code = self.take(terrain)
        paint(self.window, "terrain", label)
        return code

    def shown(self, label: str) -> int:
        return value(self.document.composite, "terrain", label)

    def roll_next(self) -> None:
        """Roll the next map of the seed."""
        self.window.desk.rolling.key_choice.set_new_seed(False)
        press(self.qtbot, self.window, self.window.desk.commands.action("script.roll"))

    def set(self, layer_id: int, field: str, to: object) -> None:
        before = getattr(self.layer(layer_id), field)
        self.document.push(LayerField(layer_id, field, before, to), field)

    def hover(self, label: str) -> str:
        """What the status bar says with the mouse over a hex."""
        canvas = self.window.desk.canvas
        place = self.window.findChild(QLabel, "place")

        def points() -> bool:
            """Move as a hand does, until a move has come through."""
            QTest.mouseMove(canvas, QPoint(2, 2))
            QTest.mouseMove(canvas, at(self.window, label))
            return bool(place.text())

        self.qtbot.waitUntil(points)
        return place.text()

    def said(self) -> str:
        return self.window.statusBar().currentMessage()


@pytest.fixture
def painter(qtbot, window) -> Painter:
    return Painter(qtbot, window)


@pytest.mark.deep
def test_a_locked_roll_is_not_rolled_again_and_this_is_said(painter):
    painter.set(painter.roll, "locked", True)
    before = painter.layer(painter.roll)
    count = len(painter.document.history.steps)
    painter.window.desk.commands.action("script.roll").trigger()
    settled(painter.qtbot, painter.window)
    assert painter.layer(painter.roll) is before
    assert before.locked
    assert len(painter.document.history.steps) == count
    assert (
        painter.said() == f"The layer {before.name} is locked: unlock it, or roll onto a new layer."
    )


def test_what_a_locked_layer_sets_is_left_out_and_said_before_the_press(painter):
    lake = painter.paint("Lake", "C2")
    painter.roll_next()
    (touch_ups,) = painter.touch_ups()
    painter.set(touch_ups.id, "locked", True)
    stone = painter.take("Stone")
    painter.window.desk.tools.choose("terrain")
    words = f"The layer {TOUCH_UPS} is locked: what it sets is left out"
    assert words in painter.hover("C2")
    preview = painter.window.desk.canvas.overlays.preview
    assert preview is not None
    assert preview.left_out.tolist() == [cell("C2")]
    assert words not in painter.hover("D3")
    count = len(painter.document.history.steps)
    paint(painter.window, "terrain", "C2")
    assert len(painter.document.history.steps) == count
    assert painter.said() == f"{words}."
    painter.window.desk.tools.options.choose(radius=1)
    paint(painter.window, "terrain", "C2")
    assert painter.shown("C2") == lake
    assert painter.shown("C3") == stone


@pytest.mark.parametrize(
    ("field", "word"),
    deep_but([("visible", "hidden"), ("locked", "locked")], ("locked", "locked")),
)
def test_a_hidden_or_locked_active_layer_refuses_the_stroke_and_is_named(painter, field, word):
    painter.set(painter.roll, field, field == "locked")
    painter.take("Stone")
    painter.window.desk.tools.choose("terrain")
    assert f"is {word}" in painter.hover("C2")
    preview = painter.window.desk.canvas.overlays.preview
    assert preview is not None
    assert preview.left_out.tolist() == [cell("C2")]
    count = len(painter.document.history.steps)
    paint(painter.window, "terrain", "C2")
    assert len(painter.document.history.steps) == count
    assert f"The layer {painter.layer(painter.roll).name} is {word}" in painter.said()


@pytest.mark.deep
def test_erasing_goes_one_layer_deep_in_a_stroke_and_says_where_nothing_is_set(painter):
    painter.paint("Lake", "C2")
    painter.roll_next()
    rolled = int(painter.layer(painter.roll).planes["terrain"].flat[cell("C2")])
    painter.window.desk.tools.options.choose(radius=1)
    painter.window.desk.tools.choose("eraser")
    canvas = painter.window.desk.canvas
    left = Qt.MouseButton.LeftButton
    none = 0
    QTest.mousePress(canvas, left, pos=at(painter.window, "C2"))
    for label in ("C3", "C2"):
        QTest.mouseMove(canvas, at(painter.window, label), none)
    QTest.mouseRelease(canvas, left, pos=at(painter.window, "C2"))
    unset = painter.document.battlemap.system.plane("terrain").unset
    (touch_ups,) = painter.touch_ups()
    assert touch_ups.planes["terrain"].flat[cell("C2")] == unset
    assert painter.layer(painter.roll).planes["terrain"].flat[cell("C2")] == rolled
    painter.document.set_active_layer(touch_ups.id)
    paint(painter.window, "eraser", "E5")
    assert painter.said() == (
        f"Nothing was erased: neither {TOUCH_UPS} nor a layer above it sets anything there."
    )


@pytest.mark.deep
def test_a_lock_that_touch_ups_cover_does_not_bind_the_script(painter):
    document = painter.document
    painter.paint("Lake", "C2")
    painter.roll_next()
    document.push(set_locks(document.battlemap, [cell("C2")], True), "Lock")
    base = painter.window.desk.rolling.next_base()
    terrain, elevation = (base.system.plane(name) for name in ("terrain", "elevation"))
    assert not base.locked_mask(terrain).any()
    assert np.flatnonzero(base.locked_mask(elevation)).tolist() == [cell("C2")]
    (touch_ups,) = painter.touch_ups()
    document.push(set_visible(document.battlemap, touch_ups.id, visible=False), "Hide")
    base = painter.window.desk.rolling.next_base()
    assert np.flatnonzero(base.locked_mask(terrain)).tolist() == [cell("C2")]


@pytest.mark.deep
def test_a_locked_part_of_a_table_keeps_its_values_when_the_table_is_thrown_again(qtbot, window):
    player = Wargamer(qtbot, window)
    player.throw(relief="hilly")
    hills = player.part("hills")
    fields = player.part("fields")
    held = hills.planes["elevation"] != player.document.battlemap.system.plane("elevation").unset
    assert held.any()
    player.document.push(LayerField(hills.id, "locked", False, True), "Lock Hills")
    window.desk.rolling.key_choice.set_new_seed(False)
    press(qtbot, window, window.desk.commands.action("script.roll"))
    again = player.part("hills")
    assert (again.id, again.locked) == (hills.id, True)
    assert np.array_equal(again.planes["elevation"][held], hills.planes["elevation"][held])
    assert player.part("fields").roll.number == fields.roll.number + 1


def test_what_was_painted_before_the_first_roll_stays_and_is_said(qtbot, window):
    painter = Painter(qtbot, window)
    document = painter.document
    ground = Layer(1, "Ground")
    document.show_map(BattleMap.new(document.battlemap.system, layers=[ground]))
    lake = painter.paint("Lake", "C2")
    volcano = painter.paint("Volcano", "D4")
    count = len(document.history.steps)
    painter.roll_next()
    assert [painter.shown(label) for label in ("C2", "D4")] == [lake, volcano]
    assert "Kept: 2 changes by hand (Touch-ups)" in painter.said()
    assert len(document.history.steps) == count + 1
    painter.roll_next()
    assert [painter.shown(label) for label in ("C2", "D4")] == [lake, volcano]
    assert len(painter.touch_ups()) == 1
    document.undo()
    document.undo()
    assert [layer.name for layer in document.battlemap.layers] == ["Ground"]


@pytest.mark.deep
def test_what_was_painted_into_a_roll_stays_above_a_roll_onto_a_new_layer(painter):
    lake = painter.paint("Lake", "C2")
    press(painter.qtbot, painter.window, painter.window.desk.commands.action("script.new-layer"))
    assert painter.shown("C2") == lake
    assert "Kept: 1 change by hand (Touch-ups)" in painter.said()
