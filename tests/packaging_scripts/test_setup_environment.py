"""The set-up scripts, without a network and without installing anything."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

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


def load(name: str, folder: Path = FOLDER) -> ModuleType:
    """Return the script ``name``.

    Its folder is no package; a script puts it on the path for itself.
    """
    spec = importlib.util.spec_from_file_location(f"script_{name}", folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = sys.path.copy()
    sys.path.insert(0, str(folder))
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
def own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script of a checkout in the folder of the test, whose Python is this one."""
    shutil.copytree(FOLDER, tmp_path / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("locked", "system_libraries"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    environment = load("setup_environment", tmp_path / "packaging")
    assert tmp_path == environment.ROOT
    environment.PYTHON.parent.mkdir(parents=True)
    environment.PYTHON.symlink_to(sys.executable)
    return environment


def add_program(folder: Path, name: str, code: str = "") -> None:
    """Put a program of the shell into a folder."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{code}\n")
    program.chmod(0o755)


@pytest.fixture
def a_linux_without_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the programs of a Linux system whose ldd says LDD_OUTPUT."""
    if not sys.platform.startswith("linux"):
        pytest.skip("this is no Linux system")
    programs = tmp_path / "programs"
    add_program(programs, "ldd", f"printf '{shell_text(LDD_OUTPUT)}'")
    packages = "Package: libglib2.0-0t64\nPackage: libxkbcommon-x11-0\n"
    add_program(programs, "apt-cache", f"printf '{shell_text(packages)}'")
    monkeypatch.setenv("PATH", str(programs))
    return programs


def shell_text(text: str) -> str:
    """Return a text as ``printf`` of the shell takes it."""
    return text.replace("\t", "\\t").replace("\n", "\\n")


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
    libraries: ModuleType, a_linux_without_libraries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_program(a_linux_without_libraries, "apt-get")
    monkeypatch.setattr(libraries.os, "geteuid", lambda: 1000)  # root runs tests, too
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
    libraries: ModuleType, a_linux_without_libraries: Path, program: str, command: str
) -> None:
    add_program(a_linux_without_libraries, program)
    with pytest.raises(libraries.SetupError) as stop:
        libraries.make_ready(QT / "PySide6", ("xcb",), yes=False)
    assert command in str(stop.value)


def test_only_linux_is_asked_for_libraries(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries.sys, "platform", "darwin")  # each asks this of Python
    assert libraries.make_ready(QT / "PySide6", ("cocoa",), yes=False) == []


def test_a_later_start_trusts_the_stamp_only_while_it_holds(
    own_environment: ModuleType, tmp_path: Path
) -> None:
    environment = own_environment
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


def test_other_dependencies_make_every_purpose_unready(own_environment: ModuleType) -> None:
    own_environment.write_stamp("one branch", "tests", [])
    own_environment.write_stamp("another branch", "desk", [])
    assert not own_environment.is_ready("one branch", "tests")


def test_a_broken_stamp_counts_for_nothing(own_environment: ModuleType, tmp_path: Path) -> None:
    (tmp_path / ".venv" / "ready.json").write_text('{"key": "ke')
    assert not own_environment.is_ready("ke", "desk")


def test_dependencies_change_the_key_and_a_linters_options_do_not(
    own_environment: ModuleType, tmp_path: Path
) -> None:
    def key_of(text: str) -> str:
        (tmp_path / "pyproject.toml").write_text(text)
        return str(own_environment.environment_key())

    lock = tmp_path / "packaging" / "locks" / "desk.txt"
    lock.write_text("numpy==2.4.6 --hash=sha256:0\n")
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
@pytest.mark.skipif(os.name == "nt", reason="shell scripts")
def test_pip_failures_are_said_in_words(
    environment: ModuleType, tmp_path: Path, output: str, words: str
) -> None:
    add_program(tmp_path, "python", f"echo '{output}' >&2\nexit 1")
    with pytest.raises(environment.SetupError, match=words):
        environment.pip(tmp_path / "python", "install", "numpy")


def test_a_failed_setup_ends_without_a_traceback(
    environment: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_network() -> int:
        raise environment.SetupError("The package index cannot be reached.")

    with pytest.raises(SystemExit) as stop:
        environment.stop_in_words(no_network)
    assert stop.value.code == 1
    assert capsys.readouterr().err == "\nThe package index cannot be reached.\n"


@pytest.mark.skipif(os.name == "nt", reason="another kind of lock")
def test_two_setups_at_once_wait_for_each_other(
    own_environment: ModuleType, tmp_path: Path
) -> None:
    other = f"""
import json, sys
sys.path.insert(0, {json.dumps(str(tmp_path / "packaging"))})
import setup_environment
with setup_environment.only_one_at_a_time():
    print((setup_environment.ROOT / "first").exists())
"""
    with own_environment.only_one_at_a_time():
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


STAND_IN_PYTHON = f"""\
#!{sys.executable}
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
options = sys.argv[sys.argv.index("pip") + 1 :]
if "install" in options:
    with (folder / "calls").open("a") as calls:
        calls.write(json.dumps(options[options.index("install") + 1 :]) + "\\n")
    lacking = json.loads((folder / "lacking").read_text())
    for word, message in lacking.items():
        if any(word in option for option in options):
            sys.exit(message)
"""
"""A Python with a pip that notes what it is told to install, and lacks what it is told to lack."""

NO_FILE = "No matching distribution found"
OTHER_DIGEST = "these packages do not match the hashes"


class Index:
    """A package index: what pip was told to install, and what it lacks.

    ``lacks`` notes what pip says when a word is among the options that it gets.
    """

    def __init__(self, environment: ModuleType) -> None:
        self._folder: Path = environment.SCRIPTS
        environment.PYTHON.unlink()
        environment.PYTHON.write_text(STAND_IN_PYTHON, "utf-8")
        environment.PYTHON.chmod(0o755)
        (self._folder / "calls").touch()
        self.lacks()
        configuration = f"command = python -m venv {environment.VENV}\n"
        configuration += f"version = {environment.python_version()}.1\n"
        (environment.VENV / "pyvenv.cfg").write_text(configuration)

    def lacks(self, **messages: str) -> None:
        """Let pip end with a message wherever a lock file of a group is among its options."""
        lacking = {f"{group}.txt": message for group, message in messages.items()}
        (self._folder / "lacking").write_text(json.dumps(lacking))

    @property
    def calls(self) -> list[list[str]]:
        """The options of each call of ``pip install``."""
        return [json.loads(line) for line in (self._folder / "calls").read_text().splitlines()]

    def installed(self) -> list[str]:
        """Return the names of the lock files, and "project" where it came; no further packages."""
        assert all("--no-deps" in options for options in self.calls)
        names = [Path(option).name for options in self.calls for option in options]
        names = ["project" if name == "--editable" else name for name in names]
        return [name for name in names if name.endswith(".txt") or name == "project"]


@pytest.fixture
def index(own_environment: ModuleType) -> Index:
    if os.name == "nt":
        pytest.skip("shell scripts")
    return Index(own_environment)


def test_the_locked_versions_are_installed_by_their_digests(
    own_environment: ModuleType, index: Index
) -> None:
    own_environment.make_environment("dev", False)
    assert index.installed() == ["desk.txt", "scripts.txt", "bundle.txt", "dev.txt", "project"]
    assert "--require-hashes" in index.calls[0]
    assert "--no-build-isolation" in index.calls[1]


@pytest.mark.parametrize("is_there", [True, False])
def test_installing_is_said_only_where_there_is_no_environment(
    own_environment: ModuleType,
    index: Index,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    is_there: bool,
) -> None:
    environment = own_environment
    done = subprocess.CompletedProcess([], 0, "", "")
    if not is_there:
        (environment.VENV / "pyvenv.cfg").unlink()
        # A real environment takes seconds, and its pip a network.
        monkeypatch.setattr(environment.subprocess, "run", lambda *_, **_options: done)
    environment.make_environment("dev", False)
    said = capsys.readouterr().err
    assert ("Installing" in said) != is_there
    assert ("Looking whether" in said) == is_there


def test_a_link_to_another_environment_is_not_emptied(
    own_environment: ModuleType, tmp_path: Path
) -> None:
    other_environment = tmp_path / "other"
    other_environment.mkdir()
    (other_environment / "kept.txt").write_text("kept")
    if own_environment.VENV.exists():
        shutil.rmtree(own_environment.VENV)
    own_environment.VENV.symlink_to(other_environment, target_is_directory=True)
    with pytest.raises(own_environment.SetupError, match="is a link"):
        own_environment.make_environment("dev", True)
    assert (other_environment / "kept.txt").read_text() == "kept"


def test_the_desk_is_installed_without_an_engine_for_scripts_if_it_must(
    own_environment: ModuleType, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.lacks(scripts=NO_FILE)
    own_environment.make_environment(own_environment.SPARED, False)
    assert index.installed() == ["desk.txt", "scripts.txt", "desk.txt", "project"]
    said = capsys.readouterr().err
    assert NO_FILE in said
    assert "Map scripts in JavaScript will not run; everything else will." in said


def test_a_python_that_the_lock_does_not_cover_gets_other_versions_and_is_told(
    own_environment: ModuleType, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.lacks(desk=NO_FILE)
    own_environment.make_environment(own_environment.SPARED, False)
    assert "--no-deps" not in index.calls[-1]
    assert "Other versions are tried, which are not locked." in capsys.readouterr().err


def test_a_file_with_another_digest_is_never_installed(
    own_environment: ModuleType, index: Index
) -> None:
    index.lacks(desk=OTHER_DIGEST)
    with pytest.raises(own_environment.SetupError, match=OTHER_DIGEST):
        own_environment.make_environment(own_environment.SPARED, False)
    assert index.installed() == ["desk.txt", "scripts.txt", "desk.txt"]


def test_the_tests_are_not_installed_by_half(own_environment: ModuleType, index: Index) -> None:
    index.lacks(dev=NO_FILE)
    with pytest.raises(own_environment.NotLockedError):
        own_environment.make_environment("dev", False)
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

    programs = {
        "ldd": f"printf '{shell_text(LDD_OUTPUT)}'",
        "apt-cache": "echo Package: libxkbcommon-x11-0",
        "apt-get": f'echo "$@" >> "{tmp_path}/given"',
    }
    for name, code in programs.items():
        add_program(tmp_path, name, code)
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


def test_the_program_and_its_libraries_are_compiled_before_the_first_start(
    own_environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    libraries = own_environment.pyside_folder().parent
    files = [tmp_path / "app" / "desk.py", tmp_path / "randomizer" / "model" / "dice.py"]
    files.append(libraries / "numpy" / "core.py")
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("ANSWER = 42\n")
    (libraries / "template.py").write_text("print 'of another Python'\n")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # as a user may have it
    own_environment.compile_program()
    for file in files:
        assert list((file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"))
    assert "Compiling" in capsys.readouterr().err
