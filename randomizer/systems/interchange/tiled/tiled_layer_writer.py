"""Writes the layers of ours into the tile layers and object layers that they are made of.

    writer = LayerWriter(tiled, tilesets, grid, width, height)
    for layer in battlemap.layers:
        writer.write_layer(layer)
    arrange_layers(tiled.root, {layer.id: position of the layer})

A *part* is a layer of Tiled that holds one plane (or one side of a plane) or the things of a layer
of ours (``tiled_parts``). Parts that were read stay as they are where nothing changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import MAX_CELLS
from randomizer.systems.interchange.tiled.tiled_cells import Cells, encode_cells
from randomizer.systems.interchange.tiled.tiled_chunks import FARTHEST_CELL
from randomizer.systems.interchange.tiled.tiled_map import TiledMap
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    nodes,
    properties,
    real,
    set_properties,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_object_writer import write_things
from randomizer.systems.interchange.tiled.tiled_parts import (
    LAYER,
    LAYER_KEY,
    PLANE,
    SECRET,
    SIDE,
    Part,
)
from randomizer.systems.interchange.tiled.tiled_planes import planes_of
from randomizer.systems.interchange.tiled.tiled_tileset_writer import TilesetWriter

_CHUNK_LENGTH = 16
"""The width and height of new chunks of infinite maps, in cells; Tiled's own are as large."""

_MAX_CELLS_AS_TEXT = 100_000
"""New layers of more cells are packed: numbers in text are easier to compare, but longer."""


class _Kind(IntEnum):
    """The kinds of layers in the order in which they are drawn, across all layers of ours."""

    TERRAIN = 0
    PLANE = 1
    """A plane that is not the terrains, such as a way."""
    THINGS = 2


