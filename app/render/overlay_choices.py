"""The overlays with which maps are drawn: those of their style, and what a person has switched.

The menu *View* switches them through ``OverlayChoices``, by kind of map: who switches the rulers
off on a battleland sees none on any battleland. The settings remember what was switched.
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
"""How far from each other contour lines can be, in the heights that people see."""

CONTOUR_STEP = "contour_step"
"""The name under which the distance of contour lines is remembered."""

SESSION_ONLY = "players"
"""What is switched for all maps at once, and not remembered: it says for whom one works."""


class SwitchedOverlays(Protocol):
    """Remembers what was switched, by kind of map: 1 and 0, or a number, by an overlay's name."""

    def switched_overlays(self, kind: str) -> Mapping[str, int]:
        """Return what was switched for a kind of map."""

    def set_switched_overlays(self, kind: str, switched: Mapping[str, int]) -> None:
        """Remember this for a kind of map, and nothing else."""


def kind_of_map(system: System, terrain_set: TerrainSet) -> str:
    """Return the kind of map for which overlays are switched together.

    Tactical maps of a system whose maps may be countries as well are a kind of their own.
    """
    if style_of(system).landscape and terrain_set.tactical:
        return f"{system.name} tactical"
    return system.name


def differences(overlays: Overlays, usual: Overlays) -> dict[str, int]:
    """Return the values that differ from those of the ``usual`` overlays, by name: 1 and 0.

    The distance of contour lines is a number.
    """
    switched = {}
    for name in (*OVERLAYS, *sorted(overlays.more ^ usual.more)):
        if name != SESSION_ONLY and overlays.shows(name) != usual.shows(name):
            switched[name] = int(overlays.shows(name))
    if overlays.contour_step != usual.contour_step:
        switched[CONTOUR_STEP] = overlays.contour_step
    return switched


def with_differences(overlays: Overlays, switched: Mapping[str, int]) -> Overlays:
    """Return overlays after something was switched (``differences``)."""
    for name, value in switched.items():
        if name == CONTOUR_STEP:
            overlays = replace(overlays, contour_step=value)
        elif name != SESSION_ONLY:
            overlays = overlays.having(name, bool(value))
    return overlays


class OverlayChoices:
    """The overlays of each kind of map; ``store`` remembers what is switched, None: nothing."""

    def __init__(self, store: SwitchedOverlays | None = None) -> None:
        self.revision = 0
        """How many times something was switched: overlays are the same while it is."""
        self._store = store
        self._switched: dict[str, Mapping[str, int]] = {}
        """What was switched, by kind of map and name, as far as it was asked for."""

    def of(self, system: System, terrain_set: TerrainSet) -> Overlays:
        """Return the overlays that maps of a system with a terrain set are drawn with."""
        usual = style_of(system).overlays(system, terrain_set)
        return with_differences(usual, self._of_kind(kind_of_map(system, terrain_set)))

    def switch(self, system: System, terrain_set: TerrainSet, overlays: Overlays) -> None:
        """Draw maps of this kind with ``overlays`` from now on."""
        switched = differences(overlays, self.of(system, terrain_set))
        if not switched:
            return
        kind = kind_of_map(system, terrain_set)
        self._switched[kind] = {**self._of_kind(kind), **switched}
        self.revision += 1
        if self._store is not None:
            self._store.set_switched_overlays(kind, self._switched[kind])

    def _of_kind(self, kind: str) -> Mapping[str, int]:
        """Return what was switched for a kind of map, in this session or before."""
        if kind not in self._switched:
            switched: Mapping[str, int] = {}
            if self._store is not None:
                switched = self._store.switched_overlays(kind)
            self._switched[kind] = dict(switched)
        return self._switched[kind]
