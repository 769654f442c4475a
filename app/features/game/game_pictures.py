"""The pictures of a game: read from its directory, and drawn instead of the program's own.

``PictureSwitch`` carries out the command *Pictures of the game* (``toggle``), and loads pictures
again for another game; ``load_pictures`` is the work of the job that reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog

from app.background.actions import answer, run
from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.features.game.game_folder import GameFolder
from app.render.pictures.picture_files import SHOWN_SIDE, decoded
from app.render.pictures.pictures_of_game import GamePictures
from app.render.pictures.terrain_pictures import Pictures
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.systems import system_named
from randomizer.games.host import GameHost
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity


class PictureSwitch(QObject):
    """Chooses whether terrains are drawn with pictures of the game or with the program's own.

    ``game_folder`` returns the folder of the game from which the pictures come: that of the current
    map.
    """

    def __init__(self, desk: Desk, game_folder: Callable[[], GameFolder]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._game_folder = game_folder
        self._job = LatestJob(self)
        """Loads pictures."""
        self._dir_at_start: Path | None = None
        """The directory of the game when ``start`` was called last; None if it was not known."""

    @property
    def shown(self) -> bool:
        """True if terrains are drawn with pictures of a game.

        ``Settings.game_pictures`` is what the user wants; there may be no game to load them from.
        """
        return isinstance(self._desk.renderer.pictures, GamePictures)

    # --- when the game is known -------------------------------------------------------------

    def start(self) -> None:
        """Load the pictures of the remembered game, if they were shown last."""
        self._dir_at_start = self._game_dir()
        if self._desk.settings.game_pictures and self._dir_at_start is not None:
            run(self._load(on_request=False))

    def follow_game(self) -> None:
        """Load the pictures of the game that is remembered now, if it is another."""
        if self._game_dir() != self._dir_at_start:
            self.start()

    def _game_dir(self) -> Path | None:
        """Return the directory of the current map's game, None if it is not known."""
        return self._desk.settings.game_dir(self._game_folder().host.system)

    # --- the command ------------------------------------------------------------------------

    def has_pictures_for_map(self) -> bool:
        """Return whether the game has pictures of terrains that the current map has."""
        host = self._game_folder().host
        system = system_named(host.system)
        if not host.has_pictures or system is None:
            return False
        terrains_of_map = self._desk.document.battlemap.terrain_set.terrains
        return not frozenset(system.terrain_set.terrains).isdisjoint(terrains_of_map)

    async def toggle(self) -> None:
        """Draw terrains with the game's own pictures, or with ours; it is remembered.

        If the game's directory is not known, it is asked for.
        """
        if self.shown:
            self._desk.settings.game_pictures = False
            self._job.cancel()
            self._draw_with(Pictures())
            return
        is_game_known = self._game_dir() is not None
        if is_game_known or await self._ask_for_game():
            await self._load(on_request=True)
        self._desk.commands.refresh()  # a click has ticked the command, whatever came of it

    async def _ask_for_game(self) -> bool:
        """Return whether the user has chosen a game, whose directory is remembered then."""
        from app.features.game.game_chooser import ChooseGameDialog, offer_manual

        game_folder = self._game_folder()
        why = f"The pictures belong to your own {game_folder.host.title}. Where is it?"
        dialog = ChooseGameDialog(game_folder, why, self._desk.frame)
        offer_manual(dialog, self._desk.commands)
        return await answer(dialog) == QDialog.DialogCode.Accepted

    # --- loading ----------------------------------------------------------------------------

    async def _load(self, *, on_request: bool) -> None:
        """Load the pictures of the current map's terrains and draw with them.

        ``on_request``: the user has chosen the command just now, and is told why nothing changes.
        """
        path = self._game_dir()
        host = self._game_folder().host
        if path is None:
            return
        terrains = self._desk.document.battlemap.terrain_set.terrains
        names = [terrain.name for terrain in terrains]
        try:
            loaded = await self._job.result(partial(load_pictures, host, path, names))
        except ProblemError as reason:
            self._tell_failure(reason.problems, on_request=on_request)
            return
        if loaded.images:
            self._show_loaded(host, loaded)
        elif on_request:
            self._say_none_loaded(host, loaded.problems)
        # Without a request another game was opened: then the pictures that are drawn stay.

    def _show_loaded(self, host: GameHost, loaded: LoadedPictures) -> None:
        """Draw with the pictures that were loaded, and tell how many they are."""
        self._desk.settings.game_pictures = True
        self._draw_with(GamePictures(loaded.images))
        text = f"{counted(len(loaded.images), 'picture')} of {host.title}"
        if loaded.problems:
            self._desk.say(f"{text}, {len(loaded.problems)} could not be shown")
        else:
            self._desk.say(f"Drawn with {text}")

    def _say_none_loaded(self, host: GameHost, problems: tuple[Problem, ...]) -> None:
        """Tell that the game has no pictures of these terrains, and why if that is known."""
        reason = ""
        if problems:
            reason = f": {problems[0].message}"
        self._desk.say(f"{host.title} has no pictures of hazards that can be shown{reason}.")

    def _tell_failure(self, problems: tuple[Problem, ...], *, on_request: bool) -> None:
        """Tell that the game cannot be read: in a dialog only if the user waits for an answer."""
        heading = "The game's pictures cannot be used"
        if on_request:
            show_problems(self._desk.frame, heading, problems)
        else:
            self._desk.say(f"{heading}: {problems[0].message}")

    def _draw_with(self, pictures: Pictures) -> None:
        """Draw terrains with these pictures from now on, ours or those of the game; tick that."""
        self._desk.drawing.show_pictures(pictures)
        self._desk.commands.refresh()


@dataclass(frozen=True, slots=True)
class LoadedPictures:
    """The result of ``load_pictures``."""

    images: dict[str, QImage]
    """The pictures by the terrain's name."""

    problems: tuple[Problem, ...]
    """A problem for each picture that could not be read."""


def load_pictures(
    host: GameHost,
    path: Path,
    names: Iterable[str],
    _progress: object,
    cancelled: Callable[[], bool],
) -> LoadedPictures:
    """Read the pictures that the game at ``path`` has of the terrains ``names``: a job's work.

    Raises ProblemError if the game itself cannot be opened.
    """
    game = host.open_game(path)
    images: dict[str, QImage] = {}
    problems: list[Problem] = []
    for name in names:
        if cancelled():
            break
        try:
            data = game.picture(name)
        except ProblemError as reason:
            problems += reason.problems
            continue
        if data is None:
            continue
        try:
            # Decoded at this size, however large it is: the pictures of all terrains are in memory
            # at once.
            images[name] = decoded(data, SHOWN_SIDE)
        except ProblemError:
            problems.append(_problem_of_picture(name))
    return LoadedPictures(images, tuple(problems))


def _problem_of_picture(name: str) -> Problem:
    """Return the problem of a file that is no picture, or one of an unknown kind."""
    text = f"The game's picture of {name} is of no kind that can be shown; ours is used"
    return Problem(Severity.WARNING, "bad-picture", text)
