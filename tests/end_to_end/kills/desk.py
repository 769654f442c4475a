"""A desk that notes what it is about to do before it does it: the session that will be killed."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.app.saves import agree, finished, saved
from tests.end_to_end.kills.intentions import Expected, History, Log, Step, digest_of

SCRIPT = """\
TITLE Testmarsh
LABEL middle = C3 D3 D4
AREA (middle) HAZARDS Bog Bog,50. Plains,1
AREA SURROUNDINGSOF((middle)) HAZARDS Tree Tree,50.,1 Lake,50. Sand,50.
"""

LOADED = (
    "app.window",
    "app.commands.menus",
    "app.features.recovery.dialog",
    "app.features.script.panel",
)
"""What a session would import: it is forked from a program that has it all."""

RENEWED_STEPS = 6
"""After so many steps a journal gets a newer base here, so that short sessions have it, too."""

REPORTS = ("pushed", "moved", "saved")
"""The calls of ``Recorder`` after which something else is in the journal."""


def digest(battlemap: Any) -> str:
    """What a map holds, in short. An absent plane is one on which nothing is set."""
    from randomizer.storage.records.encoding import encode_map

    def used(layer: Any) -> dict[str, Any]:
        unset = {name: battlemap.system.plane(name).unset for name in layer.planes}
        return {name: plane for name, plane in layer.planes.items() if (plane != unset[name]).any()}

    layers = [
        replace(layer, planes=dict(sorted(used(layer).items()))) for layer in battlemap.layers
    ]
    return hashlib.sha256(encode_map(replace(battlemap, layers=layers))).hexdigest()[:16]


def prepare(disk: Path) -> None:
    """The user's files before the first session: a script, and a game with one variant."""
    variant = disk / "user/game/Default"
    (variant / "Battlelands").mkdir(parents=True)
    (disk / "user/Testmarsh.rnd").write_text(SCRIPT, "utf-8")
    (variant / "DefaultVar.xml").write_text(
        '<?xml version="1.0"?><variant name="Default"><creatures filename="DefaultCre.xml"/>'
        '<hint classname="Default.DefaultHint"/></variant>',
        "utf-8",
    )
    (variant / "Battlelands/Marsh.xml").write_text(
        '<?xml version="1.0"?><battlemap terrain="Marsh" tower="False"/>', "utf-8"
    )


