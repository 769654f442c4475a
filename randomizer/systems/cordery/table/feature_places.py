"""Steps 1.2 and 1.3 of Cordery's page: the area of the next feature, by the throw of dice.

A feature, such as a hill or a lake, stands in one area, a cell of the table. Its area comes from
the first of these that applies:

1. A person has decided it: "hill 2 at = 0304".
2. The feature stays in its *previous area* (``previous_areas``): an earlier part of the page was
   thrown again. Its dice, counted from features that have moved, would lead elsewhere.
3. A die tells that the feature is *chained* to the last one: it stands beside that one, in the
   direction that another die gives.
4. The sum of three dice (3D6) is counted along the rows from the last feature.

The parts of the page use a ``Locator`` for the features of a kind::

    locator = Locator(grid, throws, name_of, previous_areas)
    spot = locator.locate_next("hill 1", table.is_empty)     # 3D6 along the rows
    spot = locator.locate_next("hill 2", table.is_empty)     # beside hill 1, or counted on
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.scores import SIDES, options_text, other_scores
from randomizer.systems.cordery.dice.tables import ADJACENT, LOCATING_DICE
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.table.counting_order import areas_counted_on
from randomizer.systems.cordery.table.previous_areas import PreviousArea

Free = Callable[[int], bool]
"""Returns whether a feature may stand in an area."""

CLOCKWISE = {
    4: ("north", "east", "south", "west"),
    6: ("north-east", "east", "south-east", "south-west", "west", "north-west"),
}
"""The directions that the scores 1, 2 ... of a die mean, by the number of sides of an area.

