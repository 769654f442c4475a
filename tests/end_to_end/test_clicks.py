"""How many clicks the everyday things take, counted on the real window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMenu, QToolBar, QToolButton, QWidget

from app.features.game.export_dialog import ExportDialog
from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import opened

DRIVEN_DIALOGS = (ExportDialog, NewMapDialog)

LEFT = Qt.MouseButton.LeftButton


def action_of(menu: QMenu, text: str) -> QAction:
    (action,) = (each for each in menu.actions() if each.text().replace("&", "") == text)
    return action


class Hand:
    """Presses the left button of the mouse, and counts."""

    def __init__(self, window, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.clicks = 0

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        self.clicks += 1
        assert widget.isVisible()
        assert widget.isEnabled()
        QTest.mouseClick(widget, LEFT, pos=widget.rect().center() if at is None else at)

    def arrow(self, name: str) -> QMenu:
        """Click on the arrow of a button of the tool bar; the menu that opens."""
        bar = self.window.findChild(QToolBar, "main")
        button = bar.widgetForAction(self.window.desk.commands.action(name))
        assert isinstance(button, QToolButton)
        menu = button.menu()
        # The button waits in its press until the menu is closed, as a person does.
        assert button.popupMode() == QToolButton.ToolButtonPopupMode.MenuButtonPopup
        self.clicks += 1
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        assert QApplication.activePopupWidget() is menu
        return menu

    def entry(self, menu: QMenu, text: str) -> None:
        """Click on an entry of an open menu."""
        self.click(menu, menu.actionGeometry(action_of(menu, text)).center())

    def submenu(self, menu: QMenu, text: str) -> QMenu:
        """Point at an entry of an open menu until the menu behind it opens; that menu."""
        action = action_of(menu, text)
        submenu = action.menu()
        assert isinstance(submenu, QMenu)
        QTest.mouseMove(menu, menu.actionGeometry(action).center())
        self.qtbot.waitUntil(submenu.isVisible)
        return submenu


def test_a_new_map_and_the_first_paint(window, qtbot):
    """By the mouse alone; File > New map..., Make the map and the stroke were four."""
    hand = Hand(window, qtbot)
    document = window.desk.document
    hand.entry(hand.arrow("file.new-map"), "Colossus battleland")
    qtbot.waitUntil(lambda: len(document.battlemap.layers) == 1)
    x, y = document.battlemap.grid.centre(15)
    hand.click(window.desk.canvas, window.desk.canvas.viewport.to_screen(x, y).toPoint())
    assert len(document.history.steps) == 1
    assert hand.clicks == 3


def test_a_new_map_by_its_key_is_painted_after_one_click_more(window, qtbot):
    """Ctrl+N, Enter, and the stroke."""

    hand = Hand(window, qtbot)
    document = window.desk.document
    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    hand.click(dialog.make_button)
    qtbot.waitUntil(lambda: len(document.battlemap.layers) == 1)
    x, y = document.battlemap.grid.centre(15)
    hand.click(window.desk.canvas, window.desk.canvas.viewport.to_screen(x, y).toPoint())
    assert len(document.history.steps) == 1
    assert hand.clicks == 2


def test_a_map_that_begins_rolled(window, qtbot):
    """New, the kind, Make the map, with the script in sight before; with another one its picture
    as well.
    """

    hand = Hand(window, qtbot)
    document = window.desk.document
    hand.entry(hand.arrow("file.new-map"), "0 A.D. map...")
    dialog = opened(window, qtbot, NewMapDialog)
    assert dialog.entry.metadata.name == "Open country"
    assert dialog.status.text.endswith("rolled by Open country.")
    hand.click(dialog.make_button)
    qtbot.waitUntil(lambda: document.battlemap.system.name == "zeroad")
    assert document.battlemap.layers[-1].roll.generator == "Open country"
    assert hand.clicks == 3
    hand.clicks = 0
    window.desk.commands.run("file.new-map")
    dialog = opened(window, qtbot, NewMapDialog)
    for view, name in ((dialog.kinds, "Xconq world"), (dialog.entries.scripts, "Fantasy")):
        (item,) = view.findItems(name, Qt.MatchFlag.MatchExactly)
        hand.click(view.viewport(), view.visualItemRect(item).center())
    hand.click(dialog.make_button)
    qtbot.waitUntil(lambda: document.battlemap.system.name == "xconq")
    assert document.active_layer.roll.generator == "Fantasy"
    assert hand.clicks == 3


def test_a_roll_of_another_script(window, qtbot):
    """Randomize, Roll with and the script were three."""
    hand = Hand(window, qtbot)
    document = window.desk.document
    scripts = hand.submenu(hand.arrow("script.roll"), "Roll with")
    hand.entry(scripts, "Swamp")
    qtbot.waitUntil(lambda: document.battlemap.layers[-1].name.startswith("Swamp"))
    assert hand.clicks == 2


def test_a_table(window, qtbot):
    """File, New map..., Wargame table, Make the map and Throw were five."""
    hand = Hand(window, qtbot)
    document = window.desk.document
    hand.entry(hand.arrow("file.new-map"), "Wargame table")
    docks = window.desk.docks
    qtbot.waitUntil(
        lambda: docks.find_panel("dice") is not None and docks.find_panel("dice").isVisible()
    )
    throw = next(
        button
        for button in docks.find_panel("dice").findChildren(QToolButton)
        if button.defaultAction() is not None and button.defaultAction().text() == "&Throw"
    )
    qtbot.waitUntil(lambda: throw.isVisible() and throw.isEnabled())
    hand.click(throw)
    qtbot.waitUntil(lambda: any(layer.roll for layer in document.battlemap.layers))
    assert hand.clicks == 3


def test_an_export_into_the_game(window, qtbot, settings, tmp_path):
    """To game, Export and Close: the place of the map's title is chosen already."""
    battlelands = tmp_path / "game" / "Default" / "Battlelands"
    battlelands.mkdir(parents=True)
    (battlelands.parent / "DefaultVar.xml").write_text(
        '<?xml version="1.0"?><variant name="Default"><creatures filename="DefaultCre.xml"/>'
        '<hint classname="Default.DefaultHint"/></variant>',
        "utf-8",
    )
    target = battlelands / "Mountains.xml"
    target.write_text('<?xml version="1.0"?><battlemap terrain="Mountains" tower="False"/>')
    settings.set_game_dir("colossus", tmp_path / "game")
    hand = Hand(window, qtbot)
    bar = window.findChild(QToolBar, "main")
    hand.click(bar.widgetForAction(window.desk.commands.action("file.export-to-game")))
    dialog = window.desk.games.dialog
    qtbot.waitUntil(dialog.export_button.isEnabled)
    before = target.read_bytes()
    hand.click(dialog.export_button)
    qtbot.waitUntil(lambda: target.read_bytes() != before)
    close = dialog.buttons.button(QDialogButtonBox.StandardButton.Close)
    qtbot.waitUntil(lambda: close.isVisible() and close.isEnabled())
    hand.click(close)
    assert not dialog.isVisible()
    assert hand.clicks == 3
