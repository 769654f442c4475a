"""How fair a map is to two armies that fight on it, in a shape that the desk shows for any system.

A system that can tell has a ``FairnessModel``; the other classes are its results. A map is assessed
in an instant by what moving on it costs (``FairnessReport``), and in seconds by simulated battles
(``BattleResults``), which can also lead a search for edits that balance it (``BalanceState``).
"""

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
    """A value for each cell."""

    name: str
    """What the values are, as it is shown."""

    values: NDArray[np.float64]
    """Shape (height, width); nan where a cell has no value."""


class Army(NamedTuple):
    """One army of an attack."""

    name: str

    values: tuple[float, ...]
    """Its values, in the order of ``FairnessModel.titles``."""


class Attack(NamedTuple):
    """One way in which the armies can meet."""

    attacker: Army
    defender: Army
    advantage: float
    """The attacker's advantage in percent; below 0 the defender has it.

    Source of the formula: docs/manual/fairness.md.
    """


Wins = tuple[tuple[str, Rarity], ...]
"""The name of each attack, and how many of its battles the attacker wins."""

GOAL = 0.05
"""The largest ``spread`` of a balanced map."""


def spread(wins: Wins) -> float:
    """Return how far apart the shares of wins of different attacks are, 0 to 1."""
    shares = [win.chance for _name, win in wins]
    return max(shares) - min(shares)


class Proposal(NamedTuple):
    """Some edits that make a map fairer."""

    texts: tuple[str, ...]
    """What each edit does, as it is shown."""

    edit: Edit
    """All of them as one edit."""

    cells: tuple[int, ...]
    """The cells that they change."""

    wins: Wins
    """The wins on the map with the edits."""


class BalanceState(NamedTuple):
    """The state of a search for balancing edits."""

    percent: int
    """The percentage of its work that is done."""

    before: Wins
    """The wins on the map as it is; () until they are known."""

    proposals: tuple[Proposal, ...]
    """The best of one edit, of two and so on, up to the first that reaches ``GOAL``.

    Before fresh battles verify one, it is the best so far.
    """


class BattleResults(NamedTuple):
    """Results of simulated battles between equal armies."""

    wins: Wins
    """The wins from each side of the map."""

    base_line: tuple[str, Rarity]
    """The name and the wins of an attack on open ground, to compare with.

    The attacker's share there is rarely 50 %, even of equal armies.
    """

    battles_planned: int
    """How many battles are fought from each side, and on open ground, until the results are final.
    """

    deaths: tuple[NDArray[np.float64], NDArray[np.float64]]
    """How many attackers, and how many defenders, die on each cell in 100 battles.

    Shape (height, width) each; nan beyond the board.
    """


class FightReport(NamedTuple):
    """Results so far of battles of chosen armies."""

    percent: int
    """The percentage of the battles that are fought."""

    fought_by: str
    """Whose fight for both sides decides the battles, as it is shown behind "fought"."""

    attacks: tuple[str, ...]
    """The titles of the columns: one for each attack."""

    rows: tuple[tuple[str, ...], ...]
    """Each row is its title, and a text for each attack."""

    deaths: tuple[NDArray[np.float64], NDArray[np.float64]]
    """As in ``BattleResults``."""


@dataclass(frozen=True, eq=False)
class FairnessReport:
    """The fairness of one map for one kind of creature."""

    travel_costs: tuple[CellValues, ...]
    """For each side from which armies enter, what moving from there to each cell costs."""

    leads: tuple[CellValues, ...]
    """For each attack, what reaching each cell costs the defender less what it costs the attacker.

    nan where neither can reach the cell.
    """

    attacks: tuple[Attack, ...]

    measured: tuple[float, ...]
    """The values of ``FairnessModel.measures``."""

    closed_cells: tuple[str, ...]
    """The names of cells that hardly any creature can enter."""

    warnings: tuple[str, ...] = ()
    """Sentences on features of the map that designers of such maps avoid."""


class FairnessModel:
    """The computation of fairness for the maps of one system."""

    system: System

    measures: tuple[Measure, ...]
    """The measures that a report holds."""

    movement_types: tuple[str, ...]
    """How creatures can move, to choose from; the usual one first."""

    native_terrains: tuple[str, ...]
    """Where creatures can be native, to choose from; the usual one first."""

    titles: tuple[tuple[str, str], ...]
    """Title and help of each value of an army."""

    simulator: str = ""
    """What fights the battles and how far its results can be trusted; "": nothing does."""

    fight_settings: tuple[Setting, ...] = ()
    """What is asked for battles of chosen armies; () if there are no such battles.

    The value of one named ``preset`` is the text of those named ``attacker`` and ``defender``.
    """

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
        """Return what is wrong with values of ``fight_settings``, and warnings; takes no time.

        The ``path`` of a problem is the name of its setting. ``game`` is what the player has chosen
        for the map's ``GameHost``.
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
        """Yield the states of a search for balancing edits, the same for a seed; takes a minute.

        The edits are ones that a hand could make with the layer active. With ``plains`` the shares
        are to come near that on open ground, too. The last proposals are verified by battles of
        their own. Raises ProblemError where nothing can be compared or painted.
        """
        raise NotImplementedError
