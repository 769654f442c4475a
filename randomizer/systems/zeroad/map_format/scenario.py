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
from typing import Any

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
from randomizer.systems.zeroad.map_format.entity_schema import FURTHEST
from randomizer.systems.zeroad.map_format.value_problems import CODE

LARGEST = 16 * 2**20
MOST_ELEMENTS = 6 * MOST_THINGS
"""The largest of 144 scenarios of release 26 has 3.6 MB and 96,000 elements."""

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

_DATA = ("Environment", "Camera")
_SETTINGS = "ScriptSettings"
_SCRIPTS = (_SETTINGS, "Script")
"""Elements whose text is CDATA."""

_NAMES = {"PostEffect": "PostprocEffect"}
"""Elements that the data of scripts call otherwise."""

_ANGLES = ("SunElevation", "SunRotation", "Rotation", "Declination")
"""Elements whose number is the attribute ``angle``."""

_PARTS = "rgbxyz"
"""Attributes of colours and positions."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?", re.ASCII)


class Scenario:
    """The tree of a file, and what a map takes of it: JSON and entities as scripts have them."""

    def __init__(self, document: Document, root: Element) -> None:
        self.document = document
        self.root = root
        if root.name != "Scenario":
            raise self._fault(root, "is no scenario of 0 A.D.")
        self.problems: list[Problem] = []
        self.environment, self.camera = map(self._data, _DATA)
        self.settings = self._settings()
        self.entities: dict[int, tuple[Entity, Element]] = dict(self._entities())

    # --- reading ----------------------------------------------------------------------------------

    def _data(self, name: str) -> dict[str, Any] | None:
        element = _child(self.root, name)
        value = None if element is None else _value(element)
        return value if isinstance(value, dict) else None

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

    def _entities(self) -> list[tuple[int, tuple[Entity, Element]]]:
        """Return entities by id: that of the element, or a free one if another has it already."""
        holder = _child(self.root, "Entities")
        if holder is None:
            elements = []
        else:
            elements = list(holder.elements("Entity"))
        ids = [_whole(each.attributes.get("uid", "")) for each in elements]
        taken = set(ids)
        used = set[int]()
        free = (number for number in count(FIRST_ID) if number not in taken)
        result = []
        for element, given in zip(elements, ids, strict=True):
            if given is None or given in used:
                number = next(free)
            else:
                number = given
            used.add(number)
            result.append((number, (self._entity(element, number), element)))
        return result

    def _entity(self, element: Element, number: int) -> Entity:
        template, player = (_child(element, name) for name in ("Template", "Player"))
        name = "" if template is None else template.text.strip()
        if not name or fault_in_line(name):
            raise self._fault(template or element, "names no template")
        owner = 0 if player is None else _whole(player.text.strip())
        if owner is None:
            raise self._fault(player or element, f"is no number of 0 to {MOST}")
        position, turn = (_child(element, name) for name in ("Position", "Orientation"))
        x, z = (self._number(position, axis, METRES_PER_TILE * FURTHEST) for axis in "xz")
        angle = self._number(turn, "y", 1e6)
        return Entity(number, name, owner, x / METRES_PER_TILE, z / METRES_PER_TILE, angle)

    def _number(self, element: Element | None, attribute: str, most: float) -> float:
        value = 0.0 if element is None else _number_or_text(element.attributes.get(attribute, "0"))
        if isinstance(value, float) and abs(value) <= most:
            return value
        message = f"has no {attribute} of -{most:g} to {most:g}"
        raise self._fault(element or self.root, message, attribute)

    def flat_terrain(self) -> tuple[int, str, int] | None:
        """Return patches along a side, texture and height of a map that needs no terrain file."""
        element = _child(self.root, "Terrain")
        if element is None:
            return None
        patches, height = (_whole(element.attributes.get(n, "")) for n in ("patches", "height"))
        if not patches or height is None:
            raise self._fault(element, "has no number of patches, or no height")
        return patches, element.attributes.get("texture", ""), height

    def _fault(self, element: Element, message: str, attribute: str | None = None) -> ProblemError:
        message = f"{element.name} {message}"
        return ProblemError(
            self.document.problem(Severity.ERROR, CODE, message, element, attribute)
        )

    # --- writing ----------------------------------------------------------------------------------

    def update(self, data: MapData, name: str) -> None:
        """Change the tree so that it says what map data do; a new map is called ``name``."""
        environment = data.environment
        if environment is None and self.environment is None:
            environment = {"Water": {"WaterBody": {"Height": data.sea_level}}}
        for element, value in zip(_DATA, (environment, data.camera), strict=True):
            if isinstance(value, Mapping):
                _fill(_child_or_new(self.root, element, 1), value, 2)
        settings = dict(data.settings)
        if not self.settings:
            victory = settings.get("VictoryConditions") or ["conquest"]
            settings = {"Description": "", "Keywords": [], **settings}
            settings |= {"Name": name, "VictoryConditions": victory}
        if settings != self.settings:
            settings[PLAYERS] = _players(settings.get(PLAYERS), data.entities)
            text = json.dumps(settings, indent=2)
            _child_or_new(self.root, _SETTINGS, 1).children = [f"\n{text}\n"]
        _drop(self.root, lambda each: each.name == "Terrain")
        self._update_entities({entity.id: entity for entity in data.entities})

    def _update_entities(self, entities: dict[int, Entity]) -> None:
        before = {id(element): entity for entity, element in self.entities.values()}
        holder = _child_or_new(self.root, "Entities", 1)
        _drop(holder, lambda each: id(each) in before and before[id(each)].id not in entities)
        for number, entity in entities.items():
            old, element = self.entities.get(number, (None, None))
            if element is None:
                element = _element("Entity", {"uid": str(number)})
                _append(holder, element, 2)
            if entity != old:
                _update_entity(element, entity, old)

    def data(self) -> bytes:
        """Return the bytes of the file."""
        document = self.document
        root = self.root
        inner = "".join(
            f"<{child.name}{attributes_xml(child.attributes.items())}>{_cdata(child.text)}</{child.name}>"
            if isinstance(child, Element) and child.name in _SCRIPTS
            else node_xml(child)
            for child in root.children
        )
        head = f"<{root.name}{attributes_xml(root.attributes.items())}>"
        lines = [*map(node_xml, document.before), f"{head}{inner}</{root.name}>"]
        lines += map(node_xml, document.after)
        text = '<?xml version="1.0" encoding="UTF-8"?>\n\n' + "\n".join(lines)
        end = "\n" if document.source.endswith(b"\n") else ""
        return f"{text}{end}".encode("utf-8", "replace")


def read_scenario(data: bytes, path: str | None) -> Scenario:
    """Return the scenario of a file at ``path``. Raises ProblemError."""
    document = parse_xml(data, path, LARGEST, MOST_ELEMENTS)
    if document.root is None:
        raise ProblemError(document.problems)
    return Scenario(document, document.root)


# --- values and elements --------------------------------------------------------------------------


def _number_or_text(text: str) -> float | str:
    """Return the number that a text is, or the text."""
    if _NUMBER.fullmatch(text):
        number = float(text)
    else:
        number = math.inf
    return number if math.isfinite(number) else text


def _whole(text: str) -> int | None:
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
    """Return what an element says, as JSON."""
    if "angle" in element.attributes:
        return _number_or_text(element.attributes["angle"])
    parts = {
        part: _number_or_text(text) for part, text in element.attributes.items() if part in _PARTS
    }
    if parts:
        if "r" in parts:
            return {**parts, "a": 0}
        return parts
    inner: dict[str, Any] = {}
    for child in element.children:
        if isinstance(child, Element):
            inner.setdefault(_NAMES.get(child.name, child.name), _value(child))
    return inner or _number_or_text(element.text.strip())


def _fill(element: Element, value: object, depth: int) -> None:
    """Change an element so that it says ``value``; its own elements are ``depth`` deep."""
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
        names = {
            key: next((n for n, old_key in _NAMES.items() if old_key == key), key) for key in value
        }
        _drop(element, lambda each: each.name not in names.values())
        for key, name in names.items():
            if _NAME.fullmatch(name) and isinstance(value[key], str | int | float | Mapping):
                _fill(_child_or_new(element, name, depth), value[key], depth + 1)


def _players(listed: object, entities: Sequence[Entity]) -> list[dict[str, Any]]:
    """Return the players of a scenario, without Gaia; if none is listed, those who own things."""
    named = listed[1:] if isinstance(listed, list) else []
    most = max((entity.player for entity in entities), default=1)
    named = named or [{}] * max(1, min(most, MOST_PLAYERS))
    players = [dict(each) if isinstance(each, Mapping) else {} for each in named]
    for player in players:
        player.pop(BY_HAND, None)
    return players


def _update_entity(element: Element, entity: Entity, old: Entity | None) -> None:
    """Change the element of an entity from ``old``, None for a new one: actors have no player."""
    nobody = 0 if entity.template.startswith("actor|") else -1
    old = old or Entity(0, "", nobody, math.nan, math.nan, math.nan)
    for name, field in (("Template", "template"), ("Player", "player")):
        if getattr(entity, field) != getattr(old, field):
            _child_or_new(element, name, 3).children = [str(getattr(entity, field))]
    for axis in "xz":
        if getattr(entity, axis) != getattr(old, axis):
            metres = getattr(entity, axis) * METRES_PER_TILE
            _child_or_new(element, "Position", 3).attributes[axis] = _text(metres, 5)
    if entity.angle != old.angle:
        _child_or_new(element, "Orientation", 3).attributes["y"] = _text(entity.angle, 5)


def _child(element: Element, name: str) -> Element | None:
    return next(element.elements(name), None)


def _element(name: str, attributes: dict[str, str]) -> Element:
    return Element(name, attributes, 0, 0, 0, in_namespace=False)


def _child_or_new(parent: Element, name: str, depth: int) -> Element:
    """Return the element of a name, a new one if there is none, ``depth`` deep."""
    child = _child(parent, name)
    if child is None:
        child = _element(name, {})
        _append(parent, child, depth)
    return child


def _append(parent: Element, child: Element, depth: int) -> None:
    if parent.children and isinstance(parent.children[-1], str):
        parent.children.pop()
    parent.children += ["\n" + "\t" * depth, child, "\n" + "\t" * (depth - 1)]


def _drop(parent: Element, is_dropped: Callable[[Element], bool]) -> None:
    """Remove elements, each with the blanks before it."""
    left: list[Node] = []
    for node in parent.children:
        if not isinstance(node, Element) or not is_dropped(node):
            left.append(node)
        elif left and isinstance(left[-1], str):
            left.pop()
    parent.children = left


def _cdata(text: str) -> str:
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"
