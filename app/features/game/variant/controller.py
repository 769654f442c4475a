"""The window for a whole variant, wired to the desk: one a window, made when first asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.features.game.variant.rows import DRAWN
from app.features.game.variant.window import VariantWindow
from randomizer.catalog import system_named

if TYPE_CHECKING:
    from app.document.open_map import GameSource, OpenMap
    from app.features.game.places import GamePlaces
    from app.window import MainWindow
    from randomizer.model.battlemap import BattleMap

COLOURS_MS = 100
"""So long after the palette's change the desk has its new colours."""


def show_variant(window: MainWindow, places: GamePlaces) -> VariantWindow:
    """Show the window for a game's variants, as it was left."""
    thumbnails = window.menus.games.thumbnails(DRAWN)  # as the map is drawn now
    found = window.findChild(VariantWindow)
    if found is None:
        system = system_named(places.host.SYSTEM)
        assert system is not None
        document, settings = window.document, window.settings
        found = VariantWindow(places, system, settings, document, thumbnails, window)
        found.said.connect(window.say)
        found.edit_wanted.connect(partial(_edit, window, found))
        found.tab_wanted.connect(partial(_go_to, window, found))
        found.colours_changed.connect(partial(_redraw, window, found))
    found.show()
    found.raise_()
    found.activateWindow()
    return found


def _redraw(window: MainWindow, variant: VariantWindow) -> None:
    """Draw the rows in the desk's new colours."""

    def redraw() -> None:
        window.menus.games.thumbnails(DRAWN)
        variant.board.redraw()

    QTimer.singleShot(COLOURS_MS, variant, redraw)


def _edit(
    window: MainWindow,
    variant: VariantWindow,
    battlemap: BattleMap,
    source: GameSource,
    terrain: str,
) -> None:
    """Open a row's map as a tab."""
    window.document.show_map(battlemap, None, source)
    variant.board.take_tab(terrain)
    _go_to(window, variant, window.document.front)


def _go_to(window: MainWindow, variant: VariantWindow, open_map: OpenMap) -> None:
    """Bring a tab to the front; the window for the variant makes way if it lies over the desk."""
    window.document.bring_to_front(open_map)
    if variant.frameGeometry().intersects(window.frameGeometry()):
        variant.hide()
        name = window.document.name_of(open_map)
        window.say(f"Edit {name} here; File > Whole variant... goes back and exports it")
    window.activateWindow()
