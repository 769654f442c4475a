"""The set-up scripts, without a network and without installing anything."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"
QT = Path("/home/ann/battle maps/.venv/lib/python3.12/site-packages")

LDD_OUTPUT = f"""\
{QT}/PySide6/QtGui.abi3.so:
\tlinux-vdso.so.1 (0x00007ffd5a5f2000)
\tlibQt6Gui.so.6 => {QT}/PySide6/Qt/lib/libQt6Gui.so.6 (0x00007f2b1c000000)
\tlibGL.so.1 => /lib/x86_64-linux-gnu/libGL.so.1 (0x00007f2b1bf00000)
\tlibglib-2.0.so.0 => not found
\t/lib64/ld-linux-x86-64.so.2 (0x00007f2b1d000000)
{QT}/PySide6/Qt/plugins/platforms/libqxcb.so:
\tlibGL.so.1 => /lib/x86_64-linux-gnu/libGL.so.1 (0x00007f2b1bf00000)
\tlibxkbcommon-x11.so.0 => not found
\tlibglib-2.0.so.0 => not found
"""


def load(name: str) -> ModuleType:
    """The script ``name``. Its folder is no package; a script puts it on the path for itself."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = sys.path.copy()
    sys.path.insert(0, str(FOLDER))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = path
    return module


@pytest.fixture(scope="module")
def libraries() -> ModuleType:
    return load("system_libraries")


@pytest.fixture(scope="module")
def environment() -> ModuleType:
    return load("setup_environment")


