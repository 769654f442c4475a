"""Try the bundle as a user would: ``python3 packaging/try_bundle.py [--every N]``.

Makes it, and a bare one to compare, then runs it with no environment but an empty home: without a
screen and on that of Xvfb, where there is one. A copy of it gets ``try_desk.py`` as an addition,
which drives the window. ``--every 10`` compares the pictures of one of ten files of the corpus.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bundle
from setup_environment import PYTHON, ROOT, stop_in_words
from system_libraries import SetupError, say

CORPUS = ROOT.parent / "shared" / "corpus"
LARGEST_RATIO = 1.1
"""The largest bundle, in sizes of a bare one: one that only imports Qt, numpy and V8.

Larger, and something came into the bundle that the program does not need.
"""
STARTS = 5
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
ENTRY_POINTS = "[battlelands_builder.systems]\ntry-desk = try_desk\n"
HELLO = """
import sys, numpy, py_mini_racer
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication(sys.argv)
label = QLabel(str(numpy.arange(3)))
"""


def main() -> int:
    """Make the bundle, try everything; raises SetupError with the first thing that is not so."""
    parser = argparse.ArgumentParser(description="Make the bundle and try it.")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of so many files one")
    options = parser.parse_args()
    bundle.main([])
    compare_sizes()
    with tempfile.TemporaryDirectory(prefix="battlelands-bundle-") as name:
        folder = Path(name)
        programs = folder / "bundle"
        shutil.copytree(bundle.BUNDLE, programs, symlinks=True)
        try_command_line(programs, folder)
        try_packages(folder)
        check_packages()
        add_driver(programs / "_internal")
        for screen in screens():
            try_desk(programs, folder / (screen.get("DISPLAY", "none").strip(":")), screen)
        compare_pictures(programs, folder, options.every)
        compare_starts(programs, folder)
    return 0


def compare_sizes() -> None:
    """Raise SetupError if the bundle is large beside a bare one, made by PyInstaller's defaults."""
    work = bundle.WORK / "bare"
    work.mkdir(parents=True, exist_ok=True)
    (work / "hello.py").write_text(HELLO, "utf-8")
    library_of_v8 = ("--collect-all", "py_mini_racer")
    bundle.freeze(PYTHON, work / "hello.py", work / "dist", work, *library_of_v8)
    size = bundle.size_of(bundle.BUNDLE)
    bare_size = bundle.size_of(work / "dist" / "hello")
    ratio = size / bare_size
    say(f"{size / 1e6:.0f} MB, a bare bundle {bare_size / 1e6:.0f} MB: {ratio:.2f} times")
    if ratio > LARGEST_RATIO:
        raise SetupError(f"the bundle is more than {LARGEST_RATIO} times a bare one")


def run(
    command: list[str | Path], code: int = 0, noise: str = "", **environment: str | Path
) -> str:
    """Run with that environment alone; its output. Its exit code and its silence are proven."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={name: str(value) for name, value in environment.items()},
        cwd="/",
        timeout=3600,
    )
    errors = [line for line in done.stderr.splitlines() if not (noise and re.match(noise, line))]
    if done.returncode != code or (code == 0 and errors):
        text = "\n".join(errors)
        raise SetupError(f"{command}: exit code {done.returncode}, not {code}\n{text}")
    return done.stdout


def new_home(folder: Path) -> Path:
    """An empty home."""
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    return home


def try_command_line(programs: Path, folder: Path) -> None:
    """The same maps as from the checkout, a map script among them; exit codes."""
    home = new_home(folder)
    checkout = [PYTHON, "-P", "-m", "randomizer"]
    randomizer = programs / "randomizer"
    for name, out in (("Swamp", "swamp.xml"), ("Modern", "world.map"), ("Islands", "island.js")):
        arguments = ["roll", name, "--seed", "17", "--number", "4", "--out"]
        run([randomizer, *arguments, home / out], noise=".", HOME=home)
        run([*checkout, *arguments, folder / out], noise=".", HOME=home)
        if (home / out).read_bytes() != (folder / out).read_bytes():
            raise SetupError(f"{name}: the bundle rolls another map than the checkout")
    run([randomizer, "convert", home / "swamp.xml", home / "swamp.battlemap"], HOME=home)
    run([randomizer, "roll", "Nothing"], 1, HOME=home)
    run([randomizer, "--nothing"], 2, HOME=home)
    run([programs / "battlelands", "--nothing"], 2, HOME=home)
    say("The command line rolls the checkout's maps, those of map scripts, too.")


def try_packages(folder: Path) -> None:
    """The Debian package and the AppImage start, from a link, too."""
    home = new_home(folder)
    for package in sorted(bundle.DIST.iterdir()):
        if package.suffix == ".deb":
            run(["dpkg-deb", "-x", package, folder / "deb"], PATH=os.environ["PATH"])
            program = folder / "deb" / "usr" / "bin" / "randomizer"
        elif package.suffix == ".AppImage":
            program = folder / "randomizer"
            program.symlink_to(package)
        else:
            continue
        temporary = {"TMPDIR": folder, "PATH": "/usr/bin:/bin"}
        said = run([program, "--version"], HOME=home, APPIMAGE_EXTRACT_AND_RUN="1", **temporary)
        say(f"{package.name}: {said.strip()}")


def check_packages() -> None:
    """Lintian says nothing of the Debian package beyond what its overrides name."""
    for package in bundle.DIST.glob("*.deb"):
        if shutil.which("lintian") is None:
            say("Lintian is not here: the Debian package is not checked.")
            continue
        tags = bundle.call(["lintian", "--allow-root", package]).strip()
        if tags:
            raise SetupError(f"lintian says of {package.name}:\n{tags}")


def add_driver(path: Path) -> None:
    """Lay the driver on a path of modules, as an installed package."""
    shutil.copy2(ROOT / "packaging" / "try_desk.py", path)
    metadata = path / "try_desk-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: try-desk\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)


@contextmanager
def xvfb() -> Iterator[str]:
    """A screen in memory; the name of the display."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as answer:
                yield f":{answer.readline().strip()}"
        finally:
            server.terminate()


