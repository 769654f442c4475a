"""Reads the journals of a crashed session, one after the other, on another thread.

``RecoveryDialog`` adds its journals and shows what is read; ``start`` begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QThreadPool, Signal

from app.background.jobs import Job
from app.qt_guard import connect
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem

if TYPE_CHECKING:
    from randomizer.storage.journal.journal import Journal


class ReadMaps(NamedTuple):
    """The maps of a journal that was read."""

    battlemap: BattleMap
    """The map with all steps done."""

    shown_map: BattleMap
    """The map as it will be restored, for its picture."""


class JournalReader(QObject):
    """Reads journals in the order in which they were added."""

    read = Signal(object, object)
    """This ``Journal`` was read: its ``ReadMaps``."""

    failed = Signal(object, object)
    """This ``Journal`` cannot be read, for these problems (``tuple[Problem, ...]``)."""

    advanced = Signal()
    """Another journal is read from now on (``reading``), or all are read."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._unread: list[Journal] = []
        """The journals that are not read yet; the first one is being read."""
        self._job: Job | None = None
        """The job that reads or has read the last journal; None before ``start``."""
        self._pool = QThreadPool()
        self._pool.setMaxThreadCount(1)  # a journal is closed only after it was read

    def add(self, journal: Journal) -> None:
        """Read this journal, too, after those added before; it is called before ``start``."""
        self._unread.append(journal)

    @property
    def reading(self) -> Journal | None:
        """The journal that is being read; None once all are read."""
        if not self._unread:
            return None
        return self._unread[0]

    def start(self) -> None:
        """Read the first journal that is not read yet; the others follow."""
        if self._unread:
            self._job = Job(partial(_read_maps, self._unread[0]))
            # A job that was cancelled emits neither of them.
            connect(self._job.finished, self._on_finished)
            connect(self._job.failed, self._on_failed)
            self._job.start(self._pool)
        self.advanced.emit()

    def close(self, journals: Sequence[Journal]) -> None:
        """Stop reading, and close journals on the thread that reads them."""
        if self._job is not None:
            self._job.cancel()
        Job(partial(_close_journals, journals)).start(self._pool)

    def wait(self) -> None:
        """Wait until no thread reads a journal any more."""
        self._pool.waitForDone()

    def _on_finished(self, maps: ReadMaps) -> None:
        """Hand on the maps of the first journal, and read the next one."""
        self.read.emit(self._unread.pop(0), maps)
        self.start()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the first journal cannot be read, and read the next one."""
        self.failed.emit(self._unread.pop(0), problems)
        self.start()


def _read_maps(
    journal: Journal, _progress: Callable[[int], None], cancelled: Callable[[], bool]
) -> ReadMaps | None:
    """Return the maps of a journal; None, which nobody gets, if the job is cancelled."""
    if cancelled():
        return None
    battlemap = journal.restore_map()
    return ReadMaps(battlemap, journal.map_to_show(battlemap))


def _close_journals(
    journals: Sequence[Journal],
    _progress: Callable[[int], None],
    _cancelled: Callable[[], bool],
) -> None:
    """Close journals; none is read any more by then."""
    for journal in journals:
        journal.close()
