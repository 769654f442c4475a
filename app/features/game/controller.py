"""What the desk does with the game: open from it, export into it, take back, use its pictures."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QDialog

from app.background.jobs import Job
from app.background.latest_job import LatestJob
from app.document.map_files import merge_in
from app.document.open_map import GameSource
from app.features.game.game_pictures import LoadedPictures, loading_pictures
from app.features.game.places import GamePlaces
from app.render.picture_source import GamePictures, OwnPictures, Pictures
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.problem_dialog import show_problems
from randomizer.catalog import game_host, game_hosts
from randomizer.formats import ReadResult
from randomizer.games import GameHost
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.desk.desk import Desk

GRID_THUMBNAIL = QSize(148, 156)
EXPORT_THUMBNAIL = QSize(208, 220)
"""In logical pixels."""


class GameController(QObject):
    """Deals with the game's own directory. ``dialog`` is the one that is open, or None."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.dialog: QDialog | None = None
        self._thumbnails: dict[tuple[int, int], MapThumbnails] = {}
        self._places: dict[str, GamePlaces] = {}
        self._pictures_job = LatestJob(self)
        self._known: Path | None = None
        self._game_loaded = False
        self.pictures_shown = desk.settings.game_pictures
        desk.ready.connect(self._start)

    def _start(self) -> None:
        """The window is up: load what the first commands will need, off the UI thread."""
        system = self._desk.document.battlemap.system

        def load(_progress: Callable[[int], None], _cancelled: Callable[[], bool]) -> None:
            import_module("numpy.ma")  # numpy itself loads it at the first big edit
            game_host(system)

        job = Job(load)
        job.finished.connect(self._loaded)
        job.start()

    def _loaded(self, _nothing: object) -> None:
        """Fetch what belongs to the remembered game."""
        self._game_loaded = True
        self._desk.commands.refresh()
        self._known = self._desk.settings.game_dir
        places = self.places()
        if places is not None:
            places.refresh()
        if self._desk.settings.game_pictures and self._known is not None:
            self._load_pictures(asked=False)

    def why_not_export(self) -> str:
        """Why the map in front cannot be exported, "" if it can or if that is not known yet."""
        if not self._game_loaded:
            return ""
        known = game_host(self._desk.document.battlemap.system) is not None
        return "" if known else "No game is known that plays maps of this kind."

    def places(self, *, any_game: bool = False) -> GamePlaces | None:
        """Those of the game that plays the map in front; ``any_game``: else of the first known."""
        host = game_host(self._desk.document.battlemap.system)
        if host is None and any_game:
            host = game_hosts()[0]
        if host is None:
            return None
        if host.SYSTEM not in self._places:
            places = self._places[host.SYSTEM] = GamePlaces(host, self._desk.settings, self)
            places.opened.connect(self._game_opened)
        return self._places[host.SYSTEM]

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(self._closed)
        dialog.open()

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def thumbnails(self, size: QSize) -> MapThumbnails:
        """Small pictures of maps, as the window draws them now; they are kept for the next time."""
        renderer = self._desk.renderer
        key = (size.width(), size.height())
        if key not in self._thumbnails:
            self._thumbnails[key] = MapThumbnails(size, renderer.theme, renderer.pictures, self)
        found = self._thumbnails[key]
        found.set_theme(renderer.theme, renderer.pictures, self._desk.frame.devicePixelRatioF())
        return found

    def _game_opened(self) -> None:
        """Another game has other pictures."""
        path = self._desk.settings.game_dir
        if path != self._known:
            self._known = path
            if self._desk.settings.game_pictures:
                self._load_pictures(asked=False)

    # --- open, export, take back ------------------------------------------------------------

    def open_from_game(self) -> None:
        """Choose a battleland of the game and open it, or merge it into the map."""
        places = self.places(any_game=True)
        if places is None:
            return
        from app.features.game.open_dialog import OpenGameDialog

        dialog = OpenGameDialog(
            places, self.thumbnails(GRID_THUMBNAIL), self._desk.document.source, self._desk.frame
        )
        dialog.chosen.connect(self._chosen)
        self._open(dialog)

    def _chosen(self, result: ReadResult, source: GameSource, merge: bool) -> None:
        where = f"{source.variant} / {source.terrain}"
        if not merge:
            self._desk.files.open_bytes(result, source, where)
            return
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {where}", result.problems)
        if result.battlemap is not None:
            try:
                merge_in(self._desk.document, result.battlemap, where)
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot merge {where}", reason.problems)

    def export(self) -> None:
        """Write the map where the game loads it."""
        desk, places = self._desk, self.places()
        if places is None:
            title = desk.document.battlemap.system.title
            desk.say(f"No game is known that plays a {title} from its directory.")
            return
        from app.features.game.export_dialog import ExportDialog

        desk.document.cancel_stroke()
        dialog = ExportDialog(places, desk.document, self.thumbnails(EXPORT_THUMBNAIL), desk.frame)
        dialog.said.connect(desk.say)
        self._open(dialog)

    def take_back(self) -> None:
        """Put back what an export replaced."""
        places = self.places(any_game=True)
        if places is None:
            return
        from app.features.game.take_back_dialog import TakeBackDialog

        dialog = TakeBackDialog(places, self._desk.frame)
        dialog.said.connect(self._desk.say)
        self._open(dialog)

    def whole_variant(self) -> None:
        """Show the window with a row for every terrain of a variant."""
        from app.features.game.variant.controller import show_variant

        places = self.places(any_game=True)
        if places is not None:
            show_variant(self._desk, places)

    # --- scripts ----------------------------------------------------------------------------

    def scripts(self) -> list[Path]:
        """The scripts that were found in the game's directory; at once, then looked for again."""
        places = self.places()
        if places is None:
            return []
        places.find_scripts()
        return list(places.scripts)

    # --- pictures ---------------------------------------------------------------------------

    def toggle_pictures(self) -> None:
        """Draw hazards with the game's own pictures, or with ours; it is remembered."""
        if self.pictures_shown:
            self._desk.settings.game_pictures = False
            self._pictures_job.cancel()
            self._show(OwnPictures())
        elif self._desk.settings.game_dir is None:
            self._ask_for_game()
        else:
            self._load_pictures(asked=True)

    def _ask_for_game(self) -> None:
        places = self.places(any_game=True)
        if places is None:
            self._pictures_shown(False)
            return
        from app.features.game.game_chooser import ChooseGameDialog

        why = f"The pictures belong to your own {places.host.TITLE}. Where is it?"
        dialog = ChooseGameDialog(places, why, self._desk.frame)
        dialog.accepted.connect(lambda: self._load_pictures(asked=True))
        dialog.rejected.connect(lambda: self._pictures_shown(False))
        self._open(dialog)

    def _load_pictures(self, *, asked: bool) -> None:
        path, places = self._desk.settings.game_dir, self.places(any_game=True)
        if path is None or places is None:
            self._pictures_shown(False)
            return
        host = places.host
        terrains = self._desk.document.battlemap.system.terrain_set.terrains
        work = loading_pictures(host, path, [terrain.name for terrain in terrains])
        self._pictures_job.run(
            work,
            lambda loaded: self._pictures_loaded(host, loaded),
            lambda problems: self._no_pictures(problems, asked),
        )

    def _pictures_loaded(self, host: GameHost, loaded: LoadedPictures) -> None:
        count, bad = len(loaded.images), len(loaded.problems)
        if not count:
            first = f": {loaded.problems[0].message}" if bad else ""
            self._desk.say(f"{host.TITLE} has no pictures of hazards that can be shown{first}.")
            self._pictures_shown(False)
            return
        self._desk.settings.game_pictures = True
        self._show(GamePictures(loaded.images))
        words = f"{counted(count, 'picture')} of {host.TITLE}"
        self._desk.say(f"{words}, {bad} could not be shown" if bad else f"Drawn with {words}")

    def _no_pictures(self, problems: tuple[Problem, ...], asked: bool) -> None:
        heading = "The game's pictures cannot be used"
        if asked:
            show_problems(self._desk.frame, heading, problems)
        else:
            self._desk.say(f"{heading}: {problems[0].message}")
        self._pictures_shown(False)

    def _pictures_shown(self, shown: bool) -> None:
        self.pictures_shown = shown
        self._desk.commands.refresh()

    def _show(self, pictures: Pictures) -> None:
        desk = self._desk
        desk.renderer.set_theme(desk.renderer.theme, pictures)
        desk.theme.refresh()
        self._pictures_shown(isinstance(pictures, GamePictures))
