"""The system's own libraries that Qt loads: which are missing, and how this system gets them.

Nothing is guessed from the distribution's name. ``ldd`` says what Qt's modules and platform plugins
cannot find, and a library's file name gives the package: on Debian by its naming policy (and by
what ``apt-cache`` knows, for the names differ by release), on RPM systems by the capability of the
same name.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtPrintSupport", "QtTest", "QtOpenGLWidgets")
LDD_LINE = re.compile(r"^\s+(\S+) => (not found|/.*?)(?: \(0x[0-9a-f]+\))?$", re.MULTILINE)

# Debian packages that are not named after their library.
IRREGULAR = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libGLdispatch.so.0": "libglvnd0",
    "libz.so.1": "zlib1g",
}
# Arch cannot be asked by a library's name; this is everything that Qt's X11 and Wayland need there.
ARCH_PACKAGES = (
    "dbus fontconfig glib2 libglvnd libxkbcommon-x11 ttf-dejavu wayland xcb-util-cursor "
    "xcb-util-image xcb-util-keysyms xcb-util-renderutil xcb-util-wm"
)


class SetupError(Exception):
    """The environment cannot be made ready. The text is for the user and says what to do."""


def say(text: str) -> None:
    """Tell the user something; standard output stays the program's own."""
    print(text, file=sys.stderr, flush=True)


def make_ready(pyside: Path, platforms: tuple[str, ...], yes: bool) -> list[str]:
    """Install or ask for what Qt needs from the system; the paths of the libraries it then uses.

    ``pyside`` is the installed PySide6 folder, ``platforms`` names Qt's platform plugins ("xcb",
    "wayland", "offscreen"), ``yes`` is as in ``install_debian``. Raises SetupError with the command
    to give when something is missing and is not installed from here.
    """
    if not sys.platform.startswith("linux") or shutil.which("ldd") is None:
        return []
    missing, found = look_up(pyside, platforms)
    if missing:
        install(missing, yes)
        missing, found = look_up(pyside, platforms)
        if missing:
            raise SetupError(
                f"Qt still does not find {', '.join(missing)}.\n"
                "Please install the packages that hold these libraries, then start again."
            )
    return found


def look_up(pyside: Path, platforms: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What ``read_ldd`` says of Qt's modules and of the plugins of ``platforms``."""
    plugins = pyside / "Qt" / "plugins"
    files = [pyside / f"{module}.abi3.so" for module in MODULES]
    files += [plugins / "platforms" / f"libq{platform}.so" for platform in platforms]
    files += [plugins / "iconengines" / "libqsvgicon.so", plugins / "imageformats" / "libqjpeg.so"]
    present = [str(file) for file in files if file.exists()]
    output = subprocess.run(
        ["ldd", *present], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}
    ).stdout
    return read_ldd(output, inside=pyside.parent)


def read_ldd(output: str, inside: Path) -> tuple[list[str], list[str]]:
    """The libraries that ldd did not find, and the paths of those it found outside ``inside``.

    Both are sorted and without duplicates.
    """
    missing = set()
    found = set()
    for name, where in LDD_LINE.findall(output):
        if where == "not found":
            missing.add(name)
        elif not where.startswith(f"{inside}{os.sep}"):
            found.add(where)
    return sorted(missing), sorted(found)


def install(libraries: list[str], yes: bool) -> None:
    """Install the packages of ``libraries`` with apt-get if we may, else raise the command."""
    names = ", ".join(libraries)
    if shutil.which("apt-get"):
        # Fonts come by themselves: every libfontconfig depends on one.
        packages = [debian_names(library) for library in libraries]
        install_debian(packages, f"Qt needs {names}", yes)
        return
    raise SetupError(
        f"Qt needs libraries of the system that are missing: {names}.\n"
        f"Please give this command, then start again:\n\n    {command_elsewhere(libraries)}\n"
    )


def command_elsewhere(libraries: list[str]) -> str:
    """The command that installs ``libraries`` on a system without apt-get."""
    capabilities = " ".join(f"'{library}()(64bit)'" for library in libraries)
    if shutil.which("dnf"):
        return f"sudo dnf install {capabilities}"
    if shutil.which("zypper"):
        return f"sudo zypper install {capabilities}"
    if shutil.which("pacman"):
        return f"sudo pacman -S --needed {ARCH_PACKAGES}"
    return f"(your system's package manager) install {' '.join(libraries)}"


def debian_names(library: str) -> tuple[str, ...]:
    """The packages that may hold ``library`` on Debian or Ubuntu, the newer name first.

    libxkbcommon-x11.so.0 is in libxkbcommon-x11-0; since 2024 some end in t64 (64-bit time).
    """
    name = IRREGULAR.get(library)
    if name is None:
        stem, _, version = library.partition(".so.")
        stem = stem.lower().replace("_", "-")
        name = f"{stem}-{version}" if stem[-1].isdigit() else f"{stem}{version}"
    return f"{name}t64", name


def choose(wanted: list[tuple[str, ...]], known: set[str]) -> list[str]:
    """Of each group of names the first that is ``known``, else its last; sorted, each once."""
    return sorted({next((n for n in names if n in known), names[-1]) for names in wanted})


def known_to_apt(wanted: list[tuple[str, ...]]) -> set[str]:
    """Those of the names for which apt has a real (not only a virtual) package."""
    names = [name for group in wanted for name in group]
    command = ["apt-cache", "show", "--no-all-versions", *names]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return set(re.findall(r"^Package: (\S+)$", output, re.MULTILINE))


def install_debian(wanted: list[tuple[str, ...]], reason: str, yes: bool) -> None:
    """Install one package of each group as root; raise SetupError with the command otherwise.

    Whoever sits at a terminal is asked first, unless ``yes`` says that the answer is known; without
    a terminal there is no question.
    """
    arguments = ["install", "-y", "--no-install-recommends"]
    names = " ".join([*arguments, *choose(wanted, known_to_apt(wanted))])
    if os.geteuid() != 0:
        raise SetupError(
            f"{reason}, which this system lacks. Please give this command, then start again:\n\n"
            f"    sudo apt-get update && sudo apt-get {names}\n"
        )
    command = f"apt-get update && apt-get {names}"
    say(f"{reason}, which this system lacks. This installs it:\n\n    {command}\n")
    if not yes and sys.stdin.isatty() and not agreed("Give this command now?"):
        raise SetupError("Nothing was installed. Start again when the packages are there.")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    updated = subprocess.run([*apt, "update"], capture_output=True, text=True, env=environment)
    packages = choose(wanted, known_to_apt(wanted))
    installed = subprocess.run(
        [*apt, *arguments, *packages], capture_output=True, text=True, env=environment
    )
    if installed.returncode != 0:
        rows = (updated.stderr + installed.stdout + installed.stderr).strip().splitlines()
        raise SetupError(
            f"{reason}, but apt-get could not install {' '.join(packages)}.\n"
            "Is there a network connection? It said:\n\n  " + "\n  ".join(rows[-12:])
        )


def agreed(question: str) -> bool:
    """Ask at the terminal; Enter alone agrees, the end of the input does not."""
    print(f"{question} [Y/n] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    return answer.strip().lower() in ("", "y", "yes") and bool(answer)
