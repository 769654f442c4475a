"""Recovery of maps and scripts that crashed sessions have left.

``Recovery.look_for_leftovers`` finds their journals and drafts when the desk has started, and when
the user asks for it. ``RecoveryDialog`` offers them, until they are restored or deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from app.background.actions import result
from app.background.jobs import Job
from app.commands.commands import Command
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.document.autosave import Autosave
    from app.document.open_map import OpenMap
    from randomizer.storage.journal.drafts import Draft, DraftFile, LeftoverDraft
    from randomizer.storage.journal.journal import Journal


class Leftovers(NamedTuple):
    """The work that earlier sessions have left."""

    journals: list[Journal]
    """The journals of maps, locked by this process."""

    drafts: list[LeftoverDraft]
    """The unsaved edits of scripts, with their files."""

    problems: list[Problem]
    """Problems of what cannot be recovered."""


class Recovery(QObject):
    """Finds the journals and drafts that earlier sessions have left, and offers them."""

    def __init__(self, desk: Desk, autosave: Autosave) -> None:
        super().__init__(desk)
        self._desk = desk
        self._has_user_asked = False
        """True if the user has asked to look, and is to be told if nothing is left over."""
        self._job: Job | None = None
        """The job that looks for left-over work; None while none is under way."""
        self.autosave = autosave
        """Knows the folder of journals and drafts; restored maps are written there from then on."""
        connect(desk.ready, self.look_for_leftovers)

    @property
    def busy(self) -> bool:
        """True while left-over journals are looked for."""
        return self._job is not None

    async def look_on_request(self) -> None:
        """Look for left-over work as the user has asked, and tell if there is none."""
        self._has_user_asked = True
        await self.look_for_leftovers()

    async def look_for_leftovers(self) -> None:
        """Look for left-over work on another thread, and offer it.

        If a job is already looking, nothing is done: that one tells what it finds.
        """
        if self._job is not None:
            return
        self._job = Job(partial(_find_leftovers, self.autosave.journals))
        try:
            leftovers: Leftovers = await result(self._job)
            self._offer(leftovers)
        except ProblemError as reason:  # such as for a fault of the program, in the job
            show_problems(self._desk.frame, "Maps cannot be recovered", reason.problems)
        finally:
            self._job = None
            self._has_user_asked = False

    def _offer(self, leftovers: Leftovers) -> None:
        """Show the problems, and open the dialog if there is anything to recover."""
        from app.features.recovery.dialog import RecoveryDialog

        problems = leftovers.problems
        if problems:
            show_problems(self._desk.frame, "Not everything can be recovered", tuple(problems))
        if leftovers.journals or leftovers.drafts:
            dialog = RecoveryDialog(
                leftovers.journals,
                leftovers.drafts,
                self.autosave,
                self._desk.renderer,
                self._show_draft,
                self._desk.frame,
                damaged=bool(problems),
            )
            connect(dialog.restored, self._say_restored)
            connect(dialog.finished, self._focus_map)
            dialog.open()
        elif self._has_user_asked and not problems:
            self._desk.say("No session left a map behind: there is nothing to recover.")

    def _say_restored(self, open_maps: list[OpenMap]) -> None:
        """Say which maps were restored, and how many of their changes are in no file."""
        names = [self._desk.document.name_of(open_map) for open_map in open_maps]
        self._desk.say(describe_restored(names, open_maps))

    def _focus_map(self) -> None:
        """Give the map the keyboard."""
        self._desk.canvas.setFocus()

    async def _show_draft(self, file: DraftFile, draft: Draft) -> bool:
        """Show the script of a draft with its edits, and go on writing to its file.

        Return False if the user keeps the script that is shown instead.
        """
        if not await self._desk.scripts.new_scripts.show_draft(draft):
            return False
        assert self._desk.script_drafts is not None  # there is an autosave
        self._desk.script_drafts.adopt(file)
        return True


def describe_restored(names: Sequence[str], open_maps: Sequence[OpenMap]) -> str:
    """Return a message such as "Restored Moor.map with 3 changes that were not saved; Undo ...".

    ``names`` are the names of ``open_maps``, which were restored.
    """
    changes = sum(_count_unsaved_steps(open_map) for open_map in open_maps)
    if len(names) == 1:
        subject = names[0]
    else:
        subject = f"{len(names)} maps"
    if changes:
        they = many(changes, "it", "them")
        were = many(changes, "was", "were")
        return (
            f"Restored {subject} with {counted(changes, 'change')} that {were} not saved; "
            f"Undo takes {they} back."
        )
    if any(open_map.unsaved for open_map in open_maps):
        return f"Restored {subject}, not as saved."
    return f"Restored {subject} as saved."


def _count_unsaved_steps(open_map: OpenMap) -> int:
    """Count the steps that lead from the saved map to this one; all if it was not saved."""
    history = open_map.history
    saved_index = 0
    if history.clean_index is not None:  # None: the map was never saved
        saved_index = history.clean_index
    return max(0, history.index - saved_index)


def _find_leftovers(
    journals: Path, _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> Leftovers:
    """Return the left-over work in the folder of journals; a ``Job`` runs this.

    If the journals cannot be read, the drafts are found all the same, and the other way round.
    """
    from randomizer.storage.journal.drafts import DRAFTS, leftover_drafts
    from randomizer.storage.journal.recoverable_journals import leftovers as find_left_journals

    left_journals: list[Journal] = []
    drafts: list[LeftoverDraft] = []
    problems: list[Problem] = []
    try:
        left_journals, problems = find_left_journals(journals)
    except ProblemError as reason:
        problems += reason.problems
    try:
        drafts, damaged = leftover_drafts(journals / DRAFTS)
        problems += damaged
    except ProblemError as reason:
        problems += reason.problems
    return Leftovers(left_journals, drafts, problems)


def make(desk: Desk) -> None:
    """Look for left-over work once the desk is ready; add the command that looks again.

    A desk without journals has nothing to recover.
    """
    if desk.autosave is None:
        return
    recovery = Recovery(desk, desk.autosave)
    tip = "Maps of sessions that ended unexpectedly"
    desk.commands.add(
        [
            Command(
                "file.recover-maps",
                "Reco&ver maps...",
                recovery.look_on_request,
                tip,
                words="crash restore journal lost unsaved autosave",
            )
        ]
    )
