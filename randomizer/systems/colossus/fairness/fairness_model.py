"""The fairness report on one battleland: travel costs, attacks, measures.

``FAIRNESS_MODEL`` is what the desk asks. ``assess`` puts the report together; the numbers come from
``movement`` (costs of ways), ``battles`` (who comes first) and ``measures``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure, batch_of
from randomizer.batches.fairness import (
    Army,
    Attack,
    BattleResults,
    CellValues,
    FairnessModel,
    FairnessReport,
)
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.battle_terrain import BARRED, Battleland
from randomizer.systems.colossus.board import CELL_OF_HEX, ENTRY_SIDES, GRID, LABELS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.fairness.balance import balance
from randomizer.systems.colossus.fairness.battles import (
    ATTACKER,
    ATTACKS,
    DEFENDER,
    FAR,
    Battle,
    battles,
    middle_cost,
)
from randomizer.systems.colossus.fairness.chosen_fight import (
    SETTINGS,
    fight_chosen,
    problems_of,
)
from randomizer.systems.colossus.fairness.measures import (
    LEAST_ENTERING,
    MEASURES,
    BatchAnalysis,
    analysis_of,
    closed_hexes,
    entering,
    hexes_to_clear,
)
from randomizer.systems.colossus.fairness.mirror_battles import fight_from_each_side
from randomizer.systems.colossus.fairness.movement import EVERYTHING, FROM_START_LIST, Bytes
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, HazardRule
from randomizer.systems.colossus.system import SYSTEM

ON_FOOT = "on foot"
FLYING = "flying"

NOTHING = "nothing"
"""The choice of a creature that is native to nothing."""

ALL = "everything"
"""The choice of a creature that is native to everything."""

START_LIST = "Start list"
"""The name of the defender's entry on a map with a start list."""


class BattlelandFairness(FairnessModel):
    """The ``FairnessModel`` of battlelands, by the rules of Titan."""

    system = SYSTEM
    measures: tuple[Measure, ...] = MEASURES
    movement_types = (ON_FOOT, FLYING)
    native_terrains = (
        NOTHING,
        ALL,
        *(name for name, rule in HAZARDS.items() if rule != HazardRule()),
        # No creature is native to cliffs and walls.
        *(name for name in HEXSIDES if name not in ("Cliff", "Wall")),
    )
    titles = (
        ("Way\nin", "Movement points to the middle of the board (C3, D3, D4), on average"),
        ("Hexes\nfirst", "How many of the hexes, in percent, this army reaches first"),
        (
            "High\nedges",
            "Slopes, walls and dunes around the hexes that this army reaches first",
        ),
    )
    fight_settings = SETTINGS
    simulator = "our simulator; shares in the game differ from it by about 5 points"

    def assess(self, composite: Composite, movement: str, native: str) -> FairnessReport:
        """Return the report on a battleland for one kind of creatures.

        ``movement`` is one of ``movement_types``, ``native`` one of ``native_terrains``.
        """
        if native == ALL:
            native_to = EVERYTHING
        elif native == NOTHING:
            native_to = frozenset()
        else:
            native_to = frozenset({native})
        creature = Creature(flies=movement == FLYING, native_to=native_to)
        batch = batch_of(SYSTEM, GRID, composite)
        analysis = analysis_of(batch)
        costs = analysis.costs(creature)

        # Where armies come from. With a start list there is one attack, on the hexes of that.
        starts = [name for name, _hexes in ENTRY_SIDES]
        sides = [(starts[attack.attacker], starts[attack.defender]) for attack in ATTACKS]
        if analysis.maps.start is not None:
            starts.append(START_LIST)
            attacker_start, _defender_start = sides[0]
            sides = [(attacker_start, START_LIST)]

        # Attackers come first, in the order of their attacks: a person looks for these. The
        # analysis has one map, number 0.
        attackers = [attack.attacker for attack in ATTACKS]
        further_starts = [number for number in range(len(starts)) if number not in attackers]
        ways = list[CellValues]()
        for number in (*attackers, *further_starts):
            name = starts[number]
            way_costs = costs[number, :, 0]
            ways.append(CellValues(f"Ways from {name}", _on_grid(way_costs, way_costs < BARRED)))
        leads = list[CellValues]()
        attacks = list[Attack]()
        for (attacker, defender), battle in zip(
            sides, battles(analysis.maps, creature, costs), strict=False
        ):
            leads.append(CellValues(f"{attacker} against {defender}", _lead(battle)))
            attacks.append(_attack(attacker, defender, battle))
        closed = np.flatnonzero(closed_hexes(analysis)[:, 0]).tolist()
        return FairnessReport(
            tuple(ways),
            tuple(leads),
            tuple(attacks),
            tuple(float(measure.of(batch)[0]) for measure in MEASURES),
            tuple(LABELS[number] for number in closed),
            _narrow_entries(analysis),
        )

    def battlefield(self, composite: Composite) -> object:
        """Return the hexes and hexsides, without names."""
        return Battleland.of(composite)

    def fight(self, battlefield: object, cancelled: Callable[[], bool]) -> Iterator[BattleResults]:
        """Yield the results of the standard armies, each against its like, from each side."""
        assert isinstance(battlefield, Battleland)
        return fight_from_each_side(battlefield, cancelled)

    check_fight = staticmethod(problems_of)
    fight_chosen = staticmethod(fight_chosen)
    balance = staticmethod(balance)


