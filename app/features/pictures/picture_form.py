"""The form of a picture or a print: kind, size, paper, colours, and the overlays to draw.

``PictureDialog`` has a ``PictureForm``. It asks for the settings of ``picture_settings``, and below
them with a box to tick for each overlay that the map can show::

    form = PictureForm(battlemap, paged=False)
    form.show_values({"kind": ".pdf", "way": "poster", "size": 38.0, "rulers": True})
    form.values()          # these, and the values of all other settings by their names
    form.kind              # ".pdf": the kind of a picture is the suffix of its file
    form.overlays.rulers   # True

Which rows are shown depends on the kind, for a PDF also on its way onto paper (``_rows_for``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QGroupBox, QVBoxLayout, QWidget

from app.paper.page_plan import MAX_HEX_MM, MM_PER_INCH
from app.paper.picture_request import (
    HEX_MM,
    KINDS,
    ON_PAPER,
    TABLES,
)
from app.paper.picture_settings import (
    CONTOURS,
    FOLDER,
    KEY,
    KIND,
    OVERLAP,
    OVERVIEW,
    PAPER,
    PAPER_MARGIN,
    UNIT,
    WALLS,
    WayOntoPaper,
    overlay_settings,
    picture_settings,
)
from app.paper.virtual_table import OVERLAYS_OUTSIDE, cannot_draw_grid
from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.setting_widget import SettingField
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import STRETCH, lay_out
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting, fitting_settings

MIN_SIZE_MM = 0.5
"""The least size of a hex that can be chosen, in millimetres."""


class _Unit(NamedTuple):
    """A unit in which the size of a hex is shown."""

    millimetres: float
    """The length of the unit."""

    step: float
    """An arrow of the field changes the size by so many units."""

    decimals: int
    """The decimals of the field."""


_UNITS = {
    "mm": _Unit(1.0, step=1.0, decimals=1),
    "inches": _Unit(MM_PER_INCH, step=0.125, decimals=3),  # an eighth needs three decimals
}
"""The units by the values of the setting ``UNIT``."""

# The names of settings whose titles depend on the shape of the cells: ``picture_settings`` makes
# them for a layout, and there is no constant that has the name.
_SIZE = "size"
_PIXELS = "pixels"
_WAY = "way"

# The names of overlays that every map can show: they always have boxes.
_PLAYERS = "players"
_GRID_LINES = "grid_lines"

_PAPER_ROWS = {_WAY, PAPER.name, PAPER_MARGIN.name}
"""The rows, by names of settings, for every picture on paper of a chosen size."""

_ROWS_FOR_WAY = {
    WayOntoPaper.FIT: _PAPER_ROWS,
    WayOntoPaper.PAGE: _PAPER_ROWS | {_SIZE},
    WayOntoPaper.POSTER: _PAPER_ROWS | {_SIZE, OVERLAP.name, OVERVIEW.name},
    WayOntoPaper.OWN: {_WAY, _SIZE},
}
"""The rows that matter to a PDF or a print, by its way onto paper."""

_ROWS_FOR_KIND = {
    ".png": {_PIXELS},
    ".svg": {_SIZE},
    ".json": {_PIXELS, WALLS.name, FOLDER.name},
    ".uvtt": {_PIXELS, WALLS.name},
}
"""The rows that matter to other kinds of pictures."""

_CHANGING_ROWS = {
    KEY.name,
    *(name for names in _ROWS_FOR_WAY.values() for name in names),
    *(name for names in _ROWS_FOR_KIND.values() for name in names),
}
"""The rows that are hidden for some kinds. The others, such as the colours, are always shown."""

OVERLAY_COLUMNS = 2
"""The number of columns in which the boxes of the overlays stand."""


class PictureForm(QWidget):
    """Asks how a picture of a map is to be made.

    The size of a hex is shown in the chosen unit. The form stores it in millimetres, so that it
    stays the same when the unit changes.
    """

    changed = Signal()
    """A value was changed, so that another picture is asked for."""

    def __init__(
        self,
        battlemap: BattleMap,
        *,
        paged: bool,
        kinds: Mapping[str, str] = KINDS,
        has_key: bool = False,
        overlays: Overlays = ON_PAPER,
        parent: QWidget | None = None,
    ) -> None:
        """Make the form for pictures of ``battlemap``.

        ``paged`` is as in ``picture_settings``. ``kinds`` are the suffixes and titles of the kinds
        of files that are offered, of which the first is chosen at first. With ``has_key`` the map
        has notes, which a PDF can have on pages of their own. ``overlays`` are ticked at first;
        those that the map cannot show have no box.
        """
        super().__init__(parent)
        self._grid_of_map = battlemap.grid
        self._has_key = has_key
        self._usual_overlays = overlays
        """The overlays that are ticked at first."""
        self._settings = _with_kinds(picture_settings(battlemap.grid.layout, paged=paged), kinds)
        """The settings of all rows above the overlays."""
        self._overlay_settings = _settings_of_overlays(battlemap, overlays)
        """The settings of the overlays that the map can show."""
        self._size_mm = HEX_MM
        """The size of a hex in millimetres, whichever unit is shown."""

        self._form = SettingsForm(title_end=":")
        """The rows above the overlays. Its value of the size is in the chosen unit."""
        self._form.set_settings(self._settings, {})
        self._stretch_second_paper_field()
        size_field = self._form.field(_SIZE)
        assert isinstance(size_field, QDoubleSpinBox)
        self._size_field = size_field
        """The field for the size of a hex, in the chosen unit."""
        self._overlay_fields: dict[str, SettingField] = {}
        """The boxes to tick, and the choice of contour lines, by the names of their settings."""
        for setting in self._overlay_settings:
            self._overlay_fields[setting.name] = setting_field(setting, self.changed.emit)

        overlay_box = QGroupBox("Drawn besides the ground")
        self._overlay_grid = QGridLayout(overlay_box)
        lay_out(QVBoxLayout(self), self._form, overlay_box, STRETCH, margins=0)
        connect(self._form.changed, self._on_changed)
        self.show_values({})

    def _stretch_second_paper_field(self) -> None:
        """Give the second of the two fields for the paper the width that is left."""
        paper_row = self._form.row(PAPER.name)
        paper_row.setStretch(0, 0)  # the size of the paper
        paper_row.setStretch(1, 1)  # whether it lies or stands

    def field(self, name: str) -> QWidget:
        """Return the widget of one setting."""
        if name in self._overlay_fields:
            return self._overlay_fields[name].widget
        return self._form.field(name)

    @property
    def kind(self) -> str:
        """The kind of the picture, such as ".png"; ".pdf" for a ``paged`` form, which asks none."""
        return str(self._form.values().get(KIND.name, ".pdf"))

    def values(self) -> dict[str, object]:
        """Return the values of all settings by their names; the size is in millimetres."""
        overlay_values = {name: field.value() for name, field in self._overlay_fields.items()}
        return {**self._form.values(), **overlay_values, _SIZE: self._size_mm}

    @property
    def overlays(self) -> Overlays:
        """The overlays that are ticked; those without a box are as they were at first."""
        overlays = self._usual_overlays
        for name, field in self._overlay_fields.items():
            value = field.value()
            if name == CONTOURS.name:
                assert isinstance(value, int), "its choices are numbers"
                overlays = replace(overlays, contour_step=value)
            else:
                overlays = overlays.having(name, bool(value))
        return overlays

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show the values of settings, by their names, and emit ``changed``.

        The size is in millimetres.

        Where ``values`` has none, or one that its setting does not permit, the default is shown.
        If the kind is that of a virtual table, the ticks that are usual for it (``_table_ticks``)
        are shown whatever ``values`` says of these overlays.
        """
        values = fitting_settings((*self._settings, *self._overlay_settings), values)
        self._form.show_values(values)
        for setting in self._overlay_settings:
            self._overlay_fields[setting.name].show(values.get(setting.name, setting.default))
        size_mm = values.get(_SIZE, HEX_MM)
        assert isinstance(size_mm, float), "the setting is a float"
        self._size_mm = max(size_mm, MIN_SIZE_MM)
        self._show_size()
        self._show_ticks(_table_ticks(self.kind, self._grid_of_map))
        self._show_rows()
        self.changed.emit()

    def _on_changed(self, name: str) -> None:
        """Follow a change of the setting ``name`` by the user."""
        if name == _SIZE:
            self._size_mm = self._size_field.value() * self._unit.millimetres
        elif name == UNIT.name:
            self._show_size()
        elif name == KIND.name:
            self._show_ticks(_table_ticks(self.kind, self._grid_of_map))
        self._show_rows()
        self.changed.emit()

    @property
    def _unit(self) -> _Unit:
        """The chosen unit."""
        return _UNITS[str(self._form.values()[UNIT.name])]

    def _show_size(self) -> None:
        """Show the size of a hex in the chosen unit."""
        unit = self._unit
        # Signals are blocked: another unit is no other size.
        with QSignalBlocker(self._size_field):
            self._size_field.setDecimals(unit.decimals)
            self._size_field.setSingleStep(unit.step)
            self._size_field.setRange(MIN_SIZE_MM / unit.millimetres, MAX_HEX_MM / unit.millimetres)
            self._size_field.setValue(self._size_mm / unit.millimetres)

    def _show_ticks(self, ticks: Mapping[str, bool]) -> None:
        """Tick the boxes of overlays, by name, or take the ticks away; other boxes stay."""
        for name, is_ticked in ticks.items():
            self._overlay_fields[name].show(is_ticked)

    def _show_rows(self) -> None:
        """Show only the rows, and the boxes of overlays, that matter for the kind of picture."""
        kind = self.kind
        way = WayOntoPaper(str(self._form.values()[_WAY]))
        shown_rows = _rows_for(kind, way, has_key=self._has_key)
        for name in _CHANGING_ROWS:
            self._form.show_row(name, is_shown=name in shown_rows)
        hidden_overlays: Collection[str] = ()
        if kind in TABLES:
            hidden_overlays = OVERLAYS_OUTSIDE
        self._lay_out_overlays(hidden_overlays)

    def _lay_out_overlays(self, hidden_names: Collection[str]) -> None:
        """Put the boxes of the overlays into columns, without gaps for the hidden ones."""
        shown_count = 0
        for name, field in self._overlay_fields.items():
            is_shown = name not in hidden_names
            if is_shown:
                row, column = divmod(shown_count, OVERLAY_COLUMNS)
                self._overlay_grid.addWidget(field.widget, row, column)
                shown_count += 1
            else:
                self._overlay_grid.removeWidget(field.widget)
            field.widget.setVisible(is_shown)


