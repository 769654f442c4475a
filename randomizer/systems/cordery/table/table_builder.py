"""The table that is being built, with the dice, choices and box that all parts of the page need.

Two steps of the page as calls: a die or a decision gives the number of lakes, and further dice
place them::

    count, words = builder.determine_number("lakes", "lake", added=0, largest=200, pieces=("lake",))
    # 4, "D6 = 4: 4"
    builder.scatter("water", "lake", ("lake", "lakes"), count=count, is_free=..., ground=LAKE)

The ``generator`` makes one ``TableBuilder`` for a roll and hands it to the functions of ``parts``,
which follow the steps of Cordery's page. The *box* is the wargamer's box of terrain pieces; it can
limit what the dice may place. A *decision* of a person replaces a die.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from randomizer.model.basics.plurals import many
from randomizer.systems.cordery.choices import Choices
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.table.feature_places import AreaTest, Feature, Locator
from randomizer.systems.cordery.table.features import Table
from randomizer.systems.cordery.table.pieces import count_in_box
from randomizer.systems.cordery.table.previous_areas import PreviousArea

Nouns = tuple[str, str]
"""Singular and plural of a feature's name."""


@dataclass
class TableBuilder:
    """A table that is being built, and the rules that its parts share; it lives for one roll."""

    table: Table
    """The table so far; the parts change it."""

    throws: Throws
    """The dice, and the log of the table."""

    choices: Choices
    """What the person chose in the form."""

    name_of: Callable[[int], str]
    """Returns the name of an area, a cell of the table: ``0304``."""

    box: Mapping[str, int]
    """The number of pieces of each kind; kinds that it does not name are unlimited."""

    previous_areas: Mapping[str, PreviousArea] = field(default_factory=dict)
    """Where features stood before an earlier part was thrown again, by their names ("trees 2")."""

    def locator(self) -> Locator:
        """Return a new locator, whose first feature is counted from the left edge."""
        return Locator(self.table.grid, self.throws, self.name_of, self.previous_areas)

    def report_no_room(self, count: int, nouns: Nouns) -> None:
        """Log and warn that ``count`` features have no free area."""
        words = f"No area is free any more for {count} {many(count, *nouns)}."
        self.throws.say(words)
        self.table.warn("no-room", f"step {self.throws.step}: {words}")

    def scatter(
        self,
        part: str,
        die_word: str,
        nouns: Nouns,
        *,
        count: int,
        is_free: AreaTest,
        ground: str,
        first: int = 1,
    ) -> None:
        """Locate features as steps 1.2 and 1.3 of the page say, set their ground, and log them.

        If no area is free any more, this is logged, a warning is added, and the remaining features
        are left out.

        Args:
            part: The part of the page to which they belong: "water".
            die_word: The first word of the names of their dice: "lake".
            nouns: Their name in the log.
            count: The number of features; none if it is below 1.
            is_free: Returns whether one may stand in an area.
            ground: Their terrain.
            first: The number of the first of them.
        """
        locator = self.locator()
        for number in range(first, first + count):
            feature = Feature(f"{die_word} {number}", is_free, self.choices.chains)
            spot = locator.locate_next(feature)
            if spot is None:
                self.report_no_room(first + count - number, nouns)
                return
            self.table.ground[spot.cell] = ground
            words = f"{die_word.capitalize()} {number}: {spot.words}: {self.name_of(spot.cell)}"
            self.table.set_origin(part, (spot.cell,), self.throws.say(words, spot.cell))

    def determine_number(
        self, features: str, die_word: str, *, added: int, largest: int, pieces: Sequence[str]
    ) -> tuple[int, str]:
        """Return the number of features of a kind, and its explanation for the log.

        A decision gives the number, from 0 to ``largest``. Without one it is D6 plus ``added``,
        never below 0 and never more than the box has of ``pieces``. The number is noted as the
        result of the throw. ``features`` is the name of the decision ("lakes"), ``die_word`` the
        first word of the names of their dice ("lake").
        """
        decided = self.throws.ask_number(features, 0, largest, die_word)
        if decided is None:
            count, words = self._throw_number(features, added, pieces)
        else:
            count = decided
            words = f"as decided, {decided}"
        self.throws.note_result(features, count)
        return count, words

    def _throw_number(self, features: str, added: int, pieces: Sequence[str]) -> tuple[int, str]:
        """Throw a number of features, limited by the box; return it with its explanation."""
        options = ""
        if added > 0:
            options = f"what it shows + {added}"
        elif added < 0:
            options = f"what it shows - {-added}"
        score = self.throws.d6(f"{features} die", options)
        count = max(0, score + added)
        words = f"D6 = {score}"
        if added > 0:
            words += f" + {added}"
        elif added < 0:
            words += f" - {-added}"
        words += f": {count}"
        most = count_in_box(self.box, pieces)
        if most is not None and most < count:
            return most, f"{words}, but the box holds {most}: {most}"
        return count, words

    def is_used_up(self, piece: str, used: int) -> bool:
        """Return whether the box has no more than ``used`` of a piece; never if it is unlimited."""
        return piece in self.box and self.box[piece] <= used
