"""What the keys do in the editor of a script.

Qt asks the editor about a key twice. First, whether it wants the key at all, or leaves it to the
shortcuts of the menus (``key_owner``). If it wants it, the key comes again (``EditorKeys.press``).

The keys of Undo and Redo act on one of two histories. The text of a file has *steps* of its own
(``QTextDocument``). A text that is stored in the map has none: each edit of it is a step of the
map. So it depends on the text what they do::

    the text                          Undo                         Redo

    of a file, with steps to undo     undoes one                   Qt's editor redoes, if it can
    of a file, only steps to redo     tells NO_STEPS               Qt's editor redoes one
    of a file, without steps          the menu undoes a step       the menu redoes a step
                                      of the map                   of the map
    in the map, whose next step       the menu undoes it           the menu redoes it
    changes the text
    in the map, whose next step       tells STEP_OF_MAP            tells UNDONE_STEP_OF_MAP
    changes something else

In the second row the key does not go on to the map: who holds Ctrl+Z down to undo all of a text
must not undo a roll, too. In the last one it would undo something that is out of sight. Which of
the last three rows holds is told by ``EditorContext.may_take_map_step``. If the menu has nothing to
undo, the key comes back, and NO_STEPS is told.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.scripts.script_text import ScriptText

STILL_HERE = "The keyboard is in the script: Escape once more gives it to the map"
"""The message at the first Escape after typing, see ``EditorKeys.press``."""

NO_STEPS = "Nothing more was typed here; Undo in the menu takes back steps of the map"
"""The message at Ctrl+Z when all steps of the text are undone."""

STEP_OF_MAP = "The last step did not change this text; Undo in the menu takes it back"
"""The message at Ctrl+Z in a text that the map holds, when the last step is another one."""

UNDONE_STEP_OF_MAP = "The next step does not change this text; Redo in the menu does it again"
"""The message at the keys of Redo there."""

EDITING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
"""The keys that change a text, beside those of letters."""


class KeyOwner(Enum):
    """Who decides about a key."""

    EDITOR = auto()
    """Our editor takes it."""

    MAP = auto()
    """It undoes or redoes a step of the map, if that is allowed (``EditorContext``)."""

    QT = auto()
    """Qt's own editor knows whether it edits the text, or is left to the menus."""


def key_owner(event: QKeyEvent, text: ScriptText) -> KeyOwner:
    """Return who decides about a key that is pressed while ``text`` is edited."""
    keys = QKeySequence.StandardKey
    if event.matches(keys.Save):
        return KeyOwner.EDITOR
    is_undo_or_redo = event.matches(keys.Undo) or event.matches(keys.Redo)
    has_steps = text.isUndoAvailable() or text.isRedoAvailable()
    if is_undo_or_redo and not has_steps:
        return KeyOwner.MAP
    return KeyOwner.QT


class KeyAction(Enum):
    """What the editor does for a key."""

    SAVE = auto()
    """Save the script."""

    UNDO = auto()
    """Undo a step of the text."""

    END_LINE = auto()
    """Begin a new line."""

    EDIT = auto()
    """Whatever Qt's editor does: write a letter, move the cursor."""

    TELL = auto()
    """Tell a message only."""


class KeyEffect(NamedTuple):
    """The effect of a key in the editor."""

    action: KeyAction

    message: str = ""
    """What is told; "" unless the action is TELL."""


class EditorKeys:
    """Decides what a key does that the editor wants.

    It knows whether the user has typed since the keyboard came to the editor.
    """

    def __init__(self) -> None:
        self._has_typed = False
        """True from the first letter typed until Escape, or until the keyboard goes elsewhere."""

    def forget_typing(self) -> None:
        """Note that the keyboard goes elsewhere."""
        self._has_typed = False

    def press(self, event: QKeyEvent, text: ScriptText) -> KeyEffect:
        """Note whether a pressed key types, and return what it does in ``text``."""
        # The first Escape after typing only tells where the keyboard is; a second one gives it to
        # the map. The first may have been meant for a list of words that had closed already, and
        # the letters that follow would choose tools.
        if event.key() == Qt.Key.Key_Escape and self._has_typed:
            self._has_typed = False
            return KeyEffect(KeyAction.TELL, STILL_HERE)
        if changes_text(event):
            self._has_typed = True

        keys = QKeySequence.StandardKey
        if event.matches(keys.Save):
            return KeyEffect(KeyAction.SAVE)
        if event.matches(keys.Undo):
            return _effect_of_undo(text)
        if event.matches(keys.Redo) and _is_stored_in_map(text):
            return KeyEffect(KeyAction.TELL, UNDONE_STEP_OF_MAP)
        if event.matches(keys.InsertLineSeparator):  # Shift+Enter does the same as Enter
            return KeyEffect(KeyAction.END_LINE)
        return KeyEffect(KeyAction.EDIT)


def _effect_of_undo(text: ScriptText) -> KeyEffect:
    """Return what the keys of Undo do when they are not left to the menu (see the module)."""
    if text.isUndoAvailable():
        return KeyEffect(KeyAction.UNDO)
    if _is_stored_in_map(text):
        return KeyEffect(KeyAction.TELL, STEP_OF_MAP)
    return KeyEffect(KeyAction.TELL, NO_STEPS)


def _is_stored_in_map(text: ScriptText) -> bool:
    """Return whether the edits of a text are steps of the map: then Qt notes none of its own."""
    return not text.isUndoRedoEnabled()


def changes_text(event: QKeyEvent) -> bool:
    """Return whether a key writes or deletes characters of a text."""
    is_letter = bool(event.text()) and event.text().isprintable()
    return is_letter or event.key() in EDITING_KEYS
