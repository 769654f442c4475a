"""What is laid for a desktop: its files are valid, and say what the program does."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from importlib.metadata import distribution
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.__main__ import USAGE, VERBS, main
from app.features.help.parts import licence_of
from randomizer.catalog.map_formats import format_named
from randomizer.cli.arguments import build_parser
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text
from tests.packaging_scripts.test_setup_environment import load

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PICTURES = "https://example.org/pictures/"

desktop = load("make_desktop")
licences = load("licence_texts")
locked = load("locked")


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Path:
    """What is laid with screenshots: ``share``."""
    folder = tmp_path_factory.mktemp("usr")
    desktop.lay(folder, PICTURES)
    return folder / "share"


def run(*command: str | Path) -> str:
    """What a program says, if it ends well; the test is skipped where it is not installed."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_validators_have_nothing_to_say(share: Path) -> None:
    assert run("desktop-file-validate", *share.glob("applications/*")) == ""
    for metainfo in (*share.glob("metainfo/*"), *desktop.SOURCE.glob("share/metainfo/*")):
        output = run("appstreamcli", "validate", "--no-net", metainfo)
        assert re.findall("^[EW]:", output, re.MULTILINE) == []


def test_metainfo_tells_the_version_and_the_pictures_of_the_manual(share: Path) -> None:
    (metainfo,) = share.glob("metainfo/*")
    component = ElementTree.parse(metainfo).getroot()
    assert component.findall(".//release")[0].get("version") == PROJECT["version"]
    assert component.findtext("project_license") == PROJECT["license"]
    images = component.findall(".//image")
    assert len(images) == len(desktop.SCREENSHOTS)
    for image in images:
        file = ROOT / "docs" / "manual" / "pictures" / (image.text or "").removeprefix(PICTURES)
        size = QImage(str(file)).size()
        assert (image.get("width"), image.get("height")) == (str(size.width()), str(size.height()))


