"""Rolling for the desk: the commands that roll a map onto the current one.

    rolling.add_provider(provider)         # says what is rolled: a script, or the form of a system
    rolling.key_choice.type_seed(17)
    rolling.roll()                         # seed 17 no. 0 replaces the rolled layer of the map

``NextRoll`` answers what would be rolled, ``RollChoices`` and ``RollSteps`` work out what commands
roll, ``Rolling`` has the commands, and ``RollRunner``, its base class, carries out one request at a
time.
The commands::

    roll, roll_onto_new_layer    the next map
    roll_again, roll_same_map    the same map, from settings or a text that have changed
    roll_typed                   the map whose seed and number were entered
    step_back, step_forward      the maps that the layer showed before and after this one
    roll_chosen, roll_part       a map that was chosen among many; one layer of the map
    roll_onto                    a recipe that was pasted
    roll_by_force                the map of the last roll that failed, without regard to locks

Commands of the user go through four steps; those that come with a map of their own begin at the
third::

    _roll_when_loaded     waits while another script is being loaded
    _choose_...           asks the user for input if that is needed, else returns a ``ChosenRoll``
    _begin                makes a ``RollRequest`` of that
    RollRunner.start      rolls it in the background, and puts the result into the map
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.qt_guard import connect, later
from app.rolling.chosen_roll import ChosenRoll, ChosenSetting, RollChoices, forced_roll_of
from app.rolling.destination import Destination, InPlaceOf, NewMap
from app.rolling.key_choice import random_seed
from app.rolling.map_change import MapChange
from app.rolling.next_roll import NextRoll
from app.rolling.roll_history import key_of
from app.rolling.roll_provider import RollProvider
from app.rolling.roll_request import RollRequest
from app.rolling.roll_runner import RollRunner
from app.rolling.roll_setup import RollSetup
from app.rolling.roll_steps import RollSteps
from app.rolling.size_question import SizeQuestion, first_answer
from app.rolling.variations import VariationRequests, is_variation, original_of
from randomizer.forced_roll import can_be_forced
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base

AFTER_LOADING = "It is rolled as soon as the other script is loaded"
BUSY_WITH_ROLL = "A roll is under way: paste the recipe once more when it has ended."
OTHER_MAP = "The roll was stopped: another map is current"

ChooseRoll = Callable[[], ChosenRoll | None]
"""Works out which map to roll, from the map and the script as they are when it is called.

