"""Jobs: work off the UI thread that tells how far it is."""

from __future__ import annotations

from app.background.jobs import Job


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
    job._advanced.connect(posted.append)
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
