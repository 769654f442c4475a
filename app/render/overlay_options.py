"""Which overlays are drawn over the ground, and what they are called on the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from randomizer.model.system import System

from randomizer.model.planes import PlaneRole


@dataclass(frozen=True, slots=True)
class Overlays:
    """Which overlays are drawn; ``OVERLAYS`` describes them."""

    labels: bool = True
    names: bool = False
    grid_lines: bool = True
    elevation: bool = True
    shading: bool = False
    hexsides: bool = True
    passability: bool = False
    cell_list: bool = True
    locks: bool = True
    things: bool = True
    entry_sides: bool = True
    seam: bool = True
    round_edge: bool = True
    more: frozenset[str] = frozenset()
    """Those of other packages that are drawn."""

    def shows(self, name: str) -> bool:
        """Whether an overlay is drawn: one of ``OVERLAYS``, or of another package."""
        return bool(getattr(self, name)) if name in OVERLAYS else name in self.more

    def having(self, name: str, shown: bool) -> Overlays:
        """Return these overlays with or without one."""
        changes: dict[str, Any] = {name: shown}
        if name not in OVERLAYS:
            changes = {"more": self.more | {name} if shown else self.more - {name}}
        return replace(self, **changes)

    def shows_relief(self, system: System) -> bool:
        """Whether light and shade are drawn; heights of corners are seen by nothing else."""
        return self.shading or (self.elevation and system.corner_heights is not None)

    def shows_water(self, system: System) -> bool:
        """Whether water is drawn that covers low land."""
        return self.elevation and system.corner_heights is not None


OVERLAYS: dict[str, tuple[str, str]] = {
    "labels": ("{Cell} &labels", "The name of every {cell}"),
    "names": ("Hazard &names", "The terrain of every {cell} in words"),
    "grid_lines": ("&Grid lines", "The outline of every {cell}"),
    "hexsides": ("&{Sides}", "What lies on the sides of {cells}"),
    "elevation": (
        "&Elevation",
        "How high the land lies: steps with a shadow and a number, or light, shade and water",
    ),
    "shading": ("&Relief", "Light and shade, as if the sun stood in the north-west"),
    "passability": ("&Passability", "How much each hazard hinders those not native to it"),
    "cell_list": ("Cell &list", "What the map lists by name, such as where a defender begins"),
    "locks": ("Loc&ks", "What re-rolls keep"),
    "things": ("Placed &things", "Units, trees and whatever else lies on the map"),
    "entry_sides": ("Entry s&ides", "The names of the rims of the board"),
    "seam": ("Sea&m", "Where a world that goes round is cut open"),
    "round_edge": ("R&ound edge", "Where a round map ends; units keep inside the dashed line"),
}
"""Title (with its access key) and help of every field of ``Overlays``, as templates for
``cell_text``, in the order of menus."""

NEEDS = {
    "names": PlaneRole.TERRAIN,
    "passability": PlaneRole.TERRAIN,
    "hexsides": PlaneRole.HEXSIDE,
    "elevation": PlaneRole.HEIGHT,
    "shading": PlaneRole.HEIGHT,
}
"""The role of the plane that an overlay shows; those not named here need none."""
