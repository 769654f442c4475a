"""How terrains stand in landscapes, told by the groups of their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.render.picture_source import VARIANTS
from app.render.scene.spans import kinds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.render.picture_source import Pictures
    from randomizer.model.layouts import Layout
    from randomizer.model.terrain import TerrainSet

MOST_VARIANTS = 8
"""Single cells have at most so many variants, pictures over sides and spans ``FEW``."""

FEW = 2

MASKS = 8
"""The sides between alike cells that a cell draws, as a bit mask, are below this."""


class Standing(NamedTuple):
    """How the terrains of a set stand in a layout: arrays of shape (terrains,).

    ``variants`` of single cells, whether they ``close`` up over sides, whether they ``span`` cells.
    """

    prefix: str
    sides: tuple[int, ...]
    variants: NDArray[np.intp]
    close: NDArray[np.bool_]
    span: NDArray[np.bool_]


def standing_of(layout: Layout, terrain_set: TerrainSet, pictures: Pictures) -> Standing:
    """How the terrains of a set stand, by the groups of their pictures."""
    prefix = "pointy" if layout.name == "oblique" else layout.name
    kinds = kinds_of(layout)
    sides = tuple(kind.sides[0] for kind in kinds if kind.name.startswith("pair"))
    found = [pictures.standing(terrain) for terrain in terrain_set.terrains]
    variants = [0 if own is None else own.count(f"{prefix}-cell") for own in found]
    return Standing(
        prefix,
        sides,
        np.array([min(MOST_VARIANTS, count or VARIANTS) for count in variants], np.intp),
        np.array([own is not None and own.count(f"{prefix}-side{sides[0]}") > 0 for own in found]),
        np.array([own is not None and own.count(f"{prefix}-pair{sides[0]}") > 0 for own in found]),
    )
