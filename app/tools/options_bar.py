"""The bar of tool options: what the tool in hand uses, and a line on how to use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
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
from app.tools.options import OPTIONS
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.setting_fields import SettingField, setting_field
from app.widgets.layout.builders import (
    add_to_bar,
    described,
    labelled,
    plain_label,
    plain_text,
    tool_button,
)
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.geometry.height_brush import HeightMode
from randomizer.geometry.symmetry import kinds
from randomizer.model.edits.terrain_entries import shown_order
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import PLAIN_HEIGHTS, System
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import Tool, ToolOptions

MOST_WEIGHT = 99

MODE_TIPS = {
    HeightMode.RAISE: "Raise the corners under the brush; held still it goes on",
    HeightMode.LOWER: "Lower the corners under the brush; held still it goes on",
    HeightMode.SMOOTH: "Bring every corner nearer to the mean of its neighbours",
    HeightMode.FLATTEN: "Make a plateau as high as the land under the press, with a soft rim",
    HeightMode.LEVEL: "Make a plateau of a height of your own",
    HeightMode.ROUGHEN: "Cover the land with bumps, the same for the same pattern; held still more",
}

CHANGES = (HeightMode.RAISE, HeightMode.LOWER, HeightMode.ROUGHEN)
"""The modes that change by an amount; the others go a part of the way."""


MOST_MIXED = 300
"""So many terrains of a set can be in a mixture: each has a field."""


class ToolOptionsBar(QToolBar):
    """Shows only what matters to the present tool."""

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        super().__init__("Tool options")
        self.setObjectName("tool-options")
        self._options = options
        self._document = document
        self._parts: dict[str, QAction] = {}
        self._fields: dict[str, SettingField] = {}
        self._labels: dict[str, QLabel] = {}
        self._weights: dict[int, QSpinBox] = {}
        self._terrain_set: TerrainSet | None = None
        self._scale = PLAIN_HEIGHTS

        texts = CellTexts(document, self)
        for group, settings in groupby(OPTIONS, lambda setting: setting.group):
            self._add(
                group, *(part for setting in settings for part in self._described(setting, texts))
            )
        self.mixture = tool_button("Mixture", name="Mixture of the random brush")
        self.mixture.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.mixture_words = plain_label()
        self._add("weights", self.mixture, self.mixture_words)
        self.symmetry = pass_wheel_on(QComboBox())
        self.symmetry.setAccessibleName("Symmetry")
        self.symmetry.setToolTip("What is painted is painted at its twins too")
        self.middle = QToolButton()
        self.middle.setText("Middle")
        self.middle.setToolTip("Put the centre back into the middle; C chooses another")
        self.symmetry.setMinimumContentsLength(22)
        self.symmetry.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._add("symmetry", plain_label("Symmetry"), self.symmetry, self.middle)
        self._tool: Tool | None = None
        self.tip = ElidedLabel(lines=2, sentences=True)
        self.tip.setContentsMargins(6, 0, 0, 0)
        self.tip.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self.tip)
        self.setMinimumHeight(self.sizeHint().height())  # the map stays where it is

        connect(
            self.symmetry.activated,
            lambda _index: options.choose(symmetry_kind=self.symmetry.currentData()),
        )
        connect(self.middle.clicked, lambda: options.choose(centre=None))
        connect(options.changed, self._show_options)
        self.show_map()

    def field(self, name: str) -> QWidget:
        """Return the widget of one of ``OPTIONS``."""
        return self._fields[name].widget

    def _described(self, setting: Setting, texts: CellTexts) -> Iterator[QWidget]:
        """Make the field of an option, and a label before it where it needs one."""
        name = setting.name
        field = self._fields[name] = setting_field(setting, partial(self._choose, name))
        texts.keep(field.widget.setToolTip, setting.help)
        texts.keep(field.widget.setAccessibleName, setting.title)
        if isinstance(field.widget, QCheckBox):
            texts.keep(field.widget.setText, setting.title)
        elif not setting.beside:
            self._labels[name] = plain_label(setting.title)
            self._labels[name].setBuddy(field.widget)
            yield self._labels[name]
        yield field.widget

    def _add(self, name: str, *widgets: QWidget) -> None:
        """A group of widgets that is shown for tools which heed ``name``."""
        group = QWidget()
        line = QHBoxLayout(group)
        line.setContentsMargins(4, 0, 8, 0)
        for widget in widgets:
            line.addWidget(widget)
        self._parts[name] = add_to_bar(self, group)

    def show_tool(self, tool: Tool) -> None:
        """Show what this tool uses."""
        for name, action in self._parts.items():
            action.setVisible(name in tool.uses)
        self._tool = tool
        self._show_tip()

    def _show_tip(self) -> None:
        battlemap = self._document.battlemap
        if self._tool is None:
            about = ""
        else:
            about = self._tool.tip_on(battlemap.system)
        self.tip.setText(cell_text(about, battlemap.grid.layout))

    def show_map(self) -> None:
        """Offer what the current map knows: its symmetries and terrains."""
        battlemap = self._document.battlemap
        with QSignalBlocker(self.symmetry):
            self.symmetry.clear()
            for kind, words in kinds(battlemap.grid):
                self.symmetry.addItem(words, kind)
        if battlemap.terrain_set is not self._terrain_set:
            self._offer_mixture(battlemap.terrain_set)
        self._show_heights(battlemap.system)
        self._show_tip()
        self._show_options()

    def _offer_mixture(self, terrain_set: TerrainSet) -> None:
        self._terrain_set = terrain_set
        menu = QMenu(self)
        form = QWidget()
        rows = QFormLayout(form)
        self._weights = {}
        for code in shown_order(terrain_set.terrains)[:MOST_MIXED]:
            terrain = terrain_set.terrains[code]
            tip = f"How many parts of {terrain.name} the mixture has"
            field = described(pass_wheel_on(QSpinBox()), f"Parts of {terrain.name}", tip)
            field.setRange(0, MOST_WEIGHT)
            connect(field.valueChanged, self._weigh)
            rows.addRow(labelled(terrain.name.replace("&", "&&"), field), field)
            self._weights[code] = field
        area = QScrollArea()
        area.setWidget(form)
        area.setMinimumWidth(form.sizeHint().width() + 24)
        area.setMinimumHeight(min(form.sizeHint().height() + 4, 420))
        action = QWidgetAction(menu)
        action.setDefaultWidget(area)
        menu.addAction(action)
        old_menu = self.mixture.menu()
        self.mixture.setMenu(menu)
        if old_menu is not None:
            old_menu.deleteLater()
        weights = tuple(pair for pair in self._options.weights if pair[0] in self._weights)
        self._options.choose(weights=weights)

    def _weigh(self) -> None:
        weights = ((code, field.value()) for code, field in self._weights.items())
        self._options.choose(weights=tuple(pair for pair in weights if pair[1]))

    def _show_heights(self, system: System) -> None:
        """Offer the heights that corners of maps of a system can have, in its scale."""
        if system.height is None:
            return
        (least, most) = system.height.limits
        scale = system.height_scale
        whole = scale.units == 1
        if scale != self._scale:
            self._scale = scale
            amount = 100 if whole else round(2 * scale.units)
            self._options.choose(corner_level=scale.stored(0.0), corner_amount=amount)
        for name, low, high in (
            ("corner_level", scale.shown(least), scale.shown(most)),
            ("corner_amount", 1 if whole else 0.01, (most - least) / scale.units),
        ):
            box = self.field(name)
            assert isinstance(box, QDoubleSpinBox)
            with QSignalBlocker(box):
                box.setDecimals(0 if whole else 2)
                box.setRange(low, high)

    def _choose(self, name: str) -> None:
        """Choose what the field of an option shows."""
        value: Any = self._fields[name].value()
        if name == "corner_amount":
            value = max(1, round(value * self._scale.units))
        elif name == "corner_level":
            value = self._scale.stored(value)
        self._options.choose(**{name: value})

    def _show_options(self) -> None:
        options = self._options
        values = {name: getattr(options, name) for name in self._fields}
        values["corner_amount"] /= self._scale.units
        values["corner_level"] = self._scale.shown(options.corner_level)
        for name, value in values.items():
            self._fields[name].show(value)
        self.field("step").setEnabled(options.height_mode in ("raise", "lower", "roughen"))
        self._show_mode(options.corner_mode)
        with QSignalBlocker(self.symmetry):
            index = self.symmetry.findData(options.symmetry_kind)
            self.symmetry.setCurrentIndex(max(0, index))
        self.middle.setEnabled(options.centre is not None)
        weights = dict(options.weights)
        for code, spin in self._weights.items():
            with QSignalBlocker(spin):
                spin.setValue(weights.get(code, 0))
        names = self._document.battlemap.terrain_set.terrains
        texts = [f"{names[code].name} {weight}" for code, weight in options.weights if weight]
        self.mixture_words.setText(", ".join(texts) or "empty")

    def _show_mode(self, mode: HeightMode) -> None:
        """Show only the options of the height brush that matter in a mode."""
        self.field("corner_mode").setToolTip(plain_text(MODE_TIPS[mode]))
        for name, is_shown in (
            ("corner_amount", mode in CHANGES),
            ("corner_strength", mode not in CHANGES),
            ("corner_level", mode is HeightMode.LEVEL),
            ("corner_key", mode is HeightMode.ROUGHEN),
        ):
            self.field(name).setVisible(is_shown)
            self._labels[name].setVisible(is_shown)
