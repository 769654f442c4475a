"""The battles by which a battleland is judged: each of ten standard armies fights its equal.

Equal armies meet, so what attackers win more than defenders is due to the map and to who attacks.
How many battles are fought depends on who asks:

- ``mirror_battles`` fights on one map for the panel *Fairness*, round by round, up to 3,000 battles
  from each side;
- ``win_shares`` fights on many maps for filters: the first round, or only the first steps of it.

A battle of one number has the same dice each time, so that both agree on the first round.
"""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.systems.colossus.battle.armies import Army, standard_pairs
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import wins_on
from randomizer.systems.colossus.battle_terrain import Battleland

ROUNDS = (20, 60, 140, 300)
"""The number of battles that each of the ten standard armies has fought from a side after a round.

They are few at first, so that there is a result soon. After the last round, of 3,000 battles, the
95 % interval of a share is some 4 points wide.
"""

STEPS = (4, ROUNDS[0])
"""The number of battles that each army has fought from a side after a step of the first round.

After each step a filter looks whether these are enough to decide.
"""


class StandardBattles:
    """The armies, the number of their battles, and the simulator that fights them.

    Tests have subclasses with fewer battles, or with battles whose results are settled.
    """

    rounds: tuple[int, ...] = ROUNDS
    """As ``ROUNDS``."""

    steps: tuple[int, ...] = STEPS
    """As ``STEPS``; the last step ends the first round."""

    def armies(self) -> list[Army]:
        """Return the armies, each of which fights against its like."""
        return [army for army, _same in standard_pairs()]

    def tables(self, land: Battleland, army: Army, side: int) -> RuleTables:
        """Return the rules of battles of an army, attacking from an entry side, on a map."""
        return RuleTables.of(land, army, army, side)

    def wins(self, tables: Sequence[RuleTables], first: int, count: int) -> list[int]:
        """Return for each of ``tables`` the wins of attackers in ``count`` battles.

        ``first`` is the number of the first battle.
        """
        return wins_on(tables, first, count)


STANDARD = StandardBattles()
"""The battles of the program."""
