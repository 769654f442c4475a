"""The generator protocol: settings, keys, bases, progress, cancelling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from randomizer.forced_roll import can_be_forced, force
from randomizer.generator import Generating, MapGenerator
from randomizer.generator_run import run
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.problems import ProblemError, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.free.system import free_map
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.randomizer.batches.rolled import roll_batch
from tests.randomizer.map_strategies import TOY

GRID = Grid(SQUARE, 3, 2)


class Sower(MapGenerator):
    """A generator that tells what it was given and whether it was closed."""

    name = "Sower"
    metadata = Metadata("Sower", "Sower.toy", "")
    text = ""
    system: System = TOY
    settings = (Setting("Rows", int, "How many rows.", minimum=1, maximum=5),)

    def __init__(self, fails: bool = False) -> None:
        self.given: tuple[Mapping[str, object], DrawKey, Base] | None = None
        self.closed = False
        self.fails = fails

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        self.given = (settings, key, base)
        self.work = self._sow(key)  # kept, so that nobody but run can close it
        return self.work

    def _sow(self, key: DrawKey) -> Generating:
        try:
            yield 1
            if self.fails:
                raise error("no-seed", "the sack is empty")
            yield 50
            yield 100
        finally:
            self.closed = True
        return Generated((Layer(0, "Sown"),), key.number)


def base(*layers: Layer) -> Base:
    return Base.under(BattleMap.new(TOY, GRID, layers), len(layers))


# --- run ------------------------------------------------------------------------------------------


def test_a_run_tells_its_progress_and_gives_what_was_made() -> None:
    sower: MapGenerator = Sower()
    heard: list[int] = []
    made = run(sower, {"Rows": "3"}, DrawKey(1, 2), base(), heard.append)
    assert made is not None
    assert (made.layers[0].name, made.number, made.kept_locks.tried) == ("Sown", 2, 1)
    assert heard == [1, 50, 100]
    assert isinstance(sower, Sower)
    assert sower.given is not None
    assert sower.given[:2] == ({"Rows": 3}, DrawKey(1, 2))


def test_a_map_of_another_system_is_refused_in_words() -> None:
    sower = Sower()
    with pytest.raises(ProblemError, match="this map is a Free map"):
        run(sower, {}, DrawKey(1, 2), Base.under(free_map(SQUARE, 3, 2), 1))
    assert sower.given is None


def test_a_cancelled_run_closes_its_generator() -> None:
    sower = Sower()
    heard: list[int] = []
    stops = iter([False, True])
    assert run(sower, {}, DrawKey(1, 2), base(), heard.append, lambda: next(stops)) is None
    assert heard == [1]
    assert sower.closed


def test_a_generator_is_closed_when_it_or_its_listener_fails() -> None:
    sower = Sower(fails=True)
    with pytest.raises(ProblemError, match="the sack is empty"):
        run(sower, {}, DrawKey(1, 2), base())
    assert sower.closed

    def listener(percent: int) -> None:
        raise RuntimeError(percent)

    sower = Sower()
    with pytest.raises(RuntimeError):
        run(sower, {}, DrawKey(1, 2), base(), listener)
    assert sower.closed


def test_nothing_is_made_of_wrong_settings_or_keys() -> None:
    sower = Sower()
    for settings, key in (
        ({"Rows": 9}, DrawKey(1, 2)),
        ({"Columns": 1}, DrawKey(1, 2)),
        ({}, DrawKey(-1, 0)),
        ({}, DrawKey(0, -1)),
    ):
        with pytest.raises(ProblemError):
            run(sower, settings, key, base())
    assert sower.given is None


def test_seeds_and_numbers_have_ends() -> None:
    last = DrawKey(SEED_LIMIT - 1, NUMBER_LIMIT - 1)
    assert last.checked() is last
    assert DrawKey(0, 0).checked() == (0, 0)
    for key in (DrawKey(SEED_LIMIT, 0), DrawKey(-1, 0)):
        with pytest.raises(ProblemError, match="a seed is a whole number from 0 to 4294967295"):
            key.checked()
    for key in (DrawKey(0, NUMBER_LIMIT), DrawKey(0, -1)):
        with pytest.raises(ProblemError, match="a map number is 0 to 9007199254740991"):
            key.checked()


# --- what a roll starts from ----------------------------------------------------------------------


def ground(layer_id: int, value: int, **fields: object) -> Layer:
    plane = np.full((2, 3), value, np.uint16)
    return Layer(layer_id, f"Layer {layer_id}", planes={"terrain": plane}).copy(**fields)


def test_a_roll_sees_only_the_visible_layers_below() -> None:
    layers = [ground(1, 1), ground(2, 2, visible=False), ground(3, 3), ground(4, 4)]
    battlemap = BattleMap.new(TOY, GRID, layers)
    seen = [Base.under(battlemap, below).composite.planes["terrain"][0, 0] for below in range(5)]
    assert seen == [0, 1, 1, 3, 4]
    assert Base.under(battlemap, 2).shown.planes["terrain"][0, 0] == 1


def test_what_is_locked_is_what_the_replaced_layer_shows() -> None:
    plane = TOY.plane("terrain").allocate(GRID)
    plane[0, 0] = 7
    old = Layer(2, "Rolled", planes={"terrain": plane})
    battlemap = BattleMap.new(TOY, GRID, [ground(1, 1), old, ground(3, 3)])
    found = Base.under(battlemap, 1, 1)
    assert found.composite.planes["terrain"].ravel().tolist() == [1] * 6
    assert found.shown.planes["terrain"].ravel().tolist() == [7, 1, 1, 1, 1, 1]


def test_locks_of_a_base_are_its_own() -> None:
    battlemap = BattleMap.new(TOY, GRID)
    assert not Base.under(battlemap, 0).locked
    battlemap.locked_sides = battlemap.locked_sides.copy()
    battlemap.locked_sides[0, 1, 2] = True
    found = Base.under(battlemap, 0)
    assert found.locked
    battlemap.locked_sides[...] = False
    assert found.locked
    battlemap.locked_cells[1, 1] = True
    found = Base.under(battlemap, 0)
    assert found.locked
    battlemap.locked_cells[...] = False
    assert found.locked


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("Moor.rnd", "Moor, seed 5 no. 17"),
        ("My.moor.rnd", "My.moor, seed 5 no. 17"),
        (".rnd", "Script, seed 5 no. 17"),
        ("", "Script, seed 5 no. 17"),
    ],
)
def test_a_rolled_layer_is_called_after_script_and_seed(script: str, name: str) -> None:
    assert roll_name(Layer(1, "", roll=Roll("", script, "", {}, 5, 17))) == name


def test_a_layer_of_a_generator_without_a_script_is_called_after_the_generator() -> None:
    layer = Layer(1, "", roll=Roll("Landscape", "", "", {}, 5, 17))
    assert roll_name(layer) == "Landscape, seed 5 no. 17"


# --- what a generator may leave out ---------------------------------------------------------------


def test_a_layer_without_a_roll_gets_one_that_makes_it_again() -> None:
    made = run(Sower(), {"Rows": "3"}, DrawKey(1, 2), base())
    assert made is not None
    assert made.layers[0].roll == Roll("Sower", "Sower.toy", "", {"Rows": 3}, 1, 2)


def test_a_roll_without_layers_is_a_problem() -> None:
    class Barren(Sower):
        def _sow(self, key: DrawKey) -> Generating:
            yield 100
            return Generated((), key.number)

    with pytest.raises(ProblemError, match="made no layer"):
        run(Barren(), {}, DrawKey(1, 2), base())


def test_a_generator_that_knows_no_locks_cannot_change_what_is_locked() -> None:
    class Flood(Sower):
        def _sow(self, key: DrawKey) -> Generating:
            yield 100
            spec = TOY.plane("terrain")
            plane = np.full(spec.shape(GRID), key.number, spec.dtype)
            return Generated((Layer(0, "Flood", planes={"terrain": plane}),), key.number)

    battlemap = BattleMap.new(TOY, GRID, [Layer(1, "Ground")])
    battlemap.locked_cells[0, :2] = True
    locked = Base.under(battlemap, 1)
    with pytest.raises(ProblemError, match="map 1 changes 2 locked values") as refused:
        run(Flood(), {}, DrawKey(1, 1), locked)
    assert can_be_forced(refused.value.problems)
    forced = force(Flood(), {}, DrawKey(1, 1), locked)
    assert forced is not None
    assert forced.layers[0].planes["terrain"].tolist() == [[0, 0, 1], [1, 1, 1]]
    assert run(Flood(), {}, DrawKey(1, 0), locked) is not None
    some = roll_batch(Flood(), {}, 1, np.array([1, 0], np.uint64), locked)
    assert some.keeps_locks().tolist() == [False, True]
    none = roll_batch(Flood(), {}, 1, np.array([1, 2], np.uint64), locked)
    assert not none.keeps_locks().any()


def test_a_roll_sees_the_records_that_a_hand_changed_and_no_others() -> None:
    battlemap = BattleMap.new(TOY, GRID, [Layer(1, "Ground")])
    battlemap.records = {"rolled": MapRecord("a"), "typed": MapRecord("b", touched=True)}
    before = Base.under(battlemap, 1)
    assert before.records == {"typed": MapRecord("b", touched=True)}
    battlemap.records["rolled"] = MapRecord("c")
    assert Base.under(battlemap, 1).has_same_rolls(before)
    battlemap.records["typed"] = MapRecord("d", touched=True)
    assert not Base.under(battlemap, 1).has_same_rolls(before)


def test_properties_below_a_roll_tell_two_bases_without_values_apart() -> None:
    bare = Base.under(BattleMap.new(ZEROAD, GRID, [Layer(1, "Ground")]), 1)
    titled = replace(bare, composite=replace(bare.composite, properties={"title": "Isle"}))
    assert bare.has_same_rolls(bare)
    assert not titled.has_same_rolls(bare)
    assert not bare.has_same_rolls(titled)
