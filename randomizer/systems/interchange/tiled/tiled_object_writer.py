"""Writes the things of our layers as objects of Tiled.

    write_things(tiled, layer, object_layers)        # once for each of our layers

An object that was read has values that our things do not hold, such as its shape. So the node of
the object is kept, and only what changed of its thing since then is written into it
(``_update_object``). A thing that is new becomes a text or a point (``_new_object``). An *object
layer* is a layer of Tiled with objects; one layer of ours can have several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import NAMES
from randomizer.systems.interchange.tiled.tiled_map import TiledMap
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    child,
    nodes,
    properties,
    real,
    set_properties,
)
from randomizer.systems.interchange.tiled.tiled_objects import PlacedObject, turned
from randomizer.systems.interchange.tiled.tiled_parts import Part

_INSCRIPTIONS = frozenset(kind.name for kind in NAMES)
"""Kinds of things that are written as texts."""

_DECIMALS = 4
"""The decimals of a position in pixels."""

_LEAST_MOVE = 1e-4
"""The pixels by which an object must have moved to be written with another position.

Positions become map units and pixels again, which loses the last digits.
"""

_CELL_HEIGHT_IN_LETTERS = 6
"""The height of a cell divided by that of the letters of a new label; larger: smaller letters."""

_LEAST_PIXELS = 8
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
    """Change the node of the object that a thing was read from, where the thing changed."""
    node = placed.node
    former = placed.thing
    if _place_of(thing) != _place_of(former) or part is not placed.part:
        _move_object(tiled, thing, placed, part)
    if thing.angle != former.angle:
        node["rotation"] = thing.angle
    if thing.label != former.label:
        if "text" in node or "text" in placed.template:
            text_node = child(node, "text")
            for key, value in child(placed.template, "text").items():
                if not key.startswith("#"):  # a key of ours, such as the element in the template
                    text_node.setdefault(key, value)
            text_node["text"] = thing.label
            node["text"] = text_node
        node["name"] = thing.label
    if thing.kind != former.kind:
        # Tiled 1.9 called the type of an object its class, and no version before or since.
        is_of_1_9 = "class" in node and "type" not in node
        if is_of_1_9:
            node["class"] = thing.kind
        else:
            node["type"] = thing.kind
    values = _changed_properties(thing, former)
    if "owner" in values and values["owner"] is None:
        # 0 is nobody: without the property the owner of the template would count.
        values["owner"] = 0 if "owner" in properties(placed.template) else None
    set_properties(node, values)


def _place_of(thing: Thing) -> tuple[float, float, float]:
    """Return what decides the position of the object of a thing: its centre and its angle."""
    return thing.x, thing.y, thing.angle


def _move_object(tiled: TiledMap, thing: Thing, placed: PlacedObject, part: Part) -> None:
    """Move the object of a thing that was moved, turned, or put into another object layer.

    The position of an object is that of one of its corners or its centre, by its kind, from the
    offset of its layer. Tiled turns it around its position, but our thing turns around its centre.
    """
    node = placed.node
    former_x, former_y = placed.centre
    former_right, former_down = turned(placed.middle, placed.thing.angle)
    x, y = former_x, former_y
    if (thing.x, thing.y) != (placed.thing.x, placed.thing.y):
        x, y = tiled.geometry.to_pixels(thing.x, thing.y)
    new_right, new_down = turned(placed.middle, thing.angle)
    right = (x - part.x - new_right) - (former_x - placed.part.x - former_right)
    down = (y - part.y - new_down) - (former_y - placed.part.y - former_down)
    if abs(right) > _LEAST_MOVE:
        node["x"] = round(real(node, "x") + right, _DECIMALS)
    if abs(down) > _LEAST_MOVE:
        node["y"] = round(real(node, "y") + down, _DECIMALS)


def _new_object(tiled: TiledMap, thing: Thing, part: Part) -> Node:
    """Return an object for a thing that the file does not have: a text for a label, or a point."""
    # The centre, from the offset of the object layer.
    x, y = tiled.geometry.to_pixels(thing.x, thing.y)
    x -= part.x
    y -= part.y
    node: Node = {"id": thing.id, "name": thing.label, "type": thing.kind}
    if thing.kind in _INSCRIPTIONS and thing.label:
        _cell_width, cell_height = tiled.geometry.size
        pixel_size = max(_LEAST_PIXELS, cell_height // _CELL_HEIGHT_IN_LETTERS)

        # The box of the text, by the mean width of letters: Tiled cuts off what is outside.
        width = math.ceil(_LETTER_WIDTH * pixel_size * len(thing.label))
        height = math.ceil(_LINE_HEIGHT * pixel_size)
        node |= {"width": width, "height": height}

        # Its position is the upper left corner, around which Tiled turns it. From there to the
        # centre it is half of the box to the right and down, turned by the angle.
        right, down = turned((width / 2, height / 2), thing.angle)
        x -= right
        y -= down
        node["text"] = {
            "text": thing.label,
            "pixelsize": pixel_size,
            "halign": "center",
            "valign": "center",
            "bold": True,
        }
    else:
        node["point"] = True
    node |= {"x": round(x, _DECIMALS), "y": round(y, _DECIMALS)}
    if thing.angle:
        node["rotation"] = thing.angle
    set_properties(node, _changed_properties(thing, former=None))
    return node


def _changed_properties(
    thing: Thing, former: Thing | None
) -> dict[str, bool | int | float | str | None]:
    """Return the properties of an object that changed with its thing; the value None removes one.

    ``former`` is the thing as it was read, None for a new one. A value that is a list or an object
    is left out: no property of Tiled can hold it. A property of the template cannot be removed: its
    value is back when the file is read again.
    """
    former_state: Mapping[str, object] = {}
    former_owner = 0
    if former is not None:
        former_state = former.state
        former_owner = former.owner
    values: dict[str, bool | int | float | str | None] = {}
    for name in (*former_state, *thing.state):
        value = thing.state.get(name)
        if value == former_state.get(name):
            continue
        if value is None or isinstance(value, bool | int | float | str):
            values[name] = value
    if thing.owner != former_owner:
        values["owner"] = thing.owner or None
    return values


def _in_former_order(objects: list[Node], former_objects: list[Node]) -> list[Node]:
    """Return objects in the order that they had in the file, new ones behind them."""
    positions = {id(node): position for position, node in enumerate(former_objects)}
    last = len(positions)  # the position of new objects
    return sorted(objects, key=lambda node: positions.get(id(node), last))
