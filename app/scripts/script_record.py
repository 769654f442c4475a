"""The record in which the current map holds its script: ``ScriptRecord``.

Maps of some systems hold their script themselves, such as worlds of Xconq their period
(``System.script_record`` is the name of the record); those of others have scripts in files. Further
files of the script, such as included libraries, are records of their own.

Texts come into the map by a ``MapChange``. Several functions tell of the script *after* such a
change, which need not be in the map yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.rolling.map_change import MapChange
from app.scripts.script import with_lf
from randomizer.model.edits.edit import Region
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import (
    MapRecord,
    further_record,
    further_texts,
    script_records,
)

if TYPE_CHECKING:
    from app.document.document import MapDocument


class ScriptRecord:
    """The script that the current map of a document holds."""

    def __init__(self, document: MapDocument) -> None:
        self._document = document

    @property
    def name(self) -> str:
        """The name of the record with the script, "" if maps of this system hold none."""
        return self._document.battlemap.system.script_record

    @property
    def text(self) -> str | None:
        """The text that the map holds, None if it holds none."""
        return self.text_after(None)

    @property
    def texts(self) -> Mapping[str, str]:
        """The further files of the script, by name; empty if maps of this system hold no script."""
        if not self.name:
            return {}
        return self.texts_after(None)

    def record_after(self, change: MapChange | None) -> MapRecord | None:
        """Return the record as it will be after a change (None: as it is); None for no record."""
        if change is not None and self.name in change.records:
            return change.records[self.name]
        return self._document.battlemap.records.get(self.name)

    def text_after(self, change: MapChange | None) -> str | None:
        """Return the text as it will be after a change (None: as it is); None without a record."""
        record = self.record_after(change)
        if record is None:
            return None
        return record.text

    def texts_after(self, change: MapChange | None) -> Mapping[str, str]:
        """Return the further files, by name, as they will be after a change (None: as they are)."""
        records: dict[str, MapRecord | None] = dict(self._document.battlemap.records)
        if change is not None:
            records.update(change.records)
        remaining = {name: record for name, record in records.items() if record is not None}
        return further_texts(self.name, remaining)

    def with_text(self, text: str) -> dict[str, MapRecord | None]:
        """Return the record that changes if the script gets a new text of the user's, by name.

        Maps of the current map's system must hold their script.
        """
        assert self.name, "maps of this system hold no script"
        return {self.name: MapRecord(text, touched=True)}

    def with_script(
        self, text: str, texts: Mapping[str, str], *, touched: bool
    ) -> dict[str, MapRecord | None]:
        """Return the records that change if the map gets another script, by name.

        They are those of its text and of ``texts``, its further files by name, and None for each
        further file of the script so far. ``touched``: see ``MapRecord``.
        """
        assert self.name, "maps of this system hold no script"
        records: dict[str, MapRecord | None] = {}
        for name in self.texts:
            records[further_record(self.name, name)] = None
        records |= script_records(self.name, text, texts, touched=touched)
        return records

    def is_brought_by(self, change: MapChange, text: str) -> bool:
        """Return whether a change gives the map this text."""
        record = change.records.get(self.name)
        return record is not None and with_lf(record.text) == text

    def has_changed_in(self, region: Region) -> bool:
        """Return whether the script or one of its further files is in what an edit has changed."""
        start_of_further_names = further_record(self.name, "")  # of records of further files
        return any(
            name == self.name or name.startswith(start_of_further_names) for name in region.records
        )

    def is_changed_by_next_step(self, *, is_redo: bool) -> bool:
        """Return whether the next Undo of the map, or Redo, changes the text.

        False if there is no such step. If the step cannot be read back from the journal the answer
        is True: Undo itself tells why then.
        """
        history = self._document.history
        step = history.next_undo
        if is_redo:
            step = history.next_redo
        if step is None:
            return False
        edit = step.edit
        if edit is None:  # only the journal has it by now
            try:
                edit = self._document.recorder.fetch(
                    self._document.current_map, step, done=not is_redo
                )
            except ProblemError:
                return True
        return self.name in edit.region(self._document.battlemap).records
