"""New texts of a script that are worked out from its newest one, on another thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job
from app.document.undo_history import MergeKey
from app.qt_guard import connect
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem

Texts = tuple[str, Mapping[str, str]]
"""The text of a script, and those of its further files by name."""


Follow = Callable[["BattleMap"], "Edit | None"]
"""Makes the edit of what changes with a text."""


@dataclass(frozen=True)
class Rewrite:
    """A change of a script that takes a while to work out.

    ``make(text, texts)`` gives the new text, or anything else if it cannot be made: that is given
    to ``refused``. It runs on another thread. ``merge`` and ``title`` are those of the undo step.
    ``follow(text)`` gives what else of the map changes with the new text, see ``MapChange``.
    """

    make: Callable[[str, Mapping[str, str]], object]
    refused: Callable[[Any], None]
    merge: MergeKey
    title: str
    follow: Callable[[str], Follow] | None = None


class TextRewriter(QObject):
    """Works rewrites out one after the other, each from what the one before has made.

    ``newest()`` gives the texts to start from; if they have changed when a rewrite is ready it is
    made again. ``put(text, rewrite)`` gets the new text. Of rewrites with one merge key that wait
    only the last one is made: each has to say all that is to be changed.

    ``ended(problems)``: the last one has given no text; the problems are faults of the program.
    """

    ended = Signal(object)

    def __init__(
        self, newest: Callable[[], Texts], put: Callable[[str, Rewrite], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._newest = newest
        self._put = put
        self._waiting: deque[Rewrite] = deque()
        self._rewrite: Rewrite | None = None
        self._base: Texts = "", {}
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """True if a rewrite waits or is under way."""
        return self._rewrite is not None or bool(self._waiting)

    def add(self, rewrite: Rewrite) -> None:
        """Make this rewrite after those that wait."""
        if self._waiting and self._waiting[-1].merge.kind == rewrite.merge.kind:
            self._waiting.pop()
        self._waiting.append(rewrite)
        self._go_on()

    def finish(self) -> None:
        """Make all of them now, on this thread."""
        rewrites = [] if self._rewrite is None else [self._rewrite]
        rewrites += self._waiting
        self.drop()
        for rewrite in rewrites:
            self._give(rewrite, rewrite.make(*self._newest()))

    def drop(self) -> None:
        """Forget all of them."""
        self._waiting.clear()
        self._rewrite = None
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _go_on(self) -> None:
        if self._rewrite is None and self._waiting:
            self._rewrite = self._waiting.popleft()
            self._start(self._rewrite)

    def _start(self, rewrite: Rewrite) -> None:
        text, texts = self._base = self._newest()
        self._job = Job(lambda _progress, _cancelled: rewrite.make(text, texts))
        # Bound methods of this object: they are disconnected if it goes before the job ends.
        connect(self._job.finished, self._finished)
        connect(self._job.failed, self._failed)
        self._job.start()

    def _finished(self, result: object) -> None:
        rewrite = self._rewrite
        assert rewrite is not None, "a job that was dropped is cancelled"
        if self._newest() != self._base:
            self._start(rewrite)
            return
        self._job = self._rewrite = None
        try:
            self._give(rewrite, result)
        finally:
            self._go_on()

    def _failed(self, problems: tuple[Problem, ...]) -> None:
        self._job = self._rewrite = None
        self._go_on()
        if not self.busy:
            self.ended.emit(problems)

    def _give(self, rewrite: Rewrite, result: object) -> None:
        if isinstance(result, str):
            self._put(result, rewrite)
        else:
            rewrite.refused(result)
            if not self.busy:
                self.ended.emit(())
