"""Find and replace: one terrain, hexside, elevation, way or text of a map by another.

found = replace_in_map(battlemap, [Replacement(Subject.TERRAIN, "Wood", "Pine wood")])
found.edit.apply(battlemap)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things, things_on
from randomizer.model.edits.value_edits import chained, compound, set_property, set_values
from randomizer.model.notes import NOTE_TEXT
from randomizer.model.planes.planes import Place
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, ProblemError, error
from randomizer.model.system.property import PropertyKind
from randomizer.model.things.thing_state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.things import Thing


class Subject(StrEnum):
    """The kind of value that is replaced."""

    TERRAIN = "terrain"
    HEXSIDE = "hexside"
    ELEVATION = "elevation"
    WAY = "way"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Replacement:
    """``old`` and ``new`` are names of the terrain set, whole numbers, or parts of texts."""

    subject: Subject
    old: str
    new: str


@dataclass(frozen=True, eq=False)
class MapReplacement:
    """The ``edit`` that replaces (None: nothing to replace) ``count`` values and texts.

    ``locked`` are the names of layers that hold ``old`` and are not changed.
    """

    edit: Edit | None
    count: int
    locked: tuple[str, ...]


class _Change(NamedTuple):
    """At flat ``places`` of a plane of a layer stand ``values`` (one each) afterwards."""

    layer: Layer
    plane: str
    places: NDArray[np.intp]
    values: NDArray[np.int64]


def replace_in_map(
    battlemap: BattleMap,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None = None,
    *,
    add: bool = False,
) -> MapReplacement:
    """Replace in all layers that are not locked, hidden ones too; in ``cells`` only unless None.

    All replacements are made at once: two can exchange two terrains. Where no layer sets a terrain
    and the map shows ``old``, the lowest visible one of them gets the new one. ``add``: a new name
    that the terrain set lacks is added to it, as a copy of the old one. The map is not changed.
    Raises ProblemError for an old name that the map does not know, and for a new one unless
    ``add``.
    """
    _check(battlemap, replacements, add)
    new_terrain_set = _with_new_names(battlemap, replacements)
    locked: dict[str, None] = {}
    counts: list[int] = []

    def values() -> Edit | None:
        edits = []
        for layer, plane, elements, new in _changes(battlemap, replacements, cells):
            if layer.locked:
                locked[layer.name] = None
            else:
                counts.append(len(elements))
                edits.append(set_values(battlemap, layer.id, plane, elements, new))
        return compound(edits)

    def texts() -> Edit | None:
        edit, count = _replace_texts(battlemap, replacements, cells, locked)
        counts.append(count)
        return edit

    def terrain_set() -> Edit | None:
        try:
            return change_terrain_set(battlemap, new_terrain_set)
        except ValueError as failed:
            raise error("not-replaced", str(failed)) from failed

    edit = chained(battlemap, [terrain_set, values, texts])
    return MapReplacement(edit, sum(counts), tuple(locked))


def cells_with(
    battlemap: BattleMap, composite: Composite, subject: Subject, name: str
) -> NDArray[np.intp]:
    """Return the cells that show a terrain, an elevation, a way, or a hexside at one of theirs.

    None for names that the map does not know, and for texts.
    """
    system = battlemap.system
    grid = battlemap.grid
    none = np.empty(0, np.intp)
    if subject is Subject.ELEVATION:
        heights = composite.plane(system.elevation)
        number = name.removeprefix("-")
        if heights is None or not (number.isascii() and number.isdigit()):
            return none
        return np.asarray(grid.cells[heights.reshape(-1)[grid.cells] == int(name)])
    code = names_of(battlemap, subject).get(name)
    if code is None:
        return none
    if subject is Subject.WAY:
        route = system.routes_of(battlemap.terrain_set)[code]
        return grid.cells[route.runs(composite.planes[route.plane].reshape(-1)[grid.cells])]
    is_side = subject is Subject.HEXSIDE
    plane = composite.plane(system.hexside if is_side else system.terrain)
    if plane is None:
        return none
    hit = plane.reshape(grid.size, -1)[grid.cells] == code + is_side
    return np.asarray(grid.cells[hit.any(axis=1)])


def split_at_equals(text: str) -> tuple[str, str]:
    r"""Split ``OLD=NEW`` at its first ``=`` that no ``\`` stands before.

    In both parts ``\=`` is a ``=`` and ``\\`` a ``\``. Raises ValueError where there is none.
    """
    parts = [""]
    escaped = False
    for character in text:
        if escaped:
            parts[-1] += character if character in "=\\" else f"\\{character}"
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "=" and len(parts) == 1:
            parts.append("")
        else:
            parts[-1] += character
    if escaped:
        parts[-1] += "\\"
    if len(parts) < 2 or not parts[0]:
        raise ValueError(f"OLD=NEW is wanted, not “{text[:80]}”")
    return parts[0], parts[1]


# --- names --------------------------------------------------------------------------------------


def names_of(battlemap: BattleMap, subject: Subject) -> dict[str, int]:
    """Return the names of terrains, hexsides or ways, and their indices; of others none."""
    terrain_set = battlemap.terrain_set
    if subject is Subject.TERRAIN:
        return {entry.name: index for index, entry in enumerate(terrain_set.terrains)}
    if subject is Subject.HEXSIDE:
        return {entry.name: index for index, entry in enumerate(terrain_set.hexsides)}
    if subject is Subject.WAY:
        routes = battlemap.system.routes_of(terrain_set)
    else:
        routes = ()
    return {route.name: index for index, route in enumerate(routes)}


def _check(battlemap: BattleMap, replacements: Sequence[Replacement], add: bool) -> None:
    """Raise ProblemError with all that is wrong with the names."""
    problems: list[Problem] = []
    olds = [(replacement.subject, replacement.old) for replacement in replacements]
    for subject, name in dict.fromkeys(olds):
        if olds.count((subject, name)) > 1:
            message = f"the {subject} “{name}” cannot be replaced twice"
            problems += error("replaced-twice", message).problems
    for replacement in replacements:
        if replacement.subject is Subject.TEXT:
            fault = fault_in_line(replacement.new)
            if fault:
                problems += error("not-replaced", f"the new text {fault}").problems
        elif replacement.subject is Subject.ELEVATION:
            problems += _elevation_problems(battlemap, replacement)
        else:
            names = names_of(battlemap, replacement.subject)
            if replacement.old not in names:
                problems += _unknown(replacement.subject, replacement.old, names).problems
            if replacement.new not in names and replacement.new and not add:
                problems += _unknown(replacement.subject, replacement.new, names).problems
            if not replacement.new and replacement.subject is Subject.TERRAIN:
                problems += error("not-replaced", "a terrain has a name").problems
    if problems:
        raise ProblemError(dict.fromkeys(problems))


def _unknown(subject: Subject, name: str, names: Iterable[str]) -> ProblemError:
    near = get_close_matches(name, names, 1, 0.6)
    advice = f"; did you mean “{near[0]}”?" if near else ""
    return error(f"unknown-{subject}", f"this map has no {subject} “{name}”{advice}")


def _elevation_problems(battlemap: BattleMap, replacement: Replacement) -> Iterator[Problem]:
    spec = battlemap.system.elevation
    if spec is None:
        message = "the cells of this map have no elevations"
        yield from error("unknown-elevation", message).problems
        return
    least, most = spec.limits
    for text in (replacement.old, replacement.new):
        number = text.removeprefix("-")
        if not (number.isascii() and number.isdigit() and least <= int(text) <= most):
            message = f"an elevation is a whole number from {least} to {most}, not “{text[:40]}”"
            yield from error("unknown-elevation", message).problems


def _with_new_names(battlemap: BattleMap, replacements: Sequence[Replacement]) -> TerrainSet:
    """Return the terrain set, with new names of ``replacements`` at its end as copies of the old
    ones.
    """
    terrain_set = battlemap.terrain_set
    terrains = list(terrain_set.terrains)
    hexsides = list(terrain_set.hexsides)
    ways = list(terrain_set.ways)
    for replacement in replacements:
        if replacement.subject in (Subject.ELEVATION, Subject.TEXT) or not replacement.new:
            continue
        names = names_of(battlemap, replacement.subject)
        if replacement.new in names:
            continue
        index = names[replacement.old]
        if replacement.subject is Subject.TERRAIN and replacement.new not in {
            t.name for t in terrains
        }:
            old = terrain_set.terrains[index]
            picture = old.picture or old.name
            terrains.append(
                replace(old, name=replacement.new, letters="", aliases=(), picture=picture)
            )
        elif replacement.subject is Subject.HEXSIDE and replacement.new not in {
            h.name for h in hexsides
        }:
            letters = {hexside.letter for hexside in hexsides}
            letter = next(c for c in map(chr, range(0x61, 0x3000)) if c not in letters)
            hexsides.append(
                replace(terrain_set.hexsides[index], name=replacement.new, letter=letter)
            )
        elif replacement.subject is Subject.WAY and replacement.new not in {w.name for w in ways}:
            ways.append(replace(terrain_set.ways[index], name=replacement.new))
    return replace(
        terrain_set, terrains=tuple(terrains), hexsides=tuple(hexsides), ways=tuple(ways)
    )


# --- values -------------------------------------------------------------------------------------


def _changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Yield what changes in the planes of all layers, locked ones too, each place of a plane
    once.
    """
    system = battlemap.system
    for subject, spec in (
        (Subject.TERRAIN, system.terrain),
        (Subject.HEXSIDE, system.hexside),
        (Subject.ELEVATION, system.elevation),
    ):
        table = _table(battlemap, replacements, subject)
        if spec is None or not table:
            continue
        for layer in battlemap.layers:
            values = layer.planes.get(spec.name)
            if values is not None:
                yield from _translated(battlemap, layer, spec, values, table, cells)
        if subject is Subject.TERRAIN and 0 in table:
            yield from _ground(battlemap, spec, table[0], cells)
    yield from _way_changes(battlemap, replacements, cells)


