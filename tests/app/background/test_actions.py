"""Actions wait for jobs, dialogs and their turn, and whatever ends them leaves nothing behind."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMetaMethod, QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget
from shiboken6 import delete

from app.background import actions
from app.background.actions import ActionLock, Stopped, Wait, answer, emitted, end_all, result, run
from app.background.jobs import Job
from app.qt_guard import connect
from randomizer.model.problems import ProblemError, error


@pytest.fixture(autouse=True)
def _nothing_stays():
    yield
    left_over = actions.any_running()
    end_all()
    assert not left_over


@pytest.fixture
def faults(monkeypatch):
    reported = []
    # pytest-qt would fail the test.
    monkeypatch.setattr("sys.excepthook", lambda _kind, fault, _trace: reported.append(fault))
    return reported


def test_an_action_gets_the_result_of_a_job(qtbot):
    values = []

    async def action():
        values.append(await result(Job(lambda _progress, _cancelled: 7)))

    run(action())
    assert values == []
    qtbot.waitUntil(lambda: values == [7])


def test_the_problems_of_a_job_are_raised_where_it_is_awaited(qtbot):
    codes = []

    def fail(_progress, _cancelled):
        raise error("no-disk", "The disk is full")

    async def action():
        try:
            await result(Job(fail))
        except ProblemError as reason:
            codes.append(reason.problems[0].code)

    run(action())
    qtbot.waitUntil(lambda: codes == ["no-disk"])


def test_a_cancelled_job_ends_the_action_without_a_word(qtbot, faults):
    steps = []
    job = Job(lambda _progress, _cancelled: 7)

    async def action():
        try:
            await result(job)
            steps.append("went on")
        finally:
            steps.append("ended")

    run(action())
    job.cancel()
    qtbot.waitUntil(lambda: steps == ["ended"])
    assert faults == []


def test_a_dialog_is_opened_and_its_answer_comes_from_the_event_loop(qtbot):
    codes = []
    dialog = QDialog()

    async def action():
        codes.append(await answer(dialog))

    run(action())
    assert dialog.isVisible()
    dialog.done(5)
    assert codes == []
    qtbot.waitUntil(lambda: codes == [5])


def test_the_action_ends_when_its_dialog_goes_with_the_parent(qtbot, faults):
    steps = []
    parent = QWidget()
    dialog = QDialog(parent)

    async def action():
        try:
            await answer(dialog)
        finally:
            steps.append("ended")

    run(action())
    parent.deleteLater()
    qtbot.waitUntil(lambda: steps == ["ended"])
    assert faults == []


@pytest.mark.parametrize("waits", [0, 1, 2])
def test_a_fault_ends_the_action_through_its_finally_and_is_told_once(qtbot, faults, waits):
    turn = ActionLock(QObject())
    steps = []

    async def action():
        async with turn:
            for _ in range(waits):
                await result(Job(lambda _progress, _cancelled: 7))
            raise ValueError("forced")

    async def following():
        async with turn:
            steps.append("had its turn")

    run(action())
    run(following())
    qtbot.waitUntil(lambda: steps == ["had its turn"])
    assert [str(fault) for fault in faults] == ["forced"]


def test_a_wait_that_cannot_begin_ends_the_action(faults):
    steps = []

    def begin(_resume):
        raise ValueError("no dialog")

    async def action():
        try:
            await Wait(begin)
        finally:
            steps.append("ended")

    run(action())
    assert steps == ["ended"]
    assert [str(fault) for fault in faults] == ["no dialog"]


def test_a_lock_looks_again_when_it_is_woken(qtbot):
    """One that comes between the end of the first and the wake-up of the second goes first."""
    context = QObject()
    turn = ActionLock(context)
    order = []
    resumes = []

    async def action(name):
        async with turn:
            order.append(f"{name} begins")
            await Wait(resumes.append)
            order.append(f"{name} ends")

    run(action("first"))
    run(action("second"))
    resumes.pop()()
    run(action("third"))
    assert order == ["first begins", "first ends", "third begins"]
    resumes.pop()()
    qtbot.waitUntil(lambda: len(order) == 5)
    resumes.pop()()
    assert order[4:] == ["second begins", "second ends"]


def test_an_action_waits_for_the_next_of_several_signals(qtbot, faults):
    class Lamp(QObject):
        lit = Signal(bool)
        gone_out = Signal()

    lamp = Lamp()
    steps = []

    async def action():
        await emitted(lamp, lamp.lit, lamp.gone_out)
        steps.append("went on")

    run(action())
    lamp.gone_out.emit()
    assert steps == [], "it goes on from the event loop"
    qtbot.waitUntil(lambda: steps == ["went on"])
    lamp.lit.emit(True)
    qtbot.wait(10)
    assert steps == ["went on"]
    assert not lamp.isSignalConnected(QMetaMethod.fromSignal(lamp.lit))
    assert faults == []


def test_nothing_goes_on_after_the_window_has_ended_its_actions(qtbot, faults):
    steps = []
    resumes = []

    async def action():
        try:
            await Wait(resumes.append)
            steps.append("went on")
        finally:
            steps.append("ended")

    run(action())
    end_all()
    resumes.pop()()
    assert steps == ["ended"]
    assert faults == []


def test_a_turn_is_given_back_although_its_window_has_gone(qtbot, faults):
    context = QObject()
    turn = ActionLock(context)
    resumes = []

    async def hold():
        async with turn:
            await Wait(resumes.append)

    async def wait():
        async with turn:
            pass

    run(hold())
    run(wait())
    delete(context)
    resumes.pop()(None, Stopped())
    end_all()
    assert faults == []


def test_the_action_that_closes_the_window_ends_at_its_next_wait(faults):
    steps = []

    async def action():
        end_all()
        steps.append("closed the window")
        try:
            await Wait(lambda _resume: steps.append("waited"))
        finally:
            steps.append("ended")

    run(action())
    assert steps == ["closed the window", "ended"]
    assert faults == []


def test_a_wait_goes_on_only_once(faults):
    values = []
    resumes = []

    async def action():
        for _ in range(2):
            values.append(await Wait(resumes.append))

    run(action())
    first = resumes.pop()
    first(1)
    first(2)
    assert values == [1]
    resumes.pop()(3)
    assert values == [1, 3]


def test_a_slot_may_be_a_coroutine(qtbot, faults):
    class Button(QObject):
        pressed = Signal()

    button = Button()
    steps = []

    async def press():
        steps.append(await result(Job(lambda _progress, _cancelled: 7)))
        raise Stopped

    connect(button.pressed, press)
    button.pressed.emit()
    qtbot.waitUntil(lambda: steps == [7])
    assert faults == []
