"""Puts differences between two maps into texts, ours first: ``D4: Brambles 0 | Tree 1``.

The desk lists ``group_text``, the command line ``difference_text``; it also writes
``difference_name`` and ``difference_values`` as JSON.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.comparison.comparison import DifferenceKind
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.planes.routes import MARKS, sides_of
from randomizer.model.system.property import UNSET, PropertyKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from randomizer.model.comparison.comparison import Comparison, Difference, ShownMap, ThingPair
    from randomizer.model.comparison.difference_groups import DifferenceGroup
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.system.property import Property
    from randomizer.model.things.things import Thing


def difference_text(comparison: Comparison, difference: Difference) -> str:
    """Return a difference in one line."""
    system = comparison.ours.system
    index = difference.index
    match difference.kind:
        case DifferenceKind.PROPERTY:
            return _property_text(comparison, system.properties[index])
        case DifferenceKind.THING:
            return _thing_pair_text(comparison.things[index], system.thing_rules.file_entry)
        case DifferenceKind.CELL_LOCK | DifferenceKind.SIDE_LOCK:
            our_text = _lock_text(comparison.ours, difference)
            their_text = _lock_text(comparison.theirs, difference)
        case _:
            our_text = _values_text(comparison.ours, difference)
            their_text = _values_text(comparison.theirs, difference)
    return f"{_position_text(comparison, difference)}: {our_text} | {their_text}"


def group_text(comparison: Comparison, group: DifferenceGroup) -> str:
    """Return a group of differences in one line; of several cells only what differs is told."""
    count = len(group.indices)
    if count == 1:
        return difference_text(comparison, group.middle)
    words = cell_words(comparison.ours.grid.layout)
    cells = counted(count, words.cell, words.cells)
    middle = _position_text(comparison, group.middle)
    if group.kind is DifferenceKind.CELL_LOCK:
        our_text = _lock_text(comparison.ours, group.middle)
        their_text = _lock_text(comparison.theirs, group.middle)
    else:
        our_text, their_text = _differing_texts(comparison, group.middle)
    return f"{cells} around {middle}: {our_text} | {their_text}"


def _differing_texts(comparison: Comparison, difference: Difference) -> tuple[str, str]:
    """Return the values of ours and of theirs in the planes that differ at a cell."""
    index = difference.index
    our_texts = []
    their_texts = []
    for spec in comparison.ours.system.shown_planes:
        if spec.element.value != difference.kind.value:
            continue
        our_value = int(comparison.ours.composite.planes[spec.name].flat[index])
        their_value = int(comparison.theirs.composite.planes[spec.name].flat[index])
        if our_value != their_value:
            our_texts.append(_value_text(comparison.ours, spec, our_value) or "none")
            their_texts.append(_value_text(comparison.theirs, spec, their_value) or "none")
    return " ".join(our_texts), " ".join(their_texts)


def terrain_changes_text(comparison: Comparison, most: int) -> str:
    """Return the changes of terrain in words: "Wood to Sea in 54 hexes, Heath to Sea in 12".

    The most frequent ones come first; those after the first ``most`` (1 at least) are "others". ""
    if no terrain differs.
    """
    terrain = comparison.ours.system.terrain
    if terrain is None:
        return ""
    cells = comparison.indices[DifferenceKind.CELL]
    our_codes = comparison.ours.composite.planes[terrain.name].reshape(-1)[cells].tolist()
    their_codes = comparison.theirs.composite.planes[terrain.name].reshape(-1)[cells].tolist()
    changes = Counter(zip(our_codes, their_codes, strict=True))
    terrains = comparison.ours.composite.terrain_set.terrains
    words = cell_words(comparison.ours.grid.layout)
    texts: list[str] = []
    for (our_code, their_code), count in changes.most_common():
        if our_code == their_code:
            continue  # something else differs there, such as the elevation
        number = f"{count:,}"
        if not texts:
            number = counted(count, words.cell, words.cells)
        texts.append(f"{terrains[our_code].name} to {terrains[their_code].name} in {number}")
    text = ", ".join(texts[:most])
    if len(texts) > most:
        return f"{text} and others"
    return text


def difference_name(comparison: Comparison, difference: Difference) -> str:
    """Return the name of the property or place that differs, or the number of the thing."""
    match difference.kind:
        case DifferenceKind.PROPERTY:
            return comparison.ours.system.properties[difference.index].name
        case DifferenceKind.THING:
            return str(comparison.things[difference.index].any_thing.id)
        case _:
            return _position_text(comparison, difference)


class DifferingValues(NamedTuple):
    """The values of both maps that differ, by name, as JSON can hold them.

    Their names are those of planes (or of ways), of fields of a thing, or "locked"; a property has
    one, "value", which is None where it is not set.
    """

    ours: Mapping[str, object] | None
    """None for a thing that our map does not have."""
    theirs: Mapping[str, object] | None
    """None for a thing that their map does not have."""


def difference_values(comparison: Comparison, difference: Difference) -> DifferingValues:
    """Return the values that differ, ours and theirs."""
    index = difference.index
    match difference.kind:
        case DifferenceKind.PROPERTY:
            map_property = comparison.ours.system.properties[index]
            our_values = _property_values(comparison.ours, map_property)
            their_values = _property_values(comparison.theirs, map_property)
        case DifferenceKind.THING:
            pair = comparison.things[index]
            if pair.ours is None:
                return DifferingValues(None, _thing_values(pair.any_thing))
            if pair.theirs is None:
                return DifferingValues(_thing_values(pair.any_thing), None)
            entry = comparison.ours.system.thing_rules.file_entry
            our_values = _thing_values(pair.ours, entry)
            their_values = _thing_values(pair.theirs, entry)
        case DifferenceKind.CELL_LOCK:
            our_values = {"locked": bool(comparison.ours.locked_cells.flat[index])}
            their_values = {"locked": bool(comparison.theirs.locked_cells.flat[index])}
        case DifferenceKind.SIDE_LOCK:
            our_values = {"locked": bool(comparison.ours.locked_sides.flat[index])}
            their_values = {"locked": bool(comparison.theirs.locked_sides.flat[index])}
        case _:
            our_values = _plane_values(comparison.ours, difference)
            their_values = _plane_values(comparison.theirs, difference)
    # Ways are absent where a map has none, so each map can have names that the other lacks.
    differing_names = [name for name in our_values if our_values[name] != their_values.get(name)]
    differing_names += [name for name in their_values if name not in our_values]
    return DifferingValues(
        {name: our_values.get(name) for name in differing_names},
        {name: their_values.get(name) for name in differing_names},
    )


def _property_values(shown_map: ShownMap, map_property: Property) -> dict[str, object]:
    """Return the value of a property as JSON has it, under the name "value"; None if not set."""
    value = shown_map.property_value(map_property)
    if value is UNSET:
        return {"value": None}
    if isinstance(value, tuple):  # JSON has lists alone
        return {"value": list(value)}
    return {"value": value}


def _thing_values(thing: Thing, entry: str = "") -> dict[str, object]:
    """Return the fields of a thing by name, without ``entry`` of its state ("": with all of it).

    A pair of things is compared without the entry of the file that the map was read from.
    """
    return {
        "kind": thing.kind,
        "x": thing.x,
        "y": thing.y,
        "angle": thing.angle % 360,
        "owner": thing.owner,
        "label": thing.label,
        "state": {name: value for name, value in thing.state.items() if name != entry},
    }


def _plane_values(shown_map: ShownMap, difference: Difference) -> dict[str, object]:
    """Return the values at a cell, side or corner by plane, ways by their names.

    Terrains, hexsides and regions are told by name, None for none. A way is the list of the sides
    through which it leaves the cell; a way that is absent is left out.
    """
    system = shown_map.system
    values: dict[str, object] = {}
    for spec in system.shown_planes:
        if spec.element.value != difference.kind.value:
            continue
        value = int(shown_map.composite.planes[spec.name].flat[difference.index])
        if spec.links:
            if value & MARKS:
                values[_way_name(shown_map, spec, value)] = _sides(shown_map, value)
        elif spec in (system.terrain, system.regions):
            values[spec.name] = _value_text(shown_map, spec, value) or None
        elif spec == system.hexside and not value:
            values[spec.name] = None
        elif spec == system.hexside:
            values[spec.name] = _value_text(shown_map, spec, value)
        else:
            values[spec.name] = value
    return values


def _position_text(comparison: Comparison, difference: Difference) -> str:
    """Return the name of the cell, side or corner of a difference."""
    system = comparison.ours.system
    grid = comparison.ours.grid
    if difference.kind is DifferenceKind.CORNER:
        return system.corner_name(grid, difference.index)
    position = comparison.position(difference)
    assert position.cell is not None, "planes and locks are on cells"
    name = system.cell_name(grid, position.cell)
    if position.side is None:
        return name
    return f"{name} {grid.layout.side_names[position.side]}"


def _lock_text(shown_map: ShownMap, difference: Difference) -> str:
    """Return in words whether a cell or a side is locked."""
    if difference.kind is DifferenceKind.CELL_LOCK:
        locks = shown_map.locked_cells
    else:
        locks = shown_map.locked_sides
    if locks.flat[difference.index]:
        return "locked"
    return "not locked"


def _values_text(shown_map: ShownMap, difference: Difference) -> str:
    """Return the values of all planes at a cell, side or corner: "Tree 1"."""
    texts = []
    for spec in shown_map.system.shown_planes:
        if spec.element.value == difference.kind.value:
            value = int(shown_map.composite.planes[spec.name].flat[difference.index])
            text = _value_text(shown_map, spec, value)
            if text:
                texts.append(text)
    return " ".join(texts)


def _value_text(shown_map: ShownMap, spec: PlaneSpec, value: int) -> str:
    """Return one value of a plane; "" for one that says nothing, such as a way that is absent."""
    system = shown_map.system
    terrain_set = shown_map.composite.terrain_set
    if spec.links:
        return _way_text(shown_map, spec, value)
    if spec == system.terrain:
        return terrain_set.terrains[value].name
    if spec == system.hexside:
        if value == 0:
            return "none"
        return terrain_set.hexsides[value - 1].name
    if spec == system.regions:
        if value >= len(shown_map.regions):
            return ""
        region = shown_map.regions[value]
        if region is None:
            return ""
        return region.name
    if spec == system.flow_width:
        if value == 0:
            return ""
        return f"width {value}"
    return str(value)


def _way_text(shown_map: ShownMap, spec: PlaneSpec, value: int) -> str:
    """Return a way or the flow of water, and the sides through which it leaves a cell."""
    if value & MARKS == 0:
        return ""
    sides = ", ".join(_sides(shown_map, value))
    return f"{_way_name(shown_map, spec, value)} ({sides})"


def _way_name(shown_map: ShownMap, spec: PlaneSpec, value: int) -> str:
    """Return the name of the way of a value, that of the plane if no kind of way has its mark.

    Kinds of ways can share a plane: marks in the value tell them apart.
    """
    for route in shown_map.system.routes_of(shown_map.composite.terrain_set):
        if route.plane == spec.name and route.mark == value & MARKS:
            return route.name
    return spec.name


def _sides(shown_map: ShownMap, value: int) -> list[str]:
    """Return the names of the sides through which a way leaves a cell."""
    layout = shown_map.grid.layout
    return [layout.side_names[side] for side in sides_of(value, layout.degree)]


def _property_text(comparison: Comparison, map_property: Property) -> str:
    """Return both values of a property; of two lists of cells only the names that one lacks."""
    label = map_property.label.lower()
    if map_property.kind is PropertyKind.NAMES:
        our_names = map_property.of(comparison.ours.composite.properties)
        their_names = map_property.of(comparison.theirs.composite.properties)
        if our_names and their_names:
            return f"{label}: {_names_text(our_names, their_names)}"
    our_text = map_property.words(comparison.ours.property_value(map_property))
    their_text = map_property.words(comparison.theirs.property_value(map_property))
    return f"{label}: {our_text} | {their_text}"


def _names_text(our_names: Sequence[str], their_names: Sequence[str]) -> str:
    """Return the names that only one of two lists has."""
    only_ours = [name for name in our_names if name not in their_names]
    only_theirs = [name for name in their_names if name not in our_names]
    texts = []
    if only_ours:
        texts.append(f"only here {', '.join(only_ours)}")
    if only_theirs:
        texts.append(f"only there {', '.join(only_theirs)}")
    return "; ".join(texts) or "another order"


def _thing_pair_text(pair: ThingPair, entry: str) -> str:
    """Return two things in one line; angle and state only where they differ.

    ``entry`` of the states is not compared.
    """
    ours, theirs = pair
    our_text = _thing_text(ours)
    their_text = _thing_text(theirs)
    if ours and theirs:
        our_angle = ours.angle % 360
        their_angle = theirs.angle % 360
        if our_angle != their_angle:
            our_text += f" at {our_angle:.0f}°"
            their_text += f" at {their_angle:.0f}°"
        names = (ours.state.keys() | theirs.state.keys()) - {entry}
        for name in sorted(names):
            our_value = ours.state.get(name)
            their_value = theirs.state.get(name)
            if our_value != their_value:
                our_text += f", {name} {our_value}"
                their_text += f", {name} {their_value}"
    return f"thing {pair.any_thing.id}: {our_text} | {their_text}"


def _thing_text(thing: Thing | None) -> str:
    """Return kind, label, owner and position of a thing; "none" for None."""
    if thing is None:
        return "none"
    label = ""
    if thing.label:
        label = f" “{thing.label}”"
    return f"{thing.kind}{label} of {thing.owner} at {thing.x:.1f}, {thing.y:.1f}"
