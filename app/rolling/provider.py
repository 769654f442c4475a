"""Who says what a roll of the map in front rolls: the script shown, or a system's own form."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from app.rolling.roll_request import Recipe


class RollProvider(Protocol):
    """Gives ``Rolling`` a recipe for some kinds of map."""

    @property
    def recipe_changed(self) -> SignalInstance:
        """``recipe_changed()``: the recipe is another, or whether it can be rolled."""

    def serves_map(self) -> bool:
        """Whether this provider rolls maps like the one in front."""

    def recipe(self) -> Recipe:
        """What a roll rolls now; asked only if ``serves_map()``."""

    def why_not(self) -> str:
        """Why the recipe cannot be rolled onto the map in front, in words; "" if it can."""

    def loading(self) -> bool:
        """Whether another script is on its way into the map in front: a roll waits for it.

        ``recipe_changed`` tells when that is over.
        """
