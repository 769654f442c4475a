"""Changes the text of a script on another thread, where working out the new text takes a while.

A panel that changes a value of the script of a map calls ``add`` with a ``Rewrite``: a function
that makes the new text from the old one. ``MapScript`` owns the ``TextRewriter``, and puts the new
texts into the map. The life of a rewrite::

    add      it waits behind those that were added before
             a job makes its text from the newest one
             if the user has changed the text meanwhile, the job starts anew from that
    on_text  the new text goes into the map, and the next rewrite starts
"""

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

MakeFurtherEdit = Callable[[str, BattleMap], Edit | None]
"""Returns the edit of what else of a map changes with a new text; None if nothing does."""


@dataclass(frozen=True)
class Refused:
    """The result of a rewrite that makes no text."""

    reason: Any
    """Why there is none, for ``Rewrite.on_refused``; only the caller of ``add`` knows its type."""


@dataclass(frozen=True)
class Rewrite:
    """A change of a script that takes a while to work out."""

    make_text: Callable[[str, Mapping[str, str]], str | Refused]
    """Returns the new text, from the text and its further files by name; runs on another thread."""

    on_refused: Callable[[Any], None]
    """Called with the reason if there is no new text: the text stays as it is."""

    merge: MergeKey
    """The merge key of the undo step: rewrites of one kind replace each other while they wait."""

    title: str
    """The title of the undo step."""

    make_further_edit: MakeFurtherEdit | None = None
    """Makes what else of the map changes in the same undo step; None if nothing does."""


@dataclass(frozen=True)
class _RunningRewrite:
    """The rewrite that a job is making; it exists from the job's start to its end."""

    rewrite: Rewrite

    start_texts: Texts
    """The texts that it is made from: if there are newer ones at its end, it is made again."""

    job: Job


class TextRewriter(QObject):
    """Makes rewrites one after the other, each from the text that the previous one has made.

    ``newest_texts`` returns the texts to start from. ``on_text`` is called with each new text and
    its rewrite. If several rewrites of the same kind (``MergeKey.kind``) follow each other while
    they wait, only the last one is made: each has to include the changes of the earlier ones.
    """

    ended_without_text = Signal(object)
    """No rewrite waits any more, and the last one has given no text.

    The argument is a tuple of problems: the faults of the program by which it failed, or () if it
    was refused.
    """

    def __init__(
        self,
        newest_texts: Callable[[], Texts],
        on_text: Callable[[str, Rewrite], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._newest_texts = newest_texts
        self._on_text = on_text
        self._waiting: deque[Rewrite] = deque()
        """The rewrites that wait, the next one first."""
        self._running: _RunningRewrite | None = None
        """The rewrite under way, None while there is none."""

    @property
    def busy(self) -> bool:
        """True if a rewrite waits or is under way."""
        return self._running is not None or bool(self._waiting)

    def add(self, rewrite: Rewrite) -> None:
        """Make this rewrite after those that wait; it replaces the last of these if of its kind."""
        if self._waiting and self._waiting[-1].merge.kind == rewrite.merge.kind:
            self._waiting.pop()
        self._waiting.append(rewrite)
        self._start_next()

    def make_all_now(self) -> None:
        """Make all rewrites now, on this thread; a fault of one ends the others, too."""
        if self._running is not None:
            self._running.job.cancel()
            self._waiting.appendleft(self._running.rewrite)
            self._running = None
        try:
            while self._waiting:
                rewrite = self._waiting.popleft()
                text, texts = self._newest_texts()
                self._use_result(rewrite, rewrite.make_text(text, texts))
        except Exception:
            self.drop()
            raise

    def drop(self) -> None:
        """Forget all rewrites."""
        self._waiting.clear()
        if self._running is not None:
            self._running.job.cancel()
            self._running = None

    def _start_next(self) -> None:
        """Start the next rewrite that waits, if none is under way."""
        if self._running is None and self._waiting:
            self._start(self._waiting.popleft())

    def _start(self, rewrite: Rewrite) -> None:
        """Start the job that makes a rewrite from the newest texts."""
        start_texts = self._newest_texts()
        text, texts = start_texts

        def work(_progress: object, _cancelled: object) -> str | Refused:
            return rewrite.make_text(text, texts)

        job = Job(work)
        # Bound methods of this object: they are disconnected if it goes before the job ends.
        connect(job.finished, self._on_finished)
        connect(job.failed, self._on_failed)
        self._running = _RunningRewrite(rewrite, start_texts, job)
        job.start()

    def _on_finished(self, result: str | Refused) -> None:
        """Use the result of the job, unless the texts have changed: then make it again."""
        running = self._running
        assert running is not None, "a job that was dropped is cancelled"
        if self._newest_texts() != running.start_texts:
            self._start(running.rewrite)
            return
        self._running = None
        try:
            self._use_result(running.rewrite, result)
        finally:
            self._start_next()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Go on with the next rewrite after a fault; emit ``ended_without_text`` if none waits."""
        # It is not made again from newer texts: a fault of the program would come again.
        self._running = None
        self._start_next()
        if not self.busy:
            self.ended_without_text.emit(problems)

    def _use_result(self, rewrite: Rewrite, result: str | Refused) -> None:
        """Put a new text into the map, or tell why there is none."""
        if isinstance(result, Refused):
            rewrite.on_refused(result.reason)
            if not self.busy:
                self.ended_without_text.emit(())
        else:
            self._on_text(result, rewrite)
