"""The messages between the program and the child process that runs scripts.

    send(stream, Message({"kind": "done"}, [heights]))
    message = receive(stream)                             # on the other side

A message is a JSON object and, after it, some blocks of bytes, such as arrays. No child is trusted:
unlike a pickle, nothing in a message can make its reader execute something.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import IO, NamedTuple

_HEAD = struct.Struct("<II")
"""The length of the JSON object in bytes, and the number of blocks."""
_LENGTH = struct.Struct("<Q")
"""The length of a block in bytes, which precedes the block."""

MOST_BYTES = 1 << 30
"""The length of the longest block, or JSON object, that is read."""

MOST_BLOCKS = 16
"""The most blocks of a message that is read."""


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

    Raises ValueError for bytes that are no message.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length, count = _HEAD.unpack(head)
    if length > MOST_BYTES or count > MOST_BLOCKS:
        raise ValueError("a message of impossible length")
    try:
        fields = json.loads(_exactly(stream, length))
    except RecursionError:
        raise ValueError("a message with values too deep in another") from None
    if not isinstance(fields, dict):
        raise ValueError("a message is a JSON object")
    blocks = []
    for _ in range(count):
        (size,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
        if size > MOST_BYTES:
            raise ValueError("a block of impossible length")
        blocks.append(_exactly(stream, size))
    return Message(fields, blocks)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    """Return the next bytes of a stream. Raises ValueError if there are fewer."""
    data = stream.read(length)
    if len(data) < length:
        raise ValueError("a message was cut off")
    return data
