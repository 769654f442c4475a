"""The rules by which things stand on the maps of a system: where they may, and what carries them.

``System.thing_rules`` has them; tools that place and move things, forms and comparisons ask them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from randomizer.model.things.things import Thing


class Settled(NamedTuple):
    """Things after they were placed or moved."""

    things: Sequence[Thing]
    """In the order in which they were given."""

    words: str = ""
    """A note for the user on what the game would mind about it; "" for nothing."""


def _stands_anywhere(_battlemap: Any, _cell: int) -> str:
    """Return "": the default of ``ThingRules.why_not``, for things that can be on any cell."""
    return ""


def _stays_as_it_is(_battlemap: Any, things: Sequence[Thing]) -> Settled:
    """Return the things unchanged: the default of ``ThingRules.settled``."""
    return Settled(things)


@dataclass(frozen=True)
class ThingRules:
    """The rules for all things of a system."""

    in_cells: bool = False
    """True if a thing is always at the centre of a cell."""

    turn: bool = True
    """True if things look into a direction, so that they can be turned."""

    label: str = "Label"
    """The title of the row for ``Thing.label`` in a form."""

    owner: str = "Owner"
    """The title of the row for ``Thing.owner`` in a form."""

    carrier: str = ""
    """The name of the entry of ``Thing.state`` with the id of the thing that carries this one.

    "" if things carry no others. See ``model/map/carriers.py``.
    """

    file_entry: str = ""
    """The name of the entry of ``Thing.state`` that says how a file had the thing; "" for none.

    Copies lose it, and comparisons leave it out.
    """

    why_not: Callable[[Any, int], str] = _stands_anywhere
    """``why_not(battlemap, cell)`` returns in words why no thing can stand on a cell.

    It returns "" if one can.
    """

    settled: Callable[[Any, Sequence[Thing]], Settled] = _stays_as_it_is
    """``settled(battlemap, things)`` arranges things that come to new positions, as the game would.

    For example an army that comes to the cell of a ship is loaded into it. Things that are not on
    the map yet have ids that are not positive. (``battlemap`` is a BattleMap, which imports this.)
    """


FREE = ThingRules()
"""The rules of most systems: things stand wherever they are put, and none carries another."""
