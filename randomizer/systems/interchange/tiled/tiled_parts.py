"""The layers of a map of Tiled as parts of layers of ours, and the cells of its tile layers.

    parts = list(parts_of(root))                        # tile and object layers, the lowest first
    box = read_cells(root, parts, problems)             # now each tile layer has its cells
    parts_by_layer(parts)[1]                            # the parts of our layer 1

A layer of ours holds terrains, elevations, hexsides and things. Tiled has one kind of value in a
layer, so ours becomes several of Tiled's. Each of them names our layer in a property, and is a part
of it. A layer that Tiled's users made has no such property: it is a layer of ours by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.limits import LARGEST_ID
from randomizer.model.basics.texts import clean_line
from randomizer.model.problems import Problem
from randomizer.systems.free.system import MOST_CELLS
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.tiled.tiled_cells import Cells, decode_chunks
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY
from randomizer.systems.interchange.tiled.tiled_nodes import (
    Node,
    NodeError,
    nodes,
    properties,
    real,
    text,
    whole,
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

_MOST_DECODED = 16 * MOST_CELLS
"""The largest number of cells of all layers together, 16 full ones. A cell takes four bytes."""

_FARTHEST_CELL = 2**28
"""The largest column or row of a chunk of an infinite map, to either side of the origin."""

_FEW_CELLS = 64
"""Chunks with no more cells are put into a map all at once, which takes more memory a cell.

Infinite maps have many small chunks, and one assignment for each of them is slow.
"""


@dataclass(eq=False)
class Part:
    """A tile or object layer of Tiled. Visibility, opacity and offset include those of its groups.

    Read from a file, or added when a map is written (``tiled.TiledCodec``).
    """

    node: Node
    is_visible: bool = True
    opacity: float = 1.0
    x: float = 0.0
    """The offset to the right in pixels."""
    y: float = 0.0
    """The offset down in pixels."""
    cells: Cells | None = None
    """The cells of a tile layer in the box of the map, (height, width); None for objects."""
    layer: int = 0
    """The id of our layer that it is a part of."""

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
        """The name of our layer if this is its first part."""
        return clean_line(text(self.node, "name")) or f"Layer {self.layer}"


class Box(NamedTuple):
    """The cells that a map has, in Tiled's columns and rows."""

    left: int
    """The column of the first cell."""
    top: int
    """The row of the first cell."""
    width: int
    """The number of columns."""
    height: int
    """The number of rows."""


def parts_of(root: Node) -> Iterator[Part]:
    """Yield all tile and object layers of a map, also those in groups, the lowest first.

    Raises NodeError.
    """
    return _parts_in(root, Part(root))


def _parts_in(node: Node, group: Part) -> Iterator[Part]:
    """Yield the layers in a node and in the groups within it; ``group`` is that of the node."""
    for layer in nodes(node, "layers"):
        opacity = group.opacity * real(layer, "opacity", 1.0)
        part = Part(
            layer,
            is_visible=group.is_visible and layer.get("visible", True) is True,
            opacity=min(1.0, max(0.0, opacity)),
            x=group.x + real(layer, "offsetx"),
            y=group.y + real(layer, "offsety"),
        )
        layer_type = text(layer, "type")
        if layer_type == "group":
            yield from _parts_in(layer, part)
        elif layer_type in ("tilelayer", "objectgroup"):
            yield part


def parts_by_layer(parts: list[Part]) -> dict[int, list[Part]]:
    """Return the parts of each of our layers by its id, and note the id in each part.

    Parts without a valid id get ids of their own, above all others.
    """
    ids = [_layer_id(part) for part in parts]
    next_free_id = max(ids, default=0) + 1
    parts_by_id = dict[int, list[Part]]()
    for part, layer_id in zip(parts, ids, strict=True):
        if not layer_id:
            layer_id = next_free_id
            next_free_id += 1
        part.layer = layer_id
        part.node[LAYER_KEY] = layer_id
        parts_by_id.setdefault(layer_id, []).append(part)
    return parts_by_id


def _layer_id(part: Part) -> int:
    """Return the id of our layer that a part names, 0 for none."""
    value = properties(part.node).get(LAYER)
    if type(value) is int and 0 < value <= LARGEST_ID:
        return value
    return 0


# --- cells ---------------------------------------------------------------------------------------


def read_cells(root: Node, parts: list[Part], problems: list[Problem]) -> Box:
    """Read the cells of all tile layers into their parts, and return the box of the map.

    The box of an infinite map is the smallest one around its tiles; that its first cell is another
    one than (0, 0) becomes a problem. Raises NodeError, and ProblemError for a map that is too
    large.
    """
    width = whole(root, "width", 0, 0, _FARTHEST_CELL)
    height = whole(root, "height", 0, 0, _FARTHEST_CELL)
    is_infinite = root.get("infinite") is True
    if not is_infinite:
        check_size(width, height)
    blocks = _decoded_blocks(parts, width, height)
    box = Box(left=0, top=0, width=width, height=height)
    if is_infinite:
        box = _box_of_tiles(blocks, box)
        if box.left or box.top:
            message = f"column {box.left} and row {box.top} of this infinite map are the first here"
            problems.append(warning(message))
    box = box._replace(width=max(1, box.width), height=max(1, box.height))
    check_size(box.width, box.height)
    tile_layers = [part for part in parts if text(part.node, "type") == "tilelayer"]
    if len(tile_layers) * box.width * box.height > _MOST_DECODED:
        raise _too_many_cells(root)
    for part in tile_layers:
        part.cells = np.zeros((box.height, box.width), np.uint32)
    for block in blocks:
        block.put(box.left, box.top)
    return box


