"""The commands that write open maps to files: save, save as, export as; and the list of backups.

``FilesController`` has one ``Saving``, which the commands of the menu File call. A command goes
through three stages:

1. A public method waits for its turn: one map is saved at a time, questions included.
2. ``_save``, ``_save_as`` or ``_export_as`` decides, or asks (target_choice.py), which file and
   format it is.
3. ``_save_to`` writes it (map_writer.py), notes that the map is saved, and tells the user.

Each stage is about one open map. It stays the same if another one becomes current meanwhile.

A *flat* file holds one layer: what the visible layers show together. A *project* holds all of a
map.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import ActionLock, Stopped
from app.desk.desk import Desk
from app.document.hidden_layers import layers_left_out, text_about_left_out
from app.document.map_files import PROJECT_SUFFIX
from app.document.map_writing import Saved, save_format
from app.document.open_map import FlatFile
from app.features.files.map_writer import FileRole, MapWriter, NotWritten
from app.features.files.save_messages import (
    text_about_exported,
    text_about_flattened,
    text_about_saved,
)
from app.features.files.target_choice import TargetChoice, format_of_file
from app.qt_guard import connect
from app.scripts.project_texts import EditsInProject
from app.widgets.dialogs.choice import ChangeAnswer, choose, choose_about_change
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.formats.format import Format
from randomizer.formats.held_systems import can_write
from randomizer.model.basics.plurals import listed, with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.storage.disk.known_file import FileChange

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

WRITE_FLAT = 0
"""The index of "Write Moor.xml" among the answers of the question whether a flat file will do."""

MAKE_PROJECT = 1
"""The index of "Make a project..." there."""


class Saving(QObject):
    """Writes open maps to files, one at a time; what these held goes to the desk's backups.

    The coroutines return True if the map is now in its own file as it is; ``export_as`` returns
    True if it has written a copy. They return False if the user cancels, or if the map is closed
    meanwhile.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._targets = TargetChoice(desk)
        self._writer = MapWriter(desk)
        self._lock = ActionLock(self)
        """Taken while a map is saved, questions included: one map at a time."""

    # --- 1: actions, which wait for their turn ----------------------------------------------

    async def idle(self) -> None:
        """Wait until no file is being written."""
        async with self._lock:
            pass

    async def save(self) -> bool:
        """Write the current map to its file."""
        return await self.write(self._desk.document.current_map)

    async def write(self, open_map: OpenMap) -> bool:
        """Write a map to its file."""
        return await self._in_turn(self._save, open_map)

    async def save_as(self) -> bool:
        """Ask for a file and write the current map to it."""
        return await self._in_turn(self._save_as, self._desk.document.current_map)

    async def export_as(self) -> bool:
        """Ask for a file and write a flat copy of the current map to it.

        The map keeps its own file. While the overlay "players" is on, the copy has only what
        players may see.
        """
        return await self._in_turn(self._export_as, self._desk.document.current_map)

    async def save_to(self, path: Path, *, is_confirmed: bool = False) -> bool:
        """Write the current map to ``path``, from now on its file.

        The user is asked if another program changed the map's own file, unless ``is_confirmed``:
        then it was chosen in a dialog that has asked already.
        """
        save_action = partial(self._save_to, path, is_confirmed=is_confirmed)
        return await self._in_turn(save_action, self._desk.document.current_map)

    async def _in_turn(
        self, save_action: Callable[[OpenMap], Awaitable[bool]], open_map: OpenMap
    ) -> bool:
        """Do one of the actions below for a map while no other one is saved.

        Return what it returns; False if the map was closed, or the user stopped it.
        """
        async with self._lock:
            if not self._is_open(open_map):  # it was closed while another file was written
                return False
            try:
                return await save_action(open_map)
            except Stopped:
                return False

    def _is_open(self, open_map: OpenMap) -> bool:
        return open_map in self._desk.document.maps

    # --- 2: which file and format -----------------------------------------------------------

    async def _save(self, open_map: OpenMap) -> bool:
        """Write a map to its own file; ask for another if it has none that can be written."""
        path = open_map.path
        if path is None or format_of_file(open_map) is None:
            return await self._save_as(open_map)
        return await self._save_flat_or_project(path, open_map)

    async def _save_flat_or_project(
        self,
        path: Path,
        open_map: OpenMap,
        *,
        is_confirmed: bool = False,
        chosen_format: Format | None = None,
    ) -> bool:
        """Write a map to ``path``; if a flat file would lose something, ask whether it will do.

        The user who wants a project instead is asked for another file. The answer counts for the
        map from then on (``OpenMap.flat_file``). For the keywords see ``_save_to``.
        """
        # Where nothing is lost the user has answered nothing: later the map may have layers.
        is_asked = _is_flattened_unasked(path, open_map, chosen_format)
        if is_asked:
            question = self._ask_flat(path, open_map.battlemap)
            answer = await self._desk.document.while_open(open_map, question)
            if answer is FlatFile.UNDECIDED:
                return False
            if answer is FlatFile.DECLINED:
                open_map.flat_file = answer
                return await self._save_as(open_map)
        return await self._save_to(
            path,
            open_map,
            is_confirmed=is_confirmed,
            chosen_format=chosen_format,
            accepts_flat=is_asked,
        )

    async def _ask_flat(self, path: Path, battlemap: BattleMap) -> FlatFile:
        """Ask whether to write a flat file or a project; UNDECIDED if the user cancels.

        Enter makes a project where the flat file would leave something out.
        """
        details = (
            "Only a map project keeps layers, rolls and locks as well. "
            "This is asked once for each map; File > Save as can always write the other one."
        )
        default_answer = WRITE_FLAT
        left_out = text_about_left_out(layers_left_out(battlemap))
        if left_out:
            details = f"{left_out}\n\n{details}"
            default_answer = MAKE_PROJECT
        index = await choose(
            self._desk.frame,
            "What should Save write?",
            f"{path.name} holds one flat map: what the visible layers show together.",
            details,
            (f"Write {path.name}", "Make a project..."),
            default_answer,
        )
        if index == WRITE_FLAT:
            return FlatFile.ACCEPTED
        if index == MAKE_PROJECT:
            return FlatFile.DECLINED
        return FlatFile.UNDECIDED

    async def _save_as(self, open_map: OpenMap) -> bool:
        """Ask for a file and write a map to it.

        Only formats that can be read again are offered, the project first unless the user has
        accepted a flat file. The dialog begins with the format that the map's file has, or with a
        project if the user has declined a flat file.
        """
        writable = self._targets.formats_for(open_map)
        offered = [map_format for map_format in writable if map_format.readable]
        if open_map.flat_file is not FlatFile.ACCEPTED:
            offered.sort(key=_is_project, reverse=True)
        if open_map.flat_file is FlatFile.DECLINED:
            map_format: Format | None = offered[0]
        else:
            map_format = format_of_file(open_map)
        target = await self._targets.choose("Save map as", offered, open_map, map_format)
        if target is None:
            return False
        return await self._save_flat_or_project(
            target.path, open_map, is_confirmed=True, chosen_format=target.chosen_format
        )

    async def _export_as(self, open_map: OpenMap) -> bool:
        """Ask for a file and write a copy of a map to it, in any format but that of projects."""
        writable = self._targets.formats_for(open_map)
        flat_formats = [map_format for map_format in writable if not _is_project(map_format)]
        if not flat_formats:
            title = open_map.battlemap.system.title
            self._desk.say(
                f"There is no other format for {with_article(title)}: save it as a project."
            )
            return False

        # Ask for the file; the dialog begins with the format of the last export.
        last_format = None
        for map_format in flat_formats:
            if map_format.name == open_map.exported_as:
                last_format = map_format
        target = await self._targets.choose("Export map as", flat_formats, open_map, last_format)
        if target is None:
            return False

        # Write the copy. The map can be changed meanwhile: note which state of it is written.
        path = target.path
        state = open_map.state
        is_for_players = self._desk.renderer.overlays.players
        role = FileRole.COPY
        if is_for_players:
            role = FileRole.COPY_FOR_PLAYERS
        outcome = await self._writer.write(
            path, open_map, role, always_back_up=True, chosen_format=target.chosen_format
        )
        if not isinstance(outcome, Saved):
            return False

        # Note what was exported, and tell the user.
        if path == open_map.path:
            # The copy has replaced the map's own file: that is no change by another program.
            open_map.known_file = outcome.known_file
        if not is_for_players:
            open_map.exported_state = state
        location = ""
        if target.chosen_format is not None:
            open_map.exported_as = target.chosen_format.name
            location = target.chosen_format.location
        self._desk.say(text_about_exported(path, outcome, location, players=is_for_players))
        return True

    # --- 3: writing -------------------------------------------------------------------------

    async def _save_to(
        self,
        path: Path,
        open_map: OpenMap,
        *,
        is_confirmed: bool = False,
        chosen_format: Format | None = None,
        accepts_flat: bool = False,
    ) -> bool:
        """Write a map to ``path``, which is its file from now on, and tell the user.

        The user is asked if another program changed the map's own file, unless ``is_confirmed``.
        ``chosen_format`` is the one that the user has chosen; None stands for that of the suffix.
        ``accepts_flat``: the user has answered that a flat file will do, which counts for the map
        once it is written (``OpenMap.flat_file``).
        """
        was_changed_by_others = False
        if not is_confirmed and path == open_map.path:
            was_changed_by_others = _was_changed_by_others(open_map, path)
        if was_changed_by_others:
            question = choose_about_change(self._desk.frame, path.name)
            answer = await self._desk.document.while_open(open_map, question)
            if answer is ChangeAnswer.SAVE_ELSEWHERE:
                return await self._save_as(open_map)
            if answer is None:
                return False
        self._commit_script_and_cancel_stroke(open_map)

        # The desk can be used while the file is written: note what of the map is written.
        state = open_map.state
        layer_count = len(open_map.battlemap.layers)
        hidden_names = listed([layer.name for layer in layers_left_out(open_map.battlemap)])
        # What somebody else wrote into the file is backed up, however new the last backup is.
        outcome = await self._writer.write(
            path,
            open_map,
            FileRole.OWN_FILE,
            always_back_up=was_changed_by_others or is_confirmed,
            chosen_format=chosen_format,
        )
        if outcome is NotWritten.PROJECT_CHOSEN:
            open_map.flat_file = FlatFile.DECLINED  # ``_save_as`` then begins with a project
            return self._is_open(open_map) and await self._save_as(open_map)
        if not isinstance(outcome, Saved) or not self._is_open(open_map):
            return False

        # Note that the map is saved, and tell the user.
        has_changed = open_map.state != state
        open_map.known_file = outcome.known_file
        is_project = _is_project(outcome.map_format)
        if is_project:
            open_map.flat_file = FlatFile.DECLINED
        elif accepts_flat:
            open_map.flat_file = FlatFile.ACCEPTED
        self._desk.document.set_path(path, open_map, changed=has_changed)
        self._desk.settings.add_recent("maps", path)
        flattened = ""
        # What a format of another program loses, the writer has asked about.
        if not is_project and not outcome.map_format.foreign:
            flattened = text_about_flattened(layer_count, hidden_names)
        text = text_about_saved(
            path,
            outcome,
            flattened=flattened,
            script_edits=self._text_about_script_edits(open_map),
            has_changed=has_changed,
        )
        self._desk.say(text)
        return not open_map.unsaved

    def _commit_script_and_cancel_stroke(self, open_map: OpenMap) -> None:
        """End what is typed or painted in a map, so that its file holds whole undo steps."""
        document = self._desk.document
        if open_map is document.current_map:
            self._desk.scripts.map_script.commit()
            document.cancel_stroke()
        open_map.history.end_merging()

    def _text_about_script_edits(self, open_map: OpenMap) -> str:
        """Return the text on what became of unsaved edits of scripts; "" if there are none."""
        scripts = self._desk.scripts
        script_document = scripts.documents.of_map(open_map)
        edits = scripts.project_texts.edits_in_project(open_map)
        if script_document is None or edits is None:
            return ""
        name = script_document.script.name
        if edits is EditsInProject.SAVED:
            return f", with your edits of {name}"
        if edits is EditsInProject.LEFT_OUT:
            return f", without your last edits of {name}: roll or save the script"
        return ""

    # --- backups ----------------------------------------------------------------------------

    def show_backups(self) -> None:
        """List what the file of the current map held before; one can be opened as a new map."""
        from app.features.files.backups_dialog import BackupsDialog

        path = self._desk.document.path
        if path is None:
            self._desk.say("This map has no file yet, so there are no backups of one.")
            return
        if self._desk.backups is None:
            self._desk.say("No backups are made in this window.")
            return
        try:
            backups = self._desk.backups.backups_of(path)
        except ProblemError as reason:
            show_problems(self._desk.frame, f"No backups of {path.name}", reason.problems)
            return
        dialog = BackupsDialog(path, backups, self._desk.frame)
        connect(dialog.chosen, partial(self._desk.files.open_backup, path))
        dialog.open()


