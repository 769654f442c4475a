"""Writing the map in front to files: save, save as, export as, backups."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.background.waiting import wait_for
from app.document.map_files import (
    PROJECT_SUFFIX,
    Saved,
    save_format,
    viewport_words,
    write_map,
)
from app.qt_guard import connect
from app.widgets.choice import choose, choose_about_change
from app.widgets.problem_dialog import show_problems
from randomizer.catalog import formats
from randomizer.formats import Format, writes
from randomizer.model.plurals import with_article
from randomizer.model.problems import ProblemError
from randomizer.storage.known_file import FileChange

if TYPE_CHECKING:
    from app.desk.desk import Desk


class Saving(QObject):
    """Writes the map in front to files; what they held goes to the desk's backups."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._backups = desk.backups

    # --- which file -------------------------------------------------------------------------

    def save(self) -> bool:
        """Write the map to its file; False if it was not written."""
        front = self._desk.document.front
        if front.path is None:
            return self.save_as()
        if front.flat is None and front.path.suffix.lower() != PROJECT_SUFFIX:
            flat = self._ask_flat(front.path)
            if flat is None:
                return False
            front.flat = flat
            if not flat:
                return self.save_as()
        return self.save_to(front.path)

    def _ask_flat(self, path: Path) -> bool | None:
        """Whether a file that cannot hold everything is to be written all the same."""
        answer = choose(
            self._desk.frame,
            "What should Save write?",
            f"{path.name} holds one flat map: what the visible layers show together.",
            "Only a map project keeps layers, rolls, locks and placed things as well. "
            "This is asked once for each map; File > Save as can always write the other one.",
            (f"Keep the {path.suffix[1:].upper()} file", "Make a project..."),
        )
        return None if answer is None else answer == 0

    def save_as(self) -> bool:
        """Ask for a file and write the map to it; False if it was not written."""
        front = self._desk.document.front
        offered = [each for each in self._writable() if each.readable]
        if not front.flat:
            offered.sort(key=lambda each: PROJECT_SUFFIX not in each.suffixes)
        path = self._ask_path("Save map as", offered)
        if path is None or not self._desk.may_write(path):
            return False
        return self.save_to(path, sure=True)

    def export_as(self) -> bool:
        """Ask for a file and write a flat copy to it; the map keeps its own file."""
        flat = [each for each in self._writable() if PROJECT_SUFFIX not in each.suffixes]
        if not flat:
            title = self._desk.document.battlemap.system.title
            self._desk.say(
                f"There is no other format for {with_article(title)}: save it as a project."
            )
            return False
        path = self._ask_path("Export map as", flat)
        wanted = path is not None and self._desk.may_write(path)
        saved = self._write(path, always_keep=True) if path is not None and wanted else None
        if path is None or saved is None:
            return False
        front = self._desk.document.front
        if path == front.path:
            front.known = saved.known
        self._desk.say(f"Exported {path.name}. {saved.trouble}".rstrip(" ."))
        return True

    def _writable(self) -> list[Format]:
        battlemap = self._desk.document.battlemap
        return [each for each in formats() if writes(each, battlemap)]

    def _ask_path(self, title: str, offered: list[Format]) -> Path | None:
        """A path with a suffix; without one the chosen format's is put there."""
        document, settings = self._desk.document, self._desk.settings
        filters = {
            f"{each.title} ({' '.join('*' + suffix for suffix in each.suffixes)})": each
            for each in offered
        }
        start = document.path or Path(settings.last_directory) / self._name()
        start = start.with_name(start.stem if document.path else start.name)
        name, chosen = QFileDialog.getSaveFileName(
            self._desk.frame, title, str(start), ";;".join(filters)
        )
        if not name:
            return None
        path = Path(name)
        settings.last_directory = str(path.parent)
        if not path.suffix:
            path = path.with_name(path.name + filters.get(chosen, offered[0]).suffixes[0])
            if path.exists() and not self._ask_overwrite(path):
                return None
        return path

    def _name(self) -> str:
        """A name for a map that has no file: its title, its script's name, or that of its kind."""
        document = self._desk.document
        layer = document.battlemap.source_layer
        roll = None if layer is None else layer.roll
        script = "" if roll is None else PurePath(roll.script_name).stem
        return document.map_title or script or document.battlemap.system.title

    def _ask_overwrite(self, path: Path) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._desk.frame, "Replace the file?", f"{path.name} is there already. Replace it?"
        )
        return answer == buttons.Yes

    # --- writing ----------------------------------------------------------------------------

    def save_to(self, path: Path, *, sure: bool = False) -> bool:
        """Write the map to ``path``, from now on its file; False if it was not written.

        Asks if another program changed the map's own file, unless the user is ``sure``.
        """
        document = self._desk.document
        self._desk.scripts.map_script.commit()
        document.cancel_stroke()
        front, layers = document.front, len(document.battlemap.layers)
        changed = not sure and path == front.path and self._changed(path)
        if changed:
            answer = choose_about_change(self._desk.frame, path.name)
            if answer != 0:
                return answer == 1 and self.save_as()
        index = front.undo_stack.index()
        saved = self._write(path, always_keep=changed or sure)
        if saved is None:
            return False
        front.known = saved.known
        if front.undo_stack.index() != index:  # a roll was finished while the file was written
            self._desk.say(f"The map changed while {path.name} was written: save it again.")
            return False
        front.flat = PROJECT_SUFFIX not in save_format(path, front.battlemap.system).suffixes
        document.set_path(path)
        self._desk.settings.add_recent("maps", path)
        flattened = f" ({layers} layers flattened)" if front.flat and layers > 1 else ""
        self._desk.say(f"Saved {path.name}{flattened}. {saved.trouble}".rstrip(" ."))
        return True

    def _changed(self, path: Path) -> bool:
        known = self._desk.document.front.known
        return path.is_file() and (known is None or known.change() is not FileChange.NOTHING)

    def _write(self, path: Path, *, always_keep: bool = False) -> Saved | None:
        front = self._desk.document.front
        work = partial(
            write_map,
            front.battlemap.snapshot(),
            path,
            viewport_words(front.viewport),
            self._backups,
            always_keep=always_keep,
        )
        try:
            saved = wait_for(partial(work, beside=front.beside))
            if saved.replaces:
                if not self._may_replace(path, saved.replaces):
                    return None
                saved = wait_for(work)
        except ProblemError as reason:
            show_problems(self._desk.frame, f"Cannot save {path.name}", reason.problems)
            return None
        front.beside = {**front.beside, **saved.beside}
        return saved

    def _may_replace(self, path: Path, names: tuple[str, ...]) -> bool:
        """Whether files beside the map's file may be replaced."""
        listed = ", ".join(names)
        return (
            choose(
                self._desk.frame,
                "Replace what is beside the map?",
                f"{path.name} includes {listed}, and another {listed} is in that folder.",
                "Other maps may include it, too. A backup of what it holds now is kept.",
                ("Replace it",),
            )
            == 0
        )

    # --- backups ----------------------------------------------------------------------------

    def show_backups(self) -> None:
        """Show what the file of the map in front held before; one can be opened as a new map."""
        from app.features.files.backups_dialog import BackupsDialog

        path = self._desk.document.path
        if path is None or self._backups is None:
            self._desk.say("This map has no file yet, so there are no backups of one.")
            return
        try:
            found = self._backups.of(path)
        except ProblemError as reason:
            show_problems(self._desk.frame, f"No backups of {path.name}", reason.problems)
            return
        dialog = BackupsDialog(path, found, self._desk.frame)
        connect(dialog.chosen, self._desk.files.open_copy)
        dialog.open()
