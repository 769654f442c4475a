"""Advice about the units of a map: where they stand, what carries them, and whether any can act.

``unit_advice`` asks one check after the other, each a function that yields ``UnitFault``. What the
checks want to know of the map is worked out once, by ``UnitsOnMap``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.languages.language import TextPlace
from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.grid.grid import Grid
from randomizer.model.map.carriers import carriers, link_of
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.value_problems import list_names
from randomizer.systems.xconq.records import Sides
from randomizer.systems.xconq.units.capacity import Capacity
from randomizer.systems.xconq.units.unit_kinds import kind_numbers
from randomizer.systems.xconq.units.unit_state import TRANSPORT
from randomizer.systems.xconq.world.hexes import distances

MOST_LISTED = 10
"""So many faults of one sort are listed, the others counted."""

MOST_NAMES = 4
"""So many names are offered for units whose type is gone: a longer menu is not read."""

OFF_MAP = -1
"""The cell of a unit that is not on the map."""


class Fixes(NamedTuple):
    """The fixes that a problem offers."""

    likeliest: Fix | None
    """The one that is offered first; None if none is likely."""
    further: tuple[Fix, ...]
    cause: TextPlace | None = None
    """The position in the period's own text of what the likeliest fix follows, None if nowhere."""

    @property
    def all(self) -> tuple[Fix, ...]:
        """All of them, the likeliest first."""
        if self.likeliest is None:
            return self.further
        return (self.likeliest, *self.further)


