"""Writes the things of our layers as objects of Tiled.

    write_things(tiled, layer, object_layers)        # once for each of our layers

An object that was read has values that our things do not hold, such as its shape. So the node of
the object is kept, and only what changed of its thing since then is written into it. A thing that
is new becomes a text or a point::

    Thing(kind="label", label="Ford")     {"type": "label", "name": "Ford", "text": {...}, ...}
    Thing(kind="tower", owner=2)          {"type": "tower", "point": True, "properties": [...], ...}

An object that was read may have a *template*: an object in a file of its own, whose values count
where the object has none. Templates are never changed: what differs is written into the object. An
*object layer* is a layer of Tiled with objects; one layer of ours can have several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from randomizer.model.map.layer import Layer
from randomizer.model.things.thing_state import NO_STATE
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import NAMES
from randomizer.systems.interchange.tiled.tiled_map import TiledMap
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    PropertyValue,
    child,
    is_same_value,
    nodes,
    properties,
    real,
    set_properties,
)
from randomizer.systems.interchange.tiled.tiled_objects import OWNER, PlacedObject, turned
from randomizer.systems.interchange.tiled.tiled_parts import Part

_INSCRIPTIONS = frozenset(kind.name for kind in NAMES)
"""Kinds of things that are written as texts."""

_DECIMALS = 4
"""The decimals of a position in pixels."""

_MIN_MOVE = 1e-4
"""The pixels by which an object must have moved to be written with another position.

