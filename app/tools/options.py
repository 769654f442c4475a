"""The options of the tools, chosen in the palette and in the bar of tool options.

All tools share one ``ToolOptions``. Those options that the bar shows are declared as ``Option``,
with the title and the range that their field in the bar gets; the rest are plain attributes, which
panels and commands set::

    options.choose(radius=2, bar=True)      # emits ``changed`` once
    options.radius                          # 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from randomizer.geometry.height_brush import HeightMode
from randomizer.geometry.symmetry import NONE, Symmetry, best_centre, centred_on, kinds
from randomizer.model.grid.grid import Grid
from randomizer.model.map.regions import NO_REGION
from randomizer.model.settings.setting import Setting
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from randomizer.geometry.stamp import Stamp

Value = TypeVar("Value")

MAX_RADIUS = 60
"""The radius of the widest brush in cells: 10,981 hexes."""


class ElevationMode(StrEnum):
    """The effect of the elevation brush on the cells under it."""

    SET = "set"
    """They get the chosen elevation."""

    RAISE = "raise"
    """They become higher by a step."""

    LOWER = "lower"
    """They become lower by a step."""

    SMOOTH = "smooth"
    """They come nearer to the elevations of their neighbours."""

    PLATEAU = "plateau"
    """They get the elevation of the cell where the stroke began."""

    ROUGHEN = "roughen"
    """They become higher or lower by chance, by a step at most."""


class PictureDrag(StrEnum):
    """The effect of a drag on the picture under the map."""

    MOVE = "move"
    """The picture is moved along with the pointer."""

    TURN = "turn"
    """The picture is enlarged and turned about its middle."""

    CELLS = "cells"
    """The user tells where a cell is in the picture; three cells tell how it lies."""


MODE_TITLES = {HeightMode.FLATTEN: "Plateau"}
"""The titles of modes of the height brush; the title of any other one is its value."""


class _SymmetryOnGrid(NamedTuple):
    """A symmetry as it was computed for a grid."""

    grid: Grid
    """The grid, compared by identity: each map has its own."""

    kind: str
    """The ``ToolOptions.symmetry_kind`` that it was computed from."""

    centre: int | None
    """The ``ToolOptions.centre`` that it was computed from."""

    symmetry: Symmetry
    """The result."""

    def is_for(self, grid: Grid, kind: str, centre: int | None) -> bool:
        """Return whether the symmetry was computed from these values."""
        return self.grid is grid and (self.kind, self.centre) == (kind, centre)


class Option(Generic[Value]):
    """An attribute of ``ToolOptions`` that the bar of tool options shows, with its description.

    The description is a ``Setting``, whose title and help are templates for ``cell_text``: in them
    ``{cell}`` becomes the word for a cell of the map.

    Python asks an ``Option``, which is a descriptor, only while the object has no attribute of its
    name: it returns the default. ``choose`` sets that attribute.
    """

    def __init__(
        self,
        kind: type,
        *,
        default: Value,
        title: str,
        help_text: str,
        choices: tuple[tuple[str | int, str], ...] = (),
        minimum: int | None = None,
        maximum: int | None = None,
        group: str = "",
        unit: str = "",
        beside: bool = False,
    ) -> None:
        """Describe the option; the parameters are the fields of ``Setting``.

        Options of a ``group`` are shown together, for the tools that name it in ``Tool.uses``;
        without one the group is called as the attribute.
        """
        self._default = default
        self.setting = Setting(
            name="",  # Python tells it later, by ``__set_name__``
            kind=kind,
            help=help_text,
            default=default,
            choices=choices,
            minimum=minimum,
            maximum=maximum,
            title=title,
            group=group,
            unit=unit,
            beside=beside,
        )

    def __set_name__(self, owner: type, name: str) -> None:
        """Get the name of the attribute, which Python tells when the class is made."""
        group = self.setting.group
        if not group:
            group = name
        self.setting = replace(self.setting, name=name, group=group)

    def __get__(self, options: object, owner: type) -> Value:
        """Return the default: the object has no value that was chosen."""
        return self._default


class ToolOptions(QObject):
    """The options of all tools. Read the attributes, write them with ``choose`` only.

    ``corner_amount`` and ``corner_level`` are heights in the unit in which maps hold them.
    """

    changed = Signal()
    """One or more options have another value."""

    thing_placed = Signal()
    """The user has placed a thing, which is picked now."""

    form_asked = Signal()
    """The user asks for the form with the properties of the picked things."""

    radius = Option(
        int,
        default=0,
        title="Radius",
        help_text="0 is a single {cell} ([ and ] change it)",
        minimum=0,
        maximum=MAX_RADIUS,
    )
    bar = Option(
        bool, default=False, title="Bar", help_text="A row of {cells} instead of a {shape}"
    )
    height_mode = Option(
        str,
        default=ElevationMode.SET,
        title="Elevation",
        help_text="What the elevation brush does",
        choices=tuple((mode, mode.capitalize()) for mode in ElevationMode),
        group="height",
    )
    step = Option(
        int,
        default=1,
        title="by",
        help_text="By how much the brush changes elevations",
        minimum=1,
        maximum=20,
        group="height",
    )
    corner_mode = Option(
        str,
        default=HeightMode.RAISE,
        title="What the height brush does",
        help_text="",
        choices=tuple((mode, MODE_TITLES.get(mode, mode.capitalize())) for mode in HeightMode),
        group="corners",
        beside=True,
    )
    corner_amount = Option(
        float,
        default=100,
        title="By",
        help_text="By how much the brush changes heights at its middle",
        group="corners",
    )
    corner_strength = Option(
        int,
        default=100,
        title="Strength",
        help_text="How much of the way the brush goes at once",
        minimum=1,
        maximum=100,
        unit="%",
        group="corners",
    )
    corner_level = Option(
        float,
        default=0,
        title="To",
        help_text="The height that corners are levelled to",
        group="corners",
    )
    corner_key = Option(
        int,
        default=1,
        title="Pattern",
        help_text="Another number gives other bumps",
        minimum=1,
        maximum=999,
        group="corners",
    )
    corner_soft = Option(
        int,
        default=50,
        title="Soft edge",
        help_text="How much of the radius fades to the edge",
        minimum=0,
        maximum=100,
        unit="%",
        group="soft",
    )
    everywhere = Option(
        bool,
        default=False,
        title="Everywhere",
        help_text="Fill all {cells} of the terrain, not only those around",
    )
    slanted = Option(
        bool,
        default=False,
        title="Slanted",
        help_text="Follow the rows of {cells}: a parallelogram",
    )
    flipped = Option(
        bool,
        default=False,
        title="Other {cell} owns it",
        help_text="A slope goes to the lower {cell} (X)",
    )
    picture_drag = Option(
        str,
        default=PictureDrag.MOVE,
        title="What a drag does with the picture",
        help_text="Move it, enlarge and turn it, or tell where three {cells} are in it",
        choices=(
            (PictureDrag.MOVE, "Move"),
            (PictureDrag.TURN, "Scale and turn"),
            (PictureDrag.CELLS, "Place by three points"),
        ),
        group="picture",
        beside=True,
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.terrain = 1
        """The terrain to paint: an index into the terrain set."""
        self.edges = 0
        """The colour to paint: an index into the colours of all Wang sets of the map."""
        self.elevation = 1
        """The elevation to paint in the mode "set"."""
        self.hexside = 3  # any of those that most maps have
        """The hexside to paint: 0 for none, else its index in the terrain set + 1."""
        self.route = 0
        """The route to lay: an index into the map's routes."""
        self.region = NO_REGION
        """The code of the region to paint, ``NO_REGION`` to take cells out of any."""
        self.weights: tuple[tuple[int, int], ...] = ((0, 2), (1, 1))
        """The mixture of the random brush, as (terrain, weight).

        A terrain of weight 2 is painted twice as often as one of weight 1.
        """
        self.symmetry_kind = NONE
        """One of ``randomizer.geometry.symmetry.kinds``, or ``NONE``."""
        self.centre: int | None = None
        """The cell in the middle of the symmetry, None for the middle of the map."""
        self.stamp: Stamp | None = None
        """What the stamp tool places, None while nothing was copied."""
        self.thing: Thing | None = None
        """The thing that the tool of things places copies of; None lets it only pick things."""
        self.owner: int | None = None
        """The owner that new things get (``choose_owner``), None if none was chosen."""
        self._symmetry: _SymmetryOnGrid | None = None
        """The last result of ``symmetry``, kept since each move of the mouse asks for it."""

    def choose(self, **changes: object) -> None:
        """Set options by name, and emit ``changed`` once if any of them gets another value.

        Raises AttributeError for a name that the object does not have.
        """
        different = {name: new for name, new in changes.items() if getattr(self, name) != new}
        for name, new in different.items():
            setattr(self, name, new)
        if different:
            self.changed.emit()

    def choose_owner(self, owner: int) -> None:
        """Let new things have this owner, until another one is chosen or given to a thing."""
        next_thing = self.thing
        if next_thing is not None:
            next_thing = replace(next_thing, owner=owner)
        self.choose(owner=owner, thing=next_thing)

    def is_one_of_next_kind(self, things: Sequence[Thing]) -> bool:
        """Return whether ``things`` are a single thing of the kind that is placed next."""
        next_thing = self.thing
        return next_thing is not None and [thing.kind for thing in things] == [next_thing.kind]

    def set_elevation(self, elevation: int) -> None:
        """Choose the elevation to paint, and let the elevation brush set it (not raise, say)."""
        self.choose(elevation=elevation, height_mode=ElevationMode.SET)

    def widen(self, by: int) -> None:
        """Make the brush wider, or narrower for a negative number."""
        self.choose(radius=min(max(self.radius + by, 0), MAX_RADIUS))

    def symmetry(self, grid: Grid) -> Symmetry | None:
        """Return the chosen symmetry on ``grid``; None for none, or if the grid lacks its kind."""
        if self.symmetry_kind == NONE:
            return None
        last = self._symmetry
        if last is not None and last.is_for(grid, self.symmetry_kind, self.centre):
            return last.symmetry
        if self.symmetry_kind not in dict(kinds(grid)):  # chosen on a map of other cells
            return None
        if self.centre is None or not grid.exists(self.centre):
            symmetry = best_centre(grid, self.symmetry_kind)
        else:
            symmetry = centred_on(grid, self.symmetry_kind, self.centre)
        self._symmetry = _SymmetryOnGrid(grid, self.symmetry_kind, self.centre, symmetry)
        return symmetry


OPTIONS = tuple(
    option.setting for option in vars(ToolOptions).values() if isinstance(option, Option)
)
"""The descriptions of the options that the bar shows."""
