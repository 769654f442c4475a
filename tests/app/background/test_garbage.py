"""Garbage is collected by the thread that shows the windows, and by no other."""

import gc
import subprocess
import sys
import threading
import weakref

import pytest

from app.background.garbage import UiGarbage


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
