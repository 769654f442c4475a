"""The subject of ``System`` that tells what can be placed on a map, and for whom.

    for kind in battlemap.system.thing_kinds(battlemap):
    kind.title                               # "Oak", "Town", ...

The class of a game sets and overrides what is different there (``System``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from randomizer.model.planes.planes import Plane
from randomizer.model.system.system_base import AnyEdit, AnyMap, SystemBase
from randomizer.model.things.thing_rules import FREE, ThingRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.things.thing_kind import ThingKind


class ThingsAndPlayers(SystemBase):
    """The kinds of things, and what a system knows of the players to whom things belong.

    *Things* stand on cells, such as units and texts. Each has a *kind*, and may have an owner: a
    player, who is known by a number.

    Some kinds are those of a game that is installed on this computer. A job calls
    ``read_further_kinds`` to read them; before that ``lacks_game`` tells nothing.
    """

    thing_rules: ThingRules = FREE
    """The rules of where things may stand, and which carries which."""
    has_starts = False
    """True if its maps hold starts of players: then no map is made symmetric by copying."""

    def thing_kinds(self, battlemap: AnyMap) -> tuple[ThingKind, ...]:
        """Return the kinds of things that can be placed on a map."""
        return ()

    def thing_kind(self, battlemap: AnyMap, name: str) -> ThingKind | None:
        """Return the kind of a name, also of one that no map has yet; None if there is none."""
        for kind in self.thing_kinds(battlemap):
            if kind.name == name:
                return kind
        return None

    def usual_owner(self, battlemap: AnyMap, kind: str) -> int | None:
        """Return the owner of new things of a kind until a user chooses one; None if any will do.

        On maps whose players have peoples it is the first player of the kind's people.
        """
        return None

    @property
    def text_kinds(self) -> frozenset[str]:
        """The names of the kinds whose things are texts: they are never turned upside down."""
        return frozenset()

    @property
    def quick_kinds(self) -> tuple[str, ...]:
        """The names of the kinds that a right click on a cell offers to place there."""
        return ()

    def read_further_kinds(self, is_cancelled: Callable[[], bool]) -> tuple[ThingKind, ...]:
        """Return all kinds that the installed game has. It can take seconds: call it in a job.

        If no game is installed, these are the kinds that the program knows of (``lacks_game``).
        """
        return ()

    def lacks_game(self) -> bool:
        """Return whether ``read_further_kinds`` has found no installed game."""
        return False

    def countries(self, battlemap: AnyMap) -> Mapping[int, NDArray[np.intp]]:
        """Return the cells of each owner's country by the owner's number, which is 1 or more."""
        return {}

    def edit_to_keep_owners(self, battlemap: AnyMap) -> AnyEdit | None:
        """Return the ``Edit`` by which the next roll keeps the players of a map.

        It is applied when a user places things for players, whom a roll would replace. None if
        rolls do not change players.
        """
        return None

    def players_record(self, name: str, record: MapRecord) -> MapRecord | None:
        """Return the record as players get it (``players_view``); None if they do not get it.

        Records that every system can have, such as regions, are not asked for.
        """
        return None

    def pieces(self, grid: Grid, planes: Mapping[str, Plane]) -> dict[str, int]:
        """Return how many physical pieces of each name are needed to set up a map."""
        return {}
