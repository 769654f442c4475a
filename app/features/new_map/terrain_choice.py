"""The terrain set of a new map: one that comes with the program, or one read from a file.

``NewMapForm`` has a ``TerrainChoice`` and tells it by ``choose`` what its field shows: the name of
a *packaged* set, which comes with the program, or the path of a file. A file is read on another
thread; then ``read`` or ``failed`` is emitted.
"""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.background_value import BackgroundValue
from app.qt_guard import connect
from app.settings import Settings
from randomizer.model.problems import Problem
from randomizer.model.system.system import System
from randomizer.reading.files import read_file
from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, OwnTerrains, read_terrains


class ChoiceState(Enum):
    """How far the choice of a terrain set is."""

    NONE = auto()
    """The kind of map has no choice of terrain sets."""

    READING = auto()
    """The chosen file is being read."""

    READY = auto()
    """``TerrainChoice.terrains`` is the chosen set."""

    FAILED = auto()
    """The chosen file could not be read, for ``TerrainChoice.problems``."""


class TerrainChoice(QObject):
    """The chosen terrain set; a file is read on another thread."""

    read = Signal()
    """The file was read: ``terrains`` is its set."""

    failed = Signal()
    """The file could not be read, for ``problems``."""

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._system: System | None = None
        """The system for which a set was chosen last; None before the first ``choose``."""
        self.state = ChoiceState.NONE
        self.name = ""
        """The name of the packaged set or the path of the file; "" for maps without a choice."""
        self.terrains: OwnTerrains | None = None
        """The chosen set while the state is READY, else None."""
        self.problems: tuple[Problem, ...] = ()
        """The reasons why the file could not be read while the state is FAILED, else ()."""
        self._reading = BackgroundValue(self._file_to_read, _read_terrains, self)
        connect(self._reading.computed, self._on_read)
        connect(self._reading.failed, self._on_failed)
        self._reading.watch()

    def choose(self, system: System, name: str) -> None:
        """Choose a packaged set of a system by its name, or begin to read the file ``name``.

        A file that could not be read is tried again; "" is for kinds of maps without a choice.
        """
        is_same_choice = (system, name) == (self._system, self.name)
        if is_same_choice and self.state is not ChoiceState.FAILED:
            return
        self._system = system
        self.name = name
        self.terrains = None
        self.problems = ()
        self._reading.forget()
        if not name:
            self.state = ChoiceState.NONE
        elif name in system.packaged_terrains:
            self.terrains = OwnTerrains(system.packaged_terrain_set(name))
            self.state = ChoiceState.READY
        else:
            self.state = ChoiceState.READING
            self._reading.renew()

    def _file_to_read(self) -> Path | str:
        """Return the path of the file, or in words why there is nothing to read."""
        if self.state is not ChoiceState.READING:
            return "No file is chosen."
        return Path(self.name)

    def _on_read(self, terrains: OwnTerrains) -> None:
        """Choose the set of the file, which was read."""
        self.terrains = terrains
        self.state = ChoiceState.READY
        self.read.emit()

    def _on_failed(self, problems: tuple[Problem, ...]) -> None:
        """Tell of a file that cannot be read; it is not offered again."""
        self.problems = problems
        self.state = ChoiceState.FAILED
        self._settings.drop_recent("terrains", Path(self.name))
        self.failed.emit()


def _read_terrains(path: Path, _progress: object, _cancelled: object) -> OwnTerrains:
    """Read the terrain set of a file, on a job's thread. Raises ProblemError."""
    return read_terrains(read_file(path, LARGEST_TERRAINS), str(path))
