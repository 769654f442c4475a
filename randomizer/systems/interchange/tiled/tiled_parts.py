"""The layers of a map of Tiled as parts of layers of ours.

    tiled_parts = read_parts(root)      # all tile and object layers, with the cells of tile layers
    tiled_parts.by_layer[1]             # the parts of our layer 1

A layer of ours holds terrains, elevations, hexsides and things. Tiled has one kind of value in a
layer, so ours becomes several of Tiled's, its *parts*. Each of them names our layer in a property::

    our layer 1 "Coast"   ->   tile layer "Coast"              battlelands:layer = 1
                               tile layer "Coast: elevation"   battlelands:layer = 1, plane = ...
                               object layer "Coast: things"    battlelands:layer = 1

A layer that Tiled's users made has no such property: it is a layer of ours by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from randomizer.model.basics.limits import LARGEST_ID, MAX_LAYERS, MAX_THINGS
from randomizer.model.basics.texts import clean_line
from randomizer.systems.interchange.tiled.tiled_cells import Cells
from randomizer.systems.interchange.tiled.tiled_chunks import Box, read_cells
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    NodeError,
    nodes,
    properties,
    real,
    text,
)

LAYER = f"{OUR_KEY}:layer"
"""The property of a layer that we wrote: the id of our layer that it is a part of."""

PLANE = f"{OUR_KEY}:plane"
"""The property of a tile layer that we wrote: the plane whose values it has; terrains by default.
"""

SIDE = f"{OUR_KEY}:side"
"""The property of a tile layer that we wrote: the side of its cells, for a plane with sides."""

SECRET = f"{OUR_KEY}:secret"
"""The property of a layer that we wrote: true if players do not get it."""

LAYER_KEY = "#layer"
"""The key of a node with the id of our layer that it is a part of; it is not written."""


@dataclass(frozen=True, eq=False)
class Part:
    """A tile or object layer of Tiled.

    It is made when a map is read, or when our map has something for which Tiled's has no layer yet.
    Writing a map changes its node, never the part.
    """

    node: Node
    """The node of the layer in the file."""

    layer_id: int
    """The id of our layer that it is a part of."""

    cells: Cells | None = None
    """The cells of a tile layer as they were read, (height, width); None for an object layer."""

    is_visible: bool = True
    """True if the layer is visible, and all groups that it is in."""

    opacity: float = 1.0
    """The opacity of the layer times those of its groups, 0 to 1."""

    x: float = 0.0
    """The offset to the right in pixels, groups included."""

    y: float = 0.0
    """The offset down in pixels, groups included."""

    @property
    def plane_and_side(self) -> tuple[str, int]:
        """The name of the plane whose values a tile layer has, and the side; 0 without sides."""
        values = properties(self.node)
        plane = str(values.get(PLANE, "terrain"))
        side = values.get(SIDE, 0)
        if type(side) is not int:
            side = 0
        return plane, side

    @property
    def is_locked(self) -> bool:
        """True if Tiled does not let the layer be edited."""
        return self.node.get("locked") is True

    @property
    def is_secret(self) -> bool:
        """True if players do not get the layer."""
        return properties(self.node).get(SECRET) is True

    @property
    def name(self) -> str:
        """Its name, which is that of our layer if this is its lowest part."""
        return clean_line(text(self.node, "name")) or f"Layer {self.layer_id}"


class TiledParts(NamedTuple):
    """The parts of a map, and the cells that the map has."""

    by_layer: dict[int, list[Part]]
    """The parts of each of our layers by its id, the lowest part first."""

    box: Box
    """The rectangle of Tiled's columns and rows that the map has."""


def read_parts(root: Node) -> TiledParts:
    """Return the parts of the map of a file; mark the node of each with its ``LAYER_KEY``.

    Raises NodeError, and ProblemError for a map that is too large.
    """
    layers = list(_layers_in(root, _DrawState()))
    if len(layers) > MAX_LAYERS:
        raise NodeError(root, f"it has {len(layers):,} layers, {MAX_LAYERS} are the most")
    tile_layers = [layer.node for layer in layers if _is_tile_layer(layer.node)]
    layer_cells = read_cells(root, tile_layers)
    next_cells = iter(layer_cells.cells)

    # Layers without a valid id get new ones.
    stated_ids = [_layer_id(layer.node) for layer in layers]
    new_ids = unused_ids([stated_id for stated_id in stated_ids if stated_id is not None])
    by_layer = dict[int, list[Part]]()
    for layer, layer_id in zip(layers, stated_ids, strict=True):
        if layer_id is None:
            layer_id = next(new_ids)
        cells = None
        if _is_tile_layer(layer.node):
            cells = next(next_cells)
        layer.node[LAYER_KEY] = layer_id
        part = Part(
            layer.node,
            layer_id,
            cells,
            is_visible=layer.effective.is_visible,
            opacity=layer.effective.opacity,
            x=layer.effective.x,
            y=layer.effective.y,
        )
        by_layer.setdefault(layer_id, []).append(part)
    return TiledParts(by_layer, layer_cells.box)


class _DrawState(NamedTuple):
    """What a layer or group hands down to the layers within it; the defaults are the map's."""

    is_visible: bool = True
    opacity: float = 1.0
    x: float = 0.0
    y: float = 0.0


class _FoundLayer(NamedTuple):
    """A tile or object layer in a file."""

    node: Node

    effective: _DrawState
    """Its own values together with those of its groups."""


def _layers_in(node: Node, inherited: _DrawState) -> Iterator[_FoundLayer]:
    """Yield the tile and object layers in a map or group, and in its groups, the lowest first."""
    for layer in nodes(node, "layers"):
        opacity = inherited.opacity * real(layer, "opacity", 1.0)
        effective = _DrawState(
            is_visible=inherited.is_visible and layer.get("visible", True) is True,
            opacity=min(1.0, max(0.0, opacity)),
            x=inherited.x + real(layer, "offsetx"),
            y=inherited.y + real(layer, "offsety"),
        )
        if text(layer, "type") == "group":
            yield from _layers_in(layer, effective)
        elif _is_tile_layer(layer) or text(layer, "type") == "objectgroup":
            yield _FoundLayer(layer, effective)


def _is_tile_layer(layer: Node) -> bool:
    """Return whether a layer has cells; all others that become parts have objects."""
    return text(layer, "type") == "tilelayer"


def _layer_id(layer: Node) -> int | None:
    """Return the id of our layer that a layer names, None if it names none or no valid one."""
    value = properties(layer).get(LAYER)
    if type(value) is int and 0 < value <= LARGEST_ID:
        return value
    return None


def unused_ids(used_ids: Sequence[int]) -> Iterator[int]:
    """Yield ids for layers or things that state none: the ones above all those in use.

    Where these would be larger than ``LARGEST_ID``, the lowest that are not in use.
    """
    first = max(used_ids, default=0) + 1
    most_needed = MAX_LAYERS + MAX_THINGS
    if first + most_needed > LARGEST_ID:
        first = 1
    taken = set(used_ids)
    return (new_id for new_id in count(first) if new_id not in taken)
