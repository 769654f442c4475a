"""Our maps and scripts in the game itself, without graphics. Needs the game, and ZEROAD_DATA.

A trigger script of the map writes into the game's log what the game has made of the map.
"""

from __future__ import annotations

import html
import json
import math
import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from randomizer.catalog.map_formats import format_named
from randomizer.catalog.metadata_files import metadata_entry
from randomizer.formats.checked import read_checked, write_checked, write_files_checked
from randomizer.generator_run import run
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import has_errors
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.things import Thing
from randomizer.roll_base import Base
from randomizer.storage.exports.export_backups import commit_export
from randomizer.systems.zeroad.game.host import HOST
from randomizer.systems.zeroad.game.match import PLAYER
from randomizer.systems.zeroad.map.player_form import change_player
from randomizer.systems.zeroad.map.players import set_first_view
from randomizer.systems.zeroad.map.record_fields import change_field, fields_of
from randomizer.systems.zeroad.map.records import ENVIRONMENT, SETTINGS, as_record, set_value
from randomizer.systems.zeroad.map_format.map_json import map_of
from randomizer.systems.zeroad.script.script_location import OWN_MOD
from randomizer.systems.zeroad.system import SYSTEM
from tests.randomizer.systems.interchange.scenario_files import read_scenario
from tests.randomizer.systems.interchange.test_corpus import CORPUS
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map

ENGINE = shutil.which("pyrogenesis", path=f"{os.environ.get('PATH', '')}:/usr/games")
NOBODY = 65534
"""The game refuses to be started by root."""

TEMPLATES = ("gaia/tree/oak", "gaia/ore/aegean_anatolian_01", "structures/athen/house")
PLAYERS = 2

DUMP = """
Trigger.prototype.DumpMap = function()
{
	const terrain = Engine.QueryInterface(SYSTEM_ENTITY, IID_Terrain);
	const templates = Engine.QueryInterface(SYSTEM_ENTITY, IID_TemplateManager);
	const found = { "edge": terrain.GetMapSize(), "heights": [], "entities": [] };
	for (let at = 0; at < found.edge; at += 16)
		found.heights.push(terrain.GetGroundLevel(at, found.edge / 4));
	for (const entity of Engine.GetEntitiesWithInterface(IID_Position))
	{
		const position = Engine.QueryInterface(entity, IID_Position);
		if (!position.IsInWorld())
			continue;
		const place = position.GetPosition2D();
		const owner = Engine.QueryInterface(entity, IID_Ownership);
		found.entities.push([entity, templates.GetCurrentTemplateName(entity),
			owner ? owner.GetOwner() : -1, place.x, place.y, position.GetRotation().y]);
	}
	found.players = [];
	for (let number = 1; number < Engine.QueryInterface(SYSTEM_ENTITY,
		IID_PlayerManager).GetNumPlayers(); ++number)
	{
		const player = QueryPlayerIDInterface(number);
		const identity = QueryPlayerIDInterface(number, IID_Identity);
		found.players.push({ "civ": identity.GetCiv(), "name": identity.GetName(),
			"ai": player.IsAI(),
			"camera": player.HasStartingCamera() ? player.GetStartingCameraPos() : null });
	}
	warn("DUMP " + JSON.stringify(found) + " END");
};
Engine.QueryInterface(SYSTEM_ENTITY, IID_Trigger).DoAfterDelay(200, "DumpMap", {});
"""

pytestmark = pytest.mark.skipif(
    ENGINE is None or not os.environ.get("ZEROAD_DATA"), reason="needs 0 A.D. and ZEROAD_DATA"
)


