"""The result of learning: scripts from few lines to a close fit, with reasons for their lines.

    for progress in learn(boards, ...):
        progress.learned.version.text       # the best script so far

The learner makes these objects; the command line and the panel of the desk show them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from randomizer.systems.colossus.learning.fit import Fit


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a line of a script."""

    gain: float
    """The bits that the line saves in describing a map; the line's own length is not subtracted."""

    text: str
    """A sentence with figures."""


@dataclass(frozen=True, eq=False)
class ScriptVersion:
    """One of the learned scripts."""

    text: str
    """The whole script."""

    statements: int
    """The number of AREAs, LABELs and PAIRs."""

    reasons: Mapping[int, Reason]
    """The reason for each AREA and PAIR, by its line from 1."""

    fit: Fit
    """The distance of the maps of the script from the given ones."""

    caution: float
    """The weight of the script's length against the fit when it was learned.

    With more caution a script has fewer lines.
    """

    step_error: float = 0.0
    """By how much the maps of the script differ from the given ones in steps of two elevations.

    A step is an edge with such a drop; the numbers are those of a map, on average.
    """


@dataclass(frozen=True, eq=False)
class LearnedScript:
    """Scripts learned from the same maps."""

    name: str
    """Their title."""

    maps: tuple[str, ...]
    """The names of the maps."""

    versions: tuple[ScriptVersion, ...]
    """The scripts, from few lines to a close fit."""

    proposed_index: int
    """The index of the version that is proposed."""

    @property
    def version(self) -> ScriptVersion:
        """The version that is proposed."""
        return self.versions[self.proposed_index]

    def at(self, closeness: float) -> ScriptVersion:
        """Return the version for the position of a slider, from 0 (few lines) to 1 (close fit)."""
        return self.versions[index_at(closeness, len(self.versions))]


def index_at(closeness: float, count: int) -> int:
    """Return the index of a version among so many, for a ``closeness`` from 0 to 1."""
    return round(closeness * (count - 1))


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of learning."""

    percent: int
    """The work that is done, in percent, from 1 to 100."""

    message: str
    """The current step in words: "the order of the terrains"."""

    learned: LearnedScript
    """The best so far."""
