"""A second roller, as plain as can be: straight from the syntax tree and docs/adr/0003.

    rolled = SimpleRoller(seed=7, number=4711).roll(script)
    rolled.terrain[0], rolled.elevation[0], rolled.hexside[0][3]

It shares nothing with the real one but the syntax tree, the board and ``dice.word``. Tests compare
both; the benchmark measures the real one by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.model.basics.dice import word
from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS, PARTS
from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.terrain_set import COLOSSUS

# The kinds of draws, which are the highest bits of a site (ADR 3).
HAZARD = 1
SOME_OF = 2
HEXSIDE = 3


def threshold(percent: float, bits: int) -> int:
    """Return the limit below which random ``bits`` are a hit with a chance of ``percent``."""
    if percent <= 0:
        return 0
    if percent >= 100:
        return 2**bits
    return min(max(round(percent / 100 * 2**bits), 1), 2**bits - 1)


def clamp(percent: float) -> float:
    """Return the nearest percentage from 0 to 100."""
    return min(max(percent, 0.0), 100.0)


def percent_of(choice: syntax.Hazard | syntax.HexsideChoice) -> float:
    """Return the probability of a hazard or hexside as written, 100 % if there is none."""
    if choice.probability is None:
        return 100.0
    return choice.probability


class SimpleRoller:
    """Rolls one map, which is then in its fields; ``roll`` is called once."""

    def __init__(
        self,
        seed: int,
        number: int,
        terrain: Sequence[int] = (0,) * HEX_COUNT,
        elevation: Sequence[int] = (0,) * HEX_COUNT,
        hexside: Sequence[Sequence[int]] = ((0,) * 6,) * HEX_COUNT,
    ) -> None:
        """Begin with the map below the roll: Plains unless another one is given."""
        self.seed = seed
        self.number = number
        self.terrain = list(terrain)
        """The terrain code of each hex."""
        self.elevation = list(elevation)
        self.hexside = [list(row) for row in hexside]
        """The hexside code of each side of each hex, 0 for none."""
        self.startlist: tuple[str, ...] | None = None
        """The labels of the hexes of the start list, None if the script sets none."""
        self.labels: dict[str, list[int]] = {name: list(part) for name, part in PARTS.items()}
        """The lists of labels after the statements so far."""
        self.statement = 0
        """The index of the statement that is rolled."""

    def roll(self, script: syntax.Script) -> SimpleRoller:
        """Roll the statements in their order, then the PAIRs, and return itself."""
        for self.statement, statement in enumerate(script.statements):
            if isinstance(statement, syntax.Area):
                self.place_hazards(statement)
            elif isinstance(statement, syntax.Label):
                self.labels[statement.name] = self.hexes_of_list(statement.items)
            elif isinstance(statement, syntax.StartList):
                start_hexes = self.hexes_of_list(statement.items)
                self.startlist = tuple(LABELS[number] for number in start_hexes)
        pairs = [pair for pair in script.statements if isinstance(pair, syntax.Pair)]
        for number in range(HEX_COUNT):
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                if neighbour >= 0:
                    self.mark_side(pairs, number, side, neighbour)
        return self

    # --- lists --------------------------------------------------------------------------------

    def hexes_of_list(self, items: Sequence[syntax.Item]) -> list[int]:
        """Return the hex ids of a list; the game joins its items from the last to the first."""
        hexes: list[int] = []
        for item in reversed(items):
            hexes += self.hexes_of_item(item)
        return hexes

    def hexes_of_item(self, item: syntax.Item) -> list[int]:
        """Return the hex ids of one item of a list."""
        if isinstance(item, syntax.LabelItem):
            return list(self.labels.get(item.name, []))
        if isinstance(item, syntax.HexItem | syntax.RangeItem):
            return list(item.hexes)
        hexes = self.hexes_of_list(item.items)
        if isinstance(item, syntax.Subtract):
            without = self.hexes_of_list(item.without)
            return [number for number in hexes if number not in without]
        if isinstance(item, syntax.SurroundingsOf):
            neighbours: set[int] = set()
            for number in hexes:
                neighbours.update(NEIGHBOURS[number])
            return sorted(neighbours - set(hexes) - {-1})  # -1 is beyond the rim
        return self.draw_some(item, hexes)

    def draw_some(self, item: syntax.SomeOf, hexes: Sequence[int]) -> list[int]:
        """Return the hexes that a SOMEOF draws; a word of 64 bits serves four draws."""
        pool = sorted(hexes)
        picked = []
        for draw in range(min(item.count, len(pool))):
            site = SOME_OF << 60 | self.statement << 36 | item.site << 16 | draw // 4
            lane = self.word(site) >> 16 * (draw % 4) & 0xFFFF
            picked.append(pool.pop(lane * len(pool) >> 16))
        return picked

    # --- hazards ------------------------------------------------------------------------------

    def place_hazards(self, area: syntax.Area) -> None:
        """Place the hazards of an AREA, each on a hex of its list that has none yet."""
        free_hexes = sorted(self.hexes_of_list(area.items))
        used_hexes = []
        for place, hazard in enumerate(area.hazards):
            # 32 bits decide whether it is placed, 16 where, and 16 at which elevation.
            bits = self.word(HAZARD << 60 | self.statement << 36 | place << 16)
            if not free_hexes or bits >> 32 >= threshold(percent_of(hazard), 32):
                continue
            number = free_hexes.pop((bits >> 16 & 0xFFFF) * len(free_hexes) >> 16)
            used_hexes.append(number)
            self.terrain[number] = COLOSSUS.terrain_code(hazard.name)
            self.elevation[number] = elevation_of(hazard, bits & 0xFFFF)
        self.labels["leftover"] = free_hexes
        self.labels["usedup"] = used_hexes

    # --- hexsides -----------------------------------------------------------------------------

    def mark_side(
        self, pairs: Sequence[syntax.Pair], number: int, side: int, neighbour: int
    ) -> None:
        """Draw the hexside of a hex at one side, by the PAIR for it and its neighbour."""
        pair = self.best_pair(pairs, number, neighbour)
        if pair is None:
            return
        edge = number * 6 + side
        lane = self.word(HEXSIDE << 60 | edge // 4) >> 16 * (edge % 4) & 0xFFFF
        # The game tries one hexside after the other: the chances of all before must have missed.
        all_missed = 1.0
        for choice in pair.choices:
            all_missed *= (100 - clamp(percent_of(choice))) / 100
            if lane < threshold(100 * (1 - all_missed), 16):
                self.hexside[number][side] = COLOSSUS.hexside_code(choice.letter)
                return

    def best_pair(
        self, pairs: Sequence[syntax.Pair], number: int, neighbour: int
    ) -> syntax.Pair | None:
        """Return the PAIR that holds for two hexes: the most exact one, of equal ones the last."""
        best = None
        best_exactness = -1
        for pair in pairs:
            high = pair.high.elevation
            low = pair.low.elevation
            is_known = all(end in (syntax.STAR, 0, 1, 2) for end in (high, low))
            fits_high = self.is_end(pair.high, number)
            fits_low = self.is_end(pair.low, neighbour)
            # An exact elevation of the higher hex counts more than one of the lower hex.
            exactness = 2 * (high != syntax.STAR) + (low != syntax.STAR)
            if is_known and fits_high and fits_low and exactness >= best_exactness:
                best = pair
                best_exactness = exactness
        return best

    def is_end(self, end: syntax.PairEnd, number: int) -> bool:
        """Return whether a hex has the terrain and the elevation of an end of a PAIR."""
        has_terrain = COLOSSUS.terrains[self.terrain[number]].name == end.name
        return has_terrain and end.elevation in (syntax.STAR, self.elevation[number])

    def word(self, site: int) -> int:
        """Return the 64 random bits of this map at a site."""
        return word(self.seed, self.number, site)


def elevation_of(hazard: syntax.Hazard, lane: int) -> int:
    """Return the elevation of a hazard by 16 random bits."""
    if hazard.odds is None:
        if hazard.elevation in (1, 2):
            return hazard.elevation
        return 0
    zero, one, two = hazard.odds
    total = clamp(zero) + clamp(one) + clamp(two)
    if not total:
        # The game divides by 0: a negative value gives minus infinity, which is below every draw.
        if zero < 0 and one < 0:
            return 2
        if zero < 0:
            return 1
        return 0
    if lane >= threshold(100 * ((zero + one) / total), 16):
        return 2
    if lane >= threshold(100 * (zero / total), 16):
        return 1
    return 0