@pytest.fixture
def home() -> Iterator[Path]:
    """The folder of somebody who plays for the first time."""
    folder = Path(tempfile.mkdtemp(prefix="battlelands-0ad-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def played(home: Path, name: str, *options: str, folder: str = "random") -> dict[str, Any]:
    """What the game says of a map that it is started with."""
    homes = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")}
    command = [str(ENGINE), f"-autostart={folder}/{name}", "-mod=public", "-mod=user", *options]
    if folder == "random":
        command += [f"-autostart-players={PLAYERS}", "-autostart-victory=endless"]
    return dumped(home, command, homes)


def dumped(home: Path, command: Sequence[str], homes: Mapping[str, str]) -> dict[str, Any]:
    """What the map's script tells when the game is started so, without graphics."""
    unseen = ("-autostart-nonvisual", "-quickstart", "-nosound", "-autostart-disable-replay")
    command = [*command, *unseen]
    environment = {"HOME": str(home), **homes}
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(home)], check=True)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    with (home / "out").open("wb") as out:
        game = subprocess.Popen(
            command, env=environment, cwd=home, stdout=out, stderr=subprocess.STDOUT, **user
        )
    try:
        deadline = time.monotonic() + 60
        while game.poll() is None and time.monotonic() < deadline:
            log = home / "config" / "0ad" / "logs" / "mainlog.html"  # "out" has long lines cut
            said = html.unescape(log.read_text(errors="replace")) if log.exists() else ""
            _before, found, rest = said.partition("DUMP ")
            data, ended, _after = rest.partition(" END")
            if found and ended:
                return dict(json.loads(data))
            time.sleep(0.2)
    finally:
        game.kill()
        game.wait()
    raise AssertionError((home / "out").read_text(errors="replace")[:3000])


def test_the_game_plays_the_exported_map(home: Path) -> None:
    fixed = finished_map(64, entities=60)
    names = dict(zip(sorted({each.template for each in fixed.entities}), TEMPLATES, strict=True))
    entities = tuple(
        replace(each, template=names[each.template], x=each.x / 2 + 16, z=each.z / 2 + 16)
        for each in fixed.entities
    )
    data = replace(
        fixed,
        entities=entities,
        texture_names=("medit_grass_field_a", "medit_dirt"),
        settings={"TriggerScripts": ["random/dump.js"]},
    )
    battlemap = map_of(data)
    mods = home / "data" / "0ad" / "mods"
    mods.mkdir(parents=True)
    plan = HOST.plan_exports(
        HOST.open_game(mods), {"valley": write_checked(HOST.format, battlemap)}, "user"
    )
    assert not has_errors(plan.problems)
    commit_export(plan)
    (mods / "user" / "maps" / "random" / "dump.js").write_text(DUMP)
    found = played(home, "valley", "-autostart-size=256")
    assert found["edge"] == 64 * 4
    wanted = data.heights[16, ::4][: len(found["heights"])] / 92
    assert found["heights"] == pytest.approx(wanted.tolist(), abs=1e-3)
    kept = [each for each in entities if each.player <= PLAYERS]
    by_id = {number: rest for number, *rest in found["entities"]}
    for number, entity in enumerate(kept, 150):
        template, player, x, z, angle = by_id[number]
        assert (template, player) == (entity.template, entity.player)
        assert (x, z) == pytest.approx((entity.x * 4, entity.z * 4), abs=1e-2)
        assert math.remainder(angle - entity.angle, math.tau) == pytest.approx(0, abs=1e-3)


