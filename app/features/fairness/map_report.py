"""The report on the current map: how costly it is for either army to cross, and what it measures.

What is fair on a map, the ``FairnessModel`` of its system knows. Loading a model takes a moment, so
the job that makes the first report on maps of a system loads its model, too. The other values of a
map (script_comparison.py, map_battles.py) begin when it is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from randomizer.catalog.systems import fairness_model_of
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.batches.fairness import FairnessModel, FairnessReport

DELAY_MS = 20
"""Changes of the map are gathered for so long, in milliseconds, before it is assessed again."""


class ArmyKind(NamedTuple):
    """The kind of creatures of both armies, as a ``FairnessModel`` names it."""

    movement_type: str
    """Their way of moving, one of ``FairnessModel.movement_types``."""

    native_terrain: str
    """The terrain that they are at home on, one of ``FairnessModel.native_terrains``."""


class LoadedModel(NamedTuple):
    """The answer to what the model of a system is."""

    system: System

    model: FairnessModel | None
    """None if the system has no model."""


class _MapToAssess(NamedTuple):
    """The inputs of a report."""

    system: System
    """The system of the map."""

    composite: Composite
    """A copy of the values that the map shows."""

    kind: ArmyKind | None
    """The kind of armies that was chosen; None for the one that the model names first."""


class _Assessment(NamedTuple):
    """A report, and what it was made with."""

    loaded: LoadedModel

    kind: ArmyKind | None
    """The kind of armies; None if there is no model, which would name some."""

    report: FairnessReport | None
    """None if there is no model."""


def _assess(request: _MapToAssess, _progress: object, _cancelled: object) -> _Assessment:
    """Return the report on a map; the work of a job."""
    model = fairness_model_of(request.system)  # imported here, on the job's thread
    loaded = LoadedModel(request.system, model)
    if model is None:
        return _Assessment(loaded, None, None)
    kind = request.kind
    if kind is None:
        kind = ArmyKind(model.movement_types[0], model.native_terrains[0])
    return _Assessment(loaded, kind, model.assess(request.composite, *kind))


class MapReport(QObject):
    """Keeps the report on the current map, and the model of its system, up to date."""

    model_changed = Signal()
    """Another model was loaded, or the one before was dropped; ``report`` is by it already."""

    changed = Signal()
    """``report`` has changed."""

    message_reported = Signal(str)
    """There is no report, for this reason."""

    def __init__(self, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._loaded: LoadedModel | None = None
        """The model that the last report was made with; None until one is loaded.

        It is dropped when a map of another system becomes the current one.
        """
        self._kind: ArmyKind | None = None
        """The kind of armies that was chosen; None until a model is loaded, which names some."""
        self.report: FairnessReport | None = None
        """The report on the current map; None before the first one and after a failure."""
        # Throttled, since strokes change the map faster than the delay ends: so there is a report
        # now and then while one paints.
        self.background = BackgroundValue(
            self._inputs, _assess, self, delay_ms=DELAY_MS, throttled=True
        )
        """Computes the report."""
        connect(self.background.computed, self._on_computed)
        connect(self.background.failed, self._on_failed)

    @property
    def model(self) -> FairnessModel | None:
        """The model for the current map; None if its system has none, or none is loaded yet."""
        if self._loaded is None:
            return None
        return self._loaded.model

    @property
    def is_model_loaded(self) -> bool:
        """True if ``model`` is that of the current map; else it is being loaded."""
        return self._loaded is not None and self._loaded.system is self._document.battlemap.system

    def choose_armies(self, movement_type: str, native_terrain: str) -> None:
        """Report for armies of this kind, see ``ArmyKind``."""
        kind = ArmyKind(movement_type, native_terrain)
        if kind != self._kind:
            self._kind = kind
            self.background.renew()

    def drop_other_model(self) -> None:
        """Drop the model, and what was computed with it, if the map has another system."""
        if not self.is_model_loaded:
            self.background.forget()
            self._loaded = None
            self._kind = None  # the new model has kinds of armies of its own
            self.report = None
            self.model_changed.emit()

    def _inputs(self) -> _MapToAssess:
        """Return what the report on the current map is computed from."""
        document = self._document
        return _MapToAssess(document.battlemap.system, document.composite.copy(), self._kind)

    def _on_computed(self, assessment: _Assessment) -> None:
        """Set the report, and its model if that is another one."""
        # The report comes before ``model_changed``, whose receivers show it by the new model.
        self.report = assessment.report
        if assessment.loaded != self._loaded:
            self._loaded = assessment.loaded
            self._kind = assessment.kind
            self.model_changed.emit()
        self.changed.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Drop the report, and tell why there is none."""
        self.report = None
        self.message_reported.emit(problems[0].message)
        self.changed.emit()
