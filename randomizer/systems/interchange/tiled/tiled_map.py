"""A map of Tiled as layers of ours: its cells by what they stand for, its objects as things.

    tiled = TiledMap(source, problems)     # ProblemError with a place for what cannot be read
    tiled.battlemap()

Each tile layer and each object layer is a layer of ours; those that we wrote say of which one they
are a part. A (tile, flips) is the code of a terrain, as ``Desert:29`` or ``Desert:29 hv``. Our own
tiles say what they stand for (``Mark``); the terrain set is then a property of the map.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from base64 import b64decode
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import Look
from randomizer.model.basics.limits import LARGEST_ID, MOST_LAYERS, MOST_THINGS
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.texts import clean_line
from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, ROOT3, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.map.regions import RECORD
from randomizer.model.map.wang_sets import RECORD as WANG_SETS
from randomizer.model.map.wang_sets import RecordedSet, WangColour, WangTile, record_of
from randomizer.model.planes.planes import Place
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.assets import LARGEST_ASSETS, asset_digest
from randomizer.model.records.map_records import MapRecord
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.terrain.terrain_check import MOST_TERRAINS
from randomizer.model.things.thing_state import LARGEST_STATE, NO_STATE, State
from randomizer.model.things.things import Thing, Things
from randomizer.storage.files.terrain_files import OwnTerrains, read_terrains
from randomizer.systems.free.system import MOST_CELLS, SYSTEM
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign import Codes, Source, check_size, fault, warning
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
from randomizer.systems.interchange.tiled.tiled_notation import located, read
from randomizer.systems.interchange.tiled.tiled_tiles import (
    FLIPS,
    GID,
    OWN,
    Cells,
    Documents,
    Mark,
    Marks,
    Pictures,
    Tileset,
    decode_chunks,
    key_of,
    open_tilesets,
    write_png,
)
from randomizer.systems.interchange.tiled.tiled_wang import RawSet, read_wang_sets

EMPTY = "empty"
"""The code of the terrain of cells without a tile."""

LAYER = f"{OWN}:layer"
PLANE = f"{OWN}:plane"
SIDE = f"{OWN}:side"
SECRET = f"{OWN}:secret"
"""Properties of layers that we wrote: of which of our layers, and what of it."""

TERRAINS = f"{OWN}:terrains"
GRID = f"{OWN}:grid"
REGIONS = f"{OWN}:regions"
"""Properties of a map that we wrote: the terrain set, what Tiled's grids have not, the regions."""

LAYER_KEY = "#layer"
"""The key of a node with the id of our layer that it is a part of; it is not written."""

_TEMPLATES = (".tx", ".tj", ".json")

LARGEST_LAYER_ID = 2**31

_OBJECT_KEYS = (
    *("x", "y", "width", "height", "rotation", "gid", "polygon", "polyline"),
    *("text", "name", "type", "class"),
)
"""What of an object says where it is, and what; a template may say it for its objects."""

_MOST_DECODED = 16 * MOST_CELLS
"""Cells of all layers together."""

_MOST_OFFERED = 256
"""Tiles that no cell shows are terrains, too, if all tilesets together have no more tiles."""

ISOMETRIC = "isometric"
_AS_SQUARES = (ISOMETRIC, "oblique")
"""Orientations of maps whose grid is one of squares, drawn aslant."""

_FAR = 2**28
_NO_TERRAINS = OwnTerrains(TerrainSet("Tiled", (), (), tuple(range(10))))


class Geometry(NamedTuple):
    """The positions of cells in Tiled (pixels from the upper left corner) and here (map units).

    Tiled's cell (``left``, ``top``) is ours of column and row ``skipped``, which are there for the
    parity of the others. A cell has ``size`` pixels, the next one is ``step`` pixels away.
    """

    layout: Layout
    left: int
    top: int
    skipped: tuple[int, int]
    size: tuple[int, int]
    step: tuple[int, int]

    @property
    def _scale(self) -> NDArray[np.float64]:
        """Map units a pixel, across and down."""
        units = {"flat": (1.5, ROOT3), "pointy": (ROOT3, 1.5)}.get(self.layout.name, (1.0, 1.0))
        return np.array(units) / self.step

    @property
    def _origin(self) -> NDArray[np.float64]:
        """The pixels of the origin of map units."""
        first = np.array((self.left, self.top)) - self.skipped
        # An isometric cell has its step as size where objects are: they lie on its plane.
        cell = self.step if self.layout is SQUARE else self.size
        return first * self.step + np.array(cell) / 2

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Return the map units of pixels."""
        at = (np.array((x, y)) - self._origin) * self._scale
        return float(at[0]), float(at[1])

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixels of map units."""
        at = np.array((x, y)) / self._scale + self._origin
        return float(at[0]), float(at[1])