def test_the_game_makes_the_same_map_of_our_own_script(home: Path) -> None:
    name = "hill_country_26"
    size = 128
    seed = 5
    entry = metadata_entry(Path(OWN_MOD.spec) / "maps" / "random" / f"{name}.json")
    assert entry is not None
    biome = "generic/temperate"  # else the game draws one without the seed
    chosen = {"Size": size, "Players": PLAYERS, "Biome": biome}
    made = run(entry.generator(), chosen, DrawKey(seed, 0), Base.under(BattleMap.new(SYSTEM), 0))
    assert made is not None
    wanted = made.layers[0]
    mod = home / "data" / "0ad" / "mods" / "user"
    shutil.copytree(Path(OWN_MOD.spec) / "maps", mod / "maps")
    metadata = mod / "maps" / "random" / f"{name}.json"
    said = json.loads(metadata.read_text())
    said["settings"] |= {"TriggerScripts": ["random/dump.js"], "SupportedBiomes": [biome]}
    metadata.write_text(json.dumps(said))
    (mod / "maps" / "random" / "dump.js").write_text(DUMP)
    found = played(home, name, f"-autostart-size={size}", f"-autostart-seed={seed}")
    assert found["edge"] == size * 4
    row = wanted.planes["height"][size - size // 4, ::4][: len(found["heights"])] / 92
    assert found["heights"] == pytest.approx(row.tolist(), abs=1e-3)
    placed = Counter(thing.kind for thing in wanted.things.values() if thing.owner < 1)
    assert Counter(each[1] for each in found["entities"] if each[2] <= 0) == placed


def test_the_game_plays_placed_structures_and_changed_players(home: Path) -> None:
    """What the desk's palette and setup make of an empty map."""
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 128, 128), [Layer(1, "Ground")])
    things = [
        Thing(1, "structures/rome/civil_centre", 30.0, 30.0, 45.0, 1),
        Thing(2, "structures/rome/fortress", 60.0, 40.0, 90.0, 1),
        Thing(3, "structures/cart/wall_long", 90.0, 80.0, 30.0, 2),
        Thing(4, "structures/cart/dock", 100.0, 100.0, 0.0, 2),
    ]
    ThingsEdit(1, (), tuple(things)).apply(battlemap)
    two = [None, *({"Name": f"Player {n}", "Civ": "athen"} for n in (1, 2))]
    battlemap.records[SETTINGS] = as_record({"PlayerData": two})
    sky = next(each for each in fields_of(ENVIRONMENT) if each.path == ("SkySet",))
    for edit in (
        lambda: change_player(battlemap, 1, "Civ", "rome"),
        lambda: change_player(battlemap, 2, "Civ", "cart"),
        lambda: change_player(battlemap, 2, "Color", "#10a0c8"),
        lambda: set_first_view(battlemap, 2, (90.0, 48.0)),
        lambda: change_field(battlemap, sky, "sunset"),
        lambda: set_value(battlemap, SETTINGS, ("TriggerScripts",), ["random/dump.js"]),
    ):
        change = edit()
        assert change is not None
        change.apply(battlemap)
    mods = home / "data" / "0ad" / "mods"
    mods.mkdir(parents=True)
    files = {"towns": write_checked(HOST.format, battlemap)}
    plan = HOST.plan_exports(HOST.open_game(mods), files, "user")
    assert not has_errors(plan.problems)
    commit_export(plan)
    (mods / "user" / "maps" / "random" / "dump.js").write_text(DUMP)
    found = played(home, "towns", "-autostart-size=128")
    placed = {rest[0]: rest[1:] for _number, *rest in found["entities"]}
    for thing in things:
        player, x, z, angle = placed[thing.kind]
        assert player == thing.owner
        assert (x, z) == pytest.approx(((thing.x + 0.5) * 4, (127.5 - thing.y) * 4), abs=1e-2)
        turn = math.remainder(angle - math.radians(thing.angle), math.tau)
        assert turn == pytest.approx(0, abs=1e-3)
    first, second = found["players"]
    assert (first["civ"], second["civ"]) == ("rome", "cart")
    assert (second["camera"]["x"], second["camera"]["z"]) == (360, 192)
    assert first["camera"] is None


def test_the_game_is_played_here_against_its_ai(home: Path) -> None:
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 128, 128), [Layer(1, "Ground")])
    centres = [
        Thing(number, f"structures/{civ}/civil_centre", 40.0 * number, 60.0, 45.0, number)
        for number, civ in ((1, "rome"), (2, "cart"))
    ]
    ThingsEdit(1, (), tuple(centres)).apply(battlemap)
    trigger = set_value(battlemap, SETTINGS, ("TriggerScripts",), ["random/dump.js"])
    assert trigger is not None
    trigger.apply(battlemap)
    launch = PLAYER.prepare(battlemap, None, home)
    (home / "data" / "0ad" / "mods" / "user" / "maps" / "random" / "dump.js").write_text(DUMP)
    result = dumped(home, launch.command, launch.environment)
    owners = {template: owner for _number, template, owner, *_rest in result["entities"]}
    assert {owners[thing.kind] for thing in centres} == {1, 2}
    assert [each["ai"] for each in result["players"]] == [False, True]


