"""The passes in which a map with translucent layers is drawn, from the bottom up.

A map has layers, and each sets the values of some cells. Usually all layers are opaque: then each
cell shows the topmost value that is set there (the *composite* of the map), and one pass draws it.
A translucent layer needs a pass of its own, which is laid with the layer's opacity over what the
passes before it have drawn::

    layers from below    opacity    passes
    land                 1.0        1: land and roads, all cells
    roads                1.0
    fog                  0.5        2: with the opacity 0.5, the cells in which the fog sets a value

``opacity_passes`` says which passes a map has; painters ask each pass which cells it ``draws``, and
for the ``values`` that it shows there.
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
    """One of the drawings of a map that are laid on one another."""

    layers: tuple[Layer, ...] = ()
    """The layers whose values the pass shows, from the bottom up: those of the passes below, too.

    So a cell that is drawn anew shows also what the lower layers set there, such as its elevation.
    """

    drawn_layers: tuple[Layer, ...] = ()
    """The last of ``layers``, which decide what the pass draws: cells in which one sets a value.

    () for a pass that draws all cells, as the bottom one does.
    """

    shows_composite: bool = False
    """True for the only pass of an opaque map (``SINGLE_PASS``).

    It draws all cells with the values of the composite, and has no ``layers``.
    """

    opacity: float = 1.0
    """The opacity in which the pass is laid over those before it, 0 to 1."""

    is_alone: bool = False
    """True for the bottom pass over a picture, which is seen where the pass draws no cell.

    Cells that are not drawn count as missing neighbours, as those beyond the map's edge do.
    Painters of cells look at this.
    """

    def values(
        self, composite: Composite, spec: PlaneSpec, cells: slice | NDArray[np.intp]
    ) -> Plane:
        """Return the values of a plane that the pass shows in n cells.

        ``cells`` are their indices, or a slice of them. The result has the shape (n,), for a plane
        of sides (n, degree).
        """
        shown_values = flat(composite.planes[spec.name])[cells]
        if self.shows_composite:
            return shown_values
        result = np.full(shown_values.shape, spec.default, shown_values.dtype)
        for layer in self.layers:
            plane = layer.planes.get(spec.name)
            if plane is not None:
                layer_values = flat(plane)[cells]
                np.copyto(result, layer_values, where=layer_values != spec.unset)
        return result

    def draws(
        self, specs: tuple[PlaneSpec, ...], cells: slice | NDArray[np.intp]
    ) -> NDArray[np.bool_] | None:
        """Return for each of n cells whether the pass draws it, (n,); None if it draws all cells.

        A cell is drawn if a layer of the pass sets a value of one of the planes ``specs`` in it.
        ``cells`` are their indices, or a slice of them.
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


SINGLE_PASS = (OpacityPass(shows_composite=True),)
"""The passes of a map whose layers are all opaque: one."""


def opacity_passes(battlemap: BattleMap) -> tuple[OpacityPass, ...]:
    """Return the passes of a map's visible layers; ``SINGLE_PASS`` if all are opaque.

    Opaque layers that follow one another share a pass; a translucent one has its own.
    """
    layers = _visible_layers(battlemap)
    if all(layer.opacity >= 1.0 for layer in layers):
        return SINGLE_PASS
    passes = []
    first_drawn = 0
    for end, layer in enumerate(layers, 1):
        # An opaque layer below another opaque one is drawn in the pass of that one.
        next_is_opaque = end < len(layers) and layers[end].opacity >= 1.0
        if layer.opacity >= 1.0 and next_is_opaque:
            continue
        drawn_layers = layers[first_drawn:end]  # shown are all below, too
        opacity = max(0.0, layer.opacity)
        passes.append(OpacityPass(layers[:end], drawn_layers, opacity=opacity))
        first_drawn = end

    # The bottom pass is opaque and draws every cell, also those in which no layer sets a value.
    bottom = passes[0]
    if bottom.opacity < 1.0:
        return (OpacityPass(), *passes)
    return (OpacityPass(bottom.layers), *passes[1:])


def passes_over_picture(
    battlemap: BattleMap, passes: tuple[OpacityPass, ...]
) -> tuple[OpacityPass, ...]:
    """Return passes for a map that lies over a picture, which is seen where no layer sets a value.

    ``passes`` are the ``opacity_passes`` of the map. None of those returned draws all cells.
    """
    if passes[0].shows_composite:
        passes = (OpacityPass(_visible_layers(battlemap)),)
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
    """Return a plane (height, width, ...) as an array (cells, ...): a view, not a copy."""
    return plane.reshape(plane.shape[0] * plane.shape[1], *plane.shape[2:])
