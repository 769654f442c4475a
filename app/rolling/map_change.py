"""Changes of a map that come with a roll, such as a new text of its script.

    change = MapChange({"script": MapRecord(text)}, title="Load Swamp")
    destination = InPlaceOf(layer.id, change)       # the text and its roll are one undo step

A record is *touched* if a person has changed it: rolls then leave it as it is. One that is not is
what the last roll has made, and the next roll makes it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from app.document.undo_history import MergeKey
from app.rolling.roll_setup import RollSetup
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.record_edits import change_record, set_record
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import MapRecord
from randomizer.roll_base import Base

SetupOf = Callable[[str, Mapping[str, str]], RollSetup]
"""Returns the setup of a script from its text and its further files, by name."""


@dataclass(frozen=True)
class MapChange:
    """A change of the map that comes with a roll, in the same undo step."""

    records: Mapping[str, MapRecord | None] = field(default_factory=dict)
    """The records that change, by name; None for one that is removed."""

    merge: MergeKey | None = None
    """The undo step that it becomes part of, if that is the last one; None: a step of its own."""

    title: str = ""
    """The text of the undo step; "" for that of the roll ("Roll Swamp, seed 17 no. 3")."""

    setup_of: SetupOf | None = None
    """Returns the setup of another script that the map gets; None if it keeps its script."""

    further_edit: Callable[[BattleMap], Edit | None] | None = None
    """Returns what else the change edits, of the map as it is before its records change.

    None if nothing else changes.
    """

    @property
    def brings_script(self) -> bool:
        """True if the map gets another script."""
        return self.setup_of is not None

    def edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit of the map, None if it changes nothing.

        Raises ValueError for a text that a record cannot have.
        """
        edits: list[Edit | None] = []
        for name, record in self.records.items():
            is_new = name not in battlemap.records
            if is_new or record is None or not record.touched:
                edits.append(set_record(battlemap, name, record))
            else:
                # The edit of a text that a person changes stores only the difference.
                edits.append(change_record(battlemap, name, record.text))
        if self.further_edit is not None:
            edits.append(self.further_edit(battlemap))
        return compound(edits)

    def applied_to(self, base: Base) -> Base:
        """Return ``base`` as it will be after the change, which is made before the roll.

        A base has touched records only: the roll makes the others.
        """
        records = dict(base.records)
        for name, record in self.records.items():
            records.pop(name, None)
            if record is not None and record.touched:
                records[name] = record
        return replace(base, records=records)


NO_CHANGE = MapChange()
"""Stands for a roll alone."""
