"""One roll, with all decided: which map of a setup, onto what, and the place that it goes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from app.document.document import MapDocument
from app.document.undo_history import MergeKey, RollState
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_setup import RollSetup
from randomizer.batches.batch_generator import rolls_many
from randomizer.batches.map_stream import MapStream
from randomizer.forced_roll import force
from randomizer.generator import Base, DrawKey, Progress, run
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.edits.record_edits import change_record, set_record
from randomizer.model.edits.value_edits import chained, compound
from randomizer.model.grid.cell_text import cell_text
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import fits_grid, new_map, put_roll
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.rolls.touch_ups import TOUCH_UPS

GONE = "The layer is gone that this roll was meant for: nothing was changed"
OTHER_TERRAIN = "The map has another terrain set than when this roll began: nothing was changed"
OTHER_GRID = error(
    "other-grid",
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own",
)
OWN_MAP = "The roll has another grid than the map: it opened as a map of its own"
TURNED = "The map has another shape than when this roll began: nothing was changed"


@dataclass(frozen=True)
class RollRequest:
    """One roll: map ``key`` of a setup, rolled onto ``base``, for a place.

    ``verb`` begins the text of the undo step. ``back`` is the key of the map shown now when one
    steps back: if map ``key`` does not keep the locks, the last map before ``back`` that does is
    taken. ``forced`` rolls freely and puts what is locked back on map ``key``.
    """

    setup: RollSetup
    key: DrawKey
    base: Base
    place: RollPlace
    verb: str = "Roll"
    back: DrawKey | None = None
    forced: bool = False

    @property
    def searches(self) -> bool:
        """Whether map after map is tried for one that keeps the locks."""
        return self.setup.searches and self.base.locked and not self.forced

    def roll(self, progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
        """Roll it, on a job's thread; None if cancelled. Raises ProblemError as generators do."""
        generator = self.setup.generator()
        settings = self.setup.settings
        key = self.key
        base = self.base
        back = self.back
        if self.forced:
            return force(generator, settings, key, base, progress, cancelled)
        # A map of another seed was shown before: the nearest map from it on that keeps the locks.
        backwards = base.locked and back is not None and key.seed == back.seed
        if backwards and rolls_many(generator):
            stream = MapStream(generator, settings, base, key.seed, cancelled)
            if next(_that_keep(stream, range(key.number, key.number + 1)), None) is None:
                assert back is not None, "asked above"
                number = last_before(stream, back.number)
                if number is None:
                    return None
                key = key._replace(number=number)
        return run(generator, settings, key, base, progress, cancelled)


def last_before(stream: MapStream, number: int) -> int | None:
    """Return the number of the last map before ``number`` that keeps the locks.

    None if cancelled. Raises ProblemError if there is none.
    """
    before = next(_that_keep(stream, range(number - 1, -1, -1)), None)
    if before is None and not stream.cancelled():
        message = f"no map of seed {stream.seed} before number {number} keeps the locks"
        raise error("no-earlier-map", message)
    return before


def _that_keep(stream: MapStream, numbers: range) -> Iterator[int]:
    """Those of the numbers whose maps keep the locks."""
    for batch in stream.blocks(numbers, hexsides=bool(stream.base.locked_sides.any())):
        yield from batch.numbers[batch.keeps_locks()].tolist()


