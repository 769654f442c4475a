"""A fault is kept once and told once, with details; an undo step that fails changes nothing."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app import fault_log
from app.background.jobs import Job
from app.desk.fault_dialogs import Faults
from app.fault_log import LOG, MAX_FAULTS, FaultLog, problem_of
from app.qt_guard import connect, guarded, report_fault
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.model.edits.edit import Compound, PlaneEdit
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_property, set_values
from tests.randomizer.map_strategies import contents


def raised(message: str = "a fault", note: str = "") -> Exception:
    """An exception from always the same place."""
    try:
        raise ValueError(message)
    except ValueError as fault:
        if note:
            fault.add_note(note)
        return fault


@pytest.fixture
def log(monkeypatch) -> FaultLog:
    """An empty log in place of that of the process."""
    LOG.clear()
    yield LOG
    LOG.clear()


# --- the log --------------------------------------------------------------------------------------


def test_one_fault_is_kept_once_whatever_its_message(log):
    for number in range(100):
        log.add(raised(f"value {number}"))
    (fault,) = log.faults
    assert fault.count == 100
    assert "value 0" in fault.problem.message
    assert "(100 times)" in log.details()


def test_what_was_being_done_tells_faults_of_one_place_apart(log):
    log.add(raised(note="The layer A cannot be drawn"))
    log.add(raised(note="The layer B cannot be drawn"))
    assert [fault.problem.message.split(":")[0] for fault in log.faults] == [
        "The layer A cannot be drawn",
        "The layer B cannot be drawn",
    ]


def test_the_log_does_not_grow_for_ever(log, monkeypatch):
    # Faults of one line of a test count as several.
    monkeypatch.setattr(fault_log, "_key", lambda reason: (str(reason),))
    for number in range(MAX_FAULTS + 5):
        log.add(raised(str(number)))
    assert len(log.faults) == MAX_FAULTS


def test_details_have_the_traceback_and_the_versions(log):
    log.add(raised())
    details = log.details()
    for part in ("Traceback", "ValueError: a fault", "numpy", "PySide6", "Python 3"):
        assert part in details


def test_a_fault_without_words_has_its_type():
    assert "KeyError" in problem_of(KeyError()).message


# --- telling --------------------------------------------------------------------------------------


@dataclass
class Told:
    faults: Faults
    frame: QWidget
    said: list[str]

    @property
    def dialogs(self) -> list[ProblemDialog]:
        return [each for each in self.frame.findChildren(ProblemDialog) if each.isVisible()]


@pytest.fixture
def told(log, qtbot, monkeypatch, capsys) -> Told:
    """Faults are told as in the program. (pytest-qt would take them for failures of the test.)"""
    for name in ("excepthook", "unraisablehook"):
        # What a log changes is as before when the test ends.
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    frame = QWidget()
    said = []
    qtbot.addWidget(frame)
    faults = Faults(frame, said.append)
    # The pause between two faults that are alike.
    faults._repeat_timer.setInterval(1)
    faults.install()
    yield Told(faults, frame, said)
    faults.remove()


def test_a_fault_is_told_once_in_a_dialog_then_in_the_status_bar(told, qtbot):
    report_fault(raised("the first"))
    qtbot.waitUntil(lambda: len(told.dialogs) == 1)
    for _ in range(100):
        report_fault(raised("another"))
    qtbot.waitUntil(lambda: told.said != [])
    (dialog,) = told.dialogs
    assert "the first" in dialog.text.toPlainText()
    assert "101 times" in told.said[-1]
    assert len(told.said) < 10


def test_further_faults_come_into_the_same_dialog_and_later_ones_into_a_new_one(told, qtbot):
    report_fault(raised(note="One"))
    report_fault(raised(note="Two"))
    qtbot.waitUntil(lambda: any("Two:" in each.text.toPlainText() for each in told.dialogs))
    (dialog,) = told.dialogs
    assert "One:" in dialog.text.toPlainText()
    dialog.reject()
    report_fault(raised(note="Three"))
    qtbot.waitUntil(lambda: len(told.dialogs) == 1)
    text = told.dialogs[0].text.toPlainText()
    assert "Three:" in text
    assert "One:" not in text


def test_the_details_can_be_copied(told, qtbot):
    report_fault(raised())
    qtbot.waitUntil(lambda: len(told.dialogs) == 1)
    told.dialogs[0].copy.click()
    assert "Traceback" in QGuiApplication.clipboard().text()


def test_faults_of_other_threads_are_told(told, qtbot):
    def fail() -> None:
        raise ValueError("on a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(told.dialogs) == 1)
    assert "on a thread" in told.dialogs[0].text.toPlainText()


def test_what_ends_the_program_is_no_fault(told, capsys):
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert LOG.faults == ()


def test_a_slot_and_an_override_are_told(told, qtbot):
    class Button(QPushButton):
        @guarded
        def mouseReleaseEvent(self, event) -> None:  # noqa: N802 - Qt's name
            raise ValueError("in an override")

    def fail() -> None:
        raise ValueError("in a slot")

    button = Button()
    qtbot.addWidget(button)
    connect(button.clicked, fail)
    button.click()
    button.mouseReleaseEvent(None)
    qtbot.waitUntil(lambda: len(LOG.faults) == 2)


# --- jobs -----------------------------------------------------------------------------------------


def broken(_progress, _cancelled) -> None:
    raise ValueError("a fault of the work")


def test_a_fault_of_a_job_is_its_problem_and_in_the_log(told, qtbot):
    job = Job(broken)
    with qtbot.waitSignal(job.failed) as failed:
        job.start()
    (problem,) = failed.args[0]
    assert "a fault of the work" in problem.message
    (fault,) = LOG.faults
    assert fault.problem == problem
    assert told.dialogs == []


def test_a_fault_of_a_job_that_nobody_listens_to_is_told(told, qtbot):
    Job(broken).start()
    qtbot.waitUntil(lambda: len(told.dialogs) == 1)


def test_a_job_that_ends_after_the_program_says_nothing(log, qtbot, capfd):
    parent = QObject()
    begun = threading.Event()
    deleted = threading.Event()

    def work(progress, cancelled) -> None:
        begun.set()
        assert deleted.wait(60)
        for percent in range(1, 100):
            progress(percent)
        assert cancelled()

    Job(work, parent).start()
    assert begun.wait(60)
    shiboken6.delete(parent)
    deleted.set()
    assert QThreadPool.globalInstance().waitForDone(60_000)
    # Jobs of other tests are no matter of this one.
    Job._started.clear()
    assert log.faults == ()
    assert capfd.readouterr().err == ""


# --- undo and redo --------------------------------------------------------------------------------


class BrokenEdit:
    """An edit that does not work the ``fails`` time it is applied, its inverse counted."""

    def __init__(self, edit, calls: list[int], fails: int) -> None:
        self.edit = edit
        self.calls = calls
        self.fails = fails

    def apply(self, battlemap) -> None:
        self.calls.append(1)
        if len(self.calls) == self.fails:
            raise ValueError("a fault")
        self.edit.apply(battlemap)

    def inverse(self):
        return BrokenEdit(self.edit.inverse(), self.calls, self.fails)

    def region(self, battlemap):
        return self.edit.region(battlemap)

    def refresh(self, battlemap, shown):
        return self.edit.refresh(battlemap, shown)


@pytest.fixture
def heard(document, log, report_faults_to) -> list[str]:
    """What was refused; faults go to the log."""
    report_faults_to(LOG.add)
    words: list[str] = []
    document.work_refused.connect(words.append)
    return words


def edits_of(document):
    battlemap = document.battlemap
    return {
        "values": set_values(battlemap, 1, "terrain", [15], 4),
        "property": set_property(battlemap, 1, "title", "Hills"),
        "layer": LayerField(1, "opacity", 1.0, 0.5),
        "compound": Compound(
            (set_values(battlemap, 1, "elevation", [15], 1), LayerField(1, "name", "Ground", "A"))
        ),
    }


@pytest.fixture
def ungated(document, monkeypatch):
    """The gate lets pass what no map can have: a fault behind it is to be met."""
    # No fault behind the gate is known that a map can bring.
    monkeypatch.setattr(type(document), "_is_refused_as_invalid", lambda *_: False)


@pytest.mark.parametrize("kind", ["values", "property", "layer", "compound"])
def test_a_step_that_cannot_be_done_leaves_no_step(document, heard, ungated, kind):
    before = contents(document.battlemap)
    assert not document.push(BrokenEdit(edits_of(document)[kind], [], 1), "Step")
    assert contents(document.battlemap) == before
    assert len(document.history.steps) == 0
    assert heard == ["“Step” could not be done."]
    (fault,) = LOG.faults
    assert fault.problem.message.startswith("“Step” could not be done: ValueError: a fault")


@pytest.mark.parametrize("kind", ["values", "property", "layer", "compound"])
def test_a_step_that_cannot_be_undone_or_redone_stays_where_it_is(document, heard, ungated, kind):
    history = document.history
    before = contents(document.battlemap)
    document.push(BrokenEdit(edits_of(document)[kind], [], 2), "Step")
    done = contents(document.battlemap)
    document.undo()
    assert (contents(document.battlemap), history.index) == (done, 1)
    assert heard == ["“Step” cannot be undone."]
    document.undo()  # it works now: the call after the one that failed
    assert (contents(document.battlemap), history.index) == (before, 0)
    document.redo()
    assert (contents(document.battlemap), history.index) == (done, 1)


def test_a_redo_that_fails_leaves_the_map_as_it_was(document, heard, ungated):
    history = document.history
    before = contents(document.battlemap)
    document.push(BrokenEdit(edits_of(document)["values"], [], 3), "Step")
    document.undo()
    document.redo()
    assert (contents(document.battlemap), history.index) == (before, 0)
    assert heard == ["“Step” cannot be redone."]
    assert len(LOG.faults) == 1


def test_going_back_several_steps_stops_at_the_one_that_fails(document, heard, ungated):
    history = document.history
    states = [contents(document.battlemap)]
    for number in (4, 5, 6):
        edit = set_values(document.battlemap, 1, "terrain", [number], 2)
        document.push(BrokenEdit(edit, [], 2) if number == 5 else edit, f"Step {number}")
        states.append(contents(document.battlemap))
    document.go_to(0)
    assert (contents(document.battlemap), history.index) == (states[2], 2)
    document.go_to(3)
    assert (contents(document.battlemap), history.index) == (states[3], 3)


def test_the_composite_is_worked_out_again_where_its_refreshing_fails(document, heard, monkeypatch):
    def fail(*_args) -> bool:
        raise ValueError("a fault")

    # A fault of the program's own: no edit is known that brings one.
    monkeypatch.setattr(PlaneEdit, "refresh", fail)
    assert document.composite.planes["terrain"].flat[15] == 0
    assert document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    assert document.composite.planes["terrain"].flat[15] == 4
    assert len(LOG.faults) == 1


def test_a_stroke_whose_edit_fails_can_be_taken_back(document, heard, ungated):
    before = contents(document.battlemap)
    document.begin_stroke("Paint")
    document.stroke(set_values(document.battlemap, 1, "terrain", [15], 4))
    broken_edit = BrokenEdit(set_values(document.battlemap, 1, "terrain", [16], 4), [], 1)
    with pytest.raises(ValueError, match="a fault"):
        document.stroke(broken_edit)
    document.cancel_stroke()
    assert contents(document.battlemap) == before
    assert LOG.faults == ()


def test_an_edit_that_fails_allocates_nothing(document):
    index, before, after = (np.array([value]) for value in (15, 0xFFFF, 70_000))
    with pytest.raises(ValueError, match="70000"):
        PlaneEdit(1, "terrain", index, before, after).apply(document.battlemap)
    assert document.battlemap.layer(1).planes == {}
