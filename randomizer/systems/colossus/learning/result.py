"""What learning gives: scripts from few lines to a close fit, and why each of their lines is so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.systems.colossus.learning.fit import Fit


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a line of a script: the bits a map that it gains, a sentence with figures.

    ``gain`` is how much shorter the maps' description gets by the line, without its own length.
    """

    gain: float
    text: str


@dataclass(frozen=True, eq=False)
class ScriptVersion:
    """One script. ``reasons`` are by line, from 1; ``fit`` is how the maps differ from its maps.

    ``statements`` counts AREA, LABEL and PAIR; ``caution`` is how much these counted against the
    fit when it was learned. ``step_error`` is by how many steps of two hexes down its maps differ
    from the maps, on average.
    """

    text: str
    statements: int
    reasons: Mapping[int, Reason]
    fit: Fit
    caution: float
    step_error: float = 0.0


@dataclass(frozen=True, eq=False)
class LearnedScript:
    """Scripts of the same maps, from few lines to a close fit; ``chosen`` is the one proposed."""

    name: str
    maps: tuple[str, ...]
    versions: tuple[ScriptVersion, ...]
    chosen: int

    @property
    def version(self) -> ScriptVersion:
        """The proposed one."""
        return self.versions[self.chosen]

    def at(self, closeness: float) -> ScriptVersion:
        """Return the version for a slider: 0 few lines, 1 close fit."""
        return self.versions[round(closeness * (len(self.versions) - 1))]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of learning (``percent`` 1 to 100), its current step, and the best so far."""

    percent: int
    message: str
    learned: LearnedScript
