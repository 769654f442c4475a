"""Reads the files of a script again when another program has written them.

``ScriptDocument`` owns a ``ScriptWatch``; ``Scripts`` tells the user what has changed. The files
are watched by ``WatchedFiles``. When these have come to rest, a job compares them with what was
read last, and reads the script if they are others (``_read``)::

    watch.watch(script, known_file)      # the script was opened or saved
    ...                                  # an editor writes the file; ``changed`` is emitted
    watch.newer.script                   # the script that is in the file now
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job
from app.qt_guard import connect
from app.scripts.script import NO_SCRIPT, ReadScript, Script, read_script_file
from app.scripts.watched_files import WatchedFiles
from randomizer.catalog.script_files import further_files, read_further_texts
from randomizer.generator_run import Progress
from randomizer.model.problems import Problem
from randomizer.storage.disk.known_file import FileChange, KnownFile


class ScriptWatch(QObject):
    """Watches the script of one document: its file, and the further files that belong to it.

    At most one of ``newer`` and ``gone`` says something: the file is newer than the script, or not
    there any more, or neither.
    """

    changed = Signal()
    """``newer`` or ``gone`` has changed."""

    failed = Signal(object)
    """The script cannot be read any more, for these problems."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.newer: ReadScript | None = None
        """The script that another program has written into the file, None if none has."""
        self.gone = False
        """True if the file is not there any more."""
        self._script = NO_SCRIPT
        """The script as it was read last."""
        self._known_file: KnownFile | None = None
        """What the script's own file held when it was read last."""
        self.files: WatchedFiles | None = None
        """The files of the script, None if it is in no file."""
        self._job: Job | None = None
        """The job that reads the files, None if none is under way."""

    def watch(self, script: Script, known_file: KnownFile | None) -> None:
        """Watch the files of a script from now on, or none if it has no file.

        ``known_file`` is what is known of its own file since that was read. ``newer`` and ``gone``
        are reset. What is being read is of the files before, and is dropped.
        """
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._script = script
        self._known_file = known_file
        self.newer = None
        self.gone = False
        path = script.path
        if path is None:
            self._replace_files(None)
            return
        further = further_files(path, script.text)
        files = self.files
        if files is None or (files.path, files.further) != (path, further):
            self._replace_files(WatchedFiles(path, further, self))

    def _replace_files(self, files: WatchedFiles | None) -> None:
        """Watch these files in place of those before; None for none."""
        if self.files is not None:
            self.files.close()
        self.files = files
        if files is not None:
            connect(files.settled, self._on_settled)
            connect(files.gone, self._on_gone)

    def look(self) -> None:
        """Look at the files, since they may have changed; nothing happens without files."""
        if self.files is not None:
            self.files.look()

    def _on_settled(self) -> None:
        """Read the files that have come to rest; while others are being read, later."""
        if self._job is None:
            self._read()
        else:
            self.look()

    def _on_gone(self) -> None:
        """Tell that the file is not there any more."""
        self.newer = None
        self.gone = True
        self.changed.emit()

    # --- reading ----------------------------------------------------------------------------

    def _read(self) -> None:
        """Read the script's files in a job; ``changed`` is emitted if they have changed."""
        path = self._script.path
        known_file = self._known_file
        script = self._script
        assert path is not None, "a script without a file is not watched"

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> ReadScript | None:
            return _newer_script(path, script, known_file)

        self._job = Job(work)
        # Bound methods are disconnected if this object goes before the job ends.
        connect(self._job.finished, self._on_read)
        connect(self._job.failed, self._on_read_failed)
        self._job.start()

    def _on_read(self, newer: ReadScript | None) -> None:
        """Set ``newer`` to what was read, None if the files are as they were read last."""
        self._job = None
        is_as_before = newer is None and self.newer is None and not self.gone
        if is_as_before:
            return
        self.newer = newer
        self.gone = False
        self.changed.emit()

    def _on_read_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the files cannot be read."""
        self._job = None
        self.failed.emit(problems)


def _newer_script(path: Path, script: Script, known_file: KnownFile | None) -> ReadScript | None:
    """Return the script that is in a file now; None if it is ``script`` with its further files.

    The work of a job. Raises ProblemError if the files cannot be read.
    """
    is_unchanged = known_file is not None and known_file.change_since() is FileChange.UNCHANGED
    if is_unchanged and read_further_texts(path, script.text) == script.texts:
        return None
    return read_script_file(path)
