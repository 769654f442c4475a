"""A scenario of Xconq units, keys of build mode, commands, saving."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit

from app.features.files.text_fixes import FixDialog
from app.features.palette.kind_list import KIND
from app.render.scene.things.looks import OWNERS
from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carriers_on
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.xconq.records import Side, Sides, header_of, sides_of
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.buttons import press_ok
from tests.app.conftest import finished_picture, mouse
from tests.app.saves import finished
from tests.randomizer.systems.xconq.tiny_period import LAND, SEA, TEXT, unit, world

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
Key = Qt.Key


@pytest.fixture
def features() -> tuple[str, ...]:
    return (
        "xconq",
        "tools",
        "palette",
        "selection",
        "view",
        "files",
        "layers",
        "script",
        "cell_menu",
        "map",
    )


class Desk:
    """The window with a small world of land, two towns, a boat and men."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot = qtbot
        self.window = window
        self.desk = window.desk
        self.document = window.desk.document
        units = (unit(1, "town", 3, 3, 1), unit(2, "boat", 6, 4, 2), unit(3, "men", 8, 5, 2))
        battlemap = world(12, 8, *units)
        battlemap.records["period"] = MapRecord(TEXT)
        change_value(battlemap, "sides", Sides((Side("Ann"), Side("Bob")))).apply(battlemap)
        self.document.show_map(battlemap)

    @property
    def battlemap(self) -> BattleMap:
        return self.document.battlemap

    @property
    def terrain(self) -> np.ndarray:
        return np.array(self.document.composite.planes["terrain"])

    def at(self, x: int, y: int) -> QPoint:
        grid = self.battlemap.grid
        return self.desk.canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()

    def drag(self, *places: tuple[int, int], release: bool = True) -> None:
        canvas = self.desk.canvas
        points = [self.at(*place) for place in places]
        mouse(canvas, "MouseButtonPress", points[0], LEFT, LEFT)
        for point in points[1:]:
            mouse(canvas, "MouseMove", point, NONE, LEFT)
        if release:
            mouse(canvas, "MouseButtonRelease", points[-1], LEFT, NONE)

    def hover(self, x: int, y: int) -> None:
        mouse(self.desk.canvas, "MouseMove", self.at(x, y), NONE, NONE)

    def type(self, keys: str) -> None:
        self.desk.canvas.setFocus()
        QTest.keyClicks(self.desk.canvas, keys)

    def place_of(self, thing_id: int) -> tuple[int, int]:
        thing = self.battlemap.thing(thing_id)
        grid = self.battlemap.grid
        return grid.xy(grid.cell_at(thing.x, thing.y))

    @property
    def said(self) -> str:
        return self.window.statusBar().currentMessage()

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [step.text for step in history.steps[: history.index]]

    def answer(self, **values) -> None:
        """Fill in the form of the dialog that is open, and accept it."""
        (dialog,) = (each for each in self.window.findChildren(FormDialog) if each.isVisible())
        dialog.form.show_values(dialog.form.values() | values)
        press_ok(dialog)


@pytest.fixture
def desk(qtbot, window) -> Desk:
    return Desk(qtbot, window)


# --- units ---------------------------------------------------------------------------------------


def test_units_stand_in_hexes_but_not_in_the_edge_rows(desk):
    desk.desk.commands.run("tool.things")
    desk.drag((8, 5), (8, 3))
    assert desk.place_of(3) == (8, 3)
    desk.drag((8, 3), (9, 2), (9, 0), release=False)
    assert desk.desk.canvas.overlays.preview.note == "No unit can stand in the edge rows"
    mouse(desk.desk.canvas, "MouseButtonRelease", desk.at(9, 0), LEFT, NONE)
    assert desk.place_of(3) == (9, 2)


def test_units_of_the_wrapped_part_are_drawn_picked_and_moved_on_a_map_that_leans(desk):
    """On the upright map they lie in the west, on the leaning one in the east."""
    grid = desk.battlemap.grid
    x, y = grid.centre(grid.cell(11, 5))
    men = Thing(4, "men", x, y, owner=1)
    desk.document.push(ThingsEdit(desk.document.active_layer_id, (), (men,)), "Put")
    desk.document.pick([4])
    desk.desk.commands.run("view.lean-as-in-the-file")
    desk.desk.commands.run("tool.things")
    assert desk.desk.canvas.overlays.picked.points.tolist() == [[x + grid.period, y]]
    desk.document.pick(())
    canvas = desk.desk.canvas
    there = desk.at(11, 5)
    assert desk.battlemap.grid.centre(desk.battlemap.grid.cell(11, 5))[0] == x + grid.period
    colour = QColor(OWNERS[0])

    def has_unit(at: QPoint) -> bool:
        picture = finished_picture(canvas, desk.qtbot)
        corner = at - QPoint(6, 6)
        steps = (QPoint(*step) for step in np.ndindex(12, 12))
        return any(picture.pixelColor(corner + step) == colour for step in steps)

    assert has_unit(there)
    desk.drag((11, 5))
    assert [thing.id for thing in desk.document.picked] == [4]
    (ring,) = canvas.overlays.picked.points.tolist()
    assert canvas.viewport.to_screen(*ring).toPoint() == there
    desk.drag((11, 5), (9, 4))
    assert desk.place_of(4) == (9, 4)
    assert has_unit(desk.at(9, 4))
    desk.document.undo()
    assert has_unit(there)
    assert not has_unit(desk.at(9, 4))


