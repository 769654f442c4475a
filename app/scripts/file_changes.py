"""Changes of the current script's file by another program: the text follows, or is offered.

``ShownScript`` calls ``follow_or_offer`` when another document is current and when its file has
changed; the editor shows what ``offered`` says, with a button that calls ``reload``.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.qt_guard import later
from app.scripts.shown_documents import ShownDocuments
from app.scripts.text_follower import TextFollower
from randomizer.model.problems import Problem


class FileChanges(QObject):
    """Reads the file of the current script again, or offers that.

    It is read at once while the map follows the text (``TextFollower.enabled``) and the text has no
    unsaved edits.
    """

    offered = Signal(str, bool)
    """The file was changed: a sentence on that, and True if the file can be read again.

    "" if nothing is offered (any more).
    """

    map_text_read = Signal(object)
    """The file of a script in a map was read: this ``Script`` should come into the map."""

    message = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        documents: ShownDocuments,
        follower: TextFollower,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._follower = follower

    def set_enabled(self, enabled: bool) -> None:
        """Follow text and file from now on, or only offer to read the file again."""
        self._follower.set_enabled(enabled)
        self._reload_if_followed()

    def follow_or_offer(self) -> None:
        """Follow a change of the current document's file, or offer to read the file again.

        It is called, too, when another document becomes current: its file may have changed before.
        """
        document = self._documents.current
        offer = ""
        if document.watch.gone:
            offer = f"{document.script.name} is not there any more: Save writes it again."
        elif document.watch.newer is not None:
            newer = document.watch.newer.script
            has_same_texts = (newer.text, newer.texts) == (
                document.text.text(),
                document.script.texts,
            )
            if has_same_texts:
                # The text stays: only what is known of the file becomes that of the file now.
                document.show_reread(document.accept_newer())
            elif self._follower.enabled and not document.unsaved:
                # From the event loop: another map may just be becoming the current one.
                later(self, self._reload_if_followed)
            else:
                offer = f"Another program has changed {newer.name}."
        self.offered.emit(offer, not document.watch.gone)

    def report_unreadable(self, problems: tuple[Problem, ...]) -> None:
        """Tell that the file cannot be read any more, for these problems."""
        self.message.emit(f"Not read again: {problems[0].message}")

    def reload(self) -> None:
        """Read the file again if it has changed; undo of the text brings the old text back."""
        document = self._documents.current
        if document.watch.newer is None:
            return
        script = document.accept_newer()
        self.offered.emit("", True)
        if document.in_map:
            self.map_text_read.emit(script)
        else:
            document.show_reread(script)
            self._follower.roll_saved_text(
                message_if_unrolled=f"{script.name} was read again: nothing was rolled from it"
            )

    def _reload_if_followed(self) -> None:
        """Read the file again if the map follows the text, and the text has no unsaved edits."""
        if self._follower.enabled and not self._documents.current.unsaved:
            self.reload()
