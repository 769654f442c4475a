"""Writes the XML of a scenario for a map: the file that it was read from, changed where it differs.

    scenario = read_scenario(data, path)         # or read_scenario(NEW_FILE, None)
    new_data = write_scenario(scenario, map_data, "my_map")

What did not change keeps its text. What a map has no place for, such as paths, stays as it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from randomizer.reading.xml_text import attributes_xml, node_xml
from randomizer.reading.xml_tree import Element
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE
from randomizer.systems.zeroad.map.map_data import MAX_PLAYERS, Entity, MapData
from randomizer.systems.zeroad.map.records import BY_HAND
from randomizer.systems.zeroad.map_format.scenario import PLAYERS, SETTINGS_ELEMENT, Scenario
from randomizer.systems.zeroad.map_format.scenario_elements import (
    append_child,
    child_or_new,
    drop_children,
    new_element,
    set_value,
    value_text,
)

_CDATA_ELEMENTS = (SETTINGS_ELEMENT, "Script")
"""Elements whose text is CDATA: a text without escapes, between ``<![CDATA[`` and ``]]>``."""

# The tabs before elements in a file, by their depth in the tree.

_TABS_IN_ROOT = 1
_TABS_IN_SECTION = 2
_TABS_IN_ENTITY = 3


def write_scenario(scenario: Scenario, data: MapData, name: str) -> bytes:
    """Return the file of a scenario with the content of map data; a new map is called ``name``.

    The tree of ``scenario`` is changed, so that one scenario can be written once.
    """
    _update_environment(scenario, data)
    if isinstance(data.camera, Mapping):
        section = child_or_new(scenario.root, "Camera", _TABS_IN_ROOT)
        set_value(section, data.camera, _TABS_IN_SECTION)
    _update_settings(scenario, data, name)
    # The map is written with a terrain file, whatever it had before.
    drop_children(scenario.root, lambda element: element.name == "Terrain")
    _update_entities(scenario, data)
    return _bytes_of(scenario)


def _update_environment(scenario: Scenario, data: MapData) -> None:
    """Write the environment of a map; one that has none gets its height of the water at least."""
    environment = data.environment
    if environment is None and scenario.environment is None:
        environment = {"Water": {"WaterBody": {"Height": data.sea_level}}}
    if isinstance(environment, Mapping):
        section = child_or_new(scenario.root, "Environment", _TABS_IN_ROOT)
        set_value(section, environment, _TABS_IN_SECTION)


# --- settings -------------------------------------------------------------------------------------


def _update_settings(scenario: Scenario, data: MapData, name: str) -> None:
    """Write the settings if they differ; those that a new map needs get usual values."""
    settings = dict(data.settings)
    could_be_read = scenario.settings is not None
    if not could_be_read and not settings:
        return  # what is not understood stays as it was
    if not scenario.settings:  # a new map
        settings = {"Description": "", "Keywords": [], **settings}
        settings["Name"] = name
        settings["VictoryConditions"] = settings.get("VictoryConditions") or ["conquest"]
    if settings == scenario.settings:
        return
    settings[PLAYERS] = _players_without_gaia(settings.get(PLAYERS), data.entities)
    text = json.dumps(settings, indent=2)
    child_or_new(scenario.root, SETTINGS_ELEMENT, _TABS_IN_ROOT).children = [f"\n{text}\n"]


def _players_without_gaia(players: object, entities: Sequence[Entity]) -> list[dict[str, Any]]:
    """Return the players as files have them.

    ``players`` are those of the settings, Gaia first. If there are none, there are as many players
    as own entities.
    """
    file_players = list[dict[str, Any]]()
    if isinstance(players, list):
        for player in players[1:]:
            if isinstance(player, Mapping):
                file_players.append(dict(player))
            else:
                file_players.append({})
    if not file_players:
        highest_owner = max((entity.player for entity in entities), default=1)
        player_count = min(max(highest_owner, 1), MAX_PLAYERS)
        file_players = [{} for _ in range(player_count)]
    for player in file_players:
        player.pop(BY_HAND, None)  # only this program has this key
    return file_players


# --- entities -------------------------------------------------------------------------------------


def _update_entities(scenario: Scenario, data: MapData) -> None:
    """Change, add and remove elements so that there is one for each entity, by id."""
    holder = child_or_new(scenario.root, "Entities", _TABS_IN_ROOT)
    remaining_ids = {entity.id for entity in data.entities}
    # Elements cannot be members of a set: their identities stand for them.
    removed_elements = {
        id(former.element)
        for entity_id, former in scenario.entities.items()
        if entity_id not in remaining_ids
    }
    drop_children(holder, lambda element: id(element) in removed_elements)

    for entity in data.entities:
        former = scenario.entities.get(entity.id)
        if former is None:
            append_child(holder, _new_entity_element(entity), _TABS_IN_SECTION)
        elif entity != former.entity:
            _update_entity(former.element, entity, former.entity)


def _new_entity_element(entity: Entity) -> Element:
    """Return the element of an entity that the file has not had."""
    element = new_element("Entity", {"uid": str(entity.id)})
    _set_template(element, entity)
    is_actor = entity.template.startswith("actor|")
    if entity.player != 0 or not is_actor:  # an actor that belongs to nobody has no ``Player``
        _set_player(element, entity)
    _set_coordinate(element, "x", entity.x)
    _set_coordinate(element, "z", entity.z)
    _set_angle(element, entity)
    return element


def _update_entity(element: Element, entity: Entity, former: Entity) -> None:
    """Change the element of an entity where it differs from the ``former`` one.

    The rest keeps its text: what was ``x="20.50"`` does not become ``x="20.5"``.
    """
    if entity.template != former.template:
        _set_template(element, entity)
    if entity.player != former.player:
        _set_player(element, entity)
    if entity.x != former.x:
        _set_coordinate(element, "x", entity.x)
    if entity.z != former.z:
        _set_coordinate(element, "z", entity.z)
    if entity.angle != former.angle:
        _set_angle(element, entity)


def _set_template(element: Element, entity: Entity) -> None:
    """Write the template of an entity into its element."""
    child_or_new(element, "Template", _TABS_IN_ENTITY).children = [entity.template]


def _set_player(element: Element, entity: Entity) -> None:
    """Write the owner of an entity into its element."""
    child_or_new(element, "Player", _TABS_IN_ENTITY).children = [str(entity.player)]


def _set_coordinate(element: Element, axis: str, tiles: float) -> None:
    """Write a coordinate, given in tiles, into the element of an entity; ``axis`` is "x" or "z"."""
    metres = value_text(tiles * METRES_PER_TILE, digits=5)
    child_or_new(element, "Position", _TABS_IN_ENTITY).attributes[axis] = metres


def _set_angle(element: Element, entity: Entity) -> None:
    """Write the angle of an entity into its element."""
    angle = value_text(entity.angle, digits=5)
    child_or_new(element, "Orientation", _TABS_IN_ENTITY).attributes["y"] = angle


# --- the file -------------------------------------------------------------------------------------


def _bytes_of(scenario: Scenario) -> bytes:
    """Return the bytes of a tree.

    Settings and scripts are written as CDATA, as the game does: ``node_xml`` would escape them.
    """
    root = scenario.root
    parts = [f"<{root.name}{attributes_xml(root.attributes.items())}>"]
    for child in root.children:
        if isinstance(child, Element) and child.name in _CDATA_ELEMENTS:
            attributes = attributes_xml(child.attributes.items())
            parts.append(f"<{child.name}{attributes}>{_cdata(child.text)}</{child.name}>")
        else:
            parts.append(node_xml(child))
    parts.append(f"</{root.name}>")

    # Comments can stand before and behind the root.
    document = scenario.document
    lines = [node_xml(node) for node in document.before]
    lines.append("".join(parts))
    lines += [node_xml(node) for node in document.after]
    text = '<?xml version="1.0" encoding="UTF-8"?>\n\n' + "\n".join(lines)
    if document.source.endswith(b"\n"):
        text += "\n"
    return text.encode("utf-8", "replace")


def _cdata(text: str) -> str:
    """Return a text as CDATA; its end mark in the text is divided between two sections."""
    escaped = text.replace("]]>", "]]]]><![CDATA[>")
    return f"<![CDATA[{escaped}]]>"
