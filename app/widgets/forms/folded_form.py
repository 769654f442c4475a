"""A form that folds up to one line, which says what is set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.forms.committed_form import NARROW
from app.widgets.forms.settings_form import INDENT, SettingsForm
from app.widgets.layout.builders import described, lay_out
from randomizer.model.settings.setting import Setting

LEAST_HEIGHT = 80
"""Of the rows of a form that is not folded, in logical pixels."""

NO_GROUP = "Settings"
"""The title of settings that are of no group, or of several."""


class ScrolledRows(QScrollArea):
    """A scroll area as high as its rows where there is room, else with a bar."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self._body = body
        self.setWidget(body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take another height when the rows are others. Qt's area watches what is in it by this."""
        if watched is self._body and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        hint = self._body.sizeHint()
        layout = self._body.layout()
        width = self.viewport().width()
        height = hint.height()
        if layout is not None and layout.hasHeightForWidth() and self.isVisible():
            # Texts that are broken into more lines in a narrow panel make the rows higher.
            height = max(height, layout.totalHeightForWidth(width))
        return QSize(hint.width() + self._bar_width(), height)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height that the rows have at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """Return the width of the rows and of the bar that they may need, and a few rows."""
        hint = self._body.minimumSizeHint()
        return QSize(hint.width() + self._bar_width(), min(hint.height(), LEAST_HEIGHT))

    def _bar_width(self) -> int:
        """Return the width of the bar, in logical pixels; 0 for rows that are always shown
        whole.
        """
        if self._body.minimumSizeHint().height() <= LEAST_HEIGHT:
            return 0
        return self.verticalScrollBar().sizeHint().width()


class FoldedForm(SettingsForm):
    """A form of few settings, folded up at first, and hidden while there are none.

    Its title is the group that all of its settings have, else "Settings".
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = ""
        self.fold = described(QToolButton(), tip="Show or hide the settings")
        self.fold.setAutoRaise(True)
        self.fold.setMinimumWidth(INDENT)  # a long line is cut, the panel no wider for it
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        connect(self.fold.clicked, lambda: self.unfold(self.body.isHidden()))
        self.body.setContentsMargins(INDENT, 0, 0, 4)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.removeWidget(self.body)
        self._scrolled = ScrolledRows(self.body)
        lay_out(column, self.fold, self._scrolled)
        connect(self.changed, lambda _name: self._show_title())
        self.unfold(False)

    def unfold(self, open_: bool) -> None:
        """Show the rows, or only what they say."""
        self.body.setVisible(open_)
        self._scrolled.setVisible(open_)
        self.fold.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        self._show_title()

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Ask for these settings, showing ``values``."""
        settings = tuple(settings)
        groups = {setting.group for setting in settings}
        of_one = len(groups) == 1 and groups != {""}
        self._title = settings[0].group if of_one else NO_GROUP
        if of_one:  # the title is the heading
            settings = tuple(replace(setting, group="") for setting in settings)
        super().set_settings(settings, values)
        for box in self.body.findChildren(QComboBox):  # a long choice does not widen the panel
            box.setSizeAdjustPolicy(NARROW)
            box.setMinimumContentsLength(12)
        self.setVisible(bool(self._settings))

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them."""
        super().show_values(values)
        self._show_title()

    def _words(self) -> list[str]:
        """Return what is set, without tables; beside settings of other groups with their titles."""
        values = self.values()
        words = []
        for setting in self._settings:
            value = values.get(setting.name)
            title = setting.title.replace("&", "")
            if isinstance(value, bool) and setting.kind is bool and setting.default is not None:
                if value:
                    words.append(title)
            elif value not in (None, "") and not setting.columns:
                text = dict[object, str](setting.choices).get(value, str(value))
                words.append(text if self._title != NO_GROUP else f"{title} {text}")
        return words

    def _show_title(self) -> None:
        unset = self._settings[0].unset if self._settings else ""
        text = f"{self._title}: {', '.join(self._words()) or unset}"
        self.fold.setText(text)
        self.fold.setAccessibleName(text)
