"""The chain of widgets through which the Tab key goes."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget


def next_in_focus_chain(widget: QWidget, *, forward: bool = True) -> QWidget:
    """Return the widget after one in the focus chain of its window, or the one before it.

    PySide (6.8 to 6.11) takes the widget that is asked for the parent of the one that it returns,
    a window among them: when the first is deleted, the other's object in Python is dead although
    the widget lives. So its true parent is noted again; for Qt that changes nothing.
    """
    neighbour = widget.nextInFocusChain() if forward else widget.previousInFocusChain()
    assert neighbour is not None, "the chain is a ring"
    # The declared type knows no object without a parent; a window has none.
    QObject.setParent(neighbour, neighbour.parentWidget())  # type: ignore[arg-type]
    return neighbour
