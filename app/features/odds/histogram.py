"""How often maps have how much of something, and where one map stands among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import STRETCH, lay_out, plain_label, plain_text
from randomizer.batches.rounding import ROUNDING
from randomizer.model.basics.plurals import counted

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure

MOST_BARS = 40
"""Whole numbers that spread over more than this are counted in as many classes as others."""

CLASSES = 24

MOST_TICKS = 10
"""There is room for so many numbers below the bars."""

Bars = tuple[NDArray[np.float64], NDArray[np.int64]]


def histogram(values: NDArray[np.float64]) -> Bars:
    """Return the edges of the bars (n + 1,), and how many values are in each (n,):
    ``numpy.histogram``.

    Whole numbers have a bar each, as have values that are equal but for rounding errors. At least
    one value is needed.
    """
    low = float(values.min())
    high = float(values.max())
    if high - low < MOST_BARS and not (values % 1).any():
        edges = np.arange(low - 0.5, high + 1.5)
    elif high - low < ROUNDING:
        edges = np.array([low - 0.5, low + 0.5])
    else:
        edges = np.linspace(low, high, CLASSES + 1)
    counts, _edges = np.histogram(values, edges)
    return edges, np.asarray(counts, np.int64)


def describe_rank(values: NDArray[np.float64], value: float, *, whole: bool) -> str:
    """Return a sentence that tells where ``value`` stands among ``values`` (n,)."""
    if (np.abs(values - value) < ROUNDING).all():
        return "All maps have that."
    less = float((values <= value - ROUNDING).mean())
    more = float((values >= value + ROUNDING).mean())
    text = f"{less:.0%} of the maps have {'fewer' if whole else 'less'}, {more:.0%} more"
    if whole:
        text += f", {1 - less - more:.0%} as many"
    return text.replace("%", "\N{NO-BREAK SPACE}%") + "."


class HistogramPage(QWidget):
    """Shows a measure of many maps; it rolls none. ``measure_changed()``: another is wanted."""

    measure_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.measures: tuple[Measure, ...] = ()
        self.bars_shown: tuple[Bars, float] | None = None
        """The edges and counts of the bars, and the value of the current map; None without."""
        self._plot: Any = None
        self.combo = pass_wheel_on(QComboBox())
        self.combo.setAccessibleName("What is counted")
        self.combo.setToolTip("What is counted or measured on every map")
        self.combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.combo.hide()  # until there is something to choose
        connect(self.combo.currentIndexChanged, lambda _index: self.measure_changed.emit())
        self.message = plain_label(wordWrap=True)
        self.message.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._column = lay_out(
            QVBoxLayout(self), self.combo, self.message, STRETCH, margins=(0, 4, 0, 0)
        )

    @property
    def measure(self) -> Measure | None:
        """The chosen measure; None if nothing is offered."""
        index = self.combo.currentIndex()
        if index >= 0:
            return self.measures[index]
        return None

    def offer(self, measures: Sequence[Measure], chosen: Measure) -> None:
        """Offer these; ``chosen`` is the one that is shown."""
        if [offered.name for offered in measures] != [offered.name for offered in self.measures]:
            with QSignalBlocker(self.combo):
                self.combo.clear()
                for index, measure in enumerate(measures):
                    self.combo.addItem(measure.title)
                    self.combo.setItemData(
                        index, plain_text(measure.help), Qt.ItemDataRole.ToolTipRole
                    )
                self.combo.setCurrentIndex(list(measures).index(chosen))
        self.measures = tuple(measures)
        self.combo.show()

    def say(self, text: str) -> None:
        """Show words below what is shown."""
        self.message.setText(text)

    def clear(self, why: str) -> None:
        """Show nothing but why."""
        self.bars_shown = None
        self.combo.hide()
        if self._plot is not None:
            self._draw()
        self.say(why)

    def show_values(
        self, measure: Measure, values: NDArray[np.float64], tried: int, value_here: float
    ) -> None:
        """Show ``values`` (n,) of maps, of ``tried`` that were rolled, and the one map's."""
        values = values[np.isfinite(values)]
        if not len(values):
            self.bars_shown = None
            none = "there is none that can be measured and has what you locked"
            self.say(f"Of {counted(tried, 'map')} {none}.")
        else:
            self.bars_shown = histogram(values), value_here
            many = counted(len(values), "map")
            if len(values) < tried:
                many = f"{many} of {tried:,} rolled"
            whole = not (values % 1).any()
            number = f"{value_here:.0f}" if whole else f"{value_here:.2f}"
            unit = f" {measure.unit}" if measure.unit else ""
            if np.isfinite(value_here):
                rank = describe_rank(values, value_here, whole=whole)
                self.say(f"This map: {number}{unit}. {rank} ({many}.)")
            else:  # it is measured when a map is rolled, and this one was not rolled here
                self.say(f"{many}.")
        self._draw()

    def _draw(self) -> None:
        """Draw the bars; the one where the map is has another colour, and a line."""
        import pyqtgraph

        palette = self.palette()
        text = palette.color(QPalette.ColorRole.Text)
        if self._plot is None:
            self._plot = pyqtgraph.PlotWidget(background=None)
            self._plot.setMenuEnabled(False)
            self._plot.setMouseEnabled(False, False)
            self._plot.hideButtons()
            self._plot.setMinimumHeight(70)
            self._plot.getPlotItem().setContentsMargins(0, 6, 0, 0)  # half of the topmost number
            self._plot.setAccessibleName("How many maps have how much")
            self._column.insertWidget(1, self._plot, 1)
            self._column.setStretch(self._column.count() - 1, 0)
        item = self._plot.getPlotItem()
        item.clear()
        for side in ("left", "bottom"):
            item.getAxis(side).setPen(text)
            item.getAxis(side).setTextPen(text)
        if self.bars_shown is None:
            return
        (edges, counts), value_here = self.bars_shown
        bar = palette.color(QPalette.ColorRole.Highlight)
        its = inks(palette).warning
        within = (edges[:-1] <= value_here) & (
            (value_here < edges[1:]) | (edges[1:] == edges[-1]) & (value_here <= edges[-1])
        )
        brushes: list[QColor] = [its if at else bar for at in within.tolist()]
        gap = (edges[1] - edges[0]) * 0.06
        bars = pyqtgraph.BarGraphItem(
            x0=edges[:-1] + gap,
            x1=edges[1:] - gap,
            height=counts / counts.sum() * 100,
            brushes=brushes,
            pen=QPen(Qt.PenStyle.NoPen),
        )
        item.addItem(bars)
        if np.isfinite(value_here):
            pen = QPen(its, 0, Qt.PenStyle.DashLine)
            item.addItem(pyqtgraph.InfiniteLine(value_here, pen=pen))
        item.setLabel("left", "% of maps")
        middles = (edges[:-1] + edges[1:]) / 2
        whole = middles[:: 1 + len(middles) // MOST_TICKS].tolist()
        if edges[0] % 1 == 0.5:
            ticks = [[(middle, f"{middle:.0f}") for middle in whole]]
        else:
            ticks = None
        item.getAxis("bottom").setTicks(ticks)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._plot is not None:
            self._plot.resetCachedContent()  # the background of the colours before
            self._draw()
