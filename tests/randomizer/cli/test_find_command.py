"""``randomizer find``: the maps that pass a filter, and how rare they are."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from tests.randomizer.cli.conftest import Run, Said, Terminal


def maps_of(randomizer: Run, script: Path, seed: int, count: int) -> list[dict[str, list[object]]]:
    said = randomizer(
        "roll", script, "--seed", str(seed), "--count", str(count), "--format", "json"
    )
    return [json.loads(line)["hexes"] for line in said.text.splitlines()]


def count(hexes: dict[str, list[object]], terrain: str) -> int:
    return sum(shown[0] == terrain for shown in hexes.values())


def test_the_numbers_are_of_the_maps_that_roll_makes(randomizer: Run, script: Path) -> None:
    where = "count(Bog) >= 1 and not C3 = Bog"
    said = randomizer("find", script, "--where", where, "--seed", "17", "--limit", "5")
    expected = [
        number
        for number, hexes in enumerate(maps_of(randomizer, script, 17, 100))
        if count(hexes, "Bog") >= 1 and hexes["C3"][0] != "Bog"
    ]
    assert said.code == 0
    assert [int(line) for line in said.text.splitlines()] == expected[:5]
    assert said.err.startswith("seed 17: ")
    assert " of 1,024 maps: " in said.err


def test_the_best_of_the_whole_budget_are_sorted_by_a_measure_which_stands_beside_them(
    randomizer: Run, script: Path
) -> None:
    maps = maps_of(randomizer, script, 0, 200)
    trees = {n: count(shown, "Tree") for n, shown in enumerate(maps) if count(shown, "Bog") >= 1}
    assert len(trees) > 20
    for options, sign in (((), 1), (("--descending",), -1)):
        sort = ("--sort", "count(tree)", "--budget", "200", *options)
        said = randomizer("find", script, "--where", "count(Bog) >= 1", "--limit", "20", *sort)
        rows = [tuple(map(int, line.split("\t"))) for line in said.text.splitlines()]
        best = sorted(trees.items(), key=lambda pair: (sign * pair[1], pair[0]))
        assert rows == best[:20]
        assert f" {len(trees)} of 200 maps" in said.err


def test_what_battles_cost_is_told_before_they_are_fought(randomizer: Run, script: Path) -> None:
    where = "wins(left) >= 45 % and count(Bog) > 27"
    said = randomizer("find", script, "--where", where, "--budget", "3")
    assert said.err.startswith("Battles are fought on each map that passes all else: 40 to 200")
    assert " of 3 maps" in said.err


def test_as_json_it_says_how_many_were_tried_and_found(randomizer: Run, script: Path) -> None:
    said = randomizer(
        "find", script, "--where", "count(bog)>=1", "--limit", "3", "--number", "5",
        "--sort", "count(Cliff)", "--budget", "1024", "--json",
    )  # fmt: skip
    record = json.loads(said.text)
    assert record["where"] == "count(Bog) >= 1"
    assert len(record["numbers"]) == len(record["count(Cliff)"]) == 3
    assert min(record["numbers"]) >= 5
    assert (record["seed"], record["tried"], record["kept"]) == (0, 1024, 1024)
    low, high = record["interval"]
    assert low < record["chance"] == record["found"] / 1024 < high


def test_locks_settings_and_the_map_below_are_kept_to(
    randomizer: Run, script: Path, tmp_path: Path
) -> None:
    below = tmp_path / "below.xml"
    randomizer("roll", "Swamp", "--seed", "3", "--out", below)
    options = ("--set", "BaseTerrain=Sand", "--onto", below, "--lock", "C3=Bog", "--seed", "1")
    said = randomizer("find", script, "--where", "count(Sand) >= 22", *options, "--limit", "3")
    assert said.code == 0
    assert "maps keep the locks" in said.err
    for number in said.text.splitlines():
        made = randomizer("roll", script, *options, "--number", number, "--format", "json")
        hexes = json.loads(made.text)["hexes"]
        assert json.loads(made.text)["number"] == int(number)
        assert hexes["C3"][0] == "Bog"
        assert count(hexes, "Sand") >= 22


def test_that_there_is_none_is_said_with_how_rare_they_must_be(
    randomizer: Run, script: Path
) -> None:
    said = randomizer("find", script, "--where", "count(Tree) = 9", "--budget", "3000")
    assert (said.code, said.out) == (1, b"")
    assert said.err == ("seed 0: none of 3,000 maps: less than 1 map in 1,000\n")


def refused(randomizer: Run, *arguments: str | Path) -> Said:
    said = randomizer("find", *arguments)
    assert (said.code, said.out) == (2, b"")
    return said


def test_a_mistake_in_a_filter_is_shown_with_its_place_and_a_way_out(
    randomizer: Run, script: Path
) -> None:
    said = refused(randomizer, script, "--where", "count(Tre) > 2")
    assert said.err == (
        "--where:1:7: error: there is no terrain or hexside “Tre”\n"
        "  count(Tre) > 2\n"
        "        ^^^\n"
        "  fix: Write `Tree`\n"
    )
    said = refused(randomizer, script, "--where", "connected", "--sort", "fairnes")
    assert said.err.startswith("--sort:1:1: error: ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--limit", "0"), "from 1 to"),
        (("--budget", "0"), "from 1 to"),
        (("--descending",), "--sort MEASURE"),
        (("--seed", "4294967296"), "0 to 4294967295"),
        (("--number", "9007199254740992"), "from 0 to 9007199254740991"),
        (("--lock", "Z9"), "no hex “Z9”"),
        (("--set", "Colour=red"), "no setting"),
    ],
)
def test_wrong_use_is_refused(
    randomizer: Run, script: Path, options: tuple[str, ...], words: str
) -> None:
    said = refused(randomizer, script, "--where", "connected", *options)
    assert words in said.err


def test_a_filter_is_asked_for(randomizer: Run, script: Path) -> None:
    assert "--where" in refused(randomizer, script).err


def test_a_long_search_says_how_far_it_is_on_a_terminal_only(talkative: Run, script: Path) -> None:
    words = (
        "find",
        script,
        "--where",
        "count(Bog) >= 1",
        "--sort",
        "count(Tree)",
        "--budget",
        "3000",
    )
    piped = talkative(*words)
    assert "tried" not in piped.err
    seen = Terminal()
    with contextlib.redirect_stderr(seen):
        said = talkative(*words)
    assert said.out == piped.out
    lines = seen.getvalue().split("\r")
    assert any("of 3,000 maps tried" in line for line in lines)
    assert lines[-1] == piped.err  # and no progress stands before it
    assert not lines[-2].strip()


def test_a_search_that_is_broken_off_prints_what_it_has_found(talkative: Run, script: Path) -> None:
    seen = Terminal()
    seen.presses = "maps tried"
    words = ("--where", "count(Bog) >= 1", "--sort", "count(Tree)", "--limit", "4")
    with contextlib.redirect_stderr(seen):
        said = talkative("find", script, *words)
    assert said.code == 130
    assert len(said.text.splitlines()) == 4
    last = seen.getvalue().split("\r")[-1]
    assert last.startswith("interrupted; seed 0: ")
    assert " of 512 maps: " in last


def test_worlds_are_found_by_the_terrains_of_their_period(randomizer: Run) -> None:
    where = "share(ocean) < 60 % and regions(land) >= 1 and 0,0 != meadow"
    world = (
        "--set",
        "width=20",
        "--set",
        "height=12",
        "--set",
        "countries=0",
        "--budget",
        "20",
        "--limit",
        "2",
    )
    said = randomizer("find", "Fantasy", "--where", where, *world, "--sort", "share(water)")
    assert said.code == 0
    assert all(float(line.split("\t")[1]) < 80 for line in said.text.splitlines())
    wrong = randomizer("find", "Fantasy", "--where", "share(swamp) > 1", *world)
    assert "there is no terrain “swamp”" in wrong.err


@pytest.mark.parametrize("where", ["", "  "])
def test_an_empty_filter_is_refused(randomizer: Run, script: Path, where: str) -> None:
    assert "this filter is empty" in refused(randomizer, script, "--where", where).err
