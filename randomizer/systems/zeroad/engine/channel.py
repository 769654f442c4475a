"""The memory that a running script shares with the child's Python.

A script asks for data and waits until the answer is there; its progress and its log lines are read
while it runs. The layout is that of ``prelude.js``: 16 numbers of 32 bits, then the area of
requests and answers, then the log, both UTF-16. A script that broke out of the prelude could write
anything here, so no value is relied on.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import NamedTuple

STATE, LENGTH, MORE, PERCENT, LOGGED, LOST = range(6)
IDLE, ASKED, ANSWERED = range(3)
HEAD_BYTES = 64
MESSAGE_UNITS = 1 << 19
LOG_UNITS = 1 << 18
PROGRESS = "progress"
"""The level of a line that has the first progress that the game does not take."""

LEVELS = ("log", "warn", "error", "print", PROGRESS)

Answer = Callable[[list[object]], object]
"""Answers a call, the name of the function and its arguments, with a JSON value."""


class LogEntry(NamedTuple):
    """A line that a script wrote; ``level`` is one of ``LEVELS``."""

    level: str
    text: str


class Channel:
    """Python's end of the shared memory. ``ended`` is set when the script has."""

    def __init__(self, memory: memoryview, answer: Answer) -> None:
        self._memory = memory
        self._head = memory[:HEAD_BYTES].cast("i")
        self._answer = answer
        self._rest = b""
        self._read = 0
        self.ended = False

    def serve(self) -> bool:
        """Answer the request that waits, if any; returns whether there was one."""
        if self._number(STATE) != ASKED:
            return False
        if self._rest and self._number(LENGTH) == 0:
            answer = self._rest
        else:
            answer = self._answered(self._text(HEAD_BYTES, 0, self._number(LENGTH), MESSAGE_UNITS))
        now = answer[: 2 * MESSAGE_UNITS]
        self._rest = answer[2 * MESSAGE_UNITS :]
        self._memory[HEAD_BYTES : HEAD_BYTES + len(now)] = now
        self._set(LENGTH, len(now) // 2)
        self._set(MORE, int(bool(self._rest)))
        self._set(STATE, ANSWERED)
        return True

    @property
    def percent(self) -> int:
        """The progress of the script, 1 to 99; 0 before it told any."""
        return max(0, min(99, self._number(PERCENT)))

    def log(self) -> list[LogEntry]:
        """Return the lines that were written since the last call; at the end, how many found no
        room.
        """
        start = HEAD_BYTES + 2 * MESSAGE_UNITS
        entries = []
        end = min(self._number(LOGGED), LOG_UNITS)
        while self._read + 2 <= end:
            level, length = struct.unpack_from("<HH", self._memory, start + 2 * self._read)
            text = self._text(start, self._read + 2, length, LOG_UNITS)
            entries.append(LogEntry(LEVELS[level % len(LEVELS)], text))
            self._read += 2 + length
        if self.ended and self._number(LOST) > 0:
            entries.append(LogEntry("warn", f"(further lines: {self._number(LOST):,})"))
        return entries

    def _answered(self, request: str) -> bytes:
        try:
            call = json.loads(request)
        except (ValueError, RecursionError):
            call = None
        if isinstance(call, list) and call:
            value = self._answer(call)
        else:
            value = None
        return json.dumps(value).encode("utf-16-le")

    def _text(self, start: int, first: int, length: int, most: int) -> str:
        end = max(first, min(first + length, most))
        data = bytes(self._memory[start + 2 * first : start + 2 * end])
        return data.decode("utf-16-le", "replace")

    def _number(self, index: int) -> int:
        return self._head[index]

    def _set(self, index: int, value: int) -> None:
        """Write a number at once. (``struct`` writes a zero before: a script would go on too soon,
        and its next request would be taken for answered.)
        """
        self._head[index] = value
