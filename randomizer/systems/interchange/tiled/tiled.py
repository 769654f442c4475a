"""The formats ``tmx`` and ``tmj``: maps of Tiled, in XML and in JSON.

A layer of ours becomes several layers of Tiled. The layer "Ground" of a new map is written as::

    Ground                  a tile layer: terrains
    Ground: elevation       a tile layer
    Ground: hexsides north  a tile layer for each side on which there are hexsides
    Ground: way1            a tile layer for each kind of way, such as roads
    Ground: things          an object layer

Their tiles are in a tileset of ours, a file beside the map. A map that came from Tiled keeps its
own layers, tiles and objects, and all that has no place here; layers and tiles of ours are added
for what is painted with other terrains.

Reading begins at ``tiled_battlemap.battlemap_of``, writing here at ``_Writer.write_map``.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from randomizer.formats.tile_looks import TilePainter
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_naming import NEUTRAL
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

# All that a file of Tiled holds, by the words of ``losses``: none of it is lost.

_HELD_BY_TILES = ("elevation", "hexside", "line", "picture", "region")
"""The content that tiles of ours hold."""

_HELD_BY_PROPERTIES = ("property", "setting")
"""The content that properties of the map hold."""

_HELD_BY_OBJECTS = ("label", "start", "note", "object")
"""The content that objects hold."""


class TiledCodec(Codec):
    """Reads both notations and writes one: XML if ``is_xml``, else JSON."""

    program = "Tiled"
    flat_only = False
    related_formats = ("tmx", "tmj")

    def __init__(self, *, is_xml: bool) -> None:
        self.is_xml = is_xml

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        return battlemap_of(read_tiled_map(source, problems))

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        try:
            return _Writer(battlemap, original, stem, self.is_xml).write_map()
        except NodeError as wrong:
            raise fault(str(wrong), 1) from wrong


class _Writer:
    """Writes one map, into the nodes of the file that it came from or of a new file.

    Only what differs is changed there, so that all else of a file stays (docs/adr/0028).
    """

    def __init__(self, battlemap: BattleMap, original: Source, stem: str, is_xml: bool) -> None:
        self._battlemap = battlemap
        self._stem = stem
        """The name of the file without its ending; files beside it begin with it."""
        self._is_xml = is_xml
        self._tiled = _map_to_write_into(battlemap.grid, original)
        """The nodes that are written into."""
        skipped_columns, skipped_rows = self._tiled.geometry.skipped
        self._width = battlemap.grid.width - skipped_columns
        """The columns of the map in Tiled."""
        self._height = battlemap.grid.height - skipped_rows
        """The rows of the map in Tiled."""
        self._tilesets = TilesetWriter(battlemap, self._tiled, is_xml=is_xml)
        """The tiles that are written for the values of cells."""

    def write_map(self) -> Written:
        """Return the file, and those beside it; called once. Raises ProblemError."""
        battlemap = self._battlemap
        root = self._tiled.root
        hints = list[str]()

        # Cells are written as ids of the tiles that ``self._tilesets`` has chosen.
        self._write_layers()
        self._write_counters()
        self._write_properties()

        self._tilesets.name_after(self._stem)
        files = self._tilesets.files()
        if not self._is_xml:
            extracted = _extract_pictures(root, self._stem)
            files |= extracted.files
            if extracted.damaged_count:
                noun = counted(extracted.damaged_count, "picture")
                hints.append(f"{noun} in the file: damaged, so no file can be made of it")
        document = write(root, "map", as_xml=self._is_xml)

        # What is lost.
        for word, count in document.lost.items():
            if count:
                hints.append(_LOSSES[word].format(count=counted(count, word)))
        held_content = (*_HELD_BY_TILES, *_HELD_BY_PROPERTIES, *_HELD_BY_OBJECTS)
        lost = losses(battlemap, battlemap.composite(), **dict.fromkeys(held_content, 0))
        return Written(
            document.data,
            lost,
            hints=tuple(hints),
            files=files,
            pictures=_sheet_painter(battlemap, self._tilesets.sheets()),
        )

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
        """Write the size of the map, the next free ids, and the keys that readers of JSON need."""
        battlemap = self._battlemap
        tiled = self._tiled
        root = tiled.root
        if not tiled.is_infinite:
            root["width"] = self._width
            root["height"] = self._height
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
        """Return the property ``GRID`` of a grid; None for a grid that Tiled can describe itself.

        It is JSON with the values that Tiled has no place for, such as {"wrap": true}.
        """
        values: dict[str, object] = {}
        if grid.wrap:
            values["wrap"] = True
        if grid.naming != NEUTRAL:
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
        if _has_cells_of(grid, tiled):
            return tiled
    # A new map is written and read, so that it has all that a map from a file has.
    document = write(new_map(grid), "map", as_xml=False)
    return read_tiled_map(Source(document.data), [])


def _has_cells_of(grid: Grid, tiled: TiledMap) -> bool:
    """Return whether a file of Tiled has a place for each cell that a grid shows."""
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


class _ExtractedPictures(NamedTuple):
    """The result of ``_extract_pictures``."""

    files: dict[str, bytes]
    """The files of the pictures, by name."""
    damaged_count: int
    """The number of pictures that could not be unpacked, and are lost."""


def _extract_pictures(root: Node, stem: str) -> _ExtractedPictures:
    """Make files of the pictures in an XML file, since JSON can only name them.

    The nodes that had the pictures get the names of the files.
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
    return _ExtractedPictures(files, damaged_count)


def _suffix_of(holder: Node) -> str:
    """Return the ending of a file for the picture that is embedded in a node of an XML file."""
    suffix: str = holder[EMBEDDED].attributes.get("format", "png").lower()
    # The format is a text of the file, and may be anything, such as a path.
    if re.fullmatch("[a-z0-9]{1,5}", suffix):
        return suffix
    return "png"


def _sheet_painter(
    battlemap: BattleMap, sheets: Sequence[Sheet]
) -> Callable[[TilePainter | None], Mapping[str, bytes]]:
    """Return the function for ``Written.pictures``, which paints the pictures of our tilesets."""

    def paint_sheets(painter: TilePainter | None) -> Mapping[str, bytes]:
        """Return the pictures of all sheets; without a painter in the plain colours of terrains."""
        paint: TilePainter = paint_plainly
        if painter is not None:
            paint = painter
        pictures = dict[str, bytes]()
        for sheet in sheets:
            pictures[sheet.name] = paint(battlemap, sheet.looks, sheet.width, sheet.height)
        return pictures

    return paint_sheets


TMX = TiledCodec(is_xml=True)
TMJ = TiledCodec(is_xml=False)
