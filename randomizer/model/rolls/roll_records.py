"""The records that a roll of the map's source brings, and which of them replace those of the map.

A *record* is what a map holds beside its layers, such as a script or the units of a game, by name.
The *source* is the layer from whose roll the whole map comes (put_roll.py). A record that a hand
has changed (``MapRecord.touched``) stays as it is, unless the roll has built on the change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.edits.record_edits import RecordSet
from randomizer.model.edits.value_edits import compound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.records.map_records import MapRecord


def records_edit(
    battlemap: BattleMap, rolled_records: Mapping[str, MapRecord] | None, *, had_source: bool
) -> Edit | None:
    """Return the edit that sets the records that a roll of the source brings.

    ``had_source`` is True if the map had a source before this roll; None stands for a roll without
    records.
    """
    if rolled_records is None:
        return None
    names = list(rolled_records)
    if had_source:
        # Records that the earlier roll had brought, and this one does not bring, are removed.
        names = [name for name in battlemap.records if name not in rolled_records] + names
    edits = []
    for name in names:
        old_record = battlemap.records.get(name)
        new_record = rolled_records.get(name)
        if old_record is not None and old_record.touched and not _builds_on_hand(new_record):
            continue  # what a hand has changed stays
        if old_record != new_record:
            edits.append(RecordSet(name, old_record, new_record))
    return compound(edits)


def _builds_on_hand(rolled: MapRecord | None) -> bool:
    """Return whether a rolled record contains what a hand had changed in that of the map.

    The generator was given the changed record, and brings it again.
    """
    return rolled is not None and rolled.touched


def records_note(
    battlemap: BattleMap,
    rolled_records: Mapping[str, MapRecord] | None,
    *,
    hides_maps: bool,
) -> str:
    """Return the sentence on the records that a roll of the source leaves as a hand made them.

    It has no full stop, for instance ``The map keeps its period``; "" if there is nothing to say.
    ``hides_maps`` is True if the roll lies above a map that was opened from a file, and hides it.
    """
    if rolled_records is None:
        return ""
    names = _names_of_kept_records(battlemap, rolled_records)
    if hides_maps:
        # That such a map keeps its notes, its regions and so on goes without saying. That it keeps
        # another script than the one just rolled does not.
        names = [name for name in names if name == battlemap.system.script_record]
    if not names:
        return ""
    return f"The map keeps its {' and '.join(names)}"


def _names_of_kept_records(
    battlemap: BattleMap, rolled_records: Mapping[str, MapRecord]
) -> list[str]:
    """Return the names of the records that keep another text than the roll would give them.

    Those about the map's file are left out.
    """
    names = []
    for name, record in battlemap.records.items():
        if not record.touched or name in battlemap.system.records_of_file:
            continue
        rolled = rolled_records.get(name)
        if _builds_on_hand(rolled) or (rolled is not None and rolled.text == record.text):
            continue
        names.append(name)
    return names
