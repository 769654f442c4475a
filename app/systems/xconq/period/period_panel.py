"""The panel of a period: percentile chart, inspector, and forms of its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.systems.xconq.period.chart_page import ChartPage
from app.systems.xconq.period.inspector import Inspector
from app.systems.xconq.period.types_page import TypesPage
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.systems.xconq.period.words import TERRAINS, UNITS

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.period.value_edits import NotPlain


class PeriodPanel(QWidget):
    """Shows one period in four pages, and what stands in the way of a change.

    ``line_wanted()`` and ``own_line_wanted()``: a button of what ``refuse`` said was pressed.
    """

    line_wanted = Signal()
    own_line_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.banner = Banner("Go to line", "Show the line of the script", below=True)
        self._own_line = self.banner.add_button(
            "Set here", "Append a line to the period that sets this value alone"
        )
        self._close = self.banner.add_button("Close", "Close this message")
        self.chart_page = ChartPage()
        self.inspector = Inspector()
        self.units = TypesPage(UNITS)
        self.terrains = TypesPage(TERRAINS)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Chart, words and types of the period")
        self.tabs.addTab(self.chart_page, "Chart")
        self.tabs.setTabToolTip(0, "Terrain types over altitude and moisture")
        self.tabs.addTab(self.inspector, "Words")
        self.tabs.setTabToolTip(1, "Every word of the period with its values")
        self.tabs.addTab(self.units, "Units")
        self.tabs.setTabToolTip(2, "Unit types as forms, and new ones")
        self.tabs.addTab(self.terrains, "Terrains")
        self.tabs.setTabToolTip(3, "Terrain types as forms, and new ones")
        self._nothing = plain_label(wordWrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(12, 12, 12, 12)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.banner, (self.tabs, 1), margins=0, spacing=0)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(body)
        self._pages.addWidget(self._nothing)
        self._errors = False
        self._period: Period | None = None
        connect(self.tabs.currentChanged, self._on_page)
        self._on_page(0)
        connect(self.banner.accepted, self.line_wanted)
        connect(self._own_line.clicked, self.own_line_wanted)
        connect(self._close.clicked, self.forgive)

    def _on_page(self, page: int) -> None:
        """The keyboard goes to what the page is about."""
        pages = (self.chart_page.chart, self.inspector.words, *self.types)
        self.setFocusProxy(pages[page])

    def show_nothing(self, why: str) -> None:
        """Show why there is no period."""
        self._nothing.setText(why)
        self._pages.setCurrentIndex(1)

    def show_period(self, period: Period) -> None:
        """Show a period that can be changed."""
        self._pages.setCurrentIndex(0)
        if self._errors or period != self._period:  # else what was refused is still so
            self._errors = False
            self.forgive()
        self._period = period
        self.chart_page.show_period(period)
        self.inspector.show_period(period)
        self.show_types(period)
        self.tabs.setEnabled(True)

    @property
    def types(self) -> tuple[TypesPage, TypesPage]:
        """The pages of types."""
        return (self.units, self.terrains)

    def show_types(self, period: Period) -> None:
        """Show the types of a period as they are, in place of what was typed."""
        for page in self.types:
            page.show_period(period)

    def show_errors(self, why: str) -> None:
        """Show the errors of the period: what was shown last stays, but cannot be changed."""
        self._pages.setCurrentIndex(0)
        self._errors = True
        self.chart_page.chart.cancel()
        self.tabs.setEnabled(False)
        self._say(why, line=True, own_line=False)
        self._close.hide()

    def refuse(self, action: str, obstacle: NotPlain) -> None:
        """Say why ``action`` cannot be done, and offer what can be done instead."""
        is_in_this_text = obstacle.line is not None and obstacle.file is None
        text = f"{action}. {obstacle.why}" if action else obstacle.why
        self._say(text, line=is_in_this_text, own_line=obstacle.line is not None)

    def _say(self, text: str, *, line: bool, own_line: bool) -> None:
        self.banner.button.setVisible(line)
        self._own_line.setVisible(own_line)
        self._close.show()
        self.banner.say(text)

    def forgive(self) -> None:
        """Take back what ``refuse`` said."""
        if not self._errors:
            self.banner.say("")
