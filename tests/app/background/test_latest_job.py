"""Of work that is asked again and again only the newest counts."""

from __future__ import annotations

import threading

from app.background.latest_job import LatestJob
from randomizer.model.problems import error


def giving(result: object, after: threading.Event | None = None):
    def work(_progress, _cancelled) -> object:
        if after is not None:
            after.wait(5)
        return result

    return work


def test_only_the_newest_work_is_told(qtbot) -> None:
    jobs, told, gate = LatestJob(), [], threading.Event()
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

    jobs, done, failed = LatestJob(), [], []
    jobs.run(work, done.append, failed.append)
    qtbot.waitUntil(lambda: len(failed) == 1)
    assert failed[0][0].message == "there is no game"
    assert done == []


def test_after_cancelling_nothing_is_told_and_it_is_not_busy(qtbot) -> None:
    jobs, told, busy, gate = LatestJob(), [], [], threading.Event()
    jobs.busy_changed.connect(busy.append)
    jobs.run(giving("old", gate), told.append, told.append)
    jobs.cancel()
    gate.set()
    qtbot.wait(30)
    assert told == []
    assert busy == [True, False]


def test_new_work_may_be_asked_for_where_the_old_is_told(qtbot) -> None:
    jobs, told = LatestJob(), []

    def again(result: object) -> None:
        told.append(result)
        jobs.run(giving("second"), told.append, told.append)

    jobs.run(giving("first"), again, told.append)
    qtbot.waitUntil(lambda: told == ["first", "second"])
