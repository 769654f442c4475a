"""The layout of dialogs: the middle scrolls on a small screen, the buttons stay in sight.

    +--------------------+
    | heading          ^ |    the *middle*: scrolls if the screen is too low for it
    | list             v |
    +--------------------+
    | status             |    the *foot*: always in sight
    | [OK] [Cancel]      |
    +--------------------+

The constructors of dialogs call ``lay_out_dialog``::

    foot = (self.status, self.buttons)
    lay_out_dialog(self, heading, (self.list, 1), foot=foot, size=QSize(700, 380))
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.qt_guard import guarded
from app.widgets.layout.builders import Part, lay_out

FRAME = QSize(8, 40)
"""The most room that the system's frame around a window takes, in logical pixels."""

MIN_MIDDLE = QSize(600, 110)
"""The size below which a middle does not shrink, in logical pixels, if it needs as much.

A middle that needs more can be smaller than it needs, and scrolls then.
"""


def bounded_by_screen(size: QSize, window: QWidget) -> QSize:
    """Return the size, or as much of it as the screen has room for with a frame around it."""
    # A dialog comes up on the screen of its parent.
    screen = (window.parentWidget() or window).screen()
    return size.boundedTo(screen.availableSize() - FRAME)


def resize_on_screen(dialog: QDialog, size: QSize) -> None:
    """Give a dialog a size, as far as the screen has room.

    If its foot would lie below the screen then, the dialog is moved up.
    """
    dialog.resize(bounded_by_screen(size, dialog))
    screen = dialog.screen().availableGeometry()
    hidden_height = dialog.frameGeometry().bottom() - screen.bottom()
    if hidden_height > 0:
        dialog.move(dialog.x(), max(screen.top(), dialog.y() - hidden_height))


def lay_out_dialog(
    dialog: QDialog, *middle: Part, foot: Sequence[Part], size: QSize | None = None
) -> QVBoxLayout:
    """Put ``middle`` into an area that scrolls where it lacks the room, and ``foot`` below it.

    The dialog opens at ``size``; None stands for the size that its widgets like to have. It is
    never larger than the screen. Returns the layout of the middle.
    """
    body = _Body()
    lay_out(body.column, *middle, margins=0)
    lay_out(QVBoxLayout(dialog), (_Middle(dialog, body), 1), *foot)
    if size is not None:
        dialog.resize(bounded_by_screen(size, dialog))
    return body.column


class _Body(QWidget):
    """The scrolling middle of a dialog."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        """The layout of the widgets in the middle."""

    @guarded(default=0)
    def heightForWidth(self, width: int) -> int:
        """Return the least height of the body at this width.

        QScrollArea scrolls below the height that this returns. By default that is the height which
        the widgets like best; but lists and maps are to shrink before anything scrolls.
        """
        if self.column.hasHeightForWidth():
            return self.column.minimumHeightForWidth(width)
        return self.minimumSizeHint().height()


class _Middle(QScrollArea):
    """The middle of a dialog; the dialog grows with it, as far as the screen has room."""

    def __init__(self, dialog: QDialog, body: _Body) -> None:
        super().__init__()
        self._dialog = dialog
        self._body = body
        self._needed_height = 0
        """The height that the body needs at its width, in logical pixels."""
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it scrolls into view by itself
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(body)
        dialog.installEventFilter(self)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the size at which nothing scrolls. (Qt's own hint ends at 24 lines.)"""
        return self._body.sizeHint()

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """Return what the body needs, but no more than ``MIN_MIDDLE``."""
        needed = self._body.minimumSizeHint()
        if needed.height() > MIN_MIDDLE.height():
            needed += QSize(self.verticalScrollBar().sizeHint().width(), 0)
        return needed.boundedTo(MIN_MIDDLE)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Before the dialog is seen, fit it to the screen and give its buttons letters."""
        # A spontaneous event is one of the system, such as for a dialog that was minimised.
        if watched is self._dialog and event.type() == QEvent.Type.Show and not event.spontaneous():
            from app.widgets.layout.dialog_letters import give_letters  # the main window has none

            give_letters(self._dialog)
            self._fit_dialog()
        return super().eventFilter(watched, event)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Note the height that the body needs now: the dialog does not grow for another width."""
        self._choose_scroll_bar()  # first, as a bar makes the viewport narrower
        super().resizeEvent(event)
        self._needed_height = self._body.heightForWidth(self.viewport().width())

    @guarded(default=False)
    def viewportEvent(self, event: QEvent) -> bool:
        """Let the dialog grow where the body may need another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._choose_scroll_bar()
            self._grow_dialog()
        return super().viewportEvent(event)

    def _choose_scroll_bar(self) -> None:
        """Show no scroll bar where the body has room without one.

        A bar that Qt once showed narrows the rows, which wrap, become higher, and so need the bar.
        """
        if self._body.heightForWidth(self.width()) <= self.height():
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        else:
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)

    def _fit_dialog(self) -> None:
        """Give the dialog the size that was chosen for it, or that its widgets like to have."""
        dialog = self._dialog
        size = dialog.size()
        has_chosen_size = dialog.testAttribute(Qt.WidgetAttribute.WA_Resized)
        if not has_chosen_size:
            # Qt opens it at two thirds of the screen at most.
            size = size.expandedTo(dialog.sizeHint())
        resize_on_screen(dialog, size)

    def _grow_dialog(self) -> None:
        """Make the dialog higher for widgets that have appeared in the body.

        It grows by what the body needs newly, but not by more than is missing. For example the user
        has made the dialog lower, so that 40 of 100 pixels are scrolled. A row of 20 appears: the
        dialog grows by 20, and 40 are scrolled as before. If all was seen with 15 to spare, it
        grows by 5.
        """
        height = self._body.heightForWidth(self.viewport().width())
        newly_needed = height - self._needed_height
        missing = height - self.viewport().height()
        growth = min(newly_needed, missing)
        self._needed_height = height
        if growth > 0 and self._dialog.isVisible():
            resize_on_screen(self._dialog, self._dialog.size() + QSize(0, growth))
