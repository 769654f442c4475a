"""Start the desk: ``python3 packaging/run.py [--yes] [file ...]``. Makes .venv the first time.

On Debian and Ubuntu libraries that Qt needs and the system lacks are installed by root: after a
question at a terminal, without one where there is no terminal or ``--yes`` is given. All others are
told the command.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from setup_environment import ON_WINDOWS, SPARED, ready_python, stop_in_words
from system_libraries import SetupError

YES = "--yes"


def qt_platforms() -> tuple[str, ...]:
    """The platform plugins that Qt will try on this machine."""
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    if asked:
        return tuple(name.partition(":")[0] for name in asked.split(";"))
    return ("wayland", "xcb") if os.environ.get("WAYLAND_DISPLAY") else ("xcb",)


def has_screen() -> bool:
    """Whether a window can appear. An option may ask for help only, or choose Qt's platform."""
    named = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    asked = any(argument.startswith("-") for argument in sys.argv[1:] if argument != YES)
    return not sys.platform.startswith("linux") or asked or any(map(os.environ.get, named))


def main() -> int:
    """Become the desk, with the user's arguments and in the user's folder."""
    arguments = [argument for argument in sys.argv[1:] if argument != YES]
    python = str(ready_python(SPARED, qt_platforms(), yes=YES in sys.argv[1:]))
    if not has_screen():
        raise SetupError(
            "There is no screen to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set.\n"
            "(QT_QPA_PLATFORM=offscreen runs the desk without one.)"
        )
    # -P: a folder named app where the user stands is not the desk.
    command = [python, "-P", "-m", "app", *arguments]
    if ON_WINDOWS:  # there, exec returns to the shell before the program ends
        return subprocess.run(command).returncode
    return os.execv(python, command)


stop_in_words(main)
