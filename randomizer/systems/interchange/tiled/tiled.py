"""The formats ``tmx`` and ``tmj``: maps of Tiled, in XML and in JSON.

Each of our layers becomes a tile layer of its terrains, further ones of its elevations, hexsides
(one a side) and ways, and an object layer of its things; their tiles are in a tileset of ours
beside the map. A map that came from Tiled keeps its own layers, tiles and objects, and all that has
no place here; ours come in addition for what is painted with other terrains.

Reading begins at ``tiled_battlemap.battlemap_of``, writing here at ``_Writer.written``.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from randomizer.formats import TilePainter
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import RECORD
from randomizer.model.problems import Problem
from randomizer.model.records.assets import picture_size
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.tile_pictures import paint_plainly
from randomizer.systems.interchange.tiled.tiled_battlemap import battlemap_of
from randomizer.systems.interchange.tiled.tiled_json import JSON_FILE
from randomizer.systems.interchange.tiled.tiled_layer_writer import LayerWriter, arrange_layers
from randomizer.systems.interchange.tiled.tiled_map import (
    GRID,
    REGIONS,
    TERRAINS,
    TiledMap,
    read_tiled_map,
)
from randomizer.systems.interchange.tiled.tiled_new_map import VERSION, new_map
from randomizer.systems.interchange.tiled.tiled_nodes import (
    EMBEDDED,
    Node,
    NodeError,
    properties,
    set_properties,
    walk,
)
from randomizer.systems.interchange.tiled.tiled_notation import write
from randomizer.systems.interchange.tiled.tiled_pictures import embedded_picture
from randomizer.systems.interchange.tiled.tiled_tileset_writer import Sheet, TilesetWriter

_LOSSES = {
    "comment": "{count}: Tiled's JSON has none",
    "element": "{count} that Tiled does not expect: its JSON has no place for them",
    "value": "{count} that Tiled does not know: its XML has no place for them",
    "character": "{count}: XML cannot hold them",
}
"""The hints for what one of the notations cannot hold, by the words of ``Document.lost``."""


_HELD = ("elevation", "hexside", "line", "property", "picture", "region", "setting")
"""Words of ``losses`` for what properties of Tiled's and tiles of ours hold; none of it is lost."""

_HELD_AS_OBJECTS = ("label", "start", "note", "object")
"""Words of ``losses`` for what objects hold; none of it is lost."""


class TiledCodec(Codec):
    """Reads both notations and writes one."""

    program = "Tiled"
    flat_only = False
    kin = ("tmx", "tmj")

    def __init__(self, *, is_xml: bool) -> None:
        self.is_xml = is_xml

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        return battlemap_of(read_tiled_map(source, problems))

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
        self._tiled = _map_to_write_into(battlemap.grid, original)
        skipped_columns, skipped_rows = self._tiled.geometry.skipped
        self._width = battlemap.grid.width - skipped_columns
        self._height = battlemap.grid.height - skipped_rows
        self._tilesets = TilesetWriter(battlemap, self._tiled)

    def written(self) -> Written:
        """Return the file, and those beside it. Raises ProblemError."""
        battlemap = self._battlemap
        root = self._tiled.root
        hints = list[str]()

        # Tilesets come first: cells are written as ids of their tiles.
        self._tilesets.add_tileset()
        self._write_layers()
        self._write_counters()
        self._write_properties()

        # Tilesets get the names of their files here, which the root then refers to.
        files = self._tilesets.files(self._stem, self._is_xml)
        if not self._is_xml:
            files |= _take_out_pictures(root, self._stem, hints)
        document = write(root, "map", as_xml=self._is_xml)

        for word, count in document.lost.items():
            if count:
                hints.append(_LOSSES[word].format(count=counted(count, word)))
        lost_counts = dict.fromkeys((*_HELD, *_HELD_AS_OBJECTS), 0)
        lost = losses(battlemap, battlemap.composite(), **lost_counts)
        pictures = _pictures(battlemap, self._tilesets.sheets())
        return Written(document.data, lost, tuple(hints), files, pictures)

    def _write_layers(self) -> None:
        """Write all layers, and bring those of the file into their order."""
        battlemap = self._battlemap
        writer = LayerWriter(self._tiled, self._tilesets, battlemap.grid, self._width, self._height)
        positions = dict[int, int]()
        for position, layer in enumerate(battlemap.layers):
            writer.write_layer(layer)
            positions[layer.id] = position
        arrange_layers(self._tiled.root, positions)

    def _write_counters(self) -> None:
        """Write the size of the map, the next free ids, and what readers of JSON expect."""
        battlemap = self._battlemap
        tiled = self._tiled
        root = tiled.root
        if not tiled.is_infinite:
            root |= {"width": self._width, "height": self._height}
        if self._has_new_objects() and battlemap.next_thing_id > tiled.free_object_id:
            root["nextobjectid"] = battlemap.next_thing_id
        if not self._is_xml and JSON_FILE not in root:
            # Readers of JSON other than ours expect these, which XML may leave out.
            root.setdefault("nextlayerid", tiled.free_id)
            root.setdefault("nextobjectid", tiled.free_object_id)
            for key, value in VERSION.items():
                root.setdefault(key, value)

    def _has_new_objects(self) -> bool:
        """Return whether a thing was not read from an object of the file."""
        for layer in self._battlemap.layers:
            for thing in layer.things.values():
                if thing.id not in self._tiled.placed:
                    return True
        return False

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
        if self._tilesets.own_tilesets:
            values[TERRAINS] = self._tilesets.terrains_text()
            regions = battlemap.records.get(RECORD)
            values[REGIONS] = regions.text if regions else None
        values[GRID] = self._grid_text(battlemap.grid)
        set_properties(root, values)

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


