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
from randomizer.systems.interchange.foreign import Codec, Source, Written, fault, losses
from randomizer.systems.interchange.tile_pictures import COLUMNS, paint_plainly
from randomizer.systems.interchange.tiled.tiled_json import JSON_FILE
from randomizer.systems.interchange.tiled.tiled_map import (
    EMPTY,
    GRID,
    LAYER,
    LAYER_KEY,
    PLANE,
    REGIONS,
    SECRET,
    SIDE,
    TERRAINS,
    Part,
    Placed,
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
"""What is said of what one of the notations cannot hold."""

_CHUNK = 16

_MOST_PLAIN = 100_000
"""New layers of more cells are packed."""

_NEAR = 1e-4
"""Objects that move by less, in pixels, stay."""


class TiledCodec(Codec):
    """Reads both notations and writes one."""

    program = "Tiled"
    flat_only = False
    kin = ("tmx", "tmj")

    def __init__(self, *, is_xml: bool) -> None:
        self.is_xml = is_xml

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        return TiledMap(source, problems).battlemap()

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        try:
            return _Writer(battlemap, original, stem, self.is_xml).written()
        except NodeError as wrong:
            raise fault(str(wrong), 1) from wrong


class _Writer:
    """Writes one map."""

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
        skip_x, skip_y = tiled.geometry.skipped
        self._width = grid.width - skip_x
        self._height = grid.height - skip_y
        self._gids = {mark: gid for gid, mark in reversed(tiled.gids().items())}
        if not _covers_tiles(battlemap):
            self._gids[Mark(name=EMPTY)] = 0
        self._own = [tileset for tileset in tiled.tilesets if tileset.is_own]
        self._new = list[Part]()
        self._has_new_objects = False

    def written(self) -> Written:
        """Return the file, and those beside it. Raises ProblemError."""
        battlemap = self._battlemap
        root = self._tiled.root
        self._add_tileset()
        for layer in battlemap.layers:
            self._write_layer(layer)
        self._arrange(root, {layer.id: at for at, layer in enumerate(battlemap.layers)})
        if not self._tiled.is_infinite:
            root |= {"width": self._width, "height": self._height}
        if self._has_new_objects and battlemap.next_thing_id > self._tiled.free_object_id:
            root["nextobjectid"] = battlemap.next_thing_id
        if not self._is_xml and JSON_FILE not in root:  # others need what Tiled always writes
            numbers = {
                "nextlayerid": self._tiled.free_id,
                "nextobjectid": self._tiled.free_object_id,
            }
            for key, value in {**_VERSION, **numbers}.items():
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
        own = ("elevation", "hexside", "line", "property", "picture", "region", "setting")
        none = dict.fromkeys((*own, "label", "start", "note", "object"), 0)
        lost = losses(battlemap, battlemap.composite(), **none)
        return Written(document.data, lost, tuple(hints), files, pictures)

    # --- tilesets ---------------------------------------------------------------------------

    def _add_tileset(self) -> None:
        """Give a tile of ours to what has none; so that the next change needs none, to its like."""
        used = dict[Mark, None]()
        keys = set[str]()
        for layer in self._battlemap.layers:
            for spec, side, values in _planes(layer):
                keys.add(spec.name)
                present = (value for value in np.unique(values).tolist() if value != spec.unset)
                used |= dict.fromkeys(self._marks.of(spec, side, value) for value in present)
        if used.keys() <= self._gids.keys():
            return
        more = (mark for mark in (*self._usual(keys), *used) if mark not in self._gids)
        marks = list(dict.fromkeys(more))
        sets = self._tiled.tilesets
        (width, height) = self._tiled.geometry.size
        if len(marks) * width * height > MOST_PAINTED:
            message = f"{len(marks):,} pictures are too many for a tileset: nothing was written"
            raise error("tileset", message)
        first = max((each.first + each.room for each in sets), default=1)
        name = f"Battlelands {len(self._own) + 1}"
        node: Node = {"type": "tileset", **_VERSION, "name": name, "columns": COLUMNS}
        node |= {"tilewidth": width, "tileheight": height, "spacing": 0, "margin": 0}
        rows = -(-len(marks) // COLUMNS)
        node |= {"tilecount": len(marks), "imagewidth": COLUMNS * width}
        node |= {"imageheight": rows * height, "properties": []}
        node["tiles"] = [_tile(number, mark) for number, mark in enumerate(marks)]
        set_properties(node, {OWN: True})
        entry: Node = {"firstgid": first, "source": ""}
        self._tiled.root.setdefault("tilesets", []).append(entry)
        tiles = dict(enumerate(node["tiles"]))
        self._own.append(Tileset(entry, node, ".", name, first, tiles))
        self._gids |= {mark: first + number for number, mark in enumerate(marks)}

    def _usual(self, planes: set[str]) -> Iterable[Mark]:
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
            yield from (
                Mark("hexside", letter, side) for side in range(degree) for letter in letters
            )
        for way, spec in zip(terrain_set.ways, SYSTEM.ways, strict=False):
            if spec.name in planes:
                values = (0, *range(PRESENT, PRESENT + 2**degree))
                yield from (Mark("way", way.name, value=value) for value in values)

    def _write_tilesets(
        self,
    ) -> tuple[dict[str, bytes], Callable[[TilePainter | None], Mapping[str, bytes]]]:
        """Return the files beside the map, and the function that paints our tilesets."""
        source = self._tiled.source.files
        foreign = dict[str, bytes]()
        old = {text(each.entry, "source") for each in self._own}
        old |= {text(each.node, "image") for each in self._own}
        for name, data in source.items():
            if name not in old and fault_in_name(name) is None:
                foreign[name] = data
        painted = list[tuple[str, list[Look | None], int, int]]()
        for number, own in enumerate(self._own, 1):
            stem = f"{self._stem}-terrains{f'-{number}' if number > 1 else ''}"
            own.node["image"] = f"{stem}.png"
            if own.entry is not own.node:
                own.entry["source"] = f"{stem}{'.tsx' if self._is_xml else '.tsj'}"
                foreign[own.entry["source"]] = write(own.node, "tileset", as_xml=self._is_xml).data
            marks = (own.mark(at) for at in range(max(1, own.count)))
            looks = [self._marks.look(mark) if mark else None for mark in marks]
            size = own.node["tilewidth"], own.node["tileheight"]
            painted.append((own.node["image"], looks, *size))
        battlemap = self._battlemap

        def pictures(painter: TilePainter | None) -> Mapping[str, bytes]:
            paint = painter or paint_plainly
            return {name: paint(battlemap, looks, *size) for name, looks, *size in painted}

        return foreign, pictures

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
        parts = self._tiled.layers.setdefault(layer.id, [])
        cells = dict[tuple[str, int], Cells]()
        skip_x, skip_y = self._tiled.geometry.skipped
        for spec, side, values in _planes(layer):
            distinct, inverse = np.unique(values, return_inverse=True)
            gids = [
                0 if value == spec.unset else self._gids[self._marks.of(spec, side, value)]
                for value in distinct.tolist()
            ]
            all_gids = np.array(gids, np.uint32)[inverse].reshape(values.shape)
            cells[spec.name, side] = all_gids[skip_y:, skip_x:]
        none = np.zeros((self._height, self._width), np.uint32)
        for part in parts:
            if part.cells is not None:
                self._write_cells(part, cells.pop(part.key, none))
        for (plane, side), gids_of_plane in cells.items():
            title = layer.name
            own = {}
            if plane != "terrain":
                sides = self._battlemap.grid.layout.side_names
                if plane == "hexside":
                    what = f"hexsides {sides[side]}"
                else:
                    what = plane.replace("_", " ")
                title = f"{layer.name}: {what}"
                own = {PLANE: plane, SIDE: side or None}
            node: Node = {"type": "tilelayer", "name": title, "encoding": "csv"}
            if none.size > _MOST_PLAIN:
                node |= {"encoding": "base64", "compression": "zlib"}
            self._write_cells(self._add(node, layer, own), gids_of_plane)
        if layer.things and not any(part.cells is None for part in parts):
            node = {"type": "objectgroup", "name": f"{layer.name}: things", "objects": []}
            self._add(node, layer, {})
        self._write_things(layer, [part for part in parts if part.cells is None])
        for part in parts:
            old = part if part not in self._new else Part({})
            opacity = layer.opacity
            if opacity != old.opacity:  # that of its groups stays
                share = old.opacity / (real(part.node, "opacity", 1.0) or 1.0)
                opacity = min(1.0, opacity / share) if share else opacity
            looks = {"visible": layer.visible, "opacity": opacity, "locked": layer.locked}
            usual = {"visible": old.is_visible, "opacity": old.opacity, "locked": old.is_locked}
            part.node |= {key: value for key, value in looks.items() if value != usual[key]}
            if layer.secret != part.is_secret:
                set_properties(part.node, {SECRET: layer.secret or None})
        if parts and parts[0] not in self._new and layer.name != parts[0].name:
            parts[0].node["name"] = layer.name

    def _add(self, node: Node, layer: Layer, own: Mapping[str, str | int | None]) -> Part:
        """Add a layer of Tiled's for a part of one of ours."""
        root = self._tiled.root
        parts = self._tiled.layers[layer.id]
        node["id"] = self._tiled.free_id
        self._tiled.free_id += 1
        root["nextlayerid"] = self._tiled.free_id
        for each in (node, *(part.node for part in parts[:1])):
            set_properties(each, {LAYER: layer.id})
        set_properties(node, own)
        node[LAYER_KEY] = layer.id
        root.setdefault("layers", []).append(node)
        part = Part(node, cells=None if "objects" in node else np.zeros((0, 0), np.uint32))
        parts.append(part)
        self._new.append(part)
        return part

    def _write_cells(self, part: Part, gids: Cells) -> None:
        node = part.node
        if part.cells is not None and np.array_equal(gids, part.cells):
            return
        if self._tiled.is_infinite:
            self._write_chunks(node, gids, part.cells)
            return
        node.pop("chunks", None)
        for key, length in (("width", self._width), ("height", self._height)):
            if part in self._new or node.get(key, self._tiled.root.get(key)) != length:
                node[key] = length
        node["data"] = encode_cells(node, gids)
        node.setdefault("encoding", "csv")

    def _write_chunks(self, node: Node, gids: Cells, former_gids: Cells | None) -> None:
        """Write cells into the chunks that a layer has; into new ones if these are not enough.

        Chunks whose cells are as they were stay as they are.
        """
        left = self._tiled.geometry.left
        top = self._tiled.geometry.top
        root = self._tiled.root
        node.pop("data", None)
        chunks = node.setdefault("chunks", [])
        rest = gids.copy()
        for chunk in chunks:
            x = whole(chunk, "x", 0, -(2**31), 2**31) - left
            y = whole(chunk, "y", 0, -(2**31), 2**31) - top
            width = whole(chunk, "width", root.get("width", 0), 0, MOST_CELLS)
            height = whole(chunk, "height", root.get("height", 0), 0, MOST_CELLS)
            rows = slice(max(0, y), max(0, y + height))
            columns = slice(max(0, x), max(0, x + width))
            rest[rows, columns] = 0
            box = gids[rows, columns]
            if former_gids is None:
                former_box = None
            else:
                former_box = former_gids[rows, columns]
            if former_box is not None and np.array_equal(box, former_box):
                continue
            cells = np.zeros((height, width), np.uint32)
            cells[rows.start - y :, columns.start - x :][: len(box), : box.shape[1]] = box
            chunk["data"] = encode_cells(node, cells)
        if rest.any():
            chunks.clear()
            for y in range(0, len(gids), _CHUNK):
                for x in range(0, gids.shape[1], _CHUNK):
                    part = gids[y : y + _CHUNK, x : x + _CHUNK]
                    box_of = {"x": x + left, "y": y + top}
                    box_of |= {"width": part.shape[1], "height": part.shape[0]}
                    if part.any():
                        chunks.append({**box_of, "data": encode_cells(node, part)})

    def _arrange(self, node: Node, order: Mapping[int, int]) -> tuple[int, int]:
        """Bring layers into the order of ours; marks lie above all terrains, things above marks.

        Those of a layer that is gone go. Returns the rank of the highest one.
        """
        rank = (0, -1)
        ranks = list[tuple[tuple[int, int], Node]]()
        for each in nodes(node, "layers"):
            values = properties(each)
            if text(each, "type") == "group":
                rank = max(rank, self._arrange(each, order))
            elif LAYER_KEY in each:
                if each[LAYER_KEY] not in order:
                    continue
                is_things = text(each, "type") == "objectgroup" and LAYER in values
                rank = 2 * is_things or int(PLANE in values), order[each[LAYER_KEY]]
            ranks.append((rank, each))
        ranks.sort(key=lambda pair: pair[0])
        node["layers"] = [each for _rank, each in ranks]
        if ranks:
            return ranks[-1][0]
        return rank

    # --- objects ----------------------------------------------------------------------------

    def _write_things(self, layer: Layer, groups: list[Part]) -> None:
        objects = {id(part): list[Node]() for part in groups}
        for thing in layer.things.values():
            placed = self._tiled.placed.get(thing.id)
            if placed and placed.part in groups:
                part = placed.part
            else:
                part = groups[-1]
            objects[id(part)].append(self._object(thing, placed, part))
        for part in groups:
            before = {id(node): at for at, node in enumerate(nodes(part.node, "objects"))}
            new = sorted(objects[id(part)], key=lambda each: before.get(id(each), len(before)))
            part.node["objects"] = new

    def _object(self, thing: Thing, placed: Placed | None, part: Part) -> Node:
        """Return the object of a thing, of which only what changed with the thing is new."""
        x, y = self._tiled.geometry.to_pixels(thing.x, thing.y)
        if placed is None:
            self._has_new_objects = True
            return self._new_object(thing, x - part.x, y - part.y)
        node = placed.node
        before = placed.thing
        if (thing.x, thing.y) != (before.x, before.y) or part is not placed.part:
            (old_x, old_y) = placed.centre
            left = placed.part.x
            top = placed.part.y
            for key, far in (("x", x - old_x + left - part.x), ("y", y - old_y + top - part.y)):
                if abs(far) > _NEAR:
                    node[key] = round(real(node, key) + far, 4)
        if thing.angle != before.angle:
            node["rotation"] = thing.angle
        if thing.label != before.label:
            if "text" in node:
                child(node, "text")["text"] = thing.label
            node["name"] = thing.label
        if thing.kind != before.kind:
            node["class" if "class" in node and "type" not in node else "type"] = thing.kind
        set_properties(node, _changed(thing, before))
        return node

    def _new_object(self, thing: Thing, x: float, y: float) -> Node:
        node: Node = {"id": thing.id, "name": thing.label, "type": thing.kind}
        if thing.kind in _INSCRIPTIONS and thing.label:
            pixels = max(8, self._tiled.geometry.size[1] // 6)
            width = math.ceil(0.7 * pixels * len(thing.label))
            height = math.ceil(1.4 * pixels)
            turn = math.radians(thing.angle)
            x -= (width * math.cos(turn) - height * math.sin(turn)) / 2
            y -= (width * math.sin(turn) + height * math.cos(turn)) / 2
            node |= {"width": width, "height": height}
            about = {"text": thing.label, "pixelsize": pixels, "halign": "center"}
            node["text"] = {**about, "valign": "center", "bold": True}
        else:
            node["point"] = True
        node |= {"x": round(x, 4), "y": round(y, 4)}
        if thing.angle:
            node["rotation"] = thing.angle
        set_properties(node, _changed(thing, None))
        return node

    # --- the map ----------------------------------------------------------------------------

    def _write_properties(self) -> None:
        """Write the properties of the map, and what Tiled has no place for if it has our tiles."""
        battlemap = self._battlemap
        root = self._tiled.root
        grid = self._battlemap.grid
        shown = battlemap.composite().properties
        values: dict[str, str | None] = {}
        for each in SYSTEM.properties:
            before = properties(root).get(each.name)
            if before is None or isinstance(before, str):
                values[each.name] = shown.get(each.name) or None
        if self._own:
            codes = {mark.name for own in self._own for at in own.tiles if (mark := own.mark(at))}
            pictures = {
                terrain.asset
                for terrain in battlemap.terrain_set.terrains
                if key_of(terrain) in codes
            }
            saved = write_terrains(battlemap.terrain_set, only(battlemap.assets, pictures))
            regions = battlemap.records.get(RECORD)
            values[TERRAINS] = saved.decode()
            values[REGIONS] = regions.text if regions else None
        values[GRID] = self._grid_text(grid)
        set_properties(root, values)

    def _grid_text(self, grid: Grid) -> str | None:
        """Return as JSON what Tiled does not know of a grid; None for nothing."""
        about: dict[str, object] = {}
        if grid.wrap:
            about["wrap"] = True
        if grid.naming != type(grid.naming)():
            about["naming"] = list(grid.naming)
        if grid.mask is not None:
            skip_x, skip_y = self._tiled.geometry.skipped
            mask = grid.mask[skip_y:, skip_x:]
            if not mask.all():
                about["mask"] = b64encode(zlib.compress(np.packbits(mask).tobytes())).decode()
        if about:
            return json.dumps(about)
        return None


def _fits(tiled: TiledMap, grid: Grid) -> bool:
    """Return whether the original of a map still has its cells."""
    skip_x, skip_y = tiled.geometry.skipped
    if grid.layout is not tiled.geometry.layout or grid.width <= skip_x or grid.height <= skip_y:
        return False
    if grid.mask is not None:
        hidden = [grid.mask[:, :skip_x], grid.mask[:skip_y]]
    else:
        hidden = []
    return not (skip_x or skip_y) or bool(hidden and not any(each.any() for each in hidden))


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
        is_even = False
        if mask is not None and name == FLAT.name and width > 1 and not mask[:, 0].any():
            is_even = True
            width = width - 1
        elif mask is not None and name == POINTY.name and height > 1 and not mask[0].any():
            is_even = True
            height = height - 1
        root["staggerindex"] = "even" if is_even else "odd"
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
    """Return whether a layer is painted empty over a terrain: without a tile that would be seen."""
    terrains = battlemap.terrain_set.terrains
    empty = [code for code, terrain in enumerate(terrains) if terrain.code == EMPTY]
    below = np.zeros((battlemap.grid.height, battlemap.grid.width), bool)
    for layer in battlemap.layers:
        plane = layer.planes.get("terrain")
        if plane is not None:
            if (below & np.isin(plane, empty)).any():
                return True
            below |= plane != SYSTEM.terrain.unset
    return False


def _tile(number: int, mark: Mark) -> Node:
    node: Node = {"id": number, "type": mark.plane}
    values = {"plane": mark.plane, "name": mark.name or None}
    own = {"side": mark.side or None, "value": mark.value or None}
    set_properties(node, {**values, **own})
    return node


def _suffix_of(holder: Node) -> str:
    """Return the ending of a file for the picture that an XML file has in it."""
    suffix = holder[EMBEDDED].attributes.get("format", "png").lower()
    return suffix if re.fullmatch("[a-z0-9]{1,5}", suffix) else "png"


def _changed(thing: Thing, before: Thing | None) -> dict[str, bool | int | float | str | None]:
    """Return the properties that differ, None for those that are gone.

    What is no single value is left out: no property of Tiled's can hold it.
    """
    old = dict(before.state if before else {})
    new = dict(thing.state)
    values = {name: new.get(name) for name in (*old, *new) if old.get(name) != new.get(name)}
    if thing.owner != (before.owner if before else 0):
        values["owner"] = thing.owner or None
    return {
        name: value
        for name, value in values.items()
        if value is None or isinstance(value, bool | int | float | str)
    }


TMX = TiledCodec(is_xml=True)
TMJ = TiledCodec(is_xml=False)
