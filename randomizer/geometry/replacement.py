"""Find and replace: one terrain, hexside, elevation, way or text of a map by another.

The dialog and the command line call ``replace_in_map``, which checks the names first
(``_check``), then makes three edits, one after the other: of the terrain set, if a new name is to
be added; of values; of texts. Ways are the hard part (``_way_changes_of_layer``): a link is in two
cells, and two ways can be exchanged. Example::

    result = replace_in_map(battlemap, [Replacement(Subject.TERRAIN, "Wood", "Pine wood")])
    if result.edit is not None:
        result.edit.apply(battlemap)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.texts import fault_in_line
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things, things_on
from randomizer.model.edits.value_edits import chained, compound, set_property, set_values
from randomizer.model.notes import NOTE_TEXT
from randomizer.model.planes.planes import Element
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
    from randomizer.model.planes.routes import RouteSpec
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
    from randomizer.model.things.things import Thing


_SIMILAR = 0.6
"""How similar a name must be to be suggested, from 0 to 1 (``get_close_matches``)."""

_FIRST_LETTER = 0x61
_LAST_LETTER = 0x2FFF
"""The letters for new hexsides begin with "a"; they are more than the hexsides of any set."""


class Subject(StrEnum):
    """The kind of value that is replaced."""

    TERRAIN = "terrain"
    HEXSIDE = "hexside"
    ELEVATION = "elevation"
    WAY = "way"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Replacement:
    """One value that is replaced by another, wherever it is."""

    subject: Subject

    old: str
    """A name of the terrain set, a whole number, or a part of texts."""

    new: str
    """Likewise; "" for no hexside or no way."""


@dataclass(frozen=True, eq=False)
class MapReplacement:
    """The result of ``replace_in_map``."""

    edit: Edit | None
    """The edit that replaces; None if there is nothing to replace."""

    count: int
    """The number of values and texts that the edit replaces."""

    locked: tuple[str, ...]
    """The names of locked layers, which hold an old value or text and are not changed."""


class _Change(NamedTuple):
    """New values of some elements of a plane of one layer."""

    layer: Layer

    plane: str
    """The name of the plane."""

    elements: NDArray[np.intp]
    """Flat indices in the plane, ascending, shape (n,)."""

    values: NDArray[np.int64]
    """The new value of each element, shape (n,)."""


class _RoutePair(NamedTuple):
    """A way that is replaced."""

    old: RouteSpec

    new: RouteSpec | None
    """The way that replaces it, None for no way."""


def replace_in_map(
    battlemap: BattleMap,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None = None,
    *,
    add: bool = False,
) -> MapReplacement:
    """Return the edit that replaces in all layers that are not locked, hidden ones too.

    It replaces in ``cells`` only, unless these are None. All replacements are made at once: two can
    exchange two terrains. Where no layer sets a terrain and the map shows the old one, the lowest
    visible layer gets the new one. With ``add`` a new name that the terrain set lacks is added to
    it, as a copy of the old one. The map is not changed. Raises ProblemError for an old name that
    the map does not know, and for a new one unless ``add``.
    """
    _check(battlemap, replacements, add)
    return _Replacing(battlemap, replacements, cells).result()


class _Replacing:
    """Makes the edit of some replacements, and notes what it replaces.

    It is a chain of edits, each made for the map as the earlier ones leave it (``chained``).
    """

    def __init__(
        self,
        battlemap: BattleMap,
        replacements: Sequence[Replacement],
        cells: NDArray[np.intp] | None,
    ) -> None:
        self._map = battlemap
        self._replacements = replacements
        self._cells = cells
        self._new_terrain_set = _with_new_names(battlemap, replacements)
        self._count = 0
        """How many values and texts are replaced so far."""
        self._locked: dict[str, None] = {}
        """The names of the locked layers that hold an old value or text, in this order."""

    def result(self) -> MapReplacement:
        """Return the edit, and what it replaces."""
        # New names come first: then values can have their codes.
        edit = chained(self._map, [self._set_terrains, self._replace_values, self._replace_texts])
        return MapReplacement(edit, self._count, tuple(self._locked))

    def _set_terrains(self) -> Edit | None:
        """Return the edit that adds the new names to the terrain set."""
        try:
            return change_terrain_set(self._map, self._new_terrain_set)
        except ValueError as failed:
            raise error("not-replaced", str(failed)) from failed

    def _replace_values(self) -> Edit | None:
        """Return the edit of all planes, and note what it changes."""
        edits = []
        for change in _changes(self._map, self._replacements, self._cells):
            layer = change.layer
            if layer.locked:
                self._locked[layer.name] = None
                continue
            self._count += len(change.elements)
            edits.append(
                set_values(self._map, layer.id, change.plane, change.elements, change.values)
            )
        return compound(edits)

    def _replace_texts(self) -> Edit | None:
        """Return the edit of all texts, and note what it changes."""
        edit, count = _replace_texts(self._map, self._replacements, self._cells, self._locked)
        self._count += count
        return edit


def cells_with(
    battlemap: BattleMap, composite: Composite, subject: Subject, name: str
) -> NDArray[np.intp]:
    """Return the cells that show a terrain, an elevation, a way, or a hexside on one side.

    There are none for names that the map does not know, and for texts.
    """
    system = battlemap.system
    grid = battlemap.grid
    no_cells = np.empty(0, np.intp)
    if subject is Subject.ELEVATION:
        heights = composite.plane(system.elevation)
        digits = name.removeprefix("-")
        if heights is None or not (digits.isascii() and digits.isdigit()):
            return no_cells
        return np.asarray(grid.cells[heights.reshape(-1)[grid.cells] == int(name)])
    code = names_of(battlemap, subject).get(name)
    if code is None:
        return no_cells
    if subject is Subject.WAY:
        route = system.routes_of(battlemap.terrain_set)[code]
        return grid.cells[route.runs(composite.planes[route.plane].reshape(-1)[grid.cells])]
    if subject is Subject.HEXSIDE:
        plane = composite.plane(system.hexside)
        code += 1  # 0 on the plane is no hexside
    else:
        plane = composite.plane(system.terrain)
    if plane is None:
        return no_cells
    # One column for each side of a cell, or one for its terrain.
    has_code = plane.reshape(grid.size, -1)[grid.cells] == code
    return np.asarray(grid.cells[has_code.any(axis=1)])


def split_at_equals(text: str) -> tuple[str, str]:
    r"""Split ``OLD=NEW`` at its first ``=`` that no ``\`` stands before.

    In both parts ``\=`` is a ``=`` and ``\\`` a ``\``. Raises ValueError where there is none.
    """
    parts = [""]
    is_escaped = False
    for character in text:
        if is_escaped and character in "=\\":
            parts[-1] += character
            is_escaped = False
        elif is_escaped:
            parts[-1] += f"\\{character}"  # the backslash escapes nothing: it stays
            is_escaped = False
        elif character == "\\":
            is_escaped = True
        elif character == "=" and len(parts) == 1:
            parts.append("")
        else:
            parts[-1] += character
    if is_escaped:
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
        return {route.name: index for index, route in enumerate(routes)}
    return {}


def _check(battlemap: BattleMap, replacements: Sequence[Replacement], add: bool) -> None:
    """Raise ProblemError with all that is wrong with the names."""
    problems: list[Problem] = []
    replaced = Counter((replacement.subject, replacement.old) for replacement in replacements)
    for (subject, name), times in replaced.items():
        if times > 1:
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
        raise ProblemError(dict.fromkeys(problems))  # each problem once


def _unknown(subject: Subject, name: str, names: Iterable[str]) -> ProblemError:
    """Return the error for a name that is none of ``names``; it tells a similar one."""
    similar_names = get_close_matches(name, names, n=1, cutoff=_SIMILAR)
    advice = ""
    if similar_names:
        advice = f"; did you mean “{similar_names[0]}”?"
    return error(f"unknown-{subject}", f"this map has no {subject} “{name}”{advice}")


def _elevation_problems(battlemap: BattleMap, replacement: Replacement) -> Iterator[Problem]:
    """Yield what is wrong with replacing one elevation by another."""
    spec = battlemap.system.elevation
    if spec is None:
        message = "the cells of this map have no elevations"
        yield from error("unknown-elevation", message).problems
        return
    lowest, highest = spec.limits
    for text in (replacement.old, replacement.new):
        digits = text.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit()
        if not is_number or not lowest <= int(text) <= highest:
            message = (
                f"an elevation is a whole number from {lowest} to {highest}, not “{text[:40]}”"
            )
            yield from error("unknown-elevation", message).problems


def _with_new_names(battlemap: BattleMap, replacements: Sequence[Replacement]) -> TerrainSet:
    """Return the terrain set with entries for new names at its end, copies of the old ones."""
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
        # Two old names can be replaced by the same new one, which is then added once.
        if replacement.subject is Subject.TERRAIN:
            if replacement.new not in {terrain.name for terrain in terrains}:
                terrains.append(_copy_of_terrain(terrain_set.terrains[index], replacement.new))
        elif replacement.subject is Subject.HEXSIDE:
            if replacement.new not in {hexside.name for hexside in hexsides}:
                letter = _free_letter(hexsides)
                old_hexside = terrain_set.hexsides[index]
                hexsides.append(replace(old_hexside, name=replacement.new, letter=letter))
        elif replacement.new not in {way.name for way in ways}:
            ways.append(replace(terrain_set.ways[index], name=replacement.new))
    return replace(
        terrain_set, terrains=tuple(terrains), hexsides=tuple(hexsides), ways=tuple(ways)
    )


def _copy_of_terrain(terrain: Terrain, name: str) -> Terrain:
    """Return a terrain of another name that looks like one, with its picture.

    Letters and other names of a terrain are unique in a set, so that the copy has none.
    """
    picture = terrain.picture or terrain.name
    return replace(terrain, name=name, letters="", aliases=(), picture=picture)


def _free_letter(hexsides: Iterable[Hexside]) -> str:
    """Return the first letter from "a" on by which none of the hexsides is written in files."""
    used_letters = {hexside.letter for hexside in hexsides}
    letters = map(chr, range(_FIRST_LETTER, _LAST_LETTER + 1))
    return next(letter for letter in letters if letter not in used_letters)


# --- values -------------------------------------------------------------------------------------


def _changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Yield what changes in the planes of all layers, locked ones too, each element once."""
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
            yield from _changes_of_unset(battlemap, spec, table[0], cells)
    yield from _way_changes(battlemap, replacements, cells)


