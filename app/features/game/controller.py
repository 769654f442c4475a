"""The commands about the player's own game: open from it, export into it, take back.

``GameController`` is the desk's ``games``. It keeps the folder of each game (``GameFolder``), opens
the dialogs about them, and holds the helpers for the game's pictures and for playing in it. Which
game is meant follows from the system of the current map.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QDialog

from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_merging import merge_in
from app.document.open_map import GameSource
from app.features.game.game_folder import GameFolder
from app.features.game.game_pictures import PictureSwitch
from app.features.game.play_here import PlayHere
from app.qt_guard import connect
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.systems import game_host, game_hosts, usual_game_host
from randomizer.formats.results import ReadResult
from randomizer.games.host import GameHost
from randomizer.languages.language import SourceText
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from app.features.game.group.window import GroupWindow
    from app.features.game.open_dialog import OpenGameDialog
    from app.features.game.take_back_dialog import TakeBackDialog

GRID_THUMBNAIL = QSize(148, 156)
"""The size of the maps in the dialog that opens one from the game, in logical pixels."""

EXPORT_THUMBNAIL = QSize(208, 220)
"""The size of the maps in the dialog that exports one, in logical pixels."""


class GameController(QObject):
    """Opens the dialogs about the game of the current map, and keeps the folders of all games."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.dialog: QDialog | None = None
        """The dialog that is open, None if none is."""
        self._thumbnails: dict[tuple[int, int], MapThumbnails] = {}
        """The thumbnails that were used, by width and height."""
        self._folders_by_system: dict[str, GameFolder] = {}
        """The folders of the games that were used, by the name of their system."""
        self._group_windows: dict[GameFolder, GroupWindow] = {}
        """The windows of whole groups that were opened; a closed one is only hidden."""
        self._has_started = False
        """True when the module of the first map's game has been imported (``_start``).

        Before that no game is asked for: importing one on the UI thread would hold the start up.
        """
        self.pictures = PictureSwitch(desk, self._folder_of_map_or_usual)
        self.play_here = PlayHere(desk, self._loaded_host)
        connect(desk.ready, self._start)

    # --- start ------------------------------------------------------------------------------

    def _start(self) -> None:
        """Import the modules that the first commands need, off the UI thread."""
        system = self._desk.document.battlemap.system

        def load(_progress: Callable[[int], None], _cancelled: Callable[[], bool]) -> None:
            import_module("numpy.ma")  # numpy itself loads it at the first big edit
            game_host(system)

        job = Job(load)
        connect(job.finished, self._finish_start)
        job.start()

    def _finish_start(self, _nothing: object) -> None:
        """Enable the commands, and read the pictures and the folder of the remembered game."""
        self._has_started = True
        self._desk.commands.refresh()
        self.pictures.start()
        game_folder = self.game_folder()
        if game_folder is not None:
            game_folder.refresh()

    @property
    def ready(self) -> bool:
        """True if the game of the first map is loaded: only now its commands may be used."""
        return self._has_started

    # --- the game and its folder ------------------------------------------------------------

    @property
    def _host(self) -> GameHost | None:
        """The game that plays the current map; None if none is known. This may import the game."""
        return game_host(self._desk.document.battlemap.system)

    def _loaded_host(self) -> GameHost | None:
        """Return the game that plays the current map, None if none is known or not yet loaded.

        Unlike ``_host`` it never imports a game on the UI thread while the desk starts.
        """
        if not self._has_started:
            return None
        return self._host

    def game_folder(self) -> GameFolder | None:
        """Return the folder of the game that plays the current map, None if none is known."""
        if self._host is None:
            return None
        return self._folder_of_host(self._host)

    def _folder_of_map_or_usual(self) -> GameFolder:
        """Return the folder of the game that plays the current map, else of the usual game."""
        game_folder = self.game_folder()
        if game_folder is None:
            game_folder = self._folder_of_host(usual_game_host())
        return game_folder

    def _folder_of_host(self, host: GameHost) -> GameFolder:
        """Return the folder of a game, made when it is first asked for."""
        if host.system not in self._folders_by_system:
            game_folder = GameFolder(host, self._desk.settings, self)
            connect(game_folder.opened, self.pictures.follow_game)
            connect(game_folder.opened, self._desk.commands.refresh)
            self._folders_by_system[host.system] = game_folder
        return self._folders_by_system[host.system]

    # --- dialogs ----------------------------------------------------------------------------

    def _show_dialog(self, dialog: QDialog) -> None:
        """Open a dialog, which is deleted when it is closed."""
        self.dialog = dialog
        connect(dialog.finished, self._delete_dialog)
        from app.features.game.game_chooser import offer_manual  # dialogs are rarely opened

        offer_manual(dialog, self._desk.commands)
        dialog.open()

    def _delete_dialog(self) -> None:
        """Delete the dialog that was closed."""
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def thumbnails_for_screen(self, size: QSize) -> MapThumbnails:
        """Return thumbnails of a size (logical pixels), drawn as the desk draws maps now.

        The same object is returned for the same size, so that maps are not drawn again; its pixel
        ratio becomes that of the present screen.
        """
        key = (size.width(), size.height())
        if key not in self._thumbnails:
            self._thumbnails[key] = MapThumbnails(size, self._desk.renderer, self)
        thumbnails = self._thumbnails[key]
        thumbnails.set_size(size, self._desk.frame.devicePixelRatioF())
        return thumbnails

    # --- open, export, take back ------------------------------------------------------------

    def open_from_game(self) -> None:
        """Choose a map of the game in a dialog and open it, or merge it into the current map."""
        self._show_game_dialog(self._folder_of_map_or_usual(), self._make_open_dialog)

    def _make_open_dialog(self, game_folder: GameFolder) -> OpenGameDialog:
        """Return the dialog that opens a map from a game."""
        from app.features.game.open_dialog import OpenGameDialog

        thumbnails = self.thumbnails_for_screen(GRID_THUMBNAIL)
        source = self._desk.document.source
        dialog = OpenGameDialog(game_folder, thumbnails, source, self._desk.frame)
        connect(dialog.chosen, self._open_or_merge)
        return dialog

    def _show_game_dialog(
        self,
        game_folder: GameFolder,
        make_dialog: Callable[[GameFolder], OpenGameDialog | TakeBackDialog],
    ) -> None:
        """Open a dialog about a game; choosing another game in it opens one about that game."""
        dialog = make_dialog(game_folder)
        dialog.chooser.offer(game_hosts())

        def show_for_other_game(host: GameHost) -> None:
            dialog.reject()
            self._show_game_dialog(self._folder_of_host(host), make_dialog)

        connect(dialog.chooser.game_chosen, show_for_other_game)
        self._show_dialog(dialog)

    def _open_or_merge(self, result: ReadResult, source: GameSource, merge: bool) -> None:
        """Open the map that was chosen in the dialog, or merge it into the current map."""
        title = source.words
        if not merge:
            self._desk.files.open_game_map(result, source, title)
            return
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {title}", result.problems)
        if result.battlemap is not None:
            try:
                merge_in(self._desk.document, [(title, result)])
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot merge {title}", reason.problems)

    def why_not_export(self) -> str:
        """Return why the current map cannot be exported, "" if it can.

        "" also at the start, until its game is known.
        """
        if not self._has_started or self._host is not None:
            return ""
        return "No game is known that plays maps of this kind."

    def export(self) -> None:
        """Open the dialog that writes the current map where the game loads it."""
        desk = self._desk
        game_folder = self.game_folder()
        if game_folder is None:
            title = desk.document.battlemap.system.title
            desk.say(f"No game is known that plays {with_article(title)} from its directory.")
            return
        from app.features.game.export_dialog import ExportDialog

        desk.document.cancel_stroke()
        dialog = ExportDialog(
            game_folder,
            desk.document,
            self.thumbnails_for_screen(EXPORT_THUMBNAIL),
            desk.frame,
            self._script_for(game_folder.host),
        )
        dialog.game_export.is_for_players = desk.renderer.overlays.players
        connect(dialog.reported, desk.say)

        def export_as() -> None:
            folder = dialog.folder_of_further_files
            if folder is not None:
                desk.settings.last_directory = str(folder)
            dialog.reject()
            desk.commands.run("file.export-as")

        connect(dialog.export_as_asked, export_as)
        self._show_dialog(dialog)

    def _script_for(self, host: GameHost) -> SourceText | None:
        """Return the script of the current map, if it has one that a game can roll; else None."""
        scripts = self._desk.scripts
        is_of_map = scripts.fits_map and not scripts.layer_sentences.about_map()
        if not host.rolls_scripts or not is_of_map or not scripts.source.text:
            return None
        return scripts.source

    def take_back(self) -> None:
        """Open the dialog that puts back what an export replaced."""
        self._show_game_dialog(self._folder_of_map_or_usual(), self._make_take_back_dialog)

    def _make_take_back_dialog(self, game_folder: GameFolder) -> TakeBackDialog:
        """Return the dialog that takes back an export into a game."""
        from app.features.game.take_back_dialog import TakeBackDialog

        dialog = TakeBackDialog(game_folder, self._desk.frame)
        connect(dialog.reported, self._desk.say)
        return dialog

    # --- whole groups -----------------------------------------------------------------------

    def why_no_group(self) -> str:
        """Return why no whole group can be rolled for the game of the current map, "" if one can.

        "" also at the start, until its game is known.
        """
        host = self._loaded_host()
        if host is None and self._has_started:
            noun = self._desk.document.battlemap.system.noun
            return f"No game is known that plays {with_article(noun, 'a')}."
        if host is None or len(host.levels) > 1:
            return ""
        return f"The maps of {host.title} do not stand in groups."

    def group_title(self) -> str:
        """Return the title of the command ``show_group_window`` for the game of the current map."""
        if not self._has_started:
            return "Whole variant"  # of the battleland with which the desk begins
        host = self._host
        # A game with a single level has slots alone, and no groups.
        if host is None or len(host.levels) < 2:
            host = usual_game_host()
        return f"Whole {host.levels[0].name}"

    def show_group_window(self) -> None:
        """Show the window with a row for every slot of a group of the game."""
        from app.features.game.group.rows import DRAWN_SIZE
        from app.features.game.group.window import GroupWindow

        game_folder = self._folder_of_map_or_usual()
        if game_folder not in self._group_windows:
            self._group_windows[game_folder] = GroupWindow(
                self._desk, game_folder, self.thumbnails_for_screen(DRAWN_SIZE)
            )
        self._group_windows[game_folder].bring_up()

    # --- scripts ----------------------------------------------------------------------------

    def scripts(self) -> list[Path]:
        """Return the scripts in the game's directory that are known now, and look for them again.

        They may have changed on the disk; ``GameFolder.scripts_found`` tells when others are known.
        """
        game_folder = self.game_folder()
        if game_folder is None:
            return []
        game_folder.find_scripts_or_game()
        return list(game_folder.scripts)
