"""The brush for regions: it gives cells to a region of the map, or takes them out of it.

A region is a named part of the map (``randomizer.model.map.regions``); its *code* is its index in
the table of regions, and the value of its cells in the plane of regions. A region that was removed
leaves None in the table::

    regions_of(battlemap.records)     # (MapRegion("Rohan", ...), None, MapRegion("Mordor", ...))
    tool.options.choose(region=2)     # in the panel: the brush gives cells to Mordor
    tool.options.choose(region=NO_REGION)     # the row "None": the brush takes cells out

What the brush does depends on this choice and on the table: ``BrushMode``.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from app.render.scene.things.looks import OWNERS
from app.tools.brushes import BrushTool
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.preview import Preview
from randomizer.geometry.areas import Cells
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.region_edits import add_region
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand import targets
from randomizer.model.map.regions import (
    NO_REGION,
    MapRegion,
    Regions,
    free_name,
    regions_of,
)
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.pointer import Pointer


def next_region(regions: Regions) -> MapRegion:
    """Return a new region for a map, with a name that is free and the next one of the colours."""
    colour = OWNERS[len(regions) % len(OWNERS)]
    return MapRegion(free_name(regions), colour)


class BrushMode(Enum):
    """What the brush does with cells."""

    BEGIN_FIRST = auto()
    """The map has no region: the brush makes the first one, of the cells, whatever is chosen."""

    GIVE = auto()
    """The chosen region is on the map: it gets the cells."""

    TAKE_OUT = auto()
    """The row "None" (``NO_REGION``) is chosen: the cells are taken out of their regions."""

    REFUSE = auto()
    """The chosen region is not on the map, which has others. The user has to choose one first.

    This is so after a region was removed, or where the choice is from another map.
    """


def brush_mode(regions: Regions, chosen_code: int) -> BrushMode:
    """Return what the brush does on a map with these regions, where this code is chosen."""
    if not any(regions):  # none yet, or all were removed
        return BrushMode.BEGIN_FIRST
    if chosen_code == NO_REGION:
        return BrushMode.TAKE_OUT
    is_on_map = chosen_code < len(regions) and regions[chosen_code] is not None
    if is_on_map:
        return BrushMode.GIVE
    return BrushMode.REFUSE


class RegionTool(BrushTool):
    """Gives cells to the chosen region, or takes them out of any."""

    name = "region"
    title = "Region brush"
    words = "country area border paint"
    icon = "region"
    panel = "regions"
    tip = (
        "Give {cells} to the region that is chosen in the panel Regions; None takes them out. On a "
        "map without regions this makes the first one."
    )
    text = "Paint region"

    def suits(self, system: System) -> bool:
        """Return whether maps of a system have regions: the tool is not offered for others."""
        return system.regions is not None

    def lacks(self, system: System) -> str:
        """Return the noun "regions" if maps of a system have none, "" if they have."""
        if system.regions is None:
            return "regions"
        return ""

    def plane(self, system: System) -> PlaneSpec:
        """Return the plane with the codes of regions; the system must have one."""
        assert system.regions is not None, "the tool suits the map"
        return system.regions

    def why_not_here(self, document: MapDocument) -> str:
        """Return why no stroke can begin: a region must be chosen, or the layer is locked."""
        if self._mode(document) is BrushMode.REFUSE:
            return "No region is chosen: choose one in the panel Regions (Map > Regions)."
        return super().why_not_here(document)

    def why_nothing(self, document: MapDocument) -> str:
        """Return what to say after a stroke that changed nothing; "" if all is as was asked."""
        if self._mode(document) is BrushMode.GIVE:
            return super().why_nothing(document)
        return (
            "No region is chosen, and none is here to be taken away: choose one in the panel "
            "Regions (Map > Regions)."
        )

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Return the edit for the cells under the brush; None if it would change nothing."""
        cells = self.reach(document, pointer).cells
        if self._mode(document) is BrushMode.BEGIN_FIRST:
            return self._begin_first(document, cells)
        return self.edit_of_cells(document, cells)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        """Return the cells that a click would change, and those that a locked layer keeps."""
        reached = self.reach(document, pointer)
        preview = Preview.of(reached)
        mode = self._mode(document)
        if mode is BrushMode.BEGIN_FIRST:
            preview = replace(preview, note="A click makes the map's first region")
        # Which cells a locked layer keeps depends on whether they are given or taken out.
        erasing = mode in (BrushMode.TAKE_OUT, BrushMode.REFUSE)
        spec = self.plane(document.battlemap.system)
        barred = left_out(document, spec, reached.cells, erasing=erasing)
        return mark_left_out(document, preview, barred)

    def edit_of_cells(self, document: MapDocument, cells: Cells) -> Edit | None:
        """Return the edit that gives cells, shape (n,), to the chosen region, or takes them out.

        The brush calls it for the cells under it, the panel for the selected ones. It makes no
        first region: on a map without regions the cells are taken out, and so they are while no
        region is chosen (REFUSE), about which the caller has asked ``why_not_here``. None for no
        change.
        """
        battlemap = document.battlemap
        spec = self.plane(battlemap.system)
        if self._mode(document) is BrushMode.GIVE:
            return paint(document, spec, cells, self.options.region)
        return targets.erase(battlemap, document.active_layer_id, spec.name, cells)

    def _begin_first(self, document: MapDocument, cells: Cells) -> Edit | None:
        """Return the edit that adds the map's first region with these cells, and choose the region.

        None, and nothing is chosen, if the cells cannot be painted.
        """
        battlemap = document.battlemap
        regions = regions_of(battlemap.records)
        code = len(regions)  # behind those that were removed
        painted = paint(document, self.plane(battlemap.system), cells, code)
        if painted is None:
            return None
        # The next cells of the stroke are given to this region: the mode is ``GIVE`` then.
        self.options.choose(region=code)
        return compound([add_region(battlemap, next_region(regions)), painted])

    def _mode(self, document: MapDocument) -> BrushMode:
        """Return what the brush does on the map now."""
        return brush_mode(regions_of(document.battlemap.records), self.options.region)
