"""The XML of a scenario beside its terrain: environment, camera, settings, entities, and back.

    scenario = read_scenario(data, path)               # ProblemError with a place
    scenario.environment["SkySet"], scenario.entities
    scenario.update(map_data, "my_map")                # only what differs is written anew
    data = scenario.data()

What a map here has no place for (paths, scripts, garrisons, looks of actors) stays as it was.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LARGEST_DATA, MOST_THINGS
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.reading.xml_tree import Document, Element, Node, attributes_xml, node_xml, parse_xml
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE
from randomizer.systems.zeroad.map.map_data import FIRST_ID, MOST_PLAYERS, Entity, MapData
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map.records import BY_HAND, finite_number
from randomizer.systems.zeroad.map_format.entity_schema import FARTHEST
from randomizer.systems.zeroad.map_format.value_problems import CODE

LARGEST = 16 * 2**20
"""The largest size of a file; the largest of 144 scenarios of release 26 has 3.6 MB."""

MOST_ELEMENTS = 6 * MOST_THINGS
"""The largest number of elements: an entity has up to six. A scenario of release 26 has 96,000."""

NEW = b"""<Scenario version="7">
	<Environment/>
	<Camera/>
	<ScriptSettings/>
	<Entities/>
	<Paths/>
</Scenario>
"""
"""The file of a new map."""

PLAYERS = "PlayerData"

_SETTINGS = "ScriptSettings"
_SCRIPTS = (_SETTINGS, "Script")
"""Elements whose text is CDATA."""

_NAMES = {"PostEffect": "PostprocEffect"}
"""The keys in the data of scripts for elements with another name."""

_ANGLES = ("SunElevation", "SunRotation", "Rotation", "Declination")
"""Elements whose number is the attribute ``angle``."""

_PARTS = "rgbxyz"
"""Attributes of colours and positions."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)


class _EntityInFile(NamedTuple):
    """An entity with its element in the tree."""

    entity: Entity
    element: Element


