"""The brush for regions: it gives cells to a region of the map, or takes them out of it.

A region is a named part of the map (``randomizer.model.map.regions``); its *code* is its index in
the table of regions, and the value of its cells in the plane of regions.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.render.scene.things.looks import OWNERS
from app.tools.brushes import BrushTool
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.tool import Preview
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
        return system.regions is not None

    def lacks(self, system: System) -> str:
        if system.regions is not None:
            return ""
        return "regions"

    def plane(self, system: System) -> PlaneSpec:
        assert system.regions is not None, "the tool suits the map"
        return system.regions

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if the chosen region is none of this map, which has other ones."""
        is_region_gone = self._erases(document) and self.options.region != NO_REGION
        if is_region_gone and not self._has_no_regions(document):
            return "No region is chosen: choose one in the panel Regions (Map > Regions)."
        return super().why_not_here(document)

    def why_nothing(self, document: MapDocument) -> str:
        if self._erases(document):
            return (
                "No region is chosen, and none is here to be taken away: choose one in the panel "
                "Regions (Map > Regions)."
            )
        return super().why_nothing(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        cells = self.reach(document, pointer).cells
        if self._has_no_regions(document):
            return self._begin_first(document, cells)
        return self.region_edit(document, cells)

    def _begin_first(self, document: MapDocument, cells: Cells) -> Edit | None:
        """Return the edit that adds the map's first region with these cells, and choose the region.

        None, and nothing is chosen, if the cells cannot be painted.
        """
        battlemap = document.battlemap
        regions = regions_of(battlemap.records)
        code = len(regions)
        painted = paint(document, self.plane(battlemap.system), cells, code)
        if painted is None:
            return None
        self.options.choose(region=code)
        return compound([add_region(battlemap, next_region(regions)), painted])

    def region_edit(self, document: MapDocument, cells: Cells) -> Edit | None:
        """Return the edit that gives cells to the chosen region, or takes them out of any."""
        spec = self.plane(document.battlemap.system)
        if self._erases(document):
            return targets.erase(document.battlemap, document.active_layer_id, spec.name, cells)
        return paint(document, spec, cells, self.options.region)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        reached = self.reach(document, pointer)
        spec = self.plane(document.battlemap.system)
        preview = Preview.of(reached)
        begins_first = self._has_no_regions(document)
        if begins_first:
            preview = replace(preview, note="A click makes the map's first region")
        erasing = self._erases(document) and not begins_first
        barred = left_out(document, spec, reached.cells, erasing=erasing)
        return mark_left_out(document, preview, barred)

    @staticmethod
    def _has_no_regions(document: MapDocument) -> bool:
        """Return whether the map has no region yet, or none any more."""
        # A region that was deleted leaves a None in the table.
        return not any(regions_of(document.battlemap.records))

    def _erases(self, document: MapDocument) -> bool:
        """Return whether the map has no region with the chosen code: then the brush erases."""
        regions = regions_of(document.battlemap.records)
        code = self.options.region
        return code >= len(regions) or regions[code] is None
