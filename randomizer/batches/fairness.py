"""What a map means for two armies, in a shape that the desk can show for any system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure
from randomizer.model.composite import Composite
from randomizer.model.system import System


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


@dataclass(frozen=True, eq=False)
class FairnessReport:
    """The fairness of one map for one kind of creature.

    ``travel_costs`` has one entry for each entry side: what moving from there to each cell costs.
    ``leads`` has one for each attack: the defender's cost less the attacker's; nan where neither
    can reach the cell. ``measured`` holds the values of ``FairnessModel.measures``,
    ``closed_cells`` the names of cells that hardly any creature can enter.
    """

    travel_costs: tuple[CellValues, ...]
    leads: tuple[CellValues, ...]
    attacks: tuple[Attack, ...]
    measured: tuple[float, ...]
    closed_cells: tuple[str, ...]


class FairnessModel:
    """How fairness is computed for the maps of one system.

    ``movement_types`` and ``native_terrains`` are the choices for the kind of creature, the usual
    one first. ``titles`` are (title, help) of an army's values.
    """

    system: System
    measures: tuple[Measure, ...]
    movement_types: tuple[str, ...]
    native_terrains: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]

    def assess(self, shown: Composite, movement: str, native: str) -> FairnessReport:
        """Return the report on one map for creatures of this kind; takes some milliseconds."""
        raise NotImplementedError
