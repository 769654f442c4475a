"""Rolling for the desk: one request, shown and changed by panels; results become undo steps."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import Job
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.document.undo_history import RollState
from app.qt_guard import connect, later
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_request import (
    ChangedScript,
    FinishedRoll,
    NewLayer,
    NewMap,
    ReplacedLayer,
    RollPlace,
    RollRequest,
    ScriptChange,
)
from app.rolling.roll_setup import RollProvider, RollSetup
from app.rolling.variations import Variations
from randomizer.forced_roll import can_be_forced
from randomizer.generator import Base, DrawKey, Progress
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.log_line import LogLine
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import rolled_layer
from randomizer.storage.records.deflated_parts import deflate_layers

WAIT_MS = 40
"""How long a finished roll waits before it asks again whether a stroke has ended."""

SLOW_AFTER_MS = 120
"""A roll that takes longer is slow: its progress is shown. Most are over before."""

SizeQuestion = Callable[[str, Callable[[], object], Callable[[], object]], object]
"""Asks, without waiting, whether a roll may change the size of the map in the way that the text
says; it calls the first function after a yes, the second one after a no."""


SIZE_KEPT = "Not rolled: the map keeps its size"
AFTER_LOADING = "It is rolled as soon as the other script is loaded"
NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."


class Rolling(QObject):
    """Owns the request of what is rolled onto the current map, and rolls it, one at a time.

    The request is the setup of the current provider, ``state`` (seed and number) and ``new_seed``
    (whether a new roll gets a seed by chance). Its layer follows from the document. ``history`` has
    the earlier rolls of the map's layers, ``variations`` what the gallery shows in their place.
    ``applying``: a roll is being put into its place.

    ``setup_changed()``: another setup would be rolled, or another provider serves the map.
    ``state_changed()``, ``new_seed_changed(bool)``: these parts of the request changed.
    ``layers_changed()``: ``target()`` may be another layer. ``enabled_changed()``: ``why_not()``,
    ``why_not_back()``, ``why_not_forward()`` or ``slow`` may say something else; it comes last.
    ``started(RollRequest)``, ``busy_changed(bool)``, ``slow_changed(bool)``, ``progressed(int)`` (1
    to 100, 0 for unknown): of the roll under way. ``about_to_roll()``: the user asked for a roll;
    what is still to be put into the map is put there now. ``finished(RollRequest)``: what was
    rolled is in its place; ``failed(RollRequest, problems)``: it is not. ``rolled(str)``: what the
    user asked for is in the map, by its name. ``reported(problems)``: why the last roll failed, or
    what it noted; () when one begins. ``logged(tuple[LogLine, ...])``: what its script wrote; it
    comes last. ``message(str)``: what else is to be said.
    """

    setup_changed = Signal()
    state_changed = Signal()
    new_seed_changed = Signal(bool)
    layers_changed = Signal()
    enabled_changed = Signal()
    about_to_roll = Signal()
    finished = Signal(object)
    failed = Signal(object, object)
    rolled = Signal(str)
    started = Signal(object)
    busy_changed = Signal(bool)
    slow_changed = Signal(bool)
    progressed = Signal(int)
    reported = Signal(object)
    logged = Signal(object)
    message = Signal(str)

    def __init__(
        self,
        document: MapDocument,
        parent: QObject | None = None,
        *,
        choose_seed: Callable[[], int] = lambda: secrets.randbelow(SEED_LIMIT),
        ask_size: SizeQuestion = lambda _text, agree, _refuse: agree(),
    ) -> None:
        super().__init__(parent)
        self._ask_size = ask_size
        self._document = document
        self.choose_seed = choose_seed
        """Returns the number that a new seed is made of; tests replace it by known numbers."""
        self._providers: list[RollProvider] = []
        self._state = RollState()
        self._new_seed = True
        self._states: WeakKeyDictionary[OpenMap, RollState] = WeakKeyDictionary()
        self._current_map = document.current_map
        self.history = RollHistory(document, self.target)
        self.variations = Variations(document, self)
        self._request: RollRequest | None = None
        self._job: Job | None = None
        self._failed_log: list[LogLine] = []
        self._refused: RollRequest | None = None
        self._after_loading: Callable[[], None] | None = None
        self.slow = False
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_AFTER_MS)
        self.applying = False
        connect(self._slow_timer.timeout, lambda: self._set_slow(True))
        connect(document.extra_restored, self.set_state)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, lambda _layer_id: self._tell_layers())
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
        return "" if provider.asker() is not None else provider.why_not()

    def why_not_back(self) -> str:
        """Return why one cannot step back to an earlier map, as text; "" if one can."""
        layer = self.target()
        can_step = layer is not None and self.history.before(layer) is not None
        return self.why_not() or ("" if can_step else NO_EARLIER)

    def why_not_forward(self) -> str:
        """Return why one cannot step forward to the next map, as text; "" if one can."""
        return self.why_not() or (NO_ROLL if self.target() is None else "")

    def _tell_recipe(self) -> None:
        self.setup_changed.emit()
        self.enabled_changed.emit()
        self._go_on()

    # --- the request: seed and number -------------------------------------------------------

    @property
    def state(self) -> RollState:
        """Seed and number of the request."""
        return self._state

    @property
    def key(self) -> DrawKey:
        """The same as a key."""
        return DrawKey(self._state.seed, self._state.number)

    def set_state(self, state: RollState) -> None:
        """Request another seed and number."""
        if state != self._state:
            self._state = state
            self.state_changed.emit()

    def type_seed(self, seed: int) -> None:
        """Request map 0 of a seed that a person typed; chance chooses no seed."""
        self.set_new_seed(False)
        self.set_state(RollState(seed, 0, True))

    def type_number(self, number: int) -> None:
        """Request a map number that a person typed; chance chooses no seed."""
        self.set_new_seed(False)
        self.set_state(RollState(self._state.seed, number, True))

    @property
    def new_seed(self) -> bool:
        """Whether chance chooses the seed of a new roll."""
        return self._new_seed

    def set_new_seed(self, new_seed: bool) -> None:
        """Let chance choose the seed of a new roll, or take the seed of the request."""
        if new_seed != self._new_seed:
            self._new_seed = new_seed
            self.new_seed_changed.emit(new_seed)

    # --- the request: its place -------------------------------------------------------------

    def target(self) -> Layer | None:
        """Return the layer that a re-roll replaces (``rolled_layers.rolled_layer``)."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def next_place(self) -> NewLayer:
        """Return where a re-roll, or the first roll, goes now."""
        layer = self.target()
        if layer is None:
            return NewLayer(self._document.active_layer_id)
        return ReplacedLayer(layer.id)

    def next_base(self) -> Base:
        """Return what a re-roll, or the first roll, would start from now."""
        return self.next_place().base(self._document.battlemap)

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
        self._current_map = self._document.current_map
        self.set_state(self._states.get(self._current_map, self._state))
        self.setup_changed.emit()
        self._tell_layers()

    def _requested_key(self) -> DrawKey:
        """Seed and number of the request, or map 0 of a seed chosen by chance."""
        if self._new_seed:
            return DrawKey(self.choose_seed() % self.setup().seeds, 0)
        return self.key

    # --- rolling ----------------------------------------------------------------------------

    def roll(self) -> None:
        """Roll a new layer above the active one: the map requested, or map 0 of a new seed.

        A setup that ``replaces`` replaces the rolled layer, and every setup the map's source:
        two whole maps on top of each other are none. While another script is loaded, this and the
        other wishes of the user wait; the last one counts.
        """
        if self._waits(self.roll) or self._asks(again=False):
            return
        key = self._requested_key()
        setup = self.setup(key)
        layer = self.target()
        place = NewLayer(self._document.active_layer_id)
        if layer is not None and (setup.replaces or layer is self._document.battlemap.source_layer):
            place = ReplacedLayer(layer.id)
        self._start(place, setup, key, "Roll")

    def reroll(self) -> None:
        """Replace the rolled layer: by the next map of its seed, or by the map that was typed.

        Without a rolled layer a new one is rolled.
        """
        if self._waits(self.reroll) or self._asks(again=True):
            return
        layer = self.target()
        if layer is None:
            self.roll()
            return
        key = self.key
        if not self._state.typed:
            key = self.history.next(layer, self.setup().text)
        self._start(ReplacedLayer(layer.id), self.setup(key), key, "Re-roll")

    def _asks(self, *, again: bool) -> bool:
        """Let the user be asked for what a roll needs; False if nothing has to be asked."""
        ask = self._provider().asker()
        if ask is None:
            return False
        ask(again=again)
        return True

    def follow(self) -> bool:
        """Roll the rolled layer again, the same map, since its script has another text now.

        False if the layer was not rolled from a script with the setup's file name.
        """
        setup = self.setup()
        layer = self.target()
        if layer is None or layer.roll is None or layer.roll.script_name != setup.script_name:
            return False
        key = key_of(layer)
        self._start(ReplacedLayer(layer.id), self.setup(key), key, "Follow")
        return True

    def randomize_as(self) -> None:
        """Roll another script in place of the rolled layer, from map 0 on.

        Without a rolled layer a new one is rolled. (On top of the old roll its hazards would show
        through: nobody who asks for a swamp means a swamp on a volcano.)
        """
        layer = self.target()
        if layer is None:
            self.roll()
            return
        key = self._requested_key()._replace(number=0)
        self._start(ReplacedLayer(layer.id), self.setup(key), key, "Randomize as")

    def step_back(self) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before."""
        if self._waits(self.step_back):
            return
        layer = self.target()
        key = None if layer is None else self.history.before(layer)
        if layer is not None and key is not None:
            place = ReplacedLayer(layer.id)
            self._start(place, self.setup(key), key, "Step back to", back=key_of(layer))

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        if self._waits(self.step_forward):
            return
        layer = self.target()
        if layer is not None:
            key = self.history.after(layer, self.setup().text)
            self._start(ReplacedLayer(layer.id), self.setup(key), key, "Step on to")

    def take(
        self, key: DrawKey, setup: RollSetup | None = None, place: RollPlace | None = None
    ) -> None:
        """Show one map that was chosen among many (with locks: the first from there on).

        It is of ``setup`` and goes to ``place`` if these are given, else as the request says.
        """
        self._start(place or self.next_place(), setup or self.setup(key), key, "Take")

    def roll_onto(self, base: Base, place: RollPlace, setup: RollSetup, key: DrawKey) -> None:
        """Roll one map for a place onto ``base``, whose locks need not be those of the map."""
        if self.busy:
            self.message.emit("A roll is under way: paste the recipe once more when it has ended.")
        self._start(place, setup, key, "Paste", base=base)

    def take_part(self, layer: Layer, key: DrawKey, setup: RollSetup) -> None:
        """Roll one rolled layer again, and those above it that came with it."""
        self._start(ReplacedLayer(layer.id), setup, key, f"{layer.name} of")

    def roll_change(self, change: ScriptChange, setup: RollSetup) -> RollRequest | None:
        """Roll the map's source again, the same map, from the new text of its script.

        Text and roll are one undo step. None if no layer of the map can be rolled for that, or
        another roll is under way.
        """
        layer = self._document.battlemap.source_layer
        if layer is None or layer.roll is None:
            return None
        return self._start(ChangedScript(layer.id, change), setup, key_of(layer))

    def roll_new(
        self, battlemap: BattleMap, setup: RollSetup, *, in_place: bool = False
    ) -> RollRequest | None:
        """Roll map 0 of a new seed onto an empty map, and open that as a new map.

        A roll under way is dropped. ``in_place``: see ``NewMap``.
        """
        self.cancel()
        key = DrawKey(self.choose_seed() % setup.seeds, 0)
        return self._start(NewMap(battlemap, in_place), setup, key)

    def force(self) -> None:
        """Roll again what failed for its locks, and put what is locked back by force."""
        failed = self._refused
        if failed is not None:
            self._start(failed.place, failed.setup, failed.key, "Force", forced=True)

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """Whether another script, or a new map, is on its way: the next roll waits for it."""
        opens = self._request is not None and self._request.place.opens
        return opens or self._provider().loading()

    def _waits(self, roll: Callable[[], None]) -> bool:
        """Whether ``roll``, for which the user asks, has to wait for the other script.

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
        """Whether a roll is under way."""
        return self._request is not None

    @property
    def searching(self) -> bool:
        """Whether map after map is tried for one that keeps the locks."""
        return self._request is not None and self._request.searches

    def _start(
        self,
        place: RollPlace,
        setup: RollSetup,
        key: DrawKey,
        verb: str = "",
        *,
        back: DrawKey | None = None,
        forced: bool = False,
        base: Base | None = None,
    ) -> RollRequest | None:
        """Start a roll for a place; None if it cannot go there, which is said, or one is under way.

        Keys repeat faster than some scripts roll. The arguments are those of ``RollRequest``;
        ``base`` is that of the place if None.
        """
        if self.busy:
            return None
        why = place.why_not(self._document.battlemap)
        if why:
            self.message.emit(why)
            return None
        base = base or place.base(self._document.battlemap)
        self._request = request = RollRequest(setup, key, base, place, verb, back, forced)
        log: list[LogLine] = []
        self._failed_log = log
        self._refused = None

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
            try:
                generated = request.roll(progress, cancelled)
            except ProblemError as reason:
                log.extend(reason.log)
                raise
            if generated is not None:
                deflate_layers(generated.layers)
            return generated

        self.started.emit(request)
        self.reported.emit(())
        # Without a parent: a job outlives its owner until its thread has ended. Bound methods are
        # disconnected if this object goes first.
        self._job = Job(work)
        connect(self._job.progressed, self.progressed)
        connect(self._job.finished, self._finish)
        connect(self._job.failed, self._on_job_failed)
        self._slow_timer.start()
        self.busy_changed.emit(True)
        self._job.start()
        return request

    def cancel(self) -> None:
        """Drop the roll under way and what waits for it; the map stays as it is."""
        self._after_loading = None
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _set_slow(self, slow: bool) -> None:
        self._slow_timer.stop()
        if slow != self.slow:
            self.slow = slow
            self.slow_changed.emit(slow)
            self.enabled_changed.emit()

    def _end(self) -> RollRequest:
        """Note that no roll is under way any more, and return the request of the one that was."""
        assert self._request is not None
        request = self._request
        self._request = None
        self._job = None
        self._set_slow(False)
        self.busy_changed.emit(False)
        self._go_on()
        return request

    def _finish(self, generated: Generated) -> None:
        """Put the result into its place: one undo step.

        A stroke of the brush is ended first, and a change of the map's size is asked about: until
        then the roll is under way.
        """
        request = self._request
        document = self._document
        assert request is not None
        if document.in_stroke and not document.in_preview:
            later(self, partial(self._finish_later, request, generated), WAIT_MS)
            return
        other_size = ""
        if not request.place.why_not(document.battlemap, request.base):
            other_size = request.place.other_size(document.battlemap, generated)
        if not other_size:
            self._finish_request(generated)
            return
        agree = partial(self._resize, request, generated)
        self._ask_size(other_size, agree, partial(self._keep_size, request))

    def _finish_later(self, request: RollRequest, generated: Generated) -> None:
        if self._request is request:  # not cancelled meanwhile
            self._finish(generated)

    def _resize(self, request: RollRequest, generated: Generated) -> None:
        """Go on with a roll that changes the size of the map: the user has agreed."""
        if self._request is request:
            self._finish_request(generated)

    def _keep_size(self, request: RollRequest) -> None:
        """Drop a roll that would change the size of the map: the user has refused."""
        if self._request is request:
            self.cancel()
            self.message.emit(SIZE_KEPT)

    def _finish_request(self, generated: Generated) -> None:
        self._put(FinishedRoll(self._end(), generated, self._state))
        self.logged.emit(generated.log)

    def _put(self, roll: FinishedRoll) -> None:
        request = roll.request
        document = self._document
        roll_that_waits = self._after_loading
        map_before = document.current_map
        why = request.place.why_not(document.battlemap, request.base)
        if why:
            self.message.emit(why)
            return
        self.applying = True
        try:
            report = request.place.put(document, self.history, roll)
        except ProblemError as reason:
            self._fail(request, reason.problems)
            return
        finally:
            self.applying = False
        if document.current_map is not map_before:
            self._after_loading = roll_that_waits  # it opened as a new map: the user waits for it
            self.set_state(RollState(*roll.key))
            self.enabled_changed.emit()
        if report.name:
            self.rolled.emit(report.name)
        self.reported.emit(report.problems)
        self.finished.emit(request)
        if report.message:
            self.message.emit(report.message)

    def _on_job_failed(self, problems: tuple[Problem, ...]) -> None:
        self._fail(self._end(), problems)
        self.logged.emit(tuple(self._failed_log))

    def _fail(self, request: RollRequest, problems: tuple[Problem, ...]) -> None:
        self._after_loading = None
        self.failed.emit(request, problems)
        is_told = request.place.fail(self.history, request)
        if is_told and can_be_forced(problems):
            self._refused = request
        self.reported.emit(problems)
        if is_told:
            self.message.emit(f"Not rolled: {problems[0].message}")
