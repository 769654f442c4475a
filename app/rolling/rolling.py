"""Rolling for the desk: jobs make the maps, results become single undo steps of the document."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import Job
from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.document.roll_state import RollState
from app.rolling import roll_requests as roll_orders
from app.rolling.earlier_rolls import EarlierCell, EarlierCells, EarlierRolls, lock_as
from app.rolling.roll_requests import Order, Wish
from randomizer.forcing import can_be_forced
from randomizer.generator import Base, DrawKey, Generated, Progress
from randomizer.model.battlemap import Layer, roll_name
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.edit import Edit, Region
from randomizer.model.layering import TOUCH_UPS, RollStep, parts_from, roll_on, rolled_layer
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem

GONE = "The layer is gone that this roll was meant for: nothing was changed"
TURNED = "The map has another shape than when this roll began: nothing was changed"
STROKE_WAIT_MS = 40
"""How long a finished roll waits before it looks again whether the brush has been lifted."""


class Rolling(QObject):
    """Rolls onto one document.

    ``state_changed()``: seed or number are others. ``busy_changed(bool)``. ``progressed(int)``: 1
    to 100. ``reported(problems)``: why the last roll failed, or what it noted; empty when one
    begins. ``message(str)``: what else is to be said. ``layers_changed()``: what can be rolled
    again may be another layer.
    """

    state_changed = Signal()
    busy_changed = Signal(bool)
    progressed = Signal(int)
    reported = Signal(object)
    message = Signal(str)
    layers_changed = Signal()

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
        self._state = RollState()
        self._left: WeakKeyDictionary[OpenMap, RollState] = WeakKeyDictionary()
        self._front = document.front
        self._job: Job | None = None
        self._order: Order | None = None
        self._visited: dict[int, list[DrawKey]] = {}
        self._failed: tuple[str, int, DrawKey] | None = None
        self._refused: Order | None = None
        self._earlier = EarlierRolls()
        self.applying = False
        document.extra_restored.connect(self._restore)
        document.changed.connect(self._on_changed)
        document.active_layer_changed.connect(lambda _layer_id: self.layers_changed.emit())
        document.map_replaced.connect(self._forget)

    # --- what is shown ----------------------------------------------------------------------

    @property
    def state(self) -> RollState:
        """Seed and number as shown."""
        return self._state

    def set_state(self, state: RollState) -> None:
        """Show another seed and number."""
        if state != self._state:
            self._state = state
            self.state_changed.emit()

    def type_seed(self, seed: int) -> None:
        """A hand chose another seed: its first map is meant."""
        self.set_state(RollState(seed, 0, True))

    def type_number(self, number: int) -> None:
        """A hand chose another map of the seed."""
        self.set_state(RollState(self._state.seed, number, True))

    def _restore(self, state: object) -> None:
        if isinstance(state, RollState):
            self.set_state(state)

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self.layers_changed.emit()

    def _forget(self) -> None:
        """Another map is in front: a roll meant for the one before stops, seeds are remembered."""
        if self.busy and self._front is not self._document.front:
            self.message.emit("The roll was stopped: another map is in front")
        self.cancel()
        self._visited.clear()
        self._earlier.forget()
        self._left[self._front] = self._state
        self._front = self._document.front
        self.set_state(self._left.get(self._front, self._state))
        self.layers_changed.emit()

    # --- what would be rolled ---------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a roll is under way."""
        return self._job is not None

    @property
    def busy_with_locks(self) -> bool:
        """Whether a map is looked for that keeps locks."""
        return self._order is not None and self._order.base.locked and not self._order.forced

    def target(self) -> Layer | None:
        """The layer that a re-roll replaces (``layering.rolled_layer``)."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def can_step_back(self) -> bool:
        """Whether there is a map to step back to."""
        layer = self.target()
        return layer is not None and self._before(layer) is not None

    def _current(self, layer: Layer) -> DrawKey:
        assert layer.roll is not None
        return DrawKey(layer.roll.seed, layer.roll.number)

    def _before(self, layer: Layer) -> DrawKey | None:
        current, visited = self._current(layer), self._visited.get(layer.id, [])
        if current in visited and visited.index(current) > 0:
            return visited[visited.index(current) - 1]
        return current._replace(number=current.number - 1) if current.number else None

    def _after(self, layer: Layer, text: str) -> DrawKey:
        current, visited = self._current(layer), self._visited.get(layer.id, [])
        if current in visited and visited.index(current) + 1 < len(visited):
            return visited[visited.index(current) + 1]
        return self._next(layer, text)

    def _next(self, layer: Layer, text: str) -> DrawKey:
        """The next map of the layer's seed; a map of this text that failed is passed over."""
        current = self._current(layer)
        if self._failed is not None and self._failed[:2] == (text, layer.id):
            failed = self._failed[2]
            if failed.seed == current.seed and failed.number > current.number:
                current = failed
        return current._replace(number=current.number + 1)

    def _visit(self, layer_id: int, before: DrawKey | None, key: DrawKey, *, back: bool) -> None:
        """Remember that the layer showed ``key`` after ``before`` (None: it is new).

        Stepping ``back`` to a map that was not shown yet puts it in front.
        """
        visited = self._visited.setdefault(layer_id, [])
        if before is None:
            visited[:] = [key]
            return
        if before not in visited:
            visited[:] = [before]
        if key not in visited:
            visited.insert(visited.index(before) + (0 if back else 1), key)

    # --- rolling ----------------------------------------------------------------------------

    def roll(self, wish: Wish, *, new_seed: bool) -> None:
        """Roll a new layer above the active one: the map shown, or map 0 of a seed of its own.

        What lies ``alone`` replaces what was rolled before.
        """
        state, layer = self._state, self.target()
        key = DrawKey(self._choose_seed(), 0) if new_seed else DrawKey(state.seed, state.number)
        if wish.alone and layer is not None:
            self._start(self._replacing(wish, layer, key, "Roll"))
            return
        battlemap, above = self._document.battlemap, self._document.active_layer_id
        base = Base.under(battlemap, battlemap.index_of(above) + 1)
        self._start(Order(wish, key, above, False, base, "Roll"))

    def reroll(self, wish: Wish, *, new_seed: bool) -> None:
        """Replace the rolled layer: the next map of its seed, or the map that a hand typed in.

        Without a rolled layer one is rolled anew.
        """
        layer = self.target()
        if layer is None:
            self.roll(wish, new_seed=new_seed)
            return
        if self._state.typed:
            key = DrawKey(self._state.seed, self._state.number)
        else:
            key = self._next(layer, wish.text)
        self._start(self._replacing(wish, layer, key, "Re-roll"))

    def follow(self, wish: Wish, script: str) -> bool:
        """Roll the rolled layer again, the same map, since its script says something else now.

        False if no layer was rolled from the script with this file name.
        """
        layer = self.target()
        if layer is None or layer.roll is None or layer.roll.script_name != script:
            return False
        self._start(self._replacing(wish, layer, self._current(layer), "Follow"))
        return True

    def randomize_as(self, wish: Wish, *, new_seed: bool) -> None:
        """Roll another script in place of the rolled layer, from map 0 on; anew if there is none.

        On top of the old roll its hazards would show through: nobody who asks for a swamp means a
        swamp on a volcano.
        """
        layer = self.target()
        if layer is None:
            self.roll(wish, new_seed=new_seed)
            return
        key = DrawKey(self._choose_seed() if new_seed else self._state.seed, 0)
        self._start(self._replacing(wish, layer, key, "Randomize as"))

    def step_back(self, wish: Wish) -> None:
        """Replace the rolled layer by the map that it showed before, or by the number before."""
        layer = self.target()
        key = None if layer is None else self._before(layer)
        if layer is None or key is None:
            return
        order = self._replacing(wish, layer, key, "Step back to")
        self._start(replace(order, back=self._current(layer)))

    def step_forward(self, wish: Wish) -> None:
        """Replace the rolled layer by the map that it showed after this one, or by the next."""
        layer = self.target()
        if layer is not None:
            key = self._after(layer, wish.text)
            self._start(self._replacing(wish, layer, key, "Step on to"))

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

    def take(self, wish: Wish, key: DrawKey) -> None:
        """Show one map that was chosen among many (under locks: the first from there on)."""
        layer = self.target()
        if layer is not None:
            self._start(self._replacing(wish, layer, key, "Take"))
            return
        above = self._document.active_layer_id
        self._start(Order(wish, key, above, False, self.next_base(), "Take"))

    def take_part(self, wish: Wish, layer: Layer, key: DrawKey) -> None:
        """Make one rolled layer anew, and those above it that came with it."""
        self._start(self._replacing(wish, layer, key, f"{layer.name} of"))

    def force(self) -> None:
        """Roll again what failed for its locks, and put what is locked back by force."""
        order, battlemap = self._refused, self._document.battlemap
        if order is None:
            return
        if order.layer_id not in [layer.id for layer in battlemap.layers]:
            self.message.emit(GONE)
            return
        if order.replaces:
            base = self._base_of(order.layer_id)
        else:
            base = Base.under(battlemap, battlemap.index_of(order.layer_id) + 1)
        self._start(replace(order, base=base, verb="Force", back=None, forced=True))

    def earlier(self, cell: int) -> list[EarlierCell]:
        """What a cell showed in earlier rolls of the layer that a re-roll replaces."""
        layer = self.target()
        if layer is None:
            return []
        return self._earlier.of_cell(self._document.battlemap, layer.id, cell)

    def lock_as(self, cell: int, earlier: EarlierCell) -> None:
        """Take a cell back as it was in an earlier roll, and lock it."""
        layer, battlemap = self.target(), self._document.battlemap
        if layer is not None:
            edit = lock_as(battlemap, layer.id, np.array([cell]), earlier.values)
            name = battlemap.system.cell_name(battlemap.grid, cell)
            self._document.push(edit, f"Lock {name} as in {earlier.name}")

    def before(self, cells: NDArray[np.intp]) -> EarlierCells | None:
        """What cells showed in the roll before this one, None if there was none."""
        layer = self.target()
        if layer is None:
            return None
        return self._earlier.before(self._document.battlemap, layer.id, cells)

    def lock_as_before(self, cells: NDArray[np.intp], before: EarlierCells) -> Edit | None:
        """The edit that takes cells back as they were in the roll before, and locks them."""
        layer, battlemap = self.target(), self._document.battlemap
        return None if layer is None else lock_as(battlemap, layer.id, cells, before.values)

    def _replacing(self, wish: Wish, layer: Layer, key: DrawKey, verb: str) -> Order:
        return Order(wish, key, layer.id, True, self._base_of(layer.id), verb)

    def _start(self, order: Order) -> None:
        if self._job is not None:
            return  # one roll at a time; keys repeat faster than some scripts roll
        self._refused = None
        self.reported.emit(())

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
            return roll_orders.made(order, progress, cancelled)

        # Without a parent: a job outlives its panel until its thread has ended. Bound methods are
        # disconnected if this object goes first.
        self._order = order
        self._job = Job(work)
        self._job.progressed.connect(self.progressed)
        self._job.finished.connect(self._finish)
        self._job.failed.connect(self._fail)
        self.busy_changed.emit(True)
        self._job.start()

    def cancel(self) -> None:
        """Let the roll under way be; the map stays as it is."""
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _end(self) -> Order:
        """Nothing is under way any more; what was."""
        assert self._order is not None
        order, self._order, self._job = self._order, None, None
        self.busy_changed.emit(False)
        return order

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        order = self._end()
        if order.replaces:
            self._failed = (order.wish.text, order.layer_id, order.key)
        if can_be_forced(problems):
            self._refused = order
        self.reported.emit(problems)
        self.message.emit(f"Not rolled: {problems[0].message}")

    def _finish(self, made: Generated) -> None:
        if self._document.in_stroke:
            # A push would take the stroke back: wait until the brush is lifted.
            again = partial(self._finish_later, self._order, made)
            QTimer.singleShot(STROKE_WAIT_MS, self, again)
            return
        self._failed = None
        self._apply(self._end(), made)

    def _finish_later(self, order: Order | None, made: Generated) -> None:
        if self._order is order:  # not cancelled meanwhile
            self._finish(made)

    def _apply(self, order: Order, made: Generated) -> None:
        """Bring the result into the map as it is now."""
        document = self._document
        battlemap = document.battlemap
        there = next((layer for layer in battlemap.layers if layer.id == order.layer_id), None)
        if there is None or (order.replaces and there.roll is None):
            self.message.emit(GONE)
            return
        if battlemap.grid is not order.base.grid:
            self.message.emit(TURNED)
            return
        rolled = made.layers
        key = DrawKey(order.key.seed, made.number)
        step: RollStep
        if order.replaces:
            step = roll_on(battlemap, there.id, rolled, replaces=True)
            self._earlier.remember(there)
            before = self._current(there)
            self._visit(there.id, before, key, back=order.back is not None)
        else:
            step = roll_on(battlemap, there.id, rolled, replaces=False)
            self._visit(step.layer_id, None, key, back=False)
        self.applying = True
        try:
            document.push(
                step.edit,
                f"{order.verb} {roll_name(rolled[0])}",
                active=None if order.replaces else step.layer_id,
                extras=(self._state, RollState(*key)),
            )
        finally:
            self.applying = False
        self.reported.emit(made.notes)
        words = self._words(order, made, step.touch_ups)
        if order.replaces and not there.visible:
            words.append(f"The layer {there.name} is hidden: show it to see the roll")
        if words:
            self.message.emit(". ".join(words))

    def _words(self, order: Order, made: Generated, touch_ups: int) -> list[str]:
        """What a person should hear about a roll, besides seeing it."""
        words = []
        if made.put_back:
            words.append(f"{', '.join(made.put_back)} put back by force")
            if made.notes:
                words[-1] += "; the list of problems says what that breaks"
        elif order.base.locked:
            sentence = f"Map {made.number} of seed {order.key.seed} keeps the locks"
            if made.rarity:
                sentence += f": {made.rarity}"
            words.append(sentence)
        if touch_ups:
            places = counted(touch_ups, "touched-up place")
            words.append(f"{places} moved into the layer {TOUCH_UPS}")
        return words
