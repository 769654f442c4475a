"""Keys of build mode on the map: ``3`` ``.`` and Space paint a hexagon of sea with radius 3.

A terrain's character chooses the brush; the number typed before it is a radius, or if negative the
length of a bar that goes east. Space then paints where keyboard or mouse point, until Escape, or
until another tool or terrain is chosen.

The document lets the characters override all other commands. Here a letter that is a key of the
desk (W, R ...) keeps that meaning unless a number stands before it (``0w``), and the full stop and
comma go through units while the tool of things is used.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.systems.xconq.map.map_commands import paint_terrain
from app.tools.options import MOST_RADIUS
from app.tools.pointer import selected
from randomizer.systems.xconq.scenario.areas import brush_cells

MOST_DIGITS = 4

TYPED = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
"""Modifiers with which a key still types a character."""


class BuildKeys(QObject):
    """Listens to the keys of the canvas while a map of Xconq is current.

    ``typed`` is the number so far; ``brush`` the code of the chosen terrain and the number, None
    while Space does not paint.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self.typed = ""
        self.brush: tuple[int, int] | None = None
        desk.canvas.installEventFilter(self)
        connect(desk.document.map_replaced, self.end)
        connect(desk.tools.options.changed, self._on_options)
        connect(desk.tools.chosen, self._on_options)

    @property
    def _codes(self) -> dict[str, int]:
        """The codes of the terrains by their characters."""
        terrains = self._document.battlemap.terrain_set.terrains
        return {t.letters[0]: code for code, t in enumerate(terrains) if t.letters}

    def _on_options(self) -> None:
        """Another terrain or tool was chosen otherwise: Space is what it was."""
        options = self._desk.tools.options
        tool = self._desk.tools.name
        if self.brush is not None and (options.terrain != self.brush[0] or tool != "terrain"):
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
        """Take the keys of build mode before shortcuts and the canvas get them."""
        if isinstance(event, QKeyEvent) and self._document.battlemap.system.name == "xconq":
            if event.type() == QEvent.Type.ShortcutOverride and self._wants(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and self._wants(event):
                self._take(event)
                return True
        return super().eventFilter(watched, event)

    def _wants(self, event: QKeyEvent) -> bool:
        """Return whether a key means something here now."""
        if event.modifiers() & ~TYPED or self._document.in_stroke:
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
            return bool(self.typed.strip("-")) or not self._is_taken(text)
        return text == "-"

    def _is_taken(self, text: str) -> bool:
        """Return whether a character is a key of a command that can be used now, or of the tool."""
        desk = self._desk
        if text in ".," and desk.tools.uses("things"):
            return True
        if not text.isalnum():
            return False
        owners = desk.shortcuts.owners([QKeySequence(text.upper())], "")
        actions = (desk.commands.action(name) for name in owners)
        return any(action.isEnabled() and action.isVisible() for action in actions)

    def _take(self, event: QKeyEvent) -> None:
        key = event.key()
        text = event.text()
        if key == Qt.Key.Key_Space:
            self.paint()
        elif key == Qt.Key.Key_Escape:
            self.end()
        elif key == Qt.Key.Key_Backspace:
            self.typed = self.typed[:-1]
            self._say()
        elif text in self._codes and not (text == "-" and not self.typed):
            self._choose(self._codes[text])
        elif len(self.typed) < MOST_DIGITS:
            self.typed = "-" if text == "-" else self.typed + text
            self._say()

    def _choose(self, code: int) -> None:
        """Paint with this terrain from now on, with the number that was typed."""
        digits = self.typed
        self.typed = ""
        number = int(digits) if digits.strip("-") else 0
        self.brush = None
        self._desk.tools.take_up("terrain")
        if self._desk.tools.name != "terrain":
            self._desk.tools.choose("terrain")
        options = self._desk.tools.options
        radius = options.radius if number > MOST_RADIUS else max(number, 0)  # 999 floods the map
        options.choose(terrain=code, radius=radius, bar=False)
        self.brush = (code, number)
        self._say()

    def _say(self) -> None:
        if self.typed:
            self._desk.say(f"{self.typed} - now a terrain: {' '.join(self._codes)}", lasting=True)
        elif self.brush is not None:
            code, number = self.brush
            name = self._document.battlemap.terrain_set.terrains[code].name
            if number < 0:
                shape = f"a bar of {-number} hexes"
            else:
                shape = f"radius {number}"
            self._desk.say(f"Space paints {name}, {shape} (Esc: no more)", lasting=True)
        else:
            self._desk.say("")

    # --- painting ---------------------------------------------------------------------------

    def paint(self) -> None:
        """Paint where keyboard or mouse point."""
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
        code, number = self.brush
        cells = selected(document, brush_cells(document.battlemap.grid, pointer.cell, number))
        paint_terrain(self._desk, cells, code, "Paint terrain")
