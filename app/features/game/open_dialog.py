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
from app.background.latest_job import LatestJob
from app.document.open_map import GameSource
from app.features.game.game_chooser import GameChooser
from app.features.game.game_reading import OpenedGame, TerrainMap, reading, reading_all
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from app.widgets.dialog_status import DialogStatus
from app.widgets.empty_state import EmptyState
from randomizer.formats import ReadResult
from randomizer.games import GameHost, GameVariant
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
        host: GameHost,
        settings: Settings,
        thumbnails: MapThumbnails,
        source: GameSource | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Open from {host.TITLE}")
        self._host = host
        self._thumbnails = thumbnails
        self._wanted = source
        self._pictures_job = LatestJob(self)
        self._open_job = LatestJob(self)
        self._maps: dict[str, TerrainMap] = {}
        self.chooser = GameChooser(host, settings)
        self._make_lists()
        self.status = DialogStatus("What is chosen")
        self.merge = QCheckBox("&Merge into this map instead")
        self.merge.setToolTip("Lay the battleland over the open map, as a layer of its own")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        self._lay_out()
        self._connect()
        self.chooser.start()

    def _make_lists(self) -> None:
        self.variants = QListWidget()
        self.variants.setAccessibleName("Variants of the game")
        self.variants.setIconSize(QSize(16, 16))
        self.terrains = QListWidget()
        self.terrains.setAccessibleName("Terrains of the variant")
        self.terrains.setViewMode(QListView.ViewMode.IconMode)
        self.terrains.setResizeMode(QListView.ResizeMode.Adjust)
        self.terrains.setMovement(QListView.Movement.Static)
        self.terrains.setUniformItemSizes(True)
        self.terrains.setWordWrap(True)
        EmptyState(
            self.terrains,
            "Choose the directory of the game above: its battlelands appear here as pictures.",
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
        column = QVBoxLayout(self)
        column.addWidget(self.chooser)
        column.addWidget(splitter, 1)
        column.addWidget(self.status)
        column.addWidget(self.merge)
        column.addWidget(self.buttons)
        self.resize(960, 640)

    def _connect(self) -> None:
        self.chooser.opened.connect(self._show_variants)
        self.chooser.lost.connect(self._show_nothing)
        self.variants.currentRowChanged.connect(lambda _row: self._show_terrains())
        self.terrains.currentItemChanged.connect(lambda _item: self._describe())
        self.terrains.itemActivated.connect(lambda _item: self.open_chosen())
        self._thumbnails.drawn.connect(self._show_picture)
        self.merge.toggled.connect(
            lambda merge: self.open_button.setText("Merge" if merge else "Open")
        )
        self.buttons.accepted.connect(self.open_chosen)
        self.buttons.rejected.connect(self.reject)
        self.open_button.setEnabled(False)

    # --- the game ---------------------------------------------------------------------------

    @property
    def _opened(self) -> OpenedGame | None:
        return self.chooser.current

    @property
    def variant(self) -> GameVariant | None:
        """The chosen variant."""
        item = self.variants.currentItem()
        if item is None or self._opened is None:
            return None
        return self._opened.variant(item.data(NAME))

    @property
    def terrain(self) -> str | None:
        """The name of the chosen terrain, None where none with a battleland is chosen."""
        item = self.terrains.currentItem()
        if item is None or not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return None
        name: str = item.data(NAME)
        return name

    def _show_nothing(self) -> None:
        self._pictures_job.cancel()
        self._thumbnails.forget_requests()
        self.variants.clear()
        self.terrains.clear()
        self.open_button.setEnabled(False)

    def _show_variants(self, opened: OpenedGame) -> None:
        self.variants.clear()
        row = 0
        for variant in opened.variants:
            count = len(variant.terrains)
            item = QListWidgetItem(f"{variant.name}  ({counted(count, 'terrain')})")
            item.setData(NAME, variant.name)
            if variant.problems:
                item.setIcon(icon("warning"))
                words = "\n".join(problem.message for problem in variant.problems)
                item.setToolTip(words)
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, words)
            if self._wanted is not None and variant.name == self._wanted.variant:
                row = self.variants.count()
            self.variants.addItem(item)
        self.variants.setCurrentRow(row)
        self.terrains.setFocus()

    def _show_terrains(self) -> None:
        self._thumbnails.forget_requests()
        self._maps.clear()
        self.terrains.clear()
        variant = self.variant
        if variant is None or self._opened is None:
            return
        blank = _as_it_is(self._thumbnails.blank())
        for terrain in variant.terrains:
            origin = self._host.origin(variant, terrain)
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
        self.status.work(f"Reading the battlelands of {variant.name}...")
        work = reading_all(self._host, self._opened.game, variant)
        self._pictures_job.run(work, self._show_maps, self._complain)

    def _choose_first(self, variant: GameVariant) -> None:
        """The terrain that the open map came from, else the first that has a battleland."""
        wanted = self._wanted
        rows = [row for row, terrain in enumerate(variant.terrains) if terrain.battleland]
        for row in rows:
            name = variant.terrains[row].name
            if wanted is not None and (variant.name, name) == (wanted.variant, wanted.terrain):
                rows = [row]
        if rows:
            self.terrains.setCurrentRow(rows[0])

    # --- the pictures -----------------------------------------------------------------------

    def _show_maps(self, maps: tuple[TerrainMap, ...]) -> None:
        self._maps = {each.terrain: each for each in maps}
        for row in range(self.terrains.count()):
            item = self.terrains.item(row)
            each = self._maps.get(item.data(NAME))
            if each is None:
                continue
            item.setData(DIGEST, each.digest)
            if each.battlemap is not None:
                self._thumbnails.request(each.digest, each.battlemap)
            elif item.flags() & Qt.ItemFlag.ItemIsEnabled:
                item.setIcon(icon("error"))
        self._describe()

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
        if variant is None or self._pictures_job.busy:
            return
        terrain = next((each for each in variant.terrains if each.name == name), None)
        if terrain is None or terrain.battleland is None:
            words = f"{variant.name} has no battleland to open."
        else:
            words = f"{variant.name} / {terrain.name}: {terrain.battleland.words}"
        each = self._maps.get(name or "")
        found = variant.problems if each is None else (*each.problems, *variant.problems)
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            self.status.say(f"{words}\n{found[0].message}{more}", found[0].severity)
        else:
            self.status.say(words)

    def open_chosen(self) -> None:
        """Read the chosen battleland; the dialog closes when it is there."""
        variant, terrain, opened = self.variant, self.terrain, self._opened
        if variant is None or terrain is None or opened is None or self._open_job.busy:
            return
        source = GameSource(opened.path, variant.name, terrain)
        merge = self.merge.isChecked()
        self.status.work(f"Opening {variant.name} / {terrain}...")
        self._open_job.run(
            reading(self._host, opened.game, variant.name, terrain),
            lambda result: self._read(result, source, merge),
            self._complain,
        )

    def _read(self, result: ReadResult, source: GameSource, merge: bool) -> None:
        if result.battlemap is None:
            self._complain(result.problems)
            return
        self.accept()
        # Questions (unsaved changes?) belong to the window, not under this dialog.
        self.chosen.emit(result, source, merge)

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self.status.say("\n".join(problem.message for problem in problems[:3]), Severity.ERROR)

    def done(self, result: int) -> None:
        """Stop reading and drawing."""
        self.chooser.cancel()
        self._pictures_job.cancel()
        self._open_job.cancel()
        self._thumbnails.forget_requests()
        super().done(result)


def _as_it_is(pixmap: QPixmap) -> QIcon:
    """An icon that looks the same in every state of its item."""
    found = QIcon()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected, QIcon.Mode.Disabled):
        found.addPixmap(pixmap, mode)
    return found