def _table(
    battlemap: BattleMap, replacements: Sequence[Replacement], subject: Subject
) -> dict[int, int]:
    """Return the new value of a plane for each old one that is replaced."""
    names = names_of(battlemap, subject)
    table = {}
    for replacement in replacements:
        if replacement.subject is not subject or replacement.old == replacement.new:
            continue
        if subject is Subject.ELEVATION:
            table[int(replacement.old)] = int(replacement.new)
        elif subject is Subject.HEXSIDE:
            # The plane has 0 for no hexside, so that codes begin with 1; an empty name is none.
            new_code = 0
            if replacement.new:
                new_code = names[replacement.new] + 1
            table[names[replacement.old] + 1] = new_code
        else:
            table[names[replacement.old]] = names[replacement.new]
    return table


def _is_in(
    battlemap: BattleMap, spec: PlaneSpec, cells: NDArray[np.intp] | None
) -> NDArray[np.bool_]:
    """Return which elements of a plane, flat, are on existing cells, and on ``cells`` unless None.

    The planes that are asked for have cells or sides as their elements.
    """
    grid = battlemap.grid
    chosen_cells = grid.cells
    if cells is not None:
        chosen_cells = np.intersect1d(grid.cells, cells)
    is_chosen = np.zeros(grid.width * grid.height, np.bool_)
    is_chosen[chosen_cells] = True
    if spec.element is Element.SIDE:
        return np.repeat(is_chosen, grid.degree)
    return is_chosen


