"""The page *Many maps* of the odds panel, such as how many of them have 0, 1, 2, ... bogs.

``HistogramPage`` shows the values of many maps as bars, with a line at that of the current map::

    % of maps
      |      #   |
      |   #  #   #
      |#  #  #   #  #
       0  1  2   3  4
    This map: 3. 70% of the maps have fewer, 5% more, 25% as many. (10,000 maps.)

``MeasureController`` gives it the values. ``histogram`` makes the bars and ``describe_rank`` the
sentence; both need no widget. One bar stands for a *class*: all values between two *edges*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QPalette, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from app.appearance.quotes import with_quotes
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import STRETCH, lay_out, plain_label, plain_text
from randomizer.batches.rounding import ROUNDING
from randomizer.model.basics.plurals import counted

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure

MAX_BARS = 40
"""Whole numbers have a bar each if the greatest and the least of them differ by less."""

CLASS_COUNT = 24
"""The number of bars for all other values, each for a *class*: a range of values."""

MAX_TICKS = 10
"""There is room for so many numbers below the bars; more would overlap."""

MIN_HEIGHT = 70
"""The least height of the plot, in logical pixels."""

MARGIN_ABOVE = 6
"""The margin above the plot, in logical pixels, over which the topmost number stands out."""

GAP = 0.06
"""The gap between a bar and an edge of its class, as a share of the width of the class."""


class Bars(NamedTuple):
    """A histogram."""

    edges: NDArray[np.float64]
    """The edges of the classes (n + 1,), ascending."""

    counts: NDArray[np.int64]
    """The number of values in each class (n,)."""

    one_per_number: bool
    """True if each class is for one whole number."""

    def classes_with(self, value: float) -> NDArray[np.bool_]:
        """Return a mask (n,) of the class that has a value; NaN is in none."""
        lower_edges = self.edges[:-1]
        upper_edges = self.edges[1:]
        is_below_end = value < upper_edges
        # The last class has its upper edge, too, as that of ``numpy.histogram`` does.
        is_below_end[-1] |= value == upper_edges[-1]
        return (lower_edges <= value) & is_below_end


class ShownBars(NamedTuple):
    """The bars that the page shows, and where the current map stands."""

    bars: Bars

    current_value: float
    """The value of the current map; not finite if it has none."""


def histogram(values: NDArray[np.float64]) -> Bars:
    """Return the histogram of at least one value (n,).

    Whole numbers that lie close together have a bar each: for those from 2 to 4 the edges are 1.5,
    2.5, 3.5 and 4.5. Values that are equal but for rounding errors have one bar.
    """
    low = float(values.min())
    high = float(values.max())
    one_per_number = high - low < MAX_BARS and _are_whole(values)
    if one_per_number:
        edges = np.arange(low - 0.5, high + 1.5)
    elif high - low < ROUNDING:
        edges = np.array([low - 0.5, low + 0.5])
    else:
        edges = np.linspace(low, high, CLASS_COUNT + 1)
    counts, _edges = np.histogram(values, edges)
    return Bars(edges, np.asarray(counts, np.int64), one_per_number)


def _are_whole(values: NDArray[np.float64]) -> bool:
    """Return whether all values are whole numbers."""
    return not (values % 1).any()


def describe_rank(values: NDArray[np.float64], value: float, *, whole: bool) -> str:
    """Return a sentence that tells where ``value`` stands among ``values`` (n,).

    ``whole`` is True if they count something, False if they measure it.
    """
    if (np.abs(values - value) < ROUNDING).all():
        return "All maps have that."
    share_below = float((values <= value - ROUNDING).mean())
    share_above = float((values >= value + ROUNDING).mean())
    if whole:
        share_equal = float((np.abs(values - value) < ROUNDING).mean())
        text = (
            f"{share_below:.0%} of the maps have fewer, {share_above:.0%} more, "
            f"{share_equal:.0%} as many"
        )
    else:
        text = f"{share_below:.0%} of the maps have less, {share_above:.0%} more"
    return text.replace("%", "\N{NO-BREAK SPACE}%") + "."


class HistogramPage(QWidget):
    """Shows a measure of many maps; it rolls none."""

    measure_changed = Signal()
    """Another measure was chosen: its values are to be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.measures: tuple[Measure, ...] = ()
        """The measures that are offered, in the order of the combo box."""
        self.bars_shown: ShownBars | None = None
        """The bars; None while there are none."""
        self._plot: Any = None
        """The ``pyqtgraph.PlotWidget``, which has no types; None before the first bars."""
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

    def offer(self, measures: Sequence[Measure], default: Measure) -> None:
        """Offer these measures in the combo box, ``default`` being chosen.

        If the same ones are offered already, the person's choice among them stays.
        """
        if [offered.name for offered in measures] != [offered.name for offered in self.measures]:
            with QSignalBlocker(self.combo):
                self._fill_combo(measures)
                self.combo.setCurrentIndex(list(measures).index(default))
        self.measures = tuple(measures)
        self.combo.show()

    def _fill_combo(self, measures: Sequence[Measure]) -> None:
        """Offer these measures in the combo box, each with its help as the tool tip."""
        self.combo.clear()
        for index, measure in enumerate(measures):
            self.combo.addItem(measure.title)
            self.combo.setItemData(index, plain_text(measure.help), Qt.ItemDataRole.ToolTipRole)

    def say(self, text: str) -> None:
        """Show a text below the bars."""
        self.message.setText(with_quotes(text))

    def clear(self, why: str) -> None:
        """Show no bars and no choice of measures, only the reason ``why``."""
        self.bars_shown = None
        self.combo.hide()
        if self._plot is not None:
            self._draw()
        self.say(why)

    def show_values(
        self,
        measure: Measure,
        values: NDArray[np.float64],
        tried: int,
        current_value: float,
        *,
        note: str = "",
    ) -> None:
        """Show the values (n,) of maps, out of ``tried`` maps that were rolled.

        Infinite values and NaN are left out. ``current_value`` is the value of the current map; it
        is not finite if the measure needs a roll and the current map was not rolled here. ``note``
        is a sentence to be added below the bars; "" for none.
        """
        values = values[np.isfinite(values)]
        if len(values):
            self.bars_shown = ShownBars(histogram(values), current_value)
            text = _text_below_bars(measure, values, tried, current_value)
        else:
            self.bars_shown = None
            text = (
                f"Of {counted(tried, 'map')} there is none that can be measured and has what you "
                "locked."
            )
        self.say(f"{text} {note}".rstrip())
        self._draw()

    def _draw(self) -> None:
        """Draw the bars; that of the current map has another colour, and a line."""
        if self._plot is None:
            self._plot = self._insert_plot()
        item = self._plot.getPlotItem()
        item.clear()
        text_colour = self.palette().color(QPalette.ColorRole.Text)
        for side in ("left", "bottom"):
            item.getAxis(side).setPen(text_colour)
            item.getAxis(side).setTextPen(text_colour)
        if self.bars_shown is not None:
            self._draw_bars(item, self.bars_shown)
            item.setLabel("left", "% of maps")
            item.getAxis("bottom").setTicks(_ticks(self.bars_shown.bars))

    def _insert_plot(self) -> Any:
        """Make the plot, put it below the combo box, and return it."""
        # Imported late: it takes longer than the rest of the panel.
        import pyqtgraph

        plot = pyqtgraph.PlotWidget(background=None)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        plot.setMinimumHeight(MIN_HEIGHT)
        plot.getPlotItem().setContentsMargins(0, MARGIN_ABOVE, 0, 0)
        plot.setAccessibleName("How many maps have how much")
        self._column.insertWidget(1, plot, 1)
        # The plot takes the room that the stretch below the message had.
        self._column.setStretch(self._column.count() - 1, 0)
        return plot

    def _draw_bars(self, item: Any, bars_shown: ShownBars) -> None:
        """Add the bars to a ``pyqtgraph.PlotItem``, and a line at the value of the current map."""
        import pyqtgraph

        bars = bars_shown.bars
        current_value = bars_shown.current_value
        bar_colour = self.palette().color(QPalette.ColorRole.Highlight)
        colour_of_current = inks(self.palette()).warning
        brushes: list[QColor] = []
        for has_current_value in bars.classes_with(current_value).tolist():
            if has_current_value:
                brushes.append(colour_of_current)
            else:
                brushes.append(bar_colour)
        gap = (bars.edges[1] - bars.edges[0]) * GAP
        bar_item = pyqtgraph.BarGraphItem(
            x0=bars.edges[:-1] + gap,
            x1=bars.edges[1:] - gap,
            height=bars.counts / bars.counts.sum() * 100,
            brushes=brushes,
            pen=QPen(Qt.PenStyle.NoPen),
        )
        item.addItem(bar_item)
        if np.isfinite(current_value):
            pen = QPen(colour_of_current, 0, Qt.PenStyle.DashLine)
            item.addItem(pyqtgraph.InfiniteLine(current_value, pen=pen))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw the bars in the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._plot is not None:
            self._plot.resetCachedContent()  # its background has the colours of the old palette
            self._draw()


