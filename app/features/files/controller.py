"""Files on the desk: open, merge, close, show as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.background.actions import Turn, answer, run
from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, merge_in, new_map, read_onto, reading, viewport_of
from app.document.open_map import GameSource
from app.features.files.missing_files import ask_for_file
from app.features.files.saving import Saving, filter_of
from app.qt_guard import connect, later, run_guarded
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.layout.builders import plain_text
from randomizer.catalog.catalog import (
    Head,
    formats,
    look_at_file,
    preferred_format,
    script_suffixes,
)
from randomizer.catalog.script_catalog import entry_of_file
from randomizer.formats import NO_FILES, Format, ReadResult
from randomizer.model.basics.plurals import listed, with_article
from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

CANNOT_OPEN = "Cannot open"


def filters() -> list[str]:
    """Return the kinds of files that the dialogs offer: all, then a line on each program."""
    scripts = " ".join(f"*{suffix}" for suffix in script_suffixes())
    readable = [readable_format for readable_format in formats() if readable_format.readable]
    maps = " ".join(
        dict.fromkeys(
            f"*{each}" for readable_format in readable for each in readable_format.suffixes
        )
    )
    offered = (
        f"Maps, scripts and terrain sets ({maps} {scripts} *{TERRAINS})",
        f"Maps ({maps})",
        *map(filter_of, readable),
        f"Randomizer scripts ({scripts})",
        f"Terrain sets (*{TERRAINS})",
        "All files (*)",
    )
    return list(dict.fromkeys(offered))


class FilesController(QObject):
    """Opens files as maps, asks before they are closed, lays one map over another."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.saving = Saving(desk)
        self._desk = desk
        self.asking = Turn(self)
        """Taken while unsaved maps are asked about."""
        self._job: Job | None = None
        self._reading = False  # whether the newest job is under way
        self._newest = 0  # its number
        self._chosen_formats: dict[Path, tuple[Format, ...]] = {}
        """The formats that a person named in the dialog, by the files that were chosen there."""
        self._to_open: list[Path] = []
        self._several = False  # whether they are of several that are opened together
        self._reports: list[tuple[str, Path, Sequence[Problem]]] = []
        for signal in (desk.rolling.busy_changed, desk.rolling.setup_changed):
            connect(signal, self._open_next_later)

    # --- asking -----------------------------------------------------------------------------

    def leave(self, maps: Iterable[OpenMap], then: Callable[[], object]) -> None:
        """Call ``then`` when open maps may be left: they are saved, or the user says so."""
        leaving = tuple(maps)
        run(self._leave(lambda: leaving, then))

    def leave_all(self, then: Callable[[], object]) -> None:
        """Call ``then`` when all open maps may be left: one question for all of them."""
        run(self._leave(lambda: self._desk.document.maps, then))

    async def _leave(
        self, leaving: Callable[[], tuple[OpenMap, ...]], then: Callable[[], object]
    ) -> None:
        await self.saving.idle()
        async with self.asking:
            may_leave = await self._may_leave(leaving)
        if may_leave:
            then()

    async def _may_leave(self, leaving: Callable[[], tuple[OpenMap, ...]]) -> bool:
        """Ask about the unsaved of the maps of ``leaving``, and of those that it has afterwards.

        While a question is shown or a file is written other maps can come or be changed.
        """
        document = self._desk.document
        discarded: set[OpenMap] = set()
        while True:
            self._take_up_changes()
            unsaved = [
                open_map
                for open_map in leaving()
                if open_map in document.maps and open_map.unsaved and open_map not in discarded
            ]
            if not unsaved:
                return True
            match await self._ask_about_unsaved(unsaved):
                case QMessageBox.StandardButton.Discard:
                    discarded.update(unsaved)
                case QMessageBox.StandardButton.Cancel:
                    return False
                case _:
                    if not await self._save_all(unsaved):
                        return False

    async def _ask_about_unsaved(self, unsaved: list[OpenMap]) -> QMessageBox.StandardButton:
        document = self._desk.document
        buttons = QMessageBox.StandardButton
        if len(unsaved) == 1:
            document.make_current(unsaved[0])
            text = f"{document.name_of(unsaved[0])} has changes that are not saved."
            save = buttons.Save
        else:
            names = listed([document.name_of(open_map) for open_map in unsaved])
            text = f"{len(unsaved)} maps have changes that are not saved: {names}."
            save = buttons.SaveAll
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Unsaved changes",
            plain_text(text),
            save | buttons.Discard | buttons.Cancel,
            self._desk.frame,
        )
        box.setDefaultButton(save)
        return buttons(await answer(box))

    async def _save_all(self, maps: list[OpenMap]) -> bool:
        """Save one map after the other, each made current; False at the first refusal."""
        document = self._desk.document
        for open_map in maps:
            if open_map in document.maps:
                document.make_current(open_map)
                if not await self.saving.write(open_map):
                    return False
        return True

    def _take_up_changes(self) -> None:
        """Put what is still being typed or drawn into the map, or take it back."""
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        self._desk.document.cancel_stroke()

    # --- opening ----------------------------------------------------------------------------

    def open(self) -> None:
        """Ask for files and open them."""
        self._ask("Open", self.open_paths)

    def _ask(self, title: str, then: Callable[[list[Path]], object]) -> None:
        """Ask for files; then call ``then``."""
        from app.features.files.open_dialog import OpenDialog, formats_of_filter

        def take(paths: list[Path], name_filter: str) -> None:
            for path in paths:
                self._chosen_formats[path] = formats_of_filter(name_filter)
            then(paths)

        desk = self._desk
        folder = desk.settings.last_directory
        OpenDialog(title, folder, filters(), take, desk.renderer, desk.frame).open()

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open files one after the other; what is wrong with them is told when all were read."""
        self._to_open += paths
        self._several = len(self._to_open) > 1
        self._open_next()

    def _open_next_later(self) -> None:
        """Open the next file when the map of the one before is shown."""
        if self._to_open:
            later(self, self._open_next)

    def _open_next(self) -> None:
        """Open the next files that wait, unless one is being read or its map is being made."""
        while self._to_open and not self._reading and not self._desk.rolling.loading:
            run_guarded(self._open, self._to_open.pop(0))
        self._show_reports()

    def _report(self, heading: str, path: Path, problems: Sequence[Problem]) -> None:
        """Tell of the problems of a file as soon as no other one waits to be opened."""
        self._reports.append((heading, path, problems))
        self._show_reports()

    def _show_reports(self) -> None:
        if not self._reports or self._to_open or self._reading:
            return
        reports = self._reports
        self._reports = []
        heading, path, _ = reports[0]
        heading = f"{heading} {path.name}"
        if len(reports) > 1:
            heading = f"Problems in {len(reports)} files"
        located = (
            problem.at_path(problem.path or str(path))
            for _, path, problems in reports
            for problem in problems
        )
        show_problems(self._desk.frame, heading, located)

    def open_path(self, path: Path, *, roll: bool = False) -> None:
        """Open a script, or the one that a metadata file names, in its panel; else a map.

        ``roll``: a script is rolled at once. It comes behind the files that wait to be opened.
        """
        if self._to_open:
            self._to_open.append(path)
        else:
            self._several = False
            self._open(path, roll=roll)

    def _open(self, path: Path, *, roll: bool = False) -> None:
        scripts = self._desk.scripts
        if path.suffix.lower() == TERRAINS:
            self._reading = True
            self._newest = self._newest + 1
            end = partial(self._end_terrains, self._newest, path)
            self._desk.terrain_sets.open_path(path, end=end)
            return
        head = look_at_file(path)
        if head.is_script:
            self._desk.docks.show("randomize")
            scripts.open(path, roll=roll)
            return
        try:
            entry = entry_of_file(path)
            if entry is not None:
                self._desk.docks.show("randomize")
                scripts.open_generator(entry.generator(), entry.script, own=True, roll=roll)
                return
        except ProblemError as reason:
            self._report(CANNOT_OPEN, path, reason.problems)
            return
        for open_map in self._desk.document.maps:
            if open_map.path is not None and open_map.path.absolute() == path.absolute():
                self._desk.document.make_current(open_map)
                self._desk.say(f"{path.name} is open already.")
                return
        self._read(path, partial(self._opened, path), head=head)

    def open_copy(self, path: Path) -> None:
        """Open what a file holds (a backup) as a map that has no file."""
        self._read(path, partial(self._opened, None))

    def open_bytes(self, result: ReadResult, source: GameSource, where: str) -> None:
        """Show a map that was read from the game; exporting it goes back there by default."""
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {where}", result.problems)
        if result.battlemap is not None:
            self._desk.document.show_map(result.battlemap, None, source)

    def _opened(self, path: Path | None, read: FileRead) -> None:
        result = read.result if path is None else self._desk.completed(path, read.result)
        if result is None:
            return
        if path is None:
            self._show(None, read)
        else:
            self._complete(path, partial(self._show, path), read._replace(result=result))

    def _complete(
        self,
        path: Path,
        then: Callable[[FileRead], object],
        read: FileRead,
        given: Mapping[str, Path | bytes] = NO_FILES,
    ) -> None:
        """Call ``then`` with what was read, again with what the user finds of missing files."""
        names = [name for name in read.result.missing if name not in given]
        more = ask_for_file(self._desk, path, read.map_format, names) if names else NO_FILES
        if more:
            given = {**given, **more}
            self._read(path, partial(self._complete, path, then, given=given), given)
        elif more is not None:
            then(read)

    def _show(self, path: Path | None, read: FileRead) -> None:
        """Show the map that was read of ``path`` (None: of a backup), and tell of its problems."""
        result = read.result
        if path is not None and result.battlemap is None and self._offer_fixes(path, read):
            return
        if result.problems:
            heading = "Problems in" if result.battlemap is not None else CANNOT_OPEN
            self._report(heading, path or Path("the backup"), result.problems)
        if result.battlemap is None:
            return
        self._desk.document.show_map(result.battlemap, path, viewport=viewport_of(result.view))
        self._desk.canvas.setFocus()
        if path is not None:
            self._desk.document.current_map.known_file = read.known_file
            self._desk.settings.add_recent("maps", path)
            self._desk.settings.last_directory = str(path.parent)
        if read.looks is not None:
            self._desk.say(
                f"The terrains look as saved in {read.looks.name} "
                "(Map > Terrain set > Forget for this program)."
            )

    def _offer_fixes(self, path: Path, read: FileRead) -> bool:
        """Show the errors of a file with a button that fixes them; False if none has a fix."""
        from app.features.files.text_fixes import FixDialog, can_fix

        problems = read.result.problems
        if self._several or not can_fix(path, problems, read.map_format):
            return False
        dialog = FixDialog(path, problems, read.map_format, self._desk.frame)
        connect(dialog.fixed, partial(self._open_fixed, path))
        connect(dialog.finished, dialog.deleteLater)
        dialog.open()
        return True

    def _open_fixed(self, path: Path, read: FileRead) -> None:
        """Show a map whose file was fixed in memory: the file stays as it is, and is not read."""
        self._opened(path, read._replace(result=replace(read.result, missing=())))
        current = self._desk.document.current_map
        if current.battlemap is read.result.battlemap:
            self._desk.document.set_path(None)
            self._desk.say(f"{path.name} is open with its faults fixed: save it under a name.")

    def close(self, open_map: OpenMap | None = None) -> None:
        """Close an open map (None: the current one), the last one for an empty map."""
        closing = open_map or self._desk.document.current_map
        self.leave([closing], partial(self._close, closing))

    def _close(self, closing: OpenMap) -> None:
        document = self._desk.document
        if closing not in document.maps:
            return
        if len(document.maps) == 1:
            document.replace_map(new_map(closing.battlemap.system))
        elif self._desk.scripts.may_close(closing) and closing in document.maps:
            document.close_map(closing)

    def merge(self) -> None:
        """Ask for maps and lay them over the present one."""
        self._ask("Merge maps", self.merge_paths)

    def merge_paths(self, paths: Sequence[Path]) -> None:
        """Lay the maps in files over the present one, as layers above the active one: one step.

        What a file without a map of its own holds comes onto the present map.
        """
        document = self._desk.document
        self._merge_next(document.current_map, list(paths), [])

    def _merge_next(
        self, onto: OpenMap, paths: list[Path], results: list[tuple[str, ReadResult]]
    ) -> None:
        """Read one file after the other, then lay them all over the open map ``onto``."""
        document = self._desk.document
        if onto not in document.maps:
            return
        if not paths:
            document.make_current(onto)
            try:
                merge_in(document, results)
            except ProblemError as reason:
                show_problems(self._desk.frame, "Cannot merge", reason.problems)
            return
        path, *others = paths

        def merge(read: FileRead) -> None:
            try:
                result = read_onto(path, onto.battlemap)
            except ProblemError as reason:
                show_problems(self._desk.frame, f"Cannot merge {path.name}", reason.problems)
                return
            if result is None:
                self._complete(path, lambda completed: take(completed.result), read)
            else:
                take(result)

        def take(result: ReadResult) -> None:
            if result.problems:
                show_problems(self._desk.frame, f"Problems in {path.name}", result.problems)
            if result.battlemap is not None:
                self._desk.settings.last_directory = str(path.parent)
                self._merge_next(onto, others, [*results, (path.stem, result)])

        self._read(path, merge)

    def _read(
        self,
        path: Path,
        done: Callable[[FileRead], object],
        given: Mapping[str, Path | bytes] = NO_FILES,
        head: Head | None = None,
    ) -> None:
        """Read a map off the UI thread, with files that it refers to; then call ``done``.

        ``head`` is what was seen of the file already.
        """
        if self._job is not None:
            self._job.cancel()
        looks = self._desk.settings.program_terrains
        chosen = self._chosen_formats.get(path, ())
        job = self._job = Job(reading(path, given, looks, chosen, head))
        self._reading = True
        self._newest = self._newest + 1
        connect(job.finished, done)
        connect(job.failed, partial(self._not_read, path))
        for end in (job.finished, job.failed, job.stopped):
            connect(end, partial(self._end_reading, self._newest))
        job.start()

    def _end_reading(self, number: int, *_result: object) -> None:
        """A file was read, or not: open those that wait, unless a newer one is being read."""
        if number == self._newest:
            self._reading = False
            self._open_next()

    def _end_terrains(self, number: int, path: Path, problems: tuple[Problem, ...]) -> None:
        """A terrain set was read, or not, because of problems."""
        if problems:
            self._report(CANNOT_OPEN, path, problems)
        self._end_reading(number)

    def _not_read(self, path: Path, problems: tuple[Problem, ...]) -> None:
        if not path.exists():
            self._desk.settings.drop_recent("maps", path)
        self._report(CANNOT_OPEN, path, problems)

    # --- showing ----------------------------------------------------------------------------

    def show_text(self) -> None:
        """Show the map as the text of its file."""
        from app.widgets.dialogs.text_dialog import TextDialog

        document = self._desk.document
        system = self._desk.document.battlemap.system
        file_format = preferred_format(system)
        if not file_format.systems:
            title = system.noun
            self._desk.say(
                f"{with_article(title, 'A')} has no file that is text: save it as a project."
            )
            return
        try:
            text = file_format.write(document.battlemap).decode(file_format.encoding or "utf-8")
        except ProblemError as reason:
            show_problems(self._desk.frame, "This map cannot be written", reason.problems)
            return
        TextDialog(document.display_name, text, self._desk.frame).open()
