"""Layers of large maps are deflated by the jobs that made or read them, not by the window."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.document.map_files import new_map
from randomizer.catalog.generators import generator_named
from randomizer.catalog.map_formats import format_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE, POINTY
from randomizer.storage.records.deflated_parts import deflate_blocks
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.system import SYSTEM as WORLD
from tests.app.saves import finished
from tests.app.systems.xconq.period.test_period_panel import settle
from tests.ui_work import UiWork

SIDE = 300


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


def noisy_map():
    battlemap = free_map(POINTY, SIDE, SIDE)
    noise = np.random.default_rng(1).integers(0, 9, (SIDE, SIDE))
    battlemap.layers[0].planes["terrain"] = noise.astype("u2")
    return battlemap


def test_a_file_that_was_opened_is_painted_at_once(window, qtbot, tmp_path) -> None:
    path = tmp_path / "noise.battlemap"
    path.write_bytes(format_named("project").write(noisy_map()))
    document = window.desk.document
    with UiWork() as work:
        window.desk.files.open_path(path)
        qtbot.waitUntil(lambda: document.path == path)
        document.push(set_values(document.battlemap, 1, "terrain", range(9), 3), "Paint")
    assert work.where(deflate_blocks) == {"job"}


@pytest.mark.deep
def test_a_map_is_flipped_and_flipped_back(window, qtbot) -> None:
    document = window.desk.document
    document.open_map(noisy_map())
    with UiWork() as work:
        for count in (1, 2):
            window.desk.commands.action("map.flip-horizontally").trigger()
            qtbot.waitUntil(lambda count=count: len(document.history.steps) == count)
    assert work.where(deflate_blocks) == {"job"}


@pytest.mark.deep
def test_a_world_is_rolled_and_rolled_again(window, qtbot) -> None:
    desk = window.desk
    # Worlds that no other test has rolled: what was deflated once is remembered.
    desk.rolling.key_choice.choose_seed = itertools.count(71_001).__next__
    desk.document.open_map(new_map(WORLD, Grid(OBLIQUE, SIDE, SIDE, wrap=True)))
    modern = generator_named("Modern")
    assert modern is not None
    finished(desk.scripts.opening.open_generator(modern))
    settle(qtbot, window)
    steps = len(desk.document.history.steps)
    with UiWork() as work:
        for count in (1, 2):
            desk.rolling.roll()
            qtbot.waitUntil(lambda count=count: len(desk.document.history.steps) == steps + count)
    assert work.where(deflate_blocks) == {"job"}