@pytest.mark.parametrize("size", desktop.ICON_SIZES)
def test_icons_show_the_program_s_own_on_a_transparent_ground(share: Path, size: int) -> None:
    (file,) = share.glob(f"icons/hicolor/{size}x{size}/apps/*.png")
    image = QImage(str(file))
    assert (image.width(), image.height()) == (size, size)
    assert image.pixelColor(0, 0).alpha() == 0
    assert image.pixelColor(size // 2, size // 2).alpha() == 255


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("vale.battlemap", "application/x-battlelands-map"),
        ("vale", "application/x-battlelands-map"),
        ("land.terrains", "application/x-battlelands-terrains"),
        ("sea.map", "text/x-xconq-map"),
        ("war.scn", "text/x-xconq-map"),
        ("modern.per", "text/x-xconq-period"),
        ("modern", "text/x-xconq-period"),
        ("Bog.rnd", "text/x-colossus-randomizer"),
        ("Bog.xml", "application/xml"),
        ("style.css.map", "text/plain"),
        ("game.scn", "application/x-godot-scene"),
    ],
)
def test_files_are_told_apart_by_suffix_and_content(
    share: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    data_home = tmp_path / "home"
    shutil.copytree(share / "mime", data_home / "mime")
    run("update-mime-database", data_home / "mime")
    monkeypatch.setenv("XDG_DATA_HOME", str(data_home))
    project = format_named("project")
    assert project is not None
    contents = {
        "application/x-battlelands-map": project.write(free_map(FLAT, 4, 3)),
        "application/x-battlelands-terrains": b'{"format": "battlelands-terrains"}',
        "text/x-xconq-map": b"Xconq 1 --+-++ saved game\nmodern.per\nMap 4 3 0\n",
        "text/x-xconq-period": packaged_text(MODERN).encode(),
        "text/x-colossus-randomizer": b'TITLE "Bog"\n',
        "application/xml": b'<?xml version="1.0"?><battlelands/>',
        "text/plain": b'{"version": 3}',
        "application/x-godot-scene": b"RSRC" + bytes(20),
    }
    (tmp_path / name).write_bytes(contents[kind])
    output = run("gio", "info", "-a", "standard::content-type", tmp_path / name)
    assert output.strip().rpartition(" ")[2] == kind


def test_the_desk_is_asked_for_each_file_kind(share: Path) -> None:
    kinds = {
        each.attrib["type"]
        for file in share.glob("mime/packages/*")
        for each in ElementTree.parse(file).getroot()
    }
    (entry,) = share.glob("applications/*")
    (metainfo,) = share.glob("metainfo/*")
    entry_kinds = re.findall("^MimeType=(.*);$", entry.read_text(), re.MULTILINE)[0].split(";")
    metainfo_kinds = ElementTree.parse(metainfo).getroot().findall("provides/mediatype")
    assert set(entry_kinds) == {metainfo_kind.text for metainfo_kind in metainfo_kinds} == kinds
    assert not [kind for kind in kinds if "xml" in kind]


def test_the_thumbnailer_makes_a_picture_of_a_map(share: Path, tmp_path: Path) -> None:
    project = format_named("project")
    assert project is not None
    (tmp_path / "my map.battlemap").write_bytes(project.write(free_map(FLAT, 6, 3)))
    values = {"%s": "96", "%i": str(tmp_path / "my map.battlemap"), "%o": str(tmp_path / "out")}
    (entry,) = share.glob("thumbnailers/*")
    (command,) = re.findall("^Exec=battlelands (.*)$", entry.read_text(), re.MULTILINE)
    assert main([values.get(word, word) for word in command.split()]) == 0
    assert QImage(str(tmp_path / "out"), "PNG").width() == 96


CONTROL = """\
Package: battlelands-builder
Version: 0.1.0
Architecture: amd64
Maintainer: The Battlelands Builder developers <developers@battlelands-builder.invalid>
Section: graphics
Priority: optional
Description: paint, roll, edit and export battle maps
 Only what is laid for a desktop.
"""


@pytest.mark.deep
def test_lintian_has_nothing_to_say_of_a_package_of_what_is_laid(
    share: Path, tmp_path: Path
) -> None:
    shutil.copytree(share, tmp_path / "usr" / "share")
    (tmp_path / "DEBIAN").mkdir()
    (tmp_path / "DEBIAN" / "control").write_text(CONTROL)
    run("chmod", "-R", "u=rwX,go=rX", tmp_path)
    package = tmp_path.with_suffix(".deb")
    run("dpkg-deb", "--build", "--root-owner-group", tmp_path, package)
    tags = run("lintian", "--allow-root", package).splitlines()
    # The programs themselves are laid by packaging/bundle.py.
    assert [tag for tag in tags if "command-not-in-package" not in tag] == []


def test_manual_pages_tell_every_verb_and_option(share: Path, tmp_path: Path) -> None:
    for parser in (build_parser(), desktop.desk_parser()):
        page = share / "man" / "man1" / f"{parser.prog}.1.gz"
        text = gzip.decompress(page.read_bytes()).decode().replace("\\-", "-")
        for name, verb in desktop.verbs_of(parser).items():
            assert f"\n.SH {parser.prog.upper()} {name.upper()}\n" in text
            # A parser tells its options to nobody.
            options = {
                option_string for action in verb._actions for option_string in action.option_strings
            }
            assert {option for option in options if option not in text} == set()
        output = subprocess.run(
            ["man", "--warnings", "-l", page], capture_output=True, text=True, check=False
        ).stderr
        assert "warning" not in output
    assert all(f"battlelands {verb} " in USAGE for verb in VERBS)


COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
"_shtab_$1" "$1" "${COMP_WORDS[COMP_CWORD]}" ""
echo "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("randomizer ro", "roll"),
        ("randomizer fight a.xml --side R", "Right"),
        ("randomizer show va", "vale.battlemap"),
        ("battlelands pic", "picture"),
        ("battlelands picture a.xml a.pdf --paper L", "Letter"),
    ],
)
def test_bash_completes(share: Path, tmp_path: Path, typed: str, completed: str) -> None:
    (tmp_path / "vale.battlemap").touch()
    words = typed.split()
    script = share / "bash-completion" / "completions" / words[0]
    command = ["bash", "-c", COMPLETE, "bash", script, *words]
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout.strip(), done.stderr) == (completed, "")


# --- licences -------------------------------------------------------------------------------------


def test_each_package_of_a_bundle_has_its_licence_in_the_table() -> None:
    groups = [locked.DESK, "scripts"]
    pins = [
        pin for group in groups for pin in locked.read_pins(locked.lock_file(group).read_text())
    ]
    table = {part.package.lower() for part in licences.parts() if part.package}
    names = {pin.name for pin in pins} - {"setuptools"}  # which only builds the wheel
    assert table == names | {"pyinstaller"}  # of the tools that make a bundle, what is left in it


LOOSE = {"colorama": "BSD License", "pyinstaller": "GPLv2-or-later with a special exception"}
"""What packages state that name no licence of SPDX."""


def test_licences_are_those_that_the_packages_state() -> None:
    assert licences.parts()[0].licence == PROJECT["license"]
    for part in licences.parts():
        if part.package:
            licence = licence_of(distribution(part.package))
            loose = LOOSE.get(part.package.lower())
            assert licence == part.licence or (loose and licence.startswith(loose)), part.part


def test_the_notices_hold_the_text_of_every_licence() -> None:
    notices = licences.notices()
    for part in licences.parts():
        texts = list(part.texts())
        assert texts, part.part
        assert part.text == "LICENSE" or all(text in notices for text in texts), part.part
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text()
