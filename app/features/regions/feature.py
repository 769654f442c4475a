"""The panel of regions: names, colours, numbers of cells; a click takes up the region brush."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from app.desk.desk import Desk
from app.qt_guard import connect
from app.tools.painting import paint
from app.tools.regions import RegionTool, next_region
from app.widgets.lists.entry_editor import EntryEditor, Form, Operation, adding, removing
from app.widgets.lists.entry_model import Entry
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.edits.region_edits import add_region, change_region, remove_region
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import (
    NO_REGION,
    Regions,
    cells_by_region,
    regions_of,
)
from randomizer.model.settings.setting import COLOUR, Setting

FIELDS = (
    Setting("name", str, "What the region is called on the map", "", title="Name"),
    Setting(
        "colour",
        str,
        "The colour of its border and its name",
        "",
        title="Colour",
        pattern=COLOUR,
        example="#7a9e3f",
    ),
)


class RegionsPanel(EntryEditor):
    """The regions of the current map by their codes, and above them none (``NO_REGION``)."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            "Regions of the map",
            "A click chooses what the region brush paints",
            columns=("Region", "Cells", "Of the map"),
        )
        self._desk = desk
        self._document = desk.document
        self.offer(
            adding("Add a region, of the selected cells if there are any", self.add),
            Operation(
                "Give selection",
                "Give it the selected cells",
                lambda _code: self.give_selection(),
                self.why_not_give,
            ),
            removing(
                "Remove the region; its cells belong to none", self.remove, self.why_not_remove
            ),
        )
        connect(self.list.clicked, self._take_up_brush)
        connect(self._document.selection_changed, self.show_operations)
        self.follow(self._document.changed, self._document.map_replaced, self._concerns_regions)
        self.choose(desk.tools.options.region)
        self.refresh()

    def _take_up_brush(self) -> None:
        self._desk.tools.choose(RegionTool.name)

    def _concerns_regions(self, region: Region) -> bool:
        spec = self._document.battlemap.system.regions
        is_painted = spec is not None and spec.name in region.planes
        return is_painted or region.everything or region.reshaped or bool(region.records)

    @property
    def regions(self) -> Regions:
        """The regions of the current map by their codes, None for one that was removed."""
        return regions_of(self._document.battlemap.records)

    # --- showing ----------------------------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        battlemap = self._document.battlemap
        counts = cells_by_region(battlemap, self._document.composite).tolist()
        total = max(1, len(battlemap.grid.cells))
        yield Entry(NO_REGION, ("None", "", ""))
        for code, region in enumerate(self.regions):
            if region is not None:
                share = f"{counts[code] / total:.1%}"
                yield Entry(code, (region.name, f"{counts[code]:,}", share), region.colour)

    def settings_of(self, code: int) -> Form:
        region = None if code == NO_REGION else self.regions[code]
        if region is None:
            return ((), {})
        return (FIELDS, region._asdict())

    def on_entry_shown(self, code: int | None) -> None:
        """Paint with the chosen region from now on."""
        self._desk.tools.options.choose(region=NO_REGION if code is None else code)

    # --- changing ---------------------------------------------------------------------------

    def change(self, code: int, name: str, value: object) -> bool:
        region = self.regions[code]
        if region is None:
            return False
        text = f"Change {name} of {region.name}"
        changed = region._replace(**{name: str(value or "").strip()})
        make = partial(change_region, code=code, region=changed)
        return self._document.change_map(make, text, f"{name} of region {code}")

    def add(self) -> None:
        """Add a region of the selected cells, and take up the brush."""
        document = self._document
        code = len(self.regions)
        region = next_region(self.regions)
        cells = document.selection.cells
        if len(cells):
            why_no_cells = self._brush.why_not_here(document)
        else:
            why_no_cells = ""

        def make(battlemap: BattleMap) -> Edit | None:
            edits = [add_region(battlemap, region)]
            if len(cells) and not why_no_cells:
                spec = self._brush.plane(battlemap.system)
                edits.append(paint(document, spec, cells, code))
            return compound(edits)

        if document.change_map(make, f"Add {region.name}"):
            self._desk.tools.choose(RegionTool.name)
            if why_no_cells:
                document.refuse(why_no_cells)

    @property
    def _brush(self) -> RegionTool:
        brush = self._desk.tools.tools[RegionTool.name]
        assert isinstance(brush, RegionTool)
        return brush

    def why_not_give(self, _code: int | None) -> str:
        """Return why no cells can be given to a region, "" if some can."""
        if len(self._document.selection):
            return ""
        return "Nothing is selected on the map."

    def give_selection(self) -> None:
        """Give the selected cells to the chosen region."""
        why = self._brush.why_not_here(self._document)
        if why:
            self._document.refuse(why)
        else:
            edit = self._brush.give(self._document, self._document.selection.cells)
            if not self._document.push(edit, "Give cells to a region"):
                self._document.refuse(self._brush.why_nothing(self._document))

    def why_not_remove(self, code: int | None) -> str:
        """Return why a row of the list cannot be removed, "" if it can."""
        return "No region is chosen." if code in (None, NO_REGION) else ""

    def remove(self, code: int) -> None:
        """Remove a region."""
        region = self.regions[code]
        assert region is not None, "removed regions are not listed"
        make = partial(remove_region, code=code)
        self._document.change_map(make, f"Remove {region.name}")


def make(desk: Desk) -> RegionsPanel:
    """Return the panel."""
    return RegionsPanel(desk)
