"""The memory by which a running script and Python talk to each other.

``script_engine`` runs a script on one thread, and calls ``Channel.serve`` and ``Channel.log`` on
another. A script asks for data and waits until the answer is there. Its progress and its log lines
are read while it runs. The layout of the memory is that of ``prelude.js``::

    head        16 numbers of 32 bits, by the indices ``Head``
    message     a request or an answer, as JSON in UTF-16
    log         lines, each with its level and length before it, in UTF-16

One call of a script goes like this::

    the script                                  Python (``serve``)
    writes ["GetTemplate", "gaia/tree/oak"],
    its LENGTH, and STATE = ASKED; waits
                                                writes the answer, LENGTH, MORE, STATE = ANSWERED
    reads it, and sets STATE = IDLE

A script that broke out of the prelude could write anything here, so no value is relied on.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple


class Head(IntEnum):
    """The numbers of the head, by their index."""

    STATE = 0
    """A ``State``."""
    LENGTH = 1
    """The length of the request, or of the answer, in units of UTF-16."""
    MORE = 2
    """1 if an answer goes on: the script asks again, with a request of length 0."""
    PERCENT = 3
    """The progress of the script."""
    LOGGED = 4
    """The number of units of the log that are written."""
    LOST = 5
    """The number of lines that found no room in the log."""


class State(IntEnum):
    """What the script and Python are about."""

    IDLE = 0
    """The script needs nothing."""
    ASKED = 1
    """The script has written a request and waits."""
    ANSWERED = 2
    """Python has written the answer."""


HEAD_BYTES = 64
"""The bytes of the head."""

UNIT_BYTES = 2
"""The bytes of a unit of UTF-16."""

MESSAGE_UNITS = 1 << 19
"""The room for a request or an answer; a longer answer is sent in several pieces."""

LOG_UNITS = 1 << 18
"""The room for the log."""

LINE_HEAD_UNITS = 2
"""Each line of the log begins with two units: the index of its level, and its length."""

PROGRESS = "progress"
"""The level of the line by which the prelude tells a progress that the game would refuse.

It tells the first one that is no whole number from 1 to 100.
"""

LEVELS = ("log", "warn", "error", "print", PROGRESS)
"""The levels of lines; the log has the index of the level."""

Answer = Callable[[list[object]], object]
"""Answers a call, the name of the function and its arguments, with a JSON value."""


class LogEntry(NamedTuple):
    """A line that a script wrote; ``level`` is one of ``LEVELS``."""

    level: str
    text: str


class Channel:
    """Python's end of the shared memory, for one script."""

    def __init__(self, memory: memoryview, answer: Answer) -> None:
        self._memory = memory
        self._head = memory[:HEAD_BYTES].cast("i")
        """The numbers of the head."""
        self._answer = answer
        """Answers the calls of the script."""
        self._unsent = b""
        """What is left of an answer that is longer than the area for it; b"" between calls."""
        self._units_read = 0
        """The units of the log that ``log`` has returned."""
        self._has_ended = False
        """True once the script has ended (``end``)."""

    def end(self) -> None:
        """Note that the script has ended: ``log`` returns its last lines."""
        self._has_ended = True

    def serve(self) -> bool:
        """Answer the request that waits, if any; returns whether there was one."""
        if self._number(Head.STATE) != State.ASKED:
            return False
        length = self._number(Head.LENGTH)
        asks_for_more = bool(self._unsent) and length == 0
        if asks_for_more:
            answer = self._unsent
        else:
            request = self._text(
                HEAD_BYTES, first_unit=0, unit_count=length, area_units=MESSAGE_UNITS
            )
            answer = self._answer_to(request)

        sent = answer[: UNIT_BYTES * MESSAGE_UNITS]
        self._unsent = answer[UNIT_BYTES * MESSAGE_UNITS :]
        self._memory[HEAD_BYTES : HEAD_BYTES + len(sent)] = sent
        self._set(Head.LENGTH, len(sent) // UNIT_BYTES)
        self._set(Head.MORE, int(bool(self._unsent)))
        # The last: the script reads the answer as soon as this is set.
        self._set(Head.STATE, State.ANSWERED)
        return True

    @property
    def percent(self) -> int:
        """The progress of the script, 1 to 99; 0 before it told any."""
        return max(0, min(99, self._number(Head.PERCENT)))

    def log(self) -> list[LogEntry]:
        """Return the lines that were written since the last call.

        Behind ``end`` it is called once, and a last line says how many found no room.
        """
        area_start = HEAD_BYTES + UNIT_BYTES * MESSAGE_UNITS
        entries = []
        end = min(self._number(Head.LOGGED), LOG_UNITS)
        while self._units_read + LINE_HEAD_UNITS <= end:
            line_start = area_start + UNIT_BYTES * self._units_read
            level, length = struct.unpack_from("<HH", self._memory, line_start)
            text = self._text(
                area_start,
                first_unit=self._units_read + LINE_HEAD_UNITS,
                unit_count=length,
                area_units=LOG_UNITS,
            )
            entries.append(LogEntry(LEVELS[level % len(LEVELS)], text))
            self._units_read += LINE_HEAD_UNITS + length
        if self._has_ended and self._number(Head.LOST) > 0:
            entries.append(LogEntry("warn", f"(further lines: {self._number(Head.LOST):,})"))
        return entries

    def _answer_to(self, request: str) -> bytes:
        """Return the answer to a request as JSON in UTF-16; that to one without a call is null."""
        try:
            call = json.loads(request)
        except (ValueError, RecursionError):
            call = None
        value = None
        if isinstance(call, list) and call:
            value = self._answer(call)
        return json.dumps(value).encode("utf-16-le")

    def _text(self, area_start: int, *, first_unit: int, unit_count: int, area_units: int) -> str:
        """Return some units of an area as text.

        The area begins at byte ``area_start`` of the memory and has ``area_units``. The other two
        numbers can be made up by a script: the text is cut where the area ends.
        """
        end_unit = max(first_unit, min(first_unit + unit_count, area_units))
        first_byte = area_start + UNIT_BYTES * first_unit
        data = self._memory[first_byte : area_start + UNIT_BYTES * end_unit]
        return bytes(data).decode("utf-16-le", "replace")

    def _number(self, index: Head) -> int:
        """Return a number of the head, which a script can have made up."""
        return self._head[index]

    def _set(self, index: Head, value: int) -> None:
        """Write a number of the head, in one step.

        ``struct`` would write a zero first: a script would go on too soon, and its next request
        would be taken for answered.
        """
        self._head[index] = value
