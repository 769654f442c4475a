"""The form of a picture or a print: kind, size, paper, colours, and the overlays to draw.

``PictureDialog`` has a ``PictureForm``. Its settings come from ``picture_settings``; below them
each overlay that the map can show has a box to tick. Which rows are shown depends on the *kind* of
picture (``_show_rows``), which is the suffix of its file, such as ".pdf"::

    form = PictureForm(battlemap, paged=True)
    form.show_values(values_of_last_time)
    connect(form.changed, lambda: preview(form.values(), form.overlays))
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QGroupBox, QVBoxLayout, QWidget

from app.paper.page_plan import MM_PER_INCH, MOST_MM
from app.paper.picture_request import (
    HEX_MM,
    KINDS,
    ON_PAPER,
    TABLES,
)
from app.paper.picture_settings import (
    CONTOURS,
    KIND,
    WayOntoPaper,
    overlay_settings,
    picture_settings,
)
from app.paper.virtual_table import OVERLAYS_OUTSIDE, lacks_grid
from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.setting_widget import SettingField
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import STRETCH, lay_out
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import Setting, fitting_settings

LEAST_SIZE_MM = 0.5
"""The least size of a hex that can be chosen, in millimetres."""


class _Unit(NamedTuple):
    """A unit in which the size of a hex is shown."""

    millimetres: float
    """The length of the unit."""

    step: float
    """An arrow of the field changes the size by so many units."""

    decimals: int
    """The decimals of the field."""


_MILLIMETRES = _Unit(1.0, step=1.0, decimals=1)

_INCHES = _Unit(MM_PER_INCH, step=0.125, decimals=3)
"""Its step is an eighth, which needs three decimals."""

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
        layout = battlemap.grid.layout
        self._grid_of_map = battlemap.grid
        self._has_key = has_key
        self._settings = _with_kinds(picture_settings(layout, paged=paged), kinds)
        self._form = SettingsForm(":")
        self._form.set_settings(self._settings, {})
        self._stretch_second_paper_field()
        size_field = self._form.field("size")
        assert isinstance(size_field, QDoubleSpinBox)
        self._size = size_field
        """The field for the size of a hex, in the chosen unit."""
        self._size_mm = HEX_MM
        """The size of a hex in millimetres, whichever unit is shown."""
        self._usual_overlays = overlays
        """The overlays that are ticked at first."""
        self._overlay_settings = _settings_of_overlays(battlemap, overlays)
        """The settings of the overlays that the map can show."""
        self._overlays: dict[str, SettingField] = {}
        """The boxes to tick, and the choice of contour lines, by the names of their settings."""
        for setting in self._overlay_settings:
            self._overlays[setting.name] = setting_field(setting, self.changed.emit)
        overlay_box = QGroupBox("Drawn besides the ground")
        self._overlay_grid = QGridLayout(overlay_box)
        lay_out(QVBoxLayout(self), self._form, overlay_box, STRETCH, margins=0)
        connect(self._form.changed, self._on_changed)
        self.show_values({})

    def _stretch_second_paper_field(self) -> None:
        """Give the second of the two fields for the paper the width that is left."""
        paper_row = self._form.row("paper")
        paper_row.setStretch(0, 0)
        paper_row.setStretch(1, 1)

    def field(self, name: str) -> QWidget:
        """Return the widget of one setting."""
        if name in self._overlays:
            return self._overlays[name].widget
        return self._form.field(name)

    @property
    def kind(self) -> str:
        """The kind of the picture, such as ".png"; ".pdf" where the form asks for none."""
        return str(self._form.values().get("kind", ".pdf"))

    def values(self) -> dict[str, object]:
        """Return the values of all settings by their names; the size is in millimetres."""
        ticked = {name: overlay.value() for name, overlay in self._overlays.items()}
        return {**self._form.values(), **ticked, "size": self._size_mm}

    @property
    def overlays(self) -> Overlays:
        """The overlays that are ticked; those without a box are as they were at first."""
        overlays = self._usual_overlays
        for name, overlay in self._overlays.items():
            if name == CONTOURS.name:
                overlays = replace(overlays, contour_step=int(str(overlay.value())))
            else:
                overlays = overlays.having(name, bool(overlay.value()))
        return overlays

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show the values of settings, by their names, of which the size is in millimetres.

        Where ``values`` has none, or one that its setting does not permit, the default is shown.
        """
        values = fitting_settings((*self._settings, *self._overlay_settings), values)
        self._form.show_values(values)
        for setting in self._overlay_settings:
            self._overlays[setting.name].show(values.get(setting.name, setting.default))
        self._size_mm = max(float(str(values.get("size", HEX_MM))), LEAST_SIZE_MM)
        self._show_size()
        self._tick_for_table()
        self._show_rows()
        self.changed.emit()

    def _on_changed(self, name: str) -> None:
        """Follow a change of the setting ``name``."""
        if name == "size":
            self._size_mm = self._size.value() * self._unit.millimetres
        elif name == "unit":
            self._show_size()
        elif name == "kind":
            self._tick_for_table()
        self._show_rows()
        self.changed.emit()

    def _tick_for_table(self) -> None:
        """Tick what is usual for a virtual table: only what players may see, and no grid lines.

        A table that cannot draw such a grid itself gets a picture with grid lines. For other kinds
        of pictures nothing is changed.
        """
        if self.kind in TABLES:
            self._overlays["players"].show(True)
            self._overlays["grid_lines"].show(lacks_grid(self.kind, self._grid_of_map))

    @property
    def _unit(self) -> _Unit:
        """The chosen unit."""
        if self._form.values()["unit"] == "inches":
            return _INCHES
        return _MILLIMETRES

    def _show_size(self) -> None:
        """Show the size of a hex in the chosen unit."""
        unit = self._unit
        # Signals are blocked: another unit is no other size.
        with QSignalBlocker(self._size):
            self._size.setDecimals(unit.decimals)
            self._size.setSingleStep(unit.step)
            self._size.setRange(LEAST_SIZE_MM / unit.millimetres, MOST_MM / unit.millimetres)
            self._size.setValue(self._size_mm / unit.millimetres)

    def _show_rows(self) -> None:
        """Show only the rows that matter for the kind of picture.

        A PDF has pages: one of the map's own size, one on which the map is fitted, or a poster.
        """
        kind = self.kind
        has_pages = kind == ".pdf"
        way = WayOntoPaper(str(self._form.values()["way"]))
        is_on_paper = has_pages and way is not WayOntoPaper.OWN
        is_poster = has_pages and way is WayOntoPaper.POSTER
        shown_rows = {
            "folder": kind == ".json",
            "walls": kind in TABLES,
            "pixels": kind not in (".svg", ".pdf"),
            "way": has_pages,
            "size": kind == ".svg" or (has_pages and way is not WayOntoPaper.FIT),
            "paper": is_on_paper,
            "margin": is_on_paper,
            "overlap": is_poster,
            "overview": is_poster,
            "key": has_pages and self._has_key,
        }
        for name, is_shown in shown_rows.items():
            self._form.show_row(name, is_shown=is_shown)
        hidden_names: Collection[str] = ()
        if kind in TABLES:
            hidden_names = OVERLAYS_OUTSIDE
        self._lay_out_overlays(hidden_names)

    def _lay_out_overlays(self, hidden_names: Collection[str]) -> None:
        """Put the boxes of the overlays into columns, without gaps for the hidden ones."""
        shown_count = 0
        for name, overlay in self._overlays.items():
            is_shown = name not in hidden_names
            if is_shown:
                row, column = divmod(shown_count, OVERLAY_COLUMNS)
                self._overlay_grid.addWidget(overlay.widget, row, column)
                shown_count += 1
            else:
                self._overlay_grid.removeWidget(overlay.widget)
            overlay.widget.setVisible(is_shown)


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
            choices = tuple(kinds.items())
            setting = replace(setting, default=choices[0][0], choices=choices)
        limited_settings.append(setting)
    return tuple(limited_settings)
