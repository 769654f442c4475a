"""The panel *Fairness*: how good a map is for the attacker and the defender of each side.

From above: the verdict of simulated battles with their table, the picture that is laid over the map
as colours, what the ground alone says, and measures beside those of other maps of the script. The
panel only shows; ``FairMaps`` computes, and ``FairnessController`` connects both.

A *picture* is an array with a value for each cell, such as what coming there costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.canvas.heat_legend import HeatLegend
from app.document.cell_texts import CellTexts
from app.features.fairness.spread_bars import BARS, Bars, SpreadBars
from app.qt_guard import connect
from app.render.cell_values.heat import Heat
from app.rolling.layers_above_switch import LayersAbove
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import (
    STRETCH,
    described,
    lay_out,
    plain_label,
    scrolled,
    tool_button,
)
from app.widgets.layout.folded_section import FoldedSection
from app.widgets.lists.fitted_table import FittedTable
from randomizer.batches.favour import describe_favour
from randomizer.model.basics.plurals import counted, listed, many, with_article
from randomizer.model.grid.grid import Grid

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.batches.batch import Measure
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import (
        Attack,
        BattleResults,
        FairnessModel,
        FairnessReport,
        FightReport,
    )
    from randomizer.model.basics.rarity import Rarity

LEAST_WIDTH_PX = 284
"""With less, in logical pixels, the names of the sides would be cut off."""

MARGIN_OF_TEXT_PX = 12
"""The margin around the text of a panel without controls, in logical pixels."""

GAP_PX = 8
"""The gap between two parts of the panel, in logical pixels."""

CHEAPEST = 1
"""The cost that has the first colour, the same on every map."""

DEAREST = 10
"""The cost that has the last colour, as have all higher ones."""

LARGEST_LEAD = 5
"""A lead of so much, the attacker's or the defender's, has the last or the first colour."""

DEATHS = ("Deaths of attackers", "Deaths of defenders", "Deaths of both")
"""Pictures on the map: who dies where, in 100 battles."""

FIGHT_DEATHS = tuple(f"{name} in the fight" for name in DEATHS)
"""The same in the battles that were asked for."""

DEATHS_OF_BOTH_IN_FIGHT = FIGHT_DEATHS[2]
"""The picture that is shown when such battles have been fought."""

NOTHING = "Nothing"
"""The choice of no picture on the map."""

NO_WAY = "\N{MULTIPLICATION SIGN}"
"""The text of a cell that cannot be reached."""


class PictureKind(IntEnum):
    """The kind of a picture on the map; its value is the index of its legend."""

    COST = 0
    """The cost of coming to each cell from a side."""

    LEAD = 1
    """The lead of the army that comes to each cell first."""

    DEATHS = 2
    """The number of creatures that die on each cell in 100 battles."""


ARMIES = ("attacker", "defender")
"""The army that a value above 0 helps, and that which one below 0 helps."""


class FairnessPanel(QWidget):
    """Shows how fair the current map is; it computes nothing (``FairMaps``).

    Whoever makes the panel gives it a model of the map's system (``set_model``), then a report and
    results of battles as they come (``show_report``, ``show_battles``, ``show_fight``).
    """

    chosen = Signal(str, str)
    """Another movement type and native terrain of the armies are chosen."""

    heat_changed = Signal()
    """The map shall show another picture: ``heat`` returns it."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._pictures: dict[str, NDArray[np.float64]] = {}
        """The values of the cells (height, width) by the name of the picture."""
        self._kinds: dict[str, PictureKind] = {}
        """The pictures that are offered, in order; those of battles may have no values yet."""
        self._simulator = ""
        """The name of the simulator that fights battles by itself; "" if none does."""

        self._make_choices(document)
        self._make_explanations()
        self._make_tables()
        self._make_results()
        self._lay_out()
        connect(self.on_map.currentIndexChanged, lambda _index: self._tell_heat())
        for combo in (self.way, self.home):
            connect(combo.currentIndexChanged, lambda _index: self._tell_chosen())

    def _make_choices(self, document: MapDocument) -> None:
        """Make the choices of the picture on the map and of the creatures, and the legends."""
        self.on_map = _combo("On the map")
        self.way = _combo("Armies move", "How the creatures of both armies move")
        self.home = _combo("Native to")
        texts = CellTexts(document, self)
        texts.keep(
            self.on_map.setToolTip,
            "What the colours and numbers on the {cells} say: what coming there from a side costs, "
            "who comes there first and by how much, or how many die there in 100 battles",
        )
        texts.keep(self.home.setToolTip, "To which hazards or {sides} both armies are native")

        # One legend for each PictureKind, in this order.
        self.legends = (
            HeatLegend(str(CHEAPEST), f"{DEAREST} or more;  {NO_WAY} no way"),
            HeatLegend("D: defender first by so much", "A: attacker first by so much"),
            HeatLegend("nobody dies", "most die, in 100 battles"),
        )

    def _make_explanations(self) -> None:
        """Make the texts on what the parts of the panel mean."""
        self.about_map = _label("Shown on the map, in its own tab, until this tab is closed.")
        self.about_battles = _label(
            "Equal armies fight, and the attacker comes in from the side of the row. Compare with "
            "the last row, a bare board: a higher share means that the side helps the attacker, a "
            "lower one the defender. If you want it even, press Balance, or clear or block hexes "
            "near that side."
        )
        self.about_attacks = _label(
            "Who has the better ground before the first strike: upper figures are the attacker's, "
            "lower ones the defender's. The gain says whom the ground helps. Use it to see why a "
            "side wins; where it differs from the battles, believe the battles."
        )
        self.about_measures = _label(
            "This map beside others of its script: more than 50 % of them is usual, near 0 or "
            "100 % is rare, so look whether you want it. Rest the mouse on a row to read what it "
            "counts."
        )

    def _make_tables(self) -> None:
        """Make the tables; the titles of two of them come with a model."""
        self.attacks = FittedTable("Attacker and defender")
        self.measures = FittedTable("Measures")
        self.measures.setItemDelegateForColumn(2, SpreadBars(self.measures))
        self.battles = FittedTable("Battles")
        self.battles.set_titles(
            [
                ("Battles", "The attacker's entry side; the same army is on both sides"),
                ("Attacker\nwins", "How many of the battles the attacker wins"),
                ("Likely\nrange", "In 95 of 100 cases the true share is between these"),
            ]
        )

    def _make_results(self) -> None:
        """Make the texts that tell of a report or of battles, and the buttons below them."""
        self.verdict = _label()
        bold = self.verdict.font()
        bold.setBold(True)
        self.verdict.setFont(bold)
        self.fought_by = _label()
        self.fight_button = tool_button(
            "Fight...", "Battles of armies that you choose, by our simulator or by your own game"
        )
        self.balance_button = tool_button(
            "Balance...", "Look for the smallest edits that make all sides equally good"
        )
        self.warnings = _label()
        self.closed_cells = _label()
        self.compared = _label()
        self.above = LayersAbove(
            "Compare with the script's maps as they will be, with the layers above the roll and "
            "with what was painted into it; else with the rolls alone"
        )
        self.empty = _label()
        self._widgets_of_battles = (
            self.verdict,
            self.about_battles,
            self.battles,
            self.fought_by,
            self.balance_button,
        )
        """These are hidden where no simulator fights battles."""

    def _lay_out(self) -> None:
        """Put the controls below one another on a page that scrolls, beside a page with a text."""
        self.setMinimumWidth(LEAST_WIDTH_PX)
        body = QWidget()
        form = QFormLayout()
        form.setHorizontalSpacing(GAP_PX)
        for combo in (self.on_map, self.way, self.home):
            form.addRow(combo.accessibleName(), combo)
        self.ground = FoldedSection(
            "What the ground alone says", self.about_attacks, self.attacks, self.closed_cells
        )
        self.beside_others = FoldedSection(
            "Beside other maps of the script",
            self.about_measures,
            self.measures,
            self.compared,
            self.above,
        )
        column = lay_out(QVBoxLayout(body), margins=6)
        column.addWidget(self.verdict)
        column.addWidget(self.about_battles)
        column.addWidget(self.battles)
        column.addWidget(self.fought_by)
        column.addWidget(self.warnings)
        column.addLayout(lay_out(QHBoxLayout(), self.fight_button, self.balance_button, STRETCH))
        column.addSpacing(GAP_PX)
        column.addLayout(form)
        for legend in self.legends:
            column.addWidget(legend)
        column.addWidget(self.about_map)
        column.addSpacing(GAP_PX)
        column.addWidget(self.ground)
        column.addWidget(self.beside_others)
        column.addStretch(1)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        margin = MARGIN_OF_TEXT_PX
        self.empty.setContentsMargins(margin, margin, margin, margin)
        self._pages = QStackedLayout(self)
        self._controls = scrolled(body)
        self._pages.addWidget(self._controls)
        self._pages.addWidget(self.empty)

    # --- what is shown ----------------------------------------------------------------------

    def set_model(self, model: FairnessModel | None, kind_of_map: str) -> None:
        """Show the controls that a model has a use for, with its choices.

        Without a model only a text says that there is nothing to judge; no text either if
        ``kind_of_map``, the title of the map's system, is "".
        """
        text = ""
        if kind_of_map:
            text = (
                f"How armies fight on {with_article(kind_of_map)} is not known here, so there is "
                "nothing to judge. Open or make a battleland to see who has the better ground."
            )
        self.empty.setText(text)
        if model is None:
            self._pages.setCurrentWidget(self.empty)
            return
        self._pages.setCurrentWidget(self._controls)

        self._simulator = model.simulator
        for widget in self._widgets_of_battles:
            widget.setVisible(bool(model.simulator))
        self.fight_button.setVisible(bool(model.fight_settings))
        _offer(self.way, model.movement_types)
        _offer(self.home, model.native_terrains)

        attack = "The attacker's entry side, and below it where the defender comes from or stands"
        gain = "Whom the ground helps, the attacker or the defender, and how much"
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
        self._tell_chosen()

    def show_report(
        self,
        measures: Sequence[Measure],
        report: FairnessReport | None,
        distribution: Distribution | None,
    ) -> None:
        """Show a report on the current map, and how its measures compare with other maps'.

        ``measures`` are those of the model. ``report`` is None while there is none yet;
        ``distribution``, of the measures of the script's maps, while there are no such maps.
        """
        self._take_pictures(report)
        attack_rows: list[tuple[str, ...]] = []
        values: Sequence[float] = ()
        warnings = ""
        closed_cells = ""
        if report is not None:
            # Not without a report: the chosen picture would be lost while the next one comes.
            self._offer_pictures()
            attack_rows = [_attack_texts(attack) for attack in report.attacks]
            values = report.measured
            warnings = " ".join(report.warnings)
            closed_cells = ", ".join(report.closed_cells)
        self.attacks.fill(attack_rows)
        self._show_measures(measures, values, distribution)
        self.warnings.setText(warnings)
        self.warnings.setVisible(bool(warnings))
        self.closed_cells.setText(
            f"Nobody walks into {closed_cells}, and only fliers native to it fly there."
        )
        self.closed_cells.setVisible(bool(closed_cells))
        self._tell_heat()

    def _take_pictures(self, report: FairnessReport | None) -> None:
        """Take the pictures of a report in place of those of the last one.

        Those of deaths stay: battles are reported by themselves.
        """
        pictures: dict[str, NDArray[np.float64]] = {}
        kinds: dict[str, PictureKind] = {}
        if report is not None:
            for name, costs in report.travel_costs:
                pictures[name] = costs
                kinds[name] = PictureKind.COST
            for name, leads in report.leads:
                pictures[name] = leads
                kinds[name] = PictureKind.LEAD
        names_of_deaths = [name for name in FIGHT_DEATHS if name in self._kinds]
        if self._simulator:
            names_of_deaths = [*DEATHS, *names_of_deaths]
        for name in names_of_deaths:
            kinds[name] = PictureKind.DEATHS
            if name in self._pictures:
                pictures[name] = self._pictures[name]
        self._pictures = pictures
        self._kinds = kinds

    def _show_measures(
        self,
        measures: Sequence[Measure],
        values: Sequence[float],
        distribution: Distribution | None,
    ) -> None:
        """Show a row for each measure that has a value.

        Beside the value stands how many of the script's maps have less, with bars of all of them;
        of a measure that is yes or no, how many say yes. There are no values without a report.
        """
        rows = []
        bars_of_rows: list[Bars | None] = []
        for index, (measure, value) in enumerate(zip(measures, values, strict=False)):
            share = ""
            bars = None
            if distribution is not None and measure.yes_no:
                # A yes counts as 1: the maps that are not below that say yes.
                share = f"{100 - distribution.percent_below(index, 1):.0f} % yes"
            elif distribution is not None:
                share = f"{distribution.percent_below(index, value):.0f} %"
                histogram = distribution.histograms[index]
                bars = Bars(histogram.heights, histogram.place(value))
            rows.append((measure.title, _value_text(measure, value), share))
            bars_of_rows.append(bars)
        helps = [f"{measure.help} ({measure.name})" for measure in measures]
        self.measures.fill(rows, helps, BARS, bars_of_rows)

    def show_battles(self, results: BattleResults | None) -> None:
        """Show the results so far of the simulated battles; None: there are none yet."""
        rows: list[tuple[str, ...]] = []
        verdict = ""
        battles_text = "Battles are being fought"
        if results is None:
            self._take_deaths(DEATHS, None)
        else:
            self._take_deaths(DEATHS, results.deaths)
            rows = [_battle_texts(*wins) for wins in (*results.wins, results.base_line)]
            verdict = _verdict(results)
            battles_fought = _battles_fought(results)
            if battles_fought:
                battles_text = f"{counted(battles_fought, 'battle')} a side, fought"
        self.battles.fill(rows)
        self.verdict.setText(verdict or "Battles are being fought...")
        self.fought_by.setText(f"{battles_text} by {self._simulator}.")

    def show_fight(self, report: FightReport | None) -> None:
        """Offer pictures of deaths in battles that were asked for; None: offer them no longer."""
        is_first_report = report is not None and FIGHT_DEATHS[0] not in self._pictures
        deaths = None
        if report is not None:
            deaths = report.deaths
        self._take_deaths(FIGHT_DEATHS, deaths)
        for name in FIGHT_DEATHS:
            self._kinds.pop(name, None)  # so that they become the last ones
            if report is not None:
                self._kinds[name] = PictureKind.DEATHS
        self._offer_pictures()
        if is_first_report:
            # As if the user had chosen it: a picture that was asked for shall be seen.
            self.on_map.setCurrentText(DEATHS_OF_BOTH_IN_FIGHT)
            self.on_map.activated.emit(self.on_map.currentIndex())

    def _take_deaths(
        self, names: Sequence[str], deaths: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    ) -> None:
        """Take pictures of deaths in place of earlier ones.

        ``names`` are ``DEATHS`` or ``FIGHT_DEATHS``. ``deaths`` are those of attackers and of
        defenders, as in ``BattleResults``; None: there are no such pictures now.
        """
        for name in names:
            self._pictures.pop(name, None)
        if deaths is not None:
            of_attackers, of_defenders = deaths
            pictures = (of_attackers, of_defenders, of_attackers + of_defenders)
            self._pictures |= zip(names, pictures, strict=True)
        if self.on_map.currentText() in names:
            self._tell_heat()

    def _offer_pictures(self) -> None:
        """Offer the pictures that there are; the map shows none if the chosen one is gone."""
        chosen_title = self.on_map.currentText()
        _offer(self.on_map, [NOTHING, *self._kinds])
        if self.on_map.currentText() != chosen_title:
            self._tell_heat()

    def choose_picture(self, name: str) -> None:
        """Show this picture on the map, if there is one of that name."""
        self.on_map.setCurrentIndex(max(0, self.on_map.findText(name)))

    def heat(self, grid: Grid) -> Heat | None:
        """Return the chosen picture as colours and texts of the cells; None if there is none."""
        name = self.on_map.currentText()
        values = self._pictures.get(name)
        if values is None or values.shape != (grid.height, grid.width):
            return None  # one of the previous map, if any: that of this map follows
        text_of: Callable[[float], str] = _cost_text
        ends: tuple[float, float]
        kind = self._kinds[name]
        if kind is PictureKind.COST:
            ends = (CHEAPEST, DEAREST)
        elif kind is PictureKind.LEAD:
            ends = (-LARGEST_LEAD, LARGEST_LEAD)
            text_of = _lead_text
        else:
            # At least 1, so that few deaths do not look like many.
            ends = (0.0, float(np.nanmax(values, initial=1)))
        flat_values = values.ravel()
        texts = {cell: text_of(float(flat_values[cell])) for cell in grid.cells.tolist()}
        return Heat(values, ends, texts=texts)

    @property
    def shows_leads(self) -> bool:
        """True if the numbers on the map say which army comes to a cell first, and by how much."""
        return self._kinds.get(self.on_map.currentText()) is PictureKind.LEAD

    def _tell_heat(self) -> None:
        """Show the legend of the chosen picture, and tell that the map shall show that picture."""
        kind = self._kinds.get(self.on_map.currentText())
        for kind_of_legend, legend in zip(PictureKind, self.legends, strict=True):
            legend.setVisible(kind_of_legend is kind)
        self.about_map.setVisible(kind is not None)
        self.heat_changed.emit()

    def _tell_chosen(self) -> None:
        """Tell which creatures the armies are of."""
        self.chosen.emit(self.way.currentText(), self.home.currentText())


