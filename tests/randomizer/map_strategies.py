"""Hypothesis strategies for maps of every layout and for whatever can be done to them.

``TOY`` is a system with planes of every kind of element and sign; nothing of a real game is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import Edit, ThingsEdit
from randomizer.model.edits.record_edits import SourceEdit, change_record, name_cells, set_record
from randomizer.model.edits.stack_edits import LayerField, LayerInsert
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import add_things, change_things, remove_things
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.cell_naming import FIRSTS, STEPS, CellNaming, NamingStyle
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED, Element, Plane, PlaneSpec
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.model.system.property import UNSET, flag_property, names_property, text_property
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing, Things
from tests.randomizer.grid_strategies import grids
from tests.systems import system_like

PLANES = (
    PlaneSpec("terrain", "u2", Element.CELL, 0xFFFF, 0),
    PlaneSpec("elevation", "i2", Element.CELL, -0x8000, 3),
    PlaneSpec("hexside", "u1", Element.SIDE, 0xFF, 0),
    PlaneSpec("height", "i4", Element.CORNER, -1, -5),
    PlaneSpec("origin", "i4", Element.CELL, -1, -1, shown=False),
)


class ToySystem(System):
    """A system with planes of every kind of element and sign."""

    name = "toy"
    title = "Toy table"
    terrain_set = TerrainSet(
        "Toy",
        tuple(
            Terrain(name, "#80c080")
            for name in (
                "Grass",
                "Rock",
                "Sand",
                "Bog",
                "Mud",
                "Reed",
                "Fen",
                "Moor",
                "Wood",
                "Down",
            )
        ),
        tuple(Hexside(f"Wall {letter}", letter, "#404040") for letter in "wdabcef"),
    )
    planes = PLANES
    terrain = PLANES[0]
    height = PLANES[1]
    hexside = PLANES[2]
    layouts = (SQUARE.name,)
    properties = (
        text_property("title", "Title", "What the table is called"),
        text_property("subtitle", "Subtitle", "A line below it"),
        flag_property("tower", "Tower", "Whether it is one"),
        names_property("startlist", "Start list", "Where one begins"),
    )
    title_property = "title"

    def new_grid(self) -> Grid:
        return Grid(SQUARE, 3, 2)

    def cell_name(self, grid: Grid, cell: int) -> str:
        return "{}.{}".format(*grid.xy(cell))

    def cell_of_name(self, _grid: Grid, _name: str) -> int | None:
        return None


TOY = ToySystem()

PROPERTIES = tuple(known.name for known in TOY.properties)
"""The names of the properties of ``TOY``."""

TOY_HEXES = system_like(
    TOY,
    name="toy hexes",
    planes=tuple(spec for spec in TOY.planes if spec.element is not Element.CORNER),
    layouts=(),
)
"""``TOY`` without corners, for all other grids."""

SHOWN = tuple(spec.name for spec in TOY.shown_planes)

rolls = st.builds(
    Roll,
    st.just(""),
    st.just("Toy.rnd"),
    st.just(""),
    st.just({}),
    st.integers(0, 3),
    st.integers(0, 3),
)


def toy(grid: Grid) -> System:
    """``TOY``, or where the grid has no corners ``TOY_HEXES``."""
    return TOY if grid.has_corners else TOY_HEXES


def plane_values(spec: PlaneSpec) -> st.SearchStrategy[int]:
    """A few values, so that they meet; *not set* among them."""
    return st.sampled_from([spec.unset, spec.default, 1, 2])


def planes(spec: PlaneSpec, grid: Grid) -> st.SearchStrategy[Plane]:
    """Planes with a pattern of a few values, *not set* among them."""
    values = np.array([spec.unset, spec.unset, 1, spec.default, 2], spec.dtype)

    def pattern(numbers: bytes) -> Plane:
        return values[np.resize(np.frombuffer(numbers, np.uint8), spec.shape(grid)) % len(values)]

    return st.binary(min_size=1, max_size=7).map(pattern)


def property_values(name: str) -> st.SearchStrategy[Any]:
    """Values of a property; *not set* and *explicitly none* are among them."""
    if name == "tower":
        return st.sampled_from([UNSET, True, False])
    if name == "startlist":
        return st.sampled_from([UNSET, (), ("D4", "D4"), ("?",)])
    return st.sampled_from([UNSET, "", "Low hills", "Fog"])


def properties() -> st.SearchStrategy[dict[str, Any]]:
    """The properties of a layer."""
    every = st.fixed_dictionaries({name: property_values(name) for name in PROPERTIES})
    return every.map(
        lambda found: {name: value for name, value in found.items() if value is not UNSET}
    )


@st.composite
def layers(
    draw: st.DrawFn,
    grid: Grid,
    layer_id: int = 0,
    *,
    rolled: bool | None = None,
    first_thing_id: int = 1,
) -> Layer:
    """A layer; of a rolled one some places and properties were touched by hand."""
    is_rolled = draw(st.booleans()) if rolled is None else rolled
    system = toy(grid)
    specs = list(system.planes)
    if is_rolled:
        specs += [system.plane(TOUCHED + spec.name) for spec in system.shown_planes]
    mask = draw(st.integers(0, 2 ** len(specs) - 1))
    used = [spec for number, spec in enumerate(specs) if mask >> number & 1]
    layer = Layer(
        layer_id,
        draw(st.sampled_from(["Ground", "Ideas", TOUCH_UPS])),
        draw(st.sampled_from([True, True, False])),
        {spec.name: draw(planes(spec, grid)) for spec in used},
        draw(properties()),
        roll=draw(rolls) if is_rolled else None,
        opacity=draw(st.sampled_from([1.0, 0.25])),
        locked=draw(st.sampled_from([False, False, True])),
        secret=draw(st.sampled_from([False, False, True])),
        from_file=draw(st.sampled_from([False, False, True])),
        touch_ups_of=draw(st.sampled_from([None, 1, 2])),
        things=Things(draw(placed(is_rolled=is_rolled, first_id=first_thing_id))),
    )
    if is_rolled:
        layer.touched_properties = draw(st.frozensets(st.sampled_from(PROPERTIES)))
    for spec in used:
        if spec.name.startswith(TOUCHED):
            layer.planes[spec.name] = (layer.planes[spec.name] > 0).astype("u1")
    return layer


states = st.sampled_from([NO_STATE, State({"men": 3}), State({"men": 0.5, "orders": [{"go": 1}]})])


def things(thing_id: int) -> st.SearchStrategy[Thing]:
    """Things with an id."""
    where = st.floats(-5, 9)
    words = st.sampled_from(["", "infantry", "town"])
    angles = st.floats(0, 360)
    return st.builds(
        Thing, st.just(thing_id), words, where, where, angles, st.integers(0, 9), words, states
    )


@st.composite
def placed(draw: st.DrawFn, *, is_rolled: bool, first_id: int) -> list[Thing]:
    """Up to three things with ids from ``first_id`` on; in a rolled layer some have keys."""
    found = [draw(things(first_id + number)) for number in range(draw(st.integers(0, 3)))]
    if not is_rolled:
        return found
    marks = [(draw(st.sampled_from(["", "gate", "tower"])), draw(st.booleans())) for _ in found]
    return [
        replace(thing, key=key, touched=touched)
        for thing, (key, touched) in zip(found, marks, strict=True)
    ]


@st.composite
def battlemaps(draw: st.DrawFn, *, least: int = 1) -> BattleMap:
    """A map of up to three layers with some locks."""
    grid = draw(grids(most=4))
    count = draw(st.integers(least, 3))
    made = [draw(layers(grid, 1 + n, first_thing_id=1 + 3 * n)) for n in range(count)]
    battlemap = BattleMap.new(toy(grid), grid, made)
    cells = st.lists(st.integers(0, grid.size - 1), max_size=3)
    battlemap.locked_cells.flat[draw(cells)] = True
    battlemap.locked_sides = battlemap.locked_sides.copy()
    battlemap.locked_sides.flat[draw(cells)] = True
    return battlemap


# --- what can be done -----------------------------------------------------------------------------

Doing = Callable[[st.DrawFn, BattleMap], Edit | None]


def _some_layer(draw: st.DrawFn, battlemap: BattleMap) -> int:
    return draw(st.sampled_from([layer.id for layer in battlemap.layers]))


def _paint(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    spec = draw(st.sampled_from(battlemap.system.planes))
    size = int(np.prod(spec.shape(battlemap.grid)))
    index = draw(st.lists(st.integers(0, size - 1), max_size=5, unique=True))
    if draw(st.booleans()):
        values: Any = draw(plane_values(spec))
    else:
        count = len(index)
        values = draw(st.lists(plane_values(spec), min_size=count, max_size=count))
    return set_values(battlemap, _some_layer(draw, battlemap), spec.name, index, values)


def _property(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    name = draw(st.sampled_from(PROPERTIES))
    return set_property(battlemap, _some_layer(draw, battlemap), name, draw(property_values(name)))


def _lock(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    sides = draw(st.booleans())
    size = battlemap.grid.size * (battlemap.grid.degree if sides else 1)
    index = draw(st.lists(st.integers(0, size - 1), max_size=4))
    return set_locks(battlemap, index, draw(st.booleans()), sides=sides)


def _insert(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    first = battlemap.next_thing_id
    layer = draw(layers(battlemap.grid, battlemap.free_layer_id(), first_thing_id=first))
    return LayerInsert(draw(st.integers(0, len(battlemap.layers))), layer)


def _remove(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    if len(battlemap.layers) == 1:
        return None  # something must be left to draw from
    return layer_edits.remove(battlemap, _some_layer(draw, battlemap))


def _move(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return layer_edits.move(battlemap, _some_layer(draw, battlemap), draw(st.integers(-1, 5)))


def _rename(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    name = draw(st.sampled_from(["Ground", "Sketch"]))
    return layer_edits.rename(battlemap, _some_layer(draw, battlemap), name)


def _show(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return layer_edits.set_visible(
        battlemap, _some_layer(draw, battlemap), visible=draw(st.booleans())
    )


def _duplicate(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return layer_edits.duplicate(battlemap, _some_layer(draw, battlemap)).edit


def _merge_down(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    layer_id = _some_layer(draw, battlemap)
    if not layer_edits.can_merge_down(battlemap, layer_id):
        return None
    return layer_edits.merge_down(battlemap, layer_id)


def _roll(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    rolled = [draw(layers(battlemap.grid, rolled=True)) for _ in range(draw(st.integers(1, 3)))]
    for number, layer in enumerate(rolled if len(rolled) > 1 else ()):
        layer.roll = Roll("", "Toy.rnd", "", {}, 1, 1, part=f"part {number}")
    layer_id = _some_layer(draw, battlemap)
    return put_layers(battlemap, layer_id, rolled, replaces=draw(st.booleans())).edit


def _things(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    layer_id = _some_layer(draw, battlemap)
    there = list(battlemap.layer(layer_id).things.values())
    some = st.lists(st.sampled_from(there), max_size=2, unique=True) if there else st.just([])
    before = draw(some)
    after = [draw(things(thing.id)) for thing in before if draw(st.booleans())]
    new = draw(things(battlemap.next_thing_id))
    return ThingsEdit(layer_id, tuple(before), (*after, new))


def _some_things(draw: st.DrawFn, battlemap: BattleMap) -> list[Thing]:
    there = [thing for layer in battlemap.layers for thing in layer.things.values()]
    return draw(st.lists(st.sampled_from(there), max_size=3, unique=True)) if there else []


def _add_things(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return add_things(battlemap, _some_layer(draw, battlemap), _some_things(draw, battlemap))


def _change_things(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    some = _some_things(draw, battlemap)
    return change_things(battlemap, [replace(thing, x=draw(st.floats(-1, 3))) for thing in some])


def _remove_things(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return remove_things(battlemap, [thing.id for thing in _some_things(draw, battlemap)])


def _from_cells(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    cells = draw(st.sets(st.sampled_from(battlemap.grid.cells.tolist()), min_size=1))
    step = layer_edits.from_cells(
        battlemap,
        _some_layer(draw, battlemap),
        np.array(sorted(cells), np.intp),
        moved=draw(st.booleans()),
    )
    return step.edit if step else None


def _flatten(_draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    step = layer_edits.flatten(battlemap)
    return step.edit if step else None


def _fade(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    layer = battlemap.layer(_some_layer(draw, battlemap))
    return LayerField(layer.id, "opacity", layer.opacity, draw(st.floats(0, 1)))


NAMES = ("Grass", "Rock", "Sand", "Moss", "Ash")
EDGES = ("Wall", "Ditch", "Hedge", "Bank")


@st.composite
def terrain_sets(draw: st.DrawFn) -> TerrainSet:
    """A few terrains and hexsides of those there are, in any order, at least as TOY has them."""
    terrains = draw(st.permutations(NAMES))[: draw(st.integers(3, 5))]
    hexsides = draw(st.permutations(EDGES))[: draw(st.integers(2, 4))]
    return TerrainSet(
        draw(st.sampled_from(["Toy", "Other"])),
        tuple(
            Terrain(
                name,
                draw(st.sampled_from(["#80c080", "#000000"])),
                picture=draw(st.sampled_from(["", "Woods"])),
            )
            for name in terrains
        ),
        tuple(
            Hexside(name, letter, "#404040") for name, letter in zip(hexsides, "wdhb", strict=False)
        ),
    )


def _terrain_set(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return change_terrain_set(battlemap, draw(terrain_sets()))


def _record(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    name = draw(st.sampled_from(["notes", "players"]))
    text = draw(st.text(st.sampled_from("ab\n"), max_size=5))
    if name in battlemap.records and draw(st.booleans()):
        return change_record(battlemap, name, text)
    return set_record(battlemap, name, draw(st.none() | st.builds(MapRecord, st.just(text))))


def _source(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    return SourceEdit(battlemap.source, draw(st.none() | st.just(_some_layer(draw, battlemap))))


def _naming(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    fields = st.sampled_from(NamingStyle), st.sampled_from(FIRSTS), st.sampled_from(STEPS)
    return name_cells(battlemap, draw(st.builds(CellNaming, *fields)))


DOINGS: tuple[Doing, ...] = (
    _naming,
    _paint,
    _paint,
    _paint,
    _property,
    _lock,
    _insert,
    _remove,
    _move,
    _rename,
    _show,
    _duplicate,
    _merge_down,
    _roll,
    _things,
    _add_things,
    _change_things,
    _remove_things,
    _from_cells,
    _flatten,
    _fade,
    _terrain_set,
    _terrain_set,
    _record,
    _source,
)


@st.composite
def edits(draw: st.DrawFn, battlemap: BattleMap) -> Edit | None:
    """One thing that is done to a map as it is now; None where it would change nothing."""
    return draw(st.sampled_from(DOINGS))(draw, battlemap)


# --- when two maps are the same -------------------------------------------------------------------


def contents(battlemap: BattleMap) -> tuple[object, ...]:
    """Everything a map holds, to compare: an absent plane is one on which nothing is set."""
    rows: list[object] = []
    for layer in battlemap.layers:
        held = {
            name: (plane.dtype.str, plane.shape, plane.tobytes())
            for name, plane in layer.planes.items()
            if (plane != battlemap.system.plane(name).unset).any()
        }
        about = (layer.id, layer.name, layer.visible, layer.roll, layer.touched_properties)
        about += (layer.opacity, layer.locked, layer.secret, layer.from_file, layer.touch_ups_of)
        about += (tuple(layer.things.values()), layer.removed_keys)
        rows.append((about, dict(layer.properties), held, dict(layer.extras)))
    locks = (battlemap.locked_cells.tobytes(), battlemap.locked_sides.tobytes())
    beside = (battlemap.terrain_set, dict(battlemap.records), battlemap.source)
    return (*rows, *beside, *locks)
