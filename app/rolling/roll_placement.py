"""Puts finished rolls into the map of a document, each as one undo step.

    placement = RollPlacement(document, history, earlier_contents)
    report = placement.put(roll)        # report.summary: "Rolled Swamp, seed 17 no. 4 ..."

The roll goes to the destination of its request: into a layer, together with the ``MapChange`` of
the destination if there is one, or into a map of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from app.document.document import MapDocument
from app.document.undo_history import MergeKey
from app.rolling.destination import InPlaceOf, LayerDestination, NewMap
from app.rolling.earlier_contents import EarlierContents
from app.rolling.finished_roll import FinishedRoll
from app.rolling.ground_of_things import describe_new_ground, terrains_under_named_things
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_texts import (
    changed_libraries,
    describe_roll,
    unseen_effects,
    why_map_looks_the_same,
)
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import EditSequence
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, error

OTHER_GRID = (
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own"
)
"""Why a roll of another size is refused while a text is typed: shown as a problem of the script."""

UNKNOWN_ROLL = "No earlier roll is known since the map was opened: this is the number before"
"""Told after a step back from a roll that came with its file: a map never seen appears."""

OWN_MAP = "Opened as a new map; the map of the other size stays in its tab"
"""Told after a roll of another size, which has not replaced the map."""


class RollReport(NamedTuple):
    """The messages about a roll that was put into the map."""

    summary: str
    """What was rolled and into which layer; "" for a roll while a text is typed, and a new map."""

    problems: tuple[Problem, ...]
    """The notes of the generator, and warnings of changed libraries."""

    message: str = ""
    """Further sentences about it, "" for none."""


class _Placing(NamedTuple):
    """A roll that fits the current map, and the layers there before it is put."""

    roll: FinishedRoll

    destination: LayerDestination

    neighbour: Layer
    """The layer of the destination: it is replaced, or the roll goes above it."""

    @property
    def replaced_layer(self) -> Layer | None:
        """The layer that is replaced; None if the roll is a new layer."""
        if isinstance(self.destination, InPlaceOf):
            return self.neighbour
        return None

    @property
    def changes_replaced_layer(self) -> bool:
        """True if the edit changes the replaced layer itself, besides taking it out of the map.

        It translates the codes of the layer to the terrain set that the roll brings.
        """
        return self.roll.generated.terrain_set is not None

    @property
    def is_described(self) -> bool:
        """True if the user is told what was rolled.

        That would be too much while a script is typed, unless the map gets another script.
        """
        return self.destination.change.brings_script or not self.destination.is_typed

    def step(self, battlemap: BattleMap) -> LayerStep:
        """Return the edit of the roll, and of what else changes with it (``MapChange``)."""
        destination = self.destination
        change = destination.change.edit(battlemap)
        if change is None:
            return destination.step(battlemap, self.roll.generated)
        with EditSequence(battlemap) as sequence:
            sequence.add(change)
            # The layers are put on the map as it is after the change.
            step = destination.step(battlemap, self.roll.generated)
            sequence.add(step.edit)
        edit = sequence.edit
        assert edit is not None, "a roll is an edit"
        return replace(step, edit=edit)


@dataclass
class _MergedRoll:
    """A roll that becomes part of the last undo step, as with each letter of a typed script.

    It exists while ``push_on`` works, which undoes that step and asks for an edit in place of it.
    """

    placing: _Placing

    step: LayerStep | None = None
    """The edit of the roll, once ``make_edit`` was called; None if there is nothing to push."""

    def make_edit(self, battlemap: BattleMap) -> Edit | None:
        """Return the edit of a map, from which the last step was taken back if it is replaced.

        None if text and roll are as they are in that map: what was changed a moment ago was changed
        back, and the last step is gone for good.
        """
        destination = self.placing.destination
        previous_roll = battlemap.layer(destination.layer_id).roll
        is_same_roll = previous_roll == self.placing.roll.generated.layers[0].roll
        if is_same_roll and destination.change.edit(battlemap) is None:
            return None
        self.step = self.placing.step(battlemap)
        return self.step.edit


class RollPlacement:
    """Puts rolls into the maps of ``document``.

    It notes their keys in ``history``, and stores in ``earlier_contents`` what they replace.
    """

    def __init__(
        self, document: MapDocument, history: RollHistory, earlier_contents: EarlierContents
    ) -> None:
        self._document = document
        self._history = history
        self._earlier_contents = earlier_contents

    def put(self, roll: FinishedRoll) -> RollReport:
        """Put a roll into the map as one undo step, or open it as a map of its own.

        Raises ProblemError if the roll does not fit and follows a text that is being typed: a new
        map would interrupt that.
        """
        document = self._document
        destination = roll.request.destination
        if isinstance(destination, NewMap):
            return self._open(roll, destination)
        document.cancel_stroke()  # a preview is no part of the map
        fits = destination.fits(document.battlemap, roll.generated)
        if isinstance(destination, LayerDestination) and fits and not roll.opens_map:
            neighbour = document.battlemap.layer(destination.layer_id)
            return self._put_layers(_Placing(roll, destination, neighbour))
        if destination.is_typed:
            raise error("other-grid", OTHER_GRID)
        document.open_map(roll.as_map(), rolled=True)
        return RollReport("", roll.generated.notes, OWN_MAP)

    # --- a map of its own -------------------------------------------------------------------

    def _open(self, roll: FinishedRoll, destination: NewMap) -> RollReport:
        """Open a roll as a map.

        It may replace the current map. If both are rolls of one script on one grid, the key of the
        replaced map is noted, so that one can step back to it.
        """
        document = self._document
        battlemap = roll.as_map()
        previous_map = document.current_map
        previous_layer = self._history.rolled_layer()
        document.show_map(battlemap, rolled=True, replaces=destination.replaces_map)
        layer = self._history.rolled_layer()

        report = RollReport("", roll.generated.notes)
        is_replaced = previous_map not in document.maps
        if not is_replaced or not previous_map.rolled:
            return report
        if previous_layer is None or previous_layer.roll is None:
            return report
        if layer is None or layer.roll is None:
            return report
        has_same_script = previous_layer.roll.script_name == layer.roll.script_name
        if has_same_script and battlemap.grid.same_as(previous_map.battlemap.grid):
            self._history.note_key(layer.id, key_of(previous_layer), key_of(layer))
        return report

    # --- layers of the map ------------------------------------------------------------------

    def _put_layers(self, placing: _Placing) -> RollReport:
        """Put a fitting roll into the map as one undo step, and report what came of it.

        The step has the ``MapChange`` of the destination, too. That may ask for a *merge*: the roll
        then becomes part of the last undo step, as with each letter that is typed into a script.
        """
        # What the messages say of the map before: asked for while it is as it was.
        terrains_before = terrains_under_named_things(self._document)
        is_unknown_roll = self._steps_back_to_unknown_roll(placing)

        merge = placing.destination.change.merge
        if merge is None:
            step = self._push(placing)
        else:
            merged_step = self._merge_into_last_step(placing, merge)
            if merged_step is None:
                return RollReport("", placing.roll.generated.notes)
            step = merged_step

        remarks = []
        if placing.replaced_layer is not None and not placing.destination.is_typed:
            remarks.append(describe_new_ground(self._document, terrains_before))
        if is_unknown_roll:
            remarks.append(UNKNOWN_ROLL)
        battlemap = self._document.battlemap
        remarks.append(unseen_effects(placing.roll, battlemap, step, placing.replaced_layer))
        return self._report(placing, [remark for remark in remarks if remark])

    def _steps_back_to_unknown_roll(self, placing: _Placing) -> bool:
        """Return whether *Previous roll* was chosen and no roll before the present one is noted.

        Then the map of the number before appears, which may never have been seen.
        """
        layer = placing.replaced_layer
        if placing.roll.request.step_back_from is None or layer is None:
            return False
        return not self._history.has_previous_key(layer)

    def _push(self, placing: _Placing) -> LayerStep:
        """Push a roll as an undo step of its own, and return its edit."""
        document = self._document
        history = self._history
        roll = placing.roll
        layer = placing.replaced_layer
        step = document.plan(placing.step)
        active = None
        if layer is None:
            history.note_new_layer(step.layer_id, roll.key)
            active = step.layer_id
        else:
            # Before the push, which may change the replaced layer itself.
            self._earlier_contents.store(layer, copies_layer=placing.changes_replaced_layer)
            history.note_key(
                layer.id,
                key_of(layer),
                roll.key,
                requested=roll.request.key,
                is_step_back=roll.request.step_back_from is not None,
            )
        title = placing.destination.change.title
        if not title:
            title = f"{roll.request.verb} {roll.name}"
        document.push(step.edit, title, active=active, roll_keys=roll.keys, generated=True)
        return step

    def _merge_into_last_step(self, placing: _Placing, merge: MergeKey) -> LayerStep | None:
        """Push a roll as part of the last undo step, if that has this key, else as a new one.

        Return its edit. None if text and roll are back at what they were before the last step: that
        step is then removed, and nothing is pushed.
        """
        document = self._document
        destination = placing.destination
        is_merged = document.history.step_to_merge_into(merge) is not None
        # Before the push: see ``_push``.
        self._earlier_contents.store_before_merge(
            placing.neighbour, is_merged=is_merged, copies_layer=placing.changes_replaced_layer
        )
        merged_roll = _MergedRoll(placing)
        document.push_on(
            merged_roll.make_edit, destination.change.title, merge, roll_keys=placing.roll.keys
        )
        new_layer = document.battlemap.layer(destination.layer_id)
        self._earlier_contents.note_merged_roll(new_layer)
        return merged_roll.step

    def _report(self, placing: _Placing, remarks: list[str]) -> RollReport:
        """Return the messages about a roll that is in the map now; ``remarks`` are sentences."""
        roll = placing.roll
        layer = placing.replaced_layer
        problems = roll.generated.notes
        why_same_look = ""
        if layer is not None:
            problems = (*problems, *changed_libraries(layer, roll.generated))
            why_same_look = why_map_looks_the_same(roll, layer, self._document.battlemap)

        summary = ""
        if placing.is_described:
            has_room = not remarks  # the status line shows both, one after the other
            summary = describe_roll(
                roll, layer, placing.neighbour, why_same_look, has_room=has_room
            )
        elif why_same_look:
            remarks = [f"{why_same_look[0].upper()}{why_same_look[1:]}", *remarks]
        return RollReport(summary, problems, ". ".join(remarks))
