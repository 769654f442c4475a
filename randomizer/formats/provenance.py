"""The origin of a rolled map, which its file tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a rolled map. A format stores as much of it as it can."""

    seed: int
    number: int | None
    """The number of the map under the seed; None for one that no seed and number make again."""
    words: str
    """All of it as words for people, such as the generator and its settings."""
