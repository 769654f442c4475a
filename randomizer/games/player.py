"""Starting a game on one map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from randomizer.model.map.battlemap import BattleMap


@dataclass(frozen=True, slots=True)
class Launch:
    """A game that is about to play a map."""

    command: tuple[str, ...]
    """The command that is run in the scratch folder."""
    program: str
    """The name of the program that is started, for people."""
    summary: str
    """A sentence on what the player will see."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that replace those of this program's environment."""


class Player:
    """Lets the game of a host play a map; what the game writes goes into a scratch folder.

    ``path`` is always what the player has chosen for ``GameHost.open_game``, None for nothing.
    """

    def why_not(self, path: Path | None) -> str:
        """Return why the game cannot be started, "" if it can; at once."""
        raise NotImplementedError

    def prepare(self, battlemap: BattleMap, path: Path | None, scratch: Path) -> Launch:
        """Write what the game needs into an empty folder. Raises ProblemError."""
        raise NotImplementedError
