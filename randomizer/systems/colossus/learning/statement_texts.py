"""The texts of single statements of a learned script: hazards, PAIRs, the title.

hazard_texts(piece)          # ["Bog", "Bog,50."]
pair_text(pair)              # "PAIR (Bog,1)(Plains,0) HEXSIDES s,25."
"""

from __future__ import annotations

import re
from unicodedata import normalize

from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.hexsides import LearnedPair, PairHex
from randomizer.systems.colossus.learning.pieces import Piece
from randomizer.systems.colossus.terrain_set import COLOSSUS

CERTAIN_ELEVATION = 0.995
"""From this chance on, all hazards of an AREA have one elevation without dice.

The odds are rounded to whole percents before, so this means 100 %, up to errors of rounding. If it
were smaller, elevations that some maps have would be left out.
"""

CERTAIN_HEXSIDE = 0.99
"""From this chance on, a hexside of a PAIR comes always; below it the script has its percentage."""

MIN_CHANCE = 0.01
"""The chance that the first hexside of a PAIR has at least. Rarer ones behind it are left out.

It is the smallest that scripts are written with. A PAIR without hexsides would be an error; if this
is larger, rare hexsides come more often than on the given maps.
"""

_MIN_SHARE = 1e-6
"""Stands for a share of 0 that is left for further hexsides of a PAIR, in a division."""


def title_text(name: str) -> str:
    """Return a name by the letters and signs that a title may have: Mühle becomes Muhle."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^A-Za-z0-9._!?;,:/+=]+", " ", plain).strip() or "Learned"


def hazard_texts(piece: Piece) -> list[str]:
    """Return the hazards of an AREA: ``Bog``, ``Bog,50.``, ``Bog,1`` or ``Bog,50.,80.,15.,5.``.

    A hazard is NAME [, CHANCE in percent [, ODDS of elevation 0, of 1, of 2]] [, ELEVATION].
    """
    name = COLOSSUS.terrains[piece.terrain].name
    odds = _rounded_odds(piece)
    elevation = certain_elevation(piece)
    hazards = []
    for exact_chance in piece.chances:
        chance = rounded(exact_chance)
        hazard = name
        # Odds of elevations always stand behind a chance, even one of 100 %.
        if chance < 1 or elevation is None:
            hazard += f",{_percent(chance)}"
        if elevation is None:
            hazard += "".join(f",{_percent(value)}" for value in odds)
        elif elevation > 0:
            hazard += f",{elevation}"
        hazards.append(hazard)
    return hazards


def certain_elevation(piece: Piece) -> int | None:
    """Return the elevation of all hazards of a piece, None if dice decide it."""
    for elevation, chance in enumerate(_rounded_odds(piece)):
        if chance > CERTAIN_ELEVATION:
            return elevation
    return None


def _rounded_odds(piece: Piece) -> list[float]:
    """Return the rounded odds of the elevations 0, 1 and 2, which sum to 1."""
    odds = [rounded(chance) for chance in piece.elevation_odds]
    # What is rounded away is given to the most frequent one, which it changes least.
    most_frequent = odds.index(max(odds))
    odds[most_frequent] += 1 - sum(odds)
    return odds


def _percent(chance: float) -> str:
    """Return a chance as the language writes it: in percent, and always with a point."""
    text = f"{100 * chance:.4g}"
    if "." in text:
        return text
    return f"{text}."


def pair_text(pair: LearnedPair) -> str:
    """Return the PAIR; each of its hexsides is drawn only if those before it did not come.

    So a hexside on 25 % of the edges behind one on 50 % is written as ``d,50. c,50.``.
    """
    remaining_share = 1.0
    hexsides: list[str] = []
    for letter, share in pair.choices:
        chance = min(rounded(share / max(remaining_share, _MIN_SHARE)), 1.0)
        remaining_share -= share
        if not hexsides:
            chance = max(chance, MIN_CHANCE)
        if chance >= CERTAIN_HEXSIDE:
            hexsides.append(letter)
            break  # what follows never comes
        if chance:
            hexsides.append(f"{letter},{_percent(chance)}")
    return f"PAIR {_pair_hex(pair.owner)}{_pair_hex(pair.neighbour)} HEXSIDES {' '.join(hexsides)}"


def _pair_hex(pair_hex: PairHex) -> str:
    """Return a hex of a PAIR: ``(Bog,1)``, or ``(Bog,*)`` of any elevation."""
    elevation = "*"
    if pair_hex.elevation is not None:
        elevation = str(pair_hex.elevation)
    return f"({COLOSSUS.terrains[pair_hex.terrain].name},{elevation})"
