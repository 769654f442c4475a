"""A map: a grid, a stack of layers, locks. Nothing here changes a map; ``edit`` does.

A *plane* is one array of a layer: a value per cell (shape (h, w)), per side (h, w, degree) or per
corner (h + 1, w + 1). Every plane has a value that means *not set here*. Layers that *cover* show,
plane by plane, the topmost set value; what no layer sets shows the plane's default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.things import Things

if TYPE_CHECKING:
    from randomizer.model.grid import Grid
    from randomizer.model.problems import Problem
    from randomizer.model.routes import CrossingSpec, RouteSpec
    from randomizer.model.terrain import TerrainSet

Plane = NDArray[Any]
"""An integer or bool array; dtype and shape as its ``PlaneSpec`` says."""

TOUCHED = "touched:"
"""Prefix of the planes (uint8) that mark what a hand changed in a rolled layer."""

WHOLESALE = 32
"""If more than this part of a plane changed, what shows is sooner found for all of it."""

PROPERTIES = ("title", "subtitle", "tower", "startlist")


class Place(StrEnum):
    """What a value of a plane belongs to."""

    CELL = "cell"
    SIDE = "side"
    CORNER = "corner"


@dataclass(frozen=True, slots=True)
class PlaneSpec:
    """One kind of plane: ``unset`` means "not set here", ``default`` is shown where nothing is set.

    ``shown`` planes are what a map looks like; the others (provenance) explain it. ``links`` are
    bit masks of sides (``routes.RouteSpec``), which turn with the map.
    """

    name: str
    dtype: str
    place: Place
    unset: int
    default: int
    shown: bool = True
    links: bool = False

    def shape(self, grid: Grid) -> tuple[int, ...]:
        """The shape of such a plane on ``grid``."""
        if self.place is Place.SIDE:
            return (grid.height, grid.width, grid.degree)
        if self.place is Place.CORNER:
            return (grid.height + 1, grid.width + 1)
        return (grid.height, grid.width)

    def allocate(self, grid: Grid) -> Plane:
        """A plane on which nothing is set."""
        return np.full(self.shape(grid), self.unset, self.dtype)

    def blank(self, grid: Grid) -> Plane:
        """What a map shows that never sets such a plane: read-only, it takes no memory."""
        return blank(self.shape(grid), self.default, self.dtype)


def blank(shape: tuple[int, ...], value: int, dtype: Any) -> Plane:
    """A read-only array of one value everywhere, which takes no memory."""
    return np.broadcast_to(np.array(value, dtype), shape)


def is_blank(plane: Plane) -> bool:
    """Whether an array is one of ``blank``: the same value everywhere, known without looking."""
    return not plane.flags.writeable and not any(plane.strides)


def write(plane: Plane, index: NDArray[np.intp], values: Any) -> None:
    """Put ``values`` at flat places of a plane, ``index`` ascending."""
    if not plane.flags.c_contiguous:
        plane.flat[index] = values
    elif len(index) and index[-1] - index[0] == len(index) - 1:  # a whole map, mostly
        plane.reshape(-1)[index[0] : index[-1] + 1] = values
    else:
        plane.reshape(-1)[index] = values  # a third of the time that ``flat`` takes


@dataclass(frozen=True, slots=True)
class EdgeFill:
    """A command that puts a hexside on every edge which its rule fits.

    ``letter`` names the hexside in the terrain set, ``icon`` a picture.
    """

    title: str
    icon: str
    letter: str


@dataclass(frozen=True)
class System:
    """What one game's maps are made of.

    ``cell_name`` gives a cell's name in the game's own style, ``cell_of_name`` finds it again (None
    if there is none). ``fixed_grid``: every map has the grid of ``new_grid``. ``entry_sides`` are
    the named rims of the board as (name, cells), ``properties`` what of a layer's title, subtitle,
    tower and start list its maps have. ``check`` says what the game would warn of on a map,
    ``edge_fills`` gives the commands that fill edges. ``layouts`` names those that its grids have
    (none: any, and they may wrap), ``usual_sizes`` the (width, height) that is usual in each of
    them, ``most_along`` the longest edge that they may have.
    ``routes`` run through cells, in the order in which they are drawn, and meet in ``crossings``.
    ``describe`` says what is in a cell where terrain and elevation do not say all of it, "" if that
    is nothing. ``parts`` counts the pieces that a map is laid with on a table, by their names.
    """

    name: str
    title: str
    terrain_set: TerrainSet
    planes: tuple[PlaneSpec, ...]
    new_grid: Callable[[], Grid]
    cell_name: Callable[[Grid, int], str]
    cell_of_name: Callable[[Grid, str], int | None]
    fixed_grid: bool = False
    properties: tuple[str, ...] = ("title", "subtitle")
    entry_sides: tuple[tuple[str, tuple[int, ...]], ...] = ()
    edge_fills: tuple[EdgeFill, ...] = ()
    layouts: tuple[str, ...] = ()
    usual_sizes: tuple[tuple[int, int], ...] = ()
    most_along: int | None = None
    routes: tuple[RouteSpec, ...] = ()
    crossings: tuple[CrossingSpec, ...] = ()
    describe: Callable[[Grid, Mapping[str, Plane], int], str] | None = None
    parts: Callable[[Grid, Mapping[str, Plane]], dict[str, int]] | None = None
    check: Callable[[Composite], tuple[Problem, ...]] = lambda _composite: ()

    def plane(self, name: str) -> PlaneSpec:
        """The spec of a plane, a ``touched:`` one included. Raises KeyError if unknown."""
        if name.startswith(TOUCHED):
            return replace(
                self.plane(name.removeprefix(TOUCHED)),
                name=name,
                dtype="u1",
                unset=0,
                default=0,
                shown=False,
            )
        for spec in self.planes:
            if spec.name == name:
                return spec
        raise KeyError(name)

    @property
    def shown_planes(self) -> tuple[PlaneSpec, ...]:
        """The planes a map's look consists of."""
        return tuple(spec for spec in self.planes if spec.shown)


