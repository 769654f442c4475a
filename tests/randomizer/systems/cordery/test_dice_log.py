"""The dice log of a table: each line with its dice, its decisions, and the table at that time."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from randomizer.generator_run import run
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.roll_base import Base
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind, names_of_page
from randomizer.systems.cordery.dice.dice_names import question_of, words_of_dice
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice_log import build_table, log_entries, table_rolls
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.page_parts import PARTS, part_of_step
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.table_words import dice_log
from tests.randomizer.systems.cordery.built_tables import base_of, built

KEY = DrawKey(5, 0)
CHOSEN: dict[str, object] = {"relief": "hilly", "railways": 1, "planted": "orchard"}


def roll(battlemap: BattleMap, layer_id: int, *, replaces: bool, **chosen: object) -> None:
    places = parts_from(battlemap, layer_id) if replaces else []
    below = places[0] if replaces else battlemap.index_of(layer_id) + 1
    made = run(CorderyGenerator(), {**CHOSEN, **chosen}, KEY, Base.under(battlemap, below, *places))
    assert made is not None
    put_layers(battlemap, layer_id, made.layers, replaces=replaces).edit.apply(battlemap)


@pytest.fixture
def battlemap() -> BattleMap:
    made = BattleMap.new(SYSTEM, base_of("hex", 9, 8).grid, [Layer(1, "Table")])
    roll(made, 1, replaces=False)
    return made


def of_part(battlemap: BattleMap, part: str) -> Layer:
    return next(layer for layer in battlemap.layers if layer.roll and layer.roll.part == part)


def words(battlemap: BattleMap) -> tuple[str, ...]:
    return tuple(
        str(told.line) for told in log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    )


def test_the_words_are_those_of_the_roll(battlemap):
    roll_of = battlemap.layers[1].roll
    assert roll_of is not None
    assert words(battlemap) == roll_of.origins == dice_log(battlemap)


def test_the_last_line_has_the_whole_table_and_every_line_what_it_laid(battlemap):
    told = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    last = told[-1].planes
    assert last is not None
    for name, plane in battlemap.composite().planes.items():
        assert np.array_equal(last[name], plane)
    for line in told:
        if line.line.words.startswith("Hill "):
            assert line.planes is not None
            high = line.planes["elevation"].flat[line.line.cells[0]]
            assert high or line.planes["terrain"].flat[line.line.cells[0]]


def test_every_line_has_its_dice_and_what_could_have_been_decided():
    first, second, *_ = build_table(CHOSEN, KEY, base_of()).entries
    assert first.scores == (("hills die", first.scores[0][1]),)
    assert first.line.decisions == (
        Decision(
            "hills",
            DecisionKind.NUMBER,
            minimum=0,
            maximum=200,
            feature_noun="hill",
            current_number=first.scores[0][1][0] + 4,
        ),
    )
    assert [name for name, _score in second.scores] == ["hill 1 row", "hill 1 steps"]
    assert second.line.decisions == (Decision("hill 1 at", DecisionKind.AREA),)


def test_every_part_of_the_page_has_its_steps():
    assert [part_of_step(step) for step in ("1.3", "2.1", "3.4", "3.3", "7.2")] == [
        "hills",
        "water",
        "habitation",
        "roads",
        "fields",
    ]


def test_a_part_thrown_again_belongs_to_the_table_and_tells_its_own_dice(battlemap):
    before = words(battlemap)
    trees = of_part(battlemap, "trees")
    roll(battlemap, trees.id, replaces=True, first="trees", trees_again=1)
    lowest = battlemap.layers[1].id
    assert len(parts_from(battlemap, lowest)) == len(PARTS)
    again = words(battlemap)
    early = [line for line in before if line[0] in "123" and not line.startswith("3.4")]
    assert again[: len(early)] == tuple(early)
    assert again != before
    assert again == dice_log(battlemap)


def test_a_hidden_part_tells_nothing(battlemap):
    of_part(battlemap, "water").visible = False
    assert not any(line.startswith("2.") for line in words(battlemap))
    assert not any(line.startswith("2.") for line in dice_log(battlemap))


def test_where_the_table_below_was_changed_the_words_are_left(battlemap):
    roll_of = battlemap.layers[1].roll
    assert roll_of is not None
    edit = set_values(battlemap, 1, "terrain", np.arange(30), 1)
    assert edit is not None
    edit.apply(battlemap)
    told = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    assert tuple(str(each.line) for each in told) == roll_of.origins
    assert all(each.planes is None and not each.scores for each in told)


def test_dice_of_the_table_are_asked_for_one_after_the_other():
    chosen: dict[str, object] = {**CHOSEN, "dice": "typed"}
    entered: dict[str, str] = {}
    by_program = Throws(8, 0)
    for _ in range(2000):
        fixed = "\n".join(f"{name} = {score}" for name, score in entered.items())
        built = build_table({**chosen, "fixed": fixed}, KEY, base_of())
        if built.next_die is None:
            break
        scores = by_program.dice(built.next_die.name, built.next_die.count)
        entered[built.next_die.name] = "+".join(map(str, scores))
    assert built.next_die is None
    assert built.entries[-1].line.step.startswith("7")
    assert set(entered) == {name for told in built.entries for name, _score in told.scores}


def test_what_is_locked_after_the_throw_takes_no_line_its_areas(battlemap):
    before = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    of_part(battlemap, "hills").locked = True
    battlemap.locked_cells[:3] = True
    after = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    assert [told.line for told in after] == [told.line for told in before]


def test_a_table_thrown_again_round_a_locked_layer_is_told_with_its_areas(battlemap):
    of_part(battlemap, "hills").locked = True
    roll(battlemap, battlemap.layers[1].id, replaces=True, hills_again=1, fixed="hills = 12")
    told = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    assert all(each.planes is not None for each in told)
    assert [each for each in told if each.line.words.startswith("Hill ")]


def parts_locked(battlemap: BattleMap, locks: Random) -> None:
    """Some layers and some areas are locked, and no others."""
    for layer in battlemap.layers[1:]:
        layer.locked = locks.random() < 0.3
    battlemap.locked_cells[:] = False
    battlemap.locked_cells.flat[locks.sample(range(72), 4)] = True


@pytest.mark.parametrize("number", range(12))
def test_whatever_was_locked_when_it_was_thrown_a_table_is_told_with_its_areas(number):
    locks = Random(number)
    chosen = {"area": "urban", "rivers": 2, "road": ("road", "track")[number % 2]}
    battlemap = BattleMap.new(SYSTEM, base_of("hex", 9, 8).grid, [Layer(1, "Table")])
    roll(battlemap, 1, replaces=False, **chosen)
    parts_locked(battlemap, locks)
    roll(battlemap, battlemap.layers[1].id, replaces=True, **chosen, hills_again=number + 1)
    parts_locked(battlemap, locks)  # what is locked by now says nothing about the throw before
    part = of_part(battlemap, locks.choice(PARTS[1:]))
    settings = part.roll.settings if part.roll else {}
    again = {**settings, "first": part.roll.part, f"{part.roll.part}_again": 1} if part.roll else {}
    roll(battlemap, part.id, replaces=True, **again)
    told = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    assert {each.part for each in told} > {"hills", "habitation"}
    assert all(each.planes is not None for each in told)


def test_what_was_locked_when_a_table_was_thrown_is_in_its_project_file(battlemap):
    of_part(battlemap, "habitation").locked = True
    roll(battlemap, battlemap.layers[1].id, replaces=True, hills_again=1)
    before = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    kept = read_project(write_project(battlemap)).battlemap
    assert kept is not None
    after = log_entries(table_rolls(kept, kept.layers[1].id))
    assert [told.line for told in after] == [told.line for told in before]
    assert all(told.planes is not None for told in after)


def test_a_file_that_says_odd_things_of_what_was_locked_is_refused(battlemap):
    spec = SYSTEM.plane("locked:terrain")
    odd = battlemap.layers[1].planes["locked:terrain"] = spec.allocate(battlemap.grid)
    odd[0, 0] = 99
    with pytest.raises(ProblemError, match="plane locked:terrain has the value 99 at 0101"):
        write_project(battlemap)


@pytest.mark.parametrize(
    "change",
    [
        {"origins": ("",)},
        {"origins": ("words", "9.9 words")},
        {"settings": {"castles": 1}},
        {"settings": {"rivers": 10**9}},
        {"settings": {"fixed": (1,)}},
        {"seed": 2**40},
    ],
)
def test_a_file_whose_roll_makes_no_sense_is_told_in_its_own_words(battlemap, change):
    for layer in battlemap.layers[1:]:
        layer.roll = replace(layer.roll, **change)
    told = log_entries(table_rolls(battlemap, battlemap.layers[1].id))
    assert all(each.planes is None for each in told)
    assert len(dice_log(battlemap)) == len(told)


MANUAL = Path(__file__).resolve().parents[4] / "docs" / "manual" / "wargame-tables.md"


def names_in_the_manual() -> set[str]:
    """The names in the section of the manual, its "road" standing for tracks as well."""
    section = MANUAL.read_text("utf-8").split("## Names of dice and decisions")[1].split("\n## ")[0]
    return set(re.findall(r"`([^`]+)`", section))


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_every_name_that_a_table_asks_for_stands_in_the_manual(kind: str) -> None:
    listed = names_in_the_manual()
    for seed in range(12):
        chosen = {"lakes": True, "marshes": True, "railways": 2, "rivers": 2, "roads": 2}
        builder = built(
            base_of(kind, 9, 8), seed, **chosen, area="urban", detour=True, planted="orchard"
        )
        asked = {
            re.sub(r"village|town|city", "PLACE", name)
            for name in names_of_page(builder.throws.values_by_name)
        }
        assert asked <= listed


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_each_die_that_a_table_asks_for_says_what_it_decides(kind: str) -> None:
    for seed in range(12):
        chosen = {"lakes": True, "marshes": True, "railways": 2, "rivers": 2, "roads": 2}
        builder = built(
            base_of(kind, 9, 8), seed, **chosen, area="urban", detour=True, planted="orchard"
        )
        unexplained = [name for name in builder.throws.scores if not question_of(name)]
        for name in builder.throws.scores:
            (words,) = words_of_dice([name])
            assert words != name, "the log has words for each"
        assert not unexplained
    assert question_of("hills die") == "how many hills there are"
    assert question_of("river 1 entry area 0401 again 2").startswith("whether it enters at 0401")


def test_a_question_mark_tells_the_names() -> None:
    with pytest.raises(ProblemError, match="hill N at = an area\n") as told:
        run(CorderyGenerator(), {"fixed": "?"}, DrawKey(1, 0), base_of())
    assert "hill N steps = 3 scores from 1 to 6" in str(told.value)


def test_a_name_that_nothing_asks_for_is_told_the_one_that_was_meant() -> None:
    made = run(CorderyGenerator(), {"fixed": "hil 2 at = 0303"}, DrawKey(1, 0), base_of())
    assert made is not None
    assert "did you mean hill 2 at?" in made.notes[-1].message
