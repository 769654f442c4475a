"""The folder of a game on the disk: its directory, its groups, and the maps it loads for them.

``GameFolder`` is the one model of a game, which all dialogs about it show. It looks for the game at
a path (``choose``, ``refresh``), then reads the maps of a group (``read_maps``), all by jobs; its
signals tell when there is something to show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

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
    """The map that the game loads for a slot."""

    battlemap: BattleMap | None = None
    """None if the slot has no map, or one that cannot be read."""

    digest: str = ""
    """The SHA-256 of its file, in hexadecimal digits; "" if no file could be read."""

    problems: tuple[Problem, ...] = ()
    """The problems of the file, also of one that was read all the same."""


class _OpenedGame(NamedTuple):
    """The result of looking for a game at a path."""

    path: Path
    """The path at which it was found: the chosen one, or one near it."""

    game: Game
    groups: tuple[MapGroup, ...]
    versions: tuple[str, ...]


class GameFolder(QObject):
    """The folder of one game. Every dialog about the game is a view of it."""

    opened = Signal()
    """``game`` and ``groups`` were read, for the first time or again."""

    lost = Signal()
    """``game`` is None now."""

    maps_read = Signal(str)
    """The maps of the group of this name that were asked for can be had from ``maps``."""

    scripts_found = Signal()
    """``scripts`` were looked for."""

    def __init__(self, host: GameHost, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.host = host
        self._settings = settings
        self.path: Path | None = None
        """The chosen directory or jar. As soon as a game is found in it or near it, it is the path
        of that game, which the settings remember."""
        self.chosen_path: Path | None = None
        """The path as it was chosen, near which the game was found at ``path``."""
        self.game: Game | None = None
        """The game at the path; None if there is none, or until it is opened."""
        self.groups: tuple[MapGroup, ...] = ()
        """All groups of the game; empty without a game."""
        self.versions: tuple[str, ...] = ()
        """The versions of the game for which exports differ, the likeliest first; empty if exports
        are the same for all."""
        self.problems: tuple[Problem, ...] = ()
        """The reasons why there is no game at the path."""
        self.scripts: tuple[Path, ...] = ()
        """The randomizer scripts in the game's directory."""
        self._maps: dict[str, Mapping[str, SlotMap]] = {}
        """The maps that were read: by group, then by slot."""
        self._game_job = LatestJob(self)
        self._scripts_job = LatestJob(self)
        self._map_jobs: dict[str, LatestJob] = {}
        """The jobs that are reading maps, by group."""

    @property
    def slot_level(self) -> PlaceLevel:
        """The game's words for its slots."""
        return self.host.levels[-1]

    @property
    def group_level(self) -> PlaceLevel:
        """The game's words for its groups; those of a game with one level have no name."""
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
        """Begin to show this folder in a widget.

        Call ``opened`` if there is a game, now and whenever it was read, and ``lost`` when there is
        none. Everything is read again.
        """
        connect(self.opened, opened)
        connect(self.lost, lost)
        if self.game is not None:
            opened()
        self.refresh()

    def choose(self, path: Path) -> None:
        """Look for the game in another directory or jar; what is known of the present one is
        dropped.
        """
        self.path = path
        self.chosen_path = path
        self._look()
        self._lose(())

    def let_go(self) -> None:
        """Drop what is known of the game, and what is being read: another path is being typed."""
        self._game_job.cancel()
        self._lose(())

    def refresh(self) -> None:
        """Read everything again.

        What is known of a game stays until then. Without a game the path is that of the settings
        again, or else the usual one of this computer.
        """
        if self.game is None and not self.busy:
            self.path = self._settings.game_dir(self.host.system)
            if self.path is None:
                self.path = self.host.usual_place()
            self.chosen_path = self.path
        if self.path is not None:
            self._look()
        if self.game is None:
            self._lose(())

    def _look(self) -> None:
        """Look for the game at the path, by a job; ``opened`` or ``lost`` follows."""
        assert self.path is not None
        self._game_job.run(partial(_open_game, self.host, self.path), self._open, self._lose)

    def _open(self, opened_game: _OpenedGame) -> None:
        """Take over a game that was found, and remember its directory."""
        self._forget_maps()
        self.path = opened_game.path
        self.game = opened_game.game
        self.groups = opened_game.groups
        self.versions = opened_game.versions
        self.problems = ()
        self._settings.set_game_dir(self.host.system, self.path)
        self.opened.emit()
        self.find_scripts()

    def _lose(self, problems: tuple[Problem, ...]) -> None:
        """Forget the game; ``problems`` say why there is none, () while it is looked for."""
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

    # --- the maps ---------------------------------------------------------------------------------

    def maps(self, group: str) -> Mapping[str, SlotMap] | None:
        """Return the maps of a group by slot, None until they have been read."""
        return self._maps.get(group)

    def read_maps(self, group: MapGroup, slot: str = "") -> None:
        """Read the maps of a group, or the map of one slot; ``maps_read`` follows.

        It follows at once if they are known. Reading the map of another slot of the group cancels
        the one that is being read.
        """
        maps = self._maps.get(group.name)
        is_known = maps is not None and (not slot or slot in maps)
        is_being_read = not slot and group.name in self._map_jobs
        if is_known:
            self.maps_read.emit(group.name)
        elif self.game is not None and not is_being_read:
            slots = [group_slot for group_slot in group.slots if slot in ("", group_slot.name)]
            run(self._read_maps(self.game, replace(group, slots=tuple(slots))))

    async def _read_maps(self, game: Game, group: MapGroup) -> None:
        """Read the maps of a group by a job, and tell that they are read."""
        job = self._map_jobs.setdefault(group.name, LatestJob(self))
        try:
            maps = await job.result(partial(read_slot_maps, self.host, game, group))
        except ProblemError as reason:
            maps = {slot.name: SlotMap(problems=reason.problems) for slot in group.slots}
        self._map_jobs.pop(group.name).deleteLater()
        self._maps[group.name] = {**self._maps.get(group.name, {}), **maps}
        self.maps_read.emit(group.name)

    def _forget_maps(self) -> None:
        """Forget the maps that were read, and read no more."""
        self._maps.clear()
        for job in self._map_jobs.values():
            job.cancel()
            job.deleteLater()
        self._map_jobs.clear()

    # --- the scripts ------------------------------------------------------------------------------

    def find_scripts(self) -> None:
        """Look for scripts in the game's directory; ``scripts_found`` follows.

        If there is no game, the remembered one is looked for again, unless another directory was
        chosen.
        """
        game = self.game
        if game is not None:
            self._scripts_job.run(lambda *_: game.scripts(), self._take_scripts, self._no_scripts)
            return
        has_remembered_path = self.path in (None, self._settings.game_dir(self.host.system))
        if has_remembered_path and not self.busy:
            self.refresh()  # the directory may have been out of reach

    def _take_scripts(self, scripts: tuple[Path, ...]) -> None:
        """Take over the scripts that were found."""
        self.scripts = tuple(scripts)
        self.scripts_found.emit()

    def _no_scripts(self, _problems: tuple[Problem, ...]) -> None:
        """Take over that the scripts cannot be read."""
        # The dialogs say what is wrong with the directory; lists of scripts just have none of it.
        self._take_scripts(())


