"""What is selected: cells, pieces of map, things that are picked; and the stamp."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.selection.controller import SelectionController
from app.features.selection.cut_copy_paste import CutCopyPaste
from app.features.selection.thing_menu import ThingMenu


def make(desk: Desk) -> None:
    """Add the commands for selections and pieces of map."""
    selection = SelectionController(desk)
    desk.commands.add(_edit(CutCopyPaste(desk, selection)))
    desk.commands.add(_select(selection))
    desk.commands.add(selection.things.commands())
    ThingMenu(desk, selection.things)


def _edit(pieces: CutCopyPaste) -> tuple[Command, ...]:
    key = QKeySequence.StandardKey
    return (
        Command(
            "edit.cut",
            "Cu&t",
            pieces.cut,
            "Take what the active layer has selected in hand",
            key.Cut,
            "cut",
            words="take remove clipboard",
        ),
        Command(
            "edit.copy",
            "&Copy",
            pieces.copy,
            "Copy what shows on the selected {cells}",
            key.Copy,
            "copy",
            words="clipboard stamp",
        ),
        Command(
            "edit.paste",
            "&Paste",
            pieces.paste,
            "Take in hand what was copied, or roll what was copied as a recipe",
            key.Paste,
            "paste",
            words="insert clipboard stamp recipe",
        ),
        Command(
            "edit.delete",
            "&Delete",
            pieces.delete,
            "Empty the active layer where selected",
            "Del",
            "eraser",
            words="clear remove erase empty",
        ),
    )


def _select(selection: SelectionController) -> tuple[Command, ...]:
    return (
        Command(
            "select.all",
            "&All",
            selection.select_all,
            "Select every {cell}",
            QKeySequence.StandardKey.SelectAll,
            words="everything whole",
        ),
        Command(
            "select.nothing",
            "&Nothing",
            selection.select_none,
            "Then everything can be painted",
            "Ctrl+Shift+A",
            words="deselect none unselect clear",
        ),
        Command(
            "select.again",
            "&Again",
            selection.reselect,
            "Select what was selected last",
            "Ctrl+Shift+D",
            words="reselect last previous",
        ),
        Command(
            "select.invert",
            "&Invert",
            selection.invert,
            "Select what is not selected",
            "Ctrl+I",
            words="opposite complement others",
        ),
        Command(
            "select.grow",
            "&Grow",
            selection.grow,
            "Select the neighbours too",
            "Ctrl+]",
            words="expand larger wider",
        ),
        Command(
            "select.shrink",
            "&Shrink",
            selection.shrink,
            "Leave out the {cells} at the border",
            "Ctrl+[",
            words="contract smaller narrower",
        ),
        Command(
            "select.next",
            "Ne&xt {cell}",
            partial(selection.walk, 1),
            "Point the keyboard at the next selected {cell}",
            "F4",
            words="walk doubtful cursor",
        ),
        Command(
            "select.previous",
            "Pre&vious {cell}",
            partial(selection.walk, -1),
            "Point the keyboard at the selected {cell} before",
            "Shift+F4",
            words="walk doubtful cursor back",
        ),
        Command(
            "select.fill-with-terrain",
            "&Fill with terrain",
            selection.fill,
            "With that of the palette",
            "Shift+F",
            "fill",
            words="paint bucket flood colour",
        ),
        Command(
            "select.lock",
            "&Lock",
            partial(selection.lock, True),
            "Rolls keep what is selected",
            icon="lock",
            words="keep protect freeze pin",
        ),
        Command(
            "select.lock-as-in-the-roll-before",
            "Lock as in the roll &before",
            selection.lock_as_before,
            "Take what is selected back as it was before the last roll, and lock it; {sides} "
            "stay as they are",
            words="keep restore back previous",
        ),
        Command(
            "select.unlock",
            "&Unlock",
            partial(selection.lock, False),
            "Rolls may change it again",
            icon="unlock",
            words="release free",
        ),
        Command(
            "select.unlock-everything",
            "Unlock &everything",
            selection.unlock_all,
            "Rolls may change the whole map",
            words="release free all clear locks",
        ),
    )
