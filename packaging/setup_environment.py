"""The project's environment: .venv with its dependencies, made once and checked at every start.

Standard library only: it runs with whatever Python the user has. What is ready is written down in
a stamp inside .venv, so that a later start reads two small files and is off.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from locked import DESK, GROUPS, locks_up_to
from system_libraries import SetupError, install_debian, make_ready, say

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
ON_WINDOWS = os.name == "nt"
SCRIPTS = VENV / ("Scripts" if ON_WINDOWS else "bin")
STAMP = VENV / "ready.json"
PACKAGES = ("app", "randomizer")  # the program's own, which are used where they are
SPARED = "scripts"  # the optional dependencies without which the desk starts all the same
STAMP_VERSION = 2  # counts up when this file makes the environment in another way

# What pip says when it cannot reach the package index.
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ProxyError|Failed to establish"
    r"|Temporary failure in name resolution|Max retries exceeded|Network is unreachable"
)

# What pip says when a locked version has no file for this machine or this Python. Of a file with
# another digest it says something else, and then nothing is installed.
NOT_LOCKED = re.compile(r"No matching distribution found|Could not find a version that satisfies")


class NotLockedError(SetupError):
    """A locked version cannot be installed on this machine."""


class OfflineError(SetupError):
    """Nothing can be installed: the package index cannot be reached."""


def python_of(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if ON_WINDOWS else "bin/python")


PYTHON = python_of(VENV)


def stop_in_words(main: Callable[[], int]) -> None:
    """Exit with what ``main`` returns; a failed set-up ends in its message, no traceback."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the user's Python may be older than ours
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    try:
        status = main()
    except SetupError as error:
        say(f"\n{error}")
        status = 1
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def ready_python(extra: str, platforms: tuple[str, ...], yes: bool = False) -> Path:
    """The interpreter of .venv, after making sure that everything is installed.

    ``extra`` names a group of optional dependencies, ``platforms`` the Qt platform plugins that
    will be used. ``yes`` is as in ``install_debian``. Raises SetupError.
    """
    key = environment_key()
    purpose = f"{extra} {' '.join(platforms)}"
    if not is_ready(key, purpose):
        try:
            with only_one_at_a_time():
                if not is_ready(key, purpose):  # another run may have done it while we waited
                    make_environment(extra, yes)
                    libraries = make_ready(pyside_folder(), platforms, yes)
                    compile_program()
                    write_stamp(key, purpose, libraries)
        except OSError as error:
            raise SetupError(f"The environment {VENV} cannot be made: {error}") from error
    return PYTHON


def environment_key() -> str:
    """A digest of all that decides what is installed."""
    import tomllib

    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    facts = [STAMP_VERSION, project["project"], project["build-system"]]
    facts += [python_version(), platform.machine(), str(ROOT)]
    facts += [lock.read_text(encoding="utf-8") for lock in locks_up_to(GROUPS[-1])]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def python_version() -> str:
    """The version that matters for installed packages, "3.12"."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def read_stamp(key: str) -> dict[str, list[str]]:
    """For what purposes the environment is ready: each with the system's libraries it relies on.

    Empty if the stamp was written for another key: then nothing that it says holds.
    """
    try:
        record = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(record["ready"]) if record["key"] == key else {}


def is_ready(key: str, purpose: str) -> bool:
    """Whether the environment was made for ``key`` and ``purpose`` and is still whole."""
    libraries = read_stamp(key).get(purpose)
    return libraries is not None and all(map(os.path.exists, [str(PYTHON), *libraries]))


def write_stamp(key: str, purpose: str, libraries: list[str]) -> None:
    """Note, in one step, that the environment is ready for ``purpose``."""
    ready = {**read_stamp(key), purpose: libraries}
    draft = STAMP.with_suffix(".draft")
    draft.write_text(json.dumps({"key": key, "ready": ready}), encoding="utf-8")
    draft.replace(STAMP)


@contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold the lock file beside .venv, waiting for another run that has it."""
    with (ROOT / ".venv.lock").open("a") as lock:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
                    break
                except OSError:  # ten seconds are over; the other run still works
                    say("Waiting for another run to finish setting up ...")
        else:
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Waiting for another run to finish setting up ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield  # closing the file gives the lock back