def test_men_dropped_onto_a_boat_go_with_it_and_stay_when_it_goes(desk):
    desk.desk.commands.run("tool.things")
    desk.drag((8, 5), (6, 4))
    assert carriers_on(desk.battlemap) == {3: 2}
    desk.document.pick(())
    desk.drag((6, 4), (4, 5))
    assert desk.place_of(2) == desk.place_of(3) == (4, 5)
    desk.document.pick([2])
    desk.desk.commands.run("edit.delete")
    assert desk.place_of(3) == (4, 5)
    assert carriers_on(desk.battlemap) == {}
    desk.document.undo()
    assert carriers_on(desk.battlemap) == {3: 2}


def test_units_are_loaded_and_unloaded_by_commands(desk):
    desk.desk.commands.run("tool.things")
    desk.document.pick([2, 3])
    desk.desk.commands.run("things.load-into")
    desk.answer()
    assert carriers_on(desk.battlemap) == {2: 1, 3: 1}
    assert desk.steps == ["Load 2 units"]
    desk.document.pick([3])
    desk.desk.commands.run("things.unload")
    assert carriers_on(desk.battlemap) == {2: 1}
    assert desk.place_of(3) == (3, 3)


def test_the_form_of_a_unit_says_name_and_side(desk):
    desk.desk.commands.run("tool.things")
    desk.document.pick([3])
    page = desk.desk.docks.panel("palette").things
    desk.qtbot.waitUntil(lambda: "men" in page.form.heading.text().lower())
    form = page.form.form
    # The titles of a form, without its texts.
    titles = [setting.title for setting in form._settings]
    assert titles[:3] == ["Kind", "Name", "Side"]
    assert "Angle" not in titles
    owner = form.field("owner")
    assert [owner.itemText(at) for at in range(owner.count())][1:] == ["Ann", "Bob"]


def test_a_unit_that_cannot_be_neutral_gets_the_first_side_and_a_chosen_side_stays_chosen(desk):
    desk.desk.commands.run("tool.things")
    page = desk.desk.docks.panel("palette").things

    def choose(name: str) -> None:
        rows = [page.kinds.item(row) for row in range(page.kinds.count())]
        page.kinds.itemClicked.emit(next(row for row in rows if row.data(KIND) == name))

    def owner():
        return page.form.form.field("owner")

    choose("men")
    assert owner().currentText() == "Ann"
    owner().setCurrentIndex(2)
    choose("boat")
    assert owner().currentText() == "Bob"


# --- the keys of build mode ----------------------------------------------------------------------


def test_a_number_a_terrain_and_space_paint_a_hexagon(desk):
    desk.hover(5, 4)
    desk.type("2.")
    assert "Space paints sea, radius 2" in desk.said
    desk.type(" ")
    assert (desk.terrain == SEA).sum() == 19
    desk.type("-3+")
    assert "a bar of 3 hexes" in desk.said
    desk.type(" ")
    assert desk.terrain[4, 5:8].tolist() == [LAND] * 3
    assert [step.split(" by ")[0] for step in desk.steps] == ["sea, 19 hexes", "land, 3 hexes"]


def test_999_floods_and_escape_ends_it(desk):
    desk.hover(5, 4)
    desk.desk.tools.options.choose(radius=2)
    desk.type("999. ")
    assert (desk.terrain == SEA).all()
    assert desk.desk.tools.options.radius == 2
    QTest.keyClick(desk.desk.canvas, Key.Key_Escape)
    desk.type("+")
    desk.desk.tools.choose("rectangle" if "rectangle" in desk.desk.tools.tools else "things")
    desk.type(" ")
    assert (desk.terrain == SEA).all(), "another tool ends the brush"


