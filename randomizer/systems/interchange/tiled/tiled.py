"""The formats ``tmx`` and ``tmj``: maps of Tiled, in XML and in JSON.

Each of our layers becomes a tile layer of its terrains, further ones of its elevations, hexsides
(one a side) and ways, and an object layer of its things; their tiles are in a tileset of ours
beside the map. A map that came from Tiled keeps its own layers, tiles and objects, and all that has
no place here; ours come in addition for what is painted with other terrains.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from randomizer.formats import Look, TilePainter
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import RECORD
from randomizer.model.planes.planes import Place, PlaneSpec
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import Problem, error
from randomizer.model.records.assets import only, picture_size
from randomizer.model.things.things import Thing
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.free.system import MOST_CELLS, SYSTEM
from randomizer.systems.free.things import NAMES
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.tile_pictures import COLUMNS, paint_plainly
from randomizer.systems.interchange.tiled.tiled_battlemap import battlemap_of
from randomizer.systems.interchange.tiled.tiled_json import JSON_FILE
from randomizer.systems.interchange.tiled.tiled_map import (
    EMPTY,
    GRID,
    REGIONS,
    TERRAINS,
    TiledMap,
)
from randomizer.systems.interchange.tiled.tiled_nodes import (
    EMBEDDED,
    Node,
    NodeError,
    child,
    nodes,
    properties,
    real,
    set_properties,
    text,
    walk,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_notation import write
from randomizer.systems.interchange.tiled.tiled_objects import PlacedObject
from randomizer.systems.interchange.tiled.tiled_parts import (
    LAYER,
    LAYER_KEY,
    PLANE,
    SECRET,
    SIDE,
    Part,
)
from randomizer.systems.interchange.tiled.tiled_tiles import (
    MOST_PAINTED,
    OWN,
    Cells,
    Mark,
    Marks,
    Tileset,
    embedded_picture,
    encode_cells,
    key_of,
)

_VERSION = {"version": "1.8", "tiledversion": "1.8.2"}
"""The version of Tiled that we claim to be: later ones read its files, and Debian has this one."""

_SIZES: Mapping[str, Node] = {
    FLAT.name: {"tilewidth": 120, "tileheight": 104, "hexsidelength": 60, "staggeraxis": "x"},
    POINTY.name: {"tilewidth": 104, "tileheight": 120, "hexsidelength": 60, "staggeraxis": "y"},
    SQUARE.name: {"tilewidth": 96, "tileheight": 96},
}
"""The cells of maps that do not come from Tiled, by layout."""

_INSCRIPTIONS = frozenset(row[0] for row in NAMES)
"""Kinds of things that are written as texts."""

_LOSSES = {
    "comment": "{count}: Tiled's JSON has none",
    "element": "{count} that Tiled does not expect: its JSON has no place for them",
    "value": "{count} that Tiled does not know: its XML has no place for them",
    "character": "{count}: XML cannot hold them",
}
"""The hints for what one of the notations cannot hold, by the words of ``Document.lost``."""

_CHUNK = 16
"""The width and height of new chunks of infinite maps, in cells; Tiled's own are as large."""

_MOST_PLAIN = 100_000
"""New layers of more cells are packed: numbers in text are easier to compare, but longer."""

_NEAR = 1e-4
"""The pixels by which an object must have moved to be written with another position.

Positions become map units and pixels again, which loses the last digits.
"""


class TiledCodec(Codec):
    """Reads both notations and writes one."""

    program = "Tiled"
    flat_only = False
    kin = ("tmx", "tmj")

    def __init__(self, *, is_xml: bool) -> None:
        self.is_xml = is_xml

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        return battlemap_of(TiledMap(source, problems))

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        try:
            return _Writer(battlemap, original, stem, self.is_xml).written()
        except NodeError as wrong:
            raise fault(str(wrong), 1) from wrong


