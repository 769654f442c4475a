"""What all parts of the page share while a table is laid out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from randomizer.model.plurals import many
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.feature_places import Free, Locator
from randomizer.systems.cordery.features import Table
from randomizer.systems.cordery.pieces import room_for
from randomizer.systems.cordery.throws import Throws

Nouns = tuple[str, str]
"""What one is called, and what several are."""


@dataclass
class Laying:
    """A table, the dice, and what was chosen. ``name`` gives an area's name.

    ``box`` says how many pieces there are, of those kinds that it names.
    """

    table: Table
    throws: Throws
    choices: Choices
    name: Callable[[int], str]
    box: Mapping[str, int]

    def locator(self) -> Locator:
        """A locator that starts from the left edge."""
        return Locator(self.table.grid, self.throws, self.name)

    def no_room(self, count: int, nouns: Nouns) -> None:
        """Say that so many features have no area to stand in."""
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
        """Locate ``count`` features by 1.2 and 1.3 and ``place`` each; ``kind`` as in ``placed``.

        ``what`` is one of them, as in the names of its dice, ``first`` its first number.
        """
        locator = self.locator()
        for number in range(first, first + count):
            spot = locator.next(f"{what} {number}", free)
            if spot is None:
                self.no_room(first + count - number, nouns)
                return
            place(spot.cell)
            words = f"{what.capitalize()} {number}: {spot.words}: {self.name(spot.cell)}"
            self.table.put(kind, (spot.cell,), self.throws.say(words, spot.cell))

    def number_of(
        self, what: str, each: str, more: int, most: int, *pieces: str
    ) -> tuple[int, str]:
        """How many of ``what``: D6 and ``more`` (never below 0), or as decided; and how, in words.

        ``each`` is what the names of their dice begin with. No more than the box holds of
        ``pieces`` together, where it says so.
        """
        decided = self.throws.decided_number(what, 0, most, each)
        if decided is None:
            count, words = self._thrown_number(what, more, *pieces)
        else:
            count, words = decided, f"as decided, {decided}"
        self.throws.came_to(count)
        return count, words

    def _thrown_number(self, what: str, more: int, *pieces: str) -> tuple[int, str]:
        score = self.throws.d6(f"{what} die")
        count = max(0, score + more)
        sum_words = f"D6 = {score}" + (f" {'+' if more > 0 else '-'} {abs(more)}" if more else "")
        room = room_for(self.box, *pieces)
        if room is not None and room < count:
            return room, f"{sum_words}: {count}, but the box holds {room}: {room}"
        return count, f"{sum_words}: {count}"

    def spent(self, piece: str, used: int) -> bool:
        """Whether the box holds no more than ``used`` of a piece."""
        return piece in self.box and self.box[piece] <= used
