"""Maps of sessions that crashed: looked for when the desk starts, offered until dealt with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import result
from app.background.jobs import Job
from app.commands.commands import Command
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.autosave import Autosave
    from randomizer.storage.journal.drafts import Draft, DraftFile
    from randomizer.storage.journal.journal import Journal

    Leftovers = tuple[list[Journal], list[tuple[DraftFile, Draft]], list[Problem]]


class Recovery(QObject):
    """Finds the journals that earlier sessions left behind, and offers their maps."""

    def __init__(self, desk: Desk, autosave: Autosave) -> None:
        super().__init__(desk)
        self._desk = desk
        self._is_asked = False
        """Whether the user is to be told that nothing is left over."""
        self._job: Job | None = None
        self.autosave = autosave
        connect(desk.ready, self.look)

    @property
    def busy(self) -> bool:
        """True while left-over journals are looked for."""
        return self._job is not None

    async def look_again(self) -> None:
        """Look because the user has asked: say so if nothing is left over."""
        self._is_asked = True
        await self.look()

    async def look(self) -> None:
        """Look for left-over journals, off the UI thread, and offer to restore them."""
        if self._job is not None:
            return
        self._job = Job(partial(_looking, self.autosave.journals))
        try:
            leftovers: Leftovers = await result(self._job)
            self._offer(leftovers)
        except ProblemError as reason:
            show_problems(self._desk.frame, "Maps cannot be recovered", reason.problems)
        finally:
            self._job = None
            self._is_asked = False

    def _offer(self, leftovers: Leftovers) -> None:
        from app.features.recovery.dialog import RecoveryDialog

        journals, drafts, problems = leftovers
        if problems:
            show_problems(self._desk.frame, "Not everything can be recovered", tuple(problems))
        if journals or drafts:
            dialog = RecoveryDialog(
                journals,
                drafts,
                self.autosave,
                self._desk.renderer,
                self._show_draft,
                self._desk.frame,
                damaged=bool(problems),
            )
            connect(dialog.finished, self._end)
            dialog.open()
        elif self._is_asked and not problems:
            self._desk.say("No session left a map behind: there is nothing to recover.")

    def _end(self) -> None:
        self._desk.canvas.setFocus()

    async def _show_draft(self, file: DraftFile, draft: Draft) -> bool:
        """Go on with the edits of a draft, and keep them where they are; False if refused."""
        if not await self._desk.scripts.show_draft(draft):
            return False
        assert self._desk.script_drafts is not None  # there is an autosave
        self._desk.script_drafts.adopt(file)
        return True


def _looking(
    journals: Path, _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> Leftovers:
    from randomizer.storage.journal.drafts import DRAFTS, leftover_drafts
    from randomizer.storage.journal.recoverable_journals import leftovers

    orphans: list[Journal] = []
    drafts: list[tuple[DraftFile, Draft]] = []
    problems: list[Problem] = []
    try:
        orphans, problems = leftovers(journals)
    except ProblemError as reason:
        problems += reason.problems
    try:
        drafts, damaged = leftover_drafts(journals / DRAFTS)
        problems += damaged
    except ProblemError as reason:
        problems += reason.problems
    return orphans, drafts, problems


def make(desk: Desk) -> None:
    """Look for such maps once the desk is there, and whenever the user asks."""
    if desk.autosave is None:
        return
    recovery = Recovery(desk, desk.autosave)
    tip = "Maps of sessions that ended unexpectedly"
    desk.commands.add(
        [
            Command(
                "file.recover-maps",
                "Reco&ver maps...",
                recovery.look_again,
                tip,
                words="crash restore journal lost unsaved autosave",
            )
        ]
    )
