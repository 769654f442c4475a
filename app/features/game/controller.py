"""What the desk does with the game: open from it, export into it, take back, use its pictures."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QDialog

from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import merge_in
from app.document.open_map import GameSource
from app.features.game.game_pictures import PictureSwitch
from app.features.game.places import GamePlaces
from app.features.game.play_here import PlayHere
from app.qt_guard import connect
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.catalog import game_host, game_hosts, usual_game_host
from randomizer.formats import ReadResult
from randomizer.games import GameHost
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.features.game.group.window import GroupWindow
    from app.features.game.open_dialog import OpenGameDialog
    from app.features.game.take_back_dialog import TakeBackDialog

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
        self._groups: dict[GamePlaces, GroupWindow] = {}
        self._game_loaded = False
        self.pictures = PictureSwitch(desk, self._any_places)
        self.play_here = PlayHere(desk, lambda: self._host if self._game_loaded else None)
        connect(desk.ready, self._start)

    def _start(self) -> None:
        """The window is up: load what the first commands will need, off the UI thread."""
        system = self._desk.document.battlemap.system

        def load(_progress: Callable[[int], None], _cancelled: Callable[[], bool]) -> None:
            import_module("numpy.ma")  # numpy itself loads it at the first big edit
            game_host(system)

        job = Job(load)
        connect(job.finished, self._loaded)
        job.start()

    def _loaded(self, _nothing: object) -> None:
        """Fetch what belongs to the remembered game."""
        self._game_loaded = True
        self._desk.commands.refresh()
        self.pictures.start()
        places = self.places()
        if places is not None:
            places.refresh()

    @property
    def ready(self) -> bool:
        """True if the game of the first map is loaded, and its commands may be used."""
        return self._game_loaded

    @property
    def _host(self) -> GameHost | None:
        """The game that plays the current map, None if none is known."""
        return game_host(self._desk.document.battlemap.system)

    def why_not_export(self) -> str:
        """Return why the current map cannot be exported, "" if it can or if that is not known
        yet.
        """
        if not self._game_loaded or self._host is not None:
            return ""
        return "No game is known that plays maps of this kind."

    def places(self) -> GamePlaces | None:
        """Return those of the game that plays the current map, None if none is known."""
        if self._host is None:
            return None
        return self._places_of(self._host)

    def _any_places(self) -> GamePlaces:
        """Return those of the game that plays the current map, else of the first that is known."""
        return self.places() or self._places_of(usual_game_host())

    def _places_of(self, host: GameHost) -> GamePlaces:
        if host.system not in self._places:
            places = self._places[host.system] = GamePlaces(host, self._desk.settings, self)
            connect(places.opened, self.pictures.follow_game)
            connect(places.opened, self._desk.commands.refresh)
        return self._places[host.system]

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        connect(dialog.finished, self._closed)
        dialog.open()

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def thumbnails(self, size: QSize) -> MapThumbnails:
        """Small pictures of maps, as the window draws them now; they are kept for the next time."""
        key = (size.width(), size.height())
        if key not in self._thumbnails:
            self._thumbnails[key] = MapThumbnails(size, self._desk.renderer, self)
        thumbnails = self._thumbnails[key]
        thumbnails.set_size(size, self._desk.frame.devicePixelRatioF())
        return thumbnails

    # --- open, export, take back ------------------------------------------------------------

    def open_from_game(self) -> None:
        """Choose a battleland of the game and open it, or merge it into the map."""
        from app.features.game.open_dialog import OpenGameDialog

        def make(places: GamePlaces) -> OpenGameDialog:
            thumbnails = self.thumbnails(GRID_THUMBNAIL)
            source = self._desk.document.source
            dialog = OpenGameDialog(places, thumbnails, source, self._desk.frame)
            connect(dialog.chosen, self._chosen)
            return dialog

        self._open_about(self._any_places(), make)

    def _open_about(
        self, places: GamePlaces, make: Callable[[GamePlaces], OpenGameDialog | TakeBackDialog]
    ) -> None:
        """Open a dialog about a game, to be left for one about another if several are known."""
        dialog = make(places)
        dialog.chooser.offer(game_hosts())

        def go_to(host: GameHost) -> None:
            dialog.reject()
            self._open_about(self._places_of(host), make)

        connect(dialog.chooser.game_chosen, go_to)
        self._open(dialog)

    def _chosen(self, result: ReadResult, source: GameSource, merge: bool) -> None:
        where = source.words
        if not merge:
            self._desk.files.open_bytes(result, source, where)
            return
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {where}", result.problems)
        if result.battlemap is not None:
            try:
                merge_in(self._desk.document, [(where, result)])
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot merge {where}", reason.problems)

    def export(self) -> None:
        """Write the map where the game loads it."""
        desk = self._desk
        places = self.places()
        if places is None:
            title = desk.document.battlemap.system.title
            desk.say(f"No game is known that plays {with_article(title)} from its directory.")
            return
        from app.features.game.export_dialog import ExportDialog

        desk.document.cancel_stroke()
        dialog = ExportDialog(places, desk.document, self.thumbnails(EXPORT_THUMBNAIL), desk.frame)
        dialog.game_export.players = desk.renderer.overlays.players
        connect(dialog.reported, desk.say)

        def export_as() -> None:
            dialog.reject()
            desk.commands.run("file.export-as")

        connect(dialog.export_as_asked, export_as)
        self._open(dialog)

    def take_back(self) -> None:
        """Put back what an export replaced."""
        from app.features.game.take_back_dialog import TakeBackDialog

        def make(places: GamePlaces) -> TakeBackDialog:
            dialog = TakeBackDialog(places, self._desk.frame)
            connect(dialog.reported, self._desk.say)
            return dialog

        self._open_about(self._any_places(), make)

    def why_no_group(self) -> str:
        """Return why the maps of no group can be rolled together, "" if they can."""
        host = self._host if self._game_loaded else None
        if host is None or len(host.levels) > 1:
            return ""
        return f"The maps of {host.title} do not stand in groups."

    def group_title(self) -> str:
        """Return what the whole of a group is called in the game of the current map."""
        if not self._game_loaded:
            return "Whole variant"  # of the battleland with which the desk begins
        host = self._host
        if host is None or len(host.levels) < 2:
            host = usual_game_host()
        return f"Whole {host.levels[0].name}"

    def whole_group(self) -> None:
        """Show the window with a row for every slot of a group."""
        from app.features.game.group.window import GroupWindow

        places = self._any_places()
        if places not in self._groups:
            self._groups[places] = GroupWindow(self._desk, places, self.thumbnails)
        self._groups[places].bring_up()

    # --- scripts ----------------------------------------------------------------------------

    def scripts(self) -> list[Path]:
        """Return the scripts that were found in the game's directory.

        At once, then looked for again.
        """
        places = self.places()
        if places is None:
            return []
        places.find_scripts()
        return list(places.scripts)
