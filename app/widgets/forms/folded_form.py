"""A form that folds up to one line, which tells what is set.

``ScrolledRows`` holds the rows while they are shown, and scrolls them in a low panel.
"""

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

MIN_HEIGHT = 80
"""The least height of the rows of an unfolded form, in logical pixels; then they scroll."""

NO_GROUP = "Settings"
"""The title of settings that are of no group, or of several."""

MIN_LETTERS = 12
"""The least number of letters for which a box of choices has room."""


class ScrolledRows(QScrollArea):
    """A scroll area that is as high as its rows if there is room, else has a scroll bar."""

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
        """Ask the layout for another height when the rows have changed.

        Qt's scroll area has already installed itself as the event filter of its widget.
        """
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
            # Texts that are wrapped in a narrow panel make the rows higher.
            height = max(height, layout.totalHeightForWidth(width))
        return QSize(hint.width() + self._bar_width(), height)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask the layout for the height that the rows have at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """Return a size as wide as the rows with a scroll bar, and as high as a few rows."""
        hint = self._body.minimumSizeHint()
        return QSize(hint.width() + self._bar_width(), min(hint.height(), MIN_HEIGHT))

    def _bar_width(self) -> int:
        """Return the width of the scroll bar in logical pixels; 0 for rows that never need it."""
        if self._body.minimumSizeHint().height() <= MIN_HEIGHT:
            return 0
        return self.verticalScrollBar().sizeHint().width()


class FoldedForm(SettingsForm):
    """A form of few settings, folded up at first, and hidden while there are none.

        > Size: 20, 30            folded up: one line with what is set
        v Size                    unfolded, with a row for each setting
          Width  [20]
          Height [30]

    Its title is the group that all of its settings have, else "Settings".
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._has_one_group = False
        """True if all settings are of one group, whose name is the title."""
        self._title = ""
        """The text before the values in the line of the folded form: "Size" of "Size: 20, 30"."""
        self.fold_button = described(QToolButton(), tip="Show or hide the settings")
        self.fold_button.setAutoRaise(True)
        self.fold_button.setMinimumWidth(INDENT)  # a long line is cut, and does not widen the panel
        self.fold_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        connect(self.fold_button.clicked, self._toggle)
        self.body.setContentsMargins(INDENT, 0, 0, 4)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.removeWidget(self.body)
        self._scrolled = ScrolledRows(self.body)
        lay_out(column, self.fold_button, self._scrolled)
        connect(self.changed, lambda _name: self._show_title())
        self.set_unfolded(is_unfolded=False)

    def _toggle(self) -> None:
        """Unfold a folded form, and fold up an open one."""
        self.set_unfolded(is_unfolded=self.body.isHidden())

    def set_unfolded(self, *, is_unfolded: bool) -> None:
        """Show the rows, or only the line that tells their values."""
        self.body.setVisible(is_unfolded)
        self._scrolled.setVisible(is_unfolded)
        if is_unfolded:
            self.fold_button.setArrowType(Qt.ArrowType.DownArrow)
        else:
            self.fold_button.setArrowType(Qt.ArrowType.RightArrow)
        self._show_title()

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Ask for these settings, showing ``values``."""
        settings = tuple(settings)
        groups = {setting.group for setting in settings}
        self._has_one_group = len(groups) == 1 and groups != {""}
        if self._has_one_group:
            self._title = settings[0].group
            # Without a group the rows get no heading, which would repeat the title.
            settings = tuple(replace(setting, group="") for setting in settings)
        else:
            self._title = NO_GROUP
        super().set_settings(settings, values)
        for box in self.body.findChildren(QComboBox):
            box.setSizeAdjustPolicy(NARROW)
            box.setMinimumContentsLength(MIN_LETTERS)
        self.setVisible(bool(self._settings))

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them."""
        super().show_values(values)
        self._show_title()

    def _value_texts(self) -> list[str]:
        """Return the values that are set as texts, but for tables.

        Under the title of a group a value stands alone ("20"), otherwise with its title
        ("Width 20"). A tick is its title.
        """
        values = self.values()
        texts = []
        for setting in self._settings:
            value = values.get(setting.name)
            title = setting.title.replace("&", "")
            is_tick = setting.kind is bool and setting.default is not None
            if is_tick and isinstance(value, bool):
                if value:
                    texts.append(title)
            elif value not in (None, "") and not setting.columns:
                labels: dict[object, str] = dict(setting.choices)
                text = labels.get(value, str(value))
                if not self._has_one_group:
                    text = f"{title} {text}"
                texts.append(text)
        return texts

    def _show_title(self) -> None:
        """Show the title and, in the line of the folded form, what is set.

        An unfolded form shows the title alone, as its rows show the values.
        """
        values_text = ", ".join(self._value_texts())
        if not values_text and self._settings:
            values_text = self._settings[0].unset  # the word for "not set", the same in all
        text = f"{self._title}: {values_text}"
        self.fold_button.setAccessibleName(text)
        if not self.body.isHidden():
            text = self._title
        self.fold_button.setText(text)
