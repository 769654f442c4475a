"""Keys of build mode on the map: ``3`` ``.`` and Space paint a hexagon of sea with radius 3.

*Build mode* is the editor of the real program, whose keys work here, too::

    3 .        a brush of terrain ``.``, a hexagon with radius 3
    -5 +       a brush of terrain ``+``, a bar of five hexes that goes east
    Space      paints with the brush where keyboard or mouse point
    Escape     ends painting; so does another tool or terrain that the user chooses

In the real program the characters of terrains go before all other commands. Here a letter that is a
key of the desk (W, R ...) keeps that meaning unless a number stands before it (``0w``), and full
stop and comma go through units while the tool of things is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.systems.xconq.map.terrain_painting import paint_terrain
from app.tools.options import MAX_RADIUS
from app.tools.pointer import selected
from randomizer.geometry.areas import Cells
from randomizer.model.grid.grid import Grid
from randomizer.systems.xconq.scenario.areas import bar_cells, hexagon_cells

MAX_CHARACTERS = 4
"""The most characters of a number that is typed, a sign included."""

TYPING_MODIFIERS = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
"""The modifiers with which a key still types a character."""


@dataclass(frozen=True)
class Hexagon:
    """The shape of a hexagon around the hex where the user points: that of a number from 0 on."""

    radius: int
    """0: that hex alone."""

    def __str__(self) -> str:
        return f"radius {self.radius}"

    def cells(self, grid: Grid, cell: int) -> Cells:
        """Return the cells that are painted where the user points at ``cell``."""
        return hexagon_cells(grid, cell, self.radius)


@dataclass(frozen=True)
class Bar:
    """The shape of a bar that goes east from the hex where the user points: -5 is one of five."""

    length: int
    """The number of hexes, from 1 on."""

    def __str__(self) -> str:
        return f"a bar of {self.length} hexes"

    def cells(self, grid: Grid, cell: int) -> Cells:
        """Return the cells that are painted where the user points at ``cell``."""
        return bar_cells(grid, cell, self.length)


def shape_of_number(typed: str) -> Hexagon | Bar:
    """Return the shape that the characters of a number choose: "3", "-5"; "" and "-" are 0."""
    number = 0
    if typed.strip("-"):
        number = int(typed)
    if number < 0:
        return Bar(-number)
    return Hexagon(number)


class Brush(NamedTuple):
    """A terrain and the shape in which it is painted."""

    code: int
    """The code of the terrain."""

    shape: Hexagon | Bar


class BuildKeys(QObject):
    """Listens to the keys of the canvas while a map of Xconq is current."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self.typed = ""
        """The characters of the number that was typed so far; "" once a terrain has followed."""
        self.brush: Brush | None = None
        """The brush with which Space paints; None from ``end`` until a terrain is typed."""
        desk.canvas.installEventFilter(self)
        connect(desk.document.map_replaced, self.end)
        connect(desk.tools.options.changed, self._on_options)
        connect(desk.tools.chosen, self._on_options)

    @property
    def _codes(self) -> dict[str, int]:
        """The codes of the terrains by the characters that choose them.

        The character of a terrain is the first of its ``Terrain.letters``.
        """
        terrains = self._document.battlemap.terrain_set.terrains
        return {
            terrain.letters[0]: code for code, terrain in enumerate(terrains) if terrain.letters
        }

    def _on_options(self) -> None:
        """End build mode when the user chooses another terrain or tool by other means."""
        if self.brush is None:
            return
        tools = self._desk.tools
        if tools.options.terrain != self.brush.code or tools.name != "terrain":
            self.end()

    def end(self) -> None:
        """Forget what was typed; Space does not paint any more."""
        if self.typed or self.brush is not None:
            self.typed = ""
            self.brush = None
            self._desk.say("")

    # --- keys -------------------------------------------------------------------------------

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of build mode before commands and the canvas get them.

        Qt sends two events for a key. If the first one, ``ShortcutOverride``, is accepted, the key
        runs no command; the second one, ``KeyPress``, does the work.
        """
        if isinstance(event, QKeyEvent) and self._document.battlemap.system.name == "xconq":
            if event.type() == QEvent.Type.ShortcutOverride and self._is_build_key(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and self._is_build_key(event):
                self._execute(event)
                return True
        return super().eventFilter(watched, event)

    def _is_build_key(self, event: QKeyEvent) -> bool:
        """Return whether a key means anything in build mode now.

        That depends on the number typed so far, and on the brush.
        """
        if event.modifiers() & ~TYPING_MODIFIERS or self._document.in_stroke:
            return False
        key = event.key()
        text = event.text()
        if key == Qt.Key.Key_Space:
            return self.brush is not None
        if key == Qt.Key.Key_Escape:
            return bool(self.typed) or self.brush is not None
        if key == Qt.Key.Key_Backspace:
            return bool(self.typed)
        if text and text in "0123456789":
            return True
        if text in self._codes:
            has_number = bool(self.typed.strip("-"))
            return has_number or not self._is_key_of_desk(text)
        return text == "-"

    def _is_key_of_desk(self, text: str) -> bool:
        """Return whether a character is a key of a command that can be used now, or of the tool."""
        desk = self._desk
        if text in ".," and desk.tools.uses("things"):
            return True
        if not text.isalnum():
            return False
        owners = desk.shortcuts.owners([QKeySequence(text.upper())], "")
        actions = (desk.commands.action(name) for name in owners)
        return any(action.isEnabled() and action.isVisible() for action in actions)

    def _execute(self, event: QKeyEvent) -> None:
        """Do the work of a key for which ``_is_build_key`` is True."""
        key = event.key()
        text = event.text()
        if key == Qt.Key.Key_Space:
            self.paint()
        elif key == Qt.Key.Key_Escape:
            self.end()
        elif key == Qt.Key.Key_Backspace:
            self.typed = self.typed[:-1]
            self._say()
        elif text == "-" and not self.typed:
            # Before a number it is a sign, even if it is the character of a terrain.
            self.typed = text
            self._say()
        elif text in self._codes:
            self._choose_brush(self._codes[text])
        elif len(self.typed) < MAX_CHARACTERS:
            if text == "-":
                self.typed = text  # a sign in the middle begins a number anew
            else:
                self.typed += text
            self._say()

    def _choose_brush(self, code: int) -> None:
        """Let Space paint with a terrain from now on, in the shape of the number that was typed.

        The tool *Terrain* is chosen with the same terrain, so that the user sees it.
        """
        shape = shape_of_number(self.typed)
        self.typed = ""
        # The changes below would end build mode (``_on_options``), but not while there is no brush.
        self.brush = None
        self._desk.tools.use_unless_alike("terrain")
        if self._desk.tools.name != "terrain":
            self._desk.tools.choose("terrain")
        options = self._desk.tools.options
        if isinstance(shape, Bar):
            radius = 0  # the tool has no such bars
        elif shape.radius <= MAX_RADIUS:
            radius = shape.radius
        else:
            # The tool cannot show so large a brush (999 covers the map), and keeps its radius.
            radius = options.radius
        options.choose(terrain=code, radius=radius, bar=False)
        self.brush = Brush(code, shape)
        self._say()

    def _say(self) -> None:
        """Show in the status bar what was typed, or what Space paints."""
        if self.typed:
            self._desk.say(f"{self.typed} - now a terrain: {' '.join(self._codes)}", lasting=True)
        elif self.brush is not None:
            code, shape = self.brush
            name = self._document.battlemap.terrain_set.terrains[code].name
            self._desk.say(f"Space paints {name}, {shape} (Esc: no more)", lasting=True)
        else:
            self._desk.say("")

    # --- painting ---------------------------------------------------------------------------

    def paint(self) -> None:
        """Paint with the brush at the hex where keyboard or mouse point."""
        canvas = self._desk.canvas
        document = self._document
        if self.brush is None:
            return
        if canvas.active_tool.pointer is None:
            canvas.keyboard_cursor.show()
        pointer = canvas.active_tool.pointer
        if pointer is None:
            document.refuse("Point at a hex first.")
            return
        code, shape = self.brush
        cells = selected(document, shape.cells(document.battlemap.grid, pointer.cell))
        paint_terrain(self._desk, cells, code, "Paint terrain")
