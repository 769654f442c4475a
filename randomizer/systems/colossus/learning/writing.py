"""Writes learned pieces as a script: labels, AREAs, PAIRs, and comments with the figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from randomizer.model.basics.plurals import counted, listed
from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.hex_masks import ALL
from randomizer.systems.colossus.learning.hexsides import STAR, LearnedPair
from randomizer.systems.colossus.learning.pieces import RING, Piece, Ref
from randomizer.systems.colossus.learning.regions import region_of
from randomizer.systems.colossus.learning.result import Reason
from randomizer.systems.colossus.terrain_set import COLOSSUS

FEWEST_UNITED = 3
"""So many pieces that a list names together get a label; fewer stand in the list itself."""


@dataclass(frozen=True, slots=True)
class Written:
    """A script: ``reasons`` by line (from 1), ``statements`` counts AREA, LABEL and PAIR."""

    text: str
    reasons: Mapping[int, Reason]
    statements: int


@dataclass(frozen=True, slots=True)
class Layer:
    """The pieces of one terrain; ``summary`` says how often it comes."""

    summary: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a script beside its hexes: title, number of maps, tower, starting sides.

    ``start`` are pieces, ``start_hexes`` a set of hexes.
    """

    name: str
    maps: int
    tower: bool = False
    start: Ref = ()
    start_hexes: int = 0


def write_script(frame: Frame, layers: Sequence[Layer], pairs: Sequence[LearnedPair]) -> Written:
    """Return the script of the layers in their order."""
    return _Writer(frame, layers).written(pairs)


