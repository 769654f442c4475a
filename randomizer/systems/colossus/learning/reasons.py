"""The reasons for the lines of a learned script, which stand as comments above them.

    # On average 1.5 Bog, beside lake; without it 0.31 further from the maps.
    AREA SURROUNDINGSOF((usedup)) HAZARDS Bog Bog,50.

The figure is what the line *gains*: the bits a map by which the description of the maps would be
longer without it. To people it is told as the distance from the maps.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.basics.plurals import counted, listed
from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.hex_masks import ALL
from randomizer.systems.colossus.learning.hexsides import LearnedPair
from randomizer.systems.colossus.learning.pieces import AreaList, Piece, Ref
from randomizer.systems.colossus.learning.regions import region_of
from randomizer.systems.colossus.learning.result import Reason
from randomizer.systems.colossus.learning.statement_texts import certain_elevation
from randomizer.systems.colossus.terrain_set import COLOSSUS

SMALLEST_GAIN = 0.005
"""A gain in bits a map that is written; a smaller one would be rounded to 0.00."""


_HEIGHTS_IN_WORDS = {1: "one", 2: "two"}
"""The heights of steps."""


def reason_for_piece(piece: Piece, names: Mapping[int, str]) -> Reason:
    """Return what the AREAs of a piece do, and what they gain.

    ``names`` are those of all pieces, by their numbers.
    """
    chances = [rounded(chance) for chance in piece.chances]
    number = sum(chances) * len(piece.area_list.regions)
    text = f"{number:.2g} {COLOSSUS.terrains[piece.terrain].name}"
    is_certain = all(chance == 1 for chance in chances)
    if not is_certain:
        text = f"On average {text}"
    level = certain_elevation(piece)
    if level is not None and level > 0:
        text += f", {level} high"
    positions = _positions(piece.area_list, names)
    if positions:
        text += f", {listed(positions)}"
    return Reason(piece.gain, f"{text}{_gain_text(piece.gain)}.")


def _positions(area_list: AreaList, names: Mapping[int, str]) -> list[str]:
    """Return what a comment says about the hexes of a list: "inside", "beside bog" ..."""
    positions = []
    if area_list.on:
        positions.append(f"over {_names_of(Ref(area_list.on), names, 'and')}")
    if area_list.further:
        positions.append("in three parts alike")
    elif area_list.region != ALL:
        positions.append(_region_title(area_list.region))
    positions += [f"beside {_names_of(ref, names, 'or')}" for ref in area_list.near]
    positions += [f"not beside {_names_of(ref, names, 'or')}" for ref in area_list.apart]
    return positions


def _names_of(ref: Ref, names: Mapping[int, str], conjunction: str) -> str:
    """Return the names of pieces as an enumeration; the conjunction is "and" or "or"."""
    text = listed([names[number] for number in ref.pieces], conjunction)
    if ref.is_ring:
        return f"the hexes round {text}"
    return text


def _region_title(mask: int) -> str:
    """Return where a region is, for a comment."""
    title = region_of(mask).title
    if title:
        return title
    hexes = mask.bit_count()
    if hexes == 1:
        return "on this hex"
    return f"on these {hexes} hexes"


def reason_for_pair(pair: LearnedPair) -> Reason:
    """Return on which share of the edges each hexside stands, and what the PAIR gains."""
    shares = listed([f"{letter} on {100 * share:.0f} %" for letter, share in pair.choices])
    if pair.rare_step is not None:
        height = _HEIGHTS_IN_WORDS[pair.rare_step]
        text = f"Like the other steps of {height} in the maps: {shares}."
    else:
        text = f"Of {counted(pair.edges, 'such edge')}: {shares}{_gain_text(pair.gain)}."
    return Reason(pair.gain, text)


def _gain_text(gain: float) -> str:
    """Return what a line is worth, as the end of its reason; "" if that is nothing, or next to it.

    ``gain`` is in bits a map.
    """
    if gain < SMALLEST_GAIN:
        return ""
    return f"; without it {gain:.2f} further from the maps"