The sides of an area have the same order, so that a score less 1 is the number of a side.
"""


@dataclass(frozen=True, slots=True)
class Spot:
    """The area of a feature."""

    cell: int

    is_chained: bool
    """True if a die put it beside the previous feature."""

    words: str
    """The dice that chose it, for the log."""


def decided_area(
    grid: Grid, throws: Throws, decision: Decision, name_of: Callable[[int], str]
) -> int | None:
    """Return the area that a decision sets by its name, None without a decision.

    Raises ProblemError if the table has no area of that name.
    """
    text = throws.ask(decision)
    if text is None:
        return None
    area = next((cell for cell in grid.cells.tolist() if name_of(cell) == text), None)
    if area is None:
        raise error("decision", f"{decision.name} {text}: there is no such area on this table")
    return int(area)


class Locator:
    """Locates the features of one kind, one after the other.

    ``locate_next`` remembers the area of the last one, from which the next one is counted; the
    other methods locate a feature without being remembered. In all methods ``name`` is that of the
    feature ("hill 2"), and ``is_free`` tells in which areas it may stand.
    """

    def __init__(
        self,
        grid: Grid,
        throws: Throws,
        name_of: Callable[[int], str],
        previous_areas: Mapping[str, PreviousArea],
    ) -> None:
        """Begin before the first feature.

        ``name_of`` returns an area's name for the log. ``previous_areas`` are those of features
        that stay there if they can, by the names of the features.
        """
        self._grid = grid
        self._throws = throws
        self._name_of = name_of
        self._previous_areas = previous_areas
        self._last_cell: int | None = None
        """The area of the feature located last, None before the first one."""

    def locate_next(
        self, name: str, is_free: Free, *, chain: bool = True, is_free_beside: Free | None = None
    ) -> Spot | None:
        """Locate the next feature, by the rules at the top of this module; None if none is free.

        Without ``chain`` no die can put it beside the last one. ``is_free_beside`` tells in which
        areas it may stand if it is chained; None: in the same ones as otherwise. Raises
        ProblemError if a decision sets an area that is not free.
        """
        if is_free_beside is None:
            is_free_beside = is_free
        spot = self.decided_spot(name, is_free)
        if spot is None:
            spot = self.previous_spot(name, is_free, is_free_beside, chain=chain)
        if spot is None:
            spot = self._throw_spot(name, is_free, is_free_beside, chain=chain)
        if spot is not None:
            self._last_cell = spot.cell
            if spot.is_chained:
                self._throws.note_chained(f"{name} at")
        return spot

    def decided_spot(self, name: str, is_free: Free) -> Spot | None:
        """Return the area that the decision "``name`` at" sets, None without a decision.

        Raises ProblemError if the table has no such area or it is not free.
        """
        cell = decided_area(
            self._grid, self._throws, Decision(f"{name} at", DecisionKind.AREA), self._name_of
        )
        if cell is None:
            return None
        if not is_free(cell):
            where = self._name_of(cell)
            raise error("decision", f"{name} cannot stand at {where}: it is not free")
        return Spot(cell, is_chained=False, words="put there by hand")

    def previous_spot(
        self, name: str, is_free: Free, is_free_beside: Free, *, chain: bool = True
    ) -> Spot | None:
        """Return the previous area of a feature, None if it has none or something else is there.

        A feature that was chained to the one before it still is if that one stayed, too, and if
        features may be chained at all, which ``chain`` tells. Then ``is_free_beside`` counts in
        place of ``is_free``.
        """
        previous_area = self._previous_areas.get(name)
        if previous_area is None:
            return None
        cell = previous_area.cell
        is_chained = False
        if chain and previous_area.is_chained and self._last_cell is not None:
            is_chained = cell in self._grid.neighbours(self._last_cell)
        if is_chained:
            is_free = is_free_beside
        if not is_free(cell):
            return None
        self._throws.pass_over_dice(name)
        return Spot(cell, is_chained, words="as before")

    def throw_direction(self, name: str, cell: int, is_free: Free) -> Spot | None:
        """Throw the direction from ``cell`` in which a feature is, and return the area there.

        Where that area is not free, it is the next free one clockwise. If no area beside ``cell``
        is free, nothing is thrown and the result is None.
        """
        grid = self._grid
        directions = CLOCKWISE[grid.degree]
        neighbours = [grid.neighbour(cell, side) for side in range(grid.degree)]
        if not any(neighbour >= 0 and is_free(neighbour) for neighbour in neighbours):
            return None
        options = f"1: {directions[0]}, clockwise to {grid.degree}: {directions[-1]}"
        throw = self._throws.within(f"{name} direction", grid.degree, options)
        thrown_side = throw.score - 1
        for turn in range(grid.degree):
            side = (thrown_side + turn) % grid.degree
            neighbour = neighbours[side]
            if neighbour >= 0 and is_free(neighbour):
                words = f"{throw}, {directions[side]} of {self._name_of(cell)}"
                if side != thrown_side:
                    words += f" (not {directions[thrown_side]}, where it cannot stand)"
                return Spot(neighbour, is_chained=True, words=words)
        raise AssertionError("some neighbour is free, as was tested above")

    def _throw_spot(
        self, name: str, is_free: Free, is_free_beside: Free, *, chain: bool
    ) -> Spot | None:
        """Locate a feature by dice; None if no area is free."""
        reason = ""
        previous_area = self._previous_areas.get(name)
        if previous_area is not None:
            # Something else is in its previous area now, else it would stand there. It keeps off
            # the previous areas of other features, so that these can stay.
            reason = f"{self._name_of(previous_area.cell)} is taken; "
            is_free = self._outside_previous_areas(is_free)
            is_free_beside = self._outside_previous_areas(is_free_beside)
        if not any(is_free(cell) or is_free_beside(cell) for cell in self._grid.cells.tolist()):
            return None  # before a die is asked for that would decide nothing
        if chain and self._last_cell is not None:
            spot = self._chain_or_count(name, self._last_cell, is_free, is_free_beside)
        else:
            spot = self._count_on(name, is_free)
        if spot is None:
            return None
        return replace(spot, words=f"{reason}{spot.words}")

    def _outside_previous_areas(self, is_free: Free) -> Free:
        """Return ``is_free`` without the previous areas of features.

        If no area of the table is left then, ``is_free`` itself is returned.
        """
        previous_cells = {area.cell for area in self._previous_areas.values()}

        def is_free_outside(cell: int) -> bool:
            return cell not in previous_cells and is_free(cell)

        if any(is_free_outside(cell) for cell in self._grid.cells.tolist()):
            return is_free_outside
        return is_free

    def _chain_or_count(
        self, name: str, last_cell: int, is_free: Free, is_free_beside: Free
    ) -> Spot | None:
        """Throw whether a feature is beside the last one or counted from it (1.3), and locate it.

        If no area beside ``last_cell``, that of the last one, is free, it is counted in any case.
        """
        options = {"beside it": ADJACENT, "farther on": other_scores(ADJACENT)}
        score = self._throws.d6(f"{name} chain", options_text(options))
        spot = None
        if score in ADJACENT:
            explanation = f"D6 = {score}, adjacent"
            spot = self.throw_direction(name, last_cell, is_free_beside)
            if spot is None:
                explanation += ", but nothing is free there"
        else:
            explanation = f"D6 = {score}, counted on"
        if spot is None:
            spot = self._count_on(name, is_free)
        if spot is None:
            return None
        return replace(spot, words=f"{explanation}: {spot.words}")

    def _count_on(self, name: str, is_free: Free) -> Spot | None:
        """Throw 3D6, count as many areas along the rows (1.2), and return the next free one.

        The first feature is counted from the left edge, from a row that a die gives; later ones
        from the last feature. If no area of the table is free, nothing is thrown and the result is
        None.
        """
        grid = self._grid
        throws = self._throws
        if not any(is_free(cell) for cell in grid.cells.tolist()):
            return None
        if self._last_cell is None:
            # One die gives the row: the first feature is counted from one of the upper six.
            row = throws.within(f"{name} row", min(SIDES, grid.height), "1: the top row")
            # The position before the row, so that the first area of the row counts as 1.
            start = (row.score - 1) * grid.width - 1
            positions = range(start + 1, start + 1 + grid.width)
            counted_from = tuple(cell for cell in positions if grid.exists(cell))
            start_words = f"row {row.score}"
            from_words = start_words
            if row.rejected:
                from_words += f" ({row})"
        else:
            start = self._last_cell
            counted_from = (self._last_cell,)
            start_words = self._name_of(self._last_cell)
            from_words = start_words
        scores = self._throw_steps(name, counted_from, start_words)
        areas = list(areas_counted_on(grid, start, sum(scores)))
        target = areas[0]
        cell = next(area for area in areas if is_free(area))
        words = f"3D6 = {'+'.join(map(str, scores))} = {sum(scores)} along from {from_words}"
        if cell != target:
            words += f" to {self._name_of(target)}, the next free area"
        return Spot(cell, is_chained=False, words=words)

    def _throw_steps(
        self, name: str, counted_from: tuple[int, ...], start_words: str
    ) -> tuple[int, ...]:
        """Return the scores whose sum is counted on along the rows, for a feature of this name.

        ``counted_from`` are the areas of the row or of the feature from which it is counted, which
        ``start_words`` name. Raises ``DieWantedError`` with both if the dice are to be entered.
        """
        try:
            return self._throws.dice(f"{name} steps", LOCATING_DICE)
        except DieWantedError as die:
            die.counted_from = counted_from
            die.options = f"from {start_words}"
            raise