class _Writer:
    """Writes one map, into the nodes of the file that it came from or of a new file.

    Only what differs is changed there, so that all else of a file stays (docs/adr/0028).
    """

    def __init__(self, battlemap: BattleMap, original: Source, stem: str, is_xml: bool) -> None:
        self._battlemap = battlemap
        self._stem = stem
        self._is_xml = is_xml
        self._marks = Marks(battlemap.terrain_set)
        grid = battlemap.grid
        tiled: TiledMap | None = None
        if original.data:
            tiled = TiledMap(original, [])
        if tiled is None or not _fits(tiled, grid):
            if grid.layout.name not in _SIZES:
                message = "Tiled has no oblique maps before 1.12: nothing was written"
                raise error("other-layout", message)
            tiled = TiledMap(Source(write(_new_map(grid), "map", as_xml=False).data), [])
        self._tiled = tiled
        skipped_columns, skipped_rows = tiled.geometry.skipped
        self._width = grid.width - skipped_columns
        self._height = grid.height - skipped_rows
        self._gids = {mark: gid for gid, mark in reversed(tiled.gids().items())}
        """The global id of each mark that a tile of the map stands for."""
        if not _covers_tiles(battlemap):
            self._gids[Mark(name=EMPTY)] = 0
        self._own_tilesets = [tileset for tileset in tiled.tilesets if tileset.is_own]
        self._new_parts = list[Part]()
        self._has_new_objects = False

    def written(self) -> Written:
        """Return the file, and those beside it. Raises ProblemError."""
        battlemap = self._battlemap
        root = self._tiled.root
        self._add_tileset()
        for layer in battlemap.layers:
            self._write_layer(layer)
        self._arrange(root, {layer.id: index for index, layer in enumerate(battlemap.layers)})
        if not self._tiled.is_infinite:
            root |= {"width": self._width, "height": self._height}
        if self._has_new_objects and battlemap.next_thing_id > self._tiled.free_object_id:
            root["nextobjectid"] = battlemap.next_thing_id
        if not self._is_xml and JSON_FILE not in root:
            # Readers of JSON other than ours expect these, which XML may leave out.
            root.setdefault("nextlayerid", self._tiled.free_id)
            root.setdefault("nextobjectid", self._tiled.free_object_id)
            for key, value in _VERSION.items():
                root.setdefault(key, value)
        self._write_properties()
        files, pictures = self._write_tilesets()
        hints = list[str]()
        if not self._is_xml:
            files |= self._take_out_pictures(hints)
        document = write(root, "map", as_xml=self._is_xml)
        for word, count in document.lost.items():
            if count:
                hints.append(_LOSSES[word].format(count=counted(count, word)))
        # Tiled's properties and our tiles hold all of these, so none is lost.
        held = ("elevation", "hexside", "line", "property", "picture", "region", "setting")
        lost_counts = dict.fromkeys((*held, "label", "start", "note", "object"), 0)
        lost = losses(battlemap, battlemap.composite(), **lost_counts)
        return Written(document.data, lost, tuple(hints), files, pictures)

    # --- tilesets ---------------------------------------------------------------------------

    def _add_tileset(self) -> None:
        """Add a tileset of ours with the values for which no tile stands yet.

        It also gets those that a user may paint next, so that further changes need no tileset.
        """
        marks_in_use = dict[Mark, None]()  # a set in the order of its entries
        plane_names = set[str]()
        for layer in self._battlemap.layers:
            for spec, side, values in _planes(layer):
                plane_names.add(spec.name)
                for value in np.unique(values).tolist():
                    if value != spec.unset:
                        marks_in_use[self._marks.of(spec, side, value)] = None
        if marks_in_use.keys() <= self._gids.keys():
            return
        candidates = dict.fromkeys((*self._marks_to_paint(plane_names), *marks_in_use))
        marks = [mark for mark in candidates if mark not in self._gids]
        width, height = self._tiled.geometry.size
        if len(marks) * width * height > MOST_PAINTED:
            message = f"{len(marks):,} pictures are too many for a tileset: nothing was written"
            raise error("tileset", message)
        tilesets = self._tiled.tilesets
        first = max((tileset.first + tileset.room for tileset in tilesets), default=1)
        name = f"Battlelands {len(self._own_tilesets) + 1}"
        node = _new_tileset(name, marks, width, height)
        entry: Node = {"firstgid": first, "source": ""}
        self._tiled.root.setdefault("tilesets", []).append(entry)
        tiles = dict(enumerate(node["tiles"]))
        self._own_tilesets.append(Tileset(entry, node, ".", name, first, tiles))
        self._gids |= {mark: first + number for number, mark in enumerate(marks)}

    def _marks_to_paint(self, planes: set[str]) -> Iterable[Mark]:
        """Yield the marks that a user may want to paint next, of the planes that are in use."""
        terrain_set = self._battlemap.terrain_set
        degree = self._battlemap.grid.degree
        for terrain in terrain_set.terrains:
            if not terrain.missing:
                yield Mark(name=key_of(terrain))
        if "elevation" in planes:
            yield from (Mark("elevation", value=value) for value in terrain_set.elevations)
        if "hexside" in planes:
            letters = ["", *(hexside.letter for hexside in terrain_set.hexsides)]
            for side in range(degree):
                yield from (Mark("hexside", letter, side) for letter in letters)
        for way, spec in zip(terrain_set.ways, SYSTEM.ways, strict=False):
            if spec.name in planes:
                # No way, and a way that leaves the cell by each set of its sides.
                values = (0, *range(PRESENT, PRESENT + 2**degree))
                yield from (Mark("way", way.name, value=value) for value in values)

    def _write_tilesets(
        self,
    ) -> tuple[dict[str, bytes], Callable[[TilePainter | None], Mapping[str, bytes]]]:
        """Return the files beside the map, and the function that paints our tilesets.

        Our tilesets are named after the map, so that maps in one folder do not share them.
        """
        former_names = {text(tileset.entry, "source") for tileset in self._own_tilesets}
        former_names |= {text(tileset.node, "image") for tileset in self._own_tilesets}
        files = dict[str, bytes]()
        for name, data in self._tiled.source.files.items():
            if name not in former_names and fault_in_name(name) is None:
                files[name] = data
        sheets = list[_Sheet]()
        for number, tileset in enumerate(self._own_tilesets, 1):
            node = tileset.node
            stem = f"{self._stem}-terrains"
            if number > 1:
                stem += f"-{number}"
            node["image"] = f"{stem}.png"
            is_embedded = tileset.entry is node
            if not is_embedded:
                name = f"{stem}.tsx" if self._is_xml else f"{stem}.tsj"
                tileset.entry["source"] = name
                files[name] = write(node, "tileset", as_xml=self._is_xml).data
            marks = [tileset.mark(tile) for tile in range(max(1, tileset.count))]
            looks = [self._marks.look(mark) if mark else None for mark in marks]
            sheets.append(_Sheet(node["image"], looks, node["tilewidth"], node["tileheight"]))
        battlemap = self._battlemap

        def pictures(painter: TilePainter | None) -> Mapping[str, bytes]:
            paint = painter or paint_plainly
            return {
                sheet.name: paint(battlemap, sheet.looks, sheet.width, sheet.height)
                for sheet in sheets
            }

        return files, pictures

    def _take_out_pictures(self, hints: list[str]) -> dict[str, bytes]:
        """Make files of the pictures in an XML file, since JSON names pictures only.

        What cannot be unpacked is lost: that goes to ``hints``.
        """
        files = dict[str, bytes]()
        damaged_count = 0
        for holder in walk(self._tiled.root):
            if EMBEDDED not in holder or "image" in holder:
                continue
            try:
                data = embedded_picture(holder)
            except ValueError:
                damaged_count += 1
                continue
            size = picture_size(data)
            name = f"{self._stem}-picture-{len(files) + 1}.{_suffix_of(holder)}"
            files[name] = data
            holder["image"] = name
            if size is not None:
                holder.setdefault("imagewidth", size[0])
                holder.setdefault("imageheight", size[1])
        if damaged_count:
            pictures = counted(damaged_count, "picture")
            hints.append(f"{pictures} in the file: damaged, so no file can be made of it")
        return files

    # --- layers -----------------------------------------------------------------------------

    def _write_layer(self, layer: Layer) -> None:
        """Write a layer of ours into its parts, and add the parts that it lacks."""
        parts = self._tiled.layers.setdefault(layer.id, [])
        cells_of_planes = self._cells_of_planes(layer)
        empty_cells = np.zeros((self._height, self._width), np.uint32)
        for part in parts:
            if part.cells is not None:
                self._write_cells(part, cells_of_planes.pop(part.key, empty_cells))
        for (plane, side), cells in cells_of_planes.items():
            part = self._add_tile_layer(layer, plane, side)
            self._write_cells(part, cells)
        if layer.things and not any(part.cells is None for part in parts):
            node: Node = {
                "type": "objectgroup",
                "name": f"{layer.name}: things",
                "objects": [],
            }
            self._add_part(node, layer, {})
        self._write_things(layer, [part for part in parts if part.cells is None])
        for part in parts:
            self._write_attributes(part, layer)
        if parts and parts[0] not in self._new_parts and layer.name != parts[0].name:
            parts[0].node["name"] = layer.name

    def _cells_of_planes(self, layer: Layer) -> dict[tuple[str, int], Cells]:
        """Return the tiles for each plane and side of a layer, (height, width), by both."""
        skipped_columns, skipped_rows = self._tiled.geometry.skipped
        cells = dict[tuple[str, int], Cells]()
        for spec, side, values in _planes(layer):
            distinct_values, indices = np.unique(values, return_inverse=True)
            gids = list[int]()
            for value in distinct_values.tolist():
                if value == spec.unset:
                    gids.append(0)
                else:
                    gids.append(self._gids[self._marks.of(spec, side, value)])
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
                noun = f"hexsides {self._battlemap.grid.layout.side_names[side]}"
            name = f"{layer.name}: {noun}"
            values = {PLANE: plane, SIDE: side or None}
        node: Node = {"type": "tilelayer", "name": name, "encoding": "csv"}
        if self._width * self._height > _MOST_PLAIN:
            node |= {"encoding": "base64", "compression": "zlib"}
        return self._add_part(node, layer, values)

    def _write_attributes(self, part: Part, layer: Layer) -> None:
        """Write whether a layer is visible, locked and secret, and its opacity, where changed."""
        former = Part({}) if part in self._new_parts else part
        if layer.visible != former.is_visible:
            part.node["visible"] = layer.visible
        if layer.opacity != former.opacity:
            part.node["opacity"] = _opacity_in_group(layer.opacity, former, part.node)
        if layer.locked != former.is_locked:
            part.node["locked"] = layer.locked
        if layer.secret != part.is_secret:
            set_properties(part.node, {SECRET: layer.secret or None})

    def _add_part(self, node: Node, layer: Layer, values: Mapping[str, str | int | None]) -> Part:
        """Add a layer of Tiled with these properties as a part of a layer of ours.

        The first part gets the property as well that says which layer it is of: without it the
        two would be read as two layers.
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
        cells = None
        if "objects" not in node:
            cells = np.zeros((0, 0), np.uint32)  # other than any that are written
        part = Part(node, cells=cells)
        parts.append(part)
        self._new_parts.append(part)
        return part

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
        """Write cells into the chunks that a layer has; into new ones if these are not enough.

        Chunks whose cells did not change keep their text.
        """
        left = self._tiled.geometry.left
        top = self._tiled.geometry.top
        root = self._tiled.root
        node.pop("data", None)
        chunks = node.setdefault("chunks", [])
        gids_outside = gids.copy()  # the tiles that no chunk has room for
        for chunk in chunks:
            x = whole(chunk, "x", 0, -(2**31), 2**31) - left
            y = whole(chunk, "y", 0, -(2**31), 2**31) - top
            width = whole(chunk, "width", root.get("width", 0), 0, MOST_CELLS)
            height = whole(chunk, "height", root.get("height", 0), 0, MOST_CELLS)
            rows = slice(max(0, y), max(0, y + height))
            columns = slice(max(0, x), max(0, x + width))
            gids_outside[rows, columns] = 0
            box = gids[rows, columns]
            if former_gids is not None and np.array_equal(box, former_gids[rows, columns]):
                continue
            cells = np.zeros((height, width), np.uint32)
            cells[rows.start - y :, columns.start - x :][: len(box), : box.shape[1]] = box
            chunk["data"] = encode_cells(node, cells)
        if not gids_outside.any():
            return
        chunks.clear()
        for row in range(0, len(gids), _CHUNK):
            for column in range(0, gids.shape[1], _CHUNK):
                box = gids[row : row + _CHUNK, column : column + _CHUNK]
                if not box.any():
                    continue
                chunk = {"x": column + left, "y": row + top}
                chunk |= {"width": box.shape[1], "height": box.shape[0]}
                chunks.append({**chunk, "data": encode_cells(node, box)})

    def _arrange(self, node: Node, order: Mapping[int, int]) -> tuple[int, int]:
        """Bring the layers in a map or group into the order of ours, and return the highest rank.

        A rank is (kind, position of our layer): terrains lie below all other planes, and these
        below things. A layer that is not ours, such as one of images, has the rank of the one
        below it. Layers that were deleted are removed.
        """
        rank = (0, -1)
        ranked_layers = list[tuple[tuple[int, int], Node]]()
        for layer in nodes(node, "layers"):
            if text(layer, "type") == "group":
                rank = max(rank, self._arrange(layer, order))
            elif LAYER_KEY in layer:
                if layer[LAYER_KEY] not in order:
                    continue
                rank = (_rank_of_kind(layer), order[layer[LAYER_KEY]])
            ranked_layers.append((rank, layer))
        ranked_layers.sort(key=lambda ranked: ranked[0])
        node["layers"] = [layer for _rank, layer in ranked_layers]
        if ranked_layers:
            return ranked_layers[-1][0]
        return rank

    # --- objects ----------------------------------------------------------------------------

    def _write_things(self, layer: Layer, object_layers: list[Part]) -> None:
        """Write the things of a layer into its object layers.

        A thing stays in the object layer that it was read from; others go into the last one.
        """
        objects = {id(part): list[Node]() for part in object_layers}
        for thing in layer.things.values():
            placed = self._tiled.placed.get(thing.id)
            part = object_layers[-1]
            if placed is not None and placed.part in object_layers:
                part = placed.part
            objects[id(part)].append(self._object(thing, placed, part))
        for part in object_layers:
            former_objects = nodes(part.node, "objects")
            part.node["objects"] = _in_former_order(objects[id(part)], former_objects)

    def _object(self, thing: Thing, placed: PlacedObject | None, part: Part) -> Node:
        """Return the object of a thing, changed where the thing changed."""
        x, y = self._tiled.geometry.to_pixels(thing.x, thing.y)
        if placed is None:
            self._has_new_objects = True
            return self._new_object(thing, x - part.x, y - part.y)
        node = placed.node
        former = placed.thing
        if (thing.x, thing.y) != (former.x, former.y) or part is not placed.part:
            former_x, former_y = placed.centre
            right = (x - part.x) - (former_x - placed.part.x)
            down = (y - part.y) - (former_y - placed.part.y)
            if abs(right) > _NEAR:
                node["x"] = round(real(node, "x") + right, 4)
            if abs(down) > _NEAR:
                node["y"] = round(real(node, "y") + down, 4)
        if thing.angle != former.angle:
            node["rotation"] = thing.angle
        if thing.label != former.label:
            if "text" in node:
                child(node, "text")["text"] = thing.label
            node["name"] = thing.label
        if thing.kind != former.kind:
            # Tiled 1.9 called the type of an object its class, and no version before or since.
            is_of_1_9 = "class" in node and "type" not in node
            node["class" if is_of_1_9 else "type"] = thing.kind
        set_properties(node, _changed_properties(thing, former))
        return node

    def _new_object(self, thing: Thing, x: float, y: float) -> Node:
        """Return an object for a thing at (``x``, ``y``) in pixels: a text, or a point."""
        node: Node = {"id": thing.id, "name": thing.label, "type": thing.kind}
        if thing.kind in _INSCRIPTIONS and thing.label:
            pixel_size = max(8, self._tiled.geometry.size[1] // 6)
            # The box of the text, by the mean width of letters: Tiled cuts off what is outside.
            width = math.ceil(0.7 * pixel_size * len(thing.label))
            height = math.ceil(1.4 * pixel_size)
            # Its position is the upper left corner, around which Tiled turns it.
            turn = math.radians(thing.angle)
            x -= (width * math.cos(turn) - height * math.sin(turn)) / 2
            y -= (width * math.sin(turn) + height * math.cos(turn)) / 2
            node |= {"width": width, "height": height}
            node["text"] = {
                "text": thing.label,
                "pixelsize": pixel_size,
                "halign": "center",
                "valign": "center",
                "bold": True,
            }
        else:
            node["point"] = True
        node |= {"x": round(x, 4), "y": round(y, 4)}
        if thing.angle:
            node["rotation"] = thing.angle
        set_properties(node, _changed_properties(thing, None))
        return node

    # --- the map ----------------------------------------------------------------------------

    def _write_properties(self) -> None:
        """Write the properties of the map.

        With a tileset of ours they include the terrain set and the regions, to which its tiles
        refer. A property of the same name whose value is no text is another one, and stays.
        """
        battlemap = self._battlemap
        root = self._tiled.root
        map_properties = battlemap.composite().properties
        former_values = properties(root)
        values: dict[str, str | None] = {}
        for spec in SYSTEM.properties:
            former_value = former_values.get(spec.name)
            if former_value is None or isinstance(former_value, str):
                values[spec.name] = map_properties.get(spec.name) or None
        if self._own_tilesets:
            values[TERRAINS] = self._terrains_text()
            regions = battlemap.records.get(RECORD)
            values[REGIONS] = regions.text if regions else None
        values[GRID] = self._grid_text(battlemap.grid)
        set_properties(root, values)

    def _terrains_text(self) -> str:
        """Return the terrain set as text, with the pictures of terrains on tiles of ours.

        Pictures of other terrains are those of their tiles, and are cut out of these again.
        """
        keys = set[str]()
        for tileset in self._own_tilesets:
            marks = (tileset.mark(number) for number in tileset.tiles)
            keys.update(mark.name for mark in marks if mark is not None)
        terrains = self._battlemap.terrain_set.terrains
        digests = {terrain.asset for terrain in terrains if key_of(terrain) in keys}
        assets = only(self._battlemap.assets, digests)
        return write_terrains(self._battlemap.terrain_set, assets).decode()

    def _grid_text(self, grid: Grid) -> str | None:
        """Return the property ``GRID`` of a grid as JSON; None if Tiled's grid has all of it."""
        values: dict[str, object] = {}
        if grid.wrap:
            values["wrap"] = True
        if grid.naming != type(grid.naming)():
            values["naming"] = list(grid.naming)
        if grid.mask is not None:
            skipped_columns, skipped_rows = self._tiled.geometry.skipped
            mask = grid.mask[skipped_rows:, skipped_columns:]
            if not mask.all():
                values["mask"] = b64encode(zlib.compress(np.packbits(mask).tobytes())).decode()
        if not values:
            return None
        return json.dumps(values)


