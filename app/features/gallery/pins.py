"""The pinned maps of the gallery between sessions: as a text in the settings.

A pin is a ``Roll``: the script, seed and number by which the map is rolled again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.storage.records.codec import plain, read

MAX_PINS = 200
"""So many pins are remembered at most; the oldest are dropped first."""

MAX_BYTES = 64 * 2**20
"""A text of more bytes is not read: each pin may hold the text of a whole script."""


def pins_text(pins: Sequence[Roll]) -> str:
    """Return pins as text for the settings."""
    entries = []
    for pin in pins[-MAX_PINS:]:
        entries.append(plain(replace(pin, origins=())))  # they tell of its cells only
    return json.dumps(entries)


def read_pins(text: str) -> tuple[Roll, ...]:
    """Return the pins that ``pins_text`` wrote; those that cannot be read are left out."""
    try:
        entries = parse_json(text.encode("utf-8", "replace") or b"[]", largest=MAX_BYTES)
    except ValueError:
        return ()
    if not isinstance(entries, list):
        return ()
    pins = []
    for entry in entries:
        try:
            pin = read(Roll, entry, "a pin")
            DrawKey(pin.seed, pin.number).checked()
        except (ValueError, ProblemError):
            continue
        pins.append(pin)
    return tuple(pins)