def put_scenario(home: Path, name: str, battlemap: BattleMap) -> Path:
    """Write a scenario, with the trigger script, into the mod; the folder."""
    folder = home / "data" / "0ad" / "mods" / "user" / "maps" / "scenarios"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dump.js").write_text(DUMP)
    edit = set_value(battlemap, SETTINGS, ("TriggerScripts",), ["scenarios/dump.js"])
    assert edit is not None
    edit.apply(battlemap)
    for file, data in write_files_checked(format_named("pmp"), battlemap, f"{name}.pmp").items():
        (folder / file).write_bytes(data)
    return folder


def test_the_game_plays_a_scenario_of_ours_and_refuses_a_cut_one(home: Path) -> None:
    fixed = finished_map(64, entities=60)
    names = dict(zip(sorted({each.template for each in fixed.entities}), TEMPLATES, strict=True))
    entities = tuple(
        replace(each, template=names[each.template], x=each.x / 2 + 16, z=each.z / 2 + 16)
        for each in fixed.entities
        if each.player <= PLAYERS
    )
    grounds = ("medit_grass_field_a", "medit_dirt")
    data = replace(fixed, entities=entities, texture_names=grounds, settings={})
    folder = put_scenario(home, "valley", map_of(data))
    found = played(home, "valley", folder="scenarios")
    assert found["edge"] == 64 * 4
    wanted = data.heights[16, ::4][: len(found["heights"])] / 92
    assert found["heights"] == pytest.approx(wanted.tolist(), abs=1e-3)
    by_id = {number: rest for number, *rest in found["entities"]}
    for entity in entities:
        template, player, x, z, angle = by_id[entity.id]
        assert (template, player) == (entity.template, entity.player)
        assert (x, z) == pytest.approx((entity.x * 4, entity.z * 4), abs=1e-2)
        assert math.remainder(angle - entity.angle, math.tau) == pytest.approx(0, abs=1e-3)
    (folder / "valley.pmp").write_bytes((folder / "valley.pmp").read_bytes()[:-10])
    shutil.rmtree(home / "config")
    with pytest.raises(AssertionError, match="Failed to load map"):
        played(home, "valley", folder="scenarios")


@pytest.mark.skipif(CORPUS is None, reason="the corpus is not there")
def test_the_game_plays_a_changed_scenario_of_its_own(home: Path) -> None:
    path = CORPUS / "pmp" / "combat_demo.pmp"
    battlemap = read_checked(format_named("pmp"), path.read_bytes(), str(path)).battlemap
    first = next(battlemap.visible_things())
    moved = change_things(battlemap, [replace(first, x=first.x + 2)])
    assert moved is not None
    moved.apply(battlemap)
    put_scenario(home, "combat", battlemap)
    found = played(home, "combat", folder="scenarios")
    by_id = {number: rest for number, *rest in found["entities"]}
    _rest, _settings, entities = read_scenario(path.with_suffix(".xml").read_bytes())
    templates = {
        int(uid): next(text for name, _attributes, text, _inner in parts if name == "Template")
        for uid, (_tag, _attributes, _text, parts) in entities.items()
    }
    alive = [number for number in templates if number in by_id]  # they fight at once
    assert len(alive) > 200
    assert all(by_id[number][0] == templates[number] for number in alive)
    uid, (_tag, _attributes, _text, parts) = next(iter(entities.items()))
    before = next(attributes for name, attributes, *_rest in parts if name == "Position")
    assert by_id[int(uid)][2] == pytest.approx(float(before["x"]) + 8, abs=2)
