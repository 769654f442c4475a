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
    """Shows the layers ``below``, from the bottom up, with ``opacity``.

    It draws the cells in which the layers ``own`` (the topmost of ``below``) set something; all
    cells if ``own`` is (). ``own`` None: all cells, with the values of the composite.
    ``alone``: cells that it does not draw are none for those beside them.
    """

    below: tuple[Layer, ...] = ()
    own: tuple[Layer, ...] | None = None
    opacity: float = 1.0
    alone: bool = False

    def values(
        self, composite: Composite, spec: PlaneSpec, cells: slice | NDArray[np.intp]
    ) -> Plane:
        """Return values of a plane that the pass shows at ``cells`` (n,): of cells (n,), of sides
        (n, degree).
        """
        values = flat(composite.planes[spec.name])[cells]
        if self.own is None:
            return values
        result = np.full(values.shape, spec.default, values.dtype)
        for layer in self.below:
            plane = layer.planes.get(spec.name)
            if plane is not None:
                own = flat(plane)[cells]
                np.copyto(result, own, where=own != spec.unset)
        return result

    def draws(
        self, specs: tuple[PlaneSpec, ...], cells: slice | NDArray[np.intp]
    ) -> NDArray[np.bool_] | None:
        """Return which of ``cells`` (n,) the pass draws, as far as these planes go; None for
        all.
        """
        if not self.own:
            return None
        result: NDArray[np.bool_] | None = None
        for layer in self.own:
            for spec in specs:
                plane = layer.planes.get(spec.name)
                if plane is not None:
                    own: NDArray[np.bool_] = flat(plane)[cells] != spec.unset
                    own = own if own.ndim == 1 else np.asarray(own.any(axis=1))
                    result = own if result is None else result | own
        if result is None:
            if isinstance(cells, slice):
                count = cells.stop - cells.start
            else:
                count = len(cells)
            result = np.zeros(count, np.bool_)
        return result


SINGLE_PASS = (OpacityPass(),)
"""The passes of a map whose layers are all opaque."""


def opacity_passes(battlemap: BattleMap) -> tuple[OpacityPass, ...]:
    """Return the passes of a map's visible layers; ``SINGLE_PASS`` if all are opaque."""
    shown = [layer for layer in battlemap.layers if layer.visible]
    if all(layer.opacity >= 1.0 for layer in shown):
        return SINGLE_PASS
    result = []
    start = 0
    for end in range(1, len(shown) + 1):
        layer = shown[end - 1]
        run_ends = end == len(shown) or shown[end].opacity < 1.0
        if layer.opacity < 1.0 or run_ends:
            result.append(
                OpacityPass(tuple(shown[:end]), tuple(shown[start:end]), max(0.0, layer.opacity))
            )
            start = end
    # The bottom pass is opaque and draws every cell, also those that no layer sets.
    first = result[0]
    if first.opacity < 1.0:
        return (OpacityPass((), ()), *result)
    return (OpacityPass(first.below, ()), *result[1:])


def without_unset(battlemap: BattleMap, passes: tuple[OpacityPass, ...]) -> tuple[OpacityPass, ...]:
    """Return the passes without the cells that no visible layer sets: a picture shows there."""
    if passes is SINGLE_PASS:
        passes = (OpacityPass(tuple(layer for layer in battlemap.layers if layer.visible), ()),)
    return tuple(
        replace(each, own=each.own or each.below, alone=not number)
        for number, each in enumerate(passes)
        if each.below
    )


def flat(plane: Plane) -> Plane:
    """Return a plane (h, w, ...) with one row a cell, (h * w, ...), as a view of the same
    memory.
    """
    return plane.reshape(plane.shape[0] * plane.shape[1], *plane.shape[2:])
