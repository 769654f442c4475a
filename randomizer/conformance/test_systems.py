"""Systems, script hosts and features: names, texts of scripts whatever stands in them, modules."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from importlib import import_module
from itertools import islice

import pytest

from randomizer.catalog import script_hosts, systems
from randomizer.conformance.samples import base_of, check_problems, named, sample_map
from randomizer.generator import DrawKey, roll_steps
from randomizer.installed import installed, packages, problems
from randomizer.languages.language import SourceText
from randomizer.model.gate import check_grid, check_map
from randomizer.model.problems import ProblemError
from randomizer.model.system import System
from randomizer.script_hosts import ScriptHost

HOSTS = [pytest.param(each, id=each.suffixes[0]) for each in script_hosts()]


def test_all_that_the_packages_name_can_be_used() -> None:
    for package in packages():
        for kind in package.lists:
            installed(kind)
    for feature in installed("FEATURES"):
        assert feature.title
        assert callable(import_module(feature.module).make)
    assert problems() == ()


def test_systems_and_suffixes_of_scripts_differ() -> None:
    for names in (
        [system.name for system in systems()],
        [suffix for host in script_hosts() for suffix in host.suffixes],
    ):
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"\.?[a-z0-9]+", name) for name in names)


@pytest.mark.parametrize("system", named(systems()))
def test_maps_of_a_system_pass_the_gate_and_their_cells_have_names(system: System) -> None:
    check_grid(system, system.new_grid())
    battlemap = sample_map(system)
    check_map(battlemap)
    grid = battlemap.grid
    for cell in grid.cells[:: max(1, len(grid.cells) // 500)].tolist():
        assert system.cell_of_name(grid, system.cell_name(grid, cell)) == cell
    system.cell_of_name(grid, "no such cell")


@pytest.mark.parametrize("host", HOSTS)
def test_a_text_whatever_stands_in_it_has_problems_or_rolls(host: ScriptHost) -> None:
    assert host.suffixes
    dice, texts = random.Random(28), ["", "\0", "(" * 500, "}{", "x = 1\n" * 50, "“ü”"]
    for generator in host.packaged():
        text = generator.text
        assert host.decode(host.encode(text))[0] == text
        texts += [text[: dice.randrange(len(text) + 1)] for _time in range(3)]
    for text in texts:
        source = SourceText(text, f"script{host.suffixes[0]}")
        check_problems(host.check(source), text)
        with suppress(ProblemError):
            generator = host.generator(source)
            steps = roll_steps(generator, {}, DrawKey(1, 1), base_of(generator))
            list(islice(steps, 3))
            steps.close()
    for data in (b"\xff\xfe\0", dice.randbytes(200)):
        host.recognises(data)
        check_problems(host.decode(data)[1])
