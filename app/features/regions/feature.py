"""The panel of regions: names, colours, numbers of cells; a click takes up the region brush."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.desk.desk import Desk
from app.qt_guard import connect
from app.render.scene.things.things import OWNERS
from app.tools.regions import RegionTool
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import described, lay_out, tool_button
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.edits.region_edits import add_region, change_region, remove_region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import (
    NO_REGION,
    MapRegion,
    cells_by_region,
    free_name,
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

SWATCH = 14
"""The width of the colour beside a name, in logical pixels."""

CODE = Qt.ItemDataRole.UserRole


class RegionsPanel(QWidget):
    """Lists the regions of the current map; every change is one undo step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._document = desk.document
        tip = "A click chooses what the region brush paints"
        self.list = described(QTreeWidget(), "Regions of the map", tip)
        self.list.setHeaderLabels(("Region", "Cells", "Of the map"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.form = CommittedForm()
        self.add_button = tool_button("Add", "Add a region, of the selected cells if there are any")
        self.give_button = tool_button("Give selection", "Give it the selected cells")
        self.delete_button = tool_button("Delete", "Take it away; its cells belong to no region")
        buttons = self.add_button, self.give_button, self.delete_button
        for button, do in zip(buttons, (self.add, self.give_selection, self.delete), strict=True):
            button.setAutoRaise(True)
            connect(button.clicked, do)
        bar = lay_out(QHBoxLayout(), *buttons, 1)
        lay_out(QVBoxLayout(self), bar, (self.list, 1), self.form, margins=4)
        self._soon = QTimer(self, singleShot=True)
        connect(self._soon.timeout, self.show_regions)
        connect(self.list.itemClicked, lambda _item: desk.tools.choose(RegionTool.name))
        connect(self.list.currentItemChanged, lambda *_items: self._choose())
        connect(self.form.committed, self._commit)
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self.show_regions)
        connect(self._document.selection_changed, self._choose)
        self.show_regions()

    def _on_changed(self, region: Region) -> None:
        spec = self._document.battlemap.system.regions
        painted = spec is not None and spec.name in region.planes
        if painted or region.everything or region.reshaped or region.records:
            self._soon.start(0)

    def show_regions(self) -> None:
        """Show the regions as they are now; the chosen one stays chosen."""
        battlemap = self._document.battlemap
        chosen = self._desk.tools.options.region
        counts = cells_by_region(battlemap, self._document.composite).tolist()
        total = max(1, len(battlemap.grid.cells))
        rows: list[tuple[int, list[str]]] = [(NO_REGION, ["None", "", ""])]
        regions = {code: each for code, each in enumerate(regions_of(battlemap.records)) if each}
        for code, region in regions.items():
            rows.append((code, [region.name, f"{counts[code]:,}", f"{counts[code] / total:.1%}"]))
        with QSignalBlocker(self.list):
            self.list.clear()
            for code, texts in rows:
                item = QTreeWidgetItem(self.list, texts)
                item.setData(0, CODE, code)
                for column in (1, 2):
                    item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
                if code in regions:
                    swatch = QPixmap(SWATCH, SWATCH)
                    swatch.fill(QColor(regions[code].colour))
                    item.setIcon(0, QIcon(swatch))
                if code in (chosen, NO_REGION):
                    self.list.setCurrentItem(item)
        self._choose()

    @property
    def code(self) -> int:
        """The code of the chosen region, ``NO_REGION`` for none."""
        item = self.list.currentItem()
        return NO_REGION if item is None else int(item.data(0, CODE))

    @property
    def _chosen(self) -> MapRegion | None:
        regions = regions_of(self._document.battlemap.records)
        return regions[self.code] if self.code < len(regions) else None

    def _choose(self) -> None:
        """Paint with the chosen region from now on, and show its name and colour."""
        region = self._chosen
        self._desk.tools.options.choose(region=self.code)
        self.delete_button.setEnabled(region is not None)
        self.give_button.setEnabled(bool(len(self._document.selection)))
        self.form.setVisible(region is not None)
        if region is not None:
            self.form.set_settings(FIELDS, region._asdict())

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add a region, give it the selection, choose it, and take up the brush."""
        regions = regions_of(self._document.battlemap.records)
        region = MapRegion(free_name(regions), OWNERS[len(regions) % len(OWNERS)])
        if self._push(partial(add_region, region=region), f"Add {region.name}"):
            self._desk.tools.options.choose(region=len(regions))
            if len(self._document.selection):
                self.give_selection()
            self.show_regions()
            self._desk.tools.choose(RegionTool.name)
            self.form.edit("name")

    def give_selection(self) -> None:
        """Give the selected cells to the chosen region."""
        tool = self._desk.tools.tools[RegionTool.name]
        assert isinstance(tool, RegionTool)
        why = tool.why_not_here(self._document)
        if why:
            self._document.refuse(why)
        else:
            edit = tool.give(self._document, self._document.selection.cells)
            self._document.push(edit, "Give cells to a region")

    def _commit(self, name: str) -> None:
        region = self._chosen
        if region is not None:
            region_after = region._replace(**{name: str(self.form.values()[name] or "").strip()})
            change = partial(change_region, code=self.code, region=region_after)
            if not self._push(change, f"Change {name} of {region.name}"):
                self._choose()  # what was refused is not shown

    def delete(self) -> None:
        """Take the chosen region away."""
        region = self._chosen
        if region is not None:
            self._push(partial(remove_region, code=self.code), f"Delete {region.name}")

    def _push(self, make: Callable[[BattleMap], Edit | None], text: str) -> bool:
        """Push the edit that ``make`` gives; False, with a message, if it refuses to."""
        try:
            return self._document.push(make(self._document.battlemap), text)
        except ValueError as fault:
            self._desk.say(f"{fault}.")
            return False


def make(desk: Desk) -> RegionsPanel:
    """Return the panel."""
    return RegionsPanel(desk)
