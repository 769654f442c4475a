"""The dialog that writes *tables* for a campaign: many maps like a rolled one, in one PDF.

It is a ``PictureDialog`` with one more group of fields, ``TablesGroup``. The tables are rolled with
the seed of the rolled layer and consecutive numbers, by a job (``TablesMaker.work``). Lists can
follow each table: the log of its dice, the pieces to build it of, its areas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QGroupBox, QVBoxLayout, QWidget

from app.background.jobs import Work
from app.features.pictures.picture_description import Description, PictureDescriber, ShownMap
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
from app.paper.picture_request import PictureRequest
from app.paper.steps import write_work
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.forms.number_field import NumberField
from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.setting_widget import SettingField
from app.widgets.layout.builders import plain_text
from randomizer.catalog.generators import generator_named
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.players_view import players_view
from randomizer.model.problems import error
from randomizer.model.settings.setting import Setting, fitting_settings
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.paper.page_plan import PagePlan


class TablesGroup(QGroupBox):
    """Asks how many tables, the number of the first, and the lists that follow each."""

    changed = Signal()
    """One of the values has changed, but for the number of the first table."""

    def __init__(self, roll: Roll, system: System, remembered: Mapping[str, object]) -> None:
        """Make the fields; ``remembered`` are the values of the last time, by names of settings."""
        super().__init__(_title(roll))
        self._fields = self._make_fields(remembered)
        """The fields of the settings, by name."""
        self.first = NumberField(NUMBER_LIMIT)
        """The number of the first map; at first that of the current one."""
        self.first.show_value(roll.number)
        tip = f"The number of the first map of seed {roll.seed}; the others follow"
        self.first.setToolTip(plain_text(tip))
        self._offered_lists = _offered_lists(roll, system)
        """The settings of the lists that can be made."""
        ticks = QVBoxLayout()
        for table_list in TABLE_LISTS:
            tick = self.field(table_list.name)
            ticks.addWidget(tick)
            tick.setVisible(table_list in self._offered_lists)
        rows = QFormLayout(self)
        rows.addRow(f"{COUNT.title}:", self.field(COUNT.name))
        rows.addRow("Fi&rst map:", self.first)
        rows.addRow("With each:", ticks)
        rows.setRowVisible(ticks, bool(self._offered_lists))

    def _make_fields(self, remembered: Mapping[str, object]) -> dict[str, SettingField]:
        """Return the fields by the names of their settings, with the values of the last time."""
        table_settings = (COUNT, *TABLE_LISTS)
        fields: dict[str, SettingField] = {}
        for setting in table_settings:
            fields[setting.name] = setting_field(setting, self.changed.emit)
        for name, value in fitting_settings(table_settings, remembered).items():
            fields[name].show(value)
        return fields

    def field(self, name: str) -> QWidget:
        """Return the widget of a setting."""
        return self._fields[name].widget

    def values(self) -> dict[str, object]:
        """Return the values by the names of the settings, to be remembered.

        Lists that are not offered keep their values for the maps of other systems.
        """
        return {name: field.value() for name, field in self._fields.items()}

    @property
    def count(self) -> int:
        """The number of tables."""
        count = self._fields[COUNT.name].value()
        assert isinstance(count, int), "the field of a whole number that is always set"
        return count

    @property
    def lists(self) -> TableLists:
        """The lists that follow each table: those that are offered and ticked."""
        ticks = {}
        for table_list in TABLE_LISTS:
            is_ticked = bool(self._fields[table_list.name].value())
            ticks[table_list.name] = is_ticked and table_list in self._offered_lists
        return TableLists(**ticks)

    @property
    def has_lists(self) -> bool:
        """True if any list follows each table."""
        return any(bool(self._fields[offered.name].value()) for offered in self._offered_lists)


def _title(roll: Roll) -> str:
    """Return what the tables are, which are rolled like the one of a roll."""
    # Only a packaged generator has settings for one table alone; a script would have to be read.
    generator = None
    if not roll.script:
        generator = generator_named(roll.generator)
    if generator is not None and generator.settings_of_others(roll.settings) != roll.settings:
        return f"Maps of seed {roll.seed}; only this one has the dice set by hand"
    return f"Maps of seed {roll.seed}, rolled as this one was"


def _offered_lists(roll: Roll, system: System) -> tuple[Setting, ...]:
    """Return the settings of the lists that can be made of a table, in their order."""
    is_offered = {
        # Tables whose dice are logged are rolled in parts; the log of a script holds no dice.
        "log": roll.part != "",
        "parts": system.offers(System.pieces),
        "areas": system.offers(System.describe),
    }
    return tuple(table_list for table_list in TABLE_LISTS if is_offered[table_list.name])


class TablesDescriber(PictureDescriber):
    """Describes the pages of all tables that the fields of a ``TablesGroup`` ask for."""

    has_key_pages = False
    """No key of the notes follows: the lists are the pages that can."""

    def __init__(self, open_map: OpenMap, tables: TablesGroup) -> None:
        super().__init__(open_map)
        self._tables = tables

    def plan(self, request: PictureRequest, shown_map: ShownMap) -> PagePlan:
        """Return how each table lies on its pages.

        Raises ProblemError if they do not fit on them.
        """
        return plan_of(request, shown_map.battlemap, shown_map.composite, self._tables.count)

    def text_of_plan(self, request: PictureRequest, plan: PagePlan) -> str:
        """Return the text about the pages of all tables; ``plan`` is that of one table.

        Such as "12 tables of 1 page; the map is 180 x 250 mm, hexes 20.0 mm; pages of lists follow
        each".
        """
        text = super().text_of_plan(request, plan)
        if self._tables.count > 1:
            text = f"{self._tables.count} tables of {text}"
        if self._tables.has_lists:
            text = f"{text}; pages of lists follow each"
        return text


class TablesMaker:
    """Makes the tables of a ``TablesGroup``: maps like the one of a rolled layer, in one PDF."""

    is_always_pdf = True

    def __init__(self, open_map: OpenMap, layer: Layer, tables: TablesGroup) -> None:
        """Make tables like the map; ``layer`` is the rolled layer in it."""
        self._open_map = open_map
        self._layer = layer
        self._tables = tables
        self._describer = TablesDescriber(open_map, tables)

    def values(self) -> Mapping[str, object]:
        """Return what is set in the group, by the names of the settings, to be remembered."""
        return self._tables.values()

    def complete_request(self, request: PictureRequest, _kind: str) -> PictureRequest:
        """Return the request with a head for the name of each table."""
        return replace(request, head=HEAD_MM)

    def describe(self, request: PictureRequest, kind: str) -> Description:
        """Return what will be made. Raises ProblemError if a table does not fit on the pages."""
        return self._describer.describe(request, kind)

    def kind_of_file(self, path: Path) -> str:
        """Return ".pdf". Raises ProblemError if the file has another suffix."""
        if path.suffix.lower() != ".pdf":
            message = "Tables are written as PDF only: choose a name that ends in .pdf"
            raise error("picture-suffix", message, path=str(path))
        return ".pdf"

    def work(self, path: Path, request: PictureRequest, _values: Mapping[str, object]) -> Work:
        """Return the work of the job that writes the PDF.

        Raises ProblemError if it cannot be made.
        """
        base_map = self._map_to_roll_on(request)
        tables = self._tables
        campaign = campaign_of(base_map, self._layer, tables.first.value, tables.count)
        return write_work(path, tables_pdf(campaign, request, tables.lists))

    def _map_to_roll_on(self, request: PictureRequest) -> BattleMap:
        """Return the map with the roll and the layers below it, which all tables share.

        Players get the map without its secret layers. Raises ProblemError if the roll is one of
        them.
        """
        battlemap = self._open_map.battlemap
        if not request.overlays.players:
            return battlemap
        map_for_players = players_view(battlemap)
        if all(layer.id != self._layer.id for layer in map_for_players.layers):
            raise error("secret-layer", "the roll is secret: players get no tables like it")
        return map_for_players


class TablesDialog(PictureDialog):
    """Asks for the tables, and writes them: a ``PictureDialog`` with a ``TablesGroup`` above."""

    def __init__(
        self,
        document: MapDocument,
        layer: Layer,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        """Ask for tables like the map of the rolled ``layer``."""
        assert layer.roll is not None, "a rolled layer was asked for"
        self.tables = TablesGroup(layer.roll, document.battlemap.system, settings.picture)
        super().__init__(
            document,
            renderer,
            settings,
            parent,
            maker=TablesMaker(document.current_map, layer, self.tables),
            group_above=self.tables,
        )
        self.setWindowTitle("Tables for a campaign")
        connect(self.tables.changed, self.form.changed)
