"""Puts finished rolls into the map of a document, each as one undo step.

    placement = RollPlacement(document, history, earlier_contents)
    report = placement.put(roll)        # report.summary: "Rolled Swamp, seed 17 no. 4 ..."

The roll goes to the destination of its request: into a layer, together with the ``MapChange`` of
the destination if there is one, or into a map of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from app.document.document import MapDocument
from app.document.undo_history import MergeKey
from app.rolling.destination import InPlaceOf, LayerDestination, NewMap
from app.rolling.earlier_contents import EarlierContents
from app.rolling.finished_roll import FinishedRoll
from app.rolling.ground_of_things import describe_new_ground, terrains_under_names
from app.rolling.roll_history import RollHistory, key_of
from app.rolling.roll_texts import (
    changed_libraries,
    describe_roll,
    note_on_same_map,
    unseen_effects,
)
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import chained
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, error

OTHER_GRID = (
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own"
)
UNKNOWN_ROLL = "No earlier roll is known since the map was opened: this is the number before"
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

        Raises ProblemError if the roll does not fit and belongs to a change of this map.
        """
        document = self._document
        destination = roll.request.destination
        if isinstance(destination, NewMap):
            return self._open(roll, destination)
        document.cancel_stroke()  # a preview is no part of the map
        fits = destination.fits(document.battlemap, roll.generated)
        if isinstance(destination, LayerDestination) and fits and not roll.opens_map:
            return self._put_layers(roll, destination)
        if destination.is_typed:
            raise error("other-grid", OTHER_GRID)
        document.open_map(roll.as_map(), rolled=True)
        return RollReport("", roll.generated.notes, OWN_MAP)

    # --- a map of its own -------------------------------------------------------------------

    def _open(self, roll: FinishedRoll, destination: NewMap) -> RollReport:
        """Open a roll as a map.

        If that replaces a map that was rolled from the same script, its key is noted, so that one
        can step back to it.
        """
        document = self._document
        battlemap = roll.as_map()
        previous_map = document.current_map
        previous_layer = self._history.target()
        document.show_map(battlemap, rolled=True, replaces=destination.replaces_map)
        layer = self._history.target()

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

    def _put_layers(self, roll: FinishedRoll, destination: LayerDestination) -> RollReport:
        """Put a fitting roll into the map as one undo step, and report what came of it.

        The step has the ``MapChange`` of the destination, too. That may ask for a *merge*: the roll
        then becomes part of the last undo step, as with each letter that is typed into a script.
        """
        neighbour = self._document.battlemap.layer(destination.layer_id)
        replaced_layer: Layer | None = None
        if isinstance(destination, InPlaceOf):
            replaced_layer = neighbour
        terrains_before = terrains_under_names(self._document)
        # Asked now, since the history notes this roll, too.
        is_unknown_roll = self._steps_back_to_unknown_roll(roll, replaced_layer)

        merge = destination.change.merge
        if merge is None:
            step: LayerStep | None = self._push(roll, destination, replaced_layer)
        else:
            step = self._merge_into_last_step(roll, destination, merge)
        if step is None:
            return RollReport("", roll.generated.notes)

        remarks = []
        if replaced_layer is not None and not destination.is_typed:
            remarks.append(describe_new_ground(self._document, terrains_before))
        if is_unknown_roll:
            remarks.append(UNKNOWN_ROLL)
        remarks.append(unseen_effects(roll, self._document.battlemap, step, replaced_layer))
        return self._report(roll, destination, neighbour, replaced_layer, remarks)

    def _report(
        self,
        roll: FinishedRoll,
        destination: LayerDestination,
        neighbour: Layer,
        replaced_layer: Layer | None,
        remarks: list[str],
    ) -> RollReport:
        """Return the messages about a roll that is in the map now.

        ``neighbour`` is the layer of the destination before the roll; ``remarks`` are sentences
        for the message, "" for none.
        """
        problems = roll.generated.notes
        same_map = ""
        if replaced_layer is not None:
            problems = (*problems, *changed_libraries(replaced_layer, roll.generated))
            same_map = note_on_same_map(roll, replaced_layer, self._document.battlemap)

        # While a script is typed the roll is not described, unless the map gets another script.
        is_described = destination.change.loads or not destination.is_typed
        summary = ""
        if is_described:
            is_alone = not any(remarks)
            summary = describe_roll(roll, replaced_layer, neighbour, same_map, is_alone=is_alone)
        elif same_map:
            remarks = [f"{same_map[0].upper()}{same_map[1:]}", *remarks]
        return RollReport(summary, problems, ". ".join(filter(None, remarks)))

    def _steps_back_to_unknown_roll(self, roll: FinishedRoll, replaced_layer: Layer | None) -> bool:
        """Return whether *Previous roll* was chosen and no roll before the present one is noted.

        Then the map of the number before appears, which may never have been seen.
        """
        if roll.request.back is None or replaced_layer is None:
            return False
        return not self._history.has_previous_key(replaced_layer)

    def _push(
        self, roll: FinishedRoll, destination: LayerDestination, replaced_layer: Layer | None
    ) -> LayerStep:
        """Push a roll as an undo step of its own, and return its edit.

        It is noted first, since the layer is stored before it is replaced.
        """
        document = self._document
        history = self._history
        step = document.plan(partial(_step_with_change, roll, destination))
        active = None
        if replaced_layer is None:
            history.note_new_layer(step.layer_id, roll.key)
            active = step.layer_id
        else:
            self._earlier_contents.store(
                replaced_layer, before_translation=roll.generated.terrain_set is not None
            )
            history.note_key(
                replaced_layer.id,
                key_of(replaced_layer),
                roll.key,
                requested=roll.request.key,
                back=roll.request.back is not None,
            )
        title = destination.change.title
        if not title:
            title = f"{roll.request.verb} {roll.name}"
        document.push(step.edit, title, active=active, roll_keys=roll.keys, generated=True)
        return step

    def _merge_into_last_step(
        self, roll: FinishedRoll, destination: LayerDestination, merge: MergeKey
    ) -> LayerStep | None:
        """Push a roll as part of the last undo step, if that has this key, else as a new one.

        Return its edit. None if the last step is undone by it: the script is as it was before that.
        """
        document = self._document
        earlier_contents = self._earlier_contents
        layer = document.battlemap.layer(destination.layer_id)
        is_merged = document.history.step_to_merge_into(merge) is not None
        if not (is_merged and layer is earlier_contents.layer_of_change):
            earlier_contents.store(layer, before_translation=roll.generated.terrain_set is not None)
        steps: list[LayerStep] = []  # of the roll, if it is pushed

        def make_edit(battlemap: BattleMap) -> Edit | None:
            """Return the edit of the map as it was before the last step, if that is replaced."""
            previous_roll = battlemap.layer(destination.layer_id).roll
            is_same_roll = previous_roll == roll.generated.layers[0].roll
            if is_same_roll and destination.change.edit(battlemap) is None:
                return None  # what was changed a moment ago is changed back
            steps.append(_step_with_change(roll, destination, battlemap))
            return steps[-1].edit

        document.push_on(make_edit, destination.change.title, merge, roll_keys=roll.keys)
        earlier_contents.layer_of_change = document.battlemap.layer(destination.layer_id)
        if steps:
            return steps[-1]
        return None


def _step_with_change(
    roll: FinishedRoll, destination: LayerDestination, battlemap: BattleMap
) -> LayerStep:
    """Return the edit that makes the change of the destination, and then puts the fitting roll."""
    change = destination.change.edit(battlemap)
    if change is None:
        return destination.step(battlemap, roll.generated)
    steps: list[LayerStep] = []

    def make_change() -> Edit | None:
        return change

    def put_layers() -> Edit:
        """Return the edit of the roll on the map as it is after the change."""
        steps.append(destination.step(battlemap, roll.generated))
        return steps[-1].edit

    edit = chained(battlemap, (make_change, put_layers))
    assert edit is not None, "a roll is an edit"
    return replace(steps[-1], edit=edit)
