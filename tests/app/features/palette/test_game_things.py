"""Everything of an installed game can be placed: found by words, by category, or by its name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.palette import list_content
from app.features.palette.kind_list import KIND
from app.features.palette.terrain_dialog import TerrainDialog
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.systems.zeroad.map.entity_kinds import UNKNOWN
from randomizer.systems.zeroad.system import SYSTEM, ZeroadSystem
from tests.app.buttons import ok_button
from tests.app.conftest import mouse
from tests.randomizer.systems.zeroad.made_game import install

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("palette", "tools", "selection", "view")


@pytest.fixture
def game(tmp_path, monkeypatch):
    return install(tmp_path, monkeypatch)


@pytest.fixture
def no_game(tmp_path, monkeypatch) -> None:
    mod = install(tmp_path, monkeypatch)
    mod.parent.parent.rename(tmp_path / "gone")


@pytest.fixture
def desk(qtbot, window):
    """The desk with a new map of 0 A.D., the tool of things in hand."""
    desk = window.desk
    desk.document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    desk.commands.run("tool.things")
    palette = desk.docks.panel("palette")
    # When the kinds of the game are read nobody is told.
    qtbot.waitUntil(lambda: palette._game_kinds.fresh)
    return desk


@pytest.fixture
def page(desk):
    return desk.docks.panel("palette").things


def names(page) -> list[str]:
    """The kinds of the rows that are no headings, without "Pick only"."""
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    return [row.data(KIND) for row in rows if row.data(KIND)]


def headings(page) -> list[str]:
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    return [row.text() for row in rows if row.data(KIND) is None]


def click_row(page, name: str) -> None:
    for row in range(page.kinds.count()):
        if page.kinds.item(row).data(KIND) == name:
            page.kinds.scrollToItem(page.kinds.item(row))
            box = page.kinds.visualItemRect(page.kinds.item(row))
            QTest.mouseClick(page.kinds.viewport(), LEFT, pos=box.center())
            return
    raise AssertionError(f"no row {name}: {names(page)}")


def click_map(desk, x: float, y: float) -> None:
    at = desk.canvas.viewport.to_screen(x, y).toPoint()
    mouse(desk.canvas, "MouseButtonPress", at, LEFT, LEFT)
    mouse(desk.canvas, "MouseButtonRelease", at, LEFT, NONE)


def placed(desk):
    return [thing for layer in desk.document.battlemap.layers for thing in layer.things.values()]


def test_what_no_map_has_is_found_by_words_and_placed(game, desk, page):
    page.filter.setText("fortress")
    assert names(page) == ["structures/athen/fortress"]
    page.filter.setText("teichisma athen")
    assert names(page) == ["structures/athen/fortress"], "the game's own words, the civilisation"
    click_row(page, "structures/athen/fortress")
    click_map(desk, 40, 50)
    (thing,) = placed(desk)
    assert (thing.kind, thing.x, thing.y) == ("structures/athen/fortress", 40.0, 50.0)
    page.form.show_things()
    assert page.form.heading.text() == "Fortress (Athenians) (Player 1)"
    desk.document.undo()
    assert placed(desk) == []


def test_the_list_shows_the_categories_of_the_game(game, desk, page, monkeypatch):
    texts = [page.category.itemText(each) for each in range(page.category.count())]
    assert texts[:2] == ["Usual and on this map", "Of the game (8)"]
    assert {"Trees", "Buildings (5)", "Units", "Decoration", "Athenians (2)", "rome"} < {
        text.removesuffix(" (1)") for text in texts
    }
    page.category.setCurrentText("Buildings (5)")
    assert all(name.startswith("structures/") for name in names(page))
    assert len(names(page)) == 5
    page.category.setCurrentText("Athenians (2)")
    assert names(page) == ["structures/athen/fortress", "units/athen/hero_pericles"]
    # A game with more things than the real bound takes a minute to read.
    monkeypatch.setattr(list_content, "MAX_ROWS", 4)
    page.category.setCurrentText("Of the game (8)")
    assert len(names(page)) == 4
    assert "more: filter by another word" in headings(page)[-1]
    page.category.setCurrentText("Usual and on this map")
    assert "structures/athen/fortress" not in names(page)


class UnreadableGame(ZeroadSystem):
    """0 A.D., of which an installation is there that cannot be read."""

    def read_further_kinds(self, _is_cancelled):
        raise error("unreadable", "the game is on a broken disk")


def test_a_game_that_cannot_be_read_is_told_and_not_waited_for(window, qtbot):
    desk = window.desk
    desk.document.open_map(BattleMap.new(UnreadableGame(), layers=[Layer(1, "Ground")]))
    desk.commands.run("tool.things")
    page = desk.docks.panel("palette").things
    page.filter.setText("zzz")
    assert headings(page) == ["The installed game is being read..."]
    message = window.statusBar().currentMessage
    qtbot.waitUntil(lambda: "the game is on a broken disk" in message())
    assert headings(page)[0] == "Nothing here has these words."


def test_a_note_comes_and_goes_with_the_words_though_they_fit_all_kinds(window, qtbot):
    desk = window.desk
    desk.document.open_map(BattleMap.new(UnreadableGame(), layers=[Layer(1, "Ground")]))
    desk.commands.run("tool.things")
    page = desk.docks.panel("palette").things
    all_names = names(page)
    page.filter.setText("a")
    assert names(page) == all_names
    assert headings(page)[-1] == "The installed game is being read..."
    page.filter.clear()
    assert names(page) == all_names
    assert "The installed game is being read..." not in headings(page)


def test_enter_in_the_filter_chooses_the_first_kind_that_is_found(game, desk, page):
    page.filter.setFocus()
    QTest.keyClicks(page.filter, "fortress")
    QTest.keyClick(page.filter, Qt.Key.Key_Return)
    click_map(desk, 40, 50)
    assert [thing.kind for thing in placed(desk)] == ["structures/athen/fortress"]


def test_the_keyboard_goes_from_kind_to_kind_past_the_headings(game, desk, page):
    page.category.setCurrentText("Of the game (8)")
    page.kinds.setFocus()
    page.kinds.setCurrentRow(0)
    reached = []
    for _kind in names(page):
        QTest.keyClick(page.kinds, Qt.Key.Key_Down)
        reached.append(page.kinds.currentItem().data(KIND))
    assert reached == names(page)


@pytest.mark.parametrize("installed", [True, False])
def test_a_name_can_be_typed_and_an_unknown_one_is_said_to_be(installed, request, qtbot):
    request.getfixturevalue("game" if installed else "no_game")
    desk = request.getfixturevalue("desk")
    page = desk.docks.panel("palette").things
    page.filter.setText("structures/athen/nonsense")
    assert names(page) == ["structures/athen/nonsense"]
    assert (UNKNOWN in headings(page)) == installed
    click_row(page, "structures/athen/nonsense")
    click_map(desk, 30, 30)
    assert [thing.kind for thing in placed(desk)] == ["structures/athen/nonsense"]
    page.filter.clear()
    qtbot.waitUntil(lambda: "structures/athen/nonsense" in names(page))
    assert (f"{UNKNOWN}: 1 on this map" in headings(page)) == installed
    page.filter.setText("no such thing")
    assert names(page) == []


def test_a_click_anywhere_on_what_covers_the_ground_picks_it(game, desk, page):
    page.filter.setText("fortress")
    click_row(page, "structures/athen/fortress")
    click_map(desk, 40, 50)
    page.filter.clear()
    click_map(desk, 43, 50)
    assert [thing.kind for thing in desk.document.picked] == ["structures/athen/fortress"]
    assert not desk.canvas.grab().isNull(), "its outline is drawn"
    click_map(desk, 40, 56)
    assert len(placed(desk)) == 2, "beside it another one is placed"


def open_dialog(desk, qtbot) -> TerrainDialog:
    desk.docks.panel("palette").ground.more_button.click()
    (dialog,) = desk.frame.findChildren(TerrainDialog)
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def test_any_texture_of_the_game_is_added_and_painted(game, desk, qtbot):
    desk.commands.run("tool.terrain")
    before = desk.document.battlemap.terrain_set
    dialog = open_dialog(desk, qtbot)
    assert [dialog.terrain_list.item(row).text() for row in range(2)] == [
        "medit_cliff_odd",
        "medit_sand",
    ]
    QTest.keyClicks(dialog.name_field, "odd cl")
    assert dialog.terrain_list.item(1).isHidden()
    dialog.accept()
    after = desk.document.battlemap.terrain_set
    assert [terrain.name for terrain in after.terrains][:-1] == [
        terrain.name for terrain in before.terrains
    ]
    assert after.terrains[-1].name == "medit_cliff_odd"
    assert desk.tools.options.terrain == len(before.terrains)
    click_map(desk, 10, 10)
    spec = SYSTEM.terrain
    assert spec is not None
    cell = desk.document.battlemap.grid.cell_at(10, 10)
    assert desk.document.composite.planes[spec.name].flat[cell] == len(before.terrains)
    desk.document.undo()
    desk.document.undo()
    assert desk.document.battlemap.terrain_set == before


def test_a_texture_that_is_there_already_is_chosen_and_an_unknown_one_is_said_to_be(
    no_game, desk, qtbot
):
    steps = len(desk.document.history.steps)
    dialog = open_dialog(desk, qtbot)
    assert not ok_button(dialog).isEnabled()
    dialog.name_field.setText("medit_dirt")
    dialog.accept()
    assert len(desk.document.history.steps) == steps
    chosen = desk.document.battlemap.terrain_set.terrains[desk.tools.options.terrain]
    assert chosen.name == "medit_dirt"
    qtbot.waitUntil(lambda: not desk.frame.findChildren(TerrainDialog))
    dialog = open_dialog(desk, qtbot)
    dialog.name_field.setText("my own texture")
    assert not ok_button(dialog).isEnabled()
    dialog.name_field.setText("my_own_texture")
    assert "no installed game was found" in dialog.note.text()
    dialog.accept()
    assert desk.document.battlemap.terrain_set.has_terrain("my_own_texture")
