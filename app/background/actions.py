"""Actions that take time, written as coroutines that wait for jobs and for answers of dialogs.

    async def export(self) -> None:
        code = await answer(dialog)         # opened, not executed
        data = await result(Job(work))      # raises ProblemError or Stopped
        ...

    run(self.export())

An action runs at once, in the caller, as far as its first wait; it goes on from the event loop.

It works as in other libraries for coroutines, but within Qt's event loop: an event loop of asyncio
beside it would have to run all dialogs and timers. ``await`` hands a ``Wait`` to ``_step``, which
begins it and returns; when the awaited event comes, ``_step`` is called again with its value::

    run(action) -> _step      the action runs to ``await result(job)``; _step starts the job
                              ... the event loop turns, the job works ...
    job.finished -> _step     the action goes on with the result, to its next wait or its end

``end`` and ``end_all`` end actions that wait, for a closed panel or window.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any, Protocol

from PySide6.QtCore import QMetaObject, QObject, SignalInstance
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from app.qt_guard import connect, end_connection, later, report_fault, run_coroutines_with
from randomizer.model.problems import ProblemError

Action = Coroutine["Wait", Any, object]
"""The coroutine that a call of an ``async def`` returns; ``run`` runs it."""


class Resume(Protocol):
    """Lets an action go on with a value, or with an exception."""

    def __call__(self, value: Any = None, fault: Exception | None = None) -> None:
        """Only the first call counts."""


class Stopped(Exception):  # noqa: N818 - an end, not an error
    """The action is over without a result: its map was closed, or its job was cancelled."""


class Wait:
    """An event that an action awaits: ``begin(resume)`` starts it; its end calls ``resume``."""

    def __init__(self, begin: Callable[[Resume], object]) -> None:
        self.begin = begin

    def __await__(self) -> Generator[Wait, Any, Any]:
        return (yield self)


class Startable(Protocol):
    """A ``Job``, or what has its signals: exactly one of them is emitted after ``start``."""

    finished: Any
    """Emitted with the result."""

    failed: Any
    """Emitted with the problems why there is no result."""

    stopped: Any
    """Emitted after the job was cancelled."""

    destroyed: Any
    """Emitted when the job is deleted before it has ended, with its parent."""

    @property
    def running(self) -> bool:
        """True if it was started and has not told its end."""

    def start(self) -> object:
        """Start it."""


def result(job: Startable) -> Wait:
    """Start a job, unless it is running, and wait for its result.

    Raises ProblemError, or Stopped if it is cancelled, or deleted with its parent.
    """

    def begin(resume: Resume) -> None:
        connect(job.finished, lambda value: resume(value))
        connect(job.failed, lambda problems: resume(None, ProblemError(problems)))
        for signal in (job.stopped, job.destroyed):
            connect(signal, lambda *_: resume(None, Stopped()))
        if not job.running:
            job.start()

    return Wait(begin)


async def answer(dialog: QDialog) -> int:
    """Open a dialog, wait until it is closed, and return its result code.

    The dialog can be read until the next wait: then it is deleted, as it is when the action ends.
    Raises Stopped if its parent deletes it first.
    """

    def begin(resume: Resume) -> None:
        # From the event loop: not within the signal of a button that the next step may delete.
        connect(dialog.finished, lambda code: later(dialog, lambda: resume(code)))
        connect(dialog.destroyed, lambda: resume(None, Stopped()))
        dialog.open()

    try:
        code: int = await Wait(begin)
        return code
    finally:
        if isValid(dialog):
            dialog.hide()
            dialog.deleteLater()


async def emitted(context: QObject | None, *signals: SignalInstance) -> None:
    """Wait for the next of these signals.

    The action goes on from the event loop of ``context``; with None in its place at once, in the
    slot of the signal.
    """
    connections: list[QMetaObject.Connection] = []

    def begin(resume: Resume) -> None:
        def go_on() -> None:
            if context is None:
                resume()
            else:
                later(context, lambda: resume())

        for signal in signals:
            connections.append(connect(signal, go_on))

    try:
        await Wait(begin)
    finally:
        for connection in connections:
            end_connection(connection)


def pause(context: QObject, delay_ms: int) -> Wait:
    """Wait for a while; the action goes on from the event loop of ``context``."""
    return Wait(lambda resume: later(context, lambda: resume(), delay_ms))


_actions: set[Action] = set()
"""The actions that have begun and not ended."""


def run(action: Action) -> None:
    """Run an action to its end. An exception ends it through its ``finally``s and is reported."""
    _actions.add(action)
    _step(action)


def any_running() -> bool:
    """Return whether an action has begun and not ended."""
    return bool(_actions)


def end(action: Action) -> None:
    """End an action through its ``finally``s if it waits; nothing happens if it has ended.

    One that is running just now, and calls this, runs on to its next wait and ends there.
    """
    if action in _actions:
        _actions.discard(action)
        if not action.cr_running:  # type: ignore[attr-defined]
            _close(action)


def end_all() -> None:
    """End all actions (``end``): the window closes."""
    for action in tuple(_actions):
        end(action)


def _step(action: Action, value: Any = None, fault: Exception | None = None) -> None:
    """Let an action go on to its next wait: with ``value``, or with ``fault`` raised in it.

    Its end, and a fault of its own, are no exceptions for the caller: a fault is reported.
    """
    try:
        if fault is None:
            wait = action.send(value)
        else:
            wait = action.throw(fault)
        if action not in _actions:  # the action itself has closed the window
            _close(action)
            return
        wait.begin(_resume_once(action))
    except (StopIteration, Stopped):  # it has come to its end, or is over without a result
        _actions.discard(action)
    except Exception as reason:  # noqa: BLE001 - an action ends here, as a slot does
        # Either the action has raised it, or it still waits, but for something that could not
        # begin or is no ``Wait``, so that nobody would resume it.
        _actions.discard(action)
        _close(action)
        report_fault(reason)
    finally:
        if fault is not None:
            # The traceback holds the frames of the action, and these hold the exception: such a
            # cycle would keep the widgets in the frames alive until the next garbage collection.
            fault.__traceback__ = None


def _resume_once(action: Action) -> Resume:
    """Return a function that lets an action go on: once, and not after its end."""
    is_waiting = True

    def resume(value: Any = None, fault: Exception | None = None) -> None:
        nonlocal is_waiting
        if is_waiting and action in _actions:
            is_waiting = False
            _step(action, value, fault)

    return resume


def _close(action: Action) -> None:
    """Run the ``finally``s of an action; one that awaits something there cannot go on."""
    try:
        action.close()
    except Exception as reason:  # noqa: BLE001 - the other actions are ended all the same
        report_fault(reason)


class ActionLock:
    """A lock for actions, as ``asyncio.Lock``: one at a time is inside ``async with lock:``.

    It is released when the block ends, also by an exception or by ``end``. The others are resumed
    from the event loop of ``context``.
    """

    def __init__(self, context: QObject) -> None:
        self._context = context
        """Actions wait in its event loop, and no longer when it is destroyed."""
        self._is_locked = False
        """True while an action is inside the ``async with``."""
        self._waiting: list[Resume] = []
        """The functions that let the actions go on which wait for the lock."""

    async def __aenter__(self) -> None:
        # All that wait are resumed at once, and only one of them can have the lock: look again.
        while self._is_locked:
            await Wait(self._waiting.append)
        self._is_locked = True

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _fault: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._is_locked = False
        waiting = self._waiting
        self._waiting = []
        if not isValid(self._context):  # the window goes, and its actions with it
            return
        for resume in waiting:
            later(self._context, resume)


# From now on slots may be coroutine functions: ``qt_guard`` runs what they return as actions. It
# cannot import this module, which stands above it.
run_coroutines_with(run)