def _battle_texts(name: str, wins: Rarity) -> tuple[str, ...]:
    """Return the texts of a row of the table of battles; dots while none has been fought."""
    if not wins.tried:
        return name, "...", ""
    low, high = wins.interval
    return name, f"{100 * wins.chance:.0f} %", f"{100 * low:.0f} to {100 * high:.0f}"


def _battles_fought(results: BattleResults) -> int:
    """Return how many battles were fought from each side, and on open ground, at least."""
    return min(wins.tried for _name, wins in (*results.wins, results.base_line))


def _verdict(results: BattleResults) -> str:
    """Return the verdict, as preliminary until all battles are fought; "" before the base line was.

    The first battles can speak for one army, and all of them for none.
    """
    judgement = _judgement(results)
    battles_fought = _battles_fought(results)
    if not judgement or battles_fought >= results.battles_planned:
        return judgement
    return (
        f"Preliminary, {battles_fought:,} of {results.battles_planned:,} battles a side: "
        f"{judgement}"
    )


def _judgement(results: BattleResults) -> str:
    """Return sentences on the army that each side favours; "" before the base line was fought.

    A side favours an army if its 95 % interval lies apart from that of the base line, which is an
    attack on open ground: where both overlap, the difference may be chance.
    """
    name, base = results.base_line
    if not base.tried:
        return ""
    base_low, base_high = base.interval
    sides_of_attacker = []
    sides_of_defender = []
    fair_sides = []
    for side, wins in results.wins:
        low, high = wins.interval
        if low > base_high:
            sides_of_attacker.append(side)
        elif high < base_low:
            sides_of_defender.append(side)
        else:
            fair_sides.append(side)
    if not sides_of_attacker and not sides_of_defender:
        return f"Fair: no side differs clearly from {name}."
    texts = []
    for sides, army in ((sides_of_attacker, "attacker"), (sides_of_defender, "defender")):
        if sides:
            texts.append(f"{listed(sides)} {many(len(sides), 'favours', 'favour')} the {army}.")
    if fair_sides:
        texts.append(f"{listed(fair_sides)} {many(len(fair_sides), 'is', 'are')} fair.")
    return " ".join(texts)


