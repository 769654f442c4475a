"""The odds of the script as it is being written, onto the map as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.background.latest_job import LatestJob
from randomizer.batches.odds_table import HasOdds, OddsTable
from randomizer.batches.sampled_odds import odds_of
from randomizer.generator import Base, Progress
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.rolling.roll_request import Recipe
    from app.rolling.rolling import Rolling

REST_MS = 200
"""How long after the first table better ones are computed: not while a person types on."""

BETWEEN_S = 0.05
"""The least time between two tables that are shown; of those in between only the last is."""

LOADING = "The script is being read."


@dataclass(frozen=True, eq=False)
class _Asked:
    """Which odds are wanted: of the maps of a recipe on a base, those of hexsides too or not."""

    recipe: Recipe
    generator: HasOdds
    base: Base
    sides: bool

    def same_as(self, other: _Asked) -> bool:
        """Whether both have the same odds."""
        mine, its = self.recipe, other.recipe
        if (mine.text, mine.settings, self.sides) != (its.text, its.settings, other.sides):
            return False
        return type(self.generator) is type(other.generator) and _alike(self.base, other.base)


def _alike(one: Base, other: Base) -> bool:
    """Whether the same maps can be rolled onto both."""
    mine, its = one.composite.planes, other.composite.planes
    pairs = [(mine[name], its[name]) for name in mine]
    for mine_locked, its_locked in (
        (one.locked_cells, other.locked_cells),
        (one.locked_sides, other.locked_sides),
    ):
        pairs.append((mine_locked, its_locked))
        for name, plane in one.shown.planes.items():
            if plane.shape == mine_locked.shape:
                pairs.append((plane[mine_locked], other.shown.planes[name][its_locked]))
    return all(np.array_equal(first, second) for first, second in pairs)


class _Carrier(QObject):
    """Brings tables from the job's thread: ``came(_Asked, OddsTable)``; outlives ``LiveOdds``."""

    came = Signal(object, object)


class LiveOdds(QObject):
    """Keeps ``table`` up with the recipe and the map, while it is watched.

    ``odds_changed()``: one of these is another now: ``table`` (None: there are no odds, ``why``
    says in words why not), ``problems`` (then ``table`` is of the text before them), ``fresh``
    (whether the table is final for them).
    """

    odds_changed = Signal()

    def __init__(
        self, document: MapDocument, rolling: Rolling, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._rolling = document, rolling
        self.table: OddsTable | None = None
        self.problems: tuple[Problem, ...] = ()
        self.why = LOADING
        self.fresh = False
        self._watched = self._sides = False
        self._asked: _Asked | None = None
        self._job = LatestJob(self)
        self._carrier = _Carrier()
        self._carrier.came.connect(self._take)
        self._tables: Iterator[OddsTable] = iter(())
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._refine)
        # Signals of one turn of the event loop are one change.
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._renew)
        for signal in (
            rolling.recipe_changed,
            document.changed,
            document.active_layer_changed,
        ):
            signal.connect(self._on_changed)
        document.map_replaced.connect(self._on_replaced)

    # --- what is wanted ---------------------------------------------------------------------

    def watch(self, watched: bool) -> None:
        """Compute from now on, or stop since no odds are shown."""
        self._watched = watched
        if watched:
            self._timer.start(0)
        else:
            self._leave()

    def _leave(self) -> None:
        """Stop the work under way."""
        self._rest.stop()
        if self._job.busy:
            self._job.cancel()

    def ask_sides(self, sides: bool) -> None:
        """Whether the odds of hexsides are wanted: they cost a multiple of the others."""
        self._sides = sides
        self._on_changed()

    def _on_changed(self, *_what: object) -> None:
        if self._watched:
            self._timer.start(0)

    def _on_replaced(self) -> None:
        self._leave()
        self.table, self._asked = None, None
        self.odds_changed.emit()  # what they were odds of is not in front any more
        self._on_changed()

    # --- working it out ---------------------------------------------------------------------

    def _renew(self) -> None:
        if not self._watched:
            return
        asked = self._ask()
        if asked is None:
            self.table, self._asked, self.problems, self.fresh = None, None, (), False
            self._leave()
            self.odds_changed.emit()
            return
        done = self._job.busy or self._rest.isActive() or self.fresh or bool(self.problems)
        if done and self._asked is not None and asked.same_as(self._asked):
            return
        self._rest.stop()
        self._asked, self.fresh = asked, False
        self._job.run(partial(_first, asked), self._take_first, self._fail)

    def _ask(self) -> _Asked | None:
        """What is to be worked out; None, and ``why``, if there can be no odds."""
        self.why = self._rolling.why_not()
        if self.why:
            return None
        recipe = self._rolling.recipe()
        try:
            generator = recipe.generator()
        except ProblemError as reason:
            self.why = reason.problems[0].message
            return None
        return _Asked(recipe, odds_of(generator), self._rolling.next_base(), self._sides)

    def _take_first(self, found: tuple[OddsTable, Iterator[OddsTable]]) -> None:
        table, self._tables = found
        self.fresh = table.method == "exact"
        if not self.fresh:
            self._rest.start()
        assert self._asked is not None, "the job computes it"
        self._take(self._asked, table)

    def _refine(self) -> None:
        assert self._asked is not None, "the first table is there"
        work = partial(_others, self._tables, self._asked, self._carrier)
        self._job.run(work, self._finish, self._fail)

    def _take(self, asked: _Asked, table: OddsTable) -> None:
        if asked is self._asked:
            self.table, self.problems = table, ()
            self.odds_changed.emit()

    def _finish(self, _nothing: object) -> None:
        self.fresh = True
        self.odds_changed.emit()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        self.odds_changed.emit()


def _first(
    asked: _Asked, _progress: Progress, _cancelled: Callable[[], bool]
) -> tuple[OddsTable, Iterator[OddsTable]]:
    """The first table, and those to come."""
    tables = asked.generator.odds(
        asked.recipe.settings, asked.base, sides=asked.sides, sources=True
    )
    return next(tables), tables


def _others(
    tables: Iterator[OddsTable],
    asked: _Asked,
    carrier: _Carrier,
    _progress: Progress,
    cancelled: Callable[[], bool],
) -> None:
    """Emit better tables as they come, but not all; the last one always."""
    emitted = monotonic()
    held: OddsTable | None = None
    for table in tables:
        if cancelled():
            return
        held = table
        if monotonic() - emitted > BETWEEN_S:
            carrier.came.emit(asked, held)
            emitted, held = monotonic(), None
    if held is not None:
        carrier.came.emit(asked, held)
