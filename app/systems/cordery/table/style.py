"""The styles of wargame tables: landscapes, and plans with symbols on bare ground.

The renderer asks the style of a map (``Style``) what it draws and how. ``PLAN`` and ``LANDSCAPE``
are the two that a table can have.
"""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtGui import QColor

from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.style import Landscape, Style
from app.render.theme import Theme
from app.systems.cordery.table.features import TableFeatures, contour_colour
from app.systems.cordery.table.landscape import (
    HILLS,
    LandscapeHills,
    LandscapeRoutes,
    pictured,
)
from app.systems.cordery.table.parallel_routes import has_shared_sides
from app.systems.cordery.table.routes import TableRoutes
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet


class Plan(Style):
    """Wargame tables as plans: hills with contours, and clear symbols on bare ground.

    The methods answer questions of the renderer; ``Style`` says what each is asked for.
    """

    features = TableFeatures
    routes = TableRoutes

    def pictures_in_theme(self, _theme: Theme, _pictures_of_user: Pictures) -> Pictures:
        """Return the program's own pictures, in every theme.

        Symbols differ in shape, so that themes of clear colours need no letters in their place.
        """
        return Pictures()

    def hill_colour(self, theme: Theme, elevation: int) -> QColor | None:
        """Return the colour of a hill's highest contour; None for an elevation without a hill."""
        if elevation > 0:
            return contour_colour(theme, elevation)
        return None

    def redraw_distance(
        self, battlemap: BattleMap, planes: Collection[str], _relief: bool
    ) -> int | None:
        """Return how far a change of these planes is seen (``_reach_of_change``)."""
        return _reach_of_change(battlemap, planes)


class TableLandscape(Landscape):
    """Wargame tables as landscapes. The methods are those of ``Style``, as in ``Plan``."""

    features = LandscapeHills
    routes = LandscapeRoutes

    def overlays(self, _system: System, _terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that boards have: a table is played by its areas, as they are."""
        return Overlays()

    def terrain_set_as_drawn(self, terrain_set: TerrainSet) -> TerrainSet:
        """Return the set with the pictures of a landscape in place of symbols."""
        return pictured(terrain_set)

    def pictures_in_theme(self, _theme: Theme, _pictures_of_user: Pictures) -> Pictures:
        """Return the program's own pictures, since games have none of tables."""
        return Pictures()

    def hill_colour(self, _theme: Theme, elevation: int) -> QColor | None:
        """Return the colour of a hill's highest level; None for an elevation without a hill."""
        if elevation <= 0:
            return None
        level = min(elevation, len(HILLS))  # the highest colour stands for all above
        return QColor(HILLS[level - 1].colour)

    def redraw_distance(
        self, battlemap: BattleMap, planes: Collection[str], _relief: bool
    ) -> int | None:
        """Return how far a change of these planes is seen (``_reach_of_change``)."""
        return _reach_of_change(battlemap, planes)


def _reach_of_change(battlemap: BattleMap, planes: Collection[str]) -> int | None:
    """Return how many steps from a changed cell other cells look different.

    None if cells anywhere on the map may: then all of it is drawn again.
    """
    # The order of parallel routes depends on cells at any distance.
    routes = {route.plane for route in battlemap.system.routes}
    if not routes.isdisjoint(planes) and has_shared_sides(battlemap):
        return None
    # The corner of a hill or lake depends on the cell across it, two steps over sides on squares.
    return 2


PLAN = Plan()
"""The style of plans, as ``CorderySystem.plan_style`` names it."""

LANDSCAPE = TableLandscape()
"""The style of landscapes, as ``CorderySystem.style`` names it."""
