"""Starts this program's child processes: in a checkout, from the wheel, and in the bundle.

The bundle has no Python to start, so that its own program, ``randomizer``, becomes the child:
``start_child`` starts it with ``--child MODULE``, and ``run_child`` there runs the module.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

CHILD = "--child"
"""The argument by which the bundle's program is a child process."""

_START = "import sys; sys.path[:] = {path!r}; from {module} import main; main()"
"""The code that a child process of Python runs."""


def start_child(module: str, stderr: int | None = None) -> subprocess.Popen[bytes]:
    """Start a process that calls ``main`` of a module of the core, with pipes to and from it.

    It looks for modules on the path of this process. ``stderr`` is as in ``Popen``.
    """
    if getattr(sys, "frozen", False):
        program = Path(sys.executable)  # that of the desk has no standard streams on Windows
        command = [str(program.with_name(f"randomizer{program.suffix}")), CHILD, module]
    else:
        command = [sys.executable, "-P", "-c", _START.format(path=sys.path, module=module)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def run_child(arguments: list[str]) -> bool:
    """Be the child process that the arguments of the bundle's program ask for, if they do."""
    if arguments[:1] != [CHILD]:
        return False
    import_module(arguments[1]).main()
    return True
