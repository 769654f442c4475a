"""The fairness of a map to two armies that fight on it, in a shape that the desk can show.

A system that can tell has a ``FairnessModel``; the other classes are its results. The desk, with
the window in which they are shown, calls it so::

    report = model.assess(composite, "Walking", "Swamp")    # in an instant: by costs of movement
    battlefield = model.battlefield(composite)
    for results in model.fight(battlefield, cancelled):      # in seconds: by simulated battles
        show(results.wins)
    for state in model.balance(battlemap, layer_id):         # in a minute: edits that make it fair
        show(state.proposals)

A *composite* is what a map shows with all its layers. A *measure* is a number that a map has.
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
    """A value for each cell, which the desk shows as colours on the map."""

    name: str
    """The title under which the values are shown."""

    values: NDArray[np.float64]
    """Shape (height, width); nan where a cell has no value."""


class FigureTitle(NamedTuple):
    """The title of a column with one figure of each army."""

    title: str

    help: str
    """The meaning of the figure, for the user."""


class Army(NamedTuple):
    """One army of an attack, with what the map means for it."""

    name: str

    values: tuple[float, ...]
    """Its figures, such as its mean cost of movement: one for each of ``FairnessModel.titles``."""


class Attack(NamedTuple):
    """One way in which the armies can meet."""

    attacker: Army
    defender: Army
    advantage: float
    """The attacker's advantage in percent; below 0 the defender has it.

    Source of the formula: docs/manual/fairness.md.
    """


class WinsOfAttack(NamedTuple):
    """The battles of one attack."""

    name: str
    """The name of the attack: the side from which the attacker comes."""

    wins: Rarity
    """The share of the battles that the attacker wins."""


Wins = tuple[WinsOfAttack, ...]
"""The wins of each attack."""

GOAL = 0.05
"""The largest ``spread`` of a map that counts as balanced: 5 percent of the battles."""

ONE_SIDE = "one-side"
"""The code of the error of ``FairnessModel.balance`` where attackers come from one side only.

With ``plains`` such a map can be balanced.
"""


def spread(wins: Wins) -> float:
    """Return the difference between the attacker's best and worst share of wins, 0 to 1."""
    shares = [attack.wins.chance for attack in wins]
    return max(shares) - min(shares)


class Proposal(NamedTuple):
    """Some edits that make a map fairer."""

    texts: tuple[str, ...]
    """For each edit a text that says what it does."""

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
    """The wins on the map without any edit; () until these battles are fought."""

    proposals: tuple[Proposal, ...]
    """The best proposal of one edit, the best of two and so on, up to the first within ``GOAL``.

    While the search goes on, each is the best so far; in the end battles of its own verify it.
    """

    share_on_plains: float | None = None
    """The attacker's share of wins on open ground, 0 to 1, where the sides alone are balanced.

    None while it is not known, and in a search that has compared with open ground all the time.
    """


class Deaths(NamedTuple):
    """The number of deaths on each cell: shape (height, width), nan beyond the board."""

    attackers: NDArray[np.float64]

    defenders: NDArray[np.float64]


class BattleResults(NamedTuple):
    """Results of simulated battles between equal armies."""

    wins: Wins
    """The wins from each side of the map."""

    base_line: WinsOfAttack
    """An attack between the same armies on open ground, to compare with.

    Of equal armies, too, the attacker's share of wins there is rarely 50 %.
    """

    battles_planned: int
    """The number of battles from each side, and on open ground, of the final results."""

    deaths: Deaths
    """The deaths in 100 battles."""


class FightReport(NamedTuple):
    """Results so far of battles of chosen armies."""

    percent: int
    """The percentage of the battles that are fought."""

    fought_by: str
    """Who decides the battles, to be shown behind "fought": "by the game itself"."""

    attacks: tuple[str, ...]
    """The titles of the columns of the table of results: one for each attack."""

    rows: tuple[tuple[str, ...], ...]
    """The rows of the table: the title of the row, then a text for each attack."""

    deaths: Deaths
    """The deaths in 100 battles."""


@dataclass(frozen=True, eq=False)
class FairnessReport:
    """The fairness of one map for one kind of creature."""

    travel_costs: tuple[CellValues, ...]
    """For each side from which armies enter, what moving from there to each cell costs."""

    leads: tuple[CellValues, ...]
    """For each attack and cell, the defender's cost of reaching it minus the attacker's.

    Above 0 the attacker is there first. nan where neither can reach the cell.
    """

    attacks: tuple[Attack, ...]

    measured: tuple[float, ...]
    """The values of ``FairnessModel.measures`` on the map, in their order."""

    closed_cells: tuple[str, ...]
    """The names of cells that hardly any creature can enter."""

    warnings: tuple[str, ...] = ()
    """Sentences on features of the map that designers of such maps avoid."""


class FairnessModel:
    """The computation of fairness for the maps of one system."""

    system: System

    measures: tuple[Measure, ...]
    """The measures whose values a report holds."""

    movement_types: tuple[str, ...]
    """The ways in which creatures can move, to choose from; the usual one first."""

    native_terrains: tuple[str, ...]
    """The terrains in which creatures can be native, to choose from; the usual one first."""

    titles: tuple[FigureTitle, ...]
    """The title of each of ``Army.values``."""

    simulator: str = ""
    """The program that fights the battles, and how far to trust its results; "": none does."""

    fight_settings: tuple[Setting, ...] = ()
    """The questions of the form for battles of chosen armies; () if there are no such battles.

    If one is named ``preset``, a chosen value of it becomes the text of those named ``attacker``
    and ``defender``.
    """

    def assess(self, composite: Composite, movement: str, native: str) -> FairnessReport:
        """Return the report on one map for creatures of this kind; takes some milliseconds."""
        raise NotImplementedError

    def battlefield(self, composite: Composite) -> object:
        """Return all of a map on which battles depend: equal battlefields give equal results.

        The desk compares it with the last one, and fights again only if it is another.
        """
        raise NotImplementedError

    def fight(self, battlefield: object, cancelled: Callable[[], bool]) -> Iterator[BattleResults]:
        """Yield the results of more and more simulated battles; takes some seconds.

        Fought again, they are the same. It ends early once ``cancelled`` returns True.
        """
        raise NotImplementedError

    def check_fight(
        self, battlemap: BattleMap, values: Mapping[str, object], game: Path | None
    ) -> tuple[Problem, ...]:
        """Return the errors and warnings for ``values`` of ``fight_settings``; takes no time.

        The ``path`` of a problem is the name of its setting. ``game`` is the folder or file of the
        game that the player has chosen for maps of this kind; None if none is chosen.
        """
        raise NotImplementedError

    def fight_chosen(
        self, battlemap: BattleMap, values: Mapping[str, object], game: Path | None
    ) -> Generator[FightReport, None, None]:
        """Yield the results so far of battles of chosen armies; closing it ends the battles.

        ``values`` and ``game`` are as in ``check_fight``, which has found no error in them. Raises
        ProblemError if the battles cannot be fought all the same.
        """
        raise NotImplementedError

    def balance(
        self, battlemap: BattleMap, layer_id: int, *, plains: bool = False, seed: int = 0
    ) -> Iterator[BalanceState]:
        """Yield the states of a search for edits that balance a map; takes a minute.

        The edits are ones that a person could make with the layer ``layer_id`` active. With
        ``plains`` the attacker's shares of wins are also to come near that on open ground. The
        last state has proposals that battles of their own have verified. With the same seed the
        search is the same. Raises ProblemError where nothing can be compared or painted.
        """
        raise NotImplementedError