def _translated(
    battlemap: BattleMap,
    layer: Layer,
    spec: PlaneSpec,
    values: NDArray[np.int64],
    table: dict[int, int],
    cells: NDArray[np.intp] | None,
) -> Iterator[_Change]:
    """Yield the change of the values of a plane that are in ``table``, nothing if there are none.

    ``table`` has the new value for each old one.
    """
    flat_values = values.reshape(-1)
    # An unset element can have the number of an elevation that is replaced.
    is_replaced = np.isin(flat_values, list(table)) & (flat_values != spec.unset)
    elements = np.flatnonzero(is_replaced & _is_in(battlemap, spec, cells))
    if not len(elements):
        return
    old_values, rows = np.unique(flat_values[elements], return_inverse=True)
    new_values = np.array([table[value] for value in old_values.tolist()], np.int64)
    yield _Change(layer, spec.name, elements, new_values[rows])


def _changes_of_unset(
    battlemap: BattleMap, spec: PlaneSpec, new: int, cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Yield the change of the cells that show the first terrain because no layer sets one.

    They get the terrain ``new`` in the lowest visible layer that is not locked. If all are locked
    it is the lowest one, so that the caller tells of it.
    """
    is_bare = _is_in(battlemap, spec, cells)
    for layer in battlemap.layers:
        values = layer.planes.get(spec.name)
        if values is not None:
            is_bare = is_bare & (values.reshape(-1) == spec.unset)
    elements = np.flatnonzero(is_bare)
    visible_layers = [layer for layer in battlemap.layers if layer.visible]
    unlocked_layers = [layer for layer in visible_layers if not layer.locked]
    target_layers = unlocked_layers or visible_layers
    if len(elements) and target_layers:
        new_values = np.full(len(elements), new, np.int64)
        yield _Change(target_layers[0], spec.name, elements, new_values)


def _way_changes(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> Iterator[_Change]:
    """Yield what changes where ways are replaced, in the planes of all layers, locked ones too.

    A link goes with both its ends. Links of an old way are added to those that the new one has.
    """
    routes = {route.name: route for route in battlemap.system.routes_of(battlemap.terrain_set)}
    pairs = []
    for replacement in replacements:
        if replacement.subject is not Subject.WAY or replacement.old == replacement.new:
            continue
        new_route = None
        if replacement.new:
            new_route = routes[replacement.new]
        pairs.append(_RoutePair(routes[replacement.old], new_route))
    for layer in battlemap.layers:
        yield from _way_changes_of_layer(battlemap, layer, pairs, cells)


def _way_changes_of_layer(
    battlemap: BattleMap,
    layer: Layer,
    pairs: Sequence[_RoutePair],
    cells: NDArray[np.intp] | None,
) -> Iterator[_Change]:
    """Yield what changes in one layer; ``cells`` are those in which ways are replaced, None: all.

    All old links are taken away before any new one is added: two ways can be exchanged, and two
    ways can lie on one plane.
    """
    old_values = _values_of_routes(battlemap, layer, pairs)
    new_values = {name: values.copy() for name, values in old_values.items()}

    # The links of each pair, by their sides, in the order of ``pairs``.
    links_of_pairs = []
    for pair in pairs:
        values = old_values[pair.old.plane]
        links = np.where(pair.old.runs(values), values & SIDES, 0)
        links_of_pairs.append(_with_both_ends(battlemap.grid, links, cells))
    for pair, links in zip(pairs, links_of_pairs, strict=True):
        plane = pair.old.plane
        new_values[plane] = _without_links(new_values[plane], links)
    for pair, links in zip(pairs, links_of_pairs, strict=True):
        if pair.new is not None:
            plane = pair.new.plane
            new_values[plane] = _with_links(new_values[plane], links, pair.new)
    for name, values in new_values.items():
        elements = np.flatnonzero(values != old_values[name])
        if len(elements):
            yield _Change(layer, name, elements, values[elements])

    # Where a river was replaced by what is none, and no other one is left, no water flows.
    is_dry = np.zeros(battlemap.grid.size, np.bool_)
    for pair, links in zip(pairs, links_of_pairs, strict=True):
        stays_water = pair.new is not None and pair.new.style == "water"
        if pair.old.style == "water" and not stays_water:
            is_dry |= (links > 0) & (new_values[pair.old.plane] == 0)
    yield from _flow_changes(battlemap.system, layer, is_dry)


def _values_of_routes(
    battlemap: BattleMap, layer: Layer, pairs: Sequence[_RoutePair]
) -> dict[str, NDArray[np.int64]]:
    """Return the planes of a layer that hold the old or the new ways, flat, by name.

    A plane that the layer lacks is unset everywhere.
    """
    values: dict[str, NDArray[np.int64]] = {}
    for route in set(chain.from_iterable(pairs)):
        if route is None:
            continue
        plane = layer.planes.get(route.plane)
        if plane is None:
            plane = battlemap.system.plane(route.plane).allocate(battlemap.grid)
        values[route.plane] = plane.reshape(-1).astype(np.int64)
    return values


def _without_links(values: NDArray[np.int64], links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values of a plane of ways without ``links``, sides of each cell, both (cells,).

    Where no link remains the way is gone, so that its mark goes, too.
    """
    remaining = values & ~links
    remaining = np.where(remaining & SIDES, remaining, 0)
    return np.where(links > 0, remaining, values)


def _with_links(
    values: NDArray[np.int64], links: NDArray[np.int64], route: RouteSpec
) -> NDArray[np.int64]:
    """Return values of a plane of ways with ``links`` of a way beside those that are there.

    A plane holds one way in a cell: if another one is there, its links become those of ``route``.
    """
    present_links = np.where(values & PRESENT, values & SIDES, 0)
    return np.where(links > 0, route.mark | present_links | links, values)


def _flow_changes(system: System, layer: Layer, is_dry: NDArray[np.bool_]) -> Iterator[_Change]:
    """Yield that flow and its width are unset in cells that no river runs through any more."""
    for spec in (system.flow, system.flow_width):
        if spec is None or spec.name not in layer.planes:
            continue
        values = layer.planes[spec.name].reshape(-1)
        elements = np.flatnonzero(is_dry & (values != spec.unset))
        if len(elements):
            unset = np.full(len(elements), spec.unset, np.int64)
            yield _Change(layer, spec.name, elements, unset)


def _with_both_ends(
    grid: Grid, links: NDArray[np.int64], cells: NDArray[np.intp] | None
) -> NDArray[np.int64]:
    """Return those of links, bit masks (size,), that have all their ends in ``cells`` (None: all).

    A link that leads off the map has one end.
    """
    if cells is None:
        return links
    is_chosen = np.zeros(grid.width * grid.height + 1, np.bool_)
    is_chosen[cells] = True
    # The last element stands for "off the map": the neighbour number -1 leads to it.
    is_chosen[-1] = True
    neighbours = np.asarray(grid.neighbour_table)
    chosen_links = np.zeros(len(links), np.int64)
    for side in range(grid.degree):
        has_both_ends = is_chosen[:-1] & is_chosen[neighbours[:, side]]
        chosen_links |= np.where(has_both_ends, 1 << side, 0)
    return links & chosen_links


# --- texts --------------------------------------------------------------------------------------


def _replace_texts(
    battlemap: BattleMap,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None,
    locked: dict[str, None],
) -> tuple[Edit | None, int]:
    """Return the edit that replaces parts of labels, notes and properties, and how many change.

    Names of locked layers that would change are added to ``locked``. Properties belong to the whole
    map: they are changed only where ``cells`` is None. Raises ProblemError where a new text would
    be one that no map can hold.
    """
    text_replacements = []
    for replacement in replacements:
        if replacement.subject is Subject.TEXT and replacement.old != replacement.new:
            text_replacements.append(replacement)
    if not text_replacements:
        return None, 0

    def new_text(text: str) -> str:
        """Return a text with all replacements made. Raises ProblemError for an impossible one."""
        for replacement in text_replacements:
            text = text.replace(replacement.old, replacement.new)
        if fault := fault_in_line(text):
            raise error("not-replaced", f"the text “{text[:60]}” {fault}")
        return text

    changed_things: list[Thing] = []
    property_edits: list[Edit | None] = []
    for layer in battlemap.layers:
        things_of_layer = _things_with_new_texts(battlemap, layer, cells, new_text)
        edits_of_layer = []
        if cells is None:
            edits_of_layer = _property_edits(battlemap, layer, new_text)
        if not layer.locked:
            changed_things += things_of_layer
            property_edits += edits_of_layer
        elif things_of_layer or edits_of_layer:
            locked[layer.name] = None
    edit = compound([change_things(battlemap, changed_things), *property_edits])
    return edit, len(changed_things) + len(property_edits)


def _things_with_new_texts(
    battlemap: BattleMap,
    layer: Layer,
    cells: NDArray[np.intp] | None,
    new_text: Callable[[str], str],
) -> list[Thing]:
    """Return the things of a layer (on ``cells`` unless None) that change, as they will be.

    A thing has a label, a note a text, too.
    """
    if cells is None:
        things = list(layer.things.values())
    else:
        things = things_on(battlemap.grid, layer.things, cells)
    changed_things = []
    for thing in things:
        state = thing.state
        note_text = state.get(NOTE_TEXT.name)
        if isinstance(note_text, str):
            state = State({**state, NOTE_TEXT.name: new_text(note_text)})
        changed_thing = replace(thing, label=new_text(thing.label), state=state)
        if changed_thing != thing:
            changed_things.append(changed_thing)
    return changed_things


def _property_edits(
    battlemap: BattleMap, layer: Layer, new_text: Callable[[str], str]
) -> list[Edit]:
    """Return an edit for each property of a layer that is a text and changes."""
    edits = []
    for prop in battlemap.system.properties:
        text = layer.properties.get(prop.name)
        if prop.kind is not PropertyKind.TEXT or not text:
            continue
        edit = set_property(battlemap, layer.id, prop.name, new_text(text))
        if edit is not None:
            edits.append(edit)
    return edits
