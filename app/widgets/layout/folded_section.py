"""A section of a panel that folds up to its title, for what few people ask for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import Part, described, lay_out


class FoldedSection(QWidget):
    """A title to click, and below it widgets that are hidden until then.

    Example: ``column.addWidget(FoldedSection("Measures", self.about_measures, self.measures))``.
    """

    def __init__(self, title: str, *parts: Part) -> None:
        super().__init__()
        self.title = described(QToolButton(), tip=f"Show or hide: {title}")
        self.title.setText(title)
        self.title.setAutoRaise(True)
        self.title.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._body = QWidget()
        lay_out(QVBoxLayout(self._body), *parts, margins=0)
        lay_out(QVBoxLayout(self), self.title, self._body, margins=0, spacing=2)
        connect(self.title.clicked, self._turn_over)
        self.set_unfolded(is_unfolded=False)

    def _turn_over(self) -> None:
        """Unfold a folded section, and fold up an open one."""
        self.set_unfolded(is_unfolded=self._body.isHidden())

    def set_unfolded(self, *, is_unfolded: bool) -> None:
        """Show the widgets below the title, or the title alone."""
        self._body.setVisible(is_unfolded)
        if is_unfolded:
            self.title.setArrowType(Qt.ArrowType.DownArrow)
        else:
            self.title.setArrowType(Qt.ArrowType.RightArrow)
