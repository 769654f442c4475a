"""The gate: the one check of all values of a map, against its system, grid and terrain set.

Wherever a map comes from, a file, a journal, the clipboard or a generator, it passes this check
before it is shown, and again before it is written. ``check_map`` checks a whole map and calls the
others; edits are checked with the same functions (edits/edit_gate.py). Each function raises
ProblemError with one error, which says what is wrong, where, and what was expected::

    check_map(battlemap)
    # layer “Roads”: the plane terrain has the value 9 at D4, expected 0 to 8

Parameters ``where`` are the beginning of that message: "layer “Roads”", "layer “Roads”: the key of
a thing". The stack of layers and their things are checked together (``check_stack``: numbers, ids
and texts of the whole map), and each layer by itself, as edits bring in single ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from randomizer.model.basics.bounded_json import fault_in_data
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.basics.limits import (
    LARGEST_ID,
    LARGEST_INT,
    LONGEST_LINE,
    MAX_CELLS,
    MAX_LAYERS,
    MAX_THING_TEXT,
    MAX_THINGS,
)
from randomizer.model.basics.texts import clean_line, fault_in_line, fault_in_text
from randomizer.model.gate.plane_values import MapFrame, values_of
from randomizer.model.grid.grid import FAR
from randomizer.model.planes.planes import Element
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.assets import Assets, check_assets
from randomizer.model.records.map_records import check_amount, check_records
from randomizer.model.terrain.terrain_check import check_terrain_set

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer, Roll
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.system.property import Property
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.things import Thing

CODE = "value-refused"
"""The code of every problem of the gate."""


def check_map(battlemap: BattleMap) -> None:
    """Check everything a map holds. Raises ProblemError."""
    system = battlemap.system
    grid = battlemap.grid
    check_grid(system, grid)
    check_own_terrain_set(system, battlemap.terrain_set)
    check_map_assets(battlemap.named_assets)
    check_map_records(battlemap.records)
    check_source(battlemap.source)
    check_stack(battlemap.layers)
    frame = MapFrame.of(battlemap)
    for layer in battlemap.layers:
        check_layer(frame, layer)
        check_things(layer.things.values())
    check_next_id(battlemap.next_thing_id, battlemap.layers)
    check_locks(battlemap)


def check_grid(system: System, grid: Grid) -> None:
    """Check that a system can have this grid. Raises ProblemError."""
    size = f"{grid.width} x {grid.height}"
    if grid.size > MAX_CELLS:
        _refuse(f"the map has {size} cells, {MAX_CELLS:,} are the most")
    if system.fixed_grid:
        _check_fixed_grid(system, grid)
    elif why_not := system.why_not_grid(grid):
        _refuse(f"the grid of {size} cells: {why_not}")


def _check_fixed_grid(system: System, grid: Grid) -> None:
    """Check that a grid is the only one that maps of this system have."""
    if not grid.same_as(system.new_grid()):
        _refuse(f"no {system.title} has this grid of {grid.width} x {grid.height} cells")


def check_own_terrain_set(system: System, terrain_set: TerrainSet) -> None:
    """Check the terrain set of a map. Raises ProblemError."""
    if terrain_set is system.terrain_set:
        return
    if system.is_terrain_set_fixed and terrain_set != system.terrain_set:
        _refuse(f"no {system.title} has another terrain set than its own")
    try:
        check_terrain_set(terrain_set)
    except ValueError as fault:
        _refuse(str(fault))


def check_map_assets(assets: Assets) -> None:
    """Check the number and the size of all assets of a map. Raises ProblemError.

    Each asset alone was checked when it was made.
    """
    try:
        check_assets(assets)
    except ValueError as fault:
        _refuse(str(fault))


def check_map_records(records: Mapping[str, MapRecord]) -> None:
    """Check the records of a map. Raises ProblemError."""
    try:
        check_records(records)
    except ValueError as fault:
        _refuse(str(fault))


def check_amount_of_records(records: Mapping[str, MapRecord], count: int, more: int) -> None:
    """Check that a map can have ``count`` records and ``more`` bytes. Raises ProblemError."""
    try:
        check_amount(records, count, more)
    except ValueError as fault:
        _refuse(str(fault))


def check_source(source: int | None) -> None:
    """Check the id of the layer that is a map's source. Raises ProblemError."""
    if source is not None and not 0 <= source <= LARGEST_ID:
        _refuse(f"the source is layer {source}, expected 0 to {LARGEST_ID}")


def check_stack(layers: Sequence[Layer]) -> None:
    """Check how many layers and things a map has, and their ids. Raises ProblemError."""
    if not layers:
        _refuse("the map has no layers")
    check_counts(layers=len(layers), things=sum(len(layer.things) for layer in layers))
    things: list[Thing] = []
    for layer in layers:
        things += layer.things.values()
    _check_thing_text(things)
    _check_ids((layer.id for layer in layers), "layer")
    _check_ids((thing.id for thing in things), "thing")


