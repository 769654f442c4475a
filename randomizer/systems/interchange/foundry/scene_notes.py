"""The notes of a scene of Foundry, which it calls pins, and the notes of a map.

A pin becomes a thing whose state has the pin's id (``NOTE_ID``), so that the pin is recognised when
the map is written again.
"""

from __future__ import annotations

from textwrap import shorten
from typing import Any

from randomizer.model.basics.texts import clean_line
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import Note, notes_of
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.virtual_table.document import OWN, Document, is_number
from randomizer.systems.interchange.virtual_table.frame import (
    Frame,
)

NOTE_ID = "foundry"
"""The entry of a note's state that is its id in the scene."""

LONGEST_TITLE = 60
"""The most characters of a note's text that a pin shows."""

_NEW_PIN = {"entryId": None, "texture": {"src": "icons/svg/book.svg"}, "iconSize": 40}
"""The entries of new pins that are the same for each note."""


def is_own(value: dict[str, Any]) -> bool:
    """Return whether a wall or note of a scene was written by us."""
    flags = value.get("flags")
    return isinstance(flags, dict) and OWN in flags


def foreign_pins(document: Document, battlemap: BattleMap) -> dict[str, dict[str, Any]]:
    """Return the notes of a scene that are things of a free map and not ours, by their names.

    A name is the id as a line of text; a note without an id, and one whose id another note has, is
    called by its number.
    """
    pins: dict[str, dict[str, Any]] = {}
    if battlemap.system is not SYSTEM:
        return pins
    placed_pins = [pin for pin in document.items("notes") if _is_placed(pin)]
    for number, pin in enumerate(placed_pins):
        if is_own(pin):
            continue
        name = clean_line(str(pin.get("_id") or ""))[:100]
        if not name or name in pins:
            name = f"#{number}"
        pins[name] = pin
    return pins


def _is_placed(pin: dict[str, Any]) -> bool:
    """Return whether a pin of a scene has a position that can be used."""
    return is_number(pin.get("x")) and is_number(pin.get("y"))


def _title_of(note: Note) -> str:
    """Return what a new pin shows: the label of a note, else how its text begins."""
    if note.thing.label or not note.lines:
        return note.thing.label
    return shorten(clean_line(note.lines[0]), LONGEST_TITLE, placeholder="…")


def written_pins(
    battlemap: BattleMap, document: Document | None, frame: Frame, own_marks: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the notes of a map as those of a scene; one that did not change keeps its values.

    ``document`` is the scene that is written again; its notes that are no things of the map stay.
    ``own_marks`` are the further entries of new notes.
    """
    former_pins: dict[str, dict[str, Any]] = {}
    pins = list[dict[str, Any]]()

    # Pins that stay as they are: those of others that did not become things.
    if document is not None:
        former_pins = foreign_pins(document, battlemap)
        for pin in document.items("notes"):
            is_thing_of_map = bool(former_pins) and _is_placed(pin)
            if not is_thing_of_map and not is_own(pin):
                pins.append(pin)

    # A pin for each note of the map.
    for note in notes_of(battlemap):
        x, y = frame.pixel(note.thing.x, note.thing.y)
        name = str(note.thing.state.get(NOTE_ID))
        if name in former_pins:
            text = note.thing.label
            pin = former_pins[name]
        else:
            text = _title_of(note)
            pin = {"_id": f"blnote{note.number:010}", "text": text, **_NEW_PIN, **own_marks}
        # Pixels are whole numbers: a smaller distance is one of rounding.
        if not _is_placed(pin) or max(abs(x - pin["x"]), abs(y - pin["y"])) > 0.5:
            pin = {**pin, "x": round(x), "y": round(y)}
        if clean_line(str(pin.get("text") or "")) != text:
            pin = {**pin, "text": text}
        pins.append(pin)
    return pins
