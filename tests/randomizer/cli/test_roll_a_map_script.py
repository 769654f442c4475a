"""Random map scripts of 0 A.D. on the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from randomizer.scripts.script_time import script_time_limit
from randomizer.systems.zeroad.engine.child_process import has_engine
from tests.randomizer.cli.conftest import Run

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(not has_engine(), reason="needs mini-racer")

SCRIPT = """\
Engine.LoadLibrary("flat");
log("of " + g_MapSettings.Size + " tiles");
if (g_MapSettings.Seed % 3 == 1)
	throw new Error("an unlucky seed");
Engine.ExportMap(flatMap(g_MapSettings.Size, 2116 + g_MapSettings.Seed));
"""

LIBRARY = """\
function flatMap(size, height)
{
	return {
		"size": size,
		"height": new Uint16Array((size + 1) ** 2).fill(height),
		"seaLevel": 20.0,
		"textureNames": ["grass"],
		"tileData": { "index": new Uint16Array(size ** 2), "priority": new Uint16Array(size ** 2) },
		"entities": []
	};
}
"""


@pytest.fixture
def map_script(tmp_path: Path) -> Path:
    """A script in a folder; its library is in a mod."""
    library = tmp_path / "mod" / "maps" / "random" / "flat"
    library.mkdir(parents=True)
    (library / "flat.js").write_text(LIBRARY)
    folder = tmp_path / "scripts"
    folder.mkdir()
    said = {"Name": "Flat", "Script": "flat_land.js", "Description": "Flat", "CircularMap": False}
    (folder / "flat_land.json").write_text(json.dumps({"settings": said}))
    (folder / "flat_land.js").write_text(SCRIPT)
    return folder / "flat_land.js"


@pytest.fixture
def asked(map_script: Path) -> tuple[object, ...]:
    return ("--mod", map_script.parent.parent / "mod", "--set", "Size=128", "--set", "Players=2")


@pytest.mark.parametrize("suffix", [".js", ".json"])
def test_a_script_or_its_metadata_is_rolled(
    randomizer: Run, map_script: Path, asked: tuple[object, ...], tmp_path: Path, suffix: str
) -> None:
    out = tmp_path / "map.json"
    path = map_script.with_suffix(suffix)
    said = randomizer("roll", path, *asked, "--seed", 2, "--number", 3, "--out", out)
    assert said.code == 0
    assert "log: of 128 tiles\n" in said.err
    made = json.loads(out.read_text())
    assert made["size"] == 128
    assert set(made["height"]) == {2116 + 2 + 3}
    assert len(made["settings"]["PlayerData"]) == 3
    assert randomizer("check", path, out).code == 0


def test_a_roll_names_the_metadata_file_that_was_rolled(
    randomizer: Run, map_script: Path, asked: tuple[object, ...], tmp_path: Path
) -> None:
    """A script may have several metadata files; the one that has its name is not to blame."""
    variant = map_script.with_name("variant.json")
    metadata = json.loads(map_script.with_suffix(".json").read_text())
    metadata["settings"]["PlayerData"] = [{"Civ": "athen", "AI": 3}]
    variant.write_text(json.dumps(metadata))
    rolled = randomizer("roll", variant, *asked, "--seed", 2, "--out", tmp_path / "map.json")
    message = '"AI" is a text, not 3'
    assert message in rolled.err
    checked = randomizer("check", variant)
    place = next(line for line in checked.out.decode().splitlines() if message in line)
    assert place.startswith(f"{variant}:")
    assert place in rolled.err.splitlines()


@pytest.mark.parametrize("name", ["FLAT", "flat_land"])
def test_a_script_of_an_installed_game_is_rolled_by_its_name(
    randomizer: Run,
    map_script: Path,
    asked: tuple[object, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    random = tmp_path / "game" / "mods" / "public" / "maps" / "random"
    shutil.copytree(map_script.parent, random)
    monkeypatch.setenv("ZEROAD_DATA", str(tmp_path / "game"))
    out = tmp_path / "map.json"
    assert randomizer("roll", name, *asked, "--seed", 2, "--out", out).code == 0
    assert json.loads(out.read_text())["settings"]["Script"] == "flat_land.js"
    assert "did you mean Hills?" in randomizer("roll", "Hils").err


@pytest.mark.parametrize(("out", "stem"), [("", "flat_land"), ("map.json", "map")])
def test_seeds_that_fail_are_reported_and_the_others_rolled(
    randomizer: Run,
    map_script: Path,
    asked: tuple[object, ...],
    tmp_path: Path,
    out: str,
    stem: str,
) -> None:
    maps = tmp_path / "maps"
    maps.mkdir()
    said = randomizer("roll", map_script, *asked, "--seed", 2, "--count", 4, "--out", maps / out)
    assert said.code == 1
    assert sorted(each.name for each in maps.iterdir()) == [
        f"{stem}-2-{number}.json" for number in (0, 1, 3)
    ]
    assert "map 2 of seed 2 could not be made\n" in said.err
    assert f"{map_script}:4:8: error: " in said.err
    for number in (0, 1, 3):
        alone = tmp_path / "alone.json"
        asked_for = ("--seed", 2, "--number", number, "--out", alone)
        assert randomizer("roll", map_script, *asked, *asked_for).code == 0
        assert alone.read_bytes() == (maps / f"{stem}-2-{number}.json").read_bytes()


COUNTS = "for (;;);"
ASKS = "for (;;) Engine.FileExists('maps/a.js');"


@pytest.mark.parametrize(
    ("words", "loop"),
    [
        (("roll",), COUNTS),
        pytest.param(("odds",), ASKS, marks=pytest.mark.deep),
        pytest.param(
            ("find", "--where", "share(medit_dirt) > 1 %"), COUNTS, marks=pytest.mark.deep
        ),
    ],
    ids=["roll", "odds", "find"],
)
def test_a_script_that_uses_up_its_processor_time_is_stopped(
    randomizer: Run, tmp_path: Path, words: tuple[str, ...], loop: str
) -> None:
    script = tmp_path / "endless.js"
    script.write_text(f"Engine.SetProgress(40);\n{loop}\n")
    said = randomizer(words[0], script, "--time-limit", 1, "--seed", 3, *words[1:])
    assert said.code == 1
    assert said.err.endswith(
        f"{script}: error: the script was stopped: it used 1 s of processor time (at 40 %); "
        "--time-limit SECONDS gives it more\n"
    )
    assert script_time_limit() is None, "the limit is that of the command alone"


@pytest.mark.parametrize(
    ("example", "version"),
    [
        ("Engine.LoadLibrary('rmgen');", "0.26"),
        ("function* GenerateMap(mapSettings)", "0.27"),
        ("export function* generateMap(mapSettings)", "0.28"),
    ],
)
def test_a_map_is_converted_into_a_script_for_the_installed_game(
    randomizer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str, version: str
) -> None:
    game = tmp_path / "game"
    mainland = game / "mods" / "public" / "maps" / "random" / "mainland.js"
    mainland.parent.mkdir(parents=True)
    mainland.write_text(example)
    monkeypatch.setenv("ZEROAD_DATA", str(game))
    made = tmp_path / "made.json"
    script = tmp_path / "script.js"
    options = ("--set", "Size=128", "--seed", 2)
    assert randomizer("roll", "islands", *options, "--out", made).code == 0
    assert randomizer("convert", made, script).code == 0
    assert f"for 0 A.D. {version}.\n" in script.read_text()
    assert randomizer("roll", "islands", *options, "--out", tmp_path / "rolled.js").code == 0
    assert (tmp_path / "rolled.js").read_bytes() == script.read_bytes()


@pytest.mark.parametrize("style", ["script-0.26", "script-0.27", "script-0.28"])
def test_a_finished_map_is_a_script_that_makes_this_map(
    randomizer: Run, map_script: Path, asked: tuple[object, ...], tmp_path: Path, style: str
) -> None:
    made = tmp_path / "made.json"
    pair = tmp_path / "pair.js"
    assert randomizer("roll", map_script, *asked, "--seed", 2, "--out", made).code == 0
    assert randomizer("convert", made, pair, "--to", style).code == 0
    for path in (pair, pair.with_suffix(".json")):
        again = tmp_path / "again.json"
        other = ("--set", "Size=256", "--set", "Players=4", "--seed", 5)
        assert randomizer("roll", path, *other, "--out", again).code == 0
        first, second = (json.loads(each.read_text()) for each in (made, again))
        assert first.pop("settings") != second.pop("settings")
        assert first == second


@pytest.mark.skipif(os.name == "nt", reason="signals are otherwise there")
def test_ctrl_c_ends_an_endless_script_and_leaves_no_child(tmp_path: Path) -> None:
    path = tmp_path / "endless.js"
    path.write_text("function* GenerateMap() { yield 1; for (;;); }")
    if not Path("/proc/self/task").is_dir():
        pytest.skip("this system has no /proc")
    started = subprocess.Popen(
        [sys.executable, "-m", "randomizer", "roll", str(path), "--seed", "1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # A shell starts what goes to the background, tests too, deaf to Ctrl+C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    task = Path(f"/proc/{started.pid}/task/{started.pid}/children")
    deadline = time.monotonic() + 30
    while not (child := task.read_text().split()) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.5)  # the script runs
    started.send_signal(signal.SIGINT)
    try:
        _, err = started.communicate(timeout=30)
    finally:
        started.kill()
    assert (started.returncode, err) == (130, b"")
    assert child
    while any(runs(each) for each in child):  # the system ends it when it comes to it
        assert time.monotonic() < deadline + 30, "it still runs"
        time.sleep(0.02)


def runs(process: str) -> bool:
    """Whether the process of this number runs."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_name_that_the_game_has_too_is_told_and_a_prefix_names_one(
    randomizer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "game" / "mods" / "public" / "maps" / "random"
    (folder / "flat").mkdir(parents=True)
    (folder / "flat" / "flat.js").write_text(LIBRARY)
    (folder / "islands.js").write_text(SCRIPT)
    said = {"Name": "Islands", "Script": "islands.js", "Description": "Flat", "CircularMap": False}
    (folder / "islands.json").write_text(json.dumps({"settings": said}))

    def roll(name: str) -> tuple[bytes, str]:
        made = randomizer("roll", name, "--set", "Size=128", "--seed", 2)
        assert made.code == 0, made.err
        return made.out, made.err

    before = roll("islands")
    assert before[1] == "", "no game is installed"
    monkeypatch.setenv("ZEROAD_DATA", str(tmp_path / "game"))
    ours, said_of_both = roll("islands")
    assert ours == before[0]
    words = "builder:islands, which is packaged; 0ad:islands names that of the game\n"
    assert said_of_both == words
    assert roll("Builder:Islands") == (ours, "")
    theirs, said_of_theirs = roll("0ad:islands")
    assert theirs != ours
    assert "of 128 tiles" in said_of_theirs
    assert randomizer("roll", "0ad:nowhere", "--seed", 2).code == 1
