"""What a slot of the group gets in the export: ``SlotContent``, without widgets.

Each slot is of one ``ContentKind``. For a slot whose map is *made* from a script or a file, the
``choice`` says from what, and ``made_map`` is the result of the job that makes it::

    content = SlotContent(Choice(source, seed=17))
    content.is_pending                          # True: the job has still to run
    content.made_map = MadeMap(result, key)     # or one with problems, then it is faulty
    content.battlemap                           # what is exported
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from app.document.open_map import OpenMap
from app.features.game.group.rolls import Choice
from randomizer.formats import ReadResult
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
