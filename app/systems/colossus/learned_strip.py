"""The strip below a learned script: how it fits its maps, why a line is there, other versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QSlider, QVBoxLayout

from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.basics.plurals import counted

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript

FIT = (
    "How far cells, neighbours and numbers of terrains of the maps are from those that the script "
    "rolls. A few maps differ from any script by chance, the fewer the more."
)


def fit_text(learned: LearnedScript) -> str:
    """Return how long the proposed version is, and how well it fits."""
    statements = counted(learned.version.statements, "statement")
    maps = counted(len(learned.maps), "map")
    bits = learned.version.fit.total
    return f"{statements}, at a distance of {bits:.1f} from the {maps} (0: just like them)."


NO_REASON = "Put the caret on a line to see why it is there."


class LearnedStrip(QFrame):
    """Hidden until ``show_version``; its signals are those of ``slider`` and ``on_map``."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "From few lines to a close fit")
        self.slider.setTracking(False)  # a drag is one step of undo
        self.slider.setPageStep(1)
        self.on_map = described(
            QCheckBox("On the map"), "", "How far script and maps differ in each cell"
        )
        self.fit = described(plain_label(wordWrap=True), "Fit", FIT)
        self.why = described(plain_label(wordWrap=True), "Why this line")
        self.why.setMinimumHeight(2 * self.why.fontMetrics().lineSpacing())
        self.why.setAlignment(Qt.AlignmentFlag.AlignTop)
        ends = plain_label("Few lines"), plain_label("Close fit")
        line = lay_out(QHBoxLayout(), ends[0], (self.slider, 1), ends[1])
        fit = lay_out(QHBoxLayout(), (self.fit, 1), self.on_map)
        lay_out(QVBoxLayout(self), line, fit, self.why, margins=6, spacing=3)
        self.explain("")
        self.hide()

    def show_version(self, learned: LearnedScript, *, by_hand: bool) -> None:
        """Show the chosen version; ``by_hand``: its text was edited, none can be chosen."""
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(learned.versions) - 1)
            self.slider.setValue(learned.chosen)
        self.slider.setEnabled(not by_hand and len(learned.versions) > 1)
        edited = "Edited by hand: undo that to choose a version."
        self.fit.setText(edited if by_hand else fit_text(learned))
        self.show()

    def explain(self, text: str) -> None:
        """Say why the line of the caret is there; "": that is not known."""
        self.why.setText(text or NO_REASON)
