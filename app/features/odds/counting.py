"""Measures many maps of a script and the current map, for the histograms of the odds panel.

A *measure* is a number computed from a map, such as how many bogs it has. ``OddsController`` makes
a ``MeasureController`` for the page *Many maps*. While the page is seen, each change of script or
map goes through three steps:

1. ``_current_request`` collects the inputs in the window's thread,
2. ``_measure_maps`` rolls and measures the maps on another thread,
3. ``_show_measured`` hands the values to the page.
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
from randomizer.model.problems import Problem
from randomizer.symmetric_rolls import symmetry_note

if TYPE_CHECKING:
    from app.features.odds.histogram import HistogramPage
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.roll_setup import RollSetup
    from randomizer.batches.batch import Measure
    from randomizer.batches.distribution import Distribution
    from randomizer.roll_base import Base

MAP_COUNT = 10_000
"""The number of maps that are measured."""

LONGEST_S = 3.0
"""The most seconds that are spent; a slow generator has made fewer maps by then."""

DELAY_MS = 150
"""The time from the last change to the roll of the maps.

Nobody reads numbers while typing, and each roll would only delay the next one.
"""


@dataclass(frozen=True, eq=False)
class MeasuredMaps:
    """The values of one measure on many maps, and on the current map."""

    offered: tuple[Measure, ...]
    """The measures that a person can choose from."""

    measure: Measure
    """The one of them that was measured."""

    distribution: Distribution
    """The values on the maps: its arrays have one row, since there is one measure."""

    current_value: float
    """The value of the current map; NaN if it cannot be told without a roll."""


# Two requests are never equal: every edit may change the value of the current map.
@dataclass(frozen=True, eq=False)
class _Request:
    """The inputs of a measurement."""

    setup: RollSetup
    """The script and its settings."""

    base: Base
    """The base that the maps are rolled onto; what it shows is the current map."""

    seed: int
    """The seed of which the maps number 0, 1, ... are rolled."""

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
    from randomizer.batches.counts import GROUPS_OF_COUNTS, measures_of
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    generator = request.setup.make_generator()
    base = request.base
    settings = request.setup.settings
    measures = measures_of(generator, base.terrain_set, settings)
    # There is always one: at least the count of the first terrain.
    quick_measures = [measure for measure in measures if not measure.cost]
    # Counts such as "count(Bog)" come first: how many bogs there are is asked more often than how
    # even the map is.
    counts = [measure for measure in quick_measures if measure.group in GROUPS_OF_COUNTS]
    others = [measure for measure in quick_measures if measure.group not in GROUPS_OF_COUNTS]
    offered = (*counts, *others)
    measure = offered[0]
    for offered_measure in offered:
        if offered_measure.name == request.measure_name:
            measure = offered_measure

    stream = MapStream(generator, settings, base, request.seed, cancelled)
    distribution = distribution_of(stream, [measure], MAP_COUNT, LONGEST_S)
    if distribution is None:
        return None
    # A batch of one map: the current one, as it is seen below the layers above the roll.
    current_map = batch_of(base.system, base.grid, base.shown).as_seen(base)
    current_value = float(measure.of(current_map)[0])
    return MeasuredMaps(offered, measure, distribution, current_value)


class MeasureController(QObject):
    """Measures maps again whenever the script or the map changes, while the page is seen."""

    def __init__(self, desk: Desk, page: HistogramPage, above: LayersAbove) -> None:
        super().__init__(page)
        self._page = page
        self._layers_above_switch = above
        self._rolling = desk.rolling
        self._measured_maps = BackgroundValue(
            self._current_request, _measure_maps, self, delay_ms=DELAY_MS
        )
        connect(self._measured_maps.started, self._on_started)
        connect(self._measured_maps.computed, self._show_measured)
        connect(self._measured_maps.failed, self._on_failed)
        connect(self._measured_maps.missed, page.clear)
        visibility = DockVisibility(page, desk.docks["odds"])
        connect(visibility.changed, self._measured_maps.set_watched)
        for signal in (
            page.measure_changed,
            above.toggled,
            self._rolling.setup_changed,
            desk.document.changed,
            desk.document.map_replaced,
        ):
            connect(signal, self._measured_maps.renew)

    def _current_request(self) -> _Request | str:
        """Return what is to be measured now; a str says why nothing can be rolled."""
        rolling = self._rolling
        reason = rolling.next_roll.why_not()
        if reason:
            return reason
        measure_name = ""
        if self._page.measure is not None:
            measure_name = self._page.measure.name
        base = self._layers_above_switch.base_for(rolling.next_base())
        return _Request(rolling.setup(), base, rolling.key_choice.key.seed, measure_name)

    def _on_started(self) -> None:
        """Say that maps are rolled, unless there are values to look at meanwhile."""
        if self._page.measure is None:
            self._page.say(f"Rolling {MAP_COUNT:,} maps...")

    def _show_measured(self, measured: MeasuredMaps) -> None:
        """Show the values, and a note if a symmetry of the map changes them."""
        self._page.offer(measured.offered, measured.measure)
        (values,) = measured.distribution.values
        system = self._rolling.next_base().system
        note = symmetry_note(system, self._rolling.setup().settings)
        self._page.show_values(
            measured.measure,
            values,
            measured.distribution.tried,
            measured.current_value,
            note=note,
        )

    def _on_failed(self, _problems: tuple[Problem, ...]) -> None:
        """Say that the script cannot be rolled; its problems stand in the script panel."""
        text = "The script cannot be rolled."
        if self._page.measure is not None:
            text += " These are maps of the text before."
        self._page.say(text)
