"""Tunes the percentages of learned pieces on what the script rolls.

A *piece* is what the learner has found about one kind of hexes: lists of hexes, and hazards that
come onto them with a chance each. In the script it is one AREA statement or several, and the
chances are its percentages. They were learned layer by layer, from the given maps, and can be off
in rolled maps, where a list may have fewer hexes left.

So ``tune`` rolls the script, compares its maps with the given ones (``fit``), changes one chance by
20 percent points, and keeps the change if the maps have come nearer; so on with all chances, then
again by 10 and by 5 points. The script is rolled with the same keys of its dice each time, so that
the difference of two scripts is not hidden by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from randomizer.model.basics.dice import threshold
from randomizer.systems.colossus.learning.counts import rounded
from randomizer.systems.colossus.learning.fit import (
    Marginals,
    compare,
    marginals_of,
    rolled_states,
)
from randomizer.systems.colossus.learning.pieces import Piece, Ref
from randomizer.systems.colossus.rolling.program import AreaStep, Program

TUNING_MAPS = 4096
"""The number of maps rolled to judge a script.

With more of them tuning is slower; with fewer it goes by the accident of the rolled maps.
"""

CHANGE_SIZES = (0.2, 0.1, 0.05)
"""The changes of a chance (0 to 1), one size after the other.

A first step that is larger finds chances that are far off; a last one that is smaller tunes to the
accident of the rolled maps.
"""

COUNT_WEIGHT = 2.0
"""The additional weight of the numbers of hexes in the score.

Chances decide how many hexes a kind has; where they lie is settled by the lists.
"""

MIN_GAIN = 1e-4
"""The bits that a change must save at least. Less is rounding, and could go on for ever."""

DICE_BITS = 32
"""The bits of the dice that decide a hazard; see ``draws.KeyedDraws.place``."""

SPARE_HAZARDS = 2
"""The number of hazards that each AREA may get beyond those learned; each makes tuning longer."""


def with_spare_hazards(piece: Piece) -> Piece:
    """Return the piece with more hazards of chance 0, which tuning can raise."""
    return replace(piece, chances=(*piece.chances, *(0.0,) * SPARE_HAZARDS))


def tune(
    pieces: Sequence[Piece],
    program: Program,
    marginals: Marginals,
    seed: int,
    price: float,
    stopped: Callable[[], bool],
) -> list[Piece]:
    """Return the pieces with tuned chances. Hazards and pieces that never come are left out.

    Args:
        pieces: The pieces, each as ``with_spare_hazards`` returns it.
        program: The compiled script of these pieces: its AREAs are in their order.
        marginals: Those of the given maps.
        seed: The seed by which the script is rolled.
        price: The bits a map that a hazard must save to be worth its text in the script.
        stopped: Asked before each try; once it returns True, the chances stay as they are.
    """
    tuning = _Tuning(pieces, program, marginals, seed, price)
    for size in CHANGE_SIZES:
        for piece_index, hazard in tuning.hazards():
            tuning.change_while_better(piece_index, hazard, size, stopped)
            tuning.change_while_better(piece_index, hazard, -size, stopped)
    tuned_pieces = []
    for piece, chances in zip(pieces, tuning.chances, strict=True):
        positive_chances = sorted((chance for chance in chances if chance), reverse=True)
        tuned_pieces.append(replace(piece, chances=tuple(positive_chances)))
    return without_empty(tuned_pieces)


class _Tuning:
    """Hill climbing: one chance after the other is changed as long as the script gets better.

    The score is the misfit of the rolled maps to the given ones, in bits a map, and the price of
    the hazards in the script: the lower the better.
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
        # The program has the chances as the script writes them, which are rounded.
        self.chances = [[rounded(chance) for chance in piece.chances] for piece in pieces]
        """The chances of the hazards of each piece, as they are tuned so far."""
        self._program_steps = list(program.steps)
        """The steps of the program with these chances."""
        self._program_steps_of_pieces = _area_steps_of_pieces(pieces, program)
        self._best_score = self._score()

    def hazards(self) -> Iterator[tuple[int, int]]:
        """Yield each hazard as the index of its piece and its index in that piece."""
        for piece_index, chances in enumerate(self.chances):
            for hazard in range(len(chances)):
                yield piece_index, hazard

    def change_while_better(
        self, piece_index: int, hazard: int, change: float, stopped: Callable[[], bool]
    ) -> None:
        """Change the chance of a hazard by ``change``, again and again while the score sinks."""
        chances = self.chances[piece_index]
        # The hazards of a piece are alike. With the one before it still at 0, this hazard would
        # make the same scripts that were tried with that one.
        if hazard > 0 and not chances[hazard - 1]:
            return
        while not stopped():
            old_chance = chances[hazard]
            new_chance = min(max(round(old_chance + change, 4), 0.0), 1.0)
            if new_chance == old_chance:
                return
            self._set_chance(piece_index, hazard, new_chance)
            score = self._score()
            if score >= self._best_score - MIN_GAIN:
                self._set_chance(piece_index, hazard, old_chance)
                return
            self._best_score = score

    def _set_chance(self, piece_index: int, hazard: int, chance: float) -> None:
        """Give a hazard of a piece a chance, in ``chances`` and in the steps of its AREAs."""
        self.chances[piece_index][hazard] = chance
        for step_index in self._program_steps_of_pieces[piece_index]:
            step = self._program_steps[step_index]
            assert isinstance(step, AreaStep)
            placings = list(step.placings)
            limit = threshold(100 * chance, DICE_BITS)
            placings[hazard] = replace(placings[hazard], chance=limit)
            self._program_steps[step_index] = replace(step, placings=tuple(placings))

    def _score(self) -> float:
        """Return the score of the program with the present chances, from maps that it rolls."""
        program = replace(self._program, steps=tuple(self._program_steps))
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
    assert start == len(area_steps), "the AREAs are those of the pieces, in their order"
    return steps_of_pieces


def without_empty(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces without those that place no hexes, in the same order.

    A piece places none if it has no chances. It also places none if its hexes must lie near pieces,
    or on pieces, that are all dropped. As a dropped piece can be the last one that a further piece
    needs, the function calls itself until nothing changes.

    The references of a piece to others (``near``, ``apart``, ``on``) are to their numbers, and are
    freed of the dropped ones.
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
