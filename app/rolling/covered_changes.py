"""Changes of a roll that cannot be seen, since layers above it cover them.

``FinishedRoll`` tells them to a person who has edited the script and sees the same map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Element

MOST_NAMED = 3
"""Up to so many changed cells are named; more are counted."""


class CoveredChanges(NamedTuple):
    """The difference of two rolls of a layer, none of which can be seen."""

    cells: str
    """The cells that differ as text, such as "B3 and C4" or "12 hexes"; "" if nothing does."""

    layers: tuple[str, ...]
    """The names of the layers that cover them."""

    is_certain: bool = True
    """False if some of the cells may be the same: a hand had changed them in the old roll."""

    @property
    def text(self) -> str:
        """The difference as text, such as "B3, which Touch-ups covers"; there must be one."""
        verb = "covers"
        if len(self.layers) > 1:
            verb = "cover"
        text = f"{self.cells}, which {listed(self.layers)} {verb}"
        if self.is_certain:
            return text
        return f"at most {text}"


def covered_changes(battlemap: BattleMap, old: Layer, new: Layer) -> CoveredChanges | None:
    """Return how the layer ``new`` of a map differs from ``old``; None if that can be seen.

    What a hand had changed in ``old`` lies above ``new`` now. What the roll had made there is not
    known, so that it counts as different.
    """
    if _placed(old) != _placed(new):
        return None
    grid = battlemap.grid
    layers_above = battlemap.layers[battlemap.index_of(new.id) + 1 :]
    covering_layers = [layer for layer in layers_above if layer.visible and layer.opacity == 1.0]
    is_changed_cell = np.zeros(grid.size, np.bool_)
    is_certain = True
    names: dict[str, None] = {}  # a set in the order of the layers
    for spec in battlemap.system.planes:
        if not spec.shown:
            continue
        blank = spec.allocate(grid)
        is_changed = old.planes.get(spec.name, blank) != new.planes.get(spec.name, blank)
        if TOUCHED + spec.name in old.planes:
            is_touched = old.planes[TOUCHED + spec.name] != 0
            is_changed |= is_touched
            is_certain &= not is_touched.any()
        if not is_changed.any():
            continue
        is_seen = is_changed.copy()
        for layer in covering_layers:
            if spec.name not in layer.planes:
                continue
            is_covered = layer.planes[spec.name] != spec.unset
            if (is_seen & is_covered).any():
                names[layer.name] = None
            is_seen &= ~is_covered
        # What changes at a corner belongs to no cell that could be named.
        if is_seen.any() or spec.element is Element.CORNER:
            return None
        is_changed_cell |= is_changed.reshape(grid.size, -1).any(axis=1)
    cells = np.flatnonzero(is_changed_cell)
    if len(cells) > MOST_NAMED:
        noun = cell_text("{cell}", grid.layout)
        nouns = cell_text("{cells}", grid.layout)
        return CoveredChanges(counted(len(cells), noun, nouns), tuple(names), is_certain)
    cell_names = [battlemap.system.cell_name(grid, int(cell)) for cell in cells]
    return CoveredChanges(listed(cell_names), tuple(names), is_certain)


def _placed(layer: Layer) -> list[tuple[str, float, float]]:
    """Return kind and position of each thing of a layer; the ids differ from roll to roll."""
    return sorted((thing.kind, thing.x, thing.y) for thing in layer.things.values())
