"""What a picture or a print is to be: size, paper, colours, what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.paper.export import (
    HEX_MM,
    KINDS,
    LOOKS,
    MOST_HEX_PIXELS,
    ON_PAPER,
    Order,
    look,
)
from app.paper.page_plan import MM_PER_INCH, MOST_MM, PAPERS
from app.render.detail import Overlays
from app.render.overlay_options import OVERLAYS
from app.render.picture_source import Pictures
from app.render.theme import COLOUR_SETS
from randomizer.model.cell_words import cell_words

if TYPE_CHECKING:
    from randomizer.model.layouts import Layout

WAYS = {
    "fit": "One page, {cells} as large as fit",
    "page": "One page, {cells} of this size",
    "poster": "A poster of several pages",
    "own": "A page as large as the map",
}
"""How a map comes onto paper; a printer has no paper for the last one."""

ORIENTATIONS = {"auto": "As suits the map", "portrait": "Upright", "landscape": "Lying"}

LOOK_WORDS = {"light": "Pictures on light", "dark": "Pictures on dark", **dict(COLOUR_SETS)}


class PictureForm(QWidget):
    """The fields. ``changed()``: one of them was changed; ``order`` says what they ask for.

    They speak of the cells of ``layout``.
    """

    changed = Signal()

    def __init__(self, layout: Layout, *, printing: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._printing = printing
        cell, cells = cell_words(layout)
        self._cell = f"a {cell}"
        self.kind = _choice("Kind of picture", KINDS)
        self.pixels = QSpinBox()
        self.pixels.setAccessibleName(f"Pixels {self._cell}")
        self.pixels.setRange(1, int(MOST_HEX_PIXELS))
        self.pixels.setValue(120)
        wide = f"How wide {self._cell} is"
        flat = ", from flat to flat" if layout.degree == 6 else ""
        self.pixels.setToolTip(f"{wide} in the picture{flat}")
        ways = {
            key: words.format(cells=cells)
            for key, words in WAYS.items()
            if not (printing and key == "own")
        }
        self.way = _choice("How the map comes onto paper", ways)
        self.hex_size = QDoubleSpinBox()
        self.hex_size.setAccessibleName(f"Size of {self._cell}")
        self.hex_size.setToolTip(
            f"{wide} on paper{flat}" + (", as tabletop hexes are measured" if flat else "")
        )
        self.unit = _choice("Unit of the size", {"mm": "mm", "inches": "inches"})
        self.paper = _choice("Paper", {name: name for name in PAPERS})
        self.orientation = _choice("How the paper lies", ORIENTATIONS)
        self.margin, self.overlap = _millimetres("Margin", 60), _millimetres("Overlap", 60)
        self.margin.setToolTip("On every side of a page; printers leave out about 6 mm")
        self.overlap.setToolTip("What neighbouring pages of a poster have in common, for glue")
        self.overview = QCheckBox("&Begin with a page that shows how the others lie")
        self.overview.setChecked(True)
        self.colours = _choice("Colours", {name: LOOK_WORDS[name] for name in LOOKS})
        self._shown = {name: QCheckBox(title) for name, (title, _) in OVERLAYS.items()}
        for name, box in self._shown.items():
            box.setToolTip(OVERLAYS[name][1])
            box.setChecked(getattr(ON_PAPER, name))
        self._lay_out()
        self._show_size(HEX_MM)
        self._connect()
        self._show_fields()

    def _lay_out(self) -> None:
        hex_line = QHBoxLayout()
        hex_line.addWidget(self.hex_size, 1)
        hex_line.addWidget(self.unit)
        paper_line = QHBoxLayout()
        paper_line.addWidget(self.paper)
        paper_line.addWidget(self.orientation, 1)
        self._form = form = QFormLayout()
        form.addRow("&Kind:", self.kind)
        form.addRow(f"&Pixels {self._cell}:", self.pixels)
        form.addRow("O&n paper:", self.way)
        form.addRow(f"Size of {self._cell}:", hex_line)
        form.addRow("Paper:", paper_line)
        form.addRow("&Margin:", self.margin)
        form.addRow("&Overlap:", self.overlap)
        form.addRow(self.overview)
        form.addRow("&Colours:", self.colours)
        self._hex_line, self._paper_line = hex_line, paper_line
        shown = QGroupBox("Drawn besides the ground")
        grid = QGridLayout(shown)
        for index, box in enumerate(self._shown.values()):
            grid.addWidget(box, index // 2, index % 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(form)
        column.addWidget(shown)
        column.addStretch(1)

    def _connect(self) -> None:
        self._millimetre_size = HEX_MM
        self.hex_size.valueChanged.connect(self._note_size)
        self.unit.currentIndexChanged.connect(lambda _i: self._show_size(self._millimetre_size))
        for choice in self._choices().values():
            choice.currentIndexChanged.connect(lambda _i: self._changed())
        for number in (self.pixels, self.hex_size, self.margin, self.overlap):
            number.valueChanged.connect(lambda _value: self._changed())
        for box in (self.overview, *self._shown.values()):
            box.toggled.connect(lambda _on: self._changed())

    def _choices(self) -> dict[str, QComboBox]:
        return {
            "kind": self.kind,
            "way": self.way,
            "unit": self.unit,
            "paper": self.paper,
            "orientation": self.orientation,
            "colours": self.colours,
        }

    def _changed(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _note_size(self, value: float) -> None:
        factor = MM_PER_INCH if self.unit.currentData() == "inches" else 1.0
        self._millimetre_size = value * factor

    def _show_size(self, millimetres: float) -> None:
        """Show a size in the chosen unit; it stays the same size."""
        inches = self.unit.currentData() == "inches"
        factor = MM_PER_INCH if inches else 1.0
        self.hex_size.blockSignals(True)
        self.hex_size.setDecimals(3 if inches else 1)
        self.hex_size.setSingleStep(0.125 if inches else 1.0)
        self.hex_size.setRange(0.02 if inches else 0.5, MOST_MM / factor)
        self.hex_size.setValue(millimetres / factor)
        self.hex_size.blockSignals(False)
        self._millimetre_size = millimetres

    def _show_fields(self) -> None:
        """Only what matters for the kind of picture is there."""
        kind, way = self.kind.currentData(), self.way.currentData()
        on_pages = self._printing or kind == ".pdf"
        form, poster = self._form, on_pages and way == "poster"
        sheet = on_pages and way != "own"
        form.setRowVisible(self.kind, not self._printing)
        form.setRowVisible(self.pixels, not self._printing and kind == ".png")
        form.setRowVisible(self.way, on_pages)
        form.setRowVisible(self._hex_line, kind == ".svg" or (on_pages and way != "fit"))
        form.setRowVisible(self._paper_line, sheet)
        form.setRowVisible(self.margin, sheet)
        form.setRowVisible(self.overlap, poster)
        form.setRowVisible(self.overview, poster)

    # --- what it says -----------------------------------------------------------------------

    def kind_chosen(self) -> str:
        """The suffix of the picture."""
        return ".pdf" if self._printing else str(self.kind.currentData())

    def shown(self, name: str) -> QCheckBox:
        """The box of something that is drawn besides the ground."""
        return self._shown[name]

    def order(self, pictures: Pictures) -> Order:
        """What the fields ask for."""
        kind, way = self.kind_chosen(), self.way.currentData()
        sized = kind == ".svg" or (kind == ".pdf" and way != "fit")
        return Order(
            hex_mm=self._millimetre_size if sized else None,
            pixels=float(self.pixels.value()) if kind == ".png" else None,
            paper=self.paper.currentData() if kind == ".pdf" and way != "own" else None,
            orientation=self.orientation.currentData(),
            margin=self.margin.value(),
            poster=way == "poster",
            overlap=self.overlap.value(),
            overview=self.overview.isChecked(),
            colours=look(self.colours.currentData()),
            overlays=Overlays(**{name: box.isChecked() for name, box in self._shown.items()}),
            pictures=pictures,
        )

    def fields(self) -> dict[str, str]:
        """What is to be remembered, as texts."""
        return {
            **{name: choice.currentData() for name, choice in self._choices().items()},
            "pixels": str(self.pixels.value()),
            "size": f"{self._millimetre_size:.4f}",
            "margin": f"{self.margin.value():.1f}",
            "overlap": f"{self.overlap.value():.1f}",
            "hidden": " ".join(n for n, box in self._shown.items() if not box.isChecked()),
        }

    def fill(self, fields: dict[str, str]) -> None:
        """Show what ``fields`` gave once; what is missing or no longer known stays as it is."""
        for name, choice in self._choices().items():
            index = choice.findData(fields.get(name))
            choice.setCurrentIndex(max(index, 0) if name in fields else choice.currentIndex())
        for name, number in (("margin", self.margin), ("overlap", self.overlap)):
            number.setValue(_number(fields.get(name), number.value()))
        self.pixels.setValue(int(_number(fields.get("pixels"), self.pixels.value())))
        self._show_size(_number(fields.get("size"), self._millimetre_size))
        if "hidden" in fields:
            for name, box in self._shown.items():
                box.setChecked(name not in fields["hidden"].split())


def _choice(name: str, entries: dict[str, str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    for key, words in entries.items():
        box.addItem(words, key)
    return box


def _millimetres(name: str, most: float) -> QDoubleSpinBox:
    field = QDoubleSpinBox()
    field.setAccessibleName(name)
    field.setRange(0, most)
    field.setDecimals(1)
    field.setSuffix(" mm")
    field.setValue(10.0)
    return field


def _number(text: str | None, other: float) -> float:
    try:
        return float(text or "")
    except ValueError:
        return other
