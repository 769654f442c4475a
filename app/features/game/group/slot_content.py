"""What a slot of the group gets in the export: ``SlotContent``, without widgets.

Each slot is of one ``ContentKind``. For a slot whose map is *made* from a script or a file, the
``choice`` says from what, and ``made_map`` is the result of the job that makes it::

    content = SlotContent(Choice("catalogue:hills", seed=17))
    content.is_pending                          # True: the job has still to run
    content.made_map = MadeMap(result, key)     # or one with problems, then it is faulty
    content.battlemap                           # what is exported
    content.roll_next()                         # another number: it is pending again

Whatever changes the choice drops the map that was made of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from app.document.open_map import OpenMap
from app.features.game.group.rolls import FILE, Choice
from randomizer.formats.results import ReadResult
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import has_errors


class ContentKind(Enum):
    """The kinds of maps that a slot can get."""

    OPEN_MAP = auto()
    """A map that is open in a tab, as it is edited."""

    MADE = auto()
    """What a script rolls, or the map in a file."""

    KEPT = auto()
    """The map that the game has: the export does not touch the slot."""


@dataclass(frozen=True, slots=True)
class MadeMap:
    """The result of rolling or reading the map of a slot."""

    result: ReadResult
    """The map, None with the problems that prevent it; or the map with its problems."""

    key: str
    """The key of its thumbnail: another one for each map that is made."""


@dataclass
class SlotContent:
    """What one slot gets."""

    choice: Choice
    """The source of the map that is made, and the seed and number of its roll.

    While the slot gets an open map it is what the slot had before, and gets again if that map is
    closed.
    """

    tab: OpenMap | None = None
    """The open map, in a tab of the desk, that the slot gets in place of that of ``choice``.

    None for none."""

    made_map: MadeMap | None = None
    """The map of ``choice``; None until it is made, and when the choice was changed since."""

    # --- changes ----------------------------------------------------------------------------

    def choose_source(self, source: str) -> None:
        """Take the map of another source from now on, in place of an open map, too."""
        self.tab = None
        self.choice = self.choice._replace(source=source, locked=False)
        self.made_map = None

    def choose_key(self, seed: int, number: int) -> None:
        """Take the map with another seed and number of the source."""
        self.choice = self.choice._replace(seed=seed, number=number)
        self.made_map = None

    def roll_next(self) -> None:
        """Take the map with the next number of the seed; behind the last number comes 0."""
        self.choose_key(self.choice.seed, (self.choice.number + 1) % NUMBER_LIMIT)

    def lock(self, is_locked: bool) -> None:
        """Lock the roll, or unlock it: a locked one stays when all slots are rolled again."""
        self.choice = self.choice._replace(locked=is_locked)

    def take_tab(self, open_map: OpenMap) -> None:
        """Take an open map; the choice stays for the time when it is closed."""
        self.tab = open_map
        self.made_map = None

    def leave_tab(self) -> None:
        """Take the file of the open map, which was closed; without a file the former choice."""
        self.choice = self.choice_to_remember
        self.tab = None
        self.made_map = None

    # --- what the slot gets -----------------------------------------------------------------

    @property
    def choice_to_remember(self) -> Choice:
        """The choice with which the slot begins the next time.

        Of an open map its file is remembered; of one that was never saved, the former choice is.
        """
        if self.tab is None or self.tab.path is None:
            return self.choice
        return self.choice._replace(source=FILE + str(self.tab.path), locked=False)

    @property
    def kind(self) -> ContentKind:
        """The kind of map that the slot gets."""
        if self.tab is not None:
            return ContentKind.OPEN_MAP
        if self.choice.source:
            return ContentKind.MADE
        return ContentKind.KEPT

    @property
    def is_pending(self) -> bool:
        """True if the map of the choice is still to be made."""
        return self.kind is ContentKind.MADE and self.made_map is None

    @property
    def battlemap(self) -> BattleMap | None:
        """The new map of the slot, None where there is none."""
        if self.tab is not None:
            return self.tab.battlemap
        if self.made_map is not None:
            return self.made_map.result.battlemap
        return None

    @property
    def is_faulty(self) -> bool:
        """True if the map of the choice cannot be made, or has errors."""
        if self.kind is ContentKind.OPEN_MAP or self.made_map is None:
            return False
        result = self.made_map.result
        return result.battlemap is None or has_errors(result.problems)

    @property
    def is_rolled(self) -> bool:
        """True if the slot gets what a script rolls."""
        return self.kind is ContentKind.MADE and self.choice.is_rolled

    @property
    def can_reroll(self) -> bool:
        """True if a roll gives another map: one is rolled, and is not locked."""
        return self.is_rolled and not self.choice.locked
