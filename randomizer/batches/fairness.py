"""What a map means for two armies, in a shape that the desk can show for any system."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure
from randomizer.model.basics.rarity import Rarity
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System


class CellValues(NamedTuple):
    """A value for each cell, shape (h, w), nan where there is none; ``name`` is shown."""

    name: str
    values: NDArray[np.float64]


class Army(NamedTuple):
    """One army of an attack: its name and its values, in the order of ``FairnessModel.titles``."""

    name: str
    values: tuple[float, ...]


class Attack(NamedTuple):
    """One way in which the armies can meet. ``advantage`` in percent; below 0 the defender has it.

    Source of the formula: docs/manual/fairness.md.
    """

    attacker: Army
    defender: Army
    advantage: float


Wins = tuple[tuple[str, Rarity], ...]
"""(Name, battles that the attacker wins of those fought) of each attack."""

GOAL = 0.05
"""How far apart the shares of wins of a balanced map are at most."""


def spread(wins: Wins) -> float:
    """Return how far apart the shares of wins are."""
    shares = [win.chance for _name, win in wins]
    return max(shares) - min(shares)


class Proposal(NamedTuple):
    """A proposal of edits: a text for each, the ``edit`` that makes them, their cells and wins."""

    texts: tuple[str, ...]
    edit: Edit
    cells: tuple[int, ...]
    wins: Wins


class BalanceState(NamedTuple):
    """The state of a search for balancing edits at ``percent`` of its work.

    ``before`` are the wins on the map as it is, () until they are known; ``proposals`` the best of
    one edit, of two and so on, up to the first that reaches the goal. Before fresh battles verify
    one, it is the best so far.
    """

    percent: int
    before: Wins
    proposals: tuple[Proposal, ...]


class BattleResults(NamedTuple):
    """Results of simulated battles between equal armies.

    ``base_line`` is the same on open ground, where the shares of even armies are rarely 50 %.
    ``deaths`` are the attackers' and the defenders' on each cell (h, w) in 100 battles, nan beyond
    the board.
    """

    wins: Wins
    base_line: tuple[str, Rarity]
    deaths: tuple[NDArray[np.float64], NDArray[np.float64]]


class FightReport(NamedTuple):
    """Results so far of battles of chosen armies, at ``percent`` of them.

    ``fought_by`` says whose results they are, ``attacks`` name the columns. Each of ``rows`` is a
    title and a text for each attack. ``deaths`` as in ``BattleResults``.
    """

    percent: int
    fought_by: str
    attacks: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    deaths: tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class FairnessReport:
    """The fairness of one map for one kind of creature.

    ``travel_costs`` has one entry for each entry side: what moving from there to each cell costs.
    ``leads`` has one for each attack: the defender's cost less the attacker's; nan where neither
    can reach the cell. ``measured`` holds the values of ``FairnessModel.measures``,
    ``closed_cells`` the names of cells that hardly any creature can enter. ``warnings`` are
    sentences on what designers of such maps avoid.
    """

    travel_costs: tuple[CellValues, ...]
    leads: tuple[CellValues, ...]
    attacks: tuple[Attack, ...]
    measured: tuple[float, ...]
    closed_cells: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class FairnessModel:
    """The computation of fairness for the maps of one system.

    ``movement_types`` and ``native_terrains`` are the choices for the kind of creature, the usual
    one first. ``titles`` are (title, help) of an army's values. ``simulator`` says who fights the
    battles and how far the results can be trusted; "" where battles are not simulated.
    ``fight_settings`` ask for battles of chosen armies; the value of one named ``preset`` is the
    text of those named ``attacker`` and ``defender``. Empty: there are no such battles.
    """

    system: System
    measures: tuple[Measure, ...]
    movement_types: tuple[str, ...]
    native_terrains: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]
    simulator: str = ""
    fight_settings: tuple[Setting, ...] = ()

    def assess(self, composite: Composite, movement: str, native: str) -> FairnessReport:
        """Return the report on one map for creatures of this kind; takes some milliseconds."""
        raise NotImplementedError

    def battlefield(self, composite: Composite) -> object:
        """Return what battles on a map depend on: equal values give equal results."""
        raise NotImplementedError

    def fight(self, battlefield: object, cancelled: Callable[[], bool]) -> Iterator[BattleResults]:
        """Yield the results of more and more battles, the same each time; takes some seconds."""
        raise NotImplementedError

    def check_fight(
        self, battlemap: BattleMap, values: Mapping[str, object], game: Path | None
    ) -> tuple[Problem, ...]:
        """Return what is wrong with values of ``fight_settings``, and what to know.

        ``path`` is the name of the setting. ``game`` is what the player has chosen for the map's
        ``GameHost``. At once.
        """
        raise NotImplementedError

    def fight_chosen(
        self, battlemap: BattleMap, values: Mapping[str, object], game: Path | None
    ) -> Generator[FightReport, None, None]:
        """Yield results of values without errors; closing ends the battles. Raises ProblemError."""
        raise NotImplementedError

    def balance(
        self, battlemap: BattleMap, layer_id: int, *, plains: bool = False, seed: int = 0
    ) -> Iterator[BalanceState]:
        """Yield what a search for balancing edits knows, the same for a seed; takes a minute.

        A hand with the layer active can make the edits. ``plains``: the shares are to come near
        that on open ground, too. The last proposals are verified by battles of their own. Raises
        ProblemError where nothing can be compared or painted.
        """
        raise NotImplementedError