@pytest.fixture
def in_own_folder(environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout and its environment are in the folder of the test, and Python is this one."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(environment, "STAMP", tmp_path / "ready.json")


@pytest.fixture
def a_linux_without_libraries(libraries: ModuleType, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A Linux system whose ldd says LDD_OUTPUT; the set names the programs that it has."""
    programs = {"ldd"}

    def answer(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        known = "Package: libglib2.0-0t64\nPackage: libxkbcommon-x11-0\n"
        outputs = {"ldd": LDD_OUTPUT, "apt-cache": known}
        return subprocess.CompletedProcess(command, 0, outputs[command[0]], "")

    monkeypatch.setattr(libraries.sys, "platform", "linux")
    monkeypatch.setattr(libraries.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(libraries.subprocess, "run", answer)
    monkeypatch.setattr(libraries.shutil, "which", lambda name: name if name in programs else None)
    return programs


def test_ldd_tells_what_is_missing_and_what_of_the_system_is_used(libraries: ModuleType) -> None:
    missing, found = libraries.read_ldd(LDD_OUTPUT, inside=QT)
    assert missing == ["libglib-2.0.so.0", "libxkbcommon-x11.so.0"]
    assert found == ["/lib/x86_64-linux-gnu/libGL.so.1"]


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libEGL.so.1", "libegl1"),
        ("libGL.so.1", "libgl1"),
        ("libgssapi_krb5.so.2", "libgssapi-krb5-2"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libwayland-cursor.so.0", "libwayland-cursor0"),
    ],
)
def test_debian_names_a_package_after_its_library(
    libraries: ModuleType, library: str, package: str
) -> None:
    assert libraries.debian_names(library) == (f"{package}t64", package)


def test_the_package_is_the_one_that_this_release_knows(libraries: ModuleType) -> None:
    glib = libraries.debian_names("libglib-2.0.so.0")
    assert libraries.choose([glib, glib], {"libglib2.0-0t64"}) == ["libglib2.0-0t64"]
    assert libraries.choose([glib], {"libglib2.0-0"}) == ["libglib2.0-0"]
    assert libraries.choose([glib], set()) == ["libglib2.0-0"]


def test_a_user_on_debian_is_told_one_command(
    libraries: ModuleType, a_linux_without_libraries: set[str]
) -> None:
    a_linux_without_libraries.add("apt-get")
    with pytest.raises(libraries.SetupError) as stop:
        libraries.make_ready(QT / "PySide6", ("xcb",), yes=False)
    assert (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
        "libglib2.0-0t64 libxkbcommon-x11-0\n" in str(stop.value)
    )


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("dnf", "sudo dnf install 'libglib-2.0.so.0()(64bit)' 'libxkbcommon-x11.so.0()(64bit)'"),
        ("zypper", "sudo zypper install 'libglib-2.0.so.0()(64bit)'"),
        ("pacman", "sudo pacman -S --needed dbus"),
        ("nothing", "libglib-2.0.so.0 libxkbcommon-x11.so.0"),
    ],
)
def test_users_of_other_systems_are_told_theirs(
    libraries: ModuleType, a_linux_without_libraries: set[str], program: str, command: str
) -> None:
    a_linux_without_libraries.add(program)
    with pytest.raises(libraries.SetupError) as stop:
        libraries.make_ready(QT / "PySide6", ("xcb",), yes=False)
    assert command in str(stop.value)


def test_only_linux_is_asked_for_libraries(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries.sys, "platform", "darwin")
    assert libraries.make_ready(QT / "PySide6", ("cocoa",), yes=False) == []


@pytest.mark.usefixtures("in_own_folder")
def test_a_later_start_trusts_the_stamp_only_while_it_holds(
    environment: ModuleType, tmp_path: Path
) -> None:
    library = tmp_path / "libGL.so.1"
    assert not environment.is_ready("key", "desk")

    library.touch()
    environment.write_stamp("key", "desk", [str(library)])
    environment.write_stamp("key", "tests", [])
    assert environment.is_ready("key", "desk")
    assert environment.is_ready("key", "tests")
    assert not environment.is_ready("key", "another purpose")
    assert not environment.is_ready("key of other dependencies", "desk")

    library.unlink()
    assert not environment.is_ready("key", "desk")


@pytest.mark.usefixtures("in_own_folder")
def test_other_dependencies_make_every_purpose_unready(
    environment: ModuleType, tmp_path: Path
) -> None:
    environment.write_stamp("one branch", "tests", [])
    environment.write_stamp("another branch", "desk", [])
    assert not environment.is_ready("one branch", "tests")


@pytest.mark.usefixtures("in_own_folder")
def test_a_broken_stamp_counts_for_nothing(environment: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "ready.json").write_text('{"key": "ke')
    assert not environment.is_ready("ke", "desk")


@pytest.mark.usefixtures("in_own_folder")
def test_dependencies_change_the_key_and_a_linters_options_do_not(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def key_of(text: str) -> str:
        (tmp_path / "pyproject.toml").write_text(text)
        return str(environment.environment_key())

    lock = tmp_path / "desk.txt"
    lock.write_text("numpy==2.4.6 --hash=sha256:0\n")
    monkeypatch.setattr(environment, "locks_up_to", lambda _group: [lock])
    project = '[build-system]\nrequires = ["setuptools"]\n[project]\ndependencies = ["numpy"]\n'
    assert key_of(project) == key_of(project + "[tool.ruff]\nline-length = 100\n")
    assert key_of(project) != key_of(project.replace("numpy", "numpy>=2"))
    before = key_of(project)
    lock.write_text("numpy==2.4.6 --hash=sha256:1\n")
    assert key_of(project) != before


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("Failed to establish a new connection: [Errno -2]", "package index cannot be reached"),
        ("ERROR: No space left on device", "No space left on device"),
    ],
)
def test_pip_failures_are_said_in_words(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, output: str, words: str
) -> None:
    failed = subprocess.CompletedProcess([], 1, "", output)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(environment.SetupError, match=words):
        environment.pip(Path(sys.executable), "install", "numpy")


def test_a_failed_setup_ends_without_a_traceback(
    environment: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_network() -> int:
        raise environment.SetupError("The package index cannot be reached.")

    with pytest.raises(SystemExit) as stop:
        environment.stop_in_words(no_network)
    assert stop.value.code == 1
    assert capsys.readouterr().err == "\nThe package index cannot be reached.\n"


@pytest.mark.usefixtures("in_own_folder")
@pytest.mark.skipif(os.name == "nt", reason="another kind of lock")
def test_two_setups_at_once_wait_for_each_other(environment: ModuleType, tmp_path: Path) -> None:
    other = f"""
import json, pathlib, sys
sys.path.insert(0, {json.dumps(str(FOLDER))})
import setup_environment
setup_environment.ROOT = pathlib.Path({json.dumps(str(tmp_path))})
with setup_environment.only_one_at_a_time():
    print((setup_environment.ROOT / "first").exists())
"""
    with environment.only_one_at_a_time():
        second = subprocess.Popen(
            [sys.executable, "-c", other],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stderr is not None
        assert "Waiting for another run" in second.stderr.readline()
        (tmp_path / "first").touch()
    assert second.communicate(timeout=30)[0] == "True\n"


def test_a_test_run_counts_passed_and_failed_tests(tmp_path: Path) -> None:
    script = load("test")
    report = tmp_path / "tests.xml"
    report.write_text(
        '<testsuites><testsuite tests="12" failures="1" errors="2" skipped="3"/></testsuites>'
    )
    assert script.count_tests(report) == (6, 3)
    assert script.count_tests(tmp_path / "absent.xml") == (0, 0)


Calls = list[tuple[str, ...]]


class Index:
    """A package index: what pip was told to install, and what it lacks."""

    def __init__(self, environment: ModuleType) -> None:
        self.environment = environment
        self.calls: Calls = []
        self.fails: dict[str, type[Exception]] = {}
        """The kind of error by a word of the options that asks for it."""

    def pip(self, _python: Path, _install: str, *options: str) -> None:
        self.calls.append(options)
        for word, kind in self.fails.items():
            if any(word in option for option in options):
                raise kind("there is no package for this machine")

    def installed(self) -> list[str]:
        """The names of the lock files, and "project" where it came; without further packages."""
        assert all("--no-deps" in options for options in self.calls)
        names = [Path(option).name for options in self.calls for option in options]
        names = ["project" if name == "--editable" else name for name in names]
        return [name for name in names if name.endswith(".txt") or name == "project"]


@pytest.fixture
def index(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Index:
    made = Index(environment)
    monkeypatch.setattr(environment, "is_usable", lambda: True)
    monkeypatch.setattr(environment, "pip", made.pip)
    return made


def test_the_locked_versions_are_installed_by_their_digests(
    environment: ModuleType, index: Index
) -> None:
    environment.make_environment("dev", False)
    assert index.installed() == ["desk.txt", "scripts.txt", "bundle.txt", "dev.txt", "project"]
    assert "--require-hashes" in index.calls[0]
    assert "--no-build-isolation" in index.calls[1]


@pytest.mark.parametrize("is_there", [True, False])
def test_installing_is_said_only_where_there_is_no_environment(
    environment: ModuleType,
    index: Index,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    is_there: bool,
) -> None:
    done = subprocess.CompletedProcess([], 0, "", "")
    monkeypatch.setattr(environment, "is_usable", lambda: is_there)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **_options: done)
    environment.make_environment("dev", False)
    said = capsys.readouterr().err
    assert ("Installing" in said) != is_there
    assert ("Looking whether" in said) == is_there


def test_the_desk_is_installed_without_an_engine_for_scripts_if_it_must(
    environment: ModuleType, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.fails["scripts.txt"] = environment.NotLockedError
    environment.make_environment(environment.SPARED, False)
    assert index.installed() == ["desk.txt", "scripts.txt", "desk.txt", "project"]
    said = capsys.readouterr().err
    assert "there is no package for this machine" in said
    assert "Map scripts in JavaScript will not run; everything else will." in said


def test_a_python_that_the_lock_does_not_cover_gets_other_versions_and_is_told(
    environment: ModuleType, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.fails["desk.txt"] = environment.NotLockedError
    environment.make_environment(environment.SPARED, False)
    assert "--no-deps" not in index.calls[-1]
    assert "Other versions are tried, which are not locked." in capsys.readouterr().err


def test_a_file_with_another_digest_is_never_installed(
    environment: ModuleType, index: Index
) -> None:
    index.fails["desk.txt"] = environment.SetupError
    with pytest.raises(environment.SetupError):
        environment.make_environment(environment.SPARED, False)
    assert index.installed() == ["desk.txt", "scripts.txt", "desk.txt"]


def test_the_tests_are_not_installed_by_half(environment: ModuleType, index: Index) -> None:
    index.fails["dev.txt"] = environment.NotLockedError
    with pytest.raises(environment.SetupError):
        environment.make_environment("dev", False)
    assert index.installed() == ["desk.txt", "scripts.txt", "bundle.txt", "dev.txt"]


WITHOUT_LIBRARIES = f"""
import os, pathlib, sys
sys.path.insert(0, {json.dumps(str(FOLDER))})
import system_libraries
sys.platform, os.geteuid = "linux", lambda: 0
try:
    system_libraries.make_ready(pathlib.Path("PySide6"), ("xcb",), yes="--yes" in sys.argv)
except system_libraries.SetupError as error:
    print(error, file=sys.stderr)
"""


@pytest.mark.skipif(os.name == "nt", reason="shell scripts, terminals")
@pytest.mark.parametrize(
    ("typed", "options", "installed"),
    [
        (b"n\n", [], False),
        (b"y\n", [], True),
        (b"\n", [], True),
        (b"\x04", [], False),
        (b"", ["--yes"], True),
        (None, [], True),
    ],
    ids=["no", "yes", "Enter", "end of input", "--yes", "no terminal"],
)
def test_a_real_terminal_is_asked_and_a_container_is_not(
    tmp_path: Path, typed: bytes | None, options: list[str], installed: bool
) -> None:
    import pty

    said = LDD_OUTPUT.replace("\t", "\\t").replace("\n", "\\n")
    programs = {
        "ldd": f"printf '{said}'",
        "apt-cache": "echo Package: libxkbcommon-x11-0",
        "apt-get": f'echo "$@" >> "{tmp_path}/given"',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    user, terminal = pty.openpty() if typed is not None else (-1, subprocess.DEVNULL)
    if typed:
        os.write(user, typed)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARIES, *options],
        stdin=terminal,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(tmp_path)},
    )
    if typed is not None:
        os.close(user)
        os.close(terminal)
    assert "apt-get update && apt-get install -y" in done.stderr
    assert ("[Y/n]" in done.stderr) == bool(typed)
    given = (tmp_path / "given").read_text() if (tmp_path / "given").exists() else ""
    assert ("install" in given and "libxkbcommon-x11-0" in given) == installed


@pytest.mark.usefixtures("in_own_folder")
def test_the_program_and_its_libraries_are_compiled_before_the_first_start(
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    libraries = tmp_path / "site-packages"
    files = [tmp_path / "app" / "desk.py", tmp_path / "randomizer" / "model" / "dice.py"]
    files.append(libraries / "numpy" / "core.py")
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("ANSWER = 42\n")
    (libraries / "template.py").write_text("print 'of another Python'\n")
    monkeypatch.setattr(environment, "pyside_folder", lambda: libraries / "PySide6")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # as a user may have it
    environment.compile_program()
    for file in files:
        assert list((file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"))
    assert "Compiling" in capsys.readouterr().err
