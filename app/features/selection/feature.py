"""The commands for selected cells and picked things: of the menu Select, and Cut, Copy and Paste.

``make`` is called once for a desk, by the list of features.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.desk.desk import Desk
from app.features.selection.cell_edits import CellEdits
from app.features.selection.controller import SelectionController
from app.features.selection.cut_copy_paste import CutCopyPaste
from app.features.selection.thing_menu import ThingMenu
from app.features.selection.things import PickedThings


def make(desk: Desk) -> None:
    """Add the commands, and the submenus of things to the menu of cells."""
    selection = SelectionController(desk)
    edits = CellEdits(desk, selection)
    things = PickedThings(desk)
    clipboard = CutCopyPaste(desk, selection, edits, things)
    desk.commands.add(_clipboard_commands(clipboard))
    desk.commands.add(_selecting_commands(selection))
    desk.commands.add(_changing_commands(edits))
    desk.commands.add(things.commands())
    ThingMenu(desk, things)  # a child of the desk, with which it lives


def _clipboard_commands(clipboard: CutCopyPaste) -> tuple[Command, ...]:
    """Return the commands that cut, copy, paste and delete what is selected."""
    key = QKeySequence.StandardKey
    return (
        Command(
            "edit.cut",
            "Cu&t",
            clipboard.cut,
            tip="Take away what the active layer has on the selected {cells}, for Paste",
            keys=key.Cut,
            icon="cut",
            words="take remove clipboard",
        ),
        Command(
            "edit.copy",
            "&Copy",
            clipboard.copy,
            tip="Copy what shows on the selected {cells}",
            keys=key.Copy,
            icon="copy",
            words="clipboard stamp",
        ),
        Command(
            "edit.paste",
            "&Paste",
            clipboard.paste,
            tip="Take in hand what was copied, or roll what was copied as a recipe",
            keys=key.Paste,
            icon="paste",
            words="insert clipboard stamp recipe",
        ),
        Command(
            "edit.delete",
            "&Delete",
            clipboard.delete,
            tip="Empty the active layer where selected",
            keys="Del",
            icon="eraser",
            words="clear remove erase empty",
        ),
    )


def _selecting_commands(selection: SelectionController) -> tuple[Command, ...]:
    """Return the commands that change the selection, or go from one selected cell to another."""
    return (
        Command(
            "select.all",
            "&All",
            selection.select_all,
            tip="Select every {cell}",
            keys=QKeySequence.StandardKey.SelectAll,
            words="everything whole",
        ),
        Command(
            "select.nothing",
            "&Nothing",
            selection.select_none,
            tip="Select nothing, so that every {cell} can be painted",
            keys="Ctrl+Shift+A",
            words="deselect none unselect clear",
        ),
        Command(
            "select.again",
            "&Again",
            selection.reselect,
            tip="Select what was selected last",
            keys="Ctrl+Shift+D",
            words="reselect last previous",
        ),
        Command(
            "select.invert",
            "&Invert",
            selection.invert,
            tip="Select what is not selected",
            keys="Ctrl+I",
            words="opposite complement others",
        ),
        Command(
            "select.grow",
            "&Grow",
            selection.grow,
            tip="Select the neighbours too",
            keys="Ctrl+]",
            words="expand larger wider",
        ),
        Command(
            "select.shrink",
            "&Shrink",
            selection.shrink,
            tip="Leave out the {cells} at the border",
            keys="Ctrl+[",
            words="contract smaller narrower",
        ),
        Command(
            "select.next",
            "Ne&xt {cell}",
            partial(selection.walk, backwards=False),
            tip="Point the keyboard at the next selected {cell}",
            keys="F4",
            words="walk doubtful cursor",  # cells that are doubtful in a traced picture
        ),
        Command(
            "select.previous",
            "Pre&vious {cell}",
            partial(selection.walk, backwards=True),
            tip="Point the keyboard at the selected {cell} before",
            keys="Shift+F4",
            words="walk doubtful cursor back",
        ),
    )


def _changing_commands(edits: CellEdits) -> tuple[Command, ...]:
    """Return the commands that fill, lock and unlock the selected cells."""
    return (
        Command(
            "select.fill-with-terrain",
            "&Fill with terrain",
            edits.fill,
            tip="With that of the palette",
            keys="Shift+F",
            icon="fill",
            words="paint bucket flood colour",
        ),
        Command(
            "select.lock",
            "&Lock",
            edits.lock,
            tip="Rolls keep what is selected",
            icon="lock",
            words="keep protect freeze pin",
        ),
        Command(
            "select.lock-as-in-the-roll-before",
            "Lock as in the roll &before",
            edits.lock_as_before,
            tip="Take what is selected back as it was before the last roll, and lock it; {sides} "
            "stay as they are",
            words="keep restore back previous",
        ),
        Command(
            "select.unlock",
            "&Unlock",
            edits.unlock,
            tip="Rolls may change it again",
            icon="unlock",
            words="release free",
        ),
        Command(
            "select.unlock-everything",
            "Unlock &everything",
            edits.unlock_all,
            tip="Rolls may change the whole map",
            words="release free all clear locks",
        ),
    )