def check_next_id(next_id: int, layers: Iterable[Layer]) -> None:
    """Check that the next thing gets an id that no thing of ``layers`` has. Raises ProblemError."""
    highest_id = 0
    for layer in layers:
        highest_id = max(highest_id, max(layer.things, default=0))
    if not highest_id < next_id <= LARGEST_ID + 1:
        expected = f"{highest_id + 1} to {LARGEST_ID + 1}"
        _refuse(f"the id of the next thing is {next_id}, expected {expected}")


def check_counts(*, layers: int = 0, things: int = 0) -> None:
    """Check the number of layers or of things of a map, or both. Raises ProblemError."""
    if layers > MAX_LAYERS:
        _refuse(f"the map has {layers:,} layers, {MAX_LAYERS} are the most")
    if things > MAX_THINGS:
        _refuse(f"the map has {things:,} things, {MAX_THINGS:,} are the most")


def _check_ids(ids: Iterable[int], noun: str) -> None:
    """Check that ids are in range and differ; ``noun`` is what has them."""
    seen: set[int] = set()
    for number in ids:
        if not 0 <= number <= LARGEST_ID:
            _refuse(f"a {noun} has the id {number}, expected 0 to {LARGEST_ID}")
        if number in seen:
            _refuse(f"two {noun}s have the id {number}")
        seen.add(number)


def check_layer(frame: MapFrame, layer: Layer) -> None:
    """Check a layer: planes, properties, roll, and what else it holds. Raises ProblemError."""
    check_layer_fields(frame.system, layer)
    where = layer_words(layer)
    for name, plane in layer.planes.items():
        try:
            spec = frame.system.plane(name)
        except KeyError:
            _refuse(f"{where}: maps of {frame.system.title} have no plane {clean_line(name):.40}")
        check_plane(frame, spec, plane, where)


def check_layer_fields(system: System, layer: Layer) -> None:
    """Check everything of a layer but its planes. Raises ProblemError."""
    where = layer_words(layer)
    _check_ids((layer.id,), "layer")
    _check_line(layer.name, "the name of a layer")
    if not 0 <= layer.opacity <= 1:
        _refuse(f"{where}: its opacity is {layer.opacity:g}, expected 0 to 1")
    for name, value in layer.properties.items():
        check_property(system, name, value, where)
    for name in layer.touched_properties:
        _find_property(system, name, where)  # raises if there is none
    if layer.touch_ups_of is not None and not 0 <= layer.touch_ups_of <= LARGEST_ID:
        _refuse(f"{where}: it takes the touch-ups of layer {layer.touch_ups_of}")
    for key in layer.removed_keys:
        _check_line(key, f"{where}: the key of a thing")
    check_data(layer.extras, f"{where}: what it keeps of its file")
    if layer.roll is not None:
        check_roll(layer.roll, where)


def check_property(system: System, name: str, value: object, where: str) -> None:
    """Check the value of a property; ``where`` names its layer. Raises ProblemError."""
    try:
        _find_property(system, name, where).read(value)
    except ValueError as fault:
        _refuse(f"{where}: its {name}: {fault}")


def _find_property(system: System, name: str, where: str) -> Property:
    """Return a property of the system. Raises ProblemError if there is none of that name."""
    try:
        return system.property_named(name)
    except KeyError:
        _refuse(f"{where}: maps of {system.title} have no property {clean_line(name):.40}")


def check_roll(roll: Roll, where: str) -> None:
    """Check how a layer was rolled; ``where`` names it. Raises ProblemError."""
    _check_line(roll.generator, f"{where}: the generator of its roll")
    _check_line(roll.script_name, f"{where}: the script name of its roll")
    _check_line(roll.part, f"{where}: the part of its roll")
    _check_line(roll.ground, f"{where}: the ground of its roll")
    for name, text in {"script": roll.script, **roll.texts}.items():
        _check_line(name, f"{where}: the name of a text of its roll")
        fault = fault_in_text(text)
        if fault:
            _refuse(f"{where}: the text {name} of its roll {fault}")
    check_data(roll.libraries, f"{where}: the libraries of its roll")
    if not (0 <= roll.seed < SEED_LIMIT and 0 <= roll.number < NUMBER_LIMIT):
        _refuse(f"{where}: seed {roll.seed} or number {roll.number} of its roll is out of range")
    check_data(roll.settings, f"{where}: the settings of its roll")
    check_data(roll.origins, f"{where}: the origins of its roll")


def check_plane(frame: MapFrame, spec: PlaneSpec, plane: Plane, where: str) -> None:
    """Check dtype, shape and values of a whole plane. Raises ProblemError."""
    shape = spec.shape(frame.grid)
    if plane.dtype != np.dtype(spec.dtype) or plane.shape != shape:
        _refuse(
            f"{where}: the plane {spec.name} is an array of {plane.dtype} {plane.shape}, "
            f"expected {spec.dtype} {shape}"
        )
    check_values(frame, spec, plane, where=where)


