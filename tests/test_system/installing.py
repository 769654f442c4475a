"""Registers the test system as an installed package: metadata on the path, and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from randomizer import installed

ROOT = Path(__file__).resolve().parents[2]


def register(folder: Path, name: str = "testsys", module: str = "tests.test_system.entry") -> Path:
    """Write what pip would have written for a package with one entry point into ``folder``."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    (info / "METADATA").write_text(about, "utf-8")
    (info / "entry_points.txt").write_text(f"[{installed.GROUP}]\n{name} = {module}\n", "utf-8")
    return folder


def environment(folder: Path) -> dict[str, str]:
    """The environment of another process for which the packages of ``folder`` are installed."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


@contextmanager
def on_path(folder: Path) -> Iterator[None]:
    """In this process, for a while: the packages of ``folder`` are installed."""
    jobs = sys.modules.get("app.background.jobs")
    if jobs is not None:  # one of the test before could remember the packages of before
        jobs.Job.finish_all()
    sys.path.insert(0, str(folder))
    installed.forget()  # a process looks for packages once
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        installed.forget()


@contextmanager
def package_with(folder: Path, **lists: tuple[str, ...]) -> Iterator[None]:
    """In this process, for a while: a package is installed whose entry point names these lists.

    Its metadata and the module of its entry point are written into a new folder in ``folder``.
    """
    home = Path(mkdtemp(prefix="package-", dir=folder))
    module = home.name.replace("-", "_")
    register(home, "a-package-of-a-test", module)
    lines = [f"PROTOCOL = {installed.PROTOCOL}", *(f"{key} = {lists[key]!r}" for key in lists)]
    (home / f"{module}.py").write_text("\n".join(lines) + "\n", "utf-8")
    try:
        with on_path(home):
            yield
    finally:
        sys.modules.pop(module, None)