class Scenario:
    """The tree of a file, and the content that a map takes of it, in the shape that scripts use.

    ``update`` changes the tree where a map differs, so that all else stays as it was.
    """

    def __init__(self, document: Document, root: Element) -> None:
        self.document = document
        self.root = root
        if root.name != "Scenario":
            raise self._fault(root, "is no scenario of 0 A.D.")
        self.problems: list[Problem] = []
        self.environment = self._data("Environment")
        self.camera = self._data("Camera")
        self.settings = self._settings()
        self.entities = self._entities()
        """The entities of the file by id."""

    # --- reading ----------------------------------------------------------------------------------

    def _data(self, name: str) -> dict[str, Any] | None:
        """Return the content of an element as JSON, None for a missing or empty one."""
        element = _child(self.root, name)
        if element is None:
            return None
        value = _value(element)
        if isinstance(value, dict):
            return value
        return None

    def _settings(self) -> dict[str, Any]:
        """Return the settings of the map, as a random map's: PlayerData begins with Gaia."""
        element = _child(self.root, _SETTINGS)
        if element is None or not element.text.strip():
            return {}
        try:
            settings = parse_json(element.text.encode(), largest=LARGEST_DATA)
            if not isinstance(settings, dict) or fault_in_data(settings):
                raise ValueError(fault_in_data(settings) or "it is no object")
        except (ValueError, RecursionError) as failed:
            message = f"{_SETTINGS} cannot be read: {reason_of(failed)}"
            self.problems.append(self.document.problem(Severity.WARNING, CODE, message, element))
            return {}
        players = settings.get(PLAYERS)
        if isinstance(players, list) and players and players[0] is not None:
            settings[PLAYERS] = [None, *players]
        return settings

    def _entities(self) -> dict[int, _EntityInFile]:
        """Return the entities by id, which is the ``uid`` of their element.

        An element without a valid id, and one whose id another had before, get a free one.
        """
        holder = _child(self.root, "Entities")
        if holder is None:
            return {}
        elements = list(holder.elements("Entity"))
        ids_in_file = [_whole(element.attributes.get("uid", "")) for element in elements]
        reserved_ids = set(ids_in_file)
        free_ids = (number for number in count(FIRST_ID) if number not in reserved_ids)
        entities = dict[int, _EntityInFile]()
        for element, id_in_file in zip(elements, ids_in_file, strict=True):
            if id_in_file is None or id_in_file in entities:
                entity_id = next(free_ids)
            else:
                entity_id = id_in_file
            entities[entity_id] = _EntityInFile(self._entity(element, entity_id), element)
        return entities

    def _entity(self, element: Element, entity_id: int) -> Entity:
        """Return the entity of an element. Raises ProblemError.

        An element without ``Player`` belongs to Gaia; without position or orientation they are 0.
        """
        template = _child(element, "Template")
        if template is None:
            raise self._fault(element, "names no template")
        name = template.text.strip()
        if not name or fault_in_line(name):
            raise self._fault(template, "names no template")
        owner = self._owner(element)
        position = _child(element, "Position")
        orientation = _child(element, "Orientation")
        farthest_metre = METRES_PER_TILE * FARTHEST
        x = self._number(position, "x", farthest_metre) / METRES_PER_TILE
        z = self._number(position, "z", farthest_metre) / METRES_PER_TILE
        angle = self._number(orientation, "y", 1e6)
        return Entity(entity_id, name, owner, x, z, angle)

    def _owner(self, element: Element) -> int:
        """Return the number of the player of an entity's element. Raises ProblemError."""
        player = _child(element, "Player")
        if player is None:
            return 0
        owner = _whole(player.text.strip())
        if owner is None:
            raise self._fault(player, f"is no number of 0 to {MOST}")
        return owner

    def _number(self, element: Element | None, attribute: str, limit: float) -> float:
        """Return the number of an attribute, 0 without it. Raises ProblemError for a text, and for
        a number beyond ``limit`` to either side.
        """
        if element is None:
            return 0.0
        value = _number_or_text(element.attributes.get(attribute, "0"))
        if isinstance(value, float) and abs(value) <= limit:
            return value
        message = f"has no {attribute} of -{limit:g} to {limit:g}"
        raise self._fault(element, message, attribute)

    def flat_terrain(self) -> tuple[int, str, int] | None:
        """Return patches along a side, texture and height of a flat map; None for other maps.

        A flat map has an element ``Terrain`` instead of a terrain file. Raises ProblemError.
        """
        element = _child(self.root, "Terrain")
        if element is None:
            return None
        patches = _whole(element.attributes.get("patches", ""))
        height = _whole(element.attributes.get("height", ""))
        if not patches or height is None:
            raise self._fault(element, "has no number of patches, or no height")
        return patches, element.attributes.get("texture", ""), height

    def _fault(self, element: Element, message: str, attribute: str | None = None) -> ProblemError:
        """Return the error of an element; ``message`` follows its name."""
        message = f"{element.name} {message}"
        return ProblemError(
            self.document.problem(Severity.ERROR, CODE, message, element, attribute)
        )

    # --- writing ----------------------------------------------------------------------------------

    def update(self, data: MapData, name: str) -> None:
        """Change the tree to the content of map data; a new map is called ``name``."""
        environment = data.environment
        if environment is None and self.environment is None:
            environment = {"Water": {"WaterBody": {"Height": data.sea_level}}}
        if isinstance(environment, Mapping):
            _fill(_child_or_new(self.root, "Environment", 1), environment, 2)
        if isinstance(data.camera, Mapping):
            _fill(_child_or_new(self.root, "Camera", 1), data.camera, 2)
        self._update_settings(data, name)
        # The map is written with a terrain file, whatever it had before.
        _drop(self.root, lambda element: element.name == "Terrain")
        self._update_entities({entity.id: entity for entity in data.entities})

    def _update_settings(self, data: MapData, name: str) -> None:
        """Write the settings if they differ; those that a new map needs get usual values."""
        settings = dict(data.settings)
        is_new = not self.settings
        if is_new:
            settings = {"Description": "", "Keywords": [], **settings}
            settings["Name"] = name
            settings["VictoryConditions"] = settings.get("VictoryConditions") or ["conquest"]
        if settings != self.settings:
            settings[PLAYERS] = _players(settings.get(PLAYERS), data.entities)
            text = json.dumps(settings, indent=2)
            _child_or_new(self.root, _SETTINGS, 1).children = [f"\n{text}\n"]

    def _update_entities(self, entities: dict[int, Entity]) -> None:
        """Change, add and remove elements so that there is one for each entity, by id."""
        # Elements are no keys: their identities stand for them.
        removed_elements = {
            id(former.element)
            for entity_id, former in self.entities.items()
            if entity_id not in entities
        }
        holder = _child_or_new(self.root, "Entities", 1)
        _drop(holder, lambda element: id(element) in removed_elements)
        for entity_id, entity in entities.items():
            former = self.entities.get(entity_id)
            if former is None:
                element = _element("Entity", {"uid": str(entity_id)})
                _append(holder, element, 2)
                _update_entity(element, entity, None)
            elif entity != former.entity:
                _update_entity(former.element, entity, former.entity)

    def data(self) -> bytes:
        """Return the bytes of the file.

        Settings and scripts are written as CDATA, as the game does: ``node_xml`` would escape them.
        """
        root = self.root
        parts = [f"<{root.name}{attributes_xml(root.attributes.items())}>"]
        for child in root.children:
            if isinstance(child, Element) and child.name in _SCRIPTS:
                attributes = attributes_xml(child.attributes.items())
                parts.append(f"<{child.name}{attributes}>{_cdata(child.text)}</{child.name}>")
            else:
                parts.append(node_xml(child))
        parts.append(f"</{root.name}>")
        lines = [node_xml(node) for node in self.document.before]
        lines.append("".join(parts))
        lines += [node_xml(node) for node in self.document.after]
        text = '<?xml version="1.0" encoding="UTF-8"?>\n\n' + "\n".join(lines)
        if self.document.source.endswith(b"\n"):
            text += "\n"
        return text.encode("utf-8", "replace")


