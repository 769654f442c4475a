"""SIGKILL at random moments loses no acknowledged step and damages no file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

KILLS = "8"
"""A few in every run of the tests; ``python -m tests.end_to_end.kill_session`` kills 200."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="sessions are forked, and killed by a signal")
def test_killed_sessions_lose_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.kill_session", "--kills", KILLS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert done.stdout.startswith(f"{KILLS} kills in ")