class LayerWriter:
    """Writes layers into the nodes of a map of Tiled.

    ``width`` and ``height`` are the numbers of columns and rows that the map has in Tiled.
    """

    def __init__(
        self, tiled: TiledMap, tilesets: TilesetWriter, grid: Grid, width: int, height: int
    ) -> None:
        self._tiled = tiled
        self._tilesets = tilesets
        self._grid = grid
        self._width = width
        self._height = height
        self._new_parts = list[Part]()
        """The parts that were added so far; all other ones were read from the file."""

    def write_layer(self, layer: Layer) -> None:
        """Write a layer of ours into its parts, and add the parts that it lacks."""
        # The list of parts in ``self._tiled``: ``_add_part`` appends to it as well.
        parts = self._tiled.layers.setdefault(layer.id, [])

        # Tile layers: a part that was read is emptied if our layer has nothing of its plane left.
        cells_of_planes = self._cells_of_planes(layer)
        no_cells = np.zeros((self._height, self._width), np.uint32)
        for part in parts:
            if part.cells is not None:
                self._write_cells(part, cells_of_planes.pop(part.plane_and_side, no_cells))
        for (plane, side), cells in cells_of_planes.items():
            part = self._add_tile_layer(layer, plane, side)
            self._write_cells(part, cells)

        # Object layers are the parts without cells.
        object_layers = [part for part in parts if part.cells is None]
        if layer.things and not object_layers:
            node: Node = {"type": "objectgroup", "name": f"{layer.name}: things", "objects": []}
            object_layers = [self._add_part(node, layer, {})]
        write_things(self._tiled, layer, object_layers)

        for part in parts:
            self._write_attributes(part, layer)
        # The name of our layer is read from its lowest part.
        if parts:
            lowest_part = min(parts, key=lambda part: _kind_of(part.node))
            if layer.name != lowest_part.name:
                lowest_part.node["name"] = layer.name

    def _cells_of_planes(self, layer: Layer) -> dict[tuple[str, int], Cells]:
        """Return the global ids of the tiles of a layer, by the name of the plane and the side.

        Arrays have the shape (height, width) of Tiled's map, which lacks cells that are skipped
        (``tiled_geometry``).
        """
        skipped_columns, skipped_rows = self._tiled.geometry.skipped
        cells = dict[tuple[str, int], Cells]()
        for spec, side, values in planes_of(layer):
            # A global id is looked up once for each value instead of for each cell.
            distinct_values, indices = np.unique(values, return_inverse=True)
            gids = [self._tilesets.gid(spec, side, value) for value in distinct_values.tolist()]
            all_gids = np.array(gids, np.uint32)[indices].reshape(values.shape)
            cells[spec.name, side] = all_gids[skipped_rows:, skipped_columns:]
        return cells

    def _add_tile_layer(self, layer: Layer, plane: str, side: int) -> Part:
        """Add a tile layer for a plane of a layer of ours, for one of its sides if it has sides."""
        name = layer.name
        values: dict[str, str | int | None] = {}
        if plane != "terrain":
            noun = plane.replace("_", " ")
            if plane == "hexside":
                noun = f"hexsides {self._grid.layout.side_names[side]}"
            name = f"{layer.name}: {noun}"
            values = {PLANE: plane, SIDE: side or None}
        node: Node = {"type": "tilelayer", "name": name, "encoding": "csv"}
        if self._width * self._height > _MAX_CELLS_AS_TEXT:
            node |= {"encoding": "base64", "compression": "zlib"}
        return self._add_part(node, layer, values)

    def _add_part(self, node: Node, layer: Layer, values: Mapping[str, str | int | None]) -> Part:
        """Add a layer of Tiled with the properties ``values`` as a part of a layer of ours.

        A part names our layer in its property ``LAYER``. A first part that Tiled's users made does
        not have that yet, and gets it: without it the two would be read as two layers.
        """
        root = self._tiled.root
        parts = self._tiled.layers[layer.id]
        node["id"] = self._tiled.free_id
        self._tiled.free_id += 1
        root["nextlayerid"] = self._tiled.free_id
        set_properties(node, {LAYER: layer.id})
        if parts:
            set_properties(parts[0].node, {LAYER: layer.id})
        set_properties(node, values)
        node[LAYER_KEY] = layer.id
        root.setdefault("layers", []).append(node)
        former_cells = None
        if "objects" not in node:
            # It had no cells: an array of another shape than any, so that they get written.
            former_cells = np.zeros((0, 0), np.uint32)
        part = Part(node, layer.id, former_cells)
        parts.append(part)
        self._new_parts.append(part)
        return part

    def _write_attributes(self, part: Part, layer: Layer) -> None:
        """Write visibility, opacity, lock and secrecy of a layer into a part if they changed."""
        former = part
        if part in self._new_parts:
            former = Part({}, layer.id)  # what Tiled assumes of a layer that does not say
        if layer.visible != former.is_visible:
            part.node["visible"] = layer.visible
        if layer.opacity != former.opacity:
            part.node["opacity"] = _opacity_in_group(layer.opacity, former, part.node)
        if layer.locked != former.is_locked:
            part.node["locked"] = layer.locked
        if layer.secret != part.is_secret:
            set_properties(part.node, {SECRET: layer.secret or None})

    def _write_cells(self, part: Part, gids: Cells) -> None:
        """Write the cells of a tile layer, unless they are as they were read."""
        node = part.node
        if part.cells is not None and np.array_equal(gids, part.cells):
            return
        if self._tiled.is_infinite:
            self._write_chunks(node, gids, part.cells)
            return
        node.pop("chunks", None)
        for key, length in (("width", self._width), ("height", self._height)):
            former_length = node.get(key, self._tiled.root.get(key))
            if part in self._new_parts or former_length != length:
                node[key] = length
        node["data"] = encode_cells(node, gids)
        node.setdefault("encoding", "csv")

    def _write_chunks(self, node: Node, gids: Cells, former_gids: Cells | None) -> None:
        """Write the cells of a layer of an infinite map, which holds them in rectangles: chunks.

        Chunks whose cells did not change keep their text. If tiles lie in none of them, all chunks
        are made anew.
        """
        node.pop("data", None)
        chunks = node.setdefault("chunks", [])
        gids_outside = self._update_chunks(node, chunks, gids, former_gids)
        if gids_outside.any():
            chunks.clear()
            chunks += self._new_chunks(node, gids)

    def _update_chunks(
        self, node: Node, chunks: list[Node], gids: Cells, former_gids: Cells | None
    ) -> Cells:
        """Write cells into the chunks of a layer, and return ``gids`` with 0 where a chunk is."""
        left = self._tiled.geometry.left
        top = self._tiled.geometry.top
        root = self._tiled.root
        gids_outside = gids.copy()
        for chunk in chunks:
            x = whole(chunk, "x", 0, -FARTHEST_CELL, FARTHEST_CELL) - left
            y = whole(chunk, "y", 0, -FARTHEST_CELL, FARTHEST_CELL) - top
            width = whole(chunk, "width", root.get("width", 0), 0, MAX_CELLS)
            height = whole(chunk, "height", root.get("height", 0), 0, MAX_CELLS)
            rows = slice(max(0, y), max(0, y + height))
            columns = slice(max(0, x), max(0, x + width))
            gids_outside[rows, columns] = 0
            box = gids[rows, columns]
            if former_gids is not None and np.array_equal(box, former_gids[rows, columns]):
                continue
            # A chunk may reach beyond the map: there it is empty.
            cells = np.zeros((height, width), np.uint32)
            first_row = rows.start - y
            first_column = columns.start - x
            box_height, box_width = box.shape
            cells[first_row : first_row + box_height, first_column : first_column + box_width] = box
            chunk["data"] = encode_cells(node, cells)
        return gids_outside

    def _new_chunks(self, node: Node, gids: Cells) -> Iterator[Node]:
        """Yield chunks that hold all tiles; those that would be empty are left out.

        The ones at the right and lower edge of the map can be smaller than ``_CHUNK_LENGTH``.
        """
        left = self._tiled.geometry.left
        top = self._tiled.geometry.top
        for row in range(0, len(gids), _CHUNK_LENGTH):
            for column in range(0, gids.shape[1], _CHUNK_LENGTH):
                box = gids[row : row + _CHUNK_LENGTH, column : column + _CHUNK_LENGTH]
                if not box.any():
                    continue
                yield {
                    "x": column + left,
                    "y": row + top,
                    "width": box.shape[1],
                    "height": box.shape[0],
                    "data": encode_cells(node, box),
                }