Positions become map units and pixels again, which loses the last digits.
"""

_CELL_HEIGHT_IN_LETTERS = 6
"""The height of a cell divided by that of the letters of a new label; larger: smaller letters."""

_MIN_PIXELS = 8
"""The least height of letters, in pixels."""

_LETTER_WIDTH = 0.7
"""The mean width of letters as a share of their height, rather too large than too small."""

_LINE_HEIGHT = 1.4
"""The height of a line as a share of that of its letters."""


def write_things(tiled: TiledMap, layer: Layer, object_layers: Sequence[Part]) -> None:
    """Write the things of a layer of ours into the nodes of its object layers.

    A layer with things has at least one object layer. A thing stays in the one that it was read
    from, if that is among them; all others go into the last one.
    """
    objects: dict[Part, list[Node]] = {part: [] for part in object_layers}
    for thing in layer.things.values():
        placed = tiled.placed.get(thing.id)
        part = object_layers[-1]
        if placed is None:
            node = _new_object(tiled, thing, part)
        else:
            if placed.part in object_layers:
                part = placed.part
            node = placed.node
            _update_object(tiled, thing, placed, part)
        objects[part].append(node)
    for part in object_layers:
        former_objects = nodes(part.node, "objects")
        part.node["objects"] = _in_former_order(objects[part], former_objects)


def _update_object(tiled: TiledMap, thing: Thing, placed: PlacedObject, part: Part) -> None:
    """Write into the node of an object what changed of its thing since the thing was read."""
    former = placed.thing
    was_moved = (thing.x, thing.y) != (former.x, former.y)
    was_turned = thing.angle != former.angle
    if was_moved or was_turned or part is not placed.part:
        _update_position(tiled, thing, placed, part)
    if was_turned:
        placed.node["rotation"] = thing.angle
    if thing.label != former.label:
        _update_label(thing.label, placed)
    if thing.kind != former.kind:
        _update_type(thing.kind, placed.node)
    _update_properties(thing, placed)


def _update_position(tiled: TiledMap, thing: Thing, placed: PlacedObject, part: Part) -> None:
    """Move an object whose thing was moved, turned, or put into another object layer.

    Tiled turns an object around its position, which can be a corner, but our thing turns around its
    centre. So the position changes with the angle, too: a rectangle of 16 x 8 pixels at (0, 0) that
    is turned by 90 degrees around its centre (8, 4) is at (12, -4).
    """
    new_centre = placed.centre
    if (thing.x, thing.y) != (placed.thing.x, placed.thing.y):
        # Only then: the way to map units and back would change the last digits.
        new_centre = tiled.geometry.to_pixels(thing.x, thing.y)
    former_x, former_y = _position(
        placed.centre, placed.middle, placed.thing.angle, in_part=placed.part
    )
    new_x, new_y = _position(new_centre, placed.middle, thing.angle, in_part=part)
    # The difference is added to what the file says, so that its digits stay where nothing moved.
    _move_along("x", new_x - former_x, placed)
    _move_along("y", new_y - former_y, placed)


def _position(
    centre: tuple[float, float], middle: tuple[float, float], angle: float, *, in_part: Part
) -> tuple[float, float]:
    """Return the position of an object as Tiled counts it: in pixels from the offset of its layer.

    ``centre`` is that of the object on the map. ``middle`` is how far the centre is to the right of
    the position and below it, if the object is not turned by its angle.
    """
    x, y = centre
    right, down = turned(middle, angle)
    return x - right - in_part.x, y - down - in_part.y


def _move_along(key: str, distance: float, placed: PlacedObject) -> None:
    """Add a distance in pixels to a coordinate of an object: that in its key "x" or "y"."""
    if abs(distance) <= _MIN_MOVE:
        return
    node = placed.node
    written_node = node
    if key not in node:
        written_node = placed.template
    node[key] = round(real(written_node, key) + distance, _DECIMALS)


def _update_label(label: str, placed: PlacedObject) -> None:
    """Write a label as the name of an object, and as its text if it is a text object.

    A text in the object hides that of its template with all its values, such as the font. So these
    are copied into the object.
    """
    node = placed.node
    node["name"] = label
    if "text" not in node and "text" not in placed.template:
        return
    values_of_template = {
        key: value
        for key, value in child(placed.template, "text").items()
        if not key.startswith("#")  # a key of ours, such as the element in the template
    }
    node["text"] = {**values_of_template, **child(node, "text"), "text": label}


def _update_type(kind: str, node: Node) -> None:
    """Write the kind of a thing as the type of its object.

    Tiled 1.9 called the type of an object its class, and no version before or since.
    """
    is_of_1_9 = "class" in node and "type" not in node
    if is_of_1_9:
        node["class"] = kind
    else:
        node["type"] = kind


def _update_properties(thing: Thing, placed: PlacedObject) -> None:
    """Write the owner and the state of a thing, where they changed, as properties of its object."""
    values = _changed_values(thing.state, placed.thing.state)
    if thing.owner != placed.thing.owner:
        if OWNER in properties(placed.template):
            # Nobody is written as 0: without the property the owner of the template would count.
            values[OWNER] = thing.owner
        else:
            values[OWNER] = thing.owner or None
    set_properties(placed.node, values)


def _changed_values(
    state: Mapping[str, object], former_state: Mapping[str, object]
) -> dict[str, PropertyValue | None]:
    """Return the values of a state that changed, by name: None for one that is no longer there.

    A value that is a list or an object is left out: no property of Tiled can hold it. A property of
    the template cannot be removed: its value is back when the file is read again.
    """
    changed_values: dict[str, PropertyValue | None] = {}
    for name in (*former_state, *state):
        value = state.get(name)
        if is_same_value(value, former_state.get(name)):
            continue
        if value is None or isinstance(value, bool | int | float | str):
            changed_values[name] = value
    return changed_values


def _new_object(tiled: TiledMap, thing: Thing, part: Part) -> Node:
    """Return an object for a thing that the file does not have: a text for a label, or a point."""
    node: Node = {"id": thing.id, "name": thing.label, "type": thing.kind}
    middle = (0.0, 0.0)  # a point is its own centre
    if thing.kind in _INSCRIPTIONS and thing.label:
        _cell_width, cell_height = tiled.geometry.size
        pixel_size = max(_MIN_PIXELS, cell_height // _CELL_HEIGHT_IN_LETTERS)
        # The box of the text, by the mean width of letters: Tiled cuts off what is outside.
        width = math.ceil(_LETTER_WIDTH * pixel_size * len(thing.label))
        height = math.ceil(_LINE_HEIGHT * pixel_size)
        middle = (width / 2, height / 2)  # from the upper left corner
        node |= {"width": width, "height": height, "text": _new_text(thing.label, pixel_size)}
    else:
        node["point"] = True
    centre = tiled.geometry.to_pixels(thing.x, thing.y)
    x, y = _position(centre, middle, thing.angle, in_part=part)
    node |= {"x": round(x, _DECIMALS), "y": round(y, _DECIMALS)}
    if thing.angle:
        node["rotation"] = thing.angle
    values = _changed_values(thing.state, former_state=NO_STATE)
    values[OWNER] = thing.owner or None
    set_properties(node, values)
    return node


def _new_text(label: str, pixel_size: int) -> Node:
    """Return the text of a new text object, in bold letters in the middle of its box."""
    return {
        "text": label,
        "pixelsize": pixel_size,
        "halign": "center",
        "valign": "center",
        "bold": True,
    }


def _in_former_order(objects: list[Node], former_objects: list[Node]) -> list[Node]:
    """Return objects in the order that they had in the file, new ones behind them.

    The order of the file is that in which Tiled draws them. Objects are told apart by identity:
    two can be equal, and an id can be missing.
    """
    positions = {id(node): position for position, node in enumerate(former_objects)}
    last = len(positions)  # the position of new objects
    return sorted(objects, key=lambda node: positions.get(id(node), last))
