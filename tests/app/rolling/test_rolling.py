"""Rolling onto a document: what is rolled, where it goes, and how it is taken back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QThreadPool

from app.rolling.destination import OTHER_SHAPE
from app.rolling.next_roll import WHOLE_MAP
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_request import last_before
from app.rolling.roll_setup import RollBehaviour, RollSetup
from app.rolling.roll_steps import NO_EARLIER
from app.rolling.rolling import AFTER_LOADING, Rolling
from randomizer.batches.map_stream import MapStream
from randomizer.catalog.generators import generator_without_script
from randomizer.catalog.scripts import generator_for_script
from randomizer.generator_run import run
from randomizer.geometry.transform import turn_map
from randomizer.geometry.turn import rotation
from randomizer.model.edits.layer_edits import insert_layer, rename, set_visible
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell
from tests.app.cordery_tables import bare_table
from tests.app.rolling.conftest import Given, setup_of
from tests.randomizer.batches.rolled import roll_batch

LAKES = "AREA (anywhere) HAZARDS Lake Lake Lake Lake Lake Lake Lake Lake\n"
BOG = "AREA (inside) HAZARDS Bog Sand,50.\n"
HALF = "AREA (anywhere) HAZARDS" + " Lake" * 13 + "\n"


class Told:
    """What a Rolling said."""

    def __init__(self, rolling: Rolling) -> None:
        self.words: list[str] = []
        self.problems: list[tuple] = []
        rolling.message.connect(self.words.append)
        rolling.reported.connect(self.problems.append)


@pytest.fixture
def rolling(document) -> Rolling:
    seeds = iter(range(1000, 2000))
    return Rolling(document, choose_seed=lambda: next(seeds))


@pytest.fixture
def told(rolling) -> Told:
    return Told(rolling)


def rolled(document, layer_id: int | None = None):
    layer = document.active_layer if layer_id is None else document.battlemap.layer(layer_id)
    return layer.roll.seed, layer.roll.number


def test_a_roll_is_a_layer_of_its_own_above_the_active_one(document, rolling, wait):
    document.push(insert_layer(document.battlemap, Layer(7, "Above")), "Add")
    document.set_active_layer(1)
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    names = [layer.name for layer in document.battlemap.layers]
    assert names == ["Ground", "Lakes, seed 17 no. 0", "Above"]
    assert document.active_layer.roll.script == LAKES
    assert document.history.next_undo.text == "Roll Lakes, seed 17 no. 0"
    assert len(document.history.steps) == 2
    assert rolling.key_choice.key == DrawKey(17, 0)


def test_chance_chooses_the_seed_when_it_may(document, rolling, wait):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    assert rolled(document) == (1000, 0)
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    assert rolled(document) == (1001, 0)


def test_without_a_new_seed_a_roll_is_the_next_map_of_the_seed_in_the_same_layer(
    document, rolling, wait
):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    layer_id = document.active_layer_id
    for number in (1, 2, 3):
        wait(rolling.roll, setup_of(LAKES), new_seed=False)
        assert rolled(document, layer_id) == (17, number)
        assert rolling.key_choice.key == DrawKey(17, number)
    assert len(document.battlemap.layers) == 2
    assert document.history.next_undo.text == "Roll Lakes, seed 17 no. 3"


def test_undo_and_redo_restore_map_seed_and_number_step_by_step(document, rolling, wait):
    rolling.key_choice.set_displayed(DrawKey(5, 9))
    shown = [(document.composite, rolling.key_choice.key)]
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    shown.append((document.composite, rolling.key_choice.key))
    wait(rolling.roll, setup_of(BOG, "Bog.rnd"), new_seed=True)
    shown.append((document.composite, rolling.key_choice.key))
    wait(rolling.step_back, setup_of(LAKES))
    shown.append((document.composite, rolling.key_choice.key))
    for composite, state in reversed(shown[:-1]):
        document.undo()
        assert document.composite.same_as(composite)
        assert rolling.key_choice.key == state
    assert document.history.next_undo is None
    for composite, state in shown[1:]:
        document.redo()
        assert document.composite.same_as(composite)
        assert rolling.key_choice.key == state


def test_a_typed_number_is_rolled_as_it_is(document, rolling, wait):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    rolling.key_choice.type_number(40)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (1000, 40)
    rolling.key_choice.type_seed(3)
    assert rolling.key_choice.key.number == 0
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (3, 0)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (3, 1)


def test_stepping_goes_through_the_maps_that_the_layer_showed(document, rolling, wait):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    for number in (30, 12):
        rolling.key_choice.type_number(number)
        wait(rolling.roll, setup_of(LAKES), new_seed=False)
    shown = []
    for step in (rolling.step_back, rolling.step_back, rolling.step_forward, rolling.step_forward):
        wait(step, setup_of(LAKES))
        shown.append(rolled(document)[1])
    assert shown == [30, 0, 30, 12]
    wait(rolling.step_forward, setup_of(LAKES))
    assert rolled(document) == (17, 13)


def test_a_roll_replaces_the_roll_that_shows_though_another_layer_is_active(
    document, rolling, wait
):
    heard: list[str] = []
    rolling.rolled.connect(heard.append)
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    layer = document.active_layer_id
    document.push(insert_layer(document.battlemap, Layer(7, "Mine")), "Add")
    document.set_active_layer(7)
    wait(rolling.roll, setup_of(BOG, "Bog.rnd"), new_seed=True)
    assert [each.id for each in document.battlemap.layers] == [1, layer, 7]
    assert rolled(document, layer) == (1001, 0)
    document.push(rename(document.battlemap, layer, "Land"), "Rename")
    wait(rolling.roll, setup_of(BOG, "Bog.rnd"), new_seed=False)
    wait(rolling.roll_onto_new_layer, setup_of(LAKES), new_seed=True)
    assert heard == [
        "Rolled Lakes, seed 1000 no. 0 as a new layer above Ground",
        "Rolled Bog, seed 1001 no. 0 in place of Lakes, seed 1000 no. 0",
        "Rolled Bog, seed 1001 no. 1 into the layer Land",
        "Rolled Lakes, seed 1002 no. 0 as a new layer above Mine",
    ]


def test_a_locked_layer_is_not_rolled_and_both_ways_out_are_said(document, rolling, told, wait):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    layer = document.active_layer
    document.push(LayerField(layer.id, "locked", False, True), "Lock")
    wait(rolling.roll, setup_of(LAKES))
    assert told.words == [
        "The layer Lakes, seed 1000 no. 0 is locked: unlock it, or roll onto a new layer."
    ]
    wait(rolling.roll_onto_new_layer, setup_of(LAKES))
    assert [rolled(document, each.id)[0] for each in document.battlemap.layers[1:]] == [1000, 1002]


def test_the_same_map_is_rolled_again_from_another_text(document, rolling, wait):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    wait(rolling.roll_again, setup_of(BOG, "Lakes.rnd"))
    assert rolled(document) == (1000, 0)
    assert document.active_layer.roll.script == BOG
    rolling.key_choice.type_number(4)
    wait(rolling.roll_typed)
    assert rolled(document) == (1000, 4)
    assert document.history.next_undo.text == "Roll Lakes, seed 1000 no. 4"
    document.undo()
    assert rolling.key_choice.key == DrawKey(1000, 0)


def test_what_follows_a_text_is_one_step_and_gone_when_the_text_is_as_it_was(
    document, rolling, wait
):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    composite = document.composite
    for text in (BOG, HALF, BOG):
        wait(partial(rolling.roll_same_map, is_typed=True), setup_of(text))
    assert rolled(document) == (1000, 0)
    assert [step.text for step in document.history.steps] == [
        "Roll Lakes, seed 1000 no. 0",
        "Follow Lakes.rnd",
    ]
    wait(partial(rolling.roll_same_map, is_typed=True), setup_of(LAKES))
    assert len(document.history.steps) == 1
    assert document.composite.same_as(composite)


def test_a_recipe_for_a_locked_layer_keeps_its_own_locks_once_that_is_unlocked(
    document, rolling, start, wait
):
    wait(rolling.roll, setup_of(LAKES))
    layer = document.active_layer
    document.push(LayerField(layer.id, "locked", False, True), "Lock")
    base_of_recipe = rolling.next_base()
    retries = []
    rolling.locked.connect(lambda _layer, retry: retries.append(retry))
    destination = rolling.next_roll.destination()
    rolling.roll_onto(base_of_recipe, destination, setup_of(LAKES), DrawKey(21, 0))
    document.push(LayerField(layer.id, "locked", True, False), "Unlock")
    requests = []
    rolling.started.connect(requests.append)
    wait(retries[0])
    assert requests[0].base is base_of_recipe


def test_a_pasted_roll_takes_the_turn_of_one_that_follows_without_a_word(rolling, start, wait):
    wait(rolling.roll, setup_of(LAKES))
    told = []
    rolling.message.connect(told.append)
    start(partial(rolling.roll_same_map, is_typed=True), setup_of(BOG))
    assert rolling.busy
    destination = rolling.next_roll.destination()
    key = DrawKey(21, 0)
    wait(partial(rolling.roll_onto, rolling.next_base(), destination, setup_of(BOG), key))
    assert not told
    assert rolling.key_choice.key == key


def test_a_roll_that_is_asked_for_takes_the_turn_of_one_that_follows(
    qtbot, document, rolling, wait, start
):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    start(partial(rolling.roll_same_map, is_typed=True), setup_of(BOG))
    assert rolling.busy
    wait(rolling.roll, setup_of(BOG), new_seed=True)
    assert rolled(document) == (1001, 0)
    assert [step.text for step in document.history.steps] == [
        "Roll Lakes, seed 1000 no. 0",
        "Roll Lakes, seed 1001 no. 0",
    ]


def test_there_is_nothing_before_map_0(document, rolling, wait):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolling.steps.why_not_back() == NO_EARLIER
    count = len(document.history.steps)
    wait(rolling.step_back, setup_of(LAKES))
    assert len(document.history.steps) == count


def test_stepping_beyond_what_was_shown_counts(document, rolling, wait):
    rolling.key_choice.type_seed(17)
    rolling.key_choice.type_number(8)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    wait(rolling.step_back, setup_of(LAKES))
    assert rolled(document) == (17, 7)
    assert document.history.next_undo.text == "Step back to Lakes, seed 17 no. 7"
    wait(rolling.step_forward, setup_of(LAKES))
    assert rolled(document) == (17, 8)
    wait(rolling.step_forward, setup_of(LAKES))
    assert rolled(document) == (17, 9)


def test_without_a_rolled_layer_a_roll_is_a_new_layer(document, rolling, wait):
    assert rolling.target() is None
    wait(rolling.step_back, setup_of(LAKES))
    wait(rolling.step_forward, setup_of(LAKES))
    assert not len(document.history.steps)
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    assert rolled(document) == (1000, 0)


def test_with_another_layer_active_the_topmost_rolled_one_that_shows_is_rolled_again(
    document, rolling, wait
):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    lower = document.active_layer_id
    wait(rolling.roll_onto_new_layer, setup_of(BOG, "Bog.rnd"), new_seed=True)
    upper = document.active_layer_id
    document.set_active_layer(1)
    wait(rolling.roll, setup_of(BOG, "Bog.rnd"), new_seed=False)
    assert rolled(document, upper) == (1001, 1)
    assert document.active_layer_id == 1  # the brush stays where it is
    document.push(set_visible(document.battlemap, upper, visible=False), "Hide")
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document, lower) == (1000, 1)


def test_a_hidden_layer_that_is_active_is_rolled_and_said_to_be_hidden(
    document, rolling, told, wait
):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    layer = document.active_layer
    document.push(rename(document.battlemap, layer.id, "Water"), "Rename")
    document.push(set_visible(document.battlemap, layer.id, visible=False), "Hide")
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (1000, 1)
    assert told.words == ["The layer Water is hidden: show it to see the roll"]


def test_hand_work_moves_to_the_touch_ups_and_this_is_said(document, rolling, told, wait):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    layer = document.active_layer_id
    places = [cell("D4"), cell("C3"), cell("A1")]
    document.push(set_values(document.battlemap, layer, "terrain", places, 7), "Paint")
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    (text,) = told.words
    assert text.startswith(f"Kept: 3 changes by hand ({TOUCH_UPS})")
    assert [int(document.composite.planes["terrain"].flat[place]) for place in places] == [7, 7, 7]
    assert document.active_layer_id == layer
    document.undo()
    assert [entry.name for entry in document.battlemap.layers][-1] != TOUCH_UPS


def lock_what_shows(document, count: int) -> None:
    """Lock the first hexes that the script has put a lake on."""
    lake = document.battlemap.system.terrain_set.terrain_code("Lake")
    lakes = np.flatnonzero(document.composite.planes["terrain"].ravel() == lake)[:count]
    document.push(set_locks(document.battlemap, lakes, True), "Lock")


def numbers_that_keep(document, text: str, seed: int, upto: int) -> list[int]:
    index = document.battlemap.index_of(document.active_layer_id)
    base = Base.under(document.battlemap, index, index)
    free = Base(
        base.system,
        base.grid,
        base.composite,
        base.shown,
        np.zeros_like(base.locked_cells),
        np.zeros_like(base.locked_sides),
    )
    generator = generator_for_script(text, "Lakes.rnd")
    where = np.flatnonzero(base.locked_cells.ravel())
    wanted = base.shown.planes["terrain"].flat[where]
    kept = []
    for number in range(upto):
        (layer,) = run(generator, {}, DrawKey(seed, number), free).layers
        values = layer.planes["terrain"].flat[where]
        if np.array_equal(values, wanted):
            kept.append(number)
    return kept


def test_with_locks_the_maps_that_keep_them_are_stepped_through(document, rolling, told, wait):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    lock_what_shows(document, 2)
    kept = numbers_that_keep(document, LAKES, 17, 200)
    assert kept[0] == 0
    assert kept[2] - kept[1] > 1
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (17, kept[1])
    assert told.words[-1] == f"Tried {kept[1]} maps until one kept the locks"
    rolling.key_choice.type_number(kept[1] + 1)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    tried = kept[2] - kept[1]
    assert told.words[-1] == f"Tried {tried} maps until one kept the locks"
    rolling.key_choice.type_number(kept[-1])
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    assert rolled(document) == (17, kept[-1])
    rolling.history.clear()  # as if the layer came from a file
    for number in reversed(kept[-4:-1]):
        wait(rolling.step_back, setup_of(LAKES))
        assert rolled(document) == (17, number)


def test_maps_that_break_new_locks_are_passed_over_on_the_way_forward(document, rolling, wait):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    for _step in range(4):
        wait(rolling.step_forward, setup_of(LAKES))
    for _step in range(4):
        wait(rolling.step_back, setup_of(LAKES))
    assert rolled(document) == (17, 0)
    lock_what_shows(document, 2)
    shown = [0]
    for _step in range(3):
        wait(rolling.step_forward, setup_of(LAKES))
        shown.append(rolled(document)[1])
    assert shown == numbers_that_keep(document, LAKES, 17, 200)[:4]


def test_no_map_before_the_first_that_keeps_the_locks(document, rolling, told, wait):
    rolling.key_choice.type_seed(17)
    rolling.key_choice.type_number(3)
    wait(rolling.roll, setup_of(LAKES), new_seed=False)
    lock_what_shows(document, 8)  # very likely none but map 3 itself
    count = len(document.history.steps)
    wait(rolling.step_back, setup_of(LAKES))
    assert told.words[-1] == (
        "Not rolled: no map of seed 17 before number 3 has what you locked; unlock some of it, or "
        "go on to later numbers"
    )
    assert len(document.history.steps) == count


@pytest.mark.parametrize("text", ["AREA D4 HAZARDS Bog,1.\n", "AREA (inside) HAZARDS Bog,50.\n"])
@pytest.mark.parametrize("number", [1, 5, 100, 9000])
def test_the_last_map_before_is_found_in_any_distance(text, number):
    generator = generator_for_script(text, "Bog.rnd")
    battlemap = BattleMap.new(SYSTEM)
    free = Base.under(battlemap, 0)
    kept = roll_batch(generator, {}, 17, np.arange(number, dtype=np.uint64), free)
    wanted = SYSTEM.terrain_set.terrain_code("Bog")
    bogs = np.flatnonzero(kept.terrain[:, list(kept.cells).index(cell("D4"))] == wanted)
    base = locked_to_bog(battlemap)
    if not len(bogs):
        with pytest.raises(ProblemError, match=f"no map of seed 17 before number {number}"):
            last_before(MapStream(generator, {}, base, 17), number)
        return
    found = last_before(MapStream(generator, {}, base, 17), number)
    assert found == bogs[-1]


def locked_to_bog(battlemap: BattleMap) -> Base:
    """D4 is locked as a Bog."""
    battlemap.locked_cells.flat[cell("D4")] = True
    base = Base.under(battlemap, 0)
    shown = base.shown.copy()
    shown.planes["terrain"] = np.array(shown.planes["terrain"])
    shown.planes["terrain"].flat[cell("D4")] = SYSTEM.terrain_set.terrain_code("Bog")
    return replace(base, shown=shown)


def test_the_search_backwards_can_be_cancelled():
    generator = generator_for_script("AREA D4 HAZARDS Bog,1.\n", "Bog.rnd")
    base = locked_to_bog(BattleMap.new(SYSTEM))
    assert last_before(MapStream(generator, {}, base, 17, lambda: True), 9000) is None


def test_a_failure_is_reported_with_its_place_and_changes_nothing(document, rolling, told, wait):
    wait(rolling.roll, setup_of("\nAREA (inside) HAZARDS Bog Lkae\n"), new_seed=True)
    (problem,) = told.problems[-1]
    assert (problem.line, problem.column) == (2, 27)
    assert "Lkae" in problem.message
    assert told.words == [f"Not rolled: {problem.message}"]
    assert not len(document.history.steps)


def test_a_map_that_fails_is_passed_over_by_the_next_roll(document, rolling, told, wait):
    text = "AREA (inside) HAZARDS Bog Lkae,60.\n"
    good = setup_of(text.replace("Lkae", "Lake"))
    wait(rolling.roll, good, new_seed=True)
    numbers = []
    for _ in range(8):
        wait(rolling.roll, setup_of(text), new_seed=False)
        numbers.append(rolled(document)[1])
    assert 0 < numbers[-1] <= 8  # some failed, the others came
    assert len(set(numbers)) > 1


def test_a_failure_on_another_map_skips_no_number(document, rolling, wait):
    wait(rolling.roll, setup_of(BOG), new_seed=True)
    layer = document.active_layer
    history = RollHistory(document)
    history.note_failure(layer.id, key_of(layer)._replace(number=5), BOG)
    assert history.next_key(layer, BOG).number == 6
    history.clear()
    assert history.next_key(layer, BOG).number == 1


def test_a_new_layer_that_is_refused_asks_for_no_dice(rolling, told, wait):
    wait(rolling.roll, setup_of(BOG), new_seed=True)
    asked: list[bool] = []
    provider = Given()
    provider.given = replace(setup_of(BOG), behaviour=RollBehaviour(only_replaces_layer=True))
    provider.asker = lambda: partial(asked.append, True)
    rolling.add_provider(provider)
    rolling.roll_onto_new_layer()
    assert told.words[-1] == WHOLE_MAP
    assert not asked


def test_a_roll_that_waited_tells_why_it_cannot_be_made(qtbot, rolling, told):
    provider = Given()
    provider.loading = lambda: not provider.refusal
    rolling.add_provider(provider)
    rolling.roll()
    assert told.words[-1] == AFTER_LOADING
    provider.refusal = "There is no script."
    provider.setup_changed.emit()
    qtbot.waitUntil(lambda: told.words[-1] == provider.refusal)


def test_steps_pass_over_keys_that_failed(document, rolling, wait):
    wait(rolling.roll, setup_of(BOG), new_seed=True)
    layer = document.active_layer
    key = key_of(layer)
    second = key._replace(number=2)
    third = key._replace(number=3)
    rolls = [replace(layer.roll, number=number) for number in range(5)]
    history = RollHistory(document)
    history.note_new_layer(layer.id, rolls[2])
    history.note_roll(layer.id, rolls[2], rolls[3])
    history.note_roll(layer.id, rolls[3], rolls[4])
    layer = replace(layer, roll=rolls[4])
    assert history.previous_roll(layer) == rolls[3]
    history.note_failure(layer.id, third, BOG)
    assert history.previous_roll(layer) == rolls[2]
    history.note_failure(layer.id, second, BOG)
    assert history.previous_roll(layer) is None
    assert history.previous_key(layer, BOG).number == 1
    # The map before those that failed stands before them in the order of steps.
    history.note_roll(layer.id, rolls[4], rolls[1], is_step_back=True)
    layer = replace(layer, roll=rolls[1])
    assert history.following_roll(layer) == rolls[2]
    history.note_failure(layer.id, second, BOG)
    assert history.following_roll(layer) == rolls[3]


def test_a_suffix_of_no_system_is_reported(rolling, told, wait):
    wait(rolling.roll, setup_of(LAKES, "Lakes.txt"), new_seed=True)
    assert told.problems[-1][0].code == "script-suffix"


def test_settings_put_ground_under_the_script(document, rolling, wait):
    wait(rolling.roll, setup_of(BOG, "Bog.rnd", BaseTerrain="Tower", BaseHeight=2), new_seed=True)
    terrains = document.battlemap.system.terrain_set
    assert document.composite.planes["terrain"].flat[cell("A1")] == terrains.terrain_code("Tower")
    assert document.composite.planes["elevation"].flat[cell("A1")] == 2
    assert document.active_layer.roll.settings == {"BaseTerrain": "Tower", "BaseHeight": 2}


def test_a_roll_for_a_map_that_was_turned_meanwhile_changes_nothing(
    qtbot, document, rolling, told, start
):
    document.open_map(bare_table("hex", 9, 8))
    table = generator_without_script(document.battlemap.system)
    start(rolling.roll, RollSetup("", lambda: table, {}), new_seed=False)
    assert rolling.busy
    turn = turn_map(document.battlemap, rotation(document.battlemap.grid.layout, 1))
    document.push(turn.edit, "Turn right")
    qtbot.waitUntil(lambda: not rolling.busy)
    assert [layer.roll for layer in document.battlemap.layers] == [None]
    assert told.words == [OTHER_SHAPE]
    assert document.composite.planes["terrain"].size == document.battlemap.grid.size


def test_a_search_is_cancelled_at_once(qtbot, document, rolling, told, wait, start):
    rolling.key_choice.type_seed(17)
    wait(rolling.roll, setup_of(HALF), new_seed=False)
    lock_what_shows(document, 13)  # 1 map in twenty million
    count = len(document.history.steps)
    state = rolling.key_choice.key
    heard: list[int] = []
    rolling.progressed.connect(heard.append)
    start(rolling.roll, setup_of(HALF), new_seed=False)
    assert rolling.busy
    start(rolling.roll, setup_of(HALF), new_seed=False)  # one at a time
    qtbot.waitUntil(lambda: bool(heard))
    rolling.cancel()
    assert not rolling.busy
    assert QThreadPool.globalInstance().waitForDone(60_000)
    qtbot.wait(10)
    assert len(document.history.steps) == count
    assert rolling.key_choice.key == state
    assert told.problems[-1] == ()


def test_a_layer_that_went_meanwhile_is_missed_in_words(document, rolling, told, wait, start):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)

    def roll_and_undo() -> None:
        start(rolling.roll, setup_of(LAKES), new_seed=False)
        document.undo()

    wait(roll_and_undo)
    assert told.words == ["The layer is gone that this roll was meant for: nothing was changed"]
    assert [layer.name for layer in document.battlemap.layers] == ["Ground"]


def test_what_was_painted_meanwhile_is_kept(document, rolling, told, wait, start):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)

    def roll_and_paint() -> None:
        start(rolling.roll, setup_of(LAKES), new_seed=False)
        layer = document.active_layer_id
        document.push(set_values(document.battlemap, layer, "terrain", [cell("D4")], 7), "Paint")

    wait(roll_and_paint)
    assert rolled(document) == (1000, 1)
    assert document.composite.planes["terrain"].flat[cell("D4")] == 7
    (text,) = told.words
    assert text.startswith(f"Kept: 1 change by hand ({TOUCH_UPS})")


def test_a_roll_waits_until_the_brush_is_lifted(qtbot, document, rolling, wait, start):
    wait(rolling.roll, setup_of(LAKES), new_seed=True)
    layer = document.active_layer_id
    document.begin_stroke("Paint")
    document.stroke(set_values(document.battlemap, layer, "terrain", [cell("D4")], 7))
    start(rolling.roll, setup_of(LAKES), new_seed=False)
    QThreadPool.globalInstance().waitForDone(5000)
    qtbot.wait(60)
    assert rolling.busy
    assert document.in_stroke
    assert document.end_stroke()
    qtbot.waitUntil(lambda: not rolling.busy)
    assert rolled(document) == (1000, 1)
    assert document.composite.planes["terrain"].flat[cell("D4")] == 7


def test_a_roll_that_waits_for_the_brush_can_be_cancelled(qtbot, document, rolling, wait, start):
    document.begin_stroke("Paint")
    start(rolling.roll, setup_of(LAKES), new_seed=True)
    QThreadPool.globalInstance().waitForDone(5000)
    qtbot.wait(10)
    rolling.cancel()
    document.cancel_stroke()
    qtbot.wait(60)
    assert not len(document.history.steps)


def test_another_map_forgets_rolls_under_way(qtbot, document, rolling, wait, start):
    start(rolling.roll, setup_of(LAKES), new_seed=True)
    document.replace_map(BattleMap.new(document.battlemap.system, layers=[Layer(1, "New")]))
    assert not rolling.busy
    QThreadPool.globalInstance().waitForDone(5000)
    qtbot.wait(10)
    assert [layer.name for layer in document.battlemap.layers] == ["New"]
