"""What is placed is picked, and named by typing; what can be placed is found at once."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QToolButton

from app.document.map_files import new_map
from app.features.palette.kind_list import KIND
from app.features.palette.terrain_dialog import TerrainDialog
from app.features.problems.problems_bar import ProblemsBar
from app.features.start.feature import EmptyMap
from randomizer.catalog.systems import system_named
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.installation.template_catalog import forget_catalog
from randomizer.systems.zeroad.map.owners import PLAYER_COLOURS
from randomizer.systems.zeroad.map.records import SETTINGS
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.buttons import ok_button
from tests.daily import deep_but
from tests.end_to_end.worlds import map_problems
from tests.randomizer.systems.zeroad.made_game import install

LEFT = Qt.MouseButton.LeftButton

MORE_FILES = {
    "simulation/templates/structures/rome/fortress.xml": (
        '<Entity parent="template_structure"><Identity><Civ>rome</Civ></Identity></Entity>'
    ),
    "art/actors/structures/athenians/fortress_gate.xml": "<actor/>",
    "art/actors/props/structures/romans/fortress_crate.xml": "<actor/>",
}


@pytest.fixture
def desk(active):
    active.desk.document.show_map(free_map(FLAT, 9, 7), None)
    active.desk.tools.choose("things")
    return active.desk


@pytest.fixture
def zeroad(tmp_path, monkeypatch, active, qtbot):
    """The desk with a map of 0 A.D. that has a building, and a game with parts of fortresses."""
    mod = install(tmp_path, monkeypatch)
    for name, text in MORE_FILES.items():
        file = mod / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    forget_catalog()
    desk = active.desk
    desk.document.show_map(BattleMap.new(ZEROAD, layers=[Layer(1, "Ground")]))
    desk.tools.choose("things")
    page = desk.docks.panel("palette").things
    qtbot.waitUntil(lambda: page.category.findText("Of the game (", Qt.MatchStartsWith) >= 0)
    return desk


def page_of(desk):
    return desk.docks.panel("palette").things


def rows_of(desk) -> list[str]:
    """The texts of the rows that are kinds of things."""
    kinds = page_of(desk).kinds
    rows = [kinds.item(row) for row in range(kinds.count())]
    return [row.text() for row in rows if row.data(KIND)]


def choose_row(desk, text: str) -> None:
    """Click the first row that begins so."""
    kinds = page_of(desk).kinds
    item = next(
        kinds.item(row)
        for row in range(kinds.count())
        if kinds.item(row).data(KIND) and kinds.item(row).text().startswith(text)
    )
    kinds.scrollToItem(item)
    QTest.mouseClick(kinds.viewport(), LEFT, pos=kinds.visualItemRect(item).center())


def click(desk, cell: int) -> None:
    grid = desk.document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=at)


def press(desk, key: Qt.Key, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(desk.frame.windowHandle(), key, modifiers)


def type_text(desk, text: str) -> None:
    for letter in text:
        QTest.keyClick(desk.frame.windowHandle(), letter)


def things_of(desk):
    return sorted(desk.document.battlemap.visible_things(), key=lambda thing: thing.id)


def has_label(desk) -> bool:
    return QApplication.focusWidget() is page_of(desk).form.form.field("label")


@pytest.mark.parametrize("kind", deep_but(["Label", "City", "Start"], "City"))
def test_what_is_typed_after_a_click_is_the_label_of_what_was_placed(desk, qtbot, kind):
    choose_row(desk, kind)
    for cell, name in ((20, "Foo"), (40, "Bar")):
        click(desk, cell)
        qtbot.waitUntil(lambda: has_label(desk))
        type_text(desk, name)
        press(desk, Qt.Key.Key_Return)
        assert desk.canvas.hasFocus(), "Enter goes back to the map"
    assert [thing.label for thing in things_of(desk)] == ["Foo", "Bar"]
    assert [thing.label for thing in desk.document.picked] == ["Bar"]


@pytest.mark.deep
def test_delete_takes_back_what_was_just_placed_but_not_while_its_name_is_typed(desk, qtbot):
    choose_row(desk, "City")
    click(desk, 20)
    qtbot.waitUntil(lambda: has_label(desk))
    type_text(desk, "A")
    press(desk, Qt.Key.Key_Backspace)
    press(desk, Qt.Key.Key_Delete)
    assert len(things_of(desk)) == 1, "the key was the field's"
    press(desk, Qt.Key.Key_Return)
    click(desk, 40)
    qtbot.waitUntil(lambda: has_label(desk))
    press(desk, Qt.Key.Key_Delete)
    assert len(things_of(desk)) == 1
    qtbot.waitUntil(desk.canvas.hasFocus)


@pytest.mark.deep
@pytest.mark.parametrize("far", [True, False])
def test_a_name_that_is_only_seen_from_nearer_is_told(desk, qtbot, far):
    if far:
        desk.document.show_map(free_map(FLAT, 200, 160), None)
        cell = 16_000
    else:
        cell = 20
    choose_row(desk, "Village")
    click(desk, cell)
    qtbot.waitUntil(lambda: has_label(desk))
    type_text(desk, "Oakford")
    press(desk, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: things_of(desk)[-1].label == "Oakford")
    QApplication.processEvents()
    message = desk.frame.statusBar().currentMessage()
    assert ("“Oakford” is seen from nearer" in message) is far


def test_undo_takes_back_what_was_just_placed_though_its_label_has_the_keyboard(desk, qtbot):
    choose_row(desk, "City")
    click(desk, 20)
    qtbot.waitUntil(lambda: has_label(desk))
    press(desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert things_of(desk) == []


def test_things_without_labels_are_picked_and_leave_the_keyboard_to_the_map(zeroad, qtbot):
    choose_row(zeroad, "Oak")
    click(zeroad, 500)
    qtbot.waitUntil(lambda: page_of(zeroad).form.up_to_date)
    assert [thing.kind for thing in zeroad.document.picked] == ["gaia/tree/oak"]
    assert not has_label(zeroad)
    assert page_of(zeroad).form.heading.text() == "Oak"
    zeroad.tools.turn(1)
    click(zeroad, 900)
    assert [thing.angle for thing in things_of(zeroad)] == [45.0, 45.0], "the next is turned too"


@pytest.mark.deep
def test_a_right_click_on_a_tree_offers_to_delete_it_at_once(zeroad, qtbot):
    choose_row(zeroad, "Oak")
    click(zeroad, 900)
    grid = zeroad.document.battlemap.grid
    at = zeroad.canvas.viewport.to_screen(*grid.centre(900)).toPoint()
    QTest.mouseClick(zeroad.canvas, Qt.MouseButton.RightButton, pos=at)
    # As the window system sends it with the click.
    request = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, zeroad.canvas.mapToGlobal(at))
    QApplication.sendEvent(zeroad.canvas, request)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    delete = next(row for row in menu.actions() if row.text() == "&Delete Oak")
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(delete).center())
    assert things_of(zeroad) == []


@pytest.mark.deep
def test_templates_are_listed_before_the_parts_of_actors_with_where_they_come_from(zeroad):
    page = page_of(zeroad)
    page.filter.setText("fortress")
    whole = ["Fortress (Athenians)", "Fortress (rome)"]
    parts = [
        "Fortress crate \N{MIDDLE DOT} props/structures/romans",
        "Fortress gate \N{MIDDLE DOT} structures/athenians",
    ]
    assert rows_of(zeroad) == [*whole, *parts]
    choose_row(zeroad, "Fortress (rome)")
    click(zeroad, 900)  # a map with a building lists them as one without
    page.filter.setText("fortress ")
    assert rows_of(zeroad) == [f"{whole[1]} (1)", whole[0], *parts], "in a group the map's first"
    page.filter.setText("oak")
    assert rows_of(zeroad) == ["Oak \N{MIDDLE DOT} gaia/tree"]


@pytest.mark.deep
def test_a_civilisation_and_an_owner_that_were_chosen_stay_chosen(zeroad, qtbot):
    page = page_of(zeroad)
    page.category.setCurrentIndex(page.category.findData("Athenians"))
    choose_row(zeroad, "Fortress (Athenians)")
    owner = page.form.form.field("owner")
    assert owner.currentText() == "Player 1", "a building is never nobody's"
    owner.setFocus()
    QTest.keyClick(owner, Qt.Key.Key_Down)
    document = zeroad.document
    here = document.current_map
    document.open_map(free_map(FLAT, 9, 7))
    document.make_current(here)
    qtbot.waitUntil(lambda: page.category.currentText().startswith("Athenians"))
    choose_row(zeroad, "Hero pericles")
    click(zeroad, 900)
    page.filter.setText("oak")
    page.category.setCurrentIndex(0)
    choose_row(zeroad, "Oak")
    click(zeroad, 1200)
    assert [thing.owner for thing in things_of(zeroad)] == [2, 0], "a tree is no player's"
    page.filter.setText("fortress")
    choose_row(zeroad, "Fortress (rome)")
    click(zeroad, 1500)
    assert things_of(zeroad)[-1].owner == 2


@pytest.mark.deep
def test_what_stands_outside_of_the_circle_or_on_a_slope_is_told_and_put_on_good_ground(
    zeroad, active, qtbot
):
    battlemap = BattleMap.new(ZEROAD, layers=[Layer(1, "Ground")])
    battlemap.records[SETTINGS] = MapRecord(json.dumps({"CircularMap": True}))
    grid = battlemap.grid
    heights = np.full((grid.height + 1, grid.width + 1), 2000, "u4")
    heights[:, 70:] = 6000  # a wall, 43 m high, on the tiles of column 69
    battlemap.layers[0].planes["height"] = heights
    zeroad.document.show_map(battlemap)
    page_of(zeroad).filter.setText("fortress")
    choose_row(zeroad, "Fortress (rome)")
    place = active.statusBar().findChild(QLabel, "place")
    sites = {
        grid.cell(3, 3): "outside of the round map",
        grid.cell(69, 64): "on a slope too steep to build on",
    }
    for cell, words in sites.items():
        QTest.mouseMove(
            zeroad.canvas, zeroad.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
        )
        qtbot.waitUntil(lambda words=words: words in place.text())
        click(zeroad, cell)
        assert words in active.statusBar().currentMessage()
    message = active.findChild(ProblemsBar).message
    qtbot.waitUntil(lambda: "2" in message.text())
    zeroad.commands.run("view.problems")
    buttons = [box for box in active.findChildren(QToolButton) if box.text() == "Fix all"]
    qtbot.waitUntil(lambda: any(button.isVisible() for button in buttons))
    QTest.mouseClick(next(button for button in buttons if button.isVisible()), LEFT)
    qtbot.waitUntil(lambda: message.text() == "No problems")
    assert len(things_of(zeroad)) == 2


@pytest.fixture
def without_game(tmp_path, monkeypatch, active):
    """The desk with an empty map of 0 A.D., where no game is installed."""
    install(tmp_path, monkeypatch)
    (tmp_path / "game").rename(tmp_path / "gone")
    forget_catalog()
    desk = active.desk
    desk.document.show_map(BattleMap.new(ZEROAD, layers=[Layer(1, "Ground")]))
    desk.tools.choose("things")
    return desk


def test_a_map_by_hand_begins_with_a_civil_centre_and_is_not_called_empty_then(without_game):
    desk = without_game
    card = desk.frame.findChild(EmptyMap)
    assert card.isVisible()
    choose_row(desk, "Civil centre (Athenians)")
    click(desk, 900)
    assert [thing.kind for thing in things_of(desk)] == ["structures/athen/civil_centre"]
    assert not card.isVisible()


@pytest.mark.deep
def test_what_is_never_nobodys_belongs_to_the_first_player_until_another_is_chosen(without_game):
    desk = without_game
    owner = page_of(desk).form.form.field
    choose_row(desk, "Civil centre (Athenians)")
    assert owner("owner").currentText() == "Player 1"
    click(desk, 900)
    choose_row(desk, "Oak")
    assert owner("owner").currentText() == "Gaia"
    choose_row(desk, "Civil centre (Athenians)")
    owner("owner").setFocus()
    QTest.keyClick(owner("owner"), Qt.Key.Key_Up)  # Gaia
    click(desk, 1200)
    choose_row(desk, "Oak")
    choose_row(desk, "Civil centre (Athenians)")
    assert owner("owner").currentText() == "Gaia", "it was chosen"


def next_text(desk) -> str:
    """What the bar of tool options says about the next thing, "" while it says nothing."""
    labels = [label for label in desk.frame.findChildren(QLabel) if label.isVisible()]
    texts = [label.text() for label in labels if label.accessibleName() == "What is placed next"]
    boxes = [box for box in desk.frame.findChildren(QComboBox) if box.isVisible()]
    owners = [box.currentText() for box in boxes if box.accessibleName() == "Owner of new things"]
    return " for ".join(texts + owners)


def colours_of_row(desk, text: str) -> set[str]:
    """The colours of the picture beside the first kind that begins so."""
    kinds = page_of(desk).kinds
    rows = [kinds.item(row) for row in range(kinds.count())]
    row = next(row for row in rows if row.data(KIND) and row.text().startswith(text))
    picture = row.icon().pixmap(kinds.iconSize()).toImage()
    points = [(x, y) for x in range(picture.width()) for y in range(picture.height())]
    return {picture.pixelColor(x, y).name() for x, y in points}


@pytest.mark.deep
def test_a_row_has_the_colour_of_its_player_and_the_bar_says_who_gets_the_next_one(
    without_game, qtbot
):
    desk = without_game
    players = [{"Civ": "gaia"}, {"Civ": "athen"}, {"Civ": "brit", "Name": "Boudicca"}]
    record = MapRecord(json.dumps({"PlayerData": players}))
    desk.document.push(set_record(desk.document.battlemap, SETTINGS, record), "Players")
    page = page_of(desk)
    usual = "Of the game ("
    qtbot.waitUntil(lambda: page.category.findText(usual, Qt.MatchStartsWith) >= 0)
    assert next_text(desk).startswith("Next: nothing")
    page.filter.setText("house")
    assert PLAYER_COLOURS[0] in colours_of_row(desk, "House (Athenians)")
    assert PLAYER_COLOURS[1] in colours_of_row(desk, "House (Britons)")
    choose_row(desk, "House (Britons)")
    assert next_text(desk) == "Next: House (Britons) for Boudicca"
    click(desk, 900)
    assert things_of(desk)[-1].owner == 2
    page.filter.setText("oak")
    choose_row(desk, "Oak")
    assert next_text(desk) == "Next: Oak"
    page.filter.setText("house")
    choose_row(desk, "House (Athenians)")
    owner = page.form.form.field("owner")
    owner.setFocus()
    QTest.keyClick(owner, Qt.Key.Key_Down)
    assert next_text(desk) == "Next: House (Athenians) for Boudicca", "it was chosen"
    assert PLAYER_COLOURS[1] in colours_of_row(desk, "House (Athenians)")
    desk.tools.choose("terrain")
    qtbot.waitUntil(lambda: next_text(desk) == "")


@pytest.mark.deep
def test_words_that_nothing_has_say_so_and_what_can_be_typed(without_game, qtbot):
    page = page_of(without_game)
    page.filter.setText("zeppelin")
    qtbot.waitUntil(lambda: "No installed game was found:" in shown_texts(page))
    assert shown_texts(page)[-4:] == [
        "Nothing here has these words.",
        "No installed game was found:",
        "an exact name can be typed,",
        "as structures/athen/fortress",
    ]


@pytest.mark.deep
def test_a_word_that_another_list_has_is_found_there(without_game, qtbot):
    page = page_of(without_game)
    qtbot.waitUntil(lambda: page.category.findData("Treasures") >= 0)
    page.category.setCurrentIndex(page.category.findData("Treasures"))
    page.filter.setFocus()
    type_text(without_game, "BARRACKS")
    texts = shown_texts(page)
    assert texts[1:3] == ["None in Treasures; found in:", "Buildings"]
    assert texts[3].startswith("Barracks")
    press(without_game, Qt.Key.Key_Return)
    assert without_game.tools.options.thing.kind.endswith("barracks")
    page.filter.setText("wood")
    assert not any("None in" in text for text in shown_texts(page)), "treasures of wood"


def test_without_a_game_the_usual_things_of_all_groups_are_offered(without_game, qtbot):
    desk = without_game
    page = page_of(desk)
    usual = "Of the game ("
    qtbot.waitUntil(lambda: page.category.findText(usual, Qt.MatchStartsWith) >= 0)
    categories = [page.category.itemText(row) for row in range(page.category.count())]
    for group in ("Trees", "Stone", "Metal", "Animals", "Fish", "Fruit", "Buildings", "Units"):
        assert any(category.startswith(f"{group} (") for category in categories), group
    page.filter.setText("barracks")
    assert "Buildings" in shown_texts(page), "none of these is on the map"
    page.filter.setText("fortress athen")
    assert rows_of(desk) == ["Fortress (Athenians)"]
    choose_row(desk, "Fortress (Athenians)")
    click(desk, 900)
    page.filter.setText("spearman gaul")
    choose_row(desk, "Infantry spearman b (Gauls)")
    click(desk, 1500)
    assert [(thing.kind, thing.owner) for thing in things_of(desk)] == [
        ("structures/athen/fortress", 1),
        ("units/gaul/infantry_spearman_b", 1),
    ]


@pytest.mark.deep
def test_the_ground_is_raised_below_a_drowned_centre_and_fix_all_keeps_it(without_game, qtbot):
    desk = without_game
    document = desk.document
    for cell, owner in ((2000, 1), (6000, 2)):
        x, y = document.battlemap.grid.centre(cell)
        centre = Thing(0, "structures/athen/civil_centre", x, y, owner=owner)
        document.push(add_things(document.battlemap, 1, [centre]), "Centre")
    document.push(ZEROAD.set_water(document.battlemap, 4000), "Flood")
    problems = next(source.problems for source in desk.problems.all if source.title == "Map")
    qtbot.waitUntil(lambda: len(problems.problems) == 2)
    (bar,) = desk.frame.findChildren(ProblemsBar)
    QTest.mouseClick(bar.line, LEFT)
    qtbot.waitUntil(problems.fix_all_button.isVisible)
    titles = [fix.title for fix in problems.problems[0].fixes]
    assert titles == ["raise the ground under it", "remove it"]
    QTest.mouseClick(problems.fix_all_button, LEFT)
    qtbot.waitUntil(lambda: not problems.problems)
    assert len(things_of(desk)) == 2
    assert document.history.next_undo.text == "Fix all problems"
    document.undo()
    qtbot.waitUntil(lambda: len(problems.problems) == 2)


def test_without_a_game_the_textures_of_all_biomes_are_offered(without_game, qtbot):
    desk = without_game
    desk.tools.choose("terrain")
    desk.docks.panel("palette").ground.more_button.click()
    (dialog,) = desk.frame.findChildren(TerrainDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.note.text().startswith("No installed game was found.")
    assert dialog.terrain_list.count() > 30
    QTest.keyClicks(dialog.name_field, "no such thing")
    assert not ok_button(dialog).isEnabled()
    assert dialog.note.text() == "No texture has these words, nor are they an exact name."
    dialog.name_field.clear()
    QTest.keyClicks(dialog.name_field, "temperate paving")
    assert ok_button(dialog).isEnabled()
    QTest.keyClick(dialog.name_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not desk.frame.findChildren(TerrainDialog))
    terrain = desk.document.battlemap.terrain_set.terrains[desk.tools.options.terrain]
    assert terrain.name == "temperate_paving_03"


def shown_texts(page) -> list[str]:
    return [page.kinds.item(row).text() for row in range(page.kinds.count())]


def click_entry(panel, code: int) -> None:
    """Click the row of an entry in the list of a panel."""
    row = panel.model.row_of(code)
    at = panel.list.visualRect(panel.model.index(row, 0)).center()
    QTest.mouseClick(panel.list.viewport(), LEFT, pos=at)


@pytest.mark.deep
def test_units_are_placed_for_the_side_that_was_chosen_in_the_scenario(desk, qtbot):
    document = desk.document
    document.show_map(new_map(system_named("xconq")))
    desk.docks.open("scenario")
    sides = desk.docks.panel("scenario").sides
    qtbot.waitUntil(sides.isVisible)
    for _number in range(2):
        sides.buttons["Add"].click()
    desk.tools.choose("things")
    page = page_of(desk)
    QApplication.processEvents()  # the list has the sides now
    row = next(
        page.kinds.item(row) for row in range(page.kinds.count()) if page.kinds.item(row).data(KIND)
    )
    page.kinds.itemClicked.emit(row)
    click(desk, document.battlemap.grid.cell(5, 5))
    assert [thing.owner for thing in things_of(desk)] == [2], "that of the side just added"
    desk.docks.open("scenario")
    click_entry(sides, 0)
    name = sides.form.field("name").text()
    assert desk.frame.statusBar().currentMessage().endswith(f"from now on are {name}'s.")
    click(desk, document.battlemap.grid.cell(8, 8))
    assert [thing.owner for thing in things_of(desk)] == [2, 1]


def test_things_are_placed_for_the_player_who_was_chosen_in_the_setup(zeroad, qtbot):
    desk = zeroad
    desk.docks.open("setup")
    players = desk.docks.panel("setup").players
    qtbot.waitUntil(players.isVisible)
    click_entry(players, 3)
    page_of(desk).filter.setText("fortress")
    choose_row(desk, "Fortress")
    click(desk, desk.document.battlemap.grid.cell(20, 20))
    assert [thing.owner for thing in things_of(desk)] == [3]


def test_a_tree_set_into_the_sea_is_a_problem_that_a_button_mends(zeroad, qtbot):
    battlemap = zeroad.document.battlemap
    grid = battlemap.grid
    heights = ZEROAD.plane("height").allocate(grid)
    heights[:] = 2116
    heights[:, :40] = 800
    battlemap.layers[0].planes["height"] = heights
    zeroad.document.show_map(battlemap, None)
    (bar,) = zeroad.frame.findChildren(ProblemsBar)
    choose_row(zeroad, "Oak")
    sea = grid.cell(20, 64)
    click(zeroad, sea)
    qtbot.waitUntil(lambda: "Oak: it stands" in bar.message.text())
    QTest.mouseClick(bar.line, LEFT)
    (source,) = (each for each in zeroad.problems.all if each.title == "Map")
    problems = source.problems
    qtbot.waitUntil(problems.fix_button.isVisible)
    assert problems.problems[0].cell == sea
    QTest.mouseClick(problems.fix_button, LEFT)
    qtbot.waitUntil(lambda: bar.message.text() == "No problems")
    (tree,) = things_of(zeroad)
    assert grid.xy(grid.cell_at(tree.x, tree.y)) == (40, 64), "on the shore beside"
    zeroad.document.undo()
    (tree,) = things_of(zeroad)
    assert grid.cell_at(tree.x, tree.y) == sea


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (800, 500)])
def test_a_clicked_kind_stays_under_the_mouse_and_the_form_comes_up(active, qtbot, size):
    active.resize(*size)
    desk = active.desk
    desk.document.show_map(free_map(FLAT, 30, 20))
    desk.tools.choose("things")
    page = page_of(desk)
    kinds = page.kinds
    qtbot.waitUntil(page.isVisible)
    active.grab()
    bottom = kinds.viewport().height()
    rows = [kinds.item(row) for row in range(kinds.count()) if kinds.item(row).data(KIND)]
    lowest = max(
        (row for row in rows if kinds.visualItemRect(row).bottom() < bottom),
        key=lambda row: kinds.visualItemRect(row).bottom(),
    )
    place = kinds.visualItemRect(lowest).center()
    for press in (QTest.mousePress, QTest.mouseRelease):
        press(kinds.viewport(), LEFT, pos=place)
        active.grab()
        assert kinds.visualItemRect(lowest).center() == place
    assert desk.tools.options.thing.kind == lowest.data(KIND)
    list_height = kinds.height()
    desk.canvas.setFocus()
    qtbot.waitUntil(lambda: kinds.height() < list_height)
    assert page.form.isVisible()
    assert kinds.viewport().rect().contains(kinds.visualItemRect(lowest).center())


@pytest.mark.deep
def test_the_delete_key_tells_what_it_took_away(zeroad):
    desk = zeroad
    tree = Thing(0, "gaia/tree/oak", 20.0, 20.0)
    desk.document.push(add_things(desk.document.battlemap, 1, [tree, tree]), "Place")
    first, second = things_of(desk)
    desk.canvas.setFocus()
    desk.document.pick([first.id])
    press(desk, Qt.Key.Key_Delete)
    message = desk.frame.statusBar().currentMessage()
    assert message == "Oak deleted. Undo brings it back."
    desk.document.undo()
    desk.document.pick([first.id, second.id])
    press(desk, Qt.Key.Key_Delete)
    assert not things_of(desk)
    message = desk.frame.statusBar().currentMessage()
    assert message == "2 things deleted. Undo brings them back."


@pytest.mark.deep
def test_two_towns_on_one_spot_are_a_problem_that_is_shown(zeroad, qtbot):
    desk = zeroad
    battlemap = desk.document.battlemap
    towns = [
        Thing(0, "structures/athen/civil_centre", 30.0, 30.0, owner=1),
        Thing(0, "structures/rome/civil_centre", 33.0, 31.0, owner=2),
    ]
    desk.document.push(add_things(battlemap, 1, towns), "Place")
    bar = desk.frame.findChild(ProblemsBar)
    qtbot.waitUntil(lambda: "stand on one spot" in bar.message.text())
    bar.button.click()
    rows = map_problems(desk.frame).rows
    qtbot.waitUntil(rows.isVisible)
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualItemRect(rows.item(0)).center())
    assert desk.canvas.overlays.flash == (battlemap.grid.cell(30, 30), None)
