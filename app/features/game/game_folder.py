"""The folder of a game on the disk: the one model of a game, which all dialogs about it show.

A ``GameFolder`` has a path and, if a game is there, an ``OpenedGame``. These are its states:

==========  ======  ======  ==================================================================
state       game    busy    it ends with
==========  ======  ======  ==================================================================
no game     None    False   ``choose``, or ``refresh``, which tries the path of the settings
looking     None    True    ``opened``, or ``lost`` with the ``problems`` that tell why
open        a game  False   ``choose`` and ``close_game``, which drop the game at once
refreshing  a game  True    ``opened`` with all that is on the disk by now, or ``lost``
==========  ======  ======  ==================================================================

The game is looked for by a job (another thread), and so are its scripts; its maps are read by
``GameMaps``. The signals tell when there is something to show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background.latest_job import LatestJob
from app.features.game.game_maps import GameMaps, SlotMap
from app.qt_guard import connect
from app.settings import Settings
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.games.slots import MapGroup, SlotLevel
from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game that was found, and what its files say."""

    path: Path
    """Where it was found: at the path that was looked at, or near it."""

    game: Game

    groups: tuple[MapGroup, ...]
    """All groups of the game."""

    versions: tuple[str, ...]
    """The versions of the game for which exports differ, the likeliest first; empty if exports are
    the same for all."""

    named_folder: str
    """The name of the folder of the game that is, or contains, the path that the user has chosen;
    "" for a path that is the game's own, or not in it, and if the user has not just chosen one. It
    may be that of a group."""


