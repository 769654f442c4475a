"""The versions of a script that are learned, and which of them is proposed.

    versions = Versions("My marshes", boards.names, closeness=None)
    versions.add(version)                    # from few lines to a close fit
    versions.result().version                # the one that is proposed

Learning follows the principle of minimum description length (script_lengths.py). So that version is
proposed by which the maps, the lines of the script included, take the fewest bits.

The *caution* of a version is the weight of the script's length when it was learned: the more of it,
the fewer lines. Its *closeness*, from 0 to 1, is how well it fits the maps among all versions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from randomizer.systems.colossus.learning.result import LearnedScript, ScriptVersion, index_at

STATEMENT_PRICE = 6.0
"""The bits that the maps together must gain by a statement of the version that is proposed."""

STEP_PRICE = 2.0
"""The penalty, in bits, for each step of two more or fewer than the given maps have.

A step of two is an edge between two hexes whose elevations differ by two.
"""


class Versions:
    """The versions learned so far, from few lines to a close fit."""

    def __init__(self, name: str, map_names: tuple[str, ...], closeness: float | None) -> None:
        """Begin without a version. ``name`` and ``closeness`` are as in ``LearningOptions``."""
        self._name = name
        self._map_names = map_names
        self._closeness = closeness
        self._versions: list[ScriptVersion] = []
        self._unseen_bits: Mapping[float, float] | None = None
        """By caution: the bits of all maps, each described by a script learned from the others.

        It has all cautions. None until ``set_unseen_bits``: each version then describes the maps
        that it is learned from.
        """

    def add(self, version: ScriptVersion) -> None:
        """Add a version that was learned with less caution than those before it."""
        # It fits closer. If it has fewer lines as well, it replaces those with more. That happens
        # if its maps have fewer kinds of steps: each takes a line, a PAIR that gives it hexsides.
        while self._versions and self._versions[-1].statements > version.statements:
            self._versions.pop()
        if not self._versions or version.text != self._versions[-1].text:
            self._versions.append(version)

    def set_unseen_bits(self, unseen_bits: Mapping[float, float]) -> None:
        """Set, by caution, the bits of all maps described by scripts learned from the others."""
        self._unseen_bits = unseen_bits

    def result(self) -> LearnedScript:
        """Return the versions, one at least, with the index of the one that is proposed."""
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
        if self._unseen_bits is None:
            map_bits = map_count * version.fit.total
        else:
            map_bits = self._unseen_bits[version.caution]
        statement_bits = STATEMENT_PRICE * version.statements
        step_bits = STEP_PRICE * map_count * version.step_error
        return map_bits + statement_bits + step_bits
