"""Writing open maps to files: save, save as, export as, backups."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.background.actions import Stopped, Turn, result, run
from app.background.jobs import Job
from app.desk.desk import Desk
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
from randomizer.formats import Format, writes
from randomizer.model.basics.plurals import listed, with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import ProblemError
from randomizer.storage.disk.known_file import FileChange

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats import Look

Then = Callable[[bool], object]
Target = tuple[Path, Format | None]
"""A file that a map is to be written to, and the format that the user has chosen for it."""


MOST_NAMES = 3
"""More files that were written beside the one of an export are counted, not named."""

MOST_LOSSES = 12
"""So many lines of what a file loses are shown."""


def _nothing(_saved: bool) -> None:
    """Nothing waits for the file."""


def _is_project(map_format: Format) -> bool:
    return PROJECT_SUFFIX in map_format.suffixes


def filter_of(map_format: Format) -> str:
    """Return the line of a format in dialogs for files."""
    return f"{map_format.title} ({' '.join('*' + suffix for suffix in map_format.suffixes)})"


def _paint_tiles(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    from app.paper.tileset import paint_tiles  # not needed before a map is saved with a tileset

    return paint_tiles(battlemap, looks, width, height)


def _work_of_job(work: Callable[[], Saved], _progress: object, _cancelled: object) -> Saved:
    return work()


class _ProjectWanted(Exception):  # noqa: N818 - an answer of the user
    """A file that would lose something is not written: the user would rather make a project."""


class Saving(QObject):
    """Writes open maps to files, one at a time; what these held goes to the desk's backups.

    Each call is about one open map (None: the current one), whichever is current later. It returns
    before the file is written; ``then(saved)`` is called at the end, with whether the map is in its
    file as it is.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._backups = desk.backups
        self._turn = Turn(self)
        """Taken while a map is saved, questions included: one map at a time."""

    # --- actions ----------------------------------------------------------------------------

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

    def save(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Write a map to its file."""
        run(self._tell(then, self.write(open_map or self._desk.document.current_map)))

    async def write(self, open_map: OpenMap) -> bool:
        """Write a map to its file, when it has its turn; False if it was not written."""
        return await self._in_turn(self._save, open_map)

    def save_as(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Ask for a file and write a map to it."""
        subject = open_map or self._desk.document.current_map
        run(self._tell(then, self._in_turn(self._save_as, subject)))

    def export_as(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Ask for a file and write a flat copy to it; the map keeps its own file.

        While the players' map is shown that is what is written.
        """
        subject = open_map or self._desk.document.current_map
        run(self._tell(then, self._in_turn(self._export_as, subject)))

    def save_to(
        self,
        path: Path,
        open_map: OpenMap | None = None,
        then: Then = _nothing,
        *,
        sure: bool = False,
    ) -> None:
        """Write a map to ``path``, from now on its file.

        Asks if another program changed the map's own file, unless the user is ``sure``.
        """
        subject = open_map or self._desk.document.current_map
        run(self._tell(then, self._in_turn(partial(self._save_to, path, sure=sure), subject)))

    async def _tell(self, then: Then, writing: Awaitable[bool]) -> None:
        """Call ``then`` at the end, also where a fault has ended the writing."""
        try:
            saved = await writing
        except Exception:
            then(False)
            raise
        then(saved)

    async def _in_turn(
        self, steps: Callable[[OpenMap], Awaitable[bool]], open_map: OpenMap
    ) -> bool:
        """Take the steps for a map while no other one is saved; False if it was closed."""
        async with self._turn:
            if not self._is_open(open_map):  # it was closed while another file was written
                return False
            try:
                return await steps(open_map)
            except Stopped:
                return False

    def _is_open(self, open_map: OpenMap) -> bool:
        return open_map in self._desk.document.maps

    # --- which file -------------------------------------------------------------------------

    async def _save(self, open_map: OpenMap) -> bool:
        path = open_map.path
        map_format = self._format_of(open_map)
        if path is None or map_format is None:
            return await self._save_as(open_map)
        if not (open_map.flat or map_format.foreign or _is_project(map_format)):
            flat = await self._desk.document.while_open(open_map, self._ask_flat(path))
            if flat is None:
                return False
            open_map.flat = flat
            if not flat:
                return await self._save_as(open_map)
        return await self._save_to(path, open_map)

    @staticmethod
    def _format_of(open_map: OpenMap) -> Format | None:
        """Return the format of a map's file, None if it has none or cannot be written."""
        if open_map.path is None:
            return None
        try:
            return save_format(open_map.path, open_map.battlemap.system)
        except ProblemError:
            return None

    async def _ask_flat(self, path: Path) -> bool | None:
        """Return whether a file that cannot hold everything is to be written all the same."""
        index = await choose(
            self._desk.frame,
            "What should Save write?",
            f"{path.name} holds one flat map: what the visible layers show together.",
            "Only a map project keeps layers, rolls, locks and placed things as well. "
            "This is asked once for each map; File > Save as can always write the other one.",
            (f"Keep the {path.suffix[1:].upper()} file", "Make a project..."),
        )
        if index is None:
            return None
        return index == 0

    async def _save_as(self, open_map: OpenMap) -> bool:
        offered = [map_format for map_format in self._writable(open_map) if map_format.readable]
        if not open_map.flat:
            offered.sort(key=_is_project, reverse=True)
        if open_map.flat is not False:
            map_format = self._format_of(open_map)
        else:
            map_format = offered[0]
        target = await self._path_for("Save map as", offered, open_map, map_format)
        if target is None:
            return False
        path, chosen = target
        return await self._save_to(path, open_map, sure=True, chosen=chosen)

    async def _export_as(self, open_map: OpenMap) -> bool:
        flat = [
            map_format for map_format in self._writable(open_map) if not _is_project(map_format)
        ]
        if not flat:
            title = open_map.battlemap.system.title
            self._desk.say(
                f"There is no other format for {with_article(title)}: save it as a project."
            )
            return False
        target = await self._path_for("Export map as", flat, open_map)
        if target is None:
            return False
        path, chosen = target
        players = self._desk.renderer.overlays.players
        saved = await self._write(
            path, open_map, always_keep=True, chosen=chosen, players=players, exports=True
        )
        if saved is None:
            return False
        if path == open_map.path:
            open_map.known_file = saved.known_file
        subject = ""
        if players:
            subject = "the players' map as "
        names = listed([path.name, *sorted(saved.beside)])
        if len(saved.beside) > MOST_NAMES:
            names = f"{path.name} and {len(saved.beside):,} files beside it"
        self._desk.say(f"Exported {subject}{names}. {saved.trouble}".rstrip(" ."))
        return True

    def _writable(self, open_map: OpenMap) -> list[Format]:
        """Return the formats for a map: those that its game loads, of other programs, of people."""
        writable = [each for each in formats() if writes(each, open_map.battlemap)]
        return sorted(writable, key=lambda map_format: map_format.purpose)

    async def _path_for(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None = None
    ) -> Target | None:
        """Return the file that the user has chosen, None if there is none."""
        chosen = self._ask_path(title, offered, open_map, map_format)
        target = await self._desk.document.while_open(open_map, chosen)
        if target is None:
            return None
        if self._is_of_another_map(target[0], open_map):
            text = (
                f"{target[0].name} is open in another tab: close it there, or choose another file."
            )
            self._desk.say(text, lasting=True)
            return None
        question = self._desk.may_write(target[0], open_map)
        may_write = await self._desk.document.while_open(open_map, question)
        return target if may_write else None

    def _is_of_another_map(self, path: Path, open_map: OpenMap) -> bool:
        """Return whether a file, under whichever name, is that of another open map."""
        other_paths = [
            other_map.path for other_map in self._desk.document.maps if other_map is not open_map
        ]
        return path.exists() and any(
            other_path is not None and other_path.exists() and path.samefile(other_path)
            for other_path in other_paths
        )

    async def _ask_path(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None
    ) -> Target | None:
        """Return a path with a suffix, or None; without a suffix the chosen format's is put there.

        The line of ``map_format`` is chosen at first.
        """
        settings = self._desk.settings
        filters = {filter_of(map_format): map_format for map_format in offered}
        start = Path(settings.last_directory) / self._name(open_map)
        if open_map.path is not None:
            start = open_map.path.with_name(open_map.path.stem)
        choice = choose_file_to_write(
            self._desk.frame,
            title,
            start,
            ";;".join(filters),
            first_filter=filter_of(map_format if map_format in offered else offered[0]),
            suffix_of=lambda line: filters.get(line, offered[0]).suffixes[0],
        )
        chosen = await self._desk.document.while_open(open_map, choice)
        if chosen is None:
            return None
        settings.last_directory = str(chosen.path.parent)
        return chosen.path, filters.get(chosen.name_filter)

    def _name(self, open_map: OpenMap) -> str:
        """Return a name for a map that has no file: its title, its script's name, or that of its
        kind.
        """
        layer = open_map.battlemap.source_layer
        roll = None if layer is None else layer.roll
        if roll is None:
            script = ""
        else:
            script = PurePath(roll.script_name).stem
        title = self._desk.document.title_of(open_map)
        return title or script or open_map.battlemap.system.title

    # --- writing ----------------------------------------------------------------------------

    async def _save_to(
        self, path: Path, open_map: OpenMap, *, sure: bool = False, chosen: Format | None = None
    ) -> bool:
        document = self._desk.document
        is_newer = not sure and path == open_map.path and self._changed(open_map, path)
        if is_newer:
            choice = choose_about_change(self._desk.frame, path.name)
            index = await self._desk.document.while_open(open_map, choice)
            if index == 1:
                return await self._save_as(open_map)
            if index is None:
                return False
        if open_map is document.current_map:
            self._desk.scripts.map_script.commit()
            document.cancel_stroke()
        open_map.history.end_merging()
        state = open_map.state
        layers = len(open_map.battlemap.layers)
        always_keep = is_newer or sure
        try:
            saved = await self._write(path, open_map, always_keep=always_keep, chosen=chosen)
        except _ProjectWanted:
            return self._is_open(open_map) and await self._save_as(open_map)
        if saved is None or not self._is_open(open_map):
            return False
        open_map.known_file = saved.known_file
        flat = not _is_project(saved.map_format)
        open_map.flat = flat
        changed = open_map.state != state  # the desk was used while the file was written
        document.set_path(path, open_map, changed=changed)
        self._desk.settings.add_recent("maps", path)
        is_told = layers == 1 or saved.map_format.foreign  # of those it is asked before
        if flat and not is_told:
            flattened = f" ({layers} layers flattened)"
        else:
            flattened = ""
        script_name = self._desk.scripts.unsaved.edits_in_project(open_map)
        left_out = self._desk.scripts.unsaved.edits_beside_project(open_map)
        edits = ""
        if script_name:
            edits = f", with your edits of {script_name}"
        elif left_out:
            edits = f", without your last edits of {left_out}: roll or save the script"
        text = "What you changed meanwhile is not in it. " if changed else ""
        self._desk.say(f"Saved {path.name}{flattened}{edits}. {text}{saved.trouble}".rstrip(" ."))
        return not open_map.unsaved

    @staticmethod
    def _changed(open_map: OpenMap, path: Path) -> bool:
        known_file = open_map.known_file
        return path.is_file() and (
            known_file is None or known_file.change() is not FileChange.NOTHING
        )

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
        """Write a map as a job, after what is to be asked; None if it was not written.

        Raises _ProjectWanted if the user would rather make a project.
        ``players``: what they may see of it. ``exports``: a copy, so that the map needs no other
        file.
        """
        battlemap = open_map.battlemap
        if players:
            battlemap = players_map(battlemap)
        battlemap = battlemap.snapshot()
        view = stored_viewport(open_map.viewport)
        may_replace = False
        may_lose = False
        while True:
            work = partial(
                write_map,
                battlemap,
                path,
                view,
                self._backups,
                always_keep=always_keep,
                chosen=chosen,
                beside=None if may_replace else open_map.beside,
                may_lose=None if may_lose else open_map.may_lose,
                painter=_paint_tiles,
            )
            try:
                saved: Saved = await result(Job(partial(_work_of_job, work)))
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot save {path.name}", reason.problems)
                return None
            if saved.replaces:
                may_replace = await self._may_replace(path, saved.replaces)
                if not may_replace:
                    return None
            elif saved.lost:
                index = await self._ask_about_losses(path, open_map, saved, exports)
                if index == 1:
                    open_map.flat = False
                    raise _ProjectWanted
                if index is None:
                    return None
                may_lose = True
            else:
                open_map.beside = {**open_map.beside, **saved.beside}
                return saved

    async def _ask_about_losses(
        self, path: Path, open_map: OpenMap, saved: Saved, exports: bool
    ) -> int | None:
        """Return whether a file is written that loses something (0), or a project (1)."""
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
        if index == 0 and do_not_ask:
            open_map.may_lose.add(saved.map_format.name)
        return index

    async def _may_replace(self, path: Path, names: tuple[str, ...]) -> bool:
        """Return whether files beside the map's file may be replaced."""
        names_text = ", ".join(names)
        index = await choose(
            self._desk.frame,
            "Replace what is beside the map?",
            f"{path.name} includes {names_text}, and another {names_text} is in that folder.",
            "Other maps may include it, too. A backup of what it holds now is kept.",
            ("Replace it",),
        )
        return index == 0

    # --- backups ----------------------------------------------------------------------------

    def show_backups(self) -> None:
        """Show what the file of the current map held before; one can be opened as a new map."""
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
        connect(dialog.chosen, self._desk.files.open_copy)
        dialog.open()