class Desk:
    """One session: a real window without a screen; all that it keeps is in the folder ``disk``."""

    def __init__(self, disk: Path, log: Path, session: int) -> None:
        from PySide6.QtCore import QSettings
        from PySide6.QtWidgets import QApplication

        import app.document.autosave as autosave
        from app.document.document import MapDocument
        from app.document.sample import sample_map
        from app.settings import Settings
        from app.window import MainWindow
        from randomizer.storage.disk.backups import Backups

        self.disk = disk
        self.session = session
        self.draw = random.Random(session)
        before = log.read_bytes().splitlines() if log.exists() else []
        self.left = Expected.of(before)
        self.log = Log(log)
        self.opened = 0
        self.keeper: Any = None
        self.keys: dict[Any, str] = {}
        self.histories: dict[Any, History] = {}
        # The default is bound to the constructor: the constant is not asked again.
        defaults = autosave.Autosave.__init__.__kwdefaults__
        assert defaults is not None
        assert "replay_steps" in defaults
        defaults["replay_steps"] = RENEWED_STEPS
        for name in ("opened", "closed", *REPORTS):
            setattr(autosave.Autosave, name, self._noting(name, getattr(autosave.Autosave, name)))
        self.application = QApplication.instance() or QApplication([])
        settings = Settings(QSettings(str(disk / "settings"), QSettings.Format.IniFormat))
        settings.set_game_dir("colossus", disk / "user/game")
        data = disk / "data"
        self.window = MainWindow(
            MapDocument(sample_map()), settings, data / "journals", Backups(data / "backups")
        )
        ready: list[bool] = []
        self.window.desk.ready.connect(lambda: ready.append(True))
        self.window.resize(1200, 800)
        self.window.show()
        self.wait(lambda: ready)
        desk = self.window.desk
        self.document = desk.document
        self.canvas = desk.canvas
        self.panel = desk.docks.panel("randomize")
        self.panel.rolling.key_choice.choose_seed = lambda: 17
        self.restore()
        self.wait(lambda: not self.panel.rolling.busy)
        self.settle()

    def wait(self, condition: Callable[[], Any]) -> None:
        """Let the desk live until it is so."""
        while not condition():
            self.application.processEvents()
            time.sleep(0.001)

    def settle(self) -> None:
        """Wait until what was typed is on the disk, and what was closed is off it."""
        drafts = self.window.desk.script_drafts
        # A kill at rest: when the drafts are written nobody is told.
        self.wait(lambda: not drafts._timer.isActive())
        for worker in (drafts._worker, self.keeper._worker):
            worker.submit(int).result()

    # --- what is noted ----------------------------------------------------------------------

    def _noting(self, name: str, real: Callable[..., None]) -> Callable[..., None]:
        def call(recorder: Any, open_map: Any, *rest: Any) -> None:
            self.keeper = recorder
            if name == "opened":
                real(recorder, open_map, *rest)
                # The journal of a map, as the one who kills it must know.
                self._note_opened(open_map, recorder._journals[open_map].journal)
            elif name == "closed":
                key = self.keys.pop(open_map)
                del self.histories[open_map]
                self.log.note(what="closing", map=key)
                real(recorder, open_map, *rest)
                # Behind all that is being written.
                recorder._worker.submit(lambda: self.log.note(what="closed", map=key))
            else:
                self._note_report(name, open_map)
                real(recorder, open_map, *rest)
                self._note_kept(open_map)

        return call

    def _note_opened(self, open_map: Any, journal: Any) -> None:
        if journal is None:
            self.opened += 1
            self.keys[open_map] = f"{self.session}.{self.opened}"
            first = Step("", 0, 0, digest(open_map.battlemap))
            self.histories[open_map] = History((first,), 0, -1)
        else:
            self._note_restored(open_map, journal)
        self._note_kept(open_map)

    def _note_restored(self, open_map: Any, journal: Any) -> None:
        """A journal of the session before is gone on with: which map it was, and in which state."""
        shown = digest(open_map.battlemap)  # after all steps, done or undone
        for key, known in self.left.maps.items():
            for history in known.allowed:
                steps = history.steps
                found = (shown, journal.position, journal.count)
                if (steps[-1].digest, history.position, len(steps) - 1) == found:
                    self.keys[open_map] = key
                    self.histories[open_map] = history
                    del self.left.maps[key]
                    return
        raise AssertionError("what was restored is no map of the session before")

    def _note_report(self, name: str, open_map: Any) -> None:
        """Announce the state that a report to the recorder is about."""
        self.histories[open_map] = self._now(open_map, saved=name == "saved")
        self._note_map(open_map, "will")

    def _now(self, open_map: Any, *, saved: bool = False) -> History:
        """The history of a map, as its undo steps and the map are now."""
        before = self.histories[open_map]
        history = open_map.history
        index = history.index
        count = len(history.steps)
        shown = digest(open_map.battlemap)
        steps = before.steps
        kept = before.saved
        names = [step.text for step in history.steps]
        if names == [step.text for step in steps[1:]] and steps[index].digest == shown:
            return History(steps, index, index if saved else kept)
        cut = steps[: index + 1]
        if index == count and cut[-1].digest == shown and len(cut) == index + 1:  # "removed"
            return History(cut, index, kept if kept <= index else -1)
        assert index == count, "undo led to a map that was never there"
        active = history.steps[index - 1].active if index else (0, 0)
        news = [Step(names[index - 1], *active, shown)] if index else []
        if not index:
            assert steps[0].digest == shown
        kept = kept if kept < index or not index else -1
        steps = (*steps[: max(index, 1)], *news)
        return History(steps, index, index if saved else kept)

    def _note_kept(self, open_map: Any) -> None:
        self._note_map(open_map, "is")

    def _note_map(self, open_map: Any, what: str) -> None:
        # The journal of a map, as the one who kills it must know.
        map_journal = self.keeper._journals.get(open_map)
        journal = None
        if map_journal is not None and map_journal.journal is not None:
            journal = map_journal.journal.folder.name
        history = self.histories[open_map]
        self.log.note(what=what, map=self.keys[open_map], history=history, journal=journal)

    @contextmanager
    def action(self, name: str) -> Iterator[None]:
        """Announce an action and acknowledge it, with all maps as they are then."""
        self.log.note(begins=name)
        yield
        for open_map in self.document.maps:
            self.histories[open_map] = self._now(open_map)
            self._note_kept(open_map)
        self.log.note(ends=name)

    def _note_file(self, path: Path, data: bytes | None) -> None:
        """Announce that a file becomes another one."""
        old = digest_of(path.read_bytes() if path.exists() else None)
        name = path.relative_to(self.disk).as_posix()
        self.log.note(file=name, old=old, new=digest_of(data))

    # --- what a user does -------------------------------------------------------------------

    def restore(self) -> None:
        """Restore all in the dialog; the map that the desk opened with makes way."""
        from app.features.recovery.dialog import RecoveryDialog
        from app.features.recovery.feature import Recovery

        recovery = self.window.findChild(Recovery)
        self.wait(lambda: not recovery.busy)
        dialog = self.window.findChild(RecoveryDialog)
        draft = None
        if dialog is not None:
            self.wait(lambda: not dialog.busy)
            # The texts that are offered, without opening each.
            drafts = [row.draft.text for row in dialog.draft_rows]
            if dialog.restore_button.isEnabled():
                dialog.restore_button.click()
            assert not dialog.isVisible(), dialog.status.text()
            if drafts:
                assert self.panel.editor.text() == drafts[0], "a draft is not shown"
                draft = digest_of(drafts[0].encode())
        self.log.note(draft=draft)
        with self.action("restore"):
            pass

    def open_script(self) -> None:
        assert finished(self.panel.scripts.opening.open(self.disk / "user/Testmarsh.rnd"))

    def paint(self) -> None:
        """A stroke of the mouse over four cells."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL

        canvas = self.canvas
        left = Qt.MouseButton.LeftButton
        self.window.desk.tools.options.choose(terrain=self.draw.randrange(10))
        self.window.desk.tools.choose("terrain")
        cells = [CELL_OF_HEX[hex_id] for hex_id in HEX_OF_LABEL.values()]
        centres = [self.document.battlemap.grid.centre(cell) for cell in self.draw.sample(cells, 4)]
        points = [canvas.viewport.to_screen(x, y).toPoint() for x, y in centres]
        with self.action("paint"):
            QTest.mousePress(canvas, left, pos=points[0])
            for point in points[1:]:
                QTest.mouseMove(canvas, point)
            QTest.mouseRelease(canvas, left, pos=points[-1])

    def undo(self) -> None:
        with self.action("undo"):
            self.document.undo()

    def redo(self) -> None:
        with self.action("redo"):
            self.document.redo()

    def undo_all(self) -> None:
        """Back to the first map, one step after the other."""
        while self.document.history.next_undo:
            self.undo()

    def redo_all(self) -> None:
        while self.document.history.next_redo:
            self.redo()

    def lock(self) -> None:
        from randomizer.model.edits.value_edits import set_locks

        battlemap = self.document.battlemap
        cell = self.draw.randrange(battlemap.locked_cells.size)
        locked = bool(battlemap.locked_cells.flat[cell])
        with self.action("lock"):
            self.document.push(set_locks(battlemap, [cell], not locked), "Lock")

    def rename(self) -> None:
        """Type a title, letter by letter, then take the letters away: steps that are one step."""
        from app.document.undo_history import MergeKey
        from randomizer.model.edits.value_edits import set_property

        layer = self.document.active_layer_id
        before = self.document.active_layer.properties.get("title")
        moment = time.monotonic()
        for title in ("M", "Mo", "Moor", before, "Moor"):
            with self.action(f"rename to {title}"):
                self.document.push_on(
                    lambda battlemap, title=title: set_property(battlemap, layer, "title", title),
                    "Title",
                    MergeKey("title", moment),
                )

    def roll(self) -> None:
        with self.action("roll"):
            self.panel.roll_action.trigger()
            self.wait(lambda: not self.panel.rolling.busy)

    def save_xml(self) -> None:
        self._save("map.xml")

    def save_project(self) -> None:
        self._save("map.battlemap")

    def _save(self, name: str) -> None:
        from app.document.stored_viewport import stored_viewport
        from randomizer.catalog.map_formats import formats
        from randomizer.storage.files.project import write_project

        path = self.disk / "user" / name
        current = self.document.current_map
        view = stored_viewport(current.viewport)
        project = path.suffix == ".battlemap"
        write = formats()[0].write
        data = write_project(current.battlemap, view) if project else write(current.battlemap)
        with self.action(f"save {name}"):
            self._note_file(path, data)
            assert saved(self.window.desk.files.saving.save_to, path, is_confirmed=True)

    def _export_to(self, slot: str) -> Any:
        """Export to the game in its dialog, which stays open."""
        self.window.desk.games.export()
        dialog = self.window.desk.games.dialog
        self.wait(lambda: dialog.form.group_choice.box.count() > 1)
        dialog.form.group_choice.box.setCurrentText("Default")
        dialog.form.slot_choice.box.setCurrentText(slot)
        export = dialog.game_export
        self.wait(lambda: export.plan and export.plan.slots == (slot,))
        self.wait(dialog.export_button.isEnabled)
        with self.action(f"export {slot}"):
            files = export.plan.files
            for file in files:
                self._note_file(file.path, file.data)
            dialog.export_button.click()
            self.wait(lambda: dialog.game_export.receipt is not None)
        return dialog, files

    def export(self) -> None:
        """Export what the game does not have, and leave it there."""
        self._export_to("Brush")[0].close()

    def export_and_take_back(self) -> None:
        dialog, files = self._export_to("Marsh")
        self.wait(dialog.take_back_button.isEnabled)
        with self.action("take back"):
            for file in files:
                self._note_file(file.path, file.old)
            dialog.take_back_button.click()
            self.wait(lambda: dialog.game_export.receipt is None)
        dialog.close()

    def open_another(self) -> None:
        """One more map, with a step that is undone."""
        from app.document.sample import sample_map

        battlemap = sample_map()
        battlemap.layers[0].name = f"Ground {self.opened}"
        self.document.open_map(battlemap)
        self.lock()
        self.lock()
        self.undo()

    def close_it(self) -> None:
        """Close the current map."""
        with self.action("close"):
            self.document.close_map(self.document.current_map)
            self.settle()

    def type_script(self) -> None:
        """Type into the script, and wait until that is kept."""
        from PySide6.QtGui import QTextCursor

        typed = f"# {self.draw.randrange(1000)}\n"
        with self.action("type"):
            self.log.note(draft=digest_of(f"{typed}{self.panel.editor.text()}".encode()))
            QTextCursor(self.panel.scripts.text).insertText(typed)
            self.settle()

    def save_script(self) -> None:
        """Save the script; after a restart it is asked whether its file may be replaced."""
        import app.scripts.script_files as script_files
        from app.widgets.dialogs.choice import ChangeAnswer

        async def overwrite(*_: object) -> ChangeAnswer:
            return ChangeAnswer.OVERWRITE

        script_files.choose_about_change = overwrite
        with self.action("save the script"):
            self._note_file(self.disk / "user/Testmarsh.rnd", self.panel.editor.text().encode())
            self.log.note(draft=None)
            assert finished(self.panel.scripts.files.save())
            self.settle()

    def close_window(self) -> None:
        """End the session as a user does who wants to keep nothing more."""
        for open_map in self.document.maps:
            open_map.history.mark_clean()
            open_map.rolled = False
        self.window.desk.questions.may_close = agree
        self.log.note(begins="close the window")
        self.log.note(draft=None)
        assert self.window.close()
        self.log.note(ends="close the window")
