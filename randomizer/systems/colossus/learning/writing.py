"""Writes learned pieces as a script: labels, AREAs, PAIRs, and comments with the figures.

``write_script`` is called by ``learner``. A piece with its comment becomes for instance::

    # On average 1.5 Bog, beside lake; without it 0.31 further from the maps.
    AREA SURROUNDINGSOF((usedup)) HAZARDS Bog Bog,50.
    LABEL bog = (usedup)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from randomizer.model.basics.plurals import counted, listed
from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.hex_masks import ALL
from randomizer.systems.colossus.learning.hexsides import STAR, Hex, LearnedPair
from randomizer.systems.colossus.learning.pieces import AreaList, Piece, PieceNumbers, Ref
from randomizer.systems.colossus.learning.regions import region_of
from randomizer.systems.colossus.learning.result import Reason
from randomizer.systems.colossus.terrain_set import COLOSSUS

FEWEST_UNITED = 3
"""So many pieces that a list names together get a label; fewer stand in the list itself."""

LONGEST_REPEATED_LIST = 11
"""A region with a longer text gets a label if several lists use it; ``A1 A2 A3 B3`` has 11."""

MOSTLY_ELEVATED = 0.5
"""Pieces that are elevated more often than this are named for it: "crest", "heights"."""

CERTAIN_LEVEL = 0.995
"""From this chance on, all hazards of an AREA have one elevation without dice."""

CERTAIN_HEXSIDE = 0.99
"""From this chance on, a hexside of a PAIR comes always."""

SMALLEST_GAIN = 0.005
"""A gain in bits a map that is written; a smaller one would be rounded to 0.00."""

_START_LIST_USER = -1
"""Among the numbers of the pieces that use a piece: the start list uses it."""


@dataclass(frozen=True, slots=True)
class WrittenScript:
    """The text of a learned script."""

    text: str

    reasons: Mapping[int, Reason]
    """The reason for each AREA and PAIR, by its line from 1."""

    statements: int
    """The number of AREAs, LABELs and PAIRs."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The pieces of one kind of hexes."""

    summary: str
    """A sentence that tells how often the kind comes: a comment above its pieces."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a script beside its hexes."""

    name: str
    """The title; letters that a title cannot have are replaced."""

    maps: int
    """The number of maps that the script is learned from."""

    tower: bool = False

    start: PieceNumbers = ()
    """The pieces whose hexes are the start list."""

    start_hexes: int = 0
    """The set of hexes that is the start list where there is no such piece; 0: no start list."""


def write_script(
    frame: Frame, layers: Sequence[Layer], pairs: Sequence[LearnedPair]
) -> WrittenScript:
    """Return the script of the layers in their order, with the PAIRs behind them."""
    return _Writer(frame, layers).write(pairs)


