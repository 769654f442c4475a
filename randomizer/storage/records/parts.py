"""The large *parts* of a record, arrays and long texts, which are stored outside of it.

A record is what JSON can hold of a value, such as an edit or a layer. In place of a plane, or of
the text of a script, it has a *reference*. Whoever writes records hands in a ``PartWriter``, which
stores the parts, and whoever reads them a ``PartReader``, which finds them: a journal has them in
its database, a file of a map has them as files of a zip archive::

    record = {"script": parts.text(script), "terrain": parts.array("terrain", plane)}
    plane = parts.array(record["terrain"], "uint8", (30, 40))

A text is stored once, however many records have it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from randomizer.model.planes.planes import Plane


class PartWriter(Protocol):
    """Stores arrays and texts, and returns references to them for a record."""

    def array(self, name: str, array: Plane, /) -> int | str:
        """Store an array, and return its reference; ``name`` says what it holds, for people."""

    def text(self, text: str, /) -> str:
        """Store a text, and return its reference: its ``digest_of``."""


class PartReader(Protocol):
    """Finds arrays and texts by their references. Raises ValueError for one that is not there."""

    def array(self, ref: object, dtype: str | None, shape: tuple[int, ...] | None, /) -> Plane:
        """Return a new array of the given dtype and shape. Raises ValueError for another one.

        With None as ``dtype`` it is of any integers, with None as ``shape`` of one axis of any
        length.
        """

    def text(self, ref: object, /) -> str:
        """Return a text. Raises ValueError if its digest is not the reference."""


def digest_of(text: str) -> str:
    """Return the reference of a text: its SHA-256; "" for an empty one, which is not stored."""
    if not text:
        return ""
    # A text of a file in another encoding can have lone surrogates.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def checked_text(ref: str, data: bytes) -> str:
    """Return the text of the bytes ``data``. Raises ValueError if ``ref`` is not its reference."""
    text = data.decode("utf-8", "surrogatepass")
    if digest_of(text) != ref:
        raise ValueError("a text is not what was written")
    return text
