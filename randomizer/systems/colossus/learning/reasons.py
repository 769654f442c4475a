"""The reasons for the lines of a learned script, which stand as comments above them.

    # On average 1.5 Bog, beside lake; without it 0.31 further from the maps.
    AREA SURROUNDINGSOF((lake)) HAZARDS Bog Bog,50.

    Of 40 such edges: c on 40 % and s on 60 %; without it 1.20 further from the maps.
    PAIR (Plains,2)(Plains,1) HEXSIDES c,40. s

A reason says what the line does, and what it *gains*. The gain is in bits a map: so much longer the
shortest description of the given maps would be if the script had not this line. A reader need not
know that; to him it is a distance between the script and the maps.

``reason_for_piece`` serves AREAs: a *piece* is an AREA as it was learned, or three with the same
hazards. ``reason_for_pair`` serves PAIRs, whose reasons only the desk shows.
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


def reason_for_piece(piece: Piece, names: Mapping[int, str]) -> Reason:
    """Return what the AREAs of a piece place, and where: "1.5 Bog, 1 high, beside lake".

    ``names`` has a name for each piece of the script, by its number: "lake".
    """
    parts = [_hazards_in_words(piece)]
    elevation = certain_elevation(piece)
    if elevation is not None and elevation > 0:
        parts.append(f"{elevation} high")
    positions = _positions_in_words(piece.area_list, names)
    if positions:
        parts.append(listed(positions))
    return Reason(piece.gain, f"{', '.join(parts)}{_gain_in_words(piece.gain)}.")


def _hazards_in_words(piece: Piece) -> str:
    """Return how many hazards a map gets: "2 Bog", or "On average 1.5 Bog" if dice decide it."""
    chances = [rounded(chance) for chance in piece.chances]  # as the script has them
    areas = len(piece.area_list.regions)
    # At most 27, one for each hex of the board: two digits always are a plain number.
    number = sum(chances) * areas
    text = f"{number:.2g} {COLOSSUS.terrains[piece.terrain].name}"
    is_certain = all(chance == 1 for chance in chances)
    if is_certain:
        return text
    return f"On average {text}"


def _positions_in_words(area_list: AreaList, names: Mapping[int, str]) -> list[str]:
    """Return what is known of the hexes of a list: ["inside", "beside bog"].

    [] if they are anywhere on the board.
    """
    positions = []
    if area_list.on:
        positions.append(f"over {_pieces_in_words(Ref(area_list.on), names, 'and')}")
    if area_list.further:
        # There is an AREA for each of three regions: one and its rotations by 120 degrees.
        positions.append("equally in three parts of the board")
    elif area_list.region != ALL:
        positions.append(_region_in_words(area_list.region))
    for ref in area_list.near:
        positions.append(f"beside {_pieces_in_words(ref, names, 'or')}")
    for ref in area_list.apart:
        positions.append(f"not beside {_pieces_in_words(ref, names, 'or')}")
    return positions


def _region_in_words(mask: int) -> str:
    """Return which part of the board a set of hexes is: "at the rim", "on these 4 hexes"."""
    title = region_of(mask).title
    if title:
        return title
    hexes = mask.bit_count()
    if hexes == 1:
        return "on this hex"
    return f"on these {hexes} hexes"


def _pieces_in_words(ref: Ref, names: Mapping[int, str], conjunction: str) -> str:
    """Return the hexes that a reference means: "bog or lake", "the hexes round bog or lake".

    ``conjunction`` stands before the last name: "and" or "or".
    """
    pieces = listed([names[number] for number in ref.pieces], conjunction)
    if ref.is_ring:
        return f"the hexes round {pieces}"
    return pieces


def reason_for_pair(pair: LearnedPair) -> Reason:
    """Return on which share of the edges each hexside stands, and where that is known from."""
    shares = listed([f"{letter} on {100 * share:.0f} %" for letter, share in pair.choices])
    if pair.step_height is not None:
        # It has hardly any edges of its own, and was not learned for what it gains.
        height = pair.step_height.name.lower()  # "one" or "two"
        text = f"Like the other steps of {height} in the maps: {shares}."
    else:
        text = f"Of {counted(pair.edges, 'such edge')}: {shares}{_gain_in_words(pair.gain)}."
    return Reason(pair.gain, text)


MIN_GAIN = 0.005
"""The smallest gain that is told, in bits a map; a smaller one would be rounded to 0.00."""


def _gain_in_words(gain: float) -> str:
    """Return the end of a reason, which tells the gain of a line in bits a map.

    It is "" if there is hardly one, or a loss: an AREA can be learned at first for what others then
    gain by it.
    """
    if gain < MIN_GAIN:
        return ""
    return f"; without it {gain:.2f} further from the maps"
