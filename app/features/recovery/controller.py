"""Maps of sessions that ended badly: looked for when the desk starts, offered until decided on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.jobs import Job
from app.widgets.problem_dialog import show_problems

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from app.document.autosave import Journaling
    from randomizer.model.problems import Problem
    from randomizer.storage.journal import Journal

    Found = tuple[list[Journal], list[Problem]]


class Recovery(QObject):
    """Finds the journals that earlier sessions left behind, and offers their maps."""

    def __init__(self, desk: Desk, journaling: Journaling) -> None:
        super().__init__(desk)
        self._desk = desk
        self._asked = False
        self._job: Job | None = None
        self.journaling = journaling
        desk.ready.connect(self.look)

    def look_again(self) -> None:
        """The user asks for the maps that were left over: say so if there are none."""
        self._asked = True
        self.look()

    def look(self) -> None:
        """Offer what was left over, if there is anything."""
        if self._job is None:
            self._job = Job(partial(_looking, self.journaling.journals))
            self._job.finished.connect(self._offer)
            self._job.failed.connect(self._complain)
            self._job.start()

    def _offer(self, found: Found) -> None:
        from app.features.recovery.dialog import RecoveryDialog

        self._job = None
        journals, problems = found
        if problems:
            show_problems(self._desk.frame, "Some maps cannot be recovered", tuple(problems))
        if journals:
            RecoveryDialog(journals, self.journaling, self._desk.renderer, self._desk.frame).open()
        elif self._asked and not problems:
            self._desk.say("No session left a map behind: there is nothing to recover.")
        self._asked = False

    def _complain(self, problems: tuple[Problem, ...]) -> None:
        self._job = None
        show_problems(self._desk.frame, "Maps cannot be recovered", problems)


def _looking(
    journals: Path, _progress: Callable[[int], None], _cancelled: Callable[[], bool]
) -> Found:
    from randomizer.storage.leftovers import leftovers

    return leftovers(journals)
