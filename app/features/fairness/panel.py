"""The panel *Fairness*: how good a map is for the attacker and the defender of each side.

From above it shows:

- battles: the verdict of simulated ones, with a table that has a row for each entry side,
- on the map: the choice of a picture that is laid over the map as colours (picture_choice.py),
- ground: which army has the better ground before anybody strikes,
- measures: numbers of this map beside those of other maps of its script.

The panel only shows: ``FairMaps`` computes, and ``FairnessController`` connects both. The texts of
its tables are made in fairness_texts.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.document.cell_texts import CellTexts
from app.features.fairness.fairness_texts import (
    attack_texts,
    battle_texts,
    battles_fought,
    value_text,
    verdict,
)
from app.features.fairness.name_combos import name_combo, offer_names
from app.features.fairness.picture_choice import PictureChoice
from app.features.fairness.spread_bars import BARS_ROLE, Bars, HistogramDelegate
from app.qt_guard import connect
from app.rolling.layers_above_switch import LayersAbove
from app.widgets.layout.builders import (
    STRETCH,
    lay_out,
    plain_label,
    scrolled,
    tool_button,
)
from app.widgets.layout.folded_section import FoldedSection
from app.widgets.lists.fitted_table import FittedTable, TableRow
from randomizer.model.basics.plurals import counted, with_article

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.batches.batch import Measure
    from randomizer.batches.distribution import Distribution
    from randomizer.batches.fairness import (
        BattleResults,
        FairnessModel,
        FairnessReport,
        FightReport,
    )

MIN_WIDTH_PX = 284
"""With less, in logical pixels, the names of the sides would be cut off."""

MARGIN_OF_TEXT_PX = 12
"""The margin around the text of a panel without controls, in logical pixels."""

GAP_PX = 8
"""The gap between two parts of the panel, in logical pixels."""

COMPARISON_COLUMN = 2
"""The column of the measures that compares this map with others: it has a small histogram."""


class FairnessPanel(QWidget):
    """Shows how fair the current map is; it computes nothing (``FairMaps``).

    Whoever makes the panel gives it a model of the map's system (``set_model``), then a report and
    results of battles as they come (``show_report``, ``show_battles``, ``show_fight``).
    """

    armies_chosen = Signal(str, str)
    """Another movement type and native terrain of the armies are chosen."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._simulator = ""
        """The name of the simulator that fights battles by itself; "" if none does."""
        self.picture_choice = PictureChoice(document, self)
        """The picture on the map."""
        self.movement_combo = name_combo("Armies move", "How the creatures of both armies move")
        self.native_combo = name_combo("Native to")
        CellTexts(document, self).keep_filled(
            self.native_combo.setToolTip,
            "To which hazards or {sides} both armies are native",
        )
        for combo in (self.movement_combo, self.native_combo):
            connect(combo.currentIndexChanged, self._emit_armies)
        self._make_explanations()
        self._make_tables()
        self._make_texts_and_buttons()
        self._lay_out()

    def _make_explanations(self) -> None:
        """Make the texts on what the parts of the panel mean."""
        self.battles_help = _label(
            "Equal armies fight, and the attacker comes in from the side of the row. Compare with "
            "the last row, a bare board: a higher share means that the side helps the attacker, a "
            "lower one the defender. If you want it even, press Balance, or clear or block hexes "
            "near that side."
        )
        self.attacks_help = _label(
            "Who has the better ground before the first strike: upper figures are the attacker's, "
            "lower ones the defender's. The gain says whom the ground helps. Use it to see why a "
            "side wins; where it differs from the battles, believe the battles."
        )
        self.measures_help = _label(
            "This map beside others of its script: more than 50 % of them is usual, near 0 or "
            "100 % is rare, so look whether you want it. Rest the mouse on a row to read what it "
            "counts."
        )

    def _make_tables(self) -> None:
        """Make the tables; the titles of two of them come with a model."""
        self.attacks = FittedTable("Attacker and defender")
        self.measures = FittedTable("Measures")
        self.measures.setItemDelegateForColumn(COMPARISON_COLUMN, HistogramDelegate(self.measures))
        self.battles = FittedTable("Battles")
        self.battles.set_titles(
            [
                ("Battles", "The attacker's entry side; the same army is on both sides"),
                ("Attacker\nwins", "How many of the battles the attacker wins"),
                ("Likely\nrange", "In 95 of 100 cases the true share is between these"),
            ]
        )

    def _make_texts_and_buttons(self) -> None:
        """Make the texts that tell of a report or of battles, and the buttons below them."""
        self.verdict_label = _label()
        bold = self.verdict_label.font()
        bold.setBold(True)
        self.verdict_label.setFont(bold)
        self.fought_by = _label()
        self.fight_button = tool_button(
            "Fight...", "Battles of armies that you choose, by our simulator or by your own game"
        )
        self.balance_button = tool_button(
            "Balance...", "Look for the smallest edits that make all sides equally good"
        )
        self.warnings = _label()
        self.closed_cells_label = _label()
        self.compared = _label()
        self.above = LayersAbove(
            "Compare with the script's maps as they will be, with the layers above the roll and "
            "with what was painted into it; else with the rolls alone"
        )
        self.no_model_text = _label()
        self._battle_widgets = (
            self.verdict_label,
            self.battles_help,
            self.battles,
            self.fought_by,
            self.balance_button,
        )
        """These are hidden where no simulator fights battles."""

    def _lay_out(self) -> None:
        """Put the controls below one another on a page that scrolls, beside a page with a text."""
        self.setMinimumWidth(MIN_WIDTH_PX)
        body = QWidget()
        form = QFormLayout()
        form.setHorizontalSpacing(GAP_PX)
        for combo in (self.picture_choice.combo, self.movement_combo, self.native_combo):
            form.addRow(combo.accessibleName(), combo)
        self.ground_section = FoldedSection(
            "What the ground alone says", self.attacks_help, self.attacks, self.closed_cells_label
        )
        self.others_section = FoldedSection(
            "Beside other maps of the script",
            self.measures_help,
            self.measures,
            self.compared,
            self.above,
        )
        column = lay_out(QVBoxLayout(body), margins=6)
        column.addWidget(self.verdict_label)
        column.addWidget(self.battles_help)
        column.addWidget(self.battles)
        column.addWidget(self.fought_by)
        column.addWidget(self.warnings)
        column.addLayout(lay_out(QHBoxLayout(), self.fight_button, self.balance_button, STRETCH))
        column.addSpacing(GAP_PX)
        column.addLayout(form)
        for legend in self.picture_choice.legends.values():
            column.addWidget(legend)
        column.addWidget(self.picture_choice.explanation)
        column.addSpacing(GAP_PX)
        column.addWidget(self.ground_section)
        column.addWidget(self.others_section)
        column.addStretch(1)
        self.no_model_text.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        margin = MARGIN_OF_TEXT_PX
        self.no_model_text.setContentsMargins(margin, margin, margin, margin)
        self._pages = QStackedLayout(self)
        self._controls = scrolled(body)
        self._pages.addWidget(self._controls)
        self._pages.addWidget(self.no_model_text)

    # --- what is shown ----------------------------------------------------------------------

    def set_model(self, model: FairnessModel | None, kind_of_map: str) -> None:
        """Show the controls that a model has a use for, with its choices.

        Without a model only a text says that there is nothing to judge. ``kind_of_map`` is the
        title of the map's system; "" while its model is being loaded: then there is no text either.
        At the end ``armies_chosen`` is emitted.
        """
        text = ""
        if kind_of_map:
            text = (
                f"How armies fight on {with_article(kind_of_map)} is not known here, so there is "
                "nothing to judge. Open or make a battleland to see who has the better ground."
            )
        self.no_model_text.setText(text)
        if model is None:
            self._pages.setCurrentWidget(self.no_model_text)
            return
        self._pages.setCurrentWidget(self._controls)

        self._simulator = model.simulator
        for widget in self._battle_widgets:
            widget.setVisible(bool(model.simulator))
        self.fight_button.setVisible(bool(model.fight_settings))
        offer_names(self.movement_combo, model.movement_types)
        offer_names(self.native_combo, model.native_terrains)

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
        self._emit_armies()

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
        warnings = ""
        closed_cells = ""
        if report is None:
            self.attacks.fill([])
            self.measures.fill([])
        else:
            self.attacks.fill([attack_texts(attack) for attack in report.attacks])
            self._show_measures(measures, report.measured, distribution)
            warnings = " ".join(report.warnings)
            closed_cells = ", ".join(report.closed_cells)
        self.warnings.setText(warnings)
        self.warnings.setVisible(bool(warnings))
        if closed_cells:
            self.closed_cells_label.setText(
                f"Nobody walks into {closed_cells}, and only fliers native to it fly there."
            )
        self.closed_cells_label.setVisible(bool(closed_cells))
        self.picture_choice.show_report(report, with_battles=bool(self._simulator))

    def _show_measures(
        self,
        measures: Sequence[Measure],
        values: Sequence[float],
        distribution: Distribution | None,
    ) -> None:
        """Show a row for each measure, with its value on the current map.

        Beside the value stands how many of the script's maps have less, with bars of all of them;
        of a measure that is yes or no, how many say yes.
        """
        rows = []
        for index, (measure, value) in enumerate(zip(measures, values, strict=True)):
            share = ""
            bars = None
            if distribution is not None and measure.yes_no:
                share = _share_of_yes(distribution, index)
            elif distribution is not None:
                percent_below = distribution.percent_below(index, value)
                if percent_below is not None:
                    share = f"{percent_below:.0f} %"
                    histogram = distribution.histograms[index]
                    bars = Bars(histogram.heights, histogram.fraction_of_range(value))
            texts = (measure.title, value_text(measure, value), share)
            rows.append(TableRow(texts, f"{measure.help} ({measure.name})", bars))
        self.measures.fill_rows(rows, BARS_ROLE)

    def show_battles(self, results: BattleResults | None) -> None:
        """Show the results so far of the simulated battles; None: there are none yet."""
        rows: list[tuple[str, ...]] = []
        verdict_text = ""
        battle_count = 0
        deaths = None
        if results is not None:
            deaths = results.deaths
            rows = [battle_texts(name, wins) for name, wins in (*results.wins, results.base_line)]
            verdict_text = verdict(results)
            battle_count = battles_fought(results)
        self.picture_choice.show_battles(deaths)
        self.battles.fill(rows)
        self.verdict_label.setText(verdict_text or "Battles are being fought...")
        if battle_count:
            battles_text = f"{counted(battle_count, 'battle')} a side, fought"
        else:
            battles_text = "Battles are being fought"
        self.fought_by.setText(f"{battles_text} by {self._simulator}.")

    def show_fight(self, report: FightReport | None) -> None:
        """Offer pictures of deaths in battles that were asked for; None: offer them no longer."""
        deaths = None
        if report is not None:
            deaths = report.deaths
        self.picture_choice.show_fight(deaths)

    def _emit_armies(self) -> None:
        """Tell which armies are chosen now."""
        self.armies_chosen.emit(self.movement_combo.currentText(), self.native_combo.currentText())


def _label(text: str = "") -> QLabel:
    """Return a label that wraps its text."""
    return plain_label(text, wordWrap=True)


def _share_of_yes(distribution: Distribution, measure_index: int) -> str:
    """Return how many of the maps say yes to a measure, in percent; "" if none says anything."""
    percent_of_no = distribution.percent_below(measure_index, 1)  # yes counts as 1, no as 0
    if percent_of_no is None:
        return ""
    return f"{100 - percent_of_no:.0f} % yes"
