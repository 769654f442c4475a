"""The strip below a learned script: how it fits its maps, why a line is there, other versions.

``LearnedScriptView`` owns it, and fills it by ``show_version`` and ``explain``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSlider, QVBoxLayout

from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.basics.plurals import counted

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript

FIT_HELP = (
    "How far cells, neighbours and numbers of terrains of the maps are from those that the script "
    "rolls. The fewer maps there are, the more they differ from any script just by chance."
)
"""The tool tip of the sentence about the fit."""

NO_REASON = "Put the caret on a line to see why it is there."
"""The text in place of a reason."""


def fit_text(learned: LearnedScript) -> str:
    """Return a sentence about the chosen version: how long it is, and how well it fits its maps."""
    statements = counted(learned.version.statements, "statement")
    maps = counted(len(learned.maps), "map")
    bits = learned.version.fit.total
    return f"{statements}, at a distance of {bits:.1f} from the {maps} (0: just like them)."


class LearnedStrip(QFrame):
    """A slider for the versions of a learned script, and texts about the chosen one.

    It is hidden until ``show_version``. Its owner connects the signals of ``slider`` (another
    version is chosen) and of ``heat_map_box`` (a box to tick: show the heat map).
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "From few lines to a close fit")
        self.slider.setTracking(False)  # a drag is one step of undo
        self.slider.setPageStep(1)
        self.heat_map_box = described(
            QCheckBox("On the map"), tip="How far script and maps differ in each cell"
        )
        self.fit_label = described(plain_label(wordWrap=True), "Fit", FIT_HELP)
        self.reason_label = described(plain_label(wordWrap=True), "Why this line")
        # Room for two lines, so that the strip does not change its height with every line.
        self.reason_label.setMinimumHeight(2 * self.reason_label.fontMetrics().lineSpacing())
        self.reason_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        few_lines = plain_label("Few lines")
        close_fit = plain_label("Close fit")
        slider_row = lay_out(QHBoxLayout(), few_lines, (self.slider, 1), close_fit)
        fit_row = lay_out(QHBoxLayout(), (self.fit_label, 1), self.heat_map_box)
        lay_out(QVBoxLayout(self), slider_row, fit_row, self.reason_label, margins=6, spacing=3)
        self.explain("")
        self.hide()

    def show_version(self, learned: LearnedScript, *, by_hand: bool) -> None:
        """Show the chosen version of a script.

        ``by_hand`` is True if the user has edited its text: then no other one can be chosen, as
        that would drop the edits.
        """
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(learned.versions) - 1)
            self.slider.setValue(learned.proposed_index)
        self.slider.setEnabled(not by_hand and len(learned.versions) > 1)
        if by_hand:
            self.fit_label.setText("Edited by hand: undo that to choose a version.")
        else:
            self.fit_label.setText(fit_text(learned))
        self.show()

    def explain(self, text: str) -> None:
        """Show why the line of the caret is there; ``text`` is "" if that is not known."""
        if not text:
            text = NO_REASON
        self.reason_label.setText(text)