def _map_to_write_into(grid: Grid, original: Source) -> TiledMap:
    """Return the map of Tiled that a map came from, or a new one if there is none with its cells.

    Raises ProblemError for a grid that Tiled does not have.
    """
    if original.data:
        tiled = read_tiled_map(original, [])
        if _fits(tiled, grid):
            return tiled
    document = write(new_map(grid), "map", as_xml=False)
    return read_tiled_map(Source(document.data), [])


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


def _pictures(
    battlemap: BattleMap, sheets: Sequence[Sheet]
) -> Callable[[TilePainter | None], Mapping[str, bytes]]:
    """Return the function that paints the pictures of our tilesets, by the names of their files."""

    def paint_sheets(painter: TilePainter | None) -> Mapping[str, bytes]:
        """Paint all sheets; without a painter in the plain colours of terrains."""
        paint: TilePainter = paint_plainly
        if painter is not None:
            paint = painter
        pictures = dict[str, bytes]()
        for sheet in sheets:
            pictures[sheet.name] = paint(battlemap, sheet.looks, sheet.width, sheet.height)
        return pictures

    return paint_sheets


def _take_out_pictures(root: Node, stem: str, hints: list[str]) -> dict[str, bytes]:
    """Make files of the pictures in an XML file, since JSON names pictures only.

    What cannot be unpacked is lost: that goes to ``hints``.
    """
    files = dict[str, bytes]()
    damaged_count = 0
    for holder in walk(root):
        if EMBEDDED not in holder or "image" in holder:
            continue
        try:
            data = embedded_picture(holder)
        except ValueError:
            damaged_count += 1
            continue
        size = picture_size(data)
        name = f"{stem}-picture-{len(files) + 1}.{_suffix_of(holder)}"
        files[name] = data
        holder["image"] = name
        if size is not None:
            holder.setdefault("imagewidth", size[0])
            holder.setdefault("imageheight", size[1])
    if damaged_count:
        pictures = counted(damaged_count, "picture")
        hints.append(f"{pictures} in the file: damaged, so no file can be made of it")
    return files


def _suffix_of(holder: Node) -> str:
    """Return the ending of a file for the picture that an XML file has in it."""
    suffix: str = holder[EMBEDDED].attributes.get("format", "png").lower()
    if re.fullmatch("[a-z0-9]{1,5}", suffix):
        return suffix
    return "png"


TMX = TiledCodec(is_xml=True)
TMJ = TiledCodec(is_xml=False)
