"""What travels between this process and the one that rolls."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

import numpy as np
import pytest

from randomizer.catalog.generators import generator_named
from randomizer.generator_run import empty_map
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.processes.children import start_child
from randomizer.processes.worker import Worker, read_message, setup_of, write_message
from randomizer.roll_base import Base


def sent(value):
    """Return the value as the other process gets it."""
    file = io.BytesIO()
    write_message(value, file)
    file.seek(0)
    return read_message(file)


class _Reader:
    """Asks for the cached value of its owner while it is written, as another thread may."""

    owner: _Cached

    def __reduce__(self):
        assert self.owner.doubled == 4
        return _Reader, ()


@dataclass(frozen=True)
class _Cached:
    reader: _Reader = field(default_factory=_Reader)
    number: int = 2

    @cached_property
    def doubled(self) -> int:
        return 2 * self.number


def test_a_value_is_written_while_another_thread_caches_something_in_it():
    value = _Cached()
    value.reader.owner = value
    received = sent(value)
    assert received.number == 2
    assert "doubled" not in vars(received)
    assert received.doubled == 4


def test_a_grid_arrives_without_what_was_cached_in_it():
    mask = np.ones((3, 4), np.bool_)
    mask[0, 0] = False
    grid = Grid(FLAT, 4, 3, mask)
    assert len(grid.cells) == 11
    received = sent(grid)
    assert (received.layout, received.width, received.height) == (FLAT, 4, 3)
    assert "cells" not in vars(received)
    assert np.array_equal(received.cells, grid.cells)


def test_a_process_ends_with_its_parent_while_a_map_is_being_rolled():
    generator = generator_named("Landscape")
    settings = {"width": 600, "height": 400}
    base = Base.under(empty_map(generator, settings), 0)
    child = start_child(Worker.__module__)
    write_message(setup_of(generator, settings, 7, base), child.stdin)
    write_message(0, child.stdin)
    child.stdin.close()  # as where the parent has ended
    assert child.stdout.read() == b"", "it did not wait for the map"
    child.stdout.close()
    child.wait(60)


def test_a_process_that_got_half_a_setup_ends():
    worker = Worker()
    try:
        with pytest.raises(TypeError, match="pickle"):
            worker.roll((number for number in range(3)), 0)
        assert not worker.alive
    finally:
        worker.close()


def test_a_process_that_cannot_read_its_setup_ends(monkeypatch):
    module = ModuleType("module_of_the_parent_alone")
    module.Setup = type("Setup", (), {"__module__": module.__name__})
    monkeypatch.setitem(sys.modules, module.__name__, module)
    worker = Worker()
    try:
        assert worker.roll(module.Setup(), 0) is None
        assert not worker.alive
    finally:
        worker.close()
