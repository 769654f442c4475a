"""The dialog that writes *tables* for a campaign: many maps like a rolled one, in one PDF.

It is a ``PictureDialog`` with one more group of fields. The tables are rolled with the seed of the
rolled layer and consecutive numbers, by a job (``work``). Lists can follow each table: the log of
its dice, the pieces to build it of, its areas.
"""

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
from app.widgets.forms.setting_widget import SettingField
from app.widgets.layout.builders import plain_text
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.players_view import players_view
from randomizer.model.problems import error
from randomizer.model.settings.setting import Setting, fitting_settings
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.paper.page_plan import PagePlan


class TablesDialog(PictureDialog):
    """Asks for the tables, and writes them as a PDF: maps like the one of the rolled ``layer``.

    The fields for the picture, the preview and the buttons are those of ``PictureDialog``. This
    class puts a group of fields above them: how many tables, the number of the first, and the lists
    that follow each. The base class calls ``request`` and ``plan`` for the preview, and ``work``
    when the PDF is to be written.
    """

    has_kinds = False
    """The base class offers no kinds of pictures: all tables are in one PDF."""

    def __init__(
        self,
        document: MapDocument,
        layer: Layer,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        assert layer.roll is not None, "a rolled layer was asked for"
        # These two come first: the constructor of the base class lays out the dialog.
        self._layer = layer
        self._roll = layer.roll
        super().__init__(document, renderer, settings, parent)
        self.setWindowTitle("Tables for a campaign")

    def _lay_out(self) -> None:
        """Lay out the dialog of a picture, and the group of the tables above its fields."""
        super()._lay_out()
        self._fields = self._make_fields()
        self.first = self._make_first_field()
        list_ticks = self._lay_out_list_ticks()
        group = QGroupBox(f"Maps of seed {self._roll.seed}, rolled as this one was")
        rows = QFormLayout(group)
        rows.addRow(f"{COUNT.title}:", self.field(COUNT.name))
        rows.addRow("Fi&rst map:", self.first)
        rows.addRow("With each:", list_ticks)
        rows.setRowVisible(list_ticks, any(self._offered_lists().values()))
        self._middle.insertWidget(0, group)

    def _make_fields(self) -> dict[str, SettingField]:
        """Return the fields of the tables' settings, by name, with the values of the last time."""
        table_settings = (COUNT, *TABLE_LISTS)
        last_values = fitting_settings(table_settings, self._settings.picture)
        fields: dict[str, SettingField] = {}
        for setting in table_settings:
            fields[setting.name] = setting_field(setting, self._show_request)
        for name, value in last_values.items():
            fields[name].show(value)
        return fields

    def _make_first_field(self) -> NumberField:
        """Return the field for the number of the first map; it shows that of the current one."""
        field = NumberField(NUMBER_LIMIT)
        field.show_value(self._roll.number)
        field.setToolTip(
            plain_text(f"The number of the first map of seed {self._roll.seed}; the others follow")
        )
        return field

    def _lay_out_list_ticks(self) -> QVBoxLayout:
        """Return the ticks for the lists; those that the roll or its system lacks are hidden."""
        ticks = QVBoxLayout()
        for name, is_offered in self._offered_lists().items():
            tick = self.field(name)
            ticks.addWidget(tick)
            tick.setVisible(is_offered)
        return ticks

    def _offered_lists(self) -> dict[str, bool]:
        """Return whether each list of a table can be made, by the names of ``TableLists``."""
        system = self._open_map.battlemap.system
        # Tables whose dice are logged are rolled in parts; the log of a script holds no dice.
        has_log = self._roll.part != ""
        return {
            "log": has_log,
            "parts": system.offers(System.pieces),
            "areas": system.offers(System.describe),
        }

    def field(self, name: str) -> QWidget:
        """Return the widget of one of the settings of tables."""
        return self._fields[name].widget

    def values(self) -> dict[str, object]:
        """Return what is set, by the names of the settings, to be remembered."""
        values = super().values()
        for name, field in self._fields.items():
            values[name] = field.value()
        return values

    @property
    def _count(self) -> int:
        """The number of tables."""
        count = self._fields[COUNT.name].value()
        assert isinstance(count, int), "the field of a whole number that is always set"
        return count

    def _is_ticked(self, table_list: Setting) -> bool:
        """Return whether a list is to follow each table."""
        return bool(self._fields[table_list.name].value())

    @property
    def request(self) -> PictureRequest:
        """The picture that the fields describe, with a head for the name of each table."""
        return replace(super().request, head=HEAD_MM)

    def plan(self, request: PictureRequest) -> PagePlan:
        """Return how each table lies on its pages.

        Raises ProblemError if they do not fit on them.
        """
        battlemap, composite = self.shown_map(request)
        return plan_of(request, battlemap, composite, self._count)

    def _text_of(self, plan: PagePlan) -> str:
        """Return the text about the pages of all tables; ``plan`` is that of one table.

        Such as "12 x 1 page; the map is 180 x 250 mm, hexes 20.0 mm; pages of lists follow each".
        """
        text = super()._text_of(plan)
        if self._count > 1:
            text = f"{self._count} x {text}"
        if self._has_lists():
            text = f"{text}; pages of lists follow each"
        return text

    def _has_lists(self) -> bool:
        """Return whether a list is ticked that a person can see.

        A hidden tick keeps its value for the maps of other systems.
        """
        for table_list in TABLE_LISTS:
            is_hidden = self.field(table_list.name).isHidden()
            if self._is_ticked(table_list) and not is_hidden:
                return True
        return False

    def work(self, path: Path) -> Work:
        """Return the work of the job that writes the PDF.

        Raises ProblemError if it cannot be made.
        """
        if kind_of(path) != ".pdf":
            raise error("picture-suffix", "tables are written as a PDF", path=str(path))
        base_map = self._map_to_roll_on()
        campaign = campaign_of(base_map, self._layer, self.first.value, self._count)
        return write_work(path, tables_pdf(campaign, self.request, self._chosen_lists()))

    def _map_to_roll_on(self) -> BattleMap:
        """Return the map with the roll and the layers below it, which all tables share.

        Players get the map without its secret layers. Raises ProblemError if the roll is one of
        them.
        """
        battlemap = self._open_map.battlemap
        if not self.request.overlays.players:
            return battlemap
        map_for_players = players_view(battlemap)
        if all(layer.id != self._layer.id for layer in map_for_players.layers):
            raise error("secret-layer", "the roll is secret: players get no tables like it")
        return map_for_players

    def _chosen_lists(self) -> TableLists:
        """Return the lists that are ticked; those that a table lacks make no pages."""
        ticks = {table_list.name: self._is_ticked(table_list) for table_list in TABLE_LISTS}
        return TableLists(**ticks)
