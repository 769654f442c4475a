"""Composing layers: plane by plane the topmost set value shows, else the plane's default."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.terrain.terrain import TerrainSet


def overlay(result: Plane, spec: PlaneSpec, layers: Iterable[Layer]) -> None:
    """Write the set values of the visible ``layers`` (bottom to top) over ``result``, in place."""
    for layer in layers:
        values = layer.planes.get(spec.name)
        if layer.visible and values is not None:
            np.copyto(result, values, where=values != spec.unset)


def shown_plane(spec: PlaneSpec, grid: Grid, layers: Iterable[Layer], *, live: bool) -> Plane:
    """Return one plane as ``layers`` show it; ``blank`` if none has it.

    ``live``: where one layer alone sets all of it, return a read-only view of that layer's plane,
    not a copy.
    """
    contributing = [layer for layer in layers if layer.visible and spec.name in layer.planes]
    if not contributing:
        return spec.blank(grid)
    lowest = contributing[0].planes[spec.name]
    if live and len(contributing) == 1 and not (lowest == spec.unset).any():
        view = lowest.view()
        view.flags.writeable = False
        return view
    result = np.full(spec.shape(grid), spec.default, spec.dtype)
    overlay(result, spec, contributing)
    return result


def compose(
    system: System,
    terrain_set: TerrainSet,
    grid: Grid,
    layers: Iterable[Layer],
    *,
    live: bool = False,
) -> Composite:
    """Return what ``layers`` (bottom to top) show together; hidden ones are ignored.

    Their codes are those of ``terrain_set``. A ``live`` composite can hold read-only views of a
    layer's planes instead of copies.
    """
    all_layers = list(layers)
    planes: dict[str, Plane] = {}
    for spec in system.shown_planes:
        planes[spec.name] = shown_plane(spec, grid, all_layers, live=live)
    properties: dict[str, Any] = {}
    extras: dict[str, object] = {}
    for layer in all_layers:
        if layer.visible:
            properties.update(layer.properties)
            extras.update(layer.extras)
    return Composite(terrain_set, planes, properties, extras)