def _decoded_blocks(parts: list[Part], width: int, height: int) -> list[_Block]:
    """Return the cells of all layers; a layer without chunks is one chunk of the map's size.

    Cells are counted before they are decoded: a few packed bytes can hold millions.
    """
    blocks = list[_Block]()
    cell_count = 0
    for part in parts:
        layer = part.node
        has_cells = "chunks" in layer or str(layer.get("data") or "").strip()
        if not has_cells:
            continue
        chunks = nodes(layer, "chunks") or [layer]
        sizes = list[tuple[int, int]]()
        for chunk in chunks:
            chunk_width = whole(chunk, "width", width, 0, MOST_CELLS)
            chunk_height = whole(chunk, "height", height, 0, MOST_CELLS)
            sizes.append((chunk_width, chunk_height))
            cell_count += chunk_width * chunk_height
            if cell_count > _MOST_DECODED:
                raise _too_many_cells(layer)
        cells_of_chunks = decode_chunks(layer, chunks, sizes)
        blocks += _blocks(part, chunks, sizes, cells_of_chunks)
    return blocks


def _too_many_cells(node: Node) -> NodeError:
    """Return the error for a map of more cells than ``_MOST_DECODED``."""
    return NodeError(node, f"all layers have more than {_MOST_DECODED:,} cells together")


def _box_of_tiles(blocks: list[_Block], stated_box: Box) -> Box:
    """Return the smallest box around all tiles, ``stated_box`` if there are none."""
    bounds = [block.bounds() for block in blocks if block.cells.any()]
    if not bounds:
        return stated_box
    left = min(bound.left for bound in bounds)
    top = min(bound.top for bound in bounds)
    right = max(bound.right for bound in bounds)
    bottom = max(bound.bottom for bound in bounds)
    return Box(left=left, top=top, width=right - left, height=bottom - top)


class _Bounds(NamedTuple):
    """The columns and rows of Tiled in which tiles lie."""

    left: int
    top: int
    right: int
    """The column behind the last tile."""
    bottom: int
    """The row behind the last tile."""


class _Block(NamedTuple):
    """The chunks of a layer that have the same size, as one array."""

    part: Part
    columns: NDArray[np.int64]
    """Tiled's column of the first cell of each chunk, (chunks,)."""
    rows: NDArray[np.int64]
    """Tiled's row of the first cell of each chunk, (chunks,)."""
    cells: NDArray[np.uint32]
    """Shape (chunks, height, width)."""

    def bounds(self) -> _Bounds:
        """Return the bounds of the tiles of all chunks, of which there must be some."""
        _chunks, height, width = self.cells.shape
        numbers = np.flatnonzero(self.cells.any(axis=(1, 2)))
        is_filled = self.cells[numbers] != 0
        filled_rows = np.asarray(is_filled.any(axis=2))
        filled_columns = np.asarray(is_filled.any(axis=1))
        # argmax gives the first True: the first filled row or column of each chunk.
        lefts = self.columns[numbers] + filled_columns.argmax(axis=1)
        tops = self.rows[numbers] + filled_rows.argmax(axis=1)
        rights = self.columns[numbers] + width - filled_columns[:, ::-1].argmax(axis=1)
        bottoms = self.rows[numbers] + height - filled_rows[:, ::-1].argmax(axis=1)
        return _Bounds(
            left=int(lefts.min()),
            top=int(tops.min()),
            right=int(rights.max()),
            bottom=int(bottoms.max()),
        )

    def put(self, left: int, top: int) -> None:
        """Put the chunks into the cells of their layer, whose first cell is (left, top).

        Cells outside of the map are left out: a finite map can have chunks that stick out.
        """
        target = self.part.cells
        assert target is not None, "only tile layers have chunks"
        _chunks, height, width = self.cells.shape
        if height * width <= _FEW_CELLS:
            self._put_all_at_once(target, left, top)
            return
        lefts = (self.columns - left).tolist()
        tops = (self.rows - top).tolist()
        for x, y, cells in zip(lefts, tops, self.cells, strict=True):
            in_map = target[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)]
            rows_in_map, columns_in_map = in_map.shape
            in_chunk = cells[max(0, -y) :, max(0, -x) :]
            in_map[:] = in_chunk[:rows_in_map, :columns_in_map]

    def _put_all_at_once(self, target: Cells, left: int, top: int) -> None:
        """Put the chunks by the column and row of each single cell."""
        _chunks, height, width = self.cells.shape
        columns = (self.columns - left)[:, None, None] + np.arange(width)[None, None, :]
        rows = (self.rows - top)[:, None, None] + np.arange(height)[None, :, None]
        columns, rows = np.broadcast_arrays(columns, rows)
        is_inside = (columns >= 0) & (columns < target.shape[1])
        is_inside &= (rows >= 0) & (rows < target.shape[0])
        target[rows[is_inside], columns[is_inside]] = self.cells[is_inside]


def _blocks(
    part: Part, chunks: list[Node], sizes: list[tuple[int, int]], cells_of_chunks: list[Cells]
) -> Iterator[_Block]:
    """Yield the chunks of a layer by their sizes, (width, height).

    Raises NodeError for a position that is no whole number.
    """
    numbers_by_size = dict[tuple[int, int], list[int]]()
    for number, (width, height) in enumerate(sizes):
        if width and height:
            numbers_by_size.setdefault((width, height), []).append(number)
    for numbers in numbers_by_size.values():
        columns = list[int]()
        rows = list[int]()
        for number in numbers:
            chunk = chunks[number]
            columns.append(whole(chunk, "x", 0, -_FARTHEST_CELL, _FARTHEST_CELL))
            rows.append(whole(chunk, "y", 0, -_FARTHEST_CELL, _FARTHEST_CELL))
        cells = np.stack([cells_of_chunks[number] for number in numbers])
        yield _Block(part, np.array(columns, np.int64), np.array(rows, np.int64), cells)