def read_scenario(data: bytes, path: str | None) -> Scenario:
    """Return the scenario of a file at ``path``. Raises ProblemError."""
    document = parse_xml(data, path, most_bytes=LARGEST, most_elements=MOST_ELEMENTS)
    if document.root is None:
        raise ProblemError(document.problems)
    return Scenario(document, document.root)


# --- values and elements --------------------------------------------------------------------------


def _number_or_text(text: str) -> float | str:
    """Return the finite number that a text is, else the text."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        if math.isfinite(number):
            return number
    return text


def _whole(text: str) -> int | None:
    """Return the number 0 to ``MOST`` that a text is, None for another text."""
    if re.fullmatch(r"[0-9]{1,5}", text) and int(text) <= MOST:
        return int(text)
    return None


def _text(value: object, digits: int = 8) -> str:
    """Return a value as the text of an element; the game reads no exponents."""
    number = finite_number(value)
    if number is None:
        return str(value)
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def _value(element: Element) -> Any:
    """Return the content of an element as scripts have it.

    ``<SunElevation angle="0.7"/>`` is 0.7, ``<Color r="1" g="1" b="0.9"/>`` is an object of numbers
    with an alpha of 0, an element with others in it is an object, and one with a text the text, or
    its number.
    """
    if "angle" in element.attributes:
        return _number_or_text(element.attributes["angle"])
    parts = {
        part: _number_or_text(text) for part, text in element.attributes.items() if part in _PARTS
    }
    is_colour = "r" in parts
    if is_colour:
        return {**parts, "a": 0}
    if parts:
        return parts
    values: dict[str, Any] = {}
    for child in element.children:
        if isinstance(child, Element):
            key = _NAMES.get(child.name, child.name)
            values.setdefault(key, _value(child))
    return values or _number_or_text(element.text.strip())


def _fill(element: Element, value: object, depth: int) -> None:
    """Change an element so that ``_value`` of it is ``value``, and nothing if it is already.

    Elements in it are indented by ``depth`` tabs.
    """
    if _value(element) == value:
        return
    if not isinstance(value, Mapping):
        if element.name in _ANGLES:
            element.attributes["angle"] = _text(value)
        else:
            element.children = [_text(value)]
    elif value.keys() <= set(f"{_PARTS}a"):
        element.attributes |= {part: _text(value[part]) for part in _PARTS if part in value}
    else:
        element_names = {key: name for name, key in _NAMES.items()}
        names = {key: element_names.get(str(key), str(key)) for key in value}
        _drop(element, lambda child: child.name not in names.values())
        for key, name in names.items():
            if _NAME.fullmatch(name) and isinstance(value[key], str | int | float | Mapping):
                _fill(_child_or_new(element, name, depth), value[key], depth + 1)


def _players(rows: object, entities: Sequence[Entity]) -> list[dict[str, Any]]:
    """Return the players of a scenario, without Gaia.

    ``rows`` are those of the settings, Gaia first; if there are none, there are as many players as
    own entities.
    """
    players = list[dict[str, Any]]()
    if isinstance(rows, list):
        for row in rows[1:]:
            if isinstance(row, Mapping):
                players.append(dict(row))
            else:
                players.append({})
    if not players:
        highest_owner = max((entity.player for entity in entities), default=1)
        count = max(1, min(highest_owner, MOST_PLAYERS))
        players = [{} for _ in range(count)]
    for player in players:
        player.pop(BY_HAND, None)
    return players


def _update_entity(element: Element, entity: Entity, former: Entity | None) -> None:
    """Change the element of an entity where it differs from ``former``, None for a new one."""
    if former is None:
        # One that differs in all, but that an actor belongs to nobody: it has no ``Player``.
        owner = 0 if entity.template.startswith("actor|") else -1
        former = Entity(0, "", owner, math.nan, math.nan, math.nan)
    if entity.template != former.template:
        _child_or_new(element, "Template", 3).children = [entity.template]
    if entity.player != former.player:
        _child_or_new(element, "Player", 3).children = [str(entity.player)]
    if entity.x != former.x:
        metres = entity.x * METRES_PER_TILE
        _child_or_new(element, "Position", 3).attributes["x"] = _text(metres, 5)
    if entity.z != former.z:
        metres = entity.z * METRES_PER_TILE
        _child_or_new(element, "Position", 3).attributes["z"] = _text(metres, 5)
    if entity.angle != former.angle:
        _child_or_new(element, "Orientation", 3).attributes["y"] = _text(entity.angle, 5)


def _child(element: Element, name: str) -> Element | None:
    """Return the first element of a name in an element, None if there is none."""
    return next(element.elements(name), None)


def _element(name: str, attributes: dict[str, str]) -> Element:
    """Return a new element, which has no place in a file."""
    return Element(name, attributes, 0, 0, 0, in_namespace=False)


def _child_or_new(parent: Element, name: str, depth: int) -> Element:
    """Return the element of a name; a new one, indented by ``depth`` tabs, if there is none."""
    child = _child(parent, name)
    if child is None:
        child = _element(name, {})
        _append(parent, child, depth)
    return child


def _append(parent: Element, child: Element, depth: int) -> None:
    """Add an element in a line of its own, indented by ``depth`` tabs."""
    if parent.children and isinstance(parent.children[-1], str):
        parent.children.pop()  # the blanks before the end tag
    parent.children += ["\n" + "\t" * depth, child, "\n" + "\t" * (depth - 1)]


def _drop(parent: Element, is_dropped: Callable[[Element], bool]) -> None:
    """Remove elements, each with the blanks before it."""
    remaining: list[Node] = []
    for node in parent.children:
        if not isinstance(node, Element) or not is_dropped(node):
            remaining.append(node)
        elif remaining and isinstance(remaining[-1], str):
            remaining.pop()
    parent.children = remaining


def _cdata(text: str) -> str:
    """Return a text as CDATA; its end mark in the text is divided between two sections."""
    escaped = text.replace("]]>", "]]]]><![CDATA[>")
    return f"<![CDATA[{escaped}]]>"
