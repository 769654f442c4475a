"""The base of all subjects of ``System``: what a system is called, and what it overrides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

AnyMap = Any
"""A ``BattleMap``; in subclasses the annotation is that name.

Here it cannot be: maps know their systems, so the module of maps imports this one.
"""

AnyEdit = Any
"""An ``Edit``, which changes a map; what is said of ``AnyMap`` is true of it, too."""


class SystemBase:
    """What a system is called, and what its game is."""

    name: str
    """Its name in files and on the command line, in lower case."""
    title: str
    """Its name for people: one of its maps, such as "Chess board"."""
    title_in_lists = ""
    """The title where a person chooses a kind of map; "" if ``title`` says enough there."""
    terrain_noun = "hazard"
    """The game's word for a terrain."""
    loading_game = ""
    """The title of the game, if it can load each map of which ``check`` returns no warning.

    "" where the checks do not promise that.
    """

    @property
    def noun(self) -> str:
        """The title as it is written inside a sentence; ``title`` where it begins with a name."""
        return self.title.lower()

    @final
    def offers(self, method: Callable[..., object]) -> bool:
        """Return whether the system overrides a method, such as ``System.explain``.

        A command that needs the method is shown only if so: the default does nothing.
        """
        return getattr(type(self), method.__name__) is not method
