"""Tells what the canvas draws: the current map, or something else in its place.

It is the map itself, unless a panel shows a composite in its place (a wargame table as it was after
an earlier throw), or the overlay "players" is on: then it is what players may see of the map.
``MapWidget`` has one ``DrawableMap``; begin with ``current``. What players see is composed before
a frame is drawn (``update_players_view``), and again after an edit (``forget_players_view``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.render.drawing_faults import without_undrawable
from app.render.renderer import Renderer
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.players_view import players_view

if TYPE_CHECKING:
    from app.document.document import MapDocument


class Drawable(NamedTuple):
    """What the renderer draws."""

    battlemap: BattleMap
    """The map, or as much of it as players see."""

    composite: Composite
    """The values that its cells show."""


class DrawableMap:
    """What the canvas draws of the current map of a document."""

    def __init__(self, document: MapDocument, renderer: Renderer) -> None:
        self._document = document
        self._renderer = renderer
        self.instead: Composite | None = None
        """The composite shown in place of the map's; None for the map itself."""
        self._players: Drawable | None = None
        """What players see of the map while their overlay is on; None while it is off.

        None, too, after an edit until the next frame.
        """

    @property
    def composite(self) -> Composite:
        """The composite that is shown, even while players see less of it."""
        if self.instead is None:
            return self._document.composite
        return self.instead

    @property
    def is_map_itself(self) -> bool:
        """True if the last frame showed the current map, with all that it has."""
        return self.instead is None and self._players is None

    def reset(self) -> None:
        """Show the current map itself, which is another one now."""
        self.instead = None
        self._players = None

    def current(self) -> Drawable:
        """Return the map to draw and its composite: of the map itself, or of what players see.

        If the map cannot be composed, because of a fault in it, both are what can be drawn of it.
        """
        if self._players is not None:
            return self._players
        battlemap = self._document.battlemap
        try:
            return Drawable(battlemap, self.composite)
        except Exception:
            # A fault in one layer must not leave an empty window, in which nothing can be mended.
            drawable_map = without_undrawable(battlemap, lambda part: part.composite())
            if drawable_map is None:
                raise
        return Drawable(drawable_map, drawable_map.composite())

    def update_players_view(self) -> None:
        """Compose what players see of the map while their overlay is on, and forget it after.

        It is called before a frame is drawn or prepared. The renderer then follows that view.
        """
        battlemap = self._document.battlemap
        shows_players = self._renderer.overlays.players and self.instead is None
        if shows_players and self._players is None:
            players_map = players_view(battlemap)
            if players_map is battlemap:  # nothing is secret
                composite = self._document.composite
            else:
                composite = players_map.composite()
            self._players = Drawable(players_map, composite)
            self._renderer.follow(players_map)
        elif not shows_players and self._players is not None:
            self._players = None
            self._renderer.follow(battlemap)

    def forget_players_view(self) -> bool:
        """Let what players see be composed again if an edit may have changed it.

        Return whether it may. While players see the whole map, both are the same object, and
        nothing is to be done.
        """
        battlemap = self._document.battlemap
        if self._players is None:
            return False
        saw_all = self._players.battlemap is battlemap
        if saw_all and players_view(battlemap) is battlemap:
            return False
        self._players = None
        return True
