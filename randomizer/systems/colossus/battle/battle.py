"""One battle by the rules, step by step: the readable reference of the simulator.

``simulator`` fights many battles at once by the same rules; tests compare it with this module. Each
turn has two halves, first with the defender as the active side, then with the attacker:

    battle.reachable_hexes(fighter)             # one of them is chosen: the caller sets fighter.hex
    battle.kill_unentered()                     # who has not entered dies
    battle.apply_hazards()                      # hazards wound, heal and slow
    battle.targets(fighter, ranged=True)        # strikes of the active side
    battle.targets(fighter, ranged=False)       # strikes back of the other side
    battle.finish_half_turn()                   # removes the dead; sets winner, or the next half

The caller decides, rolls the dice, and applies their hits with ``hit``. Source: the section "The
rules as the game plays them" of the project's fact sheet on battles of Titan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from randomizer.systems.colossus.battle.line_of_sight import UNBLOCKED, SightLine, sight_lines
from randomizer.systems.colossus.battle.strikes import Strike, rangestrike, strike
from randomizer.systems.colossus.battle_terrain import (
    OUTSIDE,
    Battleland,
    hazard_damage,
    hazard_heals,
    hazard_slows,
)
from randomizer.systems.colossus.board import NEIGHBOURS, opposite_side
from randomizer.systems.colossus.creatures import Creature

DEFENDER = "D"
"""The side that moves first in each turn; these letters are also those of recorded battles."""

ATTACKER = "A"
"""The side that enters the land, and loses when time is up."""

BOTH_LOST = "M"
"""Stands for the winner of a battle that both sides lose at once: a mutual loss."""

_PLAINS = "Plains"
"""The hazard of open ground, which has no effect."""

_DUNE = "Dune"
"""The hexside over which hits carry only in one case."""

LAST_TURN = 7
"""The turn after which the attacker has lost by the time limit."""


@dataclass(eq=False)
class Fighter:
    """One creature of a legion."""

    kind: Creature
    side: str
    """``ATTACKER`` or ``DEFENDER``."""
    hex: int = OUTSIDE
    """The id of its hex, OUTSIDE before it has entered."""
    hits: int = 0
    """The hits that it has taken."""
    slowed: int = 0
    """The movement points that it has lost to hazards."""

    @property
    def is_dead(self) -> bool:
        """True if it has taken as many hits as it has power; it stays until the phase ends."""
        return self.hits >= self.kind.power


@dataclass(eq=False)
class Battle:
    """A battle: the legions, and whose phase of which turn it is.

    The attacker enters from ``entry_side`` (0 .. 5), the defender from the opposite side.
    """

    land: Battleland
    """The battleland, which does not change."""
    fighters: list[Fighter]
    """The creatures of both sides; the dead are taken away at the end of each phase."""
    entry_side: int
    """The entry side of the attacker."""
    turn: int = 1
    """The number of the turn, from 1 to ``LAST_TURN``."""
    active: str = DEFENDER
    """The side whose half of the turn it is."""
    time_loss: bool = False
    """True if the attacker lost by the time limit."""
    winner: str | None = None
    """``ATTACKER``, ``DEFENDER`` or ``BOTH_LOST``; None while the battle lasts."""

    def living(self, side: str) -> list[Fighter]:
        """Return the creatures of a side that have not died."""
        return [
            fighter for fighter in self.fighters if fighter.side == side and not fighter.is_dead
        ]

    def enemies_in_contact(self, fighter: Fighter) -> Iterator[tuple[Fighter, int]]:
        """Yield the enemies in contact, dead ones too, each with the side that it is beyond."""
        if fighter.hex == OUTSIDE:
            return
        for enemy in self.fighters:
            if enemy.side == fighter.side or enemy.hex == OUTSIDE:
                continue
            for side, neighbour in enumerate(NEIGHBOURS[fighter.hex]):
                if enemy.hex == neighbour and not self.land.is_cliff(fighter.hex, side):
                    yield enemy, side

    # --- moving ---------------------------------------------------------------------------------

    def reachable_hexes(self, fighter: Fighter) -> set[int]:
        """Return the hexes that a creature of the active side can move to."""
        if any(not enemy.is_dead for enemy, _side in self.enemies_in_contact(fighter)):
            return set()  # nobody leaves an enemy in contact
        occupied = {other_fighter.hex for other_fighter in self.fighters}
        if self.turn == 1 and fighter.side == DEFENDER and self.land.start:
            return set(self.land.start) - occupied
        if fighter.side == ATTACKER:
            entry = self.entry_side
        else:
            entry = opposite_side(self.entry_side)
        points = fighter.kind.skill - fighter.slowed
        return self.land.reachable_hexes(fighter.kind, fighter.hex, entry, points, occupied)

    def kill_unentered(self) -> None:
        """Kill the creatures of the active side that have not entered the board."""
        for fighter in self.living(self.active):
            if fighter.hex == OUTSIDE:
                fighter.hits = fighter.kind.power

    # --- strikes --------------------------------------------------------------------------------

    def apply_hazards(self) -> None:
        """Apply the effects of hazards, before the active side's strikes."""
        for fighter in self.fighters:
            if fighter.hex != OUTSIDE:
                hazard = self.land.hazards[fighter.hex]
            else:
                hazard = _PLAINS
            fighter.slowed += hazard_slows(fighter.kind, hazard)
            healed_points = hazard_heals(hazard)
            fighter.slowed = max(0, fighter.slowed - healed_points)
            fighter.hits = max(0, fighter.hits - healed_points)
            fighter.hits += hazard_damage(fighter.kind, hazard)

    def targets(self, fighter: Fighter, *, ranged: bool) -> dict[Fighter, Strike]:
        """Return the enemies that a creature may strike, each with the dice of that strike.

        Rangestrikes are among them only if ``ranged`` is True.
        """
        land = self.land
        kind = fighter.kind
        start = fighter.hex
        contacts = dict(self.enemies_in_contact(fighter))
        strikes: dict[Fighter, Strike] = {}

        # In contact a creature strikes those beside it, even if it could rangestrike. An enemy that
        # died in this phase is still in contact, and keeps it from rangestriking.
        if contacts or not ranged or not kind.rangestrikes or start == OUTSIDE:
            for enemy, side in contacts.items():
                if not enemy.is_dead:
                    strikes[enemy] = strike(land, kind, start, side, enemy.kind)
            return strikes

        # Rangestrikes go along a line of sight that nobody blocks; of two lines the one with fewer
        # brambles counts.
        occupied = {other_fighter.hex for other_fighter in self.fighters}
        for enemy in self.living(_enemy_of(fighter.side)):
            if enemy.hex == OUTSIDE:
                continue
            if kind.magic:
                lines: Sequence[SightLine] = (UNBLOCKED,)
            else:
                lines = sight_lines(land, start, enemy.hex)
            brambles = [line.brambles for line in lines if not line.blockers & occupied]
            if not brambles:
                continue
            possible_strike = rangestrike(land, kind, start, enemy.hex, enemy.kind, min(brambles))
            if possible_strike is not None:
                strikes[enemy] = possible_strike
        return strikes

    def carry_targets(
        self, fighter: Fighter, target: Fighter, rolled_strike: Strike
    ) -> list[Fighter]:
        """Return the enemies that can take the excess hits of a strike at ``target``.

        ``rolled_strike`` is the strike as it is rolled. The striker may choose to roll fewer dice,
        or to need a higher number, than it has against the target; then its excess hits can go to
        more enemies.
        """
        # Hits carry over a dune only if the target itself is beyond one.
        is_beyond_dune: dict[Fighter, bool] = {}
        for enemy, side in self.enemies_in_contact(fighter):
            edge = self.land.edge(fighter.hex, side)
            is_beyond_dune[enemy] = edge.beyond == _DUNE
        if target not in is_beyond_dune:
            return []
        hits_to_kill = target.kind.power - target.hits
        if rolled_strike.dice <= hits_to_kill:
            return []  # no hits can be left

        receivers = list[Fighter]()
        for enemy, possible_strike in self.targets(fighter, ranged=False).items():
            if enemy is target:
                continue
            if is_beyond_dune[enemy] and not is_beyond_dune[target]:
                continue
            # The strike must be possible against this enemy as it is rolled.
            if possible_strike.dice < rolled_strike.dice:
                continue
            if possible_strike.number <= rolled_strike.number:
                receivers.append(enemy)
        return receivers

    def hit(self, target: Fighter, hits: int) -> int:
        """Let a creature take hits, until it is dead; return how many are left."""
        hits_taken = min(hits, max(0, target.kind.power - target.hits))
        target.hits += hits_taken
        return hits - hits_taken

    # --- the end of phases ----------------------------------------------------------------------

    def finish_half_turn(self) -> None:
        """Take the dead away, decide whether the battle ends, and let the other side be active."""
        sides_without_titan = set[str]()
        for fighter in self.fighters:
            if fighter.is_dead and fighter.kind.is_titan:
                sides_without_titan.add(fighter.side)
        self.fighters = [fighter for fighter in self.fighters if not fighter.is_dead]

        # A side loses with its titan or its last creature, the attacker also when time is up.
        losers = set[str]()
        for side in (ATTACKER, DEFENDER):
            if side in sides_without_titan or not self.living(side):
                losers.add(side)
        if self.active == ATTACKER and self.turn == LAST_TURN and not losers:
            losers = {ATTACKER}
            self.time_loss = True
        if losers == {ATTACKER, DEFENDER}:
            self.winner = BOTH_LOST
        elif losers:
            self.winner = _enemy_of(losers.pop())

        if self.active == ATTACKER:
            self.turn += 1
        self.active = _enemy_of(self.active)


def _enemy_of(side: str) -> str:
    """Return the other side."""
    if side == ATTACKER:
        return DEFENDER
    return ATTACKER
