"""Drives a desk from within: ``try_bundle.py`` lays it into a copy of the bundle as an addition.

The variable ``TRY_DESK`` names the generator of steps below, ``TRY_FOLDER`` where it reads and
writes. Each step yields what must become true before it goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton

from app.background.actions import run
from app.desk.feature import Feature
from app.qt_guard import connect

FEATURE = Feature("Trying it out", "try_desk")
PROTOCOL = 2  # of randomizer.installed
FEATURES = ("try_desk:FEATURE",)
STEP_MS = 20
Steps = Iterator[Callable[[], Any]]


def make(desk: Any) -> None:
    """Begin when the desk is ready; leave with exit code 3 and a traceback if a step fails."""
    steps = globals()[os.environ["TRY_DESK"]](desk, Path(os.environ["TRY_FOLDER"]))
    condition: list[Callable[[], Any]] = [lambda: True]
    timer = QTimer(desk)

    def go_on() -> None:
        try:
            if condition[0]():
                condition[0] = next(steps)
        except StopIteration:
            timer.stop()
            desk.frame.close()
        except Exception:  # noqa: BLE001 - whatever a step meets ends the try
            traceback.print_exc()
            os._exit(3)

    connect(timer.timeout, go_on)
    connect(desk.ready, lambda: timer.start(STEP_MS))


def digest(desk: Any) -> str:
    """What the current map shows."""
    planes = sorted(desk.document.composite.planes.items())
    return hashlib.sha256(b"".join(plane.tobytes() for _, plane in planes)).hexdigest()


def paint(desk: Any, terrain: int) -> None:
    """A stroke of the mouse over the middle of the map."""
    desk.tools.options.choose(terrain=terrain)
    desk.tools.choose("terrain")
    canvas = desk.canvas
    left = Qt.MouseButton.LeftButton
    none = Qt.MouseButton.NoButton
    middle = QPointF(canvas.rect().center())
    for kind, shift, button in (
        (QEvent.Type.MouseButtonPress, 0, left),
        (QEvent.Type.MouseMove, 60, none),
        (QEvent.Type.MouseButtonRelease, 60, left),
    ):
        point = middle + QPointF(shift, 0)
        held = none if kind == QEvent.Type.MouseButtonRelease else left
        event = QMouseEvent(
            kind, point, canvas.mapToGlobal(point), button, held, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(canvas, event)


def start(_desk: Any, _folder: Path) -> Steps:
    """Nothing: the desk is ready."""
    yield lambda: True


def work(desk: Any, folder: Path) -> Steps:
    """Roll, paint, save, paint once more, and be killed."""
    before = digest(desk)
    desk.commands.run("script.roll")
    yield lambda: not desk.rolling.busy and digest(desk) != before
    rolled = digest(desk)
    paint(desk, 3)
    assert digest(desk) != rolled, "the stroke paints"
    run(desk.files.saving.save_to(folder / "saved.battlemap", is_confirmed=True))
    yield lambda: not desk.document.current_map.unsaved
    saved = digest(desk)
    paint(desk, 5)
    assert digest(desk) != saved
    (folder / "painted").write_text(digest(desk), "ascii")
    os.kill(os.getpid(), signal.SIGKILL)


def recover(desk: Any, folder: Path) -> Steps:
    """Restore what the kill left, export it, look at a gallery, say what program this is."""
    found: list[QPushButton] = []

    def restore_offered() -> bool:
        buttons = [each for each in desk.frame.findChildren(QPushButton) if each.isVisible()]
        found[:] = [
            button for button in buttons if "estore" in button.text() and button.isEnabled()
        ]
        return bool(found)

    yield restore_offered
    found[0].click()
    painted = (folder / "painted").read_text("ascii")
    yield lambda: digest(desk) == painted
    run(desk.files.saving.save_to(folder / "exported.xml", is_confirmed=True))
    yield lambda: not desk.document.current_map.unsaved
    for name in ("world.battlemap", "island.battlemap"):  # children roll these galleries
        desk.files.open_path(folder / name)
        yield lambda name=name: desk.document.current_map.path == folder / name
        desk.docks.show("gallery")
        gallery = desk.docks.panel("gallery")
        yield (lambda gallery=gallery: len(gallery.maps.candidates) >= 4)
        desk.docks.close("gallery")
    from app.features.help.help_dialogs import about_html

    (folder / "about.html").write_text(about_html(), "utf-8")


def pictures(_desk: Any, folder: Path) -> Steps:
    """A picture of each map of the list; their exit codes."""
    from app.cli.picture import main as picture

    codes = {}
    for number, name in enumerate(json.loads((folder / "maps.json").read_text("utf-8"))):
        codes[name] = picture([name, str(folder / f"{number}.png"), "--pixels", "12"])
        yield lambda: True
    (folder / "codes.json").write_text(json.dumps(codes), "utf-8")
