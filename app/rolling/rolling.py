"""Rolling for the desk: which map is rolled next, and the commands that roll it.

    rolling.add_provider(provider)         # says what is rolled: a script, or the form of a system
    rolling.key_choice.type_seed(17)
    rolling.roll()                         # seed 17 no. 0 replaces the rolled layer of the map

Four values make a request: the *setup* (generator and settings) comes from a provider, the *key*
(seed and number) from ``KeyChoice`` and the history of rolls, the *destination* from the layers of
the map, and the *base*, from which the roll starts, from the destination. Panels show and change
them; the commands below make a ``RollRequest`` of them, which ``RollRunner`` carries out::

    roll, roll_onto_new_layer    the next map
    roll_again, roll_same_map    the same map, from settings or a text that have changed
    roll_typed                   the map whose seed and number were entered
    step_back, step_forward      the maps that the layer showed before and after this one
    roll_chosen, roll_part       a map that was chosen among many; one layer of the map
    roll_onto                    a recipe that was pasted
    roll_by_force                the map of the last roll that failed, without regard to locks
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.undo_history import MergeKey
from app.qt_guard import connect, later
from app.rolling.destination import (
    AboveLayer,
    Destination,
    InPlaceOf,
    LayerDestination,
    NewMap,
)
from app.rolling.key_choice import random_seed
from app.rolling.map_change import NO_CHANGE, MapChange
from app.rolling.roll_history import key_of
from app.rolling.roll_provider import RollProvider
from app.rolling.roll_request import RollRequest
from app.rolling.roll_runner import RollRunner
from app.rolling.roll_setup import RollSetup
from app.rolling.size_question import SizeQuestion, first_answer
from app.rolling.variations import Variations
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base

FOLLOWED_AT_S = 0.0
"""The time that all undo steps have which follow a text, in seconds.

