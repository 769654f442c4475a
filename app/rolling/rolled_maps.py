"""Which maps can be rolled: what odds, counts, fairness and the gallery depend on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.rolling.roll_request import Recipe
    from randomizer.generator import Base


@dataclass(frozen=True, eq=False)
class RolledMaps:
    """All maps that a recipe makes on a base; equal to another if both look the same."""

    recipe: Recipe
    base: Base

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RolledMaps):
            return NotImplemented
        return self.rolled_as(other) and self.base.seen_as(other.base)

    def rolled_as(self, other: RolledMaps) -> bool:
        """Whether both have the same rolls, whatever lies above them."""
        return _rolls(self.recipe) == _rolls(other.recipe) and self.base.same_as(other.base)

    __hash__ = None  # type: ignore[assignment] # bases are compared by their arrays


def _rolls(recipe: Recipe) -> tuple[object, ...]:
    """What a recipe's maps depend on; the suffix of a script says what reads it."""
    return PurePath(recipe.script_name).suffix, recipe.text, recipe.texts, recipe.settings
