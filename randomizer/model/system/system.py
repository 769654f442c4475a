"""What the maps of one game are made of, for code that knows no game by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_naming import NEUTRAL
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.planes.corners import corner_words
from randomizer.model.planes.planes import TOUCHED, Place, Plane, PlaneRole, PlaneSpec
from randomizer.model.planes.routes import crossings_of_ways, routes_of_ways
from randomizer.model.system.cell_width import SCALE, CellWidth, read_cell_width
from randomizer.model.system.height_scale import HeightScale
from randomizer.model.system.property import Property, PropertyKind
from randomizer.model.things.thing_rules import FREE, ThingRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.routes import CrossingSpec, RouteSpec
    from randomizer.model.problems import Problem
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.system.explanation import Explanation
    from randomizer.model.terrain.terrain import Terrain, TerrainSet
    from randomizer.model.things.thing_kind import ThingKind


def _digits(grid: Grid) -> int:
    """Return the digits of each number in the name of a cell."""
    return max(2, len(str(max(grid.width, grid.height))))


@dataclass(frozen=True, slots=True)
class EdgeFill:
    """A command that puts a hexside on every edge that matches the hexside's rule.

    ``letter`` is the hexside's letter in the terrain set, ``icon`` the name of a picture.
    """

    title: str
    icon: str
    letter: str


BOARD = "app.render.style:BOARD"
LANDSCAPE = "app.render.style:LANDSCAPE"
"""How maps are drawn: a clear picture in every outlined cell, or terrains that run into another."""

PLAIN_HEIGHTS = HeightScale()

_PLACES_OF_ROLES = {
    PlaneRole.TERRAIN: (Place.CELL,),
    PlaneRole.HEIGHT: (Place.CELL, Place.CORNER),
    PlaneRole.HEXSIDE: (Place.SIDE,),
}


class Ability(StrEnum):
    """An ability of a system's maps that the catalogue knows without loading the system."""

    ROLLS = "rolls"
    """A generator."""

    SCRIPTS = "scripts"
    """A language of scripts."""

    SETTINGS = "settings"
    """A generator without a script, whose settings stand in the panel of scripts."""

    FAIRNESS = "fairness"
    """A model of how armies fight on a map."""


