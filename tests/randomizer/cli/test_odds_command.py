"""``randomizer odds``: chances of hexes and hexsides, with their error."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from randomizer.systems.colossus.board import LABELS
from tests.randomizer.cli.conftest import Run

TWO = "AREA D4 D3 HAZARDS Volcano,75.,2\nPAIR (Volcano,2)(Plains,0) HEXSIDES c,20.\n"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "Two.rnd"
    path.write_text(TWO)
    return path


def test_every_hex_is_told_the_likeliest_first(randomizer: Run, two: Path) -> None:
    output = randomizer("odds", two)
    assert output.code == 0
    assert output.err == (
        "counted on 131,072 maps of seed 0; each chance is within 0.6 points (99 % sure)\n"
    )
    lines = output.text.splitlines()
    assert lines[0] == "A1 Plains/0 1"
    first = next(row for row, line in enumerate(lines) if line.startswith("D3 "))
    expected = [
        ("D3", "Plains/0", 0.625),
        ("D3", "Volcano/2", 0.375),
        ("D4", "Plains/0", 0.625),
        ("D4", "Volcano/2", 0.375),
    ]
    for line, (label, state, chance) in zip(lines[first : first + 4], expected, strict=True):
        words = line.split()
        assert words[:2] == [label, state]
        assert float(words[2]) == pytest.approx(chance, abs=0.0058)
        assert words[3] == "±0.0013"
    assert len(lines) == len(LABELS) + 2


def test_hexsides_follow_where_they_are_asked_for(randomizer: Run, two: Path) -> None:
    lines = randomizer("odds", two, "--sides").text.splitlines()
    sides = [line.split() for line in lines if line.startswith("D4:")]
    assert [(side[0], side[1]) for side in sides] == [(f"D4:{side}", "c") for side in range(6)]
    assert [float(side[2]) for side in sides] == pytest.approx([0.075] * 6, abs=0.006)
    assert not any(line.startswith("A1:") for line in lines)


def test_json_is_for_programs(randomizer: Run, two: Path) -> None:
    said = randomizer("odds", two, "--json")
    record = json.loads(said.out)
    assert list(record) == ["samples", "bound", "hex", "hexside"]
    assert record["samples"] == 131_072
    assert 0 < record["bound"] < 0.007
    assert list(record["hex"]) == sorted(LABELS)
    assert record["hex"]["D4"] == pytest.approx(
        {"Plains/0": 0.625, "Volcano/2": 0.375}, abs=record["bound"]
    )
    assert record["hexside"]["D4:0"] == pytest.approx({"c": 0.075}, abs=record["bound"])


def test_samples_can_be_asked_for_by_number_and_seed(randomizer: Run, two: Path) -> None:
    said = randomizer("odds", two, "--samples", 2000, "--seed", 3, "--json")
    assert said.err.startswith("counted on 2,000 maps of seed 3; each chance is within ")
    record = json.loads(said.out)
    assert record["samples"] == 2000
    assert record["hex"]["D4"]["Volcano/2"] == pytest.approx(0.375, abs=0.05)
    again = randomizer("odds", two, "--samples", 2000, "--seed", 3, "--json")
    assert again.out == said.out
    assert randomizer("odds", two, "--samples", 2000, "--seed", 4, "--json").out != said.out


def test_locks_are_kept_by_every_map_that_counts(randomizer: Run, two: Path) -> None:
    said = randomizer("odds", two, "--lock", "D4=Volcano/2", "--samples", 1000, "--sides")
    assert said.code == 0
    words = re.fullmatch(
        r"counted on (\d+) maps of seed 0; each chance is within [\d.]+ points \(99 % sure\); "
        r"the locks are kept by \1 of 1,000 maps: "
        r"about 1 map in 2\.\d \(± \d %\)\n",
        said.err,
    )
    assert words is not None
    assert 300 < int(words[1]) < 450
    assert "\nD4 Volcano/2 1 " in said.text
    assert "\nD3 Plains/0 1 " in said.text
    assert "\nD4:0 c 0." in said.text
    assert "\nD3:0 " not in said.text


def test_the_map_below_and_settings_count(randomizer: Run, two: Path, tmp_path: Path) -> None:
    below = tmp_path / "below.xml"
    script = tmp_path / "sand.rnd"
    script.write_text("AREA D4 D3 D2 E3 HAZARDS Sand Sand Sand Sand\n")
    assert randomizer("roll", script, "--seed", 1, "--out", below).code == 0
    onto = json.loads(randomizer("odds", two, "--json", "--onto", below).out)
    assert onto["hex"]["D4"] == pytest.approx(
        {"Sand/0": 0.625, "Volcano/2": 0.375}, abs=onto["bound"]
    )
    assert "D4:3" not in onto["hexside"]  # towards D3: Sand, which no PAIR names
    chosen = randomizer("odds", two, "--set", "BaseHeight=1")
    assert "A1 Plains/1 1\n" in chosen.text


def test_problems_are_located_and_end_with_1(randomizer: Run, two: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.rnd"
    broken.write_text("AREA D4 HAZARD Bog\n")
    said = randomizer("odds", broken)
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith(f"{broken}:1:9: error: ")
    said = randomizer("odds", two, "--lock", "D4=Lake")
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith(f"{two}: error: This script never makes D4 Lake")
    said = randomizer("odds", tmp_path / "none.rnd")
    assert said.code == 1


def test_locks_that_hardly_any_map_keeps_end_with_1(randomizer: Run, tmp_path: Path) -> None:
    rare = tmp_path / "rare.rnd"
    rare.write_text("AREA D4 HAZARDS Bog,0.00001\n")
    said = randomizer("odds", rare, "--lock", "D4=Bog", "--samples", 300)
    assert (said.code, said.out) == (1, b"")
    assert "The locks are kept by none of 300 maps: less than 1 map in 100." in said.err
    assert said.err.startswith(f"{rare}: error: ")


@pytest.mark.parametrize(
    "wrong",
    [
        ("--seed", "4294967296"),
        ("--samples", "0"),
        ("--samples", "-1"),
        ("--lock", "Z9"),
        ("--set", "Nonsense=1"),
        ("--set", "BaseHeight"),
    ],
)
def test_wrong_use_ends_with_2(randomizer: Run, two: Path, wrong: tuple[str, ...]) -> None:
    said = randomizer("odds", two, *wrong)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer odds")


def test_the_odds_of_a_wargame_table_are_counted_on_tables_that_are_rolled(
    randomizer: Run,
) -> None:
    chosen = ("--set", "fixed=hill 1 at = 0303", "--set", "grid=square", "--samples", "30")
    said = randomizer("odds", "cordery", *chosen)
    assert said.code == 0
    assert "counted on 30 maps of seed 0" in said.err
    found = re.findall(r"^0303 .+/(\d) ([\d.]+) ", said.out.decode(), re.MULTILINE)
    assert found
    assert sum(float(chance) for height, chance in found if height != "0") == pytest.approx(1)
