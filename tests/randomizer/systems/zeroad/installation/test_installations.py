"""Installed games are found: those the user names, those in the usual places."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from randomizer.scripts import script_folders
from randomizer.systems.zeroad.installation.game_folders import VARIABLE, GameFolders, look_in
from randomizer.systems.zeroad.installation.installations import find_installations, mod_at
from tests.randomizer.systems.zeroad.given_places import GivenPlaces


@pytest.fixture(autouse=True)
def _only_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    look_in(GivenPlaces(tmp_path / "usual", user_mod=tmp_path / "user"))
    monkeypatch.delenv(VARIABLE, raising=False)


def game(place: Path, version: str = "0.0.26") -> Path:
    public = place / "mods" / "public"
    (public / "maps").mkdir(parents=True)
    said = {"name": "0ad", "version": version, "label": "0 A.D. Empires"}
    (public / "mod.json").write_text(json.dumps(said))
    (public / "public.zip").write_bytes(b"")
    return public


def test_nothing_is_found_where_nothing_is() -> None:
    assert find_installations() == ()


@pytest.mark.parametrize("below", ["", "data", "binaries/data", "Contents/Resources/data"])
def test_a_game_in_a_usual_place_is_found_by_its_version(below: str, tmp_path: Path) -> None:
    public = game(tmp_path / "usual" / below)
    (found,) = find_installations()
    assert found.name == "0 A.D. 0.0.26"
    assert [mod.path for mod in found.mods] == [public]
    assert found.read("mod.json") is not None
    assert found.read("maps/none.js") is None


@pytest.mark.parametrize("named", ["", "mods", "mods/public", "mods/public/public.zip"])
def test_the_variable_names_the_game_its_mod_or_its_zip(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = game(tmp_path / "game")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "game" / named))
    (found,) = find_installations()
    assert [mod.path for mod in found.mods] == [public]


def test_the_users_folders_come_first_and_none_comes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = game(tmp_path / "usual")
    new = game(tmp_path / "mine", "0.27.0")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "usual"))
    script_folders.choose_folders(lambda: [tmp_path / "mine", new, tmp_path / "gone"])
    try:
        assert [(each.name, each.mods[0].path) for each in find_installations()] == [
            ("0 A.D. 0.27.0", new),
            ("0 A.D. 0.0.26", old),
        ]
    finally:
        script_folders.choose_folders()


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('{"name": "delenda", "label": "Delenda Est", "version": "3"}', "Delenda Est 3"),
        ("[]", "own"),
        ("no JSON", "own"),
        ("[" * 100_000, "own"),
    ],
)
def test_a_mod_that_was_named_has_its_own_name(said: str, name: str, tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "maps").mkdir(parents=True)
    (own / "mod.json").write_text(said)
    script_folders.choose_folders(lambda: [own])
    try:
        assert [each.name for each in find_installations()] == [name]
        game(tmp_path / "usual")
        found, below = find_installations()
        assert [mod.path for mod in found.mods] == [below.mods[0].path, own]
    finally:
        script_folders.choose_folders()


def test_other_folders_and_files_are_no_mods(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("")
    assert mod_at(tmp_path) is None
    assert mod_at(tmp_path / "text.txt") is None
    assert mod_at(tmp_path / "none") is None
    (tmp_path / "own.zip").write_bytes(b"")
    assert mod_at(tmp_path / "own.zip") == tmp_path / "own.zip"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", "data/0ad/mods/user"),
        ("darwin", "home/Library/Application Support/0ad/mods/user"),
        ("win32", "home/Documents/My Games/0ad/mods/user"),
    ],
)
def test_the_users_own_mod_is_where_the_game_looks_for_it(
    platform: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)  # each asks this of Python
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert GameFolders().user_mod() == tmp_path / expected
    if platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", "relative")
        assert GameFolders().user_mod() == tmp_path / "home/.local/share/0ad/mods/user"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="games have other folders there")
def test_the_game_of_the_highest_version_in_a_folder_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("0ad-9", "0ad-0.0.26", "0ad-28", "0ad-10"):
        (tmp_path / name).mkdir()
    at_home = [folder.name for folder in GameFolders().games() if folder.parent == tmp_path]
    assert at_home == ["0ad-28", "0ad-10", "0ad-9", "0ad-0.0.26"]


@pytest.fixture
def _mods_of_a_test_go_with_it() -> Iterator[None]:
    yield
    script_folders.use_mods()


@pytest.mark.usefixtures("_mods_of_a_test_go_with_it")
def test_further_mods_go_over_every_game(tmp_path: Path) -> None:
    first = tmp_path / "first"
    second = tmp_path / "second"
    for mod in (first, second):
        (mod / "maps").mkdir(parents=True)
        (mod / "maps" / "a.json").write_text(mod.name)
    script_folders.use_mods([first, second, tmp_path / "no mod"])
    (alone,) = find_installations()
    assert alone.read("maps/a.json") == b"second"
    public = game(tmp_path / "usual")
    script_folders.use_mods([second, first, public])
    (found,) = find_installations()
    assert found.name == "0 A.D. 0.0.26"
    assert [mod.path for mod in found.mods] == [public, second, first]