FAIRNESS_MODEL = BattlelandFairness()


def _on_grid(values: NDArray[np.integer], valid: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the values of the hexes, (27,), as a plane (height, width); NaN where not valid."""
    plane = np.full((GRID.height, GRID.width), np.nan)
    plane.flat[list(CELL_OF_HEX)] = np.where(valid, values, np.nan)
    return plane


def _narrow_entries(analysis: BatchAnalysis) -> tuple[str, ...]:
    """Return a warning for each side from which too few creatures can enter."""
    warnings = []
    counts = entering(analysis)[:, 0].tolist()
    for side, (name, _hexes) in enumerate(ENTRY_SIDES):
        if counts[side] < LEAST_ENTERING:
            warnings.append(_narrow_side_text(analysis, side, name, counts[side]))
    listed_hexes = counts[FROM_START_LIST]
    if listed_hexes < LEAST_ENTERING:
        missing_hexes = counted(LEAST_ENTERING - listed_hexes, "hex", "hexes")
        warnings.append(
            f"Only {counted(listed_hexes, 'creature')} can start on the start list, where "
            f"{LEAST_ENTERING} should. Add {missing_hexes} to the list."
        )
    return tuple(warnings)


def _narrow_side_text(analysis: BatchAnalysis, side: int, name: str, count: int) -> str:
    """Return the warning about an entry side by which only ``count`` creatures can enter."""
    warning = (
        f"Only {counted(count, 'creature')} of skill 2 can enter from {name} in the first turn, "
        f"where {LEAST_ENTERING} should."
    )
    labels = [LABELS[number] for number in hexes_to_clear(analysis, side).tolist()]
    if not labels:
        return f"{warning} Lower or clear the hexes beside that side."
    return f"{warning} Clear {listed(labels, 'or')}."


def _lead(battle: Battle) -> NDArray[np.float64]:
    """Return the plane of the attacker's lead: by how much less it costs it to reach each hex."""
    attacker = battle.attacker_costs[:, 0]
    defender = battle.defender_costs[:, 0]
    lead = np.minimum(defender, FAR).astype(np.int8) - np.minimum(attacker, FAR)
    return _on_grid(lead, np.minimum(attacker, defender) < BARRED)


def _attack(attacker: str, defender: str, battle: Battle) -> Attack:
    """Return the attack of the armies that come from these sides."""
    return Attack(
        Army(attacker, _army_values(battle, battle.attacker_costs, ATTACKER)),
        Army(defender, _army_values(battle, battle.defender_costs, DEFENDER)),
        float(battle.advantage[0]),
    )


def _army_values(battle: Battle, costs: Bytes, army: int) -> tuple[float, float, float]:
    """Return the values of an army in the order of ``BattlelandFairness.titles``.

    ``costs`` are those of its ways; ``army`` is ``ATTACKER`` or ``DEFENDER``.
    """
    return (
        float(middle_cost(costs)[0]),
        float(battle.share(army)[0]),
        float(battle.high_edges(army)[0]),
    )
