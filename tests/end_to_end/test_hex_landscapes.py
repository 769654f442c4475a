"""A hex landscape as a newcomer rolls, locks, names and exports it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.canvas.picked_names import names_to_paint
from app.document.map_files import new_map as map_of_kind
from app.features.new_map.dialog import NewMapDialog
from app.features.palette.thing_form import ThingForm
from app.features.pictures.picture_dialog import PictureDialog
from app.features.problems.feature import MapProblems
from randomizer.catalog.systems import system_named
from randomizer.model.grid.layouts import FLAT
from randomizer.model.planes.routes import SIDES
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import write_project
from randomizer.systems.free.misplaced import rivers_without_mouth
from randomizer.systems.free.packaged_sets import LANDSCAPE, packaged_set
from randomizer.systems.free.system import SYSTEM, free_map
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.end_to_end.test_tables_that_stay import problems_of_map

DRIVEN_DIALOGS = (PictureDialog, NewMapDialog)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(qtbot, active):
    """The desk with a landscape that was rolled."""
    desk = active.desk
    desk.document.open_map(map_of_kind(system_named("free")))
    desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("randomize.roll-with.script.inland-landscape")
    return desk


def position(desk, cell: int):
    """Return where a cell is on the canvas."""
    return desk.canvas.viewport.to_screen(*desk.document.battlemap.grid.centre(cell)).toPoint()


def lock_middle(desk) -> np.ndarray:
    """Lock the middle of the map by dragging over it; return which cells are locked, (cells,)."""
    grid = desk.document.battlemap.grid
    desk.tools.choose("lock")
    desk.tools.options.choose(radius=3)
    middle = grid.height // 2
    first = grid.cell(grid.width // 3, middle)
    last = grid.cell(2 * grid.width // 3, middle)
    QTest.mousePress(desk.canvas, LEFT, pos=position(desk, first))
    QTest.mouseMove(desk.canvas, position(desk, last))
    QTest.mouseRelease(desk.canvas, LEFT, pos=position(desk, last))
    return desk.document.battlemap.locked_cells.reshape(-1)


def rivers_that_end(desk, is_locked: np.ndarray) -> list[int]:
    """Return the cells of land beside locked ones from which a river flows nowhere."""
    planes = desk.document.composite.planes
    terrain_set = desk.document.battlemap.terrain_set
    grid = desk.document.battlemap.grid
    (number,) = [index for index, way in enumerate(terrain_set.ways, 1) if way.name == "River"]
    links = planes[f"way{number}"].reshape(-1) & SIDES
    flow = planes["flow"].reshape(-1) & SIDES
    is_water = np.array([terrain.water for terrain in terrain_set.terrains])
    is_land = ~is_water[planes["terrain"].reshape(-1)]
    cells = np.flatnonzero(is_land & ~is_locked & (links > 0) & (flow == 0)).tolist()
    return [cell for cell in cells if is_locked[list(grid.neighbours(cell))].any()]


def test_no_river_ends_at_the_border_of_what_is_locked(desk, qtbot):
    is_locked = lock_middle(desk).copy()
    assert is_locked.sum() > 30
    for _roll in range(2):
        with qtbot.waitSignal(desk.rolling.rolled):
            desk.commands.run("script.roll")
        assert not rivers_that_end(desk, is_locked)
        assert not rivers_without_mouth(desk.document.battlemap, desk.document.composite)
        assert "Locks kept" in desk.frame.statusBar().currentMessage()


@pytest.mark.deep  # eight maps are rolled
def test_rolled_towns_keep_their_distance_to_a_locked_one_and_have_other_names(desk, qtbot):
    battlemap = desk.document.battlemap
    grid = battlemap.grid
    locked_town = next(thing for thing in battlemap.visible_things() if thing.kind == "town")
    home = grid.cell_at(locked_town.x, locked_town.y)
    desk.tools.choose("lock")
    desk.tools.options.choose(radius=0)
    QTest.mouseClick(desk.canvas, LEFT, pos=position(desk, home))
    for seed in range(8):
        desk.rolling.key_choice.type_seed(seed)
        with qtbot.waitSignal(desk.rolling.rolled):
            desk.commands.run("script.again")
        things = list(desk.document.battlemap.visible_things())
        towns = [thing for thing in things if thing.kind in ("town", "city")]
        assert locked_town.label in [town.label for town in towns]
        for town in towns:
            distance = np.hypot(town.x - locked_town.x, town.y - locked_town.y)
            assert town.label == locked_town.label or distance > 2 * np.sqrt(3)
        starts = [town.label[:4] for town in towns]
        assert len(set(starts)) == len(starts)


@pytest.mark.deep
def test_previous_roll_of_an_opened_map_says_that_it_is_the_number_before(
    desk, qtbot, hand, tmp_path
):
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.next")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.previous")
    assert "number before" not in desk.frame.statusBar().currentMessage()
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.next")
    path = tmp_path / "land.blb"
    path.write_bytes(write_project(desk.document.battlemap))
    rolled_map = desk.document.battlemap
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.battlemap is not rolled_map)
    qtbot.waitUntil(desk.commands.action("script.previous").isEnabled)
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.previous")
    told = desk.frame.statusBar().currentMessage()
    assert told.endswith(
        "No earlier roll is known since the map was opened: this is the number before"
    )


def export_for_table(desk, qtbot, hand, kind: str, path) -> PictureDialog:
    """Export the map for a virtual table; return the dialog, closed."""
    desk.commands.run("file.export-for-a-virtual-table")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    box = dialog.form.field("kind")
    box.setCurrentIndex(box.findData(kind))
    dialog.form.field("pixels").setValue(20)
    hand.expect(dialog.windowTitle()).type_path(path)
    with qtbot.waitSignal(dialog.reported):
        QTest.mouseClick(dialog.go_button, LEFT)
    return dialog


def test_an_export_for_foundry_says_what_is_next_until_the_next_message(
    qtbot, active, hand, tmp_path
):
    desk = active.desk
    desk.document.open_map(free_map(FLAT, 9, 7))
    export_for_table(desk, qtbot, hand, ".json", tmp_path / "north.json")
    told = desk.frame.statusBar().currentMessage()
    names = ("north.json", "north.png", "north.json.txt")
    assert all((tmp_path / name).exists() and name in told for name in names)
    assert tmp_path.name in told
    assert told.endswith("north.json.txt says what to do next")
    assert "import the data of north.json" in (tmp_path / "north.json.txt").read_text("utf-8")


@pytest.mark.deep
def test_a_table_of_squares_is_told_about_and_chosen_again(desk, qtbot, hand, tmp_path):
    desk.commands.run("file.export-for-a-virtual-table")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    box = dialog.form.field("kind")
    assert "squares" not in dialog.status.text
    box.setCurrentIndex(box.findData(".uvtt"))
    assert "Universal VTT has squares only" in dialog.status.text
    assert dialog.form.field("grid_lines").isChecked()
    dialog.close()
    export_for_table(desk, qtbot, hand, ".uvtt", tmp_path / "north.uvtt")
    desk.commands.run("file.export-for-a-virtual-table")
    again = desk.frame.findChildren(PictureDialog)[-1]
    assert again.form.kind == ".uvtt"
    again.close()


def test_all_dialogs_offer_the_same_name(desk, qtbot, hand, tmp_path):
    offered = []

    def note_name(dialog) -> None:
        names = [field.text() for field in dialog.findChildren(QLineEdit) if field.text()]
        offered.append(Path(names[0]).stem)

    hand.expect("Save map as").do(note_name).escape()
    desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: len(offered) == 1)
    hand.expect("Export map as").do(note_name).escape()
    desk.commands.run("file.export-as")
    qtbot.waitUntil(lambda: len(offered) == 2)
    desk.commands.run("file.export-picture")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    hand.expect("Export picture").do(note_name).escape()
    QTest.mouseClick(dialog.go_button, LEFT)
    qtbot.waitUntil(lambda: len(offered) == 3)
    assert set(offered) == {"Free map"}
    dialog.close()


def test_a_picked_thing_shows_its_name_where_others_leave_it_no_room(qtbot, active):
    desk = active.desk
    battlemap = free_map(FLAT, 9, 7)
    x, y = battlemap.grid.centre(battlemap.grid.cell(4, 3))
    towns = []
    for number in range(12):
        label = f"Foxford-upon-Stour {number}"
        towns.append(Thing(number + 1, "town", x + 0.02 * number, y, label=label))
    battlemap.layers[0].things.exchange((), towns)
    battlemap.note_ids(range(1, 13))
    desk.document.show_map(battlemap, None)
    shown_ids = desk.renderer.names(battlemap, desk.canvas.viewport.scale).thing_ids
    hidden = next(town for town in towns if town.id not in shown_ids)
    desk.document.pick([hidden.id])
    names = names_to_paint(desk.canvas)
    assert [thing.label for _index, thing in names] == [hidden.label]
    with_name = desk.canvas.grab().toImage()
    desk.commands.run("view.names-of-things")
    assert not names_to_paint(desk.canvas)
    assert desk.canvas.grab().toImage() != with_name


def test_the_pin_of_a_note_shows_its_first_lines_where_the_mouse_is(active):
    desk = active.desk
    battlemap = free_map(FLAT, 9, 7)
    cell = battlemap.grid.cell(4, 3)
    text = "\n".join(f"Line {number}" for number in range(1, 10))
    pin = Thing(1, "note", *battlemap.grid.centre(cell), label="The mill", state={"text": text})
    battlemap.layers[0].things.exchange((), (pin,))
    battlemap.note_ids([1])
    desk.document.show_map(battlemap, None)
    QTest.mouseMove(desk.canvas, position(desk, cell))
    tip = desk.canvas.toolTip()
    assert tip.startswith("1. The mill (")
    assert tip.endswith("Line 4\nLine 5\n...")
    desk.commands.run("view.placed-things")
    QTest.mouseMove(desk.canvas, position(desk, battlemap.grid.cell(1, 1)))
    assert desk.canvas.toolTip() == ""


def test_a_river_that_dries_up_and_a_town_at_sea_are_among_the_problems(qtbot, active):
    desk = active.desk
    battlemap = free_map(FLAT, 9, 7, terrain_set=packaged_set(LANDSCAPE))
    grid = battlemap.grid
    layer = battlemap.layers[0]
    terrain = layer.planes.setdefault("terrain", SYSTEM.terrain.allocate(grid))
    terrain[:] = battlemap.terrain_set.terrain_code("Grassland")
    terrain[:, :4] = battlemap.terrain_set.terrain_code("Deep sea")
    layer.things.exchange((), (Thing(1, "town", *grid.centre(grid.cell(1, 3)), label="Atlantis"),))
    battlemap.note_ids([1])
    desk.document.show_map(battlemap, None)
    desk.tools.choose("route")
    desk.tools.options.choose(route=3)
    QTest.mousePress(desk.canvas, LEFT, pos=position(desk, grid.cell(7, 2)))
    for row in (3, 4):
        QTest.mouseMove(desk.canvas, position(desk, grid.cell(7, row)))
    QTest.mouseRelease(desk.canvas, LEFT, pos=position(desk, grid.cell(7, 4)))

    def messages() -> list[str]:
        return [problem.message for problem in problems_of_map(active)]

    qtbot.waitUntil(lambda: len(messages()) == 2)
    river, town = messages()
    assert river.startswith("Your river ends on dry land at ")
    assert town.startswith("Atlantis stands in the water at ")

    # The fix leads the river on to the sea, in one undo step.
    problems = desk.frame.findChild(MapProblems).list
    desk.commands.run("view.problems")
    assert problems.fix_button.toolTip().startswith("Apply: lead the river on to the water at ")
    steps = len(desk.document.history.steps)
    QTest.mouseClick(problems.fix_button, LEFT)
    assert len(desk.document.history.steps) == steps + 1
    qtbot.waitUntil(lambda: messages() == [town])
    assert not rivers_without_mouth(desk.document.battlemap, desk.document.composite)


@pytest.mark.deep
def test_the_bar_of_a_search_for_rare_maps_does_not_stand_at_nothing(desk, qtbot):
    desk.docks.show("gallery")
    panel = desk.docks.panel("gallery")
    status = panel.status
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.candidates) == 48)
    field = panel.form.filter.field
    field.setText("towns >= 90")
    field.returnPressed.emit()
    qtbot.waitUntil(lambda: not status.searching.isHidden())
    assert status.progress.maximum() == 0, "it is busy"
    status.show_progress(3)
    assert (status.progress.maximum(), status.progress.value()) == (100, 3)
    QTest.mouseClick(status.cancel_button, LEFT)


@pytest.mark.deep
def test_a_print_of_a_landscape_has_grid_lines(desk):
    assert not desk.renderer.overlays.grid_lines
    desk.commands.run("file.print")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    assert dialog.form.field("grid_lines").isChecked()
    dialog.close()
    desk.commands.run("file.export-picture")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    assert not dialog.form.field("grid_lines").isChecked(), "as on the desk"
    dialog.close()


READ_FROM = 15.0
"""The scale at which the names of seas are read: the hex radius in logical pixels."""


def names_on_other_ground(desk) -> list[str]:
    """Return the names of seas of the usual size that do not lie on water alone."""
    battlemap = desk.document.battlemap
    is_water = np.array([terrain.water for terrain in battlemap.terrain_set.terrains])
    terrain = desk.document.composite.planes["terrain"].reshape(-1)
    things = {}
    for layer in battlemap.layers:
        things.update(layer.things)
    names = desk.renderer.names(battlemap, READ_FROM)
    misplaced = []
    for name, point in zip(names.names, names.points, strict=True):
        thing = things.get(name.inscription_id)
        if thing is None or thing.kind != "water" or thing.state.get("size", 1.0) < 0.4:
            continue
        if battlemap.locked_cells.flat[battlemap.grid.cell_at(thing.x, thing.y)]:
            continue  # it is kept as it was
        for left, top, right, bottom in name.boxes():
            x, y = np.meshgrid(np.linspace(left, right, 20), np.linspace(top, bottom, 4) * 0.8)
            points = point + np.stack([x.reshape(-1), y.reshape(-1)], axis=1) / READ_FROM
            cells = battlemap.grid.cells_at(points)
            if (cells < 0).any() or not is_water[terrain[cells]].all():
                misplaced.append(thing.label)
                break
    return misplaced


@pytest.mark.deep  # seven maps are rolled
def test_the_name_of_a_sea_stands_on_water_and_leaves_towns_their_names(qtbot, active):
    desk = active.desk
    desk.document.open_map(map_of_kind(system_named("free")))
    desk.commands.fill("randomize.roll-with.script.*")
    seas = 0
    for seed in range(1, 8):
        if seed == 5:
            lock_middle(desk)
        desk.rolling.key_choice.choose_seed = lambda seed=seed: seed
        with qtbot.waitSignal(desk.rolling.rolled):
            desk.commands.run("randomize.roll-with.script.islands-landscape")
        battlemap = desk.document.battlemap
        assert not names_on_other_ground(desk)
        names = desk.renderer.names(battlemap, READ_FROM)
        kinds = {}
        for layer in battlemap.layers:
            kinds.update({thing.label: thing.kind for thing in layer.things.values()})
        assert not [label for label in names.left_out if kinds[label] in ("town", "city")]
        if seed < 5:  # from then on one is kept that has room in its old place alone
            assert not [label for label in names.left_out if kinds[label] == "water"]
        seas += list(kinds.values()).count("water")
    assert seas >= 6


def test_commands_that_do_nothing_for_a_landscape_are_grey_with_the_reason(desk):
    reasons = {
        "file.show-as-text": "A free map has no file that is text",
        "file.whole-variant": "No game is known that plays a free map",
    }
    for name, reason in reasons.items():
        action = desk.commands.action(name)
        assert not action.isEnabled()
        assert reason in action.toolTip()


@pytest.mark.deep
def test_the_folder_in_foundry_shows_an_example_and_may_be_empty(desk):
    desk.commands.run("file.export-for-a-virtual-table")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    box = dialog.form.field("kind")
    box.setCurrentIndex(box.findData(".json"))
    field = dialog.form.field("folder")
    assert field.text() == ""
    assert field.placeholderText() == "may be empty; such as worlds/moor"
    dialog.close()


@pytest.mark.deep
def test_a_mistake_in_a_filter_is_told_when_the_keys_rest(desk, qtbot):
    desk.docks.show("gallery")
    panel = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.candidates) == 48)
    field = panel.form.filter.field
    field.setFocus()
    QTest.keyClicks(field, "towns > many ")
    qtbot.waitUntil(lambda: "many" in panel.status.message.text())
    assert "as soon as the filter is complete" not in panel.status.message.text()


@pytest.mark.deep
def test_the_form_of_a_town_asks_for_no_owner(desk):
    towns = []
    for layer in desk.document.battlemap.layers:
        towns += [thing for thing in layer.things.values() if thing.kind in ("town", "city")]
    desk.document.pick([towns[0].id])
    desk.tools.choose("things")
    form = desk.frame.findChild(ThingForm)
    form.show_things()
    titles = [label.text().replace("&", "").rstrip(":") for label in form.findChildren(QLabel)]
    assert "Label" in titles
    assert "Owner" not in titles


@pytest.mark.deep
def test_a_new_landscape_says_of_what_the_scale_is(desk):
    desk.commands.fill("file.new.*")
    desk.commands.run("file.new.free")
    dialog = desk.frame.findChildren(NewMapDialog)[-1]
    titles = [label.text().replace("&", "").rstrip(":") for label in dialog.findChildren(QLabel)]
    assert "Scale per cell" in titles
    dialog.close()
