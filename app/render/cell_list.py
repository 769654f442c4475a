"""The cells that a map lists by name (``System.cell_list``), such as where a defender begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite


def listed_cells(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """The listed cells, ascending (n,); names of no cell are left out."""
    system = battlemap.system
    names = system.listed_cells(composite.properties)
    found = {system.cell_of_name(battlemap.grid, name) for name in names}
    return np.array(sorted(cell for cell in found if cell is not None), np.intp)
