"""The panel of regions: names, colours, numbers of cells; a click takes up the region brush."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QColorDialog,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect
from app.render.scene.things.things import OWNERS
from app.tools.regions import RegionTool
from app.widgets.builders import described, lay_out, tool_button
from randomizer.model.regions import (
    LONGEST_NAME,
    NO_REGION,
    MapRegion,
    add_region,
    cells_by_region,
    change_region,
    free_name,
    regions_of,
    remove_region,
)
from randomizer.model.texts import fault_in_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desk.desk import Desk
    from randomizer.model.edits.edit import Region

SWATCH = 14
"""The width of the colour beside a name, in logical pixels."""

CODE = Qt.ItemDataRole.UserRole


class RegionsPanel(QWidget):
    """Lists the regions of the current map; every change is one undo step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk, self._document = desk, desk.document
        self.list = described(
            QTreeWidget(), "Regions of the map", "A click chooses what is painted"
        )
        self.list.setHeaderLabels(("Region", "Cells", "Of the map"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        bar = QHBoxLayout()
        buttons: tuple[tuple[str, str, Callable[[], None]], ...] = (
            ("Add", "Add a region, of the selected cells if there are any", self.add),
            ("Colour", "Choose another colour", self.ask_colour),
            ("Give selection", "Give the selected cells to the region", self.give_selection),
            ("Delete", "Take the region away; its cells belong to none", self.delete),
        )
        self.buttons = [tool_button(text, tip) for text, tip, _do in buttons]
        for button, (_text, _tip, do) in zip(self.buttons, buttons, strict=True):
            button.setAutoRaise(True)
            connect(button.clicked, partial(_call, do))
            bar.addWidget(button)
        bar.addStretch(1)
        lay_out(QVBoxLayout(self), bar, (self.list, 1), margins=4)
        self._soon = QTimer(self, singleShot=True)
        connect(self._soon.timeout, self.show_regions)
        connect(self.list.itemClicked, lambda _item: self._take_up())
        connect(self.list.currentItemChanged, lambda *_items: self._choose())
        connect(self.list.itemChanged, self._rename)
        connect(self._document.changed, self._on_changed)
        connect(self._document.map_replaced, self.show_regions)
        connect(self._document.selection_changed, self._show_buttons)
        self.show_regions()

    def _on_changed(self, region: Region) -> None:
        spec = self._document.battlemap.system.regions
        painted = spec is not None and spec.name in region.planes
        if painted or region.everything or region.reshaped or region.records:
            self._soon.start(0)

    # --- showing ----------------------------------------------------------------------------

    def show_regions(self) -> None:
        """Show the regions as they are now; the chosen one stays chosen."""
        battlemap, options = self._document.battlemap, self._desk.tools.options
        regions = regions_of(battlemap.records)
        counts = cells_by_region(battlemap, self._document.composite).tolist()
        with QSignalBlocker(self.list):
            self.list.clear()
            none = QTreeWidgetItem(self.list, ["None", "", ""])
            none.setData(0, CODE, NO_REGION)
            none.setToolTip(0, "The region brush takes cells out of their region")
            self.list.setCurrentItem(none)
            for code, region in enumerate(regions):
                if region is not None:
                    share = counts[code] / max(1, len(battlemap.grid.cells))
                    texts = [region.name, f"{counts[code]:,}", f"{share:.1%}"]
                    item = QTreeWidgetItem(self.list, texts)
                    item.setData(0, CODE, code)
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                    swatch = QPixmap(SWATCH, SWATCH)
                    swatch.fill(QColor(region.colour))
                    item.setIcon(0, QIcon(swatch))
                    for column in (1, 2):
                        item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
                    if code == options.region:
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
        self._desk.tools.options.choose(region=self.code)
        self._show_buttons()

    def _take_up(self) -> None:
        self._desk.tools.choose(RegionTool.name)

    def _show_buttons(self) -> None:
        _add, colour, give, delete = self.buttons
        for button in (colour, delete):
            button.setEnabled(self._chosen is not None)
        give.setEnabled(bool(len(self._document.selection)))

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add a region, give it the selection, choose it, and take up the brush."""
        battlemap = self._document.battlemap
        regions = regions_of(battlemap.records)
        region = MapRegion(free_name(regions), OWNERS[len(regions) % len(OWNERS)])
        try:
            edit, code = add_region(battlemap, region)
        except ValueError as fault:
            self._desk.say(f"{fault}.")
            return
        self._document.push(edit, f"Add {region.name}")
        self._desk.tools.options.choose(region=code)
        if len(self._document.selection):
            self.give_selection()
        self.show_regions()
        self._take_up()
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item, 0)

    def give_selection(self) -> None:
        """Give the selected cells to the chosen region."""
        tool = self._desk.tools.tools[RegionTool.name]
        assert isinstance(tool, RegionTool)
        why = tool.why_not_here(self._document)
        if why:
            self._document.refuse(why)
            return
        region = self._chosen
        text = f"Give cells to {region.name}" if region else "Take cells out of regions"
        self._document.push(tool.give(self._document, self._document.selection.cells), text)

    def _rename(self, item: QTreeWidgetItem, column: int) -> None:
        code, name = int(item.data(0, CODE)), item.text(0).strip()
        region = regions_of(self._document.battlemap.records)[code] if code < NO_REGION else None
        if region is None or column or name == region.name:
            return
        fault = fault_in_line(name, LONGEST_NAME) if name else "is empty"
        if fault:
            self._desk.say(f"The name of a region {fault}.")
        else:
            self._change(code, region._replace(name=name), f"Rename {region.name}")
        self._soon.start(0)

    def ask_colour(self) -> None:
        """Ask for the colour of the chosen region."""
        code, region, current = self.code, self._chosen, self._document.current_map
        if region is None:
            return
        colour = QColorDialog.getColor(QColor(region.colour), self)
        if colour.isValid() and current is self._document.current_map and self._chosen == region:
            self._change(code, region._replace(colour=colour.name()), f"Colour of {region.name}")

    def _change(self, code: int, region: MapRegion, text: str) -> None:
        try:
            self._document.push(change_region(self._document.battlemap, code, region), text)
        except ValueError as fault:  # the records of the map are full
            self._desk.say(f"{fault}.")

    def delete(self) -> None:
        """Take the chosen region away."""
        region, code = self._chosen, self.code
        if region is not None:
            edit = remove_region(self._document.battlemap, code)
            self._document.push(edit, f"Delete {region.name}")


def _call(do: Callable[[], None], _checked: bool = False) -> None:
    do()


def make(desk: Desk) -> RegionsPanel:
    """Return the panel."""
    return RegionsPanel(desk)
