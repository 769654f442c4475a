"""Open from game: the variants, and the battlelands of the chosen one as pictures."""

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
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon
from app.document.open_map import GameSource
from app.features.game.game_chooser import GameChooser
from app.features.game.places import GamePlaces
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.builders import described, lay_out
from app.widgets.dialog_status import DialogStatus
from app.widgets.empty_state import EmptyState
from randomizer.formats import ReadResult
from randomizer.games import GameVariant
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity

NAME = Qt.ItemDataRole.UserRole
DIGEST = Qt.ItemDataRole.UserRole + 1


class OpenGameDialog(QDialog):
    """Variants on the left, terrains with thumbnails on the right.

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
        self.setWindowTitle(f"Open from {places.host.TITLE}")
        self._places, self._names = places, places.host.NAMES
        self._thumbnails = thumbnails
        self._wanted = (source.variant, source.terrain) if source else ("", "")
        self._opening = ("", "")
        self.chooser = GameChooser(places)
        self._make_lists()
        self.status = DialogStatus("What is chosen")
        self.merge = QCheckBox("&Merge into this map instead")
        self.merge.setToolTip(
            f"Lay the {self._names.battleland} over the open map, as a layer of its own"
        )
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        self._lay_out()
        self._connect()
        places.show_in(self._show_variants, self._show_nothing)

    def _make_lists(self) -> None:
        names = self._names
        self.variants = described(QListWidget(), f"{names.variant.capitalize()}s of the game")
        self.variants.setIconSize(QSize(16, 16))
        words = f"{names.terrain.capitalize()}s of the {names.variant}"
        self.terrains = described(QListWidget(), words)
        self.terrains.setViewMode(QListView.ViewMode.IconMode)
        self.terrains.setResizeMode(QListView.ResizeMode.Adjust)
        self.terrains.setMovement(QListView.Movement.Static)
        self.terrains.setUniformItemSizes(True)
        self.terrains.setWordWrap(True)
        EmptyState(
            self.terrains,
            "Choose the directory of the game above: "
            f"its {names.battleland}s appear here as pictures.",
        )
        size = self._thumbnails.size
        lines = self.terrains.fontMetrics().lineSpacing() * 3
        self.terrains.setIconSize(size)
        self.terrains.setGridSize(QSize(size.width() + 20, size.height() + lines + 14))

    def _lay_out(self) -> None:
        splitter = QSplitter()
        splitter.addWidget(self.variants)
        splitter.addWidget(self.terrains)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([220, 720])
        lay_out(
            QVBoxLayout(self), self.chooser, (splitter, 1), self.status, self.merge, self.buttons
        )
        self.resize(960, 640)

    def _connect(self) -> None:
        connect(self._places.maps_read, self._show_maps)
        connect(self.variants.currentRowChanged, lambda _row: self._show_terrains())
        connect(self.terrains.currentItemChanged, lambda _item: self._describe())
        connect(self.terrains.itemActivated, lambda _item: self.open_chosen())
        connect(self._thumbnails.drawn, self._show_picture)
        connect(
            self.merge.toggled, lambda merge: self.open_button.setText("Merge" if merge else "Open")
        )
        connect(self.buttons.accepted, self.open_chosen)
        connect(self.buttons.rejected, self.reject)
        self.open_button.setEnabled(False)

    # --- the game ---------------------------------------------------------------------------

    @property
    def variant(self) -> GameVariant | None:
        """The chosen variant."""
        item = self.variants.currentItem()
        return None if item is None else self._places.variant(item.data(NAME))

    @property
    def terrain(self) -> str | None:
        """The name of the chosen terrain, None where none with a battleland is chosen."""
        item = self.terrains.currentItem()
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return None
        name: str = item.data(NAME)
        return name

    def _show_nothing(self) -> None:
        self._thumbnails.forget_requests()
        self.variants.clear()
        self.terrains.clear()
        self.open_button.setEnabled(False)

    def _show_variants(self) -> None:
        if self.variant is not None:
            self._wanted = (self.variant.name, self.terrain or "")
        self.variants.clear()
        row = 0
        for variant in self._places.variants:
            terrains = counted(len(variant.terrains), self._names.terrain)
            item = QListWidgetItem(f"{variant.name}  ({terrains})")
            item.setData(NAME, variant.name)
            if variant.problems:
                item.setIcon(icon("warning"))
                words = "\n".join(problem.message for problem in variant.problems)
                item.setToolTip(words)
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, words)
            if variant.name == self._wanted[0]:
                row = self.variants.count()
            self.variants.addItem(item)
        self.variants.setCurrentRow(row)
        if self.focusWidget() in (None, self.chooser.line):
            self.terrains.setFocus()

    def _show_terrains(self) -> None:
        self._thumbnails.forget_requests()
        self.terrains.clear()
        variant = self.variant
        if variant is None:
            return
        blank = _as_it_is(self._thumbnails.blank())
        for terrain in variant.terrains:
            origin = self._places.host.origin(variant, terrain)
            item = QListWidgetItem(blank, f"{terrain.name}\n{origin}")
            item.setData(NAME, terrain.name)
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{terrain.name}, {origin}")
            if terrain.shown_name != terrain.name:
                item.setToolTip(f"Players see the name {terrain.shown_name}")
            if terrain.battleland is None:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            self.terrains.addItem(item)
        self._choose_first(variant)
        self.status.work(f"Reading the {self._names.battleland}s of {variant.name}...")
        self._places.read_maps(variant)

    def _choose_first(self, variant: GameVariant) -> None:
        """The terrain that was chosen or that the open map came from, else the first with a map."""
        rows = [row for row, terrain in enumerate(variant.terrains) if terrain.battleland]
        for row in rows:
            name = variant.terrains[row].name
            if (variant.name, name) == self._wanted:
                rows = [row]
        if rows:
            self.terrains.setCurrentRow(rows[0])

    # --- the pictures -----------------------------------------------------------------------

    def _show_maps(self, variant: str) -> None:
        if self.variant is None or self.variant.name != variant:
            return
        maps = self._places.maps(variant) or {}
        for row in range(self.terrains.count()):
            item = self.terrains.item(row)
            each = maps[item.data(NAME)]
            item.setData(DIGEST, each.digest)
            if each.battlemap is not None:
                self._thumbnails.request(each.digest, each.battlemap)
            elif item.flags() & Qt.ItemFlag.ItemIsEnabled:
                item.setIcon(icon("error"))
        self._describe()
        if self._opening == (variant, self.terrain):
            self.open_chosen()

    def _show_picture(self, digest: str, pixmap: QPixmap) -> None:
        picture = _as_it_is(pixmap)
        for row in range(self.terrains.count()):
            item = self.terrains.item(row)
            if item.data(DIGEST) == digest:
                item.setIcon(picture)

    # --- the choice -------------------------------------------------------------------------

    def _describe(self) -> None:
        """Say where the chosen battleland lies and what is wrong with it, or with the variant."""
        variant, name = self.variant, self.terrain
        self.open_button.setEnabled(name is not None)
        maps = None if variant is None else self._places.maps(variant.name)
        if variant is None or maps is None:
            return
        terrain = next((each for each in variant.terrains if each.name == name), None)
        if terrain is None or terrain.battleland is None:
            words = f"{variant.name} has no {self._names.battleland} to open."
        else:
            words = f"{variant.name} / {terrain.name}: {terrain.battleland.words}"
        each = maps.get(name or "")
        found = variant.problems if each is None else (*each.problems, *variant.problems)
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            self.status.say(f"{words}\n{found[0].message}{more}", found[0].severity)
        else:
            self.status.say(words)

    def open_chosen(self) -> None:
        """Give the chosen map away and close; if it is being read yet, when it is there."""
        variant, terrain, path = self.variant, self.terrain, self._places.path
        if variant is None or terrain is None or path is None:
            return
        maps = self._places.maps(variant.name)
        self._opening = (variant.name, terrain)
        if maps is None:
            self.status.work(f"Opening {variant.name} / {terrain}...")
        elif (battlemap := maps[terrain].battlemap) is None:
            self._complain(maps[terrain].problems)
        else:
            self.accept()
            # Questions (unsaved changes?) belong to the window, not under this dialog.
            result = ReadResult(battlemap.snapshot(), maps[terrain].problems)
            source = GameSource(path, variant.name, terrain)
            self.chosen.emit(result, source, self.merge.isChecked())

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self.status.say("\n".join(problem.message for problem in problems[:3]), Severity.ERROR)

    @guarded
    def done(self, result: int) -> None:
        """Stop reading and drawing."""
        self._thumbnails.forget_requests()
        super().done(result)


def _as_it_is(pixmap: QPixmap) -> QIcon:
    """An icon that looks the same in every state of its item."""
    found = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Disabled):
        found.addPixmap(pixmap, mode)
    return found
