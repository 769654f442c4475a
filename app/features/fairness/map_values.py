"""Three values of the current map that are computed on other threads, each by a class of its own.

==========================  ===============================  ====================================
class                       computed from                    by the model's
==========================  ===============================  ====================================
``ReportOfMap``             the map, the kind of armies      ``assess``; its job loads the model
``ComparisonWithScript``    2000 maps of the map's script    ``measures``
``BattlesOnMap``            the map                          ``fight``
==========================  ===============================  ====================================

What is fair on a map, a ``FairnessModel`` of its system knows. Each value has a ``BackgroundValue``
that computes it. That reads its *inputs* a moment after each ``renew``, and starts a job only if
they are others than those of the latest value. So ``renew`` may be called too often, and is cheap:
a stroke on the map renews all three, but the maps of the script are not rolled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.appearance.quotes import with_quotes
from app.background.background_value import BackgroundValue
from app.background.jobs import lent_thread, rest
from app.qt_guard import connect
from app.rolling.rolled_maps import RolledMaps
from randomizer.catalog.systems import fairness_model_of
from randomizer.model.basics.plurals import counted
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.layers_above_switch import LayersAbove
    from app.rolling.rolling import Rolling
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import BattleResults, FairnessModel, FairnessReport

MAPS = 2000
"""The current map is compared with so many maps of the script."""

SEED = 0
"""The seed of these maps: always the same, so that the comparison is the same each time."""

DELAY_MS = 20
"""Changes are gathered for so long, in milliseconds, before the fairness is computed again."""

REST_MS = 300
"""The map must stay unchanged for so long, in milliseconds, before battles are fought on it."""

TYPING_MS = 300
"""The script must stay unchanged for so long, in milliseconds, before its maps are rolled."""


class ArmyKind(NamedTuple):
    """The kind of creatures of both armies, as a ``FairnessModel`` names it."""

    movement_type: str
    """Their way of moving, one of ``FairnessModel.movement_types``."""

    native_terrain: str
    """The terrain that they are at home on, one of ``FairnessModel.native_terrains``."""


# --- the report ---------------------------------------------------------------------------------


class _MapToAssess(NamedTuple):
    """What a report is computed from."""

    system: System
    """The system of the map."""

    composite: Composite
    """A copy of the values that the map shows."""

    kind: ArmyKind | None
    """The kind of armies that was chosen; None for the one that the model names first."""


class _Assessment(NamedTuple):
    """A report, and what it was made with."""

    system: System
    """The system of the map."""

    model: FairnessModel | None
    """The model of the system; None if it has none: then there is no report either."""

    kind: ArmyKind | None
    """The kind of armies, as the model names it."""

    report: FairnessReport | None


def _assess(request: _MapToAssess, _progress: object, _cancelled: object) -> _Assessment:
    """Return the report on a map; the work of a job."""
    model = fairness_model_of(request.system)  # imported here, on the job's thread
    kind = request.kind
    if model is None:
        return _Assessment(request.system, None, kind, None)
    if kind is None:
        kind = ArmyKind(model.movement_types[0], model.native_terrains[0])
    report = model.assess(request.composite, *kind)
    return _Assessment(request.system, model, kind, report)


class ReportOfMap(QObject):
    """Keeps the report on the current map, and the model of its system, up to date."""

    model_changed = Signal()
    """``model`` or ``system`` has changed; ``report`` is by the new model already."""

    changed = Signal()
    """``report`` has changed."""

    failed = Signal(str)
    """There is no report, for this reason."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.model: FairnessModel | None = None
        """The model for maps of ``system``; None if it has none, or none is loaded yet."""
        self.system: System | None = None
        """The system of ``model``, see ``is_model_loaded``; None before the first report."""
        self.report: FairnessReport | None = None
        """The report on the current map; None before the first one and after a failure."""
        self._kind: ArmyKind | None = None
        """The kind of armies that was chosen; None until a model is loaded, which names some."""
        # Throttled, since strokes change the map faster than the delay ends: so there is a report
        # now and then while one paints.
        self.value = BackgroundValue(self._inputs, _assess, self, delay_ms=DELAY_MS, throttled=True)
        """Computes the report."""
        connect(self.value.computed, self._set)
        connect(self.value.failed, self._on_failed)

    @property
    def is_model_loaded(self) -> bool:
        """True if ``model`` is that of the current map; else it is being loaded."""
        return self.system is self._document.battlemap.system

    def choose_armies(self, movement_type: str, native_terrain: str) -> None:
        """Report for armies of this kind, see ``ArmyKind``."""
        kind = ArmyKind(movement_type, native_terrain)
        if kind != self._kind:
            self._kind = kind
            self.value.renew()

    def forget_other_model(self) -> None:
        """Forget the model, and all that was computed with it, if the map has another system."""
        if not self.is_model_loaded:
            self.value.forget()
            self._kind = None  # the new model has kinds of armies of its own
            self.model = None
            self.report = None
            self.model_changed.emit()

    def _inputs(self) -> _MapToAssess:
        """Return what the report on the current map is computed from."""
        document = self._document
        return _MapToAssess(document.battlemap.system, document.composite.copy(), self._kind)

    def _set(self, result: _Assessment) -> None:
        """Set a report, and its model if that is another one."""
        # The report comes before ``model_changed``, whose receivers show it by the new model.
        self.report = result.report
        is_new_model = self.system is not result.system or self.model is not result.model
        if is_new_model:
            self.system = result.system
            self.model = result.model
            self._kind = result.kind
            self.model_changed.emit()
        self.changed.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Drop the report, and tell why there is none."""
        self.report = None
        self.failed.emit(with_quotes(problems[0].message))
        self.changed.emit()


# --- the comparison -----------------------------------------------------------------------------


class _ScriptToCompare(NamedTuple):
    """What a comparison is computed from."""

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
    """Return the measures of the maps of a script; nobody gets those of a cancelled job."""
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    name = request.script_name
    setup = request.maps.setup
    base = request.maps.base
    generator = setup.make_generator()
    # The systems differ for a moment after another map became the current one.
    if not generator.system is base.system is request.model.system:
        return _Comparison(None, f"{name} makes maps of another kind than this one.")
    stream = MapStream(generator, setup.settings, base, SEED, cancelled)
    distribution = distribution_of(stream, request.model.measures, MAPS)
    if distribution is None:  # the job was cancelled
        return _Comparison(None, "")
    _ = distribution.histograms  # worked out here, where a fault is a problem of this job
    maps = counted(distribution.count, "map")
    message = f"Compared with {maps} that {name} makes here, locks left aside."
    return _Comparison(distribution, message)


class ComparisonWithScript(QObject):
    """Keeps the measures of 2000 maps of the current map's script up to date."""

    changed = Signal(str)
    """``distribution`` may have changed; with a message on what the map is compared with."""

    def __init__(
        self, report: ReportOfMap, rolling: Rolling, above: LayersAbove, parent: QObject
    ) -> None:
        """Compute nothing yet; ``report`` has the model, whose measures are compared."""
        super().__init__(parent)
        self._report = report
        self._rolling = rolling
        self._above = above
        self.distribution: Distribution | None = None
        """The measures of the maps; None if there are none to compare with."""
        self.value = BackgroundValue(self._inputs, _compare, self, delay_ms=TYPING_MS)
        """Computes the comparison."""
        connect(self.value.started, self._on_started)
        connect(self.value.missed, self._on_no_maps)
        connect(self.value.computed, self._set)
        connect(self.value.failed, self._on_failed)

    def _inputs(self) -> _ScriptToCompare | str:
        """Return the maps to compare with; a str says why there are none."""
        model = self._report.model
        if model is None:
            return ""  # nothing is to be said: the model is loaded, or the system has none
        setup = self._rolling.setup()
        if not setup.text.strip():
            return "There is no script with whose maps this one could be compared."
        base = self._above.base_for(self._rolling.next_base()).unlocked()
        return _ScriptToCompare(model, setup.script_name, RolledMaps(setup, base))

    def _on_started(self, request: _ScriptToCompare) -> None:
        """Tell that maps are rolled; what was compared before stays meanwhile."""
        self.changed.emit(f"Rolling {MAPS:,} maps of {request.script_name}...")

    def _on_no_maps(self, why: str) -> None:
        """Tell why there are no maps to compare with."""
        self._set(_Comparison(None, why))

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why the maps of the script could not be rolled."""
        message = f"The script's maps cannot be compared: {with_quotes(problems[0].message)}"
        self._set(_Comparison(None, message))

    def _set(self, comparison: _Comparison) -> None:
        """Set the distribution, and tell what it is of."""
        self.distribution = comparison.distribution
        self.changed.emit(comparison.message)


# --- battles ------------------------------------------------------------------------------------


class _Battlefield(NamedTuple):
    """What battles are computed from."""

    model: FairnessModel

    map: object
    """What the model made of the map, see ``FairnessModel.battlefield``."""


def _fight(
    request: _Battlefield, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Fight battles, and yield the results so far whenever there are new ones.

    The first battle waits until the map has rested.
    """
    rest(REST_MS, cancelled)
    with lent_thread():  # some seconds of work that nobody waits for: other jobs run beside it
        yield from request.model.fight(request.map, cancelled)