def check_values(
    frame: MapFrame,
    spec: PlaneSpec,
    values: Plane,
    index: Plane | None = None,
    *,
    where: str,
) -> None:
    """Check values of a plane: all of them, or (n,) that stand at ``index``, flat indices (n,).

    Raises ProblemError for the first that the plane cannot hold.
    """
    allowed = values_of(frame, spec)
    faulty = allowed.first_fault(values)
    if faulty is None:
        return
    plane_index = faulty
    if index is not None:
        plane_index = int(index[faulty])
    position = _position(frame, spec, plane_index)
    message = (
        f"{where}: the plane {spec.name} has the value {values.flat[faulty]} at {position.text}, "
        f"expected {allowed.expected}"
    )
    _refuse(message, position.cell, position.side)


class _Position(NamedTuple):
    """The position of a value of a plane, for a problem."""

    text: str
    """In words, such as "D4, side south"."""
    cell: int | None = None
    """None for a corner."""
    side: int | None = None
    """None for a corner, or the value of a whole cell."""


def _position(frame: MapFrame, spec: PlaneSpec, index: int) -> _Position:
    """Return the position of a flat index of a plane; a corner is at no single cell."""
    grid = frame.grid
    match spec.element:
        case Element.CORNER:
            y, x = divmod(index, grid.width + 1)
            return _Position(f"corner ({x}, {y})")
        case Element.CELL:
            return _Position(_cell_name(frame, index), index)
        case Element.SIDE:
            cell, side = divmod(index, grid.degree)
            side_name = grid.layout.side_names[side]
            return _Position(f"{_cell_name(frame, cell)}, side {side_name}", cell, side)


def _cell_name(frame: MapFrame, cell: int) -> str:
    """Return the name of a cell; of one that does not exist its column and row, from 1."""
    if frame.grid.exists(cell):
        return frame.system.cell_name(frame.grid, cell)
    x, y = frame.grid.xy(cell)
    return f"column {x + 1} of row {y + 1}, which is no cell"


def check_locks(battlemap: BattleMap) -> None:
    """Check the arrays of locks. Raises ProblemError."""
    grid = battlemap.grid
    shape = (grid.height, grid.width)
    for locks, expected in (
        (battlemap.locked_cells, shape),
        (battlemap.locked_sides, (*shape, grid.degree)),
    ):
        if locks.dtype != np.bool_ or locks.shape != expected:
            _refuse(f"the locks are an array of {locks.dtype} {locks.shape}, not bool {expected}")


def check_things(things: Collection[Thing]) -> None:
    """Check placed things: number, ids, positions, owners and texts. Raises ProblemError.

    Their states were checked when they were made.
    """
    check_counts(things=len(things))
    _check_ids((thing.id for thing in things), "thing")
    for thing in things:
        # Compared this way round, NaN is refused, too.
        if not (abs(thing.x) < FAR and abs(thing.y) < FAR):
            _refuse(f"thing {thing.id}: its position is ({thing.x:g}, {thing.y:g})")
        if not math.isfinite(thing.angle) or abs(thing.angle) >= FAR:
            _refuse(f"thing {thing.id}: its angle is {thing.angle:g} degrees")
        if not -LARGEST_INT - 1 <= thing.owner <= LARGEST_INT:
            _refuse(f"thing {thing.id}: its owner {thing.owner} has more than 64 bits")
    _check_thing_text(things)
    _check_thing_lines(things)


def _check_thing_lines(things: Collection[Thing]) -> None:
    """Check that kinds, labels and keys are lines. Raises ProblemError.

    All texts are checked as one first: looking into each of thousands takes a hundred times as
    long.
    """
    texts: list[str] = []
    for thing in things:
        texts += (thing.kind, thing.label, thing.key)
    joined = "".join(texts)
    are_short = max(map(len, texts), default=0) <= LONGEST_LINE
    if are_short and not fault_in_line(joined, len(joined)):
        return
    for thing in things:
        _check_line(thing.kind, f"thing {thing.id}: its kind")
        _check_line(thing.label, f"thing {thing.id}: its label")
        _check_line(thing.key, f"thing {thing.id}: its key")


def _check_thing_text(things: Collection[Thing]) -> None:
    """Check how much text all things have together. Raises ProblemError."""
    texts = "".join(thing.kind + thing.label + thing.key for thing in things)
    size = len(json.dumps(texts)) + sum(thing.state.size for thing in things)
    if size > MAX_THING_TEXT:
        limit_text = f"{MAX_THING_TEXT:,} are the most"
        _refuse(f"the texts and states of the things take {size:,} bytes, {limit_text}")


def check_data(value: object, where: str) -> None:
    """Check data that JSON holds: nesting, size, numbers and texts. Raises ProblemError."""
    fault = fault_in_data(value)
    if fault:
        _refuse(f"{where} {fault}")


def _check_line(text: str, where: str) -> None:
    """Check that a text is one line that can be shown. Raises ProblemError."""
    fault = fault_in_line(text)
    if fault:
        _refuse(f"{where} {fault}")


def layer_words(layer: Layer) -> str:
    """Return the layer as the place of a problem, in words."""
    return f"layer “{clean_line(layer.name[:40])}”"


def _refuse(message: str, cell: int | None = None, side: int | None = None) -> NoReturn:
    """Raise the ProblemError of the gate."""
    raise ProblemError(Problem(Severity.ERROR, CODE, message, cell=cell, side=side))
