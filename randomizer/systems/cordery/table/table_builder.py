"""What all parts of the page use to build a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.table.feature_places import Free, Locator
from randomizer.systems.cordery.table.features import Table
from randomizer.systems.cordery.table.pieces import room_for

Nouns = tuple[str, str]
"""Singular and plural of a feature's name."""


@dataclass
class TableBuilder:
    """A table, its dice and the choices. ``name`` gives an area's name.

    ``box`` is the number of pieces of each kind; kinds that it does not name are unlimited.
    """

    table: Table
    throws: Throws
    choices: Choices
    name: Callable[[int], str]
    box: Mapping[str, int]

    def locator(self) -> Locator:
        """Return a new locator, which starts at the left edge."""
        return Locator(self.table.grid, self.throws, self.name)

    def no_room(self, count: int, nouns: Nouns) -> None:
        """Log and warn that ``count`` features have no free area."""
        words = f"No area is free any more for {count} {many(count, *nouns)}."
        self.throws.say(words)
        self.table.warn("no-room", f"step {self.throws.step}: {words}")

    def scatter(
        self,
        kind: str,
        what: str,
        nouns: Nouns,
        count: int,
        free: Free,
        place: Callable[[int], None],
        first: int = 1,
    ) -> None:
        """Locate ``count`` features by steps 1.2 and 1.3, calling ``place`` for each.

        ``part`` is the part of the page, ``what`` the word in the names of the dice, ``first`` the
        number of the first feature.
        """
        locator = self.locator()
        for number in range(first, first + count):
            spot = locator.next(f"{what} {number}", free, chain=self.choices.chains)
            if spot is None:
                self.no_room(first + count - number, nouns)
                return
            place(spot.cell)
            words = f"{what.capitalize()} {number}: {spot.words}: {self.name(spot.cell)}"
            self.table.set_origin(kind, (spot.cell,), self.throws.say(words, spot.cell))

    def number_of(
        self, what: str, each: str, more: int, most: int, *pieces: str
    ) -> tuple[int, str]:
        """Return the number of ``what``: D6 plus ``more`` (at least 0), or as decided; and an
        explanation.

        ``each`` is the first word of the names of their dice. Limited to the pieces in the box.
        """
        decided = self.throws.decided_number(what, 0, most, each)
        if decided is None:
            count, words = self._thrown_number(what, more, *pieces)
        else:
            count = decided
            words = f"as decided, {decided}"
        self.throws.note_result(count)
        return count, words

    def _thrown_number(self, what: str, more: int, *pieces: str) -> tuple[int, str]:
        score = self.throws.d6(f"{what} die")
        count = max(0, score + more)
        sum_words = f"D6 = {score}" + (f" {'+' if more > 0 else '-'} {abs(more)}" if more else "")
        room = room_for(self.box, *pieces)
        if room is not None and room < count:
            return room, f"{sum_words}: {count}, but the box holds {room}: {room}"
        return count, f"{sum_words}: {count}"

    def used_up(self, piece: str, used: int) -> bool:
        """Return whether the box has no more than ``used`` of a piece."""
        return piece in self.box and self.box[piece] <= used
