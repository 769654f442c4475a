"""The text about paint on locked cells and sides: a lock binds rolls, not the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.edits.edit import Edit
    from randomizer.model.planes.planes import PlaneSpec


def painted_locks_text(document: MapDocument, edit: Edit) -> str:
    """Return what the locks hold now whose values a done edit has changed; "" if it changed none.

    Without the text a person who paints over a padlock does not learn whether the lock keeps the
    old value, or the paint.
    """
    battlemap = document.battlemap
    grid = battlemap.grid
    changed_planes: dict[str, PlaneSpec] = {}
    changed_cells: set[int] = set()
    for part in parts(edit):
        if not isinstance(part, PlaneEdit):
            continue
        spec = battlemap.system.plane(part.plane)
        if not spec.shown:
            continue
        is_locked = battlemap.locks(spec.element).reshape(-1)[part.index]
        locked_elements = part.index[is_locked]
        if not len(locked_elements):
            continue
        changed_planes[spec.name] = spec
        if spec.element is Element.SIDE:
            changed_cells.update((locked_elements // grid.degree).tolist())
        elif spec.element is Element.CELL:
            changed_cells.update(locked_elements.tolist())
    if not changed_planes:
        return ""

    if len(changed_cells) != 1:
        words = cell_words(grid.layout)
        return f"Some of these {words.cells} are locked: their locks now hold what you painted"
    (cell,) = changed_cells
    name = battlemap.system.cell_name(grid, cell)
    values_text = _values_text(document, list(changed_planes.values()), cell)
    return f"{name} is locked: its lock now holds {values_text}"


def _values_text(document: MapDocument, specs: list[PlaneSpec], cell: int) -> str:
    """Return what a cell shows of the only plane that was changed, if a word names that."""
    system = document.battlemap.system
    what_is_painted = "what you painted"
    if len(specs) != 1:
        return what_is_painted
    (spec,) = specs
    if spec.element is not Element.CELL:
        return what_is_painted
    value = int(document.composite.planes[spec.name].flat[cell])
    if spec == system.terrain:
        return document.battlemap.terrain_set.terrains[value].name
    if spec == system.elevation:
        return f"elevation {value}"
    return what_is_painted