def _table(
    battlemap: BattleMap, replacements: Sequence[Replacement], subject: Subject
) -> dict[int, int]:
    """Return the new value of a plane for each old one that is replaced."""
    mine = [
        replacement
        for replacement in replacements
        if replacement.subject is subject and replacement.old != replacement.new
    ]
    if subject is Subject.ELEVATION:
        return {int(replacement.old): int(replacement.new) for replacement in mine}
    names = names_of(battlemap, subject)
    if subject is Subject.HEXSIDE:  # 0: no hexside
        return {
            names[replacement.old] + 1: names[replacement.new] + 1 if replacement.new else 0
            for replacement in mine
        }
    return {names[replacement.old]: names[replacement.new] for replacement in mine}


def _is_in(
    battlemap: BattleMap, spec: PlaneSpec, cells: NDArray[np.intp] | None
) -> NDArray[np.bool_]:
    """Return which places of a plane are on existing cells, and on ``cells``: flat, one for each
    place.
    """
    grid = battlemap.grid
    chosen = np.zeros(grid.width * grid.height, np.bool_)
    chosen[grid.cells if cells is None else np.intersect1d(grid.cells, cells)] = True
    if spec.place is Place.SIDE:
        return np.repeat(chosen, grid.degree)
    return chosen


def _translated(
    battlemap: BattleMap,
    layer: Layer,
    spec: PlaneSpec,
    values: NDArray[np.int64],
    table: dict[int, int],
    cells: NDArray[np.intp] | None,
) -> Iterator[_Change]:
    flat = values.reshape(-1)
    hit = np.isin(flat, list(table)) & (flat != spec.unset) & _is_in(battlemap, spec, cells)
    elements = np.flatnonzero(hit)
    if len(elements):
        old, at = np.unique(flat[elements], return_inverse=True)
        new = np.array([table[value] for value in old.tolist()], np.int64)
        yield _Change(layer, spec.name, elements, new[at])


