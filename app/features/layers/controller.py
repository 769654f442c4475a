"""What the commands of the menu Layer do: each changes whole layers of the current map.

``feature.py`` makes a ``LayersController`` for a desk and names its methods in the menu. Each
change is one undo step. Layers are counted from the lowest; "above" is nearer to the viewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from randomizer.model.edits import layer_edits
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from app.document.document import MapDocument


class LayersController(QObject):
    """Changes the active layer of the current map, and which layer is active.

    What cannot be done is told by ``message``; the map then stays as it is.
    """

    message = Signal(str)
    """A sentence for the status bar: why nothing was done, or what was done besides."""

    recipe_requested = Signal(object)
    """This rolled layer (``Layer``) should be copied as a recipe."""

    def __init__(self, document: MapDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def add(self) -> None:
        """Add an empty layer above the active one."""
        battlemap = self._document.battlemap
        names = {layer.name for layer in battlemap.layers}
        # One of these numbers is free, since there are fewer names than numbers.
        numbers = range(1, len(names) + 2)
        free_number = next(number for number in numbers if f"Layer {number}" not in names)
        layer = Layer(battlemap.free_layer_id(), f"Layer {free_number}")
        edit = layer_edits.insert_layer(battlemap, layer, self._document.active_layer_id)
        self._document.push(edit, "New layer", active=layer.id)

    def add_from_selection(self, *, moved: bool = False) -> None:
        """Copy what the active layer has on the selected cells to a new layer above.

        If it is ``moved`` the active layer has it no more.
        """
        document = self._document
        cells = document.selection.cells
        active = document.active_layer
        step = layer_edits.from_cells(document.battlemap, active.id, cells, moved=moved)
        if step is None:
            cells_word = cell_words(document.battlemap.grid.layout).cells
            self.message.emit(f"The layer {active.name} has nothing on the selected {cells_word}.")
            return
        if moved:
            text = "Move selection to new layer"
        else:
            text = "New layer from selection"
        document.push(step.edit, text, active=step.layer_id)

    def duplicate(self) -> None:
        """Add a copy of the active layer above it."""
        step = layer_edits.duplicate(self._document.battlemap, self._document.active_layer_id)
        self._document.push(step.edit, "Duplicate layer", active=step.layer_id)

    def copy_as_recipe(self) -> None:
        """Ask for the recipe of the active layer: the text that tells how it was rolled."""
        self.recipe_requested.emit(self._document.active_layer)

    def delete(self) -> None:
        """Delete the active layer, unless it is the last; the one below becomes active."""
        battlemap = self._document.battlemap
        active = self._document.active_layer_id
        if len(battlemap.layers) == 1:
            self.message.emit("A map keeps at least one layer.")
            return
        index = battlemap.index_of(active)
        if index > 0:
            next_active = battlemap.layers[index - 1]
        else:
            next_active = battlemap.layers[1]  # nothing lies below the lowest: the one above
        name = battlemap.layer(active).name
        edit = layer_edits.remove(battlemap, active)
        self._document.push(edit, f"Delete layer {name}", active=next_active.id)

    def merge_down(self) -> None:
        """Merge the active layer into the one below."""
        battlemap = self._document.battlemap
        active = self._document.active_layer_id
        if not layer_edits.can_merge_down(battlemap, active):
            self.message.emit("Only a visible layer above a visible layer can be merged down.")
            return
        below = battlemap.layers[battlemap.index_of(active) - 1]
        name = battlemap.layer(active).name
        edit = layer_edits.merge_down(battlemap, active)
        if self._document.push(edit, "Merge down", active=below.id):
            self.message.emit(f"Merged {name} into {below.name}. Undo parts them again.")

    def flatten(self) -> None:
        """Make one layer of all visible ones."""
        step = layer_edits.flatten(self._document.battlemap)
        if step is not None:
            self._document.push(step.edit, "Flatten layers", active=step.layer_id)

    def solo(self) -> None:
        """Show only the active layer; called again, show the layers that were visible before.

        If none of those is left, show all layers.
        """
        current_map = self._document.current_map
        active = self._document.active_layer
        layers = current_map.battlemap.layers
        all_ids = frozenset(layer.id for layer in layers)
        visible_ids = frozenset(layer.id for layer in layers if layer.visible)
        if visible_ids == {active.id}:
            new_visible_ids = current_map.shown_before_solo & all_ids
            if not new_visible_ids:
                new_visible_ids = all_ids
            text = "End solo"
        else:
            # One visible layer is the solo of another layer: what was visible before that solo
            # stays remembered.
            if len(visible_ids) != 1:
                current_map.shown_before_solo = visible_ids
            new_visible_ids = frozenset((active.id,))
            text = f"Solo {active.name}"
        self._document.push(layer_edits.solo(current_map.battlemap, new_visible_ids), text)

    def toggle_lock(self) -> None:
        """Lock or unlock the active layer."""
        self.toggle_lock_of(self._document.active_layer_id)

    def toggle_lock_of(self, layer_id: int) -> None:
        """Lock or unlock the layer with an id."""
        document = self._document
        layer = document.battlemap.layer(layer_id)
        if layer.locked:
            text = f"Unlock {layer.name}"
        else:
            text = f"Lock {layer.name}"
        document.push(
            LayerField(layer.id, "locked", old_value=layer.locked, new_value=not layer.locked), text
        )

    def toggle_secret(self) -> None:
        """Leave the active layer out of what players get, or let them have it again."""
        layer = self._document.active_layer
        if layer.secret:
            text = f"Show {layer.name} to players"
        else:
            text = f"Make {layer.name} secret"
        self._document.push(
            LayerField(layer.id, "secret", old_value=layer.secret, new_value=not layer.secret), text
        )

    def shift(self, steps: int) -> None:
        """Move the active layer up by so many layers, or down if ``steps`` is negative."""
        battlemap = self._document.battlemap
        active = self._document.active_layer_id
        new_index = battlemap.index_of(active) + steps
        # Beyond the lowest and the topmost layer ``move`` returns no edit, and nothing is pushed.
        edit = layer_edits.move(battlemap, active, new_index)
        self._document.push(edit, "Reorder layers")

    def activate_neighbour(self, steps: int) -> None:
        """Activate the layer ``steps`` above the active one, or below it if ``steps`` is negative.

        Beyond the lowest and the topmost layer nothing happens.
        """
        battlemap = self._document.battlemap
        index = battlemap.index_of(self._document.active_layer_id) + steps
        if 0 <= index < len(battlemap.layers):
            self._document.set_active_layer(battlemap.layers[index].id)
