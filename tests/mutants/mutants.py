"""The mutants of ``mutants.toml``: the program with one promise broken on purpose."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).with_name("mutants.toml")


class Mutant(NamedTuple):
    """``old`` in ``file`` becomes ``new``, which breaks a promise; one of ``tests`` must fail."""

    name: str
    breaks: str
    file: str
    old: str
    new: str
    tests: list[str]

    def applied(self, source: str) -> str:
        """The source of the mutant. Raises ValueError if ``old`` is not there exactly once."""
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"{self.name}: its old text is in {self.file} {found} times")
        return source.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """All of them."""
    return [Mutant(**entry) for entry in tomllib.loads(DATA.read_text("utf-8"))["mutant"]]
