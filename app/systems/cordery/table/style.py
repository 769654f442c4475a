"""The style of wargame tables: hills with contours, and features on bare ground."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtGui import QColor

from app.render.pictures.terrain_pictures import Pictures
from app.render.style import Style
from app.render.theme import Theme
from app.systems.cordery.table.features import TableFeatures, contour_colour
from app.systems.cordery.table.parallel_routes import side_by_side
from app.systems.cordery.table.routes import TableRoutes
from randomizer.model.map.battlemap import BattleMap


class TableStyle(Style):
    """Wargame tables."""

    features = TableFeatures
    routes = TableRoutes

    def pictures(self, _theme: Theme, _pictures: Pictures) -> Pictures:
        """Return ours: features differ in shape, no colour set replaces them by letters."""
        return Pictures()

    def hill_colour(self, theme: Theme, elevation: int) -> QColor | None:
        return contour_colour(theme, elevation) if elevation > 0 else None

    def spread(self, battlemap: BattleMap, planes: Collection[str], _relief: bool) -> int | None:
        """Return None for parallel routes: their order depends on cells at any distance."""
        routes = {route.plane for route in battlemap.system.routes}
        return None if not routes.isdisjoint(planes) and side_by_side(battlemap) else 2


STYLE = TableStyle()
