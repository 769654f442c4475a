"""Export to game: where to, what will be written and replaced, then it is done or taken back."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.document.document import MapDocument
from app.document.open_map import GameSource
from app.features.game.game_chooser import GameChooser
from app.features.game.game_reading import (
    OpenedGame,
    Preview,
    committing,
    digest_of,
    planning,
    taking_back,
)
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from app.widgets.dialog_status import DialogStatus
from app.widgets.problem_list import ProblemList
from randomizer.games import ExportPlan, ExportReceipt, GameHost
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors

PLAN_DELAY_MS = 120
"""How long after the last letter of a name the plan is made."""


class ExportDialog(QDialog):
    """Shows the plan of an export while it is chosen; nothing is written before the button.

    ``said(str)``: words for the window's status bar.
    """

    said = Signal(str)

    def __init__(
        self,
        host: GameHost,
        settings: Settings,
        document: MapDocument,
        thumbnails: MapThumbnails,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Export to {host.TITLE}")
        self._host = host
        self._document = document
        self._thumbnails = thumbnails
        self._plan: ExportPlan | None = None
        self._keys = {"now": "", "new": ""}
        self._receipt: ExportReceipt | None = None
        self._source_before: GameSource | None = None
        self._plan_job = LatestJob(self)
        self._write_job = LatestJob(self)
        self._plan_timer = QTimer(self, singleShot=True, interval=PLAN_DELAY_MS)
        self._plan_timer.timeout.connect(self._make_plan)
        self.chooser = GameChooser(host, settings)
        self._make_choices()
        self._make_plan_view()
        self._lay_out()
        self._connect()
        self.chooser.start()

    # --- construction -----------------------------------------------------------------------

    def _make_choices(self) -> None:
        self.variant = QComboBox()
        self.variant.setAccessibleName("Variant")
        self.variant.setToolTip("Which variant of the game gets the battleland")
        self.name = QLineEdit("MyLands")
        self.name.setAccessibleName("Name of the new variant")
        self.name.setToolTip("A folder of this name is made; it must not have blanks")
        self.name_fault = DialogStatus("What is wrong with the name")
        self.terrain = QComboBox()
        self.terrain.setAccessibleName("Terrain")
        self.terrain.setToolTip("The terrain whose battleland this map becomes")

    def _make_plan_view(self) -> None:
        self.plan_view = QTextBrowser()
        self.plan_view.setAccessibleName("What will happen")
        self.plan_view.setPlaceholderText(
            "Here stands what the export will do, once it can be done."
        )
        self.plan_view.setMinimumHeight(110)
        self.problem_list = ProblemList()
        self.problem_list.rows.setAccessibleName("Problems of the export and of the map")
        self.problem_list.rows.setToolTip("")
        self.problem_list.setMaximumHeight(130)
        self.problem_list.hide()
        self.pictures = {"now": QLabel(), "new": QLabel()}
        self.captions = {"now": QLabel("In the game now"), "new": QLabel("This map")}
        for key, words in (("now", "The map in the game now"), ("new", "The map to be exported")):
            self.pictures[key].setFixedSize(self._thumbnails.size)
            self.pictures[key].setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.pictures[key].setWordWrap(True)
            self.pictures[key].setAccessibleName(words)
            self.captions[key].setAlignment(Qt.AlignmentFlag.AlignHCenter)
            self.captions[key].setWordWrap(True)
        self.status = DialogStatus("Result")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.export_button: QPushButton = self.buttons.addButton(
            "&Export", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.take_back_button: QPushButton = self.buttons.addButton(
            "&Take this export back", QDialogButtonBox.ButtonRole.ResetRole
        )
        self.take_back_button.setAutoDefault(False)
        self.take_back_button.setToolTip("Restore what the export replaced, remove what was new")
        self.take_back_button.hide()

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.addRow("&Variant:", self.variant)
        named = QVBoxLayout()
        named.addWidget(self.name)
        named.addWidget(self.name_fault)
        self._name_row = QWidget()
        named.setContentsMargins(0, 0, 0, 0)
        self._name_row.setLayout(named)
        self._form.addRow("&Name:", self._name_row)
        label = self._form.labelForField(self._name_row)
        if isinstance(label, QLabel):
            label.setBuddy(self.name)
        self._form.addRow("&Terrain:", self.terrain)
        pictures = QHBoxLayout()
        for key in ("now", "new"):
            column = QVBoxLayout()
            column.addWidget(self.pictures[key])
            column.addWidget(self.captions[key])
            column.addStretch(1)
            pictures.addLayout(column)
        left = QVBoxLayout()
        left.addLayout(self._form)
        left.addWidget(self.plan_view, 1)
        middle = QHBoxLayout()
        middle.addLayout(left, 1)
        middle.addSpacing(6)
        middle.addLayout(pictures)
        column = QVBoxLayout(self)
        column.addWidget(self.chooser)
        column.addLayout(middle, 1)
        column.addWidget(self.problem_list)
        column.addWidget(self.status)
        column.addWidget(self.buttons)
        self.resize(QSize(940, 520))

    def _connect(self) -> None:
        self.chooser.opened.connect(self._show_variants)
        self.chooser.lost.connect(self._show_nothing)
        self.variant.currentIndexChanged.connect(lambda _row: self._variant_changed())
        self.terrain.currentIndexChanged.connect(lambda _row: self._plan_soon(0))
        self.name.textChanged.connect(lambda _text: self._plan_soon(PLAN_DELAY_MS))
        self._thumbnails.drawn.connect(self._show_picture)
        self.export_button.clicked.connect(self.export)
        self.take_back_button.clicked.connect(self.take_back)
        self.buttons.rejected.connect(self.reject)
        self._show_nothing()

    # --- where to ---------------------------------------------------------------------------

    @property
    def new_variant(self) -> bool:
        """Whether a variant of one's own is to be made."""
        return self.variant.count() > 0 and self.variant.currentData() is None

    @property
    def variant_name(self) -> str:
        """The variant that gets the map."""
        return self.name.text() if self.new_variant else str(self.variant.currentData() or "")

    def _show_nothing(self) -> None:
        self._plan_job.cancel()
        self._plan_timer.stop()
        for combo in (self.variant, self.terrain):
            combo.blockSignals(True)
            combo.clear()
            combo.blockSignals(False)
            combo.setEnabled(False)
        self._form.setRowVisible(self._name_row, False)
        self._forget_plan()
        self.plan_view.clear()
        self._show_problems(())
        for key, picture in self.pictures.items():
            picture.clear()
            self.captions[key].hide()

    def _show_variants(self, opened: OpenedGame) -> None:
        source = self._document.source
        keep = self.variant_name if self.variant.count() else source.variant if source else ""
        self.variant.blockSignals(True)
        self.variant.clear()
        for variant in opened.variants:
            self.variant.addItem(variant.name, variant.name)
        self.variant.insertSeparator(self.variant.count())
        self.variant.addItem("New variant...", None)
        index = self.variant.findData(keep)
        if index < 0 and keep and keep == self.name.text():
            index = self.variant.count() - 1  # the new variant was taken back
        self.variant.setCurrentIndex(max(0, index))
        self.variant.blockSignals(False)
        self.variant.setEnabled(True)
        self.terrain.setEnabled(True)
        self._variant_changed()
        if not self._receipt:
            self.terrain.setFocus()

    def _variant_changed(self) -> None:
        """Offer the terrains of the variant; a new one has those of the first."""
        opened = self.chooser.current
        if opened is None:
            return
        self._form.setRowVisible(self._name_row, self.new_variant)
        variant = opened.variant(self.variant_name) if not self.new_variant else None
        names = [terrain.name for terrain in (variant or opened.variants[0]).terrains]
        chosen = self._terrain_to_choose(names)
        self.terrain.blockSignals(True)
        self.terrain.clear()
        self.terrain.addItems(names)
        self.terrain.setCurrentIndex(chosen)
        self.terrain.blockSignals(False)
        if self.new_variant and not self.terrain.hasFocus():
            self.name.setFocus()
            self.name.selectAll()
        self._plan_soon(0)

    def _terrain_to_choose(self, names: list[str]) -> int:
        """What was chosen, else where the map came from, else the terrain of its title."""
        source, title = self._document.source, self._document.composite.title or ""
        for wanted in (self.terrain.currentText(), source.terrain if source else "", title):
            for index, name in enumerate(names):
                if wanted and name.casefold() == wanted.casefold():
                    return index
        return 0

    # --- the plan ---------------------------------------------------------------------------

    def _forget_plan(self) -> None:
        self._plan = None
        self.export_button.setEnabled(False)

    def _plan_soon(self, delay_ms: int) -> None:
        self._plan_job.cancel()  # a plan for another place must not arrive in between
        self._forget_plan()
        self._plan_timer.start(delay_ms)

    def _make_plan(self) -> None:
        opened, terrain = self.chooser.current, self.terrain.currentText()
        if opened is None or not terrain:
            return
        try:
            data = self._host.FORMAT.write(self._document.battlemap)
        except ProblemError as reason:
            self._show_problems(reason.problems)
            return
        self._keys["new"] = digest_of(data)
        work = planning(self._host, opened, data, self.variant_name, terrain)
        self._plan_job.run(work, self._show_plan, self._show_problems)

    def _map_problems(self) -> tuple[Problem, ...]:
        """What is said of the map itself, each thing once."""
        battlemap = self._document.battlemap
        found = (
            *self._host.FORMAT.check(battlemap),
            *battlemap.system.check(self._document.composite),
        )
        return tuple(dict.fromkeys(found))

    def _show_plan(self, preview: Preview) -> None:
        plan, now = preview.plan, preview.now
        faults = [problem for problem in plan.problems if problem.code == "bad-name"]
        others = [problem for problem in plan.problems if problem.code != "bad-name"]
        if not self.new_variant:
            faults, others = [], list(plan.problems)
        self.name_fault.say(faults[0].message if faults else "", Severity.ERROR)
        self.name_fault.setVisible(bool(faults))
        problems = tuple(dict.fromkeys((*others, *self._map_problems())))
        self._show_problems(problems)
        changes = any(file.old != file.data for file in plan.files)
        self.plan_view.setHtml(plan_as_html(plan, self._host.BACKUPS, changes))
        self._plan = plan if changes and not has_errors((*plan.problems, *problems)) else None
        self.export_button.setEnabled(self._plan is not None and not self._write_job.busy)
        self.export_button.setDefault(self.export_button.isEnabled())
        self._show_maps(now.digest, preview)

    def _show_maps(self, digest: str, preview: Preview) -> None:
        now = preview.now
        self._keys["now"] = digest
        for key, picture in self.pictures.items():
            picture.clear()
            self.captions[key].show()
        if now.battlemap is not None:
            self._thumbnails.request(digest, now.battlemap)
        else:
            self.pictures["now"].setText("nothing that can be shown")
        opened = self.chooser.current
        other = preview.plan.new_variant and opened is not None
        where = opened.variants[0].name if other and opened is not None else "the game"
        self.captions["now"].setText(f"In {where} now")
        self._thumbnails.request(self._keys["new"], self._document.battlemap)

    def _show_picture(self, key: str, pixmap: QPixmap) -> None:
        for place, wanted in self._keys.items():
            if wanted == key:
                self.pictures[place].setPixmap(pixmap)

    def _show_problems(self, problems: tuple[Problem, ...]) -> None:
        self.problem_list.set_problems(problems)
        self.problem_list.setVisible(bool(problems))

    # --- doing it ---------------------------------------------------------------------------

    def export(self) -> None:
        """Do what the plan says."""
        plan, terrain = self._plan, self.terrain.currentText()
        if plan is None or self._write_job.busy:
            return
        self._set_writing(f"Exporting to {plan.variant} / {terrain}...")
        self._write_job.run(
            committing(self._host, plan),
            lambda receipt: self._exported(plan, terrain, receipt),
            self._not_written,
        )

    def _set_writing(self, words: str) -> None:
        self.status.work(words)
        self.export_button.setEnabled(False)
        self.take_back_button.setEnabled(False)
        self.chooser.setEnabled(False)

    def _exported(self, plan: ExportPlan, terrain: str, receipt: ExportReceipt) -> None:
        opened = self.chooser.current
        self._receipt = receipt
        self._source_before = self._document.source
        if opened is not None:
            self._document.set_source(GameSource(opened.path, plan.variant, terrain))
        place = f"{plan.variant} / {terrain}"
        self.status.say(f"Exported to {place}. {plan.how_to_play}".strip())
        self.said.emit(f"Exported to {place} (File > Take back an export undoes it)")
        self._written()

    def take_back(self) -> None:
        """Undo the export that this dialog did last."""
        if self._receipt is None or self._write_job.busy:
            return
        self._set_writing("Taking the export back...")
        self._write_job.run(
            taking_back(self._host, self._receipt.path), self._taken_back, self._not_written
        )

    def _taken_back(self, _receipt: ExportReceipt) -> None:
        self._receipt = None
        self._document.set_source(self._source_before)
        words = "The export was taken back: the game is as it was before."
        self.status.say(words)
        self.said.emit(words)
        self._written()

    def _written(self) -> None:
        """Something was written: look again what is there."""
        self.chooser.setEnabled(True)
        self.take_back_button.setVisible(self._receipt is not None)
        self.take_back_button.setEnabled(True)
        if self._receipt is not None:
            self.buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        self.chooser.reload()

    def _not_written(self, problems: tuple[Problem, ...]) -> None:
        self.chooser.setEnabled(True)
        self.take_back_button.setEnabled(True)
        self.status.say("\n".join(problem.message for problem in problems), Severity.ERROR)
        self._plan_soon(0)

    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if self._write_job.busy:
            return
        self._plan_timer.stop()
        self._plan_job.cancel()
        self.chooser.cancel()
        self._thumbnails.forget_requests()
        super().done(result)


