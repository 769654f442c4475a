"""Opens files as maps, lays maps over the current one, and shows a map as the text of its file.

``feature.py`` makes a ``FilesController`` for the desk; the commands of the menu File and other
features call it. All opening ends in ``_open``, which finds out what a file is. A map is read on
another thread (``_read``); then the user may be asked about missing files (``_complete``) and about
errors that can be fixed (``_ask_for_fixes``), and the map is shown (``_show``). Files are opened
one after the other, and what is wrong with them is told at the end (``Reports``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.background.actions import Stopped, Turn, answer, emitted, result, run
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, read_onto, reading
from app.document.map_merging import merge_in
from app.document.open_map import GameSource
from app.document.stored_viewport import viewport_of
from app.features.files.closing import Closing
from app.features.files.missing_files import ask_for_file
from app.features.files.reading_progress import ReadingProgress
from app.features.files.saving import Saving
from app.features.files.target_choice import filter_of
from app.qt_guard import report_fault
from app.widgets.dialogs.problem_dialog import show_problems, tell_problems
from randomizer.catalog.catalog import (
    formats,
    preferred_format,
    script_suffixes,
)
from randomizer.catalog.file_kinds import (
    SUFFIXES_OF_MAP_LISTS,
    Head,
    look_at_file,
    maps_named_by,
)
from randomizer.catalog.script_catalog import entry_of_file
from randomizer.formats import NO_FILES, Format, NamedMaps, ReadResult
from randomizer.model.basics.plurals import with_article
from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.storage.disk.backups import Backup

CANNOT_OPEN = "Cannot open"
"""The heading of the problems of a file that was not opened."""

PROBLEMS_IN = "Problems in"
"""The heading of the problems of a file that was opened all the same."""

BACKUP_NAME = Path("the backup")
"""What a backup is called in headings: the name of its own file means nothing to a user."""


def filters() -> list[str]:
    """Return the lines of the dialogs' kinds of files: of all files, then of each format.

    A line is such as ``Randomizer scripts (*.rnd *.js)``.
    """
    readable = [map_format for map_format in formats() if map_format.readable]
    suffixes_of_maps: list[str] = []
    for map_format in readable:
        suffixes_of_maps += map_format.suffixes
    maps = _patterns(dict.fromkeys(suffixes_of_maps))  # each once: formats can share a suffix
    lists = _patterns(SUFFIXES_OF_MAP_LISTS)
    scripts = _patterns(script_suffixes())
    lines = (
        f"Maps, scripts and terrain sets ({maps} {lists} {scripts} *{TERRAINS})",
        f"Maps ({maps} {lists})",
        *[filter_of(map_format) for map_format in readable],
        f"Worlds of Tiled, scenarios of Wesnoth ({lists})",
        f"Randomizer scripts ({scripts})",
        f"Terrain sets (*{TERRAINS})",
        "All files (*)",
    )
    return list(dict.fromkeys(lines))


def _patterns(suffixes: Iterable[str]) -> str:
    """Return the patterns of a line of the dialog: ``*.rnd *.js``."""
    return " ".join(f"*{suffix}" for suffix in suffixes)


class _Report(NamedTuple):
    """The problems of one file."""

    heading: str
    """What stands before the name of the file, such as ``CANNOT_OPEN``."""

    path: Path
    problems: Sequence[Problem]


class Reports:
    """Collects the problems of files that are opened together; tells them when all were read."""

    def __init__(self, frame: QWidget) -> None:
        self._frame = frame
        self._reports: list[_Report] = []

    def add(self, heading: str, path: Path, problems: Sequence[Problem]) -> None:
        """Note the problems of a file; the name of the file is added to the heading."""
        self._reports.append(_Report(heading, path, problems))

    def show(self) -> None:
        """Open a dialog with all problems, if there are any."""
        if not self._reports:
            return
        if len(self._reports) == 1:
            report = self._reports[0]
            heading = f"{report.heading} {report.path.name}"
        else:
            heading = f"Problems in {len(self._reports)} files"
        located_problems: list[Problem] = []
        for report in self._reports:
            for problem in report.problems:
                path = problem.path or str(report.path)
                located_problems.append(problem.at_path(path))
        show_problems(self._frame, heading, located_problems)


class FilesController(QObject):
    """Opens files on the desk; ``saving`` writes maps, ``closing`` closes them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.saving = Saving(desk)
        self._desk = desk
        self.closing = Closing(desk, self.saving)
        self._progress = ReadingProgress(desk)
        self._opening = Turn(self)
        """Taken while files are opened or merged, questions included: one after the other."""
        self._chosen_formats: dict[Path, tuple[Format, ...]] = {}
        """The formats whose line was chosen in the dialog, by the files that were chosen there."""

    # --- opening ----------------------------------------------------------------------------

    async def open(self) -> None:
        """Ask for files and open them."""
        await self._open_each(await self._ask("Open"))

    async def _ask(self, title: str) -> list[Path]:
        """Ask for files to open; return [] for Cancel."""
        from app.features.files.open_dialog import OpenDialog, formats_of_filter

        desk = self._desk
        folder = desk.settings.last_directory
        dialog = OpenDialog(title, folder, filters(), desk.renderer, desk.frame)
        code = await answer(dialog)
        if code != QDialog.DialogCode.Accepted:
            return []
        paths = [Path(name) for name in dialog.selectedFiles()]
        chosen_formats = formats_of_filter(dialog.selectedNameFilter())
        self._chosen_formats.update(dict.fromkeys(paths, chosen_formats))
        return paths

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open files one after the other; tell what is wrong with them when all were read."""
        run(self._open_each(list(paths)))

    def open_path(self, path: Path, *, roll: bool = False) -> None:
        """Open a file after those that are being opened; ``roll``: if it is a script, roll it."""
        run(self._open_each([path], roll=roll))

    def open_copy(self, path: Path) -> None:
        """Open what a file holds as a map that has no file of its own."""
        run(self._open_copy(partial(self._read, path)))

    def open_backup(self, path: Path, backup: Backup) -> None:
        """Open a backup of the file ``path`` as a map that has no file of its own."""
        told = f"The backup of {path.name} is open: save it under a name."
        run(self._open_copy(partial(self._read_backup, path, backup), told, path.name))

    async def _open_each(self, paths: Sequence[Path], *, roll: bool = False) -> None:
        """Open files when those that were asked for before are open; one may fail, others open."""
        reports = Reports(self._desk.frame)
        async with self._opening:
            for index, path in enumerate(paths):
                if index > 0:
                    await self._wait_for_rolled_map()
                await self._open_reporting(path, reports, roll=roll, is_alone=len(paths) == 1)
        reports.show()

    async def _open_reporting(
        self, path: Path, reports: Reports, *, roll: bool, is_alone: bool
    ) -> None:
        """Open a file as ``_open`` does, but raise nothing: add to ``reports`` what is wrong."""
        try:
            await self._open(path, reports, roll=roll, is_alone=is_alone)
        except Stopped:
            pass  # the user cancelled this one, or its map was closed
        except ProblemError as reason:
            reports.add(CANNOT_OPEN, path, reason.problems)
        except Exception as fault:  # noqa: BLE001 - a fault must not keep the next file closed
            report_fault(fault)

    async def _wait_for_rolled_map(self) -> None:
        """Wait until the script that was opened last has rolled its map."""
        rolling = self._desk.rolling
        while rolling.loading:
            await emitted(self, rolling.busy_changed, rolling.setup_changed)

    async def _open(self, path: Path, reports: Reports, *, roll: bool, is_alone: bool) -> None:
        """Find out what a file is and open it: terrain set, script, list of maps, or map.

        ``is_alone``: it is not one of several, so that fixes of its errors are offered. Raises
        ProblemError, and Stopped if the user cancels.
        """
        desk = self._desk
        if path.suffix.lower() == TERRAINS:
            await desk.terrain_sets.open_file(path)
            return
        head = look_at_file(path)
        if head.is_script:
            desk.docks.show("randomize")
            await desk.scripts.opening.open(path, roll=roll, beside=True)
            return
        entry = entry_of_file(path)
        if entry is not None:
            # A metadata file, which names a script and says how it is rolled.
            desk.docks.show("randomize")
            generator = entry.generator()
            await desk.scripts.opening.open_generator(
                generator, entry.script, own=True, roll=roll, beside=True
            )
            return
        if path.suffix.lower() in SUFFIXES_OF_MAP_LISTS:
            named = await result(Job(lambda _progress, _cancelled: maps_named_by(path, head)))
            if named is not None:
                await self._open_named(path, named, reports)
                return
        open_map = self._open_map_of(path)
        if open_map is not None:
            desk.document.make_current(open_map)
            if open_map.unsaved:
                desk.say(f"{path.name} is open already, with changes that are not saved.")
            else:
                desk.say(f"{path.name} is open already.")
            return
        await self._open_map(path, head, reports, is_alone=is_alone)

    def _open_map_of(self, path: Path) -> OpenMap | None:
        """Return the open map whose file this is, None if it is not open."""
        for open_map in self._desk.document.maps:
            if open_map.path is not None and open_map.path.absolute() == path.absolute():
                return open_map
        return None

    async def _open_named(self, path: Path, named: NamedMaps, reports: Reports) -> None:
        """Open the maps that a file lists; each is saved to its own file, never to the list."""
        desk = self._desk
        for map_path in named.paths:
            await self._open_reporting(map_path, reports, roll=False, is_alone=False)
        if named.problems:
            reports.add(PROBLEMS_IN, path, named.problems)
        desk.settings.add_recent("maps", path)
        desk.settings.last_directory = str(path.parent)
        if len(named.paths) > 1:
            desk.say(f"{len(named.paths)} maps of {path.name} were opened, each as its own file.")
        else:
            map_path = named.paths[0]
            desk.say(f"{map_path.name} is the map of {path.name}: it is saved there.")

    async def _open_map(self, path: Path, head: Head, reports: Reports, *, is_alone: bool) -> None:
        """Read a map and show it; ask whether to fix its errors as long as it has none to show.

        Raises ProblemError, and Stopped if the user cancels.
        """
        read = await self._complete(path, await self._read(path, head=head), asks_where=True)
        is_fixed = False
        while is_alone and read.result.battlemap is None:
            fixed = await self._ask_for_fixes(path, read)
            if fixed is None:
                break
            read = await self._complete(path, fixed, asks_where=True)
            is_fixed = True
        self._show(path, read, reports)
        if is_fixed and self._desk.document.battlemap is read.result.battlemap:
            self._desk.document.set_path(None)  # Save would write over the file with its faults
            self._desk.say(f"{path.name} is open with its faults fixed: save it under a name.")

    async def _open_copy(
        self,
        read_copy: Callable[[], Awaitable[FileRead]],
        told: str = "",
        backup_of: str = "",
    ) -> None:
        """Show the map that a function reads, which has no file; tell what is wrong with it.

        ``told`` is the message of a map that is shown, ``backup_of`` the name of the file of which
        it is a backup.
        """
        reports = Reports(self._desk.frame)
        async with self._opening:
            try:
                read = await read_copy()
                self._show(None, read, reports, backup_of)
                if read.result.battlemap is not None and told:
                    self._desk.say(told)
            except ProblemError as reason:
                reports.add(CANNOT_OPEN, BACKUP_NAME, reason.problems)
        reports.show()

    async def _read_backup(self, path: Path, backup: Backup) -> FileRead:
        """Read a backup of ``path``, with the files beside ``path`` that it refers to.

        They are taken as they were when the backup was made. Raises ProblemError, and Stopped if
        the user cancels.
        """
        backups = self._desk.backups
        assert backups is not None, "the backup is one of them"
        read = await self._read(backup.path)
        companions: dict[str, Path] = {}
        while True:
            new_companions: dict[str, Path] = {}
            for name in read.result.missing:
                # Only files beside the map: one in another folder is none of its companions.
                if name in companions or not name or PurePath(name).name != name:
                    continue
                companion = backups.content_at(path.with_name(name), backup.replaced)
                if companion.is_file():
                    new_companions[name] = companion
            if not new_companions:
                return read
            companions |= new_companions
            # What was missing may refer to further files.
            read = await self._read(backup.path, companions)

    async def _read(
        self,
        path: Path,
        further_files: Mapping[str, Path | bytes] = NO_FILES,
        head: Head | None = None,
    ) -> FileRead:
        """Read a map on another thread. Raises ProblemError, and Stopped if the user cancels.

        ``further_files`` are files, or their bytes, that it refers to, by the names that it has for
        them. ``head`` is what was read of the file already, None for nothing.
        """
        looks = self._desk.settings.program_terrains
        chosen = self._chosen_formats.get(path, ())
        try:
            job = Job(reading(path, further_files, looks, chosen, head))
            read: FileRead = await self._progress.result_of(job, path.name)
        except ProblemError:
            if not path.exists():
                self._desk.settings.drop_recent("maps", path)  # menus shall not offer it again
            raise
        return read

    async def _complete(self, path: Path, read: FileRead, *, asks_where: bool) -> FileRead:
        """Ask for files that a map refers to and that are missing; read it again with each.

        Return what was read last, when nothing is missing or the user goes on without. If
        ``asks_where``, a file that has no map of its own may be put onto another one. Raises
        ProblemError, and Stopped if the user cancels.
        """
        if asks_where:
            read = read._replace(result=await self._desk.complete(path, read.result))
        further_files: Mapping[str, Path | bytes] = NO_FILES
        while True:
            missing = [name for name in read.result.missing if name not in further_files]
            if not missing:
                return read
            is_open_without = read.result.battlemap is not None
            answer_files = await ask_for_file(
                self._desk, path, read.map_format, missing, is_open_without=is_open_without
            )
            if not answer_files:
                return read
            further_files = {**further_files, **answer_files}
            read = await self._read(path, further_files)

    def _show(
        self, path: Path | None, read: FileRead, reports: Reports, backup_of: str = ""
    ) -> None:
        """Show the map that was read of ``path``, None for a backup; note its problems.

        ``backup_of`` is as for ``_open_copy``.
        """
        desk = self._desk
        result = read.result
        if path is None:
            source = BACKUP_NAME
        else:
            source = path
        if result.battlemap is None:
            reports.add(CANNOT_OPEN, source, result.problems)
            return
        viewport = viewport_of(result.view)
        if path is not None:
            # Said first: what is to say of the map itself takes its place.
            desk.say(f"Opened {path.name}")
        desk.document.show_map(result.battlemap, path, viewport=viewport, backup_of=backup_of)
        if result.problems:
            reports.add(PROBLEMS_IN, source, result.problems)
        desk.canvas.setFocus()
        if path is not None:
            desk.document.current_map.known_file = read.known_file
            desk.settings.add_recent("maps", path)
            desk.settings.last_directory = str(path.parent)
        if read.looks is not None:
            desk.say(
                f"The terrains look as saved in {read.looks.name} "
                "(Map > Terrain set > Forget for this program)."
            )

    async def _ask_for_fixes(self, path: Path, read: FileRead) -> FileRead | None:
        """Show the errors of a file, and return it as it is read with their fixes.

        None if no error has a fix. Raises Stopped if the user cancels. Files that the map refers to
        are not asked for again.
        """
        from app.features.files.text_fixes import FixDialog, can_fix

        problems = read.result.problems
        if not can_fix(path, problems, read.map_format):
            return None
        dialog = FixDialog(path, problems, read.map_format, self._desk.frame)
        code = await answer(dialog)
        if code != QDialog.DialogCode.Accepted:
            raise Stopped
        fixed = dialog.read_fixed()
        return fixed._replace(result=replace(fixed.result, missing=()))

    def open_bytes(self, result: ReadResult, source: GameSource, where: str) -> None:
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
        async with self._opening:
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
        read = await self._read(path)
        result = read_onto(path, open_map.battlemap)
        if result is not None:
            return result
        completed = await self._complete(path, read, asks_where=False)
        return completed.result

    # --- showing as text --------------------------------------------------------------------

    def why_no_text(self) -> str:
        """Return why the current map has no file that is text, "" if it has one."""
        system = self._desk.document.battlemap.system
        if preferred_format(system).systems:
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
