"""Tables for a campaign: how many maps like a rolled one, with what, and how they lie on paper."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QFormLayout, QGroupBox, QSpinBox, QVBoxLayout

from app.background.jobs import Work
from app.features.pictures.picture_dialog import PictureDialog
from app.paper.campaign import (
    ALONG,
    HEAD_MM,
    MOST_TABLES,
    TABLES,
    Along,
    campaign_of,
    plan_of,
    tables_pdf,
)
from app.paper.export import Order, kind_of, writing
from app.widgets.number_field import NumberField
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.problems import error

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.document.document import MapDocument
    from app.paper.page_plan import Plan
    from app.render.picture_source import Pictures
    from app.settings import Settings
    from randomizer.model.layer import Layer


class TablesDialog(PictureDialog):
    """Asks for the tables, and writes them as a PDF; ``layer`` is the roll that they are like."""

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
        system, roll = self._document.battlemap.system, self._roll
        remembered = self._settings.picture
        self.count = QSpinBox()
        self.count.setRange(1, MOST_TABLES)
        before = remembered.get("tables", "")
        self.count.setValue(int(before) if before.isdecimal() else TABLES)
        self.count.setToolTip("How many maps are rolled")
        self.first = NumberField(NUMBER_LIMIT)
        self.first.show_value(roll.number)
        self.first.setToolTip(f"The number of the first map of seed {roll.seed}; the others follow")
        self.along = {setting.name: QCheckBox(setting.title) for setting in ALONG}
        usual = " ".join(setting.name for setting in ALONG if not setting.default)
        left_out = remembered.get("left_out", usual).split()
        there = {"log": bool(roll.part), "parts": system.pieces, "areas": system.describe}
        along = QVBoxLayout()
        for name, box in self.along.items():
            box.setChecked(name not in left_out)
            box.setVisible(bool(there[name]))
            along.addWidget(box)
        group = QGroupBox(f"Maps of seed {roll.seed}, rolled as this one was")
        fields = QFormLayout(group)
        fields.addRow("N&umber of maps:", self.count)
        fields.addRow("Fi&rst map:", self.first)
        fields.addRow("With each:", along)
        fields.setRowVisible(along, any(there.values()))
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, group)
        self.count.valueChanged.connect(lambda _count: self._show_order())
        for box in self.along.values():
            box.toggled.connect(lambda _on: self._show_order())

    def fields(self) -> dict[str, str]:
        """What is to be remembered, as texts."""
        left_out = [name for name, box in self.along.items() if not box.isChecked()]
        return {
            **super().fields(),
            "tables": str(self.count.value()),
            "left_out": " ".join(left_out),
        }

    @property
    def order(self) -> Order:
        """What the fields ask for, with room for the name of each table."""
        return replace(super().order, head=HEAD_MM)

    def plan(self, order: Order) -> Plan:
        """How each will lie. Raises ProblemError if they cannot."""
        return plan_of(order, self._document.battlemap, self.count.value())

    def _words_of(self, plan: Plan) -> str:
        count = self.count.value()
        words = f"{count} x {super()._words_of(plan)}" if count > 1 else super()._words_of(plan)
        lists = any(box.isChecked() and not box.isHidden() for box in self.along.values())
        return f"{words}; pages of lists follow each" if lists else words

    def work(self, path: Path) -> Work:
        """What the job does that makes the PDF. Raises ProblemError if it cannot be made."""
        if kind_of(path) != ".pdf":
            raise error("picture-suffix", "tables are written as a PDF", path=str(path))
        battlemap = self._document.battlemap
        campaign = campaign_of(battlemap, self._layer, self.first.value, self.count.value())
        along = Along(**{name: box.isChecked() for name, box in self.along.items()})
        return writing(path, tables_pdf(campaign, self.order, along))
