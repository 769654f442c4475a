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
    spot = locator.locate_next(Feature("hill 1", table.is_empty))    # 3D6 along the rows
    spot = locator.locate_next(Feature("hill 2", table.is_empty))    # beside hill 1, or counted on
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.scores import SIDES, options_text, other_scores
from randomizer.systems.cordery.dice.tables import ADJACENT, LOCATING_DICE
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.table.counting_order import areas_counted_on
from randomizer.systems.cordery.table.previous_areas import PreviousArea

AreaTest = Callable[[int], bool]
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
    """True if a die has put it beside another feature, in this roll or an earlier one."""

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


class Feature(NamedTuple):
    """A feature that is to be located."""

    name: str
    """Its name, with which those of its dice and decisions begin: "hill 2"."""

    can_stand: AreaTest
    """Tells in which areas it may stand."""

    may_chain: bool = True
    """True if a die may put it beside the last one (rule 3)."""

    can_stand_if_chained: AreaTest | None = None
    """Tells in which areas it may stand beside the last one; None: the same as otherwise."""

    @property
    def can_stand_beside(self) -> AreaTest:
        """The test for the areas beside the last feature."""
        return self.can_stand_if_chained or self.can_stand


class _Start(NamedTuple):
    """Where the areas along the rows are counted from."""

    position: int
    """The area after this index counts as 1; for the first row the index is -1."""

    areas: tuple[int, ...]
    """The areas that are shown to a person who counts: the last feature's, or those of the row."""

    words: str
    """The name of these: "0304", "row 2"."""

    log_words: str
    """The same for the log, with the dice of the row that did not count."""


