"""The fields of a picture or a print: size, paper, colours, overlays."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QGroupBox, QVBoxLayout, QWidget

from app.paper.page_plan import MM_PER_INCH, MOST_MM
from app.paper.picture_request import (
    CONTOURS,
    HEX_MM,
    ON_PAPER,
    TABLES,
    overlay_settings,
    picture_settings,
)
from app.paper.virtual_table import OVERLAYS_OUTSIDE
from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import STRETCH, lay_out
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.settings.setting import fitting_settings

LEAST_SIZE_MM = 0.5
"""The least size of a hex that can be chosen."""


class PictureForm(QWidget):
    """Asks for a picture of a map in words for its cells; ``changed()``: it shows another.

    ``paged`` as in ``picture_settings``; ``has_key``: the map has notes. ``overlays`` are ticked
    at first; those that the map cannot show have no field. The size of a hex is shown in the chosen
    unit; its value is millimetres, and stays the same when the unit changes.
    """

    changed = Signal()

    def __init__(
        self,
        battlemap: BattleMap,
        *,
        paged: bool,
        has_key: bool = False,
        overlays: Overlays = ON_PAPER,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        layout = battlemap.grid.layout
        self._has_key = has_key
        self._settings = picture_settings(layout, paged=paged)
        self._form = SettingsForm(":")
        self._form.set_settings(self._settings, {})
        for column, stretch in enumerate((0, 1)):
            self._form.row("paper").setStretch(column, stretch)
        size = self._form.field("size")
        assert isinstance(size, QDoubleSpinBox)
        self._size = size
        self._usual_overlays = overlays
        self._overlay_settings = overlay_settings(layout, overlays, battlemap)
        if battlemap.system.corner_heights is not None:
            contours = replace(CONTOURS, default=overlays.contour_step)
            self._overlay_settings = (*self._overlay_settings, contours)
        self._overlays = {
            setting.name: setting_field(setting, self.changed.emit)
            for setting in self._overlay_settings
        }
        box = QGroupBox("Drawn besides the ground")
        self._grid = QGridLayout(box)
        lay_out(QVBoxLayout(self), self._form, box, STRETCH, margins=0)
        connect(self._form.changed, self._on_changed)
        self.show_values({})

    def field(self, name: str) -> QWidget:
        """Return the widget of one setting."""
        if name in self._overlays:
            return self._overlays[name].widget
        return self._form.field(name)

    @property
    def kind(self) -> str:
        """The suffix of the picture."""
        return str(self._form.values().get("kind", ".pdf"))

    def values(self) -> dict[str, object]:
        """Return what is set, by the names of the settings."""
        ticked = {name: overlay.value() for name, overlay in self._overlays.items()}
        return {**self._form.values(), **ticked, "size": self._size_mm}

    @property
    def overlays(self) -> Overlays:
        """The overlays that are ticked, with what of the first ones has no field."""
        overlays = self._usual_overlays
        for name, overlay in self._overlays.items():
            if name == CONTOURS.name:
                overlays = replace(overlays, contour_step=int(str(overlay.value())))
            else:
                overlays = overlays.having(name, bool(overlay.value()))
        return overlays

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show those of ``values`` that the settings permit, and the default of the others."""
        values = fitting_settings((*self._settings, *self._overlay_settings), values)
        self._form.show_values(values)
        for setting in self._overlay_settings:
            self._overlays[setting.name].show(values.get(setting.name, setting.default))
        self._size_mm = max(float(str(values.get("size", HEX_MM))), LEAST_SIZE_MM)
        self._show_size()
        self._show_kind()
        self._show_rows()
        self.changed.emit()

    def _on_changed(self, name: str) -> None:
        if name == "size":
            self._size_mm = self._size.value() * self._unit_mm
        elif name == "unit":
            self._show_size()
        elif name == "kind":
            self._show_kind()
        self._show_rows()
        self.changed.emit()

    def _show_kind(self) -> None:
        """Tick what is usual for a table: the players' map, and no grid beside its own."""
        if self.kind in TABLES:
            self._overlays["players"].show(True)
            self._overlays["grid_lines"].show(False)

    @property
    def _unit_mm(self) -> float:
        return MM_PER_INCH if self._form.values()["unit"] == "inches" else 1.0

    def _show_size(self) -> None:
        unit = self._unit_mm
        with QSignalBlocker(self._size):
            self._size.setDecimals(1 if unit == 1 else 3)
            self._size.setSingleStep(1.0 if unit == 1 else 0.125)
            self._size.setRange(LEAST_SIZE_MM / unit, MOST_MM / unit)
            self._size.setValue(self._size_mm / unit)

    def _show_rows(self) -> None:
        """Show only the rows that matter for the kind of picture."""
        kind = self.kind
        way = self._form.values()["way"]
        on_pages = kind == ".pdf"
        sheet = on_pages and way != "own"
        poster = on_pages and way == "poster"
        rows = {
            "folder": kind == ".json",
            "walls": kind in TABLES,
            "pixels": kind not in (".svg", ".pdf"),
            "way": on_pages,
            "size": kind == ".svg" or (on_pages and way != "fit"),
            "paper": sheet,
            "margin": sheet,
            "overlap": poster,
            "overview": poster,
            "key": on_pages and self._has_key,
        }
        for name, is_shown in rows.items():
            self._form.show_row(name, shown=is_shown)
        hidden_names: Collection[str] = ()
        if kind in TABLES:
            hidden_names = OVERLAYS_OUTSIDE
        self._lay_overlays(hidden_names)

    def _lay_overlays(self, hidden_names: Collection[str]) -> None:
        """Put the overlays that can be ticked into two columns without gaps."""
        count = 0
        for name, overlay in self._overlays.items():
            is_shown = name not in hidden_names
            if is_shown:
                self._grid.addWidget(overlay.widget, *divmod(count, 2))
                count += 1
            else:
                self._grid.removeWidget(overlay.widget)
            overlay.widget.setVisible(is_shown)
