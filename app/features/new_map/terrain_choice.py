"""The terrain set of a new map: one that comes with the program, or one read from a file.

``NewMapForm`` has a ``TerrainChoice``, tells it by ``choose`` what its field shows, and waits for
``taken`` or ``failed`` where that is a file.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from app.settings import Settings
from randomizer.model.problems import Problem
from randomizer.model.system.system import System
from randomizer.reading.files import read_file
from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, OwnTerrains, read_terrains


class TerrainChoice(QObject):
    """The chosen terrain set; a file is read on another thread."""

    taken = Signal()
    """The file was read: ``terrains`` is its set."""

    failed = Signal(object)
    """The file was not read, for these problems (``tuple[Problem, ...]``)."""

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self.name = ""
        """The packaged set or the path of the file; "" for maps without a choice."""
        self.terrains: OwnTerrains | None = None
        """What was chosen, None while it is read and for maps without a choice."""
        self._reading = BackgroundValue(self._file_to_read, _read_terrains, self)
        connect(self._reading.computed, self._take)
        connect(self._reading.failed, self._refuse)
        self._reading.watch()

    @property
    def is_read(self) -> bool:
        """True if there is a set, or nothing was to be chosen; False while a file is read."""
        return self.terrains is not None or not self.name

    def choose(self, system: System, name: str) -> None:
        """Choose a packaged set of a system by its name, or begin to read a file."""
        if name == self.name:
            return
        self.name = name
        self.terrains = None
        self._reading.forget()
        if name in system.packaged_terrains:
            self.terrains = OwnTerrains(system.packaged_terrain_set(name))
        elif name:
            self._reading.renew()

    def _file_to_read(self) -> Path | str:
        """Return the path of the file, or why there is nothing to read."""
        if self.is_read:
            return "A packaged set is there."
        return Path(self.name)

    def _take(self, terrains: OwnTerrains) -> None:
        self.terrains = terrains
        self.taken.emit()

    def _refuse(self, problems: tuple[Problem, ...]) -> None:
        """Tell of a file that cannot be read, which is not offered again."""
        self._settings.drop_recent("terrains", Path(self.name))
        self.failed.emit(problems)


def _read_terrains(path: Path, _progress: object, _cancelled: object) -> OwnTerrains:
    """Read the terrain set of a file, on a job's thread. Raises ProblemError."""
    return read_terrains(read_file(path, LARGEST_TERRAINS), str(path))
