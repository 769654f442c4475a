"""The options of the tools, chosen in the palette and in the bar of tool options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

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

MOST_RADIUS = 60
"""The widest brush: 10,981 hexes."""

HEIGHT_MODES = ("set", "raise", "lower", "smooth", "plateau", "roughen")


MODE_TITLES = {HeightMode.FLATTEN: "Plateau"}
"""Modes of the height brush that are not called as their value."""


class Option(Generic[Value]):
    """An attribute of ``ToolOptions`` that the bar of tool options shows, with its description.

    ``kind`` and ``more`` are fields of its ``Setting``, whose title and help are templates for
    ``cell_text``. Options of a ``group`` are shown together, for the tools that name it in
    ``Tool.uses``; without one the group is called as the attribute.
    """

    def __init__(self, kind: type, default: Value, title: str, help_text: str, **more: Any) -> None:
        self._default = default
        self.setting = Setting("", kind, help_text, default, title=title, **more)

    def __set_name__(self, owner: type, name: str) -> None:
        self.setting = replace(self.setting, name=name, group=self.setting.group or name)

    def __get__(self, options: object, owner: type) -> Value:
        """Return the default: a chosen value stands in the object itself."""
        return self._default


class ToolOptions(QObject):
    """Read the attributes, write them with ``choose``; ``changed()``: an option has changed.
    ``thing_placed()``: a hand has placed what is picked now. ``form_asked()``: a hand asks for the
    form of what is picked.

    ``terrain`` is an index into the terrain set, ``edges`` one into the colours of all Wang sets of
    the map, ``hexside`` 0 for none, else index + 1. ``route``
    is an index into the map's routes, ``region`` the code of a
    region. ``corner_amount`` and ``corner_level`` are heights as
    maps hold them. ``weights`` are (terrain, weight) of the random brush. ``symmetry_kind`` is one
    of ``randomizer.geometry.symmetry.kinds``, ``centre`` its cell, None for the middle of the map.
    ``stamp``: what the stamp tool places. ``thing``: what the tool of things places, copied; None:
    it picks only.
    """

    changed = Signal()
    thing_placed = Signal()
    form_asked = Signal()

    radius = Option(
        int, 0, "Radius", "0 is a single {cell} ([ and ] change it)", least=0, most=MOST_RADIUS
    )
    bar = Option(bool, False, "Bar", "A row of {cells} instead of a {shape}")
    height_mode = Option(
        str,
        "set",
        "Elevation",
        "What the elevation brush does",
        choices=tuple((mode, mode.capitalize()) for mode in HEIGHT_MODES),
        group="height",
    )
    step = Option(
        int, 1, "by", "By how much the brush changes elevations", least=1, most=20, group="height"
    )
    corner_mode = Option(
        str,
        HeightMode.RAISE,
        "What the height brush does",
        "",
        choices=tuple((mode, MODE_TITLES.get(mode, mode.capitalize())) for mode in HeightMode),
        group="corners",
        beside=True,
    )
    corner_amount = Option(
        float, 100, "By", "By how much the brush changes heights at its middle", group="corners"
    )
    corner_strength = Option(
        int,
        100,
        "Strength",
        "How much of the way the brush goes at once",
        least=1,
        most=100,
        unit="%",
        group="corners",
    )
    corner_level = Option(
        float, 0, "To", "The height that corners are levelled to", group="corners"
    )
    corner_key = Option(
        int, 1, "Pattern", "Another number gives other bumps", least=1, most=999, group="corners"
    )
    corner_soft = Option(
        int,
        50,
        "Soft edge",
        "How much of the radius fades to the edge",
        least=0,
        most=100,
        unit="%",
        group="soft",
    )
    everywhere = Option(
        bool, False, "Everywhere", "Fill all {cells} of the terrain, not only those around"
    )
    slanted = Option(bool, False, "Slanted", "Follow the rows of {cells}: a parallelogram")
    flipped = Option(bool, False, "Other {cell} owns it", "A slope goes to the lower {cell} (X)")

    picture_drag = Option(
        str,
        "move",
        "What a drag does with the picture",
        "Move it, enlarge and turn it, or tell where three {cells} are in it",
        choices=(("move", "Move"), ("turn", "Scale and turn"), ("cells", "Place by three points")),
        group="picture",
        beside=True,
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.terrain = 1
        self.edges = 0
        self.elevation = 1
        self.hexside = 3
        self.route = 0
        self.region = NO_REGION
        self.weights: tuple[tuple[int, int], ...] = ((0, 2), (1, 1))
        self.symmetry_kind = NONE
        self.centre: int | None = None
        self.stamp: Stamp | None = None
        self.thing: Thing | None = None
        self.owner: int | None = None
        """The owner chosen last (``choose_owner``): a new thing gets it. None: none was chosen."""
        self._symmetry: tuple[Grid, str, int | None, Symmetry] | None = None

    def choose(self, **changes: object) -> None:
        """Set options by name. Raises AttributeError for an unknown one."""
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

    def is_like_next(self, things: Sequence[Thing]) -> bool:
        """Return whether this is one thing of the kind that is placed next."""
        next_thing = self.thing
        return next_thing is not None and [thing.kind for thing in things] == [next_thing.kind]

    def set_elevation(self, elevation: int) -> None:
        """Choose the elevation to paint; the brush sets it from now on."""
        self.choose(elevation=elevation, height_mode="set")

    def widen(self, by: int) -> None:
        """Make the brush wider, or narrower for a negative number."""
        self.choose(radius=min(max(self.radius + by, 0), MOST_RADIUS))

    def symmetry(self, grid: Grid) -> Symmetry | None:
        """Return the chosen symmetry on ``grid``; None for none, or if the grid lacks its kind."""
        if self.symmetry_kind == NONE:
            return None
        cached = self._symmetry
        if (
            cached is None
            or cached[0] is not grid
            or cached[1:3] != (self.symmetry_kind, self.centre)
        ):
            if self.symmetry_kind not in dict(kinds(grid)):
                return None
            if self.centre is None or not grid.exists(self.centre):
                symmetry = best_centre(grid, self.symmetry_kind)
            else:
                symmetry = centred_on(grid, self.symmetry_kind, self.centre)
            cached = self._symmetry = (grid, self.symmetry_kind, self.centre, symmetry)
        return cached[3]


OPTIONS = tuple(
    option.setting for option in vars(ToolOptions).values() if isinstance(option, Option)
)
"""The descriptions of the options that the bar shows."""
