"""The slots of a game, each for one map, and the groups in which they stand.

What both are called is said by the host's ``levels``: variant and terrain (Colossus), library and
map, mod and script. The slots of a game with one level stand in a single group without a name::

    the game's directory (Game.root)
        Default             a group (variant)
            Swamp           a slot (terrain)
            Plains
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from randomizer.model.problems import Problem


@dataclass(frozen=True, slots=True)
class SlotLevel:
    """The words for one level of a game's places: for its groups, or for the slots in a group."""

    name: str
    """The game's word for one, singular, lower case."""
    new: str = ""
    """A suggested name for a new one; "" if only those can be chosen that the game has."""
    new_help: str = ""
    """A sentence on what such a name must be, and what comes of it."""

    @property
    def title(self) -> str:
        """The name as a label."""
        return self.name.capitalize()


@dataclass(frozen=True, slots=True)
class FileLocation:
    """The location of a game's file: on the disk, or the entry ``inside`` the archive ``path``."""

    path: Path
    inside: str | None = None

    @property
    def text(self) -> str:
        """The location as text: a path, or an entry and its archive."""
        if self.inside is None:
            return str(self.path)
        return f"{self.inside} in {self.path.name}"


@dataclass(frozen=True, slots=True)
class MapSlot:
    """A place for one map in a game."""

    name: str
    """The name of the slot in the game's files."""
    shown_name: str
    """The name of the slot as players see it."""
    file: FileLocation | None
    """The map file that the game would load, None if it has none."""


@dataclass(frozen=True, slots=True)
class MapGroup:
    """Slots whose maps are used together."""

    name: str
    """One component of a path; "" in a game with one level."""
    slots: tuple[MapSlot, ...]
    """In the game's order."""
    problems: tuple[Problem, ...] = ()
    """The problems of their files."""
    format: str = field(default="", kw_only=True)
    """The name of the format of its maps if it is not that of the game, else "".

    Maps in another format are opened one by one, and no map can be written into the group.
    """


def slot_words(group: str, *slots: str) -> str:
    """Return the words for slots of a group: "Variant / Plains, Swamp"; "Plains" without group."""
    parts = (group, ", ".join(slots))
    return " / ".join(part for part in parts if part)
