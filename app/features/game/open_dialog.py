"""The dialog *Open from game*: the groups of a game, and the maps of the chosen one as pictures.

A game keeps its maps in *slots*, which are named and may be empty, and its slots in *groups*; a
game with one level has a single group. What a game calls them is in ``GameFolder.group_level`` and
``slot_level``. A group whose ``format`` is set holds maps in another format than the game's own.

Choosing a group lists its slots (``_show_slots``). Their maps are read by a job, and drawn as
thumbnails when they arrive (``_show_maps``, ``_show_picture``). Of a group in another format a map
is only read when it is chosen (``_on_slot_chosen``).
"""

from __future__ import annotations

from typing import NamedTuple

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
from app.features.game.game_folder import GameFolder
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.lists.empty_state import EmptyState
from app.widgets.lists.picture_items import PictureItems
from randomizer.formats.results import ReadResult
from randomizer.games.slots import MapGroup, MapSlot, slot_words
from randomizer.model.basics.plurals import counted

NAME_ROLE = Qt.ItemDataRole.UserRole
"""The role of the name of an item's group or slot."""

DIGEST_ROLE = Qt.ItemDataRole.UserRole + 1
"""The role of the digest of a slot's map, by which its thumbnail finds the item."""

TEXT_LINES = 3
"""The lines below a picture: the slot's name and where its map is from, one of which may wrap."""

GAP_BESIDE = 20
"""An item of the slots is so much wider than its picture, in logical pixels."""

GAP_BELOW = 14
"""An item of the slots is so much higher than its picture and text, in logical pixels."""

GROUPS_WIDTH = 220
"""The width of the list of groups at first, in logical pixels."""

SLOTS_WIDTH = 720
"""The width of the list of slots at first, in logical pixels."""

DIALOG_SIZE = QSize(960, 640)
"""The size of the dialog at first, in logical pixels."""

MAX_PROBLEMS = 3
"""At most so many problems of a map that cannot be opened are shown."""


class _SlotLocation(NamedTuple):
    """A slot of the game, by names."""

    group: str
    """The name of the slot's group; "" in a game with one level."""

    slot: str
    """The name of the slot."""


