"""Judging the map in front as it changes, and the maps that its script makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.latest_job import LatestJob
from randomizer.catalog import judge_of
from randomizer.model.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.document import MapDocument
    from app.rolling.roll_request import Recipe
    from app.rolling.rolling import Rolling
    from randomizer.batches.fairness import Judge, Judgement
    from randomizer.batches.spread import Spread
    from randomizer.generator import Base
    from randomizer.model.battlemap import Composite, System
    from randomizer.model.problems import Problem

MAPS = 2000
"""How many maps of the script the map in front is compared with."""

DELAY_MS = 20
"""How long changes are gathered before the map is judged again."""

TYPING_MS = 300
"""How long the script must rest before its maps are rolled again."""


class FairMaps(QObject):
    """Keeps ``judgement`` and ``spread`` up with the map and the script while somebody looks.

    ``judge_changed()``: such maps are judged by another, or by nobody (``judge`` is None), or it
    is not known yet who judges them (``sought`` is another system). ``judged()``: the
    judgement is new. ``compared()``: the spread is new, or ``words`` are, which say what it is of
    or why there is none.
    """

    judge_changed = Signal()
    judged = Signal()
    compared = Signal()

    def __init__(
        self, document: MapDocument, rolling: Rolling, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._rolling = document, rolling
        self.judge: Judge | None = None
        self.sought: System | None = None
        self.judgement: Judgement | None = None
        self.spread: Spread | None = None
        self.words = ""
        self._kind = ("", "")
        self._watched = False
        self._compared_with: tuple[str, str, object, Composite] | None = None
        self._judging, self._comparing = LatestJob(self), LatestJob(self)
        self._judge_timer = self._timer(DELAY_MS, self._judge)
        self._compare_timer = self._timer(TYPING_MS, self._compare)
        document.changed.connect(self._on_changed)
        document.map_replaced.connect(self._on_replaced)
        rolling.recipe_changed.connect(self._on_recipe)

    def _timer(self, delay_ms: int, do: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=delay_ms)
        timer.timeout.connect(do)
        return timer

    def watch(self, watched: bool) -> None:
        """Work from now on, or rest: nobody looks."""
        self._watched = watched
        if watched:
            self._judge_timer.start(0)
            self._compare_timer.start(0)
        else:
            self._judge_timer.stop()
            self._compare_timer.stop()
            self._judging.cancel()
            self._stop_comparing()

    def choose(self, way: str, home: str) -> None:
        """Judge for creatures that move by ``way`` and are native to ``home``."""
        self._kind = (way, home)
        self._on_changed()

    def _on_replaced(self) -> None:
        if self.sought is not self._document.battlemap.system:
            self._judging.cancel()
            self.judge = self.judgement = None
            self.judge_changed.emit()
        self._on_changed()

    def _on_changed(self) -> None:
        """Strokes change the map faster than this timer runs: it is not started anew."""
        if self._watched and not self._judge_timer.isActive():
            self._judge_timer.start()
        self._on_recipe()

    def _on_recipe(self) -> None:
        if self._watched:
            self._compare_timer.start()

    # --- the map in front -------------------------------------------------------------------

    def _judge(self) -> None:
        system = self._document.battlemap.system
        if self.sought is not system:  # whoever judges is read in on the job's thread as well
            work = partial(_judge_of, system)
            self._judging.run(work, partial(self._take_judge, system), self._fail_judging)
        elif self.judge is not None:
            judge, shown, kind = self.judge, self._document.composite.copy(), self._kind
            self._judging.run(
                lambda _progress, _cancelled: judge.judge(shown, *kind),
                self._take_judgement,
                self._fail_judging,
            )

    def _take_judge(self, system: System, judge: Judge | None) -> None:
        self.sought, self.judge = system, judge
        if judge is not None:
            self._kind = (judge.ways[0], judge.homes[0])
            self._judge_timer.start(0)
            self._compare_timer.start(0)
        self.judge_changed.emit()

    def _take_judgement(self, judgement: Judgement) -> None:
        self.judgement = judgement
        self.judged.emit()

    def _fail_judging(self, problems: tuple[Problem, ...]) -> None:
        self.judgement = None
        self._say(problems[0].message)
        self.judged.emit()

    # --- the maps of its script -------------------------------------------------------------

    def _compare(self) -> None:
        if self.judge is None:
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
            partial(_spread, self.judge, recipe, base),
            partial(self._take_spread, name),
            self._fail_comparing,
        )

    def _stop_comparing(self) -> None:
        if self._comparing.busy:
            self._compared_with = None  # next time it begins anew
            self._comparing.cancel()

    def _take_spread(self, name: str, found: Spread | None) -> None:
        if found is None:
            self._tell(None, f"{name} makes maps of another kind than this one.")
        else:
            maps = counted(found.count, "map")
            words = f"Compared with {maps} that {name} makes here, locks left aside."
            self._tell(found, words)

    def _fail_comparing(self, problems: tuple[Problem, ...]) -> None:
        self._tell(None, f"The script's maps cannot be compared: {problems[0].message}")

    def _tell(self, found: Spread | None, words: str) -> None:
        self.spread = found
        self._say(words)

    def _say(self, words: str) -> None:
        self.words = words
        self.compared.emit()


def _judge_of(
    system: System, _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> Judge | None:
    return judge_of(system)


def _spread(
    judge: Judge,
    recipe: Recipe,
    base: Base,
    _progress: Callable[[int], None],
    cancelled: Callable[[], bool],
) -> Spread | None:
    from randomizer.batches.spread import spread

    generator = recipe.generator()
    if generator.system is not judge.system:
        return None
    return spread(generator, recipe.settings, base, judge.measures, MAPS, cancelled)