def _text_below_bars(
    measure: Measure, values: NDArray[np.float64], tried: int, current_value: float
) -> str:
    """Return the text below the bars: the current map's value, its rank, and the number of maps.

    ``values`` (n,) are finite. A current value that is not finite has no rank.
    """
    maps_text = counted(len(values), "map")
    if len(values) < tried:
        maps_text = f"{maps_text} of {tried:,} rolled"
    if not np.isfinite(current_value):
        return f"{maps_text}."
    are_whole = _are_whole(values)
    if are_whole:
        value_text = f"{current_value:.0f}"
    else:
        value_text = f"{current_value:.2f}"
    if measure.unit:
        value_text += f" {measure.unit}"
    rank = describe_rank(values, current_value, whole=are_whole)
    return f"This map: {value_text}. {rank} ({maps_text}.)"


def _ticks(bars: Bars) -> list[list[tuple[float, str]]] | None:
    """Return the numbers below the bars, as ``pyqtgraph.AxisItem.setTicks`` takes them.

    None lets pyqtgraph choose them, for classes that hold more than one number.
    """
    if not bars.one_per_number:
        return None
    middles = (bars.edges[:-1] + bars.edges[1:]) / 2
    step = 1 + len(middles) // MAX_TICKS
    ticks = [(middle, f"{middle:.0f}") for middle in middles[::step].tolist()]
    return [ticks]  # one level: pyqtgraph takes a list of ticks for each level of detail
