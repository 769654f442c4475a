"""``System``: the description of one game's maps, for code that knows no game by name.

A system is the one answer to "what can maps of this game have?": its planes, grids, properties and
kinds of things, and how cells are named. The window, the storage and the command line ask it::

    battlemap.system.cell_name(grid, 0)       # "A1" on one game's maps, "0101" on another's
    battlemap.system.elevation is None        # True: these maps are flat

``randomizer/systems/`` has a subclass for each game. Most subjects are base classes of ``System``
in files of their own, and one can be read without the others::

    SystemBase           names
    PlaneRules           planes, routes, terrain sets
    GridRules            grids, names of cells
    ThingsAndPlayers     kinds of things, owners
    HeightsAndWater      heights, water, where units can go
    ScriptRules          scripts and generators
    System               properties, checks and descriptions, drawing

For each subject come

- the attributes, which a subclass sets where its game differs from the default;
- the methods that a subclass may override: the default is right for a game without the subject;
- the methods marked ``final``, which follow from the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from randomizer.model.grid.layouts import SQUARE
from randomizer.model.planes.planes import Element, Plane, PlaneRole, PlaneSpec
from randomizer.model.system.grid_rules import GridRules
from randomizer.model.system.heights_and_water import HeightsAndWater
from randomizer.model.system.plane_rules import PlaneRules
from randomizer.model.system.property import Property, PropertyKind
from randomizer.model.system.script_rules import ScriptRules
from randomizer.model.system.system_base import AnyMap
from randomizer.model.system.things_and_players import ThingsAndPlayers

if TYPE_CHECKING:
    from randomizer.model.planes.composite import Composite
    from randomizer.model.problems import Problem
    from randomizer.model.system.explanation import Explanation

BOARD = "app.render.style:BOARD"
"""The style of maps with a clear picture in every outlined cell."""

LANDSCAPE = "app.render.style:LANDSCAPE"
"""The style of maps whose terrains run into one another."""

_ELEMENTS_OF_ROLES = {
    PlaneRole.TERRAIN: (Element.CELL,),
    PlaneRole.HEIGHT: (Element.CELL, Element.CORNER),
    PlaneRole.HEXSIDE: (Element.SIDE,),
}
"""The elements for which the plane of a role can have values."""


class System(PlaneRules, GridRules, ThingsAndPlayers, HeightsAndWater, ScriptRules):
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

    A game gives the attributes that have no value in these classes (``name``, ``title``,
    ``planes`` ...), and of the others what it has.

    There is one object of such a class. Its methods are quick, unless they say so: the window calls
    them on the UI thread, ``water_level`` also on others, with a map that has no layers.
    """

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
        if self.title_property is None:
            return ""
        return str(properties.get(self.title_property, ""))

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

    # --- the class --------------------------------------------------------------------------------

    def __init_subclass__(cls) -> None:
        """Check the planes of a new subclass. Raises ValueError if one does not fit its role."""
        if not hasattr(cls, "planes"):
            return  # a base class of systems, which leaves the planes to these
        # ``PlaneRules`` has the planes and their roles, ``GridRules`` the layouts and wraps.
        planes_by_role = {
            PlaneRole.TERRAIN: cls.terrain,
            PlaneRole.HEIGHT: cls.height,
            PlaneRole.HEXSIDE: cls.hexside,
        }
        for role, elements in _ELEMENTS_OF_ROLES.items():
            spec = planes_by_role[role]
            if spec is not None and (spec not in cls.planes or spec.element not in elements):
                raise ValueError(f"{cls.name}: {spec.name} cannot be the {role} plane")
        has_corners = any(spec.element is Element.CORNER for spec in cls.planes)
        if has_corners and cls.layouts != (SQUARE.name,):
            raise ValueError(f"{cls.name}: only squares have corners, not {cls.layouts}")
        if has_corners and cls.wraps:
            raise ValueError(f"{cls.name}: a grid that wraps has no corners")
