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
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, NamedTuple

from randomizer.systems.zeroad.engine.channel import Channel
from randomizer.systems.zeroad.engine.faults import TOO_MUCH_MEMORY, Frame, ScriptFailedError
from randomizer.systems.zeroad.engine.memory import limit_own_memory
from randomizer.systems.zeroad.engine.messages import Kind, Message, receive, send
from randomizer.systems.zeroad.engine.script_engine import ScriptRun, check_syntax
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData


class _ReadData(NamedTuple):
    """The data of some mods, and what they were read from."""

    stamps: list[object]
    """The places of the mods, each with a stamp of its files."""

    extra: dict[str, str]
    """The texts that stood in place of files, by path."""

    data: ScriptData


@dataclass
class _Progress:
    """What the parent was told of the script that is running."""

    percent: int
    """The progress that was sent last."""

    cpu_end_s: float | None
    """The processor time, in seconds, at which the time of the script is over.

    None if its time is not limited, and once the parent was told that it is over.
    """


class Child:
    """Answers requests, one after the other."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        """The stream for messages to the parent."""
        self._latest: _ReadData | None = None
        """The data that the last script used, for the next one with the same mods; None at first.
        """

    def answer(self, request: Mapping[str, Any]) -> None:
        """Run the script of a request and send messages of what it does, then of its result.

        Its fields are those of ``messages``. A request without mods only asks whether the syntax of
        the script is right.
        """
        limit_own_memory(request["memory"])
        try:
            if "mods" in request:
                self._run(request)
            else:
                check_syntax(request["path"], request["text"])
                self._send_fields(kind=Kind.DONE)
        except ScriptFailedError as fault:
            self._fail(fault.code, fault.message, fault.frame)
        except MemoryError:
            self._fail("script-memory", TOO_MUCH_MEMORY)
        except Exception as reason:  # noqa: BLE001 - the parent shows "script-host", and ends us
            self._send_fields(kind=Kind.LOG, lines=[("error", traceback.format_exc())])
            self._fail("script-host", f"the host of map scripts failed: {reason!r}")

    def _run(self, request: Mapping[str, Any]) -> None:
        """Run the script of a request, and send its result. Raises ScriptFailedError."""
        run = ScriptRun(
            path=request["path"],
            text=request["text"],
            settings=request["settings"],
            data=self._mod_data(request["mods"], request["extra"]),
            heap=request["heap"],
        )
        # The time of the script begins here: reading the mods is not its fault.
        cpu_end_s = None
        if request["cpu_s"] is not None:
            cpu_end_s = time.process_time() + request["cpu_s"]
        progress = _Progress(percent=0, cpu_end_s=cpu_end_s)
        self._send_fields(kind=Kind.STARTED)
        result = run.run(partial(self._send_news, progress))
        fields = {"kind": Kind.DONE, "arrays": result.arrays}
        send(self._output, Message(fields, [result.text, *result.blocks]))

    def _send_fields(self, **fields: object) -> None:
        """Send a message without blocks."""
        send(self._output, Message(fields))

    def _fail(self, code: str, message: str, frame: Frame | None = None) -> None:
        """Send why a script failed, and with a ``frame`` in which file, line and column."""
        position = None
        if frame is not None:
            position = (frame.path, frame.line, frame.column)
        self._send_fields(kind=Kind.FAILED, code=code, message=message, position=position)

    def _send_news(self, progress: _Progress, channel: Channel) -> None:
        """Send the log lines and the progress of a running script since the last call.

        What was sent is noted in ``progress``. Once, when the time of the script is over, that is
        sent as well.
        """
        percent = channel.percent
        lines = channel.log()
        if lines:
            self._send_fields(kind=Kind.LOG, lines=lines)
        if percent != progress.percent:
            progress.percent = percent
            self._send_fields(kind=Kind.PROGRESS, percent=percent)
        if progress.cpu_end_s is not None and time.process_time() > progress.cpu_end_s:
            progress.cpu_end_s = None
            self._send_fields(kind=Kind.CPU_TIME)  # the parent ends this process

    def _mod_data(self, mods: Sequence[str], extra: Mapping[str, str]) -> ScriptData:
        """Return the data of some mods, with ``extra`` texts by path instead of their files.

        The data of the last call are used again while the files of the mods stay the same.
        """
        files_of_mods = [ModFiles.from_spec(mod) for mod in mods]
        stamps: list[object] = [(files.spec, files.stamp()) for files in files_of_mods]
        latest = self._latest
        if latest is None or latest.stamps != stamps or latest.extra != dict(extra):
            latest = _ReadData(stamps, dict(extra), ScriptData(files_of_mods, extra))
            self._latest = latest
        return latest.data


Requests = queue.SimpleQueue[Mapping[str, Any]]
"""Requests that were read and wait for their turn."""


def main() -> None:
    """Answer requests until the input ends."""
    streams = _take_standard_streams()
    requests: Requests = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(streams.input, requests), daemon=True).start()
    child = Child(streams.output)
    send(streams.output, Message({"kind": Kind.READY}))
    while True:
        child.answer(requests.get())


def _read_requests(stream: IO[bytes], requests: Requests) -> None:
    """Put all requests of a stream into a queue, on a thread of its own; then end the process.

    The parent is trusted to send nothing but messages.
    """
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
