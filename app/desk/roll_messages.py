"""What rolling tells a user: messages in the status bar, and the question about another size."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desk.status_messages import StatusMessages
from app.document.document import MapDocument
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.rolling.size_question import SizeAnswer
from app.widgets.dialogs.choice import choose
from randomizer.model.edits.edit import Region


class RollMessages(QObject):
    """Shows the messages of rolling.

    The reason why a roll failed goes as soon as the next roll may succeed.
    """

    def __init__(self, rolling: Rolling, document: MapDocument, messages: StatusMessages) -> None:
        super().__init__(rolling)
        self._rolling = rolling
        self._messages = messages
        connect(rolling.message, self._say)
        connect(rolling.setup_changed, self._drop_failure)
        connect(document.changed, self._on_map_changed)

    def _say(self, text: str) -> None:
        """Show a message for a while."""
        self._messages.say(text)

    def _on_map_changed(self, region: Region) -> None:
        """Drop a failure that may be due to locks or layers which have changed."""
        if region.locks or region.structure:
            self._drop_failure()

    def _drop_failure(self) -> None:
        """Take away why a roll failed, where it is still shown."""
        self._messages.drop(self._rolling.failure_message)


async def ask_size(frame: QWidget, text: str, answers: Sequence[SizeAnswer]) -> SizeAnswer | None:
    """Ask which map gets a roll of another size; return None if the user cancels.

    ``text`` tells the sizes, ``frame`` is the window. (A ``SizeQuestion`` but for ``frame``.)
    """
    if SizeAnswer.CHANGE_MAP in answers:
        details = "Undo brings the map back as it is now."
    else:
        details = "Work by hand stays on this map, in its tab; the new map has the roll alone."
    button_texts = [answer.value for answer in answers]
    index = await choose(frame, "Another size or shape", text, details, button_texts)
    if index is None:
        return None
    return answers[index]
