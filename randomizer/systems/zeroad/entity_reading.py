"""The entities that a random map script returned, checked one by one.

The game drops the whole list for one malformed entity: here it is named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from randomizer.model.limits import LONGEST_LINE, MOST_THINGS
from randomizer.model.texts import fault_in_line
from randomizer.systems.zeroad.map_data import Entity
from randomizer.systems.zeroad.planes import MOST
from randomizer.systems.zeroad.value_words import (
    Findings,
    finite_number,
    value_words,
    whole_number,
)

FURTHEST = 8191
"""Positions are at most this far from 0, in tiles: the game has 15 bits for metres."""

_KNOWN = frozenset({"id", "templateName", "player", "position", "rotation"})
_MISSING = object()


def read_entities(raw: Mapping[str, Any], size: int | None, found: Findings) -> tuple[Entity, ...]:
    """The entities of a map, those that are right; ``found`` gets the faults of the others.

    Of each rule the first entity that fails is named. Without a ``size`` any place is on the map.
    """
    given = raw.get("entities")
    if not isinstance(given, list | tuple):
        found.wrong("entities", raw, "entities", "a list of objects")
        return ()
    if len(given) > MOST_THINGS:
        found.error("entities", f"has {len(given):,} entities, {MOST_THINGS:,} are the most")
        return ()
    reader = _Reader()
    taken: dict[int, int] = {}
    entities = []
    for number, record in enumerate(given):
        entity = reader.entity(record, f"entities[{number}]")
        if entity is None:
            continue
        before = taken.setdefault(entity.id, number)
        if before != number:
            words = f"is {entity.id}, the id of entities[{before}]"
            reader.failed("twice", "error", f"entities[{number}]", ".id", words)
        if size is not None and not (0 <= entity.x <= size and 0 <= entity.z <= size):
            words = f"is outside the map, at x {entity.x:g}, z {entity.z:g}"
            reader.failed("outside", "warning", f"entities[{number}]", "", words)
        entities.append(entity)
    reader.tell(found)
    return tuple(entities)


class _Reader:
    """Reads entities and counts by severity and rule how many fail; the first one is named."""

    def __init__(self) -> None:
        self._failed: dict[tuple[str, str], list[Any]] = {}

    def failed(self, rule: str, severity: str, at: str, name: str, words: str) -> None:
        """A rule failed for the part ``name`` of the entity ``at``."""
        first = self._failed.setdefault((severity, rule), [at + name, words, 0])
        first[2] += 1

    def tell(self, found: Findings) -> None:
        """Hand over what failed."""
        for (severity, _rule), (key, words, number) in self._failed.items():
            say = {"error": found.error, "warning": found.warning, "hint": found.hint}[severity]
            say(key, words, number - 1)

    def entity(self, record: object, at: str) -> Entity | None:
        """The entity of a record, None if it is wrong."""
        if not isinstance(record, Mapping):
            self.failed("object", "error", at, "", f"is {value_words(record)}, expected an object")
            return None
        number = self._whole(record, "id", at)
        player: int | None = 0
        if "player" in record:
            player = self._whole(record, "player", at)
        else:
            self.failed("player", "warning", at, ".player", "is missing: 0 (Gaia) is taken")
        template = record.get("templateName", _MISSING)
        if not isinstance(template, str) or not template or fault_in_line(template):
            words = f"a text of at most {LONGEST_LINE:,} letters"
            self._wrong(at, ".templateName", template, words)
            template = None
        x, z = self._finite(record, "position", "xz", at, FURTHEST)
        (angle,) = self._finite(record, "rotation", "y", at, math.inf)
        if record.keys() - _KNOWN:
            name = min(str(each)[:40] for each in record.keys() - _KNOWN)
            self.failed("unknown", "hint", at, f".{name}", "is not read by the game")
        if number is None or player is None or template is None:
            return None
        if x is None or z is None or angle is None:
            return None
        return Entity(number, template, player, x, z, angle)

    def _whole(self, record: Mapping[str, Any], name: str, at: str) -> int | None:
        value = record.get(name, _MISSING)
        whole = whole_number(value)
        if whole is not None and 0 <= whole <= MOST:
            return whole
        self._wrong(at, f".{name}", value, f"a whole number of 0 to {MOST}")
        return None

    def _finite(
        self, record: Mapping[str, Any], name: str, axes: str, at: str, most: float
    ) -> list[float | None]:
        """The numbers ``axes`` of an object, None for each that is wrong."""
        holder = record.get(name, _MISSING)
        if not isinstance(holder, Mapping):
            self._wrong(at, f".{name}", holder, "an object with x, y and z")
            return [None] * len(axes)
        found: list[float | None] = []
        limits = "" if math.isinf(most) else f" of -{FURTHEST} to {FURTHEST}"
        for axis in axes:
            value = holder.get(axis, _MISSING)
            number = finite_number(value)
            if number is None or abs(number) > most:
                self._wrong(at, f".{name}.{axis}", value, f"a finite number{limits}")
                number = None
            found.append(number)
        return found

    def _wrong(self, at: str, name: str, value: object, expected: str) -> None:
        words = "is missing" if value is _MISSING else f"is {value_words(value)}"
        self.failed(f"wrong{name}", "error", at, name, f"{words}, expected {expected}")
