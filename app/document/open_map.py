"""One map that is open on the desk, with its file, its undo steps and its view.

``MapDocument`` has a list of them, one of which is the current one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.document.undo_history import UndoHistory
from app.render.pictures.own_pictures import register_assets_of
from app.render.viewport import Viewport
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.document.selection import Selection
    from app.document.undo_history import UndoStep
    from randomizer.storage.disk.known_file import KnownFile


KEY_BYTES = 8
"""The random bytes of ``OpenMap.key``: so many that two maps never get the same ones."""


class FlatFile(Enum):
    """The user's answer to whether a flat file is enough for a map; a journal stores the values.

    A flat file holds one layer: what the visible layers show together.
    """

    UNDECIDED = None
    """The user was not asked."""

    ACCEPTED = True
    """Save writes a flat file, even if layers, rolls or locks are lost."""

    DECLINED = False
    """The user wants a project, or has saved the map as one."""


@dataclass(frozen=True, slots=True)
class GameSource:
    """The slot of a game directory that a map came from; by default it is exported back there."""

    game_dir: Path
    """The directory in which the game is installed."""

    group: str
    """The name of the group of slots, such as a variant, see ``randomizer.games.slots``."""

    slot: str
    """The name of the slot in its group."""

    is_export: bool = field(default=False, compare=False)
    """True if the map was only exported there: then it is not named after the slot."""

    @property
    def words(self) -> str:
        """The slot as text."""
        from randomizer.games.slots import slot_words

        return slot_words(self.group, self.slot)


class MapState(NamedTuple):
    """A state of the content of a map; equal ones of one map have the same content."""

    done_count: int
    """The number of undo steps that are done."""

    last_step: UndoStep | None
    """The last step that is done; None if none is."""

    edit_count: int
    """How many edits that step has had (``UndoStep.edit_count``); 0 without a step."""


class SymmetryChoice(NamedTuple):
    """The symmetry that the user has chosen for tools, see ``ToolOptions``."""

    kind: str
    """The name of its kind, "none" for no symmetry."""

    centre: int | None
    """The cell that is its centre; None for the middle of the map."""


NO_SYMMETRY = SymmetryChoice("none", None)


@dataclass(eq=False)
class OpenMap:
    """An open map; the layer, the selection and the view are as its user has left them."""

    battlemap: BattleMap
    """What is shown and edited."""

    path: Path | None = None
    """Its file; None if it has none."""

    source: GameSource | None = None
    """The slot of a game that it came from or was exported to last; None for none."""

    viewport: Viewport | None = None
    """The part of the map that is shown; None while the whole map is fitted into the canvas."""

    history: UndoHistory = field(default_factory=UndoHistory, repr=False)
    """Its undo steps."""

    active_layer_id: int = field(init=False)
    """The id of the layer that tools paint into; at first the topmost."""

    selection: Selection | None = None
    """The selected cells; None for none."""

    picked: tuple[int, ...] = ()
    """The ids of the things that the user has picked, ascending."""

    composite: Composite | None = field(default=None, repr=False)
    """The values that the visible layers show; None until ``live_composite`` makes it."""

    shown_before_solo: frozenset[int] = frozenset()
    """The ids of the layers that were visible before one of them was shown alone."""

    known_file: KnownFile | None = None
    """The state of the file at ``path`` when it was last read or written."""

    beside: Mapping[str, str] = field(default_factory=dict)
    """The digests of the files that were written in its folder with it last, by file name."""

    flat_file: FlatFile = FlatFile.UNDECIDED
    """Whether Save writes a flat file even if layers, rolls or locks are lost."""

    exported_as: str = ""
    """The name of the format in which a copy of it was exported last; "" for none."""

    exported_state: MapState | None = None
    """Its ``state`` when a copy of it was exported last; None if none was."""

    may_lose: set[str] = field(default_factory=set)
    """The names of the formats about whose losses the user has asked not to be told again."""

    backup_of: str = ""
    """The name of the file of which it is a backup, for a name while it has no file of its own."""

    rolled: bool = False
    """True if it was rolled as a new map and not saved since."""

    key: str = field(default_factory=lambda: os.urandom(KEY_BYTES).hex())
    """Identifies the map in journals and drafts, in this session and in one that restores it."""

    symmetry: SymmetryChoice = NO_SYMMETRY
    """The symmetry that tools use."""

    numbered_name: str = ""
    """The name that it had last while it had no file, without a number; "" if it had none yet."""

    name_number: int = 0
    """Its number among the maps with that name, as in "Untitled 2"; 0 while it has none."""

    def __post_init__(self) -> None:
        register_assets_of(self.battlemap)  # so that its own pictures of terrains can be drawn
        if not self.battlemap.layers:
            raise ValueError("a document's map has at least one layer")
        self.active_layer_id = self.battlemap.layers[-1].id

    def live_composite(self) -> Composite:
        """Return what the visible layers show. Later edits change it; a ``copy()`` of it stays."""
        if self.composite is None:
            self.composite = self.battlemap.composite(live=True)
        return self.composite

    # What there is to lose, from the least to the most:
    #
    #     unchanged     no file and no source, and no step was made since it was opened or rolled
    #     untouched     ... and it was not rolled: nobody misses it
    #     holds_work    not untouched, and not empty
    #     unsaved       no file has it as it is now

    @property
    def unsaved(self) -> bool:
        """True if its content is in no file: it was rolled, or changed since it was saved."""
        return self.rolled or not self.history.is_clean

    @property
    def unchanged(self) -> bool:
        """True if it has no file and no source, and is as it was opened or rolled."""
        is_unnamed = self.path is None and self.source is None
        has_no_changes = not self.history.steps and self.history.is_clean
        return is_unnamed and has_no_changes

    @property
    def untouched(self) -> bool:
        """True if it is unchanged and was not rolled: another map may be opened in its place."""
        return self.unchanged and not self.rolled

    @property
    def holds_work(self) -> bool:
        """True if it holds something that was painted, placed, rolled or opened from a file."""
        return not self.untouched and not self.battlemap.is_blank()

    @property
    def is_exported(self) -> bool:
        """True if it is as it was when a copy of it was exported last."""
        return self.exported_state == self.state

    @property
    def state(self) -> MapState:
        """The state of its content now."""
        last_step = self.history.next_undo
        edit_count = 0
        if last_step is not None:
            edit_count = last_step.edit_count
        return MapState(self.history.index, last_step, edit_count)
