"""The usual priority of a texture: that which most tiles with it have on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.systems.zeroad.map.planes import PRIORITY, TEXTURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.composite import Composite
    from randomizer.model.planes import Plane

SAMPLE = 16_384
"""Of a large map so many tiles are looked at, unless these have none of the texture."""


def usual_priority(composite: Composite, texture: int) -> int:
    """The most common priority of a texture, the lowest of several; 0 if no tile has it."""
    textures = composite.planes[TEXTURE.name].reshape(-1)
    priorities = composite.planes[PRIORITY.name].reshape(-1)
    for step in (max(1, textures.size // SAMPLE) | 1, 1):  # odd, so that columns alternate
        found = priorities[::step][textures[::step] == texture]
        if len(found):
            return int(np.bincount(found).argmax())
    return 0


def priorities_of(composite: Composite, plane: str, values: Plane) -> Mapping[str, Plane]:
    """The priorities that painted textures get, by the name of their plane.

    ``values`` (n,) are painted in ``plane``; see ``System.painted_with``.
    """
    if plane != TEXTURE.name:
        return {}
    made = np.zeros(values.shape, PRIORITY.dtype)
    for texture in np.unique(values).tolist():
        made[values == texture] = usual_priority(composite, texture)
    return {PRIORITY.name: made}
