"""The fields of a picture or a print: size, paper, colours, overlays."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.paper.page_plan import MM_PER_INCH, MOST_MM
from app.paper.picture_request import HEX_MM, PictureRequest, picture_theme
from app.paper.picture_settings import (
    COLOURS,
    KIND,
    MARGIN,
    ORIENTATION,
    OVERLAP,
    OVERVIEW,
    PAPER,
    UNIT,
    flat_to_flat,
    pixels,
    shown,
    way,
)
from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.picture_source import Pictures
from app.widgets.builders import STRETCH, described, lay_out
from app.widgets.setting_fields import setting_field
from randomizer.model.cell_words import cell_words
from randomizer.model.problems import ProblemError
from randomizer.model.setting import checked_settings

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout


class PictureForm(QWidget):
    """The fields, with words for the cells of ``layout``; ``changed()``: one was changed."""

    changed = Signal()

    def __init__(self, layout: Layout, *, printing: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._printing = printing
        cell = cell_words(layout).cell
        self._shown = shown(layout)
        self._asked = (
            KIND,
            pixels(layout),
            way(layout, printing=printing),
            UNIT,
            PAPER,
            ORIENTATION,
            MARGIN,
            OVERLAP,
            OVERVIEW,
            COLOURS,
        )
        self._fields = {
            setting.name: setting_field(setting, partial(self._on_changed, setting.name))
            for setting in (*self._asked, *self._shown)
        }
        for name in ("margin", "overlap"):
            length = self.field(name)
            assert isinstance(length, QDoubleSpinBox)
            length.setDecimals(1)
            length.setSuffix(" mm")
        flat = flat_to_flat(layout)
        like = ", as tabletop hexes are measured" if flat else ""
        self.hex_size = described(
            QDoubleSpinBox(), f"Size of a {cell}", f"How wide a {cell} is on paper{flat}{like}"
        )
        self._show_size(HEX_MM)
        connect(self.hex_size.valueChanged, self._note_size)
        self._lay_out(cell)
        self._show_fields()

    def _lay_out(self, cell: str) -> None:
        self._hex_line = lay_out(QHBoxLayout(), (self.hex_size, 1), self.field("unit"))
        self._paper_line = lay_out(
            QHBoxLayout(), self.field("paper"), (self.field("orientation"), 1)
        )
        self._form = form = QFormLayout()
        form.addRow("&Kind:", self.field("kind"))
        form.addRow(f"&Pixels a {cell}:", self.field("pixels"))
        form.addRow("O&n paper:", self.field("way"))
        form.addRow(f"Size of a {cell}:", self._hex_line)
        form.addRow("Paper:", self._paper_line)
        form.addRow("&Margin:", self.field("margin"))
        form.addRow("&Overlap:", self.field("overlap"))
        form.addRow(self.field("overview"))
        form.addRow("&Colours:", self.field("colours"))
        shown = QGroupBox("Drawn besides the ground")
        grid = QGridLayout(shown)
        for index, setting in enumerate(self._shown):
            grid.addWidget(self.field(setting.name), index // 2, index % 2)
        lay_out(QVBoxLayout(self), form, shown, STRETCH, margins=0)

    def _on_changed(self, name: str) -> None:
        if name == "unit":
            self._show_size(self._millimetre_size)
        self._show_fields()
        self.changed.emit()

    def _note_size(self, value: float) -> None:
        factor = MM_PER_INCH if self._value("unit") == "inches" else 1.0
        self._millimetre_size = value * factor
        self.changed.emit()

    def _show_size(self, millimetres: float) -> None:
        """Show a size in the chosen unit; it stays the same size."""
        inches = self._value("unit") == "inches"
        factor = MM_PER_INCH if inches else 1.0
        with QSignalBlocker(self.hex_size):
            self.hex_size.setDecimals(3 if inches else 1)
            self.hex_size.setSingleStep(0.125 if inches else 1.0)
            self.hex_size.setRange(0.02 if inches else 0.5, MOST_MM / factor)
            self.hex_size.setValue(millimetres / factor)
        self._millimetre_size = millimetres

    def _show_fields(self) -> None:
        """Show only the fields that matter for the kind of picture."""
        kind, way = self.kind_chosen(), self._value("way")
        on_pages = kind == ".pdf"
        form, poster = self._form, on_pages and way == "poster"
        sheet = on_pages and way != "own"
        form.setRowVisible(self.field("kind"), not self._printing)
        form.setRowVisible(self.field("pixels"), kind == ".png")
        form.setRowVisible(self.field("way"), on_pages)
        form.setRowVisible(self._hex_line, kind == ".svg" or (on_pages and way != "fit"))
        form.setRowVisible(self._paper_line, sheet)
        form.setRowVisible(self.field("margin"), sheet)
        form.setRowVisible(self.field("overlap"), poster)
        form.setRowVisible(self.field("overview"), poster)

    # --- values -----------------------------------------------------------------------------

    def field(self, name: str) -> QWidget:
        """The widget of one setting."""
        return self._fields[name].widget

    def _value(self, name: str) -> Any:
        return self._fields[name].value()

    def kind_chosen(self) -> str:
        """The suffix of the picture."""
        return ".pdf" if self._printing else str(self._value("kind"))

    def choose_kind(self, kind: str) -> None:
        """Choose a kind of picture by its suffix."""
        self._fields["kind"].set_value(kind)

    def request(self, pictures: Pictures) -> PictureRequest:
        """The picture that the fields describe."""
        kind, way = self.kind_chosen(), self._value("way")
        sized = kind == ".svg" or (kind == ".pdf" and way != "fit")
        return PictureRequest(
            hex_mm=self._millimetre_size if sized else None,
            pixels=float(self._value("pixels")) if kind == ".png" else None,
            paper=self._value("paper") if kind == ".pdf" and way != "own" else None,
            orientation=self._value("orientation"),
            margin=self._value("margin"),
            poster=way == "poster",
            overlap=self._value("overlap"),
            overview=self._value("overview"),
            theme=picture_theme(self._value("colours")),
            overlays=Overlays(
                **{setting.name: self._value(setting.name) for setting in self._shown}
            ),
            pictures=pictures,
        )

    def fields(self) -> dict[str, str]:
        """The values of the fields, as texts, to be remembered."""
        return {
            **{each.name: str(self._value(each.name)) for each in self._asked},
            "size": f"{self._millimetre_size:.4f}",
            "hidden": " ".join(each.name for each in self._shown if not self._value(each.name)),
        }

    def fill(self, texts: Mapping[str, str]) -> None:
        """Show remembered values; fields whose value is missing or unknown stay as they are."""
        for setting in self._asked:
            with suppress(KeyError, ProblemError):
                checked = checked_settings([setting], {setting.name: texts[setting.name]})
                self._fields[setting.name].show(checked[setting.name])
        with suppress(KeyError, ValueError):
            size = float(texts["size"])
            if 0 < size <= MOST_MM:
                self._show_size(size)
        if "hidden" in texts:
            for setting in self._shown:
                self._fields[setting.name].show(setting.name not in texts["hidden"].split())
        self._show_fields()
