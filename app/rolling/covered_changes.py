"""Changes of a roll that cannot be seen, since layers above it cover them.

A person has edited a script, rolls it again and sees the same map: the message about the
roll (``roll_texts``) then says what the edit changes and which layers hide it, such as "B3, which
Touch-ups covers". Begin reading with ``covered_changes``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Element, PlaneSpec

MAX_NAMED = 3
"""Up to so many changed cells are named; more are counted, to keep the message to one line."""


class CoveredChanges(NamedTuple):
    """The difference of two rolls of a layer, none of which can be seen; it may be empty."""

    cells_text: str
    """The cells that differ as text, such as "B3 and C4" or "12 hexes"; "" if nothing differs."""

    layer_names: tuple[str, ...]
    """The names of the layers that cover them."""

    is_certain: bool = True
    """False if some of the cells may be the same: a hand had changed them in the old roll."""

    @property
    def is_empty(self) -> bool:
        """True if nothing differs."""
        return not self.cells_text

    @property
    def text(self) -> str:
        """The difference as text, such as "B3, which Touch-ups covers"; it must not be empty."""
        verb = "covers"
        if len(self.layer_names) > 1:
            verb = "cover"
        text = f"{self.cells_text}, which {listed(self.layer_names)} {verb}"
        if self.is_certain:
            return text
        return f"at most {text}"


def covered_changes(battlemap: BattleMap, old: Layer, new: Layer) -> CoveredChanges | None:
    """Return how the layer ``new`` of a map differs from ``old``; None if that can be seen.

    What a person had changed in ``old`` lies above ``new`` now. What the roll had made below that
    is not known, so that it counts as different. If only such cells could differ, None is returned:
    it is likelier that nothing has changed.
    """
    # Things are covered by no layer above, so a change of them is always seen.
    if _looks_of_things(old) != _looks_of_things(new):
        return None

    grid = battlemap.grid
    covering_layers = _covering_layers(battlemap, new)
    is_changed_cell = np.zeros(grid.size, np.bool_)
    is_certain = True
    has_certain_change = False
    names_of_layers: dict[str, None] = {}  # a set that keeps the order
    for spec in battlemap.system.planes:
        if not spec.shown:
            continue
        is_touched = _touched_values(old, spec, grid)
        is_differing = _differing_values(old, new, spec, grid)
        has_certain_change |= bool((is_differing & ~is_touched).any())
        is_changed = is_differing | is_touched
        if not is_changed.any():
            continue
        if is_touched.any():
            is_certain = False
        names = _names_of_layers_that_cover(is_changed, spec, covering_layers)
        # What changes at a corner belongs to no cell that could be named.
        if names is None or spec.element is Element.CORNER:
            return None
        names_of_layers.update(dict.fromkeys(names))
        # A cell is changed if any of its values is: a plane of sides has several for each cell.
        is_changed_cell |= is_changed.reshape(grid.size, -1).any(axis=1)

    if not is_certain and not has_certain_change:
        return None
    cells_text = _text_of_cells(battlemap, np.flatnonzero(is_changed_cell))
    return CoveredChanges(cells_text, tuple(names_of_layers), is_certain)


def _looks_of_things(layer: Layer) -> list[tuple[object, ...]]:
    """Return what is seen of the things of a layer, sorted; their ids differ from roll to roll."""
    looks = []
    for thing in layer.things.values():
        looks.append((thing.kind, thing.x, thing.y, thing.angle, thing.owner, thing.label))
    return sorted(looks)


def _covering_layers(battlemap: BattleMap, layer: Layer) -> list[Layer]:
    """Return the layers above one that hide what it has below their own values."""
    layers_above = battlemap.layers[battlemap.index_of(layer.id) + 1 :]
    return [above for above in layers_above if above.visible and above.opacity == 1.0]


def _differing_values(old: Layer, new: Layer, spec: PlaneSpec, grid: Grid) -> NDArray[np.bool_]:
    """Return where a plane of two layers differs, in the shape of the plane."""
    unset_plane = spec.allocate(grid)  # a layer does not store a plane of which nothing is set
    old_values = old.planes.get(spec.name, unset_plane)
    new_values = new.planes.get(spec.name, unset_plane)
    differs: NDArray[np.bool_] = old_values != new_values
    return differs


def _touched_values(layer: Layer, spec: PlaneSpec, grid: Grid) -> NDArray[np.bool_]:
    """Return which values of a plane of a layer a hand has changed, in the shape of the plane."""
    marks = layer.planes.get(TOUCHED + spec.name)
    if marks is None:
        return np.zeros(spec.shape(grid), np.bool_)
    is_touched: NDArray[np.bool_] = marks != 0
    return is_touched


def _names_of_layers_that_cover(
    is_changed: NDArray[np.bool_], spec: PlaneSpec, covering_layers: list[Layer]
) -> list[str] | None:
    """Return the names of the layers that cover the changed values of a plane together.

    None if they leave any uncovered. A layer that covers only what lower ones cover already is not
    named.
    """
    names = []
    is_uncovered = is_changed.copy()
    for layer in covering_layers:
        if spec.name not in layer.planes:
            continue
        is_covered = layer.planes[spec.name] != spec.unset
        if (is_uncovered & is_covered).any():
            names.append(layer.name)
        is_uncovered &= ~is_covered
    if is_uncovered.any():
        return None
    return names


def _text_of_cells(battlemap: BattleMap, cells: NDArray[np.intp]) -> str:
    """Return the names of cells as text, or their count if they are many; "" for none."""
    if len(cells) > MAX_NAMED:
        noun = cell_text("{cell}", battlemap.grid.layout)
        nouns = cell_text("{cells}", battlemap.grid.layout)
        return counted(len(cells), noun, nouns)
    return listed([battlemap.system.cell_name(battlemap.grid, int(cell)) for cell in cells])
