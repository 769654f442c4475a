"""What the user is told of a roll that has gone into the map, once it is there.

    before = MapBefore(neighbour, replaced_layer, terrains, is_unknown_step=False)
    ...                                                 # the roll goes into the map
    report = report_on(roll, before, step, document)
    report.summary       # "Rolled Swamp, seed 17 no. 4 in place of seed 17 no. 3"
    report.message       # "Linz now stands on sea. Locks kept"

Most of the sentences are made in roll_texts.py; here they are chosen and put in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.document.document import MapDocument
from app.rolling.finished_roll import FinishedRoll
from app.rolling.ground_of_things import describe_new_ground
from app.rolling.roll_texts import (
    changed_libraries,
    describe_roll,
    unseen_effects,
    why_map_looks_the_same,
)
from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem

UNKNOWN_ROLL = "No earlier roll is known since the map was opened: this is the number before"
"""Told after a step back from a roll that came with its file: a map never seen appears."""


class RollReport(NamedTuple):
    """The messages about a roll that was put into the map."""

    summary: str
    """What was rolled and into which layer; "" for a roll while a text is typed, and a new map."""

    problems: tuple[Problem, ...]
    """The notes of the generator, and warnings of changed libraries."""

    message: str = ""
    """Further sentences about it, "" for none."""


class MapBefore(NamedTuple):
    """What the messages need of the map before the roll."""

    neighbour: Layer
    """The layer of the destination: it is replaced, or the roll goes above it."""

    replaced_layer: Layer | None
    """The layer that is replaced; None if the roll is a new layer."""

    terrains_under_things: Mapping[int, str]
    """The terrain under each named thing, by the id of the thing."""

    is_unknown_step: bool
    """True if the roll is a step back, and no roll before the present one was noted.

    Then the map of the number before appears, which may never have been seen.
    """


def report_on(
    roll: FinishedRoll, before: MapBefore, step: LayerStep, document: MapDocument
) -> RollReport:
    """Return the messages about a roll that ``step`` has put into the current map."""
    layer = before.replaced_layer
    destination = roll.request.destination

    # Sentences about what else has changed with the roll.
    remarks = []
    if layer is not None and not destination.is_typed:
        remarks.append(describe_new_ground(document, before.terrains_under_things))
    if before.is_unknown_step:
        remarks.append(UNKNOWN_ROLL)
    remarks.append(unseen_effects(roll, document.battlemap, step, layer))
    remarks = [remark for remark in remarks if remark]

    problems = roll.generated.notes
    why_same_look = ""
    if layer is not None:
        problems = (*problems, *changed_libraries(layer, roll.generated))
        why_same_look = why_map_looks_the_same(roll, layer, document.battlemap)

    # To tell of each roll would be too much while a script is typed, unless the map gets another
    # script. But why a text that was typed changes nothing is always told.
    is_described = destination.change.brings_script or not destination.is_typed
    if is_described:
        # The status bar shows the remarks behind the summary: it has room for a long one if there
        # are none.
        summary = describe_roll(roll, layer, before.neighbour, why_same_look, has_room=not remarks)
        return RollReport(summary, problems, ". ".join(remarks))
    if why_same_look:
        remarks.insert(0, _as_sentence(why_same_look))
    return RollReport("", problems, ". ".join(remarks))


def _as_sentence(remark: str) -> str:
    """Return a remark with a capital letter; other letters stay, as those of names."""
    return f"{remark[0].upper()}{remark[1:]}"
