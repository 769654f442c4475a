"""The panel of regions: names, colours, numbers of cells; a click takes up the region brush.

It is an ``EntryEditor``: a list of entries (``entries``), a form for the chosen one
(``settings_of``, ``change``), and operations below (``add``, ``give_selection``, ``remove``). A
region's *code* is its index in the map's regions, and the value of its cells in the region plane.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from app.desk.desk import Desk
from app.qt_guard import connect
from app.tools.painting import paint
from app.tools.regions import RegionTool, next_region
from app.widgets.lists.entry_editor import EntryEditor, Form
from app.widgets.lists.entry_model import Entry
from app.widgets.lists.entry_operations import Operation, adding, removing
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

FIELD_SETTINGS = (
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
"""The settings of the form for a region; each is named as a field of ``MapRegion``."""


class RegionsPanel(EntryEditor):
    """Lists the regions of the current map by their codes, below the row "None" (``NO_REGION``)."""

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
        # The rows follow the map; then that of the brush is chosen, and all is shown.
        self.follow(self._document.changed, self._document.map_replaced, self._concerns_regions)
        self.choose(desk.tools.options.region)
        self.refresh()

    def _take_up_brush(self) -> None:
        """Make the region brush the chosen tool."""
        self._desk.tools.choose(RegionTool.name)

    def _concerns_regions(self, changed: Region) -> bool:
        """Return whether an edit that changed this part of the map can have changed the list."""
        spec = self._document.battlemap.system.regions
        is_painted = spec is not None and spec.name in changed.planes
        return is_painted or changed.everything or changed.reshaped or bool(changed.records)

    @property
    def regions(self) -> Regions:
        """The regions of the current map by their codes, None for one that was removed."""
        return regions_of(self._document.battlemap.records)

    # --- showing ----------------------------------------------------------------------------

    def entries(self) -> Iterable[Entry]:
        """Yield "None" for cells without a region, then each region with its number of cells."""
        battlemap = self._document.battlemap
        counts = cells_by_region(battlemap, self._document.composite).tolist()
        total = max(1, len(battlemap.grid.cells))
        yield Entry(NO_REGION, ("None", "", ""))
        for code, region in enumerate(self.regions):
            if region is not None:
                share = f"{counts[code] / total:.1%}"
                yield Entry(code, (region.name, f"{counts[code]:,}", share), region.colour)

    def settings_of(self, code: int) -> Form:
        """Return the form of a region; "None" has nothing to set."""
        no_form: Form = ((), {})  # no settings, and no values of them
        if code == NO_REGION:
            return no_form
        region = self.regions[code]
        if region is None:
            return no_form
        return (FIELD_SETTINGS, region._asdict())

    def on_entry_shown(self, code: int | None) -> None:
        """Let the brush paint the chosen region from now on; no region if no row is chosen."""
        if code is None:
            code = NO_REGION
        self._desk.tools.options.choose(region=code)

    # --- changing ---------------------------------------------------------------------------

    def change(self, code: int, name: str, value: object) -> bool:
        """Set a field of a region; changes of one field within a second are one undo step."""
        region = self.regions[code]
        if region is None:
            return False
        text = f"Change {name} of {region.name}"
        new_region = region._replace(**{name: str(value or "").strip()})
        make_edit = partial(change_region, code=code, region=new_region)
        merge_key = f"{name} of region {code}"
        return self._document.change_map(make_edit, text, merge_key)

    def add(self) -> None:
        """Add a region of the selected cells, and take up the brush.

        If these cells cannot be painted now, the region is added without them, and that is said.
        """
        document = self._document
        # Removed regions keep their place in the list, so that its length is a new code.
        code = len(self.regions)
        region = next_region(self.regions)
        cells = document.selection.cells
        why_no_cells = ""
        if len(cells):
            why_no_cells = self._brush.why_not_here(document)

        def make_edit(battlemap: BattleMap) -> Edit | None:
            edits = [add_region(battlemap, region)]
            if len(cells) and not why_no_cells:
                spec = self._brush.plane(battlemap.system)
                edits.append(paint(document, spec, cells, code))
            return compound(edits)

        if document.change_map(make_edit, f"Add {region.name}"):
            self._desk.tools.choose(RegionTool.name)
            if why_no_cells:
                document.refuse(why_no_cells)

    @property
    def _brush(self) -> RegionTool:
        """The tool that paints regions."""
        brush = self._desk.tools.tools[RegionTool.name]
        assert isinstance(brush, RegionTool)
        return brush

    def why_not_give(self, _code: int | None) -> str:
        """Return why no cells can be given to a region, "" if some can."""
        if len(self._document.selection):
            return ""
        return "Nothing is selected on the map."

    def give_selection(self) -> None:
        """Give the selected cells to the chosen region: the one that the brush paints."""
        document = self._document
        why_not = self._brush.why_not_here(document)
        if why_not:
            document.refuse(why_not)
            return
        edit = self._brush.edit_of_cells(document, document.selection.cells)
        if not document.push(edit, "Give cells to a region"):
            document.refuse(self._brush.why_nothing(document))

    def why_not_remove(self, code: int | None) -> str:
        """Return why a row of the list cannot be removed, "" if it can."""
        if code in (None, NO_REGION):
            return "No region is chosen."
        return ""

    def remove(self, code: int) -> None:
        """Remove a region; no other one gets its code."""
        region = self.regions[code]
        assert region is not None, "removed regions are not listed"
        make_edit = partial(remove_region, code=code)
        self._document.change_map(make_edit, f"Remove {region.name}")


def make(desk: Desk) -> RegionsPanel:
    """Return the panel."""
    return RegionsPanel(desk)
