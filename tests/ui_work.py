"""Counts what the program computes on the window's thread and in its jobs: the same at any load."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Literal, Self

from PySide6.QtCore import QAbstractEventDispatcher

from app.background.jobs import Job

Place = Literal["window", "job"]


class UiWork:
    """While entered, counts the calls that the window's thread makes in each turn of the event
    loop, and notes which functions run on it and which on another: in a job, or on a thread that
    Python begins meanwhile.

    ``max_calls``: calls of Python and C functions in the longest turn until now. A loop over the
    cells of a large map shows in them; what numpy does in one call does not, so of that the tests
    say with ``where`` on which thread it is done.
    """

    def __init__(self) -> None:
        self.max_calls = 0
        self._calls = 0
        self._ran: dict[Place, set[CodeType]] = {"window": set(), "job": set()}
        # The work of jobs is timed where they run it.
        self._run_job = Job._run

    def __enter__(self) -> Self:
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(self._end_turn)
        dispatcher.aboutToBlock.connect(self._end_turn)
        Job._run = self._profiled(Job._run)  # type: ignore[method-assign]
        threading.setprofile(self._note_on_another_thread)
        sys.setprofile(self._count_call)
        return self

    def __exit__(self, *_exception: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        Job._run = self._run_job  # type: ignore[method-assign]
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.disconnect(self._end_turn)
        dispatcher.aboutToBlock.disconnect(self._end_turn)
        self._end_turn()

    def where(self, function: Callable[..., Any]) -> set[Place]:
        """On which threads a Python function has run: empty if it was not called."""
        code = function.__code__  # type: ignore[attr-defined]
        return {place for place, ran in self._ran.items() if code in ran}

    def _end_turn(self) -> None:
        self.max_calls = max(self.max_calls, self._calls)
        self._calls = 0

    def _count_call(self, frame: FrameType, event: str, _value: object) -> None:
        if event == "call":
            self._calls += 1
            self._ran["window"].add(frame.f_code)
        elif event == "c_call":
            self._calls += 1

    def _note_on_another_thread(self, frame: FrameType, event: str, _value: object) -> None:
        if event == "call":
            self._ran["job"].add(frame.f_code)

    def _profiled(self, run: Callable[[Job], Any]) -> Callable[[Job], Any]:
        def run_profiled(job: Job) -> Any:
            sys.setprofile(self._note_on_another_thread)
            try:
                return run(job)
            finally:
                sys.setprofile(None)

        return run_profiled
