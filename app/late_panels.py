"""Panels that are made when they are first shown: few sessions need all of them."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.background.jobs import Job
from randomizer.catalog import generator_without_script

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.window import MainWindow
    from randomizer.generator import Progress
    from randomizer.model.system import System

LATE = {
    "odds": "app.features.odds.controller",
    "fairness": "app.features.fairness.controller",
    "gallery": "app.features.gallery.controller",
    "dice": "app.systems.cordery.controller",
}
"""Dock -> the module whose ``make(window)`` gives the panel, wired to the window."""


DICE_AND_LAYERS = (5, 3)
"""How the dice and the layers share the height of a side: forms and logs are long."""


class LatePanels(QObject):
    """Makes the panels of a window whose docks are shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._made: dict[str, QWidget] = {}
        self._unplaced: dict[str, QWidget] = {}
        self._loading: set[str] = set()
        for name, dock in window.docks.items():
            if name in LATE:
                dock.visibilityChanged.connect(partial(self._on_visible, name))
                self._on_visible(name, not dock.isHidden())  # it was left open
        self._dice_had_room = False
        self._dice_offered: bool | None = None  # a dock that was left open may lie behind another
        window.document.map_replaced.connect(self._look_for_dice)
        self._look_for_dice()

    def panel(self, name: str) -> QWidget:
        """The panel of a dock, made if it is not there yet."""
        if name not in self._made:
            self._make(name)
            self._place(name)
        return self._made[name]

    def made(self, name: str) -> QWidget | None:
        """The panel of a dock, None if it was never shown."""
        return self._made.get(name)

    def _make(self, name: str) -> None:
        if name not in self._unplaced:
            panel = import_module(LATE[name]).make(self._window)
            panel.setParent(self._window.docks[name])  # it goes with the window if that goes now
            self._unplaced[name] = panel

    def _place(self, name: str) -> None:
        panel = self._unplaced.pop(name, None)
        if panel is not None:
            self._made[name] = panel
            self._window.docks[name].setWidget(panel)
            self._window.grid_words.suit(panel)

    def _on_visible(self, name: str, visible: bool) -> None:
        """Load the panel's code off the window's thread, then make it."""
        if not visible or name in self._made or name in self._loading:
            return
        self._loading.add(name)

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> str:
            import_module(LATE[name])
            return name

        job = Job(work)
        job.finished.connect(self._loaded)
        job.start()

    def _look_for_dice(self) -> None:
        """Where no script makes maps like the one in front, the dice are brought."""
        system = self._window.document.battlemap.system

        def work(_progress: Progress, _cancelled: Callable[[], bool]) -> tuple[System, bool]:
            return system, generator_without_script(system) is not None

        job = Job(work)
        job.finished.connect(self._offer_dice)
        job.start()

    def _offer_dice(self, found: tuple[System, bool]) -> None:
        system, wanted = found
        if wanted != self._dice_offered and system is self._window.document.battlemap.system:
            self._dice_offered = wanted
            docks = self._window.docks
            docks["dice"].setVisible(wanted)
            docks["dice" if wanted else "randomize"].raise_()
            if wanted and not self._dice_had_room:
                self._dice_had_room = True  # from now on the user says how high they are
                QTimer.singleShot(0, self, self._make_room_for_dice)  # once it is laid out

    def _make_room_for_dice(self) -> None:
        both = [self._window.docks[name] for name in ("dice", "layers")]
        height = sum(dock.height() for dock in both)
        shares = [height * share // sum(DICE_AND_LAYERS) for share in DICE_AND_LAYERS]
        self._window.resizeDocks(both, shares, Qt.Orientation.Vertical)

    def _loaded(self, name: str) -> None:
        """Make the panel; lay it out and draw it in the turn that follows."""
        self._loading.discard(name)
        if name not in self._made and not self._window.docks[name].isHidden():
            self._make(name)
            QTimer.singleShot(0, self, partial(self._place, name))
