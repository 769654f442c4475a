"""The guard between Qt and Python: a fault ends there, and connections stay what they were."""

from __future__ import annotations

import gc
import threading
import weakref
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QRunnable, QSize, Qt, QThread, QThreadPool, Signal
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from app.qt_guard import connect, disconnect, guarded, later

FAULT = ValueError("a fault")


@pytest.fixture
def faults(report_faults_to, qtbot) -> list[BaseException]:
    """What was reported in the test."""
    reported: list[BaseException] = []
    report_faults_to(reported.append)
    return reported


def fail(*_args: object) -> None:
    raise FAULT


class Sender(QObject):
    plain = Signal()
    number = Signal(int)
    many = Signal(int, str, object)
    forms = Signal((), (int,), (int, str))


class Receiver(QObject):
    """Keeps what its slots were called with, and whether that was on the main thread."""

    def __init__(self, log: list[object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log = log

    def none(self) -> None:
        self.log.append(())

    def one(self, value: object) -> None:
        self.log.append(value)

    def place(self, _value: object) -> None:
        self.log.append(QThread.currentThread())

    def who(self) -> None:
        self.log.append(self.sender())

    def fail(self) -> None:
        raise FAULT


class Heir(Receiver):
    def one(self, value: object) -> None:
        self.log.append(("heir", value))

    def connect_both(self, sender: Sender) -> None:
        connect(sender.number, super().one)
        connect(sender.number, self.one)


# -- Faults ---------------------------------------------------------------------------------------


def test_a_fault_in_an_override_is_reported_once_and_qt_gets_the_default(faults):
    class Faulty(QWidget):
        @guarded(default=QSize(7, 9))
        def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
            raise FAULT

        @guarded
        def closeEvent(self, _event: object) -> None:  # noqa: N802 - Qt's name
            raise FAULT

    widget = Faulty()
    widget.adjustSize()
    assert widget.size() == QSize(7, 9)
    assert set(faults) == {FAULT}
    faults.clear()
    assert widget.close()
    assert faults == [FAULT]


def test_a_fault_on_a_pool_thread_is_reported_there(faults, report_faults_to):
    threads: list[threading.Thread] = []
    report_faults_to(lambda _fault: threads.append(threading.current_thread()))

    class Work(QRunnable):
        @guarded
        def run(self) -> None:
            raise FAULT

    pool = QThreadPool()
    pool.start(Work())
    assert pool.waitForDone(60_000)
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


@pytest.mark.parametrize(
    "slot",
    [fail, lambda: fail(), partial(fail, 1), Receiver([]).fail],
    ids=["function", "lambda", "partial", "method"],
)
def test_a_fault_in_a_slot_is_reported_and_the_other_slots_run(faults, slot):
    sender = Sender()
    log = []
    connect(sender.plain, slot)
    connect(sender.plain, lambda: log.append("after"))
    sender.plain.emit()
    assert faults == [FAULT]
    assert log == ["after"]


def test_a_fault_in_what_is_done_later_does_not_leave_the_event_loop(faults, qapp):
    context = QObject()
    later(context, fail)
    qapp.processEvents()
    assert faults == [FAULT]


def test_what_is_no_fault_of_the_program_is_let_through(faults):
    class Quitting:
        @guarded
        def run(self) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Quitting().run()
    assert faults == []


def test_an_unexpected_fault_fails_a_test(qtbot):
    sender = Sender()
    connect(sender.plain, fail)
    with qtbot.capture_exceptions() as caught:
        sender.plain.emit()
    assert [fault for _kind, fault, _trace in caught] == [FAULT]


# -- An override stays what it was -----------------------------------------------------------------


def test_an_override_takes_names_and_defaults_and_gives_its_result():
    class Model:
        @guarded(default=0)
        def rowCount(self, parent: int = 1) -> int:  # noqa: N802 - Qt's name
            """How many rows."""
            return parent * 2

    model = Model()
    assert [model.rowCount(), model.rowCount(4), model.rowCount(parent=5)] == [2, 8, 10]
    assert Model.rowCount.__doc__ == "How many rows."
    assert Model.rowCount.__name__ == "rowCount"


def test_a_guarded_override_can_be_a_slot(qtbot):
    log: list[object] = []

    class Dialog(QDialog):
        @guarded
        def done(self, result: int) -> None:
            log.append(result)
            super().done(result)

        @guarded
        def accept(self) -> None:
            log.append("accept")

    dialog = Dialog()
    button = QPushButton()
    qtbot.addWidget(dialog)
    qtbot.addWidget(button)
    connect(button.clicked, dialog.accept)
    button.click()
    sender = Sender()
    connect(sender.many, dialog.done)
    sender.many.emit(1, "too", "many")
    assert log == ["accept", 1]


# -- Arguments ------------------------------------------------------------------------------------


def slots(log: list[object]) -> dict[str, object]:
    """One of each shape."""

    class Callable:
        def __call__(self, *args: object) -> None:
            log.append(args)

    class Holder:
        def none(self) -> None:
            log.append("none")

        def every(self, *args: object) -> None:
            log.append(args)

        def two(self, first: object, second: object = "default") -> None:
            log.append((first, second))

    return {
        "none": lambda: log.append("none"),
        "one": lambda a: log.append(a),
        "two": lambda a, b: log.append((a, b)),
        "default": lambda a, b="default": log.append((a, b)),
        "only a default": lambda a="default": log.append(a),
        "every": lambda *args: log.append(args),
        "one by name": lambda a, *, b=3: log.append((a, b)),
        "partial": partial(lambda *args: log.append(args), "bound"),
        "callable": Callable(),
        "method": Holder().none,
        "method of every": Holder().every,
        "method with default": Holder().two,
        "C": log.append,
    }


@pytest.mark.parametrize("shape", sorted(slots([])))
@pytest.mark.parametrize("signal", ["plain", "number", "many", "forms"])
def test_a_slot_gets_the_arguments_that_qts_own_connect_gives_it(shape, signal, faults):
    def heard(through) -> list[object]:
        log: list[object] = []
        slot = slots(log)[shape]  # kept: a connection does not keep the object of a method
        sender = Sender()
        through(getattr(sender, signal), slot)
        match signal:
            case "plain":
                sender.plain.emit()
            case "number":
                sender.number.emit(5)
            case "many":
                sender.many.emit(5, "five", None)
            case "forms":
                sender.forms.emit()
                sender.forms[int].emit(5)
                sender.forms[int, str].emit(5, "five")
        return log

    def natively(signal, slot) -> None:
        signal.connect(slot)

    guarded_way = heard(connect)
    faults_of_guard = [str(fault) for fault in faults]
    faults.clear()
    assert guarded_way == heard(natively)
    assert len(faults_of_guard) == len(faults)


def test_a_slot_with_more_parameters_than_there_are_shapes_for_is_refused():
    with pytest.raises(TypeError, match="more arguments"):
        connect(Sender().plain, lambda a, b, c, d, e, f: None)


# -- The receiver ---------------------------------------------------------------------------------


def test_a_connection_does_not_keep_the_receiver():
    sender = Sender()
    log = []
    receiver = Receiver(log)
    gone = weakref.ref(receiver)
    connect(sender.number, receiver.one)
    del receiver
    assert gone() is None
    sender.number.emit(1)
    assert log == []


def test_a_connection_does_not_keep_the_object_of_a_method_that_is_no_qobject():
    class Plain:
        def one(self, value: object) -> None:
            log.append(value)

    sender = Sender()
    log = []
    plain = Plain()
    gone = weakref.ref(plain)
    connect(sender.number, plain.one)
    sender.number.emit(1)
    del plain
    sender.number.emit(2)
    assert gone() is None
    assert log == [1]


def test_the_sender_keeps_a_function_and_lets_it_go_without_the_collector():
    def function() -> None: ...

    sender = Sender()
    gone = weakref.ref(function)
    assert not gc.isenabled()
    connect(sender.plain, function)
    del function
    assert gone() is not None
    del sender
    assert gone() is None


@pytest.mark.parametrize("how", ["delete", "deleteLater", "parent"])
def test_a_destroyed_receiver_is_disconnected(how, qapp):
    sender = Sender()
    log = []
    parent = QObject()
    receiver = Receiver(log, parent)
    connect(sender.number, receiver.one)
    match how:
        case "delete":
            shiboken6.delete(receiver)
        case "deleteLater":
            receiver.deleteLater()
        case "parent":
            parent.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(receiver)
    sender.number.emit(1)
    assert log == []


def test_the_slot_of_a_qobject_runs_on_the_thread_of_that_object(qtbot):
    sender = Sender()
    log = []
    receiver = Receiver(log)
    connect(sender.number, receiver.place)
    emitting = threading.Thread(target=sender.number.emit, args=(1,))
    emitting.start()
    emitting.join()
    assert log == []  # it waits for the event loop
    qtbot.waitUntil(lambda: log == [QThread.currentThread()])


def test_a_receiver_that_lives_on_another_thread_is_called_there(qtbot):
    sender = Sender()
    log = []
    receiver = Receiver(log)
    thread = QThread()
    connect(sender.number, receiver.place)
    receiver.moveToThread(thread)
    thread.start()
    sender.number.emit(1)
    qtbot.waitUntil(lambda: bool(log))
    thread.quit()
    assert thread.wait(60_000)
    assert log == [thread]


@pytest.mark.parametrize("wrap", [lambda slot: slot, partial], ids=["function", "partial"])
def test_a_function_runs_on_the_thread_of_the_sender(wrap, qtbot):
    sender = Sender()
    log = []
    connect(sender.plain, wrap(lambda: log.append(QThread.currentThread())))
    emitting = threading.Thread(target=sender.plain.emit)
    emitting.start()
    emitting.join()
    assert log == []
    qtbot.waitUntil(lambda: log == [QThread.currentThread()])


def test_a_slot_knows_its_sender():
    sender = Sender()
    log = []
    receiver = Receiver(log)
    connect(sender.plain, receiver.who)
    sender.plain.emit()
    assert log == [sender]


def test_an_overridden_slot_is_another_slot():
    sender = Sender()
    log = []
    heir = Heir(log)
    heir.connect_both(sender)
    plain = Receiver(log)
    connect(sender.number, plain.one)
    sender.number.emit(1)
    assert log == [1, ("heir", 1), 1]


# -- Connections ----------------------------------------------------------------------------------


def test_slots_run_in_the_order_of_their_connections():
    sender = Sender()
    log = []
    receiver = Receiver(log)
    other = Receiver(log)
    connect(sender.number, receiver.none)
    connect(sender.number, lambda: log.append("function"))
    connect(sender.number, other.one)
    connect(sender.number, sender.plain)
    connect(sender.plain, lambda: log.append("signal"))
    connect(sender.number, log.append)
    sender.number.emit(4)
    assert log == [(), "function", 4, "signal", 4]


def test_a_method_can_be_disconnected():
    sender = Sender()
    log = []
    receiver = Receiver(log)
    connect(sender.number, receiver.one)
    connect(sender.number, receiver.none)
    disconnect(sender.number, receiver.one)
    sender.number.emit(1)
    assert log == [()]


def test_a_function_can_be_disconnected_by_its_connection():
    sender = Sender()
    log = []
    connection = connect(sender.plain, lambda: log.append(1))
    sender.plain.disconnect(connection)
    sender.plain.emit()
    assert log == []


def test_the_kind_of_a_connection_is_passed_on(qapp):
    sender = Sender()
    log = []
    receiver = Receiver(log)
    connect(sender.number, receiver.one, Qt.ConnectionType.SingleShotConnection)
    sender.number.emit(1)
    sender.number.emit(2)
    assert log == [1]
    connect(sender.number, receiver.one, Qt.ConnectionType.QueuedConnection)
    sender.number.emit(3)
    assert log == [1]
    qapp.processEvents()
    assert log == [1, 3]


def test_slots_of_qt_are_connected_as_they_are(qtbot):
    dialog = QDialog()
    button = QPushButton()
    qtbot.addWidget(dialog)
    qtbot.addWidget(button)
    connect(button.clicked, dialog.accept)
    button.click()
    assert dialog.result() == QDialog.DialogCode.Accepted


# -- Later ----------------------------------------------------------------------------------------


def test_what_is_done_later_comes_in_order_from_the_event_loop(qapp):
    log: list[object] = []
    receiver = Receiver(log)
    later(receiver, receiver.none)
    later(receiver, lambda: log.append("function"))
    later(receiver, partial(log.append, "partial"))
    assert log == []
    qapp.processEvents()
    assert log == [(), "function", "partial"]


def test_nothing_is_done_later_for_a_context_that_is_gone(qapp):
    log: list[object] = []
    receiver = Receiver(log)
    context = QObject()
    later(context, receiver.none)
    later(context, lambda: log.append("function"))
    del context
    qapp.processEvents()
    assert log == []


def test_a_delay_is_kept(qtbot):
    log: list[object] = []
    context = QObject()
    later(context, lambda: log.append("second"), delay_ms=20)
    later(context, lambda: log.append("first"))
    qtbot.waitUntil(lambda: len(log) == 2)
    assert log == ["first", "second"]
