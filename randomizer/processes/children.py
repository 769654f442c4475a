"""Starts this program's child processes: in a checkout, from the wheel, and in the bundle.

A child process calls ``main`` of one module of the core. From a checkout or the wheel, Python is
started with a line of code that does so. The bundle (the program as people install it) has no
Python to start, so its own program ``randomizer`` becomes the child: ``start_child`` starts it with
``--child MODULE``, and there ``run_child`` runs the module.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

CHILD = "--child"
"""The first argument of the bundle's program if it is to be a child process."""

_START = "import sys; sys.path[:] = {path!r}; from {module} import main; main()"
"""The code that a child process of Python runs; it gets the path for modules of this process."""


def start_child(module: str, stderr: int | None = None) -> subprocess.Popen[bytes]:
    """Start a process that calls ``main`` of a module of the core, with pipes to and from it.

    It looks for modules on the path of this process. ``stderr`` is as in ``Popen``.
    """
    is_bundle = getattr(sys, "frozen", False)
    if is_bundle:
        # Not the program of this process, which may be the desk's: on Windows that has no streams.
        program = Path(sys.executable)
        command = [str(program.with_name(f"randomizer{program.suffix}")), CHILD, module]
    else:
        # -P: modules in the current folder do not come before those of the program.
        command = [sys.executable, "-P", "-c", _START.format(path=sys.path, module=module)]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def run_child(arguments: list[str]) -> bool:
    """Be a child process if the arguments of the bundle's program say so.

    Returns whether they did: then the work is done, and the program ends.
    """
    if arguments[:1] != [CHILD]:
        return False
    module_name = arguments[1]
    import_module(module_name).main()
    return True
