"""How the maps of a system are drawn: its ``Style``, named by ``System.style``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures, pictures_in
from app.render.piece import Piece, PiecePlaces
from app.render.theme import Theme
from randomizer.installed import load
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import Plane, PlaneSpec, blank
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet


class DrawnCells(NamedTuple):
    """The ``cells`` (n,) that are to be drawn of a map that shows ``planes``.

    ``grid_lines``: areas that join over several cells show faint grid lines.
    """

    system: System
    grid: Grid
    planes: Mapping[str, Plane]
    cells: NDArray[np.intp]
    grid_lines: bool = False

    def everywhere(self, plane: PlaneSpec | str | None) -> Plane:
        """Return the values of a plane in all cells of the grid, shape (size,); 0 for None."""
        if plane is None:
            return blank((self.grid.size,), 0, np.intp)
        if isinstance(plane, str):
            return self.planes[plane].reshape(-1)
        return self.planes[plane.name].reshape(-1)

    def here(self, plane: PlaneSpec | str | None) -> Plane:
        """Return the values of a plane in ``cells``, shape (n,); 0 for None."""
        return np.asarray(self.everywhere(plane)[self.cells])


class GroundFeatures:
    """The features that a style lays on bare ground in place of terrain pictures and numbers."""

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, with their places in ``drawn.cells``."""
        raise NotImplementedError

    def edges(self, _drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield what is drawn once more over terrain features that hide it; none by default."""
        yield from ()

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Piece]:
        """Yield the pieces of a cell that has no neighbours."""
        raise NotImplementedError


class RouteDrawing(Protocol):
    """A style's way to lay routes through cells."""

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, with their places in ``drawn.cells``."""

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""


class Style:
    """A style of maps; the defaults are those of boards: clear pictures in outlined cells."""

    landscape = False
    """Whether terrains run into another and what stands on them may stand over edges of cells."""
    features: Callable[[Layout, TerrainSet, Pictures, Theme, float], GroundFeatures] | None = None
    """Makes what lies on bare ground; such maps are shown once its pieces are drawn. The number is
    the scale at which the terrain features of the pictures fit into a cell."""
    routes: Callable[[Layout, TerrainSet, Theme, float], RouteDrawing] | None = None
    """Makes what draws routes, over all that; None: ``app.render.scene.routes.RoutePieces``. The
    number is the least width of a line, in map units."""

    def overlays(self, _system: System, _terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that maps have until a person switches one."""
        return Overlays()

    def pictured(self, terrain_set: TerrainSet) -> TerrainSet:
        """Return a terrain set with the pictures and colours that its terrains are drawn with."""
        return terrain_set

    def pictures(self, theme: Theme, pictures: Pictures) -> Pictures:
        """Return the pictures that maps show in a theme, where the user has chosen ``pictures``."""
        return pictures_in(theme, pictures)

    def draws_surface(self, system: System, theme: Theme) -> bool:
        """Return whether the ground is worked out pixel by pixel, at every scale.

        That is so where heights lie on corners: no cell has one light, and shores cross cells.
        """
        joined = self.landscape and theme.colour_set == "pictures"
        return joined and system.corner_heights is not None and system.terrain is not None

    def hill_colour(self, _theme: Theme, _elevation: int) -> QColor | None:
        """Return the colour of a hill of this elevation; None where elevations tint the ground."""
        return None

    def spread(self, battlemap: BattleMap, planes: Collection[str], relief: bool) -> int | None:
        """Return how many steps from a change of ``planes`` cells look different; None: all do.

        ``relief``: light and shade are drawn.
        """
        system = battlemap.system
        steps = int(self.landscape)
        near = (system.elevation, system.hexside, *system.ways, system.flow, system.flow_width)
        if any(spec and spec.name in planes for spec in near):
            steps = max(steps, 1)
        if relief and system.height and system.height.name in planes:
            if system.corner_heights:
                steps = max(steps, 1)  # a corner belongs to all the cells that meet at it
            else:
                # The light of a cell depends on elevations beside it, and reaches cells beside it.
                steps = max(steps, 2)
        # Squares meet at corners, too: the cells across them are two steps away.
        if steps and battlemap.grid.degree == 4:
            return steps + 1
        return steps


class Landscape(Style):
    """Terrains that run into another."""

    landscape = True

    def overlays(self, system: System, terrain_set: TerrainSet) -> Overlays:
        """Return those of a country: no cells are marked, and heights are light and shade.

        Tactical maps are played by their cells and levels, so that they have those of boards.
        """
        if terrain_set.tactical:
            return Overlays()
        has_relief = system.corner_heights is not None  # its elevation is light, shade and water
        return Overlays(
            labels=False,
            grid_lines=False,
            elevation=has_relief,
            elevation_numbers=False,
            shading=not has_relief,
        )


BOARD = Style()
LANDSCAPE = Landscape()


def style_of(system: System) -> Style:
    """Return the style in which the maps of a system are drawn until a person chooses a plan."""
    return _loaded(system.style)


def drawn_style(system: System, overlays: Overlays, theme: Theme) -> Style:
    """Return the style in which the maps of a system are drawn with ``overlays`` in a theme.

    Plain colour sets are for clearness: they have the plan.
    """
    if system.plan_style and (overlays.plan or theme.colour_set != "pictures"):
        return _loaded(system.plan_style)
    return _loaded(system.style)


@registered(bytes_each=KB)
@lru_cache(32)
def _loaded(name: str) -> Style:
    style: Style = load(name)
    return style
