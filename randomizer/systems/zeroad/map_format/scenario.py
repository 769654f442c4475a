"""The XML of a scenario beside its terrain: environment, camera, settings, entities, and back.

    scenario = read_scenario(data, path)               # ProblemError with a place
    scenario.environment["SkySet"], scenario.entities
    scenario.update(map_data, "my_map")                # only what differs is written anew
    data = scenario.data()

A file looks like this::

    <Scenario version="7">
      <Environment> <SkySet>cirrus</SkySet> ... </Environment>
      <Camera> ... </Camera>
      <ScriptSettings><![CDATA[{"Name": "Oasis", "PlayerData": [{...}, {...}]}]]></ScriptSettings>
      <Entities>
        <Entity uid="12">
          <Template>gaia/tree/oak</Template> <Player>0</Player>
          <Position x="310.5" z="96.25"/> <Orientation y="2.1"/>       metres, radians
        </Entity>
      </Entities>
    </Scenario>

What a map here has no place for (paths, scripts, garrisons, looks of actors) stays as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LARGEST_DATA, MOST_THINGS
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.reading.xml_text import attributes_xml, node_xml
from randomizer.reading.xml_tree import Document, Element, parse_xml
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE
from randomizer.systems.zeroad.map.map_data import FIRST_ID, MOST_PLAYERS, Entity, MapData
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map.records import BY_HAND
from randomizer.systems.zeroad.map_format.entity_schema import FARTHEST
from randomizer.systems.zeroad.map_format.scenario_elements import (
    append_child,
    child_of,
    child_or_new,
    drop_children,
    fill,
    new_element,
    number_or_text,
    value_of,
    value_text,
)
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
"""The key of the players in the settings. Files have them without Gaia, scripts with Gaia first."""

_SETTINGS = "ScriptSettings"
"""The element with the settings of the map, as JSON."""

_SCRIPTS = (_SETTINGS, "Script")
"""Elements whose text is CDATA."""

# The tabs before elements in a file, by their depth in the tree.

_TABS_IN_ROOT = 1
_TABS_IN_SECTION = 2
_TABS_IN_ENTITY = 3


class _EntityInFile(NamedTuple):
    """An entity with its element in the tree."""

    entity: Entity
    element: Element


class FlatTerrain(NamedTuple):
    """The terrain of a map that is flat and has one texture."""

    patches: int
    """The number of patches along a side of the map."""

    texture: str
    """The name of the texture."""

    height: int
    """In the units of terrain files."""


class Scenario:
    """The tree of a file, and the content that a map takes of it.

    It is made of a file, may be changed once by ``update``, and is written by ``data``. ``update``
    changes the tree where a map differs, so that all else stays as it was.
    """

    def __init__(self, document: Document, root: Element) -> None:
        """Read the content of a tree. Raises ProblemError."""
        self.document = document
        self.root = root
        """The element ``Scenario``, which ``update`` changes."""
        if root.name != "Scenario":
            raise self._fault(root, "is no scenario of 0 A.D.")
        self.problems: list[Problem] = []
        """Warnings of what cannot be read."""
        self.environment = self._data("Environment")
        """The environment as scripts have it, None if the file has none."""
        self.camera = self._data("Camera")
        """The camera as scripts have it, None if the file has none."""
        self.settings = self._settings()
        """The settings of the map as scripts have them, {} if the file has none."""
        self.entities = self._entities()
        """The entities of the file by id."""

    # --- reading ----------------------------------------------------------------------------------

    def _data(self, name: str) -> dict[str, Any] | None:
        """Return the content of an element as JSON, None for a missing or empty one."""
        element = child_of(self.root, name)
        if element is None:
            return None
        value = value_of(element)
        if isinstance(value, dict):
            return value
        return None

    def _settings(self) -> dict[str, Any]:
        """Return the settings of the map, as a random map's: PlayerData begins with Gaia."""
        element = child_of(self.root, _SETTINGS)
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
        holder = child_of(self.root, "Entities")
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
        template = child_of(element, "Template")
        if template is None:
            raise self._fault(element, "names no template")
        name = template.text.strip()
        if not name or fault_in_line(name):
            raise self._fault(template, "names no template")
        owner = self._owner(element)
        position = child_of(element, "Position")
        orientation = child_of(element, "Orientation")
        farthest_metre = METRES_PER_TILE * FARTHEST
        x = self._number(position, "x", farthest_metre) / METRES_PER_TILE
        z = self._number(position, "z", farthest_metre) / METRES_PER_TILE
        angle = self._number(orientation, "y", 1e6)
        return Entity(entity_id, name, owner, x, z, angle)

    def _owner(self, element: Element) -> int:
        """Return the number of the player of an entity's element. Raises ProblemError."""
        player = child_of(element, "Player")
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
        value = number_or_text(element.attributes.get(attribute, "0"))
        if isinstance(value, float) and abs(value) <= limit:
            return value
        message = f"has no {attribute} of -{limit:g} to {limit:g}"
        raise self._fault(element, message, attribute)

    def flat_terrain(self) -> FlatTerrain | None:
        """Return the terrain of a flat map, None for other maps. Raises ProblemError.

        A flat map has an element ``Terrain`` instead of a terrain file.
        """
        element = child_of(self.root, "Terrain")
        if element is None:
            return None
        patches = _whole(element.attributes.get("patches", ""))
        height = _whole(element.attributes.get("height", ""))
        if not patches or height is None:
            raise self._fault(element, "has no number of patches, or no height")
        return FlatTerrain(patches, element.attributes.get("texture", ""), height)

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
            section = child_or_new(self.root, "Environment", _TABS_IN_ROOT)
            fill(section, environment, _TABS_IN_SECTION)
        if isinstance(data.camera, Mapping):
            section = child_or_new(self.root, "Camera", _TABS_IN_ROOT)
            fill(section, data.camera, _TABS_IN_SECTION)
        self._update_settings(data, name)
        # The map is written with a terrain file, whatever it had before.
        drop_children(self.root, lambda element: element.name == "Terrain")
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
            child_or_new(self.root, _SETTINGS, _TABS_IN_ROOT).children = [f"\n{text}\n"]

    def _update_entities(self, entities: dict[int, Entity]) -> None:
        """Change, add and remove elements so that there is one for each entity, by id."""
        # Elements are no keys: their identities stand for them.
        removed_elements = {
            id(former.element)
            for entity_id, former in self.entities.items()
            if entity_id not in entities
        }
        holder = child_or_new(self.root, "Entities", _TABS_IN_ROOT)
        drop_children(holder, lambda element: id(element) in removed_elements)
        for entity_id, entity in entities.items():
            former = self.entities.get(entity_id)
            if former is None:
                element = new_element("Entity", {"uid": str(entity_id)})
                append_child(holder, element, _TABS_IN_SECTION)
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


