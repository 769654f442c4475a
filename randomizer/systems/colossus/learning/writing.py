"""Writes learned pieces as a script: labels, AREAs, PAIRs, and comments with the figures.

``learner`` calls ``write_script``. A piece with its comment becomes for instance::

    # On average 1.5 Bog, beside lake; without it 0.31 further from the maps.
    AREA SURROUNDINGSOF((usedup)) HAZARDS Bog Bog,50.
    LABEL bog = (usedup)

The lists are composed first (list_expressions.py). What they use gets labels (labels.py). Then the
lines are written from the top to the bottom, with the texts of statement_texts.py and reasons.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from randomizer.model.basics.plurals import counted
from randomizer.systems.colossus.learning.hexsides import LearnedPair
from randomizer.systems.colossus.learning.labels import Labels, labels_of, text_of
from randomizer.systems.colossus.learning.list_expressions import (
    Expression,
    Joined,
    UsedUp,
    expressions_of,
)
from randomizer.systems.colossus.learning.pieces import Piece, PieceNumbers
from randomizer.systems.colossus.learning.reasons import reason_for_pair, reason_for_piece
from randomizer.systems.colossus.learning.regions import region_of
from randomizer.systems.colossus.learning.result import Reason
from randomizer.systems.colossus.learning.statement_texts import (
    hazard_texts,
    pair_text,
    title_text,
)


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
class StartPieces:
    """A start list that differs from map to map: the hexes that these pieces have used up."""

    pieces: PieceNumbers


@dataclass(frozen=True, slots=True)
class StartHexes:
    """A start list that has the same hexes on every map."""

    mask: int


@dataclass(frozen=True, slots=True)
class ScriptHead:
    """What a script has beside its layers: the title, the TOWER, the STARTLIST at its end."""

    name: str
    """The title; letters that a title cannot have are replaced."""

    maps: int
    """The number of maps that the script is learned from."""

    tower: bool = False
    """True for a script of towers."""

    start: StartPieces | StartHexes | None = None
    """The start list; None for none.

    It can name pieces that are in no layer, since they place nothing; these are left out.
    """


def write_script(
    head: ScriptHead, layers: Sequence[Layer], pairs: Sequence[LearnedPair]
) -> WrittenScript:
    """Return the script of the layers in their order, with the PAIRs behind them."""
    # Compose the lists, and choose labels for what they use.
    pieces: list[Piece] = []
    for layer in layers:
        pieces += layer.pieces
    expressions = expressions_of(pieces)
    start_pieces = _start_pieces(head, pieces)
    labels = labels_of(pieces, expressions, set(start_pieces))

    # Write the lines.
    script = _Lines()
    _write_head(script, head, labels)
    for layer in layers:
        if layer.pieces:
            script.add("")
            script.add(f"# {layer.summary}")
        for piece in layer.pieces:
            _write_piece(script, piece, expressions[piece.number], labels)
    _write_pairs(script, pairs)
    start_list = _start_list(head, start_pieces, labels)
    if start_list:
        script.add("")
        script.add(f"STARTLIST {start_list}")
    return script.written()


class _Lines:
    """The lines of a script so far."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._statement_count = 0
        """The number of AREAs, LABELs and PAIRs so far."""
        self._reasons: dict[int, Reason] = {}
        """The reasons for lines, by their numbers from 1."""

    def add(self, line: str, reason: Reason | None = None) -> None:
        """Add a line; with the reason for it, if it has one."""
        self._lines.append(line)
        keyword, _blank, _rest = line.partition(" ")
        if keyword in ("AREA", "LABEL", "PAIR"):
            self._statement_count += 1
        if reason is not None:
            self._reasons[len(self._lines)] = reason

    def written(self) -> WrittenScript:
        """Return the script of all lines."""
        text = "\n".join(self._lines) + "\n"
        return WrittenScript(text, self._reasons, self._statement_count)


def _write_head(script: _Lines, head: ScriptHead, labels: Labels) -> None:
    """Write the title, whether it is a tower, and the labels of regions."""
    name = " ".join(head.name.split())  # a comment is one line
    script.add(f"# {name}: learned from {counted(head.maps, 'map')}.")
    script.add("")
    script.add(f'TITLE "{title_text(head.name)}"')
    if head.tower:
        script.add("TOWER")
    for mask, label in labels.of_regions.items():
        script.add(f"LABEL {label} = {region_of(mask).text}")


def _write_piece(script: _Lines, piece: Piece, lists: Sequence[Expression], labels: Labels) -> None:
    """Write the comment, the labels and the AREAs of a piece; ``lists`` has one for each AREA."""
    reason = reason_for_piece(piece, labels.names)
    script.add(f"# {reason.text}")
    for members, first_user in labels.first_users.items():
        if first_user == piece.number:
            used_up = " ".join(labels.text_of_used_up(member) for member in members)
            script.add(f"LABEL {labels.of_unions[members]} = {used_up}")
    hazards = " ".join(hazard_texts(piece))
    labels_of_areas = labels.of_areas[piece.number]
    for index, hexes in enumerate(lists):
        script.add(f"AREA {text_of(hexes, labels)} HAZARDS {hazards}", reason)
        if labels_of_areas:
            script.add(f"LABEL {labels_of_areas[index]} = (usedup)")


def _write_pairs(script: _Lines, pairs: Sequence[LearnedPair]) -> None:
    """Write the PAIRs; those of ``step_pairs`` come last, below a comment."""
    if pairs:
        script.add("")
    is_below_comment = False
    for pair in pairs:
        if pair.step_height is not None and not is_below_comment:
            script.add("# Steps that the maps hardly have, like their other steps:")
            is_below_comment = True
        script.add(pair_text(pair), reason_for_pair(pair))


def _start_pieces(head: ScriptHead, pieces: Sequence[Piece]) -> PieceNumbers:
    """Return the pieces of the start list that are in a layer; () if it has none."""
    if not isinstance(head.start, StartPieces):
        return ()
    numbers = {piece.number for piece in pieces}
    return tuple(number for number in head.start.pieces if number in numbers)


def _start_list(head: ScriptHead, start_pieces: PieceNumbers, labels: Labels) -> str:
    """Return the text of the start list, "" if there is none."""
    if isinstance(head.start, StartHexes):
        return region_of(head.start.mask).text
    if not start_pieces:
        return ""
    return text_of(Joined(tuple(UsedUp(number) for number in start_pieces)), labels)
