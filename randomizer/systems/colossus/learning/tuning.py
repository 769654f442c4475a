"""Tunes the percentages of learned pieces on what the script rolls.

What is learned layer by layer can be off where a list is tighter in rolled maps than it was in the
given ones. The script is rolled with the same keys each time, so that small changes show.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from randomizer.model.basics.dice import threshold
from randomizer.systems.colossus.learning.fit import (
    Marginals,
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.pieces import Piece, Ref
from randomizer.systems.colossus.rolling.program import AreaStep, Program

TUNING_MAPS = 4096
"""How many maps are rolled to judge a script; with more tuning is slower, and less is by chance."""

STEPS = (0.2, 0.1, 0.05)
"""By how much a chance is changed, one size after the other.

A first step that is larger finds chances that are far off; a last one that is smaller tunes to the
accident of the rolled maps.
"""

COUNT_WEIGHT = 2.0
"""How much more the numbers of hexes count here: what stands where is settled already."""

SPARE = 2
"""Hazards that each AREA may get beyond those learned; each makes tuning longer."""


def spare(piece: Piece) -> Piece:
    """Return the piece with hazards that never come, for tuning to raise."""
    return replace(piece, chances=(*piece.chances, *(0.0,) * SPARE))


def tune(
    pieces: Sequence[Piece],
    program: Program,
    marginals: Marginals,
    seed: int,
    price: float,
    stopped: Callable[[], bool],
) -> list[Piece]:
    """Return the pieces with other chances, none of them 0.

    ``program`` is that of the pieces, which are ``spare``: its AREAs in their order. ``price`` is
    what a hazard costs in bits a map.
    """
    tuning = _Tuning(pieces, program, marginals, seed, price)
    for size in STEPS:
        for piece_index, chances in enumerate(tuning.chances):
            for hazard in range(len(chances)):
                for change in (size, -size):
                    tuning.change_while_better(piece_index, hazard, change, stopped)
    tuned_pieces = []
    for piece, chances in zip(pieces, tuning.chances, strict=True):
        positive_chances = sorted((chance for chance in chances if chance), reverse=True)
        tuned_pieces.append(replace(piece, chances=tuple(positive_chances)))
    return without_empty(tuned_pieces)


class _Tuning:
    """Hill climbing: one chance after the other is changed as long as the script gets better.

    The score is the length, in bits a map, of what the rolled maps tell wrongly of the given ones,
    and of the hazards in the script: the less the better.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        program: Program,
        marginals: Marginals,
        seed: int,
        price: float,
    ) -> None:
        self._program = program
        self._marginals = marginals
        self._seed = seed
        self._price = price
        self.chances = [list(piece.chances) for piece in pieces]
        """The chances of the hazards of each piece, as they are tuned so far."""
        self._steps = list(program.steps)
        """The steps of the program with these chances."""
        self._steps_of_pieces = _area_steps_of_pieces(pieces, program)
        self._best_score = self._score()

    def change_while_better(
        self, piece_index: int, hazard: int, change: float, stopped: Callable[[], bool]
    ) -> None:
        """Change the chance of a hazard by so much, again and again while the score sinks.

        The hazards of a piece are alike: to raise one while that before it never comes would be to
        try the same script once more.
        """
        chances = self.chances[piece_index]
        while not stopped():
            old_chance = chances[hazard]
            new_chance = min(max(round(old_chance + change, 4), 0.0), 1.0)
            is_tried_already = hazard > 0 and not chances[hazard - 1]
            if new_chance == old_chance or is_tried_already:
                return
            self._set_chance(piece_index, hazard, new_chance)
            score = self._score()
            # Less than that is rounding, and could go on for ever.
            if score >= self._best_score - 1e-4:
                self._set_chance(piece_index, hazard, old_chance)
                return
            self._best_score = score

    def _set_chance(self, piece_index: int, hazard: int, chance: float) -> None:
        """Give a hazard of a piece a chance, in ``chances`` and in the steps of its AREAs."""
        self.chances[piece_index][hazard] = chance
        for step_index in self._steps_of_pieces[piece_index]:
            step = self._steps[step_index]
            assert isinstance(step, AreaStep)
            placings = list(step.placings)
            placings[hazard] = replace(placings[hazard], chance=threshold(100 * chance, 32))
            self._steps[step_index] = replace(step, placings=tuple(placings))

    def _score(self) -> float:
        """Roll the program with the chances of now, always with the same keys, and judge it."""
        program = replace(self._program, steps=tuple(self._steps))
        states = rolled_states(program, self._seed, TUNING_MAPS)
        fit = compare(self._marginals, marginals_of(states, self._marginals.codes))
        hazard_count = 0
        for chances in self.chances:
            hazard_count += sum(chance > 0 for chance in chances)
        count_bits = float(fit.count_bits.sum())
        return fit.total + COUNT_WEIGHT * count_bits + self._price * hazard_count


def _area_steps_of_pieces(pieces: Sequence[Piece], program: Program) -> list[list[int]]:
    """Return the indices of the steps of each piece: it has an AREA for each of its regions."""
    area_steps = [index for index, step in enumerate(program.steps) if isinstance(step, AreaStep)]
    steps_of_pieces = []
    start = 0
    for piece in pieces:
        end = start + len(piece.area_list.regions)
        steps_of_pieces.append(area_steps[start:end])
        start = end
    return steps_of_pieces


def without_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without those that place nothing, nor those that stand by such only.

    A piece is dropped if it has no chances, or if it is to stand near, or on, pieces that are all
    dropped. That can leave nothing to stand near for further ones, and so on.
    """
    numbers = {piece.number for piece in pieces if piece.chances}
    result = []
    for piece in pieces:
        near = _existing(piece.area_list.near, numbers)
        apart = _existing(piece.area_list.apart, numbers)
        on = tuple(number for number in piece.area_list.on if number in numbers)
        has_nothing_near = any(not ref.pieces for ref in near)
        has_lost_ground = bool(piece.area_list.on) and not on
        if piece.number not in numbers or has_nothing_near or has_lost_ground:
            numbers.discard(piece.number)
            continue
        apart = tuple(ref for ref in apart if ref.pieces)
        area_list = replace(piece.area_list, near=near, apart=apart, on=on)
        result.append(replace(piece, area_list=area_list))
    if len(result) == len(pieces):
        return result
    return without_empty(result)


def _existing(refs: Sequence[Ref], numbers: Collection[int]) -> tuple[Ref, ...]:
    """Return references to pieces without those whose numbers are not there any more.

    What is left of a reference may be no piece at all.
    """
    result = []
    for ref in refs:
        existing_pieces = tuple(number for number in ref.pieces if number in numbers)
        result.append(Ref(existing_pieces, ref.is_ring))
    return tuple(result)
