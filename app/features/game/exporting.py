"""An export into a game, without widgets: ``GameExport`` plans it, writes it and takes it back.

A *plan* says which files of the game are written and replaced; a *receipt* says what was written,
and where what was replaced is backed up. The dialogs of exports show both::

    game_export = GameExport(game_folder)
    await game_export.make_plan("My variant", {"Plains": battlemap})    # plan, problems
    if game_export.ready:
        await game_export.commit()                                      # receipt
        await game_export.take_back(game_export.receipt)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from app.background.actions import Stopped, result
from app.background.jobs import Job, Work
from app.features.game.game_folder import GameFolder
from randomizer.formats.checked import write_checked
from randomizer.games.export_plan import ExportPlan
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.games.receipt import ExportReceipt
from randomizer.languages.language import SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.storage.exports.export_backups import commit_export
from randomizer.storage.exports.export_backups import take_back as restore_files

TAKING_BACK = "Taking the export back..."
"""The message while an export is taken back."""

TAKEN_BACK = "The export was taken back: the game is as it was before."
"""The message after an export was taken back."""


class _PlanResult(NamedTuple):
    """The result of planning an export."""

    plan: ExportPlan | None
    """The plan; None if there can be none."""

    problems: tuple[Problem, ...]
    """The problems of the plan, then those of the maps, each with its slot as the path.

    Without a plan they are the reasons why there is none.
    """


class GameExport:
    """Exports the maps of one slot or of many; jobs read and write the files."""

    def __init__(self, game_folder: GameFolder) -> None:
        self.game_folder = game_folder
        self.version = ""
        """The version of the game that plans are made for, "" for the likeliest.

        It is set before ``make_plan``, and so is ``is_for_players``.
        """
        self.is_for_players = False
        """True to export only what the players may see of the maps, without what is secret."""
        self._plan_result: _PlanResult | None = None
        """The newest plan with its problems, or the reasons why there is none.

        None while nothing was planned, and since something was written: the plan was made for the
        files as they were.
        """
        self.receipt: ExportReceipt | None = None
        """The receipt of the last export, None if it was taken back."""
        self._plan_job: Job | None = None
        """The job that makes or has made the newest plan."""
        self._write_job: Job | None = None
        """The job that has written to the game last, or does so now."""

    # --- state ------------------------------------------------------------------------------

    @property
    def plan(self) -> ExportPlan | None:
        """The newest plan; None if there is none, or if something was written since."""
        if self._plan_result is None:
            return None
        return self._plan_result.plan

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the plan and its maps, or the reasons why there is no plan."""
        if self._plan_result is None:
            return ()
        return self._plan_result.problems

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
        return self.plan.changes_anything and not has_errors(self.problems)

    # --- the plan ---------------------------------------------------------------------------

    async def make_plan(self, group: str, maps: Mapping[str, BattleMap]) -> None:
        """Plan the export of maps by slot; ``problems`` say why there is no plan.

        Raises Stopped where there is no game, or if the plan is dropped meanwhile.
        """
        if self.is_for_players:
            maps = {slot: players_map(battlemap) for slot, battlemap in maps.items()}
        snapshots = {slot: battlemap.snapshot() for slot, battlemap in maps.items()}
        host = self.game_folder.host
        version = self.version
        await self._run_plan_job(lambda game: _plan_maps(host, game, group, snapshots, version))

    async def make_script_plan(self, group: str, slot: str, source: SourceText) -> None:
        """Plan the export of a script, as ``make_plan`` plans one of maps."""
        host = self.game_folder.host
        await self._run_plan_job(lambda game: _plan_script(host, game, group, slot, source))

    async def _run_plan_job(self, work: Callable[[Game], _PlanResult]) -> None:
        """Let a job call ``work``, which returns the plan; raises Stopped as ``make_plan``."""
        self.drop_plan()
        game = self.game_folder.game
        if game is None:
            raise Stopped
        job = Job(lambda _progress, _cancelled: work(game))
        self._plan_job = job
        try:
            self._plan_result = await result(job)
        except ProblemError as reason:
            self._plan_result = _PlanResult(None, reason.problems)

    def drop_plan(self) -> None:
        """Forget the plan, and cancel the job that makes one."""
        if self._plan_job is not None:
            self._plan_job.cancel()
        self._plan_job = None
        self._plan_result = None

    # --- writing ----------------------------------------------------------------------------

    async def commit(self) -> ExportPlan:
        """Carry out the plan, drop it since it is done, and return it.

        Raises ProblemError if nothing was written, and Stopped if the plan is not ``ready``.
        """
        plan = self.plan
        if plan is None or not self.ready:
            raise Stopped
        self.receipt = await self._write(lambda _progress, _cancelled: commit_export(plan))
        return plan

    async def take_back(self, receipt: ExportReceipt) -> ExportReceipt:
        """Undo an export and return its receipt as it is now. Raises ProblemError or Stopped."""
        receipt_now = await self._write(lambda _progress, _cancelled: restore_files(receipt.path))
        self.receipt = None
        return receipt_now

    async def _write(self, work: Work) -> ExportReceipt:
        """Let a job do work on the game's files, and return the receipt.

        After it, also if it fails, the folder of the game is read again. Raises Stopped if files
        are being written already.
        """
        if self.writing:
            raise Stopped
        job = Job(work)
        self._write_job = job
        try:
            receipt: ExportReceipt = await result(job)
        except ProblemError:
            # Even a failure may have changed the files.
            self.game_folder.refresh()
            raise
        finally:
            self.drop_plan()
        self.game_folder.refresh()
        return receipt


def _plan_maps(
    host: GameHost, game: Game, group: str, maps: Mapping[str, BattleMap], version: str
) -> _PlanResult:
    """Plan the export of maps by slot, for a version of the game: the work of a job.

    A map that cannot be written has a problem, and no file in the plan.
    """
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
    # The checks, the writing and the plan can report the same problem: it is listed once.
    different_problems = tuple(dict.fromkeys((*plan.problems, *problems)))
    return _PlanResult(plan, different_problems)


def _plan_script(
    host: GameHost, game: Game, group: str, slot: str, source: SourceText
) -> _PlanResult:
    """Plan the export of a script: the work of a job."""
    plan = host.plan_script_export(game, source, slot, group)
    return _PlanResult(plan, plan.problems)