class Locator:
    """Locates the features of one kind, one after the other.

    ``locate_next`` remembers the area of the last one, from which the next one is counted. The
    other methods are for features that are located by rules of their own, such as fields beside a
    village: they neither use nor change the area of the last one.

    In these ``name`` is that of the feature ("hill 2"), and ``is_free`` tells in which areas it may
    stand.
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

    def locate_next(self, feature: Feature) -> Spot | None:
        """Locate the next feature, by the rules at the top of this module; None if none is free.

        Raises ProblemError if a decision sets an area that is not free.
        """
        spot = self._decided_spot(feature.name, feature.can_stand)  # rule 1
        if spot is None:
            spot = self._previous_spot(feature)  # rule 2
        if spot is None:
            spot = self._throw_spot(feature)  # rules 3 and 4

        if spot is not None:
            self._last_cell = spot.cell
            if spot.is_chained:
                self._throws.note_chained(f"{feature.name} at")
        return spot

    def spot_without_dice(self, name: str, is_free: AreaTest) -> Spot | None:
        """Return the decided or else the previous area of a feature that is never chained.

        None if it has neither, or if something else stands in its previous area: its area is to be
        thrown then. Raises ProblemError if a decision sets an area that is not free.
        """
        spot = self._decided_spot(name, is_free)
        if spot is None:
            spot = self._previous_spot(Feature(name, is_free, may_chain=False))
        return spot

    def throw_direction(self, name: str, cell: int, is_free: AreaTest) -> Spot | None:
        """Throw the direction from ``cell`` in which a feature is, and return the area there.

        Where that area is not free, it is the next free one clockwise. If no area beside ``cell``
        is free, nothing is thrown and the result is None.
        """
        grid = self._grid
        directions = CLOCKWISE[grid.degree]
        neighbours = [grid.neighbour(cell, side) for side in range(grid.degree)]
        if not self._is_any_free_beside(cell, is_free):
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

    def _is_any_free_beside(self, cell: int, is_free: AreaTest) -> bool:
        """Return whether a feature may stand in an area beside ``cell``."""
        return any(is_free(neighbour) for neighbour in self._grid.neighbours(cell))

    # --- rules 1 and 2: a decision, the previous area ---

    def _decided_spot(self, name: str, is_free: AreaTest) -> Spot | None:
        """Return the area that the decision "``name`` at" sets, None without a decision.

        Raises ProblemError if the table has no such area or it is not free.
        """
        decision = Decision(f"{name} at", DecisionKind.AREA)
        cell = decided_area(self._grid, self._throws, decision, self._name_of)
        if cell is None:
            return None
        if not is_free(cell):
            where = self._name_of(cell)
            raise error("decision", f"{name} cannot stand at {where}: it is not free")
        return Spot(cell, is_chained=False, words="put there by hand")

    def _previous_spot(self, feature: Feature) -> Spot | None:
        """Return the previous area of a feature, None if it has none or cannot stand there."""
        previous_area = self._previous_areas.get(feature.name)
        if previous_area is None:
            return None
        cell = previous_area.cell
        # It is still chained to the feature before it if that one stayed, too.
        is_chained = False
        if feature.may_chain and previous_area.is_chained and self._last_cell is not None:
            is_chained = cell in self._grid.neighbours(self._last_cell)
        if is_chained:
            can_stay = feature.can_stand_beside(cell)
        else:
            can_stay = feature.can_stand(cell)
        if not can_stay:
            return None
        # Dice that a person has fixed for it are not thrown, which is no mistake of that person.
        self._throws.pass_over_dice(feature.name)
        return Spot(cell, is_chained, words="as before")

    # --- rules 3 and 4: chained to the last feature, counted along the rows ---

    def _throw_spot(self, feature: Feature) -> Spot | None:
        """Locate a feature by dice; None if it can stand nowhere.

        If it can stand only beside the last feature, that shows after a die has sent it farther on.
        """
        reason = ""
        previous_area = self._previous_areas.get(feature.name)
        if previous_area is not None:
            # Something else is in its previous area now, else it would stand there. It keeps off
            # the previous areas of other features, so that these can stay.
            reason = f"{self._name_of(previous_area.cell)} is taken; "
            feature = feature._replace(
                can_stand=self._outside_previous_areas(feature.can_stand),
                can_stand_if_chained=self._outside_previous_areas(feature.can_stand_beside),
            )
        if feature.may_chain and self._last_cell is not None:
            spot = self._chain_or_count(feature, self._last_cell)
        else:
            spot = self._count_on(feature)
        if spot is None:
            return None
        return replace(spot, words=f"{reason}{spot.words}")

    def _outside_previous_areas(self, is_free: AreaTest) -> AreaTest:
        """Return ``is_free`` without the previous areas of features.

        If no area of the table is left then, ``is_free`` itself is returned.
        """
        previous_cells = {area.cell for area in self._previous_areas.values()}

        def is_free_outside(cell: int) -> bool:
            return cell not in previous_cells and is_free(cell)

        if self._is_any_free(is_free_outside):
            return is_free_outside
        return is_free

    def _is_any_free(self, is_free: AreaTest) -> bool:
        """Return whether a feature may stand in an area of the table."""
        return any(is_free(cell) for cell in self._grid.cells.tolist())

    def _chain_or_count(self, feature: Feature, last_cell: int) -> Spot | None:
        """Throw whether a feature is beside the last one or counted from it (1.3), and locate it.

        If no area beside ``last_cell``, that of the last one, is free, it is counted in any case.
        """
        # No die is thrown for a feature that can stand nowhere.
        can_be_chained = self._is_any_free_beside(last_cell, feature.can_stand_beside)
        if not can_be_chained and not self._is_any_free(feature.can_stand):
            return None

        options = {"beside it": ADJACENT, "farther on": other_scores(ADJACENT)}
        score = self._throws.d6(f"{feature.name} chain", options_text(options))
        spot = None
        if score in ADJACENT:
            explanation = f"D6 = {score}, adjacent"
            spot = self.throw_direction(feature.name, last_cell, feature.can_stand_beside)
            if spot is None:
                explanation += ", but nothing is free there"
        else:
            explanation = f"D6 = {score}, counted on"
        if spot is None:
            spot = self._count_on(feature)
        if spot is None:
            return None
        return replace(spot, words=f"{explanation}: {spot.words}")

    def _count_on(self, feature: Feature) -> Spot | None:
        """Throw 3D6, count as many areas along the rows (1.2), and return the next free one.

        The first feature is counted from the left edge, from a row that a die gives; later ones
        from the last feature. If no area of the table is free, nothing is thrown and the result is
        None.
        """
        if not self._is_any_free(feature.can_stand):
            return None
        start = self._start_of_count(feature.name)
        scores = self._throw_steps(feature.name, start)
        # All areas of the table: where the count ends is the first of them, and behind the last
        # row they go on with the first one. So a free area is among them.
        areas = list(areas_counted_on(self._grid, start.position, sum(scores)))
        target = areas[0]
        cell = next(area for area in areas if feature.can_stand(area))
        words = f"3D6 = {'+'.join(map(str, scores))} = {sum(scores)} along from {start.log_words}"
        if cell != target:
            words += f" to {self._name_of(target)}, the next free area"
        return Spot(cell, is_chained=False, words=words)

    def _start_of_count(self, name: str) -> _Start:
        """Return where a feature is counted from: the last one, or a row that a die gives."""
        grid = self._grid
        if self._last_cell is not None:
            cell_name = self._name_of(self._last_cell)
            return _Start(self._last_cell, (self._last_cell,), cell_name, log_words=cell_name)
        # One die gives the row: the first feature is counted from one of the upper six.
        row = self._throws.within(f"{name} row", min(SIDES, grid.height), "1: the top row")
        first_of_row = (row.score - 1) * grid.width
        positions = range(first_of_row, first_of_row + grid.width)
        areas_of_row = tuple(cell for cell in positions if grid.exists(cell))
        words = f"row {row.score}"
        log_words = words
        if row.rejected:
            log_words += f" ({row})"
        # The position before the row, so that the first area of the row counts as 1.
        return _Start(first_of_row - 1, areas_of_row, words, log_words)

    def _throw_steps(self, name: str, start: _Start) -> tuple[int, ...]:
        """Return the scores whose sum is counted on along the rows, for a feature of this name.

        Raises ``DieWantedError`` if the dice are to be entered.
        """
        try:
            return self._throws.dice(f"{name} steps", LOCATING_DICE, f"from {start.words}")
        except DieWantedError as die:
            # For the question that the person is asked: the map marks where they count from.
            die.counted_from = start.areas
            raise