def _rows_for(kind: str, way: WayOntoPaper, *, has_key: bool) -> set[str]:
    """Return those of ``_CHANGING_ROWS`` that matter to a kind of picture.

    ``way`` counts for a PDF or a print only. With ``has_key`` the map has notes.
    """
    if kind != ".pdf":
        return _ROWS_FOR_KIND[kind]
    if has_key:
        return _ROWS_FOR_WAY[way] | {KEY.name}
    return _ROWS_FOR_WAY[way]


def _table_ticks(kind: str, grid: Grid) -> dict[str, bool]:
    """Return what is ticked whenever a kind of file for virtual tables is chosen, by overlay.

    It is empty for other kinds.
    """
    if kind not in TABLES:
        return {}
    return {
        # Players look at the table: what is secret is drawn only if the user unticks this.
        _PLAYERS: True,
        # A table draws the grid itself if it can.
        _GRID_LINES: cannot_draw_grid(kind, grid),
    }


def _settings_of_overlays(battlemap: BattleMap, overlays: Overlays) -> tuple[Setting, ...]:
    """Return the settings of the overlays that a map can show; ``overlays`` are the defaults.

    Maps whose corners have heights can show contour lines, too.
    """
    settings = overlay_settings(battlemap.grid.layout, overlays, battlemap)
    if battlemap.system.corner_heights is None:
        return settings
    return (*settings, replace(CONTOURS, default=overlays.contour_step))


def _with_kinds(settings: tuple[Setting, ...], kinds: Mapping[str, str]) -> tuple[Setting, ...]:
    """Return the settings, of which that of the kind offers ``kinds``: titles by suffix."""
    limited_settings = []
    for setting in settings:
        if setting.name == KIND.name:
            first_kind = next(iter(kinds))
            kind_setting = replace(setting, default=first_kind, choices=tuple(kinds.items()))
            limited_settings.append(kind_setting)
        else:
            limited_settings.append(setting)
    return tuple(limited_settings)
