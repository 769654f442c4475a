"""The layers panel: a list of the layers, topmost first, and their actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon
from app.commands.commands import WHY
from app.features.layers.layer_commands import LayerCommands
from app.features.layers.opacity_slider import OpacitySlider
from app.features.layers.rows import LAYER_ID, LOCKED, OPACITY, LayerRows
from app.features.layers.thumbnails import SIZE, LayerThumbnails
from app.render.theme import theme
from app.widgets.builders import described, lay_out
from randomizer.model import layering

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.document import MapDocument
    from app.render.theme import Theme
    from randomizer.model.edit import Region
    from randomizer.model.layer import Layer


class LayersPanel(QWidget):
    """Shows, locks, renames, reorders, copies, merges and deletes layers; every step undoes.

    ``message(str)``: why something was not done. ``current_theme`` gives the theme in which the
    thumbnails are drawn.
    """

    message = Signal(str)

    def __init__(
        self,
        document: MapDocument,
        parent: QWidget | None = None,
        *,
        current_theme: Callable[[], Theme] = lambda: theme("light"),
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._filling = False
        self.commands = LayerCommands(document, self)
        self.commands.message.connect(self.message)
        self.list = described(QListWidget(), "Layers, topmost first")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setIconSize(SIZE)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        rows = LayerRows(self.list)
        rows.lock_clicked.connect(self.commands.toggle_lock)
        self.list.setItemDelegate(rows)
        self.list.itemChanged.connect(self._on_item_changed)
        self.list.currentItemChanged.connect(self._on_current_changed)
        self.list.model().rowsMoved.connect(self._on_rows_moved)
        self.pictures = LayerThumbnails(document, current_theme, self)
        self.pictures.drawn.connect(self._show_picture)
        self.opacity = OpacitySlider(document)

        self.actions_by_icon: dict[str, QAction] = {}
        self._make_actions()
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        top = lay_out(QHBoxLayout(), (self.opacity, 1), _bar(self.solo_action, self.lock_action))
        column.addLayout(top)
        column.addWidget(self.list)
        buttons = (
            self.new_action,
            self.part_action,
            self.duplicate_action,
            self.up_action,
            self.down_action,
            self.merge_action,
            self.delete_action,
        )
        column.addWidget(_bar(*buttons))
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self._fill)
        document.active_layer_changed.connect(self._show_active)
        document.selection_changed.connect(self._enable_actions)
        self._fill()
        self.pictures.draw_all()

    def _make_actions(self) -> None:
        add = self._action
        self.new_action = add(
            "new", "New layer", "Add an empty layer above", self.commands.add, "Ctrl+Shift+N"
        )
        self.part_action = add(
            "layer-selection",
            "New layer from selection",
            "Copy what the layer has on the selected hexes into a new layer",
            self.commands.add_part,
        )
        self.cut_action = add(
            "layer-cut",
            "Move selection to new layer",
            "Take what the layer has on the selected hexes out into a new layer",
            partial(self.commands.add_part, moved=True),
        )
        for action in (self.part_action, self.cut_action):
            action.setProperty(WHY, "Select some hexes first.")
        self.duplicate_action = add(
            "layer-duplicate",
            "Duplicate layer",
            "Copy the layer, roll and all",
            self.commands.duplicate,
            "Ctrl+J",
        )
        self.up_action = add(
            "layer-up",
            "Raise layer",
            "Move the layer up: it covers more",
            partial(self.commands.shift, 1),
            "Ctrl+Shift+Up",
        )
        self.down_action = add(
            "layer-down",
            "Lower layer",
            "Move the layer down",
            partial(self.commands.shift, -1),
            "Ctrl+Shift+Down",
        )
        self.merge_action = add(
            "layer-merge",
            "Merge down",
            "Put the layer into the one below it",
            self.commands.merge_down,
            "Ctrl+E",
        )
        self.merge_action.setProperty(WHY, "It needs a visible layer right below a visible one.")
        self.flatten_action = add(
            "layer-flatten",
            "Flatten layers",
            "Make one layer of all that are visible",
            self.commands.flatten,
        )
        self.flatten_action.setProperty(WHY, "There is one visible layer only.")
        self.solo_action = add(
            "layer-solo",
            "Solo layer",
            "Hide all other layers; once more shows again what was visible",
            self.commands.solo,
        )
        self.solo_action.setProperty(WHY, "There is one layer only.")
        self.lock_action = add(
            "lock",
            "Lock layer",
            "A locked layer refuses the hand; rolls below and above go on",
            self.commands.toggle_lock,
        )
        self.lock_action.setCheckable(True)
        self.delete_action = add(
            "layer-delete", "Delete layer", "Take the layer away", self.commands.delete
        )
        self.delete_action.setProperty(WHY, "A map keeps at least one layer.")
        self.above_action = add(
            "previous",
            "Choose layer above",
            "Paint into the next layer up",
            partial(self.commands.go, 1),
        )
        self.above_action.setShortcut(QKeySequence("Ctrl+PgUp"))
        self.below_action = add(
            "next",
            "Choose layer below",
            "Paint into the next layer down",
            partial(self.commands.go, -1),
        )
        self.below_action.setShortcut(QKeySequence("Ctrl+PgDown"))
        for action in (self.up_action, self.above_action):
            action.setProperty(WHY, "It is the topmost layer.")
        for action in (self.down_action, self.below_action):
            action.setProperty(WHY, "It is the lowest layer.")

    def layer_actions(self) -> list[QAction]:
        """The actions of the panel, for the Layer menu."""
        return list(self.actions_by_icon.values())

    def _action(
        self, picture: str, text: str, tip: str, do: Callable[[], object], keys: str = ""
    ) -> QAction:
        action = QAction(text, self)
        action.setToolTip(f"{text}: {tip}")
        action.setStatusTip(tip)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: do())
        self.actions_by_icon[picture] = action
        return action

    def draw_icons(self) -> None:
        """Draw icons and thumbnails again, in the colours of the present palette and theme."""
        for picture, action in self.actions_by_icon.items():
            action.setIcon(icon(picture))
        self.pictures.draw_all(self.devicePixelRatioF())

    # --- from the document to the list ------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._fill()

    def _fill(self) -> None:
        """Show the layers; rows are made again only if the layers or their order changed."""
        self._filling = True
        layers = self._document.battlemap.layers[::-1]
        items = [self.list.item(row) for row in range(self.list.count())]
        if [item.data(LAYER_ID) for item in items] != [layer.id for layer in layers]:
            pictures = {item.data(LAYER_ID): item.icon() for item in items}
            self.list.clear()
            for layer in layers:
                item = QListWidgetItem(pictures.get(layer.id) or _blank(), layer.name)
                item.setFlags(
                    Qt.ItemFlag.ItemIsSelectable
                    | Qt.ItemFlag.ItemIsEnabled
                    | Qt.ItemFlag.ItemIsEditable
                    | Qt.ItemFlag.ItemIsUserCheckable
                    | Qt.ItemFlag.ItemIsDragEnabled
                )
                self.list.addItem(item)
        for row, layer in enumerate(layers):
            self._show_layer(self.list.item(row), layer)
        self._filling = False
        self._show_active(self._document.active_layer_id)

    def _show_layer(self, item: QListWidgetItem, layer: Layer) -> None:
        item.setText(layer.name)
        item.setData(LAYER_ID, layer.id)
        item.setData(LOCKED, layer.locked)
        item.setData(OPACITY, layer.opacity)
        item.setCheckState(Qt.CheckState.Checked if layer.visible else Qt.CheckState.Unchecked)
        item.setToolTip(describe(layer))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken(layer))

    def _show_picture(self, layer_id: int, picture: QPixmap) -> None:
        self._filling = True
        for row in range(self.list.count()):
            if self.list.item(row).data(LAYER_ID) == layer_id:
                as_it_is = QIcon(picture)
                as_it_is.addPixmap(picture, QIcon.Mode.Selected)
                self.list.item(row).setIcon(as_it_is)
        self._filling = False

    def _show_active(self, layer_id: int) -> None:
        self._filling = True
        for row in range(self.list.count()):
            if self.list.item(row).data(LAYER_ID) == layer_id:
                self.list.setCurrentRow(row)
        self._filling = False
        self.opacity.show_layer()
        self._enable_actions()

    def _enable_actions(self) -> None:
        battlemap, active = self._document.battlemap, self._document.active_layer
        index = battlemap.index_of(active.id)
        for action in (self.up_action, self.above_action):
            action.setEnabled(index < len(battlemap.layers) - 1)
        for action in (self.down_action, self.below_action):
            action.setEnabled(index > 0)
        for action in (self.part_action, self.cut_action):
            action.setEnabled(len(self._document.selection) > 0)
        self.merge_action.setEnabled(layering.can_merge_down(battlemap, active.id))
        self.delete_action.setEnabled(len(battlemap.layers) > 1)
        self.solo_action.setEnabled(len(battlemap.layers) > 1)
        self.flatten_action.setEnabled(sum(layer.visible for layer in battlemap.layers) > 1)
        self.lock_action.setChecked(active.locked)

    # --- from the list to the document ------------------------------------------------------

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        if not self._filling and item is not None:
            self._document.set_active_layer(item.data(LAYER_ID))

    def _on_item_changed(self, item: QListWidgetItem) -> None:
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

    def _on_rows_moved(self, _parent: object, start: int, *_rest: object) -> None:
        if self._filling:
            return
        layers = self._document.battlemap.layers
        order = [self.list.item(row).data(LAYER_ID) for row in range(self.list.count())][::-1]
        moved = layers[len(layers) - 1 - start].id
        edit = layering.move(self._document.battlemap, moved, order.index(moved))
        self._document.push(edit, "Reorder layers")


def _bar(*actions: QAction) -> QToolBar:
    bar = QToolBar()
    bar.setIconSize(QSize(18, 18))
    bar.addActions(actions)
    return bar


def _blank() -> QPixmap:
    """A transparent thumbnail, until one is drawn."""
    pixmap = QPixmap(SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def spoken(layer: Layer) -> str:
    """The text of a layer for a screen reader."""
    words = [layer.name]
    if not layer.visible:
        words.append("hidden")
    if layer.locked:
        words.append("locked")
    if layer.opacity < 1:
        words.append(f"opacity {layer.opacity:.0%}")
    return ", ".join(words)


def describe(layer: Layer) -> str:
    """The tool tip of a layer."""
    if layer.roll is None:
        return (
            f"{spoken(layer)}: painted by hand. Tick to show, double-click to rename, "
            "drag to reorder."
        )
    roll = layer.roll
    return (
        f"{spoken(layer)}: rolled from {roll.script_name}, seed {roll.seed}, map {roll.number}. "
        "Paint into it freely: a re-roll keeps what you touch."
    )
