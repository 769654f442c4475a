"""The pinned maps of the gallery between sessions: each is its script, seed and number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from randomizer.generator import DrawKey
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.map.layer import Roll
from randomizer.model.problems import ProblemError
from randomizer.storage.records.codec import plain, read

MOST = 200
"""How many pins are remembered at most; the oldest are dropped first."""

LARGEST = 64 * 2**20
"""In bytes, of all pins together."""


def pins_text(pins: Sequence[Roll]) -> str:
    """Return pins as text for the settings."""
    return json.dumps([plain(replace(pin, origins=())) for pin in pins[-MOST:]])


def read_pins(text: str) -> tuple[Roll, ...]:
    """Return the pins that ``pins_text`` wrote; those that cannot be read are left out."""
    try:
        entries = parse_json(text.encode("utf-8", "replace") or b"[]", largest=LARGEST)
    except ValueError:
        return ()
    pins = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            pin = read(Roll, entry, "a pin")
            DrawKey(pin.seed, pin.number).checked()
        except (ValueError, ProblemError):
            continue
        pins.append(pin)
    return tuple(pins)
