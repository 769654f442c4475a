"""Reads the XML of a scenario beside its terrain: environment, camera, settings and entities.

    scenario = read_scenario(data, path)               # ProblemError with a place
    scenario.environment["SkySet"]                     # "cirrus"
    scenario.entities[12].entity.template              # "gaia/tree/oak"

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

The result also holds the tree of the file. ``scenario_writer`` changes that where a map differs, so
that what a map here has no place for (paths, scripts, garrisons, looks of actors) stays as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.limits import LARGEST_DATA, MAX_THINGS
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.reading.xml_tree import Document, Element, parse_xml
from randomizer.systems.zeroad.installation.template_catalog import METRES_PER_TILE
from randomizer.systems.zeroad.map.map_data import FIRST_ID, Entity
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map_format.entity_schema import FARTHEST
from randomizer.systems.zeroad.map_format.scenario_elements import (
    child_of,
    number_or_text,
    value_of,
)
from randomizer.systems.zeroad.map_format.value_problems import CODE

LARGEST = 16 * 2**20
"""The largest size of a file; the largest of 144 scenarios of release 26 has 3.6 MB."""

MAX_ELEMENTS = 6 * MAX_THINGS
"""The largest number of elements: an entity has up to six. A scenario of release 26 has 96,000."""

NEW_FILE = b"""<Scenario version="7">
	<Environment/>
	<Camera/>
	<ScriptSettings/>
	<Entities/>
	<Paths/>
