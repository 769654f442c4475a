"""What one test leaves in a window that a file of tests shares does not reach the next one."""

from __future__ import annotations

import pytest

from app.desk.toolbox import FIRST
from app.tools.options import ToolOptions
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.end_to_end.conftest import options_by_name


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.mark.parametrize("turn", ["once", "once more"])
def test_each_test_begins_with_the_tools_of_a_new_window(window, turn):
    tools = window.desk.tools
    assert tools.name == FIRST
    assert options_by_name(tools.options) == options_by_name(ToolOptions())

    window.desk.document.open_map(free_map(FLAT, 12, 9))
    tools.choose("rectangle")
    tools.options.choose(terrain=2, radius=3, weights=((3, 1),), everywhere=True)
