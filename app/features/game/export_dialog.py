"""Export to game: where to, what will be written and replaced, then it is done or taken back."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.document.document import MapDocument
from app.document.open_map import GameSource
from app.features.game.exporting import GameExport
from app.features.game.game_chooser import GameChooser
from app.features.game.game_reading import TerrainMap
from app.features.game.map_picture import MapPicture
from app.features.game.places import GamePlaces
from app.features.game.plan_dialog import PlanDialog, export_place
from app.features.game.variant_choice import VariantChoice
from app.qt_guard import connect, guarded
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.builders import STRETCH, described, lay_out
from app.widgets.dialog_status import DialogStatus
from randomizer.games import ExportPlan
from randomizer.model.problems import Problem, Severity

PLAN_DELAY_MS = 120
"""How long after the last letter of a name the plan is made."""


class ExportDialog(PlanDialog):
    """Shows the plan of an export while it is chosen; nothing is written before the button.

    ``said(str)``: words for the window's status bar.
    """

    said = Signal(str)

    def __init__(
        self,
        places: GamePlaces,
        document: MapDocument,
        thumbnails: MapThumbnails,
        parent: QWidget | None = None,
    ) -> None:
        close = QDialogButtonBox.StandardButton.Close
        super().__init__(GameExport(places), "&Export", close, parent)
        self.game_export.setParent(self)
        self.setWindowTitle(f"Export to {places.host.TITLE}")
        self._places, self._document = places, document
        self._thumbnails = thumbnails
        self._source_before: GameSource | None = None
        self._plan_timer = QTimer(self, singleShot=True, interval=PLAN_DELAY_MS)
        connect(self._plan_timer.timeout, self._make_plan)
        self.chooser = GameChooser(places)
        self._make_choices()
        self._make_pictures()
        self._lay_out()
        self._connect()
        self._show_nothing()
        places.show_in(self._show_variants, self._show_nothing)

    # --- construction -----------------------------------------------------------------------

    def _make_choices(self) -> None:
        names = self._places.host.NAMES
        tip = f"Which {names.variant} of the game gets the {names.battleland}"
        self.choice = VariantChoice(self._places, tip, self._source_variant, self)
        self.variant, self.name = self.choice.box, self.choice.name
        self.name_fault = DialogStatus("What is wrong with the name")
        tip = f"The {names.terrain} whose {names.battleland} this map becomes"
        self.terrain = described(QComboBox(), names.terrain.capitalize(), tip)

    def _make_pictures(self) -> None:
        size = self._thumbnails.size
        self.pictures = {
            "now": MapPicture(self._thumbnails, size, "The map in the game now"),
            "new": MapPicture(self._thumbnails, size, "The map to be exported"),
        }
        self.captions = {"now": QLabel("In the game now"), "new": QLabel("This map")}
        for caption in self.captions.values():
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            caption.setWordWrap(True)
        self.take_back_button: QPushButton = self.buttons.addButton(
            "&Take this export back", QDialogButtonBox.ButtonRole.ResetRole
        )
        self.take_back_button.setAutoDefault(False)
        self.take_back_button.setToolTip("Restore what the export replaced, remove what was new")
        self.take_back_button.hide()

    def _lay_out(self) -> None:
        self.plan_view.setPlaceholderText(
            "Here stands what the export will do, once it can be done."
        )
        self.plan_view.setMinimumHeight(110)
        self.problem_list.setMaximumHeight(130)
        names = self._places.host.NAMES
        self._form = QFormLayout()
        self._form.addRow(f"&{names.variant.capitalize()}:", self.variant)
        self._name_row = QWidget()
        lay_out(QVBoxLayout(self._name_row), self.name, self.name_fault, margins=0)
        self._form.addRow("&Name:", self._name_row)
        label = self._form.labelForField(self._name_row)
        if isinstance(label, QLabel):
            label.setBuddy(self.name)
        self._form.addRow(f"&{names.terrain.capitalize()}:", self.terrain)
        pictures = QHBoxLayout()
        for key in ("now", "new"):
            column = lay_out(QVBoxLayout(), self.pictures[key], self.captions[key], STRETCH)
            pictures.addLayout(column)
        left = lay_out(QVBoxLayout(), self._form, (self.plan_view, 1))
        pictures.setContentsMargins(6, 0, 0, 0)
        middle = lay_out(QHBoxLayout(), (left, 1), pictures)
        below = (self.problem_list, self.status, self.buttons)
        lay_out(QVBoxLayout(self), self.chooser, (middle, 1), *below)
        self.resize(QSize(940, 520))

    def _connect(self) -> None:
        connect(self._places.maps_read, self._show_maps)
        connect(self.choice.changed, self._variant_changed)
        connect(self.terrain.currentIndexChanged, lambda _row: self._plan_soon(0))
        connect(self.name.textChanged, lambda _text: self._plan_soon(PLAN_DELAY_MS))
        connect(self.take_back_button.clicked, self.take_back)
        connect(self.game_export.planned, self._show_plan)
        connect(self.game_export.exported, self._exported)
        connect(self.game_export.taken_back, self._taken_back)

    # --- where to ---------------------------------------------------------------------------

    def _source_variant(self) -> str:
        source = self._document.source
        return source.variant if source else ""

    def _show_nothing(self) -> None:
        self._drop_plan()
        self.terrain.blockSignals(True)
        self.terrain.clear()
        self.terrain.blockSignals(False)
        self.terrain.setEnabled(False)
        self._form.setRowVisible(self._name_row, False)
        self.plan_view.clear()
        self.show_plan(())
        for key, picture in self.pictures.items():
            picture.show_map("", None, "")
            self.captions[key].hide()

    def _show_variants(self) -> None:
        self.choice.show_variants()
        self.terrain.setEnabled(True)
        if self.focusWidget() in (None, self.chooser.line):
            self.terrain.setFocus()

    def _variant_changed(self) -> None:
        """Offer the terrains of the variant; a new one has those of the first."""
        variant = self.choice.shown
        if variant is None:
            return
        self._form.setRowVisible(self._name_row, self.choice.is_new)
        names = [terrain.name for terrain in variant.terrains]
        chosen = self._terrain_to_choose(names)
        self.terrain.blockSignals(True)
        self.terrain.clear()
        self.terrain.addItems(names)
        self.terrain.setCurrentIndex(chosen)
        self.terrain.blockSignals(False)
        if self.choice.is_new and not self.terrain.hasFocus():
            self.name.setFocus()
            self.name.selectAll()
        self._plan_soon(0)

    def _terrain_to_choose(self, names: list[str]) -> int:
        """What was chosen, else where the map came from, else the terrain of its title."""
        source, title = self._document.source, self._document.map_title
        for wanted in (self.terrain.currentText(), source.terrain if source else "", title):
            for index, name in enumerate(names):
                if wanted and name.casefold() == wanted.casefold():
                    return index
        return 0

    # --- the plan ---------------------------------------------------------------------------

    def _drop_plan(self) -> None:
        self._plan_timer.stop()
        self.game_export.drop_plan()  # a plan for another place must not arrive in between
        self.export_button.setEnabled(False)

    def _plan_soon(self, delay_ms: int) -> None:
        self._drop_plan()
        self._plan_timer.start(delay_ms)

    def _make_plan(self) -> None:
        terrain, variant = self.terrain.currentText(), self.choice.shown
        if variant is not None and terrain:
            self.game_export.make_plan(self.choice.title, {terrain: self._document.battlemap})
            self._places.read_maps(variant)

    def _show_plan(self) -> None:
        problems = self.game_export.problems
        faults = [each for each in problems if self.choice.is_new and each.code == "bad-name"]
        self.name_fault.say(faults[0].message if faults else "", Severity.ERROR)
        self.name_fault.setVisible(bool(faults))
        self.show_plan(each for each in problems if each not in faults)

    def _show_maps(self, name: str) -> None:
        """Show the map that the game has in the place now, beside the new one."""
        variant = self.choice.shown
        maps = self._places.maps(name)
        if variant is None or variant.name != name or maps is None:
            return
        now = maps.get(self.terrain.currentText(), TerrainMap())
        self.pictures["now"].show_map(now.digest, now.battlemap, "nothing that can be shown")
        self.pictures["new"].show_tab(self._document, self._document.front)
        where = "the game" if name == self.choice.title else name
        self.captions["now"].setText(f"In {where} now")
        for caption in self.captions.values():
            caption.show()

    # --- doing it ---------------------------------------------------------------------------

    def set_writing(self, words: str) -> None:
        """Say what is done to the game's files; meanwhile there is nothing to press."""
        super().set_writing(words)
        self.chooser.setEnabled(False)

    def _exported(self, plan: ExportPlan) -> None:
        path = self._places.path
        assert path is not None
        self._source_before = self._document.source
        self._document.set_source(GameSource(path, plan.variant, plan.terrains[0]))
        place = export_place(plan)
        self.said.emit(f"Exported to {place} (File > Take back an export undoes it)")
        self._written(f"Exported to {place}. {plan.how_to_play}".strip())

    def take_back(self) -> None:
        """Undo the export that this dialog did last."""
        if not self.game_export.writing:
            self.set_writing("Taking the export back...")
            self.game_export.take_back(self.game_export.receipt)

    def _taken_back(self) -> None:
        self._document.set_source(self._source_before)
        words = "The export was taken back: the game is as it was before."
        self.said.emit(words)
        self._written(words)

    def _written(self, words: str) -> None:
        self.status.say(words)
        self.chooser.setEnabled(True)
        self.buttons.setEnabled(True)
        self.export_button.setEnabled(False)
        self.take_back_button.setVisible(self.game_export.receipt is not None)
        if self.game_export.receipt is not None:
            self.close_button.setFocus()

    def not_written(self, problems: tuple[Problem, ...]) -> None:
        """Say why, and plan again."""
        super().not_written(problems)
        self.chooser.setEnabled(True)
        self._plan_soon(0)

    @guarded
    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self.game_export.writing:
            self._drop_plan()
            self._thumbnails.forget_requests()
        super().done(result)
