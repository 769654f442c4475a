"""Other packages: found by one entry point, looked for only when asked, faults kept apart."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from randomizer import installed
from randomizer.batches.counts import measures_of
from randomizer.catalog.file_kinds import is_script
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generator_named
from randomizer.catalog.map_formats import format_named, preferred_format
from randomizer.catalog.scripts import script_host
from randomizer.catalog.systems import system_named, systems
from randomizer.languages.language import Language, SourceText
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from tests.test_system.installing import ROOT, environment, on_path, register
from tests.test_system.map_file import TILES


def test_a_package_brings_its_system_generators_scripts_and_formats(testsys) -> None:
    assert system_named("testsys") is testsys
    assert systems()[-1] is testsys
    moor = generator_named("MOOR")
    assert moor is not None
    assert moor.system is testsys
    assert preferred_format(testsys) is format_named("tiles") is TILES
    data = TILES.write(BattleMap.new(testsys))
    assert format_for(data, "no suffix") is format_for(b"?", "Some.tiles") is TILES
    assert installed.problems() == ()


def test_a_script_host_may_have_several_suffixes_and_a_language_that_knows_little(
    testsys,
) -> None:
    host = script_host("Some.TLX")
    assert host is script_host("Some.tll")
    assert "ground" in host.language.keywords
    assert host.further_names("", "Some.tll") == ("Some.json",)
    assert not host.language.offers(Language.completions)
    assert host.language.completions(SourceText("gro"), 1, 4) == ()
    assert is_script("Some.tlx")
    assert not is_script("Some.tiles")


def test_without_the_package_nothing_of_it_is_known() -> None:
    assert system_named("testsys") is None
    assert not is_script("Some.tll")
    with pytest.raises(ProblemError, match=r"no system has scripts that end in \.tll"):
        script_host("Some.tll")


BROKEN = {
    "gone": (None, "ModuleNotFoundError"),
    "halved": ('PROTOCOL = 2\nSYSTEMS = ("no_such_module_either:X",)', "no_such_module_either"),
    "raising": ("1 / 0", "ZeroDivisionError"),
    "ending": ("raise SystemExit(3)", "SystemExit: 3"),
    "older": ('PROTOCOL = 0\nSYSTEMS = ("older:X",)', "is for PROTOCOL 0, and this program has"),
    "silent": ('SYSTEMS = ("silent:X",)', "names no PROTOCOL"),
    "single": ('PROTOCOL = 2\nFORMATS = ("single:X")', "FORMATS is a text, not a list of texts"),
    "lacking": ('PROTOCOL = 2\nFORMATS = ("lacking:PROTOCOL",)', "has no attribute 'name'"),
    "barren": (
        'PROTOCOL = 2\nGENERATORS = ("barren",)\ndef packaged(): raise KeyError("seed")',
        "KeyError: 'seed'",
    ),
    "bare": (
        "PROTOCOL = 2\nFORMATS = ('bare:ME',)\nclass ME:\n"
        "    name = title = suffixes = largest = recognises = read = write = check = ''",
        "has no attribute 'systems'",
    ),
    "sketched": (
        "PROTOCOL = 2\nSYSTEMS = ('sketched:ME',)\nclass ME:\n"
        "    name = title = planes = terrain_set = new_grid = ''",
        "has no attribute 'hexside'",
    ),
    "mixed": (
        'PROTOCOL = 2\nGENERATORS = ("mixed",)\ndef packaged(): return (5,)',
        "'int' object has no attribute",
    ),
    "picky": (
        "from tests.test_system.map_file import Tiles\nPROTOCOL = 2\nFORMATS = ('picky:ME',)\n"
        "class Picky(Tiles):\n    suffixes = ('.pick',)\n"
        "    def recognises(self, data): return data[9]\nME = Picky()",
        "IndexError",
    ),
    "unmeasured": (
        'PROTOCOL = 2\nMEASURES = ("unmeasured:of",)\ndef of(system): return ()',
        "TypeError: of() takes 1 positional argument",
    ),
}
"""What stands in the module of the entry point, and what is said of it."""


@pytest.fixture
def faults() -> Iterator[list[BaseException]]:
    """What parts of packages raise while a test runs."""
    faults = list[BaseException]()
    others = list(installed.listeners)  # of the desk, where its tests ran in this process
    installed.listeners[:] = [faults.append]
    yield faults
    installed.listeners[:] = others


def test_a_package_that_cannot_be_used_is_named_and_hinders_nobody(
    tmp_path: Path, faults: list[BaseException]
) -> None:
    folder = register(tmp_path)
    for name, (text, _words) in BROKEN.items():
        register(folder, name, name)
        if text is not None:
            (folder / f"{name}.py").write_text(text, "utf-8")
    with on_path(folder):
        assert system_named("testsys") is not None
        moor = generator_named("Moor")
        assert moor is not None
        assert measures_of(moor)
        assert format_for(b"{", "a.tiles") is TILES
        messages = [problem.message for problem in installed.problems()]
        for name, (_text, words) in BROKEN.items():
            (message,) = [each for each in messages if f"package “{name}”" in each]
            assert words in message
        assert len(messages) == len(BROKEN)
        assert {type(fault) for fault in faults} == {
            KeyError,
            IndexError,
            TypeError,
            AttributeError,
        }
        assert faults[0].__notes__ == ["“barren” of the package “barren” was left out"]
        assert installed.describe_packages() == (
            "Extensions of protocol 2: bare 1.0, barren 1.0, halved 1.0, lacking 1.0, mixed 1.0, "
            "picky 1.0, sketched 1.0, testsys 1.0, unmeasured 1.0."
        )


@pytest.mark.usefixtures("frozen")
def test_the_program_that_needs_no_python_says_that_it_has_no_extensions() -> None:
    assert installed.describe_packages().startswith("Extensions need Battlelands Builder installed")


# --- in a process of its own ----------------------------------------------------------------------


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line, for which the packages of a folder are installed."""
    return subprocess.run(
        [sys.executable, "-m", "randomizer", *words],
        env=environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.deep
def test_the_command_line_rolls_maps_of_an_installed_system(tmp_path: Path) -> None:
    register(tmp_path)
    done = run(tmp_path, "roll", "Moor", "--seed", "3", "--out", "a.tiles")
    assert (done.returncode, done.stderr) == (0, "")
    again = run(tmp_path, "roll", "moor", "--seed", "3")
    assert again.stdout == (tmp_path / "a.tiles").read_text("utf-8")
    assert run(tmp_path, "convert", "a.tiles", "b.battlemap").returncode == 0
    assert run(tmp_path, "show", "b.battlemap", "--format", "tiles").stdout == again.stdout
    assert "Test land map" in run(tmp_path, "list").stdout


@pytest.mark.deep
def test_the_command_line_exports_to_a_game_with_one_level_of_places(tmp_path: Path) -> None:
    register(tmp_path)
    game = tmp_path / "game"
    (game / "maps").mkdir(parents=True)
    (game / "testland.cfg").touch()
    assert run(tmp_path, "roll", "Moor", "--seed", "3", "--out", "a.tiles").returncode == 0
    done = run(tmp_path, "export", "a.tiles", "--game", "game", "--variant", "x", "--map", "Bog")
    assert (done.returncode, "Test game has no places for --variant" in done.stderr) == (2, True)
    done = run(tmp_path, "export", "a.tiles", "--game", "game", "--map", "Bog", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert (game / "maps" / "Bog.tiles").read_bytes() == (tmp_path / "a.tiles").read_bytes()
    back = run(tmp_path, "export", "--take-back", "--game", "game", "--yes")
    assert "Taken back: the export of Bog, " in back.stdout
    assert list((game / "maps").iterdir()) == []


def test_the_command_line_says_which_package_is_broken(tmp_path: Path) -> None:
    register(tmp_path, "gone", "no_such_module_at_all")
    done = run(tmp_path, "list")
    assert done.returncode == 0
    assert "warning" in done.stderr
    assert "“gone”" in done.stderr


COUNTED = """
import importlib.metadata, sys
found = importlib.metadata.entry_points
def counted(**names):
    print("looked", file=sys.stderr)
    return found(**names)
importlib.metadata.entry_points = counted
from randomizer.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("words", "looks"),
    [
        (("roll", "Swamp", "--seed", "1"), 0),
        (("check", "a.rnd"), 0),
        (("show", "a.xml"), 0),
        (("list",), 1),
    ],
)
def test_own_names_look_at_no_other_package(
    tmp_path: Path, words: tuple[str, ...], looks: int
) -> None:
    register(tmp_path)
    (tmp_path / "a.rnd").write_text("TOWER\n", "utf-8")
    (tmp_path / "a.xml").write_text('<battlemap terrain="Moor" tower="False"/>\n', "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *words],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0
    assert done.stderr.count("looked") == looks


def test_the_test_system_is_not_in_the_wheel() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = about["tool"]["setuptools"]["packages"]
    assert {name.partition(".")[0] for name in packages} == {"app", "randomizer"}
    assert "entry-points" not in about["project"]
