"""A script as it is shown, or kept while another map, with another script, is in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import ref

from PySide6.QtGui import QUndoCommand, QUndoStack

from app.scripts.shown_script import ShownScript


class Home(NamedTuple):
    """The script that a text comes from when ``start`` undo steps are done, or more.

    ``step`` is the last of these steps (None: there is none): once another one has taken its place,
    the home is gone. It is a weak reference, since a step holds the map that has this script.
    """

    start: int
    step: ref[QUndoCommand] | None
    script: ShownScript

    def holds(self, stack: QUndoStack) -> bool:
        """Whether the text comes from here now."""
        step = self.step and self.step()
        return self.start <= stack.index() and step is last_step(stack, self.start)


def last_step(stack: QUndoStack, count: int) -> QUndoCommand | None:
    """The last one of the first ``count`` steps; None for the state before all steps."""
    return stack.command(count - 1) if count else None


@dataclass(eq=False)
class KeptScript:
    """A script with what was done to it. Open maps may share one: it is compared by identity.

    ``text``, ``modified`` (unsaved edits) and ``settings`` are up to date while another is shown.
    ``homes`` are used for a script that its map holds: the script as it was opened or saved, from
    each such step on, so that undo brings its name and file back with its text.
    """

    script: ShownScript
    text: str
    modified: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    homes: list[Home] = field(default_factory=list)

    def home_now(self, stack: QUndoStack) -> ShownScript:
        """The script that the text comes from after the steps that are done."""
        fitting = [home.script for home in self.homes if home.holds(stack)]
        return fitting[-1] if fitting else self.script

    def move_home(self, stack: QUndoStack, script: ShownScript) -> None:
        """From the steps on that are done now the text comes from this script."""
        index = stack.index()
        before = [home for home in self.homes if home.start < index]
        self.homes = before or [Home(0, None, self.script)]
        step = last_step(stack, index)
        self.homes.append(Home(index, None if step is None else ref(step), script))
