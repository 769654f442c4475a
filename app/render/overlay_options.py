"""The overlays of a map: what is drawn over its ground, and can be switched off by the user.

``Overlays`` has a field for each overlay that says whether it is drawn, and each field holds its
row of the table ``OVERLAYS``: the title and help of menus, and for which maps it is offered::

    overlays = Overlays().having("rulers", True)      # objects are never changed
    overlays.shows("rulers")                          # True
    OVERLAYS["rulers"].offered(battlemap)             # False on a map without coordinates

Packages can add overlays of their own, which are known by their names alone (``Overlays.more``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole
from randomizer.model.system.system import System


@dataclass(frozen=True)
class Overlay:
    """The description of one overlay, for menus and for the search of commands."""

    title: str
    """The title, with ``&`` before its access key; "{cell}" in it is the map's word for a cell."""

    help: str
    """A sentence about what the overlay shows; "{cell}" in it is the map's word for a cell."""

    words: str
    """Words besides those of title and help by which a user may search for the overlay."""

    needs: PlaneRole | None
    """The role of the plane that the overlay shows, None if it shows no plane."""

    suits: Callable[[BattleMap], bool]
    """Returns whether a map has what the overlay shows, besides that plane."""

    title_on: Callable[[BattleMap], str] | None
    """Returns the title on a map that the overlay suits; None if it is the same on all maps."""

    def offered(self, battlemap: BattleMap) -> bool:
        """Return whether a map has what the overlay shows, so that menus offer it."""
        if self.needs is not None and battlemap.system.plane_with_role(self.needs) is None:
            return False
        return self.suits(battlemap)

    def title_of(self, battlemap: BattleMap) -> str:
        """Return the title of the overlay on a map."""
        if self.title_on is None or not self.suits(battlemap):
            return self.title
        return self.title_on(battlemap)


def _overlay(
    title: str,
    help_text: str,
    words: str,
    *,
    drawn: bool = True,
    needs: PlaneRole | None = None,
    suits: Callable[[BattleMap], bool] = lambda _battlemap: True,
    title_on: Callable[[BattleMap], str] | None = None,
) -> Any:
    """Return the field of an overlay in ``Overlays``.

    ``drawn`` is True if the overlay is drawn unless a style or the user switches it off. The other
    parameters are those of ``Overlay``. The type is Any, since the class has the field as a bool.
    """
    row = Overlay(title, help_text, words, needs, suits, title_on)
    return field(default=drawn, metadata={"overlay": row})


def _has_passability(battlemap: BattleMap) -> bool:
    """Return whether some ground hinders units on a map, by its terrain or by its slope."""
    hinders = any(terrain.hinders for terrain in battlemap.terrain_set.terrains)
    return hinders or bool(battlemap.system.passability_reach)


def _has_elevation_numbers(battlemap: BattleMap) -> bool:
    """Return whether a map can show the numbers of elevations.

    Maps that have a plan show their elevations by pictures.
    """
    return battlemap.system.elevation is not None and not battlemap.system.plan_style


def _has_coordinates(battlemap: BattleMap) -> bool:
    """Return whether the columns and rows of a map have names."""
    return battlemap.system.coordinates(battlemap.grid, 0, 0) is not None


def _title_of_cell_list(battlemap: BattleMap) -> str:
    """Return the title that the system of a map has for its cell list."""
    cell_list = battlemap.system.cell_list
    assert cell_list is not None, "else the overlay does not suit the map"
    return cell_list.title


