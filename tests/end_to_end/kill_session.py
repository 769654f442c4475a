"""Kills the desk at random moments: ``python -m tests.end_to_end.kill_session --kills 200``.

Each session is a whole desk (without a screen) that restores what the one before left, paints with
the mouse, undoes, redoes, locks, rolls, saves and exports. After each action it notes the state of
the map in a side file, so what the desk had acknowledged when SIGKILL came is known. Then: the map
found in the journal is that one, or the one that the action under way would have made; it undoes to
the very first map; and every file of the user's is as before the action or as after it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

SCRIPT = """\
TITLE Testmarsh
LABEL middle = C3 D3 D4
AREA (middle) HAZARDS Bog Bog,50. Plains,1
AREA SURROUNDINGSOF((middle)) HAZARDS Tree Tree,50.,1 Lake,50. Sand,50.
"""
ROUND = 10
"""So many sessions go on from each other; then all begins again."""

LOADED = (
    "app.window",
    "app.commands.menus",
    "app.features.recovery.dialog",
    "app.features.script.panel",
)
"""What a session would import: it is forked from a program that has it all."""

LATEST_S = 0.6
"""The kill comes so long, at most, after the desk is ready. Some come before it is."""


def digest(battlemap: Any) -> str:
    """What a map holds, in short. An absent plane is one on which nothing is set."""
    from randomizer.storage.encoding import encode_map

    def used(layer: Any) -> dict[str, Any]:
        unset = {name: battlemap.system.plane(name).unset for name in layer.planes}
        return {name: plane for name, plane in layer.planes.items() if (plane != unset[name]).any()}

    layers = [
        replace(layer, planes=dict(sorted(used(layer).items()))) for layer in battlemap.layers
    ]
    return hashlib.sha256(encode_map(replace(battlemap, layers=layers))).hexdigest()[:16]


def look(composite: Any) -> str:
    """What a map shows, in short."""
    found = hashlib.sha256(
        repr((composite.properties.get("title"), composite.properties.get("subtitle"))).encode()
    )
    for name, plane in sorted(composite.planes.items()):
        found.update(name.encode() + plane.tobytes())
    return found.hexdigest()[:16]


# --- the desk that will be killed ---------------------------------------------------------------


class Desk:
    """One session in ``folder``."""

    def __init__(self, folder: Path, seed: int) -> None:
        from PySide6.QtCore import QSettings
        from PySide6.QtWidgets import QApplication

        from app.document.document import MapDocument
        from app.document.sample import sample_map
        from app.settings import Settings
        from app.window import MainWindow
        from randomizer.storage.backups import Backups

        self.folder, self.draw = folder, random.Random(seed)
        self.side_file = os.open(folder / "notes", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.application = QApplication.instance() or QApplication([])
        settings = Settings(QSettings(str(folder / "settings"), QSettings.Format.IniFormat))
        data = folder / "data"
        self.window = MainWindow(
            MapDocument(sample_map()), settings, data / "journals", Backups(data / "backups")
        )
        ready: list[bool] = []
        self.window.desk.ready.connect(lambda: ready.append(True))
        self.window.resize(1200, 800)
        self.window.show()
        self.wait(lambda: ready)
        self.document = self.window.desk.document
        self.restore()
        panel = self.window.desk.docks.panel("randomize")
        self.wait(lambda: not panel.rolling.busy)
        script = folder / "Testmarsh.rnd"
        script.write_text(SCRIPT, "utf-8")
        panel.scripts.open(script)

    def wait(self, condition: Any) -> None:
        """Let the desk live until it is so."""
        while not condition():
            self.application.processEvents()
            time.sleep(0.001)

    def note(self, **what: object) -> None:
        """Write into the side file; a killed process loses nothing of it."""
        os.write(self.side_file, json.dumps(what).encode() + b"\n")

    def note_state(self) -> None:
        front = self.document.front
        self.note(position=front.undo_stack.index(), state=digest(front.battlemap))

    def restore(self) -> None:
        """As a user: Restore in the dialog; the map that the desk opened with makes way."""
        from app.features.recovery.controller import Recovery
        from app.features.recovery.dialog import RecoveryDialog

        recovery = self.window.findChild(Recovery)
        self.wait(lambda: recovery._job is None)
        dialog = self.window.findChild(RecoveryDialog)
        if dialog is None:
            self.note(first=digest(self.document.battlemap))
        else:
            self.wait(dialog.restore_button.isEnabled)
            dialog.restore_button.click()
        self.note_state()

    def work(self) -> None:
        """One action after the other until the end comes."""
        self.note(ready=True)
        doings = [self.paint] * 8 + [self.undo] * 2 + [self.redo, self.lock, self.roll]
        doings += [self.save_xml, self.save_project, self.export]
        while True:
            self.draw.choice(doings)()
            self.note_state()
            self.application.processEvents()

    def paint(self) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL

        canvas = self.window.desk.canvas
        self.window.desk.tools.options.set_terrain(self.draw.randrange(10))
        self.window.desk.tools.choose("terrain")
        cells = [CELL_OF_HEX[hex_id] for hex_id in HEX_OF_LABEL.values()]
        centres = [self.document.battlemap.grid.centre(cell) for cell in self.draw.sample(cells, 4)]
        points = [canvas.viewport.to_screen(x, y).toPoint() for x, y in centres]
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=points[0])
        for point in points[1:]:
            QTest.mouseMove(canvas, point)
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=points[-1])

    def undo(self) -> None:
        self.document.undo_stack.undo()

    def redo(self) -> None:
        self.document.undo_stack.redo()

    def lock(self) -> None:
        from randomizer.model.edit_making import set_locks

        battlemap = self.document.battlemap
        cell = self.draw.randrange(battlemap.locked_cells.size)
        locked = bool(battlemap.locked_cells.flat[cell])
        self.document.push(set_locks(battlemap, [cell], not locked), "Lock")

    def roll(self) -> None:
        panel = self.window.desk.docks.panel("randomize")
        panel.reroll_action.trigger()
        self.wait(lambda: not panel.rolling.busy)

    def save_xml(self) -> None:
        self.save("map.xml")

    def save_project(self) -> None:
        self.save("map.battlemap")

    def save(self, name: str) -> None:
        path = self.folder / "user" / name
        self.note(file=str(path), look=look(self.document.composite))
        assert self.window.desk.files.saving.save_to(path, sure=True)
        self.note(written=str(path))

    def export(self) -> None:
        from randomizer.catalog import formats, usual_game_host

        host = usual_game_host()
        target = self.folder / "user/game/Default/Battlelands/Marsh.xml"
        self.note(file=str(target), look=look(self.document.composite))
        data = formats()[0].write(self.document.battlemap)
        plan = host.plan_exports(
            host.open_game(self.folder / "user/game"), {"Marsh": data}, "Default"
        )
        host.commit_export(plan)
        self.note(written=str(target))


# --- what is left of it -------------------------------------------------------------------------


def prepare(folder: Path) -> None:
    """The user's files before the first session: a game with one variant."""
    variant = folder / "user/game/Default"
    (variant / "Battlelands").mkdir(parents=True)
    (variant / "DefaultVar.xml").write_text(
        '<?xml version="1.0"?><variant name="Default"><creatures filename="DefaultCre.xml"/>'
        '<hint classname="Default.DefaultHint"/></variant>',
        "utf-8",
    )
    (variant / "Battlelands/Marsh.xml").write_text(
        '<?xml version="1.0"?><battlemap terrain="Marsh" tower="False"/>', "utf-8"
    )


