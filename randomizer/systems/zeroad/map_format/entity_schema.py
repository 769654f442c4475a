"""The JSON object of an entity: one table by which it is read, checked and written.

The game drops the whole list for one malformed entity: here it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from randomizer.model.basics.limits import LONGEST_LINE, MOST_THINGS
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.texts import fault_in_line
from randomizer.systems.zeroad.map.map_check import OUTSIDE, STRANGER
from randomizer.systems.zeroad.map.map_data import Entity
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map.records import finite_number, whole_number
from randomizer.systems.zeroad.map_format.value_problems import NOT_READ, Findings, describe_value

FURTHEST = 8191
"""Positions are at most this far from 0, in tiles: the game has 15 bits for metres."""


class Key(NamedTuple):
    """A key of the object, and the field of ``Entity`` with its value.

    ``read`` gives the value, None for one that is not what is ``expected``. The game ignores a key
    without a field, and it is written as 0.
    """

    name: str
    field: str = ""
    read: Callable[[object], object] = finite_number
    expected: str = ""


def _index(value: object) -> int | None:
    whole = whole_number(value)
    return whole if whole is not None and 0 <= whole <= MOST else None


def _template(value: object) -> str | None:
    if isinstance(value, str) and value and not fault_in_line(value):
        return value
    return None


def _coordinate(value: object) -> float | None:
    number = finite_number(value)
    if number is not None and abs(number) <= FURTHEST:
        return number
    return None


_INDEX = f"a whole number of 0 to {MOST}"
_COORDINATE = f"a finite number of -{FURTHEST} to {FURTHEST}"

_OWN_KEYS = (
    Key("id", "id", _index, _INDEX),
    Key("templateName", "template", _template, f"a text of at most {LONGEST_LINE:,} letters"),
    Key("player", "player", _index, _INDEX),
)
_INNER_KEYS = {
    "position": (
        Key("x", "x", _coordinate, _COORDINATE),
        Key("y"),
        Key("z", "z", _coordinate, _COORDINATE),
    ),
    "rotation": (Key("x"), Key("y", "angle", finite_number, "a finite number"), Key("z")),
}
"""The keys of the objects in the object of an entity."""
_KNOWN = {key.name for key in _OWN_KEYS} | set(_INNER_KEYS)

_GAIA = 0
"""The player of an entity that names none."""


def entity_object(entity: Entity) -> dict[str, Any]:
    """Return the JSON object of an entity."""
    result = _object(entity, _OWN_KEYS)
    for name, keys in _INNER_KEYS.items():
        result[name] = _object(entity, keys)
    return result


def _object(entity: Entity, keys: tuple[Key, ...]) -> dict[str, Any]:
    return {key.name: getattr(entity, key.field) if key.field else 0 for key in keys}


def read_entities(
    raw: Mapping[str, Any], size: int | None, findings: Findings, players: int | None = None
) -> tuple[Entity, ...]:
    """Return the entities that are right; ``findings`` gets the faults of the others.

    Without a ``size`` any position is on the map. ``players`` is the number of players on it, Gaia
    not counted; None: not known.
    """
    given = raw.get("entities")
    if not isinstance(given, list | tuple):
        findings.wrong("entities", raw, "entities", "a list of objects")
        return ()
    if len(given) > MOST_THINGS:
        findings.error("entities", f"has {len(given):,} entities, {MOST_THINGS:,} are the most")
        return ()
    number_of_id: dict[int, int] = {}
    entities = []
    for number, record in enumerate(given):
        at = f"entities[{number}]"
        entity = _read_entity(record, at, findings)
        if entity is None:
            continue
        before = number_of_id.setdefault(entity.id, number)
        if before != number:
            message = f"is {entity.id}, the id of entities[{before}]"
            findings.error(f"{at}.id", message, rule="entities: ids")
        if size is not None and not (0 <= entity.x <= size and 0 <= entity.z <= size):
            message = f"is outside the map, at x {entity.x:g}, z {entity.z:g}"
            findings.warning(at, message, rule="entities: outside", code=OUTSIDE)
        if players is not None and entity.player > players:
            message = f"is {entity.player}, but the map has {counted(players, 'player')} and Gaia"
            rule = "entities: players"
            findings.warning(f"{at}.player", message, rule=rule, code=STRANGER)
        entities.append(entity)
    return tuple(entities)


def _read_entity(record: object, at: str, findings: Findings) -> Entity | None:
    """Return the entity of an object, None if it is wrong."""
    if not isinstance(record, Mapping):
        message = f"is {describe_value(record)}, expected an object"
        findings.error(at, message, rule="entities: objects")
        return None
    if "player" not in record:
        findings.warning(
            f"{at}.player", f"is missing: {_GAIA} (Gaia) is taken", rule="entities: Gaia"
        )
        record = {**record, "player": _GAIA}
    values = _read_keys(record, _OWN_KEYS, at, "", findings)
    for name, keys in _INNER_KEYS.items():
        holder = record.get(name)
        if isinstance(holder, Mapping):
            values |= _read_keys(holder, keys, at, f".{name}", findings)
        else:
            rule = f"entities: {name}"
            findings.wrong(f"{at}.{name}", record, name, "an object with x, y and z", rule)
    if record.keys() - _KNOWN:
        name = min(str(each)[:40] for each in record.keys() - _KNOWN)
        findings.hint(f"{at}.{name}", NOT_READ, rule="entities: unknown")
    if len(values) == len(Entity.__slots__):
        return Entity(**values)
    return None


def _read_keys(
    holder: Mapping[str, Any], keys: tuple[Key, ...], at: str, where: str, findings: Findings
) -> dict[str, Any]:
    """Return the values of an object by their fields, those that are right."""
    values = {}
    for key in keys:
        if not key.field:
            if key.read(holder.get(key.name, 0)) != 0:
                message = f"is {describe_value(holder[key.name])}: the game ignores it"
                rule = f"entities: {where}.{key.name}"
                findings.hint(f"{at}{where}.{key.name}", message, rule)
            continue
        value = key.read(holder.get(key.name))
        if value is None:
            name = f"{where}.{key.name}"
            findings.wrong(f"{at}{name}", holder, key.name, key.expected, f"entities: {name}")
        else:
            values[key.field] = value
    return values
