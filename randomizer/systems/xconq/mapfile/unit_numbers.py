"""The numbers of a unit: where a thing's state holds those that a units section has.

A units section has the same *attributes* for each unit (``units_section.Attributes``), a thing's
state only those that are not as for a new unit of its type (``new_unit``)::

    Attributes(hit_points=3, morale=2, ...)        in the file
    {"hp": 3, "more": {"morale": 2}}               in the state of the thing

What a person can change stands in the state itself, all else in its entry "more"
(``unit_state.FILE_ENTRIES``). The id of a unit, and that of its transport, are told by the ids of
things, and stand in neither of the two tables below.
"""

from __future__ import annotations

from randomizer.systems.xconq.mapfile.units_section import Attributes
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.units.unit_state import HP, QUALITY

ENTRIES_OF_STATE = {"hit_points": HP, "quality": QUALITY}
"""The names of entries of a state, by those of the attributes that they hold."""

ENTRIES_OF_FILE_ENTRIES = {
    name: name.replace("_", " ")
    for name in ("number", "morale", "fatigue", "product", "schedule", "built", "true_side")
}
"""The names of entries of ``FILE_ENTRIES``, by those of the attributes that they hold."""


def new_unit(type_number: int | None, period: Period, side: int) -> Attributes:
    """Return the attributes of a new unit of a side.

    ``type_number`` is None for a unit type that the period does not have.
    """
    full_hit_points = 0
    if type_number is not None:
        full_hit_points = int(period.row("hp")[type_number])
    return Attributes(true_side=side, hit_points=full_hit_points)
