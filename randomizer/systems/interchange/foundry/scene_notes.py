"""Converts the notes of a Foundry scene to notes of a map, and back.

A note of a scene is called a *pin* here, to tell it from a note of the map. ``FoundryCodec`` calls
the two functions of this module:

    for name, pin in foreign_pins(document, battlemap).items(): ...    # reading a scene
    scene["notes"] = written_pins(battlemap, document, frame, own_members)    # writing it again

When a scene is read, a note is added to the map for each pin, with the name of the pin in its state
under ``NOTE_ID``. By that name the pin is found when the map is written into the scene again, so
that it keeps its icon and all else that only Foundry knows.

We write pins for notes that were made on the map, too. They carry the flag ``OUR_KEY``. They are
never read, since the map that they came from is in the file as well.
"""

from __future__ import annotations

from textwrap import shorten
from typing import Any

from randomizer.model.basics.texts import clean_line
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import Note, notes_of
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.virtual_table.document import OUR_KEY, Document, is_number
from randomizer.systems.interchange.virtual_table.frame import Frame

NOTE_ID = "foundry"
"""The entry of a note's state with the name of the pin that the note was read from."""

_LONGEST_NAME = 100
"""The most characters of a pin's name: longer ids do not fit into the state of a thing."""

_LONGEST_TITLE = 60
"""The most characters of a note's text that a new pin shows, if the note has no title."""

_NEW_ID = "blnote{:010}"
"""The ids of new pins, by the numbers of their notes: Foundry wants 16 letters and digits."""

_NEW_PIN = {"entryId": None, "texture": {"src": "icons/svg/book.svg"}, "iconSize": 40}
"""The entries of new pins that are the same for all notes."""

_MAX_ROUNDING = 0.5
"""The pixels by which a pin and its note can differ because pins are at whole pixels."""


def is_own(entry: dict[str, Any]) -> bool:
    """Return whether we wrote a wall or pin of a scene, by its flag ``OUR_KEY``."""
    flags = entry.get("flags")
    return isinstance(flags, dict) and OUR_KEY in flags


def foreign_pins(document: Document, battlemap: BattleMap) -> dict[str, dict[str, Any]]:
    """Return the pins of a scene that become notes of a map, by name.

    These are all pins with a position that we did not write. There are none for a map that is not
    a free map, since only free maps have notes.

    The name of a pin is its id. A pin without an id, or with the id of an earlier pin, is named by
    its position among the pins that have coordinates, such as "#3".
    """
    pins: dict[str, dict[str, Any]] = {}
    if battlemap.system is not SYSTEM:
        return pins
    placed_pins = [pin for pin in document.items("notes") if _has_position(pin)]
    for number, pin in enumerate(placed_pins):
        if is_own(pin):
            continue
        pin_id = str(pin.get("_id") or "")
        name = clean_line(pin_id)[:_LONGEST_NAME]
        if not name or name in pins:
            name = f"#{number}"
        pins[name] = pin
    return pins


def written_pins(
    battlemap: BattleMap, document: Document | None, frame: Frame, own_members: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the list ``notes`` of the scene that a map is written to.

    ``document`` is the scene that the map was read from, None for a new scene. ``frame`` converts
    the map's positions to pixels. ``own_members`` are the members that all new pins have, such as
    the flag ``OUR_KEY``.
    """
    # The pins of the scene that are notes of the map, by name, and those that are not.
    if document is None:
        read_pins: dict[str, dict[str, Any]] = {}
        pins: list[dict[str, Any]] = []
    else:
        read_pins = foreign_pins(document, battlemap)
        pins = _unread_pins(document, read_pins)

    # A pin for each note of the map. The pin of a note that was deleted is left out.
    for note in notes_of(battlemap):
        name = note.thing.state.get(NOTE_ID)  # None for a note that was made on the map
        if isinstance(name, str) and name in read_pins:
            # Of a note and its copies one keeps the pin, whose id must stay the only one.
            pin = read_pins.pop(name)
            text = note.thing.label
        else:
            text = _title_of(note)
            pin = {"_id": _NEW_ID.format(note.number), "text": text, **_NEW_PIN, **own_members}
        x, y = frame.pixel(note.thing.x, note.thing.y)
        pins.append(_updated_pin(pin, x, y, text))
    return pins


def _unread_pins(document: Document, read_pins: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the pins of a scene that are no notes of the map and so are written unchanged.

    ``read_pins`` is the result of ``foreign_pins``. Our own pins are not among the result: new ones
    are written instead of them.
    """
    pins = list[dict[str, Any]]()
    for pin in document.items("notes"):
        # All pins with a position became notes, or none did, on a map that can have no notes.
        is_note_of_map = bool(read_pins) and _has_position(pin)
        if not is_note_of_map and not is_own(pin):
            pins.append(pin)
    return pins


def _updated_pin(pin: dict[str, Any], x: float, y: float, text: str) -> dict[str, Any]:
    """Return a pin at a position in pixels with a text; ``pin`` itself is not changed.

    Values that differ only by rounding, or by what ``clean_line`` removes, stay as they are, so
    that a file changes only where the map has changed.
    """
    updated = dict(pin)
    has_moved = True
    if _has_position(pin):
        has_moved = max(abs(x - pin["x"]), abs(y - pin["y"])) > _MAX_ROUNDING
    if has_moved:
        updated |= {"x": round(x), "y": round(y)}
    if clean_line(str(pin.get("text") or "")) != text:
        updated["text"] = text
    return updated


def _has_position(pin: dict[str, Any]) -> bool:
    """Return whether a pin has coordinates that can be used."""
    return is_number(pin.get("x")) and is_number(pin.get("y"))


def _title_of(note: Note) -> str:
    """Return the text of a new pin: the title of its note, else the beginning of the note's text.

    A note with neither has the text "".
    """
    if note.thing.label or not note.lines:
        return note.thing.label
    return shorten(clean_line(note.lines[0]), _LONGEST_TITLE, placeholder="…")
