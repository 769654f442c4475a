"""The dialog that writes tables for a campaign: many maps like a rolled one, in one PDF."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFormLayout, QGroupBox, QVBoxLayout, QWidget

from app.background.jobs import Work
from app.features.pictures.picture_dialog import PictureDialog
from app.paper.campaign import (
    COUNT,
    HEAD_MM,
    TABLE_LISTS,
    TableLists,
    campaign_of,
    plan_of,
    tables_pdf,
)
from app.paper.export import kind_of
from app.paper.picture_request import PictureRequest
from app.paper.steps import write_work
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.forms.number_field import NumberField
from app.widgets.forms.setting_fields import setting_field
from app.widgets.layout.builders import plain_text
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.layer import Layer
from randomizer.model.players_view import players_view
from randomizer.model.problems import error
from randomizer.model.settings.setting import fitting_settings
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.paper.page_plan import PagePlan


class TablesDialog(PictureDialog):
    """Asks for the tables, and writes them as a PDF: maps like the one of the rolled ``layer``."""

    has_kinds = False

    def __init__(
        self,
        document: MapDocument,
        layer: Layer,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        assert layer.roll is not None, "a rolled layer was asked for"
        self._layer = layer
        self._roll = layer.roll
        super().__init__(document, renderer, settings, parent)
        self.setWindowTitle("Tables for a campaign")

    def _lay_out(self) -> None:
        super()._lay_out()
        system = self._open_map.battlemap.system
        roll = self._roll
        values = fitting_settings((COUNT, *TABLE_LISTS), self._settings.picture)
        self._fields = {
            setting.name: setting_field(setting, self._show_request)
            for setting in (COUNT, *TABLE_LISTS)
        }
        for name, value in values.items():
            self._fields[name].show(value)
        self.first = NumberField(NUMBER_LIMIT)
        self.first.show_value(roll.number)
        self.first.setToolTip(
            plain_text(f"The number of the first map of seed {roll.seed}; the others follow")
        )
        offered = {
            "log": bool(roll.part),
            "parts": system.offers(System.pieces),
            "areas": system.offers(System.describe),
        }
        lists = QVBoxLayout()
        for name, is_offered in offered.items():
            lists.addWidget(self.field(name))
            self.field(name).setVisible(is_offered)
        group = QGroupBox(f"Maps of seed {roll.seed}, rolled as this one was")
        rows = QFormLayout(group)
        rows.addRow(f"{COUNT.title}:", self.field(COUNT.name))
        rows.addRow("Fi&rst map:", self.first)
        rows.addRow("With each:", lists)
        rows.setRowVisible(lists, any(offered.values()))
        self._middle.insertWidget(0, group)

    def field(self, name: str) -> QWidget:
        """Return the widget of one of the settings of tables."""
        return self._fields[name].widget

    def values(self) -> dict[str, object]:
        """Return what is set, by the names of the settings, to be remembered."""
        return {**super().values(), **{name: field.value() for name, field in self._fields.items()}}

    @property
    def _count(self) -> int:
        return int(str(self._fields[COUNT.name].value()))

    @property
    def request(self) -> PictureRequest:
        """The picture that the fields describe, with room for the name of each table."""
        return replace(super().request, head=HEAD_MM)

    def plan(self, request: PictureRequest) -> PagePlan:
        """Return how each table lies on its pages.

        Raises ProblemError if they do not fit on them.
        """
        return plan_of(request, *self.shown_map(request), self._count)

    def _text_of(self, plan: PagePlan) -> str:
        count = self._count
        if count > 1:
            text = f"{count} x {super()._text_of(plan)}"
        else:
            text = super()._text_of(plan)
        values = self.values()
        lists = any(
            values[table_list.name] and not self.field(table_list.name).isHidden()
            for table_list in TABLE_LISTS
        )
        if lists:
            return f"{text}; pages of lists follow each"
        return text

    def work(self, path: Path) -> Work:
        """Return the work of the job that writes the PDF.

        Raises ProblemError if it cannot be made.
        """
        if kind_of(path) != ".pdf":
            raise error("picture-suffix", "tables are written as a PDF", path=str(path))
        battlemap = self._open_map.battlemap
        if self.request.overlays.players:
            battlemap = players_view(battlemap)
            if all(layer.id != self._layer.id for layer in battlemap.layers):
                raise error("secret-layer", "the roll is secret: players get no tables like it")
        campaign = campaign_of(battlemap, self._layer, self.first.value, self._count)
        lists = TableLists(
            **{
                table_list.name: bool(self._fields[table_list.name].value())
                for table_list in TABLE_LISTS
            }
        )
        return write_work(path, tables_pdf(campaign, self.request, lists))
