"""What a style of maps draws into cells: its features on the ground, and its routes.

``DrawnCells`` is what both are given, for instance by the scene. ``GroundFeatures`` is the base of
a style's own features; ``RouteDrawing`` says what an object needs that draws routes::

    drawn = DrawnCells(system, grid, planes, cells)
    for piece, rows in route_drawing.pieces(drawn):
        ...                                     # the piece lies at drawn.cells[rows]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from app.render.piece import Piece, PiecePlaces
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import Plane, PlaneSpec, blank
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System


class DrawnCells(NamedTuple):
    """Cells of a map that are to be drawn, and the values that the map shows there."""

    system: System
    """The system of the map."""
    grid: Grid
    """The grid of the map."""

    planes: Mapping[str, Plane]
    """The values of each property of the map's cells, by the name of the plane."""

    cells: NDArray[np.intp]
    """The indices of the cells to be drawn, shape (n,)."""

    grid_lines: bool = False
    """True if areas that join over several cells show faint grid lines."""

    def everywhere(self, plane: PlaneSpec | str | None) -> Plane:
        """Return the values of a plane in all cells of the grid, shape (size,).

        ``plane`` is its description or its name. All values are 0 if it is None: a plane that maps
        of the system do not have.
        """
        if plane is None:
            return blank((self.grid.size,), 0, np.intp)
        if isinstance(plane, str):
            return self.planes[plane].reshape(-1)
        return self.planes[plane.name].reshape(-1)

    def here(self, plane: PlaneSpec | str | None) -> Plane:
        """Return the values of a plane in ``cells``, shape (n,), as ``everywhere`` does."""
        return np.asarray(self.everywhere(plane)[self.cells])


class GroundFeatures:
    """The features that a style lays on bare ground in place of terrain pictures and numbers.

    Such are the hills and woods of wargame tables, which may join over several cells.
    """

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, each with its indices in ``drawn.cells``."""
        raise NotImplementedError

    def edges(self, _drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield what is drawn once more over the pictures of terrains, which hide it.

        By default that is nothing.
        """
        return iter(())

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Piece]:
        """Yield the pieces of a terrain (an index into the set) on a cell without neighbours."""
        raise NotImplementedError


class RouteDrawing(Protocol):
    """A style's manner of drawing routes (roads, rivers) through cells."""

    def pieces(self, drawn: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces from the bottom up, each with its indices in ``drawn.cells``."""

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route through a cell from a side to the opposite one, for palette and legend."""
