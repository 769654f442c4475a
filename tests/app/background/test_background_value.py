"""A value in the background: the newest only, never twice, and nothing while nobody looks."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QThreadPool, QTimer
from shiboken6 import isValid

from app.background.background_value import BackgroundValue
from app.background.latest_job import LatestJob
from randomizer.model.problems import error


class Squares(QObject):
    """The squares of a number that can be changed, and what was heard of them."""

    def __init__(self, **options: object) -> None:
        super().__init__()
        self.number: object = 2
        self.worked: list[object] = []
        self.gates: dict[object, threading.Event] = {}
        self.ended: list[tuple[object, bool]] = []
        self.heard: list[tuple[str, object]] = []
        self.value = BackgroundValue(lambda: self.number, self.work, self, **options)
        for name in ("started", "computed", "failed", "missed"):
            getattr(self.value, name).connect(
                lambda what, name=name: self.heard.append((name, what))
            )

    def work(self, number: int, _progress, cancelled) -> object:
        self.worked.append(number)
        if number in self.gates:
            assert self.gates[number].wait(5)
        self.ended.append((number, cancelled()))
        if number < 0:
            raise error("negative", "no negative numbers")
        return number * number

    def change(self, number: object) -> None:
        self.number = number
        self.value.renew()

    def computed_values(self) -> list[object]:
        return [what for name, what in self.heard if name == "computed"]


@pytest.fixture
def squares(qtbot) -> Iterator[Squares]:
    made = Squares()
    made.value.watch()
    qtbot.waitUntil(lambda: made.value.fresh)
    yield made
    for gate in made.gates.values():
        gate.set()
    QThreadPool.globalInstance().waitForDone()


def test_a_value_follows_its_inputs(squares, qtbot) -> None:
    squares.change(3)
    assert squares.value.busy
    assert not squares.value.fresh
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.heard == [("started", 2), ("computed", 4), ("started", 3), ("computed", 9)]


def test_from_equal_inputs_nothing_is_worked_out_again(squares, qtbot) -> None:
    squares.change(2)
    assert not squares.value.fresh
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2]


def test_equal_inputs_leave_the_work_under_way_alone(squares, qtbot) -> None:
    gate = squares.gates[3] = threading.Event()
    squares.change(3)
    qtbot.waitUntil(lambda: squares.worked == [2, 3])
    squares.change(3)
    qtbot.waitUntil(lambda: not squares.value.findChild(QTimer).isActive())
    gate.set()
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2, 3]
    assert squares.ended[-1] == (3, False)
    assert squares.computed_values() == [4, 9]


def test_only_the_newest_value_is_found(squares, qtbot) -> None:
    gate = squares.gates[3] = threading.Event()
    squares.change(3)
    qtbot.waitUntil(lambda: 3 in squares.worked)
    squares.change(4)
    qtbot.waitUntil(lambda: squares.computed_values() == [4, 16])
    gate.set()
    qtbot.waitUntil(lambda: (3, True) in squares.ended)  # it was told that it is not wanted
    QThreadPool.globalInstance().waitForDone()
    squares.change(5)  # found behind all that the older work could have sent
    qtbot.waitUntil(lambda: 25 in squares.computed_values())
    assert squares.computed_values() == [4, 16, 25]


def test_changes_of_one_turn_are_one(squares, qtbot) -> None:
    for number in (3, 4, 5):
        squares.change(number)
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2, 5]


@pytest.mark.parametrize("throttled", [False, True])
def test_each_change_puts_the_work_off_unless_it_is_throttled(qtbot, throttled) -> None:
    squares = Squares(delay_ms=3_600_000, throttled=throttled)
    squares.value.watch()
    qtbot.waitUntil(lambda: squares.value.fresh)
    squares.value.renew(delay_ms=0)
    squares.change(3)  # an hour later
    if throttled:
        qtbot.waitUntil(lambda: squares.value.fresh)
        assert squares.worked == [2, 3]
    else:
        (timer,) = squares.value.findChildren(QTimer)
        assert timer.remainingTime() > 1_000_000
        assert squares.worked == [2]


def test_while_hidden_the_inputs_are_not_even_looked_at(qtbot) -> None:
    squares = Squares()
    squares.value.renew()
    assert not squares.value.busy
    squares.value.watch()
    qtbot.waitUntil(lambda: squares.computed_values() == [4])
    squares.value.unwatch()
    squares.change(3)
    assert not squares.value.busy
    squares.value.watch()
    qtbot.waitUntil(lambda: squares.computed_values() == [4, 9])
    assert squares.worked == [2, 3]


def test_a_value_that_is_known_is_not_worked_out_when_it_is_shown_again(squares, qtbot) -> None:
    squares.value.unwatch()
    squares.value.watch()
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2]


def test_hiding_cancels_and_showing_begins_again(squares, qtbot) -> None:
    gate = squares.gates[3] = threading.Event()
    squares.change(3)
    qtbot.waitUntil(lambda: 3 in squares.worked)
    squares.value.unwatch()
    assert not squares.value.busy
    gate.set()
    qtbot.waitUntil(lambda: (3, True) in squares.ended)
    squares.value.watch()
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2, 3, 3]
    assert squares.computed_values() == [4, 9]


def test_what_is_forgotten_is_worked_out_again(squares, qtbot) -> None:
    squares.value.forget()
    assert not squares.value.fresh
    squares.value.renew()
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2, 2]


def test_words_say_once_why_there_is_no_value_and_cancel_the_work(squares, qtbot) -> None:
    gate = squares.gates[3] = threading.Event()
    squares.change(3)
    qtbot.waitUntil(lambda: 3 in squares.worked)
    squares.change("no number")
    qtbot.waitUntil(lambda: squares.heard[-1] == ("missed", "no number"))
    squares.change("no number")
    qtbot.waitUntil(lambda: not squares.value.busy)
    gate.set()
    qtbot.waitUntil(lambda: (3, True) in squares.ended)
    squares.change(2)
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.heard[2:] == [
        ("started", 3),
        ("missed", "no number"),
        ("started", 2),
        ("computed", 4),
    ]


def test_what_fails_is_not_tried_again_until_its_inputs_change(squares, qtbot) -> None:
    squares.change(-1)
    qtbot.waitUntil(lambda: squares.heard[-1][0] == "failed")
    assert [problem.code for problem in squares.heard[-1][1]] == ["negative"]
    squares.change(-1)
    qtbot.waitUntil(lambda: squares.value.fresh)
    assert squares.worked == [2, -1]
    squares.change(3)
    qtbot.waitUntil(lambda: squares.computed_values() == [4, 9])


def steps(number: int, _progress, _cancelled) -> Iterator[int]:
    yield from range(1, number + 1)


@pytest.mark.parametrize(("between", "expected"), [(-1.0, [1, 2, 3, 3]), (9.0, [1, 3])])
def test_intermediate_values_come_first_some_left_out_and_never_the_last(
    qtbot, between, expected
) -> None:
    parent = QObject()
    found = []
    value = BackgroundValue(lambda: 3, steps, parent, between_s=between)
    value.computed.connect(lambda number: found.append((number, value.fresh)))
    value.watch()
    qtbot.waitUntil(lambda: value.fresh)
    assert found == [(number, False) for number in expected[:-1]] + [(3, True)]


def test_intermediate_values_of_older_inputs_are_dropped(qtbot) -> None:
    number = [1]
    gate = threading.Event()
    seen = []

    def work(begin: int, _progress, _cancelled) -> Iterator[int]:
        yield begin
        if begin == 1:
            assert gate.wait(5)
        seen.append(begin)
        yield -begin

    parent = QObject()
    found = []
    value = BackgroundValue(lambda: number[0], work, parent, between_s=-1.0)
    value.computed.connect(found.append)
    value.watch()
    qtbot.waitUntil(lambda: found == [1])
    number[0] = 5
    value.renew()
    qtbot.waitUntil(lambda: value.fresh)
    gate.set()
    qtbot.waitUntil(lambda: 1 in seen)
    QThreadPool.globalInstance().waitForDone()
    qtbot.waitUntil(lambda: found == [1, 5, -5, -5])


def test_nothing_comes_after_the_owner_is_gone(qtbot) -> None:
    squares = Squares()
    gate = threading.Event()
    heard = squares.heard
    squares.gates[2] = gate
    squares.value.watch()
    qtbot.waitUntil(lambda: heard == [("started", 2)])
    qtbot.waitUntil(lambda: squares.worked == [2])  # else it is cancelled before its work
    squares.deleteLater()
    qtbot.waitUntil(lambda: not isValid(squares))
    gate.set()
    QThreadPool.globalInstance().waitForDone()
    QCoreApplication.processEvents()  # what was sent arrives
    assert heard == [("started", 2)]
    assert squares.ended == [(2, True)], "work that nobody hears of is cancelled"


def giving(result: object, after: threading.Event | None = None):
    def work(_progress, _cancelled) -> object:
        if after is not None:
            after.wait(5)
        return result

    return work


def test_only_the_newest_work_is_told(qtbot) -> None:
    jobs = LatestJob()
    told = []
    gate = threading.Event()
    jobs.run(giving("old", gate), told.append, told.append)
    jobs.run(giving("new"), told.append, told.append)
    assert jobs.busy
    qtbot.waitUntil(lambda: told == ["new"])
    gate.set()
    qtbot.wait(30)
    assert told == ["new"]
    assert not jobs.busy


def test_work_that_fails_tells_its_problems(qtbot) -> None:
    def work(_progress, _cancelled) -> None:
        raise error("no-game", "there is no game")

    jobs = LatestJob()
    done = []
    failed = []
    jobs.run(work, done.append, failed.append)
    qtbot.waitUntil(lambda: len(failed) == 1)
    assert failed[0][0].message == "there is no game"
    assert done == []


def test_after_cancelling_nothing_is_told_and_it_is_not_busy(qtbot) -> None:
    jobs = LatestJob()
    told = []
    busy = []
    gate = threading.Event()
    jobs.busy_changed.connect(busy.append)
    jobs.run(giving("old", gate), told.append, told.append)
    jobs.cancel()
    gate.set()
    qtbot.wait(30)
    assert told == []
    assert busy == [True, False]


def test_new_work_may_be_asked_for_where_the_old_is_told(qtbot) -> None:
    jobs = LatestJob()
    told = []

    def again(result: object) -> None:
        told.append(result)
        jobs.run(giving("second"), told.append, told.append)

    jobs.run(giving("first"), again, told.append)
    qtbot.waitUntil(lambda: told == ["first", "second"])
