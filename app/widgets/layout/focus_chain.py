"""The chain of widgets through which the Tab key goes."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget


def next_in_focus_chain(widget: QWidget, *, forward: bool = True) -> QWidget:
    """Return the widget after one in the focus chain of its window, or the one before it.

    PySide (6.8 to 6.11) takes the widget that is asked for the parent of the one that it returns,
    a window among them: when the first is deleted, the other's object in Python is dead although
    the widget lives. So the true parents are noted again.
    """
    if forward:
        neighbour = widget.nextInFocusChain()
    else:
        neighbour = widget.previousInFocusChain()
    assert neighbour is not None, "the chain is a ring"
    _note_parents(neighbour)
    return neighbour


def _note_parents(widget: QWidget) -> None:
    """Tell PySide the parents of a widget, up to its window. For Qt nothing changes.

    All of them: the object of a parent that Qt has made itself, such as the frame of a scroll bar,
    would be gone at once, and its children's with it, if that of its own parent did not hold it.
    """
    child = widget
    while (parent := child.parentWidget()) is not None:
        QObject.setParent(child, parent)
        child = parent
    if child is widget:
        QObject.setParent(widget, None)
