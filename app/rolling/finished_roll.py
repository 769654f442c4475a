"""A roll with its result, which goes to the destination of the roll; and the messages about it.

``Rolling`` calls ``FinishedRoll.put``, where reading begins: the result goes into the map as one
undo step, together with the ``MapChange`` of its destination if there is one, or is opened as a
map of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from app.document.document import MapDocument
from app.document.undo_history import MergeKey, RollKeys
from app.rolling.covered_changes import covered_changes
from app.rolling.destination import InPlaceOf, LayerDestination, NewMap
from app.rolling.ground_of_things import describe_new_ground, terrains_under_names
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_request import RollRequest
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.edits.value_edits import chained
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.problems import Problem, Severity, error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.rolls.touch_ups import TOUCH_UPS

OTHER_GRID = error(
    "other-grid",
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own",
)
NO_ROLL_NOTED = "No earlier roll is known since the map was opened: this is the number before"
"""What to say after a step back from a roll that came with its file: a map never seen appears."""

OWN_MAP = "Opened as a new map; the map of the other size stays in its tab"


class RollReport(NamedTuple):
    """The messages about a roll that was put into the map."""

    summary: str
    """What was rolled and into which layer; "" for a roll while a text is typed, and a new map."""

    problems: tuple[Problem, ...]
    """The notes of the generator, and warnings of changed libraries."""

    message: str = ""
    """Further sentences about it, "" for none."""


class FinishedRoll(NamedTuple):
    """A request with its result."""

    request: RollRequest

    generated: Generated
    """The result."""

    displayed_key: DrawKey
    """The seed and number on display before the roll, for undo."""

    opens_map: bool = False
    """True if it is opened as a new map although it was rolled for the current one."""

    @property
    def key(self) -> DrawKey:
        """Seed and number of the map that was rolled."""
        return DrawKey(self.request.key.seed, self.generated.number)

    @property
    def name(self) -> str:
        """The name of the roll, such as "Swamp, seed 17 no. 3"."""
        return roll_name(self.generated.layers[0])

    @property
    def keys(self) -> RollKeys:
        """Seed and number for undo and for redo of the roll; the undo step stores them."""
        return RollKeys(self.displayed_key, self.key)

    def description(
        self, replaced: Layer | None, neighbour: Layer, remark: str = "", *, is_alone: bool
    ) -> str:
        """Return a sentence that says what was rolled and into which layer.

        ``replaced`` is the layer as it was before; None: the roll is a new layer above
        ``neighbour``. ``remark`` says why the map looks the same, "" for none. ``is_alone``:
        nothing else is told, so that the seed of the roll before has room in the status bar.
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
        system = self.request.base.system
        if replaced_roll == self.name and not system.has_script_panel:
            return f"The {system.title.lower()} is laid again, with the same dice"
        if replaced_roll == self.name:
            text = f"Rolled {self.name} again"
            if remark:
                text += f": {remark}"
            return text
        if not is_alone:
            return f"Rolled {self.name}"
        if self.request.setup.has_script_of(replaced.roll):
            replaced_roll = f"seed {replaced.roll.seed} no. {replaced.roll.number}"
        return f"Rolled {self.name} in place of {replaced_roll}"

    def note_on_same_map(self, replaced: Layer, battlemap: BattleMap) -> str:
        """Return the remark that the map looks the same, and why.

        ``battlemap`` is the map with the roll. "" if the roll is another one by its seed or number,
        or if a change can be seen. That nothing changes at all is no news while a text is typed.
        """
        layer = self.generated.layers[0]
        if len(self.generated.layers) > 1 or replaced.roll is None or layer.roll is None:
            return ""
        is_same_key = self.key == DrawKey(replaced.roll.seed, replaced.roll.number)
        if not is_same_key:
            return ""
        changes = covered_changes(battlemap, replaced, battlemap.layer(replaced.id))
        if changes is None:
            return ""
        if replaced.roll.script == layer.roll.script:
            # A generator without a script has no text that the map could show.
            is_same_roll = replaced.roll == layer.roll and layer.roll.script != ""
            if is_same_roll and not changes.cells and not self.request.destination.is_typed:
                if self.request.setup.is_followed:
                    return "the map showed this text already (Follow the text is on)"
                return "the map showed this text already"
            return ""
        if changes.cells:
            return f"the edit changes {changes.text}"
        if self.request.destination.is_typed:
            return ""
        return "the edited script makes the same map with this seed and number"

    def as_map(self) -> BattleMap:
        """Return the roll as a map of its own."""
        base = self.request.base
        return new_map(base.system, base.grid, base.terrain_set, self.generated, base.assets)

    def message(self, step: LayerStep, replaced: Layer | None = None, things: int = 0) -> str:
        """Return sentences about what cannot be seen of the roll at once, "" for none.

        ``step`` is the edit that has put it into the map, ``replaced`` the layer that it replaced.
        ``things`` is the number of things among the changes by hand that were kept.
        """
        generated = self.generated
        texts = []
        if generated.put_back:
            text = f"{', '.join(generated.put_back)} put back by force"
            if generated.notes:
                text += "; the list of problems says what that breaks"
            texts.append(text)
        if step.touch_ups:
            other_changes = step.touch_ups - things
            if not things:
                changes = counted(step.touch_ups, "change")
            elif other_changes > 0:
                changes = f"{counted(things, 'thing')} and {counted(other_changes, 'change')}"
            else:
                changes = counted(things, "thing")
            texts.append(f"Kept: {changes} by hand ({TOUCH_UPS})")
        # The longest comes last, since the status bar may cut it off.
        if self.request.base.locked and not generated.put_back:
            texts.append(self._note_on_locks(replaced))
        if step.note:
            texts.append(step.note)
        if replaced is None and self._sides_seen_from_below():
            template = "{Sides} of the layers below still show where the roll sets none"
            texts.append(cell_text(template, self.request.base.grid.layout))
        if replaced is not None and not replaced.visible:
            texts.append(f"The layer {replaced.name} is hidden: show it to see the roll")
        return ". ".join(texts)

    def _note_on_locks(self, replaced: Layer | None) -> str:
        """Return the note that the locks were kept, and after how many maps."""
        wanted_key = self.request.key
        tried = self.key.number - wanted_key.number + 1
        if tried <= 1:  # below 1 after a step back
            return "Locks kept"

        text = f"Tried {tried:,} maps until one kept the locks"
        is_same_map = False
        if replaced is not None and replaced.roll is not None:
            is_same_map = wanted_key == DrawKey(replaced.roll.seed, replaced.roll.number)
        if is_same_map:
            text = (
                f"No. {wanted_key.number:,} does not keep the locks any more: "
                f"no. {self.key.number:,} is the next that does"
            )
        return text

    def _sides_seen_from_below(self) -> bool:
        """Return whether hexsides of lower layers show in cells whose terrain the roll sets."""
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

    # --- into the map -----------------------------------------------------------------------

    def put(self, document: MapDocument, history: RollHistory) -> RollReport:
        """Put the roll into the map as one undo step, or open it as a map of its own.

        Raises ProblemError if the roll does not fit and belongs to a change of this map.
        """
        destination = self.request.destination
        if isinstance(destination, NewMap):
            return self._open(document, history, destination)
        document.cancel_stroke()  # a preview is no part of the map
        fits = destination.fits(document.battlemap, self.generated)
        if isinstance(destination, LayerDestination) and fits and not self.opens_map:
            return self._put_layers(document, history, destination)
        if destination.is_typed:
            raise OTHER_GRID
        document.open_map(self.as_map(), rolled=True)
        return RollReport("", self.generated.notes, OWN_MAP)

    def _open(self, document: MapDocument, history: RollHistory, destination: NewMap) -> RollReport:
        """Open the roll as a map.

        If that replaces a map that was rolled from the same script, its key is noted, so that one
        can step back to it.
        """
        battlemap = self.as_map()
        previous_map = document.current_map
        previous_layer = history.target()
        document.show_map(battlemap, rolled=True, replaces=destination.replaces_map)
        layer = history.target()
        report = RollReport("", self.generated.notes)
        is_replaced = previous_map not in document.maps
        if not is_replaced or not previous_map.rolled:
            return report
        if previous_layer is None or previous_layer.roll is None:
            return report
        if layer is None or layer.roll is None:
            return report
        has_same_script = previous_layer.roll.script_name == layer.roll.script_name
        if has_same_script and battlemap.grid.same_as(previous_map.battlemap.grid):
            history.note_key(layer.id, key_of(previous_layer), key_of(layer))
        return report

    def _put_layers(
        self, document: MapDocument, history: RollHistory, destination: LayerDestination
    ) -> RollReport:
        """Put a fitting roll into the map as one undo step, and report what came of it.

        The step has the ``MapChange`` of the destination, too. That may ask for a *merge*: the roll
        then becomes part of the last undo step, as with each letter that is typed into a script.
        """
        neighbour = document.battlemap.layer(destination.layer_id)
        replaced_layer: Layer | None = None
        if isinstance(destination, InPlaceOf):
            replaced_layer = neighbour
        terrains_before = terrains_under_names(document)
        is_unknown_roll = self._steps_back_to_unknown_roll(history, replaced_layer)

        merge = destination.change.merge
        if merge is None:
            step: LayerStep | None = self._push(document, history, destination, replaced_layer)
        else:
            step = self._merge_into_last_step(document, history, destination, merge)
        notes = self.generated.notes
        if step is None:
            return RollReport("", notes)

        message = self.message(step, replaced_layer, _things_by_hand(document.battlemap, step))
        remarks = [message]
        if is_unknown_roll:
            remarks.insert(0, NO_ROLL_NOTED)
        note_on_same_map = ""
        if replaced_layer is not None:
            notes = (*notes, *changed_libraries(replaced_layer, self.generated))
            note_on_same_map = self.note_on_same_map(replaced_layer, document.battlemap)
            if not destination.is_typed:
                remarks.insert(0, describe_new_ground(document, terrains_before))

        # While a script is typed the roll is not described, unless the map gets another script.
        summary = ""
        if destination.change.loads or not destination.is_typed:
            is_alone = not any(remarks)
            summary = self.description(
                replaced_layer, neighbour, note_on_same_map, is_alone=is_alone
            )
        elif note_on_same_map:
            remarks.insert(0, f"{note_on_same_map[0].upper()}{note_on_same_map[1:]}")
        return RollReport(summary, notes, ". ".join(filter(None, remarks)))

    def _steps_back_to_unknown_roll(
        self, history: RollHistory, replaced_layer: Layer | None
    ) -> bool:
        """Return whether *Previous roll* was chosen and no roll before the present one is noted.

        Then the map of the number before appears, which may never have been seen.
        """
        if self.request.back is None or replaced_layer is None:
            return False
        return not history.has_previous_key(replaced_layer)

    def _push(
        self,
        document: MapDocument,
        history: RollHistory,
        destination: LayerDestination,
        replaced_layer: Layer | None,
    ) -> LayerStep:
        """Push the roll as an undo step of its own, and return its edit.

        The history of rolls notes it first, as it stores the layer before that is replaced.
        """
        step = document.plan(partial(self._step_with_change, destination))
        active = None
        if replaced_layer is None:
            history.note_new_layer(step.layer_id, self.key)
            active = step.layer_id
        else:
            back = self.request.back is not None
            history.store_contents(replaced_layer, copied=self.generated.terrain_set is not None)
            history.note_key(
                replaced_layer.id,
                key_of(replaced_layer),
                self.key,
                requested=self.request.key,
                back=back,
            )
        title = destination.change.title
        if not title:
            title = f"{self.request.verb} {self.name}"
        document.push(step.edit, title, active=active, roll_keys=self.keys, generated=True)
        return step

    def _merge_into_last_step(
        self,
        document: MapDocument,
        history: RollHistory,
        destination: LayerDestination,
        merge: MergeKey,
    ) -> LayerStep | None:
        """Push the roll as part of the last undo step, if that has this key, else as a new one.

        Return its edit. None if the last step is undone by it: the script is as it was before that.
        """
        generated = self.generated
        layer = document.battlemap.layer(destination.layer_id)
        is_merged = document.history.step_before(merge) is not None
        if not (is_merged and layer is history.layer_of_change):
            history.store_contents(layer, copied=generated.terrain_set is not None)
        steps: list[LayerStep] = []  # of the roll, if it is pushed

        def make_edit(battlemap: BattleMap) -> Edit | None:
            """Return the edit of the map as it was before the last step, if that is replaced."""
            previous_roll = battlemap.layer(destination.layer_id).roll
            is_same_roll = previous_roll == generated.layers[0].roll
            if is_same_roll and destination.change.edit(battlemap) is None:
                return None  # what was changed a moment ago is changed back
            steps.append(self._step_with_change(destination, battlemap))
            return steps[-1].edit

        document.push_on(make_edit, destination.change.title, merge, roll_keys=self.keys)
        history.layer_of_change = document.battlemap.layer(destination.layer_id)
        if steps:
            return steps[-1]
        return None

    def _step_with_change(self, destination: LayerDestination, battlemap: BattleMap) -> LayerStep:
        """Return the edit that makes the change, and then puts the fitting roll into the map."""
        change = destination.change.edit(battlemap)
        if change is None:
            return destination.step(battlemap, self.generated)
        steps: list[LayerStep] = []

        def make_change() -> Edit | None:
            return change

        def put_layers() -> Edit:
            """Return the edit of the roll on the map as it is after the change."""
            steps.append(destination.step(battlemap, self.generated))
            return steps[-1].edit

        edit = chained(battlemap, (make_change, put_layers))
        assert edit is not None, "a roll is an edit"
        return replace(steps[-1], edit=edit)


def _things_by_hand(battlemap: BattleMap, step: LayerStep) -> int:
    """Return how many things placed or changed by hand lie above a roll that was put."""
    count = 0
    for layer in battlemap.layers:
        if layer.roll is None and layer.touch_ups_of == step.layer_id:
            count += len(layer.things)
    return count


def changed_libraries(replaced: Layer, generated: Generated) -> tuple[Problem, ...]:
    """Return warnings of libraries with other contents than when the layer was rolled before."""
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