class _Sheet(NamedTuple):
    """The picture of a tileset of ours that is to be painted."""

    name: str
    """The name of its file."""
    looks: list[Look | None]
    """The values that its tiles show."""
    width: int
    """The width of a tile in pixels."""
    height: int
    """The height of a tile in pixels."""


def _opacity_in_group(opacity: float, former: Part, node: Node) -> float:
    """Return the opacity of a layer's node so that it has ``opacity`` together with its groups.

    Those of its groups stay: other layers are in them, too.
    """
    former_own_opacity = real(node, "opacity", 1.0) or 1.0
    group_opacity = former.opacity / former_own_opacity
    if not group_opacity:
        return opacity
    return min(1.0, opacity / group_opacity)


def _in_former_order(objects: list[Node], former_objects: list[Node]) -> list[Node]:
    """Return objects in the order that they had in the file, new ones behind them."""
    positions = {id(node): position for position, node in enumerate(former_objects)}
    last = len(positions)
    return sorted(objects, key=lambda node: positions.get(id(node), last))


def _rank_of_kind(layer: Node) -> int:
    """Return 0 for a layer of terrains, 1 for one of another plane, 2 for things of ours."""
    values = properties(layer)
    if text(layer, "type") == "objectgroup" and LAYER in values:
        return 2
    return int(PLANE in values)


