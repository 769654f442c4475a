"""Replays a recorded battle and compares every event with the rules of ``battle.Battle``.

    for board, lines in recorded_battles():
        Replay(default_land(board), lines)        # AssertionError where the rules disagree

A line of a trace is an event: its first letter says which, and names the method of ``Replay`` for
it (``_M`` for a move). ``A`` and ``D`` are the attacker and the defender.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.formats.checked import read_checked
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.battle.armies import read_army
from randomizer.systems.colossus.battle.battle import Battle, Fighter
from randomizer.systems.colossus.battle_terrain import OUTSIDE, Battleland
from randomizer.systems.colossus.board import HEX_OF_LABEL, LABELS
from tests.randomizer.systems.colossus.recorded import SHARED

REFERENCE = SHARED / "reference"

needs_boards = pytest.mark.skipif(
    not (SHARED / "corpus" / "colossus" / "xml").is_dir(), reason="the game's boards are not here"
)


@cache
def shown_by_default(name: str) -> Composite:
    """Return the composite of a battleland of the game's variant Default."""
    path = SHARED / "corpus" / "colossus" / "xml" / f"Default__{name}.xml"
    data = path.read_bytes()
    battlemap = read_checked(format_for(data, path.name), data, path.name).battlemap
    assert battlemap is not None
    return battlemap.composite()


@cache
def default_land(name: str) -> Battleland:
    """Return a battleland of the game's variant Default, for battles."""
    return Battleland.of(shown_by_default(name))


def recorded_battles() -> list[tuple[str, list[str]]]:
    """Return the name of the board and the lines of every recorded battle."""
    text = (REFERENCE / "titan-battles-traces.txt").read_text("utf-8")
    battles = [battle.splitlines() for battle in text.split("B ")[1:]]
    return [(lines[0].split()[0], lines) for lines in battles]


class _Strike(NamedTuple):
    """A strike that was made."""

    fighter: Fighter
    """The striker."""
    carries: list[Fighter]
    """Those to whom its excess hits can carry."""
    excess: int
    """The hits that its target did not need to die."""


def _enemy_of(side: str) -> str:
    """Return the letter of the other side."""
    if side == "D":
        return "A"
    return "D"