class FinishedRoll(NamedTuple):
    """What a request gave; ``state`` is what was requested until now, for undo."""

    request: RollRequest
    generated: Generated
    state: RollState

    @property
    def key(self) -> DrawKey:
        """Seed and number of the map that was rolled."""
        return DrawKey(self.request.key.seed, self.generated.number)

    @property
    def name(self) -> str:
        """The name of the roll."""
        return roll_name(self.generated.layers[0])

    @property
    def states(self) -> tuple[RollState, RollState]:
        """What is requested before and after it, beside the undo step."""
        return self.state, RollState(*self.key)

    def as_map(self) -> BattleMap:
        """Return the roll as a map of its own."""
        base = self.request.base
        return new_map(base.system, base.grid, base.terrain_set, self.generated, base.assets)

    def message(self, step: LayerStep, replaced: Layer | None = None) -> str:
        """Return what a person should hear about it besides seeing it, "" for nothing."""
        generated = self.generated
        texts = []
        if generated.put_back:
            texts.append(f"{', '.join(generated.put_back)} put back by force")
            if generated.notes:
                texts[-1] += "; the list of problems says what that breaks"
        elif self.request.base.locked:
            text = f"Map {generated.number} of seed {self.key.seed} keeps the locks"
            texts.append(f"{text}: {generated.rarity}" if generated.rarity else text)
        if step.touch_ups:
            places = counted(step.touch_ups, "touched-up place")
            texts.append(f"{places} moved into the layer {TOUCH_UPS}")
        if step.note:
            texts.append(step.note)
        if replaced is not None and not replaced.visible:
            texts.append(f"The layer {replaced.name} is hidden: show it to see the roll")
        return ". ".join(texts)


class RollReport(NamedTuple):
    """What is to be told of a roll that was put into its place.

    ``name`` is that of the roll, "" where the user asked for none or sees a new map.
    """

    name: str
    problems: tuple[Problem, ...]
    message: str = ""


# --- places ---------------------------------------------------------------------------------------
#
# Each says what a roll starts from that goes there (``base``), why none can go there (``why_not``:
# None for one that is yet to be started), whether it would change the size of the map
# (``other_size``), brings it into the map as it is now (``put``, which raises ProblemError if that
# cannot be done), and notes that nothing came of it (``fail``).