def _fits(tiled: TiledMap, grid: Grid) -> bool:
    """Return whether a grid has the cells of a file, so that it can be written into that."""
    skipped_columns, skipped_rows = tiled.geometry.skipped
    if grid.layout is not tiled.geometry.layout:
        return False
    if grid.width <= skipped_columns or grid.height <= skipped_rows:
        return False
    if not skipped_columns and not skipped_rows:
        return True
    if grid.mask is None:
        return False  # the skipped cells exist on the map, and the file has no place for them
    shows_skipped = grid.mask[:, :skipped_columns].any() or grid.mask[:skipped_rows].any()
    return not shows_skipped


def _new_tileset(name: str, marks: list[Mark], width: int, height: int) -> Node:
    """Return a tileset of ours with a tile of this size, in pixels, for each mark."""
    rows = math.ceil(len(marks) / COLUMNS)
    node: Node = {
        "type": "tileset",
        **_VERSION,
        "name": name,
        "columns": COLUMNS,
        "tilewidth": width,
        "tileheight": height,
        "spacing": 0,
        "margin": 0,
        "tilecount": len(marks),
        "imagewidth": COLUMNS * width,
        "imageheight": rows * height,
        "properties": [],
        "tiles": [_tile(number, mark) for number, mark in enumerate(marks)],
    }
    set_properties(node, {OWN: True})
    return node


