"""A script as it is shown, or kept while another map, with another script, is in front."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.scripts.shown_script import ShownScript


@dataclass(eq=False)
class KeptScript:
    """A script with what was done to it. Open maps may share one: it is compared by identity.

    ``text``, ``modified`` (unsaved edits) and ``settings`` are up to date while another is shown.
    ``homes`` are used for a script that its map holds: from each number of done undo steps on, the
    script as it was opened or saved, so that undo brings its name and file back with its text.
    """

    script: ShownScript
    text: str
    modified: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    homes: list[tuple[int, ShownScript]] = field(default_factory=list)

    def home_at(self, index: int) -> ShownScript:
        """The script that the text comes from when ``index`` undo steps are done."""
        fitting = [script for start, script in self.homes if start <= index]
        return fitting[-1] if fitting else self.script

    def move_home(self, index: int, script: ShownScript) -> None:
        """From ``index`` done undo steps on the text comes from this script."""
        self.homes = [each for each in self.homes if each[0] < index] or [(0, self.script)]
        self.homes.append((index, script))
