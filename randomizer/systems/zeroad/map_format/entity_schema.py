"""Reads, checks and writes the JSON object of an entity.

    {"id": 3, "templateName": "gaia/tree/oak", "player": 0,
     "position": {"x": 12.5, "y": 0, "z": 40}, "rotation": {"x": 0, "y": 1.57, "z": 0}}

``read_entities`` reads the list of a map, and ``entity_object`` writes an entity. For one malformed
entity the game drops the whole list without a message. Here each one is an error that names the
entity and its key, and the others are read all the same.

The game ignores ``position.y``, since things stand on the ground, and turns entities around the
vertical axis y only. So three of the values above are always written as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from randomizer.model.basics.limits import LONGEST_LINE, MAX_THINGS
from randomizer.model.basics.plurals import counted
from randomizer.model.basics.texts import fault_in_line
from randomizer.systems.zeroad.map.json_values import finite_number, whole_number
from randomizer.systems.zeroad.map.map_check import OUTSIDE, STRANGER
from randomizer.systems.zeroad.map.map_data import Entity
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map_format.value_problems import NOT_READ, Findings, describe_value

FARTHEST = 8191
"""The largest coordinate, in tiles, to either side of 0: the game has 15 bits for metres."""

_KEYS = {"id", "templateName", "player", "position", "rotation"}
"""The keys of the object of an entity; any other one gets a hint."""

_GAIA = 0
"""The player of an entity that names none."""

_LONGEST_KEY_SHOWN = 40
"""The number of letters of an unknown key that a hint has: a key can be of any length."""

# The values that a key accepts, in the words of a message.

_EXPECTED_INDEX = f"a whole number of 0 to {MOST}"
_EXPECTED_TEMPLATE = f"a text of at most {LONGEST_LINE:,} letters"
_EXPECTED_COORDINATE = f"a finite number of -{FARTHEST} to {FARTHEST}"
_EXPECTED_ANGLE = "a finite number"

_Value = TypeVar("_Value")


def entity_object(entity: Entity) -> dict[str, Any]:
    """Return the JSON object of an entity."""
    return {
        "id": entity.id,
        "templateName": entity.template,
        "player": entity.player,
        "position": {"x": entity.x, "y": 0, "z": entity.z},
        "rotation": {"x": 0, "y": entity.angle, "z": 0},
    }


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
        findings.add_wrong_value("entities", raw, "entities", "a list of objects")
        return ()
    if len(records) > MAX_THINGS:
        findings.error("entities", f"has {len(records):,} entities, {MAX_THINGS:,} are the most")
        return ()

    entities: list[Entity] = []
    index_of_id: dict[int, int] = {}  # the index in the list of the first entity with an id
    for index, record in enumerate(records):
        path = f"entities[{index}]"
        entity = _read_entity(record, path, findings)
        if entity is None:
            continue
        first_index = index_of_id.setdefault(entity.id, index)
        if first_index != index:
            message = f"is {entity.id}, the id of entities[{first_index}]"
            findings.error(f"{path}.id", message, rule="entities: ids")
            continue
        entities.append(entity)

        # Entities with a warning are on the map all the same: scripts of the game have such.
        if size is not None and not (0 <= entity.x <= size and 0 <= entity.z <= size):
            message = f"is outside the map, at x {entity.x:g}, z {entity.z:g}"
            findings.warning(path, message, rule="entities: outside", code=OUTSIDE)
        if players is not None and entity.player > players:
            message = f"is {entity.player}, but the map has {counted(players, 'player')} and Gaia"
            rule = "entities: players"
            findings.warning(f"{path}.player", message, rule=rule, code=STRANGER)
    return tuple(entities)


def _read_entity(record: object, path: str, findings: Findings) -> Entity | None:
    """Return the entity of a JSON object, None if any of its values is wrong.

    ``path`` is that of the object in the map, such as "entities[3]", for ``findings``.
    """
    if not isinstance(record, Mapping):
        message = f"is {describe_value(record)}, expected an object"
        findings.error(path, message, rule="entities: objects")
        return None

    # All values are read before any error ends it, so that all faults are told at once.
    fields = _Fields(record, path, "entities: entity", findings)
    entity_id = fields.read("id", _as_index, _EXPECTED_INDEX)
    template = fields.read("templateName", _as_template, _EXPECTED_TEMPLATE)
    player: int | None = _GAIA
    if "player" in record:
        player = fields.read("player", _as_index, _EXPECTED_INDEX)
    else:
        message = f"is missing: {_GAIA} (Gaia) is used"
        findings.warning(f"{path}.player", message, rule="entities: Gaia")

    x: float | None = None
    z: float | None = None
    position = fields.inner("position")
    if position is not None:
        x = position.read("x", _as_coordinate, _EXPECTED_COORDINATE)
        position.hint_unless_zero("y")
        z = position.read("z", _as_coordinate, _EXPECTED_COORDINATE)

    angle: float | None = None
    rotation = fields.inner("rotation")
    if rotation is not None:
        rotation.hint_unless_zero("x")
        angle = rotation.read("y", finite_number, _EXPECTED_ANGLE)
        rotation.hint_unless_zero("z")

    unknown_keys = record.keys() - _KEYS
    if unknown_keys:
        # One is enough: it mostly is a key that a script gives to all of its entities.
        name = min(str(key)[:_LONGEST_KEY_SHOWN] for key in unknown_keys)
        findings.hint(f"{path}.{name}", NOT_READ, rule="entities: unknown")

    # Each value that is None has been reported.
    if entity_id is None or template is None or player is None:
        return None
    if x is None or z is None or angle is None:
        return None
    return Entity(entity_id, template, player, x, z, angle)


@dataclass(slots=True)
class _Fields:
    """The JSON object of an entity, or one in it, whose wrong values become findings."""

    values: Mapping[str, Any]
    """The object."""
    path: str
    """The path of the object in the map, such as "entities[3].position"."""
    rule: str
    """The beginning of the rules of its keys (``Findings``), the same for all entities."""
    findings: Findings

    def read(
        self, key: str, convert: Callable[[object], _Value | None], expected: str
    ) -> _Value | None:
        """Return the value of a key, converted; None if it is missing or wrong, which is an error.

        ``convert`` returns None for a wrong value, and ``expected`` describes the right ones.
        """
        value = convert(self.values.get(key))
        if value is None:
            rule = f"{self.rule}.{key}"
            self.findings.add_wrong_value(f"{self.path}.{key}", self.values, key, expected, rule)
        return value

    def hint_unless_zero(self, key: str) -> None:
        """Add a hint if the object has a value other than 0 for a key that the game ignores."""
        if key in self.values and finite_number(self.values[key]) != 0:
            message = f"is {describe_value(self.values[key])}: the game ignores it"
            self.findings.hint(f"{self.path}.{key}", message, f"{self.rule}.{key}")

    def inner(self, key: str) -> _Fields | None:
        """Return the object that is the value of a key; None for any other value, an error."""
        value = self.values.get(key)
        if isinstance(value, Mapping):
            return _Fields(value, f"{self.path}.{key}", f"{self.rule}.{key}", self.findings)
        rule = f"{self.rule}.{key}"
        expected = "an object with x, y and z"
        self.findings.add_wrong_value(f"{self.path}.{key}", self.values, key, expected, rule)
        return None


def _as_index(value: object) -> int | None:
    """Return an id, or the number of a player; None if the value is not valid."""
    number = whole_number(value)
    if number is not None and 0 <= number <= MOST:
        return number
    return None


def _as_template(value: object) -> str | None:
    """Return the name of a template, None if the value is not valid."""
    if isinstance(value, str) and value and not fault_in_line(value):
        return value
    return None


def _as_coordinate(value: object) -> float | None:
    """Return a coordinate in tiles, None if the value is not valid."""
    number = finite_number(value)
    if number is not None and abs(number) <= FARTHEST:
        return number
    return None
