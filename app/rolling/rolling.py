"""Rolling for the desk: one request, shown and changed by panels; results become undo steps.

    rolling.add_provider(provider)    # says what is rolled: a script, or the form of a system
    rolling.type_seed(17)
    rolling.roll()                    # a RollRequest, carried out on a job's thread

Commands call the methods under "rolling"; each makes a ``RollRequest``, which ``carry_out`` rolls
and puts into the map. Only one is under way at a time.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
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
from randomizer.generator import Base, DrawKey, Progress
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.log_line import LogLine
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import rolled_layer
from randomizer.storage.records.deflated_parts import deflate_layers

WAIT_MS = 40
"""How long a finished roll waits before it asks again whether a stroke has ended."""

SLOW_AFTER_MS = 120
"""A roll that takes longer is slow: its progress is shown. Most are over before."""

FOLLOWED_AT_S = 0.0
"""When all steps that follow a text are said to be done: so no time is too long between them."""

SizeQuestion = Callable[[str], Awaitable[bool]]
"""Asks whether a roll may change the size of the map in the way that the text says."""


SIZE_KEPT = "Not rolled: the map keeps its size and shape"
AFTER_LOADING = "It is rolled as soon as the other script is loaded"
NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."
WHOLE_MAP = "A roll here is a whole map: Roll replaces the one that is there."
OTHER_SIZE = "Size and shape of the map wait for the next roll: Roll changes them."


async def _agree(_text: str) -> bool:
    """Answer a question about the size of the map where nobody can be asked."""
    return True


class Rolling(QObject):
    """Owns the request of what is rolled onto the current map, and rolls it, one at a time.

    The request is the setup of the current provider, ``state`` (seed and number) and ``new_seed``
    (True if Roll takes a seed by chance). Its layer follows from the document.
    """

    setup_changed = Signal()
    """Another setup would be rolled, or another provider serves the map."""

    state_changed = Signal()
    """``state`` is another one."""

    new_seed_changed = Signal(bool)
    """``new_seed`` is another one, this."""

    layers_changed = Signal()
    """``target()`` may be another layer."""

    enabled_changed = Signal()
    """``why_not()``, ``why_not_back()``, ``why_not_forward()`` or ``slow`` may be others; it comes
    after the other signals."""

    about_to_roll = Signal()
    """The user asked for a roll; what is still to be put into the map is put there now."""

    started = Signal(object)
    """A roll has begun: its ``RollRequest``."""

    busy_changed = Signal(bool)
    """``busy`` is another one, this."""

    slow_changed = Signal(bool)
    """``slow`` is another one, this."""

    progressed = Signal(int)
    """The progress of the roll under way: 1 to 100, 0 for unknown."""

    finished = Signal(object)
    """The result of a ``RollRequest`` is in its place."""

    failed = Signal(object, object)
    """A ``RollRequest`` could not be rolled, for these problems."""

    rolled = Signal(str)
    """What the user asked for is in the map: what it is, and in which layer, as text."""

    reported = Signal(object)
    """The problems for which the last roll failed, or that it noted; () when one begins."""

    logged = Signal(object)
    """What the script of the last roll wrote, a tuple of ``LogLine``; it comes last of a roll."""

    locked = Signal(object, object)
    """A roll would have replaced this ``Layer``, which is locked; the second is a function that
    starts that roll again."""

    message = Signal(str)
    """Something else to be told, as text."""

    def __init__(
        self,
        document: MapDocument,
        parent: QObject | None = None,
        *,
        choose_seed: Callable[[], int] = lambda: secrets.randbelow(SEED_LIMIT),
        ask_size: SizeQuestion = _agree,
    ) -> None:
        super().__init__(parent)
        self._ask_size = ask_size
        self._document = document
        self.choose_seed = choose_seed
        """Returns the number that a new seed is made of; tests replace it by known numbers."""
        self._providers: list[RollProvider] = []
        self._state = RollState()
        """Seed and number of the map that was rolled last."""
        self._typed_key: DrawKey | None = None
        """What is being typed in a field of seed or number and not entered yet."""
        self._new_seed = True
        self._states: WeakKeyDictionary[OpenMap, RollState] = WeakKeyDictionary()
        """The seeds and numbers of the other open maps."""
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
        """The roll that waits until another script is loaded."""
        self.slow = False
        """True if the roll under way takes long enough for its progress to be shown."""
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_AFTER_MS)
        self.applying = False
        """True while a roll is being put into its place."""
        connect(self._slow_timer.timeout, lambda: self._set_slow(True))
        connect(document.roll_state_restored, self.set_state)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, self._tell_layers)
        connect(document.map_replaced, self._on_map_replaced)

    # --- the request: setup ----------------------------------------------------------------

    def add_provider(self, provider: RollProvider) -> None:
        """From now on this provider is asked first for setups."""
        self._providers.insert(0, provider)
        connect(provider.setup_changed, self._tell_recipe)
        self._tell_recipe()

    def _provider(self) -> RollProvider:
        for provider in self._providers:
            if provider.serves_map():
                return provider
        raise LookupError("no provider serves the current map")

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return what a roll of the current map would roll now, see ``RollProvider.setup``."""
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

        Two whole maps on top of each other are none.
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
        if layer is None or self.history.before(layer) is None:
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

    def _tell_recipe(self) -> None:
        self.setup_changed.emit()
        self.enabled_changed.emit()
        self._go_on()

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
        """The same as a key."""
        return DrawKey(*self.state)

    def set_state(self, state: RollState) -> None:
        """Note that the map of another seed and number is displayed; forget what was typed."""
        state_before = self.state
        self._state = state
        self._typed_key = None
        if state != state_before:
            self.state_changed.emit()

    def type_seed(self, seed: int) -> None:
        """Note the seed that a person is typing: the next roll is its map 0."""
        self._type_key(DrawKey(seed, 0))

    def type_number(self, number: int) -> None:
        """Note the map number that a person is typing: the next roll is this map."""
        self._type_key(DrawKey(self.state.seed, number))

    def _type_key(self, key: DrawKey) -> None:
        state_before = self.state
        self._typed_key = key
        if self.state != state_before:
            self.state_changed.emit()

    def forget_typed(self) -> None:
        """Request what is displayed: the field in which a person typed was left without Enter."""
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
        """Return where the next roll goes: the rolled layer that is seen, else a new layer."""
        layer = self.target()
        if layer is None:
            return Destination.above(self._document.active_layer_id)
        return Destination.in_place_of(layer.id)

    def next_base(self) -> Base:
        """Return what the next roll would start from now."""
        return self.next_destination().base(self._document.battlemap)

    def _tell_layers(self) -> None:
        self.layers_changed.emit()
        self.enabled_changed.emit()

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._tell_layers()

    def _on_map_replaced(self) -> None:
        """Another map is current: a roll for the one before stops; its seed is remembered."""
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
        return self.history.next(layer, setup.text)

    # --- rolling ----------------------------------------------------------------------------

    def roll(self) -> None:
        """Roll the next map: in the place of the roll that the map shows, else as a new layer.

        While another script is loaded, this and the other wishes of the user wait; the last one
        counts.
        """
        if self._waits(self.roll) or self._asks():
            return
        key = self._next_key()
        self._start(self.next_destination(), self.setup(key), key)

    def roll_onto_new_layer(self) -> None:
        """Roll the next map as a new layer above the active one."""
        if self._waits(self.roll_onto_new_layer) or self._asks():
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
        """Roll the map whose seed and number a person has entered."""
        self._roll_key(self.key)

    def _roll_key(self, key: DrawKey) -> None:
        if not self._waits(partial(self._roll_key, key)) and not self._asks():
            self._start(self.next_destination(), self.setup(key), key)

    def _asks(self) -> bool:
        """Let the user be asked for what a roll needs; False if nothing has to be asked."""
        ask = self._provider().asker()
        if ask is None:
            return False
        self.set_state(self.state)  # what was typed holds for as long as is asked
        ask()
        return True

    def follow(self, *, is_typed: bool) -> None:
        """Roll the rolled layer again, the same map, since its script is another one now.

        What follows a text while it ``is_typed`` is one undo step, however long one thinks between
        two words.
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
        if self._waits(self.step_back):
            return
        layer = self.target()
        key = None if layer is None else self.history.before(layer)
        if layer is not None and key is not None:
            destination = Destination.in_place_of(layer.id)
            self._start(destination, self.setup(key), key, "Step back to", back=key_of(layer))

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        if self._waits(self.step_forward):
            return
        layer = self.target()
        if layer is not None:
            key = self.history.after(layer, self.setup().text)
            destination = Destination.in_place_of(layer.id)
            self._start(destination, self.setup(key), key, "Step on to")

    def take(
        self,
        key: DrawKey,
        setup: RollSetup | None = None,
        destination: Destination | None = None,
    ) -> None:
        """Show one map that was chosen among many (with locks: the first from there on).

        It is of ``setup`` and goes to ``destination`` if these are given, else as the request says.
        """
        destination = destination or self.next_destination()
        self._start(destination, setup or self.setup(key), key, "Take")

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
        return RollRequest(setup, key, destination.base(battlemap), destination)

    def force(self) -> None:
        """Roll again what failed for its locks, and put what is locked back by force."""
        request = self._refused
        if request is not None:
            self._start(request.destination, request.setup, request.key, "Force", forced=True)

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """True if another script, or a new map, is on its way: the next roll waits for it."""
        opens_map = self._request is not None and self._request.destination.opens_map
        return opens_map or self._provider().loading()

    def _waits(self, roll: Callable[[], None]) -> bool:
        """Return whether ``roll``, for which the user asks, has to wait for the other script.

        Then it is called when that is loaded.
        """
        if not self.loading:
            self.about_to_roll.emit()
            return False
        self._after_loading = roll
        self.message.emit(AFTER_LOADING)
        return True

    def _go_on(self) -> None:
        if self._after_loading is not None:
            later(self, self._roll_what_waits)  # the other script is put into the map first

    def _roll_what_waits(self) -> None:
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
        """Start a roll, unless it cannot go there, which is said, or one is under way."""
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
        """Return a request; None if it cannot go there, which is said, or one is under way.

        Keys repeat faster than some scripts roll. A roll that only shows the text that is typed
        makes way. The arguments are those of ``RollRequest``; ``base`` is that of the destination
        if None.
        """
        if self._request is not None:
            if not self._request.destination.only_shows_text:
                return None
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
        base = base or destination.base(battlemap)
        return RollRequest(setup, key, base, destination, verb, back, forced)

    async def _roll_and_tell(self, request: RollRequest) -> None:
        try:
            await self.carry_out(request)
        except ProblemError as reason:
            self.tell_failure(request, reason)

    async def carry_out(self, request: RollRequest) -> None:
        """Roll a request, and put the result where it goes: one undo step.

        A stroke of the brush is ended first, and a change of the map's size is asked about: until
        then the roll is under way. Whatever ends it, another one can begin then. Raises
        ProblemError if that fails, which ``tell_failure`` tells when what follows from it is done;
        raises Stopped if the roll is dropped, or the map cannot take it any more.
        """
        self._request = request
        try:
            generated = await self._generate(request)
            await self._wait_for_stroke(request)
            await self._ask_about_size(request, generated)
        finally:
            if isValid(self):
                self._drop(request)
        try:
            self._put(FinishedRoll(request, generated, self._state))
        except ProblemError as reason:
            raise ProblemError(reason.problems, generated.log) from None
        self.logged.emit(generated.log)

    async def _generate(self, request: RollRequest) -> Generated:
        """Return the result of the generator. Raises ProblemError with the log of its script."""
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
        self.busy_changed.emit(True)
        try:
            generated: Generated = await result(self._job)
        except ProblemError as reason:
            self._check_under_way(request)
            raise ProblemError(reason.problems, tuple(log)) from None
        self._check_under_way(request)
        return generated

    async def _wait_for_stroke(self, request: RollRequest) -> None:
        """Wait until the user has ended the stroke under way. Raises Stopped."""
        document = self._document
        while document.in_stroke and not document.in_preview:
            await pause(self, WAIT_MS)
            self._check_under_way(request)

    async def _ask_about_size(self, request: RollRequest, generated: Generated) -> None:
        """Ask whether the map may get another size, if it would. Raises Stopped if it keeps its."""
        destination = request.destination
        battlemap = self._document.battlemap
        if destination.why_not(battlemap, request.base):
            return  # it is told when the roll is to be put there
        other_size = destination.other_size(battlemap, generated)
        if not other_size:
            return
        if destination.only_shows_text:
            self.cancel()
            self.message.emit(OTHER_SIZE)
            raise Stopped
        may_resize = await self._ask_size(other_size)
        self._check_under_way(request)
        if not may_resize:
            self.cancel()
            self.message.emit(SIZE_KEPT)
            raise Stopped

    def _check_under_way(self, request: RollRequest) -> None:
        """Raise Stopped if a roll was dropped meanwhile, or this object deleted with its window."""
        if not isValid(self) or self._request is not request:
            raise Stopped

    def cancel(self) -> None:
        """Drop the roll under way and what waits for it; the map stays as it is."""
        self._after_loading = None
        if self._request is not None:
            self._drop(self._request)

    def _drop(self, request: RollRequest) -> None:
        """Note that a roll is not under way any more; its job is cancelled if it still runs."""
        if self._request is not request:
            return
        if self._job is not None:
            self._job.cancel()
        self._request = None
        self._job = None
        self._set_slow(False)
        self.busy_changed.emit(False)
        self._go_on()

    def _set_slow(self, slow: bool) -> None:
        self._slow_timer.stop()
        if slow != self.slow:
            self.slow = slow
            self.slow_changed.emit(slow)
            self.enabled_changed.emit()

    def _put(self, roll: FinishedRoll) -> None:
        """Put a roll where it goes, and tell of it. Raises Stopped if it cannot go there now."""
        request = roll.request
        document = self._document
        roll_that_waits = self._after_loading
        map_before = document.current_map
        why = request.destination.why_not(document.battlemap, request.base)
        if why:
            self.message.emit(why)
            self.logged.emit(roll.generated.log)
            raise Stopped
        self.applying = True
        try:
            report = roll.put(document, self.history)
        finally:
            self.applying = False
        if document.current_map is not map_before:
            self._after_loading = roll_that_waits  # it opened as a new map: the user waits for it
            self.set_state(RollState(*roll.key))
            self.enabled_changed.emit()
        if report.message:
            self.message.emit(report.message)
        if report.told:
            self.rolled.emit(". ".join(filter(None, (report.told, report.message))))
        self.reported.emit(report.problems)
        self.finished.emit(request)

    def tell_failure(self, request: RollRequest, reason: ProblemError) -> None:
        """Tell why a request could not be rolled, and what its script wrote until then."""
        problems = reason.problems
        self._after_loading = None
        self.failed.emit(request, problems)
        destination = request.destination
        if destination.replaced is not None:
            self.history.fail(destination.replaced, request.key, request.setup.text)
        if can_be_forced(problems):
            self._refused = request
        self.reported.emit(problems)
        if not destination.is_typed:
            self.message.emit(f"Not rolled: {problems[0].message}")
        self.logged.emit(reason.log)
