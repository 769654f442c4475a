"""Opens files as maps, lays maps over the current one, and shows a map as the text of its file.

``feature.py`` makes a ``FilesController`` for the desk; the commands of the menu File and other
features call it. What happens to each file that is opened::

    _open_each         files wait for each other; what is wrong with them is told at the end
    _open_detected     finds out what the file is: terrain set, script, list of maps, or map
    _read_and_show     MapReader reads the map on another thread, and asks about what it lacks
    _show              the map is on the desk

A *copy* is a map without a file of its own, so that Save asks for one: a backup, or what a file
holds that belongs to another open map.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog

from app.background import actions
from app.background.actions import ActionLock, Stopped, answer, emitted, run
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, read_onto
from app.document.map_merging import merge_in
from app.document.open_map import GameSource
from app.document.stored_viewport import viewport_of
from app.features.files.closing import Closing
from app.features.files.map_reader import MapReader
from app.features.files.name_filters import formats_of_filter, name_filters
from app.features.files.reports import BACKUP_NAME, CANNOT_OPEN, PROBLEMS_IN, Reports
from app.features.files.saving import Saving
from app.qt_guard import report_fault
from app.widgets.dialogs.problem_dialog import show_problems, tell_problems
from randomizer.catalog.file_kinds import FileHead, look_at_file
from randomizer.catalog.map_file_reading import SUFFIXES_OF_MAP_LISTS, maps_named_by
from randomizer.catalog.map_formats import preferred_format
from randomizer.catalog.metadata_files import entry_of_file
from randomizer.formats.results import NamedMaps, ReadResult
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import ProblemError
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.storage.disk.backups import Backup


@dataclass(frozen=True)
class _Opening:
    """The way in which files that the user opens together are opened."""

    reports: Reports
    """Gets what is wrong with the files."""

    rolls_scripts: bool
    """True to roll a script that is opened, False to show its text only."""

    offers_fixes: bool
    """True to ask whether errors are to be fixed: for a single file, as it is a dialog for each."""


class FilesController(QObject):
    """Opens files on the desk; ``saving`` writes maps, ``closing`` closes them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.saving = Saving(desk)
        self._desk = desk
        self.closing = Closing(desk, self.saving)
        self._reader = MapReader(desk)
        self._lock = ActionLock(self)
        """Taken while files are opened or merged, questions included: one after the other."""

    # --- opening ----------------------------------------------------------------------------

    async def open(self) -> None:
        """Ask for files and open them."""
        await self._open_each(await self._ask("Open"))

    async def _ask(self, title: str) -> list[Path]:
        """Ask for files to open; return [] for Cancel."""
        from app.features.files.open_dialog import OpenDialog

        desk = self._desk
        folder = desk.settings.last_directory
        dialog = OpenDialog(title, folder, name_filters(), desk.renderer, desk.frame)
        code = await answer(dialog)
        if code != QDialog.DialogCode.Accepted:
            return []
        paths = [Path(name) for name in dialog.selectedFiles()]
        self._reader.note_chosen_formats(paths, formats_of_filter(dialog.selectedNameFilter()))
        return paths

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open files one after the other; tell what is wrong with them when all were read."""
        run(self._open_each(list(paths)))

    def open_path(self, path: Path, *, roll: bool = False) -> None:
        """Open a file after those that are being opened; ``roll``: if it is a script, roll it."""
        run(self._open_each([path], roll=roll))

    async def _open_each(self, paths: Sequence[Path], *, roll: bool = False) -> None:
        """Open files when those that were asked for before are open; one may fail, others open."""
        reports = Reports(self._desk.frame)
        opening = _Opening(reports, rolls_scripts=roll, offers_fixes=len(paths) == 1)
        async with self._lock:
            for index, path in enumerate(paths):
                if index > 0:
                    await self._wait_for_rolled_map()
                await self._open_and_report(path, opening)
        reports.show()

    async def _wait_for_rolled_map(self) -> None:
        """Wait until the script that was opened last has rolled its map."""
        rolling = self._desk.rolling
        while rolling.loading:
            await emitted(self, rolling.busy_changed, rolling.setup_changed)

    async def _open_and_report(self, path: Path, opening: _Opening) -> None:
        """Open a file as ``_open_detected``, but raise nothing: the reports get what is wrong."""
        try:
            await self._open_detected(path, opening)
        except Stopped:
            pass  # the user cancelled this one, or its map was closed
        except ProblemError as reason:
            opening.reports.add(CANNOT_OPEN, path, reason.problems)
        except Exception as fault:  # noqa: BLE001 - a fault must not keep the next file closed
            report_fault(fault)

    async def _open_detected(self, path: Path, opening: _Opening) -> None:
        """Find out what a file is and open it. Raises ProblemError, and Stopped for Cancel."""
        desk = self._desk

        # A terrain set.
        if path.suffix.lower() == TERRAINS:
            await desk.terrain_sets.open_or_raise(path)
            return

        # A script, or a metadata file, which names a script and says how it is rolled.
        head = look_at_file(path)
        roll = opening.rolls_scripts
        if head.is_script:
            desk.docks.show("randomize")
            await desk.scripts.opening.open(path, roll=roll, keep_map=True)
            return
        entry = entry_of_file(path)
        if entry is not None:
            desk.docks.show("randomize")
            generator = entry.generator()
            await desk.scripts.opening.open_generator(
                generator, entry.script, own=True, roll=roll, keep_map=True
            )
            return

        # A list of maps, such as a world of Tiled. Other files can have the same suffix.
        if path.suffix.lower() in SUFFIXES_OF_MAP_LISTS:
            reading = Job(lambda _progress, _cancelled: maps_named_by(path, head))
            named = await actions.result(reading)
            if named is not None:
                await self._open_listed_maps(path, named, opening.reports)
                return

        # A map.
        open_map = self._find_open_map(path)
        if open_map is not None:
            self._go_to(open_map, path.name)
        else:
            await self._read_and_show(path, head, opening)

    def _find_open_map(self, path: Path) -> OpenMap | None:
        """Return the open map whose file this is, None if it is not open."""
        for open_map in self._desk.document.maps:
            if open_map.path is not None and open_map.path.absolute() == path.absolute():
                return open_map
        return None

    def _go_to(self, open_map: OpenMap, file_name: str) -> None:
        """Make an open map the current one, and tell that its file is not read again."""
        self._desk.document.make_current(open_map)
        if open_map.unsaved:
            self._desk.say(f"{file_name} is open already, with changes that are not saved.")
        else:
            self._desk.say(f"{file_name} is open already.")

    async def _open_listed_maps(self, path: Path, named: NamedMaps, reports: Reports) -> None:
        """Open the maps that a file lists; each is saved to its own file, never to the list."""
        desk = self._desk
        opening = _Opening(reports, rolls_scripts=False, offers_fixes=False)
        for map_path in named.paths:
            await self._open_and_report(map_path, opening)
        if named.problems:
            reports.add(PROBLEMS_IN, path, named.problems)
        desk.settings.add_recent("maps", path)
        desk.settings.last_directory = str(path.parent)
        if len(named.paths) > 1:
            desk.say(f"{len(named.paths)} maps of {path.name} were opened, each as its own file.")
        elif named.paths:
            map_path = named.paths[0]
            desk.say(f"{map_path.name} is the map of {path.name}: it is saved there.")

    async def _read_and_show(self, path: Path, head: FileHead, opening: _Opening) -> None:
        """Read a map and show it; ask whether to fix its errors as long as it has none to show.

        Raises ProblemError, and Stopped if the user cancels.
        """
        read = await self._complete(path, await self._reader.read(path, head=head))
        is_fixed = False
        while opening.offers_fixes and read.result.battlemap is None:
            fixed = await self._reader.with_fixes(path, read)
            if fixed is None:
                break
            read = await self._complete(path, fixed)
            is_fixed = True
        is_shown = self._show(path, read, opening.reports)
        if is_fixed and is_shown:
            self._desk.document.set_path(None)  # Save would write over the file with its faults
            self._desk.say(f"{path.name} is open with its faults fixed: save it under a name.")

    async def _complete(self, path: Path, read: FileRead) -> FileRead:
        """Ask the user for what a file lacks, and return what is read with the answers.

        A file without a map of its own, such as a list of units, may be put onto another map. Files
        that it refers to may be missing. Raises ProblemError, and Stopped if the user cancels.
        """
        completed_result = await self._desk.questions.completed(path, read.result)
        completed = read._replace(result=completed_result)
        return await self._reader.with_missing_files(path, completed)

    def _show(self, path: Path, read: FileRead, reports: Reports) -> bool:
        """Show the map that was read of its file ``path``; return False if there is none.

        Its problems are noted in the reports.
        """
        desk = self._desk
        result = read.result
        if result.battlemap is None:
            reports.add(CANNOT_OPEN, path, result.problems)
            return False
        # Said first: what is to say of the map itself takes its place.
        desk.say(f"Opened {path.name}")
        desk.document.show_map(result.battlemap, path, viewport=viewport_of(result.view))
        if result.problems:
            reports.add(PROBLEMS_IN, path, result.problems)
        desk.canvas.setFocus()
        desk.document.current_map.known_file = read.known_file
        desk.settings.add_recent("maps", path)
        desk.settings.last_directory = str(path.parent)
        self._tell_of_looks(read)
        return True

    def _tell_of_looks(self, read: FileRead) -> None:
        """Tell if the terrains of a map look as the user has saved it for their program."""
        if read.looks is not None:
            self._desk.say(
                f"The terrains look as saved in {read.looks.name} "
                "(Map > Terrain set > Forget for this program)."
            )

    # --- opening copies ---------------------------------------------------------------------

    def open_copy(self, path: Path) -> None:
        """Open what a file holds as a map that has no file of its own."""
        run(self._show_copy_of(path, partial(self._reader.read, path)))

    def open_backup(self, path: Path, backup: Backup) -> None:
        """Open a backup of the file ``path`` as a map that has no file of its own."""
        message = f"The backup of {path.name} is open: save it under a name."
        read_backup = partial(self._reader.read_backup, path, backup)
        run(self._show_copy_of(BACKUP_NAME, read_backup, message, backup_of=path.name))

    async def _show_copy_of(
        self,
        reported_as: Path,
        read_copy: Callable[[], Awaitable[FileRead]],
        message: str = "",
        backup_of: str = "",
    ) -> None:
        """Show the map that ``read_copy`` reads, as one without a file.

        ``message`` is told once it is shown, "" for none. ``backup_of`` is the name of the file of
        which it is a backup, "" for a map that is none. What is wrong with the map is told, too, as
        problems of the file ``reported_as``.
        """
        reports = Reports(self._desk.frame)
        async with self._lock:
            try:
                read = await read_copy()
                self._show_copy(reported_as, read, reports, backup_of)
                if read.result.battlemap is not None and message:
                    self._desk.say(message)
            except ProblemError as reason:
                reports.add(CANNOT_OPEN, reported_as, reason.problems)
        reports.show()

    def _show_copy(
        self, reported_as: Path, read: FileRead, reports: Reports, backup_of: str
    ) -> None:
        """Show a map that was read, as one without a file; note its problems."""
        desk = self._desk
        result = read.result
        if result.battlemap is None:
            reports.add(CANNOT_OPEN, reported_as, result.problems)
            return
        viewport = viewport_of(result.view)
        desk.document.show_map(result.battlemap, None, viewport=viewport, backup_of=backup_of)
        if result.problems:
            reports.add(PROBLEMS_IN, reported_as, result.problems)
        desk.canvas.setFocus()
        self._tell_of_looks(read)

    # --- maps of the game -------------------------------------------------------------------

    def open_game_map(self, result: ReadResult, source: GameSource, where: str) -> None:
        """Show a map that was read from the game; by default it is exported back to ``source``.

        ``where`` names the file for the heading of its problems.
        """
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {where}", result.problems)
        if result.battlemap is not None:
            self._desk.document.show_map(result.battlemap, source=source)

    # --- merging ----------------------------------------------------------------------------

    async def merge(self) -> None:
        """Ask for maps and lay them over the current one."""
        document = self._desk.document
        open_map = document.current_map
        paths = await document.while_open(open_map, self._ask("Merge maps"))
        if paths:
            await self._merge(open_map, paths)

    def merge_paths(self, paths: Sequence[Path]) -> None:
        """Lay the maps of files over the current one, as layers above the active one.

        That is one undo step. What a file without a map of its own holds is put onto the current
        map.
        """
        run(self._merge(self._desk.document.current_map, list(paths)))

    async def _merge(self, open_map: OpenMap, paths: Sequence[Path]) -> None:
        """Read files one after the other, then lay them all over an open map.

        If one cannot be read, the map stays as it is, and the user is told.
        """
        document = self._desk.document
        frame = self._desk.frame
        results = []
        async with self._lock:
            for path in paths:
                with tell_problems(frame, f"Cannot merge {path.name}"):
                    result = await document.while_open(open_map, self._read_over(open_map, path))
                if result.problems:
                    show_problems(frame, f"Problems in {path.name}", result.problems)
                if result.battlemap is None:
                    return
                self._desk.settings.last_directory = str(path.parent)
                results.append((path.stem, result))
        document.make_current(open_map)
        with tell_problems(frame, "Cannot merge"):
            merge_in(document, results)

    async def _read_over(self, open_map: OpenMap, path: Path) -> ReadResult:
        """Return the map of a file, or for one without a map what it makes of an open map.

        Raises ProblemError, and Stopped if the user cancels.
        """
        # Read as a map first: that raises if it is no file that can be opened at all. A file that
        # only adds to a map, such as a list of units, is then read once more for the open map.
        read = await self._reader.read(path)
        result = read_onto(path, open_map.battlemap)
        if result is not None:
            return result
        completed = await self._reader.with_missing_files(path, read)
        return completed.result

    # --- showing as text --------------------------------------------------------------------

    def why_no_text(self) -> str:
        """Return why the current map has no file that is text, "" if it has one."""
        system = self._desk.document.battlemap.system
        # Projects are for all systems; a format that names its systems is a text file of theirs.
        is_text = bool(preferred_format(system).systems)
        if is_text:
            return ""
        return f"{with_article(system.noun, 'A')} has no file that is text: save it as a project."

    def show_text(self) -> None:
        """Show what a file of the current map would say, in the usual format of its system."""
        from app.widgets.dialogs.text_dialog import TextDialog

        document = self._desk.document
        file_format = preferred_format(document.battlemap.system)
        try:
            text = file_format.write(document.battlemap).decode(file_format.encoding or "utf-8")
        except ProblemError as reason:
            show_problems(self._desk.frame, "This map cannot be written", reason.problems)
            return
        TextDialog(document.display_name, text, self._desk.frame).open()
