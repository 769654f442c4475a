"""The bundle, without making one: packaging/try_bundle.py does that."""

from __future__ import annotations

import os
import struct
import sys
import zipfile
from pathlib import Path

import pytest

from tests.packaging_scripts.test_setup_environment import load

bundle = load("bundle")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle by its names."""
    names = [name + bundle.SUFFIX for name in bundle.PROGRAMS]
    for name in [*names, "libxcb-cursor.so.0", "libmini_racer.so", "icudtl.dat", "app.pyc"]:
        (tmp_path / name).touch()
    return tmp_path


def test_a_whole_bundle_passes(folder: Path) -> None:
    bundle.check_bundle(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has X11")
@pytest.mark.parametrize("name", ["randomizer", "libxcb-cursor.so.0", "icudtl.dat"])
def test_a_bundle_without_a_part_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(bundle.SetupError, match=f"not in the bundle: {name}"):
        bundle.check_bundle(folder)


@pytest.mark.parametrize("name", ["app.py", "libqgtk3.so", "libgtk-3.so.0"])
def test_sources_and_gtk_are_not_for_a_bundle(folder: Path, name: str) -> None:
    (folder / name).touch()
    with pytest.raises(bundle.SetupError, match="not for the bundle"):
        bundle.check_bundle(folder)


def test_windows_and_macos_get_the_suffixes_of_the_mime_types() -> None:
    types = {
        suffix: kind["CFBundleTypeName"]
        for kind in bundle.document_types()
        for suffix in kind["CFBundleTypeExtensions"]
    }
    assert types["battlemap"] == "battle map"
    assert types["per"] == "Xconq period"
    assert "xml" not in types
    batch = bundle.windows_file_kinds()
    for suffix in types:
        assert rf'"HKCU\Software\Classes\.{suffix}\OpenWithProgids"' in batch
    assert r"battlelands.exe\" \"%%1\"" in batch


STAND_IN_PYTHON = f"""\
#!{sys.executable}
import pathlib, shutil, sys
assert "--require-hashes" in sys.argv
folder = pathlib.Path(sys.argv[sys.argv.index("--dest") + 1])
folder.mkdir()
shutil.copy(pathlib.Path(__file__).with_name("any.whl"), folder)
"""
"""A Python whose pip "downloads" the wheel beside it."""


@pytest.mark.skipif(os.name == "nt", reason="AppImages are made on Linux")
def test_the_runtime_is_the_elf_file_before_the_files_of_an_appimage(tmp_path: Path) -> None:
    head = bytearray(b"\x7fELF" + bytes(60))
    struct.pack_into("<Q", head, 0x28, 64)  # the table of sections, two of ten bytes
    struct.pack_into("<HH", head, 0x3A, 10, 2)
    image = bytes(head) + b"s" * 20

    with zipfile.ZipFile(tmp_path / "any.whl", "w") as archive:
        archive.writestr("any/tool-x86_64.AppImage", image + b"hsqs" * 9)
    python = tmp_path / "python"
    python.write_text(STAND_IN_PYTHON, "utf-8")
    python.chmod(0o755)
    assert bundle.locked_runtime(python, tmp_path / "runtime") == image
