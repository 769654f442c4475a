"""Reads the file of a map on another thread, and asks the user about what the file lacks.

``FilesController`` has one ``MapReader``. A map is read once, and again with each answer::

    read = await reader.read(path)
    read = await reader.with_missing_files(path, read)      # asks for files that the map refers to
    if read.result.battlemap is None:
        fixed = await reader.with_fixes(path, read)         # offers to fix errors of the text

``FileRead.result`` has the map, or None and the problems that prevent it. All of this raises
Stopped if the user cancels: the file is not opened then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog

from app.background.actions import Stopped, answer
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, reading_work
from app.features.files.missing_files import ask_for_missing_files
from app.features.files.reading_progress import ReadingProgress
from randomizer.catalog.file_kinds import FileHead
from randomizer.formats.format import Format
from randomizer.formats.results import NO_FILES
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from randomizer.storage.disk.backups import Backup, Backups


class MapReader:
    """Reads files of maps; while one takes long, the status bar shows its progress."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._progress = ReadingProgress(desk)
        self._chosen_formats: dict[Path, tuple[Format, ...]] = {}
        """The formats whose line was chosen in the dialog, by the files that were chosen there.

        A choice holds for later reads of the file, too, until it is chosen there again.
        """

    def note_chosen_formats(self, paths: Iterable[Path], chosen: tuple[Format, ...]) -> None:
        """Note in which formats the user wants these files to be read; () leaves it to the files.

        A file may fit several formats, such as .json, and its content need not tell which is meant.
        """
        for path in paths:
            self._chosen_formats[path] = chosen

    async def read(
        self,
        path: Path,
        further_files: Mapping[str, Path | bytes] = NO_FILES,
        head: FileHead | None = None,
    ) -> FileRead:
        """Read a map on another thread. Raises ProblemError, and Stopped if the user cancels.

        ``further_files`` are files, or their bytes, that it refers to, by the names that it has for
        them. ``head`` is what was read of the file already, None for nothing.
        """
        looks = self._desk.settings.program_terrains
        chosen = self._chosen_formats.get(path, ())
        try:
            job = Job(reading_work(path, further_files, looks, chosen, head))
            read: FileRead = await self._progress.result_of(job, path.name)
        except ProblemError:
            if not path.exists():
                self._desk.settings.drop_recent("maps", path)  # menus shall not offer it again
            raise
        return read

    async def read_backup(self, path: Path, backup: Backup) -> FileRead:
        """Read a backup of ``path``, with the files beside ``path`` that it refers to.

        These are read as they were when the backup was made. Raises ProblemError, and Stopped if
        the user cancels.
        """
        backups = self._desk.backups
        assert backups is not None, "the backup is one of them"
        read = await self.read(backup.path)
        companions: dict[str, Path] = {}
        while True:
            names = [name for name in read.result.missing if name not in companions]
            new_companions = _companions_of(path, names, backup, backups)
            if not new_companions:
                return read
            companions |= new_companions
            # What was missing may refer to further files.
            read = await self.read(backup.path, companions)

    async def with_missing_files(self, path: Path, read: FileRead) -> FileRead:
        """Ask for files that a map refers to and that are missing; read it again with each.

        ``read`` is what was read of the file ``path`` so far. Return what was read last, when
        nothing is missing or the user goes on without. Raises ProblemError, and Stopped if the user
        cancels.
        """
        further_files: Mapping[str, Path | bytes] = NO_FILES
        while True:
            missing = [name for name in read.result.missing if name not in further_files]
            if not missing:
                return read
            map_opens_without_them = read.result.battlemap is not None
            answer_files = await ask_for_missing_files(
                self._desk, path, read.map_format, missing, can_open_without=map_opens_without_them
            )
            if not answer_files:
                return read
            further_files = {**further_files, **answer_files}
            read = await self.read(path, further_files)

    async def with_fixes(self, path: Path, read: FileRead) -> FileRead | None:
        """Show the errors of a file and offer to fix them; return what is read of the fixed text.

        ``read`` is what was read of the file ``path``, without a map. The result is

        - None if no error has a fix;
        - without a map if the fixes were not enough;
        - else the map. Files that it refers to are not asked for again.

        Raises Stopped if the user cancels.
        """
        from app.features.files.text_fixes import FixDialog, can_fix

        problems = read.result.problems
        if not can_fix(path, problems, read.map_format):
            return None
        dialog = FixDialog(path, problems, read.map_format, self._desk.frame)
        code = await answer(dialog)
        if code != QDialog.DialogCode.Accepted:
            raise Stopped
        fixed = dialog.read_fixed()  # at once: only small texts have fixes
        return fixed._replace(result=replace(fixed.result, missing=()))


def _companions_of(
    path: Path, names: Iterable[str], backup: Backup, backups: Backups
) -> dict[str, Path]:
    """Return which of the named files lay beside a file when a backup of it was made, by name.

    The paths are those of the files themselves, or of their own backups.
    """
    companions: dict[str, Path] = {}
    for name in names:
        # Only files beside the map: one in another folder is none of its companions.
        if not name or PurePath(name).name != name:
            continue
        companion = backups.content_at(path.with_name(name), backup.replaced)
        if companion.is_file():
            companions[name] = companion
    return companions