class _Writer:
    def __init__(self, frame: Frame, layers: Sequence[Layer]) -> None:
        self.frame = frame
        self.layers = layers
        self.pieces = {piece.number: piece for layer in layers for piece in layer.pieces}
        self.order = sorted(self.pieces)
        self.start = tuple(number for number in frame.start if number in self.pieces)
        self.names = self._piece_names()
        self.users: dict[int, set[int]] = {number: set() for number in self.order}
        self.unions: dict[Ref, str] = {}
        self.union_users: dict[int, list[Ref]] = {}
        self.regions: Counter[int] = Counter()
        self.region_names: dict[int, str] = {}
        for piece in self.pieces.values():  # the uses of regions and labels
            self._unite(piece)
            self._areas(piece)
        for number in self.start:
            self.users[number].add(-1)
        self._name_regions()

    def written(self, pairs: Sequence[LearnedPair]) -> Written:
        frame = self.frame
        reasons: dict[int, Reason] = {}
        lines = [
            f"# {' '.join(frame.name.split())}: learned from {counted(frame.maps, 'map')}.",
            "",
        ]
        lines.append(f'TITLE "{_title(frame.name)}"')
        lines += ["TOWER"] if frame.tower else []
        for mask, label in self.region_names.items():
            lines.append(f"LABEL {label} = {region_of(mask).text}")
        for layer in self.layers:
            lines += ["", f"# {layer.summary}"] if layer.pieces else []
            for piece in layer.pieces:
                reason = Reason(piece.gain, self._reason(piece))
                lines.append(f"# {reason.text}")
                for members in self.union_users.get(piece.number, ()):
                    uses = " ".join(self._use(number, piece) for number in members)
                    lines.append(f"LABEL {self.unions[members]} = {uses}")
                areas = self._areas(piece)
                following = self._following(piece.number)
                keeps = self.users[piece.number] - ({following} if len(areas) == 1 else set())
                for index, area in enumerate(areas):
                    lines.append(area)
                    reasons[len(lines)] = reason
                    if keeps:
                        lines.append(f"LABEL {self._part_name(piece, index)} = (usedup)")
        lines += [""] if pairs else []
        for index, pair in enumerate(pairs):
            if pair.step and not (index and pairs[index - 1].step):
                lines.append("# Steps that the maps hardly have, like their other steps:")
            lines.append(_pair_text(pair))
            reasons[len(lines)] = Reason(pair.gain, _pair_reason(pair))
        if self.start or frame.start_hexes:
            start = [self._use(number) for number in self.start]
            lines += ["", f"STARTLIST {' '.join(start) or region_of(frame.start_hexes).text}"]
        statements = sum(line.startswith(("AREA ", "LABEL ", "PAIR ")) for line in lines)
        return Written("\n".join(lines) + "\n", reasons, statements)

    # --- names -------------------------------------------------------------------------------

    def _piece_names(self) -> dict[int, str]:
        numbers: Counter[str] = Counter()
        names = {}
        for number in self.order:
            piece = self.pieces[number]
            name = COLOSSUS.terrains[piece.terrain].name.lower()
            if piece.terrain == 0:
                name = "rise" if piece.elevations[2] < 0.5 else "crest"
            name += "heart" if piece.seed else ""
            numbers[name] += 1
            names[number] = name if numbers[name] == 1 else f"{name}.{numbers[name]}"
        return names

    def _unite(self, piece: Piece) -> None:
        """Give a label to pieces that a list names together, before its AREA."""
        for ref in (*piece.where.near, *piece.where.apart):
            members = ref[1:] if ref[0] == RING else ref
            if len(members) < FEWEST_UNITED or members in self.unions:
                continue
            levels = [self.pieces[number].elevations for number in members]
            high = sum(odds[0] < 0.5 for odds in levels)
            name = "heights" if 2 * high > len(members) else "features"
            number = 1 + sum(union.partition(".")[0] == name for union in self.unions.values())
            self.unions[members] = name if number == 1 else f"{name}.{number}"
            self.union_users.setdefault(piece.number, []).append(members)
            for member in members:
                self.users[member].add(piece.number)

    def _part_name(self, piece: Piece, index: int) -> str:
        name = self.names[piece.number]
        if piece.where.further:
            return f"{name}.{'abc'[index]}"
        return name

    def _name_regions(self) -> None:
        for mask, uses in self.regions.items():
            region = region_of(mask)
            if uses > 1 and not region.predefined and len(region.text) > 11:
                part = f"part{len(self.region_names) + 1}"
                self.region_names[mask] = region.name or part

    def _following(self, number: int) -> int | None:
        index = self.order.index(number) + 1
        if index < len(self.order):
            return self.order[index]
        return None

    # --- lists -------------------------------------------------------------------------------

    def _areas(self, piece: Piece) -> list[str]:
        hazards = " ".join(_hazards(piece))
        return [
            f"AREA {self._list(piece, region)} HAZARDS {hazards}" for region in piece.where.regions
        ]

    def _list(self, piece: Piece, region: int) -> str:
        where = piece.where
        if self._is_rest(piece):
            return "(leftover)"
        neighbour_lists = [self._around(ref, piece) for ref in where.near]
        outside_mask = ALL & ~region
        outside = []
        if where.on or (neighbour_lists and (not outside_mask or region_of(outside_mask).name)):
            if where.on:
                base = " ".join(self._use(number, piece) for number in where.on)
            else:
                base = neighbour_lists.pop(0)
            outside = [self._region(outside_mask)] if outside_mask else []
        else:
            base = self._region(region)
        left_out = outside + [f"SUBSTRACT((anywhere),{near_list})" for near_list in neighbour_lists]
        left_out += [
            self._use(number, piece)
            for number in self.order
            if number < piece.number and self._overlaps(piece, region, number)
        ]
        left_out += [self._around(ref, piece) for ref in where.apart]
        if left_out:
            return f"SUBSTRACT({base},{' '.join(left_out)})"
        return base

    def _is_rest(self, piece: Piece) -> bool:
        """Return whether the list is what the AREA before has left of its own."""
        index = self.order.index(piece.number)
        if not index or piece.where.further or piece.where.on:
            return False
        return self.pieces[self.order[index - 1]].where == piece.where

    def _overlaps(self, piece: Piece, region: int, number: int) -> bool:
        """Return whether an earlier piece can have taken a hex of the list."""
        where = piece.where
        earlier = self.pieces[number].where
        if (
            earlier.on
            or where.on
            or not any(region & earlier_region for earlier_region in earlier.regions)
        ):
            return False
        if any(number in ref and ref[0] != RING for ref in where.near):
            return False  # SURROUNDINGSOF leaves its own hexes out
        return not (set(where.near) & set(earlier.apart) or set(where.apart) & set(earlier.near))

    def _around(self, ref: Ref, piece: Piece) -> str:
        if ref[0] == RING:
            return f"SURROUNDINGSOF({self._around(ref[1:], piece)})"
        if ref in self.unions:
            return f"SURROUNDINGSOF(({self.unions[ref]}))"
        return f"SURROUNDINGSOF({' '.join(self._use(number, piece) for number in ref)})"

    def _use(self, number: int, user: Piece | None = None) -> str:
        """Return the text of what a piece has used up; ``user`` is the piece in whose list it
        stands.
        """
        used = self.pieces[number]
        users = self.users[number]
        if user is not None:
            users.add(user.number)
        if used.where.further:
            return " ".join(f"({self._part_name(used, index)})" for index in range(3))
        if user and users == {self._following(number)} and not user.where.further:
            return "(usedup)"
        return f"({self.names[number]})"

    def _region(self, mask: int) -> str:
        self.regions[mask] += 1
        name = self.region_names.get(mask)
        if name:
            return f"({name})"
        return region_of(mask).text

    # --- words -------------------------------------------------------------------------------

    def _reason(self, piece: Piece) -> str:
        """Return what an AREA does, and what it gains."""
        where = piece.where
        chances = [rounded(chance) for chance in piece.chances]
        name = COLOSSUS.terrains[piece.terrain].name
        level = _level(piece)
        height = f", {level} high" if level else ""
        average = "" if set(chances) <= {1} else "On average "
        if where.on:
            parts = [f"over {self._named(where.on, 'and')}"]
        else:
            parts = []
        if where.further:
            parts.append("in three parts alike")
        elif where.region != ALL:
            hexes = where.region.bit_count()
            if hexes == 1:
                among = "on this hex"
            else:
                among = f"on these {hexes} hexes"
            parts.append(region_of(where.region).title or among)
        parts += [f"beside {self._named(ref, 'or')}" for ref in where.near]
        parts += [f"not beside {self._named(ref, 'or')}" for ref in where.apart]
        position = f", {listed(parts)}" if parts else ""
        number = sum(chances) * len(where.regions)
        return f"{average}{number:.2g} {name}{height}{position}{without_it(piece.gain)}."

    def _named(self, ref: Ref, last: str) -> str:
        """Return the pieces in words; ``last`` is "and" or "or"."""
        if ref[0] == RING:
            return f"the hexes round {self._named(ref[1:], last)}"
        return listed([self.names[number] for number in ref], last)