def test_letters_of_the_desk_keep_their_meaning_unless_a_number_stands_before(desk):
    desk.desk.tools.choose("terrain")
    desk.type("o")
    assert desk.desk.tools.name == "things"
    desk.type(".")
    assert desk.desk.tools.name == "things", "there the full stop goes through units"
    desk.type("0.")
    assert desk.desk.tools.name == "terrain"
    assert "Space paints sea, radius 0" in desk.said


def test_maps_of_other_systems_do_not_know_these_keys(desk):
    desk.document.show_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    before = desk.desk.tools.options.terrain
    desk.type("3.")
    assert desk.desk.tools.options.terrain == before


# --- commands ------------------------------------------------------------------------------------


def test_edge_rows_and_seam_are_painted(desk):
    desk.desk.commands.run("map.fill-edge-rows")
    desk.answer(terrain=SEA)
    assert (desk.terrain[[0, -1]] == SEA).all()
    assert (desk.terrain[1:-1] == LAND).all()
    desk.desk.commands.run("map.wall-the-seam")
    desk.answer(terrain=SEA, width=1)
    assert (desk.terrain[1:-1] == SEA).sum() == 6
    assert desk.steps == [
        "Fill edge rows: sea, 24 hexes by 0,0",
        "Wall the seam: sea, 6 hexes by 0,1",
    ]


def test_units_are_shuffled_as_one_step(desk):
    desk.desk.commands.run("map.shuffle-units")
    desk.answer(most=3, seed=3)
    assert desk.steps in (["Shuffle units"], [])
    assert desk.place_of(1) == (3, 3), "towns stay"
    assert desk.place_of(3) != (8, 5)
    assert "seed 3" in desk.said
    desk.document.undo()
    assert desk.place_of(3) == (8, 5)


def test_what_is_for_xconq_alone_is_hidden_elsewhere(desk):
    names = {
        "map.scenario",
        "map.what-is-saved",
        "map.fill-edge-rows",
        "map.wall-the-seam",
        "map.shuffle-units",
        "things.load-into",
        "things.unload",
    }
    dock = desk.desk.docks["scenario"]
    panels = desk.desk.docks
    worlds = desk.document.current_map
    assert names <= set(desk.desk.commands.offered())
    assert not dock.isHidden()
    desk.document.open_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    assert not names & set(desk.desk.commands.offered())
    assert dock.isHidden()
    assert not dock.toggleViewAction().isVisible()
    desk.document.make_current(worlds)
    assert not dock.isHidden()
    assert panels["layers"].isVisible()


# --- saving and opening --------------------------------------------------------------------------


def test_what_is_saved_is_asked_in_words_and_remembered(desk, hand, tmp_path):
    path = tmp_path / "game.scn"

    def choose(dialog):
        save = dialog.buttons.button(QDialogButtonBox.StandardButton.Save)
        assert save.toolTip().endswith("writes this as ms1u1")
        dialog.form.field("u").setCurrentIndex(2)
        dialog.form.field("s").setCurrentIndex(0)
        assert "ms" not in dialog.details.text()
        assert "sides" in dialog.status.text, "it says what would be lost"
        dialog.form.field("s").setCurrentIndex(1)

    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").do(choose).press("Save")
    desk.desk.commands.run("file.save-as")
    desk.qtbot.waitUntil(lambda: desk.document.path == path)
    text = path.read_text("latin-1")
    assert text.split()[2] == "--+-++"
    assert "Units 3 2 0" in text
    assert header_of(desk.battlemap).details == "ms1u2"
    desk.desk.commands.run("file.save")  # goes on as before, without a question
    finished(desk.desk.files.saving.idle())
    path.unlink()
    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").press("Cancel")
    shown_names: list[str] = []

    def note_name(dialog):
        shown_names.append(dialog.findChild(QLineEdit).text())

    again = hand.expect("Save map as").do(note_name).press("Cancel")
    desk.desk.commands.run("file.save-as")
    desk.qtbot.waitUntil(lambda: again.has_come)
    assert shown_names == ["game.scn"], "Cancel leads back to the first dialog"
    assert not path.exists()


MISSING = """Xconq 1 --+-++ A map whose period is elsewhere
tiny.per
Map 5 4 100 1 0
5.
5+
5+
5.
Sides 1 1 0
Ann
Units 1 1 0
m Tom 2,1 0
"""


def open_file(desk: Desk, path: Path) -> None:
    before = desk.battlemap
    desk.desk.files.open_path(path)
    desk.qtbot.waitUntil(lambda: desk.battlemap is not before)


