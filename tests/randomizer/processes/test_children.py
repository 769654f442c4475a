"""Child processes of the bundle are its own program; there is no Python to start."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from randomizer.processes.children import run_child, start_child

PROGRAM = f"""\
#!{sys.executable}
import sys
sys.path[:] = {sys.path!r}
from randomizer.processes.children import run_child
sys.exit(0 if run_child(sys.argv[1:]) else 3)
"""


@pytest.mark.usefixtures("frozen")
def test_the_desk_of_a_bundle_starts_the_command_line_as_its_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "randomizer"
    program.write_text(PROGRAM, "utf-8")
    program.chmod(stat.S_IRWXU)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "battlelands"))  # as a bundle has it
    with start_child("randomizer.processes.worker") as child:
        assert child.communicate(b"") == (b"", None)  # it ends with its input
    assert child.returncode == 0


def test_other_arguments_are_the_command_line_s_own() -> None:
    assert not run_child(["roll", "Swamp"])
    assert not run_child([])
