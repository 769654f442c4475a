"""Reads the objects of a Tiled map as things of ours.

    reader = ObjectReader(root, documents, geometry, tilesets, problems)
    placed = reader.placed_objects(parts)      # {id of the thing: PlacedObject}

An object is a rectangle, an ellipse, a point, a line, a text, or the picture of a tile. Whatever it
is, it becomes a thing at its centre; the properties of the object become the state of the thing,
except for ``owner``. An object may name a *template*: a file with one object, whose values count
where the object itself has none. The *parts* are the object layers of the map (``tiled_parts``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from randomizer.model.basics.limits import LARGEST_ID, MAX_THINGS
from randomizer.model.basics.texts import clean_line
from randomizer.model.problems import Problem
from randomizer.model.things.thing_state import LARGEST_STATE, NO_STATE, State
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.tiled.tiled_geometry import ISOMETRIC, Geometry
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    NodeError,
    child,
    nodes,
    properties,
    real,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_parts import Part, unused_ids
from randomizer.systems.interchange.tiled.tiled_tilesets import Documents, Tileset, tile_of

_LARGEST_GID = 2**32 - 1
"""The largest global id of a tile, with the bits of its flips."""

_TEMPLATES = (".tx", ".tj", ".json")
"""The endings of the names of template files."""

_BOX_KEYS = ("x", "y", "width", "height", "rotation")
"""The keys of an object with numbers: its position and size in pixels, and its turn in degrees."""

_OBJECT_KEYS = (*_BOX_KEYS, "gid", "polygon", "polyline", "text", "name", "type", "class")
"""The keys of an object with its position, shape and kind; a template may have them instead."""


class PlacedObject(NamedTuple):
    """An object of Tiled, and the thing of ours that it is."""

    thing: Thing
    """The thing, as it was read."""
    node: Node
    """The node of the object in the file."""
    centre: tuple[float, float]
    """In pixels, with the offset of its layer."""
    middle: tuple[float, float]
    """How far its centre is to the right of its position and below it, in pixels, if not turned."""
    part: Part
    """The object layer that it is in."""
    template: Node
    """The object of its template, {} without one."""


def turned(offset: tuple[float, float], angle: float) -> tuple[float, float]:
    """Return an offset to the right and down, turned clockwise by an angle in degrees.

    Tiled turns an object around its position, so its centre turns with it.
    """
    right, down = offset
    turn = math.radians(angle)
    turned_right = right * math.cos(turn) - down * math.sin(turn)
    turned_down = right * math.sin(turn) + down * math.cos(turn)
    return turned_right, turned_down


SMALLEST_VALUE = len('"a": 1, ')
"""The least bytes that a value with its name takes in a state."""

OWNER = "owner"
"""The property of an object that becomes the owner of its thing instead of a part of its state."""


class _Template:
    """The object of a template, whose values are checked once for all objects that name it."""

    def __init__(self, node: Node) -> None:
        """Check the node of the template's object. Raises NodeError."""
        self.node = node
        self._values = properties(node)
        for key in _BOX_KEYS:
            real(node, key)
        for key in ("polygon", "polyline"):
            nodes(node, key)
        self._owner, self._state = _owner_and_state(self._values)
        # Values that are too many for a state stay too many with those of an object: that need not
        # be tried for each object.
        self._is_too_large = len(self._values) * SMALLEST_VALUE > LARGEST_STATE

    def owner_and_state(self, object_values: Mapping[str, Any]) -> tuple[int, State]:
        """Return owner and state of an object that has ``object_values`` as its own properties."""
        if not object_values:
            return self._owner, self._state
        if self._is_too_large:
            return _owner_of(object_values.get(OWNER, self._owner)), NO_STATE
        return _owner_and_state({**self._values, **object_values})


def _owner_and_state(values: Mapping[str, Any]) -> tuple[int, State]:
    """Return the owner of an object, 0 for none, and its other properties as a state.

    Values that are lists or objects are left out. The state is empty if the properties are more
    than a state can hold: then they stay in the file.
    """
    owner = _owner_of(values.get(OWNER, 0))
    state_values = dict[str, str | int | float]()
    for name, value in values.items():
        if name != OWNER and isinstance(value, str | int | float):
            state_values[name] = value
    try:
        return owner, State(state_values)
    except ValueError:
        return owner, NO_STATE


def _owner_of(value: object) -> int:
    """Return the owner that a property names; 0 for a value that is no number of a player."""
    if type(value) is int and abs(value) < LARGEST_ID:
        return value
    return 0


_NO_TEMPLATE = _Template({})
"""The template of objects without one."""


