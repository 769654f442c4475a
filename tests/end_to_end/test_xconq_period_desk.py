"""The main job with Xconq's worlds, in the real window: rolled, painted, the period edited."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.sample import sample_map
from app.features.layers.hidden_layer_notice import HiddenLayerNotice
from app.features.new_map.dialog import NewMapDialog
from randomizer.model.edits.value_edits import set_values
from randomizer.model.problems import has_errors
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.records import sides_of
from tests.app.conftest import finished_picture, new_map_dialog
from tests.daily import deep_but
from tests.end_to_end.test_map_script_desk import CTRL, settle, type_at
from tests.randomizer.systems.xconq.worlds import ISLANDS

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def window(window):
    """The desk; all keys are quick ones."""
    window.desk.scripts.map_script.clock = lambda: 0.0
    return window


@pytest.fixture
def panel(window):
    window.desk.docks.show("randomize")
    return window.desk.docks.panel("randomize")


def activate(qtbot, window) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def make_world(qtbot, window) -> None:
    dialog = new_map_dialog(window, "Xconq world")
    assert dialog.entry.metadata.name == "Modern"
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "xconq")
    activate(qtbot, window)


def share(document, name: str) -> int:
    """How many hexes show a terrain."""
    shown = document.battlemap.composite()
    return int((shown.planes["terrain"] == shown.terrain_set.terrain_code(name)).sum())


def test_a_new_world_is_rolled_painted_and_its_period_edited_and_all_of_it_undone(
    qtbot, window, panel
):
    make_world(qtbot, window)
    document = window.desk.document
    battlemap = document.battlemap
    world = document.active_layer
    assert (battlemap.grid.width, battlemap.grid.height) == (60, 30)
    assert world.things, "two countries"
    assert world.roll.seed < 134_456
    assert len(document.history.steps) == 0
    window.desk.rolling.roll()
    settle(qtbot, window)
    assert len(document.history.steps) == 1
    desert = battlemap.terrain_set.terrain_code("desert")
    cell = int((document.composite.planes["terrain"].ravel() != desert).nonzero()[0][99])
    edit = set_values(battlemap, document.active_layer_id, "terrain", [cell], desert)
    assert document.push(edit, "Paint")
    dunes = share(document, "desert")
    period = panel.editor.text()
    type_at(panel.editor, "x", "; ---- ")  # in a comment
    settle(qtbot, window)
    assert not window.desk.scripts.map_script.is_outdated
    window.desk.scripts.map_script.change_text(re.sub(r"\bdesert\b", "erg", period), "test")
    settle(qtbot, window)
    assert battlemap.terrain_set.has_terrain("erg")
    assert not battlemap.terrain_set.has_terrain("desert"), "renamed, what is painted too"
    assert share(document, "erg") == dunes
    assert any(layer.name == TOUCH_UPS for layer in battlemap.layers)
    panel.editor.setFocus()
    for index in (3, 2):  # the two changes of the text, above the stroke and the roll
        QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL)
        settle(qtbot, window)
        assert document.history.index == index
    while document.history.next_undo:
        document.undo()
    settle(qtbot, window)
    assert panel.editor.text() == period
    assert battlemap.records["period"].text == period
    assert battlemap.terrain_set.has_terrain("desert")


def test_a_real_period_opens_as_a_world_that_follows_a_percentage(
    qtbot, window, panel, shared, tmp_path
):
    source = shared / "corpus" / "xconq"
    path = next(each for each in sorted(source.rglob("*.per")) if each.name == "standard.per")
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    window.desk.files.open_path(copy)
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "xconq")
    settle(qtbot, window)
    document = window.desk.document
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == copy)
    assert len(document.history.steps) == 0
    text = panel.editor.text()
    world = document.composite.planes["terrain"].copy()
    assert text.startswith("Xconq")
    row = next(row for row in text.splitlines() if "max-alt" in row and "[" in row)
    first = next(word for word in row.replace("[", "[ ").split() if word.isdigit())
    fewer = row.replace(first, str(int(first) - 20), 1)
    window.desk.scripts.map_script.change_text(text.replace(row, fewer), "test")
    settle(qtbot, window)
    assert (document.composite.planes["terrain"] != world).any()
    assert copy.read_bytes() == path.read_bytes(), "the file is written by saving alone"
    document.undo()
    assert (document.composite.planes["terrain"] == world).all()
    assert panel.editor.text() == text


@pytest.mark.parametrize("name", deep_but(["islands.txt", "islands.rnd"], "islands.rnd"))
def test_a_period_of_any_file_name_opens_as_one_and_rolls(qtbot, window, panel, tmp_path, name):
    path = tmp_path / name
    path.write_text(f"{ISLANDS}end\n")
    desk = window.desk
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    settle(qtbot, window)
    assert share(desk.document, "hills") > 0
    assert panel.editor.text().startswith("Xconq 0 -+---- Islands")
    assert not has_errors(panel.problems.list.problems)


@pytest.mark.deep
def test_units_of_a_type_that_is_gone_stay_and_the_period_is_called_as_its_file(
    qtbot, window, panel, hand, shared, tmp_path
):
    hand.expect("Battlelands Builder").press("Close")
    for name in ("beirut2.scn", "beirut.per"):
        source = shared / "corpus" / "xconq" / name
        (tmp_path / name).write_bytes(source.read_bytes())
    window.desk.files.open_path(tmp_path / "beirut2.scn")
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "xconq")
    document = window.desk.document
    scripts = window.desk.scripts
    battlemap = document.battlemap
    assert scripts.script.name == "beirut.per"
    assert not scripts.current.unsaved
    kinds = {kind.name for kind in battlemap.system.thing_kinds(battlemap)}
    units = [thing.kind for thing in battlemap.visible_things()]
    assert "militia" in kinds
    assert set(units) <= kinds
    text = panel.editor.text()
    scripts.map_script.change_text(text.replace("end", "]\nend", 1), "test")
    settle(qtbot, window)
    assert {kind.name for kind in battlemap.system.thing_kinds(battlemap)} == kinds, "errors"
    assert len(document.history.steps) == 1
    scripts.map_script.change_text(re.sub(r"\bmilitia\b", "guards", text), "test again")
    settle(qtbot, window)
    kinds = {kind.name for kind in battlemap.system.thing_kinds(battlemap)}
    assert "guards" in kinds
    assert "militia" not in kinds
    assert [thing.kind for thing in battlemap.visible_things()] == units
    document.undo()
    document.undo()
    assert panel.editor.text() == text


@pytest.fixture
def world(qtbot, window):
    """The window with a new world in front, as a user makes one."""
    new_map_dialog(window, "Xconq world").make_button.click()
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not window.desk.rolling.busy and bool(sides_of_units(window)))
    return window


def sides_of_units(window) -> set[int]:
    layers = window.desk.document.battlemap.layers
    return {thing.owner for layer in layers for thing in layer.things.values()}


@pytest.mark.deep
def test_a_new_world_has_two_countries_and_a_seed_of_the_real_program(qtbot, world):
    document = world.desk.document
    rolling = world.desk.rolling
    assert sides_of_units(world) == {0, 1, 2}
    assert (document.battlemap.grid.width, document.battlemap.grid.height) == (60, 30)
    rolling.key_choice.choose_seed = lambda: 134_456 * 3 + 5
    with qtbot.waitSignal(document.changed):
        world.desk.docks.panel("randomize").roll_action.trigger()
    assert rolling.key_choice.key.seed == 5


@pytest.mark.parametrize("way", deep_but([1, 3], 1))
def test_the_ways_out_are_one_click_each(qtbot, world, way):
    desk = world.desk
    panel = desk.docks.panel("randomize")
    desk.scripts.settings.set({"countries": 20})
    with qtbot.waitSignal(desk.document.changed):
        panel.roll_action.trigger()
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert sides_of_units(world) == set()
    problems = panel.problems.list
    hints = [problem for problem in problems.problems if problem.code == "countries"]
    key = (desk.rolling.key_choice.key.seed, desk.rolling.key_choice.key.number)
    problems.choose(hints[way])
    problems.fix_button.click()
    qtbot.waitUntil(lambda: bool(sides_of_units(world)) and not desk.rolling.busy)
    assert (desk.rolling.key_choice.key.seed, desk.rolling.key_choice.key.number) == key
    countries = dict(hints[way].fix.settings).get("countries", 20)
    assert sides_of_units(world) == set(range(countries + 1))


@pytest.mark.deep
def test_undo_in_the_text_of_the_period_takes_back_changes_of_the_text_alone(qtbot, window, panel):
    make_world(qtbot, window)
    document = window.desk.document
    window.desk.rolling.roll()
    settle(qtbot, window)
    land = document.active_layer_id
    battlemap = document.battlemap
    forest = battlemap.terrain_set.terrain_code("forest")
    assert document.push(set_values(battlemap, land, "terrain", [99], forest), "Paint forest")
    type_at(panel.editor, "x", "; ---- ")
    settle(qtbot, window)
    panel.editor.setFocus()
    status = window.statusBar()
    steps = document.history.index
    QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL)
    settle(qtbot, window)
    assert status.currentMessage() == "Undid: Change modern.per"
    assert document.history.index == steps - 1
    for _press in range(2):
        QTest.keyClick(panel.editor, Qt.Key.Key_Z, CTRL)
        settle(qtbot, window)
        assert status.currentMessage() == (
            "The last step did not change this text; Undo in the menu takes it back"
        )
        assert document.history.index == steps - 1
    # The menu takes back the stroke and the roll; the keys in the text do neither again.
    window.desk.commands.run("edit.undo")
    window.desk.commands.run("edit.undo")
    settle(qtbot, window)
    assert document.history.index == 0
    QTest.keyClick(panel.editor, Qt.Key.Key_Y, CTRL)
    settle(qtbot, window)
    assert document.history.index == 0
    window.desk.commands.run("edit.redo")
    window.desk.commands.run("edit.redo")
    settle(qtbot, window)
    QTest.keyClick(panel.editor, Qt.Key.Key_Y, CTRL)
    settle(qtbot, window)
    assert status.currentMessage() == "Redid: Change modern.per"
    assert document.history.index == steps


def test_the_countries_of_the_sides_are_seen_after_a_roll(qtbot, window, panel):
    make_world(qtbot, window)
    settle(qtbot, window)
    battlemap = window.desk.document.battlemap
    countries = battlemap.system.countries(battlemap)
    assert list(countries) == [1, 2]
    for thing in window.desk.document.active_layer.things.values():
        if thing.owner:
            assert battlemap.grid.cell_at(thing.x, thing.y) in countries[thing.owner]
    canvas = window.desk.canvas
    canvas.fit()
    shown = finished_picture(canvas, qtbot)
    window.desk.commands.run("view.countries")
    hidden = finished_picture(canvas, qtbot)
    held = np.concatenate(list(countries.values()))
    for cells, differs in ((held, True), (np.setdiff1d(battlemap.grid.cells, held), False)):
        centre = battlemap.grid.centre(int(cells[0]))
        place = canvas.viewport.to_screen(*centre).toPoint()
        assert (shown.pixelColor(place) != hidden.pixelColor(place)) == differs


@pytest.mark.deep
def test_a_side_for_which_a_unit_was_placed_stays_when_the_world_is_rolled_again(qtbot, world):
    desk = world.desk
    document = desk.document
    names = [side.name for side in sides_of(document.battlemap).sides]
    desk.tools.choose("things")
    city = next(kind for kind in document.battlemap.system.thing_kinds(document.battlemap))
    desk.tools.options.choose(thing=Thing(0, city.name, 0.0, 0.0, owner=1))
    grid = document.battlemap.grid
    desk.tools.things.place_on(document, grid.cell(grid.width // 2, grid.height // 2))
    desk.rolling.key_choice.choose_seed = lambda: 4711
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.docks.panel("randomize").roll_action.trigger()
    assert [side.name for side in sides_of(document.battlemap).sides] == names
    document.undo()
    document.undo()
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.docks.panel("randomize").roll_action.trigger()
    assert [side.name for side in sides_of(document.battlemap).sides] != names


@pytest.mark.deep
def test_units_of_a_type_renamed_in_the_text_are_renamed_by_a_fix_in_one_step(
    qtbot, window, panel, hand, shared, tmp_path
):
    hand.expect("Battlelands Builder").press("Close")
    for name in ("beirut2.scn", "beirut.per"):
        source = shared / "corpus" / "xconq" / name
        (tmp_path / name).write_bytes(source.read_bytes())
    window.desk.files.open_path(tmp_path / "beirut2.scn")
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap.system.name == "xconq")
    militia = sum(unit.kind == "militia" for unit in document.battlemap.visible_things())
    assert militia > 1
    text = panel.editor.text()
    window.desk.scripts.map_script.change_text(re.sub(r"\bmilitia\b", "militiamen", text), "test")
    settle(qtbot, window)
    problems = next(source for source in window.desk.problems.all if source.title == "Map").problems

    def unknown_units():
        return [each for each in problems.problems if each.code == "advice-unknown-unit"]

    qtbot.waitUntil(lambda: bool(unknown_units()))
    problems.choose(unknown_units()[0])
    steps = len(document.history.steps)
    problems.fix_button.click()
    kinds = [unit.kind for unit in document.battlemap.visible_things()]
    assert kinds.count("militiamen") == militia
    assert "militia" not in kinds
    assert len(document.history.steps) == steps + 1
    assert document.history.next_undo.text == "Rename the units on the map to militiamen, too"
    qtbot.waitUntil(lambda: not unknown_units())


@pytest.mark.deep
def test_a_renamed_terrain_keeps_its_picture(qtbot, window):
    make_world(qtbot, window)
    window.desk.docks.show("period")
    settle(qtbot, window)
    terrains = window.desk.docks.panel("period").terrains
    window.desk.docks.panel("period").tabs.setCurrentWidget(terrains)
    qtbot.waitUntil(lambda: terrains.code is not None)
    terrain_set = window.desk.document.battlemap.terrain_set
    plains = terrain_set.terrain_code("plains")
    picture = terrain_set.terrains[plains].picture
    terrains.choose(plains)
    field = terrains.form.field("name")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "bluish")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, window)
    terrain = window.desk.document.battlemap.terrain_set.terrains[plains]
    assert terrain.name == "bluish"
    assert terrain.picture == picture


@pytest.mark.deep
def test_a_renamed_unit_type_does_not_leave_the_list_of_things_empty(qtbot, window):
    make_world(qtbot, window)
    window.desk.docks.show("period")
    settle(qtbot, window)
    window.desk.tools.choose("things")
    things = window.desk.docks.panel("palette").things
    qtbot.waitUntil(lambda: things.kinds.count() > 10)
    QTest.keyClicks(things.filter, "tank")
    assert things.kinds.count() == 2, "Pick only, and the tanks"
    units = window.desk.docks.panel("period").units
    window.desk.docks.panel("period").tabs.setCurrentWidget(units)
    qtbot.waitUntil(lambda: units.code is not None)
    names = [entry.name for entry in units.model.all_entries]
    units.choose(names.index("t  tanks"))
    field = units.form.field("name")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "panzer")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: things.filter.text() == "")
    assert things.kinds.count() > 10
    # Words that find nothing stay where they are, to be mended.
    QTest.keyClicks(things.filter, "tank")
    assert things.filter.text() == "tank"


def test_a_unit_type_is_removed_by_its_button_and_comes_back_by_undo(qtbot, window, panel):
    make_world(qtbot, window)
    window.desk.docks.show("period")
    settle(qtbot, window)
    pages = window.desk.docks.panel("period")
    pages.tabs.setCurrentWidget(pages.units)
    qtbot.waitUntil(lambda: pages.units.code is not None)
    text = panel.editor.text()
    names = [entry.name for entry in pages.units.model.all_entries]
    pages.units.choose(names.index("t  tanks"))
    QTest.mouseClick(pages.units.buttons["Remove"], Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: len(pages.units.model.all_entries) == len(names) - 1)
    assert "tanks" not in panel.editor.text()
    assert not has_errors(panel.problems.list.problems)
    window.desk.document.undo()
    settle(qtbot, window)
    assert panel.editor.text() == text
    qtbot.waitUntil(lambda: len(pages.units.model.all_entries) == len(names))


@pytest.mark.deep
def test_a_roll_on_an_opened_map_is_a_layer_above_it_and_the_hidden_one_is_named(
    qtbot, window, panel, world, hand, tmp_path
):
    path = tmp_path / "islands.map"
    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").press("Save")
    hand.expect("What should Save write?").press("Write islands.map")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(path.exists)
    document = window.desk.document
    qtbot.waitUntil(lambda: not document.current_map.unsaved)
    document.open_map(sample_map())
    document.close_map(document.maps[0])
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    settle(qtbot, window)
    (opened_layer,) = document.battlemap.layers
    assert opened_layer.things
    window.desk.commands.run("script.roll")
    settle(qtbot, window)
    lower, upper = document.battlemap.layers
    assert document.active_layer is upper
    assert not lower.visible
    message = window.statusBar().currentMessage()
    assert message.endswith(
        f"as a new layer above {lower.name}. {lower.name} is hidden, with its things"
    )
    assert len(message) < 100
    # The palette counts what can be seen, not the hidden units of the file as well.
    window.desk.tools.choose("things")
    things_page = window.desk.docks.panel("palette").things
    settle(qtbot, window)
    rows = [things_page.kinds.item(row).text() for row in range(things_page.kinds.count())]
    assert upper.things.kinds["town"]
    assert f"town ({upper.things.kinds['town']})" in rows
    banner = window.desk.findChild(HiddenLayerNotice).banner
    assert banner.label.text() == f"{lower.name} is hidden below the roll, with its things."
    # It stands above the map, whatever panel is in front, until it is answered.
    window.desk.docks.show("scenario")
    window.desk.commands.run("script.roll")
    settle(qtbot, window)
    qtbot.waitUntil(banner.isVisible)
    QTest.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    assert lower.visible
    assert not banner.isVisible()
    while document.history.next_undo:
        document.undo()
    assert [layer.visible for layer in document.battlemap.layers] == [True]
    assert not banner.isVisible()
    window.desk.commands.run("script.roll")
    settle(qtbot, window)
    qtbot.waitUntil(banner.isVisible)
    dismiss = window.desk.findChild(HiddenLayerNotice).dismiss
    QTest.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert not banner.isVisible()
    assert not document.battlemap.layers[0].visible
