"""The cells of all tile layers of a map, put together from the chunks that a file has them in.

    layer_cells = read_cells(root, tile_layers)
    layer_cells.cells[0]            # the cells of the first layer, (box.height, box.width)

An infinite map has no size. Each of its layers has rectangles of cells, *chunks*, with the column
and row of their first cells, which may be negative. We give it the smallest *box* of columns and
rows that has all tiles in it::

    chunk at (-2, 0)    chunk at (0, 0)          the box: left -1, top 0, width 2, height 2
         . 7                 7 .                      7 7
         . 7                 . .                      7 .

The layers of a finite map have all their cells in one piece, which is treated as a chunk of the
map's size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.free.system import MAX_CELLS
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.tiled.tiled_cells import Cells, Chunk, decode_chunks
from randomizer.systems.interchange.tiled.tiled_nodes import Node, NodeError, nodes, whole

FARTHEST_CELL = 2**28
"""The largest column or row of a chunk, to either side of the origin."""

_MAX_DECODED = 16 * MAX_CELLS
"""The largest number of cells of all layers together, 16 full ones. A cell takes four bytes."""

_FEW_CELLS = 64
"""Chunks with no more cells are put into a map all at once, which takes more memory a cell.

Infinite maps have many small chunks, and one assignment for each of them is slow.
"""


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


class LayerCells(NamedTuple):
    """The cells of the tile layers of a map."""

    box: Box
    """The cells that the map has. A finite map begins at column 0 and row 0."""

    cells: list[Cells]
    """The cells of each layer in that box, (height, width), in the order of the layers."""


def read_cells(root: Node, tile_layers: Sequence[Node]) -> LayerCells:
    """Return the cells of tile layers of the map of a file.

    Raises NodeError for damaged ones, and ProblemError for a map that is too large.
    """
    width = whole(root, "width", 0, 0, FARTHEST_CELL)
    height = whole(root, "height", 0, 0, FARTHEST_CELL)
    is_infinite = root.get("infinite") is True
    if not is_infinite:
        check_size(width, height)
    chunks_of_layers = _chunks_of_layers(tile_layers, width, height)
    blocks_of_layers: list[list[_Block]] = []
    for layer, chunks in zip(tile_layers, chunks_of_layers, strict=True):
        blocks_of_layers.append(list(_decoded_blocks(layer, chunks)))

    box = Box(left=0, top=0, width=width, height=height)
    if is_infinite:
        box = _box_of_tiles(blocks_of_layers, box)
    box = box._replace(width=max(1, box.width), height=max(1, box.height))
    check_size(box.width, box.height)
    if len(tile_layers) * box.width * box.height > _MAX_DECODED:
        raise _too_many_cells(root)

    cells_of_layers: list[Cells] = []
    for blocks in blocks_of_layers:
        cells = np.zeros((box.height, box.width), np.uint32)
        for block in blocks:
            block.put_into(cells, box)
        cells_of_layers.append(cells)
    return LayerCells(box, cells_of_layers)


def _chunks_of_layers(tile_layers: Sequence[Node], width: int, height: int) -> list[list[Chunk]]:
    """Return the chunks of each layer, none for a layer without cells.

    ``width`` and ``height`` are those of the map, which chunks have by default. All cells are
    counted before any are decoded, since a few packed bytes can hold millions: NodeError is raised
    for too many.
    """
    chunks_of_layers: list[list[Chunk]] = []
    cell_count = 0
    for layer in tile_layers:
        chunks: list[Chunk] = []
        chunk_nodes: list[Node] = []
        if "chunks" in layer or str(layer.get("data") or "").strip():
            chunk_nodes = nodes(layer, "chunks") or [layer]
        for node in chunk_nodes:
            chunk_width = whole(node, "width", width, 0, MAX_CELLS)
            chunk_height = whole(node, "height", height, 0, MAX_CELLS)
            chunk = Chunk(node, chunk_width, chunk_height)
            chunks.append(chunk)
            cell_count += chunk.cell_count
            if cell_count > _MAX_DECODED:
                raise _too_many_cells(layer)
        chunks_of_layers.append(chunks)
    return chunks_of_layers


def _too_many_cells(node: Node) -> NodeError:
    """Return the error for a map of more cells than ``_MAX_DECODED``."""
    return NodeError(node, f"all layers have more than {_MAX_DECODED:,} cells together")


def _box_of_tiles(blocks_of_layers: list[list[_Block]], stated_box: Box) -> Box:
    """Return the smallest box around all tiles, ``stated_box`` if there are none."""
    bounds: list[_Bounds] = []
    for blocks in blocks_of_layers:
        bounds += (block.bounds() for block in blocks if block.cells.any())
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
    """The decoded chunks of a layer that have the same size, as one array."""

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

    def put_into(self, target: Cells, box: Box) -> None:
        """Put the chunks into the cells of their layer, which has the cells of ``box``.

        Cells outside of the box are left out: a finite map can have chunks that stick out.
        """
        _chunks, height, width = self.cells.shape
        lefts = self.columns - box.left
        tops = self.rows - box.top
        if height * width <= _FEW_CELLS:
            self._put_all_at_once(target, lefts, tops)
            return
        for x, y, cells in zip(lefts.tolist(), tops.tolist(), self.cells, strict=True):
            in_map = target[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)]
            rows_in_map, columns_in_map = in_map.shape
            in_chunk = cells[max(0, -y) :, max(0, -x) :]
            in_map[:] = in_chunk[:rows_in_map, :columns_in_map]

    def _put_all_at_once(
        self, target: Cells, lefts: NDArray[np.int64], tops: NDArray[np.int64]
    ) -> None:
        """Put the chunks by the column and row of each single cell.

        ``lefts`` and ``tops`` are those of the first cell of each chunk in ``target``.
        """
        _chunks, height, width = self.cells.shape
        columns = lefts[:, None, None] + np.arange(width)[None, None, :]
        rows = tops[:, None, None] + np.arange(height)[None, :, None]
        columns, rows = np.broadcast_arrays(columns, rows)
        is_inside = (columns >= 0) & (columns < target.shape[1])
        is_inside &= (rows >= 0) & (rows < target.shape[0])
        target[rows[is_inside], columns[is_inside]] = self.cells[is_inside]


def _decoded_blocks(layer: Node, chunks: Sequence[Chunk]) -> Iterator[_Block]:
    """Yield the chunks of a layer by their sizes.

    Raises NodeError for cells that cannot be read, and for a position that is no whole number.
    """
    if not chunks:
        return
    cells_of_chunks = decode_chunks(layer, chunks)
    numbers_by_size = dict[tuple[int, int], list[int]]()
    for number, chunk in enumerate(chunks):
        if chunk.cell_count:
            numbers_by_size.setdefault((chunk.width, chunk.height), []).append(number)
    for numbers in numbers_by_size.values():
        columns = list[int]()
        rows = list[int]()
        for number in numbers:
            node = chunks[number].node
            columns.append(whole(node, "x", 0, -FARTHEST_CELL, FARTHEST_CELL))
            rows.append(whole(node, "y", 0, -FARTHEST_CELL, FARTHEST_CELL))
        cells = np.stack([cells_of_chunks[number] for number in numbers])
        yield _Block(np.array(columns, np.int64), np.array(rows, np.int64), cells)