class Replay:
    """A battle that follows a trace. Raises AssertionError where the rules disagree with it."""

    def __init__(self, land: Battleland, lines: list[str]) -> None:
        _board, entry_side, armies = lines[0].split(" ", 2)
        fighters = []
        for letter, text in zip("AD", armies.split(" | "), strict=True):
            fighters += [Fighter(kind, letter) for kind in read_army(text)]
        self.battle = Battle(land, fighters, int(entry_side))
        self._head = lines[0]
        """The line with the board and the armies, for messages."""
        self._phase = ""
        """"Move", "Fight" or "Strikeback"; "" before the first one of a turn."""
        self._killed: list[tuple[str, str]] = []
        """The names and hexes of those whom the trace calls dead since the last strike ended."""
        self._deaths: set[Fighter] = set()
        """All who are dead by the rules and have been compared."""
        self._struck: set[Fighter] = set()
        """Those who have struck in this phase."""
        self._strike: _Strike | None = None
        """The strike whose excess hits can still be carried."""
        for line in lines[1:]:
            self._line = line
            letter, *words = line.split()
            getattr(self, f"_{letter}")(*words)

    def _expect(self, agrees: bool, rule: object) -> None:
        """Raise AssertionError unless the trace agrees; ``rule`` is what the rules say."""
        where = f"{self._head}, turn {self.battle.turn} {self._phase}"
        assert agrees, f"{where} “{self._line}”: by the rules {rule}"

    def _fighter_at(self, name: str, label: str, side: str) -> Fighter:
        """Return a fighter of a side by its kind and its hex; a label of no hex is outside."""
        number = HEX_OF_LABEL.get(label, OUTSIDE)
        for fighter in self.battle.fighters:
            is_removed = number == OUTSIDE and fighter.is_dead
            identity = (fighter.kind.name, fighter.hex, fighter.side)
            if identity == (name, number, side) and not is_removed:
                return fighter
        raise AssertionError(f"“{self._line}”: nobody of that name")

    @property
    def _striking_side(self) -> str:
        """The side that strikes: the active one, in the phase of strikes back its enemy."""
        if self._phase == "Fight":
            return self.battle.active
        return _enemy_of(self.battle.active)

    def _end_strikes(self) -> None:
        """Check that everybody in contact with a living enemy has struck."""
        self._end_strike()
        for fighter in self.battle.fighters:
            if fighter.side != self._striking_side or fighter in self._struck:
                continue
            # Who was killed in this turn still strikes back.
            can_strike = not fighter.is_dead or self._phase == "Strikeback"
            if can_strike and fighter.hex != OUTSIDE:
                targets = self.battle.targets(fighter, ranged=False)
                self._expect(not targets, f"{fighter.kind.name} has not struck")

    def _T(self, number: str) -> None:  # noqa: N802
        """A turn begins."""
        if self._phase:
            self._leave()
            self._phase = ""
        self._expect(int(number) == self.battle.turn, self.battle.turn)

    def _leave(self) -> None:
        """End the phase."""
        if self._phase == "Move":
            self.battle.kill_unentered()
            self._deaths |= {fighter for fighter in self.battle.fighters if fighter.is_dead}
        else:
            self._end_strikes()
        if self._phase == "Strikeback":
            self.battle.finish_half_turn()

    def _P(self, side: str, phase: str) -> None:  # noqa: N802
        """A phase of a side begins."""
        if self._phase:
            self._leave()
        self._phase = phase
        self._expect(side == self.battle.active, self.battle.active)
        self._struck = set()
        if phase == "Fight":
            self.battle.apply_hazards()

    def _M(self, name: str, start: str, end: str) -> None:  # noqa: N802
        """A creature moves from one hex to another."""
        fighter = self._fighter_at(name, start, self.battle.active)
        moves = self.battle.reachable_hexes(fighter)
        self._expect(HEX_OF_LABEL[end] in moves, moves)
        fighter.hex = HEX_OF_LABEL[end]

    def _S(self, name: str, start: str, target: str, end: str, number: str, dice: str) -> None:  # noqa: N802
        """A creature strikes another one: with this strike number, and these scores of the dice."""
        self._end_strike()
        side = self._striking_side
        fighter = self._fighter_at(name, start, side)
        enemy = self._fighter_at(target, end, _enemy_of(side))
        self._expect(fighter not in self._struck, "it has struck before")
        targets = self.battle.targets(fighter, ranged=self._phase == "Fight")
        roll = targets.get(enemy)
        is_allowed = roll is not None and (roll.dice, roll.number) == (len(dice), int(number))
        self._expect(is_allowed, roll)
        assert roll is not None
        self._struck.add(fighter)
        carries = self.battle.carry_targets(fighter, enemy, roll)
        hits = sum(int(die) >= roll.number for die in dice)
        self._strike = _Strike(fighter, carries, excess=self.battle.hit(enemy, hits))

    def _C(self, hits: str, name: str, label: str) -> None:  # noqa: N802
        """Excess hits of the strike carry over to another creature."""
        assert self._strike is not None
        fighter, carries, excess = self._strike
        target = self._fighter_at(name, label, _enemy_of(fighter.side))
        self._expect(target in carries, [carry.kind.name for carry in carries])
        new_excess = self.battle.hit(target, excess)
        self._expect(int(hits) == excess - new_excess, excess - new_excess)
        further_carries = [carry for carry in carries if carry is not target]
        self._strike = _Strike(fighter, further_carries, new_excess)

    def _end_strike(self) -> None:
        """Check that no excess could still carry, and that the trace has called the dead so."""
        if self._strike is not None:
            living = [carry.kind.name for carry in self._strike.carries if not carry.is_dead]
            excess = self._strike.excess
            self._expect(excess == 0 or not living, f"{excess} hits could carry to {living}")
            self._strike = None
        dead = []
        for fighter in self.battle.fighters:
            if fighter.is_dead and fighter not in self._deaths:
                dead.append(fighter)
        self._deaths.update(dead)
        names = sorted((fighter.kind.name, LABELS[fighter.hex]) for fighter in dead)
        self._expect(sorted(self._killed) == names, f"dead are {names}, not {self._killed}")
        self._killed = []

    def _K(self, name: str, label: str) -> None:  # noqa: N802
        """A creature is killed."""
        self._killed.append((name, label))

    def _E(self, winner: str, turn: str, time: str = "") -> None:  # noqa: N802
        """The battle ends; with ``time`` since its turns are over."""
        out_of_time = bool(time)  # its turn 8 has been told already
        if not out_of_time:
            self._expect(int(turn) == self.battle.turn, self.battle.turn)
            self._leave()
        self._expect(self.battle.winner == winner, self.battle.winner)
        self._expect(self.battle.time_loss == out_of_time, "time loss or not")
