"""Translucent layers: the map is drawn in passes, from the bottom of its layers to the top.

If all visible layers are opaque there is one pass, which shows the composite.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane, PlaneSpec


@dataclass(frozen=True, slots=True)
class OpacityPass:
    """One of the drawings of a map that, laid on one another, show its translucent layers.

    Two layers, the upper one with the opacity 0.5, make two passes: the first draws all cells with
    the values of the lower layer, the second, with the opacity 0.5, those cells in which the upper
    layer sets something, with the values of both.
    """

    layers: tuple[Layer, ...] = ()
    """The layers whose values the pass shows, from the bottom up."""

    drawn_layers: tuple[Layer, ...] | None = None
    """The topmost of ``layers``: the pass draws the cells in which one of them sets something.

    It draws all cells if this is (), or None; with None it shows the values of the composite.
    """

    opacity: float = 1.0

    is_alone: bool = False
    """True for the bottom pass over a picture: cells that it does not draw do not exist for those
    beside them."""

    def values(
        self, composite: Composite, spec: PlaneSpec, cells: slice | NDArray[np.intp]
    ) -> Plane:
        """Return values of a plane that the pass shows at ``cells`` (n,): of cells (n,), of sides
        (n, degree).
        """
        values = flat(composite.planes[spec.name])[cells]
        if self.drawn_layers is None:
            return values
        result = np.full(values.shape, spec.default, values.dtype)
        for layer in self.layers:
            plane = layer.planes.get(spec.name)
            if plane is not None:
                layer_values = flat(plane)[cells]
                np.copyto(result, layer_values, where=layer_values != spec.unset)
        return result

    def draws(
        self, specs: tuple[PlaneSpec, ...], cells: slice | NDArray[np.intp]
    ) -> NDArray[np.bool_] | None:
        """Return a mask (n,) of those of ``cells`` that the pass draws, as far as planes go.

        None if it draws all. ``cells`` are the indices of n cells, or a slice of them.
        """
        if not self.drawn_layers:
            return None
        if isinstance(cells, slice):
            count = cells.stop - cells.start
        else:
            count = len(cells)
        result = np.zeros(count, np.bool_)
        for layer in self.drawn_layers:
            for spec in specs:
                plane = layer.planes.get(spec.name)
                if plane is None:
                    continue
                is_set = flat(plane)[cells] != spec.unset
                if is_set.ndim > 1:  # a plane of sides has several values for each cell
                    is_set = is_set.any(axis=1)
                result |= is_set
        return result


SINGLE_PASS = (OpacityPass(),)
"""The passes of a map whose layers are all opaque."""


def opacity_passes(battlemap: BattleMap) -> tuple[OpacityPass, ...]:
    """Return the passes of a map's visible layers; ``SINGLE_PASS`` if all are opaque.

    Opaque layers that follow one another share a pass; a translucent one has its own.
    """
    layers = _visible_layers(battlemap)
    if all(layer.opacity >= 1.0 for layer in layers):
        return SINGLE_PASS
    passes = []
    first_drawn = 0
    for count, layer in enumerate(layers, 1):
        is_followed_by_opaque = count < len(layers) and layers[count].opacity >= 1.0
        if layer.opacity >= 1.0 and is_followed_by_opaque:
            continue
        drawn_layers = layers[first_drawn:count]
        passes.append(OpacityPass(layers[:count], drawn_layers, max(0.0, layer.opacity)))
        first_drawn = count
    # The bottom pass is opaque and draws every cell, also those that no layer sets.
    bottom = passes[0]
    if bottom.opacity < 1.0:
        return (OpacityPass((), ()), *passes)
    return (OpacityPass(bottom.layers, ()), *passes[1:])


def without_unset(battlemap: BattleMap, passes: tuple[OpacityPass, ...]) -> tuple[OpacityPass, ...]:
    """Return the passes without the cells that no visible layer sets: a picture shows there."""
    if passes is SINGLE_PASS:
        passes = (OpacityPass(_visible_layers(battlemap), ()),)
    result: list[OpacityPass] = []
    for opacity_pass in passes:
        if not opacity_pass.layers:
            continue  # the bottom pass without any layer would only draw unset cells
        drawn_layers = opacity_pass.drawn_layers
        if not drawn_layers:  # the bottom pass, which draws all cells
            drawn_layers = opacity_pass.layers
        is_alone = not result  # nothing but the picture lies below the first one
        result.append(replace(opacity_pass, drawn_layers=drawn_layers, is_alone=is_alone))
    return tuple(result)


def _visible_layers(battlemap: BattleMap) -> tuple[Layer, ...]:
    """Return the layers of a map that are shown, from the bottom up."""
    return tuple(layer for layer in battlemap.layers if layer.visible)


def flat(plane: Plane) -> Plane:
    """Return a plane (h, w, ...) with one row a cell, (h * w, ...), as a view of the same
    memory.
    """
    return plane.reshape(plane.shape[0] * plane.shape[1], *plane.shape[2:])
