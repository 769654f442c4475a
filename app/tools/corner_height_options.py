"""The options of the height brush, as a part of the bar of tool options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QSpinBox, QWidget

from app.qt_guard import connect
from app.widgets.builders import described
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.system import PLAIN_HEIGHTS

if TYPE_CHECKING:
    from app.tools.options import ToolOptions
    from randomizer.model.system import System

MODES = tuple(HeightMode)

MODE_TIPS = {
    HeightMode.RAISE: "Raise the corners under the brush; held still it goes on",
    HeightMode.LOWER: "Lower the corners under the brush; held still it goes on",
    HeightMode.SMOOTH: "Bring every corner nearer to the mean of its neighbours",
    HeightMode.FLATTEN: "Give the corners the height under the press",
    HeightMode.LEVEL: "Give the corners a height of your own",
}

CHANGES = (HeightMode.RAISE, HeightMode.LOWER)
"""The modes that change by an amount; the others go a part of the way."""


class CornerHeightOptions(QWidget):
    """Shows mode, amount or strength, level and softness of the height brush.

    Amount and level are shown in the scale of the heights of the map.
    """

    def __init__(self, options: ToolOptions) -> None:
        super().__init__()
        self._options = options
        self._scale = PLAIN_HEIGHTS
        self.mode = described(QComboBox(), "What the height brush does")
        for mode in MODES:
            self.mode.addItem(mode.capitalize())
        self.amount = _height("By", "By how much the brush raises and lowers at its middle")
        self.strength = _number("Strength", "How much of the way the brush goes at once", "%")
        self.level = _height("To", "The height that corners are levelled to")
        self.soft = _number("Soft edge", "How much of the radius fades to the edge", "%", least=0)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.mode)
        self._labels = {}
        for field in (self.amount, self.strength, self.level, self.soft):
            self._labels[field] = label = QLabel(field.accessibleName())
            label.setBuddy(field)
            line.addWidget(label)
            line.addWidget(field)
        connect(self.mode.activated, lambda row: options.choose(corner_mode=MODES[row]))
        connect(self.amount.valueChanged, self._choose_amount)
        connect(self.strength.valueChanged, lambda value: options.choose(corner_strength=value))
        connect(self.level.valueChanged, self._choose_level)
        connect(self.soft.valueChanged, lambda value: options.choose(corner_soft=value))
        connect(options.changed, self._show)
        self._show()

    def show_system(self, system: System) -> None:
        """Offer the heights that maps of a system can have."""
        if system.height is None:
            return
        (least, most), scale = system.height.limits, system.height_scale
        known, self._scale = self._scale, scale
        if scale != known:
            amount = 100 if scale.units == 1 else round(2 * scale.units)
            self._options.choose(corner_level=scale.stored(0.0), corner_amount=amount)
        fields = (self.amount, self.level)
        blocked = [QSignalBlocker(field) for field in fields]
        for field in fields:
            field.setDecimals(0 if scale.units == 1 else 2)
        self.level.setRange(scale.shown(least), scale.shown(most))
        self.amount.setRange(1 if scale.units == 1 else 0.01, (most - least) / scale.units)
        for blocker in blocked:
            blocker.unblock()
        self._show()

    def _choose_amount(self, shown: float) -> None:
        self._options.choose(corner_amount=max(1, round(shown * self._scale.units)))

    def _choose_level(self, shown: float) -> None:
        self._options.choose(corner_level=self._scale.stored(shown))

    def _show(self) -> None:
        options, mode = self._options, self._options.corner_mode
        fields = (self.mode, self.amount, self.strength, self.level, self.soft)
        blocked = [QSignalBlocker(field) for field in fields]
        self.mode.setCurrentIndex(MODES.index(mode))
        self.mode.setToolTip(MODE_TIPS[mode])
        self.amount.setValue(options.corner_amount / self._scale.units)
        self.strength.setValue(options.corner_strength)
        self.level.setValue(self._scale.shown(options.corner_level))
        self.soft.setValue(options.corner_soft)
        for blocker in blocked:
            blocker.unblock()
        for field, shown in (
            (self.amount, mode in CHANGES),
            (self.strength, mode not in CHANGES),
            (self.level, mode is HeightMode.LEVEL),
        ):
            field.setVisible(shown)
            self._labels[field].setVisible(shown)


def _number(name: str, tip: str, suffix: str = "", *, least: int = 1) -> QSpinBox:
    field = described(QSpinBox(), name, tip)
    field.setRange(least, 100)
    field.setSuffix(suffix and f" {suffix}")
    return field


def _height(name: str, tip: str) -> QDoubleSpinBox:
    field = described(QDoubleSpinBox(), name, tip)
    field.setDecimals(0)
    field.setRange(1, 100)
    return field
