"""``Generated``: the result of a generator, before ``put_roll`` brings it into a map::

Generated((Layer(0, "", planes={"terrain": terrain}),), number=3)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from randomizer.model.basics.rarity import Rarity

if TYPE_CHECKING:
    from randomizer.model.basics.log_line import LogLine
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.layer import Layer
    from randomizer.model.problems import Problem
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.terrain.terrain import TerrainSet


@dataclass(frozen=True, eq=False)
class Generated:
    """The result of a generator: layers, the number found, messages, and what else it brings.

    ``records``, ``terrain_set`` and ``grid`` replace the map's own only if this is the roll of the
    map's source (``put_roll``).
    """

    layers: tuple[Layer, ...]
    """One layer at least, from the lowest to the topmost.

    ``run`` completes those without a ``roll``; a generator whose layers have origins, parts or
    libraries sets it itself. The map assigns ids to the layers and to the things in them. A thing
    with a ``key`` is the same one in every roll: if it was moved or deleted by hand, it is not
    placed again.
    """

    number: int
    """The number of the map."""

    tried: int = 1
    """The number of maps that were tried to find one that keeps the locks.

    Generators that can work around locks try only one.
    """

    log: tuple[LogLine, ...] = ()
    """The lines that the script wrote."""

    notes: tuple[Problem, ...] = ()
    """Problems that did not stop the roll."""

    eligible: int = 1
    """The number of those tried that keep the locks, the result included."""

    put_back: tuple[str, ...] = ()
    """The names of the locked elements whose values were forced.

    If there are any, the map is not one that the generator makes.
    """

    paint_above: Layer | None = None
    """Values that go above the layers as if a hand had painted them (``Base.paint_above``).

    Only a roll that brings nothing but layers has them.
    """

    records: Mapping[str, MapRecord] | None = None
    """The records of the map; None if it brings none."""

    terrain_set: TerrainSet | None = None
    """The set of which the layers have codes; None: that of the base."""

    grid: Grid | None = None
    """The grid of the layers; None: that of the base."""

    @property
    def layers_only(self) -> bool:
        """True if it brings nothing but layers."""
        return self.records is None and self.terrain_set is None and self.grid is None

    @property
    def rarity(self) -> str:
        """The rarity of maps that keep the locks (``Rarity.about``); "" if all do."""
        return Rarity(self.eligible, self.tried).about
