"""Scripts of the user's own: which system they are of, how they are read, what settings take."""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.catalog.script_files import (
    MAX_LIBRARY_FILES,
    further_files,
    read_further_texts,
    read_script,
)
from randomizer.catalog.scripts import generator_for_script, script_host, script_suffixes
from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import checked_settings


def test_a_scripts_suffix_says_its_system():
    for suffix in script_suffixes():
        assert suffix in script_host(f"Some{suffix.upper()}").suffixes
    with pytest.raises(ProblemError, match=r"no system has scripts that end in \.txt"):
        script_host("Some.txt", "/where/Some.txt")
    with pytest.raises(ProblemError, match="that end in nothing"):
        generator_for_script("", "Some")


def test_a_script_is_read_with_its_line_ends(tmp_path):
    path = tmp_path / "Some.rnd"
    path.write_bytes(b"# one\r\nTOWER\n")
    assert read_script(path) == ("# one\r\nTOWER\n", ())
    with pytest.raises(ProblemError, match="there is no such file"):
        read_script(tmp_path / "None.rnd")


def test_a_language_checks_and_explains():
    language = script_host("Some.rnd").language
    (problem,) = language.check(SourceText("AREA (inside) HAZARDS Lkae\n", path="Some.rnd"))
    assert (problem.path, problem.line, problem.column) == ("Some.rnd", 1, 23)
    assert "AREA" in language.keywords
    assert "For instance: AREA" in (language.help_at(SourceText("AREA (inside)"), 1, 2) or "")
    assert language.help_at(SourceText("Lkae"), 1, 2) is None
    assert "TarPit" in (language.problem_help(problem.code) or "")
    assert language.problem_help("no such code") is None


@pytest.mark.parametrize(("value", "good"), [(0, True), ("3", True), (4, False), (-1, False)])
def test_a_number_beyond_a_settings_ends_is_refused(value, good):
    settings = generator_for_script("", "Some.rnd").settings
    if good:
        assert checked_settings(settings, {"BaseHeight": value}) == {"BaseHeight": int(value)}
    else:
        with pytest.raises(ProblemError, match="expected: 0 to 3"):
            checked_settings(settings, {"BaseHeight": value})


@pytest.mark.parametrize(
    ("name", "text", "further"),
    [
        ("bay.js", 'Engine.LoadLibrary("mine");\n', "mine/tools.js"),
        ("bay.js", "export function* generateMap() {}\n", "bay.json"),
        ("sea.per", "Xconq 1 -+---- Sea\nland.per\nPeriod 1\nend\n", "land.per"),
    ],
)
def test_files_that_belong_to_a_script_are_not_sought_through_links_out_of_its_folder(
    tmp_path: Path, name: str, text: str, further: str
):
    script = tmp_path / "scripts" / name
    place = tmp_path / "scripts" / further
    place.parent.mkdir(parents=True)
    (tmp_path / "secret").write_text("{}")
    place.symlink_to(tmp_path / "secret")
    assert place in further_files(script, text)
    with pytest.raises(ProblemError, match="a link leads out of the folder") as raised:
        read_further_texts(script, text)
    assert raised.value.problems[0].path == str(place)
    place.unlink()
    (script.parent / "same").write_text("{}")
    place.symlink_to(script.parent / "same")
    assert read_further_texts(script, text) == {further: "{}"}


def test_the_files_of_all_folders_that_a_script_uses_are_counted_together(tmp_path: Path):
    folders = ["one", "two", "three"]
    for folder in folders:
        (tmp_path / folder).mkdir()
        for number in range(MAX_LIBRARY_FILES // 2):
            (tmp_path / folder / f"{number}.js").write_text("// nothing")
    text = "".join(f'Engine.LoadLibrary("{folder}");\n' for folder in folders)
    libraries = [file for file in further_files(tmp_path / "a.js", text) if file.suffix == ".js"]
    assert len(libraries) == MAX_LIBRARY_FILES
    with pytest.raises(ProblemError, match=f"more than {MAX_LIBRARY_FILES} files"):
        read_further_texts(tmp_path / "a.js", text)

    # So many are read: the third folder is empty then.
    for library in (tmp_path / "three").iterdir():
        library.unlink()
    assert len(read_further_texts(tmp_path / "a.js", text)) == MAX_LIBRARY_FILES


def test_the_files_of_a_script_have_together_at_most_so_many_bytes(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    for number in range(3):
        (tmp_path / "mine" / f"{number}.js").write_text("/" * 40)
    with pytest.raises(ProblemError, match="more than 20 bytes") as raised:
        read_further_texts(tmp_path / "a.js", 'Engine.LoadLibrary("mine");\n', max_bytes=100)
    assert raised.value.problems[0].path == str(tmp_path / "mine" / "2.js")
