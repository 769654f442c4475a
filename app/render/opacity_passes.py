"""Translucent layers: a frame is drawn in passes, one for each step of the stack.

All layers opaque means one pass, which shows the composite itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap, Composite, Layer, Plane, PlaneSpec


@dataclass(frozen=True, slots=True)
class OpacityPass:
    """What ``below`` (bottom to top) shows, drawn with ``opacity`` where ``own`` set something.

    ``own`` None: everywhere, and as the composite has it.
    """

    below: tuple[Layer, ...] = ()
    own: tuple[Layer, ...] | None = None
    opacity: float = 1.0


SINGLE_PASS = (OpacityPass(),)


def opacity_passes(battlemap: BattleMap) -> tuple[OpacityPass, ...]:
    """The passes of a map's visible layers; ``SINGLE_PASS`` if all are opaque."""
    shown = [layer for layer in battlemap.layers if layer.visible]
    if all(layer.opacity >= 1.0 for layer in shown):
        return SINGLE_PASS
    found = []
    start = 0
    for end in range(1, len(shown) + 1):
        layer = shown[end - 1]
        run_ends = end == len(shown) or shown[end].opacity < 1.0
        if layer.opacity < 1.0 or run_ends:
            found.append(
                OpacityPass(tuple(shown[:end]), tuple(shown[start:end]), max(0.0, layer.opacity))
            )
            start = end
    # The bottom pass is opaque and everywhere: what lies on the table, set or not.
    first = found[0]
    if first.opacity < 1.0:
        return (OpacityPass((), ()), *found)
    return (OpacityPass(first.below, ()), *found[1:])


def flat(plane: Plane) -> Plane:
    """A plane as one row per cell, without a copy."""
    return plane.reshape(plane.shape[0] * plane.shape[1], *plane.shape[2:])


def shown(
    step: OpacityPass, composite: Composite, spec: PlaneSpec, cells: slice | NDArray[np.intp]
) -> Plane:
    """The values of a cell or side plane that a pass shows at ``cells``: shape (n,) or (n, d)."""
    values = flat(composite.planes[spec.name])[cells]
    if step.own is None:
        return values
    result = np.full(values.shape, spec.default, values.dtype)
    for layer in step.below:
        plane = layer.planes.get(spec.name)
        if plane is not None:
            own = flat(plane)[cells]
            np.copyto(result, own, where=own != spec.unset)
    return result


def is_own(
    step: OpacityPass, specs: tuple[PlaneSpec, ...], cells: slice | NDArray[np.intp]
) -> NDArray[np.bool_] | None:
    """Where the pass draws: shape (n,); None for everywhere."""
    if not step.own:
        return None
    result: NDArray[np.bool_] | None = None
    for layer in step.own:
        for spec in specs:
            plane = layer.planes.get(spec.name)
            if plane is not None:
                found: NDArray[np.bool_] = flat(plane)[cells] != spec.unset
                found = found if found.ndim == 1 else np.asarray(found.any(axis=1))
                result = found if result is None else result | found
    if result is None:
        count = cells.stop - cells.start if isinstance(cells, slice) else len(cells)
        result = np.zeros(count, np.bool_)
    return result
