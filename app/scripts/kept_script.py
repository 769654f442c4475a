"""A script as it is shown, or kept while another map, with another script, is in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import ref

from app.document.undo_history import UndoHistory, UndoStep
from app.scripts.shown_script import ShownScript


class Home(NamedTuple):
    """The script that a text comes from when ``start`` undo steps are done, or more.

    ``step`` is the last of these steps (None: there is none): once another one has taken its place,
    the home is gone. It is a weak reference, since a step that is gone lets its edit go.
    """

    start: int
    step: ref[UndoStep] | None
    script: ShownScript

    def holds(self, history: UndoHistory) -> bool:
        """Whether the text comes from here now."""
        step = self.step and self.step()
        return self.start <= history.index and step is last_step(history, self.start)


def last_step(history: UndoHistory, count: int) -> UndoStep | None:
    """The last one of the first ``count`` steps; None for the state before all steps."""
    return history.steps[count - 1] if count else None


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

    def home_now(self, history: UndoHistory) -> ShownScript:
        """The script that the text comes from after the steps that are done."""
        fitting = [home.script for home in self.homes if home.holds(history)]
        return fitting[-1] if fitting else self.script

    def move_home(self, history: UndoHistory, script: ShownScript) -> None:
        """From the steps on that are done now the text comes from this script."""
        index = history.index
        before = [home for home in self.homes if home.start < index]
        self.homes = before or [Home(0, None, self.script)]
        step = history.next_undo
        self.homes.append(Home(index, None if step is None else ref(step), script))
