"""The dialog that writes tables for a campaign: many maps like a rolled one, in one PDF."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QFormLayout, QGroupBox, QSpinBox, QVBoxLayout

from app.background.jobs import Work
from app.features.pictures.picture_dialog import PictureDialog
from app.paper.campaign import (
    HEAD_MM,
    MOST_TABLES,
    TABLE_LISTS,
    TABLES,
    TableLists,
    campaign_of,
    plan_of,
    tables_pdf,
)
from app.paper.export import kind_of
from app.paper.picture_request import PictureRequest
from app.paper.steps import write_work
from app.qt_guard import connect
from app.widgets.number_field import NumberField
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.problems import error

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.document.document import MapDocument
    from app.paper.page_plan import PagePlan
    from app.render.picture_source import Pictures
    from app.settings import Settings
    from randomizer.model.layer import Layer


class TablesDialog(PictureDialog):
    """Asks for the tables, and writes them as a PDF: maps like the one of the rolled ``layer``."""

    has_kinds = False

    def __init__(
        self,
        document: MapDocument,
        layer: Layer,
        pictures: Pictures,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        assert layer.roll is not None, "a rolled layer was asked for"
        self._layer, self._roll = layer, layer.roll
        super().__init__(document, pictures, settings, parent)
        self.setWindowTitle("Tables for a campaign")

    def _lay_out(self) -> None:
        super()._lay_out()
        system, roll = self._open_map.battlemap.system, self._roll
        remembered = self._settings.picture
        self.count = QSpinBox()
        self.count.setRange(1, MOST_TABLES)
        before = remembered.get("tables", "")
        self.count.setValue(int(before) if re.fullmatch("[0-9]{1,9}", before) else TABLES)
        self.count.setToolTip("How many maps are rolled")
        self.first = NumberField(NUMBER_LIMIT)
        self.first.show_value(roll.number)
        self.first.setToolTip(f"The number of the first map of seed {roll.seed}; the others follow")
        self.lists = {setting.name: QCheckBox(setting.title) for setting in TABLE_LISTS}
        usual = " ".join(setting.name for setting in TABLE_LISTS if not setting.default)
        left_out = remembered.get("left_out", usual).split()
        there = {"log": bool(roll.part), "parts": system.pieces, "areas": system.describe}
        lists = QVBoxLayout()
        for name, box in self.lists.items():
            box.setChecked(name not in left_out)
            box.setVisible(bool(there[name]))
            lists.addWidget(box)
        group = QGroupBox(f"Maps of seed {roll.seed}, rolled as this one was")
        fields = QFormLayout(group)
        fields.addRow("N&umber of maps:", self.count)
        fields.addRow("Fi&rst map:", self.first)
        fields.addRow("With each:", lists)
        fields.setRowVisible(lists, any(there.values()))
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, group)
        connect(self.count.valueChanged, lambda _count: self._show_request())
        for box in self.lists.values():
            connect(box.toggled, lambda _on: self._show_request())

    def fields(self) -> dict[str, str]:
        """The values of the fields, as texts, to be remembered."""
        left_out = [name for name, box in self.lists.items() if not box.isChecked()]
        return {
            **super().fields(),
            "tables": str(self.count.value()),
            "left_out": " ".join(left_out),
        }

    @property
    def request(self) -> PictureRequest:
        """The picture that the fields describe, with room for the name of each table."""
        return replace(super().request, head=HEAD_MM)

    def plan(self, request: PictureRequest) -> PagePlan:
        """How each table lies on its pages. Raises ProblemError if they do not fit on them."""
        return plan_of(request, self._open_map.battlemap, self.count.value())

    def _words_of(self, plan: PagePlan) -> str:
        count = self.count.value()
        words = f"{count} x {super()._words_of(plan)}" if count > 1 else super()._words_of(plan)
        lists = any(box.isChecked() and not box.isHidden() for box in self.lists.values())
        return f"{words}; pages of lists follow each" if lists else words

    def work(self, path: Path) -> Work:
        """The work of the job that writes the PDF. Raises ProblemError if it cannot be made."""
        if kind_of(path) != ".pdf":
            raise error("picture-suffix", "tables are written as a PDF", path=str(path))
        battlemap = self._open_map.battlemap
        campaign = campaign_of(battlemap, self._layer, self.first.value, self.count.value())
        lists = TableLists(**{name: box.isChecked() for name, box in self.lists.items()})
        return write_work(path, tables_pdf(campaign, self.request, lists))