@dataclass(frozen=True, slots=True)
class Overlays:
    """The overlays that are drawn: a field for each, in the order of menus."""

    labels: bool = _overlay(
        "{Cell} &labels", "The name of every {cell}", "names coordinates numbers"
    )
    names: bool = _overlay(
        "Terrain &names",
        "The terrain of every {cell} in words",
        "hazard text words",
        drawn=False,
        needs=PlaneRole.TERRAIN,
    )
    grid_lines: bool = _overlay(
        "&Grid lines", "The outline of every {cell}", "hexagons outline borders"
    )
    rulers: bool = _overlay(
        "R&ulers",
        "The numbers of columns and rows along the rim",
        "coordinates axes rim columns rows scale edge",
        drawn=False,
        suits=_has_coordinates,
    )
    hexsides: bool = _overlay(
        "&{Sides}",
        "What lies on the sides of {cells}",
        "edges walls rivers cliffs",
        needs=PlaneRole.HEXSIDE,
    )
    elevation: bool = _overlay(
        "&Elevation",
        "How high the land lies: steps with a shadow, or light, shade and water",
        "height steps shadow water",
        needs=PlaneRole.HEIGHT,
    )
    elevation_numbers: bool = _overlay(
        "Elevation num&bers",
        "A number on every {cell} that is not at elevation 0, where the elevation is shown",
        "height discs badges digits",
        needs=PlaneRole.HEIGHT,
        suits=_has_elevation_numbers,
    )
    shading: bool = _overlay(
        "&Relief",
        "Light and shade, as if the sun stood in the north-west",
        "hillshade light sun shadow mountains",
        drawn=False,
        needs=PlaneRole.HEIGHT,
        suits=lambda battlemap: battlemap.system.corner_heights is None,  # else relief shows it
    )
    height_colours: bool = _overlay(
        "Heights as &colours",
        "Land by its height: dark green is low, then yellow and brown, white is high",
        "hypsometric elevation relief land",
        drawn=False,
        needs=PlaneRole.HEIGHT,
    )
    water_depth: bool = _overlay(
        "&Water depth",
        "How deep the water is: light at the shore, dark blue where it is deep",
        "sea bathymetry deep",
        drawn=False,
        needs=PlaneRole.HEIGHT,
        suits=lambda battlemap: battlemap.system.water_level(battlemap) is not None,
    )
    passability: bool = _overlay(
        "&Passability",
        "What hinders units: yellow slows them or is narrow for large ones, red keeps out those on "
        "the ground, violet all; light blue is for ships",
        "movement obstacles reach ways",
        drawn=False,
        needs=PlaneRole.TERRAIN,
        suits=_has_passability,
    )
    cell_list: bool = _overlay(
        "Start &list",
        "Where the defender begins",
        "cell list mark",
        suits=lambda battlemap: battlemap.system.cell_list is not None,
        title_on=_title_of_cell_list,
    )
    locks: bool = _overlay("Loc&ks", "What rolls keep", "keep protected rolls")
    things: bool = _overlay(
        "Placed &things",
        "Units, trees and whatever else lies on the map",
        "units trees symbols objects",
        suits=lambda battlemap: bool(battlemap.system.thing_kinds(battlemap)),
    )
    thing_names: bool = _overlay(
        "N&ames of things",
        "What towns and whatever else has a name are called, where room is",
        "towns labels cities",
        suits=lambda battlemap: any(
            kind.naming for kind in battlemap.system.thing_kinds(battlemap)
        ),
    )
    entry_sides: bool = _overlay(
        "Entry s&ides",
        "The names of the rims of the board",
        "attacker rims board left right bottom",
        suits=lambda battlemap: bool(battlemap.system.entry_sides),
    )
    seam: bool = _overlay(
        "Sea&m",
        "Where a world that goes round is cut open",
        "wrap world cut round",
        suits=lambda battlemap: battlemap.grid.wrap,
    )
    round_edge: bool = _overlay(
        "R&ound edge",
        "Where a round map ends; units keep inside the dashed line",
        "circle border rim",
        suits=lambda battlemap: battlemap.system.round_edge(battlemap) is not None,
    )
    legend: bool = _overlay(
        "Le&gend",
        "The terrains, routes and symbols on the map in its corner, and a scale bar if it has one",
        "key bar explanation",
        drawn=False,
    )
    regions: bool = _overlay(
        "Regions",
        "The borders and names of regions",
        "countries borders areas",
        suits=lambda battlemap: battlemap.system.regions is not None,
    )
    countries: bool = _overlay(
        "&Countries",
        "The country of each side in its colour: what lies around the unit with which it begins",
        "territory sides owner land borders",
        suits=lambda battlemap: battlemap.system.offers(System.countries),
    )
    plan: bool = _overlay(
        "Drawn as a pla&n",
        "Clear symbols on plain ground, as on a printed plan, in place of a landscape",
        "look style symbols schematic flat table",
        drawn=False,
        suits=lambda battlemap: bool(battlemap.system.plan_style),
    )
    players: bool = _overlay(
        "Players' map",
        "Without secret layers, notes and other things: what players get",
        "secret gm hidden master",
        drawn=False,
    )
    contour_step: int = 0
    """The distance between contour lines, in the heights that people see; 0 if none are drawn."""

    map_names: bool = True
    """False if no names of regions and things are drawn, as in thumbnails; not a choice of
    users."""

    more: frozenset[str] = frozenset()
    """The names of the overlays of other packages that are drawn."""

    def shows(self, name: str) -> bool:
        """Return whether the overlay with a name is drawn; a name that is unknown is not."""
        if name in OVERLAYS:
            return bool(getattr(self, name))
        return name in self.more

    def having(self, name: str, is_shown: bool) -> Overlays:
        """Return these overlays with one of them switched on or off."""
        if name in OVERLAYS:
            changes: dict[str, Any] = {name: is_shown}
            return replace(self, **changes)
        if is_shown:
            return replace(self, more=self.more | {name})
        return replace(self, more=self.more - {name})

    def shows_relief(self, system: System) -> bool:
        """Return whether light and shade are drawn on maps of a system.

        They are what the overlay "elevation" shows where heights lie on corners; elevations of
        cells have an overlay "shading" for them.
        """
        return self.shading or (self.elevation and _has_corner_heights(system))

    def shows_water(self, system: System) -> bool:
        """Return whether water that covers low land is drawn on maps of a system.

        Only heights of corners say how deep it is; the overlay "elevation" shows it with them.
        """
        return self.elevation and _has_corner_heights(system)


def _has_corner_heights(system: System) -> bool:
    """Return whether the heights of maps of a system lie on corners, and not on cells."""
    return system.corner_heights is not None


TEXTS = ("labels", "names", "cell_list", "rulers", "entry_sides", "legend")
"""The overlays that consist of texts, and of signs that explain them."""


def bare_of_texts(overlays: Overlays) -> Overlays:
    """Return overlays as thumbnails have them: texts would be too small to read, or too large."""
    for name in TEXTS:
        overlays = overlays.having(name, False)
    return replace(overlays, map_names=False)


OVERLAYS: dict[str, Overlay] = {
    overlay_field.name: overlay_field.metadata["overlay"]
    for overlay_field in fields(Overlays)
    if overlay_field.metadata
}
"""Every overlay by its name, in the order of menus."""
