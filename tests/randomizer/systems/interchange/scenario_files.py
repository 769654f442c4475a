"""Scenarios of 0 A.D. made here, and little readers of them that share nothing with ours."""

from __future__ import annotations

import json
import struct
from typing import Any
from xml.etree import ElementTree


def terrain(patches: int = 1) -> bytes:
    """A terrain of 0 A.D.: two textures on some tiles, one twice among the names."""
    side = 16 * patches
    data = struct.pack("<I", patches)
    data += b"".join(struct.pack("<H", 92 * (at % 40)) for at in range((side + 1) ** 2))
    names = (b"grass1", b"D\xc3\xbcnen", b"grass1", b"cliff")
    data += struct.pack("<I", len(names))
    data += b"".join(struct.pack("<I", len(name)) + name for name in names)
    for at in range(side**2):
        second, priority = (3, 0xFFFFFFFF) if at % 5 == 0 else (0xFFFF, 70000 if at % 7 == 0 else 2)
        data += struct.pack("<HHI", at % 4, second, priority)
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


def read_terrain(data: bytes) -> tuple[int, list[int], list[tuple[str, str, int]]]:
    """Of a terrain of 0 A.D.: tiles along a side, heights, and (texture, second, priority)."""
    mark, _version, length, patches = struct.unpack("<4sIII", data[:16])
    assert (mark, length) == (b"PSMP", len(data) - 12)
    side = 16 * patches
    at = 16 + 2 * (side + 1) ** 2
    heights = list(struct.unpack(f"<{(side + 1) ** 2}H", data[16:at]))
    (count,) = struct.unpack("<I", data[at : at + 4])
    at = at + 4
    names = list[str]()
    for _each in range(count):
        (size,) = struct.unpack("<I", data[at : at + 4])
        names.append(data[at + 4 : at + 4 + size].decode())
        at += 4 + size
    tiles = dict[tuple[int, int], tuple[str, str, int]]()
    for number, (one, two, priority) in enumerate(struct.iter_unpack("<HHI", data[at:])):
        patch = number // 256
        (z, x) = divmod(number % 256, 16)
        key = patch // patches * 16 + z, patch % patches * 16 + x
        tiles[key] = names[one], "" if two == 0xFFFF else names[two], priority
    return side, heights, [tiles[key] for key in sorted(tiles)]


Tree = tuple[str, dict[str, str], str, list[Any]]


def read_scenario(data: bytes) -> tuple[list[Tree], dict[str, Any], dict[str, Tree]]:
    """Of a scenario: elements, settings, and entities by their ids ("12", "12 again")."""
    root = ElementTree.fromstring(data)

    def tree(element: ElementTree.Element) -> Tree:
        text = (element.text or "").strip()
        return element.tag, dict(element.attrib), text, [tree(each) for each in element]

    entities = dict[str, Tree]()
    for each in root.find("Entities") or ():
        uid = each.attrib["uid"]
        entities[f"{uid} again" if uid in entities else uid] = tree(each)
    settings = json.loads(root.findtext("ScriptSettings") or "{}")
    rest = [tree(each) for each in root if each.tag not in ("Entities", "ScriptSettings")]
    return rest, settings, entities
