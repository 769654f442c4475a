"""The scripts of installed games and of the user's own mod are listed by their metadata."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from randomizer.model.problems import Problem, ProblemError
from randomizer.scripts import script_folders
from randomizer.systems.zeroad.installation.game_folders import look_in
from randomizer.systems.zeroad.installation.listing import FoundScript, listed_scripts
from randomizer.systems.zeroad.installation.mod_paths import PREVIEWS
from randomizer.systems.zeroad.installation.preview_picture import colour_png
from tests.randomizer.systems.zeroad.given_places import GivenPlaces, find_games_only_in

PREVIEW = colour_png(np.zeros((512, 512, 3), np.uint8))


@pytest.fixture(autouse=True)
def _only_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find_games_only_in(tmp_path, monkeypatch)


def written(mod: Path, **settings: dict[str, object] | str) -> None:
    for stem, said in settings.items():
        path = mod / f"maps/random/{stem}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said if isinstance(said, str) else json.dumps({"settings": said}), "utf-8")


def game(place: Path) -> Path:
    mod = place / "game" / "mods" / "public"
    mod.mkdir(parents=True)
    (mod / "mod.json").write_text('{"name": "0ad", "version": "0.0.26"}')
    return mod


def scripts() -> list[FoundScript]:
    return [
        listed_script
        for listed_script in listed_scripts()
        if isinstance(listed_script, FoundScript)
    ]


def test_nothing_is_listed_where_nothing_is_installed() -> None:
    assert list(listed_scripts()) == []


def test_a_user_s_mod_that_cannot_be_has_no_scripts(tmp_path: Path) -> None:
    look_in(GivenPlaces(user_mod=tmp_path / ("x" * 5000)))
    assert list(listed_scripts()) == []


def test_the_same_script_with_other_metadata_is_another_one(tmp_path: Path) -> None:
    mod = game(tmp_path)
    bay = {"Name": "Bay", "Script": "bay.js", "Description": "x", "Preview": "bay.png"}
    written(mod, bay=bay, cold_bay={**bay, "Name": "Cold Bay", "Preview": "none.png"})
    (mod / "maps/random/bay.js").write_text("let bay;")
    (mod / PREVIEWS).mkdir(parents=True)
    (mod / PREVIEWS / "bay.png").write_bytes(PREVIEW)
    first, second = scripts()
    assert [(each.origin, each.metadata_path, each.metadata.name) for each in (first, second)] == [
        ("0 A.D. 0.0.26", "maps/random/bay.json", "Bay"),
        ("0 A.D. 0.0.26", "maps/random/cold_bay.json", "Cold Bay"),
    ]
    assert first.script_path == second.script_path == "maps/random/bay.js"
    assert first.text == second.text == "let bay;"
    assert json.loads(first.metadata_text)["settings"]["Name"] == "Bay"
    assert first.preview() == PREVIEW
    assert second.preview() is None


def test_a_mod_that_is_found_and_named_lists_the_scripts_of_its_game_once(tmp_path: Path) -> None:
    mod_of_game = game(tmp_path)
    written(mod_of_game, bay={"Name": "Bay", "Script": "bay.js", "Description": "x"})
    added = tmp_path / "added"
    written(added, cliff={"Name": "Cliff", "Script": "cliff.js", "Description": "x"})
    look_in(GivenPlaces(tmp_path / "game", added, user_mod=tmp_path / "user"))
    script_folders.use_mods([added])
    try:
        names = [(script.origin, script.metadata.name) for script in scripts()]
    finally:
        script_folders.use_mods()
    assert names == [
        ("0 A.D. 0.0.26", "Bay"),
        ("0 A.D. 0.0.26", "Cliff"),
        ("added", "Cliff"),
    ]


def test_the_users_scripts_come_last_and_see_the_game(tmp_path: Path) -> None:
    mod = game(tmp_path)
    written(mod, bay={"Name": "Bay", "Script": "bay.js", "Description": "x"})
    written(tmp_path / "user", mine={"Name": "Mine", "Script": "bay.js", "Description": "x"})
    (mod / "maps/random/bay.js").write_text("let bay;")
    (tmp_path / "user/maps/random/bay.js").write_text("let mine;")
    game_s, yours = scripts()
    assert (game_s.origin, yours.origin) == ("0 A.D. 0.0.26", "Your scripts")
    assert (game_s.text, yours.text) == ("let bay;", "let mine;")
    assert [each.path for each in yours.installation.mods] == [mod, tmp_path / "user"]


def test_python_files_and_json_of_libraries_are_not_listed(tmp_path: Path) -> None:
    written(
        tmp_path / "user",
        python={"Name": "P", "Script": "p.py", "Description": "x"},
        other={"Name": "R", "Script": "r.rnd", "Description": "x"},
        library='{"generic/alpine": {}}',
        listed="[1]",
        broken="{",
        number="3",
    )
    assert list(listed_scripts()) == []


@pytest.mark.parametrize(
    ("said", "code"),
    [({"Script": "x.js"}, "metadata-missing"), ('{"settings": {', "metadata-json")],
)
def test_wrong_metadata_are_problems_with_their_file(
    said: dict[str, object] | str, code: str, tmp_path: Path
) -> None:
    written(game(tmp_path), wrong=said)
    (found,) = listed_scripts()
    assert isinstance(found, Problem)
    assert (found.code, found.path) == (code, "maps/random/wrong.json")


@pytest.mark.parametrize("script", ["none.js", "../../../secret.js", "..\\secret.js"])
def test_a_script_that_is_not_in_the_mod_is_a_problem(script: str, tmp_path: Path) -> None:
    mod = game(tmp_path)
    (mod.parent / "secret.js").write_text("secret")
    written(mod, away={"Name": "Away", "Script": script, "Description": "x", "Preview": "../x.png"})
    (found,) = scripts()
    assert found.preview() is None
    with pytest.raises(ProblemError) as caught:
        _ = found.text
    assert caught.value.problems[0].code == "not-read"
