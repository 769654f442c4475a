"""Waiting for work on another thread without freezing the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from PySide6.QtCore import QEventLoop

from app.background.jobs import Job
from app.qt_guard import connect
from randomizer.model.problems import ProblemError

Result = TypeVar("Result")


def wait_for(work: Callable[[], Result]) -> Result:
    """Run ``work`` on a pool thread and return its result. Raises ProblemError as the work does.

    Meanwhile an event loop runs here: the window is painted and timers fire, but input events wait.
    """
    loop = QEventLoop()
    outcome: dict[str, Any] = {}

    def ended(name: str, value: object) -> None:
        outcome[name] = value
        loop.quit()

    job = Job(lambda _progress, _cancelled: work())
    connect(job.finished, lambda result: ended("result", result))
    connect(job.failed, lambda problems: ended("problems", problems))
    job.start()
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    if "result" not in outcome:
        raise ProblemError(outcome["problems"])
    return cast(Result, outcome["result"])
