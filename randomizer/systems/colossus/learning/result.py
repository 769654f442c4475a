"""What learning gives: scripts from few lines to a close fit, and why each of their lines is so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.systems.colossus.learning.fit import Fit


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a line of a script."""

    gain: float
    """By how many bits a map the maps' description gets shorter, without the line's own length."""

    text: str
    """A sentence with figures."""


@dataclass(frozen=True, eq=False)
class ScriptVersion:
    """One of the learned scripts."""

    text: str

    statements: int
    """The number of AREAs, LABELs and PAIRs."""

    reasons: Mapping[int, Reason]
    """The reason for each AREA and PAIR, by its line from 1."""

    fit: Fit
    """How far the maps to learn from are from the maps of the script."""

    caution: float
    """How much the length of the script counted against the fit when it was learned."""

    step_error: float = 0.0
    """By how many steps of two elevations both differ, on average of a map."""


@dataclass(frozen=True, eq=False)
class LearnedScript:
    """Scripts learned from the same maps."""

    name: str
    """Their title."""

    maps: tuple[str, ...]
    """The names of the maps."""

    versions: tuple[ScriptVersion, ...]
    """The scripts, from few lines to a close fit."""

    chosen: int
    """The index of the version that is proposed."""

    @property
    def version(self) -> ScriptVersion:
        """The version that is proposed."""
        return self.versions[self.chosen]

    def at(self, closeness: float) -> ScriptVersion:
        """Return the version for a slider: 0 few lines, 1 close fit."""
        return self.versions[round(closeness * (len(self.versions) - 1))]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of learning."""

    percent: int
    """From 1 to 100."""

    message: str
    """The current step."""

    learned: LearnedScript
    """The best so far."""