def _new_map(grid: Grid) -> Node:
    """Return a map of Tiled without layers for the cells of a grid."""
    name = grid.layout.name
    mask = grid.mask
    root: Node = {"type": "map", **_VERSION, "renderorder": "right-down", "infinite": False}
    root["orientation"] = "orthogonal" if name == SQUARE.name else "hexagonal"
    root |= _SIZES[name]
    width = grid.width
    height = grid.height
    if name != SQUARE.name:
        # A map whose first column (or row) is hidden is one that pushes the even ones in Tiled.
        root["staggerindex"] = "odd"
        if mask is not None and name == FLAT.name and width > 1 and not mask[:, 0].any():
            root["staggerindex"] = "even"
            width -= 1
        elif mask is not None and name == POINTY.name and height > 1 and not mask[0].any():
            root["staggerindex"] = "even"
            height -= 1
    root |= {"width": width, "height": height, "nextlayerid": 1, "nextobjectid": 1}
    return {**root, "tilesets": [], "layers": []}


def _planes(layer: Layer) -> Iterable[tuple[PlaneSpec, int, np.ndarray]]:
    """Yield each plane that a layer sets, its side (0 without sides), and its values.

    Values have the shape (height, width).
    """
    for spec in SYSTEM.planes:
        plane = layer.planes.get(spec.name)
        if plane is None:
            continue
        sides = range(plane.shape[2]) if spec.place is Place.SIDE else (0,)
        for side in sides:
            if spec.place is Place.SIDE:
                values = plane[..., side]
            else:
                values = plane
            if spec is SYSTEM.terrain or (values != spec.unset).any():
                yield spec, side, values


