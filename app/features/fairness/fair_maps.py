"""The fairness of the current map as it changes, and of the maps that its script makes.

``FairMaps`` computes on other threads, and only while the view *Fairness* is open; ``feature.py``
connects it with the panel. What is fair on a map, a ``FairnessModel`` of its system knows. With it
three values are computed beside one another, each by a ``BackgroundValue``:

==============  ===============================  ====================  ==========================
value           computed from                    by the model's        kept in
==============  ===============================  ====================  ==========================
the report      the map, the kind of armies      ``assess``            ``report`` and ``model``
the comparison  2000 maps of the map's script    ``measures``          ``comparison``
the battles     the map                          ``fight``             ``battles``
==============  ===============================  ====================  ==========================

The report comes first: its job also loads the model, which the other two need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

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


USUAL_KIND = ArmyKind("", "")
"""Stands for the kind that a model names first, as long as no model is loaded that has names."""


class Comparison(NamedTuple):
    """The outcome of comparing the current map with maps of its script."""

    distribution: Distribution | None
    """The measures of the maps; None if there are none to compare with."""

    message: str
    """Says what the map is compared with, or why it is not; "" if there is nothing to say."""


class _MapToAssess(NamedTuple):
    """What a report is computed from."""

    system: System
    """The system of the map."""

    composite: Composite
    """A copy of the values that the map shows."""

    kind: ArmyKind
    """The kind of armies that was chosen."""


class _Assessment(NamedTuple):
    """A report, and what it was made with."""

    system: System
    """The system of the map."""

    model: FairnessModel | None
    """The model of the system; None if it has none: then there is no report either."""

    kind: ArmyKind
    """The kind of armies, as the model names it."""

    report: FairnessReport | None


class _ScriptToCompare(NamedTuple):
    """What a comparison is computed from."""

    model: FairnessModel

    script_name: str

    maps: RolledMaps
    """The maps that the script makes."""


class _Battlefield(NamedTuple):
    """What battles are computed from."""

    model: FairnessModel

    map: object
    """What the model made of the map, see ``FairnessModel.battlefield``."""


class FairMaps(QObject):
    """Keeps the fairness of the current map up to date with the map and its script."""

    model_changed = Signal()
    """``model`` or ``system`` has changed."""

    reported = Signal()
    """``report`` has changed."""

    compared = Signal()
    """``comparison`` has changed."""

    fought = Signal()
    """``battles`` has changed."""

    def __init__(
        self,
        document: MapDocument,
        rolling: Rolling,
        above: LayersAbove,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._rolling = rolling
        self._above = above
        self.model: FairnessModel | None = None
        """The model for maps of ``system``; None if it has none, or none is loaded yet."""
        self.system: System | None = None
        """The system of ``model``; while it is not the map's, the model is being loaded."""
        self.report: FairnessReport | None = None
        """The report on the current map; None before the first one and after a failure."""
        self.comparison = Comparison(None, "")
        """The measures of maps of the script, and the message of the view."""
        self.battles: BattleResults | None = None
        """The results of battles on the current map; None before the first ones."""
        self._kind = USUAL_KIND
        """The kind of armies that was chosen."""

        # Those of the map are throttled, since strokes change the map faster than their delay ends.
        self._assessing = BackgroundValue(
            self._current_map, _assess, self, delay_ms=DELAY_MS, throttled=True
        )
        self._comparing = BackgroundValue(self._maps_of_script, _compare, self, delay_ms=TYPING_MS)
        self._fighting = BackgroundValue(
            self._battlefield, _fight, self, delay_ms=DELAY_MS, throttled=True
        )
        self._values = (self._assessing, self._comparing, self._fighting)
        self._connect_results()
        self._follow_changes()

    def _connect_results(self) -> None:
        """Connect the three values with what is done with their results."""
        connect(self._assessing.computed, self._set_report)
        connect(self._assessing.failed, self._on_report_failed)

        connect(self._comparing.started, self._on_comparing_started)
        connect(self._comparing.missed, self._on_no_maps)
        connect(self._comparing.computed, self._set_comparison)
        connect(self._comparing.failed, self._on_comparing_failed)

        connect(self._fighting.started, lambda _inputs: self._set_battles(None))
        connect(self._fighting.missed, lambda _why: self._set_battles(None))
        connect(self._fighting.computed, self._set_battles)
        connect(self._fighting.failed, self._on_fighting_failed)

    def _follow_changes(self) -> None:
        """Compute a value anew when the map or the script changes."""
        for value in self._values:
            connect(self._document.changed, value.renew)
        connect(self._document.map_replaced, self._on_replaced)
        connect(self._rolling.setup_changed, self._comparing.renew)
        connect(self._above.toggled, self._comparing.renew)

    def watch(self, is_watched: bool) -> None:
        """Compute from now on, or stop since the panel is hidden."""
        for value in self._values:
            value.set_watched(is_watched)

    def choose(self, movement_type: str, native_terrain: str) -> None:
        """Compute for armies of this kind, see ``ArmyKind``."""
        kind = ArmyKind(movement_type, native_terrain)
        if kind != self._kind:
            self._kind = kind
            self._assessing.renew()

    def _on_replaced(self) -> None:
        """Compute everything anew, since another map became the current one."""
        if self.system is not self._document.battlemap.system:
            # Another system has another model, with kinds of armies of its own.
            self._assessing.forget()
            self._kind = USUAL_KIND
            self.model = None
            self.report = None
            self.model_changed.emit()
        self._fighting.forget()
        self._set_battles(None)
        for value in self._values:
            value.renew()

    # --- the current map -------------------------------------------------------------------

    def _current_map(self) -> _MapToAssess:
        """Return what the report on the current map is computed from."""
        document = self._document
        return _MapToAssess(document.battlemap.system, document.composite.copy(), self._kind)

    def _set_report(self, result: _Assessment) -> None:
        """Set a report, and its model if that is another one: then the rest is computed anew."""
        # The report comes before ``model_changed``, whose receivers show it by the new model.
        self.report = result.report
        is_new_model = self.system is not result.system or self.model is not result.model
        if is_new_model:
            self.system = result.system
            self.model = result.model
            self._kind = result.kind
            self.model_changed.emit()
            self._comparing.renew(delay_ms=0)
            self._fighting.renew()
        self.reported.emit()

    def _on_report_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why there is no report."""
        self.report = None
        self._set_message(problems[0].message)
        self.reported.emit()

    # --- battles on it ----------------------------------------------------------------------

    def _battlefield(self) -> _Battlefield | str:
        """Return what battles are fought on; a str says why there are none."""
        if self.model is None or not self.model.simulator:
            return "Battles are not simulated."
        return _Battlefield(self.model, self.model.battlefield(self._document.composite))

    def _set_battles(self, battles: BattleResults | None) -> None:
        """Set the results of battles so far; None when there are none, or others begin."""
        self.battles = battles
        self.fought.emit()

    def _on_fighting_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why there are no battles, in the one message that the view has."""
        self._set_message(problems[0].message)

    # --- the maps of its script -------------------------------------------------------------

    def _maps_of_script(self) -> _ScriptToCompare | str:
        """Return the maps to compare with; a str says why there are none."""
        if self.model is None:
            return ""  # nothing is to be said: the model is loaded, or the system has none
        setup = self._rolling.setup()
        if not setup.text.strip():
            return "There is no script with whose maps this one could be compared."
        base = self._above.base_for(self._rolling.next_base()).unlocked()
        return _ScriptToCompare(self.model, setup.script_name, RolledMaps(setup, base))

    def _on_comparing_started(self, request: _ScriptToCompare) -> None:
        """Tell that maps are rolled; what was compared before stays meanwhile."""
        self._set_message(f"Rolling {MAPS:,} maps of {request.script_name}...")

    def _on_no_maps(self, why: str) -> None:
        """Tell why there are no maps to compare with."""
        self._set_comparison(Comparison(None, why))

    def _on_comparing_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why the maps of the script could not be rolled."""
        message = f"The script's maps cannot be compared: {problems[0].message}"
        self._set_comparison(Comparison(None, message))

    def _set_comparison(self, comparison: Comparison) -> None:
        """Set a comparison in place of the one before, and emit ``compared``."""
        self.comparison = comparison
        self.compared.emit()

    def _set_message(self, message: str) -> None:
        """Set the message of the view, which is about all three values; the distribution stays."""
        self._set_comparison(self.comparison._replace(message=message))


# --- the work of the jobs -----------------------------------------------------------------------


def _assess(request: _MapToAssess, _progress: object, _cancelled: object) -> _Assessment:
    """Return the report on a map."""
    model = fairness_model_of(request.system)  # imported here, on the job's thread
    kind = request.kind
    if model is None:
        return _Assessment(request.system, None, kind, None)
    if kind == USUAL_KIND:
        kind = ArmyKind(model.movement_types[0], model.native_terrains[0])
    report = model.assess(request.composite, *kind)
    return _Assessment(request.system, model, kind, report)


def _fight(
    request: _Battlefield, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Fight battles, and yield the results so far whenever there are new ones.

    The first battle waits until the map has rested.
    """
    rest(REST_MS, cancelled)
    with lent_thread():  # some seconds of work that nobody waits for: other jobs run beside it
        yield from request.model.fight(request.map, cancelled)


def _compare(
    request: _ScriptToCompare, _progress: object, cancelled: Callable[[], bool]
) -> Comparison:
    """Return the measures of the maps of a script; nobody gets those of a cancelled job."""
    from randomizer.batches.distribution import distribution_of
    from randomizer.batches.map_stream import MapStream

    name = request.script_name
    setup = request.maps.setup
    base = request.maps.base
    generator = setup.make_generator()
    # The systems differ for a moment after another map became the current one.
    if not generator.system is base.system is request.model.system:
        return Comparison(None, f"{name} makes maps of another kind than this one.")
    stream = MapStream(generator, setup.settings, base, SEED, cancelled)
    distribution = distribution_of(stream, request.model.measures, MAPS)
    if distribution is None:  # the job was cancelled
        return Comparison(None, "")
    _ = distribution.histograms  # worked out here, where a fault is a problem of this job
    maps = counted(distribution.count, "map")
    return Comparison(
        distribution, f"Compared with {maps} that {name} makes here, locks left aside."
    )