class Placed(NamedTuple):
    """An object as a thing, with its centre in pixels and the part that it is in."""

    thing: Thing
    node: Node
    centre: tuple[float, float]
    part: Part


@dataclass(eq=False)
class Part:
    """A tile or object layer of Tiled's, and what follows from its groups.

    ``cells`` are those of a tile layer in the box of the map; ``layer`` is the id of ours.
    """

    node: Node
    is_visible: bool = True
    opacity: float = 1.0
    x: float = 0.0
    y: float = 0.0
    cells: Cells | None = None
    layer: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """The plane and the side that a tile layer is for."""
        values = properties(self.node)
        side = values.get(SIDE, 0)
        return str(values.get(PLANE, "terrain")), side if type(side) is int else 0

    @property
    def is_locked(self) -> bool:
        """Return whether Tiled does not let the layer be edited."""
        return self.node.get("locked") is True

    @property
    def is_secret(self) -> bool:
        """Return whether players do not get the layer."""
        return properties(self.node).get(SECRET) is True

    @property
    def name(self) -> str:
        """The name of a layer of ours that begins with it."""
        return clean_line(text(self.node, "name")) or f"Layer {self.layer}"


class _Template:
    """A template, whose properties are looked at once for all its objects. Raises NodeError."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self._values = properties(node)
        names = ("x", "y", "width", "height", "rotation")
        for name in names:
            real(node, name)
        for key in ("polygon", "polyline"):
            nodes(node, key)
        self._owner, self._state = _owner_and_state(self._values)
        # A state has fewer values than bytes, so these need not be joined with an object's.
        self._is_too_large = len(self._values) > LARGEST_STATE

    def owner_and_state(self, own_values: Mapping[str, Any]) -> tuple[int, State]:
        """Return owner and state of an object with values of its own for some properties."""
        if not own_values:
            return self._owner, self._state
        if self._is_too_large:
            return _owner_of(own_values.get("owner", self._owner)), NO_STATE
        return _owner_and_state({**self._values, **own_values})


def _owner_and_state(values: Mapping[str, Any]) -> tuple[int, State]:
    """Return the owner of an object, 0 for none, and the other values; no state if they are too
    large.
    """
    plain_values = {
        name: value
        for name, value in values.items()
        if name != "owner" and isinstance(value, str | int | float)
    }
    owner = _owner_of(values.get("owner", 0))
    try:
        return owner, State(plain_values)
    except ValueError:  # what is too much stays in the file alone
        return owner, NO_STATE


def _owner_of(value: object) -> int:
    return value if type(value) is int and abs(value) < LARGEST_ID else 0


_NO_TEMPLATE = _Template({})


class TiledMap:
    """A map of Tiled. ``layers`` are the parts of each of our layers by its id.

    ``free_id`` is above the ids of its own layers, ``free_object_id`` above those of its objects.
    """

    def __init__(self, source: Source, problems: list[Problem]) -> None:
        self.source = source
        self.problems = problems
        self._documents = Documents(source, problems)
        self._templates = dict[str, _Template]()
        self._middles = dict[int, tuple[float, float]]()
        self._lines = dict[str, str]()
        self.root = root = read(source.data)
        try:
            if "tilewidth" not in root:
                raise NodeError(root, "this is no map of Tiled")
            self.is_infinite = root.get("infinite") is True
            self.tilesets = open_tilesets(root, self._documents)
            parts = list(_parts(root, Part(root)))
            if len(parts) > MOST_LAYERS:
                message = f"it has {len(parts):,} layers, {MOST_LAYERS} are the most"
                raise NodeError(root, message)
            left, top = self._read_cells(parts)
            self.geometry = _geometry(root, left, top)
            self._is_isometric = text(root, "orientation") == ISOMETRIC
            self._wang_sets = list[RawSet]()
            if text(root, "orientation") != "staggered":  # its diamonds have four sides, not six
                self._wang_sets = read_wang_sets(self.tilesets, self.geometry.layout)
            self.layers = _by_layer(parts)
            ids = (whole(part.node, "id", 0, 0, LARGEST_LAYER_ID) for part in parts)
            self.free_id = max(ids, default=0) + 1
            self.free_id = max(self.free_id, whole(root, "nextlayerid", 1, 0, LARGEST_LAYER_ID))
            self.free_object_id = whole(root, "nextobjectid", 1, 0, LARGEST_ID)
            self.placed = self._placed_objects()
        except NodeError as wrong:
            raise located(source.data, root, wrong) from wrong

    def _report(self, message: str) -> None:
        self.problems.append(warning(message))

    def _read_cells(self, parts: list[Part]) -> tuple[int, int]:
        """Read the cells of tile layers; return the first column and row of the map."""
        width, height = (whole(self.root, key, 0, 0, _FAR) for key in ("width", "height"))
        if not self.is_infinite:
            check_size(width, height)
        blocks = list[_Block]()
        cell_count = 0
        for part in parts:
            layer = part.node
            is_filled = "chunks" in layer or str(layer.get("data") or "").strip()
            if not is_filled:
                continue
            chunks = nodes(layer, "chunks") or [layer]
            sizes = list[tuple[int, int]]()
            for chunk in chunks:
                across = whole(chunk, "width", width, 0, MOST_CELLS)
                down = whole(chunk, "height", height, 0, MOST_CELLS)
                sizes.append((across, down))
                cell_count += across * down
                if cell_count > _MOST_DECODED:
                    raise _too_many_cells(layer)
            all_cells = decode_chunks(layer, chunks, sizes)
            blocks += _blocks(part, chunks, sizes, all_cells)
        left = 0
        top = 0
        right = width
        bottom = height
        boxes = [block.box() for block in blocks if block.cells.any()]
        if self.is_infinite and boxes:
            left, top = np.min(boxes, 0)[:2].tolist()
            right, bottom = np.max(boxes, 0)[2:].tolist()
            if left or top:
                self._report(f"column {left} and row {top} of this infinite map are the first here")
        self.width = max(1, right - left)
        self.height = max(1, bottom - top)
        check_size(self.width, self.height)
        tile_layers = [part for part in parts if text(part.node, "type") == "tilelayer"]
        if len(tile_layers) * self.width * self.height > _MOST_DECODED:
            raise _too_many_cells(self.root)
        for part in tile_layers:
            part.cells = np.zeros((self.height, self.width), np.uint32)
        for block in blocks:
            block.put(left, top)
        return left, top

    # --- objects ----------------------------------------------------------------------------

    def _placed_objects(self) -> dict[int, Placed]:
        """Return all objects by the ids of their things, which are theirs if no other has them."""
        parts = [part for parts in self.layers.values() for part in parts]
        objects = [(part, node) for part in parts for node in nodes(part.node, "objects")]
        if len(objects) > MOST_THINGS:
            message = f"it has {len(objects):,} objects, {MOST_THINGS:,} are the most"
            raise NodeError(self.root, message)
        numbers = [whole(node, "id", 0, 0, LARGEST_ID) for _part, node in objects]
        free = max(numbers, default=0) + 1
        placed = dict[int, Placed]()
        for (part, node), number in zip(objects, numbers, strict=True):
            if number in placed or not number:
                number = free
                free = free + 1
            placed[number] = self._placed(part, node, number)
        return placed

    def _placed(self, part: Part, node: Node, number: int) -> Placed:
        if "template" in node:
            template = self._template(text(node, "template"))
        else:
            template = _NO_TEMPLATE
        merged = {key: node.get(key, template.node.get(key)) for key in _OBJECT_KEYS}
        merged = {key: value for key, value in merged.items() if value is not None}
        try:
            names = ("x", "y", "width", "height", "rotation")
            x, y, width, height, angle = (real(merged, name) for name in names)
            right, down = self._middle(merged, width, height)
        except NodeError as wrong:
            raise NodeError(node, str(wrong)) from wrong
        turn = math.radians(angle)
        x += right * math.cos(turn) - down * math.sin(turn) + part.x
        y += right * math.sin(turn) + down * math.cos(turn) + part.y
        owner, state = template.owner_and_state(properties(node))
        label = self._line(text(child(merged, "text"), "text") or text(merged, "name"))
        kind = self._line(text(merged, "type") or text(merged, "class"))
        if not kind and "gid" in node:
            tileset, tile, _flips = self.tile(whole(node, "gid", 0, 0, 2**32 - 1))
            about = tileset.tiles.get(tile, {}) if tileset else {}
            kind = self._line(text(about, "type") or text(about, "class"))
        thing = Thing(
            number,
            kind or (LABEL if label else "object"),
            *self.geometry.to_map(x, y),
            angle % 360,
            owner,
            label,
            state,
        )
        return Placed(thing, node, (x, y), part)

    def _template(self, name: str) -> _Template:
        """Return the template of a file, which is read once for all objects."""
        if name not in self._templates:
            document = self._documents.read(name, _TEMPLATES) or {}
            try:
                self._templates[name] = _Template(child(document, "object"))
            except NodeError as wrong:
                self._report(f"{name!r:.80} is not used: {wrong}")
                self._templates[name] = _NO_TEMPLATE
        return self._templates[name]

    def _middle(self, merged: Node, width: float, height: float) -> tuple[float, float]:
        """Return the middle of an object in pixels right and down of its position.

        Raises NodeError.
        """
        points = nodes(merged, "polygon") or nodes(merged, "polyline")
        if self._is_isometric and "gid" in merged:
            return 0.0, 0.0  # its picture stands upright on this point, with the middle of its foot
        if not points:
            return width / 2, -height / 2 if "gid" in merged else height / 2
        if id(points) not in self._middles:  # those of a template are the same list
            xs = [real(point, "x") for point in points]
            ys = [real(point, "y") for point in points]
            self._middles[id(points)] = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return self._middles[id(points)]

    def _line(self, line: str) -> str:
        """Return a text in one line; that of a template is the same for all its objects."""
        if line not in self._lines:
            self._lines[line] = clean_line(line).replace("\n", " ")
        return self._lines[line]

    # --- tiles ------------------------------------------------------------------------------

    def tile(self, gid: int) -> tuple[Tileset | None, int, int]:
        """Return the tileset of a global id, the id in it, and its flips."""
        number = gid & GID
        flips = gid & ~GID
        at = bisect_right(self.tilesets, number, key=lambda each: each.first)
        owner = self.tilesets[at - 1] if at else None
        return owner, number - (owner.first if owner else 0), flips

    def mark(self, gid: int) -> Mark:
        """Return what a global id stands for."""
        tileset, number, flips = self.tile(gid)
        if not gid & GID:
            return Mark(name=EMPTY)
        mark = tileset.mark(number) if tileset else None
        if mark is not None and not flips:
            return mark
        letters = "".join(letter for letter, bit in FLIPS.items() if flips & bit)
        name = f"{tileset.name if tileset else 'missing'}:{number}"
        return Mark(name=f"{name} {letters}".strip())

    def gids(self) -> dict[int, Mark]:
        """Return what each global id of a cell, or of our own tiles, stands for."""
        used = {gid for tile_cell in self.tile_cells() for gid in np.unique(tile_cell).tolist()} - {
            0
        }
        if len(used) > MOST_TERRAINS:
            raise fault(f"a map has at most {MOST_TERRAINS:,} terrains", 1)
        others = sum(tileset.count for tileset in self.tilesets if not tileset.is_own)
        for tileset in self.tilesets:
            if tileset.is_own or others <= _MOST_OFFERED:
                is_sheet = tileset.node.get("columns") and not tileset.is_own
                ids = range(tileset.count) if is_sheet else tileset.tiles
                used |= {tileset.first + number for number in ids}
        for wang_set in self._wang_sets:  # a set is painted with all its tiles, or not at all
            with_set = used | {tile.gid for tile in wang_set.tiles}
            if len(with_set) <= MOST_TERRAINS // 2:
                used = with_set
        return {gid: self.mark(gid) for gid in sorted(used)}

    # --- the map ----------------------------------------------------------------------------

    def grid(self) -> Grid:
        """Return the grid: what Tiled does not know of it is a property of the map."""
        skip_x, skip_y = self.geometry.skipped
        width = self.width + skip_x
        height = self.height + skip_y
        mask = np.ones((height, width), np.bool_)
        wrap = False
        naming = NEUTRAL
        try:
            about = json.loads(str(properties(self.root).get(GRID, "{}")))
            wrap = about.get("wrap") is True
            naming = CellNaming(*about.get("naming", NEUTRAL))
            if "mask" in about:
                size = self.width * self.height
                packed = zlib.decompressobj().decompress(b64decode(about["mask"]), size // 8 + 1)
                bits = np.unpackbits(np.frombuffer(packed, np.uint8))[:size]
                mask[skip_y:, skip_x:] = bits.reshape(self.height, self.width)
            mask[:, :skip_x] = mask[:skip_y] = False
            if not mask.any():
                raise ValueError("no cell")
            layout = self.geometry.layout
            return Grid(layout, width, height, None if mask.all() else mask, wrap, naming=naming)
        except (ValueError, TypeError, AttributeError, zlib.error, RecursionError):
            self._report("what the map says of its grid is damaged: it is not used")
            mask[skip_y:, skip_x:] = True
        return Grid(self.geometry.layout, width, height, None if mask.all() else mask)

    def saved_terrains(self) -> OwnTerrains:
        """Return the terrain set that the map has as a property; one without terrains if none."""
        saved = properties(self.root).get(TERRAINS)
        try:
            if saved:
                return read_terrains(str(saved).encode())
            return _NO_TERRAINS
        except (ProblemError, ValueError):
            self._report("the terrain set of the map is damaged: it is not used")
        return _NO_TERRAINS

    def battlemap(self) -> BattleMap:
        """Return the map. Raises ProblemError."""
        grid = self.grid()
        orientation = text(self.root, "orientation")
        if orientation in _AS_SQUARES:
            message = f"this map is {orientation}: it is shown as squares, and stays {orientation}"
            self.problems.append(Problem(Severity.HINT, "foreign-map", message))
        marks = self.gids()
        saved = self.saved_terrains()
        terrains = list(saved.terrain_set.terrains)
        assets = dict(saved.assets)
        opaque = {key_of(each) for each in terrains}
        if not terrains:  # cells without a tile show the first one
            terrains.append(Terrain("Empty", self._background(), code=EMPTY, pattern="plain"))
        keys = {key_of(each) for each in terrains}
        names = {each.name for each in terrains}
        for terrain in self._terrains(marks, assets, opaque):
            if terrain.code not in keys:
                name = terrain.name
                while name in names:
                    name += "'"
                names.add(name)
                terrains.append(replace(terrain, name=name))
        looks = Marks(replace(saved.terrain_set, terrains=tuple(terrains)))
        values = {gid: looks.look(mark) for gid, mark in marks.items()}
        layers = [self._layer(parts, grid, values) for parts in self.layers.values()]
        layers = layers or [Layer(1, "Map")]
        about = properties(self.root)
        for each in SYSTEM.properties:
            if isinstance(about.get(each.name), str):
                layers[0].properties[each.name] = clean_line(about[each.name])
        self._show_below(layers, terrains, opaque)
        terrain_set = replace(saved.terrain_set, terrains=tuple(terrains))
        battlemap = BattleMap.new(SYSTEM, grid, layers, terrain_set, assets)
        if isinstance(about.get(REGIONS), str):
            battlemap.records[RECORD] = MapRecord(about[REGIONS], is_json=True)
        wang_record = self._wang_record(marks)
        if wang_record is not None:
            battlemap.records[WANG_SETS] = wang_record
        return battlemap

    def _wang_record(self, marks: Mapping[int, Mark]) -> MapRecord | None:
        """Return the Wang sets whose tiles are all offered, by their codes; None for none."""
        layout = self.geometry.layout
        sets = list[RecordedSet]()
        for wang_set in self._wang_sets:
            if any(tile.gid not in marks for tile in wang_set.tiles):
                continue
            colours = [
                WangColour(colour.name, marks[colour.gid].name if colour.gid in marks else "")
                for colour in wang_set.colours
            ]
            tiles = [
                WangTile(marks[tile.gid].name, wang_set.values(tile, layout), tile.weight)
                for tile in wang_set.tiles
            ]
            sets.append(RecordedSet(wang_set.name, wang_set.kind, colours, tiles))
        return record_of(sets) if sets else None

    def _terrains(
        self, marks: dict[int, Mark], assets: dict[str, bytes], opaque: set[str]
    ) -> Iterator[Terrain]:
        """Yield the terrains of all codes; their pictures go to ``assets``, what hides to
        ``opaque``.
        """
        names = {gid: mark.name for gid, mark in marks.items() if mark.plane == "terrain"}
        if not names:
            return
        codes = Codes()
        gids = {name: gid for gid, name in reversed(names.items())}
        lut = {gid: codes.number(name) for gid, name in names.items()}
        counts = Counter[int]()
        for cells in self.tile_cells():
            distinct, each = np.unique(cells, return_counts=True)
            counts.update(dict(zip(distinct.tolist(), each.tolist(), strict=True)))
        shown = np.repeat(list(lut.values()), [counts[gid] for gid in lut])

        def words_of(code: str) -> list[str]:
            tileset, number, _flips = self.tile(gids[code])
            if tileset:
                return tileset.words(number)
            return []

        is_hexagonal = self.geometry.layout is not SQUARE
        pictures = Pictures(
            self.source, self.problems, self.geometry.size, is_hexagonal=is_hexagonal
        )
        bytes_left = LARGEST_ASSETS // 2
        for terrain in codes.terrains(words_of, shown)[0]:
            tileset, number, flips = self.tile(gids[terrain.code])
            if tileset:
                pixels = pictures.of(tileset, number, flips)
            else:
                pixels = None
            data = b"" if pixels is None else write_png(pixels)
            if pixels is None or len(data) > bytes_left:
                yield terrain
                continue
            bytes_left -= len(data)
            weights = pixels[:, :, 3].astype(np.int64)
            total = (pixels[:, :, :3] * weights[:, :, None]).sum(axis=(0, 1))
            mean = total // max(1, int(weights.sum()))
            digest = asset_digest(data)
            assets[digest] = data
            if (weights > 127).mean() > 0.7:  # a hex covers three quarters of its box
                opaque.add(terrain.code)
            colour = f"#{bytes(mean.tolist()).hex()}"
            yield replace(terrain, colour=colour, asset=digest, picture="", body=False)

    def _layer(self, parts: list[Part], grid: Grid, values: dict[int, Look | None]) -> Layer:
        planes: Planes = {}
        (skip_x, skip_y) = self.geometry.skipped
        first = parts[0]
        lost = 0
        for part in parts:
            if part.cells is None:
                continue
            gids, inverse = np.unique(part.cells, return_inverse=True)
            inverse = inverse.reshape(part.cells.shape)
            looks = dict[tuple[str, int], list[tuple[int, int]]]()
            for at, gid in enumerate(gids.tolist()):
                look = values.get(gid)
                if look is not None and look.side < grid.degree:
                    looks.setdefault((look.plane, look.side), []).append((at, look.value))
                elif gid:
                    lost += int((inverse == at).sum())
            for (name, side), pairs in looks.items():
                spec = SYSTEM.plane(name)
                plane = planes.setdefault(name, spec.allocate(grid))
                lut = np.full(len(gids), spec.unset, spec.dtype)
                for at, value in pairs:
                    lut[at] = value
                box = (plane[..., side] if spec.place is Place.SIDE else plane)[skip_y:, skip_x:]
                np.copyto(box, lut[inverse], where=lut[inverse] != spec.unset)
        if lost:
            verb = many(lost, "is", "are")
            self._report(f"{counted(lost, 'cell')} of {first.name:.80} {verb} not shown")
        placed = (each for each in self.placed.values() if each.part in parts)
        return Layer(
            first.layer,
            first.name,
            first.is_visible,
            planes,
            opacity=first.opacity,
            locked=first.is_locked,
            secret=first.is_secret,
            things=Things(each.thing for each in placed),
        )

    def tile_cells(self) -> list[Cells]:
        """Return the cells of all tile layers."""
        each = (part.cells for parts in self.layers.values() for part in parts)
        return [cells for cells in each if cells is not None]

    def _background(self) -> str:
        colour = text(self.root, "backgroundcolor")[-6:]
        return f"#{colour.lower()}" if re.fullmatch("[0-9a-fA-F]{6}", colour) else "#808080"

    def _show_below(self, layers: list[Layer], terrains: list[Terrain], opaque: set[str]) -> None:
        """Give what is not opaque the colour of what it mostly lies on, and say where it hides."""
        shown = [
            layer.planes["terrain"]
            for layer in layers
            if layer.visible and "terrain" in layer.planes
        ]
        if not shown:
            return
        below = shown[0].copy()
        on = Counter[tuple[int, int]]()
        clear = [at for at, terrain in enumerate(terrains) if key_of(terrain) not in opaque]
        for plane in shown[1:]:
            hides = (below != 0xFFFF) & np.isin(plane, clear)
            pairs = plane[hides].astype(np.uint32) << 16 | below[hides]  # both have 16 bits
            distinct, counts = np.unique(pairs, return_counts=True)
            for pair, count in zip(distinct.tolist(), counts.tolist(), strict=True):
                on[pair >> 16, pair & 0xFFFF] += count
            np.copyto(below, plane, where=plane != 0xFFFF)
        for (at, ground), _count in reversed(on.most_common()):
            if terrains[at].asset:
                terrains[at] = replace(terrains[at], colour=terrains[ground].colour)
        if on:
            tiles = counted(on.total(), "tile")
            self._report(f"what is below {tiles} that may be transparent is not seen here")


def _parts(node: Node, above: Part) -> Iterator[Part]:
    """Yield all tile and object layers of a map or group, the lowest first. Raises NodeError."""
    for each in nodes(node, "layers"):
        part = Part(
            each,
            above.is_visible and each.get("visible", True) is True,
            min(1.0, max(0.0, above.opacity * real(each, "opacity", 1.0))),
            above.x + real(each, "offsetx"),
            above.y + real(each, "offsety"),
        )
        if text(each, "type") == "group":
            yield from _parts(each, part)
        elif text(each, "type") in ("tilelayer", "objectgroup"):
            yield part


def _by_layer(parts: list[Part]) -> dict[int, list[Part]]:
    """Return the parts of each of our layers by its id: those that we wrote say to which they
    belong.
    """
    ids_in_file = [properties(part.node).get(LAYER) for part in parts]
    ids = [each if type(each) is int and 0 < each <= LARGEST_ID else 0 for each in ids_in_file]
    layers = dict[int, list[Part]]()
    free = max(ids, default=0) + 1
    for part, number in zip(parts, ids, strict=True):
        part.layer = part.node[LAYER_KEY] = number or free
        free += not number
        layers.setdefault(part.layer, []).append(part)
    return layers


class _Block(NamedTuple):
    """Chunks of one size of a layer: their columns and rows in the file, and their cells.

    ``cells`` has the shape (chunks, height, width).
    """

    part: Part
    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    cells: NDArray[np.uint32]

    def box(self) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of what is not empty; something is not."""
        _chunks, height, width = self.cells.shape
        numbers = np.flatnonzero(self.cells.any(axis=(1, 2)))
        is_filled = self.cells[numbers] != 0
        filled_rows = np.asarray(is_filled.any(axis=2))
        filled_columns = np.asarray(is_filled.any(axis=1))
        lefts = self.columns[numbers] + filled_columns.argmax(axis=1)
        tops = self.rows[numbers] + filled_rows.argmax(axis=1)
        rights = self.columns[numbers] + width - filled_columns[:, ::-1].argmax(axis=1)
        bottoms = self.rows[numbers] + height - filled_rows[:, ::-1].argmax(axis=1)
        return int(lefts.min()), int(tops.min()), int(rights.max()), int(bottoms.max())

    def put(self, left: int, top: int) -> None:
        """Put the chunks into the cells of their layer, whose first cell is (left, top)."""
        target = self.part.cells
        assert target is not None, "only tile layers have chunks"
        _chunks, height, width = self.cells.shape
        if height * width <= _FEW_CELLS:
            columns = (self.columns - left)[:, None, None] + np.arange(width)[None, None, :]
            rows = (self.rows - top)[:, None, None] + np.arange(height)[None, :, None]
            columns, rows = np.broadcast_arrays(columns, rows)
            is_inside = (columns >= 0) & (columns < target.shape[1])
            is_inside &= (rows >= 0) & (rows < target.shape[0])
            target[rows[is_inside], columns[is_inside]] = self.cells[is_inside]
            return
        places = zip((self.columns - left).tolist(), (self.rows - top).tolist(), strict=True)
        for (x, y), cells in zip(places, self.cells, strict=True):
            in_map = target[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)]
            rows_in_map, columns_in_map = in_map.shape
            in_chunk = cells[max(0, -y) :, max(0, -x) :]
            in_map[:] = in_chunk[:rows_in_map, :columns_in_map]