# --- the work of jobs ---------------------------------------------------------------------------


def _open_game(
    host: GameHost, chosen_path: Path, _progress: object, _cancelled: object
) -> _OpenedGame:
    """Find and open the game at a path or near it. Raises ProblemError if there is none."""
    path = host.find_game(chosen_path)
    game = host.open_game(path)
    return _OpenedGame(path, game, tuple(game.groups()), tuple(host.versions()))


def read_slot_maps(
    host: GameHost, game: Game, group: MapGroup, _progress: object, cancelled: Callable[[], bool]
) -> dict[str, SlotMap]:
    """Return the maps of the slots of a group by the slot's name."""
    maps: dict[str, SlotMap] = {}
    for slot in group.slots:
        if cancelled():
            break
        maps[slot.name] = _read_slot_map(host, game, group, slot.name)
    return maps


def _read_slot_map(host: GameHost, game: Game, group: MapGroup, slot: str) -> SlotMap:
    """Read the map of a slot; what keeps it from being read is in its problems."""
    try:
        data, file = game.read_map(group.name, slot)
    except ProblemError as reason:
        return SlotMap(problems=reason.problems)
    map_format = format_named(group.format) or host.format
    result = read_checked(map_format, data, file.words, game.files_beside(group.name, slot))
    return SlotMap(result.battlemap, hashlib.sha256(data).hexdigest(), result.problems)
