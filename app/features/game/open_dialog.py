"""Open from game: the groups, and the battlelands of the chosen one as pictures."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QListView,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QWidget,
)

from app.appearance.icons import icon
from app.document.open_map import GameSource
from app.features.game.game_chooser import GameChooser
from app.features.game.places import GamePlaces
from app.qt_guard import connect, guarded
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.formats import ReadResult
from randomizer.games import MapGroup, place_words
from randomizer.model.basics.plurals import counted

NAME = Qt.ItemDataRole.UserRole
DIGEST = Qt.ItemDataRole.UserRole + 1


class OpenGameDialog(QDialog):
    """Groups on the left (none in a game with one level), slots with thumbnails on the right.

    ``chosen(ReadResult, GameSource, bool)``: this map is to be opened, or (True) merged into the
    present one. It comes after the dialog has closed.
    """

    chosen = Signal(object, object, bool)

    def __init__(
        self,
        places: GamePlaces,
        thumbnails: MapThumbnails,
        source: GameSource | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Open from {places.host.title}")
        self._places = places
        self._thumbnails = thumbnails
        if source:
            self._preferred = (source.group, source.slot)
        else:
            self._preferred = ("", "")
        self._source_pending = source is not None  # an export makes a slot that is read again first
        self._opening = ("", "")
        self.chooser = GameChooser(places)
        self._make_lists()
        self.status = DialogStatus("What is chosen")
        self.merge = QCheckBox("&Merge into this map instead")
        self.merge.setToolTip(
            plain_text(f"Lay the {places.host.map_noun} over the open map, as a layer of its own")
        )
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        self._lay_out()
        self._connect()
        places.show_in(self._show_groups, self._show_nothing)

    def _make_lists(self) -> None:
        places = self._places
        group = self._places.group_level
        self.groups = described(QListWidget(), f"{group.title}s of the game")
        self.groups.setIconSize(QSize(16, 16))
        text = f"{places.slot_level.title}s of the {group.name or 'game'}"
        self.slots = described(QListWidget(), text)
        self.slots.setViewMode(QListView.ViewMode.IconMode)
        self.slots.setResizeMode(QListView.ResizeMode.Adjust)
        self.slots.setMovement(QListView.Movement.Static)
        self.slots.setUniformItemSizes(True)
        self.slots.setWordWrap(True)
        EmptyState(
            self.slots,
            "Choose the directory of the game above: "
            f"its {places.host.map_noun}s appear here as pictures.",
        )
        size = self._thumbnails.size
        lines = self.slots.fontMetrics().lineSpacing() * 3
        self.slots.setIconSize(size)
        self.slots.setItemDelegate(PictureItems(self.slots))
        self.slots.setGridSize(QSize(size.width() + 20, size.height() + lines + 14))

    def _lay_out(self) -> None:
        splitter = QSplitter()
        splitter.addWidget(self.groups)
        self.groups.setVisible(self._places.grouped)
        splitter.addWidget(self.slots)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([220, 720])
        foot = (self.status, self.merge, self.buttons)
        lay_out_dialog(self, self.chooser, (splitter, 1), foot=foot, size=QSize(960, 640))

    def _connect(self) -> None:
        connect(self._places.maps_read, self._show_maps)
        connect(self.groups.currentRowChanged, lambda _row: self._show_slots())
        connect(self.slots.currentItemChanged, lambda _item: self._show_slot())
        connect(self.slots.itemActivated, lambda _item: self.open_chosen())
        connect(self._thumbnails.drawn, self._show_picture)
        connect(
            self.merge.toggled, lambda merge: self.open_button.setText("Merge" if merge else "Open")
        )
        connect(self.buttons.accepted, self.open_chosen)
        connect(self.buttons.rejected, self.reject)
        self.open_button.setEnabled(False)

    # --- the game ---------------------------------------------------------------------------

    @property
    def group(self) -> MapGroup | None:
        """The chosen group."""
        item = self.groups.currentItem()
        return None if item is None else self._places.group(item.data(NAME))

    @property
    def slot(self) -> str | None:
        """The name of the chosen slot, None where none with a battleland is chosen."""
        item = self.slots.currentItem()
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return None
        name: str = item.data(NAME)
        return name

    def _show_nothing(self) -> None:
        self._thumbnails.forget_requests()
        self.groups.clear()
        self.slots.clear()
        self.open_button.setEnabled(False)

    def _show_groups(self) -> None:
        if self.group is not None and not self._source_pending:
            self._preferred = (self.group.name, self.slot or "")
        self.groups.clear()
        row = 0
        for group in self._places.groups:
            if group.format:
                noun = self._places.host.map_noun
            else:
                noun = self._places.slot_level.name
            slots = counted(len(group.slots), noun)
            item = QListWidgetItem(f"{group.name}  ({slots})")
            item.setData(NAME, group.name)
            if group.problems:
                item.setIcon(icon("warning"))
                text = "\n".join(problem.message for problem in group.problems)
                item.setToolTip(plain_text(text))
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, text)
            if group.name == self._preferred[0]:
                row = self.groups.count()
            self.groups.addItem(item)
        self.groups.setCurrentRow(row)
        is_fresh = not self.chooser.is_typed_into
        if is_fresh and self.focusWidget() in (None, self.chooser.line):
            self.slots.setFocus()

    def _show_slots(self) -> None:
        self._thumbnails.forget_requests()
        self.slots.clear()
        group = self.group
        if group is None:
            return
        blank = _as_it_is(self._thumbnails.blank())
        for slot in group.slots:
            origin = self._places.host.origin(group, slot)
            item = QListWidgetItem(blank, f"{slot.name}\n{origin}")
            item.setData(NAME, slot.name)
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{slot.name}, {origin}")
            if slot.shown_name != slot.name:
                item.setToolTip(plain_text(f"Players see the name {slot.shown_name}"))
            if slot.file is None:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.slots.addItem(item)
        self._choose_first(group)
        if not group.format:
            whose = group.name or self._places.host.title
            self.status.work(f"Reading the {self._places.host.map_noun}s of {whose}...")
            self._places.read_maps(group)

    def _choose_first(self, group: MapGroup) -> None:
        """The slot that was chosen or that the open map came from, else the first with a map."""
        rows = [row for row, slot in enumerate(group.slots) if slot.file is not None]
        for row in rows:
            if (group.name, group.slots[row].name) == self._preferred:
                rows = [row]
                self._source_pending = False
        if rows:
            self.slots.setCurrentRow(rows[0])

    # --- the pictures -----------------------------------------------------------------------

    def _show_maps(self, group: str) -> None:
        if self.group is None or self.group.name != group:
            return
        maps = self._places.maps(group) or {}
        for row in range(self.slots.count()):
            item = self.slots.item(row)
            slot_map = maps.get(item.data(NAME))
            if slot_map is None:
                continue
            item.setData(DIGEST, slot_map.digest)
            if slot_map.battlemap is not None:
                self._thumbnails.request(slot_map.digest, slot_map.battlemap)
            elif item.flags() & Qt.ItemFlag.ItemIsEnabled:
                item.setIcon(icon("error"))
        self._describe()
        if self._opening == (group, self.slot):
            self.open_chosen()

    def _show_picture(self, digest: str, pixmap: QPixmap) -> None:
        picture = _as_it_is(pixmap)
        for row in range(self.slots.count()):
            item = self.slots.item(row)
            if item.data(DIGEST) == digest:
                item.setIcon(picture)

    # --- the choice -------------------------------------------------------------------------

    def _show_slot(self) -> None:
        """Read the chosen map of a group whose maps are read one by one, and describe it."""
        if self.group is not None and self.group.format and self.slot is not None:
            self._places.read_maps(self.group, self.slot)
        self._describe()

    def _describe(self) -> None:
        """Say where the chosen battleland lies and what is wrong with it, or with the group."""
        group = self.group
        name = self.slot
        self.open_button.setEnabled(name is not None)
        if group is None:
            maps = None
        else:
            maps = self._places.maps(group.name)
        if group is None or maps is None:
            return
        slot = next((slot_map for slot_map in group.slots if slot_map.name == name), None)
        if slot is None or slot.file is None:
            whose = group.name or self._places.host.title
            text = f"{whose} has no {self._places.host.map_noun} to open."
        else:
            text = f"{place_words(group.name, slot.name)}: {slot.file.words}"
        slot_map = maps.get(name or "")
        if slot_map is None:
            problems = group.problems
        else:
            problems = (*slot_map.problems, *group.problems)
        if problems:
            if len(problems) > 1:
                more = f" (and {len(problems) - 1} more)"
            else:
                more = ""
            self.status.say(f"{text}\n{problems[0].message}{more}", problems[0].severity)
        else:
            self.status.say(text)

    def open_chosen(self) -> None:
        """Give the chosen map away and close; if it is being read yet, when it is there."""
        group = self.group
        slot = self.slot
        path = self._places.path
        if group is None or slot is None or path is None:
            return
        maps = self._places.maps(group.name)
        self._opening = (group.name, slot)
        if maps is None or slot not in maps:
            self.status.work(f"Opening {place_words(group.name, slot)}...")
        elif (battlemap := maps[slot].battlemap) is None:
            self.status.complain(maps[slot].problems[:3])
        else:
            self.accept()
            # Questions (unsaved changes?) belong to the window, not under this dialog.
            result = ReadResult(battlemap.snapshot(), maps[slot].problems)
            source = GameSource(path, group.name, slot)
            self.chosen.emit(result, source, self.merge.isChecked())

    @guarded
    def done(self, result: int) -> None:
        """Stop reading and drawing."""
        self._thumbnails.forget_requests()
        super().done(result)


def _as_it_is(pixmap: QPixmap) -> QIcon:
    """Return an icon that looks the same in every state of its item."""
    result = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Disabled):
        result.addPixmap(pixmap, mode)
    return result
