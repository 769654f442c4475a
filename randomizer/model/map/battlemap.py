"""``BattleMap``: a grid, a stack of layers, locks. Only edits change it (``Edit.apply``, edit.py).

It holds the data of a map and answers questions about it; what makes and checks maps is elsewhere
(rolls, storage, gate). The questions are: what does the stack show (``composite``, ``values``), and
which layer shows it (``owner``)::

    battlemap = BattleMap.new(system, layers=[Layer(1, "Map")])
    battlemap.values("terrain")             # what the visible layers show, (height, width)
    battlemap.owner("terrain", cell)        # the layer whose terrain is seen there
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.compositing import compose, overlay, shown_plane
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import locks_of
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, blank, is_blank, write
from randomizer.model.problems import error
from randomizer.model.records.assets import NO_ASSETS, Assets, assets_of, assets_of_records, only
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.things import Thing

MAX_REFRESHED = 1 / 32
"""If a larger share of the values of a plane changed, all of it is composed again.

That is faster then. If the number is larger, changes of a large part of the map take longer.
"""


@dataclass(eq=False)
class BattleMap:
    """A map: a grid with a stack of layers. Two maps are never equal, whatever they hold."""

    system: System

    terrain_set: TerrainSet
    """The names, colours and so on of the codes in the planes of terrains and hexsides."""

    grid: Grid

    layers: list[Layer]
    """The stack of layers, from the bottom to the top."""

    locked_cells: NDArray[np.bool_]
    """The cells that no generator may change, shape (height, width)."""

    locked_sides: NDArray[np.bool_]
    """The hexsides that no generator may change, shape (height, width, degree).

    A ``blank`` array until one is locked.
    """

    next_thing_id: int = 1
    """Greater than the id of every thing that the map has had.

    It only grows, so that no id is used again, not even after undo.
    """

    records: dict[str, MapRecord] = field(default_factory=dict)
    """The contents of the map beside its layers, such as a script, by name."""

    source: int | None = None
    """The id of the layer whose roll made the records, terrain set and grid; None if none did.

    The layer may be gone (``source_layer``).
    """

    terrain_revision: int = 0
    """A number that grows with every change of ``terrain_set``; it is not stored."""

    assets: dict[str, bytes] = field(default_factory=dict)
    """Pictures by digest: those that the map names, and others that steps to undo name.

    What names one that is not there is drawn without a picture.
    """

    def __post_init__(self) -> None:
        for layer in self.layers:
            self.note_ids(layer.things)

    @classmethod
    def new(
        cls,
        system: System,
        grid: Grid | None = None,
        layers: Iterable[Layer] = (),
        terrain_set: TerrainSet | None = None,
        assets: Assets = NO_ASSETS,
    ) -> BattleMap:
        """Return a map with the given layers and nothing locked.

        Without a ``grid`` or ``terrain_set`` it has those of a new map of the system. Raises
        ProblemError for a grid without corners, if the system has planes of corners.
        """
        if grid is None:
            grid = system.new_grid()
        if system.has_corners and not grid.has_corners:
            raise error("grid-corners", system.why_not_grid(grid))
        shape = (grid.height, grid.width)
        if terrain_set is None:
            terrain_set = system.terrain_set
        return cls(
            system=system,
            terrain_set=terrain_set,
            grid=grid,
            layers=list(layers),
            locked_cells=np.zeros(shape, np.bool_),
            locked_sides=blank((*shape, grid.degree), value=False, dtype=np.bool_),
            assets=dict(assets),
        )

    def snapshot(self) -> BattleMap:
        """Return a copy of the map that no edit changes."""
        locked_sides = self.locked_sides
        if not is_blank(locked_sides):  # a blank array is never written to
            locked_sides = locked_sides.copy()
        return replace(
            self,
            layers=[layer.copy() for layer in self.layers],
            locked_cells=self.locked_cells.copy(),
            locked_sides=locked_sides,
            records=dict(self.records),
            assets=dict(self.assets),
        )

    def index_of(self, layer_id: int) -> int:
        """Return the position of a layer in the stack, 0 at the bottom.

        Raises KeyError if it is not there.
        """
        for index, layer in enumerate(self.layers):
            if layer.id == layer_id:
                return index
        raise KeyError(layer_id)

    def layer(self, layer_id: int) -> Layer:
        """Return the layer with this id. Raises KeyError if it is not there."""
        return self.layers[self.index_of(layer_id)]

    @property
    def source_layer(self) -> Layer | None:
        """The layer whose roll made the records, terrain set and grid; None if it is gone."""
        for layer in self.layers:
            if layer.id == self.source:
                return layer
        return None

    def free_layer_id(self) -> int:
        """Return an id that no layer of the map has, nor had as its source or for its Touch-ups."""
        used_ids = [layer.id for layer in self.layers]
        used_ids += [layer.touch_ups_of for layer in self.layers if layer.touch_ups_of is not None]
        if self.source is not None:
            used_ids.append(self.source)
        return max(used_ids, default=0) + 1

    def note_ids(self, thing_ids: Iterable[int]) -> None:
        """Note that things with these ids are in the map now: no later one gets such an id.

        Edits call it, and who makes a map of layers.
        """
        self.next_thing_id = max(self.next_thing_id, max(thing_ids, default=0) + 1)

    def thing_layer(self, thing_id: int) -> Layer | None:
        """Return the layer that holds a thing, None if the map has no such thing."""
        for layer in self.layers:
            if thing_id in layer.things:
                return layer
        return None

    def thing(self, thing_id: int) -> Thing:
        """Return the thing with this id, in whatever layer. Raises KeyError if the map has none."""
        layer = self.thing_layer(thing_id)
        if layer is None:
            raise KeyError(thing_id)
        return layer.things[thing_id]

    @property
    def named_assets(self) -> dict[str, bytes]:
        """The assets that the map names as it is now, as far as they are there."""
        return only(self.assets, self.asset_digests)

    @property
    def asset_digests(self) -> set[str]:
        """The digests of the assets that the map names as it is now."""
        return assets_of(self.terrain_set) | assets_of_records(self.records)

    def is_blank(self) -> bool:
        """Return whether no layer was rolled or holds anything.

        A layer holds things, values in its planes, or properties. A property that is False or ""
        does not count: a file can have ``tower="False"`` where nothing was ever set.
        """
        if self.source_layer is not None:
            return False
        for layer in self.layers:
            if layer.roll is not None or layer.things or any(layer.properties.values()):
                return False
            if not all(map(is_blank, layer.planes.values())):
                return False
        return True

    def visible_things(self) -> Iterator[Thing]:
        """Yield the things of the visible layers from the bottom to the top, in each by id."""
        for layer in self.layers:
            if layer.visible:
                yield from layer.things.values()

    def composite(self, below: int | None = None, *, live: bool = False) -> Composite:
        """Return what the visible layers show, or only those below stack position ``below``.

        A ``live`` composite is kept up to date by ``Edit.refresh``; where a single layer sets a
        whole plane, it holds a read-only view of that layer's plane.
        """
        return compose(self.system, self.terrain_set, self.grid, self.layers[:below], live=live)

    def refresh_plane(self, composite: Composite, plane: str, index: NDArray[np.intp]) -> None:
        """Bring a plane of the live composite of all layers up to date at flat ``index``.

        The cost grows with the number of indices, not with the size of the map.
        """
        spec = self.system.plane(plane)
        if not spec.shown:
            return
        values = composite.planes[plane]
        if len(index) > values.size * MAX_REFRESHED:
            composite.planes[plane] = shown_plane(spec, self.grid, self.layers, live=True)
            return

        # What is seen there now: higher layers over lower ones.
        new_values = np.full(len(index), spec.default, spec.dtype)
        for layer in self.layers:
            layer_plane = layer.planes.get(plane)
            if layer.visible and layer_plane is not None:
                layer_values = layer_plane.reshape(-1)[index]
                np.copyto(new_values, layer_values, where=layer_values != spec.unset)
        # The plane of a live composite is one of three: an array of its own, which is written to;
        # a blank one, as long as no layer sets anything; a view of the plane of the one layer that
        # sets all, which shows the change by itself. The last two are replaced once they do not do.
        if values.flags.writeable:
            write(values, index, new_values)
        elif is_blank(values) or (values.reshape(-1)[index] != new_values).any():
            composite.planes[plane] = self.values(plane)

    def refresh_property(self, composite: Composite, name: str) -> None:
        """Bring one property of the live composite of all layers up to date."""
        composite.properties.pop(name, None)
        for layer in self.layers:
            if layer.visible and name in layer.properties:
                composite.properties[name] = layer.properties[name]

    def locks(self, element: Element) -> NDArray[np.bool_]:
        """Return the locks of cells (h, w), of sides (h, w, degree) or of corners (h + 1, w + 1).

        A corner is locked if all its cells are.
        """
        return locks_of(element, self.grid, self.locked_cells, self.locked_sides)

    def values(self, plane: str, layers: Iterable[Layer] | None = None) -> Plane:
        """Return what visible layers show of a plane, its default elsewhere; a new array.

        ``layers`` replace those of the map.
        """
        spec = self.system.plane(plane)
        values = np.full(spec.shape(self.grid), spec.default, spec.dtype)
        if layers is None:
            layers = self.layers
        overlay(values, spec, layers)
        return values

    def values_or_unset(self, spec: PlaneSpec) -> Plane:
        """Return what visible layers set of a plane, its unset value elsewhere; a new array."""
        values = np.full(spec.shape(self.grid), spec.unset, spec.dtype)
        overlay(values, spec, self.layers)
        return values

    def property_owner(self, name: str) -> Layer | None:
        """Return the topmost visible layer that sets a property, None if none does."""
        for layer in reversed(self.layers):
            if layer.visible and name in layer.properties:
                return layer
        return None

    def owner(self, plane: str, index: int) -> Layer | None:
        """Return the visible layer whose value shows at flat ``index`` of a plane.

        None if no layer sets one, so that the default shows.
        """
        spec = self.system.plane(plane)
        for layer in reversed(self.layers):
            values = layer.planes.get(plane)
            if layer.visible and values is not None and values.flat[index] != spec.unset:
                return layer
        return None
