from __future__ import annotations

from collections.abc import Callable

import pytest

from app.__main__ import main
from app.paper.page_plan import PAPERS
from randomizer.__main__ import main as randomizer
from randomizer.systems.zeroad.engine.child_process import has_engine
from tests.app.paper.conftest import media_boxes

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def tables(qapp, capfd) -> Run:
    """Exit code and standard error of ``battlelands tables`` in this process."""

    def run(*words: object) -> tuple[int, str]:
        code = main(["tables", *map(str, words)])
        return code, capfd.readouterr().err

    return run


def test_tables_are_rolled_into_one_pdf(tables, tmp_path):
    out = tmp_path / "out.pdf"
    assert tables("cordery", out, "--set", "relief=hilly", "--seed", 7, "--count", 3) == (0, "")
    boxes = media_boxes(out.read_bytes())
    assert len(boxes) == 6
    assert sorted(boxes[0]) == pytest.approx(PAPERS["A4"], abs=0.2)


@pytest.mark.deep
def test_a_size_spreads_a_table_over_several_sheets(tables, tmp_path):
    out = tmp_path / "out.pdf"
    words = ("--set", "grid=square", "--seed", 7, "--count", 1, "--hex-mm", 60, "--no-log")
    assert tables("cordery", out, *words, "--no-parts", "--paper", "A3") == (0, "")
    boxes = media_boxes(out.read_bytes())
    assert len(boxes) == 5  # two by two, and how they lie
    assert sorted(boxes[0]) == pytest.approx(PAPERS["A3"], abs=0.2)


@pytest.mark.deep
def test_more_tables_like_the_one_of_a_map(tables, tmp_path):
    table = tmp_path / "mine.battlemap"
    out = tmp_path / "out.pdf"
    assert randomizer(["roll", "cordery", "--seed", "7", "--out", str(table)]) == 0
    code, said = tables(table, out, "--count", 2, "--no-log", "--no-parts")
    assert (code, said) == (0, "")
    assert len(media_boxes(out.read_bytes())) == 2


@pytest.mark.deep
@pytest.mark.skipif(not has_engine(), reason="needs mini-racer")
def test_a_map_script_has_so_much_processor_time(tables, tmp_path):
    script = tmp_path / "endless.js"
    script.write_text("for (;;);")
    code, said = tables(script, tmp_path / "out.pdf", "--seed", 7, "--time-limit", 1)
    assert code == 1
    assert "it used 1 s of processor time (at 0 %); --time-limit SECONDS gives it more" in said


@pytest.mark.deep
def test_battlelands_of_a_script(tables, tmp_path):
    out = tmp_path / "out.pdf"
    code, said = tables("Swamp", out, "--count", 2)
    assert code == 0
    assert "chosen by the program" in said
    assert len(media_boxes(out.read_bytes())) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cordery", "out.png"], "tables are written as a PDF"),
        (["cordery", "out.pdf", "--count", "101"], "from 1 to 100 is wanted"),
        (["cordery", "out.pdf", "--set", "relief=flat"], "relief cannot be flat"),
        (["cordery"], "OUT"),
    ],
)
def test_wrong_use_ends_with_2(tables, words, said):
    code, error = tables(*words)
    assert code == 2
    assert said in error


def test_a_map_has_its_own_settings_and_a_roll(tables, tmp_path):
    table = tmp_path / "mine.json"
    assert randomizer(["roll", "cordery", "--seed", "7", "--out", str(table)]) == 0
    assert tables(table, tmp_path / "out.pdf", "--seed", 8)[0] == 2
    code, said = tables(table, tmp_path / "out.pdf")
    assert (code, said) == (1, f"{table}: error: nothing on this map was rolled\n")


def test_what_cannot_be_written_is_told_and_leaves_nothing(tables, tmp_path):
    missing = tmp_path / "nowhere" / "out.pdf"
    code, said = tables("cordery", missing, "--seed", 7, "--count", 1)
    assert code == 1
    assert "the folder is not there" in said
    assert list(tmp_path.iterdir()) == []


def test_help_says_what_goes_along(qapp, capsys):
    assert main(["tables", "--help"]) == 0
    assert "--no-parts" in capsys.readouterr().out
