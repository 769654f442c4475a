"""What a finished roll meets in the map, and what is said of it."""

from __future__ import annotations

from app.rolling.roll_request import RollRequest
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from randomizer.model.layering import LayerStep
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.touch_ups import TOUCH_UPS

GONE = "The layer is gone that this roll was meant for: nothing was changed"
OTHER_TERRAIN = "The map has another terrain set than when this roll began: nothing was changed"
TURNED = "The map has another shape than when this roll began: nothing was changed"


def layer_of(battlemap: BattleMap, request: RollRequest) -> Layer | None:
    """The layer of the request; None if it is gone or is not a rolled one any more."""
    for layer in battlemap.layers:
        if layer.id == request.layer_id:
            return None if request.replaces and layer.roll is None else layer
    return None


def changed_libraries(before: Layer, made: Generated) -> tuple[Problem, ...]:
    """Warnings of libraries that are others than when the layer was rolled before."""
    old, new = before.roll, made.layers[0].roll
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


def words_of(request: RollRequest, made: Generated, step: LayerStep, layer: Layer) -> str:
    """What a person should hear about a roll besides seeing it, "" for nothing.

    ``layer`` is that of the request, before the step.
    """
    words = []
    if made.put_back:
        words.append(f"{', '.join(made.put_back)} put back by force")
        if made.notes:
            words[-1] += "; the list of problems says what that breaks"
    elif request.base.locked:
        sentence = f"Map {made.number} of seed {request.key.seed} keeps the locks"
        if made.rarity:
            sentence += f": {made.rarity}"
        words.append(sentence)
    if step.touch_ups:
        places = counted(step.touch_ups, "touched-up place")
        words.append(f"{places} moved into the layer {TOUCH_UPS}")
    if step.note:
        words.append(step.note)
    if request.replaces and not layer.visible:
        words.append(f"The layer {layer.name} is hidden: show it to see the roll")
    return ". ".join(words)
