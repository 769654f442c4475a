"""The game's directory: what the game would find, in the order in which it looks."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problems import ProblemError
from randomizer.reading.archives import MAX_ENTRIES
from randomizer.storage.disk.file_names import fault_in_name
from randomizer.systems.colossus.game.directory import MAX_FOLDERS, GameDirectory, Variant
from randomizer.systems.colossus.game.finding import find_game
from randomizer.systems.colossus.game.jar import GameJar
from randomizer.systems.colossus.game.script_search import MAX_SCRIPTS
from randomizer.systems.colossus.game.variant import (
    DEFAULT_TERRAINS,
    battleland_file_name,
    new_var_file,
    read_ter_file,
    read_var_file,
)
from tests.randomizer.reading.zip_directories import write_directory
from tests.randomizer.systems.colossus.game_on_disk import (
    DEFAULT_VAR,
    DISK,
    JAR,
    battleland,
    make_files,
    make_game,
    make_jar,
    ter,
    var,
)


@pytest.fixture
def game(tmp_path: Path) -> GameDirectory:
    return GameDirectory.open(make_game(tmp_path / "game"))


def by_name(game: GameDirectory) -> dict[str, Variant]:
    return {variant.name: variant for variant in game.variants()}


def comes_from(game: GameDirectory, variant: str, terrain: str) -> str:
    data, found = game.read_map(variant, terrain)
    listed = game.variant(variant).terrain(terrain)
    assert listed is None or listed.file == found
    return data.decode().split('subtitle="')[1].split('"')[0]


# --- opening ------------------------------------------------------------------------------------


def test_the_directory_or_its_jar_can_be_opened(tmp_path: Path) -> None:
    root = make_game(tmp_path / "game")
    for path in (root, str(root), root / "Colossus.jar"):
        game = GameDirectory.open(path)
        assert game.root == root
        assert [jar.path.name for jar in game.jars] == ["Colossus.jar"]
        assert list(by_name(game)) == ["Default", "Badlands", "BadlandsJDG"]


def test_the_jar_is_found_among_very_many_files(tmp_path: Path) -> None:
    make_files(tmp_path, {f"{number}.txt": "" for number in range(MAX_FOLDERS)})
    make_jar(tmp_path / "Colossus.jar", JAR)
    assert "Badlands" in by_name(GameDirectory.open(tmp_path))


def test_a_directory_with_variants_only(tmp_path: Path) -> None:
    make_files(tmp_path, {"Mine/MineVar.xml": var("Mine")})
    game = GameDirectory.open(tmp_path)
    assert game.jars == ()
    assert list(by_name(game)) == ["Default", "Mine"]
    assert [terrain.name for terrain in by_name(game)["Mine"].slots] == list(DEFAULT_TERRAINS)


@pytest.mark.parametrize("what", ["nothing", "empty", "text", "jar", "other jar", "wrong prefix"])
def test_what_is_not_the_game_is_refused_in_words(tmp_path: Path, what: str) -> None:
    path = tmp_path / "here"
    if what == "empty":
        path.mkdir()
    elif what == "text":
        path.write_text("hello")
    elif what == "jar":
        path = make_jar(tmp_path / "other.jar", {"a/b.class": "x"})
    elif what == "other jar":
        make_jar(make_files(path, {"broken.jar": "no zip"}) / "other.jar", {"a/b.class": "x"})
    elif what == "wrong prefix":
        make_files(path, {"Mine/YoursVar.xml": var("Mine")})
    with pytest.raises(ProblemError) as caught:
        GameDirectory.open(path)
    assert caught.value.problems[0].code in ("no-game", "bad-archive")
    assert caught.value.problems[0].path == str(path)


# --- variants and terrains ----------------------------------------------------------------------


def test_terrains_come_from_the_ter_file_that_the_game_finds(game: GameDirectory) -> None:
    variants = by_name(game)
    assert [t.name for t in variants["Default"].slots] == ["Brush", "Plains", "Tower"]
    assert [t.name for t in variants["Badlands"].slots] == ["Plains", "Fort", "Dry Hills"]
    jdg = variants["BadlandsJDG"]
    assert jdg.search_folders == ("BadlandsJDG", "Badlands", "Default")
    assert [t.name for t in jdg.slots] == ["Plains", "Fort", "Dry Hills"]
    assert jdg.problems == ()
    assert jdg.terrain("Fort") == jdg.slots[1]
    assert jdg.terrain("fort") is None


def test_the_lookup_goes_through_the_variants_and_disk_beats_jar(game: GameDirectory) -> None:
    assert comes_from(game, "BadlandsJDG", "Plains") == "disk JDG"
    assert comes_from(game, "BadlandsJDG", "Fort") == "jar Badlands"
    assert comes_from(game, "BadlandsJDG", "Dry Hills") == "jar Badlands"
    assert comes_from(game, "BadlandsJDG", "Brush") == "jar Default"
    assert comes_from(game, "Badlands", "Plains") == "disk Default"
    assert comes_from(game, "Default", "Plains") == "disk Default"


def test_a_variants_jar_comes_before_another_variants_disk(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    make_files(root, {"Default/Battlelands/Fort.xml": battleland("disk Default")})
    assert comes_from(GameDirectory.open(root), "Badlands", "Fort") == "jar Badlands"


def test_places_are_told_in_words(game: GameDirectory) -> None:
    _, disk = game.read_map("Default", "Plains")
    _, jar = game.read_map("Default", "Brush")
    assert disk.text == str(game.root / "Default" / "Battlelands" / "Plains.xml")
    assert jar.text == "Default/Battlelands/Brush.xml in Colossus.jar"


def test_a_missing_battleland_is_seen_and_told(game: GameDirectory) -> None:
    tower = by_name(game)["Default"].terrain("Tower")
    assert tower is not None
    assert tower.file is None
    with pytest.raises(ProblemError, match="no battleland for “Tower”"):
        game.read_map("Default", "Tower")
    with pytest.raises(ProblemError, match="no variant"):
        game.read_map("Nowhere", "Tower")
    with pytest.raises(ProblemError, match="must not hold /"):
        game.read_map("Default", "../Default/Plains")


def test_names_shown_to_players_and_repeated_terrains() -> None:
    found = read_ter_file(
        b'<terrains><terrain name="HillsAlt" display_name="Hills"/><terrain name="Tower"/>'
        b'<terrain name="Tower" display_name="Again"/><terrain/><terrain name="../x"/></terrains>'
    )
    assert found.terrains == (("HillsAlt", "Hills"), ("Tower", "Tower"))
    assert [problem.code for problem in found.problems] == ["bad-name", "bad-name"]


def test_bad_files_of_a_variant_are_its_problems_and_break_no_list(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    evil = (
        '<terrain_recruits filename="../../secret.xml"/><depends><depend variant=".."/></depends>'
    )
    make_files(
        root,
        {
            "Broken/BrokenVar.xml": "<variant",
            "Bomb/BombVar.xml": '<!DOCTYPE v [<!ENTITY a "b">]><variant/>',
            "Huge/HugeVar.xml": "<variant>" + " " * 2_000_000 + "</variant>",
            "Evil/EvilVar.xml": var("Evil", evil),
            "Poor/PoorVar.xml": "<variant/>",
            "BadTer/BadTerVar.xml": var("BadTer", '<terrain_recruits filename="BadTerTer.xml"/>'),
            "BadTer/BadTerTer.xml": "<terrains>",
            "NoTer/NoTerVar.xml": var("NoTer", '<terrain_recruits filename="Gone.xml"/>'),
            "Empty/EmptyVar.xml": var("Empty", '<terrain_recruits filename="EmptyTer.xml"/>'),
            "Empty/EmptyTer.xml": "<terrains/>",
            ".hidden/.hiddenVar.xml": var("x"),
        },
    )
    variants = by_name(GameDirectory.open(root))
    codes = {
        name: sorted(problem.code for problem in variant.problems)
        for name, variant in variants.items()
        if variant.problems
    }
    assert codes == {
        "Broken": ["not-xml"],
        "Bomb": ["xml-entity"],
        "Huge": ["too-large"],
        "Evil": ["bad-name", "bad-name"],
        "Poor": ["no-creatures", "no-hint"],
        "BadTer": ["not-xml"],
        "NoTer": ["no-ter-file"],
        "Empty": ["no-terrains"],
    }
    assert all(variant.slots for variant in variants.values())
    assert ".hidden" not in variants
    assert variants["Broken"].problems[0].path == str(root / "Broken" / "BrokenVar.xml")


@given(st.binary(max_size=200))
def test_var_and_ter_files_of_random_bytes_never_raise(data: bytes) -> None:
    assert read_var_file(data).problems
    assert read_ter_file(data).problems


def test_the_var_file_that_we_write_is_one_that_the_game_takes() -> None:
    found = read_var_file(new_var_file("My&Lands"))
    assert found.problems == []
    assert found.depends == ()


# --- jars ---------------------------------------------------------------------------------------


def test_entries_of_a_jar_are_read_with_a_bound(tmp_path: Path) -> None:
    jar = GameJar(make_jar(tmp_path / "a.jar", {"big": b"\0" * 50_000_000, "small": "x"}))
    assert jar.path.stat().st_size < 100_000
    assert jar.read("small", 1) == b"x"
    with pytest.raises(ProblemError, match="more than 1,000 bytes"):
        jar.read("big", 1_000)
    with pytest.raises(ProblemError, match="is not in"):
        jar.read("gone", 1_000)


def test_a_jar_that_lies_about_a_size_or_is_damaged(tmp_path: Path) -> None:
    path = make_jar(tmp_path / "a.jar", {"big": bytes(range(256)) * 4_000})
    data = bytearray(path.read_bytes())
    size = (256 * 4_000).to_bytes(4, "little")
    for place in (data.find(size), data.rfind(size)):
        data[place : place + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ProblemError, match="cannot be read"):
        GameJar(path).read("big", 1_000)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ProblemError, match="no zip file"):
        GameJar(path).read("big", 1_000)
    with pytest.raises(ProblemError, match="cannot be read"):
        GameJar(tmp_path / "gone.jar").read("big", 1_000)


def test_a_locked_entry_is_a_problem(tmp_path: Path) -> None:
    path = make_jar(tmp_path / "a.jar", {"x": "secret"})
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag "encrypted" of the entry ...
    data[data.find(b"PK\x01\x02") + 8] |= 1  # ... and of the directory
    path.write_bytes(data)
    with pytest.raises(ProblemError, match="cannot be read"):
        GameJar(path).read("x", 1_000)


def test_a_jar_with_too_many_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="more than 50,000 files"):
        GameDirectory.open(write_directory(tmp_path / "a.jar", MAX_ENTRIES + 1))


def test_only_jars_with_variants_count(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    make_jar(root / "jdom.jar", {"org/jdom/x.class": "x"})
    (root / "Broken.jar").write_text("no zip")
    assert [jar.path.name for jar in GameDirectory.open(root).jars] == ["Colossus.jar"]


# --- pictures and scripts -----------------------------------------------------------------------


def test_pictures_follow_the_variant_and_png_comes_first(game: GameDirectory) -> None:
    assert game.picture("Bog") == b"GIF of Default"
    assert game.picture("Bog", "BadlandsJDG") == b"PNG of Badlands"
    assert game.picture("Slope", "Badlands") == b"GIF of Badlands"
    assert game.picture("Slope") is None
    assert game.picture("../Bog") is None
    make_files(game.root, {"Default/images/Slope_Hazard.png": "PNG on the disk"})
    assert game.picture("Slope") == b"PNG on the disk"


def test_a_huge_picture_is_refused(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    make_files(root, {"Default/images/Lake_Hazard.png": b"\0" * 5_000_001})
    with pytest.raises(ProblemError, match="more than 5,000,000 bytes"):
        GameDirectory.open(root).picture("Lake")


def test_scripts_below_the_directory_are_found(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    make_files(
        root,
        {
            "Random/Battlelands/Swamp.rnd": "",
            "mine.RND": "",
            "a/b/c/d/deep.rnd": "",
            "a/b/c/d/e/too_deep.rnd": "",
            ".hidden/x.rnd": "",
            ".y.rnd": "",
            "notes.txt": "",
        },
    )
    (root / "folder.rnd").mkdir()
    if os.name != "nt":
        (root / "loop").symlink_to(root)
    found = [path.relative_to(root).as_posix() for path in GameDirectory.open(root).scripts()]
    assert found == ["Random/Battlelands/Swamp.rnd", "a/b/c/d/deep.rnd", "mine.RND"]


def test_of_copies_of_a_script_only_the_first_is_found(tmp_path: Path) -> None:
    root = make_files(
        make_game(tmp_path),
        {"a/Beach.rnd": "TOWER", "b/Beach.rnd": "TOWER", "c/Beach.rnd": "", "c/Bay.rnd": ""},
    )
    found = [path.relative_to(root).as_posix() for path in GameDirectory.open(root).scripts()]
    assert found == ["a/Beach.rnd", "c/Bay.rnd", "c/Beach.rnd"]


def test_scripts_are_bounded(tmp_path: Path) -> None:
    root = make_files(make_game(tmp_path), {f"r/{n:03}.rnd": "" for n in range(MAX_SCRIPTS + 9)})
    assert len(GameDirectory.open(root).scripts()) == MAX_SCRIPTS


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_passed_over_or_told(tmp_path: Path) -> None:
    root = make_game(tmp_path)
    make_files(root, {"Shut/ShutVar.xml": var("Shut"), "Shut/x.rnd": ""})
    (root / "Default" / "Battlelands" / "Plains.xml").chmod(0)
    (root / "Shut").chmod(0)
    try:
        game = GameDirectory.open(root)
        assert "Shut" not in by_name(game)
        assert game.scripts() == ()
        with pytest.raises(ProblemError, match="permission is denied"):
            game.read_map("Default", "Plains")
    finally:
        (root / "Shut").chmod(0o700)


def test_a_directory_that_goes_away_or_cannot_be_asked(tmp_path: Path) -> None:
    root = make_game(tmp_path / "game")
    game = GameDirectory.open(root)
    _, found = game.read_map("Default", "Plains")
    found.path.unlink()
    with pytest.raises(ProblemError, match="no such file"):
        game.read(found)
    root.rename(tmp_path / "moved")
    assert [variant.name for variant in game.variants()] == ["Default", "Badlands"]
    assert game.scripts() == ()

    too_long = "x" * 300  # the system raises OSError for a file of this name
    in_jar = game.find((too_long, "Default"), "Plains.xml", "Battlelands")
    assert in_jar is not None
    assert in_jar.inside == "Default/Battlelands/Plains.xml"


def test_nothing_is_ever_written(tmp_path: Path) -> None:
    root = make_game(tmp_path / "game")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    game = GameDirectory.open(root)
    game.variants()
    game.read_map("Default", "Plains")
    game.scripts()
    game.picture("Bog")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Plains", "Dry Hills", "TG-ConceptI", "Größe", "a.b", "x" * 80])
def test_names_that_can_be(name: str) -> None:
    assert fault_in_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", ".", "..", "../x", "a/b", "a\\b", "C:", "a\0", "a\nb", "\x7f", ".hidden", "x."),
        *(
            "x ",
            " x",
            "con",
            "NUL.xml",
            "Com1",
            "lpt9 .x",
            "a*",
            "a?b",
            "x" * 81,
            "\ud800",
            "\u2028",
        ),
    ],
)
def test_names_that_cannot_be(name: str) -> None:
    assert fault_in_name(name) is not None


def test_blanks_become_underscores_in_the_file() -> None:
    assert battleland_file_name("Dry Hills") == "Dry_Hills.xml"


def test_the_made_up_jar_is_a_jar(tmp_path: Path) -> None:
    assert zipfile.is_zipfile(make_jar(tmp_path / "a.jar"))
    assert JAR["Default/DefaultVar.xml"] == DEFAULT_VAR
    assert "Plains" in ter("Plains")


@pytest.mark.parametrize(
    "chosen",
    [
        ".",
        "Colossus.jar",
        "Default",
        "Default/Battlelands",
        "Default/Battlelands/Plains.xml",
        "docs",
        "docs/tools.jar",
        "..",
    ],
)
def test_what_lies_near_the_game_finds_it(tmp_path: Path, chosen: str) -> None:
    root = make_game(tmp_path / "games" / "Colossus")
    make_files(root, {"docs/readme.txt": "", "Default/Battlelands/Plains.xml": ""})
    make_jar(root / "docs/tools.jar", {"a/b.class": "x"})
    found = find_game((root / chosen).resolve())
    assert found == (root / chosen if chosen == "Colossus.jar" else root)
    assert "Badlands" in [variant.name for variant in GameDirectory.open(found).variants()]


@pytest.mark.parametrize("chosen", [".", "core", "variants", "variants/Mine", "core/src/main"])
def test_a_folder_with_variants_below_or_beside_is_found(tmp_path: Path, chosen: str) -> None:
    make_files(tmp_path, {"core/src/main/Titan.java": "", "variants/Mine/MineVar.xml": var("Mine")})
    make_jar(tmp_path / "other.jar", {"a/b.class": "x"})
    found = find_game(tmp_path / chosen)
    assert found == tmp_path / "variants"
    assert [variant.name for variant in GameDirectory.open(found).variants()] == ["Default", "Mine"]


def test_the_jar_may_lie_in_a_folder_of_jars(tmp_path: Path) -> None:
    make_files(tmp_path, {"libs/readme.txt": ""})
    make_jar(tmp_path / "libs/core.jar", JAR)
    assert find_game(tmp_path) == tmp_path, "what is exported is read from where the game starts"
    game = GameDirectory.open(tmp_path)
    assert (game.root, [jar.path.name for jar in game.jars]) == (tmp_path, ["core.jar"])


def test_a_folder_with_battlelands_of_default_alone_is_taken_as_before(tmp_path: Path) -> None:
    make_files(tmp_path, {"Default/Battlelands/Plains.xml": ""})
    assert find_game(tmp_path) == tmp_path


@pytest.mark.parametrize("var_file", ["missing", "empty"])
@pytest.mark.parametrize("chosen", [".", "Default", "Default/Battlelands", ".."])
def test_a_game_without_a_filled_var_file_is_found_from_near_it(
    tmp_path: Path, chosen: str, var_file: str
) -> None:
    root = tmp_path / "games" / "Colossus"
    (root / "Default" / "Battlelands").mkdir(parents=True)
    if var_file == "empty":
        (root / "Default" / "DefaultVar.xml").touch()
    assert find_game((root / chosen).resolve()) == root


def test_the_game_is_found_among_very_many_files(tmp_path: Path) -> None:
    for number in range(301):
        (tmp_path / f"file-{number}").touch()
    root = make_game(tmp_path / "games")
    assert find_game(tmp_path) == root


def test_several_games_are_named(tmp_path: Path) -> None:
    for name in ("Colossus-13", "Colossus-14"):
        make_files(tmp_path / name, DISK)
        make_jar(tmp_path / name / "Colossus.jar", JAR)
    with pytest.raises(ProblemError, match="Colossus-13, Colossus-14"):
        find_game(tmp_path)


@pytest.mark.parametrize("what", ["empty", "text", "other jar", "deep"])
def test_where_no_game_is_near_it_is_said_what_to_choose(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a" / "b" / "c" / "d"
    path.mkdir(parents=True)
    if what == "text":
        path = path / "notes.txt"
        path.write_text("hello")
    elif what == "other jar":
        path = make_jar(path / "other.jar", {"a/b.class": "x"})
    elif what == "deep":
        make_game(path / "1" / "2" / "3" / "Colossus")
    with pytest.raises(ProblemError, match=r"holds Colossus\.jar, the jar itself, or") as caught:
        find_game(path)
    assert caught.value.problems[0].code == "no-game"


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    make_game(tmp_path / "game")
    with pytest.raises(ProblemError, match="cannot be opened"):
        find_game(tmp_path / "game" / "gone")
