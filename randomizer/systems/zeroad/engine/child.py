"""The program of the child process in which map scripts run.

Scripts come from anybody. So they run in a process of their own, which can be ended at any time and
has limited memory. ``child_process`` starts it with this module. Requests come by the standard
input and answers go by the standard output (``messages``). The first request starts V8, the engine
of JavaScript. The child ends when its input ends, and so with the program.

Begin at ``main``: one thread reads requests, the main thread answers them.
"""

from __future__ import annotations

import os
import queue
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from randomizer.systems.zeroad.engine.channel import Channel
from randomizer.systems.zeroad.engine.faults import TOO_MUCH_MEMORY, Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.memory import limit_own_memory
from randomizer.systems.zeroad.engine.messages import Message, receive, send
from randomizer.systems.zeroad.engine.script_engine import ScriptRun, check_syntax
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData


class Child:
    """Answers requests, one after the other."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._data: ScriptData | None = None
        """The data of the mods that the last script used, for the next one with the same mods."""
        self._data_key: object = None
        """What ``_data`` was read from: the mods with stamps of their files, and extra texts."""
        self._percent = 0
        """The progress that was sent last."""
        self._cpu_end_s: float | None = None
        """The processor time, in seconds, at which the time of the script is over.

        None if its time is not limited, and once the parent was told that it is over.
        """

    def answer(self, request: Mapping[str, Any]) -> None:
        """Run the script of a request and send messages of what it does, then of its result.

        A request without mods only asks whether the syntax of the script is right. The messages are
        of the kinds "started", "log", "progress" and "cpu-time", the last one "done" or "failed".
        """
        limit_own_memory(request["memory"])
        self._percent = 0
        try:
            if "mods" not in request:
                check_syntax(request["path"], request["text"])
                send(self._output, Message({"kind": "done"}))
                return
            run = ScriptRun(
                path=request["path"],
                text=request["text"],
                settings=request["settings"],
                data=self._mod_data(request["mods"], request["extra"]),
                heap=request["heap"],
            )
            self._cpu_end_s = None
            if request["cpu_s"] is not None:
                self._cpu_end_s = time.process_time() + request["cpu_s"]
            self._tell(kind="started")
            result = run.run(self._look)
        except ScriptFailedError as fault:
            self._fail(fault.code, fault.message, fault.frame)
        except MemoryError:
            self._fail("script-memory", TOO_MUCH_MEMORY)
        except Exception as reason:  # noqa: BLE001 - the parent shows it, and ends this process
            self._tell(kind="log", lines=[("error", traceback.format_exc())])
            self._fail("script-host", f"the host of map scripts failed: {reason!r}")
        else:
            fields = {"kind": "done", "arrays": result.arrays}
            send(self._output, Message(fields, [result.text, *result.blocks]))

    def _tell(self, **fields: object) -> None:
        """Send a message without blocks."""
        send(self._output, Message(fields))

    def _fail(self, code: str, message: str, frame: Frame | None = None) -> None:
        """Send why a script failed, and with a ``frame`` in which file, line and column."""
        position = None
        if frame is not None:
            position = (frame.path, frame.line, frame.column)
        self._tell(kind="failed", code=code, message=message, position=position)

    def _look(self, channel: Channel) -> None:
        """Send the log lines and the progress of a running script since the last call.

        Once, when the time of the script is over, that is sent as well.
        """
        percent = channel.percent
        lines = channel.log()
        if lines:
            self._tell(kind="log", lines=lines)
        if percent != self._percent:
            self._percent = percent
            self._tell(kind="progress", percent=percent)
        if self._cpu_end_s is not None and time.process_time() > self._cpu_end_s:
            self._cpu_end_s = None
            self._tell(kind="cpu-time")  # the parent ends this process

    def _mod_data(self, mods: Sequence[str], extra: Mapping[str, str]) -> ScriptData:
        """Return the data of some mods, with ``extra`` texts by path instead of their files.

        The data of the last call are used again while the files of the mods stay the same.
        """
        files_of_mods = [ModFiles(Path(mod)) for mod in mods]
        stamps = [(files.spec, files.stamp()) for files in files_of_mods]
        key = (stamps, dict(extra))
        if self._data is None or key != self._data_key:
            self._data = ScriptData(files_of_mods, extra)
            self._data_key = key
        return self._data


Requests = queue.SimpleQueue[Mapping[str, Any]]
"""Requests that were read and wait for their turn."""


def main() -> None:
    """Answer requests until the input ends."""
    streams = _take_standard_streams()
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(streams.input, requests), daemon=True).start()
    child = Child(streams.output)
    send(streams.output, Message({"kind": "ready"}))
    while True:
        child.answer(requests.get())


def _read_requests(stream: IO[bytes], requests: Requests) -> None:
    """Put all requests of a stream into a queue, on a thread of its own; then end the process."""
    while (message := receive(stream)) is not None:
        requests.put(message.fields)
    os._exit(0)  # the program has ended; a script may still be running


class _Streams(NamedTuple):
    """The streams on which messages come and go."""

    input: IO[bytes]
    output: IO[bytes]


def _take_standard_streams() -> _Streams:
    """Return copies of the standard streams for messages, and disconnect the standard ones.

    A library that prints something would otherwise damage the messages.
    """
    streams = _Streams(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    null_device = os.open(os.devnull, os.O_RDWR)
    for file_descriptor in (0, 1, 2):
        os.dup2(null_device, file_descriptor)
    return streams