def _title(name: str) -> str:
    """Return the name by the letters and signs that a title may have: Mühle becomes Muhle."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^A-Za-z0-9._!?;,:/+=]+", " ", plain).strip() or "Learned"


def _level(piece: Piece) -> int | None:
    """Return the elevation of all hazards; None: it is by dice."""
    odds = _odds(piece)
    return next((level for level, chance in enumerate(odds) if chance > 0.995), None)


def _odds(piece: Piece) -> list[float]:
    """Return the odds of the elevations, which sum to 1."""
    odds = [rounded(chance) for chance in piece.elevations]
    odds[odds.index(max(odds))] += 1 - sum(odds)
    return odds


def _percent(chance: float) -> str:
    text = f"{100 * chance:.4g}"
    if "." in text:
        return text
    return f"{text}."


def _hazards(piece: Piece) -> list[str]:
    name = COLOSSUS.terrains[piece.terrain].name
    odds = _odds(piece)
    level = _level(piece)
    result = []
    for chance in map(rounded, piece.chances):
        if chance < 1 or level is None:
            text = f"{name},{_percent(chance)}"
        else:
            text = name
        if level is None:
            text += "".join(f",{_percent(value)}" for value in odds)
        result.append(f"{text},{level}" if level else text)
    return result


def _pair_text(pair: LearnedPair) -> str:
    missing = 1.0
    choices = []
    for letter, share in pair.choices:
        chance = min(rounded(share / max(missing, 1e-6)), 1.0)
        missing -= share
        if chance:
            choices.append(letter if chance >= 0.99 else f"{letter},{_percent(chance)}")
        if chance >= 0.99:
            break  # what follows never comes
    high, low = (
        f"({COLOSSUS.terrains[terrain].name},{'*' if elevation == STAR else elevation})"
        for terrain, elevation in (pair.high, pair.low)
    )
    return f"PAIR {high}{low} HEXSIDES {' '.join(choices)}"


def _pair_reason(pair: LearnedPair) -> str:
    shares = listed([f"{letter} on {100 * share:.0f} %" for letter, share in pair.choices])
    if pair.step:
        height = ("one", "two")[pair.step - 1]
        return f"Like the other steps of {height} in the maps: {shares}."
    return f"Of {counted(pair.edges, 'such edge')}: {shares}{without_it(pair.gain)}."


def without_it(gain: float) -> str:
    """Return what a line is worth, as the end of its reason; "" if that is next to nothing.

    ``gain``: the bits a map that it saves, which are the distance that people read.
    """
    if gain < 0.005:
        return ""
    return f"; without it {gain:.2f} further from the maps"
