"""The files that a file of another program refers to: which are read, and which never."""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.model.problems import Problem
from randomizer.systems.interchange.foreign.source import Source


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    """The folder of a map, four below the top; each folder has a tileset."""
    folder = tmp_path / "a" / "b" / "c" / "maps"
    folder.mkdir(parents=True)
    for each in (folder, *list(folder.parents)[:4]):
        (each / "set.tsx").write_bytes(each.name.encode())
    return folder


def beside(folder: Path, name: str) -> tuple[bytes | None, list[Problem]]:
    """What is read of a name in a map of a folder, and what is said of it."""
    problems: list[Problem] = []
    source = Source(b"", str(folder / "a.tmx"))
    return source.beside(name, (".tsx", ".png"), problems), problems


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("set.tsx", b"maps"),
        ("./set.tsx", b"maps"),
        ("../set.tsx", b"c"),
        ("..\\..\\set.tsx", b"b"),
        ("../maps/set.tsx", b"maps"),
    ],
)
def test_files_up_to_two_folders_above_are_read(maps: Path, name: str, data: bytes) -> None:
    assert beside(maps, name) == (data, [])


@pytest.mark.parametrize(
    "name",
    [
        "../../../set.tsx",
        "x/../../../../set.tsx",
        "/etc/passwd.tsx",
        "file:///set.tsx",
        "C:\\set.tsx",
        "http://example.org/set.tsx",
        "set.exe",
        "none.tsx",
        "a\0.tsx",
        "",
        "..",
    ],
)
def test_others_are_a_problem_and_missing(maps: Path, name: str) -> None:
    data, (problem,) = beside(maps, name)
    assert data is None
    assert "is not used" in problem.message


def test_no_link_leads_out_of_these_folders(maps: Path) -> None:
    (maps / "link.tsx").symlink_to(maps.parents[3] / "set.tsx")
    assert beside(maps, "link.tsx")[0] is None
    (maps / "near.tsx").symlink_to(maps.parents[1] / "set.tsx")
    assert beside(maps, "near.tsx")[0] == b"b"


def test_a_file_is_read_once_and_what_is_given_is_not_sought(maps: Path) -> None:
    source = Source(b"", str(maps / "a.tmx"), {"far.tsx": b"given"})
    problems = list[Problem]()
    assert source.beside("far.tsx", (".tsx",), problems) == b"given"
    assert source.beside("none.tsx", (".tsx",), problems) is None
    assert source.beside("none.tsx", (".tsx",), problems) is None
    assert (len(problems), list(source.missing)) == (1, ["none.tsx"])
    source.beside("set.tsx", (".tsx",), problems)
    (maps / "set.tsx").unlink()
    assert source.beside("set.tsx", (".tsx",), problems) == b"maps"
    assert Source(b"", None).beside("set.tsx", (".tsx",), problems) is None