None if nothing is to be rolled: the user was asked for input first, or was told why not.
"""


class Rolling(RollRunner):
    """Rolls maps onto the current one when a command asks for it.

    From ``RollRunner`` come the signals about the roll under way, its state (``busy``, ``applying``
    and others), ``_document``, ``key_choice``, ``history`` and ``earlier_contents``. Its ``start``
    carries out a request, ``cancel_typed`` makes way for another one; ``cancel`` and
    ``tell_failure`` are extended here.
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
        self.next_roll = NextRoll(document, self.key_choice, self.history)
        """Answers what would be rolled next, and why it cannot be."""
        self._choices = RollChoices(document, self.next_roll)
        """Works out what the commands roll."""
        self.steps = RollSteps(document, self.next_roll, self.history)
        """Works out the steps back and forward, and why there are none."""
        self.variations = VariationRequests(document, self)
        """The requests for variations, which the gallery shows in place of the script's maps."""
        self._current_map = document.current_map
        """The map that was current when ``_on_map_replaced`` was called last."""
        self._waiting_roll: ChooseRoll | None = None
        """Chooses the roll for which the user asked while another script was being loaded.

        None if none waits.
        """
        self._refused_request: RollRequest | None = None
        """The last request if it failed since no map keeps the locks, else None."""
        connect(document.roll_key_restored, self.key_choice.set_displayed)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, self._tell_layers)
        connect(document.map_replaced, self._on_map_replaced)
        connect(self.busy_changed, self._resume_waiting_roll)
        connect(self.started, self._forget_refused_request)

    def add_provider(self, provider: RollProvider) -> None:
        """Add a provider of setups; it comes before those that were added earlier."""
        self.next_roll.add_provider(provider)
        connect(provider.setup_changed, self._on_setup_changed)
        self._on_setup_changed()

    # The answers of ``NextRoll`` that panels ask for most.

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a roll onto the current map, as ``RollProvider.setup``."""
        return self.next_roll.setup(key)

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return self.next_roll.target()

    @property
    def is_variation_target(self) -> bool:
        """True if ``target()`` is the layer of a variation."""
        target = self.target()
        if target is None or target.roll is None:
            return False
        return is_variation(self._document.battlemap.system, target.roll)

    def original_of_target(self) -> Layer | None:
        """Return the rolled layer of which ``target()`` is a variation, None if it is of none."""
        target = self.target()
        if target is None or not self.is_variation_target:
            return None
        return original_of(self._document.battlemap, target)

    def next_base(self) -> Base:
        """Return the base from which the next roll would start."""
        return self.next_roll.base()

    # --- commands that wait while a script is being loaded ----------------------------------

    def roll(self) -> None:
        """Roll the next map: in the place of the roll that the map shows, else as a new layer.

        While another script is being loaded, this and the other rolls for which a user asks wait;
        only the last one is carried out.
        """
        self._roll_when_loaded(self._choose_next)

    def _choose_next(self) -> ChosenRoll | None:
        """Return the roll of the next map; None if the user is asked for input first."""
        if self._ask_for_input():
            return None
        return self._choices.next_map()

    def roll_onto_new_layer(self) -> None:
        """Roll the next map as a new layer above the active one."""
        self._roll_when_loaded(self._choose_next_onto_new_layer)

    def _choose_next_onto_new_layer(self) -> ChosenRoll | None:
        """Return the roll of the next map as a new layer; None also if that cannot be."""
        why = self.next_roll.why_not_new_layer()
        if why:
            self.message.emit(why)
            return None
        if self._ask_for_input():
            return None
        return self._choices.next_map_on_new_layer()

    def roll_again(self) -> None:
        """Roll the same seed and number again, with text and settings as they are now.

        If nothing was rolled yet this is the first roll. A variation is replaced by the map of
        which it is one.
        """
        layer = self.target()
        if self.is_variation_target:
            layer = self.original_of_target()
        key = self.key_choice.typed_key
        if key is None and layer is not None:
            key = key_of(layer)
        if key is None:
            self.roll()
        else:
            self._roll_when_loaded(partial(self._choose_key, key))

    def roll_typed(self) -> None:
        """Roll the map whose seed and number a person has entered.

        Nothing is rolled if it is displayed already: a part that was rolled again on its own stays.
        """
        key = self.key_choice.key
        if self._is_displayed(key):
            self.key_choice.forget_typed()
            return
        self._roll_when_loaded(partial(self._choose_key, key))

    def _is_displayed(self, key: DrawKey) -> bool:
        """Return whether the rolled layer is the map with this key, of the script as it is now."""
        layer = self.target()
        if layer is None or layer.roll is None:
            return False
        return key_of(layer) == key and layer.roll.script == self.setup(key).text

    def _choose_key(self, key: DrawKey) -> ChosenRoll | None:
        """Return the roll of the map with this key; None if the user is asked for input first."""
        if self._ask_for_input():
            return None
        return self._choices.map_of_key(key)

    def _ask_for_input(self) -> bool:
        """Ask the user for what a roll needs, if anything, and return whether that is so.

        The provider goes on then: it rolls by itself once all is entered.
        """
        ask = self.next_roll.provider().asker()
        if ask is None:
            return False
        # The fields are left while the user answers: a typed key is what is rolled afterwards.
        self.key_choice.enter_typed()
        ask()
        return True

    def step_back(self) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before.

        The first variation of a map is taken off it.
        """
        self._roll_when_loaded(self._choose_earlier)

    def _choose_earlier(self) -> ChosenRoll | None:
        """Return the roll of the map before; None if nothing need be rolled for it."""
        variation = self.steps.variation_to_remove()
        if variation is None:
            return self.steps.earlier_map()
        self.cancel_typed()
        if not self.busy:
            self.steps.remove_variation(variation)
            if self.steps.variation_to_restore() is not None:
                self.message.emit(f"{variation.name} is taken off the map; Next roll puts it back")
        return None

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next.

        A variation that a step back took off the map is put back.
        """
        self._roll_when_loaded(self._choose_later)

    def _choose_later(self) -> ChosenRoll | None:
        """Return the roll of the map after this; None if nothing need be rolled for it."""
        removed_variation = self.steps.variation_to_restore()
        if removed_variation is None:
            return self.steps.later_map()
        self.cancel_typed()
        if not self.busy:
            self.steps.restore_variation(removed_variation)
            self.message.emit(f"{removed_variation.layer.name} is on the map again")
        return None

    # --- commands that are carried out at once ----------------------------------------------

    def roll_same_map(
        self, *, is_typed: bool, setting: ChosenSetting | None = None
    ) -> RollRequest | None:
        """Roll the rolled layer again, the same map, since its script is another one now.

        Return the request that was started, None if that is not possible. What follows a text while
        it ``is_typed`` is one undo step; the choice of another ``setting`` is a step of its own.
        """
        layer = self.target()
        if layer is None:
            return None
        return self._begin(self._choices.same_map(layer, is_typed=is_typed, setting=setting))

    def roll_chosen(
        self,
        key: DrawKey,
        setup: RollSetup | None = None,
        destination: Destination | None = None,
    ) -> None:
        """Roll a map that was chosen among many, such as the pictures of the gallery.

        If it does not keep the locks of the current map, the next number of its seed that does is
        rolled instead. ``setup`` and ``destination`` are those of the next roll where they are
        None.
        """
        if destination is None:
            destination = self.next_roll.destination()
        if setup is None:
            setup = self.setup(key)
        self._begin(ChosenRoll(destination, setup, key, verb="Take"))

    def roll_onto(
        self, base: Base, destination: Destination, setup: RollSetup, key: DrawKey
    ) -> None:
        """Roll the map of a recipe onto ``base``, whose locks need not be those of the map."""
        self.cancel_typed()
        if self.busy:
            self.message.emit(BUSY_WITH_ROLL)
            return
        self._begin(ChosenRoll(destination, setup, key, verb="Paste", base_of_recipe=base))

    def roll_part(self, layer: Layer, key: DrawKey, setup: RollSetup) -> None:
        """Roll one rolled layer again, and those above it that came with it."""
        self._begin(ChosenRoll(InPlaceOf(layer.id), setup, key, verb=f"{layer.name} of"))

    def roll_by_force(self) -> None:
        """Roll the request again that failed for its locks; what is locked is put back by force."""
        if self._refused_request is not None:
            self._begin(forced_roll_of(self._refused_request))

    # --- requests that the caller carries out -----------------------------------------------

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
        return self._request_if_possible(ChosenRoll(destination, setup, key_of(layer)))

    def request_new_map(
        self, battlemap: BattleMap, setup: RollSetup, *, replaces_map: bool = False
    ) -> RollRequest:
        """Return the request of map 0 of a new seed on an empty map, to be opened as a new map.

        ``replaces_map``: see ``NewMap``.
        """
        key = self.next_roll.first_key_of_new_seed(setup)
        destination = NewMap(battlemap, replaces_map=replaces_map)
        base = setup.base_with_binding_locks(destination.base(battlemap))
        return RollRequest(setup, key, base, destination)

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """True if another script, or a new map, is on its way: the next roll waits for it."""
        return self.opens_map or self.next_roll.provider().loading()

    def _roll_when_loaded(self, choose: ChooseRoll) -> None:
        """Roll what ``choose`` returns, now or when the script that is being loaded is there."""
        if self.loading:
            self._waiting_roll = choose
            self.message.emit(AFTER_LOADING)
            return
        self.about_to_roll.emit()
        chosen_roll = choose()
        if chosen_roll is not None:
            self._begin(chosen_roll)

    def _resume_waiting_roll(self) -> None:
        """Start the roll that waits for a script, from the event loop, if the script is loaded."""
        if self._waiting_roll is not None:
            later(self, self._roll_after_loading)  # the other script is put into the map first

    def _roll_after_loading(self) -> None:
        choose = self._waiting_roll
        if choose is None or self.loading or self.busy:
            return  # the roll was cancelled, or waits for a further script
        self._waiting_roll = None
        why = self.next_roll.why_not_begun()
        if why:
            self.message.emit(why)
        else:
            self._roll_when_loaded(choose)

    def cancel(self) -> None:
        """Cancel the roll under way, and the one that waits for a script; the map stays."""
        self._waiting_roll = None
        super().cancel()

    # --- from a chosen roll to its request --------------------------------------------------

    def _begin(self, chosen_roll: ChosenRoll) -> RollRequest | None:
        """Start what a command wants to roll, and return its request; None if it cannot begin."""
        request = self._request_if_possible(chosen_roll)
        if request is not None:
            self.start(request)
        return request

    def _request_if_possible(self, chosen_roll: ChosenRoll) -> RollRequest | None:
        """Make way for a roll and return its request; None if it cannot begin.

        It cannot while another roll is under way, unless that only follows a text: that one is
        cancelled. Nor can it if its destination cannot be rolled into; then the user is told why.
        """
        self.cancel_typed()
        if self.busy:
            return None  # a held key asks for rolls faster than some scripts roll
        battlemap = self._document.battlemap
        why = chosen_roll.destination.why_not(battlemap)
        if why:
            self._tell_why_not(chosen_roll, why)
            return None
        return chosen_roll.request(battlemap)

    def _tell_why_not(self, chosen_roll: ChosenRoll, why: str) -> None:
        """Tell why a destination cannot be rolled into.

        If it need only be unlocked, a banner offers that (``locked``), and to roll after all.
        """
        self.message.emit(why)
        locked_layer = chosen_roll.destination.locked_layer(self._document.battlemap)
        if locked_layer is not None:
            self.locked.emit(locked_layer, partial(self._begin, chosen_roll))

    def tell_failure(self, request: RollRequest, reason: ProblemError) -> None:
        """Tell why a request could not be rolled; a roll that waits for a script is forgotten."""
        self._waiting_roll = None
        if can_be_forced(reason.problems):
            self._refused_request = request
        super().tell_failure(request, reason)

    def _forget_refused_request(self) -> None:
        self._refused_request = None

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
        """Show the seed and number of another current map, and store those of the previous one.

        A roll for the previous map is cancelled, and the history of its rolls forgotten.
        """
        if self.busy and self._current_map is not self._document.current_map:
            self.message.emit(OTHER_MAP)
        if not self.applying:
            self._waiting_roll = None
        # Else a roll has opened the map as its own, and the other one may wait just for that.
        super().cancel()
        self.history.clear()
        self.earlier_contents.clear()
        self._current_map = self._document.current_map
        self.key_choice.change_map(self._current_map)
        self.setup_changed.emit()
        self._tell_layers()
