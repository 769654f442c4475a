"""``System``: the description of one game's maps, for code that knows no game by name.

A system is the one answer to "what can maps of this game have?": its planes, grids, properties and
kinds of things, and how cells are named. The window, the storage and the command line ask it::

    battlemap.system.cell_name(grid, 0)       # "A1" on one game's maps, "0101" on another's
    battlemap.system.elevation is None        # True: these maps are flat

``randomizer/systems/`` has a subclass for each game. ``System`` has a section for each subject, and
one can be read without the others. In each section come

- the attributes, which a subclass sets where its game differs from the default;
- the methods that a subclass may override: the default is right for a game without the matter;
- the methods marked ``final``, which follow from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, final

from randomizer.model.basics.caches import KB, registered
from randomizer.model.basics.plurals import with_article
from randomizer.model.grid.cell_naming import NEUTRAL
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.planes.corners import corner_words
from randomizer.model.planes.planes import ROLLED, TOUCHED, Element, Plane, PlaneRole, PlaneSpec
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
    from randomizer.model.system.edges import EdgeFill, EntrySide, RoundEdge
    from randomizer.model.system.explanation import Explanation
    from randomizer.model.terrain.terrain import Terrain, TerrainSet
    from randomizer.model.things.thing_kind import ThingKind


AnyMap = Any
"""A ``BattleMap``; in subclasses the annotation is that name.

