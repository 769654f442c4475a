"""Makes things of the units of a file: ``things_of``. ``written_units`` is the way back.

The state of a thing holds only what is not as for a new unit of its type, so that a file can be
written again as it was read. The unit with the id 4 that the unit 9 carries, with 3 hit points::

    FileUnit(character="i", x=12, y=5, attributes=Attributes(id=4, hit_points=3, transport=9), ...)

    {"hp": 3, "transport": 17,       what a user can change: hit points, supplies, and the id of the
                                     thing that carries it
     "more": {"id": 4}}              all else that the file says (``FILE_ENTRIES``)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.mapfile.placeholder_types import type_name
from randomizer.systems.xconq.mapfile.unit_numbers import (
    ENTRIES_OF_FILE_ENTRIES,
    ENTRIES_OF_STATE,
    new_unit,
)
from randomizer.systems.xconq.mapfile.units_section import (
    Attributes,
    FileUnit,
    FileUnits,
    is_neutral,
)
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import NEUTRAL, UnitsFacts
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.units.unit_state import (
    FILE_ENTRIES,
    HP,
    OFF_MAP,
    TRANSPORT,
    nearest_cell,
    supply_entry,
)


def things_of(
    units: FileUnits, period: Period, grid: Grid, side_count: int | None, path: str | None = None
) -> tuple[Things, UnitsFacts]:
    """Return the units of a file as things, and the facts of their section.

    The ids of the things are 1 and so on in the order of the file. ``side_count`` is the number of
    sides that the file has, None for a file without sides. Raises ProblemError, with ``path`` as
    the file's, for a unit with a name or with numbers that no thing can hold.
    """
    maker = _ThingMaker(units, period, grid, side_count, path)
    things = [maker.thing(thing_id, unit) for thing_id, unit in enumerate(units.units, 1)]
    facts = UnitsFacts(
        detail=min(units.detail, 4),
        extension=units.extension,
        neutral=_side_of_neutral_units(units, side_count),
    )
    return Things(things), facts


def _side_of_neutral_units(units: FileUnits, side_count: int | None) -> int:
    """Return the side number with which a file writes neutral units: that of the first one."""
    for unit in units.units:
        if is_neutral(unit.side, side_count):
            return unit.side
    return NEUTRAL


class _ThingMaker:
    """Makes the things of the units of one file, each after those that stand before it there.

    It knows all units from the start, since a unit can name its transport by that unit's id.
    """

    def __init__(
        self,
        units: FileUnits,
        period: Period,
        grid: Grid,
        side_count: int | None,
        path: str | None,
    ) -> None:
        self._period = period
        self._grid = grid
        self._side_count = side_count
        """The number of sides that the file has, None for a file without sides."""
        self._path = path
        """The path of the file, for problems."""
        self._kind_names = kind_names(period)
        self._type_by_character: dict[str, int] = {}
        """The unit type that each character stands for: of several types the first."""
        for type_number, unit_type in enumerate(period.units):
            self._type_by_character.setdefault(unit_type.char, type_number)
        self._thing_ids: dict[int, int] = {}
        """The ids of things by the ids of their units in the file: of several units the last."""
        for thing_id, unit in enumerate(units.units, 1):
            if unit.attributes is not None:
                self._thing_ids[unit.attributes.id] = thing_id
        self._first_thing_on_cell: dict[int, int] = {}
        """The id of the first thing on each cell, of the things made so far."""

    def thing(self, thing_id: int, unit: FileUnit) -> Thing:
        """Return the thing of a unit. Raises ProblemError for what a thing cannot hold."""
        # A unit that is not on the map is put on the nearest cell, with a note of where it was.
        cell = nearest_cell(unit.x, unit.y, self._grid)
        is_on_map = self._grid.xy(cell) == (unit.x, unit.y)

        # Details above 1 name the transport. Without, the game loads a unit into the one that
        # stands there already. What is off the map carries nothing.
        carrier_on_cell: int | None = None
        if is_on_map:
            first_thing = self._first_thing_on_cell.setdefault(cell, thing_id)
            if unit.attributes is None and first_thing != thing_id:
                carrier_on_cell = first_thing

        state: dict[str, Any] = {}
        file_entries: dict[str, Any] = {}
        if not is_on_map:
            file_entries[OFF_MAP] = (unit.x, unit.y)
        if carrier_on_cell is not None:
            state[TRANSPORT] = carrier_on_cell
        if unit.attributes is not None:
            self._add_numbers(unit, unit.attributes, state, file_entries)
            self._add_supplies(unit, state, file_entries)
            if unit.orders:
                file_entries["orders"] = unit.orders
            if unit.moves:
                file_entries["moves"] = unit.moves
        if file_entries:
            state[FILE_ENTRIES] = file_entries

        x, y = self._grid.centre(cell)
        return Thing(
            id=thing_id,
            kind=self._kind(unit),
            x=x,
            y=y,
            angle=0.0,
            owner=self._owner(unit),
            label=unit.name,
            state=self._checked_state(unit, state),
        )

    def _kind(self, unit: FileUnit) -> str:
        """Return the kind of a unit's thing; of an unknown type it is a name for the character."""
        type_number = self._type_by_character.get(unit.character)
        if type_number is None:
            return type_name("unit", unit.character)
        return self._kind_names[type_number]

    def _owner(self, unit: FileUnit) -> int:
        """Return the owner of a unit's thing: 0 for nobody, 1 for the first side."""
        if is_neutral(unit.side, self._side_count):
            return 0
        return unit.side + 1

    def _add_numbers(
        self,
        unit: FileUnit,
        numbers: Attributes,
        state: dict[str, Any],
        file_entries: dict[str, Any],
    ) -> None:
        """Add the numbers that are not as for a new unit to the state and to its file entries."""
        type_number = self._type_by_character.get(unit.character)
        defaults = new_unit(type_number, self._period, unit.side)
        state |= _differing(numbers, defaults, ENTRIES_OF_STATE)
        if type_number is None:
            # How many hit points a new unit of an unknown type has is not known: none is left out.
            state[HP] = numbers.hit_points
        if numbers.transport in self._thing_ids:
            state[TRANSPORT] = self._thing_ids[numbers.transport]
        file_entries["id"] = numbers.id
        file_entries |= _differing(numbers, defaults, ENTRIES_OF_FILE_ENTRIES)

    def _add_supplies(
        self, unit: FileUnit, state: dict[str, Any], file_entries: dict[str, Any]
    ) -> None:
        """Add the supplies of a unit that are not full to its state, by resource."""
        period = self._period
        type_number = self._type_by_character.get(unit.character)
        if type_number is None or len(unit.supplies) != len(period.resources):
            # Whose supplies they are cannot be told: they stay a list.
            file_entries["supplies"] = unit.supplies
            return
        capacities = period.table("storage")[type_number].tolist()
        for resource, supply, capacity in zip(
            period.resources, unit.supplies, capacities, strict=True
        ):
            if supply != capacity:
                state[supply_entry(resource.name)] = supply

    def _checked_state(self, unit: FileUnit, entries: dict[str, Any]) -> State:
        """Return the state of a unit's thing. Raises ProblemError for what a thing cannot hold."""
        fault = fault_in_line(unit.name)
        if fault:
            raise self._refused("unit-name", f"The name of this unit {fault}", unit)
        try:
            return State(entries)
        except ValueError:
            message = "This unit has more numbers and orders than can be kept"
            raise self._refused("unit-long", message, unit) from None

    def _refused(self, code: str, message: str, unit: FileUnit) -> ProblemError:
        """Return the error about the line of a unit."""
        problem = Problem(Severity.ERROR, code, message, path=self._path, line=unit.line, column=1)
        return ProblemError(problem)


def _differing(
    numbers: Attributes, defaults: Attributes, entries: Mapping[str, str]
) -> dict[str, object]:
    """Return the entries of the numbers that are not as for a new unit.

    ``entries`` are the names of the entries by those of the attributes.
    """
    result: dict[str, object] = {}
    for attribute, entry in entries.items():
        value = getattr(numbers, attribute)
        if value != getattr(defaults, attribute):
            result[entry] = value
    return result
