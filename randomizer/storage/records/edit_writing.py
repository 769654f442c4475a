"""Edits as records (docs/adr/0010), for the journal; ``edit_reading`` reads them.

A record is the name of the class and its fields::

    edit_record(LayerMove(0, 2), parts)        # {"edit": "LayerMove", "start": 0, "end": 2}

What JSON cannot hold is written otherwise:

- arrays and long texts are references to parts beside the record (``parts.PartWriter``);
- the indices of changed values are called ``steps``, their differences (``steps_of_indices``);
- a field whose value is UNSET is left out;
- a layer is a record of its own, and so is an edit within an edit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.model.edits.edit import Edit, LockEdit, PlaneEdit
from randomizer.model.edits.reshape import Shape
from randomizer.model.grid.indices import Indices
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.system.property import UNSET
from randomizer.model.things.things import Thing
from randomizer.storage.records.codec import OwnWriters, Record, kinds_of, plain_fields
from randomizer.storage.records.edit_reading import READERS, steps_of_indices
from randomizer.storage.records.parts import PartWriter
from randomizer.storage.records.records import (
    TERRAIN_WRITERS,
    layer_record,
    shape_record,
    text_writers,
)
from randomizer.storage.records.thing_records import things_record

# The types of fields of edits, by which the codec finds their writers.
_THINGS = tuple[Thing, ...]
_EDITS = tuple[Edit, ...]
_PLANE_EDITS = tuple[PlaneEdit, ...]
_LOCKS = NDArray[np.bool_]


def edit_record(edit: Edit, parts: PartWriter) -> Record:
    """Return the record of an edit of any kind. Raises TypeError for an unknown kind."""
    writers = {
        **text_writers(parts),
        **TERRAIN_WRITERS,
        _THINGS: things_record,
        Layer: lambda layer: layer_record(layer, parts),
        Shape: lambda shape: shape_record(shape, parts),
        Indices: lambda index: parts.array("steps", steps_of_indices(index)),
        Plane: lambda values: parts.array("values", np.asarray(values)),
        _LOCKS: lambda values: parts.array("values", np.asarray(values)),
    }

    def edit_records(edits: Sequence[Edit]) -> list[Record]:
        return [_record(inner_edit, writers) for inner_edit in edits]

    writers[_EDITS] = edit_records
    writers[_PLANE_EDITS] = edit_records
    return _record(edit, writers)


def _record(edit: Edit, writers: OwnWriters) -> Record:
    """Return the record of an edit; a field that is UNSET is left out."""
    if type(edit).__name__ not in READERS:
        raise TypeError(f"no record holds {edit!r}")
    names = [name for name in kinds_of(type(edit)) if getattr(edit, name) is not UNSET]
    record = {"edit": type(edit).__name__, **plain_fields(edit, writers, names)}
    if isinstance(edit, PlaneEdit | LockEdit):
        record["steps"] = record.pop("index")  # what stands there are differences
    return record
