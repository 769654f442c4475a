"""The check of edits: no edit brings a value into a map that a map cannot have.

``check_edit`` is called before an edit is applied. It raises ProblemError for an edit with a value
that the map could not have, or after which the map would have too much. The checks of single values
are in gate.py, which checks whole maps: here it is decided which of them an edit needs.

An edit can be a compound of many. The *simple* edits are those within it, in their order::

    check_edit(battlemap, edit)     # raises ProblemError, or the edit may be applied
    edit.apply(battlemap)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import with_article
from randomizer.model.edits.edit import PlaneEdit, PropertyEdit, ThingsEdit
from randomizer.model.edits.record_edits import NamingEdit, RecordEdit, RecordSet, SourceEdit
from randomizer.model.edits.reshape import Reshape
from randomizer.model.edits.stack_edits import LayerField, LayerInsert, LayerRemove, LayerReplace
from randomizer.model.edits.terrain_edits import TerrainSetEdit
from randomizer.model.edits.value_edits import parts
from randomizer.model.gate.gate import (
    check_amount_of_records,
    check_counts,
    check_grid,
    check_layer,
    check_layer_fields,
    check_map_assets,
    check_map_records,
    check_own_terrain_set,
    check_property,
    check_source,
    check_stack,
    check_things,
    check_values,
    layer_words,
)
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.cell_naming import fault_in_naming
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error
from randomizer.model.records.assets import assets_of, assets_of_records, only
from randomizer.model.system.property import UNSET

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.records.map_records import MapRecord


def check_edit(battlemap: BattleMap, edit: Edit) -> None:
    """Check an edit that is about to be applied. Raises ProblemError."""
    check_edit_values(battlemap, edit)
    _check_amounts(battlemap, edit)


def check_edit_values(battlemap: BattleMap, edit: Edit) -> None:
    """Check the values that ``edit`` brings into a map of this kind. Raises ProblemError.

    Layers that are in the map already, which the inverse of an edit brings back, are not checked.
    The edit can translate their codes to another terrain set on the way, which has not all the
    codes that they hold now.
    """
    simple_edits = list(parts(edit))
    checker = _ValueChecker(battlemap, simple_edits)
    for simple_edit in simple_edits:
        checker.check(simple_edit)


class _ValueChecker:
    """Checks the values of the simple edits of one edit, one after the other.

    Each is checked against the terrain set and the grid that the map has when it is applied: those
    before it can change both.
    """

    def __init__(self, battlemap: BattleMap, simple_edits: Sequence[Edit]) -> None:
        self._map = battlemap
        self._system = battlemap.system
        self._frame = MapFrame.of(battlemap)
        """The terrain set and the grid of the map when the next simple edit is applied."""
        # Not those of the map: an edit is checked together with its inverse, which begins from the
        # state after it. Where an edit changes the set or the grid, it says itself from which.
        first_set_edit = next((e for e in simple_edits if isinstance(e, TerrainSetEdit)), None)
        if first_set_edit is not None:
            self._frame = self._frame._replace(terrain_set=first_set_edit.old_set)
        first_reshape = next((e for e in simple_edits if isinstance(e, Reshape)), None)
        if first_reshape is not None:
            self._frame = self._frame._replace(grid=first_reshape.old_shape.grid)

    def check(self, edit: Edit) -> None:
        """Check the next simple edit. Raises ProblemError."""
        match edit:
            case PlaneEdit():
                self._check_plane(edit)
            case TerrainSetEdit():
                self._check_terrain_set(edit)
            case RecordSet():
                records: dict[str, MapRecord] = {}
                if edit.new_record is not None:
                    records = {edit.name: edit.new_record}
                check_map_records(records)
                self._check_assets(records)
            case NamingEdit():
                self._check_naming(edit)
            case SourceEdit():
                check_source(edit.new_source_id)
            case LayerInsert():
                self._check_new_layer(edit.layer)
            case LayerReplace():
                self._check_new_layer(edit.new_layer)
            case PropertyEdit():
                if edit.new_value is not UNSET:
                    check_property(self._system, edit.name, edit.new_value, "a property")
            case LayerField():
                # The gate checks layers: an empty one with the new value stands for the edited one.
                layer = replace(Layer(edit.layer_id, ""), **{edit.name: edit.new_value})
                check_layer_fields(self._system, layer)
            case ThingsEdit():
                check_things(edit.new_things)
            case Reshape():
                self._check_shape(edit)
            case _:
                # The other kinds bring no value in: they remove, move or lock. A RecordEdit checks
                # the whole new text when it is applied.
                pass

    def _check_plane(self, edit: PlaneEdit) -> None:
        """Check the type and the values that an edit writes into a plane."""
        spec = self._system.plane(edit.plane)
        if edit.new_values.dtype != np.dtype(spec.dtype):
            message = f"an edit of the plane {edit.plane} has {edit.new_values.dtype} values"
            raise error("edit-type", message)
        where = self._layer_words(edit.layer_id)
        check_values(self._frame, spec, edit.new_values, edit.index, where=where)

    def _layer_words(self, layer_id: int) -> str:
        """Return the words for a layer in a message, "an edit" if an earlier one inserts it."""
        for layer in self._map.layers:
            if layer.id == layer_id:
                return layer_words(layer)
        return "an edit"

    def _check_terrain_set(self, edit: TerrainSetEdit) -> None:
        """Check another terrain set, and the codes into which the layers are translated."""
        self._frame = self._frame._replace(terrain_set=edit.new_set)
        check_own_terrain_set(self._system, edit.new_set)
        self._check_assets({})
        for plane_edit in edit.planes:
            self._check_plane(plane_edit)

    def _check_assets(self, records: Mapping[str, MapRecord]) -> None:
        """Check the assets that the map names once it has these further records.

        Records of earlier simple edits are not among them; each was checked with its own.
        """
        all_records = {**self._map.records, **records}
        names = assets_of(self._frame.terrain_set) | assets_of_records(all_records)
        check_map_assets(only(self._map.assets, names))

    def _check_naming(self, edit: NamingEdit) -> None:
        """Check how cells are to be named; the games of some systems name them themselves."""
        fault = fault_in_naming(edit.new_naming)
        if not fault and not self._system.own_cell_names:
            fault = f"{with_article(self._system.title)} names its cells itself"
        if fault:
            raise error("cell-names", fault)

    def _check_new_layer(self, layer: Layer) -> None:
        """Check a layer unless the map has it (see ``check_edit_values``)."""
        if any(layer is present_layer for present_layer in self._map.layers):
            return
        self._check_layer(layer)

    def _check_shape(self, edit: Reshape) -> None:
        """Check another grid, and the layers that fit it."""
        self._frame = self._frame._replace(grid=edit.new_shape.grid)
        check_grid(self._system, edit.new_shape.grid)
        check_stack(edit.new_shape.layers)
        for layer in edit.new_shape.layers:
            self._check_layer(layer)

    def _check_layer(self, layer: Layer) -> None:
        """Check a layer and the things in it."""
        check_layer(self._frame, layer)
        check_things(layer.things.values())


def _check_amounts(battlemap: BattleMap, edit: Edit) -> None:
    """Check that the map does not grow beyond its limits. Raises ProblemError.

    Only what grows is checked: a map that is beyond a limit already (an old file) can be made
    smaller.
    """
    growth = _growth(battlemap, edit)
    layer_count = len(battlemap.layers) + growth.layers
    if growth.layers < 0 and layer_count < 1:
        check_stack(())  # raises the error of a map without layers
    if growth.layers > 0:
        check_counts(layers=layer_count)
    if growth.things > 0:
        present_things = sum(len(layer.things) for layer in battlemap.layers)
        check_counts(things=present_things + growth.things)
    if growth.record_bytes > 0 or growth.record_count > len(battlemap.records):
        check_amount_of_records(battlemap.records, growth.record_count, growth.record_bytes)


class _Growth(NamedTuple):
    """The growth of a map by an edit; the numbers are negative if it shrinks."""

    layers: int
    """The number of layers that are added, less those that are removed."""
    things: int
    """The number of things that are added, less those that are removed."""
    record_bytes: int
    """The bytes of text that are added to records, less those that are removed."""
    record_count: int
    """The number of records that the map has after the edit."""


def _growth(battlemap: BattleMap, edit: Edit) -> _Growth:
    """Return how much a map grows by an edit."""
    layers = 0
    things = 0
    record_bytes = 0
    record_names = set(battlemap.records)
    for simple_edit in parts(edit):
        match simple_edit:
            case LayerInsert(layer=layer):
                layers += 1
                things += len(layer.things)
            case LayerRemove(layer=layer):
                layers -= 1
                things -= len(layer.things)
            case LayerReplace(old_layer=old_layer, new_layer=new_layer):
                things += len(new_layer.things) - len(old_layer.things)
            case Reshape(old_shape=old_shape, new_shape=new_shape):
                layers += len(new_shape.layers) - len(old_shape.layers)
                things += sum(len(layer.things) for layer in new_shape.layers)
                things -= sum(len(layer.things) for layer in old_shape.layers)
            case ThingsEdit(old_things=old_things, new_things=new_things):
                things += len(new_things) - len(old_things)
            case RecordEdit(old_text=old_text, new_text=new_text):
                record_bytes += _bytes(new_text) - _bytes(old_text)
            case RecordSet(name=name, old_record=old_record, new_record=new_record):
                record_bytes += _bytes_of_record(new_record) - _bytes_of_record(old_record)
                if new_record is None:
                    record_names.discard(name)
                else:
                    record_names.add(name)
            case _:
                pass  # the other kinds add nothing
    return _Growth(layers, things, record_bytes, record_count=len(record_names))


def _bytes_of_record(record: MapRecord | None) -> int:
    """Return the bytes of a record's text, 0 for None: the map has no such record."""
    if record is None:
        return 0
    return _bytes(record.text)


def _bytes(text: str) -> int:
    """Return the size of a text as UTF-8."""
    # A text of a file in another encoding can have lone surrogates.
    return len(text.encode("utf-8", "surrogatepass"))
