"""Mods are read in place, as folders and as zip files, and nothing outside them ever is."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from randomizer.reading.archives import archive_entries
from randomizer.systems.zeroad.installation import packed_files
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.mod_paths import PREVIEWS
from randomizer.systems.zeroad.installation.packed_files import FILE_LIMIT
from tests.counting import watched_calls

FILES = {
    "mod.json": b"{}",
    "maps/random/a.js": b"let a;",
    "maps/random/rmgen/library.js": b"let b;",
    "simulation/data/x.json": b"{}",
}

OUTSIDE = [
    "../secret.txt",
    "maps/../../secret.txt",
    "maps/random/../../../secret.txt",
    "/etc/passwd",
    "..\\secret.txt",
    "maps\\random\\a.js",
    "C:/secret.txt",
    "maps//random/a.js",
    "./mod.json",
    "maps/random/a.js\0.png",
    "",
    "maps/",
    "maps",
]


def folder_mod(place: Path) -> Path:
    for path, data in FILES.items():
        file = place / "mod" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (place / "secret.txt").write_text("secret")
    return place / "mod"


def zip_mod(place: Path, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(place / "mod.zip", "w", compression) as made:
        for path, data in FILES.items():
            made.writestr(path, data)
    return place / "mod.zip"


def folder_with_zip(place: Path) -> Path:
    (place / "public").mkdir()
    return zip_mod(place).rename(place / "public" / "public.zip").parent


MODS = [folder_mod, zip_mod, folder_with_zip]


@pytest.mark.parametrize("make", MODS)
def test_files_are_found_read_and_listed(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    mod = ModFiles.from_spec(ModFiles(make(tmp_path)).spec)
    assert mod.read("maps/random/a.js") == b"let a;"
    assert mod.read("maps/random/none.js") is None
    assert mod.exists("mod.json")
    assert not mod.exists("maps/random")
    assert mod.list("maps/random") == ("maps/random/a.js", "maps/random/rmgen/library.js")
    assert mod.list("maps/random/", recursive=False) == ("maps/random/a.js",)
    assert mod.list("none") == ()


@pytest.mark.parametrize("make", MODS)
@pytest.mark.parametrize("path", OUTSIDE)
def test_paths_that_could_lead_out_are_files_that_are_not_there(
    make,  # type: ignore[no-untyped-def]
    path: str,
    tmp_path: Path,
) -> None:
    mod = ModFiles(make(tmp_path))
    assert mod.read(path) is None
    assert not mod.exists(path)
    assert all(name in FILES for name in mod.list(path))


def test_links_that_lead_out_are_not_followed_and_links_inside_are(tmp_path: Path) -> None:
    root = folder_mod(tmp_path)
    (root / "maps/random/out.js").symlink_to(tmp_path / "secret.txt")
    (root / "maps/outside").symlink_to(tmp_path)
    (root / "maps/circle").symlink_to(root / "maps/circle")
    (root / "maps/random/same.js").symlink_to("a.js")
    mod = ModFiles(root)
    for path in ("maps/random/out.js", "maps/outside/secret.txt", "maps/circle"):
        assert mod.read(path) is None
        assert not mod.exists(path)
    assert mod.read("maps/random/same.js") == b"let a;"
    assert mod.list("maps") == (
        "maps/random/a.js",
        "maps/random/rmgen/library.js",
        "maps/random/same.js",
    )


@pytest.mark.parametrize("at", ["", "maps/random"])
def test_a_folder_that_links_lead_out_to_is_not_listed(at: str, tmp_path: Path) -> None:
    root = folder_mod(tmp_path)
    folder = root / "maps" / "random"
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.js").write_text("secret")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "same").symlink_to("rmgen")
    mod = ModFiles(folder, at) if at else ModFiles(root)
    assert mod.list("maps/random/outside") == ()
    assert mod.list("maps/random/outside/deep") == ()
    assert mod.list("maps/random/circle") == ()
    assert mod.list("maps/random/same") == ("maps/random/same/library.js",)
    assert mod.read("maps/random/same/library.js") == b"let b;"


def test_links_in_a_zip_are_no_files(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("maps/random/out.js")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as made:
        made.writestr(link, "../../../secret.txt")
        made.writestr("maps/a.js", b"let a;")
    mod = ModFiles(tmp_path / "mod.zip")
    assert not mod.exists("maps/random/out.js")
    assert mod.read("maps/random/out.js") is None
    assert mod.list("maps") == ("maps/a.js",)


@pytest.mark.parametrize(
    "name", ["../out.js", "/out.js", "maps/../../out.js", "maps\\out.js", "C:/out.js", "maps//x.js"]
)
def test_zip_entries_with_unsafe_names_are_left_out(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as made:
        made.writestr(name, b"secret")
        made.writestr("maps/a.js", b"let a;")
    mod = ModFiles(tmp_path / "mod.zip")
    assert mod.read(name) is None
    assert not mod.exists(name)
    assert mod.list("maps") == ("maps/a.js",)


def test_loose_files_go_over_those_of_the_zip(tmp_path: Path) -> None:
    mod = ModFiles(folder_with_zip(tmp_path))
    file = tmp_path / "public" / "maps" / "random" / "a.js"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"let mine;")
    assert mod.read("maps/random/a.js") == b"let mine;"
    assert mod.list("maps/random") == ("maps/random/a.js", "maps/random/rmgen/library.js")


@pytest.mark.parametrize("make", MODS)
def test_the_stamp_changes_with_the_files_and_only_then(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    root = make(tmp_path)
    mod = ModFiles(root)
    before = mod.stamp()
    assert ModFiles(root).stamp() == before
    if root.is_file():
        with zipfile.ZipFile(root, "a") as made:
            made.writestr("maps/random/new.js", b"let c;")
    else:
        (root / "maps" / "random").mkdir(parents=True, exist_ok=True)
        (root / "maps" / "random" / "new.js").write_bytes(b"let c;")
    assert mod.stamp() != before
    assert mod.read("maps/random/new.js") == b"let c;"


def test_a_zip_that_is_gone_does_not_hide_the_others(tmp_path: Path) -> None:
    folder = folder_with_zip(tmp_path)
    (folder / "gone.zip").symlink_to(tmp_path / "nowhere.zip")
    assert ModFiles(folder).read("maps/random/a.js") == b"let a;"


@pytest.mark.parametrize("damage", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_zip_has_no_files(damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "mod.zip").write_bytes(damage)
    mod = ModFiles(tmp_path / "mod.zip")
    assert mod.list("maps") == ()
    assert mod.read("mod.json") is None


def test_a_damaged_entry_is_not_there(tmp_path: Path) -> None:
    path = zip_mod(tmp_path, zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"let a;", b"let x;"))
    assert ModFiles(path).read("maps/random/a.js") is None
    path.write_bytes(data.replace(b"PK\x03\x04", b"PK\x03\x00"))
    assert ModFiles(path).read("maps/random/a.js") is None


def test_an_entry_beyond_the_limit_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "mod.json").write_bytes(b"{}")
    (tmp_path / "maps").mkdir()
    large = tmp_path / "maps" / "large.js"
    with large.open("wb") as file:
        file.truncate(FILE_LIMIT + 1)
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(large, "maps/large.js")
        archive.write(tmp_path / "mod.json", "mod.json")
    for place in (tmp_path, packed):
        mod = ModFiles(place)
        assert mod.exists("maps/large.js")
        assert mod.read("maps/large.js") is None
        assert mod.read("mod.json") == b"{}"


def test_a_mod_that_is_gone_has_no_files(tmp_path: Path) -> None:
    mod = ModFiles(tmp_path / "gone")
    assert mod.read("mod.json") is None
    assert mod.list("maps") == ()
    assert mod.stamp() == ModFiles(tmp_path / "gone").stamp()


def test_a_folder_of_scripts_stands_for_a_folder_of_a_mod(tmp_path: Path) -> None:
    root = folder_mod(tmp_path)
    zip_mod(root / "maps" / "random")
    mod = ModFiles.from_spec(ModFiles(root / "maps" / "random", "maps/random").spec)
    assert mod.read("maps/random/a.js") == b"let a;"
    assert mod.exists("maps/random/rmgen/library.js")
    for path in ("a.js", "mod.json", "maps/a.js", "maps/random/../../mod.json", "maps/random"):
        assert mod.read(path) is None
    assert mod.list("maps") == mod.list("maps/random")
    assert mod.list("maps/random", recursive=False) == ("maps/random/a.js", "maps/random/mod.zip")
    assert mod.list("maps/random/rmgen") == ("maps/random/rmgen/library.js",)
    assert mod.list("maps", recursive=False) == mod.list("simulation") == ()
    before = mod.stamp()
    (root / "maps/random/new.js").write_bytes(b"")
    assert mod.stamp() != before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file_whatever_its_name(tmp_path: Path) -> None:
    folder = folder_mod(tmp_path)
    place = ModFiles(folder)
    before = place.list("maps")
    for name in ("wait.zip", "maps/random/wait.json"):
        os.mkfifo(folder / name)
    assert place.list("maps") == before
    assert place.read("maps/random/wait.json") is None
    assert place.read("maps/random/other.json") is None


def test_of_zip_files_only_what_is_read_is_kept(tmp_path: Path) -> None:
    kept = ("mod.json", "maps/a.js", "art/terrains/a.xml", "art/actors/b.xml", f"{PREVIEWS}c.png")
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as made:
        for path in (*kept, "art/textures/skins/a.dds", "audio/a.ogg", "mapsx/a.js"):
            made.writestr(path, b"x")
    mod = ModFiles(tmp_path / "mod.zip")
    with zipfile.ZipFile(tmp_path / "mod.zip") as archive:
        assert {path for path in archive.namelist() if mod.exists(path)} == set(kept)
    assert mod.fault() == ""


def test_zip_files_are_listed_once_and_too_many_entries_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Zip files with as many files as the real limit take seconds to be listed.
    monkeypatch.setattr(packed_files, "MAX_PACKED", 25)
    (tmp_path / "mod").mkdir()
    for archive in range(40):
        with zipfile.ZipFile(tmp_path / "mod" / f"{archive:02}.zip", "w") as made:
            for number in range(10):
                made.writestr(f"maps/random/{archive}-{number}.js", b"x")
    mod = ModFiles(tmp_path / "mod")
    with watched_calls(archive_entries) as listed:
        for _time in range(3):
            assert len(mod.list("maps/random")) == 20
            assert mod.exists("maps/random/1-9.js")
            assert not mod.exists("maps/random/2-0.js")
    assert len(listed) == 3
    assert mod.fault() == (
        "mod: 02.zip and what follows is left out, a mod has at most 25 packed files"
    )


def test_deep_folders_are_resolved_once(tmp_path: Path) -> None:
    deepest = tmp_path / "maps" / "/".join("d" * 60)
    deepest.mkdir(parents=True)
    (deepest / "a.js").write_bytes(b"x")
    with watched_calls(Path.resolve) as resolved:
        assert len(ModFiles(tmp_path).list("maps")) == 1
    assert 0 < len(resolved) <= 2
