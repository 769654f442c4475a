"""What every generator is promised and held to: settings, keys, bases, progress, cancelling."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from randomizer.generator import (
    Base,
    DrawKey,
    Generated,
    Generating,
    MapGenerator,
    Setting,
    checked_settings,
    run,
)
from randomizer.model.battlemap import BattleMap, Layer, Roll, System, roll_name
from randomizer.model.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.grid import Grid
from randomizer.model.layouts import SQUARE
from randomizer.model.metadata import Metadata
from randomizer.model.problems import ProblemError, error
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import TOY

GRID = Grid(SQUARE, 3, 2)


class Sower:
    """A generator that tells what it was given and whether it was closed."""

    name = "Sower"
    metadata = Metadata("Sower", "Sower.toy", "")
    text = ""
    system: System = TOY
    settings = (Setting("Rows", int, "How many rows.", least=1, most=5),)

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
    assert (made.layers[0].name, made.number, made.tried) == ("Sown", 2, 1)
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


# --- settings -------------------------------------------------------------------------------------

SETTINGS = (
    Setting("Ground", str, "What lies below.", choices=("Sand", "Bog")),
    Setting("Title", str, "Any text."),
    Setting("Rows", int, "How many.", least=1, most=5),
    Setting("Lowest", int, "A height.", least=-2),
    Setting("Highest", int, "A height.", most=9),
    Setting("Share", float, "A share.", least=0, most=1),
    Setting("Slope", float, "Any number."),
    Setting("Round", bool, "Whether it is round."),
)


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [
        ("Ground", "Bog", "Bog"),
        ("Title", "12", "12"),
        ("Rows", 5, 5),
        ("Rows", " 3 ", 3),
        ("Lowest", "-2", -2),
        ("Highest", -50, -50),
        ("Share", "0.25", 0.25),
        ("Share", 1, 1.0),
        ("Slope", "-1e3", -1000.0),
        ("Round", True, True),
        ("Round", "No", False),
        ("Round", " yes", True),
        ("Round", "0", False),
    ],
)
def test_a_setting_is_read_as_its_kind(name: str, value: object, taken: object) -> None:
    found = checked_settings(SETTINGS, {name: value})
    assert found == {name: taken}
    assert type(found[name]) is type(taken)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Ground", "bog", "Ground cannot be bog (expected: Sand, Bog)"),
        ("Ground", 3, "Ground is a text, not 3"),
        ("Ground", None, "Ground is a text, not None"),
        ("Rows", 0, "Rows cannot be 0 (expected: 1 to 5)"),
        ("Rows", "6", "Rows cannot be 6 (expected: 1 to 5)"),
        ("Rows", "many", "Rows is a whole number, not many"),
        ("Rows", "2.5", "Rows is a whole number, not 2.5"),
        ("Rows", 2.0, "Rows is a whole number, not 2.0"),
        ("Rows", True, "Rows is a whole number, not True"),
        ("Lowest", -3, "Lowest cannot be -3 (expected: at least -2)"),
        ("Highest", 10, "Highest cannot be 10 (expected: at most 9)"),
        ("Share", "1.5", "Share cannot be 1.5 (expected: 0 to 1)"),
        ("Share", "nan", "Share is a number, not nan"),
        ("Slope", "inf", "Slope is a number, not inf"),
        ("Slope", False, "Slope is a number, not False"),
        ("Round", "maybe", "Round is yes or no, not maybe"),
        ("Round", 1, "Round is yes or no, not 1"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(ProblemError) as caught:
        checked_settings(SETTINGS, {name: value})
    assert [problem.message for problem in caught.value.problems] == [message]


def test_an_unknown_setting_is_refused_and_the_known_ones_named() -> None:
    with pytest.raises(
        ProblemError, match=r"no setting rows here \(there are: Ground, Title, Rows"
    ):
        checked_settings(SETTINGS, {"rows": 1})
    with pytest.raises(ProblemError, match=r"there are: none"):
        checked_settings((), {"rows": 1})


def test_what_a_setting_expects_is_said_in_words() -> None:
    assert [setting.expected for setting in SETTINGS] == [
        "Sand, Bog",
        "a text",
        "1 to 5",
        "at least -2",
        "at most 9",
        "0 to 1",
        "a number",
        "yes or no",
    ]


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
