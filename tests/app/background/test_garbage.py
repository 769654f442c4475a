"""Garbage is collected by the thread that shows the windows, and by no other."""

import gc
import threading
import weakref

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
