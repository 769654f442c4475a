"""The sentences about a roll that has gone into the map: the status bar and the log show them.

    describe_roll(roll, replaced, neighbour, has_room=True)
        "Rolled Swamp, seed 17 no. 4 in place of seed 17 no. 3"
    why_map_looks_the_same(roll, replaced, battlemap)
        "the edit changes 3 hexes, which the layer River covers"
    unseen_effects(roll, battlemap, step, replaced)
        "Kept: 2 things by hand (Touch-ups). Locks kept"

In all of them ``replaced`` is the layer as it was before the roll replaced it, None for a roll that
is a new layer.
"""

from __future__ import annotations

import numpy as np

from app.rolling.covered_changes import covered_changes
from app.rolling.finished_roll import FinishedRoll
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, roll_name
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.touch_ups import TOUCH_UPS


def describe_roll(
    roll: FinishedRoll,
    replaced: Layer | None,
    neighbour: Layer,
    remark: str = "",
    *,
    has_room: bool,
) -> str:
    """Return a sentence that says what was rolled and into which layer.

    A new layer lies above ``neighbour``. ``remark`` says why the map looks the same, "" for none.
    ``has_room``: nothing else is told, so that the status bar has room for the seed of the roll
    that was replaced.
    """
    if replaced is None or replaced.roll is None:
        layer_count = len(roll.generated.layers)
        if replaced is None and layer_count > 1:
            return f"Rolled {roll.name} as {layer_count} new layers above {neighbour.name}"
        return f"Rolled {roll.name} as a new layer above {neighbour.name}"

    name_of_replaced_roll = roll_name(replaced)
    is_renamed = replaced.name != name_of_replaced_roll and not replaced.roll.part
    if is_renamed:  # "Rolled Swamp into the layer Moor"
        return f"Rolled {roll.name} into the layer {replaced.name}"

    if name_of_replaced_roll == roll.name:
        # The same map once more: "Rolled Swamp again".
        system = roll.request.base.system
        if not system.has_script_panel:  # a table of dice
            key = f"seed {roll.key.seed} no. {roll.key.number}"
            return f"The {system.title.lower()} is laid again, with the same dice ({key})"
        if remark:
            return f"Rolled {roll.name} again: {remark}"
        return f"Rolled {roll.name} again"

    if not has_room:
        return f"Rolled {roll.name}"
    if roll.request.setup.has_script_of(replaced.roll):
        # Both rolls have the name of the script: it need not be said twice.
        name_of_replaced_roll = f"seed {replaced.roll.seed} no. {replaced.roll.number}"
    return f"Rolled {roll.name} in place of {name_of_replaced_roll}"


def why_map_looks_the_same(roll: FinishedRoll, replaced: Layer, battlemap: BattleMap) -> str:
    """Return the remark that the map looks the same, and why.

    ``battlemap`` is the map with the roll. "" if the roll is another one by its seed or number,
    or if a change can be seen. That nothing changes at all is no news while a text is typed.
    """
    layer = roll.generated.layers[0]
    if len(roll.generated.layers) > 1 or replaced.roll is None or layer.roll is None:
        return ""
    is_same_key = roll.key == DrawKey(replaced.roll.seed, replaced.roll.number)
    if not is_same_key:
        return ""
    changes = covered_changes(battlemap, replaced, battlemap.layer(replaced.id))
    if changes is None:
        return ""

    is_typed = roll.request.destination.is_typed
    is_edited_script = replaced.roll.script != layer.roll.script
    if is_edited_script:
        if changes.cells_text:
            return f"the edit changes {changes.text}"
        if is_typed:
            return ""
        return "the edited script makes the same map with this seed and number"

    # A generator without a script has no text that the map could show.
    has_script = layer.roll.script != ""
    is_same_roll = replaced.roll == layer.roll
    if not has_script or not is_same_roll or changes.cells_text or is_typed:
        return ""
    if roll.request.setup.behaviour.is_followed:
        return "the map showed this text already (Follow the text is on)"
    return "the map showed this text already"


def unseen_effects(
    roll: FinishedRoll, battlemap: BattleMap, step: LayerStep, replaced: Layer | None
) -> str:
    """Return sentences about what cannot be seen of the roll at once, "" for none.

    ``step`` is the edit that has put it into ``battlemap``.
    """
    generated = roll.generated
    sentences = []
    if generated.forced_elements:
        sentence = f"{', '.join(generated.forced_elements)} put back by force"
        if generated.notes:
            sentence += "; the list of problems says what that breaks"
        sentences.append(sentence)
    if step.touch_ups:
        sentences.append(_note_on_touch_ups(battlemap, step))
    # The longest comes last, since the status bar may cut it off.
    if roll.request.base.locked and not generated.forced_elements:
        sentences.append(_note_on_locks(roll, replaced))
    if step.note:
        sentences.append(step.note)
    if replaced is None and _shows_sides_from_below(roll):
        template = "{Sides} of the layers below still show where the roll sets none"
        sentences.append(cell_text(template, roll.request.base.grid.layout))
    if replaced is not None and not replaced.visible:
        sentences.append(f"The layer {replaced.name} is hidden: show it to see the roll")
    return ". ".join(sentences)


def _note_on_touch_ups(battlemap: BattleMap, step: LayerStep) -> str:
    """Return the note on the changes by hand that were kept above a roll; there are some."""
    things = 0
    for layer in battlemap.layers:
        if layer.roll is None and layer.touch_ups_of == step.layer_id:
            things += len(layer.things)
    other_changes = step.touch_ups - things
    if not things:
        kept = counted(step.touch_ups, "change")
    elif other_changes > 0:
        kept = f"{counted(things, 'thing')} and {counted(other_changes, 'change')}"
    else:
        kept = counted(things, "thing")
    return f"Kept: {kept} by hand ({TOUCH_UPS})"


def _note_on_locks(roll: FinishedRoll, replaced: Layer | None) -> str:
    """Return the note that the locks were kept, and after how many maps."""
    requested_key = roll.request.key
    maps_tried = roll.key.number - requested_key.number + 1
    if maps_tried <= 1:  # below 1 after a step back
        return "Locks kept"

    if replaced is not None and replaced.roll is not None:
        is_same_map = requested_key == DrawKey(replaced.roll.seed, replaced.roll.number)
        if is_same_map:
            return (
                f"No. {requested_key.number:,} does not keep the locks any more: "
                f"no. {roll.key.number:,} is the next that does"
            )
    return f"Tried {maps_tried:,} maps until one kept the locks"


def _shows_sides_from_below(roll: FinishedRoll) -> bool:
    """Return whether hexsides of lower layers show in cells whose terrain the roll sets."""
    base = roll.request.base
    terrain_spec = base.system.terrain
    side_spec = base.system.hexside
    grid = roll.generated.grid
    has_other_grid = grid is not None and not grid.same_as(base.grid)
    if terrain_spec is None or side_spec is None or has_other_grid:
        return False
    sides_below = base.composite.planes[side_spec.name] != side_spec.default
    is_covered = np.zeros(terrain_spec.shape(base.grid), np.bool_)
    for layer in roll.generated.layers:
        if terrain_spec.name in layer.planes:
            is_covered |= layer.planes[terrain_spec.name] != terrain_spec.unset
        if side_spec.name in layer.planes:
            sides_below &= layer.planes[side_spec.name] == side_spec.unset
    return bool((sides_below & is_covered[..., np.newaxis]).any())


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
