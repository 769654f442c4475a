"""Functions that build panels and dialogs: widgets with names and tool tips, laid out in boxes::

self.search = described(QLineEdit(), "Search for a name")
buttons = lay_out(QHBoxLayout(), self.add_button, STRETCH, self.help_button, margins=0)
lay_out(QVBoxLayout(self), self.search, (self.list, 1), buttons)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from PySide6.QtGui import Qt  # not of QtCore, where it lacks ``mightBeRichText``
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QToolBar,
    QToolButton,
    QToolTip,
    QWidget,
    QWidgetAction,
)

from app.widgets.layout.focus_chain import next_in_focus_chain

MESSAGE_MS = 8000
"""The milliseconds for which a message stays in the status line."""

AnyWidget = TypeVar("AnyWidget", bound=QWidget)
AnyBox = TypeVar("AnyBox", bound=QBoxLayout)

Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int]
"""A widget or layout, either with its stretch factor; a number alone is the factor of a gap."""

STRETCH = 1
"""A gap that takes the room which is left."""


def plain_text(text: str) -> str:
    """Return a text that a tool tip or a message box shows letter by letter.

    These take what looks like HTML for it, and cannot be told otherwise: a file may be called
    ``<h1>.battlemap``. Labels have a format for that, see ``plain_label``.
    """
    if Qt.mightBeRichText(text):
        return Qt.convertFromPlainText(text, Qt.WhiteSpaceMode.WhiteSpaceNormal)
    return text


def plain_label(text: str = "", **properties: Any) -> QLabel:
    """Return a label that shows its texts letter by letter; ``properties`` are those of QLabel."""
    return QLabel(text, textFormat=Qt.TextFormat.PlainText, **properties)


def described(widget: AnyWidget, name: str = "", tip: str = "") -> AnyWidget:
    """Give a widget its accessible name and its tool tip ("": none) and return it."""
    if name:
        widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(plain_text(tip))
    return widget


def say_below(widget: QWidget, text: str) -> None:
    """Show a text below a widget for some seconds, for instance what can be typed there."""
    QToolTip.showText(widget.mapToGlobal(widget.rect().bottomLeft()), plain_text(text), widget)


def stop_saying(text: str) -> None:
    """Hide the text of ``say_below``, if it is this one: it holds no longer."""
    if QToolTip.isVisible() and QToolTip.text() == plain_text(text):
        QToolTip.hideText()


def tool_button(text: str, tip: str = "", name: str = "") -> QToolButton:
    """Return a tool button with a text, a tool tip and, where the text is not enough, a name."""
    button = described(QToolButton(), name, tip)
    button.setText(text)
    return button


def scrolled(body: QWidget) -> QScrollArea:
    """Return a frameless area in which widgets scroll up and down where a panel is too low."""
    area = QScrollArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it scrolls into view by itself
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(body)
    return area


def add_to_bar(bar: QToolBar, widget: QWidget) -> QWidgetAction:
    """Put a widget at the end of a tool bar; return the action that shows and hides it there.

    The action is made here and not by the bar. Where Qt makes an action, PySide may still know a
    former one at the same address; when the owner of that one goes, it takes the new action for
    deleted, too.
    """
    action = QWidgetAction(bar)
    action.setDefaultWidget(widget)
    bar.addAction(action)
    return action


def labelled(text: str, field: QWidget) -> QLabel:
    """Return the label of a field: Alt and the letter after an ``&`` give the field the focus."""
    label = plain_label(text)
    label.setBuddy(field)
    return label


def put_in_tab_order(anchor: QWidget, widgets: Iterable[QWidget]) -> None:
    """Let the Tab key reach new widgets right after ``anchor``, not at the end of the window's
    order.

    If Tab does not stop at the anchor they come after the stop before it; if there is none, the
    order stays as it is.
    """
    previous_stop: QWidget | None = anchor
    while previous_stop is not None and not previous_stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
        previous_stop = next_in_focus_chain(previous_stop, forward=False)
        if previous_stop is anchor:
            return  # once round the window: no widget takes the focus
    for widget in widgets:
        if previous_stop is not None:
            QWidget.setTabOrder(previous_stop, widget)
        previous_stop = widget


def lay_out(
    box: AnyBox,
    *parts: Part,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> AnyBox:
    """Put parts into a box layout and return it; None leaves margins or spacing to the style.

    ``margins`` in logical pixels: one for all sides, or left, top, right, bottom.
    """
    if margins is not None:
        if isinstance(margins, int):
            margins = (margins, margins, margins, margins)
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, tuple):
            item: QWidget | QLayout | int = part[0]
            stretch = part[1]
        else:
            item = part
            stretch = 0  # it gets the room that it needs, and no share of the rest
        if isinstance(item, QWidget):
            box.addWidget(item, stretch)
        elif isinstance(item, QLayout):
            box.addLayout(item, stretch)
        else:
            box.addStretch(item)
    return box
