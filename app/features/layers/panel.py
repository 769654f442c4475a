"""The layers panel: a list of the layers, topmost first, and their actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.features.layers.opacity_slider import OpacitySlider
from app.features.layers.rows import LAYER_ID, LOCKED, OPACITY, SECRET, THINGS, LayerRows
from app.features.layers.thumbnails import SIZE, LayerThumbnails
from app.qt_guard import connect
from app.render.theme import Theme, theme
from app.widgets.layout.builders import described, lay_out, plain_text
from randomizer.model.basics.plurals import counted
from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import Region
from randomizer.model.map.layer import Layer

if TYPE_CHECKING:
    from app.commands.commands import Commands
    from app.document.document import MapDocument


BUTTONS = (
    "layer.new-layer",
    "layer.new-layer-from-selection",
    "layer.duplicate-layer",
    "layer.raise-layer",
    "layer.lower-layer",
    "layer.merge-down",
    "layer.delete-layer",
)
"""The commands below the list."""

MENU = (
    "layer.solo-layer",
    "layer.lock-layer",
    "layer.secret-layer",
    "",
    "layer.duplicate-layer",
    "layer.copy-as-recipe",
    "layer.raise-layer",
    "layer.lower-layer",
    "layer.merge-down",
    "",
    "layer.delete-layer",
)
"""The commands of a right click on a layer, after renaming; "" stands for a line between them."""


class LayersPanel(QWidget):
    """Shows, locks, renames, reorders, copies, merges and deletes layers; every step undoes.

    ``message(str)``: why something was not done, ``lock_clicked(int)``: of which layer
    the padlock was clicked. ``current_theme`` gives the theme of the
    thumbnails.
    """

    message = Signal(str)
    lock_clicked = Signal(int)

    def __init__(
        self,
        document: MapDocument,
        commands: Commands,
        *,
        current_theme: Callable[[], Theme] = lambda: theme("light"),
    ) -> None:
        super().__init__()
        self._document = document
        self._commands = commands
        self._filling = False
        self.list = described(QListWidget(), "Layers, topmost first")
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.setIconSize(SIZE)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        connect(self.list.customContextMenuRequested, self._show_menu)
        rows = LayerRows(self.list)
        connect(rows.lock_clicked, self.lock_clicked)
        self.list.setItemDelegate(rows)
        connect(self.list.itemChanged, self._on_item_changed)
        connect(self.list.currentItemChanged, self._on_current_changed)
        connect(self.list.model().rowsMoved, self._on_rows_moved)
        self.setFocusProxy(self.list)
        self.pictures = LayerThumbnails(document, current_theme, self)
        connect(self.pictures.drawn, self._show_picture)
        self.opacity = OpacitySlider(document)

        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        both = _bar(commands, "layer.solo-layer", "layer.lock-layer")
        top = lay_out(QHBoxLayout(), (self.opacity, 1), both)
        column.addLayout(top)
        column.addWidget(self.list)
        column.addWidget(_bar(commands, *BUTTONS))
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._fill)
        connect(document.active_layer_changed, self._show_active)
        self._fill()
        self.pictures.draw_all()

    def draw_pictures(self) -> None:
        """Draw the pictures of the layers in the colours of the map."""
        self.pictures.draw_all(self.devicePixelRatioF())

    # --- from the document to the list ------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._fill()
        elif region.things:
            self._count_things()

    def _count_things(self) -> None:
        """Show how many things the layers have now."""
        self._filling = True
        for row, layer in enumerate(self._document.battlemap.layers[::-1]):
            item = self.list.item(row)
            if item.data(THINGS) != len(layer.things):
                self._show_layer(item, layer)
        self._filling = False

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
        item.setData(THINGS, len(layer.things))
        item.setData(SECRET, layer.secret)
        item.setCheckState(Qt.CheckState.Checked if layer.visible else Qt.CheckState.Unchecked)
        item.setToolTip(plain_text(describe(layer)))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken_text(layer))

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

    # --- the menu of a row ------------------------------------------------------------------

    def _show_menu(self, at: QPoint) -> None:
        """Offer what can be done with the layer under the mouse, or with the chosen one."""
        item = self.list.itemAt(at) or self.list.currentItem()
        if item is not None:
            self.list.setCurrentItem(item)
            menu = self.menu_of(item)
            menu.popup(self.list.viewport().mapToGlobal(at))

    def menu_of(self, item: QListWidgetItem) -> QMenu:
        """Return the menu of a row, which is the current one; it deletes itself when it closes."""
        menu = QMenu(self)
        menu.setObjectName("layer-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        visible = item.checkState() == Qt.CheckState.Checked
        checked = Qt.CheckState.Checked
        hidden = Qt.CheckState.Unchecked
        turn = menu.addAction("&Hide" if visible else "S&how")
        connect(turn.triggered, lambda: item.setCheckState(hidden if visible else checked))
        connect(menu.addAction("&Rename").triggered, lambda: self.list.editItem(item))
        for name in MENU:
            if name:
                menu.addAction(self._commands.action(name))
            else:
                menu.addSeparator()
        return menu

    # --- from the list to the document ------------------------------------------------------

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        if not self._filling and item is not None:
            self._document.set_active_layer(item.data(LAYER_ID))

    def _on_item_changed(self, item: QListWidgetItem) -> None:
        if self._filling:
            return
        battlemap = self._document.battlemap
        layer_id = item.data(LAYER_ID)
        visible = item.checkState() == Qt.CheckState.Checked
        text = item.text().strip()
        if visible != battlemap.layer(layer_id).visible:
            name = battlemap.layer(layer_id).name
            self._document.push(
                layer_edits.show(battlemap, layer_id, visible),
                f"Show {name}" if visible else f"Hide {name}",
            )
        elif not text:
            self.message.emit("A layer needs a name.")
            self._fill()
        else:
            self._document.push(layer_edits.rename(battlemap, layer_id, text), "Rename layer")

    def _on_rows_moved(self, _parent: object, start: int, *_rest: object) -> None:
        if self._filling:
            return
        layers = self._document.battlemap.layers
        order = [self.list.item(row).data(LAYER_ID) for row in range(self.list.count())][::-1]
        moved = layers[len(layers) - 1 - start].id
        edit = layer_edits.move(self._document.battlemap, moved, order.index(moved))
        self._document.push(edit, "Reorder layers")


def _bar(commands: Commands, *names: str) -> QToolBar:
    bar = QToolBar()
    bar.setIconSize(QSize(18, 18))
    bar.addActions([commands.action(name) for name in names])
    return bar


def _blank() -> QPixmap:
    """A transparent thumbnail, until one is drawn."""
    pixmap = QPixmap(SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap


def spoken_text(layer: Layer) -> str:
    """Return the text of a layer for a screen reader."""
    parts = [layer.name]
    if not layer.visible:
        parts.append("hidden")
    if layer.locked:
        parts.append("locked")
    if layer.secret:
        parts.append("secret")
    if layer.opacity < 1:
        parts.append(f"opacity {layer.opacity:.0%}")
    if layer.things:
        parts.append(counted(len(layer.things), "thing"))
    return ", ".join(parts)


def describe(layer: Layer) -> str:
    """Return the tool tip of a layer."""
    if layer.roll is None:
        return (
            f"{spoken_text(layer)}: painted by hand. Tick to show, double-click to rename, "
            "drag to reorder."
        )
    text = spoken_text(layer)
    roll = layer.roll
    source = roll.script_name or roll.generator
    return (
        f"{text}: rolled from {source}, seed {roll.seed}, map {roll.number}. "
        "Paint into it freely: a roll keeps what you touch."
    )