def _covers_tiles(battlemap: BattleMap) -> bool:
    """Return whether a layer has the terrain "empty" above another terrain.

    Then it needs a tile: a cell without one would show what lies below.
    """
    terrains = battlemap.terrain_set.terrains
    empty_codes = [code for code, terrain in enumerate(terrains) if terrain.code == EMPTY]
    has_terrain_below = np.zeros((battlemap.grid.height, battlemap.grid.width), bool)
    for layer in battlemap.layers:
        plane = layer.planes.get("terrain")
        if plane is not None:
            if (has_terrain_below & np.isin(plane, empty_codes)).any():
                return True
            has_terrain_below |= plane != SYSTEM.terrain.unset
    return False


def _tile(number: int, mark: Mark) -> Node:
    """Return a tile with its mark as properties; those that are 0 or "" are left out."""
    node: Node = {"id": number, "type": mark.plane}
    values: dict[str, str | int | None] = {
        "plane": mark.plane,
        "name": mark.name or None,
        "side": mark.side or None,
        "value": mark.value or None,
    }
    set_properties(node, values)
    return node


def _suffix_of(holder: Node) -> str:
    """Return the ending of a file for the picture that an XML file has in it."""
    suffix: str = holder[EMBEDDED].attributes.get("format", "png").lower()
    if re.fullmatch("[a-z0-9]{1,5}", suffix):
        return suffix
    return "png"


def _changed_properties(
    thing: Thing, former: Thing | None
) -> dict[str, bool | int | float | str | None]:
    """Return the properties of an object that changed with its thing; None removes one.

    A value that is a list or an object is left out: no property of Tiled can hold it.
    """
    former_state: Mapping[str, object] = former.state if former else {}
    former_owner = former.owner if former else 0
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


TMX = TiledCodec(is_xml=True)
TMJ = TiledCodec(is_xml=False)
