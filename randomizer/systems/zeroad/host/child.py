"""The child process that runs scripts: ``python -m randomizer.systems.zeroad.host.child``.

Messages come by the standard input and go by the standard output; the first request starts V8. It
ends when its input ends, and so with the program.
"""

from __future__ import annotations

import os
import queue
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from randomizer.systems.zeroad.host.channel import Channel
from randomizer.systems.zeroad.host.engine import ScriptRun
from randomizer.systems.zeroad.host.faults import ScriptFailedError
from randomizer.systems.zeroad.host.memory import limit_own_memory
from randomizer.systems.zeroad.host.messages import Message, receive, send
from randomizer.systems.zeroad.host.mod_data import ModData


class Child:
    """Answers one request after the other."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._data: ModData | None = None
        self._data_key: object = None
        self._percent = 0

    def answer(self, request: Mapping[str, Any]) -> None:
        """Run the script of a request and send what comes of it."""
        limit_own_memory(request["memory"])
        self._percent = 0
        try:
            run = ScriptRun(
                request["path"],
                request["text"],
                request["settings"],
                self._mod_data(request["mods"], request["extra"]),
                request["heap"],
            )
            self._tell(kind="started")
            made = run.run(self._look)
        except ScriptFailedError as fault:
            place = None if fault.place is None else list(fault.place[:3])
            self._tell(kind="failed", code=fault.code, message=fault.message, place=place)
        except MemoryError:
            self._tell(
                kind="failed",
                code="script-memory",
                message="the script needs too much memory",
                place=None,
            )
        except Exception:  # noqa: BLE001 - the parent shows it
            self._tell(kind="fault", message=traceback.format_exc())
        else:
            fields = {"kind": "done", "arrays": made.arrays}
            send(self._output, Message(fields, [made.text, *made.blocks]))

    def _tell(self, **fields: object) -> None:
        send(self._output, Message(fields))

    def _look(self, channel: Channel) -> None:
        """Send what a running script wrote since the last time."""
        if channel.percent != self._percent:
            self._percent = channel.percent
            self._tell(kind="progress", percent=self._percent)
        lines = channel.log()
        if lines:
            self._tell(kind="log", lines=lines)

    def _mod_data(self, mods: Sequence[str], extra: Mapping[str, str]) -> ModData:
        """The mods' data, kept for the next script while the files stay the same."""
        from randomizer.systems.zeroad.installation.mod_files import ModFiles
        from randomizer.systems.zeroad.installation.script_data import ScriptData

        found = [ModFiles(Path(each)) for each in mods]
        key = [(each.spec, each.stamp()) for each in found], dict(extra)
        if self._data is None or key != self._data_key:
            self._data, self._data_key = ScriptData(found, extra), key
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


if __name__ == "__main__":
    main()