def make_environment(extra: str, yes: bool) -> None:
    """Create .venv unless a fitting one is there, and install the project into it, editable."""
    words = "Looking whether .venv has all that the project needs ..."
    if not is_usable():
        if VENV.is_symlink():  # --clear would empty the folder that it leads to
            raise SetupError(
                f"{VENV} is a link to an environment that was not made here.\n"
                "Please remove the link, then start again: the environment is made in its place."
            )
        need_venv_module(yes)
        say("Making the environment .venv ...")
        command = [base_python(), "-m", "venv", "--clear", str(VENV)]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            raise SetupError(f"{VENV} cannot be made:\n{made.stdout}{made.stderr}")
        words = "Installing what the project needs (some 120 MB, a minute or two) ..."
    say(words)
    try:
        install_locked(extra)
    except SetupError as error:
        if extra != SPARED:
            raise
        install_locked(DESK)
        say(f"{error}\n\nMap scripts in JavaScript will not run; everything else will.")


def compile_program() -> None:
    """Compile the modules of the program and of its libraries that are not compiled yet.

    Python compiles what it imports for the first time: that is half of the first start. Libraries
    are there because pip may be configured not to compile. A folder that cannot be written, and
    a library's file for another Python, only mean that this is done at a start, or never.
    """
    say("Compiling the program, so that its first start is as quick as the others ...")
    folders = [*(str(ROOT / package) for package in PACKAGES), str(pyside_folder().parent)]
    command = [str(PYTHON), "-I", "-m", "compileall", "-qq", "-j", "0", *folders]
    subprocess.run(command, capture_output=True)


def install_locked(group: str) -> None:
    """Install the locked versions of a group, each file by its digest, then the project.

    If this machine has no file of a locked version, the newest are taken that pyproject.toml
    allows, and that is said. Raises SetupError.
    """
    try:
        files = [option for lock in locks_up_to(group) for option in ("--requirement", str(lock))]
        # The locks name every package: pip need not, and with "coverage[toml]" cannot, resolve any.
        pip(PYTHON, "install", "--no-deps", "--require-hashes", *files)
        options = ["--no-deps", "--no-build-isolation"]
    except NotLockedError as error:
        if group != DESK:  # perhaps only what the group adds is not there
            raise
        say(f"{error}\n\nOther versions are tried, which are not locked.")
        options = []
    # "compat": a plain path entry, not an import hook that costs every start some milliseconds.
    options += ["--config-settings", "editable_mode=compat"]
    pip(PYTHON, "install", "--editable", str(ROOT), *options)


def base_python() -> str:
    """The Python below an active environment, which may be the very one that is replaced."""
    return getattr(sys, "_base_executable", None) or sys.executable


def is_usable() -> bool:
    """Whether .venv was made in this place by this version of Python, and has pip."""
    try:
        configuration = (VENV / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False
    made_here = re.search(rf"^command = .*{re.escape(str(VENV))}$", configuration, re.MULTILINE)
    same_version = re.search(
        rf"^version = {re.escape(python_version())}\.", configuration, re.MULTILINE
    )
    if not (made_here and same_version and PYTHON.exists()):
        return False
    return (
        subprocess.run([PYTHON, "-I", "-m", "pip", "--version"], capture_output=True).returncode
        == 0
    )


def need_venv_module(yes: bool) -> None:
    """Make sure that this Python can make environments: Debian has that in a package of its own."""
    if _can_make_environments():
        return
    if Path("/usr/bin/apt-get").exists() and sys.executable.startswith("/usr/bin/"):
        names = ("python3-venv", f"python{python_version()}-venv")[::-1]
        install_debian([names], f"Python needs {names[0]} to make an environment", yes)
        importlib.invalidate_caches()
    if not _can_make_environments():
        raise SetupError(
            f"{sys.executable} lacks the modules venv and ensurepip of Python's own library.\n"
            "Please install a complete Python 3.11 or newer, then start again."
        )


def _can_make_environments() -> bool:
    return all(importlib.util.find_spec(module) for module in ("venv", "ensurepip"))


def pip(python: Path, *arguments: str, cwd: Path = ROOT) -> None:
    """Run pip of ``python`` with the machine's own configuration, quiet unless it fails."""
    options = ["--quiet", "--no-input", "--disable-pip-version-check"]
    command = [str(python), "-I", "-m", "pip", *options, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    if done.returncode == 0:
        return
    output = done.stdout + done.stderr
    if OFFLINE.search(output):
        raise OfflineError(
            "The package index cannot be reached, so nothing can be installed. Please look at the\n"
            "network connection (and at pip's configuration, if this machine uses an index or a\n"
            "proxy of its own), then start again."
        )
    rows = [row for row in output.strip().splitlines() if row.strip()]
    kind = NotLockedError if NOT_LOCKED.search(output) else SetupError
    raise kind("pip could not install what is needed:\n\n  " + "\n  ".join(rows[-20:]))


def pyside_folder() -> Path:
    """Where PySide6 lies in .venv."""
    base = {"base": str(VENV), "platbase": str(VENV)}
    return Path(sysconfig.get_path("platlib", "venv", base)) / "PySide6"
