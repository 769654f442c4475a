"""What records leave out: arrays, and long texts, each of which is stored once."""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol

from randomizer.model.planes.planes import Plane


class Put(Protocol):
    """Stores arrays and texts, and returns references to them for a record."""

    def array(self, name: str, array: Plane, /) -> int | str:
        """Store an array; ``name`` describes it."""

    def text(self, text: str, /) -> str:
        """Store a text; the reference is its ``digest_of``."""


class Get(Protocol):
    """Finds arrays and texts by their references. Raises ValueError for one that is not there."""

    def array(self, ref: object, dtype: str | None, shape: tuple[int, ...] | None, /) -> Plane:
        """Return a new array. ``dtype`` None: any integers; ``shape`` None: one axis of any
        length.
        """

    def text(self, ref: object, /) -> str:
        """Return the text, checked against its digest."""


def digest_of(text: str) -> str:
    """Return the reference of a text: its SHA-256; "" for an empty one, which is not stored."""
    if text:
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return ""


def checked_text(ref: str, data: bytes) -> str:
    """Return the text in UTF-8 ``data``. Raises ValueError if ``ref`` is not its reference."""
    text = data.decode("utf-8", "surrogatepass")
    if digest_of(text) != ref:
        raise ValueError("a text is not what was written")
    return text
