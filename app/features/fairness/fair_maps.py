"""The fairness of the shown map as it changes, and of the maps that its script makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.latest_job import LatestJob
from randomizer.catalog import fairness_model_of
from randomizer.model.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.document import MapDocument
    from app.rolling.roll_request import Recipe
    from app.rolling.rolling import Rolling
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import FairnessModel, FairnessReport
    from randomizer.generator import Base
    from randomizer.model.composite import Composite
    from randomizer.model.problems import Problem
    from randomizer.model.system import System

MAPS = 2000
"""How many maps of the script the map in front is compared with."""

DELAY_MS = 20
"""How long changes are gathered before the fairness is computed again."""

TYPING_MS = 300
"""How long the script must rest before its maps are rolled again."""


class FairMaps(QObject):
    """Keeps ``report`` and ``distribution`` up to date with map and script while the panel shows.

    ``model`` is the fairness model for maps of the system ``sought``, None if it has none; while
    ``sought`` is another system than the map's it is not loaded yet. ``model_changed()``: ``model``
    or ``sought`` has changed. ``reported()``: ``report`` has. ``compared()``: ``distribution`` has,
    or ``words``, which say what was compared or why nothing was.
    """

    model_changed = Signal()
    reported = Signal()
    compared = Signal()

    def __init__(
        self, document: MapDocument, rolling: Rolling, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._rolling = document, rolling
        self.model: FairnessModel | None = None
        self.sought: System | None = None
        self.report: FairnessReport | None = None
        self.distribution: Distribution | None = None
        self.words = ""
        self._kind = ("", "")
        self._watched = False
        self._compared_with: tuple[str, str, object, Composite] | None = None
        self._reporting, self._comparing = LatestJob(self), LatestJob(self)
        self._report_timer = self._timer(DELAY_MS, self._evaluate)
        self._compare_timer = self._timer(TYPING_MS, self._compare)
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self._on_replaced)
        rolling.recipe_changed.connect(self._on_recipe)

    def _timer(self, delay_ms: int, do: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=delay_ms)
        timer.timeout.connect(do)
        return timer

    def watch(self, watched: bool) -> None:
        """Compute from now on, or stop since the panel is hidden."""
        self._watched = watched
        if watched:
            self._report_timer.start(0)
            self._compare_timer.start(0)
        else:
            self._report_timer.stop()
            self._compare_timer.stop()
            self._reporting.cancel()
            self._stop_comparing()

    def choose(self, way: str, home: str) -> None:
        """Compute for creatures that move by ``way`` and are native to ``home``."""
        self._kind = (way, home)
        self._on_changed()

    def _on_replaced(self) -> None:
        if self.sought is not self._document.battlemap.system:
            self._reporting.cancel()
            self.model = self.report = None
            self.model_changed.emit()
        self._on_changed()

    def _on_changed(self) -> None:
        """Strokes change the map faster than this timer runs: it is not started again."""
        if self._watched and not self._report_timer.isActive():
            self._report_timer.start()
        self._on_recipe()

    def _on_recipe(self) -> None:
        if self._watched:
            self._compare_timer.start()

    # --- the map in front -------------------------------------------------------------------

    def _evaluate(self) -> None:
        system = self._document.battlemap.system
        if self.sought is not system:  # the model is imported on the job's thread as well
            work = partial(_model_of, system)
            self._reporting.run(work, partial(self._take_model, system), self._fail_report)
        elif self.model is not None:
            model, shown, kind = self.model, self._document.composite.copy(), self._kind
            self._reporting.run(
                lambda _progress, _cancelled: model.assess(shown, *kind),
                self._take_report,
                self._fail_report,
            )

    def _take_model(self, system: System, model: FairnessModel | None) -> None:
        self.sought, self.model = system, model
        if model is not None:
            self._kind = (model.movement_types[0], model.native_terrains[0])
            self._report_timer.start(0)
            self._compare_timer.start(0)
        self.model_changed.emit()

    def _take_report(self, report: FairnessReport) -> None:
        self.report = report
        self.reported.emit()

    def _fail_report(self, problems: tuple[Problem, ...]) -> None:
        self.report = None
        self._say(problems[0].message)
        self.reported.emit()

    # --- the maps of its script -------------------------------------------------------------

    def _compare(self) -> None:
        if self.model is None:
            return
        recipe, base = self._rolling.recipe(), self._rolling.next_base()
        if not recipe.text.strip():
            self._compared_with = None
            self._stop_comparing()
            self._tell(None, "There is no script with whose maps this one could be compared.")
            return
        name = recipe.script_name
        before = self._compared_with
        asked = (name, recipe.text, dict(recipe.settings), base.composite)
        if before and asked[:3] == before[:3] and base.composite.same_as(before[3]):
            return
        self._compared_with = (*asked[:3], base.composite.copy())
        self._say(f"Rolling {MAPS:,} maps of {name}...")
        self._comparing.run(
            partial(_distribution, self.model, recipe, base),
            partial(self._take_distribution, name),
            self._fail_comparing,
        )

    def _stop_comparing(self) -> None:
        if self._comparing.busy:
            self._compared_with = None  # next time it begins again
            self._comparing.cancel()

    def _take_distribution(self, name: str, found: Distribution | None) -> None:
        if found is None:
            self._tell(None, f"{name} makes maps of another kind than this one.")
        else:
            maps = counted(found.count, "map")
            words = f"Compared with {maps} that {name} makes here, locks left aside."
            self._tell(found, words)

    def _fail_comparing(self, problems: tuple[Problem, ...]) -> None:
        self._tell(None, f"The script's maps cannot be compared: {problems[0].message}")

    def _tell(self, found: Distribution | None, words: str) -> None:
        self.distribution = found
        self._say(words)

    def _say(self, words: str) -> None:
        self.words = words
        self.compared.emit()


def _model_of(
    system: System, _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> FairnessModel | None:
    return fairness_model_of(system)


def _distribution(
    model: FairnessModel,
    recipe: Recipe,
    base: Base,
    _progress: Callable[[int], None],
    cancelled: Callable[[], bool],
) -> Distribution | None:
    from randomizer.batches.distribution import distribution_of

    generator = recipe.generator()
    if generator.system is not model.system:
        return None
    return distribution_of(generator, recipe.settings, base, model.measures, MAPS, cancelled)