class GameFolder(QObject):
    """The folder of one game. Every dialog about the game is a view of it."""

    opened = Signal()
    """``game`` and ``groups`` were read, for the first time or again."""

    lost = Signal()
    """``game`` is None now; if ``busy``, it is being looked for."""

    maps_read = Signal(str)
    """The maps of the group of this name that were asked for can be had from ``maps``."""

    scripts_found = Signal()
    """``scripts`` were looked for."""

    def __init__(self, host: GameHost, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.host = host
        self._settings = settings
        self.path: Path | None = None
        """The directory or jar in which the game is or is looked for; None if none is known."""
        self.chosen_path: Path | None = None
        """The path as the user chose it; the game may have been found near it, at ``path``."""
        self.named_folder = ""
        """The name of the folder of the game that is, or contains, the path that the user chose for
        the present dialog, such as that of a mod; "" if they chose no folder inside the game."""
        self._opened_game: OpenedGame | None = None
        """The game at the path; None in the states "no game" and "looking"."""
        self._game_maps: GameMaps | None = None
        """The maps of that game; None without a game."""
        self.problems: tuple[Problem, ...] = ()
        """The reasons why no game was found at the path; empty if it was not looked for yet."""
        self.scripts: tuple[Path, ...] = ()
        """The randomizer scripts in the game's directory, as far as they were found."""
        self._game_job = LatestJob(self)
        """Looks for the game."""
        self._scripts_job = LatestJob(self)
        """Looks for the scripts in the directory of the game that is open."""

    # --- what is known ----------------------------------------------------------------------------

    @property
    def game(self) -> Game | None:
        """The game at the path; None if there is none, or until it is opened."""
        if self._opened_game is None:
            return None
        return self._opened_game.game

    @property
    def groups(self) -> tuple[MapGroup, ...]:
        """All groups of the game; empty without a game."""
        if self._opened_game is None:
            return ()
        return self._opened_game.groups

    def group(self, name: str) -> MapGroup | None:
        """Return the group of that name, None if there is none."""
        return next((group for group in self.groups if group.name == name), None)

    @property
    def why_not_named_group(self) -> str:
        """Why the folder that the user named is no group of the game, as a sentence.

        "" if it is one, or none was named.
        """
        game = self.game
        if game is None or not self.grouped or not self.named_folder:
            return ""
        if self.group(self.named_folder) is not None:
            return ""
        return self.host.why_no_group(game, self.named_folder)

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of the game for which exports differ; empty without a game."""
        if self._opened_game is None:
            return ()
        return self._opened_game.versions

    @property
    def busy(self) -> bool:
        """True if the game is being looked for, or everything is being read again."""
        return self._game_job.busy

    @property
    def slot_level(self) -> SlotLevel:
        """The game's words for its slots."""
        return self.host.levels[-1]

    @property
    def group_level(self) -> SlotLevel:
        """The game's words for its groups; those of a game with one level have no name."""
        if self.grouped:
            return self.host.levels[0]
        return SlotLevel("")

    @property
    def grouped(self) -> bool:
        """True if the game has groups, of which one is chosen."""
        return len(self.host.levels) > 1

    # --- opening the game -------------------------------------------------------------------------

    def follow(self, opened: Callable[[], None], lost: Callable[[], None]) -> None:
        """Let a widget follow this folder from now on.

        Call ``opened`` if there is a game, now and whenever it was read, and ``lost`` when there is
        none. Everything is read again.
        """
        self.forget_named_folder()
        connect(self.opened, opened)
        connect(self.lost, lost)
        if self.game is not None:
            opened()
        self.refresh()

    def forget_named_folder(self) -> None:
        """Begin a dialog in which no folder inside the game was named yet."""
        self.named_folder = ""

    def choose(self, path: Path) -> None:
        """Drop the present game and look for it in another directory or jar."""
        self.chosen_path = path
        self._look_in(path, is_chosen=True)
        self._forget_game()
        self.lost.emit()

    def close_game(self) -> None:
        """Drop the present game, and look for none: another path is being typed."""
        self._game_job.cancel()
        self._forget_game()
        self.lost.emit()

    def refresh(self) -> None:
        """Read everything again; a game that is open stays so until then.

        Where no game is open or looked for, it is looked for at the path in the settings, or else
        at the usual one of this computer.
        """
        path = self.path
        has_no_game = self.game is None and not self.busy  # the first row of the table of states
        if has_no_game:
            path = self._settings.game_dir(self.host.system) or self.host.usual_directory()
            self.path = path
            self.chosen_path = path
        if path is not None:
            self._look_in(path)
        if self.game is None:
            self._forget_game()
            self.lost.emit()

    def _look_in(self, path: Path, *, is_chosen: bool = False) -> None:
        """Look for the game at a path, by a job; ``opened`` or ``lost`` follows.

        ``is_chosen``: the user has just chosen this path; a folder inside the game is then named.

        A job for another path that is under way is cancelled.
        """
        self.path = path
        self._game_job.run(
            partial(_open_game, self.host, path, is_chosen),
            self._on_game_found,
            self._on_game_not_found,
        )

    def _on_game_found(self, opened_game: OpenedGame) -> None:
        """Have a game, since the job found one; remember its path, and look for its scripts."""
        self._close_maps()
        self._opened_game = opened_game
        self._game_maps = GameMaps(self.host, opened_game.game, self)
        connect(self._game_maps.maps_read, self.maps_read)
        self.problems = ()
        self.path = opened_game.path
        self.named_folder = opened_game.named_folder
        self._settings.set_game_dir(self.host.system, opened_game.path)
        self.opened.emit()
        self.find_scripts_or_game()

    def _on_game_not_found(self, problems: tuple[Problem, ...]) -> None:
        """Have no game, since the job found none for these reasons."""
        self._forget_game()
        self.problems = problems
        self.lost.emit()

    def _forget_game(self) -> None:
        """Forget all that was read from the game's directory, and read no more of it."""
        self._close_maps()
        self._scripts_job.cancel()
        self._opened_game = None
        self.problems = ()
        self.scripts = ()

    def _close_maps(self) -> None:
        """Forget the maps that were read, and read no more."""
        if self._game_maps is not None:
            self._game_maps.close()
            self._game_maps = None

    # --- the maps ---------------------------------------------------------------------------------

    def maps(self, group: str) -> Mapping[str, SlotMap] | None:
        """Return the maps of a group that were read, by slot; None until any were."""
        if self._game_maps is None:
            return None
        return self._game_maps.of_group(group)

    def read_maps(self, group: MapGroup) -> None:
        """Read the maps of a group; ``maps_read`` follows, at once if they are known.

        Nothing follows without a game.
        """
        if self._game_maps is not None:
            self._game_maps.read_group(group)

    def read_map(self, group: MapGroup, slot: str) -> None:
        """Read the map of one slot; ``maps_read`` follows, at once if it is known.

        Nothing follows without a game, or if another slot of the group is asked for meanwhile.
        """
        if self._game_maps is not None:
            self._game_maps.read_slot(group, slot)

    # --- the scripts ------------------------------------------------------------------------------

    def find_scripts_or_game(self) -> None:
        """Look for scripts in the game's directory; ``scripts_found`` follows.

        Without a game, the one that the settings remember is looked for again, as its directory may
        have been out of reach. That is not done if the user has chosen another directory.
        """
        if self.game is not None:
            work = partial(_find_scripts, self.game)
            self._scripts_job.run(work, self._show_scripts, self._show_no_scripts)
            return
        is_remembered_path = self.path in (None, self._settings.game_dir(self.host.system))
        if is_remembered_path and not self.busy:
            self.refresh()

    def _show_scripts(self, scripts: tuple[Path, ...]) -> None:
        """Take over the scripts that were found."""
        self.scripts = scripts
        self.scripts_found.emit()

    def _show_no_scripts(self, _problems: tuple[Problem, ...]) -> None:
        """Take over that the scripts cannot be read.

        The dialogs about the game say what is wrong with its directory; lists of scripts just have
        none of it.
        """
        self._show_scripts(())


# --- the work of the jobs -----------------------------------------------------------------------


def _open_game(
    host: GameHost, path_to_look_at: Path, is_chosen: bool, _progress: object, _cancelled: object
) -> OpenedGame:
    """Find and open the game at a path or near it. Raises ProblemError if there is none.

    ``is_chosen``: the user has just chosen the path.
    """
    path = host.find_game(path_to_look_at)
    game = host.open_game(path)
    named_folder = ""
    if is_chosen:
        named_folder = _folder_in_game(game, path_to_look_at)
    return OpenedGame(
        path,
        game,
        tuple(game.groups()),
        tuple(host.versions()),
        named_folder,
    )


def _folder_in_game(game: Game, chosen_path: Path) -> str:
    """Return the name of the folder in a game's root that is, or contains, a path; "" for none."""
    chosen_path = chosen_path.absolute()
    if chosen_path == game.root or not chosen_path.is_relative_to(game.root):
        return ""
    folder = game.root / chosen_path.relative_to(game.root).parts[0]
    if folder.is_dir():
        return folder.name
    return ""


def _find_scripts(game: Game, _progress: object, _cancelled: object) -> tuple[Path, ...]:
    """Return the scripts in a game's directory. Raises ProblemError if it cannot be read."""
    return tuple(game.scripts())
