"""Scripts learned from maps say what the maps' own script says."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.learning.boards import Boards, boards_of
from randomizer.systems.colossus.learning.counts import best_chances, poisson_binomial
from randomizer.systems.colossus.learning.fit import marginals_of, rolled_states
from randomizer.systems.colossus.learning.hex_masks import (
    ALL,
    hexes_of,
    mask_of,
    neighbours,
    size,
)
from randomizer.systems.colossus.learning.hexsides import LearnedPair, PairHex, learn_pairs
from randomizer.systems.colossus.learning.kinds import kinds_of, placed_over, summary_of
from randomizer.systems.colossus.learning.learner import LearningOptions, learn
from randomizer.systems.colossus.learning.pieces import AreaList, Layout, Piece, Ref
from randomizer.systems.colossus.learning.reasons import reason_for_piece
from randomizer.systems.colossus.learning.regions import REGIONS, THIRDS, turned
from randomizer.systems.colossus.learning.script_learner import ScriptLearner, program_of
from randomizer.systems.colossus.learning.statement_texts import pair_text
from randomizer.systems.colossus.learning.step_pairs import step_pairs
from randomizer.systems.colossus.learning.tuning import tune
from randomizer.systems.colossus.learning.writing import Layer, ScriptHead, write_script
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.script.lint import check_script
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import free_map
from tests.benchmarks.bench_learning import judge, learned_from, rolled_boards

ENOUGH_S = 3600.0
"""How long may be learned: a machine that was busy has given up halfway, with another script."""

POND = """\
AREA D4 D3 C3 HAZARDS Lake
LABEL pond = (usedup)
AREA SURROUNDINGSOF((pond)) HAZARDS Bog Bog Bog,50.
AREA SUBSTRACT((inside),(pond) SURROUNDINGSOF((pond))) HAZARDS Plains,50.,1
PAIR (Plains,1)(Plains,0) HEXSIDES s
"""


@given(st.sets(st.integers(0, HEX_COUNT - 1)))
def test_sets_as_bits_are_the_sets_of_hexes(hexes: set[int]) -> None:
    mask = mask_of(hexes)
    assert set(hexes_of(mask)) == hexes
    masks = np.array([mask], np.int32)
    around = {other for number in hexes for other in NEIGHBOURS[number] if other >= 0}
    assert set(hexes_of(int(neighbours(masks)[0]))) == around
    assert size(masks)[0] == len(hexes)
    assert turned(turned(turned(mask))) == mask


def test_named_regions_have_the_hexes_of_their_lists() -> None:
    for region in REGIONS:
        text = f"AREA {region.text} HAZARDS{' Lake' * HEX_COUNT}\n"
        rolled = rolled_boards(program_of(text), 1, 0)
        assert mask_of(np.flatnonzero(rolled.terrain[0] == 8).tolist()) == region.mask


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=4))
def test_hazards_are_found_whose_counts_are_those_of_the_maps(chances: list[float]) -> None:
    maps = np.zeros((28, 28))
    maps[:, 20] = poisson_binomial(tuple(chances)) * 1000
    found = poisson_binomial(best_chances(maps, 200))
    assert np.abs(found - maps[:, 20] / 1000).sum() < 0.02


@pytest.mark.deep
def test_a_learned_script_makes_such_maps_in_as_few_lines() -> None:
    true = program_of(POND)
    learned = learned_from(rolled_boards(true, 150, 1), "Pond", ENOUGH_S)
    version = learned.version
    fit = judge(true, program_of(version.text))
    assert fit.hex_bits.mean() < 0.01
    assert fit.pair_bits.mean() < 0.015
    assert fit.count_distance.max() < 0.1
    assert version.statements <= 7
    assert "HEXSIDES s\n" in version.text
    assert not check_script(version.text)
    lines = version.text.splitlines()
    for line, reason in version.reasons.items():
        assert lines[line - 1].startswith(("AREA", "PAIR"))
        assert ("further from the maps" in reason.text) == (reason.gain >= 0.005)
    assert [version.statements for version in learned.versions] == sorted(
        version.statements for version in learned.versions
    )
    assert learned.at(0) is learned.versions[0]
    assert learned.at(1) is learned.versions[-1]


def test_what_is_learned_so_far_is_there_from_the_first_step_on() -> None:
    boards = rolled_boards(program_of(POND), 40, 1)
    steps = []
    for progress in learn(boards, LearningOptions("Pond", seconds=0)):
        program_of(progress.learned.version.text)
        steps.append(progress.percent)
    assert steps[-1] == 100
    assert all(a <= b for a, b in pairwise(steps))


def test_the_order_is_searched_for_however_long_the_program_has_run() -> None:
    """The time counts from the beginning of learning, on its own thread: a desk is used for hours.

    Meanwhile other threads work, so that all threads together use up the time much sooner.
    """
    boards = rolled_boards(program_of(POND), 40, 1)
    while time.process_time() < 6:
        sum(range(100_000))
    shares: list[float] = []

    def search() -> None:
        end_time = time.thread_time() + 5
        task = ScriptLearner(boards, name="Pond", seed=0, end_time=end_time)
        shares.extend(task.find_order())

    thread = threading.Thread(target=search)
    thread.start()
    thread.join()
    assert shares[-1] == 1, "out of time it stops earlier"


@pytest.mark.deep
def test_a_few_maps_are_not_learned_by_heart() -> None:
    boards = rolled_boards(program_of("AREA (anywhere) HAZARDS Bog Bog Bog Bog,50.\n"), 5, 1)
    version = learned_from(boards, "Moor", ENOUGH_S).version
    assert version.statements == 1
    assert "(anywhere)" in version.text


@pytest.mark.deep
def test_the_same_seed_learns_the_same_script() -> None:
    boards = rolled_boards(program_of("AREA (inside) HAZARDS Bog Bog Bog,50.\n"), 40, 1)
    first, second = (learned_from(boards, "Pond", ENOUGH_S).version.text for _ in range(2))
    assert first == second


def test_maps_of_other_systems_are_named_and_left_out() -> None:
    battleland = BattleMap.new(SYSTEM)
    boards, problems = boards_of([("a", free_map(FLAT, 4, 4)), ("b", battleland)])
    assert boards.names == ("b",)
    assert [(problem.path, problem.code) for problem in problems] == [("a", "no-battleland")]


def test_a_map_without_any_rule_becomes_a_script_too() -> None:
    dice = np.random.default_rng(1)
    maps = 1
    boards = replace(
        rolled_boards(program_of(POND), maps, 0),
        terrain=dice.integers(0, 12, (maps, HEX_COUNT), np.uint8),
        elevation=dice.integers(0, 3, (maps, HEX_COUNT), np.uint8),
        hexside=dice.integers(0, 6, (maps, HEX_COUNT, 6), np.uint8),
    )
    *_, last = learn(boards, LearningOptions('a "name"\nof two lines', seconds=0))
    assert not check_script(last.learned.version.text)


def test_a_hexside_behind_a_certain_one_is_not_written() -> None:
    boards = rolled_boards(program_of(POND.replace("HEXSIDES s", "HEXSIDES s,99. c")), 300, 1)
    pairs = learn_pairs(boards, 0.1)
    assert len(pairs[0].choices) == 2
    text = write_script(ScriptHead("Pond", 300), [], pairs).text
    assert "PAIR (Plains,1)(Plains,0) HEXSIDES s\n" in text


def test_a_pair_has_a_hexside_however_rare() -> None:
    pair = LearnedPair(PairHex(0, 1), PairHex(0, 0), (("s", 0.003), ("c", 0.001)), 1000, 1.0)
    assert pair_text(pair) == "PAIR (Plains,1)(Plains,0) HEXSIDES s,1."


def test_beside_a_ring_are_no_hexes_of_the_ring_itself() -> None:
    lake = 13
    layout = Layout(np.array([1 << lake], np.int32))
    layout.used.append(np.array([1 << lake], np.int32))
    around_lake = sum(1 << hex_id for hex_id in NEIGHBOURS[lake] if hex_id >= 0)
    beside_ring = AreaList(ALL, near=(Ref((0,), is_ring=True),))
    hexes = layout.hexes_in(beside_ring)
    assert hexes.any()
    assert not (hexes & around_lake).any()


def test_chances_are_tuned_as_the_script_writes_them() -> None:
    piece = Piece(NAMES.index("Bog"), (1.0, 0.0, 0.0), AreaList(ALL), (0.37,), 1.0, 0)
    program = program_of("AREA (anywhere) HAZARDS Bog,35.\n")
    states = rolled_states(program, 1)
    (tuned,) = tune([piece], program, marginals_of(states, (0, 1)), 1, 1.0, lambda: True)
    assert tuned.chances == (0.35,)


NAMES = [terrain.name for terrain in COLOSSUS.terrains]


def tree(
    number: int, area_list: AreaList, chance: float = 1.0, *, gain: float = 1.0, seed: bool = False
) -> Piece:
    return Piece(NAMES.index("Tree"), (1.0, 0.0, 0.0), area_list, (chance,), gain, number, seed)


def test_labels_are_written_that_lists_use() -> None:
    inside = next(region.mask for region in REGIONS if region.name == "inside")
    pieces = (
        tree(0, AreaList(inside), 0.5),
        tree(1, AreaList(), 0.5),
        tree(2, AreaList(inside), 0.5),
    )
    text = write_script(ScriptHead("Wood", 9), [Layer("", pieces)], ()).text
    assert not check_script(text)
    assert "LABEL tree = (usedup)" in text
    assert "AREA SUBSTRACT((inside),(tree) (usedup)) HAZARDS Tree,50." in text


def test_a_piece_used_by_three_parts_alike_has_a_label() -> None:
    first_part, *further_parts = THIRDS[0]
    pieces = (
        tree(0, AreaList(), 0.5),
        tree(1, AreaList(first_part, further=tuple(further_parts)), 0.5),
    )
    text = write_script(ScriptHead("Wood", 9), [Layer("", pieces)], ()).text
    assert not check_script(text), "the list of each part names a label that is set"
    assert text.count("SUBSTRACT((") == text.count("entry),(tree))") == 3


def test_a_list_that_goes_on_is_what_is_left_over() -> None:
    inside = next(region.mask for region in REGIONS if region.name == "inside")
    pieces = tuple(tree(number, AreaList(inside), 0.5) for number in range(3))
    text = write_script(ScriptHead("Wood", 9), [Layer("", pieces)], ()).text
    assert not check_script(text)
    areas = [line for line in text.splitlines() if line.startswith(("AREA", "LABEL"))]
    assert areas == [
        "AREA (inside) HAZARDS Tree,50.",
        "AREA (leftover) HAZARDS Tree,50.",
        "AREA (leftover) HAZARDS Tree,50.",
    ]
    states = rolled_states(program_of(text), 1, 500)
    assert states.sum(0).max() == 3 * states.max(), "no hex is taken twice"


@pytest.mark.parametrize(("elevation", "name"), [(1, "heights"), (0, "features")])
def test_what_a_list_leans_on_together_has_a_name(elevation: int, name: str) -> None:
    odds = (float(not elevation), float(elevation), 0.0)
    pieces = tuple(
        replace(tree(number, AreaList(1 << number, near=near)), elevation_odds=odds)
        for number, near in enumerate([(), (), (), (Ref((0, 1, 2)),)])
    )
    text = write_script(ScriptHead("Wood", 9), [Layer("", pieces)], ()).text
    assert not check_script(text)
    assert f"LABEL {name} = (tree) (tree.2) (usedup)\n" in text
    assert f"SURROUNDINGSOF(({name}))" in text


# Few maps of peaks among woods: which of them touch differs from map to map.
PEAKS = """\
AREA (inside) HAZARDS Plains,2 Plains,60.,2
LABEL peak = (usedup)
AREA SURROUNDINGSOF((peak)) HAZARDS Plains,1 Plains,1 Plains,1 Plains,1 Plains,1 Plains,1
AREA SUBSTRACT((anywhere),(peak) (usedup)) HAZARDS Tree Tree Brambles,30. Stone,30. Bog,30.
PAIR (Plains,2)(Plains,1) HEXSIDES c,40. s
PAIR (Plains,2)(Plains,0) HEXSIDES c,40. s
PAIR (Plains,2)(Tree,0) HEXSIDES c,40. s
PAIR (Plains,2)(Brambles,0) HEXSIDES c,40. s
PAIR (Plains,2)(Stone,0) HEXSIDES c,40. s
PAIR (Plains,2)(Bog,0) HEXSIDES c,40. s
PAIR (Plains,1)(Plains,0) HEXSIDES s
PAIR (Plains,1)(Tree,0) HEXSIDES s
PAIR (Plains,1)(Brambles,0) HEXSIDES s
PAIR (Plains,1)(Stone,0) HEXSIDES s
PAIR (Plains,1)(Bog,0) HEXSIDES s
"""


def bare_steps(boards: Boards, height: int) -> float:
    """How many steps down of a height have no hexside, on average."""
    count = 0
    for hex_id, row in enumerate(NEIGHBOURS):
        for side, other in enumerate(row):
            if other >= 0:
                elevations = boards.elevation.astype(int)
                steps = elevations[:, hex_id] - elevations[:, other] == height
                count += (steps & (boards.hexside[:, hex_id, side] == 0)).sum()
    return count / len(boards)


def test_a_step_that_the_maps_do_not_have_gets_the_hexsides_of_its_height() -> None:
    slopes = POND + "PAIR (Plains,1)(Bog,0) HEXSIDES s\n"
    boards = rolled_boards(program_of(slopes), 50, 1)
    lake = NAMES.index("Lake")
    bog = NAMES.index("Bog")
    peak_in_lake = np.full((HEX_COUNT, 1), lake * ELEVATIONS, np.uint8)
    peak_in_lake[13] = bog * ELEVATIONS + 2
    (pair,) = step_pairs(boards, (), peak_in_lake)
    assert (pair.owner, pair.neighbour) == (PairHex(bog, 2), PairHex(lake, 0))
    assert pair_text(pair) == "PAIR (Bog,2)(Lake,0) HEXSIDES s"
    assert step_pairs(boards, (pair,), peak_in_lake) == ()


@pytest.mark.deep
def test_no_step_is_bare_where_the_maps_mark_all_steps() -> None:
    boards = rolled_boards(program_of(PEAKS), 6, 1)
    assert bare_steps(boards, 1) == bare_steps(boards, 2) == 0
    version = learned_from(boards, "Peaks", ENOUGH_S).version
    rolled = rolled_boards(program_of(version.text), 1000, 5)
    assert bare_steps(rolled, 2) < 0.02
    assert bare_steps(rolled, 1) < 0.1
    assert "# Steps that the maps hardly have" in version.text
    reasons = [reason.text for reason in version.reasons.values()]
    assert any(text.startswith("Like the other steps of two in the maps: ") for text in reasons)


@pytest.mark.deep  # ten seconds
def test_steps_stay_bare_that_the_maps_leave_bare() -> None:
    bare = "\n".join(line for line in PEAKS.splitlines() if not line.startswith("PAIR")) + "\n"
    boards = rolled_boards(program_of(bare), 6, 1)
    assert "PAIR" not in learned_from(boards, "Peaks", ENOUGH_S).version.text


def test_a_comment_says_that_three_parts_of_the_board_are_alike() -> None:
    first_part, *further_parts = THIRDS[0]
    piece = tree(0, AreaList(first_part, further=tuple(further_parts)), 0.5)
    text = reason_for_piece(piece, {}).text
    assert text.startswith("On average 1.5 Tree, equally in three parts of the board")


def test_comments_say_in_plain_words_where_hazards_stand() -> None:
    inside = next(region.mask for region in REGIONS if region.name == "inside")
    pieces = (
        tree(0, AreaList(inside), seed=True),
        tree(1, AreaList(inside, apart=(Ref((0,)),)), 0.4),
        tree(2, AreaList(mask_of([1, 2]), near=(Ref((0, 1)),))),
        replace(tree(3, AreaList(), gain=-0.3), elevation_odds=(0.0, 1.0, 0.0)),
    )
    text = write_script(ScriptHead("Wood", 9), [Layer("", pieces)], ()).text
    assert [line for line in text.splitlines() if line.startswith(("# 1", "# On"))] == [
        "# 1 Tree, inside; without it 1.00 further from the maps.",
        "# On average 0.4 Tree, inside and not beside treeheart;"
        " without it 1.00 further from the maps.",
        "# 1 Tree, on these 2 hexes and beside treeheart or tree;"
        " without it 1.00 further from the maps.",
        "# 1 Tree, 1 high.",
    ]


@pytest.mark.parametrize(
    ("name", "title"),
    [("Obere Mühle", "Obere Muhle"), ('the "old"\n\\ moor', "the old moor"), ("沼", "Learned")],
)
def test_the_title_is_the_name_in_letters_that_a_title_may_have(name: str, title: str) -> None:
    text = write_script(ScriptHead(name, 1), (), ()).text
    assert f'\nTITLE "{title}"\n' in text
    assert not check_script(text)


@pytest.mark.parametrize(
    ("numbers", "summary"),
    [
        ([1, 1], "Bog: on every map 1 hex."),
        ([2, 5], "Bog: on every map 2 to 5 hexes, 3.5 on average."),
        ([0, 3], "Bog: on 50 % of the maps 3 hexes."),
        ([0, 1, 4, 0], "Bog: on 50 % of the maps 1 to 4 hexes, 2.5 on average."),
    ],
)
def test_a_summary_says_how_often_a_terrain_comes(numbers: list[int], summary: str) -> None:
    bog = NAMES.index("Bog")
    states = np.zeros((len(numbers), HEX_COUNT), np.uint8)
    for row, number in zip(states, numbers, strict=True):
        row[:number] = bog * ELEVATIONS
    (kind,) = kinds_of(states)
    assert summary_of(kind) == summary
    states[:, -1] = NAMES.index("Tree") * ELEVATIONS
    tree_kind, same = kinds_of(states)
    assert summary_of(placed_over(same, tree_kind)) == summary  # what lies over it is no bog


def test_without_maps_there_is_nothing_to_learn() -> None:
    boards, _ = boards_of([])
    with pytest.raises(ValueError, match="no maps"):
        next(learn(boards, LearningOptions("Nothing")))
