"""Writes open maps to files: save, save as, export as, and the list of backups.

``FilesController`` has one ``Saving``, which the commands of the menu File call. An action goes
through three stages, each a section below:

1. A public method waits for its turn: one map is saved at a time, questions included.
2. ``_save``, ``_save_as`` or ``_export_as`` decides or asks which file and format it is.
3. ``_write`` asks what has to be asked and writes the file on another thread.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from app.background.actions import Stopped, Turn, result, run
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.hidden_layers import layers_left_out, text_about_left_out
from app.document.map_files import (
    PROJECT_SUFFIX,
    Saved,
    save_format,
    stored_viewport,
    write_map,
)
from app.qt_guard import connect
from app.widgets.dialogs.choice import choose, choose_about_change, choose_with_box
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.dialogs.problem_dialog import show_problems
from randomizer.catalog.catalog import formats
from randomizer.formats import Format, Purpose, writes
from randomizer.model.basics.plurals import listed, with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError
from randomizer.storage.disk.known_file import FileChange

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats import Look

OnEnd = Callable[[bool], object]
"""Called at the end of an action: True if the map is now in its own file as it is."""

WRITE_FLAT = 0
"""The index of the answer that writes a flat file, see ``Saving._ask_flat``."""

SAVE_ELSEWHERE = 1
"""The index of the answer that saves a map to another file, see ``choose_about_change``."""

WRITE_WITH_LOSSES = 0
"""The index of the answer that writes a file that loses something."""

MAKE_PROJECT = 1
"""The index of the answer that makes a project instead of either of these files."""


class Target(NamedTuple):
    """A file that a map is to be written to."""

    path: Path

    chosen: Format | None
    """The format whose line the user has chosen in the dialog; None for no line of a format."""


MOST_NAMES = 3
"""If an export writes more files than these beside its own, they are counted, not named."""

MOST_LOSSES = 12
"""So many lines of what a file loses are shown; further ones are counted."""


def _do_nothing(_saved: bool) -> None:
    """Be the ``OnEnd`` of an action for whose end nothing waits."""


def _is_project(map_format: Format) -> bool:
    """Return whether a format is that of map projects, which lose nothing."""
    return PROJECT_SUFFIX in map_format.suffixes


def filter_of(map_format: Format) -> str:
    """Return the line of a format in dialogs for files, such as ``Map project (*.battlemap)``."""
    patterns = " ".join(f"*{suffix}" for suffix in map_format.suffixes)
    return f"{map_format.title} ({patterns})"


def _free_path(folder: Path, name: str, suffix: str) -> Path:
    """Return a path without a suffix in a folder that has no such file with ``suffix``.

    It ends in ``name``, or in that and a number from 2 on: the file of another map with the same
    title is not offered to be replaced.
    """
    path = folder / name
    number = 1
    # Path.exists raises OSError for a title that is too long for a name; this is False.
    while os.path.exists(f"{path}{suffix}"):  # noqa: PTH110
        number += 1
        path = folder / f"{name} {number}"
    return path


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


def _paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Return a picture (PNG) of a tileset, see ``paint_tiles``."""
    from app.paper.tileset import paint_tiles  # not needed before a map is saved with a tileset

    return paint_tiles(battlemap, looks, width, height)


def _work_of_job(work: Callable[[], Saved], _progress: object, _cancelled: object) -> Saved:
    """Do the work of a job: writing shows no progress and cannot be cancelled."""
    return work()


class _ProjectChosen(Exception):  # noqa: N818 - an answer of the user
    """A file that would lose something is not written: the user chose to make a project."""


def _text_about_exported(path: Path, saved: Saved, location: str, *, players: bool) -> str:
    """Return the message about a copy that was written; ``players``: of the players' map.

    ``location`` is that of its format.
    """
    subject = ""
    if players:
        subject = "the players' map as "
    names = _names_of_written(path, saved)
    if location:
        return f"Exported {subject}{names}. {location} {saved.trouble}".rstrip()
    return f"Exported {subject}{names}. {saved.trouble}".rstrip(" .")


