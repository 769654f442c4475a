"""Work on the current map that takes long on a large one: then it is done off the UI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from randomizer.model.problems import ProblemError

SMALL = 20_000
"""So many cells are worked on at once."""


class LargeWork(QObject):
    """Runs one piece of work at a time; its result is dropped if the map was changed meanwhile."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._job = LatestJob(self)

    def run(
        self,
        text: str,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        amount: int | None = None,
    ) -> None:
        """Call ``done`` with what ``work`` gives; problems are shown, ``text`` say what goes on.

        ``work`` only reads the map; ``amount`` are the cells that it is about (None: all).
        """
        document = self._desk.document
        if (document.battlemap.grid.size if amount is None else amount) <= SMALL:
            try:
                result = work()
            except ProblemError as problem:
                self._tell(problem.problems)
            else:
                done(result)
            return
        current = document.current_map
        revision = document.revision

        def finish(result: Any) -> None:
            if (document.current_map, document.revision) != (current, revision):
                self._desk.say(f"{text}: the map was changed meanwhile, so nothing was done.")
            else:
                done(result)

        self._desk.say(f"{text} ...")
        self._job.run(lambda _progress, _cancelled: work(), finish, self._tell)

    def _tell(self, problems: Any) -> None:
        self._desk.say(problems[0].message)