class ObjectReader:
    """Reads the objects of one map.

    A hundred thousand objects can name one template. So the results for files of templates, for the
    middles of shapes, and for texts are cached.
    """

    def __init__(
        self,
        root: Node,
        documents: Documents,
        geometry: Geometry,
        tilesets: list[Tileset],
        problems: list[Problem],
    ) -> None:
        self._root = root
        self._documents = documents
        self._geometry = geometry
        self._tilesets = tilesets
        self._problems = problems
        self._is_isometric = text(root, "orientation") == ISOMETRIC
        self._templates = dict[str, _Template]()
        """Templates by the names that the map gives to their files."""
        self._middles = dict[int, tuple[float, float]]()
        """The middles of lists of points, by the ``id`` of the list.

        The nodes of the map keep the lists alive, so no two have the same ``id``.
        """
        self._lines = dict[str, str]()
        """Texts as one line, by the texts."""

    def placed_objects(self, parts: list[Part]) -> dict[int, PlacedObject]:
        """Return all objects of these parts by the ids of their things.

        A thing has the id of its object; where that is missing or taken, a new one. Raises
        NodeError.
        """
        objects = list[tuple[Part, Node]]()
        for part in parts:
            objects += ((part, node) for node in nodes(part.node, "objects"))
        if len(objects) > MAX_THINGS:
            message = f"it has {len(objects):,} objects, {MAX_THINGS:,} are the most"
            raise NodeError(self._root, message)
        ids = [whole(node, "id", 0, 0, LARGEST_ID) for _part, node in objects]
        new_ids = unused_ids(ids)
        placed = dict[int, PlacedObject]()
        for (part, node), object_id in zip(objects, ids, strict=True):
            thing_id = object_id
            if not object_id or object_id in placed:
                thing_id = next(new_ids)
            placed[thing_id] = self._placed_object(part, node, thing_id)
        return placed

    def _placed_object(self, part: Part, node: Node, thing_id: int) -> PlacedObject:
        """Return an object with its thing; values that it lacks are those of its template."""
        template = _NO_TEMPLATE
        if "template" in node:
            template = self._template(text(node, "template"))
        merged = dict[str, Any]()
        for key in _OBJECT_KEYS:
            value = node.get(key, template.node.get(key))
            if value is not None:
                merged[key] = value

        # The middle of the object, which is the position of the thing.
        try:
            x, y, width, height, angle = (real(merged, key) for key in _BOX_KEYS)
            middle = self._offset_of_middle(merged, width, height)
        except NodeError as wrong:
            # The error is to name a node of the file, which ``merged`` is not.
            raise NodeError(node, str(wrong)) from wrong
        right, down = turned(middle, angle)
        middle_x = x + right + part.x
        middle_y = y + down + part.y
        map_x, map_y = self._geometry.to_map(middle_x, middle_y)

        owner, state = template.owner_and_state(properties(node))
        label = self._line(text(child(merged, "text"), "text") or text(merged, "name"))
        kind = self._kind(node, merged)
        if not kind and label:
            kind = LABEL
        elif not kind:
            kind = "object"
        thing = Thing(thing_id, kind, map_x, map_y, angle % 360, owner, label, state)
        return PlacedObject(thing, node, (middle_x, middle_y), middle, part, template=template.node)

    def _kind(self, node: Node, merged: Node) -> str:
        """Return the kind of a thing: the type of its object, else that of its tile; "" for none.

        Tiled 1.9 called the type ``class``.
        """
        kind = self._line(text(merged, "type") or text(merged, "class"))
        # The gid of a template belongs to the template's own tilesets.
        if kind or "gid" not in node:
            return kind
        tileset, number, _flips = tile_of(self._tilesets, whole(node, "gid", 0, 0, _LARGEST_GID))
        if tileset is None:
            return ""
        tile = tileset.tiles.get(number, {})
        return self._line(text(tile, "type") or text(tile, "class"))

    def _template(self, name: str) -> _Template:
        """Return the template of a file; an empty one, and a problem, if it cannot be used."""
        if name not in self._templates:
            document = self._documents.read(name, _TEMPLATES) or {}
            try:
                self._templates[name] = _Template(child(document, "object"))
            except NodeError as wrong:
                self._problems.append(warning(f"{name!r:.80} is not used: {wrong}"))
                self._templates[name] = _NO_TEMPLATE
        return self._templates[name]

    def _offset_of_middle(self, merged: Node, width: float, height: float) -> tuple[float, float]:
        """Return how far the middle of an object is to the right of its position, and below it.

        The middle of an isometric tile, which stands upright, is its foot.
        That is in pixels, before the object is turned around its position. Raises NodeError.
        """
        points = nodes(merged, "polygon") or nodes(merged, "polyline")
        is_tile = "gid" in merged
        if self._is_isometric and is_tile:
            # Its picture stands upright, with the middle of its lower edge on the position.
            return 0.0, 0.0
        if not points:
            # The position of a tile is its lower left corner, that of another object the upper one.
            if is_tile:
                return width / 2, -height / 2
            return width / 2, height / 2
        if id(points) not in self._middles:
            xs = [real(point, "x") for point in points]
            ys = [real(point, "y") for point in points]
            self._middles[id(points)] = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return self._middles[id(points)]

    def _line(self, value: str) -> str:
        """Return a text in one line."""
        if value not in self._lines:
            self._lines[value] = clean_line(value).replace("\n", " ")
        return self._lines[value]