def check(folder: Path) -> str:
    """What the kill hit, in a word. Raises AssertionError where something was lost or damaged."""
    notes = [json.loads(line) for line in (folder / "notes").read_text().splitlines()]
    states = [(note["position"], note["state"]) for note in notes if "state" in note]
    firsts = [note["first"] for note in notes if "first" in note]
    _check_files(folder, notes)
    return _check_journal(folder / "data/journals", states, firsts[0] if firsts else None)


def _check_journal(journals: Path, states: list[tuple[int, str]], first: str | None) -> str:
    from randomizer.storage.leftovers import leftovers

    found, problems = leftovers(journals)
    assert not problems, problems
    try:
        if not found:
            assert all(position == 0 for position, _ in states), "the journal is gone"
            return "nothing done yet"
        (journal,) = found
        battlemap = journal.battlemap()
        history = {journal.count: digest(battlemap)}
        for number in range(journal.count, 0, -1):
            edit = journal.edit(number, battlemap, done=True)
            edit.inverse().apply(battlemap)
            history[number - 1] = digest(battlemap)
        assert history[0] == first, "undo does not lead to the first map"
        position, state = states[-1]
        if (journal.position, history[journal.position]) == (position, state):
            return "the last acknowledged step"
        assert abs(journal.position - position) <= 1, "more than one step is lost"
        assert history[position] == state, "the last acknowledged step is not in the history"
        return "one step later"
    finally:
        for journal in found:
            journal.close()


