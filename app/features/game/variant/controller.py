"""The window for a whole variant, wired to the desk: one a window, made when first asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.features.game.variant.rows import DRAWN
from app.features.game.variant.window import VariantWindow
from randomizer.catalog import system_named

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.document.open_map import GameSource, OpenMap
    from app.features.game.places import GamePlaces
    from randomizer.model.battlemap import BattleMap

COLOURS_MS = 100
"""So long after the palette's change the desk has its new colours."""


def show_variant(desk: Desk, places: GamePlaces) -> VariantWindow:
    """Show the window for a game's variants, as it was left."""
    thumbnails = desk.games.thumbnails(DRAWN)  # as the map is drawn now
    found = desk.frame.findChild(VariantWindow)
    if found is None:
        system = system_named(places.host.SYSTEM)
        assert system is not None
        document, settings = desk.document, desk.settings
        found = VariantWindow(places, system, settings, document, thumbnails, desk.frame)
        found.said.connect(desk.say)
        found.edit_wanted.connect(partial(_edit, desk, found))
        found.tab_wanted.connect(partial(_go_to, desk, found))
        found.colours_changed.connect(partial(_redraw, desk, found))
    found.show()
    found.raise_()
    found.activateWindow()
    return found


def _redraw(desk: Desk, variant: VariantWindow) -> None:
    """Draw the rows in the desk's new colours."""

    def redraw() -> None:
        desk.games.thumbnails(DRAWN)
        variant.board.redraw()

    QTimer.singleShot(COLOURS_MS, variant, redraw)


def _edit(
    desk: Desk,
    variant: VariantWindow,
    battlemap: BattleMap,
    source: GameSource,
    terrain: str,
) -> None:
    """Open a row's map as a tab."""
    desk.document.show_map(battlemap, None, source)
    variant.board.take_tab(terrain)
    _go_to(desk, variant, desk.document.front)


def _go_to(desk: Desk, variant: VariantWindow, open_map: OpenMap) -> None:
    """Bring a tab to the front; the window for the variant makes way if it lies over the desk."""
    desk.document.bring_to_front(open_map)
    if variant.frameGeometry().intersects(desk.frame.frameGeometry()):
        variant.hide()
        name = desk.document.name_of(open_map)
        desk.say(f"Edit {name} here; File > Whole variant... goes back and exports it")
    desk.frame.activateWindow()
