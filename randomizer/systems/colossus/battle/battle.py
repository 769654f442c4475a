"""One battle by the rules, step by step: the readable reference of the simulator.

Source: the section "The rules as the game plays them" of the project's fact sheet on battles of
Titan. ``simulator`` fights many battles at once by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from randomizer.systems.colossus.battle.line_of_sight import UNBLOCKED, sight_lines
from randomizer.systems.colossus.battle.strikes import Strike, rangestrike, strike
from randomizer.systems.colossus.battle_terrain import (
    OUTSIDE,
    Battleland,
    hazard_damage,
    hazard_heals,
    hazard_slows,
)
from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature

DEFENDER = "D"
ATTACKER = "A"
LAST_TURN = 7


@dataclass(eq=False)
class Fighter:
    """One creature of a legion: its side, hex, hits taken, movement points lost."""

    kind: Creature
    side: str
    hex: int = OUTSIDE
    hits: int = 0
    slowed: int = 0

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
    fighters: list[Fighter]
    entry_side: int
    turn: int = 1
    active: str = DEFENDER
    time_loss: bool = False
    winner: str | None = None
    """``A`` or ``D``, ``M`` if both lost, None while the battle lasts."""

    def living(self, side: str) -> list[Fighter]:
        """Return the creatures of a side that have not died."""
        return [
            fighter for fighter in self.fighters if fighter.side == side and not fighter.is_dead
        ]

    def around(self, fighter: Fighter) -> Iterator[tuple[Fighter, int]]:
        """Yield the enemies in contact, dead ones too, each with the side that it is beyond."""
        if fighter.hex == OUTSIDE:
            return
        for each in self.fighters:
            if each.side != fighter.side and each.hex != OUTSIDE:
                for side, beyond in enumerate(NEIGHBOURS[fighter.hex]):
                    if each.hex == beyond and not self.land.is_cliff(fighter.hex, side):
                        yield each, side

    # --- moving ---------------------------------------------------------------------------------

    def moves(self, fighter: Fighter) -> set[int]:
        """Return the hexes that a creature of the active side can move to."""
        if any(not enemy.is_dead for enemy, _side in self.around(fighter)):
            return set()
        occupied = {fighter_there.hex for fighter_there in self.fighters}
        if self.turn == 1 and fighter.side == DEFENDER and self.land.start:
            return set(self.land.start) - occupied
        if fighter.side == ATTACKER:
            entry = self.entry_side
        else:
            entry = (self.entry_side + 3) % 6
        points = fighter.kind.skill - fighter.slowed
        return self.land.moves(fighter.kind, fighter.hex, entry, points, occupied)

    def end_moves(self) -> None:
        """Let the active side's creatures die that have not entered."""
        for fighter in self.living(self.active):
            if fighter.hex == OUTSIDE:
                fighter.hits = fighter.kind.power

    # --- strikes --------------------------------------------------------------------------------

    def begin_strikes(self) -> None:
        """Apply the effects of hazards, before the active side's strikes."""
        for fighter in self.fighters:
            if fighter.hex != OUTSIDE:
                hazard = self.land.hazards[fighter.hex]
            else:
                hazard = "Plains"
            fighter.slowed += hazard_slows(fighter.kind, hazard)
            heals = hazard_heals(fighter.kind, hazard)
            fighter.slowed = max(0, fighter.slowed - heals)
            fighter.hits = max(0, fighter.hits - heals) + hazard_damage(fighter.kind, hazard)

    def targets(self, fighter: Fighter, *, ranged: bool) -> dict[Fighter, Strike]:
        """Return what a creature may strike, and how; rangestrikes only if they are allowed."""
        land = self.land
        kind = fighter.kind
        start = fighter.hex
        contacts = dict(self.around(fighter))
        if contacts or not ranged or not kind.rangestrikes or start == OUTSIDE:
            return {
                enemy: strike(land, kind, start, side, enemy.kind)
                for enemy, side in contacts.items()
                if not enemy.is_dead
            }
        occupied = {fighter_there.hex for fighter_there in self.fighters}
        strikes = {}
        for enemy in self.living(DEFENDER if fighter.side == ATTACKER else ATTACKER):
            if enemy.hex != OUTSIDE:
                ways = [UNBLOCKED] if kind.magic else sight_lines(land, start, enemy.hex)
                free = [way.brambles for way in ways if not way.blockers & occupied]
                rangestrike_way = rangestrike(
                    land, kind, start, enemy.hex, enemy.kind, min(free, default=0)
                )
                if free and rangestrike_way is not None:
                    strikes[enemy] = rangestrike_way
        return strikes

    def carries(self, fighter: Fighter, target: Fighter, strike_way: Strike) -> list[Fighter]:
        """Return the enemies to whom the excess hits of a strike at ``target`` may go on.

        ``strike_way`` is the strike as it is rolled. With fewer dice or a higher strike number than
        the target asks for, the striker may choose to carry to those who ask for these.
        """
        into_dune = {
            enemy: self.land.edge(fighter.hex, side)[1] == "Dune"
            for enemy, side in self.around(fighter)
        }
        if target not in into_dune or strike_way.dice <= target.kind.power - target.hits:
            return []
        return [
            enemy
            for enemy, its in self.targets(fighter, ranged=False).items()
            if enemy is not target
            and into_dune[enemy] <= into_dune[target]
            and its.dice >= strike_way.dice
            and its.number <= strike_way.number
        ]

    def hit(self, target: Fighter, hits: int) -> int:
        """Let a creature take hits, until it is dead; return how many are left."""
        hits_taken = min(hits, max(0, target.kind.power - target.hits))
        target.hits += hits_taken
        return hits - hits_taken

    # --- the end of phases ----------------------------------------------------------------------

    def end_strikeback(self) -> None:
        """Take the dead away, decide whether the battle ends, and let the other side be active."""
        titans = {
            fighter.side for fighter in self.fighters if fighter.is_dead and fighter.kind.is_titan
        }
        self.fighters = [fighter for fighter in self.fighters if not fighter.is_dead]
        lost = {side for side in (ATTACKER, DEFENDER) if side in titans or not self.living(side)}
        if self.active == ATTACKER and self.turn == LAST_TURN and not lost:
            lost = {ATTACKER}
            self.time_loss = True
        if lost:
            if len(lost) == 2:
                self.winner = "M"
            else:
                self.winner = min({ATTACKER, DEFENDER} - lost)
        if self.active == ATTACKER:
            self.turn += 1
        self.active = ATTACKER if self.active == DEFENDER else DEFENDER