_FEW_CELLS = 64
"""Chunks with no more cells are put into a map all at once, which takes more memory a cell."""


def _blocks(
    part: Part, chunks: list[Node], sizes: list[tuple[int, int]], all_cells: list[Cells]
) -> Iterator[_Block]:
    """Yield the chunks of a layer by their sizes. Raises NodeError for a position that is none."""
    numbers_by_size = dict[tuple[int, int], list[int]]()
    for number, size in enumerate(sizes):
        if size[0] * size[1]:
            numbers_by_size.setdefault(size, []).append(number)
    for numbers in numbers_by_size.values():
        columns = [whole(chunks[number], "x", 0, -_FAR, _FAR) for number in numbers]
        rows = [whole(chunks[number], "y", 0, -_FAR, _FAR) for number in numbers]
        cells = np.stack([all_cells[number] for number in numbers])
        yield _Block(part, np.array(columns, np.int64), np.array(rows, np.int64), cells)


def _too_many_cells(node: Node) -> NodeError:
    return NodeError(node, f"all layers have more than {_MOST_DECODED:,} cells together")


def _geometry(root: Node, left: int, top: int) -> Geometry:
    """Return the geometry of a map whose first cell is (left, top). Raises NodeError."""
    orientation = text(root, "orientation")
    width, height = (whole(root, key, 0, 1, 2**15) for key in ("tilewidth", "tileheight"))
    if orientation in ("orthogonal", "oblique"):
        return Geometry(SQUARE, left, top, (0, 0), (width, height), (width, height))
    if orientation == ISOMETRIC:
        return Geometry(SQUARE, left, top, (0, 0), (width, height), (height, height))
    if orientation not in ("hexagonal", "staggered"):
        kinds = "orthogonal, isometric, oblique, hexagonal and staggered maps are read"
        raise NodeError(root, f"this map is {orientation or 'of no kind'!s:.40}: {kinds}")
    width = max(2, width & ~1)
    height = max(2, height & ~1)
    axis = text(root, "staggeraxis") or "y"
    index = text(root, "staggerindex") or "odd"
    if axis not in ("x", "y") or index not in ("odd", "even"):
        raise NodeError(root, f"no map is staggered by {axis!r:.20}, {index!r:.20}")
    along = width if axis == "x" else height
    if orientation == "hexagonal":
        flat = whole(root, "hexsidelength", 0, 0, along)
    else:
        flat = 0
    step = (along - flat) // 2 + flat
    is_even = index == "even"
    if axis == "x":
        skipped = ((left & 1) ^ is_even, 0)
        return Geometry(FLAT, left, top, skipped, (width, height), (step, height))
    skipped = (0, (top & 1) ^ is_even)
    return Geometry(POINTY, left, top, skipped, (width, height), (width, step))
