"""What a call costs, counted instead of timed: the same at any load of the machine."""

from __future__ import annotations

import inspect
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


def calls_of(action: Callable[[], object]) -> int:
    """How many functions, of Python and C, are called on this thread while ``action`` runs."""
    count = 0

    def note(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


@contextmanager
def watched_calls(function: Callable[..., Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield a list that grows by the arguments of each call of ``function`` on this thread.

    The function runs as it is; nothing is put in its place. ``function`` is one of Python, wrapped
    in decorators or not; arguments stand by the names of its parameters. A generator counts when
    it is asked for the first time.
    """
    code = inspect.unwrap(function).__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    is_generator = inspect.isgeneratorfunction(inspect.unwrap(function))
    begun: list[FrameType] = []  # of generators: each step is a call for Python
    calls: list[dict[str, Any]] = []

    def note(frame: FrameType, event: str, _value: object) -> None:
        if event != "call" or frame.f_code is not code or frame in begun:
            return
        if is_generator:
            begun.append(frame)
        calls.append({name: frame.f_locals[name] for name in names})

    hook_before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(hook_before)


def peak_of(action: Callable[[], object]) -> int:
    """Return the most bytes that are allocated at once while ``action`` runs, numpy's included.

    Jobs that tests of the desk have left are waited for: they would be counted too, and CPython
    3.11 crashes when tracing stops while another thread allocates (gh-128679).
    """
    qt_core = sys.modules.get("PySide6.QtCore")
    if qt_core is not None:
        qt_core.QThreadPool.globalInstance().waitForDone()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
