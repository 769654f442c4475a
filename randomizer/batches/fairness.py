"""What a map means for two armies, told in a system's own words so that the desk can show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Measure
from randomizer.model.battlemap import Composite, System


class Picture(NamedTuple):
    """A value for each cell, (h, w)."""

    name: str
    values: NDArray[np.float64]


class Side(NamedTuple):
    """One army of an attack: ``values`` belong to the ``titles`` of the judgement."""

    name: str
    values: tuple[float, ...]


class Attack(NamedTuple):
    """One way in which the armies can meet; ``advantage`` in percent, below 0 the defender's."""

    attacker: Side
    defender: Side
    advantage: float


@dataclass(frozen=True, eq=False)
class Judgement:
    """One map judged for one kind of creature. ``measured`` are the values of the measures.

    ``ways`` show what coming to each cell from a side costs, nan where there is no way; ``leads``,
    one for each attack, by how much the attacker's way is the cheaper one, nan where both have
    none. ``nobody`` names the cells to which hardly anybody can come.
    """

    ways: tuple[Picture, ...]
    leads: tuple[Picture, ...]
    attacks: tuple[Attack, ...]
    measured: tuple[float, ...]
    nobody: tuple[str, ...]


class Judge(Protocol):
    """What is known of a system's battles. ``titles`` are (title, help) of a side's values.

    ``ways`` are ways to move, ``homes`` what creatures can be native to; the usual ones are first.
    """

    system: System
    measures: tuple[Measure, ...]
    ways: tuple[str, ...]
    homes: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]

    def judge(self, shown: Composite, way: str, home: str) -> Judgement:
        """Judge one map; takes some milliseconds."""