def _names_of_written(path: Path, saved: Saved) -> str:
    """Return the names of the files that were written, or their number if there are many."""
    if len(saved.beside) > MOST_NAMES:
        return f"{path.name} and {len(saved.beside):,} files beside it"
    return listed([path.name, *sorted(saved.beside)])


def _text_about_flattened(layer_count: int, left_out: str) -> str:
    """Return what became of the layers in a flat file; "" if it holds the only one.

    ``left_out`` is the list of the hidden layers that it does not hold.
    """
    if left_out and layer_count == 1:
        return f" (without {left_out}, which is hidden)"
    if left_out:
        return f" ({layer_count} layers flattened, without {left_out}: hidden)"
    if layer_count > 1:
        return f" ({layer_count} layers flattened)"
    return ""


class Saving(QObject):
    """Writes open maps to files, one at a time; what these held goes to the desk's backups.

    Each call is about one open map: the given one, or for None the current one; it stays the same
    if another one becomes current later. The call returns before the file is written; at the end
    ``on_end`` is called.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._backups = desk.backups
        """Keeps what files held before they were written over; None where nothing is kept."""
        self._turn = Turn(self)
        """Taken while a map is saved, questions included: one map at a time."""

    # --- 1: actions, which wait for their turn ----------------------------------------------

    def when_idle(self, action: Callable[[], object]) -> None:
        """Call ``action`` as soon as no file is being written, now if none is."""

        async def wait() -> None:
            await self.idle()
            action()

        run(wait())

    async def idle(self) -> None:
        """Wait until no file is being written."""
        async with self._turn:
            pass

    def save(self, open_map: OpenMap | None = None, on_end: OnEnd = _do_nothing) -> None:
        """Write a map to its file."""
        run(self._report_end(on_end, self.write(self._given_or_current(open_map))))

    async def write(self, open_map: OpenMap) -> bool:
        """Write a map to its file when it has its turn; return whether the file is up to date."""
        return await self._in_turn(self._save, open_map)

    def save_as(self, open_map: OpenMap | None = None, on_end: OnEnd = _do_nothing) -> None:
        """Ask for a file and write a map to it."""
        writing = self._in_turn(self._save_as, self._given_or_current(open_map))
        run(self._report_end(on_end, writing))

    def export_as(self, open_map: OpenMap | None = None, on_end: OnEnd = _do_nothing) -> None:
        """Ask for a file and write a flat copy to it; the map keeps its own file.

        While the overlay "players" is on, the copy has only what players may see.
        """
        writing = self._in_turn(self._export_as, self._given_or_current(open_map))
        run(self._report_end(on_end, writing))

    def save_to(
        self,
        path: Path,
        open_map: OpenMap | None = None,
        on_end: OnEnd = _do_nothing,
        *,
        is_confirmed: bool = False,
    ) -> None:
        """Write a map to ``path``, from now on its file.

        The user is asked if another program changed the map's own file, unless ``is_confirmed``:
        then it was chosen in a dialog that has asked already.
        """
        steps = partial(self._save_to, path, is_confirmed=is_confirmed)
        run(self._report_end(on_end, self._in_turn(steps, self._given_or_current(open_map))))

    def _given_or_current(self, open_map: OpenMap | None) -> OpenMap:
        """Return an open map; the current one for None."""
        if open_map is None:
            return self._desk.document.current_map
        return open_map

    async def _report_end(self, on_end: OnEnd, writing: Awaitable[bool]) -> None:
        """Call ``on_end`` at the end of a writing, also if a fault has ended it."""
        try:
            saved = await writing
        except Exception:
            on_end(False)
            raise
        on_end(saved)

    async def _in_turn(
        self, steps: Callable[[OpenMap], Awaitable[bool]], open_map: OpenMap
    ) -> bool:
        """Take the steps for a map while no other one is saved.

        Return what they return; False if the map was closed, or the user stopped them.
        """
        async with self._turn:
            if not self._is_open(open_map):  # it was closed while another file was written
                return False
            try:
                return await steps(open_map)
            except Stopped:
                return False

    def _is_open(self, open_map: OpenMap) -> bool:
        return open_map in self._desk.document.maps

    # --- 2: which file and format -----------------------------------------------------------
    # All actions here return whether the map is now in its own file as it is.

    async def _save(self, open_map: OpenMap) -> bool:
        """Write a map to its own file; ask for another if it has none that can be written."""
        path = open_map.path
        map_format = self._format_of(open_map)
        if path is None or map_format is None:
            return await self._save_as(open_map)
        # A project loses nothing. About what a format of another program loses, ``_write`` asks.
        # About all other formats, which hold one flat map, the user is asked here, once for a map,
        # as soon as it has what they do not hold: ``OpenMap.flat`` is the answer.
        if map_format.foreign or _is_project(map_format) or open_map.flat:
            return await self._save_to(path, open_map)
        if not _needs_project(open_map.battlemap):
            previous_answer = open_map.flat
            is_saved = await self._save_to(path, open_map)
            if open_map.path == path:
                open_map.flat = previous_answer  # it may have layers the next time: ask then
            return is_saved
        question = self._ask_flat(path, open_map.battlemap)
        flat = await self._desk.document.while_open(open_map, question)
        if flat is None:
            return False
        open_map.flat = flat
        if not flat:
            return await self._save_as(open_map)
        return await self._save_to(path, open_map)

    @staticmethod
    def _format_of(open_map: OpenMap) -> Format | None:
        """Return the format of a map's file, None if it has none that can be written."""
        if open_map.path is None:
            return None
        try:
            return save_format(open_map.path, open_map.battlemap.system)
        except ProblemError:
            return None

    async def _ask_flat(self, path: Path, battlemap: BattleMap) -> bool | None:
        """Ask whether to write a flat file (True) or a project (False); None for Cancel.

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
        if index is None:
            return None
        return index == WRITE_FLAT

    async def _save_as(self, open_map: OpenMap) -> bool:
        """Ask for a file and write a map to it.

        Only formats that can be read again are offered, the project first unless the user has
        chosen to keep a flat file. The dialog begins with the format that the map's file has, or
        with a project if the user has just turned that format down (``flat`` is False).
        """
        offered = [map_format for map_format in self._writable(open_map) if map_format.readable]
        if not open_map.flat:
            offered.sort(key=_is_project, reverse=True)
        if open_map.flat is False:
            map_format: Format | None = offered[0]
        else:
            map_format = self._format_of(open_map)
        target = await self._path_for("Save map as", offered, open_map, map_format)
        if target is None:
            return False
        return await self._save_to(target.path, open_map, is_confirmed=True, chosen=target.chosen)

    async def _export_as(self, open_map: OpenMap) -> bool:
        """Ask for a file and write a copy of a map to it, in any format but that of projects."""
        writable = self._writable(open_map)
        flat_formats = [map_format for map_format in writable if not _is_project(map_format)]
        if not flat_formats:
            title = open_map.battlemap.system.title
            self._desk.say(
                f"There is no other format for {with_article(title)}: save it as a project."
            )
            return False
        last_format = None
        for map_format in flat_formats:
            if map_format.name == open_map.exported_as:
                last_format = map_format
        target = await self._path_for("Export map as", flat_formats, open_map, last_format)
        if target is None:
            return False
        path = target.path
        state = open_map.state
        players = self._desk.renderer.overlays.players
        saved = await self._write(
            path, open_map, always_keep=True, chosen=target.chosen, players=players, exports=True
        )
        if saved is None:
            return False
        if path == open_map.path:
            # The copy has replaced the map's own file: that is no change by another program.
            open_map.known_file = saved.known_file
        if not players:
            open_map.exported_state = state
        location = ""
        if target.chosen is not None:
            open_map.exported_as = target.chosen.name
            location = target.chosen.location
        self._desk.say(_text_about_exported(path, saved, location, players=players))
        return True

    def _writable(self, open_map: OpenMap) -> list[Format]:
        """Return the formats in which a map can be written: those that its game loads first.

        Those of other programs come next, see ``Purpose``. A format of virtual tables is among them
        only if the map's file has it: else *Export for a virtual table* is the one way to it.
        """
        format_of_file = self._format_of(open_map)
        writable = []
        for map_format in formats():
            needs_picture = map_format.purpose is Purpose.TABLE and map_format is not format_of_file
            if writes(map_format, open_map.battlemap) and not needs_picture:
                writable.append(map_format)
        return sorted(writable, key=lambda map_format: map_format.purpose)

    async def _path_for(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None = None
    ) -> Target | None:
        """Ask for a file; None if the user cancels, or if the file cannot or must not be written.

        ``title`` is that of the dialog. ``offered`` and ``map_format`` are as for ``_ask_path``.
        Cancel in a question about the chosen file leads back to the dialog, with that file.
        """
        target: Target | None = None
        while True:
            if target is not None:
                map_format = target.chosen or map_format
            choice = self._ask_path(title, offered, open_map, map_format, target)
            target = await self._desk.document.while_open(open_map, choice)
            if target is None:
                return None
            if self._is_of_another_map(target.path, open_map):
                name = target.path.name
                text = f"{name} is open in another tab: close it there, or choose another file."
                self._desk.say(text, lasting=True)
                return None
            question = self._desk.may_write(target.path, open_map)
            if await self._desk.document.while_open(open_map, question):
                return target

    def _is_of_another_map(self, path: Path, open_map: OpenMap) -> bool:
        """Return whether a file is that of another open map, perhaps by another path to it."""
        if not path.exists():
            return False
        for other_map in self._desk.document.maps:
            other_path = other_map.path
            if other_map is open_map or other_path is None or not other_path.exists():
                continue
            if path.samefile(other_path):
                return True
        return False

    def _name_for_file(self, open_map: OpenMap) -> str:
        """Return the name, without a suffix, that is offered for the file of an open map.

        A map that was rolled from a script before that was saved in a file is called as that file.
        """
        name = self._desk.document.file_name_of(open_map)
        layer = open_map.battlemap.source_layer
        script_document = self._desk.scripts.documents.of_map(open_map)
        if layer is None or layer.roll is None or script_document is None:
            return name
        script_name = layer.roll.script_name
        path = script_document.script.path
        is_named_by_roll = name == Path(script_name).stem
        if path is not None and is_named_by_roll and script_name in script_document.names:
            return path.stem
        return name

    async def _ask_path(
        self,
        title: str,
        offered: list[Format],
        open_map: OpenMap,
        map_format: Format | None,
        previous_target: Target | None,
    ) -> Target | None:
        """Ask for a file, in one of the ``offered`` formats; None if the user cancels.

        At first the line of ``map_format`` is chosen, or that of the first offered format if
        ``map_format`` is not among them. The dialog begins with ``previous_target``, what was
        chosen in it before; with the map's name for None. A name without a suffix gets the one of
        the chosen line.
        """
        settings = self._desk.settings
        formats_by_filter = {
            filter_of(offered_format): offered_format for offered_format in offered
        }
        first_format = offered[0]
        if map_format is not None and map_format in offered:
            first_format = map_format
        if previous_target is not None:
            start = previous_target.path
        elif open_map.path is None:
            folder = Path(settings.last_directory)
            # Files of other formats are no obstacle: a project can lie beside ``isle.map``.
            suffix = first_format.suffixes[0]
            start = _free_path(folder, self._name_for_file(open_map), suffix)
        else:
            start = open_map.path.with_name(self._name_for_file(open_map))
        choice = choose_file_to_write(
            self._desk.frame,
            title,
            start,
            ";;".join(formats_by_filter),
            first_filter=filter_of(first_format),
            suffix_of=lambda line: formats_by_filter.get(line, offered[0]).suffixes[0],
        )
        chosen = await self._desk.document.while_open(open_map, choice)
        if chosen is None:
            return None
        settings.last_directory = str(chosen.path.parent)
        return Target(chosen.path, formats_by_filter.get(chosen.name_filter))

    # --- 3: writing -------------------------------------------------------------------------

    async def _save_to(
        self,
        path: Path,
        open_map: OpenMap,
        *,
        is_confirmed: bool = False,
        chosen: Format | None = None,
    ) -> bool:
        """Write a map to ``path``, which is its file from now on, and tell the user.

        The user is asked if another program changed the map's own file, unless ``is_confirmed``.
        ``chosen`` is the format that the user has chosen; None stands for the one of the suffix.
        """
        document = self._desk.document
        was_changed_by_others = False
        if not is_confirmed and path == open_map.path:
            was_changed_by_others = self._has_changed(open_map, path)
        if was_changed_by_others:
            choice = choose_about_change(self._desk.frame, path.name)
            index = await self._desk.document.while_open(open_map, choice)
            if index == SAVE_ELSEWHERE:
                return await self._save_as(open_map)
            if index is None:
                return False

        # End what is under way, so that the file holds whole undo steps.
        if open_map is document.current_map:
            self._desk.scripts.map_script.commit()
            document.cancel_stroke()
        open_map.history.end_merging()

        # The desk can be used while the file is written: note what of the map is written. What
        # somebody else wrote into the file is backed up in any case.
        state = open_map.state
        layer_count = len(open_map.battlemap.layers)
        left_out = listed([layer.name for layer in layers_left_out(open_map.battlemap)])
        always_keep = was_changed_by_others or is_confirmed
        try:
            saved = await self._write(path, open_map, always_keep=always_keep, chosen=chosen)
        except _ProjectChosen:
            return self._is_open(open_map) and await self._save_as(open_map)
        if saved is None or not self._is_open(open_map):
            return False

        has_changed = open_map.state != state
        open_map.known_file = saved.known_file
        open_map.flat = not _is_project(saved.map_format)
        document.set_path(path, open_map, changed=has_changed)
        self._desk.settings.add_recent("maps", path)
        flattened = ""
        # About formats of other programs the user was asked before.
        if open_map.flat and not saved.map_format.foreign:
            flattened = _text_about_flattened(layer_count, left_out)
        text = self._text_about_saved(path, open_map, saved, flattened, has_changed=has_changed)
        self._desk.say(text)
        return not open_map.unsaved

    def _text_about_saved(
        self, path: Path, open_map: OpenMap, saved: Saved, flattened: str, *, has_changed: bool
    ) -> str:
        """Return the message about a map that was saved, with what its file does not hold.

        ``flattened`` tells what became of the layers, see ``_text_about_flattened``.
        ``has_changed``: the map was changed since the writing began.
        """
        unsaved_scripts = self._desk.scripts.unsaved
        script_within = unsaved_scripts.edits_in_project(open_map)
        script_left_out = unsaved_scripts.edits_beside_project(open_map)
        edits = ""
        if script_within:
            edits = f", with your edits of {script_within}"
        elif script_left_out:
            edits = f", without your last edits of {script_left_out}: roll or save the script"

        meanwhile = ""
        if has_changed:
            meanwhile = "What you changed meanwhile is not in it. "
        names = _names_of_written(path, saved)
        return f"Saved {names}{flattened}{edits}. {meanwhile}{saved.trouble}".rstrip(" .")

    @staticmethod
    def _has_changed(open_map: OpenMap, path: Path) -> bool:
        """Return whether a map's file holds something else than when it was last read or written.

        Also if it is not known what it held then: the file may have come from elsewhere.
        """
        if not path.is_file():
            return False
        known_file = open_map.known_file
        return known_file is None or known_file.change() is not FileChange.NOTHING

    async def _write(
        self,
        path: Path,
        open_map: OpenMap,
        *,
        always_keep: bool,
        chosen: Format | None,
        players: bool = False,
        exports: bool = False,
    ) -> Saved | None:
        """Write a map on another thread, after what is to be asked; None if it was not written.

        ``write_map`` writes nothing while there is something to ask: about files beside the map's
        that it would replace, then about what the format would lose. The user is asked, and it is
        called again with the answer, so that there are up to three rounds. The map is written as it
        was when this was called.

        ``always_keep``: back the old file up even if that was done lately. ``players``: write what
        players may see of the map. ``exports``: it is a copy, so that no project is offered in its
        place. Raises _ProjectChosen if the user chooses to make a project.
        """
        battlemap = open_map.battlemap
        if players:
            battlemap = players_map(battlemap)
        battlemap = battlemap.snapshot()
        view = stored_viewport(open_map.viewport)
        # None stands for all of them: the user has agreed.
        replaceable: Mapping[str, str] | None = open_map.beside
        losing_formats: Collection[str] | None = open_map.may_lose
        while True:
            work = partial(
                write_map,
                battlemap,
                path,
                view,
                self._backups,
                always_keep=always_keep,
                chosen=chosen,
                beside=replaceable,
                may_lose=losing_formats,
                painter=_paint_tiles,
            )
            try:
                saved: Saved = await result(Job(partial(_work_of_job, work)))
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot save {path.name}", reason.problems)
                return None
            if saved.replaces:
                if not await self._may_replace(path, saved.replaces):
                    return None
                replaceable = None
            elif saved.lost:
                index = await self._ask_about_losses(path, open_map, saved, exports=exports)
                if index == MAKE_PROJECT:
                    open_map.flat = False
                    raise _ProjectChosen
                if index is None:
                    return None
                losing_formats = None
            else:
                open_map.beside = {**open_map.beside, **saved.beside}
                return saved

    async def _ask_about_losses(
        self, path: Path, open_map: OpenMap, saved: Saved, *, exports: bool
    ) -> int | None:
        """Ask what to do about a file that would lose something.

        Return ``WRITE_WITH_LOSSES``, ``MAKE_PROJECT`` (not offered for a copy, ``exports``), or
        None for Cancel. If the user wants no more questions about this map and format, the map
        remembers it (``OpenMap.may_lose``).
        """
        lines = [f"• {loss}" for loss in saved.lost[:MOST_LOSSES]]
        if len(saved.lost) > MOST_LOSSES:
            lines.append(f"... and {len(saved.lost) - MOST_LOSSES} more")
        answers = [f"Write {path.name}"]
        if not exports:
            answers.append("Make a project...")
        index, do_not_ask = await choose_with_box(
            self._desk.frame,
            "Not everything can be kept",
            f"{path.name}, {with_article(saved.map_format.title)}, will lose this:",
            "\n".join(lines),
            answers,
            "&Do not ask again for this map",
        )
        if index == WRITE_WITH_LOSSES and do_not_ask:
            open_map.may_lose.add(saved.map_format.name)
        return index

    async def _may_replace(self, path: Path, names: tuple[str, ...]) -> bool:
        """Ask whether files beside the map's file may be replaced; ``names`` are theirs."""
        names_text = ", ".join(names)
        index = await choose(
            self._desk.frame,
            "Replace what is beside the map?",
            f"{names_text}, beside {path.name}, does not hold what this map needs now.",
            "Replace it, too? Other maps may need what it holds; a backup of that is kept.",
            ("Replace it",),
        )
        return index == 0

    # --- backups ----------------------------------------------------------------------------

    def show_backups(self) -> None:
        """List what the file of the current map held before; one can be opened as a new map."""
        from app.features.files.backups_dialog import BackupsDialog

        path = self._desk.document.path
        if path is None or self._backups is None:
            self._desk.say("This map has no file yet, so there are no backups of one.")
            return
        try:
            backups = self._backups.of(path)
        except ProblemError as reason:
            show_problems(self._desk.frame, f"No backups of {path.name}", reason.problems)
            return
        dialog = BackupsDialog(path, backups, self._desk.frame)
        connect(dialog.chosen, partial(self._desk.files.open_backup, path))
        dialog.open()
