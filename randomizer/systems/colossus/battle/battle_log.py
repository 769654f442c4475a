"""The results of battles, read from the log that the game writes.

A process of the game fights several battles one after the other. The lines that matter::

    Rd01 (Attacker) attacks Gr01 (Defender) in Plains hex 1
    Battle turn advances to 1
    Battle phase advances to Fight
    Critter Lion in Plains hex D4 is now dead
    Battle completed, result: winner is Rd01 (player Attacker)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.systems.colossus.battle.battle import LAST_TURN
from randomizer.systems.colossus.battle.many_battles import ATTACKER, DEFENDER
from randomizer.systems.colossus.battle.saved_battle import ATTACKER_MARKER, DEFENDER_MARKER, Armies
from randomizer.systems.colossus.battle.simulator import Results
from randomizer.systems.colossus.board import HEX_OF_LABEL

_TURN = re.compile(r"Battle turn advances to (\d+)")
_PHASE = re.compile(r"Battle phase advances to (\w+)")
_DEATH = re.compile(r"Critter (.+?) in .+? hex ([A-F]\d)(?: .*)? is now dead")
_END = re.compile(r"Battle completed, result: (?:winner is (\w+)|(draw))")


def add_log(results: Results, lines: Iterable[str], armies: Armies) -> None:
    """Add the battles of a log to ``results``; those that ended without a fight count as fled."""
    attackers, defenders = armies
    names_of_side = {
        ATTACKER: {creature.name for creature in attackers},
        DEFENDER: {creature.name for creature in defenders},
    }
    battle: _Battle | None = None
    for line in lines:
        if " attacks " in line and "(Attacker)" in line:
            battle = _Battle(names_of_side)
        elif "Time loss" in line:
            results.time_losses += 1
        elif end := _END.search(line):
            if battle is None:
                results.fled += 1
            else:
                _count(results, battle, winner=end[1], is_draw=end[2] is not None)
            battle = None
        elif battle is not None:
            battle.read_line(line)


class _Death(NamedTuple):
    """The death of a creature."""

    side: int
    """ATTACKER or DEFENDER, whose creature it was."""

    name: str

    hex_id: int
    """The hex on which it died."""


@dataclass
class _Battle:
    """A battle of which the lines so far have been read; it was not fled from."""

    names_of_side: Mapping[int, set[str]]
    """The names of the creatures of each side, ATTACKER and DEFENDER."""

    turn: int = 1

    deaths: list[_Death] = field(default_factory=list)
    """The deaths so far."""

    _moving_side: int = field(default=DEFENDER, init=False)
    """The side whose half of the turn it is; the defender moves first."""

    _phase: str = field(default="", init=False)
    """The name of the phase in the log, "" before the first."""

    def read_line(self, line: str) -> None:
        """Take note of the event of a line, if it matters."""
        if turn := _TURN.search(line):
            self.turn = int(turn[1])
        elif phase := _PHASE.search(line):
            self._begin_phase(phase[1])
        elif death := _DEATH.search(line):
            name = death[1]
            side = self._owner_of_dead(name)
            self.deaths.append(_Death(side, name, HEX_OF_LABEL[death[2]]))

    def _begin_phase(self, phase: str) -> None:
        """Take note of a phase, and of whose half of the turn it is.

        The attacker's half begins with Summon, the defender's (from turn 2) with Recruit.
        """
        self._phase = phase
        if phase == "Summon":
            self._moving_side = ATTACKER
        elif phase == "Recruit":
            self._moving_side = DEFENDER

    def _owner_of_dead(self, name: str) -> int:
        """Return the side of a creature that has died: ATTACKER or DEFENDER.

        The log names the creature but not its side. If both armies have such a creature, or none
        (one that was summoned), the phase decides: in Strikeback the side that moves is struck, in
        all others its enemy.
        """
        owners = [side for side, names in self.names_of_side.items() if name in names]
        if len(owners) == 1:
            return owners[0]
        if self._phase == "Strikeback":
            return self._moving_side
        if self._moving_side == ATTACKER:
            return DEFENDER
        return ATTACKER


def _count(results: Results, battle: _Battle, *, winner: str | None, is_draw: bool) -> None:
    """Count a battle that was fought. ``winner`` is the marker of a legion, None in a draw."""
    if is_draw:
        results.mutual += 1
    elif winner == ATTACKER_MARKER:
        results.attacker_wins += 1
    elif winner == DEFENDER_MARKER:
        results.defender_wins += 1
    # The game announces one turn more before it ends a battle for lack of time.
    results.turns += min(battle.turn, LAST_TURN)
    for death in battle.deaths:
        results.deaths[death.side, death.hex_id] += 1
        results.losses[death.side, death.name] += 1
