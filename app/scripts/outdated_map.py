"""Tells that the map is not that of the script as it is now: ``OutdatedMap``.

This is so after edits which the map does not follow: only a roll brings them into the map. The
banner above the editor shows the sentence.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.rolling.rolling import Rolling
from app.scripts.script_layer import ScriptLayer
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower

TEXT_IS_NEWER = "Text changed: Ctrl+Enter rolls it."
VARIATION_IS_OLDER = "Text changed: the variation is not of it. Ctrl+Enter rolls it instead."
SETTINGS_ARE_NEWER = "Settings changed: Ctrl+Enter rolls the map with them."

UNDONE_IN_SCRIPT = (
    "Undone in the script: the map is still that of the later text (Ctrl+Enter rolls it)"
)


class OutdatedMap(QObject):
    """Compares the map with the script shown."""

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        documents: ShownDocuments,
        rolling: Rolling,
        follower: TextFollower,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._rolling = rolling
        self._follower = follower
        self._script_layer = ScriptLayer(documents, rolling)

    def describe(self) -> str:
        """Return the sentence that the map is of an older text, or of older settings.

        "" if it is not, if it is about to be rolled again, or if no layer was rolled from the
        script. Maps that hold their script have a sentence of their own.
        """
        if self._documents.current.in_map:
            return ""
        is_about_to_roll = self._follower.will_roll_typed_text or self._follower.waits_with_setting
        if self._rolling.busy or is_about_to_roll:
            return ""
        layer_below_variation = self._script_layer.find_below_variation()
        if layer_below_variation is not None:
            if self._script_layer.has_same_text(layer_below_variation):
                return ""
            return VARIATION_IS_OLDER
        layer = self._script_layer.find()
        if layer is None or self._script_layer.is_up_to_date(layer):
            return ""
        if self._script_layer.has_same_text(layer):
            return SETTINGS_ARE_NEWER
        return TEXT_IS_NEWER

    def report_undone_edit(self) -> None:
        """Report that the undo of an edit has not changed the map, if that is so.

        The map then does not follow what is typed, and was rolled after the edit.
        """
        layer = self._script_layer.find()
        if layer is None or self._follower.will_roll_typed_text:
            return
        if not self._script_layer.is_up_to_date(layer):
            self.message.emit(UNDONE_IN_SCRIPT)