</Scenario>
"""
"""The file of a new map."""

SETTINGS_ELEMENT = "ScriptSettings"
"""The element with the settings of the map, as JSON."""

PLAYERS = "PlayerData"
"""The key of the players in the settings. Files have them without Gaia, scripts with Gaia first."""

_FARTHEST_METRE = METRES_PER_TILE * FARTHEST
"""The largest coordinate of an entity to either side of 0."""

_LARGEST_ANGLE = 1e6
"""The largest angle in radians: far more than any file has, and a float still tells its degrees."""


class EntityInFile(NamedTuple):
    """An entity with its element in the tree."""

    entity: Entity
    element: Element


@dataclass(frozen=True, eq=False)
class Scenario:
    """What a map takes of a file, and the tree of the file."""

    document: Document
    root: Element
    """The element ``Scenario``."""
    environment: dict[str, Any] | None
    """The environment as scripts have it, None if the file has none."""
    camera: dict[str, Any] | None
    """The camera as scripts have it, None if the file has none."""
    settings: dict[str, Any] | None
    """The settings of the map as scripts have them, so that ``PLAYERS`` begins with Gaia.

    {} if the file has none; None if they cannot be read.
    """
    entities: dict[int, EntityInFile]
    """The entities of the file by id."""
    problems: tuple[Problem, ...]
    """A warning of settings that cannot be read."""


class FlatTerrain(NamedTuple):
    """The terrain of a map that is flat and has one texture."""

    patches: int
    """The number of patches along a side of the map."""

    texture: str
    """The name of the texture."""

    height: int
    """In the units of terrain files."""


def read_scenario(data: bytes, path: str | None) -> Scenario:
    """Return the scenario of a file at ``path``. Raises ProblemError."""
    document = parse_xml(data, path, max_bytes=LARGEST, max_elements=MAX_ELEMENTS)
    root = document.root
    if root is None:
        raise ProblemError(document.problems)
    if root.name != "Scenario":
        raise _fault(document, root, "is no scenario of 0 A.D.")

    problems: tuple[Problem, ...] = ()
    settings: dict[str, Any] | None
    try:
        settings = _read_settings(root)
    except (ValueError, RecursionError) as failed:
        settings = None
        message = f"{SETTINGS_ELEMENT} cannot be read: {reason_of(failed)}"
        element = child_of(root, SETTINGS_ELEMENT) or root
        problems = (document.problem(Severity.WARNING, CODE, message, element),)
    return Scenario(
        document=document,
        root=root,
        environment=_read_section(root, "Environment"),
        camera=_read_section(root, "Camera"),
        settings=settings,
        entities=_read_entities(document, root),
        problems=problems,
    )


def flat_terrain(scenario: Scenario) -> FlatTerrain | None:
    """Return the terrain of a flat map, None for other maps. Raises ProblemError.

    A flat map has an element ``Terrain`` instead of a terrain file.
    """
    element = child_of(scenario.root, "Terrain")
    if element is None:
        return None
    patches = _whole_number(element.attributes.get("patches", ""))
    height = _whole_number(element.attributes.get("height", ""))
    if not patches or height is None:
        raise _fault(scenario.document, element, "has no number of patches, or no height")
    return FlatTerrain(patches, element.attributes.get("texture", ""), height)


def _read_section(root: Element, name: str) -> dict[str, Any] | None:
    """Return the content of an element in ``root`` as JSON, None for a missing or empty one."""
    element = child_of(root, name)
    if element is None:
        return None
    value = value_of(element)
    if isinstance(value, dict):
        return value
    return None


def _read_settings(root: Element) -> dict[str, Any]:
    """Return the settings of the map, {} for none. Raises ValueError or RecursionError."""
    element = child_of(root, SETTINGS_ELEMENT)
    if element is None or not element.text.strip():
        return {}
    settings = parse_json(element.text.encode(), largest=LARGEST_DATA)
    if not isinstance(settings, dict):
        raise ValueError("it is no object")
    fault = fault_in_data(settings)
    if fault:
        raise ValueError(fault)
    # Scripts have Gaia at the index 0, for which files have nothing.
    players = settings.get(PLAYERS)
    if isinstance(players, list) and players and players[0] is not None:
        settings[PLAYERS] = [None, *players]
    return settings


# --- entities -------------------------------------------------------------------------------------


def _read_entities(document: Document, root: Element) -> dict[int, EntityInFile]:
    """Return the entities by id, which is the ``uid`` of their element. Raises ProblemError.

    An element without a valid id, and one whose id another had before, get a free one. This counts
    here only: the file keeps its ``uid``.
    """
    holder = child_of(root, "Entities")
    if holder is None:
        return {}
    elements = list(holder.elements("Entity"))
    ids_in_file = [_whole_number(element.attributes.get("uid", "")) for element in elements]
    reserved_ids = set(ids_in_file)
    free_ids = (number for number in count(FIRST_ID) if number not in reserved_ids)

    entities = dict[int, EntityInFile]()
    for element, id_in_file in zip(elements, ids_in_file, strict=True):
        if id_in_file is None or id_in_file in entities:
            entity_id = next(free_ids)
        else:
            entity_id = id_in_file
        entities[entity_id] = EntityInFile(_read_entity(document, element, entity_id), element)
    return entities


def _read_entity(document: Document, element: Element, entity_id: int) -> Entity:
    """Return the entity of an element. Raises ProblemError.

    An element without ``Player`` belongs to Gaia; without position or orientation they are 0.
    """
    template = child_of(element, "Template")
    if template is None:
        raise _fault(document, element, "names no template")
    name = template.text.strip()
    if not name or fault_in_line(name):
        raise _fault(document, template, "names no template")

    position = child_of(element, "Position")
    orientation = child_of(element, "Orientation")
    return Entity(
        entity_id,
        name,
        _read_owner(document, element),
        x=_number(document, position, "x", _FARTHEST_METRE) / METRES_PER_TILE,
        z=_number(document, position, "z", _FARTHEST_METRE) / METRES_PER_TILE,
        angle=_number(document, orientation, "y", _LARGEST_ANGLE),
    )


def _read_owner(document: Document, element: Element) -> int:
    """Return the number of the player of an entity's element. Raises ProblemError."""
    player = child_of(element, "Player")
    if player is None:
        return 0
    owner = _whole_number(player.text.strip())
    if owner is None:
        raise _fault(document, player, f"is no number of 0 to {MOST}")
    return owner


def _number(document: Document, element: Element | None, attribute: str, limit: float) -> float:
    """Return the number of an attribute, 0 without it. Raises ProblemError for a text, and for
    a number beyond ``limit`` to either side.
    """
    if element is None:
        return 0.0
    value = number_or_text(element.attributes.get(attribute, "0"))
    if isinstance(value, float) and abs(value) <= limit:
        return value
    message = f"has no {attribute} of -{limit:g} to {limit:g}"
    raise _fault(document, element, message, attribute)


def _whole_number(text: str) -> int | None:
    """Return the number 0 to ``MOST`` that a text is, None for another text."""
    if re.fullmatch(r"[0-9]{1,5}", text) and int(text) <= MOST:
        return int(text)
    return None


def _fault(
    document: Document, element: Element, message: str, attribute: str | None = None
) -> ProblemError:
    """Return the error of an element, or of its attribute; ``message`` follows its name."""
    message = f"{element.name} {message}"
    return ProblemError(document.problem(Severity.ERROR, CODE, message, element, attribute))
