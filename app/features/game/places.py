"""The places of a game on the disk: its directory, its groups, and the maps it loads for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.actions import run
from app.background.latest_job import LatestJob
from app.qt_guard import connect
from app.settings import Settings
from randomizer.catalog.catalog import format_named
from randomizer.formats import read_checked
from randomizer.games import (
    Game,
    GameHost,
    MapGroup,
    PlaceLevel,
)
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError


@dataclass(frozen=True, slots=True)
class SlotMap:
    """The map that the game loads for a slot; ``digest`` is the SHA-256 of its file.

    ``battlemap`` is None where there is none, or none that can be read: ``problems`` say why.
    """

    battlemap: BattleMap | None = None
    digest: str = ""
    problems: tuple[Problem, ...] = ()


_Reading = tuple[Path, Game, tuple[MapGroup, ...], tuple[str, ...]]


class GamePlaces(QObject):
    """The places of one game, read by jobs. Every dialog about the game is a view of them.

    ``path`` is the chosen directory or jar, or the one near it where the game was found, which the
    settings remember.
    ``game`` is that game, None where there is none (``problems`` say why) or while it is looked
    for. ``scripts`` are the randomizer scripts in its directory, ``versions`` those that exports
    can be made for, the likeliest first; none where there is nothing to choose.

    ``opened()``: ``game`` and ``groups`` were read, for the first time or again.
    ``lost()``: ``game`` is None. ``maps_read(str)``: ``maps`` of the group of that name are
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
        self.groups: tuple[MapGroup, ...] = ()
        self.versions: tuple[str, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.scripts: tuple[Path, ...] = ()
        self._maps: dict[str, Mapping[str, SlotMap]] = {}
        self._game_job = LatestJob(self)
        self._scripts_job = LatestJob(self)
        self._map_jobs: dict[str, LatestJob] = {}

    @property
    def slot_level(self) -> PlaceLevel:
        """The game's word for its slots."""
        return self.host.levels[-1]

    @property
    def group_level(self) -> PlaceLevel:
        """The game's word for its groups; that of a game with one level has no name."""
        if self.grouped:
            return self.host.levels[0]
        return PlaceLevel("")

    @property
    def grouped(self) -> bool:
        """True if the game has groups, of which one is chosen."""
        return len(self.host.levels) > 1

    # --- the game -----------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True if the directory is being looked into."""
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
            self.path = self._settings.game_dir(self.host.system)
            if self.path is None:
                self.path = self.host.usual_place()
        if self.path is not None:
            self._look()
        if self.game is None:
            self._lose(())

    def _look(self) -> None:
        host = self.host
        path = self.path
        assert path is not None

        def work(*_: object) -> _Reading:
            game_folder = host.find_game(path)
            game = host.open_game(game_folder)
            versions = host.versions()
            return game_folder, game, tuple(game.groups()), tuple(versions)

        self._game_job.run(work, self._open, self._lose)

    def _open(self, result: _Reading) -> None:
        self._forget_maps()
        self.path, self.game, self.groups, self.versions = result
        self.problems = ()
        self._settings.set_game_dir(self.host.system, self.path)
        self.opened.emit()
        self.find_scripts()

    def _lose(self, problems: tuple[Problem, ...]) -> None:
        self._forget_maps()
        self.game = None
        self.groups = ()
        self.problems = problems
        self.scripts = ()
        self._scripts_job.cancel()
        self.lost.emit()

    def group(self, name: str) -> MapGroup | None:
        """Return the group of that name, None if there is none."""
        return next((group for group in self.groups if group.name == name), None)

    # --- what lies there ------------------------------------------------------------------------

    def maps(self, group: str) -> Mapping[str, SlotMap] | None:
        """Return the maps of a group by slot, None until they have been read."""
        return self._maps.get(group)

    def read_maps(self, group: MapGroup, slot: str = "") -> None:
        """Read the maps of a group, or that of one slot; of two slots the newer one is read.

        ``maps_read`` follows, at once if they are known.
        """
        name = group.name
        maps = self._maps.get(group.name)
        if maps is not None and (not slot or slot in maps):
            self.maps_read.emit(name)
        elif self.game is not None and (slot or name not in self._map_jobs):
            slots = [group_slot for group_slot in group.slots if slot in ("", group_slot.name)]
            run(self._read_maps(self.game, replace(group, slots=tuple(slots))))

    async def _read_maps(self, game: Game, group: MapGroup) -> None:
        job = self._map_jobs.setdefault(group.name, LatestJob(self))
        try:
            maps = await job.result(reading_maps(self.host, game, group))
        except ProblemError as reason:
            maps = {slot.name: SlotMap(problems=reason.problems) for slot in group.slots}
        self._map_jobs.pop(group.name).deleteLater()
        self._maps[group.name] = {**self._maps.get(group.name, {}), **maps}
        self.maps_read.emit(group.name)

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
        elif not self.busy and self.path in (None, self._settings.game_dir(self.host.system)):
            self.refresh()  # the directory may have been out of reach

    def _take_scripts(self, scripts: tuple[Path, ...]) -> None:
        self.scripts = tuple(scripts)
        self.scripts_found.emit()

    def _no_scripts(self, _problems: tuple[Problem, ...]) -> None:
        # The dialogs say what is wrong with the directory; lists of scripts just have none of it.
        self._take_scripts(())


def reading_maps(host: GameHost, game: Game, group: MapGroup) -> Callable[..., dict[str, SlotMap]]:
    """Read the maps of all slots of a group, by the slot's name."""

    def work(_progress: object, cancelled: Callable[[], bool]) -> dict[str, SlotMap]:
        maps: dict[str, SlotMap] = {}
        for slot in group.slots:
            if cancelled():
                break
            maps[slot.name] = _slot_map(host, game, group, slot.name)
        return maps

    return work


def _slot_map(host: GameHost, game: Game, group: MapGroup, slot: str) -> SlotMap:
    try:
        data, file = game.read_map(group.name, slot)
    except ProblemError as reason:
        return SlotMap(problems=reason.problems)
    map_format = format_named(group.format) or host.format
    result = read_checked(map_format, data, file.words, game.files_beside(group.name, slot))
    return SlotMap(result.battlemap, hashlib.sha256(data).hexdigest(), result.problems)
