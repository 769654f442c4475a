"""The messages between the program and the child process that runs scripts.

    send(stream, Message({"kind": Kind.LOG, "lines": [("warn", "no such biome")]}))
    message = receive(stream)                             # on the other side

A message is a JSON object and, after it, some blocks of bytes, such as arrays. No child is trusted:
unlike a pickle, nothing in a message can make its reader execute something.

The program sends requests, and the child answers each with several messages, whose ``Kind`` is the
field "kind". The answer to a request to run a script, for instance::

    started, progress, log, progress, done

A request has these fields::

    path, text          the script
    memory              the bytes that the child may allocate
    mods                the folders of mods; missing if only the syntax is to be checked, and then
                        the following fields are missing, too
    settings            the settings that the script gets
    extra               texts that stand in place of files of the mods, by path
    heap                the bytes of memory for the script
    cpu_s               the processor time for it, in seconds; null for no limit
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import IO, NamedTuple

_HEAD = struct.Struct("<II")
"""The length of the JSON object in bytes, and the number of blocks."""
_LENGTH = struct.Struct("<Q")
"""The length of a block in bytes, which precedes the block."""

MAX_BYTES = 1 << 30
"""The length of the longest block, or JSON object, that is read."""

MAX_BLOCKS = 16
"""The most blocks of a message that is read."""


class Kind(StrEnum):
    """What a child tells by a message. The last message about a request is DONE or FAILED."""

    READY = "ready"
    """The child has begun and takes requests."""

    STARTED = "started"
    """The script begins to run: the files of the mods were found."""

    LOG = "log"
    """The script wrote some ``lines``: a list of [level, text]."""

    PROGRESS = "progress"
    """The script has come to a progress of ``percent``, 1 to 99."""

    CPU_TIME = "cpu-time"
    """The script has used all of its processor time. It goes on until the child is ended."""

    FAILED = "failed"
    """The script failed: ``code``, ``message`` and ``position`` say why and where.

    The position is [path, line, column], or null.
    """

    DONE = "done"
    """The script has ended, or its syntax is right.

    The first block is the JSON of the map that a script returned, and the others its arrays.
    ``arrays`` has a [path in the JSON, class in JavaScript] for each array.
    """


class Message(NamedTuple):
    """A message."""

    fields: Mapping[str, object]
    """The JSON object."""
    blocks: Sequence[bytes] = ()
    """The blocks of bytes that belong to it."""


def send(stream: IO[bytes], message: Message) -> None:
    """Write a message. Raises OSError if nobody reads."""
    head = json.dumps(message.fields).encode("ascii")
    stream.write(_HEAD.pack(len(head), len(message.blocks)))
    stream.write(head)
    for block in message.blocks:
        stream.write(_LENGTH.pack(len(block)))
        stream.write(block)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Wait for the next message and return it; None at the end of the stream.

    A head that is cut off is the end as well: the child was killed while it wrote. Raises
    ValueError for bytes that are no message.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length, count = _HEAD.unpack(head)
    if length > MAX_BYTES or count > MAX_BLOCKS:
        raise ValueError("a message of impossible length")
    try:
        fields = json.loads(_read_exactly(stream, length))
    except RecursionError:
        raise ValueError("a message with values too deep in another") from None
    if not isinstance(fields, dict):
        raise ValueError("a message is a JSON object")
    blocks = []
    for _ in range(count):
        (size,) = _LENGTH.unpack(_read_exactly(stream, _LENGTH.size))
        if size > MAX_BYTES:
            raise ValueError("a block of impossible length")
        blocks.append(_read_exactly(stream, size))
    return Message(fields, blocks)


def _read_exactly(stream: IO[bytes], length: int) -> bytes:
    """Return the next bytes of a stream. Raises ValueError if there are fewer."""
    data = stream.read(length)
    if len(data) < length:
        raise ValueError("a message was cut off")
    return data
