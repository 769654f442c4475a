"""Slices of work on the UI thread: one in each turn of the event loop."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QObject, QTimer
from shiboken6 import delete

from app.background.slices import Slices


class Counter:
    """Counts down, and notes each slice with its name."""

    def __init__(self, name: str, slices: int, log: list[str]) -> None:
        self.name = name
        self.left = slices
        self.log = log

    def run_slice(self) -> bool:
        self.left -= 1
        self.log.append(self.name)
        return self.left > 0


@pytest.fixture
def parent(qapp):
    return QObject()


def test_objects_take_turns_until_their_work_is_done(qtbot, parent):
    log: list[str] = []
    first = Slices(Counter("first", 3, log).run_slice, parent)
    second = Slices(Counter("second", 2, log).run_slice, parent)
    first.start()
    first.start()
    second.start()
    assert log == []
    qtbot.waitUntil(lambda: not first.is_active and not second.is_active)
    assert log == ["first", "second", "first", "second", "first"]


def test_other_timers_run_between_two_slices(qtbot, parent):
    log: list[str] = []
    timer = QTimer(parent)
    timer.timeout.connect(lambda: log.append("timer"))
    slices = [Slices(Counter("slice", 2, log).run_slice, parent) for _number in range(2)]
    timer.start(0)
    for work in slices:
        work.start()
    qtbot.waitUntil(lambda: log.count("slice") == 4)
    pairs = list(pairwise(log))
    assert ("slice", "slice") not in pairs


def test_stopped_work_and_that_of_a_deleted_object_end(qtbot, parent):
    log: list[str] = []
    stopped = Slices(Counter("stopped", 9, log).run_slice, parent)
    owner = QObject()
    deleted = Slices(Counter("deleted", 9, log).run_slice, owner)
    last = Slices(Counter("last", 1, log).run_slice, parent)
    for work in (stopped, deleted, last):
        work.start()
    stopped.stop()
    delete(owner)
    qtbot.waitUntil(lambda: not last.is_active)
    assert log == ["last"]


def test_work_can_be_started_anew_in_its_last_slice(qtbot, parent):
    log: list[str] = []

    def run_slice() -> bool:
        log.append("slice")
        if len(log) == 1:
            work.start()
        return False

    work = Slices(run_slice, parent)
    work.start()
    qtbot.waitUntil(lambda: len(log) == 2)
    assert not work.is_active


def test_a_fault_ends_the_work_of_one_object_only(qtbot, parent, report_faults_to):
    faults: list[BaseException] = []
    report_faults_to(faults.append)
    log: list[str] = []

    def fail() -> bool:
        raise RuntimeError

    failing = Slices(fail, parent)
    other = Slices(Counter("other", 2, log).run_slice, parent)
    failing.start()
    other.start()
    qtbot.waitUntil(lambda: not other.is_active)
    assert len(faults) == 1
    assert not failing.is_active
    assert log == ["other", "other"]


def test_work_that_is_stopped_in_one_of_its_slices_does_not_go_on(qtbot, parent):
    log: list[str] = []

    def run_slice() -> bool:
        log.append("slice")
        work.stop()
        return True

    work = Slices(run_slice, parent)
    last = Slices(Counter("last", 3, log).run_slice, parent)
    work.start()
    last.start()
    qtbot.waitUntil(lambda: not last.is_active)
    assert log == ["slice", "last", "last", "last"]
    assert not work.is_active
