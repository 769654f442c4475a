"""Scenarios of 0 A.D. for tests, and small readers of them that share no code with the product.

``terrain`` makes the file of a terrain (.pmp), ``SCENARIO`` is one that has everything that a
scenario (.xml) can have. ``read_terrain`` and ``read_scenario`` read what was written.
"""

from __future__ import annotations

import json
import struct
from typing import Any, NamedTuple
from xml.etree import ElementTree

PATCH = 16
"""The tiles along a side of a patch, in which a terrain is divided."""

NO_TEXTURE = 0xFFFF
"""The number of the second texture of a tile that has none."""


def terrain(patches: int = 1) -> bytes:
    """Return a terrain of 0 A.D. of ``patches`` x ``patches`` patches, each of 16 x 16 tiles.

    It has two textures on some tiles, and one texture twice among the names.
    """
    side = PATCH * patches
    data = struct.pack("<I", patches)
    for corner in range((side + 1) ** 2):
        data += struct.pack("<H", 92 * (corner % 40))

    names = (b"grass1", b"D\xc3\xbcnen", b"grass1", b"cliff")
    data += struct.pack("<I", len(names))
    for name in names:
        data += struct.pack("<I", len(name)) + name

    for tile in range(side**2):
        # Every fifth tile has a second texture; priorities are as large as the file can hold them.
        second_texture = NO_TEXTURE
        priority = 2
        if tile % 5 == 0:
            second_texture = 3
            priority = 0xFFFFFFFF
        elif tile % 7 == 0:
            priority = 70000
        data += struct.pack("<HHI", tile % 4, second_texture, priority)
    return struct.pack("<4sII", b"PSMP", 7, len(data)) + data


SCENARIO = """<?xml version="1.0" encoding="UTF-8"?>

<!-- Ours -->
<Scenario version="7">
	<Environment>
		<SkySet>cirrus</SkySet>
		<SunColor r="1.69922" g="1.5" b="1"/>
		<SunElevation angle="0.676026"/>
		<Water>
			<WaterBody>
				<Type>lake</Type>
				<Height>34.623</Height>
			</WaterBody>
		</Water>
		<Postproc>
			<PostEffect>hdr</PostEffect>
		</Postproc>
	</Environment>
	<Camera>
		<Position x="122.057" y="111.803" z="7.81555"/>
		<Rotation angle="0.0231291"/>
	</Camera>
	<ScriptSettings><![CDATA[
{
  "Name": "Dünen", "PlayerData": [{"Civ": "athen"}, {}], "CircularMap": true,
  "TriggerScripts": ["scenarios/x.js"]
}
]]></ScriptSettings>
	<Entities>
		<!-- a garrison -->
		<Entity uid="11">
			<Template>structures/athen/fortress</Template>
			<Player>1</Player>
			<Garrison>
				<GarrisonedEntity uid="12"/>
			</Garrison>
			<Position x="5.15519" z="40.54519"/>
			<Orientation y="2.35621"/>
			<Obstruction group="11"/>
		</Entity>
		<Entity uid="12">
			<Template>actor|props/flora/grass.xml</Template>
			<Position x="10" y="3" z="20.50"/>
			<Orientation y="-1.4"/>
			<Actor seed="7"/>
		</Entity>
		<Entity uid="12">
			<Template>gaia/tree/oak</Template>
			<Position x="30" z="30"/>
		</Entity>
	</Entities>
	<Paths>
		<Path name="a" timescale="1"/>
	</Paths>
	<Script><![CDATA[if (a < b && c) { "]" }]]></Script>
</Scenario>
""".encode()

FLAT_SCENARIO = (
    b'<Scenario version="7"><Terrain patches="2" texture="grass1" priority="0" height="16384"/>'
    b"<Entities/></Scenario>"
)


class Tile(NamedTuple):
    """A tile of a terrain."""

    texture: str
    second_texture: str
    """"" for none."""
    priority: int


def read_terrain(data: bytes) -> tuple[int, list[int], list[Tile]]:
    """Return the tiles along a side, the heights of corners, and the tiles row by row."""
    mark, _version, length, patches = struct.unpack("<4sIII", data[:16])
    assert (mark, length) == (b"PSMP", len(data) - 12)
    side = PATCH * patches
    offset = 16 + 2 * (side + 1) ** 2
    heights = list(struct.unpack(f"<{(side + 1) ** 2}H", data[16:offset]))

    (name_count,) = struct.unpack("<I", data[offset : offset + 4])
    offset += 4
    names = list[str]()
    for _ in range(name_count):
        (size,) = struct.unpack("<I", data[offset : offset + 4])
        names.append(data[offset + 4 : offset + 4 + size].decode())
        offset += 4 + size

    # Tiles are listed patch by patch, and in each patch row by row.
    tiles = dict[tuple[int, int], Tile]()
    for number, entry in enumerate(struct.iter_unpack("<HHI", data[offset:])):
        texture, second_texture, priority = entry
        patch_z, patch_x = divmod(number // PATCH**2, patches)
        z, x = divmod(number % PATCH**2, PATCH)
        second_name = ""
        if second_texture != NO_TEXTURE:
            second_name = names[second_texture]
        position = (patch_z * PATCH + z, patch_x * PATCH + x)
        tiles[position] = Tile(names[texture], second_name, priority)
    return side, heights, [tiles[position] for position in sorted(tiles)]


class Tree(NamedTuple):
    """An element of XML and those within it, so that two can be compared by ``==``."""

    tag: str
    attributes: dict[str, str]
    text: str
    children: list[Any]


def tree_of(element: ElementTree.Element) -> Tree:
    """Return an element with all that is in it; blanks around its text do not count."""
    text = (element.text or "").strip()
    children = [tree_of(child) for child in element]
    return Tree(element.tag, dict(element.attrib), text, children)


def read_scenario(data: bytes) -> tuple[list[Tree], dict[str, Any], dict[str, Tree]]:
    """Return elements, settings, and entities by their ids; the second "12" is "12 again"."""
    root = ElementTree.fromstring(data)
    entities = dict[str, Tree]()
    for entity in root.find("Entities") or ():
        uid = entity.attrib["uid"]
        if uid in entities:
            uid = f"{uid} again"
        entities[uid] = tree_of(entity)
    settings = json.loads(root.findtext("ScriptSettings") or "{}")
    elements = [
        tree_of(element) for element in root if element.tag not in ("Entities", "ScriptSettings")
    ]
    return elements, settings, entities
