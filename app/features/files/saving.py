"""Writing open maps to files: save, save as, export as, backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import (
    PROJECT_SUFFIX,
    Saved,
    save_format,
    stored_viewport,
    write_map,
)
from app.qt_guard import connect, report_fault, run_guarded
from app.widgets.dialogs.choice import choose, choose_about_change, choose_with_box
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.layout.builders import plain_text
from randomizer.catalog.catalog import formats
from randomizer.formats import Format, writes
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError
from randomizer.storage.disk.known_file import FileChange

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from randomizer.formats import Look

Then = Callable[[bool], object]
Target = tuple[Path, Format | None]
"""A file that a map is to be written to, and the format that the user has chosen for it."""


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
        self._writing = False
        self._waiting: list[Callable[[], object]] = []

    # --- which file -------------------------------------------------------------------------

    def when_idle(self, action: Callable[[], object]) -> None:
        """Call ``action`` as soon as no file is being written, now if none is."""
        if self._writing:
            self._waiting.append(action)
        else:
            action()

    def save(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Write a map to its file."""
        saved = open_map or self._desk.document.current_map
        self.when_idle(partial(self._save, saved, then))

    def _save(self, open_map: OpenMap, then: Then) -> None:
        if not self._is_open(open_map):  # it was closed while another file was written
            then(False)
            return
        path = open_map.path
        map_format = self._format_of(open_map)
        if map_format is None:
            path = None
        elif path is not None and not (
            open_map.flat or map_format.foreign or _is_project(map_format)
        ):
            flat = self._ask_flat(path)
            if flat is None or not self._is_open(open_map):
                then(False)
                return
            open_map.flat = flat
            if not flat:
                path = None
        if path is None:
            self._save_as(open_map, then)
        else:
            self._save_to(path, open_map, then)

    @staticmethod
    def _format_of(open_map: OpenMap) -> Format | None:
        """The format of a map's file, None if it has none or cannot be written."""
        if open_map.path is None:
            return None
        try:
            return save_format(open_map.path, open_map.battlemap.system)
        except ProblemError:
            return None

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

    def save_as(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Ask for a file and write a map to it."""
        saved = open_map or self._desk.document.current_map
        self.when_idle(partial(self._save_as, saved, then))

    def _save_as(self, open_map: OpenMap, then: Then) -> None:
        offered = [each for each in self._writable(open_map) if each.readable]
        if not open_map.flat:
            offered.sort(key=_is_project, reverse=True)
        map_format = self._format_of(open_map) if open_map.flat is not False else offered[0]
        target = self._path_for("Save map as", offered, open_map, map_format)
        if target is None:
            then(False)
        else:
            path, chosen = target
            self._save_to(path, open_map, then, sure=True, chosen=chosen)

    def export_as(self, open_map: OpenMap | None = None, then: Then = _nothing) -> None:
        """Ask for a file and write a flat copy to it; the map keeps its own file.

        While the players' map is shown that is what is written.
        """
        exported = open_map or self._desk.document.current_map
        self.when_idle(partial(self._export_as, exported, then))

    def _export_as(self, open_map: OpenMap, then: Then) -> None:
        writable = self._writable(open_map)
        flat = [each for each in writable if not _is_project(each)]
        if not flat:
            title = open_map.battlemap.system.title
            self._desk.say(
                f"There is no other format for {with_article(title)}: save it as a project."
            )
        target = self._path_for("Export map as", flat, open_map) if flat else None
        if target is None:
            then(False)
            return

        path, chosen = target
        players = self._desk.renderer.overlays.players

        def tell(saved: Saved) -> bool:
            if path == open_map.path:
                open_map.known_file = saved.known_file
            what = "the players' map as " if players else ""
            self._desk.say(f"Exported {what}{path.name}. {saved.trouble}".rstrip(" ."))
            return True

        self._write(
            path,
            open_map,
            tell,
            then,
            always_keep=True,
            chosen=chosen,
            players=players,
            exports=True,
        )

    def _writable(self, open_map: OpenMap) -> list[Format]:
        return [each for each in formats() if writes(each, open_map.battlemap)]

    def _is_open(self, open_map: OpenMap) -> bool:
        """Whether a map is still open after a question: work that has ended may have closed it."""
        return open_map in self._desk.document.maps

    def _path_for(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None = None
    ) -> Target | None:
        """The file that the user has chosen, None if there is none or the map was closed."""
        target = (
            self._ask_path(title, offered, open_map, map_format)
            if self._is_open(open_map)
            else None
        )
        if target is None or not self._is_open(open_map):
            return None
        if self._is_of_another_map(target[0], open_map):
            text = (
                f"{target[0].name} is open in another tab: close it there, or choose another file."
            )
            self._desk.say(text, lasting=True)
            return None
        may = self._desk.may_write(target[0], open_map) and self._is_open(open_map)
        return target if may else None

    def _is_of_another_map(self, path: Path, open_map: OpenMap) -> bool:
        """Whether a file, under whichever name, is that of another open map."""
        others = [each.path for each in self._desk.document.maps if each is not open_map]
        return path.exists() and any(
            other is not None and other.exists() and path.samefile(other) for other in others
        )

    def _ask_path(
        self, title: str, offered: list[Format], open_map: OpenMap, map_format: Format | None
    ) -> Target | None:
        """A path with a suffix, or None; without a suffix the chosen format's is put there.

        The line of ``map_format`` is chosen at first.
        """
        settings = self._desk.settings
        filters = {filter_of(each): each for each in offered}
        first = filter_of(map_format if map_format in offered else offered[0])
        start = Path(settings.last_directory) / self._name(open_map)
        if open_map.path is not None:
            start = open_map.path.with_name(open_map.path.stem)
        name, chosen = QFileDialog.getSaveFileName(
            self._desk.frame, title, str(start), ";;".join(filters), first
        )
        if not name:
            return None
        path = Path(name)
        settings.last_directory = str(path.parent)
        if not path.suffix:
            path = path.with_name(path.name + filters.get(chosen, offered[0]).suffixes[0])
            if path.exists() and not self._ask_overwrite(path):
                return None
        return path, filters.get(chosen)

    def _name(self, open_map: OpenMap) -> str:
        """A name for a map that has no file: its title, its script's name, or that of its kind."""
        layer = open_map.battlemap.source_layer
        roll = None if layer is None else layer.roll
        script = "" if roll is None else PurePath(roll.script_name).stem
        title = self._desk.document.title_of(open_map)
        return title or script or open_map.battlemap.system.title

    def _ask_overwrite(self, path: Path) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._desk.frame,
            "Replace the file?",
            plain_text(f"{path.name} is there already. Replace it?"),
        )
        return answer == buttons.Yes

    # --- writing ----------------------------------------------------------------------------

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
        saved = open_map or self._desk.document.current_map
        self.when_idle(partial(self._save_to, path, saved, then, sure=sure))

    def _save_to(
        self,
        path: Path,
        open_map: OpenMap,
        then: Then,
        *,
        sure: bool = False,
        chosen: Format | None = None,
    ) -> None:
        document = self._desk.document
        if not self._is_open(open_map):
            then(False)
            return
        changed = not sure and path == open_map.path and self._changed(open_map, path)
        if changed:
            answer = choose_about_change(self._desk.frame, path.name)
            if answer != 0 or not self._is_open(open_map):
                if answer == 1:
                    self._save_as(open_map, then)
                else:
                    then(False)
                return
        if open_map is document.current_map:
            self._desk.scripts.map_script.commit()
            document.cancel_stroke()
        open_map.history.end_merging()
        state = open_map.state
        layers = len(open_map.battlemap.layers)

        def tell(saved: Saved) -> bool:
            if not self._is_open(open_map):
                return False
            open_map.known_file = saved.known_file
            flat = not _is_project(saved.map_format)
            open_map.flat = flat
            changed = open_map.state != state  # the desk was used while the file was written
            document.set_path(path, open_map, changed=changed)
            self._desk.settings.add_recent("maps", path)
            told = layers == 1 or saved.map_format.foreign  # of those it is asked before
            flattened = f" ({layers} layers flattened)" if flat and not told else ""
            text = "What you changed meanwhile is not in it. " if changed else ""
            self._desk.say(f"Saved {path.name}{flattened}. {text}{saved.trouble}".rstrip(" ."))
            return not open_map.unsaved

        self._write(path, open_map, tell, then, always_keep=changed or sure, chosen=chosen)

    @staticmethod
    def _changed(open_map: OpenMap, path: Path) -> bool:
        known_file = open_map.known_file
        return path.is_file() and (
            known_file is None or known_file.change() is not FileChange.NOTHING
        )

    def _write(
        self,
        path: Path,
        open_map: OpenMap,
        tell: Callable[[Saved], bool],
        then: Then,
        *,
        always_keep: bool,
        chosen: Format | None,
        players: bool = False,
        exports: bool = False,
    ) -> None:
        """Write a map as a job, then call ``then`` with what ``tell`` returned: whether the map is
        in its file as it is. If it was not written ``then(False)`` is called.

        ``players``: what they may see of it. ``exports``: a copy, so that the map needs no other
        file.
        """
        battlemap = open_map.battlemap
        if players:
            battlemap = players_map(battlemap)
        battlemap = battlemap.snapshot()
        view = stored_viewport(open_map.viewport)
        options: dict[str, Any] = {"beside": open_map.beside, "may_lose": open_map.may_lose}
        options |= {"always_keep": always_keep, "chosen": chosen, "painter": _paint_tiles}

        def begin() -> None:
            work = partial(write_map, battlemap, path, view, self._backups, **options)
            job = Job(lambda _progress, _cancelled: work())
            connect(job.finished, partial(go_on, end))
            connect(job.failed, partial(go_on, fail))
            job.start()

        def end(saved: Saved) -> None:
            refuse = partial(then, False)
            if saved.replaces:
                options["beside"] = None
                if self._may_replace(path, saved.replaces):
                    begin()
                else:
                    self._end_writing(refuse)
            elif saved.lost:
                options["may_lose"] = None
                answer = self._ask_about_losses(path, open_map, saved, exports)
                if answer == 0:
                    begin()
                elif answer == 1:
                    open_map.flat = False
                    self._end_writing(partial(self._save_as, open_map, then))
                else:
                    self._end_writing(refuse)
            else:
                open_map.beside = {**open_map.beside, **saved.beside}
                self._end_writing(partial(then, tell(saved)))

        def fail(problems: tuple[Problem, ...]) -> None:
            show_problems(self._desk.frame, f"Cannot save {path.name}", problems)
            self._end_writing(partial(then, False))

        def go_on(step: Callable[..., None], *values: object) -> None:
            """Take a step; a fault in it ends the writing, so that maps can be saved and left."""
            try:
                step(*values)
            except Exception as fault:  # noqa: BLE001 - none may leave ``_writing`` set
                report_fault(fault)
                self._end_writing(partial(then, False))

        self._writing = True
        go_on(begin)

    def _end_writing(self, go_on: Callable[[], object]) -> None:
        """Go on with what waited for a file, until another one is being written.

        A fault in one of these actions is reported and keeps no other from its turn.
        """
        waiting = self._waiting
        self._writing = False
        self._waiting = []
        for action in (go_on, *waiting):
            self.when_idle(partial(run_guarded, action))

    def _ask_about_losses(
        self, path: Path, open_map: OpenMap, saved: Saved, exports: bool
    ) -> int | None:
        """Whether a file is written that loses something (0), or a project (1)."""
        lines = [f"• {each}" for each in saved.lost[:MOST_LOSSES]]
        if len(saved.lost) > MOST_LOSSES:
            lines.append(f"... and {len(saved.lost) - MOST_LOSSES} more")
        answers = [f"Write {path.name}"]
        if not exports:
            answers.append("Make a project...")
        answer, do_not_ask = choose_with_box(
            self._desk.frame,
            "Not everything can be kept",
            f"{path.name}, a {saved.map_format.title}, will lose this:",
            "\n".join(lines),
            answers,
            "&Do not ask again for this map",
        )
        if answer == 0 and do_not_ask:
            open_map.may_lose.add(saved.map_format.name)
        return answer

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
        """Show what the file of the current map held before; one can be opened as a new map."""
        from app.features.files.backups_dialog import BackupsDialog

        path = self._desk.document.path
        if path is None or self._backups is None:
            self._desk.say("This map has no file yet, so there are no backups of one.")
            return
        try:
            result = self._backups.of(path)
        except ProblemError as reason:
            show_problems(self._desk.frame, f"No backups of {path.name}", reason.problems)
            return
        dialog = BackupsDialog(path, result, self._desk.frame)
        connect(dialog.chosen, self._desk.files.open_copy)
        dialog.open()
