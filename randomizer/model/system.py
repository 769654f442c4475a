"""What the maps of one game are made of, for code that knows no game by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer.model.composite import Composite
from randomizer.model.corners import corner_words
from randomizer.model.height_scale import HeightScale
from randomizer.model.layouts import SQUARE
from randomizer.model.planes import TOUCHED, Place, Plane, PlaneRole, PlaneSpec
from randomizer.model.plurals import with_article
from randomizer.model.property import Property, PropertyKind
from randomizer.model.thing_rules import FREE, ThingRules

if TYPE_CHECKING:
    from randomizer.model.explanation import Explanation
    from randomizer.model.grid import Grid
    from randomizer.model.problems import Problem
    from randomizer.model.routes import CrossingSpec, RouteSpec
    from randomizer.model.terrain import TerrainSet
    from randomizer.model.thing_kind import ThingKind


@dataclass(frozen=True, slots=True)
class EdgeFill:
    """A command that puts a hexside on every edge that matches the hexside's rule.

    ``letter`` is the hexside's letter in the terrain set, ``icon`` the name of a picture.
    """

    title: str
    icon: str
    letter: str


BOARD, LANDSCAPE = "board", "landscape"
"""How maps are drawn: a clear picture in every outlined cell, or terrains that run into another."""

PLAIN_HEIGHTS = HeightScale()

_PLACES_OF_ROLES = {
    PlaneRole.TERRAIN: (Place.CELL,),
    PlaneRole.HEIGHT: (Place.CELL, Place.CORNER),
    PlaneRole.HEXSIDE: (Place.SIDE,),
}


def _nothing_more(_shown: Composite, _plane: str, _values: Plane) -> Mapping[str, Plane]:
    return {}


class Ability(StrEnum):
    """What the catalogue has for the maps of a system, known without loading it."""

    ROLLS = "rolls"
    """A generator."""

    SCRIPTS = "scripts"
    """A language of scripts."""

    FAIRNESS = "fairness"
    """A model of how armies fight on a map."""


@dataclass(frozen=True)
class System:
    """What one game's maps are made of.

    ``cell_name`` gives a cell's name in the game's own style, ``cell_of_name`` the cell of a name
    (None if there is none), ``corner_name`` the name of a corner. With ``fixed_grid`` every map has
    the grid of ``new_grid``.
    ``terrain_set`` is that of a new map; with ``fixed_terrain_set`` no map can have another. With
    ``open_terrain_set`` the game has more terrains than those of a map: one that a change of the
    set lacks and the map still shows is no missing one.
    ``entry_sides`` are the named entry sides of the board as (name, cells), ``properties`` describe
    the properties of its maps; the one called ``title_property`` names a map. ``edge_fills`` are
    commands that fill edges. ``check`` gives the warnings of the game for a BattleMap and its
    composite; the desk calls it after each change, on the UI thread.

    ``layouts`` names the layouts of its grids (with a plane of corners it can be squares only);
    they can wrap if it ``wraps``. None: any layout, and they can wrap. ``usual_sizes`` are the
    usual (width, height) for each, ``most_along`` is the longest edge; ``why_not_size`` says why a
    map cannot have a width and height, "" if it can. ``routes`` run through
    cells, in drawing order, and meet in ``crossings``. ``describe`` gives all that is on a cell of
    a BattleMap in words, by the values of the shown planes; "" where terrain and elevation are all
    of it (None: they always are). ``explain`` says why a roll gave a cell of a
    BattleMap its terrain, None if nothing is known; True as its last argument asks for what can be
    said at once (while the mouse moves), False for all, which may take a second. ``pieces`` counts
    the physical pieces needed to set up a map, by
    name. ``thing_kinds`` gives the kinds of things that can be placed on a BattleMap (its period's
    unit types, the templates of its script); None: there are no things. ``thing_rules`` say where
    they may stand and which carries which. ``water_level`` gives the
    height of the surface of the water on a BattleMap, None for no water. It is called whenever a
    part of the map is drawn, also on other threads with a map that has no layers: it looks at the
    records of the map. ``set_water(battlemap, height)`` makes the ``Edit`` that changes it (None:
    it is so already); a system without it has no water, or one that cannot be changed.
    ``round_edge`` gives the radius of the circle, in map units around the middle, at which a
    BattleMap ends, and that in which units can stand; None for maps that are not round.

    ``terrain``, ``height`` and ``hexside`` are those of ``planes`` with that role, None if the
    system has none: indices of terrains (one a cell), elevations or heights (one a cell, or one a
    corner), and indices of hexsides plus 1 (one a side). ``height_scale`` says how heights are
    written. A rise of ``steep_rise`` units of height from cell to cell has the full light or shade
    of the relief.

    ``picture_style`` is how its maps are drawn: as a ``BOARD`` or a ``LANDSCAPE``. (Terrain sets
    with contours are wargame tables, drawn in a style of their own.)

    ``script_record`` is the record in which a map holds its script, "" where scripts are in files
    alone. Each further file NAME of the script is in the record "``script_record`` of NAME"
    (``map_records.further_record``). A new map is rolled at once, by the first generator of the
    catalogue, if it ``begins_rolled``. ``script_prefix`` and a colon may stand before the names of
    the scripts of its game.

    ``painted_with`` gives what a hand paints along with values (n,) of the plane with this name, on
    the map that a composite shows: by the names of other planes at the same places a value each.

    ``abilities`` say what the catalogue has for its maps: the desk shows no panel that has nothing
    to do on them.

    ``named``: the title begins with a name, which keeps its capital inside a sentence (``noun``).
    """

    name: str
    title: str
    terrain_set: TerrainSet
    planes: tuple[PlaneSpec, ...]
    named: bool = field(default=False, kw_only=True)
    terrain: PlaneSpec | None = field(default=None, kw_only=True)
    height: PlaneSpec | None = field(default=None, kw_only=True)
    hexside: PlaneSpec | None = field(default=None, kw_only=True)
    new_grid: Callable[[], Grid]
    cell_name: Callable[[Grid, int], str]
    cell_of_name: Callable[[Grid, str], int | None]
    corner_name: Callable[[Grid, int], str] = corner_words
    fixed_grid: bool = False
    fixed_terrain_set: bool = False
    open_terrain_set: bool = False
    properties: tuple[Property, ...] = ()
    title_property: str | None = None
    entry_sides: tuple[tuple[str, tuple[int, ...]], ...] = ()
    edge_fills: tuple[EdgeFill, ...] = ()
    layouts: tuple[str, ...] = ()
    wraps: bool = False
    usual_sizes: tuple[tuple[int, int], ...] = ()
    most_along: int | None = None
    why_not_size: Callable[[int, int], str] = lambda _width, _height: ""
    routes: tuple[RouteSpec, ...] = ()
    crossings: tuple[CrossingSpec, ...] = ()
    describe: Callable[[Any, Mapping[str, Plane], int], str] | None = None
    pieces: Callable[[Grid, Mapping[str, Plane]], dict[str, int]] | None = None
    explain: Callable[[Any, int, bool], Explanation | None] | None = None
    check: Callable[[Any, Composite], tuple[Problem, ...]] = lambda _battlemap, _composite: ()
    thing_kinds: Callable[[Any], tuple[ThingKind, ...]] | None = None
    thing_rules: ThingRules = FREE
    water_level: Callable[[Any], float | None] = lambda _battlemap: None
    set_water: Callable[[Any, float], Any] | None = None
    round_edge: Callable[[Any], tuple[float, float] | None] = lambda _battlemap: None
    height_scale: HeightScale = PLAIN_HEIGHTS
    steep_rise: float = 3.0
    painted_with: Callable[[Composite, str, Plane], Mapping[str, Plane]] = _nothing_more
    picture_style: str = BOARD
    script_record: str = ""
    script_prefix: str = ""
    begins_rolled: bool = False
    abilities: frozenset[Ability] = frozenset()

    def __post_init__(self) -> None:
        for role, places in _PLACES_OF_ROLES.items():
            spec = self.with_role(role)
            if spec is not None and (spec not in self.planes or spec.place not in places):
                raise ValueError(f"{self.name}: {spec.name} cannot be the {role} plane")
        if self.has_corners and (self.layouts != (SQUARE.name,) or self.wraps):
            raise ValueError(f"{self.name}: only squares have corners, not {self.layouts}")

    @property
    def noun(self) -> str:
        """The title as it is written inside a sentence."""
        return self.title if self.named else self.title.lower()

    def with_role(self, role: PlaneRole) -> PlaneSpec | None:
        """The plane with a role, None if the system has none."""
        found: PlaneSpec | None = getattr(self, role)
        return found

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
        """The specification of a plane, ``touched:`` ones included. Raises KeyError if unknown."""
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
        """The title among the properties of a composite; "" if it has none."""
        return str(properties.get(self.title_property or "", ""))

    @cached_property
    def cell_list(self) -> Property | None:
        """The property whose cells are marked on the map; None if the system has none."""
        shown = (known for known in self.properties if known.shown)
        return next((known for known in shown if known.kind is PropertyKind.NAMES), None)

    def listed_cells(self, properties: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the cells in ``cell_list``."""
        names: tuple[str, ...] = () if self.cell_list is None else self.cell_list.of(properties)
        return names

    @property
    def has_corners(self) -> bool:
        """Whether a plane has its values at corners."""
        return any(spec.place is Place.CORNER for spec in self.planes)

    def why_not_grid(self, grid: Grid) -> str:
        """Why a map cannot have this grid, in words; "" if it can."""
        if grid.wrap and not self.can_wrap:
            return f"no {self.title} has such a grid"
        if self.layouts and grid.layout.name not in self.layouts:
            return f"no {self.title} has such a grid"
        if self.most_along is not None and max(grid.width, grid.height) > self.most_along:
            return f"{with_article(self.title)} has at most {self.most_along} columns and rows"
        return self.why_not_size(grid.width, grid.height)

    @property
    def can_wrap(self) -> bool:
        """Whether its grids can wrap."""
        return self.wraps or not self.layouts

    @property
    def shown_planes(self) -> tuple[PlaneSpec, ...]:
        """The planes that make up the look of a map."""
        return tuple(spec for spec in self.planes if spec.shown)

    # The last of the class: below it the name is no longer that of the decorator.
    def property(self, name: str) -> Property:
        """The description of a property. Raises KeyError if unknown."""
        for known in self.properties:
            if known.name == name:
                return known
        raise KeyError(name)