def _attack_texts(attack: Attack) -> tuple[str, ...]:
    """Return the texts of a row of attacks, with the attacker's values above the defender's."""
    attacker = attack.attacker
    defender = attack.defender
    values = []
    for attacker_value, defender_value in zip(attacker.values, defender.values, strict=True):
        values.append(f"{_number(attacker_value)}\n{_number(defender_value)}")
    gain = describe_favour(attack.advantage, f"{abs(attack.advantage):.0f}", "%", ARMIES)
    return (f"{attacker.name}\n{defender.name}", *values, gain)


def _cost_text(cost: float) -> str:
    """Return the cost of coming to a cell."""
    if isnan(cost):
        return NO_WAY
    return f"{cost:.0f}"


def _lead_text(lead: float) -> str:
    """Return the army that comes to a cell first, and by how much it leads: "A 3", "D 2"."""
    if isnan(lead):
        return NO_WAY
    if round(lead) == 0:
        return "0"
    if lead > 0:
        return f"A {lead:.0f}"
    return f"D {-lead:.0f}"


def _number(value: float) -> str:
    """Return a number from 0 on: with one decimal if it is below 10 and not whole."""
    if value == round(value) or value >= 10:
        return f"{value:.0f}"
    return f"{value:.1f}"


def _value_text(measure: Measure, value: float) -> str:
    """Return the value of a measure as text, with its unit or the army that it favours."""
    if measure.yes_no and value:
        return "yes"
    if measure.yes_no:
        return "no"
    if measure.favours is not None:
        return describe_favour(value, _number(abs(value)), measure.unit, measure.favours)
    if value < 0:
        number = f"{value:.1f}"
    else:
        number = _number(value)
    return f"{number} {measure.unit}".rstrip()


def _label(text: str = "") -> QLabel:
    """Return a label that wraps its text."""
    return plain_label(text, wordWrap=True)


def _combo(name: str, help_: str = "") -> QComboBox:
    """Return a list that takes the width that is left; screen readers call it ``name``."""
    combo = described(pass_wheel_on(QComboBox()), name, help_)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return combo


def _offer(combo: QComboBox, names: Iterable[str]) -> None:
    """Offer other names, without a signal.

    The chosen name stays if it is one of them; else the first one is chosen.
    """
    names = list(names)
    if names == [combo.itemText(row) for row in range(combo.count())]:
        return
    row = 0
    if combo.currentText() in names:
        row = names.index(combo.currentText())
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItems(names)
        combo.setCurrentIndex(row)