def screens() -> Iterator[dict[str, str]]:
    """The environments of a desk: no screen, then one in memory."""
    yield OFFSCREEN
    if shutil.which("Xvfb"):
        with xvfb() as display:
            yield {"DISPLAY": display}


def try_desk(programs: Path, folder: Path, screen: dict[str, str]) -> None:
    """Start, roll, paint, save, be killed; then recover, export, and see galleries."""
    home = new_home(folder)
    desk = programs / "battlelands"
    for name, out in (("Modern", "world"), ("Islands", "island")):
        run(
            [programs / "randomizer", "roll", name, "--out", folder / f"{out}.battlemap"],
            noise=".",
            HOME=home,
        )
    common = {"HOME": home, "TRY_FOLDER": folder, **screen}
    noise = "This plugin does not support propagateSizeHints" if screen is OFFSCREEN else ""
    run([desk], -signal.SIGKILL, noise, TRY_DESK="work", **common)
    run([desk], 0, noise, TRY_DESK="recover", **common)
    run([programs / "randomizer", "check", folder / "exported.xml"], noise=".", HOME=home)
    about = (folder / "about.html").read_text("utf-8")
    for text in ("built from", "mini-racer", "LGPL", "Python"):
        if text not in about:
            raise SetupError(f"{text} is not in About:\n{about}")
    say(f"The desk rolls, paints, saves, is killed, recovers, exports, shows galleries: {screen}")


def desks(programs: Path, folder: Path) -> Iterator[tuple[str, list[str | Path], dict[str, str]]]:
    """The desk of the bundle and that of the checkout, each with the driver."""
    additions = folder / "additions"
    if not additions.exists():
        additions.mkdir()
        add_driver(additions)
    yield "bundle", [programs / "battlelands"], {}
    yield "checkout", [PYTHON, "-P", "-m", "app"], {"PYTHONPATH": str(additions)}


def compare_pictures(programs: Path, folder: Path, every: int) -> None:
    """Every map of the corpus looks the same in both, or is refused with the same exit code."""
    maps = [str(file) for file in sorted(CORPUS.rglob("*")) if file.is_file()][::every]
    results = []
    for name, command, variables in desks(programs, folder):
        drawn = folder / f"pictures-{name}"
        drawn.mkdir()
        (drawn / "maps.json").write_text(json.dumps(maps), "utf-8")
        common = {"HOME": new_home(folder), "TRY_FOLDER": drawn, "TRY_DESK": "pictures"}
        run(command, noise=".", **common, **variables, **OFFSCREEN)
        pictures = {file.name: file.read_bytes() for file in drawn.glob("*.png")}
        results.append((json.loads((drawn / "codes.json").read_text("utf-8")), pictures))
    if results[0] != results[1]:
        raise SetupError("the bundle draws other pictures of the corpus than the checkout")
    say(f"{len(results[0][1])} pictures of {len(maps)} files of the corpus are the checkout's.")


def compare_starts(programs: Path, folder: Path) -> None:
    """The processor time of a start, the best of some, with the sprites of the one before."""
    best = {}
    for name, command, variables in desks(programs, folder):
        common = {"HOME": new_home(folder), "TRY_FOLDER": folder, "TRY_DESK": "start"}
        times = []
        for _ in range(STARTS + 1):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run(command, noise=".", **common, **variables, **OFFSCREEN)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        best[name] = min(times[1:])
    ratio = best["bundle"] / best["checkout"]
    say(f"Start: {best['bundle']:.2f} s of the processor, {ratio:.2f} times the checkout's.")


if __name__ == "__main__":
    stop_in_words(main)
