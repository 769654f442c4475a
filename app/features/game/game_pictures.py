"""The pictures of a game: read from its directory, and drawn instead of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog

from app.background.actions import answer, run
from app.background.latest_job import LatestJob
from app.desk.desk import Desk
from app.features.game.places import GamePlaces
from app.render.pictures.own_pictures import SHOWN_SIDE, decoded
from app.render.pictures.terrain_pictures import GamePictures, Pictures
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.catalog import system_named
from randomizer.games import GameHost
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity


class PictureSwitch(QObject):
    """Chooses whether hazards are drawn with the game's own pictures (``shown``) or with ours.

    ``places`` gives the places of the game that they come from.
    """

    def __init__(self, desk: Desk, places: Callable[[], GamePlaces]) -> None:
        super().__init__(desk)
        self._desk = desk
        self._places = places
        self._job = LatestJob(self)
        self._known: Path | None = None
        self.shown = desk.settings.game_pictures

    def start(self) -> None:
        """Load the pictures of the remembered game, if they were shown last."""
        self._known = self._game_dir()
        if self._desk.settings.game_pictures and self._known is not None:
            run(self._load(asked=False))

    def _game_dir(self) -> Path | None:
        return self._desk.settings.game_dir(self._places().host.system)

    def suit_map(self) -> bool:
        """Return whether the game has pictures, and of terrains that the current map has."""
        host = self._places().host
        system = system_named(host.system)
        if not host.has_pictures or system is None:
            return False
        names = self._desk.document.battlemap.terrain_set.terrains
        return not frozenset(system.terrain_set.terrains).isdisjoint(names)

    def follow_game(self) -> None:
        """Load those of the game that is known now, if it is another."""
        if self._game_dir() != self._known:
            self.start()

    async def toggle(self) -> None:
        """Draw hazards with the game's own pictures, or with ours; it is remembered."""
        if self.shown:
            self._desk.settings.game_pictures = False
            self._job.cancel()
            self._show(Pictures())
        elif self._game_dir() is not None or await self._ask_for_game():
            await self._load(asked=True)
        else:
            self._set_shown(False)

    async def _ask_for_game(self) -> bool:
        from app.features.game.game_chooser import ChooseGameDialog

        places = self._places()
        why = f"The pictures belong to your own {places.host.title}. Where is it?"
        dialog = ChooseGameDialog(places, why, self._desk.frame)
        return await answer(dialog) == QDialog.DialogCode.Accepted

    async def _load(self, *, asked: bool) -> None:
        path = self._game_dir()
        host = self._places().host
        if path is None:
            self._set_shown(False)
            return
        terrains = self._desk.document.battlemap.terrain_set.terrains
        work = load_pictures(host, path, [terrain.name for terrain in terrains])
        try:
            loaded = await self._job.result(work)
        except ProblemError as reason:
            self._complain(reason.problems, asked)
        else:
            self._take(host, loaded, asked)

    def _take(self, host: GameHost, loaded: LoadedPictures, asked: bool) -> None:
        count = len(loaded.images)
        bad = len(loaded.problems)
        if not count and not asked:
            return  # another game was opened, and ours or those of the one before are shown
        if not count:
            first = f": {loaded.problems[0].message}" if bad else ""
            self._desk.say(f"{host.title} has no pictures of hazards that can be shown{first}.")
            self._set_shown(False)
            return
        self._desk.settings.game_pictures = True
        self._show(GamePictures(loaded.images))
        text = f"{counted(count, 'picture')} of {host.title}"
        self._desk.say(f"{text}, {bad} could not be shown" if bad else f"Drawn with {text}")

    def _complain(self, problems: tuple[Problem, ...], asked: bool) -> None:
        heading = "The game's pictures cannot be used"
        if asked:
            show_problems(self._desk.frame, heading, problems)
        else:
            self._desk.say(f"{heading}: {problems[0].message}")
        self._set_shown(False)

    def _show(self, pictures: Pictures) -> None:
        self._desk.show_pictures(pictures)
        self._set_shown(isinstance(pictures, GamePictures))

    def _set_shown(self, is_shown: bool) -> None:
        self.shown = is_shown
        self._desk.commands.refresh()


@dataclass(frozen=True, slots=True)
class LoadedPictures:
    """A game's pictures by the terrain's name, and those that could not be read."""

    images: dict[str, QImage]
    problems: tuple[Problem, ...]


def load_pictures(
    host: GameHost, path: Path, names: Iterable[str]
) -> Callable[..., LoadedPictures]:
    """Return the game's own pictures of the terrains ``names``, as ``LoadedPictures``."""
    names = tuple(names)

    def work(_progress: object, cancelled: Callable[[], bool]) -> LoadedPictures:
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
                images[name] = decoded(data, SHOWN_SIDE)  # all of them are kept at once
            except ProblemError:
                problems.append(_no_picture(name))
        return LoadedPictures(images, tuple(problems))

    return work


def _no_picture(name: str) -> Problem:
    text = f"The game's picture of {name} is of no kind that can be shown; ours is used"
    return Problem(Severity.WARNING, "bad-picture", text)
