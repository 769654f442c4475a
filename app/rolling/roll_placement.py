"""Applies finished rolls to the map of a document, each as one undo step.

    placement = RollPlacement(document, history, earlier_contents)
    report = placement.apply(roll)      # report.summary: "Rolled Swamp, seed 17 no. 4 ..."

The roll goes to the destination of its request: into a layer, together with the ``MapChange`` of
the destination if there is one, or into a map of its own. A roll into a layer has three stages::

    1  what the messages, the history and the menus of cells need of the map before is noted
    2  the edit is pushed: as a step of its own, or as part of the last one (``_merge``)
    3  the messages are made of the map before and after (roll_report.py)
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from app.document.document import MapDocument
from app.document.undo_history import MergeKey
from app.rolling.destination import InPlaceOf, LayerDestination, NewMap
from app.rolling.earlier_contents import EarlierContents
from app.rolling.finished_roll import FinishedRoll
from app.rolling.ground_of_things import terrains_under_named_things
from app.rolling.roll_history import RollHistory
from app.rolling.roll_report import MapBefore, RollReport, report_on
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.edit_sequence import EditSequence
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import error

OTHER_GRID = (
    "the settings ask for a map of another size, but other layers hold something or cells are "
    "locked; Roll opens it as a map of its own"
)
"""Why a roll of another size is refused while a text is typed: shown as a problem of the script."""

OWN_MAP = "Opened as a new map; the map of the other size stays in its tab"
"""Told after a roll of another size, which has not replaced the map."""


class _LayerRoll(NamedTuple):
    """A roll that fits the current map, and the layer to which it goes."""

    roll: FinishedRoll

    destination: LayerDestination

    @property
    def changes_old_layer(self) -> bool:
        """True if the edit changes the replaced layer itself, besides taking it out of the map.

        It translates the codes of the layer to the terrain set that the roll brings.
        """
        return self.roll.generated.terrain_set is not None

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

    def is_already_in(self, battlemap: BattleMap) -> bool:
        """Return whether a map has this roll already, and the change that comes with it."""
        current_roll = battlemap.layer(self.destination.layer_id).roll
        is_same_roll = current_roll == self.roll.generated.layers[0].roll
        return is_same_roll and self.destination.change.edit(battlemap) is None


class RollPlacement:
    """Applies rolls to the maps of ``document``.

    It notes them in ``history``, and stores in ``earlier_contents`` what they replace.
    """

    def __init__(
        self, document: MapDocument, history: RollHistory, earlier_contents: EarlierContents
    ) -> None:
        self._document = document
        self._history = history
        self._earlier_contents = earlier_contents

    def apply(self, roll: FinishedRoll) -> RollReport:
        """Apply a roll to the map as one undo step, or open it as a map of its own.

        Raises ProblemError if the roll does not fit and follows a text that is being typed: a new
        map would interrupt that.
        """
        document = self._document
        destination = roll.request.destination
        if isinstance(destination, NewMap):
            return self._open_new_map(roll, destination)
        document.cancel_stroke()  # a preview is no part of the map
        fits = destination.fits(document.battlemap, roll.generated)
        if isinstance(destination, LayerDestination) and fits and not roll.opens_map:
            return self._apply_to_layer(_LayerRoll(roll, destination))
        if destination.is_typed:
            raise error("other-grid", OTHER_GRID)
        document.open_map(roll.as_map(), rolled=True)
        return RollReport("", roll.generated.notes, OWN_MAP)

    # --- a map of its own -------------------------------------------------------------------

    def _open_new_map(self, roll: FinishedRoll, destination: NewMap) -> RollReport:
        """Open a roll as a map, which may replace the current one.

        If both are rolls of one script on one grid, one can step back to the replaced map.
        """
        document = self._document
        battlemap = roll.as_map()
        previous_map = document.current_map
        previous_layer = self._history.rolled_layer()
        document.show_map(battlemap, rolled=True, replaces=destination.replaces_map)
        layer = self._history.rolled_layer()

        is_replaced = previous_map not in document.maps and previous_map.rolled
        has_same_grid = battlemap.grid.same_as(previous_map.battlemap.grid)
        if is_replaced and has_same_grid and previous_layer is not None and layer is not None:
            self._note_replaced_layer(roll, previous_layer, layer)
        return RollReport("", roll.generated.notes)

    def _note_replaced_layer(self, roll: FinishedRoll, previous_layer: Layer, layer: Layer) -> None:
        """Note the roll of a layer whose map was replaced, if that is of the script of ``roll``."""
        if previous_layer.roll is None or layer.roll is None:
            return
        if roll.request.setup.has_script_of(previous_layer.roll):
            self._history.note_roll(layer.id, previous_layer.roll, layer.roll)

    # --- a layer of the map -----------------------------------------------------------------

    def _apply_to_layer(self, layer_roll: _LayerRoll) -> RollReport:
        """Apply a fitting roll to the map as one undo step, and report what came of it."""
        before = self._map_before(layer_roll)
        merge = layer_roll.destination.change.merge
        if merge is None:
            step = self._push(layer_roll, before.replaced_layer)
        else:
            merged_step = self._merge(layer_roll, merge)
            if merged_step is None:
                return RollReport("", layer_roll.roll.generated.notes)
            step = merged_step
        return report_on(layer_roll.roll, before, step, self._document)

    def _map_before(self, layer_roll: _LayerRoll) -> MapBefore:
        """Return what the messages will need of the map as it is now."""
        destination = layer_roll.destination
        neighbour = self._document.battlemap.layer(destination.layer_id)
        replaced_layer: Layer | None = None
        is_unknown_step = False
        if isinstance(destination, InPlaceOf):
            replaced_layer = neighbour
            is_step_back = layer_roll.roll.request.step_back_from is not None
            is_unknown_step = is_step_back and not self._history.has_previous_roll(neighbour)
        terrains = terrains_under_named_things(self._document)
        return MapBefore(neighbour, replaced_layer, terrains, is_unknown_step)

    def _push(self, layer_roll: _LayerRoll, replaced_layer: Layer | None) -> LayerStep:
        """Push a roll as an undo step of its own, and return its edit.

        ``replaced_layer`` is None if the roll is a new layer.
        """
        document = self._document
        history = self._history
        roll = layer_roll.roll
        step = document.plan(layer_roll.step)
        new_roll = roll.generated.layers[0].roll
        assert new_roll is not None, "the run of the generator has set it"
        old_grid = document.battlemap.grid
        history.note_grid(step.layer_id, new_roll, roll.generated.grid or old_grid)
        active = None
        if replaced_layer is None:
            history.note_new_layer(step.layer_id, new_roll)
            active = step.layer_id
        else:
            # The push may change the replaced layer itself, so its contents and roll are read here.
            self._earlier_contents.store(replaced_layer, copies_layer=layer_roll.changes_old_layer)
            assert replaced_layer.roll is not None, "the destination is a rolled layer"
            history.note_grid(replaced_layer.id, replaced_layer.roll, old_grid)
            history.note_roll(
                replaced_layer.id,
                replaced_layer.roll,
                new_roll,
                requested=roll.request.key,
                restored=roll.request.restored_roll,
                is_step_back=roll.request.step_back_from is not None,
            )
        title = layer_roll.destination.change.title
        if not title:
            title = f"{roll.request.verb} {roll.name}"
        document.push(step.edit, title, active=active, roll_keys=roll.keys, generated=True)
        return step

    def _merge(self, layer_roll: _LayerRoll, merge: MergeKey) -> LayerStep | None:
        """Push a roll as part of the last undo step, if that has this key, else as a new one.

        So all rolls that follow a text, letter by letter, are one step. Return the edit of the
        roll. None if text and roll are back at what they were before the last step: that step is
        then removed, and nothing is pushed.
        """
        document = self._document
        destination = layer_roll.destination
        assert isinstance(destination, InPlaceOf), "what follows a text replaces its roll"

        # As in ``_push``, the contents of the replaced layer are read before the push.
        is_merged = document.history.step_to_merge_into(merge) is not None
        self._earlier_contents.store_before_merge(
            document.battlemap.layer(destination.layer_id),
            is_merged=is_merged,
            copies_layer=layer_roll.changes_old_layer,
        )
        pushed_step: LayerStep | None = None

        def make_edit(battlemap: BattleMap) -> Edit | None:
            """Return the edit for a map from which ``push_on`` has taken back the last step."""
            nonlocal pushed_step
            if layer_roll.is_already_in(battlemap):
                return None
            pushed_step = layer_roll.step(battlemap)
            return pushed_step.edit

        document.push_on(make_edit, destination.change.title, merge, roll_keys=layer_roll.roll.keys)
        self._earlier_contents.note_merged_roll(document.battlemap.layer(destination.layer_id))
        return pushed_step