class System:
    """The description of one game's maps; a game's own class overrides what is different there::

        class ChessSystem(System):
            name = "chess"
            title = "Chess board"
            terrain_set = BOARD_TERRAINS
            planes = (TERRAIN,)
            terrain = TERRAIN

            def new_grid(self):
                return Grid(SQUARE, 8, 8)

    There is one object of such a class. Its methods are quick: the desk calls them on the UI
    thread, ``water_level`` also on others, with a map that has no layers. Raises ValueError where a
    class is made whose planes do not fit.
    """

    name: str
    title: str
    title_in_lists = ""
    """The title where a person chooses a kind of map, if it says more there; "" if it does not."""

    planes: tuple[PlaneSpec, ...]
    terrain: PlaneSpec | None = None
    """Indices of terrains, one a cell; like the next two one of ``planes``, None if it has none."""
    height: PlaneSpec | None = None
    """Elevations, one a cell, or heights, one a corner."""
    hexside: PlaneSpec | None = None
    """Indices of hexsides plus 1, one a side."""
    routes: tuple[RouteSpec, ...] = ()
    """What runs through cells of all its maps; ``routes_of`` for one map."""
    crossings: tuple[CrossingSpec, ...] = ()
    """Where two routes of all its maps meet; ``crossings_of`` for one map."""
    ways: tuple[PlaneSpec, ...] = ()
    """Planes of links: the n-th is that of the n-th way of a map's terrain set."""
    flow: PlaneSpec | None = None
    """A plane of links (``routes.PRESENT``) with the sides by which water flows out of a cell; it
    flows in by the other sides by which a river leaves the cell."""
    flow_width: PlaneSpec | None = None
    """How wide water is where it leaves a cell, in quarters of its way's width; 0: four."""
    regions: PlaneSpec | None = None
    """Which region (``randomizer.model.map.regions``) a cell belongs to, None if there are none."""
    links_answer = True
    """Whether a link always has its counterpart in the cell beyond the side, or leads off the map;
    else routes may end at a side, as roads at the houses of a town."""

    terrain_set: TerrainSet
    """The terrain set of a new map."""
    fixed_terrain_set = False
    """Whether no map can have another."""
    open_terrain_set = False
    """Whether the game has more terrains than a map's set: one that is gone is no missing one."""
    own_cell_names = False
    """Whether its maps say how their cells are named (``Grid.naming``)."""
    own_terrain_sets = False
    """Whether the terrain set is the user's: edited, opened from files and saved as such."""

    packaged_terrains: tuple[str, ...] = ()
    """The names of the terrain sets that come with the system, see ``packaged_terrain_set``."""

    fixed_grid = False
    """Whether every map has the grid of ``new_grid``."""
    layouts: tuple[str, ...] = ()
    """The layouts of its grids; with a plane of corners squares only. None: any, also wrapped."""
    wraps = False
    """Whether grids of the ``layouts`` can wrap."""
    usual_sizes: tuple[tuple[int, int], ...] = ()
    """The usual width and height for each of the ``layouts``."""
    most_along: int | None = None
    """The longest edge of a grid."""

    properties: tuple[Property, ...] = ()
    """The properties of its maps."""
    title_property: str | None = None
    """The property that names a map."""
    entry_sides: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The named entry sides of the board: (name, cells)."""
    edge_fills: tuple[EdgeFill, ...] = ()
    thing_rules: ThingRules = FREE
    """Where things may stand, and which carries which."""
    height_scale = PLAIN_HEIGHTS
    """How heights are written."""
    steep_rise = 3.0
    """A rise from cell to cell, in units of height, that has the full light or shade."""
    terrain_priority: PlaneSpec | None = None
    """The plane of cells that says which of two terrains is drawn over the edge of the other one:
    that of the higher value. None: that follows from the terrains."""
    has_starts = False
    """Whether its maps hold starts of players, so that no map is made symmetric by copying."""
    style = BOARD
    """``module:name`` of the ``app.render.style.Style`` that draws its maps."""
    plan_style = ""
    """As ``style``, of the plan that maps are drawn as if a person chooses so; "" if there is none.
    """
    passability_reach = 0
    """``passability`` of a cell depends on heights at most so many cells away; 0: it has none."""
    terrain_noun = "hazard"
    """What a game calls a terrain."""

    script_record = ""
    """The record with a map's script, "" where scripts are in files alone. The script's file NAME
    is in the record ``map_records.further_record(script_record, NAME)``."""
    records_of_file: frozenset[str] = frozenset()
    """The records about a map's file, such as how it is saved."""
    script_prefix = ""
    """What may stand, with a colon, before the names of the scripts of its game."""
    begins_rolled = False
    """Whether *New map* offers the first generator of the catalogue before the empty map."""
    abilities: frozenset[Ability] = frozenset()
    """What the catalogue has for its maps: panels that have nothing to do on them do not show."""

    def __init_subclass__(cls) -> None:
        for role, places in _PLACES_OF_ROLES.items():
            spec: PlaneSpec | None = getattr(cls, role)
            if spec is not None and (spec not in cls.planes or spec.place not in places):
                raise ValueError(f"{cls.name}: {spec.name} cannot be the {role} plane")
        has_corners = any(spec.place is Place.CORNER for spec in cls.planes)
        if has_corners and (cls.layouts != (SQUARE.name,) or cls.wraps):
            raise ValueError(f"{cls.name}: only squares have corners, not {cls.layouts}")

    def offers(self, method: Callable[..., object]) -> bool:
        """Return whether the system has its own version of a method, such as ``System.explain``."""
        return getattr(type(self), method.__name__) is not method

    # --- grids and names ------------------------------------------------------------------------

    def new_grid(self) -> Grid:
        """Return the grid of a new map."""
        raise NotImplementedError

    def why_not_size(self, _width: int, _height: int) -> str:
        """Say why no map can have this width and height; "" if one can."""
        return ""

    def cell_name(self, grid: Grid, cell: int) -> str:
        """Name a cell in the style of the game; here by column and row, as the grid says."""
        return grid.naming.text(*grid.xy(cell), _digits(grid))

    def coordinates(self, grid: Grid, x: int, y: int) -> tuple[str, str] | None:
        """Return column and row of a cell as its name has them, None if names are made otherwise.

        A system that overrides ``cell_name`` overrides this, too, if its names are coordinates.
        """
        if self.offers(System.cell_name):
            return None
        return grid.naming.coordinates(x, y, _digits(grid))

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        """Return the cell with a name, None if there is none; neutral ones (0304) always count."""
        for naming in (grid.naming, NEUTRAL):
            x, y = naming.xy(name) or (-1, -1)
            if 0 <= x < grid.width:  # columns beyond the seam of a wrapped map have no names
                cell = grid.cell(x, y)
                if cell >= 0 and naming.text(*grid.xy(cell), _digits(grid)) == name:
                    return cell
        return None

    def corner_name(self, grid: Grid, corner: int) -> str:
        """Name a corner."""
        return corner_words(grid, corner)

    # --- maps: ``BattleMap`` and ``Edit`` know their system, so here they are Any -----------------

    def elevation_text(self, elevation: int) -> str:
        """Say an elevation."""
        return f"elevation {elevation}"

    def roll_settings_of(self, _battlemap: Any) -> Mapping[str, object]:
        """Return the settings, by name, with which a roll makes a map like this one: as large, for
        as many players. {} where a map says nothing of them.
        """
        return {}

    def check(self, battlemap: Any, composite: Composite) -> tuple[Problem, ...]:
        """Return what is doubtful on a map; systems of games return the warnings of their game."""
        from randomizer.model.system.route_ends import routes_ending_in_water

        return routes_ending_in_water(battlemap, composite)

    def describe(self, _battlemap: Any, _planes: Mapping[str, Plane], _cell: int) -> str:
        """Say all that is on a cell, by the shown planes; "": terrain and elevation are all."""
        return ""

    def explain(self, _battlemap: Any, _cell: int, _at_once: bool) -> Explanation | None:
        """Say why a roll gave a cell its terrain; ``at_once`` what needs no second to work out."""
        return None

    def pieces(self, _grid: Grid, _planes: Mapping[str, Plane]) -> dict[str, int]:
        """Count the physical pieces that are needed to set up a map, by name."""
        return {}

    def cell_width(self, _battlemap: Any, properties: Mapping[str, Any]) -> CellWidth | None:
        """Return how wide a cell is in the world, None if a map does not say.

        Here that is the property ``scale`` among those that are shown; distances, scale bars and
        files of other programs ask for nothing else.
        """
        return read_cell_width(str(properties.get(SCALE, "")))

    def players_record(self, _name: str, _record: MapRecord) -> MapRecord | None:
        """Return what the file of a map for players has of a record, None for nothing.

        Regions, which every system can have, are taken care of.
        """
        return None

    def routes_of(self, terrain_set: TerrainSet) -> tuple[RouteSpec, ...]:
        """Return what can run through cells with this terrain set, in the order of lists."""
        return (*self.routes, *routes_of_ways(terrain_set.ways, self.ways))

    def crossings_of(self, terrain_set: TerrainSet) -> tuple[CrossingSpec, ...]:
        """Return where routes meet with this terrain set."""
        if not self.ways:
            return self.crossings
        return (*self.crossings, *crossings_of_ways(self.routes_of(terrain_set)))

    def packaged_terrain_set(self, name: str) -> TerrainSet:
        """Return one of the ``packaged_terrains``. Raises KeyError for another name."""
        raise KeyError(name)

    def thing_kinds(self, _battlemap: Any) -> tuple[ThingKind, ...]:
        """Return the kinds of things that can be placed on a map."""
        return ()

    def thing_kind(self, battlemap: Any, name: str) -> ThingKind | None:
        """Return the kind of a name, also of one that no map has yet; None if there is none."""
        return next((kind for kind in self.thing_kinds(battlemap) if kind.name == name), None)

    @property
    def text_kinds(self) -> frozenset[str]:
        """The names of the kinds whose things are texts, which are never turned upside down."""
        return frozenset()

    def keep_owners(self, _battlemap: Any) -> Any:
        """Return the ``Edit`` after which a roll keeps the players to whom things belong.

        Things are placed by hand for them. None if a roll does not change them.
        """
        return None

    @property
    def quick_kinds(self) -> tuple[str, ...]:
        """The names of the kinds that a right click on a cell offers to place there."""
        return ()

    def read_further_kinds(self, _is_cancelled: Callable[[], bool]) -> tuple[ThingKind, ...]:
        """Return all kinds that the installed game has. It may take seconds: it is for jobs.

        Without a game they are those that a game is known to have (``lacks_game``).
        """
        return ()

    def lacks_game(self) -> bool:
        """Return whether ``read_further_kinds`` has found no installed game."""
        return False

    def further_terrains(self) -> tuple[Terrain, ...]:
        """Return what a terrain set can get beside, as far as ``read_further_kinds`` has read."""
        return ()

    def terrain_named(self, _name: str) -> Terrain | None:
        """Return a terrain of a name that a set can get, None if it is no name of one."""
        return None

    def script_file(self, _battlemap: Any) -> str:
        """Return the name of the file beside a map's file that its script came from, "" for none.

        That is for systems with a ``script_record``.
        """
        return ""

    def name_script_file(self, _battlemap: Any, _name: str) -> Any:
        """Return the ``Edit`` that notes the name of the file with the script of a map.

        The script was saved there, or opened from there; "": it is in no file of the user's. None
        if the map says so already, or nothing that is written with the map needs the name.
        """
        return None

    def water_level(self, _battlemap: Any) -> float | None:
        """Return the height of the surface of the water, None for no water."""
        return None

    def set_water(self, _battlemap: Any, _height: float) -> Any:
        """Return the ``Edit`` that changes the height of the water, None if it is that already."""
        return None

    def passability(self, _battlemap: Any, _planes: Mapping[str, Plane], _cells: Any) -> Any:
        """Return kinds of ground, and which of them each of ``_cells`` is: shape (n,).

        Cells are indices, or the slice of whole rows. A kind is a text and what it does to units:
        one of ``terrain_check.HINDERS``, or "ships": only these pass.
        """
        raise NotImplementedError

    def countries(self, _battlemap: Any) -> Mapping[int, NDArray[np.intp]]:
        """Return the cells of each owner's country by the owner's number, from 1."""
        return {}

    def round_edge(self, _battlemap: Any) -> tuple[float, float] | None:
        """Return the radii, in map units around the middle, of a round map and of its units."""
        return None

    def painted_with(
        self,
        _grid: Grid,
        _shown: Composite,
        _plane: str,
        _places: NDArray[np.intp],
        _values: Plane,
    ) -> Mapping[str, Plane]:
        """Return what a hand paints along with values (n,) at places (n,) of a plane.

        That is (n,) values by the name of their plane.
        """
        return {}

    # --- what follows ---------------------------------------------------------------------------

    @property
    def noun(self) -> str:
        """The title as it is written inside a sentence; ``title`` where it begins with a name."""
        return self.title.lower()

    def with_role(self, role: PlaneRole) -> PlaneSpec | None:
        """Return the plane with a role, None if the system has none."""
        spec: PlaneSpec | None = getattr(self, role)
        return spec

    @property
    def elevation(self) -> PlaneSpec | None:
        """The height plane if it holds elevations, one a cell; None if heights lie on corners."""
        at_cells = self.height is not None and self.height.place is Place.CELL
        return self.height if at_cells else None

    @property
    def corner_heights(self) -> PlaneSpec | None:
        """The height plane if heights lie on corners, else None."""
        at_corners = self.height is not None and self.height.place is Place.CORNER
        return self.height if at_corners else None

    def plane(self, name: str) -> PlaneSpec:
        """Return the specification of a plane, ``touched:`` ones included.

        Raises KeyError if unknown.
        """
        if name.startswith(TOUCHED):
            return replace(
                self.plane(name.removeprefix(TOUCHED)),
                name=name,
                dtype="u1",
                unset=0,
                default=0,
                shown=False,
                links=False,
                least=0,
                most=1,
            )
        for spec in self.planes:
            if spec.name == name:
                return spec
        raise KeyError(name)

    def map_title(self, properties: Mapping[str, Any]) -> str:
        """Return the title among the properties of a composite; "" if it has none."""
        return str(properties.get(self.title_property or "", ""))

    @cached_property
    def cell_list(self) -> Property | None:
        """The property whose cells are marked on the map; None if the system has none."""
        listed = (prop for prop in self.properties if prop.shown)
        return next((prop for prop in listed if prop.kind is PropertyKind.NAMES), None)

    def listed_cells(self, properties: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the cells in ``cell_list``."""
        names: tuple[str, ...] = () if self.cell_list is None else self.cell_list.of(properties)
        return names

    @property
    def has_corners(self) -> bool:
        """True if a plane has its values at corners."""
        return any(spec.place is Place.CORNER for spec in self.planes)

    def why_not_grid(self, grid: Grid) -> str:
        """Return why a map cannot have this grid, in words; "" if it can."""
        if grid.wrap and not self.can_wrap:
            return f"no {self.title} has such a grid"
        if self.layouts and grid.layout.name not in self.layouts:
            return f"no {self.title} has such a grid"
        if self.most_along is not None and max(grid.width, grid.height) > self.most_along:
            return f"{with_article(self.title)} has at most {self.most_along} columns and rows"
        return self.why_not_size(grid.width, grid.height)

    @property
    def can_wrap(self) -> bool:
        """True if its grids can wrap."""
        return self.wraps or not self.layouts

    @property
    def has_script_panel(self) -> bool:
        """True if the panel of scripts is for its maps."""
        return bool(self.abilities & {Ability.SCRIPTS, Ability.SETTINGS})

    @property
    def shown_planes(self) -> tuple[PlaneSpec, ...]:
        """The planes that make up the look of a map."""
        return tuple(spec for spec in self.planes if spec.shown)

    # The last of the class: below it the name is no longer that of the decorator.
    def property(self, name: str) -> Property:
        """Return the description of a property. Raises KeyError if unknown."""
        for prop in self.properties:
            if prop.name == name:
                return prop
        raise KeyError(name)
