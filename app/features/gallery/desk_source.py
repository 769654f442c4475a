"""What the gallery rolls its maps from, as the desk has it now: the panel's ``GallerySource``.

The maps are rolled by the current script, or they are *variations* of the current map, which a
generator of its own rolls (``Rolling.variations``). Nothing is stored here: each method asks anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.desk.desk import Desk
from app.rolling.destination import InPlaceOf
from randomizer.model.problems import has_errors

if TYPE_CHECKING:
    from app.document.open_map import OpenMap
    from app.rolling.destination import LayerDestination
    from app.rolling.roll_setup import RollSetup
    from randomizer.model.map.layer import Roll
    from randomizer.model.problems import Problem
    from randomizer.roll_base import Base


class DeskSource:
    """Tells what the gallery of a desk rolls its maps from."""

    def __init__(self, desk: Desk) -> None:
        self._document = desk.document
        self._rolling = desk.rolling
        self._checker = desk.scripts.checker

    def why_not(self, *, are_maps_shown: bool) -> str:
        """Return why nothing can be rolled now, in words; "" if something can.

        While a script has a mistake, maps of the text before may be shown.
        """
        checker = self._checker
        if self._rolling.variations.is_offering:
            return ""
        if checker.fresh and has_errors(checker.result.problems):
            return _text_on_mistake(checker.result.problems, are_maps_shown=are_maps_shown)
        return self._rolling.next_roll.why_not()

    @property
    def awaits_check(self) -> bool:
        """True if the script has an edited text that is not checked yet."""
        return not self._checker.fresh and bool(self._rolling.setup().text)

    def setup(self) -> RollSetup:
        """Return the setup of the maps: that of the variations, or else of the script."""
        variations = self._rolling.variations.offer()
        if variations is not None:
            return variations.setup
        return self._rolling.setup()

    def destination(self) -> LayerDestination:
        """Return the place in the current map of a map that is taken."""
        variations = self._rolling.variations.offer()
        if variations is not None:
            return variations.destination
        return self._rolling.next_roll.destination()

    def base(self) -> Base:
        """Return the base of the next roll: the map below the rolled layer, with its locks."""
        base = self.destination().base(self._document.battlemap)
        return self.setup().base_with_binding_locks(base)

    def roll_on_map(self) -> Roll | None:
        """Return the roll that the next one would replace; None if it is the first."""
        destination = self.destination()
        if not isinstance(destination, InPlaceOf):
            return None
        return self._document.battlemap.layer(destination.layer_id).roll

    def open_map(self) -> OpenMap:
        """Return the current map."""
        return self._document.current_map

    def first_seed(self) -> int:
        """Return the seed with which the gallery of the current map begins: that of its roll."""
        return self._rolling.key_choice.key.seed


def _text_on_mistake(problems: Sequence[Problem], *, are_maps_shown: bool) -> str:
    """Return a sentence on the mistake of the script, the first error among ``problems``."""
    first_error = next(problem for problem in problems if has_errors([problem]))
    line_words = ""
    if first_error.line is not None:
        line_words = f" (line {first_error.line})"
    if are_maps_shown:
        return f"The script has a mistake{line_words}: these are the maps of the text before"
    return f"The script has a mistake{line_words}: mend it to see its maps"