@dataclass(frozen=True)
class ScriptChange:
    """The script that the map holds gets another text, and the map is rolled from it.

    ``records`` are the records that change, by name; None: it is removed. ``merge`` says which undo
    step it goes on with; ``title`` is the text of that step. ``loads`` is True for another script,
    False for an edit of the one that the map holds. ``follow`` makes the edit of what else of the
    map changes with the text.
    """

    records: Mapping[str, MapRecord | None]
    merge: MergeKey
    title: str
    loads: bool = False
    follow: Callable[[BattleMap], Edit | None] | None = None

    def edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit of the records; None if they are so already. Raises ValueError."""
        edits: list[Edit | None] = []
        for name, text in self.records.items():
            before = battlemap.records.get(name)
            if before is None or text is None or not text.touched:
                edits.append(set_record(battlemap, name, text))
            else:
                edits.append(change_record(battlemap, name, text.text))
        edits.append(self.follow(battlemap) if self.follow else None)
        return compound(edits)

    def over(self, base: Base) -> Base:
        """Return ``base`` as it will be when the records have changed."""
        records = {name: each for name, each in base.records.items() if name not in self.records}
        touched = ((n, each) for n, each in self.records.items() if each and each.touched)
        return replace(base, records={**records, **dict(touched)})


@dataclass(frozen=True)
class NewMap:
    """A new map, of a roll onto the map ``empty``; nothing is to be undone in it.

    ``in_place``: it takes the place of the current map if that is as it was rolled. What the user
    asks for meanwhile waits for it.
    """

    opens: ClassVar[bool] = True
    empty: BattleMap
    in_place: bool

    def base(self, _battlemap: BattleMap) -> Base:
        """Return the base of a roll onto the empty map."""
        return Base.under(self.empty, len(self.empty.layers))

    def why_not(self, _battlemap: BattleMap, _base: Base | None = None) -> str:
        """Return "": a new map has room for every roll."""
        return ""

    def other_size(self, _battlemap: BattleMap, _generated: Generated) -> str:
        """Return "": a new map has no size yet."""
        return ""

    def put(self, document: MapDocument, history: RollHistory, roll: FinishedRoll) -> RollReport:
        """Open the map. One can step back to a roll of the same script that made way for it."""
        battlemap = roll.as_map()
        current = document.current_map
        before = history.target()
        document.show_map(battlemap, rolled=True, replaces=self.in_place)
        layer = history.target()
        made_way = current not in document.maps and current.rolled
        if made_way and before is not None and layer is not None and before.roll and layer.roll:
            same_grid = battlemap.grid.same_as(current.battlemap.grid)
            if same_grid and before.roll.script_name == layer.roll.script_name:
                history.go_on(layer.id, key_of(before), key_of(layer))
        return RollReport("", roll.generated.notes)

    def fail(self, _history: RollHistory, _request: RollRequest) -> bool:
        """Note nothing: a message tells the user."""
        return True


@dataclass(frozen=True)
class NewLayer:
    """A new layer above the one with this id; a map of its own if the roll has another grid.

    ``follow`` makes the edit of what else of the map changes with the roll, in its undo step.
    """

    opens: ClassVar[bool] = False
    replaces: ClassVar[bool] = False
    layer_id: int
    follow: Callable[[BattleMap], Edit | None] | None = field(default=None, kw_only=True)

    def base(self, battlemap: BattleMap) -> Base:
        """Return the base of a roll above the layer."""
        return Base.under(battlemap, battlemap.index_of(self.layer_id) + 1)

    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return why no roll can go here now: the layer is gone, or the map is not as it was."""
        if all(layer.id != self.layer_id for layer in battlemap.layers):
            return GONE
        if base is not None and battlemap.grid is not base.grid:
            return TURNED
        if base is not None and battlemap.terrain_set != base.terrain_set:
            return OTHER_TERRAIN
        return ""

    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll can go here as far as its grid goes."""
        return fits_grid(battlemap, self.layer_id, generated, replaces=self.replaces)

    def other_size(self, battlemap: BattleMap, generated: Generated) -> str:
        """Return how a roll would change the size of the map, as text; "" if it would not.

        An empty map has nothing that another size could take away.
        """
        grid = generated.grid
        if grid is None or grid.same_as(battlemap.grid) or battlemap.is_blank():
            return ""
        if not self.fits(battlemap, generated):
            return ""  # it opens as a map of its own
        old_size = _size_of(battlemap.grid)
        new_size = _size_of(grid)
        if new_size == old_size:
            return f"The roll gives the map of {old_size} another shape."
        return f"The roll makes a map of {new_size}. This map has {old_size}."

    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that puts a roll here which fits."""
        step = put_roll(battlemap, self.layer_id, generated, replaces=self.replaces)
        follow = self.follow
        if follow is None:
            return step
        edit = chained(battlemap, (lambda: step.edit, lambda: follow(battlemap)))
        assert edit is not None, "a roll is an edit"
        return replace(step, edit=edit)

    def put(self, document: MapDocument, history: RollHistory, roll: FinishedRoll) -> RollReport:
        """Put it into the map as one undo step, or open it as a map of its own."""
        notes = roll.generated.notes
        before = document.battlemap.layer(self.layer_id)
        if not self.fits(document.battlemap, roll.generated):
            document.open_map(roll.as_map(), rolled=True)
            return RollReport("", notes, OWN_MAP)
        step = document.plan(lambda battlemap: self.step(battlemap, roll.generated))
        warnings = self._note(history, roll, before, step)
        message = roll.message(step, before if self.replaces else None)
        active = None if self.replaces else step.layer_id
        title = f"{roll.request.verb} {roll.name}"
        document.push(step.edit, title, active=active, extras=roll.states, generated=True)
        return RollReport(roll.name, (*notes, *warnings), message)

    def fail(self, history: RollHistory, request: RollRequest) -> bool:
        """Note that nothing was rolled; whether a message tells the user."""
        return True

    def _note(
        self, history: RollHistory, roll: FinishedRoll, before: Layer, step: LayerStep
    ) -> tuple[Problem, ...]:
        """Note the step in the history before it is done; warnings about it."""
        history.begin(step.layer_id, roll.key)
        return ()