class _Writer:
    """Writes the script of some layers.

    A label stands before the lists that use it, and only what is used gets one. So all lists are
    composed twice: the first time only to note what they use, the second time to be written.
    """

    def __init__(self, frame: Frame, layers: Sequence[Layer]) -> None:
        self._frame = frame
        self._layers = layers
        self._lines: list[str] = []
        self._reasons: dict[int, Reason] = {}
        self._pieces: dict[int, Piece] = {}
        for layer in layers:
            for piece in layer.pieces:
                self._pieces[piece.number] = piece
        self._numbers = sorted(self._pieces)
        """The numbers of the pieces in the order of their AREAs."""
        self._names = self._piece_names()
        # Pieces that place nothing are left out of the layers, but not of the frame.
        self._start = tuple(number for number in frame.start if number in self._pieces)

        self._users: dict[int, set[int]] = {number: set() for number in self._numbers}
        """By the number of a piece: the numbers of the pieces whose lists use it."""
        self._union_names: dict[PieceNumbers, str] = {}
        """The labels of pieces that lists name together."""
        self._unions_before: dict[int, list[PieceNumbers]] = {}
        """By the number of a piece: the unions whose labels stand before its AREA."""
        self._region_uses: Counter[int] = Counter()
        self._region_names: dict[int, str] = {}
        """The labels of regions that several lists use."""
        self._note_uses()
        self._name_regions()

    def write(self, pairs: Sequence[LearnedPair]) -> WrittenScript:
        """Return the script; to be called once."""
        self._write_head()
        for layer in self._layers:
            if layer.pieces:
                self._lines += ["", f"# {layer.summary}"]
            for piece in layer.pieces:
                self._write_piece(piece)
        self._write_pairs(pairs)
        self._write_start_list()
        statements = 0
        for line in self._lines:
            if line.startswith(("AREA ", "LABEL ", "PAIR ")):
                statements += 1
        return WrittenScript("\n".join(self._lines) + "\n", self._reasons, statements)

    def _write_head(self) -> None:
        """Write the title, whether it is a tower, and the labels of regions."""
        name = " ".join(self._frame.name.split())  # a comment is one line
        self._lines += [
            f"# {name}: learned from {counted(self._frame.maps, 'map')}.",
            "",
            f'TITLE "{_title(self._frame.name)}"',
        ]
        if self._frame.tower:
            self._lines.append("TOWER")
        for mask, label in self._region_names.items():
            self._lines.append(f"LABEL {label} = {region_of(mask).text}")

    def _write_piece(self, piece: Piece) -> None:
        """Write the comment, the labels and the AREAs of a piece."""
        reason = Reason(piece.gain, self._reason(piece))
        self._lines.append(f"# {reason.text}")
        for members in self._unions_before.get(piece.number, ()):
            names = " ".join(self._used_up(number, piece) for number in members)
            self._lines.append(f"LABEL {self._union_names[members]} = {names}")
        areas = self._areas(piece)
        users_of_label = self._users[piece.number]
        if len(areas) == 1:
            # The next AREA can say (usedup), which is what one AREA has used up.
            users_of_label = users_of_label - {self._next_number(piece.number)}
        for index, area in enumerate(areas):
            self._write_with_reason(area, reason)
            if users_of_label:
                self._lines.append(f"LABEL {self._area_name(piece, index)} = (usedup)")

    def _write_pairs(self, pairs: Sequence[LearnedPair]) -> None:
        """Write the PAIRs; those for rare steps come last, below a comment."""
        if pairs:
            self._lines.append("")
        is_behind_steps = False
        for pair in pairs:
            if pair.step and not is_behind_steps:
                self._lines.append("# Steps that the maps hardly have, like their other steps:")
            is_behind_steps = pair.step > 0
            self._write_with_reason(_pair_text(pair), Reason(pair.gain, _pair_reason(pair)))

    def _write_start_list(self) -> None:
        """Write the start list, if there is one."""
        hexes = ""
        if self._start:
            hexes = " ".join(self._used_up(number) for number in self._start)
        elif self._frame.start_hexes:
            hexes = region_of(self._frame.start_hexes).text
        if hexes:
            self._lines += ["", f"STARTLIST {hexes}"]

    def _write_with_reason(self, line: str, reason: Reason) -> None:
        """Write a line and note the reason for it."""
        self._lines.append(line)
        self._reasons[len(self._lines)] = reason

    # --- names -------------------------------------------------------------------------------

    def _piece_names(self) -> dict[int, str]:
        """Return the label of each piece: "bog", the next one "bog.2" ...; of a seed "bogheart".

        Plains are placed for their elevation: "crest" for 2, else "rise".
        """
        uses: Counter[str] = Counter()
        names = {}
        for number in self._numbers:
            piece = self._pieces[number]
            name = COLOSSUS.terrains[piece.terrain].name.lower()
            if piece.terrain == 0:
                name = "rise"
                if piece.elevations[2] >= MOSTLY_ELEVATED:
                    name = "crest"
            if piece.seed:
                name += "heart"
            uses[name] += 1
            names[number] = _numbered(name, uses[name])
        return names

    def _note_uses(self) -> None:
        """Note which pieces, unions of pieces and regions all lists use."""
        for piece in self._pieces.values():
            self._name_unions(piece)
            self._areas(piece)
        for number in self._start:
            self._users[number].add(_START_LIST_USER)

    def _name_unions(self, piece: Piece) -> None:
        """Give labels to the pieces that the list of a piece names together."""
        for ref in (*piece.area_list.near, *piece.area_list.apart):
            members = ref.pieces
            if len(members) < FEWEST_UNITED or members in self._union_names:
                continue
            self._union_names[members] = self._union_name(members)
            self._unions_before.setdefault(piece.number, []).append(members)
            for number in members:
                self._users[number].add(piece.number)

    def _union_name(self, members: PieceNumbers) -> str:
        """Return a label for pieces: "heights" if most of them are mostly elevated."""
        elevated = 0
        for number in members:
            if self._pieces[number].elevations[0] < 1 - MOSTLY_ELEVATED:
                elevated += 1
        name = "features"
        if 2 * elevated > len(members):
            name = "heights"
        same_names = 0
        for union_name in self._union_names.values():
            if union_name.partition(".")[0] == name:
                same_names += 1
        return _numbered(name, same_names + 1)

    def _name_regions(self) -> None:
        """Give labels to long regions that several lists use, but not to those of the language."""
        for mask, uses in self._region_uses.items():
            region = region_of(mask)
            is_long = len(region.text) > LONGEST_REPEATED_LIST
            if uses > 1 and is_long and not region.predefined:
                number = len(self._region_names) + 1
                self._region_names[mask] = region.name or f"part{number}"

    def _area_name(self, piece: Piece, index: int) -> str:
        """Return the label of an AREA of a piece; those of three symmetric ones end in a, b, c."""
        name = self._names[piece.number]
        if piece.area_list.further:
            return f"{name}.{'abc'[index]}"
        return name

    def _next_number(self, number: int) -> int | None:
        """Return the number of the piece behind a piece; None behind the last one."""
        index = self._numbers.index(number) + 1
        if index < len(self._numbers):
            return self._numbers[index]
        return None

    # --- lists -------------------------------------------------------------------------------

    def _areas(self, piece: Piece) -> list[str]:
        """Return the AREA of a piece for each of its regions; what they use is noted."""
        hazards = " ".join(_hazards(piece))
        areas = []
        for region in piece.area_list.regions:
            areas.append(f"AREA {self._list(piece, region)} HAZARDS {hazards}")
        return areas

    def _list(self, piece: Piece, region: int) -> str:
        """Return the text of the list of a piece in one of its regions.

        The language has no intersection of two lists: A and B is ``SUBSTRACT(A,not B)``.
        """
        if self._is_leftover(piece):
            return "(leftover)"
        area_list = piece.area_list
        near_lists = [self._surroundings(ref, piece) for ref in area_list.near]
        outside_mask = ALL & ~region
        is_outside_short = not outside_mask or bool(region_of(outside_mask).name)

        # The list is based on one of its conditions.
        if area_list.on:
            base = " ".join(self._used_up(number, piece) for number in area_list.on)
        elif near_lists and is_outside_short:
            base = near_lists.pop(0)
        else:
            base = self._region(region)
            outside_mask = 0

        # Excluded is what does not meet the others, and what earlier pieces have used up.
        excluded = []
        if outside_mask:
            excluded.append(self._region(outside_mask))
        excluded += [f"SUBSTRACT((anywhere),{near_list})" for near_list in near_lists]
        for number in self._numbers:
            if number < piece.number and self._overlaps(piece, region, number):
                excluded.append(self._used_up(number, piece))
        excluded += [self._surroundings(ref, piece) for ref in area_list.apart]
        if excluded:
            return f"SUBSTRACT({base},{' '.join(excluded)})"
        return base

    def _is_leftover(self, piece: Piece) -> bool:
        """Return whether the list is what the AREA before it has left of the same list."""
        index = self._numbers.index(piece.number)
        if index == 0 or piece.area_list.further or piece.area_list.on:
            return False
        previous_piece = self._pieces[self._numbers[index - 1]]
        return previous_piece.area_list == piece.area_list

    def _overlaps(self, piece: Piece, region: int, earlier_number: int) -> bool:
        """Return whether an earlier piece can have used up a hex of the list of a piece."""
        area_list = piece.area_list
        earlier = self._pieces[earlier_number].area_list
        if area_list.on or earlier.on:
            return False  # such lists lie on used-up hexes on purpose
        if not any(region & earlier_region for earlier_region in earlier.regions):
            return False
        for ref in area_list.near:
            if earlier_number in ref.pieces and not ref.is_ring:
                return False  # SURROUNDINGSOF leaves its own hexes out
        return not _exclude_each_other(area_list, earlier)

    def _surroundings(self, ref: Ref, user: Piece) -> str:
        """Return the text of the hexes around those of a reference in the list of ``user``."""
        if ref.is_ring:
            return f"SURROUNDINGSOF({self._surroundings(Ref(ref.pieces), user)})"
        if ref.pieces in self._union_names:
            return f"SURROUNDINGSOF(({self._union_names[ref.pieces]}))"
        used_up = " ".join(self._used_up(number, user) for number in ref.pieces)
        return f"SURROUNDINGSOF({used_up})"

    def _used_up(self, number: int, user: Piece | None = None) -> str:
        """Return the text of what a piece has used up, and note that it is used.

        ``user`` is the piece in whose list it stands; None for the start list.
        """
        piece = self._pieces[number]
        users = self._users[number]
        if user is not None:
            users.add(user.number)
        if piece.area_list.further:
            return " ".join(f"({self._area_name(piece, index)})" for index in range(3))
        # In the second of several AREAs of a user (usedup) would be what the first has used up.
        is_single_area = user is not None and not user.area_list.further
        if is_single_area and users == {self._next_number(number)}:
            return "(usedup)"
        return f"({self._names[number]})"

    def _region(self, mask: int) -> str:
        """Return the text of a set of hexes in a list, and note that it is used."""
        self._region_uses[mask] += 1
        name = self._region_names.get(mask)
        if name:
            return f"({name})"
        return region_of(mask).text

    # --- reasons -----------------------------------------------------------------------------

    def _reason(self, piece: Piece) -> str:
        """Return what an AREA does, and what it gains."""
        chances = [rounded(chance) for chance in piece.chances]
        number = sum(chances) * len(piece.area_list.regions)
        text = f"{number:.2g} {COLOSSUS.terrains[piece.terrain].name}"
        is_certain = set(chances) <= {1}
        if not is_certain:
            text = f"On average {text}"
        level = _level(piece)
        if level:
            text += f", {level} high"
        positions = self._positions(piece.area_list)
        if positions:
            text += f", {listed(positions)}"
        return f"{text}{without_it(piece.gain)}."

    def _positions(self, area_list: AreaList) -> list[str]:
        """Return what a comment says about the hexes of a list: "inside", "beside bog" ..."""
        positions = []
        if area_list.on:
            positions.append(f"over {self._names_of(Ref(area_list.on), 'and')}")
        if area_list.further:
            positions.append("in three parts alike")
        elif area_list.region != ALL:
            positions.append(_region_title(area_list.region))
        positions += [f"beside {self._names_of(ref, 'or')}" for ref in area_list.near]
        positions += [f"not beside {self._names_of(ref, 'or')}" for ref in area_list.apart]
        return positions

    def _names_of(self, ref: Ref, conjunction: str) -> str:
        """Return the labels of pieces as an enumeration; the conjunction is "and" or "or"."""
        names = listed([self._names[number] for number in ref.pieces], conjunction)
        if ref.is_ring:
            return f"the hexes round {names}"
        return names