@dataclass(frozen=True, eq=False)
class UnitsOnMap:
    """The units of a map, with their types, cells and loads; each worked out when first asked."""

    units: Sequence[Thing]
    grid: Grid
    period: Period
    sides: Sides

    terrain: NDArray[np.uint8] | None = None
    """The terrain code of each cell, (height, width); None for a map without terrain."""

    is_terrain_chosen: bool = True
    """False if the map's file has no map: then its units stand on a world made up for them."""

    find_definition: Callable[[str], TextPlace | None] = lambda _name: None
    """Returns where the period's own text defines a unit type, None if it does not."""

    read_rolled_period: Callable[[], Period | None] = lambda: None
    """Reads the period that the map was rolled from, None if it was not rolled. That is slow."""

    @property
    def types(self) -> Mapping[str, int]:
        """The unit types by the names of their kinds."""
        return kind_numbers(self.period)

    @cached_property
    def by_id(self) -> Mapping[int, Thing]:
        """The units by their ids."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def cells(self) -> Mapping[int, int]:
        """The cells of the units by their ids, or ``OFF_MAP``."""
        points = np.array([(unit.x, unit.y) for unit in self.units], np.float64).reshape(-1, 2)
        cells = self.grid.cells_at(points).tolist()
        return {unit.id: cell for unit, cell in zip(self.units, cells, strict=True)}

    @cached_property
    def carriers(self) -> Mapping[int, int]:
        """The ids of the carriers, by those of the units that they carry."""
        return carriers(self.grid, TRANSPORT, self.units)

    @cached_property
    def loads(self) -> Mapping[int, Sequence[Thing]]:
        """The units that are carried, by the ids of their carriers."""
        loads: dict[int, list[Thing]] = defaultdict(list)
        for carried, carrier in self.carriers.items():
            loads[carrier].append(self.by_id[carried])
        return loads

    @cached_property
    def can_enter(self) -> NDArray[np.bool_]:
        """True where a unit type can move on a terrain type, (units, terrains)."""
        return np.asarray(self.period.table("moves") >= 0)

    @cached_property
    def can_stand(self) -> NDArray[np.bool_]:
        """True where an uncarried unit type can be on a terrain type, (units, terrains).

        Types that move can be where they can move. The others, such as cities, can be where a roll
        puts them (“favored”), and where any type can move that also moves there: a city on hills
        is odd, on the open sea it is a mistake. Types that move everywhere, as aircraft, do not
        count.
        """
        can_move = movers(self.period)
        is_entered = self.can_enter[can_move].any(axis=0)
        moves_everywhere = (self.can_enter | ~is_entered).all(axis=1)
        is_bound = can_move & ~moves_everywhere
        is_favored = self.period.table("favored") > 0
        can_stand: NDArray[np.bool_] = self.can_enter.copy()
        for unit in np.flatnonzero(~can_move).tolist():
            terrains = is_favored[unit]
            is_neighbour = is_bound & self.can_enter[:, terrains].any(axis=1)
            if is_neighbour.any():
                can_stand[unit] = terrains | self.can_enter[is_neighbour].any(axis=0)
            else:
                can_stand[unit] = True
        return can_stand

    def terrain_under(self, unit: Thing) -> int | None:
        """Return the terrain type under a unit; None off the map and for one the period lacks."""
        cell = self.cells[unit.id]
        if self.terrain is None or cell == OFF_MAP:
            return None
        code = int(self.terrain.flat[cell])
        if code >= len(self.period.terrains):
            return None
        return code

    def name_side(self, owner: int) -> str:
        """Return the name of the side of an owner, as in ``Thing.owner``.

        A side without a name is called by its number in files, which is one less.
        """
        if owner == 0:
            return "no side"
        number = owner - 1
        if number < len(self.sides.sides) and self.sides.sides[number].name:
            return self.sides.sides[number].name
        return f"side {number}"

    def name(self, unit: Thing) -> str:
        """Return the name of a unit for a sentence: ``Rome, city on 12,5``."""
        x, y = self.grid.xy(self.cells[unit.id])
        name = f"{unit.kind} on {x},{y}"
        if unit.label:
            return f"{unit.label}, {name}"
        return name

    def kind(self, unit: int) -> str:
        """Return the name of a unit type."""
        return self.period.units[unit].name


class UnitFault(NamedTuple):
    """A fault of a unit."""

    unit: Thing

    code: str
    """The code of its problem."""

    message: str
    severity: Severity = Severity.WARNING

    make_fix: Callable[[], Fix | None] | None = None
    """Makes the fix, or None if there is none. It is asked only for the faults that are listed."""

    make_fixes: Callable[[], Fixes] | None = None
    """Makes several fixes, in place of ``make_fix``."""

    def problem(self, units: UnitsOnMap) -> Problem:
        """Return the problem of the fault, with its cell if it is on the map."""
        cell: int | None = units.cells[self.unit.id]
        if cell == OFF_MAP:
            cell = None
        fixes = Fixes(None, ())
        if self.make_fix is not None:
            fixes = Fixes(self.make_fix(), ())
        elif self.make_fixes is not None:
            fixes = self.make_fixes()
        problem = Problem(
            self.severity,
            self.code,
            self.message,
            cell=cell,
            fix=fixes.likeliest,
            other_fixes=fixes.further,
        )
        if fixes.cause is None:
            return problem
        line, column, end_line, end_column = fixes.cause
        return replace(problem, line=line, column=column, end_line=end_line, end_column=end_column)


def unit_advice(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the problems of the units of a map."""
    if not units.units:
        return
    checks = (
        _check_types,
        _check_edge_rows,
        _check_owners,
        _check_neutral_units,
        _check_crowded_hexes,
        _check_lost_carriers,
        _check_sides_of_carriers,
        _check_loads,
        _check_stranded_units,
    )
    for check in checks:
        faults = list(check(units))
        for fault in faults[:MOST_LISTED]:
            yield fault.problem(units)
        if len(faults) > MOST_LISTED:
            more = there_are(len(faults) - MOST_LISTED, "more problem")
            next_fault = faults[MOST_LISTED]
            message = f"{more.capitalize()} like the last"
            yield Problem(next_fault.severity, next_fault.code, message)
    yield from _idle_sides(units)


