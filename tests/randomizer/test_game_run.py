"""Games played in scratch folders: started apart from this program, and cleaned up after.

Stand-ins on the path tell what they were given; the real 0 A.D. is in its own tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from randomizer.catalog.systems import game_host, game_hosts, game_player, system_named
from randomizer.game_run import PREFIX, GameRun
from randomizer.games.player import Launch
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.things.things import Thing
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.xconq.mapfile.reader import read_with
from tests.randomizer.systems.colossus.game_on_disk import JAR, make_jar
from tests.randomizer.systems.colossus.stand_in_java import put_java
from tests.randomizer.systems.xconq.game.test_library_game import MAP, PERIOD_TEXT


@pytest.fixture
def scratches(temporary_folder: Path, monkeypatch) -> Path:
    """The folder in which scratch folders are made; there is a display."""
    monkeypatch.setenv("DISPLAY", ":0")
    return temporary_folder


def python(code: str) -> Launch:
    return Launch((sys.executable, "-c", code), "", "", {"MARK": "yes"})


def ended(run: GameRun) -> None:
    """Wait for the end of a game, and let it be noticed."""
    assert run.process is not None
    run.process.wait()
    assert not run.poll()


@pytest.fixture
def waiting(scratches: Path) -> Iterator[GameRun]:
    """A game that goes on until the file ``end`` lies in its folder."""
    run = GameRun()
    code = "import os, time\nwhile not os.path.exists('end'): time.sleep(0.01)"
    run.start(python(code))
    yield run
    if run.folder.exists():
        (run.folder / "end").touch()
        ended(run)


def test_a_game_runs_in_its_folder_which_goes_when_it_has_ended(scratches: Path) -> None:
    run = GameRun()
    assert run.folder.parent == scratches
    told = scratches / "told"
    code = f"open({str(told)!r}, 'w').write(os.getcwd() + os.environ['MARK'])"
    run.start(python(f"import os; {code}"))
    ended(run)
    assert told.read_text() == f"{run.folder}yes"
    assert not run.folder.exists()


def test_a_game_is_of_no_session_and_its_folder_is_in_use(waiting: GameRun) -> None:
    assert waiting.poll()
    assert os.getsid(waiting.process.pid) == waiting.process.pid
    other = GameRun()
    assert waiting.folder.exists()
    other.remove()
    assert list(waiting.folder.parent.iterdir()) == [waiting.folder]


def test_a_game_outlives_the_program_and_the_next_one_removes_its_folder(scratches: Path) -> None:
    """The lock is the game's: it is held although the program that made it has ended."""
    code = (
        "import sys, tempfile; from randomizer.game_run import *\n"
        f"tempfile.tempdir = {str(scratches)!r}; run = GameRun()\n"
        "run.start(Launch((sys.executable, '-c', 'import sys; sys.stdin = open(\"../pipe\"); "
        "input()'), '', ''))\n"
        "print(run.folder)"
    )
    os.mkfifo(scratches / "pipe")
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = Path(told.stdout.strip())
    GameRun().remove()
    assert folder.exists()
    with (scratches / "pipe").open("w") as pipe:  # the game goes on, and ends
        pipe.write("\n")
    while folder.exists():
        GameRun().remove()


def test_what_goes_wrong_is_told_and_leaves_nothing(scratches: Path, monkeypatch) -> None:
    run = GameRun()
    run.start(python("import sys; print('java.awt.HeadlessException: no X11'); sys.exit(1)"))
    with pytest.raises(ProblemError, match="HeadlessException: no X11"):
        ended(run)
    run = GameRun()
    run.start(python("import os; os._exit(3)"))
    with pytest.raises(ProblemError, match="status was 3"):
        ended(run)
    run = GameRun()
    with pytest.raises(ProblemError, match="cannot be started"):
        run.start(Launch((str(scratches / "nothing"),), "", ""))
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(ProblemError, match="no display"):
        run.start(python(""))
    run.remove()
    assert list(scratches.glob(f"{PREFIX}*")) == []


# --- the games ------------------------------------------------------------------------------------


def player_of(name: str):
    host = game_host(system_named(name))
    assert host is not None
    player = game_player(host)
    assert player is not None
    return player


