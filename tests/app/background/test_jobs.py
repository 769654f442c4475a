"""Jobs: work off the UI thread, and garbage that is collected on it alone."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import weakref

import pytest
import shiboken6
from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool

from app.background.garbage import UiGarbage
from app.background.jobs import Job, emit_from_work, rest
from app.qt_guard import connect


def test_progress_is_told_once_for_each_percent_however_often_work_says_it(qtbot):
    def work(progress, _cancelled):
        for percent in (1, 2, 50):
            for _ in range(5_000):
                progress(percent)
        return "done"

    heard: list[int] = []
    posted: list[int] = []
    job = Job(work)
    job.progressed.connect(heard.append)
    job._percent_reported.connect(posted.append)  # from its thread, where nobody else listens
    with qtbot.waitSignal(job.finished) as finished:
        job.start()
    assert finished.args == ["done"]
    assert heard == posted == [1, 2, 50]


def test_nothing_is_told_of_a_cancelled_job_but_that_it_stopped(qtbot):
    def work(progress, cancelled):
        while not cancelled():
            progress(1)

    told: list[object] = []
    job = Job(work)
    job.finished.connect(told.append)
    job.failed.connect(told.append)
    with qtbot.waitSignal(job.stopped):
        job.start()
        job.cancel()
    assert told == []


def test_a_fault_of_work_that_was_cancelled_is_shown_once(qtbot):
    def work(_progress, cancelled):
        while not cancelled():
            time.sleep(0.001)
        raise ZeroDivisionError

    job = Job(work)
    job.failed.connect(lambda _problems: None)
    with qtbot.captureExceptions() as faults, qtbot.waitSignal(job.stopped):
        job.start()
        job.cancel()
    assert [kind for kind, _fault, _traceback in faults] == [ZeroDivisionError]


def test_while_a_job_rests_another_one_has_its_thread(qtbot):
    first = Job(lambda _progress, _cancelled: None)
    with qtbot.waitSignal(first.finished):
        first.start()  # the first job of a process sets the number of threads
    pool = QThreadPool.globalInstance()
    before = pool.maxThreadCount()
    ran = threading.Event()
    resting = Job(lambda _progress, _cancelled: rest(3_600_000, ran.is_set))
    other = Job(lambda _progress, _cancelled: ran.set())
    pool.setMaxThreadCount(1)
    try:
        with qtbot.waitSignals([resting.finished, other.finished]):
            resting.start()
            other.start()
    finally:
        pool.setMaxThreadCount(before)
    assert pool.waitForDone()
    assert pool.activeThreadCount() == 0


def test_work_whose_owner_is_gone_has_nobody_to_tell(qtbot):
    owner = Job(lambda _progress, _cancelled: None)
    signal = owner.progressed
    assert emit_from_work(owner, signal, 1)
    shiboken6.delete(owner)
    assert not emit_from_work(owner, signal, 2)


def test_a_job_is_destroyed_on_the_ui_thread_though_that_of_the_pool_ends_later(qtbot):
    destroyed_on: list[threading.Thread] = []
    is_told = threading.Event()

    def linger():
        assert is_told.wait(60)
        time.sleep(0.05)  # until the UI thread has let go of the job

    def note_thread(_job):
        destroyed_on.append(threading.current_thread())

    def start():
        job = Job(lambda _progress, _cancelled: None)
        job.destroyed.connect(note_thread, Qt.ConnectionType.DirectConnection)
        job.finished.connect(lambda _result: is_told.set())
        job.start()

    Job(lambda _progress, _cancelled: None).start()
    assert QThreadPool.globalInstance().waitForDone()
    connection = Job.ends.job_ended.connect(linger, Qt.ConnectionType.DirectConnection)
    try:
        start()
        qtbot.waitUntil(is_told.is_set)
        assert QThreadPool.globalInstance().waitForDone()
    finally:
        QObject.disconnect(connection)
    assert destroyed_on == [threading.main_thread()]


@pytest.mark.deep
def test_jobs_that_have_ended_are_let_go_with_all_that_they_held(qtbot):
    ended = []
    alive = []
    before = count_runnables()
    for _ in range(200):
        held = threading.Event()  # as an object to which weak references can be had
        job = Job(lambda _progress, _cancelled, held=held: held.is_set())
        alive += [weakref.ref(job), weakref.ref(held)]
        connect(job.finished, ended.append)
        job.start()
        del job, held
    qtbot.waitUntil(lambda: len(ended) == 200)
    assert QThreadPool.globalInstance().waitForDone()
    gc.collect()
    assert [each for each in alive if each() is not None] == []
    assert count_runnables() == before


def count_runnables() -> int:
    return sum(isinstance(get_object, QRunnable) for get_object in gc.get_objects())


class Cycle:
    """An object that only the collector can free; tells on which thread it was freed."""

    def __init__(self, freed: list[threading.Thread]) -> None:
        self.itself = self
        weakref.finalize(self, lambda: freed.append(threading.current_thread()))


def test_cycles_are_freed_on_the_ui_thread_even_if_another_makes_the_garbage(qtbot):
    collector = UiGarbage()
    freed: list[threading.Thread] = []
    assert not gc.isenabled()

    def work() -> None:
        for _ in range(5 * gc.get_threshold()[0]):
            Cycle(freed)

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert freed == []
    qtbot.waitUntil(lambda: bool(freed))
    assert set(freed) == {threading.main_thread()}
    collector.deleteLater()


def test_nothing_is_collected_before_it_is_due(qapp):
    collector = UiGarbage()
    gc.collect()
    assert collector.collect_due() == 0
    collector.deleteLater()


HEAPS = """
import ctypes
import threading
from app.background.garbage import limit_heaps

limit_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fdopen.restype = ctypes.c_void_p
barrier = threading.Barrier(6)

def work():
    barrier.wait()
    libc.malloc(5000)
    barrier.wait()

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
output = libc.fdopen(1, b"w")
libc.malloc_info(0, ctypes.c_void_p(output))
libc.fflush(ctypes.c_void_p(output))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="heaps of threads are glibc's")
def test_the_threads_of_jobs_share_one_heap():
    done = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, check=True, text=True)
    assert done.stdout.count("<heap nr=") == 2