Here it cannot be: maps know their systems, so the module of maps imports this one.
"""

AnyEdit = Any
"""An ``Edit``, which changes a map; what is said of ``AnyMap`` is true of it, too."""


def _digits_of_names(grid: Grid) -> int:
    """Return how many digits column and row have in the name of a cell: two at least."""
    digits_needed = len(str(max(grid.width, grid.height)))
    return max(2, digits_needed)


BOARD = "app.render.style:BOARD"
"""The style of maps with a clear picture in every outlined cell."""

LANDSCAPE = "app.render.style:LANDSCAPE"
"""The style of maps whose terrains run into one another."""

PLAIN_HEIGHTS = HeightScale()
"""Heights that are displayed as planes hold them."""

_ELEMENTS_OF_ROLES = {
    PlaneRole.TERRAIN: (Element.CELL,),
    PlaneRole.HEIGHT: (Element.CELL, Element.CORNER),
    PlaneRole.HEXSIDE: (Element.SIDE,),
}
"""The elements for which the plane of a role can have values."""


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

    Unless a docstring says otherwise, the empty value of a type means that a game or a map does not
    have it: None, the text "", the tuple () and the mapping {}.

    What a user can do with a map is asked in two ways: ``abilities`` are known before the system is
    loaded, and ``offers`` tells whether the system overrides the method that a command needs.

    Its members are grouped by subject, in this order: names; planes; routes; terrain sets; grids;
    names of cells; properties; things and players; heights and water; checks and descriptions;
    drawing; scripts and generators; the class itself. A game gives those without a value here
    (``name``, ``title``, ``planes`` ...), and of the others what it has.

    There is one object of such a class. Its methods are quick, unless they say so: the window calls
    them on the UI thread, ``water_level`` also on others, with a map that has no layers.
    """

    # --- names ------------------------------------------------------------------------------------
    # What the system is called, and what its game is.

    name: str
    """Its name in files and on the command line, in lower case."""
    title: str
    """Its name for people: one of its maps, such as "Chess board"."""
    title_in_lists = ""
    """The title where a person chooses a kind of map; "" if ``title`` says enough there."""
    terrain_noun = "hazard"
    """The game's word for a terrain."""
    loading_game = ""
    """The title of the game, if it can load each map of which ``check`` returns no warning.

    "" where the checks do not promise that.
    """

    @property
    def noun(self) -> str:
        """The title as it is written inside a sentence; ``title`` where it begins with a name."""
        return self.title.lower()

    # --- planes -----------------------------------------------------------------------------------
    # Layers of a map have *planes*: arrays of values, one for each cell, side or corner. A few
    # planes have a role that every caller understands, such as that of the heights.

    planes: tuple[PlaneSpec, ...]
    """The planes that layers of its maps can have."""
    terrain: PlaneSpec | None = None
    """Indices of terrains, one a cell.

    Like ``height`` and ``hexside`` one of ``planes``, which ``__init_subclass__`` checks.
    """
    height: PlaneSpec | None = None
    """Elevations, one a cell, or heights, one a corner."""
    hexside: PlaneSpec | None = None
    """Indices of hexsides plus 1, one a side."""
    regions: PlaneSpec | None = None
    """The number of each cell's region (``model/map/regions.py``)."""

    def painted_with(
        self,
        grid: Grid,
        composite: Composite,
        plane: str,
        elements: NDArray[np.intp],
        values: Plane,
    ) -> Mapping[str, Plane]:
        """Return what else changes when a user paints values (n,) at indices (n,) of a plane.

        The result has values (n,), to be painted at the same indices, by the names of planes.
        """
        return {}

    @final
    def plane(self, name: str) -> PlaneSpec:
        """Return the specification of a plane, ``touched:`` and ``rolled:`` ones included.

        Raises KeyError if unknown.
        """
        if name.startswith(TOUCHED):
            return _touched_spec(self.plane(name.removeprefix(TOUCHED)))
        if name.startswith(ROLLED):
            return replace(self.plane(name.removeprefix(ROLLED)), name=name, shown=False)
        for spec in self.planes:
            if spec.name == name:
                return spec
        raise KeyError(name)

    @final
    def plane_with_role(self, role: PlaneRole) -> PlaneSpec | None:
        """Return the plane with a role."""
        spec: PlaneSpec | None = getattr(self, role)
        return spec

    @final
    @property
    def elevation(self) -> PlaneSpec | None:
        """The height plane if it holds elevations, one a cell; None if heights lie on corners."""
        if self.height is None or self.height.element is not Element.CELL:
            return None
        return self.height

    @final
    @property
    def corner_heights(self) -> PlaneSpec | None:
        """The height plane if heights lie on corners, else None."""
        if self.height is None or self.height.element is not Element.CORNER:
            return None
        return self.height

    @final
    @property
    def has_corners(self) -> bool:
        """True if a plane has its values at corners."""
        return any(spec.element is Element.CORNER for spec in self.planes)

    @final
    @property
    def shown_planes(self) -> tuple[PlaneSpec, ...]:
        """The planes that make up the look of a map."""
        return tuple(spec for spec in self.planes if spec.shown)

    @final
    @property
    def stores_rolled_values(self) -> bool:
        """True if a rolled layer stores what the roll made where a hand changes it (``ROLLED``).

        A set of terrains that changes would change the stored codes, too, and a link of a route
        that comes back may have lost its counterpart: maps with either do not store them.
        """
        return self.fixed_terrain_set and not any(spec.links for spec in self.planes)

    # --- routes -----------------------------------------------------------------------------------
    # Routes, such as roads and rivers, run from cell to cell by *links*: the bits of a plane that
    # tell by which of its sides a route leaves a cell. *Ways* are the routes that belong to the
    # terrain set of a map.

    routes: tuple[RouteSpec, ...] = ()
    """The routes that all its maps have; ``routes_of`` returns those of one map."""
    crossings: tuple[CrossingSpec, ...] = ()
    """The crossings of ``routes``; ``crossings_of`` returns those of one map."""
    ways: tuple[PlaneSpec, ...] = ()
    """Planes of links: the n-th is that of the n-th way of a map's terrain set."""
    flow: PlaneSpec | None = None
    """A plane of links (``routes.PRESENT``): the sides by which water flows out of a cell.

    By the sides of a river that are not among them, water flows in.
    """
    flow_width: PlaneSpec | None = None
    """The width of water where it leaves a cell, in quarters of its way's width; 0 means four."""
    links_answer = True
    """True if a link always has its counterpart in the cell beyond the side, or leads off the map.

    False if routes may end at a side, as roads at the houses of a town.
    """

    @final
    def routes_of(self, terrain_set: TerrainSet) -> tuple[RouteSpec, ...]:
        """Return the routes of maps with this terrain set, in the order of lists."""
        return _routes_of(self, terrain_set)

    @final
    def crossings_of(self, terrain_set: TerrainSet) -> tuple[CrossingSpec, ...]:
        """Return the crossings of routes of maps with this terrain set."""
        if not self.ways:
            return self.crossings
        return (*self.crossings, *crossings_of_ways(self.routes_of(terrain_set)))

    # --- terrain sets -----------------------------------------------------------------------------
    # A terrain set lists the terrains of a map. These tell which sets maps can have, and where a
    # user finds further terrains.

    terrain_set: TerrainSet
    """The terrain set of a new map."""
    fixed_terrain_set = False
    """True if no map can have another set."""
    open_terrain_set = False
    """True if the game has more terrains than the set of a map.

    A terrain that a new set lacks is then still one of the game, and not marked as missing.
    """
    own_terrain_sets = False
    """True if the terrain set is the user's, who edits it, opens it from a file and saves it."""
    packaged_terrains: tuple[str, ...] = ()
    """The names of the terrain sets that come with the system, see ``packaged_terrain_set``."""

    def packaged_terrain_set(self, name: str) -> TerrainSet:
        """Return one of the ``packaged_terrains``. Raises KeyError for another name."""
        raise KeyError(name)

    def further_terrains(self) -> tuple[Terrain, ...]:
        """Return the terrains of the installed game that can be added to a set.

        Without a game, and before ``read_further_kinds`` was called, these are the ones that the
        program knows of.
        """
        return ()

    def terrain_named(self, name: str) -> Terrain | None:
        """Return the terrain of a name that can be added to a set."""
        return None

    # --- grids ------------------------------------------------------------------------------------
    # Which grids maps can have, how large a cell is, and the border of the board.

    fixed_grid = False
    """True if every map has the grid of ``new_grid``."""
    layouts: tuple[str, ...] = ()
    """The names of the layouts of its grids; () means any layout, wrapped or not.

    A system with a plane of corners has squares only.
    """
    wraps = False
    """True if grids of the ``layouts`` can wrap."""
    usual_sizes: tuple[tuple[int, int], ...] = ()
    """The usual (width, height) for each of the ``layouts``."""
    most_along: int | None = None
    """The most columns, and also the most rows, that a grid can have; None for no limit."""
    entry_sides: tuple[EntrySide, ...] = ()
    """The entry sides of the board."""
    edge_fills: tuple[EdgeFill, ...] = ()
    """The commands that fill edges by the rules of hexsides, in the order of the menu."""

    def new_grid(self) -> Grid:
        """Return the grid of a new map."""
        raise NotImplementedError

    def why_not_size(self, width: int, height: int) -> str:
        """Return why no map can have this width and height, in words; "" if one can."""
        return ""

    def cell_width(self, battlemap: AnyMap, properties: Mapping[str, Any]) -> CellWidth | None:
        """Return how wide a cell is in the world; None if a map does not say.

        ``properties`` are those of the map's composite; here it is the one called ``scale``.
        Distances, scale bars and files of other programs all use this width.
        """
        return read_cell_width(str(properties.get(SCALE, "")))

    def round_edge(self, battlemap: AnyMap) -> RoundEdge | None:
        """Return the edge of a round map."""
        return None

    @final
    def why_not_grid(self, grid: Grid) -> str:
        """Return why a map cannot have this grid, in words; "" if it can."""
        if grid.wrap and not self.can_wrap:
            return f"no {self.title} has such a grid"
        if self.layouts and grid.layout.name not in self.layouts:
            return f"no {self.title} has such a grid"
        if self.most_along is not None and max(grid.width, grid.height) > self.most_along:
            return f"{with_article(self.title)} has at most {self.most_along} columns and rows"
        return self.why_not_size(grid.width, grid.height)

    @final
    @property
    def can_wrap(self) -> bool:
        """True if its grids can wrap."""
        return self.wraps or not self.layouts

    # --- names of cells ---------------------------------------------------------------------------
    # How a person calls a cell. A game that names cells in its own way overrides ``cell_name`` and
    # ``cell_of_name`` together, and ``coordinates`` if its names have a column and a row.

    own_cell_names = False
    """True if its maps say how their cells are named (``Grid.naming``)."""

    def cell_name(self, grid: Grid, cell: int) -> str:
        """Return the name of a cell in the style of the game; here column and row."""
        return grid.naming.text(*grid.xy(cell), _digits_of_names(grid))

    def coordinates(self, grid: Grid, x: int, y: int) -> tuple[str, str] | None:
        """Return column and row of a cell as its name has them; None if it has no such parts."""
        if self.offers(System.cell_name):  # its names may be no coordinates at all
            return None
        return grid.naming.coordinates(x, y, _digits_of_names(grid))

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        """Return the cell of a name, None if no cell has it.

        Whatever the naming of the grid, the neutral names of cells (0304) are understood, too.
        """
        for naming in (grid.naming, NEUTRAL):
            position = naming.xy(name)
            if position is None:
                continue
            x, y = position
            if not 0 <= x < grid.width:  # a wrapped grid has cells beyond its seam, without names
                continue
            cell = grid.cell(x, y)
            # A number can be written in several ways ("3" and "03"); only one is the name.
            if cell >= 0 and naming.text(*grid.xy(cell), _digits_of_names(grid)) == name:
                return cell
        return None

    def corner_name(self, grid: Grid, corner: int) -> str:
        """Return the name of a corner."""
        return corner_words(grid, corner)

    # --- properties -------------------------------------------------------------------------------
    # Values of the whole map, such as its title.

    properties: tuple[Property, ...] = ()
    """The properties of its maps."""
    title_property: str | None = None
    """The property that names a map."""

    @final
    def property_named(self, name: str) -> Property:
        """Return the description of a property. Raises KeyError if unknown."""
        for prop in self.properties:
            if prop.name == name:
                return prop
        raise KeyError(name)

    @final
    def map_title(self, properties: Mapping[str, Any]) -> str:
        """Return the title among the properties of a composite; "" if it has none."""
        return str(properties.get(self.title_property or "", ""))

    @final
    @cached_property
    def cell_list(self) -> Property | None:
        """The property whose cells are marked on the map."""
        for prop in self.properties:
            if prop.shown and prop.kind is PropertyKind.NAMES:
                return prop
        return None

    @final
    def listed_cells(self, properties: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the cells in ``cell_list``."""
        if self.cell_list is None:
            return ()
        names: tuple[str, ...] = self.cell_list.of(properties)
        return names

    # --- things and players -----------------------------------------------------------------------
    # *Things* stand on cells, such as units and texts. Each has a *kind*, and may have an owner: a
    # player, who is known by a number.

    thing_rules: ThingRules = FREE
    """The rules of where things may stand, and which carries which."""
    has_starts = False
    """True if its maps hold starts of players: then no map is made symmetric by copying."""

    def thing_kinds(self, battlemap: AnyMap) -> tuple[ThingKind, ...]:
        """Return the kinds of things that can be placed on a map."""
        return ()

    def thing_kind(self, battlemap: AnyMap, name: str) -> ThingKind | None:
        """Return the kind of a name, also of one that no map has yet; None if there is none."""
        for kind in self.thing_kinds(battlemap):
            if kind.name == name:
                return kind
        return None

    def usual_owner(self, battlemap: AnyMap, kind: str) -> int | None:
        """Return the owner of new things of a kind until a user chooses one; None if any will do.

        On maps whose players have peoples it is the first player of the kind's people.
        """
        return None

    @property
    def text_kinds(self) -> frozenset[str]:
        """The names of the kinds whose things are texts: they are never turned upside down."""
        return frozenset()

    @property
    def quick_kinds(self) -> tuple[str, ...]:
        """The names of the kinds that a right click on a cell offers to place there."""
        return ()

    def read_further_kinds(self, is_cancelled: Callable[[], bool]) -> tuple[ThingKind, ...]:
        """Return all kinds that the installed game has. It can take seconds: call it in a job.

        If no game is installed, these are the kinds that the program knows of (``lacks_game``).
        """
        return ()

    def lacks_game(self) -> bool:
        """Return whether ``read_further_kinds`` has found no installed game."""
        return False

    def countries(self, battlemap: AnyMap) -> Mapping[int, NDArray[np.intp]]:
        """Return the cells of each owner's country by the owner's number, which is 1 or more."""
        return {}

    def edit_to_keep_owners(self, battlemap: AnyMap) -> AnyEdit | None:
        """Return the ``Edit`` by which the next roll keeps the players of a map.

        It is applied when a user places things for players, whom a roll would replace. None if
        rolls do not change players.
        """
        return None

    def players_record(self, name: str, record: MapRecord) -> MapRecord | None:
        """Return the record as players get it (``players_view``); None if they do not get it.

        Records that every system can have, such as regions, are not asked for.
        """
        return None

    def pieces(self, grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
        """Return how many physical pieces of each name are needed to set up a map."""
        return {}

    # --- heights and water ------------------------------------------------------------------------
    # How heights are told, and where land is under water or too steep for units.

    height_scale = PLAIN_HEIGHTS
    """The scale in which heights are displayed."""
    steep_rise = 3.0
    """The rise from cell to cell, in units of height, that gets the full light or shade."""
    passability_reach = 0
    """The distance in cells over which heights count for the ``passability`` of a cell.

    0 if the system does not override ``passability``, which is then not to be called.
    """

    def elevation_text(self, elevation: int) -> str:
        """Return an elevation in words."""
        return f"elevation {elevation}"

    def water_level(self, battlemap: AnyMap) -> float | None:
        """Return the height of the water's surface, as planes hold heights."""
        return None

    def set_water(self, battlemap: AnyMap, height: float) -> AnyEdit | None:
        """Return the ``Edit`` that changes ``water_level``; None if it is that height already."""
        return None

    def passability(
        self, battlemap: AnyMap, planes: Mapping[str, Plane], cells: NDArray[np.intp] | slice
    ) -> tuple[Sequence[tuple[str, str]], NDArray[np.intp]]:
        """Return the kinds of ground, and the index of the kind of each of the cells: shape (n,).

        ``cells`` are indices, or the slice of whole rows. A kind is a name, and what it does to
        units: one of ``terrain_check.HINDERS``, or "ships" where only ships pass.
        """
        raise NotImplementedError

    # --- checks and descriptions ------------------------------------------------------------------
    # What the program tells a user about a map and its cells.

    def check(self, battlemap: AnyMap, composite: Composite) -> tuple[Problem, ...]:
        """Return the warnings about a map; a system of a game returns those of the game."""
        from randomizer.model.system.routes_in_water import routes_in_water

        return routes_in_water(battlemap, composite)

    def describe(self, battlemap: AnyMap, planes: Mapping[str, Plane], cell: int) -> str:
        """Return a text of all that is on a cell, by the shown planes of a composite.

        "" if there is nothing but terrain and elevation, which every caller can tell.
        """
        return ""

    def explain(self, battlemap: AnyMap, cell: int, *, at_once: bool) -> Explanation | None:
        """Return why a roll gave a cell its terrain; None if that is not known.

        With ``at_once`` only what takes less than a second to work out.
        """
        return None

    # --- drawing ----------------------------------------------------------------------------------
    # How maps are drawn.

    style = BOARD
    """The style that draws its maps: ``BOARD``, ``LANDSCAPE`` or another ``module:name``.

    It is a path of a ``Style``, since this package does not know the one that draws.
    """
    plan_style = ""
    """The style of the plan that a user can choose instead, as ``style``."""
    terrain_priority: PlaneSpec | None = None
    """A plane of cells: of two terrains that of the higher value is drawn over the other's edge.

    None: terrains have priorities of their own (``Terrain.priority``).
    """
    undrawn_records: frozenset[str] = frozenset()
    """The records that nothing of a map's picture depends on: they change without redrawing it."""

    # --- scripts and generators -------------------------------------------------------------------
    # How maps are rolled: a generator makes them, of which a script tells what they are like.

    abilities: frozenset[Ability] = frozenset()
    """The abilities of its maps: panels that have nothing to do on them do not show."""
    begins_rolled = False
    """True if *New map* offers the first generator of the catalogue before the empty map."""
    script_record = ""
    """The name of the record with a map's script; "" if scripts are in files alone.

    A further file NAME of the script is in the record ``further_record(script_record, NAME)``.
    """
    script_noun = "script"
    """The game's word for a script."""
    script_prefix = ""
    """The text that may stand, with a colon, before the names of the scripts of its game."""
    records_of_file: frozenset[str] = frozenset()
    """The records about a map's file, such as how it is saved."""

    def script_file(self, battlemap: AnyMap) -> str:
        """Return the name of the file of a map's script, as the map itself has it; "" for none.

        The file lies beside that of the map, or the script is one of the program's.
        """
        return ""

    def name_script_file(self, battlemap: AnyMap, name: str) -> AnyEdit | None:
        """Return the ``Edit`` that notes in a map the name of the file of its script.

        It is the file from which the script was opened, or in which it was saved; "" if it is in
        no file of the user. None if the map has that name already, or needs none.
        """
        return None

    def roll_settings_of(self, battlemap: AnyMap) -> Mapping[str, object]:
        """Return the settings, by name, with which a roll makes a map like this one.

        They are such as its size and the number of its players; {} where it says nothing of them.
        """
        return {}

    @final
    @property
    def has_script_panel(self) -> bool:
        """True if the panel of scripts is for its maps."""
        return bool(self.abilities & {Ability.SCRIPTS, Ability.SETTINGS})

    # --- the class --------------------------------------------------------------------------------

    @final
    def offers(self, method: Callable[..., object]) -> bool:
        """Return whether the system overrides a method, such as ``System.explain``.

        A command that needs the method is shown only if so: the default does nothing.
        """
        return getattr(type(self), method.__name__) is not method

    def __init_subclass__(cls) -> None:
        """Check the planes of a new subclass. Raises ValueError if one does not fit its role."""
        if not hasattr(cls, "planes"):
            return  # a base class of systems, which leaves the planes to these
        for role, elements in _ELEMENTS_OF_ROLES.items():
            spec: PlaneSpec | None = getattr(cls, role)
            if spec is not None and (spec not in cls.planes or spec.element not in elements):
                raise ValueError(f"{cls.name}: {spec.name} cannot be the {role} plane")
        has_corners = any(spec.element is Element.CORNER for spec in cls.planes)
        if has_corners and (cls.layouts != (SQUARE.name,) or cls.wraps):
            raise ValueError(f"{cls.name}: only squares have corners, not {cls.layouts}")


def _touched_spec(spec: PlaneSpec) -> PlaneSpec:
    """Return the plane that marks where a hand has changed another one: 1 for touched, else 0."""
    return replace(
        spec,
        name=TOUCHED + spec.name,
        dtype="u1",
        unset=0,
        default=0,
        shown=False,
        links=False,
        minimum=0,
        maximum=1,
    )


@registered(bytes_each=3 * KB)
@lru_cache(4)
def _routes_of(system: System, terrain_set: TerrainSet) -> tuple[RouteSpec, ...]:
    """Return ``System.routes_of``, which every frame asks for."""
    return (*system.routes, *routes_of_ways(terrain_set.ways, system.ways))
