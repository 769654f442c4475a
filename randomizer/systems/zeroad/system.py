"""The maps of 0 A.D. as a ``System``: square tiles with a texture each, and heights at corners.

``SYSTEM`` describes to the rest of the program what such a map can have. Most methods only call a
module of the folder ``map``, which does the work. That module is imported in the method, since
nothing of it is needed before the first paint of the window. Methods without a docstring have it in
``System``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.system.abilities import Ability
from randomizer.model.system.cell_width import CellWidth
from randomizer.model.system.edges import RoundEdge
from randomizer.model.system.height_scale import HeightScale
from randomizer.model.system.system import LANDSCAPE, System
from randomizer.model.things.thing_rules import Settled, ThingRules
from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL, UNITS_PER_METRE, mirrored_row
from randomizer.systems.zeroad.map.map_data import FILE_ENTRY
from randomizer.systems.zeroad.map.planes import (
    HEIGHT,
    MAX_ALONG,
    PRIORITY,
    TEXTURE,
    USUAL_SIZE,
    why_not_size,
)
from randomizer.systems.zeroad.map.terrain_set import NEW_MAP

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.problems import Problem
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.terrain.terrain import Terrain
    from randomizer.model.things.thing_kind import ThingKind
    from randomizer.model.things.things import Thing


def _with_site_warning(battlemap: Any, things: Sequence[Thing]) -> Settled:
    """Return the things, with a warning of one that would stand badly (``site_check``)."""
    from randomizer.systems.zeroad.map.site_check import with_site_warning

    return with_site_warning(battlemap, things)


class ZeroadSystem(System):
    """Maps of 0 A.D.; cells and corners are called "x,z" as scripts count them: z from below."""

    name = "zeroad"
    title = noun = "0 A.D. map"
    terrain_set = NEW_MAP
    game_has_more_terrains = True
    planes = (TEXTURE, PRIORITY, HEIGHT)
    terrain = TEXTURE
    terrain_priority = PRIORITY
    height = HEIGHT
    height_scale = HeightScale(UNITS_PER_METRE, SEA_LEVEL)
    steep_rise = 4.0 * UNITS_PER_METRE
    layouts = (SQUARE.name,)
    usual_sizes = ((USUAL_SIZE, USUAL_SIZE),)
    max_along = MAX_ALONG
    thing_rules = ThingRules(file_entry=FILE_ENTRY, settled=_with_site_warning)
    has_starts = True
    style = LANDSCAPE
    passability_reach = 3
    terrain_noun = "texture"
    script_prefix = "0ad"
    begins_rolled = True
    abilities = frozenset({Ability.ROLLS, Ability.SCRIPTS})

    def players_record(self, name: str, record: MapRecord) -> MapRecord | None:
        """Return a record as players may get it, None for one that the game does not load.

        The seed is left out, by which the map could be rolled again.
        """
        from randomizer.systems.zeroad.map.records import (
            CAMERA,
            ENVIRONMENT,
            SEA,
            SETTINGS,
            as_record,
            record_data,
        )

        if name in (CAMERA, ENVIRONMENT, SEA):
            return record
        settings = record_data({name: record}, SETTINGS)
        if not isinstance(settings, dict):
            return None
        without_seed = {key: value for key, value in settings.items() if key != "Seed"}
        return as_record(without_seed, touched=record.touched)

    def new_grid(self) -> Grid:
        return Grid(SQUARE, USUAL_SIZE, USUAL_SIZE)

    def why_not_size(self, width: int, height: int) -> str:
        return why_not_size(width, height)

    def cell_name(self, grid: Grid, cell: int) -> str:
        return ",".join(self.coordinates(grid, *grid.xy(cell)))

    def coordinates(self, grid: Grid, x: int, y: int) -> tuple[str, str]:
        return str(x), str(mirrored_row(grid.height, y))

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        match = re.fullmatch(r"(\d{1,4}),(\d{1,4})", name, re.ASCII)
        if match is None:
            return None
        x = int(match[1])
        y = mirrored_row(grid.height, int(match[2]))
        if not (0 <= x < grid.width and 0 <= y < grid.height):
            return None
        cell = grid.cell(x, y)
        if cell < 0:
            return None
        return cell

    def corner_name(self, grid: Grid, corner: int) -> str:
        y, x = divmod(corner, grid.width + 1)
        return f"corner {x},{grid.height - y}"

    def cell_width(self, _battlemap: Any, _properties: Mapping[str, Any]) -> CellWidth | None:
        from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE

        return CellWidth(METRES_PER_TILE, "m")

    def water_level(self, battlemap: BattleMap) -> float | None:
        from randomizer.systems.zeroad.map.water_height import water_plane_height

        return water_plane_height(battlemap)

    def set_water(self, battlemap: BattleMap, height: float) -> Edit | None:
        from randomizer.systems.zeroad.map.water_height import set_water

        return set_water(battlemap, height)

    def passability(self, battlemap: BattleMap, planes: Mapping[str, Plane], cells: Any) -> Any:
        from randomizer.systems.zeroad.map.passability import passability

        return passability(battlemap, planes, cells)

    def round_edge(self, battlemap: BattleMap) -> RoundEdge | None:
        from randomizer.systems.zeroad.map.map_edge import round_edge

        return round_edge(battlemap)

    def thing_kinds(self, battlemap: BattleMap) -> tuple[ThingKind, ...]:
        from randomizer.systems.zeroad.map.entity_kinds import kinds_of

        return kinds_of(battlemap)

    def thing_kind(self, battlemap: BattleMap, name: str) -> ThingKind | None:
        from randomizer.systems.zeroad.map.entity_kinds import kind_of_name

        return kind_of_name(battlemap, name)

    def usual_owner(self, battlemap: BattleMap, kind: str) -> int | None:
        from randomizer.systems.zeroad.map.owners import usual_owner
        from randomizer.systems.zeroad.map.records import settings_of_map

        return usual_owner(settings_of_map(battlemap), kind)

    def read_further_kinds(self, is_cancelled: Callable[[], bool]) -> tuple[ThingKind, ...]:
        from randomizer.systems.zeroad.installation.template_catalog import read_catalog
        from randomizer.systems.zeroad.map.entity_kinds import kinds_of_game, kinds_without_game

        catalog = read_catalog(is_cancelled)
        if catalog is None:
            return kinds_without_game()
        return kinds_of_game(catalog)

    def lacks_game(self) -> bool:
        from randomizer.systems.zeroad.installation.template_catalog import latest_catalog

        return latest_catalog() is None

    def further_terrains(self) -> tuple[Terrain, ...]:
        from randomizer.systems.zeroad.installation.template_catalog import latest_catalog
        from randomizer.systems.zeroad.map.terrain_set import terrain_of, terrains_without_game

        catalog = latest_catalog()
        if catalog is None:
            return terrains_without_game()
        return tuple(map(terrain_of, catalog.textures))

    def terrain_named(self, name: str) -> Terrain | None:
        from randomizer.systems.zeroad.map.terrain_set import terrain_of

        if re.fullmatch(r"[\w.+-]{1,100}", name):
            return terrain_of(name)
        return None

    def roll_settings_of(self, battlemap: BattleMap) -> Mapping[str, object]:
        from randomizer.systems.zeroad.map.roll_settings import roll_settings_of

        return roll_settings_of(battlemap)

    def script_file(self, battlemap: BattleMap) -> str:
        from randomizer.systems.zeroad.map.records import settings_of_map

        name = settings_of_map(battlemap).get("Script")
        if isinstance(name, str):
            return name
        return ""

    def check(self, battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
        from randomizer.systems.zeroad.map.map_check import check_map

        return check_map(battlemap, composite)

    def describe(self, battlemap: BattleMap, planes: Mapping[str, Plane], cell: int) -> str:
        from randomizer.systems.zeroad.map.tiles import describe_tile

        return describe_tile(battlemap, planes, cell)

    def accompanying_changes(
        self,
        _grid: Grid,
        composite: Composite,
        plane: str,
        _places: NDArray[np.intp],
        values: Plane,
    ) -> Mapping[str, Plane]:
        from randomizer.systems.zeroad.map.tiles import priorities_of

        return priorities_of(composite, plane, values)


SYSTEM = ZeroadSystem()
