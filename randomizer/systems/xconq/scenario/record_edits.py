"""The edit that gives a map another record of Xconq."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.map_records import MapRecord
from randomizer.model.record_edits import change_record, set_record
from randomizer.systems.xconq.records import record_text

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edit import Edit
    from randomizer.systems.xconq.records import Record


def change_value(battlemap: BattleMap, name: str, value: Record) -> Edit | None:
    """The edit by hand after which the record ``name`` says ``value``; None for no change.

    Raises ValueError for a value that is too long for a record.
    """
    record, text = battlemap.records.get(name), record_text(value)
    if record is None or not record.is_json:
        return set_record(battlemap, name, MapRecord(text, is_json=True, touched=True))
    return change_record(battlemap, name, text)
