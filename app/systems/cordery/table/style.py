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
    """Wargame tables as plans: hills with contours, and clear symbols on bare ground."""

    features = TableFeatures
    routes = TableRoutes

    def pictures(self, _theme: Theme, _pictures: Pictures) -> Pictures:
        """Return the program's own pictures.

        Features differ in shape, so that no colour set has to replace them by letters.
        """
        return Pictures()

    def hill_colour(self, theme: Theme, elevation: int) -> QColor | None:
        """Return the colour of a hill's highest contour; None for an elevation without a hill."""
        if elevation > 0:
            return contour_colour(theme, elevation)
        return None

    def spread(self, battlemap: BattleMap, planes: Collection[str], _relief: bool) -> int | None:
        return _spread(battlemap, planes)


class TableLandscape(Landscape):
    """Wargame tables as landscapes."""

    features = LandscapeHills
    routes = LandscapeRoutes

    def overlays(self, _system: System, _terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that boards have: a table is played by its areas, as they are."""
        return Overlays()

    def pictured(self, terrain_set: TerrainSet) -> TerrainSet:
        return pictured(terrain_set)

    def pictures(self, _theme: Theme, _pictures: Pictures) -> Pictures:
        """Return the program's own pictures, since games have none of tables."""
        return Pictures()

    def hill_colour(self, _theme: Theme, elevation: int) -> QColor | None:
        """Return the colour of a hill's highest contour; None for an elevation without a hill."""
        if elevation > 0:
            return QColor(HILLS[min(elevation, len(HILLS)) - 1].colour)
        return None

    def spread(self, battlemap: BattleMap, planes: Collection[str], _relief: bool) -> int | None:
        return _spread(battlemap, planes)


def _spread(battlemap: BattleMap, planes: Collection[str]) -> int | None:
    """Return how many cells from a changed cell others look different; None: anywhere."""
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
