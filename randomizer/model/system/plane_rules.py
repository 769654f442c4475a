"""The subject of ``System`` that tells what a map holds: planes, routes and the terrain set.

    battlemap.system.plane("terrain")            # the ``PlaneSpec`` of that plane
    battlemap.system.elevation is None           # True: these maps are flat

The class of a game sets and overrides what is different there (``System``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, final

from randomizer.model.basics.caches import KB, registered
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element, Plane, PlaneRole, PlaneSpec
from randomizer.model.planes.routes import crossings_of_ways, routes_of_ways
from randomizer.model.system.system_base import SystemBase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.routes import CrossingSpec, RouteSpec
    from randomizer.model.terrain.terrain import Terrain, TerrainSet


class PlaneRules(SystemBase):
    """The planes of maps, the routes in them, and the terrain sets whose codes they hold."""

    # --- planes -----------------------------------------------------------------------------------
    # Layers of a map have *planes*: arrays of values, one for each cell, side or corner. A few
    # planes have a role that every caller understands, such as that of the heights.

    planes: tuple[PlaneSpec, ...]
    """The planes that layers of its maps can have."""
    terrain: PlaneSpec | None = None
    """Indices of terrains, one a cell.

    Like ``height`` and ``hexside`` one of ``planes``, which ``__init_subclass__`` checks.
    """
    height: PlaneSpec | None = None
    """Elevations, one a cell, or heights, one a corner."""
    hexside: PlaneSpec | None = None
    """Indices of hexsides plus 1, one a side."""
    regions: PlaneSpec | None = None
    """The number of each cell's region (``model/map/regions.py``)."""

    def accompanying_changes(
        self,
        grid: Grid,
        composite: Composite,
        plane: str,
        elements: NDArray[np.intp],
        values: Plane,
    ) -> Mapping[str, Plane]:
        """Return the further values that change when a user paints values (n,) on a plane.

        ``elements`` (n,) are the indices of the painted cells, sides or corners. The result has the
        values (n,) of other planes at the same indices, by the names of these planes. For example,
        a game whose towns have no trees returns blank woods for the cells that become towns.
        """
        return {}

    @final
    def plane(self, name: str) -> PlaneSpec:
        """Return the specification of a plane, ``touched:`` and ``rolled:`` ones included.

        Raises KeyError if unknown.
        """
        if name.startswith(TOUCHED):
            return _touched_spec(self.plane(name.removeprefix(TOUCHED)))
        if name.startswith(ROLLED):
            return replace(self.plane(name.removeprefix(ROLLED)), name=name, shown=False)
        for spec in self.planes:
            if spec.name == name:
                return spec
        raise KeyError(name)

    @final
    def plane_with_role(self, role: PlaneRole) -> PlaneSpec | None:
        """Return the plane with a role; None if maps have no such plane."""
        planes_by_role = {
            PlaneRole.TERRAIN: self.terrain,
            PlaneRole.HEIGHT: self.height,
            PlaneRole.HEXSIDE: self.hexside,
        }
        return planes_by_role[role]

    @final
    @property
    def elevation(self) -> PlaneSpec | None:
        """The height plane if it holds elevations, one a cell; None if heights lie on corners."""
        if self.height is None or self.height.element is not Element.CELL:
            return None
        return self.height

    @final
    @property
    def corner_heights(self) -> PlaneSpec | None:
        """The height plane if heights lie on corners, else None."""
        if self.height is None or self.height.element is not Element.CORNER:
            return None
        return self.height

    @final
    @property
    def has_corners(self) -> bool:
        """True if a plane has its values at corners."""
        return any(spec.element is Element.CORNER for spec in self.planes)

    @final
    @property
    def shown_planes(self) -> tuple[PlaneSpec, ...]:
        """The planes that make up the look of a map."""
        return tuple(spec for spec in self.planes if spec.shown)

    @final
    @property
    def stores_rolled_values(self) -> bool:
        """True if a rolled layer stores what the roll made where a hand changes it (``ROLLED``).

        So the hand's change can be taken back later. Two kinds of maps do not store it:

        - those whose terrain set can change, since a stored code would then name another terrain;
        - those with routes of links: the link that comes back may lead to a cell from which the
          other half of the route was removed meanwhile.
        """
        return self.is_terrain_set_fixed and not any(spec.links for spec in self.planes)

    # --- routes -----------------------------------------------------------------------------------
    # Routes, such as roads and rivers, run from cell to cell by *links*: the bits of a plane that
    # tell by which of its sides a route leaves a cell. *Ways* are the routes that belong to the
    # terrain set of a map.

    routes: tuple[RouteSpec, ...] = ()
    """The routes that all its maps have; ``routes_of`` returns those of one map."""
    crossings: tuple[CrossingSpec, ...] = ()
    """The crossings of ``routes``; ``crossings_of`` returns those of one map."""
    ways: tuple[PlaneSpec, ...] = ()
    """Planes of links: the n-th is that of the n-th way of a map's terrain set."""
    flow: PlaneSpec | None = None
    """A plane of links (``routes.PRESENT``): the sides by which water flows out of a cell.

    By the sides of a river that are not among them, water flows in.
    """
    flow_width: PlaneSpec | None = None
    """The width of water where it leaves a cell, in quarters of its way's width.

    0, as in a map without such values, is the whole width, like 4.
    """
    links_are_mutual = True
    """True if each link to a neighbouring cell has a link of that cell back to it.

    False if routes may end at a side, as roads at the houses of a town.
    """

    @final
    def routes_of(self, terrain_set: TerrainSet) -> tuple[RouteSpec, ...]:
        """Return the routes of maps with this terrain set, in the order of lists."""
        return _routes_of(self, terrain_set)

    @final
    def crossings_of(self, terrain_set: TerrainSet) -> tuple[CrossingSpec, ...]:
        """Return the crossings of routes of maps with this terrain set."""
        if not self.ways:
            return self.crossings
        return (*self.crossings, *crossings_of_ways(self.routes_of(terrain_set)))

    # --- terrain sets -----------------------------------------------------------------------------
    # A terrain set lists the terrains of a map. These tell which sets maps can have, and where a
    # user finds further terrains.

    terrain_set: TerrainSet
    """The terrain set of a new map."""
    is_terrain_set_fixed = False
    """True if no map can have another set."""
    game_has_more_terrains = False
    """True if the game has more terrains than the set of a map.

    A terrain that a new set lacks is then still one of the game, and not marked as missing.
    """
    users_edit_terrain_sets = False
    """True if the terrain set is the user's, who edits it, opens it from a file and saves it."""
    packaged_terrains: tuple[str, ...] = ()
    """The names of the terrain sets that come with the system, see ``packaged_terrain_set``."""

    def packaged_terrain_set(self, name: str) -> TerrainSet:
        """Return one of the ``packaged_terrains``. Raises KeyError for another name."""
        raise KeyError(name)

    def further_terrains(self) -> tuple[Terrain, ...]:
        """Return the terrains of the installed game that can be added to a set.

        Without a game, and before ``read_further_kinds`` was called, these are the ones that the
        program knows of.
        """
        return ()

    def terrain_named(self, name: str) -> Terrain | None:
        """Return the terrain of a name that can be added to a set; None if there is none."""
        return None


def _touched_spec(spec: PlaneSpec) -> PlaneSpec:
    """Return the plane that marks where a hand has changed another one: 1 for touched, else 0."""
    return replace(
        spec,
        name=TOUCHED + spec.name,
        dtype="u1",
        unset=0,
        default=0,
        shown=False,
        links=False,
        minimum=0,
        maximum=1,
    )


@registered(bytes_each=3 * KB)
@lru_cache(4)
def _routes_of(system: PlaneRules, terrain_set: TerrainSet) -> tuple[RouteSpec, ...]:
    """Return ``PlaneRules.routes_of``, which every frame asks for."""
    return (*system.routes, *routes_of_ways(terrain_set.ways, system.ways))
