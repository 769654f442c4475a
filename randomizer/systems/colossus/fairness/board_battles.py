"""The battles of a search for balancing edits: armies against their like, on several battlelands.

battles = BoardBattles(armies, sides, seed)
for army, wins in battles.fight(lands, range(len(armies)), range(100), DrawKind.LEARNING):
    wins                # (lands, sides): how many of 100 attackers have won from each side
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import wins_on
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.fairness.edit_effects import Counts


class DrawKind(IntEnum):
    """A kind of draws of battles; each has a seed of its own."""

    LEARNING = 0
    """The draws by which boards are learned from and chosen."""

    VERIFYING = 1
    """Fresh ones, so that no board was chosen by them: the best of many had luck, too."""


class ArmyWins(NamedTuple):
    """The wins of the attackers of an army."""

    army: int
    """The index of the army."""

    wins: Counts
    """(lands, sides): how many attackers won."""


class BoardBattles:
    """Battles of the same armies from the same sides."""

    def __init__(self, armies: Sequence[Army], sides: tuple[int, ...], seed: int) -> None:
        """Prepare the battles; attackers come from each of ``sides``."""
        self.armies = armies
        self.sides = sides
        self._seed = seed
        self.count = 0
        """The number of battles that were fought."""

    def fight(
        self,
        lands: Sequence[Battleland],
        army_indices: Sequence[int],
        numbers: range,
        draw_kind: DrawKind,
        sides: Sequence[int] | None = None,
    ) -> Iterator[ArmyWins]:
        """Fight the battles ``numbers``, one after the other, of some armies on each land.

        Yields the wins of one army after the other. Attackers come from each of ``sides``; None:
        from those of all battles.
        """
        if sides is None:
            sides = self.sides
        # One land after the other: the lines of sight of the last one are cached.
        tables_of_armies: list[list[RuleTables]] = [[] for _army in army_indices]
        for land in lands:
            for army, tables_of_lands in zip(army_indices, tables_of_armies, strict=True):
                creatures = self.armies[army]
                # From any side: ``facing`` exchanges it below.
                tables = RuleTables.of(land, creatures, creatures, entry_side=0)
                tables_of_lands.append(tables)

        # Each seed of the search has a seed of its own for each kind of draws.
        seed = len(DrawKind) * self._seed + draw_kind
        for army, tables_of_lands in zip(army_indices, tables_of_armies, strict=True):
            tables_from_sides = []
            for tables in tables_of_lands:
                tables_from_sides += [tables.facing(side) for side in sides]
            wins = wins_on(tables_from_sides, numbers.start, len(numbers), seed)
            self.count += len(tables_from_sides) * len(numbers)
            yield ArmyWins(army, np.array(wins).reshape(len(lands), -1))
