"""How many bogs the maps of a script have, and where the current map stands among them."""

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
    from randomizer.generator import Base

MAPS = 10_000
"""How many maps are measured."""

MOST_S = 3.0
"""How long a generator may take that makes maps one by one."""

REST_MS = 150
"""So long after the last change the maps are rolled: nobody reads numbers while typing."""


@dataclass(frozen=True, eq=False)
class Measured:
    """The values of a measure, one of ``offered``, on many maps.

    ``distribution`` has the one row of its values; ``here`` is the value of the current map.
    """

    offered: tuple[Measure, ...]
    measure: Measure
    distribution: Distribution
    here: float


@dataclass(frozen=True, eq=False)
class _Asked:
    """Maps 0, 1, ... of ``seed`` are measured by what is called ``name``, else by the first.

    None is equal to another: every edit may change the number of the current map.
    """

    setup: RollSetup
    base: Base
    seed: int
    name: str


def _measured(request: _Asked, _progress: object, cancelled: Callable[[], bool]) -> Measured | None:
    """Roll and measure the maps; None if cancelled. Raises ProblemError as a roll does."""
    # What takes long to import is imported here, off the window's thread: pyqtgraph, too, though
    # it is the page that draws with it.
    import pyqtgraph  # noqa: F401

    from randomizer.batches.batch import batch_of
    from randomizer.batches.counts import measures_of
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    generator = request.setup.generator()
    # How many bogs there are is asked more often than how even the map is.
    measures = measures_of(generator, request.base.terrain_set, request.setup.settings)
    quick = (quick_measure for quick_measure in measures if not quick_measure.cost)
    offered = tuple(sorted(quick, key=lambda quick_measure: "(" not in quick_measure.name))
    measure = next(
        (quick_measure for quick_measure in offered if quick_measure.name == request.name),
        offered[0],
    )
    stream = MapStream(generator, request.setup.settings, request.base, request.seed, cancelled)
    distribution = distribution_of(stream, [measure], MAPS, MOST_S)
    if distribution is None:
        return None
    value_here = measure.of(
        batch_of(request.base.system, request.base.grid, request.base.shown).as_seen(request.base)
    )
    return Measured(offered, measure, distribution, float(value_here[0]))


class Counting(QObject):
    """Keeps the page of histograms up with the request and the map while it is seen."""

    def __init__(self, desk: Desk, page: HistogramPage, above: LayersAbove) -> None:
        super().__init__(page)
        self._page = page
        self._above = above
        self._rolling = desk.rolling
        self._value = BackgroundValue(self._ask, _measured, self, delay_ms=REST_MS)
        connect(self._value.started, self._on_started)
        connect(self._value.computed, self._show)
        connect(self._value.failed, self._fail)
        connect(self._value.missed, page.clear)
        visibility = DockVisibility(page, desk.docks["odds"])
        connect(visibility.changed, self._value.watch)
        for signal in (
            page.measure_changed,
            above.toggled,
            self._rolling.setup_changed,
            desk.document.changed,
            desk.document.map_replaced,
        ):
            connect(signal, self._value.renew)

    def _ask(self) -> _Asked | str:
        rolling = self._rolling
        measure = self._page.measure
        name = "" if measure is None else measure.name
        return rolling.why_not() or _Asked(
            rolling.setup(),
            self._above.base_for(rolling.next_base()),
            rolling.state.seed,
            name,
        )

    def _on_started(self) -> None:
        if self._page.measure is None:
            self._page.say(f"Rolling {MAPS:,} maps...")

    def _show(self, measured: Measured) -> None:
        self._page.offer(measured.offered, measured.measure)
        values = measured.distribution.values[0]
        tried = measured.distribution.tried
        self._page.show_values(measured.measure, values, tried, measured.here)
        setup = self._rolling.setup()
        base = self._rolling.next_base()
        if note := symmetry_note(base.system, setup.settings):
            self._page.say(f"{self._page.message.text()} {note}")

    def _fail(self, _problems: tuple[Problem, ...]) -> None:
        if self._page.measure is None:
            note = ""
        else:
            note = " These are maps of the text before."
        self._page.say(f"The script cannot be rolled.{note}")