def _whole(text: str) -> int | None:
    """Return the number 0 to ``MOST`` that a text is, None for another text."""
    if re.fullmatch(r"[0-9]{1,5}", text) and int(text) <= MOST:
        return int(text)
    return None


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
    tabs = _TABS_IN_ENTITY
    if former is None or entity.template != former.template:
        child_or_new(element, "Template", tabs).children = [entity.template]
    has_new_player = former is not None and entity.player != former.player
    if former is None:
        # An actor that belongs to nobody has no ``Player``.
        is_actor = entity.template.startswith("actor|")
        has_new_player = not is_actor or entity.player != 0
    if has_new_player:
        child_or_new(element, "Player", tabs).children = [str(entity.player)]
    if former is None or entity.x != former.x:
        metres = value_text(entity.x * METRES_PER_TILE, digits=5)
        child_or_new(element, "Position", tabs).attributes["x"] = metres
    if former is None or entity.z != former.z:
        metres = value_text(entity.z * METRES_PER_TILE, digits=5)
        child_or_new(element, "Position", tabs).attributes["z"] = metres
    if former is None or entity.angle != former.angle:
        angle = value_text(entity.angle, digits=5)
        child_or_new(element, "Orientation", tabs).attributes["y"] = angle


def _cdata(text: str) -> str:
    """Return a text as CDATA; its end mark in the text is divided between two sections."""
    escaped = text.replace("]]>", "]]]]><![CDATA[>")
    return f"<![CDATA[{escaped}]]>"
