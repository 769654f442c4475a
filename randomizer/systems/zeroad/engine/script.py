"""A random map script of 0 A.D. as a child process gets it, and the problem that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from randomizer.model.problems import Problem, Severity


@dataclass(frozen=True)
class Script:
    """A random map script."""

    path: str
    """The path from the mod root, by which errors name it."""

    text: str


def problem_of(fields: Mapping[str, Any], script: Script) -> Problem:
    """Return the problem that a child tells by a message ``Kind.FAILED`` with these fields."""
    path, line, column = fields["position"] or (script.path, None, None)
    code = str(fields["code"])
    return Problem(Severity.ERROR, code, str(fields["message"]), path, line, column)
