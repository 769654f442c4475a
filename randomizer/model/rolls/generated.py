"""``Generated``: the map that a generator made, before ``put_roll`` brings it into an open map.

A generator returns one from each roll:

    terrain = np.array([[3, 3], [0, 3]], np.uint16)
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


ALL_KEEP_LOCKS = Rarity(1, 1)
"""The rarity of maps that keep the locks: of one map that was tried, one kept them."""


@dataclass(frozen=True, eq=False)
class Generated:
    """The layers of a rolled map, and all else that the roll brings.

    An open map always gets the layers. It gets ``records``, ``terrain_set`` and ``grid`` only if
    the roll is that of its source, the layer from which the whole map comes (docs/adr/0007).
    """

    # --- the map ----------------------------------------------------------------------------

    layers: tuple[Layer, ...]
    """One layer at least, from the lowest to the topmost.

    A generator need not set their ``roll``, which tells how to roll them again: the run of the
    generator does (``generator_run``). Nor does it set their ids (0 until then): the open map does.
    """

    number: int
    """Which map of the seed it is, from 0 on (``DrawKey``).

    Under locks it can be a later one than was asked for: the first that keeps them.
    """

    paint_above: Layer | None = None
    """Values that go above the layers as if a hand had painted them (``Base.paint_above``).

    None for none. Only a roll that brings nothing but layers has them.
    """

    records: Mapping[str, MapRecord] | None = None
    """The records of the map; None if it brings none."""

    terrain_set: TerrainSet | None = None
    """The set of which the layers have codes; None: that of the base."""

    grid: Grid | None = None
    """The grid of the layers; None: that of the base."""

    rearranges_map: bool = False
    """True if the layers are the map below in another arrangement, as variations are.

    Then all that is seen of that map besides stays in sight, and what a hand has painted there is
    not copied above the roll: it is arranged otherwise, too. Only a roll that brings nothing but
    layers does so.
    """

    # --- what is told of it -----------------------------------------------------------------

    log: tuple[LogLine, ...] = ()
    """The lines that the script wrote."""

    notes: tuple[Problem, ...] = ()
    """Problems that did not stop the roll; the list of problems shows them."""

    kept_locks: Rarity = ALL_KEEP_LOCKS
    """How many of the maps that were tried keep the locks, this one included.

    Generators that build around locks try one map only.
    """

    forced_elements: tuple[str, ...] = ()
    """The names of the locked cells, sides and corners whose values were forced: ("D4",).

    If there are any, the map is not one that the generator makes.
    """

    @property
    def layers_only(self) -> bool:
        """True if it brings nothing but layers."""
        return self.records is None and self.terrain_set is None and self.grid is None
