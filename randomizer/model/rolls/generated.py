"""What a generator made, before it is in a map."""

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

    There is at least one layer. ``run`` completes those without a ``roll``; a generator whose
    layers have origins, parts or libraries sets it itself. The map assigns ids to the layers and to
    the things in them. A thing with a ``key`` is the same one in every roll: where it was moved or
    deleted by hand, it is not placed again.

    Under locks ``tried`` maps were tried, and ``eligible`` of them, the result included, keep the
    locks; generators that can work around locks try only one. ``notes`` are problems that did not
    stop the roll. ``put_back`` names the locked places whose values were forced: if any, the map is
    not one that the generator makes.

    ``records``, ``terrain_set`` and ``grid`` are None where it brings none: the codes and shapes of
    the layers are then those of the base, else those of these. They replace the map's own only if
    this is the roll of the map's source (``put_roll``).
    """

    layers: tuple[Layer, ...]
    number: int
    tried: int = 1
    log: tuple[LogLine, ...] = ()
    notes: tuple[Problem, ...] = ()
    eligible: int = 1
    put_back: tuple[str, ...] = ()
    records: Mapping[str, MapRecord] | None = None
    terrain_set: TerrainSet | None = None
    grid: Grid | None = None

    @property
    def layers_only(self) -> bool:
        """True if it brings nothing but layers."""
        return self.records is None and self.terrain_set is None and self.grid is None

    @property
    def rarity(self) -> str:
        """The rarity of maps that keep the locks (``Rarity.about``); "" if all do."""
        return Rarity(self.eligible, self.tried).about
