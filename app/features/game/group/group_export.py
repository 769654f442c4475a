"""The export of a whole group: its plan, the dialog that shows the plan, and taking it back.

    plan = await exporter.make_plan("Default", maps, is_for_players=True)
    await exporter.show_plan(plan)      # the button of its dialog writes the files
    await exporter.take_back()          # the game is as it was before

``GroupExporter`` does this for a ``GroupWindow``, which is told by signals what is under way.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.background.actions import Stopped, answer
from app.features.game.exporting import TAKING_BACK, GameExport
from app.features.game.game_folder import GameFolder
from app.features.game.plan_dialog import GroupExportDialog
from app.qt_guard import connect
from randomizer.games.export_plan import ExportPlan
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError


class GroupExporter(QObject):
    """Exports the maps of a group into a game, and takes the last export back.

    Its coroutines raise Stopped if the window has been destroyed while they waited.
    """

    work_began = Signal(str)
    """An export is planned or taken back from now on; the text says which of both."""

    work_ended = Signal()
    """The work that ``work_began`` told of has ended, whether it succeeded or not."""

    exported = Signal(object)
    """A plan (``ExportPlan``) was carried out."""

    def __init__(self, game_folder: GameFolder, window: QWidget) -> None:
        """Export into the game of ``game_folder``; ``window`` is the parent of the dialogs."""
        super().__init__(window)
        self._window = window
        self._is_working = False
        """True from ``work_began`` to ``work_ended``."""
        self.game_export = GameExport(game_folder)
        """Plans the export, writes the files, and has the receipt of the last export."""
        self.dialog: GroupExportDialog | None = None
        """The dialog that shows a plan; None until one was opened."""

    @property
    def is_busy(self) -> bool:
        """True while an export is planned, written or taken back."""
        return self._is_working or self.game_export.planning or self.game_export.writing

    @property
    def can_take_back(self) -> bool:
        """True if something was exported here that has not been taken back."""
        return self.game_export.receipt is not None

    async def make_plan(
        self, group: str, maps: Mapping[str, BattleMap], *, is_for_players: bool
    ) -> ExportPlan:
        """Plan the export of maps, by slot, into a group, and return the plan.

        ``is_for_players`` leaves out what is secret on the maps. Raises ProblemError if there can
        be no plan.
        """
        game_export = self.game_export
        game_export.is_for_players = is_for_players
        self._begin_work("Planning the export...")
        try:
            await game_export.make_plan(group, maps)
        finally:
            self._end_work()
        if game_export.plan is None:
            raise ProblemError(game_export.problems)
        return game_export.plan

    async def show_plan(self, plan: ExportPlan) -> None:
        """Show the newest plan in a dialog, whose button carries it out, until that is closed."""
        self.dialog = GroupExportDialog(self.game_export, plan, self._window)
        connect(self.dialog.exported, self.exported)
        await answer(self.dialog)

    async def take_back(self) -> None:
        """Undo the last export (``can_take_back``). Raises ProblemError if that fails."""
        receipt = self.game_export.receipt
        assert receipt is not None, "something was exported"
        self._begin_work(TAKING_BACK)
        try:
            await self.game_export.take_back(receipt)
        finally:
            self._end_work()

    def _begin_work(self, text: str) -> None:
        """Tell that work is under way."""
        self._is_working = True
        self.work_began.emit(text)

    def _end_work(self) -> None:
        """Tell that the work has ended. Raises Stopped if nobody is left who could be told."""
        if not isValid(self):
            raise Stopped
        self._is_working = False
        self.work_ended.emit()
