"""What a roll had to say goes when the roll is undone: it is no longer true of the map."""

from __future__ import annotations

import pytest

from tests.end_to_end.test_first_looks import DRIVEN_DIALOGS as DIALOGS
from tests.end_to_end.test_first_looks import roll_landscape
from tests.end_to_end.test_walking_desk import settled

DRIVEN_DIALOGS = DIALOGS
KEPT = "12 locked cells were kept"


@pytest.mark.deep
def test_kept_locks_are_not_told_of_a_roll_that_is_undone(qtbot, window):
    roll_landscape(window, qtbot)
    document = window.desk.document
    commands = window.desk.commands
    problems = window.desk.docks.panel("randomize").problem_list
    document.select(document.battlemap.grid.cells[:12])
    commands.action("select.lock").trigger()
    commands.action("script.roll").trigger()
    settled(qtbot, window)
    assert [problem.message for problem in problems.problems] == [KEPT]

    commands.action("edit.undo").trigger()
    assert [problem.message for problem in problems.problems] == []
