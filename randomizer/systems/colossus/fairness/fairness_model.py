"""The fairness report on one battleland: travel costs, attacks, measures.

    report = FAIRNESS_MODEL.assess(battlemap.composite(), ON_FOOT, native=NOTHING)
    report.attacks[0].advantage  # in percent; below 0 the map helps the defender

A battleland is a board of 27 hexes on which an attacker and a defender fight, by the rules of the
board game Titan. The fairness panel asks ``FAIRNESS_MODEL`` for its reports. ``assess`` puts one
together and is the place to begin reading. The numbers come from ``movement`` (the cost of moving
to each hex), ``battles`` (which army reaches each hex first) and ``measures``.

Those modules compute many maps at once, with the map as the last axis of each array. A report is on
one map, so that axis has length 1 here, and ``ONLY_MAP`` picks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

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
    FigureTitle,
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
    check_values,
    fight_chosen,
)
from randomizer.systems.colossus.fairness.measures import (
    MEASURES,
    MIN_ENTERING,
    POINTS_OF_SKILL_2,
    BatchAnalysis,
    analysis_of,
    closed_hexes,
    entering_counts,
    hexes_to_clear,
)
from randomizer.systems.colossus.fairness.mirror_battles import fight_from_each_side
from randomizer.systems.colossus.fairness.movement import EVERYTHING, FROM_START_LIST, Bytes
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, HazardRule
from randomizer.systems.colossus.system import SYSTEM

ON_FOOT = "on foot"
"""The choice of a creature that walks."""

FLYING = "flying"
"""The choice of a creature that flies."""

NOTHING = "nothing"
"""The choice of a creature that is native to nothing."""

NATIVE_TO_ALL = "everything"
"""The choice of a creature that is native to everything (``EVERYTHING``)."""

START_LIST = "Start list"
"""The name of the defender's start on a map with a start list: hexes on which it begins."""

START_NAMES = (*(name for name, _hexes in ENTRY_SIDES), START_LIST)
"""The names of the starts of ``travel_costs``: the six entry sides, then the start list."""

ONLY_MAP = 0
"""The index of the one map of a report along the map axis."""