@dataclass(frozen=True, slots=True)
class Roll:
    """How a layer came to be: enough to roll it again for ever.

    ``generator`` is the catalogue's name of the generator, or "" for a script of the user's own;
    ``script`` the whole text that was rolled; ``origins`` says in words what the values of the
    provenance planes stand for ("line 8, AREA (innermost)"). ``part`` is what the layer holds of a
    roll that makes several layers: they are rolled again together.
    """

    generator: str
    script_name: str
    script: str
    settings: Mapping[str, object]
    seed: int
    number: int
    origins: tuple[str, ...] = ()
    part: str = ""


NO_EXTRAS: Mapping[str, object] = MappingProxyType({})


@dataclass(eq=False)
class Layer:
    """One sheet of a map. ``id`` is unique within its map and never changes.

    A plane that the layer does not use is absent from ``planes``. A property that is None is not
    set here. ``extras`` is what a file held that we do not know, kept for writing. ``opacity`` (0
    to 1) is a matter of the picture on the desk only; a ``locked`` layer refuses the hand.
    """

    id: int
    name: str
    visible: bool = True
    planes: dict[str, Plane] = field(default_factory=dict)
    title: str | None = None
    subtitle: str | None = None
    tower: bool | None = None
    startlist: tuple[str, ...] | None = None
    roll: Roll | None = None
    touched_properties: frozenset[str] = frozenset()
    extras: Mapping[str, object] = field(default_factory=lambda: NO_EXTRAS)
    opacity: float = 1.0
    locked: bool = False

    def copy(self, **changes: Any) -> Layer:
        """A layer with planes of its own and the given fields changed."""
        planes = {name: plane.copy() for name, plane in self.planes.items()}
        return replace(self, **{"planes": planes, **changes})


def roll_name(layer: Layer) -> str:
    """The name a rolled layer gets by itself: script, seed and map number."""
    assert layer.roll is not None
    stem = layer.roll.script_name.rsplit(".", 1)[0] or "Script"
    return f"{stem}, seed {layer.roll.seed} no. {layer.roll.number}"


@dataclass(frozen=True, eq=False)
class Composite:
    """What a stack of layers shows. ``planes`` holds every shown plane, no value unset.

    A plane that no layer uses is ``blank``.
    """

    planes: MutableMapping[str, Plane]
    title: str | None
    subtitle: str | None
    tower: bool
    startlist: tuple[str, ...] | None
    extras: Mapping[str, object]

    def copy(self) -> Composite:
        """A composite that no edit changes."""
        planes = {
            name: plane if is_blank(plane) else plane.copy() for name, plane in self.planes.items()
        }
        return replace(self, planes=planes)

    def same_as(self, other: Composite) -> bool:
        """Whether both show the same map, properties included (extras do not count)."""
        return (
            (self.title, self.subtitle, self.tower, self.startlist)
            == (other.title, other.subtitle, other.tower, other.startlist)
            and self.planes.keys() == other.planes.keys()
            and all(
                np.array_equal(plane, other.planes[name]) for name, plane in self.planes.items()
            )
        )