def test_without_a_game_every_player_says_what_is_missing(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    missing = {"colossus": "Java", "zeroad": "0 A.D. is not installed", "xconq": "Xconq is not"}
    for host in game_hosts():
        assert missing[host.system] in player_of(host.system).why_not(tmp_path)
    assert "Choose the directory" in player_of("colossus").why_not(None)
    monkeypatch.setattr(sys, "platform", "darwin")  # a Mac, where the game is not asked for
    assert "your own folders" in player_of("zeroad").why_not(None)


@pytest.fixture
def colossus(tmp_path: Path, monkeypatch) -> Path:
    """The directory of the game; Java writes down what it was given."""
    (tmp_path / "game").mkdir()
    make_jar(tmp_path / "game" / "Colossus.jar", JAR)
    put_java(tmp_path / "bin", tmp_path / "told", "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "game"


def test_colossus_fights_on_the_battleland_with_the_player_as_attacker(
    colossus: Path, scratches: Path
) -> None:
    battlemap = BattleMap.new(system_named("colossus"), layers=[Layer(1, "Ground")])
    player = player_of("colossus")
    assert player.why_not(colossus) == ""
    before = sorted(colossus.rglob("*"))
    run = GameRun()
    launch = player.prepare(battlemap, colossus, run.folder)
    assert "you attack from side Right," in launch.summary
    assert str(colossus / "Colossus.jar") in launch.program
    save = (run.folder / "battle.xml").read_text()
    assert 'name="Attacker" type="net.sf.colossus.ai.Human"' in save
    assert 'name="Defender" type="net.sf.colossus.ai.SimpleAI"' in save
    run.start(launch)
    ended(run)
    ((arguments, files, board, folder),) = map(
        json.loads, (colossus.parent / "told").read_text().splitlines()
    )
    assert folder == str(run.folder)
    assert f"-Duser.home={folder}/home" in arguments
    assert not any("headless" in argument or "stressTest" in argument for argument in arguments)
    assert {"Default/Battlelands/Plains.xml", "battle.xml"} <= set(files)
    assert "battlemap" in board
    assert sorted(colossus.rglob("*")) == before


@pytest.mark.parametrize("slopes", [("F3",), ("A1", "F3"), ("A1", "A3", "F3")])
def test_colossus_is_not_started_where_it_would_hang(
    colossus: Path, scratches: Path, slopes: tuple[str, ...]
) -> None:
    """With slopes at the rim of one, two or all sides from which attackers and defenders come."""
    system = system_named("colossus")
    battlemap = BattleMap.new(system, layers=[Layer(1, "Ground")])
    for label in slopes:
        number = HEX_OF_LABEL[label]
        rim = [CELL_OF_HEX[number] * 6 + at for at in range(6) if NEIGHBOURS[number][at] < 0]
        set_values(battlemap, 1, "hexside", rim, system.terrain_set.hexside_code("s")).apply(
            battlemap
        )
    run = GameRun()
    if len(slopes) == 3:
        with pytest.raises(ProblemError, match="would hang: A"):
            player_of("colossus").prepare(battlemap, colossus, run.folder)
    else:
        launch = player_of("colossus").prepare(battlemap, colossus, run.folder)
        assert f"side {('Bottom', 'Left')[len(slopes) - 1]}," in launch.summary
    run.remove()


def test_zeroad_plays_the_map_as_a_script_in_a_mod_of_the_scratch_folder(
    scratches: Path, tmp_path: Path, monkeypatch
) -> None:
    put_program(tmp_path / "bin" / "pyrogenesis")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    player = player_of("zeroad")
    system = system_named("zeroad")
    assert player.why_not(None) == ""
    battlemap = BattleMap.new(system, layers=[Layer(1, "Ground")])
    things = (Thing(1, "structures/rome/fortress", 3.0, 3.0, 0.0, 3),)
    ThingsEdit(1, (), things).apply(battlemap)
    run = GameRun()
    launch = player.prepare(battlemap, None, run.folder)
    scripts = run.folder / "data" / "0ad" / "mods" / "user" / "maps" / "random"
    assert "rome/fortress" in (scripts / "play_here.js").read_text()
    options = launch.command[1:]
    assert "-autostart=random/play_here" in options
    assert "-autostart-players=3" in options
    assert [option for option in options if "-ai=" in option] == [
        "-autostart-ai=2:petra",
        "-autostart-ai=3:petra",
    ]
    homes = {f"XDG_{kind}_HOME" for kind in ("DATA", "CONFIG", "CACHE")}
    assert {Path(launch.environment[home]).parent for home in homes} == {run.folder}
    run.start(launch)
    ended(run)


def test_xconq_plays_a_mapfile_of_the_scratch_folder(
    scratches: Path, tmp_path: Path, monkeypatch
) -> None:
    put_program(tmp_path / "bin" / "xconq")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    player = player_of("xconq")
    assert player.why_not(None) == ""
    (tmp_path / "kinds.per").write_text(PERIOD_TEXT)
    text = f"Xconq 1 --+--+ Landing\nkinds.per\n{MAP}Units 1 1 0\ni * 1,1 -1\n"
    battlemap = read_with(text.encode(), str(tmp_path / "landing.scn")).battlemap
    run = GameRun()
    program, name = player.prepare(battlemap, None, run.folder).command
    assert Path(program).name == "xconq"
    assert "Two kinds" in (run.folder / name).read_text()
    run.remove()


def put_program(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n")
    path.chmod(0o755)


def test_a_game_that_was_seen_to_end_can_be_asked_about_again(scratches: Path) -> None:
    run = GameRun()
    run.start(python("pass"))
    ended(run)
    assert not run.poll()
