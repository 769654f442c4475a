"""Replays a recorded battle and holds every event against the rules of ``battle.Battle``."""

from __future__ import annotations

from functools import cache

import pytest

from randomizer.catalog.file_kinds import format_for
from randomizer.formats import read_checked
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
    """What a battleland of the game's variant Default shows."""
    path = SHARED / "corpus" / "colossus" / "xml" / f"Default__{name}.xml"
    data = path.read_bytes()
    battlemap = read_checked(format_for(data, path.name), data, path.name).battlemap
    assert battlemap is not None
    return battlemap.composite()


@cache
def default_land(name: str) -> Battleland:
    """A battleland of the game's variant Default, for battles."""
    return Battleland.of(shown_by_default(name))


def recorded_battles() -> list[tuple[str, list[str]]]:
    """The name of the board and the lines of every recorded battle."""
    text = (REFERENCE / "titan-battles-traces.txt").read_text("utf-8")
    battles = [battle.splitlines() for battle in text.split("B ")[1:]]
    return [(lines[0].split()[0], lines) for lines in battles]


class Replay:
    """A battle that follows a trace. Raises AssertionError where the rules disagree with it."""

    def __init__(self, land: Battleland, lines: list[str]) -> None:
        _board, side, armies = lines[0].split(" ", 2)
        fighters = [
            Fighter(kind, letter)
            for letter, text in zip("AD", armies.split(" | "), strict=True)
            for kind in read_army(text)
        ]
        self.battle = Battle(land, fighters, int(side))
        self._head = lines[0]
        self._phase = ""
        self._killed: list[tuple[str, str]] = []
        self._deaths: set[Fighter] = set()
        self._struck: set[Fighter] = set()
        self._strike: tuple[Fighter, Fighter, list[Fighter], int] | None = None
        for line in lines[1:]:
            self._line = line
            letter, *words = line.split()
            getattr(self, f"_{letter}")(*words)

    def _expect(self, agrees: bool, rule: object) -> None:
        where = f"{self._head}, turn {self.battle.turn} {self._phase}"
        assert agrees, f"{where} “{self._line}”: by the rules {rule}"

    def _at(self, name: str, label: str, side: str) -> Fighter:
        number = HEX_OF_LABEL.get(label, OUTSIDE)
        for fighter in self.battle.fighters:
            if (fighter.kind.name, fighter.hex, fighter.side) == (name, number, side) and not (
                number == OUTSIDE and fighter.is_dead
            ):
                return fighter
        raise AssertionError(f"“{self._line}”: nobody of that name")

    def _other(self, side: str) -> str:
        return "A" if side == "D" else "D"

    @property
    def _striking(self) -> str:
        active = self.battle.active
        return active if self._phase == "Fight" else self._other(active)

    def _end_strikes(self) -> None:
        """Everybody in contact with a living enemy has struck."""
        self._end_strike()
        for fighter in self.battle.fighters:
            if fighter.side == self._striking and fighter not in self._struck:
                alive = not fighter.is_dead or self._phase == "Strikeback"
                if alive and fighter.hex != OUTSIDE:
                    left = self.battle.targets(fighter, ranged=False)
                    self._expect(not left, f"{fighter.kind.name} has not struck")

    def _T(self, number: str) -> None:  # noqa: N802
        if self._phase:
            self._leave()
            self._phase = ""
        self._expect(int(number) == self.battle.turn, self.battle.turn)

    def _leave(self) -> None:
        if self._phase == "Move":
            self.battle.end_moves()
            self._deaths |= {fighter for fighter in self.battle.fighters if fighter.is_dead}
        else:
            self._end_strikes()
        if self._phase == "Strikeback":
            self.battle.end_strikeback()

    def _P(self, side: str, phase: str) -> None:  # noqa: N802
        if self._phase:
            self._leave()
        self._phase = phase
        self._expect(side == self.battle.active, self.battle.active)
        self._struck = set()
        if phase == "Fight":
            self.battle.begin_strikes()

    def _M(self, name: str, start: str, end: str) -> None:  # noqa: N802
        fighter = self._at(name, start, self.battle.active)
        moves = self.battle.moves(fighter)
        self._expect(HEX_OF_LABEL[end] in moves, moves)
        fighter.hex = HEX_OF_LABEL[end]

    def _S(self, name: str, start: str, target: str, end: str, number: str, dice: str) -> None:  # noqa: N802
        self._end_strike()
        side = self._striking
        fighter = self._at(name, start, side)
        enemy = self._at(target, end, self._other(side))
        self._expect(fighter not in self._struck, "it has struck before")
        targets = self.battle.targets(fighter, ranged=self._phase == "Fight")
        how = targets.get(enemy)
        self._expect(how is not None and (how.dice, how.number) == (len(dice), int(number)), how)
        assert how is not None
        self._struck.add(fighter)
        carries = self.battle.carries(fighter, enemy, how)
        left = self.battle.hit(enemy, sum(int(die) >= how.number for die in dice))
        self._strike = (fighter, enemy, carries, left)

    def _C(self, hits: str, name: str, label: str) -> None:  # noqa: N802
        assert self._strike is not None
        fighter, enemy, carries, left = self._strike
        other = self._at(name, label, self._other(fighter.side))
        self._expect(other in carries, [each.kind.name for each in carries])
        rest = self.battle.hit(other, left)
        self._expect(int(hits) == left - rest, left - rest)
        self._strike = (fighter, enemy, [each for each in carries if each is not other], rest)

    def _end_strike(self) -> None:
        """No excess is left that somebody living could take; who is dead was said to be."""
        if self._strike is not None:
            _fighter, _enemy, carries, left = self._strike
            open_ = [each.kind.name for each in carries if not each.is_dead]
            self._expect(left == 0 or not open_, f"{left} hits could carry to {open_}")
            self._strike = None
        dead = [
            fighter
            for fighter in self.battle.fighters
            if fighter.is_dead and fighter not in self._deaths
        ]
        self._deaths.update(dead)
        names = sorted((each.kind.name, LABELS[each.hex]) for each in dead)
        self._expect(sorted(self._killed) == names, f"dead are {names}, not {self._killed}")
        self._killed = []

    def _K(self, name: str, label: str) -> None:  # noqa: N802
        self._killed.append((name, label))

    def _E(self, winner: str, turn: str, time: str = "") -> None:  # noqa: N802
        out_of_time = bool(time)  # its turn 8 has been told already
        if not out_of_time:
            self._expect(int(turn) == self.battle.turn, self.battle.turn)
            self._leave()
        self._expect(self.battle.winner == winner, self.battle.winner)
        self._expect(self.battle.time_loss == out_of_time, "time loss or not")
