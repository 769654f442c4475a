"""The layers panel: a list of the layers, topmost first, and buttons for what is done with them.

``feature.py`` makes it. The list and the document follow one another: ``_fill`` shows the layers of
the document, and the ``_on_...`` slots of the list make edits of what is ticked, renamed and
dragged. While the panel itself changes the list (``with self._filling()``) these slots do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
from randomizer.model.rolls.touch_ups_texts import change_names

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

SEPARATOR = None
"""Stands for a line in a menu."""

MENU: tuple[str | None, ...] = (
    "layer.solo-layer",
    "layer.lock-layer",
    "layer.secret-layer",
    SEPARATOR,
    "layer.duplicate-layer",
    "layer.copy-as-recipe",
    "layer.raise-layer",
    "layer.lower-layer",
    "layer.merge-down",
    SEPARATOR,
    "layer.delete-layer",
)
"""The commands of a right click on a layer, below those that show and rename it."""

MARGIN = 4
"""The space around the content of the panel, in logical pixels."""

BUTTON_SIZE = 18
"""The width and height of the icons of the buttons, in logical pixels."""

MAX_CHANGES = 20
"""The most changes by hand that a tool tip names; with more it could be higher than the window."""


class LayersPanel(QWidget):
    """Shows the layers of the current map; each change in the list is one undo step.

    ``current_theme`` gives the theme of the thumbnails.
    """

    message = Signal(str)
    """The reason why something was not done."""

    lock_clicked = Signal(int)
    """The padlock of the layer with this id was clicked."""

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
        self._is_filling = False
        """True while the panel changes the list, so that the slots of the list make no edits."""
        self.list = described(QListWidget(), "Layers, topmost first")
        self._set_up_list()
        self.setFocusProxy(self.list)
        self.pictures = LayerThumbnails(document, current_theme, self)
        connect(self.pictures.drawn, self._show_picture)
        self.opacity = OpacitySlider(document)
        self._lay_out()
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._fill)
        connect(document.active_layer_changed, self._show_active)
        self._fill()
        self.pictures.draw_all()

    def _set_up_list(self) -> None:
        """Let the list be dragged, renamed and right-clicked, and connect its slots."""
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
        # A tool tip is made when the mouse comes to a row: strokes change what it has to say.
        self.list.setMouseTracking(True)
        connect(self.list.itemEntered, self._describe_item)
        connect(self.list.currentItemChanged, self._on_current_changed)
        connect(self.list.model().rowsMoved, self._on_rows_moved)

    def _lay_out(self) -> None:
        """Put the slider above the list, and the buttons of the commands below it."""
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        solo_and_lock = _bar(self._commands, "layer.solo-layer", "layer.lock-layer")
        column.addLayout(lay_out(QHBoxLayout(), (self.opacity, 1), solo_and_lock))
        column.addWidget(self.list)
        column.addWidget(_bar(self._commands, *BUTTONS))

    def draw_pictures(self) -> None:
        """Draw the thumbnails again: the theme, or the pixel ratio of the screen, has changed."""
        self.pictures.set_ratio(self.devicePixelRatioF())
        self.pictures.draw_all()

    # --- from the document to the list ------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Follow an edit of the map."""
        if region.structure:
            self._fill()
        elif region.things:
            self._count_things()

    @contextmanager
    def _filling(self) -> Iterator[None]:
        """Let the slots of the list make no edits while the panel changes the list."""
        was_filling = self._is_filling
        self._is_filling = True
        try:
            yield
        finally:
            self._is_filling = was_filling

    def _layers_of_rows(self) -> Sequence[Layer]:
        """Return the layers of the map in the order of the rows: the topmost first."""
        return self._document.battlemap.layers[::-1]

    def _ids_in_list(self) -> list[int]:
        """Return the ids of the layers that the rows show, the topmost first."""
        return [self.list.item(row).data(LAYER_ID) for row in range(self.list.count())]

    def _count_things(self) -> None:
        """Show how many things the layers have now, in the rows where that has changed."""
        with self._filling():
            for row, layer in enumerate(self._layers_of_rows()):
                item = self.list.item(row)
                if item.data(THINGS) != len(layer.things):
                    self._show_layer(item, layer)

    def _fill(self) -> None:
        """Show the layers; rows are made again only if the layers or their order changed."""
        with self._filling():
            layers = self._layers_of_rows()
            if self._ids_in_list() != [layer.id for layer in layers]:
                self._make_rows(layers)
            for row, layer in enumerate(layers):
                self._show_layer(self.list.item(row), layer)
        self._show_active(self._document.active_layer_id)

    def _make_rows(self, layers: Sequence[Layer]) -> None:
        """Make a row for each layer, topmost first, with the picture that it has in the list."""
        items = [self.list.item(row) for row in range(self.list.count())]
        pictures = {item.data(LAYER_ID): item.icon() for item in items}
        self.list.clear()
        for layer in layers:
            item = QListWidgetItem(pictures.get(layer.id) or _blank(), layer.name)
            # All flags of an item of a list but ItemIsDropEnabled: a dragged row is dropped between
            # rows, never onto one.
            item.setFlags(
                Qt.ItemFlag.ItemIsSelectable
                | Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsEditable
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsDragEnabled
            )
            self.list.addItem(item)

    def _show_layer(self, item: QListWidgetItem, layer: Layer) -> None:
        """Bring a row up to date with its layer; ``LayerRows`` draws the data."""
        item.setText(layer.name)
        item.setData(LAYER_ID, layer.id)
        item.setData(LOCKED, layer.locked)
        item.setData(OPACITY, layer.opacity)
        item.setData(THINGS, len(layer.things))
        item.setData(SECRET, layer.secret)
        if layer.visible:
            item.setCheckState(Qt.CheckState.Checked)
        else:
            item.setCheckState(Qt.CheckState.Unchecked)
        item.setToolTip(plain_text(describe(layer)))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken_text(layer))

    def _describe_item(self, item: QListWidgetItem) -> None:
        """Give a row under the mouse its tool tip, with the changes by hand that its layer has.

        ``_show_layer`` does without them: to find the changes of all layers takes too long.
        """
        battlemap = self._document.battlemap
        layer = battlemap.layer(item.data(LAYER_ID))
        text = describe(layer)
        if layer.touch_ups_of is not None:
            text += _changes_text(change_names(battlemap, layer, MAX_CHANGES + 1))
        with self._filling():
            item.setToolTip(plain_text(text))

    def _show_picture(self, layer_id: int, picture: QPixmap) -> None:
        """Show the thumbnail of a layer that was drawn."""
        untinted_icon = QIcon(picture)
        untinted_icon.addPixmap(picture, QIcon.Mode.Selected)  # else Qt tints it
        with self._filling():
            for row, row_id in enumerate(self._ids_in_list()):
                if row_id == layer_id:
                    self.list.item(row).setIcon(untinted_icon)

    def _show_active(self, layer_id: int) -> None:
        """Make the row of a layer, which is the active one now, the current row."""
        with self._filling():
            for row, row_id in enumerate(self._ids_in_list()):
                if row_id == layer_id:
                    self.list.setCurrentRow(row)
        self.opacity.show_layer()

    # --- the menu of a row ------------------------------------------------------------------

    def _show_menu(self, position: QPoint) -> None:
        """Make the layer at a position of the list the active one, and show its menu.

        Where there is no layer it is the menu of the active one.
        """
        item = self.list.itemAt(position)
        if item is None:
            item = self.list.currentItem()
        if item is not None:
            self.list.setCurrentItem(item)
            menu = self.menu_of(item)
            menu.popup(self.list.viewport().mapToGlobal(position))

    def menu_of(self, item: QListWidgetItem) -> QMenu:
        """Return the menu of a row, which is the current one; it deletes itself when it closes."""
        menu = QMenu(self)
        menu.setObjectName("layer-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # A roll or an undo step can make the rows anew while the menu is open: it keeps the id.
        layer_id: int = item.data(LAYER_ID)
        is_visible = item.checkState() == Qt.CheckState.Checked
        if is_visible:
            toggle = menu.addAction("&Hide")
        else:
            toggle = menu.addAction("S&how")
        connect(
            toggle.triggered,
            lambda _checked=False: self._set_visible(layer_id, is_visible=not is_visible),
        )
        rename = menu.addAction("&Rename")
        connect(rename.triggered, lambda _checked=False: self._edit_name(layer_id))
        for name in MENU:
            if name is SEPARATOR:
                menu.addSeparator()
            else:
                menu.addAction(self._commands.action(name))
        return menu

    def _row_of(self, layer_id: int) -> QListWidgetItem | None:
        """Return the row of the layer with an id, None if the map has no such layer any more."""
        for row, row_id in enumerate(self._ids_in_list()):
            if row_id == layer_id:
                return self.list.item(row)
        return None

    def _edit_name(self, layer_id: int) -> None:
        """Let the user type another name in the row of a layer, if there is still such a layer."""
        item = self._row_of(layer_id)
        if item is not None:
            self.list.editItem(item)

    # --- from the list to the document ------------------------------------------------------

    def _set_visible(self, layer_id: int, *, is_visible: bool) -> None:
        """Show or hide the layer with an id, if there is still such a layer."""
        if self._row_of(layer_id) is None:
            return
        battlemap = self._document.battlemap
        verb = "Hide"
        if is_visible:
            verb = "Show"
        edit = layer_edits.set_visible(battlemap, layer_id, visible=is_visible)
        self._document.push(edit, f"{verb} {battlemap.layer(layer_id).name}")

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        """Make the layer of the row that was chosen the active one."""
        if not self._is_filling and item is not None:
            self._document.set_active_layer(item.data(LAYER_ID))

    def _on_item_changed(self, item: QListWidgetItem) -> None:
        """Show or hide the layer whose box was ticked, or rename the one whose text was edited."""
        if self._is_filling:
            return
        battlemap = self._document.battlemap
        layer = battlemap.layer(item.data(LAYER_ID))
        # Qt does not say which of the two has changed.
        is_ticked = item.checkState() == Qt.CheckState.Checked
        new_name = item.text().strip()
        if is_ticked != layer.visible:
            self._set_visible(layer.id, is_visible=is_ticked)
        elif not new_name:
            self.message.emit("A layer needs a name.")
        elif new_name != layer.name:
            edit = layer_edits.rename(battlemap, layer.id, new_name)
            self._document.push(edit, "Rename layer")
        self._fill()  # a refused change does not stay in the list

    def _on_rows_moved(self, _parent: object, start_row: int, *_rest: object) -> None:
        """Move the layer whose row was dragged away from ``start_row``."""
        if self._is_filling:
            return
        battlemap = self._document.battlemap
        # The map counts layers from the lowest, the list from the topmost.
        moved_layer = battlemap.layers[len(battlemap.layers) - 1 - start_row]
        ids_in_list = self._ids_in_list()
        new_index = len(ids_in_list) - 1 - ids_in_list.index(moved_layer.id)
        edit = layer_edits.move(battlemap, moved_layer.id, new_index)
        self._document.push(edit, "Reorder layers")


def _bar(commands: Commands, *names: str) -> QToolBar:
    """Return a bar with the buttons of these commands."""
    bar = QToolBar()
    bar.setIconSize(QSize(BUTTON_SIZE, BUTTON_SIZE))
    bar.addActions([commands.action(name) for name in names])
    return bar


def _blank() -> QPixmap:
    """Return a transparent thumbnail, for a layer that is not drawn yet."""
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


def _changes_text(names: Sequence[str]) -> str:
    """Return the part of a tool tip that names changes by hand; "" for none."""
    if not names:
        return ""
    text = ", ".join(names[:MAX_CHANGES])
    if len(names) > MAX_CHANGES:
        text += ", and more"
    return f" Changes by hand: {text}."


def describe(layer: Layer) -> str:
    """Return the tool tip of a layer."""
    text = spoken_text(layer)
    roll = layer.roll
    if roll is None:
        return f"{text}: painted by hand. Tick to show, double-click to rename, drag to reorder."
    source = roll.script_name or roll.generator
    return (
        f"{text}: rolled from {source}, seed {roll.seed}, map {roll.number}. "
        "Paint into it freely: a roll keeps what you touch."
    )
