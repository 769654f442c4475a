"""The entries of the menus that have to do with selections, stamps and the whole map's shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence

from app.features.map.transform_commands import TransformCommands
from app.features.selection.select_commands import SelectCommands

if TYPE_CHECKING:
    from app.window import MainWindow

Entry = tuple[str, Callable[[], Any], QKeySequence.StandardKey | str | None, str, str] | None
"""Text, what it does, keys, picture, tip; None is a line between entries."""


def edit_entries(window: MainWindow, selecting: SelectCommands) -> tuple[Entry, ...]:
    """What the menu Edit has for pieces of map and for brushes."""
    key, box, options = QKeySequence.StandardKey, window.toolbox, window.options
    flip = (
        "Mirror the stamp left and right; with another tool in hand give hexsides to the other "
        "hex, or back"
    )
    return (
        ("Cu&t", selecting.cut, key.Cut, "cut", "Take what the active layer has selected in hand"),
        ("&Copy", selecting.copy, key.Copy, "copy", "Copy what shows on the selected hexes"),
        ("&Paste", selecting.paste, key.Paste, "paste", "Take in hand what was copied"),
        ("&Delete", selecting.delete, "Del", "eraser", "Empty the active layer where selected"),
        None,
        ("Turn stamp &right", partial(box.stamp.turn, 1), "Z", "redo", "Turn it by one side"),
        ("Turn stamp &left", partial(box.stamp.turn, -1), "Shift+Z", "undo", "Turn it back"),
        ("&Flip", partial(box.flip, upside_down=False), "X", "flip", flip),
        ("Flip &upside down", partial(box.flip, upside_down=True), "Y", "", "Mirror the stamp"),
        None,
        ("&Wider brush", partial(options.widen, 1), "]", "", "One hex more on every side"),
        ("&Narrower brush", partial(options.widen, -1), "[", "", "One hex less on every side"),
        None,
    )


def select_entries(selecting: SelectCommands) -> tuple[Entry, ...]:
    """The menu Select."""
    return (
        ("&All", selecting.select_all, QKeySequence.StandardKey.SelectAll, "", "Select every hex"),
        ("&Nothing", selecting.select_none, "Ctrl+Shift+A", "", "Then everything can be painted"),
        ("&Again", selecting.reselect, "Ctrl+Shift+D", "", "Select what was selected last"),
        ("&Invert", selecting.invert, "Ctrl+I", "", "Select what is not selected"),
        None,
        ("&Grow", selecting.grow, "Ctrl+]", "", "Select the neighbours too"),
        ("&Shrink", selecting.shrink, "Ctrl+[", "", "Leave out the hexes at the border"),
        None,
        ("&Fill with terrain", selecting.fill, "Shift+F", "fill", "With that of the palette"),
        ("&Lock", partial(selecting.lock, True), None, "lock", "Re-rolls keep what is selected"),
        (
            "Lock as in the roll &before",
            selecting.lock_as_before,
            None,
            "",
            "Take what is selected back as it was before the last re-roll, and lock it; hexsides "
            "stay as they are",
        ),
        ("&Unlock", partial(selecting.lock, False), None, "unlock", "Re-rolls may change it again"),
        ("Unlock &everything", selecting.unlock_all, None, "", "Re-rolls may change the whole map"),
    )


def transform_entries(window: MainWindow) -> tuple[Entry, ...]:
    """What the menu Map does with the whole map."""
    do = TransformCommands(window)
    return (
        ("Turn &right", partial(do.turn, 1), None, "redo", "The whole map, by one side"),
        ("Turn &left", partial(do.turn, -1), None, "undo", "The whole map, by one side"),
        ("Flip &horizontally", partial(do.flip, upside_down=False), None, "flip", "Mirror the map"),
        ("Flip &vertically", partial(do.flip, upside_down=True), None, "", "Mirror the map"),
        ("Re&size...", do.resize, None, "", "Give the map more columns and rows, or fewer"),
        ("S&hift...", do.shift, None, "", "Move everything; what leaves comes in again"),
        None,
    )
