"""The styles in which the maps of systems are drawn, such as boards and landscapes.

A system (a game, or a program for maps) names its style as "module:NAME" (``System.style``), and
perhaps a second one for plans (``System.plan_style``). A ``Style`` decides which overlays a map has
at first, which pictures its terrains have, and how routes are laid. ``BOARD`` has clear pictures in
outlined cells; in a ``LANDSCAPE`` terrains pass into one another. ``drawn_style`` says which style
a map is drawn in now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.theme import Theme
from randomizer.installed import load
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

# What the first paint does not need is imported where it is used.
if TYPE_CHECKING:
    from app.render.drawn_cells import GroundFeatures, RouteDrawing


class Style:
    """A style of maps; the defaults are those of boards: clear pictures in outlined cells."""

    landscape = False
    """True if terrains pass into one another, and woods or hills may stand over edges of cells."""

    features: Callable[[Layout, TerrainSet, Pictures, Theme, float], GroundFeatures] | None = None
    """The class of the features of a style that lays its own on bare ground; None for other styles.

    Its last argument is the factor by which the features in pictures fit into a cell
    (``Pieces.feature_size``). (A function would become a method here.) A map of such a style is not
    shown before its features are drawn.
    """

    routes: Callable[[Layout, TerrainSet, Theme, float], RouteDrawing] | None = None
    """The class of the object that draws routes; None for the usual ``RoutePieces``.

    Its last argument is the least width of a line, in map units.
    """

    def overlays(self, _system: System, _terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that maps have until a person switches one."""
        return Overlays()

    def terrain_set_as_drawn(self, terrain_set: TerrainSet) -> TerrainSet:
        """Return a terrain set with the pictures and colours that its terrains are drawn with."""
        return terrain_set

    def pictures_in_theme(self, theme: Theme, pictures: Pictures) -> Pictures:
        """Return the pictures that maps show in a theme; ``pictures`` are those of the user."""
        if theme.has_pictures:
            return pictures
        from app.render.pictures.plain_pictures import plain_pictures

        return plain_pictures(theme)

    def draws_surface(self, system: System, theme: Theme) -> bool:
        """Return whether the ground is worked out pixel by pixel, at every scale.

        That is so where heights lie on corners: no cell has one light, and shores cross cells.
        """
        terrains_join = self.landscape and theme.has_pictures
        has_planes = system.corner_heights is not None and system.terrain is not None
        return terrains_join and has_planes

    def hill_colour(self, _theme: Theme, _elevation: int) -> QColor | None:
        """Return the colour of a hill of this elevation; None where elevations tint the ground."""
        return None

    def redraw_distance(
        self, battlemap: BattleMap, planes: Collection[str], relief: bool
    ) -> int | None:
        """Return how far from a changed cell other cells look different, in steps over sides.

        0 if only the cell itself does, None if all cells of the map may. ``planes`` are the names
        of the planes whose values have changed, ``relief`` is True if light and shade are drawn.
        """
        system = battlemap.system
        steps = 0
        # In landscapes the terrain of a cell passes into its neighbours. Elsewhere lines along
        # sides, and of ways, join those of neighbours.
        if self.landscape or _joins_neighbours(system, planes):
            steps = 1
        if relief and system.height is not None and system.height.name in planes:
            if system.corner_heights is not None:
                steps = max(steps, 1)  # a corner belongs to all the cells that meet at it
            else:
                # The light of a cell depends on elevations beside it, and reaches cells beside it.
                steps = max(steps, 2)
        # Squares meet at corners, too: the cells across them are two steps away.
        if steps and battlemap.grid.degree == 4:
            return steps + 1
        return steps


def _joins_neighbours(system: System, planes: Collection[str]) -> bool:
    """Return whether lines of one of these ``planes`` go on in the cells beside a changed one."""
    joining = (system.elevation, system.hexside, *system.ways, system.flow, system.flow_width)
    return any(spec is not None and spec.name in planes for spec in joining)


class Landscape(Style):
    """The style of countries: terrains pass into one another."""

    landscape = True

    def overlays(self, system: System, terrain_set: TerrainSet) -> Overlays:
        """Return overlays in which no cells are marked, and heights are light and shade.

        Tactical maps are played by their cells and levels, so that they have the overlays of
        boards.
        """
        if terrain_set.tactical:
            return Overlays()
        # Where heights lie on corners the overlay "elevation" is light, shade and water. Elsewhere
        # it is the steps between cells, and light and shade are the overlay "shading".
        has_corner_heights = system.corner_heights is not None
        return Overlays(
            labels=False,
            grid_lines=False,
            elevation=has_corner_heights,
            elevation_numbers=False,
            shading=not has_corner_heights,
        )


BOARD = Style()
"""The style of boards."""

LANDSCAPE = Landscape()
"""The style of landscapes that need nothing special."""


def style_of(system: System) -> Style:
    """Return the style in which the maps of a system are drawn until a person chooses a plan."""
    return _loaded(system.style)


def drawn_style(system: System, overlays: Overlays, theme: Theme) -> Style:
    """Return the style in which the maps of a system are drawn with ``overlays`` in a theme.

    That is the system's plan, if it has one, where the user has switched it on, and in colour sets
    without pictures: these are for clearness, as a plan is.
    """
    if system.plan_style and (overlays.plan or not theme.has_pictures):
        return _loaded(system.plan_style)
    return _loaded(system.style)


@registered(bytes_each=KB)
@lru_cache(32)
def _loaded(name: str) -> Style:
    """Return the style with a name such as "app.render.style:BOARD"; its module is imported."""
    style: Style = load(name)
    return style
