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
"""Work on up to so many cells is done at once, on the UI thread: nobody notices the wait."""

T = TypeVar("T")


class LargeWork(QObject):
    """Runs one piece of work at a time; its result is dropped if the map was changed meanwhile."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._job: Job | None = None
        """The newest job, which may have ended."""

    async def result(self, text: str, work: Callable[[], T], cell_count: int | None = None) -> T:
        """Return what ``work`` returns, which only reads the map.

        ``text`` is shown in the status bar meanwhile; ``cell_count`` is the number of cells that
        the work is about, None for all of the map. Raises Stopped if there is no result for the map
        as it is, after the reason was shown in the status bar.
        """
        document = self._desk.document
        if cell_count is None:
            cell_count = document.battlemap.grid.size
        try:
            if cell_count <= SMALL:
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
