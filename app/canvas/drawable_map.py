"""Tells what the canvas draws: the current map, or something else in its place.

It is the map itself, unless a panel shows a composite in its place (a wargame table as it was after
an earlier throw), or the overlay "players" is on: then it is what players may see of the map.
``MapWidget`` has one ``DrawableMap``; begin with ``current``. What players see is composed before
a frame is drawn (``update_players_view``), and again after an edit (``forget_players_view``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.render.drawing_faults import without_undrawable
from app.render.renderer import Renderer
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Element
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

    def show_instead(self, composite: Composite | None) -> Region:
        """Draw a composite in place of that of the map; None draws the map itself again.

        Return what looks different then.
        """
        former = self.current()
        self.instead = composite
        return _differing_region(former, self.current())

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


def _differing_region(former: Drawable, drawable: Drawable) -> Region:
    """Return what looks different where something else is drawn now than before.

    That is all of the map if it cannot be told by single cells.
    """
    # Not needed before the first paint.
    from randomizer.model.comparison.comparison import differing_indices

    everything = Region(everything=True)
    battlemap = drawable.battlemap
    if former.battlemap is not battlemap:
        return everything
    previous = former.composite
    composite = drawable.composite
    has_same_terrains = previous.terrain_set == composite.terrain_set
    if not has_same_terrains or previous.properties != composite.properties:
        return everything
    grid = battlemap.grid
    system = battlemap.system
    planes_of_routes = {route.plane for route in system.routes_of(composite.terrain_set)}
    cells = np.empty(0, np.intp)
    differing_planes = set[str]()
    for spec in system.shown_planes:
        values = composite.planes[spec.name]
        previous_values = previous.planes[spec.name]
        if values.shape != previous_values.shape:
            return everything  # the map has got another grid
        indices = differing_indices(grid, spec.element, [(previous_values, values)])
        if not len(indices):
            continue
        # Where routes lie beside one another, their order depends on cells at any distance.
        if spec.element is not Element.CELL or spec.name in planes_of_routes:
            return everything
        cells = np.union1d(cells, indices)
        differing_planes.add(spec.name)
    return Region(cells, planes=frozenset(differing_planes))
