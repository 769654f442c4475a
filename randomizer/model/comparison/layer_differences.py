"""Compares the layers of two maps: their settings, their order and their contents.

Layers are compared in pairs (``_paired_layers``). Before their contents are compared, the layers of
their map are translated into the codes of ours: the number 3 can be Wood in one terrain set, and
Sea in the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.comparison.comparison import differing_indices, differing_things
from randomizer.model.comparison.part_differences import (
    NO_COUNTS,
    PartDifference,
    PartKind,
    Values,
    compare_values,
)
from randomizer.model.edits.terrain_codes import translated_layer, with_missing
from randomizer.model.map.regions import NO_REGION, joint_regions, regions_of, with_codes_of
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.map.regions import Regions
    from randomizer.model.planes.planes import Plane, PlaneSpec


_HASH_DIGITS = 12
"""The hex digits of a script's hash in a difference: with fewer, two scripts could look equal."""


def layer_differences(
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
        yield from compare_values(PartKind.LAYER, layer.name, our_values, their_values, counts)
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
    for attribute in ("name", "id"):
        for layer in ours:
            if layer.id in partners:
                continue
            for candidate in unpaired:
                if getattr(candidate, attribute) == getattr(layer, attribute):
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
    yield from compare_values(PartKind.LAYERS, "", {"order": our_order}, {"order": their_order})


def _layer_values(layer: Layer | None) -> Values | None:
    """Return the settings of a layer; None for no layer."""
    if layer is None:
        return None
    values: dict[str, object] = {
        "called": layer.name,
        "visibility": "visible" if layer.visible else "hidden",
        "lock": "locked" if layer.locked else "not locked",
        "secrecy": "secret" if layer.secret else "not secret",
        "opacity": round(layer.opacity, 3),
    }
    if layer.roll is not None:
        values["roll"] = layer.roll.title
        # A script is too long to show: a hash tells that it is another one.
        digest = hashlib.sha256(layer.roll.script.encode()).hexdigest()
        values["script"] = digest[:_HASH_DIGITS]
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
        element.value: len(differing_indices(grid, element, pairs))
        for element, pairs in plane_pairs.items()
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