class BattlesOnMap(QObject):
    """Keeps the results of simulated battles on the current map up to date."""

    changed = Signal()
    """``results`` has changed."""

    failed = Signal(str)
    """There are no results, for this reason."""

    def __init__(self, document: MapDocument, report: ReportOfMap, parent: QObject) -> None:
        """Fight nothing yet; ``report`` has the model, which simulates the battles."""
        super().__init__(parent)
        self._document = document
        self._report = report
        self.results: BattleResults | None = None
        """The results so far; None before the first ones, and where no battles are simulated."""
        # Throttled for the reason of ``ReportOfMap.value``.
        self.value = BackgroundValue(self._inputs, _fight, self, delay_ms=DELAY_MS, throttled=True)
        """Computes the results."""
        connect(self.value.started, lambda _inputs: self._set(None))
        connect(self.value.missed, lambda _why: self._set(None))
        connect(self.value.computed, self._set)
        connect(self.value.failed, self._on_failed)

    def forget(self) -> None:
        """Forget the results, which are of another map than the current one."""
        self.value.forget()
        self._set(None)

    def _inputs(self) -> _Battlefield | str:
        """Return what battles are fought on; a str says why there are none."""
        model = self._report.model
        if model is None or not model.simulator:
            return "Battles are not simulated."
        return _Battlefield(model, model.battlefield(self._document.composite))

    def _set(self, results: BattleResults | None) -> None:
        """Set the results of battles so far; None when there are none, or others begin."""
        self.results = results
        self.changed.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why there are no battles."""
        self.failed.emit(with_quotes(problems[0].message))
