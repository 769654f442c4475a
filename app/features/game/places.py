"""The places of a game on the disk: its directory, its variants, and the maps it loads for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.features.game.game_reading import TerrainMap, reading_maps
from app.qt_guard import connect
from app.settings import Settings
from randomizer.games import Game, GameHost, GameVariant
from randomizer.model.problems import Problem


class GamePlaces(QObject):
    """The places of one game, read by jobs. Every dialog about the game is a view of them.

    ``path`` is the chosen directory or jar; the settings remember it once a game is found there.
    ``game`` is that game, None where there is none (``problems`` say why) or while it is looked
    for. ``scripts`` are the randomizer scripts in its directory.

    ``opened()``: ``game`` and ``variants`` were read, for the first time or again.
    ``lost()``: ``game`` is None. ``maps_read(str)``: ``maps`` of the variant of that name are
    known. ``scripts_found()``: ``scripts`` were looked for.
    """

    opened = Signal()
    lost = Signal()
    maps_read = Signal(str)
    scripts_found = Signal()

    def __init__(self, host: GameHost, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.host = host
        self._settings = settings
        self.path: Path | None = None
        self.game: Game | None = None
        self.variants: tuple[GameVariant, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.scripts: tuple[Path, ...] = ()
        self._maps: dict[str, Mapping[str, TerrainMap]] = {}
        self._game_job, self._scripts_job = LatestJob(self), LatestJob(self)
        self._map_jobs: dict[str, LatestJob] = {}

    # --- the game -----------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether the directory is being looked into."""
        return self._game_job.busy

    def show_in(self, opened: Callable[[], None], lost: Callable[[], None]) -> None:
        """Show what is known with these methods of a widget, now and whenever it changes.

        Everything is read again.
        """
        connect(self.opened, opened)
        connect(self.lost, lost)
        if self.game is not None:
            opened()
        self.refresh()

    def choose(self, path: Path) -> None:
        """Look into another directory or jar; what is known of the present one is dropped."""
        self.path = path
        self._look()
        self._lose(())

    def refresh(self) -> None:
        """Read everything again. What is known stays until then; a path without a game does not."""
        if self.game is None and not self.busy:
            self.path = self._settings.game_dir
        if self.path is not None:
            self._look()
        if self.game is None:
            self._lose(())

    def _look(self) -> None:
        host, path = self.host, self.path
        assert path is not None

        def work(*_: object) -> tuple[Game, tuple[GameVariant, ...]]:
            game = host.open_game(path)
            return game, tuple(game.variants())

        self._game_job.run(work, self._open, self._lose)

    def _open(self, found: tuple[Game, tuple[GameVariant, ...]]) -> None:
        self._forget_maps()
        self.game, self.variants = found
        self.problems = ()
        self._settings.game_dir = self.path
        self.opened.emit()
        self.find_scripts()

    def _lose(self, problems: tuple[Problem, ...]) -> None:
        self._forget_maps()
        self.game, self.variants, self.problems = None, (), problems
        self.scripts = ()
        self._scripts_job.cancel()
        self.lost.emit()

    def variant(self, name: str) -> GameVariant | None:
        """The variant of that name, None if there is none."""
        return next((variant for variant in self.variants if variant.name == name), None)

    # --- what lies there ------------------------------------------------------------------------

    def maps(self, variant: str) -> Mapping[str, TerrainMap] | None:
        """The maps of a variant by terrain, None until they have been read."""
        return self._maps.get(variant)

    def read_maps(self, variant: GameVariant) -> None:
        """Read the maps of a variant; ``maps_read`` follows, at once if they are known."""
        name = variant.name
        if name in self._maps:
            self.maps_read.emit(name)
        elif self.game is not None and name not in self._map_jobs:
            job = self._map_jobs[name] = LatestJob(self)
            work = reading_maps(self.host, self.game, variant)
            job.run(work, partial(self._take_maps, name), partial(self._no_maps, variant))

    def _take_maps(self, variant: str, maps: Mapping[str, TerrainMap]) -> None:
        self._map_jobs.pop(variant).deleteLater()
        self._maps[variant] = maps
        self.maps_read.emit(variant)

    def _no_maps(self, variant: GameVariant, problems: tuple[Problem, ...]) -> None:
        names = [terrain.name for terrain in variant.terrains]
        self._take_maps(variant.name, {name: TerrainMap(problems=problems) for name in names})

    def _forget_maps(self) -> None:
        self._maps.clear()
        for job in self._map_jobs.values():
            job.cancel()
            job.deleteLater()
        self._map_jobs.clear()

    def find_scripts(self) -> None:
        """Look for scripts in the game's directory; ``scripts_found`` follows."""
        game = self.game
        if game is not None:
            self._scripts_job.run(lambda *_: game.scripts(), self._take_scripts, self._no_scripts)
        elif not self.busy and self.path in (None, self._settings.game_dir):
            self.refresh()  # the directory may have been out of reach

    def _take_scripts(self, scripts: tuple[Path, ...]) -> None:
        self.scripts = tuple(scripts)
        self.scripts_found.emit()

    def _no_scripts(self, _problems: tuple[Problem, ...]) -> None:
        # The dialogs say what is wrong with the directory; lists of scripts just have none of it.
        self._take_scripts(())