def _ground(
    battlemap: BattleMap, spec: PlaneSpec, new: int, cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Yield where no layer sets a terrain, the map shows the first of the set."""
    bare = _is_in(battlemap, spec, cells)
    for layer in battlemap.layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            bare = bare & (values.reshape(-1) == spec.unset)
    elements = np.flatnonzero(bare)
    visible = [layer for layer in battlemap.layers if layer.visible]
    targets = [layer for layer in visible if not layer.locked] or visible
    if len(elements) and targets:
        yield _Change(targets[0], spec.name, elements, np.full(len(elements), new, np.int64))


def _way_changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Links of an old way are added to those of the new one: a link goes with both its ends."""
    system = battlemap.system
    grid = battlemap.grid
    routes = {route.name: route for route in system.routes_of(battlemap.terrain_set)}
    mine = [
        replacement
        for replacement in replacements
        if replacement.subject is Subject.WAY and replacement.old != replacement.new
    ]
    pairs = [
        (routes[replacement.old], routes[replacement.new] if replacement.new else None)
        for replacement in mine
    ]
    for layer in battlemap.layers:
        old_values: dict[str, NDArray[np.int64]] = {}
        for route in {route for pair in pairs for route in pair if route is not None}:
            spec = system.plane(route.plane)
            values = layer.planes.get(route.plane)
            plane = spec.allocate(grid) if values is None else values
            old_values[route.plane] = plane.reshape(-1).astype(np.int64)
        new_values = {name: values.copy() for name, values in old_values.items()}
        moved = []
        for old, new in pairs:
            values = old_values[old.plane]
            bits = _with_both_ends(grid, np.where(old.runs(values), values & SIDES, 0), cells)
            left = new_values[old.plane] & ~bits
            left = np.where(left & SIDES, left, 0)
            new_values[old.plane] = np.where(bits > 0, left, new_values[old.plane])
            moved.append((new, bits))
        for new, bits in moved:
            if new is not None:
                values = new_values[new.plane]
                links = np.where(values & PRESENT, values & SIDES, 0)
                new_values[new.plane] = np.where(bits > 0, new.mark | links | bits, values)
        for name, values in new_values.items():
            elements = np.flatnonzero(values != old_values[name])
            if len(elements):
                yield _Change(layer, name, elements, values[elements])
        dry = np.zeros(grid.size, np.bool_)
        for (old, new), (_new, bits) in zip(pairs, moved, strict=True):
            if old.style == "water" and (new is None or new.style != "water"):
                dry |= (bits > 0) & (new_values[old.plane] == 0)
        for flow in (system.flow, system.flow_width):
            if flow is not None and flow.name in layer.planes:
                flows = layer.planes[flow.name].reshape(-1)
                elements = np.flatnonzero(dry & (flows != flow.unset))
                if len(elements):
                    none = np.full(len(elements), flow.unset, np.int64)
                    yield _Change(layer, flow.name, elements, none)


def _with_both_ends(
    grid: Grid, bits: NDArray[np.int64], cells: NDArray[np.intp] | None
) -> NDArray[np.int64]:
    """Return of links (size,) those with both ends in ``cells``, and those off the rim."""
    if cells is None:
        return bits
    chosen = np.zeros(grid.width * grid.height + 1, np.bool_)  # the last one is "off the map"
    chosen[cells] = chosen[-1] = True
    table = np.asarray(grid.neighbour_table)
    inside = np.zeros(len(bits), np.int64)
    for side in range(grid.degree):
        inside |= np.where(chosen[:-1] & chosen[table[:, side]], 1 << side, 0)
    return bits & inside


# --- texts --------------------------------------------------------------------------------------


def _replace_texts(
    battlemap: BattleMap,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None,
    locked: dict[str, None],
) -> tuple[Edit | None, int]:
    """Return the edit that replaces parts of labels, notes and properties, and how many change.

    Names of locked layers that would change are added to ``locked``.
    """
    mine = [
        replacement
        for replacement in replacements
        if replacement.subject is Subject.TEXT and replacement.old != replacement.new
    ]
    if not mine:
        return None, 0

    def new_text(text: str) -> str:
        for each in mine:
            text = text.replace(each.old, each.new)
        if fault := fault_in_line(text):
            raise error("not-replaced", f"the text “{text[:60]}” {fault}")
        return text

    things: list[Thing] = []
    lines: list[Edit | None] = []
    for layer in battlemap.layers:
        held = layer.things
        if cells is None:
            labelled = [*held.values()]
        else:
            labelled = things_on(battlemap.grid, held, cells)
        changed = [_with_new_texts(each, new_text) for each in labelled]
        changed = [each for each in changed if each != held[each.id]]
        texts_here = [
            set_property(battlemap, layer.id, each.name, new_text(layer.properties[each.name]))
            for each in (battlemap.system.properties if cells is None else ())
            if each.kind is PropertyKind.TEXT and layer.properties.get(each.name)
        ]
        texts_here = [edit for edit in texts_here if edit is not None]
        if not layer.locked:
            things += changed
            lines += texts_here
        elif changed or texts_here:
            locked[layer.name] = None
    return compound([change_things(battlemap, things), *lines]), len(things) + len(lines)


def _with_new_texts(thing: Thing, new_text: Callable[[str], str]) -> Thing:
    """Return a thing with another label, and another text if it is a note."""
    text = thing.state.get(NOTE_TEXT.name)
    state = (
        {**thing.state, NOTE_TEXT.name: new_text(text)} if isinstance(text, str) else thing.state
    )
    return replace(thing, label=new_text(thing.label), state=State(state))
