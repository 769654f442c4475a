"""The plan of an export into a game, which a person sees before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from randomizer.games.slots import slot_words
from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that an export would write."""

    path: Path
    data: bytes
    old: bytes | None
    """The present contents of the file, None for a new file."""
    noun: str
    """A noun for the file, such as "the map"."""

    @property
    def overwrites(self) -> bool:
        """True if different contents are replaced (and backed up)."""
        return self.old is not None and self.old != self.data

    @property
    def action(self) -> str:
        """What the export does with the file, as a verb: "replaces", "keeps" or "writes"."""
        if self.overwrites:
            return "replaces"
        if self.old is None:
            return "writes"
        return "keeps"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """The plan of an export, which a person sees before anything is written."""

    root: Path
    """The game's directory."""
    group: str
    slots: tuple[str, ...]
    new_group: bool
    """True if the game does not have the group yet."""
    files: tuple[PlannedFile, ...]
    notes: tuple[str, ...]
    """Sentences on what will happen."""
    problems: tuple[Problem, ...]
    """Those of the map and of the export. A plan with an error is never carried out."""
    how_to_play: str
    """A sentence on how the player gets to see the map in the game; "" if that needs nothing."""

    @property
    def target(self) -> str:
        """The target of the export as text: its slot, or of several slots their group."""
        if len(self.slots) == 1:
            return slot_words(self.group, *self.slots)
        return self.group

    @property
    def changes_anything(self) -> bool:
        """True if the export would change any file."""
        return any(file.old != file.data for file in self.files)

    def sentences(self) -> tuple[str, ...]:
        """Return the plan in sentences, without its problems: one for each file, then the notes."""
        lines = []
        for file in self.files:
            size = f"{len(file.data):,} bytes"
            lines.append(f"{file.action} {file.path} ({file.noun}, {size})")
        return (*lines, *self.notes)
