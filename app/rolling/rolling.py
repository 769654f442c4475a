"""Rolling for the desk: one request, shown and changed by panels; results become undo steps.

    rolling.add_provider(provider)    # says what is rolled: a script, or the form of a system
    rolling.type_seed(17)
    rolling.roll()                    # a RollRequest, carried out on a job's thread

Commands call the methods under "rolling"; each makes a ``RollRequest``, which ``carry_out`` rolls
and puts into the map. Only one is under way at a time.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from app.background.actions import Stopped, pause, result, run
from app.background.jobs import Job
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.document.undo_history import MergeKey, RollState
from app.qt_guard import connect, later
from app.rolling.destination import Destination, MapChange
from app.rolling.finished_roll import FinishedRoll
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_request import RollRequest
from app.rolling.roll_setup import RollProvider, RollSetup
from app.rolling.variations import Variations
from randomizer.forced_roll import can_be_forced
from randomizer.generator import DrawKey, Progress
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.log_line import LogLine
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import rolled_layer
from randomizer.roll_base import Base
from randomizer.storage.records.deflated_parts import deflate_layers

WAIT_MS = 40
"""The pause after which a finished roll looks again whether a stroke of the brush has ended."""

SLOW_AFTER_MS = 120
"""A roll that takes longer is slow: its progress is shown. Most are over before."""

FOLLOWED_AT_S = 0.0
"""The time of all undo steps that follow a text, in seconds: so none is too late to be merged."""


class SizeAnswer(Enum):
    """What becomes of a roll whose size or shape is not that of the map."""

    CHANGE_MAP = "&Change the map"
    OPEN_MAP = "&Open as a new map"


SizeQuestion = Callable[[str, Sequence[SizeAnswer]], Awaitable[SizeAnswer | None]]
"""Asks what becomes of a roll whose size differs from that of the map in the way that the text
says. It gets the answers that are possible, and returns one of them, or None for no roll."""

SIZE_KEPT = "Not rolled: the map keeps its size and shape"
AFTER_LOADING = "It is rolled as soon as the other script is loaded"
NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."
WHOLE_MAP = "A roll here is a whole map: Roll replaces the one that is there."
OTHER_SIZE = "Size and shape of the map wait for the next roll: Roll changes them."


def _random_seed() -> int:
    return secrets.randbelow(SEED_LIMIT)


async def _agree(_text: str, answers: Sequence[SizeAnswer]) -> SizeAnswer:
    """Answer a question about the size of the map where nobody can be asked."""
    return answers[0]


class Rolling(QObject):
    """Owns the request of the next roll onto the current map, and carries out rolls, one at a time.

    The request is the setup of the current provider, ``state`` (seed and number) and ``new_seed``
    (True if Roll takes a seed by chance). Its layer follows from the document.
    """

    setup_changed = Signal()
    """``setup`` may return something else."""

    state_changed = Signal()
    """``state`` has changed."""

    new_seed_changed = Signal(bool)
    """``new_seed`` has changed, to this."""

    layers_changed = Signal()
    """``target()`` may return another layer."""

    enabled_changed = Signal()
    """``why_not()``, ``why_not_back()``, ``why_not_forward()`` or ``slow`` may have changed.

    It is emitted after the other signals about the same change.
    """

    about_to_roll = Signal()
    """The user asked for a roll: edits that wait, as of a field being typed in, are made now."""

    started = Signal(object)
    """A roll has begun: its ``RollRequest``."""

    busy_changed = Signal(bool)
    """``busy`` has changed, to this."""

    slow_changed = Signal(bool)
    """``slow`` has changed, to this."""

    progressed = Signal(int)
    """The progress of the roll under way: 1 to 100, 0 for unknown."""

    finished = Signal(object)
    """The result of this ``RollRequest`` is in the map, or opened as a map."""

    failed = Signal(object, object)
    """A ``RollRequest`` could not be carried out, for these problems (the second argument)."""

    rolled = Signal(str)
    """A roll that the user asked for is in the map: this sentence says what, and in which layer."""

    reported = Signal(object)
    """The problems for which the last roll failed, or its notes; () when one begins."""

    logged = Signal(object)
    """The output of the script of the last roll, a tuple of ``LogLine``.

    It is the last signal about a roll.
    """

    map_kept = Signal()
    """The current map stays as it is: a roll meant for it is about to open as a new map."""

    locked = Signal(object, object)
    """A roll would have replaced this ``Layer``, which is locked.

    The second argument is a function that starts that roll again.
    """

    message = Signal(str)
    """A sentence for the status line."""

    def __init__(
        self,
        document: MapDocument,
        parent: QObject | None = None,
        *,
        choose_seed: Callable[[], int] = _random_seed,
        ask_size: SizeQuestion = _agree,
    ) -> None:
        super().__init__(parent)
        self._ask_size = ask_size
        self._document = document
        self.choose_seed = choose_seed
        """Returns a number from which a new seed is made; tests replace it by known numbers."""
        self._providers: list[RollProvider] = []
        self._state = RollState()
        """Seed and number of the map that was rolled last."""
        self._typed_key: DrawKey | None = None
        """The seed and number being typed in a field, not entered yet; None while none is."""
        self._new_seed = True
        self._states: WeakKeyDictionary[OpenMap, RollState] = WeakKeyDictionary()
        """The seeds and numbers of the open maps that were current before, by map."""
        self._current_map = document.current_map
        """The map whose seed and number ``_state`` is."""
        self.history = RollHistory(document, self.target)
        """The earlier rolls of the map's layers."""
        self.variations = Variations(document, self)
        """The variations that the gallery shows in place of the script's maps."""
        self._request: RollRequest | None = None
        """The roll under way, None without one."""
        self._job: Job | None = None
        """The job that rolls it, None without a roll or after its end."""
        self._refused: RollRequest | None = None
        """The last request if it failed for its locks, for ``force``."""
        self._after_loading: Callable[[], None] | None = None
        """The roll for which the user asked while another script was being loaded, else None."""
        self.failure_message = ""
        """The message of the last roll that failed, until the setup changes."""
        self.slow = False
        """True if the roll under way takes long enough for its progress to be shown."""
        self.roll_seconds = 0.0
        """How long the generator has worked on the last map; 0.0 before the first one."""
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_AFTER_MS)
        self.applying = False
        """True while a roll is being put into its place."""
        connect(self._slow_timer.timeout, self._on_slow)
        connect(document.roll_state_restored, self.set_state)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, self._tell_layers)
        connect(document.map_replaced, self._on_map_replaced)

    # --- the request: setup ----------------------------------------------------------------

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
        is_whole_map = self.setup().replaces or layer is self._document.battlemap.source_layer
        if layer is not None and is_whole_map:
            return WHOLE_MAP
        return ""

    def why_not_back(self) -> str:
        """Return why one cannot step back to an earlier map, as text; "" if one can."""
        why = self.why_not()
        if why:
            return why
        layer = self.target()
        if layer is None or self.history.previous_key(layer) is None:
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

    def _on_setup_changed(self) -> None:
        """Tell of another setup; the script for which a roll waits may be loaded now."""
        self.setup_changed.emit()
        self.failure_message = ""
        self.enabled_changed.emit()
        self._resume_waiting_roll()

    # --- the request: seed and number -------------------------------------------------------

    @property
    def state(self) -> RollState:
        """Seed and number of the request: those being typed, else those that are displayed."""
        if self._typed_key is None:
            return self._state
        return RollState(*self._typed_key)

    @property
    def has_key(self) -> bool:
        """True if ``state`` says something of the map or of its next roll.

        It does not where nothing was rolled or typed and chance will choose the seed.
        """
        return self._typed_key is not None or not self._new_seed or self.target() is not None

    @property
    def key(self) -> DrawKey:
        """``state`` as a ``DrawKey``."""
        return DrawKey(*self.state)

    def set_state(self, state: RollState) -> None:
        """Set the seed and number of the map on display, and forget those being typed."""
        previous_state = self.state
        self._state = state
        self._typed_key = None
        if state != previous_state:
            self.state_changed.emit()

    def type_seed(self, seed: int) -> None:
        """Note the seed that a person is typing: the next roll is its map 0."""
        self._type_key(DrawKey(seed, 0))

    def type_number(self, number: int) -> None:
        """Note the map number that a person is typing: the next roll is this map."""
        self._type_key(DrawKey(self.state.seed, number))

    def _type_key(self, key: DrawKey) -> None:
        previous_state = self.state
        self._typed_key = key
        if self.state != previous_state:
            self.state_changed.emit()

    def forget_typed(self) -> None:
        """Request the seed and number on display: a field was left without Enter."""
        self.set_state(self._state)

    @property
    def new_seed(self) -> bool:
        """True if chance chooses the seed of each roll."""
        return self._new_seed

    def set_new_seed(self, new_seed: bool) -> None:
        """Let chance choose the seed of each roll, or take the next number of the seed."""
        if new_seed != self._new_seed:
            self._new_seed = new_seed
            self.new_seed_changed.emit(new_seed)

    # --- the request: where it goes ---------------------------------------------------------

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces (``rolled_layers.rolled_layer``)."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def next_destination(self) -> Destination:
        """Return the destination of the next roll: in place of ``target()``, else a new layer."""
        layer = self.target()
        if layer is None:
            return Destination.above(self._document.active_layer_id)
        return Destination.in_place_of(layer.id)

    def next_base(self) -> Base:
        """Return the base from which the next roll would start."""
        base = self.next_destination().base(self._document.battlemap)
        return self.setup().locked_base(base)

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
            self.message.emit("The roll was stopped: another map is current")
        self.cancel()
        self.history.clear()
        self._states[self._current_map] = self._state
        self._typed_key = None
        self._current_map = self._document.current_map
        self.set_state(self._states.get(self._current_map, self._state))
        self.setup_changed.emit()
        self._tell_layers()

    def _next_key(self) -> DrawKey:
        """Return seed and number of the map that comes next.

        That is the one being typed, else map 0 of a seed chosen by chance, else the next number of
        the seed. The maps of another script, and the first roll, begin anew.
        """
        if self._typed_key is not None:
            return self._typed_key
        setup = self.setup()
        if self._new_seed:
            return DrawKey(self.choose_seed() % setup.seeds, 0)
        layer = self.target()
        if layer is None or layer.roll is None:
            return self.key
        if not setup.has_script_of(layer.roll):
            return self.key._replace(number=0)
        return self.history.next_number(layer, setup.text)

    # --- rolling ----------------------------------------------------------------------------

    def roll(self) -> None:
        """Roll the next map: in the place of the roll that the map shows, else as a new layer.

        While another script is being loaded, this and the other rolls for which a user asks wait;
        only the last one is carried out.
        """
        if self._defer_while_loading(self.roll) or self._ask_for_input():
            return
        key = self._next_key()
        self._start(self.next_destination(), self.setup(key), key)

    def roll_onto_new_layer(self) -> None:
        """Roll the next map as a new layer above the active one."""
        if self._defer_while_loading(self.roll_onto_new_layer) or self._ask_for_input():
            return
        why = self.why_not_new_layer()
        if why:
            self.message.emit(why)
            return
        key = self._next_key()
        destination = Destination.above(self._document.active_layer_id)
        self._start(destination, self.setup(key), key)

    def roll_again(self) -> None:
        """Roll the same seed and number again, with text and settings as they are now.

        If nothing was rolled yet this is the first roll.
        """
        layer = self.target()
        key = self._typed_key
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
        if self._is_displayed(self.key):
            self.forget_typed()
            return
        self._roll_key(self.key)

    def _is_displayed(self, key: DrawKey) -> bool:
        """Return whether the rolled layer is the map with this key, of the script as it is now."""
        layer = self.target()
        if layer is None or layer.roll is None:
            return False
        return key_of(layer) == key and layer.roll.script == self.setup(key).text

    def _roll_key(self, key: DrawKey) -> None:
        """Roll the map with this key, or ask the user for what that needs."""
        if self._defer_while_loading(partial(self._roll_key, key)) or self._ask_for_input():
            return
        self._start(self.next_destination(), self.setup(key), key)

    def _ask_for_input(self) -> bool:
        """Ask the user for what a roll needs; return False if it needs nothing."""
        ask = self._provider().asker()
        if ask is None:
            return False
        self.set_state(self.state)  # a typed key is the one that is rolled once all is entered
        ask()
        return True

    def follow(self, *, is_typed: bool) -> None:
        """Roll the rolled layer again, the same map, since its script is another one now.

        All rolls that follow a text while it ``is_typed`` are one undo step, however long a person
        thinks between two words.
        """
        layer = self.target()
        if layer is None:
            return
        key = key_of(layer)
        setup = self.setup(key)
        destination = Destination.in_place_of(layer.id)
        if is_typed:
            merge = MergeKey(f"follow {layer.id}", FOLLOWED_AT_S)
            change = MapChange(merge=merge, title=f"Follow {setup.script_name}")
            destination = replace(destination, change=change, is_typed=True)
        self._start(destination, setup, key, "Follow")

    def step_back(self) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before."""
        if self._defer_while_loading(self.step_back):
            return
        layer = self.target()
        if layer is None:
            return
        key = self.history.previous_key(layer)
        if key is not None:
            destination = Destination.in_place_of(layer.id)
            setup = self._provider().setup_of_step(key)
            self._start(destination, setup, key, "Step back to", back=key_of(layer))

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        if self._defer_while_loading(self.step_forward):
            return
        layer = self.target()
        if layer is not None:
            key = self.history.following_key(layer, self.setup().text)
            destination = Destination.in_place_of(layer.id)
            setup = self._provider().setup_of_step(key)
            self._start(destination, setup, key, "Step on to")

    def take(
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
        self._start(destination, setup, key, "Take")

    def roll_onto(
        self, base: Base, destination: Destination, setup: RollSetup, key: DrawKey
    ) -> None:
        """Roll one map onto ``base``, whose locks need not be those of the map."""
        if self.busy:
            self.message.emit("A roll is under way: paste the recipe once more when it has ended.")
        self._start(destination, setup, key, "Paste", base=base)

    def take_part(self, layer: Layer, key: DrawKey, setup: RollSetup) -> None:
        """Roll one rolled layer again, and those above it that came with it."""
        self._start(Destination.in_place_of(layer.id), setup, key, f"{layer.name} of")

    def request_change(self, change: MapChange, setup: RollSetup) -> RollRequest | None:
        """Return the request of the map's source, the same map, from the new text of its script.

        Text and roll are one undo step. None if no layer of the map can be rolled for that, or
        another roll is under way.
        """
        layer = self._document.battlemap.source_layer
        if layer is None or layer.roll is None:
            return None
        destination = Destination(replaced=layer.id, change=change, is_typed=True)
        return self._request_for(destination, setup, key_of(layer))

    def request_new_map(
        self, battlemap: BattleMap, setup: RollSetup, *, replaces_map: bool = False
    ) -> RollRequest:
        """Return the request of map 0 of a new seed on an empty map, to be opened as a new map.

        ``replaces_map``: see ``Destination``.
        """
        key = DrawKey(self.choose_seed() % setup.seeds, 0)
        destination = Destination.as_new_map(battlemap, replaces_map=replaces_map)
        base = setup.locked_base(destination.base(battlemap))
        return RollRequest(setup, key, base, destination)

    def force(self) -> None:
        """Roll the request again that failed for its locks; what is locked is put back by force."""
        request = self._refused
        if request is not None:
            self._start(request.destination, request.setup, request.key, "Force", forced=True)

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """True if another script, or a new map, is on its way: the next roll waits for it."""
        opens_map = self._request is not None and self._request.destination.opens_map
        return opens_map or self._provider().loading()

    def _defer_while_loading(self, roll: Callable[[], None]) -> bool:
        """Let a roll, for which the user asks, wait while another script is being loaded.

        Return True if it waits: ``roll`` is called once the script is loaded. If it need not wait,
        ``about_to_roll`` is emitted and the result is False.
        """
        if not self.loading:
            self.about_to_roll.emit()
            return False
        self._after_loading = roll
        self.message.emit(AFTER_LOADING)
        return True

    def _resume_waiting_roll(self) -> None:
        """Start the roll that waits for a script, from the event loop, if the script is loaded."""
        if self._after_loading is not None:
            later(self, self._roll_after_loading)  # the other script is put into the map first

    def _roll_after_loading(self) -> None:
        roll = self._after_loading
        if roll is not None and not self.loading and not self.busy:
            self._after_loading = None
            if not self.why_not_begun():
                roll()

    # --- the roll under way -----------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True if a roll is under way."""
        return self._request is not None

    @property
    def searching(self) -> bool:
        """True if map after map is tried for one that keeps the locks."""
        return self._request is not None and self._request.searches

    def _start(
        self,
        destination: Destination,
        setup: RollSetup,
        key: DrawKey,
        verb: str = "Roll",
        *,
        back: DrawKey | None = None,
        forced: bool = False,
        base: Base | None = None,
    ) -> None:
        """Start a roll, unless ``_request_for`` refuses it; the arguments are the same."""
        request = self._request_for(
            destination, setup, key, verb, back=back, forced=forced, base=base
        )
        if request is not None:
            run(self._roll_and_tell(request))

    def _request_for(
        self,
        destination: Destination,
        setup: RollSetup,
        key: DrawKey,
        verb: str = "Roll",
        *,
        back: DrawKey | None = None,
        forced: bool = False,
        base: Base | None = None,
    ) -> RollRequest | None:
        """Return a request; None if a roll is under way, or none can go to the destination.

        The user is told why none can go there. The arguments are those of ``RollRequest``;
        ``base`` is that of the destination if None.
        """
        if self._request is not None:
            # A held key asks for rolls faster than some scripts roll: they are no requests.
            if not self._request.destination.only_shows_text:
                return None
            # A roll that only shows a text while it is typed makes way for any other.
            self._drop(self._request)
        battlemap = self._document.battlemap
        why = destination.why_not(battlemap)
        if why:
            self.message.emit(why)
            locked_layer = destination.locked_layer(battlemap)
            if locked_layer is not None:
                retry = partial(self._start, destination, setup, key, verb, back=back)
                self.locked.emit(locked_layer, retry)
            return None
        if base is None:
            base = setup.locked_base(destination.base(battlemap))
        return RollRequest(setup, key, base, destination, verb, back, forced)

    async def _roll_and_tell(self, request: RollRequest) -> None:
        try:
            await self.carry_out(request)
        except ProblemError as reason:
            self.tell_failure(request, reason)

    async def carry_out(self, request: RollRequest) -> None:
        """Roll a request, and put the result into its destination, as one undo step.

        Before it is put there, the stroke of the brush under way has to end, and the user is asked
        about a size that is not that of the map. Raises ProblemError if the roll fails; the caller
        then calls ``tell_failure``. Raises Stopped if the roll is cancelled, or cannot go there any
        more.
        """
        self._request = request
        try:
            generated = await self._generate(request)
            await self._wait_for_stroke(request)
            opens_map = await self._ask_about_size(request, generated)
        finally:
            if isValid(self):
                self._drop(request)
        try:
            self._put(FinishedRoll(request, generated, self._state, opens_map))
        except ProblemError as reason:
            raise ProblemError(reason.problems, generated.log) from None
        self.logged.emit(generated.log)

    async def _generate(self, request: RollRequest) -> Generated:
        """Run the generator on a job's thread, and return its result.

        Raises ProblemError, with the log of the script, and Stopped.
        """
        log: list[LogLine] = []

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
            try:
                generated = request.roll(progress, cancelled)
            except ProblemError as reason:
                log.extend(reason.log)
                raise
            if generated is not None:
                deflate_layers(generated.layers)
            return generated

        self._refused = None
        self.started.emit(request)
        self.reported.emit(())
        # Without a parent: a job outlives its owner until its thread has ended.
        self._job = Job(work)
        connect(self._job.progressed, self.progressed)
        self._slow_timer.start()
        start_time = time.monotonic()
        self.busy_changed.emit(True)
        try:
            generated: Generated = await result(self._job)
        except ProblemError as reason:
            self._check_under_way(request)
            raise ProblemError(reason.problems, tuple(log)) from None
        self._check_under_way(request)
        self.roll_seconds = time.monotonic() - start_time
        return generated

    async def _wait_for_stroke(self, request: RollRequest) -> None:
        """Wait until the user has ended the stroke under way. Raises Stopped."""
        document = self._document
        while document.in_stroke and not document.in_preview:
            await pause(self, WAIT_MS)
            self._check_under_way(request)

    async def _ask_about_size(self, request: RollRequest, generated: Generated) -> bool:
        """Ask what becomes of a roll of another size than the map, if it has one.

        Return whether the roll is opened as a new map. Raises Stopped if it goes nowhere.
        """
        destination = request.destination
        battlemap = self._document.battlemap
        if destination.why_not(battlemap, request.base):
            return False  # ``_put`` tells the reason
        other_size = destination.other_size(battlemap, generated)
        if not other_size:
            return False
        if destination.only_shows_text:
            self.cancel()
            self.message.emit(OTHER_SIZE)
            raise Stopped
        answers: list[SizeAnswer] = []
        if destination.fits(battlemap, generated):
            answers.append(SizeAnswer.CHANGE_MAP)
        if not destination.is_typed:  # a text that is typed belongs to this map
            answers.append(SizeAnswer.OPEN_MAP)
        if not answers:
            return False  # ``_put`` tells the reason
        answer = await self._ask_size(other_size, answers)
        self._check_under_way(request)
        if answer is None:
            self.cancel()
            self.message.emit(SIZE_KEPT)
            raise Stopped
        return answer is SizeAnswer.OPEN_MAP

    def _check_under_way(self, request: RollRequest) -> None:
        """Raise Stopped if a roll was dropped, or this object was deleted with its window."""
        if not isValid(self) or self._request is not request:
            raise Stopped

    def cancel(self) -> None:
        """Drop the roll under way, and the one that waits for a script; the map stays as it is."""
        self._after_loading = None
        if self._request is not None:
            self._drop(self._request)

    def _drop(self, request: RollRequest) -> None:
        """Let a roll be no longer under way; its job is cancelled if it still runs."""
        if self._request is not request:
            return
        if self._job is not None:
            self._job.cancel()
        self._request = None
        self._job = None
        self._set_slow(False)
        self.busy_changed.emit(False)
        self._resume_waiting_roll()

    def _on_slow(self) -> None:
        self._set_slow(True)

    def _set_slow(self, slow: bool) -> None:
        """Set ``slow``; the timer that sets it later is stopped."""
        self._slow_timer.stop()
        if slow != self.slow:
            self.slow = slow
            self.slow_changed.emit(slow)
            self.enabled_changed.emit()

    def _put(self, roll: FinishedRoll) -> None:
        """Put a roll into its destination, and tell of it. Raises Stopped if it cannot go there."""
        request = roll.request
        document = self._document
        waiting_roll = self._after_loading
        previous_map = document.current_map
        why = request.destination.why_not(document.battlemap, request.base)
        if why:
            self.message.emit(why)
            self.logged.emit(roll.generated.log)
            raise Stopped
        if roll.opens_map:
            self.map_kept.emit()
        self.applying = True
        try:
            report = roll.put(document, self.history)
        finally:
            self.applying = False
        if document.current_map is not previous_map:
            # It opened as a new map, and ``_on_map_replaced`` forgot the roll that waits for that.
            self._after_loading = waiting_roll
            self.set_state(RollState(*roll.key))
            self.enabled_changed.emit()
        if report.message:
            self.message.emit(report.message)
        if report.summary:
            self.rolled.emit(". ".join(filter(None, (report.summary, report.message))))
        self.reported.emit(report.problems)
        self.finished.emit(request)

    def tell_failure(self, request: RollRequest, reason: ProblemError) -> None:
        """Tell why a request could not be rolled, and what its script has written."""
        problems = reason.problems
        self._after_loading = None
        self.failed.emit(request, problems)
        destination = request.destination
        if destination.replaced is not None:
            self.history.note_failure(destination.replaced, request.key, request.setup.text)
        if can_be_forced(problems):
            self._refused = request
        self.reported.emit(problems)
        if not destination.is_typed:
            self.failure_message = f"Not rolled: {problems[0].message}"
            self.message.emit(self.failure_message)
        self.logged.emit(reason.log)
