"""A second roller, as plain as can be: straight from the syntax tree and docs/adr/0003.

It shares nothing with the real one but the syntax tree, the board and ``dice.word``. Tests hold the
two against each other; the benchmark measures the real one by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.basics.dice import word
from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS, PARTS
from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.terrain_set import COLOSSUS


def threshold(percent: float, bits: int) -> int:
    if percent <= 0:
        return 0
    if percent >= 100:
        return 2**bits
    return min(max(round(percent / 100 * 2**bits), 1), 2**bits - 1)


def clamp(percent: float) -> float:
    return min(max(percent, 0.0), 100.0)


class SimpleRoller:
    """Rolls one map, which then stands in its fields."""

    def __init__(
        self,
        seed: int,
        number: int,
        terrain: Sequence[int] = (0,) * HEX_COUNT,
        elevation: Sequence[int] = (0,) * HEX_COUNT,
        hexside: Sequence[Sequence[int]] = ((0,) * 6,) * HEX_COUNT,
    ) -> None:
        self.key = seed, number
        self.terrain = list(terrain)
        self.elevation = list(elevation)
        self.hexside = [list(row) for row in hexside]
        self.startlist: tuple[str, ...] | None = None
        self.labels: dict[str, list[int]] = {name: list(part) for name, part in PARTS.items()}
        self.statement = 0

    def roll(self, script: syntax.Script) -> SimpleRoller:
        for self.statement, statement in enumerate(script.statements):
            if isinstance(statement, syntax.Area):
                self.area(statement)
            elif isinstance(statement, syntax.Label):
                self.labels[statement.name] = self.hexes(statement.items)
            elif isinstance(statement, syntax.StartList):
                self.startlist = tuple(LABELS[number] for number in self.hexes(statement.items))
        pairs = [pair for pair in script.statements if isinstance(pair, syntax.Pair)]
        for number in range(HEX_COUNT):
            for side, other in enumerate(NEIGHBOURS[number]):
                if other >= 0:
                    self.mark(pairs, number, side, other)
        return self

    def hexes(self, items: Sequence[syntax.Item]) -> list[int]:
        return [number for item in reversed(items) for number in self.item(item)]

    def item(self, item: syntax.Item) -> list[int]:
        if isinstance(item, syntax.LabelItem):
            return list(self.labels.get(item.name, []))
        if isinstance(item, syntax.HexItem | syntax.RangeItem):
            return list(item.hexes)
        inner = self.hexes(item.items)
        if isinstance(item, syntax.Subtract):
            without = self.hexes(item.without)
            return [number for number in inner if number not in without]
        if isinstance(item, syntax.SurroundingsOf):
            found = {other for number in inner for other in NEIGHBOURS[number]}
            return sorted(found - set(inner) - {-1})
        left = sorted(inner)
        taken = []
        for k in range(min(item.count, len(left))):
            site = 2 << 60 | self.statement << 36 | item.site << 16 | k // 4
            lane = word(*self.key, site) >> 16 * (k % 4) & 0xFFFF
            taken.append(left.pop(lane * len(left) >> 16))
        return taken

    def area(self, area: syntax.Area) -> None:
        left = sorted(self.hexes(area.items))
        used = []
        for place, hazard in enumerate(area.hazards):
            bits = word(*self.key, 1 << 60 | self.statement << 36 | place << 16)
            probability = 100.0 if hazard.probability is None else hazard.probability
            if not left or bits >> 32 >= threshold(probability, 32):
                continue
            used.append(left.pop((bits >> 16 & 0xFFFF) * len(left) >> 16))
            self.terrain[used[-1]] = COLOSSUS.terrain_code(hazard.name)
            self.elevation[used[-1]] = self.height(hazard, bits & 0xFFFF)
        self.labels["leftover"] = left
        self.labels["usedup"] = used

    def height(self, hazard: syntax.Hazard, lane: int) -> int:
        if hazard.odds is None:
            return hazard.elevation if hazard.elevation in (1, 2) else 0
        zero, one, two = hazard.odds
        total = clamp(zero) + clamp(one) + clamp(two)
        if not total:
            return 2 if zero < 0 and one < 0 else 1 if zero < 0 else 0
        if lane >= threshold(100 * ((zero + one) / total), 16):
            return 2
        return 1 if lane >= threshold(100 * (zero / total), 16) else 0

    def mark(self, pairs: Sequence[syntax.Pair], number: int, side: int, other: int) -> None:
        names = [COLOSSUS.terrains[code].name for code in self.terrain]
        best = -1
        found = None
        for pair in pairs:
            if (pair.high.name, pair.low.name) != (names[number], names[other]):
                continue
            high = pair.high.elevation
            low = pair.low.elevation
            level = 2 * (high != syntax.STAR) + (low != syntax.STAR)
            fits_high = high in (syntax.STAR, self.elevation[number])
            fits_low = low in (syntax.STAR, self.elevation[other])
            within = all(e in (syntax.STAR, 0, 1, 2) for e in (high, low))
            if fits_high and fits_low and within and level >= best:
                best = level
                found = pair
        edge = number * 6 + side
        lane = word(*self.key, 3 << 60 | edge // 4) >> 16 * (edge % 4) & 0xFFFF
        missed = 1.0
        for choice in found.choices if found else ():
            percent = 100.0 if choice.probability is None else clamp(choice.probability)
            missed *= (100 - percent) / 100
            if lane < threshold(100 * (1 - missed), 16):
                self.hexside[number][side] = COLOSSUS.hexside_code(choice.letter)
                return