def _numbered(name: str, number: int) -> str:
    """Return a label that is unique among those of the same name: "bog", "bog.2" ..."""
    if number == 1:
        return name
    return f"{name}.{number}"


def _exclude_each_other(area_list: AreaList, earlier: AreaList) -> bool:
    """Return whether one list has only neighbours of hexes of which the other has none."""
    near_of_apart = set(area_list.near) & set(earlier.apart)
    apart_of_near = set(area_list.apart) & set(earlier.near)
    return bool(near_of_apart or apart_of_near)


def _region_title(mask: int) -> str:
    """Return where a region is, for a comment."""
    title = region_of(mask).title
    if title:
        return title
    hexes = mask.bit_count()
    if hexes == 1:
        return "on this hex"
    return f"on these {hexes} hexes"


def _title(name: str) -> str:
    """Return the name by the letters and signs that a title may have: Mühle becomes Muhle."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^A-Za-z0-9._!?;,:/+=]+", " ", plain).strip() or "Learned"


def _level(piece: Piece) -> int | None:
    """Return the elevation of all hazards; None: it is by dice."""
    for level, chance in enumerate(_odds(piece)):
        if chance > CERTAIN_LEVEL:
            return level
    return None


def _odds(piece: Piece) -> list[float]:
    """Return the rounded odds of the elevations, which sum to 1."""
    odds = [rounded(chance) for chance in piece.elevations]
    # What is rounded away is given to the most frequent one, which it changes least.
    odds[odds.index(max(odds))] += 1 - sum(odds)
    return odds


def _percent(chance: float) -> str:
    """Return a chance as the language writes it: in percent, and always with a point."""
    text = f"{100 * chance:.4g}"
    if "." in text:
        return text
    return f"{text}."


def _hazards(piece: Piece) -> list[str]:
    """Return the hazards of an AREA: ``Bog``, ``Bog,50.``, ``Bog,1`` or ``Bog,50.,80.,15.,5.``."""
    name = COLOSSUS.terrains[piece.terrain].name
    odds = _odds(piece)
    level = _level(piece)
    hazards = []
    for chance in piece.chances:
        chance = rounded(chance)
        hazard = name
        # Odds of elevations always stand behind a chance, even one of 100 %.
        if chance < 1 or level is None:
            hazard += f",{_percent(chance)}"
        if level is None:
            hazard += "".join(f",{_percent(value)}" for value in odds)
        elif level > 0:
            hazard += f",{level}"
        hazards.append(hazard)
    return hazards


def _pair_text(pair: LearnedPair) -> str:
    """Return the PAIR; each of its hexsides is drawn only if those before it did not come.

    So a hexside on 25 % of the edges behind one on 50 % is written as ``d,50. c,50.``.
    """
    remaining_share = 1.0
    hexsides = []
    for letter, share in pair.choices:
        chance = min(rounded(share / max(remaining_share, 1e-6)), 1.0)
        remaining_share -= share
        if chance >= CERTAIN_HEXSIDE:
            hexsides.append(letter)
            break  # what follows never comes
        if chance:
            hexsides.append(f"{letter},{_percent(chance)}")
    return f"PAIR {_pair_hex(pair.high)}{_pair_hex(pair.low)} HEXSIDES {' '.join(hexsides)}"


def _pair_hex(pair_hex: Hex) -> str:
    """Return a hex of a PAIR: ``(Bog,1)``, or ``(Bog,*)`` of any elevation."""
    terrain, elevation = pair_hex
    level = str(elevation)
    if elevation == STAR:
        level = "*"
    return f"({COLOSSUS.terrains[terrain].name},{level})"


def _pair_reason(pair: LearnedPair) -> str:
    """Return on which share of the edges each hexside stands, and what the PAIR gains."""
    shares = listed([f"{letter} on {100 * share:.0f} %" for letter, share in pair.choices])
    if pair.step:
        height = ("one", "two")[pair.step - 1]
        return f"Like the other steps of {height} in the maps: {shares}."
    return f"Of {counted(pair.edges, 'such edge')}: {shares}{without_it(pair.gain)}."


def without_it(gain: float) -> str:
    """Return what a line is worth, as the end of its reason; "" if that is next to nothing.

    ``gain``: the bits a map that it saves, which are the distance that people read.
    """
    if gain < SMALLEST_GAIN:
        return ""
    return f"; without it {gain:.2f} further from the maps"
