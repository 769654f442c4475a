"""Everything that is installed keeps the promises of the protocol of extensions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from randomizer.batches.counts import measures_of
from randomizer.batches.map_stream import MapStream
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generators
from randomizer.catalog.map_formats import format_named, formats
from randomizer.catalog.scripts import script_host, script_hosts
from randomizer.catalog.systems import game_hosts, systems
from randomizer.formats.checked import read_checked, write_checked
from randomizer.formats.format import Format
from randomizer.formats.held_systems import can_write, refuse_other_systems
from randomizer.games.host import GameHost
from randomizer.generator import MapGenerator
from randomizer.generator_run import empty_map, roll_steps, run
from randomizer.installed import LISTS, installed, problems
from randomizer.languages.language import SourceText
from randomizer.model.gate.gate import check_grid, check_map
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, ProblemError, has_errors
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.scripts.script_hosts import ScriptHost
from randomizer.storage.records.encoding import encode_map
from randomizer.symmetric_rolls import settings_for

SEED = 7

MAX_STEPS = 100_000
"""A generator that makes more steps than these never ends."""

MAX_CELLS = 5000
"""A sample map has at most so many cells: it is written many times."""

BAD_FILES = (b"", b"\0", b"{", b"{}", b'{"hexes": 3}', b"<", b"<a/>", b"\xff" * 50, b"0 " * 500)
"""Files of no format, some of which begin as JSON, XML or a list of numbers does."""

BAD_TEXTS = ("", "\0", "(" * 500, "}{", "x = 1\n" * 50, "“ü”")
"""Texts that most languages of scripts refuse."""

_rolled_maps: dict[tuple[int, int], BattleMap] = {}
"""The maps of ``remembered_roll``, by the id of a generator and the number of the map."""

for_each_generator = pytest.mark.parametrize(
    "generator", generators(), ids=lambda generator: generator.name
)
for_each_format = pytest.mark.parametrize(
    "file_format", formats(), ids=lambda file_format: file_format.name
)
for_each_system = pytest.mark.parametrize("system", systems(), ids=lambda system: system.name)
for_each_host = pytest.mark.parametrize("host", script_hosts(), ids=lambda host: host.suffixes[0])
for_each_game = pytest.mark.parametrize("game", game_hosts(), ids=lambda game: game.title)


def check_problems(problems_found: Iterable[Problem], text: str | None = None) -> None:
    """Check that each problem has a code and a message, and that its line is one of ``text``."""
    for problem in problems_found:
        assert problem.code, problem
        assert problem.message.strip(), problem
        assert "Traceback" not in problem.message, problem
        if text is not None and problem.line is not None:
            # A problem at the very end stands in the line behind the last line end.
            assert 1 <= problem.line <= len(text.splitlines()) + 1, problem


def base_of(generator: MapGenerator) -> Base:
    """Return what a new map of a generator is rolled onto; skip the test if it cannot be used."""
    reason = generator.why_not()
    if reason:
        pytest.skip(reason)
    return Base.under(empty_map(generator, {}), 0)


def roll(generator: MapGenerator, number: int, base: Base) -> BattleMap:
    """Return a new map, rolled now. Raises ProblemError."""
    steps: list[int] = []
    generated = run(
        generator, {}, DrawKey(SEED, number), base, steps.append, lambda: len(steps) > MAX_STEPS
    )
    assert generated is not None, "it never ends"
    assert steps, "it can be cancelled at its steps only"
    assert all(0 <= percent <= 100 for percent in steps)
    return new_map(base.system, base.grid, base.terrain_set, generated)


def remembered_roll(generator: MapGenerator, number: int) -> BattleMap:
    """Return the map that ``roll`` returns; each is rolled once, and the tests share it."""
    key = id(generator), number
    if key not in _rolled_maps:
        _rolled_maps[key] = roll(generator, number, base_of(generator))
    return _rolled_maps[key]


def sample_map(system: System) -> BattleMap:
    """Return a map of a system: a roll of the first generator of small maps, else an empty one."""
    for generator in generators():
        is_usable = generator.system is system and not generator.why_not()
        if is_usable and base_of(generator).grid.size <= MAX_CELLS:
            return remembered_roll(generator, 3)
    return BattleMap.new(system, layers=[Layer(1, "Ground")])


def test_all_that_the_packages_name_can_be_used_and_has_a_name_of_its_own() -> None:
    for kind in LISTS:
        installed(kind)  # a package that cannot be used is a problem
    assert problems() == ()
    for feature in installed("FEATURES"):
        assert feature.title
        assert callable(import_module(feature.module).make)

    system_names = [system.name for system in systems()]
    suffixes: list[str] = []
    for host in script_hosts():
        suffixes += host.suffixes
    for name in (*system_names, *suffixes):
        assert re.fullmatch(r"\.?[a-z0-9]+", name)

    # Formats of different systems may share a name.
    format_names = [(file_format.name, file_format.systems) for file_format in formats()]
    generator_names = [generator.name.lower() for generator in generators()]
    assert len(set(system_names)) == len(system_names)
    assert len(set(suffixes)) == len(suffixes)
    assert len(set(format_names)) == len(format_names)
    assert len(set(generator_names)) == len(generator_names)


# --- generators and measures ----------------------------------------------------------------------


@for_each_generator
def test_a_generator_says_what_it_is_and_its_script_is_sound(generator: MapGenerator) -> None:
    assert re.fullmatch(r"\w[\w ()]*", generator.name)
    assert generator.metadata.name == generator.name
    assert generator.metadata.description
    names = [setting.name for setting in settings_for(generator)]
    assert len(set(names)) == len(names)
    if generator.text:
        source = SourceText(generator.text, generator.metadata.script)
        assert not has_errors(script_host(source.name).language.check(source))


@for_each_generator
def test_a_key_makes_the_same_map_whatever_was_cancelled_before(generator: MapGenerator) -> None:
    first_map = encode_map(remembered_roll(generator, 3))
    base = base_of(generator)
    for number, step_count in ((5, 2), (4, 1)):
        steps = roll_steps(generator, {}, DrawKey(SEED, number), base)
        list(islice(steps, step_count))
        steps.close()  # raises RuntimeError if the generator goes on
    assert encode_map(roll(generator, 3, base)) == first_map


@for_each_generator
def test_what_is_locked_stays_or_a_problem_says_why_not(generator: MapGenerator) -> None:
    base = base_of(generator)
    shown_map = remembered_roll(generator, 3)
    brings_grid = not shown_map.grid.same_as(base.grid)
    brings_terrains = shown_map.terrain_set != base.terrain_set
    if brings_grid or brings_terrains:
        return  # its rolls replace the whole map, locks and all
    locked_cells = np.zeros_like(base.locked_cells)
    locked_cells.flat[shown_map.grid.cells[0]] = True
    base_with_lock = replace(base, shown=shown_map.composite(), locked_cells=locked_cells)
    try:
        roll(generator, 4, base_with_lock)  # ``run`` raises if a locked value is another one
    except ProblemError as refused:
        check_problems(refused.problems)


@for_each_generator
def test_maps_of_a_batch_are_those_rolled_alone_and_are_measured(generator: MapGenerator) -> None:
    stream = MapStream(generator, {}, base_of(generator), SEED)
    with closing(stream.blocks(range(3, 5))) as blocks:
        batches = list(blocks)
    for batch in batches:
        for row, number in enumerate(batch.numbers.tolist()):
            single_map = remembered_roll(generator, number)
            if single_map.terrain_set != batch.base.terrain_set:
                continue  # the same terrains have other codes
            composite = single_map.composite()
            for name, plane in batch.planes(row).items():
                assert np.array_equal(plane, composite.planes[name]), (number, name)
        for measure in measures_of(generator, batch.base.terrain_set):
            if measure.cost:
                continue  # one that plays battles, say, takes too long here
            values = measure.of(batch)
            assert values.shape == (len(batch),), measure.name
            assert not np.isinf(values).any(), measure.name


# --- formats and games ----------------------------------------------------------------------------


@for_each_format
def test_a_format_is_found_by_its_name_and_has_suffixes(file_format: Format) -> None:
    for system in systems():
        if not file_format.systems or system.name in file_format.systems:
            assert format_named(file_format.name, system) is file_format
    assert file_format.title
    assert file_format.suffixes
    assert all(re.fullmatch(r"\.[a-z0-9]+", suffix) for suffix in file_format.suffixes)
    assert file_format.largest > 0 or not file_format.readable


@for_each_format
def test_what_a_format_writes_it_reads_and_writes_alike_from_then_on(file_format: Format) -> None:
    for system in systems():
        battlemap = sample_map(system)
        if not can_write(file_format, battlemap):
            with pytest.raises(ProblemError):
                refuse_other_systems(file_format, battlemap)
            continue
        check_problems(file_format.check(battlemap))
        try:
            data = write_checked(file_format, battlemap)
        except ProblemError as refused:
            check_problems(refused.problems)
            continue
        assert file_format.write(battlemap) == data
        if not file_format.readable:
            continue
        recognised_format = format_for(data, f"map{file_format.suffixes[0]}")
        second_map = read_checked(recognised_format, data).battlemap
        assert second_map is not None
        # The first file may say of a roll what a map that is read does not know any more; from
        # the second one on nothing changes.
        second_data = write_checked(file_format, second_map)
        third_map = read_checked(file_format, second_data).battlemap
        assert third_map is not None
        assert file_format.write(third_map) == second_data


@for_each_format
def test_bad_data_give_problems_and_nothing_is_raised(file_format: Format) -> None:
    dice = random.Random(28)
    spoiled_files = list(BAD_FILES)
    for system in systems():
        if not file_format.readable or not can_write(file_format, sample_map(system)):
            continue
        data = file_format.write(sample_map(system))
        for fifths in range(1, 5):
            spoiled_files.append(data[: len(data) * fifths // 5])
        for _ in range(10):
            offset = dice.randrange(len(data))
            spoiled_files.append(data[:offset] + dice.randbytes(3) + data[offset + 3 :])
    for data in spoiled_files:
        file_format.recognises(data)
        result = read_checked(file_format, data, "Map")
        check_problems(result.problems)
        assert result.battlemap is not None or has_errors(result.problems)
        assert {problem.path for problem in result.problems} <= {"Map"}


@for_each_game
def test_a_game_plays_maps_of_a_system_and_says_what_is_missing(
    game: GameHost, tmp_path: Path
) -> None:
    assert game.system in {system.name for system in systems()}
    assert not game.format.systems or game.system in game.format.systems
    assert 1 <= len(game.levels) <= 2
    with pytest.raises(ProblemError) as missing:
        game.open_game(game.find_game(tmp_path)).read_map("no such group", "no such map")
    check_problems(missing.value.problems)


# --- systems and scripts --------------------------------------------------------------------------


@for_each_system
def test_maps_of_a_system_pass_the_gate_and_their_cells_have_names(system: System) -> None:
    check_grid(system, system.new_grid())
    battlemap = sample_map(system)
    check_map(battlemap)
    grid = battlemap.grid
    for cell in grid.cells[:: max(1, len(grid.cells) // 500)].tolist():
        assert system.cell_of_name(grid, system.cell_name(grid, cell)) == cell
    system.cell_of_name(grid, "no such cell")


@for_each_host
def test_a_text_whatever_stands_in_it_has_problems_or_rolls(host: ScriptHost) -> None:
    dice = random.Random(28)
    texts = list(BAD_TEXTS)
    for generator in host.packaged():
        text = generator.text
        assert host.decode(host.encode(text))[0] == text
        for _ in range(3):
            texts.append(text[: dice.randrange(len(text) + 1)])
    for text in texts:
        source = SourceText(text, f"script{host.suffixes[0]}")
        check_problems(host.check(source), text)
        with suppress(ProblemError):
            generator = host.generator(source)
            with closing(roll_steps(generator, {}, DrawKey(1, 1), base_of(generator))) as steps:
                list(islice(steps, 3))
    for data in (b"\xff\xfe\0", dice.randbytes(200)):
        host.recognises(data)
        check_problems(host.decode(data)[1])
