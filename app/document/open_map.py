"""One map that is open on the desk, with everything that belongs to having it open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.undo_history import UndoHistory
from app.render.pictures.own_pictures import know_assets_of
from app.render.viewport import Viewport
from randomizer.games import place_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.document.selection import Selection
    from app.document.undo_history import UndoStep
    from randomizer.storage.disk.known_file import KnownFile


@dataclass(frozen=True, slots=True)
class GameSource:
    """The slot of a game directory that a map came from (``games``); export goes back there."""

    game_dir: Path
    group: str
    slot: str
    is_export: bool = field(default=False, compare=False)
    """The map came from elsewhere and was only exported there: it is not named after the slot."""

    @property
    def words(self) -> str:
        """The slot in words."""
        return place_words(self.group, self.slot)


@dataclass(eq=False)
class OpenMap:
    """A map, its file, its undo steps, and how its user left it: layer, selection, view.

    ``viewport``: None while the whole map is fitted into the canvas. ``composite``: made when it is
    asked for (``MapDocument.composite``), None before. ``shown_before_solo``: ids of the layers
    that were visible before one of them was shown alone. ``known_file``: the file at ``path`` when
    it was last read or written; ``beside``: the digests of what was written beside it last, by
    file name. ``flat``: whether Save writes only what such a file can hold; None while the user has
    not been asked. ``may_lose``: the names of formats whose losses the user does not want to hear
    of again. ``picked``: the ids of the things that the user has picked, ascending.
    ``rolled``: it was rolled as a new map and not saved since. ``key``: names the map in what is
    kept for a crash, in this session and in the one that restores it. ``symmetry``: the kind and
    the centre that tools use (``ToolOptions``).
    """

    battlemap: BattleMap
    path: Path | None = None
    source: GameSource | None = None
    viewport: Viewport | None = None
    history: UndoHistory = field(default_factory=UndoHistory, repr=False)
    active_layer_id: int = field(init=False)
    selection: Selection | None = None
    picked: tuple[int, ...] = ()
    composite: Composite | None = field(default=None, repr=False)
    shown_before_solo: frozenset[int] = frozenset()
    known_file: KnownFile | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    flat: bool | None = None
    may_lose: set[str] = field(default_factory=set)
    rolled: bool = False
    key: str = field(default_factory=lambda: os.urandom(8).hex())
    symmetry: tuple[str, int | None] = ("none", None)
    untitled: int = 0

    def __post_init__(self) -> None:
        know_assets_of(self.battlemap)
        if not self.battlemap.layers:
            raise ValueError("a document's map has at least one layer")
        self.active_layer_id = self.battlemap.layers[-1].id

    @property
    def unsaved(self) -> bool:
        """True if it holds work that is in no file."""
        return self.rolled or not self.history.is_clean

    @property
    def unchanged(self) -> bool:
        """True if it has no name and is as it was opened: a new map may take its place."""
        unnamed = self.path is None and self.source is None
        return unnamed and not self.history.steps and self.history.is_clean

    @property
    def untouched(self) -> bool:
        """True if any other map may be opened in its place: it has no name and nothing to save."""
        return self.unchanged and not self.rolled

    @property
    def state(self) -> tuple[int, UndoStep | None]:
        """The undo steps that are done: equal as long as it is the same map."""
        return self.history.index, self.history.next_undo