class _Rank(NamedTuple):
    """The position of a layer among the layers of Tiled: lower ranks are drawn first."""

    kind: _Kind
    position: int
    """The position of our layer, from the lowest."""


def arrange_layers(node: Node, positions: Mapping[int, int]) -> _Rank:
    """Bring the layers in a map or group into the order of ours, and return the highest rank.

    ``positions`` are those of our layers by their ids. Parts of layers that we no longer have are
    removed.
    """
    # A layer that is not ours, such as one of images, gets the rank of the layer below it: since
    # the sort is stable, it stays above that one. A group has the highest rank of its layers.
    rank = _Rank(_Kind.TERRAIN, -1)
    ranked_layers = list[tuple[_Rank, Node]]()
    for layer in nodes(node, "layers"):
        if text(layer, "type") == "group":
            rank = max(rank, arrange_layers(layer, positions))
        elif LAYER_KEY in layer:
            if layer[LAYER_KEY] not in positions:
                continue
            rank = _Rank(_kind_of(layer), positions[layer[LAYER_KEY]])
        ranked_layers.append((rank, layer))
    ranked_layers.sort(key=lambda ranked: ranked[0])
    node["layers"] = [layer for _rank, layer in ranked_layers]
    if ranked_layers:
        return ranked_layers[-1][0]
    return rank


def _kind_of(layer: Node) -> _Kind:
    """Return the kind of a part.

    An object layer that Tiled's users made, without ``LAYER``, stays among the terrains.
    """
    values = properties(layer)
    if text(layer, "type") == "objectgroup" and LAYER in values:
        return _Kind.THINGS
    if PLANE in values:
        return _Kind.PLANE
    return _Kind.TERRAIN


def _opacity_in_group(opacity: float, former: Part, node: Node) -> float:
    """Return the opacity to write for a part, so that Tiled draws it with ``opacity``.

    Tiled multiplies the opacity of a layer by those of its groups. These stay as they are, because
    other layers are in the groups, too.
    """
    former_own_opacity = real(node, "opacity", 1.0) or 1.0
    group_opacity = former.opacity / former_own_opacity
    if not group_opacity:
        return opacity
    return min(1.0, opacity / group_opacity)