def test_a_missing_period_is_asked_for(desk, hand, tmp_path):
    path = tmp_path / "map" / "a.scn"
    path.parent.mkdir()
    path.write_text(MISSING, "latin-1")
    period = tmp_path / "tiny.per"
    period.write_text(TEXT, "latin-1")
    hand.expect("A period is missing").press("Find period...")
    hand.expect("Find period tiny.per").type_path(period)
    open_file(desk, path)
    assert [terrain.name for terrain in desk.battlemap.terrain_set.terrains][:2] == ["sea", "land"]
    assert [thing.kind for thing in desk.battlemap.visible_things()] == ["men"]


def test_the_packaged_period_can_be_used_for_a_missing_one(desk, hand, tmp_path):
    path = tmp_path / "a.scn"
    path.write_text(MISSING.replace("m Tom", "i Tom"), "latin-1")
    hand.expect("A period is missing").press("Use Modern Times")
    open_file(desk, path)
    assert [thing.kind for thing in desk.battlemap.visible_things()] == ["infantry"]


def test_one_can_go_on_without_the_period(desk, hand, tmp_path):
    path = tmp_path / "a.scn"
    path.write_text(MISSING, "latin-1")
    hand.expect("A period is missing").press("Go on without it")
    problems = hand.expect("Battlelands Builder").press("Close")
    open_file(desk, path)
    desk.qtbot.waitUntil(lambda: problems.has_come)
    assert sides_of(desk.battlemap).sides[0].name == "Ann"
    assert [thing.label for thing in desk.battlemap.visible_things()] == ["Tom"]
    assert header_of(desk.battlemap).period_file == "tiny.per"


FAULTY = """Xconq 1 --+--+ A map with two faults;
notes that never end
tiny.per
Map 5 4 100 1 0
5.
5+
5+
5.
Units 1 1 0
@ New Cork 2,1 -1
"""


def test_a_file_with_faults_is_opened_after_they_are_fixed(desk, tmp_path):
    path = tmp_path / "faulty.scn"
    path.write_text(FAULTY, "latin-1")
    (tmp_path / "tiny.per").write_text(TEXT, "latin-1")
    desk.desk.files.open_path(path)

    def dialog():
        return next((d for d in desk.window.findChildren(FixDialog) if d.isVisible()), None)

    desk.qtbot.waitUntil(lambda: dialog() is not None)
    before = desk.battlemap
    dialog().fix_button.click()
    desk.qtbot.waitUntil(lambda: desk.battlemap is not before)
    (town,) = desk.battlemap.visible_things()
    assert (town.kind, town.label) == ("town", "New Cork")
    assert header_of(desk.battlemap).notes == ("notes that never end",)
    assert desk.document.path is None
    assert path.read_text("latin-1") == FAULTY, "the file stays as it is"


def test_a_large_world_is_painted_saved_and_opened_again(qtbot, window, hand, tmp_path):
    desk = Desk(qtbot, window)
    large = world(360, 122, unit(1, "town", 20, 20, 1), unit(2, "boat", 20, 20, 1, transport=1))
    large.records["period"] = MapRecord(TEXT)
    change_value(large, "sides", Sides((Side("Ann of the North"),))).apply(large)
    desk.document.show_map(large)
    desk.hover(340, 60)
    desk.type("40. ")
    desk.type("-100. ")
    desk.desk.commands.run("map.wall-the-seam")
    desk.answer(terrain=SEA, width=2)
    painted = desk.terrain
    steps = desk.steps
    assert [step.split(", ")[0] for step in steps] == ["sea", "sea", "Wall the seam: sea"]
    path = tmp_path / "large.scn"
    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").press("Save")
    desk.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: desk.document.path == path)
    desk.document.replace_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    open_file(desk, path)
    assert np.array_equal(desk.terrain, painted)
    assert [thing.kind for thing in desk.battlemap.visible_things()] == ["town", "boat"]
    assert carriers_on(desk.battlemap) == {2: 1}
    assert sides_of(desk.battlemap).sides[0].name == "Ann of the North"


def test_a_selection_that_is_dragged_leaves_its_units_out_of_the_edge_rows(desk):
    grid = desk.battlemap.grid
    desk.document.select([grid.cell(8, 5), grid.cell(9, 5)])
    desk.type("m")
    desk.drag((8, 5), (8, 6), (8, 7), release=False)
    assert "No unit can stand in the edge rows" in desk.desk.canvas.overlays.preview.note
    desk.drag((8, 5), (8, 6), (8, 7))
    assert desk.place_of(3) == (8, 5)
    desk.document.select([grid.cell(8, 5), grid.cell(9, 5)])
    desk.drag((8, 5), (8, 6))
    assert desk.place_of(3) == (8, 6)
