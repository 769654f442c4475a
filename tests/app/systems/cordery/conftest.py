"""A wargamer at a small desk with the dice of Cordery's tables."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from app.systems.cordery.feature import DiceController
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM, table_grid


class Wargamer:
    """Someone at the desk with a bare table of 8 x 8 squares."""

    def __init__(self, qtbot, window) -> None:
        self.qtbot = qtbot
        self.window = window
        self.document = window.desk.document
        window.desk.document.show_map(
            BattleMap.new(SYSTEM, table_grid("square", 8, 8), [Layer(1, "Table")])
        )
        qtbot.waitUntil(lambda: window.desk.docks.find_panel("dice") is not None)
        self.panel = window.desk.docks.find_panel("dice")
        self.desk = self.panel.findChild(DiceController)
        self.rolling = window.desk.rolling

    def wait(self) -> None:
        """Until the table is laid and its log is there."""
        self.qtbot.waitUntil(lambda: not self.rolling.busy)
        words = [
            line
            for layer in self.document.battlemap.layers
            if layer.roll and layer.visible
            for line in layer.roll.origins
        ]
        self.qtbot.waitUntil(lambda: bool(self.log()) or not words)
        self.qtbot.waitUntil(lambda: self.desk.throwing.table.has_fresh_log)

    def throw(self, **chosen: object) -> None:
        self.desk.throwing.map_choices.choose(**chosen)
        self.desk.actions.throw.trigger()
        self.wait()

    def throw_again(self) -> None:
        """Throw the next table of the same seed."""
        self.desk.actions.forth.trigger()
        self.wait()

    def enter_dice_by_hand(self) -> None:
        dice = self.panel.dice_form.field("dice")
        dice.setCurrentIndex(dice.findData("typed"))

    def enter(self, *scores: int) -> None:
        """Enter real dice as they are asked for."""
        self.qtbot.waitUntil(self.panel.strip.isVisible)
        for score in scores:
            self.qtbot.waitUntil(lambda: not self.desk.entry.busy)
            self.panel.strip.buttons[score - 1].click()
        self.qtbot.waitUntil(lambda: not self.desk.entry.busy)

    def log(self) -> list[str]:
        return self.panel.log.lines()

    def row(self, start: str) -> int:
        return next(row for row, line in enumerate(self.log()) if line.startswith(start))

    def part(self, kind: str) -> Layer:
        layers = self.document.battlemap.layers
        return next(layer for layer in reversed(layers) if layer.roll and layer.roll.part == kind)

    def read(self, start: str) -> None:
        """Click a line of the log."""
        self.panel.tabs.setCurrentIndex(1)
        item = self.panel.log.item(self.row(start))
        self.panel.log.scrollToItem(item)
        middle = self.panel.log.visualItemRect(item).center()
        self.qtbot.mouseClick(self.panel.log.viewport(), Qt.MouseButton.LeftButton, pos=middle)

    def point(self, cell: int) -> QPoint:
        canvas = self.window.desk.canvas
        return canvas.viewport.to_screen(*self.document.battlemap.grid.centre(cell)).toPoint()


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("cordery",)


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)
