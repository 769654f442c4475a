"""The panel "Fairness": ways and leads on the map, attacker against defender, and measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.canvas.heat_legend import HeatLegend
from app.document.cell_texts import CellTexts
from app.features.fairness.spread_bars import BARS, SpreadBars
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.rolling.layers_above import LayersAbove
from app.widgets.builders import described, lay_out, scrolled
from app.widgets.fitted_table import FittedTable
from randomizer.model.plurals import with_article

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.batches.batch import Measure
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import Attack, CellValues, FairnessModel, FairnessReport
    from randomizer.model.grid.grid import Grid

LEAST_WIDTH = 284
"""Narrower than this the names of the sides would be cut off."""

NEAR, FAR = 1, 10
"""The costs that have the first and the last colour, the same on every map."""

LEAD = 5
"""A lead of so much, the attacker's or the defender's, has the last or the first colour."""

NOTHING, USUAL = "Nothing", "Ways from Bottom"

NO_WAY = "\N{MULTIPLICATION SIGN}"


class FairnessPanel(QWidget):
    """Shows a report. ``chosen(str, str)``: another movement type and native terrain are chosen.

    ``heat_changed()``: ``heat`` is another.
    """

    chosen = Signal(str, str)
    heat_changed = Signal()

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._pictures: tuple[CellValues, ...] = ()
        self._ways = 0
        self.on_map = _combo("On the map")
        self.way = _combo("Moves", "How the creatures of both armies move")
        self.home = _combo("Native to")
        texts = CellTexts(document, self)
        texts.keep(
            self.on_map.setToolTip,
            "What the colours and numbers on the {cells} say: what coming there from a side costs, "
            "or who comes there first and by how much",
        )
        texts.keep(self.home.setToolTip, "To which hazards or {sides} both armies are native")
        self.legends = (
            HeatLegend(str(NEAR), f"{FAR} or more;  {NO_WAY} no way"),
            HeatLegend("defender first", "attacker first"),
        )
        self.attacks = FittedTable("Attacker and defender")
        self.measures = FittedTable("Measures")
        self.measures.setItemDelegateForColumn(2, SpreadBars(self.measures))
        self.closed_cells = _words()
        self.compared = _words()
        self.above = LayersAbove(
            "Compare with the script's maps as they will be, with the layers above the roll and "
            "with what was painted into it; else with the rolls alone",
            checked=True,
        )
        self.empty = _words()
        self._lay_out()
        connect(self.on_map.currentIndexChanged, lambda _index: self._tell_heat())
        for combo in (self.way, self.home):
            connect(combo.currentIndexChanged, lambda _index: self._tell_kind())

    def _lay_out(self) -> None:
        self.setMinimumWidth(LEAST_WIDTH)
        body = QWidget()
        form = QFormLayout()
        form.setHorizontalSpacing(8)
        for combo in (self.way, self.home, self.on_map):
            form.addRow(combo.accessibleName(), combo)
        column = lay_out(QVBoxLayout(body), form, margins=6)
        for part in (*self.legends, self.closed_cells, self.attacks, self.measures):
            column.addWidget(part)
        column.addWidget(self.compared)
        column.addWidget(self.above)
        column.addStretch(1)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.empty.setContentsMargins(12, 12, 12, 12)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(scrolled(body))
        self._pages.addWidget(self.empty)

    # --- what is shown ----------------------------------------------------------------------

    def set_model(self, model: FairnessModel | None, kind_of_map: str) -> None:
        """Offer the choices of a model; without one say so, if the kind of map is known."""
        self._pages.setCurrentIndex(0 if model else 1)
        self.empty.setText(
            kind_of_map
            and f"How armies fight on {with_article(kind_of_map)} is not known here, so there is "
            "nothing to judge. Open or make a battleland to see who has the better ground."
        )
        if model is not None:
            for combo, names in (
                (self.way, model.movement_types),
                (self.home, model.native_terrains),
            ):
                _offer(combo, names)
            attack = (
                "The attacker's entry side, and below it where the defender comes from or stands"
            )
            gain = "What the ground gives the attacker; below 0 it helps the defender"
            self.attacks.set_titles([("Attack", attack), *model.titles, ("Gain", gain)])
            self.measures.set_titles(
                [
                    ("Measure", "What is measured; each is a word of filters too"),
                    ("This\nmap", "The value of the current map"),
                    (
                        "More than",
                        "How many of the script's own maps have less; the tick is this map",
                    ),
                ]
            )
            self._tell_kind()

    def show_report(
        self,
        measures: Sequence[Measure],
        report: FairnessReport | None,
        distribution: Distribution | None,
    ) -> None:
        """Show what was found out about the current map; None: nothing is known yet."""
        self._ways = len(report.travel_costs) if report else 0
        self._pictures = (*report.travel_costs, *report.leads) if report else ()
        if report:
            _offer(self.on_map, [NOTHING, *(name for name, _ in self._pictures)], keep=USUAL)
        attacks = report.attacks if report else ()
        self.attacks.fill([_attack_words(attack) for attack in attacks])
        measured = report.measured if report else ()
        rows, bars = [], []
        for i, (measure, value) in enumerate(zip(measures, measured, strict=False)):
            above, bar = "", None
            if distribution is not None and measure.yes_no:
                above = f"{100 - distribution.percent_below(i, 1):.0f} % yes"
            elif distribution is not None:
                above = f"{distribution.percent_below(i, value):.0f} %"
                bar = (distribution.histograms[i].heights, distribution.histograms[i].place(value))
            rows.append((measure.title, _value_words(measure, value), above))
            bars.append(bar)
        helps = [f"{measure.help} ({measure.name})" for measure in measures]
        self.measures.fill(rows, helps, BARS, bars)
        nobody = ", ".join(report.closed_cells) if report else ""
        self.closed_cells.setText(f"Neither natives on foot nor other fliers come to {nobody}.")
        self.closed_cells.setVisible(bool(nobody))
        self._tell_heat()

    def choose_picture(self, name: str) -> None:
        """Show this picture on the map, if there is one of that name."""
        self.on_map.setCurrentIndex(max(0, self.on_map.findText(name)))

    def heat(self, grid: Grid) -> Heat | None:
        """Return the chosen picture as a heat map, None if there is none."""
        index = self.on_map.currentIndex() - 1
        if not 0 <= index < len(self._pictures):
            return None
        values = self._pictures[index].values
        if values.shape != (grid.height, grid.width):
            return None  # of the map before: that of this one follows
        leads = index >= self._ways
        form, ends = ("+.0f", (-LEAD, LEAD)) if leads else (".0f", (NEAR, FAR))
        flat = values.ravel()
        texts = {
            cell: NO_WAY if isnan(flat[cell]) else format(flat[cell], form if flat[cell] else ".0f")
            for cell in grid.cells.tolist()
        }
        return Heat(values, ends, texts=texts)

    def _tell_heat(self) -> None:
        index = self.on_map.currentIndex()
        for legend, kind in zip(
            self.legends, (0 < index <= self._ways, index > self._ways), strict=True
        ):
            legend.setVisible(kind)
        self.heat_changed.emit()

    def _tell_kind(self) -> None:
        self.chosen.emit(self.way.currentText(), self.home.currentText())


def _attack_words(attack: Attack) -> tuple[str, ...]:
    """The attacker's values above the defender's."""
    one, other = attack.attacker, attack.defender
    pairs = zip(one.values, other.values, strict=True)
    values = [f"{_number(above)}\n{_number(below)}" for above, below in pairs]
    return (f"{one.name}\n{other.name}", *values, f"{attack.advantage:+.0f} %")


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) or value >= 10 else f"{value:.1f}"


def _value_words(measure: Measure, value: float) -> str:
    if measure.yes_no:
        return "yes" if value else "no"
    return f"{_number(value) if value >= 0 else f'{value:.1f}'} {measure.unit}".rstrip()


def _words() -> QLabel:
    return QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)


def _combo(name: str, help_: str = "") -> QComboBox:
    combo = described(QComboBox(), name, help_)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return combo


def _offer(combo: QComboBox, names: Iterable[str], keep: str = "") -> None:
    """Offer other names; the chosen one stays if it is there, else ``keep`` or the first is."""
    names = list(names)
    if names == [combo.itemText(i) for i in range(combo.count())]:
        return
    with QSignalBlocker(combo):
        chosen = combo.currentText() or keep
        combo.clear()
        combo.addItems(names)
        combo.setCurrentIndex(names.index(chosen) if chosen in names else 0 if names else -1)
