"""The page of the percentile chart, with two texts below the chart.

The chart (``PercentileChart``) shows terrain types as boxes over altitude and moisture, both in
percentages. The first text is about the point under the mouse or the chosen type, the second one
about the *faults* of the limits: gaps that no type takes, and overlaps. ``chart_words`` makes the
texts; ``ChartPage.update_texts`` chooses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.qt_guard import connect
from app.systems.xconq.period.chart import PercentileChart
from app.systems.xconq.period.chart_picture import ChartType
from app.systems.xconq.period.chart_words import (
    describe_faults,
    describe_free_point,
    describe_type,
    describe_won_point,
    percent,
)
from app.widgets.layout.builders import lay_out
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.systems.xconq.period.slots import Slot
from randomizer.systems.xconq.period.value_edits import why_not_plain
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import limits_of
from randomizer.systems.xconq.world.coverage import boxes_of_limits

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.world.shared_edges import Edge

HINT = "Drag an edge or a corner; with Shift it moves without its neighbours."
"""The message while the mouse is not in the chart and no type is chosen."""

HELP = (
    "Terrain types over altitude and moisture; the dots are cells of the world. Drag an edge or a "
    "corner: neighbours that share it move along, unless Shift or Alt is held. With the keyboard "
    "Space chooses a type, the arrow keys choose an edge and move it, with Ctrl by five."
)
"""The tool tip of the message, and the description of the chart for screen readers."""


def slot_of_edge(edge: Edge) -> Slot:
    """Return the value of the period that sets an edge: Slot("min-alt", 3)."""
    return Slot(edge.word, edge.terrain)


class ChartPage(QWidget):
    """Shows the limits of a period's terrain types, and how many cells have which percentages."""

    shares_wanted = Signal()
    """A text is about to be made: the owner calls ``set_shares`` now if they have changed.

    So the shares are counted only when a message needs them, not after each change of the map.
    """

    def __init__(self) -> None:
        super().__init__()
        self._period: Period | None = None
        self._names: tuple[str, ...] = ()
        """The names of the terrain types."""
        self.density: NDArray[np.int64] | None = None
        """The number of cells of the world with each pair of percentages: (101, 101).

        The altitude comes first. None if it is not known.
        """
        self._shares: tuple[float, ...] = ()
        """The share of the map that each type has, 0 to 1."""
        self._note = ""
        """A remark behind the faults: why the density is not known; "" for none."""
        self._point: tuple[int, int] | None = None
        """The percentages under the mouse, None while it is not in the chart."""
        self.chart = PercentileChart()
        self.chart.can_move_along = self._can_be_set_alone
        # Both texts have a fixed height, so that the chart does not change its size during a drag.
        self.message = _label_of_two_lines()
        self.faults = _label_of_two_lines()
        self.chart.setAccessibleDescription(HELP)
        self.message.setToolTip(HELP)
        lay_out(
            QVBoxLayout(self),
            (self.chart, 1),
            self.message,
            self.faults,
            margins=(6, 6, 6, 6),
            spacing=4,
        )
        connect(self.chart.pointed, self._on_pointed)
        connect(self.chart.chosen_changed, self.update_texts)
        connect(self.chart.preview_wanted, lambda _boxes: self.update_texts())
        self.update_texts()

    def show_period(self, period: Period) -> None:
        """Show the terrain types of a period."""
        self._period = period
        terrains = terrain_set_of(period).terrains
        self._names = tuple(terrain.name for terrain in terrains)
        types = tuple(ChartType(terrain.name, terrain.colour) for terrain in terrains)
        self.chart.show_types(types, boxes_of_limits(limits_of(period)))
        self.update_texts()

    def show_density(self, density: NDArray[np.int64] | None, note: str = "") -> None:
        """Show the number of cells with each pair of percentages, as in ``density``.

        None if it is not known; ``note`` then tells why.
        """
        self.density = density
        self._note = note
        self.chart.show_density(density)
        self.update_texts()

    def set_shares(self, shares: tuple[float, ...]) -> None:
        """Set the share of the map that each type has, 0 to 1, in the order of the types.

        The next message uses them.
        """
        self._shares = shares

    def _can_be_set_alone(self, edge: Edge) -> bool:
        """Return whether the text of the period sets an edge alone, or not at all."""
        return self._period is None or why_not_plain(self._period, slot_of_edge(edge)) is None

    # --- words ------------------------------------------------------------------------------

    def _on_pointed(self, point: tuple[int, int] | None) -> None:
        self._point = point
        self.update_texts()

    def update_texts(self) -> None:
        """Show the text about the mouse's point or the chosen type, and that about the faults."""
        self.shares_wanted.emit()
        faults = describe_faults(self._names, self.chart.picture.coverage, self.density)
        self.faults.setText(f"{faults} {self._note}".strip())
        self.message.setText(self._message_text())

    def _message_text(self) -> str:
        """Return the text about the mouse's point or the chosen type, else ``HINT``."""
        chart = self.chart
        # A chosen edge comes before the mouse, which may rest on another type while keys are used.
        is_edge_chosen = chart.chosen is not None and chart.edge is not None
        if self._point is not None and not is_edge_chosen:
            return self._text_about_point(self._point)
        if chart.chosen is None:
            return HINT
        name = self._names[chart.chosen]
        return describe_type(name, chart.boxes[chart.chosen], self._share_text(chart.chosen))

    def _text_about_point(self, point: tuple[int, int]) -> str:
        """Return the message about a pair of percentages."""
        winner = self.chart.winner(point)
        if winner is not None:
            return describe_won_point(point, self._names[winner], self._share_text(winner))
        if self.density is None:
            return describe_free_point(point, "")
        share = percent(int(self.density[point]), int(self.density.sum()))
        return describe_free_point(point, share)

    def _share_text(self, terrain: int) -> str:
        """Return the share of the map that a type has, "" if it is not known."""
        if terrain < len(self._shares):
            return percent(self._shares[terrain], 1)
        return ""


def _label_of_two_lines() -> ElidedLabel:
    label = ElidedLabel(lines=2)
    label.setFixedHeight(2 * label.fontMetrics().lineSpacing())
    return label
