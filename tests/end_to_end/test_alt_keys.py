"""Alt and a letter mean one thing: in the window with any panel in front, in menus, in dialogs."""

from __future__ import annotations

from collections import defaultdict

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QGroupBox,
    QLabel,
    QMenu,
    QTabBar,
    QWidget,
)

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from tests.daily import deep_but

KINDS = ["colossus", "free", "cordery", "xconq"]


def with_alt(widget: QWidget) -> list[str]:
    """The words of a widget that may have a letter for Alt."""
    if isinstance(widget, QTabBar):
        return [widget.tabText(i) for i in range(widget.count()) if widget.isTabVisible(i)]
    if isinstance(widget, QAbstractButton):
        return [widget.text()] if widget.isEnabled() else []
    if isinstance(widget, QLabel):
        return [widget.text()] if widget.buddy() is not None else []
    return [widget.title()] if isinstance(widget, QGroupBox) else []


def ambiguous(words: list[str]) -> dict[str, list[str]]:
    """The words that share a letter, by it."""
    by_key = defaultdict(list)
    for text in words:
        key = QKeySequence.mnemonic(text).toString()
        if key:
            by_key[key].append(text)
    return {key: texts for key, texts in by_key.items() if len(texts) > 1}


def words_in(top: QWidget) -> list[str]:
    shown = [each for each in top.findChildren(QWidget) if each.isVisibleTo(top)]
    inside = [each for each in shown if each.window() is top and not isinstance(each, QMenu)]
    return [text for each in inside for text in with_alt(each) if text]


@pytest.mark.parametrize("kind", deep_but(KINDS, "colossus"))
def test_letters_of_the_menu_bar_and_of_any_panel_in_front_differ(window, qtbot, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    docks = window.desk.docks
    wrong = {}
    bar = [action.text() for action in window.menuBar().actions() if action.isVisible()]
    # All panels, also those that a menu does not offer.
    for name in docks._docks:
        if not docks.suits_map(name):
            continue
        docks.show(name)
        qtbot.waitUntil(lambda name=name: docks.find_panel(name) is not None)
        always = {docks["palette"], docks[name]}
        found = [text for dock in always for text in words_in_dock(window, dock)]
        wrong |= {f"{name} {key}": texts for key, texts in ambiguous([*bar, *found]).items()}
    assert not wrong


def words_in_dock(window, dock) -> list[str]:
    inside = [each for each in dock.findChildren(QWidget) if each.isVisibleTo(dock)]
    return [text for each in inside for text in with_alt(each) if text]


@pytest.mark.parametrize("kind", deep_but(KINDS, "colossus", "xconq"))
def test_letters_in_a_menu_differ(window, kind):
    window.desk.document.show_map(new_map(system_named(kind)))
    window.desk.commands.ids(fill=True)
    wrong = {}

    def look(menu: QMenu) -> None:
        menu.aboutToShow.emit()
        shown = [action for action in menu.actions() if action.isVisible()]
        found = ambiguous([action.text() for action in shown if not action.isSeparator()])
        wrong.update({f"{menu.title()} {key}": texts for key, texts in found.items()})
        for action in shown:
            if action.menu() is not None:
                look(action.menu())

    for action in window.menuBar().actions():
        look(action.menu())
    assert not wrong


@pytest.mark.parametrize(
    "name",
    [
        "file.new-map",
        "file.export-to-game",
        "file.export-picture",
        "edit.preferences",
        pytest.param("map.resize", marks=pytest.mark.deep),
        pytest.param("map.shift", marks=pytest.mark.deep),
    ],
)
def test_letters_in_a_dialog_differ(window, name):
    window.desk.document.show_map(
        new_map(system_named("free" if name in ("map.resize", "map.shift") else "colossus"))
    )
    window.desk.commands.run(name)
    (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
    assert ambiguous(words_in(dialog)) == {}
    dialog.reject()
