"""A roll beside long work, such as searches and counts that go on for minutes."""

from __future__ import annotations

import time

from PySide6.QtCore import QThread

from app.background.jobs import Job


def test_a_roll_does_not_wait_until_long_work_has_ended(window, qtbot):
    def work_on(_progress, cancelled):
        while not cancelled():
            time.sleep(0.01)

    jobs = [Job(work_on).start() for _core in range(QThread.idealThreadCount())]
    try:
        with qtbot.waitSignal(window.desk.rolling.rolled):
            window.desk.commands.run("script.roll")
        assert all(job.running for job in jobs)
    finally:
        for job in jobs:
            job.cancel()
    qtbot.waitUntil(lambda: not any(job.running for job in jobs))
