"""The layers panel: the stack of sheets, the topmost first."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.document import MapDocument
from app.drawing.icons import icon
from randomizer import layering
from randomizer.battlemap import Layer
from randomizer.edit import Region

LAYER_ID = Qt.ItemDataRole.UserRole


class LayersPanel(QWidget):
    """Shows, hides, renames, reorders, duplicates, merges and deletes layers; every step undoes.

    ``message(str)`` says why something was not done.
    """

    message = Signal(str)

    def __init__(self, document: MapDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._filling = False
        self.list = QListWidget()
        self.list.setAccessibleName("Layers, topmost first")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.itemChanged.connect(self._item_changed)
        self.list.currentItemChanged.connect(self._current_changed)
        self.list.model().rowsMoved.connect(self._rows_moved)

        self.actions_by_icon: dict[str, QAction] = {}
        bar = QToolBar()
        self.new_action = self._action("new", "New layer", "Add an empty layer above", self.add)
        self.duplicate_action = self._action(
            "layer-duplicate", "Duplicate layer", "Copy the layer, roll and all", self.duplicate
        )
        self.up_action = self._action(
            "layer-up", "Raise layer", "Move the layer up: it covers more", lambda: self._shift(1)
        )
        self.down_action = self._action(
            "layer-down", "Lower layer", "Move the layer down", lambda: self._shift(-1)
        )
        self.merge_action = self._action(
            "layer-merge", "Merge down", "Put the layer into the one below it", self.merge_down
        )
        self.delete_action = self._action(
            "layer-delete", "Delete layer", "Take the layer away", self.delete
        )
        self.merge_action.setShortcut(QKeySequence("Ctrl+E"))
        for action in self.layer_actions():
            bar.addAction(action)

        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.list)
        column.addWidget(bar)
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self._fill)
        document.active_layer_changed.connect(self._show_active)
        self._fill()

    def layer_actions(self) -> list[QAction]:
        """The actions of the panel, for the Layer menu."""
        return [
            self.new_action,
            self.duplicate_action,
            self.up_action,
            self.down_action,
            self.merge_action,
            self.delete_action,
        ]

    def _action(self, picture: str, text: str, tip: str, do) -> QAction:  # type: ignore[no-untyped-def]
        action = QAction(text, self)
        action.setToolTip(f"{text}: {tip}")
        action.setStatusTip(tip)
        action.triggered.connect(lambda _checked=False: do())
        self.actions_by_icon[picture] = action
        return action

    def draw_icons(self) -> None:
        """Draw the buttons' icons in the palette's colour."""
        for picture, action in self.actions_by_icon.items():
            action.setIcon(icon(picture))

    # --- from the document to the list ------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._fill()

    def _fill(self) -> None:
        self._filling = True
        self.list.clear()
        for layer in reversed(self._document.battlemap.layers):
            item = QListWidgetItem(layer.name)
            item.setData(LAYER_ID, layer.id)
            item.setFlags(
                Qt.ItemFlag.ItemIsSelectable
                | Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsEditable
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsDragEnabled
            )
            shown = Qt.CheckState.Checked if layer.visible else Qt.CheckState.Unchecked
            item.setCheckState(shown)
            item.setToolTip(describe(layer))
            self.list.addItem(item)
        self._filling = False
        self._show_active(self._document.active_layer_id)

    def _show_active(self, layer_id: int) -> None:
        self._filling = True
        for row in range(self.list.count()):
            if self.list.item(row).data(LAYER_ID) == layer_id:
                self.list.setCurrentRow(row)
        self._filling = False
        self._enable_actions()

    def _enable_actions(self) -> None:
        battlemap, active = self._document.battlemap, self._document.active_layer_id
        index = battlemap.index_of(active)
        self.up_action.setEnabled(index < len(battlemap.layers) - 1)
        self.down_action.setEnabled(index > 0)
        self.merge_action.setEnabled(layering.can_merge_down(battlemap, active))
        self.delete_action.setEnabled(len(battlemap.layers) > 1)

    # --- from the list to the document ------------------------------------------------------

    def _current_changed(self, item: QListWidgetItem | None) -> None:
        if not self._filling and item is not None:
            self._document.set_active_layer(item.data(LAYER_ID))

    def _item_changed(self, item: QListWidgetItem) -> None:
        if self._filling:
            return
        battlemap, layer_id = self._document.battlemap, item.data(LAYER_ID)
        visible = item.checkState() == Qt.CheckState.Checked
        text = item.text().strip()
        if visible != battlemap.layer(layer_id).visible:
            name = battlemap.layer(layer_id).name
            self._document.push(
                layering.show(battlemap, layer_id, visible),
                f"Show {name}" if visible else f"Hide {name}",
            )
        elif not text:
            self.message.emit("A layer needs a name.")
            self._fill()
        else:
            self._document.push(layering.rename(battlemap, layer_id, text), "Rename layer")

    def _rows_moved(self, _parent: object, start: int, *_rest: object) -> None:
        if self._filling:
            return
        layers = self._document.battlemap.layers
        order = [self.list.item(row).data(LAYER_ID) for row in range(self.list.count())][::-1]
        moved = layers[len(layers) - 1 - start].id
        edit = layering.move(self._document.battlemap, moved, order.index(moved))
        self._document.push(edit, "Reorder layers")

    # --- the buttons ------------------------------------------------------------------------

    def add(self) -> None:
        """An empty layer above the active one."""
        battlemap = self._document.battlemap
        names = {layer.name for layer in battlemap.layers}
        number = next(n for n in range(1, len(names) + 2) if f"Layer {n}" not in names)
        layer = Layer(battlemap.free_layer_id(), f"Layer {number}")
        edit = layering.insert_layer(battlemap, layer, self._document.active_layer_id)
        self._document.push(edit, "New layer", active=layer.id)

    def duplicate(self) -> None:
        """A copy above the active layer."""
        step = layering.duplicate(self._document.battlemap, self._document.active_layer_id)
        self._document.push(step.edit, "Duplicate layer", active=step.layer_id)

    def delete(self) -> None:
        """The active layer goes, unless it is the last."""
        battlemap, active = self._document.battlemap, self._document.active_layer_id
        if len(battlemap.layers) == 1:
            self.message.emit("A map keeps at least one layer.")
            return
        index = battlemap.index_of(active)
        neighbour = battlemap.layers[index - 1 if index else 1].id
        name = battlemap.layer(active).name
        self._document.push(
            layering.remove(battlemap, active), f"Delete layer {name}", active=neighbour
        )

    def merge_down(self) -> None:
        """The active layer goes into the one below."""
        battlemap, active = self._document.battlemap, self._document.active_layer_id
        if not layering.can_merge_down(battlemap, active):
            self.message.emit("Only a visible layer above a visible layer can be merged down.")
            return
        below = battlemap.layers[battlemap.index_of(active) - 1].id
        self._document.push(layering.merge_down(battlemap, active), "Merge down", active=below)

    def _shift(self, steps: int) -> None:
        battlemap, active = self._document.battlemap, self._document.active_layer_id
        edit = layering.move(battlemap, active, battlemap.index_of(active) + steps)
        self._document.push(edit, "Reorder layers")


def describe(layer: Layer) -> str:
    """What a layer is, in words."""
    if layer.roll is None:
        return f"{layer.name}: painted by hand. Tick to show, double-click to rename."
    roll = layer.roll
    return (
        f"{layer.name}: rolled from {roll.script_name}, seed {roll.seed}, map {roll.number}. "
        "Paint into it freely: a re-roll keeps what you touch."
    )
