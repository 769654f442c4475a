"""How things stand on the maps of a system: where they may, and which carries which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from randomizer.model.things.things import Thing


class Settled(NamedTuple):
    """Things as they stand after they were placed or moved, in the order in which they were given.

    ``words``: what the game would mind about it, a note for the user; "" for nothing.
    """

    things: Sequence[Thing]
    words: str = ""


@dataclass(frozen=True)
class ThingRules:
    """The rules for all things of a system.

    ``in_cells``: each stands at the centre of a cell. ``turn``: they look into a direction.
    ``label`` and ``owner`` are the titles of these fields in a form.

    ``carrier`` is the name of the entry of ``Thing.state`` that holds the id of the thing that
    carries this one; "" if things carry no others. See ``randomizer.model.map.carriers``.
    ``file_entry`` is the name of the entry that says how a file had the thing, "" if there is none:
    copies lose it, comparisons leave it out.

    ``why_not(battlemap, cell)`` says in words why no thing can stand on a cell, "" if one can.
    ``settled(battlemap, things)`` gives things, whose places are new, as they stand there: loaded
    into what carries them. Those that are not on the map yet have ids that are not positive.
    """

    in_cells: bool = False
    turn: bool = True
    label: str = "Label"
    owner: str = "Owner"
    carrier: str = ""
    file_entry: str = ""
    why_not: Callable[[Any, int], str] = lambda _battlemap, _cell: ""
    settled: Callable[[Any, Sequence[Thing]], Settled] = lambda _battlemap, things: Settled(things)


FREE = ThingRules()
"""Things stand wherever they are put, and none carries another."""