def _is_project(map_format: Format) -> bool:
    """Return whether a format is that of map projects, which lose nothing."""
    return PROJECT_SUFFIX in map_format.suffixes


def _is_flattened_unasked(path: Path, open_map: OpenMap, chosen_format: Format | None) -> bool:
    """Return whether a file would lose layers, rolls or locks about which nobody has asked yet.

    A project loses nothing, and about what a format of another program loses the writer asks. False
    also for a file that the writer refuses: it tells why.
    """
    if open_map.flat_file is FlatFile.ACCEPTED or not _needs_project(open_map.battlemap):
        return False
    try:
        map_format = save_format(path, open_map.battlemap.system, chosen_format)
    except ProblemError:
        return False
    if map_format.foreign or _is_project(map_format) or not map_format.readable:
        return False
    return can_write(map_format, open_map.battlemap)


def _needs_project(battlemap: BattleMap) -> bool:
    """Return whether a map has layers, rolls or locks, which only a project keeps.

    A single layer that is hidden is also lost: a flat file holds what is seen.
    """
    if len(battlemap.layers) != 1:
        return True
    (layer,) = battlemap.layers
    if layer.roll is not None or layer.locked or not layer.visible:
        return True
    return bool(battlemap.locked_cells.any() or battlemap.locked_sides.any())


def _was_changed_by_others(open_map: OpenMap, path: Path) -> bool:
    """Return whether a map's file holds something else than when it was last read or written.

    True also if it is not known what it held then: the file may have come from elsewhere.
    """
    if not path.is_file():
        return False
    known_file = open_map.known_file
    return known_file is None or known_file.change_since() is not FileChange.UNCHANGED
