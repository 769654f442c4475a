"""One roll, with all decided: which map of a setup, onto what, and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

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
from randomizer.model.grid.cell_words import cell_text
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
    """One roll: map ``key`` of a setup, rolled onto ``base``, for a destination.

    ``verb`` begins the text of the undo step. ``back`` is the key of the map shown now when one
    steps back: if map ``key`` does not keep the locks, the last map before ``back`` that does is
    taken. ``forced`` rolls freely and puts what is locked back on map ``key``.
    """

    setup: RollSetup
    key: DrawKey
    base: Base
    destination: Destination
    verb: str = "Roll"
    back: DrawKey | None = None
    forced: bool = False

    @property
    def searches(self) -> bool:
        """True if map after map is tried for one that keeps the locks."""
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
            if next(_numbers_that_keep(stream, range(key.number, key.number + 1)), None) is None:
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
    earlier_number = next(_numbers_that_keep(stream, range(number - 1, -1, -1)), None)
    if earlier_number is None and not stream.cancelled():
        message = (
            f"no map of seed {stream.seed} before number {number} has what you locked; unlock some "
            "of it, or go on to later numbers"
        )
        raise error("no-earlier-map", message)
    return earlier_number


def _numbers_that_keep(stream: MapStream, numbers: range) -> Iterator[int]:
    """Yield those of the numbers whose maps keep the locks, in their order."""
    for batch in stream.blocks(numbers, hexsides=bool(stream.base.locked_sides.any())):
        yield from batch.numbers[batch.keeps_locks()].tolist()


class FinishedRoll(NamedTuple):
    """A request with its result; ``state`` is seed and number of the roll before it, for undo."""

    request: RollRequest
    generated: Generated
    state: RollState

    @property
    def key(self) -> DrawKey:
        """Seed and number of the map that was rolled."""
        return DrawKey(self.request.key.seed, self.generated.number)

    @property
    def name(self) -> str:
        """The name of the roll, such as "Swamp, seed 17 no. 3"."""
        return roll_name(self.generated.layers[0])

    @property
    def states(self) -> tuple[RollState, RollState]:
        """Seed and number of the roll before and of this one; the undo step keeps them."""
        return self.state, RollState(*self.key)

    def told(self, replaced: Layer | None, neighbour: Layer) -> str:
        """Return what was rolled and into which layer.

        ``replaced`` is the layer as it was before; None: the roll is a new layer above
        ``neighbour``.
        """
        count = len(self.generated.layers)
        if replaced is None and count > 1:
            return f"Rolled {self.name} as {count} new layers above {neighbour.name}"
        if replaced is None or replaced.roll is None:
            return f"Rolled {self.name} as a new layer above {neighbour.name}"
        replaced_roll = roll_name(replaced)
        is_renamed = replaced.name != replaced_roll and not replaced.roll.part
        if is_renamed:
            return f"Rolled {self.name} into the layer {replaced.name}"
        if replaced_roll == self.name:
            return f"Rolled {self.name} again{self._told_of_edit(replaced)}"
        if self.request.setup.has_script_of(replaced.roll):
            replaced_roll = f"seed {replaced.roll.seed} no. {replaced.roll.number}"
        return f"Rolled {self.name} in place of {replaced_roll}"

    def _told_of_edit(self, replaced: Layer) -> str:
        """Return that an edit of the script changed nothing in this roll; "" if it did, or none
        was made.
        """
        layer = self.generated.layers[0]
        if len(self.generated.layers) > 1 or replaced.roll is None or layer.roll is None:
            return ""
        if replaced.roll.script == layer.roll.script:
            return ""
        for spec in self.request.base.system.planes:
            blank = spec.allocate(self.request.base.grid)
            old_values = replaced.planes.get(spec.name, blank)
            new_values = layer.planes.get(spec.name, blank)
            if not np.array_equal(old_values, new_values):
                return ""
        return ": the edited script makes the same map with this seed and number"

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
        if step.touch_ups:
            changes = counted(step.touch_ups, "change")
            texts.append(f"Kept: {changes} by hand, in the layer {TOUCH_UPS}")
        # The longest comes last, since the status bar may cut it off.
        if self.request.base.locked and not generated.put_back:
            texts.append(self._told_of_locks())
        if step.note:
            texts.append(step.note)
        if replaced is None and self._sides_seen_from_below():
            template = "{Sides} of the layers below still show where the roll sets none"
            texts.append(cell_text(template, self.request.base.grid.layout))
        if replaced is not None and not replaced.visible:
            texts.append(f"The layer {replaced.name} is hidden: show it to see the roll")
        return ". ".join(texts)

    def _told_of_locks(self) -> str:
        """Return that the locks were kept, how rare that is, and which numbers were skipped."""
        text = "Locks kept"
        if self.generated.rarity:
            text += f": {self.generated.rarity} has them"
        first_skipped = self.request.key.number
        last_skipped = self.key.number - 1
        if last_skipped == first_skipped:
            text += f", so no. {first_skipped} was skipped"
        elif last_skipped > first_skipped:
            text += f", so no. {first_skipped} to {last_skipped} were skipped"
        return text

    def _sides_seen_from_below(self) -> bool:
        """Return whether sides of other layers show in cells of which the roll sets the terrain."""
        base = self.request.base
        terrain_spec = base.system.terrain
        side_spec = base.system.hexside
        grid = self.generated.grid
        has_other_grid = grid is not None and not grid.same_as(base.grid)
        if terrain_spec is None or side_spec is None or has_other_grid:
            return False
        sides_below = base.composite.planes[side_spec.name] != side_spec.default
        is_covered = np.zeros(terrain_spec.shape(base.grid), np.bool_)
        for layer in self.generated.layers:
            if terrain_spec.name in layer.planes:
                is_covered |= layer.planes[terrain_spec.name] != terrain_spec.unset
            if side_spec.name in layer.planes:
                sides_below &= layer.planes[side_spec.name] == side_spec.unset
        return bool((sides_below & is_covered[..., np.newaxis]).any())


class RollReport(NamedTuple):
    """The messages about a roll that was put into the map.

    ``told`` says what was rolled and into which layer, "" where the user asked for no roll or sees
    a new map.
    """

    told: str
    problems: tuple[Problem, ...]
    message: str = ""


# --- where a roll goes ----------------------------------------------------------------------------


SetupOf = Callable[[str, Mapping[str, str]], RollSetup]
"""Makes the setup of a script from its text and its further files, by name."""


@dataclass(frozen=True)
class MapChange:
    """A change of the map that comes with a roll, in the same undo step.

    ``records`` are the records that change, by name; None: it is removed. ``merge`` says which undo
    step it goes on with, None: it is a step of its own. ``title`` is the text of that step, "" for
    that of the roll. ``setup_of`` makes the setup from the text and the further files of another
    script that the map gets, None for an edit of the one that it holds. ``follow`` makes the edit
    of what changes with the records.
    """

    records: Mapping[str, MapRecord | None] = field(default_factory=dict)
    merge: MergeKey | None = None
    title: str = ""
    setup_of: SetupOf | None = None
    follow: Callable[[BattleMap], Edit | None] | None = None

    @property
    def loads(self) -> bool:
        """True if the map gets another script."""
        return self.setup_of is not None

    def edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit of the map; None if it is so already. Raises ValueError."""
        edits: list[Edit | None] = []
        for name, record in self.records.items():
            if name not in battlemap.records or record is None or not record.touched:
                edits.append(set_record(battlemap, name, record))
            else:
                edits.append(change_record(battlemap, name, record.text))
        if self.follow is not None:
            edits.append(self.follow(battlemap))
        return compound(edits)

    def over(self, base: Base) -> Base:
        """Return ``base`` as it will be when the records have changed."""
        records = dict(base.records)
        for name, record in self.records.items():
            records.pop(name, None)
            if record is not None and record.touched:
                records[name] = record
        return replace(base, records=records)


