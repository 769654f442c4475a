"""Find and replace ways: roads, rivers and railways become others, or are removed.

A way is made of *links*, steps from a cell to the next one. A link is stored twice: in each of the
two cells, as the bit of the side by which the way leaves it (``planes/routes.py``)::

    cell A --- cell B       A has the bit of its side to B, B that of its side to A

Two things make ways harder to replace than terrain. A link must change at both ends or not at all.
And a way that replaces another is joined with what lies there already: where a track becomes a
road beside another road, the cell has the links of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.replacement_names import Replacement, Subject
from randomizer.geometry.value_replacement import PlaneChange
from randomizer.model.planes.routes import PRESENT, SIDES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.routes import RouteSpec
    from randomizer.model.system.system import System

_WATER = "water"
"""The style of ways in which water flows."""


class _WayReplacement(NamedTuple):
    """A way that is replaced."""

    old: RouteSpec

    new: RouteSpec | None
    """The way that replaces it, None for no way."""


def way_changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[PlaneChange]:
    """Yield what changes in the planes of all layers, locked ones too, each element once.

    Only links with both ends in ``cells`` change, unless these are None. Names must be in the
    terrain set.
    """
    routes = {route.name: route for route in battlemap.system.routes_of(battlemap.terrain_set)}
    ways = []
    for replacement in replacements:
        if replacement.subject is not Subject.WAY or replacement.old == replacement.new:
            continue
        new_route = None
        if replacement.new:
            new_route = routes[replacement.new]
        ways.append(_WayReplacement(routes[replacement.old], new_route))
    if not ways:
        return
    for layer in battlemap.layers:
        yield from _changes_of_layer(battlemap, layer, ways, cells)


def _changes_of_layer(
    battlemap: BattleMap,
    layer: Layer,
    ways: Sequence[_WayReplacement],
    cells: NDArray[np.intp] | None,
) -> Iterator[PlaneChange]:
    """Yield what changes in one layer.

    All old links are removed before any new one is added. So two ways can be exchanged, and it does
    not matter whether two ways share a plane.
    """
    old_values = _values_of_routes(battlemap, layer, ways)
    new_values = {name: values.copy() for name, values in old_values.items()}

    # Find the links of each way before any of them is removed.
    links_of_ways = []
    for way in ways:
        values = old_values[way.old.plane]
        links = np.where(way.old.runs(values), values & SIDES, 0)
        links_of_ways.append(_links_within(battlemap.grid, links, cells))

    for way, links in zip(ways, links_of_ways, strict=True):
        plane = way.old.plane
        new_values[plane] = _without_links(new_values[plane], links)
    for way, links in zip(ways, links_of_ways, strict=True):
        if way.new is not None:
            plane = way.new.plane
            new_values[plane] = _with_links(new_values[plane], links, way.new)
    for name, values in new_values.items():
        elements = np.flatnonzero(values != old_values[name])
        if len(elements):
            yield PlaneChange(layer, name, elements, values[elements])

    yield from _flow_changes(battlemap.system, layer, _dry_cells(ways, old_values, new_values))


def _dry_cells(
    ways: Sequence[_WayReplacement],
    old_values: dict[str, NDArray[np.int64]],
    new_values: dict[str, NDArray[np.int64]],
) -> NDArray[np.bool_]:
    """Return the cells, (size,), in which a river was and none is left: no water flows there.

    Both sets of values are those of ``_values_of_routes``, of which there is one at least.
    """
    size = len(next(iter(old_values.values())))
    had_water = np.zeros(size, np.bool_)
    has_water = np.zeros(size, np.bool_)
    for way in ways:
        for route in way:
            if route is not None and route.style == _WATER:
                had_water |= route.runs(old_values[route.plane])
                has_water |= route.runs(new_values[route.plane])
    return had_water & ~has_water


def _values_of_routes(
    battlemap: BattleMap, layer: Layer, ways: Sequence[_WayReplacement]
) -> dict[str, NDArray[np.int64]]:
    """Return the planes of a layer that hold old or new ways, by name, each of shape (size,).

    A plane that the layer lacks is unset everywhere.
    """
    values: dict[str, NDArray[np.int64]] = {}
    for way in ways:
        for route in way:
            if route is None or route.plane in values:
                continue
            plane = layer.planes.get(route.plane)
            if plane is None:
                plane = battlemap.system.plane(route.plane).allocate(battlemap.grid)
            values[route.plane] = plane.reshape(-1).astype(np.int64)
    return values


def _links_within(
    grid: Grid, links: NDArray[np.int64], cells: NDArray[np.intp] | None
) -> NDArray[np.int64]:
    """Return those links that have all their ends in ``cells``; all of them if that is None.

    ``links`` are bits of sides for each cell, shape (size,). A link that leads off the map has one
    end.
    """
    if cells is None:
        return links
    # One element more than there are cells stands for "off the map": -1, the neighbour there, is
    # the index of the last element.
    is_chosen = np.zeros(grid.size + 1, np.bool_)
    is_chosen[cells] = True
    is_chosen[-1] = True
    neighbours = np.asarray(grid.neighbour_table)
    chosen_links = np.zeros(len(links), np.int64)
    for side in range(grid.degree):
        has_both_ends = is_chosen[:-1] & is_chosen[neighbours[:, side]]
        chosen_links |= np.where(has_both_ends, 1 << side, 0)
    return links & chosen_links


def _without_links(values: NDArray[np.int64], links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values of a plane of ways without ``links``, bits of sides; both of shape (size,).

    A cell in which no link remains has no way: the mark of its kind goes, too.
    """
    remaining = values & ~links
    remaining = np.where(remaining & SIDES, remaining, 0)
    return np.where(links > 0, remaining, values)


def _with_links(
    values: NDArray[np.int64], links: NDArray[np.int64], route: RouteSpec
) -> NDArray[np.int64]:
    """Return values of a plane of ways with ``links`` of a way beside those that are there.

    A plane holds one way in a cell: if another one is there, its links become those of ``route``.
    """
    present_links = np.where(values & PRESENT, values & SIDES, 0)
    return np.where(links > 0, route.mark | present_links | links, values)


def _flow_changes(system: System, layer: Layer, is_dry: NDArray[np.bool_]) -> Iterator[PlaneChange]:
    """Yield that flow and its width become unset in dry cells; ``is_dry`` has shape (size,)."""
    for spec in (system.flow, system.flow_width):
        if spec is None or spec.name not in layer.planes:
            continue
        values = layer.planes[spec.name].reshape(-1)
        elements = np.flatnonzero(is_dry & (values != spec.unset))
        if len(elements):
            unset_values = np.full(len(elements), spec.unset, np.int64)
            yield PlaneChange(layer, spec.name, elements, unset_values)
