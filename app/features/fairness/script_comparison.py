"""The measures of many maps of the current script, with which the current map is compared.

A *measure* is a number that a ``FairnessModel`` computes from a map. So many maps of the script are
measured that the panel can say: of 87 % of them it is lower than on this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue, NoInputsReason
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from app.features.fairness.map_report import MapReport
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import FairnessModel

MAPS = 2000
"""The number of maps of the script that are measured; with more of them one waits longer."""

SEED = 0
"""The seed of these maps: always the same, so that the comparison is the same each time."""

TYPING_MS = 300
"""The script must stay unchanged for so long, in milliseconds, before its maps are rolled."""


class _ScriptToCompare(NamedTuple):
    """The inputs of a comparison."""

    model: FairnessModel

    script_name: str

    maps: RolledMaps
    """The maps that the script makes."""


class _Comparison(NamedTuple):
    """The outcome of comparing the current map with maps of its script."""

    distribution: Distribution | None
    """The measures of the maps; None if there are none to compare with."""

    message: str
    """Says what the map is compared with, or why it is not; "" if there is nothing to say."""


def _compare(
    request: _ScriptToCompare, _progress: object, cancelled: Callable[[], bool]
) -> _Comparison:
    """Return the measures of the maps of a script; the work of a job."""
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    name = request.script_name
    setup = request.maps.setup
    base = request.maps.base
    generator = setup.make_generator()
    # The systems differ for a moment after another map became the current one.
    system = request.model.system
    if generator.system is not system or base.system is not system:
        return _Comparison(None, f"{name} makes maps of another kind than this one.")
    stream = MapStream(generator, setup.settings, base, SEED, cancelled)
    distribution = distribution_of(stream, request.model.measures, MAPS)
    if distribution is None:
        return _Comparison(None, "")  # the job was cancelled: nobody gets this
    maps = counted(distribution.count, "map")
    message = f"Compared with {maps} that {name} makes here, locks left aside."
    return _Comparison(distribution, message)


class ScriptComparison(QObject):
    """Keeps the measures of the maps of the current script up to date."""

    changed = Signal()
    """``distribution`` has changed."""

    message_reported = Signal(str)
    """What the map is compared with, or why it is not; "" if there is nothing to say."""

    def __init__(
        self, report: MapReport, rolling: Rolling, above: LayersAbove, parent: QObject
    ) -> None:
        """Compute nothing yet; ``report`` has the model, whose measures are compared."""
        super().__init__(parent)
        self._report = report
        self._rolling = rolling
        self._above = above
        self.distribution: Distribution | None = None
        """The measures of the maps; None if there are none to compare with."""
        self.background = BackgroundValue(self._inputs, _compare, self, delay_ms=TYPING_MS)
        """Computes the comparison."""
        connect(self.background.started, self._on_started)
        connect(self.background.missed, self._on_no_maps)
        connect(self.background.computed, self._set_comparison)
        connect(self.background.failed, self._on_failed)

    def _inputs(self) -> _ScriptToCompare | NoInputsReason:
        """Return the maps to compare with, or why there are none."""
        model = self._report.model
        if model is None:
            return ""  # nothing is to be said: the model is being loaded, or the system has none
        setup = self._rolling.setup()
        if not setup.text.strip():
            return "There is no script with whose maps this one could be compared."
        base = self._above.base_for(self._rolling.next_base()).unlocked()
        return _ScriptToCompare(model, setup.script_name, RolledMaps(setup, base))

    def _on_started(self, request: _ScriptToCompare) -> None:
        """Tell that maps are rolled; what was compared before stays meanwhile."""
        self.message_reported.emit(f"Rolling {MAPS:,} maps of {request.script_name}...")

    def _on_no_maps(self, reason: str) -> None:
        """Tell why there are no maps to compare with."""
        self._set_comparison(_Comparison(None, reason))

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why the maps of the script could not be rolled."""
        message = f"The script's maps cannot be compared: {problems[0].message}"
        self._set_comparison(_Comparison(None, message))

    def _set_comparison(self, comparison: _Comparison) -> None:
        """Set the distribution, and tell what it is of."""
        self.distribution = comparison.distribution
        # The message comes first, so that "Rolling ..." does not stay if showing the distribution
        # has a fault.
        self.message_reported.emit(comparison.message)
        self.changed.emit()
