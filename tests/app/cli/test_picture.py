from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.__main__ import main
from app.paper.page_plan import PAPERS
from app.paper.picture_request import HEX_PIXELS, usual_hex_pixels
from randomizer.catalog.map_formats import format_named
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from tests.app.paper.conftest import media_boxes

ROOT = Path(__file__).resolve().parents[3]

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def battlemap(tmp_path: Path) -> Path:
    known = format_named("xml")
    assert known is not None
    path = tmp_path / "Plains.xml"
    path.write_bytes(known.write(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])))
    return path


@pytest.fixture
def picture(qapp, capfd) -> Run:
    """Exit code and standard error of ``battlelands picture`` in this process."""

    def run(*words: object) -> tuple[int, str]:
        code = main(["picture", *map(str, words)])
        return code, capfd.readouterr().err

    return run


def alone(*words: object, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own that has no display."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "app", "picture", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, check=False)


def test_pictures_are_made_without_a_display(battlemap, tmp_path):
    ended = alone(battlemap.name, "out.png", "--pixels", "40", cwd=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert QImage(str(tmp_path / "out.png")).height() == pytest.approx(6.87 * 40, abs=2)


@pytest.mark.deep
def test_a_poster_without_a_display(battlemap, tmp_path):
    ended = alone(battlemap.name, "out.pdf", "--hex-inches", "1.5", "--poster", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, b"")
    boxes = media_boxes((tmp_path / "out.pdf").read_bytes())
    assert len(boxes) == 3
    assert sorted(boxes[0]) == pytest.approx(PAPERS["A4"], abs=0.2)


@pytest.mark.parametrize("side", [64, 512])
def test_a_thumbnail_has_the_whole_map_in_a_png_of_any_name(picture, battlemap, tmp_path, side):
    assert picture("--thumbnail", side, battlemap, tmp_path / "no suffix") == (0, "")
    image = QImage(str(tmp_path / "no suffix"), "PNG")
    assert max(image.width(), image.height()) == side
    code, error = picture(battlemap, tmp_path / "a.png", "--thumbnail", side, "--pixels", 40)
    assert code == 2
    assert "--thumbnail says how large the picture is" in error


def test_a_thumbnail_of_a_million_cells_is_one(picture, tmp_path):
    world = format_named("project")
    assert world is not None
    (tmp_path / "world.battlemap").write_bytes(world.write(free_map(FLAT, 1000, 1000)))
    assert picture("--thumbnail", 128, tmp_path / "world.battlemap", tmp_path / "a") == (0, "")
    assert QImage(str(tmp_path / "a"), "PNG").height() == 128


def test_an_svg_shows_what_is_asked_for(picture, battlemap, tmp_path):
    assert picture(battlemap, tmp_path / "a.svg", "--hex-mm", 20) == (0, "")
    assert picture(battlemap, tmp_path / "b.svg", "--no-labels", "--names") == (0, "")
    first, second = ((tmp_path / name).read_text() for name in ("a.svg", "b.svg"))
    assert ">D4</text>" in first
    assert ">Plains</text>" not in first
    assert ">D4</text>" not in second
    assert ">Plains</text>" in second


def test_help_says_how_large_hexes_are(capsys, qapp):
    assert main(["picture", "--help"]) == 0
    said = capsys.readouterr().out
    assert "flat to flat" in said
    assert "--no-labels" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["out.bmp"], "cannot be told from its suffix (.png, .svg, .pdf, .json, .uvtt)"),
        (["out.svg", "--pixels", "9"], "--pixels is for PNG"),
        (["out.png", "--paper", "A4"], "--paper is for PDF"),
        (["out.png", "--poster"], "--poster is for PDF"),
        (["out.pdf", "--hex-mm", "wide"], "a length is wanted, not “wide”"),
        (["out.pdf", "--hex-mm", "nan"], "a length is wanted, not “nan”"),
        (["out.pdf", "--paper", "A9"], "A9"),
        (["out.pdf", "--colours", "loud"], "loud"),
        ([], "OUT"),
    ],
)
def test_wrong_use_ends_with_2(picture, battlemap, words, said):
    code, error = picture(battlemap, *words)
    assert code == 2
    assert said in error
    assert "usage: battlelands picture" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["out.png", "--pixels", "9999"], "9999 pixels"),
        (["out.pdf", "--paper", "A4", "--hex-mm", "90"], "does not fit on one page"),
        (["out.pdf", "--poster", "--margin-mm", "99"], "99 mm of margin"),
        (["out.svg", "--hex-mm", "0"], "0 mm"),
    ],
)
def test_what_cannot_be_drawn_ends_with_1_and_no_file(
    picture, battlemap, tmp_path, monkeypatch, words, said
):
    monkeypatch.chdir(tmp_path)
    code, error = picture(battlemap.name, *words)
    assert code == 1
    assert error.startswith("battlelands: error: ")
    assert said in error
    assert list(tmp_path.iterdir()) == [battlemap]


def test_a_damaged_map_is_told_with_its_place(picture, battlemap, tmp_path):
    battlemap.write_bytes(battlemap.read_bytes()[:-9])
    target = tmp_path / "out.png"
    target.write_bytes(b"old")
    code, error = picture(battlemap, target)
    assert code == 1
    assert error.startswith(f"{battlemap}:")
    assert target.read_bytes() == b"old"


def test_a_map_that_is_not_there_is_told(picture, tmp_path):
    code, error = picture(tmp_path / "none.xml", tmp_path / "out.png")
    assert (code, error) == (1, f"{tmp_path}/none.xml: error: there is no such file\n")


def test_a_target_that_cannot_be_written_is_told(picture, battlemap, tmp_path):
    missing = tmp_path / "nowhere" / "out.svg"
    code, error = picture(battlemap, missing)
    assert (code, error) == (
        1,
        f"{missing}: error: out.svg could not be written: the folder is not there\n",
    )
    (tmp_path / "folder.svg").mkdir()
    code, error = picture(battlemap, tmp_path / "folder.svg")
    assert code == 1
    assert "there is a folder of that name" in error


def test_a_large_map_has_fewer_pixels_a_hex_unless_they_are_asked_for() -> None:
    assert usual_hex_pixels(27) == HEX_PIXELS
    assert usual_hex_pixels(512 * 512) * 512 < 6_000
    assert usual_hex_pixels(10**9) == 1


def test_a_picture_does_not_replace_its_map_through_a_link(picture, battlemap, tmp_path):
    before = battlemap.read_bytes()
    link = tmp_path / "link.png"
    link.symlink_to(battlemap.name)
    code, said = picture(battlemap, link)
    assert code == 1
    assert f"{link}: error: this is the file that is read" in said
    assert battlemap.read_bytes() == before


def test_rulers_stand_along_the_rim_of_a_picture(picture, tmp_path):
    path = tmp_path / "land.battlemap"
    known = format_named("project")
    assert known is not None
    path.write_bytes(known.write(free_map(FLAT, 20, 12)))
    texts = {}
    for option in ("--rulers", "--no-rulers"):
        out = tmp_path / f"land{option}.svg"
        assert picture(path, out, option) == (0, "")
        texts[option] = out.read_text("utf-8")
    assert ">20</text>" in texts["--rulers"]
    assert ">20</text>" not in texts["--no-rulers"]


def test_an_overlay_that_the_map_does_not_have_is_told(picture, battlemap, tmp_path):
    code, said = picture(battlemap, tmp_path / "out.svg", "--plan", "--no-seam")
    assert code == 0
    assert "warning: --plan has no effect on this Colossus battleland" in said
    assert said.count("warning") == 1
