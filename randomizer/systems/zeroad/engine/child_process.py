"""Starts the child processes in which scripts run, and exchanges messages with them.

    child = IDLE.pop_or_start()            # one that waits, or a new one
    child.send(Message({"path": ...}))
    message = child.receive(wait_s=0.1)    # None if none came in time
    IDLE.keep_for_next(child)              # or child.close()

To start a child takes time, so some wait for the next script. All are ended with the program.
``script_run`` and ``script_syntax`` use them; ``child`` is the program that runs in them.
"""

from __future__ import annotations

import atexit
import queue
import subprocess
import threading
from contextlib import suppress
from importlib.util import find_spec

from randomizer.processes.children import start_child
from randomizer.systems.zeroad.engine.messages import Message, receive, send

MODULE = "randomizer.systems.zeroad.engine.child"
"""The module that a child runs."""

START_S = 60.0
"""The seconds that a child may need to start, and to find the files of mods."""

MAX_IDLE = 2
"""The most children that are kept for the next script; each occupies memory meanwhile."""


class ChildEndedError(Exception):
    """The child ended by itself, or sent something that is no message."""


class ChildProcess:
    """A child process. A thread reads its messages into a queue until it ends."""

    def __init__(self) -> None:
        # V8 writes a dump to standard error when it gives up.
        self._process = start_child(MODULE, stderr=subprocess.DEVNULL)
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        """The messages that the child sent and nobody has received yet.

        None stands behind the last one, once the child has ended.
        """
        self._reader = threading.Thread(target=self._queue_messages, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The number of the process in the system."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True if the process still runs."""
        return self._process.poll() is None

    def send(self, message: Message) -> None:
        """Send a request. Raises ChildEndedError if the child has ended."""
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, message)
        except OSError as reason:
            raise ChildEndedError from reason

    def receive(self, wait_s: float) -> Message | None:
        """Return the next message, None if none came in ``wait_s`` seconds.

        Raises ChildEndedError if the child has ended, once all of its messages were returned.
        """
        try:
            message = self._messages.get(timeout=wait_s)
        except queue.Empty:
            return None
        if message is None:
            self._messages.put(None)  # further calls raise, too
            raise ChildEndedError
        return message

    def close(self) -> None:
        """Kill the process, without waiting until it has gone (``join``)."""
        self._process.kill()
        assert self._process.stdin is not None
        with suppress(OSError):  # closing sends what is left, which nobody receives any more
            self._process.stdin.close()

    def join(self) -> None:
        """Wait until the process has gone."""
        self._reader.join()

    def _queue_messages(self) -> None:
        """Put the messages of the child into the queue until it ends, and then None.

        This runs on a thread of its own.
        """
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            try:
                while (message := receive(stream)) is not None:
                    self._messages.put(message)
            except (ValueError, OSError, RecursionError):
                self._process.kill()  # it sent something that is no message
        self._messages.put(None)
        self._process.wait()


class _Idle:
    """The children that wait for a script; there is one such object, ``IDLE``."""

    def __init__(self) -> None:
        self._children: list[ChildProcess] = []
        self._lock = threading.Lock()
        atexit.register(self.close)

    def pop_or_start(self) -> ChildProcess:
        """Return a child that has waited, or start one.

        It then belongs to the caller, who ends with ``keep_for_next`` or closes it.
        """
        child = None
        with self._lock:
            if self._children:
                child = self._children.pop()
        if child is None:
            return ChildProcess()
        if child.alive:
            return child
        child.close()  # it ended while it waited
        return ChildProcess()

    def keep_for_next(self, child: ChildProcess) -> None:
        """Let a child wait for the next script; close it if ``MAX_IDLE`` wait already."""
        with self._lock:
            if len(self._children) < MAX_IDLE:
                self._children.append(child)
                return
        child.close()

    def close(self) -> None:
        """End all children that wait."""
        with self._lock:
            children = self._children
            self._children = []
        for child in children:
            child.close()
        for child in children:
            child.join()


IDLE = _Idle()
"""The children of this process that wait for a script."""


def has_engine() -> bool:
    """Return whether the JavaScript engine is installed."""
    return find_spec("py_mini_racer") is not None
