"""The locked values of a battleland by hex id, and what messages call them.

A *lock* is a value that a person wants to keep: every map that is rolled must have it. It is the
terrain or the elevation of a hex, or the hexside on one of its sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from randomizer.systems.colossus.board import GRID, LABELS
from randomizer.systems.colossus.terrain_set import COLOSSUS

State = tuple[int, int]
"""The state of a hex: (terrain, elevation)."""

LockedState = tuple[int | None, int | None]
"""The state that a lock demands: (terrain, elevation), None for any."""

HexLocks = Mapping[int, LockedState]
"""The locked states by hex id."""

SideLocks = Mapping[tuple[int, int], int]
"""The locked hexsides by (hex id, side), as plane values: 0 for no hexside."""


@dataclass(frozen=True)
class Locks:
    """All locked values of a map."""

    hexes: HexLocks = field(default_factory=dict)
    sides: SideLocks = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether anything is locked."""
        return bool(self.hexes) or bool(self.sides)


NO_LOCKS = Locks()


def state_words(hex_id: int, state: LockedState) -> str:
    """Return a locked state as messages name it: ``D4 Volcano, elevation 2``."""
    terrain, elevation = state
    words = []
    if terrain is not None:
        words.append(COLOSSUS.terrains[terrain].name)
    if elevation is not None:
        words.append(f"elevation {elevation}")
    return f"{LABELS[hex_id]} {', '.join(words)}"


def side_words(hex_and_side: tuple[int, int], code: int) -> str:
    """Return a locked hexside as messages name it: ``cliff on the north side of D4``.

    It is ``nothing on the north side of D4`` for code 0, no hexside.
    """
    hex_id, side = hex_and_side
    if code:
        name = COLOSSUS.hexsides[code - 1].name.lower()
    else:
        name = "nothing"
    return f"{name} on the {GRID.layout.side_names[side]} side of {LABELS[hex_id]}"
