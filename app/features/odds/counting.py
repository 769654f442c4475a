"""Measures many maps of a script and the current map, for the histograms of the odds panel.

An example is how many bogs they have. ``OddsController`` makes a ``Counting`` for the page *Many
maps*. While the page is seen, ``_ask`` says what to measure after each change, ``_measure_maps``
does so on another thread, and ``_show`` hands the values to the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.background_value import BackgroundValue
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.dock_visibility import DockVisibility
from randomizer.generator import symmetry_note
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from app.features.odds.histogram import HistogramPage
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.roll_setup import RollSetup
    from randomizer.batches.batch import Measure
    from randomizer.batches.distribution import Distribution
    from randomizer.roll_base import Base

MAPS = 10_000
"""The number of maps that are measured."""

MOST_S = 3.0
"""The most seconds that are spent; a generator that makes maps one by one has made fewer then."""

REST_MS = 150
"""The time from the last change to the roll of the maps: nobody reads numbers while typing."""


@dataclass(frozen=True, eq=False)
class MeasuredMaps:
    """The values of one measure on many maps, and on the current map."""

    offered: tuple[Measure, ...]
    """The measures that a person can choose from."""

    measure: Measure
    """The one of them that was measured."""

    distribution: Distribution
    """The values on the maps: one row, since there is one measure."""

    value_here: float
    """The value of the current map; NaN if it cannot be told without a roll."""


# Two requests are never equal: every edit may change the value of the current map.
@dataclass(frozen=True, eq=False)
class _Request:
    """The maps to be measured: number 0, 1, ... of a seed."""

    setup: RollSetup

    base: Base
    """The base that the maps are rolled onto; what it shows is the current map."""

    seed: int

    measure_name: str
    """The measure to be taken; "" or one that is not offered any more stands for the first."""


def _measure_maps(
    request: _Request, _progress: object, cancelled: Callable[[], bool]
) -> MeasuredMaps | None:
    """Roll and measure the maps; None if cancelled. Raises ProblemError as a roll does."""
    # What takes long to import is imported here, off the window's thread: pyqtgraph, too, though
    # it is the page that draws with it.
    import pyqtgraph  # noqa: F401

    from randomizer.batches.batch import batch_of
    from randomizer.batches.counts import measures_of
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    generator = request.setup.generator()
    measures = measures_of(generator, request.base.terrain_set, request.setup.settings)
    quick_measures = [measure for measure in measures if not measure.cost]
    # Counts such as "count(Bog)" come first: how many bogs there are is asked more often than how
    # even the map is.
    offered = tuple(sorted(quick_measures, key=lambda measure: "(" not in measure.name))
    measure = offered[0]
    for quick_measure in offered:
        if quick_measure.name == request.measure_name:
            measure = quick_measure
    stream = MapStream(generator, request.setup.settings, request.base, request.seed, cancelled)
    distribution = distribution_of(stream, [measure], MAPS, MOST_S)
    if distribution is None:
        return None
    base = request.base
    current_map = batch_of(base.system, base.grid, base.shown).as_seen(base)
    value_here = float(measure.of(current_map)[0])
    return MeasuredMaps(offered, measure, distribution, value_here)


class Counting(QObject):
    """Measures maps again whenever the script or the map changes, while the page is seen."""

    def __init__(self, desk: Desk, page: HistogramPage, above: LayersAbove) -> None:
        super().__init__(page)
        self._page = page
        self._above = above
        self._rolling = desk.rolling
        self._value = BackgroundValue(self._ask, _measure_maps, self, delay_ms=REST_MS)
        connect(self._value.started, self._on_started)
        connect(self._value.computed, self._show)
        connect(self._value.failed, self._fail)
        connect(self._value.missed, page.clear)
        visibility = DockVisibility(page, desk.docks["odds"])
        connect(visibility.changed, self._value.set_watched)
        for signal in (
            page.measure_changed,
            above.toggled,
            self._rolling.setup_changed,
            desk.document.changed,
            desk.document.map_replaced,
        ):
            connect(signal, self._value.renew)

    def _ask(self) -> _Request | str:
        """Return what is to be measured now; a str says why nothing can be rolled."""
        rolling = self._rolling
        why_not = rolling.why_not()
        if why_not:
            return why_not
        measure_name = ""
        if self._page.measure is not None:
            measure_name = self._page.measure.name
        base = self._above.base_for(rolling.next_base())
        return _Request(rolling.setup(), base, rolling.key_choice.state.seed, measure_name)

    def _on_started(self) -> None:
        """Say that maps are rolled, unless there are values to look at meanwhile."""
        if self._page.measure is None:
            self._page.say(f"Rolling {MAPS:,} maps...")

    def _show(self, measured: MeasuredMaps) -> None:
        """Show the values, and a note if a symmetry of the map changes them."""
        self._page.offer(measured.offered, measured.measure)
        (values,) = measured.distribution.values
        tried = measured.distribution.tried
        self._page.show_values(measured.measure, values, tried, measured.value_here)
        setup = self._rolling.setup()
        base = self._rolling.next_base()
        if note := symmetry_note(base.system, setup.settings):
            self._page.say(f"{self._page.message.text()} {note}")

    def _fail(self, _problems: tuple[Problem, ...]) -> None:
        """Say that the script cannot be rolled; its problems stand in the script panel."""
        text = "The script cannot be rolled."
        if self._page.measure is not None:
            text += " These are maps of the text before."
        self._page.say(text)
