"""An export into a game: planned, written, taken back. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.background.actions import Stopped, result
from app.background.jobs import Job, Work
from app.features.game.places import GamePlaces
from randomizer.formats import write_checked
from randomizer.games import ExportPlan, ExportReceipt, Game, GameHost
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.storage.exports.export_backups import commit_export, take_back

TAKING_BACK = "Taking the export back..."
TAKEN_BACK = "The export was taken back: the game is as it was before."

Planned = tuple[ExportPlan | None, tuple[Problem, ...]]


class GameExport:
    """Exports the maps of one slot or of many; jobs read and write the files.

    ``version`` is the version of the game that plans are made for, "" for the likeliest.
    ``plan`` is the newest plan, None while there is none that holds; ``problems`` are those of the
    plan, then those of the maps, each with its slot as the path. ``receipt`` is that of the
    last export, None once it was taken back.
    """

    def __init__(self, places: GamePlaces) -> None:
        self.places = places
        self.version = ""
        self.players = False  # without what is secret
        self.plan: ExportPlan | None = None
        self.problems: tuple[Problem, ...] = ()
        self.receipt: ExportReceipt | None = None
        self._plan_job: Job | None = None
        self._write_job: Job | None = None

    @property
    def planning(self) -> bool:
        """True if a plan is being made."""
        return self._plan_job is not None and self._plan_job.running

    @property
    def writing(self) -> bool:
        """True if files are being written."""
        return self._write_job is not None and self._write_job.running

    @property
    def ready(self) -> bool:
        """True if there is a plan that can be carried out now and changes anything."""
        if self.plan is None or self.writing:
            return False
        return self.plan.changes and not has_errors(self.problems)

    async def make_plan(self, group: str, maps: Mapping[str, BattleMap]) -> None:
        """Plan the export of maps by slot; ``problems`` say why there is no plan.

        Raises Stopped where there is no game, or if the plan is dropped meanwhile.
        """
        self.drop_plan()
        game = self.places.game
        if game is None:
            raise Stopped
        chosen = {
            slot: players_map(battlemap) if self.players else battlemap
            for slot, battlemap in maps.items()
        }
        snapshots = {slot: battlemap.snapshot() for slot, battlemap in chosen.items()}
        job = Job(make_plan(self.places.host, game, group, snapshots, self.version))
        self._plan_job = job
        try:
            self.plan, self.problems = await result(job)
        except ProblemError as reason:
            self.problems = reason.problems

    def drop_plan(self) -> None:
        """Drop the plan, and one that is being made: they do not hold any more."""
        if self._plan_job is not None:
            self._plan_job.cancel()
        self._plan_job = None
        self.plan = None
        self.problems = ()

    async def commit(self) -> ExportPlan:
        """Do what the plan says; returns that plan, which does not hold any more.

        Raises ProblemError if nothing was written, Stopped unless it is ``ready``.
        """
        plan = self.plan
        if plan is None or not self.ready:
            raise Stopped
        self.receipt = await self._write(lambda *_: commit_export(plan))
        return plan

    async def take_back(self, receipt: ExportReceipt) -> ExportReceipt:
        """Undo an export; returns its receipt as it is now. Raises ProblemError or Stopped."""
        undone = await self._write(lambda *_: take_back(receipt.path))
        self.receipt = None
        return undone

    async def _write(self, work: Work) -> ExportReceipt:
        """Return the receipt of work on the game's files, whose places are read again then."""
        if self.writing:
            raise Stopped
        job = Job(work)
        self._write_job = job
        try:
            receipt: ExportReceipt = await result(job)
        finally:
            self.drop_plan()
        self.places.refresh()
        return receipt


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
            problems += [problem.at_path(slot) for problem in problems_of_slot]
        plan = host.plan_exports(game, files, group, version)
        return plan, tuple(dict.fromkeys((*plan.problems, *problems)))

    return work