def _check_files(folder: Path, notes: list[dict[str, Any]]) -> None:
    from app.document.map_files import read_map

    looks: dict[str, list[str]] = {}  # what was written last, and what kills may have prevented
    written = {note["written"] for note in notes if "written" in note}
    for note in notes:
        if "file" in note:
            looks.setdefault(note["file"], []).append(note["look"])
        elif "written" in note:
            del looks[note["written"]][:-1]
    for name, wanted in looks.items():
        path = Path(name)
        if not path.exists():
            assert name not in written, f"{path.name} is gone"
            continue
        result = read_map(path)
        if path.stat().st_size < 100 and name not in written:
            continue  # the empty battleland of before the first export
        assert result.battlemap is not None, f"{path.name}: {result.problems}"
        shown = look(result.battlemap.composite())
        assert shown in wanted, f"{path.name} is neither as before nor as after"
    variant = folder / "user/game/Default/DefaultVar.xml"
    assert variant.read_text("utf-8").endswith("</variant>")


# --- killing ------------------------------------------------------------------------------------


def one_kill(folder: Path, seed: int) -> str:
    """Start a session, kill it at a random moment, look at what is left."""
    draw = random.Random(seed)
    notes = folder / "notes"
    before = notes.stat().st_size if notes.exists() else 0
    child = os.fork()
    if child == 0:
        try:
            Desk(folder, seed).work()
        finally:  # also after a fault: the forked copy of this program must go no further
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    if draw.random() < 0.9:
        while b'"ready"' not in (notes.read_bytes()[before:] if notes.exists() else b""):
            ended, status = os.waitpid(child, os.WNOHANG)
            assert not ended, f"the desk ended by itself: {status}"
            time.sleep(0.005)
    time.sleep(draw.uniform(0, LATEST_S))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"the desk ended by itself: {status}"
    if not notes.exists():
        return "not begun"
    return check(folder)


def kill(times: int, seed: int) -> Counter[str]:
    """Kill so many sessions; what the kills hit, and what was done in all.

    Raises AssertionError at the first loss.
    """
    for name in LOADED:
        import_module(name)
    hits: Counter[str] = Counter()
    folder = Path(tempfile.mkdtemp(prefix="battlelands-kill-"))
    try:
        for number in range(times):
            place = folder / str(number // ROUND)
            if not place.exists():
                prepare(place)
            hits[one_kill(place, seed + number)] += 1
    except AssertionError:
        print(f"kill {number} (seed {seed + number}): see {folder}", file=sys.stderr)
        raise
    notes = [json.loads(line) for file in folder.glob("*/notes") for line in file.open()]
    hits["acknowledged steps"] = sum("state" in note for note in notes)
    hits["files written"] = sum("file" in note for note in notes)
    hits["unfinished files beside them"] = len(list(folder.glob("*/user/**/.*.tmp")))
    shutil.rmtree(folder)
    return hits


def main() -> None:
    """Kill, and print what was hit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    start = time.perf_counter()
    hits = kill(chosen.kills, chosen.seed)
    spent = time.perf_counter() - start
    print(f"{chosen.kills} kills in {spent:.0f} s, nothing lost, no file damaged")
    for words, count in hits.most_common():
        print(f"{count:5} {words}")


if __name__ == "__main__":
    main()
