"""Filling the desk after its first paint, also when something goes wrong."""

import pytest
from PySide6.QtCore import QObject, QTimer

from app.background.start_steps import StartSteps, Step
from app.fault_log import problem_of


def test_every_step_runs_in_order_and_the_end_is_told_once(qtbot):
    done = []
    parent = QObject()
    steps = StartSteps(
        [Step("One", lambda: done.append(1)), Step("Two", lambda: done.append(2))], parent
    )
    ended = []
    steps.finished.connect(lambda: ended.append(1))
    with qtbot.waitSignal(steps.finished):
        steps.begin()
        steps.begin()
    assert done == [1, 2]
    assert ended == [1]


def test_a_step_that_fails_is_told_and_stops_no_other(qtbot, report_faults_to):
    seen = []
    report_faults_to(seen.append)
    done = []
    parent = QObject()
    steps = StartSteps(
        [Step("The menus", lambda: 1 // 0), Step("Two", lambda: done.append(2))], parent
    )
    with qtbot.waitSignal(steps.finished):
        steps.begin()
    assert done == [2]
    (fault,) = seen
    assert problem_of(fault).message.startswith("The menus could not be made: ZeroDivisionError")


def test_the_steps_run_although_no_paint_comes(qtbot):
    parent = QObject()
    steps = StartSteps([], parent, paint_wait_ms=10)
    with qtbot.waitSignal(steps.finished):
        steps.begin_without_paint_later()


@pytest.mark.parametrize(
    ("turn_ms", "order"), [(60_000, ["One", "Two", "events"]), (0, ["One", "events", "Two"])]
)
def test_steps_share_a_turn_until_its_time_is_over(qtbot, turn_ms, order):
    done = []
    parent = QObject()

    def begin() -> None:
        done.append("One")
        QTimer.singleShot(0, parent, lambda: done.append("events"))

    two_steps = [Step("One", begin), Step("Two", lambda: done.append("Two"))]
    steps = StartSteps(two_steps, parent, turn_ms=turn_ms)
    with qtbot.waitSignal(steps.finished):
        steps.begin()
    qtbot.waitUntil(lambda: "events" in done)
    assert done == order
