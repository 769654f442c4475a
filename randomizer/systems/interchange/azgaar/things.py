"""Adds names, settlements, markers and properties to a map that is made of an export.

``azgaar`` calls ``set_properties`` and ``place_things`` when the map has its planes. The export
calls settlements "burgs", and has lists of them, of markers, of rivers and of features, some of
which are lakes. ``place_things`` returns what of these a map cannot hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.layouts import ROOT3
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.notes import NOTE_TEXT, TEXT
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.things import CITY, NOTE, RIVER, TOWN, WATER
from randomizer.systems.interchange.azgaar.document import is_number, point_of
from randomizer.systems.interchange.azgaar.ways import river_path
from randomizer.systems.interchange.azgaar.world import World
from randomizer.systems.interchange.foreign.texts import plain_text, symbol_named
from randomizer.systems.interchange.nearest_points import Floats

NAMED_RIVER = 6
"""The length in hexes from which on a river gets its name on the map.

With a smaller length the names of brooks cover the map.
"""

_MIN_HEX_WIDTH = 0.01
"""The smallest width of a hex that is noted as the scale, in the units of the export."""

_HEX_WIDTH_LIMIT = 1e9
"""The width of a hex from which on it is no longer noted as the scale."""

VILLAGE = "village"
"""The kind of the smallest settlements."""

CITY_FROM = 20
"""The thousands of people from which on a settlement that is no capital is a city."""

TOWN_FROM = 3
"""The thousands of people from which on a settlement is a town."""


def set_properties(world: World, battlemap: BattleMap) -> None:
    """Set the title of a map and its scale, the width of a hex in the units of the export."""
    properties = battlemap.layers[0].properties
    title = clean_line(str(world.document.at("info", "mapName") or ""))
    if title:
        properties["title"] = title
    try:
        distance = float(world.document.at("settings", "distanceScale") or 0)
    except (TypeError, ValueError, OverflowError):  # the last for a whole number of 400 digits
        distance = 0.0
    unit = clean_line(str(world.document.at("settings", "distanceUnit") or ""))
    # ``distance`` is the length of a pixel. A hex is ROOT3 map units wide from flat to flat.
    width_in_pixels = ROOT3 / world.scale
    width = width_in_pixels * distance
    if math.isfinite(width) and _MIN_HEX_WIDTH <= width < _HEX_WIDTH_LIMIT:
        properties["scale"] = f"{width:.3g} {unit}".strip()


def place_things(world: World, battlemap: BattleMap) -> Mapping[str, int]:
    """Add a layer for each kind of names and things, the settlements on top.

    Returns the numbers of what is not kept, by nouns such as "ends of notes".
    """
    markers = _markers(world)
    things_by_layer = {
        "Names": [*_lake_names(world), *_river_names(world)],
        "Markers": markers.things,
        "Burgs": list(_burgs(world)),
    }
    free_id = 1
    for name, things in things_by_layer.items():
        if not things:
            continue
        numbered = [replace(thing, id=number) for number, thing in enumerate(things, free_id)]
        free_id += len(numbered)
        layer = Layer(battlemap.free_layer_id(), name, things=Things(numbered))
        battlemap.layers.append(layer)
    battlemap.note_ids(range(1, free_id))
    return {
        "ends of notes": markers.cut_notes,
        "notes on what is no marker": markers.notes_without_marker,
    }


def _burgs(world: World) -> Iterator[Thing]:
    """Yield the settlements, which the generator calls burgs."""
    for number, burg in world.document.entries("pack", "burgs"):
        point = point_of([burg.get("x"), burg.get("y")])
        # Entry 0 stands for no settlement.
        if number and point is not None:
            yield _thing(world, _settlement(burg), np.array(point), burg.get("name"))


class _Markers(NamedTuple):
    """The markers of a world as things."""

    things: list[Thing]
    """A note for each marker about which the export has a text, a symbol for each other one."""
    cut_notes: int
    """The number of notes whose text is too long, so that its end is left out."""
    notes_without_marker: int
    """The number of notes on something else, such as a state."""


def _markers(world: World) -> _Markers:
    """Return the markers of an export, and the numbers of notes that are not kept."""
    things = list[Thing]()
    cut_notes = 0
    notes = {str(note.get("id")): note for _number, note in world.document.entries("notes")}
    for _number, marker in world.document.entries("pack", "markers"):
        point = point_of([marker.get("x"), marker.get("y")])
        if point is None:
            continue
        # The note on a marker has the id "marker" and the number of the marker, as "marker12".
        note = notes.pop(f"marker{marker.get('i')}", {})
        text = plain_text(str(note.get("legend") or ""))
        longest = int(NOTE_TEXT.maximum or 0)
        if len(text) > longest:
            cut_notes += 1
        pixel = np.array(point)
        if text:
            state = {TEXT: text[:longest]}
            things.append(_thing(world, NOTE, pixel, note.get("name"), **state))
        else:
            kind = symbol_named(str(marker.get("type", "")))
            things.append(_thing(world, kind, pixel, note.get("name")))
    return _Markers(things, cut_notes, notes_without_marker=len(notes))


def _lake_names(world: World) -> Iterator[Thing]:
    """Yield the names of lakes, each at the cell nearest to the middle of its lake.

    The middle itself can be on an island or, in a bent lake, on land.
    """
    for number, feature in world.document.entries("pack", "features"):
        if feature.get("type") != "lake" or not feature.get("name"):
            continue
        cells = np.flatnonzero(world.features == number)
        if len(cells):
            points = world.points[cells]
            dx, dy = (points - points.mean(axis=0)).T
            nearest = np.argmin(np.hypot(dx, dy))
            yield _thing(world, WATER, points[nearest], feature["name"])


def _river_names(world: World) -> Iterator[Thing]:
    """Yield the names of rivers that are long enough, each at half of its course."""
    for _number, river in world.document.entries("pack", "rivers"):
        path = river_path(world, river)
        if len(path) > 1 and river.get("name"):
            dx, dy = np.diff(path, axis=0).T
            length_in_pixels = np.hypot(dx, dy).sum()
            length_in_hexes = length_in_pixels * world.scale / ROOT3
            if length_in_hexes >= NAMED_RIVER:
                yield _thing(world, RIVER, path[len(path) // 2], river["name"])


def _thing(world: World, kind: str, point: Floats, label: object, **state: object) -> Thing:
    """Return a thing of a kind at a point in pixels; it has the id 0 until it is placed."""
    x, y = world.to_map_units(point).tolist()
    return Thing(0, kind, x, y, label=clean_line(str(label or "")), state=State(state))


def _settlement(burg: Mapping[str, Any]) -> str:
    """Return the kind of a settlement, such as "town".

    It is the symbol of ours with the name of its group, if there is one. Otherwise capitals are
    cities, and the population, in thousands of people, tells the kind of all others.
    """
    by_group = symbol_named(str(burg.get("group") or ""), "")
    if by_group:
        return by_group
    if burg.get("capital"):
        return CITY
    thousands = burg.get("population")
    if not is_number(thousands) or thousands < TOWN_FROM:
        return VILLAGE
    if thousands < CITY_FROM:
        return TOWN
    return CITY
