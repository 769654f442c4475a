"""Find and replace in the texts of a map: labels of things, notes, and properties such as titles.

Unlike a name, an old text is replaced as a part of others, too: "Ham" also in "Hamshire".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.replacement_names import LONGEST_QUOTE, Replacement, Subject
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.thing_edits import change_things, things_on
from randomizer.model.edits.value_edits import compound, set_property
from randomizer.model.notes import NOTE_TEXT
from randomizer.model.problems import error
from randomizer.model.system.property import PropertyKind
from randomizer.model.things.thing_state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing


@dataclass(frozen=True)
class TextChanges:
    """What changes where texts are replaced."""

    edit: Edit | None
    """The edit of the layers that are not locked; None if nothing changes in them."""

    count: int
    """The number of things and properties that the edit changes."""

    locked_names: tuple[str, ...]
    """The names of the locked layers that would change, from the lowest on."""


def replace_texts(
    battlemap: BattleMap, replacements: Sequence[Replacement], cells: NDArray[np.intp] | None
) -> TextChanges:
    """Return what changes in all layers, hidden ones too.

    Only things on ``cells`` change, unless these are None. Properties belong to the whole map, so
    they change only where ``cells`` is None. Raises ProblemError for a new text that no map can
    hold.
    """
    text_replacements = []
    for replacement in replacements:
        if replacement.subject is Subject.TEXT and replacement.old != replacement.new:
            text_replacements.append(replacement)
    if not text_replacements:
        return TextChanges(None, 0, ())

    # Locked layers are looked through, too, so that the user can be told which hold an old text.
    changed_things: list[Thing] = []
    property_edits: list[Edit] = []
    locked_names: list[str] = []
    for layer in battlemap.layers:
        things_of_layer = _changed_things(battlemap, layer, text_replacements, cells)
        edits_of_layer = []
        if cells is None:
            edits_of_layer = _property_edits(battlemap, layer, text_replacements)
        if not layer.locked:
            changed_things += things_of_layer
            property_edits += edits_of_layer
        elif things_of_layer or edits_of_layer:
            locked_names.append(layer.name)
    edit = compound([change_things(battlemap, changed_things), *property_edits])
    return TextChanges(edit, len(changed_things) + len(property_edits), tuple(locked_names))


def _changed_things(
    battlemap: BattleMap,
    layer: Layer,
    replacements: Sequence[Replacement],
    cells: NDArray[np.intp] | None,
) -> list[Thing]:
    """Return the things of a layer whose label or note text changes, as they will be."""
    if cells is None:
        things = list(layer.things.values())
    else:
        things = things_on(battlemap.grid, layer.things, cells)
    changed_things = []
    for thing in things:
        # A note has a text beside its label. A file can have put anything else there.
        state = thing.state
        note_text = state.get(NOTE_TEXT.name)
        if isinstance(note_text, str):
            new_note_text = _new_text(note_text, replacements)
            state = State({**state, NOTE_TEXT.name: new_note_text})
            _check_text(new_note_text, note_text, layer)
        label = _new_text(thing.label, replacements)
        _check_text(label, thing.label, layer)
        changed_thing = replace(thing, label=label, state=state)
        if changed_thing != thing:
            changed_things.append(changed_thing)
    return changed_things


def _property_edits(
    battlemap: BattleMap, layer: Layer, replacements: Sequence[Replacement]
) -> list[Edit]:
    """Return an edit for each property of a layer that is a text and changes."""
    edits = []
    for prop in battlemap.system.properties:
        text = layer.properties.get(prop.name)
        if prop.kind is not PropertyKind.TEXT or not text:
            continue
        new_text = _new_text(text, replacements)
        _check_text(new_text, text, layer)
        edit = set_property(battlemap, layer.id, prop.name, new_text)
        if edit is not None:
            edits.append(edit)
    return edits


def _new_text(text: str, replacements: Sequence[Replacement]) -> str:
    """Return a text with all replacements made at once, so that two can exchange two texts.

    Where several old texts begin at one character, the longest is replaced.
    """
    new_texts = {replacement.old: replacement.new for replacement in replacements}
    longest_first = sorted(new_texts, key=len, reverse=True)
    any_old_text = "|".join(map(re.escape, longest_first))
    return re.sub(any_old_text, lambda match: new_texts[match[0]], text)


def _check_text(text: str, old_text: str, layer: Layer) -> None:
    """Raise ProblemError if the new text of a layer is one that no map can hold, as a too long one.

    Texts that stay as they were can be faulty, as a file has brought them; so can those of a locked
    layer, which keeps its texts.
    """
    if text == old_text or layer.locked:
        return
    fault = fault_in_line(text)
    if fault:
        raise error("not-replaced", f"the text “{text[:LONGEST_QUOTE]}” {fault}")
