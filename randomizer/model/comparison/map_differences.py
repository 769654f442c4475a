"""Compares all of two maps: what they show, and their layers, terrain sets and records::

    differences = compare_maps(ours, theirs)
    print(differences.count)
    for part in differences.parts:
        print(part_text(part))

The command line compares two files so (``diff``); the desk compares what they show alone
(comparison.py). Left out is what nobody sees or sets: ids, which values are touched, the order of
terrains in lists, and the file that a map of another program was read from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.model.basics.plurals import counted, listed, many
from randomizer.model.comparison.comparison import (
    Comparison,
    ShownMap,
    compare,
    differing_indices,
    differing_things,
    existing_cells,
)
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.regions import NO_REGION, joint_regions, regions_of, with_codes_of
from randomizer.model.planes.planes import Element
from randomizer.model.records.map_records import ORIGINAL

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.map.regions import Regions
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.terrain.terrain import TerrainSet

Values = Mapping[str, object]
"""Values that differ, by name: ``{"opacity": 0.5, "lock": "locked"}``.

A value that says by itself what it is has the name ``UNNAMED``: ``{"": "5 x 7 flat"}``.
"""

UNNAMED = ""
"""The name of a value that is shown without a name: the title of a system, a line of text."""

NO_COUNTS: Mapping[str, int] = MappingProxyType({})

LONGEST_TEXT = 60
"""The characters of a value that a line of text shows."""

WORDS = ("visibility", "lock", "secrecy")
"""The settings of a layer whose values need no name before them: "hidden", "locked"."""

UNCOMPARED_FIELDS = ("name", "order")
"""The fields of terrains, hexsides and ways that are not compared: names pair them, and their order
in lists follows their numbers in maps of other programs."""


class PartKind(StrEnum):
    """The part of a map in which something differs; its value is the word for it in a text."""

    SYSTEM = "system"
    GRID = "grid"
    LAYER = "layer"
    """One layer: its settings or its contents, or one map lacks it."""
    LAYERS = "layers"
    """The order of the layers that both maps have."""
    TERRAIN_SET = "terrain set"
    """The terrain set itself, without its entries."""
    TERRAIN = "terrain"
    HEXSIDE = "hexside"
    WAY = "way"
    RECORD = "record"


@dataclass(frozen=True)
class PartDifference:
    """A difference in a layer, a terrain, a record or another part of two maps."""

    kind: PartKind
    """What the part is."""

    name: str
    """The name of the part; "" for one of which each map has one, such as its grid."""

    ours: Values | None
    """Our values of what differs; None where theirs alone has the part."""

    theirs: Values | None
    """Their values of what differs; None where ours alone has the part."""

    counts: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    """How many cells, sides, corners, things and properties of a layer differ, seen or not.

    By the word for them: ``{"cell": 3}``. Without those of which none differ.
    """


@dataclass(frozen=True, eq=False)
class MapDifferences:
    """All differences between two maps."""

    parts: tuple[PartDifference, ...]

    shown: Comparison | None
    """The differences of what they show.

    None where systems or grids differ, so that neither cells nor things can be compared.
    """

    @cached_property
    def count(self) -> int:
        """The number of differences; those in a layer are one."""
        if self.shown is None:
            return len(self.parts)
        return len(self.parts) + self.shown.count


def compare_maps(ours: BattleMap, theirs: BattleMap, *, shown_only: bool = False) -> MapDifferences:
    """Return all differences; with ``shown_only`` those alone that a person sees.

    Maps of different systems or grids can be compared, too: that is a difference then.
    """
    parts = list(_kind_differences(ours, theirs))
    shown = None
    if not parts:
        shown = compare(ShownMap.of(ours), ShownMap.of(theirs))
    if ours.system is theirs.system and not shown_only:
        parts += _layer_differences(ours, theirs, compares_contents=shown is not None)
        are_from_files = ORIGINAL in ours.records and ORIGINAL in theirs.records
        parts += _terrain_set_differences(
            ours.terrain_set, theirs.terrain_set, are_from_files=are_from_files
        )
        parts += _record_differences(ours.records, theirs.records)
    return MapDifferences(tuple(parts), shown)


def part_text(part: PartDifference) -> str:
    """Return a difference in one line, ours first: ``layer Roads: hidden | visible``."""
    texts = []
    has_differing_values = part.ours is None or part.theirs is None or part.ours != part.theirs
    if has_differing_values:
        texts.append(f"{_values_text(part.ours)} | {_values_text(part.theirs)}")
    if part.counts:
        numbers = [counted(number, *_nouns(word)) for word, number in part.counts.items()]
        total = sum(part.counts.values())
        texts.append(f"{listed(numbers)} {many(total, 'differs', 'differ')}")
    return f"{part.kind} {part.name}".rstrip() + f": {'; '.join(texts)}"


def _nouns(word: str) -> tuple[str, str]:
    """Return the singular and the plural of a word of ``PartDifference.counts``."""
    if word == "property":
        return word, "properties"
    return word, f"{word}s"


def _values_text(values: Values | None) -> str:
    """Return values in a line: "none" if the map lacks the part, "there" if it has no values."""
    if values is None:
        return "none"
    texts = []
    for name, value in values.items():
        if isinstance(value, str):
            text = value
        else:
            text = json.dumps(value, ensure_ascii=False)
        if len(text) > LONGEST_TEXT:
            text = f"{text[: LONGEST_TEXT - 1]}…"
        if name != UNNAMED and name not in WORDS:
            text = f"{name} {text}"
        texts.append(text)
    return ", ".join(texts) or "there"


def _changed(
    kind: PartKind, name: str, ours: Values | None, theirs: Values | None
) -> Iterator[PartDifference]:
    """Yield the difference of a part with the values that differ, if one does."""
    if ours is None or theirs is None:
        yield PartDifference(kind, name, ours, theirs)
        return
    names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    if names:
        our_values = {name: ours[name] for name in names if name in ours}
        their_values = {name: theirs[name] for name in names if name in theirs}
        yield PartDifference(kind, name, our_values, their_values)


# --- systems and grids ----------------------------------------------------------------------------


def _kind_differences(ours: BattleMap, theirs: BattleMap) -> Iterator[PartDifference]:
    """Yield the differences because of which cells cannot be compared one by one."""
    if ours.system is not theirs.system:
        our_system = {UNNAMED: ours.system.title}
        their_system = {UNNAMED: theirs.system.title}
        yield PartDifference(PartKind.SYSTEM, "", our_system, their_system)
        return
    our_grid = _grid_values(ours.grid)
    their_grid = _grid_values(theirs.grid)
    yield from _changed(PartKind.GRID, "", our_grid, their_grid)
    same_cells = np.array_equal(existing_cells(ours.grid), existing_cells(theirs.grid))
    if our_grid == their_grid and not same_cells:
        our_count = {UNNAMED: counted(len(ours.grid.cells), "cell")}
        their_count = {UNNAMED: counted(len(theirs.grid.cells), "cell")}
        yield PartDifference(PartKind.GRID, "", our_count, their_count)


def _grid_values(grid: Grid) -> Values:
    """Return size and layout of a grid, and whether it wraps, as ``PartDifference`` has them."""
    return {
        UNNAMED: f"{grid.width} x {grid.height} {grid.layout.name}",
        "wrapping": grid.wrap,
    }


# --- layers ---------------------------------------------------------------------------------------


def _layer_differences(
    ours: BattleMap, theirs: BattleMap, *, compares_contents: bool
) -> Iterator[PartDifference]:
    """Yield layers that one map lacks, and those whose settings, order or contents differ.

    Contents are compared only with ``compares_contents``: maps of other grids have other cells.
    """
    pairs = _paired_layers(ours.layers, theirs.layers)
    their_layers: Mapping[int, Layer] = {}
    if compares_contents:
        their_layers = _in_our_codes(ours, theirs)
    for our_layer, their_layer in pairs:
        counts = NO_COUNTS
        if our_layer is not None and their_layer is not None and compares_contents:
            counts = _content_counts(ours, our_layer, their_layers[their_layer.id])
        layer = our_layer or their_layer
        assert layer is not None, "of a pair one map at least has a layer"
        our_values = _layer_values(our_layer)
        their_values = _layer_values(their_layer)
        parts = list(_changed(PartKind.LAYER, layer.name, our_values, their_values))
        if parts:
            yield replace(parts[0], counts=counts)
        elif counts:
            yield PartDifference(PartKind.LAYER, layer.name, {}, {}, counts)
    yield from _order_differences(theirs, pairs)


class LayerPair(NamedTuple):
    """A layer of our map and the one of theirs with which it is compared."""

    ours: Layer | None
    """None where our map has no such layer."""
    theirs: Layer | None
    """None where their map has no such layer."""


def _paired_layers(ours: Sequence[Layer], theirs: Sequence[Layer]) -> list[LayerPair]:
    """Return the layers of both maps in pairs: ours from below, then those that theirs alone has.

    Layers are paired by their names; those without a partner by their ids, which a layer keeps when
    it is renamed.
    """
    unpaired = list(theirs)
    partners: dict[int, Layer] = {}
    for layer in ours:
        for candidate in unpaired:
            if candidate.name == layer.name:
                partners[layer.id] = candidate
                unpaired.remove(candidate)
                break
    for layer in ours:
        if layer.id in partners:
            continue
        for candidate in unpaired:
            if candidate.id == layer.id:
                partners[layer.id] = candidate
                unpaired.remove(candidate)
                break
    pairs = [LayerPair(layer, partners.get(layer.id)) for layer in ours]
    pairs += [LayerPair(None, layer) for layer in unpaired]
    return pairs


def _order_differences(theirs: BattleMap, pairs: Iterable[LayerPair]) -> Iterator[PartDifference]:
    """Yield the difference in the order of the layers that both maps have, by our names."""
    our_order = []
    our_names = {}  # by the id of the layer in their map
    for our_layer, their_layer in pairs:
        if our_layer is not None and their_layer is not None:
            our_order.append(our_layer.name)
            our_names[their_layer.id] = our_layer.name
    their_order = [our_names[layer.id] for layer in theirs.layers if layer.id in our_names]
    yield from _changed(PartKind.LAYERS, "", {"order": our_order}, {"order": their_order})


def _layer_values(layer: Layer | None) -> Values | None:
    """Return the settings of a layer; None for no layer."""
    if layer is None:
        return None
    visibility = {True: "visible", False: "hidden"}
    lock = {True: "locked", False: "not locked"}
    secrecy = {True: "secret", False: "not secret"}
    values: dict[str, object] = {
        "called": layer.name,
        "visibility": visibility[layer.visible],
        "lock": lock[layer.locked],
        "secrecy": secrecy[layer.secret],
        "opacity": round(layer.opacity, 3),
    }
    if layer.roll is not None:
        values["roll"] = layer.roll.title
        # A script is too long to show: a hash tells that it is another one.
        values["script"] = hashlib.sha256(layer.roll.script.encode()).hexdigest()[:12]
        values["settings"] = dict(layer.roll.settings)
    return values


def _in_our_codes(ours: BattleMap, theirs: BattleMap) -> dict[int, Layer]:
    """Return the layers of their map by id, in codes of our terrain set and table of regions."""
    system = ours.system
    our_set = ours.terrain_set
    terrain_set = with_missing(system, theirs.layers, theirs.terrain_set, our_set)
    our_regions = regions_of(ours.records)
    their_regions = regions_of(theirs.records)
    layers = {}
    for layer in theirs.layers:
        layers[layer.id] = translated_layer(system, layer, theirs.terrain_set, terrain_set)
        if system.regions is not None and our_regions != their_regions:
            layers[layer.id] = _with_our_regions(
                layers[layer.id], system.regions, our_regions, their_regions
            )
    return layers


def _with_our_regions(
    layer: Layer, spec: PlaneSpec, our_regions: Regions, their_regions: Regions
) -> Layer:
    """Return a layer of theirs with the codes of our table of regions in the plane of ``spec``."""
    plane = layer.planes.get(spec.name)
    if plane is None:
        return layer
    codes = with_codes_of(plane, their_regions, joint_regions(our_regions, their_regions))
    # "Not set" and "no region" are no codes of a table.
    is_region = (plane != spec.unset) & (plane != NO_REGION)
    codes = np.where(is_region, codes, plane)
    return layer.copy(planes={**layer.planes, spec.name: codes})


def _content_counts(battlemap: BattleMap, ours: Layer, theirs: Layer) -> Mapping[str, int]:
    """Return how many cells, sides, corners, things and properties differ in two layers.

    ``theirs`` is in our codes (``_in_our_codes``). The result is ``PartDifference.counts``.
    """
    system = battlemap.system
    grid = battlemap.grid
    plane_pairs: dict[Element, list[tuple[Plane, Plane]]] = {element: [] for element in Element}
    for spec in system.shown_planes:
        if spec.name in ours.planes or spec.name in theirs.planes:
            pair = (_plane_of(ours, spec, grid), _plane_of(theirs, spec, grid))
            plane_pairs[spec.element].append(pair)
    counts = {
        element.value: len(differing_indices(grid, pairs)) for element, pairs in plane_pairs.items()
    }
    entry = system.thing_rules.file_entry
    counts["thing"] = len(differing_things(ours.things.values(), theirs.things.values(), entry))
    names = ours.properties.keys() | theirs.properties.keys()
    counts["property"] = sum(
        ours.properties.get(name) != theirs.properties.get(name) for name in names
    )
    return {word: number for word, number in counts.items() if number}


def _plane_of(layer: Layer, spec: PlaneSpec, grid: Grid) -> Plane:
    """Return a plane of a layer; where the layer has none, one that sets nothing."""
    if spec.name in layer.planes:
        return layer.planes[spec.name]
    return spec.allocate(grid)


# --- terrain sets ---------------------------------------------------------------------------------


def _terrain_set_differences(
    ours: TerrainSet, theirs: TerrainSet, *, are_from_files: bool
) -> Iterator[PartDifference]:
    """Yield the terrains, hexsides and ways that one set lacks, and those that differ.

    With ``are_from_files`` both sets were made for maps read from files of other programs. Which
    entries and elevations such a set has, and in which colour a picture is seen from afar, only
    follows from the cells: that is no difference of its own.
    """
    if ours == theirs:
        return
    our_values = _set_values(ours)
    their_values = _set_values(theirs)
    if are_from_files:
        del our_values["elevations"]
        del their_values["elevations"]
    yield from _changed(PartKind.TERRAIN_SET, "", our_values, their_values)
    for kind, our_entries, their_entries in (
        (PartKind.TERRAIN, ours.terrains, theirs.terrains),
        (PartKind.HEXSIDE, ours.hexsides, theirs.hexsides),
        (PartKind.WAY, ours.ways, theirs.ways),
    ):
        our_values_by_name = {entry.name: _entry_values(entry) for entry in our_entries}
        their_values_by_name = {entry.name: _entry_values(entry) for entry in their_entries}
        for name in {**our_values_by_name, **their_values_by_name}:
            our_entry = our_values_by_name.get(name)
            their_entry = their_values_by_name.get(name)
            if are_from_files:
                if our_entry is None or their_entry is None:
                    continue
                our_picture = our_entry.get("asset")
                if our_picture is not None and our_picture == their_entry.get("asset"):
                    del our_entry["colour"]
                    del their_entry["colour"]
            yield from _changed(kind, name, our_entry, their_entry)


def _set_values(terrain_set: TerrainSet) -> dict[str, object]:
    """Return the values of a terrain set itself, without its entries."""
    return {
        "called": terrain_set.name,
        "elevations": list(terrain_set.elevations),
        "tactical": terrain_set.tactical,
    }


def _entry_values(entry: Any) -> dict[str, object]:
    """Return the fields of a terrain, hexside or way that differ from their defaults."""
    values = {}
    for entry_field in fields(entry):
        value = getattr(entry, entry_field.name)
        if entry_field.name not in UNCOMPARED_FIELDS and value != entry_field.default:
            values[entry_field.name] = value
    return values


# --- records --------------------------------------------------------------------------------------


def _record_differences(
    ours: Mapping[str, MapRecord], theirs: Mapping[str, MapRecord]
) -> Iterator[PartDifference]:
    """Yield the records that one map lacks, and what differs in those of both.

    Of records in JSON these are members, of others lines of text.
    """
    for name in {**ours, **theirs}:
        if name == ORIGINAL:
            continue
        our_record = ours.get(name)
        their_record = theirs.get(name)
        if our_record is None or their_record is None:
            our_size = _record_size(our_record)
            their_size = _record_size(their_record)
            yield PartDifference(PartKind.RECORD, name, our_size, their_size)
        elif our_record.text == their_record.text:
            continue
        elif our_record.is_json and their_record.is_json:
            yield from _json_differences(name, _parsed(our_record.text), _parsed(their_record.text))
        else:
            yield _text_difference(name, our_record.text, their_record.text)


def _record_size(record: MapRecord | None) -> Values | None:
    """Return the size of a record's text in bytes, as UTF-8; None for no record."""
    if record is None:
        return None
    return {UNNAMED: counted(len(record.text.encode()), "byte")}


