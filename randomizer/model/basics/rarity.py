"""``Rarity``: how rare something is that was counted on some of many maps, in numbers and in words.

    rarity = Rarity(matching=18, tried=1024)
    rarity.chance           # 0.0176
    rarity.interval         # (0.011, 0.028): the true chance is in it, with 95 % certainty
    rarity.words()          # "18 of 1,024 maps: about 1 map in 57 (± 24 %)"

A property is, for example, that a map passes a filter, or that the attacker wins a battle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.model.basics.plurals import counted, many

DEVIATIONS = 1.96
"""The number of standard deviations on either side of a 95 % confidence interval."""

FEW = 10
"""The count below which a rarity is stated only roughly, without its error."""

NEARLY_ALL = 0.9
"""The share above which the rarity of the opposite is stated: "all but about 1 map in 30"."""

UNLIKELY = 0.05
"""The chance, 5 %, with which a bound of 95 % certainty is wrong."""


class Rarity(NamedTuple):
    """The rarity of a property that some of many maps have."""

    matching: int
    """The number of maps with the property."""

    tried: int
    """The number of maps that were looked at."""

    @property
    def chance(self) -> float:
        """The share of maps with the property."""
        if self.tried:
            return self.matching / self.tried
        return 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the chance, by E. B. Wilson's formula of 1927.

        Unlike the usual formula it is right for few maps, and for chances near 0 and 1.
        """
        if not self.tried:
            return 0.0, 1.0  # nothing is known
        count = self.tried
        share = self.chance
        square = DEVIATIONS**2
        middle = share + square / (2 * count)
        reach = DEVIATIONS * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
        low = (middle - reach) / (1 + square / count)
        high = (middle + reach) / (1 + square / count)
        # At both ends the formula gives exactly 0 and 1, up to rounding errors.
        if self.matching == 0:
            low = 0.0
        if self.matching == self.tried:
            high = 1.0
        return low, high

    def words(self, one: str = "map", more: str = "") -> str:
        """Return a text such as "18 of 1,024 maps: about 1 map in 57 (± 24 %)".

        ``one`` and ``more`` name what was counted, as in ``plurals.many``.
        """
        if not self.tried:
            return f"no {many(0, one, more)}"
        if self.matching == self.tried == 1:
            return f"1 of 1 {one}"
        if self.matching == self.tried:
            amount = "all"
        elif self.matching:
            amount = f"{self.matching:,}"
        else:
            amount = "none"
        text = f"{amount} of {counted(self.tried, one, more)}"
        if self.about:
            return f"{text}: {self.about}"
        return text

    @property
    def about(self) -> str:
        """A text such as "about 1 map in 340 (± 12 %)"; "" if all have it.

        The error is one standard error, as people give it beside a number; ``interval`` is for
        programs. What was counted is always called a map. If few maps have the property, the error
        is left out: "roughly 1 map in 57". If nearly all have it, the text tells the rarity of the
        opposite. If none has it, the text is "less than 1 map in 330", the upper bound with 95 %
        certainty.
        """
        if self.matching == self.tried:
            return ""
        if not self.matching:
            # With this chance or more, some map would have had it in 95 % of such trials.
            bound = 1 - UNLIKELY ** (1 / self.tried)
            return f"less than 1 map in {_rounded(1 / bound)}"
        if self.chance > NEARLY_ALL:
            return f"all but {Rarity(self.tried - self.matching, self.tried).about}"
        one_in = _rounded(self.tried / self.matching)
        if self.matching < FEW:
            return f"roughly 1 map in {one_in}"
        percent = math.ceil(100 * math.sqrt((1 - self.chance) / self.matching))
        return f"about 1 map in {one_in} (± {percent} %)"


def _rounded(number: float) -> str:
    """Return a number rounded to two significant digits, one of them decimal below 10."""
    if number < 9.95:  # from here on it would be rounded to 10
        return f"{number:.1f}"
    return f"{float(f'{number:.2g}'):,.0f}"
