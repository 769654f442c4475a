"""The child process that runs scripts.

Messages come by the standard input and go by the standard output; the first request starts V8. It
ends when its input ends, and so with the program.
"""

from __future__ import annotations

import os
import queue
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from randomizer.systems.zeroad.engine.channel import Channel
from randomizer.systems.zeroad.engine.faults import TOO_MUCH_MEMORY, ScriptFailedError
from randomizer.systems.zeroad.engine.memory import limit_own_memory
from randomizer.systems.zeroad.engine.messages import Message, receive, send
from randomizer.systems.zeroad.engine.script_engine import ScriptRun, check_syntax
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.script_data import ScriptData


class Child:
    """Answers one request after the other."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._data: ScriptData | None = None
        self._data_key: object = None
        self._percent = 0
        self._cpu_end_s: float | None = None  # of this process; None: not counted

    def answer(self, request: Mapping[str, Any]) -> None:
        """Run the script of a request, or parse it only, and send what comes of it."""
        limit_own_memory(request["memory"])
        self._percent = 0
        try:
            if "mods" not in request:
                check_syntax(request["path"], request["text"])
                send(self._output, Message({"kind": "done"}))
                return
            run = ScriptRun(
                request["path"],
                request["text"],
                request["settings"],
                self._mod_data(request["mods"], request["extra"]),
                request["heap"],
            )
            cpu_s = request["cpu_s"]
            if cpu_s is None:
                self._cpu_end_s = None
            else:
                self._cpu_end_s = time.process_time() + cpu_s
            self._tell(kind="started")
            result = run.run(self._look)
        except ScriptFailedError as fault:
            self._fail(fault.code, fault.message, fault.place and fault.place[:3])
        except MemoryError:
            self._fail("script-memory", TOO_MUCH_MEMORY)
        except Exception as reason:  # noqa: BLE001 - the parent shows it, and ends this process
            self._tell(kind="log", lines=[("error", traceback.format_exc())])
            self._fail("script-host", f"the host of map scripts failed: {reason!r}")
        else:
            fields = {"kind": "done", "arrays": result.arrays}
            send(self._output, Message(fields, [result.text, *result.blocks]))

    def _tell(self, **fields: object) -> None:
        send(self._output, Message(fields))

    def _fail(self, code: str, message: str, place: tuple[str, int, int] | None = None) -> None:
        self._tell(kind="failed", code=code, message=message, place=place)

    def _look(self, channel: Channel) -> None:
        """Send what a running script wrote since the last time, and once that its time is over."""
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
        """Return the mods' data, kept for the next script while the files stay the same."""
        mods_read = [ModFiles(Path(mod)) for mod in mods]
        key = [(each.spec, each.stamp()) for each in mods_read], dict(extra)
        if self._data is None or key != self._data_key:
            self._data = ScriptData(mods_read, extra)
            self._data_key = key
        return self._data


def main() -> None:
    """Read requests until the input ends."""
    requests, output = _own_streams()
    waiting: queue.SimpleQueue[Mapping[str, Any]] = queue.SimpleQueue()

    def read() -> None:
        while (message := receive(requests)) is not None:
            waiting.put(message.fields)
        os._exit(0)  # the program has ended; a script may still be running

    threading.Thread(target=read, daemon=True).start()
    child = Child(output)
    child._tell(kind="ready")
    while True:
        child.answer(waiting.get())


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Input and output for messages; nothing else that is read or written reaches the program."""
    requests = os.fdopen(os.dup(0), "rb")
    output = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return requests, output
