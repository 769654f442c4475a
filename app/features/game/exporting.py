"""An export into a game: planned, written, taken back. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Work
from app.background.latest_job import LatestJob
from app.features.game.places import GamePlaces
from randomizer.formats import write_checked
from randomizer.games import ExportPlan, ExportReceipt, Game, GameHost
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.storage.exports.export_backups import commit_export, take_back

TAKEN_BACK = "The export was taken back: the game is as it was before."

Planned = tuple[ExportPlan | None, tuple[Problem, ...]]


class GameExport(QObject):
    """Exports the maps of one slot or of many; jobs read and write the files.

    ``version`` is the version of the game that plans are made for, "" for the likeliest.
    ``plan`` is the newest plan, None while there is none that holds; ``problems`` are those of the
    plan, then those of the maps, each with its slot as the path. ``receipt`` is that of the
    last export, None once it was taken back.

    ``planned()``: a plan was made, or ``problems`` say why there is none. ``started(str)``: files
    are being written, the text says which.
    ``exported(ExportPlan)``, ``taken_back(ExportReceipt)``: files were written, and the places are
    read again.
    ``failed(problems)``: nothing was written; the plan, if there was one, does not hold any more.
    """

    planned = Signal()
    started = Signal(str)
    exported = Signal(object)
    taken_back = Signal(object)
    failed = Signal(object)

    def __init__(self, places: GamePlaces, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.places = places
        self.version = ""
        self.players = False  # without what is secret
        self.plan: ExportPlan | None = None
        self.problems: tuple[Problem, ...] = ()
        self.receipt: ExportReceipt | None = None
        self._plan_job = LatestJob(self)
        self._write_job = LatestJob(self)

    @property
    def planning(self) -> bool:
        """Whether a plan is being made."""
        return self._plan_job.busy

    @property
    def writing(self) -> bool:
        """Whether files are being written."""
        return self._write_job.busy

    @property
    def ready(self) -> bool:
        """Whether there is a plan that can be carried out now and changes anything."""
        if self.plan is None or self.writing:
            return False
        return self.plan.changes and not has_errors(self.problems)

    def make_plan(self, group: str, maps: Mapping[str, BattleMap]) -> None:
        """Plan the export of maps by slot; ``planned`` follows."""
        self.drop_plan()
        if self.places.game is not None:
            chosen = {
                slot: players_map(battlemap) if self.players else battlemap
                for slot, battlemap in maps.items()
            }
            snapshots = {slot: battlemap.snapshot() for slot, battlemap in chosen.items()}
            host = self.places.host
            game = self.places.game
            work = make_plan(host, game, group, snapshots, self.version)
            self._plan_job.run(work, self._take_plan, lambda why: self._take_plan((None, why)))

    def drop_plan(self) -> None:
        """Drop the plan, and one that is being made: they do not hold any more."""
        self._plan_job.cancel()
        self.plan = None
        self.problems = ()

    def _take_plan(self, planned: Planned) -> None:
        self.plan, self.problems = planned
        self.planned.emit()

    def commit(self) -> None:
        """Do what the plan says."""
        plan = self.plan
        if plan is not None and self.ready:
            text = f"Exporting to {plan.target}..."
            done = partial(self._exported, plan)
            self._write(text, lambda *_: commit_export(plan), done)

    def _write(self, text: str, work: Work, done: Callable[[ExportReceipt], None]) -> None:
        self._write_job.run(work, done, self._fail)
        self.started.emit(text)

    def _exported(self, plan: ExportPlan, receipt: ExportReceipt) -> None:
        self.receipt = receipt
        self.drop_plan()
        self.exported.emit(plan)
        self.places.refresh()

    def take_back(self, receipt: ExportReceipt | None) -> None:
        """Undo an export."""
        text = "Taking the export back..."
        if receipt is not None and not self.writing:
            self._write(text, lambda *_: take_back(receipt.path), self._taken_back)

    def take_back_last(self) -> None:
        """Undo the export that was done here last."""
        self.take_back(self.receipt)

    def _taken_back(self, receipt: ExportReceipt) -> None:
        self.receipt = None
        self.taken_back.emit(receipt)
        self.places.refresh()

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.drop_plan()
        self.failed.emit(problems)


def make_plan(
    host: GameHost, game: Game, group: str, maps: Mapping[str, BattleMap], version: str = ""
) -> Callable[..., Planned]:
    """Make the plan for maps by slot, for a version of the game: the work of a job."""

    def work(*_: object) -> Planned:
        files: dict[str, bytes] = {}
        problems: list[Problem] = []
        for slot, battlemap in maps.items():
            problems_of_slot = [
                *host.format.check(battlemap),
                *battlemap.system.check(battlemap, battlemap.composite()),
            ]
            try:
                files[slot] = write_checked(host.format, battlemap)
            except ProblemError as reason:
                problems_of_slot += reason.problems
            problems += [each.at_path(slot) for each in problems_of_slot]
        plan = host.plan_exports(game, files, group, version)
        return plan, tuple(dict.fromkeys((*plan.problems, *problems)))

    return work
