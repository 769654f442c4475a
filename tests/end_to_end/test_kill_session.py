"""Whatever the moment of a kill: every acknowledged step is there, and every file is whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.deep,  # mutants run them, too
    pytest.mark.skipif(
        not hasattr(os, "fork"), reason="sessions are forked, stopped and killed by signals"
    ),
]


def session(*options: str) -> str:
    """What ``kill_session`` prints; fails where it has found anything."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.kill_session", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout


def test_a_kill_at_any_point_leaves_the_state_before_or_after():
    """A few points of each kind; ``--walk`` alone looks at all thousand."""
    words = session("--walk", "--share", "0.01")
    assert " 0 failures" in words
    for kind in ("amid write", "before rename", "after fsync", "before commit", "after unlink"):
        assert kind in words


def test_killed_sessions_go_on_from_each_other():
    """A few in every run; ``--kills 200`` kills more."""
    assert "4 kills in " in session("--kills", "4")
