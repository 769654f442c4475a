"""The versions of a script that are learned, and which of them is proposed.

    versions = Versions("My marshes", boards.names, closeness=None)
    versions.add(version)                    # from few lines to a close fit
    versions.result().version                # the one that is proposed

Learning follows the principle of minimum description length (script_lengths.py). So that version is
proposed by which the maps, the lines of the script included, take the fewest bits.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from randomizer.systems.colossus.learning.result import LearnedScript, ScriptVersion, index_at

STATEMENT_PRICE = 6.0
"""The bits that the maps together must gain by a statement of the version that is proposed."""

STEP_PRICE = 2.0
"""The bits that each step of two too many or too few on a map counts when a version is proposed.

A step is an edge between two hexes of different elevations; those of a step of two differ by two.
"""


class Versions:
    """The versions learned so far, from few lines to a close fit."""

    def __init__(self, name: str, map_names: tuple[str, ...], closeness: float | None) -> None:
        """Begin without a version. ``name`` and ``closeness`` are as in ``LearningOptions``."""
        self._name = name
        self._map_names = map_names
        self._closeness = closeness
        self._versions: list[ScriptVersion] = []
        self._unseen_bits: Mapping[float, float] = {}
        """By caution: the bits of all maps, each described by a script learned from the others.

        {} until ``set_unseen_bits``: then each version describes the maps that it is learned from.
        """

    def add(self, version: ScriptVersion) -> None:
        """Add a version that was learned with less caution than those before it."""
        # It fits closer. If it has fewer lines as well, it replaces those with more: that happens
        # if it makes fewer kinds of steps, which need PAIRs.
        while self._versions and self._versions[-1].statements > version.statements:
            self._versions.pop()
        if not self._versions or version.text != self._versions[-1].text:
            self._versions.append(version)

    def set_unseen_bits(self, unseen_bits: Mapping[float, float]) -> None:
        """Set, by caution, the bits of all maps described by scripts learned from the others."""
        self._unseen_bits = unseen_bits

    def result(self) -> LearnedScript:
        """Return the versions, with the index of the one that is proposed."""
        if self._closeness is not None:
            proposed_index = index_at(self._closeness, len(self._versions))
        else:
            lengths = [self._length(version) for version in self._versions]
            proposed_index = int(np.argmin(lengths))
        return LearnedScript(
            name=self._name,
            maps=self._map_names,
            versions=tuple(self._versions),
            proposed_index=proposed_index,
        )

    def _length(self, version: ScriptVersion) -> float:
        """Return the length in bits of the maps described by a version, and of the version."""
        map_count = len(self._map_names)
        if version.caution in self._unseen_bits:
            map_bits = self._unseen_bits[version.caution]
        else:
            map_bits = map_count * version.fit.total
        statement_bits = STATEMENT_PRICE * version.statements
        step_bits = STEP_PRICE * map_count * version.step_error
        return map_bits + statement_bits + step_bits
