"""The panel of a *period*: the rules of a game of Xconq, such as its units and terrains.

``PeriodController`` owns the panel. It reads the script of the period and calls one of three
methods, each of which brings the panel into a state of its own (``PanelState``):

- ``show_nothing``: there is no period, and a message in place of the pages says why;
- ``show_period``: four pages show the period, and the user can change it;
- ``show_errors``: the script has errors. The pages still show the text before them, disabled.

A *banner* over the pages tells these errors, and why a change is refused (``refuse``).
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING, NamedTuple

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


class Page(IntEnum):
    """The pages, by their indices in the row of tabs."""

    CHART = 0
    """Terrain types over altitude and moisture."""

    WORDS = 1
    """Every word of the period with its values."""

    UNITS = 2
    """Unit types as forms."""

    TERRAINS = 3
    """Terrain types as forms."""


class PanelState(Enum):
    """What the panel shows."""

    NOTHING = auto()
    """A message, since there is no period."""

    PERIOD = auto()
    """The period of the script; a banner may say why a change was refused."""

    ERRORS = auto()
    """Why the script cannot be read, in a banner that stays until it can be."""


class BannerButtons(NamedTuple):
    """The buttons of the banner that can do something about its message."""

    go_to_line: bool = False
    """Shows the line of the script that the message is about."""

    set_here: bool = False
    """Sets the value that the message is about by a new line."""

    close: bool = False


class PeriodPanel(QWidget):
    """Shows the pages of one period, and in a banner why it cannot be changed."""

    line_wanted = Signal()
    """The user wants to see the line of the script that the banner is about."""

    own_line_wanted = Signal()
    """The user wants to set the value whose change was refused by a line that sets it alone."""

    def __init__(self) -> None:
        super().__init__()
        self._state = PanelState.NOTHING
        self._period: Period | None = None
        """The period that was shown last, None if none was shown yet."""
        self._make_banner()
        self._make_pages()
        self._lay_out()
        connect(self.tabs.currentChanged, self._focus_page)
        self._focus_page(Page.CHART)

    def _make_banner(self) -> None:
        """Make the banner and its three buttons."""
        self.banner = Banner("Go to line", "Show the line of the script", below=True)
        self._own_line_button = self.banner.add_button(
            "Set here", "Append a line to the period that sets this value alone"
        )
        self._close_button = self.banner.add_button("Close", "Close this message")
        connect(self.banner.accepted, self.line_wanted)
        connect(self._own_line_button.clicked, self.own_line_wanted)
        connect(self._close_button.clicked, self.close_refusal)

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
        self.tabs.setTabToolTip(Page.CHART, "Terrain types over altitude and moisture")
        self.tabs.addTab(self.inspector, "Words")
        self.tabs.setTabToolTip(Page.WORDS, "Every word of the period with its values")
        self.tabs.addTab(self.units, "Units")
        self.tabs.setTabToolTip(Page.UNITS, "Unit types as forms, and new ones")
        self.tabs.addTab(self.terrains, "Terrains")
        self.tabs.setTabToolTip(Page.TERRAINS, "Terrain types as forms, and new ones")

    def _lay_out(self) -> None:
        """Stack the pages with their banner, and the message that there is no period."""
        self._message = plain_label(wordWrap=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._message.setContentsMargins(12, 12, 12, 12)  # logical pixels
        self._pages = _PagesUnderBanner(self.tabs, self.banner)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._pages)
        self._stack.addWidget(self._message)

    def _focus_page(self, index: int) -> None:
        """Let the panel give the keyboard to the main widget of the page with this index."""
        main_widgets: dict[Page, QWidget] = {
            Page.CHART: self.chart_page.chart,
            Page.WORDS: self.inspector.word_tree.tree,
            Page.UNITS: self.units,
            Page.TERRAINS: self.terrains,
        }
        self.setFocusProxy(main_widgets[Page(index)])

    def show_nothing(self, why: str) -> None:
        """Show ``why`` there is no period."""
        self._state = PanelState.NOTHING
        self._message.setText(why)
        self._stack.setCurrentWidget(self._message)

    def show_period(self, period: Period) -> None:
        """Show a period that can be changed."""
        self._stack.setCurrentWidget(self._pages)
        was_shown = self._state is PanelState.PERIOD and period == self._period
        self._state = PanelState.PERIOD
        self._period = period
        # After a refusal the same period is shown again: then the banner has to stay.
        if not was_shown:
            self.close_refusal()
        self.chart_page.show_period(period)
        self.inspector.show_period(period)
        self.show_types(period)
        self.tabs.setEnabled(True)

    @property
    def types(self) -> tuple[TypesPage, TypesPage]:
        """The two pages with forms: of the types of units, and of terrains."""
        return (self.units, self.terrains)

    def show_types(self, period: Period) -> None:
        """Show the types of a period in their forms; what the user typed there is lost."""
        for page in self.types:
            page.show_period(period)

    def show_errors(self, why: str) -> None:
        """Show ``why`` the script cannot be read; the pages of the last period are disabled.

        The user cannot close this message: it goes when the script has no errors any more.
        """
        self._stack.setCurrentWidget(self._pages)
        self._state = PanelState.ERRORS
        self.chart_page.chart.cancel_press()  # a drag that would change the period
        self.tabs.setEnabled(False)
        self._show_banner(why, BannerButtons(go_to_line=True))

    def show_refusal(self, action: str, obstacle: NotPlain) -> None:
        """Show why the script cannot be changed as the user wants.

        ``action`` names the change or asks about it, as in "Give plains a max-wet of its own: 59?";
        it is "" if the user has just typed it and knows. If the value is set in a line that cannot
        be changed, the banner offers to set it in a new line; if that line is in this script, it
        offers to go there.
        """
        text = f"{action} {obstacle.why}".strip()
        has_line = obstacle.line is not None
        is_in_this_script = has_line and obstacle.file is None
        buttons = BannerButtons(go_to_line=is_in_this_script, set_here=has_line, close=True)
        self._show_banner(text, buttons)

    def _show_banner(self, text: str, buttons: BannerButtons) -> None:
        """Show a message, with those buttons that can do something about it."""
        self.banner.button.setVisible(buttons.go_to_line)
        self._own_line_button.setVisible(buttons.set_here)
        self._close_button.setVisible(buttons.close)
        self.banner.say(text)
        self._pages.place_banner()

    def close_refusal(self) -> None:
        """Hide what ``show_refusal`` has shown; a message about errors stays."""
        if self._state is not PanelState.ERRORS:
            self.banner.say("")


class _PagesUnderBanner(QWidget):
    """Shows the pages, and the banner over their lower edge.

    The banner covers the pages instead of shifting them, so that no field moves while a person
    types. It lies over the upper edge if it would cover the field that has the keyboard.
    """

    def __init__(self, pages: QWidget, banner: Banner) -> None:
        super().__init__()
        self._banner = banner
        lay_out(QVBoxLayout(self), pages, margins=0)
        banner.setParent(self)
        banner.hide()  # a new parent shows it

    def place_banner(self) -> None:
        """Give the banner the height that its text needs, and move it to its edge."""
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
