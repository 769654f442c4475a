"""Rolling for the desk: one request, shown and changed by panels; results become undo steps."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.document.roll_state import RollState
from app.qt_guard import connect, later
from app.rolling.earlier_rolls import EarlierRolls
from app.rolling.provider import RollProvider
from app.rolling.roll_request import Recipe, RollRequest, ScriptChange
from app.rolling.roll_result import (
    GONE,
    OTHER_TERRAIN,
    TURNED,
    changed_libraries,
    layer_of,
    words_of,
)
from app.rolling.roller import Roller
from app.rolling.shown_keys import ShownKeys
from randomizer.forcing import can_be_forced
from randomizer.generator import Base, DrawKey
from randomizer.model.battlemap import BattleMap
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.edit import Edit, Region
from randomizer.model.edit_making import chained
from randomizer.model.layer import Layer, roll_name
from randomizer.model.problems import Problem, error
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import fits_grid, new_map, put_roll
from randomizer.model.rolls.rolled_layers import parts_from, rolled_layer

AFTER_LOADING = "It is rolled as soon as the other script is loaded"
NO_EARLIER = "There is no roll before this one."
NO_ROLL = "There is no rolled layer."
OTHER_GRID = error(
    "other-grid",
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own",
)


class Rolling(QObject):
    """Owns the request of what is rolled onto the map in front, and rolls it.

    The request is the recipe of the current provider, ``state`` (seed and number) and ``new_seed``
    (whether a new roll gets a seed by chance). Its layer follows from the document.

    ``recipe_changed()``: another recipe would be rolled, or another provider serves the map.
    ``state_changed()``, ``new_seed_changed(bool)``: these parts of the request changed.
    ``layers_changed()``: ``target()`` may be another layer. ``enabled_changed()``: ``why_not()``,
    ``why_not_back()``, ``why_not_forward()`` or ``slow`` may say something else; it comes last.
    ``started(RollRequest)``, ``busy_changed(bool)``, ``slow_changed(bool)``, ``progressed(int)`` (1
    to 100, 0 for unknown): of the roll under way. ``about_to_roll()``: the user asked for a roll;
    what is still to be put into the map is put there now. ``change_made(ScriptChange)``: the new
    text of the map's script and the roll of it are in the map. ``change_failed(ScriptChange,
    problems)``: the map cannot be rolled from the new text of its script. ``opened(OpenMap)``: a
    roll was opened as a new map, see ``roll_new``; ``not_opened(RollRequest)``: it failed.
    ``rolled(str)``: what the user asked for is in the map, by its name. ``reported(problems)``: why
    the last roll failed, or what it noted; () when one begins. ``logged(tuple[LogLine, ...])``:
    what its script wrote; it comes last. ``message(str)``: what else is to be said.
    """

    recipe_changed = Signal()
    state_changed = Signal()
    new_seed_changed = Signal(bool)
    layers_changed = Signal()
    enabled_changed = Signal()
    about_to_roll = Signal()
    change_made = Signal(object)
    change_failed = Signal(object, object)
    opened = Signal(object)
    not_opened = Signal(object)
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
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._choose_seed = choose_seed
        self._providers: list[RollProvider] = []
        self._state = RollState()
        self._new_seed = True
        self._states: WeakKeyDictionary[OpenMap, RollState] = WeakKeyDictionary()
        self._front = document.front
        self._roller = roller = Roller(lambda: document.in_stroke and not document.in_preview, self)
        self._shown = ShownKeys()
        self._refused: RollRequest | None = None
        self.earlier = EarlierRolls(document, self.target)
        self._followed: Layer | None = None
        self._after_loading: Callable[[], None] | None = None
        self.applying = False
        connect(document.extra_restored, self._restore)
        connect(document.changed, self._on_changed)
        connect(document.active_layer_changed, lambda _layer_id: self._tell_layers())
        connect(document.map_replaced, self._on_map_replaced)
        connect(roller.started, self._on_started)
        connect(roller.busy_changed, self.busy_changed)
        connect(roller.busy_changed, self._go_on)
        connect(roller.slow_changed, self._on_slow)
        connect(roller.progressed, self.progressed)
        connect(roller.made, self._on_made)
        connect(roller.failed, self._on_failed)
        connect(roller.logged, self.logged)

    # --- the request: recipe ----------------------------------------------------------------

    def add_provider(self, provider: RollProvider) -> None:
        """From now on this provider is asked first for recipes."""
        self._providers.insert(0, provider)
        connect(provider.recipe_changed, self._tell_recipe)
        self._tell_recipe()

    def _provider(self) -> RollProvider:
        for provider in self._providers:
            if provider.serves_map():
                return provider
        raise LookupError("no provider serves the map in front")

    def recipe(self) -> Recipe:
        """What a roll of the map in front would roll now."""
        return self._provider().recipe()

    def why_not(self) -> str:
        """Why the map in front cannot be rolled now, in words; "" if it can."""
        return self._provider().why_not()

    def why_not_back(self) -> str:
        """Why one cannot step back to an earlier map, in words; "" if one can."""
        return self.why_not() or ("" if self.can_step_back() else NO_EARLIER)

    def why_not_forward(self) -> str:
        """Why one cannot step forward to the next map, in words; "" if one can."""
        return self.why_not() or (NO_ROLL if self.target() is None else "")

    def _tell_recipe(self) -> None:
        self.recipe_changed.emit()
        self.enabled_changed.emit()
        self._go_on()

    # --- the request: seed and number -------------------------------------------------------

    @property
    def state(self) -> RollState:
        """Seed and number of the request."""
        return self._state

    def set_state(self, state: RollState) -> None:
        """Request another seed and number."""
        if state != self._state:
            self._state = state
            self.state_changed.emit()

    def type_seed(self, seed: int) -> None:
        """A person typed another seed: its map 0 is requested, chance chooses no seed."""
        self.set_new_seed(False)
        self.set_state(RollState(seed, 0, True))

    def type_number(self, number: int) -> None:
        """A person typed another map number: chance chooses no seed."""
        self.set_new_seed(False)
        self.set_state(RollState(self._state.seed, number, True))

    @property
    def new_seed(self) -> bool:
        """Whether chance chooses the seed of a new roll."""
        return self._new_seed

    def set_new_seed(self, wanted: bool) -> None:
        """Let chance choose the seed of a new roll, or take the seed of the request."""
        if wanted != self._new_seed:
            self._new_seed = wanted
            self.new_seed_changed.emit(wanted)

    def _restore(self, state: object) -> None:
        if isinstance(state, RollState):
            self.set_state(state)

    # --- the request: its layer -------------------------------------------------------------

    def target(self) -> Layer | None:
        """The layer that a re-roll replaces (``rolled_layers.rolled_layer``)."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def next_base(self) -> Base:
        """What a re-roll, or the first roll, would start from now."""
        layer, battlemap = self.target(), self._document.battlemap
        if layer is None:
            return Base.under(battlemap, battlemap.index_of(self._document.active_layer_id) + 1)
        return self._base_of(layer.id)

    def _base_of(self, layer_id: int) -> Base:
        """What a re-roll of a layer, and of the parts above that came with it, starts from."""
        battlemap = self._document.battlemap
        places = parts_from(battlemap, layer_id)
        return Base.under(battlemap, places[0], *places)

    def _tell_layers(self) -> None:
        self.layers_changed.emit()
        self.enabled_changed.emit()

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._tell_layers()

    def _on_map_replaced(self) -> None:
        """Another map is in front: a roll for the one before stops; its seed is remembered."""
        if self.busy and self._front is not self._document.front:
            self.message.emit("The roll was stopped: another map is in front")
        self.cancel()
        self._shown.clear()
        self.earlier.clear()
        self._followed = None
        self._states[self._front] = self._state
        self._front = self._document.front
        self.set_state(self._states.get(self._front, self._state))
        self.recipe_changed.emit()
        self._tell_layers()

    # --- keys of a rolled layer -------------------------------------------------------------

    def can_step_back(self) -> bool:
        """Whether there is a map to step back to."""
        layer = self.target()
        return layer is not None and self._before(layer) is not None

    def _current(self, layer: Layer) -> DrawKey:
        assert layer.roll is not None
        return DrawKey(layer.roll.seed, layer.roll.number)

    def _before(self, layer: Layer) -> DrawKey | None:
        return self._shown.before(layer.id, self._current(layer))

    def _requested_key(self) -> DrawKey:
        """Seed and number of the request, or map 0 of a seed chosen by chance."""
        if self._new_seed:
            return DrawKey(self._choose_seed() % self.recipe().seeds, 0)
        return DrawKey(self._state.seed, self._state.number)

    # --- rolling ----------------------------------------------------------------------------

    def roll(self) -> None:
        """Roll a new layer above the active one: the map requested, or map 0 of a new seed.

        A recipe that ``replaces`` replaces the rolled layer, and every recipe the map's source:
        two whole maps on top of each other are none. While another script is loaded, this and the
        other wishes of the user wait; the last one counts.
        """
        if self._waits(self.roll):
            return
        self.about_to_roll.emit()
        recipe, layer, key = self.recipe(), self.target(), self._requested_key()
        battlemap, above = self._document.battlemap, self._document.active_layer_id
        if layer is not None and (recipe.replaces or layer is battlemap.source_layer):
            self._replace(recipe, layer, key, "Roll")
            return
        base = Base.under(battlemap, battlemap.index_of(above) + 1)
        self._roller.start(RollRequest(recipe, key, above, False, base, "Roll"))

    def reroll(self) -> None:
        """Replace the rolled layer: by the next map of its seed, or by the map that was typed.

        Without a rolled layer a new one is rolled.
        """
        if self._waits(self.reroll):
            return
        self.about_to_roll.emit()
        layer = self.target()
        if layer is None:
            self.roll()
            return
        recipe = self.recipe()
        if self._state.typed:
            key = DrawKey(self._state.seed, self._state.number)
        else:
            key = self._shown.next(layer.id, self._current(layer), recipe.text)
        self._replace(recipe, layer, key, "Re-roll")

    def follow(self) -> bool:
        """Roll the rolled layer again, the same map, since its script has another text now.

        False if the layer was not rolled from a script with the recipe's file name.
        """
        recipe, layer = self.recipe(), self.target()
        if layer is None or layer.roll is None or layer.roll.script_name != recipe.script_name:
            return False
        self._replace(recipe, layer, self._current(layer), "Follow")
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
        self._replace(self.recipe(), layer, key, "Randomize as")

    def step_back(self) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before."""
        if self._waits(self.step_back):
            return
        self.about_to_roll.emit()
        layer = self.target()
        key = None if layer is None else self._before(layer)
        if layer is not None and key is not None:
            self._replace(self.recipe(), layer, key, "Step back to", back=self._current(layer))

    def step_forward(self) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        if self._waits(self.step_forward):
            return
        self.about_to_roll.emit()
        layer = self.target()
        if layer is not None:
            recipe = self.recipe()
            key = self._shown.after(layer.id, self._current(layer), recipe.text)
            self._replace(recipe, layer, key, "Step on to")

    def take(self, key: DrawKey, recipe: Recipe | None = None) -> None:
        """Show one map that was chosen among many (with locks: the first from there on).

        It is of ``recipe`` if that is given, else of the request's.
        """
        recipe, layer = recipe or self.recipe(), self.target()
        if layer is not None:
            self._replace(recipe, layer, key, "Take")
            return
        above = self._document.active_layer_id
        self._roller.start(RollRequest(recipe, key, above, False, self.next_base(), "Take"))

    def roll_change(self, change: ScriptChange, recipe: Recipe) -> bool:
        """Roll the map's source again, the same map, from the new text of its script.

        Text and roll are one undo step. False if no layer of the map can be rolled for that, or
        another roll is under way.
        """
        layer = self._document.battlemap.source_layer
        if layer is None or layer.roll is None or self.busy or self._refuses(layer):
            return False
        base = change.over(self._base_of(layer.id))
        request = RollRequest(recipe, self._current(layer), layer.id, True, base, change.title)
        self._roller.start(replace(request, change=change))
        return True

    def roll_new(self, battlemap: BattleMap, recipe: Recipe, *, replaces: bool = False) -> None:
        """Roll map 0 of a new seed onto an empty map, and open that as a new map.

        Nothing is to be undone in it. A roll under way is dropped. ``replaces``: it takes the place
        of the map in front if that is as it was rolled.
        """
        self.cancel()
        base = Base.under(battlemap, len(battlemap.layers))
        key = DrawKey(self._choose_seed() % recipe.seeds, 0)
        self._roller.start(RollRequest(recipe, key, 0, replaces, base, "New", opens=True))

    def take_part(self, layer: Layer, key: DrawKey, recipe: Recipe) -> None:
        """Roll one rolled layer again, and those above it that came with it."""
        self._replace(recipe, layer, key, f"{layer.name} of")

    def force(self) -> None:
        """Roll again what failed for its locks, and put what is locked back by force."""
        request, battlemap = self._refused, self._document.battlemap
        if request is None:
            return
        if request.layer_id not in [layer.id for layer in battlemap.layers]:
            self.message.emit(GONE)
            return
        if request.replaces:
            if self._refuses(battlemap.layer(request.layer_id)):
                return
            base = self._base_of(request.layer_id)
        else:
            base = Base.under(battlemap, battlemap.index_of(request.layer_id) + 1)
        self._roller.start(replace(request, base=base, verb="Force", back=None, forced=True))

    def _replace(
        self, recipe: Recipe, layer: Layer, key: DrawKey, verb: str, back: DrawKey | None = None
    ) -> None:
        if not self._refuses(layer):
            base = self._base_of(layer.id)
            self._roller.start(RollRequest(recipe, key, layer.id, True, base, verb, back))

    def _refuses(self, layer: Layer) -> bool:
        """Whether a rolled layer cannot be rolled again for its lock; then the user is told.

        Of several parts of one roll locked ones can: the generator keeps what they set.
        """
        alone = len(parts_from(self._document.battlemap, layer.id)) == 1
        if alone and layer.locked:
            self.message.emit(f"The layer {layer.name} is locked: unlock it to roll it again.")
        return alone and layer.locked

    # --- rolls that wait for a script -------------------------------------------------------

    @property
    def loading(self) -> bool:
        """Whether another script, or a new map, is on its way: the next roll waits for it."""
        return self._roller.opens or self._provider().loading()

    def _waits(self, roll: Callable[[], None]) -> bool:
        """Whether ``roll`` has to wait; then it is called when the other script is loaded."""
        if not self.loading:
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
            if not self.why_not():
                roll()

    # --- the roll under way -----------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a roll is under way."""
        return self._roller.busy

    @property
    def slow(self) -> bool:
        """Whether it has been under way for so long that its progress is shown."""
        return self._roller.slow

    @property
    def searching(self) -> bool:
        """Whether map after map is tried for one that keeps the locks."""
        return self._roller.searching

    def cancel(self) -> None:
        """Drop the roll under way and what waits for it; the map stays as it is."""
        self._after_loading = None
        self._roller.cancel()

    def _on_started(self, request: RollRequest) -> None:
        self._refused = None
        self.started.emit(request)
        self.reported.emit(())

    def _on_slow(self, slow: bool) -> None:
        self.slow_changed.emit(slow)
        self.enabled_changed.emit()

    def _on_failed(self, request: RollRequest, problems: tuple[Problem, ...]) -> None:
        self._after_loading = None
        if request.change is not None:
            self.change_failed.emit(request.change, problems)
            self.reported.emit(problems)
            return
        if request.opens:
            self.not_opened.emit(request)
        elif request.replaces:
            self._shown.fail(request.layer_id, request.key, request.recipe.text)
        if can_be_forced(problems):
            self._refused = request
        self.reported.emit(problems)
        self.message.emit(f"Not rolled: {problems[0].message}")

    def _on_made(self, request: RollRequest, made: Generated) -> None:
        """Bring the result into the map as it is now: one undo step."""
        if request.opens:
            self._open_new_map(request, made)
            return
        battlemap = self._document.battlemap
        there = layer_of(battlemap, request)
        if there is None:
            self.message.emit(GONE)
            return
        if battlemap.grid is not request.base.grid:
            self.message.emit(TURNED)
            return
        if battlemap.terrain_set != request.base.terrain_set:
            self.message.emit(OTHER_TERRAIN)
            return
        if request.replaces and self._refuses(there):
            return
        key = DrawKey(request.key.seed, made.number)
        replaced = there.id if request.replaces else None
        if not fits_grid(battlemap, replaced, made):
            if request.change is None:
                self._open_new_map(request, made)
            else:
                self._on_failed(request, OTHER_GRID.problems)
            return
        if request.change is not None:
            self._put_change(request, request.change, made, there)
            return
        step = self._document.plan(
            lambda battlemap: put_roll(battlemap, there.id, made, replaces=request.replaces)
        )
        if request.replaces:
            self.earlier.remember(there, copied=made.terrain_set is not None)
            self._shown.add(there.id, self._current(there), key, back=request.back is not None)
        else:
            self._shown.add(step.layer_id, None, key, back=False)
        words = words_of(request, made, step, there)
        self.applying = True
        try:
            self._document.push(
                step.edit,
                f"{request.verb} {roll_name(made.layers[0])}",
                active=None if request.replaces else step.layer_id,
                extras=(self._state, RollState(*key)),
                generated=True,
            )
        finally:
            self.applying = False
        changed = changed_libraries(there, made) if request.replaces else ()
        self.rolled.emit(roll_name(made.layers[0]))
        self.reported.emit((*made.notes, *changed))
        if words:
            self.message.emit(words)

    def _put_change(
        self, request: RollRequest, change: ScriptChange, made: Generated, there: Layer
    ) -> None:
        """Bring the new text of the map's script and the roll of it into the map: one undo step."""
        self._document.cancel_stroke()  # a preview is no part of the earlier roll
        goes_on = self._document.history.step_before(change.merge) is not None
        if not (goes_on and there is self._followed):
            self.earlier.remember(there, copied=made.terrain_set is not None)
        key = DrawKey(request.key.seed, made.number)
        words = ""

        def make(battlemap: BattleMap) -> Edit | None:
            nonlocal words

            def put() -> Edit:
                nonlocal words
                step = put_roll(battlemap, there.id, made, replaces=True)
                words = words_of(request, made, step, there)
                return step.edit

            back = battlemap.layer(there.id).roll == made.layers[0].roll
            if back and change.edit(battlemap) is None:
                return None  # what was changed a moment ago is changed back
            return chained(battlemap, (lambda: change.edit(battlemap), put))

        self.applying = True
        try:
            self._document.push_on(
                make, change.title, change.merge, extras=(self._state, RollState(*key))
            )
        finally:
            self.applying = False
        self._followed = self._document.battlemap.layer(there.id)
        if change.loads:
            self.rolled.emit(roll_name(made.layers[0]))
        self.reported.emit(made.notes)
        self.change_made.emit(change)
        if words:
            self.message.emit(words)

    def _remember(self, gone: OpenMap, before: Layer | None) -> None:
        """Let one step back to the roll of a map that made way for another one of its script."""
        now, grid = self.target(), self._document.battlemap.grid
        if before is None or now is None or not grid.same_as(gone.battlemap.grid):
            return
        if before.roll and now.roll and before.roll.script_name == now.roll.script_name:
            self._shown.add(now.id, self._current(before), self._current(now), back=False)
            self.enabled_changed.emit()

    def _open_new_map(self, request: RollRequest, made: Generated) -> None:
        """A roll on another grid than the map's, or of a new map, opens as a map of its own."""
        base = request.base
        battlemap = new_map(base.system, base.grid, base.terrain_set, made)
        waiting, before, front = self._after_loading, self.target(), self._document.front
        if request.opens:
            self._document.show_map(battlemap, rolled=True, replaces=request.replaces)
        else:
            self._document.open_map(battlemap, rolled=True)
        self._after_loading = waiting  # for the map that is in front now
        if front not in self._document.maps and front.rolled:
            self._remember(front, before)
        self.set_state(RollState(request.key.seed, made.number))
        self.reported.emit(made.notes)
        if request.opens:
            self.opened.emit(self._document.front)
            return
        self.message.emit("The roll has another grid than the map: it opened as a map of its own")