def plan_as_html(plan: ExportPlan, backups: str, changes: bool) -> str:
    """The plan in sentences, each file with its place below the game's directory."""
    root = plan.root.resolve()
    lines = []
    for file in plan.files:
        place = file.path
        shown = str(place.relative_to(root)) if place.is_relative_to(root) else str(place)
        done = "Replaces" if file.overwrites else "Keeps" if file.old is not None else "Writes"
        lines.append(
            f"<b>{done}</b> {escape(shown)}<br><small>{escape(file.words)}, "
            f"{len(file.data):,} bytes</small>"
        )
    if any(file.overwrites for file in plan.files):
        folder = Path(backups) / "..."
        lines.append(f"<b>Backs up</b> what is replaced in {escape(str(folder))}")
    if plan.files and not changes:
        lines.append("The game has this map there already: there is nothing to export.")
    told = tuple(f"{file.path.name} is " for file in plan.files)  # the rows have said it
    notes = [note for note in plan.notes if not note.startswith(told)]
    rows = "".join(f"<p style='margin:0 0 6px 0'>{line}</p>" for line in lines)
    rows += "".join(f"<p style='margin:0 0 6px 0'>{escape(note)}</p>" for note in notes)
    where = f"<p style='margin:0 0 6px 0'>Below {escape(str(root))}:</p>" if plan.files else ""
    return where + rows
