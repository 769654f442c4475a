"""File commands of the window: new, open, merge, save, show as text, print."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.document import GameSource
from app.jobs import Job
from app.map_files import merge_in, reading, save_map
from app.widgets.problem_dialog import show_problems
from randomizer.catalog import formats, script_suffixes
from randomizer.formats import ReadResult
from randomizer.problems import Problem, ProblemError

if TYPE_CHECKING:
    from app.main_window import MainWindow


class FileCommands(QObject):
    """What the File menu does with files on disk."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._job: Job | None = None

    # --- asking -----------------------------------------------------------------------------

    def may_discard(self) -> bool:
        """Whether the present map may be left: it is saved, or the user says so."""
        document = self._window.document
        document.cancel_stroke()
        if not document.modified:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            "Unsaved changes",
            f"{document.display_name} has changes that are not saved.",
            buttons.Save | buttons.Discard | buttons.Cancel,
            buttons.Save,
        )
        if answer == buttons.Save:
            return self.save()
        return answer == buttons.Discard

    def _ask_open(self, title: str, *, scripts_only: bool = False) -> Path | None:
        scripts = " ".join(f"*{suffix}" for suffix in script_suffixes())
        filters = [f"Randomizer scripts ({scripts})"]
        if not scripts_only:
            maps = " ".join(
                f"*{suffix}" for known in formats() if known.readable for suffix in known.suffixes
            )
            filters = [f"Maps and scripts ({maps} {scripts})", f"Maps ({maps})", *filters]
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            title,
            self._window.settings.last_directory,
            ";;".join([*filters, "All files (*)"]),
        )
        if not name:
            return None
        self._window.settings.last_directory = str(Path(name).parent)
        return Path(name)

    # --- opening ----------------------------------------------------------------------------

    def new(self) -> None:
        """Ask which kind of map, and open an empty one."""
        from app.widgets.new_map_dialog import NewMapDialog

        dialog = NewMapDialog(self._window.settings, self._window)
        dialog.chosen.connect(self._window.document.open_map)
        dialog.open()

    def open(self) -> None:
        """Ask for a file and open it."""
        path = self._ask_open("Open")
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> None:
        """Open a script in its panel, anything else as a map."""
        if path.suffix.lower() in script_suffixes():
            self._window.show_dock("randomize")
            self._window.randomize_panel.open_script(path)
        elif self.may_discard():
            self._read(path, lambda result: self._opened(path, result))

    def open_bytes(self, result: ReadResult, source: GameSource, where: str) -> None:
        """Show a map that was read from the game; exporting it goes back there by default."""
        if result.problems:
            show_problems(self._window, f"Problems in {where}", result.problems)
        if result.battlemap is not None and self.may_discard():
            self._window.document.replace_map(result.battlemap, None, source)

    def _opened(self, path: Path, result: ReadResult) -> None:
        if result.problems:
            title = "Problems in" if result.battlemap is not None else "Cannot open"
            show_problems(self._window, f"{title} {path.name}", result.problems)
        if result.battlemap is None:
            return
        self._window.document.replace_map(result.battlemap, path)
        self._window.settings.add_recent("maps", path)

    def merge(self) -> None:
        """Ask for a map and lay it over the present one."""
        path = self._ask_open("Merge map")
        if path is not None:
            self.merge_path(path)

    def merge_path(self, path: Path) -> None:
        """Lay the map in a file over the present one, as a layer above the active one."""

        def merged(result: ReadResult) -> None:
            if result.problems:
                show_problems(self._window, f"Problems in {path.name}", result.problems)
            if result.battlemap is not None:
                try:
                    merge_in(self._window.document, result.battlemap, path.stem)
                except ProblemError as reason:
                    show_problems(self._window, f"Cannot merge {path.name}", reason.problems)

        self._read(path, merged)

    def _read(self, path: Path, done) -> None:  # type: ignore[no-untyped-def]
        """Read a map off the UI thread, then hand the result to ``done``."""
        if self._job is not None:
            self._job.cancel()
        job = self._job = Job(reading(path))
        job.finished.connect(done)
        job.failed.connect(partial(self._not_read, path))
        job.start()

    def _not_read(self, path: Path, problems: tuple[Problem, ...]) -> None:
        if not path.exists():
            self._window.settings.drop_recent("maps", path)
        show_problems(self._window, f"Cannot open {path.name}", problems)

    def open_script(self) -> None:
        """Ask for a script and open it in its panel."""
        path = self._ask_open("Randomize from file", scripts_only=True)
        self._window.show_dock("randomize")
        if path is not None:
            self._window.randomize_panel.open_script(path)

    def roll_script(self, path: Path) -> None:
        """Open a script and roll it."""
        self._window.show_dock("randomize")
        if self._window.randomize_panel.open_script(path):
            self._window.randomize_panel.randomize_as()

    # --- saving -----------------------------------------------------------------------------

    def save(self) -> bool:
        """Write the map to its file; False if it was not written."""
        path = self._window.document.path
        return self.save_as() if path is None else self.save_to(path)

    def save_as(self) -> bool:
        """Ask for a file and write the map to it; False if it was not written."""
        document = self._window.document
        filters = ";;".join(
            f"{known.title} ({' '.join('*' + suffix for suffix in known.suffixes)})"
            for known in formats()
            if known.writable
        )
        start = document.path or Path(self._window.settings.last_directory) / (
            f"{document.composite.title or 'Battleland'}.xml"
        )
        name, _ = QFileDialog.getSaveFileName(self._window, "Save map as", str(start), filters)
        if not name:
            return False
        path = Path(name)
        if not path.suffix:
            path = path.with_suffix(".xml")
        self._window.settings.last_directory = str(path.parent)
        return self.save_to(path)

    def save_to(self, path: Path) -> bool:
        """Write the map to ``path``; False if it was not written."""
        document = self._window.document
        layers = len(document.battlemap.layers)
        if layers > 1 and not self._window.settings.saving_explained:
            QMessageBox.information(
                self._window,
                "Saving writes one flat map",
                "The file gets what the visible layers show together. Layers, rolls and the undo "
                "history stay in this window only.",
            )
            self._window.settings.saving_explained = True
        try:
            save_map(document, path)
        except ProblemError as reason:
            show_problems(self._window, f"Cannot save {path.name}", reason.problems)
            return False
        self._window.settings.add_recent("maps", path)
        flat = f" ({layers} layers flattened)" if layers > 1 else ""
        self._window.say(f"Saved {path.name}{flat}")
        return True

    # --- showing ----------------------------------------------------------------------------

    def show_text(self) -> None:
        """Show the map as the text of its file."""
        from app.widgets.text_dialog import TextDialog

        try:
            text = formats()[0].write(self._window.document.battlemap).decode("utf-8")
        except ProblemError as reason:
            show_problems(self._window, "This map cannot be written", reason.problems)
            return
        TextDialog(self._window.document.display_name, text, self._window).open()

    def print_map(self) -> None:
        """Ask for a printer and print the map on one page."""
        from app.widgets.printing import print_document

        print_document(self._window.document, self._window.renderer, self._window)
