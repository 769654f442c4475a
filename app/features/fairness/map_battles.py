"""The results of battles that are simulated on the current map, more and more of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue, NoInputsReason
from app.background.jobs import lent_thread, rest
from app.qt_guard import connect
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.features.fairness.map_report import MapReport
    from randomizer.batches.fairness import BattleResults, FairnessModel

DELAY_MS = 20
"""Changes of the map are gathered for so long, in milliseconds, before its battles end."""

REST_MS = 300
"""The map must stay unchanged for so long, in milliseconds, before battles are fought on it."""


class _Battlefield(NamedTuple):
    """The inputs of battles."""

    model: FairnessModel

    map: object
    """What the model made of the map, see ``FairnessModel.battlefield``."""


def _fight(
    request: _Battlefield, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[BattleResults]:
    """Yield the results so far whenever there are new ones; the work of a job.

    The first battle waits until the map has rested.
    """
    rest(REST_MS, cancelled)
    with lent_thread():  # some seconds of work that nobody waits for: other jobs run beside it
        yield from request.model.fight(request.map, cancelled)


class MapBattles(QObject):
    """Keeps the results of simulated battles on the current map up to date."""

    changed = Signal()
    """``results`` has changed."""

    message_reported = Signal(str)
    """There are no results, for this reason."""

    def __init__(self, document: MapDocument, report: MapReport, parent: QObject) -> None:
        """Fight nothing yet; ``report`` has the model, which simulates the battles."""
        super().__init__(parent)
        self._document = document
        self._report = report
        self.results: BattleResults | None = None
        """The results so far; None before the first ones, and where no battles are simulated."""
        # Throttled, since strokes change the map faster than the delay ends: so the battles on the
        # map as it was end while one paints.
        self.background = BackgroundValue(
            self._inputs, _fight, self, delay_ms=DELAY_MS, throttled=True
        )
        """Computes the results."""
        connect(self.background.started, self._drop_results)
        connect(self.background.missed, self._drop_results)
        connect(self.background.computed, self._set_results)
        connect(self.background.failed, self._on_failed)

    def forget(self) -> None:
        """Forget the results, which are of another map than the current one."""
        self.background.forget()
        self._drop_results()

    def _inputs(self) -> _Battlefield | NoInputsReason:
        """Return what battles are fought on, or why there are none."""
        model = self._report.model
        if model is None or not model.simulator:
            return "Battles are not simulated."
        return _Battlefield(model, model.battlefield(self._document.composite))

    def _drop_results(self) -> None:
        """Have no results: others begin, or no battles are simulated."""
        self.results = None
        self.changed.emit()

    def _set_results(self, results: BattleResults) -> None:
        """Set the results of the battles so far."""
        self.results = results
        self.changed.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell why there are no battles."""
        self.message_reported.emit(problems[0].message)