def _check_types(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield a fault for each kind of units that is no type of the period."""
    types = units.types
    kinds = Counter(unit.kind for unit in units.units if unit.kind not in types)
    for kind, number in kinds.items():
        first = next(unit for unit in units.units if unit.kind == kind)
        message = (
            f"The period has no unit type {kind}, but the map has {counted(number, 'such unit')}"
        )
        rename = partial(_rename_unknown_units, units, kind)
        yield UnitFault(first, "advice-unknown-unit", message, make_fixes=rename)


def _rename_unknown_units(units: UnitsOnMap, kind: str) -> Fixes:
    """Return the fixes that give all units of a kind the name that their type may have now."""
    likely_name = _name_in_same_place(units, kind)
    if likely_name is not None:
        return Fixes(_rename(units, kind, likely_name), (), units.find_definition(likely_name))
    # A roll has given its units the new name already, so only the others tell which is unused.
    kinds_by_hand = {unit.kind for unit in units.units if not unit.key}
    names = [unit_type.name for unit_type in units.period.units]
    unused_names = [name for name in names if name not in kinds_by_hand]
    similar_names = get_close_matches(kind, unused_names, n=1)
    if len(unused_names) == 1:
        similar_names = unused_names
    other_names = [name for name in unused_names if name not in similar_names]
    likeliest = None
    cause = None
    if similar_names:
        likeliest = _rename(units, kind, similar_names[0])
        cause = units.find_definition(similar_names[0])
    further = tuple(_rename(units, kind, name) for name in other_names[:MOST_NAMES])
    return Fixes(likeliest, further, cause)


def _name_in_same_place(units: UnitsOnMap, former_name: str) -> str | None:
    """Return the name of the unit type that stands where one of the former name stood.

    That is in the period that the map was rolled with, or, since the map may have been rolled again
    with the new name, in a packaged one, from which most periods begin. None if no such period has
    the former name, or the types are others.
    """
    names = [unit_type.name for unit_type in units.period.units]
    former_periods = [units.read_rolled_period()]
    for metadata in packaged_metadata():
        former_periods.append(read_period(packaged_text(metadata.script)).period)
    for period in former_periods:
        if period is None or len(period.units) != len(names):
            continue
        former_names = [unit_type.name for unit_type in period.units]
        if former_name not in former_names:
            continue
        name = names[former_names.index(former_name)]
        if name not in former_names:
            return name
    return None


def _rename(units: UnitsOnMap, kind: str, name: str) -> Fix:
    """Return the fix that gives all units of a kind another name."""
    changes = [ThingChange(unit.id, kind=name) for unit in units.units if unit.kind == kind]
    return Fix(f"rename the units on the map to {name}, too", things=tuple(changes))


def _check_edge_rows(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units in the first and the last row, and those off the map."""
    for unit in units.units:
        cell = units.cells[unit.id]
        y = cell // units.grid.width
        if cell == OFF_MAP or y in (0, units.grid.height - 1):
            message = (
                f"{units.name(unit)}: units on the rows at the poles are lost when the map is "
                "loaded"
            )
            move = partial(_move_to_land, units, unit)
            yield UnitFault(unit, "advice-edge-unit", message, make_fix=move)


def _check_owners(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units of sides that do not exist. Messages number sides as files do, from 0."""
    sides = len(units.sides.sides)
    for unit in units.units:
        if 0 <= unit.owner <= sides:
            continue
        number = unit.owner - 1
        if sides:
            message = (
                f"{units.name(unit)} belongs to side {number}, but "
                f"{there_are(sides, 'side')}, counted from 0: it will be neutral"
            )
        else:
            message = (
                f"{units.name(unit)} belongs to side {number}, but the map has no sides: Xconq "
                "makes them up, and without a side of that number it will be neutral"
            )
        yield UnitFault(
            unit, "advice-owner", message, make_fix=partial(_give, unit, 0, "make it neutral")
        )


def _give(unit: Thing, owner: int, title: str) -> Fix:
    """Return the fix that gives a unit to an owner."""
    return Fix(title, things=(ThingChange(unit.id, owner=owner),))


def _check_neutral_units(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the neutral units of types that cannot be neutral, by the period's word “neutral”."""
    can_be_neutral = units.period.row("neutral")
    for unit in units.units:
        kind = units.types.get(unit.kind)
        if unit.owner == 0 and kind is not None and not can_be_neutral[kind]:
            message = f"{units.name(unit)} is neutral, which its type cannot be (neutral)"
            give = partial(_give_to_nearest, units, unit)
            yield UnitFault(unit, "advice-neutral", message, make_fix=give)


def _give_to_nearest(units: UnitsOnMap, unit: Thing) -> Fix | None:
    """Return the fix that gives a unit to the side of the nearest unit that has one.

    That is its carrier's if that has one, whose distance is 0. None if no unit has a side.
    """
    sides = len(units.sides.sides)
    units_of_sides = [other for other in units.units if 0 < other.owner <= sides]
    if not units_of_sides:
        return None
    cells = np.array([units.cells[other.id] for other in units_of_sides])
    nearest = units_of_sides[int(_distances_from(units, unit, cells).argmin())]
    return _give(unit, nearest.owner, f"give it to {units.name_side(nearest.owner)}")


def _distances_from(units: UnitsOnMap, unit: Thing, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distances of cells from a unit, in hexes."""
    width = units.grid.width
    y, x = np.divmod(cells, width)
    to_y, to_x = divmod(units.cells[unit.id], width)
    return distances(width, x, y, to_x, to_y)


def _check_crowded_hexes(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield a fault for each hex with units of which none carries the others."""
    uncarried: dict[int, list[Thing]] = defaultdict(list)
    for unit in units.units:
        cell = units.cells[unit.id]
        if unit.id not in units.carriers and cell != OFF_MAP:
            uncarried[cell].append(unit)
    for units_on_hex in uncarried.values():
        if len(units_on_hex) > 1:
            first_unit = units_on_hex[0]
            names = list_names([unit.kind for unit in units_on_hex])
            x, y = units.grid.xy(units.cells[first_unit.id])
            message = f"{names} on one hex, {x},{y}: one must carry the others"
            part = partial(_part_crowd, units, units_on_hex)
            yield UnitFault(first_unit, "advice-stack", message, make_fixes=part)


def _part_crowd(units: UnitsOnMap, crowd: Sequence[Thing]) -> Fixes:
    """Return the fixes for units on one hex: one takes the others in, or these leave the hex.

    The unit that stays is one that a hand placed rather than a rolled one. Of several it is one
    that cannot move, a city for example, else the first one.
    """
    can_move = movers(units.period)

    def reasons_to_go(unit: Thing) -> tuple[bool, bool]:
        unit_type = units.types.get(unit.kind)
        is_mover = unit_type is None or bool(can_move[unit_type])
        return unit.key != "", is_mover

    staying_unit = min(crowd, key=reasons_to_go)
    surplus = [unit for unit in crowd if unit is not staying_unit]
    fixes = _send_away(units, surplus)
    for carrier in crowd:
        others = [unit for unit in crowd if unit is not carrier]
        if _has_room_for(units, carrier, others):
            names = _count_kinds(others)
            changes = tuple(ThingChange(unit.id, carrier=carrier.id) for unit in others)
            load = Fix(f"put {names} into {carrier.kind}", things=changes)
            return Fixes(load, fixes.all)
    return fixes


def _count_kinds(units: Sequence[Thing]) -> str:
    """Return the kinds of units for a sentence, such as "2 infantry and tanks"."""
    names = []
    for kind, count in Counter(unit.kind for unit in units).items():
        names.append(kind if count == 1 else f"{count} {kind}")
    return list_names(names)


def _has_room_for(units: UnitsOnMap, carrier: Thing, passengers: Sequence[Thing]) -> bool:
    """Return whether a unit can take in all of some units of its own side, with what it carries."""
    capacity = Capacity(units.period)
    carrier_type = units.types.get(carrier.kind)
    if carrier_type is None:
        return False
    aboard: list[int] = []
    for unit in units.loads.get(carrier.id, ()):
        aboard_type = units.types.get(unit.kind)
        if aboard_type is not None:
            aboard.append(aboard_type)
    for unit in passengers:
        unit_type = units.types.get(unit.kind)
        if unit_type is None or unit.owner != carrier.owner:
            return False
        if capacity.why_full(carrier_type, aboard, unit_type) is not None:
            return False
        aboard.append(unit_type)
    return True


def _send_away(units: UnitsOnMap, surplus: Sequence[Thing]) -> Fixes:
    """Return the fixes that move surplus units to the nearest hexes for them, or remove them.

    What they carry goes with them, each unit to a hex of its own.
    """
    moves: list[ThingChange] = []
    removals: list[ThingChange] = []
    taken_cells: set[int] = set()
    for unit in surplus:
        load = _load_of(units, unit)
        removals += (ThingChange(removed_unit.id, is_removed=True) for removed_unit in load)
        cell = _nearest_free_cell(units, unit, taken_cells)
        if cell is not None:
            taken_cells.add(cell)
            moves += _moves_to(units, unit, cell)
    names = _count_kinds(surplus)
    remove = Fix(f"remove {names}", things=tuple(removals))
    if len(taken_cells) < len(surplus):
        return Fixes(None, (remove,))
    where = "the nearest free hexes"
    if len(surplus) == 1:
        x, y = units.grid.xy(next(iter(taken_cells)))
        where = f"{x},{y}"
    kept = _kept_by_rolls(surplus)
    move = Fix(f"move {names} to {where}{kept}", things=tuple(moves))
    return Fixes(move, (remove,))


def _kept_by_rolls(moved_units: Sequence[Thing]) -> str:
    """Return what to add to the title of a fix that moves units, "" if no rolled ones are moved."""
    rolled_units = [unit for unit in moved_units if unit.key and not unit.touched]
    if not rolled_units:
        return ""
    if len(rolled_units) == 1:
        return "; new rolls will keep it there"
    return "; new rolls will keep them there"


def _check_lost_carriers(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units whose carrier is gone or on another hex."""
    for unit in units.units:
        link = link_of(unit, TRANSPORT)
        if link is not None and unit.id not in units.carriers:
            whereabouts = "is gone"
            if link in units.by_id:
                whereabouts = "is on another hex"
            message = f"{units.name(unit)} is carried by a unit that {whereabouts}"
            yield UnitFault(unit, "advice-transport", message, Severity.HINT)


def _check_sides_of_carriers(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units that are carried by a unit of another side."""
    for carried_id, carrier_id in units.carriers.items():
        unit = units.by_id[carried_id]
        carrier = units.by_id[carrier_id]
        if unit.owner != carrier.owner:
            side = units.name_side(carrier.owner)
            message = (
                f"{units.name(unit)} belongs to {units.name_side(unit.owner)}, but {carrier.kind}, "
                f"which carries it, to {side}"
            )
            give = partial(_give, unit, carrier.owner, f"give it to {side}")
            yield UnitFault(unit, "advice-strangers", message, make_fix=give)


def _check_loads(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units that carry more than they can: of one type, or of volume in all."""
    capacity = Capacity(units.period)
    for carrier_id, carried_units in units.loads.items():
        carrier = units.by_id[carrier_id]
        carrier_type = units.types.get(carrier.kind)
        if carrier_type is None:
            continue
        units_by_type: dict[int, list[Thing]] = defaultdict(list)
        for carried_unit in carried_units:
            carried_type = units.types.get(carried_unit.kind)
            if carried_type is not None:
                units_by_type[carried_type].append(carried_unit)
        name = units.name(carrier)
        total_volume = 0
        volumes: list[tuple[Thing, int]] = []
        for carried_type, units_of_type in units_by_type.items():
            count = len(units_of_type)
            volume = int(capacity.volume[carried_type])
            total_volume += volume * count
            volumes += ((unit, volume) for unit in units_of_type)
            most = int(capacity.most_of_type[carrier_type, carried_type])
            if count > most:
                kind = units.kind(carried_type)
                message = f"{name} carries {count} {kind}, but can carry {most} (capacity)"
                unload = partial(_send_away, units, units_of_type[most:])
                yield UnitFault(carrier, "advice-capacity", message, make_fixes=unload)
        hold = int(capacity.hold[carrier_type])
        if 0 < hold < total_volume:
            message = (
                f"{name} carries a volume of {total_volume}, but has room for {hold} (hold-volume)"
            )
            surplus = _surplus_of_volume(volumes, total_volume - hold)
            unload = partial(_send_away, units, surplus)
            yield UnitFault(carrier, "advice-capacity", message, make_fixes=unload)


def _surplus_of_volume(volumes: Sequence[tuple[Thing, int]], excess: int) -> list[Thing]:
    """Return the last of some units, as many as have the volume ``excess`` together.

    ``volumes`` are the units with their volumes. Those without a volume stay.
    """
    surplus: list[Thing] = []
    for unit, volume in reversed(volumes):
        if excess <= 0:
            break
        if volume > 0:
            surplus.append(unit)
            excess -= volume
    return surplus


def _check_stranded_units(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the uncarried units on terrain that is none for their type, see ``can_stand``.

    The game itself lets units that cannot move be anywhere. Maps of its library have ports on
    water beside land: one of these is odd only where all hexes around are none for it, too.

    Units at the poles and several on one hex have problems of their own. Where the world was made
    up for a file without a map, the terrain is no fault of anybody.
    """
    if not units.is_terrain_chosen:
        return
    can_move = movers(units.period)
    uncarried_on_cell = Counter(
        units.cells[unit.id] for unit in units.units if unit.id not in units.carriers
    )
    for unit in units.units:
        unit_type = units.types.get(unit.kind)
        terrain = units.terrain_under(unit)
        if unit_type is None or terrain is None or unit.id in units.carriers:
            continue
        cell = units.cells[unit.id]
        is_on_edge = cell // units.grid.width in (0, units.grid.height - 1)
        if is_on_edge or uncarried_on_cell[cell] > 1:
            continue
        if units.can_stand[unit_type, terrain]:
            continue
        name = units.period.terrains[terrain].name
        message = f"{units.name(unit)} stands on {name}, where it cannot move"
        if not can_move[unit_type]:
            if _is_beside_its_terrain(units, unit):
                continue
            message = (
                f"{units.name(unit)} stands on {name}: new worlds have none there, nor on a hex "
                "beside it"
            )
        move = partial(_move_to_land, units, unit)
        yield UnitFault(unit, "advice-stranded", message, make_fix=move)


def _is_beside_its_terrain(units: UnitsOnMap, unit: Thing) -> bool:
    """Return whether a unit of a known type can stand on one of the hexes around it."""
    assert units.terrain is not None, "the unit stands on terrain"
    can_stand = units.can_stand[units.types[unit.kind]]
    for cell in units.grid.neighbours(units.cells[unit.id]):
        terrain = int(units.terrain.flat[cell])
        if terrain < len(can_stand) and can_stand[terrain]:
            return True
    return False


def _move_to_land(units: UnitsOnMap, unit: Thing) -> Fix | None:
    """Return the fix that moves a unit, and what it carries, to the nearest hex it can be on.

    None if there is none, see ``_nearest_free_cell``.
    """
    cell = _nearest_free_cell(units, unit)
    if cell is None:
        return None
    x, y = units.grid.xy(cell)
    kept = _kept_by_rolls([unit])
    return Fix(f"move it to {x},{y}{kept}", things=_moves_to(units, unit, cell))


def _nearest_free_cell(
    units: UnitsOnMap, unit: Thing, taken_cells: Collection[int] = ()
) -> int | None:
    """Return the nearest hex that a unit can be on, without another unit; None if there is none.

    A unit whose type the period lacks can be on any hex that is not at the poles. ``taken_cells``
    are not free either.
    """
    unit_type = units.types.get(unit.kind)
    height = units.grid.height
    width = units.grid.width
    is_possible = np.zeros(height * width, np.bool_)
    is_possible[width : (height - 1) * width] = True
    if unit_type is not None and units.terrain is not None:
        # For all codes that a map can have; no unit can be on terrain that the period lacks.
        can_stand_on_code = np.zeros(256, np.bool_)
        can_stand_on_code[: len(units.period.terrains)] = units.can_stand[unit_type]
        is_possible &= can_stand_on_code[units.terrain.ravel()]
    occupied_cells = [cell for cell in units.cells.values() if cell != OFF_MAP]
    is_possible[[*occupied_cells, *taken_cells]] = False
    cells = np.flatnonzero(is_possible)
    if not cells.size:
        return None
    return int(cells[_distances_from(units, unit, cells).argmin()])


def _moves_to(units: UnitsOnMap, unit: Thing, cell: int) -> tuple[ThingChange, ...]:
    """Return the changes that move a unit to a cell, with all that it carries."""
    centre = units.grid.centre(cell)
    return tuple(ThingChange(moved.id, place=centre) for moved in _load_of(units, unit))


def _load_of(units: UnitsOnMap, unit: Thing) -> list[Thing]:
    """Return a unit, what it carries, and what that carries."""
    load = [unit]
    for carrier in load:  # also the units that are added here
        load += units.loads.get(carrier.id, ())
    return load


def _idle_sides(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the sides that have units, but none that can move or make anything."""
    period = units.period
    can_make = (period.table("make") > 0).any(axis=1)
    can_act = movers(period) | can_make
    owners: set[int] = set()
    active_owners: set[int] = set()
    for unit in units.units:
        owners.add(unit.owner)
        unit_type = units.types.get(unit.kind)
        if unit_type is not None and can_act[unit_type]:
            active_owners.add(unit.owner)
    for owner in sorted(owners - active_owners):
        if 0 < owner <= len(units.sides.sides):
            name = units.name_side(owner)
            name = f"{name[:1].upper()}{name[1:]}"
            message = f"{name} has no unit that can move or make others (speed, moves, make)"
            yield Problem(Severity.WARNING, "advice-no-movers", message)
