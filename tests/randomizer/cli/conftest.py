"""The command line in this process: ``randomizer("roll", ...)`` gives code and both streams."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from randomizer.__main__ import main
from randomizer.cli.output import Console

SCRIPT = """\
TITLE Pond
SUBTITLE "Under test"
AREA D4 HAZARDS Lake
AREA A1 B2 C3 E1 F2 HAZARDS Bog,50. Tree,50.
AREA D6 HAZARDS Volcano,2
AREA E3 HAZARDS Sand,100.,50.,50.,0.
PAIR (Volcano,2) (Plains,0) HEXSIDES s,50.
STARTLIST A1 D4
"""


@dataclass(frozen=True)
class Said:
    """What one command said and how it ended."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.out.decode()


class Terminal(io.StringIO):
    """Standard error of somebody who sits there and presses Ctrl-C when enough is said."""

    presses = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.presses and self.presses in text:
            self.presses = ""
            raise KeyboardInterrupt
        return written


Run = Callable[..., Said]


@pytest.fixture
def randomizer(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run(*arguments: str | Path) -> Said:
        code = main([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Said(code, captured.out, captured.err.decode())

    return run


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that makes many maps."""
    path = tmp_path / "Pond.rnd"
    path.write_text(SCRIPT)
    return path


@pytest.fixture
def talkative(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """The command line that says at once how far it is, as it does of work that takes seconds."""

    def run(*arguments: str | Path) -> Said:
        console = Console(progress_from_s=0.0, progress_every_s=0.0)
        code = main([str(argument) for argument in arguments], console)
        captured = capfdbinary.readouterr()
        return Said(code, captured.out, captured.err.decode())

    return run
