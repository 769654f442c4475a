"""Everything can be reached in a small window: no tool is hidden, no name of a tab is cut off."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QTabBar,
    QToolBar,
    QToolButton,
)

from app.desk import dock_room
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.new_map.dialog import NewMapDialog
from app.features.palette.swatches import Swatches
from app.features.start.feature import EmptyMap
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from randomizer.systems.cordery.page_parts import HEADINGS
from tests.app.conftest import new_map_dialog
from tests.app.systems.cordery.conftest import Wargamer
from tests.daily import deep_but
from tests.end_to_end.test_entry_editors import (
    Person,
    open_players,
    open_regions,
    open_sides,
    open_terrains,
)
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import new_world

DRIVEN_DIALOGS = (NewMapDialog,)

SIZES = [QSize(1100, 700), QSize(960, 540), QSize(800, 500)]
"""The second and the third are 1920 x 1080 and 1600 x 1000 at 200 %."""

DAILY_SIZES = [*(pytest.param(each, marks=pytest.mark.deep) for each in SIZES[:-1]), SIZES[-1]]
"""Daily the smallest one: what has room there has room in the others."""

LOW = QSize(1200, 700)
"""A window in which the odds are a tab beside the script."""

HIGH = QSize(1280, 900)
"""A window in which the odds stand below the script."""

LATE = ("odds", "fairness", "gallery")

ROOMY = dock_room.ROOMY


@pytest.fixture(autouse=True)
def _as_for_users(monkeypatch):
    """Windows as narrow as the others of these tests put their panels aside."""
    # The narrow windows of users.
    monkeypatch.setattr(dock_room, "ROOMY", ROOMY)


def seen(window, widget) -> bool:
    """Whether all of a widget lies in the window."""
    corner = widget.mapTo(window, QPoint(0, 0))
    ends = corner + QPoint(widget.width() - 1, widget.height() - 1)
    return widget.isVisible() and window.rect().contains(corner) and window.rect().contains(ends)


@pytest.mark.parametrize("size", DAILY_SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
@pytest.mark.parametrize(
    "kind", deep_but(["colossus", "free", "cordery", "xconq"], "colossus", "xconq")
)
def test_every_tool_and_every_tab_is_there_in_a_small_window(window, qtbot, size, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    docks = window.desk.docks
    for name in LATE:
        if docks.suits_map(name):
            docks.show(name)
    window.resize(size)
    qtbot.waitUntil(lambda: window.size() == size)
    docks.room.bring_back()

    def tools() -> list[QAction]:
        bar = window.findChild(QToolBar, "tools")
        return [action for action in bar.actions() if action.isVisible()]

    def buttons(name):
        bar = window.findChild(QToolBar, name)
        found = bar.findChildren(QToolButton, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [button for button in found if button.defaultAction() in bar.actions()]

    qtbot.waitUntil(
        lambda: sum(seen(window, each) for each in buttons("tools")) == len(tools()) > 15
    )
    main = window.findChild(QToolBar, "main")
    entries = [each for each in main.actions() if each.isVisible() and not each.isSeparator()]
    qtbot.waitUntil(lambda: sum(seen(window, each) for each in buttons("main")) == len(entries))
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for bar in (each for each in bars if each.isVisible() and each.count() > 1):
        assert bar.elideMode() == Qt.TextElideMode.ElideNone
        qtbot.waitUntil(lambda bar=bar: seen(window, bar) and bar.width() >= bar.sizeHint().width())
    assert window.desk.canvas.width() >= 120


@pytest.mark.parametrize(
    "size", DAILY_SIZES[1:], ids=lambda size: f"{size.width()}x{size.height()}"
)
@pytest.mark.parametrize(
    "kind", deep_but(["colossus", "free", "cordery", "xconq", "zeroad"], "xconq")
)
def test_the_map_keeps_half_of_a_small_window(window, qtbot, size, kind):
    canvas = window.desk.canvas
    window.resize(QSize(1280, 860))
    window.resize(size)
    window.desk.document.show_map(new_map(system_named(kind)))
    qtbot.waitUntil(lambda: window.size() == size)
    half = size.width() * size.height() / 2
    qtbot.waitUntil(lambda: canvas.width() * canvas.height() >= half)


def test_panels_that_made_room_come_back_with_a_key_and_in_a_larger_window(window, qtbot):
    docks = window.desk.docks
    document = window.desk.document
    window.resize(1280, 860)
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "randomize")
    docks.show("history")
    docks["properties"].close()
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "history")
    window.resize(SIZES[2])
    qtbot.waitUntil(lambda: docks.room.is_aside)
    assert all(docks[name].isHidden() for name in ("randomize", "history", "layers"))
    document.open_map(new_map(system_named("cordery")))
    assert docks["dice"].isHidden(), "what the map brings along waits with the others"
    window.desk.commands.run("view.side-panels")
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "dice")
    assert docks["randomize"].isHidden(), "a table has no script"
    document.make_current(document.maps[0])
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "history")
    window.desk.commands.run("view.side-panels")
    assert docks["history"].isHidden()
    window.resize(1280, 860)
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "history")
    assert not docks["randomize"].isHidden()
    assert docks["properties"].isHidden(), "the user has closed it"


@pytest.mark.deep
def test_the_panel_that_asks_for_dice_stays_in_a_window_that_becomes_narrow(window, qtbot):
    window.resize(1280, 860)
    player = Wargamer(qtbot, window)
    docks = window.desk.docks
    docks.show("dice")
    player.enter_dice_by_hand()
    player.panel.enter_button.click()
    player.enter(3, 4)
    for size in (SIZES[2], QSize(1280, 860), SIZES[2]):
        window.resize(size)
        qtbot.waitUntil(lambda size=size: window.size() == size)
        qtbot.waitUntil(lambda: docks.is_in_front("dice"))
        assert seen(window, player.panel.strip.end_button)
        assert all(seen(window, button) for button in player.panel.strip.buttons)
    player.panel.strip.end_button.click()
    window.resize(QSize(1280, 860))
    qtbot.waitUntil(lambda: not docks.room.is_narrow)
    window.resize(SIZES[2])
    qtbot.waitUntil(lambda: docks.room.is_aside)
    assert docks["dice"].isHidden(), "nothing is asked for any more"


@pytest.mark.deep
def test_panels_that_made_room_are_there_at_the_next_start_in_a_larger_window(
    window, qtbot, settings
):
    window.resize(SIZES[2])
    qtbot.waitUntil(lambda: window.desk.docks.room.is_aside)
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False
    window.close()
    again = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.desk.ready):
        again.show()
    assert again.desk.docks.room.is_aside, "it is as small as before"
    again.resize(1280, 860)
    qtbot.waitUntil(lambda: again.desk.docks.room.right_docks.current_name() == "randomize")
    assert not again.desk.docks["layers"].isHidden()


@pytest.fixture
def person(window, qtbot) -> Person:
    return Person(window, qtbot)


@pytest.mark.parametrize(
    "open_editor",
    [
        pytest.param(open_terrains, id="terrains"),
        pytest.param(open_regions, id="regions", marks=pytest.mark.deep),
        pytest.param(open_sides, id="sides", marks=pytest.mark.deep),
        pytest.param(
            lambda person: open_sides(person, "Conditions"),
            id="conditions",
            marks=pytest.mark.deep,
        ),
        pytest.param(open_players, id="players", marks=pytest.mark.deep),
    ],
)
def test_editors_of_entries_scroll_and_keep_their_buttons(person: Person, open_editor):
    """720 x 450 is a screen of 1440 x 900 at 200 %."""
    person.window.resize(720, 450)
    person.qtbot.waitUntil(lambda: person.window.size() == QSize(720, 450))
    person.desk.docks.room.bring_back()
    open_editor(person)
    person.click_button("Add")
    dock = person.desk.docks[person.dock]
    for button in person.visible(QToolButton):
        if button.text() in ("Add", "Remove"):
            corner = button.mapTo(dock, QPoint(button.width() - 1, button.height() - 1))
            assert dock.rect().contains(corner), button.text()
            assert button.visibleRegion().boundingRect() == button.rect(), button.text()
    focus = QApplication.focusWidget()
    assert focus is not None
    assert not isinstance(focus, QAbstractItemView)
    assert focus.visibleRegion().boundingRect().height() >= focus.height() - 1
    row_height = person.list.sizeHintForRow(0)  # up to three lines in so narrow a panel
    assert person.list.visibleRegion().boundingRect().height() >= 1.5 * row_height


# --- a wargame table: its dice are at hand, and the card says so in full -----------------------


@pytest.fixture
def table(window, qtbot):
    window.resize(SIZES[-1])
    qtbot.waitUntil(lambda: window.desk.docks.room.is_aside)
    dialog = new_map_dialog(window, "Wargame table")
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "cordery")
    return window


def test_a_new_table_comes_with_the_panel_that_lays_it_and_nothing_of_it_is_cut(table, qtbot):
    desk = table.desk
    qtbot.waitUntil(lambda: desk.docks.find_panel("dice") is not None)
    panel = desk.docks.panel("dice")
    qtbot.waitUntil(panel.isVisible)

    def ends() -> list[int]:
        boxes = [box for box in panel.findChildren(QComboBox) if box.isVisible()]
        return [box.mapTo(panel, QPoint(box.width(), 0)).x() for box in boxes]

    qtbot.waitUntil(lambda: len(ends()) > 3 and max(ends()) <= panel.width())
    qtbot.waitUntil(desk.commands.action("script.roll").isEnabled)


@pytest.mark.deep
def test_the_card_says_in_full_how_a_table_is_laid_with_one_s_own_dice(table, qtbot):
    desk = table.desk
    (card,) = table.findChildren(EmptyMap)
    qtbot.waitUntil(lambda: "Entered by hand" in card.message.text())
    width = card.message.width()
    qtbot.waitUntil(lambda: card.message.height() >= card.message.heightForWidth(width))
    desk.docks.close("dice")
    qtbot.waitUntil(lambda: "Randomize > Dice..." in card.message.text())


@pytest.mark.parametrize(
    "kind", deep_but(["colossus", "cordery", "free", "xconq", "zeroad"], "free")
)
def test_every_menu_fits_into_one_column_of_a_small_screen(window, qtbot, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    smallest = SIZES[-1]
    window.resize(smallest)
    heights = {}
    for action in window.menuBar().actions():
        menu = action.menu()
        menu.popup(QPoint(0, 0))
        qtbot.waitUntil(menu.isVisible)
        heights[action.text()] = menu.sizeHint().height()
        menu.close()
    too_high = {text: height for text, height in heights.items() if height > smallest.height() - 10}
    assert not too_high, heights
    assert heights["&Tools"] <= smallest.height() - 50, "below the menu bar, too"


@pytest.mark.parametrize(
    "size",
    deep_but([QSize(1100, 600), SIZES[-1]], SIZES[-1]),
    ids=["1100x600", "800x500"],
)
def test_the_palette_scrolls_to_what_a_key_or_a_command_chooses(window, qtbot, size):
    desk = window.desk
    desk.document.show_map(new_map(system_named("cordery")))
    window.resize(size)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    desk.docks.show("palette")
    palette = desk.docks.panel("palette").ground
    qtbot.waitUntil(palette.isVisible)
    bar = palette.verticalScrollBar()
    groups = {group.title(): group for group in palette.findChildren(Swatches)}
    chosen = desk.tools.options

    def is_in_view(group: str, code: int) -> bool:
        button = groups[group].button_of(code)
        return button.visibleRegion().boundingRect() == button.rect()

    bar.setValue(0)
    QTest.keyClick(desk.canvas, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: is_in_view("Route", chosen.route))
    buttons = [button for group in groups.values() for button in group.buttons]
    pictured = [button for button in buttons if button.isVisible() and not button.text().isdigit()]
    qtbot.waitUntil(lambda: all(not button.icon().isNull() for button in pictured))
    qtbot.waitUntil(lambda: is_in_view("Route", chosen.route))  # though what is above it has grown
    for command in ("palette.route.2", "palette.route.0", "palette.terrain.3", "palette.route.1"):
        bar.setValue(0)
        desk.commands.ids(fill=True)
        desk.commands.run(command)
        group = command.split(".")[1].capitalize()
        code = int(command.rpartition(".")[2])
        qtbot.waitUntil(lambda group=group, code=code: is_in_view(group, code))
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    terrains = [code for code in range(20) if groups["Terrain"].button_of(code) is not None]
    desk.commands.run(f"palette.terrain.{terrains[0]}")
    bar.setValue(bar.maximum())  # the tool in hand paints terrains already
    desk.commands.run(f"palette.terrain.{terrains[1]}")
    qtbot.waitUntil(lambda: is_in_view("Terrain", terrains[1]))


def open_odds_and_scenario(qtbot, window, size: QSize) -> None:
    """Open the odds of a battleland, then the scenario of a new world in front of them."""
    docks = window.desk.docks
    window.resize(size)
    settle(qtbot, window)
    window.desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: docks.is_in_front("odds"))
    new_world(qtbot, window, "Modern")
    docks.open("scenario")
    settle(qtbot, window)


def new_landscape(qtbot, window) -> None:
    """Make a map of 0 A.D. by *New map*, and wait until it is drawn."""
    new_map_dialog(window, "0 A.D. map").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "zeroad")
    settle(qtbot, window)


@pytest.mark.parametrize("size", deep_but([LOW, HIGH], LOW))
def test_the_script_takes_the_place_of_a_panel_that_the_map_lacks(qtbot, window, size):
    open_odds_and_scenario(qtbot, window, size)
    new_landscape(qtbot, window)
    assert window.desk.docks.is_in_front("randomize")
    assert window.desk.docks.is_in_front("odds") == (size == HIGH), "it stands below then"


@pytest.mark.deep
def test_the_script_comes_to_the_front_when_panels_are_brought_back(qtbot, window):
    open_odds_and_scenario(qtbot, window, LOW)
    window.desk.docks.room.toggle_aside()
    new_landscape(qtbot, window)
    window.desk.docks.room.toggle_aside()
    settle(qtbot, window)
    assert window.desk.docks.is_in_front("randomize")


@pytest.mark.parametrize("size", [SIZES[-1], QSize(1000, 640)], ids=["800x500", "1000x640"])
def test_the_headings_of_the_dice_are_whole_and_keep_their_buttons(window, qtbot, size):
    window.resize(size)
    Wargamer(qtbot, window)
    window.desk.docks.show("dice")
    form = window.desk.docks.panel("dice").form
    qtbot.waitUntil(form.isVisible)
    for part, heading in HEADINGS.items():
        title = form.heading(heading).itemAt(0).widget()
        qtbot.waitUntil(lambda title=title: title.width() >= title.sizeHint().width())
        for button in (form.show_buttons[part], form.throw_buttons[part]):
            right = button.mapTo(form, button.rect().topRight()).x()
            assert right < form.width()
            assert not button.geometry().isEmpty()
