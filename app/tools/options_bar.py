"""The bar of tool options: what the tool in hand uses, and a line on how to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QToolBar,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from app.document.cell_texts import CellTexts
from app.qt_guard import connect
from app.tools.corner_height_options import CornerHeightOptions
from app.tools.options import HEIGHT_MODES, MOST_RADIUS
from app.widgets.builders import described, tool_button
from app.widgets.elided_label import ElidedLabel
from randomizer.geometry.symmetry import kinds
from randomizer.model.cell_words import cell_text

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.document.document import MapDocument
    from app.tools import Tool, ToolOptions
    from randomizer.model.terrain import TerrainSet

MOST_WEIGHT = 99

STEPS = 20
"""The elevation brush raises by at most this."""


class ToolOptionsBar(QToolBar):
    """Shows only what matters to the present tool."""

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        super().__init__("Tool options")
        self.setObjectName("tool-options")
        self._options = options
        self._document = document
        self._parts: dict[str, QAction] = {}
        self._weights: dict[int, QSpinBox] = {}
        self._terrain_set: TerrainSet | None = None

        self.radius = _number("Radius", 0, MOST_RADIUS)
        self.bar = QCheckBox("Bar")
        self._add("radius", QLabel("Radius"), self.radius)
        self._add("bar", self.bar)
        self.height_mode = described(QComboBox(), "What the elevation brush does")
        self.height_mode.addItems([mode.capitalize() for mode in HEIGHT_MODES])
        self.step = _number("Step", 1, STEPS, "By how much the brush raises and lowers")
        self._add("height", QLabel("Elevation"), self.height_mode, QLabel("by"), self.step)
        self.corners = CornerHeightOptions(options)
        self._add("corners", self.corners)
        self.everywhere = QCheckBox("Everywhere")
        self._add("everywhere", self.everywhere)
        self.slanted = QCheckBox("Slanted")
        self._add("slanted", self.slanted)
        self.mixture = tool_button("Mixture", name="Mixture of the random brush")
        self.mixture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.mixture_words = QLabel()
        self._add("weights", self.mixture, self.mixture_words)
        self.flipped = QCheckBox()
        self._add("flipped", self.flipped)
        self.symmetry = QComboBox()
        self.symmetry.setAccessibleName("Symmetry")
        self.symmetry.setToolTip("What is painted is painted at its twins too")
        self.middle = QToolButton()
        self.middle.setText("Middle")
        self.middle.setToolTip("Put the centre back into the middle; C chooses another")
        self.symmetry.setMinimumContentsLength(22)
        self.symmetry.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._add("symmetry", QLabel("Symmetry"), self.symmetry, self.middle)
        self._tool: Tool | None = None
        self.tip = ElidedLabel()
        self.tip.setContentsMargins(6, 0, 0, 0)
        self.tip.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self.tip)
        self._keep_texts(CellTexts(document, self))
        self.setMinimumHeight(self.sizeHint().height())  # the map stays where it is

        connect(self.radius.valueChanged, lambda value: options.choose(radius=value))
        connect(self.bar.toggled, lambda on: options.choose(bar=on))
        connect(
            self.height_mode.activated,
            lambda index: options.choose(height_mode=HEIGHT_MODES[index]),
        )
        connect(self.step.valueChanged, lambda value: options.choose(step=value))
        connect(self.everywhere.toggled, lambda on: options.choose(everywhere=on))
        connect(self.slanted.toggled, lambda on: options.choose(slanted=on))
        connect(self.flipped.toggled, options.set_flipped)
        connect(
            self.symmetry.activated,
            lambda _index: options.choose(symmetry_kind=self.symmetry.currentData()),
        )
        connect(self.middle.clicked, lambda: options.choose(centre=None))
        connect(options.changed, self._show_options)
        self.show_map()

    def _keep_texts(self, texts: CellTexts) -> None:
        texts.keep(self.radius.setToolTip, "0 is a single {cell} ([ and ] change it)")
        texts.keep(self.bar.setToolTip, "A row of {cells} instead of a {shape}")
        texts.keep(
            self.everywhere.setToolTip, "Fill all {cells} of the terrain, not only those around"
        )
        texts.keep(self.slanted.setToolTip, "Follow the rows of {cells}: a parallelogram")
        texts.keep(self.flipped.setText, "Other {cell} owns it")
        texts.keep(self.flipped.setToolTip, "A slope goes to the lower {cell} (X)")

    def _add(self, name: str, *widgets: QWidget) -> None:
        """A group of widgets that is shown for tools which heed ``name``."""
        group = QWidget()
        line = QHBoxLayout(group)
        line.setContentsMargins(4, 0, 8, 0)
        for widget in widgets:
            line.addWidget(widget)
        self._parts[name] = self.addWidget(group)

    def show_tool(self, tool: Tool) -> None:
        """Show what this tool uses."""
        for name, action in self._parts.items():
            action.setVisible(name in tool.uses)
        self._tool = tool
        self._show_tip()

    def _show_tip(self) -> None:
        battlemap = self._document.battlemap
        about = "" if self._tool is None else self._tool.tip_on(battlemap.system)
        self.tip.setText(cell_text(about, battlemap.grid.layout))

    def show_map(self) -> None:
        """Offer what the map in front knows: its symmetries and terrains."""
        battlemap = self._document.battlemap
        with QSignalBlocker(self.symmetry):
            self.symmetry.clear()
            for kind, words in kinds(battlemap.grid):
                self.symmetry.addItem(words, kind)
        if battlemap.terrain_set is not self._terrain_set:
            self._offer_mixture(battlemap.terrain_set)
        self.corners.show_system(battlemap.system)
        self._show_tip()
        self._show_options()

    def _offer_mixture(self, terrain_set: TerrainSet) -> None:
        self._terrain_set = terrain_set
        menu = QMenu(self)
        form = QWidget()
        rows = QFormLayout(form)
        self._weights = {}
        for code, terrain in enumerate(terrain_set.terrains):
            tip = f"How many parts of {terrain.name} the mixture has"
            field = _number(f"Parts of {terrain.name}", 0, MOST_WEIGHT, tip)
            connect(field.valueChanged, self._weigh)
            rows.addRow(terrain.name, field)
            self._weights[code] = field
        area = QScrollArea()
        area.setWidget(form)
        area.setMinimumWidth(form.sizeHint().width() + 24)
        area.setMinimumHeight(min(form.sizeHint().height() + 4, 420))
        action = QWidgetAction(menu)
        action.setDefaultWidget(area)
        menu.addAction(action)
        before = self.mixture.menu()
        self.mixture.setMenu(menu)
        if before is not None:
            before.deleteLater()
        known = tuple(pair for pair in self._options.weights if pair[0] in self._weights)
        self._options.choose(weights=known)

    def _weigh(self) -> None:
        weights = ((code, field.value()) for code, field in self._weights.items())
        self._options.choose(weights=tuple(pair for pair in weights if pair[1]))

    def _show_options(self) -> None:
        options = self._options
        fields = (self.radius, self.bar, self.height_mode, self.step, self.everywhere, self.slanted)
        blocked = [QSignalBlocker(each) for each in (*fields, self.flipped, self.symmetry)]
        self.radius.setValue(options.radius)
        self.bar.setChecked(options.bar)
        self.height_mode.setCurrentIndex(HEIGHT_MODES.index(options.height_mode))
        self.step.setValue(options.step)
        self.step.setEnabled(options.height_mode in ("raise", "lower"))
        self.everywhere.setChecked(options.everywhere)
        self.slanted.setChecked(options.slanted)
        self.flipped.setChecked(options.flipped)
        self.symmetry.setCurrentIndex(max(0, self.symmetry.findData(options.symmetry_kind)))
        self.middle.setEnabled(options.centre is not None)
        weights = dict(options.weights)
        for code, field in self._weights.items():
            blocked.append(QSignalBlocker(field))
            field.setValue(weights.get(code, 0))
        names = self._document.battlemap.terrain_set.terrains
        words = [f"{names[code].name} {weight}" for code, weight in options.weights if weight]
        self.mixture_words.setText(", ".join(words) or "empty")
        for each in blocked:
            each.unblock()


def _number(name: str, least: int, most: int, tip: str = "") -> QSpinBox:
    field = described(QSpinBox(), name, tip)
    field.setRange(least, most)
    return field
