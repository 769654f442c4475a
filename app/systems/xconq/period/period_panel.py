"""The panel of a period: percentile chart, inspector, and forms of its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from app.qt_guard import connect, guarded
from app.systems.xconq.period.chart_page import ChartPage
from app.systems.xconq.period.inspector import Inspector
from app.systems.xconq.period.types_page import TypesPage
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.systems.xconq.period.words import TERRAINS, UNITS

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period
    from randomizer.systems.xconq.period.text_splices import NotPlain


class PeriodPanel(QWidget):
    """Shows one period in four pages, and what stands in the way of a change."""

    line_wanted = Signal()
    """The line of what ``refuse`` or ``show_errors`` told is to be shown."""

    own_line_wanted = Signal()
    """The value that ``refuse`` told of is to get a line of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._has_errors = False
        """True while the text has errors: the pages are disabled, and show an older text."""
        self._period: Period | None = None
        self._make_banner()
        self._make_pages()
        self._lay_out()
        connect(self.tabs.currentChanged, self._on_page)
        self._on_page(0)
        connect(self.banner.accepted, self.line_wanted)
        connect(self._own_line.clicked, self.own_line_wanted)
        connect(self._close.clicked, self.forgive)

    def _make_banner(self) -> None:
        """Make the banner of refusals and errors, with its buttons."""
        self.banner = Banner("Go to line", "Show the line of the script", below=True)
        self._own_line = self.banner.add_button(
            "Set here", "Append a line to the period that sets this value alone"
        )
        self._close = self.banner.add_button("Close", "Close this message")

    def _make_pages(self) -> None:
        """Make the four pages in their tabs."""
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

    def _lay_out(self) -> None:
        """Stack the pages, below their banner, with the message that there is no period."""
        self._nothing = plain_label(wordWrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(12, 12, 12, 12)
        self._body = _BodyUnderBanner(self.tabs, self.banner)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._body)
        self._pages.addWidget(self._nothing)

    def _on_page(self, page: int) -> None:
        """Let the keyboard go to the main widget of the page."""
        pages = (self.chart_page.chart, self.inspector.words, *self.types)
        self.setFocusProxy(pages[page])

    def show_nothing(self, why: str) -> None:
        """Show why there is no period."""
        self._nothing.setText(why)
        self._pages.setCurrentIndex(1)

    def show_period(self, period: Period) -> None:
        """Show a period that can be changed."""
        self._pages.setCurrentIndex(0)
        # Of the same period what was refused is still refused.
        if self._has_errors or period != self._period:
            self._has_errors = False
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
        self._has_errors = True
        self.chart_page.chart.cancel()
        self.tabs.setEnabled(False)
        self._say(why, line=True, own_line=False)
        self._close.hide()
        self._body.place_banner()

    def refuse(self, action: str, obstacle: NotPlain) -> None:
        """Tell why ``action`` cannot be done, "" for what was just typed, and offer another way."""
        is_in_this_text = obstacle.line is not None and obstacle.file is None
        text = f"{action}. {obstacle.why}" if action else obstacle.why
        self._say(text, line=is_in_this_text, own_line=obstacle.line is not None)

    def _say(self, text: str, *, line: bool, own_line: bool) -> None:
        """Show a message with a button for its line, and one for a line of its own."""
        self.banner.button.setVisible(line)
        self._own_line.setVisible(own_line)
        self._close.show()
        self.banner.say(text)
        self._body.place_banner()

    def forgive(self) -> None:
        """Take back what ``refuse`` told; a message about errors stays."""
        if not self._has_errors:
            self.banner.say("")


class _BodyUnderBanner(QWidget):
    """Shows the pages, and over their lower edge the banner: no field moves while a person types.

    The banner lies over the upper edge instead where it would cover the field that has the
    keyboard.
    """

    def __init__(self, pages: QWidget, banner: Banner) -> None:
        super().__init__()
        self._banner = banner
        lay_out(QVBoxLayout(self), pages, margins=0)
        banner.setParent(self)
        banner.hide()  # a new parent shows it

    def place_banner(self) -> None:
        """Give the banner the height of its text, and its place."""
        height = self._banner.sizeHint().height()
        if self._banner.hasHeightForWidth():
            height = self._banner.heightForWidth(self.width())
        top = self.height() - height
        field = QApplication.focusWidget()
        if field is not None and self.isAncestorOf(field):
            middle_of_field = field.mapTo(self, field.rect().center()).y()
            if middle_of_field > top and not self._banner.isAncestorOf(field):
                top = 0
        self._banner.setGeometry(0, top, self.width(), height)
        self._banner.raise_()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place_banner()
