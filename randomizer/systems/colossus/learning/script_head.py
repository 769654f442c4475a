"""The head of a learned script: its title, TOWER and STARTLIST, as most of the maps have them.

    head_of_script(boards, model, "My marshes")      # ScriptHead(name="My marshes", ...)

The start list of a script is either the hexes that some of its AREAs have filled, or the same hexes
on all maps. The first is preferred, since it differs from map to map as that of the maps does.
"""

from __future__ import annotations

import numpy as np

from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.hex_masks import Masks, mask_of, masks_where, size
from randomizer.systems.colossus.learning.order_search import Model
from randomizer.systems.colossus.learning.pieces import PieceNumbers
from randomizer.systems.colossus.learning.writing import ScriptHead, StartHexes, StartPieces

_MAJORITY = 0.5
"""What more than this share of the maps has, the script has: a TOWER, a STARTLIST, a hex in it."""

_MIN_OVERLAP = 0.8
"""The share from which hexes of AREAs and of start lists count as the same.

More than this share of the hexes of an AREA must be in start lists, and more than this share of the
start lists be such hexes. If it is larger, more scripts have the same start list on all maps.
"""


def head_of_script(boards: Boards, model: Model, name: str) -> ScriptHead:
    """Return the head of the script of a model; ``name`` is its title.

    ``boards`` are the maps, of which the model can have several copies.
    """
    most_are_towers = bool(boards.tower.mean() > _MAJORITY)
    most_have_start_lists = boards.start.any(1).mean() > _MAJORITY
    start: StartPieces | StartHexes | None = None
    if most_have_start_lists:
        start = _start_list(boards, model)
    return ScriptHead(name, len(boards), most_are_towers, start)


def _start_list(boards: Boards, model: Model) -> StartPieces | StartHexes | None:
    """Return the start list of the script; None if no hex is in most of those of the maps."""
    copies = model.maps // len(boards)
    start = np.repeat(masks_where(boards.start), copies)  # the start list of each map
    pieces = _pieces_mostly_in(start, model)
    if pieces and _hex_count(model.layout.hexes_of(pieces)) > _MIN_OVERLAP * _hex_count(start):
        return StartPieces(pieces)

    mask = mask_of(np.flatnonzero(boards.start.mean(0) > _MAJORITY).tolist())
    if not mask:
        return None
    return StartHexes(mask)


def _pieces_mostly_in(start: Masks, model: Model) -> PieceNumbers:
    """Return the pieces whose hexes are mostly in the start lists ``start`` (n,) of the maps."""
    numbers = []
    for index, used in enumerate(model.layout.used):
        if _hex_count(used & start) > _MIN_OVERLAP * _hex_count(used):
            numbers.append(index)
    return tuple(numbers)


def _hex_count(masks: Masks) -> int:
    """Return the number of hexes in sets (n,) of all maps together."""
    return int(size(masks).sum())
