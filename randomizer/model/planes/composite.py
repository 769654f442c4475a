"""What a stack of layers shows together."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from randomizer.model.planes.planes import Plane, PlaneSpec, is_blank
from randomizer.model.terrain.terrain import TerrainSet


@dataclass(frozen=True, eq=False)
class Composite:
    """The values that a stack of layers shows: every shown plane, without unset values.

    A plane that no layer uses is ``planes.blank``. ``terrain_set`` is the map's: it names the codes
    of the terrain and hexside planes. ``properties`` holds those that a layer sets; ``Property.of``
    gives the default of others.
    """

    terrain_set: TerrainSet
    planes: MutableMapping[str, Plane]
    properties: MutableMapping[str, Any]
    extras: Mapping[str, object]

    def plane(self, spec: PlaneSpec | None) -> Plane | None:
        """Return the values of a shown plane; None for None, a plane that the system lacks."""
        if spec is None:
            return None
        return self.planes[spec.name]

    def copy(self) -> Composite:
        """Return a copy that no edit changes."""
        planes = {
            name: plane if is_blank(plane) else plane.copy() for name, plane in self.planes.items()
        }
        return replace(self, planes=planes, properties=dict(self.properties))

    def same_as(self, other: Composite) -> bool:
        """Return whether both show the same map, properties included (``extras`` are ignored)."""
        return (
            (self.terrain_set, self.properties) == (other.terrain_set, other.properties)
            and self.planes.keys() == other.planes.keys()
            and all(
                np.array_equal(plane, other.planes[name]) for name, plane in self.planes.items()
            )
        )
