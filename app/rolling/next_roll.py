"""The next roll onto the current map: what would be rolled, where it would go, and why not.

    next_roll = rolling.next_roll
    next_roll.setup()           # the generator and its settings, as the shown panel gives them
    next_roll.key()             # seed 17 no. 4
    next_roll.destination()     # InPlaceOf(layer), or AboveLayer(layer) for a first roll
    next_roll.base()            # the map below that, with its locks
    next_roll.why_not()         # "There is no script."

Everything here answers questions; nothing is rolled or remembered. ``Rolling`` has the commands.
"""

from __future__ import annotations

from app.document.document import MapDocument
from app.rolling.destination import AboveLayer, InPlaceOf, LayerDestination
from app.rolling.key_choice import KeyChoice
from app.rolling.map_change import NO_CHANGE, MapChange
from app.rolling.roll_history import RollHistory
from app.rolling.roll_provider import RollProvider
from app.rolling.roll_setup import RollSetup
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base

WHOLE_MAP = "A roll here is a whole map: Roll replaces the one that is there."


class NextRoll:
    """Answers what the next roll onto the current map is, from the map as it is now."""

    def __init__(self, document: MapDocument, key_choice: KeyChoice, history: RollHistory) -> None:
        self._document = document
        self._key_choice = key_choice
        """The seed and number that the user types, and those on display."""
        self._history = history
        """The rolls that each layer had before."""
        self._providers: list[RollProvider] = []
        """The panels that can say what is rolled, the one that was added last first."""

    # --- what is rolled, and where it goes --------------------------------------------------

    def add_provider(self, provider: RollProvider) -> None:
        """Add a provider of setups; it comes before those that were added earlier."""
        self._providers.insert(0, provider)

    def provider(self) -> RollProvider:
        """Return the provider for the current map. Raises LookupError if there is none."""
        for provider in self._providers:
            if provider.serves_map():
                return provider
        raise LookupError("no provider serves the current map")

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a roll onto the current map, as ``RollProvider.setup``."""
        return self.provider().setup(key)

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return self._history.rolled_layer()

    def destination(self, change: MapChange = NO_CHANGE) -> LayerDestination:
        """Return where the next roll goes: in place of ``target()``, else into a new layer.

        ``change`` is made with the roll, as one undo step.
        """
        layer = self.target()
        if layer is None:
            return AboveLayer(self._document.active_layer_id, change)
        return InPlaceOf(layer.id, change)

    def base(self) -> Base:
        """Return the base from which the next roll would start."""
        base = self.destination().base(self._document.battlemap)
        return self.setup().base_with_binding_locks(base)

    # --- seed and number --------------------------------------------------------------------

    def key(self) -> DrawKey:
        """Return seed and number of the next map, by the first of these rules that applies.

        - What the user has typed into the fields.
        - Where chance chooses the seed: map 0 of a new seed.
        - Where nothing was rolled yet: the map on display.
        - After the roll of another script: map 0 of the seed on display.
        - Else the next number of the seed.
        """
        if self._key_choice.typed_key is not None:
            return self._key_choice.typed_key
        setup = self.setup()
        if self._key_choice.new_seed:
            return self.first_key_of_new_seed(setup)
        layer = self.target()
        if layer is None or layer.roll is None:
            return self._key_choice.key
        if not setup.has_script_of(layer.roll):
            return self._key_choice.key._replace(number=0)
        return self._history.next_key(layer, setup.text)

    def first_key_of_new_seed(self, setup: RollSetup) -> DrawKey:
        """Return map 0 of a seed that chance chooses among those of ``setup``."""
        return DrawKey(self._key_choice.choose_seed() % setup.behaviour.seed_count, 0)

    @property
    def has_key(self) -> bool:
        """True if the seed and number on display are those of the map or of its next roll.

        They are of neither where nothing was rolled or typed, and chance will choose the seed.
        """
        is_chosen = self._key_choice.typed_key is not None or not self._key_choice.new_seed
        return is_chosen or self.target() is not None

    # --- why it cannot be rolled ------------------------------------------------------------

    # Each of these returns a sentence for the user, or "" if nothing prevents the roll.

    def why_not(self) -> str:
        """Return why the program cannot roll the current map now, as text; "" if it can."""
        return self.provider().why_not()

    def why_not_begun(self) -> str:
        """Return why the user cannot begin a roll now, as text; "" if that can be done.

        A roll that the program cannot make alone is begun by asking for what it needs.
        """
        provider = self.provider()
        if provider.asker() is not None:
            return ""
        return provider.why_not()

    def why_not_new_layer(self) -> str:
        """Return why the next roll cannot be a new layer, as text; "" if it can.

        It cannot if the generator makes whole maps, of which one would hide the other.
        """
        layer = self.target()
        if layer is None:
            return ""
        is_source = layer is self._document.battlemap.source_layer
        if is_source or self.setup().behaviour.only_replaces_layer:
            return WHOLE_MAP
        return ""
