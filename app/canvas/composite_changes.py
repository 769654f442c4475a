"""Which cells look different where one composite is drawn in place of another.

region = differing_region(battlemap, former_composite, composite)
region.cells        # those of which a shown plane has another value
"""

from __future__ import annotations

import numpy as np

from randomizer.model.comparison.comparison import differing_indices
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Element

EVERYTHING = Region(everything=True)
"""Any cell may look different."""


def differing_region(battlemap: BattleMap, former: Composite, composite: Composite) -> Region:
    """Return what looks different on a map, whose cells showed ``former`` and show ``composite``.

    That is all of the map if it cannot be told by single cells.
    """
    has_same_terrains = former.terrain_set == composite.terrain_set
    if not has_same_terrains or former.properties != composite.properties:
        return EVERYTHING
    system = battlemap.system
    planes_of_routes = {route.plane for route in system.routes_of(composite.terrain_set)}
    cells = np.empty(0, np.intp)
    differing_planes = set[str]()
    for spec in system.shown_planes:
        values = composite.planes[spec.name]
        former_values = former.planes[spec.name]
        if values.shape != former_values.shape:
            return EVERYTHING  # the map has got another grid
        indices = differing_indices(battlemap.grid, spec.element, [(former_values, values)])
        if not len(indices):
            continue
        # Where routes lie beside one another, their order depends on cells at any distance.
        if spec.element is not Element.CELL or spec.name in planes_of_routes:
            return EVERYTHING
        cells = np.union1d(cells, indices)
        differing_planes.add(spec.name)
    return Region(cells, planes=frozenset(differing_planes))