@dataclass(frozen=True)
class ReplacedLayer(NewLayer):
    """The rolled layer with this id, and the parts above it that came with it."""

    replaces: ClassVar[bool] = True

    def base(self, battlemap: BattleMap) -> Base:
        """Return the base of a roll in place of them."""
        positions = parts_from(battlemap, self.layer_id)
        return Base.under(battlemap, positions[0], *positions)

    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return why not, as for a new layer; nor if it was no roll, or is locked.

        Of several parts of one roll locked ones can be replaced: the generator keeps what they set.
        """
        why = super().why_not(battlemap, base)
        if why:
            return why
        layer = battlemap.layer(self.layer_id)
        if layer.roll is None:
            return GONE
        if layer.locked and len(parts_from(battlemap, self.layer_id)) == 1:
            return f"The layer {layer.name} is locked: unlock it to roll it again."
        return ""

    def fail(self, history: RollHistory, request: RollRequest) -> bool:
        """Let the next re-roll pass over the key."""
        history.fail(self.layer_id, request.key, request.setup.text)
        return True

    def _note(
        self, history: RollHistory, roll: FinishedRoll, before: Layer, step: LayerStep
    ) -> tuple[Problem, ...]:
        history.remember(before, copied=roll.generated.terrain_set is not None)
        back = roll.request.back is not None
        history.go_on(before.id, key_of(before), roll.key, back=back)
        return changed_libraries(before, roll.generated)


@dataclass(frozen=True)
class ChangedScript(ReplacedLayer):
    """The map's source, rolled from the new text of the map's script: both come together."""

    change: ScriptChange

    def base(self, battlemap: BattleMap) -> Base:
        """Return the base of its roll, with the records as they will be."""
        return self.change.over(super().base(battlemap))

    def put(self, document: MapDocument, history: RollHistory, roll: FinishedRoll) -> RollReport:
        """Put both into the map as one undo step, which may go on with the last one."""
        change = self.change
        generated = roll.generated
        document.cancel_stroke()  # a preview is no part of the earlier roll
        before = document.battlemap.layer(self.layer_id)
        if not self.fits(document.battlemap, generated):
            raise OTHER_GRID
        goes_on = document.history.step_before(change.merge) is not None
        if not (goes_on and before is history.passing):
            history.remember(before, copied=generated.terrain_set is not None)
        steps = []

        def put(battlemap: BattleMap) -> Edit:
            steps.append(self.step(battlemap, generated))
            return steps[-1].edit

        def make(battlemap: BattleMap) -> Edit | None:
            back = battlemap.layer(self.layer_id).roll == generated.layers[0].roll
            if back and change.edit(battlemap) is None:
                return None  # what was changed a moment ago is changed back
            return chained(battlemap, (lambda: change.edit(battlemap), lambda: put(battlemap)))

        document.push_on(make, change.title, change.merge, extras=roll.states)
        history.passing = document.battlemap.layer(self.layer_id)
        message = roll.message(steps[-1], before) if steps else ""
        return RollReport(roll.name if change.loads else "", generated.notes, message)

    def fail(self, history: RollHistory, request: RollRequest) -> bool:
        """Note nothing: the problems of a text are listed beside it."""
        return False


RollPlace = NewMap | NewLayer
"""Where the result of a roll goes, in the map for which it was started."""


def _size_of(grid: Grid) -> str:
    return cell_text(f"{grid.width} x {grid.height} {{cells}}", grid.layout)


def changed_libraries(before: Layer, generated: Generated) -> tuple[Problem, ...]:
    """Return warnings of libraries that are others than when the layer was rolled before."""
    old = before.roll
    new = generated.layers[0].roll
    if old is None or new is None or old.script_name != new.script_name:
        return ()
    changed = (name for name in old.libraries if new.libraries.get(name) != old.libraries[name])
    return tuple(
        Problem(
            Severity.WARNING,
            "library",
            f"{name} is not as it was when {before.name} was rolled: its seed makes other maps now",
        )
        for name in changed
        if name in new.libraries
    )
