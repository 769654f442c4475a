"""One record of the map in front, for a panel that shows or edits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.qt_guard import connect
from randomizer.model.map_records import MapRecord

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.edit import Region


class RecordView(QObject):
    """Follows the record called ``name`` through edits, undo and other maps in front.

    ``changed()``: ``record`` is another one. ``follow`` chooses another name.
    """

    changed = Signal()

    def __init__(self, document: MapDocument, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self.name = document, name
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.changed)

    @property
    def record(self) -> MapRecord | None:
        """The record, None if the map in front has none of that name."""
        return self._document.battlemap.records.get(self.name)

    def follow(self, name: str) -> None:
        """Show the record with another name from now on."""
        self.name = name
        self.changed.emit()

    def write(self, text: str) -> bool:
        """Give the record this text, as an undo step; whether that is its text now.

        A record that the map lacks is added. What it cannot hold is refused with a message.
        """
        from randomizer.model.record_edits import change_record, set_record

        battlemap = self._document.battlemap
        try:
            if self.record is None:
                new = MapRecord(text, touched=True)
                self._document.push(set_record(battlemap, self.name, new), f"Add {self.name}")
            else:
                self._document.push(
                    change_record(battlemap, self.name, text), f"Change {self.name}"
                )
        except ValueError as fault:
            self._document.refuse(f"{fault}.")
        return self.record is not None and self.record.text == text

    def remove(self) -> None:
        """Remove the record, as an undo step."""
        from randomizer.model.record_edits import set_record

        edit = set_record(self._document.battlemap, self.name, None)
        self._document.push(edit, f"Remove {self.name}")

    def _on_changed(self, region: Region) -> None:
        if self.name in region.records:
            self.changed.emit()
