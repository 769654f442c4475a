"""The choice of the map that is rolled next: its seed, its number, and who chooses the seed.

A person can type a seed or a number into the roll bar. Until that is rolled, or the field is left,
the typed key counts; otherwise the key of the map on display does:

    key_choice.set_displayed(DrawKey(17, 3))    # the map on display is seed 17 no. 3
    key_choice.type_number(8)
    key_choice.key                              # seed 17 no. 8
    key_choice.forget_typed()
    key_choice.key                              # seed 17 no. 3
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.open_map import OpenMap
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.rolls.draw_key import DrawKey


def random_seed() -> int:
    """Return a seed by chance."""
    return secrets.randbelow(SEED_LIMIT)


class KeyChoice(QObject):
    """Seed and number for the next roll onto the current map.

    It stores the seed and number of each open map while another one is current; whether chance
    chooses the seed is one choice for all maps.
    """

    key_changed = Signal()
    """``key`` has changed."""

    new_seed_changed = Signal(bool)
    """``new_seed`` has changed, to this."""

    def __init__(
        self,
        current_map: OpenMap,
        parent: QObject,
        *,
        choose_seed: Callable[[], int] = random_seed,
    ) -> None:
        super().__init__(parent)
        self.choose_seed = choose_seed
        """Returns a number from which a new seed is made; tests replace it by known numbers."""
        self._displayed = DrawKey(0, 0)
        """Seed and number of the map that was rolled last; zeros before the first roll."""
        self._typed: DrawKey | None = None
        """The seed and number being typed in a field, not entered yet; None while none is."""
        self._new_seed = True
        self._current_map = current_map
        """The map to which ``_displayed`` belongs."""
        self._keys_of_other_maps: WeakKeyDictionary[OpenMap, DrawKey] = WeakKeyDictionary()
        """The seeds and numbers of the open maps that were current before."""

    @property
    def displayed_key(self) -> DrawKey:
        """Seed and number of the map on display, whatever is being typed."""
        return self._displayed

    @property
    def typed_key(self) -> DrawKey | None:
        """The seed and number that a person is typing; None while none is typed."""
        return self._typed

    @property
    def key(self) -> DrawKey:
        """Seed and number as the roll bar shows them: those being typed, else those displayed."""
        if self._typed is None:
            return self._displayed
        return self._typed

    def set_displayed(self, key: DrawKey) -> None:
        """Set the seed and number of the map on display, and forget those being typed."""
        previous_key = self.key
        self._displayed = key
        self._typed = None
        self._tell_if_changed(previous_key)

    # --- typing -----------------------------------------------------------------------------

    def type_seed(self, seed: int) -> None:
        """Note the seed that a person is typing: the next roll is its map 0."""
        self._type(DrawKey(seed, 0))

    def type_number(self, number: int) -> None:
        """Note the map number that a person is typing: the next roll is this map of the seed."""
        self._type(DrawKey(self.key.seed, number))

    def _type(self, key: DrawKey) -> None:
        previous_key = self.key
        self._typed = key
        self._tell_if_changed(previous_key)

    def forget_typed(self) -> None:
        """Return to the seed and number on display: a field was left without Enter."""
        self.set_displayed(self._displayed)

    def enter_typed(self) -> None:
        """Show the seed and number being typed as those of the map that is about to be rolled."""
        self.set_displayed(self.key)

    def _tell_if_changed(self, previous_key: DrawKey) -> None:
        if self.key != previous_key:
            self.key_changed.emit()

    # --- chance -----------------------------------------------------------------------------

    @property
    def new_seed(self) -> bool:
        """True if chance chooses the seed of each roll; else a roll takes the seed's next map."""
        return self._new_seed

    def set_new_seed(self, new_seed: bool) -> None:
        """Set ``new_seed``."""
        if new_seed != self._new_seed:
            self._new_seed = new_seed
            self.new_seed_changed.emit(new_seed)

    # --- several maps -----------------------------------------------------------------------

    def change_map(self, current_map: OpenMap) -> None:
        """Store the seed and number of the previous map, and return to those of another one.

        A map that is current for the first time begins with those of the previous map.
        """
        self._keys_of_other_maps[self._current_map] = self._displayed
        self._current_map = current_map
        self.set_displayed(self._keys_of_other_maps.get(current_map, self._displayed))
