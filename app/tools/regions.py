"""The brush for regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tools.brushes import BrushTool
from app.tools.painting import left_out, mark_left_out, paint
from app.tools.tool import Preview
from randomizer.geometry.shapes import Cells
from randomizer.model.edits.edit import Edit
from randomizer.model.hand import targets
from randomizer.model.map.regions import NO_REGION, regions_of
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.pointer import Pointer


class RegionTool(BrushTool):
    """Gives cells to the chosen region, or takes them out of any."""

    name = "region"
    title = "Region brush"
    words = "country area border paint"
    icon = "region"
    tip = "Give {cells} to the region that is chosen in the panel Regions; none takes them out."
    text = "Paint region"

    def suits(self, system: System) -> bool:
        return system.regions is not None

    def lacks(self, system: System) -> str:
        return "" if system.regions is not None else "regions"

    def plane(self, system: System) -> PlaneSpec:
        assert system.regions is not None, "the tool suits the map"
        return system.regions

    def why_not_here(self, document: MapDocument) -> str:
        """Also refuses a region that the map has not."""
        if self._erases(document) and self.options.region != NO_REGION:
            return "No region is chosen: add one in the panel Regions (Map > Regions)."
        return super().why_not_here(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        return self.give(document, self.reach(document, pointer).cells)

    def give(self, document: MapDocument, cells: Cells) -> Edit | None:
        """Return the edit that gives cells to the chosen region."""
        spec = self.plane(document.battlemap.system)
        if self._erases(document):
            return targets.erase(document.battlemap, document.active_layer_id, spec.name, cells)
        return paint(document, spec, cells, self.options.region)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        result = self.reach(document, pointer)
        spec = self.plane(document.battlemap.system)
        erasing = self._erases(document)
        barred = left_out(document, spec, result.cells, erasing=erasing)
        return mark_left_out(document, Preview.of(result), barred)

    def _erases(self, document: MapDocument) -> bool:
        """Whether the map has no region with the chosen code."""
        regions = regions_of(document.battlemap.records)
        return self.options.region >= len(regions) or regions[self.options.region] is None
