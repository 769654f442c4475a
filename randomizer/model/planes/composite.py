"""The composite of a map: what its stack of layers shows together.

``compose`` (map/compositing.py) makes it; the canvas draws it, and edits keep it up to date
(``Edit.refresh``).
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from randomizer.model.planes.planes import Plane, PlaneSpec, is_blank
from randomizer.model.terrain.terrain import TerrainSet


@dataclass(frozen=True, eq=False)
class Composite:
    """The values that a stack of layers shows."""

    terrain_set: TerrainSet
    """That of the map: it names the codes in the planes of terrains and hexsides."""

    planes: MutableMapping[str, Plane]
    """Every shown plane by its name, without unset values; ``blank`` if no layer sets a value."""

    properties: MutableMapping[str, Any]
    """The properties that a layer sets; ``Property.of`` gives the default of others."""

    extras: Mapping[str, object]
    """What layers keep of their files (``Layer.extras``)."""

    def plane(self, spec: PlaneSpec | None) -> Plane | None:
        """Return the values of a shown plane; None for None, a plane that the system lacks."""
        if spec is None:
            return None
        return self.planes[spec.name]

    def copy(self) -> Composite:
        """Return a copy that no edit changes."""
        planes = dict(self.planes)
        for name, plane in planes.items():
            if not is_blank(plane):  # a blank plane is never written to
                planes[name] = plane.copy()
        return replace(self, planes=planes, properties=dict(self.properties))

    def same_as(self, other: Composite) -> bool:
        """Return whether both show the same map, properties included (``extras`` are ignored)."""
        if self.terrain_set != other.terrain_set or self.properties != other.properties:
            return False
        if self.planes.keys() != other.planes.keys():
            return False
        return all(np.array_equal(plane, other.planes[name]) for name, plane in self.planes.items())