class OpenGameDialog(QDialog):
    """Groups on the left (hidden in a game with one level), slots with thumbnails on the right.

    The slot that the current map came from, its ``source``, is chosen at first.
    """

    chosen = Signal(object, object, bool)
    """A map is to be opened: its ``ReadResult``, its ``GameSource``, and whether to merge it.

    A map that is merged becomes a layer of the current one. The dialog has closed before.
    """

    def __init__(
        self,
        game_folder: GameFolder,
        thumbnails: MapThumbnails,
        source: GameSource | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Open from {game_folder.host.title}")
        self._game_folder = game_folder
        self._thumbnails = thumbnails
        self._pending_selection: _SlotLocation | None = None
        """The slot that is chosen when the groups are listed again; None for the first one."""
        if source is not None:
            self._pending_selection = _SlotLocation(source.group, source.slot)
        self._is_source_unlisted = source is not None
        """True until the slot of ``source`` has been listed, and chosen.

        It may be missing at first: the export of the map has just made it, and the groups are read
        again. ``_pending_selection`` stays this slot until it comes.
        """
        self._pending_open: _SlotLocation | None = None
        """The slot that is opened as soon as its map is read; None if the user has opened none."""
        self.chooser = GameChooser(game_folder)
        self._make_lists()
        self.status = DialogStatus("What is chosen")
        self.merge = QCheckBox("&Merge into this map instead")
        self.merge.setToolTip(
            plain_text(
                f"Lay the {game_folder.host.map_noun} over the open map, as a layer of its own"
            )
        )
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        self._lay_out()
        self._connect()
        game_folder.follow(self._show_groups, self._show_nothing)

    def _make_lists(self) -> None:
        """Make the lists of the groups and of the slots."""
        game_folder = self._game_folder
        group = game_folder.group_level
        self.groups = described(QListWidget(), f"{group.title}s of the game")
        self.groups.setIconSize(QSize(16, 16))
        text = f"{game_folder.slot_level.title}s of the {group.name or 'game'}"
        self.slots = described(QListWidget(), text)
        self.slots.setViewMode(QListView.ViewMode.IconMode)
        self.slots.setResizeMode(QListView.ResizeMode.Adjust)
        self.slots.setMovement(QListView.Movement.Static)
        self.slots.setUniformItemSizes(True)
        self.slots.setWordWrap(True)
        EmptyState(
            self.slots,
            "Choose the directory of the game above: "
            f"its {game_folder.host.map_noun}s appear here as pictures.",
        )
        size = self._thumbnails.size
        self.slots.setIconSize(size)
        self.slots.setItemDelegate(PictureItems(self.slots))
        text_height = self.slots.fontMetrics().lineSpacing() * TEXT_LINES
        self.slots.setGridSize(
            QSize(size.width() + GAP_BESIDE, size.height() + text_height + GAP_BELOW)
        )

    def _lay_out(self) -> None:
        """Put the groups left of the slots, and the message and buttons at the foot."""
        splitter = QSplitter()
        splitter.addWidget(self.groups)
        self.groups.setVisible(self._game_folder.grouped)
        splitter.addWidget(self.slots)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([GROUPS_WIDTH, SLOTS_WIDTH])
        foot = (self.status, self.merge, self.buttons)
        lay_out_dialog(self, self.chooser, (splitter, 1), foot=foot, size=DIALOG_SIZE)

    def _connect(self) -> None:
        """Connect the lists, the pictures and the buttons."""
        connect(self._game_folder.maps_read, self._show_maps)
        connect(self.groups.currentRowChanged, lambda _row: self._show_slots())
        connect(self.slots.currentItemChanged, lambda _item: self._on_slot_chosen())
        connect(self.slots.itemActivated, lambda _item: self.open_chosen())
        connect(self._thumbnails.drawn, self._show_picture)
        connect(self.merge.toggled, self._on_merge_toggled)
        connect(self.buttons.accepted, self.open_chosen)
        connect(self.buttons.rejected, self.reject)
        self.open_button.setEnabled(False)

    def _on_merge_toggled(self, is_ticked: bool) -> None:
        """Show on the button whether the map is opened or merged."""
        if is_ticked:
            self.open_button.setText("Merge")
        else:
            self.open_button.setText("Open")

    # --- the game ---------------------------------------------------------------------------

    @property
    def group(self) -> MapGroup | None:
        """The chosen group, None if no group is chosen."""
        if self.groups.currentRow() < 0:
            return None
        return self._game_folder.group(self.groups.currentItem().data(NAME_ROLE))

    @property
    def chosen_slot_name(self) -> str | None:
        """The name of the chosen slot, None if no slot with a map is chosen."""
        item = self.slots.currentItem()
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return None
        name: str = item.data(NAME_ROLE)
        return name

    def _show_nothing(self) -> None:
        """Show empty lists, as long as no folder of the game is open."""
        self._thumbnails.forget_requests()
        self.groups.clear()
        self.slots.clear()
        self.open_button.setEnabled(False)

    def _show_groups(self) -> None:
        """List the groups of the game; the chosen group and slot stay."""
        if self.group is not None and not self._is_source_unlisted:
            self._pending_selection = _SlotLocation(self.group.name, self.chosen_slot_name or "")
        self.groups.clear()
        row_to_choose = 0
        for row, group in enumerate(self._game_folder.groups):
            self.groups.addItem(self._group_item(group))
            location = self._pending_selection
            if location is not None and location.group == group.name:
                row_to_choose = row
        named_group = self._game_folder.group(self._game_folder.named_folder)
        if named_group is not None:
            row_to_choose = self._game_folder.groups.index(named_group)
        self.groups.setCurrentRow(row_to_choose)
        # The arrow keys choose a slot, unless the user has typed the path and may go on typing.
        is_path_typed = self.chooser.was_path_entered
        if not is_path_typed and self.focusWidget() in (None, self.chooser.line):
            self.slots.setFocus()

    def _group_item(self, group: MapGroup) -> QListWidgetItem:
        """Return the row of a group: its name, how many slots it has, and its problems."""
        if group.format:
            noun = self._game_folder.host.map_noun
        else:
            noun = self._game_folder.slot_level.name
        item = QListWidgetItem(f"{group.name}  ({counted(len(group.slots), noun)})")
        item.setData(NAME_ROLE, group.name)
        if group.problems:
            item.setIcon(icon("warning"))
            text = "\n".join(problem.message for problem in group.problems)
            item.setToolTip(plain_text(text))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, text)
        return item

    def _show_slots(self) -> None:
        """List the slots of the chosen group, with blank pictures, and read their maps."""
        self._thumbnails.forget_requests()
        self.slots.clear()
        group = self.group
        if group is None:
            return
        blank = _unaltered_icon(self._thumbnails.blank())
        for slot in group.slots:
            self.slots.addItem(self._slot_item(group, slot, blank))
        self._choose_slot(group)
        if not group.format:
            title = group.name or self._game_folder.host.title
            self.status.show_working(
                f"Reading the {self._game_folder.host.map_noun}s of {title}..."
            )
            self._game_folder.read_maps(group)

    def _slot_item(self, group: MapGroup, slot: MapSlot, blank: QIcon) -> QListWidgetItem:
        """Return the item of a slot; one without a map is disabled."""
        origin = self._game_folder.host.origin(group, slot)
        item = QListWidgetItem(blank, f"{slot.name}\n{origin}")
        item.setData(NAME_ROLE, slot.name)
        item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{slot.name}, {origin}")
        if slot.shown_name != slot.name:
            item.setToolTip(plain_text(f"Players see the name {slot.shown_name}"))
        if slot.file is None:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        return item

    def _choose_slot(self, group: MapGroup) -> None:
        """Choose ``_pending_selection`` in a group just listed, else the first slot with a map."""
        rows_with_map = [row for row, slot in enumerate(group.slots) if slot.file is not None]
        for row in rows_with_map:
            location = _SlotLocation(group.name, group.slots[row].name)
            if location == self._pending_selection:
                self._is_source_unlisted = False
                self.slots.setCurrentRow(row)
                return
        if rows_with_map:
            self.slots.setCurrentRow(rows_with_map[0])

    # --- the pictures -----------------------------------------------------------------------

    def _show_maps(self, group_name: str) -> None:
        """Draw the maps of a group that were read; open the map that the user waits for."""
        if self.group is None or self.group.name != group_name:
            return
        maps = self._game_folder.maps(group_name) or {}
        for row in range(self.slots.count()):
            item = self.slots.item(row)
            slot_map = maps.get(item.data(NAME_ROLE))
            if slot_map is None:
                continue
            item.setData(DIGEST_ROLE, slot_map.digest)
            if slot_map.battlemap is not None:
                self._thumbnails.request(slot_map.digest, slot_map.battlemap)
            elif item.flags() & Qt.ItemFlag.ItemIsEnabled:
                item.setIcon(icon("error"))
        self._describe()
        # The user may have chosen another slot while the map was read: then nothing is opened.
        if self.chosen_slot_name is not None:
            chosen_location = _SlotLocation(group_name, self.chosen_slot_name)
            if chosen_location == self._pending_open:
                self.open_chosen()

    def _show_picture(self, digest: str, pixmap: QPixmap) -> None:
        """Show a thumbnail in all slots that have the map of this digest."""
        picture = _unaltered_icon(pixmap)
        for row in range(self.slots.count()):
            item = self.slots.item(row)
            if item.data(DIGEST_ROLE) == digest:
                item.setIcon(picture)

    # --- the choice -------------------------------------------------------------------------

    def _on_slot_chosen(self) -> None:
        """Read the chosen map of a group whose maps are read one by one, and describe it."""
        group = self.group
        slot = self.chosen_slot_name
        if group is not None and slot is not None:
            if group.format:
                self._game_folder.read_map(group, slot)
            is_awaited = _SlotLocation(group.name, slot) == self._pending_open
            if not is_awaited:  # the user looks at another one by now
                self._pending_open = None
        self._describe()

    def _describe(self) -> None:
        """Say in which file the chosen map is, and what is wrong with it or with its group."""
        group = self.group
        name = self.chosen_slot_name
        self.open_button.setEnabled(name is not None)
        if group is None:
            return
        maps = self._game_folder.maps(group.name)
        if maps is None:
            return  # the message that they are being read stays

        slot = next((group_slot for group_slot in group.slots if group_slot.name == name), None)
        if slot is None or slot.file is None:
            title = group.name or self._game_folder.host.title
            text = f"{title} has no {self._game_folder.host.map_noun} to open."
        else:
            text = f"{slot_words(group.name, slot.name)}: {slot.file.text}"

        problems = group.problems
        if name is not None and name in maps:
            problems = (*maps[name].problems, *group.problems)
        if not problems:
            self.status.say(text)
            return
        problem_text = problems[0].message
        if len(problems) > 1:
            problem_text += f" (and {len(problems) - 1} more)"
        self.status.say(f"{text}\n{problem_text}", problems[0].severity)

    def open_chosen(self) -> None:
        """Close the dialog and emit the chosen map.

        If it is not read yet, that happens as soon as it is; if it cannot be read, the dialog stays
        open and tells why.
        """
        group = self.group
        slot = self.chosen_slot_name
        path = self._game_folder.path
        if group is None or slot is None or path is None:
            return
        maps = self._game_folder.maps(group.name)
        self._pending_open = _SlotLocation(group.name, slot)
        if maps is None or slot not in maps:
            self.status.show_working(f"Opening {slot_words(group.name, slot)}...")
            return
        slot_map = maps[slot]
        if slot_map.battlemap is None:
            self._pending_open = None
            self.status.complain(slot_map.problems[:MAX_PROBLEMS])
            return
        # The dialog closes first: its receiver may ask questions, which belong above the window.
        self.accept()
        result = ReadResult(slot_map.battlemap.snapshot(), slot_map.problems)
        source = GameSource(path, group.name, slot)
        self.chosen.emit(result, source, self.merge.isChecked())

    @guarded
    def done(self, result: int) -> None:
        """Close the dialog, and stop drawing."""
        self._thumbnails.forget_requests()
        super().done(result)


def _unaltered_icon(pixmap: QPixmap) -> QIcon:
    """Return an icon that looks the same in every state of its item.

    Qt would tint the picture of a selected item and grey that of a disabled one.
    """
    result = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Disabled):
        result.addPixmap(pixmap, mode)
    return result
