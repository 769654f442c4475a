"""Reads, checks and writes the JSON object of an entity, by one table of its keys.

    {"id": 3, "templateName": "gaia/tree/oak", "player": 0,
     "position": {"x": 12.5, "y": 0, "z": 40}, "rotation": {"x": 0, "y": 1.57, "z": 0}}

``_OWN_KEYS`` and ``_INNER_KEYS`` are the table: for each key the field of ``Entity``, and how its
value is checked. ``read_entities`` reads the list of a map, and ``entity_object`` returns the
object of an entity that is written. For one malformed entity the game drops the whole list without
a message. Here only that entity is left out, with a problem that names it and its key.
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

FARTHEST = 8191
"""The largest coordinate, in tiles, to either side of 0: the game has 15 bits for metres."""


class Key(NamedTuple):
    """A key of the object of an entity, and how its value is read."""

    name: str
    field: str = ""
    """The field of ``Entity`` that has the value.

    It is "" for a key that the game ignores: it is written as 0, and another value gets a hint.
    """
    read: Callable[[object], object] = finite_number
    """Converts a value of JSON to that of the field; returns None for a wrong one."""
    expected: str = ""
    """The values that ``read`` accepts, in the words of a message."""


def _index(value: object) -> int | None:
    """Return an id, or the number of a player; None for a value that is none."""
    number = whole_number(value)
    if number is not None and 0 <= number <= MOST:
        return number
    return None


def _template(value: object) -> str | None:
    """Return the name of a template, None for a value that is none."""
    if isinstance(value, str) and value and not fault_in_line(value):
        return value
    return None


def _coordinate(value: object) -> float | None:
    """Return a coordinate in tiles, None for a value that is none."""
    number = finite_number(value)
    if number is not None and abs(number) <= FARTHEST:
        return number
    return None


_INDEX = f"a whole number of 0 to {MOST}"
"""The values that ``_index`` accepts, in the words of a message."""

_COORDINATE = f"a finite number of -{FARTHEST} to {FARTHEST}"
"""The values that ``_coordinate`` accepts, in the words of a message."""

_OWN_KEYS: tuple[Key, ...] = (
    Key("id", "id", _index, _INDEX),
    Key("templateName", "template", _template, f"a text of at most {LONGEST_LINE:,} letters"),
    Key("player", "player", _index, _INDEX),
)
"""The keys of the object of an entity itself."""

_INNER_KEYS = {
    "position": (
        Key("x", "x", _coordinate, _COORDINATE),
        Key("y"),
        Key("z", "z", _coordinate, _COORDINATE),
    ),
    "rotation": (Key("x"), Key("y", "angle", finite_number, "a finite number"), Key("z")),
}
"""The keys of the objects within the object of an entity, by the key of the inner object.

An entity turns around the vertical axis y only, by an angle in radians.
"""

_ALL_KEYS = {key.name for key in _OWN_KEYS} | set(_INNER_KEYS)
"""All keys of the object of an entity; any other one gets a hint."""

_GAIA = 0
"""The player of an entity that names none."""


def entity_object(entity: Entity) -> dict[str, Any]:
    """Return the JSON object of an entity."""
    result = _object(entity, _OWN_KEYS)
    for name, keys in _INNER_KEYS.items():
        result[name] = _object(entity, keys)
    return result


def _object(entity: Entity, keys: tuple[Key, ...]) -> dict[str, Any]:
    """Return the JSON object of an entity's fields for some keys."""
    values: dict[str, Any] = {}
    for key in keys:
        if key.field:
            values[key.name] = getattr(entity, key.field)
        else:
            values[key.name] = 0
    return values


def read_entities(
    raw: Mapping[str, Any], size: int | None, findings: Findings, players: int | None = None
) -> tuple[Entity, ...]:
    """Return the entities of a map that are without errors; ``raw`` is the JSON object of the map.

    ``findings`` gets the errors of the others, and warnings. ``size`` is the width of the map in
    tiles, ``players`` the number of its players without Gaia. Each of them is None if it is not
    known; then no entity is compared with it.
    """
    records = raw.get("entities")
    if not isinstance(records, list | tuple):
        findings.wrong("entities", raw, "entities", "a list of objects")
        return ()
    if len(records) > MOST_THINGS:
        findings.error("entities", f"has {len(records):,} entities, {MOST_THINGS:,} are the most")
        return ()
    index_of_id: dict[int, int] = {}  # the index in the list of the first entity with an id
    entities = []
    for number, record in enumerate(records):
        at = f"entities[{number}]"
        entity = _read_entity(record, at, findings)
        if entity is None:
            continue
        first_index = index_of_id.setdefault(entity.id, number)
        if first_index != number:
            message = f"is {entity.id}, the id of entities[{first_index}]"
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
    """Return the entity of a JSON object, None if any of its values is wrong.

    ``at`` is the path of the object in the map, such as "entities[3]", for ``findings``.
    """
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
    unknown_keys = record.keys() - _ALL_KEYS
    if unknown_keys:
        name = min(str(key)[:40] for key in unknown_keys)
        findings.hint(f"{at}.{name}", NOT_READ, rule="entities: unknown")
    is_complete = len(values) == len(Entity.__slots__)
    if not is_complete:
        return None  # each value that is missing has been reported
    return Entity(**values)


def _read_keys(
    holder: Mapping[str, Any], keys: tuple[Key, ...], at: str, where: str, findings: Findings
) -> dict[str, Any]:
    """Return the valid values of an object by their fields in ``Entity``; report the wrong ones.

    ``at`` is the path of the entity in the map, and ``where`` that of the object in the entity: ""
    for the object of the entity itself, else such as ".position".
    """
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
