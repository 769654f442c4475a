"""Tells what the canvas draws: the current map, or something else in its place.

``MapWidget`` has one ``DrawableMap``; begin with ``current``. It returns one of three things, of
which the first that is there counts:

1. ``instead``: a composite that a panel shows in place of the map's, such as a wargame table as it
   was after an earlier throw;
2. the *players' view*, while the overlay "players" is on: what players may see of the map. It is
   composed before a frame is drawn (``update_players_view``), and composed again after an edit
   (``invalidate_players_view``);
3. the map itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.render.drawing_faults import without_undrawable
from app.render.renderer import Renderer
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

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
        """True if what was drawn so far is the current map, with all that it has.

        That is so while nothing else is drawn in its place; with the overlay "players" the last
        frame may have been without what is secret.
        """
        shows_players = self._renderer.overlays.players or self._players is not None
        return self.instead is None and not shows_players

    def reset(self) -> None:
        """Show the current map itself, which is another one now."""
        self.instead = None
        self._players = None

    def show_instead(self, composite: Composite | None) -> Region:
        """Draw a composite in place of that of the map; None draws the map itself again.

        Return what looks different then.
        """
        if self._renderer.overlays.players and not self._players_see_all():
            # What is secret is drawn while a composite is shown, and not before and after.
            self.instead = composite
            return Region(everything=True)
        former = self.current()
        self.instead = composite
        drawable = self.current()
        if drawable.battlemap is not former.battlemap:
            return Region(everything=True)
        # Not needed before the first paint.
        from app.canvas.composite_changes import differing_region

        return differing_region(drawable.battlemap, former.composite, drawable.composite)

    def _players_see_all(self) -> bool:
        """Return whether nothing in the map is secret."""
        from randomizer.model.players_view import players_view

        battlemap = self._document.battlemap
        return players_view(battlemap) is battlemap

    def current(self) -> Drawable:
        """Return the map to draw and its composite: ``instead``, the players' view, or the map.

        The players' view is that of the last ``update_players_view``. If the map cannot be
        composed, because of a fault in it, both are what can be drawn of it.
        """
        if self._players is not None and self.instead is None:
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
            # Not needed before the first paint.
            from randomizer.model.players_view import players_view

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

    def invalidate_players_view(self) -> bool:
        """Let what players see be composed again if an edit may have changed it.

        Return whether it may. While players see the whole map, both are the same object, and
        nothing is to be done.
        """
        battlemap = self._document.battlemap
        if self._players is None:
            return False
        saw_all = self._players.battlemap is battlemap
        if saw_all and self._players_see_all():
            return False
        self._players = None
        return True