@dataclass(eq=False)
class BattleMap:
    """A map. Only ``edit.Edit.apply`` may change it.

    ``layers`` run from the bottom to the top. ``locked_cells`` (h, w) and ``locked_sides``
    (h, w, degree) bind generators; both are bool arrays, that of the
    sides is ``blank`` until a side is locked.
    """

    system: System
    grid: Grid
    layers: list[Layer]
    locked_cells: NDArray[np.bool_]
    locked_sides: NDArray[np.bool_]
    things: Things = field(default_factory=Things)

    @classmethod
    def new(
        cls, system: System, grid: Grid | None = None, layers: Iterable[Layer] = ()
    ) -> BattleMap:
        """A map with the given layers, nothing locked."""
        grid = grid or system.new_grid()
        shape = (grid.height, grid.width)
        return cls(
            system,
            grid,
            list(layers),
            np.zeros(shape, np.bool_),
            blank((*shape, grid.degree), False, np.bool_),
        )

    def snapshot(self) -> BattleMap:
        """The map as it is now; no edit changes it."""
        sides = self.locked_sides
        return replace(
            self,
            layers=[layer.copy() for layer in self.layers],
            locked_cells=self.locked_cells.copy(),
            locked_sides=sides if is_blank(sides) else sides.copy(),
            things=Things(self.things.values()),
        )

    def index_of(self, layer_id: int) -> int:
        """The position of a layer in the stack, 0 at the bottom. Raises KeyError if not there."""
        for index, layer in enumerate(self.layers):
            if layer.id == layer_id:
                return index
        raise KeyError(layer_id)

    def layer(self, layer_id: int) -> Layer:
        """The layer with this id. Raises KeyError if not there."""
        return self.layers[self.index_of(layer_id)]

    def free_layer_id(self) -> int:
        """An id that no layer of the map has."""
        return max((layer.id for layer in self.layers), default=0) + 1

    def composite(self, below: int | None = None, *, live: bool = False) -> Composite:
        """What the visible layers show, or only those below stack position ``below``.

        A ``live`` one is kept up to date by ``Edit.refresh``: where a single layer sets a whole
        plane, it holds a read-only view of that layer's own.
        """
        return composite(self.system, self.grid, self.layers[:below], live=live)

    def refresh_plane(self, shown: Composite, plane: str, index: NDArray[np.intp]) -> None:
        """Bring a plane of the live composite of all layers up to date at flat ``index``.

        The cost grows with the number of places, not with the map.
        """
        spec = self.system.plane(plane)
        if not spec.shown:
            return
        values = shown.planes[plane]
        if len(index) > values.size // WHOLESALE:
            shown.planes[plane] = _shown_plane(spec, self.grid, self.layers, live=True)
            return
        found = np.full(len(index), spec.default, spec.dtype)
        for layer in self.layers:
            own = layer.planes.get(plane)
            if layer.visible and own is not None:
                here = own.reshape(-1)[index]
                np.copyto(found, here, where=here != spec.unset)
        if values.flags.writeable:
            write(values, index, found)
        # A blank plane that is in use now, or a view of a layer that has an unset value now.
        elif is_blank(values) or (values.reshape(-1)[index] != found).any():
            shown.planes[plane] = self.values(plane)

    def values(self, plane: str, layers: Iterable[Layer] | None = None) -> Plane:
        """One plane of the composite, unset values replaced by the default; a new array."""
        spec = self.system.plane(plane)
        result = np.full(spec.shape(self.grid), spec.default, spec.dtype)
        _lay_over(result, spec, self.layers if layers is None else layers)
        return result

    def owner(self, plane: str, index: int) -> Layer | None:
        """The visible layer whose value shows at flat ``index`` of a plane; None: the default."""
        spec = self.system.plane(plane)
        for layer in reversed(self.layers):
            values = layer.planes.get(plane)
            if layer.visible and values is not None and values.flat[index] != spec.unset:
                return layer
        return None


def _lay_over(result: Plane, spec: PlaneSpec, layers: Iterable[Layer]) -> None:
    for layer in layers:
        values = layer.planes.get(spec.name)
        if layer.visible and values is not None:
            np.copyto(result, values, where=values != spec.unset)


def _shown_plane(spec: PlaneSpec, grid: Grid, layers: Iterable[Layer], *, live: bool) -> Plane:
    setting = [layer for layer in layers if layer.visible and spec.name in layer.planes]
    if not setting:
        return spec.blank(grid)
    only = setting[0].planes[spec.name]
    if live and len(setting) == 1 and not (only == spec.unset).any():
        only = only.view()
        only.flags.writeable = False
        return only
    result = np.full(spec.shape(grid), spec.default, spec.dtype)
    _lay_over(result, spec, setting)
    return result


def composite(
    system: System, grid: Grid, layers: Iterable[Layer], *, live: bool = False
) -> Composite:
    """What ``layers`` (bottom to top) show together; hidden ones count nowhere.

    A ``live`` one may hold read-only views of a layer's planes instead of copies.
    """
    shown = [layer for layer in layers if layer.visible]
    planes: dict[str, Plane] = {}
    for spec in system.shown_planes:
        planes[spec.name] = _shown_plane(spec, grid, shown, live=live)
    properties: dict[str, Any] = dict.fromkeys(PROPERTIES)
    extras: dict[str, object] = {}
    for layer in shown:
        for name in PROPERTIES:
            value = getattr(layer, name)
            if value is not None:
                properties[name] = value
        extras.update(layer.extras)
    return Composite(
        planes,
        properties["title"],
        properties["subtitle"],
        bool(properties["tower"]),
        properties["startlist"],
        extras,
    )
