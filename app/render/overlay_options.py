"""Which overlays are drawn over the ground, and what they are called on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from randomizer.model.battlemap import BattleMap
from randomizer.model.planes import PlaneRole
from randomizer.model.system import System


def _overlay(
    title: str, help_text: str, *, drawn: bool = True, needs: PlaneRole | None = None
) -> Any:
    """Return the field of an overlay; ``needs`` is the role of the plane that it shows."""
    return field(default=drawn, metadata={"texts": (title, help_text), "needs": needs})


@dataclass(frozen=True, slots=True)
class Overlays:
    """Which overlays are drawn, in the order of menus."""

    labels: bool = _overlay("{Cell} &labels", "The name of every {cell}")
    names: bool = _overlay(
        "Hazard &names",
        "The terrain of every {cell} in words",
        drawn=False,
        needs=PlaneRole.TERRAIN,
    )
    grid_lines: bool = _overlay("&Grid lines", "The outline of every {cell}")
    hexsides: bool = _overlay(
        "&{Sides}", "What lies on the sides of {cells}", needs=PlaneRole.HEXSIDE
    )
    elevation: bool = _overlay(
        "&Elevation",
        "How high the land lies: steps with a shadow and a number, or light, shade and water",
        needs=PlaneRole.HEIGHT,
    )
    shading: bool = _overlay(
        "&Relief",
        "Light and shade, as if the sun stood in the north-west",
        drawn=False,
        needs=PlaneRole.HEIGHT,
    )
    height_colours: bool = _overlay(
        "Heights as &colours",
        "Land by its height: dark green is low, then yellow and brown, white is high",
        drawn=False,
        needs=PlaneRole.HEIGHT,
    )
    water_depth: bool = _overlay(
        "&Water depth",
        "How deep the water is: light at the shore, dark blue where it is deep",
        drawn=False,
        needs=PlaneRole.HEIGHT,
    )
    passability: bool = _overlay(
        "&Passability",
        "What hinders units: yellow slows them or is narrow for large ones, red keeps out those on "
        "the ground, violet all; light blue is for ships",
        drawn=False,
        needs=PlaneRole.TERRAIN,
    )
    cell_list: bool = _overlay("Start &list", "Where the defender begins")
    locks: bool = _overlay("Loc&ks", "What re-rolls keep")
    things: bool = _overlay("Placed &things", "Units, trees and whatever else lies on the map")
    thing_names: bool = _overlay(
        "N&ames of things", "What towns and whatever else has a name are called, where room is"
    )
    entry_sides: bool = _overlay("Entry s&ides", "The names of the rims of the board")
    seam: bool = _overlay("Sea&m", "Where a world that goes round is cut open")
    round_edge: bool = _overlay(
        "R&ound edge", "Where a round map ends; units keep inside the dashed line"
    )
    legend: bool = _overlay(
        "Le&gend and scale",
        "The terrains, ways and symbols on the map, and its scale bar, in its corner",
        drawn=False,
    )
    regions: bool = _overlay("Regions", "The borders and names of regions")
    players: bool = _overlay(
        "Players' map",
        "Without secret layers, notes and other things: what players get",
        drawn=False,
    )
    contour_step: int = 0
    """From contour line to contour line, in the heights that people see; 0: none are drawn."""
    more: frozenset[str] = frozenset()
    """Those of other packages that are drawn."""

    def shows(self, name: str) -> bool:
        """Return whether an overlay is drawn: one of ``OVERLAYS``, or of another package."""
        return bool(getattr(self, name)) if name in OVERLAYS else name in self.more

    def having(self, name: str, shown: bool) -> Overlays:
        """Return these overlays with or without one."""
        changes: dict[str, Any] = {name: shown}
        if name not in OVERLAYS:
            changes = {"more": self.more | {name} if shown else self.more - {name}}
        return replace(self, **changes)

    def shows_relief(self, system: System) -> bool:
        """Return whether light and shade are drawn; nothing else shows heights of corners."""
        return self.shading or (self.elevation and system.corner_heights is not None)

    def shows_water(self, system: System) -> bool:
        """Return whether water is drawn that covers low land."""
        return self.elevation and system.corner_heights is not None


OVERLAYS: dict[str, tuple[str, str]] = {
    each.name: each.metadata["texts"] for each in fields(Overlays) if each.metadata
}
"""Title (with its access key) and help of every overlay, as templates for ``cell_text``."""

NEEDS: dict[str, PlaneRole] = {
    each.name: each.metadata["needs"] for each in fields(Overlays) if each.metadata.get("needs")
}
"""The role of the plane that an overlay shows; those not named here need none."""


def can_show(battlemap: BattleMap, name: str) -> bool:
    """Return whether a map can have what an overlay of ``OVERLAYS`` shows: else it is no choice."""
    system = battlemap.system
    role = NEEDS.get(name)
    if role is not None and system.with_role(role) is None:
        return False
    if name == "seam":
        return battlemap.grid.wrap
    if name == "round_edge":
        return system.round_edge(battlemap) is not None
    if name == "passability":
        hinders = any(terrain.hinders for terrain in battlemap.terrain_set.terrains)
        return hinders or bool(system.passability_reach)
    if name == "water_depth":
        return system.water_level(battlemap) is not None
    if name == "shading":
        return system.corner_heights is None  # else the elevation is shown by relief
    if name == "things":
        return bool(system.thing_kinds(battlemap))
    if name == "thing_names":
        return any(kind.naming for kind in system.thing_kinds(battlemap))
    if name == "cell_list":
        return system.cell_list is not None
    if name == "regions":
        return system.regions is not None
    if name == "entry_sides":
        return bool(system.entry_sides)
    return True


def title_on(system: System, name: str) -> str:
    """Return the title of an overlay on the maps of a system, as a template for ``cell_text``."""
    if name == "cell_list" and system.cell_list is not None:
        return system.cell_list.title  # packages may list other cells
    return OVERLAYS[name][0]