Steps are merged if they are close in time. With the same time for all none is too late, however
long a person thinks between two words.
"""

AFTER_LOADING = "It is rolled as soon as the other script is loaded"
BUSY_WITH_ROLL = "A roll is under way: paste the recipe once more when it has ended."
NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."
OTHER_MAP = "The roll was stopped: another map is current"
WHOLE_MAP = "A roll here is a whole map: Roll replaces the one that is there."


@dataclass(frozen=True)
class _ChosenRoll:
    """What a command wants to roll: the fields of a ``RollRequest``, mostly without the base.

    The base shows the map as it is when the roll begins. That is later than the command if the user
    has to unlock a layer for it.
    """

    destination: Destination
    setup: RollSetup
    key: DrawKey
    verb: str = "Roll"
    step_back_from: DrawKey | None = None
    forced: bool = False

    base: Base | None = None
    """The base of a recipe, which need not be that of the map; None for that of the map."""


class Rolling(RollRunner):
    """Chooses the next roll onto the current map, and rolls it when a command asks for it.

    The signals about a roll under way, and its state, are those of ``RollRunner``.
    """

    setup_changed = Signal()
    """``setup`` may return something else."""

    layers_changed = Signal()
    """``target()`` may return another layer."""

    about_to_roll = Signal()
    """The user asked for a roll: edits that wait, as of a field being typed in, are made now."""

    locked = Signal(object, object)
    """A roll would have replaced this ``Layer``, which is locked.

    The second argument is a function that starts that roll again.
    """

    def __init__(
        self,
        document: MapDocument,
        parent: QObject | None = None,
        *,
        choose_seed: Callable[[], int] = random_seed,
        ask_size: SizeQuestion = first_answer,
    ) -> None:
        super().__init__(document, parent, choose_seed=choose_seed, ask_size=ask_size)
        self.variations = Variations(document, self)
        """The variations that the gallery shows in place of the script's maps."""
        self._providers: list[RollProvider] = []
        """All providers, the one that was added last first."""
        self._current_map = document.current_map
        """The map that was current when ``_on_map_replaced`` was called last."""
        self._waiting_roll: Callable[[], None] | None = None
        """Starts the roll for which the user asked while another script was being loaded.

        None if none waits.
        """
        connect(document.roll_key_restored, self.key_choice.set_displayed)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, self._tell_layers)
        connect(document.map_replaced, self._on_map_replaced)
        connect(self.busy_changed, self._resume_waiting_roll)

    # --- setup, destination and base of the next roll ---------------------------------------

    def add_provider(self, provider: RollProvider) -> None:
        """Add a provider; it comes before those that were added earlier."""
        self._providers.insert(0, provider)
        connect(provider.setup_changed, self._on_setup_changed)
        self._on_setup_changed()

    def _provider(self) -> RollProvider:
        """Return the provider for the current map. Raises LookupError if there is none."""
        for provider in self._providers:
            if provider.serves_map():
                return provider
        raise LookupError("no provider serves the current map")

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a roll onto the current map, as ``RollProvider.setup``."""
        return self._provider().setup(key)

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return self.history.rolled_layer()

    def next_destination(self, change: MapChange = NO_CHANGE) -> LayerDestination:
        """Return the destination of the next roll: in place of ``target()``, else a new layer.

        ``change`` is made with the roll, as one undo step.
        """
        layer = self.target()
        if layer is None:
            return AboveLayer(self._document.active_layer_id, change)
        return InPlaceOf(layer.id, change)

    def next_base(self) -> Base:
        """Return the base from which the next roll would start."""
        base = self.next_destination().base(self._document.battlemap)
        return self.setup().locked_base(base)

    # --- seed and number of the next roll ---------------------------------------------------

    @property
    def has_key(self) -> bool:
        """True if seed and number say something of the map or of its next roll.

        They do not where nothing was rolled or typed and chance will choose the seed.
        """
        is_chosen = self.key_choice.typed_key is not None or not self.key_choice.new_seed
        return is_chosen or self.target() is not None

    def _next_key(self) -> DrawKey:
        """Return seed and number of the map that comes next."""
        # What the user has typed into the fields.
        if self.key_choice.typed_key is not None:
            return self.key_choice.typed_key
        # The first map of a seed chosen by chance.
        setup = self.setup()
        if self.key_choice.new_seed:
            return DrawKey(self.key_choice.choose_seed() % setup.seed_count, 0)
        # Where nothing was rolled: the map whose seed and number are displayed.
        layer = self.target()
        if layer is None or layer.roll is None:
            return self.key_choice.key
        # The next number of the seed; another script begins the seed anew.
        if not setup.has_script_of(layer.roll):
            return self.key_choice.key._replace(number=0)
        return self.history.next_key(layer, setup.text)

    # --- what can be done -------------------------------------------------------------------

    def why_not(self) -> str:
        """Return why the program cannot roll the current map now, as text; "" if it can."""
        return self._provider().why_not()

    def why_not_begun(self) -> str:
        """Return why the user cannot begin a roll now, as text; "" if that can be done.

        A roll that the program cannot make alone is begun by asking for what it needs.
        """
        provider = self._provider()
        if provider.asker() is not None:
            return ""
        return provider.why_not()

    def why_not_new_layer(self) -> str:
        """Return why the next roll cannot be a new layer, as text; "" if it can.

        It cannot if the generator makes whole maps, of which one would hide the other.
        """
        layer = self.target()
        is_whole_map = (
            self.setup().only_replaces_layer or layer is self._document.battlemap.source_layer
        )
        if layer is not None and is_whole_map:
            return WHOLE_MAP
        return ""

    def why_not_back(self) -> str:
        """Return why one cannot step back to an earlier map, as text; "" if one can."""
        why = self.why_not()
        if why:
            return why
        layer = self.target()
        if layer is None or self.history.previous_key(layer, self.setup().text) is None:
            return NO_EARLIER
        return ""

    def why_not_forward(self) -> str:
        """Return why one cannot step forward to the next map, as text; "" if one can."""
        why = self.why_not()
        if why:
            return why
        if self.target() is None:
            return NO_ROLL
        return ""

    # --- commands ---------------------------------------------------------------------------

    # A roll for which the user asks goes through ``_when_loaded``, and may ask for input first
    # (``_ask_for_input``). All commands end in ``_begin``, which makes the request and starts it.

    def roll(self) -> None:
        """Roll the next map: in the place of the roll that the map shows, else as a new layer.

        While another script is being loaded, this and the other rolls for which a user asks wait;
        only the last one is carried out.
        """
        self._when_loaded(self._roll_next)

    def _roll_next(self) -> None:
        if self._ask_for_input():
            return
        key = self._next_key()
        self._begin(_ChosenRoll(self.next_destination(), self.setup(key), key))

    def roll_onto_new_layer(self) -> None:
        """Roll the next map as a new layer above the active one."""
        self._when_loaded(self._roll_next_onto_new_layer)

    def _roll_next_onto_new_layer(self) -> None:
        why = self.why_not_new_layer()
        if why:
            self.message.emit(why)
            return
        if self._ask_for_input():
            return
        key = self._next_key()
        destination = AboveLayer(self._document.active_layer_id)
        self._begin(_ChosenRoll(destination, self.setup(key), key))

    def roll_again(self) -> None:
        """Roll the same seed and number again, with text and settings as they are now.

        If nothing was rolled yet this is the first roll.
        """
        layer = self.target()
        key = self.key_choice.typed_key
        if key is None and layer is not None:
            key = key_of(layer)
        if key is None:
            self.roll()
        else:
            self._roll_key(key)

    def roll_typed(self) -> None:
        """Roll the map whose seed and number a person has entered.

        Nothing is rolled if it is displayed already: a part that was rolled again on its own stays.
        """
        if self._is_displayed(self.key_choice.key):
            self.key_choice.forget_typed()
            return
        self._roll_key(self.key_choice.key)

    def _is_displayed(self, key: DrawKey) -> bool:
        """Return whether the rolled layer is the map with this key, of the script as it is now."""
        layer = self.target()
        if layer is None or layer.roll is None:
            return False
        return key_of(layer) == key and layer.roll.script == self.setup(key).text

    def _roll_key(self, key: DrawKey) -> None:
        """Roll the map with this key, or ask the user for what that needs."""
        self._when_loaded(partial(self._roll_loaded_key, key))

    def _roll_loaded_key(self, key: DrawKey) -> None:
        if self._ask_for_input():
            return
        self._begin(_ChosenRoll(self.next_destination(), self.setup(key), key))

    def _ask_for_input(self) -> bool:
        """Ask the user for what a roll needs, if anything, and return whether that is so.

        The provider goes on then: it rolls by itself once all is entered.
        """
        ask = self._provider().asker()
        if ask is None:
            return False
        # The fields are left while the user answers: a typed key is what is rolled afterwards.
        self.key_choice.enter_typed()
        ask()
        return True

    def roll_same_map(self, *, is_typed: bool) -> RollRequest | None:
        """Roll the rolled layer again, the same map, since its script is another one now.

        Return the request that was started, None if that is not possible.

        All rolls that follow a text while it ``is_typed`` are one undo step, however long a person
        thinks between two words.
        """
        layer = self.target()
        if layer is None:
            return None
        key = key_of(layer)
        setup = self.setup(key)
        destination = InPlaceOf(layer.id)
        if is_typed:
            merge = MergeKey(f"follow {layer.id}", FOLLOWED_AT_S)
            change = MapChange(merge=merge, title=f"Follow {setup.script_name}")
            destination = InPlaceOf(layer.id, change, is_typed=True)
        return self._begin(_ChosenRoll(destination, setup, key, "Follow"))

    def step_back(self) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before."""
        self._when_loaded(self._step_back_on_map)

    def _step_back_on_map(self) -> None:
        layer = self.target()
        if layer is None:
            return
        key = self.history.previous_key(layer, self.setup().text)
        if key is None:
            return
        chosen_roll = _ChosenRoll(
            InPlaceOf(layer.id),
            self._provider().setup_of_step(key),
            key,
            "Step back to",
            step_back_from=key_of(layer),
        )
        self._begin(chosen_roll)

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        self._when_loaded(self._step_forward_on_map)

    def _step_forward_on_map(self) -> None:
        layer = self.target()
        if layer is None:
            return
        key = self.history.following_key(layer, self.setup().text)
        setup = self._provider().setup_of_step(key)
        self._begin(_ChosenRoll(InPlaceOf(layer.id), setup, key, "Step on to"))

    def roll_chosen(
        self,
        key: DrawKey,
        setup: RollSetup | None = None,
        destination: Destination | None = None,
    ) -> None:
        """Roll a map that was chosen among many (under locks: the first from there on).

        ``setup`` and ``destination`` replace those of the request.
        """
        if destination is None:
            destination = self.next_destination()
        if setup is None:
            setup = self.setup(key)
        self._begin(_ChosenRoll(destination, setup, key, "Take"))

    def roll_onto(
        self, base: Base, destination: Destination, setup: RollSetup, key: DrawKey
    ) -> None:
        """Roll the map of a recipe onto ``base``, whose locks need not be those of the map."""
        self.cancel_typed()
        if self.busy:
            self.message.emit(BUSY_WITH_ROLL)
            return
        self._begin(_ChosenRoll(destination, setup, key, "Paste", base=base))

    def roll_part(self, layer: Layer, key: DrawKey, setup: RollSetup) -> None:
        """Roll one rolled layer again, and those above it that came with it."""
        self._begin(_ChosenRoll(InPlaceOf(layer.id), setup, key, f"{layer.name} of"))

    def request_change(self, change: MapChange, setup: RollSetup) -> RollRequest | None:
        """Return a request that rolls the map's source again, with a new text of its script.

        It rolls the same seed and number; text and roll are one undo step. None if the text has to
        go into the map alone: no layer of it is rolled from its script, that layer cannot be rolled
        (then the user is told why), or another roll is under way.
        """
        layer = self._document.battlemap.source_layer
        if layer is None or layer.roll is None:
            return None
        destination = InPlaceOf(layer.id, change, is_typed=True)
        return self._request_if_possible(_ChosenRoll(destination, setup, key_of(layer)))

    def request_new_map(
        self, battlemap: BattleMap, setup: RollSetup, *, replaces_map: bool = False
    ) -> RollRequest:
        """Return the request of map 0 of a new seed on an empty map, to be opened as a new map.

        ``replaces_map``: see ``NewMap``.
        """
        key = DrawKey(self.key_choice.choose_seed() % setup.seed_count, 0)
        destination = NewMap(battlemap, replaces_map=replaces_map)
        base = setup.locked_base(destination.base(battlemap))
        return RollRequest(setup, key, base, destination)

    def roll_by_force(self) -> None:
        """Roll the request again that failed for its locks; what is locked is put back by force."""
        request = self._refused
        if request is not None:
            self._begin(
                _ChosenRoll(request.destination, request.setup, request.key, "Force", forced=True)
            )

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """True if another script, or a new map, is on its way: the next roll waits for it."""
        return self.opens_map or self._provider().loading()

    def _when_loaded(self, roll: Callable[[], None]) -> None:
        """Call ``roll``, for which the user asks, now or when the script being loaded is there."""
        if self.loading:
            self._waiting_roll = roll
            self.message.emit(AFTER_LOADING)
            return
        self.about_to_roll.emit()
        roll()

    def _resume_waiting_roll(self) -> None:
        """Start the roll that waits for a script, from the event loop, if the script is loaded."""
        if self._waiting_roll is not None:
            later(self, self._roll_after_loading)  # the other script is put into the map first

    def _roll_after_loading(self) -> None:
        roll = self._waiting_roll
        if roll is None or self.loading or self.busy:
            return  # it was cancelled, or waits for a further script
        self._waiting_roll = None
        why = self.why_not_begun()
        if why:
            self.message.emit(why)
        else:
            self._when_loaded(roll)

    def cancel(self) -> None:
        """Cancel the roll under way, and the one that waits for a script; the map stays."""
        self._waiting_roll = None
        super().cancel()

    def tell_failure(self, request: RollRequest, reason: ProblemError) -> None:
        """Tell why a request could not be rolled; a roll that waits for a script is forgotten."""
        self._waiting_roll = None
        super().tell_failure(request, reason)

    # --- requests ---------------------------------------------------------------------------

    def _begin(self, chosen_roll: _ChosenRoll) -> RollRequest | None:
        """Start what a command wants to roll, and return its request; None if it cannot begin."""
        request = self._request_if_possible(chosen_roll)
        if request is not None:
            self.start(request)
        return request

    def _request_if_possible(self, chosen_roll: _ChosenRoll) -> RollRequest | None:
        """Make way for a roll and return its request; None if it cannot begin.

        It cannot while another roll is under way, unless that only follows a text: that one is
        cancelled. Nor can it if its destination cannot be rolled into; then the user is told why.
        """
        self.cancel_typed()
        if self.busy:
            return None  # a held key asks for rolls faster than some scripts roll
        if self._tell_why_not_into(chosen_roll):
            return None
        base = chosen_roll.base
        if base is None:
            battlemap = self._document.battlemap
            base = chosen_roll.setup.locked_base(chosen_roll.destination.base(battlemap))
        return RollRequest(
            chosen_roll.setup,
            chosen_roll.key,
            base,
            chosen_roll.destination,
            verb=chosen_roll.verb,
            step_back_from=chosen_roll.step_back_from,
            forced=chosen_roll.forced,
        )

    def _tell_why_not_into(self, chosen_roll: _ChosenRoll) -> bool:
        """Tell why a destination cannot be rolled into; return False if it can.

        If it need only be unlocked, a banner offers that (``locked``), and to roll after all.
        """
        battlemap = self._document.battlemap
        why = chosen_roll.destination.why_not(battlemap)
        if not why:
            return False
        self.message.emit(why)
        locked_layer = chosen_roll.destination.locked_layer(battlemap)
        if locked_layer is not None:
            self.locked.emit(locked_layer, partial(self._begin, chosen_roll))
        return True

    # --- another setup, layer or map --------------------------------------------------------

    def _on_setup_changed(self) -> None:
        """Tell of another setup; the script for which a roll waits may be loaded now."""
        self.setup_changed.emit()
        self.failure_message = ""
        self.enabled_changed.emit()
        self._resume_waiting_roll()

    def _tell_layers(self) -> None:
        self.layers_changed.emit()
        self.enabled_changed.emit()

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._tell_layers()

    def _on_map_replaced(self) -> None:
        """Take the seed and number of another current map, and store those of the previous one.

        A roll for the previous map is cancelled, and the history of its rolls forgotten.
        """
        if self.busy and self._current_map is not self._document.current_map:
            self.message.emit(OTHER_MAP)
        waiting_roll = self._waiting_roll
        self.cancel()
        if self.applying:
            # A roll has opened the map as its own: another one may have waited just for that.
            self._waiting_roll = waiting_roll
        self.history.clear()
        self.earlier_contents.clear()
        self._current_map = self._document.current_map
        self.key_choice.change_map(self._current_map)
        self.setup_changed.emit()
        self._tell_layers()