def _parsed(text: str) -> object:
    return parse_json(text.encode(), largest=LARGEST_DATA)


def _json_differences(path: str, ours: object, theirs: object) -> Iterator[PartDifference]:
    """Yield the members that differ, by their path: "settings.towns.2".

    Of lists with different lengths only the lengths are told: which entry became which is unknown.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in {**ours, **theirs}:
            member = f"{path}.{name}"
            if name in ours and name in theirs:
                yield from _json_differences(member, ours[name], theirs[name])
            else:
                our_member = _member(ours, name)
                their_member = _member(theirs, name)
                yield PartDifference(PartKind.RECORD, member, our_member, their_member)
        return
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) == len(theirs):
            for number, (our_entry, their_entry) in enumerate(zip(ours, theirs, strict=True)):
                yield from _json_differences(f"{path}.{number}", our_entry, their_entry)
        else:
            our_size = {UNNAMED: counted(len(ours), "entry", "entries")}
            their_size = {UNNAMED: counted(len(theirs), "entry", "entries")}
            yield PartDifference(PartKind.RECORD, path, our_size, their_size)
        return
    if ours != theirs:
        yield PartDifference(PartKind.RECORD, path, {UNNAMED: ours}, {UNNAMED: theirs})


def _member(values: Values, name: str) -> Values | None:
    """Return a member of a JSON object as values; None if the object lacks it."""
    if name in values:
        return {UNNAMED: values[name]}
    return None


def _text_difference(name: str, ours: str, theirs: str) -> PartDifference:
    """Return the lines between the first and the last line that differ, by number and text."""
    our_lines = ours.splitlines()
    their_lines = theirs.splitlines()
    shorter = min(len(our_lines), len(their_lines))
    first = 0
    while first < shorter and our_lines[first] == their_lines[first]:
        first += 1
    same_at_end = 0
    while (
        same_at_end < shorter - first
        and our_lines[-1 - same_at_end] == their_lines[-1 - same_at_end]
    ):
        same_at_end += 1
    our_changed_lines = our_lines[first : len(our_lines) - same_at_end]
    their_changed_lines = their_lines[first : len(their_lines) - same_at_end]
    our_values = _lines_values(first, our_changed_lines)
    their_values = _lines_values(first, their_changed_lines)
    return PartDifference(PartKind.RECORD, name, our_values, their_values)


def _lines_values(first: int, lines: list[str]) -> Values:
    """Return which lines of a text differ, and the text of the first of them.

    ``first`` is the index of the first, from 0; the values count lines from 1.
    """
    if not lines:
        return {UNNAMED: f"nothing at line {first + 1}"}
    if len(lines) == 1:
        return {"line": first + 1, UNNAMED: f"“{lines[0].strip()}”"}
    return {"lines": f"{first + 1} to {first + len(lines)}", UNNAMED: f"“{lines[0].strip()}” ..."}
