"""The battles of the simulator as traces, in the form of the recorded ones."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from randomizer.systems.colossus.battle.armies import Army, army_text
from randomizer.systems.colossus.battle.many_battles import Battles, Event
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.simulator import Simulator
from randomizer.systems.colossus.battle_terrain import OUTSIDE, Battleland
from randomizer.systems.colossus.board import LABELS


class Traces:
    """An observer of battles: the lines of each, by its number."""

    def __init__(self) -> None:
        self.lines: dict[int, list[str]] = defaultdict(list)
        self._dead: dict[int, set[int]] = defaultdict(set)
        self._active = 0

    def __call__(self, battles: Battles, event: Event, which: Any, *more: Any) -> None:
        for row, battle in enumerate(which.tolist()):
            values = [each[row] if getattr(each, "ndim", 0) == 1 else each for each in more]
            add = self.lines[int(battles.numbers[battle])].append
            add_event = getattr(self, f"_{event.value}")
            for line in add_event(battles, battle, *values):
                add(line)

    def _named(self, battles: Battles, battle: int, slot: int) -> str:
        number = battles.hex[slot, battle]
        side = int(slot >= battles.sides[1].start)
        if number == OUTSIDE:
            label = f"X{battles.tables.by_land.entry_sides[0, side]}"
        else:
            label = LABELS[number]
        return f"{battles.tables.kinds[battles.kinds[slot]].name} {label}"

    def _turn(self, battles: Battles, _battle: int, side: int) -> list[str]:
        self._active = side
        return [f"T {battles.turn}"] * side + [f"P {'AD'[side]} Move"]

    def _move(self, battles: Battles, battle: int, slot: int, end: int) -> list[str]:
        return [f"M {self._named(battles, battle, slot)} {LABELS[end]}"]

    def _fight(self, battles: Battles, battle: int) -> list[str]:
        slots = range(len(battles.kinds))
        deaths = [line for slot in slots for line in self._death(battles, battle, slot)]
        return [f"P {'AD'[self._active]} Fight", *deaths]

    def _strikeback(self, _battles: Battles, _battle: int) -> list[str]:
        return [f"P {'AD'[self._active]} Strikeback"]

    def _strike(
        self, battles: Battles, battle: int, own: int, foe: int, dice: int, number: int, hits: int
    ) -> list[str]:
        pair = f"{self._named(battles, battle, own)} {self._named(battles, battle, foe)}"
        line = f"S {pair} {number} {'6' * hits}{'1' * (dice - hits)}"
        return [line, *self._death(battles, battle, foe)]

    def _carry(self, battles: Battles, battle: int, foe: int, hits: int) -> list[str]:
        line = f"C {hits} {self._named(battles, battle, foe)}"
        return [*self._death(battles, battle, foe), line]

    def _death(self, battles: Battles, battle: int, slot: int) -> list[str]:
        number = int(battles.numbers[battle])
        alive = battles.hits[slot, battle] < battles.powers[slot, 0]
        if alive or battles.hex[slot, battle] == OUTSIDE or slot in self._dead[number]:
            return []
        self._dead[number].add(slot)
        return [f"K {self._named(battles, battle, slot)}"]

    def _end(self, battles: Battles, battle: int, lost: Any, late: bool) -> list[str]:
        attacker_lost, defender_lost = lost[:, battle]
        if not (attacker_lost or defender_lost):
            return []
        winner = "M" if attacker_lost and defender_lost else "DA"[int(defender_lost)]
        end = f"E {winner} {battles.turn}"
        return [f"T {battles.turn + 1}", f"{end} time"] if late else [end]


def simulated_traces(
    land: Battleland, attacker: Army, defender: Army, side: int, count: int, seed: int
) -> list[list[str]]:
    """The lines of so many battles, as ``Replay`` takes them."""
    traces = Traces()
    Simulator(RuleTables.of(land, attacker, defender, side), seed).fight(0, count, traces)
    head = f"Board {side} {army_text(attacker)} | {army_text(defender)}"
    return [[head, *traces.lines[number]] for number in range(count)]
