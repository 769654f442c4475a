"""The overlays (grid lines, rulers and so on) that a map is drawn with.

Each style of maps has its *usual* overlays. The user can switch each of them on or off in the menu
*View*, for all maps of the same kind at once: whoever switches the rulers off on one battleland
sees none on any battleland. What the user has ever switched is remembered, by name, also if it was
switched back later::

    choices = OverlayChoices(store=settings)
    choices.switch(system, terrain_set, overlays.having("rulers", False))   # stores {"rulers": 0}
    choices.of(system, terrain_set)                                         # without rulers
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from app.render.overlay_options import OVERLAYS, Overlays
from app.render.style import style_of
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

CONTOUR_STEPS = (0, 1, 2, 5, 10, 20, 50)
"""The distances between contour lines that can be chosen, in the heights that people see.

0 means that no contour lines are drawn.
"""

CONTOUR_STEP = "contour_step"
"""The name under which the distance of contour lines is remembered, a number."""

SESSION_ONLY = "players"
"""The overlay that is switched for all maps at once, and is not remembered.

It shows what players may see: that depends on who looks at the screen now, not on the kind of map.
"""


class SwitchedOverlays(Protocol):
    """The store in which switched overlays are remembered (the settings of the program).

    ``switched`` has a value by the name of each overlay that was switched: 1 if it is on, 0 if it
    is off. ``CONTOUR_STEP`` has the distance itself.
    """

    def switched_overlays(self, kind: str) -> Mapping[str, int]:
        """Return what was switched for a kind of map."""

    def set_switched_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Remember what was switched for a kind of map, in place of what was remembered for it."""


def kind_of_map(system: System, terrain_set: TerrainSet) -> str:
    """Return the name of the kind of map for which overlays are switched together.

    It is that of the system. If its maps may be countries or tactical maps, the latter are a kind
    of their own: they are looked at from nearby.
    """
    if style_of(system).landscape and terrain_set.tactical:
        return f"{system.name} tactical"
    return system.name


def differences(overlays: Overlays, usual: Overlays) -> dict[str, int]:
    """Return the values of those overlays that differ from the ``usual`` ones, by name.

    The values are those of ``SwitchedOverlays``.
    """
    # Overlays of other packages are in ``more`` if they are drawn; those in one set only differ.
    names = (*OVERLAYS, *sorted(overlays.more ^ usual.more))
    switched = {}
    for name in names:
        if name != SESSION_ONLY and overlays.shows(name) != usual.shows(name):
            switched[name] = int(overlays.shows(name))
    if overlays.contour_step != usual.contour_step:
        switched[CONTOUR_STEP] = overlays.contour_step
    return switched


def apply_switched(overlays: Overlays, switched: Mapping[str, int]) -> Overlays:
    """Return ``overlays`` with some of them switched; ``switched`` is as of ``differences``."""
    for name, value in switched.items():
        if name == CONTOUR_STEP:
            overlays = replace(overlays, contour_step=value)
        elif name != SESSION_ONLY:
            overlays = overlays.having(name, bool(value))
    return overlays


class OverlayChoices:
    """The overlays of each kind of map.

    What is switched is remembered in ``store``; without a store it is forgotten with the object.
    """

    def __init__(self, store: SwitchedOverlays | None = None) -> None:
        self.revision = 0
        """How many times something was switched. While it is the same, so are all overlays."""
        self._store = store
        self._switched: dict[str, Mapping[str, int]] = {}
        """What was switched, by kind of map and name, for the kinds that were asked for so far."""

    def of(self, system: System, terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that maps of a system with a terrain set are drawn with."""
        usual = style_of(system).overlays(system, terrain_set)
        kind = kind_of_map(system, terrain_set)
        return apply_switched(usual, self._switched_for(kind))

    def switch(self, system: System, terrain_set: TerrainSet, overlays: Overlays) -> None:
        """Draw maps of this kind with ``overlays`` from now on, and remember what was switched.

        ``SESSION_ONLY`` is left out: the renderer of the desk holds it. An overlay that is switched
        back stays among what was switched, with its usual value.
        """
        switched_now = differences(overlays, self.of(system, terrain_set))
        if not switched_now:
            return
        kind = kind_of_map(system, terrain_set)
        self._switched[kind] = {**self._switched_for(kind), **switched_now}
        self.revision += 1
        if self._store is not None:
            self._store.set_switched_overlays(kind, self._switched[kind])

    def _switched_for(self, kind: str) -> Mapping[str, int]:
        """Return what was switched for a kind of map, in this session or in an earlier one."""
        if kind not in self._switched:
            switched: Mapping[str, int] = {}
            if self._store is not None:
                switched = self._store.switched_overlays(kind)
            self._switched[kind] = dict(switched)
        return self._switched[kind]