class BattlelandFairness(FairnessModel):
    """The ``FairnessModel`` of battlelands, by the rules of Titan."""

    system = SYSTEM
    measures: tuple[Measure, ...] = MEASURES
    movement_types = (ON_FOOT, FLYING)
    native_terrains = (
        NOTHING,
        NATIVE_TO_ALL,
        *(name for name, rule in HAZARDS.items() if rule != HazardRule()),
        # No creature is native to cliffs and walls.
        *(name for name in HEXSIDES if name not in ("Cliff", "Wall")),
    )
    titles = (
        FigureTitle(
            "Way\nin", "Movement points to the middle of the board (C3, D3, D4), on average"
        ),
        FigureTitle("Hexes\nfirst", "How many of the hexes, in percent, this army reaches first"),
        FigureTitle(
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
        creature = _creature(movement, native)
        batch = batch_of(SYSTEM, GRID, composite)
        analysis = analysis_of(batch)
        named_battles = _named_battles(analysis, creature)
        return FairnessReport(
            travel_costs=tuple(_travel_costs(analysis, creature)),
            leads=tuple(_cost_lead_plane(battle) for battle in named_battles),
            attacks=tuple(_attack(battle) for battle in named_battles),
            measured=tuple(float(measure.of(batch)[ONLY_MAP]) for measure in MEASURES),
            closed_cells=_closed_labels(analysis),
            warnings=_narrow_entries(analysis),
        )

    def battlefield(self, composite: Composite) -> object:
        """Return the hexes and hexsides of a map, without its title, which decides no battle."""
        return Battleland.of(composite)

    def fight(self, battlefield: object, cancelled: Callable[[], bool]) -> Iterator[BattleResults]:
        """Yield the results so far of battles in which each standard army fights its equal.

        The attacker enters by each side that attackers have in the game.
        """
        assert isinstance(battlefield, Battleland)
        return fight_from_each_side(battlefield, cancelled)

    check_fight = staticmethod(check_values)
    fight_chosen = staticmethod(fight_chosen)
    balance = staticmethod(balance)


FAIRNESS_MODEL = BattlelandFairness()


class NamedBattle(NamedTuple):
    """One attack on the map of a report, with the names of both armies' starts."""

    attacker: str
    """The entry side by which the attacker comes."""

    defender: str
    """The entry side by which the defender comes, or ``START_LIST``."""

    battle: Battle


def _creature(movement: str, native: str) -> Creature:
    """Return a creature that moves and is native as a person has chosen."""
    if native == NATIVE_TO_ALL:
        native_to = EVERYTHING
    elif native == NOTHING:
        native_to = frozenset()
    else:
        native_to = frozenset({native})
    return Creature(flies=movement == FLYING, native_to=native_to)


def _named_battles(analysis: BatchAnalysis, creature: Creature) -> list[NamedBattle]:
    """Return the three attacks of the game, or the one attack on a map with a start list."""
    computed_battles = battles(analysis.maps, creature, analysis.costs(creature))
    if analysis.maps.start is not None:
        # There the game has one attack only, and ``battles`` returned it three times.
        attacker_side = START_NAMES[ATTACKS[0].attacker]
        return [NamedBattle(attacker_side, START_LIST, computed_battles[0])]
    named_battles = []
    for attack, battle in zip(ATTACKS, computed_battles, strict=True):
        attacker_side = START_NAMES[attack.attacker]
        defender_side = START_NAMES[attack.defender]
        named_battles.append(NamedBattle(attacker_side, defender_side, battle))
    return named_battles


def _travel_costs(analysis: BatchAnalysis, creature: Creature) -> Iterator[CellValues]:
    """Yield for each start the cost of moving from it to each hex, in movement points.

    The sides of attackers come first, in the order of their attacks: a person looks for these.
    """
    costs = analysis.costs(creature)
    attacker_starts = [attack.attacker for attack in ATTACKS]
    further_starts = [start for start in range(FROM_START_LIST) if start not in attacker_starts]
    if analysis.maps.start is not None:
        further_starts.append(FROM_START_LIST)
    for start in (*attacker_starts, *further_starts):
        hex_costs = costs[start, :, ONLY_MAP]
        plane = _on_grid(hex_costs, valid=hex_costs < BARRED)
        yield CellValues(f"Ways from {START_NAMES[start]}", plane)


def _cost_lead_plane(named_battle: NamedBattle) -> CellValues:
    """Return how many points less each hex costs the attacker than the defender.

    A hex that one of them cannot reach counts as ``FAR``; one that neither can has no value.
    """
    attacker_costs = named_battle.battle.attacker_costs[:, ONLY_MAP]
    defender_costs = named_battle.battle.defender_costs[:, ONLY_MAP]
    # Signed, because the costs are unsigned bytes and the difference can be negative.
    lead = np.minimum(defender_costs, FAR).astype(np.int8) - np.minimum(attacker_costs, FAR)
    is_reached = np.minimum(attacker_costs, defender_costs) < BARRED
    title = f"{named_battle.attacker} against {named_battle.defender}"
    return CellValues(title, _on_grid(lead, valid=is_reached))


def _on_grid(hex_values: NDArray[np.integer], *, valid: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the values of the hexes, (27,), as a plane (height, width).

    The plane is NaN at hexes that are not ``valid``, (27,), and at cells beyond the board.
    """
    plane = np.full((GRID.height, GRID.width), np.nan)
    plane.flat[list(CELL_OF_HEX)] = np.where(valid, hex_values, np.nan)
    return plane


def _attack(named_battle: NamedBattle) -> Attack:
    """Return an attack as the report shows it."""
    battle = named_battle.battle
    attacker_values = _army_values(battle, battle.attacker_costs, ATTACKER)
    defender_values = _army_values(battle, battle.defender_costs, DEFENDER)
    return Attack(
        attacker=Army(named_battle.attacker, attacker_values),
        defender=Army(named_battle.defender, defender_values),
        advantage=float(battle.advantage[ONLY_MAP]),
    )


def _army_values(battle: Battle, costs: Bytes, army: int) -> tuple[float, float, float]:
    """Return the values of an army in the order of ``BattlelandFairness.titles``.

    ``costs`` are the army's costs of moving to each hex, (27, 1); ``army`` is ``ATTACKER`` or
    ``DEFENDER``.
    """
    return (
        float(middle_cost(costs)[ONLY_MAP]),
        float(battle.share_of_hexes(army)[ONLY_MAP]),
        float(battle.high_edges(army)[ONLY_MAP]),
    )


def _closed_labels(analysis: BatchAnalysis) -> tuple[str, ...]:
    """Return the labels of the hexes that hardly any creature can enter."""
    hexes = np.flatnonzero(closed_hexes(analysis)[:, ONLY_MAP]).tolist()
    return tuple(LABELS[hex_id] for hex_id in hexes)


def _narrow_entries(analysis: BatchAnalysis) -> tuple[str, ...]:
    """Return a warning for each side from which too few creatures can enter."""
    warnings = []
    counts = entering_counts(analysis)[:, ONLY_MAP].tolist()
    for side, (name, _hexes) in enumerate(ENTRY_SIDES):
        if counts[side] < MIN_ENTERING:
            warnings.append(_narrow_side_text(analysis, side, name, counts[side]))
    start_places = counts[FROM_START_LIST]
    if start_places < MIN_ENTERING:
        missing_hexes = counted(MIN_ENTERING - start_places, "hex", "hexes")
        warnings.append(
            f"Only {counted(start_places, 'creature')} can start on the start list, where "
            f"{MIN_ENTERING} should. Add {missing_hexes} to the list."
        )
    return tuple(warnings)


def _narrow_side_text(analysis: BatchAnalysis, side: int, name: str, count: int) -> str:
    """Return the warning about an entry side by which only ``count`` creatures can enter."""
    warning = (
        f"Only {counted(count, 'creature')} of skill {POINTS_OF_SKILL_2} can enter from {name} in "
        f"the first turn, where {MIN_ENTERING} should."
    )
    labels = [LABELS[hex_id] for hex_id in hexes_to_clear(analysis, side).tolist()]
    if not labels:
        return f"{warning} Lower or clear the hexes beside that side."
    return f"{warning} Clear {listed(labels, 'or')}."