NO_CHANGE = MapChange()


@dataclass(frozen=True)
class Destination:
    """The target of a roll in the desk. Make one by ``in_place_of``, ``above`` or ``as_new_map``.

    It is one of three: the rolled layer with the id ``replaced``, with the parts above it that came
    with it; a new layer above the layer with the id ``below``; or ``empty``, a map without layers,
    which is opened with the roll and takes the place of the current map if ``replaces_map`` and if
    that is as it was rolled. A roll that brings another grid than the map can take is opened as a
    map of its own.

    ``change`` is what changes with it in the map. ``is_typed``: the roll follows a text, beside
    which its problems are listed; no message tells what a person sees while typing.
    """

    replaced: int | None = None
    below: int | None = None
    empty: BattleMap | None = None
    replaces_map: bool = False
    change: MapChange = NO_CHANGE
    is_typed: bool = False

    @classmethod
    def in_place_of(cls, layer_id: int) -> Destination:
        """Return the rolled layer with this id, as the destination of a roll."""
        return cls(replaced=layer_id)

    @classmethod
    def above(cls, layer_id: int) -> Destination:
        """Return a new layer above the layer with this id, as the destination of a roll."""
        return cls(below=layer_id)

    @classmethod
    def as_new_map(cls, empty: BattleMap, *, replaces_map: bool = False) -> Destination:
        """Return a new map, rolled onto the map ``empty``, as the destination of a roll."""
        return cls(empty=empty, replaces_map=replaces_map)

    @property
    def opens_map(self) -> bool:
        """True if a new map is opened with the roll."""
        return self.empty is not None

    @property
    def only_shows_text(self) -> bool:
        """True if the roll only shows the text that is typed, and changes nothing else."""
        return self.is_typed and not self.change.records

    @property
    def _layer_id(self) -> int:
        """The id of the layer that is replaced, or above which the new layer goes."""
        layer_id = self.below if self.replaced is None else self.replaced
        assert layer_id is not None, "a new map has no layer to begin with"
        return layer_id

    # --- before it is rolled ----------------------------------------------------------------

    def base(self, battlemap: BattleMap) -> Base:
        """Return what a roll that goes here starts from."""
        if self.empty is not None:
            return Base.under(self.empty, len(self.empty.layers))
        if self.replaced is None:
            return self.change.over(Base.under(battlemap, battlemap.index_of(self._layer_id) + 1))
        positions = parts_from(battlemap, self.replaced)
        return self.change.over(Base.under(battlemap, positions[0], *positions))

    def why_not(self, battlemap: BattleMap, base: Base | None = None) -> str:
        """Return why no roll can go here now, as text; "" if one can.

        ``base`` is what the roll was started from, None for one that is yet to be started.
        """
        if self.empty is not None:
            return ""
        layers = (layer for layer in battlemap.layers if layer.id == self._layer_id)
        layer = next(layers, None)
        if layer is None or (self.replaced is not None and layer.roll is None):
            return GONE
        if base is not None and battlemap.grid is not base.grid:
            return TURNED
        if base is not None and battlemap.terrain_set != base.terrain_set:
            return OTHER_TERRAIN
        if self.locked_layer(battlemap) is not None:
            return locked_message(layer)
        return ""

    def locked_layer(self, battlemap: BattleMap) -> Layer | None:
        """Return the locked layer that a roll would replace; None if it can be replaced.

        Of several parts of one roll locked ones can be replaced: the generator keeps what they set.
        """
        if self.replaced is None or all(layer.id != self.replaced for layer in battlemap.layers):
            return None
        layer = battlemap.layer(self.replaced)
        is_one_layer = len(parts_from(battlemap, self.replaced)) == 1
        return layer if layer.locked and is_one_layer else None

    # --- when it is rolled ------------------------------------------------------------------

    def fits(self, battlemap: BattleMap, generated: Generated) -> bool:
        """Return whether a roll can go into the map as far as its grid goes."""
        replaces = self.replaced is not None
        return self.opens_map or fits_grid(battlemap, self._layer_id, generated, replaces=replaces)

    def other_size(self, battlemap: BattleMap, generated: Generated) -> str:
        """Return how a roll would change the size of the map, as text; "" if it would not.

        An empty map has nothing that another size could take away.
        """
        grid = generated.grid
        if self.opens_map or grid is None or grid.same_as(battlemap.grid) or battlemap.is_blank():
            return ""
        if not self.fits(battlemap, generated):
            return ""  # it opens as a map of its own
        old_size = _size_of(battlemap.grid)
        new_size = _size_of(grid)
        if new_size == old_size:
            return _other_shape(battlemap.grid, grid)
        return f"The roll makes a map of {new_size}. This map has {old_size}."

    def step(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that puts a roll which fits into the map, without the change."""
        replaces = self.replaced is not None
        return put_roll(battlemap, self._layer_id, generated, replaces=replaces)

    def put(self, document: MapDocument, history: RollHistory, roll: FinishedRoll) -> RollReport:
        """Put a roll into the map as one undo step, or open it as a map.

        Raises ProblemError if the roll does not fit and belongs to a change of this map.
        """
        if self.empty is not None:
            return self._open(document, history, roll)
        document.cancel_stroke()  # a preview is no part of the map
        if self.fits(document.battlemap, roll.generated):
            return self._put_layers(document, history, roll)
        if self.is_typed:
            raise OTHER_GRID
        document.open_map(roll.as_map(), rolled=True)
        return RollReport("", roll.generated.notes, OWN_MAP)

    def _open(self, document: MapDocument, history: RollHistory, roll: FinishedRoll) -> RollReport:
        """Open the map. One can step back to a roll of the same script that made way for it."""
        battlemap = roll.as_map()
        previous_map = document.current_map
        previous_layer = history.target()
        document.show_map(battlemap, rolled=True, replaces=self.replaces_map)
        layer = history.target()
        report = RollReport("", roll.generated.notes)
        if previous_map in document.maps or not previous_map.rolled:
            return report
        if previous_layer is None or layer is None or not previous_layer.roll or not layer.roll:
            return report
        has_same_script = previous_layer.roll.script_name == layer.roll.script_name
        if has_same_script and battlemap.grid.same_as(previous_map.battlemap.grid):
            history.go_on(layer.id, key_of(previous_layer), key_of(layer))
        return report

    def _put_layers(
        self, document: MapDocument, history: RollHistory, roll: FinishedRoll
    ) -> RollReport:
        """Put a roll that fits into the map as one undo step, together with the change."""
        neighbour = document.battlemap.layer(self._layer_id)
        replaced_layer = None if self.replaced is None else neighbour
        step: LayerStep | None
        if self.change.merge is None:
            step = self._push(document, history, roll, replaced_layer)
        else:
            step = self._push_on(document, history, roll, self.change.merge)
        if step is None:
            return RollReport("", roll.generated.notes)
        notes = roll.generated.notes
        if replaced_layer is not None:
            notes = (*notes, *changed_libraries(replaced_layer, roll.generated))
        message = ""
        if self.change.loads or not self.is_typed:
            message = roll.told(replaced_layer, neighbour)
        return RollReport(message, notes, roll.message(step, replaced_layer))

    def _push(
        self,
        document: MapDocument,
        history: RollHistory,
        roll: FinishedRoll,
        replaced_layer: Layer | None,
    ) -> LayerStep:
        """Do it as an undo step of its own. The history notes the step before it is done."""
        step = document.plan(lambda battlemap: self._step_with_change(battlemap, roll.generated))
        active = None
        if replaced_layer is None:
            history.begin(step.layer_id, roll.key)
            active = step.layer_id
        else:
            back = roll.request.back is not None
            history.remember(replaced_layer, copied=roll.generated.terrain_set is not None)
            history.go_on(
                replaced_layer.id,
                key_of(replaced_layer),
                roll.key,
                requested=roll.request.key,
                back=back,
            )
        title = self.change.title or f"{roll.request.verb} {roll.name}"
        document.push(step.edit, title, active=active, roll_states=roll.states, generated=True)
        return step

    def _push_on(
        self, document: MapDocument, history: RollHistory, roll: FinishedRoll, merge: MergeKey
    ) -> LayerStep | None:
        """Do it as a step that may go on with the last one; None if both change nothing."""
        generated = roll.generated
        layer = document.battlemap.layer(self._layer_id)
        goes_on = document.history.step_before(merge) is not None
        if not (goes_on and layer is history.passing):
            history.remember(layer, copied=generated.terrain_set is not None)
        steps: list[LayerStep] = []

        def make(battlemap: BattleMap) -> Edit | None:
            roll_before = battlemap.layer(self._layer_id).roll
            is_as_before = roll_before == generated.layers[0].roll
            if is_as_before and self.change.edit(battlemap) is None:
                return None  # what was changed a moment ago is changed back
            steps.append(self._step_with_change(battlemap, generated))
            return steps[-1].edit

        document.push_on(make, self.change.title, merge, roll_states=roll.states)
        history.passing = document.battlemap.layer(self._layer_id)
        if steps:
            return steps[-1]
        return None

    def _step_with_change(self, battlemap: BattleMap, generated: Generated) -> LayerStep:
        """Return the edit that makes the change, and then puts a roll which fits into the map."""
        change = self.change.edit(battlemap)
        if change is None:
            return self.step(battlemap, generated)
        steps: list[LayerStep] = []

        def put_layers() -> Edit:
            steps.append(self.step(battlemap, generated))
            return steps[-1].edit

        edit = chained(battlemap, (lambda: change, put_layers))
        assert edit is not None, "a roll is an edit"
        return replace(steps[-1], edit=edit)


def locked_message(layer: Layer) -> str:
    """Return why a locked layer is not rolled, and what can be done, as text."""
    return f"The layer {layer.name} is locked: unlock it, or roll onto a new layer."


def _other_shape(old_grid: Grid, new_grid: Grid) -> str:
    """Return how two grids of the same size differ, as text."""
    if old_grid.layout is not new_grid.layout:
        return "The roll makes a map with another layout."
    if old_grid.wrap and not new_grid.wrap:
        return "The roll makes a map with a left and a right edge. This map goes round."
    if new_grid.wrap and not old_grid.wrap:
        return "The roll makes a map that goes round. This map has a left and a right edge."
    return f"The roll gives the map of {_size_of(old_grid)} another shape."


def _size_of(grid: Grid) -> str:
    """Return the size as text, such as "20 x 14 hexes"."""
    return cell_text(f"{grid.width} x {grid.height} {{cells}}", grid.layout)


def changed_libraries(replaced: Layer, generated: Generated) -> tuple[Problem, ...]:
    """Return warnings of libraries that are others than when the layer was rolled before."""
    old_roll = replaced.roll
    new_roll = generated.layers[0].roll
    if old_roll is None or new_roll is None or old_roll.script_name != new_roll.script_name:
        return ()
    warnings = []
    for name, digest in old_roll.libraries.items():
        if name in new_roll.libraries and new_roll.libraries[name] != digest:
            message = (
                f"{name} is not as it was when {replaced.name} was rolled: "
                "its seed makes other maps now"
            )
            warnings.append(Problem(Severity.WARNING, "library", message))
    return tuple(warnings)
