"""Work on the current map that takes long on a large one: then it is done off the UI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject

from app.background.actions import Stopped, result
from app.background.jobs import Job
from app.desk.desk import Desk
from randomizer.model.problems import ProblemError

SMALL = 20_000
"""So many cells are worked on at once."""

T = TypeVar("T")


class LargeWork(QObject):
    """Runs one piece of work at a time; its result is dropped if the map was changed meanwhile."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._job: Job | None = None
        """The newest job, which may have ended."""

    async def result(self, text: str, work: Callable[[], T], amount: int | None = None) -> T:
        """Return what ``work`` gives. It only reads the map.

        ``text`` says what goes on; ``amount`` are the cells that it is about (None: all). Raises
        Stopped if there is no result for the map as it is, which is told in the status bar.
        """
        document = self._desk.document
        try:
            if (document.battlemap.grid.size if amount is None else amount) <= SMALL:
                return work()
            self._desk.say(f"{text} ...")
            if self._job is not None:
                self._job.cancel()
            self._job = Job(lambda _progress, _cancelled: work())
            value: T = await document.while_unchanged(text, result(self._job))
            return value
        except ProblemError as reason:
            self._desk.say(reason.problems[0].message)
            raise Stopped from reason
